//! What commands say of computed values: type and range of each result.

use crate::table::{Lean, render};
use meshwright_present::shape;
use meshwright_tensor::Tensor;
use serde::Serialize;

/// Elements that are looked at together: their copies as `f64` take a few MiB.
const BLOCK: usize = 1 << 20;

/// One result of a run. Ranges are of the finite elements.
#[derive(Serialize)]
pub(crate) struct ValueRecord {
    name: String,
    shape: Vec<usize>,
    element: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<f64>,
    num_nonfinite: usize,
}

impl ValueRecord {
    /// Of result number `index`.
    pub(crate) fn of((index, tensor): (usize, &Tensor)) -> Self {
        let mut range = Range::default();
        range.add(tensor);
        Self {
            name: format!("out{index}"),
            shape: tensor.shape().to_vec(),
            element: tensor.element().to_string(),
            min: range.min,
            max: range.max,
            num_nonfinite: range.num_nonfinite,
        }
    }

    /// All of them, for people.
    pub(crate) fn table(records: &[Self]) -> String {
        let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.6e}"));
        let row = |record: &Self| {
            vec![
                record.name.clone(),
                shape(&record.shape),
                record.element.clone(),
                number(record.min),
                number(record.max),
                if record.num_nonfinite == 0 { String::new() } else { record.num_nonfinite.to_string() },
            ]
        };
        let head = [
            ("result", Lean::Left),
            ("shape", Lean::Left),
            ("element", Lean::Left),
            ("least", Lean::Right),
            ("largest", Lean::Right),
            ("not finite", Lean::Right),
        ];
        render(&head, &records.iter().map(row).collect::<Vec<_>>())
    }
}

/// The range of the finite elements, and how many the others are.
#[derive(Debug, Default, PartialEq)]
struct Range {
    min: Option<f64>,
    max: Option<f64>,
    num_nonfinite: usize,
}

impl Range {
    /// Adds all elements of a tensor, block by block and without copying what repeats: a tensor may be far larger than
    /// the memory that it takes.
    fn add(&mut self, tensor: &Tensor) {
        if tensor.num_elements() == 0 {
            return;
        }
        // Of dims along which elements repeat, one is enough.
        let distinct: Vec<usize> = tensor
            .shape()
            .iter()
            .zip(tensor.strides())
            .map(|(size, stride)| if *stride == 0 { 1 } else { *size })
            .collect();
        let times = tensor.num_elements() / distinct.iter().product::<usize>();
        let mut part = Range::default();
        part.add_distinct(&slice(tensor, &vec![0; tensor.rank()], &distinct));
        self.min = self.min.into_iter().chain(part.min).reduce(f64::min);
        self.max = self.max.into_iter().chain(part.max).reduce(f64::max);
        self.num_nonfinite += part.num_nonfinite * times;
    }

    fn add_distinct(&mut self, tensor: &Tensor) {
        let shape = tensor.shape();
        let outer = shape.iter().position(|size| *size > 1).filter(|_| tensor.num_elements() > BLOCK);
        let Some(dim) = outer else {
            for value in tensor.to_f64_vec() {
                if value.is_finite() {
                    self.min = Some(self.min.map_or(value, |min| min.min(value)));
                    self.max = Some(self.max.map_or(value, |max| max.max(value)));
                } else {
                    self.num_nonfinite += 1;
                }
            }
            return;
        };
        let rows = (BLOCK / (tensor.num_elements() / shape[dim])).max(1);
        for first in (0..shape[dim]).step_by(rows) {
            let (mut start, mut limit) = (vec![0; shape.len()], shape.to_vec());
            (start[dim], limit[dim]) = (first, (first + rows).min(shape[dim]));
            self.add_distinct(&slice(tensor, &start, &limit));
        }
    }
}

/// A block inside a tensor; shares its elements.
fn slice(tensor: &Tensor, start: &[usize], limit: &[usize]) -> Tensor {
    tensor.slice(start, limit, &vec![1; tensor.rank()]).expect("a block inside the shape")
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_tensor::Precision;
    use meshwright_tensor::types::{ElementType, TensorType};

    fn range(tensor: &Tensor) -> (Option<f64>, Option<f64>, usize) {
        let record = ValueRecord::of((0, tensor));
        (record.min, record.max, record.num_nonfinite)
    }

    #[test]
    fn ranges_are_of_finite_elements() {
        let values = vec![2.0, f32::NAN, -3.0, f32::INFINITY];
        let tensor = Tensor::from_vec(ElementType::F32, [4], values);
        assert_eq!(range(&tensor), (Some(-3.0), Some(2.0), 2));
        assert_eq!(range(&tensor.broadcast(&[4, 5], &[0]).unwrap()), (Some(-3.0), Some(2.0), 10));
        assert_eq!(range(&Tensor::from_vec(ElementType::F32, [0], Vec::<f32>::new())), (None, None, 0));
    }

    #[test]
    fn blocks_cover_large_tensors() {
        let len = 3 * BLOCK + 7;
        let values: Vec<i32> = (0..len as i32).collect();
        let flat = Tensor::from_vec(ElementType::I32, [len], values);
        assert_eq!(range(&flat), (Some(0.0), Some((len - 1) as f64), 0));
        let wide =
            Tensor::from_vec(ElementType::I32, [1, 2, BLOCK], (0..2 * BLOCK as i32).collect::<Vec<i32>>());
        assert_eq!(range(&wide), (Some(0.0), Some((2 * BLOCK - 1) as f64), 0));
    }

    #[test]
    fn what_repeats_takes_no_memory() {
        let huge = TensorType::new([1 << 20, 1 << 20], ElementType::F32);
        let counted = Tensor::iota(&huge, 0, Precision::Declared).unwrap();
        assert_eq!(range(&counted), (Some(0.0), Some(f64::from((1u32 << 20) - 1)), 0));
    }
}
