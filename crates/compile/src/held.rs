//! Warnings of what may not be taken.

use meshwright_ir::control::{Control, View};
use meshwright_ir::diagnostic::Diagnostic;
use std::sync::{Mutex, PoisonError};

use crate::best::MAKING;

/// Control that keeps warnings back until what they are about is taken.
pub struct Held<'a> {
    control: &'a dyn Control,
    warnings: Mutex<Vec<Diagnostic>>,
    /// Whether nothing else there is to know of it is of interest.
    is_quiet: bool,
}

impl<'a> Held<'a> {
    /// Keeps back what is warned of.
    pub fn back(control: &'a dyn Control) -> Self {
        Self { control, warnings: Mutex::default(), is_quiet: false }
    }

    /// The same of one of many: nobody hears of its progress or its passes either.
    pub(crate) fn quietly(control: &'a dyn Control) -> Self {
        Self { is_quiet: true, ..Self::back(control) }
    }

    /// Passes on what was warned of something that is taken.
    pub fn taken<T>(&self, what: T) -> T {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        warnings.drain(..).for_each(|warning| self.control.warn(&warning));
        what
    }
}

impl Control for Held<'_> {
    fn should_stop(&self) -> bool {
        self.control.should_stop()
    }

    fn progress(&self, stage: &str, done: usize, total: usize) {
        // What may not be taken is not the last that is made.
        if stage != MAKING && !self.is_quiet {
            self.control.progress(stage, done, total);
        }
    }

    fn warn(&self, warning: &Diagnostic) {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        if !warnings.contains(warning) {
            warnings.push(warning.clone());
        }
    }

    fn after_pass(&self, name: &str, view: View<'_>) {
        if !self.is_quiet {
            self.control.after_pass(name, view);
        }
    }

    fn is_watched(&self) -> bool {
        !self.is_quiet && self.control.is_watched()
    }
}
