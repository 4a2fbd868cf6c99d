//! Calls between functions: who calls whom, and whether what comes of it stays within bounds.
//!
//! Input: a program. Output: [`Functions`], which finds functions by name; `check` reports calls that recurse, that
//! nest too deep (alone, or with the regions they stand in), or that would make an absurd program when each is replaced
//! by the callee's instructions (twenty functions that each call the next twice make a million).

use crate::diagnostic::{Diagnostic, Diagnostics, Span};
use crate::program::{Function, Program};
use crate::verify::STRUCTURE;
use std::collections::BTreeMap;
use std::ops::Deref;

/// Largest depth to which calls may nest.
pub const MAX_CALL_DEPTH: usize = 200;
/// Largest depth of calls and regions together: whoever runs a program, or inlines its calls and walks
/// through it, takes some of the stack for each.
pub const MAX_NESTING: usize = 256;
/// Most instructions that a function may have once all calls are inlined.
pub const MAX_INLINED_INSTS: usize = 2_000_000;

/// A program whose functions are found by name at once.
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
    pub fn function(&self, name: &str) -> Option<&'p Function> {
        self.position(name).map(|index| &self.program.functions[index])
    }

    /// Its position in `Program::functions`.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The calls of a function, and how deep its regions nest.
    fn calls(&self, function: usize) -> (Vec<Call>, usize) {
        let body = &self.program.functions[function].body;
        let (mut calls, mut deepest) = (Vec::new(), 0);
        let mut pending = vec![(body.entry(), 0)];
        while let Some((region, depth)) = pending.pop() {
            deepest = deepest.max(depth);
            for inst in body.regions[region].insts.iter().map(|inst| &body.insts[*inst]) {
                let known = inst.op.callees().into_iter().filter_map(|name| self.by_name.get(name));
                calls.extend(known.map(|callee| Call { callee: *callee, span: inst.span, depth }));
                pending.extend(inst.regions.iter().map(|inner| (*inner, depth + 1)));
            }
        }
        (calls, deepest)
    }
}

impl Deref for Functions<'_> {
    type Target = Program;

    fn deref(&self) -> &Program {
        self.program
    }
}

/// A call of a function of the program.
#[derive(Clone, Copy)]
struct Call {
    callee: usize,
    span: Span,
    /// How many regions it stands in, the function's own not counted.
    depth: usize,
}

/// What becomes of a function whose calls are all inlined.
#[derive(Clone, Copy, Default)]
struct Inlined {
    /// How deep calls nest.
    depth: usize,
    /// How deep calls and regions nest.
    nesting: usize,
    insts: usize,
}

/// Reports calls that recurse or exceed [`MAX_CALL_DEPTH`], [`MAX_NESTING`] or [`MAX_INLINED_INSTS`].
pub(crate) fn check(functions: &Functions<'_>, out: &mut Diagnostics) {
    #[derive(Clone, Copy)]
    enum State {
        New,
        OnPath,
        Done(Inlined),
    }
    let program = functions.program;
    let enter = |function: usize| {
        let (calls, nesting) = functions.calls(function);
        let insts = program.functions[function].body.insts.len();
        (function, calls, Inlined { depth: 1, nesting: nesting + 1, insts })
    };
    let mut states = vec![State::New; program.functions.len()];
    for start in 0..program.functions.len() {
        if !matches!(states[start], State::New) {
            continue;
        }
        states[start] = State::OnPath;
        // Depth first; each entry with the calls that are left and what the others made.
        let mut path = vec![enter(start)];
        while let Some((function, pending, inlined)) = path.last_mut() {
            let Some(Call { callee, span, depth }) = pending.last().copied() else {
                states[*function] = State::Done(*inlined);
                path.pop();
                continue;
            };
            match states[callee] {
                // The call stays pending until the callee is done.
                State::New => {
                    states[callee] = State::OnPath;
                    path.push(enter(callee));
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
                    inlined.nesting = before.nesting.max(inner.nesting + depth + 1);
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
                    if grows_past(MAX_NESTING, before.nesting, inlined.nesting)
                        && inner.nesting <= MAX_NESTING
                        && inlined.depth <= MAX_CALL_DEPTH
                    {
                        let message = format!("calls and regions nest more than {MAX_NESTING} deep");
                        let hint = "call from regions that nest less deep";
                        out.push(Diagnostic::error(STRUCTURE, span, message).hint(hint));
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
        problems_of(text)
    }

    fn problems_of(text: String) -> Vec<String> {
        let program = crate::text::read(&Source::new("calls.mlir", text)).unwrap();
        let problems = crate::verify::verify(&program).err().unwrap_or_default();
        problems.into_iter().map(|problem| problem.message).collect()
    }

    #[test]
    fn functions_are_found_at_once() {
        let mut text = String::new();
        for index in 0..3 {
            let _ = writeln!(text, "func.func private @f{index}()");
        }
        let program = crate::text::read(&Source::new("calls.mlir", text)).unwrap();
        let functions = super::Functions::of(&program);
        assert_eq!(functions.function("f2").map(|function| function.name.as_str()), Some("f2"));
        assert!(functions.function("f3").is_none());
    }

    #[test]
    fn calls_may_nest_and_repeat_within_bounds() {
        assert_eq!(problems(super::MAX_CALL_DEPTH, 1), [""; 0]);
        assert_eq!(problems(10, 3), [""; 0]);
    }

    /// What verifying says of `count` functions that each call the next from within `depth` nested regions.
    fn nested_problems(count: usize, depth: usize) -> Vec<String> {
        let mut text = String::new();
        for index in 0..count {
            let _ = writeln!(text, "func.func @f{index}(%p: tensor<i1>) -> tensor<i1> {{");
            (0..depth).for_each(|level| {
                let _ = writeln!(text, "%{level} = \"stablehlo.if\"(%p) ({{");
            });
            if index + 1 < count {
                let _ = writeln!(text, "func.call @f{}(%p) : (tensor<i1>) -> tensor<i1>", index + 1);
            }
            (0..depth).for_each(|_| {
                text.push_str("stablehlo.return %p : tensor<i1>\n}, {\nstablehlo.return %p : tensor<i1>\n})");
                text.push_str(" : (tensor<i1>) -> tensor<i1>\n");
            });
            text.push_str("return %p : tensor<i1>\n}\n");
        }
        problems_of(text)
    }

    #[test]
    fn calls_and_regions_nest_together_within_bounds() {
        assert_eq!(nested_problems(2, 100), [""; 0]);
        assert_eq!(nested_problems(40, 5), [""; 0]);
        assert_eq!(nested_problems(190, 100), ["calls and regions nest more than 256 deep"]);
        assert_eq!(nested_problems(50, 5), ["calls and regions nest more than 256 deep"]);
    }

    #[test]
    fn chains_and_explosions_are_reported_once() {
        assert_eq!(problems(1000, 1), ["calls nest more than 200 deep"]);
        let multiplied = problems(40, 2);
        assert_eq!(multiplied.len(), 1, "{multiplied:?}");
        assert!(multiplied[0].contains("with its calls inlined"));
    }
}
