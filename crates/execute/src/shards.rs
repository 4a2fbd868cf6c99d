//! Global tensors as shards, and shards as global tensors.
//!
//! Splitting makes views, never copies. Putting together also compares the copies that replicated axes make: they
//! should be bit-identical, since every device computes them from the same numbers in the same order.

use meshwright_ir::eval_error::EvalError;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::sharding::Sharding;
use meshwright_ir::tensor::{NonFinite, Tensor, compare};
use meshwright_ir::types::{TensorType, Type};

/// A global tensor that was put together, and how far copies of the same shard were apart.
#[derive(Clone, Debug)]
pub struct Assembled {
    /// The global tensor.
    pub tensor: Tensor,
    /// The largest difference between copies.
    pub copies: Copies,
}

/// How far copies of one shard on several devices are apart.
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
/// Errors: the tensor is not of the global type, or it is to be split into contributions of a reduction.
pub fn split(tensor: &Tensor, ty: &Type, sharding: &Sharding, mesh: &Mesh) -> Result<Vec<Tensor>, EvalError> {
    let ty = sharded_type(ty, sharding, mesh)?;
    if tensor.ty() != *ty {
        return Err(EvalError::new(format!("a {} is given where a {ty} is taken", tensor.ty())));
    }
    let local = sharding.local_shape(&ty.shape, mesh);
    let strides = vec![1; ty.rank()];
    (0..mesh.num_devices())
        .map(|device| {
            let start = sharding.shard_start(&ty.shape, mesh, device);
            let limit: Vec<usize> = start.iter().zip(&local).map(|(start, size)| start + size).collect();
            tensor.slice(&start, &limit, &strides)
        })
        .collect()
}

/// Puts the shards of all devices together, in the order of the devices.
///
/// Errors: a shard that is not of the local type, a value that is still partial.
pub fn assemble(
    shards: Vec<Tensor>,
    ty: &Type,
    sharding: &Sharding,
    mesh: &Mesh,
) -> Result<Assembled, EvalError> {
    let ty = sharded_type(ty, sharding, mesh)?;
    let local = sharding.local_type(ty, mesh);
    if let Some(shard) = shards.iter().find(|shard| shard.ty() != local) {
        return Err(EvalError::new(format!("a shard is a {} instead of a {local}", shard.ty())));
    }
    let starts: Vec<Vec<usize>> =
        (0..shards.len()).map(|device| sharding.shard_start(&ty.shape, mesh, device)).collect();
    let mut copies = Copies::default();
    // The first device that holds each part; the others' copies are compared with it.
    let mut holders: Vec<usize> = Vec::new();
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

    /// Whether all copies agree up to `tolerance`, relative to the largest magnitude of the shard; zero asks for
    /// equal numbers.
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
    let first = &shards[holders[0]];
    // A tensor of the right size and storage to write into: the first shard's first element, repeated.
    let mut whole = match first.num_elements() {
        0 => first.reshape(&ty.shape)?,
        _ => {
            let one = vec![1; ty.rank()];
            first.slice(&vec![0; ty.rank()], &one, &one)?.reshape(&[])?.broadcast(&ty.shape, &[])?
        }
    };
    for holder in holders {
        whole.paste(&starts[*holder], &shards[*holder])?;
    }
    Ok(whole)
}

fn sharded_type<'t>(ty: &'t Type, sharding: &Sharding, mesh: &Mesh) -> Result<&'t TensorType, EvalError> {
    let Some(tensor) = ty.as_tensor() else {
        return Err(EvalError::new(format!("a {ty} cannot be sharded")));
    };
    if sharding.partial.is_some() {
        return Err(EvalError::new("a partial value has no global elements before it is reduced"));
    }
    let divides = sharding.dims.len() == tensor.rank()
        && tensor.shape.iter().enumerate().all(|(dim, size)| size % sharding.num_shards(dim, mesh) == 0);
    if !divides {
        return Err(EvalError::new(format!("the sharding does not divide {tensor} evenly")));
    }
    Ok(tensor)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::mesh::Axis;
    use meshwright_ir::types::ElementType;

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
        assert!(split(&tensor, &ty, &Sharding::of([vec![x]]), &mesh).is_err());
        assert!(
            split(&tensor, &TensorType::new([4], ElementType::F32).into(), &Sharding::replicated(1), &mesh)
                .is_err()
        );
        let partial = Sharding {
            partial: Some((meshwright_ir::sharding::Reduction::Sum, [x].iter().collect())),
            ..Sharding::replicated(1)
        };
        assert!(split(&tensor, &ty, &partial, &mesh).is_err());
        assert!(assemble(vec![counting(&[2]); 4], &ty, &Sharding::replicated(1), &mesh).is_err());
    }
}
