//! How `gather` and `scatter` relate the dims of a table, of the indices into it and of the slices taken out of it
//! or written to it (specification, "gather" and "scatter": the two have the same dimension numbers under
//! different names).
//!
//! The *table* is gather's operand and scatter's input; the *slices* are gather's result and scatter's updates: one
//! slice per index vector, its window dims being those of the table that are neither collapsed nor batched.

use crate::attribute::Attr;
use crate::eval_error::EvalError;
use crate::op::Violations;
use crate::tensor::{StorageKind, Tensor};
use crate::text::DialectFields;
use crate::types::TensorType;

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

/// The field names of `#stablehlo.gather<...>`, in the order of MLIR's printer.
pub const GATHER: [&str; 6] = [
    "offset_dims",
    "collapsed_slice_dims",
    "operand_batching_dims",
    "start_indices_batching_dims",
    "start_index_map",
    "index_vector_dim",
];

/// The field names of `#stablehlo.scatter<...>`, in the order of MLIR's printer.
pub const SCATTER: [&str; 6] = [
    "update_window_dims",
    "inserted_window_dims",
    "input_batching_dims",
    "scatter_indices_batching_dims",
    "scatter_dims_to_operand_dims",
    "index_vector_dim",
];

/// What a dim of the indices is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loop {
    /// Goes along with this dim of the table.
    Batching(usize),
    /// Only counts index vectors.
    Free,
}

impl SliceDims {
    /// Reads `#stablehlo.gather<...>` or `#stablehlo.scatter<...>`.
    pub fn read(attribute: &Attr, name: &str, names: &[&str; 6]) -> Result<Self, String> {
        let mut fields = DialectFields::of(attribute, name)?;
        let index_vector_dim = fields.int_or(names[5], 0)?;
        let dims = Self {
            window: fields.dims(names[0])?,
            collapsed: fields.dims(names[1])?,
            table_batching: fields.dims(names[2])?,
            indices_batching: fields.dims(names[3])?,
            index_map: fields.dims(names[4])?,
            index_vector_dim: usize::try_from(index_vector_dim)
                .map_err(|_| format!("C2: `index_vector_dim` is {index_vector_dim}"))?,
        };
        fields.finish()?;
        Ok(dims)
    }

    /// The attribute as MLIR prints it: empty lists and a zero are left out.
    pub fn write(&self, name: &str, names: &[&str; 6]) -> Attr {
        let lists =
            [&self.window, &self.collapsed, &self.table_batching, &self.indices_batching, &self.index_map];
        let mut fields: Vec<String> = lists
            .into_iter()
            .zip(names)
            .filter(|(list, _)| !list.is_empty())
            .map(|(list, name)| format!("{name} = {list:?}"))
            .collect();
        if self.index_vector_dim != 0 {
            fields.push(format!("{} = {}", names[5], self.index_vector_dim));
        }
        Attr::Dialect(format!("#{name}<{}>", fields.join(", ")).into())
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

    /// Checks everything that does not depend on slice sizes. `names` are those of the fields. Returns whether all
    /// dims are in range and distinct.
    pub fn verify(
        &self,
        table: &TensorType,
        indices: &TensorType,
        slices_rank: usize,
        names: &[&str; 6],
        violations: &mut Violations,
    ) -> bool {
        let lists =
            [&self.window, &self.collapsed, &self.table_batching, &self.indices_batching, &self.index_map];
        let ranks = [slices_rank, table.rank(), table.rank(), indices.rank(), table.rank()];
        let mut fits = violations.require(indices.element.is_integer(), || {
            "the indices must be signed or unsigned integers".into()
        });
        for ((list, rank), name) in lists.into_iter().zip(ranks).zip(names) {
            fits &= violations.require(list.iter().all(|dim| *dim < rank), || {
                format!("`{name}` = {list:?} should hold dims below the rank {rank}")
            });
            let mut sorted = list.clone();
            sorted.sort_unstable();
            sorted.dedup();
            fits &= violations
                .require(sorted.len() == list.len(), || format!("`{name}` = {list:?} holds a dim twice"));
        }
        for (list, name) in lists[..3].iter().zip(names) {
            violations.require(list.is_sorted(), || format!("`{name}` = {list:?} is not sorted"));
        }
        let both = |a: &[usize], b: &[usize]| a.iter().any(|dim| b.contains(dim));
        fits &= violations.require(!both(&self.collapsed, &self.table_batching), || {
            format!("`{}` and `{}` have a dim in common", names[1], names[2])
        });
        fits &= violations.require(!both(&self.index_map, &self.table_batching), || {
            format!("`{}` and `{}` have a dim in common", names[4], names[2])
        });
        fits &= violations.require(
            table.rank() == self.window.len() + self.collapsed.len() + self.table_batching.len(),
            || {
                format!(
                    "`{}`, `{}` and `{}` should make up the rank {}",
                    names[0],
                    names[1],
                    names[2],
                    table.rank()
                )
            },
        );
        fits &= violations.require(self.index_vector_dim <= indices.rank(), || {
            format!(
                "`index_vector_dim` {} exceeds the rank {} of the indices",
                self.index_vector_dim,
                indices.rank()
            )
        });
        let components = indices.shape.get(self.index_vector_dim).copied().unwrap_or(1);
        fits &= violations.require(self.index_map.len() == components, || {
            format!("`{}` should have {components} entries, one per component of an index", names[4])
        });
        fits &= violations.require(!self.indices_batching.contains(&self.index_vector_dim), || {
            format!("`{}` holds `index_vector_dim`", names[3])
        });
        fits &= violations.require(self.table_batching.len() == self.indices_batching.len(), || {
            format!("`{}` and `{}` differ in length", names[2], names[3])
        });
        fits &= violations
            .require(self.slice_loops(slices_rank).len() + self.window.len() == slices_rank, || {
                format!("`{}` does not fit rank {slices_rank}", names[0])
            });
        if fits {
            for (table_dim, dim) in self.table_batching.iter().zip(&self.indices_batching) {
                let sizes = (table.shape[*table_dim], indices.shape[*dim]);
                fits &= violations.require(sizes.0 == sizes.1, || {
                    format!("batching dims {table_dim} and {dim} have sizes {} and {}", sizes.0, sizes.1)
                });
            }
        }
        fits
    }

    /// The shape of the slices tensor for index vectors of `indices` and windows of `window`.
    pub fn slices_shape(&self, indices: &TensorType, window: &[usize]) -> Vec<usize> {
        let loops = self.index_loops(indices.rank());
        let rank = loops.len() + window.len();
        let mut loops = loops.into_iter().map(|(dim, _)| indices.shape[dim]);
        let mut window = window.iter().copied();
        (0..rank)
            .map(|dim| if self.window.contains(&dim) { window.next() } else { loops.next() }.unwrap_or(0))
            .collect()
    }

    /// The permutation that brings the slices tensor into the order loops first, then window dims.
    pub fn loops_first(&self, slices_rank: usize) -> Vec<usize> {
        [self.slice_loops(slices_rank), self.window.clone()].concat()
    }

    /// Where every slice starts in the table: `table rank` numbers per index vector, in row-major order of the
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
            _ => vectors.to_i64_vec(),
        };
        let count: usize = shape.iter().product();
        let components = self.index_map.len();
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
