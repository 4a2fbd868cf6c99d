//! Reading elements one by one or all as `f64`.

use super::{Element, Native, Scalar, Tensor, layout};
use crate::eval_error::EvalError;

impl Tensor {
    /// The element at `index`; none if it lies outside the shape.
    pub fn get(&self, index: &[usize]) -> Option<Scalar> {
        let inside = index.len() == self.rank() && index.iter().zip(&self.shape).all(|(at, size)| at < size);
        if !inside {
            return None;
        }
        let at = layout::locate(self.offset, index, &self.strides);
        crate::dispatch!(self.storage(), T => Some(T::elements(&self.buffer)?.get(at)?.scalar()))
    }

    /// The only element.
    pub fn to_scalar(&self) -> Result<Scalar, EvalError> {
        let value = if self.num_elements() == 1 { self.get(&vec![0; self.rank()]) } else { None };
        value.ok_or_else(|| EvalError::new(format!("{} where a single element is needed", self.ty())))
    }

    /// The only element as an integer, such as a start index. Unsigned values above `i64::MAX` saturate.
    pub fn scalar_as_i64(&self) -> Result<i64, EvalError> {
        Ok(match self.to_scalar()? {
            Scalar::Uint(value) => i64::try_from(value).unwrap_or(i64::MAX),
            value => value.cast(),
        })
    }

    /// The only element as a float.
    pub fn scalar_as_f64(&self) -> Result<f64, EvalError> {
        Ok(self.to_scalar()?.cast())
    }

    /// The only element as a condition: whether it is not zero.
    pub fn scalar_bool(&self) -> Result<bool, EvalError> {
        Ok(self.to_scalar()?.cast())
    }

    /// All elements in row-major order, as `f64` (64-bit integers may round; of complex numbers the real part).
    pub fn to_f64_vec(&self) -> Vec<f64> {
        self.cast_all()
    }

    /// All elements in row-major order, as `i64` (floats truncate, large unsigned integers wrap).
    pub fn to_i64_vec(&self) -> Vec<i64> {
        self.cast_all()
    }

    fn cast_all<D: Native>(&self) -> Vec<D> {
        crate::dispatch!(self.storage(), T => {
            let elements = self.dense::<T>().expect("dispatched on the storage");
            elements.iter().map(|value| value.scalar().cast::<D>()).collect()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::ElementType;

    #[test]
    fn elements_by_index() {
        let tensor = Tensor::from_vec(ElementType::I32, [2, 3], (0..6).collect::<Vec<i32>>());
        assert_eq!(tensor.get(&[1, 2]), Some(Scalar::Int(5)));
        assert_eq!(tensor.transpose(&[1, 0]).unwrap().get(&[2, 0]), Some(Scalar::Int(2)));
        assert_eq!(tensor.get(&[2, 0]), None);
        assert_eq!(tensor.get(&[0]), None);
    }

    #[test]
    fn single_elements() {
        assert_eq!(Tensor::scalar_i64(-3).scalar_as_i64(), Ok(-3));
        assert_eq!(Tensor::scalar_i1(true).scalar_bool(), Ok(true));
        assert_eq!(Tensor::from_vec(ElementType::Ui64, [1, 1], vec![u64::MAX]).scalar_as_i64(), Ok(i64::MAX));
        assert!(Tensor::from_vec(ElementType::F32, [2], vec![0f32; 2]).scalar_bool().is_err());
        assert!(Tensor::from_vec(ElementType::F32, [0], Vec::<f32>::new()).scalar_as_f64().is_err());
    }
}
