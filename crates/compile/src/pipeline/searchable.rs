//! Searches for how a step is sharded over a group, within one memory after the other.
//!
//! Input: a step in which instructions stand for others. Output: [`Searched`] for each memory. What does not depend on the memory
//! is found out once: what is fixed, what is known of the step, the problems of meshes and what common styles take.

use meshwright_cost::Analysis;
use meshwright_cost::reshard::Planner;
use meshwright_ir::control::Control;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::origin::Origins;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::Shardings;
use meshwright_search::{
    DegreeSpace, Evaluation, Facts, ParallelDegrees, Request, ShardingPlanner, Unsaid, search,
};
use meshwright_shard::{Prepared, prepare};
use rayon::prelude::*;

use super::inner::{Inner, InnerWays, Pairs, as_it_is, carried_over};
use super::stay_gathered::{Copied, Kept, copies_stay_gathered, stay_gathered};
use crate::choose;
use crate::error::CompileError;
use crate::global::Global;
use crate::options::Options;

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
    /// Whether only a bound is of interest.
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

/// A step that is searched.
pub(super) struct Searchable<'a> {
    wanted: Wanted<'a>,
    /// What is said of groups.
    options: Options,
    global: Global,
    prepared: Prepared,
    stands_for: StandsFor,
}

impl<'a> Searchable<'a> {
    /// # Errors
    /// As [`Inner::of`].
    pub(super) fn of(wanted: Wanted<'a>, control: &dyn Control) -> Result<Self, CompileError> {
        let Wanted { program, function, origins, stands_for, machine, options, .. } = wanted;
        let options = Options {
            microbatches: None,
            microbatch_size: None,
            stop_after: None,
            allowed: options.allowed.apart().1,
            ..options.clone()
        };
        let global = as_it_is(program, function, origins, machine, &options, control)?;
        let mut insts = Table::filled(1, global.function.body.insts.len());
        let mut carried = Table::filled(1, global.function.body.values.len());
        let pairs = Pairs::of(&global.function, function);
        for (own, old) in pairs.insts {
            insts[own] = stands_for.insts[old];
        }
        for (own, old) in pairs.values {
            carried[own] = stands_for.carried[old];
        }
        let (prepared, stands_for) = (prepare(&global.function), StandsFor { insts, carried });
        Ok(Self { wanted, options, global, prepared, stands_for })
    }

    /// What is known of the step, however it is sharded.
    pub(super) fn analysis(&self) -> Analysis<'_> {
        let StandsFor { insts, carried } = &self.stands_for;
        let platform = self.wanted.machine.device.platform;
        Analysis::on(&self.global.function, platform).standing_for(insts.clone(), carried.clone())
    }

    /// Its searches.
    pub(super) fn searches<'s>(
        &'s self,
        analysis: &'s Analysis<'s>,
        control: &'s dyn Control,
    ) -> Searches<'s> {
        let Self { wanted, options, global, prepared, .. } = self;
        let request = Request {
            function: &global.function,
            prepared,
            roles: &global.roles,
            analysis,
            machine: wanted.machine,
            fixed: &global.fixed,
            memory_limit: Bytes(u64::MAX),
            parallelism: options.asked,
            allowed: &options.allowed,
            faster_than: None,
            is_for_bound: wanted.is_for_bound,
            effort: options.effort,
            reshards: wanted.reshards,
            control,
        };
        Searches { of: self, planner: ShardingPlanner::new(&request, request.fixed) }
    }
}

/// Searches of one step.
pub(super) struct Searches<'s> {
    of: &'s Searchable<'s>,
    planner: ShardingPlanner<'s>,
}

impl Searches<'_> {
    /// Searches for shardings within so much memory of each device; only such that take less than a time are of interest.
    ///
    /// # Errors
    /// As [`Inner::of`].
    pub(super) fn within(
        &self,
        memory: Bytes,
        faster_than: Option<Seconds>,
    ) -> Result<Searched, CompileError> {
        let Searchable { wanted, global, .. } = self.of;
        let Wanted { function, machine, options, others: most, .. } = *wanted;
        let planner = self.planner.within(memory, faster_than);
        let way = match wanted.is_for_bound {
            true => None,
            false => best_allowed(global, &planner, options),
        };
        let planner = planner.beating(way);
        let found = search(&planner).map_err(choose::refused)?;
        // As they are kept where there is memory, and then, where that is something else, with what takes less of it.
        let inners = |shardings: Shardings| -> Vec<Inner> {
            let kept_so = |kept: Kept| {
                let mut own = shardings.clone();
                let Global { function: step, roles, fixed, .. } = global;
                let kept = (kept, Copied::of(options));
                let are_converted = options.asked.is_none() && {
                    let are_converted = stay_gathered(step, roles, fixed, &mut own, kept);
                    are_converted | copies_stay_gathered(step, roles, fixed, &mut own, kept)
                };
                (Inner::sharded(carried_over(&own, &global.function, function)), are_converted)
            };
            let (first, are_converted) = kept_so(Kept::Converted);
            let mut all = vec![first];
            if are_converted {
                let in_hosts = machine.levels().first().map_or(1, |level| level.size);
                let (over_hosts, _) = kept_so(Kept::OverHosts(in_hosts));
                let plain = kept_so(Kept::Plain).0;
                all.extend([over_hosts, plain]);
                all.dedup_by(|next, own| next.whole() == own.whole());
            }
            all
        };
        let all = |shardings: Shardings, evaluation: Evaluation| {
            let (seconds, peak) = (evaluation.seconds, evaluation.peak);
            inners(shardings).into_iter().map(move |inner| Other { inner, seconds, peak })
        };
        let beside = found.beside(&planner, memory, most);
        let (bound, evaluation) = (found.bound, found.evaluation);
        let mut best = all(found.shardings, evaluation);
        let Other { inner, seconds, peak } = best.next().expect("there is one way at least");
        let mut others: Vec<Other> = Vec::new();
        for own in best.chain(beside.into_iter().flat_map(|(shardings, own)| all(shardings, own))) {
            if !others.iter().any(|other| other.inner.whole() == own.inner.whole()) {
                others.push(own);
            }
        }
        Ok(Searched { inner, bound, seconds, peak, memory, others })
    }
}

/// The best of all ways that constraints leave, where there are some and nothing else says how a step is sharded: a search, of which
/// constraints allow what they allow of its answers, has to beat it.
fn best_allowed(
    global: &Global,
    planner: &ShardingPlanner<'_>,
    options: &Options,
) -> Option<ParallelDegrees> {
    let Request { allowed, machine, memory_limit, fixed, .. } = *planner.request();
    let is_open = options.asked.is_none() && options.degrees.is_empty() && fixed.mesh.is_none();
    if allowed.is_empty() || allowed.has_parts() || !is_open {
        return None;
    }
    let ways = InnerWays::of(global, &global.function, machine, Copied::of(options)).ok()?;
    let experts = ways.has_experts();
    let open = DegreeSpace::default().ways(machine.num_devices(), Unsaid::Searched { experts }).ok()?;
    let priced = |way: &ParallelDegrees| {
        let facts = Facts::of_way(way, machine).ok().filter(|facts| allowed.broken(facts).is_none());
        let evaluation = planner.predict(ways.sharded(facts.map(|_| *way)?).ok()?.whole());
        Some(((evaluation.peak.max(memory_limit), evaluation.seconds, evaluation.peak), *way))
    };
    let priced: Vec<_> = open.par_iter().map(priced).collect();
    let best = priced.into_iter().flatten().reduce(|best, own| if own.0 < best.0 { own } else { best });
    best.map(|(_, way)| way)
}
