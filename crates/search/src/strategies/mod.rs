//! What people know: the common styles, each as a change of an answer along one mesh axis.
//!
//! A strategy takes an answer in which the axis shards nothing and shards what the style shards. They and their
//! combinations, one strategy per axis, are what the solver has to beat, and what the plan is compared with. What a plan is
//! called at last is recognized from what it shards. A style is a file here and an entry in [`STRATEGIES`]; those that people
//! ask for by degrees (`--as`) are named in [`degrees`] too.

mod context;
mod data;
pub(crate) mod degrees;
mod expert;
mod products;
pub(crate) mod requested;
pub(crate) mod tensor;
pub(crate) mod ways;
pub(crate) mod zero;

use crate::problem::{Answer, Cut, GroupKind, Problem};
use meshwright_ir::ids::Id;
use meshwright_ir::mesh::SubAxisId;

/// One style along one axis.
#[derive(Clone, Copy)]
pub(crate) struct Strategy {
    /// The field's name.
    pub(crate) name: &'static str,
    /// Applies it along an axis of the answer's mesh; false if the problem has nothing for it.
    pub(crate) apply: fn(&Problem, &mut Answer, usize) -> bool,
}

/// All of them, the most common first.
pub(crate) const STRATEGIES: &[Strategy] = &[
    data::DATA,
    zero::ONE,
    zero::THREE,
    tensor::TENSOR,
    tensor::WITH_SEQUENCE,
    expert::EXPERT,
    context::CONTEXT,
];

/// An answer made by strategies: names and axis sizes, and the answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Start {
    /// For each axis the strategy and the number of devices along it.
    pub(crate) styles: Vec<(&'static str, usize)>,
    /// What they make.
    pub(crate) answer: Answer,
}

/// The most styles that are compared with.
const MOST: usize = 24;

/// What people would try first: nothing sharded, every style by itself over all axes of the meshes of fewest axes, and
/// data parallel or ZeRO-3 with tensor parallel over meshes of two axes.
pub(crate) fn well_known(problem: &Problem) -> Vec<Start> {
    let fewest = problem.meshes.iter().map(|mesh| mesh.axes().len()).min().unwrap_or(0);
    let mut starts = vec![Start { styles: Vec::new(), answer: problem.replicated(0) }];
    if problem.meshes.iter().all(|mesh| mesh.num_devices() == 1) {
        return starts;
    }
    for (number, mesh) in problem.meshes.iter().enumerate() {
        let axes = mesh.axes().len();
        if axes == fewest {
            let everywhere =
                |strategy: &Strategy| (0..axes).map(|axis| (axis, *strategy)).collect::<Vec<_>>();
            starts.extend(
                STRATEGIES.iter().filter_map(|strategy| start(problem, number, &everywhere(strategy))),
            );
        }
        if axes == 2 {
            // State takes the dims that tensor parallelism leaves.
            for (outer, inner) in [
                (data::DATA, tensor::TENSOR),
                (zero::THREE, tensor::TENSOR),
                (data::DATA, tensor::WITH_SEQUENCE),
            ] {
                starts.extend(start(problem, number, &[(1, inner), (0, outer)]));
            }
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    starts.retain(|start| seen.insert(same_but_for_equal_axes(problem, &start.answer)));
    starts.truncate(MOST);
    starts
}

/// On each mesh of three axes: tensor parallel along one, ZeRO-3 along another, and data parallel along the third.
pub(crate) fn hybrid(problem: &Problem) -> Vec<Start> {
    const ORDERS: [[usize; 3]; 6] = [[2, 1, 0], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [0, 1, 2]];
    let meshes = problem.meshes.iter().enumerate().filter(|(_, mesh)| mesh.axes().len() == 3);
    let orders = meshes.flat_map(|(number, _)| ORDERS.map(|order| (number, order)));
    let made = orders.filter_map(|(number, [inner, state, outer])| {
        let strategies = [(inner, tensor::TENSOR), (state, zero::THREE), (outer, data::DATA)];
        start(problem, number, &strategies)
    });
    made.collect()
}

/// The answer with one strategy along each axis of a mesh, applied in this order; `None` if the problem has nothing for
/// one of them.
fn start(problem: &Problem, mesh: usize, strategies: &[(usize, Strategy)]) -> Option<Start> {
    let mut answer = problem.replicated(mesh);
    let mut styles = Vec::new();
    for (axis, strategy) in strategies {
        if !(strategy.apply)(problem, &mut answer, *axis) {
            return None;
        }
        styles.push((*axis, (strategy.name, problem.meshes[mesh].axes()[*axis].size)));
    }
    styles.sort_unstable_by_key(|(axis, _)| *axis);
    Some(Start { styles: styles.into_iter().map(|(_, style)| style).collect(), answer })
}

/// An axis: its size, and the dims that its sub-axes shard in each group.
type Column = (usize, Vec<Vec<Option<usize>>>);

/// The answer with equal axes of its mesh in a fixed order: answers that differ only in which of two equal axes does
/// what are one, as long as the machine does not tell the axes apart (equal axes are next to each other then).
fn same_but_for_equal_axes(problem: &Problem, answer: &Answer) -> (usize, Vec<Column>) {
    let axes = problem.meshes[answer.mesh].axes();
    let column = |axis: usize| {
        let pieces = problem.meshes[answer.mesh].pieces(axis);
        let of_group =
            |choice: &Vec<Option<usize>>| pieces.iter().map(|piece| choice[piece.index()]).collect();
        answer.choices.iter().map(of_group).collect()
    };
    let mut columns: Vec<Column> = (0..axes.len()).map(|axis| (axes[axis].size, column(axis))).collect();
    if axes.windows(2).all(|pair| pair[0].size == pair[1].size) && problem.has_equal_axes {
        columns.sort();
    }
    (answer.mesh, columns)
}

/// Shards a dim of a group of parameters over an axis, and that of their moments.
pub(crate) fn shard_with_moments(
    problem: &Problem,
    answer: &mut Answer,
    group: usize,
    axis: usize,
    dim: usize,
) -> bool {
    shard_with_moments_over(problem, answer, group, &problem.meshes[answer.mesh].pieces(axis), dim)
}

/// The same over some sub-axes.
pub(crate) fn shard_with_moments_over(
    problem: &Problem,
    answer: &mut Answer,
    group: usize,
    pieces: &[SubAxisId],
    dim: usize,
) -> bool {
    shard_with_moments_as(problem, answer, (group, dim), pieces, Cut::Even)
}

/// The same, where a dim need not divide.
pub(crate) fn shard_with_moments_as(
    problem: &Problem,
    answer: &mut Answer,
    (group, dim): (usize, usize),
    pieces: &[SubAxisId],
    cut: Cut,
) -> bool {
    let sharded = problem.shard_as(answer, (group, dim), pieces, cut);
    if let Some(moments) = problem.moments_of(group)
        && sharded
    {
        problem.shard_as(answer, (moments, dim), pieces, cut);
    }
    sharded
}

/// Shards the largest local dim of a group over `axis`, if possible one that no axis further inside of the mesh shards;
/// the first of equals. Returns which; `None` if none divides.
///
/// Of a dim that an inner axis shards for tensor parallelism, the shards would lie within those of this axis: what is
/// gathered over it would not be a part that products read.
pub(crate) fn shard_largest(
    problem: &Problem,
    answer: &mut Answer,
    group: usize,
    axis: usize,
) -> Option<usize> {
    let shards = problem.num_shards(answer, group);
    let shape = &problem.groups[group].shape;
    let inner = problem.meshes[answer.mesh].pieces(axis).last().map_or(0, |piece| piece.index() + 1);
    let is_inside = |dim: usize| answer.choices[group][inner..].contains(&Some(dim));
    let mut dims: Vec<usize> = (0..shape.len()).collect();
    dims.sort_by_key(|dim| (is_inside(*dim), std::cmp::Reverse(shape[*dim] / shards[*dim])));
    dims.into_iter().find(|dim| shape[*dim] > 1 && problem.shard(answer, group, axis, *dim))
}

/// Whether a group is of parameters.
pub(crate) fn is_parameter(kind: GroupKind) -> bool {
    kind == GroupKind::Parameter
}

/// Whether a group is of moments.
pub(crate) fn is_moment(kind: GroupKind) -> bool {
    matches!(kind, GroupKind::Moment { .. })
}
