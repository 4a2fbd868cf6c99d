//! Values on their way between groups of embedded devices that hold them otherwise.
//!
//! Input: a [`CrossMesh`], the shards of the source and a device of the target. Output: the shard of that device, made of the
//! parts that the way sends, and of nothing else.

use meshwright_ir::ops::binary::Binary;
use meshwright_ir::sharding::Reduction;
use meshwright_plan::CrossMesh;
use meshwright_plan::cross_mesh::Reduced;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::TensorType;
use meshwright_tensor::{Precision, Tensor};

use crate::shards::{nothing, padded};

/// The shard of a device of the target; `shards` are those of all devices of the source.
///
/// Errors: shards of another shape than the way is for; a reduction without a neutral element.
pub(crate) fn across_meshes(way: &CrossMesh, shards: &[Tensor], device: usize) -> Result<Tensor, EvalError> {
    let received = |device: usize| received(way, shards, device);
    let group = way.gathered.as_ref().and_then(|gathered| {
        let mut groups = gathered.groups.iter();
        groups.find(|group| group.contains(&device)).map(|group| (gathered.dim, group))
    });
    let piece = match group {
        None => received(device)?,
        Some((dim, group)) => {
            let pieces = group.iter().map(|device| received(*device)).collect::<Result<Vec<_>, _>>()?;
            Tensor::concatenate(&pieces, dim)?
        }
    };
    let Some(contributed) = &way.contributed else { return Ok(piece) };
    let reduction = reduction(contributed.by)?;
    let ty = TensorType::new(way.target_shape.clone(), piece.element());
    let mut shard = nothing(reduction, &ty, precision(&piece))?;
    if let Some(Some(start)) = contributed.at.get(device) {
        shard.paste(start, &piece)?;
    }
    Ok(shard)
}

/// What a device receives: its piece, with padding where nothing comes.
fn received(way: &CrossMesh, shards: &[Tensor], device: usize) -> Result<Tensor, EvalError> {
    let like = shards.first().ok_or_else(|| EvalError::new("a group without devices hands nothing on"))?;
    let none =
        like.slice(&vec![0; like.shape().len()], &vec![0; like.shape().len()], &vec![1; like.shape().len()]);
    let mut piece = match like.shape().is_empty() {
        true => like.clone(),
        false => padded(&none?, &way.piece_shape)?,
    };
    for one in way.moves.iter().filter(|one| one.target == device) {
        let shard = summed(way.reduced.as_ref(), shards, one.source)?;
        let limit: Vec<usize> = one.from.iter().zip(&one.size).map(|(from, size)| from + size).collect();
        piece.paste(&one.to, &shard.slice(&one.from, &limit, &vec![1; limit.len()])?)?;
    }
    Ok(piece)
}

/// The shard of a device of the source, its contributions put together.
fn summed(reduced: Option<&Reduced>, shards: &[Tensor], device: usize) -> Result<Tensor, EvalError> {
    let of = |device: usize| {
        shards.get(device).ok_or_else(|| EvalError::new(format!("device {device} has handed nothing over")))
    };
    let group = reduced.and_then(|reduced| {
        let group = reduced.groups.iter().find(|group| group.contains(&device))?;
        Some((reduced, group))
    });
    let Some((reduced, group)) = group else { return of(device).cloned() };
    let apply = Binary::of_reduction(reduction(reduced.by)?);
    let (first, others) = group.split_first().unwrap_or((&device, &[]));
    others.iter().try_fold(of(*first)?.clone(), |total, other| apply.apply(&total, of(*other)?))
}

fn reduction(name: &str) -> Result<Reduction, EvalError> {
    Reduction::from_name(name).ok_or_else(|| EvalError::new(format!("nothing is put together by `{name}`")))
}

/// The precision in which a tensor is stored.
fn precision(tensor: &Tensor) -> Precision {
    let is_kept = |precision: &Precision| precision.storage(tensor.element()) == tensor.storage();
    let kept = [Precision::Declared, Precision::Wide].into_iter().find(is_kept);
    kept.unwrap_or(Precision::Declared)
}
