//! What loops over layers stack for the backward pass though it would run in tiles, if only it were made again there.
//!
//! Input: a function, and its pairs of loops over layers. Output: instructions of forward bodies that run again in backward
//! ones when both run in tiles. In a flat function the late part of a group makes again what it reads of the early one
//! (`sides`); the late part of a group of a forward body stands in another loop, which reads it from stacks.

use super::facts::Facts;
use super::{Found, LEAST, Wanted, lives_of, regions};
use meshwright_analyze::Roles;
use meshwright_cost::Analysis;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::program::Function;
use meshwright_transform::recompute::Pair;
use std::collections::BTreeSet;

/// The instructions of regions of forward bodies of which all that is large is stacked for the backward body, and nothing
/// else. Products with weights are worth to be computed again only for who asks for all that is possible.
pub fn stacked(
    function: &Function,
    roles: &Roles,
    analysis: &Analysis<'_>,
    pairs: &[Pair],
    wanted: Wanted,
    suits: &dyn Fn(&Found) -> bool,
) -> BTreeSet<InstId> {
    if pairs.is_empty() {
        return BTreeSet::new();
    }
    let facts = Facts::new(function, roles, suits);
    let bodies: BTreeSet<RegionId> =
        pairs.iter().map(|pair| function.body.insts[pair.forward].regions[1]).collect();
    let links = pairs.iter().flat_map(|pair| &pair.links).filter(|link| !link.is_shared);
    let writes: BTreeSet<InstId> = links.flat_map(|link| link.writes.iter().copied()).collect();
    let (lives, stored) = lives_of(analysis);
    let mut again = BTreeSet::new();
    for Found { region, ratio, .. } in
        regions(&facts, &stored, lives, Wanted::Possible, 1, &mut BTreeSet::new())
    {
        let Some(home) = region.home(&function.body).filter(|home| bodies.contains(home)) else { continue };
        let Ok(insts) = region.insts(&function.body, home) else { continue };
        let large = facts.elements(region.value).div_ceil(LEAST);
        let is_stacked = |value: &ValueId| {
            let mut readers = facts.readers[*value].iter();
            readers.all(|reader| insts.contains(reader) || writes.contains(reader))
        };
        let mut wide = region.makes.iter().filter(|value| facts.elements(**value) > large);
        let multiplies = insts.iter().any(|inst| facts.multiplies_weights(*inst));
        let is_worth_it = wanted == Wanted::Possible || !multiplies;
        if ratio < LEAST && is_worth_it && wide.all(is_stacked) {
            again.extend(insts);
        }
    }
    again
}
