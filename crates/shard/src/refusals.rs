//! What a program may hold, but the compiler cannot shard over devices yet. Input: the entry function with
//! all calls inlined. Output: a diagnostic for each place, with what to do instead.

use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics};
use meshwright_ir::program::Function;

/// An instruction that is read and checked, but cannot be sharded yet.
pub const UNSUPPORTED: Check = Check("unsupported");

/// Everything in the function that cannot be sharded yet, each with its place.
pub fn refusals(function: &Function) -> Diagnostics {
    let insts = function.body.walk(function.body.entry());
    let refused = insts.iter().map(|id| &function.body.insts[*id]).filter_map(|inst| {
        let message = format!("`{}` cannot be sharded over devices yet", inst.op.name());
        let hint = inst.op.traits().refusal?;
        Some(Diagnostic::error(UNSUPPORTED, inst.span, message).hint(hint))
    });
    refused.collect()
}
