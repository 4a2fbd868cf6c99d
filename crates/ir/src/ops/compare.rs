//! `stablehlo.compare` (specification, "compare").

use std::cmp::Ordering;

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::kernels::zip2;
use meshwright_tensor::types::{ElementKind, ElementType, Type};
use meshwright_tensor::{Native, StorageKind, Tensor};
use meshwright_tensor::{dispatch, dispatch_float};

macro_rules! words {
    ($(#[$doc:meta])* $name:ident: $($kind:ident = $word:literal),*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum $name { $($kind),* }

        impl $name {
            /// As the text spells it.
            pub fn word(self) -> &'static str {
                match self { $(Self::$kind => $word),* }
            }

            /// The one spelled `word`.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$kind),)* _ => None }
            }
        }
    };
}

words!(
    /// What is asked about the left element.
    Direction: Equal = "EQ", NotEqual = "NE", GreaterEqual = "GE", Greater = "GT", LessEqual = "LE", Less = "LT"
);
words!(
    /// How elements are ordered; only floats have a choice.
    CompareType: Float = "FLOAT", TotalOrder = "TOTALORDER", Signed = "SIGNED", Unsigned = "UNSIGNED"
);

/// An elementwise comparison.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Compare {
    /// What is asked.
    pub direction: Direction,
    /// How elements are ordered, if the text says so.
    pub compare_type: Option<CompareType>,
}

impl OpDef for Compare {
    const NAMES: &'static [&'static str] = &["stablehlo.compare"];

    /// `LT, %a, %b, SIGNED : (...) -> ...`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let direction = p.one_of("EQ, NE, GE, GT, LE or LT", Direction::from_word)?;
        p.expect(b',')?;
        let left = p.operand()?;
        p.expect(b',')?;
        let right = p.operand()?;
        let compare_type = match p.eat(b',') {
            true => Some(p.one_of("FLOAT, TOTALORDER, SIGNED or UNSIGNED", CompareType::from_word)?),
            false => None,
        };
        let op = Self { direction, compare_type };
        Ending::Signature.parse(p, op, vec![left, right])
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let direction = attributes
            .word_opt("comparison_direction", "stablehlo", "comparison_direction")?
            .ok_or("attribute `comparison_direction` is missing")?;
        let direction = Direction::from_word(&direction)
            .ok_or_else(|| format!("`{direction}` is not a comparison direction"))?;
        // NOTYPE is an older spelling of "not given".
        let compare_type = attributes.word_opt("compare_type", "stablehlo", "comparison_type")?;
        let compare_type = match compare_type.filter(|word| word != "NOTYPE") {
            None => None,
            Some(word) => Some(
                CompareType::from_word(&word).ok_or_else(|| format!("`{word}` is not a comparison type"))?,
            ),
        };
        Ok(Self { direction, compare_type })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        let direction = format!("#stablehlo<comparison_direction {}>", self.direction.word());
        attributes.set("comparison_direction", Attr::Dialect(direction.into()));
        if let Some(compare_type) = self.compare_type {
            let text = format!("#stablehlo<comparison_type {}>", compare_type.word());
            attributes.set("compare_type", Attr::Dialect(text.into()));
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.text(&format!(" {}, ", self.direction.word()));
        p.values(&view.inst.operands);
        if let Some(compare_type) = self.compare_type {
            p.text(&format!(", {}", compare_type.word()));
        }
        Ending::Signature.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        let (left, right) = (view.operand(0), view.operand(1));
        violations.require(left.element == right.element, || {
            format!("C1: operands have different element types, {} and {}", left.element, right.element)
        });
        violations.require(left.shape == right.shape, || {
            format!("C2: operands have different shapes, {left} and {right}")
        });
        violations.inferred(view);
        if let Some(compare_type) = self.compare_type {
            let fits = match left.element.kind() {
                ElementKind::Boolean | ElementKind::Unsigned => compare_type == CompareType::Unsigned,
                ElementKind::Signed => compare_type == CompareType::Signed,
                ElementKind::Float => matches!(compare_type, CompareType::Float | CompareType::TotalOrder),
                ElementKind::Complex => compare_type == CompareType::Float,
            };
            violations.require(fits, || {
                format!("C3: {} does not compare elements of {}", compare_type.word(), left.element)
            });
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.shaped_as(0, ElementType::I1)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        let is_total = self.compare_type == Some(CompareType::TotalOrder);
        let compared = if is_total { self.total_order(&inputs) } else { self.usual_order(&inputs) };
        Ok(vec![compared?])
    }
}

impl Compare {
    /// NaN is unequal to everything. `a > b` is computed as `b < a`, so that fewer kernels are compiled.
    fn usual_order(&self, inputs: &[Tensor]) -> Result<Tensor, EvalError> {
        let (a, b) = match self.direction {
            Direction::GreaterEqual | Direction::Greater => (&inputs[1], &inputs[0]),
            _ => (&inputs[0], &inputs[1]),
        };
        let result = ElementType::I1;
        // The usual types get kernels that vectorize, the others one kernel per storage and a function pointer.
        macro_rules! test {
            ($operator:tt) => {
                match a.storage() {
                    StorageKind::F32 => zip2(result, a, b, |a: f32, b: f32| a $operator b),
                    StorageKind::F64 => zip2(result, a, b, |a: f64, b: f64| a $operator b),
                    StorageKind::I32 => zip2(result, a, b, |a: i32, b: i32| a $operator b),
                    _ => dispatch!(a.storage(), T => {
                        let test: fn(T, T) -> bool = |a, b| a $operator b;
                        zip2(result, a, b, test)
                    }),
                }
            };
        }
        match self.direction {
            Direction::Equal => test!(==),
            Direction::NotEqual => test!(!=),
            Direction::LessEqual | Direction::GreaterEqual => test!(<=),
            Direction::Less | Direction::Greater => test!(<),
        }
    }

    /// -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN. Every float is exact as `f64`.
    fn total_order(&self, inputs: &[Tensor]) -> Result<Tensor, EvalError> {
        let (a, b) = (&inputs[0], &inputs[1]);
        let holds: fn(Ordering) -> bool = match self.direction {
            Direction::Equal => Ordering::is_eq,
            Direction::NotEqual => Ordering::is_ne,
            Direction::GreaterEqual => Ordering::is_ge,
            Direction::Greater => Ordering::is_gt,
            Direction::LessEqual => Ordering::is_le,
            Direction::Less => Ordering::is_lt,
        };
        dispatch_float!(a.storage(), T => {
            zip2(ElementType::I1, a, b, |a: T, b: T| holds(a.cast::<f64>().total_cmp(&b.cast::<f64>())))
        }, else Err(EvalError::new("only floats have a total order")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIRECTIONS: [Direction; 6] = [
        Direction::Equal,
        Direction::NotEqual,
        Direction::GreaterEqual,
        Direction::Greater,
        Direction::LessEqual,
        Direction::Less,
    ];

    fn compare(direction: Direction, compare_type: CompareType, a: f32, b: f32) -> bool {
        let tensor = |value| Tensor::from_vec(ElementType::F32, [1], vec![value]);
        let op = Compare { direction, compare_type: Some(compare_type) };
        let inputs = [tensor(a), tensor(b)];
        let result = match compare_type {
            CompareType::TotalOrder => op.total_order(&inputs),
            _ => op.usual_order(&inputs),
        };
        result.unwrap().to_i64_vec() == [1]
    }

    #[test]
    fn every_direction() {
        let usual = |a, b| DIRECTIONS.map(|direction| compare(direction, CompareType::Float, a, b));
        assert_eq!(usual(1.0, 2.0), [false, true, false, false, true, true]);
        assert_eq!(usual(2.0, 1.0), [false, true, true, true, false, false]);
        assert_eq!(usual(1.0, 1.0), [true, false, true, false, true, false]);
        assert_eq!(usual(f32::NAN, 1.0), [false, true, false, false, false, false]);
    }

    #[test]
    fn the_total_order_tells_zeros_and_nans_apart() {
        let less = |a, b| compare(Direction::Less, CompareType::TotalOrder, a, b);
        assert!(less(-0.0, 0.0) && !less(0.0, -0.0) && less(f32::INFINITY, f32::NAN));
        assert!(compare(Direction::Equal, CompareType::TotalOrder, f32::NAN, f32::NAN));
        assert!(!compare(Direction::Less, CompareType::Float, -0.0, 0.0));
    }
}
