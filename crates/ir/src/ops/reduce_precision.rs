//! `stablehlo.reduce_precision` (specification, "reduce_precision").

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{Ending, OpPrinter, Parsed, Parser, SYNTAX};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::kernels::map1;
use meshwright_tensor::minifloat::MiniFloat;
use meshwright_tensor::types::Type;
use meshwright_tensor::{Precision, StorageKind, Tensor, bf16, f16};

/// Floats rounded to fewer bits of exponent and mantissa, in the same type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReducePrecision {
    /// Bits of the exponent, at least one.
    pub exponent_bits: i32,
    /// Bits of the mantissa without the leading one, at least none.
    pub mantissa_bits: i32,
}

impl OpDef for ReducePrecision {
    const NAMES: &'static [&'static str] = &["stablehlo.reduce_precision"];

    /// `%x, format = e5m10 : type`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        p.expect(b',')?;
        p.field("format")?;
        let span = p.here();
        let word = p.word("a format such as `e5m10`")?;
        let bits = word.strip_prefix('e').and_then(|rest| rest.split_once('m'));
        let bits = bits.and_then(|(e, m)| Some((e.parse().ok()?, m.parse().ok()?)));
        let Some((exponent_bits, mantissa_bits)) = bits else {
            return p.fail(SYNTAX, span, format!("`{word}` is not a format"), "write it as `e5m10`");
        };
        let op = Self { exponent_bits, mantissa_bits };
        Ending::Same.parse(p, op, vec![operand])
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let mut bits = |name: &str| {
            i32::try_from(attributes.int(name)?).map_err(|_| format!("`{name}` does not fit 32 bits"))
        };
        Ok(Self { exponent_bits: bits("exponent_bits")?, mantissa_bits: bits("mantissa_bits")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let bits = [("exponent_bits", self.exponent_bits), ("mantissa_bits", self.mantissa_bits)];
        bits.into_iter().map(|(name, value)| (name.to_owned(), Attr::i32(value))).collect()
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        p.text(&format!(", format = e{}m{}", self.exponent_bits, self.mantissa_bits));
        Ending::Same.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let operand = view.operand(0);
        violations.require(operand.element.is_float(), || {
            format!("I1: takes floats, not elements of {}", operand.element)
        });
        violations.inferred(view);
        violations.require(self.exponent_bits >= 1, || "C2: a format has at least one exponent bit".into());
        violations.require(self.mantissa_bits >= 0, || "C3: the number of mantissa bits is negative".into());
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    /// Nothing is rounded but in [`Precision::Declared`].
    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        if cx.precision() != Precision::Declared {
            return Ok(inputs);
        }
        Ok(vec![self.apply(&inputs[0])?])
    }

    /// What is passed back is rounded too.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| v.unary(self.clone(), cotangent));
        Ok(())
    }
}

impl ReducePrecision {
    /// The elements rounded.
    pub(super) fn apply(&self, x: &Tensor) -> Result<Tensor, EvalError> {
        let (to_exponent, to_mantissa) = (self.exponent_bits.max(1) as u32, self.mantissa_bits.max(0) as u32);
        // Small floats are kept wider than they are: an exponent that they fit changes nothing.
        let fits = MiniFloat::of(x.element()).is_some_and(|own| own.field_bits().0 <= to_exponent);
        let round = |bits: u64, exponent: u32, mantissa: u32| {
            let to = (if fits { exponent } else { to_exponent }, to_mantissa);
            round_bits(bits, (exponent, mantissa), to)
        };
        match x.storage() {
            StorageKind::F16 => {
                map1(x.element(), x, |a: f16| f16::from_bits(round(a.to_bits().into(), 5, 10) as u16))
            }
            StorageKind::Bf16 => {
                map1(x.element(), x, |a: bf16| bf16::from_bits(round(a.to_bits().into(), 8, 7) as u16))
            }
            StorageKind::F32 => {
                map1(x.element(), x, |a: f32| f32::from_bits(round(a.to_bits().into(), 8, 23) as u32))
            }
            StorageKind::F64 => map1(x.element(), x, |a: f64| f64::from_bits(round(a.to_bits(), 11, 52))),
            _ => Err(EvalError::new(format!("reduce_precision does not take elements of {}", x.element()))),
        }
    }
}

/// Rounds the bits of a float with `from` = (exponent, mantissa) bits to the values that a float of `to` bits has,
/// ties to even. As XLA does: what overflows becomes infinite, what would be subnormal becomes zero, NaN stays
/// unless there are no mantissa bits to tell it from an infinity.
fn round_bits(bits: u64, from: (u32, u32), to: (u32, u32)) -> u64 {
    let exponent_mask = ((1u64 << from.0) - 1) << from.1;
    let sign = bits & (1 << (from.0 + from.1));
    let magnitude = bits ^ sign;
    if magnitude > exponent_mask {
        return if to.1 > 0 { bits } else { exponent_mask };
    }
    let mut rounded = magnitude;
    if to.1 < from.1 {
        let last = 1u64 << (from.1 - to.1);
        let bias = (last >> 1) - 1 + u64::from(rounded & last != 0);
        rounded = (rounded + bias) & !(last - 1);
    }
    if to.0 < from.0 {
        let bias = |exponent_bits: u32| (1u64 << (exponent_bits - 1)) - 1;
        let exponent = rounded & exponent_mask;
        if exponent > (bias(from.0) + bias(to.0)) << from.1 {
            rounded = exponent_mask;
        } else if exponent <= (bias(from.0) - bias(to.0)) << from.1 {
            rounded = 0;
        }
    }
    sign | rounded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(value: f32, exponent: u32, mantissa: u32) -> f32 {
        f32::from_bits(round_bits(value.to_bits().into(), (8, 23), (exponent, mantissa)) as u32)
    }

    #[test]
    fn agrees_with_the_half_types_where_these_are_normal() {
        for value in [1.0, -0.1, 7.0e-5, 65504.0, 65519.9, 1.000_488_3, 1.001_464_8, 123.456] {
            assert_eq!(round(value, 5, 10), f16::from_f32(value).to_f32(), "{value}");
            assert_eq!(round(value, 8, 7), bf16::from_f32(value).to_f32(), "{value}");
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        assert_eq!(round(65520.0, 5, 10), f32::INFINITY);
        assert_eq!(round(-1e30, 5, 23), f32::NEG_INFINITY);
        assert_eq!(round(-1e-6, 5, 10).to_bits(), (-0.0f32).to_bits());
        assert_eq!(round(f32::MAX, 8, 7), f32::INFINITY);
        assert!(round(f32::NAN, 2, 1).is_nan());
        assert_eq!(round(-f32::NAN, 2, 0), f32::INFINITY);
        assert_eq!(round(f32::INFINITY, 5, 10), f32::INFINITY);
        assert_eq!(round(0.1, 8, 23), 0.1);
        assert_eq!(round(0.1, 11, 52), 0.1);
    }
}
