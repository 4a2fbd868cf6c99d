//! `meshwright plan --grid`: every combination of degrees, priced.
//!
//! Input: what decides a plan. Output: a table, or JSON, and a file with all rows. If no combination is a plan, the answer is
//! no, and says what would fit. Ctrl-C leaves the rows that are priced by then; the others are marked.

use crate::args::{Output, PipelineArguments, PlanArguments, Planning};
use crate::failure::{Failure, Outcome};
use crate::listed::Listed;
use crate::planning::{Inputs, NoMachine, failure, one_limit};
use crate::terminal::Terminal;
use crate::{listed, output, plural};
use meshwright_compile::{CompileError, GridOutcome, GridRow};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_machine::Bytes;
use meshwright_plan::DegreeName;
use meshwright_present::grid::{csv, in_microbatches, is_unfinished, json, least, text, why_none};
use std::path::Path;

/// What is said where Ctrl-C leaves no row.
pub(crate) const NOTHING_PRICED: &str = "nothing was priced before, and nothing is written";

/// No combination of degrees is a plan.
const GRID: Check = Check("grid");

pub(crate) fn run(arguments: &PlanArguments, out: Output) -> Outcome {
    let limit = one_limit(&arguments.planning)?;
    must_be_priced(&arguments.pipeline)?;
    if let Some(path) = arguments.output.as_deref().filter(|path| *path != Path::new("-")) {
        output::has_place(path)?;
    }
    let mut name = String::new();
    let rows = of_all(&listed::each(&arguments.planning)?, |listed| {
        let inputs = inputs(arguments, &listed.planning, out)?;
        name = inputs.name();
        priced(&inputs, &listed.words(), limit)
    })?;
    let priced = rows.iter().filter(|row| row.outcome != GridOutcome::Unpriced).count();
    if priced == 0 && is_unfinished(&rows) {
        return Err(Failure::stopped(NOTHING_PRICED));
    }
    if let Some(path) = &arguments.output {
        let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        let data = if is_csv { csv(&rows) } else { json(&rows) };
        output::write(path, data.as_bytes())?;
    }
    if arguments.output.as_deref() != Some(Path::new("-")) {
        let shown = if out.json { json(&rows) } else { text(&rows, &name, arguments.full) };
        output::print(&shown)?;
    }
    if is_unfinished(&rows) {
        let count = plural::count(rows.len(), "combination");
        return Err(Failure::stopped(&format!("of {count} {priced} are priced, and the others are marked")));
    }
    match rows.iter().any(GridRow::is_plan) {
        true => Ok(()),
        false => Err(Failure::check(nothing(&rows))),
    }
}

/// The rows of all values that are listed, until some are not priced. What is wrong with one value is no fault of the others:
/// the same ways stay, with the reason.
///
/// Errors: no value has rows; then what is wrong with the first.
pub(crate) fn of_all(
    all: &[Listed],
    mut priced: impl FnMut(&Listed) -> Outcome<Vec<GridRow>>,
) -> Outcome<Vec<GridRow>> {
    let (mut rows, mut ways, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
    for listed in all {
        match priced(listed) {
            Ok(found) => {
                if ways.is_empty() {
                    ways.clone_from(&found);
                }
                rows.extend(found);
            }
            Err(failure @ (Failure::Input(_) | Failure::Usage(_))) => wrong.push((listed, failure)),
            Err(failure) => return Err(failure),
        }
        if is_unfinished(&rows) {
            break;
        }
    }
    if rows.is_empty() && !wrong.is_empty() {
        return Err(wrong.swap_remove(0).1);
    }
    for (listed, failure) in wrong {
        let refused = |row: &GridRow| {
            let row = row.refused(listed.said(), failure.message());
            // Sequences are those of a batch that there is.
            GridRow { sequences: row.sequences.filter(|_| !listed.has_batch()), ..row }
        };
        rows.extend(ways.iter().map(refused));
    }
    Ok(rows)
}

/// What is priced of one combination of flags.
pub(crate) fn inputs(arguments: &PlanArguments, planning: &Planning, out: Output) -> Outcome<Inputs> {
    let mut inputs = Inputs::read(planning, NoMachine::Refused, None, out)?;
    // Of a single number that is said, others are open too.
    let degrees = planning.degrees.space().map_err(Failure::usage)?;
    // A pipeline runs the microbatches of a step.
    let has_microbatches = inputs.options.microbatches.is_some() || inputs.options.microbatch_size.is_some();
    let degrees = if has_microbatches { degrees.or_search(DegreeName::Pp) } else { degrees };
    let said = arguments.pipeline.said();
    (inputs.options.degrees, inputs.options.schedule) = said.of_degrees(degrees).map_err(Failure::usage)?;
    inputs.options = said.of_groups(inputs.options);
    inputs.options.asked = None;
    inputs.options.layers = arguments.layers.map(Into::into).unwrap_or_default();
    Ok(inputs)
}

/// Refuses what changes updates or weights, of which rows of a grid know nothing.
fn must_be_priced(pipeline: &PipelineArguments) -> Outcome {
    let of_updates = ["--post-validation", "--delayed-weights", "--stage-loops"];
    let mut given =
        pipeline.flags().into_iter().filter(|(flag, is_given)| *is_given && of_updates.contains(flag));
    match given.next() {
        Some((flag, _)) => Err(Failure::usage(format!(
            "`{flag}` is of a pipeline that is made, and rows of a grid are priced: leave one of them out"
        ))),
        None => Ok(()),
    }
}

/// All rows of one batch; `asked` is what tells them from others. Those behind a Ctrl-C are not priced.
pub(crate) fn priced(inputs: &Inputs, asked: &str, limit: Option<Bytes>) -> Outcome<Vec<GridRow>> {
    rows(inputs, asked, |terminal| inputs.grid_so_far(limit, terminal))
}

/// The same, and all ways in the fewest microbatches with which one fits, where it takes some and nothing is said of them.
pub(crate) fn priced_in_fewest(inputs: &Inputs, asked: &str, limit: Option<Bytes>) -> Outcome<Vec<GridRow>> {
    rows(inputs, asked, |terminal| inputs.grid_in_fewest(limit, terminal))
}

fn rows(
    inputs: &Inputs,
    asked: &str,
    price: impl Fn(&Terminal<'_>) -> Result<Vec<GridRow>, CompileError>,
) -> Outcome<Vec<GridRow>> {
    let terminal = Terminal::plain().listening();
    let rows = price(&terminal);
    terminal.wipe();
    let rows = rows.map_err(|error| failure(error, &inputs.source, None))?;
    Ok(rows.into_iter().map(|row| row.asked_with(asked)).collect())
}

/// Why there is no plan.
fn nothing(rows: &[GridRow]) -> Diagnostic {
    let count = plural::count(rows.len(), "combination");
    let message = format!("of {count} of degrees none is a plan");
    let mut diagnostic = Diagnostic::error(GRID, Span::NONE, message);
    diagnostic.hints.extend(in_microbatches(rows).map(|(row, count)| {
        let words = row.words();
        format!("`{words}` fits with `--microbatches {count}`; `--microbatches search` prices all numbers")
    }));
    match least(rows) {
        Some((row, peak)) => diagnostic.hint(format!(
            "`{}` needs least memory, {peak}: take more devices, or try `--recompute full` or `--microbatches`",
            row.words()
        )),
        None => match why_none(rows) {
            Some(why) => diagnostic.hint(format!("{why}: allow more, or say other degrees")),
            None => diagnostic.hint("allow more, or say other degrees"),
        },
    }
}
