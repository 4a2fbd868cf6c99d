//! Random programs in which random values are made again in front of random readers: bit for bit the same results.

use meshwright_execute::random_inputs::{DrawOptions, draw};
use meshwright_execute::run_function;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use meshwright_tensor::Precision;
use meshwright_tensor::types::Type;
use meshwright_transform::flatten;
use meshwright_transform::recompute::MadeAgain;

use super::rng::Rng;

/// What goes wrong with a program, if anything does.
pub(crate) fn problem(seed: u64, text: &str) -> Option<String> {
    run(seed, text).err()
}

fn run(seed: u64, text: &str) -> Result<(), String> {
    let program = read(&Source::new("random.mlir", text)).map_err(|error| format!("{error:?}"))?;
    verify(&program).map_err(|error| format!("{error:?}"))?;
    let flat = flatten(&program).map_err(|error| format!("{error:?}"))?;
    let before = program.with_only(flat.function.clone());
    // A program that is manual along some axes cannot be run as one function.
    let Ok(old) = results(seed, &before) else { return Ok(()) };
    for turn in 0..3 {
        let made = flat.recomputed(&some_uses(seed * 3 + turn, &flat.function));
        let after = program.with_only(made.function);
        let text = || print(&after, Form::Pretty);
        verify(&after).map_err(|error| format!("not verified: {error:?}\n{}", text()))?;
        let new = results(seed, &after)?;
        if let Some(result) = (0..old.len()).find(|result| old[*result] != new[*result]) {
            return Err(format!("result {result} is another\n{}", text()));
        }
    }
    Ok(())
}

/// The bytes of all results.
fn results(seed: u64, program: &Program) -> Result<Vec<Vec<u8>>, String> {
    let main = &program.functions[0];
    let types: Vec<Type> = main.args().iter().map(|arg| main.body.ty(*arg).clone()).collect();
    let options = DrawOptions { seed, int_range: -2..11 };
    let inputs = draw(&types, &options).map_err(|error| format!("{error:?}"))?;
    let results = run_function(program, &main.name, inputs, Precision::Declared);
    let results = results.map_err(|error| format!("message: {error:?}"))?;
    results.iter().map(|result| result.to_le_bytes().map_err(|error| format!("{error:?}"))).collect()
}

/// Uses of about a third of what the function's own region computes.
fn some_uses(seed: u64, function: &Function) -> MadeAgain {
    let mut rng = Rng::new(seed);
    let body = &function.body;
    let mut again = MadeAgain::new();
    for inst in &body.regions[body.entry()].insts {
        let operands: Vec<ValueId> = body.insts[*inst].operands.clone();
        for value in operands {
            if rng.below(3) == 0 {
                again.entry(value).or_insert(*inst);
            }
        }
    }
    again
}
