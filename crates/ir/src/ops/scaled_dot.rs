//! `meshwright.scaled_dot`: a product whose operands are rounded to floats of eight bits, each row by a scale of its own.
//!
//! A row is all that is summed over for one element of the result; its scale brings its largest magnitude to the largest
//! number of the narrow type. Rows of values are those of single tokens, so that nothing is put together from a batch, and
//! a batch may be cut. The operand on the left is values, that on the right a weight:
//!
//! ```text
//! %y = scaled_dot %x, %w                           in f8E4M3FN
//! passes back to %x:  scaled_dot %dy, %w           %dy in f8E5M2, %w in f8E4M3FN, by rows of outputs
//!             to %w:  dot_general %dy, %x          in the types of the operands: it sums over tokens
//! ```
//!
//! Rounding passes all that it is given back.
//!
//! `%y = "meshwright.scaled_dot"(%x, %w) {elements = ["f8E4M3FN", "f8E4M3FN"], lhs_contracting = array<i64: 1>,
//! rhs_contracting = array<i64: 1>}`, with `lhs_batching` and `rhs_batching` where there are such dims.

use super::binary::Binary;
use super::clamp::Clamp;
use super::dot_general::DotGeneral;
use super::unary::Unary;
use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::kernel_shape::KernelShape;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::minifloat::MiniFloat;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// A product in floats of eight bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ScaledDot {
    /// The product in full.
    pub dot: DotGeneral,
    /// The types that the operands are rounded to.
    pub elements: [ElementType; 2],
}

/// Values and weights of a forward pass, and weights of a backward pass: three bits of mantissa.
const PRECISE: ElementType = ElementType::F8E4M3Fn;

/// What is passed back: two bits of mantissa, and a wider range.
const WIDE: ElementType = ElementType::F8E5M2;

/// The type that scales are computed in.
const SCALE: ElementType = ElementType::F32;

/// A row has no smaller largest magnitude: one of zeros has a scale too.
const LEAST: f64 = 1.0 / (1_u128 << 100) as f64;

/// Attributes of the dims, as `[side]` of batching and contracting ones.
const BATCHING: [&str; 2] = ["lhs_batching", "rhs_batching"];
const CONTRACTING: [&str; 2] = ["lhs_contracting", "rhs_contracting"];

impl OpDef for ScaledDot {
    const NAMES: &'static [&'static str] = &["meshwright.scaled_dot"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let Attr::Array(names) = attributes.required("elements")? else {
            return Err("`elements` should be two names of types".into());
        };
        let element = |name: &Attr| name.as_str().and_then(ElementType::from_name);
        let elements: Vec<ElementType> = names.iter().filter_map(element).collect();
        let elements = <[ElementType; 2]>::try_from(elements)
            .map_err(|_| "`elements` should be two names of types".to_owned())?;
        let mut dims = |name: &str| attributes.dims_opt(name).map(Option::unwrap_or_default);
        let dot = DotGeneral {
            batch: [dims(BATCHING[0])?, dims(BATCHING[1])?],
            contracting: [dims(CONTRACTING[0])?, dims(CONTRACTING[1])?],
            precision: Vec::new(),
            algorithm: None,
        };
        Ok(Self { dot, elements })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        let names = self.elements.iter().map(|element| Attr::string(element.name()));
        attributes.set("elements", Attr::Array(names.collect()));
        for (names, dims) in [(BATCHING, &self.dot.batch), (CONTRACTING, &self.dot.contracting)] {
            for (name, dims) in names.iter().zip(dims).filter(|(_, dims)| !dims.is_empty()) {
                attributes.set(*name, Attr::dims(dims));
            }
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        self.dot.verify(view, violations);
        violations.require(!self.dot.contracting[0].is_empty(), || "nothing is summed over".into());
        for (side, element) in self.elements.into_iter().enumerate() {
            violations.require(MiniFloat::of(element).is_some(), || {
                format!("operand {side} is rounded to floats of at most eight bits, not {element}")
            });
            let own = view.operand(side).element;
            violations.require(own.is_float() && own.bits() <= SCALE.bits(), || {
                format!("operand {side} should have floats of at most {} bits, not {own}", SCALE.bits())
            });
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        self.dot.infer(given)
    }

    fn traits(&self) -> OpTraits {
        OpTraits { has_own_derivative: true, ..OpTraits::SHORT_FORM }
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        self.dot.rule(view)
    }

    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        self.dot.flops(operands, results)
    }

    fn kernel(&self, operands: &[Type], results: &[Type]) -> KernelShape {
        self.dot.kernel(operands, results)
    }

    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let result = view.result(0).clone();
        let rows = [self.rows(view, 0), self.rows(view, 1)];
        let sides = [0, 1].map(|side| self.rounded(operands[side], side, &rows[side], e));
        let product = e.emit(self.dot.clone(), &sides.map(|(rounded, _)| rounded), result.clone());
        let mut scaled = e.convert(product, SCALE);
        for (side, (_, scale)) in sides.into_iter().enumerate() {
            let places = rows[side].iter().map(|row| row.in_result).collect();
            let scale = e.broadcast(scale, &result.shape, places);
            scaled = e.times(scaled, scale);
        }
        Some(vec![e.convert(scaled, result.element)])
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let elements = [WIDE, PRECISE];
        v.give_with(0, |v, cotangent| {
            self.dot.pulled_back(v, 0, cotangent, |dot| Self { dot, elements }.into())
        });
        v.give_with(1, |v, cotangent| self.dot.pulled_back(v, 1, cotangent, Into::into));
        Ok(())
    }
}

/// A dim of an operand along which each position is a row.
#[derive(Clone, Copy)]
struct Row {
    dim: usize,
    in_result: usize,
}

impl ScaledDot {
    /// A product of values on the left and a weight on the right, as a forward pass has it.
    pub fn forward(dot: DotGeneral) -> Self {
        Self { dot, elements: [PRECISE, PRECISE] }
    }

    /// The dims of an operand that the result has too, in order.
    fn rows(&self, view: &InstView<'_>, side: usize) -> Vec<Row> {
        let (left, own) = (view.operand(0).rank(), view.operand(side).rank());
        let num_batch = self.dot.batch[0].len();
        let first = num_batch + if side == 0 { 0 } else { self.dot.free_dims(0, left).len() };
        let free = self.dot.free_dims(side, own).into_iter().zip(first..);
        let batch = self.dot.batch[side].iter().copied().zip(0..);
        let mut rows: Vec<Row> = batch.chain(free).map(|(dim, in_result)| Row { dim, in_result }).collect();
        rows.sort_by_key(|row| row.dim);
        rows
    }

    /// An operand rounded, and the scales of its rows; once where several products read it so.
    fn rounded(
        &self,
        operand: ValueId,
        side: usize,
        rows: &[Row],
        e: &mut Expansion<'_, '_>,
    ) -> (ValueId, ValueId) {
        let (element, summed) = (self.elements[side], self.dot.contracting[side].clone());
        let made = e.once((operand, element, summed), |e| {
            let (rounded, scale) = self.rounded_anew(operand, side, rows, e);
            vec![rounded, scale]
        });
        (made[0], made[1])
    }

    fn rounded_anew(
        &self,
        operand: ValueId,
        side: usize,
        rows: &[Row],
        e: &mut Expansion<'_, '_>,
    ) -> (ValueId, ValueId) {
        let element = self.elements[side];
        let greatest = MiniFloat::of(element).map_or(1.0, MiniFloat::greatest);
        // What is largest is so in the operand's own type, and nothing longer than that is read twice.
        let magnitudes = e.unary(Unary::Abs, operand);
        let summed = self.dot.contracting[side].clone();
        let largest = e.reduced(Binary::Maximum, magnitudes, summed, f64::NEG_INFINITY);
        let largest = e.convert(largest, SCALE);
        let least = e.number_like(largest, LEAST);
        let largest = e.binary(Binary::Maximum, largest, least);
        let scale = e.scaled(largest, 1.0 / greatest);
        let value = e.convert(operand, SCALE);
        let ty = e.ty(value);
        let along = e.broadcast(scale, &ty.shape, rows.iter().map(|row| row.dim).collect());
        let share = e.over(value, along);
        let bounds = [-greatest, greatest].map(|bound| e.splat(TensorType::scalar(SCALE), bound));
        let share = e.emit(Clamp, &[bounds[0], share, bounds[1]], ty);
        (e.convert(share, element), scale)
    }
}
