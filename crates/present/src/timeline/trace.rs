//! Traces in the format of Chrome's `about:tracing`, which Perfetto opens too: a thread for each group and each link, an
//! arrow for each result that is handed on, a counter of what each group keeps. Times are in microseconds there.

use meshwright_plan::timeline::{Carried, Link, Run};
use meshwright_plan::{Action, Event, Phase, Timeline};
use serde_json::{Value, json};

/// Processes of a trace.
const GROUPS: usize = 0;
const LINKS: usize = 1;

/// The trace of a timeline, as JSON.
pub fn trace(timeline: &Timeline) -> Value {
    let mut events = vec![process(GROUPS, "groups"), process(LINKS, "links")];
    for (group, runs) in timeline.groups.iter().enumerate() {
        events.push(thread(GROUPS, group, &format!("group {group}")));
        events.extend(runs.iter().map(|run| {
            slice(GROUPS, group, &run.action.to_string(), run.action.program.phase.name(), run.start, run.end)
        }));
        events.extend(timeline.memory[group].iter().map(|level| {
            json!({
                "ph": "C", "pid": GROUPS, "ts": micros(level.time),
                "name": format!("group {group} keeps"), "args": {"kept": level.bytes},
            })
        }));
    }
    let mut flow = 0;
    for (index, link) in timeline.links.iter().enumerate() {
        events.push(thread(LINKS, index, &format!("{} to {}", link.source, link.target)));
        for carried in &link.carried {
            let name = carried.what.to_string();
            events.push(slice(LINKS, index, &name, "transfer".to_owned(), carried.start, carried.end));
            if let Some(ends) = ends(timeline, link, carried) {
                events.extend(arrow(flow, &name, link, ends));
                flow += 1;
            }
        }
    }
    json!({"displayTimeUnit": "ms", "traceEvents": events})
}

/// The runs between which a result is handed on.
fn ends<'a>(timeline: &'a Timeline, link: &Link, carried: &Carried) -> Option<[&'a Run; 2]> {
    let (sources, targets) = (&timeline.groups[link.source], &timeline.groups[link.target]);
    let made = match &carried.what {
        Event::Action(action) => sources.iter().find(|run| run.action == *action),
        Event::Transfer(_) => sources.iter().rfind(|run| run.end <= carried.start),
    };
    let is_reader = |run: &&Run| match &carried.what {
        Event::Action(action) => reads(&run.action, action),
        Event::Transfer(_) => run.start >= carried.end,
    };
    Some([made?, targets.iter().find(is_reader)?])
}

/// Whether an action reads what another has handed on.
fn reads(reader: &Action, maker: &Action) -> bool {
    let (stage, other) = (reader.program.stage, maker.program.stage);
    let is_backward = |phase: Phase| matches!(phase, Phase::InputGradient | Phase::Backward);
    let is_next = match (maker.program.phase, reader.program.phase) {
        (Phase::Forward, Phase::Forward) | (Phase::Prepass, Phase::Prepass) => stage == other + 1,
        (made, read) => is_backward(made) && is_backward(read) && stage + 1 == other,
    };
    is_next && reader.microbatch == maker.microbatch
}

fn arrow(flow: usize, name: &str, link: &Link, [made, read]: [&Run; 2]) -> [Value; 2] {
    let end = |phase: &str, group: usize, time: f64| {
        json!({
            "ph": phase, "bp": "e", "cat": "transfer", "id": flow, "name": name,
            "pid": GROUPS, "tid": group, "ts": micros(time),
        })
    };
    // An arrow hangs on the slice that encloses its time.
    [end("s", link.source, (made.start + made.end) / 2.0), end("f", link.target, read.start)]
}

fn slice(process: usize, thread: usize, name: &str, category: String, start: f64, end: f64) -> Value {
    json!({
        "ph": "X", "pid": process, "tid": thread, "name": name, "cat": category,
        "ts": micros(start), "dur": micros(end) - micros(start),
    })
}

fn process(process: usize, name: &str) -> Value {
    json!({"ph": "M", "pid": process, "name": "process_name", "args": {"name": name}})
}

fn thread(process: usize, thread: usize, name: &str) -> Value {
    json!({"ph": "M", "pid": process, "tid": thread, "name": "thread_name", "args": {"name": name}})
}

fn micros(seconds: f64) -> f64 {
    seconds * 1e6
}
