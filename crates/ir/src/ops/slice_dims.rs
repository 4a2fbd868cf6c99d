//! How `gather` and `scatter` relate the dims of a table, of the indices into it and of the slices taken out of it
//! or written to it (specification, "gather" and "scatter": the two have the same dimension numbers under
//! different names).
//!
//! The *table* is gather's operand and scatter's input; the *slices* are gather's result and scatter's updates: one
//! slice per index vector, its window dims being those of the table that are neither collapsed nor batched.

use crate::attribute::Attr;
use crate::op::Violations;
use crate::text::DialectFields;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Precision, StorageKind, Tensor, allocatable_len, convert};

/// The dimension numbers of a gather or a scatter.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct SliceDims {
    /// Dims of the slices tensor that lie inside a slice (`offset_dims`, `update_window_dims`).
    pub window: Vec<usize>,
    /// Dims of the table of which a slice takes one position (`collapsed_slice_dims`, `inserted_window_dims`).
    pub collapsed: Vec<usize>,
    /// Dims of the table that go along with the indices (`operand_batching_dims`, `input_batching_dims`).
    pub table_batching: Vec<usize>,
    /// Dims of the indices that go along with the table, pairwise.
    pub indices_batching: Vec<usize>,
    /// The table's dim that each component of an index vector addresses.
    pub index_map: Vec<usize>,
    /// The dim of the indices that holds the components; their rank if an index is one number.
    pub index_vector_dim: usize,
}

/// Words by which an op calls its dimension numbers, and the specification's numbers of their rules. Lists are in the
/// order of MLIR's printer, which is that of [`SliceDims`].
#[derive(Debug)]
pub struct Spelling {
    /// The attribute's name, without `#`.
    pub attribute: &'static str,
    /// The fields' names.
    pub fields: [&'static str; 6],
    /// Constraints: each list is in range.
    range: [u8; 5],
    /// Constraints: each list is without repetition, some together with another list.
    unique: [u8; 5],
    /// Constraints: the first three lists are sorted.
    sorted: [u8; 3],
    /// Constraint: the lists make up the table's rank.
    rank: u8,
    /// Constraint: `index_vector_dim` is in range.
    vector_dim: u8,
    /// Constraint: there is an index map entry per component.
    components: u8,
    /// Constraints: `index_vector_dim` is not batched; as many dims are batched in both; their sizes agree.
    batching: [u8; 3],
}

/// As `gather` has it.
pub const GATHER: Spelling = Spelling {
    attribute: "stablehlo.gather",
    fields: [
        "offset_dims",
        "collapsed_slice_dims",
        "operand_batching_dims",
        "start_indices_batching_dims",
        "start_index_map",
        "index_vector_dim",
    ],
    range: [5, 8, 11, 14, 19],
    unique: [4, 6, 6, 13, 18],
    sorted: [4, 7, 10],
    rank: 1,
    vector_dim: 2,
    components: 3,
    batching: [15, 16, 17],
};

/// As `scatter` has it.
pub const SCATTER: Spelling = Spelling {
    attribute: "stablehlo.scatter",
    fields: [
        "update_window_dims",
        "inserted_window_dims",
        "input_batching_dims",
        "scatter_indices_batching_dims",
        "scatter_dims_to_operand_dims",
        "index_vector_dim",
    ],
    range: [8, 11, 13, 15, 21],
    unique: [7, 9, 9, 14, 20],
    sorted: [7, 10, 12],
    rank: 2,
    vector_dim: 22,
    components: 19,
    batching: [16, 17, 18],
};

/// Purposes of a dim of the indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// Goes along with this dim of the table.
    Batching(usize),
    /// Only counts index vectors.
    Free,
}

impl SliceDims {
    /// Reads `#stablehlo.gather<...>` or `#stablehlo.scatter<...>`.
    pub fn read(attribute: &Attr, spelling: &Spelling) -> Result<Self, String> {
        let mut fields = DialectFields::of(attribute, spelling.attribute)?;
        let names = spelling.fields;
        let index_vector_dim = fields.int_or(names[5], 0)?;
        let dims = Self {
            window: fields.dims(names[0])?,
            collapsed: fields.dims(names[1])?,
            table_batching: fields.dims(names[2])?,
            indices_batching: fields.dims(names[3])?,
            index_map: fields.dims(names[4])?,
            index_vector_dim: usize::try_from(index_vector_dim)
                .map_err(|_| format!("C{}: `index_vector_dim` is {index_vector_dim}", spelling.vector_dim))?,
        };
        fields.finish()?;
        Ok(dims)
    }

    /// The attribute as MLIR prints it: empty lists and a zero are left out.
    pub fn write(&self, spelling: &Spelling) -> Attr {
        let mut fields: Vec<String> = self
            .lists()
            .into_iter()
            .zip(spelling.fields)
            .filter(|(list, _)| !list.is_empty())
            .map(|(list, name)| format!("{name} = {list:?}"))
            .collect();
        if self.index_vector_dim != 0 {
            fields.push(format!("{} = {}", spelling.fields[5], self.index_vector_dim));
        }
        Attr::Dialect(format!("#{}<{}>", spelling.attribute, fields.join(", ")).into())
    }

    fn lists(&self) -> [&Vec<usize>; 5] {
        [&self.window, &self.collapsed, &self.table_batching, &self.indices_batching, &self.index_map]
    }

    /// The table's dims that a slice keeps, in order; one per window dim.
    pub fn table_window(&self, table_rank: usize) -> Vec<usize> {
        let is_kept = |dim: &usize| !self.collapsed.contains(dim) && !self.table_batching.contains(dim);
        (0..table_rank).filter(is_kept).collect()
    }

    /// The dims of the slices tensor that count slices, in order.
    pub fn slice_loops(&self, slices_rank: usize) -> Vec<usize> {
        (0..slices_rank).filter(|dim| !self.window.contains(dim)).collect()
    }

    /// The dims of the indices that count index vectors, in order, with what each is for.
    pub fn index_loops(&self, indices_rank: usize) -> Vec<(usize, Loop)> {
        let role = |dim: usize| match self.indices_batching.iter().position(|other| *other == dim) {
            Some(at) => Loop::Batching(self.table_batching[at]),
            None => Loop::Free,
        };
        (0..indices_rank).filter(|dim| *dim != self.index_vector_dim).map(|dim| (dim, role(dim))).collect()
    }

    /// Checks everything that does not depend on slice sizes. Returns whether all that shapes are computed from holds.
    pub fn verify(
        &self,
        table: &TensorType,
        indices: &TensorType,
        slices_rank: usize,
        spelling: &Spelling,
        violations: &mut Violations,
    ) -> bool {
        let names = spelling.fields;
        let integers = indices.element.is_integer();
        violations.require(integers, || "the indices must be signed or unsigned integers".into());
        let mut fits = self.verify_lists(table, indices, slices_rank, spelling, violations);
        fits &= violations.require(
            table.rank() == self.window.len() + self.collapsed.len() + self.table_batching.len(),
            || {
                let [window, collapsed, batching, ..] = names;
                let (constraint, rank) = (spelling.rank, table.rank());
                format!(
                    "C{constraint}: `{window}`, `{collapsed}` and `{batching}` should make up the rank {rank}"
                )
            },
        );
        fits &= violations.require(self.index_vector_dim <= indices.rank(), || {
            let (constraint, dim, rank) = (spelling.vector_dim, self.index_vector_dim, indices.rank());
            format!("C{constraint}: `index_vector_dim` {dim} exceeds the rank {rank} of the indices")
        });
        let components = indices.shape.get(self.index_vector_dim).copied().unwrap_or(1);
        fits &= violations.require(self.index_map.len() == components, || {
            let constraint = spelling.components;
            format!(
                "C{constraint}: `{}` should have {components} entries, one per component of an index",
                names[4]
            )
        });
        let [not_batched, lengths, sizes] = spelling.batching;
        fits &= violations.require(!self.indices_batching.contains(&self.index_vector_dim), || {
            format!("C{not_batched}: `{}` holds `index_vector_dim`", names[3])
        });
        fits &= violations.require(self.table_batching.len() == self.indices_batching.len(), || {
            format!("C{lengths}: `{}` and `{}` differ in length", names[2], names[3])
        });
        if fits {
            for (table_dim, dim) in self.table_batching.iter().zip(&self.indices_batching) {
                let (left, right) = (table.shape[*table_dim], indices.shape[*dim]);
                fits &= violations.require(left == right, || {
                    format!("C{sizes}: batching dims {table_dim} and {dim} have sizes {left} and {right}")
                });
            }
        }
        fits && integers
    }

    fn verify_lists(
        &self,
        table: &TensorType,
        indices: &TensorType,
        slices_rank: usize,
        spelling: &Spelling,
        violations: &mut Violations,
    ) -> bool {
        let ranks = [slices_rank, table.rank(), table.rank(), indices.rank(), table.rank()];
        let mut fits = true;
        for (position, (list, rank)) in self.lists().into_iter().zip(ranks).enumerate() {
            let name = spelling.fields[position];
            fits &= violations.require(list.iter().all(|dim| *dim < rank), || {
                let constraint = spelling.range[position];
                format!("C{constraint}: `{name}` = {list:?} should hold dims below the rank {rank}")
            });
            let mut distinct = list.clone();
            distinct.sort_unstable();
            distinct.dedup();
            fits &= violations.require(distinct.len() == list.len(), || {
                format!("C{}: `{name}` = {list:?} holds a dim twice", spelling.unique[position])
            });
            let constraint = spelling.sorted.get(position);
            violations.require(constraint.is_none() || list.is_sorted(), || {
                format!("C{}: `{name}` = {list:?} is not sorted", spelling.sorted[position])
            });
        }
        for (position, list) in [(1, &self.collapsed), (4, &self.index_map)] {
            fits &= violations.require(list.iter().all(|dim| !self.table_batching.contains(dim)), || {
                let (name, batching) = (spelling.fields[position], spelling.fields[2]);
                format!("C{}: `{name}` and `{batching}` have a dim in common", spelling.unique[position])
            });
        }
        fits
    }

    /// The shape of the slices tensor for index vectors of `indices` and windows of `window`.
    pub fn slices_shape(&self, indices: &TensorType, window: &[usize]) -> Vec<usize> {
        let sizes = indices.shape.iter().enumerate().filter(|(dim, _)| *dim != self.index_vector_dim);
        let rank = sizes.clone().count() + window.len();
        let mut loops = sizes.map(|(_, size)| *size);
        let mut window = window.iter().copied();
        (0..rank)
            .map(|dim| if self.window.contains(&dim) { window.next() } else { loops.next() }.unwrap_or(0))
            .collect()
    }

    /// The permutation that brings the slices tensor into the order loops first, then window dims.
    pub fn loops_first(&self, slices_rank: usize) -> Vec<usize> {
        [self.slice_loops(slices_rank), self.window.clone()].concat()
    }

    /// Starts of all slices in the table: `table rank` numbers per index vector, in row-major order of the
    /// loops, as the indices say (neither clamped nor checked).
    pub fn starts(&self, indices: &Tensor, table_rank: usize) -> Result<Vec<i64>, EvalError> {
        let loops = self.index_loops(indices.rank());
        let shape: Vec<usize> = loops.iter().map(|(dim, _)| indices.shape()[*dim]).collect();
        let mut order: Vec<usize> = loops.iter().map(|(dim, _)| *dim).collect();
        if self.index_vector_dim < indices.rank() {
            order.push(self.index_vector_dim);
        }
        let vectors = indices.transpose(&order)?;
        let vectors = match vectors.storage() {
            // Beyond every table either way, but a large index must not wrap around to a negative one.
            StorageKind::U64 => {
                let saturate = |index: &u64| i64::try_from(*index).unwrap_or(i64::MAX);
                vectors.dense::<u64>()?.iter().map(saturate).collect()
            }
            _ => convert(&vectors, ElementType::I64, Precision::Declared)?.dense::<i64>()?.into_owned(),
        };
        let count: usize = shape.iter().product();
        let components = self.index_map.len();
        allocatable_len::<i64>(&[count, table_rank])?;
        let mut starts = vec![0; count * table_rank];
        let mut position = vec![0usize; shape.len()];
        for (vector, start) in starts.chunks_mut(table_rank.max(1)).enumerate().take(count) {
            for (component, dim) in self.index_map.iter().enumerate() {
                start[*dim] = vectors[vector * components + component];
            }
            for (at, (_, role)) in position.iter().zip(&loops) {
                if let Loop::Batching(dim) = role {
                    start[*dim] = *at as i64;
                }
            }
            for (at, size) in position.iter_mut().zip(&shape).rev() {
                *at += 1;
                if *at < *size {
                    break;
                }
                *at = 0;
            }
        }
        Ok(starts)
    }
}
