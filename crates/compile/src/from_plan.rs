//! What a plan decides of a program, and what its annotations decide.
//!
//! Input: a plan file, the program and its names. Output: [`Decisions`] ([`from_plan`], [`annotated`]). Propagation makes
//! them complete elsewhere; what comes out is held against what the plan says ([`agrees`]).

pub(crate) mod options;
mod version_1;

use meshwright_ir::diagnostic::{Diagnostic, Diagnostics};
use meshwright_ir::ids::{Id, InstId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::plan_file::codec::{self, PLAN};
use meshwright_plan::{Decisions, Names, PlanFile, Shardings, attributes, fingerprint};

use crate::error::CompileError;

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
    Err(CompileError::Plan(vec![Diagnostic::error(PLAN, plan.places.at("program"), message).hint(hint)]))
}

/// A plan names a kernel that its machine has not; `own` says what it has.
pub(crate) fn kernel_of_others(plan: &PlanFile, (kernel, own): (&str, &str), machine: &str) -> CompileError {
    let message = format!("the plan runs attentions by `{kernel}`, and `{machine}` has {own}");
    let hint = "plan for this machine, or without kernels (`--kernels off`)";
    CompileError::Plan(vec![Diagnostic::error(PLAN, plan.places.at("attention.kernel"), message).hint(hint)])
}

/// A plan names a kernel that is not known.
pub(crate) fn no_such_kernel(plan: &PlanFile, kernel: &str, known: &[&str]) -> CompileError {
    let message = format!("`attention.kernel`: there is no kernel `{kernel}`");
    let hint = format!("known are {}", known.join(", "));
    CompileError::Plan(vec![Diagnostic::error(PLAN, plan.places.at("attention.kernel"), message).hint(hint)])
}

/// What a plan decides: its own shardings of arguments, results and values inside, strategies and policies, and the
/// program's shardings of other values inside. The plan's mesh is `mesh`, and it was made for this program
/// ([`same_program`]).
///
/// # Errors
/// Names that are lost, arguments or results of other shapes, shardings that do not fit the mesh.
pub(crate) fn from_plan(
    plan: &PlanFile,
    program: &Program,
    function: &Function,
    mesh: &Mesh,
    names: &Names,
) -> Result<Decisions, CompileError> {
    let mut decisions = annotated(program, function, mesh)?;
    let mut problems = Diagnostics::new();
    problems.extend(codec::read(plan, function, mesh, names, &mut decisions).err().unwrap_or_default());
    problems.extend(version_1::read(plan, function, mesh, &mut decisions));
    let is_cut = !plan.stages.is_empty() || !plan.schedule.is_empty();
    problems.extend(is_cut.then(|| cut_into_stages(plan)));
    if problems.is_empty() { Ok(decisions) } else { Err(CompileError::Plan(problems)) }
}

/// What the annotations of a program decide.
///
/// # Errors
/// Those of [`attributes::read`]; stages, which have no meaning yet.
pub(crate) fn annotated(
    program: &Program,
    function: &Function,
    mesh: &Mesh,
) -> Result<Decisions, Diagnostics> {
    let mut decisions = attributes::read(program, function, mesh)?;
    // What is said to run in tiles does already.
    decisions.tiles.clear();
    let span = match decisions.stages.keys().next() {
        Some(inst) => function.body.insts[*inst].span,
        None if decisions.schedule.is_some() => function.span,
        None => return Ok(decisions),
    };
    let message = "the program is annotated with stages, which this release does not compile";
    let hint = format!("leave out `{}` and `{}`", attributes::STAGE, attributes::SCHEDULE);
    Err(vec![Diagnostic::error(attributes::ANNOTATION, span, message).hint(hint)])
}

/// Stages have no meaning for a compiler that makes one program of a step.
fn cut_into_stages(plan: &PlanFile) -> Diagnostic {
    let key = if plan.stages.is_empty() { "schedule" } else { "stages" };
    let message =
        format!("`{key}`: the plan cuts the program into stages, which this release does not compile");
    Diagnostic::error(PLAN, plan.places.at(key), message).hint("leave out `stages` and `schedule`")
}

/// Refuses a plan that contradicts itself: what it says of a value or an instruction (`fixed`) did not come out, since
/// something else that it says decides that too. A loop, for example, has one sharding for what it carries.
pub(crate) fn agrees(
    plan: &PlanFile,
    names: &Names,
    fixed: &Decisions,
    shardings: &Shardings,
) -> Result<(), CompileError> {
    let is_kept = |found: &Sharding, said: &Sharding| {
        let mut dims = found.dims.iter().zip(&said.dims);
        dims.all(|(found, said)| said.is_open || found.axes == said.axes)
    };
    let values = fixed.values.iter().filter(|(value, said)| !is_kept(&shardings.values[**value], said));
    let values = values.map(|(value, _)| (value_path(plan, names, *value), names.of_value(*value)));
    let insts = fixed.strategies.iter().filter(|(inst, said)| shardings.strategies[**inst] != **said);
    let insts = insts.map(|(inst, _)| (inst_path(plan, names, *inst), names.of_inst(*inst)));
    let problem = |(path, name): (String, &str)| {
        let message = format!("`{path}`: the plan contradicts itself about `{name}`");
        let hint = "something else that the plan decides, such as what a loop carries from turn to turn, leaves no such \
                    sharding: change both, or leave this entry out";
        Diagnostic::error(PLAN, plan.places.at(&path), message).hint(hint)
    };
    let problems: Diagnostics = values.chain(insts).map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(CompileError::Plan(problems)) }
}

/// The key of a plan that says the sharding of a value.
fn value_path(plan: &PlanFile, names: &Names, value: ValueId) -> String {
    let name = names.of_value(value);
    let named = plan.shardings.iter().position(|entry| entry.value == name);
    let numbered =
        || plan.numbered.as_ref()?.constraints.iter().position(|entry| entry.value == value.index());
    let named = named.map(|entry| format!("shardings[{entry}]"));
    let found = named.or_else(|| Some(format!("constraints[{}]", numbered()?)));
    found.unwrap_or_else(|| "arguments".to_owned())
}

/// The key of a plan that says the strategy of an instruction.
fn inst_path(plan: &PlanFile, names: &Names, inst: InstId) -> String {
    let name = names.of_inst(inst);
    let named = plan.op_strategies.iter().position(|entry| entry.instruction == name);
    let numbered =
        || plan.numbered.as_ref()?.spreads.iter().position(|entry| entry.instruction == inst.index());
    let named = named.map(|entry| format!("op_strategies[{entry}]"));
    let found = named.or_else(|| Some(format!("spreads[{}]", numbered()?)));
    found.unwrap_or_else(|| "op_strategies".to_owned())
}
