//! The project's chores: `cargo xtask test` runs every test, `cargo xtask check` everything a change must pass
//! besides. Input: the checkout it is run from; output: the tools' own output and an exit code (0 all passed,
//! 1 something failed, 2 wrong usage).
//!
//! It is a program rather than a shell script so that it needs nothing but Rust.

// Chores talk to the person who runs them, and cargo talks to them through the environment.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods)]

mod python;
mod sources;
mod steps;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
Meshwright's chores.

Usage: cargo xtask <COMMAND>

Commands:
  test      runs every test: `cargo test --workspace`, and beside it the Python tests under tests/
            (jax and numpy are installed into .venv once, from tests/requirements.txt)
  check     formatting, clippy and docs with warnings as errors, and the rules for source files
  fmt       formats every crate
  sources   only the rules for source files: at most 600 lines, a first comment, no `utils`
  python    only makes .venv and prints the path of its interpreter

Options:
  -h, --help   prints this
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let root = repository_root();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["-h" | "--help" | "help"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        ["test"] => steps::test(&root),
        ["check"] => steps::check(&root),
        ["fmt"] => steps::format(&root),
        ["sources"] => sources::check(&root),
        ["python"] => python::environment(&root).map(|interpreter| println!("{}", interpreter.display())),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// The folder that holds the workspace's `Cargo.toml`: cargo tells where this package lies when it runs it.
fn repository_root() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let package = PathBuf::from(package);
    package.parent().map_or_else(|| package.clone(), Path::to_path_buf)
}
