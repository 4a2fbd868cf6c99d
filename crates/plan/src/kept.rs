//! What groups of devices keep between the programs of their rows.
//!
//! Input: verified [`DevicePrograms`]. Output: what each event of a row reads for the last time, behind which nobody keeps it,
//! and the most bytes that a device of a group has at once.

use crate::device_programs::{DevicePrograms, Held, PhaseProgram, Slot, StepPart};
use crate::schedule::{Action, Event, Phase, ProgramId};
use std::collections::{BTreeMap, BTreeSet};

/// A value of a microbatch, or of the whole step.
pub type Key<'a> = (&'a str, Option<usize>);

impl DevicePrograms {
    /// Values that each event of a group's row reads for the last time.
    pub fn last_reads(&self, group: usize) -> Vec<Vec<Key<'_>>> {
        let mut seen = BTreeSet::new();
        let row = self.row(group);
        let mut last: Vec<Vec<Key<'_>>> = Vec::with_capacity(row.len());
        for event in row.iter().rev() {
            let reads: BTreeSet<Key<'_>> = match event {
                Event::Transfer(transfer) if transfer.source != group => BTreeSet::new(),
                Event::Transfer(transfer) => [(transfer.value.as_str(), transfer.microbatch)].into(),
                Event::Action(action) => self.reads(action),
            };
            last.push(reads.into_iter().filter(|key| seen.insert(*key)).collect());
        }
        last.reverse();
        last
    }

    /// What an action reads: of a value, that of its microbatch or that of the step, whichever there is.
    fn reads(&self, action: &Action) -> BTreeSet<Key<'_>> {
        let values = self.programs.get(&action.program).into_iter().flat_map(|program| {
            // An accumulator that is taken to be added to is read again.
            let slots = program.takes.iter().filter(|slot| !program.gives.contains(slot));
            slots.filter_map(Slot::value)
        });
        values.flat_map(|value| [(value, action.microbatch), (value, None)]).collect()
    }

    /// The most bytes that a device of a group has at once: the step's arguments that its programs take, its accumulators from
    /// the begin of the step, what it keeps, and what each program needs beside what it takes while it runs (`beyond`). Of an
    /// optimistic update both states are there until it is validated, when the next step has begun.
    pub fn peak_bytes(&self, group: usize, beyond: &dyn Fn(ProgramId) -> u64) -> u64 {
        let is_optimistic = |id: &ProgramId| id.phase == Phase::Optimistic;
        let optimistic = self.of_group(group).map(|(id, _)| id).filter(is_optimistic);
        let always = self.always(group) + optimistic.map(|id| self.not_written_over(id)).sum::<u64>();
        let mut kept: BTreeMap<Key<'_>, u64> = BTreeMap::new();
        let (mut peak, mut results) = (always, 0);
        for (event, last) in self.row(group).iter().zip(self.last_reads(group)) {
            let sum: u64 = kept.values().sum::<u64>() + results;
            match event {
                Event::Action(action) => {
                    peak = peak.max(always + sum + beyond(action.program));
                    let given = self.programs.get(&action.program).into_iter().flat_map(PhaseProgram::given);
                    let stash = given.filter(|(slot, _)| matches!(slot, Slot::Stash(_)));
                    if !is_optimistic(&action.program) {
                        results += self.not_written_over(action.program);
                    }
                    kept.extend(
                        stash.filter_map(|(slot, held)| {
                            Some(((slot.value()?, action.microbatch), bytes(held)))
                        }),
                    );
                }
                Event::Transfer(transfer) if transfer.target == group => {
                    let held = self.held(group, &transfer.value).map_or(0, bytes);
                    peak = peak.max(always + sum + held);
                    kept.insert((&transfer.value, transfer.microbatch), held);
                }
                Event::Transfer(_) => {}
            }
            kept.retain(|key, _| !last.contains(key));
        }
        peak
    }

    /// Bytes of the step's results that a program gives in another place than that of what they replace.
    fn not_written_over(&self, id: ProgramId) -> u64 {
        let Some(program) = self.programs.get(&id) else { return 0 };
        let written_over: BTreeSet<i64> = program.device.program.main().map_or_else(BTreeSet::new, |main| {
            let attributes = main.arg_attributes.iter();
            attributes.filter_map(|own| own.get("tf.aliasing_output")?.as_int()).collect()
        });
        let given = program.given().enumerate();
        let own = given.filter(|(place, (slot, _))| {
            matches!(slot, Slot::Result(_)) && !written_over.contains(&(*place as i64))
        });
        own.map(|(_, (_, held))| bytes(held)).sum()
    }

    /// Bytes of what is there through the whole step: arguments, each form of each once, and accumulators.
    fn always(&self, group: usize) -> u64 {
        let mut arguments: Vec<(StepPart, Held<'_>)> = Vec::new();
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        for (_, program) in self.of_group(group) {
            for (slot, held) in program.slots() {
                match slot {
                    Slot::Argument(part) if !arguments.contains(&(*part, held)) => {
                        arguments.push((*part, held));
                    }
                    Slot::Accumulator(value) => {
                        sums.insert(value, bytes(held));
                    }
                    _ => {}
                }
            }
        }
        arguments.into_iter().map(|(_, held)| bytes(held)).sum::<u64>() + sums.into_values().sum::<u64>()
    }

    fn row(&self, group: usize) -> &[Event] {
        self.schedule.rows.get(group).map_or(&[], Vec::as_slice)
    }
}

/// Bytes of a value on a device.
fn bytes(held: Held<'_>) -> u64 {
    held.ty.as_tensor().map_or(0, |ty| held.sharding.local_type(ty, held.mesh).num_bytes() as u64)
}
