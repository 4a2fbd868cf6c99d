//! A program that does not fit, as a failure of the command.

use crate::failure::{Failure, Finding};
use meshwright_compile::DoesNotFit;
use meshwright_ir::diagnostic::Source;
use meshwright_present::does_not_fit::{details, diagnostic};

/// The failure to report; its diagnostic points at the instruction where the peak is.
pub(crate) fn failure(problem: &DoesNotFit, source: &Source) -> Failure {
    let finding = Finding { diagnostic: diagnostic(problem), source: Some(source.clone()) };
    Failure::DoesNotFit(Box::new((finding, details(problem, source))))
}
