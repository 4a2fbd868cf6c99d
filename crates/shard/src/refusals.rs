//! What a program may hold, but the compiler cannot spread over devices yet. Input: a program and its entry function with
//! all calls inlined. Output: a diagnostic for each place, with what to do instead.

use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics};
use meshwright_ir::program::{Function, Program};

/// An instruction or attribute that is read and checked, but cannot be spread yet.
pub const UNSUPPORTED: Check = Check("unsupported");

/// Everything in the program that cannot be spread yet, each with its place.
pub fn refusals(program: &Program, function: &Function) -> Diagnostics {
    let manual =
        program.functions.iter().filter(|function| function.attributes.get("sdy.func_manual_axes").is_some());
    let of_functions = manual.map(|function| {
        let message = format!(
            "`@{}` is the program of one device along manual axes, which is not supported yet",
            function.name
        );
        Diagnostic::error(UNSUPPORTED, function.span, message)
            .hint("give the program as it was before manual axes")
    });
    let insts = function.body.walk(function.body.entry());
    let of_insts = insts.iter().map(|id| &function.body.insts[*id]).flat_map(|inst| {
        let refused = inst.op.refusal().map(|hint| {
            let message = format!("`{}` cannot be spread over devices yet", inst.op.name());
            Diagnostic::error(UNSUPPORTED, inst.span, message).hint(hint)
        });
        let given = inst.attributes.get("sdy.sharding_rule");
        let rule = given.filter(|_| !inst.op.is_partitioned_as_told()).map(|_| {
            let message = format!("`{}` is not partitioned by a rule of one's own yet", inst.op.name());
            Diagnostic::error(UNSUPPORTED, inst.span, message)
                .hint("remove `sdy.sharding_rule`; the op's own rule is used then")
        });
        refused.into_iter().chain(rule)
    });
    of_functions.chain(of_insts).collect()
}
