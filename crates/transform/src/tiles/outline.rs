//! A region as a function by itself.
//!
//! Input: a region. Output: [`Outlined`], a function that takes what the region reads and returns what it makes, where all
//! that is in it comes from, and which of its arguments are cut.

use super::{Region, TileRefusal, dims};
use crate::made::Made;
use crate::microbatch::in_microbatches;
use crate::time::{Seed, TimeAxis, TimeRefusal};
use meshwright_ir::attribute::Attributes;
use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::ops::return_::Return;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rewrite::{Rewriter, Rewritten, Trace, Unchanged};
use std::collections::BTreeSet;

/// A region as a function.
pub(super) struct Outlined {
    pub(super) function: Function,
    /// Where all that is in it comes from.
    pub(super) trace: Trace,
    /// The dims of its arguments that are cut.
    seeds: Vec<Seed>,
}

impl Outlined {
    pub(super) fn axis(&self, count: usize) -> Result<TimeAxis, TileRefusal> {
        let axis = TimeAxis::new(&self.function, &self.seeds, count).map_err(TileRefusal::Time)?;
        match axis.passes {
            1 if axis.whole.is_empty() => Ok(axis),
            passes => Err(TileRefusal::Passes(passes)),
        }
    }

    /// The function in tiles, and where all that is in it comes from.
    pub(super) fn in_tiles(&self, count: usize) -> Result<(Body, Trace), TileRefusal> {
        let axis = self.axis(count)?;
        let Made { function, trace } =
            in_microbatches(&self.function, &axis).map_err(TileRefusal::Time)?.made;
        Ok((function.body, trace.behind(&self.trace)))
    }
}

impl Region {
    /// The instructions that lead from what is read to what is made, in the order of `home`.
    ///
    /// # Errors
    /// They need something else, or have side effects: two regions may both compute what they need.
    pub(super) fn insts(&self, body: &Body, home: RegionId) -> Result<Vec<InstId>, TileRefusal> {
        let homes = body.region_of();
        let mut seen: BTreeSet<ValueId> = self.reads.iter().copied().collect();
        let mut needed = BTreeSet::new();
        let mut open = self.makes.clone();
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            match body.values[value].def {
                Def::Result(inst, _) if homes[inst] == home => {
                    let inside = body.insts[inst].regions.iter().flat_map(|region| body.walk(*region));
                    let mut all = std::iter::once(inst).chain(inside);
                    if let Some(effect) = all.find(|inst| body.insts[*inst].op.has_side_effects()) {
                        return Err(TileRefusal::Time(TimeRefusal::Effect(effect)));
                    }
                    if needed.insert(inst) {
                        open.extend(&body.insts[inst].operands);
                        open.extend(body.view(inst).captured());
                    }
                }
                _ => return Err(TileRefusal::Open(value)),
            }
        }
        Ok(body.regions[home].insts.iter().copied().filter(|inst| needed.contains(inst)).collect())
    }

    pub(super) fn outlined(&self, function: &Function) -> Result<Outlined, TileRefusal> {
        let body = &function.body;
        let home = self.home(body).ok_or(TileRefusal::Open(self.value))?;
        let insts = self.insts(body, home)?;
        let dims = dims::along(body, &insts, self.value, self.dim)?;
        let mut rewriter = Rewriter::within(body, Body::new());
        let entry = rewriter.to.entry();
        for read in &self.reads {
            let arg = rewriter.to.add_arg(entry, body.ty(*read).clone(), body.values[*read].span);
            rewriter.stand_for(*read, arg);
        }
        rewriter.walk_each(&insts, entry, &mut Unchanged);
        let made = rewriter.values(&self.makes);
        rewriter.build(entry, Span::NONE).emit_all(Return::Func, &made, Vec::new(), Vec::new());
        let Rewritten { body: own, trace, .. } = rewriter.finish();
        let seed = |(argument, read)| dims.get(read).map(|dim| Seed { argument, dim: *dim, together: 1 });
        let seeds = self.reads.iter().enumerate().filter_map(seed).collect();
        Ok(Outlined { function: self.function(function, own), trace, seeds })
    }

    /// A function of this name and with this body.
    fn function(&self, whole: &Function, body: Body) -> Function {
        Function {
            arg_attributes: vec![Attributes::new(); self.reads.len()],
            result_types: self.makes.iter().map(|value| whole.body.ty(*value).clone()).collect(),
            result_attributes: vec![Attributes::new(); self.makes.len()],
            result_spans: Vec::new(),
            ..whole.with_body(body)
        }
    }
}
