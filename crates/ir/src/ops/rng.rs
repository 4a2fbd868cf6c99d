//! `stablehlo.rng` and `stablehlo.rng_bit_generator` (specification, one section each): random numbers.

use super::constant::literal_of;
use super::rng_eval::generate;
use super::rng_numbers::draw;
use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, OpDef, OpTraits, ParsedInst, Propagation, Violations, one_per_element};
use crate::program::InstView;
use crate::sdy::OpShardingRule;
use crate::sdy::rule_builder::{FactorType, RuleBuilder};
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use meshwright_tensor::types::{ElementKind, ElementType, TensorType, Type};

/// Distributions of an `rng`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distribution {
    /// Between the first operand and the second.
    Uniform,
    /// With the first operand as mean and the second as standard deviation.
    Normal,
}

/// Algorithms of an `rng_bit_generator`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// As the implementation likes.
    Default,
    /// Threefry 2x32 with 20 rounds.
    ThreeFry,
    /// Philox 4x32 with 10 rounds.
    Philox,
}

const DISTRIBUTIONS: [&str; 2] = ["UNIFORM", "NORMAL"];
const ALGORITHMS: [&str; 3] = ["DEFAULT", "THREE_FRY", "PHILOX"];

/// Kinds of random ops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rng {
    /// Numbers of a distribution, different in every run.
    Numbers(Distribution),
    /// Bits that the operand determines.
    Bits(Algorithm),
}

impl OpDef for Rng {
    const NAMES: &'static [&'static str] = &["stablehlo.rng", "stablehlo.rng_bit_generator"];

    fn name(&self) -> &'static str {
        match self {
            Self::Numbers(_) => "stablehlo.rng",
            Self::Bits(_) => "stablehlo.rng_bit_generator",
        }
    }

    /// `%a, %b, %shape, distribution = UNIFORM : ...` or `%state, algorithm = PHILOX : ...`
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let mut operands = vec![p.operand()?];
        p.expect(b',')?;
        let op = if name == "stablehlo.rng" {
            operands.push(p.operand()?);
            p.expect(b',')?;
            operands.push(p.operand()?);
            p.expect(b',')?;
            p.field("distribution")?;
            Self::Numbers(p.one_of("UNIFORM or NORMAL", |word| match word {
                "UNIFORM" => Some(Distribution::Uniform),
                "NORMAL" => Some(Distribution::Normal),
                _ => None,
            })?)
        } else {
            p.field("algorithm")?;
            Self::Bits(p.one_of("DEFAULT, THREE_FRY or PHILOX", |word| match word {
                "DEFAULT" => Some(Algorithm::Default),
                "THREE_FRY" => Some(Algorithm::ThreeFry),
                "PHILOX" => Some(Algorithm::Philox),
                _ => None,
            })?)
        };
        Ending::Signature.parse(p, op, operands)
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        if name == "stablehlo.rng" {
            let kind =
                attributes.word("rng_distribution", "stablehlo", "rng_distribution", &DISTRIBUTIONS)?;
            return Ok(Self::Numbers([Distribution::Uniform, Distribution::Normal][kind]));
        }
        let kind = attributes.word("rng_algorithm", "stablehlo", "rng_algorithm", &ALGORITHMS)?;
        Ok(Self::Bits([Algorithm::Default, Algorithm::ThreeFry, Algorithm::Philox][kind]))
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        let name = match self {
            Self::Numbers(_) => "rng_distribution",
            Self::Bits(_) => "rng_algorithm",
        };
        attributes.set(name, Attr::word("stablehlo", name, self.word()));
        attributes
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        let name = match self {
            Self::Numbers(_) => "distribution",
            Self::Bits(_) => "algorithm",
        };
        p.text(&format!(", {name} = {}", self.word()));
        Ending::Signature.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        match self {
            Self::Numbers(distribution) => verify_numbers(*distribution, view, violations),
            Self::Bits(algorithm) => verify_bits(*algorithm, view, violations),
        }
    }

    fn flops(&self, _: &[Type], results: &[Type]) -> f64 {
        one_per_element(results)
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        match self {
            Self::Bits(algorithm) => generate(*algorithm, &inputs[0], view.result(1), cx.precision()),
            Self::Numbers(distribution) => {
                let range = [inputs[0].to_scalar()?, inputs[1].to_scalar()?];
                Ok(vec![draw(*distribution, range, view.result(0), cx.next_draw(), cx.precision())?])
            }
        }
    }

    fn result_names(&self) -> &'static [&'static str] {
        match self {
            Self::Numbers(_) => &[],
            Self::Bits(_) => &["output_state", "output"],
        }
    }

    /// Every `rng` gives other numbers, whoever has drawn before.
    fn traits(&self) -> OpTraits {
        OpTraits { has_side_effects: matches!(self, Self::Numbers(_)), ..OpTraits::NONE }
    }

    /// Shardy lets the numbers be sharded; all devices draw all of them, from one state.
    fn propagation_rule(&self, view: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        let Self::Bits(_) = self else { return None };
        let mut builder = RuleBuilder::new(view);
        for (dim, size) in view.operand(0).shape.iter().enumerate() {
            let results = [Some(dim), None];
            builder.factor(&[Some(dim)], &results, *size, FactorType::NeedReplication).blocked();
        }
        for (dim, size) in view.result(1).shape.iter().enumerate() {
            builder.factor(&[None], &[None, Some(dim)], *size, FactorType::PassThrough);
        }
        Some(builder.build())
    }
}

impl Rng {
    fn word(self) -> &'static str {
        match self {
            Self::Numbers(distribution) => DISTRIBUTIONS[distribution as usize],
            Self::Bits(algorithm) => ALGORITHMS[algorithm as usize],
        }
    }
}

fn verify_numbers(distribution: Distribution, view: &InstView<'_>, violations: &mut Violations) {
    if !violations.shape(view, 3, 1, 0) {
        return;
    }
    let (a, b, shape) = (view.operand(0), view.operand(1), view.operand(2));
    let result = view.result(0);
    violations.require(a.element == b.element && a.element == result.element, || {
        format!("C1: elements of {}, {} and {}", a.element, b.element, result.element)
    });
    violations.require(a.rank() == 0 && b.rank() == 0, || format!("I1, I2: {a} and {b} should be scalars"));
    violations.require(a.element.kind() != ElementKind::Complex, || {
        format!("I1: does not draw elements of {}", a.element)
    });
    violations.require(distribution == Distribution::Uniform || a.element.is_float(), || {
        format!("C2: a normal distribution is of floats, not {}", a.element)
    });
    violations.require(shape.rank() == 1 && shape.element.is_integer(), || {
        format!("I3: the shape should be a list of integers, not {shape}")
    });
    let given = literal_of(view, 2).and_then(|literal| literal.to_ints());
    let fits = match &given {
        Some(sizes) => sizes.iter().copied().eq(result.shape.iter().map(|size| *size as i64)),
        None => shape.shape == [result.rank()],
    };
    violations.require(fits, || format!("C3: the result {result} is not of the shape that is asked for"));
}

fn verify_bits(algorithm: Algorithm, view: &InstView<'_>, violations: &mut Violations) {
    if !violations.shape(view, 1, 2, 0) {
        return;
    }
    let state = view.operand(0);
    let is_bits = |ty: &TensorType| ty.element.is_integer() || ty.element.is_float();
    violations.require(is_bits(state) && is_bits(view.result(1)), || {
        "generates integers or floats of a state of integers".into()
    });
    violations.require(algorithm == Algorithm::Default || state.rank() == 1, || {
        format!("I2: the state should have one dim, not {state}")
    });
    // Pairs of `ui32` stand for `ui64` where a front end has no 64 bits.
    let per_word = if state.element == ElementType::Ui32 { 2 } else { 1 };
    let words = state.num_elements() / per_word;
    let fits = match algorithm {
        Algorithm::Default => true,
        Algorithm::ThreeFry => words == 2,
        Algorithm::Philox => words == 2 || words == 3,
    };
    let word = ALGORITHMS[algorithm as usize];
    violations.require(fits, || format!("C2: {word} does not take a state of {state}"));
    violations.result_type(view, 0, &state.clone().into());
}
