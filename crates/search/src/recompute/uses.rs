//! What is made again as decisions about uses.
//!
//! Input: instructions that run again. Output: for each of their results its first reader in the backward pass; of one that
//! only such instructions read, the first of these. So each decision is about a value and an instruction that reads it.

use super::Recomputation;
use meshwright_ir::ids::{InstId, ValueId};
use std::collections::{BTreeMap, BTreeSet};

/// The reader with which the readers of each value begin that is made again; those that nobody reads are left out.
pub fn uses(of: &Recomputation<'_>, again: &BTreeSet<InstId>) -> BTreeMap<ValueId, InstId> {
    let body = &of.facts.analysis.function.body;
    let position = &of.facts.position;
    let mut in_order: Vec<InstId> = again.iter().copied().collect();
    in_order.sort_by_key(|inst| std::cmp::Reverse(position[*inst]));
    // In front of which position each instruction runs again, if anything needs it.
    let mut place: BTreeMap<InstId, usize> = BTreeMap::new();
    let mut uses = BTreeMap::new();
    for inst in in_order {
        for result in &body.insts[inst].results {
            let readers = of.facts.readers(*result).iter();
            let begins = |reader: &InstId| match place.get(reader) {
                Some(place) => Some((*place, true, *reader)),
                None => of.facts.is_late(*reader).then_some((position[*reader], false, *reader)),
            };
            if let Some((at, _, reader)) = readers.filter_map(begins).min() {
                let first = place.entry(inst).or_insert(at);
                *first = at.min(*first);
                uses.insert(*result, reader);
            }
        }
    }
    uses
}
