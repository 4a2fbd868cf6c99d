//! What groups of devices keep between the programs of their rows.
//!
//! Input: verified [`DevicePrograms`]. Output: what each event of a row reads for the last time, behind which nobody keeps it,
//! and what a device of a group holds when it holds most.

use crate::device_programs::{DevicePrograms, Held, PhaseProgram, Slot, StepPart};
use crate::schedule::{Event, Phase, ProgramId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// A value of a microbatch, or of the whole step.
pub type Key<'a> = (&'a str, Option<usize>);

/// Contents of a device of a group when it holds most.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Peak {
    /// Bytes, with those that a running program needs beside what it takes.
    pub bytes: u64,
    /// The program that runs meanwhile.
    pub program: Option<ProgramId>,
    /// Bytes by slot, those of all microbatches together.
    pub held: BTreeMap<Slot, u64>,
}

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
        self.highest(group, beyond).0
    }

    /// Contents of a device of a group when it first holds most.
    pub fn peak(&self, group: usize, beyond: &dyn Fn(ProgramId) -> u64) -> Peak {
        let (bytes, at) = self.highest(group, beyond);
        let program = at.and_then(|at| match &self.row(group)[at] {
            Event::Action(action) => Some(action.program),
            Event::Transfer(_) => None,
        });
        Peak { bytes, program, held: self.held_during(group, at) }
    }

    /// The most bytes, and the event during which there are so many; none if there never are more than before the first one.
    fn highest(&self, group: usize, beyond: &dyn Fn(ProgramId) -> u64) -> (u64, Option<usize>) {
        let always = total(&self.always(group));
        let known = self.known_in(group);
        let makes: BTreeMap<ProgramId, (u64, Vec<(&str, u64)>)> = self
            .of_group(group)
            .map(|(id, program)| {
                let results = if is_optimistic(id) { 0 } else { total(&self.not_written_over(id)) };
                (id, (results, stashed(program)))
            })
            .collect();
        let mut kept = Kept::default();
        let (mut peak, mut results) = ((always, None), 0);
        let mut see = |bytes: u64, at: usize| {
            if bytes > peak.0 {
                peak = (bytes, Some(at));
            }
        };
        for (at, (event, last)) in self.row(group).iter().zip(self.last_reads(group)).enumerate() {
            let sum = kept.sum + results;
            match event {
                Event::Action(action) => {
                    see(always + sum + beyond(action.program), at);
                    let Some((own, stashed)) = makes.get(&action.program) else { continue };
                    results += own;
                    for (value, bytes) in stashed {
                        kept.put((value, action.microbatch), *bytes);
                    }
                }
                Event::Transfer(transfer) if transfer.target == group => {
                    let held = known.get(transfer.value.as_str()).map_or(0, |held| bytes(*held));
                    see(always + sum + held, at);
                    kept.put((&transfer.value, transfer.microbatch), held);
                }
                Event::Transfer(_) => {}
            }
            last.iter().for_each(|key| kept.free(key));
        }
        peak
    }

    /// Bytes by slot during an event of a group's row, or before the first one.
    fn held_during(&self, group: usize, during: Option<usize>) -> BTreeMap<Slot, u64> {
        let (mut held, known) = (self.always(group), self.known_in(group));
        let mut kept: BTreeMap<Key<'_>, (Slot, u64)> = BTreeMap::new();
        let count = during.map_or(0, |during| during + 1);
        let events = self.row(group).iter().zip(self.last_reads(group)).take(count);
        for (at, (event, last)) in events.enumerate() {
            match event {
                Event::Action(_) if at + 1 == count => break,
                Event::Action(action) => {
                    let Some(program) = self.programs.get(&action.program) else { continue };
                    if !is_optimistic(action.program) {
                        held.extend(self.not_written_over(action.program));
                    }
                    for (value, bytes) in stashed(program) {
                        kept.insert((value, action.microbatch), (Slot::Stash(value.to_owned()), bytes));
                    }
                }
                Event::Transfer(transfer) if transfer.target == group => {
                    let bytes = known.get(transfer.value.as_str()).map_or(0, |held| bytes(*held));
                    let slot = Slot::Received(transfer.value.clone());
                    kept.insert((&transfer.value, transfer.microbatch), (slot, bytes));
                }
                Event::Transfer(_) => {}
            }
            if at + 1 < count {
                last.iter().for_each(|key| drop(kept.remove(key)));
            }
        }
        let mut all = BTreeMap::new();
        for (slot, bytes) in held.into_iter().chain(kept.into_values()) {
            *all.entry(slot).or_default() += bytes;
        }
        all
    }

    /// Results of the step that a program gives in another place than that of what they replace, with their bytes.
    fn not_written_over(&self, id: ProgramId) -> Vec<(Slot, u64)> {
        let Some(program) = self.programs.get(&id) else { return Vec::new() };
        let written_over: BTreeSet<i64> = program.device.program.main().map_or_else(BTreeSet::new, |main| {
            let attributes = main.arg_attributes.iter();
            attributes.filter_map(|own| own.get("tf.aliasing_output")?.as_int()).collect()
        });
        let given = program.given().enumerate();
        let own = given.filter(|(place, (slot, _))| {
            matches!(slot, Slot::Result(_)) && !written_over.contains(&(*place as i64))
        });
        own.map(|(_, (slot, held))| (slot.clone(), bytes(held))).collect()
    }

    /// What is there through the whole step: arguments, each form of each once, accumulators, and results of an optimistic
    /// update.
    fn always(&self, group: usize) -> Vec<(Slot, u64)> {
        let mut arguments: BTreeMap<StepPart, Vec<Held<'_>>> = BTreeMap::new();
        let mut there: BTreeMap<&Slot, u64> = BTreeMap::new();
        for (_, program) in self.of_group(group) {
            for (slot, held) in program.slots() {
                match slot {
                    Slot::Argument(part) => {
                        let forms = arguments.entry(*part).or_default();
                        if !forms.contains(&held) {
                            forms.push(held);
                            *there.entry(slot).or_default() += bytes(held);
                        }
                    }
                    Slot::Accumulator(_) => {
                        there.insert(slot, bytes(held));
                    }
                    _ => {}
                }
            }
        }
        let mut there: Vec<(Slot, u64)> =
            there.into_iter().map(|(slot, bytes)| (slot.clone(), bytes)).collect();
        let optimistic = self.of_group(group).map(|(id, _)| id).filter(|id| is_optimistic(*id));
        there.extend(optimistic.flat_map(|id| self.not_written_over(id)));
        there
    }

    fn row(&self, group: usize) -> &[Event] {
        self.schedule.rows.get(group).map_or(&[], Vec::as_slice)
    }
}

/// Whether a program is an update that is validated behind it.
fn is_optimistic(id: ProgramId) -> bool {
    id.phase == Phase::Optimistic
}

/// Bytes of all slots together.
fn total(slots: &[(Slot, u64)]) -> u64 {
    slots.iter().map(|(_, bytes)| bytes).sum()
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
