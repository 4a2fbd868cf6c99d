//! A pipeline's step with fewer layers, for its twin.
//!
//! Input: a step that is cut, how a group shards it, and where its stages begin. Output: [`FewerLayers`]: the same without
//! the segments of each stage that are as others of it. Segments are alike here if their instructions are, and if these are
//! sharded alike and run again alike, so that whatever the plan decides of a segment, or of one behind another, is decided
//! of one that stays.
//!
//! ```text
//! stage 0: embedding attention mlp attention mlp attention mlp attention mlp
//!          embedding attention mlp                         attention mlp
//! ```

use meshwright_ir::ids::InstId;
use meshwright_ir::program::Program;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_machine::Machine;
use meshwright_plan::Shardings;
use meshwright_stage::places::Between;
use meshwright_stage::shorter::{Run, without_runs};
use meshwright_stage::{Staged, Step, places};
use std::collections::BTreeSet;

use super::cut::Cut;
use super::space::{Spread, at_all_places};
use crate::options::Options;

/// A step with fewer layers, decided as the whole one is.
pub(super) struct FewerLayers {
    pub(super) cut: Cut,
    pub(super) shardings: Shardings,
    /// Positions of the forward pass at which stages begin, but for the first.
    pub(super) places: Vec<usize>,
    /// Segments of the step, and those that stay.
    pub(super) segments: [usize; 2],
}

/// What is decided of an instruction.
type Decided<'a> = (&'a Strategy, Vec<&'a Sharding>, bool);

impl FewerLayers {
    /// With so many segments of each kind in each stage at least, or all. None if all segments are needed, or stages begin where
    /// no segment does.
    pub(super) fn of(
        program: &Program,
        cut: &Cut,
        (shardings, places): (&Shardings, &[usize]),
        least: &dyn Fn(usize) -> usize,
        machine: &Machine,
        options: &Options,
    ) -> Option<Self> {
        let step = cut.step().ok()?;
        let between = [places::between(&step), Between::Valleys].into_iter().find(|between| {
            let open = places::open(&step.clone().cut_at(Some(*between)));
            places.iter().all(|place| open.contains(place))
        })?;
        let step = step.cut_at(Some(between));
        let staged = at_all_places(&step);
        let open = places::open(&step);
        let end = |place: &usize| Some(open.iter().position(|own| own == place)? + 1);
        let ends: Vec<usize> = places.iter().map(end).collect::<Option<_>>()?;
        let decided = decided(cut, &step, &staged, shardings);
        let mut runs = Vec::new();
        let trace = &cut.microbatched.made.trace;
        let short = without_runs(&cut.flat.function, trace, &step, &staged, |kinds| {
            let kinds = finer(kinds, &decided);
            let starts = [0].into_iter().chain(ends.iter().copied());
            let stages = starts.zip(ends.iter().copied().chain([kinds.len()]));
            let stages = stages.enumerate();
            runs = stages.filter_map(|(stage, own)| left_out(&kinds, own, least(stage))).collect();
            runs.clone()
        })?;
        let kept: Vec<usize> =
            (0..staged.count).filter(|segment| !runs.iter().any(|run| run.has(*segment))).collect();
        let parts = cut.parts.only(&short.arguments, &short.results);
        let mut short = cut.of_another(program, short.made, options).ok()?;
        short.parts = parts;
        short.between = Some(between);
        let (again, shardings, places) = {
            let short_step = short.step().ok()?;
            let short_staged = at_all_places(&short_step);
            if short_staged.count != kept.len() {
                return None;
            }
            let spread = Spread::of((&short_step, &short_staged), (&step, &staged), &kept)?;
            let open = places::open(&short_step);
            let place =
                |end: &usize| open.get(kept.iter().filter(|own| *own < end).count().checked_sub(1)?).copied();
            let places: Vec<usize> = ends.iter().map(place).collect::<Option<_>>()?;
            let is_again = |inst: &InstId| {
                let twin = spread.insts[*inst].and_then(|twin| cut.origin(twin));
                twin.is_some_and(|twin| cut.made_again_insts().contains(&twin))
            };
            let again = short_step.inside.iter().filter(|inst| is_again(inst));
            let again: BTreeSet<InstId> = again.filter_map(|inst| short.origin(*inst)).collect();
            (again, spread.shardings(short_step.function, step.function, shardings)?, places)
        };
        let segments = [staged.count, kept.len()];
        Some(Self { cut: short.with_again(program, again, machine), shardings, places, segments })
    }
}

/// What is decided of the instructions of each segment, in the order of the program.
fn decided<'a>(
    cut: &Cut,
    step: &Step<'_>,
    staged: &Staged,
    shardings: &'a Shardings,
) -> Vec<Vec<Decided<'a>>> {
    let mut all = vec![Vec::new(); staged.count];
    let inside = step.inside.iter().zip(&staged.stage).filter_map(|(inst, own)| Some((*inst, (*own)?)));
    let behind = staged.update.sites.iter().map(|(inst, site)| (*inst, site.stage));
    for (inst, segment) in inside.chain(behind) {
        let results = &step.body().insts[inst].results;
        let is_again = cut.origin(inst).is_some_and(|own| cut.made_again_insts().contains(&own));
        let results = results.iter().map(|value| &shardings.values[*value]).collect();
        all[segment].push((&shardings.strategies[inst], results, is_again));
    }
    all
}

/// Kinds of segments that are alike only if what is decided of them is.
fn finer(kinds: &[usize], decided: &[Vec<Decided<'_>>]) -> Vec<usize> {
    let is_like = |one: usize, other: usize| kinds[one] == kinds[other] && decided[one] == decided[other];
    (0..kinds.len()).map(|own| (0..own).find(|other| is_like(*other, own)).unwrap_or(own)).collect()
}

/// The longest run of a stage's segments that it may do without: each kind, as often as `least` if it has as many, and each
/// behind each other that it has, stays.
fn left_out(kinds: &[usize], (start, end): (usize, usize), least: usize) -> Option<Run> {
    let neighbors = |kept: &[usize]| -> BTreeSet<[usize; 2]> {
        kept.windows(2).map(|pair| [kinds[pair[0]], kinds[pair[1]]]).collect()
    };
    let own: Vec<usize> = (start..end).collect();
    let all = neighbors(&own);
    let of_kind = |segments: &[usize], kind: usize| {
        segments.iter().filter(|segment| kinds[**segment] == kind).count().min(least)
    };
    let fits = |run: &Run| {
        let kept: Vec<usize> = own.iter().copied().filter(|segment| !run.has(*segment)).collect();
        run.is_seamless(kinds)
            && neighbors(&kept) == all
            && own.iter().all(|segment| of_kind(&kept, kinds[*segment]) == of_kind(&own, kinds[*segment]))
    };
    let runs = (start..end)
        .flat_map(|first| (first + 1..end.saturating_sub(1)).map(move |last| Run { first, last }));
    runs.filter(fits).max_by_key(|run| (run.last - run.first, usize::MAX - run.first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_and_each_behind_each_other_stays_in_a_stage() {
        // An embedding, then layers of two segments; the last stage has a head.
        let kinds = [0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3];
        assert_eq!(left_out(&kinds, (0, 7), 1), Some(Run { first: 1, last: 3 }));
        assert_eq!(left_out(&kinds, (7, 12), 1), None);
        assert_eq!(left_out(&[1, 1, 1, 1, 1], (0, 5), 1), Some(Run { first: 0, last: 3 }));
        assert_eq!(left_out(&[1, 2, 3, 4], (0, 4), 1), None);
    }

    #[test]
    fn a_stage_with_loops_keeps_turns_of_them() {
        let kinds = [0, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3];
        assert_eq!(left_out(&kinds, (0, 12), 3), Some(Run { first: 1, last: 5 }));
        assert_eq!(left_out(&kinds, (0, 7), 3), None);
        assert_eq!(left_out(&[1, 1, 1, 1, 1], (0, 5), 3), Some(Run { first: 0, last: 2 }));
    }
}
