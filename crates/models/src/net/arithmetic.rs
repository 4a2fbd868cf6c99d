//! Arithmetic on whole tensors, as models are written: with numbers, along dims, and parts of tensors.

use meshwright_ir::build::Builder;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::concatenate::Concatenate;
use meshwright_ir::ops::gather::Gather;
use meshwright_ir::ops::pad::Pad;
use meshwright_ir::ops::reduce::Reduce;
use meshwright_ir::ops::reduce_window::ReduceWindow;
use meshwright_ir::ops::reducer::neutral;
use meshwright_ir::ops::reshape::Reshape;
use meshwright_ir::ops::select::Select;
use meshwright_ir::ops::slice::Slice;
use meshwright_ir::ops::slice_dims::SliceDims;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::literal::{Literal, LiteralData, element_bytes};
use meshwright_tensor::types::{ElementType, TensorType};
use std::ops::Range;

/// Arithmetic on whole tensors.
pub trait Arithmetic: Builder {
    /// An op on all elements and a number.
    fn with(&mut self, op: Binary, value: ValueId, number: f64) -> ValueId {
        let ty = self.ty(value);
        let number = self.splat(ty, number);
        self.binary(op, value, number)
    }

    /// An elementwise function.
    fn map(&mut self, op: Unary, value: ValueId) -> ValueId {
        let ty = self.ty(value);
        self.emit(op, &[value], ty)
    }

    /// An op on a tensor and one that has only its dims `dims`.
    fn along(&mut self, op: Binary, value: ValueId, other: ValueId, dims: &[usize]) -> ValueId {
        let shape = self.ty(value).shape;
        let other = self.broadcast(other, &shape, dims.to_vec());
        self.binary(op, value, other)
    }

    /// The same elements in another shape.
    fn reshape(&mut self, value: ValueId, shape: &[usize]) -> ValueId {
        let ty = self.ty(value);
        if ty.shape == shape {
            return value;
        }
        self.emit(Reshape, &[value], TensorType::new(shape, ty.element))
    }

    /// Positions `range` along a dim.
    fn part(&mut self, value: ValueId, dim: usize, range: Range<usize>) -> ValueId {
        let shape = self.ty(value).shape;
        if range == (0..shape[dim]) {
            return value;
        }
        let mut start = vec![0; shape.len()];
        let mut limit = shape;
        (start[dim], limit[dim]) = (range.start, range.end);
        let stride = vec![1; start.len()];
        self.add(Slice { start, limit, stride }, &[value])
    }

    /// Parts of these sizes, one behind the other along a dim.
    fn parts(&mut self, value: ValueId, dim: usize, sizes: &[usize]) -> Vec<ValueId> {
        let ends: Vec<usize> = sizes
            .iter()
            .scan(0, |end, size| {
                *end += size;
                Some(*end)
            })
            .collect();
        ends.iter().zip(sizes).map(|(end, size)| self.part(value, dim, end - size..*end)).collect()
    }

    /// Every `stride`th position along a dim, beginning with `start`.
    fn every(&mut self, value: ValueId, dim: usize, start: usize, stride: usize) -> ValueId {
        let limit = self.ty(value).shape;
        let (mut starts, mut strides) = (vec![0; limit.len()], vec![1; limit.len()]);
        (starts[dim], strides[dim]) = (start, stride);
        self.add(Slice { start: starts, limit, stride: strides }, &[value])
    }

    /// Tensors one behind the other along a dim.
    fn joined(&mut self, values: &[ValueId], dim: usize) -> ValueId {
        self.add(Concatenate { dim }, values)
    }

    /// A tensor with zeros in front of it and behind it along a dim.
    fn padded(&mut self, value: ValueId, dim: usize, low: usize, high: usize) -> ValueId {
        if low + high == 0 {
            return value;
        }
        let ty = self.ty(value);
        let zero = self.splat(TensorType::scalar(ty.element), 0.0);
        let at =
            |size: usize| (0..ty.rank()).map(|other| if other == dim { size as i64 } else { 0 }).collect();
        self.add(Pad { low: at(low), high: at(high), interior: vec![0; ty.rank()] }, &[value, zero])
    }

    /// The largest elements along dims.
    fn largest(&mut self, value: ValueId, dims: Vec<usize>) -> ValueId {
        let ty = self.ty(value);
        let kept = (0..ty.rank()).filter(|dim| !dims.contains(dim)).map(|dim| ty.shape[dim]);
        let result = TensorType::new(kept.collect::<Vec<_>>(), ty.element);
        let init = neutral(Reduction::Max, ty.element).expect("numbers that are compared have a least one");
        let init = self.constant(init);
        let reducer = self.pairwise(Binary::Maximum, TensorType::scalar(ty.element));
        self.emit_all(Reduce { dims }, &[value, init], vec![reducer], vec![result.into()])[0]
    }

    /// Sums of each element and all in front of it along a dim.
    fn running_sum(&mut self, value: ValueId, dim: usize) -> ValueId {
        let ty = self.ty(value);
        let (mut sizes, mut padding) = (vec![1; ty.rank()], vec![0; 2 * ty.rank()]);
        sizes[dim] = ty.shape[dim];
        padding[2 * dim] = ty.shape[dim] as i64 - 1;
        let window = ReduceWindow {
            sizes,
            strides: None,
            base_dilations: None,
            window_dilations: None,
            padding: Some(padding),
        };
        let zero = self.splat(TensorType::scalar(ty.element), 0.0);
        let reducer = self.pairwise(Binary::Add, TensorType::scalar(ty.element));
        self.emit_all(window, &[value, zero], vec![reducer], vec![ty.into()])[0]
    }

    /// One of two tensors, element by element.
    fn select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        let ty = self.ty(yes);
        self.emit(Select, &[condition, yes, no], ty)
    }

    /// `value` where a condition holds, else a number.
    fn masked(&mut self, condition: ValueId, value: ValueId, number: f64) -> ValueId {
        let ty = self.ty(value);
        let number = self.splat(ty, number);
        self.select(condition, value, number)
    }

    /// A list of numbers.
    fn numbers(&mut self, values: &[f64], element: ElementType) -> ValueId {
        let ty = TensorType::new([values.len()], element);
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| match Literal::splat(TensorType::scalar(element), *value).data {
                LiteralData::Splat(bytes) => bytes.to_vec(),
                _ => vec![0; element_bytes(element)],
            })
            .collect();
        self.constant(Literal { ty, data: LiteralData::Dense(bytes.into()) }.normalized())
    }

    /// The rows of a table at positions.
    fn rows(&mut self, table: ValueId, positions: ValueId) -> ValueId {
        let (table_ty, rank) = (self.ty(table), self.ty(positions).rank());
        let inner = table_ty.rank() - 1;
        let dims = SliceDims {
            window: (rank..rank + inner).collect(),
            collapsed: vec![0],
            index_map: vec![0],
            index_vector_dim: rank,
            ..SliceDims::default()
        };
        let slice_sizes = [&[1], &table_ty.shape[1..]].concat();
        self.add(Gather { dims, slice_sizes, indices_are_sorted: None }, &[table, positions])
    }

    /// Of each example's table (`[b, n, ...]`) the rows at the positions of that example (`[b, ...]`).
    fn rows_of_each(&mut self, tables: ValueId, positions: ValueId) -> ValueId {
        let (tables_ty, rank) = (self.ty(tables), self.ty(positions).rank());
        let inner = tables_ty.rank() - 2;
        let dims = SliceDims {
            window: (rank..rank + inner).collect(),
            collapsed: vec![1],
            table_batching: vec![0],
            indices_batching: vec![0],
            index_map: vec![1],
            index_vector_dim: rank,
        };
        let slice_sizes = [&[1, 1], &tables_ty.shape[2..]].concat();
        self.add(Gather { dims, slice_sizes, indices_are_sorted: None }, &[tables, positions])
    }

    /// The softmax along the last dim.
    fn softmax(&mut self, value: ValueId) -> ValueId {
        let last = self.ty(value).rank() - 1;
        let kept: Vec<usize> = (0..last).collect();
        let largest = self.largest(value, vec![last]);
        let shifted = self.along(Binary::Subtract, value, largest, &kept);
        let powers = self.map(Unary::Exponential, shifted);
        let total = self.sum(powers, vec![last]);
        self.along(Binary::Divide, powers, total, &kept)
    }

    /// `log(1 + exp(x))`.
    fn softplus(&mut self, x: ValueId) -> ValueId {
        let positive = self.with(Binary::Maximum, x, 0.0);
        let magnitude = self.map(Unary::Abs, x);
        let negative = self.map(Unary::Negate, magnitude);
        let power = self.map(Unary::Exponential, negative);
        let rest = self.map(Unary::LogPlusOne, power);
        self.plus(positive, rest)
    }

    /// The mean over the last dim.
    fn mean(&mut self, value: ValueId) -> ValueId {
        let ty = self.ty(value);
        let last = ty.rank() - 1;
        let total = self.sum(value, vec![last]);
        self.with(Binary::Divide, total, ty.shape[last] as f64)
    }
}

impl<B: Builder> Arithmetic for B {}
