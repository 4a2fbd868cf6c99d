//! What a plan says of microbatches.
//!
//! Input: how a step is cut, and the replicas over which the batch is sharded. Output: [`PlanMicrobatches`].

use serde::{Deserialize, Serialize};

/// The microbatches of a step. The batch is their number times their size times the replicas, or a little less where
/// these do not divide it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanMicrobatches {
    /// Microbatches of a step on each replica: accumulation steps. This decides.
    pub count: usize,
    /// Examples of one microbatch on one replica, at most.
    #[serde(default)]
    pub size: usize,
    /// Replicas over which the batch is sharded.
    #[serde(default)]
    pub replicas: usize,
    /// Examples of a step in all.
    #[serde(default)]
    pub batch: usize,
    /// Passes over the batch.
    #[serde(default)]
    pub passes: usize,
    /// Values that are put together from the whole batch in the program, but from one microbatch where its examples are
    /// computed from them: what the step computes is not what the program says. That there are any decides.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub local_statistics: Vec<String>,
    /// Turns of each loop that is written out, since it sums up over the batch what its next turn reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loops_written_out: Vec<u64>,
}

impl PlanMicrobatches {
    /// So many microbatches of a batch, each of so many examples on all replicas together.
    #[must_use]
    pub fn new(count: usize, examples: usize, batch: usize, passes: usize, replicas: usize) -> Self {
        // Where there are fewer examples than replicas, some replicas do the same.
        let replicas = replicas.clamp(1, examples.max(1));
        let size = examples.div_ceil(replicas);
        Self {
            count,
            size,
            replicas,
            batch,
            passes,
            local_statistics: Vec::new(),
            loops_written_out: Vec::new(),
        }
    }
}
