//! The grid of all combinations of degrees, as a table, as CSV and as JSON.
//!
//! Input: rows ([`GridRow`]). Output: text; plans that fit come first, the fastest of them first, and then what is no plan,
//! with the reason. Plans of which none is both faster and smaller are marked: they are the frontier.

use crate::figures::{grouped, percent, three_digits};
use crate::plural;
use crate::table::{Lean, render};
use crate::wrap::wrap;
use meshwright_compile::{GridFigures, GridOutcome, GridRow, best_first};
use meshwright_machine::Bytes;
use meshwright_plan::DegreeName;
use meshwright_plan::figures::Share;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What is said of rows that were to be priced when a search ended.
pub(crate) const NOT_PRICED: &str = "not priced";

/// More rows of plans than this are shown at both ends, unless all are asked for.
const MOST_ROWS: usize = 40;

/// Rows of which reasons are shown for each kind of reason.
const MOST_OF_A_REASON: usize = 3;

/// A row as data.
#[derive(Clone, Debug, Serialize)]
struct Record {
    degrees: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequences: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    asked: Option<String>,
    #[serde(flatten)]
    numbers: Numbers,
    fits: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    is_on_frontier: bool,
    #[serde(flatten)]
    figures: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fits_with_microbatches: Option<usize>,
}

/// The degrees as numbers.
#[derive(Clone, Copy, Debug, Serialize)]
struct Numbers {
    dp: usize,
    fsdp: usize,
    tp: usize,
    sp: usize,
    cp: usize,
    ep: usize,
    zero: usize,
    pp: usize,
    vp: usize,
}

/// What a plan costs.
#[derive(Clone, Debug, Serialize)]
struct Figures {
    step_seconds: f64,
    exposed_communication_seconds: f64,
    mfu: f64,
    bubble_share: f64,
    by_kind: Vec<Share>,
    microbatches: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    recompute: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units_per_second: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units_per_second_and_device: Option<f64>,
    device_hours_per_step: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars_per_step: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dollars_per_billion_units: Option<f64>,
}

/// A row, and whether it is on the frontier.
type Marked<'a> = (&'a GridRow, bool);

/// The rows in the order in which they are shown, each with whether it is on the frontier.
fn ordered(rows: &[GridRow]) -> Vec<Marked<'_>> {
    let rank = |row: &GridRow| match &row.outcome {
        GridOutcome::Plan(_) | GridOutcome::DoesNotFit { .. } => 0,
        GridOutcome::NotAllowed(_) => 1,
        GridOutcome::Refused(_) => 2,
        GridOutcome::Unpriced => 3,
    };
    // Rows that cost the same stay in the order of their degrees.
    let mut sorted = best_first(rows);
    sorted.sort_by_key(|row| rank(row));
    let mut least = u64::MAX;
    let marked = sorted.into_iter().map(|row| {
        let peak = plan(row).map_or(u64::MAX, |figures| figures.peak.0);
        let is_on_frontier = peak < least;
        least = least.min(peak);
        (row, is_on_frontier)
    });
    marked.collect()
}

fn plan(row: &GridRow) -> Option<&GridFigures> {
    match &row.outcome {
        GridOutcome::Plan(figures) => Some(figures),
        _ => None,
    }
}

/// Why a row is no plan, without its own numbers and with them.
fn reason(row: &GridRow) -> Option<(&'static str, String)> {
    match &row.outcome {
        GridOutcome::Plan(_) => None,
        GridOutcome::DoesNotFit { peak, limit, microbatches } => {
            let would_do = microbatches.map(|count| format!("; {count} microbatches would do"));
            let would_do = would_do.unwrap_or_default();
            Some(("does not fit", format!("does not fit: it needs {peak} of {limit}{would_do}")))
        }
        GridOutcome::NotAllowed(clause) => Some(("not allowed", format!("not allowed by `{clause}`"))),
        GridOutcome::Refused(why) => Some(("no plan", why.clone())),
        GridOutcome::Unpriced => Some((NOT_PRICED, "not priced: it was to end before".to_owned())),
    }
}

/// Returns whether some rows were not priced.
pub fn is_unfinished(rows: &[GridRow]) -> bool {
    rows.iter().any(|row| row.outcome == GridOutcome::Unpriced)
}

/// Reason for which no row is a plan, in a few words: what all of them lack, or what comes nearest to a plan.
pub fn why_none(rows: &[GridRow]) -> Option<String> {
    let broken: Option<BTreeSet<&str>> = rows
        .iter()
        .map(|row| match &row.outcome {
            GridOutcome::NotAllowed(clause) => Some(clause.as_str()),
            _ => None,
        })
        .collect();
    if let Some(clauses) = broken.filter(|clauses| !clauses.is_empty()) {
        let clauses: Vec<String> = clauses.into_iter().map(|clause| format!("`{clause}`")).collect();
        return Some(format!("not allowed by {}", clauses.join(", ")));
    }
    if let Some((_, peak)) = least(rows) {
        let would_do = in_microbatches(rows);
        let would_do = would_do
            .map(|(row, count)| format!("; `{}` fits with `--microbatches {count}`", row.words()))
            .unwrap_or_default();
        return Some(format!("nothing fits: at least {peak}{would_do}"));
    }
    let refused = rows.iter().find_map(|row| match &row.outcome {
        GridOutcome::Refused(why) => Some(format!("`{}`: {why}", row.words())),
        _ => None,
    });
    refused.or_else(|| is_unfinished(rows).then(|| NOT_PRICED.to_owned()))
}

fn record((row, is_on_frontier): &Marked<'_>) -> Record {
    let of = |name| row.degrees.unwrap_or_else(|| row.way.as_said()).get(name);
    let numbers = Numbers {
        dp: of(DegreeName::Dp),
        fsdp: of(DegreeName::Fsdp),
        tp: of(DegreeName::Tp),
        sp: of(DegreeName::Sp),
        cp: of(DegreeName::Cp),
        ep: of(DegreeName::Ep),
        zero: of(DegreeName::Zero),
        pp: row.way.groups(),
        vp: row.way.virtual_stages(),
    };
    let figures = |found: &GridFigures| Figures {
        step_seconds: found.seconds.0,
        exposed_communication_seconds: found.exposed_communication.0,
        mfu: found.mfu,
        bubble_share: found.bubble,
        by_kind: found.by_kind.clone(),
        microbatches: found.microbatches,
        recompute: found.recompute.clone(),
        schedule: found.schedule,
        unit: found.throughput.as_ref().map(|fed| fed.unit.clone()),
        units_per_second: found.throughput.as_ref().map(|fed| fed.per_second),
        units_per_second_and_device: found.throughput.as_ref().map(|fed| fed.per_second_and_device),
        device_hours_per_step: found.cost.device_hours_per_step,
        dollars_per_step: found.cost.dollars_per_step,
        dollars_per_billion_units: found.cost.dollars_per_billion,
    };
    let peak_bytes = match &row.outcome {
        GridOutcome::Plan(figures) => Some(figures.peak.0),
        GridOutcome::DoesNotFit { peak, .. } => Some(peak.0),
        GridOutcome::NotAllowed(_) | GridOutcome::Refused(_) | GridOutcome::Unpriced => None,
    };
    let fits_with_microbatches = match row.outcome {
        GridOutcome::DoesNotFit { microbatches, .. } => microbatches,
        _ => None,
    };
    Record {
        fits_with_microbatches,
        degrees: row.way.to_string(),
        sequences: row.sequences,
        asked: Some(row.asked.clone()).filter(|asked| !asked.is_empty()),
        numbers,
        fits: plan(row).is_some(),
        reason: reason(row).map(|(_, reason)| reason),
        is_on_frontier: *is_on_frontier,
        figures: plan(row).map(figures),
        peak_bytes,
    }
}

/// For programs: an object whose `rows` are all rows; it is `unfinished` where some were not priced.
pub fn json(rows: &[GridRow]) -> String {
    #[derive(Serialize)]
    struct Grid {
        unfinished: bool,
        rows: Vec<Record>,
    }
    let unfinished = is_unfinished(rows);
    let rows = ordered(rows).iter().map(record).collect();
    let mut text =
        serde_json::to_string_pretty(&Grid { unfinished, rows }).expect("plain data has a JSON form");
    text.push('\n');
    text
}

/// For spreadsheets: a line for each row, below their names.
pub fn csv(rows: &[GridRow]) -> String {
    let head = "degrees,sequences,dp,fsdp,tp,sp,cp,ep,zero,pp,vp,microbatches,recompute,schedule,step_seconds,unit,units_per_second,\
                units_per_second_and_device,mfu,bubble_share,peak_bytes,exposed_communication_seconds,dollars_per_step,dollars_per_billion_units,is_on_frontier,\
                reason,asked,fits_with_microbatches";
    let mut text = format!("{head}\n");
    for row in ordered(rows) {
        let Record {
            degrees,
            sequences,
            asked,
            numbers,
            reason,
            is_on_frontier,
            figures,
            peak_bytes,
            fits_with_microbatches,
            ..
        } = record(&row);
        let number = |of: fn(&Numbers) -> usize| Some(of(&numbers).to_string());
        let figure = |of: fn(&Figures) -> Option<f64>| figures.as_ref().and_then(of).map(|it| it.to_string());
        let cells = [
            Some(quoted(&degrees)),
            sequences.map(|count| count.to_string()),
            number(|all| all.dp),
            number(|all| all.fsdp),
            number(|all| all.tp),
            number(|all| all.sp),
            number(|all| all.cp),
            number(|all| all.ep),
            number(|all| all.zero),
            number(|all| all.pp),
            number(|all| all.vp),
            figures.as_ref().map(|all| all.microbatches.to_string()),
            figures.as_ref().and_then(|all| all.recompute.as_deref()).map(quoted),
            figures.as_ref().and_then(|all| all.schedule).map(str::to_owned),
            figure(|all| Some(all.step_seconds)),
            figures.as_ref().and_then(|all| all.unit.clone()),
            figure(|all| all.units_per_second),
            figure(|all| all.units_per_second_and_device),
            figure(|all| Some(all.mfu)),
            figure(|all| Some(all.bubble_share)),
            peak_bytes.map(|bytes| bytes.to_string()),
            figure(|all| Some(all.exposed_communication_seconds)),
            figure(|all| all.dollars_per_step),
            figure(|all| all.dollars_per_billion_units),
            Some(is_on_frontier.to_string()),
            reason.as_deref().map(quoted),
            asked.as_deref().map(quoted),
            fits_with_microbatches.map(|count| count.to_string()),
        ];
        text.push_str(&cells.map(Option::unwrap_or_default).join(","));
        text.push('\n');
    }
    text
}

/// A cell of CSV.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// For people. `title` is what is planned; `is_full`: with every row.
pub fn text(rows: &[GridRow], title: &str, is_full: bool) -> String {
    let (plans, others): (Vec<Marked<'_>>, Vec<Marked<'_>>) =
        ordered(rows).into_iter().partition(|(row, _)| plan(row).is_some());
    let mut text = wrap("", &format!("All ways, {title}: {}", plural::count(rows.len(), "combination")));
    if is_unfinished(rows) {
        let priced = rows.iter().filter(|row| row.outcome != GridOutcome::Unpriced).count();
        text.push_str(&wrap("", &format!("unfinished: {priced} of them are priced")));
    }
    if let (Some((best, _)), Some((worst, _))) = (plans.first(), plans.last()) {
        let of_a_sequence =
            |row: &GridRow| plan(row).expect("a plan").seconds.0 / row.sequences.unwrap_or(1) as f64;
        let ratio = of_a_sequence(worst) / of_a_sequence(best);
        let said = |row: &GridRow| match row.sequences.filter(|_| has_batches(rows)) {
            Some(sequences) => format!("{} with a batch of {sequences}", row.words()),
            None => row.words(),
        };
        let long = if has_batches(rows) { "times as long for a sequence" } else { "times as long" };
        text.push_str(&wrap("best   ", &said(best)));
        text.push_str(&wrap("worst  ", &format!("{}, {ratio:.2} {long}", said(worst))));
    }
    text.push('\n');
    text.push_str(&table(&plans, is_full));
    text.push_str(&reasons(&others, is_full));
    text
}

/// Whether rows differ in their batch.
fn has_batches(rows: &[GridRow]) -> bool {
    rows.iter().zip(rows.iter().skip(1)).any(|(one, other)| one.sequences != other.sequences)
}

fn table(plans: &[Marked<'_>], is_full: bool) -> String {
    if plans.is_empty() {
        return "no combination is a plan\n".to_owned();
    }
    let unit = plans.iter().find_map(|(row, _)| Some(plan(row)?.throughput.as_ref()?.unit.clone()));
    let unit = unit.unwrap_or_else(|| "steps".to_owned());
    let [per_second, per_device] = [format!("{unit}/s"), format!("{unit}/s/device")];
    let has = |is: fn(&GridFigures) -> bool| plans.iter().any(|(row, _)| plan(row).is_some_and(is));
    // Columns in which all rows are alike say nothing.
    let (has_stages, has_microbatches) = (has(|own| own.schedule.is_some()), has(|own| own.microbatches > 1));
    let batches: BTreeSet<Option<usize>> = plans.iter().map(|(row, _)| row.sequences).collect();
    let has_again = has(|own| own.recompute.as_deref().is_some_and(|words| words != "none"));
    let mut head = vec![
        ("", Lean::Left),
        ("degrees", Lean::Left),
        ("step", Lean::Right),
        (per_second.as_str(), Lean::Right),
        (per_device.as_str(), Lean::Right),
        ("MFU", Lean::Right),
        ("memory", Lean::Right),
        ("exposed comm.", Lean::Right),
        ("$/billion", Lean::Right),
    ];
    head.extend((batches.len() > 1).then_some(("batch", Lean::Right)));
    head.extend(has_stages.then_some(("bubble", Lean::Right)));
    head.extend(has_microbatches.then_some(("microbatches", Lean::Right)));
    head.extend(has_again.then_some(("made again", Lean::Left)));
    let row = |(row, is_on_frontier): &Marked<'_>| -> Vec<String> {
        let found = plan(row).expect("a plan");
        let fed = found.throughput.as_ref();
        let mut cells = vec![
            if *is_on_frontier { "*".to_owned() } else { String::new() },
            row.way.to_string(),
            found.seconds.to_string(),
            fed.map_or_else(|| "-".to_owned(), |fed| grouped(fed.per_second)),
            fed.map_or_else(|| "-".to_owned(), |fed| three_digits(fed.per_second_and_device)),
            percent(found.mfu),
            found.peak.to_string(),
            found.exposed_communication.to_string(),
            found.cost.dollars_per_billion.map_or_else(|| "-".to_owned(), grouped),
        ];
        let batch = || row.sequences.map_or_else(|| "-".to_owned(), |count| count.to_string());
        cells.extend((batches.len() > 1).then(batch));
        cells.extend(has_stages.then(|| match found.schedule {
            Some(_) => percent(found.bubble),
            None => "-".to_owned(),
        }));
        cells.extend(has_microbatches.then(|| found.microbatches.to_string()));
        cells.extend(has_again.then(|| found.recompute.clone().unwrap_or_else(|| "-".to_owned())));
        cells
    };
    let shown: Vec<Vec<String>> = if is_full || plans.len() <= MOST_ROWS {
        plans.iter().map(row).collect()
    } else {
        // The frontier is shown whole, beside the fastest and the slowest.
        let last = plans.len() - MOST_ROWS / 4;
        let is_shown = |(number, (_, is_on_frontier)): &(usize, &Marked<'_>)| {
            *number < MOST_ROWS / 2 || *number >= last || *is_on_frontier
        };
        plans.iter().enumerate().filter(is_shown).map(|(_, plan)| row(plan)).collect()
    };
    let left = plans.len() - shown.len();
    let mut text = render(&head, &shown);
    if left > 0 {
        text.push_str(&format!("  {left} more between these; `--full` shows all\n"));
    }
    text.push_str("  * on the frontier: no other is both faster and smaller\n");
    text
}

/// Why the others are no plans.
fn reasons(others: &[Marked<'_>], is_full: bool) -> String {
    let mut text = String::new();
    for kind in ["does not fit", "not allowed", "no plan", NOT_PRICED] {
        let of_kind: Vec<(String, String)> = others
            .iter()
            .filter_map(|(row, _)| Some((row.words(), reason(row)?)))
            .filter(|(_, (own, _))| *own == kind)
            .map(|(way, (_, reason))| (way, reason))
            .collect();
        if of_kind.is_empty() {
            continue;
        }
        text.push_str(&format!("\n{}: {}\n", kind, plural::count(of_kind.len(), "combination")));
        let most = if is_full { of_kind.len() } else { MOST_OF_A_REASON };
        for (way, reason) in of_kind.iter().take(most) {
            text.push_str(&wrap("  ", &format!("{way}: {reason}")));
        }
        if of_kind.len() > most {
            text.push_str("  ...\n");
        }
        if kind == "does not fit" {
            text.push_str(&would_fit(others));
        }
    }
    text
}

/// How many of the rows that do not fit would fit in microbatches, and in how many of these.
fn would_fit(others: &[Marked<'_>]) -> String {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (row, _) in others {
        if let GridOutcome::DoesNotFit { microbatches: Some(count), .. } = row.outcome {
            *counts.entry(count).or_default() += 1;
        }
    }
    let all: usize = counts.values().sum();
    if all == 0 {
        return String::new();
    }
    let each: Vec<String> =
        counts.iter().map(|(count, rows)| format!("{rows} with `--microbatches {count}`")).collect();
    let said = format!(
        "{all} of them fit in microbatches, at the fewest {}; `--microbatches search` prices them",
        each.join(", ")
    );
    wrap("  ", &said)
}

/// The row that fits in the fewest microbatches where none fits in one, that of equal ones that needs least in one.
pub fn in_microbatches(rows: &[GridRow]) -> Option<(&GridRow, usize)> {
    let fitting = rows.iter().filter_map(|row| match row.outcome {
        GridOutcome::DoesNotFit { peak, microbatches: Some(count), .. } => Some((row, count, peak)),
        _ => None,
    });
    fitting.min_by_key(|(_, count, peak)| (*count, *peak)).map(|(row, count, _)| (row, count))
}

/// The least memory that a row needs, for what fits nowhere.
pub fn least(rows: &[GridRow]) -> Option<(&GridRow, Bytes)> {
    let needs = rows.iter().filter_map(|row| match &row.outcome {
        GridOutcome::DoesNotFit { peak, .. } => Some((row, *peak)),
        _ => None,
    });
    needs.min_by_key(|(_, peak)| *peak)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_machine::Seconds;
    use meshwright_plan::figures::StepCost;

    fn rows() -> Vec<GridRow> {
        let row = |way: &str, outcome| GridRow {
            way: way.parse().unwrap(),
            degrees: None,
            sequences: None,
            asked: String::new(),
            outcome,
        };
        let plan = |seconds, peak| {
            GridOutcome::Plan(Box::new(GridFigures {
                seconds: Seconds(seconds),
                exposed_communication: Seconds(0.5),
                peak: Bytes(peak),
                mfu: 0.25,
                throughput: None,
                cost: StepCost::default(),
                microbatches: 1,
                recompute: None,
                schedule: None,
                by_kind: Vec::new(),
                bubble: 0.0,
            }))
        };
        vec![
            row("tp=8", plan(3.0, 20)),
            row(
                "tp=4",
                GridOutcome::DoesNotFit { peak: Bytes(2048), limit: Bytes(1024), microbatches: Some(4) },
            ),
            row("tp=2", plan(2.0, 30)),
            row("cp=2", GridOutcome::NotAllowed("cp=1".to_owned())),
            row("cp=4", plan(4.0, 25)),
            row("ep=2", GridOutcome::Refused("the program has nothing for `ep`: none".to_owned())),
        ]
    }

    #[test]
    fn plans_come_first_and_all_others_keep_their_reason() {
        let text = text(&rows(), "x", false);
        for wanted in [
            "6 combinations",
            "best   tp=2",
            "worst  cp=4, 2.00 times as long",
            "does not fit: 1 combination",
            "tp=4: does not fit: it needs 2.0 KiB of 1.0 KiB; 4 microbatches would do",
            "1 of them fit in microbatches, at the fewest 1 with `--microbatches 4`",
            "cp=2: not allowed by `cp=1`",
            "ep=2: the program has nothing",
        ] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
        let frontier: Vec<&str> = text.lines().filter(|line| line.starts_with("  *  ")).collect();
        assert_eq!(frontier.len(), 2, "{text}");
        assert_eq!(least(&rows()).map(|(row, _)| row.words()).as_deref(), Some("tp=4"));
    }

    #[test]
    fn what_was_not_priced_is_marked() {
        let finished = rows();
        assert!(json(&finished).contains("\"unfinished\": false"));
        let mut rows = finished;
        rows[2].outcome = GridOutcome::Unpriced;
        let text = text(&rows, "x", false);
        for wanted in ["unfinished: 5 of them are priced", "not priced: 1 combination", "tp=2: not priced"] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
        assert!(json(&rows).contains("\"unfinished\": true"));
        assert!(csv(&rows).lines().last().unwrap().contains("not priced"), "{}", csv(&rows));
    }

    #[test]
    fn where_there_is_no_plan_what_is_in_the_way_of_all_is_said() {
        let all = rows();
        let only = |positions: &[usize]| {
            let rows: Vec<GridRow> = positions.iter().map(|at| all[*at].clone()).collect();
            why_none(&rows)
        };
        assert_eq!(only(&[3]).as_deref(), Some("not allowed by `cp=1`"));
        assert_eq!(
            only(&[1, 3, 5]).as_deref(),
            Some("nothing fits: at least 2.0 KiB; `tp=4` fits with `--microbatches 4`")
        );
        assert_eq!(only(&[3, 5]).as_deref(), Some("`ep=2`: the program has nothing for `ep`: none"));
        assert_eq!(only(&[]), None);
    }

    #[test]
    fn data_holds_every_row() {
        let csv = csv(&rows());
        assert_eq!(csv.lines().count(), 7);
        let columns = csv.lines().next().unwrap().split(',').count();
        assert_eq!(csv.lines().nth(1).unwrap().split(',').count(), columns, "{csv}");
        let json: serde_json::Value = serde_json::from_str(&json(&rows())).unwrap();
        assert_eq!(json["rows"][0]["step_seconds"], 2.0);
        assert_eq!(json["rows"][5]["fits"], false);
        assert!(json["rows"][5]["reason"].as_str().unwrap().contains("nothing for `ep`"));
    }
}
