//! What collectives make of meanings: the places where contributions are combined and shards put together.

use super::meaning::{Meaning, Problem, misplaced, misused, reduction_name};
use crate::facts::devices::{Grid, Members, axes_of_positions, members, varies_along};
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::collective::ReplicaGroups;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::InstView;
use meshwright_ir::sharding::Reduction;
use std::collections::HashMap;

/// Groups of collectives that have been worked out; only looked up.
#[derive(Default)]
pub(super) struct KnownMembers {
    known: HashMap<ReplicaGroups, Members>,
}

impl KnownMembers {
    /// Who takes part in a collective over groups; `None` for an op without groups.
    pub(super) fn of(&mut self, op: &Op, mesh: &Mesh) -> Option<Members> {
        let groups = &op.participants()?.groups;
        if let Some(members) = self.known.get(groups) {
            return Some(members.clone());
        }
        let found = members(&groups.groups(), mesh);
        self.known.insert(groups.clone(), found.clone());
        Some(found)
    }
}

/// Meanings of a collective's results. `is_settled` tells values that are no contributions
/// for sure.
pub(super) fn transfer(
    view: &InstView<'_>,
    operands: &[&Meaning],
    known: &mut KnownMembers,
    mesh: &Mesh,
    is_settled: impl Fn(ValueId) -> bool,
) -> Result<Vec<Meaning>, Problem> {
    if let Op::CollectivePermute(op) = &view.inst.op {
        return Ok(operands.iter().map(|operand| permuted(operand, &op.pairs, mesh)).collect());
    }
    let Some(members) = known.of(&view.inst.op, mesh) else {
        return Ok(operands.iter().map(|operand| lost(operand, mesh.all())).collect());
    };
    let one = |(index, operand): (usize, &&Meaning)| {
        let settled = is_settled(view.inst.operands[index]);
        over_groups(view, operand, &members, mesh, settled).map_err(|(rule, problem)| {
            (rule, if operands.len() == 1 { problem } else { format!("operand {index}: {problem}") })
        })
    };
    operands.iter().enumerate().map(one).collect()
}

fn lost(operand: &Meaning, axes: AxisSet) -> Meaning {
    let mut meaning = operand.clone();
    meaning.lose(axes);
    meaning
}

fn over_groups(
    view: &InstView<'_>,
    operand: &Meaning,
    members: &Members,
    mesh: &Mesh,
    is_settled: bool,
) -> Result<Meaning, Problem> {
    let over = members.axes();
    let names = |axes: AxisSet| mesh.describe(&axes.iter().collect::<Vec<_>>()).join(", ");
    let mut meaning = operand.clone();
    let partial = operand.partial_axes().intersection(over);
    let reduction = view.inst.regions.first().and_then(|_| reducer(view.body, view.region(0))?.reduction());
    match &view.inst.op {
        Op::AllReduce(_) | Op::ReduceScatter(_) => {
            if let (Some((found, _)), Some(wanted)) = (operand.partial, reduction)
                && !partial.is_empty()
                && found != wanted
            {
                let (found, wanted) = (reduction_name(found), reduction_name(wanted));
                return misused(format!(
                    "contributions to a {found} over {} are combined to a {wanted}",
                    names(partial)
                ));
            }
            let complete = over.minus(partial).minus(operand.own);
            let counts = matches!(reduction, Some(Reduction::Sum | Reduction::Product));
            if !complete.is_empty() && counts && is_settled {
                return misused(format!("what is complete over {} is added up over it", names(complete)));
            }
            meaning.forget(over);
            if let (Op::ReduceScatter(op), Members::Along(axes)) = (&view.inst.op, members) {
                meaning.dims[op.dim].extend(axes);
            } else if let Op::ReduceScatter(_) = &view.inst.op {
                meaning.lose(over);
            }
        }
        Op::AllGather(op) => {
            if !partial.is_empty() {
                return misused(format!("contributions over {} are put side by side", names(partial)));
            }
            if let Members::Along(axes) = members {
                take_minor(&mut meaning, op.dim, axes, mesh)?;
            }
            meaning.forget(over);
            meaning.vary_along(op.dim);
        }
        Op::AllToAll(op) => {
            if !partial.is_empty() {
                return misused(format!("contributions over {} change places", names(partial)));
            }
            match members {
                Members::Along(axes) if operand.own.is_disjoint(over) => {
                    take_minor(&mut meaning, op.concat_dim, axes, mesh)?;
                    meaning.forget(over);
                    meaning.dims[op.split_dim].extend(axes);
                }
                _ => meaning.lose(over),
            }
            meaning.vary_along(op.concat_dim);
        }
        _ => meaning.lose(over),
    }
    Ok(meaning)
}

/// Removes the minor-most axes of a dim. Errors: they are not the minor-most, or not in this order.
fn take_minor(meaning: &mut Meaning, dim: usize, axes: &[SubAxisId], mesh: &Mesh) -> Result<(), Problem> {
    let have = &mut meaning.dims[dim];
    let known: Vec<SubAxisId> = axes.iter().copied().filter(|axis| have.contains(axis)).collect();
    if have.ends_with(&known) {
        have.truncate(have.len() - known.len());
        return Ok(());
    }
    let (have, axes) = (mesh.describe(have).join(", "), mesh.describe(axes).join(", "));
    misplaced(format!("shards of dim {dim}, which is sharded over {have}, are put together over {axes}"))
}

/// Every device gets what another had. A permutation of shards as a whole is another sharding; a shift to neighbors
/// leaves a part of the same dim.
fn permuted(operand: &Meaning, pairs: &[[i64; 2]], mesh: &Mesh) -> Meaning {
    let mut source: Vec<Option<usize>> = vec![None; mesh.num_devices()];
    for [from, to] in pairs {
        if let (Ok(from), Ok(to)) = (usize::try_from(*from), usize::try_from(*to))
            && to < source.len()
            && from < source.len()
        {
            source[to] = Some(from);
        }
    }
    // Who receives nothing has zeros, and is told apart along the axes along which others receive.
    let receives: Vec<bool> = source.iter().map(Option::is_some).collect();
    let all = Grid::whole(mesh);
    let apart = varies_along(&receives, &all);
    let moved_along = |axis: &SubAxisId| {
        let differs = |(device, from): (usize, &Option<usize>)| {
            from.is_some_and(|from| mesh.coordinate(device, *axis) != mesh.coordinate(from, *axis))
        };
        apart.contains(*axis) || source.iter().enumerate().any(differs)
    };
    let moved: AxisSet = mesh.sub_axis_ids().filter(moved_along).collect();
    if moved.is_disjoint(operand.varies()) && source.iter().all(Option::is_some) {
        return operand.clone();
    }
    let mut meaning = operand.clone();
    let sources: Option<Vec<usize>> = source.iter().copied().collect();
    // Contributions and what is a device's own wander too, to axes that are not known then.
    if !operand.undecided.is_empty() || !moved.is_disjoint(operand.partial_axes().union(operand.own)) {
        meaning.lose(moved);
        return meaning;
    }
    if let Some(sources) = sources {
        let place = |axes: &Vec<SubAxisId>| {
            let position: Vec<i64> =
                sources.iter().map(|from| mesh.index_along(*from, axes) as i64).collect();
            axes_of_positions(&position, &all)
        };
        if let Some(dims) = operand.dims.iter().map(place).collect::<Option<Vec<_>>>() {
            meaning.dims = dims;
            return meaning;
        }
    }
    meaning.lose(moved.minus(operand.sharded()));
    meaning
}
