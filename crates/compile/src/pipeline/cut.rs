//! The step that is cut: in normal form, in microbatches, with what its instructions cost.

use meshwright_analyze::batch;
use meshwright_analyze::{Phases, Role, Roles, layer_loops};
use meshwright_cost::op::alone;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, Table};
use meshwright_ir::origin::Origins;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::Machine;
use meshwright_stage::{Refusal, Step};
use meshwright_tensor::types::Type;
use meshwright_transform::microbatch::{Microbatched, in_microbatches};
use meshwright_transform::stacks::apart;
use meshwright_transform::time::TimeAxis;
use meshwright_transform::unroll::{loop_around, unrolled};
use meshwright_transform::{Barriers, Flat, Made, Normal, normal};

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
    /// Where all that is in that comes from in the program as it was given.
    pub(super) origins: Origins,
    axis: TimeAxis,
    roles: Roles,
    phases: Phases,
    /// From the name of the entry function to that of the next one.
    entry: Span,
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
        let flat = layers_written_out(in_normal_form(flat));
        let roles = Roles::new(&flat.function);
        if batch::size(&flat.function, &roles).is_none() {
            return Err(refused::not_training());
        }
        let (flat, axis) = in_time::along_batch(flat, microbatches, options)?;
        let roles = Roles::new(&flat.function);
        let phases = Phases::new(&flat.function, &roles).ok_or_else(refused::not_training)?;
        let microbatched = in_microbatches(&flat.function, &axis)
            .map_err(|refusal| in_time::refused(&flat.function, refusal))?;
        let origins = flat.origins.behind(&microbatched.made.trace, &microbatched.made.function.body);
        let entry = text_of(program, &given);
        Ok(Self { given, microbatched, origins, axis, roles, phases, entry })
    }

    /// The step taken apart.
    pub(super) fn step(&self) -> Result<Step<'_>, Refusal> {
        Step::new(&self.microbatched, &self.axis, &self.roles, &self.phases)
    }

    /// Seconds of each of its instructions, each by itself on one device.
    pub(super) fn seconds(&self, machine: &Machine) -> Table<InstId, f64> {
        let body = &self.microbatched.made.function.body;
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
        refused::stages(refusal, &self.microbatched.made.function)
    }

    /// Returns whether a place is in the text of the entry function.
    pub(super) fn is_of_entry(&self, span: Span) -> bool {
        span.is_some() && (self.entry.start..self.entry.end).contains(&span.start)
    }

    /// What an argument of the step is.
    pub(super) fn role(&self, argument: usize) -> Role {
        self.roles.args[argument].role
    }
}

/// The text from the name of a function to that of the next one.
fn text_of(program: &Program, function: &Function) -> Span {
    let starts = program.functions.iter().map(|other| other.span.start);
    let end = starts.filter(|start| *start > function.span.start).min().unwrap_or(u32::MAX);
    Span { start: function.span.start, end }
}

fn in_normal_form(flat: Flat) -> Flat {
    let Normal { function, trace, .. } = normal(&flat.function, Barriers::Dropped);
    Flat::of_made(&flat, Made { function, trace })
}

/// The function with its layers one behind the other: what stands in loops over layers is written out, and each layer has
/// its own part of every stack.
fn layers_written_out(given: Flat) -> Flat {
    let mut flat = given;
    let mut is_changed = false;
    while let Some(outer) = first_loop(&flat.function) {
        (flat, is_changed) = (Flat::of_made(&flat, unrolled(&flat.function, outer)), true);
    }
    if !is_changed {
        return flat;
    }
    in_normal_form(Flat::of_made(&flat, apart(&flat.function)))
}

/// The first loop over layers that can be written out.
fn first_loop(function: &Function) -> Option<InstId> {
    let body = &function.body;
    let has_loop = body.regions[body.entry()].insts.iter().any(|inst| body.insts[*inst].op.carries_values());
    let loops = if has_loop { layer_loops(function, &Roles::new(function)) } else { Vec::new() };
    let outermost =
        loops.iter().map(|found| found.inst).filter(|inst| body.regions[body.entry()].insts.contains(inst));
    outermost.into_iter().find_map(|inst| loop_around(function, inst))
}
