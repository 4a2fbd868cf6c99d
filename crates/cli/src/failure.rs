//! Why a command did not do what it was asked, and the exit code that says so.

use crate::args::{Output, Style};
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Source, Span};
use meshwright_present::diagnostics::render_all;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Something about a file or folder, not about its content.
pub(crate) const FILE: Check = Check("file");

/// An invariant of ours is broken.
const DEFECT: Check = Check("defect");

/// The command line is at fault.
pub(crate) const USAGE: Check = Check("usage");

/// A command's outcome.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// Why a command stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is at fault (exit code 1).
    Input(Vec<Finding>),
    /// Flags that parse but do not go together (exit code 2).
    Usage(Box<Diagnostic>),
    /// The answer is no, and was printed already (exit code 3).
    No,
    /// A check of the program does not hold (exit code 3).
    Check(Box<Finding>),
    /// What is asked for cannot be, with all reasons (exit code 3).
    Refused(Vec<Finding>),
    /// The program does not fit, with what stdout says of it (exit code 3).
    DoesNotFit(Box<(Finding, meshwright_present::does_not_fit::Details)>),
    /// A device or worker failed (exit code 4).
    Worker(Box<Finding>),
    /// It was asked to stop, and did so in order; with what became of its work, where that was not said yet (exit code 130, as
    /// of a command that Ctrl-C ends).
    Stopped(Option<String>),
    /// Whoever reads our output has seen enough (exit code 0).
    Closed,
}

/// A diagnostic with the text that its span refers to.
#[derive(Debug)]
pub(crate) struct Finding {
    /// The diagnostic.
    pub(crate) diagnostic: Diagnostic,
    /// The file it is about.
    pub(crate) source: Option<Source>,
}

impl Failure {
    /// Diagnostics about one source.
    pub(crate) fn input(source: &Source, diagnostics: Diagnostics) -> Self {
        let finding = |diagnostic| Finding { diagnostic, source: Some(source.clone()) };
        Self::Input(diagnostics.into_iter().map(finding).collect())
    }

    /// Something about the command line; `meshwright help` is the hint.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::Usage(Box::new(Diagnostic::error(USAGE, Span::NONE, message)))
    }

    /// Something about a whole file.
    pub(crate) fn file(path: &Path, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let diagnostic = Diagnostic::error(FILE, Span::NONE, message).hint(hint);
        Self::Input(vec![Finding { diagnostic, source: Some(Source::new(path.display().to_string(), "")) }])
    }

    /// Whether what is asked for cannot be on the machine that it is asked for.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self, Self::DoesNotFit(_) | Self::Check(_) | Self::Refused(_))
    }

    /// What it says, without the texts that it is about.
    pub(crate) fn into_diagnostics(self) -> Diagnostics {
        match self {
            Self::Input(findings) | Self::Refused(findings) => {
                findings.into_iter().map(|finding| finding.diagnostic).collect()
            }
            Self::Usage(diagnostic) => vec![*diagnostic],
            Self::Check(finding) | Self::Worker(finding) => vec![finding.diagnostic],
            Self::DoesNotFit(problem) => vec![problem.0.diagnostic],
            Self::No | Self::Stopped(_) | Self::Closed => Vec::new(),
        }
    }

    /// What is wrong first, in a line; nothing where that was said already.
    pub(crate) fn message(&self) -> String {
        let first = |findings: &[Finding]| findings.first().map(|found| found.diagnostic.message.clone());
        let said = match self {
            Self::Input(findings) | Self::Refused(findings) => first(findings),
            Self::Usage(diagnostic) => Some(diagnostic.message.clone()),
            Self::Check(finding) | Self::Worker(finding) => Some(finding.diagnostic.message.clone()),
            Self::DoesNotFit(problem) => Some(problem.0.diagnostic.message.clone()),
            Self::No | Self::Stopped(_) | Self::Closed => None,
        };
        said.unwrap_or_default()
    }

    /// The answer is no, and this is why.
    pub(crate) fn check(diagnostic: Diagnostic) -> Self {
        Self::Check(Box::new(Finding { diagnostic, source: None }))
    }

    /// The command was asked to stop, and this became of its work.
    pub(crate) fn stopped(what: &str) -> Self {
        Self::Stopped(Some(what.to_owned()))
    }

    /// A broken invariant of the compiler itself.
    pub(crate) fn defect(panic: &(dyn std::any::Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().copied();
        let text =
            text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        let diagnostic = Diagnostic::error(DEFECT, Span::NONE, format!("a defect of Meshwright: {text}"))
            .hint("please report it with the program and the command; nothing was written");
        Self::Worker(Box::new(Finding { diagnostic, source: None }))
    }

    /// Why the answer is no, in a line.
    ///
    /// Errors: this is no answer.
    pub(crate) fn no(self) -> Outcome<String> {
        match self {
            Self::Check(_) | Self::DoesNotFit(_) | Self::Refused(_) => Ok(self.message()),
            _ => Err(self),
        }
    }

    /// The process's exit code.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Closed => 0,
            Self::Input(_) => 1,
            Self::Usage(_) => 2,
            Self::No | Self::Check(_) | Self::Refused(_) | Self::DoesNotFit(..) => 3,
            Self::Worker(_) => 4,
            Self::Stopped(_) => crate::interrupt::ENDED,
        }
    }

    /// Writes what is wrong to stderr. `command` is the subcommand.
    pub(crate) fn report(&self, output: Output, command: &str) {
        let findings = match self {
            Self::Input(findings) | Self::Refused(findings) => findings.as_slice(),
            Self::DoesNotFit(problem) => {
                let (finding, details) = problem.as_ref();
                let text =
                    if output.json { crate::output::json(&details.json) } else { details.text.clone() };
                // The exit code says no whether or not somebody reads the details.
                let _ = crate::output::print(&text);
                std::slice::from_ref(finding)
            }
            Self::Check(finding) | Self::Worker(finding) => std::slice::from_ref(finding.as_ref()),
            Self::Usage(diagnostic) => {
                let mut diagnostic = Diagnostic { check: USAGE, ..diagnostic.as_ref().clone() };
                if diagnostic.hints.is_empty() {
                    diagnostic.hints.push(format!("`meshwright help {command}` shows the flags"));
                }
                return show(&[Finding { diagnostic, source: None }], output.style());
            }
            Self::Stopped(Some(what)) => return say_stopped(what),
            Self::No | Self::Stopped(None) | Self::Closed => return,
        };
        show(findings, output.style());
    }
}

/// Says what became of the work of a command that was asked to stop.
pub(crate) fn say_stopped(what: &str) {
    // There is nobody left to tell if this fails.
    let _ = std::io::stderr().write_all(format!("stopped, as asked: {what}\n").as_bytes());
}

/// Tells the user something that does not keep the command from doing its work.
pub(crate) fn warn(check: Check, message: String, hint: Option<String>, output: Output) {
    let mut diagnostic = Diagnostic::warning(check, Span::NONE, message);
    diagnostic.hints.extend(hint);
    show(&[Finding { diagnostic, source: None }], output.style());
}

/// The same for what is found in a source.
pub(crate) fn warn_all(source: &Source, warnings: Vec<Diagnostic>, output: Output) {
    let finding = |diagnostic| Finding { diagnostic, source: Some(source.clone()) };
    show(&warnings.into_iter().map(finding).collect::<Vec<_>>(), output.style());
}

fn show(findings: &[Finding], style: Style) {
    let colored = std::io::stderr().is_terminal() && !no_color();
    let findings: Vec<_> =
        findings.iter().map(|finding| (&finding.diagnostic, finding.source.as_ref())).collect();
    let text = render_all(&findings, style.into(), colored, "`--diagnostics short` lists all");
    // There is nobody left to tell if this fails.
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Whether the user wants no colors anywhere (the `NO_COLOR` convention).
#[allow(clippy::disallowed_methods)] // the doors read the environment
fn no_color() -> bool {
    std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty())
}
