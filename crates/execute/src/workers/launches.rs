//! What workers launch for groups of devices, in one order, and which splits of devices among processes can do so.
//!
//! Input: verified [`DevicePrograms`]. Output: their events as [`Launch`]es, in an order of which each row is a part: a
//! process that launches what concerns it in this order, from one thread, waits for nobody who waits for it.

use meshwright_plan::{CrossMesh, DevicePrograms, Event, Slot, StepPart, Transfer};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// A value of a microbatch, or of the whole step.
pub type Kept = (String, Option<usize>);

/// An event of one group, or of two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Launch {
    /// A group runs a program.
    Run {
        /// The program, as manifests write it.
        program: String,
        /// Its group.
        group: usize,
        /// The microbatch that it runs for.
        microbatch: Option<usize>,
        /// What the group needs no more from then on.
        frees: Vec<Kept>,
    },
    /// A group hands a value to another one.
    Hand {
        /// The value.
        value: String,
        /// The microbatch whose value it is.
        microbatch: Option<usize>,
        /// The group that has it.
        source: usize,
        /// The group that gets it.
        target: usize,
        /// What the source needs no more from then on.
        frees: Vec<Kept>,
    },
}

/// All events of a step in one order. Rows that wait for each other in a circle have none: they were refused before.
pub fn launches(programs: &DevicePrograms) -> Vec<Launch> {
    let groups = 0..programs.groups.len();
    let mut frees: Vec<_> = groups.map(|group| programs.last_reads(group).into_iter()).collect();
    let mut free = |group: usize| -> Vec<Kept> {
        let keys = frees.get_mut(group).and_then(Iterator::next).unwrap_or_default();
        keys.into_iter().map(|(value, microbatch)| (value.to_owned(), microbatch)).collect()
    };
    let order = programs.schedule.linear_order().unwrap_or_default();
    let launch = |event: &Event| match event {
        Event::Action(action) => {
            let group = programs.stages[action.program.stage];
            let (program, microbatch) = (action.program.to_string(), action.microbatch);
            Launch::Run { program, group, microbatch, frees: free(group) }
        }
        Event::Transfer(transfer) => {
            let (source, target) = (transfer.source, transfer.target);
            // Who gets a value has nothing to free.
            free(target);
            let (value, microbatch) = (transfer.value.clone(), transfer.microbatch);
            Launch::Hand { value, microbatch, source, target, frees: free(source) }
        }
    };
    order.into_iter().map(launch).collect()
}

/// Way of a value between two groups that hold it otherwise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Way {
    /// The value; `result 3`, or `result 3[5]` of a layer, of a result of the step that becomes an argument of the next one.
    pub value: String,
    /// The group that has it.
    pub source: usize,
    /// The group that gets it.
    pub target: usize,
    /// What is sent.
    #[serde(flatten)]
    pub across: CrossMesh,
}

/// Ways of all values that groups hand to each other and hold otherwise, each once; `next` is the result that each argument
/// becomes in the next step.
pub fn ways(programs: &DevicePrograms, next: &[Option<usize>]) -> Vec<Way> {
    let mut ways = BTreeMap::new();
    for event in programs.schedule.rows.iter().flatten() {
        let Event::Transfer(Transfer { value, source, target, .. }) = event else { continue };
        let held = |group: usize| programs.held(group, value);
        let both = held(*source).zip(held(*target));
        if let Some(across) = both.and_then(|(from, to)| CrossMesh::between(from, to)) {
            ways.insert((value.clone(), *source, *target), across);
        }
    }
    let taken = programs.programs.iter().flat_map(|(id, program)| {
        program.takes.iter().filter_map(move |slot| match slot {
            Slot::Argument(part) => Some((programs.stages[id.stage], *part)),
            _ => None,
        })
    });
    for (target, argument) in taken {
        let Some(index) = next.get(argument.index).copied().flatten() else { continue };
        let result = StepPart { index, ..argument };
        let Some((id, at)) = programs.source_of(result) else { continue };
        let source = programs.stages[id.stage];
        let from = programs.programs[&id].given().nth(at).map(|(_, held)| held);
        let both = from.zip(programs.takes(target, argument).next()).filter(|_| source != target);
        if let Some(across) = both.and_then(|(from, to)| CrossMesh::between(from, to)) {
            ways.insert((format!("result {result}"), source, target), across);
        }
    }
    let way = |((value, source, target), across)| Way { value, source, target, across };
    ways.into_iter().map(way).collect()
}

/// A process with parts of groups that are no whole ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Straddles {
    /// The process.
    pub process: usize,
    /// The groups that its devices are of.
    pub groups: Vec<usize>,
    /// Numbers of processes that are possible.
    pub possible: Vec<usize>,
}

/// Checks that a process has whole groups, or a group whole processes, if devices are split evenly in their order; `groups`
/// are the devices of each.
///
/// # Errors
/// The first process for which neither holds.
pub fn split(groups: &[&[usize]], processes: usize) -> Result<(), Straddles> {
    let count: usize = groups.iter().map(|own| own.len()).sum();
    match straddling(groups, processes) {
        None => Ok(()),
        Some((process, parts)) => {
            let is_possible =
                |other: &usize| count.is_multiple_of(*other) && straddling(groups, *other).is_none();
            Err(Straddles { process, groups: parts, possible: (1..=count).filter(is_possible).collect() })
        }
    }
}

/// The first process that has devices of several groups and not all of each, and these groups.
fn straddling(groups: &[&[usize]], processes: usize) -> Option<(usize, Vec<usize>)> {
    let owned = groups.iter().enumerate();
    let devices = owned.flat_map(|(group, own)| own.iter().map(move |device| (*device, group)));
    let mut devices: Vec<(usize, usize)> = devices.collect();
    devices.sort_unstable();
    let each = devices.len().div_ceil(processes.max(1)).max(1);
    devices.chunks(each).enumerate().find_map(|(process, own)| {
        let parts: BTreeSet<usize> = own.iter().map(|(_, group)| *group).collect();
        let has = |group: usize| own.iter().filter(|(_, other)| *other == group).count();
        let is_whole = |group: &usize| has(*group) == groups[*group].len();
        (parts.len() > 1 && !parts.iter().all(is_whole)).then(|| (process, parts.into_iter().collect()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_have_whole_groups_or_groups_whole_processes() {
        let pairs: [&[usize]; 2] = [&[0, 1, 2], &[3, 4, 5]];
        for processes in [1, 2, 6] {
            assert_eq!(split(&pairs, processes), Ok(()));
        }
        let straddles = Straddles { process: 1, groups: vec![0, 1], possible: vec![1, 2, 6] };
        assert_eq!(split(&pairs, 3), Err(straddles));
        // Devices of groups may lie between one another on the machine.
        let mixed: [&[usize]; 2] = [&[0, 2], &[1, 3]];
        let straddles = Straddles { process: 0, groups: vec![0, 1], possible: vec![1, 4] };
        assert_eq!(split(&mixed, 2), Err(straddles));
    }

    #[test]
    fn events_come_in_one_order_and_free_what_is_read_for_the_last_time() {
        let programs = crate::programs::tests::exchange("0F0 a:0>1:0 b:1>0:0 0B0\n1F0 a:0>1:0 b:1>0:0 1B0");
        let launches = launches(&programs);
        let shown = launches.iter().map(|launch| match launch {
            Launch::Run { program, frees, .. } => (program.as_str(), frees.len()),
            Launch::Hand { value, frees, .. } => (value.as_str(), frees.len()),
        });
        let shown: Vec<(&str, usize)> = shown.collect();
        assert_eq!(shown, [("0F", 0), ("1F", 0), ("a", 1), ("b", 1), ("1B", 2), ("0B", 2)]);
    }
}
