//! What was decided of tensors that decide together, and what else they could have been.

use meshwright_ir::ids::ValueId;
use meshwright_ir::sharding::Sharding;

/// Sharding of some tensors, and the next best one.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// The tensors, such as `w1` of every layer.
    pub values: Vec<ValueId>,
    /// How they are kept.
    pub kept: Sharding,
    /// The next best way; none if there is no other.
    pub next: Option<Next>,
}

/// A way that was not chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Next {
    /// How the tensors would be kept.
    pub sharding: Sharding,
    /// Seconds that it adds to a step. Less than 0: it would be faster, and takes more memory.
    pub seconds: f64,
    /// Bytes that it adds on each device.
    pub bytes: i64,
}
