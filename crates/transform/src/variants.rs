//! Variants of a program: functions that compute the same, of which a plan takes the one that suits it.
//!
//! Input and output of each is a function in which ids mean the same, so that what is decided of one holds for all.

use crate::order::early_updates;
use meshwright_ir::program::Function;

/// A variant: its name and the function that it is.
pub struct Variant {
    /// Name, for tests and reports.
    pub name: &'static str,
    /// What is different, in one line.
    pub summary: &'static str,
    /// The variant of a function as it is written.
    pub of: fn(&Function) -> Function,
}

/// All variants; the first is searched first, and of two that are equally good it is taken.
pub const VARIANTS: &[Variant] = &[
    Variant { name: "written", summary: "instructions in the order of the program", of: Function::clone },
    Variant {
        name: "early-updates",
        summary: "each parameter is updated as soon as its gradient is there",
        of: early_updates,
    },
];
