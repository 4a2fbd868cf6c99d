//! Runs propagation to its fixed point.
//!
//! Input: a [`State`] with seeds. Output: the same, with nothing left to propagate. Three nested loops, outermost first:
//! phases of seeds (user priorities, then roles), stages of ops, and sweeps over the nodes that something changed
//! for, forward in program order and then backward, until none is left. The order of all of it is fixed, so the same
//! program and seeds always give the same shardings.

use crate::prepared::Slot;
use crate::state::State;
use crate::step::{NUM_STAGES, Scratch, last_like, step};
use meshwright_ir::control::Control;

/// Propagates until nothing changes any more, or until told to stop.
pub(crate) fn run(state: &mut State<'_>, control: &dyn Control) {
    let num_nodes = state.prepared.nodes.len();
    let mut dirty: Vec<BitSet> = (0..NUM_STAGES).map(|_| BitSet::new(num_nodes)).collect();
    let mut scratch = Scratch::default();
    let prepared = state.prepared;
    let touch = |dirty: &mut [BitSet], slot: Slot| {
        for node in prepared.touching(slot) {
            dirty.iter_mut().for_each(|set| set.insert(*node as usize));
        }
    };
    while state.next_phase(|slot| touch(&mut dirty, slot)) {
        for stage in 0..NUM_STAGES {
            while !dirty[stage].is_empty() {
                if control.should_stop() {
                    return;
                }
                let mut at = dirty[stage].first_from(0);
                while let Some(node) = at {
                    visit(state, node, stage, &mut dirty, &mut scratch, &touch);
                    at = dirty[stage].first_from(node + 1);
                }
                let mut at = dirty[stage].last_below(num_nodes);
                while let Some(node) = at {
                    visit(state, node, stage, &mut dirty, &mut scratch, &touch);
                    at = dirty[stage].last_below(node);
                }
            }
        }
    }
}

fn visit(
    state: &mut State<'_>,
    node: usize,
    stage: usize,
    dirty: &mut [BitSet],
    scratch: &mut Scratch,
    touch: &impl Fn(&mut [BitSet], Slot),
) {
    step(state, node, stage, scratch);
    for slot in &scratch.changed {
        touch(dirty, *slot);
    }
    // A second visit could only do more where a minor factor waited for its major one.
    let again = !scratch.changed.is_empty()
        && state.prepared.rules[state.prepared.nodes[node].rule].has_compound_dims;
    if !again {
        let last = last_like(state.prepared, node, stage);
        dirty[..=last].iter_mut().for_each(|set| set.remove(node));
    }
}

/// A set of positions that is cheap to scan both ways.
struct BitSet {
    words: Vec<u64>,
    len: usize,
}

impl BitSet {
    fn new(len: usize) -> Self {
        Self { words: vec![0; len.div_ceil(64)], len: 0 }
    }

    fn insert(&mut self, index: usize) {
        let (word, bit) = (&mut self.words[index / 64], 1 << (index % 64));
        self.len += usize::from(*word & bit == 0);
        *word |= bit;
    }

    fn remove(&mut self, index: usize) {
        let (word, bit) = (&mut self.words[index / 64], 1 << (index % 64));
        self.len -= usize::from(*word & bit != 0);
        *word &= !bit;
    }

    fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first member at or after `start`.
    fn first_from(&self, start: usize) -> Option<usize> {
        let mut mask = u64::MAX << (start % 64);
        for (index, word) in self.words.iter().enumerate().skip(start / 64) {
            if word & mask != 0 {
                return Some(index * 64 + (word & mask).trailing_zeros() as usize);
            }
            mask = u64::MAX;
        }
        None
    }

    /// The last member before `end`.
    fn last_below(&self, end: usize) -> Option<usize> {
        let mut mask = (1u64 << (end % 64)) - 1;
        for index in (0..self.words.len().min(end / 64 + 1)).rev() {
            let word = self.words[index] & if index == end / 64 { mask } else { u64::MAX };
            if word != 0 {
                return Some(index * 64 + 63 - word.leading_zeros() as usize);
            }
            mask = u64::MAX;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bit_sets_scan_both_ways() {
        let mut set = BitSet::new(200);
        for member in [0, 63, 64, 199] {
            set.insert(member);
        }
        assert_eq!(
            [0, 1, 64, 65].map(|start| set.first_from(start)),
            [Some(0), Some(63), Some(64), Some(199)]
        );
        assert_eq!(
            [200, 199, 64, 63, 0].map(|end| set.last_below(end)),
            [Some(199), Some(64), Some(63), Some(0), None]
        );
        assert_eq!(set.first_from(200), None);
        for member in [0, 63, 64, 199] {
            set.remove(member);
        }
        assert!(set.is_empty());
    }
}
