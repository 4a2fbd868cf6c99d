//! What each value is read as: another one that is there before it and holds the same numbers, or itself.

use super::numbering::{Carried, Numbered};
use super::{Barriers, barriers};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::Body;

/// What each value of a body is read as.
pub(super) struct Same {
    of: Table<ValueId, ValueId>,
}

impl Same {
    /// Each value is itself.
    pub(super) fn none(body: &Body) -> Self {
        Self { of: body.values.ids().collect() }
    }

    /// What follows from equal instructions and loops, and from dropped barriers.
    pub(super) fn of(body: &Body, numbered: &Numbered, fate: Barriers) -> Self {
        let mut same = Self::none(body);
        for (id, inst) in body.insts.iter() {
            if barriers::is_dropped(inst, fate) {
                same.all(&inst.results, &inst.operands);
            } else if let Some(leader) = numbered.merged[id] {
                same.all(&inst.results, &body.insts[leader].results);
            } else if let Some(carried) = &numbered.carried[id] {
                same.carried(body, id, carried);
            }
        }
        same
    }

    /// The value that is read in place of this one.
    pub(super) fn of_value(&self, value: ValueId) -> ValueId {
        let mut value = value;
        while self.of[value] != value {
            value = self.of[value];
        }
        value
    }

    fn all(&mut self, values: &[ValueId], others: &[ValueId]) {
        values.iter().zip(others).for_each(|(value, other)| self.of[*value] = *other);
    }

    /// What a loop carries: values from outside, or the same as another one that it carries.
    fn carried(&mut self, body: &Body, id: InstId, carried: &[Carried]) {
        let inst = &body.insts[id];
        for (index, carried) in carried.iter().enumerate() {
            let regions = inst.regions.iter().map(|region| &body.regions[*region].args);
            for values in regions.chain([&inst.results]) {
                self.of[values[index]] = match *carried {
                    Carried::Own => values[index],
                    Carried::Unchanged => inst.operands[index],
                    Carried::Like(other) => values[other],
                };
            }
        }
    }
}
