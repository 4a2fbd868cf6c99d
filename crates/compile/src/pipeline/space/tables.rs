//! Tables that have no name, for stages of segments.
//!
//! Input: the segments of a combination. Output: the best table that is found for what its stages take, on one or two stages
//! of each group, in the memory that these leave ([`meshwright_schedule::synthesis`]).

use meshwright_plan::{Schedule, Table};
use meshwright_schedule::named;
use meshwright_schedule::synthesis::{self, Objective, Problem};

use super::combinations::Combination;
use super::cuts::{Chain, Wants};
use super::segments::Segments;
use super::{Numbers, Search};
use crate::pipeline::PartsOf;
use crate::pipeline::figures::StageFigures;
use crate::pipeline::search::left;
use crate::pipeline::transfers::Links;

/// Schedules for whose stages a table is made, the first of them that fit: all have two on each group, and keep the less the
/// later they stand.
const STAGES_OF: [&str; 3] = ["zb-v", "v-half", "v-min"];

impl Search<'_> {
    /// The best table that is found, with the stages that it has on each group; none where there are too few segments for two
    /// on each, where nothing is trained, or where the stages of each group are others.
    pub(super) fn own_table(
        &self,
        open: &Combination,
        segments: &Segments,
        chain: &Chain<'_>,
        links: &mut Links<'_>,
    ) -> Option<(Schedule, usize)> {
        if open.groups < 2 || self.short.parts_of == PartsOf::Sequence || !self.short.trains {
            return None;
        }
        let timed = self.timed(open, segments, chain, 2);
        let stages = STAGES_OF.into_iter().find_map(|name| {
            let schedule = named(name)?.table(&timed.numbers).ok()?;
            chain.stages(&Wants::of(&Table::of(&schedule).ok()?, self.limit()))
        })?;
        let figures = |((from, to), way): ((usize, usize), &usize)| chain.figures(from, to, *way, true);
        let own: Vec<StageFigures> = stages.ranges().into_iter().zip(&stages.ways).map(figures).collect();
        let problem = Problem {
            groups: open.groups,
            microbatches: open.cut.microbatches,
            limit: left(&own, self.limit()).0 as f64,
            costs: timed.costs(&own, &stages, links),
            objective: Objective::Makespan,
        };
        let made = synthesis::search(&problem, self.control)?.schedule;
        let each = Table::of(&made).ok()?.num_stages / open.groups;
        let is_asked = match &self.space.virtual_stages {
            Numbers::These(counts) => counts.contains(&each),
            _ => true,
        };
        (is_asked && self.allows((open.groups, each))).then_some((made, each))
    }
}
