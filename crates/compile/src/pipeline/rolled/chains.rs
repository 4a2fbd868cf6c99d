//! Which slots of a stage are layers of one stack.
//!
//! Layers of the step's arguments and results follow one another by their numbers; what programs hand to one another does so
//! where the turns of a loop read it: if one reads `v20` and the next one `v31`, then `v31` stands behind `v20`.

use meshwright_ir::sharding::{DimSharding, Sharding};
use meshwright_plan::{Layers, ProgramId, Slot, StepPart};
use meshwright_tensor::types::Type;
use meshwright_transform::rolled::Way;
use std::collections::{BTreeMap, BTreeSet};

use super::Stage;

/// Slots that are layers of one stack.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    /// The layers, the first one first.
    pub(super) slots: Vec<Slot>,
    /// The slot of the stack.
    pub(super) stack: Slot,
    pub(super) way: Way,
    /// The programs that make the stack of what they have, if it is none of the step's nor an accumulator.
    makers: BTreeSet<ProgramId>,
    /// The layers that these make.
    made: BTreeSet<Slot>,
    /// Layers that others read by themselves.
    pub(super) kept: BTreeSet<Slot>,
}

impl Chain {
    /// Whether a program that takes these slots takes the stack in the place of layers.
    pub(super) fn is_taken_by(&self, id: ProgramId, takes: &[Slot]) -> bool {
        self.makers.is_empty()
            || !self.makers.contains(&id) && takes.iter().any(|slot| self.made.contains(slot))
    }

    /// How the stack is held, by how a layer is.
    pub(super) fn held(&self, (ty, sharding): &(Type, Sharding)) -> (Type, Sharding) {
        let count = self.slots.len();
        let ty = ty.as_tensor().map_or_else(|| ty.clone(), |ty| self.way.stack(ty, count).into());
        let mut sharding = sharding.clone();
        if self.way == Way::InFront {
            sharding.dims.insert(0, DimSharding::default());
        }
        (ty, sharding)
    }
}

/// Layers of the step's arguments and results that a stage, in all its copies, takes and gives: all that it has of each, if no
/// other stage takes them, and if what an argument becomes is given in the same layers.
pub(super) fn ranges(stage: Stage<'_>, next: &dyn Fn(usize) -> Option<usize>) -> Vec<Chain> {
    let mut taken: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    let mut given: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (_, program) in stage.of_copies() {
        for slot in &program.takes {
            if let Some((index, layer)) = argument(slot) {
                taken.entry(index).or_default().insert(layer);
            }
        }
        for slot in &program.gives {
            if let Some((index, layer)) = result(slot) {
                given.entry(index).or_default().insert(layer);
            }
        }
    }
    let is_taken_elsewhere = |index: usize, layers: &BTreeSet<usize>| {
        let others = stage.programs.programs.iter().filter(|(id, _)| !stage.is_copy(**id));
        let mut slots = others.flat_map(|(_, program)| &program.takes).filter_map(argument);
        slots.any(|(other, layer)| other == index && layers.contains(&layer))
    };
    let chain = |slot: fn(StepPart) -> Slot, index: usize, layers: &BTreeSet<usize>| {
        let first = *layers.first()?;
        let is_range = layers.len() > 1 && layers.last() == Some(&(first + layers.len() - 1));
        let slots: Vec<Slot> = layers.iter().map(|layer| slot(StepPart::layer(index, *layer))).collect();
        let is_whole = is_range && are_held_alike(stage, &slots, true) && are_given_together(stage, &slots);
        let range = Layers { first, count: layers.len() };
        is_whole.then(|| Chain {
            slots,
            stack: slot(StepPart { index, layers: Some(range) }),
            way: Way::Along,
            makers: BTreeSet::new(),
            made: BTreeSet::new(),
            kept: BTreeSet::new(),
        })
    };
    let mut chains = Vec::new();
    let mut of_state = BTreeSet::new();
    for (index, layers) in &taken {
        let becomes = next(*index);
        of_state.extend(becomes);
        let own = chain(Slot::Argument, *index, layers).filter(|_| !is_taken_elsewhere(*index, layers));
        let Some(own) = own else { continue };
        match becomes {
            None => chains.push(own),
            Some(result) => {
                let other = given.get(&result).filter(|given| *given == layers);
                if let Some(other) = other.and_then(|layers| chain(Slot::Result, result, layers)) {
                    chains.extend([own, other]);
                }
            }
        }
    }
    let others = given.iter().filter(|(index, _)| !of_state.contains(index));
    chains.extend(others.filter_map(|(index, layers)| chain(Slot::Result, *index, layers)));
    chains
}

/// All chains of a stage: layers of the step, and those of what programs hand to one another, in stacks that turns of loops
/// read (`tuples`).
pub(super) fn chains(stage: Stage<'_>, ranges: Vec<Chain>, tuples: &[Vec<Slot>]) -> Vec<Chain> {
    let (mut next, mut before): (BTreeMap<&Slot, &Slot>, BTreeMap<&Slot, &Slot>) = Default::default();
    let is_own = |slot: &&Slot| match slot {
        Slot::Stash(_) | Slot::Received(_) => true,
        Slot::Accumulator(name) => !stage.is_known_elsewhere(name),
        _ => false,
    };
    for tuple in tuples.iter().filter(|tuple| tuple.iter().all(|slot| is_own(&slot))) {
        let fits = tuple.windows(2).all(|pair| {
            next.get(&pair[0]).is_none_or(|known| **known == pair[1])
                && before.get(&pair[1]).is_none_or(|known| **known == pair[0])
                && pair[0] != pair[1]
        });
        if fits {
            for pair in tuple.windows(2) {
                next.insert(&pair[0], &pair[1]);
                before.insert(&pair[1], &pair[0]);
            }
        }
    }
    let mut chains = ranges;
    for first in next.keys().filter(|slot| !before.contains_key(*slot)) {
        let mut slots = vec![(*first).clone()];
        while let Some(slot) = next.get(&slots[slots.len() - 1]) {
            slots.push((*slot).clone());
        }
        chains.extend(chain(stage, slots));
    }
    chains
}

/// The chain of slots that programs hand to one another, as far as one program has all of it.
fn chain(stage: Stage<'_>, mut slots: Vec<Slot>) -> Option<Chain> {
    let is_made = |slot: &Slot| {
        matches!(slot, Slot::Stash(_)) && stage.own().any(|(_, program)| program.gives.contains(slot))
    };
    let mut makers = BTreeSet::new();
    if !slots.iter().all(|slot| matches!(slot, Slot::Accumulator(_))) {
        let has = |id: &ProgramId, slot: &Slot| {
            let program = &stage.programs.programs[id];
            program.gives.contains(slot) || program.takes.contains(slot)
        };
        loop {
            let gives = |slots: &[Slot], id: ProgramId| {
                slots.iter().any(|slot| stage.programs.programs[&id].gives.contains(slot))
            };
            makers = stage.own().map(|(id, _)| id).filter(|id| gives(&slots, *id)).collect();
            let count = slots.len();
            slots.retain(|slot| makers.iter().all(|id| has(id, slot)));
            if makers.is_empty() || !slots.iter().any(is_made) {
                return None;
            }
            if slots.len() == count {
                break;
            }
        }
    }
    if slots.len() < 2 || !are_held_alike(stage, &slots, false) {
        return None;
    }
    let stack = match slots.iter().find(|slot| is_made(slot)).unwrap_or(&slots[0]) {
        Slot::Stash(first) => {
            let last = slots.iter().rev().find(|slot| is_made(slot)).and_then(Slot::value);
            Slot::Stash(format!("{first}..{}", last.unwrap_or_default()))
        }
        first => first.clone(),
    };
    let is_kept =
        |slot: &&Slot| is_made(slot) && slot.value().is_some_and(|name| stage.is_known_elsewhere(name));
    let kept = slots.iter().filter(is_kept).cloned().collect();
    let made = slots.iter().filter(|slot| is_made(slot)).cloned().collect();
    Some(Chain { stack, way: Way::InFront, makers, made, kept, slots })
}

fn argument(slot: &Slot) -> Option<(usize, usize)> {
    match slot {
        Slot::Argument(part) => Some((part.index, part.as_layer()?)),
        _ => None,
    }
}

fn result(slot: &Slot) -> Option<(usize, usize)> {
    match slot {
        Slot::Result(part) => Some((part.index, part.as_layer()?)),
        _ => None,
    }
}

/// Whether the programs of a stage hold all of these slots in one type and sharding, where wanted whole along their first dim.
fn are_held_alike(stage: Stage<'_>, slots: &[Slot], is_first_whole: bool) -> bool {
    let mut known = None;
    for (_, program) in stage.of_copies() {
        for (slot, held) in program.slots() {
            if !slots.contains(slot) {
                continue;
            }
            let is_whole = held.sharding.dims.first().is_some_and(|dim| dim.axes.is_empty());
            if held.ty.as_tensor().is_none() || is_first_whole && !is_whole {
                return false;
            }
            let (ty, sharding) = *known.get_or_insert((held.ty, held.sharding));
            if ty != held.ty || sharding != held.sharding {
                return false;
            }
        }
    }
    true
}

/// Whether each program that gives one of these slots gives all of them.
fn are_given_together(stage: Stage<'_>, slots: &[Slot]) -> bool {
    stage.own().all(|(_, program)| {
        let count = slots.iter().filter(|slot| program.gives.contains(slot)).count();
        count == 0 || count == slots.len()
    })
}
