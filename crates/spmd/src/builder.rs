//! The local program under construction.

use crate::partition::{Returned, local_type, without_shardings};
use crate::position;
use meshwright_cost::reshard::{self, Layout};
use meshwright_ir::build::{self, At};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::local::{LocalBuilder, Localize};
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::device_id::DeviceId;
use meshwright_ir::ops::optimization_barrier::OptimizationBarrier;
use meshwright_ir::ops::reducer::neutral;
use meshwright_ir::program::{Body, Def, InstView, Region, Regions};
use meshwright_ir::rewrite::Rewriter;
use meshwright_ir::rule::{ShardingRule, Strategy};
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_plan::{Policy, Shardings, Use};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::{BTreeMap, BTreeSet};

/// How a value's data is placed, without what propagation adds to it.
type PlacementKey = (Vec<Vec<SubAxisId>>, Option<(Reduction, meshwright_ir::mesh::AxisSet)>);

fn key(sharding: &Sharding) -> PlacementKey {
    (sharding.dim_axes().map(<[SubAxisId]>::to_vec).collect(), sharding.partial)
}

/// A global value in another sharding than it is kept in.
#[derive(Clone, Copy)]
struct Copied {
    local: ValueId,
    /// The global instruction that it was gathered again for.
    reader: Option<InstId>,
}

/// What has been computed in one local region and can be used again there and in regions inside.
#[derive(Default)]
struct Known {
    /// Global values in other shardings than the one they are kept in.
    resharded: BTreeMap<(ValueId, PlacementKey), Copied>,
    /// This device's position along axes.
    indices: BTreeMap<(Vec<SubAxisId>, ElementType), ValueId>,
}

/// The local body, and where each global value is in it.
pub(crate) struct Builder<'a> {
    pub(crate) global: &'a Body,
    pub(crate) shardings: &'a Shardings,
    pub(crate) body: Body,
    /// The local region being filled.
    region: RegionId,
    /// The local value of each global value, sharded as `shardings.values` says.
    values: Table<ValueId, Option<ValueId>>,
    /// One entry per local region around the current one, innermost last.
    known: Vec<Known>,
    /// Place of the global instruction being partitioned.
    pub(crate) span: Span,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(global: &'a Body, shardings: &'a Shardings) -> Self {
        let body = Body::new();
        let region = body.entry();
        let values = Table::filled(None, global.values.len());
        Self { global, shardings, body, region, values, known: vec![Known::default()], span: Span::NONE }
    }

    pub(crate) fn finish(self) -> Body {
        self.body
    }

    /// Appends the local form of a global region argument to the current region.
    pub(crate) fn add_argument(&mut self, arg: ValueId) {
        let value = &self.global.values[arg];
        let ty = local_type(&value.ty, &self.shardings.values[arg], &self.shardings.mesh);
        let local = self.body.add_arg(self.region, ty, value.span);
        self.set(arg, local);
    }

    /// Says which local value stands for a global one, in the sharding it is kept in.
    pub(crate) fn set(&mut self, value: ValueId, local: ValueId) {
        self.body.values[local].span = self.global.values[value].span;
        self.values[value] = Some(local);
    }

    /// The local value that stands for a global one.
    pub(crate) fn local(&self, value: ValueId) -> ValueId {
        self.values[value].expect("a value is partitioned before its uses")
    }

    /// Appends an instruction to the current region.
    pub(crate) fn append(
        &mut self,
        op: Op,
        operands: Vec<ValueId>,
        regions: Vec<RegionId>,
        types: Vec<Type>,
        span: Span,
    ) -> Vec<ValueId> {
        let inst = self.body.append(self.region, op, operands, regions, types, span);
        self.body.insts[inst].results.clone()
    }

    /// Records what an instruction computed in sharding `made`: brings it to the sharding the value is kept in, and
    /// remembers the value as it was made, unless that is partial.
    pub(crate) fn define(&mut self, value: ValueId, local: ValueId, made: Sharding) {
        let kept = &self.shardings.values[value];
        if made.places_like(kept) {
            self.set(value, local);
            return;
        }
        let resharded = self.reshard(value, local, &made, kept);
        if made.partial.is_none() {
            self.remember(value, &made, Copied { local, reader: None });
        }
        self.set(value, resharded);
    }

    /// A global value, an operand of `inst`, in the sharding `to`; gathered again if that is its policy, once for each
    /// instruction, behind a barrier, or it would be merged with the earlier one.
    pub(crate) fn read_as(&mut self, inst: InstId, value: ValueId, to: &Sharding) -> ValueId {
        let kept = &self.shardings.values[value];
        let begins_group = self.shardings.policies.of(Use { reader: inst, value }) == Policy::GatherAgain;
        let is_there = || self.known_as(value, to).is_some_and(|copy| copy.reader == Some(inst));
        if !begins_group || kept.places_like(to) || is_there() {
            return self.resharded(value, to);
        }
        let local = self.local(value);
        let ty = self.body.ty(local).clone();
        let apart = self.append(OptimizationBarrier.into(), vec![local], Vec::new(), vec![ty], self.span)[0];
        let resharded = self.reshard(value, apart, kept, to);
        self.remember(value, to, Copied { local: resharded, reader: Some(inst) });
        resharded
    }

    /// A global value as it was brought to the sharding `to` before.
    fn known_as(&self, value: ValueId, to: &Sharding) -> Option<Copied> {
        let wanted = (value, key(to));
        self.known.iter().rev().find_map(|known| known.resharded.get(&wanted)).copied()
    }

    /// A global value in the sharding `to`.
    pub(crate) fn resharded(&mut self, value: ValueId, to: &Sharding) -> ValueId {
        let local = self.local(value);
        let kept = &self.shardings.values[value];
        if kept.places_like(to) {
            return local;
        }
        if let Some(known) = self.known_as(value, to) {
            return known.local;
        }
        let resharded = self.reshard(value, local, kept, to);
        self.remember(value, to, Copied { local: resharded, reader: None });
        resharded
    }

    fn remember(&mut self, value: ValueId, sharding: &Sharding, copied: Copied) {
        let known = self.known.last_mut().expect("the function's own region is always there");
        known.resharded.insert((value, key(sharding)), copied);
    }

    /// Emits the planned steps from one sharding to another. What is to be a contribution, but is none, is one of the
    /// first device then.
    fn reshard(&mut self, value: ValueId, local: ValueId, from: &Sharding, to: &Sharding) -> ValueId {
        let Some(tensor) = self.global.ty(value).as_tensor() else {
            return local;
        };
        let rank = tensor.rank();
        let mesh = &self.shardings.mesh;
        let steps = reshard::steps(from, to, &tensor.shape, mesh);
        let mut reached = Layout::new(from, &tensor.shape, mesh);
        let local = steps.iter().fold(local, |local, step| {
            let local = self.step(local, rank, step, &reached.sharding);
            reached.apply(step);
            local
        });
        match reshard::missing_partial(&reached.sharding, to) {
            Some((reduction, axes)) => self.once(local, &axes.iter().collect::<Vec<_>>(), reduction),
            None => local,
        }
    }

    /// Emits the local form of an instruction.
    pub(crate) fn localize(
        &mut self,
        view: InstView<'_>,
        rule: &ShardingRule,
        strategy: &Strategy,
        operands: &[ValueId],
    ) -> Vec<ValueId> {
        let operand_types: Vec<Type> = operands.iter().map(|value| self.body.ty(*value).clone()).collect();
        let mesh = &self.shardings.mesh;
        let result_types: Vec<Type> = view
            .inst
            .results
            .iter()
            .enumerate()
            .map(|(index, value)| match view.regions() != Regions::OfElements {
                true => local_type(self.global.ty(*value), &self.shardings.values[*value], mesh),
                false => {
                    local_type(self.global.ty(*value), &strategy.result_sharding(rule, index, mesh), mesh)
                }
            })
            .collect();
        let cx = Localize {
            view,
            rule,
            strategy,
            mesh,
            operands,
            operand_types: &operand_types,
            result_types: &result_types,
        };
        let results = view.inst.op.localize(&cx, self);
        debug_assert!(
            results.iter().zip(&result_types).all(|(value, ty)| self.body.ty(*value) == ty),
            "{} localizes to other types than its strategy says",
            view.inst.op.name()
        );
        results
    }

    /// Gives the local instruction that stands for a global one its attributes, shardings aside.
    pub(crate) fn keep_attributes(&mut self, inst: InstId, results: &[ValueId]) {
        let source = &self.global.insts[inst];
        if source.attributes.is_empty() {
            return;
        }
        let Some(Def::Result(local, _)) = results.first().map(|result| self.body.values[*result].def) else {
            return;
        };
        if self.body.insts[local].op.name() == source.op.name() {
            self.body.insts[local].attributes = without_shardings(&source.attributes);
        }
    }

    /// Fills a new local region by `fill` and returns it.
    fn in_new_region(&mut self, fill: impl FnOnce(&mut Self)) -> RegionId {
        let region = self.body.regions.push(Region::default());
        let outer = std::mem::replace(&mut self.region, region);
        self.known.push(Known::default());
        fill(self);
        self.known.pop();
        self.region = outer;
        region
    }
}

impl build::Builder for Builder<'_> {
    fn at(&mut self) -> At<'_> {
        At { body: &mut self.body, region: &mut self.region, span: self.span, location: None }
    }
}

impl LocalBuilder for Builder<'_> {
    fn emit(&mut self, op: Op, operands: &[ValueId], regions: &[RegionId], types: Vec<Type>) -> Vec<ValueId> {
        let span = self.span;
        self.append(op, operands.to_vec(), regions.to_vec(), types, span)
    }

    fn copy_region(&mut self, view: &InstView<'_>, index: usize) -> RegionId {
        let region = view.inst.regions[index];
        // What the region reads from around it, it reads whole, whatever shards are at hand.
        let body = self.global;
        let read = body.walk(region).into_iter().flat_map(|inst| &body.insts[inst].operands);
        let captured: BTreeSet<ValueId> =
            read.copied().filter(|value| self.values[*value].is_some()).collect();
        let mut shards = Vec::new();
        for value in captured {
            let rank = self.shardings.values[value].dims.len();
            let whole = self.resharded(value, &Sharding::replicated(rank));
            shards.push((value, self.values[value].replace(whole)));
        }
        let mut rewriter = Rewriter::within(body, std::mem::take(&mut self.body));
        std::mem::swap(&mut rewriter.map, &mut self.values);
        let copy = rewriter.copy_elements(region);
        (self.body, self.values) = (rewriter.to, rewriter.map);
        for inst in self.body.walk(copy) {
            let inst = &mut self.body.insts[inst];
            // Shardings mean nothing to single elements.
            if let Some(plain) = inst.op.without_sharding() {
                inst.op = plain;
            }
        }
        for (value, shard) in shards {
            self.values[value] = shard;
        }
        copy
    }

    fn partition_region(&mut self, view: &InstView<'_>, index: usize) -> RegionId {
        let region = view.inst.regions[index];
        let args = self.global.regions[region].args.clone();
        // Of a loop only the body carries values; its condition returns a whole one.
        let returned = match view.regions() {
            Regions::Branches => Returned::As(&view.inst.results),
            _ if index == 0 => Returned::Whole,
            _ => Returned::As(&args),
        };
        let span = self.span;
        let local = self.in_new_region(|builder| {
            for arg in &args {
                builder.add_argument(*arg);
            }
            builder.instructions(region, &returned);
        });
        self.span = span;
        local
    }

    fn ty(&self, value: ValueId) -> Type {
        self.body.ty(value).clone()
    }

    fn constant(&mut self, value: Literal) -> ValueId {
        let ty = Type::Tensor(value.ty.clone());
        self.emit(meshwright_ir::ops::constant::Constant { value }.into(), &[], &[], vec![ty])[0]
    }

    fn as_splat(&self, value: ValueId) -> Option<&Literal> {
        let Def::Result(inst, _) = self.body.values[value].def else {
            return None;
        };
        let inst = &self.body.insts[inst];
        match &inst.op {
            Op::Constant(constant) => constant.value.splat_bytes().map(|_| &constant.value),
            Op::BroadcastInDim(_) => self.as_splat(inst.operands[0]),
            _ => None,
        }
    }

    fn index_along(&mut self, axes: &[SubAxisId], element: ElementType) -> ValueId {
        let wanted = (axes.to_vec(), element);
        // Only this region's own: a loop then needs nothing from outside but what the program gives it.
        if let Some(known) = self.known.last().and_then(|known| known.indices.get(&wanted)) {
            return *known;
        }
        let mesh = &self.shardings.mesh;
        let index = position::along(self, DeviceId::Replica.into(), axes, mesh, element);
        if let Some(known) = self.known.last_mut() {
            known.indices.insert(wanted, index);
        }
        index
    }

    fn own_shard(&mut self, value: ValueId, axes: &[Vec<SubAxisId>]) -> ValueId {
        self.slice_own(value, axes, 0.0)
    }

    fn once(&mut self, value: ValueId, axes: &[SubAxisId], reduction: Reduction) -> ValueId {
        let ty = self.body.tensor(value).clone();
        let neutral = neutral(reduction, ty.element)
            .expect("the op's rule asked for a reduction with a neutral element");
        if self.as_splat(value).is_some_and(|value| value.splat_bytes() == neutral.splat_bytes()) {
            return value;
        }
        let neutral = self.neutral(reduction, ty.clone());
        let index = self.index_along(axes, ElementType::Ui32);
        let zero = self.splat(TensorType::scalar(ElementType::Ui32), 0.0);
        let is_first = self.equal(index, zero);
        self.select(is_first, value, neutral, ty)
    }

    fn all_reduce(&mut self, value: ValueId, axes: &[SubAxisId], reduction: Reduction) -> ValueId {
        self.collective(value, &reshard::Step::AllReduce { axes: axes.to_vec(), reduction })
    }

    fn all_gather(&mut self, value: ValueId, dim: usize, axes: &[SubAxisId]) -> ValueId {
        self.collective(value, &reshard::Step::AllGather { dim, axes: axes.to_vec() })
    }

    fn all_to_all(&mut self, value: ValueId, dim: usize, axes: &[SubAxisId]) -> ValueId {
        self.collective(
            value,
            &reshard::Step::AllToAll { split_dim: dim, concat_dim: dim, axes: axes.to_vec() },
        )
    }

    fn permute(&mut self, value: ValueId, axes: &[SubAxisId], pairs: &[(usize, usize)]) -> ValueId {
        let groups = self.shardings.mesh.groups(axes);
        let devices = |group: &Vec<usize>| -> Vec<Vec<usize>> {
            pairs.iter().map(|(source, target)| vec![group[*source], group[*target]]).collect()
        };
        let mut rows: Vec<Vec<usize>> = groups.iter().flat_map(devices).collect();
        rows.sort_by_key(|row| row[1]);
        self.collective_permute(value, &rows)
    }
}
