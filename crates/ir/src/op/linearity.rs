//! Linearity of an op: the operands from which a sum, a maximum and so on over devices may be moved to the result.

use crate::ids::ValueId;
use crate::program::InstView;
use crate::sharding::Reduction;

/// Operands that may be contributions to what devices combine, so that the (only) result is a contribution too. What the
/// types of elements allow is seen to by [`Op::linearity`](super::Op::linearity).
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Linearity {
    /// Those in each of which the result is linear when the others are held fixed; sums only.
    pub each: &'static [usize],
    /// Those of them for which finite numbers may not give finite numbers, rounding aside, as far as the other operands
    /// are known. Products of tensors are taken to keep them finite: they add up terms in any order anyway.
    pub overflowing: Vec<usize>,
    /// Those that may all be contributions at once.
    pub together: Vec<usize>,
}

impl Linearity {
    /// That of an op that is linear in each of these operands.
    pub fn in_each(operands: &'static [usize]) -> Self {
        Self { each: operands, ..Self::default() }
    }

    /// That of an op of which these operands may be contributions at once, such as those that it adds up.
    pub fn in_all(operands: impl IntoIterator<Item = usize>) -> Self {
        Self { together: operands.into_iter().collect(), ..Self::default() }
    }

    /// That of an op that only moves the elements of operand 0, indifferent to how they combine, to where it says or
    /// other operands say, which are complete.
    pub fn moves() -> Self {
        Self { each: &[0], together: vec![0], ..Self::default() }
    }

    /// What of it the types of elements allow for such contributions.
    pub(crate) fn for_types(self, view: &InstView<'_>, reduction: Reduction) -> Self {
        let is_linear = reduction == Reduction::Sum && survives(view, self.each, reduction);
        Self {
            each: if is_linear { self.each } else { &[] },
            together: if survives(view, &self.together, reduction) { self.together } else { Vec::new() },
            overflowing: self.overflowing,
        }
    }
}

/// Whether contributions to these operands stay contributions in the type of the result's elements.
fn survives(view: &InstView<'_>, operands: &[usize], reduction: Reduction) -> bool {
    let element = |value: &ValueId| view.body.ty(*value).as_tensor().map(|tensor| tensor.element);
    let [result] = view.inst.results.as_slice() else { return true };
    let survives = |operand: &ValueId| match (element(operand), element(result)) {
        (Some(from), Some(to)) => reduction.survives(from, to),
        _ => true,
    };
    operands.iter().filter_map(|index| view.inst.operands.get(*index)).all(survives)
}
