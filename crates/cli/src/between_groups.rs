//! What lies between the groups of a pipeline: what several stages read, which devices hand values to one another, and what
//! groups on other hosts take.

use crate::plural;
use meshwright_compile::Pipelined;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Phase, StepPart, Table};
use meshwright_present::process_groups::in_words;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// What several stages read, which devices hand values to one another, and what groups on other hosts take.
pub(crate) fn text(pipelined: &Pipelined) -> String {
    shared(pipelined) + &sums(pipelined) + &process_groups_in_words(pipelined) + &weighed_hosts(pipelined)
}

/// That the table changes the last digits of gradients, if it does.
fn sums(pipelined: &Pipelined) -> String {
    match sums_in_order(pipelined) {
        true => String::new(),
        false => {
            "gradients are added up in another order than that of microbatches: their last digits differ\n"
                .to_owned()
        }
    }
}

/// Returns whether each stage adds up gradients in the order of microbatches, in one group, so that they are the same to the bit as
/// without stages.
pub(crate) fn sums_in_order(pipelined: &Pipelined) -> bool {
    let Ok(table) = Table::of(&pipelined.table) else { return true };
    // The group and the last microbatch of each stage.
    let mut last: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    table.rows.iter().enumerate().all(|(group, row)| {
        let actions = row.iter().filter_map(|at| table.action(*at));
        let adds = |phase: Phase| matches!(phase, Phase::WeightGradient | Phase::Backward);
        let mut adding = actions.filter(|action| adds(action.program.phase));
        adding.all(|action| {
            let own = (group, action.microbatch.unwrap_or(0));
            let before = last.insert(action.program.stage, own);
            before.is_none_or(|(other, before)| other == group && before < own.1)
        })
    })
}

/// What a step takes with groups on other numbers of hosts, where that was chosen.
fn weighed_hosts(pipelined: &Pipelined) -> String {
    let weighed = pipelined.group_hosts.iter();
    let weighed = weighed.map(|(hosts, step)| format!("{} {step}", plural::count(*hosts, "host")));
    match weighed.collect::<Vec<_>>() {
        none if none.is_empty() => String::new(),
        all => format!("step with each group on {}\n", all.join(", on ")),
    }
}

/// The parameters that several stages read, with the devices between which their gradients go.
fn shared(pipelined: &Pipelined) -> String {
    let readers = pipelined.staged.update.readers.iter().enumerate();
    let several = readers.filter(|(_, stages)| stages.len() > 1);
    let line = |(index, stages): (usize, &BTreeSet<usize>)| {
        let part = pipelined.arguments[index];
        let whole = pipelined.function.args().get(part.index).map(|arg| pipelined.function.body.ty(*arg));
        let bytes = whole.and_then(|ty| part.of_type(ty)).map_or(0, |ty| ty.num_bytes() as u64);
        let groups: BTreeSet<usize> = stages.iter().map(|stage| pipelined.programs.stages[*stage]).collect();
        let stages: Vec<String> = stages.iter().map(usize::to_string).collect();
        let sent = match groups.len() - 1 {
            0 => "which are on one group".to_owned(),
            others => {
                let often = if others == 1 { "twice".to_owned() } else { format!("{} times", 2 * others) };
                let between = numbered_alike(pipelined, groups);
                let between =
                    between.map_or_else(String::new, |all| format!(", in groups: {}", in_words(&all)));
                format!("{} are sent {often} in a step{between}", Bytes(bytes))
            }
        };
        format!("argument {part} is read by stages {}: {sent}\n", stages.join(" and "))
    };
    several.map(line).collect()
}

/// The devices that hand values to one another: those that have the same number in their groups, or all of each group.
fn process_groups_in_words(pipelined: &Pipelined) -> String {
    let groups = &pipelined.programs.groups;
    let all = match process_groups(pipelined) {
        Some(_) if groups.len() == 1 => return String::new(),
        Some(alike) if alike.len() > 1 => format!("process groups along the pipeline: {}", in_words(&alike)),
        Some(_) => return String::new(),
        None => {
            let each: Vec<Vec<usize>> = groups.iter().map(|group| group.devices.clone()).collect();
            format!("devices of groups: {}", in_words(&each))
        }
    };
    format!("{all}\n")
}

/// Process groups along the pipeline: devices that have the same number in their groups, if these have equally many.
pub(crate) fn process_groups(pipelined: &Pipelined) -> Option<Vec<Vec<usize>>> {
    numbered_alike(pipelined, 0..pipelined.programs.groups.len())
}

/// The devices of each number in some groups, if these have equally many.
fn numbered_alike(pipelined: &Pipelined, of: impl IntoIterator<Item = usize>) -> Option<Vec<Vec<usize>>> {
    let groups: Vec<&[usize]> =
        of.into_iter().map(|group| pipelined.programs.groups[group].devices.as_slice()).collect();
    let each = groups.first().map_or(0, |devices| devices.len());
    let of_number = |number: usize| groups.iter().map(|devices| devices[number]).collect();
    groups.iter().all(|devices| devices.len() == each).then(|| (0..each).map(of_number).collect())
}

/// Parameters that several stages read, with the groups that hand their accumulators to the first of them.
pub(crate) fn tied(pipelined: &Pipelined) -> Vec<serde_json::Value> {
    let readers = pipelined.staged.update.readers.iter().enumerate();
    let several = readers.filter(|(_, stages)| stages.len() > 1);
    let one = |(index, stages): (usize, &BTreeSet<usize>)| {
        let groups: Vec<usize> = stages.iter().map(|stage| pipelined.programs.stages[*stage]).collect();
        json!({
            "argument": number_of(&pipelined.arguments[index]),
            "stages": stages,
            "groups": groups,
        })
    };
    several.map(one).collect()
}

/// The number of an argument; of a layer of one, both: `"3[5]"`.
pub(crate) fn number_of(part: &StepPart) -> serde_json::Value {
    match part.layers {
        None => json!(part.index),
        Some(_) => json!(part.to_string()),
    }
}

/// The devices of each group.
pub(crate) fn devices(pipelined: &Pipelined) -> Vec<&[usize]> {
    pipelined.programs.groups.iter().map(|group| group.devices.as_slice()).collect()
}

/// What a step takes with groups on so many hosts, where that was chosen.
pub(crate) fn hosts(pipelined: &Pipelined) -> Vec<serde_json::Value> {
    let one = |(hosts, step): &(usize, Seconds)| json!({"hosts": hosts, "step_seconds": step.0});
    pipelined.group_hosts.iter().map(one).collect()
}
