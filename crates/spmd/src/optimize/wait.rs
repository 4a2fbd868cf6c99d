//! Work that can wait: what reads a collective that moves to a later place moves behind that place.
//!
//! Input: a body; which collectives are to move behind which. Output: where each value is read first by what cannot wait
//! ([`first_reads`]), so that nothing has to move further; the body in the order in which they have moved ([`behind`]).
//!
//! ```text
//! %1 = reduce_scatter %0                %3 = product of others
//! %2 = subtract %w, %1           ->     %4, %1 = reduce_scatter %3, %0
//! %3 = product of others                %2 = subtract %w, %1
//! %4 = reduce_scatter %3
//! ```
//!
//! Elements that are computed one by one, moved or added up can wait; products, what is sent, and loops and branches cannot.

use meshwright_cost::combine::can_wait;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::program::Body;
use std::collections::BTreeMap;

/// What may wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waits {
    /// Nothing.
    None,
    /// Light work.
    Some,
}

/// Where each instruction stands in its region.
pub(super) fn positions(body: &Body) -> Table<InstId, usize> {
    let mut position = Table::filled(0, body.insts.len());
    for region in body.regions.values() {
        region.insts.iter().enumerate().for_each(|(at, inst)| position[*inst] = at);
    }
    position
}

/// For each value and each region around a reader of it, the first position there at which it is read, itself or as what
/// waits makes it, by something that cannot wait.
pub(super) fn first_reads(
    body: &Body,
    position: &Table<InstId, usize>,
    waits: Waits,
) -> Table<ValueId, BTreeMap<RegionId, usize>> {
    let mut first = Table::filled(BTreeMap::new(), body.values.len());
    note(body, body.entry(), position, waits, &mut Vec::new(), &mut first);
    first
}

fn note(
    body: &Body,
    region: RegionId,
    position: &Table<InstId, usize>,
    waits: Waits,
    around: &mut Vec<(RegionId, usize)>,
    first: &mut Table<ValueId, BTreeMap<RegionId, usize>>,
) {
    // Readers of what an instruction makes come first.
    for inst in body.regions[region].insts.iter().rev() {
        let view = body.view(*inst);
        let read = match waits == Waits::Some && can_wait(&view) {
            true => view.inst.results.iter().filter_map(|result| first[*result].get(&region)).min().copied(),
            false => Some(position[*inst]),
        };
        around.extend(read.map(|at| (region, at)));
        for operand in &view.inst.operands {
            for (region, at) in around.iter() {
                let known = first[*operand].entry(*region).or_insert(*at);
                *known = (*known).min(*at);
            }
        }
        view.inst.regions.iter().for_each(|inner| note(body, *inner, position, waits, around, first));
        if read.is_some() {
            around.pop();
        }
    }
}

/// The body with what reads a collective that moves, or something that waits for one, behind the place to which it moves.
/// `moves` are collectives and the one of their region with which each will stand.
pub(super) fn behind(body: &Body, moves: &[(InstId, InstId)]) -> Body {
    let position = positions(body);
    let moves: BTreeMap<InstId, InstId> = moves.iter().copied().collect();
    let mut ordered = body.clone();
    for (region, content) in body.regions.iter() {
        if content.insts.iter().any(|inst| moves.contains_key(inst)) {
            ordered.regions[region].insts = in_order(body, &content.insts, &position, &moves);
        }
    }
    ordered
}

fn in_order(
    body: &Body,
    insts: &[InstId],
    position: &Table<InstId, usize>,
    moves: &BTreeMap<InstId, InstId>,
) -> Vec<InstId> {
    // Positions behind which values are there, and what waits for each.
    let mut there: BTreeMap<ValueId, usize> = BTreeMap::new();
    let mut waiting: BTreeMap<usize, Vec<InstId>> = BTreeMap::new();
    let mut ordered = Vec::with_capacity(insts.len());
    for (at, inst) in insts.iter().enumerate() {
        let source = &body.insts[*inst];
        if let Some(anchor) = moves.get(inst) {
            there.extend(source.results.iter().map(|result| (*result, position[*anchor])));
            ordered.push(*inst);
            continue;
        }
        let missing = source.operands.iter().filter_map(|operand| there.get(operand)).max();
        match missing.copied().filter(|missing| *missing > at) {
            Some(missing) => {
                there.extend(source.results.iter().map(|result| (*result, missing)));
                waiting.entry(missing).or_default().push(*inst);
            }
            None => ordered.push(*inst),
        }
        ordered.extend(waiting.remove(&at).into_iter().flatten());
    }
    ordered
}
