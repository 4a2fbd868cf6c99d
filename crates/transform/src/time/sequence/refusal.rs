//! Reasons why a step cannot be cut into slices of its sequence.

use meshwright_ir::ids::InstId;
use std::fmt;

/// Reason why a step cannot be cut into slices of its sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceRefusal {
    /// No data has a dim beside the batch along which tokens could follow one another.
    NoSequence,
    /// It does not divide.
    Indivisible {
        /// Number of tokens.
        size: usize,
        /// Number of slices that were wanted.
        count: usize,
    },
    /// An instruction of the forward pass has nothing to do with the sequence, and would be made for every slice again.
    Apart(InstId),
    /// Tokens meet others in a way that is no product with all keys.
    Crosses(InstId),
    /// What later tokens are is read.
    Sees(InstId),
    /// A mask on data may leave a query no key of its own, and then all keys count alike.
    NoKey(InstId),
    /// A sum over all tokens is read for each of them.
    Sum(InstId),
    /// A gradient is made from those of earlier tokens.
    Backward(InstId),
    /// A loop or a branch reads tokens.
    Control(InstId),
    /// An instruction with side effects would run for every slice.
    Effect(InstId),
}

impl SequenceRefusal {
    /// The instruction at fault.
    pub fn inst(&self) -> Option<InstId> {
        match *self {
            Self::NoSequence | Self::Indivisible { .. } => None,
            Self::Apart(inst)
            | Self::Crosses(inst)
            | Self::Sees(inst)
            | Self::NoKey(inst)
            | Self::Sum(inst)
            | Self::Backward(inst)
            | Self::Control(inst)
            | Self::Effect(inst) => Some(inst),
        }
    }
}

impl fmt::Display for SequenceRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSequence => "no data has a sequence that slices could be cut from",
            Self::Indivisible { size, count } => {
                return write!(f, "a sequence of {size} does not divide into {count} slices");
            }
            Self::Apart(_) => "this does not follow from tokens, and every slice would make it again",
            Self::Crosses(_) => "tokens meet others here, in a way that no slice can by itself",
            Self::Sees(_) => {
                "this reads what later tokens are: no mask by positions keeps them from it, so the model is not causal"
            }
            Self::NoKey(_) => {
                "later tokens may count here: a mask on data may leave a query no key, and then all count alike"
            }
            Self::Sum(_) => "this reads a sum over all tokens, before all slices have run",
            Self::Backward(_) => "a gradient is made here from those of earlier tokens, which come last",
            Self::Control(_) => "a loop or a branch reads tokens here",
            Self::Effect(_) => "this has an effect of its own, and would run for every slice",
        })
    }
}
