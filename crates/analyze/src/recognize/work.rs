//! How much work each sub-axis shards, by what it shards in it.
//!
//! Input: a function, its [`Roles`] and its [`Shardings`]. Output: a [`Work`] per sub-axis of the mesh.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::Function;
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};

use crate::dim_classes::Class;
use crate::flow::runs_of_insts;
use crate::origins::Origin;
use crate::roles::{DATA, PARAMETERS, Roles, contracted, factor_classes, is_lookup, makes_weights};
use meshwright_plan::shardings::Shardings;

/// Flops (or bytes) of what an axis shards, by kind.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub(super) batch: f64,
    pub(super) tokens_of_weights: f64,
    pub(super) tokens_of_attention: f64,
    /// Those of the contractions with weights over tokens in which windows slide over images.
    pub(super) windows: f64,
    /// Whether a loop steps along the tokens of contractions with weights.
    pub(super) is_recurrent: bool,
    pub(super) heads: f64,
    pub(super) experts: f64,
    /// Factors of weights that are kept or contracted.
    pub(super) weights: f64,
    /// Bytes of activations between contractions whose tokens it shards, and of all that have tokens and that it shards
    /// along no other dim.
    pub(super) tokens_between: f64,
    pub(super) between: f64,
    /// Flops of contractions with and without weights.
    pub(super) with_weights: f64,
    pub(super) attention: f64,
    /// Bytes of tables whose rows it shards, and of all parameters.
    pub(super) rows: f64,
    pub(super) parameters: f64,
    /// Bytes of tensors that it shards in any way, and of all.
    pub(super) sharded: f64,
    pub(super) tensors: f64,
}

/// For each sub-axis the work that it shards.
pub(super) fn work(function: &Function, roles: &Roles, shardings: &Shardings) -> Vec<Work> {
    let body = &function.body;
    let mut all = vec![Work::default(); shardings.mesh.sub_axes().len()];
    let runs = runs_of_insts(body);
    for id in &roles.insts {
        let (inst, rule) = (&body.insts[*id], &roles.rules[*id]);
        let strategy = &shardings.strategies[*id];
        tensors(function, shardings, *id, &mut all);
        let is_activation = inst.operands.iter().any(|operand| roles.depends[*operand] & DATA != 0);
        if !is_activation || inst.op.carries_values() {
            continue;
        }
        let reduced = contracted(rule);
        if reduced.is_empty() {
            between(function, roles, shardings, *id, &mut all);
            continue;
        }
        let types = |values: &[_]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<_>>();
        let flops = runs[*id] * inst.op.flops(&types(&inst.operands), &types(&inst.results));
        let has_weights = inst.operands.iter().any(|operand| roles.depends[*operand] == PARAMETERS);
        let of_weights = has_weights || makes_weights(roles, *id, function);
        for work in &mut all {
            *(if of_weights { &mut work.with_weights } else { &mut work.attention }) += flops;
        }
        let classes = factor_classes(roles, body, *id);
        let images = slid_over(rule);
        for (factor, axes) in strategy.axes.iter().enumerate() {
            let class = classes.iter().find(|(other, _)| *other == factor).map(|(_, class)| *class);
            let is_in = |set: &BTreeSet<Class>| class.is_some_and(|class| set.contains(&class));
            for axis in axes {
                let work =
                    &mut all[shardings.mesh.sub_axis_ids().position(|id| id == *axis).expect("in the mesh")];
                if of_weights && is_in(&roles.sequence) {
                    work.windows += if images.contains(&factor) { flops } else { 0.0 };
                    work.is_recurrent |= is_in(&roles.recurrent);
                }
                let part = if is_in(&roles.batch) {
                    &mut work.batch
                } else if is_in(&roles.sequence) && of_weights {
                    &mut work.tokens_of_weights
                } else if is_in(&roles.sequence) {
                    &mut work.tokens_of_attention
                } else if is_in(&roles.experts) {
                    &mut work.experts
                } else if of_weights {
                    &mut work.weights
                } else {
                    &mut work.heads
                };
                *part += flops;
            }
        }
    }
    tables(function, roles, shardings, &mut all);
    all
}

/// The factors along which windows slide, if there are several, as over images. Windows along one dim are of sequences.
fn slid_over(rule: &ShardingRule) -> Vec<FactorIndex> {
    let slides = |factor: &FactorIndex| rule.factors[*factor].reach > 0 && rule.factors[*factor].size > 1;
    let slid: Vec<FactorIndex> = (0..rule.factors.len()).filter(slides).collect();
    if slid.len() > 1 { slid } else { Vec::new() }
}

/// Adds the bytes of an activation that is not made by a contraction to the axes that shard its tokens, and to all that
/// shard nothing else of it: where an axis shards heads or a hidden width, tokens are not in question.
fn between(function: &Function, roles: &Roles, shardings: &Shardings, id: InstId, all: &mut [Work]) {
    let body = &function.body;
    for result in &body.insts[id].results {
        let Some(tensor) = body.ty(*result).as_tensor() else { continue };
        let tokens = (0..tensor.rank()).find(|dim| roles.sequence.contains(&roles.classes.of(*result, *dim)));
        let Some(tokens) = tokens else { continue };
        let bytes = tensor.num_bytes() as f64;
        let sharding = &shardings.values[*result];
        for (axis, work) in shardings.mesh.sub_axis_ids().zip(all.iter_mut()) {
            let is_of_tokens = sharding.dims[tokens].axes.contains(&axis);
            work.tokens_between += if is_of_tokens { bytes } else { 0.0 };
            work.between += if is_of_tokens || !sharding.sharded_axes().contains(axis) { bytes } else { 0.0 };
        }
    }
}

/// Adds the bytes of what an instruction reads and makes, and of what of it each axis shards.
fn tensors(function: &Function, shardings: &Shardings, id: InstId, all: &mut [Work]) {
    let inst = &function.body.insts[id];
    for value in inst.operands.iter().chain(&inst.results) {
        let bytes = function.body.ty(*value).num_bytes() as f64;
        let sharded = shardings.values[*value].sharded_axes();
        for (axis, work) in shardings.mesh.sub_axis_ids().zip(all.iter_mut()) {
            work.tensors += bytes;
            if sharded.contains(axis) {
                work.sharded += bytes;
            }
        }
    }
}

/// Adds the bytes of parameters, and of those that are looked up along a dim that an axis shards.
fn tables(function: &Function, roles: &Roles, shardings: &Shardings, all: &mut [Work]) {
    let body = &function.body;
    let mut rows: BTreeMap<Origin, AxisSet> = BTreeMap::new();
    for id in roles.insts.iter().filter(|id| is_lookup(&roles.rules[**id])) {
        let rule = &roles.rules[*id];
        let (Some(table), Some(factors)) = (body.insts[*id].operands.first(), rule.operands.first()) else {
            continue;
        };
        let is_row = |factor: &&usize| {
            rule.factors[**factor].kind == FactorKind::Indexed && !rule.is_in_results(**factor)
        };
        let axes = factors
            .iter()
            .flatten()
            .filter(is_row)
            .flat_map(|factor| &shardings.strategies[*id].axes[*factor]);
        let known = rows.entry(roles.origins.of(*table)).or_insert(AxisSet::EMPTY);
        *known = known.union(axes.copied().collect());
    }
    for index in roles.parameters() {
        let value = function.args()[index];
        let bytes = body.ty(value).num_bytes() as f64;
        for (axis, work) in shardings.mesh.sub_axis_ids().zip(all.iter_mut()) {
            work.parameters += bytes;
            if rows.get(&roles.origins.of(value)).is_some_and(|axes| axes.contains(axis)) {
                work.rows += bytes;
            }
        }
    }
}
