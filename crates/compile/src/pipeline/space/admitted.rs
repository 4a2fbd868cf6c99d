//! Schedules that are tried for a combination, and whether any has a table for it.
//!
//! Input: numbers of groups and of microbatches, and what was asked for. Output: named schedules, each with the stages of a
//! group.

use meshwright_schedule::{Named, Stages, named};

use super::combinations::Combination;
use super::{Numbers, PartsOf, Search};
use crate::pipeline::search::MANY;

/// Schedules that alone are tried where groups have [`MANY`] microbatches: they wait little whatever the schedule.
const FEW: [&str; 3] = ["1f1b", "interleaved-1f1b", "zb-h1"];

/// Where they have even more, one table takes seconds.
const VERY_MANY: usize = 1 << 16;

/// The schedule of one group, and the simplest.
const ALONE: &str = "1f1b";

impl Search<'_> {
    /// Whether any schedule that was asked for has a table for a combination. Of all schedules there are some that have.
    pub(super) fn has_table(&self, open: &Combination) -> bool {
        let (groups, microbatches) = (open.groups, open.cut.microbatches);
        let is_one = |(named, virtual_stages): (Named, usize)| {
            let layers = Some(self.short.like.len());
            named.table(&Stages { groups, virtual_stages, microbatches, layers }).is_ok()
        };
        self.space.schedules.is_empty() || self.schedules(groups, microbatches).into_iter().any(is_one)
    }

    /// The schedules that are tried, with the stages of each group.
    pub(super) fn schedules(&self, groups: usize, microbatches: usize) -> Vec<(Named, usize)> {
        let is_open = self.space.schedules.is_empty();
        let known: Vec<Named> = match groups * microbatches {
            _ if self.short.parts_of == PartsOf::Sequence => self.all_schedules(),
            many if is_open && many > VERY_MANY => named(ALONE).into_iter().collect(),
            many if is_open && many > MANY => FEW.into_iter().filter_map(named).collect(),
            _ => self.all_schedules(),
        };
        // One group does one thing after the other; then it keeps only what it is about to read.
        if groups == 1 && self.allows((1, 1)) {
            return named(ALONE).map(|alone| (alone, 1)).into_iter().collect();
        }
        let counts = |named: Named| {
            let mut counts = self.space.stages_of(&named);
            counts.retain(|count| self.allows((groups, *count)));
            let is_open = !matches!(self.space.virtual_stages, Numbers::These(_));
            let tried = if is_open && groups * microbatches > MANY { 1 } else { counts.len() };
            counts.into_iter().take(tried).map(move |count| (named, count))
        };
        known.into_iter().flat_map(counts).collect()
    }
}
