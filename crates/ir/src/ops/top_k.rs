//! `chlo.top_k` (CHLO, "TopKOp"): the k largest elements along the last dim, with their positions.

use std::cmp::Ordering;

use super::binary::Binary;
use super::scatter::Scatter;
use super::slice_dims::SliceDims;
use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::kernel_shape::KernelShape;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Given, OpDef, ParsedInst, Propagation, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::text::{OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType, Type};
use meshwright_tensor::{Element, Tensor, kernels};

/// The largest elements in descending order, equal ones in order of position. Floats are ordered totally, as XLA
/// does: NaN is largest, -0 is less than +0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TopK {
    /// How many.
    pub k: usize,
    /// Whether the order of equal elements matters, if the text says so. It is kept in any case.
    pub is_stable: Option<bool>,
}

impl OpDef for TopK {
    const NAMES: &'static [&'static str] = &["chlo.top_k"];

    /// `(%a, k = 2) : type -> (type, type)`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        p.expect(b'(')?;
        let operand = p.operand()?;
        p.expect(b',')?;
        p.field("k")?;
        let k = p.size()?;
        let mut is_stable = None;
        if p.eat(b',') {
            p.field("is_stable")?;
            is_stable = match () {
                () if p.eat_word("true") => Some(true),
                () if p.eat_word("false") => Some(false),
                () => return p.expected("`true` or `false`"),
            };
        }
        p.expect(b')')?;
        let attributes = p.attr_dict_opt()?;
        let ty = p.colon_type()?;
        p.arrow()?;
        let results = p.list(b'(', b')', Parser::ty)?;
        Ok(ParsedInst::new(Self { k, is_stable }, vec![operand], results).typed(vec![ty]).with(attributes))
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let k = attributes.int("k")?;
        let k = usize::try_from(k).map_err(|_| format!("`k` is {k}"))?;
        Ok(Self { k, is_stable: attributes.bool_opt("is_stable")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("k", Attr::position(self.k));
        if let Some(is_stable) = self.is_stable {
            attributes.set("is_stable", Attr::Bool(is_stable));
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text("(");
        p.values(&view.inst.operands);
        p.text(&format!(", k = {}", self.k));
        if let Some(is_stable) = self.is_stable {
            p.text(&format!(", is_stable = {is_stable}"));
        }
        p.text(")");
        p.attributes();
        p.text(" : ");
        p.types(view.operand_types());
        p.text(" -> (");
        p.types(view.result_types());
        p.text(")");
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 2, 0) {
            return;
        }
        let operand = view.operand(0);
        let Some(last) = operand.shape.last() else {
            violations.messages.push("the operand must have at least one dim".into());
            return;
        };
        violations
            .require(self.k <= *last, || format!("k = {} exceeds the last dim, which has {last}", self.k));
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operand = given.tensor(0)?;
        let mut shape = operand.shape.clone();
        *shape.last_mut()? = self.k;
        let results = [operand.element, ElementType::I32];
        Some(results.map(|element| TensorType::new(shape.clone(), element).into()).into())
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let shape = &view.operand(0).shape;
        let last = shape.len() - 1;
        for (dim, size) in shape[..last].iter().enumerate() {
            rule.add_dim(*size, FactorKind::PassThrough, &[(0, dim)], &[(0, dim), (1, dim)]);
        }
        // Of each shard, its largest elements are sent.
        let kind = match super::top_k_local::least(view.operand(0).element) {
            Some(_) if shape[last] > 0 => FactorKind::Permuted,
            _ => FactorKind::NeedReplication,
        };
        rule.add_moving_dim(shape[last], kind, self.k, &[(0, last)], &[]);
        rule.add_dim(self.k, FactorKind::NeedReplication, &[], &[(0, last), (1, last)]);
        rule
    }

    /// Shardy has one factor along the dim before and after, which shardings do not pass.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let (operand, result) = (view.operand(0), view.result(0));
        let mut builder = RuleBuilder::new(view);
        builder.pointwise_unless(&operand.shape, &result.shape, FactorType::NeedReplication, true);
        Some(builder.build())
    }

    /// One comparison per element.
    fn flops(&self, operands: &[Type], _: &[Type]) -> f64 {
        operands[0].as_tensor().map_or(0.0, |tensor| tensor.num_elements() as f64)
    }

    fn evaluate(&self, Evaluation { view, inputs, .. }: Evaluation<'_>) -> Evaluated {
        let operand = &inputs[0];
        let shape = [&operand.shape()[..operand.rank() - 1], &[self.k]].concat();
        meshwright_tensor::dispatch!(operand.storage(), T => {
            let (values, indices) = top_k::<T>(operand, self.k, &shape)?;
            Ok(vec![
                Tensor::from_vec(operand.element(), shape.clone(), values),
                Tensor::from_vec(view.result(1).element, shape, indices),
            ])
        })
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        super::top_k_local::localize(self, cx, b)
    }

    fn exchanges(&self, _: &InstView<'_>) -> bool {
        true
    }

    fn result_names(&self) -> &'static [&'static str] {
        &["values", "indices"]
    }

    fn kernel(&self, operands: &[Type], _: &[Type]) -> KernelShape {
        let first = operands.first().and_then(Type::as_tensor);
        first.map_or(KernelShape::Other, |first| KernelShape::of_sort(first, first.rank().checked_sub(1)))
    }

    /// Each value goes back to where it was found.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let Some(cotangent) = v.cotangent_of(0) else { return Ok(()) };
        if !v.wants(0) {
            return Ok(());
        }
        let (operand, indices) = (v.operand_type(0), v.result(1));
        let last = operand.rank() - 1;
        let scatter = Scatter {
            dims: SliceDims {
                collapsed: vec![last],
                table_batching: (0..last).collect(),
                indices_batching: (0..last).collect(),
                index_map: vec![last],
                index_vector_dim: last + 1,
                window: Vec::new(),
            },
            indices_are_sorted: None,
            unique_indices: Some(true),
        };
        let zeros = v.splat(operand.clone(), 0.0);
        let reducer = v.pairwise(Binary::Add, TensorType::scalar(operand.element));
        let back = v.emit_all(scatter, &[zeros, indices, cotangent], vec![reducer], vec![operand.into()])[0];
        v.give(0, back);
        Ok(())
    }
}

fn top_k<T: Element>(operand: &Tensor, k: usize, shape: &[usize]) -> Result<(Vec<T>, Vec<i32>), EvalError> {
    let row_len = operand.shape()[operand.rank() - 1];
    let elements = operand.dense::<T>()?;
    let mut values = kernels::allocate::<T>(shape)?;
    let mut indices = kernels::allocate::<i32>(shape)?;
    if values.is_empty() {
        return Ok((values, indices));
    }
    let mut order: Vec<usize> = Vec::with_capacity(row_len);
    let rows =
        elements.chunks_exact(row_len).zip(values.chunks_exact_mut(k).zip(indices.chunks_exact_mut(k)));
    for (row, (values, indices)) in rows {
        let descending = |a: &usize, b: &usize| total_order(row[*b], row[*a]).then(a.cmp(b));
        order.clear();
        order.extend(0..row_len);
        if k < row_len {
            order.select_nth_unstable_by(k, descending);
            order.truncate(k);
        }
        order.sort_unstable_by(descending);
        for ((value, index), at) in values.iter_mut().zip(indices).zip(&order) {
            (*value, *index) = (row[*at], *at as i32);
        }
    }
    Ok((values, indices))
}

/// Numbers in order; floats as IEEE 754's totalOrder has them.
pub(super) fn total_order<T: Element>(a: T, b: T) -> Ordering {
    match a.partial_cmp(&b) {
        Some(Ordering::Equal) | None => a.scalar().cast::<f64>().total_cmp(&b.scalar().cast::<f64>()),
        Some(order) => order,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_go_to_the_lower_index_and_nan_is_largest() {
        let row = [1.0f32, 3.0, f32::NAN, 3.0, -0.0, 0.0];
        let tensor = Tensor::from_vec(ElementType::F32, [1, 6], row.to_vec());
        let (values, indices) = top_k::<f32>(&tensor, 6, &[1, 6]).unwrap();
        assert_eq!(indices, [2, 1, 3, 0, 5, 4]);
        assert_eq!(values[1..], [3.0, 3.0, 1.0, 0.0, -0.0]);
        let tensor =
            Tensor::from_vec(ElementType::I64, [2, 3], vec![i64::MIN, i64::MAX, i64::MAX - 1, 5, 5, 5]);
        let (values, indices) = top_k::<i64>(&tensor, 2, &[2, 2]).unwrap();
        assert_eq!((values, indices), (vec![i64::MAX, i64::MAX - 1, 5, 5], vec![1, 2, 0, 1]));
    }
}
