//! Runs programs on host tensors: whole ones on one device, device programs on N embedded devices, and compares
//! the two.
//!
//! - [`interpreter`] runs a function; [`liveness`] tells it when a value is no longer needed.
//! - [`embedded`] runs one local program on N devices, each an OS thread; [`rendezvous`] is where they meet. An
//!   instruction that is itself the program of several devices runs them the same way (module `devices`).
//! - [`programs`] runs the programs of several stages and phases, each on its group of devices, as a schedule says.
//! - What `async_start` starts goes on beside the device until it is waited for (module `started`).
//! - [`shards`] splits global tensors into shards and puts shards together again.
//! - [`mod@check`] runs a program whole and spread over devices and compares the results.
//! - [`footprint`] says what a run takes of this host's memory.
//! - [`draw()`] makes inputs from a seed; [`npz`] reads and writes them.
//!
//! - [`stand_in`] replaces kernels that nothing here computes, so that the rest can be checked.
//!
//! - [`store`] keeps tensors as folders of shards: checkpoints, and results that are too large for one file.
//! - [`workers`] runs a program on JAX, in processes of its own, and watches them.
//!
//! This crate never plans.

pub mod check;
mod devices;
pub mod draw;
pub mod embedded;
pub mod footprint;
pub mod interpreter;
pub mod liveness;
pub mod npz;
pub mod programs;
pub mod rendezvous;
pub mod run_error;
pub mod shards;
pub mod stand_in;
mod started;
pub mod store;
mod tuples;
pub mod workers;

pub use check::{CheckOptions, OutputCheck, Verdict, check};
pub use draw::{DrawOptions, IntRange, draw, draw_each, suiting_ranges};
pub use embedded::{run, run_local};
pub use footprint::Footprint;
pub use interpreter::{run_alone, run_function};
pub use programs::run_programs;
pub use run_error::{RunError, RunErrorKind};
pub use stand_in::{UnknownKernel, unknown_kernels};
