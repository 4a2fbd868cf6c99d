//! Checks that a program is well formed. What it checks:
//!
//! - V1: the region of every function with a body ends with a terminator, and no other instruction is one; that of an
//!   instruction ends with `stablehlo.return` (those of `sdy` ask for their own);
//! - V2: a function returns values of its result types;
//! - V3: an instruction's operands are defined before it, in its region or one around it;
//! - V4: every call names a function of the program, with its argument and result types, and calls do not recurse,
//!   nest absurdly deep or multiply ([`crate::calls`]);
//! - V5: every instruction obeys its op's own rules (each op's file lists them by the specification's numbers);
//! - V6: every sharding and other `sdy` attribute fits its mesh and what it is attached to ([`crate::sdy::verify`]);
//! - V7: the attribute lists of arguments and results are as long as the arguments and results.

use crate::calls::{self, Functions};
use crate::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use crate::ids::{RegionId, Table, ValueId};
use crate::op::{Op, Violations};
use crate::program::{Function, Program};
use crate::scope::Scope;
use crate::sdy;
use crate::sharding::{Sharding, ShardingAttr, ShardingError};
use meshwright_tensor::types::Type;

/// An instruction breaks a rule of its op.
pub const OP: Check = Check("op");
/// The program's structure is broken: terminators, scopes, calls, results.
pub const STRUCTURE: Check = Check("structure");
/// A sharding does not fit its mesh or its tensor.
pub const SHARDING: Check = Check("sharding");

/// Checks a program. Errors: every rule that is broken, with its place.
pub fn verify(program: &Program) -> Result<(), Diagnostics> {
    let mut diagnostics = Vec::new();
    let functions = Functions::of(program);
    for function in &program.functions {
        verify_function(&functions, function, &mut diagnostics);
    }
    calls::check(&functions, &mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    if diagnostics.is_empty() { Ok(()) } else { Err(diagnostics) }
}

fn verify_function(program: &Functions<'_>, function: &Function, out: &mut Diagnostics) {
    let body = &function.body;
    let consistent = function.arg_attributes.len() == function.args().len()
        && function.result_attributes.len() == function.result_types.len();
    if !consistent {
        out.push(Diagnostic::error(
            STRUCTURE,
            function.span,
            "attribute lists do not match arguments and results",
        ));
    }
    let mut scope = Scope::new(program, function);
    if !function.is_declaration {
        let mut defined = Table::filled(false, body.values.len());
        verify_region(&mut scope, body.entry(), &mut defined, out);
    }
    if let Some(terminator) = body.terminator(body.entry()) {
        let returned: Vec<&Type> = terminator.operands.iter().map(|value| body.ty(*value)).collect();
        if !returned.iter().copied().eq(&function.result_types) {
            let list = |types: &[&Type]| types.iter().map(|ty| ty.to_string()).collect::<Vec<_>>().join(", ");
            let declared: Vec<&Type> = function.result_types.iter().collect();
            let message = format!(
                "`@{}` returns ({}), but is declared to return ({})",
                function.name,
                list(&returned),
                list(&declared)
            );
            out.push(Diagnostic::error(STRUCTURE, terminator.span, message));
        }
    }
    let arguments = function.args().iter().map(|value| (body.ty(*value), body.values[*value].span));
    for ((ty, span), attributes) in arguments.zip(&function.arg_attributes) {
        if let Err(error) = sdy::verify::of_value(attributes, ty, &scope) {
            out.push(Diagnostic::error(SHARDING, span, error.message).hint(error.hint));
        }
    }
    for (index, (ty, attributes)) in function.result_types.iter().zip(&function.result_attributes).enumerate()
    {
        if let Err(error) = sdy::verify::of_value(attributes, ty, &scope) {
            let message = format!("result {index} of `@{}`: {}", function.name, error.message);
            out.push(Diagnostic::error(SHARDING, function.result_span(index), message).hint(error.hint));
        }
    }
}

/// Resolves a sharding written in the program for a value of type `ty`.
/// Errors: a mesh that is not declared, and what [`Sharding::resolve`] lists.
pub fn resolve(
    program: &Program,
    sharding: &ShardingAttr,
    ty: &Type,
    span: Span,
) -> Result<Sharding, Box<Diagnostic>> {
    let Some(mesh) = program.resolve_mesh(&sharding.mesh) else {
        let message = format!("the mesh `{}` is not declared", sharding.mesh);
        let hint = "declare it at the top of the module: sdy.mesh @mesh = <[\"data\"=2, \"model\"=4]>";
        return Err(Box::new(Diagnostic::error(SHARDING, span, message).hint(hint)));
    };
    let Some(tensor) = ty.as_tensor() else {
        return Err(Box::new(Diagnostic::error(SHARDING, span, format!("a {ty} cannot be sharded"))));
    };
    Sharding::resolve(sharding, mesh, &tensor.shape)
        .map_err(|error| Box::new(Diagnostic::error(SHARDING, span, error.message).hint(error.hint)))
}

fn verify_region(
    scope: &mut Scope<'_>,
    region: RegionId,
    defined: &mut Table<ValueId, bool>,
    out: &mut Diagnostics,
) {
    let function = scope.function;
    let body = &function.body;
    for arg in &body.regions[region].args {
        defined[*arg] = true;
    }
    let insts = &body.regions[region].insts;
    if !insts.last().is_some_and(|last| matches!(body.insts[*last].op, Op::Return(_))) {
        let span = insts.last().map_or(function.span, |last| body.insts[*last].span);
        let hint = "end it with `return` in a function, `stablehlo.return` in a region";
        out.push(Diagnostic::error(STRUCTURE, span, "the region does not end with a return").hint(hint));
    } else if let (Some(last), Some(owner)) = (body.terminator(region), scope.around.last()) {
        let (owner, found) = (body.insts[*owner].op.name(), last.op.name());
        if found != "stablehlo.return" && !owner.starts_with("sdy.") {
            let message = format!("a region of `{owner}` ends with `{found}`");
            let diagnostic = Diagnostic::error(STRUCTURE, last.span, message);
            out.push(diagnostic.hint("end it with `stablehlo.return`"));
        }
    }
    for (position, id) in insts.iter().enumerate() {
        let view = body.view(*id);
        let inst = view.inst;
        if matches!(inst.op, Op::Return(_)) && position + 1 != insts.len() {
            out.push(Diagnostic::error(STRUCTURE, inst.span, "a return before the end of its region"));
        }
        for operand in &inst.operands {
            if !defined[*operand] {
                out.push(Diagnostic::error(
                    STRUCTURE,
                    inst.span,
                    format!("{operand:?} is used before it is defined"),
                ));
            }
        }
        scope.around.push(*id);
        for inner in &inst.regions {
            verify_region(scope, *inner, defined, out);
        }
        scope.around.pop();
        let mut violations = Violations::default();
        inst.op.verify(&view, &mut violations);
        if violations.messages.is_empty() {
            inst.op.verify_in(&view, scope, &mut violations);
        }
        sdy::verify::of_instruction(&view, scope, &mut violations);
        let name = inst.op.name();
        out.extend(violations.shardings.into_iter().map(|ShardingError { message, hint }| {
            let diagnostic = Diagnostic::error(SHARDING, inst.span, message);
            if hint.is_empty() { diagnostic } else { diagnostic.hint(hint) }
        }));
        out.extend(
            violations
                .messages
                .into_iter()
                .map(|message| Diagnostic::error(OP, inst.span, format!("`{name}`: {message}"))),
        );
        for result in &inst.results {
            defined[*result] = true;
        }
    }
    // Values of this region are not visible outside it.
    for value in
        body.regions[region].args.iter().chain(insts.iter().flat_map(|inst| &body.insts[*inst].results))
    {
        if region != body.entry() {
            defined[*value] = false;
        }
    }
}
