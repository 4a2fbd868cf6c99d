//! The partitioner: a lowered program becomes one local program that every device runs.
//!
//! [`partition()`] emits the events of a lowering (`meshwright_cost::lowering`) in their order: for a reshard the
//! planned steps, for an instruction what its own file makes of local operands (`OpDef::localize`). It decides nothing,
//! so what it emits is what was priced. [`optimize`] then removes what the lowering could not see; [`verify()`] checks
//! the result, and [`number_devices`] gives every device its number. [`Account`] is what the program takes, by what
//! takes it.

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

pub use account::{Account, InFlight, LocalWork, OfPlace, Places, Spent};
pub use arrange::{arrange, device_order_seconds};
pub use facts::scalars::MOST_DEVICES;
pub use number::{Ids, number_devices};
pub use partition::partition;
pub use verify::{DEVICE_PROGRAM, Meaning, Undecided, meanings, verify, verify_meaning};
