//! Degrees of parallelism: over how many devices each kind of it extends.
//!
//! Input: what a plan was recognized as. Output: [`Degrees`], as the field writes them: `dp=32, tp=8, zero=1`. An axis
//! counts for what it mainly does, so that dp, tp, cp and ep multiply to the number of devices, or to less where some do
//! the same as others. What fsdp and sp shard along comes with dp (or ep) and tp.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Names of degrees, in the order in which they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DegreeName {
    /// Devices of the batch.
    Dp,
    /// Those of them over which parameters are sharded.
    Fsdp,
    /// Devices of weights.
    Tp,
    /// Those of them over which tokens are sharded between products.
    Sp,
    /// Devices of tokens.
    Cp,
    /// Devices of experts.
    Ep,
    /// The stage of ZeRO.
    Zero,
    /// Groups of devices that run stages of a pipeline.
    Pp,
    /// Virtual stages of each of them.
    Vp,
}

impl DegreeName {
    /// All of them.
    pub const ALL: [Self; 9] =
        [Self::Dp, Self::Fsdp, Self::Tp, Self::Sp, Self::Cp, Self::Ep, Self::Zero, Self::Pp, Self::Vp];

    /// Name as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dp => "dp",
            Self::Fsdp => "fsdp",
            Self::Tp => "tp",
            Self::Sp => "sp",
            Self::Cp => "cp",
            Self::Ep => "ep",
            Self::Zero => "zero",
            Self::Pp => "pp",
            Self::Vp => "vp",
        }
    }
}

impl fmt::Display for DegreeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DegreeName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|degree| degree.name() == text);
        known.ok_or_else(|| format!("`{text}` is no kind of parallelism"))
    }
}

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

impl Degrees {
    /// One of them; of a step that is not cut into stages, `pp` and `vp` are 1.
    pub fn get(&self, name: DegreeName) -> usize {
        match name {
            DegreeName::Dp => self.dp,
            DegreeName::Fsdp => self.fsdp,
            DegreeName::Tp => self.tp,
            DegreeName::Sp => self.sp,
            DegreeName::Cp => self.cp,
            DegreeName::Ep => self.ep,
            DegreeName::Zero => self.zero,
            DegreeName::Pp | DegreeName::Vp => 1,
        }
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
