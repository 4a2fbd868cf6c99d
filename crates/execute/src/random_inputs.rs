//! Inputs drawn from a seed.
//!
//! The same seed gives the same bytes on every platform and for any number of threads: only integer arithmetic and
//! the operations that IEEE 754 rounds exactly (`+ - * /`, square root) are used, so the logarithm is our own.
//!
//! - Random bits: SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014), one stream
//!   per argument, so that an argument's values do not depend on the others.
//! - Normal numbers: Marsaglia's polar method (Marsaglia, Bray, 1964); half of them are thrown away for simplicity.
//! - Floats that nothing is known of are small and positive, as second moments have to be. Parameters of which it is known
//!   what they do ([`wanted_floats`]) have the size with which signals and gradients keep theirs.
//! - Uniform integers: the high half of a product (Lemire, "Fast random integer generation in an interval", 2019),
//!   without its rejection step; the bias is below 2^-32 for ranges below 2^32.

use std::ops::Range;

use meshwright_analyze::wanted_floats::{self, Wanted};
use meshwright_analyze::wanted_numbers::{self, Purpose};
use meshwright_ir::program::Program;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementKind, TensorType, Type};
use meshwright_tensor::{Element, Precision, Scalar, Tensor, allocatable_len};

/// Floats of which nothing is known are this times the magnitude of a normal number: small, and positive, so that second
/// moments are valid.
const FLOAT_SCALE: f64 = 0.02;

/// How far apart numbers lie that multiply signals (around one) or are added to them (around zero).
const SPREAD: f64 = 0.1;

/// Integers that nothing is known of are drawn from these.
const ANY: Range<i64> = 0..100;

/// Options of random inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawOptions {
    /// Where the random numbers start.
    pub seed: u64,
    /// Integers are uniform in this range, clipped to what their type can hold.
    pub int_range: Range<i64>,
}

impl Default for DrawOptions {
    fn default() -> Self {
        Self { seed: 0, int_range: ANY }
    }
}

/// From where the integers of one argument are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntRange {
    /// They are uniform in this range, clipped to what their type can hold.
    pub range: Range<i64>,
    /// What the program does with them, which wants that range.
    pub because: Option<Purpose>,
}

/// Numbers that suit one argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Suiting {
    /// Of an argument of integers.
    Ints(IntRange),
    /// Of a parameter of floats of which it is known what it does.
    Floats(Wanted),
}

impl Suiting {
    /// The range of integers, if they are some.
    pub fn ints(&self) -> Option<&IntRange> {
        match self {
            Self::Ints(range) => Some(range),
            Self::Floats(_) => None,
        }
    }

    /// Has all integers drawn from this range, as was asked for.
    pub fn ask(all: &mut [Option<Self>], range: &Range<i64>) {
        for own in all.iter_mut().flatten() {
            if matches!(own, Self::Ints(_)) {
                *own = Self::Ints(IntRange { range: range.clone(), because: None });
            }
        }
    }
}

/// For each argument of a program's entry function the numbers that suit it; `None` where nothing is known of floats, and for
/// other types.
pub fn suiting(program: &Program) -> Vec<Option<Suiting>> {
    let Some(main) = program.main() else { return Vec::new() };
    let (wanted, floats) = (wanted_numbers::of_arguments(program), wanted_floats::of_arguments(program));
    let suiting = |(index, value): (usize, _)| {
        let Some(ty) = main.body.ty(value).as_tensor().filter(|ty| is_integer(ty)) else {
            return floats.get(index).copied().flatten().map(Suiting::Floats);
        };
        let wanted = wanted.get(index).copied().flatten();
        let wanted = wanted.map(|one| (one.low..one.high.saturating_add(1), one.purpose));
        // What suits another type, behind a conversion, may not fit this one.
        let wanted = wanted.filter(|(range, _)| clip(ty, range).is_ok());
        Some(Suiting::Ints(match wanted {
            Some((range, because)) => IntRange { range, because: Some(because) },
            None => IntRange { range: ANY, because: None },
        }))
    };
    main.args().iter().copied().enumerate().map(suiting).collect()
}

/// One tensor per type: floats `0.02 * |normal|` rounded to their type, integers uniform, booleans at random.
///
/// Errors: a type that is no tensor of real numbers, an integer range of which nothing fits the type.
pub fn draw(types: &[Type], options: &DrawOptions) -> Result<Vec<Tensor>, EvalError> {
    draw_from(types, options.seed, |_| (&options.int_range, None))
}

/// As [`draw`], with the numbers of each argument as suits it; integers that are not known to be wanted from 0 to 99.
///
/// Errors: as [`draw`].
pub fn draw_each(types: &[Type], seed: u64, suiting: &[Option<Suiting>]) -> Result<Vec<Tensor>, EvalError> {
    draw_from(types, seed, |index| match suiting.get(index).and_then(Option::as_ref) {
        Some(Suiting::Ints(own)) => (&own.range, None),
        Some(Suiting::Floats(wanted)) => (&ANY, Some(*wanted)),
        None => (&ANY, None),
    })
}

fn draw_from<'a>(
    types: &[Type],
    seed: u64,
    suiting: impl Fn(usize) -> (&'a Range<i64>, Option<Wanted>),
) -> Result<Vec<Tensor>, EvalError> {
    let draw = |(index, ty): (usize, &Type)| {
        let Type::Tensor(ty) = ty else {
            return Err(EvalError::new(format!("argument {index} is a {ty}, which cannot be drawn")));
        };
        draw_one(ty, stream(seed, index), suiting(index))
            .map_err(|error| EvalError::new(format!("argument {index}: {}", error.message)))
    };
    types.iter().enumerate().map(draw).collect()
}

fn is_integer(ty: &TensorType) -> bool {
    matches!(ty.element.kind(), ElementKind::Signed | ElementKind::Unsigned)
}

fn draw_one(
    ty: &TensorType,
    mut random: SplitMix64,
    (int_range, wanted): (&Range<i64>, Option<Wanted>),
) -> Result<Tensor, EvalError> {
    let storage = Precision::Declared.storage(ty.element);
    // Fails for shapes that this host cannot hold, before any of it is drawn.
    let len = meshwright_tensor::dispatch!(storage, T => allocatable_len::<T>(&ty.shape)?);
    let range = if is_integer(ty) { clip(ty, int_range)? } else { 0..2 };
    let width = range.end.wrapping_sub(range.start) as u64;
    meshwright_tensor::dispatch!(storage, T => {
        let float = |random: &mut SplitMix64| float(random.normal(), wanted);
        let draw = || T::from_scalar(match ty.element.kind() {
            ElementKind::Float => Scalar::Float(float(&mut random)),
            ElementKind::Complex => Scalar::Complex(float(&mut random), float(&mut random)),
            _ => Scalar::Int(range.start.wrapping_add(random.below(width) as i64)),
        });
        let elements: Vec<T> = std::iter::repeat_with(draw).take(len).collect();
        Ok(Tensor::from_vec(ty.element, ty.shape.clone(), elements))
    })
}

/// A float made of a normal number, as it is wanted.
fn float(normal: f64, wanted: Option<Wanted>) -> f64 {
    match wanted {
        None | Some(Wanted::Positive) => FLOAT_SCALE * normal.abs(),
        Some(Wanted::Matrix(summands)) => normal / (summands as f64).sqrt(),
        Some(Wanted::Table) => normal,
        Some(Wanted::Factor) => 1.0 + SPREAD * normal,
        Some(Wanted::Summand) => SPREAD * normal,
    }
}

/// The part of a range that fits a type.
fn clip(ty: &TensorType, range: &Range<i64>) -> Result<Range<i64>, EvalError> {
    let lowest = Tensor::lowest(ty.element, Precision::Declared)?.scalar_as_i64()?;
    let highest = Tensor::highest(ty.element, Precision::Declared)?.scalar_as_i64()?;
    let clipped = range.start.max(lowest)..range.end.min(highest.saturating_add(1));
    if clipped.is_empty() {
        let message = format!("no integer of {}..{} fits {}", range.start, range.end, ty.element);
        return Err(EvalError::new(message));
    }
    Ok(clipped)
}

/// The stream of random numbers of one argument.
fn stream(seed: u64, index: usize) -> SplitMix64 {
    // Two steps apart, as neighboring seeds would otherwise give shifted copies of one stream.
    let start = SplitMix64(seed).next();
    SplitMix64(SplitMix64(start ^ (index as u64).wrapping_mul(0xd134_2543_de82_ef95)).next())
}

/// A generator of random bits.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Uniform in `[0, limit)`.
    fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }

    /// Uniform in `[-1, 1)`, in steps of 2^-52.
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 * (1.0 / (1u64 << 52) as f64) - 1.0
    }

    /// Normal with mean 0 and variance 1.
    fn normal(&mut self) -> f64 {
        loop {
            let (x, y) = (self.unit(), self.unit());
            let square = x * x + y * y;
            if square > 0.0 && square < 1.0 {
                return x * (-2.0 * natural_log(square) / square).sqrt();
            }
        }
    }
}

/// The natural logarithm of a normal positive number: `ln(2^e m) = e ln 2 + 2 atanh((m - 1) / (m + 1))`.
fn natural_log(x: f64) -> f64 {
    let bits = x.to_bits();
    let mut exponent = ((bits >> 52) & 0x7ff) as i64 - 1023;
    let mut mantissa = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let ratio = (mantissa - 1.0) / (mantissa + 1.0);
    let square = ratio * ratio;
    // |ratio| <= 0.1716, so terms beyond ratio^23 are below the last bit.
    let series = (0..12).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    exponent as f64 * std::f64::consts::LN_2 + 2.0 * ratio * series
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_tensor::types::ElementType;

    fn ty(shape: &[usize], element: ElementType) -> Type {
        TensorType::new(shape, element).into()
    }

    #[test]
    fn logarithm() {
        for x in [1e-300, 0.1, 0.5, 0.7, 0.9999, 1.0, 1.4, 1.5, 2.0, 1e10] {
            assert!((natural_log(x) - f64::ln(x)).abs() <= 4e-16 * f64::ln(x).abs().max(1.0), "{x}");
        }
    }

    #[test]
    fn the_bytes_never_change() {
        let types = [ty(&[2], ElementType::F32), ty(&[2], ElementType::F64), ty(&[3], ElementType::I32)];
        let drawn = draw(&types, &DrawOptions { seed: 7, int_range: 0..100 }).unwrap();
        let all: Vec<Vec<u8>> = drawn.iter().map(|tensor| tensor.to_le_bytes().unwrap()).collect();
        let text: Vec<String> =
            all.iter().map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect()).collect();
        assert_eq!(text, EXPECTED);
    }

    const EXPECTED: [&str; 3] =
        ["455c0d3da7de163b", "5225003428098e3f21a1bb2aeeef9f3f", "190000004600000052000000"];

    #[test]
    fn distributions() {
        let types = [
            ty(&[20_000], ElementType::F32),
            ty(&[20_000], ElementType::I32),
            ty(&[20_000], ElementType::I1),
            ty(&[20_000], ElementType::I4),
        ];
        let drawn = draw(&types, &DrawOptions::default()).unwrap();
        let [floats, ints, booleans, nibbles] = [0, 1, 2, 3].map(|index| drawn[index].to_f64_vec());
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        // The mean of |normal| is sqrt(2 / pi); 20000 of them stay within 0.5 % of it nearly always.
        assert!((mean(&floats) / 0.02 - 0.797_884_56).abs() < 0.02, "{}", mean(&floats));
        let squares: Vec<f64> = floats.iter().map(|value| (value / 0.02).powi(2)).collect();
        assert!((mean(&squares) - 1.0).abs() < 0.05);
        assert!((mean(&ints) - 49.5).abs() < 1.0);
        assert!(ints.iter().all(|value| (0.0..100.0).contains(value)));
        assert!((0..100).all(|value| ints.contains(&f64::from(value))));
        assert!((mean(&booleans) - 0.5).abs() < 0.02);
        assert!(nibbles.iter().all(|value| (0.0..8.0).contains(value)));
    }

    #[test]
    fn an_argument_does_not_depend_on_the_others() {
        let (a, b) = (ty(&[3], ElementType::F32), ty(&[5], ElementType::F32));
        let options = DrawOptions::default();
        let both = draw(&[a.clone(), b.clone()], &options).unwrap();
        let other = draw(&[b.clone(), b], &options).unwrap();
        assert_eq!(both[1].to_f64_vec(), other[1].to_f64_vec());
        assert_ne!(other[0].to_f64_vec(), other[1].to_f64_vec());
    }

    #[test]
    fn integers_suit_what_the_program_does_with_them() {
        let text = "func.func @main(%few: tensor<4xi32>, %x: tensor<4xf32>, %any: tensor<4xui32>, %small: tensor<4xi8>)
            -> (tensor<4x300xi1>, tensor<4x300xi1>) {
          %0 = stablehlo.iota dim = 1 : tensor<4x300xi32>
          %1 = stablehlo.broadcast_in_dim %few, dims = [0] : (tensor<4xi32>) -> tensor<4x300xi32>
          %2 = stablehlo.compare EQ, %1, %0 : (tensor<4x300xi32>, tensor<4x300xi32>) -> tensor<4x300xi1>
          %c = stablehlo.constant dense<500> : tensor<4x300xi32>
          %3 = stablehlo.add %0, %c : tensor<4x300xi32>
          %4 = stablehlo.convert %small : (tensor<4xi8>) -> tensor<4xi32>
          %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<4xi32>) -> tensor<4x300xi32>
          %6 = stablehlo.compare EQ, %5, %3 : (tensor<4x300xi32>, tensor<4x300xi32>) -> tensor<4x300xi1>
          return %2, %6 : tensor<4x300xi1>, tensor<4x300xi1>
        }";
        let source = meshwright_ir::diagnostic::Source::new("test", text);
        let program = meshwright_ir::text::read(&source).unwrap();
        let ranges = suiting(&program);
        let found: Vec<_> =
            ranges.iter().map(|own| own.as_ref()?.ints().map(|own| own.range.clone())).collect();
        // No number of eight bits is one of 500 to 799.
        assert_eq!(found, [Some(0..300), None, Some(ANY), Some(ANY)]);
        let types = [ElementType::I32, ElementType::F32, ElementType::Ui32, ElementType::I8];
        let drawn = draw_each(&types.map(|element| ty(&[4000], element)), 0, &ranges).unwrap();
        let most = drawn[0].to_f64_vec().into_iter().fold(0.0, f64::max);
        assert_eq!(most, 299.0);
    }

    #[test]
    fn what_cannot_be_drawn() {
        let options = DrawOptions { seed: 0, int_range: -5..0 };
        let error = draw(&[ty(&[1], ElementType::Ui8)], &options).unwrap_err();
        assert_eq!(error.message, "argument 0: no integer of -5..0 fits ui8");
        assert!(draw(&[Type::Token], &options).is_err());
        assert!(draw(&[ty(&[usize::MAX, 2], ElementType::I8)], &DrawOptions::default()).is_err());
    }
}
