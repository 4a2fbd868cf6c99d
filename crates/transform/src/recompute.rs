//! Recomputation: what the backward pass reads of the forward pass is made again for it, instead of being kept.
//!
//! Input: a function, and for each value that is made again the reader with which the readers begin that read it so.
//! Output: a function that computes the same, in which copies of instructions of the forward pass stand in front of these
//! readers.
//!
//! - Such a reader may be an instruction that runs again itself: what it reads is made again for its second run.
//! - A copy stands directly in front of the first that needs it, and all readers from there on share it.
//! - Copies that read one another form a group. Whatever else a group reads goes through one `optimization_barrier`, with
//!   an operand of the reader in front of which the group begins: the one that is made last, a cotangent, or of a large one
//!   what it was made of. So no compiler can merge copies with what they are copies of, or make them before the backward
//!   pass has come there.
//! - Arguments and what is made of constants are there anyway and stay in front of the barrier, unless a copy reads nothing
//!   else.
//! - What is no longer read in the forward pass runs only where it is made again.
//! - Of two loops over layers, of which one stacks what the other reads ([`Pair`]), the bodies are one layer behind the
//!   other ([`Line`]): copies of instructions of the forward body stand in the backward body. What they read is there
//!   (parameters), or it is stacked; stacks that nobody reads are gone.
//!
//! ```text
//! %h = tanh %x                            %h = tanh %x
//! %y = multiply %h, %w                    %y = multiply %h, %w
//! ...                                     ...
//!                                         %b:2 = optimization_barrier %dy, %x
//!                                         %h' = tanh %b#1
//! %dw = multiply %dy, %h                  %dw = multiply %b#0, %h'
//! ```

mod carry;
mod equal;
mod layer;
mod line;
mod pair;
mod plan;

pub use line::Line;
pub use pair::{Link, Pair, pairs};

use crate::made::Made;
use crate::normal::{Barriers, Normal, needed, normal};
use crate::passes::Flat;
use carry::Open;
use layer::Layer;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::optimization_barrier::OptimizationBarrier;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Rewritten, rewritten};
use plan::Plan;
use std::collections::BTreeMap;

/// Values that are made again, each with the reader with which those begin that read it so.
pub type MadeAgain = BTreeMap<ValueId, InstId>;

impl Flat {
    /// The same function in which these values are made again. Left out are those with side effects, and those of which
    /// the reader does not read them.
    #[must_use]
    pub fn recomputed(&self, again: &MadeAgain) -> Self {
        self.written(Copying::new(&self.function.body, again, pairs(&self.function.body)))
    }

    /// Those of these uses that are none: nothing would be made again for them.
    pub fn not_made_again(&self, again: &MadeAgain) -> MadeAgain {
        let body = &self.function.body;
        let mut lines = vec![Line::of_entry(body)];
        lines.extend(pairs(body).iter().map(|pair| Line::of_pair(body, pair)));
        let is_use = |value: ValueId, reader: InstId| lines.iter().any(|line| line.is_use(value, reader));
        let not = again.iter().filter(|(value, reader)| !is_use(**value, **reader));
        not.map(|(value, reader)| (*value, *reader)).collect()
    }

    /// The same function in which nothing is made again: its barriers are gone ([`normal`]), what stood behind them is made
    /// once, and what a backward loop made again of the stacks of a forward loop is stacked itself.
    #[must_use]
    pub fn kept(&self) -> Self {
        let Normal { function, trace, .. } = normal(&self.function, Barriers::Dropped);
        let flat = Self::of_made(self, Made { function, trace });
        let mut pairs = pairs(&flat.function.body);
        for pair in &mut pairs {
            pair.equal = equal::equal(&flat.function.body, pair);
        }
        flat.written(Copying::new(&flat.function.body, &MadeAgain::new(), pairs))
    }

    fn written(&self, mut copying: Copying<'_>) -> Self {
        let has_layers = !copying.layers.is_empty();
        let flat = self.behind(rewritten(&self.function.body, &mut copying));
        if has_layers { flat.behind(needed(&flat.function.body)) } else { flat }
    }

    fn behind(&self, made: Rewritten) -> Self {
        Self::of_made(self, Made::of(&self.function, made))
    }
}

/// A body being copied.
struct Copying<'a> {
    /// That of the function's own region, then those of the layers.
    plans: Vec<Plan<'a>>,
    layers: Vec<Layer>,
    /// New stacks of values, in the new body.
    stacks: BTreeMap<ValueId, ValueId>,
    /// Bodies that are being written, the innermost last.
    open: Vec<Open>,
    /// What comes out of the barrier of each group for what goes in.
    barriers: BTreeMap<InstId, BTreeMap<ValueId, ValueId>>,
    /// What readers in front of which groups begin read behind their barriers.
    behind: BTreeMap<(InstId, ValueId), ValueId>,
}

impl Edit for Copying<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        for index in 0..self.plans.len() {
            for inst in self.plans[index].in_front_of(view.id).to_vec() {
                self.make_again(rewriter, index, inst, view.id, to);
            }
        }
        self.plans.iter().any(|plan| plan.is_moved(view.id))
            || self.is_left_out(rewriter, view)
            || self.carries(rewriter, view, to)
            || (matches!(view.inst.op, Op::Return(_)) && self.returns(rewriter, view, to))
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

impl<'a> Copying<'a> {
    fn new(body: &'a Body, again: &MadeAgain, pairs: Vec<Pair>) -> Self {
        let mut plans = vec![Plan::new(Line::of_entry(body), again)];
        let mut layers = Vec::new();
        for pair in pairs {
            let plan = Plan::new(Line::of_pair(body, &pair), again);
            if !plan.again().is_empty() || !pair.equal.is_empty() {
                layers.push(Layer::new(pair, &plan));
                plans.push(plan);
            }
        }
        let (stacks, barriers, behind) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { plans, layers, stacks, open: Vec::new(), barriers, behind }
    }

    /// Leaves out what writes or reads a stack for nobody: the stack stays as it is.
    fn is_left_out(&self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>) -> bool {
        let is_left_out = self.layers.iter().any(|layer| layer.left_out.contains(&view.id));
        if is_left_out && matches!(view.inst.op, Op::DynamicUpdateSlice(_)) {
            let stack = rewriter.value(view.inst.operands[0]);
            rewriter.stand_for(view.inst.results[0], stack);
        }
        is_left_out
    }

    fn make_again(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        plan: usize,
        inst: InstId,
        reader: InstId,
        to: RegionId,
    ) {
        let group = self.plans[plan].group(inst);
        if !self.barriers.contains_key(&group) {
            let barrier = self.barrier(rewriter, plan, inst, reader, to);
            self.barriers.insert(group, barrier);
        }
        let plan = &self.plans[plan];
        let through = &self.barriers[&group];
        let body: &Body = rewriter.from;
        let operand = |value: &ValueId| match through.get(value) {
            Some(behind) if !plan.is_made_for(*value, inst) => *behind,
            _ => rewriter.value(*value),
        };
        let operands = body.insts[inst].operands.iter().map(operand).collect();
        rewriter.append_again(inst, operands, to);
        let results = &body.insts[inst].results;
        for (value, is) in plan.line.others().filter(|(_, is)| results.contains(is)) {
            let made = rewriter.value(is);
            rewriter.stand_for(value, made);
        }
    }

    /// The barrier in front of a group that begins with `inst`, in front of `reader`.
    fn barrier(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        plan: usize,
        inst: InstId,
        reader: InstId,
        to: RegionId,
    ) -> BTreeMap<ValueId, ValueId> {
        let plan = &self.plans[plan];
        let kept = plan.kept(inst);
        if kept.is_empty() {
            return BTreeMap::new();
        }
        let cotangent = plan.cotangent(reader, &kept).filter(|value| !kept.contains(value));
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
