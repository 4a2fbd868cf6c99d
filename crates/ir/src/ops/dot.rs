//! `stablehlo.dot` (not in the specification; older exporters write it): products of vectors and matrices.

use super::dot_general::DotGeneral;
use super::dot_general::precisions;
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::kernel_shape::{KernelShape, Matmul, factors};
use crate::op::{Accuracy, AttrReader, Given, Linearity, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sharding::Reduction;
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::matmul;
use meshwright_tensor::types::{TensorType, Type};

/// Contracts the last dim of the left operand with the first of the right one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Dot {
    /// `DEFAULT`, `HIGH` or `HIGHEST` per operand, if given.
    pub precision: Option<Vec<String>>,
}

impl OpDef for Dot {
    const NAMES: &'static [&'static str] = &["stablehlo.dot"];

    /// `%a, %b, precision = [DEFAULT, DEFAULT] : (...) -> ...`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let left = p.operand()?;
        p.expect(b',')?;
        let right = p.operand()?;
        let mut precision = None;
        if p.eat(b',') {
            p.field("precision")?;
            precision = Some(precisions(p)?);
        }
        let mut attributes = p.attr_dict_opt()?;
        if let Some(precision) = &precision {
            attributes.set("precision_config", Attr::precision(precision));
        }
        let op = p.from_dict(name, &mut attributes, Self::from_attributes)?;
        Ending::Signature.types_behind(p, op, vec![left, right], attributes)
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { precision: attributes.precision_opt("stablehlo")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        if let Some(precision) = &self.precision {
            attributes.set("precision_config", Attr::precision(precision));
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        if let Some(precision) = self.precision.as_ref().filter(|words| !words.is_empty()) {
            p.text(", precision = ");
            p.list(precision);
        }
        Ending::Signature.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        let (left, right, result) = (view.operand(0), view.operand(1), view.result(0));
        let Some(expected) = result_shape(left, right) else {
            let message = format!("multiplies vectors and matrices that fit, not {left} and {right}");
            violations.messages.push(message);
            return;
        };
        violations.require(result.shape == expected, || {
            format!("the result should have shape {expected:?}, not {:?}", result.shape)
        });
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let shape = result_shape(given.tensor(0)?, given.tensor(1)?)?;
        Some(vec![TensorType::new(shape, given.element_of_product()?).into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let (left, right) = (view.operand(0), view.operand(1));
        let (left_is_matrix, right_is_matrix) = (left.rank() == 2, right.rank() == 2);
        if left_is_matrix {
            rule.add_dim(left.shape[0], FactorKind::PassThrough, &[(0, 0)], &[(0, 0)]);
        }
        if right_is_matrix {
            let dim = usize::from(left_is_matrix);
            rule.add_dim(right.shape[1], FactorKind::PassThrough, &[(1, 1)], &[(0, dim)]);
        }
        let summed = [(0, usize::from(left_is_matrix)), (1, 0)];
        rule.add_dim(right.shape[0], FactorKind::Reduced(Reduction::Sum), &summed, &[]);
        rule
    }

    /// A multiplication and an addition per result element and contracted position.
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let elements = |ty: &Type| ty.as_tensor().map_or(0.0, |tensor| tensor.num_elements() as f64);
        let contracted = operands[1].as_tensor().map_or(1, |right| right.shape[0]);
        2.0 * elements(&results[0]) * contracted as f64
    }

    fn accuracy(&self) -> Option<Accuracy> {
        Some(Accuracy::of_words(self.precision.as_deref().unwrap_or(&[])))
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_each(&[0, 1])
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let [left, right] = inputs.as_slice() else {
            return Err(EvalError::new("takes two operands"));
        };
        let contracted = right.shape()[0];
        let rows: usize = left.shape()[..left.rank() - 1].iter().product();
        let columns: usize = right.shape()[1..].iter().product();
        let (left, right) =
            (left.reshape(&[1, rows, contracted])?, right.reshape(&[1, contracted, columns])?);
        let result = view.result(0);
        Ok(vec![matmul(&left, &right, result.element, cx.precision())?.reshape(&result.shape)?])
    }

    fn kernel(&self, operands: &[Type], _: &[Type]) -> KernelShape {
        let Some([left, right]) = factors(operands) else { return KernelShape::Other };
        KernelShape::Matmul(Matmul {
            batch: 1,
            m: left.shape[..left.rank() - 1].iter().product(),
            n: right.shape[1..].iter().product(),
            k: right.shape[0],
            elements: [left.element, right.element],
        })
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let last = v.operand_type(0).rank() - 1;
        let product = DotGeneral {
            batch: Default::default(),
            contracting: [vec![last], vec![0]],
            precision: self.precision.clone().unwrap_or_default(),
            algorithm: None,
        };
        product.vjp(v)
    }
}

/// The shape of the product of vectors and matrices; `None` if they do not fit.
fn result_shape(left: &TensorType, right: &TensorType) -> Option<Vec<usize>> {
    match (left.shape.as_slice(), right.shape.as_slice()) {
        ([k], [other]) if k == other => Some(vec![]),
        ([m, k], [other]) if k == other => Some(vec![*m]),
        ([k], [other, n]) if k == other => Some(vec![*n]),
        ([m, k], [other, n]) if k == other => Some(vec![*m, *n]),
        _ => None,
    }
}
