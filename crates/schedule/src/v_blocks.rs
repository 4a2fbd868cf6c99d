//! Schedules made of one block that is repeated (Qi 2024, "Pipeline Parallelism with Controllable Memory").
//!
//! A block is the way of one microbatch through the V: down the groups, up again, and the same with its gradients. Each
//! leg takes so many slots from group to group, and each of the three turns so many slots; the next microbatch follows
//! six slots later, since it has six actions on each group. The sum of the legs says how long a group keeps something,
//! and with that how much. Turns are chosen such that no two passes of a group fall on one slot, those of which the
//! table is shortest.

use crate::Stages;
use crate::fill::{Passes, fill};
use crate::row::Cell;
use crate::zb_v::both;
use meshwright_plan::{Phase, Schedule};

/// Slots from one microbatch to the next.
const PERIOD: usize = 6;

/// Slots from group to group: forward down the V and up, then gradients down and up.
pub(crate) type Legs = [usize; 4];

/// The shortest table of a block in which a group keeps at most `limit` stages of microbatches.
pub(crate) fn repeated(stages: &Stages, legs: Legs, limit: usize) -> Schedule {
    let all = (0..PERIOD.pow(3)).map(|at| [at / 36 % PERIOD + 1, at / PERIOD % PERIOD + 1, at % PERIOD + 1]);
    let tables = all.filter_map(|turns| {
        let slots = block(stages.groups, legs, turns)?;
        let passes: Vec<Passes> =
            slots.iter().enumerate().map(|(group, slots)| passes(stages, group, slots)).collect();
        fill(&passes, stages.count(), limit)
    });
    let best = tables.reduce(|best, other| if other.1 < best.1 { other } else { best });
    best.expect("some turns keep all passes apart").0
}

/// Slots of the four passes of the first microbatch on each group; none if two passes of a group fall on one slot.
fn block(groups: usize, legs: Legs, turns: [usize; 3]) -> Option<Vec<[usize; 4]>> {
    let last = groups - 1;
    let mut first = [0; 4];
    for leg in 1..4 {
        first[leg] = first[leg - 1] + legs[leg - 1] * last + turns[leg - 1];
    }
    let slots = |group: usize| {
        let steps = [group, last - group, group, last - group];
        std::array::from_fn(|leg| first[leg] + legs[leg] * steps[leg])
    };
    let is_apart = |slots: &[usize; 4]| {
        let mut places = slots.map(|slot| slot % PERIOD);
        places.sort_unstable();
        places.windows(2).all(|pair| pair[0] != pair[1])
    };
    let all: Vec<[usize; 4]> = (0..groups).map(slots).collect();
    all.iter().all(is_apart).then_some(all)
}

/// The passes of a group in order of their slots.
fn passes(stages: &Stages, group: usize, slots: &[usize; 4]) -> Passes {
    let [down, up] = both(stages.groups, group);
    let legs = [
        (Phase::Forward, down),
        (Phase::Forward, up),
        (Phase::InputGradient, up),
        (Phase::InputGradient, down),
    ];
    let mut passes: Vec<(usize, Phase, Cell)> = Vec::new();
    for microbatch in 0..stages.microbatches {
        for ((phase, stage), slot) in legs.into_iter().zip(slots) {
            passes.push((slot + PERIOD * microbatch, phase, (stage, microbatch)));
        }
    }
    passes.sort_unstable();
    passes.into_iter().map(|(_, phase, cell)| (phase, cell)).collect()
}
