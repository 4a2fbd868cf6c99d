//! Results of a step: each is given once, whole or layer by layer.

use crate::device_programs::{DevicePrograms, Slot, StepPart};
use crate::schedule::{Phase, ProgramId};
use std::collections::BTreeMap;

/// Results of the step that nothing gives, or several give.
pub(crate) fn results(programs: &DevicePrograms, found: &mut Vec<String>) {
    let mut givers: BTreeMap<StepPart, Vec<ProgramId>> = BTreeMap::new();
    // What is made again is made of what has been made.
    let once = programs.programs.iter().filter(|(id, _)| id.phase != Phase::Redo);
    for (id, program) in once {
        for slot in &program.gives {
            if let Slot::Result(part) = slot {
                givers.entry(*part).or_default().push(*id);
            }
        }
    }
    for (index, ty) in programs.results.iter().enumerate() {
        let whole = StepPart::whole(index);
        let has_layers = givers.keys().any(|part| part.index == index && part.layer.is_some());
        if has_layers && givers.contains_key(&whole) {
            found.push(format!("result {index} is given whole and in layers"));
            continue;
        }
        let layers = ty.as_tensor().and_then(|ty| ty.shape.first()).filter(|_| has_layers);
        let parts = match layers {
            None => 0..1,
            Some(layers) => 0..*layers,
        };
        let part = |layer| StepPart { index, layer: layers.map(|_| layer) };
        // Of many layers that are wrong the first one is said.
        found.extend(parts.map(part).find_map(|part| wrong(programs, &givers, part)));
    }
}

/// What is wrong with who gives a result, or a layer of one.
fn wrong(
    programs: &DevicePrograms,
    givers: &BTreeMap<StepPart, Vec<ProgramId>>,
    part: StepPart,
) -> Option<String> {
    match givers.get(&part).map(Vec::as_slice) {
        None | Some([]) => Some(format!("nothing gives result {part}")),
        Some([id]) if id.phase.is_of_microbatch() && programs.num_microbatches != 1 => {
            Some(format!("program `{id}` gives result {part} for each microbatch"))
        }
        Some([first, second, ..]) => Some(format!("result {part} is given by `{first}` and by `{second}`")),
        Some(_) => None,
    }
}
