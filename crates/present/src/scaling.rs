//! Scaling curves: the best plan on machines of several sizes, as a table, as CSV and as JSON.
//!
//! Input: [`Point`]s, and the smallest that meets what is wanted, if one does. Output: text. The efficiency of a point is its
//! rate per device, out of that of the smallest machine that has a plan.

use crate::figures::{grouped, percent, three_digits};
use crate::grid::{NOT_PRICED, quoted};
use crate::table::{Lean, render};
use meshwright_compile::{GridFigures, GridOutcome, GridRow, best_first};
use meshwright_machine::Bytes;
use serde::Serialize;

/// Seconds of a day.
const DAY: f64 = 86_400.0;

/// The best plan on one machine.
#[derive(Clone, Debug)]
pub struct Point {
    /// The machine's name and size.
    pub machine: String,
    /// Its devices.
    pub devices: usize,
    /// The fastest row that fits.
    pub best: Option<GridRow>,
    /// The least that a row needs, where none fits.
    pub least: Option<Bytes>,
    /// Why no row is a plan, if none is.
    pub reason: Option<String>,
    /// Whether some of its rows were not priced.
    pub unfinished: bool,
}

impl Point {
    /// That of a grid.
    pub fn of(machine: String, devices: usize, rows: &[GridRow]) -> Self {
        let best = best_first(rows).into_iter().next().filter(|row| row.is_plan());
        let least = crate::grid::least(rows).map(|(_, peak)| peak);
        let unfinished = crate::grid::is_unfinished(rows);
        let reason = best.is_none().then(|| crate::grid::why_none(rows)).flatten();
        // What is left may be a plan.
        let reason = reason.map(|why| match unfinished && why != NOT_PRICED {
            true => format!("not priced to its end; so far, {why}"),
            false => why,
        });
        Self { machine, devices, best: best.cloned(), least, reason, unfinished }
    }

    /// That of a machine that there is not, with the reason; `devices` are those of its name.
    pub fn of_no_machine(machine: String, devices: usize, reason: String) -> Self {
        Self { machine, devices, best: None, least: None, reason: Some(reason), unfinished: false }
    }

    /// Figures of the best plan.
    pub fn figures(&self) -> Option<&GridFigures> {
        self.best.as_ref().and_then(figures)
    }

    /// Tokens (or samples) per second of all devices.
    pub fn per_second(&self) -> Option<f64> {
        Some(self.figures()?.throughput.as_ref()?.per_second)
    }

    /// Words for what is counted: `tokens` or `samples`.
    pub fn unit(&self) -> Option<&str> {
        Some(self.figures()?.throughput.as_ref()?.unit.as_str())
    }

    /// Seconds for so many tokens.
    pub fn seconds_of(&self, tokens: f64) -> Option<f64> {
        Some(tokens / self.per_second()?)
    }

    /// Dollars for so many tokens.
    pub fn dollars_of(&self, tokens: f64) -> Option<f64> {
        Some(self.figures()?.cost.dollars_per_billion? * tokens / 1e9)
    }
}

fn figures(row: &GridRow) -> Option<&GridFigures> {
    match &row.outcome {
        GridOutcome::Plan(figures) => Some(figures),
        _ => None,
    }
}

/// A point as data.
#[derive(Debug, Serialize)]
struct Record<'a> {
    machine: &'a str,
    devices: usize,
    fits: bool,
    is_smallest: bool,
    degrees: Option<String>,
    sequences: Option<usize>,
    microbatches: Option<usize>,
    recompute: Option<&'a str>,
    schedule: Option<&'static str>,
    reason: Option<&'a str>,
    unfinished: bool,
    step_seconds: Option<f64>,
    unit: Option<&'a str>,
    units_per_second: Option<f64>,
    units_per_second_and_device: Option<f64>,
    efficiency: Option<f64>,
    mfu: Option<f64>,
    peak_bytes: Option<u64>,
    dollars_per_step: Option<f64>,
    total_seconds: Option<f64>,
    total_dollars: Option<f64>,
}

fn records<'a>(points: &'a [Point], smallest: Option<usize>, tokens: Option<f64>) -> Vec<Record<'a>> {
    let rate = |point: &Point| Some(point.per_second()? / point.devices as f64);
    let first = points.iter().find_map(rate);
    let record = |(index, point): (usize, &'a Point)| {
        let found = point.figures();
        Record {
            machine: &point.machine,
            devices: point.devices,
            fits: found.is_some(),
            is_smallest: smallest == Some(index),
            degrees: point.best.as_ref().map(|row| row.words()),
            sequences: point.best.as_ref().and_then(|row| row.sequences),
            microbatches: found.map(|found| found.microbatches),
            recompute: found.and_then(|found| found.recompute.as_deref()),
            schedule: found.and_then(|found| found.schedule),
            reason: point.reason.as_deref(),
            unfinished: point.unfinished,
            unit: found.and_then(|found| Some(found.throughput.as_ref()?.unit.as_str())),
            step_seconds: found.map(|found| found.seconds.0),
            units_per_second: point.per_second(),
            units_per_second_and_device: rate(point),
            efficiency: rate(point).zip(first).map(|(own, first)| own / first),
            mfu: found.map(|found| found.mfu),
            peak_bytes: found.map(|found| found.peak.0).or(point.least.map(|least| least.0)),
            dollars_per_step: found.and_then(|found| found.cost.dollars_per_step),
            total_seconds: tokens.and_then(|tokens| point.seconds_of(tokens)),
            total_dollars: tokens.and_then(|tokens| point.dollars_of(tokens)),
        }
    };
    points.iter().enumerate().map(record).collect()
}

/// For programs: an object whose `points` are all points.
pub fn json(points: &[Point], smallest: Option<usize>, tokens: Option<f64>) -> String {
    let smallest_machine = smallest.map(|index| points[index].machine.clone());
    let all =
        serde_json::json!({ "points": records(points, smallest, tokens), "smallest": smallest_machine });
    let mut text = serde_json::to_string_pretty(&all).expect("plain data has a JSON form");
    text.push('\n');
    text
}

/// For spreadsheets: a line for each point, below the names.
pub fn csv(points: &[Point], smallest: Option<usize>, tokens: Option<f64>) -> String {
    let mut text =
        "machine,devices,degrees,sequences,microbatches,recompute,schedule,step_seconds,unit,units_per_second,\
                    units_per_second_and_device,efficiency,mfu,peak_bytes,dollars_per_step,total_seconds,total_dollars,fits,is_smallest,reason,unfinished\n"
            .to_owned();
    for record in records(points, smallest, tokens) {
        let number = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
        let count = |count: Option<usize>| count.map(|count| count.to_string()).unwrap_or_default();
        let cells = [
            record.machine.to_owned(),
            record.devices.to_string(),
            record.degrees.as_deref().map(quoted).unwrap_or_default(),
            count(record.sequences),
            count(record.microbatches),
            record.recompute.map(quoted).unwrap_or_default(),
            record.schedule.unwrap_or_default().to_owned(),
            number(record.step_seconds),
            record.unit.unwrap_or_default().to_owned(),
            number(record.units_per_second),
            number(record.units_per_second_and_device),
            number(record.efficiency),
            number(record.mfu),
            record.peak_bytes.map(|bytes| bytes.to_string()).unwrap_or_default(),
            number(record.dollars_per_step),
            number(record.total_seconds),
            number(record.total_dollars),
            record.fits.to_string(),
            record.is_smallest.to_string(),
            record.reason.map(quoted).unwrap_or_default(),
            record.unfinished.to_string(),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// For people.
pub fn text(points: &[Point], smallest: Option<usize>, tokens: Option<f64>) -> String {
    let unit = points.iter().find_map(|point| Some(point.figures()?.throughput.as_ref()?.unit.clone()));
    let unit = unit.unwrap_or_else(|| "tokens".to_owned());
    let [per_second, per_device] = [format!("{unit}/s"), format!("{unit}/s/device")];
    let mut head = vec![
        ("machine", Lean::Left),
        ("degrees", Lean::Left),
        ("step", Lean::Right),
        (per_second.as_str(), Lean::Right),
        (per_device.as_str(), Lean::Right),
        ("efficiency", Lean::Right),
        ("MFU", Lean::Right),
        ("memory", Lean::Right),
    ];
    if tokens.is_some() {
        head.extend([("days", Lean::Right), ("dollars", Lean::Right)]);
    }
    let none = || "-".to_owned();
    let row = |(point, record): (&Point, Record<'_>)| {
        let mark = if record.is_smallest { "* " } else { "" };
        let said = record.degrees.unwrap_or_else(|| match &point.reason {
            Some(reason) if point.unfinished => reason.clone(),
            Some(reason) => format!("no plan: {reason}"),
            None => "no plan".to_owned(),
        });
        let said = match point.unfinished && point.best.is_some() {
            true => format!("{said} (unfinished)"),
            false => said,
        };
        let found = point.figures();
        let mut cells = vec![
            format!("{mark}{}", point.machine),
            said,
            found.map_or_else(none, |found| found.seconds.to_string()),
            record.units_per_second.map_or_else(none, grouped),
            record.units_per_second_and_device.map_or_else(none, three_digits),
            record.efficiency.map_or_else(none, percent),
            record.mfu.map_or_else(none, percent),
            found.map_or_else(none, |found| found.peak.to_string()),
        ];
        if tokens.is_some() {
            cells.push(record.total_seconds.map_or_else(none, |seconds| three_digits(seconds / DAY)));
            cells.push(record.total_dollars.map_or_else(none, grouped));
        }
        cells
    };
    let rows: Vec<Vec<String>> = points.iter().zip(records(points, smallest, tokens)).map(row).collect();
    let meets = if smallest.is_some() { "  * the smallest that meets what is wanted\n" } else { "" };
    format!("{}{meets}", render(&head, &rows))
}
