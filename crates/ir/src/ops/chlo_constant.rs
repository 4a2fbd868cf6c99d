//! `chlo.constant` and `chlo.constant_like`: constants of the `chlo` dialect.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::literal::{Literal, LiteralData, int_bytes};
use meshwright_tensor::types::{ElementType, Type};

/// Kinds of constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ChloConstant {
    /// A constant tensor.
    Constant(Literal),
    /// One number, repeated to the operand's shape.
    Like(Attr),
}

impl OpDef for ChloConstant {
    const NAMES: &'static [&'static str] = &["chlo.constant", "chlo.constant_like"];

    fn name(&self) -> &'static str {
        match self {
            Self::Constant(_) => "chlo.constant",
            Self::Like(_) => "chlo.constant_like",
        }
    }

    /// `chlo.constant {...} dense<...> : type`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        if name != "chlo.constant" {
            return p.only_generic(name);
        }
        let attributes = p.attr_dict_opt()?;
        let literal = p.dense_literal()?;
        let ty = Type::Tensor(literal.ty.clone());
        Ok(ParsedInst::new(Self::Constant(literal), Vec::new(), vec![ty]).with(attributes))
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let value = attributes.required("value")?;
        match (name, value) {
            ("chlo.constant", Attr::Dense(literal)) => Ok(Self::Constant(literal)),
            ("chlo.constant_like", value @ (Attr::Int(..) | Attr::Float(..) | Attr::Bool(_))) => {
                Ok(Self::Like(value))
            }
            (_, other) => Err(format!("`value` should be a constant, found `{other}`")),
        }
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let value = match self {
            Self::Constant(literal) => Attr::Dense(literal.clone()),
            Self::Like(value) => value.clone(),
        };
        Attributes::new().with("value", value)
    }

    fn print(&self, _: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let Self::Constant(literal) = self else {
            return false;
        };
        p.attributes();
        p.text(&format!(" {literal} : {}", literal.ty));
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        match self {
            Self::Constant(_) => {
                if violations.shape(view, 0, 1, 0) {
                    violations.inferred(view);
                }
            }
            Self::Like(value) => {
                if !violations.shape(view, 1, 1, 0) {
                    return;
                }
                let (operand, result) = (view.operand(0), view.result(0));
                violations.require(operand.shape == result.shape, || {
                    format!("the result {result} should have the operand's shape {:?}", operand.shape)
                });
                violations.require(element_of(value) == Some(result.element), || {
                    format!("`{value}` is no element of {result}")
                });
            }
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        match self {
            Self::Constant(literal) => Some(vec![literal.ty.clone().into()]),
            Self::Like(value) => given.shaped_as(0, element_of(value)?),
        }
    }

    fn flops(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    fn expand(&self, view: &InstView<'_>, _: &[ValueId], e: &mut Expansion<'_, '_>) -> Option<Vec<ValueId>> {
        let ty = view.result(0).clone();
        let literal = match self {
            Self::Constant(literal) => literal.clone(),
            Self::Like(Attr::Float(bits, _)) => Literal::splat(ty, f64::from_bits(*bits)),
            Self::Like(Attr::Int(value, element)) => {
                let bytes = int_bytes(*value, element.unwrap_or(ty.element));
                Literal { ty, data: LiteralData::Splat(bytes.into()) }
            }
            Self::Like(value) => Literal::splat(ty, f64::from(u8::from(*value == Attr::Bool(true)))),
        };
        Some(vec![e.constant(literal)])
    }
}

/// The type of an element, if it is written with one.
fn element_of(value: &Attr) -> Option<ElementType> {
    match value {
        Attr::Int(_, element) => *element,
        Attr::Float(_, element) => Some(*element),
        _ => Some(ElementType::I1),
    }
}
