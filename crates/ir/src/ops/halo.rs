//! Elements of a sharded dim that other devices hold.
//!
//! Input: a shard and a [`Window`]: for each device the range of positions that it needs. Output: the local tensor of
//! that range. Where the ranges reach into a few other shards only (the edges of neighbors, a shift), those parts are
//! sent by one permute per distance, or piece by piece (`shard_pieces`) where that sends less; where they reach into most, the
//! dim is gathered. What lies outside the dim is unspecified, as padding is; [`Window::fetch_filled`] puts something
//! there.

use super::binary::Binary;
use super::concatenate::Concatenate;
use super::dynamic_slice::DynamicSlice;
use super::local_code::{LowEnd, keep_inside, one, tensor, with_number};
use super::pad::Pad;
use super::reshape::Reshape;
use super::shard_pieces::{Part, Wanted};
use super::slice::Slice;
use crate::ids::ValueId;
use crate::local::LocalBuilder;
use crate::mesh::SubAxisId;
use meshwright_tensor::literal::{Literal, LiteralData, int_bytes};
use meshwright_tensor::types::{ElementType, TensorType};
use std::ops::Range;

/// A range of positions along a sharded dim for each device along the axes that shard it.
pub(super) struct Window<'a> {
    /// The dim.
    pub(super) dim: usize,
    /// The axes that shard it.
    pub(super) axes: &'a [SubAxisId],
    /// The dim's size in all, without padding.
    pub(super) size: usize,
    /// The first position that device `i` along the axes needs; may lie outside the dim.
    pub(super) starts: Vec<i64>,
    /// How many positions each device needs.
    pub(super) len: usize,
    /// Whether the ranges descend: device `i` needs about what the device as far from the other end holds.
    pub(super) is_mirrored: bool,
}

/// What one permute brings: the part `from..to` of the shard that lies `hop` shards behind the device's own (or behind
/// its mirror image).
struct Piece {
    hop: i64,
    from: usize,
    to: usize,
    /// (source, target) positions along the axes.
    pairs: Vec<(usize, usize)>,
}

impl Window<'_> {
    /// The elements of `value` in this device's range, those outside the dim replaced by the scalar `fill`.
    pub(super) fn fetch_filled(&self, b: &mut dyn LocalBuilder, value: ValueId, fill: ValueId) -> ValueId {
        let found = self.fetch(b, value);
        self.filled(b, found, fill)
    }

    /// What was found in this device's range, the elements outside the dim replaced by the scalar `fill`.
    pub(super) fn filled(&self, b: &mut dyn LocalBuilder, found: ValueId, fill: ValueId) -> ValueId {
        if self.starts.iter().all(|start| *start >= 0 && *start + self.len as i64 <= self.size as i64) {
            return found;
        }
        let furthest =
            self.starts.iter().map(|start| start.unsigned_abs() as usize + self.len).max().unwrap_or(0);
        let start = per_device_up_to(b, self.axes, &self.starts, furthest.max(self.size));
        keep_inside(b, found, self.dim, start, self.size, LowEnd::Checked, fill)
    }

    /// The elements of `value` in this device's range.
    pub(super) fn fetch(&self, b: &mut dyn LocalBuilder, value: ValueId) -> ValueId {
        self.fetch_needed(b, value, &self.ranges())
    }

    /// The same, of which device `i` needs only the positions in `needed[i]`; what the others hold is unspecified.
    pub(super) fn fetch_needed(
        &self,
        b: &mut dyn LocalBuilder,
        value: ValueId,
        needed: &[Range<i64>],
    ) -> ValueId {
        let ty = tensor(b, value);
        let chunk = ty.shape[self.dim];
        let pieces = if chunk == 0 { Vec::new() } else { self.pieces(chunk, needed) };
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else {
            let mut ty = ty;
            ty.shape[self.dim] = self.len;
            return b.splat(ty, 0.0);
        };
        let others = others(&ty.shape, self.dim);
        let wanted = self.wanted(chunk, needed);
        let rounds = wanted.rounds();
        let (whole, permutes) = (self.gather_cost(chunk, others), permutes_cost(&pieces, others));
        if rounds.cost(others) < whole.min(permutes) {
            return rounds.emit(b, &[value]);
        }
        if whole <= permutes {
            let whole = b.all_gather(value, self.dim, self.axes);
            return self.own_part(b, whole, &vec![0; self.starts.len()]);
        }
        let base = |device: usize| if self.is_mirrored { self.starts.len() - 1 - device } else { device };
        let covered = (first.hop * chunk as i64 + first.from as i64, last.hop);
        let starts: Vec<i64> =
            (0..self.starts.len()).map(|device| (base(device) * chunk) as i64 + covered.0).collect();
        let parts: Vec<ValueId> = pieces.iter().map(|piece| self.bring(b, value, piece)).collect();
        let joined = joined(b, self.dim, &parts);
        self.own_part(b, joined, &starts)
    }

    /// What [`Window::fetch`] makes a device send of shards of `chunk` positions, in elements.
    pub(super) fn cost(&self, chunk: usize, others: usize) -> usize {
        let needed = self.ranges();
        let pieces = if chunk == 0 { Vec::new() } else { self.pieces(chunk, &needed) };
        if pieces.is_empty() {
            return 0;
        }
        let direct = self.wanted(chunk, &needed).rounds().cost(others);
        direct.min(self.gather_cost(chunk, others)).min(permutes_cost(&pieces, others))
    }

    fn gather_cost(&self, chunk: usize, others: usize) -> usize {
        (self.starts.len() - 1) * chunk * others
    }

    /// Each device's whole range.
    fn ranges(&self) -> Vec<Range<i64>> {
        self.starts.iter().map(|start| *start..*start + self.len as i64).collect()
    }

    /// What each device needs, as far as it lies inside the dim.
    fn wanted(&self, chunk: usize, needed: &[Range<i64>]) -> Wanted<'_> {
        let part = |(start, needed): (&i64, &Range<i64>)| {
            let low = needed.start.clamp(0, self.size as i64);
            let high = needed.end.clamp(low, self.size as i64);
            let part =
                Part { operand: 0, start: low as usize, len: (high - low) as usize, is_reversed: false };
            if part.len == 0 { Vec::new() } else { vec![((low - start) as usize, part)] }
        };
        let parts = self.starts.iter().zip(needed).map(part).collect();
        Wanted { dim: self.dim, axes: self.axes, chunks: vec![chunk], parts, len: self.len }
    }

    /// The pieces from the least hop to the greatest; together they hold every range's elements, side by side.
    fn pieces(&self, chunk: usize, needed: &[Range<i64>]) -> Vec<Piece> {
        let devices = self.starts.len();
        let mut pieces: Vec<Piece> = Vec::new();
        for (device, needed) in needed.iter().enumerate() {
            let low = needed.start.clamp(0, self.size as i64) as usize;
            let high = needed.end.clamp(0, self.size as i64) as usize;
            let base = if self.is_mirrored { devices - 1 - device } else { device };
            let shards = if low < high { low / chunk..high.div_ceil(chunk) } else { 0..0 };
            for shard in shards {
                let from = low.max(shard * chunk) - shard * chunk;
                let to = high.min((shard + 1) * chunk) - shard * chunk;
                let hop = shard as i64 - base as i64;
                match pieces.iter_mut().find(|piece| piece.hop == hop) {
                    Some(piece) => {
                        piece.from = piece.from.min(from);
                        piece.to = piece.to.max(to);
                        piece.pairs.push((shard, device));
                    }
                    None => pieces.push(Piece { hop, from, to, pairs: vec![(shard, device)] }),
                }
            }
        }
        pieces.sort_by_key(|piece| piece.hop);
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return pieces };
        let (first, last) = (first.hop, last.hop);
        for hop in first..last {
            if pieces.iter().all(|piece| piece.hop != hop) {
                pieces.push(Piece { hop, from: 0, to: chunk, pairs: Vec::new() });
            }
        }
        pieces.sort_by_key(|piece| piece.hop);
        for piece in &mut pieces {
            // Only the outermost may be less than whole shards, or the parts would not stand side by side.
            piece.from = if piece.hop == first { piece.from } else { 0 };
            piece.to = if piece.hop == last { piece.to } else { chunk };
        }
        pieces
    }

    /// One piece on every device that needs it.
    fn bring(&self, b: &mut dyn LocalBuilder, value: ValueId, piece: &Piece) -> ValueId {
        if piece.pairs.is_empty() {
            let mut ty = tensor(b, value);
            ty.shape[self.dim] = piece.to - piece.from;
            return b.splat(ty, 0.0);
        }
        let part = cut(b, value, self.dim, piece.from, piece.to, 1);
        match piece.pairs.iter().all(|(source, target)| source == target) {
            true => part,
            false => b.permute(part, self.axes, &piece.pairs),
        }
    }

    /// Each device's range out of `value`, which holds the positions from `held` on.
    pub(super) fn own_part(&self, b: &mut dyn LocalBuilder, value: ValueId, held: &[i64]) -> ValueId {
        let len = tensor(b, value).shape[self.dim] as i64;
        let offsets: Vec<i64> = self.starts.iter().zip(held).map(|(start, held)| start - held).collect();
        let low = offsets.iter().map(|offset| -offset).max().unwrap_or(0).max(0);
        let high = offsets.iter().map(|offset| offset + self.len as i64 - len).max().unwrap_or(0).max(0);
        let padded = extended(b, value, self.dim, low, high);
        let offsets: Vec<i64> = offsets.iter().map(|offset| offset + low).collect();
        if let Some(offset) = same(&offsets) {
            return cut(b, padded, self.dim, offset as usize, offset as usize + self.len, 1);
        }
        let offset = per_device(b, self.axes, &offsets);
        part_at(b, padded, self.dim, offset, self.len)
    }
}

/// How many elements stand at one position of `dim`.
pub(super) fn others(shape: &[usize], dim: usize) -> usize {
    shape.iter().enumerate().filter(|(other, _)| *other != dim).map(|(_, size)| *size).product()
}

/// What a device sends if every piece is a permute, in elements.
fn permutes_cost(pieces: &[Piece], others: usize) -> usize {
    let is_sent = |piece: &&Piece| piece.pairs.iter().any(|(source, target)| source != target);
    pieces.iter().filter(is_sent).map(|piece| (piece.to - piece.from) * others).sum()
}

pub(super) fn same(numbers: &[i64]) -> Option<i64> {
    numbers.first().copied().filter(|first| numbers.iter().all(|number| number == first))
}

/// The number that belongs to this device along `axes`, as a scalar.
pub(super) fn per_device(b: &mut dyn LocalBuilder, axes: &[SubAxisId], numbers: &[i64]) -> ValueId {
    per_device_up_to(b, axes, numbers, 0)
}

/// The same in a type that holds numbers up to `largest`, which it will be compared with.
fn per_device_up_to(
    b: &mut dyn LocalBuilder,
    axes: &[SubAxisId],
    numbers: &[i64],
    largest: usize,
) -> ValueId {
    let furthest = numbers.iter().map(|number| number.unsigned_abs() as usize).max().unwrap_or(0);
    let element = ElementType::for_positions(furthest.max(largest));
    let scalar = TensorType::scalar(element);
    if let Some(number) = same(numbers) {
        return b.splat(scalar, number as f64);
    }
    let step = numbers[1] - numbers[0];
    let index = b.index_along(axes, element);
    if numbers.windows(2).all(|pair| pair[1] - pair[0] == step) {
        let scaled = with_number(b, Binary::Multiply, index, step);
        return if numbers[0] == 0 { scaled } else { with_number(b, Binary::Add, scaled, numbers[0]) };
    }
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| int_bytes(i128::from(*number), element)).collect();
    let data = LiteralData::Dense(bytes.into());
    let table = b.constant(Literal { ty: TensorType::new([numbers.len()], element), data });
    let entry = part_at(b, table, 0, index, 1);
    one(b, Reshape, &[entry], scalar)
}

/// `len` elements of `dim` from the scalar position `start` on.
pub(super) fn part_at(
    b: &mut dyn LocalBuilder,
    value: ValueId,
    dim: usize,
    start: ValueId,
    len: usize,
) -> ValueId {
    let mut ty = tensor(b, value);
    let scalar = tensor(b, start);
    ty.shape[dim] = len;
    let mut operands = vec![value];
    for other in 0..ty.rank() {
        operands.push(if other == dim { start } else { b.splat(scalar.clone(), 0.0) });
    }
    one(b, DynamicSlice { sizes: ty.shape.clone() }, &operands, ty)
}

/// The elements `from`, `from + stride`, ... below `to` of `dim`.
pub(super) fn cut(
    b: &mut dyn LocalBuilder,
    value: ValueId,
    dim: usize,
    from: usize,
    to: usize,
    stride: usize,
) -> ValueId {
    let mut ty = tensor(b, value);
    if (from, to, stride) == (0, ty.shape[dim], 1) {
        return value;
    }
    let (mut start, mut limit, mut strides) = (vec![0; ty.rank()], ty.shape.clone(), vec![1; ty.rank()]);
    (start[dim], limit[dim], strides[dim]) = (from, to, stride);
    ty.shape[dim] = (to - from).div_ceil(stride);
    one(b, Slice { start, limit, stride: strides }, &[value], ty)
}

/// Zeros before and behind `dim`; negative numbers cut off.
pub(super) fn extended(b: &mut dyn LocalBuilder, value: ValueId, dim: usize, low: i64, high: i64) -> ValueId {
    if (low, high) == (0, 0) {
        return value;
    }
    let mut ty = tensor(b, value);
    let none = vec![0; ty.rank()];
    let zero = nothing(b, TensorType::scalar(ty.element));
    let mut edges = [none.clone(), none];
    (edges[0][dim], edges[1][dim]) = (low, high);
    ty.shape[dim] = (ty.shape[dim] as i64 + low + high) as usize;
    let [low, high] = edges;
    one(b, Pad { interior: vec![0; low.len()], low, high }, &[value, zero], ty)
}

/// What changes no sum that it is added to: of floats the negative zero, since -0 + 0 is 0. Floats of eight bits and
/// fewer need not have one.
pub(super) fn nothing(b: &mut dyn LocalBuilder, ty: TensorType) -> ValueId {
    let has_negative_zero =
        matches!(ty.element, ElementType::F16 | ElementType::Bf16 | ElementType::F32 | ElementType::F64);
    b.splat(ty, if has_negative_zero { -0.0 } else { 0.0 })
}

/// The values side by side along `dim`.
pub(super) fn joined(b: &mut dyn LocalBuilder, dim: usize, parts: &[ValueId]) -> ValueId {
    if let [only] = parts {
        return *only;
    }
    let mut ty = tensor(b, parts[0]);
    ty.shape[dim] = parts.iter().map(|part| tensor(b, *part).shape[dim]).sum();
    one(b, Concatenate { dim }, parts, ty)
}
