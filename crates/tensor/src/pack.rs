//! Strided copies: packing a view in row-major order, and writing a block into a larger tensor.
//!
//! Runs that are adjacent in both are copied whole; a transposed operand is copied in square tiles, so that each
//! cache line is used fully while it is there.

use rayon::prelude::*;

use super::kernels::{CHUNK, PARALLEL};
use super::layout::{Walk, row_major};

/// Side of the tiles in which transposed data is copied, in elements.
const TILE: usize = 32;

/// The elements of a view in row-major order.
pub(crate) fn pack<T: Copy + Default + Send + Sync>(
    source: &[T],
    offset: usize,
    shape: &[usize],
    strides: &[isize],
) -> Vec<T> {
    let len: usize = shape.iter().product();
    let mut packed = vec![T::default(); len];
    if len == 0 {
        return packed;
    }
    let walk = Walk::new(shape, [offset], [strides]);
    let strides: Vec<isize> = walk.strides().iter().map(|[stride]| *stride).collect();
    let block = |first: usize, rows: &mut [T]| {
        let mut shape = walk.shape().to_vec();
        let mut start = offset;
        if let Some(outer) = shape.first_mut() {
            let row_len = len / *outer;
            *outer = rows.len() / row_len;
            start = start.wrapping_add_signed(first as isize * strides[0]);
        }
        copy(rows, 0, &row_major(&shape), source, start, &strides, &shape);
    };
    if len < PARALLEL {
        block(0, &mut packed);
    } else {
        let row_len = len / walk.shape()[0];
        let rows = CHUNK.div_ceil(row_len).next_multiple_of(if row_len < CHUNK { TILE } else { 1 });
        packed.par_chunks_mut(rows * row_len).enumerate().for_each(|(chunk, out)| block(chunk * rows, out));
    }
    packed
}

/// Copies a block of `shape` from one strided layout to another.
pub fn copy<T: Copy>(
    target: &mut [T],
    target_offset: usize,
    target_strides: &[isize],
    source: &[T],
    source_offset: usize,
    source_strides: &[isize],
    shape: &[usize],
) {
    if shape.contains(&0) {
        return;
    }
    let walk = Walk::new(shape, [target_offset, source_offset], [target_strides, source_strides]);
    let len = walk.shape().iter().product();
    match walk.run_strides() {
        [1, 1] => walk.for_each_run(0, len, &mut |_, [to, from], n| {
            target[to..to + n].copy_from_slice(&source[from..from + n]);
        }),
        [1, 0] => walk.for_each_run(0, len, &mut |_, [to, from], n| target[to..to + n].fill(source[from])),
        [_, inner] => match second_dim(&walk, inner) {
            Some(dim) => copy_tiles(target, source, &walk, dim),
            None => {
                walk.for_each_run(0, len, &mut |_, at, n| copy_run(target, source, at, walk.run_strides(), n))
            }
        },
    }
}

/// The outer dim along which the source is closer together than along the innermost one, if there is one.
fn second_dim(walk: &Walk<2>, inner: isize) -> Option<usize> {
    let outer = walk.shape().len().checked_sub(1)?;
    let distance = |dim: &usize| walk.strides()[*dim][1].unsigned_abs();
    (0..outer)
        .filter(|dim| distance(dim) != 0)
        .min_by_key(distance)
        .filter(|dim| distance(dim) < inner.unsigned_abs())
}

fn copy_tiles<T: Copy>(target: &mut [T], source: &[T], walk: &Walk<2>, dim: usize) {
    let inner = walk.shape().len() - 1;
    let (rows, columns) = (walk.shape()[dim], walk.shape()[inner]);
    let (row_strides, column_strides) = (walk.strides()[dim], walk.strides()[inner]);
    for_each_outer(walk, dim, |at| {
        for first_row in (0..rows).step_by(TILE) {
            for first_column in (0..columns).step_by(TILE) {
                let n = TILE.min(columns - first_column);
                for row in first_row..rows.min(first_row + TILE) {
                    let shift = |operand: usize| {
                        row as isize * row_strides[operand] + first_column as isize * column_strides[operand]
                    };
                    let at = [at[0].wrapping_add_signed(shift(0)), at[1].wrapping_add_signed(shift(1))];
                    copy_run(target, source, at, column_strides, n);
                }
            }
        }
    });
}

/// Visits the offsets of all dims but `dim` and the innermost one.
fn for_each_outer(walk: &Walk<2>, dim: usize, mut visit: impl FnMut([usize; 2])) {
    let kept: Vec<usize> = (0..walk.shape().len() - 1).filter(|outer| *outer != dim).collect();
    let shape: Vec<usize> = kept.iter().map(|dim| walk.shape()[*dim]).collect();
    let strides =
        [0, 1].map(|operand| kept.iter().map(|dim| walk.strides()[*dim][operand]).collect::<Vec<_>>());
    let outer = Walk::new(&shape, walk.offsets(), [&strides[0], &strides[1]]);
    let run_strides = outer.run_strides();
    outer.for_each_run(0, shape.iter().product(), &mut |_, at, n| {
        for step in 0..n as isize {
            visit([0, 1].map(|operand| at[operand].wrapping_add_signed(step * run_strides[operand])));
        }
    });
}

#[inline(always)]
fn copy_run<T: Copy>(target: &mut [T], source: &[T], at: [usize; 2], strides: [isize; 2], n: usize) {
    if strides[0] == 1 {
        let (mut from, step) = (at[1], strides[1]);
        for value in &mut target[at[0]..at[0] + n] {
            *value = source[from];
            from = from.wrapping_add_signed(step);
        }
        return;
    }
    for step in 0..n as isize {
        let [to, from] = [0, 1].map(|operand| at[operand].wrapping_add_signed(step * strides[operand]));
        target[to] = source[from];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{locate, unravel};

    fn check(shape: &[usize], strides: &[isize], offset: usize) {
        let span: usize =
            shape.iter().zip(strides).map(|(size, stride)| (size - 1) * stride.unsigned_abs()).sum();
        let source: Vec<u32> = (0..(span + offset + 1) as u32).collect();
        let packed = pack(&source, offset, shape, strides);
        for (position, value) in packed.iter().enumerate() {
            assert_eq!(
                *value,
                source[locate(offset, &unravel(position, shape), strides)],
                "{shape:?} {strides:?}"
            );
        }
    }

    #[test]
    fn every_layout_packs_in_row_major_order() {
        check(&[], &[], 2);
        check(&[2, 3, 4], &[12, 4, 1], 0);
        check(&[4, 3, 2], &[1, 4, 12], 0);
        check(&[3, 2, 4], &[4, 12, 1], 5);
        check(&[70, 3, 45], &[1, 0, 70], 1);
        check(&[5, 40, 33, 2], &[2, 10, 400, 1], 0);
        check(&[33, 65], &[-1, 33], 32);
        check(&[33, 65], &[65, -1], 64);
        check(&[6, 5], &[2, 24], 0);
        check(&[3, 4], &[0, 0], 7);
    }

    #[test]
    fn large_views_are_packed_in_parallel_blocks() {
        check(&[300, 400], &[1, 300], 0);
        check(&[2, 300, 400], &[120_000, 1, 300], 0);
        check(&[100_000], &[-2], 199_998);
        check(&[400, 3, 100], &[100, 0, 1], 3);
    }
}
