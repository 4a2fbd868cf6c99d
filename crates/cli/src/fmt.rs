//! `meshwright fmt`: reads and checks a program and prints it as MLIR's own printer does.

use crate::args::{FmtArguments, Output};
use crate::failure::{Failure, Outcome};
use crate::{input, output};
use meshwright_ir::text::{Form, print, print_with_locations};
use std::path::Path;

pub(crate) fn run(arguments: &FmtArguments, out: Output) -> Outcome {
    let source = input::text(&arguments.file, "StableHLO program")?;
    let programs = meshwright_compile::read_all(&source).map_err(|found| Failure::input(&source, found))?;
    let form = if arguments.generic { Form::Generic } else { Form::Pretty };
    let print = if arguments.debug_info { print_with_locations } else { print };
    let mut programs = programs.iter();
    let mut text = programs.next().map_or_else(String::new, |first| print(first, form));
    for program in programs {
        text.push_str("// -----\n");
        text.push_str(&print(program, form));
    }
    output::program(arguments.output.as_deref().unwrap_or(Path::new("-")), &text, out)
}
