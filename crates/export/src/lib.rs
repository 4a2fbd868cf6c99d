//! Plans as the job files of other frameworks.
//!
//! Input: a plan file as a [`Job`], and a [`Target`]. Output: the target's files ([`Export`]), or why it cannot run the
//! plan ([`Gap`]s). [`read`] goes the other way: from a job file to the degrees in it. Nothing is believed to exist in a
//! target that is not in the version which it states.
//!
//! Each target is a file in [`targets`], of two functions: `fit` says what the target can run, `write` writes it. What `fit`
//! says comes to [`constraints`] of a search too, so that no rule stands twice.

pub mod constraints;
pub mod document;
pub mod fit;
pub mod job;
pub mod model;
pub mod partial_zero;
pub mod planned;
pub mod read;
pub mod targets;

pub use fit::{Fit, Gap};
pub use job::{Degrees, Job, Kind, Precision, Recompute};
pub use model::Model;
pub use planned::{EXPORT, Fault, changes, refusal};
pub use targets::{TARGETS, Target, target};

/// A file of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name in the folder.
    pub name: &'static str,
    /// What it holds.
    pub text: String,
}

impl File {
    /// A file of this name.
    pub fn new(name: &'static str, text: impl Into<String>) -> Self {
        Self { name, text: text.into() }
    }
}

/// Ways of going on where a target cannot run a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Nothing is written.
    Refused,
    /// What is nearest, where there is something.
    Nearest,
}

/// A job as a target's files.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The job that was written.
    pub job: Job,
    /// The files.
    pub files: Vec<File>,
    /// What is not as planned.
    pub changes: Vec<Gap>,
}

/// A job as near to what was planned as a target can run it, with what is not as planned.
fn fitted(job: Job, target: &Target) -> Fit {
    let mut fit = Fit::new(job);
    (target.fit)(&mut fit);
    fit.shares_over_all();
    fit.partial_zero_is_left_out();
    fit.partial_recompute_is_a_level();
    fit
}

/// Writes a job for a target.
///
/// # Errors
/// All that the target cannot run.
pub fn export(job: Job, target: &Target, otherwise: Otherwise) -> Result<Export, Vec<Gap>> {
    let Fit { job, gaps } = fitted(job, target);
    let is_refused = |gap: &Gap| otherwise == Otherwise::Refused || gap.instead.is_none();
    if gaps.iter().any(is_refused) {
        return Err(gaps);
    }
    let files = (target.write)(&job);
    Ok(Export { job, files, changes: gaps })
}
