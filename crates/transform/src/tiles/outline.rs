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
use meshwright_ir::program::{Body, Def, Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Rewritten, Trace, Unchanged};
use std::collections::{BTreeMap, BTreeSet};

/// What takes more instructions than this to make is not made for each reader.
const MOST_FOR_EACH: usize = 64;

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
    pub fn insts(&self, body: &Body, home: RegionId) -> Result<Vec<InstId>, TileRefusal> {
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
                    if let Some(effect) = body.effect_in(inst) {
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
        match self.written(function, &insts, &mut Unchanged) {
            // Positions, for example, may be read along both dims of a mask.
            Err(TileRefusal::Mixed(_)) => self.written(function, &insts, &mut ForEach::of(body, &insts)),
            found => found,
        }
    }

    fn written(
        &self,
        function: &Function,
        insts: &[InstId],
        edit: &mut dyn Edit,
    ) -> Result<Outlined, TileRefusal> {
        let body = &function.body;
        let mut rewriter = Rewriter::within(body, Body::new());
        let entry = rewriter.to.entry();
        for read in &self.reads {
            let arg = rewriter.to.add_arg(entry, body.ty(*read).clone(), body.values[*read].span);
            rewriter.stand_for(*read, arg);
        }
        rewriter.walk_each(insts, entry, edit);
        let value = rewriter.map[self.value].ok_or(TileRefusal::Open(self.value))?;
        let made = rewriter.values(&self.makes);
        rewriter.build(entry, Span::NONE).emit_all(Return::Func, &made, Vec::new(), Vec::new());
        let Rewritten { body: own, trace, .. } = rewriter.finish();
        let (args, all) = (&own.regions[entry].args, &own.regions[entry].insts);
        let dims = dims::along(&own, &all[..all.len() - 1], value, self.dim)?;
        let seed = |(argument, arg)| dims.get(arg).map(|dim| Seed { argument, dim: *dim, together: 1 });
        let seeds = args.iter().enumerate().filter_map(seed).collect();
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

/// What is made of constants alone is made for each of its readers, so that it is cut for one and whole for another.
struct ForEach {
    /// The instruction that makes each such value, and which of its results it is.
    made: BTreeMap<ValueId, (InstId, usize)>,
}

impl ForEach {
    fn of(body: &Body, insts: &[InstId]) -> Self {
        let mut made = BTreeMap::new();
        // How many instructions it takes to make each value by itself.
        let mut sizes: BTreeMap<ValueId, usize> = BTreeMap::new();
        for id in insts {
            let inst = &body.insts[*id];
            let own: Option<usize> = inst.operands.iter().map(|operand| sizes.get(operand).copied()).sum();
            let Some(size) = own.map(|own| own + 1).filter(|size| *size <= MOST_FOR_EACH) else { continue };
            if inst.regions.is_empty() && !inst.op.has_side_effects() {
                sizes.extend(inst.results.iter().map(|result| (*result, size)));
                made.extend(inst.results.iter().enumerate().map(|(at, result)| (*result, (*id, at))));
            }
        }
        Self { made }
    }

    /// Another copy of a value.
    fn copy(&self, rewriter: &mut Rewriter<'_>, (inst, at): (InstId, usize), to: RegionId) -> ValueId {
        let content = &rewriter.from.insts[inst];
        let operands = content.operands.iter().map(|operand| self.copy(rewriter, self.made[operand], to));
        let operands = operands.collect();
        rewriter.append_again(inst, operands, to);
        rewriter.value(content.results[at])
    }
}

impl Edit for ForEach {
    fn operand(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        to: RegionId,
    ) -> Option<ValueId> {
        let made = *self.made.get(&view.inst.operands[index])?;
        // What is made of constants itself is made anew for those that are not.
        let is_one = view.inst.results.iter().any(|result| self.made.contains_key(result));
        (!is_one).then(|| self.copy(rewriter, made, to))
    }
}
