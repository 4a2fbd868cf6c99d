//! Tables that have no name, for stages of segments.
//!
//! Input: the segments of a combination. Output: the best tables that are found for what its stages take, on as many stages of each
//! group as are asked for or usual, in the memory that these leave ([`meshwright_schedule::synthesis`]): one for one or two stages,
//! and one for each other number with which a table that has a name comes near to the best.

use meshwright_plan::{Schedule, Table};
use meshwright_schedule::named;
use meshwright_schedule::synthesis::{self, NEAR, Objective, Problem, USUAL};

use super::combinations::Combination;
use super::cuts::{Chain, Wants};
use super::segments::Segments;
use super::{Numbers, Search};
use crate::pipeline::PartsOf;
use crate::pipeline::figures::StageFigures;
use crate::pipeline::search::{MANY, left, together};
use crate::pipeline::transfers::Links;

/// Schedules for whose stages a table is made, the first of them that fit: those of one, two or more stages on each group, which
/// keep the less the later they stand, but for the last, which takes any number of microbatches.
const OF_ONE: [&str; 3] = ["zb-h2", "zb-h1", "1f1b"];
const OF_TWO: [&str; 3] = ["zb-v", "v-half", "v-min"];
const OF_MORE: [&str; 3] = ["interleaved-zb", "interleaved-1f1b", "looped-bfs"];

impl Search<'_> {
    /// The best tables that are found, with the stages that they have on each group; none where there are too few segments for
    /// so many on each, where nothing is trained, or where no table fits.
    pub(super) fn own_tables(
        &self,
        open: &Combination,
        segments: &Segments,
        chain: &Chain<'_>,
        links: &mut Links<'_>,
    ) -> Vec<(Schedule, usize)> {
        let mut made = Vec::new();
        if open.groups < 2 || self.short.parts_of == PartsOf::Sequence || !self.short.trains {
            return made;
        }
        let mut least: Option<f64> = None;
        for numbers in together(&self.stages_of_tables(open)) {
            let Some(problem) = self.problem(open, segments, chain, &numbers, links) else { continue };
            let is_near = |least: f64| problem.best_named().is_some_and(|best| best.value <= NEAR * least);
            if least.is_some_and(|least| !is_near(least)) {
                continue;
            }
            let Some(answer) = synthesis::search(&problem, self.control) else { continue };
            let Ok(table) = Table::of(&answer.schedule) else { continue };
            let each = table.num_stages / open.groups;
            least = Some(least.map_or(answer.value, |least| least.min(answer.value)));
            made.push((answer.schedule, each));
        }
        made
    }

    /// Numbers of stages on each group for which tables are made.
    fn stages_of_tables(&self, open: &Combination) -> Vec<usize> {
        let is_many = open.groups * open.cut.microbatches > MANY;
        let mut counts = match &self.space.virtual_stages {
            Numbers::These(counts) => counts.clone(),
            _ => USUAL.into_iter().filter(|count| *count <= 2 || !is_many).collect(),
        };
        counts.retain(|count| self.allows((open.groups, *count)));
        counts
    }

    /// The search for a table of stages with these numbers on each group; none where there are too few segments, or none fit.
    fn problem(
        &self,
        open: &Combination,
        segments: &Segments,
        chain: &Chain<'_>,
        numbers: &[usize],
        links: &mut Links<'_>,
    ) -> Option<Problem> {
        let most = numbers.iter().copied().max()?;
        let timed = self.timed(open, segments, chain, most);
        let names = match most {
            1 => OF_ONE,
            2 => OF_TWO,
            _ => OF_MORE,
        };
        let stages = names.into_iter().find_map(|name| {
            let schedule = named(name)?.table(&timed.numbers).ok()?;
            chain.stages(&Wants::of(&Table::of(&schedule).ok()?, self.limit()))
        })?;
        let figures = |((from, to), way): ((usize, usize), &usize)| chain.figures(from, to, *way, true);
        let own: Vec<StageFigures> = stages.ranges().into_iter().zip(&stages.ways).map(figures).collect();
        Some(Problem {
            groups: open.groups,
            virtual_stages: numbers.to_vec(),
            microbatches: open.cut.microbatches,
            limit: left(&own, open.groups, self.limit()).0 as f64,
            costs: timed.costs(&own, &stages, links),
            objective: Objective::Makespan,
        })
    }
}
