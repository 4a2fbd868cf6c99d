//! Options beside a plan that is given back: what the plan says, nobody else may say otherwise.

use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::codec::PLAN;

use crate::attended::Kernels;
use crate::error::CompileError;
use crate::options::{Microbatches, Options, Statistics};

/// Refuses options that decide what a plan has decided.
///
/// # Errors
/// [`CompileError::Options`]: that of the first such option.
pub(crate) fn agree(options: &Options) -> Result<(), CompileError> {
    let Some(plan) = &options.plan else { return Ok(()) };
    let has_local = |plan: &PlanFile| {
        plan.microbatches.as_ref().is_some_and(|planned| !planned.local_statistics.is_empty())
    };
    let problem = match options {
        Options { microbatches: Some(Microbatches::Search), .. } => {
            ("the plan says how many microbatches there are", "--microbatches")
        }
        Options { microbatch_statistics: Some(Statistics::Exact), .. } if has_local(plan) => {
            ("the plan takes statistics of each microbatch by itself", "--microbatch-statistics")
        }
        Options { kernels: Kernels::Off, .. } if plan.attention.is_some() => {
            ("the plan runs attentions as calls of the machine's kernel", "--kernels off")
        }
        Options { kernels: Kernels::Off, .. }
            if plan.model.as_ref().is_some_and(|model| model.scan_kernel.is_some()) =>
        {
            ("the plan runs scans as calls of the machine's kernel", "--kernels off")
        }
        Options { recompute: Some(_), .. } => {
            ("the plan says what is made again for the backward pass", "--recompute")
        }
        Options { tiles: Some(_), .. } => ("the plan says what runs in tiles", "--tiles"),
        Options { allowed, .. } if !allowed.is_empty() => ("the plan has its degrees", "--allow"),
        Options { offload: Some(_), .. } => ("the plan says what lies on the host", "--offload"),
        _ => return Ok(()),
    };
    let (message, flag) = problem;
    Err(contradicts(message, flag))
}

/// The refusal of a flag that contradicts what the plan says.
pub(crate) fn contradicts(message: impl Into<String>, flag: &str) -> CompileError {
    let hint = format!("leave out `{flag}`, or the plan");
    CompileError::Options(Box::new(Diagnostic::error(PLAN, Span::NONE, message).hint(hint)))
}
