//! What a plan decides of a program: read again, made complete by propagation, and held against what it says.

mod version_1;

use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Span};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Def, Function, Program};
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
    let mut decisions = attributes::read(program, function, mesh)?;
    // What a plan says of arguments was made from their annotations, and more.
    let body = &function.body;
    decisions.values.retain(
        |value, _| !matches!(body.values[*value].def, Def::Argument(region, _) if region == body.entry()),
    );
    let mut problems = Diagnostics::new();
    problems.extend(codec::read(plan, function, mesh, names, &mut decisions).err().unwrap_or_default());
    if let Some(numbered) = &plan.numbered {
        problems.extend(version_1::read(numbered, function, mesh, &mut decisions));
    }
    let is_cut = !decisions.stages.is_empty() || decisions.schedule.is_some();
    problems.extend(is_cut.then(|| cut_into_stages(plan)));
    if problems.is_empty() { Ok(decisions) } else { Err(CompileError::Plan(problems)) }
}

/// Stages have no meaning for a compiler that makes one program of a step.
fn cut_into_stages(plan: &PlanFile) -> Diagnostic {
    let key = if plan.stages.is_empty() { "schedule" } else { "stages" };
    let message =
        format!("`{key}`: the plan cuts the program into stages, which this release does not compile");
    Diagnostic::error(PLAN, plan.places.at(key), message).hint("leave out `stages` and `schedule`")
}

/// Refuses a plan that contradicts itself: what it says of a value or an instruction did not come out, since something
/// else that it says decides that too. A loop, for example, has one sharding for what it carries.
pub(crate) fn agrees(
    plan: &PlanFile,
    function: &Function,
    names: &Names,
    shardings: &Shardings,
) -> Result<(), CompileError> {
    let mesh = &shardings.mesh;
    let mut wanted = Decisions::on(mesh, function);
    // What is wrong with names was said when it was read.
    let _ = codec::read(plan, function, mesh, names, &mut wanted);
    let wrong_values = wanted.values.iter().filter(|(value, sharding)| {
        let found = &shardings.values[**value];
        !found.dim_axes().eq(sharding.dim_axes())
    });
    let wrong_values = wrong_values.map(|(value, _)| names.of_value(*value));
    let wrong_insts =
        wanted.strategies.iter().filter(|(inst, wanted)| shardings.strategies[**inst] != **wanted);
    let wrong_insts = wrong_insts.map(|(inst, _)| names.of_inst(*inst));
    let said = |name: &str| {
        let value = plan.shardings.iter().position(|entry| entry.value == name);
        let inst = || plan.op_strategies.iter().position(|entry| entry.instruction == name);
        let value = value.map(|index| format!("shardings[{index}]"));
        value.or_else(|| inst().map(|index| format!("op_strategies[{index}]")))
    };
    let problem = |name: &str| {
        let path = said(name).unwrap_or_else(|| "arguments".to_owned());
        let message = format!("`{path}`: the plan contradicts itself about `{name}`");
        let hint = "something else that the plan decides, such as what a loop carries from turn to turn, leaves no such \
                    sharding: change both, or leave this entry out";
        Diagnostic::error(PLAN, plan.places.at(&path), message).hint(hint)
    };
    let problems: Diagnostics = wrong_values.chain(wrong_insts).map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(CompileError::Plan(problems)) }
}

/// An error of the plan as a whole.
fn error(message: String) -> Diagnostic {
    Diagnostic::error(PLAN, Span::NONE, message)
}
