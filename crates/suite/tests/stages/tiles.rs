//! `tiles`: the regions of the program that are worth to run in tiles, in as many as `count` says; with `possible`, all that
//! can.
//!
//! The output is which regions these are, the new program, and how many of its results differ from those before by more
//! than additions in another order do, which must be none.

use meshwright_analyze::Roles;
use meshwright_cost::Analysis;
use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_execute::run_function;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Def, Function, Program};
use meshwright_ir::text::{Form, print};
use meshwright_ir::verify::verify;
use meshwright_search::tiles::{Found, Wanted, found};
use meshwright_suite::{Input, Outcome};
use meshwright_tensor::Precision;
use meshwright_tensor::types::Type;
use meshwright_transform::tiles::in_tiles;

use super::to_cut;

/// The most by which a result may differ, of its own size.
const MOST: f64 = 1e-12;

pub(crate) fn tiles(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let (program, count, flat) = match to_cut(input, &source) {
        Ok(cut) => cut,
        Err(outcome) => return outcome,
    };
    let function = flat.function;
    let wanted = if input.option("possible").is_some() { Wanted::Possible } else { Wanted::Worthwhile };
    let divides = |found: &Found| found.size.is_multiple_of(count);
    let regions = found(&function, &Roles::new(&function), &Analysis::new(&function), wanted, &divides);
    if regions.is_empty() {
        return Outcome::output("nothing can run in tiles\n".to_owned());
    }
    let head: String = regions.iter().map(|found| line(&function, found)).collect();
    let counted: Vec<_> = regions.into_iter().map(|found| (found.region, count)).collect();
    match in_tiles(&function, &counted) {
        Ok(tiled) => Outcome::output(head + &compared(&program, &function, tiled.function)),
        Err(refusal) => Outcome::output(format!("{head}{refusal}\n")),
    }
}

/// `tensor<8x8xf32> along dim 0 of 8, ratio 4: reads 2, makes dot_general, reduce`.
fn line(function: &Function, found: &Found) -> String {
    let Found { region, size, ratio } = found;
    let op = |value: &ValueId| match function.body.values[*value].def {
        Def::Result(inst, _) => function.body.insts[inst].op.name(),
        Def::Argument(..) => "an argument",
    };
    let makes: Vec<&str> = region.makes.iter().map(op).collect();
    format!(
        "{} along dim {} of {size}, ratio {ratio}: reads {}, makes {}\n",
        function.body.ty(region.value),
        region.dim,
        region.reads.len(),
        makes.join(", ")
    )
}

/// The program in tiles, and whether it computes the same.
fn compared(program: &Program, before: &Function, made: Function) -> String {
    let (before, after) = (program.with_only(before.clone()), program.with_only(made));
    if let Err(problems) = verify(&after) {
        return format!("it is broken: {problems:?}");
    }
    let main = &before.functions[0];
    let types: Vec<Type> = main.args().iter().map(|arg| main.body.ty(*arg).clone()).collect();
    let inputs = draw(&types, &DrawOptions { seed: 1, int_range: 0..3 }).expect("inputs");
    let run = |program: &Program| {
        run_function(program, &main.name, inputs.clone(), Precision::Wide).expect("it runs")
    };
    let (whole, tiled) = (run(&before), run(&after));
    let count = whole
        .iter()
        .zip(&tiled)
        .filter(|(whole, tiled)| differ(&whole.to_f64_vec(), &tiled.to_f64_vec()))
        .count();
    print(&after, Form::Pretty) + &format!("{count} results differ\n")
}

/// Whether results differ by more than additions in another order do.
fn differ(whole: &[f64], tiled: &[f64]) -> bool {
    let size = whole.iter().fold(1.0_f64, |size, number| size.max(number.abs()));
    whole.iter().zip(tiled).any(|(whole, tiled)| (whole - tiled).abs() > MOST * size)
}
