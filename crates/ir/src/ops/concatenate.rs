//! `stablehlo.concatenate` (specification, "concatenate").

use crate::attribute::{Attr, Attributes};
use crate::eval::Context;
use crate::eval_error::EvalError;
use crate::op::{AttrReader, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::tensor::Tensor;
use crate::text::{OpPrinter, Parsed, Parser};
use crate::types::Type;

/// The operands one after the other along a dim.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Concatenate {
    /// The dim along which they are joined.
    pub dim: usize,
}

impl OpDef for Concatenate {
    const NAMES: &'static [&'static str] = &["stablehlo.concatenate"];

    fn name(&self) -> &'static str {
        "stablehlo.concatenate"
    }

    /// `%a, %b, dim = 0 : (...) -> ...`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let mut operands = Vec::new();
        while !p.at_word("dim") {
            operands.push(p.operand()?);
            p.expect(b',')?;
        }
        p.field("dim")?;
        let dim = p.size()?;
        let attributes = p.attr_dict_opt()?;
        let (types, results) = p.colon_function_type()?;
        Ok(ParsedInst::new(Self { dim }, operands, results).typed(types).with(attributes))
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let dim = attributes.int("dimension")?;
        let dim = usize::try_from(dim).map_err(|_| format!("C4: `dimension` is negative: {dim}"))?;
        Ok(Self { dim })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        [("dimension".to_owned(), Attr::i64(self.dim as i64))].into_iter().collect()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(" ");
        p.values(&view.inst.operands);
        p.text(&format!(", dim = {}", self.dim));
        p.attributes();
        p.signature();
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.num_operands();
        if !violations.require(count > 0, || "C3: concatenates at least one operand".into())
            || !violations.shape(view, count, 1, 0)
        {
            return;
        }
        let first = view.operand(0);
        if !violations.require(self.dim < first.rank(), || {
            format!("C4: dim {} is out of range for operands of rank {}", self.dim, first.rank())
        }) {
            return;
        }
        let mut joined = first.clone();
        for index in 1..count {
            let operand = view.operand(index);
            violations.require(operand.element == first.element, || {
                format!("C1: operand {index} is of {}, operand 0 of {}", operand.element, first.element)
            });
            let agrees = operand.rank() == first.rank()
                && (0..first.rank()).all(|dim| dim == self.dim || operand.shape[dim] == first.shape[dim]);
            if !violations.require(agrees, || {
                format!("C2: {operand} and {first} differ in more than dim {}", self.dim)
            }) {
                return;
            }
            joined.shape[self.dim] = joined.shape[self.dim].saturating_add(operand.shape[self.dim]);
        }
        violations.result_type(view, 0, &joined.into());
    }

    /// Elements move along the joined dim, so each tensor has a factor of its own there.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, size) in view.result(0).shape.iter().enumerate() {
            if dim != self.dim {
                let operands: Vec<_> = (0..view.num_operands()).map(|operand| (operand, dim)).collect();
                rule.add_dim(*size, FactorKind::PassThrough, &operands, &[(0, dim)]);
                continue;
            }
            for operand in 0..view.num_operands() {
                rule.add_dim(view.operand(operand).shape[dim], FactorKind::Permuted, &[(operand, dim)], &[]);
            }
            rule.add_dim(*size, FactorKind::Permuted, &[], &[(0, dim)]);
        }
        rule
    }

    fn flops(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(
        &self,
        _: &InstView<'_>,
        inputs: Vec<Tensor>,
        _: &mut dyn Context,
    ) -> Result<Vec<Tensor>, EvalError> {
        Ok(vec![Tensor::concatenate(&inputs, self.dim)?])
    }
}
