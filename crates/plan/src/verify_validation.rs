//! Rules of optimistic updates: each is validated, and made again where it does not stand.
//!
//! Input: device programs. Output: what is wrong with them, in words.

use crate::device_programs::{DevicePrograms, Slot};
use crate::schedule::{Event, Phase, ProgramId};

/// Adds what is wrong with optimistic updates: phases that are missing or come too early, results that are not made again.
pub(crate) fn validations(programs: &DevicePrograms, found: &mut Vec<String>) {
    let of_phase = |phase: Phase| programs.programs.iter().filter(move |(id, _)| id.phase == phase);
    for (id, redo) in of_phase(Phase::Redo) {
        let first = ProgramId { phase: Phase::Optimistic, ..*id };
        let gives: Vec<&Slot> = redo.gives.iter().collect();
        let made = programs.programs.get(&first).map(|first| first.gives.iter().collect::<Vec<&Slot>>());
        if made.as_ref() != Some(&gives) {
            found.push(format!("program `{id}` does not give what `{first}` gives"));
        }
    }
    for (id, _) in of_phase(Phase::Optimistic) {
        let others = [Phase::Validation, Phase::Redo].map(|phase| ProgramId { phase, ..*id });
        if let Some(missing) = others.iter().find(|other| !programs.programs.contains_key(other)) {
            found.push(format!("program `{id}` is optimistic, but there is no program `{missing}`"));
            continue;
        }
        let row = programs.stages.get(id.stage).and_then(|group| programs.schedule.rows.get(*group));
        let place = |id: ProgramId| {
            let is_own = |event: &Event| matches!(event, Event::Action(action) if action.program == id);
            row.and_then(|row| row.iter().position(is_own))
        };
        let [validation, redo] = others;
        if !(place(*id) < place(validation) && place(validation) < place(redo)) {
            found.push(format!("`{id}`, `{validation}` and `{redo}` are not in this order"));
        }
    }
    for (id, validation) in of_phase(Phase::Validation) {
        if !validation.gives.contains(&Slot::Valid) {
            found.push(format!("program `{id}` does not give `{}`", Slot::Valid));
        }
    }
}
