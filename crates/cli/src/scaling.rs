//! Scaling curves: the best of all ways on machines of several sizes, and the smallest that is good enough.
//!
//! Input: a machine with several sizes, `h100:{1..128}x8`, and what is wanted of it. Output: a table, or JSON, and a file with
//! all points. If no machine meets what is wanted, the answer is no, and names the nearest. Ctrl-C leaves the machines that are
//! priced by then.

use crate::args::{Output, PlanArguments, Planning, Wanted};
use crate::failure::{Failure, Outcome, warn};
use crate::planning::one_limit;
use crate::{grid, input, listed, output};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_machine::Machine;
use meshwright_plan::Figures;
use meshwright_present::figures::grouped;
use meshwright_present::scaling::{Point, csv, json, text};
use std::path::Path;

/// No machine is large, fast or cheap enough.
const WANTED: Check = Check("wanted");

/// A grid is asked for where the best of its rows is shown alone.
const BEST_ALONE: Check = Check("best-alone");

/// Largest miss of what is wanted that a searched plan may make up for: those are up to a quarter faster than the best degrees.
const MAY_BE_SEARCHED: f64 = 1.25;

/// Devices of the largest machine of a curve: all ways on more take too long to price.
const MOST_DEVICES: usize = 1 << 17;

/// The unit of goals.
const TOKENS: &str = "tokens";

/// Seconds of a day, of an hour and of a minute.
const DAY: f64 = 86_400.0;
const HOUR: f64 = 3_600.0;
const MINUTE: f64 = 60.0;

/// The machines that a name with several sizes means ([`sizes`]).
pub(crate) fn machines(name: &str) -> Outcome<Option<Vec<String>>> {
    sizes(name).map_err(Failure::usage)
}

/// The machines that a name with several sizes means: `h100:{1..8}x8` are one, two, four and eight hosts, and
/// `h100:{1,3}x8` one and three. Nothing for a name with one size.
///
/// # Errors
/// In words: sizes that are none, or of machines that are too large.
pub fn sizes(name: &str) -> Result<Option<Vec<String>>, String> {
    let Some((before, rest)) = name.split_once('{') else { return Ok(None) };
    let wrong = || {
        format!(
            "`{name}` is no machine: several sizes are `{{1..128}}`, each twice the one before, or a list, `{{1,3,8}}`"
        )
    };
    let (sizes, behind) = rest.split_once('}').ok_or_else(wrong)?;
    if behind.contains('{') {
        return Err(format!(
            "`{name}` has several sizes twice, and one of its numbers alone can be several: give one list or range"
        ));
    }
    let number = |text: &str| text.trim().parse::<usize>().ok().filter(|size| *size > 0).ok_or_else(wrong);
    let sizes: Vec<usize> = match sizes.split_once("..") {
        Some((first, last)) => {
            let (first, last) = (number(first)?, number(last)?);
            let doubled = std::iter::successors(Some(first), |size| size.checked_mul(2));
            let below = doubled.take_while(|size| *size < last);
            if first <= last { below.chain([last]).collect() } else { return Err(wrong()) }
        }
        None => sizes.split(',').map(number).collect::<Result<_, String>>()?,
    };
    let machines: Vec<String> = sizes.into_iter().map(|size| format!("{before}{size}{behind}")).collect();
    must_be_priced_in_time(&machines)?;
    Ok(Some(machines))
}

pub(crate) fn run(arguments: &PlanArguments, machines: &[String], out: Output) -> Outcome {
    let (wanted, limit) = (&arguments.wanted, one_limit(&arguments.planning)?);
    let Planning { mesh, search, pins, simplest_within, stages, .. } = &arguments.planning;
    let one_plan = [
        ("--mesh", mesh.is_some()),
        ("--search", search.is_some()),
        ("--pin", !pins.is_empty()),
        ("--simplest-within", simplest_within.is_some()),
        ("--stop-after", stages.stop_after.is_some()),
        ("--dump-after", !stages.dump_after.is_empty()),
        ("--from", arguments.job.from.is_some()),
    ];
    let one_plan = one_plan.into_iter().chain(arguments.pipeline.flags());
    if let Some((flag, _)) = one_plan.into_iter().find(|(_, is_given)| *is_given) {
        let why = match (machines, wanted.first()) {
            ([_], Some(goal)) => format!("for `{goal}` all ways are priced: leave one of them out"),
            _ => "of every machine all ways are priced: leave it out, or give one machine".to_owned(),
        };
        return Err(Failure::usage(format!("`{flag}` is for one plan, and {why}")));
    }
    if let Some(path) = arguments.output.as_deref().filter(|path| *path != Path::new("-")) {
        output::has_place(path)?;
    }
    if arguments.grid {
        warn_of_best_alone(wanted, out);
    }
    let mut points = Vec::new();
    let mut wrong = Vec::new();
    for name in machines {
        let planning = Planning { machine: Some(name.clone()), ..arguments.planning.clone() };
        let machine = match input::machine(name) {
            Ok(machine) => machine,
            // A size that there is not is no fault of the others.
            Err(failure) => {
                points.push(no_machine(name, failure.message()));
                wrong.push(failure);
                continue;
            }
        };
        a_budget_must_have_a_price(wanted, &machine, name)?;
        let rows = grid::of_all(&listed::each(&planning)?, |listed| {
            let inputs = grid::inputs(arguments, &listed.planning, out)?;
            grid::priced_in_fewest(&inputs, &listed.words(), limit)
        })?;
        let point = Point::of(machine.spec(), machine.num_devices(), &rows);
        must_count_tokens(point.unit(), wanted, GOALS).map_err(Failure::usage)?;
        let unfinished = point.unfinished;
        points.push(point);
        if unfinished {
            break;
        }
    }
    if wrong.len() == machines.len() && !wrong.is_empty() {
        return Err(wrong.swap_remove(0));
    }
    if matches!(points.as_slice(), [point] if point.unfinished && point.best.is_none()) {
        return Err(Failure::stopped(grid::NOTHING_PRICED));
    }
    points.sort_by_key(|point| point.devices);
    let smallest = smallest(&points, wanted);
    if let Some(path) = &arguments.output {
        let is_csv = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv"));
        let write = if is_csv { csv } else { json };
        output::write(path, write(&points, smallest, wanted.tokens).as_bytes())?;
    }
    if arguments.output.as_deref() != Some(Path::new("-")) {
        let show = if out.json { json } else { text };
        output::print(&show(&points, smallest, wanted.tokens))?;
    }
    if points.iter().any(|point| point.unfinished) {
        let done = points.iter().filter(|point| !point.unfinished).count();
        let said = format!("of {} machines {done} are priced, and the one in hand is marked", machines.len());
        return Err(Failure::stopped(&said));
    }
    match smallest {
        None if wanted.is_any() || points.iter().all(|point| point.best.is_none()) => {
            Err(Failure::check(nearest(&points, wanted)))
        }
        _ => Ok(()),
    }
}

/// Warns that of a grid the best row is shown alone, as goals and several sizes ask for.
fn warn_of_best_alone(wanted: &Wanted, out: Output) {
    let goals = [
        ("--target-tokens-per-s", wanted.target_tokens_per_s),
        ("--deadline", wanted.deadline),
        ("--budget", wanted.budget),
        ("--tokens", wanted.tokens),
    ];
    let goal = goals.into_iter().find(|(_, goal)| goal.is_some());
    let (message, hint) = match goal {
        Some((goal, _)) => (
            format!("`--grid` shows all ways, and `{goal}` is about the best of them, which is shown alone"),
            format!("one machine without `{goal}` has a row for each way"),
        ),
        None => (
            "`--grid` shows all ways on one machine, and of machines of several sizes the best on each is shown"
                .to_owned(),
            "give one machine to see all ways on it".to_owned(),
        ),
    };
    warn(BEST_ALONE, message, Some(hint), out);
}

/// Refuses a budget on a machine without a price; `said` is what the budget is called.
///
/// # Errors
/// In words: it has none.
pub fn must_have_price(machine: &Machine, name: &str, said: &str) -> Result<(), String> {
    match machine.price_per_device_hour {
        Some(_) => Ok(()),
        None => Err(format!(
            "`{said}`: {name} has no price: write `price_per_device_hour` into a machine file (`meshwright machines {name}` \
             shows one to start from)"
        )),
    }
}

/// The point of a size that there is not, with the reason.
pub fn no_machine(name: &str, reason: String) -> Point {
    Point::of_no_machine(name.to_owned(), said_devices(name), reason)
}

/// Refuses `--budget` on a machine without a price.
pub(crate) fn a_budget_must_have_a_price(wanted: &Wanted, machine: &Machine, name: &str) -> Outcome {
    match wanted.budget {
        Some(_) => must_have_price(machine, name, "--budget").map_err(Failure::usage),
        None => Ok(()),
    }
}

/// Refuses machines that are too large.
fn must_be_priced_in_time(machines: &[String]) -> Result<(), String> {
    let sized = machines.iter().map(|name| (said_devices(name), name));
    match sized.max().filter(|(devices, _)| *devices > MOST_DEVICES) {
        Some((devices, name)) => Err(format!(
            "`{name}` has {} devices, and machines of several sizes are priced up to {}: end them at a smaller one",
            grouped(devices as f64),
            grouped(MOST_DEVICES as f64)
        )),
        None => Ok(()),
    }
}

/// The devices of a machine by the sizes of its name.
fn said_devices(name: &str) -> usize {
    let (_, sizes) = name.rsplit_once(':').unwrap_or(("", name));
    let size = |part: &str| part.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().ok();
    sizes.split('x').filter_map(size).fold(1, usize::saturating_mul)
}

/// The position of the first point that meets what is wanted, if anything is.
pub fn smallest(points: &[Point], wanted: &Wanted) -> Option<usize> {
    points.iter().position(|point| wanted.is_any() && unmet(point, wanted).is_empty())
}

/// What a point lacks, each with what it has and by how many times it misses.
fn unmet(point: &Point, wanted: &Wanted) -> Vec<(String, f64)> {
    let dollars = point.figures().and_then(|figures| figures.cost.dollars_per_billion);
    unmet_by(point.per_second(), dollars, wanted)
}

/// What a plan lacks that takes in so many tokens per second, and costs so much for a billion.
fn unmet_by(rate: Option<f64>, dollars_per_billion: Option<f64>, wanted: &Wanted) -> Vec<(String, f64)> {
    let Some(rate) = rate else {
        return vec![("there is no plan that takes in tokens".to_owned(), f64::INFINITY)];
    };
    let mut unmet = Vec::new();
    if let Some(target) = wanted.target_tokens_per_s.filter(|target| rate < *target) {
        unmet.push((format!("{rate:.0} of {target:.0} tokens/s"), target / rate));
    }
    let Some(tokens) = wanted.tokens else { return unmet };
    let seconds = tokens / rate;
    if let Some(deadline) = wanted.deadline.filter(|deadline| seconds > *deadline) {
        unmet.push((format!("{} in place of {}", span(seconds), span(deadline)), seconds / deadline));
    }
    let dollars = dollars_per_billion.map(|billion| billion * tokens / 1e9);
    if let Some((budget, dollars)) = wanted.budget.zip(dollars)
        && dollars > budget
    {
        unmet.push((format!("{dollars:.0} dollars in place of {budget:.0}"), dollars / budget));
    }
    unmet
}

/// Errors: a plan that was made does not meet what is wanted; `words` say which it is.
pub(crate) fn must_meet(wanted: &Wanted, figures: Option<&Figures>, words: &str) -> Outcome {
    let rate = figures.and_then(|figures| figures.throughput.as_ref()).map(|fed| fed.per_second);
    let dollars = figures.and_then(|figures| figures.cost.dollars_per_billion);
    let lacks: Vec<String> = unmet_by(rate, dollars, wanted).into_iter().map(|(said, _)| said).collect();
    if !wanted.is_any() || lacks.is_empty() {
        return Ok(());
    }
    let message = format!("no plan meets what is wanted; nearest is `{words}`: {}", lacks.join(", "));
    Err(Failure::check(Diagnostic::error(WANTED, Span::NONE, message).hint(
        "allow a larger machine, more time or more money, or other ways (`--recompute`, `--microbatches`)",
    )))
}

/// Flags of goals in tokens: a rate, and all of them.
pub(crate) const GOALS: [&str; 2] = ["--target-tokens-per-s", "--tokens"];

/// Refuses goals in tokens, which are called so, for a step that is fed something else, `unit` of it.
///
/// # Errors
/// In words.
pub fn must_count_tokens(unit: Option<&str>, wanted: &Wanted, goals: [&str; 2]) -> Result<(), String> {
    let Some(unit) = unit.filter(|unit| *unit != TOKENS) else { return Ok(()) };
    let given = [wanted.target_tokens_per_s, wanted.tokens];
    match goals.into_iter().zip(given).find(|(_, given)| given.is_some()) {
        Some((goal, _)) => Err(format!(
            "`{goal}` counts tokens, and the step takes in {unit}: leave it out, and compare what the curve says of {unit}"
        )),
        None => Ok(()),
    }
}

/// A time in the largest unit of which it has one.
fn span(seconds: f64) -> String {
    let units = [(DAY, "days"), (HOUR, "hours"), (MINUTE, "minutes")];
    let (length, unit) = units.into_iter().find(|(length, _)| seconds >= *length).unwrap_or((1.0, "seconds"));
    format!("{:.1} {unit}", seconds / length)
}

/// The machine that misses what is wanted by least.
fn nearest(points: &[Point], wanted: &Wanted) -> Diagnostic {
    let misses = |point: &Point| unmet(point, wanted).iter().map(|(_, times)| *times).fold(1.0, f64::max);
    let with_plans = points.iter().filter(|point| point.best.is_some());
    let Some(nearest) = with_plans.min_by(|a, b| misses(a).total_cmp(&misses(b))) else {
        let reasons: Vec<&str> = points.iter().filter_map(|point| point.reason.as_deref()).collect();
        let why = match reasons.first() {
            Some(first) if reasons.iter().all(|reason| reason == first) => format!(": {first}"),
            _ => String::new(),
        };
        let message = format!("on none of the machines any combination of degrees is a plan{why}");
        let hint = match points.iter().any(|point| point.least.is_some()) {
            true => {
                "take more devices, or try `--recompute full`, `--microbatches search` or `--microbatch-size 1`"
            }
            false => "allow more, or say other degrees; `--grid` on one machine shows all of them",
        };
        return Diagnostic::error(WANTED, Span::NONE, message).hint(hint);
    };
    let lacks: Vec<String> = unmet(nearest, wanted).into_iter().map(|(said, _)| said).collect();
    let way = nearest.best.as_ref().map(|row| row.words()).unwrap_or_default();
    let message = format!(
        "no machine meets what is wanted; nearest is {} with `{way}`: {}",
        nearest.machine,
        lacks.join(", ")
    );
    let missed = Diagnostic::error(WANTED, Span::NONE, message).hint(
        "allow larger machines, more time or more money, or other ways (`--recompute`, `--microbatches`)",
    );
    match misses(nearest) <= MAY_BE_SEARCHED {
        true => missed.hint(format!(
            "a plan shards each tensor by itself and may take less than any degrees: `meshwright plan` for {} alone",
            nearest.machine
        )),
        false => missed,
    }
}

#[cfg(test)]
mod tests {
    use super::{GOALS, machines, must_count_tokens, sizes, span};
    use crate::args::Wanted;

    #[test]
    fn machines_of_a_curve_are_no_larger_than_can_be_priced() {
        assert_eq!(sizes("h100:{1..16384}x8").unwrap().unwrap().len(), 15);
        let refused = sizes("h100:{1..100000}x8").unwrap_err();
        assert!(refused.starts_with("`h100:100000x8` has 800,000 devices"), "{refused}");
        assert!(sizes("h100:{18446744073709551615}x8").is_err());
    }

    #[test]
    fn goals_in_tokens_are_of_steps_that_take_in_tokens() {
        let goal = Wanted { target_tokens_per_s: Some(1e6), ..Wanted::default() };
        let refused = must_count_tokens(Some("samples"), &goal, GOALS).unwrap_err();
        assert!(refused.starts_with("`--target-tokens-per-s` counts tokens"), "{refused}");
        let training = Wanted { tokens: Some(1e12), ..Wanted::default() };
        let refused = must_count_tokens(Some("samples"), &training, GOALS).unwrap_err();
        assert!(refused.starts_with("`--tokens` counts"), "{refused}");
        for (unit, wanted) in [(Some("tokens"), &goal), (None, &goal), (Some("samples"), &Wanted::default())]
        {
            assert_eq!(must_count_tokens(unit, wanted, GOALS), Ok(()));
        }
    }

    #[test]
    fn times_are_said_in_units_of_which_they_have_one() {
        let said = [1.0, 90.0, 3.0 * 3_600.0, 1_251_360.0].map(span);
        assert_eq!(said, ["1.0 seconds", "1.5 minutes", "3.0 hours", "14.5 days"]);
    }

    #[test]
    fn sizes_double_or_are_listed() {
        let of = |name: &str| machines(name).ok().flatten();
        let h100 = |sizes: &[usize]| sizes.iter().map(|size| format!("h100:{size}x8")).collect::<Vec<_>>();
        assert_eq!(of("h100:{1..8}x8"), Some(h100(&[1, 2, 4, 8])));
        assert_eq!(of("h100:{3..8}x8"), Some(h100(&[3, 6, 8])));
        assert_eq!(of("h100:{1,3}x8"), Some(h100(&[1, 3])));
        assert_eq!(of("h100:8x8"), None);
        for wrong in ["h100:{}x8", "h100:{1..}x8", "h100:{4..2}x8", "h100:{1", "h100:{0..4}x8", "h100:{a}x8"]
        {
            assert!(machines(wrong).is_err(), "{wrong}");
        }
    }
}
