//! Every op on shards: each instruction below is partitioned along every factor of its rule that may be sharded, and
//! along every pair of them, and must compute on four devices what it computes on one; on six also where dims do not
//! divide.

use meshwright_cost::{Analysis, Lowering};
use meshwright_execute::{DrawOptions, draw, embedded, run_function};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::mesh::{Axis, Mesh, SubAxisId};
use meshwright_ir::ops::Op;
use meshwright_ir::program::Program;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::Shardings;
use meshwright_tensor::{NonFinite, Precision, Tensor, compare};

mod moving;
mod programs;
mod windows;

/// Both kinds of rounding are out of the way, so what remains is a wrong program.
const TOLERANCE: f64 = 1e-12;

#[test]
fn every_factor_computes_the_same_on_shards() {
    let mut failures = Vec::new();
    for (name, least_strategies, text) in programs::ALL.iter().chain(moving::ALL).chain(windows::ALL) {
        let num_strategies = check(name, text, &mesh(2, 2), &mut failures);
        check(name, text, &mesh(2, 3), &mut failures);
        check(name, text, &mesh(1, 8), &mut failures);
        // A rule that allows nothing would pass unseen.
        if num_strategies < *least_strategies {
            failures.push(format!("{name}: only {num_strategies} ways to shard it"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Returns how many strategies were tried.
fn check(name: &str, text: &str, mesh: &Mesh, failures: &mut Vec<String>) -> usize {
    let program = read(name, text);
    let function = program.main().expect("a function");
    let types: Vec<_> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
    // Some indices are outside every table, on both sides.
    let options = DrawOptions { seed: 7, int_range: -3..11 };
    let inputs = draw(&types, &options).expect("inputs");
    let expected = run_function(&program, &function.name, inputs.clone(), Precision::Wide).expect(name);
    let analysis = Analysis::new(function);
    let mut num_strategies = 0;
    for inst in &function.body.regions[function.body.entry()].insts {
        let view = function.body.view(*inst);
        if matches!(view.inst.op, Op::Return(_) | Op::Constant(_)) {
            continue;
        }
        let rule = view.inst.op.rule(&view);
        for strategy in strategies(rule.factors.len(), mesh) {
            if !strategy.is_legal(&rule, mesh) {
                continue;
            }
            num_strategies += 1;
            let mut shardings = Shardings::replicated(function, mesh.clone());
            for (index, result) in view.inst.results.iter().enumerate() {
                let made = strategy.result_sharding(&rule, index, mesh);
                shardings.values[*result] = Sharding { partial: None, ..made };
            }
            shardings.strategies[*inst] = strategy.clone();
            let problems = shardings.verify(function);
            assert!(problems.is_empty(), "{name}: {problems:?}");
            let devices = meshwright_spmd::partition(&program, &Lowering::new(&analysis, &shardings));
            let what = format!("{name}: {} by {:?} of {mesh}", view.inst.op.name(), strategy.axes);
            if let Err(diagnostics) = meshwright_ir::verify::verify(&devices.program) {
                failures.push(format!("{what}: {diagnostics:?}"));
                continue;
            }
            match embedded::run(&devices, &inputs, Precision::Wide, &Quiet) {
                Err(error) => failures.push(format!("{what}: {error:?}")),
                Ok(actual) => {
                    for (index, (actual, expected)) in actual.iter().zip(&expected).enumerate() {
                        if let Some(problem) = differs(&actual.tensor, expected) {
                            failures.push(format!("{what}: result {index}: {problem}"));
                        }
                    }
                }
            }
        }
    }
    num_strategies
}

fn differs(actual: &Tensor, expected: &Tensor) -> Option<String> {
    let difference = compare(actual, expected, NonFinite::ByPosition).expect("tensors of one shape");
    let agrees = difference.within(TOLERANCE);
    (!agrees).then(|| format!("off by {} of {}", difference.max_abs, difference.scale))
}

/// Each factor over one axis, over both, and each ordered pair of factors over one axis each.
fn strategies(num_factors: usize, mesh: &Mesh) -> Vec<Strategy> {
    let (x, y): (Vec<SubAxisId>, Vec<SubAxisId>) = (mesh.pieces(0), mesh.pieces(1));
    let with = |choices: &[(usize, Vec<SubAxisId>)]| {
        let mut axes = vec![Vec::new(); num_factors];
        for (factor, chosen) in choices {
            axes[*factor] = chosen.clone();
        }
        Strategy { axes }
    };
    let mut all = Vec::new();
    for first in 0..num_factors {
        all.push(with(&[(first, y.clone())]));
        all.push(with(&[(first, [y.clone(), x.clone()].concat())]));
        for second in (0..num_factors).filter(|second| *second != first) {
            all.push(with(&[(first, x.clone()), (second, y.clone())]));
        }
    }
    all
}

fn mesh(x: usize, y: usize) -> Mesh {
    let axis = |name: &str, size| Axis { name: name.to_owned(), size };
    Mesh::new("mesh".to_owned(), vec![axis("x", x), axis("y", y)]).expect("a mesh")
}

fn read(name: &str, text: &str) -> Program {
    let program = meshwright_ir::text::read(&Source::new(name.to_owned(), text.to_owned()));
    let program = program.unwrap_or_else(|diagnostics| panic!("{name}: {diagnostics:?}"));
    meshwright_ir::verify::verify(&program).unwrap_or_else(|diagnostics| panic!("{name}: {diagnostics:?}"));
    program
}
