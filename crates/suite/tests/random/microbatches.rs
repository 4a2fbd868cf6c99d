//! Random programs in microbatches: every way in which a dim of an argument can be cut gives the same numbers.
//!
//! The dims that belong together are found by trying: those of one size, alone and all at once. Outputs are compared, and
//! all that is put together from microbatches, each relative to its own size.

use super::pipeline::caught;
use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_execute::run_single_device;
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use meshwright_tensor::compare;
use meshwright_tensor::types::Type;
use meshwright_tensor::{NonFinite, Precision, Tensor};
use meshwright_transform::Made;
use meshwright_transform::microbatch::{Microbatched, in_microbatches};
use meshwright_transform::time::{Seed, TimeAxis};

/// Errors up to this, relative to the largest element, come from another order of additions.
const TOLERANCE: f64 = 1e-9;

/// Errors up to this come from rounding of numbers that are drawn here.
const ROUNDING: f64 = 1e-13;

/// What goes wrong with a program, if anything does.
pub(crate) fn problem(seed: u64, text: &str) -> Option<String> {
    caught(|| run(seed, text).map(|_| ()))
}

/// The number of ways in which a program can be cut.
pub(crate) fn ways(seed: u64, text: &str) -> usize {
    run(seed, text).unwrap_or(0)
}

fn run(seed: u64, text: &str) -> Result<usize, String> {
    // Those have no value in the program of the whole.
    if text.contains("sdy.manual_computation") {
        return Ok(0);
    }
    let program = read(&Source::new("random.mlir", text)).map_err(|error| format!("{error:?}"))?;
    let program = meshwright_propagate::joined(&program).map_err(|error| format!("{error:?}"))?;
    let flat = meshwright_transform::flatten(&program).map_err(|error| format!("{error:?}"))?;
    let mut ways = 0;
    for (seeds, count) in ways_to_cut(&flat.function) {
        let Ok(axis) = TimeAxis::new(&flat.function, &seeds, count) else { continue };
        let whole = with_points(&flat.function, &axis);
        let axis = TimeAxis::new(&whole, &seeds, count).map_err(|error| error.to_string())?;
        let Ok(Microbatched { made: Made { function, .. }, .. }) = in_microbatches(&whole, &axis) else {
            continue;
        };
        agree(seed, &program, &whole, &function).map_err(|problem| {
            let made = print(&program.with_only(function.clone()), Form::Pretty);
            format!("{count} microbatches along {seeds:?}: {problem}\n{made}")
        })?;
        ways += 1;
    }
    Ok(ways)
}

/// Dims that may be a batch, and numbers that divide it.
fn ways_to_cut(function: &Function) -> Vec<(Vec<Seed>, usize)> {
    let shape =
        |argument: usize| function.body.ty(function.args()[argument]).as_tensor().map(|ty| ty.shape.clone());
    let dims = (0..function.args().len()).flat_map(|argument| {
        shape(argument).unwrap_or_default().into_iter().enumerate().map(move |dim| (argument, dim))
    });
    let dims: Vec<(Seed, usize)> =
        dims.map(|(argument, (dim, size))| (Seed { argument, dim, together: 1 }, size)).collect();
    let mut ways: Vec<(Vec<Seed>, usize)> = Vec::new();
    for (seed, size) in &dims {
        let alike = dims.iter().filter(|(_, other)| other == size).map(|(seed, _)| *seed);
        let mut together: Vec<Seed> = alike.collect();
        together.dedup_by_key(|seed| seed.argument);
        for count in [2, 3, 4].into_iter().filter(|count| *size > 0 && size.is_multiple_of(*count)) {
            ways.push((vec![*seed], count));
            if together.len() > 1 && together[0] == *seed {
                ways.push((together.clone(), count));
            }
        }
    }
    ways
}

/// The function with all that is put together from microbatches among its results.
fn with_points(function: &Function, axis: &TimeAxis) -> Function {
    let mut function = function.clone();
    let is_returned = |value: &ValueId| function.returned().contains(value);
    let points: Vec<ValueId> =
        axis.points.iter().map(|point| point.value).filter(|value| !is_returned(value)).collect();
    let last = *function.body.regions[function.body.entry()].insts.last().expect("a terminator");
    for value in points {
        function.body.insts[last].operands.push(value);
        function.result_types.push(function.body.ty(value).clone());
        function.result_attributes.push(Default::default());
    }
    function
}

fn agree(seed: u64, program: &Program, whole: &Function, parts: &Function) -> Result<(), String> {
    let [whole, parts] = [whole, parts].map(|function| without_shardings(program, function));
    verify(&parts).map_err(|error| format!("not verified: {error:?}"))?;
    let args = whole.functions[0].args().iter();
    let types: Vec<Type> = args.map(|arg| whole.functions[0].body.ty(*arg).clone()).collect();
    let inputs =
        draw(&types, &DrawOptions { seed, int_range: 0..5 }).map_err(|error| format!("{error:?}"))?;
    let run = |program: &Program| -> Result<Vec<Tensor>, String> {
        run_single_device(program, &program.functions[0].name, inputs.clone(), Precision::Wide, &Quiet)
            .map_err(|error| format!("{error:?}"))
    };
    let (expected, actual) = (run(&whole)?, run(&parts)?);
    for (index, (expected, actual)) in expected.iter().zip(&actual).enumerate() {
        let difference =
            compare(actual, expected, NonFinite::ByPosition).map_err(|error| format!("{error:?}"))?;
        // What should be zero is as far from it as rounding leaves it.
        if !difference.within(TOLERANCE) && difference.max_abs > ROUNDING {
            return Err(format!("output {index}: {difference:?}"));
        }
    }
    Ok(())
}

/// A program of one function that says nothing of shardings.
fn without_shardings(program: &Program, function: &Function) -> Program {
    let mut function = function.clone();
    function.arg_attributes.iter_mut().chain(&mut function.result_attributes).for_each(|own| {
        own.remove("sdy.sharding");
    });
    program.with_only(function)
}
