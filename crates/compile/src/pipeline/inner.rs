//! How a step is sharded over the devices of one group.
//!
//! Input: the step in microbatches, the part of the machine that a group is, and the options. Output: [`Inner`]: shardings
//! of the whole step, from which those of each of its pieces follow, so that all pieces of a group agree on what they hand
//! to one another.

use meshwright_analyze::{Roles, recognize};
use meshwright_cost::Analysis;
use meshwright_cost::reshard::Planner;
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::origin::Origins;
use meshwright_ir::program::{Body, Function, Program};
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::plan_file::codec::{self, Named};
use meshwright_plan::{Decisions, PlanFile, Shardings};
use meshwright_search::{
    DegreeSpace, Evaluation, Facts, ParallelDegrees, Refusal, RequestedWays, ShardingPlanner, Unsaid, search,
};
use meshwright_shard::{Minimized, Propagated, prepare};
use meshwright_stage::{Piece, Port};
use rayon::prelude::*;

use super::handed::Handed;
use super::stay_gathered::{Kept, stay_gathered};
use crate::choose;
use crate::decided::{Decided, WrittenFunction};
use crate::driver::Request;
use crate::error::CompileError;
use crate::global::Global;
use crate::options::{Options, Search};
use crate::report;
use crate::stages::{self, Stages};
use crate::uneven::uneven;

/// A step that is to be sharded over a group.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) program: &'a Program,
    pub(super) function: &'a Function,
    pub(super) origins: &'a Origins,
    /// How many instructions each of its instructions stands for.
    pub(super) stands_for: &'a StandsFor,
    pub(super) machine: &'a Machine,
    pub(super) options: &'a Options,
    /// Memory that a device may use.
    pub(super) memory: Bytes,
    /// Only shardings that take less are of interest.
    pub(super) faster_than: Option<Seconds>,
    /// Whether only their bound is of interest.
    pub(super) is_for_bound: bool,
    /// So many others are wanted beside the best.
    pub(super) others: usize,
    /// Remembers reshards from one search to the next.
    pub(super) reshards: &'a Planner,
}

/// How many instructions each instruction stands for, and how many of what loops take and leave.
pub(super) struct StandsFor {
    pub(super) insts: Table<InstId, u64>,
    pub(super) carried: Table<ValueId, u64>,
}

/// What was found.
pub(super) struct Searched {
    pub(super) inner: Inner,
    /// What the step with all that its instructions stand for takes at least, however it is sharded.
    pub(super) bound: Seconds,
    /// What it takes as it was sharded.
    pub(super) seconds: Seconds,
    pub(super) peak: Bytes,
    /// Memory within which it was.
    pub(super) memory: Bytes,
    /// Others that need less memory or are on other meshes, those that take least first.
    pub(super) others: Vec<Other>,
}

/// What was found beside the best.
pub(super) struct Other {
    pub(super) inner: Inner,
    pub(super) seconds: Seconds,
    pub(super) peak: Bytes,
}

/// Shardings of a step over a group.
pub(super) struct Inner {
    /// Of the step's function.
    whole: Shardings,
}

impl Inner {
    /// Shards a step over a machine as the options say; the same as a plan file has it. One device has nothing to shard.
    /// Parameters that all turns gather stay so if that is wanted.
    ///
    /// # Errors
    /// As of any program that is sharded over this machine.
    pub(super) fn of(
        program: &Program,
        function: &Function,
        origins: &Origins,
        machine: &Machine,
        (options, stays_gathered): (&Options, bool),
        control: &dyn Control,
    ) -> Result<(Self, PlanFile), CompileError> {
        let is_planned = options.plan.as_ref().is_some_and(|plan| !plan.mesh.is_empty());
        if machine.num_devices() == 1 && options.mesh.is_none() && !is_planned {
            let mesh = Mesh::new("mesh", Vec::new()).expect("no axes are a mesh");
            let whole = Shardings::replicated(function, mesh);
            let plan = report::decisions(program, function, &Roles::new(function), machine, &whole);
            return Ok((Self { whole }, plan));
        }
        let own = Options {
            microbatches: None,
            microbatch_size: None,
            recompute: None,
            stop_after: None,
            // A group has a part of what this is searched for.
            memory_limit: None,
            allowed: options.allowed.apart().1,
            // What it says of stages and of what is made again is done already.
            plan: options.plan.clone().map(|plan| PlanFile {
                policies: Vec::new(),
                stages: Vec::new(),
                schedule: Vec::new(),
                ..plan
            }),
            ..options.clone()
        };
        let source = Source::new("step", "");
        let request = Request {
            original: program,
            source: &source,
            machine,
            options: &own,
            control,
            stages: Stages::new(&stages::stages(), &own, control)?,
            reshards: Planner::default(),
        };
        let global = Global::as_it_is(&request, function.clone(), origins.clone())?;
        let mut found = Decided::as_written(&request, &global)?;
        if stays_gathered && options.plan.is_none() && options.asked.is_none() {
            stay_gathered(&global.function, &global.roles, &global.fixed, &mut found, Kept::Plain);
        }
        let (plan, found) = written(program, &global, machine, &found);
        Ok((Self { whole: carried_over(&found, &global.function, function) }, plan))
    }

    /// A step that is sharded already; the same as a plan file has it.
    ///
    /// # Errors
    /// A local program.
    pub(super) fn known(
        program: &Program,
        function: &Function,
        origins: &Origins,
        machine: &Machine,
        whole: Shardings,
        options: &Options,
    ) -> Result<(Self, PlanFile), CompileError> {
        let own = Options {
            microbatches: None,
            microbatch_size: None,
            stop_after: None,
            recompute: None,
            ..options.clone()
        };
        let global = as_it_is(program, function, origins, machine, &own, &Quiet)?;
        // Which sums are taken late is not the same in the whole step and in the short one that this was carried over from.
        let found = carried_over(&whole, function, &global.function);
        let (plan, found) = written(program, &global, machine, &found);
        Ok((Self { whole: carried_over(&found, &global.function, function) }, plan))
    }

    /// Searches for the shardings of a step in which instructions stand for others, within so much memory of each device.
    ///
    /// # Errors
    /// As [`Inner::of`].
    pub(super) fn searched(wanted: &Wanted<'_>, control: &dyn Control) -> Result<Searched, CompileError> {
        let Wanted { program, function, origins, stands_for, machine, options, others: most, .. } = *wanted;
        let allowed = options.allowed.apart().1;
        let own = Options {
            microbatches: None,
            microbatch_size: None,
            stop_after: None,
            allowed,
            ..options.clone()
        };
        let global = as_it_is(program, function, origins, machine, &own, control)?;
        let mut counts = Table::filled(1, global.function.body.insts.len());
        let mut carried = Table::filled(1, global.function.body.values.len());
        let pairs = Pairs::of(&global.function, function);
        for (own, old) in pairs.insts {
            counts[own] = stands_for.insts[old];
        }
        for (own, old) in pairs.values {
            carried[own] = stands_for.carried[old];
        }
        let of_bound = wanted.is_for_bound;
        let wanted = meshwright_search::Request {
            function: &global.function,
            prepared: &prepare(&global.function),
            roles: &global.roles,
            analysis: &Analysis::on(&global.function, machine.device.platform).standing_for(counts, carried),
            machine,
            fixed: &global.fixed,
            memory_limit: wanted.memory,
            parallelism: options.asked,
            allowed: &own.allowed,
            faster_than: wanted.faster_than,
            is_for_bound: wanted.is_for_bound,
            effort: options.effort,
            reshards: wanted.reshards,
            control,
        };
        let way = match of_bound {
            true => None,
            false => best_allowed(&global, &wanted, options),
        };
        let wanted = meshwright_search::Request { parallelism: wanted.parallelism.or(way), ..wanted };
        let planner = ShardingPlanner::new(&wanted, wanted.fixed);
        let found = search(&planner).map_err(choose::refused)?;
        // As they are kept where there is memory, and then, where that is something else, with what takes less of it.
        let inners = |shardings: Shardings| -> Vec<Self> {
            let kept_so = |kept: Kept| {
                let mut own = shardings.clone();
                let are_converted = options.asked.is_none()
                    && stay_gathered(&global.function, &global.roles, &global.fixed, &mut own, kept);
                (Self { whole: carried_over(&own, &global.function, function) }, are_converted)
            };
            let (first, are_converted) = kept_so(Kept::Converted);
            let mut all = vec![first];
            if are_converted {
                let in_hosts = machine.levels().first().map_or(1, |level| level.size);
                let (over_hosts, _) = kept_so(Kept::OverHosts(in_hosts));
                let plain = kept_so(Kept::Plain).0;
                all.extend([over_hosts, plain]);
                all.dedup_by(|next, own| next.whole == own.whole);
            }
            all
        };
        let all = |shardings: Shardings, evaluation: Evaluation| {
            let (seconds, peak) = (evaluation.seconds, evaluation.peak);
            inners(shardings).into_iter().map(move |inner| Other { inner, seconds, peak })
        };
        let beside = found.beside(&planner, wanted.memory_limit, most);
        let (bound, evaluation, memory) = (found.bound, found.evaluation, wanted.memory_limit);
        let mut best = all(found.shardings, evaluation);
        let Other { inner, seconds, peak } = best.next().expect("there is one way at least");
        let mut others: Vec<Other> = Vec::new();
        for own in best.chain(beside.into_iter().flat_map(|(shardings, own)| all(shardings, own))) {
            if !others.iter().any(|other| other.inner.whole == own.inner.whole) {
                others.push(own);
            }
        }
        Ok(Searched { inner, bound, seconds, peak, memory, others })
    }

    /// A step as it is, for ways that say how it is sharded over a group.
    ///
    /// # Errors
    /// A mesh or annotations that do not fit.
    pub(super) fn unsharded(
        program: &Program,
        function: &Function,
        origins: &Origins,
        machine: &Machine,
        options: &Options,
    ) -> Result<Global, CompileError> {
        let own = Options {
            microbatches: None,
            microbatch_size: None,
            stop_after: None,
            asked: None,
            search: Some(Search::None),
            ..options.clone()
        };
        as_it_is(program, function, origins, machine, &own, &Quiet)
    }

    /// A step that is sharded so.
    pub(super) fn sharded(whole: Shardings) -> Self {
        Self { whole }
    }

    /// The mesh of a group.
    pub(super) fn mesh(&self) -> &Mesh {
        &self.whole.mesh
    }

    /// Bytes of a value of the step on a device.
    pub(super) fn local_bytes(&self, body: &Body, handed: &Handed, value: ValueId) -> u64 {
        let sharding = handed.sharding(value).unwrap_or(&self.whole.values[value]);
        let tensor = body.ty(value).as_tensor();
        tensor.map_or(0, |ty| sharding.local_type(ty, &self.whole.mesh).num_bytes() as u64)
    }

    /// Those of the whole step.
    pub(super) fn whole(&self) -> &Shardings {
        &self.whole
    }

    /// Those of a piece of the step.
    pub(super) fn of_piece(&self, piece: &Piece, handed: &Handed) -> Shardings {
        let (body, whole) = (&piece.function.body, &self.whole);
        let values = piece.values.iter().filter_map(|(value, old)| Some((value, (*old)?)));
        let insts = piece.insts.iter().filter_map(|(inst, old)| Some((inst, (*old)?)));
        let mut own = whole.carried_over(&piece.function, values, insts);
        for (inst, old) in piece.insts.iter() {
            if let (None, [result]) = (old, &body.insts[inst].results[..]) {
                // The sum of what two copies have gathered: kept as they are.
                own.strategies[inst] = elementwise(&own.strategies[inst], &own.values[*result]);
            }
        }
        for (arg, port) in piece.function.args().iter().zip(&piece.takes) {
            if let Port::Value(value) = port
                && let Some(sharding) = handed.sharding(*value)
            {
                own.values[*arg] = sharding.clone();
            }
        }
        let results = piece.function.returned().iter().zip(&piece.gives);
        own.results = results
            .map(|(value, port)| match port {
                Port::Result(index) => whole.results[*index].clone(),
                Port::Value(old) if let Some(sharding) = handed.sharding(*old) => sharding.clone(),
                // An accumulator is left as it was taken.
                Port::Accumulator(_) => {
                    let taken = piece.takes.iter().position(|taken| taken == port);
                    let carried = taken.map_or(*value, |taken| piece.function.args()[taken]);
                    own.values[carried].clone()
                }
                _ => own.values[*value].clone(),
            })
            .collect();
        own
    }
}

/// The best of all ways that constraints leave, where there are some and nothing else says how a step is sharded: a search, of which
/// constraints allow what they allow of its answers, has to beat it.
fn best_allowed(
    global: &Global,
    wanted: &meshwright_search::Request<'_>,
    options: &Options,
) -> Option<ParallelDegrees> {
    let meshwright_search::Request { allowed, machine, memory_limit, fixed, .. } = *wanted;
    let is_open = options.asked.is_none() && options.degrees.is_empty() && fixed.mesh.is_none();
    if allowed.is_empty() || allowed.has_parts() || !is_open {
        return None;
    }
    let ways = InnerWays::of(global, &global.function, machine).ok()?;
    let experts = ways.requested.has_experts();
    let open = DegreeSpace::default().ways(machine.num_devices(), Unsaid::Searched { experts }).ok()?;
    let planner = ShardingPlanner::new(wanted, fixed);
    let priced = |way: &ParallelDegrees| {
        let facts = Facts::of_way(way, machine).ok().filter(|facts| allowed.broken(facts).is_none());
        let evaluation = planner.predict(ways.sharded(facts.map(|_| *way)?).ok()?.whole());
        Some(((evaluation.peak.max(memory_limit), evaluation.seconds, evaluation.peak), *way))
    };
    let priced: Vec<_> = open.par_iter().map(priced).collect();
    let best = priced.into_iter().flatten().reduce(|best, own| if own.0 < best.0 { own } else { best });
    best.map(|(_, way)| way)
}

/// All that ways to shard a step over a group share.
pub(super) struct InnerWays<'a> {
    global: &'a Global,
    requested: RequestedWays<'a>,
    written: WrittenFunction<'a>,
    /// The step as its caller numbers it.
    to: &'a Function,
}

impl<'a> InnerWays<'a> {
    /// Those of a step ([`Inner::unsharded`]).
    ///
    /// # Errors
    /// The machine has no mesh.
    pub(super) fn of(global: &'a Global, to: &'a Function, machine: &'a Machine) -> Result<Self, Refusal> {
        let requested = RequestedWays::new(&global.function, &global.roles, machine)?;
        Ok(Self { global, requested, written: WrittenFunction::of(global), to })
    }

    /// Returns whether experts could be sharded.
    pub(super) fn has_experts(&self) -> bool {
        self.requested.has_experts()
    }

    /// The step as a way shards it.
    ///
    /// # Errors
    /// It does not fit the group or the program.
    pub(super) fn sharded(&self, way: ParallelDegrees) -> Result<Inner, Refusal> {
        let complete = |decisions: &Decisions, known: &mut Option<Propagated>| {
            self.written.complete(decisions, known, &Quiet)
        };
        let found = choose::with_named_axes(self.global, self.requested.shardings(way, &complete)?);
        Ok(Inner { whole: carried_over(&found, &self.global.function, self.to) })
    }
}

/// Shardings of a step as a plan file has them, and with what follows from them.
fn written(
    program: &Program,
    global: &Global,
    machine: &Machine,
    found: &Shardings,
) -> (PlanFile, Shardings) {
    let Minimized { decisions, shardings, .. } = WrittenFunction::of(global).settle(found, &global.fixed);
    let found = &shardings;
    let mut plan = report::decisions(program, &global.function, &global.roles, machine, found);
    let recognized = recognize(&global.function, &global.roles, found);
    plan.degrees = recognized.degrees(&found.mesh);
    plan.uneven = uneven(&global.function, &global.roles, &recognized, found);
    plan.parallelism = recognized.parts;
    let names = &global.names(program);
    let named = Named { function: &global.function, names, place: &|_| None };
    codec::write(&mut plan, &decisions, &found.mesh, named);
    (plan, shardings)
}

/// A step as it stands, with what its annotations fix.
fn as_it_is(
    program: &Program,
    function: &Function,
    origins: &Origins,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Global, CompileError> {
    let program = program.with_only(function.clone());
    let source = Source::new("step", "");
    let request = Request {
        original: &program,
        source: &source,
        machine,
        options,
        control,
        stages: Stages::new(&stages::stages(), options, control)?,
        reshards: Planner::default(),
    };
    Global::as_it_is(&request, function.clone(), origins.clone())
}

/// The strategy of an elementwise instruction that makes a result of this sharding.
fn elementwise(open: &Strategy, sharding: &Sharding) -> Strategy {
    let mut strategy = open.clone();
    for (factor, dim) in strategy.axes.iter_mut().zip(&sharding.dims) {
        factor.clone_from(&dim.axes);
    }
    strategy
}

/// Shardings of a function that is another one with other numbers: the same instructions in the same order.
fn carried_over(found: &Shardings, from: &Function, to: &Function) -> Shardings {
    let Pairs { values, insts, .. } = Pairs::of(from, to);
    let values = values.into_iter().map(|(old, new)| (new, old));
    let mut own = found.carried_over(to, values, insts.into_iter().map(|(old, new)| (new, old)));
    own.results.clone_from(&found.results);
    own
}

/// What is the same in two bodies.
struct Pairs<'a> {
    from: &'a Body,
    to: &'a Body,
    values: Vec<(ValueId, ValueId)>,
    insts: Vec<(InstId, InstId)>,
}

impl<'a> Pairs<'a> {
    fn of(from: &'a Function, to: &'a Function) -> Self {
        let mut pairs = Self { from: &from.body, to: &to.body, values: Vec::new(), insts: Vec::new() };
        pairs.regions(from.body.entry(), to.body.entry());
        pairs
    }

    fn regions(&mut self, from: RegionId, to: RegionId) {
        let (one, other) = (&self.from.regions[from], &self.to.regions[to]);
        assert_eq!(one.insts.len(), other.insts.len(), "the step is in its normal form already");
        self.values.extend(one.args.iter().copied().zip(other.args.iter().copied()));
        for (inst, twin) in one.insts.iter().zip(&other.insts) {
            let (own, same) = (&self.from.insts[*inst], &self.to.insts[*twin]);
            assert_eq!(own.op.name(), same.op.name(), "the step is in its normal form already");
            self.values.extend(own.results.iter().copied().zip(same.results.iter().copied()));
            self.insts.push((*inst, *twin));
            for (inner, twin) in own.regions.iter().zip(&same.regions) {
                self.regions(*inner, *twin);
            }
        }
    }
}
