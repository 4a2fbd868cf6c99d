//! `convert` between all element types, with the meanings of [`Native::cast`]. Of a complex number converted to a
//! real one the imaginary part is dropped.

use super::native::round_to_odd;
use super::{Complex, Native, Precision, StorageKind, Tensor, is_wider, kernels};
use crate::eval_error::EvalError;
use crate::types::ElementType;

/// The elements of `x` as `to`. In [`Precision::Wide`] converting between floats changes only the declared type.
pub fn convert(x: &Tensor, to: ElementType, precision: Precision) -> Result<Tensor, EvalError> {
    let storage = precision.storage(to);
    let narrows = is_wider(storage, to);
    if storage == x.storage() && (!narrows || x.element() == to) {
        return Ok(x.clone().with_element(to));
    }
    if narrows && x.storage() == StorageKind::F64 && to.is_float() {
        // The sticky last bit keeps the second rounding right.
        return kernels::map1(to, x, round_to_odd);
    }
    if narrows && x.storage().is_float() && !to.is_float() {
        return saturate(x, to, storage);
    }
    match (x.storage(), storage) {
        (StorageKind::C64 | StorageKind::C128, StorageKind::C64 | StorageKind::C128) => {
            crate::dispatch_complex!(x.storage(), S => crate::dispatch_complex!(storage, D => {
                kernels::map1(to, x, |z: Complex<S>| Complex::<D>::new(z.re.cast(), z.im.cast()))
            }, else Err(wrong(to))), else Err(wrong(to)))
        }
        (StorageKind::C64 | StorageKind::C128, _) => convert(&real_part(x)?, to, precision),
        (_, StorageKind::C64 | StorageKind::C128) => {
            let real = convert(x, to.part(), precision)?;
            crate::dispatch_complex!(storage, D => {
                kernels::map1(to, &real, |re: D| Complex::new(re, 0.0))
            }, else Err(wrong(to)))
        }
        _ => crate::dispatch_real!(storage, D => cast_all::<D>(x, to), else Err(wrong(to))),
    }
}

/// The real parts of complex numbers, or the real elements themselves.
pub fn real_part(x: &Tensor) -> Result<Tensor, EvalError> {
    let element = x.element().part();
    crate::dispatch_complex!(x.storage(), R => {
        kernels::map1(element, x, |z: Complex<R>| z.re)
    }, else Ok(x.clone()))
}

/// The imaginary parts of complex numbers; zeros for real elements.
pub fn imaginary_part(x: &Tensor) -> Result<Tensor, EvalError> {
    let element = x.element().part();
    crate::dispatch_complex!(x.storage(), R => {
        kernels::map1(element, x, |z: Complex<R>| z.im)
    }, else crate::dispatch!(x.storage(), T => kernels::map1(element, x, |_: T| T::default())))
}

fn wrong(to: ElementType) -> EvalError {
    EvalError::new(format!("these elements do not convert to {to}"))
}

/// One function for all callers, so that each pair of types is compiled once.
fn cast_all<D: Native>(x: &Tensor, to: ElementType) -> Result<Tensor, EvalError> {
    crate::dispatch_real!(x.storage(), S => kernels::map1(to, x, <S as Native>::cast::<D>), else Err(wrong(to)))
}

/// Floats as sub-byte integers: saturated to the declared range, which is narrower than the storage.
fn saturate(x: &Tensor, to: ElementType, storage: StorageKind) -> Result<Tensor, EvalError> {
    let bound = |bound: Result<Tensor, EvalError>| bound?.scalar_as_f64();
    let lowest = bound(Tensor::lowest(to, Precision::Declared))?;
    let highest = bound(Tensor::highest(to, Precision::Declared))?;
    let wide = cast_all::<f64>(x, ElementType::F64)?;
    crate::dispatch_integer!(storage, D => {
        kernels::map1(to, &wide, |value: f64| value.clamp(lowest, highest).cast::<D>())
    }, else Err(wrong(to)))
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
    }

    #[test]
    fn complex_numbers() {
        let z = Tensor::from_vec(
            ElementType::ComplexF32,
            [2],
            vec![Complex::new(1.5f32, -2.0), Complex::new(0.0, 3.0)],
        );
        assert_eq!(declared(&z, ElementType::I32).to_i64_vec(), [1, 0]);
        assert_eq!(declared(&z, ElementType::I1).to_i64_vec(), [1, 0]);
        assert_eq!(declared(&z, ElementType::F64).to_f64_vec(), [1.5, 0.0]);
        assert_eq!(imaginary_part(&z).unwrap().dense::<f32>().unwrap()[..], [-2.0, 3.0]);
        let wide = convert(&z, ElementType::ComplexF32, Precision::Wide).unwrap();
        assert_eq!(
            wide.dense::<Complex<f64>>().unwrap()[..],
            [Complex::new(1.5, -2.0), Complex::new(0.0, 3.0)]
        );
        let ones = convert(&floats(&[0.1]), ElementType::ComplexF64, Precision::Declared).unwrap();
        assert_eq!(ones.dense::<Complex<f64>>().unwrap()[..], [Complex::new(f64::from(0.1f32), 0.0)]);
    }

    #[test]
    fn floats_of_eight_bits_are_rounded_once() {
        let to = |x: &Tensor, precision| convert(x, ElementType::F8E4M3Fn, precision).unwrap();
        let x = Tensor::from_vec(ElementType::F64, [3], vec![17.0 + 1e-12, 1000.0, -0.3]);
        let rounded = to(&x, Precision::Declared);
        assert_eq!(rounded.dense::<f32>().unwrap()[0], 18.0);
        assert!(rounded.dense::<f32>().unwrap()[1].is_nan());
        assert_eq!(rounded.to_f64_vec()[2], -0.3125);
        assert_eq!(to(&x, Precision::Wide).to_f64_vec()[1], 1000.0);
        let same = convert(&rounded, ElementType::F32, Precision::Declared).unwrap();
        assert_eq!((same.element(), same.to_f64_vec()[2]), (ElementType::F32, -0.3125));
        assert_eq!(declared(&same, ElementType::F8E5M2).to_f64_vec()[2], -0.3125);
    }
}
