//! Degrees of parallelism: over how many devices each kind of it extends.
//!
//! Input: what a plan was recognized as. Output: [`Degrees`], as the field writes them: `dp=32, tp=8, zero=1`. An axis
//! counts for what it mainly does, so that dp, tp, cp and ep multiply to the number of devices, or to less where some do
//! the same as others. What fsdp and sp shard along comes with dp (or ep) and tp.

use serde::{Deserialize, Serialize};
use std::fmt;

/// See the module's comment. A degree of 1 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Degrees {
    /// Devices over which mainly the batch is sharded.
    pub dp: usize,
    /// Devices of those, and of those over which experts are, over which nearly all parameters are sharded too.
    pub fsdp: usize,
    /// Devices over which mainly weights and the activations that they make are sharded, rows of tables too.
    pub tp: usize,
    /// Devices of those over which tokens are sharded where activations would be whole.
    pub sp: usize,
    /// Devices over which mainly tokens, or pixels, are sharded, with Ulysses or without.
    pub cp: usize,
    /// Devices over which experts are sharded, and the batch elsewhere.
    pub ep: usize,
    /// ZeRO's stage, 0 to 3: which state is sharded over devices that shard the batch.
    pub zero: usize,
}

impl Default for Degrees {
    fn default() -> Self {
        Self { dp: 1, fsdp: 1, tp: 1, sp: 1, cp: 1, ep: 1, zero: 0 }
    }
}

impl fmt::Display for Degrees {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dp, fsdp, tp, sp, cp, ep, zero } = self;
        write!(f, "dp={dp}, fsdp={fsdp}, tp={tp}, sp={sp}, cp={cp}, ep={ep}, zero={zero}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_said() {
        assert_eq!(Degrees::default().to_string(), "dp=1, fsdp=1, tp=1, sp=1, cp=1, ep=1, zero=0");
    }
}
