//! Making tensors: from vectors, from single values, and counting up.

use std::sync::Arc;

use super::convert::convert;
use super::layout::{allocatable_len, checked_len, row_major};
use super::{Buffer, Element, Precision, Scalar, Tensor, is_wider};
use crate::eval_error::EvalError;
use crate::minifloat::MiniFloat;
use crate::types::{ElementKind, ElementType, TensorType};

impl Tensor {
    /// A tensor of these elements in row-major order. Elements of small types are fitted to
    /// their type (see [`Element::fit`]).
    ///
    /// # Panics
    /// If the number of elements is not that of `shape`, or `T` never stores `element`: both are the caller's bug.
    pub fn from_vec<T: Element>(
        element: ElementType,
        shape: impl Into<Vec<usize>>,
        elements: Vec<T>,
    ) -> Self {
        let shape = shape.into();
        let strides = row_major(&shape);
        Self::from_distinct(element, shape, strides, elements)
    }

    /// A tensor whose view addresses all of `elements`, some of them perhaps several times.
    pub(crate) fn from_distinct<T: Element>(
        element: ElementType,
        shape: Vec<usize>,
        strides: Vec<isize>,
        mut elements: Vec<T>,
    ) -> Self {
        assert!(Precision::allows(element, T::STORAGE), "{element} is never kept as {:?}", T::STORAGE);
        let distinct = shape.iter().zip(&strides).filter(|(_, stride)| **stride != 0);
        let expected: usize = if shape.contains(&0) { 0 } else { distinct.map(|(size, _)| *size).product() };
        assert_eq!(elements.len(), expected, "elements of a tensor of shape {shape:?}");
        if is_wider(T::STORAGE, element) {
            elements.iter_mut().for_each(|value| *value = value.fit(element));
        }
        Self { element, shape, strides, offset: 0, buffer: Arc::new(T::into_buffer(elements)) }
    }

    /// One value everywhere, stored once. It is rounded or wrapped to the declared type first.
    pub fn splat(ty: &TensorType, value: Scalar, precision: Precision) -> Result<Self, EvalError> {
        checked_len::<u8>(&ty.shape)?;
        let declared = Precision::Declared.storage(ty.element);
        let exact = crate::dispatch!(declared, D => D::from_scalar(value).fit(ty.element).scalar());
        let element =
            crate::dispatch!(precision.storage(ty.element), S => S::into_buffer(vec![S::from_scalar(exact)]));
        let strides = vec![0; ty.rank()];
        Ok(Self {
            element: ty.element,
            shape: ty.shape.clone(),
            strides,
            offset: 0,
            buffer: Arc::new(element),
        })
    }

    /// Zero (or false) everywhere, stored once.
    pub fn zeros(ty: &TensorType, precision: Precision) -> Result<Self, EvalError> {
        Self::splat(ty, Scalar::Int(0), precision)
    }

    /// A tensor without dims.
    pub fn scalar(element: ElementType, value: Scalar, precision: Precision) -> Result<Self, EvalError> {
        Self::splat(&TensorType::scalar(element), value, precision)
    }

    /// A scalar of type `i1`.
    pub fn scalar_i1(value: bool) -> Self {
        Self::from_vec(ElementType::I1, [], vec![value])
    }

    /// A scalar of type `i32`.
    pub fn scalar_i32(value: i32) -> Self {
        Self::from_vec(ElementType::I32, [], vec![value])
    }

    /// A scalar of type `i64`.
    pub fn scalar_i64(value: i64) -> Self {
        Self::from_vec(ElementType::I64, [], vec![value])
    }

    /// A scalar of type `ui32`, such as a replica id.
    pub fn scalar_u32(value: u32) -> Self {
        Self::from_vec(ElementType::Ui32, [], vec![value])
    }

    /// A scalar of type `f32`, kept as `f32`.
    pub fn scalar_f32(value: f32) -> Self {
        Self::from_vec(ElementType::F32, [], vec![value])
    }

    /// The index along `dim`, everywhere; stored once per index.
    pub fn iota(ty: &TensorType, dim: usize, precision: Precision) -> Result<Self, EvalError> {
        let Some(size) = ty.shape.get(dim) else {
            return Err(EvalError::new(format!(
                "iota counts along dim {dim} of a tensor of rank {}",
                ty.rank()
            )));
        };
        checked_len::<u64>(&ty.shape)?;
        if ty.num_elements() == 0 {
            return Self::zeros(ty, precision);
        }
        let declared = Precision::Declared.storage(ty.element);
        let counted = crate::dispatch!(declared, D => {
            allocatable_len::<D>(&[*size])?;
            let count = |index: usize| D::from_scalar(Scalar::Uint(index as u64));
            Self::from_vec(ty.element, [*size], (0..*size).map(count).collect())
        });
        convert(&counted, ty.element, precision)?.broadcast(&ty.shape, &[dim])
    }

    /// The same elements under another declared type that may be stored the same way.
    ///
    /// # Panics
    /// If `element` is never kept as these elements are, which is the caller's bug.
    pub fn with_element(mut self, element: ElementType) -> Self {
        assert!(
            Precision::allows(element, self.storage()),
            "{element} is never kept as {:?}",
            self.storage()
        );
        let fits = element == self.element || !is_wider(self.storage(), element);
        assert!(fits, "{element} has a range of its own");
        self.element = element;
        self
    }

    /// The buffer for writing at its full length, after making this tensor contiguous and its only owner.
    pub fn make_owned(&mut self) -> Result<&mut Buffer, EvalError> {
        let owns_all = self.is_contiguous() && self.num_elements() == self.buffer.len();
        if !owns_all {
            let elements =
                crate::dispatch!(self.storage(), T => T::into_buffer(self.dense::<T>()?.into_owned()));
            self.buffer = Arc::new(elements);
        }
        self.offset = 0;
        self.strides = row_major(&self.shape);
        Ok(Arc::make_mut(&mut self.buffer))
    }
}

/// The extreme values that reductions start from.
impl Tensor {
    /// The least value of a type as a scalar: `-inf` (or the least number of a float type without infinities), the least
    /// integer, or false.
    pub fn lowest(element: ElementType, precision: Precision) -> Result<Self, EvalError> {
        Self::scalar(element, bound(element, true), precision)
    }

    /// The greatest value of a type as a scalar; see [`Tensor::lowest`].
    pub fn highest(element: ElementType, precision: Precision) -> Result<Self, EvalError> {
        Self::scalar(element, bound(element, false), precision)
    }
}

fn bound(element: ElementType, lowest: bool) -> Scalar {
    let bits = element.bits().min(64) as u32;
    match (element.kind(), lowest) {
        (ElementKind::Boolean, _) => Scalar::Bool(!lowest),
        (ElementKind::Signed, true) => Scalar::Int(i64::MIN >> (64 - bits)),
        (ElementKind::Signed, false) => Scalar::Int(i64::MAX >> (64 - bits)),
        (ElementKind::Unsigned, true) => Scalar::Uint(0),
        (ElementKind::Unsigned, false) => Scalar::Uint(u64::MAX >> (64 - bits)),
        (ElementKind::Float | ElementKind::Complex, _) => {
            let infinite = (f64::NEG_INFINITY, f64::INFINITY);
            let (least, greatest) = MiniFloat::of(element).map_or(infinite, MiniFloat::extremes);
            Scalar::Float(if lowest { least } else { greatest })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StorageKind;

    #[test]
    fn constants_have_the_declared_types_exact_values() {
        let ty = TensorType::new([2, 3], ElementType::F32);
        let wide = Tensor::splat(&ty, Scalar::Float(0.1), Precision::Wide).unwrap();
        assert_eq!(wide.storage(), StorageKind::F64);
        assert_eq!(wide.to_f64_vec(), [f64::from(0.1f32); 6]);
        assert_eq!(wide.buffer().len(), 1);
        let half = TensorType::scalar(ElementType::Bf16);
        let wide = Tensor::splat(&half, Scalar::Float(0.1), Precision::Wide).unwrap();
        assert_eq!(wide.to_f64_vec(), [0.10009765625]);
    }

    #[test]
    fn iota_counts_along_one_dim() {
        let ty = TensorType::new([2, 3], ElementType::I32);
        let along =
            |dim| Tensor::iota(&ty, dim, Precision::Declared).unwrap().dense::<i32>().unwrap().into_owned();
        assert_eq!(along(0), [0, 0, 0, 1, 1, 1]);
        assert_eq!(along(1), [0, 1, 2, 0, 1, 2]);
        assert!(Tensor::iota(&ty, 2, Precision::Declared).is_err());
        let empty = TensorType::new([0, 3], ElementType::F16);
        assert_eq!(Tensor::iota(&empty, 0, Precision::Wide).unwrap().num_elements(), 0);
    }

    #[test]
    fn sub_byte_elements_wrap() {
        let tensor = Tensor::from_vec(ElementType::I4, [3], vec![7i8, 8, -9]);
        assert_eq!(tensor.dense::<i8>().unwrap()[..], [7, -8, 7]);
        let lowest = Tensor::lowest(ElementType::I4, Precision::Declared).unwrap();
        assert_eq!(lowest.scalar_as_i64(), Ok(-8));
        let highest = Tensor::highest(ElementType::Ui64, Precision::Declared).unwrap();
        assert_eq!(highest.get(&[]), Some(Scalar::Uint(u64::MAX)));
    }

    #[test]
    fn huge_types_are_errors() {
        let huge = TensorType::new([usize::MAX, 2], ElementType::I8);
        assert!(Tensor::zeros(&huge, Precision::Declared).is_err());
    }

    #[test]
    fn complex_and_small_floats() {
        let complex = TensorType::new([2], ElementType::ComplexF32);
        let tensor = Tensor::splat(&complex, Scalar::Complex(0.1, 2.0), Precision::Wide).unwrap();
        assert_eq!(tensor.get(&[1]), Some(Scalar::Complex(f64::from(0.1f32), 2.0)));
        let small = TensorType::scalar(ElementType::F8E5M2);
        let tensor = Tensor::splat(&small, Scalar::Float(0.1), Precision::Wide).unwrap();
        assert_eq!(tensor.to_f64_vec(), [0.09375]);
        let counted =
            Tensor::iota(&TensorType::new([20], ElementType::F8E4M3), 0, Precision::Declared).unwrap();
        assert_eq!(counted.to_f64_vec()[15..], [15.0, 16.0, 16.0, 18.0, 20.0]);
    }
}
