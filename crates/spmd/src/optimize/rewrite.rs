//! Rebuilding a body instruction by instruction; what the passes share.

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::program::{Body, Region};

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
}
