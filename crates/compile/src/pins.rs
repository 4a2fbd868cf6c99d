//! What is decided before propagation begins: the program's annotations, or a plan made earlier.

use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::{Id, InstId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Def, Function, Program};
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::plan_file::{PlanAnew, PlanSpread, PlanTensor};
use meshwright_plan::{PlanFile, axes, fingerprint};
use meshwright_shard::{Seeds, seeds_from_annotations, strategy};
use meshwright_tensor::types::Type;

use crate::error::CompileError;

/// A plan does not fit the program.
pub(crate) const PLAN: Check = Check("plan");

/// Refuses a plan of another program than `original`, the program as it was read.
pub(crate) fn same_program(plan: &PlanFile, original: &Program) -> Result<(), CompileError> {
    let found = fingerprint(original);
    if plan.program == found {
        return Ok(());
    }
    let message = format!(
        "the plan was made for another program (that one's fingerprint is {}, this one's {found})",
        plan.program
    );
    let hint = "make a plan for this program: `meshwright plan MODEL --machine M -o plan.json`";
    Err(CompileError::Plan(vec![Diagnostic::error(PLAN, Span::NONE, message).hint(hint)]))
}

/// The shardings that a plan fixes: its own of arguments, results and constraints, and the program's of values in
/// between. The plan's mesh is `mesh`, and it was made for this program ([`same_program`]).
///
/// # Errors
/// Arguments or results of other shapes; shardings that do not fit the mesh.
pub(crate) fn from_plan(
    plan: &PlanFile,
    program: &Program,
    function: &Function,
    mesh: &Mesh,
) -> Result<Seeds, CompileError> {
    let mut problems = Diagnostics::new();
    let mut seeds = seeds_from_annotations(program, function, mesh)?;
    // What a plan says of arguments was made from their annotations, and more.
    let body = &function.body;
    seeds.values.retain(
        |(value, _)| !matches!(body.values[*value].def, Def::Argument(region, _) if region == body.entry()),
    );
    let arguments: Vec<&Type> = function.args().iter().map(|value| body.ty(*value)).collect();
    for (value, sharding) in
        function.args().iter().zip(tensors("argument", &plan.arguments, &arguments, mesh, &mut problems))
    {
        seeds.values.extend(sharding.map(|sharding| (*value, sharding)));
    }
    let results: Vec<&Type> = function.result_types.iter().collect();
    seeds.results = tensors("result", &plan.results, &results, mesh, &mut problems);
    for (index, constraint) in plan.constraints.iter().enumerate() {
        match constrained(constraint, function, mesh) {
            Ok(seed) => seeds.values.push(seed),
            Err(problem) => problems.push(problem.hint(format!("this is entry {index} of \"constraints\""))),
        }
    }
    for (index, spread) in plan.spreads.iter().enumerate() {
        match spread_as_planned(spread, function, mesh) {
            Ok(seed) => seeds.strategies.push(seed),
            Err(problem) => problems.push(problem.hint(format!("this is entry {index} of \"spreads\""))),
        }
    }
    for (index, PlanAnew { instruction, op, operand, .. }) in plan.anew.iter().enumerate() {
        let found = planned_instruction(function, *instruction, op).and_then(|inst| {
            let count = function.body.insts[inst].operands.len();
            let why = || error(format!("instruction {instruction} (`{op}`) has {count} operands"));
            if *operand < count { Ok((inst, *operand)) } else { Err(why()) }
        });
        match found {
            Ok(seed) => seeds.anew.push(seed),
            Err(problem) => problems.push(problem.hint(format!("this is entry {index} of \"anew\""))),
        }
    }
    seeds.anew.sort_unstable();
    seeds.anew.dedup();
    if problems.is_empty() { Ok(seeds) } else { Err(CompileError::Plan(problems)) }
}

/// The instruction of this number, which has to be of this op.
fn planned_instruction(function: &Function, number: usize, op: &str) -> Result<InstId, Diagnostic> {
    let insts = &function.body.insts;
    if number >= insts.len() || insts[InstId::from_index(number)].op.name() != op {
        return Err(error(format!("the program has no `{op}` as instruction {number}")));
    }
    Ok(InstId::from_index(number))
}

fn spread_as_planned(
    spread: &PlanSpread,
    function: &Function,
    mesh: &Mesh,
) -> Result<(InstId, Strategy), Diagnostic> {
    let number = spread.instruction;
    let inst = planned_instruction(function, number, &spread.op)?;
    let strategy = strategy(function, inst, &spread.factors, mesh)
        .map_err(|why| error(format!("instruction {number} (`{}`): {why}", spread.op)))?;
    Ok((inst, strategy))
}

fn error(message: String) -> Diagnostic {
    Diagnostic::error(PLAN, Span::NONE, message)
}

/// The sharding of each argument or result, by position; none where the plan says nothing of it.
fn tensors(
    kind: &str,
    planned: &[PlanTensor],
    types: &[&Type],
    mesh: &Mesh,
    problems: &mut Diagnostics,
) -> Vec<Option<Sharding>> {
    let mut shardings = vec![None; types.len()];
    for tensor in planned {
        let name = tensor.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
        let label = format!("{kind} {}{name}", tensor.index);
        let Some(ty) = types.get(tensor.index) else {
            problems
                .push(error(format!("the plan has {label}, but the program has {} {kind}s", types.len())));
            continue;
        };
        if shardings[tensor.index].is_some() {
            problems.push(error(format!("the plan has {label} twice")));
            continue;
        }
        let Some(own) = ty.as_tensor() else { continue };
        if own.shape != tensor.shape || own.element.name() != tensor.element {
            let planned = format!("{:?} of {}", tensor.shape, tensor.element);
            problems.push(error(format!("{label} is {planned} in the plan, but {own} in the program")));
            continue;
        }
        match axes::resolve(&tensor.sharding, mesh, &tensor.shape) {
            Ok(sharding) => shardings[tensor.index] = Some(sharding),
            Err(found) => problems.push(error(format!("{label}: {}", found.message)).hint(found.hint)),
        }
    }
    shardings
}

fn constrained(
    constraint: &meshwright_plan::plan_file::PlanConstraint,
    function: &Function,
    mesh: &Mesh,
) -> Result<(ValueId, Sharding), Diagnostic> {
    let values = &function.body.values;
    let value =
        Some(constraint.value).filter(|value| *value < values.len()).map(ValueId::from_index).ok_or_else(
            || error(format!("the program has {} values, but not {}", values.len(), constraint.value)),
        )?;
    let shape = values[value].ty.as_tensor().map(|tensor| tensor.shape.as_slice());
    if shape != Some(constraint.shape.as_slice()) {
        let message = format!(
            "value {} is {:?} in the plan, but {} in the program",
            constraint.value, constraint.shape, values[value].ty
        );
        return Err(error(message));
    }
    let sharding = axes::resolve(&constraint.sharding, mesh, &constraint.shape)
        .map_err(|found| error(format!("value {}: {}", constraint.value, found.message)).hint(found.hint))?;
    Ok((value, sharding))
}
