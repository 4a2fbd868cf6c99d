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
//! | the last, and tokens between contractions, or less often than the last | tensor parallel with sequence parallelism |
//! | rows of tables that are looked up | embedding parallel |
//! | tensors, but nothing of the above | sharded |
//! | next to nothing | replicated |
//!
//! A use needs a tenth of the work in question to be named; where an axis shards tokens in some contractions with
//! weights and the weights in others, what it does less is named only if it is a third of both. What state is sharded
//! over axes of the batch has names of its own: [`crate::zero`].

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::{AxisSet, SubAxisId};
use meshwright_ir::program::Function;
use meshwright_ir::rule::FactorKind;

use crate::dim_classes::Class;
use crate::origins::Origin;
use crate::roles::{
    DATA, PARAMETERS, Roles, contracted, factor_classes, is_lookup, makes_weights, numbers_matrices,
};
use crate::shardings::Shardings;
use crate::zero::{Zero, zero};

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
    /// Shards the rows of tables that are looked up.
    Embedding,
    /// Shards tensors in no way that has a name.
    Sharded,
}

/// What a plan amounts to.
#[derive(Clone, Debug, PartialEq)]
pub struct Recognized {
    /// For each sub-axis what it is used for; empty: nothing.
    pub uses: Vec<(SubAxisId, BTreeSet<Use>)>,
    /// What state is sharded over the axes that shard the batch.
    pub zero: Zero,
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
/// The least share of the contractions with weights for the lesser of tokens and weights.
const LESSER: f64 = 0.33;

/// Flops (or bytes) of what an axis shards, by kind.
#[derive(Clone, Copy, Debug, Default)]
struct Work {
    batch: f64,
    tokens_of_weights: f64,
    tokens_of_attention: f64,
    heads: f64,
    experts: f64,
    /// Factors of weights that are kept or contracted.
    weights: f64,
    /// Bytes of activations between contractions whose tokens it shards, and of all that have tokens.
    tokens_between: f64,
    between: f64,
    /// Flops of contractions with and without weights.
    with_weights: f64,
    attention: f64,
    /// Bytes of tables whose rows it shards, and of all parameters.
    rows: f64,
    parameters: f64,
    /// Bytes of tensors that it shards in any way, and of all.
    sharded: f64,
    tensors: f64,
}

/// Finds out what `shardings` amounts to.
pub fn recognize(function: &Function, roles: &Roles, shardings: &Shardings) -> Recognized {
    let mesh = &shardings.mesh;
    let work: Vec<Work> = work(function, roles, shardings);
    let uses: Vec<(SubAxisId, BTreeSet<Use>)> =
        mesh.sub_axis_ids().zip(&work).map(|(axis, work)| (axis, name(work))).collect();
    let data: AxisSet =
        uses.iter().filter(|(_, uses)| uses.contains(&Use::Data)).map(|(axis, _)| *axis).collect();
    let zero = zero(function, roles, shardings, data);
    let touched: AxisSet =
        mesh.sub_axis_ids().zip(&work).filter(|(_, work)| work.sharded > 0.0).map(|(axis, _)| axis).collect();
    let parts = describe(shardings, &uses, zero, data, touched);
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
    let both = work.tokens_of_weights + work.weights;
    let is_main = |part: f64| is_worth(part, work.with_weights) && part >= LESSER * both;
    let heads = is_worth(work.heads, work.attention) && work.heads > work.tokens_of_attention;
    let tokens_attend = is_worth(work.tokens_of_attention, work.attention);
    let shards_tokens = is_main(work.tokens_of_weights);
    if shards_tokens && heads {
        uses.insert(Use::Ulysses);
    } else if shards_tokens || (tokens_attend && !heads) {
        uses.insert(Use::Context);
    }
    if is_main(work.weights) || (heads && !shards_tokens) {
        uses.insert(Use::Tensor);
        let tokens = is_worth(work.tokens_between, work.between);
        if tokens && !uses.contains(&Use::Context) && !uses.contains(&Use::Ulysses) {
            uses.insert(Use::Sequence);
        }
    }
    if is_worth(work.rows, work.parameters) && !uses.contains(&Use::Tensor) {
        uses.insert(Use::Embedding);
    }
    if uses.is_empty() && is_worth(work.sharded, work.tensors) {
        uses.insert(Use::Sharded);
    }
    uses
}

/// For each sub-axis the work that it shards.
fn work(function: &Function, roles: &Roles, shardings: &Shardings) -> Vec<Work> {
    let body = &function.body;
    let mut all = vec![Work::default(); shardings.mesh.sub_axes().len()];
    let experts = expert_classes(function, roles);
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
        let flops = inst.op.flops(&types(&inst.operands), &types(&inst.results));
        let has_weights = inst.operands.iter().any(|operand| roles.depends[*operand] == PARAMETERS);
        let of_weights = has_weights || makes_weights(roles, *id, function);
        for work in &mut all {
            *(if of_weights { &mut work.with_weights } else { &mut work.attention }) += flops;
        }
        let classes = factor_classes(roles, body, *id);
        for (factor, axes) in strategy.axes.iter().enumerate() {
            let class = classes.iter().find(|(other, _)| *other == factor).map(|(_, class)| *class);
            let is_in = |set: &BTreeSet<Class>| class.is_some_and(|class| set.contains(&class));
            for axis in axes {
                let work =
                    &mut all[shardings.mesh.sub_axis_ids().position(|id| id == *axis).expect("in the mesh")];
                let part = if is_in(&roles.batch) {
                    &mut work.batch
                } else if is_in(&roles.sequence) && of_weights {
                    &mut work.tokens_of_weights
                } else if is_in(&roles.sequence) {
                    &mut work.tokens_of_attention
                } else if is_in(&experts) {
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

/// The classes of dims that number the matrices of contractions with weights.
fn expert_classes(function: &Function, roles: &Roles) -> BTreeSet<Class> {
    let mut found = BTreeSet::new();
    for id in &roles.insts {
        let rule = &roles.rules[*id];
        let is_weight = |value: &_| roles.depends[*value] == PARAMETERS;
        if contracted(rule).is_empty() || !function.body.insts[*id].operands.iter().any(is_weight) {
            continue;
        }
        let numbers = |(factor, _): &(usize, Class)| numbers_matrices(rule, *factor);
        found.extend(
            factor_classes(roles, &function.body, *id).into_iter().filter(numbers).map(|(_, class)| class),
        );
    }
    found.retain(|class| !roles.batch.contains(class) && !roles.sequence.contains(class));
    found
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

fn describe(
    shardings: &Shardings,
    uses: &[(SubAxisId, BTreeSet<Use>)],
    zero: Zero,
    data: AxisSet,
    touched: AxisSet,
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
        (Use::Embedding, "embedding parallel"),
    ] {
        if over(wanted) > 1 {
            parts.push(format!("{words} over {}", over(wanted)));
        }
    }
    parts.extend(zero.parts(mesh.set_size(data)));
    if over(Use::Sharded) > 1 {
        parts.push(format!("sharded over {}", over(Use::Sharded)));
    }
    let idle: AxisSet = uses.iter().filter(|(_, uses)| uses.is_empty()).map(|(axis, _)| *axis).collect();
    for (axes, words) in
        [(idle.intersection(touched), "mostly replicated"), (idle.minus(touched), "replicated")]
    {
        if mesh.set_size(axes) > 1 {
            parts.push(format!("{words} over {}", mesh.set_size(axes)));
        }
    }
    if parts.is_empty() {
        return vec!["one device".into()];
    }
    parts
}
