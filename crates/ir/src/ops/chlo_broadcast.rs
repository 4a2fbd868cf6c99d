//! The elementwise ops of the `chlo` dialect that broadcast their operands: `chlo.broadcast_add`,
//! `chlo.broadcast_compare`, `chlo.broadcast_select` and their like, with static shapes.
//!
//! Operands are aligned at their last dims (or by `broadcast_dimensions`), and dims of size one are repeated.

use super::binary::Binary;
use super::chlo_binary::ChloBinary;
use super::compare::{Compare, CompareType, Direction};
use super::complex::Complex;
use super::select::Select;
use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, Op, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::text::{Ending, Format};
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// Elementwise op of `chlo` that broadcasts its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ChloBroadcast {
    /// Position of the name in the list of names.
    name: usize,
    /// Where the dims of the operand of lower rank are in the result, if given.
    pub dims: Option<Vec<usize>>,
    /// What a comparison asks.
    pub comparison: Option<(Direction, Option<CompareType>)>,
}

const NAMES: [&str; 21] = [
    "chlo.broadcast_add",
    "chlo.broadcast_and",
    "chlo.broadcast_atan2",
    "chlo.broadcast_compare",
    "chlo.broadcast_complex",
    "chlo.broadcast_divide",
    "chlo.broadcast_maximum",
    "chlo.broadcast_minimum",
    "chlo.broadcast_multiply",
    "chlo.broadcast_next_after",
    "chlo.broadcast_or",
    "chlo.broadcast_polygamma",
    "chlo.broadcast_power",
    "chlo.broadcast_remainder",
    "chlo.broadcast_select",
    "chlo.broadcast_shift_left",
    "chlo.broadcast_shift_right_arithmetic",
    "chlo.broadcast_shift_right_logical",
    "chlo.broadcast_subtract",
    "chlo.broadcast_xor",
    "chlo.broadcast_zeta",
];

impl OpDef for ChloBroadcast {
    const NAMES: &'static [&'static str] = &NAMES;

    /// `%a, %b {attributes} : (...) -> ...`
    const FORMAT: Option<Format> = Some(Format::of_any(Ending::Signature));

    fn name(&self) -> &'static str {
        NAMES[self.name]
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let comparison = match name {
            "chlo.broadcast_compare" => {
                let word = attributes.word_opt("comparison_direction", "chlo", "comparison_direction")?;
                let direction = word.as_deref().and_then(Direction::from_word);
                let direction = direction.ok_or("`comparison_direction` is missing or wrong")?;
                let word = attributes.word_opt("compare_type", "chlo", "comparison_type")?;
                let wrong = |word: String| format!("`{word}` is not a comparison type");
                let compare_type = match word.filter(|word| word != "NOTYPE") {
                    None => None,
                    Some(word) => Some(CompareType::from_word(&word).ok_or_else(|| wrong(word))?),
                };
                Some((direction, compare_type))
            }
            _ => None,
        };
        let dims = match name {
            "chlo.broadcast_select" => None,
            _ => attributes.dims_opt("broadcast_dimensions")?,
        };
        let name = NAMES.iter().position(|known| *known == name).unwrap_or_default();
        Ok(Self { name, dims, comparison })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        if let Some(dims) = &self.dims {
            attributes.set("broadcast_dimensions", Attr::dims(dims));
        }
        if let Some((direction, compare_type)) = self.comparison {
            attributes
                .set("comparison_direction", Attr::word("chlo", "comparison_direction", direction.word()));
            if let Some(compare_type) = compare_type {
                attributes.set("compare_type", Attr::word("chlo", "comparison_type", compare_type.word()));
            }
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let is_select = self.name() == "chlo.broadcast_select";
        if !violations.shape(view, if is_select { 3 } else { 2 }, 1, 0) {
            return;
        }
        let operands: Vec<&TensorType> = (0..view.num_operands()).map(|index| view.operand(index)).collect();
        let [first, .., last] = operands.as_slice() else { return };
        let values = if is_select { &operands[1..] } else { &operands[..] };
        violations.require(values.iter().all(|ty| ty.element == last.element), || {
            format!("operands have different element types, {} and {}", values[0].element, last.element)
        });
        violations.require(!is_select || first.element == ElementType::I1, || {
            format!("chooses by elements of i1, not {}", first.element)
        });
        match (self.result_shape(&operands), self.result_element(last.element)) {
            (Some(_), Some(_)) => violations.inferred(view),
            (None, _) => violations.messages.push("the operands' shapes do not broadcast".into()),
            (_, None) => violations.messages.push(format!("does not take elements of {}", last.element)),
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operands = given.tensors()?;
        let element = self.result_element(operands.last()?.element)?;
        Some(vec![TensorType::new(self.result_shape(&operands)?, element).into()])
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let result = view.result(0);
        let rank = result.rank();
        let largest = (0..operands.len()).map(|index| view.operand(index).rank()).max().unwrap_or(0);
        let broadcast = |(index, value): (usize, &ValueId)| {
            let own = view.operand(index).rank();
            let dims = match &self.dims {
                Some(dims) if own < largest => dims.clone(),
                _ => (rank - own..rank).collect(),
            };
            e.broadcast(*value, &result.shape, dims)
        };
        let operands: Vec<ValueId> = operands.iter().enumerate().map(broadcast).collect();
        Some(vec![e.emit(self.elementwise()?, &operands, result.clone())])
    }
}

impl ChloBroadcast {
    /// The type of the result's elements, those of the last operand being of `last`; `None` if there is none.
    fn result_element(&self, last: ElementType) -> Option<ElementType> {
        match self.name() {
            "chlo.broadcast_compare" => Some(ElementType::I1),
            "chlo.broadcast_complex" => last.complex(),
            _ => Some(last),
        }
    }

    /// The shape to which the operands broadcast, if they do.
    fn result_shape(&self, operands: &[&TensorType]) -> Option<Vec<usize>> {
        match (&self.dims, operands) {
            (Some(dims), [first, .., last]) if first.rank() != last.rank() => placed(first, last, dims),
            _ => operands.iter().try_fold(Vec::new(), |shape, ty| together(&shape, &ty.shape)),
        }
    }

    /// What it does to operands of one shape.
    fn elementwise(&self) -> Option<Op> {
        let own = self.name().strip_prefix("chlo.broadcast_")?;
        Some(match (own, self.comparison) {
            (_, Some((direction, compare_type))) => Compare { direction, compare_type }.into(),
            ("complex", _) => Complex::Make.into(),
            ("select", _) => Select.into(),
            ("next_after", _) => ChloBinary::NextAfter.into(),
            ("polygamma", _) => ChloBinary::Polygamma.into(),
            ("zeta", _) => ChloBinary::Zeta.into(),
            _ => {
                (*Binary::ALL.iter().find(|binary| binary.name().strip_prefix("stablehlo.") == Some(own))?)
                    .into()
            }
        })
    }
}

/// The shape that both broadcast to, aligned at their last dims.
fn together(left: &[usize], right: &[usize]) -> Option<Vec<usize>> {
    let rank = left.len().max(right.len());
    let size = |shape: &[usize], dim: usize| (dim + shape.len()).checked_sub(rank).map_or(1, |at| shape[at]);
    (0..rank)
        .map(|dim| match (size(left, dim), size(right, dim)) {
            (1, other) | (other, 1) => Some(other),
            (a, b) => (a == b).then_some(a),
        })
        .collect()
}

/// The shape that two operands broadcast to when the dims of the one of lower rank are placed by `dims`.
fn placed(left: &TensorType, right: &TensorType, dims: &[usize]) -> Option<Vec<usize>> {
    let (small, large) = if left.rank() <= right.rank() { (left, right) } else { (right, left) };
    let is_twice = |(at, dim): (usize, &usize)| dims[..at].contains(dim);
    if dims.len() != small.rank() || dims.iter().enumerate().any(is_twice) {
        return None;
    }
    let mut shape = large.shape.clone();
    for (size, dim) in small.shape.iter().zip(dims) {
        let slot = shape.get_mut(*dim)?;
        *slot = match (*slot, *size) {
            (1, other) | (other, 1) => other,
            (a, b) if a == b => a,
            _ => return None,
        };
    }
    Some(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_aligned_at_the_end_or_placed() {
        assert_eq!(together(&[4, 1, 3], &[2, 3]), Some(vec![4, 2, 3]));
        assert_eq!(together(&[], &[2]), Some(vec![2]));
        assert_eq!(together(&[0], &[1]), Some(vec![0]));
        assert_eq!(together(&[2], &[3]), None);
        let ty = |shape: &[usize]| TensorType::new(shape, ElementType::F32);
        assert_eq!(placed(&ty(&[4]), &ty(&[4, 3]), &[0]), Some(vec![4, 3]));
        assert_eq!(placed(&ty(&[4]), &ty(&[4, 3]), &[1]), None);
        assert_eq!(placed(&ty(&[4]), &ty(&[4, 3]), &[2]), None);
        assert_eq!(placed(&ty(&[4, 4]), &ty(&[4, 3, 2]), &[0, 0]), None);
    }
}
