//! Meshes and shardings as lists of names, as files and reports write them: an axis is `model`, a part of it
//! `model:(1)2` (after what is split off before it, and its own size).

use crate::plan_file::MeshAxis;
use meshwright_ir::mesh::{Axis, Mesh};
use meshwright_ir::sharding::{
    AxisRefAttr, DimShardingAttr, MeshRef, Reduction, Sharding, ShardingAttr, ShardingError,
};

/// The name that a mesh gets which no program names.
pub const MESH_NAME: &str = "mesh";

/// The axes of a mesh.
pub fn of_mesh(mesh: &Mesh) -> Vec<MeshAxis> {
    mesh.axes().iter().map(|axis| MeshAxis { name: axis.name.clone(), size: axis.size }).collect()
}

/// A mesh over the given axes. Errors: see [`Mesh::new`].
pub fn to_mesh(axes: &[MeshAxis]) -> Result<Mesh, String> {
    let axes = axes.iter().map(|axis| Axis { name: axis.name.clone(), size: axis.size }).collect();
    Mesh::new(MESH_NAME, axes)
}

/// For each dim, the axes that shard it, major first.
pub fn names(sharding: &Sharding, mesh: &Mesh) -> Vec<Vec<String>> {
    sharding.dim_axes().map(|axes| mesh.describe(axes)).collect()
}

/// The sharding that names describe for a tensor of `shape`; closed. Errors: see [`Sharding::resolve`].
pub fn resolve(names: &[Vec<String>], mesh: &Mesh, shape: &[usize]) -> Result<Sharding, ShardingError> {
    Sharding::resolve(&to_attr(names, mesh), mesh, shape)
}

/// The attribute that names describe; closed.
pub fn to_attr(names: &[Vec<String>], mesh: &Mesh) -> ShardingAttr {
    let dims = names
        .iter()
        .map(|axes| DimShardingAttr {
            axes: axes.iter().map(|axis| axis_ref(axis)).collect(),
            ..Default::default()
        })
        .collect();
    ShardingAttr {
        mesh: MeshRef::Symbol(mesh.name.clone()),
        dims,
        replicated: Vec::new(),
        unreduced: Vec::new(),
        reduction: Reduction::Sum,
    }
}

/// `model:(1)2`; whatever is not of that form is the name of a whole axis.
fn axis_ref(text: &str) -> AxisRefAttr {
    let sub_axis = || {
        let (name, part) = text.rsplit_once(":(")?;
        let (pre_size, size) = part.split_once(')')?;
        let sub_axis = Some((pre_size.parse().ok()?, size.parse().ok()?));
        Some(AxisRefAttr { name: name.to_owned(), sub_axis })
    };
    sub_axis().unwrap_or_else(|| AxisRefAttr { name: text.to_owned(), sub_axis: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_resolve_to_what_they_were_made_from() {
        let mesh = to_mesh(&[
            MeshAxis { name: "data".into(), size: 2 },
            MeshAxis { name: "model".into(), size: 12 },
        ])
        .unwrap();
        let model = mesh.pieces(1);
        let sharding = Sharding::of([vec![model[0]], vec![], vec![mesh.pieces(0)[0], model[2]]]);
        let written = names(&sharding, &mesh);
        assert_eq!(written, [vec!["model:(1)2"], vec![], vec!["data", "model:(4)3"]]);
        assert_eq!(resolve(&written, &mesh, &[4, 5, 6]).unwrap(), sharding);
        assert!(resolve(&written, &mesh, &[4, 5]).is_err());
        assert!(resolve(&[vec!["modle".into()]], &mesh, &[4]).unwrap_err().message.contains("modle"));
    }
}
