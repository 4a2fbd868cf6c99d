//! Stacks that loops fill and that are added to something behind: they lie where that does.
//!
//! Input: a sweep whose tensors have their bytes. Output: none for what the pass `add-in-loops` over local programs never
//! makes.

use super::{Sweep, is_donated};
use crate::lowering::{BufferId, Event};
use meshwright_ir::ids::{Id, InstId, ValueId};
use meshwright_ir::loops::AddedStack;
use std::collections::BTreeSet;

impl Sweep<'_> {
    /// A stack that a loop fills and that is added to something behind it lies where that does, if each device adds what it
    /// holds of both: the parts are added in the loop (`add-in-loops` of the passes over local programs).
    pub(super) fn share_what_is_added_in_loops(&mut self) {
        let stacks = self.analysis.added_stacks();
        if stacks.is_empty() {
            return;
        }
        let body = &self.analysis.function.body;
        // Which of their instructions read shards as they are made.
        let mut direct: BTreeSet<InstId> = BTreeSet::new();
        for event in &self.lowering.events {
            let Event::Compute { inst, reads, .. } = event else { continue };
            let operands = body.insts[*inst].operands.iter().map(|operand| operand.index());
            if self.lowering.buffers_in(reads).iter().copied().eq(operands) {
                direct.insert(*inst);
            }
        }
        // An argument that is the caller's stays as it is: a loop that begins with it has a copy.
        let function = self.analysis.function;
        let may_be_written = |value: ValueId| {
            function.argument_index(value).is_none_or(|index| is_donated(function, index, self.lowering))
        };
        // Where shards cut the dim along which parts lie, no device writes each of them.
        let holds_all_parts = |stack: &AddedStack| {
            let view = body.view(stack.write);
            let parts = view.operand(0).shape.iter().zip(&view.operand(1).shape);
            let sharding = &self.lowering.shardings.values[stack.result];
            parts.zip(&sharding.dims).all(|((whole, part), dim)| whole == part || dim.axes.is_empty())
        };
        let begins_with = |stack: &&AddedStack| {
            [stack.sum, stack.write].iter().all(|inst| direct.contains(inst))
                && self.bytes[stack.result.index()] > 0
                && may_be_written(stack.added)
                && holds_all_parts(stack)
        };
        let stacks: Vec<&AddedStack> = stacks.iter().filter(begins_with).collect();
        // Zeros that nothing else reads are never made, nor what brings them to where a loop begins with them.
        let begins: BTreeSet<(InstId, usize)> =
            stacks.iter().map(|stack| (stack.while_, stack.index)).collect();
        let (mut zeros, mut others) = (BTreeSet::new(), BTreeSet::new());
        for event in self.lowering.events.iter().rev() {
            let (reads, makes) = self.lowering.accesses(event);
            let is_zero = |made: &BufferId| zeros.contains(made) && !others.contains(made);
            // Zeros are contributions as they are; what cuts them is made.
            let brings_zeros = match event {
                Event::Reshard(reshard) => {
                    reshard.from.dim_axes().eq(reshard.to.dim_axes()) && makes.iter().all(is_zero)
                }
                _ => false,
            };
            let begins_with = |index: usize| {
                matches!(event, Event::Enter { .. }) && begins.contains(&(event.inst(), index))
            };
            for (index, read) in reads.iter().enumerate() {
                let own = if brings_zeros || begins_with(index) { &mut zeros } else { &mut others };
                own.insert(*read);
            }
        }
        zeros.difference(&others).for_each(|zeros| self.bytes[*zeros] = 0);
        for stack in stacks {
            let own = &body.insts[stack.while_];
            let carried = own.regions.iter().map(|region| body.regions[*region].args[stack.index]);
            let all = carried.chain([body.insts[stack.write].results[0], stack.result]);
            all.for_each(|value| self.bytes[value.index()] = 0);
        }
    }
}
