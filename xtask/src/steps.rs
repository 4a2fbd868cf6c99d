//! The steps of `cargo xtask test` and `cargo xtask check`, each one command run from the repository's root.
//!
//! All steps run even when one fails, so that one round shows everything that is wrong.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use crate::{python, sources};

/// How `cargo clippy -- -D warnings` hands its arguments to its driver.
const CLIPPY_ARGS: &str = "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__";

/// What has mimalloc, the allocator of the command, take small pages from the system: a process of a test runs for a moment, in
/// which huge ones take longer to clear than they save.
const SMALL_PAGES: (&str, &str) = ("MIMALLOC_ALLOW_THP", "0");

/// Every test: the workspace's, which include the file tests of `tests/suite`, and those in Python.
///
/// Both leave cores idle, the ones in the last long test of each binary, the others while they wait for processes, so they run at
/// a time. What measures the machine runs behind them.
pub(crate) fn test(root: &Path) -> Result<(), String> {
    // Packages are fetched while cargo compiles.
    let (built, environment) = thread::scope(|scope| {
        let environment = scope.spawn(|| python::environment(root));
        let built = run("build of the tests", cargo(root, &["test", "--workspace", "--no-run"]));
        (built, environment.join().unwrap_or_else(|_| Err("making .venv panicked".to_owned())))
    });
    let interpreter = match (built, environment) {
        (Ok(()), Ok(interpreter)) => interpreter,
        (Ok(()), Err(message)) => return all([workspace_tests(root), Err(message)]),
        (built, environment) => return all([built, environment.map(|_| ())]),
    };
    let (workspace, beside) = thread::scope(|scope| {
        let beside = scope.spawn(|| python_tests(&interpreter, root, "shared"));
        (workspace_tests(root), beside.join().unwrap_or_else(|_| Err("tests in Python panicked".to_owned())))
    });
    show("shared");
    let alone = python_tests(&interpreter, root, "alone");
    show("alone");
    all([workspace, beside, alone])
}

/// Formatting, lints, docs, and the rules for source files.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let format = rustfmt(root, &["--check"])
        .and_then(|command| run("formatting (`cargo xtask fmt` mends it)", command));
    let clippy = ["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"];
    let clippy = run("clippy", cargo(root, &clippy));
    // The documentation of private items is what a developer reads, so its links must hold too.
    let mut docs = cargo(root, &["doc", "--workspace", "--no-deps", "--document-private-items"]);
    docs.env("RUSTDOCFLAGS", "-D warnings");
    if let Some(driver) = clippy_driver() {
        // What clippy has made of a crate serves the docs of those that use it, where it is the same driver that is asked.
        docs.env("RUSTC_WORKSPACE_WRAPPER", driver).env("CLIPPY_ARGS", CLIPPY_ARGS);
    }
    all([format, clippy, run("docs", docs), sources::check(root)])
}

/// Formats every source file.
pub(crate) fn format(root: &Path) -> Result<(), String> {
    run("formatting", rustfmt(root, &[])?)
}

/// `rustfmt` on every file: `cargo fmt` does not see the modules that a macro declares.
fn rustfmt(root: &Path, arguments: &[&str]) -> Result<Command, String> {
    let mut command = Command::new("rustfmt");
    command.args(["--edition", "2024"]).args(arguments).current_dir(root);
    command.args(sources::all(root)?.iter().filter(|file| file.extension().is_some_and(|kind| kind == "rs")));
    Ok(command)
}

/// The tests in Rust; they are built.
fn workspace_tests(root: &Path) -> Result<(), String> {
    let mut command = cargo(root, &["test", "--workspace", "--no-fail-fast"]);
    command.env(SMALL_PAGES.0, SMALL_PAGES.1);
    run("tests of the workspace", command)
}

/// The tests that need JAX and XLA: those that other work may run beside, or those that have to be alone. They take the
/// `meshwright` binary that the workspace's tests are built with: built by itself it would be another one, with other features
/// of its dependencies. What they say goes to a file.
fn python_tests(interpreter: &Path, root: &Path, only: &str) -> Result<(), String> {
    let binary = beside_own(&format!("meshwright{}", std::env::consts::EXE_SUFFIX))?;
    let said = said_in_python(only)?;
    let cannot = |error| format!("cannot write {}: {error}", said.display());
    let file = File::create(&said).map_err(cannot)?;
    let mut command = Command::new(interpreter);
    command.arg("tests/run.py").arg("--meshwright").arg(binary).args(["--only", only]).current_dir(root);
    command.env(SMALL_PAGES.0, SMALL_PAGES.1);
    command.stdout(file.try_clone().map_err(cannot)?).stderr(file);
    run("tests in Python", command)
}

/// Prints what tests in Python have said.
fn show(only: &str) {
    let text = said_in_python(only).and_then(|path| fs::read(path).map_err(|error| error.to_string()));
    println!("{}", String::from_utf8_lossy(&text.unwrap_or_default()));
}

fn said_in_python(only: &str) -> Result<PathBuf, String> {
    beside_own(&format!("tests-in-python-{only}.txt"))
}

/// A file beside this program: what the same cargo has built lies in the same folder.
fn beside_own(name: &str) -> Result<PathBuf, String> {
    let own = std::env::current_exe().map_err(|error| format!("cannot find my own path: {error}"))?;
    Ok(own.with_file_name(name))
}

/// The compiler that `cargo clippy` runs: it lies beside cargo. If it is not there, the docs read every crate once more.
fn clippy_driver() -> Option<PathBuf> {
    let cargo = PathBuf::from(std::env::var_os("CARGO")?);
    let driver = cargo.with_file_name(format!("clippy-driver{}", std::env::consts::EXE_SUFFIX));
    driver.is_file().then_some(driver)
}

fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root);
    command
}

/// Runs one step with its output passed through.
fn run(step: &str, mut command: Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{step}: failed ({status})")),
        Err(error) => Err(format!("{step}: cannot start {}: {error}", command.get_program().display())),
    }
}

/// Succeeds if all steps did; otherwise names each that did not.
fn all<const N: usize>(outcomes: [Result<(), String>; N]) -> Result<(), String> {
    let failures: Vec<String> = outcomes.into_iter().filter_map(Result::err).collect();
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\nxtask: ")) }
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn every_failed_step_is_named() {
        assert_eq!(all([Ok(()), Ok(())]), Ok(()));
        let message = all([Err("a".to_owned()), Ok(()), Err("b".to_owned())]).unwrap_err();
        assert!(message.contains('a') && message.contains('b'));
    }
}
