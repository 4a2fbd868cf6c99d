//! How much work a search is worth.
//!
//! Where many programs are compared, most of which are not taken, each is only looked over: meshes of few axes, solved until
//! a plan is near the best. What is taken is searched again then: on more meshes, for what is better.

use crate::meshwise::{CLOSE, SMALL};
use meshwright_ir::mesh::Mesh;

/// Less work of a look, and of a search behind one: what is better by much is found soon, or not at all.
const LESS: u64 = 8;
const LESS_AGAIN: u64 = 4;

/// Share of its time by which the plan of a look may be slower than the best of a mesh.
const NEAR: f64 = 0.02;

/// Axes of more devices are to divide the examples.
const MOST_COARSE: usize = 8;

/// Thoroughness of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Until all meshes are solved, or as much was spent as is ever worth it.
    #[default]
    Thorough,
    /// Meshes of few axes, until a plan is near the best.
    Look,
    /// The same, and a mesh of an axis more of which axes divide so many examples, or have few devices.
    FineLook(usize),
    /// All meshes, for a plan that is better than that of a look; of those of more axes with very much to choose from, one.
    Again,
}

impl Effort {
    /// The look that a machine of such levels deserves for so many examples: a finer one where an axis over a level
    /// would not divide them.
    pub fn look(levels: impl IntoIterator<Item = usize>, examples: usize) -> Self {
        if levels.into_iter().any(|size| is_coarse(size, examples)) {
            Self::FineLook(examples)
        } else {
            Self::Look
        }
    }

    /// Returns whether it is to compare, not to be kept.
    pub fn is_look(self) -> bool {
        matches!(self, Self::Look | Self::FineLook(_))
    }

    /// Of so much work of the solver that which is worth it.
    pub(crate) fn work(self, thorough: u64) -> u64 {
        match self {
            Self::Thorough => thorough,
            Self::Look | Self::FineLook(_) => thorough / LESS,
            Self::Again => thorough / LESS_AGAIN,
        }
    }

    /// Of so many rounds those that are worth it.
    pub(crate) fn rounds(self, thorough: usize) -> usize {
        match self {
            Self::Thorough => thorough,
            Self::Look | Self::FineLook(_) | Self::Again => thorough.div_ceil(2),
        }
    }

    /// Share of its time by which the plan of a mesh may be slower than the best.
    pub(crate) fn close(self) -> f64 {
        match self {
            Self::Thorough | Self::Again => CLOSE,
            Self::Look | Self::FineLook(_) => NEAR,
        }
    }

    /// Those of the meshes that are worth it, fewer axes first as they are.
    pub fn meshes(self, all: &[Mesh]) -> Vec<Mesh> {
        let few = all.first().map_or(0, |mesh| mesh.axes().len()).max(SMALL);
        let coarse = &all[..all.partition_point(|mesh| mesh.axes().len() <= few)];
        match self {
            Self::Thorough | Self::Again => all.to_vec(),
            Self::Look => coarse.to_vec(),
            Self::FineLook(examples) => {
                let finer = all[coarse.len()..].iter().filter(|mesh| mesh.axes().len() == few + 1);
                let is_fine = |mesh: &&Mesh| !mesh.axes().iter().any(|axis| is_coarse(axis.size, examples));
                let finest = finer.filter(is_fine).max_by_key(|mesh| most(mesh));
                coarse.iter().chain(finest).cloned().collect()
            }
        }
    }
}

/// Whether an axis is of many devices, which do not divide so many examples.
fn is_coarse(size: usize, examples: usize) -> bool {
    size > MOST_COARSE && !examples.is_multiple_of(size)
}

/// The size of the largest axis.
fn most(mesh: &Mesh) -> usize {
    mesh.axes().iter().map(|axis| axis.size).max().unwrap_or(1)
}
