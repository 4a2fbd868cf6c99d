//! `stablehlo.transpose` (specification, "transpose").

use crate::attribute::{Attr, Attributes};
use crate::eval::Context;
use crate::op::{AttrReader, Given, Linearity, OpDef, OpPriority, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sharding::Reduction;
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{TensorType, Type};

/// The dims in another order.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Transpose {
    /// Dim `i` of the result is dim `permutation[i]` of the operand.
    pub permutation: Vec<usize>,
}

impl OpDef for Transpose {
    const NAMES: &'static [&'static str] = &["stablehlo.transpose"];

    fn name(&self) -> &'static str {
        "stablehlo.transpose"
    }

    /// `%x, dims = [1, 0] : (...) -> ...`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        p.expect(b',')?;
        p.field("dims")?;
        let permutation = p.sizes()?;
        let attributes = p.attr_dict_opt()?;
        let (types, results) = p.colon_function_type()?;
        Ok(ParsedInst::new(Self { permutation }, vec![operand], results).typed(types).with(attributes))
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { permutation: attributes.dims("permutation")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        [("permutation".to_owned(), Attr::dims(&self.permutation))].into_iter().collect()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(" ");
        p.values(&view.inst.operands);
        p.text(&format!(", dims = {:?}", self.permutation));
        p.attributes();
        p.signature();
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let operand = view.operand(0);
        let mut sorted = self.permutation.clone();
        sorted.sort_unstable();
        let permutes = violations.require(sorted.into_iter().eq(0..operand.rank()), || {
            format!("C2: {:?} does not permute the dims of {operand}", self.permutation)
        });
        if permutes {
            violations.inferred(view);
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operand = given.tensor(0)?;
        let sizes = self.permutation.iter().map(|dim| operand.shape.get(*dim).copied());
        Some(vec![TensorType::new(sizes.collect::<Option<Vec<usize>>>()?, operand.element).into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, source) in self.permutation.iter().enumerate() {
            let size = view.result(0).shape[dim];
            rule.add_dim(size, FactorKind::PassThrough, &[(0, *source)], &[(0, dim)]);
        }
        rule
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        OpPriority::PassThrough
    }

    fn flops(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::moves()
    }

    fn evaluate(
        &self,
        _: &InstView<'_>,
        inputs: Vec<Tensor>,
        _: &mut dyn Context,
    ) -> Result<Vec<Tensor>, EvalError> {
        Ok(vec![inputs[0].transpose(&self.permutation)?])
    }
}
