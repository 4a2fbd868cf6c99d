//! What a compiler behind us keeps in registers: which values of a function are stored in memory at all.
//!
//! Input: a function. Output: a [`Fusion`], the same for every mesh and sharding, so that the cost of a function stays
//! a sum over its instructions. The rule is simple on purpose:
//!
//! - An instruction is *fusible* if it makes its only result element by element: no regions, every factor of its
//!   sharding rule passed through or offset, and a factor behind every result dim larger than 1 (elementwise ops,
//!   broadcast, transpose, reshape, iota, constants).
//! - An instruction *relabels* if it reads and writes no bytes and gives back what it takes (reshape,
//!   `optimization_barrier`, `sdy.sharding_constraint`), or moves a value to the memory in which it lies: its results
//!   share the memory of its operands. What moves a value to another memory is not fusible.
//! - The result of a fusible instruction is *stored* if something that is not fusible reads it, or something in
//!   another region (a loop's body), or an `optimization_barrier`, or if several instructions read it. What is made from
//!   less data than itself (a broadcast, a constant, an iota) is made again by every reader instead, so being read often
//!   does not count.
//! - Everything else is stored.
//!
//! Compilers for GPUs fuse more, and make again what is cheap: module `gpu`. [`FusionRule::of`] says whose rule holds on a platform.
//!
//! `exp(x - broadcast(m))` read by a sum and by a division stores the exponentials and nothing before them.

mod gpu;
mod kernels;

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::async_op::Async;
use meshwright_ir::program::{Body, Function, InstView};
use meshwright_ir::rule::{FactorKind, ShardingRule};
use meshwright_machine::Platform;
use meshwright_tensor::types::Type;

pub(crate) use kernels::{Part, WHOLE};

/// The rule by which a compiler fuses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FusionRule {
    /// What several instructions read is stored, and what moves or reduces is a kernel of its own.
    #[default]
    StoreShared,
    /// As XLA does it for GPUs: what is cheap is made again in each reader, and kernels take what they read into themselves.
    RepeatCheap,
}

impl FusionRule {
    /// The rule of a platform; of none in particular the default.
    pub fn of(platform: Option<Platform>) -> Self {
        match platform {
            Some(Platform::Cuda) => Self::RepeatCheap,
            Some(Platform::Cpu | Platform::Rocm | Platform::Tpu | Platform::Neuron | Platform::Npu)
            | None => Self::StoreShared,
        }
    }
}

/// Roles of an instruction in fusion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Its result is made element by element, inside of whatever reads it.
    Fusible,
    /// It fetches elements of its operands (a slice, a gather, a concatenation), and whatever reads it can do so itself.
    Moves,
    /// What it reads may be made inside of it, and its results are written to memory (a reduction, an update in place).
    Ends,
    /// Its results are its operands under other names.
    Relabels,
    /// It reads its operands from memory and writes its results there.
    Unfused,
}

/// Roles of instructions in fusion and the values that are stored, per function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fusion {
    /// Of each instruction. Instructions inside reducers are [`Role::Unfused`] and cost nothing.
    pub roles: Table<InstId, Role>,
    /// Whether each value lies in memory. What a relabeling instruction gives back does if its operand does.
    pub is_stored: Table<ValueId, bool>,
    /// Of each instruction its part in the kernels that it is in; nothing where each is in one, and reads once what it reads
    /// twice.
    parts: Table<InstId, Part>,
}

impl Fusion {
    /// Decides for `function`; `rules` are the sharding rules of its instructions, `on_host` says which values lie on
    /// the host.
    pub fn new(
        function: &Function,
        rules: &Table<InstId, ShardingRule>,
        on_host: &Table<ValueId, bool>,
        rule: FusionRule,
    ) -> Self {
        let body = &function.body;
        let roles: Table<InstId, Role> =
            body.insts.ids().map(|inst| role(body, inst, &rules[inst], on_host)).collect();
        match rule {
            FusionRule::StoreShared => Self::storing_shared(body, roles),
            FusionRule::RepeatCheap => gpu::fusion(body, roles),
        }
    }

    fn storing_shared(body: &Body, roles: Table<InstId, Role>) -> Self {
        let uses = body.uses();
        let region_of = body.region_of();
        let mut is_stored = Table::filled(true, body.values.len());
        for id in body.walk(body.entry()) {
            let inst = &body.insts[id];
            if roles[id] == Role::Unfused {
                continue;
            }
            let may_repeat = expands(&body.view(id));
            for (index, result) in inst.results.iter().enumerate() {
                let readers = &uses[*result];
                let is_needed = readers.iter().any(|(reader, _)| {
                    region_of[*reader] != region_of[id]
                        || roles[*reader] == Role::Unfused
                        || matches!(body.insts[*reader].op, Op::OptimizationBarrier(_))
                        || body.insts[*reader].results.len() > 1
                });
                let is_there = roles[id] == Role::Relabels && is_stored[inst.operands[index]];
                is_stored[*result] = is_there || is_needed || (are_several(readers) && !may_repeat);
            }
        }
        Self { roles, is_stored, parts: Table::filled(Part::default(), body.insts.len()) }
    }

    /// The part of an instruction in the kernels that it is in.
    pub(crate) fn part(&self, inst: InstId) -> &Part {
        &self.parts[inst]
    }
}

/// Returns whether more than one instruction is among those that read a value.
pub fn are_several(readers: &[(InstId, usize)]) -> bool {
    readers.iter().any(|(reader, _)| *reader != readers[0].0)
}

/// Whether the results have more elements than the operands.
fn expands(view: &InstView<'_>) -> bool {
    let elements = |ty: &Type| ty.as_tensor().map_or(0, |tensor| tensor.num_elements());
    let read: usize = view.operand_types().map(elements).sum();
    read < view.result_types().map(elements).sum()
}

fn role(body: &Body, inst: InstId, rule: &ShardingRule, on_host: &Table<ValueId, bool>) -> Role {
    let view = body.view(inst);
    let (operands, results) = (&view.inst.operands, &view.inst.results);
    // What is waited for lies where it was put together.
    if matches!(view.inst.op, Op::Async(Async::Done)) {
        return Role::Relabels;
    }
    if results.is_empty() || !view.inst.regions.is_empty() || view.inst.op.is_collective() {
        return Role::Unfused;
    }
    if view.inst.op.placement(&view).is_some() {
        let stays = operands.iter().zip(results).all(|(from, to)| on_host[*from] == on_host[*to]);
        return if stays { Role::Relabels } else { Role::Unfused };
    }
    if is_renaming(&view) {
        return Role::Relabels;
    }
    let is_elementwise = results.len() == 1
        && rule
            .factors
            .iter()
            .all(|factor| matches!(factor.kind, FactorKind::PassThrough | FactorKind::Offset))
        && view.result_types().zip(&rule.results).all(|(ty, dims)| {
            ty.as_tensor().is_some_and(|tensor| {
                tensor.shape.iter().zip(dims).all(|(size, factors)| *size <= 1 || !factors.is_empty())
            })
        });
    if is_elementwise { Role::Fusible } else { Role::Unfused }
}

/// Whether all that an instruction does is to give its operands other names or shapes.
pub(crate) fn is_renaming(view: &InstView<'_>) -> bool {
    let operands: Vec<Type> = view.operand_types().cloned().collect();
    let results: Vec<Type> = view.result_types().cloned().collect();
    operands.iter().map(Type::num_bytes).eq(results.iter().map(Type::num_bytes))
        && view.inst.op.bytes(&operands, &results) == 0.0
}
