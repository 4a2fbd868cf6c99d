//! Writes a function down in which regions are loops over tiles.
//!
//! What leads from what a region reads to what it makes runs in the loop, and outside of it only where something else
//! needs it. A loop stands in front of the first that reads what it makes. What nobody needs is left out around it, so that
//! it does not ask for what is large.

use super::{Region, TileRefusal};
use crate::made::Made;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::program::{Body, Def, Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Trace, rewritten};
use std::collections::{BTreeMap, BTreeSet};

/// The function in which regions run in so many tiles each.
///
/// # Errors
/// A region cannot, or they wait for one another.
pub fn in_tiles(function: &Function, regions: &[(Region, usize)]) -> Result<Made, TileRefusal> {
    let mut writing = Writing::new(function, regions)?;
    let made = rewritten(&function.body, &mut writing);
    match writing.refused {
        Some(refusal) => Err(refusal),
        None => Ok(Made::of(function, made)),
    }
}

/// A region that becomes a loop.
struct Part<'a> {
    region: &'a Region,
    /// It, in tiles.
    body: Body,
    /// Its instructions that are needed.
    insts: Vec<InstId>,
    trace: Trace,
    /// Whether it is being written, which it cannot wait for.
    is_open: bool,
}

struct Writing<'a> {
    body: &'a Body,
    parts: Vec<Part<'a>>,
    /// The part that makes each value.
    made_by: BTreeMap<ValueId, usize>,
    /// Whether an instruction runs only where it is wanted: it is in a loop, or for nobody.
    is_idle: Table<InstId, bool>,
    /// One of these that is wanted.
    wanted: Option<InstId>,
    refused: Option<TileRefusal>,
}

impl<'a> Writing<'a> {
    fn new(function: &'a Function, regions: &'a [(Region, usize)]) -> Result<Self, TileRefusal> {
        let body = &function.body;
        let (mut parts, mut made_by) = (Vec::new(), BTreeMap::new());
        let mut is_idle = Table::filled(false, body.insts.len());
        for (at, (region, count)) in regions.iter().enumerate() {
            let home = region.home(body).ok_or(TileRefusal::Open(region.value))?;
            region.insts(body, home)?.into_iter().for_each(|inst| is_idle[inst] = true);
            unneeded(body, home).into_iter().for_each(|inst| is_idle[inst] = true);
            if *count < 2 {
                return Err(TileRefusal::Single);
            }
            if let Some(twice) = region.makes.iter().find(|value| made_by.insert(**value, at).is_some()) {
                return Err(TileRefusal::Twice(*twice));
            }
            let (tiles, trace) = region.outlined(function)?.in_tiles(*count)?;
            let insts = needed(&tiles);
            parts.push(Part { region, body: tiles, insts, trace, is_open: false });
        }
        Ok(Self { body, parts, made_by, is_idle, wanted: None, refused: None })
    }

    /// Sees to it that a value is there.
    fn provide(&mut self, rewriter: &mut Rewriter<'_>, value: ValueId, to: RegionId) {
        let Def::Result(inst, _) = self.body.values[value].def else { return };
        if rewriter.map[value].is_some() || self.refused.is_some() {
            return;
        }
        match self.made_by.get(&value) {
            Some(part) => self.write(rewriter, *part, to),
            None => {
                self.wanted = Some(inst);
                rewriter.walk_each(&[inst], to, self);
            }
        }
    }

    fn write(&mut self, rewriter: &mut Rewriter<'_>, at: usize, to: RegionId) {
        let region = self.parts[at].region;
        if std::mem::replace(&mut self.parts[at].is_open, true) {
            self.refused = Some(TileRefusal::Circle(region.value));
            return;
        }
        region.reads.iter().for_each(|value| self.provide(rewriter, *value, to));
        if self.refused.is_some() {
            return;
        }
        let given = rewriter.values(&region.reads);
        let part = &self.parts[at];
        let made = rewriter.splice(&part.body, &part.insts, &part.trace, &given, to);
        region.makes.iter().zip(made).for_each(|(old, new)| rewriter.stand_for(*old, new));
    }
}

/// Instructions of a body of which something comes, but its return.
fn needed(body: &Body) -> Vec<InstId> {
    let unneeded: BTreeSet<InstId> = unneeded(body, body.entry()).into_iter().collect();
    let (_, insts) = body.regions[body.entry()].insts.split_last().expect("a body ends with a return");
    insts.iter().copied().filter(|inst| !unneeded.contains(inst)).collect()
}

/// Instructions of a region of which nothing comes.
fn unneeded(body: &Body, home: RegionId) -> Vec<InstId> {
    let mut needed: BTreeSet<ValueId> = BTreeSet::new();
    let mut unneeded = Vec::new();
    for inst in body.regions[home].insts.iter().rev() {
        let view = body.view(*inst);
        let stays = view.inst.results.is_empty() || body.effect_in(*inst).is_some();
        if stays || view.inst.results.iter().any(|result| needed.contains(result)) {
            needed.extend(view.inst.operands.iter().copied().chain(view.captured()));
        } else {
            unneeded.push(*inst);
        }
    }
    unneeded
}

impl Edit for Writing<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let is_wanted = self.wanted.take() == Some(view.id);
        let mut results = view.inst.results.iter();
        let is_there = results.len() > 0 && results.all(|result| rewriter.map[*result].is_some());
        if is_there || self.refused.is_some() || (self.is_idle[view.id] && !is_wanted) {
            return true;
        }
        let captured = view.captured();
        view.inst.operands.iter().chain(&captured).for_each(|value| self.provide(rewriter, *value, to));
        self.refused.is_some()
    }
}
