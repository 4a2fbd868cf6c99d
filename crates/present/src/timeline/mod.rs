//! Timelines as a table, as JSON, as a trace that Chrome and Perfetto open (`trace`) and as the picture that papers
//! print (`picture`).

mod picture;
mod trace;

pub use picture::picture;
pub use trace::trace;

use crate::table::{Lean, render};
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::figures::Share;
use meshwright_plan::timeline::Link;
use meshwright_plan::{Table, Timeline};
use meshwright_simulate::{Bubbles, waterfall};
use serde_json::{Value, json};

/// Unit of what a timeline says that groups keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Microbatches, each of all stages of a group.
    Microbatches,
    /// Bytes on each device.
    Bytes,
}

/// Summary of a timeline, for people.
pub fn text(table: &Table<'_>, timeline: &Timeline, kept: Kept) -> String {
    let Bubbles { of_total, of_ideal, of_span } = Bubbles::of(timeline);
    let percent = |share: f64| format!("{:.2} %", 100.0 * share);
    let mut text = format!(
        "step    {}: {} of {} on {}\nbubble  {} of the total (a), {} of the work (b), {} of the longest span (c)\n\n",
        seconds(timeline.step()),
        crate::plural::count(table.num_microbatches, "microbatch"),
        crate::plural::count(table.num_stages, "stage"),
        crate::plural::count(table.rows.len(), "group"),
        percent(of_total),
        percent(of_ideal),
        percent(of_span),
    );
    text.push_str(&groups(timeline, kept));
    if timeline.links.iter().any(|link| occupied(link) > 0.0) {
        text.push('\n');
        text.push_str(&links(timeline));
    }
    text + &parts(timeline)
}

/// Parts of the time of a step; nothing if it takes none.
pub fn parts(timeline: &Timeline) -> String {
    let step = timeline.step();
    if step <= 0.0 {
        return String::new();
    }
    let head = [("where the time goes", Lean::Left), ("takes", Lean::Right), ("of the step", Lean::Right)];
    let row = |part: &Share| {
        let percent = format!("{:.1} %", 100.0 * part.seconds / step);
        vec![part.what.clone(), Seconds(part.seconds).to_string(), percent]
    };
    format!("\n{}", render(&head, &waterfall(timeline).iter().map(row).collect::<Vec<_>>()))
}

fn groups(timeline: &Timeline, kept: Kept) -> String {
    let head = [
        ("group", Lean::Right),
        ("busy", Lean::Right),
        ("waits", Lean::Right),
        ("for transfers", Lean::Right),
        ("span", Lean::Right),
        ("keeps at most", Lean::Right),
    ];
    let row = |group: usize| {
        let busy = timeline.busy(group);
        vec![
            group.to_string(),
            seconds(busy),
            seconds(timeline.step() - busy),
            seconds(exposed(timeline, group)),
            seconds(timeline.span(group)),
            match kept {
                Kept::Microbatches => number(timeline.peak(group)),
                Kept::Bytes => Bytes(timeline.peak(group) as u64).to_string(),
            },
        ]
    };
    render(&head, &(0..timeline.groups.len()).map(row).collect::<Vec<_>>())
}

fn links(timeline: &Timeline) -> String {
    let head =
        [("link", Lean::Right), ("results", Lean::Right), ("busy", Lean::Right), ("queued", Lean::Right)];
    let row = |link: &Link| {
        vec![
            format!("{}>{}", link.source, link.target),
            link.carried.len().to_string(),
            seconds(occupied(link)),
            seconds(queued(link)),
        ]
    };
    render(&head, &timeline.links.iter().map(row).collect::<Vec<_>>())
}

/// The same as data.
pub fn json(table: &Table<'_>, timeline: &Timeline, kept: Kept) -> Value {
    let Bubbles { of_total, of_ideal, of_span } = Bubbles::of(timeline);
    let group = |group: usize| {
        let mut own = json!({
            "busy_seconds": timeline.busy(group),
            "exposed_transfer_seconds": exposed(timeline, group),
            "span_seconds": timeline.span(group),
        });
        match kept {
            Kept::Microbatches => own["peak_kept_microbatches"] = json!(timeline.peak(group)),
            Kept::Bytes => own["peak_kept_bytes"] = json!(timeline.peak(group) as u64),
        }
        own
    };
    let link = |link: &Link| {
        json!({
            "source_group": link.source,
            "target_group": link.target,
            "results": link.carried.len(),
            "busy_seconds": occupied(link),
            "queued_seconds": queued(link),
        })
    };
    json!({
        "stages": table.num_stages,
        "microbatches": table.num_microbatches,
        "step_seconds": timeline.step(),
        "bubble_share_of_total": of_total,
        "bubble_share_of_work": of_ideal,
        "bubble_share_of_span": of_span,
        "waterfall": waterfall(timeline),
        "groups": (0..timeline.groups.len()).map(group).collect::<Vec<_>>(),
        "links": timeline.links.iter().map(link).collect::<Vec<_>>(),
    })
}

/// Seconds in which a group waits for what is on a link.
fn exposed(timeline: &Timeline, group: usize) -> f64 {
    timeline.groups[group].iter().map(|run| run.exposed).sum()
}

/// Seconds in which a link carries something.
fn occupied(link: &Link) -> f64 {
    link.carried.iter().map(|carried| carried.end - carried.start).sum()
}

/// Seconds that results wait for the link.
fn queued(link: &Link) -> f64 {
    link.carried.iter().map(|carried| carried.start - carried.ready).sum()
}

fn seconds(value: f64) -> String {
    match value {
        value if value == 0.0 || value >= 1.0 => format!("{} s", number(value)),
        value if value >= 1e-3 => format!("{} ms", number(value * 1e3)),
        value => format!("{} us", number(value * 1e6)),
    }
}

/// Three decimals, without zeros at the end.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_plan::Schedule;
    use meshwright_simulate::{Costs, simulate};

    fn timed(text: &str, transfer: f64, check: impl Fn(&Table<'_>, &Timeline)) {
        let schedule = Schedule::from_text(text).unwrap();
        let table = Table::of(&schedule).unwrap();
        check(&table, &simulate(&table, &Costs::uniform(2, [1.0; 3], transfer)));
    }

    #[test]
    fn a_table_says_who_waits_for_what() {
        timed("0F0 0F1 0B0 0B1\n1F0 1B0 1F1 1B1", 0.5, |table, timeline| {
            let text = text(table, timeline, Kept::Microbatches);
            assert!(text.starts_with("step    10 s: 2 microbatches of 2 stages on 2 groups\n"), "{text}");
            assert!(text.contains("   0>1        2   1 s     0 s\n"), "{text}");
            let found = json(table, timeline, Kept::Microbatches);
            assert_eq!(found["groups"][0]["exposed_transfer_seconds"], 1.0);
            assert_eq!(found["links"][1]["busy_seconds"], 1.0);
        });
    }

    #[test]
    fn a_trace_has_a_flow_for_each_transfer() {
        timed("0F0 0F1 0B0 0B1\n1F0 1B0 1F1 1B1", 0.5, |_, timeline| {
            let trace = trace(timeline);
            let events = trace["traceEvents"].as_array().unwrap();
            let count = |phase: &str| events.iter().filter(|event| event["ph"] == phase).count();
            assert_eq!((count("s"), count("f"), count("X")), (4, 4, 12));
        });
    }

    #[test]
    fn transfers_that_are_written_down_are_on_the_links() {
        let text = "0F0 h:0>1:0 0F1 h:0>1:1 g:1>0:0 0B0 g:1>0:1 0B1\nh:0>1:0 1F0 1B0 h:0>1:1 g:1>0:0 1F1 1B1 g:1>0:1";
        timed(text, 0.5, |_, timeline| {
            assert_eq!(timeline.links.len(), 2);
            assert!(trace(timeline)["traceEvents"].as_array().unwrap().len() > 12);
            assert!(picture(timeline).contains("</svg>"));
        });
    }
}
