//! Numbers of 64 bits, in which references of kernels compute.
//!
//! Input: operands of any float type. Output: their elements, and results in the types that a call has.

use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Precision, Tensor, convert};

/// The elements of an operand.
pub(super) fn doubles(x: &Tensor) -> Result<Vec<f64>, EvalError> {
    Ok(convert(x, ElementType::F64, Precision::Declared)?.dense::<f64>()?.into_owned())
}

/// A result of these elements, in its own type.
pub(super) fn narrowed(values: Vec<f64>, ty: &TensorType, precision: Precision) -> Result<Tensor, EvalError> {
    convert(&Tensor::from_vec(ElementType::F64, ty.shape.clone(), values), ty.element, precision)
}

/// The sum of products.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
