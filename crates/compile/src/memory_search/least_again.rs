//! As little made again for the backward pass as makes a step fit.
//!
//! Input: bytes that the points of the hull keep, and a way to compile with one of them. Output: the plan that takes least
//! of those that fit. The two ends are tried first, and parts of what is between them where all of it saves little; between
//! what is too large and what fits peaks are taken to be linear in the kept bytes, and the point that should just fit is
//! tried, a few times. Tiles are what is left where nothing made again, or all of it, does not fit; where they do without
//! anything else made again, they have to take less than what is made again without them.

use meshwright_analyze::{Phases, Roles};
use meshwright_cost::Analysis;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_search::recompute::{Named, Recomputation};
use std::cell::Cell;

use super::Attempt;
use crate::does_not_fit::DoesNotFit;
use crate::error::CompileError;
use crate::recompute::Recompute;

/// Points between the ends of the hull that are tried.
const TRIES: usize = 2;

/// Shares of what the ends differ in that are kept where making all again saves little.
const PARTS: [f64; 4] = [0.5, 0.4, 0.3, 0.2];

/// A point of the hull, and the most bytes of a device with it.
#[derive(Clone, Copy)]
struct End {
    point: usize,
    peak: u64,
}

/// What may be made again for the backward pass, from what takes least time to what needs least memory.
#[derive(Default)]
pub(super) struct MadeAgain {
    /// Bytes that the points of the hull keep, from the most to the fewest; none if nothing trains.
    pub(super) kept: Vec<Bytes>,
    /// Whether the first of them makes nothing again.
    pub(super) begins_with_none: bool,
    /// Bytes that the usual choice keeps, where the first is another.
    usual: Option<Bytes>,
    /// Seconds of the whole step, before anything is sharded, that the first takes less than to make nothing again.
    pub(super) spared: Seconds,
}

impl MadeAgain {
    /// That of a function.
    pub(super) fn of(function: &Function, machine: &Machine) -> Self {
        let (roles, analysis) = (Roles::new(function), Analysis::on(function, machine.device.platform));
        let Some(phases) = Phases::new(function, &roles) else { return Self::default() };
        let of = Recomputation::new(&analysis, &roles, &phases, &machine.device);
        let hull = of.hull();
        let begins_with_none = of.again(&hull, &hull.points[0]).is_empty();
        Self {
            kept: hull.points.iter().map(|point| point.kept).collect(),
            usual: (!begins_with_none).then(|| of.kept(Named::Selective)),
            begins_with_none,
            spared: of.spared(&hull),
        }
    }

    /// The ends of the hull: what is made again with the most and with the fewest bytes. Where the program makes values again
    /// itself, names stand for what is made again beside these.
    pub(super) fn ends(&self, is_anew: bool) -> [Recompute; 2] {
        let named = [Recompute::Named(Named::None), Recompute::Named(Named::Full)];
        let [first, last] = match self.kept[..] {
            [] => return named,
            [only] => [only, only],
            [most, .., fewest] => [most, fewest],
        };
        let [none, full] = match is_anew {
            true => [Recompute::Keeping(first), Recompute::Keeping(last)],
            false => named,
        };
        [if self.begins_with_none { none } else { Recompute::Keeping(first) }, full]
    }
}

/// Whether there may be tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tiling {
    None,
    IfNeeded,
}

/// How ways are tried.
#[derive(Clone, Copy)]
pub(super) struct Tries<'a> {
    /// One of them.
    pub(super) attempt: &'a dyn Fn(Recompute, Tiling) -> Result<Attempt, CompileError>,
    /// Says which two come next, without tiles.
    pub(super) ahead: &'a dyn Fn([&Recompute; 2]),
}

/// The best plan that fits with as little made again as it takes, and what one with the least made again lacks. Where values are
/// kept in stacks, the usual choice is one more: the hull does not see what is fused with what.
///
/// # Errors
/// That it does not fit even if everything is made again that may be; others of `attempt`.
pub(super) fn least_again(
    again: &MadeAgain,
    ends: &[Recompute; 2],
    tries: Tries<'_>,
) -> Result<(Attempt, Option<Box<DoesNotFit>>), CompileError> {
    let too_much = Cell::new(Bytes(u64::MAX));
    let has_names = ends[1] == Recompute::Named(Named::Full);
    let usual = again.usual.filter(|_| has_names);
    let (best, lacks) = match along_hull(&again.kept, (ends, usual), tries, &too_much) {
        Ok((best, lacks)) => (Ok(best), lacks),
        Err(CompileError::NotFaster(slower)) => (Err(CompileError::NotFaster(slower)), None),
        Err(error) => return Err(error),
    };
    let may_fit = usual.is_some_and(|kept| kept < too_much.get());
    let usual = may_fit.then(|| (tries.attempt)(Recompute::Named(Named::Selective), Tiling::None));
    let usual = usual.and_then(|usual| fitting(usual).ok()).map(|usual| usual.attempt);
    faster(best, usual).map(|best| (best, lacks))
}

/// The same along the hull alone; it takes down the least that is too much to be kept. Where the `usual` choice keeps something
/// else, it is tried behind.
fn along_hull(
    kept: &[Bytes],
    (ends, usual): (&[Recompute; 2], Option<Bytes>),
    Tries { attempt, ahead }: Tries<'_>,
    too_much: &Cell<Bytes>,
) -> Result<(Attempt, Option<Box<DoesNotFit>>), CompileError> {
    if kept.len() > 1 {
        ahead([&ends[0], &ends[1]]);
    }
    let (in_tiles, too_large) = match fitting(attempt(ends[0].clone(), Tiling::IfNeeded)) {
        Err(CompileError::DoesNotFit(problem)) if kept.len() > 1 => (None, problem),
        Ok(Fitting { attempt, lacks: Some(problem), .. }) if kept.len() > 1 => (Some(attempt), problem),
        found => {
            let Fitting { attempt, lacks, .. } = found?;
            return Ok((attempt?, lacks));
        }
    };
    let tiling = if in_tiles.is_some() { Tiling::None } else { Tiling::IfNeeded };
    let limit = too_large.limit.0;
    let mut point = kept.len() - 1;
    let mut again = fitting(attempt(ends[1].clone(), tiling));
    if let Err(CompileError::DoesNotFit(problem)) = &again
        && saves_little(kept, [too_large.temporaries, problem.temporaries])
    {
        for share in PARTS {
            point = keeping(kept, share);
            again = fitting(attempt(Recompute::Keeping(kept[point]), tiling));
            if !matches!(again, Err(CompileError::DoesNotFit(_))) {
                break;
            }
        }
    }
    let again = match again {
        Ok(again) => again,
        // Only in tiles it fits, if that is not too slow.
        Err(error) => return Ok((in_tiles.ok_or(error)??, Some(too_large))),
    };
    too_much.set(kept[0]);
    let mut ends = [End { point: 0, peak: too_large.peak.0 }, End { point, peak: again.peak }];
    let mut best = faster(again.attempt, in_tiles);
    for number in 0..TRIES {
        let Some(point) = between(kept, ends, limit) else { break };
        if number == 0 && usual.is_some_and(|usual| usual < kept[0]) {
            ahead([&Recompute::Keeping(kept[point]), &Recompute::Named(Named::Selective)]);
        }
        match fitting(attempt(Recompute::Keeping(kept[point]), Tiling::None)) {
            Ok(Fitting { peak, attempt, .. }) => {
                ends[1] = End { point, peak };
                best = faster(best, Some(attempt));
            }
            Err(CompileError::DoesNotFit(problem)) => {
                too_much.set(kept[point]);
                ends[0] = End { point, peak: problem.peak.0 };
            }
            Err(CompileError::Interrupted) => break,
            Err(other) => return Err(other),
        }
    }
    Ok((best?, Some(too_large)))
}

/// What fits: the bytes that it needs, its plan if that is fast enough, and what it lacks without tiles.
struct Fitting {
    peak: u64,
    attempt: Result<Attempt, CompileError>,
    lacks: Option<Box<DoesNotFit>>,
}

/// The same of what was tried, whether it is fast enough or not.
fn fitting(tried: Result<Attempt, CompileError>) -> Result<Fitting, CompileError> {
    match tried {
        Ok(attempt) => {
            let (attempt, lacks) = attempt.and_lacks();
            Ok(Fitting { peak: attempt.peak_bytes(), attempt: Ok(attempt), lacks })
        }
        Err(CompileError::NotFaster(mut found)) => {
            let lacks = found.lacks.take();
            Ok(Fitting { peak: found.peak.0, attempt: Err(CompileError::NotFaster(found)), lacks })
        }
        Err(error) => Err(error),
    }
}

/// The faster of two, of which either may not be fast enough.
fn faster(
    one: Result<Attempt, CompileError>,
    other: Option<Result<Attempt, CompileError>>,
) -> Result<Attempt, CompileError> {
    match (one, other) {
        (Ok(one), Some(Ok(other))) => Ok(one.or_faster(other)),
        (Err(_), Some(other)) => other,
        (one, _) => one,
    }
}

/// Whether making all again spares less than half of the share of what the program makes that it should: what is made again
/// at once, as in a program without layers, is there at once. Then less of it may need less.
fn saves_little(kept: &[Bytes], [most, fewest]: [Bytes; 2]) -> bool {
    let [first, .., last] = kept else { return false };
    let share = |of: &Bytes, before: &Bytes| 1.0 - of.0 as f64 / before.0.max(1) as f64;
    kept.len() > 2 && 2.0 * share(&fewest, &most) < share(last, first)
}

/// The first point that keeps at most this share of what the ends differ in.
fn keeping(kept: &[Bytes], share: f64) -> usize {
    let [first, .., last] = kept else { return 0 };
    let most = last.0 as f64 + share * (first.0 - last.0) as f64;
    kept.iter().position(|bytes| bytes.0 as f64 <= most).unwrap_or(0)
}

/// The point strictly between two that should just fit if peaks were linear in kept bytes.
fn between(kept: &[Bytes], [over, under]: [End; 2], limit: u64) -> Option<usize> {
    let inside = over.point + 1..under.point;
    let [most, fewest] = [kept[over.point].0 as f64, kept[under.point].0 as f64];
    let range = over.peak.saturating_sub(under.peak).max(1) as f64;
    let share = (limit.saturating_sub(under.peak) as f64 / range).min(1.0);
    let wanted = fewest + share * (most - fewest);
    inside.clone().find(|point| kept[*point].0 as f64 <= wanted).or(inside.last())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_point_that_should_just_fit_is_between_the_ends() {
        let kept: Vec<Bytes> = [100, 80, 50, 20, 0].map(Bytes).into();
        let ends = |over: u64, under: u64| [End { point: 0, peak: over }, End { point: 4, peak: under }];
        assert_eq!(between(&kept, ends(200, 100), 160), Some(2));
        assert_eq!(between(&kept, ends(200, 100), 199), Some(1));
        // If hardly anything is left, the last but one; if nothing is between, none.
        assert_eq!(between(&kept, ends(200, 100), 101), Some(3));
        assert_eq!(PARTS.map(|share| keeping(&kept, share)), [2, 3, 3, 3]);
        assert!(saves_little(&kept, [200, 101].map(Bytes)) && saves_little(&kept, [200, 220].map(Bytes)));
        assert!(!saves_little(&kept, [200, 100].map(Bytes)) && !saves_little(&kept[..2], [9, 9].map(Bytes)));
        assert_eq!(between(&kept[..2], [End { point: 0, peak: 9 }, End { point: 1, peak: 3 }], 5), None);
    }
}
