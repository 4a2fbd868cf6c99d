//! Why a program was not compiled.

use crate::does_not_fit::DoesNotFit;
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics};
use meshwright_machine::Bytes;
use std::fmt;

/// Reasons for which there is no compiled program.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// The program is at fault; never empty.
    Diagnostics(Diagnostics),
    /// What the caller decided does not go together, or not with the machine; the program is not at fault.
    Options(Box<Diagnostic>),
    /// The plan that was given is at fault; never empty.
    Plan(Diagnostics),
    /// No plan keeps to the constraints on degrees, or no pipeline of several to the limit on memory.
    NotAllowed(Box<Diagnostic>),
    /// Correct, but no device has the memory.
    DoesNotFit(Box<DoesNotFit>),
    /// It was only looked over for plans that take less than it does, and fits, or none takes less however much memory there is.
    NotFaster(Box<NotFaster>),
    /// The caller asked to stop after this stage.
    Stopped(String),
    /// The caller asked to stop meanwhile ([`meshwright_ir::control::Control::should_stop`]).
    Interrupted,
}

/// A plan that takes too long, and fits or needs more memory than there is; with more, too, all take too long.
#[derive(Clone, Debug)]
pub struct NotFaster {
    /// Bytes of each device that it needs.
    pub peak: Bytes,
    /// No plan takes less, in seconds, if a search says so.
    pub bound: Option<f64>,
    /// What the program lacks where it does not run in tiles, if it does here.
    pub(crate) lacks: Option<Box<DoesNotFit>>,
}

impl From<Diagnostics> for CompileError {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Diagnostics(diagnostics)
    }
}

impl From<Diagnostic> for CompileError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Diagnostics(vec![diagnostic])
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Diagnostics(diagnostics) | Self::Plan(diagnostics) => {
                for (index, diagnostic) in diagnostics.iter().enumerate() {
                    write!(f, "{}{diagnostic}", if index == 0 { "" } else { "\n" })?;
                }
                Ok(())
            }
            Self::Options(diagnostic) | Self::NotAllowed(diagnostic) => diagnostic.fmt(f),
            Self::DoesNotFit(problem) => problem.fmt(f),
            Self::NotFaster(_) => f.write_str("no plan takes less than was asked for"),
            Self::Interrupted => f.write_str("stopped, as asked"),
            Self::Stopped(stage) => write!(f, "stopped after `{stage}`, as asked"),
        }
    }
}

impl std::error::Error for CompileError {}
