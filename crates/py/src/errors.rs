//! Diagnostics as Python exceptions, with the text that the command shows.

use meshwright_compile::CompileError;
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics, Source};
use meshwright_present::diagnostics::{Style, render_all};
use meshwright_present::does_not_fit;
use meshwright_present::keywords::in_keywords;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::compiled::MEMORY;

create_exception!(
    meshwright,
    Error,
    PyException,
    "Why there is no plan; the base of all errors of Meshwright."
);
create_exception!(meshwright, ProgramError, Error, "The program, a plan or a machine's file is at fault.");
create_exception!(meshwright, OptionError, Error, "What was decided does not go together.");
create_exception!(meshwright, DoesNotFit, Error, "The program needs more memory than the devices have.");
create_exception!(meshwright, RunFailed, Error, "A program could not be run on embedded devices.");
create_exception!(meshwright, Defect, Error, "A defect of Meshwright itself.");

/// Why work ended without a result.
pub(crate) enum Stop {
    /// A text is at fault.
    Input(String),
    /// What was decided is at fault.
    Usage(String),
    /// Not enough memory.
    DoesNotFit(String),
    /// Embedded devices failed.
    Run(String),
    /// A broken invariant of ours.
    Defect(String),
    /// The user asked.
    Interrupted,
}

impl Stop {
    /// What is wrong with a text.
    pub(crate) fn input(found: Diagnostics, source: &Source) -> Self {
        Self::Input(text(&found, Some(source)))
    }

    /// What is wrong with what was decided.
    pub(crate) fn usage(found: Diagnostic) -> Self {
        Self::Usage(text(&[found], None))
    }

    /// A panic, as what the command says of one.
    pub(crate) fn defect(panic: &(dyn std::any::Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        let text = text.unwrap_or("no message");
        Self::Defect(format!(
            "error[defect]: a defect of Meshwright: {text}\n = hint: please report it with the program"
        ))
    }

    /// What is wrong first, in a line.
    pub(crate) fn message(&self) -> String {
        let text = match self {
            Self::Input(text)
            | Self::Usage(text)
            | Self::DoesNotFit(text)
            | Self::Run(text)
            | Self::Defect(text) => text.as_str(),
            Self::Interrupted => "",
        };
        let line = text.lines().next().unwrap_or_default();
        line.split_once("]: ").map_or(line, |(_, message)| message).to_owned()
    }

    /// The exception to raise.
    pub(crate) fn into_exception(self, py: Python<'_>) -> PyErr {
        match self {
            Self::Input(text) => ProgramError::new_err(text),
            Self::Usage(text) => OptionError::new_err(text),
            Self::DoesNotFit(text) => DoesNotFit::new_err(text),
            Self::Run(text) => RunFailed::new_err(text),
            Self::Defect(text) => Defect::new_err(text),
            Self::Interrupted => match py.check_signals() {
                Err(interrupt) => interrupt,
                Ok(()) => pyo3::exceptions::PyKeyboardInterrupt::new_err(()),
            },
        }
    }
}

/// Why a program was not compiled.
pub(crate) fn of_compiler(error: CompileError, source: &Source) -> Stop {
    match error {
        CompileError::Diagnostics(found) => Stop::input(found, source),
        CompileError::Plan(found) => Stop::Input(text(&found, None)),
        CompileError::NotAllowed(found) if found.check == MEMORY => Stop::DoesNotFit(text(&[*found], None)),
        CompileError::Options(found) | CompileError::NotAllowed(found) => Stop::usage(*found),
        CompileError::DoesNotFit(problem) => {
            let what = text(&[does_not_fit::diagnostic(&problem)], Some(source));
            Stop::DoesNotFit(format!(
                "{what}\n\n{}",
                in_keywords(&does_not_fit::details(&problem, source).text)
            ))
        }
        CompileError::Stopped(_) | CompileError::Interrupted | CompileError::NotFaster(_) => {
            Stop::Interrupted
        }
    }
}

/// The text of diagnostics, with keywords for flags, and without a final newline: Python adds its own.
pub(crate) fn text(found: &[Diagnostic], source: Option<&Source>) -> String {
    let found: Vec<_> = found.iter().map(|diagnostic| (diagnostic, source)).collect();
    in_keywords(render_all(&found, Style::Human, false, "mend these first").trim_end())
}

/// Adds the exceptions to the module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("Error", py.get_type::<Error>())?;
    module.add("ProgramError", py.get_type::<ProgramError>())?;
    module.add("OptionError", py.get_type::<OptionError>())?;
    module.add("DoesNotFit", py.get_type::<DoesNotFit>())?;
    module.add("RunFailed", py.get_type::<RunFailed>())?;
    module.add("Defect", py.get_type::<Defect>())
}
