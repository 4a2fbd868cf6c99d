//! Rotary positions (Su et al., "RoFormer"): pairs of elements of queries and keys turned by angles that grow with the
//! position, and the variants by which models reach longer sequences. Read from `rope_theta`, and `rope_scaling` or
//! `rope_parameters`.

use crate::fields::Fields;
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Diagnostic;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::types::ElementType;
use std::f64::consts::PI;

/// Fields of a configuration whose objects describe rotary positions.
pub const ROPE_OBJECTS: &[&str] = &["rope_parameters", "rope_scaling"];

/// Returns whether an object that describes rotary positions may have a field of this name. Sections of positions
/// (`mrope`) are of images; those of text are all the same position.
pub fn is_field(name: &str) -> bool {
    matches!(
        name,
        "attention_factor"
            | "beta_fast"
            | "beta_slow"
            | "factor"
            | "finetuned"
            | "full_attention"
            | "high_freq_factor"
            | "long_factor"
            | "low_freq_factor"
            | "mrope_section"
            | "mscale"
            | "mscale_all_dim"
            | "original_max_position_embeddings"
            | "partial_rotary_factor"
            | "rope_theta"
            | "rope_type"
            | "short_factor"
            | "sliding_attention"
            | "truncate"
            | "type"
    )
}

/// Pairs of elements that are turned together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// An element of the first half with that of the second.
    Halves,
    /// Neighbors.
    Neighbors,
}

/// Rotary positions of queries and keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Rotary {
    /// The base of angles, as the configuration says it.
    pub theta: f64,
    /// What stretches them, as it says that.
    pub scaling: Scaling,
    /// Whether they are those of layers that see a window, where these have positions of their own.
    pub is_local: bool,
    /// Angle of each pair per position; twice as many elements are turned, the first ones of a head.
    pub frequencies: Vec<f64>,
    /// By which what was turned is scaled.
    pub scale: f64,
    /// Which elements are a pair.
    pub pairs: Pairs,
}

/// Ways of stretching rotary positions.
#[derive(Clone, Debug, PartialEq)]
pub enum Scaling {
    /// None.
    None,
    /// All angles are divided.
    Linear {
        /// By this.
        factor: f64,
    },
    /// That of Llama 3.1.
    Llama3 {
        /// By which slow angles are divided.
        factor: f64,
        /// Turns below which an angle is slow.
        low: f64,
        /// Turns above which it is not changed.
        high: f64,
        /// Positions before.
        original: usize,
    },
    /// That of YaRN.
    Yarn {
        /// By which slow angles are divided.
        factor: f64,
        /// Positions before, where they are given.
        original: Option<usize>,
        /// Turns above which an angle is not changed, and below which it is slow.
        turns: [f64; 2],
        /// `mscale` and `mscale_all_dim`, which scale attention scores.
        scales: [Option<f64>; 2],
        /// Whether pairs between the two are counted in whole numbers.
        is_truncated: bool,
    },
    /// Another, by its name.
    Other(String),
}

/// YaRN (Peng et al.): a ramp over pairs between those that turn often and those that do not.
#[derive(Clone, Copy, Debug)]
pub struct Yarn {
    /// By which slow angles are divided.
    pub factor: f64,
    /// Positions before.
    pub trained: f64,
    /// Turns above which an angle is not changed, and below which it is slow.
    pub turns: [f64; 2],
    /// Whether pairs between the two are counted in whole numbers.
    pub is_truncated: bool,
}

/// Cosines and sines for all positions.
#[derive(Clone, Copy, Debug)]
pub struct Turned {
    cosines: ValueId,
    sines: ValueId,
}

impl Rotary {
    /// Positions as they were first described: `dims` elements of a head, base `theta`.
    pub fn plain(dims: usize, theta: f64) -> Self {
        let frequency = |pair: usize| theta.powf(-(2.0 * pair as f64) / dims as f64);
        let frequencies = (0..dims / 2).map(frequency).collect();
        let (scaling, pairs) = (Scaling::None, Pairs::Halves);
        Self { theta, scaling, is_local: false, frequencies, scale: 1.0, pairs }
    }

    /// Positions as a configuration says, for `dims` elements of a head and sequences of `length`. `base` is the
    /// field of the base, and its default.
    pub fn read(
        fields: &mut Fields<'_>,
        dims: usize,
        base: (&str, f64),
        length: usize,
    ) -> Result<Self, Diagnostic> {
        let given = given(fields)?;
        let theta = match given.as_ref().map(|given| given.own_number("rope_theta")).transpose()?.flatten() {
            Some(theta) => theta,
            None => fields.number(base.0, base.1)?,
        };
        let theta = Self::base(fields, base.0, theta)?;
        let Some(mut given) = given else { return Ok(Self::plain(dims, theta)) };
        let rotary = Self::scaled(&mut given, dims, theta, length)?;
        fields.missing_inside(given, "");
        Ok(rotary)
    }

    /// The same, but where the configuration describes none, plain ones are stretched as its class documents.
    pub fn read_or(
        fields: &mut Fields<'_>,
        dims: usize,
        base: (&str, f64),
        length: usize,
        documented: Yarn,
    ) -> Result<Self, Diagnostic> {
        let is_described = given(fields)?.is_some();
        let plain = Self::read(fields, dims, base, length)?;
        if is_described {
            return Ok(plain);
        }
        let Yarn { factor, trained, turns, is_truncated } = documented;
        fields.missing("rope_type", "yarn");
        fields.missing("original_max_position_embeddings", trained);
        fields.missing("factor", factor);
        fields.missing("beta_fast", turns[0]);
        fields.missing("beta_slow", turns[1]);
        fields.missing("truncate", is_truncated);
        let (original, scales) = (Some(trained as usize), [None; 2]);
        let scaling = Scaling::Yarn { factor, original, turns, scales, is_truncated };
        let frequencies = documented.frequencies(&plain, dims);
        Self { scaling, frequencies, scale: sharpened(factor, 1.0), ..plain }.finite(fields)
    }

    /// The base of angles, which the field `name` says.
    ///
    /// # Errors
    /// It is not positive, or infinite.
    pub fn base(fields: &Fields<'_>, name: &str, theta: f64) -> Result<f64, Diagnostic> {
        match theta > 0.0 && theta.is_finite() {
            true => Ok(theta),
            false => Err(fields.fault(name, format!("`{name}` is {theta}; it should be positive"))),
        }
    }

    /// The variant that an object of `rope_scaling` or `rope_parameters` describes.
    pub fn scaled(
        given: &mut Fields<'_>,
        dims: usize,
        theta: f64,
        length: usize,
    ) -> Result<Self, Diagnostic> {
        let plain = Self::plain(dims, theta);
        let rotary = match kind(given)? {
            "default" | "mrope" => Ok(plain),
            "linear" => {
                let factor = factor(given)?;
                let frequencies = plain.frequencies.iter().map(|f| f / factor).collect();
                Ok(Self { scaling: Scaling::Linear { factor }, frequencies, ..plain })
            }
            "dynamic" => dynamic(given, dims, theta, length),
            "llama3" => llama3(given, plain),
            "yarn" => yarn(given, plain, dims),
            "longrope" | "su" => longrope(given, plain, length),
            other => {
                let known = "default, mrope, linear, dynamic, llama3, yarn, longrope";
                let message =
                    format!("`{other}` is no kind of rotary positions that is known; these are: {known}");
                Err(given.fault("rope_type", message))
            }
        }?;
        rotary.finite(given)
    }

    /// Refuses what a description stretches by no number.
    fn finite(self, given: &Fields<'_>) -> Result<Self, Diagnostic> {
        let is_finite = self.frequencies.iter().chain([&self.scale]).all(|number| number.is_finite());
        if !is_finite {
            let message = "these numbers stretch rotary positions by what is no finite number: look at the factors, \
                           the turns (`beta_fast`, `beta_slow`) and the positions before";
            return Err(given.fault("rope_type", message));
        }
        Ok(self)
    }

    /// Cosines and sines for `length` positions.
    pub fn tables(&self, net: &mut Net, length: usize) -> Turned {
        let pairs = self.frequencies.len();
        let position = net.iota(&[length, pairs], ElementType::F32, 0);
        let frequencies = net.numbers(&self.frequencies, ElementType::F32);
        let angle = net.along(Binary::Multiply, position, frequencies, &[1]);
        let [cosines, sines] = [Unary::Cosine, Unary::Sine].map(|op| {
            let table = net.map(op, angle);
            let table = net.scaled(table, self.scale);
            let element = net.compute();
            net.convert(table, element)
        });
        Turned { cosines, sines }
    }

    /// Queries or keys, `[batch, positions, heads, dims]`, turned.
    pub fn write(&self, net: &mut Net, value: ValueId, tables: Turned) -> ValueId {
        let shape = net.ty(value).shape;
        let (last, pairs) = (shape.len() - 1, self.frequencies.len());
        let turned = net.part(value, last, 0..2 * pairs);
        let [first, second] = match self.pairs {
            Pairs::Halves => [0..pairs, pairs..2 * pairs].map(|range| net.part(turned, last, range)),
            Pairs::Neighbors => [0, 1].map(|start| net.every(turned, last, start, 2)),
        };
        let Turned { cosines, sines } = tables;
        let mut by = |value, table| net.along(Binary::Multiply, value, table, &[1, last]);
        let (ac, bs, bc, as_) =
            (by(first, cosines), by(second, sines), by(second, cosines), by(first, sines));
        // Queries and keys are ordered alike, so that neighbors need not be brought together again.
        let mut parts = vec![net.minus(ac, bs), net.plus(bc, as_)];
        if 2 * pairs < shape[last] {
            parts.push(net.part(value, last, 2 * pairs..shape[last]));
        }
        net.joined(&parts, last)
    }
}

/// The object that describes rotary positions. Two of them may not contradict each other.
fn given<'a>(fields: &Fields<'a>) -> Result<Option<Fields<'a>>, Diagnostic> {
    let (new, old) = (fields.nested("rope_parameters")?, fields.nested("rope_scaling")?);
    let (Some(mut new), Some(mut old)) = (new, old) else {
        return Ok(fields.nested("rope_parameters")?.or(fields.nested("rope_scaling")?));
    };
    let contradiction = |name: &str| {
        let message =
            format!("`rope_parameters` and `rope_scaling` contradict each other in `{name}`: leave one out");
        Err(fields.fault("rope_parameters", message))
    };
    if kind(&mut new)? != kind(&mut old)? {
        return contradiction("rope_type");
    }
    match new.numbers_that_differ(&old).first() {
        Some(name) => contradiction(name),
        None => Ok(Some(new)),
    }
}

/// The kind of rotary positions.
fn kind<'a>(given: &mut Fields<'a>) -> Result<&'a str, Diagnostic> {
    let old = if given.has("rope_type") { None } else { given.text_if_given("type")? };
    match old {
        Some(kind) => Ok(kind),
        None => given.text("rope_type", "default"),
    }
}

/// By which DeepSeek sharpens scores, twice, where positions are scaled by YaRN.
pub fn sharpness(fields: &Fields<'_>) -> Result<f64, Diagnostic> {
    let Some(mut given) = given(fields)? else { return Ok(1.0) };
    match (kind(&mut given)?, given.own_number("mscale_all_dim")?) {
        (kind, Some(all)) if kind != "default" && all != 0.0 => Ok(sharpened(factor(&given)?, all)),
        _ => Ok(1.0),
    }
}

fn sharpened(factor: f64, by: f64) -> f64 {
    if factor <= 1.0 { 1.0 } else { 0.1 * by * factor.ln() + 1.0 }
}

fn factor(given: &Fields<'_>) -> Result<f64, Diagnostic> {
    match given.own_number("factor")? {
        Some(factor) if factor > 0.0 && factor.is_finite() => Ok(factor),
        Some(factor) => Err(given.fault("factor", format!("`factor` is {factor}; it should be positive"))),
        None => Err(given.fault("factor", "`factor` is missing, which this kind of rotary positions needs")),
    }
}

/// Positions that the model is made for, by which this kind of rotary positions is described.
fn positions(given: &Fields<'_>) -> Result<f64, Diagnostic> {
    let missing = || {
        let message = "`max_position_embeddings` is missing, which this kind of rotary positions needs";
        given.fault("max_position_embeddings", message)
    };
    given.positions.map(|count| count as f64).ok_or_else(missing)
}

/// NTK scaling: the base grows with what a sequence is longer than those of training.
fn dynamic(given: &Fields<'_>, dims: usize, theta: f64, length: usize) -> Result<Rotary, Diagnostic> {
    let factor = factor(given)?;
    let ratio = length as f64 / positions(given)?;
    let dims_f64 = dims as f64;
    let grown = match ratio > 1.0 {
        true => (factor * ratio - (factor - 1.0)).powf(dims_f64 / (dims_f64 - 2.0)),
        false => 1.0,
    };
    let scaling = Scaling::Other("dynamic".into());
    Ok(Rotary { theta, scaling, ..Rotary::plain(dims, theta * grown) })
}

/// Llama 3.1's: slow pairs are slowed further, and those between go over smoothly.
fn llama3(given: &Fields<'_>, plain: Rotary) -> Result<Rotary, Diagnostic> {
    let factor = factor(given)?;
    let number = |name: &str| {
        let missing =
            || given.fault(name, format!("`{name}` is missing, which this kind of rotary positions needs"));
        given.number_if_given(name)?.ok_or_else(missing)
    };
    let [low, high] = [number("low_freq_factor")?, number("high_freq_factor")?];
    if low >= high {
        let message =
            format!("`low_freq_factor` is {low}; it should be less than `high_freq_factor`, {high}");
        return Err(given.fault("low_freq_factor", message));
    }
    let trained = number("original_max_position_embeddings")?;
    let scaled = |frequency: &f64| {
        let waves = trained * frequency / (2.0 * PI);
        if waves > high {
            *frequency
        } else if waves < low {
            frequency / factor
        } else {
            let smooth = (waves - low) / (high - low);
            (1.0 - smooth) * frequency / factor + smooth * frequency
        }
    };
    let scaling = Scaling::Llama3 { factor, low, high, original: trained as usize };
    Ok(Rotary { scaling, frequencies: plain.frequencies.iter().map(scaled).collect(), ..plain })
}

impl Yarn {
    /// The angles of plain positions of `dims` elements, stretched.
    fn frequencies(&self, plain: &Rotary, dims: usize) -> Vec<f64> {
        let pair_of =
            |turns: f64| dims as f64 * (self.trained / (turns * 2.0 * PI)).ln() / (2.0 * plain.theta.ln());
        let [mut low, mut high] = self.turns.map(pair_of);
        if self.is_truncated {
            (low, high) = (low.floor(), high.ceil());
        }
        let (low, mut high) = (low.max(0.0), high.min(dims as f64 - 1.0));
        if low == high {
            high += 0.001;
        }
        let stretched = |(pair, frequency): (usize, &f64)| {
            let ramp = ((pair as f64 - low) / (high - low)).clamp(0.0, 1.0);
            frequency / self.factor * ramp + frequency * (1.0 - ramp)
        };
        plain.frequencies.iter().enumerate().map(stretched).collect()
    }
}

/// YaRN's, with scores sharpened.
fn yarn(given: &mut Fields<'_>, plain: Rotary, dims: usize) -> Result<Rotary, Diagnostic> {
    let original = given.number_if_given("original_max_position_embeddings")?;
    let trained = match original {
        Some(trained) => trained,
        None => {
            let all = positions(given)?;
            given.number("original_max_position_embeddings", all)?
        }
    };
    let factor = factor(given)?;
    let turns = [given.number("beta_fast", 32.0)?, given.number("beta_slow", 1.0)?];
    let is_truncated = given.flag("truncate", true)?;
    let frequencies = Yarn { factor, trained, turns, is_truncated }.frequencies(&plain, dims);
    let scales = [given.number_if_given("mscale")?, given.number_if_given("mscale_all_dim")?];
    let scale = match given.number_if_given("attention_factor")? {
        Some(scale) => scale,
        None => match (scales[0], scales[1]) {
            (Some(own), Some(all)) if own != 0.0 && all != 0.0 => {
                sharpened(factor, own) / sharpened(factor, all)
            }
            _ => sharpened(factor, 1.0),
        },
    };
    let original = original.map(|positions| positions as usize);
    let scaling = Scaling::Yarn { factor, original, turns, scales, is_truncated };
    Ok(Rotary { scaling, frequencies, scale, ..plain })
}

/// LongRoPE's: each pair has a factor of its own. Sequences up to those of training take the short ones.
fn longrope(given: &Fields<'_>, plain: Rotary, length: usize) -> Result<Rotary, Diagnostic> {
    let positions = given.positions.map(|count| count as f64);
    let trained = given.number_if_given("original_max_position_embeddings")?;
    let is_long = trained.or(positions).is_some_and(|trained| length as f64 > trained);
    let name = if is_long { "long_factor" } else { "short_factor" };
    let Some(factors) = given.numbers_if_given(name)? else {
        let message = format!("`{name}` is missing, which this kind of rotary positions needs");
        return Err(given.fault(name, message));
    };
    if factors.len() != plain.frequencies.len() {
        let message = format!("`{name}` has {} numbers for {} pairs", factors.len(), plain.frequencies.len());
        return Err(given.fault(name, message));
    }
    let ratio = match (given.own_number("factor")?, positions, trained) {
        (Some(factor), ..) => factor,
        (None, Some(positions), Some(trained)) => positions / trained,
        _ => 1.0,
    };
    let scale = match (given.number_if_given("attention_factor")?, trained.or(positions)) {
        (Some(scale), _) => scale,
        (None, Some(trained)) if ratio > 1.0 => (1.0 + ratio.ln() / trained.ln()).sqrt(),
        _ => 1.0,
    };
    let frequencies = plain.frequencies.iter().zip(&factors).map(|(frequency, factor)| frequency / factor);
    let scaling = Scaling::Other("longrope".into());
    Ok(Rotary { scaling, frequencies: frequencies.collect(), scale, ..plain })
}
