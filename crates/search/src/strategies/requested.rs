//! The user's own ways as decisions: their meshes, and shardings of arguments and results.
//!
//! Input: a function, its roles, a machine, and degrees. Output: [`Decisions`]. What there is to decide of the function is
//! found once ([`RequestedWays`]), for as many ways as there are.

use super::degrees::ParallelDegrees;
use crate::decisions::decisions_of;
use crate::problem::{DimKind, Problem};
use crate::refusal::Refusal;
use meshwright_analyze::Roles;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::{Def, Function};
use meshwright_machine::Machine;
use meshwright_plan::Decisions;

/// Open decisions of a function, for any way of the user's own.
pub struct RequestedWays<'a> {
    function: &'a Function,
    machine: &'a Machine,
    problem: Problem,
    /// Parameters, each with its gradient, where a loop over microbatches adds that up.
    added_up: Vec<(ValueId, ValueId)>,
}

impl<'a> RequestedWays<'a> {
    /// That of a function on a machine.
    ///
    /// # Errors
    /// The machine has no mesh.
    pub fn new(function: &'a Function, roles: &Roles, machine: &'a Machine) -> Result<Self, Refusal> {
        let (fixed, memory) = (Decisions::none(function), machine.device.usable_memory());
        let problem = Problem::new(function, roles, machine, &fixed, memory)?;
        Ok(Self { function, machine, problem, added_up: added_up(function, roles) })
    }

    /// Returns whether experts could be sharded.
    pub fn has_experts(&self) -> bool {
        self.problem.groups.iter().any(|group| group.dims.contains(&DimKind::Expert))
    }

    /// The decisions that degrees stand for.
    ///
    /// # Errors
    /// They do not fit the machine or the function.
    pub fn decisions(&self, degrees: ParallelDegrees) -> Result<Decisions, Refusal> {
        let laid = degrees.lay(self.machine)?;
        let fixed = Decisions::on(&laid.mesh, self.function);
        let problem =
            Problem { meshes: vec![laid.mesh.clone()], has_equal_axes: false, fixed, ..self.problem.clone() };
        let answer = laid.start(&problem, 0)?.answer;
        let mut decisions = decisions_of(&problem, self.function, &answer);
        if degrees.keeps_gradients() {
            for (parameter, gradient) in &self.added_up {
                if let Some(sharding) = decisions.values.get(parameter).cloned() {
                    decisions.values.entry(*gradient).or_insert(sharding);
                }
            }
        }
        Ok(decisions)
    }
}

/// Parameters whose gradients are what a loop leaves, with these.
fn added_up(function: &Function, roles: &Roles) -> Vec<(ValueId, ValueId)> {
    let body = &function.body;
    let of_loop = |value: ValueId| match body.values[value].def {
        Def::Result(inst, _) => body.insts[inst].op.carries_values(),
        Def::Argument(..) => false,
    };
    let pairs = roles.gradients.iter().map(|(index, gradient)| (function.args()[*index], *gradient));
    let is_alike = |parameter: ValueId, gradient: ValueId| {
        let shape = |value: ValueId| body.ty(value).as_tensor().map(|tensor| tensor.shape.clone());
        shape(parameter) == shape(gradient)
    };
    pairs.filter(|(parameter, gradient)| of_loop(*gradient) && is_alike(*parameter, *gradient)).collect()
}

/// The decisions that degrees stand for, of a function for which no others are asked.
///
/// # Errors
/// They do not fit the machine or the function.
pub fn as_requested(
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    degrees: ParallelDegrees,
) -> Result<Decisions, Refusal> {
    RequestedWays::new(function, roles, machine)?.decisions(degrees)
}
