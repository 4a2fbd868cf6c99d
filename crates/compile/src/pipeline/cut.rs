//! The step that is cut: in normal form, in microbatches, with what its instructions cost.

use meshwright_analyze::batch;
use meshwright_analyze::{Phases, Role, Roles, layer_loops};
use meshwright_cost::op::alone;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, Table};
use meshwright_ir::loops::trip_count;
use meshwright_ir::origin::Origins;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::Machine;
use meshwright_stage::{Refusal, Step};
use meshwright_tensor::types::Type;
use meshwright_transform::microbatch::{Microbatched, in_microbatches};
use meshwright_transform::stacks::{Apart, apart};
use meshwright_transform::time::TimeAxis;
use meshwright_transform::unroll::{loop_around, turns_written_out, unrolled};
use meshwright_transform::{Barriers, Flat, Normal, normal};

use super::refused;
use super::unstacked::unstacked;
use crate::error::CompileError;
use crate::in_time;
use crate::must_be_global::must_be_global;
use crate::options::Options;
use crate::transform::flattened;

/// A training step in normal form, with its layers one behind the other.
#[derive(Clone)]
pub(super) struct Written {
    /// The entry function as it was given, all calls inlined.
    pub(super) given: Function,
    /// What was made of it.
    pub(super) flat: Flat,
    /// From the name of the entry function to that of the next one.
    entry: Span,
}

impl Written {
    /// Errors: a local program, or one that does not train.
    pub(super) fn of(program: &Program) -> Result<Self, CompileError> {
        let flat = flattened(program)?;
        must_be_global(program, &flat.function)?;
        let given = flat.function.clone();
        let flat = layers_written_out(in_normal_form(flat));
        let entry = text_of(program, &given);
        let written = Self { given, flat, entry };
        written.batch().ok_or_else(refused::not_training)?;
        Ok(written)
    }

    /// The same with a few layers of each scanned stack, each with arguments of its own, if it has one such stack of more; and
    /// how many layers there are of so many.
    pub(super) fn with_few_layers(program: &Program) -> Result<Option<(Self, Layers)>, CompileError> {
        let flat = flattened(program)?;
        must_be_global(program, &flat.function)?;
        let (given, entry) = (flat.function.clone(), text_of(program, &flat.function));
        let mut flat = in_normal_form(flat);
        let mut all = None;
        while let Some((outer, turns)) = first_loop(&flat.function).and_then(|outer| {
            Some((outer, usize::try_from(trip_count(flat.function.body.view(outer))?).ok()?))
        }) {
            if turns <= FEW || all.is_some_and(|all| all != turns) {
                return Ok(None);
            }
            all = Some(turns);
            let is_kept = |turn: u64| turn < FEW as u64 / 2 || turn >= (turns - FEW / 2) as u64;
            flat = Flat::of_made(&flat, turns_written_out(&flat.function, outer, &is_kept));
        }
        let Some(all) = all else { return Ok(None) };
        let Apart { function, trace } = apart(&flat.function);
        let origins = flat.origins.behind(&trace, &function.body);
        let flat = in_normal_form(Flat { function, origins });
        let Some(made) = unstacked(&flat.function) else { return Ok(None) };
        let flat = in_normal_form(Flat::of_made(&flat, made));
        let written = Self { given, flat, entry };
        Ok(written.batch().is_some().then_some((written, Layers { few: FEW, all })))
    }

    /// Another step in its place, in normal form.
    pub(super) fn with(&self, flat: Flat) -> Self {
        Self { given: self.given.clone(), flat: in_normal_form(flat), entry: self.entry }
    }

    /// The number of examples in a step, if it trains.
    pub(super) fn batch(&self) -> Option<usize> {
        batch::size(&self.flat.function, &Roles::new(&self.flat.function))
    }
}

/// Layers of a step of which not all are written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layers {
    pub(super) few: usize,
    pub(super) all: usize,
}

/// Layers of a scanned stack that are written out where others are like them: two at each end.
const FEW: usize = 4;

/// A step that is about to be cut into stages.
pub(super) struct Cut {
    /// The entry function as it was given, all calls inlined.
    pub(super) given: Function,
    /// What the microbatches were made from.
    pub(super) flat: Flat,
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
        Self::of_written(Written::of(program)?, microbatches, options)
    }

    /// The same of a step that is written out already.
    pub(super) fn of_written(
        written: Written,
        microbatches: usize,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let Written { given, flat, entry } = written;
        let (flat, axis) = in_time::along_batch(flat, microbatches, options)?;
        let roles = Roles::new(&flat.function);
        let phases = Phases::new(&flat.function, &roles).ok_or_else(refused::not_training)?;
        let microbatched = in_microbatches(&flat.function, &axis)
            .map_err(|refusal| in_time::refused(&flat.function, refusal))?;
        let origins = flat.origins.behind(&microbatched.made.trace, &microbatched.made.function.body);
        Ok(Self { given, flat, microbatched, origins, axis, roles, phases, entry })
    }

    /// Roles and phases of the step before it was cut.
    pub(super) fn analyzed(&self) -> (&Roles, &Phases) {
        (&self.roles, &self.phases)
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
    let origins = flat.origins.behind(&trace, &function.body);
    Flat { function, origins }
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
    let Apart { function, trace } = apart(&flat.function);
    let origins = flat.origins.behind(&trace, &function.body);
    in_normal_form(Flat { function, origins })
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
