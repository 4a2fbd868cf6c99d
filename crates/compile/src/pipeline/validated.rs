//! Updates that do not wait for what stages need of one another, and are validated behind it.
//!
//! Input: stages of a step, and what the options and their plan say. Output: the same stages, with such an update if it is
//! asked for.

use meshwright_ir::control::Control;
use meshwright_stage::{Staged, Step, optimistic};

use super::refused;
use crate::options::{Options, Validation};

/// The same stages with an update that is validated behind it, if the options or their plan say so.
pub(super) fn validated(step: &Step<'_>, staged: Staged, options: &Options, control: &dyn Control) -> Staged {
    let planned = options.plan.as_ref().is_some_and(|plan| plan.post_validation);
    if options.validation == Validation::Before && !planned {
        return staged;
    }
    optimistic::post_validated(step, &staged).unwrap_or_else(|| {
        control.warn(&refused::nothing_to_validate());
        staged
    })
}
