//! A sum over devices is taken apart where something useful fits between: it is scattered, what follows element by
//! element is computed on shards, and the result is gathered.
//!
//! With `y = all_reduce(x)`, read by elementwise ops alone whose outcome is one value `z`, no larger than `y`:
//!
//! - if all readers of `z` take the own shard of it, nothing needs to be gathered, and half of the bytes are sent;
//! - otherwise `z` is gathered, if on this machine the work that is then shared out, or the bytes that a narrower `z`
//!   saves, are worth one more collective.
//!
//! What the elementwise ops read besides must be the same on all members; they read their shard of it.

use super::PassContext;
use super::rewrite::{Positions, over};
use crate::facts::{LocalFacts, definition};
use meshwright_cost::collective::{Collective, collective_cost};
use meshwright_cost::curves::moving;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::mesh::{AxisSet, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::all_gather::AllGather;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::broadcast_in_dim::BroadcastInDim;
use meshwright_ir::ops::dynamic_slice::DynamicSlice;
use meshwright_ir::ops::reduce_scatter::ReduceScatter;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::{Body, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType};
use std::collections::{BTreeMap, BTreeSet};

/// Most elementwise ops between the two halves.
const MOST: usize = 64;

pub(super) fn split_reductions(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let facts = LocalFacts::new(body, context.mesh());
    let mut position: Table<InstId, usize> = Table::filled(0, body.insts.len());
    for region in body.regions.values() {
        region.insts.iter().enumerate().for_each(|(at, inst)| position[*inst] = at);
    }
    let mut taken: BTreeSet<InstId> = BTreeSet::new();
    let mut splits: Vec<Split> = Vec::new();
    for inst in body.insts.ids() {
        if let Some(split) = split(&body.view(inst), &facts, &position, context)
            && split.between.is_disjoint(&taken)
        {
            taken.extend(&split.between);
            splits.push(split);
        }
    }
    (!splits.is_empty()).then(|| each(body, Apply::new(context, splits)))
}

/// A sum that is taken apart.
struct Split {
    all_reduce: InstId,
    /// The dim that is scattered, and the axes along which its shards lie.
    dim: usize,
    axes: Vec<SubAxisId>,
    /// What is computed on shards.
    between: BTreeSet<InstId>,
    /// What comes out of it.
    outcome: ValueId,
    /// The own shards that all readers of the outcome take; none if it is gathered.
    shards: BTreeSet<InstId>,
}

fn split(
    view: &InstView<'_>,
    facts: &LocalFacts<'_>,
    position: &Table<InstId, usize>,
    context: &PassContext<'_>,
) -> Option<Split> {
    let (Op::AllReduce(_), [result]) = (&view.inst.op, view.inst.results.as_slice()) else { return None };
    let axes = facts.along(&view.inst.op)?;
    reducer(view.body, view.region(0))?.reduction()?;
    let members: AxisSet = axes.iter().collect();
    let mut found: BTreeSet<InstId> = BTreeSet::new();
    // Readers of what is in the set, in the order of the program, and how many reads of each value are outside.
    let mut readers: BTreeSet<(usize, InstId)> = BTreeSet::new();
    let mut open: BTreeMap<ValueId, usize> = BTreeMap::new();
    let mut best: Option<Split> = None;
    let mut value = *result;
    loop {
        open.insert(value, context.num_uses(value));
        readers.extend(context.uses(value).iter().map(|(user, _)| (position[*user], *user)));
        open.retain(|_, reads| *reads > 0);
        if let (Some((outcome, _)), 1, false) = (open.first_key_value(), open.len(), found.is_empty()) {
            let candidate = Candidate { view, axes: &axes, between: &found, outcome: *outcome };
            best = candidate.decide(facts, context).or(best);
        }
        let together = context.uses(value).iter().all(|(user, _)| context.are_together(*user, view.id));
        let (true, Some((_, reader))) = (together, readers.pop_first()) else { break };
        let reader = view.body.view(reader);
        if found.len() == MOST || !is_shared(&reader, view, &open, members, context) {
            break;
        }
        for operand in &reader.inst.operands {
            open.entry(*operand).and_modify(|reads| *reads -= 1);
        }
        found.insert(reader.id);
        value = reader.inst.results[0];
    }
    best
}

/// Whether an op computes element by element from what is open and what all members have alike.
fn is_shared(
    reader: &InstView<'_>,
    all_reduce: &InstView<'_>,
    open: &BTreeMap<ValueId, usize>,
    members: AxisSet,
    context: &PassContext<'_>,
) -> bool {
    let shape = &all_reduce.result(0).shape;
    let has_shape = |value: &ValueId| {
        reader.body.ty(*value).as_tensor().is_some_and(|tensor| tensor.shape == *shape || tensor.rank() == 0)
    };
    let is_same = |value: &ValueId| context.meanings()[*value].varies().is_disjoint(members);
    reader.inst.op.is_elementwise()
        && reader.inst.regions.is_empty()
        && reader.inst.results.len() == 1
        && reader.inst.results.iter().all(|result| reader.body.tensor(*result).shape == *shape)
        && reader
            .inst
            .operands
            .iter()
            .all(|value| has_shape(value) && (open.contains_key(value) || is_same(value)))
}

/// Elementwise ops behind a sum, and the one value that they make.
struct Candidate<'a> {
    view: &'a InstView<'a>,
    axes: &'a [SubAxisId],
    between: &'a BTreeSet<InstId>,
    outcome: ValueId,
}

impl Candidate<'_> {
    fn decide(&self, facts: &LocalFacts<'_>, context: &PassContext<'_>) -> Option<Split> {
        let split = |dim: usize, axes: &[SubAxisId], shards: BTreeSet<InstId>| Split {
            all_reduce: self.view.id,
            dim,
            axes: axes.to_vec(),
            between: self.between.clone(),
            outcome: self.outcome,
            shards,
        };
        let mut cuts = context.uses(self.outcome).iter().map(|(user, position)| {
            let cut = (*position == 0).then(|| facts.own_slice(&self.view.body.view(*user))).flatten()?;
            Some((*user, cut))
        });
        if let Some(Some((first, cut))) = cuts.next() {
            let members: AxisSet = self.axes.iter().collect();
            let mut shards = BTreeSet::from([first]);
            let alike = cut.axes.iter().collect::<AxisSet>() == members
                && cuts.all(|other| {
                    other.is_some_and(|(user, other)| {
                        shards.insert(user);
                        (other.dim, &other.axes) == (cut.dim, &cut.axes)
                    })
                });
            if alike {
                return Some(split(cut.dim, &cut.axes, shards));
            }
        }
        let group = context.mesh().product(self.axes);
        let dim = self.view.result(0).shape.iter().position(|size| *size > 0 && size % group == 0)?;
        self.pays(group, context).then(|| split(dim, self.axes, BTreeSet::new()))
    }

    /// Whether one more collective costs less than the work and the bytes that it saves.
    fn pays(&self, group: usize, context: &PassContext<'_>) -> bool {
        let Some(target) = context.target else { return false };
        let body = self.view.body;
        let bytes = |value: ValueId| body.ty(value).num_bytes() as f64;
        let (sum, outcome) = (bytes(self.view.inst.results[0]), bytes(self.outcome));
        if outcome > sum {
            return false;
        }
        let made: BTreeSet<ValueId> = self.between.iter().map(|inst| body.insts[*inst].results[0]).collect();
        let read: BTreeSet<ValueId> = self
            .between
            .iter()
            .flat_map(|inst| &body.insts[*inst].operands)
            .copied()
            .filter(|value| !made.contains(value) && !is_made_anywhere(body, *value))
            .collect();
        let moved: f64 = read.into_iter().map(bytes).sum::<f64>() + outcome;
        let device = &target.placement.machine.device;
        let work = moving(moved, device).0;
        let group = group as f64;
        let axes: AxisSet = self.axes.iter().collect();
        let send = |kind, bytes| collective_cost(kind, axes, target.placement).seconds(bytes).0;
        let together = send(Collective::AllReduce, sum) + work;
        let apart = send(Collective::ReduceScatter, sum)
            + work / group
            + device.launch_overhead.0
            + send(Collective::AllGather, outcome / group);
        apart < together
    }
}

/// Whether a value is a constant, or one element repeated: its shard costs nothing.
fn is_made_anywhere(body: &Body, value: ValueId) -> bool {
    definition(body, value).is_some_and(|source| match &source.inst.op {
        Op::Constant(constant) => constant.value.splat_bytes().is_some(),
        Op::BroadcastInDim(_) => source.operand(0).num_elements() == 1,
        _ => false,
    })
}

/// Carries out splits.
struct Apply<'a> {
    context: &'a PassContext<'a>,
    splits: Vec<Split>,
    /// The split that an instruction belongs to.
    split_of: BTreeMap<InstId, usize>,
    /// Shards by split and old value.
    shards: BTreeMap<(usize, ValueId), ValueId>,
    /// Where the shards of a split start.
    starts: BTreeMap<usize, ValueId>,
}

impl<'a> Apply<'a> {
    fn new(context: &'a PassContext<'a>, splits: Vec<Split>) -> Self {
        let mut split_of = BTreeMap::new();
        for (number, split) in splits.iter().enumerate() {
            let all = split.between.iter().chain(&split.shards).chain([&split.all_reduce]);
            split_of.extend(all.map(|inst| (*inst, number)));
        }
        Self { context, splits, split_of, shards: BTreeMap::new(), starts: BTreeMap::new() }
    }

    fn group(&self, number: usize) -> usize {
        self.context.mesh().product(&self.splits[number].axes)
    }

    fn shard_type(&self, number: usize, whole: &TensorType) -> TensorType {
        let mut ty = whole.clone();
        if ty.rank() > 0 {
            ty.shape[self.splits[number].dim] /= self.group(number);
        }
        ty
    }

    /// This device's shard of a value that all members have.
    fn shard(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        number: usize,
        value: ValueId,
        span: Span,
        to: RegionId,
    ) -> ValueId {
        let body = rewriter.from;
        let whole = body.tensor(value);
        if whole.rank() == 0 {
            return rewriter.value(value);
        }
        if let Some(known) = self.shards.get(&(number, value)) {
            return *known;
        }
        let (dim, ty) = (self.splits[number].dim, self.shard_type(number, whole));
        let source = definition(body, value);
        let source = source.as_ref().map(|source| (&source.inst.op, source));
        let shard = match source {
            Some((Op::Constant(constant), _)) if constant.value.splat_bytes().is_some() => {
                let value = Literal { ty, ..constant.value.clone() };
                rewriter.constant(value, to)
            }
            Some((Op::BroadcastInDim(BroadcastInDim { dims }), source))
                if !dims.iter().zip(&source.operand(0).shape).any(|(at, size)| *at == dim && *size > 1) =>
            {
                let operand = rewriter.value(source.inst.operands[0]);
                rewriter.emit(source.inst.op.clone(), &[operand], &[], ty.into(), span, to)
            }
            _ => {
                let start = self.starts[&number];
                let scalar = rewriter.to.tensor(start).clone();
                let zero = rewriter.constant(Literal::splat(scalar, 0.0), to);
                let starts = (0..ty.rank()).map(|at| if at == dim { start } else { zero });
                let operands: Vec<ValueId> = std::iter::once(rewriter.value(value)).chain(starts).collect();
                let sizes = ty.shape.clone();
                rewriter.emit(DynamicSlice { sizes }.into(), &operands, &[], ty.into(), span, to)
            }
        };
        self.shards.insert((number, value), shard);
        shard
    }

    fn scatter(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, number: usize, to: RegionId) {
        let Op::AllReduce(all_reduce) = &view.inst.op else { return };
        let (dim, axes) = (self.splits[number].dim, self.splits[number].axes.clone());
        let (span, ty) = (view.inst.span, self.shard_type(number, view.result(0)));
        let (size, whole) = (ty.shape[dim], view.result(0).shape[dim]);
        let scatter = ReduceScatter { dim, participants: all_reduce.participants.clone() };
        let op = over(&scatter.into(), &axes, self.context.mesh());
        let value = rewriter.value(view.inst.operands[0]);
        let shard = rewriter.emit(op, &[value], &view.inst.regions, ty.into(), span, to);
        self.shards.insert((number, view.inst.results[0]), shard);
        let index =
            rewriter.own_index(&axes, self.context.mesh(), ElementType::for_positions(whole), span, to);
        self.starts.insert(number, rewriter.arithmetic(Binary::Multiply, index, size, span, to));
    }

    fn compute(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, number: usize, to: RegionId) {
        let (span, result) = (view.inst.span, view.inst.results[0]);
        let operands: Vec<ValueId> =
            view.inst.operands.iter().map(|value| self.shard(rewriter, number, *value, span, to)).collect();
        let ty = self.shard_type(number, view.result(0));
        let shard = rewriter.emit(view.inst.op.clone(), &operands, &[], ty.into(), span, to);
        self.shards.insert((number, result), shard);
        let split = &self.splits[number];
        if split.outcome == result && split.shards.is_empty() {
            let Op::AllReduce(all_reduce) = &view.body.insts[split.all_reduce].op else { return };
            let gather = AllGather { dim: split.dim, participants: all_reduce.participants.clone() };
            let op = over(&gather.into(), &split.axes, self.context.mesh());
            let whole = rewriter.emit(op, &[shard], &[], view.result(0).clone().into(), span, to);
            rewriter.stand_for(result, whole);
        }
    }
}

impl Edit for Apply<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let Some(number) = self.split_of.get(&view.id).copied() else { return false };
        if view.id == self.splits[number].all_reduce {
            self.scatter(rewriter, view, number, to);
        } else if self.splits[number].between.contains(&view.id) {
            self.compute(rewriter, view, number, to);
        } else {
            let shard = self.shards[&(number, self.splits[number].outcome)];
            rewriter.stand_for(view.inst.results[0], shard);
        }
        true
    }
}
