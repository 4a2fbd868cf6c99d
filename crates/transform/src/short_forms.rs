//! Short forms written out in a program of one function (`meshwright_ir::expand`).

use crate::passes::Passed;
use meshwright_ir::expand::expanded;
use meshwright_ir::program::Program;
use meshwright_ir::rewrite::Rewritten;

/// The program without short forms; `None` if there is none in it.
pub(crate) fn write_out(program: &Program) -> Option<Passed> {
    let [function] = &program.functions[..] else { return None };
    let Rewritten { body, trace, .. } = expanded(&function.body)?;
    let function = function.with_body(body);
    Some(Passed { program: program.with_only(function), trace: Some(trace) })
}
