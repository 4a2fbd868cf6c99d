//! Batches to choose from, `--global-batch 256..1024`: the one with which a step takes in most tokens per second.
//!
//! Input: flags of `plan`. Output: the plan of each batch on its own, of which the best is shown and written, behind a table
//! of all. A batch without a plan stays in the table, with the reason.

use crate::args::{Output, PlanArguments, Planning};
use crate::failure::{Failure, Outcome};
use crate::plan::{self, Answer};
use crate::table::{Lean, render};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_machine::Seconds;
use meshwright_models::Batches;
use meshwright_present::figures::grouped;
use serde_json::{Value, json};

/// No batch has a plan.
const BATCH: Check = Check("batch");

/// The flags for each batch by itself.
pub(crate) fn each(planning: &Planning) -> Vec<Planning> {
    let Some(batches) = &planning.step.global_batch else { return vec![planning.clone()] };
    let of = |batch| {
        let mut own = planning.clone();
        own.step.global_batch = Some(Batches::from(batch));
        own
    };
    batches.all().iter().copied().map(of).collect()
}

/// What became of a batch.
struct Tried {
    /// As it was written.
    batch: String,
    /// The plan, or why there is none.
    outcome: Result<Taken, String>,
}

/// A batch with a plan.
struct Taken {
    answer: Answer,
    sequences: usize,
    seconds: Seconds,
    tokens_per_second: f64,
}

/// Plans for each batch, and shows the best.
pub(crate) fn run(arguments: &PlanArguments, out: Output) -> Outcome {
    let mut all = Vec::new();
    for planning in each(&arguments.planning) {
        let batch = planning.step.global_batch.as_ref().and_then(Batches::only);
        let batch = batch.map(|batch| batch.to_string()).unwrap_or_default();
        let own = PlanArguments { planning, ..arguments.clone() };
        let outcome = match plan::answer(&own, out) {
            Ok(Some(answer)) => Ok(Taken::of(answer)?),
            Ok(None) => return Ok(()),
            // What is wrong with the flags or the model is wrong with all.
            Err(failure) => Err(failure.no()?),
        };
        all.push(Tried { batch, outcome });
    }
    let Some(best) = best(&all) else {
        let mut none = Diagnostic::error(BATCH, Span::NONE, "none of these batches has a plan");
        let why = |tried: Tried| Some(format!("with {}: {}", tried.batch, tried.outcome.err()?));
        none.hints.extend(all.into_iter().filter_map(why));
        return Err(Failure::check(none));
    };
    let (head, data, said) = (text(&all, best), data(&all), sentence(&all, best));
    let Some(Ok(taken)) = all.into_iter().nth(best).map(|tried| tried.outcome) else { return Ok(()) };
    taken.answer.show(arguments, Some(&plan::Beside { head, key: "batches", data, said }), out)
}

impl Taken {
    /// Errors: the answer says nothing of a rate.
    fn of(answer: Answer) -> Outcome<Self> {
        let nothing = || Failure::usage("several batches go with a model's config.json");
        let (model, seconds) = (answer.model().ok_or_else(nothing)?, answer.seconds());
        let (sequences, tokens) = (model.sequences, model.sequences * model.tokens_per_sequence);
        Ok(Self { sequences, tokens_per_second: tokens as f64 / seconds.0, seconds, answer })
    }
}

/// The position of the batch with most tokens per second, the first of equal ones.
fn best(all: &[Tried]) -> Option<usize> {
    let rates = all
        .iter()
        .enumerate()
        .filter_map(|(at, tried)| tried.outcome.as_ref().ok().map(|taken| (at, taken.tokens_per_second)));
    rates.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(at, _)| at)
}

fn text(all: &[Tried], best: usize) -> String {
    let columns = [
        ("", Lean::Left),
        ("batch", Lean::Right),
        ("step", Lean::Right),
        ("tokens/s", Lean::Right),
        ("", Lean::Left),
    ];
    let row = |(at, tried): (usize, &Tried)| {
        let mark = if at == best { "*" } else { "" };
        let cells = match &tried.outcome {
            Ok(taken) => [
                taken.sequences.to_string(),
                taken.seconds.to_string(),
                grouped(taken.tokens_per_second),
                taken.answer.words(),
            ],
            Err(why) => [tried.batch.clone(), "-".to_owned(), "-".to_owned(), why.clone()],
        };
        [mark.to_owned()].into_iter().chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = all.iter().enumerate().map(row).collect();
    format!("{}  * taken: most tokens per second\n\n", render(&columns, &rows))
}

fn data(all: &[Tried]) -> Value {
    let row = |tried: &Tried| match &tried.outcome {
        Ok(taken) => json!({
            "sequences": taken.sequences,
            "step_seconds": taken.seconds.0,
            "tokens_per_second": taken.tokens_per_second,
            "plan": taken.answer.words(),
        }),
        Err(why) => json!({ "batch": tried.batch, "reason": why }),
    };
    all.iter().map(row).collect()
}

/// Why this batch, for the plan to say.
fn sentence(all: &[Tried], best: usize) -> String {
    let rate = |tried: &Tried| match &tried.outcome {
        Ok(taken) => format!("{} with {}", grouped(taken.tokens_per_second), taken.sequences),
        Err(_) => format!("no plan with {}", tried.batch),
    };
    let others = all.iter().enumerate().filter(|(at, _)| *at != best).map(|(_, tried)| rate(tried));
    let own = all.get(best).map(rate).unwrap_or_default();
    format!(
        "Of the batches that were given this one takes in most tokens per second: {own} sequences; {}.",
        others.collect::<Vec<_>>().join(", ")
    )
}
