//! Names for the axes of a mesh that was searched, by what they do.

use meshwright_analyze::recognize::{Use, Uses};
use meshwright_ir::mesh::{Axis, Mesh, SubAxisId};

/// A searched mesh with names for what its axes do; what two axes do alike is numbered.
pub(crate) fn name_axes(mesh: &Mesh, uses: &[(SubAxisId, Uses)]) -> Mesh {
    let wanted: Vec<&str> = (0..mesh.axes().len())
        .map(|axis| {
            let mut own =
                uses.iter().filter(|(piece, _)| mesh.sub_axis(*piece).axis == axis).map(|(_, uses)| uses);
            let first = own.next();
            let first = first.and_then(|first| first.main);
            match first.filter(|first| own.all(|other| other.main == Some(*first))) {
                Some(Use::Data) => "data",
                Some(Use::Expert) => "expert",
                Some(Use::Tensor) => "model",
                Some(Use::Context) => "context",
                Some(Use::Ulysses) => "ulysses",
                Some(Use::Spatial) => "spatial",
                Some(Use::Sequence) => "sequence",
                _ => mesh.axes()[axis].name.as_str(),
            }
        })
        .collect();
    let name = |axis: usize| {
        let before = wanted[..axis].iter().filter(|name| **name == wanted[axis]).count();
        if before == 0 { wanted[axis].to_owned() } else { format!("{}{}", wanted[axis], before + 1) }
    };
    let axes =
        mesh.axes().iter().enumerate().map(|(index, axis)| Axis { name: name(index), size: axis.size });
    // Names that collide with those of axes without a use leave the mesh as it is.
    Mesh::new(mesh.name.clone(), axes.collect()).unwrap_or_else(|_| mesh.clone())
}
