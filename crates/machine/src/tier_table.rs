//! The tables `[host]` and `[nvme]` of a machine file.
//!
//! Input: a table, and what the `base` has of it. Output: a [`Tier`], or errors at their places.

use serde::Deserialize;
use toml::Spanned;

use crate::figures::Check;
use crate::machine::Tier;
use crate::units::{Bytes, BytesPerSecond};

/// The keys that hold figures.
pub(crate) const FIGURES: [&str; 3] = ["memory", "bandwidth", "efficiency"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TierTable {
    memory: Option<Spanned<Bytes>>,
    bandwidth: Option<Spanned<BytesPerSecond>>,
    efficiency: Option<Spanned<f64>>,
}

/// The memory that the table of this name describes; without a table that of the base. What is wrong is reported to
/// `check`.
pub(crate) fn build(
    name: &str,
    table: Option<&Spanned<TierTable>>,
    base: Option<Tier>,
    check: &mut Check<'_>,
) -> Option<Tier> {
    let Some(table) = table else { return base };
    let (at, table) = (table.span(), table.get_ref());
    let key = |key: &str| format!("{name}.{key}");
    let memory = check.positive(&key("memory"), &table.memory);
    let memory = check.need(&key("memory"), &at, memory, base.map(|base| base.memory));
    let bandwidth = check.positive(&key("bandwidth"), &table.bandwidth);
    let bandwidth = check.need(&key("bandwidth"), &at, bandwidth, base.map(|base| base.bandwidth));
    let efficiency = check.fraction(&key("efficiency"), &table.efficiency);
    let efficiency = check.need(&key("efficiency"), &at, efficiency, base.map(|base| base.efficiency));
    Some(Tier { memory: memory?, bandwidth: bandwidth?, efficiency: efficiency? })
}
