//! How a value goes from one group of devices to another that holds it otherwise.
//!
//! Input: a value as two groups hold it ([`Held`]), over meshes that may have other axes and another number of devices.
//! Output: a [`CrossMesh`]. Contributions are summed up where they are; each part is cut so that one device of the target gets
//! it, from one device of the source; and devices of the target that hold copies gather them from one another. So each byte
//! goes once over the links between groups, which are slower than those inside, as a rule. Copies of a part on the source take
//! turns in sending.
//!
//! Example: `tensor<8x4xf32>` over `data=2,model=2`, sharded along its first dim by `data`, to two devices that both hold all
//! of it: each of these gets a half, from one device of the two that have it, and then the other half from its neighbor.
//!
//! Groups that hold a value alike need none of this: each device hands its shard to the one of its number.

use crate::device_programs::{DevicePrograms, Held};
use crate::schedule::{Event, Transfer};
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_tensor::types::Type;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Way of a value between groups that hold it otherwise. Devices are numbered as in their group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CrossMesh {
    /// Contributions of the source that are put together first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reduced: Option<Reduced>,
    /// Shape of a shard of the source.
    pub source_shape: Vec<usize>,
    /// Shape of what a device of the target receives.
    pub piece_shape: Vec<usize>,
    /// What is sent.
    pub moves: Vec<Move>,
    /// The same in rounds, by number: in each, all parts have one shape, and no device sends or receives two.
    pub rounds: Vec<Vec<usize>>,
    /// Copies that devices of the target gather.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gathered: Option<Gathered>,
    /// Contributions that the target holds instead of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contributed: Option<Contributed>,
    /// Shape of a shard of the target.
    pub target_shape: Vec<usize>,
}

/// Contributions that are put together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reduced {
    /// The reduction, as manifests write it.
    pub by: &'static str,
    /// Devices whose contributions go together.
    pub groups: Vec<Vec<usize>>,
}

/// A part of a value on its way from one device to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Move {
    /// The device that has it.
    pub source: usize,
    /// The device that gets it.
    pub target: usize,
    /// Its shape.
    pub size: Vec<usize>,
    /// Where it begins in the shard of the source.
    pub from: Vec<usize>,
    /// Where it begins in the piece of the target.
    pub to: Vec<usize>,
}

/// Pieces that are put behind one another along a dim, by all devices of each group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Gathered {
    /// The dim.
    pub dim: usize,
    /// The devices, in the order of their pieces.
    pub groups: Vec<Vec<usize>>,
}

/// Parts of a value that is put together later: a device holds its own, and what changes nothing around it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Contributed {
    /// The reduction, as manifests write it.
    pub by: &'static str,
    /// For each device where its part begins; nothing for one that has none.
    pub at: Vec<Option<Vec<usize>>>,
}

/// A part of a tensor: where it begins and ends in each dim.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Part(Vec<(usize, usize)>);

impl Part {
    /// What a device has of a tensor, without padding.
    fn of(shape: &[usize], sharding: &Sharding, mesh: &Mesh, device: usize) -> Self {
        let start = sharding.shard_start(shape, mesh, mesh.position_of(device));
        let local = sharding.local_shape(shape, mesh);
        let range = |((start, size), whole): ((usize, usize), &usize)| {
            (start.min(*whole), (start + size).min(*whole))
        };
        Self(start.into_iter().zip(local).zip(shape).map(range).collect())
    }

    fn common(&self, other: &Self) -> Option<Self> {
        let both = self.0.iter().zip(&other.0).map(|(one, other)| (one.0.max(other.0), one.1.min(other.1)));
        let both = Self(both.collect());
        both.0.iter().all(|(start, end)| start < end).then_some(both)
    }

    fn size(&self) -> Vec<usize> {
        self.0.iter().map(|(start, end)| end - start).collect()
    }

    fn num_elements(&self) -> usize {
        self.size().iter().product()
    }

    /// Where it begins, seen from a place of the tensor.
    fn behind(&self, start: &[usize]) -> Vec<usize> {
        self.0.iter().zip(start).map(|((own, _), start)| own - start).collect()
    }
}

/// How pieces of the target are cut out of its shards.
struct Cut {
    /// The mesh axes along which devices hold copies of a shard, or contributions to it, of which each gets a part.
    axes: Vec<SubAxisId>,
    /// The dim along which these parts are behind one another.
    dim: usize,
    /// Whether devices hold contributions.
    is_sum: bool,
}

impl Cut {
    /// The cut by which each byte is sent once; if no dim divides by so many, only the first devices get something where
    /// contributions are held, and all devices get all of their shards where copies are.
    fn of(shape: &[usize], to: Held<'_>) -> Self {
        let local = to.sharding.local_shape(shape, to.mesh);
        let is_sum = to.sharding.partial.is_some();
        let partial = to.sharding.partial_axes();
        let is_open = |axis: &SubAxisId| match is_sum {
            true => partial.contains(*axis),
            false => !to.sharding.used_axes().contains(*axis),
        };
        let axes: Vec<SubAxisId> = to.mesh.sub_axis_ids().filter(is_open).collect();
        let count = to.mesh.product(&axes);
        let dim = (0..local.len()).find(|dim| local[*dim] > 0 && local[*dim].is_multiple_of(count));
        match dim {
            Some(dim) if count > 1 => Self { axes, dim, is_sum },
            _ => Self { axes: Vec::new(), dim: 0, is_sum },
        }
    }

    /// Where the part of a device begins in its shard; none if it gets nothing.
    fn start(&self, to: Held<'_>, device: usize, piece: &[usize]) -> Option<Vec<usize>> {
        let position = to.mesh.position_of(device);
        let mut start = vec![0; piece.len()];
        if !self.axes.is_empty() {
            start[self.dim] = piece[self.dim] * to.mesh.index_along(position, &self.axes);
        } else if self.is_sum {
            let partial: Vec<SubAxisId> = to.sharding.partial_axes().iter().collect();
            if to.mesh.index_along(position, &partial) > 0 {
                return None;
            }
        }
        Some(start)
    }
}

impl CrossMesh {
    /// The way between two groups; none if they hold the value alike, or it is no tensor.
    pub fn between(from: Held<'_>, to: Held<'_>) -> Option<Self> {
        if from.sharding == to.sharding && from.mesh.is_like(to.mesh) {
            return None;
        }
        let Type::Tensor(ty) = from.ty else { return None };
        let shape = &ty.shape;
        let cut = Cut::of(shape, to);
        let target_shape = to.sharding.local_shape(shape, to.mesh);
        let mut piece_shape = target_shape.clone();
        if !cut.axes.is_empty() {
            piece_shape[cut.dim] /= to.mesh.product(&cut.axes);
        }
        let at: Vec<_> =
            (0..to.mesh.num_devices()).map(|device| cut.start(to, device, &piece_shape)).collect();
        let moves = moves(shape, from, to, &at, &piece_shape);
        let reduced = contributions(from)
            .map(|(reduction, axes)| Reduced { by: reduction.name(), groups: by_number(from.mesh, &axes) });
        let gathered = (!cut.axes.is_empty() && !cut.is_sum)
            .then(|| Gathered { dim: cut.dim, groups: by_number(to.mesh, &cut.axes) });
        let contributed = contributions(to).map(|(reduction, _)| Contributed { by: reduction.name(), at });
        let source_shape = from.sharding.local_shape(shape, from.mesh);
        let rounds = rounds(&moves);
        Some(Self { reduced, source_shape, piece_shape, moves, rounds, gathered, contributed, target_shape })
    }

    /// The most elements that a device sends, or receives.
    pub fn most_elements(&self) -> usize {
        let mut sent: BTreeMap<usize, usize> = BTreeMap::new();
        let mut received: BTreeMap<usize, usize> = BTreeMap::new();
        for one in &self.moves {
            *sent.entry(one.source).or_default() += one.num_elements();
            *received.entry(one.target).or_default() += one.num_elements();
        }
        sent.into_values().chain(received.into_values()).max().unwrap_or(0)
    }

    /// Elements that go from group to group.
    pub fn num_elements(&self) -> usize {
        self.moves.iter().map(Move::num_elements).sum()
    }

    /// Problems of it, recomputed from what both groups hold: each element of a shard of the target comes once to the
    /// devices that put it together, from a device that has it, and to its place.
    pub fn problems(&self, from: Held<'_>, to: Held<'_>) -> Vec<String> {
        let Type::Tensor(ty) = from.ty else { return vec!["it is no tensor".to_owned()] };
        let shape = &ty.shape;
        let mut wrong = Vec::new();
        let at = |device: usize| {
            let cut = Cut::of(shape, to);
            cut.start(to, device, &self.piece_shape).unwrap_or_else(|| vec![0; shape.len()])
        };
        let together = match (&self.gathered, contributions(to)) {
            (Some(gathered), _) => gathered.groups.clone(),
            (None, Some((_, axes))) => by_number(to.mesh, &axes),
            (None, None) => (0..to.mesh.num_devices()).map(|device| vec![device]).collect(),
        };
        for members in &together {
            let own = Part::of(shape, to.sharding, to.mesh, members[0]);
            let moves = self.moves.iter().filter(|one| members.contains(&one.target));
            let parts: Vec<Part> = moves.map(|one| one.global(shape, from)).collect();
            let is_apart = |at: usize| parts[..at].iter().all(|other| parts[at].common(other).is_none());
            let is_inside = |part: &Part| part.common(&own).as_ref() == Some(part);
            let all: usize = parts.iter().map(Part::num_elements).sum();
            if all != own.num_elements() || !(0..parts.len()).all(is_apart) || !parts.iter().all(is_inside) {
                wrong.push(format!("devices {members:?} of the target do not get each element once"));
            }
        }
        for one in &self.moves {
            let part = one.global(shape, from);
            let has = Part::of(shape, from.sharding, from.mesh, one.source);
            if part.common(&has).as_ref() != Some(&part) {
                wrong.push(format!("device {} of the source does not have what it sends", one.source));
            }
            let shard = to.sharding.shard_start(shape, to.mesh, to.mesh.position_of(one.target));
            let place =
                shard.iter().zip(at(one.target)).zip(&one.to).map(|((shard, piece), to)| shard + piece + to);
            if !place.eq(part.0.iter().map(|(start, _)| *start)) {
                wrong.push(format!("device {} of the target puts what it gets elsewhere", one.target));
            }
        }
        wrong
    }
}

impl Move {
    /// Elements that are sent.
    pub fn num_elements(&self) -> usize {
        self.size.iter().product()
    }

    /// The part of the tensor that it is.
    fn global(&self, shape: &[usize], from: Held<'_>) -> Part {
        let shard = from.sharding.shard_start(shape, from.mesh, from.mesh.position_of(self.source));
        let ranges = shard.iter().zip(&self.from).zip(&self.size);
        Part(ranges.map(|((shard, own), size)| (shard + own, shard + own + size)).collect())
    }
}

/// The reduction that a value is held in contributions of, and the mesh axes of these.
fn contributions(held: Held<'_>) -> Option<(Reduction, Vec<SubAxisId>)> {
    let (reduction, axes) = held.sharding.partial?;
    (!axes.is_empty()).then(|| (reduction, axes.iter().collect()))
}

/// Groups along mesh axes, by numbers of devices.
fn by_number(mesh: &Mesh, axes: &[SubAxisId]) -> Vec<Vec<usize>> {
    let groups = mesh.groups(axes).into_iter();
    groups.map(|group| group.into_iter().map(|position| mesh.device_at(position)).collect()).collect()
}

/// What is sent: each device of the target gets its piece, which begins `at` a place of its shard, in parts of as few shards
/// of the source as have it; of the devices that hold one of these, the one sends that has sent least so far.
fn moves(
    shape: &[usize],
    from: Held<'_>,
    to: Held<'_>,
    at: &[Option<Vec<usize>>],
    piece: &[usize],
) -> Vec<Move> {
    let mut holders: BTreeMap<Part, Vec<usize>> = BTreeMap::new();
    for device in 0..from.mesh.num_devices() {
        holders.entry(Part::of(shape, from.sharding, from.mesh, device)).or_default().push(device);
    }
    let mut sent = vec![0; from.mesh.num_devices()];
    let mut moves = Vec::new();
    for (target, at) in at.iter().enumerate() {
        let Some(at) = at else { continue };
        let shard = to.sharding.shard_start(shape, to.mesh, to.mesh.position_of(target));
        let begin: Vec<usize> = shard.iter().zip(at).map(|(shard, at)| shard + at).collect();
        let range = |((begin, size), whole): ((&usize, &usize), &usize)| {
            (*begin.min(whole), (begin + size).min(*whole))
        };
        let wanted = Part(begin.iter().zip(piece).zip(shape).map(range).collect());
        for (part, devices) in &holders {
            let Some(common) = part.common(&wanted) else { continue };
            // A neighbor of the same number is as good as any other, and often nearer.
            let source =
                devices.iter().copied().min_by_key(|device| (sent[*device], *device != target, *device));
            let Some(source) = source else { continue };
            sent[source] += common.num_elements();
            let has = from.sharding.shard_start(shape, from.mesh, from.mesh.position_of(source));
            moves.push(Move {
                source,
                target,
                size: common.size(),
                from: common.behind(&has),
                to: common.behind(&begin),
            });
        }
    }
    moves
}

/// Moves in rounds, large ones first: each goes into the first round of its shape in which its devices have nothing to do yet.
fn rounds(moves: &[Move]) -> Vec<Vec<usize>> {
    let mut order: Vec<usize> = (0..moves.len()).collect();
    order.sort_by_key(|at| std::cmp::Reverse(moves[*at].num_elements()));
    let mut rounds: Vec<Vec<usize>> = Vec::new();
    for at in order {
        let own = &moves[at];
        let is_free = |round: &&mut Vec<usize>| {
            round.iter().map(|other| &moves[*other]).all(|other| {
                other.size == own.size && other.source != own.source && other.target != own.target
            })
        };
        match rounds.iter_mut().find(is_free) {
            Some(round) => round.push(at),
            None => rounds.push(vec![at]),
        }
    }
    rounds
}

/// Adds what is wrong with the ways of all values between groups that hold them otherwise.
pub(crate) fn ways(programs: &DevicePrograms, found: &mut Vec<String>) {
    let mut seen = BTreeSet::new();
    for event in programs.schedule.rows.iter().flatten() {
        let Event::Transfer(transfer) = event else { continue };
        let Transfer { value, source, target, .. } = transfer;
        if !seen.insert((value, source, target)) {
            continue;
        }
        let held = |group: usize| programs.held(group, value);
        let Some((from, to)) = held(*source).zip(held(*target)) else { continue };
        if let Some(way) = CrossMesh::between(from, to) {
            let wrong = way.problems(from, to).into_iter();
            found.extend(wrong.map(|why| format!("`{value}` from group {source} to group {target}: {why}")));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::mesh::{Axis, AxisSet};
    use meshwright_tensor::types::{ElementType, TensorType};

    fn mesh(axes: &[(&str, usize)]) -> Mesh {
        let axes = axes.iter().map(|(name, size)| Axis { name: (*name).to_owned(), size: *size });
        Mesh::new("mesh", axes.collect()).unwrap()
    }

    /// A sharding by names of axes, `+x` for contributions along `x`.
    fn sharding(mesh: &Mesh, dims: &[&str]) -> Sharding {
        let axes = |names: &str| -> Vec<SubAxisId> {
            let names = names.split(',').filter(|name| !name.is_empty());
            names.flat_map(|name| mesh.pieces(mesh.axis_named(name).unwrap())).collect()
        };
        let (sums, dims): (Vec<&str>, Vec<&str>) = dims.iter().partition(|dim| dim.starts_with('+'));
        let mut sharding = Sharding::of(dims.into_iter().map(axes));
        let mut partial = AxisSet::EMPTY;
        sums.iter().flat_map(|sum| axes(&sum[1..])).for_each(|axis| {
            partial.insert(axis);
        });
        sharding.partial = (!partial.is_empty()).then_some((Reduction::Sum, partial));
        sharding
    }

    fn way(shape: &[usize], from: (&Mesh, &[&str]), to: (&Mesh, &[&str])) -> Option<CrossMesh> {
        let ty = Type::Tensor(TensorType::new(shape.to_vec(), ElementType::F32));
        let (one, other) = (sharding(from.0, from.1), sharding(to.0, to.1));
        let from = Held { ty: &ty, sharding: &one, mesh: from.0 };
        let to = Held { ty: &ty, sharding: &other, mesh: to.0 };
        let found = CrossMesh::between(from, to);
        if let Some(found) = &found {
            assert_eq!(found.problems(from, to), Vec::<String>::new(), "{found:?}");
        }
        found
    }

    #[test]
    fn each_byte_goes_once_and_copies_are_gathered() {
        let (square, row) = (mesh(&[("data", 2), ("model", 2)]), mesh(&[("data", 4)]));
        // Four copies of the target share what is sent.
        let found = way(&[8, 4], (&square, &["data", ""]), (&row, &["", ""])).unwrap();
        assert_eq!((found.num_elements(), found.most_elements(), found.rounds.len()), (32, 8, 1));
        assert_eq!(found.gathered, Some(Gathered { dim: 0, groups: vec![vec![0, 1, 2, 3]] }));
        // Both devices that hold a half send a quarter.
        let found = way(&[8, 4], (&square, &["data", ""]), (&row, &["data", ""])).unwrap();
        assert_eq!((found.num_elements(), found.most_elements(), found.rounds.len()), (32, 8, 1));
        assert!(found.gathered.is_none());
        // The same shards on devices of the same numbers.
        assert!(way(&[8, 4], (&row, &["data", ""]), (&row, &["data", ""])).is_none());
    }

    #[test]
    fn fewer_and_more_devices_and_dims_that_do_not_divide() {
        let (four, two, three) = (mesh(&[("data", 4)]), mesh(&[("model", 2)]), mesh(&[("data", 3)]));
        let found = way(&[8, 6], (&four, &["data", ""]), (&two, &["", "model"])).unwrap();
        assert_eq!((found.num_elements(), found.most_elements(), found.rounds.len()), (48, 24, 4));
        let found = way(&[7, 5], (&three, &["data", ""]), (&four, &["", "data"])).unwrap();
        assert_eq!(found.num_elements(), 35);
        let found = way(&[7, 5], (&four, &["data", ""]), (&three, &["data", ""])).unwrap();
        assert_eq!(found.num_elements(), 35);
        // No dim divides by three: every device gets all.
        let found = way(&[7, 5], (&four, &["data", ""]), (&three, &["", ""])).unwrap();
        assert_eq!((found.num_elements(), found.gathered), (105, None));
        assert_eq!(way(&[], (&four, &[]), (&two, &[])).unwrap().num_elements(), 2);
    }

    #[test]
    fn contributions_are_put_together_and_made_again() {
        let (four, square) = (mesh(&[("data", 4)]), mesh(&[("data", 2), ("model", 2)]));
        let found = way(&[8, 4], (&four, &["", "", "+data"]), (&square, &["model", "", "+data"])).unwrap();
        assert_eq!(found.reduced, Some(Reduced { by: "sum", groups: vec![vec![0, 1, 2, 3]] }));
        assert_eq!((found.num_elements(), found.most_elements()), (32, 8));
        let parts = found.contributed.unwrap();
        assert_eq!(parts.at, [0, 0, 2, 2].map(|start| Some(vec![start, 0])));
        let found = way(&[3], (&four, &["", "+data"]), (&square, &["", "+data"])).unwrap();
        assert_eq!(found.contributed.unwrap().at, [Some(vec![0]), Some(vec![0]), None, None]);
    }
}
