//! What groups of devices keep between the programs of their rows.
//!
//! Input: verified [`DevicePrograms`]. Output: what each event of a row reads for the last time, behind which nobody keeps it,
//! and the most bytes that a device of a group has at once.

use crate::device_programs::{DevicePrograms, Held, PhaseProgram, Slot, StepPart};
use crate::schedule::{Event, Phase, ProgramId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A value of a microbatch, or of the whole step.
pub type Key<'a> = (&'a str, Option<usize>);

impl DevicePrograms {
    /// Values that each event of a group's row reads for the last time.
    pub fn last_reads(&self, group: usize) -> Vec<Vec<Key<'_>>> {
        let reads: BTreeMap<ProgramId, Vec<&str>> =
            self.of_group(group).map(|(id, program)| (id, reads(program))).collect();
        let mut seen = FxHashSet::default();
        let row = self.row(group);
        let mut last: Vec<Vec<Key<'_>>> = Vec::with_capacity(row.len());
        for event in row.iter().rev() {
            let keys: Vec<Key<'_>> = match event {
                Event::Transfer(transfer) if transfer.source != group => Vec::new(),
                Event::Transfer(transfer) => vec![(&transfer.value, transfer.microbatch)],
                // Of a value, that of its microbatch or that of the step, whichever there is.
                Event::Action(action) => {
                    let values = reads.get(&action.program).into_iter().flatten();
                    values.flat_map(|value| [(*value, action.microbatch), (*value, None)]).collect()
                }
            };
            let mut own: Vec<Key<'_>> = keys.into_iter().filter(|key| seen.insert(*key)).collect();
            own.sort_unstable();
            last.push(own);
        }
        last.reverse();
        last
    }

    /// The most bytes that a device of a group has at once: the step's arguments that its programs take, its accumulators from
    /// the begin of the step, what it keeps, and what each program needs beside what it takes while it runs (`beyond`). Of an
    /// optimistic update both states are there until it is validated, when the next step has begun.
    pub fn peak_bytes(&self, group: usize, beyond: &dyn Fn(ProgramId) -> u64) -> u64 {
        let is_optimistic = |id: &ProgramId| id.phase == Phase::Optimistic;
        let optimistic = self.of_group(group).map(|(id, _)| id).filter(is_optimistic);
        let always = self.always(group) + optimistic.map(|id| self.not_written_over(id)).sum::<u64>();
        let known = self.known_in(group);
        let makes: BTreeMap<ProgramId, (u64, Vec<(&str, u64)>)> = self
            .of_group(group)
            .map(|(id, program)| {
                let results = if is_optimistic(&id) { 0 } else { self.not_written_over(id) };
                (id, (results, stashed(program)))
            })
            .collect();
        let mut kept = Kept::default();
        let (mut peak, mut results) = (always, 0);
        for (event, last) in self.row(group).iter().zip(self.last_reads(group)) {
            let sum = kept.sum + results;
            match event {
                Event::Action(action) => {
                    peak = peak.max(always + sum + beyond(action.program));
                    let Some((own, stashed)) = makes.get(&action.program) else { continue };
                    results += own;
                    for (value, bytes) in stashed {
                        kept.put((value, action.microbatch), *bytes);
                    }
                }
                Event::Transfer(transfer) if transfer.target == group => {
                    let held = known.get(transfer.value.as_str()).map_or(0, |held| bytes(*held));
                    peak = peak.max(always + sum + held);
                    kept.put((&transfer.value, transfer.microbatch), held);
                }
                Event::Transfer(_) => {}
            }
            last.iter().for_each(|key| kept.free(key));
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

/// Values that are kept, with the bytes of each and of all.
#[derive(Default)]
struct Kept<'a> {
    bytes: FxHashMap<Key<'a>, u64>,
    sum: u64,
}

impl<'a> Kept<'a> {
    fn put(&mut self, key: Key<'a>, bytes: u64) {
        let before = self.bytes.insert(key, bytes).unwrap_or(0);
        self.sum = self.sum - before + bytes;
    }

    fn free(&mut self, key: &Key<'a>) {
        self.sum -= self.bytes.remove(key).unwrap_or(0);
    }
}

/// Values that a program reads.
fn reads(program: &PhaseProgram) -> Vec<&str> {
    // An accumulator that is taken to be added to is read again.
    let given: FxHashSet<&Slot> = program.gives.iter().collect();
    program.takes.iter().filter(|slot| !given.contains(slot)).filter_map(Slot::value).collect()
}

/// Values that a program makes for others of its group, with their bytes.
fn stashed(program: &PhaseProgram) -> Vec<(&str, u64)> {
    let stash = program.given().filter(|(slot, _)| matches!(slot, Slot::Stash(_)));
    stash.filter_map(|(slot, held)| Some((slot.value()?, bytes(held)))).collect()
}

/// Bytes of a value on a device.
fn bytes(held: Held<'_>) -> u64 {
    held.ty.as_tensor().map_or(0, |ty| held.sharding.local_type(ty, held.mesh).num_bytes() as u64)
}
