//! The engine `xla`: worker processes on JAX, which run a compiled program, and the supervisor that starts, watches and
//! ends them.
//!
//! - [`job`] is what the workers are to do; they read it from a file.
//! - [`mod@launches`] is what they launch for groups of devices, in which order.
//! - `scripts` holds the workers' own program, which is Python.
//! - `messages` is what workers tell; `process` is one worker.
//! - [`mod@supervise`] starts them, hears them out, and finds out when one is lost; `failures` says which.
//!
//! The supervisor reads the clock: it is the only part of the library that does, since a process that hangs cannot be
//! found otherwise.

mod failures;
pub mod job;
pub mod launches;
mod messages;
mod process;
mod scripts;
pub mod supervise;

pub use failures::{Cause, Lost};
pub use job::{Described, Job, Measured, ProgramFile, Steps, Work};
pub use launches::{Launch, Straddles};
pub use messages::{Device, Phase, Placed, Step, Taken};
pub use supervise::{Ended, StartError, Watch, supervise};
