//! Normal form of random programs: it verifies, computes the same bits, and is its own normal form.
//!
//!     cargo test -p meshwright-suite --test normal
//!     NORMAL=a.mlir:b.mlir cargo test --release -p meshwright-suite --test normal -- --nocapture    # figures of these

// Which files are measured comes from the person who runs the test, who wants to know how long it took.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use meshwright_ir::diagnostic::Source;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::text::read;
use meshwright_ir::verify::verify;
use meshwright_transform::{Barriers, Normal, flatten, normal};
use std::time::Instant;

/// The entry function of a program, inlined and written out.
fn flat(text: &str) -> (Program, Function) {
    let program = read(&Source::new("test.mlir", text)).unwrap();
    verify(&program).unwrap();
    let flat = flatten(&program).unwrap();
    (program, flat.function)
}

/// Number of instructions, and of products among them.
fn sizes(function: &Function) -> (usize, usize) {
    let insts = function.body.walk(function.body.entry());
    let is_product = |inst: &&_| matches!(function.body.insts[**inst].op, Op::DotGeneral(_));
    (insts.len(), insts.iter().filter(is_product).count())
}

#[test]
fn figures() {
    let Ok(paths) = std::env::var("NORMAL") else { return };
    for path in paths.split(':') {
        let (program, function) = flat(&std::fs::read_to_string(path).unwrap());
        for barriers in [Barriers::Kept, Barriers::Dropped] {
            let start = Instant::now();
            let Normal { function: made, guards, .. } = normal(&function, barriers);
            let seconds = start.elapsed().as_secs_f64();
            println!("{path} {barriers:?}: {:?} -> {:?}, {} guards, {seconds:.4} s", sizes(&function), sizes(&made), guards.len());
            verify(&program.with_only(made)).unwrap();
        }
    }
}
