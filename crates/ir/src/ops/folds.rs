//! Reductions written out: parts of tensors combined element by element, in about as many steps as their size doubles. The
//! backward pass of a reducer that has none of its own is that of these.
//!
//! Input: tensors of one shape, of which the reducer combines elements along a dim. Their order is kept, so that the reducer
//! need not commute; that it is associative the specification asks for.

use super::binary::Binary;
use super::compare::Direction;
use super::concatenate::Concatenate;
use super::pad::Pad;
use super::reducer::reducer;
use super::reverse::Reverse;
use super::slice::Slice;
use super::vectorize_region::{ElementwiseRegion, VectorizedRegion};
use super::window::WindowDim;
use crate::build::Builder;
use crate::ids::ValueId;
use crate::program::InstView;
use meshwright_tensor::types::TensorType;

/// A combination of the elements of two lists of tensors.
pub(super) enum Combiner {
    /// By an op that is associative.
    Op(Binary),
    /// The left element where it compares so with the right one.
    LeftIf(Direction),
    /// By a region.
    Region(ElementwiseRegion),
}

impl Combiner {
    /// The one of a region that reduces; `None` if the order in which it combines is open, or if it is not made of
    /// elementwise ops.
    pub(super) fn of(view: &InstView<'_>, index: usize) -> Option<Self> {
        match reducer(view.body, view.region(index)) {
            Some(op) => op.reduction().map(|_| Self::Op(op)),
            None => Some(Self::Region(VectorizedRegion::new(view, index)?.elementwise())),
        }
    }

    /// What it makes of tensors of one shape.
    pub(super) fn combine(&self, b: &mut impl Builder, left: &[ValueId], right: &[ValueId]) -> Vec<ValueId> {
        match self {
            Self::Op(op) => left.iter().zip(right).map(|(one, other)| b.binary(*op, *one, *other)).collect(),
            Self::LeftIf(direction) => {
                let pairs = left.iter().zip(right);
                let choose = |(one, other): (&ValueId, &ValueId)| {
                    let is_left = b.compare(*direction, *one, *other);
                    b.choose(is_left, *one, *other)
                };
                pairs.map(choose).collect()
            }
            Self::Region(region) => {
                let written = region.write(&[left, right].concat(), b);
                written.expect("a region that reduces takes elements")
            }
        }
    }

    /// All elements along the last dim, which is none behind it. There is at least one.
    pub(super) fn whole(&self, b: &mut impl Builder, mut rows: Vec<ValueId>) -> Vec<ValueId> {
        let dim = b.ty(rows[0]).rank() - 1;
        loop {
            let size = b.ty(rows[0]).shape[dim];
            if size == 1 {
                let shape = b.ty(rows[0]).shape[..dim].to_vec();
                return rows.into_iter().map(|value| b.reshaped(value, &shape)).collect();
            }
            let paired = size / 2 * 2;
            let [one, other] = [0, 1].map(|start| sliced(b, &rows, dim, [start, paired, 2]));
            let pairs = self.combine(b, &one, &other);
            rows = match size - paired {
                0 => pairs,
                _ => {
                    let last = sliced(b, &rows, dim, [paired, size, 1]);
                    joined(b, &pairs, &last, dim)
                }
            };
        }
    }

    /// The elements of each window along a dim, of which padding and gaps are there already. There is at least one window.
    pub(super) fn windows(
        &self,
        b: &mut impl Builder,
        elements: Vec<ValueId>,
        dim: usize,
        window: &WindowDim,
        num_windows: usize,
    ) -> Vec<ValueId> {
        let end = (num_windows - 1) * window.stride + 1;
        // Runs of 1, 2, 4, ... positions from each element on, of which a window is put together.
        let (mut runs, mut length, mut covered) = (elements, 1, 0);
        let mut all: Option<Vec<ValueId>> = None;
        loop {
            if window.size & length != 0 {
                let start = covered * window.window_dilation;
                let part = sliced(b, &runs, dim, [start, start + end, window.stride]);
                all = Some(match all {
                    Some(before) => self.combine(b, &before, &part),
                    None => part,
                });
                covered += length;
            }
            if covered == window.size {
                return all.expect("a window has positions");
            }
            let (size, apart) = (b.ty(runs[0]).shape[dim], length * window.window_dilation);
            let one = sliced(b, &runs, dim, [0, size - apart, 1]);
            let other = sliced(b, &runs, dim, [apart, size, 1]);
            runs = self.combine(b, &one, &other);
            length *= 2;
        }
    }

    /// The elements up to each one along a dim, itself included: pairs first, as JAX's `associative_scan` does, so that equal
    /// elements share what is passed back as they do there.
    pub(super) fn running(&self, b: &mut impl Builder, elements: Vec<ValueId>, dim: usize) -> Vec<ValueId> {
        let size = b.ty(elements[0]).shape[dim];
        if size < 2 {
            return elements;
        }
        let one = sliced(b, &elements, dim, [0, size / 2 * 2, 2]);
        let other = sliced(b, &elements, dim, [1, size, 2]);
        let pairs = self.combine(b, &one, &other);
        let odd = self.running(b, pairs, dim);
        let first = sliced(b, &elements, dim, [0, 1, 1]);
        let num_even = size.div_ceil(2);
        let even = if num_even == 1 {
            first
        } else {
            let before = sliced(b, &odd, dim, [0, num_even - 1, 1]);
            let own = sliced(b, &elements, dim, [2, size, 2]);
            let behind = self.combine(b, &before, &own);
            joined(b, &first, &behind, dim)
        };
        let paired = sliced(b, &even, dim, [0, size / 2, 1]);
        let mixed = interleaved(b, &paired, &odd, dim);
        match size % 2 {
            0 => mixed,
            _ => {
                let last = sliced(b, &even, dim, [num_even - 1, num_even, 1]);
                joined(b, &mixed, &last, dim)
            }
        }
    }
}

/// Elements `start, start + stride, ...` below `limit` along a dim.
fn sliced(
    b: &mut impl Builder,
    values: &[ValueId],
    dim: usize,
    [start, limit, stride]: [usize; 3],
) -> Vec<ValueId> {
    let one = |value: &ValueId| {
        let mut ty = b.ty(*value);
        if [start, limit, stride] == [0, ty.shape[dim], 1] {
            return *value;
        }
        let rank = ty.rank();
        let mut slice = Slice { start: vec![0; rank], limit: ty.shape.to_vec(), stride: vec![1; rank] };
        (slice.start[dim], slice.limit[dim], slice.stride[dim]) = (start, limit, stride);
        ty.shape[dim] = (limit - start).div_ceil(stride);
        b.emit(slice, &[*value], ty)
    };
    values.iter().map(one).collect()
}

/// Tensors one behind the other along a dim.
fn joined(b: &mut impl Builder, values: &[ValueId], behind: &[ValueId], dim: usize) -> Vec<ValueId> {
    let pairs = values.iter().zip(behind);
    pairs.map(|(one, other)| b.add(Concatenate { dim }, &[*one, *other])).collect()
}

/// An element of the first and one of the second by turns along a dim.
fn interleaved(b: &mut impl Builder, first: &[ValueId], second: &[ValueId], dim: usize) -> Vec<ValueId> {
    let mut both = Vec::new();
    for (one, other) in first.iter().zip(second) {
        let shape = b.ty(*one).shape;
        let apart = [&shape[..=dim], &[1], &shape[dim + 1..]].concat();
        let [one, other] = [*one, *other].map(|value| b.reshaped(value, &apart));
        let pairs = b.add(Concatenate { dim: dim + 1 }, &[one, other]);
        let mut together = shape.to_vec();
        together[dim] *= 2;
        both.push(b.reshaped(pairs, &together));
    }
    both
}

/// Values with their elements along a dim from the last to the first.
pub(super) fn reversed(b: &mut impl Builder, values: Vec<ValueId>, dim: usize) -> Vec<ValueId> {
    values.into_iter().map(|value| b.unary(Reverse { dims: vec![dim] }, value)).collect()
}

/// A tensor with the padding and the gaps of windows, filled with a scalar.
pub(super) fn filled(b: &mut impl Builder, value: ValueId, with: ValueId, windows: &[WindowDim]) -> ValueId {
    let ty = b.ty(value);
    let pad = Pad {
        low: windows.iter().map(|window| window.low).collect(),
        high: windows.iter().map(|window| window.high).collect(),
        interior: windows.iter().map(|window| window.base_dilation - 1).collect(),
    };
    let sizes = windows.iter().zip(&ty.shape).map(|(window, size)| window.padded_size(*size).max(0) as usize);
    let shape: Vec<usize> = sizes.collect();
    if shape == ty.shape {
        return value;
    }
    b.emit(pad, &[value, with], TensorType::new(shape, ty.element))
}
