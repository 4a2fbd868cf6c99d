//! The figures of a plan as text: throughput, use of the machine and cost in a line each; where the time and the memory
//! go, and which devices work together, as tables.

use crate::plan_table::Rows;
use crate::process_groups::members;
use crate::table::{Lean, render};
use crate::wrap::wrap;
use meshwright_machine::{Bytes, FlopsPerSecond, Seconds};
use meshwright_plan::Figures;
use meshwright_plan::figures::{BlockPart, ProcessGroups, Share};
use std::fmt::Write;

/// A share of less than this is told with others, unless all are asked for.
const SMALL: f64 = 0.01;

/// Groups of more devices are not drawn.
const MOST_DRAWN: usize = 64;

/// A whole number with commas between thousands: `49,725`.
pub fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// A number of moderate size to three digits.
pub(crate) fn three_digits(number: f64) -> String {
    match number {
        0.0 => "0".to_owned(),
        _ if number >= 100.0 => grouped(number),
        _ if number >= 10.0 => format!("{number:.1}"),
        _ if number >= 0.1 => format!("{number:.2}"),
        _ => format!("{number:.2e}"),
    }
}

pub(crate) fn percent(share: f64) -> String {
    match 100.0 * share.abs() {
        small if small > 0.0 && small < 0.05 => format!("{:.1e} %", 100.0 * share),
        _ => format!("{:.1} %", 100.0 * share),
    }
}

/// The lines of the head, each with its label.
pub(crate) fn headlines(figures: &Figures, num_devices: usize, step: f64) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    if let Some(fed) = &figures.throughput {
        let (all, one) = (three_digits(fed.per_second), three_digits(fed.per_second_and_device));
        let unit = &fed.unit;
        let batch = if fed.unit == "samples" {
            String::new()
        } else {
            format!(" in {} samples", grouped(fed.samples_per_step as f64))
        };
        let size = format!("{} {unit}{batch} per step", grouped(fed.per_step as f64));
        lines.push(("throughput", format!("{all} {unit}/s, {one} per device; {size}")));
    }
    if figures.model_flops > 0.0 {
        let peak = FlopsPerSecond(figures.peak_flops_per_second);
        let causal = if figures.model_flops_causal < figures.model_flops {
            format!("{} with attention counted half, ", percent(figures.mfu_causal))
        } else {
            String::new()
        };
        // What runs again may not be known.
        let executed = if figures.executed_flops > 0.0 {
            format!("HFU {}", percent(figures.hfu))
        } else {
            String::new()
        };
        let beside = format!("{causal}{executed}");
        let beside = match beside.trim_end_matches(", ") {
            "" => String::new(),
            beside => format!(" ({beside})"),
        };
        let (mfu, class) = (percent(figures.mfu), &figures.arithmetic);
        lines.push(("MFU", format!("{mfu} of {num_devices} x {peak} in {class}{beside}")));
    }
    let cost = &figures.cost;
    let unit = figures.throughput.as_ref().map_or("samples", |fed| fed.unit.as_str());
    let dollars = |dollars: Option<f64>| {
        dollars.map_or(String::new(), |dollars| format!(" (${})", three_digits(dollars)))
    };
    if let Some(hours) = cost.device_hours_per_billion {
        let (hours, money) = (three_digits(hours), dollars(cost.dollars_per_billion));
        let step = three_digits(cost.device_hours_per_step);
        let step = format!("{step}{} per step", dollars(cost.dollars_per_step));
        lines.push(("device-hours", format!("{hours}{money} per billion {unit}, {step}")));
    }
    let mut bounds: Vec<&Share> = figures.bound_by.iter().collect();
    bounds.sort_by(|left, right| right.seconds.total_cmp(&left.seconds));
    let bounds: Vec<String> = bounds
        .iter()
        .take(4)
        .filter(|bound| bound.seconds >= SMALL * step)
        .map(|bound| format!("{} {:.0} %", bound.what, 100.0 * bound.seconds / step))
        .collect();
    if !bounds.is_empty() {
        lines.push(("bound by", bounds.join(", ")));
    }
    lines
}

/// Lines of what a pipeline comes to: throughput, use of the machine, cost, and the most memory that a device needs out of
/// what it has.
pub fn of_pipeline(figures: &Figures, num_devices: usize, step: Seconds, memory: [Bytes; 2]) -> String {
    let [peak, limit] = memory;
    let mut lines = headlines(figures, num_devices, step.0);
    lines.push(("peak memory", format!("{peak} of {limit} per device")));
    lines.into_iter().map(|(label, words)| wrap("", &format!("{label}: {words}"))).collect()
}

/// Where the time goes: the waterfall, then the same by kind of work; nothing if a step takes no time.
pub(crate) fn time(figures: &Figures, step: f64, rows: Rows) -> String {
    if figures.waterfall.is_empty() {
        return String::new();
    }
    let mut out = format!("\nWhere the time goes ({} a step):\n\n", Seconds(step));
    let head =
        [("from the peak to the step", Lean::Left), ("takes", Lean::Right), ("of the step", Lean::Right)];
    out.push_str(&shares(&head, &figures.waterfall, step, rows));
    let head = [("by kind of work", Lean::Left), ("takes", Lean::Right), ("of the step", Lean::Right)];
    let _ = write!(out, "\n{}", shares(&head, &figures.by_kind, step, rows));
    let roofline = &figures.roofline;
    let (here, ridge) = (roofline.step_flops_per_byte, roofline.ridge_flops_per_byte);
    let side = if here < ridge { "memory" } else { "arithmetic" };
    let _ = write!(
        out,
        "\n{}",
        wrap(
            "  ",
            &format!(
                "Local work does {here:.1} operations per byte; up to {ridge:.1}, memory is what limits the \
                 device ({side} does here)."
            )
        )
    );
    out
}

/// What each block of the model takes, in a pipeline on a device of each group together; nothing where the program does not
/// say what its blocks are.
pub(crate) fn blocks(figures: &Figures, step: f64) -> String {
    if figures.by_block.is_empty() {
        return String::new();
    }
    let groups = figures.by_block.iter().filter_map(|part| part.group).max().map(|last| last + 1);
    let title = match groups {
        None => "by block of the model".to_owned(),
        Some(groups) => format!("by block, {groups} devices of as many groups"),
    };
    let head = [
        (title.as_str(), Lean::Left),
        ("flops", Lean::Right),
        ("works", Lean::Right),
        ("waits", Lean::Right),
        ("of the step", Lean::Right),
        ("sends", Lean::Right),
        ("at the peak", Lean::Right),
    ];
    let row = |part: &BlockPart| {
        let name = if part.block.is_empty() { "update and the rest" } else { &part.block };
        vec![
            name.to_owned(),
            format!("{:.4e}", part.product_flops),
            Seconds(part.work_seconds).to_string(),
            Seconds(part.waiting_seconds).to_string(),
            percent((part.work_seconds + part.waiting_seconds) / (step * groups.unwrap_or(1) as f64)),
            Bytes(part.sent_bytes + part.handed_bytes).to_string(),
            Bytes(part.peak_bytes).to_string(),
        ]
    };
    format!("\n{}", render(&head, &of_all_groups(&figures.by_block).iter().map(row).collect::<Vec<_>>()))
}

/// Parts of the same block, of all groups together.
fn of_all_groups(parts: &[BlockPart]) -> Vec<BlockPart> {
    let mut all: Vec<BlockPart> = Vec::new();
    for part in parts {
        match all.iter_mut().find(|own| own.block == part.block) {
            None => all.push(part.clone()),
            Some(own) => {
                own.product_flops += part.product_flops;
                own.work_seconds += part.work_seconds;
                own.waiting_seconds += part.waiting_seconds;
                own.sent_bytes += part.sent_bytes;
                own.handed_bytes += part.handed_bytes;
                own.peak_bytes += part.peak_bytes;
            }
        }
    }
    // What is of no block comes last.
    all.sort_by_key(|part| part.block.is_empty());
    all
}

fn shares(head: &[(&str, Lean); 3], shares: &[Share], step: f64, rows: Rows) -> String {
    let row = |what: &str, seconds: f64| {
        vec![what.to_owned(), Seconds(seconds).to_string(), percent(seconds / step)]
    };
    let is_shown = |share: &&Share| rows == Rows::All || share.seconds.abs() >= SMALL * step;
    let mut table: Vec<Vec<String>> =
        shares.iter().filter(is_shown).map(|share| row(&share.what, share.seconds)).collect();
    let hidden: Vec<&Share> = shares.iter().filter(|share| !is_shown(share)).collect();
    match hidden.as_slice() {
        [] => {}
        [only] => table.push(row(&only.what, only.seconds)),
        many => {
            let seconds = many.iter().map(|share| share.seconds).sum();
            table.push(row(&format!("{} others, less than 1 % each", many.len()), seconds));
        }
    }
    render(head, &table)
}

/// What takes the memory.
pub(crate) fn memory(figures: &Figures) -> String {
    let row = |part: &meshwright_plan::figures::MemoryPart| {
        vec![part.what.clone(), Bytes(part.peak_bytes).to_string(), Bytes(part.mean_bytes).to_string()]
    };
    let head =
        [("memory of a device", Lean::Left), ("at the peak", Lean::Right), ("on average", Lean::Right)];
    format!("\n{}", render(&head, &figures.memory.iter().map(row).collect::<Vec<_>>()))
}

/// Which devices work together along each axis; all groups, or a rule; and a picture of few devices.
pub(crate) fn groups(figures: &Figures, num_devices: usize, rows: Rows) -> String {
    if figures.process_groups.is_empty() {
        return String::new();
    }
    let listed = |group: &[usize]| group.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
    let row = |groups: &ProcessGroups| {
        let first = members(&groups.first);
        let stride = groups.stride.map_or_else(|| "-".to_owned(), |stride| stride.to_string());
        let links = groups.links.join(" and ");
        vec![groups.axis.clone(), groups.size.to_string(), groups.count.to_string(), stride, links, first]
    };
    let head = [
        ("axis", Lean::Left),
        ("devices", Lean::Right),
        ("groups", Lean::Right),
        ("apart", Lean::Right),
        ("over", Lean::Left),
        ("first group", Lean::Left),
    ];
    let mut out = format!("\n{}", render(&head, &figures.process_groups.iter().map(row).collect::<Vec<_>>()));
    out.push_str(&picture(figures, num_devices));
    if rows == Rows::All {
        for groups in &figures.process_groups {
            let all: Vec<String> =
                groups.listed(num_devices).iter().map(|group| format!("[{}]", listed(group))).collect();
            out.push_str(&wrap(&format!("  {}: ", groups.axis), &all.join(" ")));
        }
    }
    out
}

/// Device numbers with the last axis along the lines, if there are few devices, in order.
fn picture(figures: &Figures, num_devices: usize) -> String {
    let all_in_order = figures.process_groups.iter().all(|groups| groups.stride.is_some());
    let [.., last] = figures.process_groups.as_slice() else { return String::new() };
    if figures.process_groups.len() < 2 || num_devices > MOST_DRAWN || !all_in_order {
        return String::new();
    }
    let width = (num_devices - 1).to_string().len();
    let others: Vec<&str> = figures.process_groups[..figures.process_groups.len() - 1]
        .iter()
        .map(|groups| groups.axis.as_str())
        .collect();
    let mut out = format!("\n  Ranks ({} downwards, {} to the right):\n", others.join(", "), last.axis);
    for group in last.listed(num_devices) {
        let cells: Vec<String> = group.iter().map(|device| format!("{device:width$}")).collect();
        let _ = writeln!(out, "    {}", cells.join(" "));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(1_234_567.0), "1,234,567");
        assert_eq!(grouped(999.0), "999");
        assert_eq!(
            [three_digits(49_724.8), three_digits(12.34), three_digits(0.5)],
            ["49,725", "12.3", "0.50"]
        );
    }

    #[test]
    fn small_shares_are_told_together() {
        let share = |what: &str, seconds| Share { what: what.to_owned(), seconds };
        let all = [share("a", 0.98), share("b", 0.005), share("c", 0.004), share("d", 0.011)];
        let head = [("what", Lean::Left), ("takes", Lean::Right), ("share", Lean::Right)];
        let text = shares(&head, &all, 1.0, Rows::Grouped);
        assert!(text.contains("2 others, less than 1 % each"), "{text}");
        assert!(!shares(&head, &all, 1.0, Rows::All).contains("others"));
    }

    #[test]
    fn ranks_are_drawn() {
        let groups = |axis: &str, size, stride, count| ProcessGroups {
            axis: axis.to_owned(),
            size,
            count,
            stride: Some(stride),
            ..ProcessGroups::default()
        };
        let figures = Figures {
            process_groups: vec![groups("data", 2, 4, 4), groups("model", 4, 1, 2)],
            ..Figures::default()
        };
        let text = picture(&figures, 8);
        assert!(text.contains("    0 1 2 3\n    4 5 6 7\n"), "{text}");
    }
}
