//! The last phase: the plan, with what it will cost and why.
//!
//! Input: what the other phases left behind. Output: [`PlanFile`].

use meshwright_analyze::batch;
use meshwright_cost::analysis::Analysis;
use meshwright_ir::diagnostic::Span;
use meshwright_machine::Machine;
use meshwright_plan::plan_file::codec::{self, Named};
use meshwright_plan::plan_file::{PlanMicrobatches, PlanPolicy};
use meshwright_plan::{Degrees, PlanFile, Policy};
use meshwright_shard::REPLICATED;
use meshwright_spmd::device_order_seconds;
use std::collections::BTreeSet;

use crate::decided::{Chosen, Decided};
use crate::driver::Request;
use crate::global::Global;
use crate::lowered::Lowered;
use crate::microbatch_size::replicas;
use crate::ranks::ranks;
use crate::transform::warnings;
use crate::{asked, collective_stats, figures, host, report, uneven};

/// The plan of a lowered program. Warns of what is replicated.
pub(crate) fn describe(
    request: &Request<'_>,
    global: &Global,
    decided: &Decided<'_>,
    lowered: &Lowered,
) -> PlanFile {
    let Request { original, source, machine, options, .. } = request;
    let (chosen, decisions) = (&decided.chosen, &decided.minimized().decisions);
    let Chosen { function, shardings, estimate, .. } = chosen;
    let roles = &global.roles;
    let mut plan = report::decisions(original, function, roles, machine, shardings);
    let names = &global.names(original);
    let place = |span: Span| (span != Span::NONE).then(|| source.locate(span));
    codec::write(&mut plan, decisions, chosen.mesh(), Named { function, names, place: &place });
    say_what_is_inside(&mut plan, global);
    let analysis = Analysis::on(function, machine.device.platform);
    let facts = facts(request, global, chosen, lowered, &analysis);
    report::predict(&mut plan, estimate, &facts, request.memory_limit(), source);
    plan.memory.device_bytes = Some(machine.device.memory.0);
    plan.memory.headroom = options.given_memory_limit().is_none().then_some(machine.device.memory_headroom);
    plan.memory.host = host::memory(request, global, chosen);
    plan.degrees = lowered.recognized.degrees(chosen.mesh());
    plan.model.clone_from(&options.model);
    plan.attention.clone_from(&global.attention);
    plan.recompute.clone_from(&global.again_in_words);
    plan.recomputes_anew = global.recomputes_anew;
    plan.microbatches = microbatches(global, &plan.degrees);
    if let (None, Some(asked)) = (&chosen.searched, options.asked) {
        let asked = asked.degrees(machine.num_devices()).expect("it was laid over the machine");
        plan.asked = asked::difference(&asked, &plan.degrees, roles);
    }
    plan.parallelism.clone_from(&lowered.recognized.parts);
    plan.uneven = uneven::uneven(function, roles, &lowered.recognized, shardings);
    plan.collectives = collective_stats::collectives(&lowered.device);
    plan.passes.clone_from(&lowered.passes.changes);
    plan.ranks = ranks(&lowered.placement);
    warn_of_replicated(&mut plan, request, decided);
    say_why(&mut plan, chosen, machine);
    plan
}

/// How the batch of a step is cut, into one microbatch too; none of what trains on no batch.
fn microbatches(global: &Global, degrees: &Degrees) -> Option<PlanMicrobatches> {
    let Some(axis) = &global.time else {
        let batch = batch::size(&global.function, &global.roles)?;
        return Some(PlanMicrobatches::new(1, batch, batch, 1, replicas(degrees)));
    };
    let examples = axis.size / axis.count;
    Some(PlanMicrobatches {
        local_statistics: global.local_statistics.clone(),
        loops_written_out: global.written_out.clone(),
        ..PlanMicrobatches::new(axis.count, examples, axis.size, axis.passes, replicas(degrees))
    })
}

/// What figures of a lowered program are worked out from.
pub(crate) fn facts<'a>(
    request: &Request<'a>,
    global: &'a Global,
    chosen: &'a Chosen,
    lowered: &'a Lowered,
    analysis: &'a Analysis<'a>,
) -> figures::Facts<'a> {
    figures::Facts {
        original: request.original,
        function: &chosen.function,
        roles: &global.roles,
        analysis,
        shardings: &chosen.shardings,
        placement: &lowered.placement,
        model: &lowered.model,
        account: &lowered.account,
        drives: request.machine.drive_seconds(chosen.estimate.memory.host),
        border: device_order_seconds(&lowered.device, &lowered.placement),
        examples: global.time.as_ref().map(|axis| axis.size),
    }
}

/// Says what runs in tiles, and what is made again also where its names are gone: inside of tiles, and of loops of which less
/// is left.
fn say_what_is_inside(plan: &mut PlanFile, global: &Global) {
    plan.tiles.clone_from(&global.tiles);
    let known: BTreeSet<(String, String)> =
        plan.policies.iter().map(|entry| (entry.value.clone(), entry.reader.clone())).collect();
    let lost = global.again.iter().filter(|again| !known.contains(again));
    let policy = |(value, reader): &(String, String)| PlanPolicy {
        value: value.clone(),
        reader: reader.clone(),
        place: None,
        policy: Policy::Recompute.name().to_owned(),
    };
    plan.policies.extend(lost.map(policy));
}

fn warn_of_replicated(plan: &mut PlanFile, request: &Request<'_>, decided: &Decided) {
    for warning in warnings(&decided.chosen.function, &decided.minimized().values, &decided.chosen.shardings)
    {
        request.control.warn(&warning);
        if warning.check == REPLICATED {
            plan.replicated.push(format!("{}: {}", request.source.locate(warning.span), warning.message));
        }
    }
}

/// Why this plan, what else there is, and what was not considered.
fn say_why(plan: &mut PlanFile, chosen: &Chosen, machine: &Machine) {
    let Some(searched) = &chosen.searched else {
        plan.not_searched = vec!["what the given shardings leave open (it is replicated)".to_owned()];
        plan.not_searched.extend(meshwright_search::not_searched(machine).map(str::to_owned));
        return;
    };
    let compared = report::compared_by(&plan.predicted, &plan.memory, &searched.evaluation);
    plan.reasons = compared.into_iter().chain(searched.reasons.iter().cloned()).collect();
    // In the order that was taken the plan may take less than in that which was searched.
    plan.bound_seconds = searched.bound.map(|bound| bound.min(plan.predicted.before_passes_seconds));
    plan.alternatives.clone_from(&searched.alternatives);
    plan.not_searched.clone_from(&searched.not_searched);
    plan.unfinished = searched.is_interrupted;
}
