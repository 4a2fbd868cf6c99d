//! Contributions that an instruction passes on from its operands to its result.
//!
//! Input: the shardings of a function and one of its instructions. Output: which operands it reads as contributions,
//! over which axes; what it makes is a contribution over these axes as well. An instruction that adds contributions up,
//! or is linear in one operand, does so over the axes over which its result is kept as a contribution too, or is to be
//! combined as soon as it is made (`Shardings::deferred`); every other one reads its operands combined.
//!
//! Example: with `%a` and `%b` kept unreduced over `x`, `%c = add %a, %b` kept so too is computed from what each device
//! has, and nothing is sent.

use crate::shardings::Shardings;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::op::Linearity;
use meshwright_ir::ops::constant::splat_of;
use meshwright_ir::ops::reducer::is_neutral;
use meshwright_ir::program::{InstView, Regions};
use meshwright_ir::rule::{ShardingRule, Strategy};
use meshwright_ir::sharding::{Reduction, Sharding};

/// Partial values that one instruction reads and passes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialReads {
    /// The operands that it reads as contributions.
    pub operands: Vec<usize>,
    /// How contributions combine.
    pub reduction: Reduction,
    /// Over which axes.
    pub axes: AxisSet,
}

impl Shardings {
    /// Partial values that a verified instruction with this rule passes on; `None` if it reads all operands combined.
    pub fn partial_reads(&self, view: &InstView<'_>, rule: &ShardingRule) -> Option<PartialReads> {
        let [result] = view.inst.results[..] else { return None };
        let operands = &view.inst.operands;
        let (reduction, wanted) = match self.values[result].partial {
            Some((reduction, kept)) if reduction == Reduction::Sum => {
                (reduction, kept.union(self.deferred[view.id]))
            }
            Some(kept) => kept,
            None => (Reduction::Sum, self.deferred[view.id]),
        };
        if wanted.is_empty() {
            return None;
        }
        let strategy = &self.strategies[view.id];
        if strategy.partial(rule).is_some_and(|(own, _)| own != reduction) {
            return None;
        }
        let used: AxisSet = strategy.axes.iter().flatten().collect();
        let over = |index: usize| match self.values[operands[index]].partial {
            Some((own, axes)) if own == reduction => axes.intersection(wanted).minus(used),
            _ => AxisSet::EMPTY,
        };
        let passing = passing(view, reduction, |index| !over(index).is_empty());
        let axes = passing.iter().map(|index| over(*index)).reduce(AxisSet::intersection)?;
        (!axes.is_empty()).then_some(PartialReads { operands: passing, reduction, axes })
    }
}

/// The operands that an instruction can read as contributions, to pass them on: all that it adds up, or the first one that
/// is `partial` of those in which it is linear.
pub fn passing(view: &InstView<'_>, reduction: Reduction, partial: impl Fn(usize) -> bool) -> Vec<usize> {
    if view.regions() != Regions::OfElements {
        return Vec::new();
    }
    let Linearity { each, together, .. } = view.inst.op.linearity(view, reduction);
    let neutral_at = |index: usize| splat_of(view, index).is_some_and(|value| is_neutral(reduction, value));
    if !together.is_empty() {
        return together.into_iter().filter(|index| !neutral_at(*index)).collect();
    }
    each.iter().copied().find(|index| partial(*index)).into_iter().collect()
}

impl PartialReads {
    /// Sharding with which an operand is read.
    pub fn operand_sharding(
        passed: Option<&Self>,
        strategy: &Strategy,
        rule: &ShardingRule,
        index: usize,
        mesh: &Mesh,
    ) -> Sharding {
        Sharding { partial: Self::of_operand(passed, index), ..strategy.operand_sharding(rule, index, mesh) }
    }

    /// The contributions as which an operand is read.
    pub fn of_operand(passed: Option<&Self>, index: usize) -> Option<(Reduction, AxisSet)> {
        passed.filter(|passed| passed.operands.contains(&index)).map(|passed| (passed.reduction, passed.axes))
    }

    /// The contributions that are made: those that sharded factors leave, and those passed on.
    pub fn of_results(
        passed: Option<&Self>,
        strategy: &Strategy,
        rule: &ShardingRule,
    ) -> Option<(Reduction, AxisSet)> {
        match (strategy.partial(rule), passed) {
            (Some((reduction, axes)), Some(passed)) => Some((reduction, axes.union(passed.axes))),
            (own, None) => own,
            (None, Some(passed)) => Some((passed.reduction, passed.axes)),
        }
    }
}
