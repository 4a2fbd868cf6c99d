//! Decisions of plans of version 1, which name what is inside the program by its number in the entry function with all
//! calls inlined.

use meshwright_ir::diagnostic::{Diagnostic, Diagnostics};
use meshwright_ir::ids::{Id, InstId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::attributes::strategy;
use meshwright_plan::plan_file::codec::PLAN;
use meshwright_plan::plan_file::version_1::{Anew, Constraint, Spread};
use meshwright_plan::{Decisions, PlanFile, Policy, Use, axes};

/// What is wrong with an entry: its key, and why.
struct Problem {
    key: &'static str,
    message: String,
    hint: Option<String>,
}

impl Problem {
    fn new(key: &'static str, message: String) -> Self {
        Self { key, message, hint: None }
    }

    /// The error of an entry, at its key.
    fn error(self, plan: &PlanFile, list: &str, index: usize) -> Diagnostic {
        let path = format!("{list}[{index}].{}", self.key);
        let mut error = Diagnostic::error(PLAN, plan.places.at(&path), format!("`{path}`: {}", self.message));
        error.hints.extend(self.hint);
        error
    }
}

/// Adds what a plan decides by number. Returns what does not fit.
pub(super) fn read(
    plan: &PlanFile,
    function: &Function,
    mesh: &Mesh,
    decisions: &mut Decisions,
) -> Diagnostics {
    let mut problems = Diagnostics::new();
    let Some(numbered) = &plan.numbered else { return problems };
    for (index, entry) in numbered.constraints.iter().enumerate() {
        match sharding(entry, function, mesh) {
            Ok((value, sharding)) => drop(decisions.values.insert(value, sharding)),
            Err(problem) => problems.push(problem.error(plan, "constraints", index)),
        }
    }
    for (index, entry) in numbered.spreads.iter().enumerate() {
        match op_strategy(entry, function, mesh) {
            Ok((inst, strategy)) => drop(decisions.strategies.insert(inst, strategy)),
            Err(problem) => problems.push(problem.error(plan, "spreads", index)),
        }
    }
    for (index, entry) in numbered.anew.iter().enumerate() {
        match gathered_again(entry, function) {
            Ok(group) => decisions.policies.set(group, Policy::GatherAgain),
            Err(problem) => problems.push(problem.error(plan, "anew", index)),
        }
    }
    problems
}

fn sharding(entry: &Constraint, function: &Function, mesh: &Mesh) -> Result<(ValueId, Sharding), Problem> {
    let values = &function.body.values;
    let Constraint { value: number, shape, .. } = entry;
    if *number >= values.len() {
        let message = format!("the program has {} values, but not {number}", values.len());
        return Err(Problem::new("value", message));
    }
    let value = ValueId::from_index(*number);
    let own = values[value].ty.as_tensor().map(|tensor| tensor.shape.as_slice());
    if own != Some(shape.as_slice()) {
        let own = &values[value].ty;
        let message = format!("value {number} is {shape:?} in the plan, but {own} in the program");
        return Err(Problem::new("shape", message));
    }
    let sharding = axes::resolve(&entry.sharding, mesh, shape).map_err(|found| {
        let message = format!("value {number}: {}", found.message);
        Problem { hint: Some(found.hint), ..Problem::new("sharding", message) }
    })?;
    Ok((value, sharding))
}

fn op_strategy(entry: &Spread, function: &Function, mesh: &Mesh) -> Result<(InstId, Strategy), Problem> {
    let Spread { instruction, op, factors, .. } = entry;
    let inst = numbered_instruction(function, *instruction, op)?;
    let strategy = strategy(function, inst, factors, mesh)
        .map_err(|why| Problem::new("factors", format!("instruction {instruction} (`{op}`): {why}")))?;
    Ok((inst, strategy))
}

fn gathered_again(entry: &Anew, function: &Function) -> Result<Use, Problem> {
    let Anew { instruction, op, operand, .. } = entry;
    let reader = numbered_instruction(function, *instruction, op)?;
    let operands = &function.body.insts[reader].operands;
    let value = operands.get(*operand).ok_or_else(|| {
        let message = format!("instruction {instruction} (`{op}`) has {} operands", operands.len());
        Problem::new("operand", message)
    })?;
    Ok(Use { reader, value: *value })
}

/// The instruction of this number, which has to be of this op.
fn numbered_instruction(function: &Function, number: usize, op: &str) -> Result<InstId, Problem> {
    let insts = &function.body.insts;
    if number >= insts.len() || insts[InstId::from_index(number)].op.name() != op {
        return Err(Problem::new(
            "instruction",
            format!("the program has no `{op}` as instruction {number}"),
        ));
    }
    Ok(InstId::from_index(number))
}
