//! Whether a sharding fits its mesh and its value. Input: a sharding as written. Output: the first rule it breaks.
//!
//! The rules are those of Shardy's dialect (`TensorShardingAttr`, `AxisRefListAttr`, `SubAxisInfoAttr`):
//!
//! - one dim per dim of the tensor; none, and no other axes, for what is no tensor and on a maximal mesh;
//! - every axis is one of the mesh, and is used once: no duplicates, no overlapping parts, no axis beside its parts;
//! - a part of an axis has a pre-size of at least 1, a size of at least 2, divides the axis, and is not all of it;
//! - neighboring parts in one list are written as one;
//! - replicated and unreduced axes stand in mesh order;
//! - a dim with a priority is open or has axes;
//! - axes that a `sdy.manual_computation` around it binds are not used.
//!
//! Dims need not divide into equal shards.

use crate::mesh::Mesh;
use crate::sharding::{AxisRefAttr, ShardingAttr, ShardingError};
use meshwright_tensor::types::Type;

fn error<T>(message: String, hint: &str) -> Result<T, ShardingError> {
    Err(ShardingError { message, hint: hint.to_owned() })
}

/// Checks a sharding of a value of type `ty`; `None` for an instruction without results. `manual` lists the axes that
/// are bound around it.
pub fn check_sharding<'a>(
    sharding: &ShardingAttr,
    mesh: &Mesh,
    ty: Option<&Type>,
    manual: impl IntoIterator<Item = &'a str>,
) -> Result<(), ShardingError> {
    let rank = match ty {
        _ if mesh.is_maximal() => None,
        Some(Type::Tuple(members)) => match members.as_slice() {
            [only] => only.as_tensor().map(|tensor| tensor.rank()),
            _ => {
                let message =
                    format!("a {} can be sharded only if it has one member", Type::Tuple(members.clone()));
                return error(message, "shard its members before they are put together");
            }
        },
        other => other.and_then(Type::as_tensor).map(|tensor| tensor.rank()),
    };
    match rank {
        Some(rank) => check_tensor_sharding(sharding, mesh, rank)?,
        None if sharding.dims.is_empty()
            && sharding.replicated.is_empty()
            && sharding.unreduced.is_empty() => {}
        None if mesh.is_maximal() => {
            let message = "a sharding on a maximal mesh has no dims and no axes".to_owned();
            return error(message, "the whole value is on the mesh's one device: write []");
        }
        None => {
            let what = ty.map_or("what has no result".to_owned(), |ty| format!("a {ty}"));
            let message = format!("{what} has only shardings without dims and axes");
            return error(message, "only tensors are sharded: write []");
        }
    }
    for bound in manual {
        if sharding.all_axes().any(|axis| axis.name == bound) {
            let message =
                format!("axis \"{bound}\" is bound by an `sdy.manual_computation` around this sharding");
            return error(
                message,
                "inside, a manual axis is not there: shapes are those of one device along it",
            );
        }
    }
    Ok(())
}

/// Checks a sharding of a tensor with `rank` dims, whatever stands around it.
pub fn check_tensor_sharding(sharding: &ShardingAttr, mesh: &Mesh, rank: usize) -> Result<(), ShardingError> {
    if sharding.dims.len() != rank {
        let found = sharding.dims.len();
        let dims = if found == 1 { "dim" } else { "dims" };
        let message = format!("the sharding has {found} {dims}, but the tensor has {rank}");
        return error(message, "write one {...} per dim of the tensor");
    }
    for axis in sharding.all_axes() {
        axis_size(axis, mesh)?;
    }
    check_each_once(sharding.all_axes(), mesh)?;
    for (dim, entry) in sharding.dims.iter().enumerate() {
        if entry.priority.is_some() && entry.axes.is_empty() && !entry.is_open {
            let message = format!("dim {dim} has a priority, but is closed and has no axes");
            return error(message, "there is nothing that the priority could order");
        }
        check_list(&entry.axes, mesh)?;
    }
    for (what, axes) in [("replicated", &sharding.replicated), ("unreduced", &sharding.unreduced)] {
        check_sorted_list(what, axes, mesh)?;
    }
    Ok(())
}

/// Checks that axes exist, that their parts divide them, and that neighboring parts are written as one.
pub fn check_list(axes: &[AxisRefAttr], mesh: &Mesh) -> Result<(), ShardingError> {
    for (position, axis) in axes.iter().enumerate() {
        check_axis(axis, mesh)?;
        let before = position.checked_sub(1).map(|before| &axes[before]);
        if let Some(before) = before.filter(|before| before.can_merge(axis)) {
            let merged = before.merge(axis, mesh).unwrap_or_else(|| axis.clone());
            return error(format!("{before} and {axis} are one sub-axis"), &format!("write {merged}"));
        }
    }
    Ok(())
}

/// [`check_list`], and that the axes stand in mesh order. `what` names the list.
pub fn check_sorted_list(what: &str, axes: &[AxisRefAttr], mesh: &Mesh) -> Result<(), ShardingError> {
    check_list(axes, mesh)?;
    if axes.windows(2).any(|pair| pair[0].mesh_order(mesh) > pair[1].mesh_order(mesh)) {
        let names: Vec<String> = mesh.axes().iter().map(|axis| format!("\"{}\"", axis.name)).collect();
        let hint = format!("the mesh's axes are {}", names.join(", "));
        return error(format!("the {what} axes are not in the order of the mesh"), &hint);
    }
    Ok(())
}

/// Checks that no device is told apart by two of the axes.
pub fn check_each_once<'a>(
    axes: impl Iterator<Item = &'a AxisRefAttr>,
    mesh: &Mesh,
) -> Result<(), ShardingError> {
    let mut sorted: Vec<&AxisRefAttr> = axes.collect();
    sorted.sort_by_key(|axis| axis.mesh_order(mesh));
    let mut pairs = sorted.windows(2).map(|pair| (pair[0], pair[1]));
    let message = match pairs.find(|(first, second)| first.overlaps(second)) {
        None => return Ok(()),
        Some((first, second)) if first == second => format!("axis {first} is used twice in one sharding"),
        Some((first, second)) => {
            format!("axes {first} and {second} overlap: a part of the axis is used twice")
        }
    };
    error(message, "a mesh axis can shard only one dim of a tensor")
}

/// Checks that an axis is one of the mesh, and that a part of it divides it.
pub fn check_axis(axis: &AxisRefAttr, mesh: &Mesh) -> Result<(), ShardingError> {
    let whole = axis_size(axis, mesh)?;
    let Some((pre_size, size)) = axis.sub_axis else {
        return Ok(());
    };
    let divides = pre_size.checked_mul(size).is_some_and(|next| next > 0 && whole.is_multiple_of(next));
    if pre_size < 1 || size < 2 || !divides {
        let message = format!("sub-axis {axis} does not fit axis \"{}\" of size {whole}", axis.name);
        let hint = "write \"axis\":(product of the parts before it)size; both must divide the axis's size";
        return error(message, hint);
    }
    if size == whole {
        let hint = format!("write {}", AxisRefAttr::whole(&axis.name));
        return error(format!("sub-axis {axis} is the whole axis"), &hint);
    }
    Ok(())
}

/// The size of the whole axis. Errors: the mesh does not have it.
fn axis_size(axis: &AxisRefAttr, mesh: &Mesh) -> Result<usize, ShardingError> {
    if let Some(position) = mesh.axis_named(&axis.name) {
        return Ok(mesh.axes()[position].size);
    }
    let names: Vec<String> = mesh.axes().iter().map(|axis| format!("\"{}\"", axis.name)).collect();
    let hint = match names.is_empty() {
        true => "it has no axes".to_owned(),
        false => format!("its axes are {}", names.join(", ")),
    };
    error(format!("mesh {} has no axis \"{}\"", mesh_name(mesh), axis.name), &hint)
}

/// `@name`, or the mesh itself if it has no name.
fn mesh_name(mesh: &Mesh) -> String {
    if mesh.name.is_empty() { mesh.attr().to_string() } else { format!("@{}", mesh.name) }
}

impl ShardingAttr {
    /// Every axis in it: of dims, replicated, unreduced.
    pub fn all_axes(&self) -> impl Iterator<Item = &AxisRefAttr> {
        self.dims.iter().flat_map(|dim| &dim.axes).chain(&self.replicated).chain(&self.unreduced)
    }
}
