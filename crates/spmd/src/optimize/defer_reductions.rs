//! Moves collectives behind linear ops, so that fewer bytes travel.
//!
//! - `add(C(x), C(y))` becomes `C(add(x, y))` for any collective `C` that adds or only moves data: the gradients of a
//!   parameter that is used twice are summed once.
//! - Sums of scalars are put in another order: what is summed over the same devices first, then the rest. A global norm
//!   takes one collective for all parameters that are sharded alike, however many there are.
//! - `f(all_reduce(x))` becomes `all_reduce(f(x))` for a linear `f` of one operand whose result is no larger
//!   and in the same type (transpose, reshape, negate, sum over dims, product with what all members of the sum have
//!   alike).
//!
//! Only values with a single use are moved, so nothing is communicated twice. In the walk a moved collective is
//! *pending*: its operand has been emitted, the collective itself not yet.
//!
//! A first walk finds out which collectives it pays to move: those that meet another one, become smaller, or end where a
//! later pass makes one of them and what reads them. The rest stay where they are, since a collective that stands later
//! has less time to be combined with others.

use super::PassContext;
use super::rewrite::keeps_elements;
use crate::facts::devices::members;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::Rewriter;
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::types::ElementType;
use std::collections::BTreeSet;

pub(super) fn defer_reductions(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let trial = Pass::walked(body, context, None);
    let pass = Pass::walked(body, context, Some(&trial.useful));
    Some(pass.rewriter.to)
}

struct Pass<'a> {
    rewriter: Rewriter<'a>,
    /// For an old value that is still to be made: of what.
    pending: Table<ValueId, Option<Pending>>,
    context: &'a PassContext<'a>,
    /// The collectives that may be moved; `None`: all.
    movable: Option<&'a BTreeSet<InstId>>,
    /// Those for which it paid.
    useful: BTreeSet<InstId>,
}

/// A sum of collectives and of what is there, in the new body.
#[derive(Clone, Default)]
struct Pending {
    /// Collectives of different kinds or over different devices, and their operands.
    parts: Vec<(InstId, ValueId)>,
    rest: Option<ValueId>,
}

impl Pending {
    /// The collective, if it is no more than one.
    fn alone(&self) -> Option<(InstId, ValueId)> {
        match (self.parts.as_slice(), self.rest) {
            ([part], None) => Some(*part),
            _ => None,
        }
    }
}

impl<'a> Pass<'a> {
    /// The pass behind its walk.
    fn walked(body: &'a Body, context: &'a PassContext<'a>, movable: Option<&'a BTreeSet<InstId>>) -> Self {
        let pending = Table::filled(None, body.values.len());
        let mut pass =
            Self { rewriter: Rewriter::new(body), pending, context, movable, useful: BTreeSet::new() };
        let entry = pass.rewriter.to.entry();
        pass.region(body.entry(), entry);
        pass
    }

    fn region(&mut self, from: RegionId, to: RegionId) {
        let body = self.rewriter.from;
        for inst in &body.regions[from].insts {
            let view = body.view(*inst);
            if self.start(&view) || self.merge(&view, to) || self.pass_through(&view, to) {
                continue;
            }
            let operands: Vec<ValueId> =
                view.inst.operands.iter().map(|operand| self.materialize(*operand, to)).collect();
            // A collective around a loop or a branch stays around it: inside it would run more often.
            for inner in view.inst.regions.iter().flat_map(|region| body.walk(*region)) {
                for operand in &body.insts[inner].operands {
                    if self.pending[*operand].is_some() {
                        self.materialize(*operand, to);
                    }
                }
            }
            let mut regions = Vec::with_capacity(view.inst.regions.len());
            for region in &view.inst.regions {
                let copy = self.rewriter.region_like(*region);
                self.region(*region, copy);
                regions.push(copy);
            }
            self.rewriter.append(*inst, operands, regions, to);
        }
    }

    /// Notes the collectives of a pending value if later passes make one of them and of what reads it: what keeps a part
    /// of a sum, another collective, and what adds up in a loop.
    fn note_readers(&mut self, old: ValueId, to: RegionId) {
        let body = self.rewriter.from;
        let bytes = body.ty(old).num_bytes();
        let is_one = |(reader, _): &(InstId, usize)| {
            let view = body.view(*reader);
            let is_part = view.inst.results.iter().any(|result| body.ty(*result).num_bytes() < bytes);
            let adds_up = to != self.rewriter.to.entry() && matches!(view.inst.op, Op::Binary(Binary::Add));
            is_part || adds_up || view.inst.op.is_collective()
        };
        if self.context.uses(old).iter().any(is_one) {
            let parts = self.pending[old].iter().flat_map(|pending| &pending.parts);
            self.useful.extend(parts.map(|(collective, _)| *collective));
        }
    }

    /// The new place of an old value; emits its collectives if they are still pending.
    fn materialize(&mut self, old: ValueId, to: RegionId) -> ValueId {
        self.note_readers(old, to);
        let Some(pending) = self.pending[old].take() else {
            return self.rewriter.value(old);
        };
        let body = self.rewriter.from;
        let ty = body.ty(old).clone();
        let mut sum = pending.rest;
        for (collective, operand) in pending.parts {
            let source = &body.insts[collective];
            let regions = source.regions.iter().map(|region| self.rewriter.copy_elements(*region)).collect();
            let (op, types) = (source.op.clone(), vec![ty.clone()]);
            let new = self.rewriter.to.append(to, op, vec![operand], regions, types, source.span);
            let part = self.rewriter.to.insts[new].results[0];
            sum = Some(sum.map_or(part, |sum| self.sum(sum, part, source.span, to)));
        }
        let result = sum.expect("a sum has parts");
        self.rewriter.map[old] = Some(result);
        result
    }

    fn sum(&mut self, left: ValueId, right: ValueId, span: Span, to: RegionId) -> ValueId {
        let ty = self.rewriter.to.ty(left).clone();
        self.rewriter.emit(Binary::Add.into(), &[left, right], &[], ty, span, to)
    }

    /// A collective on one value that is used once: pending from here.
    fn start(&mut self, view: &InstView<'_>) -> bool {
        let ([operand], [result]) = (view.inst.operands.as_slice(), view.inst.results.as_slice()) else {
            return false;
        };
        // What it is applied to must be there already and must not be pending itself.
        if !is_linear_collective(view)
            || self.context.num_uses(*result) != 1
            || self.pending[*operand].is_some()
            || self.movable.is_some_and(|movable| !movable.contains(&view.id))
        {
            return false;
        }
        let parts = vec![(view.id, self.rewriter.value(*operand))];
        self.pending[*result] = Some(Pending { parts, rest: None });
        true
    }

    /// `add(C(x), C(y))`.
    fn merge(&mut self, view: &InstView<'_>, to: RegionId) -> bool {
        if !matches!(view.inst.op, Op::Binary(Binary::Add | Binary::Subtract)) {
            return false;
        }
        let (left, right) = (view.inst.operands[0], view.inst.operands[1]);
        let (Some((first, x)), Some((second, y))) = (self.alone(left), self.alone(right)) else {
            return self.sort(view, to);
        };
        let body = self.rewriter.from;
        let same_operand_types = self.rewriter.to.ty(x) == self.rewriter.to.ty(y);
        if left == right || !same_operand_types || body.insts[first].op != body.insts[second].op {
            return self.sort(view, to);
        }
        self.useful.extend([first, second]);
        self.pending[left] = None;
        self.pending[right] = None;
        self.emit_inner(view, vec![x, y], first, to);
        true
    }

    /// A sum of scalars some of which are pending: what is combined alike is added up before.
    fn sort(&mut self, view: &InstView<'_>, to: RegionId) -> bool {
        let body = self.rewriter.from;
        let [left, right] = *view.inst.operands.as_slice() else { return false };
        let is_pending = |value: ValueId| self.pending[value].is_some();
        if !matches!(view.inst.op, Op::Binary(Binary::Add))
            || view.result(0).num_elements() != 1
            || left == right
            || !(is_pending(left) || is_pending(right))
        {
            return false;
        }
        let mut sum = Pending::default();
        for operand in [left, right] {
            let taken = self.pending[operand].take();
            let more = taken
                .unwrap_or_else(|| Pending { parts: Vec::new(), rest: Some(self.rewriter.value(operand)) });
            for (collective, value) in more.parts {
                let alike =
                    |(other, _): &(InstId, ValueId)| body.insts[*other].op == body.insts[collective].op;
                match sum.parts.iter().position(alike) {
                    Some(at) if self.rewriter.to.ty(sum.parts[at].1) == self.rewriter.to.ty(value) => {
                        self.useful.extend([sum.parts[at].0, collective]);
                        sum.parts[at].1 = self.sum(sum.parts[at].1, value, view.inst.span, to);
                    }
                    _ => sum.parts.push((collective, value)),
                }
            }
            sum.rest = match (sum.rest, more.rest) {
                (Some(left), Some(right)) => Some(self.sum(left, right, view.inst.span, to)),
                (one, other) => one.or(other),
            };
        }
        let result = view.inst.results[0];
        self.pending[result] = Some(sum);
        if self.context.num_uses(result) != 1 {
            self.materialize(result, to);
        }
        true
    }

    /// The collective that is all that is pending of a value.
    fn alone(&self, value: ValueId) -> Option<(InstId, ValueId)> {
        self.pending[value].as_ref().and_then(Pending::alone)
    }

    /// `f(all_reduce(x))`.
    fn pass_through(&mut self, view: &InstView<'_>, to: RegionId) -> bool {
        let body = self.rewriter.from;
        let Some(position) = linear_operand(view, |value| self.alone(value).is_some()) else {
            return false;
        };
        let old = view.inst.operands[position];
        let Some((collective, inner)) = self.alone(old) else {
            return false;
        };
        let keeps_shape = body.insts[collective].op.name() == "stablehlo.all_reduce";
        let bytes = |value: ValueId| body.ty(value).num_bytes();
        let element = |value: ValueId| body.ty(value).as_tensor().map(|tensor| tensor.element);
        let others = view.inst.operands.iter().enumerate().filter(|(index, _)| *index != position);
        if !keeps_shape
            || element(view.inst.results[0]) != element(old)
            || bytes(view.inst.results[0]) > bytes(old)
            || !others.into_iter().all(|(_, value)| self.is_same(*value, collective))
        {
            return false;
        }
        if bytes(view.inst.results[0]) < bytes(old) {
            self.useful.insert(collective);
        }
        self.pending[old] = None;
        let mut operands = Vec::with_capacity(view.inst.operands.len());
        for (index, operand) in view.inst.operands.iter().enumerate() {
            operands.push(if index == position { inner } else { self.materialize(*operand, to) });
        }
        self.emit_inner(view, operands, collective, to);
        true
    }

    /// Whether all members of a collective have the same `value`: a sum over devices may be taken out of `x * y` only
    /// if all of them multiply by one `y`.
    fn is_same(&self, value: ValueId, collective: InstId) -> bool {
        let varies = self.context.meanings()[value].varies();
        let Some(participants) = self.rewriter.from.insts[collective].op.participants() else { return false };
        let mesh = self.context.mesh();
        varies.is_empty() || members(&participants.groups.groups(), mesh).axes().is_disjoint(varies)
    }

    /// Emits the instruction on operands from before the collective; its result is pending, or the collective
    /// follows at once where the result has several uses.
    fn emit_inner(&mut self, view: &InstView<'_>, operands: Vec<ValueId>, collective: InstId, to: RegionId) {
        let result = view.inst.results[0];
        let ty = match operands.as_slice() {
            [x, _] if is_elementwise_pair(view) => self.rewriter.to.ty(*x).clone(),
            _ => view.body.ty(result).clone(),
        };
        let regions = view.inst.regions.iter().map(|region| self.rewriter.copy_elements(*region)).collect();
        let inst =
            self.rewriter.to.append(to, view.inst.op.clone(), operands, regions, vec![ty], view.inst.span);
        let inner = self.rewriter.to.insts[inst].results[0];
        self.pending[result] = Some(Pending { parts: vec![(collective, inner)], rest: None });
        if self.context.num_uses(result) != 1 {
            self.materialize(result, to);
        }
    }
}

fn is_elementwise_pair(view: &InstView<'_>) -> bool {
    matches!(view.inst.op, Op::Binary(_))
}

/// Whether a collective commutes with addition: it adds, or it only moves data.
fn is_linear_collective(view: &InstView<'_>) -> bool {
    view.inst.op.is_collective()
        && keeps_elements(view)
        && match view.inst.regions.as_slice() {
            [] => true,
            _ => reducer(view.body, view.region(0)) == Some(Binary::Add),
        }
        && view.body.ty(view.inst.results[0]).as_tensor().is_some_and(|tensor| !is_boolean(tensor.element))
}

fn is_boolean(element: ElementType) -> bool {
    element == ElementType::I1
}

/// The operand in which the instruction is linear and for which `wanted` holds.
fn linear_operand(view: &InstView<'_>, wanted: impl Fn(ValueId) -> bool) -> Option<usize> {
    let operands = &view.inst.operands;
    let linear = view.inst.op.linearity(view, Reduction::Sum).each;
    linear.iter().copied().find(|position| wanted(operands[*position]))
}
