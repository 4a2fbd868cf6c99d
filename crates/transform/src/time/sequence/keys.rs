//! What an instruction reads along keys, and what it makes of that.
//!
//! Input: what is known of each operand where keys are later than their query, or of the same token. Output: the same of the
//! result.

use super::unseen::{Own, Unseen, elementwise, mixed, product};
use meshwright_ir::ids::InstId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::InstView;
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};

/// Elements of an operand, or of all that an instruction reads, by the factor of the keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    pub(super) unseen: Unseen,
    pub(super) own: Own,
    pub(super) keys: Option<FactorIndex>,
    /// The product from which its elements against keys come.
    pub(super) origin: Option<InstId>,
}

impl Read {
    /// What has no keys.
    pub(super) const PLAIN: Self =
        Self { unseen: Unseen::True, own: Own::Ordinary, keys: None, origin: None };
}

/// Whether each query sees a key in all that an instruction reads: that of its own token.
pub(super) fn is_sure(reads: &[Read]) -> bool {
    reads.iter().all(|read| !read.own.may_be_hidden())
}

/// What a result is where the key is of the same token as the query.
pub(super) fn own(view: &InstView<'_>, reads: &[Read]) -> Own {
    let all: Vec<Own> = reads.iter().map(|read| read.own).collect();
    match &view.inst.op {
        op if op.traits().is_elementwise => Own::elementwise(view, &all),
        Op::Reshape(_) | Op::Transpose(_) | Op::BroadcastInDim(_) | Op::Slice(_) => all[0],
        _ => Own::any(&all),
    }
}

/// What a result is along the keys, if it has them; what it is as a whole, if not. None: it would be other than in the step.
pub(super) fn made(
    view: &InstView<'_>,
    reads: &[Read],
    rule: &ShardingRule,
    (keys, has_keys): (Option<FactorIndex>, bool),
) -> Option<Unseen> {
    let Some(keys) = keys else { return Some(Unseen::True) };
    let is_sure = is_sure(reads);
    let unseen: Vec<Unseen> = reads.iter().map(|read| read.unseen).collect();
    let all_true = unseen.iter().all(|unseen| unseen.is_true());
    let is_apart = matches!(rule.factors[keys].kind, FactorKind::PassThrough);
    match (&view.inst.op, has_keys) {
        (op, true) if op.traits().is_elementwise => Some(elementwise(view, &unseen, is_sure)),
        (Op::Reshape(_) | Op::Transpose(_) | Op::BroadcastInDim(_) | Op::Slice(_), true) => Some(unseen[0]),
        (Op::DotGeneral(_), true) => Some(product(unseen[0], unseen[1])),
        (Op::DotGeneral(_), false) => {
            (all_true || product(unseen[0], unseen[1]).is_zero()).then_some(Unseen::True)
        }
        (Op::Reduce(_), _) => {
            let kept = if has_keys { Some(mixed(&unseen, true)) } else { None };
            let op = reducer(view.body, view.region(0));
            let is_sum_of_zeros = unseen.iter().all(|unseen| unseen.is_zero()) && op == Some(Binary::Add);
            // What is low does not count where there is another; what a maximum begins with is not one of the elements.
            let leaves_low_out = op == Some(Binary::Maximum)
                && self::is_sure(&reads[..reads.len() / 2])
                && unseen.iter().all(|unseen| unseen.is_true() || matches!(unseen, Unseen::Low { .. }));
            match has_keys {
                true if is_sum_of_zeros => Some(Unseen::Number(0.0)),
                true => kept,
                false => (all_true || leaves_low_out).then_some(Unseen::True),
            }
        }
        (_, true) if all_true => Some(Unseen::True),
        (_, true) if is_apart => Some(Unseen::Anything),
        (_, _) => all_true.then_some(Unseen::True),
    }
}
