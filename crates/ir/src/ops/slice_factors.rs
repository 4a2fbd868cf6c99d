//! The factors of `gather` and `scatter` for propagation: which dims of table, indices and slices go together.
//!
//! Input: dimension numbers and the three types. Output: factors in the order of the slices' dims, then one per
//! collapsed dim of the table and one for the index vector. Facts after Shardy's `op_sharding_rule_registry.cc`.

use super::slice_dims::SliceDims;
use crate::sdy::rule_builder::FactorType;
use meshwright_tensor::types::TensorType;

/// The two ops whose factors are alike.
pub enum SliceOp {
    /// Slices are results.
    Gather,
    /// Slices are combined into the table; what a factor that only updates have does.
    Scatter(FactorType),
}

impl SliceDims {
    /// Calls `add` for each factor with the dims of table, indices and slices that it runs along, its size, what it
    /// does, and whether propagation along it is blocked.
    pub fn factors(
        &self,
        table: &TensorType,
        slices: &TensorType,
        indices: &TensorType,
        op: &SliceOp,
        mut add: impl FnMut([Option<usize>; 3], usize, FactorType, bool),
    ) {
        let (pass, whole) = (FactorType::PassThrough, FactorType::NeedReplication);
        let mut window = self.table_window(table.rank()).into_iter();
        let mut loops = (0..indices.rank()).filter(|dim| *dim != self.index_vector_dim);
        for (slice_dim, size) in slices.shape.iter().enumerate() {
            if !self.window.contains(&slice_dim) {
                let Some(indices_dim) = loops.next() else { continue };
                let at = self.indices_batching.iter().position(|other| *other == indices_dim);
                let table_dim = at.and_then(|at| self.table_batching.get(at).copied());
                let kind = match op {
                    SliceOp::Scatter(kind) if table_dim.is_none() => *kind,
                    _ => pass,
                };
                add([table_dim, Some(indices_dim), Some(slice_dim)], *size, kind, false);
                continue;
            }
            let Some(table_dim) = window.next() else { continue };
            let table_size = table.shape[table_dim];
            match op {
                _ if table_size == *size => add([Some(table_dim), None, Some(slice_dim)], *size, pass, false),
                SliceOp::Scatter(_) => {
                    add([Some(table_dim), None, None], table_size, whole, false);
                    add([None, None, Some(slice_dim)], *size, whole, false);
                }
                SliceOp::Gather if *size == 1 => {
                    add([Some(table_dim), None, None], table_size, FactorType::Reduction, false);
                    add([None, None, Some(slice_dim)], 1, whole, false);
                }
                SliceOp::Gather => add([Some(table_dim), None, Some(slice_dim)], table_size, whole, true),
            }
        }
        for dim in &self.collapsed {
            let size = table.shape[*dim];
            let kind = match op {
                SliceOp::Scatter(_) => pass,
                SliceOp::Gather if size == 1 => whole,
                SliceOp::Gather => FactorType::Reduction,
            };
            add([Some(*dim), None, None], size, kind, false);
        }
        if let Some(size) = indices.shape.get(self.index_vector_dim) {
            add([None, Some(self.index_vector_dim), None], *size, whole, false);
        }
    }
}
