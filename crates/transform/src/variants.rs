//! Variant of a program: a function that computes the same, of which a plan takes the one that suits it.
//!
//! Input and output of each is a function in which ids mean the same, so that what is decided of one holds for all.

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
