//! The text form: MLIR's syntax for StableHLO, `func`, `chlo`, `sdy` and `mhlo` attributes, pretty and generic.
//!
//! [`read`] turns a source into a program or into all that is wrong with it; [`print()`] writes what MLIR's own printer
//! would. Reading what was printed gives the same program.

mod attributes;
mod dense;
mod lexer;
mod module;
mod parser;
mod printer;
#[cfg(test)]
mod tests;
mod types;

pub use attributes::DialectFields;
pub use lexer::{Token, TokenKind};
pub use module::{ATTRIBUTES, SIGNATURE, UNKNOWN_OP};
pub use parser::{Failed, NAMES, NESTING, Parsed, Parser, SYNTAX, TYPES};
pub use printer::{Form, OpPrinter, RegionHeader, print};

use crate::diagnostic::{Diagnostics, Source};
use crate::program::Program;

/// Reads a module. Types are as written; [`crate::verify::verify`] checks them.
/// Errors: everything that is wrong with the text, in order of place.
pub fn read(source: &Source) -> Result<Program, Diagnostics> {
    module::read(source)
}
