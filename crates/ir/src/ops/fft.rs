//! `stablehlo.fft` (specification, "fft"): Fourier transforms of the innermost dims.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::{FactorKind, Passing, ShardingRule};
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use crate::vjp::{Differentiated, Vjp};

use super::binary::Binary;
use super::compare::Direction;
use super::complex::Complex as Parts;
use super::pad::Pad;
use crate::build::Builder as _;
use meshwright_tensor::types::{ElementKind, ElementType, TensorType, Type};

/// Kinds of Fourier transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FftType {
    /// Complex to complex.
    Fft,
    /// The inverse of `Fft`.
    Ifft,
    /// Real to complex, keeping the half that determines the rest.
    Rfft,
    /// The inverse of `Rfft`.
    Irfft,
}

impl FftType {
    const WORDS: [&'static str; 4] = ["FFT", "IFFT", "RFFT", "IRFFT"];
    const ALL: [Self; 4] = [Self::Fft, Self::Ifft, Self::Rfft, Self::Irfft];

    fn word(self) -> &'static str {
        Self::WORDS[self as usize]
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().position(|known| *known == word).map(|at| Self::ALL[at])
    }
}

/// A transform.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fft {
    /// Which one.
    pub fft_type: FftType,
    /// Sizes of the dims that are transformed, the innermost last, counted on the real side.
    pub length: Vec<usize>,
}

impl OpDef for Fft {
    const NAMES: &'static [&'static str] = &["stablehlo.fft"];

    /// `%x, type = RFFT, length = [8] : (...) -> ...`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        p.expect(b',')?;
        p.field("type")?;
        let fft_type = p.one_of("FFT, IFFT, RFFT or IRFFT", FftType::from_word)?;
        p.expect(b',')?;
        p.field("length")?;
        let length = p.sizes()?;
        Ending::Signature.parse(p, Self { fft_type, length }, vec![operand])
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let fft_type = attributes.word("fft_type", "stablehlo", "fft_type", &FftType::WORDS)?;
        Ok(Self { fft_type: FftType::ALL[fft_type], length: attributes.dims("fft_length")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("fft_length", Attr::dims(&self.length));
        attributes.set("fft_type", Attr::word("stablehlo", "fft_type", self.fft_type.word()));
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        p.text(&format!(", type = {}, length = ", self.fft_type.word()));
        p.list(&self.length);
        Ending::Signature.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 1, 1, 0) {
            return;
        }
        let (operand, count) = (view.operand(0), self.length.len());
        let fits = violations
            .require((1..=3).contains(&count), || format!("C3: transforms 1 to 3 dims, not {count}"))
            & violations.require(count <= operand.rank(), || {
                format!("C1: transforms {count} dims of a tensor with {}", operand.rank())
            });
        let is_real = self.fft_type == FftType::Rfft;
        let kind = if is_real { ElementKind::Float } else { ElementKind::Complex };
        let known = violations.require(operand.element.kind() == kind, || {
            let what = if is_real { "floats" } else { "complex numbers" };
            format!("C2: {} takes {what}, not {}", self.fft_type.word(), operand.element)
        });
        if !fits || !known {
            return;
        }
        let (last, length) = (operand.rank() - 1, self.length[count - 1]);
        let tail = operand.rank() - count;
        match self.fft_type {
            FftType::Rfft => {
                violations.require(operand.shape[tail..] == self.length, || {
                    format!(
                        "C4: the innermost dims should be {:?}, not {:?}",
                        self.length,
                        &operand.shape[tail..]
                    )
                });
            }
            FftType::Irfft => {
                let outer = &operand.shape[tail..last];
                violations.require(*outer == self.length[..count - 1], || {
                    format!(
                        "C4: the transformed dims should be {:?}, not {outer:?}",
                        &self.length[..count - 1]
                    )
                });
                violations.require(operand.shape[last] == half(length), || {
                    format!("C5: the innermost dim should be {}, not {}", half(length), operand.shape[last])
                });
            }
            _ => {}
        }
        violations.require(!is_real || operand.element.complex().is_some(), || {
            format!("C2: there is no complex type of {}", operand.element)
        });
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let operand = given.tensor(0)?;
        let length = *self.length.last()?;
        let mut shape = operand.shape.clone();
        let last = shape.last_mut()?;
        let element = match self.fft_type {
            FftType::Rfft => {
                *last = half(length);
                operand.element.complex()?
            }
            FftType::Irfft => {
                *last = length;
                operand.element.part()
            }
            FftType::Fft | FftType::Ifft => operand.element,
        };
        Some(vec![TensorType::new(shape, element).into()])
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        Ok(vec![super::fft_eval::transform(self, &inputs[0], view.result(0), cx.precision())?])
    }

    /// 5 n log2 n for n complex numbers, as the field counts, and half of that for real ones.
    fn flops(&self, operands: &[Type], results: &[Type]) -> f64 {
        let largest = operands.iter().chain(results).filter_map(Type::as_tensor).map(|ty| ty.num_elements());
        let numbers = largest.max().unwrap_or(0) as f64;
        let transformed: f64 = self.length.iter().map(|size| *size as f64).product();
        let is_real = matches!(self.fft_type, FftType::Rfft | FftType::Irfft);
        numbers * transformed.max(2.0).log2() * if is_real { 2.5 } else { 5.0 }
    }

    /// Batches pass through; a device needs what is transformed whole.
    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let (from, to) = (&view.operand(0).shape, &view.result(0).shape);
        let batches = from.len().saturating_sub(self.length.len());
        for (dim, size) in from.iter().enumerate() {
            let kind = if dim < batches { FactorKind::PassThrough } else { FactorKind::NeedReplication };
            let factor = rule.add_dim(*size, kind, &[(0, dim)], &[(0, dim)]);
            if dim >= batches && to[dim] != *size {
                rule.factors[factor].in_shardy.passing = Passing::Never;
            }
        }
        rule
    }

    /// A transform is its own transpose, but for the half that real ones leave out.
    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        v.give_with(0, |v, cotangent| match self.fft_type {
            FftType::Fft | FftType::Ifft => v.unary(self.clone(), cotangent),
            FftType::Rfft => self.real_cotangent(v, cotangent),
            FftType::Irfft => self.half_cotangent(v, cotangent),
        });
        Ok(())
    }
}

/// How many complex numbers stand for a real signal's transform of so many, which is symmetric.
fn half(size: usize) -> usize {
    if size == 0 { 0 } else { size / 2 + 1 }
}

impl Fft {
    /// Of a transform of real numbers: the half that was left out is zero.
    fn real_cotangent(&self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let (real, half) = (v.operand_type(0), v.ty(cotangent));
        let last = real.rank() - 1;
        let mut pad = Pad { low: vec![0; last + 1], high: vec![0; last + 1], interior: vec![0; last + 1] };
        pad.high[last] = real.shape[last] as i64 - half.shape[last] as i64;
        let zero = v.splat(TensorType::scalar(half.element), 0.0);
        let whole = v.emit(pad, &[cotangent, zero], TensorType::new(real.shape.clone(), half.element));
        let back = v.unary(Self { fft_type: FftType::Fft, length: self.length.clone() }, whole);
        v.emit(Parts::Real, &[back], real)
    }

    /// Of a transform to real numbers: what stands for two counts twice.
    fn half_cotangent(&self, v: &mut Vjp<'_>, cotangent: ValueId) -> ValueId {
        let (half, real) = (v.operand_type(0), v.ty(cotangent));
        let forward = Self { fft_type: FftType::Rfft, length: self.length.clone() };
        let back = v.emit(forward, &[cotangent], half.clone());
        let (last, scale) = (half.rank() - 1, 1.0 / self.length.iter().product::<usize>() as f64);
        let position = v.iota(&half.shape, ElementType::I32, last);
        let single = [0, *self.length.last().unwrap_or(&0)];
        let twice = v.with_number(Binary::Multiply, position, 2);
        let [is_first, is_middle] = single.map(|at| {
            let at = v.number_like(twice, at as f64);
            v.compare(Direction::Equal, twice, at)
        });
        let is_single = v.binary(Binary::Or, is_first, is_middle);
        let weights = TensorType::new(half.shape.clone(), real.element);
        let (once, both) = (v.splat(weights.clone(), scale), v.splat(weights, 2.0 * scale));
        let weight = v.choose(is_single, once, both);
        let [re, im] = [Parts::Real, Parts::Imag].map(|part| {
            let part = v.emit(part, &[back], TensorType::new(half.shape.clone(), real.element));
            v.times(part, weight)
        });
        let im = v.negated(im);
        v.emit(Parts::Make, &[re, im], half)
    }
}
