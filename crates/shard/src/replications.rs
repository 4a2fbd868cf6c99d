//! Which instructions need a sharded operand whole on every device.
//!
//! Input: a function, what propagation made of its values, and the shardings that were settled. Output: each operand
//! that comes sharded along a dim of which the instruction's rule has no factor that can be sharded, so that the
//! instruction has to have all of the dim. What is computed from constants alone is whole at no cost and left out, and
//! so is what a strategy gathers because that is cheaper.

use crate::ValueShardings;
use meshwright_ir::diagnostic::{Check, Diagnostic};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Function, Regions};
use meshwright_plan::Shardings;
use meshwright_plan::shardings::sharded_insts;

/// An instruction needs a sharded operand whole.
pub const REPLICATED: Check = Check("replicated");

/// One such operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replication {
    /// The instruction.
    pub inst: InstId,
    /// Which operand.
    pub operand: usize,
    /// The dims that it needs whole.
    pub dims: Vec<usize>,
    /// The axes that shard them before.
    pub axes: AxisSet,
    /// Bytes of the operand on each device then.
    pub bytes: u64,
}

/// All of them, in execution order.
pub fn replications(function: &Function, values: &ValueShardings, shardings: &Shardings) -> Vec<Replication> {
    let body = &function.body;
    let mesh = &shardings.mesh;
    let free = computed_from_constants(body);
    let mut found = Vec::new();
    for inst in sharded_insts(body, body.entry()) {
        let view = body.view(inst);
        if view.regions() != Regions::OfElements || matches!(view.inst.op, Op::Return(_)) {
            continue;
        }
        let rule = view.inst.op.rule(&view);
        for (operand, value) in view.inst.operands.iter().enumerate().filter(|(_, value)| !free[**value]) {
            let Some(tensor) = body.ty(*value).as_tensor() else { continue };
            let given = &values.values[*value];
            let is_whole = |dim: &usize| {
                let kinds = rule.operands[operand][*dim].iter().map(|factor| rule.factors[*factor].kind);
                !given.dims[*dim].axes.is_empty() && kinds.into_iter().all(|kind| !kind.is_shardable())
            };
            let dims: Vec<usize> =
                (0..given.dims.len().min(rule.operands[operand].len())).filter(is_whole).collect();
            if !dims.is_empty() {
                let axes = dims.iter().flat_map(|dim| &given.dims[*dim].axes).collect();
                let needed = shardings.strategies[inst].operand_sharding(&rule, operand, mesh);
                let bytes = needed.local_type(tensor, mesh).num_bytes() as u64;
                found.push(Replication { inst, operand, dims, axes, bytes });
            }
        }
    }
    found
}

impl Replication {
    /// As a warning at the instruction's place. `bytes` are its bytes for people.
    pub fn warning(&self, body: &Body, mesh: &Mesh, bytes: &str) -> Diagnostic {
        let inst = &body.insts[self.inst];
        let axes = mesh.describe(&self.axes.iter().collect::<Vec<_>>()).join(", ");
        let dims: Vec<String> = self.dims.iter().map(usize::to_string).collect();
        let (name, dims, operand) = (inst.op.name(), dims.join(" and "), self.operand);
        let message = format!(
            "`{name}` needs dim {dims} of operand {operand} whole, which is sharded over {axes}: every device gets \
             {bytes}"
        );
        Diagnostic::warning(REPLICATED, inst.span, message)
            .hint("shard another dim of the operand, if it has one that the operation leaves alone")
    }
}

/// Whether each value is computed from nothing but constants, iotas and scalars.
fn computed_from_constants(body: &Body) -> Table<ValueId, bool> {
    let mut free = Table::filled(false, body.values.len());
    for inst in body.walk(body.entry()) {
        let view = body.view(inst);
        let is_scalar =
            |value: &ValueId| body.ty(*value).as_tensor().is_some_and(|tensor| tensor.rank() == 0);
        let all = view.inst.operands.iter().all(|value| free[*value] || is_scalar(value));
        let is_local = view.regions() == Regions::OfElements && !view.inst.op.is_collective();
        if all && is_local {
            view.inst.results.iter().for_each(|result| free[*result] = true);
        }
    }
    free
}
