//! The virtual environment that the Python tests run in: `.venv` in the repository's root.
//!
//! It is made once and reused. A copy of the requirements inside it says what was installed; when
//! `tests/requirements.txt` changes, the environment is made again from nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Oldest Python that the pinned JAX runs on, as (major, minor).
const OLDEST: (u32, u32) = (3, 11);

/// Interpreters to try, the one the requirements are pinned for first.
const CANDIDATES: [&str; 5] = ["python3.11", "python3.12", "python3.13", "python3.14", "python3"];

/// The interpreter of an environment that holds `tests/requirements.txt`; makes the environment if need be.
pub(crate) fn environment(root: &Path) -> Result<PathBuf, String> {
    let requirements = root.join("tests/requirements.txt");
    let wanted = fs::read_to_string(&requirements)
        .map_err(|error| format!("cannot read {}: {error}", requirements.display()))?;
    let folder = root.join(".venv");
    let interpreter = folder.join("bin/python");
    let installed = folder.join("installed.txt");
    if interpreter.exists() && fs::read_to_string(&installed).is_ok_and(|text| text == wanted) {
        return Ok(interpreter);
    }
    let python = find_python()?;
    eprintln!("xtask: installing tests/requirements.txt into .venv (once)");
    let mut make = Command::new(python);
    make.args(["-m", "venv", "--clear"]).arg(&folder);
    succeed(make, "`python -m venv` failed; on Debian and Ubuntu it needs the package python3-venv")?;
    let mut install = Command::new(&interpreter);
    // The file lists all that is needed.
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--requirement",
    ]);
    install.arg(&requirements);
    let hint = "the packages in tests/requirements.txt could not be installed; is the package registry \
                reachable (see pip's message above)? `cargo test --workspace` runs all tests that need only Rust";
    succeed(install, hint)?;
    fs::write(&installed, wanted)
        .map_err(|error| format!("cannot write {}: {error}", installed.display()))?;
    Ok(interpreter)
}

fn find_python() -> Result<&'static str, String> {
    CANDIDATES.into_iter().find(|name| version(name).is_some_and(|found| found >= OLDEST)).ok_or_else(|| {
        format!(
            "no Python {}.{} or newer found (tried {}); the Python tests need one. \
             `cargo test --workspace` runs all tests that need only Rust",
            OLDEST.0,
            OLDEST.1,
            CANDIDATES.join(", ")
        )
    })
}

/// The version of an interpreter; none if it cannot be started (a version manager's shim may exist and fail).
fn version(name: &str) -> Option<(u32, u32)> {
    let output = Command::new(name).arg("--version").stderr(Stdio::null()).output().ok()?;
    parse_version(&String::from_utf8_lossy(&output.stdout)).filter(|_| output.status.success())
}

/// `Python 3.11.7` is (3, 11).
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.trim().strip_prefix("Python ")?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

fn succeed(mut command: Command, hint: &str) -> Result<(), String> {
    match command.stdout(Stdio::null()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(hint.to_owned()),
        Err(error) => Err(format!("{hint} ({error})")),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_version;

    #[test]
    fn versions_compare_as_numbers() {
        assert_eq!(parse_version("Python 3.11.7\n"), Some((3, 11)));
        assert!(parse_version("Python 3.9.1") < Some((3, 11)));
        assert_eq!(parse_version("pyenv: not found"), None);
    }
}
