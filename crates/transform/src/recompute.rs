//! Recomputation: what the backward pass reads of the forward pass is made again for it, instead of being kept.
//!
//! Input: a function, and for each value that is made again the reader with which the readers begin that read it so.
//! Output: a function that computes the same, in which copies of instructions of the forward pass stand in front of these
//! readers.
//!
//! - Such a reader may be an instruction that runs again itself: what it reads is made again for its second run.
//! - A copy stands directly in front of the first that needs it, and all readers from there on share it.
//! - Copies that read one another form a group. Whatever else a group reads goes through one `optimization_barrier`, with
//!   an operand of the reader in front of which the group begins: the one that is made last, a cotangent. So no compiler
//!   can merge copies with what they are copies of, or make them before the backward pass has come there.
//! - Arguments and what is made of constants are there anyway and stay in front of the barrier, unless a copy reads nothing
//!   else.
//! - What is no longer read in the forward pass runs only where it is made again.
//!
//! ```text
//! %h = tanh %x                            %h = tanh %x
//! %y = multiply %h, %w                    %y = multiply %h, %w
//! ...                                     ...
//!                                         %b:2 = optimization_barrier %dy, %x
//!                                         %h' = tanh %b#1
//! %dw = multiply %dy, %h                  %dw = multiply %b#0, %h'
//! ```

mod plan;

use crate::passes::Flat;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::ops::optimization_barrier::OptimizationBarrier;
use meshwright_ir::program::{Body, Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Rewritten, rewritten};
use plan::Plan;
use std::collections::BTreeMap;

/// Values that are made again, each with the reader with which those begin that read it so.
pub type MadeAgain = BTreeMap<ValueId, InstId>;

/// The function in which these values are made again. Left out are those with side effects, and those of which the reader
/// does not read them or does not stand in the function's own region.
#[must_use]
pub fn recompute(function: &Function, again: &MadeAgain) -> Rewritten {
    let plan = Plan::new(&function.body, again);
    let mut copying = Copying { plan, barriers: BTreeMap::new(), behind: BTreeMap::new() };
    rewritten(&function.body, &mut copying)
}

impl Flat {
    /// The same function in which these values are made again.
    #[must_use]
    pub fn recomputed(&self, again: &MadeAgain) -> Self {
        let Rewritten { body, trace, .. } = recompute(&self.function, again);
        let origins = self.origins.behind(&trace, &body);
        Self { function: Function { body, ..self.function.clone() }, origins }
    }
}

/// A body being copied.
struct Copying<'a> {
    plan: Plan<'a>,
    /// What comes out of the barrier of each group for what goes in.
    barriers: BTreeMap<usize, BTreeMap<ValueId, ValueId>>,
    /// What readers in front of which groups begin read behind their barriers.
    behind: BTreeMap<(InstId, ValueId), ValueId>,
}

impl Edit for Copying<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        for inst in self.plan.in_front_of(view.id).to_vec() {
            self.make_again(rewriter, inst, view.id, to);
        }
        self.plan.is_moved(view.id)
    }

    fn operand(
        &mut self,
        _: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        _: RegionId,
    ) -> Option<ValueId> {
        self.behind.get(&(view.id, view.inst.operands[index])).copied()
    }
}

impl Copying<'_> {
    fn make_again(&mut self, rewriter: &mut Rewriter<'_>, inst: InstId, reader: InstId, to: RegionId) {
        let group = self.plan.group(inst);
        if !self.barriers.contains_key(&group) {
            let barrier = self.barrier(rewriter, inst, reader, to);
            self.barriers.insert(group, barrier);
        }
        let through = &self.barriers[&group];
        let body: &Body = rewriter.from;
        let operand = |value: &ValueId| match through.get(value) {
            Some(behind) if !self.plan.is_made_for(*value, inst) => *behind,
            _ => rewriter.value(*value),
        };
        let operands = body.insts[inst].operands.iter().map(operand).collect();
        rewriter.append_again(inst, operands, to);
    }

    /// The barrier in front of a group that begins with `inst`, in front of `reader`.
    fn barrier(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        inst: InstId,
        reader: InstId,
        to: RegionId,
    ) -> BTreeMap<ValueId, ValueId> {
        let kept = self.plan.kept(inst);
        if kept.is_empty() {
            return BTreeMap::new();
        }
        let cotangent = self.plan.cotangent(reader).filter(|value| !kept.contains(value));
        let values: Vec<ValueId> = cotangent.into_iter().chain(kept).collect();
        let operand = |value: &ValueId| match self.behind.get(&(reader, *value)) {
            Some(behind) if Some(*value) == cotangent => *behind,
            _ => rewriter.value(*value),
        };
        let operands: Vec<ValueId> = values.iter().map(operand).collect();
        let types = values.iter().map(|value| rewriter.from.ty(*value).clone()).collect();
        let results = rewriter.on_behalf_of(None, |rewriter| {
            rewriter.append_for(inst, OptimizationBarrier.into(), operands, types, to)
        });
        let mut through: BTreeMap<ValueId, ValueId> = values.into_iter().zip(results).collect();
        if let Some((cotangent, behind)) = cotangent.and_then(|value| through.remove_entry(&value)) {
            self.behind.insert((reader, cotangent), behind);
        }
        through
    }
}
