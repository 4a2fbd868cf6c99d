//! Times cutting a step into stages, and shows how near to equally long they are.
//!
//!     cargo bench -p meshwright-stage --bench cuts -- [FILE.mlir:STAGES ...]
//!
//! Input: training steps whose layers are written out, and how many stages each is cut into; without any, `examples/gpt.mlir` in
//! two. An instruction costs what it takes by itself on an H100. Output: a line for each with its instructions, the milliseconds
//! that it takes to prepare the step (normal form, time axis, microbatches, what crosses) and to cut it, medians of [`RUNS`] runs;
//! the longest stage, as a multiple of the mean, and that of the best of all ways to cut between segments.

// What a benchmark is for.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use meshwright_analyze::{Phases, Roles, batch};
use meshwright_cost::op::alone;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{InstId, Table};
use meshwright_ir::program::Program;
use meshwright_ir::text::read;
use meshwright_machine::Machine;
use meshwright_stage::{Staged, Step, places, stages};
use meshwright_tensor::types::Type;
use meshwright_transform::microbatch::in_microbatches;
use meshwright_transform::time::divisors;
use meshwright_transform::{Barriers, flatten, normal};
use std::path::Path;
use std::time::Instant;

const RUNS: usize = 5;

fn main() {
    // `cargo bench` itself passes `--bench`.
    let mut asked: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    if asked.is_empty() {
        let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gpt.mlir");
        asked.push(format!("{}:2", example.display()));
    }
    println!(
        "{:<32} {:>6} {:>12} {:>10} {:>7} {:>7} {:>13} {:>9}",
        "program", "stages", "instructions", "prepare ms", "cut ms", "places", "longest/mean", "least"
    );
    for asked in asked {
        match read_asked(&asked).and_then(|(name, program, count)| measured(&name, &program, count)) {
            Ok(line) => println!("{line}"),
            Err(problem) => println!("{asked}: {problem}"),
        }
    }
}

/// `FILE:STAGES`: the name of the file, its program, and the stages.
fn read_asked(asked: &str) -> Result<(String, Program, u16), String> {
    let (file, count) = asked.rsplit_once(':').ok_or("say in how many stages: FILE.mlir:STAGES")?;
    let count = count.parse().map_err(|_| format!("`{count}` is no number of stages"))?;
    let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
    let program = read(&Source::new(file, text)).map_err(|found| format!("{found:?}"))?;
    Ok((file.rsplit('/').next().unwrap_or(file).to_owned(), program, count))
}

/// The line of a program.
fn measured(name: &str, program: &Program, count: u16) -> Result<String, String> {
    let function = flatten(program).map_err(|found| format!("{found:?}"))?.function;
    let machine = Machine::from_spec("h100:1x8").map_err(|found| format!("{found:?}"))?;
    let mut times: [Vec<f64>; 2] = Default::default();
    let mut line = String::new();
    for _ in 0..RUNS {
        let start = Instant::now();
        let normal = normal(&function, Barriers::Dropped).function;
        let roles = Roles::new(&normal);
        // In the fewest microbatches.
        let fewest =
            batch::size(&normal, &roles).and_then(|size| divisors(size).into_iter().nth(1)).unwrap_or(1);
        let axis = batch::time_axis(&normal, &roles, fewest).map_err(|found| format!("{found:?}"))?;
        let cut = in_microbatches(&normal, &axis).map_err(|found| format!("{found:?}"))?;
        let phases = Phases::new(&normal, &roles).ok_or("it has no forward and backward pass")?;
        let step = Step::new(&cut, &axis, &roles, &phases).map_err(|found| format!("{found:?}"))?;
        let after_step = Instant::now();
        let body = &cut.made.function.body;
        let seconds = |inst: InstId| {
            let view = body.view(inst);
            let operands: Vec<Type> = view.operand_types().cloned().collect();
            let results: Vec<Type> = view.result_types().cloned().collect();
            alone(&view.inst.op, &operands, &results).seconds(&machine.device).0
        };
        let seconds: Table<InstId, f64> = body.insts.ids().map(seconds).collect();
        let cost = |inst: InstId| seconds[inst];
        let staged = stages(&step, &vec![1.0; count.into()], &cost).map_err(|found| format!("{found:?}"))?;
        let end = Instant::now();
        times[0].push((after_step - start).as_secs_f64() * 1e3);
        times[1].push((end - after_step).as_secs_f64() * 1e3);
        if line.is_empty() {
            line = balance(&step, &staged, &cost);
        }
    }
    let instructions = function.body.walk(function.body.entry()).len();
    let [prepare, cut] = times.map(|mut all| {
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    });
    Ok(format!("{name:<32} {count:>6} {instructions:>12} {prepare:>10.1} {cut:>7.1} {line}"))
}

/// Places, the longest stage of those that were found, and of the best of all ways, as multiples of the mean.
fn balance(step: &Step<'_>, staged: &Staged, cost: &dyn Fn(InstId) -> f64) -> String {
    let longest = |costs: &[f64]| costs.iter().copied().fold(0.0, f64::max);
    let own = places::costs(step, &staged.cuts, cost);
    let mean = own.iter().sum::<f64>() / own.len() as f64;
    let open = places::open(step);
    let parts = places::costs(step, &open, cost);
    let least = least(&parts, staged.count, f64::INFINITY);
    format!("{:>7} {:>13.4} {:>9.4}", open.len(), longest(&own) / mean, least / mean)
}

/// The longest stage of the best of all ways to make so many of `parts`: each way is looked at whose first stages are shorter
/// than the longest of the best so far.
fn least(parts: &[f64], count: usize, most: f64) -> f64 {
    if count <= 1 {
        return parts.iter().sum::<f64>().min(most);
    }
    let (mut best, mut first) = (most, 0.0);
    for end in 1..=parts.len().saturating_sub(count - 1) {
        first += parts[end - 1];
        if first >= best {
            break;
        }
        best = best.min(least(&parts[end..], count - 1, best).max(first));
    }
    best
}
