//! Times reading, verifying and printing, and what memory they take.
//!
//!     cargo bench -p meshwright-ir --bench text -- [FILE.mlir ...]
//!
//! Input: programs; without any, one of 20,000 ops that is made up. Output: a line for each with the median of
//! [`RUNS`] runs in milliseconds, and the memory that the first run added to the process, as a multiple of the text.

// What a benchmark is for.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use std::fmt::Write as _;
use std::time::Instant;

const RUNS: usize = 15;

fn main() {
    // `cargo bench` itself passes `--bench`.
    let files: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    println!(
        "{:<40} {:>9} {:>9} {:>9} {:>9} {:>8}",
        "program", "MB", "read ms", "verify ms", "print ms", "memory"
    );
    if files.is_empty() {
        measure("made up", made_up(5_000));
    }
    for file in files {
        match std::fs::read_to_string(&file) {
            Ok(text) => measure(file.rsplit('/').next().unwrap_or(&file), text),
            Err(error) => println!("{file}: {error}"),
        }
    }
}

fn measure(name: &str, text: String) {
    let source = Source::new(name, text);
    let before = resident_bytes();
    let (first, _) = once(&source);
    let memory = resident_bytes().saturating_sub(before) as f64 / source.text.len() as f64;
    drop(first);
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..RUNS {
        let (_, run) = once(&source);
        times.iter_mut().zip(run).for_each(|(all, time)| all.push(time));
    }
    let [read, verify, print] = times.map(|mut all| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    });
    let megabytes = source.text.len() as f64 / 1e6;
    println!("{name:<40} {megabytes:>9.2} {read:>9.1} {verify:>9.1} {print:>9.1} {memory:>7.1}x");
}

/// The program with its text, and milliseconds of each stage.
fn once(source: &Source) -> ((Program, String), [f64; 3]) {
    let start = Instant::now();
    let program = read(source).unwrap_or_else(|found| panic!("{found:?}"));
    let after_read = Instant::now();
    verify(&program).unwrap_or_else(|found| panic!("{found:?}"));
    let after_verify = Instant::now();
    let text = print(&program, Form::Pretty);
    let end = Instant::now();
    let times = [after_read - start, after_verify - after_read, end - after_verify];
    ((program, text), times.map(|time| time.as_secs_f64() * 1e3))
}

/// The largest memory of the process so far; zero where the system does not say.
fn resident_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

fn made_up(layers: usize) -> String {
    let ty = "tensor<64x128xf32>";
    let mut text = format!("func.func @main(%x: {ty}, %w: tensor<128x128xf32>) -> {ty} {{\n");
    let mut last = "%x".to_owned();
    for layer in 0..layers {
        let _ = writeln!(
            text,
            "  %a{layer} = stablehlo.dot_general {last}, %w, contracting_dims = [1] x [0] : ({ty}, tensor<128x128xf32>) -> {ty}\n  \
             %b{layer} = stablehlo.tanh %a{layer} : {ty}\n  \
             %c{layer} = stablehlo.constant dense<{layer}.5> : {ty}\n  \
             %d{layer} = stablehlo.add %b{layer}, %c{layer} : {ty}"
        );
        last = format!("%d{layer}");
    }
    let _ = writeln!(text, "  return {last} : {ty}\n}}");
    text
}
