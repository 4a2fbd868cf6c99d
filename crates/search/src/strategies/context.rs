//! Context parallel: the axis shards the tokens of the data and of the residual stream. Where attention needs all
//! tokens, propagation and pricing decide what is gathered or exchanged.

use super::{Strategy, data};
use crate::problem::{Answer, DimKind, GroupKind, Problem};

/// Tokens are sharded.
pub(super) const CONTEXT: Strategy = Strategy { name: "context parallel", apply };

fn apply(problem: &Problem, answer: &mut Answer, axis: usize) -> bool {
    let data = data::shard_data(problem, answer, axis, DimKind::Sequence);
    if data {
        data::shard_kind(problem, answer, axis, GroupKind::Activation, DimKind::Sequence);
    }
    data
}
