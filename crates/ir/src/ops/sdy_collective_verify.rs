//! The rules of `sdy` collectives: applied to the operand's sharding, they must give the result's. Input: a collective
//! with its scope. Output: what it breaks, after Shardy's verifier.
//!
//! - The operand has a sharding (those that add axes or reduce may do without), on a mesh like the result's; only a
//!   permutation may change the order of the devices, and must if it names another mesh.
//! - The result's sharding fits its type; both have the same number of dims.
//! - The axes are a valid list, no axis twice; where it is one list, in mesh order.
//! - Gathering takes axes from the end of a dim, slicing adds them there, all-to-all does the one and the other; the
//!   rest of the dims stay.
//! - Axes become unreduced only where the op says so, as sums; a reduction ends only unreduced axes that combine like
//!   it; axes that stay unreduced combine as before.

use crate::mesh::Mesh;
use crate::op::Violations;
use crate::program::InstView;
use crate::scope::Scope;
use crate::sdy::axes::{is_covered, push_or_merge, sort_and_merge};
use crate::sdy::check::{check_each_once, check_list, check_sorted_list};
use crate::sdy::{AllToAllParam, AxisList};
use crate::sharding::{AxisRefAttr, DimShardingAttr, Reduction, ShardingAttr, ShardingError};

use super::sdy_collective::{Change, SdyCollective};

/// Both ends of a collective.
struct Ends<'a> {
    operand: &'a ShardingAttr,
    result: &'a ShardingAttr,
    mesh: &'a Mesh,
}

pub(super) fn verify(
    op: &SdyCollective,
    view: &InstView<'_>,
    scope: &Scope<'_>,
    violations: &mut Violations,
) {
    let [operand] = view.inst.operands[..] else {
        return;
    };
    let result = &op.out_sharding;
    let given = scope.sharding(operand);
    let may_be_missing =
        matches!(op.change, Change::AllSlice(_) | Change::AllReduce(..) | Change::ReduceScatter(..));
    if !violations.require(given.is_some() || may_be_missing, || "the operand has no sharding".into()) {
        return;
    }
    let checked = scope.check_sharding(result, view.result_types().next());
    let (true, Ok(mesh)) = (violations.sharding(checked, ""), scope.mesh(&result.mesh)) else {
        return;
    };
    let rank = view.body.ty(operand).as_tensor().map_or(0, |tensor| tensor.rank());
    let missing = ShardingAttr {
        dims: vec![DimShardingAttr::default(); rank],
        replicated: Vec::new(),
        unreduced: Vec::new(),
        ..result.clone()
    };
    let operand = given.as_deref().unwrap_or(&missing);
    // A sharding that is wrong itself is reported where it stands.
    let Ok(operand_mesh) = scope.mesh(&operand.mesh) else {
        return;
    };
    if scope.check_sharding(operand, view.operand_types().next()).is_err() {
        return;
    }
    if !verify_meshes(op, mesh, operand_mesh, operand, violations) {
        return;
    }
    let ends = Ends { operand, result, mesh };
    if let Err(error) = ends.verify(&op.change) {
        violations.sharding(Err(error), "");
        return;
    }
    if op.change.reduction().is_some() {
        unreduced_transition(operand, result, None, op.change.reduction(), scope, violations);
    }
}

fn verify_meshes(
    op: &SdyCollective,
    mesh: &Mesh,
    operand_mesh: &Mesh,
    operand: &ShardingAttr,
    violations: &mut Violations,
) -> bool {
    let describe = || format!("the result is on {}, the operand on {}", mesh.attr(), operand_mesh.attr());
    if op.change != Change::CollectivePermute {
        return violations.require(mesh.is_like(operand_mesh), describe);
    }
    violations.require(mesh.axes() == operand_mesh.axes(), describe)
        && violations.require(
            operand.mesh == op.out_sharding.mesh || mesh.device_ids() != operand_mesh.device_ids(),
            || "operand and result name different meshes whose devices stand in the same order".into(),
        )
}

fn error<T>(message: String, hint: &str) -> Result<T, ShardingError> {
    Err(ShardingError { message, hint: hint.to_owned() })
}

impl Ends<'_> {
    fn verify(&self, change: &Change) -> Result<(), ShardingError> {
        match change {
            Change::AllGather(axes) => self.per_dim(axes, |dim, here| self.without(dim, here, "gathering")),
            Change::AllSlice(axes) | Change::ReduceScatter(_, axes) => {
                self.per_dim(axes, |dim, here| Ok(self.with(dim, here)))
            }
            Change::AllReduce(_, axes) => self.all_reduce(axes),
            Change::AllToAll(params) => self.all_to_all(params),
            Change::CollectivePermute => self.collective_permute(),
            Change::ShardedToUnreduced(axes) => {
                self.per_dim(axes, |dim, here| self.without(dim, here, "unreduced"))?;
                self.unreduced_grows_by(&axes.concat())
            }
            Change::ReplicatedToUnreduced(axes) => self.replicated_to_unreduced(axes),
        }
    }

    /// The axes of dim `dim` of the operand with `axes` behind them.
    fn with(&self, dim: usize, axes: &[AxisRefAttr]) -> Vec<AxisRefAttr> {
        let mut expected = self.operand.dims[dim].axes.clone();
        axes.iter().for_each(|axis| push_or_merge(&mut expected, axis, self.mesh));
        expected
    }

    /// The axes of dim `dim` of the operand without `axes`, which must end them.
    fn without(
        &self,
        dim: usize,
        axes: &[AxisRefAttr],
        what: &str,
    ) -> Result<Vec<AxisRefAttr>, ShardingError> {
        let mut expected = self.operand.dims[dim].axes.clone();
        for axis in axes.iter().rev() {
            let rest = expected.pop().and_then(|last| last.without_suffix(axis, self.mesh));
            let Some(rest) = rest else {
                let message =
                    format!("the {what} axis {axis} does not end the axes of dim {dim} of the operand");
                let dim = &self.operand.dims[dim];
                return error(message, &format!("the operand's dim is sharded {dim}"));
            };
            expected.extend(rest);
        }
        Ok(expected)
    }

    fn expect(&self, dim: usize, expected: &[AxisRefAttr]) -> Result<(), ShardingError> {
        let found = &self.result.dims[dim].axes;
        if found == expected {
            return Ok(());
        }
        let (found, expected) = (AxisList(found), AxisList(expected));
        error(format!("dim {dim} of the result should be sharded {expected}, not {found}"), "")
    }

    fn per_dim(
        &self,
        axes: &[Vec<AxisRefAttr>],
        expected: impl Fn(usize, &[AxisRefAttr]) -> Result<Vec<AxisRefAttr>, ShardingError>,
    ) -> Result<(), ShardingError> {
        for list in axes {
            check_list(list, self.mesh)?;
        }
        check_each_once(axes.iter().flatten(), self.mesh)?;
        if axes.len() != self.result.dims.len() {
            let message =
                format!("axes are given for {} dims, but there are {}", axes.len(), self.result.dims.len());
            return error(message, "write one {...} per dim of the tensor");
        }
        for (dim, here) in axes.iter().enumerate() {
            self.expect(dim, &expected(dim, here)?)?;
        }
        Ok(())
    }

    fn all_reduce(&self, axes: &[AxisRefAttr]) -> Result<(), ShardingError> {
        let (operand, result) = (self.operand, self.result);
        let dims = |sharding: &ShardingAttr| -> Vec<Vec<AxisRefAttr>> {
            sharding.dims.iter().map(|dim| dim.axes.clone()).collect()
        };
        if dims(operand) != dims(result) {
            return error("the dims of operand and result are sharded differently".into(), "");
        }
        check_sorted_list("reduction", axes, self.mesh)?;
        check_each_once(axes.iter(), self.mesh)?;
        let kept = operand.dims.iter().flat_map(|dim| &dim.axes).chain(&operand.replicated);
        for (others, what) in [
            (kept.collect::<Vec<_>>(), "shards a dim of the operand, or the operand is replicated along it"),
            (result.unreduced.iter().collect(), "is unreduced in the result"),
        ] {
            let both = axes.iter().find(|axis| others.iter().any(|other| other.overlaps(axis)));
            if let Some(axis) = both {
                return error(format!("the reduction axis {axis} {what}"), "");
            }
        }
        Ok(())
    }

    fn all_to_all(&self, params: &[AllToAllParam]) -> Result<(), ShardingError> {
        if params.is_empty() {
            return error("no axes move".into(), "write at least one {...}: source->target");
        }
        let rank = self.result.dims.len();
        for param in params {
            check_list(&param.axes, self.mesh)?;
        }
        check_each_once(params.iter().flat_map(|param| &param.axes), self.mesh)?;
        let mut moved = vec![false; rank];
        let mut pairs: Vec<(usize, usize)> = Vec::with_capacity(params.len());
        for AllToAllParam { source, target, .. } in params {
            let mut claim = |dim: i64, what: &str| -> Result<usize, ShardingError> {
                let Some(index) = usize::try_from(dim).ok().filter(|index| *index < rank) else {
                    return error(format!("the {what} dim {dim} is out of range for {rank} dims"), "");
                };
                match std::mem::replace(&mut moved[index], true) {
                    false => Ok(index),
                    true => error(format!("dim {dim} is given twice as source or target"), ""),
                }
            };
            let pair = (claim(*source, "source")?, claim(*target, "target")?);
            if pairs.last().is_some_and(|before| before.0 >= pair.0) {
                return error("the source dims are not in ascending order".into(), "");
            }
            pairs.push(pair);
        }
        for (param, (source, target)) in params.iter().zip(pairs) {
            self.expect(source, &self.without(source, &param.axes, "moved")?)?;
            self.expect(target, &self.with(target, &param.axes))?;
        }
        let mut kept = moved.iter().enumerate().filter(|(_, moved)| !**moved);
        kept.try_for_each(|(dim, _)| self.expect(dim, &self.operand.dims[dim].axes))
    }

    fn collective_permute(&self) -> Result<(), ShardingError> {
        let shards = |dim: &DimShardingAttr| {
            dim.axes.iter().fold(1usize, |shards, axis| shards.saturating_mul(axis.size(self.mesh)))
        };
        for (dim, (operand, result)) in self.operand.dims.iter().zip(&self.result.dims).enumerate() {
            let (before, after) = (shards(operand), shards(result));
            if before != after {
                return error(
                    format!("dim {dim} has {before} shards in the operand, {after} in the result"),
                    "",
                );
            }
        }
        Ok(())
    }

    fn replicated_to_unreduced(&self, axes: &[AxisRefAttr]) -> Result<(), ShardingError> {
        if self.operand.dims != self.result.dims {
            return error("the dims of operand and result are sharded differently".into(), "");
        }
        if axes.is_empty() {
            return error("the list of axes is empty".into(), "");
        }
        check_sorted_list("unreduced", axes, self.mesh)?;
        check_each_once(axes.iter(), self.mesh)?;
        let used = || self.operand.dims.iter().flat_map(|dim| &dim.axes).chain(&self.operand.unreduced);
        if let Some(axis) = axes.iter().find(|axis| used().any(|other| other.overlaps(axis))) {
            return error(format!("the operand is not replicated along {axis}"), "");
        }
        self.unreduced_grows_by(axes)
    }

    /// The result is unreduced over what the operand is, and over `axes`.
    fn unreduced_grows_by(&self, axes: &[AxisRefAttr]) -> Result<(), ShardingError> {
        if self.result.reduction != Reduction::Sum {
            return error("the result's unreduced axes should be a sum".into(), "write unreduced={...}");
        }
        let all = self.operand.unreduced.iter().chain(axes).cloned().collect();
        let expected = sort_and_merge(all, self.mesh);
        if expected != self.result.unreduced {
            let (found, expected) = (AxisList(&self.result.unreduced), AxisList(&expected));
            return error(format!("the result should be unreduced over {expected}, not {found}"), "");
        }
        Ok(())
    }
}

/// Checks how unreduced axes change from operand to result: which may come (and how they must combine), which may go,
/// and that those that stay combine as before. `None`: none may.
pub(super) fn unreduced_transition(
    operand: &ShardingAttr,
    result: &ShardingAttr,
    introduced: Option<Reduction>,
    removed: Option<Reduction>,
    scope: &Scope<'_>,
    violations: &mut Violations,
) {
    let (Ok(mesh), Ok(operand_mesh)) = (scope.mesh(&result.mesh), scope.mesh(&operand.mesh)) else {
        return;
    };
    if !mesh.is_like(operand_mesh) {
        return;
    }
    let change = |from: &ShardingAttr, to: &ShardingAttr| {
        to.unreduced.iter().find(|axis| !is_covered(axis, &from.unreduced, mesh)).cloned()
    };
    for (axis, allowed, found, verb) in [
        (change(operand, result), introduced, result.reduction, "becomes"),
        (change(result, operand), removed, operand.reduction, "stops being"),
    ] {
        match (axis, allowed) {
            (None, _) => {}
            (Some(axis), None) => {
                violations
                    .messages
                    .push(format!("the value {verb} unreduced over {axis}, which this op does not do"));
            }
            (Some(axis), Some(allowed)) => {
                let (found, allowed) = (found.name(), allowed.name());
                violations.require(found == allowed, || {
                    format!("the value {verb} unreduced over {axis} as a {found}, but should as a {allowed}")
                });
            }
        }
    }
    let stays =
        result.unreduced.iter().any(|axis| operand.unreduced.iter().any(|other| other.overlaps(axis)));
    let (before, after) = (operand.reduction.name(), result.reduction.name());
    violations.require(!stays || before == after, || {
        format!("the value was unreduced as a {before} and would be as a {after}")
    });
}
