//! Values that a program needs where some of them come from elsewhere.
//!
//! Input: a body, and values that calls will give, with what these calls read. Output: the values that are needed then,
//! carried values of loops one by one.

use std::collections::BTreeMap;

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::program::{Body, Def, Regions};

/// What is needed of a body.
pub(super) struct Needed {
    values: Table<ValueId, bool>,
}

impl Needed {
    /// Follows what the body returns back, and what has effects; `given` are the values that come from elsewhere.
    pub(super) fn of(body: &Body, given: &BTreeMap<ValueId, Vec<ValueId>>) -> Self {
        let mut needed = Self { values: Table::filled(false, body.values.len()) };
        let owners = owners(body);
        let mut next: Vec<ValueId> = Vec::new();
        next.extend(body.terminator(body.entry()).map_or(&[][..], |last| &last.operands));
        let mut around: Vec<InstId> = Vec::new();
        for id in body.walk(body.entry()) {
            let inst = &body.insts[id];
            if inst.op.has_side_effects() {
                next.extend(&inst.operands);
                around.push(id);
            }
        }
        let region_of = body.region_of();
        while let Some(id) = around.pop() {
            let Some(owner) = owners.get(&region_of[id]) else { continue };
            next.extend(&body.insts[*owner].results);
            next.extend(&body.insts[*owner].operands);
            around.push(*owner);
        }
        while let Some(value) = next.pop() {
            if std::mem::replace(&mut needed.values[value], true) {
                continue;
            }
            if let Some(read) = given.get(&value) {
                next.extend(read);
                continue;
            }
            read_for(body, &owners, value, &mut next);
        }
        needed
    }

    /// Whether a value is needed.
    pub(super) fn has(&self, value: ValueId) -> bool {
        self.values[value]
    }

    /// Whether an instruction is needed, or has effects.
    pub(super) fn has_inst(&self, body: &Body, id: InstId) -> bool {
        let inst = &body.insts[id];
        inst.results.is_empty()
            || inst.op.has_side_effects()
            || inst.results.iter().any(|value| self.has(*value))
    }

    /// Whether a carried value of a loop is needed.
    pub(super) fn has_carried(&self, body: &Body, id: InstId, index: usize) -> bool {
        let inst = &body.insts[id];
        let arg = |region: &RegionId| self.has(body.regions[*region].args[index]);
        self.has(inst.results[index]) || inst.regions.iter().any(arg)
    }
}

fn owners(body: &Body) -> BTreeMap<RegionId, InstId> {
    body.insts.iter().flat_map(|(id, inst)| inst.regions.iter().map(move |region| (*region, id))).collect()
}

/// What a value is computed from.
fn read_for(body: &Body, owners: &BTreeMap<RegionId, InstId>, value: ValueId, next: &mut Vec<ValueId>) {
    let (id, index) = match body.values[value].def {
        Def::Result(id, index) => (id, index),
        Def::Argument(region, index) => match owners.get(&region) {
            Some(owner) if body.view(*owner).regions() == Regions::Loop => (*owner, index),
            _ => return,
        },
    };
    let (view, inst) = (body.view(id), &body.insts[id]);
    if view.regions() == Regions::Loop && inst.regions.len() == 2 {
        next.push(inst.operands[index]);
        next.extend(view.returned(0));
        next.extend(view.returned(1).get(index));
        next.push(inst.results[index]);
        next.extend(inst.regions.iter().map(|region| body.regions[*region].args[index]));
        return;
    }
    next.extend(&inst.operands);
    for inside in inst.regions.iter().flat_map(|region| body.walk(*region)) {
        next.extend(&body.insts[inside].operands);
    }
}
