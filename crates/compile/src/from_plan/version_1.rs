//! Decisions of plans of version 1, which name what is inside the program by its number in the entry function with all
//! calls inlined.

use meshwright_ir::diagnostic::{Diagnostic, Diagnostics};
use meshwright_ir::ids::{Id, InstId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::attributes::strategy;
use meshwright_plan::plan_file::Numbered;
use meshwright_plan::plan_file::version_1::{Anew, Constraint, Spread};
use meshwright_plan::{Decisions, Policy, Use, axes};

use super::error;

/// Adds what is decided by number. Returns what does not fit.
pub(super) fn read(
    numbered: &Numbered,
    function: &Function,
    mesh: &Mesh,
    decisions: &mut Decisions,
) -> Diagnostics {
    let mut problems = Diagnostics::new();
    for (index, entry) in numbered.constraints.iter().enumerate() {
        match sharding(entry, function, mesh) {
            Ok((value, sharding)) => drop(decisions.values.insert(value, sharding)),
            Err(problem) => problems.push(problem.hint(format!("this is entry {index} of \"constraints\""))),
        }
    }
    for (index, entry) in numbered.spreads.iter().enumerate() {
        match op_strategy(entry, function, mesh) {
            Ok((inst, strategy)) => drop(decisions.strategies.insert(inst, strategy)),
            Err(problem) => problems.push(problem.hint(format!("this is entry {index} of \"spreads\""))),
        }
    }
    for (index, entry) in numbered.anew.iter().enumerate() {
        match gathered_again(entry, function) {
            Ok(group) => decisions.policies.set(group, Policy::GatherAgain),
            Err(problem) => problems.push(problem.hint(format!("this is entry {index} of \"anew\""))),
        }
    }
    problems
}

fn sharding(entry: &Constraint, function: &Function, mesh: &Mesh) -> Result<(ValueId, Sharding), Diagnostic> {
    let values = &function.body.values;
    let Constraint { value: number, shape, .. } = entry;
    if *number >= values.len() {
        return Err(error(format!("the program has {} values, but not {number}", values.len())));
    }
    let value = ValueId::from_index(*number);
    let own = values[value].ty.as_tensor().map(|tensor| tensor.shape.as_slice());
    if own != Some(shape.as_slice()) {
        let own = &values[value].ty;
        return Err(error(format!("value {number} is {shape:?} in the plan, but {own} in the program")));
    }
    let sharding = axes::resolve(&entry.sharding, mesh, shape)
        .map_err(|found| error(format!("value {number}: {}", found.message)).hint(found.hint))?;
    Ok((value, sharding))
}

fn op_strategy(entry: &Spread, function: &Function, mesh: &Mesh) -> Result<(InstId, Strategy), Diagnostic> {
    let Spread { instruction, op, factors, .. } = entry;
    let inst = numbered_instruction(function, *instruction, op)?;
    let strategy = strategy(function, inst, factors, mesh)
        .map_err(|why| error(format!("instruction {instruction} (`{op}`): {why}")))?;
    Ok((inst, strategy))
}

fn gathered_again(entry: &Anew, function: &Function) -> Result<Use, Diagnostic> {
    let Anew { instruction, op, operand, .. } = entry;
    let reader = numbered_instruction(function, *instruction, op)?;
    let operands = &function.body.insts[reader].operands;
    let value = operands.get(*operand).ok_or_else(|| {
        error(format!("instruction {instruction} (`{op}`) has {} operands", operands.len()))
    })?;
    Ok(Use { reader, value: *value })
}

/// The instruction of this number, which has to be of this op.
fn numbered_instruction(function: &Function, number: usize, op: &str) -> Result<InstId, Diagnostic> {
    let insts = &function.body.insts;
    if number >= insts.len() || insts[InstId::from_index(number)].op.name() != op {
        return Err(error(format!("the program has no `{op}` as instruction {number}")));
    }
    Ok(InstId::from_index(number))
}
