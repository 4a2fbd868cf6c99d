//! Concatenations of parts of values, read as one rearrangement each.
//!
//! Input: a body. Output: for each concatenation that reads through slices, reversals, concatenations along its dim and
//! cheap changes of single elements, the values that it is made of in the end, and the parts of them; and which
//! instructions nobody reads then. Inlining puts `meshwright.rearrange` in their place ([`crate::inline`]), because the
//! parts alone may lie on few of the devices that share the whole: cut out first and joined then, elements would move
//! twice, or all of them to all devices.
//!
//! A slice that lies in one part of a concatenation is a part of that.
//!
//! Example: `concatenate(slice %x [6:8], slice %x [0:6])` is the parts 6..8 and 0..6 of `%x`. In
//! `concatenate(negate(slice %x [4:8]), slice %x [0:4])` the first part is of `negate %x`.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::ops::rearrange::Rearrange;
use meshwright_ir::ops::shard_pieces::Part;
use meshwright_ir::program::{Body, Inst};
use meshwright_tensor::types::TensorType;

/// A value of more parts than this is not read through.
const MAX_PARTS: usize = 8;

/// A part is changed after it is taken; read through, the whole value is changed first, which may be this much larger.
const MAX_GROWTH: usize = 2;

/// A value of which parts are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// The value.
    pub(crate) value: ValueId,
    /// The changes of its single elements, in order.
    pub(crate) changes: Vec<InstId>,
}

/// What becomes of the instructions of a body.
#[derive(Default)]
pub(crate) struct Rearranged {
    /// The concatenations that are rearrangements, and of what.
    pub(crate) joins: BTreeMap<InstId, (Rearrange, Vec<Taken>)>,
    /// The instructions that are left out.
    pub(crate) unread: BTreeSet<InstId>,
}

/// A part of a value along the dim of the value that is made of it.
#[derive(Clone)]
struct Piece {
    of: Taken,
    start: usize,
    len: usize,
    is_reversed: bool,
}

/// A value as parts of others side by side.
#[derive(Clone)]
struct Made {
    dim: usize,
    pieces: Vec<Piece>,
}

impl Rearranged {
    /// Reads a body.
    pub(crate) fn of(body: &Body) -> Self {
        let order = body.walk(body.entry());
        let region_of = body.region_of();
        // Only what the same region makes is read through: a loop does not repeat what was done before it.
        let mut made_in: BTreeMap<RegionId, BTreeMap<ValueId, Made>> = BTreeMap::new();
        let mut rearranged = Self::default();
        for id in &order {
            let inst = &body.insts[*id];
            let made = made_in.entry(region_of[*id]).or_default();
            let Some(found) = read(body, *id, made) else { continue };
            let [result] = inst.results[..] else { continue };
            let reads_through =
                |operand: &ValueId| made.get(operand).is_some_and(|made| made.dim == found.dim);
            let is_join = inst.operands.len() > 1 && inst.operands.iter().any(reads_through);
            // One part of what was put together is a part of what that was made of.
            let is_cut = inst.op.as_rearrangement(&body.view(*id)).is_some()
                && found.pieces.len() == 1
                && inst
                    .operands
                    .iter()
                    .any(|operand| made.get(operand).is_some_and(|of| of.pieces.len() > 1))
                && inst.operands.iter().all(reads_through);
            if is_join || is_cut {
                rearranged.joins.insert(*id, join(&found));
            }
            // What says something of its own, such as a sharding, is not read through.
            if inst.attributes.is_empty() {
                made.insert(result, found);
            }
        }
        if !rearranged.joins.is_empty() {
            let made = made_in.into_values().flatten().collect();
            rearranged.leave_out(body, &order, &made);
        }
        rearranged
    }

    /// Finds the instructions that only the new rearrangements read through.
    fn leave_out(&mut self, body: &Body, order: &[InstId], made: &BTreeMap<ValueId, Made>) {
        let mut before = Table::filled(false, body.values.len());
        let operands = order.iter().flat_map(|id| &body.insts[*id].operands);
        operands.for_each(|operand| before[*operand] = true);
        let mut is_read = Table::filled(false, body.values.len());
        for id in order.iter().rev() {
            let inst = &body.insts[*id];
            let is_unread = |value: &ValueId| made.contains_key(value) && before[*value] && !is_read[*value];
            if !inst.results.is_empty() && inst.results.iter().all(is_unread) {
                self.unread.insert(*id);
                continue;
            }
            match self.joins.get(id) {
                Some((_, taken)) => taken.iter().for_each(|taken| is_read[taken.value] = true),
                None => inst.operands.iter().for_each(|operand| is_read[*operand] = true),
            }
        }
        self.joins.retain(|id, _| !self.unread.contains(id));
    }
}

/// What an instruction makes, if that is parts of values along one dim.
fn read(body: &Body, id: InstId, made: &BTreeMap<ValueId, Made>) -> Option<Made> {
    let inst = &body.insts[id];
    let [result] = inst.results[..] else { return None };
    let shape = &body.ty(result).as_tensor()?.shape;
    let first = *inst.operands.first()?;
    let Some(own) = inst.op.as_rearrangement(&body.view(id)) else {
        return changed(body, inst, id, made.get(&first)?, shape);
    };
    let mut pieces = Vec::new();
    for part in &own.parts {
        let operand = inst.operands[part.operand];
        let of = parts_of(operand, body.ty(operand).as_tensor()?, own.dim, made).sub(part.start, part.len);
        pieces.extend(if part.is_reversed { of.reversed().pieces } else { of.pieces });
    }
    (1..=MAX_PARTS).contains(&pieces.len()).then_some(Made { dim: own.dim, pieces })
}

/// A change of single elements of what is made of parts, each of which is most of its value.
fn changed(body: &Body, inst: &Inst, id: InstId, of: &Made, shape: &[usize]) -> Option<Made> {
    let is_change = inst.op.is_elementwise() && inst.operands.len() == 1 && !inst.op.has_side_effects();
    let keeps_shape = body.ty(inst.operands[0]).as_tensor().is_some_and(|ty| ty.shape == shape);
    if !is_change || !keeps_shape || !inst.attributes.is_empty() || !inst.regions.is_empty() {
        return None;
    }
    let mut of = of.clone();
    for piece in &mut of.pieces {
        let size = body.ty(piece.of.value).as_tensor()?.shape.get(of.dim).copied()?;
        if size > piece.len.saturating_mul(MAX_GROWTH) || !piece.of.changes.is_empty() {
            return None;
        }
        piece.of.changes.push(id);
    }
    Some(of)
}

/// A value as parts along `dim`: what it is made of, or itself.
fn parts_of(value: ValueId, ty: &TensorType, dim: usize, made: &BTreeMap<ValueId, Made>) -> Made {
    if let Some(made) = made.get(&value).filter(|made| made.dim == dim) {
        return made.clone();
    }
    let of = Taken { value, changes: Vec::new() };
    Made { dim, pieces: vec![Piece { of, start: 0, len: ty.shape[dim], is_reversed: false }] }
}

impl Made {
    /// The positions `start..start + len`.
    fn sub(&self, start: usize, len: usize) -> Self {
        let mut pieces = Vec::new();
        let mut first = 0;
        for piece in &self.pieces {
            let (low, high) = (start.max(first), (start + len).min(first + piece.len));
            if low < high {
                let skipped = if piece.is_reversed { first + piece.len - high } else { low - first };
                pieces.push(Piece { start: piece.start + skipped, len: high - low, ..piece.clone() });
            }
            first += piece.len;
        }
        Self { dim: self.dim, pieces }
    }

    fn reversed(&self) -> Self {
        let turned = |piece: &Piece| Piece { is_reversed: !piece.is_reversed, ..piece.clone() };
        Self { dim: self.dim, pieces: self.pieces.iter().rev().map(turned).collect() }
    }
}

/// The rearrangement, and of what.
fn join(made: &Made) -> (Rearrange, Vec<Taken>) {
    let mut taken: Vec<Taken> = Vec::new();
    let mut parts: Vec<Part> = Vec::new();
    for piece in &made.pieces {
        let operand = taken.iter().position(|other| *other == piece.of).unwrap_or_else(|| {
            taken.push(piece.of.clone());
            taken.len() - 1
        });
        parts.push(Part { operand, start: piece.start, len: piece.len, is_reversed: piece.is_reversed });
    }
    (Rearrange { dim: made.dim, parts }, taken)
}
