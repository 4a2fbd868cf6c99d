//! Why this plan, one sentence each.
//!
//! Input: what a search found and which plan of it was taken. Output: the search's own reasons, and beside them what the
//! simplest plan costs, what is not as asked for, what is sent again for memory, what annotations cost, and what each group
//! of arguments could be instead.

use meshwright_analyze::{Recognized, recognize};
use meshwright_ir::mesh::Mesh;
use meshwright_plan::{Decisions, Policies, Policy};
use meshwright_search::{Outcome, ParallelDegrees, Request, ShardingPlanner, as_requested, search_mesh};
use meshwright_shard::Propagated;

use crate::asked;
use crate::cost_of_pins::{Without, cost_of_pins};
use crate::next_best;
use crate::simplest::{self, Simplest};

/// What a search found, and the plan of it that was taken.
pub(crate) struct Taken<'a> {
    pub(crate) outcome: &'a Outcome,
    /// The plan that was taken instead of the best.
    pub(crate) simpler: Option<&'a Simplest>,
    /// Its memory policies.
    pub(crate) policies: &'a Policies,
    /// Its mesh, with the axes named.
    pub(crate) mesh: &'a Mesh,
    /// What it amounts to.
    pub(crate) uses: &'a Recognized,
}

/// All reasons, in the order in which they are read.
pub(crate) fn reasons(planner: &ShardingPlanner<'_>, taken: &Taken<'_>) -> Vec<String> {
    let Taken { outcome, simpler, policies, mesh, uses } = *taken;
    let Request { function, fixed, parallelism, .. } = *planner.request();
    let is_feasible = outcome.is_feasible();
    let mut own = outcome.reasons.iter().cloned();
    let mut reasons = Vec::new();
    reasons.extend(nothing_shared(mesh.num_devices(), uses).filter(|_| is_feasible));
    reasons.extend(own.next().map(|first| match simpler {
        Some(_) => first.replacen("this plan", "the best plan", 1),
        None => first,
    }));
    reasons.extend(own.next());
    reasons.extend(match simpler {
        Some(simpler) => Some(simpler.reason.clone()),
        None => simplest::nearest_style(outcome).filter(|_| is_feasible),
    });
    reasons.extend(own);
    let requested = parallelism.filter(|_| fixed.mesh.is_none());
    reasons.extend(requested.and_then(|degrees| unlike_requested(planner, degrees)));
    reasons.extend(gathered_again(policies));
    reasons.extend(made_again(policies));
    if simpler.is_none() {
        if is_feasible {
            let without = |rest: &Decisions| without(planner, outcome, rest);
            reasons.extend(cost_of_pins(function, fixed, mesh, outcome.evaluation.seconds, &without));
        }
        reasons.extend(next_best::sentences(function, &outcome.choices, mesh));
    }
    reasons
}

/// What the mesh of the plan comes to with less decided.
fn without(planner: &ShardingPlanner<'_>, outcome: &Outcome, fixed: &Decisions) -> Without {
    let below = outcome.evaluation.seconds;
    let request = planner.request();
    let found = search_mesh(&ShardingPlanner::new(request, fixed), outcome.mesh(), Some(below));
    match found.plan.filter(|plan| plan.evaluation.fits(request.memory_limit)) {
        Some(plan) => Without::Faster(plan.evaluation.seconds),
        None if found.is_proven && found.bound.0 >= below.0 * (1.0 - 1e-6) => Without::NothingFaster,
        None => Without::Unknown,
    }
}

/// Where the caller's own way, which is priced beside the plan, is not what was asked for.
fn unlike_requested(planner: &ShardingPlanner<'_>, degrees: ParallelDegrees) -> Option<String> {
    let Request { function, roles, machine, .. } = *planner.request();
    let wanted = degrees.degrees(machine.num_devices()).ok()?;
    let complete = |decisions: &Decisions, _: &mut Option<Propagated>| planner.shardings(decisions);
    let shardings = as_requested(function, roles, machine, degrees, &complete).ok()?;
    let found = recognize(function, roles, &shardings).degrees(&shardings.mesh);
    let difference = asked::difference(&wanted, &found, roles)?;
    Some(format!("as asked ({degrees}): asked for {difference}"))
}

/// Why nothing is shared by the devices, where the fastest plan shares nothing, and what to do.
fn nothing_shared(num_devices: usize, recognized: &Recognized) -> Option<String> {
    let is_whole = recognized.uses.iter().all(|(_, uses)| uses.main.is_none());
    (num_devices > 1 && is_whole).then(|| {
        "the devices do nearly all of the work alike: the step is so small that messages would take longer than \
         sharing it saves; a larger batch or model would be shared, and one device is about as fast"
            .to_owned()
    })
}

/// What is sent again because memory is short.
fn gathered_again(policies: &Policies) -> Option<String> {
    let count = policies.count(Policy::GatherAgain);
    let operands = if count == 1 { "operand is" } else { "operands are" };
    (count > 0).then(|| {
        format!("memory: {count} {operands} gathered again where they are read, so that no copy is kept until then")
    })
}

/// What is computed again because it was asked for.
fn made_again(policies: &Policies) -> Option<String> {
    let count = policies.made_again().len();
    let values = if count == 1 { "value is" } else { "values are" };
    (count > 0).then(|| {
        format!("memory: {count} {values} computed again in the backward pass, so that they are not kept until then")
    })
}
