//! The contents of a loop over microbatches: each instruction on the part of its batch.

use crate::time::sequence::{Carried, Readers};
use crate::time::{Along, CutFactor, InTime, Places, TimeAxis, along, can_cut, factor_of};
use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::local::{LocalBuilder as _, Localize};
use meshwright_ir::mesh::{Axis, Mesh, SubAxisId};
use meshwright_ir::op::DataFlow;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::program::{Body, Def, InstView, Regions};
use meshwright_ir::rewrite::{Edit, Rewriter};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule, Strategy};
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

use super::local::Local;
use super::{parts, points};

/// A region of the loop, with what has been made in it.
struct Scope {
    region: RegionId,
    /// Where old values are: as they are where they are the same in all microbatches, else their part.
    values: FxHashMap<ValueId, ValueId>,
    /// Parts of values that are the same in all microbatches, by dim and how much of it stays together.
    parts: FxHashMap<(ValueId, usize, usize), ValueId>,
}

impl Scope {
    fn new(region: RegionId) -> Self {
        Self { region, values: FxHashMap::default(), parts: FxHashMap::default() }
    }
}

/// A value of one slice of a sequence that others read, while it is written.
pub(super) struct Carrying {
    own: Carried,
    before: ValueId,
    /// It behind this turn, once it has been made.
    pub(super) next: Option<ValueId>,
    /// All slices of it so far, as keys.
    whole: Option<ValueId>,
}

impl Carrying {
    pub(super) fn new(own: Carried, before: ValueId) -> Self {
        Self { own, before, next: None, whole: None }
    }
}

/// The loop of one pass while it is written.
pub(super) struct Inside<'a> {
    body: &'a Body,
    axis: &'a TimeAxis,
    mesh: Mesh,
    axes: Vec<SubAxisId>,
    scopes: Vec<Scope>,
    /// What is cut, as a whole.
    given: FxHashMap<ValueId, ValueId>,
    /// What the loop makes of the function's own values.
    needed: BTreeSet<ValueId>,
    /// Whether a value has its name already.
    is_named: Table<ValueId, bool>,
    span: Span,
    /// The instruction at hand.
    current: Option<InstId>,
    /// The factor along which an instruction is cut that is being written on parts, and its size.
    cut: Option<(CutFactor, usize)>,
    /// An instruction that would need something of other microbatches.
    refused: Option<InstId>,
    counter: ValueId,
    /// What slices of a sequence read of one another.
    pub(super) carried: BTreeMap<ValueId, Carrying>,
    /// What the loop starts with: the counter, the accumulators, and all that it only reads.
    pub(super) init: Vec<ValueId>,
}

impl<'a> Inside<'a> {
    /// The body `step` of a loop that carries the counter and the accumulators.
    pub(super) fn new(
        body: &'a Body,
        axis: &'a TimeAxis,
        rewriter: &Rewriter<'_>,
        step: RegionId,
        init: Vec<ValueId>,
        needed: BTreeSet<ValueId>,
    ) -> Self {
        let time = Axis { name: "time".to_owned(), size: axis.count };
        let mesh = Mesh::new("time", vec![time]).expect("one axis is a mesh");
        let axes = mesh.sub_axis_ids().collect();
        let counter = rewriter.to.regions[step].args[0];
        Self {
            body,
            axis,
            mesh,
            axes,
            scopes: vec![Scope::new(step)],
            given: FxHashMap::default(),
            needed,
            is_named: Table::filled(false, body.values.len()),
            span: Span::NONE,
            current: None,
            cut: None,
            refused: None,
            counter,
            carried: BTreeMap::new(),
            init,
        }
    }

    /// The loop's body.
    pub(super) fn step(&self) -> RegionId {
        self.scopes[0].region
    }

    /// The number of the microbatch.
    pub(super) fn counter(&self) -> ValueId {
        self.counter
    }

    /// Place in the source of the instruction at hand.
    pub(super) fn span(&self) -> Span {
        self.span
    }

    /// Notes that the instruction at hand would need something of other microbatches; what is made of it has no meaning.
    pub(super) fn refuse(&mut self, value: ValueId) -> ValueId {
        self.refused = self.refused.or(self.current);
        value
    }

    /// The first instruction that cannot be written down for one microbatch.
    pub(super) fn refused(&self) -> Option<InstId> {
        self.refused
    }

    /// What this turn has made of a value.
    pub(super) fn made(&self, value: ValueId) -> ValueId {
        self.found(value).expect("a pass makes its points")
    }

    fn found(&self, value: ValueId) -> Option<ValueId> {
        self.scopes.iter().rev().find_map(|scope| scope.values.get(&value)).copied()
    }

    fn scope(&mut self) -> &mut Scope {
        self.scopes.last_mut().expect("the loop's body is one")
    }

    /// An old value as it is read without regard to microbatches: the same in all, or a contribution.
    fn whole(&mut self, rewriter: &mut Rewriter<'_>, value: ValueId) -> ValueId {
        if let Some(found) = self.found(value) {
            return found;
        }
        if let Some(inst) = self.repeats(value) {
            return self.repeated(rewriter, inst, value);
        }
        let outer = rewriter.value(value);
        self.carried(rewriter, value, outer)
    }

    /// A value from outside that the loop carries and does not change.
    fn carried(&mut self, rewriter: &mut Rewriter<'_>, value: ValueId, outer: ValueId) -> ValueId {
        let (ty, span) = (rewriter.to.ty(outer).clone(), self.body.values[value].span);
        let step = self.step();
        let arg = rewriter.to.add_arg(step, ty, span);
        self.init.push(outer);
        self.scopes[0].values.insert(value, arg);
        arg
    }

    /// The instruction that makes a value larger than all it reads, such as a constant or a broadcast: from outside, it is
    /// rather made again in each turn than carried; of what is a microbatch's own, parts may be all that is read.
    fn repeats(&self, value: ValueId) -> Option<InstId> {
        let Def::Result(inst, _) = self.body.values[value].def else { return None };
        let state = self.axis.states[value];
        let view = self.body.view(inst);
        let rule = &self.axis.rules[inst];
        let bytes = |value: &ValueId| self.body.ty(*value).num_bytes();
        let read: usize = view.inst.operands.iter().map(bytes).sum();
        let only_spreads = |dims: &Vec<Vec<FactorIndex>>| dims.iter().all(|dim| self.is_spread(rule, dim));
        let is_cut = |operand: &ValueId| matches!(self.axis.states[*operand].kind, InTime::Cut(_));
        let is_free = state.kind == InTime::Own || state.kind == InTime::Same && !state.is_inside;
        let can = is_free
            && !self.axis.estimates.contains(&value)
            && !view.inst.operands.iter().any(is_cut)
            && self.axis.pass_of[value].is_none()
            && view.inst.results.len() == 1
            && view.inst.regions.is_empty()
            && !view.inst.op.has_side_effects()
            && rule.results.iter().all(only_spreads);
        (can && bytes(&value) > read).then_some(inst)
    }

    fn is_spread(&self, rule: &ShardingRule, dim: &[FactorIndex]) -> bool {
        let is_plain = |factor: &FactorIndex| {
            matches!(rule.factors[*factor].kind, FactorKind::PassThrough | FactorKind::Offset)
        };
        !dim.is_empty() && dim.iter().all(is_plain)
    }

    fn repeated(&mut self, rewriter: &mut Rewriter<'_>, inst: InstId, value: ValueId) -> ValueId {
        let view = self.body.view(inst);
        let operands: Vec<ValueId> =
            view.inst.operands.iter().map(|operand| self.whole(rewriter, *operand)).collect();
        let step = self.step();
        let types = view.result_types().cloned().collect();
        let copy =
            rewriter.to.append(step, view.inst.op.clone(), operands, Vec::new(), types, view.inst.span);
        rewriter.to.insts[copy].attributes = view.inst.attributes.clone();
        rewriter.to.insts[copy].location = view.inst.location.clone();
        let made = rewriter.to.insts[copy].results[0];
        self.scopes[0].values.insert(value, made);
        made
    }

    /// The part of an old value along a dim.
    fn part(&mut self, rewriter: &mut Rewriter<'_>, value: ValueId, along: Along) -> ValueId {
        let is_cut = matches!(self.axis.states[value].kind, InTime::Cut(_));
        if is_cut && let Some(found) = self.found(value) {
            return found;
        }
        let known = |scope: &Scope| scope.parts.get(&(value, along.dim, along.together)).copied();
        if let Some(found) = self.scopes.iter().rev().find_map(known) {
            return found;
        }
        let depth = self.depth_of(value);
        let made = match self.computes(value, along).filter(|_| !is_cut) {
            Some((inst, cut)) => {
                let deeper = self.scopes.split_off(depth + 1);
                let made = self.localized(rewriter, &self.body.view(inst), cut);
                self.scopes.extend(deeper);
                made[0]
            }
            None => {
                let whole = if is_cut { self.given(rewriter, value) } else { self.whole(rewriter, value) };
                let region = self.scopes[depth].region;
                self.sliced(rewriter, whole, along, region)
            }
        };
        self.scopes[depth].parts.insert((value, along.dim, along.together), made);
        made
    }

    /// An argument that holds the batch, or what an earlier pass has put together, as a whole.
    fn given(&mut self, rewriter: &mut Rewriter<'_>, value: ValueId) -> ValueId {
        if let Some(known) = self.given.get(&value) {
            return *known;
        }
        let outer = rewriter.value(value);
        let step = self.step();
        let arg = rewriter.to.add_arg(step, rewriter.to.ty(outer).clone(), self.body.values[value].span);
        self.init.push(outer);
        self.given.insert(value, arg);
        arg
    }

    /// The innermost of the open regions in which a value can be used that was made there or further out.
    fn depth_of(&self, value: ValueId) -> usize {
        let known = self.scopes.iter().rposition(|scope| scope.values.contains_key(&value));
        known.unwrap_or(0)
    }

    /// The instruction that makes a value of which a part can be computed by itself, and the factor to cut it along.
    fn computes(&self, value: ValueId, along: Along) -> Option<(InstId, CutFactor)> {
        let Def::Result(inst, _) = self.body.values[value].def else { return None };
        let view = self.body.view(inst);
        let rule = &self.axis.rules[inst];
        let is_cut = |operand: &ValueId| matches!(self.axis.states[*operand].kind, InTime::Cut(_));
        let can = view.inst.results.len() == 1
            && view.regions() == Regions::OfElements
            && !view.inst.operands.iter().any(is_cut)
            && view.inst.op.traits().data_flow == DataFlow::None
            && self.axis.pass_of[value].is_none()
            && !view.inst.op.has_side_effects()
            && rule.results.len() == 1;
        if !can {
            return None;
        }
        let cut = factor_of(rule, &rule.results[0][along.dim], along.together, self.axis.count)?;
        let is_plain = matches!(rule.factors[cut.factor].kind, FactorKind::PassThrough | FactorKind::Offset);
        let fits = is_plain && can_cut(rule, cut, Places::First);
        fits.then_some((inst, cut))
    }

    /// A dim of this size as the factor that is cut cuts it, before all others of the dim.
    pub(super) fn along(&self, dim: usize, size: usize) -> Along {
        let together = self.cut.map_or(1, |(cut, of_factor)| cut.together * (size / of_factor));
        Along { dim, together }
    }

    /// The positions in the whole that the elements of a part have that counts 0, 1, 2, ... along dim `dim`.
    pub(super) fn positions(
        &self,
        rewriter: &mut Rewriter<'_>,
        counted: ValueId,
        dim: usize,
        region: RegionId,
    ) -> ValueId {
        let size = rewriter.to.tensor(counted).shape[dim] * self.axis.count;
        let Along { together, .. } = self.along(dim, size);
        let builder = &mut rewriter.build(region, self.span);
        parts::positions(self.axis, counted, together, self.counter, builder)
    }

    /// A slice of a whole value, appended to a region.
    pub(super) fn sliced(
        &self,
        rewriter: &mut Rewriter<'_>,
        whole: ValueId,
        along: Along,
        region: RegionId,
    ) -> ValueId {
        parts::slice(self.axis, whole, along, self.counter, &mut rewriter.build(region, self.span))
    }

    /// An operand as an instruction reads it that is cut along a factor, if any.
    fn read(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        cut: Option<CutFactor>,
    ) -> ValueId {
        let value = view.inst.operands[index];
        let rule = &self.axis.rules[view.id];
        let held = cut.and_then(|cut| along(rule, cut, rule.operands.get(index)?));
        if let (Some(Carrying { whole: Some(whole), own, .. }), true) =
            (self.carried.get(&value), cut.is_some())
            && held != Some(own.along)
        {
            return *whole;
        }
        match (held, self.axis.states[value].kind) {
            (Some(along), _) | (None, InTime::Cut(along)) => self.part(rewriter, value, along),
            (None, _) => self.whole(rewriter, value),
        }
    }

    /// An instruction on parts, by its own file; its results.
    fn localized(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        cut: CutFactor,
    ) -> Vec<ValueId> {
        let rule = &self.axis.rules[view.id];
        let factor = cut.factor;
        let operands: Vec<ValueId> =
            (0..view.num_operands()).map(|index| self.read(rewriter, view, index, Some(cut))).collect();
        let region = self.scope().region;
        let result_types: Vec<Type> = view
            .result_types()
            .zip(&rule.results)
            .map(|(ty, dims)| self.part_type(ty, dims.iter().position(|dim| dim.contains(&factor))))
            .collect();
        let keeps_shardings = view.inst.op.without_sharding().is_some();
        let results = if keeps_shardings {
            let (op, span) = (view.inst.op.clone(), view.inst.span);
            let made = rewriter.to.append(region, op, operands, Vec::new(), result_types, span);
            rewriter.to.insts[made].results.clone()
        } else {
            let operand_types: Vec<Type> =
                operands.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
            let mut strategy = Strategy::replicated(rule);
            strategy.axes[factor].clone_from(&self.axes);
            let mesh = self.mesh.clone();
            let cx = Localize {
                view: *view,
                rule,
                strategy: &strategy,
                mesh: &mesh,
                operands: &operands,
                operand_types: &operand_types,
                result_types: &result_types,
            };
            let around = self.cut.replace((cut, rule.factors[factor].size));
            let made = view.inst.op.localize(&cx, &mut Local { inside: self, rewriter, region });
            self.cut = around;
            made
        };
        if let Some(first) = results.first() {
            rewriter.annotate_like(*first, view.id);
        }
        results
    }

    fn part_type(&self, ty: &Type, dim: Option<usize>) -> Type {
        match (ty, dim) {
            (Type::Tensor(tensor), Some(dim)) => parts::part_type(self.axis, tensor, dim).into(),
            _ => ty.clone(),
        }
    }

    /// A copy of an instruction that knows nothing of microbatches.
    fn copied(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> Vec<ValueId> {
        let operands: Vec<ValueId> =
            (0..view.num_operands()).map(|index| self.read(rewriter, view, index, None)).collect();
        let regions: Vec<RegionId> = match view.regions() {
            Regions::OfElements => {
                view.inst.regions.iter().map(|region| rewriter.copy_elements(*region)).collect()
            }
            Regions::Branches | Regions::Loop => {
                let kinds: Vec<InTime> =
                    view.inst.results.iter().map(|result| self.axis.states[*result].kind).collect();
                view.inst.regions.iter().map(|region| self.region(rewriter, *region, &kinds)).collect()
            }
        };
        let types = view.inst.results.iter().zip(view.result_types());
        let types = types.map(|(value, ty)| self.part_type(ty, self.cut_dim(*value))).collect();
        let copy = rewriter.to.append(to, view.inst.op.clone(), operands, regions, types, view.inst.span);
        rewriter.to.insts[copy].attributes = view.inst.attributes.clone();
        rewriter.to.insts[copy].results.clone()
    }

    fn cut_dim(&self, value: ValueId) -> Option<usize> {
        match self.axis.states[value].kind {
            InTime::Cut(Along { dim, .. }) => Some(dim),
            _ => None,
        }
    }

    /// A region of a loop or a branch; `returned_as` is what becomes of what it returns.
    fn region(&mut self, rewriter: &mut Rewriter<'_>, old: RegionId, returned_as: &[InTime]) -> RegionId {
        let region = rewriter.to.regions.push(meshwright_ir::program::Region::default());
        self.scopes.push(Scope::new(region));
        let body = self.body;
        for arg in &body.regions[old].args {
            let ty = self.part_type(body.ty(*arg), self.cut_dim(*arg));
            let new = rewriter.to.add_arg(region, ty, body.values[*arg].span);
            self.scope().values.insert(*arg, new);
        }
        let (last, insts) = body.regions[old].insts.split_last().expect("a region ends with a terminator");
        rewriter.walk_each(insts, region, self);
        let view = body.view(*last);
        let returned: Vec<ValueId> = view
            .inst
            .operands
            .iter()
            .enumerate()
            .map(|(index, value)| match returned_as.get(index) {
                Some(InTime::Cut(along)) => self.part(rewriter, *value, *along),
                Some(InTime::Partial(reduction)) => self.contribution(rewriter, *value, *reduction, region),
                _ => self.whole(rewriter, *value),
            })
            .collect();
        rewriter.to.append(region, view.inst.op.clone(), returned, Vec::new(), Vec::new(), view.inst.span);
        self.scopes.pop();
        region
    }

    /// A value as a contribution: what is the same in all microbatches is one of the first.
    fn contribution(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        value: ValueId,
        reduction: Reduction,
        region: RegionId,
    ) -> ValueId {
        let is_one =
            matches!(self.axis.states[value].kind, InTime::Partial(_)) && self.found(value).is_some();
        let whole = self.whole(rewriter, value);
        if is_one {
            return whole;
        }
        Local { inside: self, rewriter, region }.once(whole, &[], reduction)
    }

    /// A loop within the loop.
    fn repeat(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> Vec<ValueId> {
        let body = self.body;
        let [condition, step] = [view.inst.regions[0], view.inst.regions[1]];
        let args = body.regions[step].args.iter();
        let kinds: Vec<InTime> = args
            .map(|arg| match self.axis.states[*arg].kind {
                InTime::Cut(along) => InTime::Cut(along),
                // A loop takes and leaves all else as it is.
                _ => InTime::Same,
            })
            .collect();
        let mut operands = Vec::with_capacity(kinds.len());
        for (operand, kind) in view.inst.operands.iter().zip(&kinds) {
            operands.push(match kind {
                InTime::Cut(along) => self.part(rewriter, *operand, *along),
                _ => self.whole(rewriter, *operand),
            });
        }
        let regions = vec![self.region(rewriter, condition, &[]), self.region(rewriter, step, &kinds)];
        let types = view.inst.results.iter().zip(view.result_types());
        let types = types.map(|(value, ty)| self.part_type(ty, self.cut_dim(*value))).collect();
        let copy = rewriter.to.append(to, view.inst.op.clone(), operands, regions, types, view.inst.span);
        rewriter.to.insts[copy].attributes = view.inst.attributes.clone();
        rewriter.to.insts[copy].results.clone()
    }

    /// What hands on operands side by side: those that are made in the loop.
    fn identity(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        to: RegionId,
    ) -> Vec<Option<ValueId>> {
        let is_nested = self.scopes.len() > 1;
        let is_kept = |index: &usize| is_nested || self.needed.contains(&view.inst.results[*index]);
        let kept: Vec<usize> = (0..view.num_operands()).filter(is_kept).collect();
        let operands: Vec<ValueId> =
            kept.iter().map(|index| self.read(rewriter, view, *index, None)).collect();
        let types = operands.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
        let copy = rewriter.to.append(to, view.inst.op.clone(), operands, Vec::new(), types, view.inst.span);
        rewriter.to.insts[copy].attributes = view.inst.attributes.clone();
        let made = rewriter.to.insts[copy].results.clone();
        let mut results = vec![None; view.inst.results.len()];
        kept.into_iter().zip(made).for_each(|(index, value)| results[index] = Some(value));
        results
    }

    /// A sum over the batch as the contribution of one microbatch has it.
    fn estimated(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> ValueId {
        let contribution = view.inst.operands[0];
        let Some(part) = self.found(contribution) else {
            let whole = rewriter.value(contribution);
            return self.refuse(whole);
        };
        match self.axis.states[contribution].kind {
            InTime::Partial(Reduction::Sum) => {
                let mut builder = rewriter.build(to, view.inst.span);
                builder.with_number(Binary::Multiply, part, self.axis.count)
            }
            _ => part,
        }
    }

    /// What this slice has of a value that others read, once `made` is put to what they made of it.
    fn carry(&mut self, rewriter: &mut Rewriter<'_>, old: ValueId, made: ValueId, to: RegionId) -> ValueId {
        let (axis, counter, span) = (self.axis, self.counter, self.span);
        let ty = self.body.tensor(old).clone();
        let Some(carrying) = self.carried.get_mut(&old) else { return made };
        let (point, builder) = (carrying.own.point(old), &mut rewriter.build(to, span));
        let next = points::turn(&point, axis, carrying.before, made, counter, builder);
        carrying.next = Some(next);
        let whole = points::whole(&point, next, &ty, builder);
        match carrying.own.by {
            Readers::Later => {
                carrying.whole = Some(whole);
                made
            }
            Readers::Earlier => parts::slice(axis, whole, carrying.own.along, counter, builder),
        }
    }

    fn keep(&mut self, rewriter: &mut Rewriter<'_>, old: ValueId, new: ValueId) {
        // Of what an earlier pass has put together nobody reads the contribution of one microbatch, which is here for the
        // other results of what makes it.
        let is_sum = matches!(self.axis.states[old].kind, InTime::Partial(_));
        if is_sum && self.scopes.len() == 1 && !self.needed.contains(&old) {
            return;
        }
        self.scope().values.insert(old, new);
        if self.axis.pass_of[old].is_none() && !self.is_named[old] {
            self.is_named[old] = true;
            rewriter.stand_for_own(old, new);
        }
    }
}

impl Edit for Inside<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        (self.span, self.current) = (view.inst.span, Some(view.id));
        let view = &self.body.view(view.id);
        if let Some(estimate) = view.inst.results.iter().find(|result| self.axis.estimates.contains(result)) {
            let made = self.estimated(rewriter, view, to);
            self.scope().values.insert(*estimate, made);
            return true;
        }
        // Made where it is read, whole or in parts.
        let is_own = |value: &ValueId| self.scopes.len() == 1 && self.axis.states[*value].kind == InTime::Own;
        if view.inst.results.iter().any(|result| is_own(result) && self.repeats(*result).is_some()) {
            return true;
        }
        let is_identity = view.inst.op.traits().data_flow == DataFlow::Identity;
        let results: Vec<Option<ValueId>> = match (view.regions(), self.axis.cut[view.id]) {
            (Regions::Loop, _) => self.repeat(rewriter, view, to).into_iter().map(Some).collect(),
            (Regions::OfElements, _) if is_identity => self.identity(rewriter, view, to),
            (Regions::OfElements, Some(cut)) => {
                self.localized(rewriter, view, cut).into_iter().map(Some).collect()
            }
            _ => self.copied(rewriter, view, to).into_iter().map(Some).collect(),
        };
        for (old, new) in view.inst.results.iter().zip(results) {
            if let Some(new) = new {
                let new = self.carry(rewriter, *old, new, to);
                self.keep(rewriter, *old, new);
            }
        }
        true
    }
}
