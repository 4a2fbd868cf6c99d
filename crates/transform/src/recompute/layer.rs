//! What the loops of a pair carry where values of the forward body are made again in the backward body.
//!
//! Input: a [`Pair`] and its [`Plan`]. Output: a [`Layer`]: what of the forward body the backward body reads from stacks,
//! which of these there are and which are new, and what is written and read for nobody.

use super::pair::{Link, Pair};
use super::plan::Plan;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::loops::Affine;
use meshwright_ir::program::Def;
use std::collections::{BTreeMap, BTreeSet};

/// A pair of loops, and what becomes of what they carry.
pub(super) struct Layer {
    pub(super) pair: Pair,
    /// The values of the forward body that the backward body reads from stacks, in order.
    pub(super) kept: Vec<Kept>,
    /// The instructions that the backward body needs of those that it can have at no price, in order.
    pub(super) there: Vec<InstId>,
    /// Values around the loops that the backward body reads, by what they are in the forward body.
    pub(super) around: BTreeMap<ValueId, ValueId>,
    /// Instructions of both bodies that are left out.
    pub(super) left_out: BTreeSet<InstId>,
}

/// A value that the backward body reads from a stack.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    /// The value in the forward body.
    pub(super) value: ValueId,
    /// The stack, as a result of the forward loop; `None`: one is added.
    pub(super) stack: Option<ValueId>,
    /// The dim along which turns have parts.
    pub(super) dim: usize,
    /// The position of a part, by the forward loop's turn.
    pub(super) at: Affine,
}

impl Layer {
    pub(super) fn new(pair: Pair, plan: &Plan<'_>) -> Self {
        let mut needs = Needs {
            pair: &pair,
            plan,
            kept: BTreeSet::new(),
            there: BTreeSet::new(),
            around: BTreeMap::new(),
        };
        needs.find();
        let Needs { kept, there, around, .. } = needs;
        let kept: Vec<Kept> = kept.into_iter().map(|value| kept_in(&pair, plan, value)).collect();
        let results = &plan.line.body.insts[pair.forward].results;
        let is_read =
            |link: &&Link| link.is_shared || kept.iter().any(|kept| kept.stack == Some(results[link.stack]));
        let unread = pair.links.iter().filter(|link| !is_read(link));
        let is_there = |value: ValueId| plan.line.maker(value).is_some_and(|maker| there.contains(&maker));
        let parts = pair.parts.iter().filter(|(value, _)| is_there(*value)).map(|(_, read)| read);
        let left_out: BTreeSet<InstId> = pair
            .links
            .iter()
            .flat_map(|link| &link.reads)
            .chain(unread.flat_map(|link| &link.writes))
            .chain(parts)
            .copied()
            .collect();
        let there = there.into_iter().collect();
        Self { pair, kept, there, around, left_out }
    }
}

/// How a value is kept: in a stack in which it is anyway, or in a new one.
fn kept_in(pair: &Pair, plan: &Plan<'_>, value: ValueId) -> Kept {
    let link = pair.links.iter().find(|link| link.value == value);
    let stack = link.map(|link| plan.line.body.insts[pair.forward].results[link.stack]);
    let (dim, at) = link.map_or((0, Affine { factor: 1, offset: 0 }), |link| link.part);
    Kept { value, stack, dim, at }
}

/// What the backward body reads of the forward body.
struct Needs<'a> {
    pair: &'a Pair,
    plan: &'a Plan<'a>,
    kept: BTreeSet<ValueId>,
    there: BTreeSet<InstId>,
    around: BTreeMap<ValueId, ValueId>,
}

impl Needs<'_> {
    fn find(&mut self) {
        let line = &self.plan.line;
        for inst in self.plan.again().keys() {
            let reads = line.position(*inst).map_or(&[][..], |at| &line.reads[at]);
            let old = reads.iter().filter(|value| !self.plan.is_made_for(**value, *inst));
            old.for_each(|value| self.value(*value));
        }
        let readers = line.readers();
        for link in &self.pair.links {
            let place = line.maker(link.value).and_then(|maker| self.plan.again().get(&maker));
            let is_before = |reader: &InstId| {
                let before = line.position(*reader) < place.copied();
                line.is_backward(*reader) && (place.is_none() || before)
            };
            if readers[link.value].iter().any(is_before) {
                self.value(link.value);
            }
        }
    }

    fn value(&mut self, value: ValueId) {
        let body = self.plan.line.body;
        let forward = &body.insts[self.pair.forward];
        let region = forward.regions[1];
        match body.values[value].def {
            Def::Argument(owner, index) if owner == region => {
                if self.plan.line.made(value).is_some() {
                    self.kept.insert(value);
                } else if index != self.pair.counters[0] {
                    self.around.insert(value, forward.operands[index]);
                }
            }
            Def::Result(inst, _) if self.pair.there.contains(&inst) => {
                if self.there.insert(inst) {
                    body.insts[inst].operands.iter().for_each(|operand| self.value(*operand));
                }
            }
            Def::Result(inst, _) if self.plan.line.position(inst).is_some() || self.is_inside(inst) => {
                self.kept.insert(value);
            }
            Def::Argument(..) | Def::Result(..) => {}
        }
    }

    fn is_inside(&self, inst: InstId) -> bool {
        let body = self.plan.line.body;
        body.regions[body.insts[self.pair.forward].regions[1]].insts.contains(&inst)
    }
}
