//! The binary `meshwright`: see the library beside it.

use std::ffi::OsString;
use std::process::ExitCode;

#[allow(clippy::disallowed_methods)] // the doors read the command line
fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(meshwright_cli::run(&words))
}
