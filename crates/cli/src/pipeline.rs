//! What `check`, `plan` and `compile` share of pipelines: from flags to the programs of all stages.

use crate::args::{MemoryLimits, Output, PipelineArguments, Planning};
use crate::best::Best;
use crate::failure::{Failure, Outcome};
use crate::pipeline_flags::{must_be_known, must_be_known_of_degrees, must_not_search_recompute};
use crate::planning::{self, Inputs, NoMachine};
use crate::table::{Lean, render};
use crate::terminal::Terminal;
use crate::{between_groups, input, pipeline_plan, plan_table, plural, schedule, stage_copies, stage_layers};
use meshwright_compile::{
    ChosenBy, MeshChoice, Microbatches, Numbers, OWN_TABLE, Options, ParallelDegrees, PartsOf,
    PipelineOptions, PipelinePlan, PipelineSpace, Pipelined, ScheduleChoice, StageFigures, Weighing, Weights,
    pipeline, pipeline_on_groups, pipeline_that_fits,
};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::mesh::Mesh;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::{DegreeName, Degrees};
use meshwright_present::wrap::wrap;
use meshwright_present::{figures, timeline};
use meshwright_schedule::{Named, named, names, usual};
use meshwright_simulate::waterfall;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;

/// A pipeline, where its program comes from, and for what it is.
pub(crate) struct Planned {
    /// The program's text.
    pub(crate) source: Source,
    /// The machine.
    pub(crate) machine: Machine,
    /// What the compiler was asked for.
    pub(crate) options: Options,
    /// What the compiler made of it.
    pub(crate) pipelined: Pipelined,
    /// The search that chose it, if one did.
    pub(crate) searched: Option<ChosenBy>,
}

/// Reads a program and makes a pipeline of it, if flags or a plan that was made earlier ask for one; where numbers are to be
/// chosen, the best of them.
pub(crate) fn compile(
    planning: &Planning,
    arguments: &PipelineArguments,
    no_machine: NoMachine,
    plan: Option<&Path>,
    out: Output,
) -> Outcome<Option<Best>> {
    let planned = plan.map(of_plan).transpose()?.flatten();
    if let (Some(_), Some(flag)) = (plan, arguments.first()) {
        return Err(Failure::usage(match planned {
            Some(_) => format!("`--plan` says which stages there are: leave `{flag}` out"),
            None => format!("the plan has no stages: leave out `--plan`, or `{flag}`"),
        }));
    }
    let (wanted, plan) = match (planned, asked(planning, arguments)?) {
        (Some(_), Some(_)) => {
            return Err(Failure::usage("`--plan` says which stages there are: leave `--pp` out"));
        }
        (Some(planned), None) => (Asked::For(planned), plan),
        (None, Some(_)) if plan.is_some() => {
            return Err(Failure::usage("the plan has no stages: leave out `--plan`, or `--pp`"));
        }
        (None, Some(wanted)) => (wanted, None),
        (None, None) => return Ok(None),
    };
    match wanted {
        Asked::OfWay(..) => must_be_known_of_degrees(planning, arguments)?,
        _ => must_be_known(planning, plan)?,
    }
    let planning = &on_machine_of_groups(planning, arguments);
    let (wanted, inputs) = match wanted {
        Asked::For(wanted) => {
            let inputs = Inputs::of_groups(planning, no_machine, wanted.groups, plan, out)?;
            (Wanted::Numbers(wanted), inputs)
        }
        Asked::OfWay(way, schedule) => {
            let mut inputs = Inputs::of_groups(planning, no_machine, way.groups(), plan, out)?;
            inputs.options = Options { schedule, ..arguments.said().of_groups(inputs.options) };
            let plan = pipeline_plan::of_way(planning, &mut inputs, way)?;
            (Wanted::Chosen(Box::new(plan)), inputs)
        }
        Asked::ToChoose(_) if arguments.delayed_weights.is_some() => {
            return Err(Failure::usage(
                "`--delayed-weights` is for one number of groups: give `--stages`, `--virtual-stages` and `--microbatches` as numbers",
            ));
        }
        Asked::ToChoose(_) if says_groups(arguments) && planning.fitting.size_of_microbatches().is_some() => {
            return Err(Failure::usage(
                "`--microbatch-size` of groups that lie or are sharded as flags say goes with one number of stages and of \
                 microbatches: give these",
            ));
        }
        Asked::ToChoose(space) if says_groups(arguments) => {
            must_not_search_recompute(planning)?;
            let inputs = Inputs::of_groups(planning, no_machine, 1, plan, out)?;
            (Wanted::OnGroups(space), inputs)
        }
        Asked::ToChoose(space) => {
            let (inputs, found) = pipeline_plan::best_of(planning, arguments, &space, no_machine, out)?;
            return Ok(Some(Best::of(inputs, found)));
        }
    };
    let mut inputs = inputs;
    inputs.options.group_meshes = group_meshes(arguments).to_vec();
    inputs.options = arguments.said().of_groups(inputs.options);
    let planned = made(planning, wanted, inputs, out)?;
    Ok(Some(Best::Stages(Box::new(planned))))
}

/// Whether flags say where groups lie, or how each is sharded.
fn says_groups(arguments: &PipelineArguments) -> bool {
    !group_meshes(arguments).is_empty() || arguments.group_hosts.is_some()
}

/// Whether flags say what only a pipeline shows that is made: where groups lie, how each is sharded, how steps follow one
/// another.
pub(crate) fn is_made(arguments: &PipelineArguments) -> bool {
    let PipelineArguments { stage_mesh, group_hosts, post_validation, delayed_weights, .. } = arguments;
    stage_mesh.is_some() || group_hosts.is_some() || *post_validation || delayed_weights.is_some()
}

/// Makes a pipeline, and refuses one that does not fit.
pub(crate) fn made(
    planning: &Planning,
    mut wanted: Wanted,
    mut inputs: Inputs,
    out: Output,
) -> Outcome<Planned> {
    let limit = planning.memory_limit.as_ref().and_then(MemoryLimits::least);
    inputs.options.memory_limit = limit;
    let terminal = Terminal::new(&planning.stages);
    let terminal = if matches!(wanted, Wanted::OnGroups(_)) { terminal.listening() } else { terminal };
    let Inputs { program, machine, options, .. } = &inputs;
    let made = match &mut wanted {
        Wanted::Numbers(wanted) => pipeline(program, machine, options, wanted, &terminal),
        Wanted::OnGroups(space) => pipeline_on_groups(program, machine, options, space, &terminal),
        Wanted::Chosen(plan) => pipeline_that_fits(program, machine, options, plan, &terminal),
    };
    terminal.wipe();
    let searched = match wanted {
        Wanted::Numbers(_) | Wanted::OnGroups(_) => None,
        Wanted::Chosen(plan) => Some(ChosenBy::Plan(plan)),
    };
    let Inputs { source, machine, plan, options, .. } = inputs;
    let pipelined = made.map_err(|error| planning::failure(error, &source, plan.as_ref()))?;
    terminal.finish(out)?;
    terminal.show_warnings(&source, out);
    match pipelined.misfit(limit.unwrap_or(machine.device.usable_memory())) {
        Some(problem) => Err(Failure::check(problem)),
        None => Ok(Planned { source, machine, options, pipelined, searched }),
    }
}

/// A pipeline that is to be made.
pub(crate) enum Wanted {
    /// Of numbers that are given.
    Numbers(PipelineOptions),
    /// The best of several on groups that lie or are sharded as flags say.
    OnGroups(PipelineSpace),
    /// The best of several.
    Chosen(Box<PipelinePlan>),
}

/// The meshes of groups that have their own.
fn group_meshes(arguments: &PipelineArguments) -> &[MeshChoice] {
    arguments.stage_mesh.as_ref().map_or(&[], |meshes| &meshes.0)
}

/// The same with as many devices of this host as the groups have, if their meshes are given, but no machine.
fn on_machine_of_groups(planning: &Planning, arguments: &PipelineArguments) -> Planning {
    let mut planning = planning.clone();
    let sizes = group_meshes(arguments).iter().map(MeshChoice::num_devices);
    let count = sizes.fold(0, usize::saturating_add);
    if count > 0 && planning.machine.is_none() {
        planning.machine = Some(format!("cpu8:{count}"));
    }
    planning
}

/// The pipeline of a plan that was made earlier, if it is of one.
fn of_plan(path: &Path) -> Outcome<Option<PipelineOptions>> {
    let source = input::text(path, "plan")?;
    let plan = planning::read_plan(&source)?;
    PipelineOptions::of_plan(&plan).map_err(|error| planning::failure(error, &source, Some(&source)))
}

/// What flags ask for.
pub(crate) enum Asked {
    /// A pipeline of these numbers.
    For(PipelineOptions),
    /// The pipeline whose groups are sharded as a way says, with the schedule that is asked for.
    OfWay(ParallelDegrees, Option<Named>),
    /// The best of several.
    ToChoose(PipelineSpace),
}

/// The pipelines that flags ask for; none if they ask for one program for all devices.
pub(crate) fn asked(planning: &Planning, arguments: &PipelineArguments) -> Outcome<Option<Asked>> {
    let Some(groups) = arguments.stages.clone() else {
        return of_way(planning, arguments);
    };
    if matches!(planning.memory_limit, Some(MemoryLimits::Sweep)) {
        return Err(Failure::usage("a pipeline takes one `--memory-limit`"));
    }
    let missing = || Failure::usage("a pipeline needs the number of its microbatches: `--microbatches 8`");
    // Where stages are searched, or the size of microbatches is given, so may be their number.
    let is_open = groups == Numbers::Search || !planning.fitting.microbatch_size.is_empty();
    let microbatches = planning.fitting.num_microbatches().or(is_open.then_some(Microbatches::Search));
    let microbatches = microbatches.ok_or_else(missing)?;
    let name = arguments.schedule.as_deref();
    let (groups, microbatches, virtual_stages) =
        match (groups, microbatches, arguments.virtual_stages.clone()) {
            (Numbers::These(groups), Microbatches::Number(microbatches), virtual_stages)
                if groups.len() == 1
                    && virtual_stages.as_ref().is_none_or(|numbers| numbers.only().is_some()) =>
            {
                (groups[0], microbatches, virtual_stages.and_then(|numbers| numbers.only()))
            }
            (groups, microbatches, virtual_stages) => {
                let microbatches = match microbatches {
                    Microbatches::Number(number) => Numbers::These(vec![number]),
                    Microbatches::Search => Numbers::Search,
                };
                let schedules = match name {
                    None | Some(schedule::SEARCH) => Vec::new(),
                    Some(name) => vec![named(name).ok_or_else(|| unknown(name))?],
                };
                let virtual_stages = virtual_stages.unwrap_or(Numbers::Search);
                let makes_tables = name == Some(schedule::SEARCH);
                let space = PipelineSpace {
                    groups,
                    virtual_stages,
                    microbatches,
                    schedules,
                    makes_tables,
                    is_short: false,
                };
                return Ok(Some(Asked::ToChoose(space)));
            }
        };
    let name = name.unwrap_or_else(|| usual(virtual_stages.unwrap_or(1)));
    let schedule = match named(name) {
        Some(named) => ScheduleChoice::Named(named),
        None if name == schedule::SEARCH => ScheduleChoice::Search,
        None => ScheduleChoice::Table(table(name)?),
    };
    let wanted = PipelineOptions { groups, virtual_stages, microbatches, schedule };
    let of_groups = Options { group_meshes: group_meshes(arguments).to_vec(), ..Options::default() };
    if wanted.is_one_program(&arguments.said().of_groups(of_groups)) {
        return Ok(None);
    }
    must_not_search_recompute(planning)?;
    Ok(Some(Asked::For(wanted)))
}

/// The pipeline that degrees say singly, `--pp` and its like.
fn of_way(planning: &Planning, arguments: &PipelineArguments) -> Outcome<Option<Asked>> {
    let degrees = planning.degrees.space().map_err(Failure::usage)?;
    let (degrees, schedule) = arguments.said().of_degrees(degrees).map_err(Failure::usage)?;
    Ok(degrees.only().filter(|way| way.groups() > 1).map(|way| Asked::OfWay(way, schedule)))
}

fn unknown(name: &str) -> Failure {
    let names = names();
    Failure::usage(format!(
        "where numbers are chosen, so is a schedule that has a name, and `{name}` is none; the names are {names}"
    ))
}

/// The table in a file.
pub(crate) fn table(path: &str) -> Outcome<meshwright_plan::Schedule> {
    if !Path::new(path).exists() {
        let message = format!("there is no schedule `{path}`, nor such a file; the names are {}", names());
        return Err(Failure::usage(message));
    }
    let source = input::text(Path::new(path), "table")?;
    schedule::checked(&source).map_err(|error| planning::failure(error, &source, None))
}

/// The part of a step by which its programs may be off its row of a grid without a word of it.
const TOLD: f64 = 5e-3;

/// The pipeline as text: what it is, a line for each stage, and what crosses.
pub(crate) fn text(planned: &Planned) -> String {
    let Planned { source, machine, pipelined, .. } = planned;
    let Pipelined { programs, figures, staged, .. } = pipelined;
    let groups = programs.groups.len();
    let each = staged.count / groups.max(1);
    let stages = if each > 1 { format!(", {each} virtual stages each") } else { String::new() };
    let pipeline = match groups {
        1 => "no pipeline".to_owned(),
        _ => format!("pipeline parallel over {groups}"),
    };
    let copies = if programs.copies > 1 { ", two copies of the weights" } else { "" };
    let recompute = pipelined.recompute.as_ref().map(|words| format!(", recompute {words}"));
    let recompute = recompute.unwrap_or_default();
    let is_validated = pipelined.staged.update.optimistic.is_some();
    let validated = if is_validated { ", post-validation" } else { "" };
    // The bound is of steps that begin when the one before has ended.
    let is_bound = |own: &Weighing| !own.weighed.is_empty() && !is_validated;
    let bound = planned
        .searched
        .as_ref()
        .map(ChosenBy::weighing)
        .filter(is_bound)
        .map_or_else(String::new, |own| format!("; {}", pipeline_plan::bounded(&own, figures)));
    let inside = inside(pipelined);
    let head = meaning(pipelined);
    let used = pipelined.plan.figures.clone().unwrap_or_default();
    let step = Seconds(pipelined.plan.predicted.total_seconds);
    let used = figures::of_pipeline(&used, machine.num_devices(), step, memory(pipelined));
    // What degrees say is priced as its row of a grid is.
    let as_row = match figures.step() {
        own if (own.0 - step.0).abs() > TOLD * step.0 => {
            format!(" as its row of a grid ({own} by its programs, as below)")
        }
        _ => String::new(),
    };
    let head = format!(
        "{head}{} on {}\n{pipeline}{stages}{inside}, {} {}, {}{copies}{recompute}{validated}\n\
         step {step}{as_row}, bubble {:.1} %, slowest stage {:.3} of the mean{bound}\n{used}{}\n",
        source.name,
        machine.spec(),
        programs.num_microbatches,
        match pipelined.parts_of {
            PartsOf::Batch => "microbatches",
            PartsOf::Sequence => "slices of the sequence",
        },
        pipelined.schedule.unwrap_or(OWN_TABLE),
        100.0 * figures.bubble(),
        figures.imbalance(),
        plan_table::beside_stages(&pipelined.plan),
    );
    // Without a phase for each gradient, both are made by one.
    let is_apart = figures.weights_are_apart();
    let mut columns = vec![
        ("stage", Lean::Right),
        ("group", Lean::Left),
        ("lines", Lean::Left),
        ("parameters", Lean::Right),
        ("state", Lean::Right),
        ("kept", Lean::Right),
        ("forward", Lean::Right),
        (if is_apart { "input gradient" } else { "backward" }, Lean::Right),
    ];
    columns.extend(is_apart.then_some(("weight gradient", Lean::Right)));
    columns.push(("update", Lean::Right));
    let row = |(stage, own): (usize, &StageFigures)| {
        let mut cells = vec![
            stage.to_string(),
            own.groups.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
            lines(own, source).map_or_else(|| "-".to_owned(), |(first, last)| format!("{first}-{last}")),
            own.parameters.len().to_string(),
            own.state.to_string(),
            own.kept.to_string(),
            own.forward.to_string(),
            own.input_gradient.to_string(),
        ];
        cells.extend(is_apart.then(|| own.weight_gradient.to_string()));
        cells.push(own.update.to_string());
        cells
    };
    let rows: Vec<Vec<String>> = figures.stages.iter().enumerate().map(row).collect();
    let crossing = crossing(&figures.stages);
    let parts = timeline::parts(&figures.timeline);
    let plan = &pipelined.plan;
    let why =
        plan_table::blocks(plan) + &plan_table::uneven(plan) + &why(pipelined) + &not_searched(pipelined);
    let between = between_groups::text(pipelined);
    let layers = stage_layers::text(pipelined) + &stage_copies::text(&figures.stages);
    // What a plan was weighed against is shown with the plan; a table of the whole step has none.
    let weighed = match &planned.searched {
        Some(ChosenBy::Table(own)) => format!("\n{}", pipeline_plan::weighed(&own.weighed)),
        _ => String::new(),
    };
    format!("{head}{}\n{layers}{crossing}{between}{parts}{weighed}{why}", render(&columns, &rows))
}

/// Why it is as it is, in sentences.
pub(crate) fn why(pipelined: &Pipelined) -> String {
    let why: String = pipelined.plan.reasons.iter().map(|reason| wrap("", reason)).collect();
    if why.is_empty() { why } else { format!("\n{why}") }
}

/// What the search that chose it left out, if one did.
pub(crate) fn not_searched(pipelined: &Pipelined) -> String {
    match &pipelined.plan.not_searched[..] {
        [] => String::new(),
        all => format!("\n{}", wrap("", &format!("Not searched: {}.", all.join(", ")))),
    }
}

/// What the step computes, if that is not what is written; nothing otherwise.
fn meaning(pipelined: &Pipelined) -> String {
    let weights = pipelined.staged.delayed.as_ref().map(|delayed| delayed.weights);
    let read = match weights {
        None => return String::new(),
        Some(Weights::DoubleBuffered) => "the step before",
        Some(Weights::Stashed) => "the step before, where microbatches are in flight when a stage updates",
        Some(Weights::Predicted) => "the step before, with what they changed by in it once more",
    };
    format!(
        "this is another step than the one that is written: its gradients are those at the weights of {read}\n"
    )
}

/// What crosses between stages, a line for each run of equal ones.
fn crossing(stages: &[StageFigures]) -> String {
    let pairs: Vec<_> = stages.windows(2).map(|pair| (pair[0].up, pair[1].down)).collect();
    let mut lines = String::new();
    let mut first = 0;
    for run in pairs.chunk_by(|one, other| one == other) {
        let last = first + run.len() - 1;
        let to = if last > first { format!(" to {last} -> {}", last + 1) } else { String::new() };
        let ((up, values), (down, gradients)) = run[0];
        let (values, gradients) = (plural::count(values, "value"), plural::count(gradients, "value"));
        let _ =
            writeln!(lines, "{first} -> {}{to}: {up} up in {values}, {down} down in {gradients}", first + 1);
        first += run.len();
    }
    lines
}

/// What is inside of groups, and where they lie if they are spread over hosts.
fn inside(pipelined: &Pipelined) -> String {
    let groups = &pipelined.programs.groups;
    let first = &groups[0].mesh;
    let meshes: Vec<String> = groups.iter().map(|group| group.mesh.to_string()).collect();
    let meshes = match groups.iter().all(|group| group.mesh.is_like(first)) {
        true if first.num_devices() == 1 => String::new(),
        true => format!(", {} inside", of_group(&pipelined.plan.degrees, first)),
        false => format!(", inside {}", meshes.join("; ")),
    };
    meshes + &spread(pipelined)
}

/// The degrees of a group behind which its mesh stands, `dp=4,tp=2,zero=1 (x=4,y=2)`, or the mesh alone where devices do the same;
/// nothing of one device.
pub(crate) fn of_group(degrees: &Degrees, mesh: &Mesh) -> String {
    if mesh.num_devices() == 1 {
        return String::new();
    }
    let said = DegreeName::ALL.into_iter().map(|name| (name, degrees.get(name)));
    let is_said = |(name, number): &(DegreeName, usize)| match name {
        DegreeName::Zero => *number > 0,
        // What all devices of the batch hold is said by the stage.
        DegreeName::Fsdp => *number > 1 && *number != degrees.dp,
        _ => *number > 1,
    };
    let said: Vec<String> = said.filter(is_said).map(|(name, number)| format!("{name}={number}")).collect();
    match said.is_empty() {
        true => mesh.to_string(),
        false => format!("{} ({mesh})", said.join(",")),
    }
}

/// On how many hosts each group is, if that is said.
pub(crate) fn spread(pipelined: &Pipelined) -> String {
    let hosts = pipelined.plan.group_hosts;
    hosts.map_or_else(String::new, |hosts| format!(", each on {}", plural::count(hosts, "host")))
}

/// Lines of the source from the first to the last instruction of a stage's forward pass.
fn lines(stage: &StageFigures, source: &Source) -> Option<(usize, usize)> {
    stage.source.map(|(first, last)| (source.place(first).line, source.place(last).line))
}

/// A stage as JSON with its copies of parameters and the seconds of its backward pass: of one phase, or of two where gradients of weights are made apart.
pub(crate) fn with_backward(mut stage: Value, own: &StageFigures, is_apart: bool) -> Value {
    stage_copies::put_into(&mut stage, own);
    if is_apart {
        stage["input_gradient_seconds"] = json!(own.input_gradient.0);
        stage["weight_gradient_seconds"] = json!(own.weight_gradient.0);
    } else {
        stage["backward_seconds"] = json!(own.input_gradient.0);
    }
    stage
}

/// The same as JSON.
pub(crate) fn json(planned: &Planned) -> serde_json::Value {
    let Planned { source, machine, pipelined, searched, .. } = planned;
    let Pipelined { programs, figures, staged, .. } = pipelined;
    // The bound is of steps that begin when the one before has ended.
    let weighing = searched.as_ref().map(ChosenBy::weighing);
    let bounded = weighing.as_ref().filter(|_| staged.update.optimistic.is_none());
    let is_apart = figures.weights_are_apart();
    let stage = |(number, own): (usize, &StageFigures)| {
        let lines = lines(own, source);
        let stage = json!({
            "stage": number,
            "groups": own.groups,
            "first_line": lines.map(|(first, _)| first),
            "last_line": lines.map(|(_, last)| last),
            "parameters": own.parameters.iter().map(between_groups::number_of).collect::<Vec<_>>(),
            "state_bytes": own.state.0,
            "accumulator_bytes": own.gathered.0,
            "kept_bytes": own.kept.0,
            "kept_for_weights_bytes": own.kept_for_weights.0,
            "forward_seconds": own.forward.0,
            "update_seconds": own.update.0,
            "up_bytes": own.up.0.0,
            "down_bytes": own.down.0.0,
            "layers": pipelined.layers.get(number).map(stage_layers::json),
        });
        with_backward(stage, own, is_apart)
    };
    let all = json!({
        "machine": machine.spec(),
        "schedule": pipelined.schedule,
        "recompute": pipelined.recompute,
        "delayed_weights": staged.delayed.as_ref().map(|delayed| delayed.weights.name()),
        "post_validation": staged.update.optimistic.is_some(),
        "groups": programs.groups.len(),
        "mesh": programs.groups[0].mesh.to_string(),
        "meshes": programs.groups.iter().map(|group| group.mesh.to_string()).collect::<Vec<_>>(),
        "devices": between_groups::devices(pipelined),
        "process_groups": between_groups::process_groups(pipelined),
        "tied": between_groups::tied(pipelined),
        "sums_in_order": between_groups::sums_in_order(pipelined),
        "group_hosts": pipelined.plan.group_hosts,
        "stages": figures.stages.iter().enumerate().map(stage).collect::<Vec<_>>(),
        "virtual_stages": staged.count / programs.groups.len().max(1),
        "copies": programs.copies,
        "microbatches": programs.num_microbatches,
        "microbatches_of": match pipelined.parts_of {
            PartsOf::Batch => "batch",
            PartsOf::Sequence => "sequence",
        },
        "step_seconds": pipelined.plan.predicted.total_seconds,
        "programs_step_seconds": figures.step().0,
        "bound_seconds": bounded.and_then(pipeline_plan::bound_seconds),
        "bounded_by": bounded.and_then(pipeline_plan::bounded_by),
        "gap_share": bounded.and_then(|own| pipeline_plan::gap_share(own, figures)),
        "weighed": weighing.as_ref().map(|own| pipeline_plan::weighed_json(&own.weighed)),
        "bubble_share": figures.bubble(),
        "waterfall": waterfall(&figures.timeline),
        "by_block": pipeline_plan::by_block(&pipelined.plan),
        "reasons": pipelined.plan.reasons,
        "not_searched": pipelined.plan.not_searched,
        "unfinished": pipelined.plan.unfinished,
        "attention": pipelined.plan.attention,
        "weighed_group_hosts": between_groups::hosts(pipelined),
        "imbalance": figures.imbalance(),
        "memory_bytes": pipelined.memory.iter().map(|bytes| bytes.0).collect::<Vec<_>>(),
        "rows": pipelined.table.to_string().lines().collect::<Vec<_>>(),
    });
    let used = pipelined.plan.figures.clone().unwrap_or_default();
    pipeline_plan::with_use(all, &used, memory(pipelined))
}

/// The most memory that a device of a pipeline needs, and what it has.
fn memory(pipelined: &Pipelined) -> [Bytes; 2] {
    let most = pipelined.memory.iter().copied().max().unwrap_or(Bytes(0));
    [most, Bytes(pipelined.plan.memory.limit_bytes)]
}
