//! How elements are kept in memory: [`Buffer`], its [`StorageKind`], and [`Precision`], which relates declared
//! element types to storage.
//!
//! Kernels dispatch on the storage, never on the declared type: in wide mode a tensor declared `bf16` holds
//! `f64`s, so that a wrong program cannot hide behind rounding.

use half::{bf16, f16};

use super::complex::Complex;
use crate::types::{ElementKind, ElementType};

/// Types in which floats are kept: as declared, or widened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// Each type as declared; half types compute in `f32` and round after every op.
    #[default]
    Declared,
    /// Every float is stored and computed as `f32`; declared types stay.
    Single,
    /// Every float is stored and computed as `f64`; declared types stay.
    Wide,
}

impl Precision {
    /// Storage of elements declared as `element`. Floats of eight bits and fewer are kept as `f32`, always rounded
    /// to their type, integers of fewer bits as eight.
    pub fn storage(self, element: ElementType) -> StorageKind {
        let wide = self == Self::Wide;
        match element {
            ElementType::I1 => StorageKind::Bool,
            ElementType::I2 | ElementType::I4 | ElementType::I8 => StorageKind::I8,
            ElementType::I16 => StorageKind::I16,
            ElementType::I32 => StorageKind::I32,
            ElementType::I64 => StorageKind::I64,
            ElementType::Ui2 | ElementType::Ui4 | ElementType::Ui8 => StorageKind::U8,
            ElementType::Ui16 => StorageKind::U16,
            ElementType::Ui32 => StorageKind::U32,
            ElementType::Ui64 => StorageKind::U64,
            ElementType::ComplexF32 if !wide => StorageKind::C64,
            ElementType::ComplexF64 if self == Self::Single => StorageKind::C64,
            ElementType::ComplexF32 | ElementType::ComplexF64 => StorageKind::C128,
            _ if wide => StorageKind::F64,
            _ if self == Self::Single => StorageKind::F32,
            ElementType::F64 => StorageKind::F64,
            ElementType::F16 => StorageKind::F16,
            ElementType::Bf16 => StorageKind::Bf16,
            _ => StorageKind::F32,
        }
    }

    /// Whether elements declared as `element` may be kept as `storage` in some precision.
    pub(crate) fn allows(element: ElementType, storage: StorageKind) -> bool {
        [Self::Declared, Self::Single, Self::Wide]
            .iter()
            .any(|precision| precision.storage(element) == storage)
    }
}

/// Whether `storage` has values that elements declared as `element`, which are kept in it, cannot have.
pub(crate) fn is_wider(storage: StorageKind, element: ElementType) -> bool {
    match element.kind() {
        ElementKind::Float => storage == StorageKind::F32 && element.bits() <= 8,
        _ => element.bits() < 8,
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
            /// Kind of storage that it is.
            pub fn storage(&self) -> StorageKind {
                match self { $(Self::$kind(_) => StorageKind::$kind),* }
            }

            /// Number of elements.
            pub fn len(&self) -> usize {
                match self { $(Self::$kind(elements) => elements.len()),* }
            }

            /// Returns whether it holds none.
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
    Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F16 f16, Bf16 bf16, F32 f32, F64 f64,
    C64 Complex<f32>, C128 Complex<f64>
);

impl StorageKind {
    /// Returns whether it is a (real) floating-point type.
    pub fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::Bf16 | Self::F32 | Self::F64)
    }

    /// Returns whether it is a complex type.
    pub fn is_complex(self) -> bool {
        matches!(self, Self::C64 | Self::C128)
    }
}

/// The `match` behind the dispatching macros.
#[doc(hidden)]
#[macro_export]
macro_rules! dispatch_among {
    ($storage:expr, $T:ident => $body:expr, [$($kind:ident $native:ty),*] $(, else $other:expr)?) => {
        match $storage {
            $($crate::StorageKind::$kind => {
                type $T = $native;
                $body
            })*
            $(_ => $other,)?
        }
    };
}

/// Runs one generic expression for the rust type of any storage:
/// `dispatch!(tensor.storage(), T => reverse::<T>(&tensor))`.
#[macro_export]
macro_rules! dispatch {
    ($storage:expr, $T:ident => $body:expr) => {
        $crate::dispatch_among!($storage, $T => $body, [
            Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F16 $crate::f16,
            Bf16 $crate::bf16, F32 f32, F64 f64, C64 $crate::Complex<f32>,
            C128 $crate::Complex<f64>
        ])
    };
}

/// As `dispatch!` for all but complex numbers, which take the other expression:
/// `dispatch_real!(tensor.storage(), T => round::<T>(&tensor), else Err(..))`.
#[macro_export]
macro_rules! dispatch_real {
    ($storage:expr, $T:ident => $body:expr, else $other:expr) => {
        $crate::dispatch_among!($storage, $T => $body, [
            Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64, F16 $crate::f16,
            Bf16 $crate::bf16, F32 f32, F64 f64
        ], else $other)
    };
}

/// As `dispatch!` for booleans and integers; all else takes the other expression:
/// `dispatch_integer!(tensor.storage(), T => and::<T>(&tensor), else Err(..))`.
#[macro_export]
macro_rules! dispatch_integer {
    ($storage:expr, $T:ident => $body:expr, else $other:expr) => {
        $crate::dispatch_among!($storage, $T => $body, [
            Bool bool, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32, U64 u64
        ], else $other)
    };
}

/// As `dispatch!` for floats; all else takes the other expression:
/// `dispatch_float!(tensor.storage(), T => exp::<T>(&tensor), else Err(..))`.
#[macro_export]
macro_rules! dispatch_float {
    ($storage:expr, $T:ident => $body:expr, else $other:expr) => {
        $crate::dispatch_among!($storage, $T => $body, [
            F16 $crate::f16, Bf16 $crate::bf16, F32 f32, F64 f64
        ], else $other)
    };
}

/// As `dispatch!` for complex numbers, with the type of their parts; all else takes the other expression:
/// `dispatch_complex!(tensor.storage(), R => real_parts::<R>(&tensor), else Err(..))`.
#[macro_export]
macro_rules! dispatch_complex {
    ($storage:expr, $R:ident => $body:expr, else $other:expr) => {
        $crate::dispatch_among!($storage, $R => $body, [C64 f32, C128 f64], else $other)
    };
}
