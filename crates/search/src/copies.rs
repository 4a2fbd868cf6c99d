//! Copies that are not kept: where a plan needs too much memory, what is only kept for later readers is gathered again for
//! them.
//!
//! Input: shardings, a limit. Output: the uses that are gathered again (`Policy::GatherAgain`), until
//! the peak fits, or nothing at the peak is only kept. So parameters that are sharded are gathered once for the forward
//! and once for the backward pass, as FSDP does it, instead of being kept in between; but only as many as have to.

use meshwright_cost::memory::{kept_copies, memory};
use meshwright_cost::{Analysis, Lowering};
use meshwright_machine::Bytes;
use meshwright_plan::{Policy, Shardings};

/// How often the peak is looked at, at most.
const ROUNDS: usize = 64;

/// The share of what is only kept that goes at least in each round.
const LEAST: u64 = 8;

/// Drops copies, the largest first.
pub(crate) fn drop_until_it_fits(analysis: &Analysis<'_>, shardings: &mut Shardings, limit: Bytes) {
    for _ in 0..ROUNDS {
        let lowering = Lowering::new(analysis, shardings);
        let peak = memory(&lowering).peak;
        if peak <= limit {
            return;
        }
        let kept = kept_copies(&lowering);
        let all: u64 = kept.iter().map(|copy| copy.bytes.0).sum();
        let mut left = (peak.0 - limit.0).max(all / LEAST);
        let before = shardings.policies.count(Policy::GatherAgain);
        for copy in kept {
            if shardings.policies.of(copy.group) != Policy::Keep {
                continue;
            }
            shardings.policies.set(copy.group, Policy::GatherAgain);
            left = left.saturating_sub(copy.bytes.0);
            if left == 0 {
                break;
            }
        }
        if shardings.policies.count(Policy::GatherAgain) == before {
            return;
        }
    }
}
