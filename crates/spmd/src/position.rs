//! Position of a device along axes of the mesh, by arithmetic on its number.
//!
//! Input: a mesh, axes, and the op that gives the number. Output: instructions that compute the row-major position along
//! these axes. Axes that lie side by side in the mesh are handled at once.

use meshwright_ir::build::Builder;
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_tensor::types::{ElementType, TensorType};

/// Axes that lie side by side in the mesh, taken together: the stride of the last, and the devices along all of them.
pub(crate) fn runs(mesh: &Mesh, axes: &[SubAxisId]) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for axis in axes {
        let (stride, size) = (mesh.stride(*axis), mesh.size(*axis));
        match runs.last_mut() {
            Some((last, devices)) if *last == stride * size => (*last, *devices) = (stride, *devices * size),
            _ => runs.push((stride, size)),
        }
    }
    runs
}

/// Row-major position of this device along `axes`, as a scalar of `element`; `number` gives the device's own.
pub(crate) fn along(
    builder: &mut impl Builder,
    number: Op,
    axes: &[SubAxisId],
    mesh: &Mesh,
    element: ElementType,
) -> ValueId {
    let scalar = TensorType::scalar(ElementType::Ui32);
    let id = builder.emit(number, &[], scalar.clone());
    let mut index: Option<ValueId> = None;
    for (stride, devices) in runs(mesh, axes) {
        let mut position = id;
        if stride > 1 {
            position = builder.with_number(Binary::Divide, position, stride);
        }
        if stride * devices < mesh.num_devices() {
            position = builder.with_number(Binary::Remainder, position, devices);
        }
        index = Some(match index {
            None => position,
            Some(major) => {
                let major = builder.with_number(Binary::Multiply, major, devices);
                builder.binary(Binary::Add, major, position)
            }
        });
    }
    let index = index.unwrap_or_else(|| builder.splat(scalar, 0.0));
    builder.convert(index, element)
}
