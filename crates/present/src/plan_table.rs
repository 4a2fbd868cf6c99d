//! A plan for people: mesh, each argument's sharding, collectives, predicted time and memory, and what it amounts to.
//!
//! Everything is read off the plan file, so that a plan that is read back shows the same.

use crate::table::{Lean, render};
use crate::wrap::{COLUMNS, shortened, wrap};
use crate::{figures, plural, shape};
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::{
    AttentionForm, Memory, PlanAttention, PlanAttentions, PlanMicrobatches, PlanPass, PlanTensor, PlanTile,
};
use std::fmt::Write;

/// More rows than this are grouped, unless all are asked for.
const MOST_ROWS: usize = 40;

/// So many arguments or groups of them are shown, unless all are asked for.
const MOST_SHOWN: usize = 16;

/// So many reasons are given, unless all are asked for.
const MOST_REASONS: usize = 12;

/// Columns of the names of arguments, unless all is asked for.
const NAME_COLUMNS: usize = 36;

/// Where lines would be too long, they get fewer columns, down to so many.
const LEAST_COLUMNS: usize = 16;

/// Rows that are shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// What is most important; repeated rows are grouped if there are many.
    Grouped,
    /// All.
    All,
}

/// The text of a plan: the most important lines first, then tables, then why. `model` and `machine` are what the user
/// calls them.
pub fn text(plan: &PlanFile, model: &str, machine: &str, rows: Rows) -> String {
    let num_devices: usize = plan.mesh.iter().map(|axis| axis.size).product();
    let mut out = format!("Plan of {model} on {machine}\n\n");
    for (label, line) in head(plan, num_devices) {
        out.push_str(&wrap(&format!("  {label:<14}"), &line));
    }
    let step = plan.predicted.total_seconds;
    if let Some(found) = &plan.figures {
        out.push_str(&figures::time(found, step, rows));
        out.push_str(&figures::blocks(found, step));
        out.push_str(&figures::memory(found));
    }
    out.push('\n');
    out.push_str(&arguments(&plan.arguments, rows));
    out.push('\n');
    out.push_str(&collectives(plan));
    if rows == Rows::All {
        out.push_str(&passes(plan));
    }
    if let Some(found) = &plan.figures {
        out.push_str(&figures::groups(found, num_devices, rows));
    }
    out.push_str(&list("Why:", &plan.reasons, rows));
    out.push_str(&list(UNEVEN, &plan.uneven, rows));
    out.push_str(&list("Replicated:", &plan.replicated, rows));
    out.push_str(&list("Assumed:", &plan.assumptions, rows));
    let _ = write!(out, "\n{}", wrap("", &format!("Not searched: {}.", plan.not_searched.join(", "))));
    out
}

/// What parameters that do not divide among devices are listed under.
const UNEVEN: &str = "Padded, or held by several devices:";

/// The parameters that do not divide among devices; nothing where all do.
pub fn uneven(plan: &PlanFile) -> String {
    list(UNEVEN, &plan.uneven, Rows::Grouped)
}

/// Lines under a title; nothing where there are none.
fn list(title: &str, lines: &[String], rows: Rows) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut out = format!("\n{title}\n");
    let shown = if rows == Rows::All { lines.len() } else { MOST_REASONS };
    lines.iter().take(shown).for_each(|line| out.push_str(&wrap("  - ", line)));
    if lines.len() > shown {
        let _ = writeln!(out, "  - {} more: see them with `--full`", lines.len() - shown);
    }
    out
}

/// Costs of each block of the model, as a table; nothing where the plan does not say it.
pub fn blocks(plan: &PlanFile) -> String {
    let step = plan.predicted.total_seconds;
    plan.figures.as_ref().map_or_else(String::new, |found| figures::blocks(found, step))
}

/// The lines that come first, each with its label.
fn head(plan: &PlanFile, num_devices: usize) -> Vec<(&'static str, String)> {
    let (predicted, memory) = (&plan.predicted, &plan.memory);
    let axes: Vec<String> = plan.mesh.iter().map(|axis| format!("{}={}", axis.name, axis.size)).collect();
    let axes = if axes.is_empty() { "no axes".to_owned() } else { axes.join(", ") };
    let hidden = match predicted.overlapped_seconds {
        hidden if hidden > 0.0 => format!(" - {} of it meanwhile", Seconds(hidden)),
        _ => String::new(),
    };
    // Groups of a pipeline have parts of their own.
    let parts = match plan.schedule.is_empty() {
        true => format!(
            ": {} compute + {} communication{hidden}",
            Seconds(predicted.compute_seconds),
            Seconds(predicted.communication_seconds)
        ),
        false => String::new(),
    };
    let mut lines = Vec::new();
    if plan.unfinished {
        lines.push(("unfinished", UNFINISHED.to_owned()));
    }
    lines.extend([("parallelism", plan.parallelism.join(", ")), ("degrees", plan.degrees.to_string())]);
    lines.extend(plan.attention.iter().map(|found| ("attention", attention(found))));
    lines.extend(scan(plan).map(|found| ("scan", found)));
    lines.extend(plan.microbatches.iter().map(|found| ("microbatches", microbatches(found))));
    lines.extend(plan.recompute.iter().map(|again| ("recompute", again.clone())));
    lines.extend(tiles(&plan.tiles).map(|found| ("tiles", found)));
    lines.extend(plan.asked.iter().map(|asked| ("asked for", asked.clone())));
    lines.extend([
        ("mesh", format!("{axes} ({})", plural::count(num_devices, "device"))),
        (
            "step time",
            format!(
                "{} predicted{}{parts}",
                Seconds(predicted.total_seconds),
                if predicted.calibrated { "" } else { " (uncalibrated)" },
            ),
        ),
    ]);
    if let Some(found) = &plan.figures {
        lines.extend(figures::headlines(found, num_devices, predicted.total_seconds));
    }
    let limit = match (memory.device_bytes, memory.headroom) {
        (Some(bytes), Some(part)) if part > 0.0 => {
            format!(" ({} less {} % headroom)", Bytes(bytes), (part * 1e4).round() / 1e2)
        }
        _ => String::new(),
    };
    let (peak, most) = (Bytes(memory.peak_bytes), Bytes(memory.limit_bytes));
    lines.push(("peak memory", format!("{peak} of {most} per device{limit}")));
    if memory.host_bytes > 0 {
        lines.push(("host memory", host(memory)));
    }
    if !plan.ranks.is_empty() {
        lines.push(("ranks", plan.ranks.clone()));
    }
    if let Some(error) = &predicted.calibration {
        lines.push(("calibration", error.clone()));
    }
    lines
}

/// `1.0 GiB per device, 8.0 GiB of 2.0 TiB per host: moments 1.0 GiB`.
fn host(memory: &Memory) -> String {
    let own = format!("{} per device", Bytes(memory.host_bytes));
    let Some(host) = &memory.host else { return own };
    let parts = host.parts.iter().map(|part| format!("{} {}", part.what, Bytes(part.bytes_per_device)));
    let parts: Vec<String> = parts.collect();
    let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
    let drives = match host.drive_bytes {
        0 => String::new(),
        bytes => format!(", {} of it on drives", Bytes(bytes)),
    };
    format!("{own}, {} of {} per host{drives}{parts}", Bytes(host.peak_bytes), Bytes(host.limit_bytes))
}

/// What is said of the best plan so far.
const UNFINISHED: &str = "the search was stopped before its end, and this is the best plan that it had found";

/// Lines of a pipeline that its stages do not say: whether it is unfinished, and what became of attentions and scans.
pub fn beside_stages(plan: &PlanFile) -> String {
    let unfinished = plan.unfinished.then(|| wrap("", &format!("unfinished: {UNFINISHED}")));
    let attention = plan.attention.iter().map(|found| wrap("", &format!("attention: {}", attention(found))));
    let scan = scan(plan).map(|found| wrap("", &format!("scan: {found}")));
    unfinished.into_iter().chain(attention).chain(scan).collect()
}

/// `as mamba-ssm with gradient`; none where scans are written out.
fn scan(plan: &PlanFile) -> Option<String> {
    let model = plan.model.as_ref()?;
    let with_gradient = if model.optimizer == "none" { "" } else { " with gradient" };
    Some(format!("as {}{with_gradient}", model.scan_kernel.as_ref()?))
}

/// `24 as cudnn-hopper with gradient; 1 written out: its elements are f32; cuDNN takes bf16 and f16`.
fn attention(found: &PlanAttention) -> String {
    let words = |group: &PlanAttentions| match group.form {
        AttentionForm::Forward => format!("{} as {}", group.count, found.kernel),
        AttentionForm::WithGradient => format!("{} as {} with gradient", group.count, found.kernel),
        AttentionForm::Again => format!("{} as {}, made again for the gradient", group.count, found.kernel),
        AttentionForm::WrittenOut => format!("{} written out: {}", group.count, group.reason),
    };
    found.found.iter().map(words).collect::<Vec<_>>().join("; ")
}

/// `4 of 2 on each of 8 replicas, 64 in all`.
fn microbatches(found: &PlanMicrobatches) -> String {
    let PlanMicrobatches { count, size, replicas, batch, passes, local_statistics, loops_written_out } =
        found;
    let passes = if *passes > 1 { format!(", in {passes} passes") } else { String::new() };
    let on = if *replicas > 1 { format!(" on each of {replicas} replicas") } else { String::new() };
    let local = match local_statistics.as_slice() {
        [] => String::new(),
        [first, rest @ ..] => format!(
            "; statistics of each by itself, which changes what the step computes: {first}{}",
            if rest.is_empty() {
                String::new()
            } else {
                format!(" and {} more", plural::count(rest.len(), "value"))
            }
        ),
    };
    // Slices of a sequence have tokens of all examples.
    let is_whole = [batch / count, *batch].contains(&(size * replicas));
    let at_most = if is_whole { "" } else { "at most " };
    let loops = match loops_written_out.as_slice() {
        [] => String::new(),
        [turns] => format!("; a loop of {turns} turns is written out for them"),
        all => {
            format!(
                "; {} loops of {} turns in all are written out for them",
                all.len(),
                all.iter().sum::<u64>()
            )
        }
    };
    let size = plural::count(*size, "example");
    format!("{count} of {at_most}{size}{on}, {batch} in all{passes}{local}{loops}")
}

/// `attention scores 8x12x64x64 in 8 along dim 2, 24 regions`, for each kind of region.
fn tiles(all: &[PlanTile]) -> impl Iterator<Item = String> {
    let mut kinds: Vec<(&PlanTile, usize)> = Vec::new();
    for tile in all {
        let kind = |known: &PlanTile| (known.holds.clone(), known.shape.clone(), known.dim, known.count);
        match kinds.iter_mut().find(|(known, _)| kind(known) == kind(tile)) {
            Some((_, number)) => *number += 1,
            None => kinds.push((tile, 1)),
        }
    }
    kinds.into_iter().map(|(PlanTile { holds, shape, dim, count, .. }, number)| {
        let shape: Vec<String> = shape.iter().map(ToString::to_string).collect();
        let regions = if number > 1 { format!(", {number} regions") } else { String::new() };
        format!("{holds} {} in {} along dim {dim}{regions}", shape.join("x"), plural::count(*count, "tile"))
    })
}

fn collectives(plan: &PlanFile) -> String {
    if plan.collectives.is_empty() {
        return "  no collectives\n".to_owned();
    }
    let row = |entry: &meshwright_plan::plan_file::PlanCollective| {
        vec![
            entry.kind.clone(),
            entry.count.to_string(),
            Bytes(entry.bytes).to_string(),
            Bytes(entry.ring_bytes).to_string(),
        ]
    };
    let head = [
        ("collective", Lean::Left),
        ("number", Lean::Right),
        ("bytes", Lean::Right),
        ("sent per device", Lean::Right),
    ];
    render(&head, &plan.collectives.iter().map(row).collect::<Vec<_>>())
}

/// What passes changed of the collectives.
fn passes(plan: &PlanFile) -> String {
    if plan.passes.is_empty() {
        return String::new();
    }
    let signed = |bytes: i64| match bytes {
        0 => "0 B".to_owned(),
        _ => format!("{}{}", if bytes < 0 { "-" } else { "+" }, Bytes(bytes.unsigned_abs())),
    };
    let row = |entry: &PlanPass| {
        let count = format!("{:+}", entry.count);
        vec![entry.pass.clone(), entry.kind.clone(), count, signed(entry.bytes), signed(entry.ring_bytes)]
    };
    let head = [
        ("changed by", Lean::Left),
        ("collective", Lean::Left),
        ("number", Lean::Right),
        ("bytes", Lean::Right),
        ("sent per device", Lean::Right),
    ];
    format!("\n{}", render(&head, &plan.passes.iter().map(row).collect::<Vec<_>>()))
}

/// Arguments that are alike but for the numbers in their names.
struct Group<'a> {
    label: String,
    first: &'a PlanTensor,
    members: Vec<usize>,
    bytes: u64,
}

fn arguments(tensors: &[PlanTensor], rows: Rows) -> String {
    let grouped = rows == Rows::Grouped && tensors.len() > MOST_ROWS;
    let mut groups: Vec<Group<'_>> = Vec::new();
    for tensor in tensors {
        let name = tensor.name.as_deref().unwrap_or("");
        let label = if grouped { without_numbers(name) } else { name.to_owned() };
        let alike = |group: &&mut Group<'_>| {
            let first = group.first;
            grouped
                && group.label == label
                && first.role == tensor.role
                && first.shape == tensor.shape
                && first.element == tensor.element
                && first.sharding == tensor.sharding
        };
        match groups.iter_mut().find(alike) {
            Some(group) => {
                group.members.push(tensor.index);
                group.bytes += tensor.bytes_per_device;
            }
            None => groups.push(Group {
                label,
                first: tensor,
                members: vec![tensor.index],
                bytes: tensor.bytes_per_device,
            }),
        }
    }
    let row = |group: &Group<'_>, columns: usize| {
        let name = match group.members.as_slice() {
            [_] => group.first.name.clone().unwrap_or_default(),
            _ => group.label.clone(),
        };
        let number = match group.members.as_slice() {
            [only] => only.to_string(),
            many => format!("{} of them", many.len()),
        };
        vec![
            number,
            group.first.role.clone().unwrap_or_default(),
            shortened(&name, columns),
            shape(&group.first.shape),
            group.first.element.clone(),
            sharding(&group.first.sharding),
            Bytes(group.bytes).to_string(),
        ]
    };
    let head = [
        ("argument", Lean::Right),
        ("role", Lean::Left),
        ("name", Lean::Left),
        ("shape", Lean::Left),
        ("element", Lean::Left),
        ("sharding", Lean::Left),
        ("per device", Lean::Right),
    ];
    let shown = if rows == Rows::All { groups.len() } else { MOST_SHOWN };
    let table = |columns: usize| {
        let table: Vec<Vec<String>> = groups.iter().take(shown).map(|group| row(group, columns)).collect();
        render(&head, &table)
    };
    let mut out = table(if rows == Rows::All { usize::MAX } else { NAME_COLUMNS });
    let widest = out.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    if rows == Rows::Grouped && widest > COLUMNS {
        out = table(NAME_COLUMNS.saturating_sub(widest - COLUMNS).max(LEAST_COLUMNS));
    }
    if groups.len() > shown {
        let _ = writeln!(out, "  {} more rows: see them with `--full`", groups.len() - shown);
    }
    out
}

/// `data, -, model+context`: per dim the axes; a value that every device holds whole is `replicated`.
pub fn sharding(dims: &[Vec<String>]) -> String {
    if dims.iter().all(Vec::is_empty) {
        return "replicated".to_owned();
    }
    let dim = |axes: &Vec<String>| if axes.is_empty() { "-".to_owned() } else { axes.join("+") };
    dims.iter().map(dim).collect::<Vec<_>>().join(", ")
}

/// `layers[3]['w']` as `layers[*]['w']`. A number right behind the first word stays: `result[1]` are other tensors
/// than `result[0]`.
pub fn without_numbers(name: &str) -> String {
    let mut out = String::new();
    let mut is_first = true;
    let mut rest = name;
    while let Some(start) = rest.find('[') {
        let (before, inside) = rest.split_at(start + 1);
        out.push_str(before);
        let digits = inside.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 && inside[digits..].starts_with(']') && !is_first {
            out.push('*');
        } else {
            out.push_str(&inside[..digits]);
        }
        rest = &inside[digits..];
        is_first = false;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tensor(index: usize, name: &str, axis: &str) -> PlanTensor {
        PlanTensor {
            index,
            name: Some(name.into()),
            role: Some("parameter".into()),
            shape: vec![8],
            element: "f32".into(),
            sharding: vec![vec![axis.into()]],
            bytes_per_device: 16,
        }
    }

    #[test]
    fn layers_are_grouped_if_there_are_many() {
        let layers: Vec<PlanTensor> =
            (0..50).map(|layer| tensor(layer, &format!("result[0]['layers'][{layer}]['w']"), "x")).collect();
        let text = arguments(&layers, Rows::Grouped);
        assert_eq!(text.lines().count(), 3, "{text}");
        assert!(
            text.contains("50 of them  parameter  result[0]['layers'][*]['w']  8      f32      x "),
            "{text}"
        );
        assert!(text.contains("800 B"), "{text}");
        assert_eq!(arguments(&layers, Rows::All).lines().count(), 52);
        assert_eq!(arguments(&layers[..4], Rows::Grouped).lines().count(), 6);
        let many = arguments(&layers[..20], Rows::Grouped);
        assert!(many.ends_with("4 more rows: see them with `--full`\n"), "{many}");
    }

    #[test]
    fn other_shardings_are_other_groups() {
        let mut layers: Vec<PlanTensor> =
            (0..50).map(|layer| tensor(layer, &format!("r[0][{layer}]"), "x")).collect();
        layers[7].sharding = vec![vec![]];
        let text = arguments(&layers, Rows::Grouped);
        assert!(text.contains("49 of them"), "{text}");
        assert!(text.contains("r[0][7]") && text.contains("replicated"), "{text}");
    }

    #[test]
    fn numbers_of_trees_stay() {
        assert_eq!(without_numbers("result[1]['layers'][13]['w1'][2]"), "result[1]['layers'][*]['w1'][*]");
        assert_eq!(without_numbers("plain"), "plain");
        assert_eq!(sharding(&[vec![], vec!["a".into(), "b:(1)2".into()]]), "-, a+b:(1)2");
    }
}
