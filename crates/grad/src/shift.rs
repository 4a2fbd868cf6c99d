//! Maxima that are subtracted only to keep exponentials in range, and on which the loss does not depend.
//!
//! `softmax` and `logsumexp` subtract the largest element of a row before they exponentiate, and divide by the sum, or add
//! the maximum to its logarithm: another number in its place would give the same. Frontends stop the gradient there,
//! which the program no longer says. Its derivative is zero, so it is not written down at all.
//!
//! Input: a body. Output: the maxima `m` of which this is seen: with `m + d` in place of `m`, a value is shifted by `k d` or
//! scaled by `exp(k d)`, and `k` is zero in all that is read otherwise.
//!
//! ```text
//! %m = reduce max %x      shifted by d           %s = reduce add %e        scaled by exp(-d)
//! %e = exp (%x - %m)      scaled by exp(-d)      %p = divide %e, %s        the same
//! ```

use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::constant::splat_of;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::literal::Literal;
use std::collections::{BTreeMap, BTreeSet};

/// The maxima of a body without an effect on anything.
pub(crate) fn without_effect(body: &Body, loss: ValueId) -> BTreeSet<ValueId> {
    let mut found = BTreeSet::new();
    for region in body.regions.values() {
        for (at, inst) in region.insts.iter().enumerate() {
            let view = body.view(*inst);
            let Op::Reduce(reduce) = &view.inst.op else { continue };
            let is_maximum = view.inst.results.len() == 1 && reduce.reduction(&view) == Some(Reduction::Max);
            if is_maximum && has_no_effect(body, loss, view.inst.results[0], &region.insts[at + 1..]) {
                found.insert(view.inst.results[0]);
            }
        }
    }
    found
}

/// What becomes of a value when the maximum is another number.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    kind: Kind,
    /// How often the number is in it.
    times: i32,
    /// The dim of the maximum that each dim of the value goes along with.
    dims: Vec<Option<usize>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Shifted,
    Scaled,
}

/// Whether all that is made of a maximum, in the instructions behind it, is the same for any other number.
fn has_no_effect(body: &Body, loss: ValueId, maximum: ValueId, behind: &[InstId]) -> bool {
    let shape = &body.tensor(maximum).shape;
    let dims = shape.iter().enumerate().map(|(dim, size)| (*size > 1).then_some(dim)).collect();
    let mut changes = BTreeMap::from([(maximum, Change { kind: Kind::Shifted, times: 1, dims })]);
    for inst in behind {
        let view = body.view(*inst);
        let reads = |value: &ValueId| changes.contains_key(value);
        if !view.inst.regions.is_empty() && view.captured().iter().any(reads) {
            return false;
        }
        if !view.inst.operands.iter().any(reads) {
            continue;
        }
        let is_continuous = |value: &ValueId| crate::activity::has_cotangent(body.ty(*value));
        if !view.inst.results.is_empty() && !view.inst.results.iter().any(is_continuous) {
            continue;
        }
        let [result] = view.inst.results[..] else { return false };
        match changed(&view, &changes) {
            None => return false,
            Some(change) if change.times == 0 => {}
            Some(change) => {
                changes.insert(result, change);
            }
        }
    }
    // What returns the loss is no longer there.
    !changes.contains_key(&loss)
}

/// What becomes of an instruction's result; `None`: something else.
fn changed(view: &InstView<'_>, changes: &BTreeMap<ValueId, Change>) -> Option<Change> {
    let of = |index: usize| changes.get(view.inst.operands.get(index)?);
    match &view.inst.op {
        Op::Unary(unary) => {
            let change = of(0)?.clone();
            let kind = match (unary, change.kind) {
                (Unary::Exponential, Kind::Shifted) => Kind::Scaled,
                (Unary::Log, Kind::Scaled) => Kind::Shifted,
                (Unary::Negate, Kind::Shifted) => return Some(Change { times: -change.times, ..change }),
                (Unary::Negate, kind) => kind,
                _ => return None,
            };
            Some(Change { kind, ..change })
        }
        Op::Binary(binary) => of_two(view, *binary, [of(0), of(1)]),
        Op::Convert(_) | Op::OptimizationBarrier(_) | Op::ShardingConstraint(_) => of(0).cloned(),
        Op::BroadcastInDim(broadcast) => {
            let change = of(0)?;
            let result = &view.result(0).shape;
            let mut dims = vec![None; result.len()];
            for (own, dim) in broadcast.dims.iter().enumerate() {
                dims[*dim] = change.dims[own];
            }
            Some(Change { dims, ..change.clone() })
        }
        Op::Transpose(transpose) => {
            let change = of(0)?;
            let dims = transpose.permutation.iter().map(|dim| change.dims[*dim]).collect();
            Some(Change { dims, ..change.clone() })
        }
        Op::Reshape(_) => {
            let change = of(0)?;
            let (before, after) = (&view.operand(0).shape, &view.result(0).shape);
            let dims = with_other_ones(before, after, &change.dims)?;
            Some(Change { dims, ..change.clone() })
        }
        Op::Reduce(reduce) if reduce.reduction(view) == Some(Reduction::Sum) => {
            let change = of(0).filter(|_| of(1).is_none())?;
            // Only what is scaled by one number may be added up.
            let is_one = reduce.dims.iter().all(|dim| change.dims[*dim].is_none());
            let kept = change.dims.iter().enumerate().filter(|(dim, _)| !reduce.dims.contains(dim));
            let dims = kept.map(|(_, of)| *of).collect();
            (is_one && change.kind == Kind::Scaled).then(|| Change { dims, ..change.clone() })
        }
        Op::Select(_) => of_choice(view, [of(1), of(2)]),
        _ => None,
    }
}

/// What becomes of a combination of two values.
fn of_two(view: &InstView<'_>, binary: Binary, changes: [Option<&Change>; 2]) -> Option<Change> {
    let (kind, sign) = match binary {
        Binary::Add => (Kind::Shifted, 1),
        Binary::Subtract => (Kind::Shifted, -1),
        Binary::Multiply => (Kind::Scaled, 1),
        Binary::Divide => (Kind::Scaled, -1),
        Binary::Maximum => {
            // The largest number and the least one.
            let (index, change) = match changes {
                [Some(change), None] => (1, change),
                [None, Some(change)] => (0, change),
                _ => return None,
            };
            return (splat(view, index)? == f64::NEG_INFINITY).then(|| change.clone());
        }
        _ => return None,
    };
    let one = changes[0].or(changes[1])?;
    if changes.iter().flatten().any(|change| change.kind != kind || change.dims != one.dims) {
        return None;
    }
    let times = |index: usize| changes[index].map_or(0, |change| change.times);
    Some(Change { times: times(0) + sign * times(1), ..one.clone() })
}

/// What becomes of a choice: zero is scaled like anything, and what takes the place of an infinite maximum does not count.
fn of_choice(view: &InstView<'_>, changes: [Option<&Change>; 2]) -> Option<Change> {
    let (other, change) = match changes {
        [Some(change), None] => (2, change),
        [None, Some(change)] => (1, change),
        _ => return None,
    };
    let is_zero = splat(view, other)? == 0.0;
    let is_test = match view.body.values[view.inst.operands[0]].def {
        Def::Result(inst, _) => matches!(view.body.insts[inst].op, Op::Unary(Unary::IsFinite)),
        Def::Argument(..) => false,
    };
    let holds = if change.kind == Kind::Scaled { is_zero } else { is_zero && is_test };
    holds.then(|| change.clone())
}

/// The number that all elements of an operand are, seen through a broadcast.
fn splat(view: &InstView<'_>, index: usize) -> Option<f64> {
    if let Some(number) = splat_of(view, index).and_then(Literal::splat_f64) {
        return Some(number);
    }
    let Def::Result(inst, _) = view.body.values[*view.inst.operands.get(index)?].def else { return None };
    let inner = view.body.view(inst);
    let is_broadcast = matches!(inner.inst.op, Op::BroadcastInDim(_));
    is_broadcast.then(|| splat_of(&inner, 0).and_then(Literal::splat_f64)).flatten()
}

/// The dims of a shape that differs from another one only in dims of size one; `None` if it differs otherwise.
fn with_other_ones(before: &[usize], after: &[usize], dims: &[Option<usize>]) -> Option<Vec<Option<usize>>> {
    let long = |shape: &[usize]| shape.iter().copied().filter(|size| *size != 1).collect::<Vec<_>>();
    let mut left = before.iter().zip(dims).filter(|(size, _)| **size != 1).map(|(_, dim)| *dim);
    let dim = |size: &usize| if *size == 1 { None } else { left.next().flatten() };
    (long(before) == long(after)).then(|| after.iter().map(dim).collect())
}
