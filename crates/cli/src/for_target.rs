//! `meshwright plan --for TARGET`: the fastest plan that another framework can run.
//!
//! Input: a configuration, and a target of `export`. What the target can run is asked of the target itself: all ways are
//! priced, and the first of them, from the fastest on, that it would write as it is becomes the plan. The plan says what
//! that costs beside the fastest of all.

use crate::args::{Output, PlanArguments};
use crate::failure::{Failure, Outcome};
use crate::planning::{Inputs, NoMachine, Planned, failure, one_limit};
use crate::terminal::Terminal;
use crate::{input, plan, plural, program};
use meshwright_compile::{
    CompileError, Compiled, DegreeSpace, GridOutcome, GridRow, Options, ParallelDegrees, Search,
};
use meshwright_export::{EXPORT, Fault, Otherwise, Target, export, planned, target};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Seconds};

pub(crate) fn run(arguments: &PlanArguments, name: &str, out: Output) -> Outcome {
    let target = target(name).ok_or_else(|| {
        Failure::usage("`--for`: `list` is no framework; `meshwright export --to list` shows them")
    })?;
    let limit = one_limit(&arguments.planning)?;
    let config = input::text(&arguments.planning.model, "config.json")?;
    if !program::is_config(&config) {
        return Err(Failure::usage(
            "`--for` goes with a model's config.json: a program does not say the sizes that job files want",
        ));
    }
    let inputs = Inputs::read(&arguments.planning, NoMachine::Refused, None, out)?;
    let terminal = Terminal::plain().listening();
    let options = Options { memory_limit: limit, ..inputs.options.clone() };
    let wanted = ForTarget { target, config: &config };
    let found = wanted.fastest(&inputs.program, &inputs.source, &inputs.machine, &options, &terminal);
    terminal.wipe();
    match found.map_err(|error| failure(error, &inputs.source, None))? {
        Ok(compiled) => {
            let Inputs { source, machine, .. } = inputs;
            plan::show(arguments, &Planned { source, machine, options, compiled: *compiled }, out)
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

impl ForTarget<'_> {
    /// The fastest plan of all ways that the options leave open that the framework runs as it is; else why it runs none.
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
    ) -> Result<Result<Box<Compiled>, Box<Diagnostic>>, CompileError> {
        let rows = meshwright_compile::grid(program, source, machine, options, control)?;
        let ways = fastest_first(&rows);
        let compile = |way: ParallelDegrees| {
            let options = Options {
                asked: Some(way),
                degrees: DegreeSpace::default(),
                search: Some(Search::None),
                ..options.clone()
            };
            meshwright_compile::compile(program, source, machine, &options, control)
        };
        let found = self.first_that_runs(&ways, &source.name, &compile)?;
        Ok(found.map_err(|refusal| {
            let (target, ways) = (self.target, plural::count(ways.len(), "way"));
            let message =
                format!("{} {} can run none of {ways} that fit: {refusal}", target.title, target.version);
            let hint = "`--grid` shows all ways; allow others, or export with `--nearest`";
            Box::new(Diagnostic::error(EXPORT, Span::NONE, message).hint(hint))
        }))
    }

    /// What the first way becomes that the target runs as it is; else why it does not run the fastest.
    fn first_that_runs(
        &self,
        ways: &[(Seconds, &GridRow)],
        name: &str,
        compile: &dyn Fn(ParallelDegrees) -> Result<Compiled, CompileError>,
    ) -> Result<Result<Box<Compiled>, String>, CompileError> {
        let Self { target, config } = *self;
        let mut refusal = None;
        for (seconds, row) in ways {
            let mut compiled = compile(row.way)?;
            let job = planned::job(&compiled.plan, name, Some(config)).map_err(|fault| match fault {
                Fault::Plan(found) | Fault::Config(found) => found.message,
            });
            let written = job.and_then(|job| {
                let gaps = export(job, target, Otherwise::Refused).err().unwrap_or_default();
                gaps.first().map_or(Ok(()), |gap| Err(gap.to_string()))
            });
            match written {
                Ok(()) => {
                    compiled.plan.reasons.push(reason(target, *seconds, ways[0], refusal.as_deref()));
                    return Ok(Ok(Box::new(compiled)));
                }
                Err(problem) => refusal = refusal.or(Some(problem)),
            }
        }
        Ok(Err(refusal.unwrap_or_else(|| "no way fits into memory".to_owned())))
    }
}

/// The rows that are plans.
fn fastest_first(rows: &[GridRow]) -> Vec<(Seconds, &GridRow)> {
    let mut plans: Vec<(Seconds, &GridRow)> = Vec::new();
    for row in rows {
        // Job files are written of plans without stages.
        if let (GridOutcome::Plan(figures), 1) = (&row.outcome, row.way.groups()) {
            plans.push((figures.seconds, row));
        }
    }
    plans.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
    plans
}

/// What the target costs.
fn reason(target: &Target, seconds: Seconds, fastest: (Seconds, &GridRow), refusal: Option<&str>) -> String {
    let name = format!("{} {}", target.title, target.version);
    match refusal {
        None => format!("{name} runs the fastest of all ways as it is."),
        Some(refusal) => format!(
            "It is the fastest that {name} runs as it is, {:.1} % slower than `{}`, of which that holds: {refusal}.",
            100.0 * (seconds.0 / fastest.0.0 - 1.0),
            fastest.1.way
        ),
    }
}
