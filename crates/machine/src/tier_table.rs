//! The tables `[host]` and `[nvme]` of a machine file.
//!
//! Input: a table, and what the `base` has of it. Output: a [`Tier`], or errors at their places.

use serde::Deserialize;
use toml::Spanned;

use crate::error::MachineError;
use crate::figures::Check;
use crate::machine::{Device, Tier};
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

/// The memory of a host, and its drives, which are reached through it. What is wrong is reported to `check`.
pub(crate) fn build(
    [host, nvme]: [&Option<Spanned<TierTable>>; 2],
    base: Option<&Device>,
    check: &mut Check<'_>,
) -> [Option<Tier>; 2] {
    let found = [
        one("host", host.as_ref(), base.and_then(|base| base.host), check),
        one("nvme", nvme.as_ref(), base.and_then(|base| base.nvme), check),
    ];
    if let ([None, Some(_)], None, Some(table)) = (found, host, nvme) {
        let error = MachineError::new("the machine has `[nvme]`, but no `[host]`");
        check.error(
            table.span(),
            error.hint("what goes to the drives goes through the host: describe it too"),
        );
    }
    found
}

/// The memory that the table of this name describes; without a table that of the base.
fn one(
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

#[cfg(test)]
mod tests {
    use crate::{Bytes, Machine};

    #[test]
    fn tables_add_to_a_base_and_are_written_back() {
        let text = "base = \"cpu8\"\nname = \"ours\"\nassumed = [\"host.efficiency\"]\n\
                    [host]\nmemory = \"64 GiB\"\nbandwidth = \"2 GB/s\"\nefficiency = 0.5\n\
                    [nvme]\nmemory = \"1 TiB\"\nbandwidth = \"1 GB/s\"\nefficiency = 1\n";
        let machine = Machine::from_toml(text, "ours.toml").unwrap();
        let host = machine.device.host.unwrap();
        assert_eq!((host.memory, host.achievable_bandwidth().0), (Bytes(64 << 30), 1e9));
        assert_eq!(Machine::from_toml(&machine.to_toml(), "again.toml").unwrap(), machine);
        let less = text.replace("memory = \"64 GiB\"\n", "");
        let errors = Machine::from_toml(&less, "ours.toml").unwrap_err();
        assert!(errors[0].to_string().contains("missing key `host.memory`"), "{}", errors[0]);
    }
}
