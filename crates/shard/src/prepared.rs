//! What propagation needs to know of a function before any sharding is given: rules, who reads what, in which order.
//!
//! Input: a function with all calls inlined. Output: [`Prepared`], which depends neither on the mesh nor on seeds, so
//! a search prepares once and propagates many times.
//!
//! - A *slot* holds one sharding. Every value has one; the values that a loop ties (its result and the region
//!   arguments of the same position) share one; each function result has one of its own, because what a function
//!   returns may be sharded unlike the value inside.
//! - A *node* is one step of propagation: an instruction, or one of its parts if its factors fall into parts that
//!   share no tensor (`optimization_barrier` of ten values is ten nodes), or a data-flow edge (what enters a loop and
//!   what its body returns -> the carried slot; what branches return -> a conditional's result; a returned value -> a
//!   function result).
//! - Instructions that only say how values are to be sharded are read once, here: the members of an `sdy.sharding_group`
//!   share a slot, and the node of an `sdy.propagation_barrier` lets shardings pass one way or not. The slots of
//!   both are *kept*: they stay as propagation found them.
//! - A *constant* is a slot computed from nothing but literals, iotas and scalars. It is cheap to compute in any
//!   sharding, so it takes the sharding that its readers want and never propagates one itself: a zero that two
//!   parameters share does not tie them together.

use crate::deferred_reductions::{self, DeferredReductions};
use crate::groups;
use crate::partial::{PartialAnnotation, partial_annotations};
use crate::rules::{self, Part, Rule, Rules};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::loops::runs;
use meshwright_ir::ops::sdy_barrier::{Direction, allowed_direction};
use meshwright_ir::program::{Function, Regions};
use meshwright_ir::rule::{FactorIndex, ShardingRule};
use meshwright_ir::sdy::OpShardingRule;
use meshwright_plan::shardings::sharded_insts;
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Index of a slot.
pub type Slot = usize;

/// See the module's comment.
#[derive(Default)]
pub struct Prepared {
    /// The distinct rules of whole instructions.
    pub whole_rules: Vec<ShardingRule>,
    /// The independent parts of each of them.
    pub components: Vec<Vec<Component>>,
    /// The rule of each instruction in `order`.
    pub rule_of: Vec<usize>,
    /// All instructions that work on whole tensors, in execution order.
    pub order: Vec<InstId>,
    /// The instructions that have no part in the order (those of reducers), with how many factors each
    /// has: they work on whole values.
    pub(crate) unplanned: Vec<(InstId, usize)>,
    /// The region of each instruction in `order`.
    pub region_of: Vec<RegionId>,
    /// How often each region runs, loops inside loops multiplied.
    pub runs: Table<RegionId, u64>,
    /// Operations and bytes of one execution of each instruction.
    pub(crate) work: Vec<(f64, f64)>,
    /// Slots of operands and results of each instruction in `order`: where they start, and all of them.
    inst_slots: (Vec<usize>, Vec<Slot>),
    /// Slot of each value.
    pub slot_of: Table<ValueId, Slot>,
    /// Slot of each function result.
    pub result_slots: Vec<Slot>,
    /// Where each slot's dims lie in flat tables.
    pub dims_of: Vec<Range<usize>>,
    /// Size of each dim, flat.
    pub dim_sizes: Vec<usize>,
    /// Bytes of each slot's whole tensor.
    pub bytes: Vec<f64>,
    /// Which slots are constants.
    pub(crate) constant: Vec<bool>,
    /// Which slots stay as propagation found them.
    pub(crate) kept: Vec<bool>,
    /// What is said to be unreduced.
    pub(crate) partial: Vec<PartialAnnotation>,
    /// Where sums over devices may be taken late.
    pub deferred_reductions: DeferredReductions,
    /// The distinct rules of nodes.
    pub(crate) rules: Vec<Rule>,
    /// The nodes in execution order.
    pub(crate) nodes: Vec<Node>,
    /// Slots of all nodes, flat.
    node_slots: Vec<Slot>,
    /// Nodes that touch each slot.
    touching: Vec<Vec<u32>>,
}

/// A slot that is read in the sharding of another.
#[derive(Clone, Copy)]
pub struct Tie {
    /// What is read.
    pub from: Slot,
    /// How.
    pub to: Slot,
    /// Where.
    pub region: RegionId,
}

/// Tensors of an op (operands, then results) that share factors, and the factors.
pub struct Component {
    /// Results, then operands; a position counts operands first.
    pub tensors: Vec<usize>,
    /// The factors of more than one iteration.
    pub factors: Vec<FactorIndex>,
    /// Those that leave the results partial when sharded.
    pub combined: Vec<FactorIndex>,
}

/// One step of propagation.
pub(crate) struct Node {
    /// Which of [`Prepared::rules`].
    pub(crate) rule: usize,
    /// Range in the flat list of slots: operands, then results.
    slots: Range<usize>,
    /// How many of them are operands.
    pub(crate) num_operands: usize,
    /// Whether no operand (scalars aside) has another reader.
    pub(crate) single_use: bool,
    /// Which way shardings may pass at all.
    pub(crate) allowed: Direction,
    /// Whether all its slots are constants.
    pub(crate) only_constants: bool,
}

impl Prepared {
    /// The slots of a node: operands, then results.
    pub(crate) fn slots(&self, node: usize) -> &[Slot] {
        &self.node_slots[self.nodes[node].slots.clone()]
    }

    /// The slots of the instruction at `position` in the order: operands, then results. Empty for loops, conditionals
    /// and terminators, which have no strategy.
    pub fn inst_slots(&self, position: usize) -> &[Slot] {
        &self.inst_slots.1[self.inst_slots.0[position]..self.inst_slots.0[position + 1]]
    }

    /// Slots that are read in the sharding of another: what enters or ends a loop in that of the carried value, what
    /// the function returns in that of its result.
    pub fn ties(&self, function: &Function) -> Vec<Tie> {
        let body = &function.body;
        let mut ties = Vec::new();
        let mut tie = |values: &[ValueId], results: &[ValueId], region: RegionId| {
            let pairs = values.iter().zip(results);
            ties.extend(pairs.map(|(value, to)| Tie {
                from: self.slot_of[*value],
                to: self.slot_of[*to],
                region,
            }));
        };
        for (inst, around) in self.order.iter().zip(&self.region_of) {
            let view = body.view(*inst);
            if view.inst.op.carries_values() {
                for region in view.inst.regions.iter().skip(1) {
                    if let Some(end) = body.terminator(*region) {
                        tie(&end.operands, &view.inst.results, *region);
                    }
                }
                tie(&view.inst.operands, &view.inst.results, *around);
            }
        }
        for view in self.order.iter().map(|inst| body.view(*inst)) {
            if view.regions() == Regions::Branches {
                for (branch, region) in view.inst.regions.iter().enumerate() {
                    tie(view.returned(branch), &view.inst.results, *region);
                }
            }
        }
        let region = body.entry();
        let returned = function.returned().iter().map(|value| self.slot_of[*value]);
        ties.extend(returned.zip(&self.result_slots).map(|(from, to)| Tie { from, to: *to, region }));
        ties
    }

    /// The nodes that touch a slot.
    pub(crate) fn touching(&self, slot: Slot) -> &[u32] {
        &self.touching[slot]
    }

    /// The global shape of a slot.
    pub fn shape(&self, slot: Slot) -> &[usize] {
        &self.dim_sizes[self.dims_of[slot].clone()]
    }

    /// Number of slots.
    pub fn num_slots(&self) -> usize {
        self.dims_of.len()
    }
}

/// Prepares a function with all calls inlined.
pub fn prepare(function: &Function) -> Prepared {
    let body = &function.body;
    let order = sharded_insts(body, body.entry());
    let region_of = body.region_of();
    let mut is_planned = Table::filled(false, body.insts.len());
    order.iter().for_each(|inst| is_planned[*inst] = true);
    let unplanned = body.insts.ids().filter(|inst| !is_planned[*inst]).map(|inst| {
        let view = body.view(inst);
        (inst, view.inst.op.rule(&view).factors.len())
    });
    let unplanned = unplanned.collect();
    let mut builder = Builder::new(function);
    let mut whole_rules = Vec::new();
    // Of each rule its number and that of its parts.
    let mut known: FxHashMap<ShardingRule, (usize, usize)> = FxHashMap::default();
    let mut rule_of = Vec::with_capacity(order.len());
    let mut work = Vec::with_capacity(order.len());
    for inst in &order {
        let view = body.view(*inst);
        let rule = view.inst.op.rule(&view);
        let next = (whole_rules.len(), builder.parts.len());
        let (index, parts) = *known.entry(rule).or_insert_with_key(|rule| {
            whole_rules.push(rule.clone());
            builder.parts.push(builder.rules.parts(rule));
            next
        });
        rule_of.push(index);
        // Shardings propagate along the rule that the user gave; the op is partitioned by its own.
        let parts = match OpShardingRule::from_attributes(&view.inst.attributes) {
            Some(given) => {
                builder.parts.push(builder.rules.parts(&ShardingRule::propagated(given)));
                builder.parts.len() - 1
            }
            None => parts,
        };
        let operands: Vec<Type> = view.operand_types().cloned().collect();
        let results: Vec<Type> = view.result_types().cloned().collect();
        work.push((view.inst.op.flops(&operands, &results), view.inst.op.bytes(&operands, &results)));
        builder.inst(*inst, parts);
    }
    builder.returns();
    let components = whole_rules.iter().map(components).collect();
    let region_of: Vec<RegionId> = order.iter().map(|inst| region_of[*inst]).collect();
    let runs = runs(body);
    let mut prepared = builder.finish(Prepared {
        whole_rules,
        components,
        rule_of,
        order,
        unplanned,
        region_of,
        runs,
        work,
        ..Prepared::default()
    });
    prepared.deferred_reductions = deferred_reductions::find(function, &prepared);
    prepared
}

fn components(rule: &ShardingRule) -> Vec<Component> {
    let tensors: Vec<_> = rule.operands.iter().chain(&rule.results).collect();
    let combines =
        |factor: FactorIndex| rule.factors[factor].kind.combines().is_some() && !rule.is_in_results(factor);
    // A result is partial over the axes of combined factors, and so cannot be sharded by them: a scatter's rows and
    // updates choose together even if they have no dim in common.
    let groups = match (0..rule.factors.len()).any(combines) {
        true => vec![(0..tensors.len()).collect()],
        false => rules::connected(&tensors, &rule.factors),
    };
    let component = |members: Vec<usize>| {
        let mut factors: Vec<FactorIndex> =
            members.iter().flat_map(|tensor| tensors[*tensor].iter().flatten().copied()).collect();
        factors.sort_unstable();
        factors.dedup();
        factors.retain(|factor| rule.factors[*factor].size > 1);
        let combined = factors.iter().copied().filter(|factor| combines(*factor)).collect();
        let (operands, results): (Vec<usize>, Vec<usize>) =
            members.into_iter().partition(|tensor| *tensor < rule.operands.len());
        Component { tensors: [results, operands].concat(), factors, combined }
    };
    groups.into_iter().map(component).filter(|component| !component.factors.is_empty()).collect()
}

struct Builder<'a> {
    function: &'a Function,
    slot_of: Table<ValueId, Slot>,
    result_slots: Vec<Slot>,
    dims_of: Vec<Range<usize>>,
    dim_sizes: Vec<usize>,
    bytes: Vec<f64>,
    constant: Vec<bool>,
    kept: Vec<bool>,
    num_uses: Vec<u32>,
    rules: Rules,
    /// The parts of each distinct rule of whole instructions, and of those that users gave.
    parts: Vec<Vec<Part>>,
    nodes: Vec<Node>,
    node_slots: Vec<Slot>,
}

impl<'a> Builder<'a> {
    fn new(function: &'a Function) -> Self {
        let body = &function.body;
        let mut builder = Self {
            function,
            slot_of: Table::filled(0, body.values.len()),
            result_slots: Vec::new(),
            dims_of: Vec::new(),
            dim_sizes: Vec::new(),
            bytes: Vec::new(),
            constant: Vec::new(),
            kept: Vec::new(),
            num_uses: Vec::new(),
            rules: Rules::default(),
            parts: Vec::new(),
            nodes: Vec::new(),
            node_slots: Vec::new(),
        };
        for (value, content) in body.values.iter() {
            // Region arguments of loops are tied to results, which are made after them: filled in below.
            builder.slot_of[value] = builder.add_slot(&content.ty);
        }
        for (_, inst) in body.insts.iter().filter(|(_, inst)| inst.op.carries_values()) {
            for region in &inst.regions {
                for (arg, result) in body.regions[*region].args.iter().zip(&inst.results) {
                    builder.slot_of[*arg] = builder.slot_of[*result];
                }
            }
        }
        builder.share_slots_of_groups();
        builder.result_slots = function.result_types.iter().map(|ty| builder.add_slot(ty)).collect();
        for (_, inst) in body.insts.iter() {
            for operand in &inst.operands {
                builder.num_uses[builder.slot_of[*operand]] += 1;
            }
        }
        builder
    }

    /// All members of a group have the slot of its first; what shared a slot with one of them before still does.
    fn share_slots_of_groups(&mut self) {
        let groups = groups::groups(&self.function.body);
        if groups.is_empty() {
            return;
        }
        let mut leaders: Vec<Slot> = (0..self.dims_of.len()).collect();
        for members in groups {
            let mut own = Vec::with_capacity(members.len());
            own.extend(members.iter().map(|value| leader(&mut leaders, self.slot_of[*value])));
            let Some(first) = own.iter().min().copied() else { continue };
            own.iter().for_each(|other| leaders[*other] = first);
            self.kept[first] = true;
        }
        self.slot_of.values_mut().for_each(|slot| *slot = leader(&mut leaders, *slot));
    }

    fn add_slot(&mut self, ty: &Type) -> Slot {
        let shape = ty.as_tensor().map_or(&[][..], |tensor| &tensor.shape);
        let start = self.dim_sizes.len();
        self.dim_sizes.extend(shape);
        self.dims_of.push(start..self.dim_sizes.len());
        self.bytes.push(ty.num_bytes() as f64);
        self.constant.push(false);
        self.kept.push(false);
        self.num_uses.push(0);
        self.dims_of.len() - 1
    }

    fn rank(&self, slot: Slot) -> usize {
        self.dims_of[slot].len()
    }

    /// The nodes of one instruction, whose parts are number `parts`.
    fn inst(&mut self, id: InstId, parts: usize) {
        let body = &self.function.body;
        let inst = &body.insts[id];
        if inst.op.carries_values() {
            let terminators = inst.regions.iter().skip(1).filter_map(|region| body.terminator(*region));
            let returned: Vec<&[ValueId]> = terminators.map(|end| end.operands.as_slice()).collect();
            for (index, (operand, result)) in inst.operands.iter().zip(&inst.results).enumerate() {
                let mut sources = vec![self.slot_of[*operand]];
                sources
                    .extend(returned.iter().filter_map(|values| values.get(index)).map(|v| self.slot_of[*v]));
                self.edge(sources, self.slot_of[*result]);
            }
            return;
        }
        let view = body.view(id);
        if view.regions() == Regions::Branches {
            for (index, result) in inst.results.iter().enumerate() {
                let branches = (0..inst.regions.len()).filter_map(|branch| view.returned(branch).get(index));
                let sources = branches.map(|value| self.slot_of[*value]).collect();
                self.edge(sources, self.slot_of[*result]);
            }
            return;
        }
        let operands = inst.operands.iter().map(|value| self.slot_of[*value]);
        let slots: Vec<Slot> =
            operands.chain(inst.results.iter().map(|value| self.slot_of[*value])).collect();
        let num_operands = inst.operands.len();
        let follows = slots[..num_operands].iter().all(|slot| self.rank(*slot) == 0 || self.constant[*slot]);
        if follows {
            // What shares its slot with others is more than what is computed here.
            slots[num_operands..].iter().for_each(|slot| self.constant[*slot] |= !self.kept[*slot]);
        }
        let allowed = allowed_direction(&inst.op);
        if allowed != Direction::Both {
            slots.iter().for_each(|slot| self.kept[*slot] = true);
        }
        for index in 0..self.parts[parts].len() {
            let part = &self.parts[parts][index];
            let chosen: Vec<Slot> = part.tensors.iter().map(|tensor| slots[*tensor]).collect();
            self.node(part.rule, chosen, part.num_operands, allowed);
        }
    }

    /// A data-flow edge: all sources are operands, the target is the result, dim by dim.
    fn edge(&mut self, sources: Vec<Slot>, target: Slot) {
        let sizes = self.dim_sizes[self.dims_of[target].clone()].to_vec();
        if sizes.is_empty() {
            return;
        }
        let num_operands = sources.len();
        let rule = self.rules.identity(&sizes, num_operands + 1);
        self.node(rule, sources.into_iter().chain([target]).collect(), num_operands, Direction::Both);
    }

    fn returns(&mut self) {
        let pairs = self.function.returned().iter().zip(self.result_slots.clone());
        let edges: Vec<(Slot, Slot)> = pairs.map(|(value, slot)| (self.slot_of[*value], slot)).collect();
        for (value, result) in edges {
            self.edge(vec![value], result);
        }
    }

    fn node(&mut self, rule: usize, slots: Vec<Slot>, num_operands: usize, allowed: Direction) {
        let start = self.node_slots.len();
        let single_use =
            slots[..num_operands].iter().all(|slot| self.rank(*slot) == 0 || self.num_uses[*slot] <= 1);
        let only_constants = slots.iter().all(|slot| self.constant[*slot]);
        self.node_slots.extend(slots);
        let slots = start..self.node_slots.len();
        self.nodes.push(Node { rule, slots, num_operands, single_use, allowed, only_constants });
    }

    fn finish(self, prepared: Prepared) -> Prepared {
        let mut touching = vec![Vec::new(); self.dims_of.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            for slot in &self.node_slots[node.slots.clone()] {
                if touching[*slot].last() != Some(&(index as u32)) {
                    touching[*slot].push(index as u32);
                }
            }
        }
        let body = &self.function.body;
        let (mut starts, mut slots) = (Vec::with_capacity(prepared.order.len() + 1), Vec::new());
        for (id, region) in prepared.order.iter().zip(&prepared.region_of) {
            let inst = &body.insts[*id];
            starts.push(slots.len());
            let is_terminator = body.regions[*region].insts.last() == Some(id);
            if body.view(*id).regions() == Regions::OfElements && !is_terminator {
                slots.extend(inst.operands.iter().chain(&inst.results).map(|value| self.slot_of[*value]));
            }
        }
        starts.push(slots.len());
        Prepared {
            inst_slots: (starts, slots),
            partial: partial_annotations(self.function, &self.slot_of),
            slot_of: self.slot_of,
            result_slots: self.result_slots,
            dims_of: self.dims_of,
            dim_sizes: self.dim_sizes,
            bytes: self.bytes,
            constant: self.constant,
            kept: self.kept,
            rules: self.rules.list,
            nodes: self.nodes,
            node_slots: self.node_slots,
            touching,
            ..prepared
        }
    }
}

/// The slot that stands for another one, which then knows it.
fn leader(leaders: &mut [Slot], slot: Slot) -> Slot {
    let mut first = slot;
    while leaders[first] != first {
        first = leaders[first];
    }
    let mut next = slot;
    while leaders[next] != first {
        next = std::mem::replace(&mut leaders[next], first);
    }
    first
}
