//! The binary `meshwright`: see the library beside it.

use std::ffi::OsString;
use std::process::ExitCode;

/// A search makes and drops many small values on all cores, of which the system's own allocator makes a quarter of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[allow(clippy::disallowed_methods)] // the doors read the command line
fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(meshwright_cli::run(&words))
}
