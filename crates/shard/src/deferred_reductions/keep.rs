//! Contributions that are kept apart, given how values are sharded and instructions computed.
//!
//! Input: a prepared function with its open slots; shardings. Output: shardings in which these hold contributions, and the
//! axes over which instructions pass them on, wherever that is possible and pays. A value that a loop carries holds them
//! over the axes over which it does in every turn.

use super::accumulators::Accumulator;
use crate::prepared::Prepared;
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::{Body, Function, InstView};
use meshwright_ir::sharding::Reduction;
use meshwright_plan::{PartialReads, Shardings};

/// Keeps contributions apart wherever that is open.
pub(crate) fn keep(function: &Function, prepared: &Prepared, shardings: &mut Shardings) {
    let deferred = &prepared.deferred_reductions;
    if !deferred.is_open.contains(&true) {
        return;
    }
    let find = Find { body: &function.body, prepared, shardings };
    let possible = find.possible();
    let wanted = find.wanted(&possible);
    for accumulator in &deferred.accumulators {
        let axes = wanted[accumulator.result];
        for value in accumulator.values() {
            let kept = &mut shardings.values[value].partial;
            *kept = kept.or((!axes.is_empty()).then_some((Reduction::Sum, axes)));
        }
    }
    for (position, inst) in prepared.order.iter().enumerate() {
        let view = function.body.view(*inst);
        let [result] = view.inst.results[..] else { continue };
        if prepared.inst_slots(position).is_empty() {
            continue;
        }
        let (slot, kept) = (prepared.slot_of[result], shardings.values[result].partial);
        let operands = deferred.passing[position].iter().map(|index| wanted[view.inst.operands[*index]]);
        shardings.deferred[*inst] = operands.reduce(AxisSet::intersection).unwrap_or(AxisSet::EMPTY);
        if deferred.is_open[slot] && kept.is_none() && !wanted[result].is_empty() {
            let rule = &prepared.whole_rules[prepared.rule_of[position]];
            let passed = shardings.partial_reads(&view, rule);
            let made = PartialReads::of_results(passed.as_ref(), &shardings.strategies[*inst], rule);
            let made = made.map_or(AxisSet::EMPTY, |(_, axes)| axes).intersection(wanted[result]);
            shardings.values[result].partial = (!made.is_empty()).then_some((Reduction::Sum, made));
        }
    }
}

/// Axes of each value.
type Axes = Table<ValueId, AxisSet>;

struct Find<'a> {
    body: &'a Body,
    prepared: &'a Prepared,
    shardings: &'a Shardings,
}

impl Find<'_> {
    /// The axes over which each value could hold contributions if all that can pass them on did.
    fn possible(&self) -> Axes {
        let Self { body, prepared, shardings } = *self;
        let deferred = &prepared.deferred_reductions;
        let mut possible = Table::filled(AxisSet::EMPTY, body.values.len());
        for accumulator in &deferred.accumulators {
            let kept = &shardings.values[accumulator.result];
            let axes = match kept.partial {
                None => shardings.mesh.all().minus(kept.sharded_axes()),
                Some((Reduction::Sum, axes)) => axes,
                Some(_) => AxisSet::EMPTY,
            };
            set(&mut possible, accumulator, axes);
        }
        loop {
            for (position, inst) in prepared.order.iter().enumerate() {
                let view = body.view(*inst);
                let [result] = view.inst.results[..] else { continue };
                let is_open = deferred.is_open[prepared.slot_of[result]];
                if !is_open || prepared.inst_slots(position).is_empty() {
                    continue;
                }
                let rule = &prepared.whole_rules[prepared.rule_of[position]];
                let own = shardings.strategies[*inst].partial(rule).map_or(AxisSet::EMPTY, |(_, axes)| axes);
                let passed = self.common(&view, position, &possible);
                possible[result] = own.union(passed).minus(shardings.values[result].sharded_axes());
            }
            let mut is_settled = true;
            for accumulator in &deferred.accumulators {
                let before = possible[accumulator.result];
                let entering = accumulator.entering();
                let after = entering.fold(before, |axes, value| axes.intersection(possible[value]));
                is_settled &= after == before;
                set(&mut possible, accumulator, after);
            }
            if is_settled {
                return possible;
            }
        }
    }

    /// The axes over which all that an instruction passes on are contributions.
    fn common(&self, view: &InstView<'_>, position: usize, possible: &Axes) -> AxisSet {
        let operands = self.prepared.deferred_reductions.passing[position].iter();
        let axes = operands.map(|index| possible[view.inst.operands[*index]]);
        let axes = axes.reduce(AxisSet::intersection).unwrap_or(AxisSet::EMPTY);
        axes.minus(self.shardings.strategies[view.id].axes.iter().flatten().collect())
    }

    /// The axes over which it pays that each value holds contributions.
    fn wanted(&self, possible: &Axes) -> Axes {
        let accumulators = &self.prepared.deferred_reductions.accumulators;
        let mut held: Vec<AxisSet> = accumulators.iter().map(|one| possible[one.result]).collect();
        loop {
            let mut wanted = self.wanted_with(&held, possible);
            let next = accumulators.iter().zip(&held).map(|(accumulator, held)| {
                let inside = match self.is_read(accumulator.carried) {
                    true => held.intersection(wanted[accumulator.carried]),
                    false => *held,
                };
                if accumulator.pays { inside } else { inside.intersection(wanted[accumulator.result]) }
            });
            let next: Vec<AxisSet> = next.collect();
            if next == held {
                for (accumulator, held) in accumulators.iter().zip(held) {
                    set(&mut wanted, accumulator, held);
                }
                return wanted;
            }
            held = next;
        }
    }

    fn is_read(&self, value: ValueId) -> bool {
        self.body.insts.values().any(|inst| inst.operands.contains(&value))
    }

    /// The same if loops carry contributions over the axes that are `held`. Of what they carry and give: those over which
    /// the reader would pass them on.
    fn wanted_with(&self, held: &[AxisSet], possible: &Axes) -> Axes {
        let (body, deferred) = (self.body, &self.prepared.deferred_reductions);
        let mut wanted = Table::filled(AxisSet::EMPTY, body.values.len());
        for (accumulator, held) in deferred.accumulators.iter().zip(held) {
            accumulator.entering().for_each(|value| wanted[value] = *held);
        }
        for (position, inst) in self.prepared.order.iter().enumerate().rev() {
            let operands = &deferred.passing[position];
            let view = body.view(*inst);
            if operands.is_empty() {
                continue;
            }
            let mut axes = self.common(&view, position, possible);
            if !deferred.pays[position] {
                axes = axes.intersection(wanted[view.inst.results[0]]);
            }
            // What is summed at once over some of its axes takes one sum more.
            let is_more = |index: &&usize| possible[view.inst.operands[**index]] != axes;
            if operands.iter().filter(is_more).count() + 1 > operands.len() {
                axes = AxisSet::EMPTY;
            }
            operands.iter().for_each(|index| wanted[view.inst.operands[*index]] = axes);
        }
        wanted
    }
}

/// Sets what a loop carries and gives.
fn set(axes: &mut Axes, accumulator: &Accumulator, own: AxisSet) {
    accumulator.values().into_iter().for_each(|value| axes[value] = own);
}
