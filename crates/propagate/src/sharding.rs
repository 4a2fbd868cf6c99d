//! The sharding of a tensor during propagation: that of the text, with parts of axes as numbers.
//!
//! Input: [`ShardingAttr`]s of a verified program. All meshes of the program are numbered ([`Meshes`]); two of the same
//! axes and devices are alike, whatever they are called.

use super::axis::AxisPart;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Program;
use meshwright_ir::sharding::{AxisRefAttr, DimShardingAttr, MeshRef, Reduction, ShardingAttr};

/// Index of a mesh.
pub(crate) type MeshId = usize;

/// The meshes of a program, declared and written out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meshes {
    entries: Vec<(MeshRef, Mesh)>,
}

impl Meshes {
    /// The number of a mesh; `None` if it is not declared.
    pub(crate) fn id(&mut self, program: &Program, mesh: &MeshRef) -> Option<MeshId> {
        if let Some(found) = self.entries.iter().position(|(other, _)| other == mesh) {
            return Some(found);
        }
        let resolved = program.resolve_mesh(mesh)?.clone();
        self.entries.push((mesh.clone(), resolved));
        Some(self.entries.len() - 1)
    }

    /// A mesh.
    pub(crate) fn mesh(&self, id: MeshId) -> &Mesh {
        &self.entries[id].1
    }

    /// The one mesh of all shardings: the first that is not empty, if no other differs from it. `None` if there is no
    /// sharding or there are several meshes.
    pub(crate) fn common<'a>(&self, shardings: impl Iterator<Item = &'a TensorSharding>) -> Option<MeshId> {
        let mut found: Option<MeshId> = None;
        for sharding in shardings {
            let other = self.mesh(sharding.mesh);
            match found {
                Some(first) if !self.mesh(first).is_empty() => {
                    if !other.is_empty() && !self.mesh(first).is_like(other) {
                        return None;
                    }
                }
                _ => found = Some(sharding.mesh),
            }
        }
        found
    }
}

/// How one dim is sharded.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Dim {
    /// What shards it, major first.
    pub(crate) axes: Vec<AxisPart>,
    /// Whether propagation may not shard it further.
    pub(crate) is_closed: bool,
    /// User priority, where it is written.
    pub(crate) priority: Option<u64>,
}

/// How a tensor is sharded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TensorSharding {
    /// On which mesh.
    pub(crate) mesh: MeshId,
    /// One entry per dim.
    pub(crate) dims: Vec<Dim>,
    /// Along which it must stay replicated.
    pub(crate) replicated: Vec<AxisPart>,
    /// Over which it is only a contribution.
    pub(crate) unreduced: Vec<AxisPart>,
    /// How contributions combine.
    pub(crate) reduction: Reduction,
}

impl TensorSharding {
    /// A sharding of the text; `None` if it names what is not there.
    pub(crate) fn of(attr: &ShardingAttr, program: &Program, meshes: &mut Meshes) -> Option<Self> {
        let id = meshes.id(program, &attr.mesh)?;
        let mesh = meshes.mesh(id);
        let parts = |axes: &[AxisRefAttr]| -> Option<Vec<AxisPart>> {
            axes.iter().map(|axis| AxisPart::of(axis, mesh)).collect()
        };
        let dim = |dim: &DimShardingAttr| {
            Some(Dim { axes: parts(&dim.axes)?, is_closed: !dim.is_open, priority: dim.priority })
        };
        Some(Self {
            mesh: id,
            dims: attr.dims.iter().map(dim).collect::<Option<_>>()?,
            replicated: parts(&attr.replicated)?,
            unreduced: parts(&attr.unreduced)?,
            reduction: attr.reduction,
        })
    }

    /// The same as text.
    pub(crate) fn to_attr(&self, meshes: &Meshes) -> ShardingAttr {
        let (name, mesh) = &meshes.entries[self.mesh];
        let names = |parts: &[AxisPart]| parts.iter().map(|part| part.to_attr(mesh)).collect::<Vec<_>>();
        ShardingAttr {
            mesh: name.clone(),
            dims: self
                .dims
                .iter()
                .map(|dim| DimShardingAttr {
                    axes: names(&dim.axes),
                    is_open: !dim.is_closed,
                    priority: dim.priority,
                })
                .collect(),
            replicated: names(&self.replicated),
            unreduced: names(&self.unreduced),
            reduction: self.reduction,
        }
    }

    /// Replicated and open.
    pub(crate) fn open(mesh: MeshId, rank: usize) -> Self {
        Self {
            mesh,
            dims: vec![Dim::default(); rank],
            replicated: Vec::new(),
            unreduced: Vec::new(),
            reduction: Reduction::Sum,
        }
    }

    /// Whether it names no axis.
    pub(crate) fn has_no_axes(&self) -> bool {
        self.replicated.is_empty()
            && self.unreduced.is_empty()
            && self.dims.iter().all(|dim| dim.axes.is_empty())
    }
}
