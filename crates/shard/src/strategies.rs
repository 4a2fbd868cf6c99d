//! Chooses a strategy for every instruction, given the sharding of every value.
//!
//! Input: the slots' shardings. Output: the axes of every factor of every instruction. Candidates are what one tensor
//! of the instruction suggests, alone and merged with the others (each may add axes that are still unused), and
//! nothing sharded. The cheapest wins: reshards of operands, reshards of results (partial ones included), and the
//! share of the work, which is what computing the same thing on several devices costs. An operand that an earlier
//! instruction of the region already brought to a sharding is free in that sharding. Ties go to the earlier candidate.

use crate::axes::AxisList;
use crate::prepared::{Component, Prepared, Slot};
use crate::price::Pricer;
use meshwright_ir::ids::RegionId;
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::rule::{FactorKind, ShardingRule};
use std::collections::HashMap;

/// Candidates of one component start from at most this many of its tensors.
const MAX_BASES: usize = 8;

/// The axes of all factors of all instructions, flat.
pub(crate) struct Chosen {
    /// Where each instruction's factors start; one more entry than instructions.
    pub(crate) starts: Vec<usize>,
    /// The axes of each factor.
    pub(crate) axes: Vec<AxisList>,
}

impl Chosen {
    /// The axes of the factors of the instruction at `position` in the order.
    pub(crate) fn of(&self, position: usize) -> &[AxisList] {
        &self.axes[self.starts[position]..self.starts[position + 1]]
    }
}

/// Chooses for all instructions in order. `layout` holds the axes of each slot's dims (`Prepared::dims_of`).
pub(crate) fn choose(prepared: &Prepared, layout: &[AxisList], pricer: &Pricer<'_>) -> Chosen {
    let mut chosen = Chosen { starts: Vec::with_capacity(prepared.order.len() + 1), axes: Vec::new() };
    let mut chooser = Chooser { prepared, mesh: pricer.mesh, layout, pricer, asked: HashMap::new(), cells: Vec::new() };
    for position in 0..prepared.order.len() {
        chosen.starts.push(chosen.axes.len());
        let strategy = chooser.inst(position);
        chosen.axes.extend(strategy);
    }
    chosen.starts.push(chosen.axes.len());
    chosen
}

struct Chooser<'a> {
    prepared: &'a Prepared,
    mesh: &'a Mesh,
    layout: &'a [AxisList],
    pricer: &'a Pricer<'a>,
    /// Shardings that values were already brought to in a region.
    asked: HashMap<(RegionId, Slot), Vec<Vec<AxisList>>>,
    /// Axes of factor `f` in tensor `t`, at `t * num_factors + f`.
    cells: Vec<AxisList>,
}

/// One instruction while its strategy is chosen.
struct Place<'a> {
    rule: &'a ShardingRule,
    slots: &'a [Slot],
    num_operands: usize,
    region: RegionId,
    work: (f64, f64),
}

impl Chooser<'_> {
    fn dims(&self, slot: Slot) -> &[AxisList] {
        &self.layout[self.prepared.dims_of[slot].clone()]
    }

    fn inst(&mut self, position: usize) -> Vec<AxisList> {
        let prepared = self.prepared;
        let rule = &prepared.whole_rules[prepared.rule_of[position]];
        let mut strategy = vec![AxisList::new(); rule.factors.len()];
        let slots = prepared.inst_slots(position);
        if slots.iter().all(|slot| self.dims(*slot).iter().all(|axes| axes.is_empty())) {
            return strategy;
        }
        let place = Place {
            rule,
            slots,
            num_operands: rule.operands.len(),
            region: prepared.region_of[position],
            work: prepared.work[position],
        };
        let exact = self.project(&place);
        for component in &prepared.components[prepared.rule_of[position]] {
            self.component(&place, component, &exact, &mut strategy);
        }
        self.remember(&place, &strategy);
        strategy
    }

    /// Deals every tensor's axes to factors. Returns for each tensor whether that lost nothing.
    fn project(&mut self, place: &Place<'_>) -> Vec<bool> {
        let num_factors = place.rule.factors.len();
        self.cells.clear();
        self.cells.resize(num_factors * place.slots.len(), AxisList::new());
        let (mesh, layout) = (self.mesh, self.layout);
        let mut exact = vec![true; place.slots.len()];
        for (tensor, slot) in place.slots.iter().enumerate() {
            let cells = &mut self.cells[tensor * num_factors..][..num_factors];
            let dims = &layout[self.prepared.dims_of[*slot].clone()];
            for (axes, factors) in dims.iter().zip(tensor_factors(place, tensor)) {
                let mut factors = factors.iter();
                let mut current = None;
                let mut rest = 1;
                for axis in axes.iter() {
                    while rest == 1 {
                        current = factors.next();
                        let Some(factor) = current else { break };
                        rest = place.rule.factors[*factor].size;
                    }
                    let size = mesh.size(*axis);
                    match current {
                        Some(factor)
                            if rest % size == 0 && place.rule.factors[*factor].kind.is_shardable() =>
                        {
                            rest /= size;
                            cells[*factor].push(*axis);
                        }
                        _ => {
                            exact[tensor] = false;
                            break;
                        }
                    }
                }
            }
        }
        exact
    }

    fn component(
        &self,
        place: &Place<'_>,
        component: &Component,
        exact: &[bool],
        strategy: &mut [AxisList],
    ) {
        let num_factors = place.rule.factors.len();
        let cell = |tensor: usize, factor: usize| &self.cells[tensor * num_factors + factor];
        let (operands, results): (Vec<usize>, Vec<usize>) =
            component.tensors.iter().partition(|tensor| **tensor < place.num_operands);
        let mut bases: Vec<usize> = results.iter().chain(&operands).copied().collect();
        let merged = self.merge(place, component, &bases);
        let fits = |tensor: &usize| {
            let own = |factor: &usize| has(place, *tensor, *factor);
            exact[*tensor]
                && component
                    .factors
                    .iter()
                    .filter(|factor| own(factor))
                    .all(|factor| *cell(*tensor, *factor) == merged[*factor])
        };
        let is_partial = |axes: &[AxisList]| !partial(place, component, axes).is_empty();
        if bases.iter().all(fits) && !is_partial(&merged) {
            for factor in &component.factors {
                strategy[*factor] = merged[*factor];
            }
            return;
        }
        bases.truncate(MAX_BASES);
        let mut candidates = vec![merged];
        for first in 0..bases.len() {
            let mut order = bases.clone();
            order[..=first].rotate_right(1);
            candidates.push(self.merge(place, component, &order));
            candidates.push(self.merge(place, component, &order[..1]));
        }
        candidates.push(vec![AxisList::new(); num_factors]);
        let mut best: Option<(f64, usize)> = None;
        for (index, candidate) in candidates.iter().enumerate() {
            if candidates[..index].contains(candidate) {
                continue;
            }
            if let Some(cost) = self.cost(place, component, candidate)
                && best.is_none_or(|(least, _)| cost < least)
            {
                best = Some((cost, index));
            }
        }
        let (_, index) = best.expect("nothing sharded is always legal");
        for factor in &component.factors {
            strategy[*factor] = candidates[index][*factor];
        }
    }

    /// What the tensors in `order` suggest, each adding what the earlier ones left unused.
    fn merge(&self, place: &Place<'_>, component: &Component, order: &[usize]) -> Vec<AxisList> {
        let num_factors = place.rule.factors.len();
        let mut merged = vec![AxisList::new(); num_factors];
        let mut used = AxisSet::EMPTY;
        for tensor in order {
            for factor in &component.factors {
                let own = &self.cells[tensor * num_factors + factor];
                let list = &mut merged[*factor];
                if own.common_prefix(list) == list.len() {
                    for axis in &own[list.len()..] {
                        if !used.insert(*axis) {
                            break;
                        }
                        list.push(*axis);
                    }
                }
            }
        }
        merged
    }

    /// Seconds of a candidate; `None` if it is not legal.
    fn cost(&self, place: &Place<'_>, component: &Component, axes: &[AxisList]) -> Option<f64> {
        let partial = partial(place, component, axes);
        let used = component.factors.iter().flat_map(|factor| axes[*factor].iter());
        let mut seconds = self.pricer.work(place.work, used);
        let mut read: Vec<(Slot, Vec<AxisList>)> = Vec::new();
        for tensor in &component.tensors {
            let slot = place.slots[*tensor];
            let needed = induced(place.rule, tensor_factors(place, *tensor), axes, self.mesh)?;
            let (shape, bytes) = (self.prepared.shape(slot), self.prepared.bytes[slot]);
            if *tensor >= place.num_operands {
                seconds += self.pricer.reshard(shape, bytes, &needed, partial, self.dims(slot));
                continue;
            }
            let known = self.asked.get(&(place.region, slot)).is_some_and(|list| list.contains(&needed))
                || read.iter().any(|(other, dims)| *other == slot && *dims == needed);
            if !known {
                let from = self.dims(slot);
                seconds += self.pricer.reshard(shape, bytes, from, AxisSet::EMPTY, &needed);
                read.push((slot, needed));
            }
        }
        Some(seconds)
    }

    /// Notes the reshards of operands that a chosen strategy asks for.
    fn remember(&mut self, place: &Place<'_>, strategy: &[AxisList]) {
        for (tensor, slot) in place.slots[..place.num_operands].iter().enumerate() {
            let needed = induced(place.rule, tensor_factors(place, tensor), strategy, self.mesh)
                .expect("a chosen strategy is legal");
            if needed != self.dims(*slot) {
                let list = self.asked.entry((place.region, *slot)).or_default();
                if !list.contains(&needed) {
                    list.push(needed);
                }
            }
        }
    }
}

/// The factors of a tensor's dims; operands come before results.
fn tensor_factors<'a>(place: &Place<'a>, tensor: usize) -> &'a [Vec<usize>] {
    match tensor.checked_sub(place.num_operands) {
        None => &place.rule.operands[tensor],
        Some(result) => &place.rule.results[result],
    }
}

fn has(place: &Place<'_>, tensor: usize, factor: usize) -> bool {
    tensor_factors(place, tensor).iter().flatten().any(|other| *other == factor)
}

/// The axes over which the results of a component are partial; see `Strategy::partial`.
fn partial(place: &Place<'_>, component: &Component, axes: &[AxisList]) -> AxisSet {
    let mut partial = AxisSet::EMPTY;
    for factor in &component.factors {
        let kind = place.rule.factors[*factor].kind;
        let combines = matches!(kind, FactorKind::Reduced(_) | FactorKind::Indexed);
        if combines && !axes[*factor].is_empty() && !place.rule.is_in_results(*factor) {
            partial = partial.union(axes[*factor].set());
        }
    }
    partial
}

/// How a tensor with these factors is sharded; `None` if a minor factor is sharded while a more major one is not
/// sharded completely.
pub(crate) fn induced(
    rule: &ShardingRule,
    factors: &[Vec<usize>],
    axes: &[AxisList],
    mesh: &Mesh,
) -> Option<Vec<AxisList>> {
    let mut dims = Vec::with_capacity(factors.len());
    for factors in factors {
        let mut list = AxisList::new();
        let mut complete = true;
        for factor in factors {
            let own = &axes[*factor];
            if !own.is_empty() && !complete {
                return None;
            }
            complete = complete && own.product(mesh) == rule.factors[*factor].size;
            list.extend(own);
        }
        dims.push(list);
    }
    Some(dims)
}
