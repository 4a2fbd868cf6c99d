//! Places of values where regions run in tiles: in the loops over tiles, or there as a whole.
//!
//! Input: a function, and regions of it that run in tiles. Output: [`Places`], by the function as it is before they do. What
//! two regions need is in both; what a region makes is there as a whole behind it, and so is what something around needs.

use super::{Region, TileRefusal, dims};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::program::{Body, Def, Function};
use std::collections::{BTreeMap, BTreeSet};

/// Places of the values of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// Of each region, the values that are made in its loop, each with the dim that tiles cut; none of what every tile makes
    /// as a whole.
    pub inside: Vec<BTreeMap<ValueId, Option<usize>>>,
    /// The values that are there as a whole, but for arguments of loops.
    pub whole: BTreeSet<ValueId>,
}

/// Finds the places of all values.
///
/// # Errors
/// A region cannot run in tiles.
pub fn places(function: &Function, regions: &[Region]) -> Result<Places, TileRefusal> {
    let body = &function.body;
    let (mut inside, mut made_by) = (Vec::new(), BTreeMap::new());
    for region in regions {
        let home = region.home(body).ok_or(TileRefusal::Open(region.value))?;
        let insts = region.insts(body, home)?;
        let dims = dims::along(body, &insts, region.value, region.dim)?;
        let all = insts.iter().flat_map(|inst| std::iter::once(*inst).chain(within(body, *inst)));
        let made = all.flat_map(|inst| body.insts[inst].results.iter().copied());
        inside.push(made.map(|value| (value, dims.get(&value).copied())).collect());
        made_by.extend(region.makes.iter().map(|value| (*value, region)));
    }
    Ok(Places { inside, whole: whole(body, &made_by) })
}

/// All that is needed around regions, by the region that makes a value if one does.
fn whole(body: &Body, made_by: &BTreeMap<ValueId, &Region>) -> BTreeSet<ValueId> {
    let mut whole = BTreeSet::new();
    let mut open = needed_in(body, body.entry());
    while let Some(value) = open.pop() {
        if !whole.insert(value) {
            continue;
        }
        match (made_by.get(&value), body.values[value].def) {
            (Some(region), _) => open.extend(&region.reads),
            (None, Def::Result(inst, _)) => {
                open.extend(&body.insts[inst].operands);
                open.extend(body.insts[inst].regions.iter().flat_map(|region| needed_in(body, *region)));
            }
            (None, Def::Argument(..)) => {}
        }
    }
    whole
}

/// What a region of a body needs of all that there is: what it ends with, and what has side effects.
fn needed_in(body: &Body, region: RegionId) -> Vec<ValueId> {
    let ends = |inst: &InstId| body.insts[*inst].results.is_empty() || body.effect_in(*inst).is_some();
    let insts = body.regions[region].insts.iter().filter(|inst| ends(inst));
    insts.flat_map(|inst| body.insts[*inst].operands.iter().copied()).collect()
}

/// All instructions in the regions of one.
fn within(body: &Body, inst: InstId) -> Vec<InstId> {
    body.insts[inst].regions.iter().flat_map(|region| body.walk(*region)).collect()
}
