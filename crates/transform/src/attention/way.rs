//! Ways of the forward call's results to the call for the gradient.
//!
//! Where both run one after the other, the values are there. Where layers are in loops, the loop of the forward pass
//! stacks the sums and the output beside what it stacks already, and the loop of the gradient reads one part of each in
//! every turn. Where that cannot be, the gradient computes them again.

use super::matched::Attention;
use super::reader::Known;
use meshwright_ir::build::Builder;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::dynamic_update_slice::DynamicUpdateSlice;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_tensor::types::{ElementType, TensorType};

/// How the gradient gets what the forward call has computed.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// It is there.
    Direct,
    /// Through stacks.
    Stacked(Stacked),
    /// By a forward call of its own.
    Again,
}

/// Stacks that one loop makes and another reads.
#[derive(Clone, Debug)]
pub(super) struct Stacked {
    pub(super) made_by: InstId,
    pub(super) read_by: InstId,
    /// Number of turns.
    pub(super) count: usize,
    /// Where each turn writes.
    pub(super) write_index: ValueId,
    /// Where each turn of the other loop reads.
    pub(super) read_index: ValueId,
}

/// What a loop does with stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Makes,
    Reads,
}

impl Way {
    /// The way from one instruction to another.
    pub(super) fn between(
        known: &Known<'_>,
        attention: &Attention,
        forward: InstId,
        backward: InstId,
    ) -> Self {
        if attention.outputs.is_empty() || known.encloses(forward, backward) {
            return Self::Direct;
        }
        let (Some(made_by), Some(read_by)) = (known.around(forward), known.around(backward)) else {
            return Self::Again;
        };
        let has_shardings = |id: InstId| known.body.insts[id].attributes.get("sdy.sharding").is_some();
        let are_alike = known.region_of[made_by] == known.region_of[read_by];
        if !are_alike || has_shardings(made_by) || has_shardings(read_by) {
            return Self::Again;
        }
        let read = known.links.parts.iter().find(|part| {
            part.stack.of == made_by
                && known.around(part.read) == Some(read_by)
                && known.is_there(part.index, backward)
        });
        let Some(part) = read else { return Self::Again };
        let whole = known.body.insts[part.stack.write].results[0];
        let Some(count) = known.ty(whole).map(|ty| ty.shape[part.stack.dim]) else { return Self::Again };
        let (write_index, read_index) = (part.stack.index, part.index);
        Self::Stacked(Stacked { made_by, read_by, count, write_index, read_index })
    }
}

impl Attention {
    /// Types of what the gradient needs of the forward call: the sums, the output as queries are arranged, and the share of
    /// the sink, where that has a gradient.
    pub(super) fn kept_types(&self) -> Vec<TensorType> {
        let rows = self.ty(&self.output_dims()[..3], ElementType::F32);
        let output = self.ty(&super::places::output_groups(self), self.element);
        let share = self.has_sink_gradient().then(|| rows.clone());
        [rows, output].into_iter().chain(share).collect()
    }
}

/// A stack of so many parts, all zero.
pub(super) fn empty(b: &mut impl Builder, count: usize, part: &TensorType) -> ValueId {
    b.splat(TensorType::new([&[count], &part.shape[..]].concat(), part.element), 0.0)
}

/// The part of a stack at an index.
pub(super) fn part(b: &mut impl Builder, stack: ValueId, index: ValueId) -> ValueId {
    let ty = b.ty(stack);
    let sizes = [&[1], &ty.shape[1..]].concat();
    let starts = starts(b, index, ty.rank());
    let part = TensorType::new(sizes.clone(), ty.element);
    let part = b.emit(DynamicSlice { sizes }, &[&[stack], &starts[..]].concat(), part);
    b.emit(Reshape, &[part], TensorType::new(&ty.shape[1..], ty.element))
}

/// A stack with a part put in at an index.
pub(super) fn put(b: &mut impl Builder, stack: ValueId, part: ValueId, index: ValueId) -> ValueId {
    let (ty, own) = (b.ty(stack), b.ty(part));
    let starts = starts(b, index, ty.rank());
    let part = b.emit(Reshape, &[part], TensorType::new([&[1], &own.shape[..]].concat(), own.element));
    b.emit(DynamicUpdateSlice, &[&[stack, part], &starts[..]].concat(), ty)
}

/// The index along the first dim, and zeros.
fn starts(b: &mut impl Builder, index: ValueId, rank: usize) -> Vec<ValueId> {
    let ty = b.ty(index);
    let zero = b.splat(ty, 0.0);
    let mut starts = vec![zero; rank];
    starts[0] = index;
    starts
}
