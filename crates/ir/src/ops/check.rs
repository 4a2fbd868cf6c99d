//! The ops of the `check` dialect, which compare computed values with expected ones: `check.expect_eq`,
//! `check.expect_close` and their like (`CheckOps.td` of the StableHLO repository).
//!
//! They have no results. A check that does not hold ends the evaluation.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::literal::{Literal, float_text};
use meshwright_tensor::types::{ElementKind, ElementType, Type};

use super::check_eval::{Rule, check};
use super::constant::tensor_of;

/// A comparison; all operands are of one type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// Two values are equal.
    ExpectEq,
    /// A value is equal to a constant.
    ExpectEqConst(Literal),
    /// Two values of floats are within a number of units in the last place.
    ExpectClose {
        /// They may be this far apart.
        most: u64,
        /// They must be this far apart, if it is given.
        least: Option<u64>,
    },
    /// Two values of floats are within an absolute tolerance.
    ExpectAlmostEq(Tolerance),
    /// A value of floats is within an absolute tolerance of a constant.
    ExpectAlmostEqConst(Literal, Tolerance),
    /// A value is what `interpreter.probe` kept.
    ExpectSerializedEq {
        /// The probe's name.
        probe_id: String,
        /// Which of the values it kept, if not the first.
        iteration: Option<u32>,
    },
}

/// An absolute tolerance as the bits of an `f64`, if it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tolerance(pub Option<u64>);

impl Tolerance {
    const DEFAULT: f64 = 1e-4;

    fn value(self) -> f64 {
        self.0.map_or(Self::DEFAULT, f64::from_bits)
    }

    /// `, tolerance = 0.5 {...}`, if it is there, with the other attributes. It may stand among these.
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<(Self, Attributes)> {
        let mut given = Self(None);
        if p.eat(b',') {
            p.field("tolerance")?;
            given = Self(Some(p.float()?.to_bits()));
        }
        let mut attributes = p.attr_dict_opt()?;
        given.set(&mut attributes);
        let tolerance =
            p.from_dict(name, &mut attributes, |_, attributes| Self::from_attributes(attributes))?;
        Ok((tolerance, attributes))
    }

    fn print(self, p: &mut OpPrinter<'_>) {
        if self.value().to_bits() != Self::DEFAULT.to_bits() {
            p.text(&format!(", tolerance = {}", float_text(self.value(), ElementType::F64)));
        }
    }

    fn from_attributes(attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        match attributes.take("tolerance") {
            None => Ok(Self(None)),
            Some(Attr::Float(bits, ElementType::F64)) => Ok(Self(Some(bits))),
            Some(other) => Err(format!("`tolerance` should be an f64, found `{other}`")),
        }
    }

    fn set(self, attributes: &mut Attributes) {
        if let Some(bits) = self.0 {
            attributes.set("tolerance", Attr::Float(bits, ElementType::F64));
        }
    }
}

const NAMES: [&str; 6] = [
    "check.expect_eq",
    "check.expect_eq_const",
    "check.expect_close",
    "check.expect_almost_eq",
    "check.expect_almost_eq_const",
    "check.expect_serialized_eq",
];

impl OpDef for Check {
    const NAMES: &'static [&'static str] = &NAMES;

    fn name(&self) -> &'static str {
        match self {
            Self::ExpectEq => NAMES[0],
            Self::ExpectEqConst(_) => NAMES[1],
            Self::ExpectClose { .. } => NAMES[2],
            Self::ExpectAlmostEq(_) => NAMES[3],
            Self::ExpectAlmostEqConst(..) => NAMES[4],
            Self::ExpectSerializedEq { .. } => NAMES[5],
        }
    }

    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let value = p.operand()?;
        p.expect(b',')?;
        match name {
            // `%a, dense<...> : type, tolerance = 0.5 {...}`
            "check.expect_eq_const" | "check.expect_almost_eq_const" => {
                let literal = p.dense_literal()?;
                let ty = Type::Tensor(literal.ty.clone());
                let (op, attributes) = match name {
                    "check.expect_eq_const" => (Self::ExpectEqConst(literal), p.attr_dict_opt()?),
                    _ => {
                        let (tolerance, attributes) = Tolerance::parse(p, name)?;
                        (Self::ExpectAlmostEqConst(literal, tolerance), attributes)
                    }
                };
                Ok(ParsedInst::new(op, vec![value], Vec::new()).typed(vec![ty]).with(attributes))
            }
            // `%a, %b, max_ulp_difference = 3, min_ulp_difference = 1 : {...} type, type`
            "check.expect_close" => {
                let expected = p.operand()?;
                p.expect(b',')?;
                p.field("max_ulp_difference")?;
                let most = p.unsigned()?;
                let least = match p.eat(b',') {
                    true => {
                        p.field("min_ulp_difference")?;
                        Some(p.unsigned()?)
                    }
                    false => None,
                };
                p.expect(b':')?;
                let attributes = p.attr_dict_opt()?;
                let left = p.ty()?;
                p.expect(b',')?;
                let types = vec![left, p.ty()?];
                let op = Self::ExpectClose { most, least };
                Ok(ParsedInst::new(op, vec![value, expected], Vec::new()).typed(types).with(attributes))
            }
            // `%a, probe_id = "p", iter = 1 {...} : type`
            "check.expect_serialized_eq" => {
                p.field("probe_id")?;
                let probe_id = p.string()?;
                let iteration = match p.eat(b',') {
                    true => {
                        p.field("iter")?;
                        Some(u32::try_from(p.unsigned()?).unwrap_or(u32::MAX))
                    }
                    false => None,
                };
                let attributes = p.attr_dict_opt()?;
                let ty = p.colon_type()?;
                let op = Self::ExpectSerializedEq { probe_id, iteration };
                Ok(ParsedInst::new(op, vec![value], Vec::new()).typed(vec![ty]).with(attributes))
            }
            // `%a, %b, tolerance = 0.5 {...} : type`
            _ => {
                let expected = p.operand()?;
                let (op, attributes) = match name {
                    "check.expect_eq" => (Self::ExpectEq, p.attr_dict_opt()?),
                    _ => {
                        let (tolerance, attributes) = Tolerance::parse(p, name)?;
                        (Self::ExpectAlmostEq(tolerance), attributes)
                    }
                };
                let ty = p.colon_type()?;
                let types = vec![ty.clone(), ty];
                Ok(ParsedInst::new(op, vec![value, expected], Vec::new()).typed(types).with(attributes))
            }
        }
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let ulps = |value: Attr| match value {
            Attr::Int(value, _) => u64::try_from(value).map_err(|_| format!("{value} does not count floats")),
            other => Err(format!("`{other}` is not an integer")),
        };
        Ok(match name {
            "check.expect_eq" => Self::ExpectEq,
            "check.expect_eq_const" => Self::ExpectEqConst(constant(attributes)?),
            "check.expect_close" => Self::ExpectClose {
                most: attributes.take("max_ulp_difference").map_or(Ok(1), ulps)?,
                least: attributes.take("min_ulp_difference").map(ulps).transpose()?,
            },
            "check.expect_almost_eq" => Self::ExpectAlmostEq(Tolerance::from_attributes(attributes)?),
            "check.expect_almost_eq_const" => {
                Self::ExpectAlmostEqConst(constant(attributes)?, Tolerance::from_attributes(attributes)?)
            }
            _ => {
                let probe_id = attributes.required("probe_id")?;
                let probe_id = probe_id.as_str().ok_or("`probe_id` is not a string")?.to_owned();
                let iteration = match attributes.take("iteration") {
                    None => None,
                    Some(value) => {
                        let number = value.as_int().and_then(|number| u32::try_from(number).ok());
                        Some(number.ok_or_else(|| format!("`iteration` should be a ui32, found `{value}`"))?)
                    }
                };
                Self::ExpectSerializedEq { probe_id, iteration }
            }
        })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        let ulps = |value: u64| Attr::Int(i128::from(value), Some(ElementType::Ui64));
        match self {
            Self::ExpectEq => {}
            Self::ExpectEqConst(literal) => attributes.set("value", Attr::Dense(literal.clone())),
            Self::ExpectClose { most, least } => {
                attributes.set("max_ulp_difference", ulps(*most));
                if let Some(least) = least {
                    attributes.set("min_ulp_difference", ulps(*least));
                }
            }
            Self::ExpectAlmostEq(tolerance) => tolerance.set(&mut attributes),
            Self::ExpectAlmostEqConst(literal, tolerance) => {
                attributes.set("value", Attr::Dense(literal.clone()));
                tolerance.set(&mut attributes);
            }
            Self::ExpectSerializedEq { probe_id, iteration } => {
                attributes.set("probe_id", Attr::string(probe_id));
                if let Some(iteration) = iteration {
                    attributes.set("iteration", Attr::Int(i128::from(*iteration), Some(ElementType::Ui32)));
                }
            }
        }
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        let ty = view.operand_types().next();
        match self {
            Self::ExpectEqConst(literal) | Self::ExpectAlmostEqConst(literal, _) => {
                p.text(&format!(", {literal} : {}", literal.ty));
                if let Self::ExpectAlmostEqConst(_, tolerance) = self {
                    tolerance.print(p);
                }
                p.attributes();
                return true;
            }
            Self::ExpectClose { most, least } => {
                p.text(&format!(", max_ulp_difference = {most}"));
                if let Some(least) = least.filter(|least| *least > 0) {
                    p.text(&format!(", min_ulp_difference = {least}"));
                }
                p.text(" :");
                p.attributes();
                p.text(" ");
                p.types(view.operand_types());
                return true;
            }
            Self::ExpectSerializedEq { probe_id, iteration } => {
                p.text(&format!(", probe_id = {}", Attr::string(probe_id)));
                if let Some(iteration) = iteration.filter(|iteration| *iteration > 0) {
                    p.text(&format!(", iter = {iteration}"));
                }
            }
            Self::ExpectEq => {}
            Self::ExpectAlmostEq(tolerance) => tolerance.print(p),
        }
        p.attributes();
        if let Some(ty) = ty {
            p.colon_type(ty);
        }
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let (num_operands, constant) = match self {
            Self::ExpectEqConst(literal) | Self::ExpectAlmostEqConst(literal, _) => (1, Some(&literal.ty)),
            Self::ExpectSerializedEq { .. } => (1, None),
            _ => (2, None),
        };
        if !violations.shape(view, num_operands, 0, 0) {
            return;
        }
        let actual = view.operand(0);
        let expected = constant.unwrap_or_else(|| view.operand(num_operands - 1));
        violations.require(actual == expected, || {
            format!("compares values of one type, not {actual} and {expected}")
        });
        let wants_floats = matches!(
            self,
            Self::ExpectClose { .. } | Self::ExpectAlmostEq(_) | Self::ExpectAlmostEqConst(..)
        );
        let is_float = matches!(actual.element.kind(), ElementKind::Float | ElementKind::Complex);
        violations.require(is_float || !wants_floats, || format!("compares floats, not {}", actual.element));
    }

    fn infer(&self, _: &Given<'_>) -> Option<Vec<Type>> {
        Some(Vec::new())
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::replicated(view.operand_types(), view.result_types())
    }

    fn traits(&self) -> OpTraits {
        OpTraits { has_side_effects: true, ..OpTraits::NONE }
    }

    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        let precision = cx.precision();
        let actual = &inputs[0];
        let (expected, rule) = match self {
            Self::ExpectEq => (inputs[1].clone(), Rule::Equal),
            Self::ExpectEqConst(literal) => (tensor_of(literal, precision)?, Rule::Equal),
            Self::ExpectClose { most, least } => {
                (inputs[1].clone(), Rule::Ulps { least: least.unwrap_or(0), most: *most })
            }
            Self::ExpectAlmostEq(tolerance) => (inputs[1].clone(), Rule::Absolute(tolerance.value())),
            Self::ExpectAlmostEqConst(literal, tolerance) => {
                (tensor_of(literal, precision)?, Rule::Absolute(tolerance.value()))
            }
            Self::ExpectSerializedEq { probe_id, iteration } => {
                let iteration = iteration.unwrap_or(0) as usize;
                let kept = cx.probed(probe_id, iteration).ok_or_else(|| {
                    let message = format!("no value number {iteration} was kept by a probe \"{probe_id}\"");
                    EvalError::check_failed(format!("`{}`: {message}", self.name()))
                })?;
                (kept, Rule::Equal)
            }
        };
        check(self.name(), actual, &expected, rule)?;
        Ok(Vec::new())
    }
}

fn constant(attributes: &mut AttrReader<'_>) -> Result<Literal, String> {
    match attributes.required("value")? {
        Attr::Dense(literal) => Ok(literal),
        other => Err(format!("`value` should be a constant, found `{other}`")),
    }
}
