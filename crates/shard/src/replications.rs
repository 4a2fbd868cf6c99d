//! Which instructions have a sharded operand whole on every device, or make a sharded result whole.
//!
//! Input: a function, what propagation made of its values, and the shardings that were settled. Output: each operand
//! that is gathered along a dim which the instruction could not take in shards, or not for less ([`Reason`]), unless
//! the program itself says that the result is whole. What is computed from constants alone is whole at no cost and left
//! out, and so are operands that are gathered since the program shards others (the weights of a product, say).
//! Results are those that follow from no tensor along a sharded dim, as random bits do.

use crate::ValueShardings;
use meshwright_ir::diagnostic::{Check, Diagnostic};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Function, InstView, Regions};
use meshwright_ir::rule::{FactorKind, ShardingRule};
use meshwright_ir::sharding::Sharding;
use meshwright_plan::Shardings;
use meshwright_plan::shardings::sharded_insts;

/// An instruction needs a sharded operand whole.
pub const REPLICATED: Check = Check("replicated");

/// Reasons for which an operand is whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The instruction cannot do with less.
    Needed,
    /// The result has the dim merged with others, or split, and no sharding of the result says where the shards lie.
    Merged,
    /// Sending the parts that are needed costs more.
    Cheaper,
    /// The result is not sharded along the dim, though nobody said that it must not be.
    Unsharded,
    /// Nor can it be: this instruction needs the result whole.
    NeededBehind(InstId),
    /// It is a result of which the instruction makes all elements or none.
    Made,
}

/// One such operand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replication {
    /// The instruction.
    pub inst: InstId,
    /// Which operand; for [`Reason::Made`] which result.
    pub tensor: usize,
    /// The dims that are whole.
    pub dims: Vec<usize>,
    /// The axes that shard them before, or behind the instruction that makes them.
    pub axes: AxisSet,
    /// Bytes of the tensor on each device then.
    pub bytes: u64,
    /// Why.
    pub reason: Reason,
}

/// All of them, in execution order.
pub fn replications(function: &Function, values: &ValueShardings, shardings: &Shardings) -> Vec<Replication> {
    let body = &function.body;
    let search = Search { function, values, shardings, uses: body.uses() };
    let free = computed_from_constants(body);
    let mut found = Vec::new();
    for inst in sharded_insts(body, body.entry()) {
        let view = body.view(inst);
        if view.regions() != Regions::OfElements || matches!(view.inst.op, Op::Return(_)) {
            continue;
        }
        let rule = view.inst.op.rule(&view);
        let read = &view.inst.operands;
        // What is read twice is gathered once.
        let is_first = |index: usize| !read[..index].contains(&read[index]);
        let operands = (0..read.len()).filter(|index| !free[read[*index]] && is_first(*index));
        found.extend(operands.filter_map(|operand| search.of_operand(&view, &rule, operand)));
        found
            .extend((0..view.inst.results.len()).filter_map(|result| search.of_result(&view, &rule, result)));
    }
    found
}

struct Search<'a> {
    function: &'a Function,
    values: &'a ValueShardings,
    shardings: &'a Shardings,
    uses: Table<ValueId, Vec<(InstId, usize)>>,
}

impl Search<'_> {
    fn of_operand(&self, view: &InstView<'_>, rule: &ShardingRule, operand: usize) -> Option<Replication> {
        let (mesh, value) = (&self.shardings.mesh, view.inst.operands[operand]);
        let tensor = view.body.ty(value).as_tensor()?;
        let (given, held) = (&self.values.values[value], &self.shardings.values[value]);
        let needed = self.shardings.strategies[view.id].operand_sharding(rule, operand, mesh);
        let bytes = needed.local_type(tensor, mesh).num_bytes() as u64;
        let factors = &rule.operands[operand];
        let rank = given.dims.len().min(factors.len());
        let kept: AxisSet = needed.dims.iter().flat_map(|dim| &dim.axes).collect();
        // Axes that shard the dim and none of what is needed: those of an exchange go on to shard another dim.
        let is_lost = |sharding: &Sharding, dim: usize| {
            sharding.dims[dim].axes.iter().any(|axis| !kept.contains(*axis))
        };
        let kinds = |dim: usize| factors[dim].iter().map(|factor| rule.factors[*factor].kind);
        let is_needed =
            |dim: usize| !given.dims[dim].axes.is_empty() && kinds(dim).all(|kind| !kind.is_shardable());
        let is_merged = |dim: usize| is_lost(given, dim) && is_merged(rule, &factors[dim]);
        // What a loop carries may have been gathered before it.
        let is_carried =
            matches!(view.body.values[value].def, Def::Argument(region, _) if region != view.body.entry());
        let moves = |dim: usize| {
            let moves = [FactorKind::Permuted, FactorKind::Halo, FactorKind::Sliced, FactorKind::Indexed];
            (is_lost(held, dim) || (is_carried && is_lost(given, dim)))
                && needed.dims[dim].axes.is_empty()
                && kinds(dim).any(|kind| moves.contains(&kind))
        };
        let of_result = |dim: usize| self.result_with(view, rule, &factors[dim]);
        let is_smaller = bytes > bytes_of_results(view, self.shardings);
        let reason = |dim: usize| {
            if is_needed(dim) {
                return Some(Reason::Needed);
            }
            let result = of_result(dim);
            if result.is_some_and(|(result, dim)| self.is_whole_as_said(result, dim)) {
                return None;
            }
            match (is_merged(dim), moves(dim), result) {
                (true, ..) => Some(Reason::Merged),
                (false, true, Some((result, dim))) if !is_smaller => {
                    Some(self.behind(view.body, result, dim))
                }
                (false, true, _) => Some(Reason::Cheaper),
                (false, false, _) => None,
            }
        };
        let reasons: Vec<Option<Reason>> = (0..rank).map(reason).collect();
        let first = reasons.iter().flatten().next().copied()?;
        let dims: Vec<usize> = (0..rank).filter(|dim| reasons[*dim] == Some(first)).collect();
        let is_early = dims.iter().all(|dim| held.dims[*dim].axes.is_empty());
        let from = if is_early || matches!(first, Reason::Needed | Reason::Merged) { given } else { held };
        let axes = dims.iter().flat_map(|dim| &from.dims[*dim].axes).collect();
        // What has no elements costs nothing.
        (bytes > 0).then_some(Replication {
            inst: view.id,
            tensor: operand,
            dims,
            axes,
            bytes,
            reason: first,
        })
    }

    fn of_result(&self, view: &InstView<'_>, rule: &ShardingRule, result: usize) -> Option<Replication> {
        let (mesh, value) = (&self.shardings.mesh, view.inst.results[result]);
        let tensor = view.body.ty(value).as_tensor()?;
        let wanted = &self.values.values[value];
        let is_made = |dim: &usize| {
            let mut factors = rule.results[result][*dim].iter();
            let is_read = |factor| rule.operands.iter().flatten().any(|dim| dim.contains(factor));
            !wanted.dims[*dim].axes.is_empty()
                && factors.all(|factor| !rule.factors[*factor].kind.is_shardable() && !is_read(factor))
        };
        let dims: Vec<usize> = (0..wanted.dims.len()).filter(is_made).collect();
        let axes = dims.iter().flat_map(|dim| &wanted.dims[*dim].axes).collect();
        let made = self.shardings.strategies[view.id].result_sharding(rule, result, mesh);
        let bytes = made.local_type(tensor, mesh).num_bytes() as u64;
        let found = Replication { inst: view.id, tensor: result, dims, axes, bytes, reason: Reason::Made };
        (bytes > 0 && !found.dims.is_empty()).then_some(found)
    }

    /// The result and its dim that have some of these factors.
    fn result_with(
        &self,
        view: &InstView<'_>,
        rule: &ShardingRule,
        factors: &[usize],
    ) -> Option<(ValueId, usize)> {
        let has = |dim: &Vec<usize>| dim.iter().any(|factor| factors.contains(factor));
        let mut results = view.inst.results.iter().zip(&rule.results);
        results.find_map(|(result, dims)| Some((*result, dims.iter().position(has)?)))
    }

    /// Whether the program says that a dim of a value is whole.
    fn is_whole_as_said(&self, value: ValueId, dim: usize) -> bool {
        let is_closed = |sharding: &Sharding| {
            sharding.dims.get(dim).is_some_and(|dim| !dim.is_open && dim.axes.is_empty())
        };
        let returned = self.function.returned();
        is_closed(&self.values.values[value])
            || returned
                .iter()
                .zip(&self.values.results)
                .any(|(other, result)| *other == value && is_closed(result))
    }

    /// Why a result is whole along a dim.
    fn behind(&self, body: &Body, value: ValueId, dim: usize) -> Reason {
        let needs = |(user, operand): &(InstId, usize)| {
            let view = body.view(*user);
            if view.regions() != Regions::OfElements {
                return false;
            }
            let rule = view.inst.op.rule(&view);
            let factors = rule.operands.get(*operand).and_then(|dims| dims.get(dim));
            !matches!(view.inst.op, Op::Return(_))
                && factors
                    .is_some_and(|of| of.iter().all(|factor| !rule.factors[*factor].kind.is_shardable()))
        };
        match self.uses[value].iter().find(|user| needs(user)) {
            Some((user, _)) => Reason::NeededBehind(*user),
            None => Reason::Unsharded,
        }
    }
}

/// Whether the factors of an operand's dim stand with others in dims of the results, or in several; not where a result has
/// the same dim, as kernels have that read heads in groups.
fn is_merged(rule: &ShardingRule, factors: &[usize]) -> bool {
    let stands_behind = |dim: &Vec<usize>| dim.iter().skip(1).any(|factor| factors.contains(factor));
    let made = || rule.results.iter().flatten();
    !made().any(|dim| dim == factors) && (factors.len() > 1 || made().any(stands_behind))
}

impl Replication {
    /// As a warning at the instruction's place. `bytes` are its bytes for people.
    pub fn warning(&self, body: &Body, mesh: &Mesh, bytes: &str) -> Diagnostic {
        let inst = &body.insts[self.inst];
        let axes = mesh.describe(&self.axes.iter().collect::<Vec<_>>()).join(", ");
        let dims: Vec<String> = self.dims.iter().map(usize::to_string).collect();
        let (name, dims, tensor) = (inst.op.name(), dims.join(" and "), self.tensor);
        let (what, which) = match self.reason {
            Reason::Needed => ("needs", "operand"),
            Reason::Made => ("makes", "result"),
            _ => ("gathers", "operand"),
        };
        let kernel = match &inst.op {
            Op::CustomCall(call) => format!(" of @{}", call.target),
            _ => String::new(),
        };
        let message = format!(
            "`{name}`{kernel} {what} dim {dims} of {which} {tensor} whole, which is sharded over {axes}: every device \
             gets {bytes}"
        );
        Diagnostic::warning(REPLICATED, inst.span, message).hint(match self.reason {
            Reason::Needed => {
                let dim = self.dims.first().copied().unwrap_or(0);
                inst.op.hint_if_whole(&body.view(self.inst), self.tensor, dim).to_owned()
            }
            Reason::Made if !matches!(inst.op, Op::Rng(_)) => {
                "each device keeps its part of it: shard another dim of the result, or leave it whole".to_owned()
            }
            Reason::Made => "each device keeps its part of it; elements that follow from their positions (`stablehlo.iota` \
                             and what is computed from it) are made in parts"
                .to_owned(),
            Reason::Merged => "the shards of a dim that is merged with others lie side by side only if it is the \
                               major one, and are whole parts only if they divide what it is split into: shard \
                               such a dim, or reshape before it is sharded"
                .to_owned(),
            Reason::Cheaper => "sending each device only what it needs would cost more; shard another dim, or the \
                                result likewise if it has this one"
                .to_owned(),
            Reason::Unsharded => "the result is not sharded along this dim: shard it likewise, or say that it is \
                                  replicated"
                .to_owned(),
            Reason::NeededBehind(reader) => format!(
                "`{}`, which reads the result, needs it whole along this dim: shard another one",
                body.insts[reader].op.name()
            ),
        })
    }
}

/// Bytes of the results of an instruction on each device.
fn bytes_of_results(view: &InstView<'_>, shardings: &Shardings) -> u64 {
    let local = |value: &ValueId| {
        let tensor = view.body.ty(*value).as_tensor()?;
        Some(shardings.values[*value].local_type(tensor, &shardings.mesh).num_bytes() as u64)
    };
    view.inst.results.iter().filter_map(local).sum()
}

/// Whether each value is computed from nothing but constants, iotas and scalars.
fn computed_from_constants(body: &Body) -> Table<ValueId, bool> {
    let mut free = Table::filled(false, body.values.len());
    for inst in body.walk(body.entry()) {
        let view = body.view(inst);
        let is_scalar =
            |value: &ValueId| body.ty(*value).as_tensor().is_some_and(|tensor| tensor.rank() == 0);
        let all = view.inst.operands.iter().all(|value| free[*value] || is_scalar(value));
        let is_local = view.regions() == Regions::OfElements && !view.inst.op.is_collective();
        if all && is_local {
            view.inst.results.iter().for_each(|result| free[*result] = true);
        }
    }
    free
}
