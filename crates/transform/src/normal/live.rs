//! What somebody needs: results of the function, effects, and what these are made of.
//!
//! A loop is needed value by value: what it carries for nobody but itself is not, and what it is made of then is not
//! either. An instruction that only reads is there for what it says of its operands (`sdy.sharding_group`) and stays.

use super::same::Same;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Inst, Regions};

/// What of a body somebody needs.
pub(super) struct Live {
    /// Its instructions.
    pub(super) insts: Table<InstId, bool>,
    values: Table<ValueId, bool>,
}

impl Live {
    /// What is needed where values are read as others.
    pub(super) fn of(body: &Body, same: &Same) -> Self {
        let mut search = Search::new(body, same);
        for (id, inst) in body.insts.iter() {
            if is_needed_by_itself(inst) {
                search.inst(id);
                search.around(id);
            }
        }
        search.region(body.entry());
        while let Some(value) = search.pending.pop() {
            search.made(value);
        }
        search.live
    }

    /// Which of the values that a loop carries are needed.
    pub(super) fn carried(&self, inst: &Inst) -> Vec<usize> {
        (0..inst.results.len()).filter(|index| self.values[inst.results[*index]]).collect()
    }
}

/// Whether an instruction stays even if nobody reads what it makes.
fn is_needed_by_itself(inst: &Inst) -> bool {
    let only_reads = inst.results.is_empty() && !inst.operands.is_empty();
    inst.op.has_side_effects() || (only_reads && !matches!(inst.op, Op::Return(_)))
}

struct Search<'a> {
    body: &'a Body,
    same: &'a Same,
    live: Live,
    /// Values that are needed, whose makers are still to be looked at.
    pending: Vec<ValueId>,
    region_of: Table<InstId, RegionId>,
    owner: Table<RegionId, Option<InstId>>,
}

impl<'a> Search<'a> {
    fn new(body: &'a Body, same: &'a Same) -> Self {
        let mut owner = Table::filled(None, body.regions.len());
        for (id, inst) in body.insts.iter() {
            inst.regions.iter().for_each(|region| owner[*region] = Some(id));
        }
        let insts = Table::filled(false, body.insts.len());
        let live = Live { insts, values: Table::filled(false, body.values.len()) };
        Self { body, same, live, pending: Vec::new(), region_of: body.region_of(), owner }
    }

    fn value(&mut self, value: ValueId) {
        let value = self.same.of_value(value);
        if !std::mem::replace(&mut self.live.values[value], true) {
            self.pending.push(value);
        }
    }

    /// What makes a value that is needed.
    fn made(&mut self, value: ValueId) {
        match self.body.values[value].def {
            Def::Argument(region, index) => {
                let Some(owner) = self.owner[region] else { return };
                if self.body.view(owner).regions() == Regions::Loop {
                    self.value(self.body.insts[owner].results[index]);
                }
            }
            Def::Result(id, index) => {
                self.inst(id);
                let view = self.body.view(id);
                if view.regions() == Regions::Loop {
                    self.value(view.inst.operands[index]);
                    let last = view.inst.regions.len() - 1;
                    self.value(view.returned(last)[index]);
                }
            }
        }
    }

    /// What an instruction that is needed needs itself; of what a loop carries, what its condition reads.
    fn inst(&mut self, id: InstId) {
        if std::mem::replace(&mut self.live.insts[id], true) {
            return;
        }
        let view = self.body.view(id);
        let inst = view.inst;
        if view.regions() == Regions::Loop {
            let last = inst.regions.len() - 1;
            inst.regions[..last].iter().for_each(|region| self.region(*region));
            self.terminator(inst.regions[last]);
            return;
        }
        inst.operands.iter().for_each(|operand| self.value(*operand));
        inst.regions.iter().for_each(|region| self.region(*region));
    }

    /// All that a region returns.
    fn region(&mut self, region: RegionId) {
        self.terminator(region);
        let returned = self.body.terminator(region).map_or(&[][..], |last| &last.operands);
        returned.iter().for_each(|value| self.value(*value));
    }

    fn terminator(&mut self, region: RegionId) {
        if let Some(last) = self.body.regions[region].insts.last() {
            self.live.insts[*last] = true;
        }
    }

    /// The instructions in whose regions an instruction stands.
    fn around(&mut self, id: InstId) {
        let mut inner = id;
        while let Some(owner) = self.owner[self.region_of[inner]] {
            self.inst(owner);
            inner = owner;
        }
    }
}
