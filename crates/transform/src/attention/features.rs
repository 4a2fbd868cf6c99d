//! Values with fewer features than keys, for kernels that take as many of both: zeros behind them, of which an attention
//! makes zeros, also in its gradient.
//!
//! Input: values, outputs and their gradients as the program has them, or as the kernel gives them. Output: the others.

use super::dims::Atoms;
use super::matched::Attention;
use super::roles::Roles;
use super::takes::{Reason, Takes};
use meshwright_ir::build::Builder;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::pad::Pad;
use meshwright_ir::ops::slice::Slice;
use meshwright_tensor::types::TensorType;

/// How many features of zeros values get for a kernel.
///
/// # Errors
///
/// Numbers of features that it does not take.
pub(super) fn padding(atoms: &Atoms, roles: &Roles, takes: &'static Takes) -> Result<usize, Reason> {
    let (features, values) = (atoms.sizes(&roles.features), atoms.sizes(&roles.values));
    if features > takes.features || features % takes.multiple != 0 {
        return Err(Reason::Features(features, takes));
    }
    match features.checked_sub(values) {
        None => Err(Reason::Values(features, values)),
        Some(_) if takes.fewer_values && values % takes.multiple == 0 => Ok(0),
        Some(missing) => Ok(missing),
    }
}

impl Attention {
    /// The type of what has the features of values, with those of the kernel.
    pub(super) fn wide(&self, mut ty: TensorType) -> TensorType {
        if let Some(features) = ty.shape.last_mut() {
            *features += self.padding;
        }
        ty
    }

    /// Values, an output or its gradient as the kernel takes it.
    pub(super) fn widened(&self, b: &mut impl Builder, value: ValueId) -> ValueId {
        if self.padding == 0 {
            return value;
        }
        let ty = b.ty(value);
        let zero = b.splat(TensorType::scalar(ty.element), 0.0);
        let none = vec![0; ty.rank()];
        let mut high = none.clone();
        high[ty.rank() - 1] = self.padding as i64;
        b.add(Pad { low: none, high, interior: vec![0; ty.rank()] }, &[value, zero])
    }

    /// What the kernel gives, as the program has it.
    pub(super) fn narrowed(&self, b: &mut impl Builder, value: ValueId) -> ValueId {
        if self.padding == 0 {
            return value;
        }
        let mut limit = b.ty(value).shape;
        let rank = limit.len();
        limit[rank - 1] -= self.padding;
        b.add(Slice { start: vec![0; rank], limit, stride: vec![1; rank] }, &[value])
    }
}
