//! In how few microbatches a way fits that needs too much memory in one.
//!
//! Input: ways that do not fit, where nothing is said of microbatches. Output: for each the fewest with which it would. What a
//! way needs is its state, and the rest of it divided by the microbatches at best, so that numbers with which even that is too
//! much are not priced. [`grid_in_fewest`] prices ways in these.

use meshwright_analyze::{Roles, batch};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::DegreeName;
use meshwright_search::ParallelDegrees;
use meshwright_transform::time::divisors;

use super::variations::Variation;
use super::{GridOutcome, GridRow, grid_so_far};
use crate::error::CompileError;
use crate::microbatch_size;
use crate::options::{Microbatches, Options};
use crate::recompute::Recompute;
use crate::transform::flattened;

/// A way that does not fit.
#[derive(Clone, Debug)]
pub(super) struct Misfit {
    /// The position of its way among all.
    pub(super) row: usize,
    pub(super) way: ParallelDegrees,
    /// What it makes again.
    pub(super) recompute: Option<Recompute>,
    /// Devices that share the batch.
    pub(super) replicas: usize,
    /// What it needs in so many microbatches.
    pub(super) needs: Needs,
    pub(super) microbatches: usize,
}

/// Memory that a way needs on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Needs {
    /// The most in use at once.
    pub(super) peak: Bytes,
    /// The part of it that arguments take: parameters and moments.
    pub(super) state: Bytes,
}

/// What becomes of a way in some microbatches: `Ok` where it fits, or what it needs; nothing where it cannot be cut so.
pub(super) type Weighed = Option<Result<(), Needs>>;

impl Misfit {
    /// What a variation in one microbatch needs on a machine.
    pub(super) fn of(variation: &Variation, needs: Needs, machine: &Machine) -> Option<Self> {
        let Variation { row, way, ref recompute, .. } = *variation;
        let replicas = microbatch_size::replicas(&way.degrees(machine.num_devices()).ok()?);
        Some(Self { row, way, recompute: recompute.clone(), replicas, needs, microbatches: 1 })
    }

    /// What it needs at least in so many microbatches.
    fn in_microbatches(&self, count: usize) -> Bytes {
        let Needs { peak, state } = self.needs;
        let rest = peak.0.saturating_sub(state.0) as f64;
        Bytes(state.0 + (rest * self.microbatches as f64 / count as f64) as u64)
    }
}

/// The rows that fit in microbatches, each with the fewest; `weigh` says what becomes of ways in so many, with what is made
/// again.
///
/// # Errors
/// Those of `weigh`.
pub(super) fn fewest(
    mut misfits: Vec<Misfit>,
    batch: usize,
    limit: Bytes,
    weigh: impl Fn(usize, Option<&Recompute>, &[ParallelDegrees]) -> Result<Vec<Weighed>, CompileError>,
) -> Result<Vec<(usize, usize)>, CompileError> {
    let mut found = Vec::new();
    // Rows that make the same again lie side by side, in their order.
    let mut ways_of_again: Vec<Option<Recompute>> = Vec::new();
    for misfit in &misfits {
        if !ways_of_again.contains(&misfit.recompute) {
            ways_of_again.push(misfit.recompute.clone());
        }
    }
    for count in divisors(batch).into_iter().filter(|count| *count > 1) {
        for again in &ways_of_again {
            let may_fit = |misfit: &Misfit| {
                misfit.recompute == *again
                    && (batch / count).is_multiple_of(misfit.replicas)
                    && misfit.in_microbatches(count) <= limit
            };
            let (mut own, others): (Vec<Misfit>, Vec<Misfit>) = misfits.into_iter().partition(may_fit);
            misfits = others;
            if own.is_empty() {
                continue;
            }
            let ways: Vec<ParallelDegrees> = own.iter().map(|misfit| misfit.way).collect();
            for (misfit, weighed) in own.iter_mut().zip(weigh(count, again.as_ref(), &ways)?) {
                match weighed {
                    Some(Ok(())) => found.push((misfit.row, count)),
                    Some(Err(needs)) => {
                        (misfit.needs, misfit.microbatches) = (needs, count);
                        misfits.push(misfit.clone());
                    }
                    None => misfits.push(misfit.clone()),
                }
            }
        }
    }
    Ok(found)
}

/// Numbers of microbatches that are tried where nothing fits in any with all kept, the most first.
const MOST_CUT: usize = 3;

/// Prices all combinations of degrees as [`grid_so_far`]. Where nothing is said of microbatches and rows fit in several alone, all
/// ways are priced again in the fewest with which one of them does, in half and a quarter of these, and in one, `asked` for with them;
/// groups of stages, which run them, and what is made again are searched then where nothing is said of these.
///
/// # Errors
/// As [`grid_so_far`].
pub fn grid_in_fewest(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Vec<GridRow>, CompileError> {
    let mut rows = grid_so_far(program, source, machine, options, control)?;
    if options.microbatches.is_some() || options.microbatch_size.is_some() {
        return Ok(rows);
    }
    let found = rows.iter().filter_map(|row| match row.outcome {
        GridOutcome::DoesNotFit { microbatches, .. } => microbatches,
        _ => None,
    });
    let counts: Vec<usize> = match found.min() {
        // What makes values again fits in fewer, perhaps in one.
        Some(count) => fewer(count, options.recompute.is_none()),
        // With all kept nothing fits in any number, and stages or what is made again may need less.
        None if !rows.iter().any(GridRow::is_plan) => {
            let function = flattened(program)?.function;
            let batch = batch::size(&function, &Roles::new(&function)).unwrap_or(1);
            divisors(batch).into_iter().rev().filter(|count| *count > 1).take(MOST_CUT).collect()
        }
        None => Vec::new(),
    };
    for count in counts {
        // Stages have nothing to run beside one another in one microbatch.
        let degrees = match count {
            1 => options.degrees.clone(),
            _ => options.degrees.clone().or_search(DegreeName::Pp),
        };
        let recompute = options.recompute.clone().or(Some(Recompute::Search));
        let microbatches = Some(Microbatches::Number(count));
        let options = Options { microbatches, degrees, recompute, ..options.clone() };
        let cut = grid_so_far(program, source, machine, &options, control)?;
        let asked = if count == 1 { "1 microbatch".to_owned() } else { format!("{count} microbatches") };
        rows.extend(cut.into_iter().map(|row| GridRow { asked: asked.clone(), ..row }));
    }
    Ok(rows)
}

/// Numbers of microbatches beside the fewest in which rows fit with all kept: half and a quarter of these and, where what is
/// made again is open, one.
fn fewer(count: usize, is_again_open: bool) -> Vec<usize> {
    let fewer = [count / 4, count / 2, count].into_iter();
    let fewer = fewer.filter(|fewer| *fewer > 1 && count.is_multiple_of(*fewer));
    is_again_open.then_some(1).into_iter().chain(fewer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn one_microbatch_is_tried_where_values_may_be_made_again() {
        assert_eq!(fewer(16, true), [1, 4, 8, 16]);
        assert_eq!(fewer(16, false), [4, 8, 16]);
        assert_eq!(fewer(2, true), [1, 2]);
        assert_eq!(fewer(6, false), [3, 6]);
    }

    #[test]
    fn what_fits_in_one_microbatch_is_weighed_in_no_more() {
        // It is none of those that do not fit, whatever the batch.
        let weigh =
            |_: usize, _: Option<&Recompute>, _: &[ParallelDegrees]| panic!("nothing is to be weighed");
        assert_eq!(fewest(Vec::new(), 16, Bytes(50), weigh).unwrap(), []);
        assert_eq!(fewest(Vec::new(), 1, Bytes(50), weigh).unwrap(), []);
    }

    #[test]
    fn numbers_that_cannot_do_are_not_weighed() {
        let misfit = |row: usize, replicas: usize, state: u64| Misfit {
            row,
            way: "dp=4".parse().unwrap(),
            recompute: None,
            replicas,
            needs: Needs { peak: Bytes(state + 80), state: Bytes(state) },
            microbatches: 1,
        };
        let weighed = RefCell::new(Vec::new());
        // The sum of gradients takes 10 from two microbatches on.
        let weigh = |count: usize, _: Option<&Recompute>, ways: &[ParallelDegrees]| {
            weighed.borrow_mut().push((count, ways.len()));
            let peak = 20 + 10 + 80 / count as u64;
            let needs = Needs { peak: Bytes(peak), state: Bytes(20) };
            Ok(vec![Some(if peak <= 50 { Ok(()) } else { Err(needs) }); ways.len()])
        };
        let misfits = vec![misfit(0, 4, 20), misfit(1, 1, 51), misfit(2, 8, 20)];
        // Three times as many replicas share no part of the batch.
        assert_eq!(fewest(misfits, 16, Bytes(50), weigh).unwrap(), [(0, 4)]);
        assert_eq!(*weighed.borrow(), [(4, 1)]);
    }
}
