//! Chooses a strategy for every instruction, given the sharding of every value.
//!
//! Input: the slots' shardings. Output: the axes of every factor of every instruction. Candidates are what one tensor
//! of the instruction suggests, alone and merged with the others (each may add axes that are still unused), and
//! nothing sharded. The cheapest wins: reshards of operands, reshards of results (partial ones included), what the op
//! itself sends, and the share of the work, which is what computing the same thing on several devices costs. An
//! operand that an earlier instruction of the region already brought to a sharding is free in that sharding. Ties go
//! to the earlier candidate. An axis that the winner leaves idle then takes a share of its work, where that pays.
//!
//! Where choices for another layout are known ([`Known`]), those of instructions stand that have all tensors sharded alike and
//! find the same reshards done: the answer is the same, sooner.
//!
//! Example: a gradient of a weight that is whole over `model`, summed over `data`: each device of `model` computes and
//! sums a part of it and gathers the others, which sends as much as summing the whole does.

use crate::axes::AxisList;
use crate::prepared::{Component, Prepared, Slot};
use crate::price::Pricer;
use meshwright_ir::ids::{InstId, RegionId};
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::program::{Body, Function, InstView};
use meshwright_ir::rule::{Factor, FactorKind, ShardingRule, Strategy};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Candidates of one component start from at most this many of its tensors.
const MAX_BASES: usize = 8;

/// What sends less costs less than this share: sums of equal terms in another order may differ a little.
const SENDS_LESS: f64 = 0.999_999;

/// The axes of all factors of all instructions, flat.
#[derive(Clone)]
pub struct Chosen {
    /// Where each instruction's factors start; one more entry than instructions.
    pub starts: Vec<usize>,
    /// The axes of each factor.
    pub axes: Vec<AxisList>,
    /// Which instructions read and make every tensor in the sharding in which it is kept.
    pub is_exact: Vec<bool>,
}

impl Chosen {
    /// The axes of the factors of the instruction at `position` in the order.
    pub fn of(&self, position: usize) -> &[AxisList] {
        &self.axes[self.starts[position]..self.starts[position + 1]]
    }
}

/// Choices for a layout, by which those for another one are found sooner.
pub(crate) struct Known {
    /// The axes of each slot's dims.
    layout: Vec<AxisList>,
    in_use: AxisSet,
    chosen: Chosen,
}

impl Known {
    /// That of a layout for which all this was chosen.
    pub(crate) fn of(layout: &[AxisList], chosen: &Chosen) -> Self {
        Self { layout: layout.to_vec(), in_use: in_use(layout), chosen: chosen.clone() }
    }
}

/// The axes over which any value is sharded.
fn in_use(layout: &[AxisList]) -> AxisSet {
    layout.iter().fold(AxisSet::EMPTY, |set, axes| set.union(axes.set()))
}

/// What stands of known choices while others are made.
struct Standing<'a> {
    chosen: &'a Chosen,
    /// Which slots are sharded otherwise.
    is_other: Vec<bool>,
    /// Which slots may have been brought to other shardings so far.
    is_asked_otherwise: Vec<bool>,
}

impl<'a> Standing<'a> {
    /// What stands on another layout; nothing where other axes are in use.
    fn of(known: &'a Known, prepared: &Prepared, layout: &[AxisList]) -> Option<Self> {
        let is_other = |slot: Slot| {
            let dims = prepared.dims_of[slot].clone();
            layout[dims.clone()] != known.layout[dims]
        };
        (known.in_use == in_use(layout)).then(|| Self {
            chosen: &known.chosen,
            is_other: (0..prepared.num_slots()).map(is_other).collect(),
            is_asked_otherwise: vec![false; prepared.num_slots()],
        })
    }

    /// What was chosen for an instruction of these operands and results, if nothing that led to it is otherwise.
    fn choice(&self, position: usize, operands: &[Slot], results: &[Slot]) -> Option<(&'a [AxisList], bool)> {
        let is_otherwise = operands.iter().any(|slot| self.is_other[*slot] || self.is_asked_otherwise[*slot])
            || results.iter().any(|slot| self.is_other[*slot]);
        (!is_otherwise).then(|| (self.chosen.of(position), self.chosen.is_exact[position]))
    }

    /// Notes what was chosen anew.
    fn note(&mut self, position: usize, operands: &[Slot], choice: (&[AxisList], bool)) {
        if choice != (self.chosen.of(position), self.chosen.is_exact[position]) {
            operands.iter().for_each(|slot| self.is_asked_otherwise[*slot] = true);
        }
    }
}

/// Chooses for all instructions in order. Operands that are constants are free in any sharding. `layout` holds the axes
/// of each slot's dims (`Prepared::dims_of`); what is `given` stays. What is `known` was chosen of the same function with the same
/// constants, given strategies and prices.
pub(crate) fn choose(
    function: &Function,
    prepared: &Prepared,
    is_constant: &[bool],
    layout: &[AxisList],
    given: &BTreeMap<InstId, Strategy>,
    (pricer, known): (&Pricer<'_>, Option<&Known>),
) -> Chosen {
    let num_insts = prepared.order.len();
    let mut chosen = Chosen {
        starts: Vec::with_capacity(num_insts + 1),
        axes: Vec::new(),
        is_exact: Vec::with_capacity(num_insts),
    };
    let mut chooser = Chooser {
        body: &function.body,
        prepared,
        mesh: pricer.mesh,
        layout,
        is_constant,
        pricer,
        in_use: in_use(layout),
        asked: FxHashMap::default(),
        cells: Vec::new(),
        starts: Vec::new(),
        scratch: Vec::new(),
        dealt: Vec::new(),
    };
    let mut standing = known.and_then(|known| Standing::of(known, prepared, layout));
    for position in 0..num_insts {
        let start = chosen.axes.len();
        chosen.starts.push(start);
        let num_factors = prepared.whole_rules[prepared.rule_of[position]].factors.len();
        chosen.axes.resize(start + num_factors, AxisList::new());
        let own = &mut chosen.axes[start..];
        let slots = prepared.inst_slots(position);
        let (operands, results) = slots.split_at(chooser.num_operands(position).min(slots.len()));
        let stands = standing.as_ref().and_then(|standing| standing.choice(position, operands, results));
        if let Some((axes, is_exact)) = stands {
            own.copy_from_slice(axes);
            if !is_exact {
                chooser.remember(&chooser.place(position), own);
            }
            chosen.is_exact.push(is_exact);
            continue;
        }
        let is_exact = match given.get(&prepared.order[position]) {
            Some(strategy) if !slots.is_empty() => chooser.given(position, strategy, own),
            _ => chooser.inst(position, own),
        };
        if let Some(standing) = &mut standing {
            standing.note(position, operands, (&*own, is_exact));
        }
        chosen.is_exact.push(is_exact);
    }
    chosen.starts.push(chosen.axes.len());
    chosen
}

struct Chooser<'a> {
    body: &'a Body,
    prepared: &'a Prepared,
    mesh: &'a Mesh,
    layout: &'a [AxisList],
    is_constant: &'a [bool],
    pricer: &'a Pricer<'a>,
    /// The axes over which any value is sharded.
    in_use: AxisSet,
    /// Shardings that values were already brought to in a region.
    asked: FxHashMap<(RegionId, Slot), Vec<Vec<AxisList>>>,
    /// The axes of the factors of every tensor, in the order of its dims.
    cells: Vec<AxisList>,
    /// Where those of each tensor begin.
    starts: Vec<usize>,
    /// The axes of every factor in one tensor.
    scratch: Vec<AxisList>,
    /// Whether all axes of each tensor belong to factors that may be sharded.
    dealt: Vec<bool>,
}

/// One instruction while its strategy is chosen.
struct Place<'a> {
    view: InstView<'a>,
    rule: &'a ShardingRule,
    slots: &'a [Slot],
    num_operands: usize,
    region: RegionId,
    work: (f64, f64),
}

impl<'a> Chooser<'a> {
    fn dims(&self, slot: Slot) -> &[AxisList] {
        &self.layout[self.prepared.dims_of[slot].clone()]
    }

    /// Fills `strategy` with what is given. Returns whether every tensor is read and made as it is kept.
    fn given(&mut self, position: usize, given: &Strategy, strategy: &mut [AxisList]) -> bool {
        for (axes, given) in strategy.iter_mut().zip(&given.axes) {
            *axes = AxisList::of(given);
        }
        let place = self.place(position);
        self.remember(&place, strategy);
        false
    }

    fn num_operands(&self, position: usize) -> usize {
        self.prepared.whole_rules[self.prepared.rule_of[position]].operands.len()
    }

    fn place(&self, position: usize) -> Place<'a> {
        let prepared = self.prepared;
        let rule = &prepared.whole_rules[prepared.rule_of[position]];
        Place {
            view: self.body.view(prepared.order[position]),
            rule,
            slots: prepared.inst_slots(position),
            num_operands: rule.operands.len(),
            region: prepared.region_of[position],
            work: prepared.work[position],
        }
    }

    /// Fills `strategy`, which comes without axes. Returns whether every tensor is read and made as it is kept.
    fn inst(&mut self, position: usize, strategy: &mut [AxisList]) -> bool {
        let prepared = self.prepared;
        let slots = prepared.inst_slots(position);
        if slots.iter().all(|slot| self.dims(*slot).iter().all(|axes| axes.is_empty())) {
            return true;
        }
        let place = self.place(position);
        self.project(&place);
        let mut is_exact = self.dealt.iter().all(|dealt| *dealt);
        for component in &prepared.components[prepared.rule_of[position]] {
            is_exact &= self.component(&place, component, strategy);
        }
        if !is_exact {
            self.remember(&place, strategy);
        }
        is_exact
    }

    /// Deals every tensor's axes to factors.
    fn project(&mut self, place: &Place<'_>) {
        self.cells.clear();
        self.starts.clear();
        self.dealt.clear();
        self.scratch.resize(place.rule.factors.len(), AxisList::new());
        let Self { cells, starts, scratch, .. } = self;
        for (tensor, slot) in place.slots.iter().enumerate() {
            let own = tensor_factors(place.rule, tensor).iter().flatten();
            own.clone().for_each(|factor| scratch[*factor] = AxisList::new());
            let dims = &self.layout[self.prepared.dims_of[*slot].clone()];
            let factors = tensor_factors(place.rule, tensor);
            let dealt = dims
                .iter()
                .zip(factors)
                .map(|(axes, own)| split_factors(axes, own, place.rule, self.mesh, scratch));
            // All dims are dealt even if one of them loses axes.
            self.dealt.push(dealt.fold(true, |all, dealt| all & dealt));
            starts.push(cells.len());
            cells.extend(own.map(|factor| scratch[*factor]));
        }
    }

    /// The axes of a factor in a tensor that has it.
    fn cell(&self, rule: &ShardingRule, tensor: usize, factor: usize) -> Option<&AxisList> {
        let place = tensor_factors(rule, tensor).iter().flatten().position(|own| *own == factor)?;
        Some(&self.cells[self.starts[tensor] + place])
    }

    /// Chooses the axes of the factors of one component. Returns whether its tensors are read and made as kept.
    fn component(&self, place: &Place<'_>, component: &Component, strategy: &mut [AxisList]) -> bool {
        let num_factors = place.rule.factors.len();
        self.merge(place.rule, component, &component.tensors, strategy);
        let fits = |tensor: &usize| {
            let mut factors = tensor_factors(place.rule, *tensor).iter().flatten();
            self.dealt[*tensor]
                && factors.all(|factor| self.cell(place.rule, *tensor, *factor) == Some(&strategy[*factor]))
        };
        if component.tensors.iter().all(fits) && partial(component, strategy).is_empty() {
            return !self.share_work(place, component, strategy);
        }
        let bases = &component.tensors[..component.tensors.len().min(MAX_BASES)];
        let mut candidates = vec![strategy.to_vec()];
        let mut add = |order: &[usize]| {
            let mut candidate = vec![AxisList::new(); num_factors];
            self.merge(place.rule, component, order, &mut candidate);
            if !candidates.contains(&candidate) {
                candidates.push(candidate);
            }
        };
        for first in 0..bases.len() {
            let mut order = bases.to_vec();
            order[..=first].rotate_right(1);
            add(&order);
            add(&order[..1]);
        }
        add(&[]);
        let mut best: Option<(f64, &[AxisList])> = None;
        for candidate in &candidates {
            if let Some(cost) = self.cost(place, component, candidate)
                && best.is_none_or(|(least, _)| cost < least)
            {
                best = Some((cost, candidate));
            }
        }
        let (_, axes) = best.expect("nothing sharded is always legal");
        for factor in &component.factors {
            strategy[*factor] = axes[*factor];
        }
        self.share_work(place, component, strategy);
        false
    }

    /// Shards factors over the axes that no tensor of the component asks for, mesh axis by mesh axis, where the work
    /// that is shared is worth more than what is sent for it: whole operands are sliced for nothing, and a sum over
    /// other devices costs as much if each scatters its share and then gathers all. Likewise where that sends less: an
    /// operand that is sharded along a factor needed whole may be exchanged for a share of another factor. An axis over
    /// which nothing in the program is sharded is left alone. Returns whether anything changed.
    fn share_work(&self, place: &Place<'_>, component: &Component, strategy: &mut [AxisList]) -> bool {
        let used =
            component.factors.iter().fold(AxisSet::EMPTY, |set, factor| set.union(strategy[*factor].set()));
        let idle = self.in_use.minus(used);
        let mut changed = false;
        for axis in 0..self.mesh.axes().len() {
            let pieces = self.mesh.pieces(axis);
            let added: Vec<SubAxisId> = pieces.into_iter().filter(|piece| idle.contains(*piece)).collect();
            let (priced, spared) = self.spared_work(place, component, strategy, &added);
            let least = self.pricer.prices.least_shared_over(self.mesh.product(&added));
            let is_needed_whole = self.is_needed_whole(place, component, &added);
            if spared <= least && !is_needed_whole {
                continue;
            }
            let Some(whole) = self.cost(place, component, strategy) else { continue };
            let mut best: Option<(f64, usize)> = None;
            for factor in &component.factors {
                let kept = strategy[*factor];
                strategy[*factor].extend(&added);
                if is_shared_evenly(place.rule, *factor, strategy[*factor].product(self.mesh))
                    && let Some(shared) = self.cost(place, component, strategy)
                    && (shared + priced + least < whole + spared
                        || (is_needed_whole && shared + priced < whole * SENDS_LESS))
                    && best.is_none_or(|(least, _)| shared < least)
                {
                    best = Some((shared, *factor));
                }
                strategy[*factor] = kept;
            }
            if let Some((_, factor)) = best {
                strategy[factor].extend(&added);
                changed = true;
            }
        }
        changed
    }

    /// Whether a tensor of the component is kept sharded over some of these axes along factors that are needed whole.
    fn is_needed_whole(&self, place: &Place<'_>, component: &Component, axes: &[SubAxisId]) -> bool {
        let tensors = component.tensors.iter().filter(|tensor| !self.dealt[**tensor]);
        let mut dims = tensors.flat_map(|tensor| self.dims(place.slots[*tensor]));
        dims.any(|dim| axes.iter().any(|axis| dim.contains(axis)))
    }

    /// Seconds of work that a device is spared if the component is sharded over axes besides those of `strategy`: at
    /// the price by which strategies are chosen, and at that of sharing work that nobody asked to be shared.
    fn spared_work(
        &self,
        place: &Place<'_>,
        component: &Component,
        strategy: &[AxisList],
        added: &[SubAxisId],
    ) -> (f64, f64) {
        let used = component.factors.iter().flat_map(|factor| strategy[*factor].iter());
        let shards = self.mesh.product(used) as f64;
        let share = (1.0 - 1.0 / self.mesh.product(added) as f64) / shards;
        (share * self.pricer.work(place.work, []), share * self.pricer.unasked_work(place.work))
    }

    /// What the tensors in `order` suggest, each adding what the earlier ones left unused.
    fn merge(&self, rule: &ShardingRule, component: &Component, order: &[usize], merged: &mut [AxisList]) {
        let mut used = AxisSet::EMPTY;
        for tensor in order {
            for factor in &component.factors {
                let Some(own) = self.cell(rule, *tensor, *factor) else { continue };
                let list = &mut merged[*factor];
                if own.common_prefix(list) == list.len() {
                    let mut shards = list.product(self.mesh);
                    for axis in &own[list.len()..] {
                        shards *= self.mesh.size(*axis);
                        if !rule.can_split(*factor, shards) || !used.insert(*axis) {
                            break;
                        }
                        list.push(*axis);
                    }
                }
            }
        }
    }

    /// Seconds of a candidate; `None` if it is not legal.
    fn cost(&self, place: &Place<'_>, component: &Component, axes: &[AxisList]) -> Option<f64> {
        let partial = partial(component, axes);
        let used = component.factors.iter().flat_map(|factor| axes[*factor].iter());
        let mut seconds = self.pricer.work(place.work, used);
        let mut read: Vec<(Slot, Vec<AxisList>)> = Vec::new();
        for tensor in &component.tensors {
            let slot = place.slots[*tensor];
            let needed = induced(place.rule, tensor_factors(place.rule, *tensor), axes, self.mesh)?;
            let (shape, bytes) = (self.prepared.shape(slot), self.prepared.bytes[slot]);
            if *tensor >= place.num_operands {
                seconds += self.pricer.reshard(shape, bytes, &needed, partial, self.dims(slot));
                continue;
            }
            let known = self.is_constant[slot]
                || self.asked.get(&(place.region, slot)).is_some_and(|list| list.contains(&needed))
                || read.iter().any(|(other, dims)| *other == slot && *dims == needed);
            if !known {
                let from = self.dims(slot);
                seconds += self.pricer.reshard(shape, bytes, from, AxisSet::EMPTY, &needed);
                read.push((slot, needed));
            }
        }
        Some(seconds + self.pricer.exchanges(place.view, place.rule, axes))
    }

    /// Notes the reshards of operands that a chosen strategy asks for.
    fn remember(&mut self, place: &Place<'_>, strategy: &[AxisList]) {
        for (tensor, slot) in place.slots[..place.num_operands].iter().enumerate() {
            let needed = induced(place.rule, tensor_factors(place.rule, tensor), strategy, self.mesh)
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

/// Whether a factor can be cut into this many equal shards, of which none needs anything of another.
fn is_shared_evenly(rule: &ShardingRule, factor: usize, shards: usize) -> bool {
    let Factor { size, kind, .. } = rule.factors[factor];
    size.is_multiple_of(shards) && matches!(kind, FactorKind::PassThrough | FactorKind::Reduced(_))
}

/// The factors of a tensor's dims; operands come before results.
pub fn tensor_factors(rule: &ShardingRule, tensor: usize) -> &[Vec<usize>] {
    match tensor.checked_sub(rule.operands.len()) {
        None => &rule.operands[tensor],
        Some(result) => &rule.results[result],
    }
}

/// Gives the axes of one dim to its factors, as far as these can be cut. Returns whether all axes were given.
pub(crate) fn split_factors(
    axes: &AxisList,
    factors: &[usize],
    rule: &ShardingRule,
    mesh: &Mesh,
    cells: &mut [AxisList],
) -> bool {
    let factors = factors.iter().map(|factor| (*factor, rule.factors[*factor].size));
    axes.deal(factors.filter(|(_, size)| *size > 1), mesh, |share| {
        let can_split =
            rule.factors[share.factor].kind.is_shardable() && rule.can_split(share.factor, share.shards);
        if can_split {
            cells[share.factor].push(share.axis);
        }
        can_split
    })
}

/// The axes over which the results of a component are partial; see `Strategy::partial`.
fn partial(component: &Component, axes: &[AxisList]) -> AxisSet {
    component.combined.iter().fold(AxisSet::EMPTY, |set, factor| set.union(axes[*factor].set()))
}

/// Sharding of a tensor with these factors; `None` if a factor cannot be split so, or a minor factor is sharded
/// while a more major one is not sharded completely.
pub fn induced(
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
            let shards = own.product(mesh);
            if !rule.can_split(*factor, shards) {
                return None;
            }
            complete = complete && shards == rule.factors[*factor].size;
            list.extend(own);
        }
        dims.push(list);
    }
    Some(dims)
}
