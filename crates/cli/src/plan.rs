//! `meshwright plan`: chooses, shows, and writes the plan if asked to.

use crate::args::{MemoryLimits, Output, PlanArguments, Planning};
use crate::best::{self, Best};
use crate::failure::{Failure, Outcome, warn_all};
use crate::plan_table::{Rows, text};
use crate::planning::NoMachine;
use crate::{
    baseline, for_target, grid, job_file, listed, output, pipeline, pipeline_plan, planning, scaling, sweep,
};
use meshwright_compile::ChosenBy;
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Seconds;
use meshwright_plan::plan_file::PlanModel;
use meshwright_plan::{Figures, PlanFile};
use serde_json::{Value, json};
use std::path::Path;

pub(crate) fn run(arguments: &PlanArguments, out: Output) -> Outcome {
    if let Some(plan) = &arguments.plan {
        return of_given(arguments, plan, out);
    }
    if arguments.job.target.is_none() {
        let machine = arguments.planning.machine.as_deref();
        let machines = machine.map(scaling::machines).transpose()?.flatten();
        match (machines, machine) {
            (Some(machines), _) => return scaling::run(arguments, &machines, out),
            (None, Some(machine)) if arguments.wanted.is_any() || arguments.wanted.tokens.is_some() => {
                return scaling::run(arguments, &[machine.to_owned()], out);
            }
            _ if arguments.grid => return grid::run(arguments, out),
            _ => {}
        }
    }
    if listed::each(&arguments.planning)?.len() > 1 {
        return listed::run(arguments, out);
    }
    if let Some(path) = &arguments.job.from
        && job_file::run(arguments, path, out)?
    {
        return Ok(());
    }
    match answer(arguments, out)? {
        Some(answer) => answer.show(arguments, None, out),
        None => Ok(()),
    }
}

/// A plan.
pub(crate) enum Answer {
    /// One without stages.
    Plain(Box<planning::Planned>),
    /// A pipeline whose numbers were chosen, or that degrees say.
    Found(Box<pipeline_plan::Found>),
    /// A pipeline of given numbers.
    Stages(Box<pipeline::Planned>),
}

/// What is said beside a plan, of others that it was compared with.
pub(crate) struct Beside {
    /// For people, in front of the plan.
    pub(crate) head: String,
    /// Its key in JSON.
    pub(crate) key: &'static str,
    /// As JSON.
    pub(crate) data: Value,
    /// In a sentence.
    pub(crate) said: String,
}

/// The plan that is asked for; none where that was shown already: after `--stop-after`, and of several memory limits.
pub(crate) fn answer(arguments: &PlanArguments, out: Output) -> Outcome<Option<Answer>> {
    if let Some(target) = &arguments.job.target {
        let (answer, warnings) = for_target::planned(arguments, target, out)?;
        if !warnings.is_empty() {
            warn_all(answer.source(), warnings, out);
        }
        return Ok(Some(answer));
    }
    if let Some(baseline) = baseline::asked(&arguments.planning, &arguments.pipeline)? {
        if arguments.job.from.is_some() || arguments.layers.is_some() {
            return Err(Failure::usage(format!(
                "`--from` and `--layers` are of ways that are said, and `--search {}` chooses one: leave them out",
                baseline.name
            )));
        }
        let found = pipeline_plan::of_baseline(&arguments.planning, &baseline, out)?;
        return Ok(Some(Answer::Found(Box::new(found))));
    }
    let layers = arguments.layers.map(Into::into).unwrap_or_default();
    let of_degrees =
        pipeline_plan::of_degrees(&arguments.planning, &arguments.pipeline, layers, NoMachine::Refused, out)?;
    match of_degrees {
        Some(pipeline_plan::OfDegrees::Pipeline(found)) if pipeline::is_made(&arguments.pipeline) => {
            return Ok(Some(Answer::Stages(Box::new(found.made(&arguments.planning, out)?))));
        }
        Some(pipeline_plan::OfDegrees::Pipeline(found)) => {
            if let Some(warning) = found.never_full() {
                warn_all(found.source(), vec![warning], out);
            }
            return Ok(Some(Answer::Found(found)));
        }
        Some(pipeline_plan::OfDegrees::Plain(planning)) => return plain(arguments, &planning, out),
        None => {}
    }
    if let Some(pipeline::Asked::ToChoose(space)) = pipeline::asked(&arguments.planning, &arguments.pipeline)?
        && !pipeline::is_made(&arguments.pipeline)
    {
        let PlanArguments { planning, pipeline, .. } = arguments;
        let (inputs, found) = pipeline_plan::best_of(planning, pipeline, &space, NoMachine::Refused, out)?;
        return Ok(match found {
            meshwright_compile::Best::Stages(made, ChosenBy::Plan(plan)) => {
                let found = pipeline_plan::Found::of_search(inputs, *plan, made);
                Some(Answer::Found(Box::new(found)))
            }
            other => Answer::of(Best::of(inputs, other)),
        });
    }
    match &arguments.planning.memory_limit {
        Some(MemoryLimits::Each(limits)) if limits.len() == 1 => {}
        Some(limits) if arguments.pipeline.stages.is_none() => {
            return compare(arguments, limits, out).map(|()| None);
        }
        _ => {}
    }
    let of_job = arguments.job.from.as_deref().map(|path| job_file::asked_for(&arguments.planning, path));
    let of_job = of_job.transpose()?;
    let planning = of_job.as_ref().unwrap_or(&arguments.planning);
    let paths = (None, arguments.output.as_deref());
    best::compile(planning, &arguments.pipeline, NoMachine::Refused, paths, out).map(Answer::of)
}

/// A plan that was made earlier, priced again.
fn of_given(arguments: &PlanArguments, plan: &Path, out: Output) -> Outcome {
    let paths = (Some(plan), arguments.output.as_deref());
    let best = best::compile(&arguments.planning, &arguments.pipeline, NoMachine::Refused, paths, out)?;
    Answer::of(best).map_or(Ok(()), |answer| answer.show(arguments, None, out))
}

/// A plan without stages.
fn plain(arguments: &PlanArguments, planning: &Planning, out: Output) -> Outcome<Option<Answer>> {
    let planned = planning::compile(planning, NoMachine::Refused, None, arguments.output.as_deref(), out)?;
    Ok(planned.map(|planned| Answer::Plain(Box::new(planned))))
}

impl Answer {
    /// The plan of a program; none where it was stopped before the end.
    fn of(best: Best) -> Option<Self> {
        match best {
            Best::Stopped => None,
            Best::Stages(planned) => Some(Self::Stages(planned)),
            Best::Whole(planned) => Some(Self::Plain(planned)),
        }
    }

    /// The plan file, for which programs of a pipeline are made where they are not there.
    ///
    /// Errors: these do not fit.
    pub(crate) fn plan_file(self, planning: &Planning) -> Outcome<(Self, Option<PlanFile>)> {
        let with_programs = match self {
            Self::Found(found) => Self::Found(Box::new(found.with_programs(planning)?)),
            other => other,
        };
        let plan = match &with_programs {
            Self::Plain(planned) => Some(planned.compiled.plan.clone()),
            Self::Stages(planned) => Some(planned.pipelined.plan.clone()),
            Self::Found(found) => found.plan_file([]),
        };
        Ok((with_programs, plan))
    }

    /// Predicted time of a step.
    pub(crate) fn seconds(&self) -> Seconds {
        match self {
            Self::Plain(planned) => Seconds(planned.compiled.plan.predicted.total_seconds),
            Self::Found(found) => found.seconds(),
            Self::Stages(planned) => planned.pipelined.figures.step(),
        }
    }

    /// Its program's text.
    fn source(&self) -> &Source {
        match self {
            Self::Plain(planned) => &planned.source,
            Self::Found(found) => found.source(),
            Self::Stages(planned) => &planned.source,
        }
    }

    /// What its program was made of.
    pub(crate) fn model(&self) -> Option<&PlanModel> {
        match self {
            Self::Plain(planned) => planned.compiled.plan.model.as_ref(),
            Self::Found(found) => found.model(),
            Self::Stages(planned) => planned.pipelined.plan.model.as_ref(),
        }
    }

    /// Whether its search was stopped before the end.
    pub(crate) fn is_unfinished(&self) -> bool {
        match self {
            Self::Plain(planned) => planned.compiled.plan.unfinished,
            Self::Found(found) => found.is_unfinished(),
            Self::Stages(planned) => planned.pipelined.plan.unfinished,
        }
    }

    /// The same as the best of several, of which not all were found.
    pub(crate) fn marked_unfinished(mut self) -> Self {
        match &mut self {
            Self::Plain(planned) => planned.compiled.plan.unfinished = true,
            Self::Found(found) => found.mark_unfinished(),
            Self::Stages(planned) => planned.pipelined.plan.unfinished = true,
        }
        self
    }

    /// What it amounts to, in a line.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Plain(planned) => planned.compiled.plan.parallelism.join(", "),
            Self::Found(found) => found.words(),
            Self::Stages(planned) => planned.pipelined.plan.parallelism.join(", "),
        }
    }

    /// What it is fed, takes and costs, where the step is fed something.
    pub(crate) fn figures(&self) -> Option<Figures> {
        match self {
            Self::Plain(planned) => planned.compiled.plan.figures.clone(),
            Self::Found(found) => found.used(),
            Self::Stages(planned) => planned.pipelined.plan.figures.clone(),
        }
    }

    /// Writes it if asked to, and shows it.
    ///
    /// Errors: it is not what is wanted of it.
    pub(crate) fn show(self, arguments: &PlanArguments, beside: Option<&Beside>, out: Output) -> Outcome {
        let figures = if arguments.wanted.is_any() { self.figures() } else { None };
        let words = self.words();
        self.warn_of_numbers(out);
        self.written_and_shown(arguments, beside, out)?;
        scaling::must_meet(&arguments.wanted, figures.as_ref(), &words)
    }

    /// Warns of numbers that the machine's devices do not have.
    fn warn_of_numbers(&self, out: Output) {
        match self {
            Self::Plain(own) => {
                planning::warn_of_numbers(&own.compiled.program, &own.source, &own.machine, out);
            }
            Self::Found(found) => found.warn_of_numbers(out),
            Self::Stages(own) => {
                planning::warn_of_numbers(&own.pipelined.program, &own.source, &own.machine, out);
            }
        }
    }

    fn written_and_shown(self, arguments: &PlanArguments, beside: Option<&Beside>, out: Output) -> Outcome {
        let said = beside.map(|beside| beside.said.clone());
        let head = beside.map_or("", |beside| &beside.head);
        let with = |mut json: Value| {
            if let (Some(beside), Some(object)) = (beside, json.as_object_mut()) {
                object.insert(beside.key.to_owned(), beside.data.clone());
            }
            output::json(&json)
        };
        match self {
            Self::Plain(mut planned) => {
                planned.compiled.plan.reasons.splice(0..0, said);
                of_step(arguments, &planned, head, out)
            }
            Self::Found(mut found) => {
                // Blocks are read off programs.
                if arguments.output.is_some() || arguments.full {
                    *found = found.with_programs(&arguments.planning)?;
                }
                let plan = found.plan_file(said).map(|plan| plan.to_text());
                let written = || Ok(plan.clone().unwrap_or_default());
                let text = || head.to_owned() + &pipeline_plan::text(&found);
                shown(arguments, out, (&with(pipeline_plan::json(&found)), &written), &text)?;
                ended(found.is_unfinished())
            }
            Self::Stages(planned) => {
                let written = || {
                    let mut plan = planned.pipelined.plan.clone();
                    plan.reasons.splice(0..0, said.clone());
                    Ok(plan.to_text())
                };
                let text = || head.to_owned() + &pipeline::text(&planned);
                shown(arguments, out, (&with(pipeline::json(&planned)), &written), &text)?;
                ended(planned.pipelined.plan.unfinished)
            }
        }
    }
}

/// Writes a plan without stages if asked to, and shows it.
fn of_step(arguments: &PlanArguments, planned: &planning::Planned, head: &str, out: Output) -> Outcome {
    let plan = &planned.compiled.plan;
    if let Some(path) = &arguments.output {
        output::write(path, plan.to_text().as_bytes())?;
        if path == Path::new("-") {
            return ended(plan.unfinished);
        }
    }
    if out.json {
        output::print(&match planned.weighed.is_empty() {
            true => plan.to_text(),
            false => output::json(&with_weighed(planned)),
        })?;
    } else {
        let rows = if arguments.full { Rows::All } else { Rows::Grouped };
        let text = text(plan, &planned.source.name, &planned.machine.spec(), rows);
        let weighed = match &planned.weighed[..] {
            [] => String::new(),
            weighed => format!("\n{}", pipeline_plan::weighed(weighed)),
        };
        output::print(&format!("{head}{text}{weighed}"))?;
    }
    ended(plan.unfinished)
}

/// The plan file with what plans of searched numbers say, as those of pipelines do.
fn with_weighed(planned: &planning::Planned) -> Value {
    let planning::Planned { compiled, weighed, .. } = planned;
    let mut plan = json!(compiled.plan);
    let step = compiled.plan.predicted.total_seconds;
    let bound = weighed.iter().map(|own| own.bound.0).fold(step, f64::min);
    plan["step_seconds"] = json!(step);
    plan["bound_seconds"] = json!(bound);
    plan["gap_share"] = json!(1.0 - bound / step);
    plan["weighed"] = json!(pipeline_plan::weighed_json(weighed));
    plan
}

/// Errors: the search was stopped, which leaves the best plan so far.
fn ended(unfinished: bool) -> Outcome {
    match unfinished {
        true => Err(Failure::stopped("the plan is the best that was found before, and is marked unfinished")),
        false => Ok(()),
    }
}

fn shown(
    arguments: &PlanArguments,
    out: Output,
    (json, written): (&str, &dyn Fn() -> Outcome<String>),
    text: &dyn Fn() -> String,
) -> Outcome {
    if let Some(path) = &arguments.output {
        output::write(path, written()?.as_bytes())?;
        if path == Path::new("-") {
            return Ok(());
        }
    }
    output::print(&if out.json { json.to_owned() } else { text() })
}

/// Plans for several limits on memory.
fn compare(arguments: &PlanArguments, limits: &MemoryLimits, out: Output) -> Outcome {
    let stages = &arguments.planning.stages;
    if arguments.output.is_some() || stages.stop_after.is_some() || !stages.dump_after.is_empty() {
        let message = "several memory limits make several plans: `--output`, `--dump-after` and `--stop-after` take one";
        return Err(Failure::usage(message));
    }
    if !arguments.planning.degrees.is_empty() || arguments.job.from.is_some() {
        let message = "`--as`, `--tp` and their like, and `--from`, are priced beside one plan: give one memory limit, or leave it away";
        return Err(Failure::usage(message));
    }
    let inputs = planning::Inputs::read(&arguments.planning, NoMachine::Refused, None, out)?;
    sweep::run(&inputs, limits, out)
}
