//! Combinations that schedules have tables for.

use meshwright_schedule::{Named, Stages};

use super::Search;
use super::combinations::Combination;

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
}
