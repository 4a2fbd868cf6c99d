//! Parts of sharded dims brought to other places, which other devices may hold.
//!
//! Input: shards of one or more tensors, and for each device along the axes that shard their dim the parts that it
//! needs and where. Output: the local tensor with these parts in place; what no part covers is unspecified. A part that
//! reaches over several shards is cut at their ends. The pieces are then dealt to rounds, in each of which a device
//! sends at most one piece and receives at most one, the longest first: a round is one permute of its longest piece.
//!
//! Example: 16 elements in four shards, rotated by 3. Device `i` needs three elements of device `i - 1`, which is one
//! round, and one of its own.

use super::binary::Binary;
use super::compare::Direction;
use super::halo::{cut, extended, joined, part_at, per_device, same};
use super::local_code::{binary, broadcast, compare, count_up, one, select, tensor};
use super::reverse::Reverse;
use crate::ids::ValueId;
use crate::local::LocalBuilder;
use crate::mesh::SubAxisId;
use meshwright_tensor::types::ElementType;

/// Positions `start..start + len` of the whole dim of an operand, ascending or descending.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// Which operand.
    pub operand: usize,
    /// The lowest position.
    pub start: usize,
    /// How many.
    pub len: usize,
    /// Whether the highest comes first.
    pub is_reversed: bool,
}

impl Part {
    /// The `len` elements of the part behind its first `skipped`.
    pub(super) fn sub_part(&self, skipped: usize, len: usize) -> Self {
        let start =
            if self.is_reversed { self.start + self.len - skipped - len } else { self.start + skipped };
        Self { start, len, ..*self }
    }
}

/// What every device needs along a dim.
pub(super) struct Wanted<'a> {
    /// The dim.
    pub(super) dim: usize,
    /// The axes that shard it, in all tensors.
    pub(super) axes: &'a [SubAxisId],
    /// Local size of the dim in each operand.
    pub(super) chunks: Vec<usize>,
    /// Per device along the axes, parts and where in its tensor they begin.
    pub(super) parts: Vec<Vec<(usize, Part)>>,
    /// How many positions a device's tensor has.
    pub(super) len: usize,
}

/// A part of one shard on the way to one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece {
    source: usize,
    target: usize,
    operand: usize,
    /// Where it lies in the shard.
    from: usize,
    /// Where it is to lie.
    at: usize,
    len: usize,
    is_reversed: bool,
}

impl Piece {
    fn is_local(&self) -> bool {
        self.source == self.target
    }
}

/// Pieces of which every device sends and receives at most one; the first is the longest.
struct Round {
    pieces: Vec<Piece>,
    /// Which devices send one, and which receive one.
    sends: Vec<bool>,
    receives: Vec<bool>,
}

/// Everything on its way.
pub(super) struct Rounds<'a> {
    wanted: &'a Wanted<'a>,
    rounds: Vec<Round>,
}

impl<'a> Wanted<'a> {
    /// What each device needs of parts that stand side by side in a dim of which a device has `len` positions.
    pub(super) fn side_by_side(
        dim: usize,
        axes: &'a [SubAxisId],
        chunks: Vec<usize>,
        all: &[Part],
        devices: usize,
        len: usize,
    ) -> Self {
        let mut parts = vec![Vec::new(); devices];
        let mut first = 0;
        for part in all {
            let end = first + part.len;
            let held = if len == 0 || part.len == 0 { 0..0 } else { first / len..end.div_ceil(len) };
            for device in held.filter(|device| *device < devices) {
                let (low, high) = (first.max(device * len), end.min((device + 1) * len));
                parts[device].push((low - device * len, part.sub_part(low - first, high - low)));
            }
            first = end;
        }
        Self { dim, axes, chunks, parts, len }
    }

    /// The pieces, dealt to rounds.
    pub(super) fn rounds(&'a self) -> Rounds<'a> {
        let mut pieces = Vec::new();
        for (target, parts) in self.parts.iter().enumerate() {
            for (at, part) in parts {
                self.cut_at_shards(target, *at, part, &mut pieces);
            }
        }
        pieces.sort_by_key(|piece| {
            (
                piece.is_local(),
                std::cmp::Reverse(piece.len),
                piece.at,
                piece.operand,
                piece.from,
                piece.target,
            )
        });
        let mut rounds: Vec<Round> = Vec::new();
        for piece in pieces {
            let devices = self.parts.len();
            let free = rounds.iter().position(|round| round.takes(&piece)).unwrap_or_else(|| {
                let nobody = vec![false; devices];
                rounds.push(Round { pieces: Vec::new(), sends: nobody.clone(), receives: nobody });
                rounds.len() - 1
            });
            let round = &mut rounds[free];
            (round.sends[piece.source], round.receives[piece.target]) = (true, true);
            round.pieces.push(piece);
        }
        Rounds { wanted: self, rounds }
    }

    fn cut_at_shards(&self, target: usize, at: usize, part: &Part, pieces: &mut Vec<Piece>) {
        let Some(chunk) = self.chunks.get(part.operand).copied().filter(|chunk| *chunk > 0) else { return };
        let (operand, is_reversed, end) = (part.operand, part.is_reversed, part.start + part.len);
        for source in part.start / chunk..end.div_ceil(chunk) {
            let (low, high) = (part.start.max(source * chunk), end.min((source + 1) * chunk));
            let before = if is_reversed { end - high } else { low - part.start };
            let (from, len) = (low - source * chunk, high - low);
            pieces.push(Piece { source, target, operand, from, at: at + before, len, is_reversed });
        }
    }
}

impl Round {
    fn is_local(&self) -> bool {
        self.pieces.first().is_none_or(Piece::is_local)
    }

    fn takes(&self, piece: &Piece) -> bool {
        let is_alike =
            |first: &Piece| first.is_reversed == piece.is_reversed && first.is_local() == piece.is_local();
        self.pieces.first().is_none_or(is_alike) && !self.sends[piece.source] && !self.receives[piece.target]
    }

    fn len(&self) -> usize {
        self.pieces.first().map_or(0, |piece| piece.len)
    }

    /// Where all pieces lie on their devices, if that is the same place for all.
    fn place(&self, skews: &[usize]) -> Option<usize> {
        let first = &self.pieces[0];
        let is_alike = |piece: &Piece| piece.at == first.at && piece.len == first.len;
        (self.pieces.iter().all(is_alike) && skews.iter().all(|skew| *skew == 0)).then_some(first.at)
    }
}

impl Rounds<'_> {
    /// How many elements one device sends; `others` stand at one position of the dim.
    pub(super) fn cost(&self, others: usize) -> usize {
        self.rounds.iter().filter(|round| !round.is_local()).map(|round| round.len() * others).sum()
    }

    /// Emits the rounds and puts the pieces in place.
    pub(super) fn emit(&self, b: &mut dyn LocalBuilder, shards: &[ValueId]) -> ValueId {
        let (dim, len) = (self.wanted.dim, self.wanted.len);
        let mut ty = tensor(b, shards[0]);
        ty.shape[dim] = len;
        let mut received = Vec::with_capacity(self.rounds.len());
        for round in &self.rounds {
            received.push(self.bring(b, round, shards));
        }
        if let Some(order) = self.stand_apart(&received) {
            let mut side_by_side = Vec::new();
            let mut end = 0;
            for (at, index) in order {
                self.gap(b, &ty.shape, ty.element, end, at, &mut side_by_side);
                side_by_side.push(received[index].0);
                end = at + self.rounds[index].len();
            }
            self.gap(b, &ty.shape, ty.element, end, len, &mut side_by_side);
            if !side_by_side.is_empty() {
                return joined(b, dim, &side_by_side);
            }
        }
        let mut whole: Option<ValueId> = None;
        for (round, (value, skews)) in self.rounds.iter().zip(received) {
            let placed = self.placed(b, round, value, &skews);
            whole = Some(match whole {
                None => placed,
                Some(before) => {
                    let covered = self.covered(b, round);
                    let covered = broadcast(b, covered, &ty.shape, vec![dim]);
                    select(b, covered, placed, before)
                }
            });
        }
        whole.unwrap_or_else(|| b.splat(ty, 0.0))
    }

    /// The places of the rounds in ascending order, if each round has one and none reaches into another.
    fn stand_apart(&self, received: &[(ValueId, Vec<usize>)]) -> Option<Vec<(usize, usize)>> {
        let mut order = Vec::with_capacity(received.len());
        for (index, (_, skews)) in received.iter().enumerate() {
            order.push((self.rounds[index].place(skews)?, index));
        }
        order.sort_unstable();
        let is_apart = |pair: &[(usize, usize)]| pair[0].0 + self.rounds[pair[0].1].len() <= pair[1].0;
        order.windows(2).all(is_apart).then_some(order)
    }

    /// Appends something for the positions `from..to`, which nobody needs.
    fn gap(
        &self,
        b: &mut dyn LocalBuilder,
        shape: &[usize],
        element: ElementType,
        from: usize,
        to: usize,
        side_by_side: &mut Vec<ValueId>,
    ) {
        if from < to {
            let mut shape = shape.to_vec();
            shape[self.wanted.dim] = to - from;
            side_by_side.push(b.splat(meshwright_tensor::types::TensorType::new(shape, element), 0.0));
        }
    }

    /// What each device receives in a round, and how far behind its start the piece lies, piece by piece.
    fn bring(&self, b: &mut dyn LocalBuilder, round: &Round, shards: &[ValueId]) -> (ValueId, Vec<usize>) {
        let Wanted { dim, axes, chunks, .. } = self.wanted;
        let (len, devices) = (round.len(), self.wanted.parts.len());
        let mut skews = vec![0; round.pieces.len()];
        let mut sent: Option<ValueId> = None;
        let mut operands: Vec<usize> = round.pieces.iter().map(|piece| piece.operand).collect();
        operands.sort_unstable();
        operands.dedup();
        let by_source = |default: i64, number: &dyn Fn(&Piece) -> Option<i64>| -> Vec<i64> {
            let mut numbers = vec![default; devices];
            for piece in &round.pieces {
                if let Some(number) = number(piece) {
                    numbers[piece.source] = number;
                }
            }
            numbers
        };
        for operand in &operands {
            // A shard that is shorter than the round's longest piece is made longer.
            let missing = len.saturating_sub(chunks[*operand]);
            let shard = extended(b, shards[*operand], *dim, 0, missing as i64);
            let last = chunks[*operand] + missing - len;
            let own = |piece: &Piece| piece.operand == *operand;
            for (piece, skew) in round.pieces.iter().zip(&mut skews).filter(|(piece, _)| own(piece)) {
                *skew = piece.from - piece.from.min(last);
            }
            let first = round.pieces.iter().find(|piece| own(piece)).map_or(0, |piece| piece.from.min(last));
            let starts = by_source(first as i64, &|piece| own(piece).then_some(piece.from.min(last) as i64));
            let part = match same(&starts) {
                Some(_) => cut(b, shard, *dim, first, first + len, 1),
                None => {
                    let start = per_device(b, axes, &starts);
                    part_at(b, shard, *dim, start, len)
                }
            };
            sent = Some(match sent {
                None => part,
                Some(before) => {
                    let chosen = per_device(b, axes, &by_source(0, &|piece| Some(i64::from(own(piece)))));
                    let one = b.splat(tensor(b, chosen), 1.0);
                    let is_own = compare(b, Direction::Equal, chosen, one);
                    let shape = tensor(b, part).shape;
                    let is_own = broadcast(b, is_own, &shape, Vec::new());
                    select(b, is_own, part, before)
                }
            });
        }
        let Some(mut value) = sent else { return (shards[0], skews) };
        if !round.is_local() {
            let pairs: Vec<_> = round.pieces.iter().map(|piece| (piece.source, piece.target)).collect();
            value = b.permute(value, axes, &pairs);
        }
        if round.pieces[0].is_reversed {
            let ty = tensor(b, value);
            value = one(b, Reverse { dims: vec![*dim] }, &[value], ty);
            for (piece, skew) in round.pieces.iter().zip(&mut skews) {
                *skew = len - *skew - piece.len;
            }
        }
        (value, skews)
    }

    /// A round's pieces where they are to lie, in a tensor of full length.
    fn placed(&self, b: &mut dyn LocalBuilder, round: &Round, value: ValueId, skews: &[usize]) -> ValueId {
        let (dim, len) = (self.wanted.dim, self.wanted.len as i64);
        let offset = |piece: &Piece, skew: usize| piece.at as i64 - skew as i64;
        let mut offsets = vec![offset(&round.pieces[0], skews[0]); self.wanted.parts.len()];
        for (piece, skew) in round.pieces.iter().zip(skews) {
            offsets[piece.target] = offset(piece, *skew);
        }
        let held = round.len() as i64;
        if let Some(offset) = same(&offsets) {
            return extended(b, value, dim, offset, len - offset - held);
        }
        let low = offsets.iter().copied().max().unwrap_or(0).max(0);
        let high = offsets.iter().map(|offset| len - offset - held).max().unwrap_or(0).max(0);
        let around = extended(b, value, dim, low, high);
        let starts: Vec<i64> = offsets.iter().map(|offset| low - offset).collect();
        let start = per_device(b, self.wanted.axes, &starts);
        part_at(b, around, dim, start, self.wanted.len)
    }

    /// Which positions a round's piece covers.
    fn covered(&self, b: &mut dyn LocalBuilder, round: &Round) -> ValueId {
        let (len, devices) = (self.wanted.len, self.wanted.parts.len());
        let (mut starts, mut ends) = (vec![0; devices], vec![0; devices]);
        for piece in &round.pieces {
            starts[piece.target] = piece.at as i64;
            ends[piece.target] = (piece.at + piece.len) as i64;
        }
        let side = |b: &mut dyn LocalBuilder, numbers: &[i64], direction| {
            let bound = per_device(b, self.wanted.axes, numbers);
            let element = tensor(b, bound).element;
            let counted = count_up(b, len, element);
            let bound = broadcast(b, bound, &[len], Vec::new());
            compare(b, direction, counted, bound)
        };
        let not_before = side(b, &starts, Direction::GreaterEqual);
        let not_behind = side(b, &ends, Direction::Less);
        binary(b, Binary::And, not_before, not_behind)
    }
}
