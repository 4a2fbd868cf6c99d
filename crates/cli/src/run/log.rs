//! What a run says: a line per step while it runs, a summary at the end.

use crate::args::Output;
use meshwright_execute::workers::{Placed, Taken};
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::Bundle;
use meshwright_plan::plan_file::Memory;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Least time between two lines where lines stay.
const INTERVAL: Duration = Duration::from_secs(1);

/// Least time between two states of a line that is rewritten.
const REFRESH: Duration = Duration::from_millis(100);

/// Steps of a run.
pub(crate) struct Log {
    names: Vec<String>,
    tokens: Option<u64>,
    /// Bytes that a device of each group is predicted to need.
    predicted: Vec<Option<u64>>,
    /// What the plan of the folder says of memory, if it has one.
    planned: Option<Memory>,
    is_quiet: bool,
    has_lines: bool,
    is_terminal: bool,
    state: RefCell<State>,
}

#[derive(Default)]
struct State {
    steps: Vec<(u64, f64, Vec<(usize, f64)>)>,
    shown: Option<Instant>,
    is_open: bool,
    notes: Vec<String>,
    /// Of each step that was compared, the largest relative error of each result.
    errors: Vec<Vec<f64>>,
    /// The most bytes that a device of each group needed at once.
    peaks: BTreeMap<usize, u64>,
    /// Bytes on a device and on the host for it, of a program that keeps something there.
    placed: Option<Placed>,
}

impl Log {
    /// `has_lines`: whether steps are worth a line each.
    pub(crate) fn new(bundle: &Bundle, planned: Option<Memory>, has_lines: bool, out: Output) -> Self {
        let named = |(index, result): (usize, &meshwright_plan::bundle::StepTensor)| {
            result.name.clone().unwrap_or_else(|| format!("out{index}"))
        };
        Self {
            names: bundle.results.iter().enumerate().map(named).collect(),
            tokens: bundle.tokens,
            predicted: bundle.groups.iter().map(|group| group.memory_bytes).collect(),
            planned,
            is_quiet: out.json,
            has_lines,
            is_terminal: std::io::stderr().is_terminal(),
            state: RefCell::default(),
        }
    }

    /// A step is done: `values` are results without dims that are no state, such as the loss.
    #[allow(clippy::disallowed_methods)] // the doors read clocks
    pub(crate) fn step(&self, step: u64, seconds: f64, values: Vec<(usize, f64)>) {
        let mut state = self.state.borrow_mut();
        let mut text = format!("step {step}");
        for (index, value) in &values {
            let name = self.names.get(*index).map_or("", String::as_str);
            text.push_str(&format!("  {name} {value:.6}"));
        }
        text.push_str(&format!("  {}", Seconds(seconds)));
        if let Some(rate) = self.rate(seconds) {
            text.push_str(&format!("  {rate}"));
        }
        state.steps.push((step, seconds, values));
        let interval = if self.is_terminal { REFRESH } else { INTERVAL };
        let is_due = state.shown.is_none_or(|shown| shown.elapsed() >= interval);
        if self.is_quiet || !self.has_lines || !is_due {
            return;
        }
        state.shown = Some(Instant::now());
        state.is_open = self.is_terminal;
        let (before, behind) = if self.is_terminal { ("\r\x1b[K", "") } else { ("", "\n") };
        let _ = std::io::stderr().write_all(format!("{before}{text}{behind}").as_bytes());
    }

    /// Something else that is worth a line.
    pub(crate) fn note(&self, text: &str) {
        self.wipe();
        self.state.borrow_mut().notes.push(text.to_owned());
        if !self.is_quiet {
            let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
        }
    }

    /// How far the results of a step are from the reference's: the largest relative error of each.
    pub(crate) fn compared(&self, step: u64, errors: Vec<f64>) {
        if errors.is_empty() {
            return;
        }
        let mut worst: Vec<(usize, f64)> = errors.iter().copied().enumerate().collect();
        worst.sort_by(|a, b| b.1.total_cmp(&a.1));
        let shown: Vec<String> =
            worst.iter().take(3).map(|(index, error)| format!("out{index} {error:.1e}")).collect();
        let more = worst.len().saturating_sub(shown.len());
        let more = if more > 0 { format!(", {more} others at most as much") } else { String::new() };
        self.note(&format!("step {step}: largest relative errors {}{more}", shown.join(", ")));
        self.state.borrow_mut().errors.push(errors);
    }

    /// A device of a group needed so many bytes at once.
    pub(crate) fn memory(&self, group: usize, bytes: u64) {
        let mut state = self.state.borrow_mut();
        let most = state.peaks.entry(group).or_default();
        *most = (*most).max(bytes);
    }

    /// What a program that keeps something on the host took there and on a device.
    pub(crate) fn placed(&self, placed: Placed) {
        self.state.borrow_mut().placed = Some(placed);
    }

    /// Both memories: their names, what was taken of them, and what was predicted.
    fn memories(&self, placed: Placed) -> [(&'static str, Taken, Option<u64>); 2] {
        let planned = self.planned.as_ref();
        [
            ("device", placed.device, planned.map(|memory| memory.peak_bytes)),
            ("host", placed.host, planned.map(|memory| memory.host_bytes)),
        ]
    }

    /// Bytes that a device of a group is predicted to need.
    fn predicted(&self, group: usize) -> Option<u64> {
        self.predicted.get(group).copied().flatten()
    }

    /// A line of a worker's log.
    pub(crate) fn worker(&self, rank: usize, line: &str) {
        self.wipe();
        let _ = std::io::stderr().write_all(format!("[{rank}] {line}\n").as_bytes());
    }

    /// Removes the line that is rewritten.
    pub(crate) fn wipe(&self) {
        let mut state = self.state.borrow_mut();
        if std::mem::take(&mut state.is_open) {
            let _ = std::io::stderr().write_all(b"\r\x1b[K");
        }
    }

    fn rate(&self, seconds: f64) -> Option<String> {
        let rate = self.tokens? as f64 / seconds.max(1e-9);
        Some(if rate >= 1e5 { format!("{:.0}k tokens/s", rate / 1e3) } else { format!("{rate:.0} tokens/s") })
    }

    /// Times of steps, sorted; the first one warms up and is left out if there are others.
    fn times(&self) -> Vec<f64> {
        let state = self.state.borrow();
        let first = usize::from(state.steps.len() > 1);
        let mut times: Vec<f64> = state.steps[first..].iter().map(|(_, seconds, _)| *seconds).collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// Median, and the times that a tenth of the steps fall below and above.
    fn spread(&self) -> Option<[f64; 3]> {
        let times = self.times();
        let at = |part: f64| times.get(((times.len().max(1) - 1) as f64 * part).round() as usize).copied();
        Some([at(0.5)?, at(0.1)?, at(0.9)?])
    }

    /// How it went, for people; nothing for a single step.
    pub(crate) fn summary(&self) -> String {
        self.wipe();
        let state = self.state.borrow();
        let (Some(first), Some(last)) = (state.steps.first(), state.steps.last()) else {
            return String::new();
        };
        let mut text = String::new();
        for (group, bytes) in &state.peaks {
            let predicted = self.predicted(*group).map(|bytes| format!(", {} predicted", Bytes(bytes)));
            let predicted = predicted.unwrap_or_default();
            text.push_str(&format!("group {group}: at most {} on a device{predicted}\n", Bytes(*bytes)));
        }
        for (name, taken, predicted) in state.placed.into_iter().flat_map(|placed| self.memories(placed)) {
            let place = if name == "host" { "on the host for each device" } else { "on a device" };
            let predicted =
                predicted.map(|bytes| format!(", {} predicted", Bytes(bytes))).unwrap_or_default();
            let (arguments, made) = (Bytes(taken.arguments), Bytes(taken.made));
            text.push_str(&format!("{place}: {arguments} of arguments and {made} made{predicted}\n"));
        }
        if state.steps.len() < 2 {
            return text;
        }
        if let Some([median, low, high]) = self.spread() {
            let rate = self.rate(median).map_or_else(String::new, |rate| format!(", {rate}"));
            text.push_str(&format!(
                "steps {} to {}: median {} (a tenth below {}, a tenth above {}){rate}\n",
                first.0,
                last.0,
                Seconds(median),
                Seconds(low),
                Seconds(high)
            ));
        }
        for ((index, before), (_, after)) in first.2.iter().zip(&last.2) {
            let name = self.names.get(*index).map_or("", String::as_str);
            text.push_str(&format!("{name}: {before:.6} to {after:.6}\n"));
        }
        text.push('\n');
        text
    }

    /// The same, and every step, as JSON.
    pub(crate) fn record(&self) -> Value {
        let spread = self.spread();
        let state = self.state.borrow();
        let steps = state.steps.iter().map(|(step, seconds, values)| {
            let values: serde_json::Map<String, Value> =
                values.iter().map(|(index, value)| (format!("out{index}"), json!(value))).collect();
            json!({ "step": step, "seconds": seconds, "values": values })
        });
        let steps: Vec<Value> = steps.collect();
        let times = spread.map(|[median, low, high]| json!({ "median": median, "p10": low, "p90": high }));
        let rate = spread.and_then(|[median, ..]| Some(self.tokens? as f64 / median.max(1e-9)));
        let mut record =
            json!({ "steps": steps, "seconds": times, "tokens_per_second": rate, "notes": state.notes });
        if !state.peaks.is_empty() {
            let groups = state.peaks.iter().map(|(group, bytes)| {
                json!({ "group": group, "peak_bytes": bytes, "predicted_bytes": self.predicted(*group) })
            });
            record["groups"] = json!(groups.collect::<Vec<_>>());
        }
        if let Some(placed) = state.placed {
            record["memory"] = self.memories(placed).into_iter().map(|(name, taken, predicted)| {
                let own = json!({
                    "arguments_bytes": taken.arguments, "made_bytes": taken.made, "predicted_bytes": predicted,
                });
                (name.to_owned(), own)
            }).collect();
        }
        if !state.errors.is_empty() {
            record["largest_relative_errors"] = json!(state.errors);
        }
        record
    }
}
