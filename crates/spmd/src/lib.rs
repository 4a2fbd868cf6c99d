//! The partitioner: a global program and its shardings become one local program that every device runs.
//!
//! [`partition()`] walks the function once. Each instruction's operands are resharded to what its strategy asks, its own
//! file emits the local form (`OpDef::localize`), and what comes out, possibly partial, is resharded to how the value
//! is kept. Reshards are the steps that `meshwright-cost` planned and priced. [`optimize`] then removes what the
//! walk could not see; [`verify()`] checks the result, and [`number_devices`] gives every device its number.
//! [`Account`] is what the program takes, by what takes it.

mod account;
mod arrange;
mod builder;
mod emit;
mod facts;
mod number;
pub mod optimize;
mod partition;
mod position;
mod verify;

pub use account::{Account, InFlight, LocalWork, Spent};
pub use arrange::{arrange, device_order_seconds};
pub use facts::scalars::MOST_DEVICES;
pub use number::{Ids, number_devices};
pub use partition::partition;
pub use verify::{DEVICE_PROGRAM, Meaning, Undecided, meanings, verify, verify_meaning};
