//! A product and the collective beside it become a ring: while a shard travels to the next device, the product with
//! the one that is there is computed (Wang et al., "Overlap communication with dependent computation via decomposition
//! in large deep learning models", ASPLOS 2023).
//!
//! With n members, and `i` the position of a device among them:
//!
//! - `dot(all_gather(x), w)`, gathered along a dim that the product keeps: in step k the device holds the shard of member
//!   `i + k`, multiplies it and writes the product to its place; the next shard comes from the next device meanwhile;
//! - the same gathered along a dim that the product contracts: the shard is multiplied with the part of `w` that belongs
//!   to it, and the products are added up (not in a type so narrow that each sum would be rounded much; and only if the
//!   product's result is sharded over the same axes: devices add up in different orders, and copies must stay equal);
//! - `reduce_scatter(dot(x, w))`: in step k the device computes the part of member `i - k - 1`, adds what came from the
//!   device before it, and sends the sum on.
//!
//! Both send as many bytes as the collective. They are taken where the time of n smaller products and their launches,
//! with each step's transfer hidden behind its product if the engine goes on meanwhile, is less than that of the
//! collective and the product together.

use super::rewrite::{Positions, keeps_elements};
use super::{Collectives, PassContext};
use crate::facts::{LocalFacts, definition};
use meshwright_cost::collective::{Collective, collective_cost};
use meshwright_cost::curves::moving;
use meshwright_cost::groups::kind_of;
use meshwright_cost::op::alone;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::mesh::{AxisSet, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::collective_permute::CollectivePermute;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::dynamic_update_slice::DynamicUpdateSlice;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::{Rewriter, each};
use meshwright_ir::rule::{FactorIndex, ShardingRule};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType};
use std::collections::{BTreeMap, BTreeSet};

/// Most members of a ring: each is a step in the text.
const MOST: usize = 16;

pub(super) fn overlap_products(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    context.target?;
    let facts = LocalFacts::new(body, context.mesh());
    let mut rings: BTreeMap<InstId, Ring> = BTreeMap::new();
    // What a ring computes in another place.
    let mut gone: BTreeSet<InstId> = BTreeSet::new();
    for inst in body.insts.ids() {
        let view = body.view(inst);
        let found = gathered(&view, &facts, context).or_else(|| scattered(&view, &facts, context));
        if let Some(ring) = found.filter(|ring| !gone.contains(&ring.dot) && !rings.contains_key(&ring.dot)) {
            gone.insert(if inst == ring.dot { ring.collective } else { ring.dot });
            rings.insert(inst, ring);
        }
    }
    (!rings.is_empty()).then(|| {
        each(body, |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to| {
            if let Some(ring) = rings.get(&view.id) {
                let steps = Steps { ring, context, dot: view.body.view(ring.dot), span: view.inst.span, to };
                let new = if view.id == ring.dot { steps.gather(rewriter) } else { steps.scatter(rewriter) };
                rewriter.stand_for(view.inst.results[0], new);
                return true;
            }
            gone.contains(&view.id)
        })
    })
}

/// A product and a collective that become one ring.
struct Ring {
    dot: InstId,
    collective: InstId,
    /// The axes of the collective.
    axes: Vec<SubAxisId>,
    /// The dim of each operand of the product that is worked on part by part, and that of the result, unless the
    /// product contracts it.
    operands: [Option<usize>; 2],
    result: Option<usize>,
    /// The operand that travels, for a gather.
    travels: usize,
}

/// The dim of a tensor that is this factor.
fn dim_of(factors: &[Vec<FactorIndex>], factor: FactorIndex) -> Option<usize> {
    factors.iter().position(|dim| *dim == [factor])
}

/// The dims of a product's operands and result that are this factor.
fn dims_of(rule: &ShardingRule, factor: FactorIndex) -> ([Option<usize>; 2], Option<usize>) {
    let operand = |index: usize| rule.operands.get(index).and_then(|factors| dim_of(factors, factor));
    ([operand(0), operand(1)], rule.results.first().and_then(|factors| dim_of(factors, factor)))
}

/// Whether sums of partial products are rounded little: as exactly as the product itself is kept, or not at all.
fn adds_up(element: ElementType) -> bool {
    !element.is_inexact() || element.bits() >= 32
}

fn gathered(view: &InstView<'_>, facts: &LocalFacts<'_>, context: &PassContext<'_>) -> Option<Ring> {
    if !view.is_matmul() || view.inst.operands[0] == view.inst.operands[1] {
        return None;
    }
    (0..2).find_map(|travels| {
        let collective = definition(view.body, view.inst.operands[travels])?;
        let Op::AllGather(gather) = &collective.inst.op else { return None };
        let alone = collective.num_operands() == 1 && context.num_uses(view.inst.operands[travels]) == 1;
        if !alone || !context.are_together(view.id, collective.id) {
            return None;
        }
        let rule = view.inst.op.rule(view);
        let [factor] = *rule.operands.get(travels)?.get(gather.dim)?.as_slice() else { return None };
        let (operands, result) = dims_of(&rule, factor);
        let axes = facts.along(&collective.inst.op)?;
        if result.is_none() {
            let contracts = operands[0].is_some() && operands[1].is_some() && !rule.is_in_results(factor);
            // Each device adds up in another order, so no two may hold the same.
            let sharded = context.meanings()[view.inst.results[0]].sharded();
            let differs = axes.iter().all(|axis| sharded.contains(*axis));
            if !(contracts && differs && adds_up(view.result(0).element)) {
                return None;
            }
        }
        let found = Ring { dot: view.id, collective: collective.id, axes, operands, result, travels };
        pays(&found, view, &collective, context).then_some(found)
    })
}

fn scattered(view: &InstView<'_>, facts: &LocalFacts<'_>, context: &PassContext<'_>) -> Option<Ring> {
    let Op::ReduceScatter(scatter) = &view.inst.op else { return None };
    let dot = definition(view.body, *view.inst.operands.first()?).filter(InstView::is_matmul)?;
    let adds = reducer(view.body, view.region(0)) == Some(Binary::Add) && keeps_elements(view);
    if !adds || context.num_uses(dot.inst.results[0]) != 1 || !context.are_together(view.id, dot.id) {
        return None;
    }
    let rule = dot.inst.op.rule(&dot);
    let [factor] = *rule.results.first()?.get(scatter.dim)?.as_slice() else { return None };
    let (operands, result) = dims_of(&rule, factor);
    result?;
    let axes = facts.along(&view.inst.op)?;
    // Of an operand that is a contribution itself all parts are needed by everyone.
    let over: AxisSet = axes.iter().collect();
    let is_partial = |value: &ValueId| !context.meanings()[*value].partial_axes().is_disjoint(over);
    if dot.inst.operands.iter().any(is_partial) {
        return None;
    }
    let found = Ring { dot: dot.id, collective: view.id, axes, operands, result, travels: 0 };
    pays(&found, &dot, view, context).then_some(found)
}

/// Whether the ring takes less time than the collective and the product, one after the other.
fn pays(ring: &Ring, dot: &InstView<'_>, collective: &InstView<'_>, context: &PassContext<'_>) -> bool {
    let Some(target) = context.target else { return false };
    let (members, device) = (context.mesh().product(&ring.axes), &target.placement.machine.device);
    if !(2..=MOST).contains(&members) {
        return false;
    }
    let axes: AxisSet = ring.axes.iter().collect();
    let Some(kind) = kind_of(&collective.inst.op) else { return false };
    let before = collective.operand(0).num_bytes();
    let travels = match kind {
        Collective::AllGather => before,
        _ => before / members,
    };
    let price = |kind, bytes: usize| collective_cost(kind, axes, target.placement).seconds(bytes as f64).0;
    let seconds = |parts: usize| {
        let part = |tensor: &TensorType, dim: Option<usize>| {
            let mut tensor = tensor.clone();
            if let Some(dim) = dim {
                tensor.shape[dim] /= parts;
            }
            tensor.into()
        };
        let operands = [0, 1].map(|index| part(dot.operand(index), ring.operands[index]));
        let results = [part(dot.result(0), ring.result)];
        alone(&dot.inst.op, &operands, &results).seconds(device).0
    };
    // What a step does besides: it cuts out or puts back one part, and adds it up.
    let made = dot.result(0).num_bytes() / if ring.result.is_some() { members } else { 1 };
    let aside = device.launch_overhead.0 + moving(3.0 * made.max(travels) as f64, device).0;
    let step = seconds(members) + aside;
    let travel = price(Collective::CollectivePermute, travels);
    let both = match target.collectives {
        Collectives::Blocking => step + travel,
        Collectives::Async => step.max(travel),
    };
    step + (members - 1) as f64 * both < price(kind, before) + seconds(1)
}

/// Emits a ring.
struct Steps<'a> {
    ring: &'a Ring,
    context: &'a PassContext<'a>,
    dot: InstView<'a>,
    span: Span,
    to: RegionId,
}

impl Steps<'_> {
    fn members(&self) -> usize {
        self.context.mesh().product(&self.ring.axes)
    }

    fn part(&self, tensor: &TensorType, dim: usize) -> TensorType {
        let mut part = tensor.clone();
        part.shape[dim] /= self.members();
        part
    }

    /// Every member sends to another: to the one before it for `back`, otherwise to the one behind it.
    fn permute(&self, rewriter: &mut Rewriter<'_>, value: ValueId, back: bool) -> ValueId {
        let pairs = self.context.mesh().groups(&self.ring.axes).into_iter().flat_map(|group| {
            let next: Vec<usize> = group.iter().copied().cycle().skip(1).take(group.len()).collect();
            let pair = move |(here, next): (usize, usize)| {
                if back { [next as i64, here as i64] } else { [here as i64, next as i64] }
            };
            group.into_iter().zip(next).map(pair).collect::<Vec<_>>()
        });
        let op = CollectivePermute { pairs: pairs.collect(), channel: None };
        let ty = rewriter.to.ty(value).clone();
        rewriter.emit(op.into(), &[value], &[], ty, self.span, self.to)
    }

    /// Where the part of the member `ahead` places behind this device begins, along a dim with parts of this size.
    fn start(&self, rewriter: &mut Rewriter<'_>, own: ValueId, ahead: usize, size: usize) -> ValueId {
        let (span, to) = (self.span, self.to);
        let mut member = own;
        if ahead > 0 {
            member = rewriter.arithmetic(Binary::Add, member, ahead, span, to);
            member = rewriter.arithmetic(Binary::Remainder, member, self.members(), span, to);
        }
        rewriter.arithmetic(Binary::Multiply, member, size, span, to)
    }

    fn starts(&self, rewriter: &mut Rewriter<'_>, start: ValueId, dim: usize, rank: usize) -> Vec<ValueId> {
        let scalar = rewriter.to.tensor(start).clone();
        let zero = rewriter.constant(Literal::splat(scalar, 0.0), self.to);
        (0..rank).map(|at| if at == dim { start } else { zero }).collect()
    }

    /// An operand of the product for one step: cut, if it has the dim that is worked on part by part.
    fn operand(&self, rewriter: &mut Rewriter<'_>, index: usize, own: ValueId, ahead: usize) -> ValueId {
        let value = rewriter.value(self.dot.inst.operands[index]);
        let Some(dim) = self.ring.operands[index] else { return value };
        let part = self.part(self.dot.operand(index), dim);
        let start = self.start(rewriter, own, ahead, part.shape[dim]);
        let mut operands = vec![value];
        operands.extend(self.starts(rewriter, start, dim, part.rank()));
        let op = DynamicSlice { sizes: part.shape.clone() };
        rewriter.emit(op.into(), &operands, &[], part.into(), self.span, self.to)
    }

    fn product(&self, rewriter: &mut Rewriter<'_>, operands: &[ValueId]) -> ValueId {
        let whole = self.dot.result(0);
        let ty = self.ring.result.map_or_else(|| whole.clone(), |dim| self.part(whole, dim));
        rewriter.emit(self.dot.inst.op.clone(), operands, &[], ty.into(), self.span, self.to)
    }

    /// Writes the product of a step to its place in the whole.
    fn put(
        &self,
        rewriter: &mut Rewriter<'_>,
        total: ValueId,
        product: ValueId,
        own: ValueId,
        step: usize,
        dim: usize,
    ) -> ValueId {
        let whole = self.dot.result(0);
        let start = self.start(rewriter, own, step, whole.shape[dim] / self.members());
        let mut operands = vec![total, product];
        operands.extend(self.starts(rewriter, start, dim, whole.rank()));
        rewriter.emit(DynamicUpdateSlice.into(), &operands, &[], whole.clone().into(), self.span, self.to)
    }

    fn add(&self, rewriter: &mut Rewriter<'_>, left: ValueId, right: ValueId) -> ValueId {
        let ty = rewriter.to.ty(left).clone();
        rewriter.emit(Binary::Add.into(), &[left, right], &[], ty, self.span, self.to)
    }

    fn own(&self, rewriter: &mut Rewriter<'_>) -> ValueId {
        let types = [self.dot.operand(0), self.dot.operand(1), self.dot.result(0)];
        let largest = types.iter().flat_map(|ty| &ty.shape).copied().max().unwrap_or(0);
        let element = ElementType::for_positions(largest);
        rewriter.own_index(&self.ring.axes, self.context.mesh(), element, self.span, self.to)
    }

    fn gather(&self, rewriter: &mut Rewriter<'_>) -> ValueId {
        let (travels, whole) = (self.ring.travels, self.dot.result(0));
        let own = self.own(rewriter);
        let source = self.dot.body.view(self.ring.collective);
        let mut shard = rewriter.value(source.inst.operands[0]);
        let place = |_| rewriter.constant(Literal::splat(whole.clone(), 0.0), self.to);
        let mut total: Option<ValueId> = self.ring.result.map(place);
        for step in 0..self.members() {
            // Sent before it is used, so that it travels meanwhile.
            let next = (step + 1 < self.members()).then(|| self.permute(rewriter, shard, true));
            let mut operands = [shard; 2];
            operands[1 - travels] = self.operand(rewriter, 1 - travels, own, step);
            let product = self.product(rewriter, &operands);
            total = Some(match (total, self.ring.result) {
                (Some(total), Some(dim)) => self.put(rewriter, total, product, own, step, dim),
                (Some(total), None) => self.add(rewriter, total, product),
                (None, _) => product,
            });
            shard = next.unwrap_or(shard);
        }
        total.unwrap_or(shard)
    }

    fn scatter(&self, rewriter: &mut Rewriter<'_>) -> ValueId {
        let own = self.own(rewriter);
        let mut sum = None;
        for step in 0..self.members() {
            let before = sum.map(|sum| self.permute(rewriter, sum, false));
            let ahead = self.members() - 1 - step;
            let operands = [0, 1].map(|index| self.operand(rewriter, index, own, ahead));
            let product = self.product(rewriter, &operands);
            sum = Some(before.map_or(product, |before| self.add(rewriter, before, product)));
        }
        sum.unwrap_or(own)
    }
}
