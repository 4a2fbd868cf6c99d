//! What a program must be for it to be sharded: the program of the whole computation, in a form that is understood.
//!
//! Input: the program and its entry function with calls inlined. Errors: a module that says it is the program of one
//! device, what cannot be sharded yet, instructions that only make sense on one device of many, and shardings in a form
//! that would be ignored.
//!
//! `mhlo.num_replicas` above 1 says so: each replica runs the module on tensors of its own. `mhlo.num_partitions`
//! above 1 does not, since partitions share the tensors of the module; JAX writes it for whatever it lowers under a
//! mesh.

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, Inst, Program};

/// A program that cannot be sharded as it stands.
pub(crate) const NOT_GLOBAL: Check = Check("not-global");

/// Targets of GSPMD's custom calls.
const GSPMD_TARGETS: [&str; 3] = ["Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape"];

/// What to do about a program of one device.
const LOCAL_HINT: &str = "give the program as it was before it was partitioned; `meshwright run` runs a folder that `compile` wrote";

/// Whether `function`, the entry of `program`, computes the whole, with shardings in Shardy's form (or none).
pub(crate) fn must_be_global(program: &Program, function: &Function) -> Result<(), Diagnostics> {
    must_be_whole(program, function)?;
    let refused = meshwright_shard::refusals(function);
    if !refused.is_empty() {
        return Err(refused);
    }
    let mut problems = Vec::new();
    let body = &function.body;
    let insts = body.walk(body.entry()).into_iter().map(|inst| &body.insts[inst]);
    // What stands inside manual computations was written for one device.
    let has_manual = insts.clone().any(|inst| !inst.op.manual_axes().is_empty());
    let uses = body.uses();
    // A number that nobody reads does no harm.
    let is_idle = |inst: &&Inst| {
        matches!(inst.op, Op::DeviceId(_)) && inst.results.iter().all(|result| uses[*result].is_empty())
    };
    problems
        .extend(insts.filter(|inst| !is_idle(inst)).filter_map(|inst| problem(program, inst, has_manual)));
    let ends = function.arg_attributes.iter().zip(function.args()).enumerate();
    let arguments = ends.map(|(index, (attributes, value))| {
        (attributes, format!("argument {index}"), function.body.values[*value].span)
    });
    let results = function.result_attributes.iter().enumerate();
    let results = results
        .map(|(index, attributes)| (attributes, format!("result {index}"), function.result_span(index)));
    problems.extend(arguments.chain(results).filter(|(attributes, ..)| is_gspmd(attributes)).map(
        |(_, what, span)| {
            let message = format!("{what} carries a GSPMD sharding that is not used: {}", unused(program));
            Diagnostic::error(NOT_GLOBAL, span, message).hint(hint(program))
        },
    ));
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Whether the module is not that of one device, by what it says of itself.
pub(crate) fn must_be_whole(program: &Program, function: &Function) -> Result<(), Diagnostics> {
    let replicas = program.attributes.get("mhlo.num_replicas").and_then(Attr::as_int);
    if let Some(replicas) = replicas.filter(|replicas| *replicas > 1) {
        let message = format!(
            "the module is the program of one device of {replicas} (`mhlo.num_replicas = {replicas}`), not the whole \
             computation"
        );
        return Err(vec![Diagnostic::error(NOT_GLOBAL, function.span, message).hint(LOCAL_HINT)]);
    }
    Ok(())
}

const GSPMD_HINT: &str = "lower the program with Shardy (`jax.config.update(\"jax_use_shardy_partitioner\", True)`), \
                          which writes `sdy.sharding`, or remove them";

/// Why shardings in GSPMD's form are still there after reading.
fn unused(program: &Program) -> String {
    match program.meshes.first() {
        None => "no mesh follows from values that are on one device or each device's own".to_owned(),
        Some(decl) => format!(
            "the module declares the mesh `@{}`, so its shardings are those in Shardy's form (`sdy.sharding`)",
            decl.mesh.name
        ),
    }
}

/// What to do about them.
fn hint(program: &Program) -> &'static str {
    match program.meshes.is_empty() {
        true => GSPMD_HINT,
        false => "write it as `sdy.sharding` on that mesh too, or remove it",
    }
}

/// A module with `sdy.sharding` beside it says the same twice.
fn is_gspmd(attributes: &Attributes) -> bool {
    attributes.get("mhlo.sharding").is_some() && attributes.get("sdy.sharding").is_none()
}

fn problem(program: &Program, inst: &Inst, has_manual: bool) -> Option<Diagnostic> {
    let name = inst.op.name();
    if !has_manual && (inst.op.is_collective() || matches!(inst.op, Op::DeviceId(_))) {
        let message = format!("`{name}` belongs to the program of one device, not to the whole computation");
        return Some(Diagnostic::error(NOT_GLOBAL, inst.span, message).hint(LOCAL_HINT));
    }
    let is_gspmd_call =
        matches!(&inst.op, Op::CustomCall(call) if GSPMD_TARGETS.contains(&call.target.as_str()));
    if is_gspmd_call || is_gspmd(&inst.attributes) {
        let why = unused(program);
        let message = format!("`{name}` carries a GSPMD sharding that is not used: {why}");
        return Some(Diagnostic::error(NOT_GLOBAL, inst.span, message).hint(hint(program)));
    }
    None
}
