//! The fuzzer: damages inputs and looks for panics, hangs, floods of memory, and answers that contradict themselves.
//!
//! [`damage`] changes an input, [`targets`] says what is done with it, one target for each kind of input that users
//! give. The binary keeps the inputs that reach new code ([`coverage`]), contains each run in a process of its own and
//! makes findings small. The tests of `meshwright-suite` use the same parts for a bounded number of cases.

pub mod bounded;
pub mod coverage;
pub mod damage;
mod exported;
pub mod memory;
pub mod rng;
pub mod targets;
pub mod whole_way;
