//! The problem and its answers, as plain data.
//!
//! Input: a function, its roles, a machine and fixed decisions. Output: a [`Problem`].
//! An answer says for every group and every sub-axis of its mesh which dim of the group's arguments the sub-axis
//! shards. Those on one dim stand in mesh order. Example: on `data=2,model=4` the group `layers.#.w1` (64x256) with
//! `[None, Some(1), Some(1)]` is `[{}, {"model"}]` for the `w1` of every layer.

use meshwright_analyze::{Roles, Units};
use meshwright_ir::ids::{Id, ValueId};
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::program::Function;
use meshwright_ir::sharding::{DimSharding, Sharding};
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::Decisions;
use std::collections::BTreeSet;

use crate::dim_sets::{self, DimSet};
use crate::groups;
use crate::meshes;
use crate::refusal::Refusal;
use crate::sharding_problem::pads_little;

/// Choices of the common styles: meshes, and groups of arguments that decide together.
#[derive(Clone, Debug)]
pub(crate) struct Problem {
    /// The meshes to choose from.
    pub(crate) meshes: Vec<Mesh>,
    /// What decides together.
    pub(crate) groups: Vec<Group>,
    /// Dims that are the same dim of the model.
    pub(crate) dim_sets: Vec<DimSet>,
    /// What is fixed.
    pub(crate) fixed: Decisions,
    /// Memory that one device may use.
    pub(crate) memory_limit: Bytes,
    /// Whether axes of one size are alike: the machine has one level, and a switch.
    pub(crate) has_equal_axes: bool,
    /// What the machine's levels are called.
    pub(crate) levels: Vec<String>,
}

/// Values of one shape that are sharded alike, such as `w1` of every layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Group {
    /// For people: the path with digits as `#`, or the numbers of the arguments.
    pub(crate) name: String,
    /// What they are.
    pub(crate) kind: GroupKind,
    /// The values.
    pub(crate) values: Vec<ValueId>,
    /// For each value the result that replaces it.
    pub(crate) results: Vec<Option<usize>>,
    /// Shape of each.
    pub(crate) shape: Vec<usize>,
    /// Bytes of all together.
    pub(crate) bytes: u64,
    /// What each dim is for.
    pub(crate) dims: Vec<DimKind>,
}

/// What the values of a group are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum GroupKind {
    /// Parameters.
    Parameter,
    /// Moments of the parameters of another group.
    Moment {
        /// That group.
        of: usize,
    },
    /// Data.
    Data,
    /// Other state.
    State,
    /// The residual stream: activations that layers add to. Its dims stay open where no axis shards them.
    Activation,
    /// Activations that contractions and lookups make of examples. Their dims stay open where no axis shards them.
    Product,
}

impl GroupKind {
    /// Whether its values are made by the program, which shards further what an answer leaves open.
    pub(crate) fn is_made(self) -> bool {
        matches!(self, Self::Activation | Self::Product)
    }
}

/// What a dim is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DimKind {
    /// Examples that do not know of one another.
    Batch,
    /// Tokens in a row.
    Sequence,
    /// Experts, in what their matrices make.
    Expert,
    /// Anything else.
    Other,
}

/// How a dim may be cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// Into equal shards.
    Even,
    /// With little padding in the last ones.
    Padded,
}

/// One way to shard everything. Ordered, so that it can be a key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Answer {
    /// Which of [`Problem::meshes`].
    pub(crate) mesh: usize,
    /// For each group, for each sub-axis of the mesh, the dim that it shards.
    pub(crate) choices: Vec<Vec<Option<usize>>>,
}

impl Problem {
    /// What there is to decide for `function` on `machine`. Errors: a fixed mesh that is not of the machine's size.
    pub(crate) fn new(
        function: &Function,
        roles: &Roles,
        machine: &Machine,
        fixed: &Decisions,
        memory_limit: Bytes,
    ) -> Result<Self, Refusal> {
        let meshes = match &fixed.mesh {
            None => meshes::meshes(machine),
            Some(mesh) if mesh.num_devices() == machine.num_devices() => vec![mesh.clone()],
            Some(mesh) => {
                let devices = machine.num_devices();
                return Err(Refusal::FixedMesh { mesh: Box::new(mesh.clone()), devices });
            }
        };
        let has_equal_axes = fixed.mesh.is_none() && meshes::has_equal_axes(machine);
        let fixed = if fixed.mesh.is_some() { fixed.clone() } else { Decisions::none(function) };
        let units = Units::new(function, roles);
        let groups = groups::groups(function, roles, &units, &fixed);
        let dim_sets = dim_sets::dim_sets(roles, &units, &groups);
        let levels = machine.levels().iter().map(|level| level.name.clone()).collect();
        Ok(Self { meshes, groups, dim_sets, fixed, memory_limit, has_equal_axes, levels })
    }

    /// The number of a mesh, which becomes one of those to choose from.
    pub(crate) fn add_mesh(&mut self, mesh: &Mesh) -> usize {
        if let Some(known) = self.meshes.iter().position(|known| known.is_like(mesh)) {
            return known;
        }
        let num_axes = mesh.axes().len();
        let number = self.meshes.partition_point(|known| known.axes().len() <= num_axes);
        self.meshes.insert(number, mesh.clone());
        number
    }

    /// Everything replicated on a mesh.
    pub(crate) fn replicated(&self, mesh: usize) -> Answer {
        let sub_axes = self.meshes[mesh].sub_axes().len();
        Answer { mesh, choices: vec![vec![None; sub_axes]; self.groups.len()] }
    }

    /// The groups of one kind, by number.
    pub(crate) fn groups_of(&self, wanted: impl Fn(GroupKind) -> bool) -> impl Iterator<Item = usize> {
        (0..self.groups.len()).filter(move |group| wanted(self.groups[*group].kind))
    }

    /// The moments of a group of parameters.
    pub(crate) fn moments_of(&self, group: usize) -> Option<usize> {
        self.groups.iter().position(|other| other.kind == GroupKind::Moment { of: group })
    }

    /// The sizes of all dims of one kind in groups of one kind.
    pub(crate) fn sizes_of(&self, group: GroupKind, dim: DimKind) -> BTreeSet<usize> {
        let groups = self.groups_of(|kind| kind == group).map(|group| &self.groups[group]);
        let dims = groups.flat_map(|group| group.shape.iter().zip(&group.dims));
        dims.filter(|(_, kind)| **kind == dim).map(|(size, _)| *size).collect()
    }

    /// Number of shards of each dim of a group.
    pub(crate) fn num_shards(&self, answer: &Answer, group: usize) -> Vec<usize> {
        let mut shards = vec![1; self.groups[group].shape.len()];
        for (sub_axis, dim) in self.meshes[answer.mesh].sub_axes().iter().zip(&answer.choices[group]) {
            if let Some(dim) = dim {
                shards[*dim] *= sub_axis.size;
            }
        }
        shards
    }

    /// Whether no part of `axis` shards a group.
    pub(crate) fn is_free(&self, answer: &Answer, group: usize, axis: usize) -> bool {
        self.meshes[answer.mesh]
            .pieces(axis)
            .iter()
            .all(|piece| answer.choices[group][piece.index()].is_none())
    }

    /// Shards `dim` of a group over `axis`, instead of what the axis sharded. Returns false, having changed nothing,
    /// if the dim does not divide.
    pub(crate) fn shard(&self, answer: &mut Answer, group: usize, axis: usize, dim: usize) -> bool {
        self.shard_over(answer, group, &self.meshes[answer.mesh].pieces(axis), dim)
    }

    /// The same over some sub-axes.
    pub(crate) fn shard_over(
        &self,
        answer: &mut Answer,
        group: usize,
        pieces: &[SubAxisId],
        dim: usize,
    ) -> bool {
        self.shard_as(answer, (group, dim), pieces, Cut::Even)
    }

    /// The same, where a dim need not divide.
    pub(crate) fn shard_as(
        &self,
        answer: &mut Answer,
        (group, dim): (usize, usize),
        pieces: &[SubAxisId],
        cut: Cut,
    ) -> bool {
        let before = answer.choices[group].clone();
        for piece in pieces {
            answer.choices[group][piece.index()] = Some(dim);
        }
        let (size, shards) = (self.groups[group].shape[dim], self.num_shards(answer, group)[dim]);
        let is_cut = match cut {
            Cut::Even => size.is_multiple_of(shards),
            Cut::Padded => pads_little(size, shards),
        };
        if !is_cut {
            answer.choices[group] = before;
        }
        is_cut
    }

    /// How an answer shards the values of a group.
    pub(crate) fn sharding(&self, answer: &Answer, group: usize) -> Sharding {
        let mesh = &self.meshes[answer.mesh];
        let group_of = &self.groups[group];
        let is_open = group_of.kind.is_made();
        let mut dims = vec![DimSharding { is_open, ..DimSharding::default() }; group_of.shape.len()];
        for (sub_axis, dim) in mesh.sub_axis_ids().zip(&answer.choices[group]) {
            if let Some(dim) = dim {
                dims[*dim].axes.push(sub_axis);
            }
        }
        Sharding { dims, ..Sharding::default() }
    }
}
