//! Order of the instructions of a turn in the function of a phase.
//!
//! Input: a piece before it is written. Output: its instructions, in front of their readers, and in an order in which little is
//! there at once.

use super::Draft;
use crate::{Class, Step};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_plan::Phase;
use std::collections::{BTreeMap, BTreeSet};

impl Draft {
    /// Its instructions of a turn, in their order; what a backward pass has of the forward pass, as what is made again, comes
    /// in front of its first reader.
    pub(super) fn in_order(&self, step: &Step<'_>) -> Vec<InstId> {
        let is_backward = !matches!(self.id.phase, Phase::Copies | Phase::Forward | Phase::Prepass);
        let is_late = |at: usize| is_backward && matches!(step.class[at], Class::Forward(_) | Class::Free);
        let inside = &self.needs.inside;
        let late: Vec<usize> = inside.iter().copied().filter(|at| is_late(*at)).collect();
        let mut done = BTreeSet::new();
        let mut order = Vec::new();
        // Those that only other functions read come last.
        for at in inside.iter().copied().filter(|at| !is_late(*at)).chain(late) {
            let (mut open, mut needed) = (vec![at], BTreeSet::new());
            while let Some(reader) = open.pop() {
                if needed.insert(reader) {
                    let makers = step.flow.reads[reader].iter().filter_map(|value| step.position_of(*value));
                    open.extend(
                        makers.filter(|at| is_late(*at) && inside.contains(at) && !done.contains(at)),
                    );
                }
            }
            order.extend(needed.into_iter().filter(|at| done.insert(*at)));
        }
        self.added_at_once(step, order).into_iter().map(|at| step.inside[at]).collect()
    }

    /// The same with what adds to accumulators, and what only brings it into its form, as soon as there is what it adds: a gradient
    /// does not wait for the others.
    fn added_at_once(&self, step: &Step<'_>, order: Vec<usize>) -> Vec<usize> {
        let next = self.adds.iter().map(|index| step.points[*index].next);
        let mut early: BTreeSet<usize> = next.filter_map(|value| step.core(value)).collect();
        let mut open: Vec<usize> = early.iter().copied().collect();
        while let Some(at) = open.pop() {
            for maker in step.flow.reads[at].iter().filter_map(|value| step.core(*value)) {
                let inst = &step.body().insts[step.inside[maker]];
                let is_read_by_it = |value: &ValueId| step.readers(*value).iter().all(|reader| *reader == at);
                let is_other_form = inst.operands.len() == 1 && inst.regions.is_empty();
                if is_other_form && inst.results.iter().all(is_read_by_it) && early.insert(maker) {
                    open.push(maker);
                }
            }
        }
        let here: BTreeSet<usize> = order.iter().copied().collect();
        early.retain(|at| here.contains(at));
        // How many of its makers each of them waits for, and who waits for each maker.
        let mut waits: BTreeMap<usize, usize> = BTreeMap::new();
        let mut waiting: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for at in &early {
            let makers = step.flow.reads[*at].iter().filter_map(|value| step.position_of(*value));
            let makers: BTreeSet<usize> = makers.filter(|maker| here.contains(maker)).collect();
            waits.insert(*at, makers.len());
            makers.into_iter().for_each(|maker| waiting.entry(maker).or_default().push(*at));
        }
        let (mut own, mut placed) = (Vec::with_capacity(order.len()), BTreeSet::new());
        for at in order {
            let mut open = match waits.get(&at) {
                Some(1..) => Vec::new(),
                Some(0) | None => vec![at],
            };
            while let Some(at) = open.pop().filter(|at| placed.insert(*at)) {
                own.push(at);
                for next in waiting.remove(&at).into_iter().flatten() {
                    let left = waits.get_mut(&next).expect("it waits");
                    *left -= 1;
                    open.extend((*left == 0).then_some(next));
                }
            }
        }
        own
    }
}
