//! What a loop stacks from zero, to be added behind, is added in the loop: gradients of layers, which microbatches add up.
//!
//! Input: a `while` that writes a part of a stack of zeros in each turn, parts that do not overlap, and behind it the one sum
//! that reads the stack. Output: a loop that begins with what is added, and adds each part where it writes it. The stack is no
//! second copy of what is added up, and nothing goes through memory once more:
//!
//! ```text
//! %r = while(%s = %zeros) {                       %r = while(%s = %acc) {
//!   %t = dynamic_update_slice %s, %part, %i   ->    %old = dynamic_slice %s, %i
//!   return %t                                       %t = dynamic_update_slice %s, (%old + %part), %i
//! }                                                 return %t
//! %sum = add %acc, %r                             }
//! ```
//!
//! Each element is the same sum as before, bit for bit but for the sign of a zero.

use super::PassContext;
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::{Scan, Way, scan};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::constant::is_splat_of;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn add_in_loops(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let loops = body.insts.ids().filter(|inst| matches!(body.insts[*inst].op, Op::While(_)));
    let stacks: Vec<Stack> = loops.flat_map(|inst| stacks_of(&body.view(inst), context)).collect();
    let begins = stacks.iter().map(|stack| ((stack.while_, stack.index), stack.added)).collect();
    let writes = stacks.iter().map(|stack| stack.write).collect();
    let sums = stacks.iter().map(|stack| (stack.sum, stack.result)).collect();
    (!stacks.is_empty()).then(|| each(body, AddInLoops { begins, writes, sums }))
}

/// A stack of zeros that a loop fills.
struct Stack {
    /// The loop.
    while_: InstId,
    /// Which carried value.
    index: usize,
    /// The write of a part.
    write: InstId,
    /// The full stack.
    result: ValueId,
    /// The sum behind the loop.
    sum: InstId,
    /// What the stack is added to there.
    added: ValueId,
}

fn stacks_of(view: &InstView<'_>, context: &PassContext<'_>) -> Vec<Stack> {
    let candidates: Vec<(usize, InstId, ValueId)> =
        (0..view.num_operands()).filter_map(|index| sum_behind(view, index, context)).collect();
    // Whether iterations are counted takes a look at the whole body.
    let Some(scan) = (!candidates.is_empty()).then(|| scan(*view)).flatten() else { return Vec::new() };
    let stack = |(index, sum, added)| {
        let write = only_write(&scan, index)?;
        Some(Stack { while_: view.id, index, write, result: view.inst.results[index], sum, added })
    };
    candidates.into_iter().filter_map(stack).collect()
}

/// The sum that alone reads a stack of zeros behind its loop, and what it adds, which is there before the loop and read by
/// nothing else.
fn sum_behind(
    view: &InstView<'_>,
    index: usize,
    context: &PassContext<'_>,
) -> Option<(usize, InstId, ValueId)> {
    let body = view.body;
    let result = view.inst.results[index];
    let &[(sum, position)] = context.uses(result) else { return None };
    let is_sum = matches!(body.insts[sum].op, Op::Binary(Binary::Add)) && context.are_together(sum, view.id);
    if !is_sum || !is_splat_of(view, index, 0.0) {
        return None;
    }
    let added = body.insts[sum].operands[1 - position];
    let is_free = context.num_uses(added) == 1 && is_before(body, added, view.id, context);
    is_free.then_some((index, sum, added))
}

/// Whether a value is there before an instruction, in the region in which that stands.
fn is_before(body: &Body, value: ValueId, inst: InstId, context: &PassContext<'_>) -> bool {
    let region = context.region(inst);
    match body.values[value].def {
        Def::Argument(own, _) => own == region,
        Def::Result(maker, _) => {
            let mut both = body.regions[region].insts.iter().filter(|own| **own == maker || **own == inst);
            context.region(maker) == region && both.next() == Some(&maker)
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

struct AddInLoops {
    /// What carried values begin with.
    begins: BTreeMap<(InstId, usize), ValueId>,
    /// The writes of parts.
    writes: BTreeSet<InstId>,
    /// The sums, and the results of loops that stand for them.
    sums: BTreeMap<InstId, ValueId>,
}

impl Edit for AddInLoops {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, _: RegionId) -> bool {
        let Some(stack) = self.sums.get(&view.id) else { return false };
        let stack = rewriter.value(*stack);
        rewriter.stand_for(view.inst.results[0], stack);
        true
    }

    fn operand(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        to: RegionId,
    ) -> Option<ValueId> {
        if let Some(added) = self.begins.get(&(view.id, index)) {
            return Some(rewriter.value(*added));
        }
        if index != 1 || !self.writes.contains(&view.id) {
            return None;
        }
        let ty = view.operand(1).clone();
        let operands: Vec<ValueId> =
            view.inst.operands.iter().map(|operand| rewriter.value(*operand)).collect();
        let stack_and_starts = [&operands[..1], &operands[2..]].concat();
        let mut builder = rewriter.build(to, view.inst.span);
        let old = builder.emit(DynamicSlice { sizes: ty.shape.clone() }, &stack_and_starts, ty);
        Some(builder.binary(Binary::Add, old, operands[1]))
    }
}
