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
//! Which stacks these are says `ir::loops::added_stacks`, by which their memory is counted too. Each element is the same sum as before, bit for bit but for the sign of a zero.

use super::PassContext;
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::added_stacks;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn add_in_loops(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let stacks = added_stacks(context.reads());
    let begins = stacks.iter().map(|stack| ((stack.while_, stack.index), stack.added)).collect();
    let writes = stacks.iter().map(|stack| stack.write).collect();
    let sums = stacks.iter().map(|stack| (stack.sum, stack.result)).collect();
    (!stacks.is_empty()).then(|| each(body, AddInLoops { begins, writes, sums }))
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
