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
use meshwright_compile::{CompileError, Compiled, DegreeSpace, GridOutcome, GridRow, Options, Search};
use meshwright_export::{EXPORT, Fault, Otherwise, Target, export, planned, target};
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_machine::Seconds;

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
    let rows = inputs.grid(limit, &terminal);
    let options = Options { memory_limit: limit, ..inputs.options.clone() };
    let found = rows.and_then(|rows| {
        let ways = fastest_first(&rows);
        first_that_runs(&inputs, &options, &ways, target, &config, &terminal).map(|found| (ways.len(), found))
    });
    terminal.wipe();
    let (count, found) = found.map_err(|error| failure(error, &inputs.source, None))?;
    match found {
        Ok(compiled) => {
            let Inputs { source, machine, .. } = inputs;
            plan::show(arguments, &Planned { source, machine, options, compiled: *compiled }, out)
        }
        Err(refusal) => {
            let ways = plural::count(count, "way");
            let message =
                format!("{} {} can run none of {ways} that fit: {refusal}", target.title, target.version);
            let hint = "`--grid` shows all ways; allow others, or export with `--nearest`";
            Err(Failure::check(Diagnostic::error(EXPORT, Span::NONE, message).hint(hint)))
        }
    }
}

/// The rows that are plans.
fn fastest_first(rows: &[GridRow]) -> Vec<(Seconds, &GridRow)> {
    let mut plans: Vec<(Seconds, &GridRow)> = Vec::new();
    for row in rows {
        if let GridOutcome::Plan(figures) = &row.outcome {
            plans.push((figures.seconds, row));
        }
    }
    plans.sort_by(|a, b| a.0.0.total_cmp(&b.0.0));
    plans
}

/// What the first way becomes that the target runs as it is; else why it does not run the fastest.
fn first_that_runs(
    inputs: &Inputs,
    options: &Options,
    ways: &[(Seconds, &GridRow)],
    target: &Target,
    config: &Source,
    terminal: &Terminal<'_>,
) -> Result<Result<Box<Compiled>, String>, CompileError> {
    let mut refusal = None;
    for (seconds, row) in ways {
        let options = Options {
            asked: Some(row.way),
            degrees: DegreeSpace::default(),
            search: Some(Search::None),
            ..options.clone()
        };
        let Inputs { program, source, machine, .. } = inputs;
        let mut compiled = meshwright_compile::compile(program, source, machine, &options, terminal)?;
        let job = planned::job(&compiled.plan, &source.name, Some(config)).map_err(|fault| match fault {
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
