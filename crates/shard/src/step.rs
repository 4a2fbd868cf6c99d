//! One step of propagation: along the factors of one node, between its operands and results.
//!
//! Input: the shardings of the node's tensors. Output: the dims that gained axes.
//!
//! 1. *Project*: a dim's axes are dealt to its factors, major first; a minor factor only gets axes once every more
//!    major factor is sharded completely. The last factor of a dim may be sharded by axes that do not divide it.
//! 2. *Collect*: per factor, the longest list of axes that all tensors agree on; where two lists differ, their common
//!    prefix. Operands are asked first, then results (one way only: those that it comes from decide alone).
//! 3. *Conflicts*: if one axis was collected for two factors, the factor goes first whose axes already lie in more
//!    bytes of tensors, then the one with more shards, then the first in the rule.
//! 4. *Extend*: every tensor, results first, takes each factor's list as far as it can: the dim must be open, the axis
//!    unused in this tensor, the factor divided evenly unless it is the last one of the dim.
//!
//! Example: `[i, k] x [k, j] -> [i, j]` with `x = [{"a"}, {}]`, `y = [{}, {"b"}]`: i gets `a`, j gets `b`, so the
//! result becomes `[{"a"}, {"b"}]`; with `y = [{}, {"a"}]` both want `a`, and the larger operand's factor has it.
//! After Shardy, "Core propagation algorithm" and its aggressive strategy.

use crate::axes::AxisList;
use crate::prepared::{Prepared, Slot};
use crate::rules::{Class, Rule};
use crate::state::State;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::ops::sdy_barrier::Direction;
use meshwright_ir::rule::{Factor, FactorKind};

/// Number of stages of op priorities; see [`direction`].
pub(crate) const NUM_STAGES: usize = 5;

/// Whether and how a factor propagates in a stage: first through ops that keep all dims and whose operands nobody else
/// reads, then through all that keep all dims, then along passed-through factors of any op, then along all factors,
/// at last forward through broadcasts too (a bias should not decide how activations are sharded).
fn direction(class: Class, single_use: bool, kind: FactorKind, stage: usize) -> Direction {
    if !kind.is_shardable() {
        return Direction::None;
    }
    let first = match class {
        Class::PassThrough if single_use => 0,
        Class::PassThrough => 1,
        _ if kind == FactorKind::PassThrough => 2,
        _ => 3,
    };
    match class {
        _ if stage < first => Direction::None,
        Class::Expanding if stage < 4 => Direction::Backward,
        _ => Direction::Both,
    }
}

/// The last stage up to which nothing goes otherwise along a node than in `stage`: what was done in it is done in all of them.
pub(crate) fn last_like(prepared: &Prepared, node: usize, stage: usize) -> usize {
    let node = &prepared.nodes[node];
    let rule = &prepared.rules[node.rule];
    let way = |factor: &Factor, stage: usize| {
        direction(rule.class, node.single_use, factor.kind, stage).within(node.allowed)
    };
    let is_like = |other: &usize| rule.factors.iter().all(|factor| way(factor, *other) == way(factor, stage));
    (stage + 1..NUM_STAGES).take_while(is_like).last().unwrap_or(stage)
}

/// Buffers of [`step`], kept between calls.
#[derive(Default)]
pub(crate) struct Scratch {
    /// Axes of factor `f` in tensor `t`, at `t * num_factors + f`.
    cells: Vec<AxisList>,
    /// What was collected for each factor.
    collected: Vec<AxisList>,
    /// Order in which factors extend.
    order: Vec<usize>,
    /// Slots that gained axes.
    pub(crate) changed: Vec<Slot>,
}

/// Propagates along one node. Leaves the slots that gained axes in `scratch.changed`.
pub(crate) fn step(state: &mut State<'_>, node_index: usize, stage: usize, scratch: &mut Scratch) {
    scratch.changed.clear();
    let prepared = state.prepared;
    let slots = prepared.slots(node_index);
    if slots.iter().all(|slot| state.sharded[*slot].is_empty()) {
        return;
    }
    let node = &prepared.nodes[node_index];
    let rule = &prepared.rules[node.rule];
    project(state, rule, slots, scratch);
    // Constants decide only where there is nobody else.
    let decides = |tensor: usize| node.only_constants || !state.constant[slots[tensor]];
    let mut all = AxisSet::EMPTY;
    let mut overlap = false;
    scratch.collected.clear();
    for (index, factor) in rule.factors.iter().enumerate() {
        let direction = direction(rule.class, node.single_use, factor.kind, stage).within(node.allowed);
        let axes = collect(rule, index, direction, node.num_operands, &scratch.cells, &decides);
        overlap |= !all.is_disjoint(axes.set());
        all = all.union(axes.set());
        scratch.collected.push(axes);
    }
    if all.is_empty() {
        return;
    }
    order_factors(state, rule, slots, overlap, scratch);
    let num_tensors = slots.len();
    for tensor in (node.num_operands..num_tensors).chain(0..node.num_operands) {
        let mut changed = false;
        for position in 0..scratch.order.len() {
            let factor = scratch.order[position];
            let mut wanted = scratch.collected[factor];
            if rule.class == Class::PassThrough && tensor < node.num_operands {
                limit_to_results(rule, factor, node.num_operands, &scratch.cells, &mut wanted);
            }
            changed |= extend(state, rule, slots[tensor], tensor, factor, &wanted, &mut scratch.cells);
        }
        if changed {
            scratch.changed.push(slots[tensor]);
        }
    }
}

/// Deals the axes of every dim to its factors.
fn project(state: &State<'_>, rule: &Rule, slots: &[Slot], scratch: &mut Scratch) {
    let num_factors = rule.factors.len();
    scratch.cells.clear();
    scratch.cells.resize(num_factors * slots.len(), AxisList::new());
    for (tensor, (slot, dims)) in slots.iter().zip(&rule.tensors).enumerate() {
        if state.sharded[*slot].is_empty() {
            continue;
        }
        for (axes, factors) in state.dims(*slot).iter().zip(dims) {
            let cells = &mut scratch.cells[tensor * num_factors..][..num_factors];
            match factors.as_slice() {
                [] => {}
                [only] => cells[*only] = *axes,
                _ => {
                    fill_factors(axes, factors, rule, state.mesh, |factor, axis| cells[factor].push(axis));
                }
            }
        }
    }
}

/// Gives axes to the factors of one dim, of which the last need not divide. Returns whether all were given.
fn fill_factors(
    axes: &AxisList,
    factors: &[usize],
    rule: &Rule,
    mesh: &Mesh,
    mut give: impl FnMut(usize, SubAxisId),
) -> bool {
    let size = |factor: usize| rule.factors[factor].size;
    axes.deal(factors.iter().map(|factor| (*factor, size(*factor))), mesh, |share| {
        let fits = share.is_last || size(share.factor).is_multiple_of(share.shards);
        if fits {
            give(share.factor, share.axis);
        }
        fits
    })
}

/// The longest list of axes that the deciding tensors agree on for one factor.
fn collect(
    rule: &Rule,
    factor: usize,
    direction: Direction,
    num_operands: usize,
    cells: &[AxisList],
    decides: &impl Fn(usize) -> bool,
) -> AxisList {
    let num_factors = rule.factors.len();
    let (first, second) = match direction {
        Direction::None => return AxisList::new(),
        Direction::Both => (0..rule.tensors.len(), 0..0),
        Direction::Backward => (num_operands..rule.tensors.len(), 0..num_operands),
        Direction::Forward => (0..num_operands, num_operands..rule.tensors.len()),
    };
    let mut agreed = AxisList::new();
    let mut may_grow = true;
    for tensor in first.filter(|tensor| decides(*tensor)) {
        let own = &cells[tensor * num_factors + factor];
        let common = agreed.common_prefix(own);
        if common < agreed.len() && common < own.len() {
            agreed.truncate(common);
            may_grow = false;
        } else if may_grow && own.len() > agreed.len() {
            agreed = *own;
        }
    }
    for tensor in second.filter(|tensor| decides(*tensor)) {
        let own = &cells[tensor * num_factors + factor];
        let common = agreed.common_prefix(own);
        if common < own.len() {
            agreed.truncate(common);
        }
    }
    agreed
}

/// Fills `scratch.order` with the factors that collected something, in the order in which they extend.
fn order_factors(state: &State<'_>, rule: &Rule, slots: &[Slot], overlap: bool, scratch: &mut Scratch) {
    let Scratch { cells, collected, order, .. } = scratch;
    order.clear();
    order.extend((0..rule.factors.len()).filter(|factor| !collected[*factor].is_empty()));
    if !overlap {
        return;
    }
    let held = |factor: usize| -> f64 {
        let has = |tensor: usize| !cells[tensor * rule.factors.len() + factor].is_empty();
        let holders = (0..slots.len()).filter(|tensor| has(*tensor));
        holders.map(|tensor| state.prepared.bytes[slots[tensor]]).sum()
    };
    let key = |factor: usize| (held(factor), collected[factor].product(state.mesh));
    order.sort_by(|a, b| {
        let ((bytes_a, shards_a), (bytes_b, shards_b)) = (key(*a), key(*b));
        bytes_b.total_cmp(&bytes_a).then(shards_b.cmp(&shards_a)).then(a.cmp(b))
    });
}

/// In ops that keep all dims, an operand is not sharded further than a result can follow.
fn limit_to_results(
    rule: &Rule,
    factor: usize,
    num_operands: usize,
    cells: &[AxisList],
    wanted: &mut AxisList,
) {
    for tensor in num_operands..rule.tensors.len() {
        let result = &cells[tensor * rule.factors.len() + factor];
        if wanted.common_prefix(result) == result.len() {
            wanted.truncate(result.len());
        }
    }
}

/// Extends the dim of one tensor that has `factor` as far towards `wanted` as possible. Returns whether it grew.
fn extend(
    state: &mut State<'_>,
    rule: &Rule,
    slot: Slot,
    tensor: usize,
    factor: usize,
    wanted: &AxisList,
    cells: &mut [AxisList],
) -> bool {
    let num_factors = rule.factors.len();
    let own = tensor * num_factors + factor;
    let had = cells[own].len();
    if had >= wanted.len() || cells[own].common_prefix(wanted) != had {
        return false;
    }
    let Some(dim) = rule.tensors[tensor].iter().position(|factors| factors.contains(&factor)) else {
        return false;
    };
    let flat = state.prepared.dims_of[slot].start + dim;
    if !state.is_open[flat] || !is_next(state, rule, &rule.tensors[tensor][dim], factor, flat) {
        return false;
    }
    // Where elements move, shards do not propagate that would need more of others than one of them holds.
    let Factor { size, reach, .. } = rule.factors[factor];
    if reach > 0 && reach > size.div_ceil(wanted.product(state.mesh)) {
        return false;
    }
    let mut shards = cells[own].product(state.mesh);
    let mut added = AxisList::new();
    let is_last = rule.tensors[tensor][dim].last() == Some(&factor);
    for axis in &wanted[had..] {
        let next = shards * state.mesh.size(*axis);
        let fits = is_last || size.is_multiple_of(next);
        if state.taken[slot].contains(*axis) || !fits {
            break;
        }
        shards = next;
        added.push(*axis);
    }
    if added.is_empty() {
        return false;
    }
    state.extend(slot, flat, &added);
    cells[own].extend(&added);
    true
}

/// Whether the next axis of a dim would belong to `factor`: all its axes are dealt, the more major factors are full,
/// and no more minor one has begun.
fn is_next(state: &State<'_>, rule: &Rule, factors: &[usize], factor: usize, flat: usize) -> bool {
    if let [_] = factors {
        return true;
    }
    let axes = &state.axes[flat];
    let mut given = vec![1usize; factors.len()];
    let mut last = 0;
    let position = |wanted: usize| factors.iter().position(|other| *other == wanted).unwrap_or(0);
    let all_dealt = fill_factors(axes, factors, rule, state.mesh, |factor, axis| {
        last = position(factor);
        given[last] *= state.mesh.size(axis);
    });
    let own = position(factor);
    let majors_full = (0..own).all(|major| given[major] == rule.factors[factors[major]].size);
    all_dealt && majors_full && last <= own
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::ids::Id;
    use meshwright_ir::mesh::Axis;

    fn mesh() -> Mesh {
        Mesh::new("mesh", vec![Axis { name: "x".into(), size: 4 }, Axis { name: "y".into(), size: 3 }])
            .unwrap()
    }

    #[test]
    fn minor_factors_get_axes_once_the_major_is_full() {
        let factor = |size| Factor::new(size, FactorKind::PassThrough);
        let rule = Rule {
            factors: vec![factor(2), factor(6)],
            tensors: vec![vec![vec![0, 1]]],
            class: Class::PassThrough,
            has_compound_dims: true,
        };
        let axes: Vec<SubAxisId> = [0, 1, 2].map(SubAxisId::from_index).to_vec();
        let mut dealt = Vec::new();
        assert!(fill_factors(&AxisList::of(&axes), &[0, 1], &rule, &mesh(), |factor, axis| dealt
            .push((factor, axis))));
        assert_eq!(dealt, [(0, axes[0]), (1, axes[1]), (1, axes[2])]);
        let mut dealt = Vec::new();
        let too_many = AxisList::of(&[axes[0], axes[1], axes[2], axes[2]]);
        assert!(fill_factors(&too_many, &[0, 1], &rule, &mesh(), |factor, axis| dealt.push((factor, axis))));
        assert_eq!(dealt.last(), Some(&(1, axes[2])), "the last factor need not divide");
        let mut dealt = Vec::new();
        let three_first = AxisList::of(&[axes[2]]);
        assert!(
            !fill_factors(&three_first, &[0, 1], &rule, &mesh(), |factor, axis| dealt.push((factor, axis)))
        );
        assert_eq!(dealt, []);
    }

    #[test]
    fn broadcasts_spread_forward_last() {
        let pass = FactorKind::PassThrough;
        let first = |class, single_use, kind, wanted| {
            (0..NUM_STAGES).find(|stage| direction(class, single_use, kind, *stage) == wanted)
        };
        assert_eq!(first(Class::PassThrough, true, pass, Direction::Both), Some(0));
        assert_eq!(first(Class::PassThrough, false, pass, Direction::Both), Some(1));
        assert_eq!(first(Class::Expanding, false, pass, Direction::Backward), Some(2));
        assert_eq!(first(Class::Expanding, false, pass, Direction::Both), Some(4));
        assert_eq!(first(Class::Other, false, pass, Direction::Both), Some(2));
        assert_eq!(first(Class::Other, false, FactorKind::Offset, Direction::Both), Some(3));
        assert_eq!(first(Class::Other, false, FactorKind::Permuted, Direction::Both), Some(3));
        assert_eq!(first(Class::Other, true, FactorKind::NeedReplication, Direction::Both), None);
    }
}
