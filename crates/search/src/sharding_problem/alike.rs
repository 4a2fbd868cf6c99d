//! Which tensors and instructions are decided together: those whose surroundings are alike.
//!
//! Input: a prepared function. Output: a class for every slot and every instruction. Two are of one class if they are
//! alike themselves (shape, op, part in fusion, how often they run, what is fixed of them) and so is
//! everything within a few steps of them: what they read, who reads them, at which position. Layers of a model repeat
//! such surroundings, whether they are written out or not, so a model of a hundred layers has little more classes than
//! one of ten. Refinement of colors, after Weisfeiler and Leman, stopped early on purpose.

use meshwright_shard::{Prepared, Slot, Tie};
use rustc_hash::FxHashMap;

/// How far surroundings are looked at.
const STEPS: usize = 5;

/// What has no class: slots and instructions about which nothing is to be decided.
pub(super) const NONE: u32 = u32::MAX;

/// Classes, numbered by their first members.
pub(super) struct Alike {
    pub(super) of_slot: Vec<u32>,
    pub(super) of_inst: Vec<u32>,
    pub(super) num_slots: usize,
    pub(super) num_insts: usize,
}

/// Sorts slots and instructions (by position in the order) into classes. Slots and instructions of color [`NONE`] are left
/// out; `joined` slots are of one class with their leader.
pub(super) fn alike(
    prepared: &Prepared,
    ties: &[Tie],
    joined: &[Slot],
    mut slots: Vec<u32>,
    mut insts: Vec<u32>,
) -> Alike {
    let mut readers: Vec<Vec<(usize, usize)>> = vec![Vec::new(); slots.len()];
    for position in 0..insts.len() {
        if insts[position] != NONE {
            for (tensor, slot) in prepared.inst_slots(position).iter().enumerate() {
                readers[joined[*slot]].push((position, tensor));
            }
        }
    }
    let mut tied: Vec<Vec<(Slot, u32)>> = vec![Vec::new(); slots.len()];
    for tie in ties {
        let (from, to) = (joined[tie.from], joined[tie.to]);
        if from != to && slots[from] != NONE && slots[to] != NONE {
            tied[from].push((to, 0));
            tied[to].push((from, 1));
        }
    }
    for _ in 0..STEPS {
        let key = |position: usize| {
            let touched = prepared.inst_slots(position).iter().map(|slot| slots[joined[*slot]]);
            [insts[position]].into_iter().chain(touched).collect()
        };
        insts = renumbered(&insts, key);
        let key = |slot: Slot| {
            let own = readers[slot].iter().map(|(position, tensor)| [insts[*position], *tensor as u32, 0]);
            let ties = tied[slot].iter().map(|(other, side)| [slots[*other], *side, 1]);
            let mut around: Vec<[u32; 3]> = own.chain(ties).collect();
            around.sort_unstable();
            [slots[slot]].into_iter().chain(around.into_iter().flatten()).collect()
        };
        slots = renumbered(&slots, key);
    }
    for slot in 0..slots.len() {
        slots[slot] = slots[joined[slot]];
    }
    let count = |classes: &mut [u32]| {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        for class in classes.iter_mut().filter(|class| **class != NONE) {
            let next = numbers.len() as u32;
            *class = *numbers.entry(*class).or_insert(next);
        }
        numbers.len()
    };
    let (num_slots, num_insts) = (count(&mut slots), count(&mut insts));
    Alike { of_slot: slots, of_inst: insts, num_slots, num_insts }
}

/// New colors: equal where the keys are.
fn renumbered(colors: &[u32], key: impl Fn(usize) -> Vec<u32>) -> Vec<u32> {
    let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
    let new = |index: usize| {
        if colors[index] == NONE {
            return NONE;
        }
        let next = numbers.len() as u32;
        *numbers.entry(key(index)).or_insert(next)
    };
    (0..colors.len()).map(new).collect()
}
