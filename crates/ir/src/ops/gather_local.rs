//! The local form of `gather` where the table is sharded along an indexed dim.

use super::gather::Gather;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};

/// Emits the local gather. Sizes in the attributes become local ones.
pub(super) fn localize(gather: &Gather, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let mut local = gather.clone();
    let table = cx.view.operand(0);
    for (dim, size) in cx.operand(0).shape.iter().enumerate() {
        if gather.slice_sizes[dim] == table.shape[dim] {
            local.slice_sizes[dim] = *size;
        }
    }
    b.emit(local.into(), cx.operands, &[], cx.result_types.to_vec())
}
