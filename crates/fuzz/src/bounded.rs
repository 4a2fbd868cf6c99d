//! Evaluation of what damage has left: small programs, for a bounded number of instructions.
//!
//! Input: a verified program. Output: whether it was evaluated; results and errors are alike here, only a panic or a
//! hang would be a failure.

use meshwright_execute::{Footprint, run_single_device};
use meshwright_ir::control::Control;
use meshwright_ir::expand::written_out;
use meshwright_ir::op::Op;
use meshwright_ir::ops::interpreter_op::InterpreterOp;
use meshwright_ir::program::{InstView, Program};
use meshwright_tensor::Precision;
use meshwright_tensor::types::Type;
use std::sync::atomic::{AtomicU32, Ordering};

/// Bytes that a run may take.
pub(crate) const MEMORY: u64 = 1 << 22;

/// Operations that one instruction may take.
const FLOPS: f64 = 1e7;

/// Instructions that a run may take.
const STEPS: u32 = 2_000;

/// Stops a run after [`STEPS`] instructions.
#[derive(Default)]
pub(crate) struct Bounded {
    steps: AtomicU32,
}

impl Control for Bounded {
    fn should_stop(&self) -> bool {
        self.steps.fetch_add(1, Ordering::Relaxed) >= STEPS
    }
}

/// Devices that may run beside each other.
pub(crate) const DEVICES: usize = 16;

/// Returns whether a program can be run here: its entry takes nothing, and no instruction is large or starts many
/// devices.
pub fn is_small(program: &Program) -> bool {
    let takes_nothing = program.main().is_some_and(|main| main.args().is_empty());
    takes_nothing && is_light_throughout(program)
}

/// Whether no instruction of a program is large or starts many devices, and a run takes little memory.
pub(crate) fn is_light_throughout(program: &Program) -> bool {
    let footprint = Footprint::of(program, Precision::Declared);
    footprint.beyond.saturating_add(footprint.results) <= MEMORY
        && program.meshes.iter().all(|mesh| mesh.mesh.num_devices() <= DEVICES)
        && program
            .functions
            .iter()
            .flat_map(|function| function.body.insts.ids().map(|id| function.body.view(id)))
            .all(|view| is_light(&view))
}

pub(crate) fn is_light(view: &InstView<'_>) -> bool {
    let operands: Vec<Type> = view.operand_types().cloned().collect();
    let results: Vec<Type> = view.result_types().cloned().collect();
    let elements =
        operands.iter().chain(&results).filter_map(Type::as_tensor).map(|ty| ty.num_elements() as f64);
    let work = elements.sum::<f64>() + view.inst.op.flops(&operands, &results);
    let is_light_inside =
        written_out(view).is_none_or(|body| body.insts.ids().all(|id| is_light(&body.view(id))));
    work <= FLOPS && is_light_inside && num_started(view) <= DEVICES
}

/// How many devices an instruction starts, as far as it says so itself.
fn num_started(view: &InstView<'_>) -> usize {
    let Op::InterpreterOp(op) = &view.inst.op else { return 0 };
    match &**op {
        InterpreterOp::RunParallel { programs, .. } => programs.iter().map(Vec::len).sum(),
        _ => 0,
    }
}

/// Evaluates a program; false if it has no entry.
pub fn evaluate(program: &Program) -> bool {
    let Some(main) = program.main() else { return false };
    let _ = run_single_device(program, &main.name, Vec::new(), Precision::Declared, &Bounded::default());
    true
}
