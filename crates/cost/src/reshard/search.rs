//! The cheapest resharding among sequences of steps, for the few axes that move.
//!
//! Input: two shardings, the shape, the mesh, and the price of a known plan. Output: a cheaper plan, if there is one.
//!
//! A*: Dijkstra's algorithm, with what is still to be paid at least. Axes that both shardings have at the head of a dim
//! stay where they are; the others are the *atoms* that move. A state says in which order the atoms shard each dim, and
//! which are still partial; prices are bytes sent, relative to the local bytes at first. Where many sub-axes move, those
//! that stay neighbors before and after move as one.

use super::atoms::{MAX_ATOMS, MAX_DIMS, State, runs};
use super::{Layout, Step, StepPrice, apply};
use crate::collective::Collective;
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::sharding::Sharding;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hash::BuildHasher;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// Up to how many sub-axes each moves on its own; among more, those that stay neighbors move as one.
const MAX_SINGLE: usize = 4;
/// How many states are looked at before the known plan has to do.
const MAX_STATES: usize = 2048;

/// One step between states; dims and atoms are the problem's.
#[derive(Clone, Copy, Debug)]
enum Move {
    Slice { dim: usize, atom: u8 },
    Scatter { dim: usize, atom: u8 },
    Reduce { atoms: u8 },
    Gather { dim: usize, count: usize },
    OpCollective { concat: usize, split: usize, count: usize },
    Permute,
}

struct Problem<'a> {
    /// The sub-axes of each atom.
    atoms: Vec<Vec<SubAxisId>>,
    /// Number of devices along each atom.
    sizes: Vec<usize>,
    /// The tensor's dims between which atoms move.
    dims: Vec<usize>,
    /// How many sub-axes of each of these dims never move.
    fixed: Vec<usize>,
    /// What those leave of the dim's size.
    room: Vec<usize>,
    /// In which of the problem's dims each atom ends.
    home: Vec<Option<usize>>,
    start: State,
    goal: State,
    from: &'a Sharding,
    step_price: StepPrice,
    /// What a device holds in the end.
    last: f64,
    /// What it holds at least on the way.
    smallest: f64,
}

/// Parts of what is remembered: threads seldom wait for one another.
const PARTS: usize = 64;

/// Outcome of a search.
#[derive(Clone, Debug)]
enum Found {
    /// The moves of the cheapest sequence, with the states that they start from.
    Path(Arc<[(State, Move)]>),
    /// Nothing is cheaper than what is known.
    NoneCheaper,
    /// Too many states were looked at.
    GivenUp,
}

/// How far dims can be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Room {
    /// By all that moves: without fractions, whatever their sizes.
    Any,
    /// As their sizes allow.
    Own,
}

/// Searches that a part remembers; then it begins anew.
const MOST: usize = 1 << 12;

/// What was searched for, and what was found; clones share it. It does not matter who searched first.
#[derive(Clone, Debug)]
pub(super) struct Searched {
    known: Arc<[Mutex<FxHashMap<Key, Found>>]>,
}

impl Default for Searched {
    fn default() -> Self {
        Self { known: (0..PARTS).map(|_| Mutex::default()).collect() }
    }
}

/// All that a search depends on: whatever the tensor and the axes, equal keys lead to equal moves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    start: State,
    goal: State,
    sizes: [usize; MAX_ATOMS],
    /// Of the room of each dim the part that atoms can divide; 0 for what is no dim of the problem.
    room: [usize; MAX_DIMS],
    /// Bits of the price of a step and of the bound.
    prices: [u64; 2],
}

/// What all searches of the process have in common.
static SHARED: LazyLock<Searched> = LazyLock::new(Searched::default);

impl Searched {
    /// What every search of the process remembers: other programs move their axes alike.
    pub(super) fn shared() -> Self {
        SHARED.clone()
    }

    /// How many different searches there were.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.known.iter().map(|part| part.lock().unwrap_or_else(PoisonError::into_inner).len()).sum()
    }

    /// A plan with a price below `bound`, not merged; `None` if there is none, or too many axes move.
    pub(super) fn cheaper_plan(
        &self,
        from: &Sharding,
        to: &Sharding,
        shape: &[usize],
        mesh: &Mesh,
        bound: f64,
    ) -> Option<Vec<Step>> {
        let start = Layout { sharding: from.clone(), sizes: shape.to_vec() };
        let problem = Problem::new(from, to, shape, mesh, StepPrice::new(&start, mesh))?;
        // Most sequences cut no dim further than it can be, so that those of roomy dims are those of all.
        let mut found = self.solved(&problem, Room::Any, bound);
        let is_possible = match &found {
            Found::Path(path) => path.iter().all(|(state, _)| problem.has_room(state)),
            Found::NoneCheaper => true,
            Found::GivenUp => false,
        };
        if !is_possible {
            found = self.solved(&problem, Room::Own, bound);
        }
        match found {
            Found::Path(path) => Some(problem.to_steps(&path)),
            Found::NoneCheaper | Found::GivenUp => None,
        }
    }

    /// What is found, or remembered, with so much room.
    fn solved(&self, problem: &Problem<'_>, room: Room, bound: f64) -> Found {
        let key = problem.key(room, bound);
        let part = &self.known[FxBuildHasher.hash_one(&key) as usize % PARTS];
        let known = || part.lock().unwrap_or_else(PoisonError::into_inner);
        let remembered = known().get(&key).cloned();
        remembered.unwrap_or_else(|| {
            let found = problem.solve(room, bound);
            let mut known = known();
            if known.len() == MOST {
                known.clear();
            }
            known.insert(key, found.clone());
            found
        })
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// The dims that are not sharded alike, and how many sub-axes of each stay.
fn changed_dims(from: &Sharding, to: &Sharding) -> (Vec<usize>, Vec<usize>) {
    let changed = from.dim_axes().zip(to.dim_axes()).enumerate().filter_map(|(dim, (old, new))| {
        let same = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        (same < old.len() || same < new.len()).then_some((dim, same))
    });
    changed.unzip()
}

/// A dim other than `dims` that nothing changes in the end, and into how many parts it may be cut: what is sliced there
/// makes the sums smaller.
fn helping_dim(
    from: &Sharding,
    dims: &[usize],
    reduced: AxisSet,
    (shape, mesh): (&[usize], &Mesh),
) -> Option<(usize, usize)> {
    if reduced.is_empty() {
        return None;
    }
    let others = (0..shape.len()).filter(|dim| !dims.contains(dim));
    let size = mesh.set_size(reduced);
    let cuts = |dim: usize| greatest_common_divisor(shape[dim] / from.num_shards(dim, mesh), size);
    let best = others.map(|dim| (dim, cuts(dim))).max_by_key(|(dim, cuts)| (*cuts, Reverse(*dim)));
    best.filter(|(_, cuts)| *cuts > 1)
}

struct Node {
    state: State,
    /// What a device holds, relative to what it holds at first.
    local: f64,
    price: f64,
    done: bool,
    /// The node before it and the move between.
    before: Option<(usize, Move)>,
}

impl<'a> Problem<'a> {
    fn new(
        from: &'a Sharding,
        to: &Sharding,
        shape: &[usize],
        mesh: &Mesh,
        step_price: StepPrice,
    ) -> Option<Self> {
        let reduced = from.partial_axes().minus(to.partial_axes());
        let (mut dims, mut fixed) = changed_dims(from, to);
        let helping = helping_dim(from, &dims, reduced, (shape, mesh));
        dims.extend(helping.map(|(dim, _)| dim));
        fixed.extend(helping.map(|(dim, _)| from.dims[dim].axes.len()));
        let moving = |sharding: &Sharding| -> Vec<Vec<SubAxisId>> {
            dims.iter().zip(&fixed).map(|(dim, fixed)| sharding.dims[*dim].axes[*fixed..].to_vec()).collect()
        };
        let (old, new) = (moving(from), moving(to));
        // In the order in which they are met, so that a plan does not depend on what axes are called.
        let mut axes: Vec<SubAxisId> = Vec::new();
        for axis in old.iter().chain(&new).flatten().copied().chain(reduced.iter()) {
            if !axes.contains(&axis) {
                axes.push(axis);
            }
        }
        let atoms = if axes.len() <= MAX_SINGLE {
            axes.into_iter().map(|axis| vec![axis]).collect()
        } else {
            runs(axes, &old, &new, reduced)
        };
        if atoms.len() > MAX_ATOMS || dims.len() > MAX_DIMS {
            return None;
        }
        let mut room: Vec<usize> = dims
            .iter()
            .zip(&fixed)
            .map(|(dim, fixed)| shape[*dim] / mesh.product(&from.dims[*dim].axes[..*fixed]))
            .collect();
        room.last_mut().zip(helping).into_iter().for_each(|(last, (_, cuts))| *last = cuts);
        let goal = State::of(&new, AxisSet::EMPTY, &atoms);
        let mut problem = Self {
            sizes: atoms.iter().map(|atom| mesh.product(atom)).collect(),
            home: (0..atoms.len()).map(|atom| goal.dim_of(atom as u8)).collect(),
            start: State::of(&old, reduced, &atoms),
            goal,
            atoms,
            dims,
            fixed,
            room,
            from,
            step_price,
            last: 1.0,
            smallest: 1.0,
        };
        let first = problem.num_shards(&problem.start);
        problem.last = first / problem.num_shards(&problem.goal);
        problem.smallest = first / problem.sizes.iter().product::<usize>() as f64;
        Some(problem)
    }

    fn key(&self, wanted: Room, bound: f64) -> Key {
        let all: usize = self.sizes.iter().product();
        let (mut sizes, mut room) = ([1; MAX_ATOMS], [0; MAX_DIMS]);
        sizes[..self.sizes.len()].copy_from_slice(&self.sizes);
        room.iter_mut().zip(&self.room).for_each(|(key, room)| match wanted {
            Room::Any => *key = all,
            Room::Own => *key = greatest_common_divisor(*room, all),
        });
        let prices = [self.step_price.collective, bound].map(f64::to_bits);
        Key { start: self.start, goal: self.goal, sizes, room, prices }
    }

    /// The cheapest sequence below `bound`.
    fn solve(&self, room: Room, bound: f64) -> Found {
        if self.at_least(&self.start, 1.0) >= bound {
            return Found::NoneCheaper;
        }
        let mut nodes = vec![Node { state: self.start, local: 1.0, price: 0.0, done: false, before: None }];
        let mut known: FxHashMap<u64, usize> = FxHashMap::from_iter([(self.start.key(), 0)]);
        // Prices are not negative, so their bits are ordered like them; the node number breaks ties.
        let mut open = BinaryHeap::from([Reverse((0u64, 0usize))]);
        let mut num_done = 0;
        while let Some(Reverse((_, at))) = open.pop() {
            if nodes[at].done {
                continue;
            }
            nodes[at].done = true;
            num_done += 1;
            let Node { state, local, price, .. } = nodes[at];
            if state == self.goal {
                return Found::Path(trace(&nodes, at).into());
            }
            if num_done > MAX_STATES {
                return Found::GivenUp;
            }
            self.for_each_move(&state, local, room, &mut |step, next, local, added| {
                let price = price + added;
                let least = price + self.at_least(&next, local);
                if least >= bound {
                    return;
                }
                let index = *known.entry(next.key()).or_insert_with(|| {
                    nodes.push(Node { state: next, local, price: f64::INFINITY, done: false, before: None });
                    nodes.len() - 1
                });
                if price < nodes[index].price {
                    nodes[index].price = price;
                    nodes[index].before = Some((at, step));
                    open.push(Reverse((least.to_bits(), index)));
                }
            });
        }
        Found::NoneCheaper
    }

    /// What is still to be paid from a state on. Contributions and shards that are not in their place take a collective
    /// each at least: combining the former into the smallest shards sends all but one part of what they are then, moving
    /// the latter half of a shard. And shards grow by gathers only.
    fn at_least(&self, state: &State, local: f64) -> f64 {
        let is_in_place = |dim| self.goal.of_dim(dim).starts_with(state.of_dim(dim));
        let are_misplaced = !(0..self.dims.len()).all(is_in_place);
        let (mut collectives, mut sent) = (0.0, 0.0);
        if are_misplaced {
            collectives += 1.0;
            sent += 0.5 * self.smallest;
        }
        if state.partial != 0 {
            collectives += 1.0;
            sent += (self.size_of(state.partial) - 1.0) * self.smallest;
        }
        if collectives == 0.0 {
            return 0.0;
        }
        self.step_price.collective * collectives + (self.last - local).max(sent) * (1.0 - 1e-9)
    }

    /// Calls `visit` with every move worth trying, the state after it, what a device holds then, and the move's price.
    fn for_each_move(
        &self,
        state: &State,
        local: f64,
        room: Room,
        visit: &mut dyn FnMut(Move, State, f64, f64),
    ) {
        let fits = |state: &State, dim, atoms: &[u8]| room == Room::Any || self.fits(state, dim, atoms);
        let send = |kind: Collective, size: f64| kind.ring_factor(size) * local + self.step_price.collective;
        let used = state.used();
        for atom in 0..self.atoms.len() as u8 {
            let size = self.sizes[usize::from(atom)] as f64;
            let is_partial = state.partial >> atom & 1 == 1;
            let next_place = self.home[usize::from(atom)].filter(|home| self.comes_next(state, *home, atom));
            for dim in 0..self.dims.len() {
                // Once on its place an axis stays; before that it may help anywhere to make the shards smaller.
                let may = match next_place {
                    Some(place) => place == dim,
                    None => is_partial || self.home[usize::from(atom)].is_some(),
                };
                if !may || used >> atom & 1 == 1 || !fits(state, dim, &[atom]) {
                    continue;
                }
                let mut next = *state;
                next.push(dim, atom);
                next.partial &= !(1 << atom);
                if is_partial {
                    visit(
                        Move::Scatter { dim, atom },
                        next,
                        local / size,
                        send(Collective::ReduceScatter, size),
                    );
                } else {
                    visit(Move::Slice { dim, atom }, next, local / size, self.step_price.local);
                }
            }
        }
        self.reductions(state, &mut |atoms| {
            let size = self.size_of(atoms);
            let next = State { partial: state.partial & !atoms, ..*state };
            visit(Move::Reduce { atoms }, next, local, send(Collective::AllReduce, size));
        });
        for dim in 0..self.dims.len() {
            for count in 1..=usize::from(state.len[dim]) {
                let (mut next, moved, len) = state.without(dim, count);
                let moved = &moved[..len];
                let size = moved.iter().map(|atom| self.sizes[usize::from(*atom)]).product::<usize>() as f64;
                visit(Move::Gather { dim, count }, next, local * size, send(Collective::AllGather, size));
                for split in 0..self.dims.len() {
                    if split == dim || !fits(&next, split, moved) {
                        continue;
                    }
                    let before = next;
                    moved.iter().for_each(|atom| next.push(split, *atom));
                    visit(
                        Move::OpCollective { concat: dim, split, count },
                        next,
                        local,
                        send(Collective::AllToAll, size),
                    );
                    next = before;
                }
            }
        }
        if let Some(next) = self.permuted(state).filter(|next| next != state) {
            visit(Move::Permute, next, local, send(Collective::CollectivePermute, 1.0));
        }
    }

    /// The sets of atoms worth reducing at once: all, those that nothing else can use, each.
    fn reductions(&self, state: &State, visit: &mut dyn FnMut(u8)) {
        let unwanted = (0..self.atoms.len())
            .filter(|atom| self.home[*atom].is_none())
            .fold(0, |set, atom| set | (state.partial & 1 << atom));
        let mut sets = [0; MAX_ATOMS + 2];
        sets[0] = state.partial;
        sets[1] = unwanted;
        (0..self.atoms.len()).for_each(|atom| sets[atom + 2] = state.partial & 1 << atom);
        for (position, set) in sets.iter().enumerate() {
            if *set != 0 && !sets[..position].contains(set) {
                visit(*set);
            }
        }
    }

    /// The state to permute to: every dim starts with as many of its wanted atoms as its number of shards allows; the
    /// rest of that number is made of atoms that the dim has, that nothing wants, or that are left, in this order.
    /// `None` if the sizes do not allow it.
    fn permuted(&self, state: &State) -> Option<State> {
        let mut next = State { partial: state.partial, ..State::default() };
        let mut taken = state.partial;
        let mut rest = [1; MAX_DIMS];
        for dim in 0..self.dims.len() {
            rest[dim] =
                state.of_dim(dim).iter().map(|atom| self.sizes[usize::from(*atom)]).product::<usize>();
            for atom in self.goal.of_dim(dim) {
                let size = self.sizes[usize::from(*atom)];
                if taken >> atom & 1 == 1 || rest[dim] % size != 0 {
                    break;
                }
                rest[dim] /= size;
                taken |= 1 << atom;
                next.push(dim, *atom);
            }
        }
        for dim in 0..self.dims.len() {
            let own = state.of_dim(dim).iter().copied();
            let all = 0..self.atoms.len() as u8;
            let (unwanted, others) = (all.clone().filter(|a| self.home[usize::from(*a)].is_none()), all);
            for atom in own.chain(unwanted).chain(others) {
                let size = self.sizes[usize::from(atom)];
                if taken >> atom & 1 == 0 && rest[dim] % size == 0 {
                    rest[dim] /= size;
                    taken |= 1 << atom;
                    next.push(dim, atom);
                }
            }
        }
        rest.iter().all(|rest| *rest == 1).then_some(next)
    }

    /// Whether `dim` is sharded by exactly the atoms that shall stand before `atom`.
    fn comes_next(&self, state: &State, dim: usize, atom: u8) -> bool {
        let (have, want) = (state.of_dim(dim), self.goal.of_dim(dim));
        want.starts_with(have) && want.get(have.len()) == Some(&atom)
    }

    /// Whether `dim` divides evenly when `atoms` are added.
    fn fits(&self, state: &State, dim: usize, atoms: &[u8]) -> bool {
        let added = state.of_dim(dim).iter().chain(atoms);
        let shards: usize = added.map(|atom| self.sizes[usize::from(*atom)]).product();
        self.room[dim].is_multiple_of(shards)
    }

    /// Whether all dims divide evenly.
    fn has_room(&self, state: &State) -> bool {
        (0..self.dims.len()).all(|dim| self.fits(state, dim, &[]))
    }

    fn size_of(&self, atoms: u8) -> f64 {
        let members = (0..self.atoms.len()).filter(|atom| atoms >> atom & 1 == 1);
        members.map(|atom| self.sizes[atom]).product::<usize>() as f64
    }

    fn num_shards(&self, state: &State) -> f64 {
        self.size_of(state.used() & !state.partial)
    }

    fn axes(&self, atoms: &[u8]) -> Vec<SubAxisId> {
        atoms.iter().flat_map(|atom| &self.atoms[usize::from(*atom)]).copied().collect()
    }

    fn to_steps(&self, path: &[(State, Move)]) -> Vec<Step> {
        let mut sharding = self.from.clone();
        let step = |(state, step): &(State, Move)| {
            let step = self.to_step(state, *step, &sharding);
            apply(&mut sharding, &step);
            step
        };
        path.iter().map(step).collect()
    }

    /// A move as a step; `sharding` is what `state` stands for.
    fn to_step(&self, state: &State, step: Move, sharding: &Sharding) -> Step {
        let reduction = || self.from.partial.expect("only a partial value is reduced").0;
        let dim_of = |dim: usize| self.dims[dim];
        match step {
            Move::Slice { dim, atom } => Step::Slice { dim: dim_of(dim), axes: self.axes(&[atom]) },
            Move::Scatter { dim, atom } => {
                Step::ReduceScatter { dim: dim_of(dim), axes: self.axes(&[atom]), reduction: reduction() }
            }
            Move::Reduce { atoms } => {
                let members: Vec<u8> =
                    (0..self.atoms.len() as u8).filter(|atom| atoms >> atom & 1 == 1).collect();
                let mut axes = self.axes(&members);
                axes.sort();
                Step::AllReduce { axes, reduction: reduction() }
            }
            Move::Gather { dim, count } => {
                let (_, moved, len) = state.without(dim, count);
                Step::AllGather { dim: dim_of(dim), axes: self.axes(&moved[..len]) }
            }
            Move::OpCollective { concat, split, count } => {
                let (_, moved, len) = state.without(concat, count);
                let axes = self.axes(&moved[..len]);
                Step::AllToAll { split_dim: dim_of(split), concat_dim: dim_of(concat), axes }
            }
            Move::Permute => {
                let next = self.permuted(state).expect("it was found before");
                let mut dims: Vec<Vec<SubAxisId>> = sharding.dim_axes().map(<[SubAxisId]>::to_vec).collect();
                for (index, dim) in self.dims.iter().enumerate() {
                    dims[*dim].truncate(self.fixed[index]);
                    dims[*dim].extend(self.axes(next.of_dim(index)));
                }
                Step::Permute { dims }
            }
        }
    }
}

fn trace(nodes: &[Node], goal: usize) -> Vec<(State, Move)> {
    let mut path = Vec::new();
    let mut at = goal;
    while let Some((before, step)) = nodes[at].before {
        path.push((nodes[before].state, step));
        at = before;
    }
    path.reverse();
    path
}
