//! How elements are kept in memory: [`Buffer`], its [`StorageKind`], and [`Precision`], which relates declared
//! element types to storage.
//!
//! Kernels dispatch on the storage, never on the declared type: in wide mode a tensor declared `bf16` holds
//! `f64`s, so that a wrong program cannot hide behind rounding.

use half::{bf16, f16};

use crate::eval_error::EvalError;
use crate::types::ElementType;

/// Whether floats are kept in their declared type or widened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// Each type as declared; half types compute in `f32` and round after every op.
    #[default]
    Declared,
    /// Every float is stored and computed as `f64`; declared types stay.
    Wide,
}

impl Precision {
    /// Where elements declared as `element` are kept. Complex numbers are an error.
    pub fn storage(self, element: ElementType) -> Result<StorageKind, EvalError> {
        Ok(match element {
            ElementType::I1 => StorageKind::Bool,
            ElementType::I2 | ElementType::I4 | ElementType::I8 => StorageKind::I8,
            ElementType::I16 => StorageKind::I16,
            ElementType::I32 => StorageKind::I32,
            ElementType::I64 => StorageKind::I64,
            ElementType::Ui2 | ElementType::Ui4 | ElementType::Ui8 => StorageKind::U8,
            ElementType::Ui16 => StorageKind::U16,
            ElementType::Ui32 => StorageKind::U32,
            ElementType::Ui64 => StorageKind::U64,
            ElementType::F64 => StorageKind::F64,
            ElementType::F16 | ElementType::Bf16 | ElementType::F32 if self == Self::Wide => StorageKind::F64,
            ElementType::F16 => StorageKind::F16,
            ElementType::Bf16 => StorageKind::Bf16,
            ElementType::F32 => StorageKind::F32,
            ElementType::ComplexF32 | ElementType::ComplexF64 => {
                return Err(EvalError::new("complex numbers are not evaluated yet"));
            }
        })
    }

    /// Whether elements declared as `element` may be kept as `storage` in some precision.
    pub(crate) fn allows(element: ElementType, storage: StorageKind) -> bool {
        [Self::Declared, Self::Wide].iter().any(|precision| precision.storage(element) == Ok(storage))
    }
}

macro_rules! buffers {
    ($($kind:ident $native:ty),*) => {
        /// The rust type that elements are kept in.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(missing_docs)] // the names are those of the rust types
        pub enum StorageKind { $($kind),* }

        /// The elements of one or more tensors that share them.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)] // the names are those of the rust types
        pub enum Buffer { $($kind(Vec<$native>)),* }

        impl Buffer {
            /// What it holds.
            pub fn storage(&self) -> StorageKind {
                match self { $(Self::$kind(_) => StorageKind::$kind),* }
            }

            /// How many elements it holds.
            pub fn len(&self) -> usize {
                match self { $(Self::$kind(elements) => elements.len()),* }
            }

            /// Whether it holds none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Bytes on this host.
            pub fn num_bytes(&self) -> usize {
                match self { $(Self::$kind(elements) => elements.len() * size_of::<$native>()),* }
            }
        }
    };
}

buffers!(
    Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F16 f16, Bf16 bf16, F32 f32, F64 f64
);

impl StorageKind {
    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }
}

/// Runs one generic expression for the rust type of any storage:
/// `dispatch!(tensor.storage(), T => negate::<T>(&tensor))`.
#[macro_export]
macro_rules! dispatch {
    ($storage:expr, $T:ident => $body:expr) => {
        match $storage {
            $crate::tensor::StorageKind::Bool => {
                type $T = bool;
                $body
            }
            $crate::tensor::StorageKind::I8 => {
                type $T = i8;
                $body
            }
            $crate::tensor::StorageKind::I16 => {
                type $T = i16;
                $body
            }
            $crate::tensor::StorageKind::I32 => {
                type $T = i32;
                $body
            }
            $crate::tensor::StorageKind::I64 => {
                type $T = i64;
                $body
            }
            $crate::tensor::StorageKind::U8 => {
                type $T = u8;
                $body
            }
            $crate::tensor::StorageKind::U16 => {
                type $T = u16;
                $body
            }
            $crate::tensor::StorageKind::U32 => {
                type $T = u32;
                $body
            }
            $crate::tensor::StorageKind::U64 => {
                type $T = u64;
                $body
            }
            $crate::tensor::StorageKind::F16 => {
                type $T = $crate::tensor::f16;
                $body
            }
            $crate::tensor::StorageKind::Bf16 => {
                type $T = $crate::tensor::bf16;
                $body
            }
            $crate::tensor::StorageKind::F32 => {
                type $T = f32;
                $body
            }
            $crate::tensor::StorageKind::F64 => {
                type $T = f64;
                $body
            }
        }
    };
}

/// As `dispatch!` for booleans and integers; floats take the other expression:
/// `dispatch_integer!(tensor.storage(), T => and::<T>(&tensor), else Err(..))`.
#[macro_export]
macro_rules! dispatch_integer {
    ($storage:expr, $T:ident => $body:expr, else $other:expr) => {
        match $storage {
            $crate::tensor::StorageKind::Bool => {
                type $T = bool;
                $body
            }
            $crate::tensor::StorageKind::I8 => {
                type $T = i8;
                $body
            }
            $crate::tensor::StorageKind::I16 => {
                type $T = i16;
                $body
            }
            $crate::tensor::StorageKind::I32 => {
                type $T = i32;
                $body
            }
            $crate::tensor::StorageKind::I64 => {
                type $T = i64;
                $body
            }
            $crate::tensor::StorageKind::U8 => {
                type $T = u8;
                $body
            }
            $crate::tensor::StorageKind::U16 => {
                type $T = u16;
                $body
            }
            $crate::tensor::StorageKind::U32 => {
                type $T = u32;
                $body
            }
            $crate::tensor::StorageKind::U64 => {
                type $T = u64;
                $body
            }
            _ => $other,
        }
    };
}

/// As `dispatch!` for floats; booleans and integers take the other expression:
/// `dispatch_float!(tensor.storage(), T => exp::<T>(&tensor), else Err(..))`.
#[macro_export]
macro_rules! dispatch_float {
    ($storage:expr, $T:ident => $body:expr, else $other:expr) => {
        match $storage {
            $crate::tensor::StorageKind::F16 => {
                type $T = $crate::tensor::f16;
                $body
            }
            $crate::tensor::StorageKind::Bf16 => {
                type $T = $crate::tensor::bf16;
                $body
            }
            $crate::tensor::StorageKind::F32 => {
                type $T = f32;
                $body
            }
            $crate::tensor::StorageKind::F64 => {
                type $T = f64;
                $body
            }
            _ => $other,
        }
    };
}
