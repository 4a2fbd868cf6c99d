//! In how many microbatches each way of a grid runs, and what it makes again.
//!
//! Input: ways, and what the options say of microbatches and of what is made again. Output: [`Variation`]s of each way: one,
//! or several where the options search; and of several that were priced the best.

use meshwright_machine::{Bytes, Seconds};
use meshwright_models::LayerForm;
use meshwright_plan::Degrees;
use meshwright_search::ParallelDegrees;
use meshwright_search::recompute::Named;
use meshwright_transform::time::divisors;

use super::GridOutcome;
use crate::microbatch_size;
use crate::options::{Microbatches, Options};
use crate::recompute::Recompute;

/// A way with what else tells rows apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Variation {
    /// The position of its way among all.
    pub(super) row: usize,
    pub(super) way: ParallelDegrees,
    /// Microbatches; none if nothing is said of them.
    pub(super) microbatches: Option<usize>,
    pub(super) recompute: Option<Recompute>,
}

impl Variation {
    /// All of a way; `degrees` are its own on the machine, `batch` the examples of a step, if it has any.
    ///
    /// # Errors
    /// In words: the microbatches that are asked for do not go with the way.
    pub(super) fn all(
        row: usize,
        way: ParallelDegrees,
        degrees: &Degrees,
        batch: Option<usize>,
        options: &Options,
    ) -> Result<Vec<Self>, String> {
        let is_pipeline = is_staged(way, options);
        let counts = counts((degrees, way.groups()), batch, options)?;
        if way.groups() > 1 && counts.iter().all(Option::is_none) {
            return Err(
                "a pipeline runs microbatches: give `--microbatches` or `--microbatch-size`".to_owned()
            );
        }
        let again = match &options.recompute {
            Some(Recompute::Values(_) | Recompute::Keeping(_)) if is_pipeline => {
                return Err("pipelines make nothing, or everything of a kind, again: `--recompute none`, `selective`, \
                            `full` or `search`"
                    .to_owned());
            }
            // Each stage has its own answer, beside those that are the same for all: these are priced as they are, and ways that a
            // search weighs as what they add.
            Some(Recompute::Search) if is_pipeline => vec![
                Some(Recompute::Search),
                Some(Recompute::Named(Named::Selective)),
                Some(Recompute::Named(Named::Full)),
            ],
            Some(Recompute::Search) => [Named::None, Named::Selective, Named::Full]
                .map(|named| Some(Recompute::Named(named)))
                .to_vec(),
            None if is_pipeline => vec![Some(Recompute::Named(Named::None))],
            asked => vec![asked.clone()],
        };
        let with = |microbatches: &Option<usize>| {
            let of = |recompute: &Option<Recompute>| Self {
                row,
                way,
                microbatches: *microbatches,
                recompute: recompute.clone(),
            };
            again.iter().map(of).collect::<Vec<_>>()
        };
        Ok(counts.iter().flat_map(with).collect())
    }

    /// Whether it is priced in segments.
    pub(super) fn is_staged(&self, options: &Options) -> bool {
        is_staged(self.way, options)
    }

    /// Variations that share what they are priced with are equal in this: groups, microbatches, what is made again.
    pub(super) fn shared(&self) -> (usize, Option<usize>, Option<&Recompute>) {
        (self.way.groups(), self.microbatches, self.recompute.as_ref())
    }
}

/// Pipelines have their layers one behind the other, and so have ways of one group where that is asked for.
fn is_staged(way: ParallelDegrees, options: &Options) -> bool {
    way.groups() > 1 || options.layers == LayerForm::WrittenOut
}

/// The numbers of microbatches of a way.
fn counts(
    (degrees, groups): (&Degrees, usize),
    batch: Option<usize>,
    options: &Options,
) -> Result<Vec<Option<usize>>, String> {
    let replicas = microbatch_size::replicas(degrees);
    let searched = options.microbatches == Some(Microbatches::Search);
    let number = match options.microbatches {
        Some(Microbatches::Number(number)) => Some(number),
        Some(Microbatches::Search) | None => None,
    };
    let Some(size) = options.microbatch_size else {
        return Ok(match (searched, batch) {
            (true, Some(batch)) => {
                let fits = |count: &usize| (batch / count).is_multiple_of(replicas);
                let counts: Vec<usize> = divisors(batch).into_iter().filter(fits).collect();
                if counts.is_empty() { vec![Some(1)] } else { counts.into_iter().map(Some).collect() }
            }
            (_, Some(batch)) => {
                let number_of_one = number.unwrap_or(1);
                microbatch_size::must_share(batch, number_of_one, degrees, groups)
                    .map_err(|words| words.join(": "))?;
                vec![number]
            }
            (_, None) => vec![number],
        });
    };
    let batch = batch
        .ok_or("`--microbatch-size` is of the batch of a training step, and nothing here trains on one")?;
    let count =
        size.checked_mul(replicas).filter(|each| batch.is_multiple_of(*each)).map(|each| batch / each);
    match count.filter(|count| number.is_none_or(|number| number == *count)) {
        Some(count) => Ok(vec![Some(count)]),
        None => {
            let number = number.map(|number| format!("{number} ")).unwrap_or_default();
            Err(format!(
                "{number}microbatches of {size} on {replicas} replicas do not make a batch of {batch}"
            ))
        }
    }
}

/// The better outcome: the first of equal ones. Which is better is not known where one was not priced.
pub(super) fn better(first: GridOutcome, second: GridOutcome) -> GridOutcome {
    match [&first, &second].contains(&&GridOutcome::Unpriced) {
        true => GridOutcome::Unpriced,
        false if Rank::of(&second) < Rank::of(&first) => second,
        false => first,
    }
}

/// Order of outcomes, the best first: of plans the faster and then the smaller, then what needs least memory.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) struct Rank(u8, f64, u64);

impl Rank {
    /// That of an outcome.
    pub(crate) fn of(outcome: &GridOutcome) -> Self {
        match outcome {
            GridOutcome::Plan(figures) => Self::of_plan(figures.seconds, figures.peak),
            GridOutcome::DoesNotFit { peak, .. } => Self(1, 0.0, peak.0),
            GridOutcome::NotAllowed(_) | GridOutcome::Refused(_) => Self(2, 0.0, 0),
            GridOutcome::Unpriced => Self(3, 0.0, 0),
        }
    }

    /// The same for each of so many.
    pub(super) fn for_each(self, count: usize) -> Self {
        Self(self.0, self.1 / count.max(1) as f64, self.2)
    }

    /// That of a plan.
    pub(super) fn of_plan(seconds: Seconds, peak: Bytes) -> Self {
        Self(0, seconds.0, peak.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variations(way: &str, options: &Options) -> Result<Vec<(Option<usize>, Option<Recompute>)>, String> {
        let way: ParallelDegrees = way.parse().unwrap();
        let degrees = way.degrees(8).unwrap();
        let all = Variation::all(0, way, &degrees, Some(16), options)?;
        Ok(all.into_iter().map(|own| (own.microbatches, own.recompute)).collect())
    }

    #[test]
    fn microbatches_of_a_size_follow_from_the_replicas() {
        let options = Options { microbatch_size: Some(2), ..Options::default() };
        assert_eq!(variations("dp=8", &options).unwrap(), [(Some(1), None)]);
        assert_eq!(variations("dp=2,tp=4", &options).unwrap(), [(Some(4), None)]);
        let none = Some(Recompute::Named(Named::None));
        assert_eq!(variations("dp=2,pp=4", &options).unwrap(), [(Some(4), none)]);
        let options = Options { microbatch_size: Some(3), ..Options::default() };
        assert!(variations("dp=2,tp=4", &options).unwrap_err().contains("3 on 2 replicas"));
    }

    #[test]
    fn a_search_leaves_several() {
        let options = Options {
            microbatches: Some(Microbatches::Search),
            recompute: Some(Recompute::Search),
            ..Options::default()
        };
        assert_eq!(variations("dp=4,tp=2", &options).unwrap().len(), 3 * 3);
        assert_eq!(variations("dp=4,pp=2", &options).unwrap().len(), 3 * 3);
        assert!(variations("dp=4,pp=2", &Options::default()).unwrap_err().contains("microbatches"));
    }
}
