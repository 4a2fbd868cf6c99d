//! What a way of spreading a step over a mesh is called in the field.
//!
//! Input: a function, its [`Roles`] and its [`Shardings`]. Output: what each mesh axis does ([`Use`]) and one line,
//! such as `data parallel over 2, tensor parallel over 4, ZeRO-1`. Names are recognized from what is sharded, never
//! taken from how the plan came about.
//!
//! An axis is named for the factors that it shards in contractions, where the work is, each weighted by its flops:
//!
//! | the axis shards | it is |
//! | --- | --- |
//! | the batch | data parallel |
//! | tokens, also where they attend to one another, or nothing else | context parallel |
//! | tokens against weights, heads where they attend | Ulysses |
//! | a dim that weights share with activations and keep (experts) | expert parallel |
//! | any other factor of a contraction with weights, or heads | tensor parallel (column: kept, row: contracted) |
//! | the last, and tokens between contractions | tensor parallel with sequence parallelism |
//!
//! ZeRO (Rajbhandari et al., 2020) is state sharded over axes that shard the batch: moments (stage 1), gradients too
//! (stage 2), parameters too (stage 3).

use std::collections::BTreeSet;

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::mesh::{AxisSet, SubAxisId};
use meshwright_ir::program::Function;

use crate::roles::{DATA, PARAMETERS, Role, Roles, contracted, factor_classes};
use crate::shardings::Shardings;

/// What an axis is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// Shards the batch.
    Data,
    /// Shards tokens against weights and heads in attention.
    Ulysses,
    /// Shards tokens throughout.
    Context,
    /// Shards experts.
    Expert,
    /// Shards weights and the activations that they make.
    Tensor,
    /// Shards tokens where `Tensor` does not shard.
    Sequence,
}

/// How optimizer state is spread over the axes that shard the batch (ZeRO's stages).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ZeroStage {
    /// Moments.
    One = 1,
    /// Moments and gradients.
    Two,
    /// Moments, gradients and parameters.
    Three,
}

/// What a plan amounts to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recognized {
    /// For each sub-axis what it is used for; empty: nothing.
    pub uses: Vec<(SubAxisId, BTreeSet<Use>)>,
    /// ZeRO's stage, and over how many devices.
    pub zero: Option<(ZeroStage, usize)>,
    /// In words, for people: one entry per kind of parallelism. Never empty.
    pub parts: Vec<String>,
}

impl Recognized {
    /// All in one line: `data parallel over 2, tensor parallel over 4, ZeRO-1`.
    pub fn text(&self) -> String {
        self.parts.join(", ")
    }
}

/// The least share of an axis's work that is worth a name.
const SHARE: f64 = 0.1;

/// Flops (or bytes) of what an axis shards, by kind.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    batch: f64,
    tokens_of_weights: f64,
    tokens_of_attention: f64,
    heads: f64,
    experts: f64,
    kept: f64,
    contracted: f64,
    /// Bytes of activations between contractions whose tokens it shards, and of all that have tokens.
    tokens_between: f64,
    between: f64,
    /// Flops of contractions with and without weights.
    with_weights: f64,
    attention: f64,
}

/// Finds out what `shardings` amounts to.
pub fn recognize(function: &Function, roles: &Roles, shardings: &Shardings) -> Recognized {
    let mesh = &shardings.mesh;
    let mut uses: Vec<(SubAxisId, BTreeSet<Use>)> = Vec::new();
    let work: Vec<Work> = work(function, roles, shardings);
    for (axis, work) in mesh.sub_axis_ids().zip(&work) {
        uses.push((axis, name(work)));
    }
    let data: AxisSet =
        uses.iter().filter(|(_, uses)| uses.contains(&Use::Data)).map(|(axis, _)| *axis).collect();
    let zero = zero(function, roles, shardings, data);
    let parts = describe(shardings, &uses, zero, data);
    Recognized { uses, zero, parts }
}

fn name(work: &Work) -> BTreeSet<Use> {
    let all = work.with_weights + work.attention;
    let is_worth = |part: f64, whole: f64| part > 0.0 && part >= SHARE * whole;
    let mut uses = BTreeSet::new();
    if is_worth(work.batch, all) {
        uses.insert(Use::Data);
    }
    if is_worth(work.experts, all) {
        uses.insert(Use::Expert);
    }
    let tokens = is_worth(work.tokens_of_weights, work.with_weights);
    if tokens && is_worth(work.heads, work.attention) && work.heads > work.tokens_of_attention {
        uses.insert(Use::Ulysses);
    } else if tokens || is_worth(work.tokens_of_attention, work.attention) {
        uses.insert(Use::Context);
    }
    let is_tensor = is_worth(work.kept + work.contracted, work.with_weights)
        || (is_worth(work.heads, work.attention) && !uses.contains(&Use::Ulysses));
    if is_tensor {
        uses.insert(Use::Tensor);
        if is_worth(work.tokens_between, work.between) && !uses.contains(&Use::Context) {
            uses.insert(Use::Sequence);
        }
    }
    uses
}

/// For each sub-axis the work that it shards.
fn work(function: &Function, roles: &Roles, shardings: &Shardings) -> Vec<Work> {
    let body = &function.body;
    let mut all = vec![Work::default(); shardings.mesh.sub_axes().len()];
    for id in &roles.insts {
        let (inst, rule) = (&body.insts[*id], &roles.rules[*id]);
        let strategy = &shardings.strategies[*id];
        let is_activation = inst.operands.iter().any(|operand| roles.depends[*operand] & DATA != 0);
        if !is_activation || inst.op.carries_values() {
            continue;
        }
        let reduced = contracted(rule);
        if reduced.is_empty() {
            between(function, roles, shardings, *id, &mut all);
            continue;
        }
        let types =
            |values: &[ValueId]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<_>>();
        let flops = inst.op.flops(&types(&inst.operands), &types(&inst.results));
        let weights = inst.operands.iter().position(|operand| roles.depends[*operand] == PARAMETERS);
        let makes_gradient = weights.is_none() && makes_weights(roles, *id, function);
        for work in &mut all {
            if weights.is_some() || makes_gradient {
                work.with_weights += flops;
            } else {
                work.attention += flops;
            }
        }
        let classes = factor_classes(roles, body, *id);
        for (factor, axes) in strategy.axes.iter().enumerate() {
            let class = classes.iter().find(|(other, _)| *other == factor).map(|(_, class)| *class);
            let is_in =
                |operand: usize| rule.operands[operand].iter().flatten().any(|other| *other == factor);
            for axis in axes {
                let work =
                    &mut all[shardings.mesh.sub_axis_ids().position(|id| id == *axis).expect("in the mesh")];
                if class.is_some_and(|class| roles.batch.contains(&class)) {
                    work.batch += flops;
                } else if class.is_some_and(|class| roles.sequence.contains(&class)) {
                    if weights.is_some() || makes_gradient {
                        work.tokens_of_weights += flops;
                    } else {
                        work.tokens_of_attention += flops;
                    }
                } else if let Some(weights) = weights {
                    let everywhere = (0..rule.operands.len()).all(is_in) && rule.is_in_results(factor);
                    if everywhere {
                        work.experts += flops;
                    } else if reduced.contains(&factor) {
                        work.contracted += flops;
                    } else if is_in(weights) || rule.is_in_results(factor) {
                        work.kept += flops;
                    }
                } else if makes_gradient {
                    let everywhere = (0..rule.operands.len()).all(is_in) && rule.is_in_results(factor);
                    *(if everywhere { &mut work.experts } else { &mut work.kept }) += flops;
                } else {
                    work.heads += flops;
                }
            }
        }
    }
    all
}

/// Whether a contraction of activations makes the gradient of weights: it contracts the batch.
fn makes_weights(roles: &Roles, id: InstId, function: &Function) -> bool {
    let reduced = contracted(&roles.rules[id]);
    factor_classes(roles, &function.body, id)
        .iter()
        .any(|(factor, class)| reduced.contains(factor) && roles.batch.contains(class))
}

/// Adds the bytes of an activation that is not made by a contraction to the axes that shard its tokens and nothing
/// of its width.
fn between(function: &Function, roles: &Roles, shardings: &Shardings, id: InstId, all: &mut [Work]) {
    let body = &function.body;
    for result in &body.insts[id].results {
        let Some(tensor) = body.ty(*result).as_tensor() else { continue };
        let tokens = (0..tensor.rank()).find(|dim| roles.sequence.contains(&roles.classes.of(*result, *dim)));
        let Some(tokens) = tokens else { continue };
        let bytes = tensor.num_bytes() as f64;
        for (axis, work) in shardings.mesh.sub_axis_ids().zip(all.iter_mut()) {
            work.between += bytes;
            if shardings.values[*result].dims[tokens].axes.contains(&axis) {
                work.tokens_between += bytes;
            }
        }
    }
}

/// ZeRO's stage over the axes that shard the batch.
fn zero(
    function: &Function,
    roles: &Roles,
    shardings: &Shardings,
    data: AxisSet,
) -> Option<(ZeroStage, usize)> {
    let args = function.args();
    let moments: Vec<ValueId> = roles.moments().map(|index| args[index]).collect();
    let parameters: Vec<ValueId> = roles.parameters().map(|index| args[index]).collect();
    let gradients: Vec<ValueId> = roles
        .gradients
        .iter()
        .filter(|(index, _)| roles.args[**index].role == Role::Parameter)
        .map(|(_, value)| *value)
        .collect();
    let over = |values: &[ValueId]| -> AxisSet {
        data.iter().filter(|axis| is_mostly_sharded(function, shardings, values, *axis)).collect()
    };
    let (of_parameters, of_gradients) = (over(&parameters), over(&gradients));
    // Without moments (plain gradient descent) sharded parameters are still stage 3.
    let of_moments = if moments.is_empty() { of_parameters } else { over(&moments) };
    let stages = [
        (ZeroStage::Three, of_moments.intersection(of_parameters)),
        (ZeroStage::Two, of_moments.intersection(of_gradients)),
        (ZeroStage::One, of_moments),
    ];
    let (stage, axes) = stages.into_iter().find(|(_, axes)| !axes.is_empty())?;
    Some((stage, shardings.mesh.set_size(axes)))
}

/// Whether more than half of the bytes of `values` are sharded over `axis`.
fn is_mostly_sharded(
    function: &Function,
    shardings: &Shardings,
    values: &[ValueId],
    axis: SubAxisId,
) -> bool {
    let bytes = |values: &mut dyn Iterator<Item = &ValueId>| -> f64 {
        values.map(|value| function.body.ty(*value).num_bytes() as f64).sum()
    };
    let all = bytes(&mut values.iter());
    let sharded =
        bytes(&mut values.iter().filter(|value| shardings.values[**value].sharded_axes().contains(axis)));
    sharded > 0.5 * all
}

fn describe(
    shardings: &Shardings,
    uses: &[(SubAxisId, BTreeSet<Use>)],
    zero: Option<(ZeroStage, usize)>,
    data: AxisSet,
) -> Vec<String> {
    let mesh = &shardings.mesh;
    let mut parts: Vec<String> = Vec::new();
    let over = |wanted: Use| -> usize {
        let axes = uses.iter().filter(|(_, uses)| uses.contains(&wanted));
        axes.map(|(axis, _)| mesh.size(*axis)).product()
    };
    for (wanted, words) in [
        (Use::Data, "data parallel"),
        (Use::Expert, "expert parallel"),
        (Use::Tensor, "tensor parallel"),
        (Use::Sequence, "sequence parallel"),
        (Use::Ulysses, "Ulysses sequence parallel"),
        (Use::Context, "context parallel"),
    ] {
        if over(wanted) > 1 {
            parts.push(format!("{words} over {}", over(wanted)));
        }
    }
    if let Some((stage, devices)) = zero {
        let over = if devices == mesh.set_size(data) { String::new() } else { format!(" over {devices}") };
        parts.push(format!("ZeRO-{}{over}", stage as usize));
    }
    let idle: usize =
        uses.iter().filter(|(_, uses)| uses.is_empty()).map(|(axis, _)| mesh.size(*axis)).product();
    if parts.is_empty() && idle <= 1 {
        return vec!["one device".into()];
    }
    if idle > 1 {
        parts.push(format!("replicated over {idle}"));
    }
    parts
}
