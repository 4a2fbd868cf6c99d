//! What several instructions read is computed once, where the compiler behind us would compute it in each of them.
//!
//! Input: elementwise results of several elements with several readers. Output: a barrier behind each:
//!
//! ```text
//! %1 = add %x, %y                  %1 = add %x, %y
//! %2 = multiply %1, %z        ->   %b = optimization_barrier %1
//! %3 = subtract %1, %w             %2 = multiply %b, %z
//!                                  %3 = subtract %b, %w
//! ```
//!
//! XLA on CPUs fuses cheap elementwise instructions into all that read them (its `CpuInstructionFusion` may duplicate).
//! Along a chain of sums, as residual connections make it, every reader computes all that is before it: the work grows
//! with the square of the layers. [`meshwright_cost::fusion`] takes what several read for stored, so that what is predicted
//! is what runs. The engine `xla` asks XLA to keep barriers on CPUs.
//!
//! In a loop, what takes less than [`LEAST_IN_LOOPS`] has none: XLA makes one kernel of a loop that touches fewer bytes in
//! a turn (its `SmallWhileLoopHoistingPass`), and knows no code for a barrier there.

use super::PassContext;
use meshwright_cost::Analysis;
use meshwright_cost::fusion::{Role, are_several};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::optimization_barrier::OptimizationBarrier;
use meshwright_ir::program::{Body, Def, InstView, Regions};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use meshwright_machine::Platform;
use meshwright_tensor::types::Type;
use std::collections::BTreeSet;

/// Bytes of a value in a loop that is worth storing: fewer stay in registers and in the nearest cache.
const LEAST_IN_LOOPS: usize = 1024;

pub(super) fn compute_once(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let is_cpu = context.target?.placement.machine.device.platform == Some(Platform::Cpu);
    let main = context.device.program.main().filter(|_| is_cpu)?;
    let shared = shared(&Analysis::new(main));
    shared.values().any(|is_shared| *is_shared).then(|| each(body, Barriers { shared }))
}

/// Values that the compiler might compute in each of several readers, and that are better stored. Integers and predicates
/// that no argument has a part in (masks, a device's own position), and what they are as floats, stay what passes and the
/// checker know them to be.
fn shared(analysis: &Analysis<'_>) -> Table<ValueId, bool> {
    let body = &analysis.function.body;
    let uses = body.uses();
    let mut is_given: Table<ValueId, bool> =
        body.values.values().map(|value| matches!(value.def, Def::Argument(..))).collect();
    let mut shared = Table::filled(false, body.values.len());
    let in_loops = in_loops(body);
    for id in body.walk(body.entry()) {
        let inst = &body.insts[id];
        let reads_any = inst.operands.iter().any(|operand| is_given[*operand]) || !inst.regions.is_empty();
        for result in &inst.results {
            is_given[*result] = reads_any;
            let is_known = !reads_any && (!is_float(body.ty(*result)) || matches!(inst.op, Op::Convert(_)));
            let is_small = in_loops.contains(&id) && body.ty(*result).num_bytes() < LEAST_IN_LOOPS;
            // A barrier that is there holds for those alone that read what it gives back.
            let is_shared = || are_several(&readers(body, &uses, *result));
            shared[*result] = !is_known && !is_small && is_computed(analysis, id) && is_shared();
        }
    }
    shared
}

/// The instructions that run in loops.
fn in_loops(body: &Body) -> BTreeSet<InstId> {
    let loops = body.walk(body.entry()).into_iter().map(|inst| body.view(inst));
    let loops = loops.filter(|view| view.regions() == Regions::Loop);
    loops.flat_map(|view| view.inst.regions.iter().flat_map(|region| body.walk(*region))).collect()
}

/// Whether an instruction computes more than one element, each by itself, and does not merely move them.
fn is_computed(analysis: &Analysis<'_>, id: InstId) -> bool {
    let view = analysis.function.body.view(id);
    let is_large = |ty: &Type| ty.as_tensor().is_some_and(|tensor| tensor.num_elements() > 1);
    let is_made_of_some = !view.inst.operands.is_empty();
    analysis.fusion.roles[id] == Role::Fusible
        && is_made_of_some
        && !moves(&view)
        && view.result_types().all(is_large)
}

/// Those that read a value, itself or as others move its elements.
fn readers(body: &Body, uses: &Table<ValueId, Vec<(InstId, usize)>>, value: ValueId) -> Vec<(InstId, usize)> {
    let mut found = Vec::new();
    let mut pending = vec![value];
    while let Some(value) = pending.pop() {
        for reader in &uses[value] {
            let view = body.view(reader.0);
            if moves(&view) { pending.extend(&view.inst.results) } else { found.push(*reader) }
        }
    }
    found
}

/// Whether an instruction gives back elements as they are: to make them again, or in another order, costs nothing.
fn moves(view: &InstView<'_>) -> bool {
    matches!(view.inst.op, Op::Reshape(_) | Op::Transpose(_) | Op::Reverse(_) | Op::BroadcastInDim(_))
}

fn is_float(ty: &Type) -> bool {
    ty.as_tensor().is_some_and(|tensor| tensor.element.is_inexact())
}

struct Barriers {
    shared: Table<ValueId, bool>,
}

impl Edit for Barriers {
    fn after(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) {
        for result in view.inst.results.iter().filter(|result| self.shared[**result]) {
            let copy = rewriter.value(*result);
            let ty = rewriter.to.ty(copy).clone();
            let stored = rewriter.emit(OptimizationBarrier.into(), &[copy], &[], ty, view.inst.span, to);
            rewriter.stand_for(*result, stored);
        }
    }
}
