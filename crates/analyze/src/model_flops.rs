//! Floating-point operations that a step of the model needs, however it is written or sharded.
//!
//! Input: a function with calls inlined and its [`Roles`]. Output: a [`ModelFlops`]. Counted
//! are products (matrix products, convolutions, kernels of such), a multiply-add as two, each once: what is computed
//! again behind a barrier (recomputation) has the [`Numbering`] of what it repeats and counts once. What nobody reads does
//! not count. A product in a loop counts as often as the loop runs.
//!
//! *Attention* are the products between tokens: those that have two dims along which tokens follow one another, without
//! weights, and kernels of attention. The field counts them in full (`6 N D + 12 L d s`) or, where a token only sees
//! those before it, half; both are given. Kernels of attention and of the scan of Mamba-2 count as the products by which a
//! program has them that writes them out, so that figures do not depend on that.

use std::collections::BTreeSet;

use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::ShardingRule;
use meshwright_tensor::types::Type;
use rustc_hash::FxHashSet;

use crate::dim_classes::Class;
use crate::flow::runs_of_insts;
use crate::numbering::{Number, Numbering};
use crate::roles::{PARAMETERS, Role, Roles, contracted, factor_classes, is_lookup};

/// The products of one step of the whole model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelFlops {
    /// Operations of all products, each once.
    pub once: f64,
    /// The part of `once` that attention takes, counted in full.
    pub attention: f64,
    /// Operations of all products as they are written, with what is recomputed.
    pub written: f64,
    /// Where the products of attention stand in the source.
    pub attention_spans: FxHashSet<Span>,
    /// The products that `once` counts, in execution order.
    pub products: Vec<Product>,
}

/// A product of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Product {
    /// The instruction.
    pub inst: InstId,
    /// Its operations in all turns of loops.
    pub flops: f64,
    /// The same with what a kernel makes again, and without what it leaves out.
    pub written: f64,
}

impl ModelFlops {
    /// `once` with attention counted half, as if no token saw those behind it.
    pub fn causal(&self) -> f64 {
        self.once - self.attention / 2.0
    }
}

/// Returns whether an instruction multiplies and adds: a contraction, or a kernel that counts operations. What adds
/// rows up at places that are looked up is none.
pub fn is_product(op: &Op, rule: &ShardingRule) -> bool {
    (!contracted(rule).is_empty() && !is_lookup(rule)) || matches!(op, Op::CustomCall(_))
}

/// Counts the products of a verified function.
pub fn model_flops(function: &Function, roles: &Roles) -> ModelFlops {
    let body = &function.body;
    let numbering = Numbering::new(function);
    let live = live(body);
    let runs = runs_of_insts(body);
    let tokens = token_classes(function, roles);
    let mut counted: BTreeSet<Number> = BTreeSet::new();
    let mut found = ModelFlops::default();
    for id in roles.whole.iter().filter(|id| live[**id]) {
        let (inst, rule) = (&body.insts[*id], &roles.rules[*id]);
        if !is_product(&inst.op, rule) {
            continue;
        }
        let types =
            |values: &[ValueId]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<Type>>();
        let (operands, results) = (types(&inst.operands), types(&inst.results));
        let written = inst.op.flops(&operands, &results) * runs[*id];
        if written == 0.0 {
            continue;
        }
        let is_attention = is_attention(body, roles, &tokens, *id);
        if is_attention {
            found.attention_spans.insert(inst.span);
        }
        let [flops, attention] = match inst.op.kernel(&operands, &results) {
            KernelShape::Attention(attention) => attention.written_out().map(|flops| flops * runs[*id]),
            KernelShape::ChunkScan(scan) => scan.written_out().map(|flops| flops * runs[*id]),
            _ => [written, if is_attention { written } else { 0.0 }],
        };
        found.written += written;
        let is_new = inst.results.first().is_none_or(|result| counted.insert(numbering.of(*result)));
        if is_new {
            found.once += flops;
            found.products.push(Product { inst: *id, flops, written });
            found.attention += attention;
        }
    }
    found
}

/// Classes of dims of data and of state (caches) along which tokens follow one another.
fn token_classes(function: &Function, roles: &Roles) -> BTreeSet<Class> {
    let is_fed = |index: &usize| matches!(roles.args[*index].role, Role::Data | Role::State);
    let fed = (0..function.args().len()).filter(is_fed).map(|index| function.args()[index]);
    let rank = |value| function.body.ty(value).as_tensor().map_or(0, |tensor| tensor.rank());
    let classes = fed.flat_map(|value| (0..rank(value)).map(move |dim| roles.classes.of(value, dim)));
    classes.filter(|class| roles.sequence.contains(class)).collect()
}

/// Whether a product is one between tokens: it has two factors along which tokens follow one another, and no weights. They
/// are the same dim of the model (a sequence attends to itself), or both are dims of what is fed; and the result still has
/// one of them, as the gradient of weights has not.
fn is_attention(body: &Body, roles: &Roles, tokens: &BTreeSet<Class>, id: InstId) -> bool {
    let inst = &body.insts[id];
    if inst.operands.iter().any(|operand| roles.depends[*operand] == PARAMETERS) {
        return false;
    }
    let is_kept = |result: &ValueId| {
        let rank = body.ty(*result).as_tensor().map_or(0, |tensor| tensor.rank());
        (0..rank).any(|dim| roles.sequence.contains(&roles.classes.of(*result, dim)))
    };
    if !inst.results.iter().any(is_kept) {
        return false;
    }
    let classes = factor_classes(roles, body, id);
    let factors = &roles.rules[id].factors;
    let long: Vec<Class> = classes
        .iter()
        .filter(|(factor, class)| roles.sequence.contains(class) && factors[*factor].size > 1)
        .map(|(_, class)| *class)
        .collect();
    let is_itself = |class: &Class| long.iter().filter(|other| *other == class).count() >= 2;
    long.iter().any(is_itself) || long.iter().filter(|class| tokens.contains(class)).count() >= 2
}

/// Whether each instruction is needed for what the function returns, or for its side effects.
fn live(body: &Body) -> Table<InstId, bool> {
    let mut live = Table::filled(false, body.insts.len());
    let last = |region| body.regions[region].insts.last().copied();
    // The loop or conditional around each instruction, which runs if the instruction does.
    let mut around = Table::filled(None, body.insts.len());
    for (id, inst) in body.insts.iter() {
        let inner = inst.regions.iter().flat_map(|region| &body.regions[*region].insts);
        inner.for_each(|inner| around[*inner] = Some(id));
    }
    let mut pending: Vec<InstId> = last(body.entry()).into_iter().collect();
    pending.extend(body.insts.ids().filter(|id| body.insts[*id].op.has_side_effects()));
    while let Some(id) = pending.pop() {
        if std::mem::replace(&mut live[id], true) {
            continue;
        }
        let inst = &body.insts[id];
        pending.extend(around[id]);
        pending.extend(inst.regions.iter().filter_map(|region| last(*region)));
        pending.extend(inst.operands.iter().filter_map(|operand| match body.values[*operand].def {
            Def::Result(definition, _) => Some(definition),
            Def::Argument(..) => None,
        }));
    }
    live
}
