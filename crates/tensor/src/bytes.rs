//! Little-endian bytes: the form of `dense<"0x...">` constants, of `.npy` arrays and of `bitcast_convert`.
//!
//! Types of less than eight bits and `i1` take one byte per element.

use super::layout::checked_len;
use super::{Complex, Element, Precision, Tensor, convert};
use crate::eval_error::EvalError;
use crate::literal::element_bytes;
use crate::minifloat::MiniFloat;
use crate::types::{ElementType, TensorType};

impl Tensor {
    /// Reads row-major elements of the declared type.
    pub fn from_le_bytes(ty: &TensorType, bytes: &[u8], precision: Precision) -> Result<Self, EvalError> {
        let size = element_bytes(ty.element);
        let len = checked_len::<Complex<f64>>(&ty.shape)?;
        if bytes.len() != len * size {
            let message = format!("{ty} takes {} bytes of data but has {}", len * size, bytes.len());
            return Err(EvalError::new(message));
        }
        let declared = match MiniFloat::of(ty.element) {
            Some(format) => {
                let elements = bytes.iter().map(|code| format.decode(*code) as f32).collect();
                Self::from_vec(ty.element, ty.shape.clone(), elements)
            }
            None => crate::dispatch!(Precision::Declared.storage(ty.element), D => {
                let elements = bytes.chunks_exact(size).map(D::read_le).collect();
                Self::from_vec(ty.element, ty.shape.clone(), elements)
            }),
        };
        convert(&declared, ty.element, precision)
    }

    /// The elements in row-major order, each rounded to the declared type. Small integers are sign-extended.
    pub fn to_le_bytes(&self) -> Result<Vec<u8>, EvalError> {
        let declared = convert(self, self.element, Precision::Declared)?;
        if let Some(format) = MiniFloat::of(self.element) {
            let elements = declared.dense::<f32>()?;
            return Ok(elements.iter().map(|value| format.encode(f64::from(*value))).collect());
        }
        let mut bytes = Vec::new();
        crate::dispatch!(declared.storage(), D => {
            let elements = declared.dense::<D>()?;
            bytes.reserve_exact(elements.len() * size_of::<D>());
            elements.iter().for_each(|value| value.write_le(&mut bytes));
        });
        Ok(bytes)
    }

    /// The bits of these elements (rounded to their declared type) as elements of another type and shape, as
    /// `bitcast_convert` defines it: the first of several narrow elements is the low end of a wide one. The number of
    /// bits must be the same.
    pub fn bitcast(&self, ty: &TensorType, precision: Precision) -> Result<Self, EvalError> {
        let bytes = self.to_le_bytes()?;
        let [from, to] = [self.element, ty.element].map(|element| match element {
            ElementType::I1 => 1,
            other => other.bits(),
        });
        if [from, to].iter().all(|bits| bits % 8 == 0) {
            return Self::from_le_bytes(ty, &bytes, precision);
        }
        let len = checked_len::<Complex<f64>>(&ty.shape)?;
        if self.num_elements().checked_mul(from) != len.checked_mul(to) {
            return Err(EvalError::new(format!("the bits of {} do not make a {ty}", self.ty())));
        }
        let bits = bytes
            .chunks(from.div_ceil(8))
            .flat_map(|element| (0..from).map(|at| element[at / 8] >> (at % 8) & 1));
        let mut regrouped = vec![0; len * to.div_ceil(8)];
        for (index, bit) in bits.enumerate() {
            let within = index % to;
            regrouped[index / to * to.div_ceil(8) + within / 8] |= bit << (within % 8);
        }
        Self::from_le_bytes(ty, &regrouped, precision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_the_declared_type() {
        let ty = TensorType::new([2], ElementType::F32);
        let bytes = [0.1f32.to_le_bytes(), (-2.5f32).to_le_bytes()].concat();
        for precision in [Precision::Declared, Precision::Wide] {
            let tensor = Tensor::from_le_bytes(&ty, &bytes, precision).unwrap();
            assert_eq!(tensor.storage(), precision.storage(ElementType::F32));
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
        let nibbles = bits.bitcast(&TensorType::new([1, 8], ElementType::I4), Precision::Wide).unwrap();
        assert_eq!(nibbles.to_i64_vec(), [-3, -4, -4, -4, -4, -4, -3, 3]);
        let back = nibbles.bitcast(&TensorType::new([1], ElementType::F32), Precision::Declared).unwrap();
        assert_eq!(back.dense::<f32>().unwrap()[..], [0.1]);
        let flags =
            Tensor::from_vec(ElementType::I1, [8], vec![true, false, false, true, true, false, false, false]);
        let byte = flags.bitcast(&TensorType::new([], ElementType::F8E5M2), Precision::Declared).unwrap();
        assert_eq!(byte.to_le_bytes().unwrap(), [0b11001]);
    }
}
