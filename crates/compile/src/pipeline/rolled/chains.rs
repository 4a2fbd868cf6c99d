//! Which slots of a stage are layers of one stack.
//!
//! Input: the programs of a stage, and what turns of their loops read. Output: chains of slots, each with the slot of its stack.
//!
//! Layers of the step's arguments and results follow one another by their numbers; what programs hand to one another does so
//! where the turns of a loop read it: if one reads `v20` and the next one `v31`, then `v31` stands behind `v20`.

use meshwright_ir::sharding::{DimSharding, Sharding};
use meshwright_plan::{Layers, ProgramId, Slot, StepPart};
use meshwright_tensor::types::Type;
use meshwright_transform::rolled::Way;
use std::collections::{BTreeMap, BTreeSet};

use super::{Ranks, Stage};

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

/// Layers of the step's arguments and results that a stage, in all its copies, takes and gives, where no other stage takes them,
/// and where what an argument becomes is given in the same layers: those that are held alike as stacks, and the number of each
/// argument that is a layer among those of the stage.
pub(super) fn ranges(stage: Stage<'_>, next: &dyn Fn(usize) -> Option<usize>) -> (Vec<Chain>, Ranks) {
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
    let forms = Forms::of(stage);
    let of_step = |slot: fn(StepPart) -> Slot, index: usize, layers: &[usize]| Chain {
        slots: layers.iter().map(|layer| slot(StepPart::layer(index, *layer))).collect(),
        stack: slot(StepPart { index, layers: Some(Layers { first: layers[0], count: layers.len() }) }),
        way: Way::Along,
        makers: BTreeSet::new(),
        made: BTreeSet::new(),
        kept: BTreeSet::new(),
    };
    let form = |slot: fn(StepPart) -> Slot, index: usize, layer: usize| {
        forms.of_layer(&slot(StepPart::layer(index, layer)))
    };
    let (mut chains, mut ranks) = (Vec::new(), Ranks::new());
    let mut of_state = BTreeSet::new();
    for (index, layers) in &taken {
        let becomes = next(*index);
        of_state.extend(becomes);
        let is_own = becomes.is_none_or(|result| given.get(&result) == Some(layers));
        if !is_own || is_taken_elsewhere(*index, layers) {
            continue;
        }
        for (rank, layer) in layers.iter().enumerate() {
            ranks.insert(Slot::Argument(StepPart::layer(*index, *layer)), rank);
        }
        let own = |layer: &usize| {
            let result = becomes.map(|result| form(Slot::Result, result, *layer));
            Some((form(Slot::Argument, *index, *layer)?, result.map_or(Some(None), |form| form.map(Some))?))
        };
        for range in in_ranges(layers, &own) {
            let result = becomes.map(|result| of_step(Slot::Result, result, &range));
            if result.as_ref().is_none_or(|result| are_given_together(stage, &result.slots)) {
                chains.push(of_step(Slot::Argument, *index, &range));
                chains.extend(result);
            }
        }
    }
    for (index, layers) in given.iter().filter(|(index, _)| !of_state.contains(index)) {
        let ranges = in_ranges(layers, &|layer| form(Slot::Result, *index, *layer));
        let own = ranges.iter().map(|range| of_step(Slot::Result, *index, range));
        chains.extend(own.filter(|own| are_given_together(stage, &own.slots)));
    }
    (chains, ranks)
}

/// Layers that follow one another and have the same of something, as far as there are several.
fn in_ranges<T: PartialEq>(layers: &BTreeSet<usize>, of: &dyn Fn(&usize) -> Option<T>) -> Vec<Vec<usize>> {
    let layers: Vec<usize> = layers.iter().copied().collect();
    let is_next = |one: &usize, other: &usize| one + 1 == *other && of(one).is_some() && of(one) == of(other);
    layers.chunk_by(is_next).filter(|range| range.len() > 1).map(<[usize]>::to_vec).collect()
}

/// Type and sharding of each slot of a stage, in all its copies.
struct Forms<'a>(BTreeMap<&'a Slot, Vec<(&'a Type, &'a Sharding)>>);

impl<'a> Forms<'a> {
    fn of(stage: Stage<'a>) -> Self {
        let mut forms: BTreeMap<&'a Slot, Vec<(&'a Type, &'a Sharding)>> = BTreeMap::new();
        for (slot, held) in stage.of_copies().flat_map(|(_, program)| program.slots()) {
            let own = forms.entry(slot).or_default();
            if !own.contains(&(held.ty, held.sharding)) {
                own.push((held.ty, held.sharding));
            }
        }
        Self(forms)
    }

    /// The form of a slot of a tensor, if it has one.
    fn of_slot(&self, slot: &Slot) -> Option<(&'a Type, &'a Sharding)> {
        match self.0.get(slot)?[..] {
            [(ty, sharding)] if ty.as_tensor().is_some() => Some((ty, sharding)),
            _ => None,
        }
    }

    /// The same of a layer of the step's, which is whole along its first dim.
    fn of_layer(&self, slot: &Slot) -> Option<(&'a Type, &'a Sharding)> {
        self.of_slot(slot)
            .filter(|(_, sharding)| sharding.dims.first().is_some_and(|dim| dim.axes.is_empty()))
    }
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
    // What turns read twice is no stack of theirs.
    let is_distinct = |tuple: &&Vec<Slot>| tuple.iter().collect::<BTreeSet<_>>().len() == tuple.len();
    let of_stage = |tuple: &&Vec<Slot>| tuple.iter().all(|slot| is_own(&slot));
    for tuple in tuples.iter().filter(of_stage).filter(is_distinct) {
        let fits = tuple.windows(2).all(|pair| {
            next.get(&pair[0]).is_none_or(|known| **known == pair[1])
                && before.get(&pair[1]).is_none_or(|known| **known == pair[0])
        });
        if fits {
            for pair in tuple.windows(2) {
                next.insert(&pair[0], &pair[1]);
                before.insert(&pair[1], &pair[0]);
            }
        }
    }
    let mut chains = ranges;
    let forms = Forms::of(stage);
    for first in next.keys().filter(|slot| !before.contains_key(*slot)) {
        let mut slots = vec![(*first).clone()];
        while let Some(slot) = next.get(&slots[slots.len() - 1]) {
            slots.push((*slot).clone());
        }
        let is_alike = |one: &Slot, other: &Slot| {
            forms.of_slot(one).is_some() && forms.of_slot(one) == forms.of_slot(other)
        };
        chains.extend(slots.chunk_by(is_alike).filter_map(|slots| chain(stage, slots.to_vec())));
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
    if slots.len() < 2 {
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

/// Whether each program that gives one of these slots gives all of them.
fn are_given_together(stage: Stage<'_>, slots: &[Slot]) -> bool {
    stage.own().all(|(_, program)| {
        let count = slots.iter().filter(|slot| program.gives.contains(slot)).count();
        count == 0 || count == slots.len()
    })
}
