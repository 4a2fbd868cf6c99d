//! What passes and the checker ask of a local program: whom a collective joins, and which shard a device cuts out.

pub(crate) mod devices;
pub(crate) mod scalars;

use devices::{Members, axes_of_positions, members};
use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::collective::ReplicaGroups;
use meshwright_ir::program::{Body, Def, InstView};
use scalars::{Integers, PerDevice, Scalars};
use std::cell::RefCell;
use std::collections::HashMap;

/// How deep the arithmetic on a device's own number may nest.
const DEEPEST: usize = 64;

/// Facts on one body, worked out when they are asked for.
pub(crate) struct LocalFacts<'a> {
    body: &'a Body,
    mesh: &'a Mesh,
    members: RefCell<HashMap<ReplicaGroups, Members>>,
    scalars: RefCell<Scalars>,
    asked: RefCell<Table<ValueId, bool>>,
}

/// A slice that is this device's shard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnSlice {
    /// The dim that is cut.
    pub(crate) dim: usize,
    /// The axes along which the shards lie, major first.
    pub(crate) axes: Vec<SubAxisId>,
    /// Where it starts.
    pub(crate) start: ValueId,
}

impl<'a> LocalFacts<'a> {
    pub(crate) fn new(body: &'a Body, mesh: &'a Mesh) -> Self {
        Self {
            body,
            mesh,
            members: RefCell::default(),
            scalars: RefCell::new(Table::filled(None, body.values.len())),
            asked: RefCell::new(Table::filled(false, body.values.len())),
        }
    }

    /// The axes along which the groups of a collective run, major first.
    pub(crate) fn along(&self, op: &Op) -> Option<Vec<SubAxisId>> {
        let groups = &op.participants()?.groups;
        let mut known = self.members.borrow_mut();
        let found = known.entry(groups.clone()).or_insert_with(|| members(&groups.groups(), self.mesh));
        match found {
            Members::Along(axes) => Some(axes.clone()),
            Members::Across(_) => None,
        }
    }

    /// Whether an instruction cuts this device's shard out of its operand, along one dim.
    pub(crate) fn own_slice(&self, view: &InstView<'_>) -> Option<OwnSlice> {
        let Op::DynamicSlice(slice) = &view.inst.op else { return None };
        let whole = &view.operand(0).shape;
        let mut cut = (0..whole.len()).filter(|dim| slice.sizes[*dim] != whole[*dim]);
        let (Some(dim), None) = (cut.next(), cut.next()) else { return None };
        let (start, size) = (*view.inst.operands.get(dim + 1)?, slice.sizes[dim] as i64);
        let starts = self.integers(start)?;
        let at = |start: &i64| (size > 0 && start % size == 0).then(|| start / size);
        let positions: Vec<i64> = starts.values.iter().map(at).collect::<Option<_>>()?;
        let axes = axes_of_positions(&positions, &starts.grid)?;
        // Shards that do not fill the dim are windows of another kind.
        (self.mesh.product(&axes) * slice.sizes[dim] == whole[dim]).then_some(OwnSlice { dim, axes, start })
    }

    /// The integer that a scalar is on each device, if that is known and not the same on all.
    fn integers(&self, value: ValueId) -> Option<Integers> {
        self.work_out(value, 0);
        self.scalars.borrow()[value].as_ref().and_then(PerDevice::integers)
    }

    fn work_out(&self, value: ValueId, depth: usize) {
        if depth > DEEPEST || std::mem::replace(&mut self.asked.borrow_mut()[value], true) {
            return;
        }
        if let Def::Result(inst, _) = self.body.values[value].def {
            let view = self.body.view(inst);
            view.inst.operands.iter().for_each(|operand| self.work_out(*operand, depth + 1));
            scalars::evaluate(&view, &mut self.scalars.borrow_mut(), self.mesh);
        }
    }
}

/// The instruction that defines a value, if one does.
pub(crate) fn definition(body: &Body, value: ValueId) -> Option<InstView<'_>> {
    match body.values[value].def {
        Def::Result(inst, _) => Some(body.view(inst)),
        Def::Argument(..) => None,
    }
}
