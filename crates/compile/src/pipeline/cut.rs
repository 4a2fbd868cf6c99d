//! The step that is cut: in normal form, in microbatches, with what its instructions cost.

use meshwright_analyze::batch;
use meshwright_analyze::{Phases, Role, Roles};
use meshwright_cost::op::alone;
use meshwright_ir::ids::{InstId, Table};
use meshwright_ir::program::{Function, Program};
use meshwright_machine::Machine;
use meshwright_stage::{Refusal, Step};
use meshwright_tensor::types::Type;
use meshwright_transform::microbatch::{Microbatched, in_microbatches};
use meshwright_transform::time::TimeAxis;
use meshwright_transform::{Barriers, Normal, normal};

use super::refused;
use crate::error::CompileError;
use crate::in_time;
use crate::must_be_global::must_be_global;
use crate::options::Options;
use crate::transform::flattened;

/// A step that is about to be cut into stages.
pub(super) struct Cut {
    /// The entry function as it was given, all calls inlined.
    pub(super) given: Function,
    /// The same in microbatches.
    pub(super) microbatched: Microbatched,
    axis: TimeAxis,
    roles: Roles,
    phases: Phases,
}

impl Cut {
    /// Errors: a local program, one that does not train, or one that cannot be cut into so many microbatches.
    pub(super) fn of(
        program: &Program,
        microbatches: usize,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let flat = flattened(program)?;
        must_be_global(program, &flat.function)?;
        let given = flat.function.clone();
        let Normal { function, trace, .. } = normal(&flat.function, Barriers::Dropped);
        let origins = flat.origins.behind(&trace, &function.body);
        let flat = meshwright_transform::Flat { function, origins };
        let roles = Roles::new(&flat.function);
        if batch::size(&flat.function, &roles).is_none() {
            return Err(refused::not_training());
        }
        let (flat, axis) = in_time::along_batch(flat, microbatches, options)?;
        let roles = Roles::new(&flat.function);
        let phases = Phases::new(&flat.function, &roles).ok_or_else(refused::not_training)?;
        let microbatched = in_microbatches(&flat.function, &axis)
            .map_err(|refusal| in_time::refused(&flat.function, refusal))?;
        Ok(Self { given, microbatched, axis, roles, phases })
    }

    /// The step taken apart.
    pub(super) fn step(&self) -> Result<Step<'_>, Refusal> {
        Step::new(&self.microbatched, &self.axis, &self.roles, &self.phases)
    }

    /// Seconds of each of its instructions, each by itself on one device.
    pub(super) fn seconds(&self, machine: &Machine) -> Table<InstId, f64> {
        let body = &self.microbatched.function.body;
        let seconds = |inst: InstId| {
            let view = body.view(inst);
            let operands: Vec<Type> = view.operand_types().cloned().collect();
            let results: Vec<Type> = view.result_types().cloned().collect();
            alone(&view.inst.op, &operands, &results).seconds(&machine.device).0
        };
        body.insts.ids().map(seconds).collect()
    }

    /// Why it cannot be cut, at the place in the program that is in the way.
    pub(super) fn refused(&self, refusal: &Refusal) -> CompileError {
        refused::stages(refusal, &self.microbatched.function)
    }

    /// What an argument of the step is.
    pub(super) fn role(&self, argument: usize) -> Role {
        self.roles.args[argument].role
    }
}
