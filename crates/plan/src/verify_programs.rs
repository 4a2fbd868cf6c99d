//! Checks the programs of all devices and their schedule. What it checks:
//!
//! - M1: there is a microbatch; copies of stages are complete; groups have a mesh of their devices' number, no device is in two of them, each stage has a group, and each
//!   program is of a stage and over its group's mesh;
//! - M2: slots are as many as arguments and results, of the right kind, and a value has one global type everywhere and
//!   one sharding in a group, and is there received, made or accumulated, not two of these; who adds to an accumulator
//!   takes it too;
//! - M3: each event stands in the row of its group, and stands there once: an action for each stage, phase and
//!   microbatch of which there is a program (one program of both gradients instead of two of one each is the same, and so
//!   is that of another copy of the stage); a
//!   transfer in the rows of two groups that both know its value; each result of the step is given once;
//! - M4: rows are parts of one order in which a transfer is one event of both groups, so that none waits forever;
//! - M5: what an event reads is there: received before, made before, gathered by all that add to it;
//! - M6: an optimistic update is validated and can be made again: each stage that has one has all three phases, in this order,
//!   and what it makes is made again;
//! - M7: what groups that hold a value otherwise send to one another is all of it, once.

use crate::cross_mesh::ways;
use crate::device_programs::{DevicePrograms, Held, PhaseProgram, Slot, StepPart};
use crate::schedule::{Action, Event, Phase, ProgramId, Transfer};
use crate::schedule_text::SCHEDULE;
use crate::verify_results;
use crate::verify_validation::validations;
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::mem::discriminant;

/// Programs do not go with their groups or with each other.
pub const DEVICE_PROGRAMS: Check = Check("device-programs");

/// Adds a message for each place where it is broken.
type Rule = fn(&DevicePrograms, &mut Vec<String>);

impl DevicePrograms {
    /// Checks programs and schedule.
    ///
    /// # Errors
    /// The rules that are broken; those on which others rest come first, and alone.
    pub fn verify(&self) -> Result<(), Diagnostics> {
        let rules: [(Check, Rule); 7] = [
            (DEVICE_PROGRAMS, groups),
            (DEVICE_PROGRAMS, slots),
            (SCHEDULE, events),
            (SCHEDULE, order),
            (SCHEDULE, reads),
            (DEVICE_PROGRAMS, validations),
            (DEVICE_PROGRAMS, ways),
        ];
        for (check, rule) in rules {
            let mut found = Vec::new();
            rule(self, &mut found);
            if !found.is_empty() {
                let diagnostic = |message| Diagnostic::error(check, Span::NONE, message);
                return Err(found.into_iter().map(diagnostic).collect());
            }
        }
        Ok(())
    }
}

/// M1.
fn groups(programs: &DevicePrograms, found: &mut Vec<String>) {
    if programs.num_microbatches == 0 {
        found.push("a step has at least one microbatch".to_owned());
    }
    if programs.copies == 0 || !programs.stages.len().is_multiple_of(programs.copies) {
        let (stages, copies) = (programs.stages.len(), programs.copies);
        found.push(format!("{stages} stages are not {copies} copies of some"));
    }
    let mut owners = BTreeMap::new();
    for (index, group) in programs.groups.iter().enumerate() {
        let (devices, mesh) = (group.devices.len(), group.mesh.num_devices());
        if devices != mesh {
            found
                .push(format!("group {index} has {devices} devices, but its mesh {} has {mesh}", group.mesh));
        }
        for device in &group.devices {
            if let Some(other) = owners.insert(*device, index) {
                found.push(format!("device {device} is in group {index} and in group {other}"));
            }
        }
    }
    for (stage, group) in programs.stages.iter().enumerate() {
        if *group >= programs.groups.len() {
            found.push(format!("stage {stage} is on group {group}, which there is not"));
        }
    }
    for (id, program) in &programs.programs {
        let group = programs.stages.get(id.stage).and_then(|group| programs.groups.get(*group));
        match group {
            None => found.push(format!("program `{id}` is of stage {}, which there is not", id.stage)),
            Some(group) if !group.mesh.is_like(&program.device.mesh) => found.push(format!(
                "program `{id}` is made for the mesh {}, but its group has {}",
                program.device.mesh, group.mesh
            )),
            Some(_) => {}
        }
    }
}

/// M2.
fn slots(programs: &DevicePrograms, found: &mut Vec<String>) {
    let mut types: BTreeMap<&str, (&Type, String)> = BTreeMap::new();
    let mut shardings: BTreeMap<(usize, &str), (Held<'_>, ProgramId)> = BTreeMap::new();
    let mut kinds: BTreeMap<(usize, &str), (&Slot, ProgramId)> = BTreeMap::new();
    for (id, program) in &programs.programs {
        own_slots(programs, *id, program, found);
        for (slot, held) in program.slots() {
            let Some(value) = slot.value() else { continue };
            let place = format!("`{id}` ({slot})");
            let (ty, first) = types.entry(value).or_insert((held.ty, place.clone()));
            if *ty != held.ty {
                found.push(format!("`{value}` is a {ty} in program {first}, but a {} in {place}", held.ty));
                continue;
            }
            let group = programs.stages[id.stage];
            let (kind, owner) = *kinds.entry((group, value)).or_insert((slot, *id));
            if discriminant(kind) != discriminant(slot) {
                found.push(format!(
                    "`{value}` is another kind of value in {place} than in `{owner}` ({kind})"
                ));
            }
            let (other, owner) = shardings.entry((group, value)).or_insert((held, *id));
            if (other.sharding, other.mesh.device_ids()) != (held.sharding, held.mesh.device_ids()) {
                found.push(format!("`{value}` is sharded otherwise in program `{owner}` than in {place}"));
            }
        }
    }
}

/// The rules of M2 about one program.
fn own_slots(programs: &DevicePrograms, id: ProgramId, program: &PhaseProgram, found: &mut Vec<String>) {
    let device = &program.device;
    let counts = [
        ("arguments", device.arguments.len(), program.takes.len()),
        ("results", device.results.len(), program.gives.len()),
    ];
    for (what, there, slots) in counts.into_iter().filter(|(_, there, slots)| there != slots) {
        found.push(format!("program `{id}` has {there} {what}, but slots for {slots}"));
    }
    let scalar = |element| Type::Tensor(TensorType::new([], element));
    let (number, flag) = (scalar(ElementType::I32), scalar(ElementType::I1));
    for (slot, held) in program.taken() {
        let expected = match slot {
            Slot::Argument(part) => of_step(&programs.arguments, *part),
            Slot::Microbatch => Some(number.clone()).filter(|_| id.phase.is_of_microbatch()),
            Slot::Result(_) | Slot::Valid => None,
            Slot::Accumulator(value) if !programs.accumulators.contains_key(value) => None,
            Slot::Received(_) | Slot::Stash(_) | Slot::Accumulator(_) => continue,
        };
        wrong_type(id, "take", slot, held.ty, expected.as_ref(), found);
    }
    for (slot, held) in program.given() {
        let expected = match slot {
            Slot::Result(part) => of_step(&programs.results, *part),
            Slot::Accumulator(_) if !program.takes.contains(slot) => {
                found.push(format!("program `{id}` gives `{slot}`, but does not take it"));
                continue;
            }
            Slot::Valid => Some(flag.clone()).filter(|_| id.phase == Phase::Validation),
            Slot::Argument(_) | Slot::Microbatch | Slot::Received(_) => None,
            Slot::Stash(_) | Slot::Accumulator(_) => continue,
        };
        wrong_type(id, "give", slot, held.ty, expected.as_ref(), found);
    }
}

/// The type of an argument or a result of the step, or of a layer of it.
fn of_step(types: &[Type], part: StepPart) -> Option<Type> {
    types.get(part.index).and_then(|ty| part.of_type(ty))
}

fn wrong_type(
    id: ProgramId,
    verb: &str,
    slot: &Slot,
    ty: &Type,
    expected: Option<&Type>,
    found: &mut Vec<String>,
) {
    match expected {
        None => found.push(format!("program `{id}` cannot {verb} `{slot}`")),
        Some(expected) if expected != ty => {
            found.push(format!("program `{id}` {verb}s `{slot}` as a {ty}, but it is a {expected}"));
        }
        Some(_) => {}
    }
}

/// M3.
fn events(programs: &DevicePrograms, found: &mut Vec<String>) {
    let (rows, groups) = (programs.schedule.rows.len(), programs.groups.len());
    if rows != groups {
        found.push(format!("the schedule has {rows} rows, but there are {groups} groups"));
        return;
    }
    let mut counts: BTreeMap<(&Event, usize), usize> = BTreeMap::new();
    for (group, row) in programs.schedule.rows.iter().enumerate() {
        for event in row {
            *counts.entry((event, group)).or_default() += 1;
        }
    }
    let known: Vec<BTreeMap<&str, Held<'_>>> = (0..groups).map(|group| programs.known_in(group)).collect();
    for ((event, group), count) in &counts {
        let wrong = match event {
            Event::Action(action) => misplaced_action(programs, action, *group),
            Event::Transfer(transfer) => misplaced_transfer(&known, transfer, *group),
        };
        found.extend(wrong.map(|why| format!("`{event}` in row {group}: {why}")));
        if *count > 1 {
            found.push(format!("`{event}` stands {count} times in row {group}"));
        }
        if let Event::Transfer(transfer) = event {
            let partner = transfer.partner(*group);
            if partner < groups && !counts.contains_key(&(*event, partner)) {
                found.push(format!("`{event}` stands in row {group}, but not in row {partner}"));
            }
        }
    }
    let runs: BTreeSet<Action> = programs.schedule.rows.iter().flatten().filter_map(as_action).collect();
    missing(programs, &runs, found);
    verify_results::results(programs, found);
}

fn as_action(event: &Event) -> Option<Action> {
    match event {
        Event::Action(action) => Some(*action),
        Event::Transfer(_) => None,
    }
}

/// Why an action cannot stand in the row of a group.
fn misplaced_action(programs: &DevicePrograms, action: &Action, group: usize) -> Option<String> {
    let ProgramId { stage, .. } = action.program;
    let Some(own) = programs.stages.get(stage) else { return Some(format!("there is no stage {stage}")) };
    if *own != group {
        return Some(format!("stage {stage} is on group {own}"));
    }
    if !programs.programs.contains_key(&action.program) {
        return Some(format!("there is no program `{}`", action.program));
    }
    let count = programs.num_microbatches;
    action.microbatch.filter(|own| *own >= count).map(|_| format!("a step has {count} microbatches"))
}

/// Why a transfer cannot stand in the row of a group; `known` are the values of each group.
fn misplaced_transfer(
    known: &[BTreeMap<&str, Held<'_>>],
    transfer: &Transfer,
    group: usize,
) -> Option<String> {
    let Transfer { value, source, target, .. } = transfer;
    if source == target {
        return Some("a group hands nothing to itself".to_owned());
    }
    if let Some(other) = [source, target].into_iter().find(|own| **own >= known.len()) {
        return Some(format!("there is no group {other}"));
    }
    if ![source, target].contains(&&group) {
        return Some(format!("it is between groups {source} and {target}"));
    }
    let stranger = [source, target].into_iter().find(|own| !known[**own].contains_key(value.as_str()));
    stranger.map(|own| format!("no program of group {own} knows `{value}`"))
}

/// Actions that no row has, and gradients that are made twice.
fn missing(programs: &DevicePrograms, runs: &BTreeSet<Action>, found: &mut Vec<String>) {
    for id in programs.programs.keys().filter(|id| !id.phase.is_of_microbatch()) {
        let action = Action { program: *id, microbatch: None };
        if !runs.contains(&action) {
            found.push(format!("`{action}` is missing"));
        }
    }
    let is_cut = programs.programs.keys().any(|id| id.phase.is_of_microbatch());
    if is_cut && programs.num_microbatches > runs.len() {
        let (events, count) = (runs.len(), programs.num_microbatches);
        found.push(format!("the schedule has {events} actions, too few for {count} microbatches"));
        return;
    }
    let count = programs.stages.len() / programs.copies.max(1);
    for (stage, microbatch) in
        (0..count).flat_map(|stage| (0..programs.num_microbatches).map(move |at| (stage, at)))
    {
        let copies = || (0..programs.copies).map(|copy| stage + copy * count);
        let actions = |part: Phase| {
            let phases = Phase::OF_MICROBATCH.into_iter().filter(move |phase| phase.parts().contains(&part));
            let actions = phases.flat_map(|phase| {
                copies().map(move |stage| Action {
                    program: ProgramId { stage, phase },
                    microbatch: Some(microbatch),
                })
            });
            actions.filter(|action| programs.programs.contains_key(&action.program))
        };
        for part in [Phase::Prepass, Phase::Forward, Phase::InputGradient, Phase::WeightGradient] {
            let there: Vec<Action> = actions(part).filter(|action| runs.contains(action)).collect();
            match (there.as_slice(), actions(part).next()) {
                ([first, second, ..], _) => found.push(format!("`{first}` and `{second}` do the same")),
                ([], Some(action)) => found.push(format!("`{action}` is missing")),
                _ => {}
            }
        }
    }
    found.dedup();
}

/// M4.
fn order(programs: &DevicePrograms, found: &mut Vec<String>) {
    if let Err(circle) = programs.schedule.linear_order() {
        found.push(format!("the schedule never ends: {circle}"));
    }
}

/// M5.
fn reads(programs: &DevicePrograms, found: &mut Vec<String>) {
    for (group, row) in programs.schedule.rows.iter().enumerate() {
        let mut known =
            Known { programs, group, received: Set::new(), made: Set::new(), sums: BTreeMap::new() };
        for event in row {
            let wrong = match event {
                Event::Action(action) => known.run(action),
                Event::Transfer(transfer) => known.hand(transfer),
            };
            found.extend(wrong.into_iter().map(|why| format!("`{event}` in row {group}: {why}")));
        }
    }
}

/// Values by name and microbatch.
type Set<'a> = BTreeSet<(&'a str, Option<usize>)>;

/// What a group has at a place of its row.
struct Known<'a> {
    programs: &'a DevicePrograms,
    group: usize,
    received: Set<'a>,
    made: Set<'a>,
    /// The accumulators that something was added to, and whether they have been read since.
    sums: BTreeMap<&'a str, Sum>,
}

#[derive(Clone, Copy, PartialEq)]
enum Sum {
    Open,
    Read,
}

impl<'a> Known<'a> {
    /// What is wrong with an action at this place.
    fn run(&mut self, action: &Action) -> Vec<String> {
        let programs = self.programs;
        let Some(program) = programs.programs.get(&action.program) else { return Vec::new() };
        let mut wrong = Vec::new();
        for slot in &program.takes {
            let ready = match slot {
                Slot::Received(value) => has(&self.received, value, action.microbatch),
                Slot::Stash(value) => has(&self.made, value, action.microbatch),
                Slot::Accumulator(_) if program.gives.contains(slot) => true,
                Slot::Accumulator(value) => self.close(value),
                Slot::Argument(_) | Slot::Result(_) | Slot::Microbatch | Slot::Valid => true,
            };
            match slot {
                _ if ready => {}
                Slot::Received(value) => wrong.push(format!("no transfer has brought `{value}` before")),
                slot => wrong.push(format!("nothing has made `{slot}` before")),
            }
        }
        for slot in &program.gives {
            match slot {
                // What is made again takes the place of what was made optimistically.
                Slot::Stash(value)
                    if !self.made.insert((value, action.microbatch))
                        && action.program.phase != Phase::Redo =>
                {
                    wrong.push(format!("`{slot}` has been made before"));
                }
                Slot::Accumulator(value) if self.sums.insert(value, Sum::Open) == Some(Sum::Read) => {
                    wrong.push(format!("it adds to `{slot}`, which has been read before"));
                }
                _ => {}
            }
        }
        wrong
    }

    /// What is wrong with a transfer at this place.
    fn hand(&mut self, transfer: &'a Transfer) -> Vec<String> {
        let Transfer { value, microbatch, source, .. } = transfer;
        let key = (value.as_str(), *microbatch);
        let is_wrong = if *source == self.group {
            let is_here = self.made.contains(&key) || self.received.contains(&key);
            !is_here && (microbatch.is_some() || !self.close(value))
        } else {
            !self.received.insert(key)
        };
        match is_wrong {
            true if *source == self.group => vec![format!("group {source} does not have `{value}` yet")],
            true => vec![format!("`{value}` has been received before")],
            false => Vec::new(),
        }
    }

    /// Reads an accumulator; whether there is something in it.
    fn close(&mut self, value: &str) -> bool {
        self.sums.get_mut(value).map(|sum| *sum = Sum::Read).is_some()
    }
}

/// Whether a value of the microbatch, or of the whole step, is there.
fn has(set: &Set<'_>, value: &str, microbatch: Option<usize>) -> bool {
    set.contains(&(value, microbatch)) || set.contains(&(value, None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device_program::{DeviceProgram, Orders};
    use crate::device_programs::DeviceGroup;
    use crate::schedule::Schedule;
    use meshwright_ir::mesh::{AxisSet, Mesh};
    use meshwright_ir::sharding::{Reduction, Sharding};

    /// A program of scalars with the given slots; the microbatch is a `tensor<i32>`.
    fn program(takes: &str, gives: &str) -> PhaseProgram {
        let slots = |text: &str| -> Vec<Slot> {
            text.split(", ").filter(|slot| !slot.is_empty()).map(|slot| slot.parse().unwrap()).collect()
        };
        let held = |slots: &[Slot]| {
            let held = |slot: &Slot| {
                let element = if *slot == Slot::Microbatch { ElementType::I32 } else { ElementType::F32 };
                (Type::Tensor(TensorType::new([], element)), Sharding::replicated(0))
            };
            slots.iter().map(held).collect::<Vec<_>>()
        };
        let (takes, gives) = (slots(takes), slots(gives));
        let device = DeviceProgram {
            program: Default::default(),
            mesh: Mesh::new("mesh", Vec::new()).unwrap(),
            arguments: held(&takes),
            results: held(&gives),
            manual: AxisSet::EMPTY,
            orders: Orders::default(),
        };
        PhaseProgram { device, takes, gives }
    }

    /// Two stages on a device each, with accumulators.
    fn two_stages(schedule: &str) -> DevicePrograms {
        let phases = [
            (0, Phase::Forward, program("argument 0, microbatch", "stash h")),
            (0, Phase::Backward, program("stash h, received g, accumulator w0", "accumulator w0")),
            (0, Phase::Update(0), program("accumulator w0", "result 0")),
            (1, Phase::Forward, program("received h", "stash y")),
            (1, Phase::Backward, program("stash y, accumulator w1", "stash g, accumulator w1")),
            (1, Phase::Update(0), program("accumulator w1", "result 1")),
        ];
        let scalar = || Type::Tensor(TensorType::new([], ElementType::F32));
        let group =
            |device| DeviceGroup { devices: vec![device], mesh: Mesh::new("mesh", Vec::new()).unwrap() };
        DevicePrograms {
            arguments: vec![scalar()],
            results: vec![scalar(), scalar()],
            groups: vec![group(0), group(1)],
            stages: vec![0, 1],
            copies: 1,
            num_microbatches: 2,
            accumulators: [("w0", Reduction::Sum), ("w1", Reduction::Sum)]
                .map(|(name, sum)| (name.to_owned(), sum))
                .into(),
            programs: phases
                .into_iter()
                .map(|(stage, phase, program)| (ProgramId { stage, phase }, program))
                .collect(),
            schedule: Schedule::from_text(schedule).unwrap(),
        }
    }

    fn problems(programs: &DevicePrograms) -> Vec<String> {
        let found = programs.verify().err().unwrap_or_default();
        found.into_iter().map(|problem| problem.message).collect()
    }

    const ONE_F_ONE_B: &str = "0F0 h:0>1:0 0F1 h:0>1:1 g:1>0:0 0B0 g:1>0:1 0B1 0U0
        h:0>1:0 1F0 1B0 h:0>1:1 g:1>0:0 1F1 1B1 g:1>0:1 1U0";

    /// What is wrong if some text of the schedule is another.
    fn changed(from: &str, to: &str) -> Vec<String> {
        assert!(ONE_F_ONE_B.contains(from));
        problems(&two_stages(&ONE_F_ONE_B.replacen(from, to, 1)))
    }

    #[test]
    fn a_value_is_of_one_kind_in_a_group_and_a_step_has_a_microbatch() {
        let schedule = "0F0 0U0\n1F0 1U0";
        let message = |programs: DevicePrograms| programs.verify().unwrap_err()[0].message.clone();
        let mut programs = two_stages(schedule);
        let id = ProgramId { stage: 1, phase: Phase::Forward };
        programs.programs.insert(id, program("received h", "stash h"));
        assert!(message(programs).contains("`h` is another kind of value"));
        let none = DevicePrograms { num_microbatches: 0, ..two_stages(schedule) };
        assert_eq!(message(none), "a step has at least one microbatch");
    }

    #[test]
    fn arguments_in_another_order_are_no_whole_step() {
        let whole = |takes: &str| {
            let scalar = || Type::Tensor(TensorType::new([], ElementType::F32));
            let whole = DevicePrograms::whole(program("argument 0, argument 1", "result 0").device);
            let programs = BTreeMap::from([(ProgramId::WHOLE, program(takes, "result 0"))]);
            DevicePrograms { arguments: vec![scalar(), scalar()], programs, ..whole }.as_whole().is_some()
        };
        assert!(whole("argument 0, argument 1") && !whole("argument 1, argument 0"));
    }

    #[test]
    fn a_schedule_that_can_run() {
        assert_eq!(problems(&two_stages(ONE_F_ONE_B)), Vec::<String>::new());
        let programs = two_stages(ONE_F_ONE_B);
        let order = programs.schedule.linear_order().unwrap();
        assert_eq!(order.len(), 10 + 4);
    }

    #[test]
    fn events_that_are_missing_repeated_or_misplaced() {
        assert_eq!(changed(" 0B1", ""), ["`0B1` is missing"]);
        assert_eq!(changed(" 0U0", ""), ["`0U0` is missing"]);
        assert_eq!(changed(" 0B1", " 0B1 0B1"), ["`0B1` stands 2 times in row 0"]);
        assert_eq!(changed(" 0B1", " 0B1 1F1"), ["`1F1` in row 0: stage 1 is on group 1"]);
        assert_eq!(changed(" 0B1", " 0B1 0F2"), ["`0F2` in row 0: a step has 2 microbatches"]);
        assert_eq!(changed(" 0B1", " 0B1 0W1"), ["`0W1` in row 0: there is no program `0W`",]);
        assert_eq!(changed("0F0 h:0>1:0", "0F0"), ["`h:0>1:0` stands in row 1, but not in row 0"]);
        let strange = changed("0F0", "x:0>1 h:0>0 h:0>7 0F0");
        assert!(
            strange.contains(&"`h:0>0` in row 0: a group hands nothing to itself".to_owned()),
            "{strange:?}"
        );
        assert!(strange.contains(&"`h:0>7` in row 0: there is no group 7".to_owned()));
        assert!(strange.contains(&"`x:0>1` in row 0: no program of group 0 knows `x`".to_owned()));
        assert_eq!(problems(&two_stages("0F0")), ["the schedule has 1 rows, but there are 2 groups"]);
    }

    #[test]
    fn groups_that_wait_for_each_other() {
        assert_eq!(
            changed("h:0>1:1 g:1>0:0 0B0", "g:1>0:0 0B0 h:0>1:1"),
            [
                "the schedule never ends: group 0 waits at `g:1>0:0` for group 1, group 1 waits at `h:0>1:1` for group 0"
            ]
        );
    }

    #[test]
    fn what_is_read_is_there() {
        let early = |from: &str, to: &str, message: &str| assert_eq!(changed(from, to), [message]);
        early("h:0>1:0 1F0", "1F0 h:0>1:0", "`1F0` in row 1: no transfer has brought `h` before");
        early("0F0 h:0>1:0", "h:0>1:0 0F0", "`h:0>1:0` in row 0: group 0 does not have `h` yet");
        early(
            "0B1 0U0",
            "0U0 0B1",
            "`0B1` in row 0: it adds to `accumulator w0`, which has been read before",
        );
        early("1F1 1B1", "1B1 1F1", "`1B1` in row 1: nothing has made `stash y` before");
    }

    #[test]
    fn values_are_the_same_everywhere() {
        let mut other = two_stages(ONE_F_ONE_B);
        let forward = ProgramId { stage: 1, phase: Phase::Forward };
        let wide = Type::Tensor(TensorType::new([4], ElementType::F32));
        other.programs.get_mut(&forward).unwrap().device.arguments[0] = (wide, Sharding::replicated(1));
        assert_eq!(
            problems(&other),
            ["`h` is a tensor<f32> in program `0F` (stash h), but a tensor<4xf32> in `1F` (received h)"]
        );
        let mut other = two_stages(ONE_F_ONE_B);
        other.programs.get_mut(&forward).unwrap().takes[0] = Slot::Result(StepPart::whole(0));
        assert_eq!(problems(&other), ["program `1F` cannot take `result 0`"]);
        let mut other = two_stages(ONE_F_ONE_B);
        other.groups[1].devices = vec![0];
        assert_eq!(problems(&other), ["device 0 is in group 1 and in group 0"]);
    }

    #[test]
    fn one_program_of_both_gradients_or_two() {
        let mut both = two_stages(&ONE_F_ONE_B.replacen("0B1", "0I1 0W1", 1));
        both.programs.insert(
            ProgramId { stage: 0, phase: Phase::InputGradient },
            program("stash h, received g", "stash i"),
        );
        let weights = program("stash i, accumulator w0", "accumulator w0");
        both.programs.insert(ProgramId { stage: 0, phase: Phase::WeightGradient }, weights);
        assert_eq!(problems(&both), Vec::<String>::new());
        both.schedule = Schedule::from_text(&ONE_F_ONE_B.replacen("0B1", "0B1 0W1", 1)).unwrap();
        assert_eq!(problems(&both), ["`0W1` and `0B1` do the same"]);
    }
}
