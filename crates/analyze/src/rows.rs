//! Rows of stacks.
//!
//! Input: an instruction. Output: the row of its operand that it takes out, if it takes one out and says which: a slice along
//! the first dim, or a dynamic one from a constant.

use meshwright_ir::ids::InstId;
use meshwright_ir::op::Op;
use meshwright_ir::ops::constant::splat_of;
use meshwright_ir::program::Body;

/// The row of its operand that an instruction takes out.
pub fn row_of(body: &Body, inst: InstId) -> Option<usize> {
    match &body.insts[inst].op {
        Op::Slice(slice) => {
            let (first, limit) = (*slice.start.first()?, *slice.limit.first()?);
            (limit == first + 1).then_some(first)
        }
        Op::DynamicSlice(slice) if slice.sizes.first() == Some(&1) => {
            let first = splat_of(&body.view(inst), 1)?.to_ints()?;
            usize::try_from(*first.first()?).ok()
        }
        _ => None,
    }
}
