//! Host tensors: what the evaluator computes on.
//!
//! A [`Tensor`] is a strided view of a shared [`Buffer`]. It keeps the *declared* element type apart from the
//! *storage* (see [`Precision`]); kernels dispatch on the storage with `dispatch!` (or `dispatch_real!`,
//! `dispatch_integer!`, `dispatch_float!`, `dispatch_complex!`), so that one generic function serves every type:
//!
//! ```
//! use meshwright_tensor::dispatch;
//! use meshwright_tensor::eval_error::EvalError;
//! use meshwright_tensor::{Number, Tensor, kernels};
//!
//! fn add(a: &Tensor, b: &Tensor) -> Result<Tensor, EvalError> {
//!     dispatch!(a.storage(), T => kernels::zip2(a.element(), a, b, |x: T, y: T| Number::add(x, y)))
//! }
//! # let sum = add(&Tensor::scalar_i64(2), &Tensor::scalar_i64(3)).unwrap();
//! # assert_eq!(sum.scalar_as_i64(), Ok(5));
//! ```
//!
//! Beside them stands what texts of programs and values share: literals, quoting, places in a text.
//!
//! Invariants of a tensor: every index inside `shape` addresses an element of the buffer; elements of types of
//! at most eight bits are values of their declared type; the storage is one that some precision gives the declared type.

mod arith;
mod assemble;
mod build;
mod bytes;
mod compare;
mod complex;
mod convert;
pub mod eval_error;
pub mod kernels;
mod layout;
pub mod literal;
pub mod math;
mod matmul;
pub mod minifloat;
pub mod names;
mod native;
mod pack;
pub mod quote;
mod read;
pub mod span;
mod storage;
pub mod types;
mod view;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

pub use half::{bf16, f16};

pub use self::arith::{Float, Integer, Number, Real};
pub use self::compare::{Difference, NonFinite, compare};
pub use self::complex::{Complex, Part};
pub use self::convert::{convert, imaginary_part, real_part};
pub use self::layout::{Walk, row_major, unravel};
pub use self::layout::{allocatable_len, checked_len};
pub use self::matmul::matmul;
pub use self::native::{Element, Native, Scalar};
pub use self::pack::copy as strided_copy;
pub(crate) use self::storage::is_wider;
pub use self::storage::{Buffer, Precision, StorageKind};

use crate::eval_error::EvalError;
use crate::types::{ElementType, TensorType};

/// A strided view of shared elements, with a declared element type.
#[derive(Clone)]
pub struct Tensor {
    element: ElementType,
    shape: Vec<usize>,
    /// Elements (not bytes) between neighbors in each dim; 0 repeats, negative reverses.
    strides: Vec<isize>,
    /// Position of the element at index zero.
    offset: usize,
    buffer: Arc<Buffer>,
}

impl Tensor {
    /// The declared element type.
    pub fn element(&self) -> ElementType {
        self.element
    }

    /// Size of each dim, outermost first.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Elements between neighbors in each dim; 0 repeats, negative reverses.
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// Position in the buffer of the element at index zero (meaningless for an empty tensor).
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The elements, which other tensors may share.
    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    /// Storage of the elements.
    pub fn storage(&self) -> StorageKind {
        self.buffer.storage()
    }

    /// Number of dims.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// Number of elements of the view.
    pub fn num_elements(&self) -> usize {
        // An empty tensor may have other dims whose product would overflow.
        if self.shape.contains(&0) { 0 } else { self.shape.iter().product() }
    }

    /// The declared type.
    pub fn ty(&self) -> TensorType {
        TensorType::new(self.shape.clone(), self.element)
    }

    /// Returns whether the elements lie in row-major order without gaps.
    pub fn is_contiguous(&self) -> bool {
        layout::is_row_major(&self.shape, &self.strides)
    }

    /// Returns whether the view is one element repeated (or at most one element).
    pub fn is_splat(&self) -> bool {
        self.shape.iter().zip(&self.strides).all(|(size, stride)| *size <= 1 || *stride == 0)
    }

    /// The whole buffer as `T`, to be read through `offset` and `strides`; an error if it holds another type.
    pub fn elements<T: Element>(&self) -> Result<&[T], EvalError> {
        T::elements(&self.buffer).ok_or_else(|| {
            EvalError::new(format!(
                "an operand of type {} is kept as {:?} where {:?} was expected; all inputs must use one precision",
                self.ty(),
                self.storage(),
                T::STORAGE
            ))
        })
    }

    /// Returns whether both are the same view of the same buffer, so that comparing them is needless.
    pub fn shares_elements(&self, other: &Tensor) -> bool {
        Arc::ptr_eq(&self.buffer, &other.buffer)
            && (&self.shape, &self.strides, self.offset) == (&other.shape, &other.strides, other.offset)
    }

    /// Returns whether no other tensor shares the elements.
    pub fn is_unshared(&self) -> bool {
        Arc::strong_count(&self.buffer) == 1
    }

    /// The elements in row-major order, copied only if the view is not contiguous.
    pub fn dense<T: Element>(&self) -> Result<Cow<'_, [T]>, EvalError> {
        let elements = self.elements::<T>()?;
        let len = self.num_elements();
        if len == 0 {
            return Ok(Cow::Borrowed(&[]));
        }
        if self.is_contiguous() {
            return Ok(Cow::Borrowed(&elements[self.offset..self.offset + len]));
        }
        allocatable_len::<T>(&self.shape)?;
        Ok(Cow::Owned(pack::pack(elements, self.offset, &self.shape, &self.strides)))
    }

    /// The same tensor with its elements in row-major order without gaps; shares the buffer if they are already.
    pub fn contiguous(&self) -> Result<Tensor, EvalError> {
        if self.is_contiguous() {
            return Ok(self.clone());
        }
        crate::dispatch!(self.storage(), T => {
            let elements = self.dense::<T>()?.into_owned();
            Ok(Tensor::from_vec(self.element, self.shape.clone(), elements))
        })
    }
}

impl fmt::Debug for Tensor {
    /// The type, the storage and the first few elements: a whole one may have billions.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 16;
        write!(f, "{} as {:?} [", self.ty(), self.storage())?;
        for position in 0..self.num_elements().min(SHOWN) {
            let index = layout::unravel(position, &self.shape);
            let value = self.get(&index).expect("a position inside the shape");
            write!(f, "{}{value}", if position == 0 { "" } else { ", " })?;
        }
        f.write_str(if self.num_elements() > SHOWN { ", ...]" } else { "]" })
    }
}
