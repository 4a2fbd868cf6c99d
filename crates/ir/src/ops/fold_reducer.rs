//! Folding elements with plain reducers: what reductions, windows and scatters evaluate with.

use super::reducer::neutral;
use crate::sharding::Reduction;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementKind, ElementType};
use meshwright_tensor::{Element, Number, Precision, Scalar, StorageKind, Tensor, bf16, f16, kernels};

/// Runs an expression with the rust type of a storage and the function that a reduction applies to two elements:
/// `dispatch_fold!(storage, reduction, T, fold => scan::<T>(x, fold))`.
macro_rules! dispatch_fold {
    ($storage:expr, $reduction:expr, $T:ident, $fold:ident => $body:expr) => {
        match $reduction {
            $crate::sharding::Reduction::And => meshwright_tensor::dispatch_integer!($storage, $T => {
                let $fold: fn($T, $T) -> $T = meshwright_tensor::Integer::and;
                $body
            }, else Err(meshwright_tensor::eval_error::EvalError::new("floats have no bitwise and"))),
            $crate::sharding::Reduction::Or => meshwright_tensor::dispatch_integer!($storage, $T => {
                let $fold: fn($T, $T) -> $T = meshwright_tensor::Integer::or;
                $body
            }, else Err(meshwright_tensor::eval_error::EvalError::new("floats have no bitwise or"))),
            other => meshwright_tensor::dispatch!($storage, $T => {
                let $fold: fn($T, $T) -> $T = $crate::ops::fold_reducer::arithmetic::<$T>(other);
                $body
            }),
        }
    };
}
pub(super) use dispatch_fold;

/// The function of a reduction that is not bitwise.
pub(super) fn arithmetic<T: Number>(reduction: Reduction) -> fn(T, T) -> T {
    match reduction {
        Reduction::Sum => T::add,
        Reduction::Product => T::mul,
        Reduction::Max | Reduction::Or => T::maximum,
        Reduction::Min | Reduction::And => T::minimum,
    }
}

/// Whether a reduction of elements of this type has a neutral element.
pub(super) fn has_neutral(reduction: Reduction, element: ElementType) -> bool {
    neutral(reduction, element).is_some()
}

/// The neutral element of a reduction as a scalar tensor. That of a sum of floats is the negative zero: adding a positive
/// one would change the sign of another.
pub(super) fn neutral_tensor(
    reduction: Reduction,
    element: ElementType,
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let is_real = element.kind() == ElementKind::Float;
    match neutral(reduction, element) {
        Some(_) if reduction == Reduction::Sum && is_real => {
            Tensor::scalar(element, Scalar::Float(-0.0), precision)
        }
        Some(literal) => Tensor::from_le_bytes(&literal.ty, &literal.to_bytes(), precision),
        None => Err(EvalError::new(format!("{reduction:?} of {element} has no neutral element"))),
    }
}

/// The only element of a scalar kept as `T`.
pub(super) fn only<T: Element>(scalar: &Tensor) -> Result<T, EvalError> {
    let elements = scalar.dense::<T>()?;
    elements.first().copied().ok_or_else(|| EvalError::new("an empty tensor where a scalar is needed"))
}

/// Folds `x` over `dims`; half types fold in `f32` and are rounded once.
pub(super) fn fold_dims(
    reduction: Reduction,
    x: &Tensor,
    dims: &[usize],
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let element = x.element();
    let neutral = neutral_tensor(reduction, element, precision)?;
    // Sums and maxima of floats are most of a training step, so they get loops of their own.
    match (x.storage(), reduction) {
        (StorageKind::F32, Reduction::Sum) => {
            kernels::reduce(element, x, dims, only::<f32>(&neutral)?, |a, b| a + b, |a: f32| a, |a| a)
        }
        (StorageKind::F64, Reduction::Sum) => {
            kernels::reduce(element, x, dims, only::<f64>(&neutral)?, |a, b| a + b, |a: f64| a, |a| a)
        }
        (StorageKind::F32, Reduction::Max) => kernels::reduce(
            element,
            x,
            dims,
            only::<f32>(&neutral)?,
            <f32 as Number>::maximum,
            |a: f32| a,
            |a| a,
        ),
        (StorageKind::F16, _) => {
            let start = only::<f16>(&neutral)?.to_f32();
            kernels::reduce(element, x, dims, start, arithmetic::<f32>(reduction), f16::to_f32, f16::from_f32)
        }
        (StorageKind::Bf16, _) => {
            let start = only::<bf16>(&neutral)?.to_f32();
            kernels::reduce(
                element,
                x,
                dims,
                start,
                arithmetic::<f32>(reduction),
                bf16::to_f32,
                bf16::from_f32,
            )
        }
        (storage, _) => {
            dispatch_fold!(storage, reduction, T, fold => fold_plain::<T>(x, dims, only::<T>(&neutral)?, fold))
        }
    }
}

/// One function for all reductions of a type, so that the kernel is compiled once for it.
fn fold_plain<T: Element>(
    x: &Tensor,
    dims: &[usize],
    neutral: T,
    fold: fn(T, T) -> T,
) -> Result<Tensor, EvalError> {
    kernels::reduce(x.element(), x, dims, neutral, fold, |a: T| a, |a: T| a)
}

/// Combines `init` into every element of `x`, unless it would change nothing.
pub(super) fn fold_init(
    reduction: Reduction,
    x: Tensor,
    init: &Tensor,
    precision: Precision,
) -> Result<Tensor, EvalError> {
    let is_positive_zero =
        matches!(init.to_scalar()?, Scalar::Float(value) if value == 0.0 && value.is_sign_positive());
    let changes_sign = reduction == Reduction::Sum && is_positive_zero;
    if is_neutral(reduction, init, precision)? && !changes_sign {
        return Ok(x);
    }
    dispatch_fold!(x.storage(), reduction, T, fold => combine_one::<T>(&x, only::<T>(init)?, fold))
}

fn combine_one<T: Element>(x: &Tensor, value: T, fold: fn(T, T) -> T) -> Result<Tensor, EvalError> {
    kernels::map1(x.element(), x, |element: T| fold(value, element))
}

/// Whether a scalar has the value of the neutral element, whatever its sign.
pub(super) fn is_neutral(
    reduction: Reduction,
    init: &Tensor,
    precision: Precision,
) -> Result<bool, EvalError> {
    let neutral = neutral_tensor(reduction, init.element(), precision)?;
    Ok(neutral.to_scalar()? == init.to_scalar()?)
}

/// The element at row-major position `position` of a contiguous tensor, as a scalar that shares its buffer.
pub(super) fn scalar_at(contiguous: &Tensor, position: usize) -> Tensor {
    contiguous.view(Vec::new(), Vec::new(), contiguous.offset() + position)
}

/// Scalars that a region returned, as one tensor.
pub(super) fn from_scalars(
    element: ElementType,
    shape: &[usize],
    scalars: &[Tensor],
    precision: Precision,
) -> Result<Tensor, EvalError> {
    meshwright_tensor::dispatch!(precision.storage(element), T => {
        let elements = scalars.iter().map(only::<T>).collect::<Result<Vec<T>, EvalError>>()?;
        Ok(Tensor::from_vec(element, shape, elements))
    })
}
