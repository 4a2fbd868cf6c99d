//! Groups: all that reads or makes what is as large as a value, along one of its dims.
//!
//! What is made of constants alone, such as a mask that all layers read, is made where it is read, and leads from no reader to
//! another.

use super::facts::Facts;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_transform::tiles::dims::neighbors;
use std::collections::{BTreeMap, BTreeSet};

/// A group of more instructions is no part of a step, but the step.
const MOST: usize = 256;

/// What is at least this share of a value is as large.
const SHARE: usize = 2;

/// Instructions that read or make what is large, and the dims along which it is cut.
pub(super) struct Group {
    /// The region in which they stand.
    pub(super) home: RegionId,
    pub(super) insts: BTreeSet<InstId>,
    /// The dim of each value along which it is cut, small ones at the border too.
    pub(super) dims: BTreeMap<ValueId, usize>,
    /// Number of elements from which on a value is large.
    least: usize,
    large: BTreeSet<ValueId>,
}

impl Group {
    /// The group of a value along one of its dims.
    ///
    /// # Errors
    /// The dim meets itself as another, or there are too many instructions: for none of these values and dims there is a
    /// group.
    pub(super) fn grown(
        facts: &Facts<'_>,
        value: ValueId,
        maker: InstId,
        dim: usize,
    ) -> Result<Self, BTreeSet<(ValueId, usize)>> {
        let home = facts.home(maker);
        let elements = facts.elements(value);
        let least = elements.div_ceil(SHARE);
        let mut group =
            Self { home, insts: BTreeSet::new(), dims: [(value, dim)].into(), least, large: BTreeSet::new() };
        let mut open = vec![value];
        let first = value;
        while let Some(value) = open.pop() {
            if value != first && facts.is_constant(value) {
                continue;
            }
            let Some(maker) = facts.maker_in(value, home).filter(|_| facts.elements(value) >= least) else {
                continue;
            };
            group.large.insert(value);
            for inst in facts.readers[value].iter().copied().chain([maker]) {
                if group.add(facts, inst, value, &mut open).is_none() || group.insts.len() > MOST {
                    let is_alike = |value: ValueId| {
                        facts.elements(value) == elements && facts.maker_in(value, home).is_some()
                    };
                    return Err(group.dims.into_iter().filter(|(value, _)| is_alike(*value)).collect());
                }
            }
        }
        Ok(group)
    }

    /// Adds an instruction that reads or makes a value; `None`: it cuts something along another dim than before.
    fn add(
        &mut self,
        facts: &Facts<'_>,
        inst: InstId,
        value: ValueId,
        open: &mut Vec<ValueId>,
    ) -> Option<()> {
        if !facts.may_be_cut(inst) {
            return Some(());
        }
        for (other, dim) in neighbors(facts.body(), inst, facts.rule(inst), value, self.dims[&value]) {
            self.insts.insert(inst);
            match self.dims.insert(other, dim) {
                None => open.push(other),
                Some(before) if before == dim => {}
                // It is made for each of its readers.
                Some(_) if facts.is_constant(other) => {}
                Some(_) => return None,
            }
        }
        Some(())
    }

    /// Returns whether what is cut is the batch, of any value of the group.
    pub(super) fn is_along_batch(&self, facts: &Facts<'_>) -> bool {
        self.dims.iter().any(|(value, dim)| facts.is_batch(*value, *dim))
    }

    /// Whether a value is too large to be one that stays whole.
    pub(super) fn is_large(&self, facts: &Facts<'_>, value: ValueId) -> bool {
        facts.elements(value) >= self.least
    }

    /// The large values that are cut.
    pub(super) fn large(&self) -> impl Iterator<Item = ValueId> {
        self.large.iter().copied()
    }

    /// How many times a number of elements goes into a large value; 0 if it is larger itself.
    pub(super) fn ratio(&self, elements: usize) -> usize {
        match SHARE * self.least {
            large if elements > large => 0,
            large => large.div_ceil(elements.max(1)),
        }
    }
}
