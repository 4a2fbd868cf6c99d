//! How those who read a contribution combine it.
//!
//! Input: a value of a local program. Output: the reductions of all collectives that it reaches through other
//! instructions, loops and branches, and those as which the program returns it. Asked where an element is neutral for
//! several reductions, such as the unsigned 0 for a sum and a maximum.

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::Body;
use meshwright_ir::sharding::Reduction;
use meshwright_plan::DeviceProgram;
use std::collections::BTreeSet;

/// All reductions, those first that are taken for granted.
pub(super) const REDUCTIONS: [Reduction; 6] =
    [Reduction::Sum, Reduction::Or, Reduction::And, Reduction::Max, Reduction::Min, Reduction::Product];

/// Who reads the values of a body.
pub(super) struct Readers {
    uses: Table<ValueId, Vec<(InstId, usize)>>,
    /// The instruction in one of whose regions each instruction stands; none in the outermost.
    around: Table<InstId, Option<InstId>>,
}

impl Readers {
    pub(super) fn new(body: &Body) -> Self {
        let mut around = Table::filled(None, body.insts.len());
        for (outer, inst) in body.insts.iter() {
            let inner = inst.regions.iter().flat_map(|region| &body.regions[*region].insts);
            inner.for_each(|inner| around[*inner] = Some(outer));
        }
        Self { uses: body.uses(), around }
    }

    /// The reductions that readers of a value ask for.
    pub(super) fn asked(&self, body: &Body, value: ValueId, device: &DeviceProgram) -> BTreeSet<Reduction> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            for (user, position) in &self.uses[value] {
                let inst = &body.insts[*user];
                match (&inst.op, self.around[*user], inst.regions.as_slice()) {
                    (Op::Return(_), Some(outer), _) => open.extend(body.insts[outer].results.get(*position)),
                    (Op::Return(_), None, _) => {
                        let partial =
                            device.results.get(*position).and_then(|(_, sharding)| sharding.partial);
                        found.extend(partial.map(|(reduction, _)| reduction));
                    }
                    (op, _, [combine]) if op.is_collective() => {
                        let combine = reducer(body, &body.regions[*combine]);
                        found.extend(combine.and_then(|binary| binary.reduction()));
                    }
                    (op, _, regions) => {
                        // A ring of permutes may combine what it passes on in any way.
                        if matches!(op, Op::CollectivePermute(_)) {
                            found.extend(REDUCTIONS);
                        }
                        open.extend(&inst.results);
                        let args = regions.iter().map(|region| &body.regions[*region].args);
                        open.extend(args.filter_map(|args| args.get(*position)));
                    }
                }
            }
        }
        found
    }
}
