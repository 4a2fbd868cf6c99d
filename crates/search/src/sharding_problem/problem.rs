//! The problem of one mesh: nodes, costs, edges and the use of memory.
//!
//! Input: a [`Space`] and where the mesh lies. Output: [`ShardingProblem`]. Instructions whose tensors fall into parts that
//! share no factor (an `optimization_barrier` of ten values) have a node for each part.

use super::alike::NONE;
use super::layouts::{Form, Layouts, left, strategies};
use super::reshards::{self, Reshard, Reshards, Side};
use super::{
    Budget, Copies, InstClass, Part, Scale, ShardingProblem, Skipped, SlotClass, Space, Way, memory, parallel,
};
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::rule::{ShardingRule, Strategy};
use meshwright_ir::sharding::Sharding;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::Placement;
use meshwright_shard::{AxisList, Slot, induced, tensor_factors};
use meshwright_solve::problem::{Edge, IMPOSSIBLE, Node, Problem};
use meshwright_tensor::types::ElementType;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Units of cost in the time that everything takes on one device: finer than predictions are, and coarse enough that
/// sums are exact.
const UNITS: f64 = (1_u64 << 30) as f64;

/// The problem of a mesh; see [`Space::on`].
pub(super) fn of<'a>(
    space: &'a Space<'a>,
    placement: Placement,
    budget: Budget,
) -> Result<ShardingProblem<'a>, Skipped> {
    let parts = match space.made.of(&placement.mesh) {
        Some((size, _)) if size.exceeds(&budget) => return Err(size),
        Some((_, Some(parts))) => parts,
        _ => {
            let (size, parts) = Builder::new(space, &placement).build(budget);
            space.made.keep(&placement.mesh, size, parts.as_ref());
            parts.ok_or(size)?
        }
    };
    let Parts { layouts, slots, insts, problem, scale, least } = parts;
    let mut made = ShardingProblem { space, placement, layouts, slots, insts, problem, scale, least };
    made.limit(budget.memory, Copies::Ignored);
    Ok(made)
}

/// What a problem is made of, without where the mesh lies.
#[derive(Clone)]
pub(super) struct Parts {
    layouts: Arc<Layouts>,
    slots: Arc<[SlotClass]>,
    insts: Arc<[InstClass]>,
    pub(super) problem: Problem,
    scale: Scale,
    least: Seconds,
}

/// What the tensors of a kind have in common: shape, type, what is fixed of them, whether they may hold contributions,
/// and whether they are arguments or results.
type KindKey<'a> = (&'a [usize], ElementType, Option<&'a Sharding>, bool, bool);

/// What instructions with the same parts have in common: rule, operands that are passed on, fixed strategy, and the clauses
/// that they have to keep to.
type PartsKey<'a> = (usize, &'a [usize], Option<&'a Strategy>, (usize, &'a [usize]));

/// Tensors that have that in common.
pub(super) struct Kind<'a> {
    shape: &'a [usize],
    bytes: f64,
    pub(super) candidates: Arc<[Form]>,
    /// Bytes of a device's share in each of these forms.
    local: Arc<[u64]>,
    /// The number of these candidates.
    set: usize,
    /// The number of the row that brings a tensor of the kind from a form to each of them, or from each to the form.
    rows: FxHashMap<(Form, Side), usize>,
}

/// An edge of which the costs are still to be made.
struct OpenEdge {
    nodes: [usize; 2],
    /// The row of each strategy of the first node.
    rows: Arc<[usize]>,
    /// Units for each second.
    scale: f64,
    /// The share of overheads that is left.
    share: f64,
    /// For each strategy of the second node the one whose costs it has, if that is not itself.
    like: Option<Vec<usize>>,
}

pub(super) struct Builder<'a> {
    pub(super) space: &'a Space<'a>,
    pub(super) placement: &'a Placement,
    pub(super) layouts: Layouts,
    reshards: Reshards<'a>,
    pub(super) kinds: Vec<Kind<'a>>,
    /// Whether something had too many ways to be sharded, and has none now but the first.
    is_cut: bool,
    /// Reshards of each row, of tensors of so many bytes.
    rows: Vec<(Arc<[Reshard]>, f64)>,
    kind_of: FxHashMap<KindKey<'a>, usize>,
    /// The parts of each rule, with the operands that are passed on and the strategy that is fixed.
    parts: FxHashMap<PartsKey<'a>, Arc<[Part]>>,
    /// How many parts there are so far.
    num_parts: usize,
    /// By the number of a part, and one of its tensors.
    sides: FxHashMap<(usize, usize), Option<Sides>>,
    /// The rows of these sides for a kind of tensors, which comes first.
    rows_of: FxHashMap<(usize, usize, usize), Arc<[usize]>>,
}

/// The forms in which the ways of a part read or make a tensor.
type Sides = Arc<[(Form, Side)]>;

impl<'a> Builder<'a> {
    fn new(space: &'a Space<'a>, placement: &'a Placement) -> Self {
        Self {
            space,
            placement,
            layouts: Layouts::new(&placement.mesh, space.splits),
            reshards: Reshards::new(placement, space.reshards),
            kinds: Vec::new(),
            is_cut: false,
            rows: Vec::new(),
            kind_of: FxHashMap::default(),
            parts: FxHashMap::default(),
            num_parts: 0,
            sides: FxHashMap::default(),
            rows_of: FxHashMap::default(),
        }
    }

    /// The size of the problem, and what it is made of if that is within the budget.
    fn build(mut self, budget: Budget) -> (Skipped, Option<Parts>) {
        let kinds = self.kinds_of_classes();
        let (slots, insts) = self.number_nodes();
        let (mut own, whole) = self.own_costs(&insts);
        let (of_slots, rest) = self.constant_costs(&insts, &kinds, &mut own);
        let scale = Scale { unit: whole.max(1e-12) / UNITS, rest };
        let pairs = self.num_pairs(&insts, &kinds);
        let least = |costs: &Vec<f64>| costs.iter().copied().reduce(f64::min).unwrap_or(0.0);
        let bound = own.iter().chain(&of_slots).map(least).sum::<f64>() + rest;
        let classes = self.slot_classes(&slots, &kinds);
        // Of what is left of the ways nothing follows for the others.
        let (bound, pairs, needs) = match self.is_cut {
            true => (Seconds(0.0), usize::MAX, Bytes(0)),
            false => (Seconds(bound), pairs, Bytes(memory::needs(self.space, &classes))),
        };
        let choices = kinds.iter().map(|kind| self.kinds[*kind].candidates.len()).sum::<usize>();
        let choices = choices + own.iter().map(Vec::len).sum::<usize>();
        let size = Skipped { bound, needs, decisions: own.len() + slots.len(), choices, pairs };
        if size.exceeds(&budget) {
            return (size, None);
        }
        let nodes = self.nodes((&slots, &kinds, of_slots), (&insts, &own), scale.unit);
        let mut edges = self.edges(&insts, &slots, &kinds, scale.unit);
        edges.retain(|edge| edge.costs.iter().any(|cost| *cost != 0));
        let problem = Problem { nodes, edges, ..Problem::default() };
        let (layouts, slots, insts) = (Arc::new(self.layouts), classes.into(), insts.into());
        (size, Some(Parts { layouts, slots, insts, problem, scale, least: bound }))
    }

    /// The classes of slots with their nodes.
    fn slot_classes(&self, slots: &[usize], kinds: &[usize]) -> Vec<SlotClass> {
        let class = |(node, kind): (&usize, &usize)| {
            let Kind { candidates, local, .. } = &self.kinds[*kind];
            SlotClass { node: *node, forms: candidates.clone(), bytes: local.clone() }
        };
        slots.iter().zip(kinds).map(class).collect()
    }

    /// Nodes of slots (with their kinds and what it takes to make them as they are read) and of instructions.
    fn nodes(
        &self,
        (slots, kinds, made): (&[usize], &[usize], Vec<Vec<f64>>),
        (insts, own): (&[InstClass], &[Vec<f64>]),
        unit: f64,
    ) -> Vec<Node> {
        let count = slots.len() + insts.iter().map(|class| class.nodes.len()).sum::<usize>();
        let mut nodes = vec![Node::default(); count];
        for ((node, kind), made) in slots.iter().zip(kinds).zip(made) {
            let candidates = &self.kinds[*kind].candidates;
            nodes[*node].costs = made.iter().map(|seconds| units(*seconds, unit)).collect();
            nodes[*node].costs.resize(candidates.len(), 0);
            // Of answers that cost the same, those that sum at once: a billionth of all is less than costs are exact.
            let late = candidates.iter().map(|form| form.partial.len() as u64);
            nodes[*node].costs.iter_mut().zip(late).for_each(|(cost, late)| *cost += late);
        }
        for (node, costs) in insts.iter().flat_map(|class| &class.nodes).zip(own) {
            nodes[*node].costs = costs.iter().map(|seconds| units(*seconds, unit)).collect();
        }
        nodes
    }

    /// What it costs to bring tensors from how they are made to how they are kept, and from there to how they are read.
    fn edges(&mut self, classes: &[InstClass], slots: &[usize], kinds: &[usize], unit: f64) -> Vec<Edge> {
        let mut open = Vec::new();
        for ((class, tensor, slot), times) in self.reads() {
            let class = &classes[class];
            let shares = (self.space.shares[slot], self.space.sums[slot]);
            open.extend(self.read(class, tensor, (slots[slot], kinds[slot]), (times as f64 / unit, shares)));
        }
        let starts = self.starts();
        for ((from, to), times) in self.ties() {
            let candidates = self.kinds[kinds[from]].candidates.clone();
            let rows = candidates.iter().map(|form| self.row(kinds[to], (*form, Side::From))).collect();
            let share = self.space.shares[from];
            let scale = times as f64 / unit * self.space.sums[from];
            let like = starts.contains(&(from, to)).then(|| self.as_complete(kinds[to]));
            open.push(OpenEdge { nodes: [slots[from], slots[to]], rows, scale, share, like });
        }
        self.reshards.plan();
        let rows: Vec<Vec<reshards::Seconds>> =
            self.rows.iter().map(|(row, bytes)| self.reshards.seconds(row, *bytes)).collect();
        let edge = |(): &mut (), OpenEdge { nodes, rows: own, scale, share, like }: &OpenEdge| {
            let mut costs = Vec::with_capacity(own.iter().map(|row| rows[*row].len()).sum());
            let cost = |seconds: &reshards::Seconds| units(seconds.shared(*share) * scale, 1.0);
            for row in own.iter().map(|row| &rows[*row]) {
                match like {
                    None => costs.extend(row.iter().map(cost)),
                    Some(like) => costs.extend(like.iter().map(|other| cost(&row[*other]))),
                }
            }
            Edge { nodes: *nodes, costs }
        };
        parallel::map(&open, || (), edge)
    }

    /// Pairs of a layout and a way to shard an instruction that reads or makes it, of all edges.
    fn num_pairs(&mut self, classes: &[InstClass], kinds: &[usize]) -> usize {
        let mut pairs = 0_usize;
        for ((class, tensor, slot), _) in self.reads() {
            let parts = self.parts(classes[class].first);
            if let Some(part) = parts.iter().find(|part| part.tensors.contains(&tensor)) {
                let candidates = self.kinds[kinds[slot]].candidates.len();
                pairs = pairs.saturating_add(part.ways.len().saturating_mul(candidates));
            }
        }
        pairs
    }

    /// The kind of each class of slots.
    fn kinds_of_classes(&mut self) -> Vec<usize> {
        let alike = &self.space.alike;
        let mut kinds = vec![usize::MAX; alike.num_slots];
        for (slot, class) in alike.of_slot.iter().enumerate().filter(|(_, class)| **class != NONE) {
            let kind = &mut kinds[*class as usize];
            if *kind == usize::MAX {
                *kind = self.kind(self.space.joined[slot]);
            }
        }
        kinds
    }

    fn kind(&mut self, slot: Slot) -> usize {
        let space = self.space;
        let shape = space.prepared.shape(slot);
        let element = space.elements[slot].unwrap_or(ElementType::F32);
        let fixed = space.fixed.get(&slot);
        let is_open = space.prepared.deferred_reductions.is_open[slot];
        let is_boundary = space.is_boundary[slot];
        let key = (shape, element, fixed, is_open, is_boundary);
        if let Some(kind) = self.kind_of.get(&key) {
            return *kind;
        }
        // Whoever calls the program need not know of padding.
        let layouts = self.layouts.of_shape(shape, fixed, !is_boundary);
        self.is_cut |= layouts.is_none();
        let layouts =
            layouts.unwrap_or_else(|| vec![self.layouts.number(&vec![AxisList::new(); shape.len()])]);
        let candidates = self.layouts.forms(&layouts, is_open).into();
        let set = self.reshards.set(&candidates);
        let bytes = space.prepared.bytes[slot];
        let elements: f64 = shape.iter().map(|size| *size as f64).product();
        // What an element takes is a power of two, so that products are exact.
        let size = bytes / elements.max(1.0);
        let local =
            |form: &Form| (self.layouts.local_elements(form.layout, shape) as f64 * size).ceil() as u64;
        let local = candidates.iter().map(local).collect();
        self.kinds.push(Kind { shape, bytes, candidates, local, set, rows: FxHashMap::default() });
        self.kind_of.insert(key, self.kinds.len() - 1);
        self.kinds.len() - 1
    }

    /// Numbers the nodes along the program: bounds spread along this order. Returns the node of each class of slots, and
    /// the classes of instructions.
    fn number_nodes(&mut self) -> (Vec<usize>, Vec<InstClass>) {
        let (space, alike) = (self.space, &self.space.alike);
        let mut numbers = Numbers { slots: vec![usize::MAX; alike.num_slots], next: 0 };
        let mut classes: Vec<InstClass> = Vec::with_capacity(alike.num_insts);
        for (position, class) in alike.of_inst.iter().enumerate().filter(|(_, class)| **class != NONE) {
            let times = space.times(position);
            if let Some(known) = classes.get_mut(*class as usize) {
                known.times = known.times.saturating_add(times);
                continue;
            }
            let num_operands = space.prepared.whole_rules[space.prepared.rule_of[position]].operands.len();
            let (operands, results) = space.prepared.inst_slots(position).split_at(num_operands);
            operands.iter().for_each(|slot| numbers.slot(alike.of_slot[*slot]));
            let parts = self.parts(position);
            let nodes: Vec<usize> = (numbers.next..numbers.next + parts.len()).collect();
            numbers.next += parts.len();
            results.iter().for_each(|slot| numbers.slot(alike.of_slot[*slot]));
            classes.push(InstClass { first: position, times, nodes, parts });
        }
        alike.of_slot.iter().for_each(|class| numbers.slot(*class));
        (numbers.slots, classes)
    }

    /// The parts of the instruction at a position.
    pub(super) fn parts(&mut self, position: usize) -> Arc<[Part]> {
        let prepared = self.space.prepared;
        let passing = prepared.deferred_reductions.passing[position].as_slice();
        let inst = prepared.order[position];
        let fixed = self.space.fixed_strategies.get(&inst);
        let key = (prepared.rule_of[position], passing, fixed, self.space.scoped.said_of(inst));
        if let Some(known) = self.parts.get(&key) {
            return known.clone();
        }
        let parts: Arc<[Part]> = self.make_parts(inst, key).into();
        self.parts.insert(key, parts.clone());
        parts
    }

    fn make_parts(&mut self, inst: InstId, (index, passing, fixed, _): PartsKey<'a>) -> Vec<Part> {
        let prepared = self.space.prepared;
        let rule = &prepared.whole_rules[index];
        let components = &prepared.components[index];
        let mut parts: Vec<Part> = components
            .iter()
            .map(|component| Part {
                number: self.next_part(),
                tensors: component.tensors.as_slice().into(),
                combined: component.combined.as_slice().into(),
                ways: self
                    .ways(inst, (rule, component.factors.as_slice()), fixed)
                    .into_iter()
                    .map(Way::plain)
                    .collect(),
            })
            .collect();
        if parts.is_empty() {
            let ways = [Way::plain(vec![AxisList::new(); rule.factors.len()])].into();
            parts.push(Part { number: self.next_part(), tensors: [].into(), combined: [].into(), ways });
        }
        // Tensors that no factor shards are needed and made whole; they stand with the first part.
        let is_in_none = |tensor: &usize| components.iter().all(|part| !part.tensors.contains(tensor));
        let whole = (0..rule.operands.len() + rule.results.len()).filter(is_in_none);
        parts[0].tensors = parts[0].tensors.iter().copied().chain(whole).collect();
        let passed = passing.iter().copied().chain([rule.operands.len()]).collect::<Vec<_>>();
        let holds_all = |part: &&mut Part| passed.iter().all(|tensor| part.tensors.contains(tensor));
        if let Some(part) = parts.iter_mut().filter(|_| !passing.is_empty()).find(holds_all) {
            let mesh = &self.placement.mesh;
            let more = part.ways.iter().flat_map(|way| way.that_pass_on(mesh));
            part.ways = part.ways.iter().cloned().chain(more).collect();
        }
        parts
    }

    /// The number of a new part.
    fn next_part(&mut self) -> usize {
        self.num_parts += 1;
        self.num_parts - 1
    }

    /// All ways to shard some factors of the rule of an instruction: the one that is fixed, if there is one, or else those that
    /// keep to what is said of the instruction. If none does, all are left, and no plan of the mesh is allowed.
    fn ways(
        &mut self,
        inst: InstId,
        (rule, factors): (&ShardingRule, &[usize]),
        fixed: Option<&Strategy>,
    ) -> Vec<Vec<AxisList>> {
        let whole = vec![AxisList::new(); rule.factors.len()];
        if let Some(fixed) = fixed {
            let mut own = whole;
            factors.iter().for_each(|factor| own[*factor] = AxisList::of(&fixed.axes[*factor]));
            return vec![own];
        }
        let mesh = &self.placement.mesh;
        let ways = strategies(rule, factors, (mesh, self.space.splits));
        self.is_cut |= ways.is_none();
        let Some(mut ways) = ways else { return vec![whole] };
        let Space { scoped, allowed, .. } = self.space;
        let keeps = |way: &Vec<AxisList>| {
            scoped.keeps(allowed, inst, rule, &|factor| way.get(factor).map_or(1, |axes| axes.product(mesh)))
        };
        if ways.iter().any(keeps) {
            ways.retain(keeps);
        }
        ways
    }

    /// Which classes of instructions read or make which classes of slots as which of their tensors, how often.
    fn reads(&self) -> Vec<((usize, usize, usize), u64)> {
        let (alike, prepared) = (&self.space.alike, self.space.prepared);
        let mut counts = Counts::default();
        for (position, class) in alike.of_inst.iter().enumerate().filter(|(_, class)| **class != NONE) {
            let times = self.space.times(position);
            for (tensor, slot) in prepared.inst_slots(position).iter().enumerate() {
                if alike.of_slot[*slot] != NONE {
                    counts.add((*class as usize, tensor, alike.of_slot[*slot] as usize), times);
                }
            }
        }
        counts.list
    }

    /// Which classes of slots are read in the layout of which others, how often.
    fn ties(&self) -> Vec<((usize, usize), u64)> {
        let of_slot = &self.space.alike.of_slot;
        let mut counts = Counts::default();
        for (number, tie) in self.space.ties.iter().enumerate() {
            let (from, to) = (of_slot[tie.from], of_slot[tie.to]);
            if from != NONE && to != NONE && from != to {
                let times =
                    self.space.prepared.runs[tie.region].saturating_mul(self.space.ties_stand_for[number]);
                counts.add((from as usize, to as usize), times);
            }
        }
        counts.list
    }

    /// The classes of complete values at which loops start, and of what these carry.
    fn starts(&self) -> Vec<(usize, usize)> {
        let Space { prepared, alike, .. } = self.space;
        let class = |slot: Slot| alike.of_slot[slot] as usize;
        let starts = prepared.deferred_reductions.starts(prepared);
        starts.map(|(from, to)| (class(from), class(to))).collect()
    }

    /// For each candidate of a kind the one that lies alike and is complete.
    fn as_complete(&self, kind: usize) -> Vec<usize> {
        let candidates = &self.kinds[kind].candidates;
        let complete = |form: &Form| {
            let is_like = |other: &Form| *other == Form::complete(form.layout);
            candidates.iter().position(is_like).expect("every layout has a complete form")
        };
        candidates.iter().map(complete).collect()
    }

    /// The reshards between a tensor of a class of instructions and its slot (its node and kind); `scale` is in units
    /// for each second; the shares are what is left of overheads if the tensor is made here, and what is paid of the sum
    /// that brings it here if others read it so too.
    fn read(
        &mut self,
        class: &InstClass,
        tensor: usize,
        (slot, kind): (usize, usize),
        (scale, (share, of_sum)): (f64, (f64, f64)),
    ) -> Option<OpenEdge> {
        let prepared = self.space.prepared;
        let rule = &prepared.whole_rules[prepared.rule_of[class.first]];
        let parts = self.parts(class.first);
        let index = parts.iter().position(|part| part.tensors.contains(&tensor))?;
        let is_passed = prepared.deferred_reductions.passing[class.first].contains(&tensor);
        let rows = self.rows_of(kind, rule, &parts[index], (tensor, is_passed))?;
        let (share, of_sum) = match (tensor >= rule.operands.len(), is_passed) {
            (true, _) => (share, 1.0),
            (false, true) => (1.0, 1.0),
            (false, false) => (1.0, of_sum),
        };
        Some(OpenEdge { nodes: [class.nodes[index], slot], rows, scale: scale * of_sum, share, like: None })
    }

    /// The rows between the ways of a part, as one of its tensors, and a kind. None: it cannot be sharded so.
    fn rows_of(
        &mut self,
        kind: usize,
        rule: &ShardingRule,
        part: &Part,
        (tensor, is_passed): (usize, bool),
    ) -> Option<Arc<[usize]>> {
        // Instructions with the same parts pass the same operands on.
        let key = (kind, part.number, tensor);
        if let Some(known) = self.rows_of.get(&key) {
            return Some(known.clone());
        }
        let sides = match self.sides.get(&(part.number, tensor)) {
            Some(known) => known.clone(),
            None => {
                let made = self.make_sides(rule, part, (tensor, is_passed));
                self.sides.insert((part.number, tensor), made.clone());
                made
            }
        };
        let rows: Arc<[usize]> = sides?.iter().map(|side| self.row(kind, *side)).collect();
        self.rows_of.insert(key, rows.clone());
        Some(rows)
    }

    fn make_sides(
        &mut self,
        rule: &ShardingRule,
        Part { combined, ways, .. }: &Part,
        (tensor, is_passed): (usize, bool),
    ) -> Option<Sides> {
        let mut sides = Vec::with_capacity(ways.len());
        for Way { axes, passed } in ways.iter() {
            let dims = induced(rule, tensor_factors(rule, tensor), axes, &self.placement.mesh)?;
            let layout = self.layouts.number(&dims);
            sides.push(if tensor >= rule.operands.len() {
                let partial = combined.iter().fold(*passed, |set, factor| set.union(axes[*factor].set()));
                (Form { layout, partial }, Side::From)
            } else if is_passed {
                (Form { layout, partial: *passed }, Side::To)
            } else {
                (Form::complete(layout), Side::To)
            });
        }
        Some(sides.into())
    }

    /// The number of the row that brings a tensor of a kind from a form to each of its candidates, or from each to the form.
    fn row(&mut self, kind: usize, side: (Form, Side)) -> usize {
        let Self { kinds, layouts, reshards, rows: all, .. } = self;
        let Kind { shape, bytes, candidates, set, rows, .. } = &mut kinds[kind];
        *rows.entry(side).or_insert_with(|| {
            all.push((reshards.row(layouts, side, (candidates, *set), shape), *bytes));
            all.len() - 1
        })
    }
}

impl Way {
    /// One that passes nothing on.
    fn plain(axes: Vec<AxisList>) -> Self {
        Self { axes, passed: AxisSet::EMPTY }
    }

    /// The same with contributions passed on, over each set of the axes that it leaves.
    fn that_pass_on(&self, mesh: &Mesh) -> Vec<Self> {
        let used = self.axes.iter().fold(AxisSet::EMPTY, |set, list| set.union(list.set()));
        left(mesh, used).into_iter().map(|passed| Self { passed, ..self.clone() }).collect()
    }
}

/// The nodes of classes of slots so far.
struct Numbers {
    slots: Vec<usize>,
    next: usize,
}

impl Numbers {
    fn slot(&mut self, class: u32) {
        if class != NONE && self.slots[class as usize] == usize::MAX {
            self.slots[class as usize] = self.next;
            self.next += 1;
        }
    }
}

/// Numbers of keys, in the order in which they came.
struct Counts<K> {
    list: Vec<(K, u64)>,
    place: FxHashMap<K, usize>,
}

impl<K> Default for Counts<K> {
    fn default() -> Self {
        Self { list: Vec::new(), place: FxHashMap::default() }
    }
}

impl<K: Copy + Eq + Hash> Counts<K> {
    fn add(&mut self, key: K, count: u64) {
        let place = *self.place.entry(key).or_insert(self.list.len());
        match self.list.get_mut(place) {
            Some((_, known)) => *known = known.saturating_add(count),
            None => self.list.push((key, count)),
        }
    }
}

fn units(seconds: f64, unit: f64) -> u64 {
    // Impossible, also where it never happens.
    if !seconds.is_finite() {
        return IMPOSSIBLE;
    }
    ((seconds / unit + 0.5) as u64).min(IMPOSSIBLE - 1)
}
