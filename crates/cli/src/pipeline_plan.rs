//! Pipelines of which numbers are chosen: the best of them, what it was weighed against, and how far from the best it may be.

use crate::args::{MemoryLimits, Output, PipelineArguments, Planning};
use crate::failure::{Failure, Outcome};
use crate::pipeline_flags::{must_be_known, must_be_known_of_degrees};
use crate::planning::{self, Inputs, NoMachine};
use crate::table::{Lean, render};
use crate::terminal::Terminal;
use crate::{baseline, between_groups, pipeline, plan_table, plural, stage_copies, stage_layers};
use meshwright_compile::{
    Baseline, Baselined, Best, CompileError, Options, ParallelDegrees, PartsOf, PipelineFigures,
    PipelinePlan, PipelineSpace, Pipelined, Recompute, StageFigures, Weighed, WeighedFate, Weighing,
    best_first, best_of_numbers, figures_of_seconds, pipeline_that_fits,
};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_machine::{Bytes, Seconds};
use meshwright_models::LayerForm;
use meshwright_plan::plan_file::PlanModel;
use meshwright_plan::{Figures, PlanFile};
use meshwright_present::figures;
use meshwright_present::process_groups::in_words;
use meshwright_present::wrap::wrap;
use serde_json::json;

/// No combination of degrees is a plan.
const DEGREES: Check = Check("degrees");

/// Combinations that are shown.
const SHOWN: usize = 8;

/// The best pipeline, and what it is for.
pub(crate) struct Found {
    inputs: Inputs,
    plan: PipelinePlan,
    /// The programs of its stages, once they are made.
    made: Option<Box<Pipelined>>,
    /// By whose procedure, if not by the search.
    baselined: Option<Baselined>,
}

impl Found {
    /// A warning that the microbatches which somebody chose never fill its groups.
    pub(crate) fn never_full(&self) -> Option<Diagnostic> {
        self.plan.never_full()
    }

    /// Warns of numbers that the machine's devices do not have.
    pub(crate) fn warn_of_numbers(&self, out: Output) {
        let Inputs { program, source, machine, .. } = &self.inputs;
        planning::warn_of_numbers(program, source, machine, out);
    }

    /// The program's text.
    pub(crate) fn source(&self) -> &Source {
        &self.inputs.source
    }

    /// A pipeline that was searched for and made.
    pub(crate) fn of_search(inputs: Inputs, plan: PipelinePlan, made: Box<Pipelined>) -> Self {
        Self { inputs, plan, made: Some(made), baselined: None }
    }

    /// Predicted time of a step.
    pub(crate) fn seconds(&self) -> Seconds {
        self.figures().step()
    }

    /// What it is predicted to take.
    fn figures(&self) -> &PipelineFigures {
        // What degrees say costs what its row of a grid does, but for loops; what was searched may lie on other hosts.
        let is_as_made = |made: &&Pipelined| !self.plan.weighed.is_empty() || made.has_loops();
        let made = self.made.as_deref().filter(is_as_made);
        made.map_or(&self.plan.figures, |made| &made.figures)
    }

    /// Throughput, use of the machine and cost, where the step is fed something.
    pub(crate) fn used(&self) -> Option<Figures> {
        let Self { inputs: Inputs { program, machine, options, .. }, made, .. } = self;
        match made {
            Some(made) => made.plan.figures.clone(),
            None => figures_of_seconds(program, machine, options, self.seconds()).ok(),
        }
    }

    /// Memory that a device of each group needs: of its programs, once they are made.
    fn group_memory(&self) -> Vec<Bytes> {
        self.made.as_ref().map_or_else(|| self.plan.figures.memory(), |made| made.memory.clone())
    }

    /// The most memory that a device needs, and what it has.
    fn memory(&self) -> [Bytes; 2] {
        let Inputs { machine, options, .. } = &self.inputs;
        let limit = options.memory_limit.unwrap_or(machine.device.usable_memory());
        [self.group_memory().into_iter().max().unwrap_or(Bytes(0)), limit]
    }

    /// What its program was made of.
    pub(crate) fn model(&self) -> Option<&PlanModel> {
        self.inputs.options.model.as_ref()
    }

    /// Whether its search was stopped before the end.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.plan.unfinished
    }

    /// Marks it as the best of a search that was stopped before the end.
    pub(crate) fn mark_unfinished(&mut self) {
        self.plan.unfinished = true;
        self.made.iter_mut().for_each(|made| made.plan.unfinished = true);
    }

    /// What it is, in a line: `pipeline parallel over 4, 2 virtual stages each, dp=2 (data=2) inside, 16
    /// microbatches, zb-v`.
    pub(crate) fn words(&self) -> String {
        let plan = &self.plan;
        let each = plan.virtual_stages;
        let stages = if each > 1 { format!(", {each} virtual stages each") } else { String::new() };
        let inside = pipeline::of_group(&plan.degrees(), &plan.mesh);
        let inside = if inside.is_empty() { inside } else { format!(", {inside} inside") };
        let pipeline = match plan.groups {
            1 => "no pipeline".to_owned(),
            groups => format!("pipeline parallel over {groups}{stages}"),
        };
        let spread = self.made.as_ref().map(|made| pipeline::spread(made)).unwrap_or_default();
        let schedule = if plan.groups > 1 { format!(", {}", plan.schedule_name()) } else { String::new() };
        let parts = match plan.parts_of() {
            PartsOf::Batch => plural::count(plan.microbatches, "microbatch"),
            PartsOf::Sequence => format!("{} of the sequence", plural::count(plan.microbatches, "slice")),
        };
        format!("{pipeline}{inside}{spread}, {parts}{schedule}")
    }

    /// The same with the programs of its stages, of which the plan file is made; where they do not fit, it becomes one whose do.
    pub(crate) fn with_programs(mut self, planning: &Planning) -> Outcome<Self> {
        let Self { inputs, plan, made, baselined } = &mut self;
        if made.is_some() {
            return Ok(self);
        }
        let Inputs { source, program, machine, .. } = inputs;
        let limit = planning.memory_limit.as_ref().and_then(MemoryLimits::least);
        let options = Options { memory_limit: limit, ..inputs.options.clone() };
        let terminal = Terminal::plain();
        let found = pipeline_that_fits(program, machine, &options, plan, &terminal);
        terminal.wipe();
        let mut found = found.map_err(|error| planning::failure(error, source, None))?;
        found.plan.reasons.extend(baselined.as_ref().map(Baselined::sentence));
        if let Some(problem) = found.misfit(limit.unwrap_or(machine.device.usable_memory())) {
            return Err(Failure::check(problem));
        }
        *made = Some(Box::new(found));
        Ok(self)
    }

    /// The same as a pipeline that is made.
    pub(crate) fn made(self, planning: &Planning, out: Output) -> Outcome<pipeline::Planned> {
        pipeline::made(planning, pipeline::Wanted::Chosen(Box::new(self.plan)), self.inputs, out)
    }

    /// The plan file, if its programs are made, with more reasons in front of its own.
    pub(crate) fn plan_file(&self, reasons: impl IntoIterator<Item = String>) -> Option<PlanFile> {
        let mut plan = self.made.as_ref()?.plan.clone();
        plan.reasons.splice(0..0, reasons);
        Some(plan)
    }
}

/// The best of the numbers of pipelines that there are to choose from, made, or one program for all devices, which is what one
/// group comes to; and what it is made of.
pub(crate) fn best_of(
    planning: &Planning,
    arguments: &PipelineArguments,
    space: &PipelineSpace,
    no_machine: NoMachine,
    out: Output,
) -> Outcome<(Inputs, Best)> {
    must_be_known(planning, None)?;
    let mut inputs = Inputs::of_groups(planning, no_machine, 1, None, out)?;
    let memory_limit = planning.memory_limit.as_ref().and_then(MemoryLimits::least);
    inputs.options = Options { memory_limit, ..arguments.said().of_groups(inputs.options) };
    let Inputs { source, program, machine, options, .. } = &inputs;
    if options.allowed.has_parts() {
        return Err(Failure::usage(
            "`--allow` of a part of the model goes with one number of stages and of microbatches: give these",
        ));
    }
    if matches!(options.recompute, Some(Recompute::Keeping(_) | Recompute::Values(_))) {
        return Err(Failure::usage(
            "`--recompute` of values by name goes with one number of stages and of microbatches: give these, or \
             `--recompute none`, `selective` or `full`",
        ));
    }
    let terminal = Terminal::new(&planning.stages).listening();
    let best = best_of_numbers(program, source, machine, options, space, &terminal);
    terminal.wipe();
    let best = best.map_err(|error| planning::failure(error, source, None))?;
    terminal.finish(out)?;
    terminal.show_warnings(source, out);
    if let Best::Stages(made, _) = &best
        && let Some(problem) = made.misfit(memory_limit.unwrap_or(machine.device.usable_memory()))
    {
        return Err(Failure::check(problem));
    }
    Ok((inputs, best))
}

/// The pipeline that the procedure of a planner comes to.
pub(crate) fn of_baseline(planning: &Planning, baseline: &Baseline, out: Output) -> Outcome<Found> {
    let (inputs, found) = baseline::chosen(planning, baseline, NoMachine::Refused, out)?;
    Ok(Found { inputs, plan: found.plan.clone(), made: None, baselined: Some(found) })
}

/// The pipeline whose groups are sharded as a way says, and the options with which they are.
pub(crate) fn of_way(
    planning: &Planning,
    inputs: &mut Inputs,
    way: ParallelDegrees,
) -> Outcome<PipelinePlan> {
    let limit = planning.memory_limit.as_ref().and_then(MemoryLimits::least);
    let options = Options { memory_limit: limit, ..inputs.options.clone() };
    let terminal = Terminal::new(&planning.stages).listening();
    let found =
        meshwright_compile::pipeline_of_way(&inputs.program, &inputs.machine, &options, way, &terminal);
    terminal.wipe();
    let plan = found.map_err(|error| planning::failure(error, &inputs.source, None))?;
    inputs.options = inputs.options.clone().sharded_by(way);
    Ok(plan)
}

/// What degrees with groups of stages come to.
pub(crate) enum OfDegrees {
    /// A pipeline.
    Pipeline(Box<Found>),
    /// The fastest of several ways has one group: a plan like any other.
    Plain(Box<Planning>),
}

/// The pipeline that `--pp` and its like say, or the fastest of several ways; none if they say nothing of stages, and layers
/// stay in their loop.
pub(crate) fn of_degrees(
    planning: &Planning,
    arguments: &PipelineArguments,
    layers: LayerForm,
    no_machine: NoMachine,
    out: Output,
) -> Outcome<Option<OfDegrees>> {
    let degrees = planning.degrees.space().map_err(Failure::usage)?;
    if !degrees.has_stages() && layers == LayerForm::Loop {
        return Ok(None);
    }
    if degrees.is_empty() {
        return Err(Failure::usage(
            "`--layers` is of ways that are said: give `--tp` and its like, or `--grid`",
        ));
    }
    must_be_known_of_degrees(planning, arguments)?;
    let mut inputs = Inputs::of_groups(planning, no_machine, 1, None, out)?;
    inputs.options.layers = layers;
    let said = arguments.said();
    let (degrees, schedule) = said.of_degrees(degrees).map_err(Failure::usage)?;
    inputs.options = Options { schedule, ..said.of_groups(inputs.options) };
    if degrees.only().is_none() {
        inputs.options.degrees = degrees.clone();
    }
    let limit = planning.memory_limit.as_ref().and_then(MemoryLimits::least);
    let options = Options { memory_limit: limit, ..inputs.options.clone() };
    let terminal = Terminal::new(&planning.stages).listening();
    let way = match degrees.only() {
        Some(way) => Ok(way),
        None => inputs
            .grid(limit, &terminal)
            .map(|rows| best_first(&rows).first().filter(|row| row.is_plan()).map(|row| row.way))
            .and_then(|way| way.ok_or_else(|| CompileError::NotAllowed(Box::new(none_is_a_plan())))),
    };
    let found = way.and_then(|way| match way.groups() {
        1 if layers == LayerForm::Loop => Ok(Err(way)),
        _ => meshwright_compile::pipeline_of_way(&inputs.program, &inputs.machine, &options, way, &terminal)
            .map(|plan| Ok((way, plan))),
    });
    terminal.wipe();
    match found.map_err(|error| planning::failure(error, &inputs.source, None))? {
        Ok((way, plan)) => {
            inputs.options = Options { memory_limit: limit, ..inputs.options.sharded_by(way) };
            Ok(Some(OfDegrees::Pipeline(Box::new(Found { inputs, plan, made: None, baselined: None }))))
        }
        Err(way) => {
            let said = way.to_string().parse().map_err(|_| Failure::usage(format!("`{way}` is no plan")))?;
            let degrees = planning.degrees.only(said);
            Ok(Some(OfDegrees::Plain(Box::new(Planning { degrees, ..planning.clone() }))))
        }
    }
}

fn none_is_a_plan() -> Diagnostic {
    Diagnostic::error(DEGREES, Span::NONE, "none of these combinations of degrees is a plan")
        .hint("`--grid` shows all of them, each with the reason")
}

/// What each block of the model takes on a device of each group, as JSON.
pub(crate) fn by_block(plan: &PlanFile) -> serde_json::Value {
    json!(plan.figures.as_ref().map_or(&[][..], |figures| &figures.by_block))
}

/// What no pipeline takes less than. It is that of groups that are neighbors; what lies on other hosts may take less.
pub(crate) fn bounded(weighing: &Weighing, figures: &PipelineFigures) -> String {
    let might =
        |own: &Weighed| format!(" (what {} groups in {} microbatches might)", own.groups, own.microbatches);
    let (by, bound) = (weighing.bounded_by().map_or_else(String::new, might), weighing.bound);
    match bound <= figures.step() {
        true => format!("none takes less than {bound}{by}: gap {:.1} %", 100.0 * weighing.gap(figures)),
        false => format!("none of neighbors takes less than {bound}"),
    }
}

/// The plan as text.
pub(crate) fn text(found: &Found) -> String {
    let Found { inputs: Inputs { source, machine, .. }, plan, made, baselined } = found;
    let figures = found.figures();
    // Of numbers that were given nothing was searched.
    let bound = match plan.weighed.is_empty() {
        true => String::new(),
        false => format!("; {}", bounded(&plan.weighing(), figures)),
    };
    let used = found.used().unwrap_or_default();
    let head = format!(
        "{} on {}\n{}\nstep {}, bubble {:.1} %, slowest stage {:.3} of the mean{bound}\n{}{}\n",
        source.name,
        machine.spec(),
        found.words(),
        figures.step(),
        100.0 * figures.bubble(),
        figures.imbalance(),
        figures::of_pipeline(&used, machine.num_devices(), figures.step(), found.memory()),
        made.as_ref().map(|made| plan_table::beside_stages(&made.plan)).unwrap_or_default(),
    );
    let is_apart = figures.weights_are_apart();
    let mut columns = vec![
        ("stage", Lean::Right),
        ("group", Lean::Left),
        ("segments", Lean::Left),
        ("state", Lean::Right),
        ("kept", Lean::Right),
        ("made again", Lean::Left),
        ("forward", Lean::Right),
        (if is_apart { "input gradient" } else { "backward" }, Lean::Right),
    ];
    columns.extend(is_apart.then_some(("weight gradient", Lean::Right)));
    columns.push(("update", Lean::Right));
    let row = |(stage, own): (usize, &StageFigures)| {
        let (from, to) = plan.segments[stage];
        let mut cells = vec![
            stage.to_string(),
            own.groups.iter().map(usize::to_string).collect::<Vec<_>>().join(", "),
            format!("{from}-{}", to - 1),
            Bytes(own.state.0).to_string(),
            own.kept.to_string(),
            plan.again[stage].clone(),
            own.forward.to_string(),
            own.input_gradient.to_string(),
        ];
        cells.extend(is_apart.then(|| own.weight_gradient.to_string()));
        cells.push(own.update.to_string());
        cells
    };
    let rows: Vec<Vec<String>> = figures.stages.iter().enumerate().map(row).collect();
    let weighed =
        if plan.weighed.is_empty() { String::new() } else { format!("\n{}", weighed(&plan.weighed)) };
    let by = baselined.as_ref().map(|found| format!("\n{}", wrap("", &found.sentence()))).unwrap_or_default();
    let groups = match made {
        Some(made) => between_groups::text(made),
        None if plan.groups == 1 || plan.mesh.num_devices() == 1 => String::new(),
        None => format!("process groups along the pipeline: {}\n", in_words(&process_groups(plan))),
    };
    let left_out = made.as_ref().map(|made| pipeline::not_searched(made)).unwrap_or_default();
    let why =
        made.as_ref().filter(|_| baselined.is_none()).map(|made| pipeline::why(made)).unwrap_or_default();
    let blocks = made.as_ref().map(|made| plan_table::blocks(&made.plan)).unwrap_or_default();
    let layers = made.as_ref().map(|made| stage_layers::text(made)).unwrap_or_default();
    let layers = layers + &stage_copies::text(&figures.stages);
    format!("{head}{}{layers}{groups}{blocks}{weighed}{why}{left_out}{by}", render(&columns, &rows))
}

/// Process groups along the pipeline: devices that have the same number in their groups, which are blocks of neighbors.
fn process_groups(plan: &PipelinePlan) -> Vec<Vec<usize>> {
    let size = plan.mesh.num_devices();
    let of_number = |number: usize| (0..plan.groups).map(|group| group * size + number).collect();
    (0..size).map(of_number).collect()
}

/// What a plan was weighed against.
pub(crate) fn weighed(all: &[Weighed]) -> String {
    let mut priced: Vec<&Weighed> =
        all.iter().filter(|own| matches!(own.fate, WeighedFate::Priced(..))).collect();
    priced.sort_by(|one, other| seconds(one).total_cmp(&seconds(other)));
    let row = |own: &&Weighed| {
        let (takes, schedule) = match own.fate {
            WeighedFate::Priced(seconds, schedule) => (seconds.to_string(), schedule.unwrap_or_default()),
            _ => (String::new(), ""),
        };
        vec![
            own.groups.to_string(),
            own.microbatches.to_string(),
            schedule.to_owned(),
            takes,
            own.bound.to_string(),
        ]
    };
    let rows: Vec<Vec<String>> = priced.iter().take(SHOWN).map(row).collect();
    let columns = [
        ("stages", Lean::Right),
        ("microbatches", Lean::Right),
        ("schedule", Lean::Left),
        ("step", Lean::Right),
        ("at least", Lean::Right),
    ];
    let count = |is: &dyn Fn(&WeighedFate) -> bool| all.iter().filter(|own| is(&own.fate)).count();
    let passed = match count(&|fate| *fate == WeighedFate::Passed) {
        0 => String::new(),
        passed => format!(", {passed} not looked at"),
    };
    let impossible = match count(&|fate| *fate == WeighedFate::Impossible) {
        0 => String::new(),
        impossible => format!(", {impossible} not possible"),
    };
    format!(
        "{}\n{} of stages and microbatches: {} priced, {} left by their bounds before anything was sharded, {} once it was, \
         {} do not fit{passed}{impossible}\n",
        render(&columns, &rows),
        plural::count(all.len(), "combination"),
        count(&|fate| matches!(fate, WeighedFate::Priced(..))),
        count(&|fate| *fate == WeighedFate::Left),
        count(&|fate| *fate == WeighedFate::Beaten),
        count(&|fate| matches!(fate, WeighedFate::DoesNotFit(_))),
    )
}

fn seconds(own: &Weighed) -> f64 {
    match own.fate {
        WeighedFate::Priced(seconds, _) => seconds.0,
        _ => f64::INFINITY,
    }
}

/// The same as JSON.
pub(crate) fn json(found: &Found) -> serde_json::Value {
    let Found { inputs: Inputs { machine, .. }, plan, made, baselined } = found;
    let (figures, weighing) = (found.figures(), plan.weighing());
    let is_apart = figures.weights_are_apart();
    let stage = |(number, own): (usize, &StageFigures)| {
        let stage = json!({
            "stage": number,
            "groups": own.groups,
            "first_segment": plan.segments[number].0,
            "end_segment": plan.segments[number].1,
            "made_again": plan.again[number],
            "state_bytes": own.state.0,
            "accumulator_bytes": own.gathered.0,
            "kept_bytes": own.kept.0,
            "kept_for_weights_bytes": own.kept_for_weights.0,
            "forward_seconds": own.forward.0,
            "update_seconds": own.update.0,
            "up_bytes": own.up.0.0,
            "down_bytes": own.down.0.0,
            "layers": made.as_ref().and_then(|made| made.layers.get(number)).map(stage_layers::json),
        });
        pipeline::with_backward(stage, own, is_apart)
    };
    let all = json!({
        "machine": machine.spec(),
        "schedule": plan.schedule_name(),
        "groups": plan.groups,
        "virtual_stages": plan.virtual_stages,
        "microbatches": plan.microbatches,
        "mesh": plan.mesh.to_string(),
        "degrees": plan.degrees(),
        "stages": figures.stages.iter().enumerate().map(stage).collect::<Vec<_>>(),
        "step_seconds": figures.step().0,
        "bound_seconds": bound_seconds(&weighing),
        "bounded_by": bounded_by(&weighing),
        "gap_share": gap_share(&weighing, figures),
        "bubble_share": figures.bubble(),
        "imbalance": figures.imbalance(),
        "memory_bytes": found.group_memory().iter().map(|bytes| bytes.0).collect::<Vec<_>>(),
        "devices": made.as_ref().map(|made| between_groups::devices(made)),
        "process_groups": match made {
            Some(made) => between_groups::process_groups(made),
            None => Some(process_groups(plan)),
        },
        "tied": made.as_ref().map(|made| between_groups::tied(made)),
        "group_hosts": made.as_ref().and_then(|made| made.plan.group_hosts),
        "weighed_group_hosts": made.as_ref().map(|made| between_groups::hosts(made)),
        "by_block": made.as_ref().map(|made| by_block(&made.plan)),
        "weighed": weighed_json(&plan.weighed),
        "baseline": baselined.as_ref().map(baseline::json),
        "reasons": made.as_ref().map(|made| &made.plan.reasons),
        "not_searched": made.as_ref().map(|made| &made.plan.not_searched),
        "attention": made.as_ref().map(|made| &made.plan.attention),
        "unfinished": plan.unfinished,
    });
    with_use(all, &found.used().unwrap_or_default(), found.memory())
}

/// JSON of a pipeline with its throughput, use of the machine and cost, and the memory that a device needs and has.
pub(crate) fn with_use(
    mut json: serde_json::Value,
    figures: &Figures,
    [peak, limit]: [Bytes; 2],
) -> serde_json::Value {
    json["peak_bytes"] = json!(peak.0);
    json["limit_bytes"] = json!(limit.0);
    json["throughput"] = json!(figures.throughput);
    json["mfu"] = json!(figures.mfu);
    json["mfu_causal"] = json!(figures.mfu_causal);
    json["cost"] = json!(figures.cost);
    json
}

/// What no pipeline takes less than, where numbers were searched.
pub(crate) fn bound_seconds(weighing: &Weighing) -> Option<f64> {
    (!weighing.weighed.is_empty()).then_some(weighing.bound.0)
}

/// The groups and microbatches that set the bound, as JSON; nothing where those of the plan do.
pub(crate) fn bounded_by(weighing: &Weighing) -> Option<serde_json::Value> {
    weighing.bounded_by().map(|own| json!({ "groups": own.groups, "microbatches": own.microbatches }))
}

/// The share of its time by which a pipeline of these figures may be slower than the best, where numbers were searched.
pub(crate) fn gap_share(weighing: &Weighing, figures: &PipelineFigures) -> Option<f64> {
    (!weighing.weighed.is_empty()).then(|| weighing.gap(figures))
}

/// What a pipeline was weighed against, as JSON.
pub(crate) fn weighed_json(all: &[Weighed]) -> Vec<serde_json::Value> {
    let one = |own: &Weighed| {
        let (fate, seconds) = match own.fate {
            WeighedFate::Priced(seconds, _) => ("priced", Some(seconds.0)),
            WeighedFate::Left => ("left", None),
            WeighedFate::Beaten => ("beaten", None),
            WeighedFate::DoesNotFit(_) => ("does not fit", None),
            WeighedFate::Impossible => ("impossible", None),
            WeighedFate::Passed => ("not looked at", None),
        };
        json!({
            "groups": own.groups,
            "microbatches": own.microbatches,
            "parts_of": match own.parts_of {
                PartsOf::Batch => "batch",
                PartsOf::Sequence => "sequence",
            },
            "fate": fate,
            "step_seconds": seconds,
            "needed_bytes": match own.fate {
                WeighedFate::DoesNotFit(needed) => needed.map(|bytes| bytes.0),
                _ => None,
            },
            "bound_seconds": Some(own.bound.0).filter(|bound| bound.is_finite()),
        })
    };
    all.iter().map(one).collect()
}
