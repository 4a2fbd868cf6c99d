//! A body made from a body: copied instruction by instruction, with changes.
//!
//! Input: a body and an [`Edit`], which is asked before each instruction. Output: the new body, where each value of the
//! old one is in it ([`ValueMap`]), and from which old instruction each new one comes ([`Trace`]). Spans, attributes and
//! locations of what is copied stay.

use crate::build::BodyBuilder;
use crate::diagnostic::Span;
use crate::ids::{Id as _, InstId, RegionId, ScopeId, Table, ValueId};
use crate::op::Op;
use crate::ops::constant::Constant;
use crate::program::{Body, Def, InstView, Mark, Region};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{TensorType, Type};
use std::collections::BTreeSet;

/// The new value of each old one; `None` for what is left out.
pub type ValueMap = Table<ValueId, Option<ValueId>>;

/// Origin of all that is in a new body in the old ones.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// Callees whose bodies have been copied, after scope 0, the body itself.
    pub entered: Vec<Scope>,
    /// The old instruction that each new one was made for; `None`: no single one.
    pub insts: Table<InstId, Option<(ScopeId, InstId)>>,
    /// The old result that a new one is, and its position among the results of its instruction; the same of an argument of
    /// a region.
    pub names: Table<ValueId, Option<(ScopeId, usize, ValueId)>>,
}

impl Trace {
    /// Origin in the bodies that `before` leads to, for a body whose own old one was made as `before` says; both without
    /// callees.
    #[must_use]
    pub fn behind(&self, before: &Self) -> Self {
        let made_for = |found: &Option<(ScopeId, InstId)>| {
            found.and_then(|(_, old)| before.insts.get(old).copied().flatten())
        };
        let name = |found: &Option<(ScopeId, usize, ValueId)>| {
            found.and_then(|(.., old)| before.names.get(old).copied().flatten())
        };
        Self {
            entered: Vec::new(),
            insts: self.insts.values().map(made_for).collect(),
            names: self.names.values().map(name).collect(),
        }
    }
}

/// A callee whose body has been copied.
#[derive(Clone, Copy, Debug)]
pub struct Scope {
    /// The scope of the call.
    pub around: ScopeId,
    /// The call in that scope's body.
    pub call: InstId,
    /// The callee, as a position in `Program::functions`.
    pub function: usize,
}

/// Result of rewriting a body.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The new body.
    pub body: Body,
    /// Where each old value is in it.
    pub values: ValueMap,
    /// Where all that is in it comes from.
    pub trace: Trace,
}

/// Changes made while a body is copied, instruction by instruction and in order.
pub trait Edit {
    /// Called before an instruction is copied. True: it has been dealt with, and all its results have new places.
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let _ = (rewriter, view, to);
        false
    }

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

/// No change at all.
#[derive(Clone, Copy, Debug)]
pub struct Unchanged;

impl Edit for Unchanged {}

impl<F: FnMut(&mut Rewriter<'_>, &InstView<'_>, RegionId) -> bool> Edit for F {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        self(rewriter, view, to)
    }
}

/// The body with these changes. Regions of what is copied are walked too.
pub fn each(body: &Body, mut edit: impl Edit) -> Body {
    rewritten(body, &mut edit).body
}

/// The same, where each value went, and where everything comes from.
pub fn rewritten(body: &Body, edit: &mut dyn Edit) -> Rewritten {
    let mut rewriter = Rewriter::new(body);
    let entry = rewriter.to.entry();
    rewriter.walk(body.entry(), entry, edit);
    rewriter.finish()
}

/// A body being copied, with changes, into a new one.
pub struct Rewriter<'a> {
    /// What is copied.
    pub from: &'a Body,
    /// The copy.
    pub to: Body,
    /// Where each old value is in the new body.
    pub map: ValueMap,
    trace: Trace,
    /// Where `from` is among the bodies that are copied.
    scope: ScopeId,
    /// The instruction that is being dealt with.
    current: Option<InstId>,
}

impl<'a> Rewriter<'a> {
    /// A new body with the same arguments and no instructions.
    pub fn new(from: &'a Body) -> Self {
        Self::of_region(from, from.entry())
    }

    /// A new body with the arguments of a region and no instructions.
    pub fn of_region(from: &'a Body, region: RegionId) -> Self {
        let mut rewriter = Self::within(from, Body::new());
        let entry = &from.regions[region];
        for arg in &entry.args {
            let value = &from.values[*arg];
            let new = rewriter.to.add_arg(rewriter.to.entry(), value.ty.clone(), value.span);
            rewriter.map[*arg] = Some(new);
        }
        let new = rewriter.to.entry();
        rewriter.to.regions[new].arg_locations.clone_from(&entry.arg_locations);
        rewriter
    }

    /// The new body, with all that is known of it.
    pub fn finish(self) -> Rewritten {
        Rewritten { body: self.to, values: self.map, trace: self.trace }
    }

    /// Copies of `from` are appended to a body that has something in it already.
    pub fn within(from: &'a Body, to: Body) -> Self {
        let map = Table::filled(None, from.values.len());
        let trace = Trace::default();
        Self { from, to, map, trace, scope: ScopeId::from_index(0), current: None }
    }

    /// A rewriter of the callee (position `function` of the program) of the call that is being dealt with, into the same
    /// body, until [`Rewriter::leave`].
    pub fn enter<'b>(&mut self, callee: &'b Body, function: usize) -> Rewriter<'b> {
        self.claim();
        let call = self.current.expect("a call is being dealt with");
        let mut inner = Rewriter::within(callee, std::mem::take(&mut self.to));
        inner.trace = std::mem::take(&mut self.trace);
        inner.trace.entered.push(Scope { around: self.scope, call, function });
        inner.scope = ScopeId::from_index(inner.trace.entered.len());
        inner
    }

    /// Goes on behind what [`Rewriter::enter`] began.
    pub fn leave(&mut self, inner: Rewriter<'_>) {
        self.to = inner.to;
        self.trace = inner.trace;
    }

    /// Appends what these instructions of a body do that was made from parts of `from`, as `trace` says, where its arguments
    /// are these values; returns what it returns. Names that something has already stay there.
    pub fn splice(
        &mut self,
        part: &Body,
        insts: &[InstId],
        trace: &Trace,
        given: &[ValueId],
        to: RegionId,
    ) -> Vec<ValueId> {
        self.claim();
        let first = (self.to.insts.len(), self.to.values.len());
        let mut inner = Rewriter::within(part, std::mem::take(&mut self.to));
        inner.claim();
        part.regions[part.entry()]
            .args
            .iter()
            .zip(given)
            .for_each(|(arg, value)| inner.stand_for(*arg, *value));
        inner.walk_each(insts, to, &mut Unchanged);
        let returned = part.terminator(part.entry()).map_or(&[][..], |last| &last.operands);
        let returned = inner.values(returned);
        let Trace { insts, names, .. } = inner.trace.behind(trace);
        self.to = inner.to;
        insts.values().skip(first.0).for_each(|made_for| {
            self.trace.insts.push(*made_for);
        });
        let known: BTreeSet<ValueId> = self.trace.names.values().flatten().map(|(.., old)| *old).collect();
        for (new, name) in names.iter().skip(first.1) {
            if let Some((_, index, old)) = name.filter(|(.., old)| !known.contains(old)) {
                self.name(new, index, old);
            }
        }
        returned
    }

    /// What there is now; `region` is where instructions will be appended.
    pub(crate) fn mark(&self, region: RegionId) -> Mark {
        self.to.mark(region)
    }

    /// Takes away all that was made since.
    pub(crate) fn back_to(&mut self, mark: Mark) {
        self.to.back_to(mark);
        self.trace.insts.truncate(self.to.insts.len());
        self.trace.names.truncate(self.to.values.len());
    }

    /// Says that all that has been appended since the last time was made for the instruction at hand.
    fn claim(&mut self) {
        let made_for = self.current.map(|inst| (self.scope, inst));
        self.trace.insts.resize(made_for, self.to.insts.len());
    }

    /// Copies the instructions of a region to the end of `to`, changed by `edit`.
    pub fn walk(&mut self, from: RegionId, to: RegionId, edit: &mut dyn Edit) {
        let body = self.from;
        self.walk_each(&body.regions[from].insts, to, edit);
    }

    /// Copies instructions to the end of `to`, changed by `edit`.
    pub fn walk_each(&mut self, insts: &[InstId], to: RegionId, edit: &mut dyn Edit) {
        self.claim();
        let around = self.current;
        for inst in insts {
            self.current = Some(*inst);
            self.one(&self.from.view(*inst), to, edit);
            self.claim();
        }
        self.current = around;
    }

    /// Deals with an instruction: by the edit, or by a copy.
    fn one(&mut self, view: &InstView<'a>, to: RegionId, edit: &mut dyn Edit) {
        if edit.before(self, view, to) {
            return;
        }
        let operand = |index: usize| {
            let other = edit.operand(self, view, index, to);
            other.unwrap_or_else(|| self.value(view.inst.operands[index]))
        };
        let operands = (0..view.num_operands()).map(operand).collect();
        let region = |region: &RegionId| {
            let copy = self.region_like(*region);
            self.walk(*region, copy, edit);
            copy
        };
        let regions = view.inst.regions.iter().map(region).collect();
        self.append(view.id, operands, regions, to);
        edit.after(self, view, to);
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
        let all: Vec<usize> = (0..self.from.regions[old].args.len()).collect();
        self.region_with(old, &all)
    }

    /// A new region with copies of some of the old one's arguments.
    pub fn region_with(&mut self, old: RegionId, kept: &[usize]) -> RegionId {
        let region = self.to.regions.push(Region::default());
        for index in kept {
            let arg = self.from.regions[old].args[*index];
            let value = &self.from.values[arg];
            let new = self.to.add_arg(region, value.ty.clone(), value.span);
            self.map[arg] = Some(new);
            self.name(new, *index, arg);
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
        let all: Vec<usize> = (0..self.from.insts[inst].results.len()).collect();
        let copy = self.append_some(inst, operands, regions, &all, region);
        self.to.insts[copy].results.clone()
    }

    /// The same of an instruction of which only some results are left, at these positions.
    pub fn append_some(
        &mut self,
        inst: InstId,
        operands: Vec<ValueId>,
        regions: Vec<RegionId>,
        kept: &[usize],
        region: RegionId,
    ) -> InstId {
        let source = &self.from.insts[inst];
        let results = || kept.iter().map(|index| source.results[*index]);
        let types = results().map(|value| self.from.ty(value).clone()).collect();
        let copy = self.to.append(region, source.op.clone(), operands, regions, types, source.span);
        self.to.insts[copy].attributes = source.attributes.clone();
        self.to.insts[copy].location = source.location.clone();
        for (old, new) in results().zip(self.to.insts[copy].results.clone()) {
            self.stand_for_own(old, new);
        }
        copy
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

    /// Appends another copy of an instruction that was copied before, and maps its results to those of the new one. It is
    /// made for the old one too, but the first copy keeps the names.
    pub fn append_again(&mut self, inst: InstId, operands: Vec<ValueId>, region: RegionId) {
        let content = &self.from.insts[inst];
        let has_copy = content.results.iter().any(|result| self.map[*result].is_some());
        self.on_behalf_of(Some(inst), |rewriter| {
            let first = rewriter.to.values.len();
            let regions = content.regions.iter().map(|region| rewriter.copy_elements(*region)).collect();
            rewriter.append(inst, operands, regions, region);
            if has_copy {
                rewriter.trace.names.truncate(first);
            }
        });
    }

    /// Says of all that `make` appends that it was made for another instruction than the one at hand; `None`: for no single
    /// one.
    pub fn on_behalf_of<T>(&mut self, inst: Option<InstId>, make: impl FnOnce(&mut Self) -> T) -> T {
        self.claim();
        let around = std::mem::replace(&mut self.current, inst);
        let made = make(self);
        self.claim();
        self.current = around;
        made
    }

    /// Gives what makes a new value the attributes of an old instruction.
    pub fn annotate_like(&mut self, new: ValueId, old: InstId) {
        if let Def::Result(made, _) = self.to.values[new].def {
            self.to.insts[made].attributes.clone_from(&self.from.insts[old].attributes);
        }
    }

    /// Copies a region of single elements (a reducer) as it is.
    pub fn copy_elements(&mut self, old: RegionId) -> RegionId {
        let copy = self.region_like(old);
        self.walk(old, copy, &mut Unchanged);
        copy
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

    /// A builder at the end of a region of the new body.
    pub fn build(&mut self, to: RegionId, span: Span) -> BodyBuilder<'_> {
        BodyBuilder { body: &mut self.to, region: to, span, location: None }
    }

    /// A constant.
    pub fn constant(&mut self, value: Literal, to: RegionId) -> ValueId {
        let ty: TensorType = value.ty.clone();
        self.emit(Constant { value }.into(), &[], &[], ty.into(), Span::NONE, to)
    }

    /// Takes their names from all values that were made since there were `made_before`: others have them.
    pub fn forget_names(&mut self, made_before: usize) {
        self.trace.names.truncate(made_before);
    }

    /// Says that an old value is the new value `new` from here on.
    pub fn stand_for(&mut self, old: ValueId, new: ValueId) {
        self.map[old] = Some(new);
    }

    /// The same of a value that was made for it, and that has its name therefore.
    pub fn stand_for_own(&mut self, old: ValueId, new: ValueId) {
        let value = &self.from.values[old];
        self.to.values[new].span = value.span;
        self.map[old] = Some(new);
        if let Def::Result(inst, index) = value.def
            && self.current == Some(inst)
        {
            self.name(new, index, old);
        }
    }

    /// Says that a new value is an old one, at a position among the results or arguments of what it belongs to.
    fn name(&mut self, new: ValueId, index: usize, old: ValueId) {
        self.trace.names.resize(None, self.trace.names.len().max(new.index() + 1));
        self.trace.names[new] = Some((self.scope, index, old));
    }
}
