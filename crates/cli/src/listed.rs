//! Flags that list several values, `--global-batch 256..1024` or `--microbatches 2,4`: the plan with which a step takes in
//! most per second.
//!
//! Input: flags of `plan`. Output: the plan of each combination of values on its own, of which the best is shown and written,
//! behind a table of all. A combination without a plan stays in the table, with the reason. Ctrl-C leaves the best so far.

use crate::args::{OneOf, Output, PlanArguments, Planning};
use crate::failure::{Failure, Outcome};
use crate::plan::{self, Answer};
use crate::table::{Lean, render};
use crate::terminal::Terminal;
use crate::{interrupt, output, planning};
use meshwright_compile::Microbatches;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_machine::Seconds;
use meshwright_models::Batches;
use meshwright_present::figures::grouped;
use serde_json::{Value, json};

/// None of what was listed has a plan.
const LISTED: Check = Check("listed");

/// Key of what is listed where that is batches alone.
const BATCH: &str = "batch";

/// What is said of combinations that were left when the search ended.
const NOT_PLANNED: &str = "not planned: it was asked to stop before";

/// What is said of the combination in hand, where it has no plan yet.
const NOT_FOUND: &str = "no plan that fits was found before it was asked to stop";

/// A flag whose values are gone through.
type Flag = fn(&Planning) -> Vec<(&'static str, String, Planning)>;

/// Flags that may list values, with the key of each.
const FLAGS: [Flag; 4] = [of_batch, of_microbatches, of_sizes, of_recompute];

/// One combination of the values that are listed.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub(crate) planning: Planning,
    /// The values of the flags that list several, by key.
    values: Vec<(&'static str, String)>,
}

/// Flags with one value each, for each combination of those that are listed.
///
/// Errors: `search` stands in a list.
pub(crate) fn each(planning: &Planning) -> Outcome<Vec<Listed>> {
    let fitting = &planning.fitting;
    if fitting.recompute.len() > 1 && fitting.recompute.iter().any(|one| one.0.len() > 1) {
        return Err(Failure::usage("`--recompute` lists ways once, and names of values do not go with them"));
    }
    let numbers =
        [("--microbatches", &fitting.microbatches), ("--microbatch-size", &fitting.microbatch_size)];
    for (flag, listed) in numbers {
        if listed.len() > 1 && listed.contains(&Microbatches::Search) {
            return Err(Failure::usage(format!("`{flag}`: `search` looks at all numbers, and stands alone")));
        }
    }
    let mut all = vec![Listed { planning: planning.clone(), values: Vec::new() }];
    for flag in FLAGS {
        let with = |before: Listed| {
            let found = flag(&before.planning);
            let is_listed = found.len() > 1;
            let of = move |(key, value, planning): (&'static str, String, Planning)| {
                let own = is_listed.then_some((key, value));
                Listed { planning, values: before.values.iter().cloned().chain(own).collect() }
            };
            found.into_iter().map(of).collect::<Vec<_>>()
        };
        all = all.into_iter().flat_map(with).collect();
    }
    Ok(all)
}

fn of_batch(planning: &Planning) -> Vec<(&'static str, String, Planning)> {
    let set = |planning: &mut Planning, batch| planning.step.global_batch = Some(Batches::from(batch));
    let batches = planning.step.global_batch.as_ref().map_or(&[][..], Batches::all);
    gone_through(planning, BATCH, batches, ToString::to_string, set)
}

fn of_microbatches(planning: &Planning) -> Vec<(&'static str, String, Planning)> {
    let set = |planning: &mut Planning, asked| planning.fitting.microbatches = vec![asked];
    gone_through(planning, "microbatches", &planning.fitting.microbatches, number, set)
}

/// A number as it is said.
fn number(asked: &Microbatches) -> String {
    match asked {
        Microbatches::Number(number) => number.to_string(),
        Microbatches::Search => "search".to_owned(),
    }
}

fn of_sizes(planning: &Planning) -> Vec<(&'static str, String, Planning)> {
    let set = |planning: &mut Planning, size| planning.fitting.microbatch_size = vec![size];
    gone_through(planning, "microbatch_size", &planning.fitting.microbatch_size, number, set)
}

/// Names of values add up: only one flag can list ways.
fn of_recompute(planning: &Planning) -> Vec<(&'static str, String, Planning)> {
    let ways = match planning.fitting.recompute.as_slice() {
        [OneOf(ways)] => ways.as_slice(),
        _ => &[],
    };
    let set = |planning: &mut Planning, asked| planning.fitting.recompute = vec![OneOf(vec![asked])];
    gone_through(planning, "recompute", ways, ToString::to_string, set)
}

/// The flags with each of these values in place of all; as they are where there is none.
fn gone_through<T: Clone>(
    planning: &Planning,
    key: &'static str,
    values: &[T],
    said: impl Fn(&T) -> String,
    set: impl Fn(&mut Planning, T),
) -> Vec<(&'static str, String, Planning)> {
    if values.is_empty() {
        return vec![(key, String::new(), planning.clone())];
    }
    let of = |value: &T| {
        let mut own = planning.clone();
        set(&mut own, value.clone());
        (key, said(value), own)
    };
    values.iter().map(of).collect()
}

impl Listed {
    /// Returns whether its batch is one of several.
    pub(crate) fn has_batch(&self) -> bool {
        self.values.iter().any(|(key, _)| *key == BATCH)
    }

    /// All values in words, the batch as it is written.
    pub(crate) fn said(&self) -> String {
        let batch = self.values.iter().filter(|(key, _)| *key == BATCH);
        let batch = batch.map(|(key, value)| format!("{key} {value}"));
        let others = Some(self.words()).filter(|words| !words.is_empty());
        batch.chain(others).collect::<Vec<_>>().join(", ")
    }

    /// The values in words, those of the batch aside: `4 microbatches, recompute full`.
    pub(crate) fn words(&self) -> String {
        let word = |(key, value): &(&'static str, String)| match *key {
            "microbatches" if value == "1" => "1 microbatch".to_owned(),
            "microbatches" => format!("{value} microbatches"),
            "microbatch_size" => format!("microbatches of {value}"),
            key => format!("{key} {value}"),
        };
        self.values.iter().filter(|(key, _)| *key != BATCH).map(word).collect::<Vec<_>>().join(", ")
    }
}

/// What became of a combination.
struct Tried {
    listed: Listed,
    /// The plan, or why there is none.
    outcome: Result<Taken, String>,
}

/// A combination with a plan.
struct Taken {
    answer: Answer,
    seconds: Seconds,
    /// Sequences and tokens of a step, of a configuration.
    taken_in: Option<(usize, usize)>,
}

/// Plans for each combination, and shows the best.
pub(crate) fn run(arguments: &PlanArguments, out: Output) -> Outcome {
    if planning::one_limit(&arguments.planning).is_err() {
        return Err(Failure::usage("several memory limits go with one value of each flag"));
    }
    if arguments.planning.stages.stop_after.is_some() {
        return Err(Failure::usage("`--stop-after` is for one plan: give one value of each flag"));
    }
    // Also between two combinations Ctrl-C asks for the end, and does not lose what was found.
    let listening = Terminal::plain().listening();
    let answer = |listed: &Listed| {
        let own = PlanArguments { planning: listed.planning.clone(), ..arguments.clone() };
        plan::answer(&own, out)
    };
    let trials = trials(each(&arguments.planning)?, answer, interrupt::asked)?;
    drop(listening);
    let Some(Trials { all, mut wrong, is_stopped }) = trials else { return Ok(()) };
    let Some(best) = best(&all) else {
        if is_stopped {
            return Err(Failure::stopped(planning::NO_PLAN_BEFORE));
        }
        // What is wrong with all is said as of one; of batches each is wrong in its own way.
        let is_one = wrong.windows(2).all(|pair| pair[0].message() == pair[1].message());
        if wrong.len() == all.len() && (is_one || !are_batches(&all)) {
            return Err(wrong.swap_remove(0));
        }
        if !out.json {
            output::print(&text(&all, None))?;
        }
        let contradicts_itself =
            wrong.len() == all.len() && wrong.iter().all(|failure| matches!(failure, Failure::Usage(_)));
        let what = if are_batches(&all) { "none of these batches" } else { "nothing of what is listed" };
        let mut none = Diagnostic::error(LISTED, Span::NONE, format!("{what} has a plan"));
        let why = |tried: Tried| Some(format!("with {}: {}", tried.said(), tried.outcome.err()?));
        none.hints.extend(all.into_iter().filter_map(why));
        return Err(if contradicts_itself { Failure::Usage(Box::new(none)) } else { Failure::check(none) });
    };
    let (head, data, said) = (text(&all, Some(best)), data(&all), sentence(&all, best));
    let key = if are_batches(&all) { "batches" } else { "listed" };
    let Some(Ok(taken)) = all.into_iter().nth(best).map(|tried| tried.outcome) else { return Ok(()) };
    let answer = if is_stopped { taken.answer.marked_unfinished() } else { taken.answer };
    answer.show(arguments, Some(&plan::Beside { head, key, data, said }), out)
}

/// What became of all combinations.
struct Trials {
    all: Vec<Tried>,
    /// What is wrong with those that cannot be planned at all.
    wrong: Vec<Failure>,
    /// Whether some were not planned, or not to the end of their search.
    is_stopped: bool,
}

/// Plans for one combination after the other, until one is not planned to its end or `is_asked` for it. None where a plan was
/// shown already.
fn trials(
    listed: Vec<Listed>,
    mut answer: impl FnMut(&Listed) -> Outcome<Option<Answer>>,
    is_asked: impl Fn() -> bool,
) -> Outcome<Option<Trials>> {
    let mut trials = Trials { all: Vec::new(), wrong: Vec::new(), is_stopped: false };
    for listed in listed {
        trials.is_stopped |= is_asked();
        let outcome = match trials.is_stopped {
            true => Err(NOT_PLANNED.to_owned()),
            false => match answer(&listed) {
                Ok(Some(answer)) => {
                    trials.is_stopped = answer.is_unfinished();
                    Ok(Taken::of(answer))
                }
                Ok(None) => return Ok(None),
                Err(Failure::Stopped(_)) => {
                    trials.is_stopped = true;
                    Err(NOT_FOUND.to_owned())
                }
                // A number may be wrong beside one value alone.
                Err(failure @ (Failure::Usage(_) | Failure::Input(_))) => {
                    let message = failure.message();
                    trials.wrong.push(failure);
                    Err(message)
                }
                Err(failure) => Err(failure.no()?),
            },
        };
        trials.all.push(Tried { listed, outcome });
    }
    Ok(Some(trials))
}

impl Taken {
    fn of(answer: Answer) -> Self {
        let of_model = |model: &meshwright_plan::plan_file::PlanModel| {
            (model.sequences, model.sequences * model.tokens_per_sequence)
        };
        Self { seconds: answer.seconds(), taken_in: answer.model().map(of_model), answer }
    }

    /// Tokens per second, or steps where nothing is known of tokens: then all have the same batch.
    fn rate(&self) -> f64 {
        self.taken_in.map_or(1.0, |(_, tokens)| tokens as f64) / self.seconds.0
    }
}

impl Tried {
    /// The values, one behind the other.
    fn said(&self) -> String {
        let batch = self.listed.values.iter().find(|(key, _)| *key == BATCH).map(|_| self.batch());
        let others = Some(self.listed.words()).filter(|words| !words.is_empty());
        batch.into_iter().chain(others).collect::<Vec<_>>().join(", ")
    }

    /// The batch: its sequences where it has a plan, or as it was written.
    fn batch(&self) -> String {
        let written = || self.listed.values.iter().find(|(key, _)| *key == BATCH).map(|(_, own)| own.clone());
        let sequences = self.outcome.as_ref().ok().and_then(|taken| taken.taken_in);
        sequences.map_or_else(|| written().unwrap_or_default(), |(sequences, _)| sequences.to_string())
    }

    /// What is said of a value that is listed.
    fn value(&self, key: &str) -> String {
        let own = self.listed.values.iter().find(|(own, _)| *own == key);
        if key == BATCH { self.batch() } else { own.map(|(_, own)| own.clone()).unwrap_or_default() }
    }
}

/// The position of the combination with the best rate, the first of equal ones.
fn best(all: &[Tried]) -> Option<usize> {
    let rates = all
        .iter()
        .enumerate()
        .filter_map(|(at, tried)| tried.outcome.as_ref().ok().map(|taken| (at, taken.rate())));
    rates.reduce(|best, other| if other.1 > best.1 { other } else { best }).map(|(at, _)| at)
}

/// The keys that are listed.
fn keys(all: &[Tried]) -> Vec<&'static str> {
    all.first().map(|tried| tried.listed.values.iter().map(|(key, _)| *key).collect()).unwrap_or_default()
}

fn are_batches(all: &[Tried]) -> bool {
    keys(all) == [BATCH]
}

fn has_tokens(all: &[Tried]) -> bool {
    all.iter().any(|tried| tried.outcome.as_ref().is_ok_and(|taken| taken.taken_in.is_some()))
}

fn text(all: &[Tried], best: Option<usize>) -> String {
    let (keys, has_tokens) = (keys(all), has_tokens(all));
    let titles: Vec<String> = keys.iter().map(|key| key.replace('_', " ")).collect();
    let mut columns = vec![("", Lean::Left)];
    columns.extend(titles.iter().map(|title| (title.as_str(), Lean::Right)));
    columns.push(("step", Lean::Right));
    columns.extend(has_tokens.then_some(("tokens/s", Lean::Right)));
    columns.push(("", Lean::Left));
    let row = |(at, tried): (usize, &Tried)| {
        let mark = if best == Some(at) { "*" } else { "" };
        let (seconds, rate, words) = match &tried.outcome {
            Ok(taken) => (taken.seconds.to_string(), grouped(taken.rate()), taken.answer.words()),
            Err(why) => ("-".to_owned(), "-".to_owned(), why.clone()),
        };
        let mut cells = vec![mark.to_owned()];
        cells.extend(keys.iter().map(|key| tried.value(key)));
        cells.push(seconds);
        cells.extend(has_tokens.then_some(rate));
        cells.push(words);
        cells
    };
    let rows: Vec<Vec<String>> = all.iter().enumerate().map(row).collect();
    let why = if has_tokens { "most tokens per second" } else { "the fastest" };
    let taken = if best.is_some() { format!("  * taken: {why}\n\n") } else { String::new() };
    render(&columns, &rows) + &taken
}

fn data(all: &[Tried]) -> Value {
    let row = |tried: &Tried| {
        let mut row = match &tried.outcome {
            Ok(taken) => json!({ "step_seconds": taken.seconds.0, "plan": taken.answer.words() }),
            Err(why) => json!({ "reason": why }),
        };
        if let Ok(Taken { taken_in: Some((sequences, _)), .. }) = &tried.outcome {
            row["sequences"] = json!(sequences);
        }
        if let Ok(taken) = tried.outcome.as_ref()
            && taken.taken_in.is_some()
        {
            row["tokens_per_second"] = json!(taken.rate());
        }
        for (key, value) in &tried.listed.values {
            if *key != BATCH || tried.outcome.is_err() {
                row[*key] = value.parse::<usize>().map_or_else(|_| json!(value), |number| json!(number));
            }
        }
        row
    };
    all.iter().map(row).collect()
}

/// Why this combination, for the plan to say.
fn sentence(all: &[Tried], best: usize) -> String {
    let has_tokens = has_tokens(all);
    let are_batches = are_batches(all);
    let rate = |tried: &Tried| match &tried.outcome {
        Ok(taken) if has_tokens => format!("{} with {}", grouped(taken.rate()), tried.said()),
        Ok(taken) => format!("{} with {}", taken.seconds, tried.said()),
        Err(why) if why == NOT_PLANNED => format!("none was made with {}", tried.said()),
        Err(_) => format!("no plan with {}", tried.said()),
    };
    let others = all.iter().enumerate().filter(|(at, _)| *at != best).map(|(_, tried)| rate(tried));
    let others = others.collect::<Vec<_>>().join(", ");
    let own = all.get(best).map(rate).unwrap_or_default();
    let unit = if are_batches { " sequences" } else { "" };
    let what = if are_batches { "batches that were given" } else { "values that were listed" };
    match has_tokens {
        true => format!("Of the {what} this one takes in most tokens per second: {own}{unit}; {others}."),
        false => format!("Of the {what} this one is the fastest: {own}; {others}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Command;
    use crate::usage;
    use std::ffi::OsString;

    #[test]
    fn what_is_behind_the_end_is_not_planned() {
        let words = ["meshwright", "plan", "config.json", "--machine", "cpu8", "--microbatches", "1,2,4"];
        let Command::Plan(arguments) = usage::parse(&words.map(OsString::from)).unwrap().command else {
            panic!("another command");
        };
        let all = || each(&arguments.planning).unwrap();
        let mut count = 0;
        let answer = |_: &Listed| {
            count += 1;
            Err(if count == 1 { Failure::usage("wrong") } else { Failure::stopped("nothing") })
        };
        let found = trials(all(), answer, || false).unwrap().unwrap();
        assert!(found.is_stopped && best(&found.all).is_none());
        let why = |tried: &Tried| tried.outcome.as_ref().err().cloned().unwrap_or_default();
        assert_eq!(found.all.iter().map(why).collect::<Vec<_>>(), ["wrong", NOT_FOUND, NOT_PLANNED]);
        assert_eq!((count, found.wrong.len()), (2, 1));
        let none = trials(all(), |_| panic!("nobody waits for it"), || true).unwrap().unwrap();
        assert_eq!(none.all.iter().map(why).collect::<Vec<_>>(), [NOT_PLANNED; 3]);
    }
}
