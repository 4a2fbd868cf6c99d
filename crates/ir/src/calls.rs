//! Calls between functions: who calls whom, and whether what comes of it stays within bounds.
//!
//! Input: a program. Output: [`Functions`], which finds functions by name; `check` reports calls that recurse, that
//! nest too deep, or that would make an absurd program when each is replaced by the callee's instructions (twenty
//! functions that each call the next twice make a million).

use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::program::{Function, Program};
use crate::verify::STRUCTURE;
use std::collections::BTreeMap;

/// How deep calls may nest.
pub const MAX_CALL_DEPTH: usize = 200;
/// How many instructions a function may have once all calls are inlined.
pub const MAX_INLINED_INSTS: usize = 2_000_000;

/// The functions of a program by name.
pub struct Functions<'p> {
    program: &'p Program,
    by_name: BTreeMap<&'p str, usize>,
}

impl<'p> Functions<'p> {
    /// Of `program`. Of two functions of one name the first counts.
    pub fn of(program: &'p Program) -> Self {
        let mut by_name = BTreeMap::new();
        for (index, function) in program.functions.iter().enumerate() {
            by_name.entry(function.name.as_str()).or_insert(index);
        }
        Self { program, by_name }
    }

    /// The function called `name`.
    pub fn get(&self, name: &str) -> Option<&'p Function> {
        self.by_name.get(name).map(|index| &self.program.functions[*index])
    }

    /// The callees of a function with the places of the calls.
    fn callees(&self, function: usize) -> Vec<(usize, Span)> {
        let insts = self.program.functions[function].body.insts.values();
        let mut callees = Vec::new();
        for inst in insts {
            let known = inst.op.callees().into_iter().filter_map(|name| self.by_name.get(name));
            callees.extend(known.map(|callee| (*callee, inst.span)));
        }
        callees
    }
}

/// What becomes of a function whose calls are all inlined.
#[derive(Clone, Copy, Default)]
struct Inlined {
    depth: usize,
    insts: usize,
}

/// Reports calls that recurse or exceed [`MAX_CALL_DEPTH`] or [`MAX_INLINED_INSTS`].
pub(crate) fn check(program: &Program, out: &mut Diagnostics) {
    #[derive(Clone, Copy)]
    enum State {
        New,
        OnPath,
        Done(Inlined),
    }
    let functions = Functions::of(program);
    let own = |function: usize| Inlined { depth: 1, insts: program.functions[function].body.insts.len() };
    let mut states = vec![State::New; program.functions.len()];
    for start in 0..program.functions.len() {
        if !matches!(states[start], State::New) {
            continue;
        }
        states[start] = State::OnPath;
        // Depth first; each entry with the calls that are left and what the others made.
        let mut path = vec![(start, functions.callees(start), own(start))];
        while let Some((function, pending, inlined)) = path.last_mut() {
            let Some((callee, span)) = pending.last().copied() else {
                states[*function] = State::Done(*inlined);
                path.pop();
                continue;
            };
            match states[callee] {
                // The call stays pending until the callee is done.
                State::New => {
                    states[callee] = State::OnPath;
                    path.push((callee, functions.callees(callee), own(callee)));
                    continue;
                }
                State::OnPath => {
                    let message = format!("calls to `@{}` recurse", program.functions[callee].name);
                    let hint = "loops are written with `stablehlo.while`";
                    out.push(Diagnostic::error(STRUCTURE, span, message).hint(hint));
                }
                State::Done(inner) => {
                    let before = *inlined;
                    inlined.depth = before.depth.max(inner.depth + 1);
                    inlined.insts = before.insts.saturating_add(inner.insts);
                    let grows_past = |limit: usize, old: usize, new: usize| old <= limit && new > limit;
                    if grows_past(MAX_CALL_DEPTH, before.depth, inlined.depth)
                        && inner.depth <= MAX_CALL_DEPTH
                    {
                        let message = format!("calls nest more than {MAX_CALL_DEPTH} deep");
                        out.push(
                            Diagnostic::error(STRUCTURE, span, message).hint("inline the inner functions"),
                        );
                    }
                    let is_new = inner.insts <= MAX_INLINED_INSTS;
                    if grows_past(MAX_INLINED_INSTS, before.insts, inlined.insts) && is_new {
                        let name = &program.functions[*function].name;
                        let message = format!(
                            "`@{name}` would have more than {MAX_INLINED_INSTS} instructions with its calls inlined"
                        );
                        let hint = "functions that call others several times multiply; use `stablehlo.while`";
                        out.push(Diagnostic::error(STRUCTURE, span, message).hint(hint));
                    }
                }
            }
            pending.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Source;
    use std::fmt::Write as _;

    /// What verifying says of functions `f0`, `f1`, ... of which each calls the next `times` times.
    fn problems(count: usize, times: usize) -> Vec<String> {
        let mut text = String::new();
        for index in 0..count {
            let _ = writeln!(text, "func.func @f{index}(%x: tensor<f32>) -> tensor<f32> {{");
            if index + 1 < count {
                for _ in 0..times {
                    let _ = writeln!(text, "func.call @f{}(%x) : (tensor<f32>) -> tensor<f32>", index + 1);
                }
            }
            text.push_str("return %x : tensor<f32>\n}\n");
        }
        let program = crate::text::read(&Source::new("calls.mlir", text)).unwrap();
        let problems = crate::verify::verify(&program).err().unwrap_or_default();
        problems.into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn calls_may_nest_and_repeat_within_bounds() {
        assert_eq!(problems(super::MAX_CALL_DEPTH, 1), [""; 0]);
        assert_eq!(problems(10, 3), [""; 0]);
    }

    #[test]
    fn chains_and_explosions_are_reported_once() {
        assert_eq!(problems(1000, 1), ["calls nest more than 200 deep"]);
        let multiplied = problems(40, 2);
        assert_eq!(multiplied.len(), 1, "{multiplied:?}");
        assert!(multiplied[0].contains("with its calls inlined"));
    }
}
