//! Times the normal form of a step, and its time axis: what becomes of every value in microbatches.
//!
//!     cargo bench -p meshwright-analyze --bench time_axis -- [FILE.mlir ...]
//!
//! Input: training steps; without any, `examples/gpt.mlir` and one of 1,000 layers that is made up. Output: a line for each
//! with its instructions with all calls inlined, and the median of [`RUNS`] runs in milliseconds.

// What a benchmark is for.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use meshwright_analyze::{Roles, batch};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Function;
use meshwright_ir::text::read;
use meshwright_transform::time::divisors;
use meshwright_transform::{Barriers, flatten, normal};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

const RUNS: usize = 15;

fn main() {
    // `cargo bench` itself passes `--bench`.
    let mut files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    println!(
        "{:<40} {:>12} {:>9} {:>9} {:>12} {:>6}",
        "program", "instructions", "normal ms", "roles ms", "time axis ms", "passes"
    );
    if files.is_empty() {
        measure("made up", made_up(1_000));
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gpt.mlir");
        files.push(example.display().to_string());
    }
    for file in files {
        match std::fs::read_to_string(&file) {
            Ok(text) => measure(file.rsplit('/').next().unwrap_or(&file), text),
            Err(error) => println!("{file}: {error}"),
        }
    }
}

fn measure(name: &str, text: String) {
    let program = read(&Source::new(name, text)).unwrap_or_else(|found| panic!("{found:?}"));
    let function = flatten(&program).unwrap_or_else(|found| panic!("{found:?}")).function;
    let instructions = function.body.walk(function.body.entry()).len();
    let mut passes = String::new();
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..RUNS {
        let (found, run) = once(&function);
        passes = found;
        times.iter_mut().zip(run).for_each(|(all, time)| all.push(time));
    }
    let [normal, roles, time_axis] = times.map(|mut all| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    });
    println!("{name:<40} {instructions:>12} {normal:>9.1} {roles:>9.1} {time_axis:>12.1} {passes:>6}");
}

/// The passes over the batch in the fewest microbatches, and milliseconds of each stage.
fn once(function: &Function) -> (String, [f64; 3]) {
    let start = Instant::now();
    let normal = normal(function, Barriers::Kept).function;
    let after_normal = Instant::now();
    let roles = Roles::new(&normal);
    let after_roles = Instant::now();
    let count = batch::size(&normal, &roles).and_then(|size| divisors(size).into_iter().nth(1)).unwrap_or(1);
    let time_axis = batch::time_axis(&normal, &roles, count);
    let end = Instant::now();
    let passes = time_axis.map_or_else(|_| "-".to_owned(), |axis| axis.passes.to_string());
    let times = [after_normal - start, after_roles - after_normal, end - after_roles];
    (passes, times.map(|time| time.as_secs_f64() * 1e3))
}

/// A step that trains layers of a product and a `tanh`.
fn made_up(layers: usize) -> String {
    let (x, w) = ("tensor<64x128xf32>", "tensor<128x128xf32>");
    let arguments: String = (0..layers).map(|layer| format!(", %w{layer}: {w}")).collect();
    let results = vec![w; layers].join(", ");
    let mut text = format!("func.func @main(%y0: {x}{arguments}) -> ({results}) {{\n");
    let _ = writeln!(
        text,
        "  %one = stablehlo.constant dense<1.0> : {x}\n  %rate = stablehlo.constant dense<0.01> : {w}"
    );
    for layer in 0..layers {
        let next = layer + 1;
        let _ = writeln!(
            text,
            "  %a{layer} = stablehlo.dot_general %y{layer}, %w{layer}, contracting_dims = [1] x [0] : ({x}, {w}) -> {x}\n  \
             %y{next} = stablehlo.tanh %a{layer} : {x}"
        );
    }
    let mut gradient = format!("%y{layers}");
    for layer in (0..layers).rev() {
        let next = layer + 1;
        let _ = writeln!(
            text,
            "  %s{layer} = stablehlo.multiply %y{next}, %y{next} : {x}\n  \
             %t{layer} = stablehlo.subtract %one, %s{layer} : {x}\n  \
             %g{layer} = stablehlo.multiply {gradient}, %t{layer} : {x}\n  \
             %d{layer} = stablehlo.dot_general %y{layer}, %g{layer}, contracting_dims = [0] x [0] : ({x}, {x}) -> {w}\n  \
             %x{layer} = stablehlo.dot_general %g{layer}, %w{layer}, contracting_dims = [1] x [1] : ({x}, {w}) -> {x}\n  \
             %u{layer} = stablehlo.multiply %rate, %d{layer} : {w}\n  \
             %n{layer} = stablehlo.subtract %w{layer}, %u{layer} : {w}"
        );
        gradient = format!("%x{layer}");
    }
    let updated: Vec<String> = (0..layers).map(|layer| format!("%n{layer}")).collect();
    let _ = writeln!(text, "  return {} : {results}\n}}", updated.join(", "));
    text
}
