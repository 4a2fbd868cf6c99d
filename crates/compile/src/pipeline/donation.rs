//! What programs of stages write over.
//!
//! Input: the pieces of a step, or their programs. Output: the same, with what they take for the last time tied to what takes
//! its place: an accumulator to what it becomes, and state to what it is in the next step.

use meshwright_plan::{DeviceProgram, DevicePrograms, Event, ProgramId, Slot, StepPart};
use meshwright_stage::pieces::{self, Copies};
use meshwright_stage::{Piece, Port, Staged, Step};
use meshwright_transform::order::early_updates;
use std::collections::BTreeMap;

use super::cut::Cut;
use super::lower::MAIN;

/// The pieces of a step. A stage takes its state for the last time in its last round of the update that reads it.
pub(super) fn donating_pieces(cut: &Cut, step: &Step<'_>, staged: &Staged, copies: Copies) -> Vec<Piece> {
    let mut pieces = pieces::pieces(step, staged, copies);
    let phases = staged.update.phases();
    let last = last_rounds(&pieces, |id| phases.iter().position(|phase| *phase == id.phase));
    for piece in &mut pieces {
        let place = |port: &Port| match port {
            Port::Accumulator(_) => Some(*port),
            Port::Argument(index) if last.get(&(piece.id.stage, *index)) == Some(&piece.id) => {
                next(cut, *index).map(Port::Result)
            }
            _ => None,
        };
        let places: Vec<Option<usize>> = piece
            .takes
            .iter()
            .map(|port| place(port).and_then(|place| piece.gives.iter().position(|given| *given == place)))
            .collect();
        for (argument, place) in places.into_iter().enumerate() {
            piece.function.donate(argument, place);
        }
        // The sum of a gradient over devices is no accumulator, and waits for nothing but its own update.
        if piece.id.phase.is_of_update() {
            piece.function = early_updates(&piece.function);
        }
    }
    pieces
}

/// For each stage and argument of the step the piece of the last round of the update that takes it.
fn last_rounds(
    pieces: &[Piece],
    round: impl Fn(ProgramId) -> Option<usize>,
) -> BTreeMap<(usize, usize), ProgramId> {
    let mut last: BTreeMap<(usize, usize), (usize, ProgramId)> = BTreeMap::new();
    for piece in pieces {
        let Some(round) = round(piece.id) else { continue };
        for port in &piece.takes {
            if let Port::Argument(index) = port {
                let known = last.entry((piece.id.stage, *index)).or_insert((round, piece.id));
                *known = (*known).max((round, piece.id));
            }
        }
    }
    last.into_iter().map(|(key, (_, id))| (key, id)).collect()
}

/// The result that takes the place of an argument in the next step, if it is state of the step itself: those of earlier steps
/// stand behind all others.
pub(super) fn next(cut: &Cut, argument: usize) -> Option<usize> {
    (argument < cut.parts.arguments.len()).then(|| cut.next(argument)).flatten()
}

/// Ties what programs take for the last time in the rows of their schedule to what they give.
pub(super) fn donate(programs: &mut DevicePrograms, cut: &Cut) {
    let last = last_takers(programs);
    for (id, program) in &mut programs.programs {
        let place = |slot: &Slot| match slot {
            Slot::Accumulator(_) => Some(slot.clone()),
            Slot::Argument(part) if last.get(&(programs.stages[id.stage], *part)) == Some(id) => {
                next(cut, part.index).map(StepPart::whole).map(Slot::Result)
            }
            _ => None,
        };
        let places = program.takes.iter().map(|slot| {
            let place = place(slot)?;
            program.gives.iter().position(|given| *given == place)
        });
        let places: Vec<Option<usize>> = places.collect();
        let DeviceProgram { program: code, arguments, results, .. } = &mut program.device;
        let Some(main) = code.functions.iter_mut().find(|function| function.name == MAIN) else { continue };
        for (index, place) in places.into_iter().enumerate() {
            main.donate(index, place.filter(|place| arguments[index] == results[*place]));
        }
    }
}

/// The program by which a group takes each argument of the step for the last time.
fn last_takers(programs: &DevicePrograms) -> BTreeMap<(usize, StepPart), ProgramId> {
    let mut last = BTreeMap::new();
    for (group, row) in programs.schedule.rows.iter().enumerate() {
        for event in row {
            let Event::Action(action) = event else { continue };
            for slot in programs.programs.get(&action.program).map_or(&[][..], |program| &program.takes) {
                if let Slot::Argument(part) = slot {
                    last.insert((group, *part), action.program);
                }
            }
        }
    }
    last
}
