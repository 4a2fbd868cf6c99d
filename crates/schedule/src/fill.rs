//! Gradients of parameters put where groups would wait. Input: what each group does besides, in order, and how much it
//! may keep; output: the table that comes out if everything takes one slot and a group that cannot go on, or may not
//! keep more, makes the oldest gradient of parameters that is left.

use crate::row::{Cell, event};
use meshwright_plan::{Event, Phase, Schedule};
use std::collections::VecDeque;

/// Forward passes and gradients of inputs of a group.
pub(crate) type Passes = Vec<(Phase, Cell)>;

/// Fills rows, and counts the slots that they take; none if they never end. `limit` counts what is kept: stages of
/// microbatches.
pub(crate) fn fill(passes: &[Passes], num_stages: usize, limit: usize) -> Option<(Schedule, usize)> {
    let mut slots = Slots::new(num_stages, passes);
    let mut groups: Vec<Group<'_>> = passes.iter().map(|passes| Group::new(passes)).collect();
    let mut slot = 0;
    while groups.iter().any(|group| !group.is_done()) {
        let mut has_moved = false;
        for group in &mut groups {
            if let Some((phase, cell)) = group.step(&slots, slot, limit) {
                slots.put(phase, cell, slot + 1);
                has_moved = true;
            }
        }
        if !has_moved {
            return None;
        }
        slot += 1;
    }
    Some((Schedule { rows: groups.into_iter().map(|group| group.row).collect() }, slot))
}

/// A group at a slot.
struct Group<'a> {
    passes: &'a [(Phase, Cell)],
    next: usize,
    /// Gradients of parameters that can be made.
    left: VecDeque<Cell>,
    kept: usize,
    row: Vec<Event>,
}

impl<'a> Group<'a> {
    fn new(passes: &'a [(Phase, Cell)]) -> Self {
        Self { passes, next: 0, left: VecDeque::new(), kept: 0, row: Vec::new() }
    }

    fn is_done(&self) -> bool {
        self.next == self.passes.len() && self.left.is_empty()
    }

    /// Does something in this slot, if it can.
    fn step(&mut self, slots: &Slots, slot: usize, limit: usize) -> Option<(Phase, Cell)> {
        let next = self.passes.get(self.next).copied();
        let next = next.filter(|(phase, cell)| {
            slots.is_ready(*phase, *cell, slot) && (*phase != Phase::Forward || self.kept < limit)
        });
        let (phase, cell) = match next {
            Some(pass) => {
                self.next += 1;
                pass
            }
            None => (Phase::WeightGradient, self.left.pop_front()?),
        };
        match phase {
            Phase::Forward => self.kept += 1,
            Phase::InputGradient => self.left.push_back(cell),
            _ => self.kept -= 1,
        }
        self.row.push(event(phase, cell));
        Some((phase, cell))
    }
}

/// The slots behind forward passes and gradients of inputs: when their results are there.
struct Slots {
    forward: Vec<Vec<usize>>,
    backward: Vec<Vec<usize>>,
}

/// Not yet.
const NEVER: usize = usize::MAX;

impl Slots {
    fn new(num_stages: usize, passes: &[Passes]) -> Self {
        let cells = passes.iter().flatten().map(|(_, (_, microbatch))| microbatch + 1);
        let none = vec![vec![NEVER; cells.max().unwrap_or(0)]; num_stages];
        Self { forward: none.clone(), backward: none }
    }

    fn put(&mut self, phase: Phase, (stage, microbatch): Cell, slot: usize) {
        match phase {
            Phase::Forward => self.forward[stage][microbatch] = slot,
            Phase::InputGradient => self.backward[stage][microbatch] = slot,
            _ => {}
        }
    }

    fn is_ready(&self, phase: Phase, (stage, microbatch): Cell, slot: usize) -> bool {
        let is_there = |table: &[Vec<usize>], stage: usize| table[stage][microbatch] <= slot;
        match phase {
            Phase::Forward => stage == 0 || is_there(&self.forward, stage - 1),
            _ => {
                let is_last = stage + 1 == self.backward.len();
                is_there(&self.forward, stage) && (is_last || is_there(&self.backward, stage + 1))
            }
        }
    }
}
