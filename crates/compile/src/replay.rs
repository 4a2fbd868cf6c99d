//! Whether a plan says enough: its shardings, propagated again, must give every value the sharding it has.
//!
//! Input: the shardings that were chosen, the seeds that they were spread from, and a plan of their arguments and
//! results. Output: the constraints on values in between that the plan needs besides, and the strategies that do not
//! follow from shardings. The seeds are added first; then the values whose shardings do not follow, and in the end all.

use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::{Id, Table, ValueId};
use meshwright_ir::program::{Function, Program};
use meshwright_plan::{PlanFile, Shardings};
use meshwright_shard::Decisions;
use std::collections::BTreeSet;

use crate::error::CompileError;
use crate::pins::from_plan;
use crate::report;
use crate::transform::spread;

/// How often the values that differ are added before all values are.
const ROUNDS: usize = 4;

/// Adds to `plan` the constraints that it needs to give `shardings` again.
///
/// # Errors
/// Those of [`from_plan`], which a plan just made does not have.
///
/// # Panics
/// If no constraints make the plan give the shardings again: a defect of propagation.
pub(crate) fn add_constraints(
    plan: &mut PlanFile,
    program: &Program,
    function: &Function,
    chosen: &Decisions,
    shardings: &Shardings,
    source: &Source,
) -> Result<(), CompileError> {
    let body = &function.body;
    let mut is_constrained: Table<ValueId, bool> = Table::filled(false, body.values.len());
    let constrain = |plan: &mut PlanFile, is_constrained: &mut Table<ValueId, bool>, values: Vec<ValueId>| {
        for value in values {
            is_constrained[value] = true;
            let sharding = &shardings.values[value];
            plan.constraints.push(report::constraint(function, value, sharding, &shardings.mesh, source));
        }
    };
    plan.anew = shardings.anew.iter().map(|operand| report::anew(function, *operand, source)).collect();
    for round in 0.. {
        let seeds = from_plan(plan, program, function, &shardings.mesh)?;
        let again = spread(function, &shardings.mesh, &seeds, &Quiet).1;
        if again == *shardings {
            return Ok(());
        }
        let is_open = |value: &ValueId| body.ty(*value).as_tensor().is_some() && !is_constrained[*value];
        let differs = |value: &ValueId| !again.values[*value].places_like(&shardings.values[*value]);
        let open: Vec<ValueId> = body.values.ids().filter(is_open).collect();
        let mut wanted = Vec::new();
        if round == 0 {
            wanted = new_seeds(chosen, &seeds);
            for (inst, strategy) in &chosen.strategies {
                plan.spreads.push(report::spread(function, *inst, strategy, &shardings.mesh, source));
            }
            if !wanted.is_empty() || !chosen.strategies.is_empty() {
                constrain(plan, &mut is_constrained, wanted);
                continue;
            }
        }
        // Where all values are as they should be, it is the strategies that do not follow.
        if round > 0 && again.values == shardings.values {
            let said = plan.spreads.len();
            for (inst, strategy) in shardings.strategies.iter() {
                let is_said = plan.spreads.iter().any(|spread| spread.instruction == inst.index());
                if again.strategies[inst] != *strategy && !is_said {
                    plan.spreads.push(report::spread(function, inst, strategy, &shardings.mesh, source));
                }
            }
            if plan.spreads.len() > said {
                continue;
            }
        }
        if round < ROUNDS {
            wanted = open.iter().copied().filter(differs).collect();
        }
        if wanted.is_empty() {
            wanted = open;
        }
        assert!(
            !wanted.is_empty(),
            "the plan does not give its own shardings again: {}",
            difference(function, shardings, &again)
        );
        constrain(plan, &mut is_constrained, wanted);
    }
    Ok(())
}

/// The values that are fixed by `chosen` and not by `seeds`, in order.
fn new_seeds(chosen: &Decisions, seeds: &Decisions) -> Vec<ValueId> {
    let of = |seeds: &Decisions| -> BTreeSet<ValueId> { seeds.values.iter().map(|(value, _)| *value).collect() };
    of(chosen).difference(&of(seeds)).copied().collect()
}

/// The first thing in which two shardings of a function differ.
fn difference(function: &Function, wanted: &Shardings, found: &Shardings) -> String {
    let body = &function.body;
    if let Some(value) = body.values.ids().find(|value| wanted.values[*value] != found.values[*value]) {
        return format!("{value:?} is {:?}, not {:?}", found.values[value], wanted.values[value]);
    }
    if let Some(inst) = body.insts.ids().find(|inst| wanted.strategies[*inst] != found.strategies[*inst]) {
        let (found, wanted) = (&found.strategies[inst], &wanted.strategies[inst]);
        return format!("{inst:?} ({}) has {found:?}, not {wanted:?}", body.insts[inst].op.name());
    }
    if let Some(inst) = body.insts.ids().find(|inst| wanted.late[*inst] != found.late[*inst]) {
        let (found, wanted) = (found.late[inst], wanted.late[inst]);
        return format!("{inst:?} ({}) sums late over {found:?}, not {wanted:?}", body.insts[inst].op.name());
    }
    match (0..wanted.results.len()).find(|index| wanted.results[*index] != found.results[*index]) {
        Some(index) => {
            format!("result {index} is {:?}, not {:?}", found.results[index], wanted.results[index])
        }
        None => "the meshes".to_owned(),
    }
}
