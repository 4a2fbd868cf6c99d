//! Everything that is to be decided on a mesh, as a problem for the solver.
//!
//! Input: a prepared function, what is fixed, where a mesh lies. Output: a [`ShardingProblem`] with the problem, and
//! from an answer the shardings. A node stands for the slots of a class (module `alike`), its strategies are the forms; or
//! for the instructions of a class, its strategies are the ways to shard the factors of their rule over the axes. An
//! instruction costs its work and what it sends itself; an edge between it and a slot costs the reshards from what one
//! makes to what the other wants (module `reshards`).
//!
//! - [`Space`] is what does not depend on the mesh; [`Space::on`] makes the problem of a mesh (module `problem`).
//! - Every reader of a tensor pays for the reshard that it needs, also if another needs the same. Tensors that are made
//!   pay the overheads that are left of their collectives when small ones are combined (module `shared`).
//! - A sum over devices may be left to the reader where that can pay (module `deferred_reductions`): then the slot's strategies are
//!   forms that hold contributions too, and the reader's those that pass them on.
//! - What a loop adds up may be contributions in all turns, and is summed behind the loop then; its readers there share the
//!   sum.
//! - A tensor uses memory while it lies there when one device computes everything ([`lives`]). What may be used can be
//!   changed afterwards (module `memory`).
//! - Followers are left out: they are made in whatever sharding their readers want. What that takes is part of what the
//!   only reader's choice costs; of several readers' as little as it can be is counted.

mod alike;
mod layouts;
mod made;
mod memory;
mod next_best;
mod node_costs;
mod parallel;
mod problem;
mod reshards;
mod shared;
mod symmetry;

use crate::Request;
use crate::allow::{Constraints, Scoped};
use alike::{Alike, NONE, alike};
pub(crate) use layouts::pads_little;
use layouts::{Form, Layouts};
use made::MadeProblems;
use meshwright_cost::Analysis;
use meshwright_cost::memory::{Life, Lives, lives};
use meshwright_cost::reshard::Planner;
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::Function;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Decisions, Placement, Policies, Shardings};
use meshwright_shard::{AxisList, Chosen, Completed, Prepared, Slot, Tie, assemble, constants};
use meshwright_solve::Problem;
use meshwright_tensor::types::ElementType;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is to be decided of a function, whatever the mesh.
pub(crate) struct Space<'a> {
    function: &'a Function,
    prepared: &'a Prepared,
    analysis: &'a Analysis<'a>,
    reshards: &'a Planner,
    /// Fixed shardings, of slots.
    fixed: FxHashMap<Slot, Sharding>,
    /// Fixed strategies: the only choice that there is for these instructions.
    fixed_strategies: BTreeMap<InstId, Strategy>,
    /// What products with some parameters have to keep to.
    allowed: &'a Constraints,
    scoped: Scoped,
    /// Fixed memory policies.
    policies: Policies,
    is_constant: Vec<bool>,
    /// Whether each slot is an argument or a result of the function.
    is_boundary: Vec<bool>,
    /// The slot whose layout each slot has.
    joined: Vec<Slot>,
    ties: Vec<Tie>,
    /// How many each tie stands for.
    ties_stand_for: Vec<u64>,
    /// Of which axes a part alone may be used.
    splits: AxisSplits,
    elements: Vec<Option<ElementType>>,
    alike: Alike,
    /// Of each class of slots the share of overheads that is left of its collectives (module `shared`).
    shares: Vec<f64>,
    /// Of each class of slots what one reader behind a loop takes of the sum over devices that serves all of them.
    sums: Vec<f64>,
    /// Of each class of slots how many of its values lie in memory, over spans of moments.
    lives: Vec<Vec<(u64, u64, u64)>>,
    /// The same of values on the host, at moments behind all of those.
    on_host: Vec<Vec<(u64, u64, u64)>>,
    /// Moments at which the members of each class of instructions run.
    moments: Vec<Vec<u64>>,
    /// Most memory that is used when one device computes everything.
    whole_peak: u64,
    /// A device's share of the memory of its host, if that is less than what lies there when one device computes everything.
    host_share: Option<u64>,
    /// Problems that were made.
    made: MadeProblems,
}

impl<'a> Space<'a> {
    /// `replaced` are pairs of arguments and results that take their place, which are sharded alike.
    pub(crate) fn new(
        &Request { function, prepared, roles, analysis, reshards, allowed, machine, .. }: &Request<'a>,
        fixed: &Decisions,
        replaced: &[(usize, usize)],
        splits: AxisSplits,
    ) -> Self {
        let of_values = fixed.values.iter().map(|(value, own)| (prepared.slot_of[*value], own.clone()));
        let results = prepared.result_slots.iter().zip(&fixed.results);
        let of_results = results.filter_map(|(slot, own)| Some((*slot, own.clone()?)));
        let (fixed_strategies, policies) = (fixed.strategies.clone(), fixed.policies.clone());
        let fixed: FxHashMap<Slot, Sharding> = of_values.chain(of_results).collect();
        let joined = joined(function, prepared, &fixed, replaced);
        let is_fixed: Vec<bool> = (0..prepared.num_slots()).map(|slot| fixed.contains_key(&slot)).collect();
        let is_constant = constants::free_constants(prepared, &is_fixed);
        let mut elements = vec![None; prepared.num_slots()];
        for (value, content) in function.body.values.iter() {
            if let Some(tensor) = content.ty.as_tensor() {
                elements[prepared.slot_of[value]] = Some(tensor.element);
            }
        }
        for (slot, ty) in prepared.result_slots.iter().zip(&function.result_types) {
            elements[*slot] = ty.as_tensor().map(|tensor| tensor.element);
        }
        let mut is_boundary = vec![false; prepared.num_slots()];
        let args = function.args().iter().map(|arg| prepared.slot_of[*arg]);
        args.chain(prepared.result_slots.iter().copied()).for_each(|slot| is_boundary[slot] = true);
        let ties = prepared.ties(function);
        let mut of_slot = vec![1; prepared.num_slots()];
        for (value, count) in analysis.carried_for.iter() {
            let own = &mut of_slot[prepared.slot_of[value]];
            *own = (*own).max(*count);
        }
        let ties_stand_for = ties.iter().map(|tie| of_slot[tie.from].max(of_slot[tie.to])).collect();
        let mut space = Self {
            function,
            prepared,
            analysis,
            reshards,
            fixed,
            fixed_strategies,
            allowed,
            // Parts that the function does not have are refused before anything is solved.
            scoped: Scoped::of(allowed, function, roles).unwrap_or_default(),
            policies,
            is_constant,
            is_boundary,
            joined,
            ties,
            ties_stand_for,
            splits,
            elements,
            alike: Alike { of_slot: Vec::new(), of_inst: Vec::new(), num_slots: 0, num_insts: 0 },
            shares: Vec::new(),
            sums: Vec::new(),
            lives: Vec::new(),
            on_host: Vec::new(),
            moments: Vec::new(),
            whole_peak: 0,
            host_share: None,
            made: MadeProblems::default(),
        };
        space.alike = alike(prepared, &space.ties, &space.joined, space.slot_colors(), space.inst_colors());
        space.shares = shared::shares(function, prepared, &space.alike.of_slot, space.alike.num_slots);
        space.sums = vec![1.0; space.alike.num_slots];
        for (slot, readers) in prepared.deferred_reductions.readers() {
            if let Some(sum) = space.sums.get_mut(space.alike.of_slot[slot] as usize) {
                *sum = 1.0 / readers as f64;
            }
        }
        space.find_lives(machine.host_share());
        space
    }

    fn find_lives(&mut self, host_share: Option<Bytes>) {
        let Lives { lives, moments, peak, on_host, host_peak } = lives(self.analysis);
        let after = lives.iter().map(|life| life.moments.1).max().unwrap_or(0);
        self.lives = self.spans_of(&lives, 0);
        self.on_host = self.spans_of(&on_host, after);
        self.moments = vec![Vec::new(); self.alike.num_insts];
        let moments: FxHashMap<InstId, u64> = moments.into_iter().collect();
        for (inst, class) in self.prepared.order.iter().zip(&self.alike.of_inst) {
            if let Some(moment) = moments.get(inst)
                && *class != NONE
            {
                self.moments[*class as usize].push(*moment);
            }
        }
        self.whole_peak = peak.0;
        self.host_share = host_share.filter(|share| host_peak > *share).map(|share| share.0);
    }

    /// How many values of each class of slots live, over spans of moments, which are counted from one on.
    fn spans_of(&self, lives: &[Life], first: u64) -> Vec<Vec<(u64, u64, u64)>> {
        let mut changes: Vec<BTreeMap<u64, i64>> = vec![BTreeMap::new(); self.alike.num_slots];
        for life in lives {
            let class = self.alike.of_slot[self.prepared.slot_of[life.value]];
            if class != NONE {
                *changes[class as usize].entry(first + life.moments.0).or_default() += 1;
                *changes[class as usize].entry(first + life.moments.1).or_default() -= 1;
            }
        }
        let spans = |changes: BTreeMap<u64, i64>| {
            let mut count = 0;
            let changes: Vec<(u64, i64)> = changes.into_iter().filter(|(_, change)| *change != 0).collect();
            let spans = changes.windows(2).map(|pair| {
                count += pair[0].1;
                (pair[0].0, pair[1].0, count.max(0) as u64)
            });
            spans.filter(|(_, _, count)| *count > 0).collect()
        };
        changes.into_iter().map(spans).collect()
    }

    /// How often the instruction at a position runs in all, with those that it stands for.
    fn times(&self, position: usize) -> u64 {
        let runs = self.prepared.runs[self.prepared.region_of[position]];
        runs.saturating_mul(self.analysis.stands_for[self.prepared.order[position]])
    }

    /// Slots that look alike by themselves.
    fn slot_colors(&self) -> Vec<u32> {
        let mut numbers = FxHashMap::default();
        let color = |slot: Slot| {
            if self.is_constant[slot] || self.elements[slot].is_none() {
                return NONE;
            }
            let is_open = self.prepared.deferred_reductions.is_open[slot];
            let key = (
                self.prepared.shape(slot),
                self.elements[slot],
                self.fixed.get(&slot),
                self.is_boundary[slot],
                is_open,
            );
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        (0..self.prepared.num_slots()).map(color).collect()
    }

    /// Instructions that look alike by themselves. Those without tensors of their own, and those that make nothing but
    /// constants, take no part.
    fn inst_colors(&self) -> Vec<u32> {
        let prepared = self.prepared;
        let mut numbers = FxHashMap::default();
        let color = |position: usize| {
            let slots = prepared.inst_slots(position);
            let results =
                &slots[prepared.whole_rules[prepared.rule_of[position]].operands.len().min(slots.len())..];
            if slots.is_empty() || (!results.is_empty() && results.iter().all(|slot| self.is_constant[*slot]))
            {
                return NONE;
            }
            let inst = prepared.order[position];
            let passing = &prepared.deferred_reductions.passing[position];
            let runs = prepared.runs[prepared.region_of[position]];
            let key = (
                self.analysis.class_number(inst),
                runs,
                passing,
                self.fixed_strategies.get(&inst),
                self.scoped.said_of(inst),
            );
            let next = numbers.len() as u32;
            *numbers.entry(key).or_insert(next)
        };
        (0..prepared.order.len()).map(color).collect()
    }

    /// The problem of the mesh that lies there, within a budget.
    ///
    /// At most so many bytes may be used at any moment ([`ShardingProblem::limit`]); memory for copies is not counted.
    ///
    /// # Errors
    /// No plan is fast enough, none fits, or there is too much to choose from.
    pub(crate) fn on(&'a self, placement: Placement, budget: Budget) -> Result<ShardingProblem<'a>, Skipped> {
        problem::of(self, placement, budget)
    }
}

/// The slot whose layout each slot has: a result that takes an argument's place has the argument's.
fn joined(
    function: &Function,
    prepared: &Prepared,
    fixed: &FxHashMap<Slot, Sharding>,
    replaced: &[(usize, usize)],
) -> Vec<Slot> {
    let mut joined: Vec<Slot> = (0..prepared.num_slots()).collect();
    for (arg, result) in replaced {
        let (Some(arg), Some(result)) = (function.args().get(*arg), prepared.result_slots.get(*result))
        else {
            continue;
        };
        let arg = prepared.slot_of[*arg];
        if prepared.shape(arg) == prepared.shape(*result) && !fixed.contains_key(result) {
            joined[*result] = arg;
        }
    }
    joined
}

/// Of which axes a dim may be sharded by a part alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AxisSplits {
    /// Of none: the meshes to choose from have finer axes where that helps.
    Whole,
    /// Of those that do not cut a dim as a whole, by the largest first part that does: for a mesh that was not chosen for
    /// the program.
    Parts,
}

/// Memory for copies: what is read beside what is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Copies {
    /// It is left out, so that a bound holds for all plans.
    Ignored,
    /// It is counted, some of it twice.
    Counted,
}

/// Limits of a problem; one that exceeds them is not made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Budget {
    /// Memory of each device.
    pub(crate) memory: Bytes,
    /// Only plans that take less are of interest.
    pub(crate) below: Option<Seconds>,
    /// Pairs of choices that may be weighed.
    pub(crate) pairs: usize,
}

/// A problem that is not made, since it exceeds its budget.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Skipped {
    /// No plan takes less: so much is spent on work and on what instructions send by themselves.
    pub(crate) bound: Seconds,
    /// No plan needs less memory: so much lies there at some moment.
    pub(crate) needs: Bytes,
    /// Number of decisions.
    pub(crate) decisions: usize,
    /// Number of choices for all of them.
    pub(crate) choices: usize,
    /// Number of pairs of choices that depend on one another.
    pub(crate) pairs: usize,
}

impl Skipped {
    /// Whether a budget leaves it out.
    fn exceeds(&self, budget: &Budget) -> bool {
        let is_slower = budget.below.is_some_and(|below| self.bound >= below);
        self.pairs > budget.pairs || is_slower || self.needs > budget.memory
    }
}

/// Meaning of the costs of a problem.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    /// Seconds of a unit of cost.
    pub(crate) unit: f64,
    /// Seconds of what takes no part in the problem: it is made where it is read.
    pub(crate) rest: f64,
}

impl Scale {
    /// Seconds of an answer of this cost.
    pub(crate) fn seconds(self, cost: u128) -> Seconds {
        Seconds(cost as f64 * self.unit + self.rest)
    }

    /// The cost of an answer that takes so long.
    pub(crate) fn cost(self, time: Seconds) -> u128 {
        ((time.0 - self.rest) / self.unit).max(0.0) as u128
    }
}

/// The problem of one mesh.
pub(crate) struct ShardingProblem<'a> {
    space: &'a Space<'a>,
    placement: Placement,
    layouts: Arc<Layouts>,
    /// The classes of slots.
    slots: Arc<[SlotClass]>,
    /// The classes of instructions.
    insts: Arc<[InstClass]>,
    /// What the solver is given.
    pub(crate) problem: Problem,
    pub(crate) scale: Scale,
    /// Every decision by itself at its cheapest: no answer takes less.
    pub(crate) least: Seconds,
}

/// Slots that are decided together.
struct SlotClass {
    node: usize,
    /// The forms that are its strategies.
    forms: Arc<[Form]>,
    /// Bytes of a device's share of one of them in each form.
    bytes: Arc<[u64]>,
}

/// Instructions that are decided together.
struct InstClass {
    /// Position of the first member in the order.
    first: usize,
    /// How often the members run in all.
    times: u64,
    /// Nodes of its parts.
    nodes: Vec<usize>,
    /// The parts of its rule.
    parts: Arc<[Part]>,
}

/// Tensors of a rule that share factors, and the ways to shard these.
#[derive(Clone)]
struct Part {
    /// Its number among those of its mesh.
    number: usize,
    tensors: Arc<[usize]>,
    /// Factors that leave results partial.
    combined: Arc<[usize]>,
    ways: Arc<[Way]>,
}

/// A way to shard an instruction.
#[derive(Clone)]
struct Way {
    /// The axes of each factor of its rule.
    axes: Vec<AxisList>,
    /// The axes over which it passes on contributions.
    passed: AxisSet,
}

impl ShardingProblem<'_> {
    /// Where the mesh lies.
    pub(crate) fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The shardings that an assignment stands for.
    pub(crate) fn shardings(&self, assignment: &[usize]) -> Shardings {
        let (space, prepared) = (self.space, self.space.prepared);
        let mut axes = vec![AxisList::new(); prepared.dim_sizes.len()];
        for (slot, class) in space.alike.of_slot.iter().enumerate().filter(|(_, class)| **class != NONE) {
            let SlotClass { node, forms, .. } = &self.slots[*class as usize];
            let dims = self.layouts.dims(forms[assignment[*node]].layout);
            axes[prepared.dims_of[slot].clone()].copy_from_slice(&dims);
        }
        let mut chosen = Chosen { starts: Vec::new(), axes: Vec::new(), is_exact: Vec::new() };
        for (position, class) in space.alike.of_inst.iter().enumerate() {
            let start = chosen.axes.len();
            chosen.starts.push(start);
            chosen.is_exact.push(false);
            let num_factors = prepared.whole_rules[prepared.rule_of[position]].factors.len();
            chosen.axes.resize(start + num_factors, AxisList::new());
            if let Some(fixed) = space.fixed_strategies.get(&prepared.order[position]) {
                let own = chosen.axes[start..].iter_mut().zip(&fixed.axes);
                own.for_each(|(axes, fixed)| *axes = AxisList::of(fixed));
                continue;
            }
            if *class == NONE {
                continue;
            }
            let InstClass { nodes, parts, .. } = &self.insts[*class as usize];
            for (node, part) in nodes.iter().zip(parts.iter()) {
                let way = &part.ways[assignment[*node]];
                for (axes, own) in chosen.axes[start..].iter_mut().zip(&way.axes) {
                    axes.extend(own);
                }
            }
        }
        chosen.starts.push(chosen.axes.len());
        let mesh = &self.placement.mesh;
        let is_constant = &space.is_constant;
        constants::assign_constants(space.function, prepared, mesh, is_constant, &mut chosen, &mut axes);
        let completed = Completed { axes, chosen, is_constant: is_constant.clone() };
        let policies = space.policies.clone();
        Shardings { policies, ..assemble(space.function, prepared, mesh, &completed) }
    }
}
