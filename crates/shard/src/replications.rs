//! Which instructions have a sharded operand whole on every device.
//!
//! Input: a function, what propagation made of its values, and the shardings that were settled. Output: each operand
//! that comes sharded along a dim of which the instruction's rule has no factor that can be sharded, so that the
//! instruction has to have all of the dim; and each operand that is gathered along a dim whose parts could be sent where
//! they are needed (slices, rotations), because that costs less. What is computed from constants alone is whole at no
//! cost and left out, and so is what is gathered where the results are no smaller or where no parts could be sent.

use crate::ValueShardings;
use meshwright_ir::diagnostic::{Check, Diagnostic};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Function, Regions};
use meshwright_ir::rule::FactorKind;
use meshwright_plan::Shardings;
use meshwright_plan::shardings::sharded_insts;

/// An instruction needs a sharded operand whole.
pub const REPLICATED: Check = Check("replicated");

/// Why an operand is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The instruction cannot do with less.
    Needed,
    /// Sending the parts that are needed costs more.
    Cheaper,
}

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
    /// Why.
    pub reason: Reason,
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
            let kinds =
                |dim: usize| rule.operands[operand][dim].iter().map(|factor| rule.factors[*factor].kind);
            let is_whole = |dim: &usize| {
                !given.dims[*dim].axes.is_empty() && kinds(*dim).all(|kind| !kind.is_shardable())
            };
            let rank = given.dims.len().min(rule.operands[operand].len());
            let mut dims: Vec<usize> = (0..rank).filter(is_whole).collect();
            let needed = shardings.strategies[inst].operand_sharding(&rule, operand, mesh);
            let bytes = needed.local_type(tensor, mesh).num_bytes() as u64;
            let (mut held, mut reason) = (given, Reason::Needed);
            if dims.is_empty() && bytes > bytes_of_results(body, inst, shardings) {
                (held, reason) = (&shardings.values[*value], Reason::Cheaper);
                let moves =
                    |kind| matches!(kind, FactorKind::Permuted | FactorKind::Halo | FactorKind::Sliced);
                let is_gathered = |dim: &usize| {
                    let is_sharded = !held.dims[*dim].axes.is_empty() && needed.dims[*dim].axes.is_empty();
                    is_sharded && kinds(*dim).any(moves)
                };
                dims = (0..rank).filter(is_gathered).collect();
            }
            if !dims.is_empty() {
                let axes = dims.iter().flat_map(|dim| &held.dims[*dim].axes).collect();
                found.push(Replication { inst, operand, dims, axes, bytes, reason });
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
        let what = match self.reason {
            Reason::Needed => "needs",
            Reason::Cheaper => "gathers",
        };
        let kernel = match &inst.op {
            Op::CustomCall(call) => format!(" of @{}", call.target),
            _ => String::new(),
        };
        let message = format!(
            "`{name}`{kernel} {what} dim {dims} of operand {operand} whole, which is sharded over {axes}: every device \
             gets {bytes}"
        );
        Diagnostic::warning(REPLICATED, inst.span, message).hint(match self.reason {
            Reason::Needed if !kernel.is_empty() => {
                "say which dims of operands and results belong together: give the call an `sdy.sharding_rule`"
            }
            Reason::Needed => "shard another dim of the operand, if it has one that the operation leaves alone",
            Reason::Cheaper => {
                "sending each device only what it needs would cost more; shard the result likewise, or another dim"
            }
        })
    }
}

/// Bytes of the results of an instruction on each device.
fn bytes_of_results(body: &Body, inst: InstId, shardings: &Shardings) -> u64 {
    let local = |value: &ValueId| {
        let tensor = body.ty(*value).as_tensor()?;
        Some(shardings.values[*value].local_type(tensor, &shardings.mesh).num_bytes() as u64)
    };
    body.insts[inst].results.iter().filter_map(local).sum()
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
