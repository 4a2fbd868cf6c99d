//! Statistics of one microbatch: what is put together from the whole batch and read again for each example is estimated
//! from the examples of the own microbatch instead.
//!
//! Input: a function, its [`TimeAxis`], and which values may change their meaning so. Output: [`Local`], a function that
//! computes the same as long as its batch is whole, in which such sums have a second reading of their own, the *estimate*,
//! and what leads from there back to examples is computed from it. What is read behind the loop over microbatches, such as
//! a gradient or a running mean, is still put together from all of them.
//!
//! ```text
//! %sum = sum of %x over the batch          %sum = sum of %x over the batch
//! %mean = %sum / 64                        %estimate = %sum * 1
//! %y = %x - %mean                          %mean' = %estimate / 64;  %y = %x - %mean'
//! ```
//!
//! Time reads an estimate from the contribution of one microbatch: of `n`, it is `n` times that of a sum, and just that of a
//! maximum or minimum. What is made of the batch as a whole, such as of all pairs of examples, is not estimated. So a mean over the batch becomes the mean over a microbatch, without a look at what divides it.

use crate::made::Made;
use crate::normal::needed;
use crate::time::{InTime, TimeAxis};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::DataFlow;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::program::{Body, Function, InstView, Regions};
use meshwright_ir::rewrite::{Edit, Rewriter, Rewritten, rewritten};
use meshwright_ir::sharding::Reduction;
use std::collections::{BTreeMap, BTreeSet};

/// A function with estimates.
#[derive(Clone, Debug)]
pub struct Local {
    /// The function.
    pub made: Made,
    /// Its estimates.
    pub estimates: BTreeSet<ValueId>,
    /// The values of the function as it was given that are estimated, in order.
    pub estimated: Vec<ValueId>,
}

/// The function in which statistics are those of one microbatch; `None` if there are none that `may_change`.
pub fn local(function: &Function, axis: &TimeAxis, may_change: &dyn Fn(ValueId) -> bool) -> Option<Local> {
    let mut writing = Writing::new(&function.body, axis, may_change);
    if writing.estimated.is_empty() {
        return None;
    }
    let Rewritten { body, trace, .. } = rewritten(&function.body, &mut writing);
    let Writing { estimates, estimated, .. } = writing;
    // What is read for examples alone is needed no more.
    let left = needed(&body);
    let estimates = estimates.iter().filter_map(|estimate| left.values[*estimate]).collect();
    let trace = left.trace.behind(&trace);
    let made = Made { function: Function { body: left.body, ..function.clone() }, trace };
    Some(Local { made, estimates, estimated: estimated.into_iter().collect() })
}

struct Writing<'a> {
    body: &'a Body,
    axis: &'a TimeAxis,
    /// Values that are estimated.
    estimated: BTreeSet<ValueId>,
    /// Instructions outside of the loop that are computed from estimates too.
    copied: BTreeSet<InstId>,
    /// What stands for a value where it is read for examples.
    own: BTreeMap<ValueId, ValueId>,
    estimates: BTreeSet<ValueId>,
    /// Whether the instruction of the entry region at hand is in the loop.
    is_inside: bool,
}

impl<'a> Writing<'a> {
    fn new(body: &'a Body, axis: &'a TimeAxis, may_change: &dyn Fn(ValueId) -> bool) -> Self {
        let insts = &body.regions[body.entry()].insts;
        let of_whole = of_whole(body, insts, axis);
        let estimable = |value: ValueId| match axis.states[value].kind {
            InTime::Partial(Reduction::Sum | Reduction::Max | Reduction::Min) => {
                may_change(value) && !of_whole[value]
            }
            _ => false,
        };
        // Forwards: what follows from sums that may be estimated, and from nothing in the loop.
        let mut follows = Table::filled(false, body.values.len());
        let given: BTreeSet<InstId> = axis.whole.iter().copied().collect();
        for inst in insts {
            let view = body.view(*inst);
            let reads = |value: &ValueId| follows[*value] || estimable(*value);
            let is_plain = view.regions() == Regions::OfElements
                && !view.inst.op.has_side_effects()
                && !given.contains(inst)
                && !is_in_loop(&view, axis);
            if is_plain && view.inst.op.traits().data_flow == DataFlow::Identity {
                let pairs = view.inst.operands.iter().zip(&view.inst.results);
                let found: Vec<ValueId> =
                    pairs.filter(|(operand, _)| reads(operand)).map(|(_, result)| *result).collect();
                found.into_iter().for_each(|result| follows[result] = true);
            } else if is_plain && view.inst.operands.iter().any(reads) {
                view.inst.results.iter().for_each(|result| follows[*result] = true);
            }
        }
        // Backwards: what of it is read in the loop.
        let (mut estimated, mut copied, mut wanted) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for inst in insts.iter().rev() {
            let view = body.view(*inst);
            let is_wanted = |result: &ValueId| wanted.contains(result);
            let is_copied = view.inst.results.iter().any(is_wanted);
            let is_identity = view.inst.op.traits().data_flow == DataFlow::Identity;
            let reads: Vec<ValueId> = if is_copied && is_identity {
                let pairs = view.inst.operands.iter().zip(&view.inst.results);
                pairs.filter(|(_, result)| is_wanted(result)).map(|(operand, _)| *operand).collect()
            } else if is_copied || is_in_loop(&view, axis) {
                view.inst.operands.iter().copied().chain(view.captured()).collect()
            } else {
                continue;
            };
            if is_copied {
                copied.insert(*inst);
            }
            for value in reads {
                if estimable(value) {
                    estimated.insert(value);
                } else if follows[value] {
                    wanted.insert(value);
                }
            }
        }
        let (own, estimates) = (BTreeMap::new(), BTreeSet::new());
        Self { body, axis, estimated, copied, own, estimates, is_inside: false }
    }

    /// A second copy of an instruction, which reads estimates.
    fn copy(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) {
        let own = |value: &ValueId| self.own.get(value).copied();
        if view.inst.op.traits().data_flow == DataFlow::Identity {
            let pairs = view.inst.operands.iter().zip(&view.inst.results);
            let found: Vec<_> =
                pairs.filter_map(|(operand, result)| Some((*result, own(operand)?))).collect();
            self.own.extend(found);
            return;
        }
        let operands: Vec<ValueId> = view
            .inst
            .operands
            .iter()
            .map(|operand| own(operand).unwrap_or_else(|| rewriter.value(*operand)))
            .collect();
        let first = rewriter.values(&view.inst.results);
        rewriter.append_again(view.id, operands, to);
        for (result, first) in view.inst.results.iter().zip(first) {
            self.own.insert(*result, rewriter.value(*result));
            rewriter.stand_for(*result, first);
        }
    }
}

/// What is computed of the batch as a whole, as similarities of all pairs of examples are: that is of no microbatch.
fn of_whole(body: &Body, insts: &[InstId], axis: &TimeAxis) -> Table<ValueId, bool> {
    let mut found = Table::filled(false, body.values.len());
    for inst in insts {
        let view = body.view(*inst);
        let mut reads = view.inst.operands.iter().copied().chain(view.captured());
        if axis.whole.contains(inst) || reads.any(|value| found[value]) {
            view.inst.results.iter().for_each(|result| found[*result] = true);
        }
    }
    found
}

/// Whether an instruction of the entry region runs in the loop over microbatches.
fn is_in_loop(view: &InstView<'_>, axis: &TimeAxis) -> bool {
    view.inst.results.iter().any(|result| axis.states[*result].is_inside)
        && view.inst.op.traits().data_flow != DataFlow::Identity
}

impl Edit for Writing<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if to == rewriter.to.entry() {
            self.is_inside = is_in_loop(&self.body.view(view.id), self.axis);
        }
        false
    }

    fn operand(
        &mut self,
        _: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        _: RegionId,
    ) -> Option<ValueId> {
        self.own.get(&view.inst.operands[index]).copied().filter(|_| self.is_inside)
    }

    fn after(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) {
        if to != rewriter.to.entry() {
            return;
        }
        if self.copied.contains(&view.id) {
            self.copy(rewriter, view, to);
        }
        for result in view.inst.results.iter().filter(|result| self.estimated.contains(result)) {
            let value = rewriter.value(*result);
            let estimate = rewriter.build(to, view.inst.span).with_number(Binary::Multiply, value, 1);
            self.own.insert(*result, estimate);
            self.estimates.insert(estimate);
        }
    }
}
