//! Masks that all slices have as a whole.
//!
//! Input: a value that no slice cuts, and the dims along which queries and keys lie. Output: what it is where the key is of a
//! later slice than the query, and where both are of one token.

use super::Sequence;
use super::unseen::{Own, Unseen, elementwise};
use crate::attention::Positions;
use meshwright_ir::ids::ValueId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::program::{Body, Def};

/// Deepest chain of masks that is followed.
const DEPTH: usize = 16;

/// What masks are asked of.
#[derive(Clone, Copy)]
pub(super) struct Masks<'a> {
    pub(super) body: &'a Body,
    pub(super) sequence: &'a Sequence<'a>,
    pub(super) positions: &'a Positions<'a>,
    /// Number of slices.
    pub(super) count: usize,
}

impl Masks<'_> {
    /// What a value that all slices have is where the key, along the second of two dims, is of a later slice than the query
    /// along the first; and where both are of the same token.
    pub(super) fn unseen(&self, value: ValueId, dims: Option<(usize, usize)>) -> (Unseen, Own) {
        self.within(value, dims, DEPTH)
    }

    fn within(&self, value: ValueId, dims: Option<(usize, usize)>, depth: usize) -> (Unseen, Own) {
        let known = || {
            let may_hide = (self.sequence.is_data)(value) && self.body.tensor(value).element.bits() > 1;
            (Unseen::True, if may_hide { Own::Hidden } else { Own::Ordinary })
        };
        let (Some((queries, keys)), true) = (dims, depth > 0) else {
            let both = |number| (Unseen::Number(number), Own::Number(number));
            return self.positions.number(value).map_or_else(known, both);
        };
        let shape = &self.body.tensor(value).shape;
        if shape[queries] != shape[keys] || !shape[queries].is_multiple_of(self.count) {
            return known();
        }
        if let Some(found) = self.positions.by_difference(value, queries, keys) {
            // A key of a later slice is at least one token behind its query.
            let unseen = found.between(1 - shape[keys] as i64, -1).map_or(Unseen::True, Unseen::Number);
            return (unseen, found.between(0, 0).map_or(Own::Hidden, Own::Number));
        }
        let Def::Result(inst, _) = self.body.values[value].def else { return known() };
        let view = self.body.view(inst);
        let operands = &view.inst.operands;
        let of =
            |operand: usize, dims: Option<(usize, usize)>| self.within(operands[operand], dims, depth - 1);
        match &view.inst.op {
            Op::BroadcastInDim(op) => {
                let at = |dim: usize| op.dims.iter().position(|to| *to == dim);
                of(0, at(queries).zip(at(keys)))
            }
            Op::Transpose(op) => of(0, Some((op.permutation[queries], op.permutation[keys]))),
            _ if view.inst.op.traits().is_elementwise && view.inst.results.len() == 1 => {
                let (unseen, own): (Vec<Unseen>, Vec<Own>) =
                    (0..operands.len()).map(|operand| of(operand, dims)).unzip();
                let own = match &view.inst.op {
                    Op::Compare(op) if self.positions.is_same(operands[0], operands[1], (queries, keys)) => {
                        use Direction::{Equal, GreaterEqual, LessEqual};
                        Own::Number(f64::from(matches!(op.direction, Equal | GreaterEqual | LessEqual)))
                    }
                    _ => Own::elementwise(&view, &own),
                };
                (elementwise(&view, &unseen, false), own)
            }
            _ => known(),
        }
    }
}
