//! `#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=8} reduction={k}>`: a sharding rule as text.
//!
//! Input: what a user or Shardy attached to an instruction. It is read, checked against the instruction and printed;
//! the rules that Meshwright itself works with are [`crate::rule::ShardingRule`]s.

use super::SdyAttr;
use crate::attribute::{Attr, Attributes};
use crate::sharding::write_list;
use meshwright_tensor::types::Type;
use std::fmt;

/// Factors of one dim, major first.
pub type DimFactors = Vec<usize>;

/// `#sdy.op_sharding_rule<...>`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct OpShardingRule {
    /// For each operand, the factors of its dims.
    pub operands: Vec<Vec<DimFactors>>,
    /// For each result, the factors of its dims.
    pub results: Vec<Vec<DimFactors>>,
    /// Size of each factor.
    pub sizes: Vec<i64>,
    /// Factors that are reduced away.
    pub reduction: Vec<usize>,
    /// Factors of which every device needs the whole.
    pub need_replication: Vec<usize>,
    /// Factors along which elements move.
    pub permutation: Vec<usize>,
    /// Factors along which shardings do not propagate.
    pub blocked_propagation: Vec<usize>,
    /// Whether a user wrote it, so that it replaces the op's own.
    pub is_custom: bool,
}

impl OpShardingRule {
    /// The attribute of an instruction that holds one.
    pub const NAME: &'static str = "sdy.sharding_rule";

    /// The rule that the user gave an instruction with these attributes (`sdy.sharding_rule`); any instruction may have
    /// one, and it stands in place of the op's own.
    pub fn from_attributes(attributes: &Attributes) -> Option<&Self> {
        match attributes.get(Self::NAME) {
            Some(Attr::Sdy(attribute)) => match &**attribute {
                SdyAttr::Rule(rule) => Some(rule),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The position of `z` in the factors' names: behind it come `z_1`, `z_2`, ...
const Z: usize = 17;

/// A factor's name: `i` to `z`, then `z_1`, `z_2`, ...
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FactorName(pub usize);

impl fmt::Display for FactorName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            index @ 0..=Z => write!(f, "{}", char::from(b'i' + index as u8)),
            index => write!(f, "z_{}", index - Z),
        }
    }
}

/// The factors that a word names: `ij`, `zz_1`. Errors: what is not a factor's name.
pub fn factors_of(word: &str) -> Result<DimFactors, String> {
    let mut factors = Vec::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix("z_") {
            let digits = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let number = behind[..digits].parse::<usize>().ok().and_then(|number| number.checked_add(Z));
            match number {
                Some(index) if !behind.starts_with('0') => factors.push(index),
                _ => return Err(format!("`{rest}` should begin with `z_` and a number from 1")),
            }
            rest = &behind[digits..];
        } else if ('i'..='z').contains(&first) {
            factors.push(usize::from(first as u8 - b'i'));
            rest = &rest[1..];
        } else {
            return Err(format!("factors are named `i` to `z`, `z_1`, `z_2`, ..., not `{first}`"));
        }
    }
    Ok(factors)
}

struct Factors<'a>(&'a [usize]);

impl fmt::Display for Factors<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            // MLIR writes in full what would be nothing.
            return f.write_str("#sdy.dim_mapping");
        }
        self.0.iter().try_for_each(|factor| FactorName(*factor).fmt(f))
    }
}

/// `[i, jk]`.
pub(super) struct TensorDims<'a>(pub(super) &'a [DimFactors]);

impl fmt::Display for TensorDims<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<Factors<'_>> = self.0.iter().map(|dim| Factors(dim)).collect();
        f.write_str("[")?;
        write_list(f, &dims)?;
        f.write_str("]")
    }
}

impl fmt::Display for OpShardingRule {
    /// The part between `#sdy.op_sharding_rule<` and `>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (open, tensors) in [("(", &self.operands), (")->(", &self.results)] {
            f.write_str(open)?;
            write_list(f, &tensors.iter().map(|dims| TensorDims(dims)).collect::<Vec<_>>())?;
        }
        f.write_str(")")?;
        for (index, size) in self.sizes.iter().enumerate() {
            let open = if index == 0 { " {" } else { ", " };
            write!(f, "{open}{}={size}", FactorName(index))?;
        }
        f.write_str(if self.sizes.is_empty() { "" } else { "}" })?;
        for (name, factors) in self.special() {
            if !factors.is_empty() {
                write!(f, " {name}={{")?;
                write_list(f, &factors.iter().map(|factor| FactorName(*factor)).collect::<Vec<_>>())?;
                f.write_str("}")?;
            }
        }
        f.write_str(if self.is_custom { ", custom" } else { "" })
    }
}

impl OpShardingRule {
    fn special(&self) -> [(&'static str, &[usize]); 4] {
        [
            ("reduction", &self.reduction),
            ("need_replication", &self.need_replication),
            ("permutation", &self.permutation),
            ("blocked_propagation", &self.blocked_propagation),
        ]
    }

    /// Problems with an instruction that has these operands and results.
    pub fn problems<'t>(
        &self,
        operands: impl Iterator<Item = &'t Type>,
        results: impl Iterator<Item = &'t Type>,
    ) -> Vec<String> {
        let mut problems = Vec::new();
        let mut used = vec![false; self.sizes.len()];
        self.check_tensors("operand", &self.operands, operands, &mut used, &mut problems);
        let mut in_results = vec![false; self.sizes.len()];
        self.check_tensors("result", &self.results, results, &mut in_results, &mut problems);
        for (index, size) in self.sizes.iter().enumerate() {
            if !used[index] && !in_results[index] {
                problems.push(format!("factor {}={size} is in no operand and no result", FactorName(index)));
            }
        }
        let mut kind = vec![""; self.sizes.len()];
        for (name, factors) in self.special() {
            if factors.windows(2).any(|pair| pair[0] >= pair[1]) {
                problems.push(format!("the {name} factors should be listed in order, each once"));
            }
            for factor in factors {
                let Some(before) = kind.get_mut(*factor) else {
                    problems.push(format!("{name} lists {}, which has no size", FactorName(*factor)));
                    continue;
                };
                if name != "blocked_propagation" && !std::mem::replace(before, name).is_empty() {
                    let factor = FactorName(*factor);
                    problems.push(format!(
                        "factor {factor} is listed twice among reduction, need_replication and permutation"
                    ));
                }
            }
        }
        let reduced = self.reduction.iter().find(|factor| in_results.get(**factor) == Some(&true));
        if let Some(factor) = reduced {
            problems.push(format!("the reduction factor {} is in a result", FactorName(*factor)));
        }
        problems
    }

    fn check_tensors<'t>(
        &self,
        what: &str,
        tensors: &[Vec<DimFactors>],
        types: impl Iterator<Item = &'t Type>,
        used: &mut [bool],
        problems: &mut Vec<String>,
    ) {
        let types: Vec<&Type> = types.collect();
        if types.len() != tensors.len() {
            problems.push(format!(
                "the rule is for {} {what}s, but there are {}",
                tensors.len(),
                types.len()
            ));
            return;
        }
        if types.is_empty() {
            problems.push(format!("a rule needs at least one {what}"));
        }
        for (index, (ty, dims)) in types.into_iter().zip(tensors).enumerate() {
            let rank = ty.as_tensor().map(|tensor| tensor.rank());
            if rank != Some(dims.len()) {
                problems
                    .push(format!("{what} {index} is a {ty}, but the rule has {} dims for it", dims.len()));
                continue;
            }
            let mut here = vec![false; self.sizes.len()];
            for factors in dims {
                if factors.is_empty() {
                    problems.push(format!("a dim of {what} {index} has no factor"));
                }
                for factor in factors {
                    let Some(seen) = here.get_mut(*factor) else {
                        let name = FactorName(*factor);
                        problems.push(format!("{what} {index} has the factor {name}, which has no size"));
                        continue;
                    };
                    if std::mem::replace(seen, true) {
                        problems.push(format!("{what} {index} has the factor {} twice", FactorName(*factor)));
                    }
                    if self.sizes[*factor] == 1 && factors.len() > 1 {
                        let name = FactorName(*factor);
                        problems
                            .push(format!("{what} {index} has the factor {name}=1 beside others in one dim"));
                    }
                    used[*factor] = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_named_by_letters_then_numbers() {
        assert_eq!(factors_of("ij"), Ok(vec![0, 1]));
        assert_eq!(factors_of("zz_1z_20i"), Ok(vec![17, 18, 37, 0]));
        for wrong in ["a", "i_1", "z_", "z_0", "z_z_1", "z_01", "z_99999999999999999999"] {
            assert!(factors_of(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Factors(&[0, 17, 18, 37]).to_string(), "izz_1z_20");
    }
}
