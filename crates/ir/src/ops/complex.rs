//! `stablehlo.complex`, `stablehlo.real`, `stablehlo.imag` (specification, one section each): complex numbers from
//! their parts, and the parts of complex numbers.

use crate::build::Builder as _;
use crate::eval::{Evaluated, Evaluation};
use crate::op::{Given, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::kernels::zip2;
use meshwright_tensor::types::{ElementType, TensorType, Type};
use meshwright_tensor::{Complex as Number, StorageKind, imaginary_part, real_part};

use super::family::{family, names_of_family};

family! {
    /// Ops between real and complex numbers.
    Complex {
        /// Complex numbers of two real parts.
        Make = "stablehlo.complex",
        /// The real part; real numbers are theirs.
        Real = "stablehlo.real",
        /// The imaginary part; zero for real numbers.
        Imag = "stablehlo.imag",
    }
}

impl OpDef for Complex {
    names_of_family!();

    /// `%re, %im : complex type` or `%x : (type) -> type`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let op = Self::from_name(name);
        let operands = p.operands()?;
        let attributes = p.attr_dict_opt()?;
        let (mut types, results) = p.same_or_function_type(operands.len())?;
        if op == Self::Make
            && let [Type::Tensor(result)] = results.as_slice()
            && types.iter().all(|ty| *ty == results[0])
        {
            // The parts' type follows from the one that is written.
            types.fill(TensorType::new(result.shape.clone(), result.element.part()).into());
        }
        Ok(ParsedInst::new(op, operands, results).typed(types).with(attributes))
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        p.attributes();
        match self {
            Self::Make => p.colon_type(view.body.ty(view.inst.results[0])),
            _ => p.same_type_or_signature(),
        }
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = if *self == Self::Make { 2 } else { 1 };
        if !violations.shape(view, count, 1, 0) {
            return;
        }
        let operand = view.operand(0);
        let other = view.operand(count - 1);
        violations.require(operand == other, || {
            format!("C1: the parts should be of one type, not {operand} and {other}")
        });
        match self.result_element(operand.element) {
            Some(_) => violations.inferred(view),
            None => violations.messages.push(format!("does not take elements of {}", operand.element)),
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.shaped_as(0, self.result_element(given.tensor(0)?.element)?)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn traits(&self) -> OpTraits {
        OpTraits::ELEMENTWISE
    }

    fn evaluate(&self, Evaluation { view, inputs, .. }: Evaluation<'_>) -> Evaluated {
        let operand = &inputs[0];
        let result = match self {
            Self::Real => real_part(operand),
            Self::Imag => imaginary_part(operand),
            Self::Make => {
                let element = view.result(0).element;
                match operand.storage() {
                    StorageKind::F32 => zip2(element, operand, &inputs[1], Number::<f32>::new),
                    _ => zip2(element, operand, &inputs[1], Number::<f64>::new),
                }
            }
        };
        Ok(vec![result?])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let part = v.operand_type(0);
        match self {
            Self::Make => {
                v.give_with(0, |v, cotangent| v.emit(Self::Real, &[cotangent], part.clone()));
                v.give_with(1, |v, cotangent| {
                    let imaginary = v.emit(Self::Imag, &[cotangent], part.clone());
                    v.negated(imaginary)
                });
            }
            Self::Real | Self::Imag if part.element.is_float() => {
                let passed = *self == Self::Real;
                v.give_with(0, |v, cotangent| if passed { cotangent } else { v.number_like(cotangent, 0.0) });
            }
            Self::Real => v.give_with(0, |v, cotangent| {
                let zero = v.number_like(cotangent, 0.0);
                v.emit(Self::Make, &[cotangent, zero], part.clone())
            }),
            Self::Imag => v.give_with(0, |v, cotangent| {
                let (zero, negated) = (v.number_like(cotangent, 0.0), v.negated(cotangent));
                v.emit(Self::Make, &[zero, negated], part.clone())
            }),
        }
        Ok(())
    }
}

impl Complex {
    /// The element type of the result. None if there is none for these operands.
    pub fn result_element(self, operand: ElementType) -> Option<ElementType> {
        match self {
            Self::Make => operand.complex(),
            _ => operand.is_inexact().then(|| operand.part()),
        }
    }
}
