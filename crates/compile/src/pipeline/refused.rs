//! Why a step does not become the pipeline that was asked for.

use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::schedule_text::SCHEDULE;
use meshwright_plan::table::Fault;
use meshwright_plan::{Event, Names};
use meshwright_schedule::{Named, Number};
use meshwright_search::{Clause, Constraints};
use meshwright_stage::{Refusal, Weights};

use super::{PipelineFigures, SLICES};
use crate::error::CompileError;
use crate::offload::Offload;
use crate::options::{Options, Statistics, Tiles};
use crate::ways::ALLOWED;

/// A step cannot be cut into the stages that were asked for.
const STAGES: Check = Check("stages");

/// A group needs more memory than its devices have.
const FITS: Check = Check("memory");

fn options(diagnostic: Diagnostic) -> CompileError {
    CompileError::Options(Box::new(diagnostic))
}

/// Nothing is computed of parameters and data.
pub(super) fn nothing_to_cut() -> CompileError {
    let problem =
        "stages are parts of what is computed of parameters for a batch of data, and here nothing is";
    options(
        Diagnostic::error(STAGES, Span::NONE, problem).hint("give a whole training step, or a forward pass"),
    )
}

/// No combination of the numbers is possible.
pub(crate) fn no_numbers() -> CompileError {
    let problem = "no pipeline of these numbers is possible: give others, or `search`";
    options(Diagnostic::error(STAGES, Span::NONE, problem))
}

/// So many places are named where there are too few.
const NAMED: usize = 4;

/// What to do with a step that has no stages.
const WITHOUT: &str = "run it without stages";

/// What stands in the way of stages, at its place; with the numbers of stages that are possible, and where they are cut.
pub(super) fn stages(refusal: &Refusal, function: &Function, names: &Names) -> CompileError {
    let span = refusal.inst().map_or(Span::NONE, |inst| function.body.insts[inst].span);
    let diagnostic = Diagnostic::error(STAGES, span, refusal.to_string());
    let Refusal::TooFewPlaces { places, .. } = refusal else {
        let is_of_cut = matches!(refusal, Refusal::Crossed { .. } | Refusal::NotThere { .. });
        return if is_of_cut { diagnostic.hint(WITHOUT) } else { diagnostic }.into();
    };
    let named = places.iter().take(NAMED).map(|inst| format!("`{}`", names.of_inst(*inst)));
    let named = named.collect::<Vec<_>>().join(", ");
    let hint = match places.len() {
        0 => WITHOUT.to_owned(),
        1 => format!("it can be cut into 2 stages, behind {named}"),
        more => {
            let others = if more > NAMED { ", ..." } else { "" };
            format!(
                "it can be cut into 2 to {} stages: the fewest values cross behind {named}{others}",
                more + 1
            )
        }
    };
    diagnostic.hint(hint).into()
}

/// The same for groups that have several stages each: how many groups are possible.
pub(super) fn stages_of_groups(error: CompileError, refusal: &Refusal, each: usize) -> CompileError {
    match (error, refusal) {
        (CompileError::Diagnostics(found), Refusal::TooFewPlaces { places, .. }) if each > 1 => {
            let most = (places.len() + 1) / each;
            let hint = match most {
                0 | 1 => format!(
                    "these are too few for {each} stages on each of two groups: take a schedule with fewer"
                ),
                most => format!("with {each} stages on each group, `--stages` can be up to {most}"),
            };
            let hinted = |diagnostic: Diagnostic| diagnostic.hint(hint.clone());
            CompileError::Diagnostics(found.into_iter().map(hinted).collect())
        }
        (error, _) => error,
    }
}

/// Says of a step that it has too few parts for so many stages. Parts are layers, and what comes before the first and behind
/// the last, where a stage can begin or end there.
pub(super) fn too_many_stages(stages: usize, parts: usize) -> String {
    format!("the step is not cut into {stages} stages: it has places for at most {parts}")
}

/// Says of layers of stages that they are not those of the step, which has so many, and why.
pub(super) fn layers_of_stages(layers: &[usize], all: usize, why: &str) -> String {
    let said: Vec<String> = layers.iter().map(usize::to_string).collect();
    let said = said.join(", ");
    match all {
        0 => format!("stages of {said} layers: {why}"),
        _ => format!("stages of {said} layers are not those of {}: {why}", count(all)),
    }
}

fn count(layers: usize) -> String {
    if layers == 1 { "one layer".to_owned() } else { format!("{layers} layers") }
}

/// A rule of a schedule that the numbers break.
pub(super) fn schedule(refusal: &meshwright_schedule::Refusal) -> CompileError {
    let flag = |number: Number| match number {
        Number::Groups => "--stages",
        Number::VirtualStages => "--virtual-stages",
        Number::Microbatches => "--microbatches",
    };
    let diagnostic = Diagnostic::error(SCHEDULE, Span::NONE, refusal.rule.clone());
    let ways = refusal.ways(|number, value| format!("`{} {value}`", flag(number)));
    options(match ways {
        Some(ways) => diagnostic.hint(format!("it is possible with {ways}")),
        None => diagnostic,
    })
}

/// What is wrong with a table.
pub(super) fn table(faults: Vec<Fault>) -> CompileError {
    let diagnostic = |fault: &Fault| Diagnostic::error(SCHEDULE, Span::NONE, fault.message.clone());
    options(
        faults
            .first()
            .map_or_else(|| Diagnostic::error(SCHEDULE, Span::NONE, "the table is wrong"), diagnostic),
    )
}

/// A group of a table has nothing to do.
pub(super) fn idle_row(row: usize) -> CompileError {
    let problem = format!("row {row} of the table has no action: the devices of this group would do nothing");
    options(
        Diagnostic::error(SCHEDULE, Span::NONE, problem).hint("leave the row out, and take fewer `--stages`"),
    )
}

/// A table has an event that is not its own to place.
pub(super) fn placed_anew(event: &Event) -> CompileError {
    let problem = format!(
        "`{event}` stands in the table, but copies of parameters, transfers and updates are placed where the stages need \
         them, not by a table"
    );
    options(Diagnostic::error(SCHEDULE, Span::NONE, problem).hint("leave it out"))
}

/// Refuses options of one program for all devices that say nothing of stages.
pub(super) fn what_stages_lack(asked: &Options) -> Result<(), CompileError> {
    let Options { tiles, offload, microbatch_statistics, simplest_within, .. } = asked;
    let all = [
        ("tiles", tiles.is_some_and(|tiles| tiles != Tiles::None)),
        ("offload", offload.as_ref().is_some_and(|offload| *offload != Offload::None)),
        ("statistics of each microbatch by itself", *microbatch_statistics == Some(Statistics::Local)),
        ("simplest plan", simplest_within.is_some()),
    ];
    match all.into_iter().find(|(_, is_said)| *is_said) {
        Some((what, _)) => {
            let problem = format!("stages of a pipeline have no {what}");
            Err(options(Diagnostic::error(STAGES, Span::NONE, problem)))
        }
        None => Ok(()),
    }
}

/// What lacks in a table that runs forward alone.
pub(super) const NO_BACKWARD: &str = "the step trains, but the table has no backward pass: `0B0` is missing";

/// A table without backward passes of a step that trains.
pub(super) fn no_backward() -> CompileError {
    let hint = "add the backward pass of each stage and microbatch (`0B0`, or `0I0` and `0W0`)";
    options(Diagnostic::error(SCHEDULE, Span::NONE, NO_BACKWARD).hint(hint))
}

/// A step whose stages have two copies needs something of all examples first.
pub(super) fn prepass_of_copies() -> CompileError {
    let problem = "this step has to see all examples before any of them goes on, which two copies of each stage would have \
                   to do together";
    options(
        Diagnostic::error(SCHEDULE, Span::NONE, problem)
            .hint("take a schedule with one copy of the weights, such as `1f1b`"),
    )
}

/// A backward pass would begin before forward passes that gather what it reads.
pub(super) fn backward_too_early() -> CompileError {
    let problem = "a backward pass begins before the last forward pass, but the plan's forward passes gather what all \
                   examples have to be seen for";
    options(
        Diagnostic::error(SCHEDULE, Span::NONE, problem)
            .hint("take a schedule such as `gpipe`, or plan again with this `--schedule`: all examples then pass once before"),
    )
}

/// Copies of stages are not those of whole pipelines.
pub(super) fn mixed_copies() -> CompileError {
    let problem =
        "a stage stands in several rows, and its microbatches do not go on to one copy of each other stage";
    let hint = "a stage has one row, or two, and then all that enters at a copy of stage 0 passes through the same copies";
    options(Diagnostic::error(SCHEDULE, Span::NONE, problem).hint(hint))
}

/// Why a schedule is none of degrees, which say one copy of each stage, and microbatches of the batch; none if it is.
pub(super) fn schedule_of_way(schedule: &Named) -> Option<String> {
    let name = schedule.name;
    let what = match schedule.copies {
        1 if name == SLICES => "runs slices of the sequence, and degrees are of microbatches of the batch",
        1 => return None,
        _ => "keeps two copies of each stage, and degrees are of one",
    };
    Some(format!("`{name}` {what}: give `--stages` in place of `--pp`"))
}

/// Constraints leave no number of groups, of those that are possible.
pub(super) fn stages_not_allowed(allowed: &Constraints, possible: &[usize]) -> CompileError {
    let possible: Vec<String> = possible.iter().map(usize::to_string).collect();
    not_allowed(format!("`{allowed}` leaves no pipeline: there may be {} groups", possible.join(", ")))
}

/// What constraints leave has more stages than the step can be cut into.
pub(super) fn cannot_be_cut_as_allowed(allowed: &Constraints) -> CompileError {
    not_allowed(format!("`{allowed}` leaves no pipeline that the step can be cut into"))
}

/// A constraint rules out the numbers that are given.
pub(super) fn numbers_not_allowed(clause: &Clause, (groups, each): (usize, usize)) -> CompileError {
    not_allowed(format!("`{clause}` rules out {groups} groups with {each} stages each, which are asked for"))
}

fn not_allowed(problem: String) -> CompileError {
    let problem = Diagnostic::error(ALLOWED, Span::NONE, problem).hint("allow more with `--allow`");
    CompileError::NotAllowed(Box::new(problem))
}

/// No combination of groups, microbatches and schedules fits; the one that needs least needs so much.
pub(super) fn no_stages_fit(limit: Bytes, closest: Option<(Bytes, usize, usize)>) -> CompileError {
    let closest = closest.map_or_else(String::new, |(needed, groups, microbatches)| {
        let plural =
            |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        let groups = plural(groups, "group", "groups");
        let microbatches = plural(microbatches, "microbatch", "microbatches");
        format!("; the closest, {groups} and {microbatches}, needs {needed}")
    });
    let problem = format!(
        "no pipeline fits: every one that was looked at needs more than {limit} on some device{closest}"
    );
    let hint = "more devices, more `--stages` or `--microbatches`, or `--recompute search` need less on each";
    CompileError::NotAllowed(Box::new(Diagnostic::error(FITS, Span::NONE, problem).hint(hint)))
}

/// A group needs more memory than its devices have.
pub(super) fn too_large(figures: &PipelineFigures, group: usize, needed: Bytes, limit: Bytes) -> Diagnostic {
    let stages = figures.stages.iter().enumerate();
    let stages = stages.filter(|(_, stage)| stage.groups.contains(&group));
    let stages: Vec<String> = stages.map(|(stage, _)| stage.to_string()).collect();
    let message = format!(
        "group {group} with stage {} needs {needed} on each device, {} more than the {limit} that there are",
        stages.join(" and "),
        Bytes(needed.0 - limit.0),
    );
    let hint = "more stages, or more devices in each group, hold less each; `1f1b` keeps fewer microbatches than `gpipe`";
    Diagnostic::error(FITS, Span::NONE, message).hint(hint)
}

/// A warning that a pipeline which was chosen is made with other stages.
pub(super) fn other_segments() -> Diagnostic {
    let message = "the step has other places to cut than it was planned with: its stages are made equally long, and make \
                   nothing again that was planned so";
    Diagnostic::warning(STAGES, Span::NONE, message).hint("`--recompute` says what all stages make again")
}

/// No number of groups and microbatches is that of a pipeline.
pub(super) fn no_pipeline() -> CompileError {
    let message = "a pipeline has at least two groups of devices and two microbatches, and none of these numbers are those of one";
    options(
        Diagnostic::error(SCHEDULE, Span::NONE, message)
            .hint("take more `--microbatches`, and `--stages` that divide the devices"),
    )
}

/// A warning of a pipeline of so many microbatches and groups that never fills; none if it does.
pub(super) fn never_full(
    (microbatches, groups): (usize, usize),
    figures: &PipelineFigures,
) -> Option<Diagnostic> {
    if microbatches >= groups {
        return None;
    }
    let bubble = 100.0 * figures.bubble();
    let never = if microbatches == 1 { "microbatch never fills" } else { "microbatches never fill" };
    let message = format!("{microbatches} {never} {groups} groups, which wait for {bubble:.0} % of the step");
    let warning = Diagnostic::warning(SCHEDULE, Span::NONE, message);
    Some(warning.hint(format!("take at least `--microbatches {groups}`")))
}

/// Weights of earlier steps are not for this pipeline.
pub(super) fn weights(weights: Weights, rule: &str) -> CompileError {
    let message = format!("microbatches cannot read {} weights here: {rule}", weights.name());
    options(Diagnostic::error(SCHEDULE, Span::NONE, message).hint("leave out `--delayed-weights`"))
}

/// No stage waits for another one in its update.
pub(super) fn nothing_to_validate() -> Diagnostic {
    let message = "post-validation changes nothing here: no stage needs a norm or a check of another one to update its state";
    Diagnostic::warning(SCHEDULE, Span::NONE, message)
}

/// The devices of one of so many groups of a machine.
pub(super) fn part(machine: &Machine, groups: usize) -> Result<Machine, CompileError> {
    let count = machine.num_devices();
    let size = count.checked_div(groups).filter(|_| count.is_multiple_of(groups));
    size.and_then(|size| machine.part(size)).ok_or_else(|| {
        let problem =
            format!("the {count} devices of {} do not divide into {groups} equal groups", machine.spec());
        let possible = (1..=count)
            .filter(|groups| count.is_multiple_of(*groups) && machine.part(count / groups).is_some());
        let possible: Vec<String> = possible.map(|groups| groups.to_string()).collect();
        let hint = format!("`--stages` can be {}", possible.join(", "));
        options(Diagnostic::error(STAGES, Span::NONE, problem).hint(hint))
    })
}

/// A table has another number of something than was asked for.
pub(super) fn other_number(flag: &str, what: &str, there: usize, asked: usize) -> CompileError {
    let problem = format!("the table has {there} {what}, but {asked} are asked for");
    options(Diagnostic::error(SCHEDULE, Span::NONE, problem).hint(format!("say `{flag} {there}`")))
}

/// The mesh that is given for each group has another number of devices than a group.
pub(super) fn mesh_of_groups(machine: &Machine, groups: usize, wanted: usize, each: usize) -> CompileError {
    let problem = format!(
        "the mesh of each group is given with {}, but each of the {groups} groups of {} has {each}",
        devices(wanted),
        machine.spec()
    );
    let hint = format!(
        "give sizes that multiply to {each}, or a machine of {} (`--machine`)",
        devices(wanted * groups)
    );
    options(Diagnostic::error(STAGES, Span::NONE, problem).hint(hint))
}

/// So many devices, in words.
fn devices(count: usize) -> String {
    format!("{count} device{}", if count == 1 { "" } else { "s" })
}

/// Meshes of groups are not as many as these.
pub(super) fn other_number_of_meshes(there: usize, groups: usize) -> CompileError {
    let problem = format!(
        "`--stage-mesh` has {there} mesh{}, but there are {groups} groups",
        if there == 1 { "" } else { "es" }
    );
    let hint = "give one mesh for each group: `--stage-mesh 'data=2,model=2; data=4'`";
    options(Diagnostic::error(STAGES, Span::NONE, problem).hint(hint))
}

/// Meshes of groups have another number of devices than the machine.
pub(super) fn other_sizes(machine: &Machine, sizes: &[usize]) -> CompileError {
    let all: usize = sizes.iter().sum();
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    let problem = format!(
        "the groups have {} devices, {all} in all, but {} has {}",
        sizes.join(" and "),
        machine.spec(),
        machine.num_devices()
    );
    let hint = "give meshes whose devices are those of the machine, or another `--machine`";
    options(Diagnostic::error(STAGES, Span::NONE, problem).hint(hint))
}

/// The devices of a group are parts of several hosts.
pub(super) fn no_block(machine: &Machine, start: usize, size: usize) -> CompileError {
    let problem = format!(
        "devices {start} to {} of {} are parts of several hosts: a group lies inside of one, or on whole ones",
        start + size - 1,
        machine.spec()
    );
    options(Diagnostic::error(STAGES, Span::NONE, problem).hint("give the meshes in another order"))
}

/// Groups with meshes of their own are to be on several hosts.
pub(super) fn spread_of_unlike() -> CompileError {
    let problem = "groups with meshes of their own lie one behind the other, not spread over hosts";
    options(
        Diagnostic::error(STAGES, Span::NONE, problem)
            .hint("leave out `--group-hosts`, or give one `--mesh`"),
    )
}

/// Equal groups cannot each be on so many hosts.
pub(super) fn hosts(machine: &Machine, groups: usize, hosts: usize, possible: &[usize]) -> CompileError {
    let problem = format!("{groups} groups of {} cannot each be spread over {hosts} hosts", machine.spec());
    let possible: Vec<String> = possible.iter().map(usize::to_string).collect();
    let hint = match possible.is_empty() {
        true => "leave out `--group-hosts`: this machine has no hosts among which groups could be spread"
            .to_owned(),
        false => format!("`--group-hosts` can be {}", possible.join(", ")),
    };
    options(Diagnostic::error(STAGES, Span::NONE, problem).hint(hint))
}

/// There is nothing to choose of where equal groups lie.
pub(super) fn hosts_to_choose(machine: &Machine, groups: usize) -> CompileError {
    if let Err(refusal) = part(machine, groups) {
        return refusal;
    }
    let problem = format!("there are no hosts of {} over which groups could be spread", machine.spec());
    options(Diagnostic::error(STAGES, Span::NONE, problem).hint("leave out `--group-hosts`"))
}

/// Both copies of a stage are on groups that are sharded otherwise.
pub(super) fn unlike_copies(one: usize, other: usize) -> CompileError {
    let problem = format!(
        "groups {one} and {other} have copies of the same stages, whose gradients are added up, but meshes of their own"
    );
    let hint = "give both the same mesh, or take a schedule with one copy of the weights, such as `1f1b`";
    options(Diagnostic::error(SCHEDULE, Span::NONE, problem).hint(hint))
}

/// A table is searched for groups that are not alike.
pub(super) fn search_of_unlike() -> CompileError {
    let problem = "a table is searched for groups that are alike, and these have meshes of their own";
    options(
        Diagnostic::error(SCHEDULE, Span::NONE, problem).hint("name a schedule, such as `1f1b` or `zb-h1`"),
    )
}
