//! How accurately a product of tensors is to be computed, as its op says it.
//!
//! Input: the words of `precision_config` and the attribute `algorithm`. Output: an [`Accuracy`]. What a device makes
//! of it is the cost model's to know.

use crate::attribute::Attr;
use crate::text::DialectFields;
use meshwright_tensor::types::ElementType;

/// Accuracy that a product asks of the device that computes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    /// Whatever the device does fastest (`DEFAULT`).
    Default,
    /// Better than that, if there is something between (`HIGH`).
    High,
    /// That of the elements (`HIGHEST`).
    Highest,
    /// That of an algorithm (`#stablehlo.dot_algorithm`).
    Algorithm {
        /// The type to which each operand is rounded.
        operands: [Factor; 2],
        /// How many products of rounded parts are added up.
        products: u32,
    },
}

/// Factors that an algorithm multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// Numbers of an element type.
    Element(ElementType),
    /// f32 with ten bits of mantissa, which is no type of elements.
    Tf32,
}

impl Accuracy {
    /// The accuracy that the words ask for, one per operand: the one that asks for most decides.
    pub(crate) fn of_words(words: &[String]) -> Self {
        let has = |word: &str| words.iter().any(|own| own == word);
        match () {
            () if has("HIGHEST") => Self::Highest,
            () if has("HIGH") => Self::High,
            () => Self::Default,
        }
    }

    /// The accuracy of an algorithm; `None` if the text is none.
    pub(crate) fn of_algorithm(algorithm: &Attr) -> Option<Self> {
        let mut fields = DialectFields::of(algorithm, "stablehlo.dot_algorithm").ok()?;
        let mut factor = |name: &str| {
            let ty = fields.take(name)?;
            if ty == "tf32" { Some(Factor::Tf32) } else { ElementType::from_name(&ty).map(Factor::Element) }
        };
        let operands = [factor("lhs_precision_type")?, factor("rhs_precision_type")?];
        let products = fields.int_or("num_primitive_operations", 1).ok()?;
        Some(Self::Algorithm { operands, products: u32::try_from(products).ok()?.max(1) })
    }
}
