//! The runner of file tests: one file holds one idea, an input program and what a stage must make of it.
//!
//! Input: a folder of `<group>/<name>.mlir` (or `.schedule`) files and a table of [`Stage`]s, each of them one function from a
//! program to an [`Outcome`]. Output: a [`Verdict`] for each file. The stages belong to the caller, so this crate
//! knows nothing of the compiler.
//!
//! ```text
//! // test: propagate mesh=2x4
//! // A sharded contracting dim reaches the other operand, not the result.
//! func.func @dot(...) { ... }
//! // expect: %b [{"x", ?}, {?}]    %0 [{?}, {?}]
//! ```
//!
//! The grammar of the comments is described in [`mod@file`], how they are compared in [`compare`].

pub mod compare;
pub mod file;
mod run;

pub use file::{Finding, Input, Outcome};
pub use run::{Mode, Stage, Test, Verdict, discover};

use std::collections::BTreeMap;
use std::path::Path;

/// Runs every file test below a folder, in the order of their names; an error if the folder cannot be read.
///
/// [`discover`] and [`Test::run`] do the same one file at a time, for a harness that reports as it goes.
pub fn run(
    folder: &Path,
    stages: &BTreeMap<&str, Stage>,
    mode: Mode,
) -> std::io::Result<Vec<(String, Verdict)>> {
    let tests = discover(folder)?;
    Ok(tests.into_iter().map(|test| (test.name.clone(), test.run(stages, mode))).collect())
}
