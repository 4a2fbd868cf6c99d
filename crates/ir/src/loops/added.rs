//! Stacks that a loop fills from zero, to be added to something behind it: gradients of layers, which microbatches add up.
//!
//! Input: a body, with its uses and the region of each instruction. Output: an [`AddedStack`] for each: a `while` that
//! writes a part of a stack of zeros in each turn, parts that do not overlap, and behind it the one sum that reads the stack.
//! Such a loop may begin with what is added, and add each part where it writes it; then the stack is no second copy.

use super::stacks::{Scan, Way, scan};
use crate::ids::{InstId, RegionId, Table, ValueId};
use crate::op::Op;
use crate::ops::binary::Binary;
use crate::ops::constant::is_splat_of;
use crate::program::{Body, Def, InstView};

/// A stack of zeros that a loop fills, and that is added to something behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddedStack {
    /// The loop.
    pub while_: InstId,
    /// Which carried value.
    pub index: usize,
    /// The write of a part.
    pub write: InstId,
    /// The full stack.
    pub result: ValueId,
    /// The sum behind the loop.
    pub sum: InstId,
    /// What the stack is added to there.
    pub added: ValueId,
}

/// A body, with who reads what in it and where instructions stand.
#[derive(Clone, Copy, Debug)]
pub struct Reads<'a> {
    /// The body.
    pub body: &'a Body,
    /// Which instructions read each value, as which of their operands.
    pub uses: &'a Table<ValueId, Vec<(InstId, usize)>>,
    /// The region in which each instruction stands.
    pub region_of: &'a Table<InstId, RegionId>,
}

/// All such stacks of a body, in the order of its instructions.
pub fn added_stacks(reads: Reads<'_>) -> Vec<AddedStack> {
    let body = reads.body;
    let loops = body.insts.ids().filter(|inst| matches!(body.insts[*inst].op, Op::While(_)));
    loops.flat_map(|inst| stacks_of(&body.view(inst), reads)).collect()
}

fn stacks_of(view: &InstView<'_>, reads: Reads<'_>) -> Vec<AddedStack> {
    let candidates: Vec<(usize, InstId, ValueId)> =
        (0..view.num_operands()).filter_map(|index| sum_behind(view, index, reads)).collect();
    // Whether iterations are counted takes a look at the whole body.
    let Some(scan) = (!candidates.is_empty()).then(|| scan(*view)).flatten() else { return Vec::new() };
    let stack = |(index, sum, added)| {
        let write = only_write(&scan, index)?;
        Some(AddedStack { while_: view.id, index, write, result: view.inst.results[index], sum, added })
    };
    candidates.into_iter().filter_map(stack).collect()
}

/// The sum that alone reads a stack of zeros behind its loop, and what it adds, which is there before the loop and read by
/// nothing else.
fn sum_behind(view: &InstView<'_>, index: usize, reads: Reads<'_>) -> Option<(usize, InstId, ValueId)> {
    let Reads { body, uses, region_of } = reads;
    let result = view.inst.results[index];
    let &[(sum, position)] = uses[result].as_slice() else { return None };
    let is_sum =
        matches!(body.insts[sum].op, Op::Binary(Binary::Add)) && region_of[sum] == region_of[view.id];
    if !is_sum || !is_splat_of(view, index, 0.0) {
        return None;
    }
    let added = body.insts[sum].operands[1 - position];
    let is_free = uses[added].len() == 1 && is_before(added, view.id, reads);
    is_free.then_some((index, sum, added))
}

/// Whether a value is there before an instruction, in the region in which that stands.
fn is_before(value: ValueId, inst: InstId, Reads { body, region_of, .. }: Reads<'_>) -> bool {
    let region = region_of[inst];
    match body.values[value].def {
        Def::Argument(own, _) => own == region,
        Def::Result(maker, _) => {
            let mut both = body.regions[region].insts.iter().filter(|own| **own == maker || **own == inst);
            region_of[maker] == region && both.next() == Some(&maker)
        }
    }
}

/// The write that is all that a loop does with a stack, of parts that do not overlap.
fn only_write(scan: &Scan, index: usize) -> Option<InstId> {
    let mut accesses = scan.accesses.iter().filter(|access| access.carried == Some(index));
    let (first, second) = (accesses.next()?, accesses.next());
    let parts = usize::try_from(first.at.factor.unsigned_abs()).ok()?;
    (second.is_none() && first.way == Way::Write && first.size <= parts).then_some(first.inst)
}
