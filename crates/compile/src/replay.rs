//! Whether a plan says enough: its shardings, propagated again, must give every value the sharding it has.
//!
//! Input: the shardings that were chosen, and a plan of their arguments and results. Output: the constraints on values
//! in between that the plan needs besides. Most plans need none; where a value's sharding does not follow, the first
//! such values are added until everything does.

use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::{Diagnostics, Source};
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Function, Program};
use meshwright_plan::{PlanFile, Shardings};

use crate::pins::from_plan;
use crate::report;
use crate::transform::spread;

/// How often constraints are added before all values are.
const ROUNDS: usize = 4;

/// Adds to `plan` the constraints that it needs to give `shardings` again.
///
/// # Errors
/// Those of [`from_plan`], which a plan just made does not have.
pub(crate) fn add_constraints(
    plan: &mut PlanFile,
    original: &Program,
    program: &Program,
    function: &Function,
    shardings: &Shardings,
    source: &Source,
) -> Result<(), Diagnostics> {
    let mesh = &shardings.mesh;
    for round in 0..=ROUNDS {
        let seeds = from_plan(plan, original, program, function, mesh)?;
        let again = spread(function, mesh, &seeds, &Quiet).1;
        if again == *shardings {
            return Ok(());
        }
        let differs = |value: &ValueId| !again.values[*value].places_like(&shardings.values[*value]);
        let is_tensor = |value: &ValueId| function.body.ty(*value).as_tensor().is_some();
        // The values that differ first in program order pull others along; in the end, nothing is left to follow.
        let wanted: Vec<ValueId> = match round {
            ROUNDS => function.body.values.ids().filter(is_tensor).collect(),
            _ => function.body.values.ids().filter(is_tensor).filter(differs).collect(),
        };
        plan.constraints.extend(
            wanted
                .into_iter()
                .filter(|value| {
                    !plan.constraints.iter().any(|other| other.value == meshwright_ir::ids::Id::index(*value))
                })
                .map(|value| report::constraint(function, value, &shardings.values[value], mesh, source))
                .collect::<Vec<_>>(),
        );
    }
    Ok(())
}
