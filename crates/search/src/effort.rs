//! How much work a search is worth.
//!
//! Where many programs are compared, most of which are not taken, each is only looked over: meshes of few axes, solved until
//! a plan is near the best. What is taken is searched again then: on all meshes, for what is better.

use crate::meshwise::{CLOSE, SMALL};
use meshwright_ir::mesh::Mesh;

/// Less work of a look, and of a search behind one: what is better by much is found soon, or not at all.
const LESS: u64 = 8;
const LESS_AGAIN: u64 = 4;

/// Share of its time by which the plan of a look may be slower than the best of a mesh.
const NEAR: f64 = 0.02;

/// Thoroughness of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Until all meshes are solved, or as much was spent as is ever worth it.
    #[default]
    Thorough,
    /// Meshes of few axes, until a plan is near the best.
    Look,
    /// The same with meshes of an axis more.
    FineLook,
    /// All meshes, for a plan that is better than that of a look.
    Again,
}

impl Effort {
    /// Whether it is to compare, not to be kept.
    pub(crate) fn is_look(self) -> bool {
        matches!(self, Self::Look | Self::FineLook)
    }

    /// Of so much work of the solver that which is worth it.
    pub(crate) fn work(self, thorough: u64) -> u64 {
        match self {
            Self::Thorough => thorough,
            Self::Look | Self::FineLook => thorough / LESS,
            Self::Again => thorough / LESS_AGAIN,
        }
    }

    /// Of so many rounds those that are worth it.
    pub(crate) fn rounds(self, thorough: usize) -> usize {
        match self {
            Self::Thorough => thorough,
            Self::Look | Self::FineLook | Self::Again => thorough.div_ceil(2),
        }
    }

    /// Share of its time by which the plan of a mesh may be slower than the best.
    pub(crate) fn close(self) -> f64 {
        match self {
            Self::Thorough | Self::Again => CLOSE,
            Self::Look | Self::FineLook => NEAR,
        }
    }

    /// Those of the meshes that are worth it, fewer axes first as they are.
    pub fn meshes(self, all: &[Mesh]) -> &[Mesh] {
        let few = all.first().map_or(0, |mesh| mesh.axes().len()).max(SMALL);
        match self {
            Self::Thorough | Self::Again => all,
            Self::Look => &all[..all.partition_point(|mesh| mesh.axes().len() <= few)],
            Self::FineLook => &all[..all.partition_point(|mesh| mesh.axes().len() <= few + 1)],
        }
    }
}
