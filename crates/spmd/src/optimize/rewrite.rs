//! Rebuilding a body instruction by instruction; what the passes share.

use crate::emit::runs;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::collective::ReplicaGroups;
use meshwright_ir::ops::constant::Constant;
use meshwright_ir::ops::convert::Convert;
use meshwright_ir::ops::device_id::DeviceId;
use meshwright_ir::program::{Body, InstView, Region};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// Changes made while a body is copied, instruction by instruction and in order.
pub(super) trait Edit {
    /// Called before an instruction is copied. True: it has been dealt with, and all its results have new places.
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool;

    /// What an instruction that is copied reads in place of an operand.
    fn operand(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        to: RegionId,
    ) -> Option<ValueId> {
        let _ = (rewriter, view, index, to);
        None
    }

    /// Called when an instruction has been copied, its regions too.
    fn after(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) {
        let _ = (rewriter, view, to);
    }
}

impl<F: FnMut(&mut Rewriter<'_>, &InstView<'_>, RegionId) -> bool> Edit for F {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        self(rewriter, view, to)
    }
}

/// The body with these changes. Regions of what is copied are walked too.
pub(super) fn each(body: &Body, mut edit: impl Edit) -> Body {
    let mut rewriter = Rewriter::new(body);
    let entry = rewriter.to.entry();
    walk(&mut rewriter, body.entry(), entry, &mut edit);
    rewriter.to
}

fn walk(rewriter: &mut Rewriter<'_>, from: RegionId, to: RegionId, edit: &mut dyn Edit) {
    let body = rewriter.from;
    for inst in &body.regions[from].insts {
        let view = body.view(*inst);
        if edit.before(rewriter, &view, to) {
            continue;
        }
        let operands = (0..view.num_operands())
            .map(|index| {
                let other = edit.operand(rewriter, &view, index, to);
                other.unwrap_or_else(|| rewriter.value(view.inst.operands[index]))
            })
            .collect();
        let regions = view
            .inst
            .regions
            .iter()
            .map(|region| {
                let copy = rewriter.region_like(*region);
                walk(rewriter, *region, copy, edit);
                copy
            })
            .collect();
        rewriter.append(*inst, operands, regions, to);
        edit.after(rewriter, &view, to);
    }
}

/// The region that each instruction stands in.
pub(super) fn regions_of(body: &Body) -> Table<InstId, RegionId> {
    let mut region_of = Table::filled(body.entry(), body.insts.len());
    for (region, content) in body.regions.iter() {
        content.insts.iter().for_each(|inst| region_of[*inst] = region);
    }
    region_of
}

/// Whether a collective leaves elements in the type in which it is given them. One whose reducer promotes them combines
/// what no value of the operand's type is, so it cannot change places with other ops.
pub(super) fn keeps_elements(view: &InstView<'_>) -> bool {
    let element = |value: &ValueId| view.body.ty(*value).as_tensor().map(|tensor| tensor.element);
    view.inst.operands.len() == view.inst.results.len()
        && view.inst.operands.iter().map(element).eq(view.inst.results.iter().map(element))
}

/// The same collective over groups along other axes.
pub(super) fn over(op: &Op, axes: &[SubAxisId], mesh: &Mesh) -> Op {
    let mut op = op.clone();
    if let Some(participants) = op.participants_mut() {
        participants.groups = ReplicaGroups::new(&mesh.groups(axes));
        participants.mesh_axes = None;
    }
    op
}

/// A body being copied, with changes, into a new one.
pub(super) struct Rewriter<'a> {
    pub(super) from: &'a Body,
    pub(super) to: Body,
    /// Where each old value is in the new body.
    pub(super) map: Table<ValueId, Option<ValueId>>,
}

impl<'a> Rewriter<'a> {
    /// A new body with the same arguments and no instructions.
    pub(super) fn new(from: &'a Body) -> Self {
        let mut to = Body::new();
        let mut map = Table::filled(None, from.values.len());
        for arg in &from.regions[from.entry()].args {
            let value = &from.values[*arg];
            map[*arg] = Some(to.add_arg(to.entry(), value.ty.clone(), value.span));
        }
        Self { from, to, map }
    }

    /// The new place of an old value.
    pub(super) fn value(&self, old: ValueId) -> ValueId {
        self.map[old].expect("a value is copied before its uses")
    }

    /// A new region with copies of the old one's arguments.
    pub(super) fn region_like(&mut self, old: RegionId) -> RegionId {
        let region = self.to.regions.push(Region::default());
        for arg in &self.from.regions[old].args {
            let value = &self.from.values[*arg];
            self.map[*arg] = Some(self.to.add_arg(region, value.ty.clone(), value.span));
        }
        region
    }

    /// Appends a copy of `inst` with the given operands and regions to `region`, and maps its results.
    pub(super) fn append(
        &mut self,
        inst: InstId,
        operands: Vec<ValueId>,
        regions: Vec<RegionId>,
        region: RegionId,
    ) -> Vec<ValueId> {
        let source = &self.from.insts[inst];
        let types = source.results.iter().map(|value| self.from.ty(*value).clone()).collect();
        let copy = self.to.append(region, source.op.clone(), operands, regions, types, source.span);
        self.to.insts[copy].attributes = source.attributes.clone();
        let results = self.to.insts[copy].results.clone();
        for (old, new) in source.results.iter().zip(&results) {
            self.to.values[*new].span = self.from.values[*old].span;
            self.map[*old] = Some(*new);
        }
        results
    }

    /// Copies a region of single elements (a reducer) as it is.
    pub(super) fn copy_elements(&mut self, old: RegionId) -> RegionId {
        self.to.copy_region(self.from, old, &mut self.map)
    }

    /// Appends an instruction of one result, with copies of reducers, and returns the result.
    pub(super) fn emit(
        &mut self,
        op: Op,
        operands: &[ValueId],
        reducers: &[RegionId],
        ty: Type,
        span: Span,
        to: RegionId,
    ) -> ValueId {
        let regions = reducers.iter().map(|region| self.copy_elements(*region)).collect();
        let inst = self.to.append(to, op, operands.to_vec(), regions, vec![ty], span);
        self.to.insts[inst].results[0]
    }

    /// Says that an old value is the new value `new` from here on.
    pub(super) fn stand_for(&mut self, old: ValueId, new: ValueId) {
        self.map[old] = Some(new);
    }

    /// `value op number`, for a scalar.
    pub(super) fn arithmetic(
        &mut self,
        op: Binary,
        value: ValueId,
        number: usize,
        span: Span,
        to: RegionId,
    ) -> ValueId {
        let ty = self.to.tensor(value).clone();
        let number = self.constant(Literal::splat(ty.clone(), number as f64), to);
        self.emit(op.into(), &[value, number], &[], ty.into(), span, to)
    }

    /// Row-major position of this device along `axes`, as a scalar.
    pub(super) fn own_index(
        &mut self,
        axes: &[SubAxisId],
        mesh: &Mesh,
        element: ElementType,
        span: Span,
        to: RegionId,
    ) -> ValueId {
        // As the rest of the program asks for it.
        let asked = self.from.insts.values().find(|inst| matches!(inst.op, Op::DeviceId(_)));
        let op = asked.map_or(DeviceId::Replica.into(), |inst| inst.op.clone());
        let number = TensorType::scalar(ElementType::Ui32);
        let id = self.emit(op, &[], &[], number.clone().into(), span, to);
        let mut index: Option<ValueId> = None;
        for (stride, devices) in runs(mesh, axes) {
            let mut position = id;
            if stride > 1 {
                position = self.arithmetic(Binary::Divide, position, stride, span, to);
            }
            if stride * devices < mesh.num_devices() {
                position = self.arithmetic(Binary::Remainder, position, devices, span, to);
            }
            index = Some(match index {
                None => position,
                Some(major) => {
                    let major = self.arithmetic(Binary::Multiply, major, devices, span, to);
                    self.emit(Binary::Add.into(), &[major, position], &[], number.clone().into(), span, to)
                }
            });
        }
        let index = index.unwrap_or_else(|| self.constant(Literal::splat(number, 0.0), to));
        self.emit(Convert.into(), &[index], &[], TensorType::scalar(element).into(), span, to)
    }

    /// A constant.
    pub(super) fn constant(&mut self, value: Literal, to: RegionId) -> ValueId {
        let ty: TensorType = value.ty.clone();
        self.emit(Constant { value }.into(), &[], &[], ty.into(), Span::NONE, to)
    }
}
