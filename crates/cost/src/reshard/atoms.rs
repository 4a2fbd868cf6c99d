//! Axes that move in a resharding, as atoms: which there are, and where they stand.
//!
//! Input: the sub-axes of each dim before and after. Output: [`runs`] of sub-axes that move as one, and [`State`]s.

use meshwright_ir::mesh::{AxisSet, SubAxisId};

/// How many axes, or runs of axes, may move in an exact search.
pub(super) const MAX_ATOMS: usize = 6;
/// Between how many dims.
pub(super) const MAX_DIMS: usize = 5;
/// A place in a dim fits 5 bits of a state's key.
const _: () = assert!(MAX_DIMS * MAX_ATOMS < 32);

/// Where the atoms are. Entries beyond `len` are 0, so that equal states are equal bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct State {
    /// The atoms of each dim, major first.
    pub(super) atoms: [[u8; MAX_ATOMS]; MAX_DIMS],
    /// How many each dim has.
    pub(super) len: [u8; MAX_DIMS],
    /// A bit per atom that is still to be reduced.
    pub(super) partial: u8,
}

impl Default for State {
    fn default() -> Self {
        Self { atoms: [[0; MAX_ATOMS]; MAX_DIMS], len: [0; MAX_DIMS], partial: 0 }
    }
}

impl State {
    /// The state in which `dims` are sharded by these sub-axes, each run of an atom standing together.
    pub(super) fn of(dims: &[Vec<SubAxisId>], partial: AxisSet, atoms: &[Vec<SubAxisId>]) -> Self {
        let mut state = Self::default();
        for (dim, axes) in dims.iter().enumerate() {
            for axis in axes {
                if let Some(atom) = atoms.iter().position(|atom| atom[0] == *axis) {
                    state.push(dim, atom as u8);
                }
            }
        }
        for (atom, axes) in atoms.iter().enumerate() {
            state.partial |= u8::from(partial.contains(axes[0])) << atom;
        }
        state
    }

    /// A number for each state: place by place, dims apart, then the partial atoms.
    pub(super) fn key(&self) -> u64 {
        let mut key = 0;
        for dim in 0..MAX_DIMS {
            for (position, atom) in self.of_dim(dim).iter().enumerate() {
                let place = 1 + dim * MAX_ATOMS + position;
                key |= (place as u64) << (5 * u32::from(*atom));
            }
        }
        key | u64::from(self.partial) << (5 * MAX_ATOMS)
    }

    pub(super) fn of_dim(&self, dim: usize) -> &[u8] {
        &self.atoms[dim][..usize::from(self.len[dim])]
    }

    pub(super) fn dim_of(&self, atom: u8) -> Option<usize> {
        (0..MAX_DIMS).find(|dim| self.of_dim(*dim).contains(&atom))
    }

    pub(super) fn push(&mut self, dim: usize, atom: u8) {
        self.atoms[dim][usize::from(self.len[dim])] = atom;
        self.len[dim] += 1;
    }

    /// Without the last `count` atoms of `dim`; those, and how many they are.
    pub(super) fn without(&self, dim: usize, count: usize) -> (Self, [u8; MAX_ATOMS], usize) {
        let mut state = *self;
        let mut moved = [0; MAX_ATOMS];
        let start = usize::from(self.len[dim]) - count;
        moved[..count].copy_from_slice(&self.of_dim(dim)[start..]);
        state.atoms[dim][start..].fill(0);
        state.len[dim] = start as u8;
        (state, moved, count)
    }

    /// A bit per atom that shards a dim.
    pub(super) fn used(&self) -> u8 {
        (0..MAX_DIMS).flat_map(|dim| self.of_dim(dim)).fold(0, |set, atom| set | 1 << atom)
    }
}

/// Groups the axes into runs that stand together both before and after: neighbors in the same dim, or both absent, or
/// both partial.
pub(super) fn runs(
    mut left: Vec<SubAxisId>,
    old: &[Vec<SubAxisId>],
    new: &[Vec<SubAxisId>],
    reduced: AxisSet,
) -> Vec<Vec<SubAxisId>> {
    let is_in = |dims: &[Vec<SubAxisId>], axis: SubAxisId| dims.iter().flatten().any(|other| *other == axis);
    let follows = |dims: &[Vec<SubAxisId>], a: SubAxisId, b: SubAxisId| {
        dims.iter().any(|dim| dim.windows(2).any(|pair| pair == [a, b]))
    };
    let together = |a: SubAxisId, b: SubAxisId| {
        let before = if is_in(old, a) {
            follows(old, a, b)
        } else {
            !is_in(old, b) && reduced.contains(a) == reduced.contains(b)
        };
        let after = if is_in(new, a) { follows(new, a, b) } else { !is_in(new, b) };
        // Reduced and wanted nowhere: no order but the mesh's.
        let ordered = is_in(old, a) || is_in(new, a) || a < b;
        before && after && ordered
    };
    let mut runs: Vec<Vec<SubAxisId>> = Vec::new();
    while let Some(first) =
        left.iter().copied().find(|axis| !left.iter().any(|other| other != axis && together(*other, *axis)))
    {
        let mut run = vec![first];
        left.retain(|axis| *axis != first);
        while let Some(next) = left.iter().copied().find(|axis| together(run[run.len() - 1], *axis)) {
            run.push(next);
            left.retain(|axis| *axis != next);
        }
        runs.push(run);
    }
    runs
}
