//! `convert` between all real element types, with the meanings of [`Native::cast`].

use super::{Native, Precision, StorageKind, Tensor, kernels};
use crate::eval_error::EvalError;
use crate::types::ElementType;

/// The elements of `x` as `to`. In [`Precision::Wide`] converting between floats changes only the declared type.
pub fn convert(x: &Tensor, to: ElementType, precision: Precision) -> Result<Tensor, EvalError> {
    let storage = precision.storage(to)?;
    let sub_byte = to.bits() < 8;
    if storage == x.storage() && !sub_byte {
        return Ok(x.clone().with_element(to));
    }
    if sub_byte && x.storage().is_float() {
        return saturate(x, to, storage);
    }
    crate::dispatch!(storage, D => cast_all::<D>(x, to))
}

/// One function for all callers, so that each pair of types is compiled once.
fn cast_all<D: Native>(x: &Tensor, to: ElementType) -> Result<Tensor, EvalError> {
    crate::dispatch!(x.storage(), S => kernels::map1(to, x, <S as Native>::cast::<D>))
}

/// Floats as sub-byte integers: saturated to the declared range, which is narrower than the storage.
fn saturate(x: &Tensor, to: ElementType, storage: StorageKind) -> Result<Tensor, EvalError> {
    let bound = |bound: Result<Tensor, EvalError>| bound?.scalar_as_f64();
    let lowest = bound(Tensor::lowest(to, Precision::Declared))?;
    let highest = bound(Tensor::highest(to, Precision::Declared))?;
    crate::dispatch!(x.storage(), S => crate::dispatch_integer!(storage, D => {
        kernels::map1(to, x, |value: S| value.cast::<f64>().clamp(lowest, highest).cast::<D>())
    }, else Err(EvalError::new(format!("{to} is not an integer type")))))
}

impl Tensor {
    /// The elements kept as `T`, under `T`'s own element type: shared if they already are.
    pub fn stored_as<T: Native>(&self) -> Result<Tensor, EvalError> {
        if self.storage() == T::STORAGE && self.element == T::ELEMENT {
            return Ok(self.clone());
        }
        cast_all::<T>(self, T::ELEMENT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::bf16;

    fn floats(values: &[f32]) -> Tensor {
        Tensor::from_vec(ElementType::F32, [values.len()], values.to_vec())
    }

    fn declared(x: &Tensor, to: ElementType) -> Tensor {
        convert(x, to, Precision::Declared).unwrap()
    }

    #[test]
    fn floats_to_integers_and_back() {
        let x = floats(&[-1.5, 2.9, f32::NAN, f32::INFINITY, -1e20]);
        assert_eq!(
            declared(&x, ElementType::I32).to_i64_vec(),
            [-1, 2, 0, i64::from(i32::MAX), i64::from(i32::MIN)]
        );
        assert_eq!(declared(&x, ElementType::Ui8).to_i64_vec(), [0, 2, 0, 255, 0]);
        assert_eq!(declared(&x, ElementType::I4).to_i64_vec(), [-1, 2, 0, 7, -8]);
        assert_eq!(declared(&x, ElementType::Ui2).to_i64_vec(), [0, 2, 0, 3, 0]);
        assert_eq!(declared(&x, ElementType::I1).to_i64_vec(), [1, 1, 1, 1, 1]);
        let ints = Tensor::from_vec(ElementType::I64, [2], vec![(1i64 << 24) + 1, -3]);
        assert_eq!(declared(&ints, ElementType::F32).to_f64_vec(), [16_777_216.0, -3.0]);
    }

    #[test]
    fn integers_wrap_and_booleans_are_zero_or_one() {
        let ints = Tensor::from_vec(ElementType::I32, [3], vec![257, -1, 0]);
        assert_eq!(declared(&ints, ElementType::Ui8).to_i64_vec(), [1, 255, 0]);
        assert_eq!(declared(&ints, ElementType::I4).to_i64_vec(), [1, -1, 0]);
        let booleans = declared(&ints, ElementType::I1);
        assert_eq!(booleans.to_i64_vec(), [1, 1, 0]);
        assert_eq!(declared(&booleans, ElementType::Bf16).to_f64_vec(), [1.0, 1.0, 0.0]);
        let i8s = Tensor::from_vec(ElementType::I8, [1], vec![9i8]);
        assert_eq!(declared(&i8s, ElementType::I4).to_i64_vec(), [-7]);
    }

    #[test]
    fn wide_floats_are_not_rounded() {
        let x = Tensor::from_vec(ElementType::F32, [1], vec![0.1f64]);
        let half = convert(&x, ElementType::Bf16, Precision::Wide).unwrap();
        assert_eq!((half.element(), half.storage()), (ElementType::Bf16, StorageKind::F64));
        assert_eq!(half.to_f64_vec(), [0.1]);
        let rounded = declared(&floats(&[0.1]), ElementType::Bf16);
        assert_eq!(rounded.dense::<bf16>().unwrap()[..], [bf16::from_f32(0.1)]);
    }

    #[test]
    fn repeated_and_empty_tensors() {
        let repeated = floats(&[2.5]).broadcast(&[100, 1], &[1]).unwrap();
        let converted = declared(&repeated, ElementType::I32);
        assert_eq!((converted.num_elements(), converted.buffer().len()), (100, 1));
        assert_eq!(declared(&floats(&[]), ElementType::I32).num_elements(), 0);
        assert!(convert(&repeated, ElementType::ComplexF64, Precision::Wide).is_err());
    }
}
