//! Changes of a body in place: instructions put behind values, uses redirected, instructions taken out.
//!
//! Input: a verified body. What is taken out of its region stays in the tables, unread, so ids keep their meaning.

use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{Id, InstId, RegionId, ValueId};
use meshwright_ir::location::LocationRef;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Inst};
use std::collections::BTreeMap;

/// The region that holds each instruction.
pub(crate) fn regions(body: &Body) -> Vec<Option<RegionId>> {
    let mut regions = vec![None; body.insts.len()];
    for (region, content) in body.regions.iter() {
        for inst in &content.insts {
            regions[inst.index()] = Some(region);
        }
    }
    regions
}

/// Where an instruction that is put in comes from.
pub(crate) struct Source {
    span: Span,
    location: Option<LocationRef>,
}

impl Source {
    /// Where an instruction does.
    pub(crate) fn of_inst(body: &Body, inst: InstId) -> Self {
        let Inst { span, location, .. } = &body.insts[inst];
        Self { span: *span, location: location.clone() }
    }

    /// Where a value does.
    pub(crate) fn of_value(body: &Body, value: ValueId) -> Self {
        let location = match body.values[value].def {
            Def::Result(inst, _) => body.insts[inst].location.as_ref(),
            Def::Argument(..) => body.arg_location(value),
        };
        Self { span: body.values[value].span, location: location.cloned() }
    }
}

/// A body with who reads what.
pub(crate) struct Editor<'b> {
    /// The body.
    pub(crate) body: &'b mut Body,
    /// Who reads each value: instruction and operand. Only instructions that are in a region.
    uses: Vec<Vec<(InstId, usize)>>,
    regions: Vec<Option<RegionId>>,
    /// What is to stand before each instruction after [`Editor::finish`].
    before: BTreeMap<InstId, Vec<InstId>>,
}

impl<'b> Editor<'b> {
    /// Of a body.
    pub(crate) fn new(body: &'b mut Body) -> Self {
        let mut uses = vec![Vec::new(); body.values.len()];
        for inst in body.walk(body.entry()) {
            for (position, operand) in body.insts[inst].operands.iter().enumerate() {
                uses[operand.index()].push((inst, position));
            }
        }
        let regions = regions(body);
        Self { body, uses, regions, before: BTreeMap::new() }
    }

    /// Puts copies where they belong, and takes out what was removed: all at once.
    pub(crate) fn finish(&mut self) {
        for id in self.body.regions.ids() {
            let old = std::mem::take(&mut self.body.regions[id].insts);
            let mut new = Vec::with_capacity(old.len());
            for inst in old {
                new.extend(self.before.remove(&inst).unwrap_or_default());
                new.push(inst);
            }
            new.retain(|inst| self.regions[inst.index()] == Some(id));
            self.body.regions[id].insts = new;
        }
    }

    /// Who reads a value.
    pub(crate) fn uses(&self, value: ValueId) -> &[(InstId, usize)] {
        &self.uses[value.index()]
    }

    /// The region that holds an instruction.
    pub(crate) fn region(&self, inst: InstId) -> Option<RegionId> {
        self.regions[inst.index()]
    }

    /// What defines a value, if an instruction does.
    pub(crate) fn defining(&self, value: ValueId) -> Option<InstId> {
        match self.body.values[value].def {
            Def::Result(inst, _) => Some(inst),
            Def::Argument(..) => None,
        }
    }

    /// Position of an instruction in its region.
    pub(crate) fn position(&self, inst: InstId) -> Option<(RegionId, usize)> {
        let region = self.region(inst)?;
        Some((region, self.body.regions[region].insts.iter().position(|other| *other == inst)?))
    }

    /// Puts an instruction that reads `value` behind its definition. Returns the instruction with its result.
    pub(crate) fn insert_behind(
        &mut self,
        value: ValueId,
        op: impl Into<Op>,
        from: Source,
    ) -> Option<(InstId, ValueId)> {
        let (region, at) = self.behind(value)?;
        let Source { span, location } = from;
        let result = BodyBuilder { body: self.body, region, span, location }.add(op, &[value]);
        let inst = self.taken_from_end(region, &[value])?;
        self.body.regions[region].insts.insert(at, inst);
        Some((inst, result))
    }

    /// Notes the instruction that was built at the end of a region, and takes it from there.
    fn taken_from_end(&mut self, region: RegionId, operands: &[ValueId]) -> Option<InstId> {
        let inst = self.body.regions[region].insts.pop()?;
        self.uses.resize(self.body.values.len(), Vec::new());
        for (position, operand) in operands.iter().enumerate() {
            self.uses[operand.index()].push((inst, position));
        }
        self.regions.push(Some(region));
        Some(inst)
    }

    /// The place behind a value's definition.
    pub(crate) fn behind(&self, value: ValueId) -> Option<(RegionId, usize)> {
        match self.body.values[value].def {
            Def::Argument(region, _) => Some((region, 0)),
            Def::Result(inst, _) => self.position(inst).map(|(region, at)| (region, at + 1)),
        }
    }

    /// Moves an instruction behind a value's definition.
    pub(crate) fn move_behind(&mut self, inst: InstId, value: ValueId) {
        let Some((region, at)) = self.position(inst) else { return };
        self.body.regions[region].insts.remove(at);
        let to = self.behind(value).unwrap_or((region, at));
        self.body.regions[to.0].insts.insert(to.1, inst);
        self.regions[inst.index()] = Some(to.0);
    }

    /// Makes the readers of `old` that `changes` names read `new`.
    pub(crate) fn redirect(&mut self, old: ValueId, new: ValueId, changes: impl Fn(&Self, InstId) -> bool) {
        let all = std::mem::take(&mut self.uses[old.index()]);
        let (moved, kept): (Vec<_>, Vec<_>) = all.into_iter().partition(|(inst, _)| changes(self, *inst));
        for (inst, operand) in &moved {
            self.body.insts[*inst].operands[*operand] = new;
        }
        self.uses[old.index()] = kept;
        self.uses[new.index()].extend(moved);
    }

    /// Makes one operand read another value.
    pub(crate) fn set_operand(&mut self, inst: InstId, operand: usize, new: ValueId) {
        let old = std::mem::replace(&mut self.body.insts[inst].operands[operand], new);
        self.uses[old.index()].retain(|use_| *use_ != (inst, operand));
        self.uses[new.index()].push((inst, operand));
    }

    /// Takes an instruction out of its region, at [`Editor::finish`].
    pub(crate) fn remove(&mut self, inst: InstId) {
        self.regions[inst.index()] = None;
        let operands = self.body.insts[inst].operands.clone();
        for operand in operands {
            self.uses[operand.index()].retain(|(user, _)| *user != inst);
        }
    }

    /// Copies an instruction without regions, with the given operands, in front of another; it stands there after
    /// [`Editor::finish`].
    pub(crate) fn copy_before(
        &mut self,
        inst: InstId,
        operands: Vec<ValueId>,
        before: InstId,
    ) -> Option<InstId> {
        let region = self.region(before)?;
        let Inst { op, attributes, results, .. } = self.body.insts[inst].clone();
        let types = results.iter().map(|result| self.body.ty(*result).clone()).collect();
        let mut builder = BodyBuilder::standing_for(self.body, inst, region);
        let copies = builder.emit_all(op, &operands, Vec::new(), types);
        for (result, copy) in results.iter().zip(copies) {
            self.body.values[copy].span = self.body.values[*result].span;
        }
        let copy = self.taken_from_end(region, &operands)?;
        self.body.insts[copy].attributes = attributes;
        self.before.entry(before).or_default().push(copy);
        Some(copy)
    }
}
