//! Runs programs on host tensors: whole ones on one device, device programs on N embedded devices, and compares
//! the two.
//!
//! - [`interpreter`] runs a function; [`liveness`] tells it when a value is no longer needed.
//! - [`embedded`] runs one local program on N devices, each an OS thread; [`rendezvous`] is where they meet. An
//!   instruction that is itself the program of several devices runs them the same way (module `devices`).
//! - [`programs`] runs the programs of several stages and phases, each on its group of devices, as a schedule says; groups
//!   that hold a value otherwise hand it over part by part (module `across_meshes`).
//! - What `async_start` starts goes on beside the device until it is waited for (module `async_ops`).
//! - [`shards`] splits global tensors into shards and puts shards together again.
//! - [`mod@check`] runs a program whole and sharded over devices and compares the results.
//! - [`footprint`] says what a run takes of this host's memory.
//! - [`draw()`] makes inputs from a seed; [`npz`] reads and writes them.
//!
//! - [`kernel_stubs`] replaces kernels that nothing here computes, so that the rest can be checked.
//!
//! - [`checkpoints`] keeps tensors as folders of shards: checkpoints, and results that are too large for one file.
//! - [`workers`] runs a program on JAX, in processes of its own, and watches them.
//!
//! This crate never plans.

mod across_meshes;
mod added_parts;
mod async_ops;
pub mod check;
pub mod checkpoints;
mod devices;
pub mod embedded;
pub mod footprint;
pub mod interpreter;
pub mod kernel_stubs;
pub mod liveness;
pub mod npz;
pub mod programs;
pub mod random_inputs;
pub mod rendezvous;
pub mod run_error;
pub mod shards;
mod tuples;
pub mod workers;

pub use check::{Change, CheckOptions, OutputCheck, Verdict, check, compare_whole, replaced};
pub use embedded::{run, run_local};
pub use footprint::Footprint;
pub use interpreter::{run_function, run_single_device};
pub use kernel_stubs::{UnknownKernel, unknown_kernels};
pub use programs::{run_programs, run_recorded};
pub use random_inputs::{DrawOptions, IntRange, Suiting, draw, draw_each, suiting};
pub use run_error::{RunError, RunErrorKind};
