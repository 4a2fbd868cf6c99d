//! The numbers that sizes are in a twin.
//!
//! Input: sizes, and which of them are cut among how many devices. Output: a number for each free size, as small as leaves
//! every device a few elements, such that each cut is as before: it divides or is padded, it leaves a device one element or
//! more, and it leaves none without any unless it did ([`keeps`]).

use crate::dims::{Dims, Size, Use};
use crate::turns::LEAST_TURNS;
use std::collections::{BTreeMap, BTreeSet};

/// A free size is at least so large, if it was.
const LEAST: usize = 8;

/// A free size is looked for up to so many times what is wanted of it.
const FURTHEST: usize = 64;

/// The numbers that free sizes are.
pub(crate) struct Choice {
    numbers: BTreeMap<Size, usize>,
    /// The cuts that are not as before.
    pub(crate) lost: Vec<String>,
}

impl Choice {
    /// Chooses.
    pub(crate) fn of(dims: &Dims<'_>, uses: &[Use]) -> Self {
        let fixed = dims.fixed_leaves();
        let mut choice = Self { numbers: BTreeMap::new(), lost: Vec::new() };
        let mut of_leaf: BTreeMap<Size, Vec<&Use>> = BTreeMap::new();
        for one in uses {
            for leaf in dims.leaves(one.size) {
                of_leaf.entry(leaf).or_default().push(one);
            }
        }
        let none = Vec::new();
        let turns = dims.turn_leaves();
        let least = |leaf: &Size| if turns.contains(leaf) { LEAST_TURNS } else { LEAST };
        for leaf in dims.all_leaves().into_iter().filter(|leaf| dims.longer(*leaf).is_none()) {
            let number = dims.number(leaf);
            let own = of_leaf.get(&leaf).unwrap_or(&none);
            let chosen = match fixed.contains(&leaf) {
                true => number,
                false => candidates(number, (least(&leaf), dims.reach(leaf)), own)
                    .find(|candidate| {
                        let alone = own.iter().filter(|one| one.size == leaf);
                        alone.into_iter().all(|one| keeps(number, *candidate, one.devices))
                    })
                    .unwrap_or(number),
            };
            choice.numbers.insert(leaf, chosen);
        }
        for one in uses {
            choice.mend(dims, one, &of_leaf, (&fixed, &least));
        }
        let lost = uses.iter().filter(|one| !choice.is_kept(dims, one)).map(|one| {
            let (number, [devices, twin]) = (dims.number(one.size), one.devices);
            let now = choice.number(dims, one.size);
            format!("{number} over {devices} devices, which is {now} over {twin}")
        });
        choice.lost = lost.collect();
        choice
    }

    /// Changes a part of a size so that a cut of it is as before, if that leaves other cuts as they are to be.
    fn mend(
        &mut self,
        dims: &Dims<'_>,
        cut: &Use,
        of_leaf: &BTreeMap<Size, Vec<&Use>>,
        (fixed, least): (&BTreeSet<Size>, &dyn Fn(&Size) -> usize),
    ) {
        if self.is_kept(dims, cut) {
            return;
        }
        let is_open = |leaf: &Size| !fixed.contains(leaf) && dims.longer(*leaf).is_none();
        for leaf in dims.leaves(cut.size).into_iter().filter(is_open) {
            let (before, own) = (self.numbers[&leaf], &of_leaf[&leaf]);
            let good: Vec<bool> = own.iter().map(|one| self.is_kept(dims, one)).collect();
            for candidate in candidates(dims.number(leaf), (least(&leaf), dims.reach(leaf)), own) {
                self.numbers.insert(leaf, candidate);
                let is_better = self.is_kept(dims, cut)
                    && own.iter().zip(&good).all(|(one, good)| !good || self.is_kept(dims, one));
                if is_better {
                    return;
                }
            }
            self.numbers.insert(leaf, before);
        }
    }

    fn is_kept(&self, dims: &Dims<'_>, one: &Use) -> bool {
        keeps(dims.number(one.size), self.number(dims, one.size), one.devices)
    }

    fn leaf(&self, dims: &Dims<'_>, leaf: Size) -> usize {
        match dims.longer(leaf) {
            Some((size, more)) => self.number(dims, size) + more,
            None => self.numbers[&leaf],
        }
    }

    /// The number that a size is.
    pub(crate) fn number(&self, dims: &Dims<'_>, size: Size) -> usize {
        match dims.number(size) {
            // Without elements, or with one position.
            number @ (0 | 1) => number,
            _ => dims.leaves(size).into_iter().map(|leaf| self.leaf(dims, leaf)).product(),
        }
    }
}

/// Whether a cut is of the same kind as before.
fn keeps(before: usize, after: usize, [devices, twin]: [usize; 2]) -> bool {
    before.is_multiple_of(devices) == after.is_multiple_of(twin)
        && (before == devices) == (after == twin)
        && (before < devices) == (after < twin)
}

/// Numbers to try, from what is wanted upwards and then downwards. Each device is to have `reach` elements.
fn candidates(
    number: usize,
    (least, reach): (usize, usize),
    uses: &[&Use],
) -> impl Iterator<Item = usize> + use<> {
    let most = uses.iter().map(|one| one.devices[1]).max().unwrap_or(1);
    let wanted = least.max(2 * most).max(reach * most).min(number);
    (wanted..=number.min(FURTHEST * wanted)).chain((2.min(number)..wanted).rev())
}
