//! Whether this host has the memory for a run, before the run begins.
//!
//! Input: the bytes that a run takes. What is available is what the operating system says (`MemAvailable`, and the
//! limit of the process's address space); where it does not say, nothing is refused.

use crate::failure::{Failure, Finding, Outcome};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_machine::Bytes;
use std::fs;

/// This host does not have the memory to run the program.
const HOST_MEMORY: Check = Check("host-memory");

/// Memory that a run needs and that this host does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortage {
    /// What it needs.
    pub(crate) needed: Bytes,
    /// What there is.
    pub(crate) available: Bytes,
}

/// By how much `needed` is too much, if it is.
pub(crate) fn shortage(needed: u64) -> Option<Shortage> {
    let available = available()?;
    (needed > available).then_some(Shortage { needed: Bytes(needed), available: Bytes(available) })
}

impl Shortage {
    /// The failure to report. `what` is to be run.
    pub(crate) fn failure(self, what: &str, source: &Source) -> Failure {
        let Self { needed, available } = self;
        let message = format!("{what} needs about {needed} on this host, which has {available} available");
        let diagnostic = Diagnostic::error(HOST_MEMORY, Span::NONE, message)
            .hint("`meshwright plan` and `compile` need no memory for the data")
            .hint(
                "to run it here, make the program smaller (batch, layers), or take a host with more memory",
            );
        Failure::Check(Box::new(Finding { diagnostic, source: Some(source.clone()) }))
    }
}

/// Refuses what this host does not have the memory for.
pub(crate) fn require(needed: u64, what: &str, source: &Source) -> Outcome {
    shortage(needed).map_or(Ok(()), |shortage| Err(shortage.failure(what, source)))
}

/// Bytes that this process can still take, if the operating system says.
fn available() -> Option<u64> {
    let read = |path: &str| fs::read_to_string(path).ok();
    let free = read("/proc/meminfo").and_then(|text| kibibytes(&text, "MemAvailable:"));
    let address_space = read("/proc/self/limits").and_then(|text| address_space(&text));
    let taken = read("/proc/self/status").and_then(|text| kibibytes(&text, "VmSize:")).unwrap_or(0);
    let left = address_space.map(|limit| limit.saturating_sub(taken));
    free.into_iter().chain(left).min()
}

/// The bytes in a line such as `MemAvailable:   16303680 kB`.
fn kibibytes(text: &str, key: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(key))?;
    rest.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The limit in a line such as `Max address space   12288000000   unlimited   bytes`, if there is one.
fn address_space(text: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_operating_system_says_is_read() {
        let meminfo = "MemTotal:       24689984 kB\nMemAvailable:   16303680 kB\n";
        assert_eq!(kibibytes(meminfo, "MemAvailable:"), Some(16_303_680 << 10));
        assert_eq!(kibibytes(meminfo, "MemFree:"), None);
        assert_eq!(kibibytes("MemAvailable: lots", "MemAvailable:"), None);
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max address space         12288000000          unlimited            bytes     \n";
        assert_eq!(address_space(limits), Some(12_288_000_000));
        assert_eq!(address_space(&limits.replace("12288000000", "unlimited")), None);
    }

    #[test]
    fn only_what_is_too_much_is_refused() {
        let source = Source::new("a.mlir", "");
        assert!(require(0, "the check", &source).is_ok());
        if available().is_some() {
            assert!(require(u64::MAX, "the check", &source).is_err());
        }
    }
}
