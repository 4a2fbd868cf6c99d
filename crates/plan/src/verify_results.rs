//! Results of a step: each is given once, whole or layer by layer.

use crate::device_programs::{DevicePrograms, Layers, Slot, StepPart};
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
        let parts: Vec<Layers> =
            givers.keys().filter(|part| part.index == index).filter_map(|part| part.layers).collect();
        if parts.is_empty() {
            found.extend(wrong(programs, &givers, whole));
            continue;
        }
        if givers.contains_key(&whole) {
            found.push(format!("result {index} is given whole and in layers"));
            continue;
        }
        let count = ty.as_tensor().and_then(|ty| ty.shape.first()).copied().unwrap_or(0);
        // Of many layers that are wrong the first one is said.
        found.extend(in_layers(programs, &givers, index, &parts, count));
    }
}

/// What is wrong with the layers of a result, which are in this order: each is given once.
fn in_layers(
    programs: &DevicePrograms,
    givers: &BTreeMap<StepPart, Vec<ProgramId>>,
    index: usize,
    parts: &[Layers],
    count: usize,
) -> Option<String> {
    let mut next = 0;
    for own in parts {
        if own.first > next {
            break;
        }
        if own.first < next {
            return Some(format!("result {} is given twice", StepPart::layer(index, own.first)));
        }
        if let Some(why) = wrong(programs, givers, StepPart { index, layers: Some(*own) }) {
            return Some(why);
        }
        next = own.end();
    }
    (next < count).then(|| format!("nothing gives result {}", StepPart::layer(index, next)))
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
