//! The local program under construction.
//!
//! Input: a [`Lowering`], whose events are emitted one after the other (`partition`). Output: the local [`Body`]. It is
//! what an op's `localize` builds with ([`LocalBuilder`]), and knows which local value each buffer of the lowering is.

use crate::partition::{local_type, without_shardings};
use crate::position;
use meshwright_cost::lowering::{BufferId, Event, Lowering};
use meshwright_cost::reshard::{self, Layout};
use meshwright_ir::build::{self, At};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::local::{LocalBuilder, Localize};
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::device_id::DeviceId;
use meshwright_ir::ops::optimization_barrier::OptimizationBarrier;
use meshwright_ir::ops::reducer::neutral;
use meshwright_ir::program::{Body, Def, InstView, Region, Regions};
use meshwright_ir::rewrite::Rewriter;
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_plan::Shardings;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::BTreeMap;

/// The local body, and where each buffer of the lowering is in it.
pub(crate) struct Builder<'a> {
    pub(crate) lowering: &'a Lowering<'a>,
    pub(crate) global: &'a Body,
    pub(crate) shardings: &'a Shardings,
    pub(crate) body: Body,
    /// Position of the next event.
    pub(crate) next: usize,
    /// The local region being filled.
    region: RegionId,
    /// The local value of each buffer that there is.
    locals: Vec<Option<ValueId>>,
    /// The buffers of what the reducers of the instruction at hand read from around them.
    pub(crate) captured: Vec<BufferId>,
    /// This device's position along axes, for each local region around the current one, innermost last.
    indices: Vec<BTreeMap<(Vec<SubAxisId>, ElementType), ValueId>>,
    /// Place of the global instruction being partitioned.
    pub(crate) span: Span,
}

impl<'a> Builder<'a> {
    pub(crate) fn new(lowering: &'a Lowering<'a>) -> Self {
        let body = Body::new();
        let region = body.entry();
        Self {
            lowering,
            global: &lowering.analysis.function.body,
            shardings: lowering.shardings,
            body,
            next: 0,
            region,
            locals: vec![None; lowering.buffers.len()],
            captured: Vec::new(),
            indices: vec![BTreeMap::new()],
            span: Span::NONE,
        }
    }

    pub(crate) fn finish(self) -> Body {
        self.body
    }

    /// Appends the local form of a global region argument to the current region.
    pub(crate) fn add_argument(&mut self, arg: BufferId) {
        let id = self.lowering.buffers[arg].value;
        let value = &self.global.values[id];
        let ty = local_type(&value.ty, &self.shardings.values[id], &self.shardings.mesh);
        let local = self.body.add_arg(self.region, ty, value.span);
        self.define(arg, local);
    }

    /// Says which local value a buffer is. The place of a global value is that of its local value as it is kept.
    pub(crate) fn define(&mut self, buffer: BufferId, local: ValueId) {
        if self.lowering.is_kept(buffer) {
            let value = self.lowering.buffers[buffer].value;
            self.body.values[local].span = self.global.values[value].span;
        }
        self.locals[buffer] = Some(local);
    }

    /// The local value that a buffer is.
    pub(crate) fn local(&self, buffer: BufferId) -> ValueId {
        self.locals[buffer].expect("a buffer is made before it is read")
    }

    /// The local values that buffers are.
    pub(crate) fn locals(&self, buffers: &[BufferId]) -> Vec<ValueId> {
        buffers.iter().map(|buffer| self.local(*buffer)).collect()
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

    /// The same local value behind a barrier.
    pub(crate) fn apart(&mut self, local: ValueId) -> ValueId {
        let ty = self.body.ty(local).clone();
        self.append(OptimizationBarrier.into(), vec![local], Vec::new(), vec![ty], self.span)[0]
    }

    /// Emits the planned steps from one sharding to another. What is to be a contribution, but is none, is one of the
    /// first device then.
    pub(crate) fn resharded(
        &mut self,
        value: ValueId,
        local: ValueId,
        from: &Sharding,
        to: &Sharding,
    ) -> ValueId {
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
    pub(crate) fn localize(&mut self, view: InstView<'_>, operands: &[ValueId]) -> Vec<ValueId> {
        let rule = self.lowering.analysis.rule(view.id);
        let strategy = &self.shardings.strategies[view.id];
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
        self.indices.push(BTreeMap::new());
        fill(self);
        self.indices.pop();
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
        let mut rewriter = Rewriter::within(self.global, std::mem::take(&mut self.body));
        for buffer in &self.captured {
            rewriter.map[self.lowering.buffers[*buffer].value] = self.locals[*buffer];
        }
        let copy = rewriter.copy_elements(view.inst.regions[index]);
        self.body = rewriter.to;
        for inst in self.body.walk(copy) {
            let inst = &mut self.body.insts[inst];
            // Shardings mean nothing to single elements.
            if let Some(plain) = inst.op.without_sharding() {
                inst.op = plain;
            }
        }
        copy
    }

    fn partition_region(&mut self, view: &InstView<'_>, index: usize) -> RegionId {
        let lowering = self.lowering;
        let Some(Event::Enter { region, makes, .. }) = lowering.events.get(self.next) else {
            panic!("{:?}: region {index} is not entered", view.id);
        };
        assert_eq!(*region, view.inst.regions[index], "regions are lowered in order");
        self.next += 1;
        let span = self.span;
        let local = self.in_new_region(|builder| {
            lowering.buffers_in(makes).iter().for_each(|arg| builder.add_argument(*arg));
            builder.events();
        });
        // Behind what happens in it the region is left.
        self.next += 1;
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
        if let Some(known) = self.indices.last().and_then(|known| known.get(&wanted)) {
            return *known;
        }
        let mesh = &self.shardings.mesh;
        let index = position::along(self, DeviceId::Replica.into(), axes, mesh, element);
        if let Some(known) = self.indices.last_mut() {
            known.insert(wanted, index);
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
