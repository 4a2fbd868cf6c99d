//! The slots that may hold contributions.
//!
//! Input: a prepared function. Output: [`DeferredReductions`]. From the first instruction to the last it is found who
//! could pass contributions on; what loops carry is taken to hold some until it shows that a body does not pass them on.
//! From the last to the first it is found where that leads to something that pays.

use super::DeferredReductions;
use super::accumulators::{Accumulator, Start, Uses, candidates};
use crate::prepared::Prepared;
use meshwright_ir::ids::{RegionId, Table, ValueId};
use meshwright_ir::program::{Body, Function, InstView};
use meshwright_ir::sharding::Reduction;
use meshwright_plan::partial::passing;
use meshwright_tensor::types::{ElementKind, TensorType, Type};

/// Finds them.
pub(crate) fn find(function: &Function, prepared: &Prepared) -> DeferredReductions {
    let uses = function.body.uses();
    let owners = prepared.slot_of.values().fold(vec![0_u32; prepared.num_slots()], |mut owners, slot| {
        owners[*slot] += 1;
        owners
    });
    let mut accumulators = candidates(function, prepared, &uses, &owners);
    loop {
        let chains = Chains::new(function, prepared, (&uses, &owners), &accumulators);
        let kept = accumulators.iter().filter(|one| chains.pass_on(one, &accumulators));
        let kept: Vec<Accumulator> = kept.map(|one| chains.begun(one)).collect();
        if kept == accumulators {
            return opened(function, prepared, chains, accumulators);
        }
        accumulators = kept;
    }
}

/// A value that could hold contributions.
#[derive(Clone, Copy)]
struct Made {
    region: RegionId,
    /// The number of the accumulator of which the contributions of earlier turns are among them.
    carries: Option<usize>,
}

/// Who could pass contributions on if all before did.
struct Chains<'a> {
    body: &'a Body,
    uses: &'a Uses,
    /// The values that could hold contributions.
    made: Table<ValueId, Option<Made>>,
    /// For each position of the order, the operands that could be passed on.
    passing: Vec<Vec<usize>>,
    /// The values among these.
    passed: Table<ValueId, bool>,
}

impl<'a> Chains<'a> {
    fn new(
        function: &'a Function,
        prepared: &Prepared,
        (uses, owners): (&'a Uses, &[u32]),
        accumulators: &[Accumulator],
    ) -> Self {
        let body = &function.body;
        let mut made = Table::filled(None, body.values.len());
        for (number, accumulator) in accumulators.iter().enumerate() {
            let (around, step) = accumulator.regions;
            made[accumulator.carried] = Some(Made { region: step, carries: Some(number) });
            made[accumulator.result] = Some(Made { region: around, carries: None });
        }
        let passed = Table::filled(false, body.values.len());
        let mut chains = Self { body, uses, made, passing: Vec::with_capacity(prepared.order.len()), passed };
        for position in 0..prepared.order.len() {
            let operands = chains.passing_operands(prepared, position, owners);
            let operands = operands.unwrap_or_default();
            let inst = &body.insts[prepared.order[position]];
            operands.iter().for_each(|index| chains.passed[inst.operands[*index]] = true);
            chains.passing.push(operands);
        }
        chains
    }

    /// The operands that the instruction at a position could pass on; none if it leaves no contributions to a sum at all.
    fn passing_operands(
        &mut self,
        prepared: &Prepared,
        position: usize,
        owners: &[u32],
    ) -> Option<Vec<usize>> {
        let body = self.body;
        let view = body.view(prepared.order[position]);
        let [result] = view.inst.results[..] else { return None };
        let slot = prepared.slot_of[result];
        if prepared.inst_slots(position).is_empty() || !is_summed(body.ty(result)) || owners[slot] != 1 {
            return None;
        }
        let rule = &prepared.whole_rules[prepared.rule_of[position]];
        let components = &prepared.components[prepared.rule_of[position]];
        let mut combined = components.iter().flat_map(|component| &component.combined).peekable();
        let is_sum = |factor: &usize| rule.factors[*factor].kind.combines() == Some(Reduction::Sum);
        let combines = combined.peek().is_some();
        if !combined.all(is_sum) {
            return None;
        }
        let region = prepared.region_of[position];
        let operands = self.operands(&view, region, prepared.runs[region]);
        let is_free = !prepared.kept[slot] && !prepared.constant[slot];
        if is_free && (combines || !operands.is_empty()) {
            let carries = operands.iter().find_map(|index| self.made[view.inst.operands[*index]]?.carries);
            self.made[result] = Some(Made { region, carries });
        }
        Some(operands)
    }

    /// The operands that could be passed on. What a loop adds up in a wider type than it is made in is summed in that, since
    /// it is summed less often.
    fn operands(&self, view: &InstView<'_>, region: RegionId, runs: u64) -> Vec<usize> {
        let may_pass = |index: usize| {
            let (from, to) = (view.operand(index).element, view.result(0).element);
            let widens = runs > 1 && from.is_float() && to.is_float() && from.bits() < to.bits();
            self.is_made_in(view.inst.operands[index], region) && (from == to || widens)
        };
        let operands = passing(view, Reduction::Sum, may_pass);
        let is_said = view.inst.op.result_sharding(0).is_some();
        // Contributions may lie far apart, and an infinity less an infinity is no number.
        let overflowing = view.inst.op.linearity(view, Reduction::Sum).overflowing;
        let is_safe = !operands.iter().any(|index| overflowing.contains(index));
        let all_pass = operands.iter().all(|index| may_pass(*index));
        if is_said || !is_safe || !all_pass || grows(view, &operands) { Vec::new() } else { operands }
    }

    fn is_made_in(&self, value: ValueId, region: RegionId) -> bool {
        self.uses[value].len() == 1 && self.made[value].is_some_and(|made| made.region == region)
    }

    /// Whether the body of a loop passes on what is carried.
    fn pass_on(&self, accumulator: &Accumulator, all: &[Accumulator]) -> bool {
        let Accumulator { carried, returned, regions: (_, step), .. } = *accumulator;
        let is_passed = self.uses[carried].is_empty()
            || self.passed[carried]
            || all.iter().any(|inner| inner.start == Start::Contributions(carried));
        is_passed && self.is_made_in(returned, step)
    }

    /// The same that knows whether what the loop starts from could be contributions.
    fn begun(&self, accumulator: &Accumulator) -> Accumulator {
        let start = match accumulator.start {
            Start::Contributions(start) if !self.is_made_in(start, accumulator.regions.0) => {
                Start::Complete(start)
            }
            start => start,
        };
        Accumulator { start, ..accumulator.clone() }
    }

    /// Whether it pays by itself that the instruction at a position passes these operands on: of what it adds up there is
    /// one sum, or a smaller one; beside what a loop carries, if all turns together would sum more than is carried.
    fn pays(&self, view: &InstView<'_>, operands: &[usize], accumulators: &[Accumulator]) -> bool {
        let bytes = |value: ValueId| self.body.ty(value).num_bytes() as u64;
        let [result] = view.inst.results[..] else { return false };
        let carries = |index: &usize| self.made[view.inst.operands[*index]]?.carries;
        match operands.iter().find_map(carries) {
            Some(number) => {
                let added = operands.iter().filter(|index| carries(index).is_none());
                let added: u64 = added.map(|index| bytes(view.inst.operands[*index])).sum();
                accumulators[number].turns.saturating_mul(added) > bytes(result)
            }
            None => match operands {
                [] => false,
                [only] => bytes(result) < bytes(view.inst.operands[*only]),
                _ => true,
            },
        }
    }

    /// Finds the loops in which it pays somewhere, or in an inner loop that goes on with what they carry.
    fn settle(&self, prepared: &Prepared, pays: &[bool], accumulators: &mut [Accumulator]) {
        let paying = (0..pays.len()).filter(|position| pays[*position]);
        for position in paying {
            let operands = &self.body.insts[prepared.order[position]].operands;
            let passed = self.passing[position].iter().map(|index| operands[*index]);
            passed
                .filter_map(|value| self.made[value]?.carries)
                .for_each(|number| accumulators[number].pays = true);
        }
        // Inner loops come behind those around them.
        for number in (0..accumulators.len()).rev() {
            let (outer, inner) = accumulators.split_at_mut(number);
            let Start::Contributions(start) = inner[0].start else { continue };
            let goes_on = outer.iter_mut().filter(|one| inner[0].pays && one.carried == start);
            goes_on.for_each(|one| one.pays = one.turns > 1);
        }
    }
}

/// Opens the slots from which a way leads to where it pays.
fn opened(
    function: &Function,
    prepared: &Prepared,
    chains: Chains<'_>,
    mut accumulators: Vec<Accumulator>,
) -> DeferredReductions {
    let views = || prepared.order.iter().map(|inst| function.body.view(*inst));
    let pays = |(view, operands): (InstView<'_>, &Vec<usize>)| chains.pays(&view, operands, &accumulators);
    let pays: Vec<bool> = views().zip(&chains.passing).map(pays).collect();
    chains.settle(prepared, &pays, &mut accumulators);
    let mut passing = chains.passing;
    let mut is_open = vec![false; prepared.num_slots()];
    let mut num_open = usize::MAX;
    // What a loop carries is open if something in its body or behind the loop wants it so; then it is both.
    while num_open != is_open.iter().filter(|open| **open).count() {
        num_open = is_open.iter().filter(|open| **open).count();
        for accumulator in &accumulators {
            if accumulator.pays || is_open[accumulator.slot] {
                let values = accumulator.entering().chain([accumulator.result]);
                values.for_each(|value| is_open[prepared.slot_of[value]] = true);
            }
        }
        for (position, view) in views().enumerate().rev() {
            let leads = |result: &ValueId| is_open[prepared.slot_of[*result]];
            if pays[position] || view.inst.results.iter().any(leads) {
                let operands = passing[position].iter();
                operands.for_each(|index| is_open[prepared.slot_of[view.inst.operands[*index]]] = true);
            }
        }
    }
    for (position, view) in views().enumerate().filter(|(position, _)| !pays[*position]) {
        if !view.inst.results.iter().any(|result| is_open[prepared.slot_of[*result]]) {
            passing[position].clear();
        }
    }
    accumulators.retain(|one| is_open[one.slot]);
    DeferredReductions { is_open, passing, pays, accumulators }
}

/// Whether the results of an instruction have more elements than these operands together, as whole tensors.
fn grows(view: &InstView<'_>, operands: &[usize]) -> bool {
    let elements = |value: &ValueId| view.body.ty(*value).as_tensor().map_or(0, TensorType::num_elements);
    let read: usize = operands.iter().map(|index| elements(&view.inst.operands[*index])).sum();
    view.inst.results.iter().map(elements).sum::<usize>() > read
}

/// Whether contributions to a tensor are numbers that add up.
pub(super) fn is_summed(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|tensor| tensor.element.kind() != ElementKind::Boolean)
}
