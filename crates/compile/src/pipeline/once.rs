//! What goes between stages once in a step: gradients of what another stage updates, or of a second copy, and what it is then.
//!
//! Input: the pieces of a step. Output: [`Once`] for each two stages that share something, and for each stage what its
//! copies would share. Small values, as norms and counters, are on their way next to no time, and are left out.

use meshwright_ir::ids::ValueId;
use meshwright_stage::{Piece, Port, Staged, Step, is_small};
use std::collections::{BTreeMap, BTreeSet};

use super::cut::Cut;
use super::donation::next;

/// What a stage hands once in a step to the stage that updates what it reads, and what comes back.
pub(super) struct Once {
    /// The stage that reads what is updated.
    pub(super) reader: usize,
    /// The stage that updates it; for what copies share, the same one.
    pub(super) home: usize,
    /// Accumulators, as turns add to them.
    pub(super) gradients: BTreeSet<ValueId>,
    /// Arguments of the step.
    pub(super) state: BTreeSet<ValueId>,
}

/// All of it, in order of stages.
pub(super) fn once(cut: &Cut, step: &Step<'_>, staged: &Staged, pieces: &[Piece]) -> Vec<Once> {
    let mut all: BTreeMap<(usize, usize), Once> = BTreeMap::new();
    let mut between = |reader: usize, home: usize, of: fn(&mut Once) -> &mut BTreeSet<ValueId>, value| {
        if !is_small(step, value) {
            let empty = Once { reader, home, gradients: BTreeSet::new(), state: BTreeSet::new() };
            of(all.entry((reader, home)).or_insert(empty)).insert(value);
        }
    };
    let mut makers: BTreeMap<usize, usize> = BTreeMap::new();
    for piece in pieces {
        makers.extend(piece.gives.iter().filter_map(|port| match port {
            Port::Result(index) => Some((*index, piece.id.stage)),
            _ => None,
        }));
    }
    let args = step.function.args();
    for piece in pieces {
        let (own, is_update) = (piece.id.stage, piece.id.phase.is_of_update());
        for port in &piece.takes {
            match port {
                Port::Accumulator(index) if is_update => {
                    let before = step.points[*index].before;
                    between(staged.update.homes[*index], own, |once| &mut once.gradients, before);
                }
                Port::Argument(index) => {
                    let home = next(cut, *index).and_then(|result| makers.get(&result).copied());
                    // What the update alone reads no copy has.
                    if let Some(home) = home.filter(|home| !is_update || *home != own) {
                        between(own, home, |once| &mut once.state, args[*index]);
                    }
                }
                _ => {}
            }
        }
    }
    all.into_values().collect()
}
