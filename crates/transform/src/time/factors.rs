//! Factors that time cuts, and where they stand in dims.
//!
//! A dim that is cut is seen as `[outer, n, together]`: microbatch `m` of `n` has what is at `m` of the second. So time cuts
//! the factor of the dim that holds these `n` parts, whichever factors stand before and behind it. In most ops it is the
//! first: the batch, with the elements of an example behind it. A reshape may also take the batch apart, as one does for a
//! loop that accumulates by itself; then the parts are in the last factor.
//!
//! ```text
//! 8x4 -> 32, examples first        the parts are in the 8, with 4 elements together in the 32
//! 8 -> 2x4, in 2 microbatches      the parts are in the 4: each part has every second example of both rows
//! ```

use super::Along;
use meshwright_ir::rule::{Factor, FactorIndex, FactorKind, ShardingRule};

/// The factor along which time cuts an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CutFactor {
    /// The factor.
    pub(crate) factor: FactorIndex,
    /// How many of its iterations, one behind the other, stay together.
    pub(crate) together: usize,
}

/// Places of the factor that is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Places {
    /// Before all others of its dims.
    First,
    /// Anywhere: the instruction only moves elements, in their order.
    Any,
}

/// The factor of a dim with these factors that holds the parts, of which `together` elements stay together.
pub(crate) fn factor_of(
    rule: &ShardingRule,
    factors: &[FactorIndex],
    together: usize,
    count: usize,
) -> Option<CutFactor> {
    let mut behind = 1;
    for factor in factors.iter().copied().rev().filter(|factor| rule.factors[*factor].size > 1) {
        let size = rule.factors[factor].size;
        if together.is_multiple_of(behind) && size.is_multiple_of(together / behind * count) {
            return Some(CutFactor { factor, together: together / behind });
        }
        behind *= size;
    }
    None
}

/// The dim of these that holds a factor, and how much of it stays together.
pub(crate) fn along(rule: &ShardingRule, cut: CutFactor, dims: &[Vec<FactorIndex>]) -> Option<Along> {
    let (dim, factors) = dims.iter().enumerate().find(|(_, factors)| factors.contains(&cut.factor))?;
    let behind = factors.iter().skip_while(|factor| **factor != cut.factor).skip(1);
    let behind: usize = behind.map(|factor| rule.factors[*factor].size).product();
    Some(Along { dim, together: cut.together * behind })
}

/// Whether time can cut a factor: parts along it are independent, or combine, and it stands where it may.
pub(crate) fn can_cut(rule: &ShardingRule, cut: CutFactor, places: Places) -> bool {
    let Factor { kind, reach, .. } = rule.factors[cut.factor];
    let is_plain = matches!(
        kind,
        FactorKind::PassThrough | FactorKind::Offset | FactorKind::Reduced(_) | FactorKind::SummedElsewhere
    );
    let stands = |dims: &Vec<Vec<FactorIndex>>| stands_well(rule, cut.factor, dims, places);
    is_plain && reach == 0 && rule.operands.iter().chain(&rule.results).all(stands)
}

/// Whether a tensor has a factor at most once, and where it may be.
fn stands_well(rule: &ShardingRule, factor: FactorIndex, dims: &[Vec<FactorIndex>], places: Places) -> bool {
    let mut holders = dims.iter().filter(|dim| dim.contains(&factor));
    match (holders.next(), holders.next()) {
        (None, _) => true,
        (Some(dim), None) => {
            let first = dim.iter().copied().find(|factor| rule.factors[*factor].size > 1);
            places == Places::Any || first == Some(factor)
        }
        (Some(_), Some(_)) => false,
    }
}
