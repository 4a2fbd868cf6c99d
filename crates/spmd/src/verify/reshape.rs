//! Where the shards of a reshaped value are, read off local shapes.
//!
//! An axis that shards a dim stands just outside of the dim's local extent, so it keeps its place among the products
//! of local sizes counted from the minor end: `[2 over x, 8] -> [16]` has `x` outside of 16 elements before and after.
//! Dims of local size one have the same place as the dim before them, so `[8 over x] -> [1, 8]` may have `x` on either.

use super::meaning::{Meaning, Undecided};
use meshwright_ir::mesh::SubAxisId;
use meshwright_ir::program::InstView;

/// The meaning of a reshape's result.
pub(super) fn reshaped(view: &InstView<'_>, operand: &Meaning) -> Meaning {
    let (from, to) = (places(&view.operand(0).shape), places(&view.result(0).shape));
    let mut meaning = Meaning { partial: operand.partial, own: operand.own, ..Meaning::same(to.len()) };
    let all = |rank: usize| u64::MAX.checked_shr(64 - rank.min(64) as u32).unwrap_or(0);
    if operand.uniform == all(from.len()) {
        meaning.uniform = all(to.len());
    }
    let mut put = |axes: &[SubAxisId], dims: &[usize], is_certain: bool| {
        let is_candidate =
            |dim: &usize| dims.iter().any(|old| from[*old].is_some() && from[*old] == to[*dim]);
        let candidates: Vec<usize> = (0..to.len().min(64)).filter(is_candidate).collect();
        match candidates.as_slice() {
            [] => meaning.own = meaning.own.union(axes.iter().collect()),
            // What was undecided may stand before or behind what is there already.
            [dim] if is_certain || meaning.dims[*dim].is_empty() => meaning.dims[*dim].extend(axes),
            several => {
                let dims = several.iter().fold(0, |set, dim| set | 1 << dim);
                let one_by_one = axes.iter().map(|axis| Undecided { axes: vec![*axis], dims });
                meaning.undecided.extend(one_by_one);
            }
        }
    };
    for (dim, axes) in operand.dims.iter().enumerate().filter(|(_, axes)| !axes.is_empty()) {
        put(axes, &[dim], true);
    }
    for run in &operand.undecided {
        let dims: Vec<usize> = (0..from.len().min(64)).filter(|dim| run.dims >> dim & 1 == 1).collect();
        put(&run.axes, &dims, false);
    }
    meaning
}

/// For each dim the number of elements from its major end on; `None` in an empty tensor.
fn places(shape: &[usize]) -> Vec<Option<usize>> {
    let is_empty = shape.contains(&0);
    (0..shape.len()).map(|dim| (!is_empty).then(|| shape[dim..].iter().product())).collect()
}
