//! What a loop fills or adds up begins where the loop does.
//!
//! Input: loops that begin with a constant in each element, as stacks and sums do. Output: the same, made of a scalar that is
//! there no sooner than the last thing that the loop begins with:
//!
//! ```text
//! %z = constant dense<0.0> : 8xf32           %c = constant dense<0.0> : f32
//! %r:2 = while(%a = %z, %b = %x)       ->    %s:2 = optimization_barrier %c, %x
//!                                            %z = broadcast_in_dim %s#0 : 8xf32
//!                                            %r:2 = while(%a = %z, %b = %s#1)
//! ```
//!
//! A loop writes over what it begins with, so that each of several needs a copy of a constant of its own. XLA makes one
//! constant of those that are alike, and all copies of it at once, long before their loops: a step in tiles would have the
//! stacks of all layers from its beginning on. [`mod@meshwright_cost::memory`] counts them from the loop on. As `compute-once`
//! this is for XLA on CPUs, where the engine asks it to keep barriers.

use super::PassContext;
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::optimization_barrier::OptimizationBarrier;
use meshwright_ir::program::{Body, Def, InstView, Regions};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use meshwright_machine::Platform;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::TensorType;
use std::collections::BTreeMap;

/// Bytes of a start that is worth a barrier.
const LEAST: usize = 1 << 16;

pub(super) fn start_loops(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let is_cpu = context.target?.placement.machine.device.platform == Some(Platform::Cpu);
    let starts = if is_cpu { starts(body, context) } else { BTreeMap::new() };
    (!starts.is_empty()).then(|| each(body, Starts { starts, begun: BTreeMap::new() }))
}

/// The start of a loop.
struct Start {
    /// The operand that is there last.
    last: usize,
    /// The operands that are constants, and their elements.
    constants: Vec<(usize, Literal)>,
}

/// The loops of which a start is a large constant, and something else is computed.
fn starts(body: &Body, context: &PassContext<'_>) -> BTreeMap<InstId, Start> {
    let walked = body.walk(body.entry());
    let is_computed = computed(body, &walked);
    let place: BTreeMap<InstId, usize> =
        walked.iter().copied().enumerate().map(|(at, inst)| (inst, at)).collect();
    let mut starts = BTreeMap::new();
    for id in walked.into_iter().filter(|id| body.view(*id).regions() == Regions::Loop) {
        let operands = &body.insts[id].operands;
        let constant = |index: usize| splat(body, operands[index]).map(|scalar| (index, scalar));
        let made_at = |index: &usize| match body.values[operands[*index]].def {
            Def::Result(maker, _) if context.are_together(maker, id) => place.get(&maker).copied(),
            _ => None,
        };
        let last = (0..operands.len()).filter(|index| is_computed[operands[*index]]);
        let last = last.filter(|index| made_at(index).is_some()).max_by_key(made_at);
        let constants: Vec<(usize, Literal)> = (0..operands.len()).filter_map(constant).collect();
        if let (Some(last), false) = (last, constants.is_empty()) {
            starts.insert(id, Start { last, constants });
        }
    }
    starts
}

/// Values that an argument has a part in.
fn computed(body: &Body, walked: &[InstId]) -> Table<ValueId, bool> {
    let is_argument = |value: ValueId| matches!(body.values[value].def, Def::Argument(..));
    let mut is_computed: Table<ValueId, bool> = body.values.ids().map(is_argument).collect();
    for id in walked {
        let inst = &body.insts[*id];
        let reads_any = inst.operands.iter().any(|operand| is_computed[*operand]) || !inst.regions.is_empty();
        inst.results.iter().for_each(|result| is_computed[*result] = reads_any);
    }
    is_computed
}

/// The element that a large constant has everywhere.
fn splat(body: &Body, value: ValueId) -> Option<Literal> {
    let Def::Result(maker, _) = body.values[value].def else { return None };
    let Op::Constant(constant) = &body.insts[maker].op else { return None };
    let literal = &constant.value;
    let is_large = literal.ty.num_bytes() >= LEAST && literal.ty.element.is_float();
    let element = literal.splat_f64().filter(|_| is_large)?;
    Some(Literal::splat(TensorType::scalar(literal.ty.element), element))
}

struct Starts {
    starts: BTreeMap<InstId, Start>,
    /// What loops begin with in place of operands.
    begun: BTreeMap<(InstId, usize), ValueId>,
}

impl Edit for Starts {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let Some(start) = self.starts.get(&view.id) else { return false };
        let mut held: Vec<ValueId> =
            start.constants.iter().map(|(_, scalar)| rewriter.constant(scalar.clone(), to)).collect();
        held.push(rewriter.value(view.inst.operands[start.last]));
        let types = held.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
        let mut builder = rewriter.build(to, view.inst.span);
        let held = builder.emit_all(OptimizationBarrier, &held, Vec::new(), types);
        for ((index, _), scalar) in start.constants.iter().zip(&held) {
            let shape = &view.body.tensor(view.inst.operands[*index]).shape;
            self.begun.insert((view.id, *index), builder.broadcast(*scalar, shape, Vec::new()));
        }
        self.begun.extend(held.last().map(|last| ((view.id, start.last), *last)));
        false
    }

    fn operand(
        &mut self,
        _: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        _: RegionId,
    ) -> Option<ValueId> {
        self.begun.get(&(view.id, index)).copied()
    }
}
