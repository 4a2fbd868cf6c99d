//! Plans are executed literally on every device's list of global element numbers, and compared with what the wanted
//! sharding says each device holds.

use super::*;
use meshwright_ir::ids::Id;
use meshwright_ir::mesh::Axis;
use meshwright_ir::sharding::DimSharding;

pub(super) fn mesh(sizes: &[usize]) -> Mesh {
    let axes = sizes
        .iter()
        .enumerate()
        .map(|(index, size)| Axis { name: format!("x{index}"), size: *size })
        .collect();
    Mesh::new("mesh", axes).unwrap()
}

fn axis(index: usize) -> SubAxisId {
    SubAxisId::from_index(index)
}

fn sharding(dims: &[&[usize]]) -> Sharding {
    Sharding::of(dims.iter().map(|axes| axes.iter().map(|index| axis(*index)).collect()))
}

fn partial(mut sharding: Sharding, axes: &[usize]) -> Sharding {
    sharding.partial = Some((Reduction::Sum, axes.iter().map(|index| axis(*index)).collect()));
    sharding
}

/// One element on one device: which global element, and whose contributions it holds (a bit per position along the
/// axes that are partial at first).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Element {
    global: usize,
    contributions: u128,
}

/// What lies behind the end of a dim: anything.
const PADDING: Element = Element { global: usize::MAX, contributions: 0 };

/// A dense row-major block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Block {
    shape: Vec<usize>,
    elements: Vec<Element>,
}

impl Block {
    /// What `device` holds of a value of `shape` under `state`, by definition.
    fn of(
        device: usize,
        state: &Sharding,
        shape: &[usize],
        mesh: &Mesh,
        contributions: impl Fn(usize) -> u128,
    ) -> Block {
        let local = state.local_shape(shape, mesh);
        let start = state.shard_start(shape, mesh, device);
        let elements = (0..local.iter().product())
            .map(|number| {
                let (mut rest, mut stride, mut global) = (number, 1, 0);
                let mut is_inside = true;
                for dim in (0..shape.len()).rev() {
                    let position = start[dim] + rest % local[dim];
                    is_inside &= position < shape[dim];
                    global += position * stride;
                    rest /= local[dim];
                    stride *= shape[dim];
                }
                let element = Element { global, contributions: contributions(device) };
                if is_inside { element } else { PADDING }
            })
            .collect();
        Block { shape: local, elements }
    }

    /// Part `index` of `count` along `dim`.
    fn part(&self, dim: usize, index: usize, count: usize) -> Block {
        assert_eq!(self.shape[dim] % count, 0, "{:?} does not divide by {count} in dim {dim}", self.shape);
        let size = self.shape[dim] / count;
        let inner: usize = self.shape[dim + 1..].iter().product();
        let mut shape = self.shape.clone();
        shape[dim] = size;
        let elements = self
            .elements
            .chunks(inner * self.shape[dim])
            .flat_map(|outer| &outer[index * size * inner..(index + 1) * size * inner])
            .copied()
            .collect();
        Block { shape, elements }
    }

    /// Cut, or continued by padding, to `size` along `dim`.
    fn resized(&self, dim: usize, size: usize) -> Block {
        let inner: usize = self.shape[dim + 1..].iter().product();
        let mut shape = self.shape.clone();
        shape[dim] = size;
        let padding = vec![PADDING; size * inner];
        let rows = self.elements.chunks(inner * self.shape[dim]);
        let elements =
            rows.flat_map(|row| row.iter().chain(&padding[row.len().min(size * inner)..]).take(size * inner));
        Block { elements: elements.copied().collect(), shape }
    }

    /// Whether it holds what `wanted` does, padding aside.
    fn holds(&self, wanted: &Block) -> bool {
        let mut pairs = self.elements.iter().zip(&wanted.elements);
        self.shape == wanted.shape && pairs.all(|(own, wanted)| *wanted == PADDING || own == wanted)
    }

    fn concat(blocks: &[Block], dim: usize) -> Block {
        let mut shape = blocks[0].shape.clone();
        shape[dim] = blocks.iter().map(|block| block.shape[dim]).sum();
        let run: usize = blocks[0].shape[dim..].iter().product();
        let outer = blocks[0].elements.len() / run;
        let elements = (0..outer)
            .flat_map(|at| blocks.iter().flat_map(move |block| &block.elements[at * run..(at + 1) * run]))
            .copied()
            .collect();
        Block { shape, elements }
    }

    fn sum(blocks: &[Block]) -> Block {
        let mut sum = blocks[0].clone();
        for block in &blocks[1..] {
            assert_eq!(block.shape, sum.shape);
            for (left, right) in sum.elements.iter_mut().zip(&block.elements) {
                if *left == PADDING || *right == PADDING {
                    *left = PADDING;
                    continue;
                }
                assert_eq!(left.global, right.global, "different elements are summed");
                assert_eq!(left.contributions & right.contributions, 0, "a contribution is counted twice");
                left.contributions |= right.contributions;
            }
        }
        sum
    }
}

/// What every device holds after `step` on a value that is sharded like `state`, done as the collectives of StableHLO do it.
fn execute(step: &Step, state: &Sharding, blocks: &[Block], mesh: &Mesh) -> Vec<Block> {
    let in_groups = |axes: &[SubAxisId], f: &dyn Fn(&[Block], usize) -> Block| {
        let mut results = blocks.to_vec();
        for group in mesh.groups(axes) {
            let members: Vec<Block> = group.iter().map(|device| blocks[*device].clone()).collect();
            for (position, device) in group.iter().enumerate() {
                results[*device] = f(&members, position);
            }
        }
        results
    };
    match step {
        Step::AllReduce { axes, .. } => in_groups(axes, &|members, _| Block::sum(members)),
        Step::ReduceScatter { dim, axes, .. } => {
            in_groups(axes, &|members, position| Block::sum(members).part(*dim, position, members.len()))
        }
        Step::AllGather { dim, axes } => in_groups(axes, &|members, _| Block::concat(members, *dim)),
        Step::AllToAll { split_dim, concat_dim, axes } => in_groups(axes, &|members, position| {
            let parts: Vec<Block> =
                members.iter().map(|member| member.part(*split_dim, position, members.len())).collect();
            Block::concat(&parts, *concat_dim)
        }),
        Step::Slice { dim, axes } => (0..blocks.len())
            .map(|device| blocks[device].part(*dim, mesh.index_along(device, axes), mesh.product(axes)))
            .collect(),
        Step::Permute { dims } => {
            let mut results: Vec<Option<Block>> = vec![None; blocks.len()];
            let mut sources = vec![false; blocks.len()];
            for (source, target) in permute::pairs(state, dims, mesh) {
                assert!(!std::mem::replace(&mut sources[source], true), "{source} sends twice");
                assert!(results[target].replace(blocks[source].clone()).is_none(), "{target} receives twice");
            }
            results.into_iter().map(|block| block.expect("every device receives")).collect()
        }
        Step::Contribute { dim, axes, .. } => in_groups(axes, &|members, position| {
            let mut parts = members.to_vec();
            let others = parts.iter_mut().enumerate().filter(|(at, _)| *at != position);
            others.flat_map(|(_, part)| &mut part.elements).for_each(|element| element.contributions = 0);
            Block::concat(&parts, *dim)
        }),
        Step::Resize { dim, size } => blocks.iter().map(|block| block.resized(*dim, *size)).collect(),
    }
}

/// Plans, executes and compares. Returns the plan.
fn check(from: &Sharding, to: &Sharding, shape: &[usize], mesh: &Mesh) -> Vec<Step> {
    let plan = steps(from, to, shape, mesh);
    let partial: Vec<SubAxisId> = from.partial_axes().iter().collect();
    let own = |device: usize| 1u128 << mesh.index_along(device, &partial);
    let mut blocks: Vec<Block> =
        (0..mesh.num_devices()).map(|device| Block::of(device, from, shape, mesh, own)).collect();
    let mut state = Layout::new(from, shape, mesh);
    for step in &plan {
        blocks = execute(step, &state.sharding, &blocks, mesh);
        state.apply(step);
        assert!(!state.sharding.is_padded(&state.sizes, mesh), "{plan:?} leaves {state:?}");
    }
    assert!(state.sharding.places_like(to), "{plan:?} ends in {state:?}, not {to:?}");
    // A contribution reaches all devices that differ from its maker only along axes that are no longer partial.
    let left: Vec<SubAxisId> = to.partial_axes().iter().collect();
    let all = |device: usize| {
        (0..mesh.num_devices())
            .filter(|other| mesh.index_along(*other, &left) == mesh.index_along(device, &left))
            .fold(0, |set, other| set | own(other))
    };
    for device in 0..mesh.num_devices() {
        let wanted = Block::of(device, to, shape, mesh, all);
        let found = &blocks[device];
        assert!(found.holds(&wanted), "device {device} after {plan:?} from {from:?} to {to:?}: {found:?}");
    }
    plan
}

/// Deterministic random numbers (Marsaglia's xorshift64*).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % limit
    }

    /// Every axis shards a random dim, or is partial where it may be, or is free; in random order.
    pub(super) fn sharding(&mut self, mesh: &Mesh, rank: usize, may_be_partial: AxisSet) -> Sharding {
        let mut axes: Vec<SubAxisId> = mesh.sub_axis_ids().collect();
        for last in (1..axes.len()).rev() {
            let other = self.below(last + 1);
            axes.swap(last, other);
        }
        let mut dims = vec![DimSharding::default(); rank];
        let mut partial = AxisSet::EMPTY;
        for axis in axes {
            match self.below(rank + 2) {
                choice if choice < rank => dims[choice].axes.push(axis),
                choice if choice == rank && may_be_partial.contains(axis) => {
                    partial.insert(axis);
                }
                _ => {}
            }
        }
        let partial = (!partial.is_empty()).then_some((Reduction::Sum, partial));
        Sharding { dims, replicated: AxisSet::EMPTY, partial }
    }
}

#[test]
fn every_plan_moves_every_element_where_it_belongs() {
    let mut random = Random(1);
    let meshes = [
        &[2][..],
        &[4],
        &[2, 3],
        &[2, 2],
        &[4, 2],
        &[3, 4],
        &[2, 2, 2],
        &[2, 3, 2],
        &[4, 2, 2],
        &[2, 2, 2, 2],
        &[3, 2, 4],
        &[4, 4, 2],
    ];
    for round in 0..6000 {
        let mesh = mesh(meshes[round % meshes.len()]);
        let rank = 1 + random.below(3);
        let from = random.sharding(&mesh, rank, mesh.all());
        let to = random.sharding(&mesh, rank, from.partial_axes());
        // As small as both shardings allow, so that not every state in between divides evenly.
        let shape: Vec<usize> = (0..rank)
            .map(|dim| {
                let (a, b) = (from.num_shards(dim, &mesh), to.num_shards(dim, &mesh));
                (a.max(b)..).find(|size| size % a == 0 && size % b == 0).unwrap() * (1 + random.below(2))
            })
            .collect();
        check(&from, &to, &shape, &mesh);
    }
}

#[test]
fn every_plan_moves_every_element_where_shards_are_padded() {
    let mut random = Random(5);
    let meshes = [&[2][..], &[4], &[3], &[2, 3], &[2, 2], &[4, 2], &[6], &[2, 2, 2], &[2, 3, 2]];
    for round in 0..6000 {
        let mesh = mesh(meshes[round % meshes.len()]);
        let rank = 1 + random.below(3);
        let from = random.sharding(&mesh, rank, mesh.all());
        let to = random.sharding(&mesh, rank, from.partial_axes());
        let shape: Vec<usize> = (0..rank).map(|_| 1 + random.below(13)).collect();
        check(&from, &to, &shape, &mesh);
    }
}

#[test]
fn plans_do_not_depend_on_what_axes_are_called() {
    let mut random = Random(7);
    let meshes = [&[2, 2][..], &[2, 2, 2], &[3, 3], &[2, 2, 2, 2], &[3, 3, 3]];
    for round in 0..4000 {
        let mesh = mesh(meshes[round % meshes.len()]);
        let rank = 1 + random.below(3);
        let from = random.sharding(&mesh, rank, mesh.all());
        let to = random.sharding(&mesh, rank, from.partial_axes());
        let shape: Vec<usize> = (0..rank).map(|_| 1 + random.below(13)).collect();
        let mut names: Vec<SubAxisId> = mesh.sub_axis_ids().collect();
        let turn = 1 + random.below(names.len() - 1);
        names.rotate_left(turn);
        let rename =
            |axes: &[SubAxisId]| -> Vec<SubAxisId> { axes.iter().map(|axis| names[axis.index()]).collect() };
        let renamed = |sharding: &Sharding| {
            let mut renamed = Sharding::of(sharding.dim_axes().map(rename));
            renamed.partial = sharding
                .partial
                .map(|(reduction, axes)| (reduction, axes.iter().map(|axis| names[axis.index()]).collect()));
            renamed
        };
        // Which of the axes that are only reduced is taken first is open, and the order of gathers or scatters in a row.
        let kinds = |from: &Sharding, to: &Sharding| {
            let mut state = Layout::new(from, &shape, &mesh);
            let kind = |step: &Step| {
                let is_in_a_row = step.gathered().is_some() || step.scattered().is_some();
                let elements = if is_in_a_row { 0 } else { state.local_elements(&mesh) };
                state.apply(step);
                (format!("{:?}", std::mem::discriminant(step)), mesh.product(step.axes()), elements)
            };
            let mut kinds: Vec<_> = steps(from, to, &shape, &mesh).iter().map(kind).collect();
            kinds.sort();
            kinds
        };
        assert_eq!(
            kinds(&from, &to),
            kinds(&renamed(&from), &renamed(&to)),
            "{from:?} {to:?} {names:?} {shape:?}"
        );
        if from.partial.is_none() {
            let mut along: Vec<_> =
                steps(&from, &to, &shape, &mesh).iter().map(|step| rename(step.axes())).collect();
            let other = steps(&renamed(&from), &renamed(&to), &shape, &mesh);
            let mut other: Vec<_> = other.iter().map(|step| step.axes().to_vec()).collect();
            along.sort();
            other.sort();
            assert_eq!(along, other, "{from:?} {to:?} {names:?} {shape:?}");
        }
    }
}

#[test]
fn the_largest_scatter_is_along_the_innermost_axis() {
    // Axes of 4 and 8, which are two and three of 2.
    let mesh = mesh(&[4, 8]);
    let shape = [64, 64];
    let contributions = partial(sharding(&[&[], &[]]), &[0, 1, 2, 3, 4]);
    let inner = [2, 3, 4].map(axis);
    for (goal, first) in [(sharding(&[&[0, 1], &[2, 3, 4]]), 1), (sharding(&[&[2, 3, 4], &[0, 1]]), 0)] {
        let plan = steps(&contributions, &goal, &shape, &mesh);
        let dims: Vec<Option<usize>> = plan.iter().map(Step::scattered).collect();
        assert_eq!(dims, [Some(first), Some(1 - first)], "{plan:?}");
        assert_eq!(plan[0].axes(), inner);
    }
}

#[test]
fn padding_is_moved_and_cut_at_last() {
    let mesh = mesh(&[2, 2]);
    let (x, y) = (axis(0), axis(1));
    let plan = |from: &Sharding, to: &Sharding| check(from, to, &[7, 16], &mesh);
    assert_eq!(
        plan(&sharding(&[&[0, 1], &[]]), &sharding(&[&[], &[0, 1]])),
        [Step::AllToAll { split_dim: 1, concat_dim: 0, axes: vec![x, y] }, Step::Resize { dim: 0, size: 7 }]
    );
    assert_eq!(
        plan(&partial(sharding(&[&[], &[]]), &[0]), &sharding(&[&[0], &[]])),
        [
            Step::Resize { dim: 0, size: 8 },
            Step::ReduceScatter { dim: 0, axes: vec![x], reduction: Reduction::Sum }
        ]
    );
    // 7 rows in two shards and in four are 8 rows with their padding.
    assert_eq!(
        plan(&sharding(&[&[0, 1], &[]]), &sharding(&[&[0], &[]])),
        [Step::AllGather { dim: 0, axes: vec![y] }]
    );
    // 5 rows are 6 or 8.
    assert_eq!(
        check(&sharding(&[&[0, 1], &[]]), &sharding(&[&[0], &[]]), &[5, 16], &mesh),
        [
            Step::AllGather { dim: 0, axes: vec![x, y] },
            Step::Resize { dim: 0, size: 6 },
            Step::Slice { dim: 0, axes: vec![x] }
        ]
    );
}

#[test]
fn equal_shardings_need_nothing() {
    let mesh = mesh(&[2, 2]);
    assert_eq!(steps(&sharding(&[&[0], &[1]]), &sharding(&[&[0], &[1]]), &[4, 4], &mesh), []);
}

#[test]
fn one_step_where_one_does() {
    let mesh = mesh(&[2, 2, 3]);
    let plan = |from: &Sharding, to: &Sharding| check(from, to, &[12, 12], &mesh);
    let (x, y) = (axis(0), axis(1));
    assert_eq!(
        plan(&sharding(&[&[], &[]]), &sharding(&[&[0, 1], &[]])),
        [Step::Slice { dim: 0, axes: vec![x, y] }]
    );
    assert_eq!(
        plan(&sharding(&[&[0, 1], &[]]), &sharding(&[&[0], &[]])),
        [Step::AllGather { dim: 0, axes: vec![y] }]
    );
    assert_eq!(
        plan(&sharding(&[&[0, 1], &[]]), &sharding(&[&[0], &[1]])),
        [Step::AllToAll { split_dim: 1, concat_dim: 0, axes: vec![y] }]
    );
    assert_eq!(
        plan(&sharding(&[&[0], &[1]]), &sharding(&[&[1], &[0]])),
        [Step::Permute { dims: vec![vec![y], vec![x]] }]
    );
    assert_eq!(
        plan(&partial(sharding(&[&[0], &[]]), &[1]), &sharding(&[&[0], &[]])),
        [Step::AllReduce { axes: vec![y], reduction: Reduction::Sum }]
    );
    assert_eq!(
        plan(&partial(sharding(&[&[0], &[]]), &[1]), &sharding(&[&[0, 1], &[]])),
        [Step::ReduceScatter { dim: 0, axes: vec![y], reduction: Reduction::Sum }]
    );
}

#[test]
fn slices_come_early_and_gathers_late() {
    let mesh = mesh(&[2, 2, 2]);
    let plan = |from: &Sharding, to: &Sharding| check(from, to, &[512, 256], &mesh);
    let (x, y, z) = (axis(0), axis(1), axis(2));
    assert_eq!(
        plan(&sharding(&[&[1], &[]]), &sharding(&[&[0, 1], &[]])),
        [Step::Slice { dim: 0, axes: vec![x] }, Step::Permute { dims: vec![vec![x, y], vec![]] }]
    );
    assert_eq!(
        plan(&partial(sharding(&[&[1], &[]]), &[0]), &sharding(&[&[], &[2]])),
        [
            Step::Slice { dim: 1, axes: vec![z] },
            Step::AllReduce { axes: vec![x], reduction: Reduction::Sum },
            Step::AllGather { dim: 0, axes: vec![y] },
        ]
    );
    // What is wanted scattered is scattered first, so the rest is reduced on half the bytes.
    assert_eq!(
        plan(&partial(sharding(&[&[], &[]]), &[0, 1]), &sharding(&[&[1], &[]])),
        [
            Step::ReduceScatter { dim: 0, axes: vec![y], reduction: Reduction::Sum },
            Step::AllReduce { axes: vec![x], reduction: Reduction::Sum },
        ]
    );
    // The scatter's axis belongs before the one that is there: half the bytes are permuted afterwards.
    assert_eq!(
        plan(&partial(sharding(&[&[1], &[]]), &[0]), &sharding(&[&[0, 1], &[]])),
        [
            Step::ReduceScatter { dim: 0, axes: vec![x], reduction: Reduction::Sum },
            Step::Permute { dims: vec![vec![x, y], vec![]] },
        ]
    );
}

#[test]
fn many_axes_move_as_runs() {
    let mesh = mesh(&[64, 64]);
    let all: Vec<usize> = (0..12).collect();
    let (first, second) = all.split_at(6);
    let (from, to) = (sharding(&[&all, &[]]), sharding(&[second, first]));
    let plan = steps(&from, &to, &[1 << 16, 1 << 16], &mesh);
    let axes = |indices: &[usize]| indices.iter().map(|index| axis(*index)).collect();
    // Without runs only the greedy plan, which gathers everything, would be known.
    assert_eq!(
        plan,
        [
            Step::AllToAll { split_dim: 1, concat_dim: 0, axes: axes(&all) },
            Step::AllToAll { split_dim: 0, concat_dim: 1, axes: axes(second) },
        ]
    );
}

#[test]
fn bytes_are_those_of_rings() {
    let mesh = mesh(&[4, 2]);
    let state = partial(sharding(&[&[0, 1], &[]]), &[2]);
    let layout = Layout::new(&state, &[8, 4], &mesh);
    let bytes = |step: Step| layout.ring_bytes(&step, ElementType::F32, &mesh);
    let x = vec![axis(0), axis(1)];
    assert_eq!(layout.local_bytes(ElementType::F32, &mesh), 32.0);
    assert_eq!(bytes(Step::AllReduce { axes: vec![axis(2)], reduction: Reduction::Sum }), 32.0);
    assert_eq!(bytes(Step::ReduceScatter { dim: 1, axes: vec![axis(2)], reduction: Reduction::Sum }), 16.0);
    assert_eq!(bytes(Step::AllGather { dim: 0, axes: x.clone() }), 96.0);
    assert_eq!(bytes(Step::AllToAll { split_dim: 1, concat_dim: 0, axes: x }), 24.0);
    assert_eq!(bytes(Step::Permute { dims: vec![vec![axis(1), axis(0)], vec![]] }), 32.0);
    assert_eq!(bytes(Step::Slice { dim: 1, axes: vec![axis(2)] }), 0.0);
}

#[test]
fn partial_values_cannot_be_made() {
    let whole = sharding(&[&[]]);
    assert!(!is_possible(&whole, &partial(whole.clone(), &[0])));
    assert!(is_possible(&partial(whole.clone(), &[0, 1]), &partial(whole.clone(), &[0])));
    let mut largest = partial(whole.clone(), &[0]);
    largest.partial = Some((Reduction::Max, largest.partial_axes()));
    assert!(!is_possible(&partial(whole, &[0, 1]), &largest));
}

#[test]
fn shards_become_partial() {
    let mesh = mesh(&[2, 2]);
    let contribute = |axes: Vec<SubAxisId>| Step::Contribute { dim: 0, axes, reduction: Reduction::Sum };
    let to = partial(sharding(&[&[], &[1]]), &[0]);
    assert_eq!(steps(&sharding(&[&[0], &[1]]), &to, &[4, 4], &mesh), [contribute(vec![axis(0)])]);
    // What is complete is counted once, which is no step.
    assert_eq!(steps(&sharding(&[&[], &[1]]), &to, &[4, 4], &mesh), []);
    // Other dims are put together while shards are small.
    let plan = steps(&sharding(&[&[0], &[1]]), &partial(sharding(&[&[], &[]]), &[0]), &[4, 4], &mesh);
    assert_eq!(plan, [Step::AllGather { dim: 1, axes: vec![axis(1)] }, contribute(vec![axis(0)])]);
    // Padding would be among the contributions.
    let gathered = [Step::AllGather { dim: 0, axes: vec![axis(0)] }, Step::Resize { dim: 0, size: 3 }];
    assert_eq!(steps(&sharding(&[&[0]]), &partial(sharding(&[&[]]), &[0]), &[3], &mesh), gathered);
}

#[test]
fn a_permute_keeps_what_is_in_place() {
    let mesh = mesh(&[2, 2]);
    let pairs = permute::pairs(&sharding(&[&[0]]), &[vec![axis(1)]], &mesh);
    assert_eq!(pairs, [(0, 0), (2, 1), (1, 2), (3, 3)]);
}
