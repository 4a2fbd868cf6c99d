//! Little-endian bytes: the form of `dense<"0x...">` constants, of `.npy` arrays and of `bitcast_convert`.
//!
//! Sub-byte integers and `i1` take one byte per element.

use super::layout::checked_len;
use super::{Native, Precision, Tensor};
use crate::eval_error::EvalError;
use crate::types::TensorType;

impl Tensor {
    /// Reads row-major elements of the declared type.
    pub fn from_le_bytes(ty: &TensorType, bytes: &[u8], precision: Precision) -> Result<Self, EvalError> {
        let declared = Precision::Declared.storage(ty.element)?;
        let storage = precision.storage(ty.element)?;
        crate::dispatch!(declared, D => {
            let len = checked_len::<D>(&ty.shape)?;
            if bytes.len() != len * size_of::<D>() {
                return Err(EvalError::new(format!(
                    "{ty} takes {} bytes of data but has {}", len * size_of::<D>(), bytes.len()
                )));
            }
            let chunks = bytes.chunks_exact(size_of::<D>());
            if storage == declared {
                return Ok(Self::from_vec(ty.element, ty.shape.clone(), chunks.map(D::read_le).collect()));
            }
            crate::dispatch_float!(storage, S => {
                let elements = chunks.map(|chunk| D::read_le(chunk).cast::<S>()).collect::<Vec<S>>();
                Ok(Self::from_vec(ty.element, ty.shape.clone(), elements))
            }, else unreachable!("only floats are widened"))
        })
    }

    /// The elements in row-major order, each rounded to the declared type.
    pub fn to_le_bytes(&self) -> Result<Vec<u8>, EvalError> {
        let declared = Precision::Declared.storage(self.element)?;
        let mut bytes = Vec::new();
        crate::dispatch!(self.storage(), S => {
            let elements = self.dense::<S>()?;
            if self.storage() == declared {
                bytes.reserve_exact(elements.len() * size_of::<S>());
                elements.iter().for_each(|value| value.write_le(&mut bytes));
            } else {
                crate::dispatch_float!(declared, D => {
                    bytes.reserve_exact(elements.len() * size_of::<D>());
                    elements.iter().for_each(|value| value.cast::<D>().write_le(&mut bytes));
                }, else unreachable!("only floats are widened"));
            }
        });
        Ok(bytes)
    }

    /// The bits of these elements (rounded to their declared type) as elements of another type and shape, as
    /// `bitcast_convert` defines it. The number of bytes must be the same.
    pub fn bitcast(&self, ty: &TensorType, precision: Precision) -> Result<Self, EvalError> {
        if self.element.bits() < 8 || ty.element.bits() < 8 {
            return Err(EvalError::new("bit casts of sub-byte integers are not evaluated yet"));
        }
        Self::from_le_bytes(ty, &self.to_le_bytes()?, precision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ElementType;

    #[test]
    fn bytes_are_those_of_the_declared_type() {
        let ty = TensorType::new([2], ElementType::F32);
        let bytes = [0.1f32.to_le_bytes(), (-2.5f32).to_le_bytes()].concat();
        for precision in [Precision::Declared, Precision::Wide] {
            let tensor = Tensor::from_le_bytes(&ty, &bytes, precision).unwrap();
            assert_eq!(tensor.storage(), precision.storage(ElementType::F32).unwrap());
            assert_eq!(tensor.to_f64_vec(), [f64::from(0.1f32), -2.5]);
            assert_eq!(tensor.to_le_bytes().unwrap(), bytes);
        }
        assert!(Tensor::from_le_bytes(&ty, &bytes[1..], Precision::Declared).is_err());
    }

    #[test]
    fn booleans_and_empty_tensors() {
        let ty = TensorType::new([3], ElementType::I1);
        let tensor = Tensor::from_le_bytes(&ty, &[0, 1, 255], Precision::Wide).unwrap();
        assert_eq!(tensor.to_le_bytes().unwrap(), [0, 1, 1]);
        let empty = TensorType::new([4, 0], ElementType::F64);
        assert!(
            Tensor::from_le_bytes(&empty, &[], Precision::Declared)
                .unwrap()
                .to_le_bytes()
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn bits_are_taken_after_rounding_to_the_declared_type() {
        let wide = Tensor::from_vec(ElementType::F32, [1], vec![0.1f64]);
        let bits = wide.bitcast(&TensorType::new([1], ElementType::Ui32), Precision::Wide).unwrap();
        assert_eq!(bits.dense::<u32>().unwrap()[..], [0.1f32.to_bits()]);
        let bytes = bits.bitcast(&TensorType::new([1, 4], ElementType::Ui8), Precision::Wide).unwrap();
        assert_eq!(bytes.dense::<u8>().unwrap()[..], 0.1f32.to_le_bytes());
        assert!(bits.bitcast(&TensorType::new([1], ElementType::Ui8), Precision::Wide).is_err());
    }
}
