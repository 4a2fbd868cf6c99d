//! Ways to recompute that have a name in the field, resolved and recognized.
//!
//! | name | is made again |
//! | --- | --- |
//! | `none` | nothing |
//! | `selective` | whatever saves bytes but products with weights: scores of attention, softmax, masks of dropout, elementwise ops |
//! | `full` | everything between the boundaries of layers |

use super::hull::{Maker, Problem, Vertex, smallest};
use super::{Recomputation, Segment, uses};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_machine::Bytes;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Ways to recompute that have a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// Everything is kept that the program keeps.
    None,
    /// Products with weights are kept.
    Selective,
    /// Only what layers leave to one another is kept.
    Full,
}

impl Named {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::None, Self::Selective, Self::Full];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Selective => "selective",
            Self::Full => "full",
        }
    }
}

/// Kinds of instructions by which others are told in words.
const KINDS: [&str; 6] =
    ["products with weights", "products of activations", "reductions", "elementwise ops", "moves", "others"];

impl Recomputation<'_> {
    /// The instructions that run again.
    pub fn named(&self, named: Named) -> BTreeSet<InstId> {
        if named == Named::None {
            return BTreeSet::new();
        }
        let again: Vec<Vec<bool>> =
            self.segments.iter().map(|segment| self.of_segment(segment, named).again).collect();
        self.insts(again.iter().map(Vec::as_slice))
    }

    /// Bytes that are kept then.
    pub fn kept(&self, named: Named) -> Bytes {
        let own = |segment: &Segment| segment.times * self.of_segment(segment, named).bytes;
        Bytes(self.pinned().0 + self.segments.iter().map(own).sum::<u64>())
    }

    /// What is chosen in a segment then.
    fn of_segment(&self, segment: &Segment, named: Named) -> Vertex {
        let may_repeat = |inst: InstId| match named {
            Named::None => false,
            Named::Selective => !self.multiplies_weights(inst),
            Named::Full => true,
        };
        smallest(&restricted(segment, &may_repeat))
    }

    /// The name of a choice, or how many instructions of each kind run again.
    pub fn in_words(&self, again: &BTreeSet<InstId>) -> String {
        let named = Named::ALL.into_iter().find(|named| self.named(*named) == *again);
        named.map_or_else(|| self.counted(again), |named| named.name().to_owned())
    }

    /// The same where no others can run again than these: a level is what is left of it, without what only others would read.
    pub fn in_words_among(&self, again: &BTreeSet<InstId>, can: &BTreeSet<InstId>) -> String {
        let left = |insts: &BTreeSet<InstId>| -> Vec<ValueId> {
            uses(self, &insts.intersection(can).copied().collect()).into_keys().collect()
        };
        let own = left(again);
        let is_level = |named: &Named| {
            let level = self.named(*named);
            left(&level) == own && again.iter().all(|inst| can.contains(inst) || level.contains(inst))
        };
        let named = Named::ALL.into_iter().find(is_level);
        named.map_or_else(|| self.counted(again), |named| named.name().to_owned())
    }

    /// How many instructions of each kind run again.
    fn counted(&self, again: &BTreeSet<InstId>) -> String {
        let mut counts = [0_usize; KINDS.len()];
        again.iter().for_each(|inst| counts[self.kind(*inst)] += 1);
        let mut words = String::new();
        for (count, kind) in counts.iter().zip(KINDS).filter(|(count, _)| **count > 0) {
            let separator = if words.is_empty() { "" } else { ", " };
            let _ = write!(words, "{separator}{count} {kind}");
        }
        words
    }

    fn kind(&self, inst: InstId) -> usize {
        let view = self.facts.analysis.function.body.view(inst);
        match view.kernel() {
            _ if self.multiplies_weights(inst) => 0,
            KernelShape::Matmul(_)
            | KernelShape::Attention(_)
            | KernelShape::ChunkScan(_)
            | KernelShape::Convolution(_) => 1,
            KernelShape::Reduce => 2,
            KernelShape::Elementwise => 3,
            KernelShape::Move | KernelShape::HostCopy | KernelShape::Nothing => 4,
            KernelShape::Sort(_) | KernelShape::Collective | KernelShape::Other => 5,
        }
    }

    fn multiplies_weights(&self, inst: InstId) -> bool {
        self.roles.multiplies_weights(self.facts.analysis.function, inst)
    }
}

/// The problem of a segment in which only some instructions may run again. What lies in no memory and has to stay is kept.
fn restricted(segment: &Segment, may_repeat: &dyn Fn(InstId) -> bool) -> Problem {
    let mut problem = segment.problem.clone();
    for (maker, inst) in problem.makers.iter_mut().zip(&segment.insts) {
        maker.may_repeat &= may_repeat(*inst);
    }
    let is_fixed: Vec<bool> = problem.makers.iter().map(|Maker { may_repeat, .. }| !may_repeat).collect();
    for value in problem.values.iter_mut().filter(|value| is_fixed[value.maker]) {
        value.bytes = value.bytes.or(Some(0));
    }
    problem
}
