//! A body made from a body: copied instruction by instruction, with changes.
//!
//! Input: a body and an [`Edit`], which is asked before each instruction. Output: the new body, and where each value of
//! the old one is in it ([`ValueMap`]). Spans, attributes and locations of what is copied stay.

use crate::diagnostic::Span;
use crate::ids::{InstId, RegionId, Table, ValueId};
use crate::op::Op;
use crate::ops::constant::Constant;
use crate::program::{Body, Def, InstView, Region};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{TensorType, Type};

/// The new value of each old one; `None` for what is left out.
pub type ValueMap = Table<ValueId, Option<ValueId>>;

/// Changes made while a body is copied, instruction by instruction and in order.
pub trait Edit {
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
pub fn each(body: &Body, mut edit: impl Edit) -> Body {
    rewritten(body, &mut edit).0
}

/// The same, and where each value went.
pub fn rewritten(body: &Body, edit: &mut dyn Edit) -> (Body, ValueMap) {
    let mut rewriter = Rewriter::new(body);
    let entry = rewriter.to.entry();
    rewriter.walk(body.entry(), entry, edit);
    (rewriter.to, rewriter.map)
}

/// A body being copied, with changes, into a new one.
pub struct Rewriter<'a> {
    /// What is copied.
    pub from: &'a Body,
    /// The copy.
    pub to: Body,
    /// Where each old value is in the new body.
    pub map: ValueMap,
}

impl<'a> Rewriter<'a> {
    /// A new body with the same arguments and no instructions.
    pub fn new(from: &'a Body) -> Self {
        let mut rewriter = Self::within(from, Body::new());
        let entry = &from.regions[from.entry()];
        for arg in &entry.args {
            let value = &from.values[*arg];
            let new = rewriter.to.add_arg(rewriter.to.entry(), value.ty.clone(), value.span);
            rewriter.map[*arg] = Some(new);
        }
        let new = rewriter.to.entry();
        rewriter.to.regions[new].arg_locations.clone_from(&entry.arg_locations);
        rewriter
    }

    /// Copies of `from` are appended to a body that has something in it already.
    pub fn within(from: &'a Body, to: Body) -> Self {
        Self { from, to, map: Table::filled(None, from.values.len()) }
    }

    /// Copies the instructions of a region to the end of `to`, changed by `edit`.
    pub fn walk(&mut self, from: RegionId, to: RegionId, edit: &mut dyn Edit) {
        let body = self.from;
        self.walk_each(&body.regions[from].insts, to, edit);
    }

    /// Copies instructions to the end of `to`, changed by `edit`.
    pub fn walk_each(&mut self, insts: &[InstId], to: RegionId, edit: &mut dyn Edit) {
        let body = self.from;
        for inst in insts {
            let view = body.view(*inst);
            if edit.before(self, &view, to) {
                continue;
            }
            let operands = (0..view.num_operands())
                .map(|index| {
                    let other = edit.operand(self, &view, index, to);
                    other.unwrap_or_else(|| self.value(view.inst.operands[index]))
                })
                .collect();
            let regions = view
                .inst
                .regions
                .iter()
                .map(|region| {
                    let copy = self.region_like(*region);
                    self.walk(*region, copy, edit);
                    copy
                })
                .collect();
            self.append(*inst, operands, regions, to);
            edit.after(self, &view, to);
        }
    }

    /// The new place of an old value.
    pub fn value(&self, old: ValueId) -> ValueId {
        self.map[old].expect("a value is copied before its uses")
    }

    /// The new places of old values.
    pub fn values(&self, old: &[ValueId]) -> Vec<ValueId> {
        old.iter().map(|value| self.value(*value)).collect()
    }

    /// A new region with copies of the old one's arguments.
    pub fn region_like(&mut self, old: RegionId) -> RegionId {
        let region = self.to.regions.push(Region::default());
        for arg in &self.from.regions[old].args {
            let value = &self.from.values[*arg];
            self.map[*arg] = Some(self.to.add_arg(region, value.ty.clone(), value.span));
        }
        region
    }

    /// Appends a copy of `inst` with the given operands and regions to `region`, and maps its results.
    pub fn append(
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
        self.to.insts[copy].location = source.location.clone();
        let results = self.to.insts[copy].results.clone();
        for (old, new) in source.results.iter().zip(&results) {
            self.stand_for_own(*old, *new);
        }
        results
    }

    /// Appends an instruction that stands for (a part of) `inst`: with its span and location.
    pub fn append_for(
        &mut self,
        inst: InstId,
        op: Op,
        operands: Vec<ValueId>,
        types: Vec<Type>,
        region: RegionId,
    ) -> Vec<ValueId> {
        let source = &self.from.insts[inst];
        let made = self.to.append(region, op, operands, Vec::new(), types, source.span);
        self.to.insts[made].location = source.location.clone();
        self.to.insts[made].results.clone()
    }

    /// Gives what makes a new value the attributes of an old instruction.
    pub fn annotate_like(&mut self, new: ValueId, old: InstId) {
        if let Def::Result(made, _) = self.to.values[new].def {
            self.to.insts[made].attributes.clone_from(&self.from.insts[old].attributes);
        }
    }

    /// Copies a region of single elements (a reducer) as it is.
    pub fn copy_elements(&mut self, old: RegionId) -> RegionId {
        self.to.copy_region(self.from, old, &mut self.map)
    }

    /// Appends an instruction of one result, with copies of reducers, and returns the result.
    pub fn emit(
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

    /// A constant.
    pub fn constant(&mut self, value: Literal, to: RegionId) -> ValueId {
        let ty: TensorType = value.ty.clone();
        self.emit(Constant { value }.into(), &[], &[], ty.into(), Span::NONE, to)
    }

    /// Says that an old value is the new value `new` from here on.
    pub fn stand_for(&mut self, old: ValueId, new: ValueId) {
        self.map[old] = Some(new);
    }

    /// The same of a value that was made for it, and that has its name therefore.
    pub fn stand_for_own(&mut self, old: ValueId, new: ValueId) {
        self.to.values[new].span = self.from.values[old].span;
        self.map[old] = Some(new);
    }
}
