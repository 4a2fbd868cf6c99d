//! Dims along which all elements of a value are equal, as a broadcast makes them.
//!
//! Input: an instruction, its rule on local shapes and the meanings of its operands. Output: the factors along which all
//! elements of whatever has them are equal.

use super::meaning::Meaning;
use meshwright_ir::op::Along;
use meshwright_ir::program::InstView;
use meshwright_ir::rule::{FactorKind, ShardingRule};

/// Of each factor, whether all elements along it are equal in every operand that has it.
pub(super) fn factors(view: &InstView<'_>, rule: &ShardingRule, operands: &[Meaning]) -> Vec<bool> {
    let mut uniform: Vec<Option<bool>> = vec![None; rule.factors.len()];
    for (operand, dims) in operands.iter().zip(&rule.operands) {
        for (dim, factors) in dims.iter().enumerate() {
            let own = dim < 64 && operand.uniform >> dim & 1 == 1;
            factors
                .iter()
                .for_each(|factor| uniform[*factor] = Some(uniform[*factor].unwrap_or(true) && own));
        }
    }
    let of_factor = |(factor, found): (usize, &Option<bool>)| match (rule.factors[factor].kind, found) {
        (FactorKind::PassThrough, Some(found)) => {
            *found && dim(rule, factor).is_none_or(|dim| view.inst.op.along(dim) != Along::Own)
        }
        (FactorKind::Reduced(_), Some(found)) => *found,
        (_, None) => dim(rule, factor).is_some_and(|dim| view.inst.op.along(dim) == Along::Repeated),
        _ => false,
    };
    uniform.iter().enumerate().map(of_factor).collect()
}

/// The dims of a tensor whose factors are all uniform, as bits.
pub(super) fn dims(tensor: &[Vec<usize>], uniform: &[bool]) -> u64 {
    let is_uniform =
        |factors: &Vec<usize>| !factors.is_empty() && factors.iter().all(|factor| uniform[*factor]);
    let dims = tensor.iter().enumerate().take(64).filter(|(_, factors)| is_uniform(factors));
    dims.fold(0, |set, (dim, _)| set | 1 << dim)
}

/// The dim of the first result that has a factor.
fn dim(rule: &ShardingRule, factor: usize) -> Option<usize> {
    rule.results.first()?.iter().position(|dim| dim.contains(&factor))
}
