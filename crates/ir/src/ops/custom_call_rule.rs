//! Sharding rules of the custom calls that are known. Input: the name of what is called, and the instruction. Facts
//! after Shardy's `op_sharding_rule_registry.cc` and the functions of `jax.lax` that lower to these calls.

use super::rng::Rng;
use crate::op::Op;
use crate::program::InstView;
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};

/// Calls whose operands and results are all sharded alike.
const POINTWISE: &[&str] = &[
    "annotate_device_placement",
    "Cholesky",
    "CompactWyHelper",
    "InspectSharding",
    "InvertDiagBlocksLowerTriangular",
    "InvertDiagBlocksUpperTriangular",
    "LayoutConstraint",
    "mhlo.erf",
    "MoveToDevice",
    "MoveToHost",
    "X64SplitHigh",
    "X64SplitLow",
    "xla.megascale.provide_metadata",
    "_SPMDInternalOp_MultiPad",
    "_SPMDInternalOp_RotateRight",
    "_SPMDInternalOp_MultiRotate",
    "_SPMDInternalOp_MultiSlice",
    "_SPMDInternalOp_Wrap",
];

/// The rule; `None` for a call that is not known, or whose operands and results are not those it should have.
pub(super) fn propagation_rule(target: &str, view: &InstView<'_>) -> Option<OpShardingRule> {
    let shapes: Vec<&[usize]> = view
        .operand_types()
        .chain(view.result_types())
        .map(|ty| ty.as_tensor().map(|tensor| tensor.shape.as_slice()))
        .collect::<Option<_>>()?;
    let (operands, results) = shapes.split_at(view.num_operands());
    let whole = FactorType::NeedReplication;
    let mut builder = RuleBuilder::new(view);
    match target {
        "X64Combine" => return combine_rule(view, results.first()?),
        _ if POINTWISE.contains(&target) => return RuleBuilder::elementwise(view),
        "Eigh" => {
            // Vectors, and values along their last dim.
            let ([shape], [_, _]) = (operands, results) else { return None };
            let (rows, columns) = matrix(shape)?;
            builder.pointwise(&shape[..rows], |_| FactorType::PassThrough);
            builder.factor(&[Some(rows)], &[Some(rows), None], shape[rows], FactorType::PassThrough);
            let columns_of = [Some(columns), Some(rows)];
            builder.factor(&[Some(columns)], &columns_of, shape[columns], FactorType::PassThrough);
        }
        "Qr" | "QrDecompositionBlock" => {
            let ([shape], [_, taus]) = (operands, results) else { return None };
            let (rows, columns) = matrix(shape)?;
            builder.pointwise(&shape[..rows], |_| FactorType::PassThrough);
            builder.factor(&[Some(rows)], &[Some(rows), None], shape[rows], whole);
            builder.factor(&[Some(columns)], &[Some(columns), None], shape[columns], whole);
            builder.factor(&[None], &[None, Some(rows)], *taus.get(rows)?, whole);
        }
        "ProductOfElementaryHouseholderReflectors" => {
            let ([shape, taus], [_]) = (operands, results) else { return None };
            let (rows, columns) = matrix(shape)?;
            builder.pointwise(&shape[..rows], |_| FactorType::PassThrough);
            builder.factor(&[Some(rows), None], &[Some(rows)], shape[rows], whole);
            builder.factor(&[Some(columns), None], &[Some(columns)], shape[columns], whole);
            builder.factor(&[None, Some(rows)], &[None], *taus.get(rows)?, whole);
        }
        "mhlo.topk" => {
            let ([shape], [values, _]) = (operands, results) else { return None };
            builder.pointwise_unless(shape, values, whole, true);
        }
        "ApproxTopK" | "PartialReduce" => {
            let ([shape, _, _, _], [values, _]) = (operands, results) else { return None };
            for (dim, (size, kept)) in shape.iter().zip(*values).enumerate() {
                if size == kept {
                    builder.everywhere(dim, *size, FactorType::PassThrough);
                    continue;
                }
                let (own, none) = (Some(dim), None);
                builder.factor(&[own, own, none, none], &[none; 2], *size, FactorType::PassThrough);
                builder.factor(&[none; 4], &[own; 2], *kept, whole).blocked();
            }
        }
        _ => return None,
    }
    Some(builder.build())
}

/// The positions of the last two dims.
fn matrix(shape: &[usize]) -> Option<(usize, usize)> {
    Some((shape.len().checked_sub(2)?, shape.len().checked_sub(1)?))
}

/// The state of a random generator, put together of halves, stays whole; shardings pass through any other.
fn combine_rule(view: &InstView<'_>, shape: &[usize]) -> Option<OpShardingRule> {
    let is_state = |value| {
        view.body
            .insts
            .values()
            .any(|inst| matches!(inst.op, Op::Rng(Rng::Bits(_))) && inst.operands.contains(value))
    };
    match shape {
        [size] if view.inst.results.iter().any(is_state) => {
            let mut builder = RuleBuilder::new(view);
            builder.everywhere(0, *size, FactorType::NeedReplication).blocked();
            Some(builder.build())
        }
        _ => RuleBuilder::elementwise(view),
    }
}
