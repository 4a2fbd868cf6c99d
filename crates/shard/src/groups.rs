//! Sharding groups of one function, as partitioning reads them: values that are sharded alike.
//!
//! The members of a group share one slot (`prepared`), so nothing can tell them apart.

use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::sdy_sharding_group::members;
use meshwright_ir::program::Body;
use std::collections::BTreeMap;

/// The members of each group of a body.
pub(crate) fn groups(body: &Body) -> Vec<Vec<ValueId>> {
    let mut groups: BTreeMap<i64, Vec<ValueId>> = BTreeMap::new();
    for (id, _, value) in members(body) {
        let group = groups.entry(id).or_default();
        if group.first().is_none_or(|first| body.ty(*first) == body.ty(value)) {
            group.push(value);
        }
    }
    groups.into_values().collect()
}
