//! `meshwright plan --for TARGET`: the fastest plan that another framework can run.
//!
//! Input: a configuration, and a target of `export`. What the target can run is asked of the target itself: all ways are
//! priced, and the first of them, from the fastest on, that it would write as it is becomes the plan. The plan says what
//! that costs beside the fastest of all.

use crate::args::{Output, PlanArguments};
use crate::failure::{Failure, Outcome};
use crate::plan::Answer;
use crate::planning::{Inputs, NoMachine, Planned, failure, one_limit};
use crate::terminal::Terminal;
use crate::{pipeline, plural, program};
use meshwright_compile::{
    CompileError, Compiled, DegreeSpace, GridFigures, GridOutcome, GridRow, Microbatches, Options, Pipelined,
    Recompute, Search, best_first, pipelined_way,
};
use meshwright_export::{EXPORT, Fault, Otherwise, Target, export, planned, target};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Seconds};
use meshwright_plan::{DegreeName, PlanFile};
use meshwright_present::grid::why_none;

/// The plan for a target of this name.
pub(crate) fn planned(arguments: &PlanArguments, name: &str, out: Output) -> Outcome<Answer> {
    let target = target(name).ok_or_else(|| {
        Failure::usage("`--for`: `list` is no framework; `meshwright export --to list` shows them")
    })?;
    let limit = one_limit(&arguments.planning)?;
    let config = program::config_text(&arguments.planning.model)?;
    if !program::is_config(&config) {
        return Err(Failure::usage(
            "`--for` goes with a model's config.json: a program does not say the sizes that job files want",
        ));
    }
    let mut inputs = Inputs::read(&arguments.planning, NoMachine::Refused, None, out)?;
    let said = arguments.pipeline.said();
    if said.schedule.is_some() {
        let degrees = arguments.planning.degrees.space().map_err(Failure::usage)?;
        let (degrees, schedule) = said.of_degrees(degrees).map_err(Failure::usage)?;
        inputs.options.schedule = schedule;
        match inputs.options.asked {
            Some(_) => inputs.options.asked = degrees.only(),
            None => inputs.options.degrees = degrees,
        }
    }
    // A pipeline runs the microbatches of a step.
    if inputs.options.microbatches.is_some() && inputs.options.asked.is_none() {
        inputs.options.degrees = inputs.options.degrees.clone().or_search(DegreeName::Pp);
    }
    let terminal = Terminal::plain().listening();
    let options = Options { memory_limit: limit, ..inputs.options.clone() };
    let wanted = ForTarget { target, config: &config };
    let found = wanted.fastest(&inputs.program, &inputs.source, &inputs.machine, &options, &terminal);
    terminal.wipe();
    match found.map_err(|error| failure(error, &inputs.source, None))? {
        Ok(Runs::Step(compiled)) => {
            let Inputs { source, machine, .. } = inputs;
            let (compiled, weighed) = (*compiled, Vec::new());
            Ok(Answer::Plain(Box::new(Planned { source, machine, options, compiled, weighed })))
        }
        Ok(Runs::Pipeline(pipelined)) => {
            let Inputs { source, machine, .. } = inputs;
            Ok(Answer::Stages(Box::new(pipeline::Planned {
                source,
                machine,
                options,
                pipelined: *pipelined,
                searched: None,
            })))
        }
        Err(refusal) => Err(Failure::check(*refusal)),
    }
}

/// A framework that is to run a plan, and the configuration of the model that it is of.
#[derive(Clone, Copy, Debug)]
pub struct ForTarget<'a> {
    /// The framework.
    pub target: &'a Target,
    /// The model's `config.json`.
    pub config: &'a Source,
}

/// A plan that a framework can run.
#[derive(Debug)]
pub enum Runs {
    /// One without stages.
    Step(Box<Compiled>),
    /// A pipeline.
    Pipeline(Box<Pipelined>),
}

impl Runs {
    fn plan(&self) -> &PlanFile {
        match self {
            Self::Step(compiled) => &compiled.plan,
            Self::Pipeline(pipelined) => &pipelined.plan,
        }
    }

    fn plan_mut(&mut self) -> &mut PlanFile {
        match self {
            Self::Step(compiled) => &mut compiled.plan,
            Self::Pipeline(pipelined) => &mut pipelined.plan,
        }
    }
}

impl ForTarget<'_> {
    /// The fastest plan of all ways that the options leave open that the framework runs as it is; else why it runs none. A
    /// framework that always makes something again gets as little of that as it runs with, where the options do not say it.
    ///
    /// # Errors
    /// As [`meshwright_compile::grid`].
    pub fn fastest(
        &self,
        program: &Program,
        source: &Source,
        machine: &Machine,
        options: &Options,
        control: &dyn Control,
    ) -> Result<Result<Runs, Box<Diagnostic>>, CompileError> {
        let as_said = self.fastest_as_said(program, source, machine, options, control)?;
        if as_said.is_ok() || options.recompute.is_some() {
            return Ok(as_said);
        }
        for level in ["selective", "full"] {
            let options = Options { recompute: level.parse().ok(), ..options.clone() };
            let found = self.fastest_as_said(program, source, machine, &options, control)?;
            if found.is_ok() {
                return Ok(found);
            }
        }
        Ok(as_said)
    }

    fn fastest_as_said(
        &self,
        program: &Program,
        source: &Source,
        machine: &Machine,
        options: &Options,
        control: &dyn Control,
    ) -> Result<Result<Runs, Box<Diagnostic>>, CompileError> {
        let rows = meshwright_compile::grid(program, source, machine, options, control)?;
        let plans: Vec<(&GridRow, &GridFigures)> = best_first(&rows)
            .into_iter()
            .filter_map(|row| match &row.outcome {
                GridOutcome::Plan(figures) => Some((row, figures.as_ref())),
                _ => None,
            })
            .collect();
        let compile = |row: &GridRow, figures: &GridFigures| {
            let options = &row_options(row, figures, options);
            match row.way.groups() {
                1 => {
                    let made = meshwright_compile::compile(program, source, machine, options, control)?;
                    Ok(Runs::Step(Box::new(made)))
                }
                _ => {
                    let made = pipelined_way(program, machine, options, row.way, control)?;
                    Ok(Runs::Pipeline(Box::new(made)))
                }
            }
        };
        let found = match plans.is_empty() {
            true => Err(why_none(&rows).unwrap_or_else(|| "there is none".to_owned())),
            false => self.first_that_runs(&plans, &source.name, &compile)?,
        };
        Ok(found.map_err(|refusal| {
            let (target, ways) = (self.target, plural::count(plans.len(), "way"));
            let message = match plans.is_empty() {
                true => format!("no way is a plan that {} could run: {refusal}", target.title),
                false => {
                    format!("{} {} can run none of {ways} that fit: {refusal}", target.title, target.version)
                }
            };
            let hint = "`--grid` shows all ways; allow others, or export with `--nearest`";
            Box::new(Diagnostic::error(EXPORT, Span::NONE, message).hint(hint))
        }))
    }

    /// What the first way becomes that the target runs as it is; else why it does not run the fastest.
    fn first_that_runs(
        &self,
        plans: &[(&GridRow, &GridFigures)],
        name: &str,
        compile: &dyn Fn(&GridRow, &GridFigures) -> Result<Runs, CompileError>,
    ) -> Result<Result<Runs, String>, CompileError> {
        let mut refusal = None;
        for (row, figures) in plans {
            let mut made = match compile(row, figures) {
                Ok(made) => made,
                // Its programs need more than its row says.
                Err(CompileError::NotAllowed(problem)) => {
                    refusal = refusal.or(Some(problem.message));
                    continue;
                }
                Err(error) => return Err(error),
            };
            match self.can_run(made.plan(), name) {
                Ok(()) => {
                    let reason = reason(self.target, figures.seconds, plans[0], refusal.as_deref());
                    made.plan_mut().reasons.push(reason);
                    return Ok(Ok(made));
                }
                Err(problem) => refusal = refusal.or(Some(problem)),
            }
        }
        Ok(Err(refusal.unwrap_or_else(|| "no way fits into memory".to_owned())))
    }

    /// Whether the target runs a plan as it is; else why not.
    fn can_run(&self, plan: &PlanFile, name: &str) -> Result<(), String> {
        let job = planned::job(plan, name, Some(self.config)).map_err(|fault| match fault {
            Fault::Plan(found) | Fault::Config(found) => found.message,
        })?;
        let gaps = export(job, self.target, Otherwise::Refused).err().unwrap_or_default();
        gaps.first().map_or(Ok(()), |gap| Err(gap.to_string()))
    }
}

/// The options that lead to the plan of a row.
fn row_options(row: &GridRow, figures: &GridFigures, options: &Options) -> Options {
    let recompute = figures.recompute.as_deref().filter(|_| options.recompute == Some(Recompute::Search));
    Options {
        asked: Some(row.way),
        degrees: DegreeSpace::default(),
        search: Some(Search::None),
        microbatches: options.microbatches.map(|_| Microbatches::Number(figures.microbatches)),
        recompute: match row.way.groups() {
            1 => recompute.and_then(|words| words.parse().ok()).or_else(|| options.recompute.clone()),
            _ => options.recompute.clone(),
        },
        ..options.clone()
    }
}

/// What the target costs.
fn reason(
    target: &Target,
    seconds: Seconds,
    fastest: (&GridRow, &GridFigures),
    refusal: Option<&str>,
) -> String {
    let name = format!("{} {}", target.title, target.version);
    match refusal {
        None => format!("{name} runs the fastest of all ways as it is."),
        Some(refusal) => format!(
            "It is the fastest that {name} runs as it is, {:.1} % slower than `{}`, of which that holds: {refusal}.",
            100.0 * (seconds.0 / fastest.1.seconds.0 - 1.0),
            fastest.0.way
        ),
    }
}
