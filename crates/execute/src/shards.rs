//! Global tensors as shards, and shards as global tensors.
//!
//! Splitting makes views, and copies only for shards that are padded; what stands in the padding is chosen so that a
//! program that reads it is found out (NaN, a number far outside any table). Putting together cuts the padding off,
//! and also compares the copies that replicated axes make: they
//! should be bit-identical, since every device computes them from the same numbers in the same order.

use meshwright_ir::mesh::Mesh;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::reducer::neutral;
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementKind, TensorType, Type};
use meshwright_tensor::{NonFinite, Precision, Scalar, Tensor, compare};

/// A global tensor that was put together, and how far copies of the same shard were apart.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The global tensor.
    pub tensor: Tensor,
    /// The largest difference between copies.
    pub copies: Copies,
}

/// Differences between copies of one shard on several devices.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Copies {
    /// Largest absolute difference between two copies; infinite if only one of them is finite there.
    pub max_abs: f64,
    /// The largest difference relative to the largest magnitude of the shard.
    pub max_rel: f64,
    /// The two devices between which `max_abs` was found.
    pub devices: Option<(usize, usize)>,
}

/// The shard of every device, in the order of the devices.
///
/// Errors: the tensor is not of the global type, or it is to be split into contributions of a reduction without a
/// neutral element.
pub fn split(tensor: &Tensor, ty: &Type, sharding: &Sharding, mesh: &Mesh) -> Result<Vec<Tensor>, EvalError> {
    (0..mesh.num_devices()).map(|device| shard(tensor, ty, sharding, mesh, device)).collect()
}

/// The shard of one device. Errors: as [`split`].
pub fn shard(
    tensor: &Tensor,
    ty: &Type,
    sharding: &Sharding,
    mesh: &Mesh,
    device: usize,
) -> Result<Tensor, EvalError> {
    let ty = sharded_type(ty, sharding)?;
    if tensor.ty() != *ty {
        return Err(EvalError::new(format!("a {} is given where a {ty} is taken", tensor.ty())));
    }
    let local = sharding.local_shape(&ty.shape, mesh);
    let position = mesh.position_of(device);
    let start = sharding.shard_start(&ty.shape, mesh, position);
    let end = |((start, size), whole): ((&usize, &usize), &usize)| (start + size).min(*whole);
    let limit: Vec<usize> = start.iter().zip(&local).zip(&ty.shape).map(end).collect();
    let start: Vec<usize> = start.iter().zip(&limit).map(|(start, limit)| *start.min(limit)).collect();
    let shard = tensor.slice(&start, &limit, &vec![1; ty.rank()])?;
    let shard = partial_shard(&shard, sharding, mesh, position)?;
    if shard.shape() == local { Ok(shard) } else { padded(&shard, &local) }
}

/// `shard` at the beginning of a tensor of shape `local`, which is filled with what nobody should read.
pub(crate) fn padded(shard: &Tensor, local: &[usize]) -> Result<Tensor, EvalError> {
    let element = shard.element();
    let is_kept = |precision: &Precision| precision.storage(element) == shard.storage();
    let precision = [Precision::Declared, Precision::Wide].into_iter().find(is_kept);
    let unread = match element.kind() {
        ElementKind::Float | ElementKind::Complex => Scalar::Float(f64::NAN),
        ElementKind::Signed | ElementKind::Unsigned | ElementKind::Boolean => {
            Scalar::Int(0x5555_5555_5555_5555)
        }
    };
    let ty = TensorType::new(local, element);
    let mut whole = Tensor::splat(&ty, unread, precision.unwrap_or(Precision::Declared))?;
    whole.paste(&vec![0; local.len()], shard)?;
    Ok(whole)
}

/// Puts the shards of all devices together, in the order of the devices.
///
/// Errors: a shard that is not of the local type.
pub fn assemble(
    shards: Vec<Tensor>,
    ty: &Type,
    sharding: &Sharding,
    mesh: &Mesh,
) -> Result<Assembled, EvalError> {
    let ty = sharded_type(ty, sharding)?;
    let local = sharding.local_type(ty, mesh);
    if let Some(shard) = shards.iter().find(|shard| shard.ty() != local) {
        return Err(EvalError::new(format!("a shard is a {} instead of a {local}", shard.ty())));
    }
    let shards = combined(shards, sharding, mesh)?;
    let starts: Vec<Vec<usize>> = (0..shards.len())
        .map(|device| sharding.shard_start(&ty.shape, mesh, mesh.position_of(device)))
        .collect();
    let mut copies = Copies::default();
    // The first device that holds each part; the others' copies are compared with it.
    let mut holders: Vec<usize> = Vec::new();
    let shards: Vec<Tensor> = shards
        .iter()
        .zip(&starts)
        .map(|(shard, start)| without_padding(shard, start, &ty.shape))
        .collect::<Result<_, _>>()?;
    for (device, shard) in shards.iter().enumerate() {
        match holders.iter().find(|holder| starts[**holder] == starts[device]) {
            Some(holder) => copies.compare(*holder, &shards[*holder], device, shard)?,
            None => holders.push(device),
        }
    }
    let tensor = match holders.as_slice() {
        [only] => shards[*only].clone(),
        _ => join(&shards, &holders, &starts, ty)?,
    };
    Ok(Assembled { tensor, copies })
}

/// What a device has of a value that is to be combined: all of it on the first device, nothing that counts on others.
fn partial_shard(
    shard: &Tensor,
    sharding: &Sharding,
    mesh: &Mesh,
    position: usize,
) -> Result<Tensor, EvalError> {
    let Some((reduction, axes)) = sharding.partial else { return Ok(shard.clone()) };
    if mesh.index_along(position, &axes.iter().collect::<Vec<_>>()) == 0 {
        return Ok(shard.clone());
    }
    let is_kept = |precision: &Precision| precision.storage(shard.element()) == shard.storage();
    let precision = [Precision::Declared, Precision::Wide].into_iter().find(is_kept);
    let ty = TensorType::new(shard.shape(), shard.element());
    nothing(reduction, &ty, precision.unwrap_or(Precision::Declared))
}

/// Tensor of the neutral element of a reduction. Errors: the reduction has no such element.
pub fn nothing(reduction: Reduction, ty: &TensorType, precision: Precision) -> Result<Tensor, EvalError> {
    let Some(neutral) = neutral(reduction, ty.element) else {
        return Err(EvalError::new("contributions to a reduction without a neutral element cannot be made"));
    };
    Tensor::from_le_bytes(&neutral.ty, &neutral.to_bytes(), precision)?.broadcast(&ty.shape, &[])
}

/// Every device's shard after contributions are combined.
fn combined(shards: Vec<Tensor>, sharding: &Sharding, mesh: &Mesh) -> Result<Vec<Tensor>, EvalError> {
    let Some((reduction, axes)) = sharding.partial else { return Ok(shards) };
    let mut whole = shards.clone();
    for group in mesh.groups(&axes.iter().collect::<Vec<_>>()) {
        let mut members = group.iter().filter_map(|position| shards.get(mesh.device_at(*position)));
        let Some(first) = members.next() else { continue };
        let mut total = first.clone();
        for member in members {
            total = Binary::of_reduction(reduction).apply(&total, member)?;
        }
        for position in group {
            if let Some(slot) = whole.get_mut(mesh.device_at(position)) {
                *slot = total.clone();
            }
        }
    }
    Ok(whole)
}

/// The part of a shard that lies inside a tensor of `shape`.
fn without_padding(shard: &Tensor, start: &[usize], shape: &[usize]) -> Result<Tensor, EvalError> {
    let inside =
        |((size, start), whole): ((&usize, &usize), &usize)| (*size).min(whole.saturating_sub(*start));
    let limit: Vec<usize> = shard.shape().iter().zip(start).zip(shape).map(inside).collect();
    if limit == shard.shape() {
        return Ok(shard.clone());
    }
    shard.slice(&vec![0; shape.len()], &limit, &vec![1; shape.len()])
}

impl Copies {
    fn compare(
        &mut self,
        holder: usize,
        first: &Tensor,
        device: usize,
        copy: &Tensor,
    ) -> Result<(), EvalError> {
        if first.shares_elements(copy) {
            return Ok(());
        }
        let found = compare(copy, first, NonFinite::ByPosition)?;
        let max_abs = if found.num_nonfinite_mismatches > 0 { f64::INFINITY } else { found.max_abs };
        if max_abs > self.max_abs {
            self.max_abs = max_abs;
            self.devices = Some((holder, device));
        }
        self.max_rel = self.max_rel.max(if max_abs.is_infinite() { max_abs } else { found.max_rel });
        Ok(())
    }

    /// The larger differences of the two.
    #[must_use]
    pub fn worst(self, other: Self) -> Self {
        let devices = if other.max_abs > self.max_abs { other.devices } else { self.devices };
        Self { max_abs: self.max_abs.max(other.max_abs), max_rel: self.max_rel.max(other.max_rel), devices }
    }

    /// Returns whether all copies agree up to `tolerance`, relative to the largest magnitude of the shard; zero asks
    /// for equal numbers.
    pub fn agree(&self, tolerance: f64) -> bool {
        self.max_rel <= tolerance
    }
}

/// Pastes the holders' shards where they start.
fn join(
    shards: &[Tensor],
    holders: &[usize],
    starts: &[Vec<usize>],
    ty: &TensorType,
) -> Result<Tensor, EvalError> {
    let has_elements = |holder: &&usize| shards[**holder].num_elements() > 0;
    let first = &shards[*holders.iter().find(has_elements).unwrap_or(&holders[0])];
    // A tensor of the right size and storage to write into: the first shard's first element, repeated.
    let mut whole = match first.num_elements() {
        0 => first.reshape(&ty.shape)?,
        _ => {
            let one = vec![1; ty.rank()];
            first.slice(&vec![0; ty.rank()], &one, &one)?.reshape(&[])?.broadcast(&ty.shape, &[])?
        }
    };
    for holder in holders.iter().filter(has_elements) {
        whole.paste(&starts[*holder], &shards[*holder])?;
    }
    Ok(whole)
}

fn sharded_type<'t>(ty: &'t Type, sharding: &Sharding) -> Result<&'t TensorType, EvalError> {
    let Some(tensor) = ty.as_tensor() else {
        return Err(EvalError::new(format!("a {ty} cannot be sharded")));
    };
    if sharding.dims.len() != tensor.rank() {
        return Err(EvalError::new(format!(
            "the sharding has {} dims, not those of {tensor}",
            sharding.dims.len()
        )));
    }
    Ok(tensor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::mesh::Axis;
    use meshwright_tensor::types::ElementType;

    fn mesh() -> Mesh {
        let axis = |name: &str| Axis { name: name.into(), size: 2 };
        Mesh::new("mesh", vec![axis("x"), axis("y")]).unwrap()
    }

    fn counting(shape: &[usize]) -> Tensor {
        let len: usize = shape.iter().product();
        Tensor::from_vec(ElementType::F32, shape, (0..len).map(|value| value as f32).collect())
    }

    #[test]
    fn shards_join_to_what_was_split() {
        let mesh = mesh();
        let [x, y] = [mesh.pieces(0)[0], mesh.pieces(1)[0]];
        let whole = counting(&[4, 6]);
        let ty = whole.ty().into();
        for (sharding, second) in [
            (Sharding::of([vec![x], vec![y]]), vec![3.0, 4.0, 5.0, 9.0, 10.0, 11.0]),
            (Sharding::of([vec![y, x], vec![]]), (12..18).map(f64::from).collect()),
            (
                Sharding::of([vec![], vec![y]]),
                vec![3.0, 4.0, 5.0, 9.0, 10.0, 11.0, 15.0, 16.0, 17.0, 21.0, 22.0, 23.0],
            ),
            (Sharding::replicated(2), (0..24).map(f64::from).collect()),
        ] {
            let shards = split(&whole, &ty, &sharding, &mesh).unwrap();
            assert_eq!(shards[1].to_f64_vec(), second);
            let assembled = assemble(shards, &ty, &sharding, &mesh).unwrap();
            assert_eq!(assembled.tensor.to_f64_vec(), whole.to_f64_vec());
            assert_eq!(assembled.copies, Copies::default());
        }
    }

    #[test]
    fn what_does_not_divide_is_padded_and_cut() {
        let mesh = mesh();
        let [x, y] = [mesh.pieces(0)[0], mesh.pieces(1)[0]];
        let whole = counting(&[5, 1]);
        let ty = whole.ty().into();
        for (sharding, third) in [
            (Sharding::of([vec![x, y], vec![]]), vec![4.0, f64::NAN]),
            (Sharding::of([vec![y], vec![x]]), vec![f64::NAN, f64::NAN, f64::NAN]),
            (Sharding::of([vec![x], vec![y]]), vec![3.0, 4.0, f64::NAN]),
        ] {
            let shards = split(&whole, &ty, &sharding, &mesh).unwrap();
            let found = shards[2].to_f64_vec();
            assert!(found.iter().zip(&third).all(|(a, b)| a == b || a.is_nan() && b.is_nan()), "{found:?}");
            let assembled = assemble(shards, &ty, &sharding, &mesh).unwrap();
            assert_eq!(assembled.tensor.to_f64_vec(), whole.to_f64_vec());
            assert_eq!(assembled.copies, Copies::default());
        }
    }

    #[test]
    fn copies_that_differ_are_found() {
        let mesh = mesh();
        let sharding = Sharding::of([vec![mesh.pieces(1)[0]]]);
        let ty = TensorType::new([2], ElementType::F32).into();
        let shard = |value: f32| Tensor::from_vec(ElementType::F32, [1], vec![value]);
        let shards = |last: f32| vec![shard(1.0), shard(4.0), shard(1.0), shard(last)];
        let joined = assemble(shards(4.0), &ty, &sharding, &mesh).unwrap();
        assert!(joined.copies.agree(0.0));
        assert_eq!(joined.tensor.to_f64_vec(), [1.0, 4.0]);
        let joined = assemble(shards(5.0), &ty, &sharding, &mesh).unwrap();
        assert_eq!(joined.copies, Copies { max_abs: 1.0, max_rel: 0.25, devices: Some((1, 3)) });
        assert!(!joined.copies.agree(0.2));
        let joined = assemble(shards(f32::NAN), &ty, &sharding, &mesh).unwrap();
        assert!(!joined.copies.agree(f64::MAX));
    }

    #[test]
    fn what_does_not_fit_is_an_error() {
        let mesh = mesh();
        let x = mesh.pieces(0)[0];
        let tensor = counting(&[3]);
        let ty: Type = tensor.ty().into();
        assert!(split(&tensor, &ty, &Sharding::of([vec![x], vec![]]), &mesh).is_err());
        assert!(
            split(&tensor, &TensorType::new([4], ElementType::F32).into(), &Sharding::replicated(1), &mesh)
                .is_err()
        );
        let partial = Sharding {
            partial: Some((meshwright_ir::sharding::Reduction::Sum, [x].iter().collect())),
            ..Sharding::replicated(1)
        };
        // Contributions are split so that they add up.
        let shards = split(&tensor, &ty, &partial, &mesh).unwrap();
        assert_eq!(shards[0].to_f64_vec(), tensor.to_f64_vec());
        assert_eq!(shards[2].to_f64_vec(), [0.0; 3]);
        let again = assemble(vec![tensor.clone(); 4], &ty, &partial, &mesh).unwrap();
        assert_eq!(again.tensor.to_f64_vec(), [0.0, 2.0, 4.0]);
        assert!(assemble(vec![counting(&[2]); 4], &ty, &Sharding::replicated(1), &mesh).is_err());
    }
}
