//! The local form of `scatter`.

use super::reducer::neutral;
use super::scatter::Scatter;
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};

/// Emits the local scatter; partial over the axes that shard the loops over updates.
pub(super) fn localize(scatter: &Scatter, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
    let region = b.copy_region(&cx.view, 0);
    let mut operands = cx.operands.to_vec();
    let partial = cx.partial_axes();
    if let (false, Some(reduction)) = (partial.is_empty(), scatter.reduction(&cx.view)) {
        let is_neutral = neutral(reduction, cx.operand(0).element)
            .and_then(|value| value.splat_f64())
            .is_some_and(|value| b.as_splat(operands[0]) == Some(value));
        if !is_neutral {
            operands[0] = b.once(operands[0], &partial, reduction);
        }
    }
    b.emit(scatter.clone().into(), &operands, &[region], cx.result_types.to_vec())
}
