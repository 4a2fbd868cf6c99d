//! Normal form of random programs and of those of file tests, as they are and with everything in them made twice behind barriers: it verifies, it
//! computes the same bits, and it is its own normal form.
//!
//!     cargo test -p meshwright-suite --test random normal                               # some
//!     RANDOM=1000..2000 cargo test --release -p meshwright-suite --test random normal   # these seeds
//!     NORMAL=a.mlir:b.mlir cargo test --release -p meshwright-suite --test random figures -- --nocapture    # figures of these

// Seeds and files come from the person who runs the test, who wants to know how long it took.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use crate::generate;
use meshwright_execute::{DrawOptions, draw, run_single_device};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::RegionId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::optimization_barrier::OptimizationBarrier;
use meshwright_ir::program::{Function, Inst, InstView, Program};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use meshwright_ir::text::{Form, print, read};
use meshwright_ir::verify::verify;
use meshwright_tensor::types::Type;
use meshwright_tensor::{NonFinite, Precision, Tensor, compare};
use meshwright_transform::{Barriers, Normal, flatten, normal};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

const BOTH: [Barriers; 2] = [Barriers::Kept, Barriers::Dropped];

/// A program and its entry function, inlined and written out; `None` of what is none.
fn flat(text: &str) -> Option<(Program, Function)> {
    let program = read(&Source::new("test.mlir", text)).ok()?;
    verify(&program).ok()?;
    let function = flatten(&program).ok()?.function;
    // Other functions may be needed to run it.
    verify(&program.with_only(function.clone())).ok()?;
    Some((program, function))
}

/// Number of instructions, and of products among them.
fn sizes(function: &Function) -> (usize, usize) {
    let body = &function.body;
    let insts = body.walk(body.entry());
    let products = insts.iter().filter(|inst| matches!(body.insts[**inst].op, Op::DotGeneral(_)));
    (insts.len(), products.count())
}

/// Makes everything twice: again behind a barrier, and read from there.
struct Twice;

impl Edit for Twice {
    fn after(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) {
        let inst = view.inst;
        let inside = inst.regions.iter().flat_map(|region| view.body.walk(*region));
        let is_pure = inside.chain([view.id]).all(|inst| {
            let Inst { op, results, .. } = &view.body.insts[inst];
            let says_something = results.is_empty() && !matches!(op, Op::Return(_));
            !says_something && !op.has_side_effects() && !op.is_collective() && !op.is_call()
        });
        let are_tensors = view.result_types().all(|ty| ty.as_tensor().is_some());
        if inst.results.is_empty() || !is_pure || !are_tensors {
            return;
        }
        let read = rewriter.values(&inst.operands);
        let types: Vec<Type> = view.operand_types().cloned().collect();
        let barrier = OptimizationBarrier.into();
        let guarded = rewriter.to.append(to, barrier, read, Vec::new(), types, inst.span);
        let operands = rewriter.to.insts[guarded].results.clone();
        let regions = inst.regions.iter().map(|region| rewriter.copy_elements(*region)).collect();
        rewriter.append(view.id, operands, regions, to);
    }
}

fn twice(function: &Function) -> Function {
    Function { body: each(&function.body, Twice), ..function.clone() }
}

/// Stops a run that goes on for too long: with inputs that are drawn, a loop may never end.
struct Patience {
    num_asked: AtomicU32,
}

impl Control for Patience {
    fn should_stop(&self) -> bool {
        self.num_asked.fetch_add(1, Ordering::Relaxed) > 50_000
    }
}

/// Results of the only function of a program, or in words why there are none.
fn results(program: &Program, inputs: &[Tensor]) -> Result<Vec<Tensor>, String> {
    let (name, patience) = (&program.functions[0].name, Patience { num_asked: AtomicU32::new(0) });
    let results = run_single_device(program, name, inputs.to_vec(), Precision::Declared, &patience);
    results.map_err(|error| format!("{error:?}"))
}

/// Whether a function has values that take long to compute.
fn is_large(function: &Function) -> bool {
    function.body.values.values().any(|value| value.ty.num_bytes() > 1 << 18)
}

/// Says what is wrong with the normal form of a function.
fn problem(program: &Program, function: &Function, barriers: Barriers, inputs: &[Tensor]) -> Option<String> {
    let Normal { function: made, .. } = normal(function, barriers);
    let (before, after) = (program.with_only(function.clone()), program.with_only(made));
    let with = |problem: String| {
        let programs = [&before, &after].map(|program| print(program, Form::Pretty));
        Some(format!("{barriers:?}: {problem}\n{}", programs.join("-------\n")))
    };
    if let Err(problems) = verify(&after) {
        return with(format!("{problems:?}"));
    }
    let again = normal(&after.functions[0], barriers).function;
    if sizes(&again) != sizes(&after.functions[0]) {
        return with(format!("its own normal form has {:?}", sizes(&again)));
    }
    match (results(&before, inputs), results(&after, inputs)) {
        (Ok(expected), Ok(found)) => {
            let is_same = |(found, expected): (&Tensor, &Tensor)| {
                compare(found, expected, NonFinite::ByPosition).unwrap().within(0.0)
            };
            if found.iter().zip(&expected).all(is_same) { None } else { with("other results".to_owned()) }
        }
        (Ok(_), Err(problem)) => with(problem),
        // What could not be computed may not be needed.
        (Err(_), _) => None,
    }
}

/// Says what is wrong with the normal forms of a function, and of all in it made twice.
fn problems(program: &Program, function: &Function, seed: u64) -> Option<String> {
    let types: Vec<Type> = function.args().iter().map(|arg| function.body.ty(*arg).clone()).collect();
    let inputs = draw(&types, &DrawOptions { seed, int_range: -2..11 }).ok()?;
    // Some regions hold one instruction only.
    let repeated = Some(twice(function)).filter(|form| verify(&program.with_only(form.clone())).is_ok());
    let repeated = repeated.unwrap_or_else(|| function.clone());
    let forms = [function, &repeated].into_iter().flat_map(|form| BOTH.map(|fate| (form, fate)));
    let mut found = forms.filter_map(|(form, fate)| problem(program, form, fate, &inputs));
    let [once, again] = [function, &repeated].map(|form| normal(form, Barriers::Dropped).function);
    let is_undone = sizes(&once) == sizes(&again);
    let undone = || format!("made twice it is\n{}", print(&program.with_only(again), Form::Pretty));
    found.next().or_else(|| (!is_undone).then(undone))
}

#[test]
fn random_programs_compute_the_same_in_normal_form() {
    let chosen = std::env::var("RANDOM").ok();
    let range = chosen.as_deref().and_then(|text| {
        let (start, end) = text.split_once("..")?;
        Some(start.parse().ok()?..end.parse().ok()?)
    });
    for seed in range.unwrap_or(0..100) {
        let (program, function) = flat(&generate::program(seed, 1 + (seed % 12) as usize)).unwrap();
        let problem = problems(&program, &function, seed);
        assert!(problem.is_none(), "seed {seed}: {}", problem.unwrap_or_default());
    }
}

/// Programs below a folder, in order.
fn programs_below(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            programs_below(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "mlir") {
            found.insert(entry);
        }
    }
}

#[test]
fn programs_of_file_tests_compute_the_same_in_normal_form() {
    let mut paths = BTreeSet::new();
    programs_below(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite"), &mut paths);
    let mut num_normal = 0;
    for path in paths {
        // Some are wrong on purpose.
        let Some((program, function)) = flat(&std::fs::read_to_string(&path).unwrap()) else { continue };
        if is_large(&function) {
            continue;
        }
        let problem = problems(&program, &function, 1);
        assert!(problem.is_none(), "{}: {}", path.display(), problem.unwrap_or_default());
        num_normal += 1;
    }
    assert!(num_normal > 100, "only {num_normal}");
}

#[test]
fn figures() {
    let Ok(paths) = std::env::var("NORMAL") else { return };
    for path in paths.split(':') {
        let (program, function) = flat(&std::fs::read_to_string(path).unwrap()).unwrap();
        for barriers in BOTH {
            let start = Instant::now();
            let Normal { function: made, guards, .. } = normal(&function, barriers);
            let seconds = start.elapsed().as_secs_f64();
            let (before, after, guards) = (sizes(&function), sizes(&made), guards.len());
            println!("{path} {barriers:?}: {before:?} -> {after:?}, {guards} guards, {seconds:.4} s");
            verify(&program.with_only(made)).unwrap();
        }
    }
}
