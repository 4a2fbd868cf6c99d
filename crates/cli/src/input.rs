//! Files that the user names: programs, machines, and other texts. Each way a file can be wrong is one diagnostic.

use crate::failure::{Failure, Finding, Outcome, USAGE};
use meshwright_cost::MachineFault;
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, MachineError, file_and_sizes};
use meshwright_present::diagnostics::of_machine;
use std::fs;
use std::io::Read;
use std::path::Path;

/// A machine file does not describe a machine.
const MACHINE: Check = Check("machine");

/// How MLIR bytecode starts.
const BYTECODE: &[u8] = b"ML\xefR";

/// A text file; `-` is stdin.
pub(crate) fn text(path: &Path, what: &str) -> Outcome<Source> {
    text_of(path, bytes(path, what)?, what)
}

/// The text of a file that was read.
pub(crate) fn text_of(path: &Path, bytes: Vec<u8>, what: &str) -> Outcome<Source> {
    if bytes.starts_with(BYTECODE) {
        let hint = "write it as text: `stablehlo-translate --deserialize FILE`; \
                    from JAX, `jax.jit(f).lower(...).as_text()`";
        return Err(Failure::file(path, "this is MLIR bytecode, not text", hint));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        let before = String::from_utf8_lossy(&error.as_bytes()[..offset]);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let message = format!(
            "the file is not UTF-8 text: byte {offset}, in line {line} at column {column}, \
             does not belong to any character"
        );
        Failure::file(
            path,
            message,
            format!("a {what} is a text file; was this one saved in another encoding?"),
        )
    })?;
    if text.trim().is_empty() {
        return Err(Failure::file(path, "the file is empty", format!("a {what} was expected here")));
    }
    // Spans hold 32 bits.
    if u32::try_from(text.len()).is_err() {
        return Err(Failure::file(
            path,
            "the file has more than 4 GiB",
            "large constants belong into arguments",
        ));
    }
    Ok(Source::new(path.display().to_string(), text))
}

/// A file as it is; `-` is stdin.
pub(crate) fn bytes(path: &Path, what: &str) -> Outcome<Vec<u8>> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        return match std::io::stdin().lock().read_to_end(&mut bytes) {
            Ok(_) => Ok(bytes),
            Err(error) => Err(no_stdin(&error)),
        };
    }
    if path.is_dir() {
        return Err(Failure::file(path, "this is a folder", format!("give the path of a {what}")));
    }
    fs::read(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Failure::file(path, "there is no such file", "check the path"),
        _ => Failure::file(path, format!("the file cannot be read: {error}"), "check its permissions"),
    })
}

/// Why stdin is not read.
pub(crate) fn no_stdin(error: &std::io::Error) -> Failure {
    Failure::file(Path::new("-"), format!("stdin cannot be read: {error}"), "is it open?")
}

/// The machine of a spec such as `h100:32x8`, or of a TOML file.
pub(crate) fn machine(spec: &str) -> Outcome<Machine> {
    let (file, _) = file_and_sizes(spec);
    let path = Path::new(file);
    let is_file = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
        || file.contains(std::path::MAIN_SEPARATOR);
    if !is_file {
        return Machine::from_spec(spec).map_err(|error| Failure::Usage(Box::new(of_machine(error, USAGE))));
    }
    let source = text(path, "machine file")?;
    let finding = |error: MachineError| Finding {
        diagnostic: of_machine(error, MACHINE),
        source: Some(source.clone()),
    };
    meshwright_cost::read_machine(&source.text, spec).map_err(|fault| match fault {
        MachineFault::File(errors) => Failure::Input(errors.into_iter().map(finding).collect()),
        MachineFault::Sizes(error) => Failure::Usage(Box::new(of_machine(error, USAGE))),
    })
}

/// A program without an entry function.
pub(crate) fn no_main(program: &Program, source: &Source) -> Failure {
    let names: Vec<String> =
        program.functions.iter().map(|function| format!("`@{}`", function.name)).collect();
    let message = match names.as_slice() {
        [] => "the program has no function".to_owned(),
        _ => format!("the program has no function `@main`, but {}", names.join(", ")),
    };
    let diagnostic = Diagnostic::error(Check("structure"), Span::NONE, message)
        .hint("name the function to run `@main`, or leave only one in the module");
    Failure::Input(vec![Finding { diagnostic, source: Some(source.clone()) }])
}
