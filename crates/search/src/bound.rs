//! A time that no plan can beat: the roofline over all devices.
//!
//! Input: a function, its roles and a machine. Output: seconds. Every contraction's operations run somewhere, at no
//! more than the device's best rate, spread over all devices at best; and every argument that is read at all is read from memory once.
//! Loops count once, because their trip counts need not be known; so the bound is loose, but it is a bound.

use meshwright_ir::ids::{Table, ValueId};
use meshwright_ir::program::Function;
use meshwright_ir::types::Type;
use meshwright_machine::{ElementClass, FlopsPerSecond, Machine, Seconds};
use meshwright_plan::Roles;
use meshwright_plan::roles::contracted;

/// The arguments that some instruction reads whole, relabeled or not.
fn read_arguments(function: &Function) -> Vec<ValueId> {
    let body = &function.body;
    let mut argument_of: Table<ValueId, Option<ValueId>> = Table::filled(None, body.values.len());
    function.args().iter().for_each(|arg| argument_of[*arg] = Some(*arg));
    let mut read: Vec<ValueId> = Vec::new();
    for id in body.walk(body.entry()) {
        let view = body.view(id);
        let operands: Vec<Type> = view.operand_types().cloned().collect();
        let results: Vec<Type> = view.result_types().cloned().collect();
        let moved = view.inst.op.bytes(&operands, &results);
        for (operand, ty) in view.inst.operands.iter().zip(&operands) {
            let Some(argument) = argument_of[*operand] else { continue };
            match view.inst.results.as_slice() {
                // What only relabels gives the argument itself.
                [result] if moved == 0.0 => argument_of[*result] = Some(argument),
                _ if moved > 0.0 && moved >= ty.num_bytes() as f64 => read.push(argument),
                _ => {}
            }
        }
    }
    read.sort_unstable();
    read.dedup();
    read
}

/// The least time that a step can take.
pub fn roofline(function: &Function, roles: &Roles, machine: &Machine) -> Seconds {
    let body = &function.body;
    let devices = machine.num_devices() as f64;
    let types = |values: &[ValueId]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<_>>();
    let flops: f64 = roles
        .insts
        .iter()
        .filter(|id| !contracted(&roles.rules[**id]).is_empty())
        .map(|id| {
            let inst = &body.insts[*id];
            inst.op.flops(&types(&inst.operands), &types(&inst.results))
        })
        .sum();
    let classes =
        [ElementClass::F64, ElementClass::F32, ElementClass::Bf16, ElementClass::Fp8, ElementClass::Int8];
    let FlopsPerSecond(fastest) = classes
        .into_iter()
        .map(|class| machine.device.peak_flops(class))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .expect("there are classes");
    let bytes: f64 = read_arguments(function).iter().map(|arg| body.ty(*arg).num_bytes() as f64).sum();
    let compute = flops / (devices * fastest);
    let memory = bytes / (devices * machine.device.memory_bandwidth.0);
    Seconds(compute.max(memory))
}
