//! What the nodes of a problem cost by themselves: work, and what instructions send.
//!
//! Input: a [`Builder`] and its classes. Output: seconds for each way to shard each part.

use super::alike::NONE;
use super::layouts::LayoutId;
use super::problem::Builder;
use super::{InstClass, Part, Space, Way, parallel};
use meshwright_cost::collective::Prices;
use meshwright_cost::op::{LocalTypes, work};
use meshwright_cost::op_collectives::{may_send, op_collectives};
use meshwright_ir::ids::InstId;
use meshwright_ir::rule::{FactorKind, ShardingRule, Strategy};
use meshwright_plan::Placement;
use meshwright_shard::{AxisList, Slot, constants, induced, tensor_factors};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Who reads a slot.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reader {
    None,
    /// A class of instructions, as one of its tensors.
    Inst(usize, usize),
    /// A class of slots, which take it over.
    Slot(usize),
    Several,
}

/// What the seconds of a part of an instruction depend on: its class, the operands that it passes on as contributions,
/// its fixed strategy, the clauses that it has to keep to, and which part it is.
type Key<'a> = (usize, &'a [usize], Option<&'a Strategy>, (usize, &'a [usize]), usize);

impl Builder<'_> {
    /// Seconds of each node of the classes of instructions by itself, for each way to shard it; and of all of them when
    /// nothing is sharded.
    pub(super) fn own_costs(&mut self, classes: &[InstClass]) -> (Vec<Vec<f64>>, f64) {
        let (space, placement) = (self.space, self.placement);
        let mut open: Vec<Open> = Vec::new();
        let mut numbers: FxHashMap<Key<'_>, usize> = FxHashMap::default();
        let mut nodes: Vec<(usize, f64)> = Vec::new();
        for class in classes {
            let parts = self.parts(class.first);
            for part in 0..parts.len() {
                let number = *numbers.entry(space.own_key(class.first, part)).or_insert_with(|| {
                    open.push(Open { position: class.first, part, parts: parts.clone() });
                    open.len() - 1
                });
                nodes.push((number, class.times as f64));
            }
        }
        let made = parallel::map(&open, || OwnCosts::of(space, placement), OwnCosts::once);
        let (mut own, mut whole) = (Vec::with_capacity(nodes.len()), 0.0);
        for (number, times) in nodes {
            let once = &made[number];
            whole += once.first().copied().unwrap_or(0.0) * times;
            own.push(once.iter().map(|seconds| seconds * times).collect());
        }
        (own, whole)
    }

    /// What it takes to make the values that are made as they are read. With one reader that is part of what its choices
    /// cost (added to `own`, or returned for each class of slots); with several, as little as it can be is the last number.
    pub(super) fn constant_costs(
        &mut self,
        classes: &[InstClass],
        kinds: &[usize],
        own: &mut [Vec<f64>],
    ) -> (Vec<Vec<f64>>, f64) {
        let (space, prepared) = (self.space, self.space.prepared);
        let mesh = &self.placement.mesh;
        let starts: Vec<usize> = classes
            .iter()
            .scan(0, |next, class| Some(std::mem::replace(next, *next + class.nodes.len())))
            .collect();
        let readers = self.only_readers();
        let mut making = Making { builder: self, types: LocalTypes::default(), known: FxHashMap::default() };
        let (mut of_slots, mut rest) = (vec![Vec::new(); kinds.len()], 0.0);
        for (position, class) in space.alike.of_inst.iter().enumerate() {
            let slots = prepared.inst_slots(position);
            if *class != NONE || slots.is_empty() || making.seconds(position, &[]) == 0.0 {
                continue;
            }
            let num_operands = prepared.whole_rules[prepared.rule_of[position]].operands.len();
            let reader = match slots[num_operands..] {
                [slot] => readers[slot],
                _ => Reader::Several,
            };
            match reader {
                Reader::Inst(class, tensor) => {
                    let first = classes[class].first;
                    let rule = &prepared.whole_rules[prepared.rule_of[first]];
                    let parts = making.builder.parts(first);
                    let part = parts.iter().position(|part| part.tensors.contains(&tensor)).unwrap_or(0);
                    for (way, cost) in parts[part].ways.iter().zip(&mut own[starts[class] + part]) {
                        let dims = induced(rule, tensor_factors(rule, tensor), &way.axes, mesh);
                        *cost += making.seconds(position, &dims.unwrap_or_default());
                    }
                }
                Reader::Slot(class) => {
                    let candidates = making.builder.kinds[kinds[class]].candidates.clone();
                    of_slots[class].resize(candidates.len(), 0.0);
                    for (form, cost) in candidates.iter().zip(&mut of_slots[class]) {
                        let dims = making.builder.layouts.dims(form.layout);
                        *cost += making.seconds(position, &dims);
                    }
                }
                Reader::None | Reader::Several => rest += making.least(position),
            }
        }
        (of_slots, rest)
    }

    /// Who reads each slot.
    fn only_readers(&self) -> Vec<Reader> {
        let (alike, prepared) = (&self.space.alike, self.space.prepared);
        let mut readers = vec![Reader::None; prepared.num_slots()];
        let mut add = |slot: Slot, reader: Reader| {
            let known = &mut readers[slot];
            *known = if *known == Reader::None { reader } else { Reader::Several };
        };
        for (position, class) in alike.of_inst.iter().enumerate() {
            let rule = &prepared.whole_rules[prepared.rule_of[position]];
            let operands = prepared.inst_slots(position).iter().take(rule.operands.len());
            for (tensor, slot) in operands.enumerate() {
                let reader = Reader::Inst(*class as usize, tensor);
                add(*slot, if *class == NONE { Reader::Several } else { reader });
            }
        }
        for tie in &self.space.ties {
            let class = alike.of_slot[tie.to];
            add(tie.from, if class == NONE { Reader::Several } else { Reader::Slot(class as usize) });
        }
        readers
    }
}

impl Space<'_> {
    /// What the seconds of a part of the instruction at a position depend on.
    fn own_key(&self, position: usize, part: usize) -> Key<'_> {
        let inst = self.prepared.order[position];
        let passing = self.prepared.deferred_reductions.passing[position].as_slice();
        let fixed = self.fixed_strategies.get(&inst);
        (self.analysis.class_number(inst), passing, fixed, self.scoped.said_of(inst), part)
    }
}

/// A part of the instruction at a position, which stands for all that are like it.
struct Open {
    position: usize,
    part: usize,
    parts: Arc<[Part]>,
}

/// Costs of instructions by themselves, whoever else is like them.
struct OwnCosts<'a> {
    space: &'a Space<'a>,
    placement: &'a Placement,
    prices: Prices<'a>,
    types: LocalTypes,
}

/// What the seconds that a way spends on what its instruction sends depend on: for each factor of the rule into how many shards it
/// is cut, and by which axes if it does not pass through.
type Sent = Vec<(usize, Option<AxisList>)>;

impl<'a> OwnCosts<'a> {
    fn of(space: &'a Space<'a>, placement: &'a Placement) -> Self {
        Self { space, placement, prices: Prices::new(placement), types: LocalTypes::default() }
    }

    /// Seconds of a part, run once, in each way to shard it.
    fn once(&mut self, Open { position, part, parts }: &Open) -> Vec<f64> {
        let prepared = self.space.prepared;
        let rule = &prepared.whole_rules[prepared.rule_of[*position]];
        let made = self.made(prepared.order[*position], rule, &parts[*part].ways);
        made.into_iter().map(|seconds| seconds / parts.len() as f64).collect()
    }

    /// Work follows from the sizes of shards, so that ways which cut factors into as many shards share it.
    fn made(&mut self, inst: InstId, rule: &ShardingRule, ways: &[Way]) -> Vec<f64> {
        let Self { space, placement, ref mut prices, ref mut types, .. } = *self;
        let (view, mesh) = (space.function.body.view(inst), &placement.mesh);
        let may_send = may_send(&view);
        let mut works: FxHashMap<Vec<usize>, f64> = FxHashMap::default();
        let mut all_sent: FxHashMap<Sent, f64> = FxHashMap::default();
        let mut seconds = |way: &Way| {
            let strategy = || Strategy { axes: way.axes.iter().map(|list| list.to_vec()).collect() };
            let shards: Vec<usize> = way.axes.iter().map(|list| list.product(mesh)).collect();
            let mut sent = 0.0;
            if may_send {
                let is_passed = |factor: usize| rule.factors[factor].kind == FactorKind::PassThrough;
                let list = |factor: usize| (!is_passed(factor)).then_some(way.axes[factor]);
                let key: Sent =
                    shards.iter().enumerate().map(|(factor, shards)| (*shards, list(factor))).collect();
                sent = *all_sent.entry(key).or_insert_with(|| {
                    let sent = op_collectives(view, rule, &strategy(), mesh);
                    let sent = sent.iter().map(|exchange| {
                        prices.collective(exchange.kind, exchange.axes).seconds(exchange.bytes).0
                    });
                    sent.sum::<f64>()
                });
            }
            let work = works.entry(shards);
            *work.or_insert_with(|| work_of(space, inst, &strategy(), placement, types)) + sent
        };
        ways.iter().map(&mut seconds).collect()
    }
}

/// Cost of making constants.
struct Making<'b, 'a> {
    builder: &'b mut Builder<'a>,
    types: LocalTypes,
    known: FxHashMap<(usize, LayoutId), f64>,
}

impl Making<'_, '_> {
    /// Seconds of the instruction at a position, as often as it runs, if its result is made with these axes.
    fn seconds(&mut self, position: usize, dims: &[AxisList]) -> f64 {
        let (space, layout) = (self.builder.space, self.builder.layouts.number(dims));
        let prepared = space.prepared;
        let key = (space.analysis.class_number(prepared.order[position]), layout);
        let once = match self.known.get(&key) {
            Some(once) => *once,
            None => {
                let rule = &prepared.whole_rules[prepared.rule_of[position]];
                let mut axes = vec![AxisList::new(); rule.factors.len()];
                if rule.results.len() == 1 {
                    constants::make(rule, dims, &self.builder.placement.mesh, &mut axes);
                }
                let once = self.once(position, &axes);
                self.known.insert(key, once);
                once
            }
        };
        once * self.builder.space.times(position) as f64
    }

    /// The same if it is sharded as much as it can be.
    fn least(&mut self, position: usize) -> f64 {
        let parts = self.builder.parts(position);
        let times = self.builder.space.times(position) as f64;
        let of_part = |part: &Part| {
            let ways = part.ways.iter().map(|way| self.once(position, &way.axes));
            ways.fold(f64::INFINITY, f64::min) / parts.len() as f64
        };
        times * parts.iter().map(of_part).sum::<f64>()
    }

    fn once(&mut self, position: usize, axes: &[AxisList]) -> f64 {
        let Builder { space, placement, .. } = &*self.builder;
        let inst = space.prepared.order[position];
        let strategy = Strategy { axes: axes.iter().map(|list| list.to_vec()).collect() };
        work_of(space, inst, &strategy, placement, &mut self.types)
    }
}

/// Seconds of a device's share of the work of an instruction.
fn work_of(
    space: &Space<'_>,
    inst: InstId,
    strategy: &Strategy,
    placement: &Placement,
    types: &mut LocalTypes,
) -> f64 {
    types.fill(space.analysis, inst, strategy, &placement.mesh);
    work(space.analysis, inst, &types.operands, &types.results).seconds(&placement.machine.device).0
}
