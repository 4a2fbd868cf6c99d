//! Random loops over layers whose weights go through random instructions: what is made of them alone in front of the loops
//! leaves every number as it is.
//!
//! Loops read two stacks from the front or from the back, as they are or behind barriers, twice the same or something else.

use super::pipeline::caught;
use meshwright_analyze::copies::with_copies;
use meshwright_analyze::flow::downstream;
use meshwright_analyze::roles::{DATA, PARAMETERS};
use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_execute::run_single_device;
use meshwright_fuzz::rng::Rng;
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::Table;
use meshwright_ir::program::Function;
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use meshwright_tensor::types::Type;
use meshwright_tensor::{NonFinite, Precision, compare};
use meshwright_transform::Made;
use std::fmt::Write as _;

/// A program of loops over three layers: `%p` and `%q` are stacks of weights, `%x` is data.
pub(crate) fn program(seed: u64, _: usize) -> String {
    let mut rng = Rng::new(seed);
    let mut text = "func.func @main(%p: tensor<3x4x4xf32>, %q: tensor<3x4x4xf32>, %x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %h0 = stablehlo.abs %x : tensor<2x4xf32>\n"
        .to_owned();
    let chains: Vec<u64> = (0..2).map(|_| rng.next()).collect();
    let loops = 1 + rng.below(3);
    for number in 0..loops {
        let chain = rng.pick(&chains);
        layers(&mut text, number, chain, [rng.chance(50), rng.chance(30)]);
    }
    writeln!(text, "  return %h{loops} : tensor<2x4xf32>\n}}").unwrap();
    text
}

/// Appends a loop whose layers multiply with what instructions drawn from `chain` make of their weights.
fn layers(text: &mut String, number: usize, chain: u64, [is_reversed, is_guarded]: [bool; 2]) {
    let mut rng = Rng::new(chain);
    let mut line = |words: &str| writeln!(text, "    {words}").unwrap();
    line(&format!(
        "%l{number}:2 = stablehlo.while(%i = %zero, %h = %h{number}) : tensor<i32>, tensor<2x4xf32>"
    ));
    line("cond {");
    line("%three = stablehlo.constant dense<3> : tensor<i32>");
    line("%go = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>");
    line("stablehlo.return %go : tensor<i1>");
    line("} do {");
    line("%one = stablehlo.constant dense<1> : tensor<i32>");
    line("%none = stablehlo.constant dense<0> : tensor<i32>");
    line("%last = stablehlo.constant dense<2> : tensor<i32>");
    line("%low = stablehlo.constant dense<1.0> : tensor<f32>");
    line("%back = stablehlo.subtract %last, %i : tensor<i32>");
    let at = if is_reversed { "%back" } else { "%i" };
    let mut all = Vec::new();
    for stack in ["p", "q"] {
        line(&format!(
            "%{stack}0 = stablehlo.dynamic_slice %{stack}, {at}, %none, %none, sizes = [1, 4, 4] : (tensor<3x4x4xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4x4xf32>"
        ));
        let read = if is_guarded {
            line(&format!("%{stack}1 = stablehlo.optimization_barrier %{stack}0 : tensor<1x4x4xf32>"));
            1
        } else {
            0
        };
        line(&format!(
            "%{stack}w = stablehlo.reshape %{stack}{read} : (tensor<1x4x4xf32>) -> tensor<4x4xf32>"
        ));
        all.push(format!("%{stack}w"));
    }
    for step in 0..1 + rng.below(5) {
        let (a, b) = (rng.pick(&all), rng.pick(&all));
        let new = format!("%w{step}");
        match rng.below(8) {
            0 => {
                line(&format!("%n{step} = stablehlo.convert {a} : (tensor<4x4xf32>) -> tensor<4x4xbf16>"));
                line(&format!("{new} = stablehlo.convert %n{step} : (tensor<4x4xbf16>) -> tensor<4x4xf32>"));
            }
            1 => line(&format!(
                "{new} = stablehlo.transpose {a}, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>"
            )),
            2 => {
                line(&format!(
                    "%r{step} = stablehlo.reduce({a} init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>"
                ));
                line(&format!(
                    "%s{step} = stablehlo.broadcast_in_dim %r{step}, dims = [1] : (tensor<4xf32>) -> tensor<4x4xf32>"
                ));
                line(&format!("{new} = stablehlo.divide {b}, %s{step} : tensor<4x4xf32>"));
            }
            3 => line(&format!("{new} = stablehlo.add {a}, {b} : tensor<4x4xf32>")),
            4 => line(&format!("{new} = stablehlo.tanh {a} : tensor<4x4xf32>")),
            5 => line(&format!(
                "{new} = stablehlo.dot_general {a}, {b}, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>"
            )),
            _ => {
                // It follows from the number of the layer, and stays.
                line(&format!("%f{step} = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>"));
                line(&format!(
                    "%g{step} = stablehlo.broadcast_in_dim %f{step}, dims = [] : (tensor<f32>) -> tensor<4x4xf32>"
                ));
                line(&format!("{new} = stablehlo.add {a}, %g{step} : tensor<4x4xf32>"));
            }
        }
        all.push(new);
    }
    let mut w = all.last().cloned().unwrap_or_default();
    if rng.chance(80) {
        let narrow = rng.pick(&["bf16", "f8E4M3FN"]);
        line(&format!("%wn = stablehlo.convert {w} : (tensor<4x4xf32>) -> tensor<4x4x{narrow}>"));
        line(&format!("%wf = stablehlo.convert %wn : (tensor<4x4x{narrow}>) -> tensor<4x4xf32>"));
        w = "%wf".to_owned();
    }
    line(&format!(
        "%y = stablehlo.dot_general %h, {w}, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>"
    ));
    line("%t = stablehlo.tanh %y : tensor<2x4xf32>");
    line("%j = stablehlo.add %i, %one : tensor<i32>");
    line("stablehlo.return %j, %t : tensor<i32>, tensor<2x4xf32>");
    line("}");
    line(&format!("%h{} = stablehlo.negate %l{number}#1 : tensor<2x4xf32>", number + 1));
}

/// What goes wrong with a program, if anything does.
pub(crate) fn problem(seed: u64, text: &str) -> Option<String> {
    caught(|| {
        let program = read(&Source::new("random.mlir", text)).map_err(|error| format!("{error:?}"))?;
        let Some(function) = program.main() else { return Ok(()) };
        let Some(Made { function: ahead, .. }) = ahead(function) else { return Ok(()) };
        let made = program.with_only(ahead);
        verify(&made).map_err(|error| format!("not verified: {error:?}\n{}", print(&made, Form::Pretty)))?;
        let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
        let inputs =
            draw(&types, &DrawOptions { seed, int_range: 0..5 }).map_err(|error| format!("{error:?}"))?;
        let run = |program| {
            run_single_device(program, "main", inputs.clone(), Precision::Declared, &Quiet)
                .map_err(|error| format!("{error:?}"))
        };
        for (expected, actual) in run(&program)?.iter().zip(&run(&made)?) {
            let difference =
                compare(actual, expected, NonFinite::ByPosition).map_err(|error| format!("{error:?}"))?;
            if difference.max_abs != 0.0 {
                return Err(format!("{difference:?}\n{}", print(&made, Form::Pretty)));
            }
        }
        Ok(())
    })
}

/// Whether something of a program is made ahead.
pub(crate) fn is_changed(text: &str) -> bool {
    let program = read(&Source::new("random.mlir", text)).expect("a program");
    program.main().is_some_and(|function| ahead(function).is_some())
}

/// A function with what its layers make of the first two arguments alone ahead of them.
fn ahead(function: &Function) -> Option<Made> {
    let mut marks = Table::filled(0, function.body.values.len());
    for (argument, mark) in function.args().iter().zip([PARAMETERS, PARAMETERS, DATA]) {
        marks[*argument] = mark;
    }
    with_copies(function, &downstream(&function.body, marks))
}
