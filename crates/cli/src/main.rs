//! The binary `meshwright`: see the library beside it.

use std::ffi::OsString;
use std::process::ExitCode;

/// A search makes and drops many small values on all cores, of which the system's own allocator makes a quarter of its time.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The number of mimalloc's option of how many milliseconds free memory is kept, and the value for always.
const PURGE_DELAY: (libmimalloc_sys::mi_option_t, std::ffi::c_long) = (15, -1);

#[allow(clippy::disallowed_methods)] // the doors read the command line
fn main() -> ExitCode {
    keep_free_memory();
    let words: Vec<OsString> = std::env::args_os().collect();
    ExitCode::from(meshwright_cli::run(&words))
}

/// Has free memory stay with the process: a search drops large tables and makes others at once, and the system would clear every
/// page of them anew, which takes a tenth of the time.
#[allow(unsafe_code)] // it sets a number
fn keep_free_memory() {
    let (option, value) = PURGE_DELAY;
    // SAFETY: the option exists in all versions, and may be set at any time.
    unsafe { libmimalloc_sys::mi_option_set(option, value) };
}
