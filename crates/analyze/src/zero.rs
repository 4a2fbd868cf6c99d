//! ZeRO (Rajbhandari et al., 2020): how much of the state is sharded over the axes that shard the batch.
//!
//! Input: a function, its [`Roles`], its [`Shardings`] and the axes that shard the batch. Output: a [`Zero`]. The
//! definition, axis by axis:
//!
//! - A tensor *could* be sharded over an axis if one of its dims, as far as other axes leave it, divides by it. A
//!   parameter that every contraction and lookup reads sharded over the axis (an expert, a table) is not in question,
//!   nor are its moments and its gradient: the axis splits the model there, and nothing is gathered.
//! - The *share* of the moments (of the gradients, of the parameters) is the bytes that are sharded over the axis, out of
//!   the bytes that could be.
//! - A gradient counts as it lies while a loop over microbatches adds it up, where one does, and a parameter as such a loop
//!   reads it, where that reads nothing but [`copies`] of it.
//! - Stage 1 shards at least nine tenths of the moments, stage 2 as much of the gradients too, stage 3 as much of the
//!   parameters too. Without moments (plain gradient descent) stage 1 is taken for granted.
//! - A smaller share than that, but at least a tenth, is said: `ZeRO-3 for 66 % of the parameters`.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::program::{Body, Def, Function};

use crate::copies::copies;
use crate::origins::Origin;
use crate::roles::{Role, Roles, contracted, is_lookup};
use meshwright_plan::shardings::Shardings;

/// Stages of ZeRO: the optimizer state that is sharded over the axes that shard the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ZeroStage {
    /// Moments.
    One = 1,
    /// Moments and gradients.
    Two,
    /// Moments, gradients and parameters.
    Three,
}

/// State that is sharded over the axes that shard the batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Zero {
    /// The stage that holds for nearly all state, and over which axes.
    pub whole: Option<(ZeroStage, AxisSet)>,
    /// A higher stage that holds for a part: its share of what the stage adds, and over which axes.
    pub part: Option<(ZeroStage, f64, AxisSet)>,
}

/// The share that counts as all.
const ALL: f64 = 0.9;
/// The least share that is mentioned.
const SOME: f64 = 0.1;

/// Finds out which stage `shardings` amounts to; `data` are the axes that shard the batch.
pub fn zero(function: &Function, roles: &Roles, shardings: &Shardings, data: AxisSet) -> Zero {
    let args = function.args();
    let used = used_sharded(function, roles, shardings);
    // Each tensor with the axes that split the model along its parameter.
    let tensor =
        |parameter: usize, value: ValueId| (value, used.get(&parameter).copied().unwrap_or(AxisSet::EMPTY));
    let kept = copies(function, roles);
    let read = |index: usize| kept.get(&index).and_then(|copies| copies.first()).copied();
    let parameters: Vec<_> =
        roles.parameters().map(|index| tensor(index, read(index).unwrap_or(args[index]))).collect();
    let moments: Vec<_> = roles
        .moments()
        .map(|index| match roles.args[index].role {
            Role::Moment { of } => tensor(of, args[index]),
            _ => (args[index], AxisSet::EMPTY),
        })
        .collect();
    let is_parameter = |index: &usize| roles.args[*index].role == Role::Parameter;
    let gradients: Vec<_> = roles
        .gradients
        .iter()
        .filter(|(index, _)| is_parameter(index))
        .map(|(index, value)| tensor(*index, summed(function, *value)))
        .collect();
    let shares = |tensors: &[(ValueId, AxisSet)]| -> Vec<(SubAxisId, f64)> {
        data.iter().map(|axis| (axis, share(function, shardings, tensors, axis))).collect()
    };
    let (of_moments, of_gradients, of_parameters) =
        (shares(&moments), shares(&gradients), shares(&parameters));
    let whole = |shares: &[(SubAxisId, f64)]| -> AxisSet {
        shares.iter().filter(|(_, share)| *share >= ALL).map(|(axis, _)| *axis).collect()
    };
    let first = if moments.is_empty() { data } else { whole(&of_moments) };
    let stages = [
        (ZeroStage::Three, first.intersection(whole(&of_parameters))),
        (ZeroStage::Two, first.intersection(whole(&of_gradients))),
        (ZeroStage::One, whole(&of_moments)),
    ];
    let reached = stages.into_iter().find(|(_, axes)| !axes.is_empty());
    let part =
        [(ZeroStage::Three, &of_parameters), (ZeroStage::Two, &of_gradients), (ZeroStage::One, &of_moments)]
            .into_iter()
            .filter(|(stage, _)| reached.is_none_or(|(reached, _)| *stage > reached))
            .find_map(|(stage, shares)| {
                let some: Vec<_> = shares.iter().filter(|(_, share)| (SOME..ALL).contains(share)).collect();
                let least = some.iter().map(|(_, share)| *share).reduce(f64::min)?;
                Some((stage, least, some.iter().map(|(axis, _)| *axis).collect()))
            });
    Zero { whole: reached, part }
}

impl Zero {
    /// In words, for people; `data` are the axes that share the batch.
    pub(crate) fn parts(&self, mesh: &Mesh, data: AxisSet) -> Vec<String> {
        let over = |axes: AxisSet| match mesh.set_size(axes) {
            _ if axes == data => String::new(),
            size => format!(" over {size}"),
        };
        let whole = self.whole.map(|(stage, axes)| format!("ZeRO-{}{}", stage as usize, over(axes)));
        let part = self.part.map(|(stage, share, axes)| {
            let what = match stage {
                ZeroStage::One => "moments",
                ZeroStage::Two => "gradients",
                ZeroStage::Three => "parameters",
            };
            let percent = (share * 100.0).round();
            format!("ZeRO-{}{} for {percent} % of the {what}", stage as usize, over(axes))
        });
        whole.into_iter().chain(part).collect()
    }
}

/// Value that holds a gradient while it is added up: what a loop over microbatches adds up, if one does.
fn summed(function: &Function, gradient: ValueId) -> ValueId {
    let body = &function.body;
    let left = left_by_a_loop(body, gradient).and_then(|path| path.last().copied());
    left.filter(|value| is_added_up(body, *value)).unwrap_or(gradient)
}

/// Whether a loop adds to a value that it leaves in every turn; a loop over layers puts a part of a gradient into each.
pub(crate) fn is_added_up(body: &Body, left: ValueId) -> bool {
    let Def::Result(inst, index) = body.values[left].def else { return false };
    let Some(region) = body.insts[inst].regions.last() else { return false };
    let region = &body.regions[*region];
    let end = region.insts.last().map(|end| &body.insts[*end].operands);
    let next = end.and_then(|operands| operands.get(index));
    let (Some(next), Some(carried)) = (next, region.args.get(index)) else { return false };
    let Def::Result(sum, _) = body.values[*next].def else { return false };
    let sum = &body.insts[sum];
    matches!(sum.op, Op::Binary(Binary::Add)) && sum.operands.contains(carried)
}

/// The values from a gradient back to what a loop leaves of it, in another order of dims or in other numbers; none if no loop
/// does.
pub fn left_by_a_loop(body: &Body, gradient: ValueId) -> Option<Vec<ValueId>> {
    let mut path = vec![gradient];
    loop {
        let value = *path.last()?;
        let Def::Result(inst, _) = body.values[value].def else { return None };
        let own = &body.insts[inst];
        match &own.op {
            Op::Reshape(_) | Op::Convert(_) | Op::Transpose(_) | Op::Reduce(_) => path.push(own.operands[0]),
            op if op.carries_values() => return Some(path),
            _ => return None,
        }
    }
}

/// The share of the bytes of `tensors` that is sharded over `axis`, out of those that could be.
fn share(function: &Function, shardings: &Shardings, tensors: &[(ValueId, AxisSet)], axis: SubAxisId) -> f64 {
    let (mut sharded, mut possible) = (0.0, 0.0);
    for (value, used) in tensors {
        let Some(tensor) = function.body.ty(*value).as_tensor() else { continue };
        let sharding = &shardings.values[*value];
        let bytes = tensor.num_bytes() as f64;
        if used.contains(axis) {
            continue;
        }
        if sharding.sharded_axes().contains(axis) {
            sharded += bytes;
            possible += bytes;
        } else if (0..tensor.rank()).any(|dim| {
            let local = tensor.shape[dim] / sharding.num_shards(dim, &shardings.mesh).max(1);
            local > 1 && local.is_multiple_of(shardings.mesh.size(axis))
        }) {
            possible += bytes;
        }
    }
    if possible > 0.0 { sharded / possible } else { 0.0 }
}

/// For each parameter that contractions or lookups read: the axes over which all of them read it sharded.
fn used_sharded(function: &Function, roles: &Roles, shardings: &Shardings) -> BTreeMap<usize, AxisSet> {
    let mut of_origin: BTreeMap<Origin, Vec<usize>> = BTreeMap::new();
    for index in roles.parameters() {
        of_origin.entry(roles.origins.of(function.args()[index])).or_default().push(index);
    }
    let mut used: BTreeMap<usize, AxisSet> = BTreeMap::new();
    let mut seen: BTreeSet<usize> = BTreeSet::new();
    for id in &roles.insts {
        let rule = &roles.rules[*id];
        if !is_lookup(rule) && contracted(rule).is_empty() {
            continue;
        }
        for (operand, factors) in function.body.insts[*id].operands.iter().zip(&rule.operands) {
            let strategy = &shardings.strategies[*id];
            let axes: AxisSet =
                factors.iter().flatten().flat_map(|factor| &strategy.axes[*factor]).copied().collect();
            for index in of_origin.get(&roles.origins.of(*operand)).into_iter().flatten() {
                let all = used.entry(*index).or_insert(axes);
                *all = if seen.insert(*index) { axes } else { all.intersection(axes) };
            }
        }
    }
    used
}
