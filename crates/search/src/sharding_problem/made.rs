//! Problems that were made: what of them does not depend on the budget is made once for each mesh, however many limits of memory
//! a function is searched within.
//!
//! Input: a mesh, the size of its problem, and what it is made of. Output: the same again. Large problems are not kept.

use super::Skipped;
use super::problem::Parts;
use meshwright_ir::mesh::Mesh;
use std::sync::{Mutex, PoisonError};

/// Pairs of choices of a problem that is kept, and of all that are: 32 and 128 MiB.
const MOST: usize = 1 << 22;
const MOST_OF_ALL: usize = 1 << 24;

/// Problems of the meshes of one machine.
#[derive(Default)]
pub(super) struct MadeProblems(Mutex<Vec<Made>>);

struct Made {
    mesh: Mesh,
    size: Skipped,
    parts: Option<Parts>,
}

impl Made {
    /// Pairs that are kept.
    fn pairs(&self) -> usize {
        self.parts.as_ref().map_or(0, |parts| parts.problem.edges.iter().map(|edge| edge.costs.len()).sum())
    }
}

impl MadeProblems {
    /// The problem of a mesh, if it was looked at, as far as it is kept.
    pub(super) fn of(&self, mesh: &Mesh) -> Option<(Skipped, Option<Parts>)> {
        let made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        made.iter().find(|made| made.mesh == *mesh).map(|made| (made.size, made.parts.clone()))
    }

    /// Keeps the size of the problem of a mesh, and what it is made of if that is not too large.
    pub(super) fn keep(&self, mesh: &Mesh, size: Skipped, parts: Option<&Parts>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let kept: usize = all.iter().map(Made::pairs).sum();
        let parts = parts.filter(|_| size.pairs <= MOST && kept + size.pairs <= MOST_OF_ALL).cloned();
        match all.iter_mut().find(|made| made.mesh == *mesh) {
            Some(made) => made.parts = parts.or(made.parts.take()),
            None => all.push(Made { mesh: mesh.clone(), size, parts }),
        }
    }
}
