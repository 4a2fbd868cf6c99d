//! The text form: MLIR's syntax for StableHLO, `func`, `chlo`, `sdy` and `mhlo` attributes, pretty and generic.
//!
//! [`read`] turns a source into a program or into all that is wrong with it; [`print()`] writes what MLIR's own printer
//! would. Reading what was printed gives the same program.

mod aliases;
mod attributes;
mod dense;
mod dialect_attribute;
mod format;
mod function;
mod instruction;
mod lexer;
mod location;
mod location_aliases;
mod module;
mod names;
mod parser;
mod printer;
mod resources;
mod sdy;
#[cfg(test)]
mod tests;
mod types;

pub use attributes::DialectFields;
pub use format::{Ending, Field, Format};
pub use lexer::{Token, TokenKind};
pub use module::{ATTRIBUTES, SIGNATURE, UNKNOWN_OP};
pub use parser::{Failed, NAMES, NESTING, Parsed, Parser, SYNTAX, TYPES};
pub use printer::{Form, OpPrinter, RegionHeader, print, print_with_locations};
pub use types::MOST_ELEMENTS;

use crate::diagnostic::{Diagnostic, Diagnostics, Source, Span};
use crate::program::Program;

/// Reads a module. Types are as written; [`crate::verify::verify`] checks them.
/// Errors: everything that is wrong with the text, in order of place; several modules.
pub fn read(source: &Source) -> Result<Program, Diagnostics> {
    let mut programs = read_all(source)?;
    match (programs.pop(), programs.len()) {
        (Some(only), 0) => Ok(only),
        (_, others) => {
            let count = others + 1;
            let message =
                format!("the file holds {count} modules, split by `// -----`, where one is expected");
            let hint = "give the one you mean a file of its own";
            Err(vec![Diagnostic::error(SYNTAX, Span::NONE, message).hint(hint)])
        }
    }
}

/// Reads all modules of a file, which lines that begin with `// -----` split; never empty.
/// Errors: everything that is wrong with the text, in order of place.
pub fn read_all(source: &Source) -> Result<Vec<Program>, Diagnostics> {
    let (mut programs, mut diagnostics) = (Vec::new(), Vec::new());
    for part in module::split(&source.text) {
        match module::read(source, part) {
            Ok(program) => programs.push(program),
            Err(found) => diagnostics.extend(found),
        }
    }
    if diagnostics.is_empty() { Ok(programs) } else { Err(diagnostics) }
}
