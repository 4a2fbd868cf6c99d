//! All that is asked of a model beside its configuration.

use meshwright_tensor::types::ElementType;
use std::fmt;
use std::str::FromStr;

/// Tokens of a batch are at most this, hundreds of times what any step takes.
const MOST_TOKENS: usize = 1 << 32;

/// A batch of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// So many sequences.
    Sequences(usize),
    /// So many tokens.
    Tokens(usize),
}

impl Batch {
    /// Sequences of `length` tokens in the batch, or why there is no whole number of them, or too many.
    pub fn sequences(self, length: usize) -> Result<usize, String> {
        let count = match self {
            Self::Sequences(count) => count,
            Self::Tokens(tokens) if tokens % length == 0 => tokens / length,
            Self::Tokens(tokens) => {
                return Err(format!(
                    "a batch of {tokens} tokens holds no whole number of sequences of {length}"
                ));
            }
        };
        match count.checked_mul(length) {
            Some(tokens) if tokens <= MOST_TOKENS => Ok(count),
            _ => Err(format!(
                "a batch of {count} sequences of {length} tokens is too large: {MOST_TOKENS} tokens are the most"
            )),
        }
    }
}

impl FromStr for Batch {
    type Err = String;

    /// `512` sequences, `4Mtok`, `64ktok` or `4194304tok`; a million of tokens is 1,048,576, as the field counts them.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || match text {
            "" => "a batch is left empty; `512` is one of sequences, `4Mtok` one of tokens".to_owned(),
            _ => format!("`{text}` is no batch; `512` is one of sequences, `4Mtok` one of tokens"),
        };
        let (number, unit) = match text.strip_suffix("tok") {
            Some(rest) => match rest.as_bytes().last() {
                Some(b'M') => (&rest[..rest.len() - 1], 1 << 20),
                Some(b'k') => (&rest[..rest.len() - 1], 1 << 10),
                _ => (rest, 1),
            },
            None => (text, 0),
        };
        let count: usize = number.parse().ok().filter(|count| *count > 0).ok_or_else(wrong)?;
        if unit == 0 {
            return Ok(Self::Sequences(count));
        }
        count.checked_mul(unit).map(Self::Tokens).ok_or_else(wrong)
    }
}

/// Batches to choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batches(Vec<Batch>);

impl Batches {
    /// The batches, in the order in which they are written; never none.
    pub fn all(&self) -> &[Batch] {
        &self.0
    }

    /// The batch, if there is one alone.
    pub fn only(&self) -> Option<Batch> {
        if let [only] = self.0[..] { Some(only) } else { None }
    }
}

impl From<Batch> for Batches {
    fn from(batch: Batch) -> Self {
        Self(vec![batch])
    }
}

impl FromStr for Batches {
    type Err = String;

    /// `512`, a list, `256,512`, or a range in which each is twice the one before, and the end is the last: `256..1024`,
    /// `1Mtok..4Mtok`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut all: Vec<Batch> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let Some((first, last)) = part.split_once("..") else {
                all.push(part.parse()?);
                continue;
            };
            let (first, last) = (first.trim(), last.trim());
            if let Some((what, _)) = [("start", first), ("end", last)].iter().find(|(_, end)| end.is_empty())
            {
                return Err(format!(
                    "`{part}` is a range of batches without its {what}: write `256..1024` or `1Mtok..4Mtok`"
                ));
            }
            let (first, last): (Batch, Batch) = (first.parse()?, last.parse()?);
            all.extend(doubled(first, last).ok_or_else(|| {
                format!("`{part}` is no range of batches: write `256..1024` or `1Mtok..4Mtok`, the smaller one first")
            })?);
        }
        let mut kept: Vec<Batch> = Vec::new();
        for batch in all {
            if !kept.contains(&batch) {
                kept.push(batch);
            }
        }
        Ok(Self(kept))
    }
}

/// Batches from one to another of the same unit, each twice the one before; none if there are none.
fn doubled(first: Batch, last: Batch) -> Option<Vec<Batch>> {
    let (from, to, of): (usize, usize, fn(usize) -> Batch) = match (first, last) {
        (Batch::Sequences(from), Batch::Sequences(to)) => (from, to, Batch::Sequences),
        (Batch::Tokens(from), Batch::Tokens(to)) => (from, to, Batch::Tokens),
        _ => return None,
    };
    let sizes = std::iter::successors(Some(from), |size| size.checked_mul(2)).take_while(|size| *size < to);
    (from <= to).then(|| sizes.chain([to]).map(of).collect())
}

impl fmt::Display for Batch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sequences(count) => write!(f, "{count}"),
            Self::Tokens(count) => write!(f, "{count}tok"),
        }
    }
}

/// The types that numbers have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recipe {
    /// All in f32.
    #[default]
    F32,
    /// Computed in bf16 from parameters in f32; norms, softmax and loss in f32.
    Bf16,
    /// The same with the products of linear layers in floats of eight bits.
    Fp8,
}

impl FromStr for Recipe {
    type Err = String;

    /// `f32`, `bf16` or `fp8`.
    fn from_str(text: &str) -> Result<Self, String> {
        let known = [Self::F32, Self::Bf16, Self::Fp8].into_iter().find(|recipe| recipe.name() == text);
        known.ok_or_else(|| format!("`{text}` is no recipe of types; there are `f32`, `bf16` and `fp8`"))
    }
}

impl Recipe {
    /// Name on the command line and in plans.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
            Self::Fp8 => "fp8",
        }
    }

    /// The type that parameters are kept in.
    pub fn masters(self) -> ElementType {
        ElementType::F32
    }

    /// The type that is computed in, but for products in fewer bits.
    pub fn compute(self) -> ElementType {
        match self {
            Self::F32 => ElementType::F32,
            Self::Bf16 | Self::Fp8 => ElementType::Bf16,
        }
    }
}

/// The form of layers that are alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerForm {
    /// One loop over stacks of their parameters.
    #[default]
    Loop,
    /// One after the other.
    WrittenOut,
}

/// The form of the scan of Mamba-2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScanForm {
    /// A call of a platform's kernel ([`meshwright_ir::kernels::chunk_scan_call`]).
    Kernel,
    /// Products inside of chunks and between them.
    #[default]
    WrittenOut,
}

/// All that is asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Tokens of a sequence; the default is what the model is made for, at most [`LONGEST_BY_DEFAULT`].
    pub sequence: Option<usize>,
    /// The batch of a step.
    pub batch: Batch,
    /// The types of numbers.
    pub recipe: Recipe,
    /// The form of layers that are alike.
    pub layers: LayerForm,
    /// The form of the scan of Mamba-2.
    pub scan: ScanForm,
    /// How many tokens an expert takes, as a multiple of what it takes if all experts take the same.
    pub capacity_factor: f64,
}

/// A sequence is not longer unless that is asked for.
pub const LONGEST_BY_DEFAULT: usize = 4096;

impl Default for Options {
    fn default() -> Self {
        Self {
            sequence: None,
            batch: Batch::Sequences(1),
            recipe: Recipe::default(),
            layers: LayerForm::default(),
            scan: ScanForm::default(),
            capacity_factor: 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_is_of_sequences_or_of_tokens() {
        assert_eq!("512".parse(), Ok(Batch::Sequences(512)));
        assert_eq!("4Mtok".parse(), Ok(Batch::Tokens(4 << 20)));
        assert_eq!("64ktok".parse(), Ok(Batch::Tokens(64 << 10)));
        assert_eq!("100tok".parse(), Ok(Batch::Tokens(100)));
        for wrong in ["", "0", "-1", "4M", "tok", "Mtok", "1.5Mtok", "99999999999999999999tok"] {
            assert!(wrong.parse::<Batch>().is_err(), "{wrong}");
        }
        assert_eq!(Batch::Tokens(4 << 20).sequences(8192), Ok(512));
        assert!(Batch::Tokens(100).sequences(64).is_err());
    }

    #[test]
    fn batches_are_listed_or_double() {
        let of = |text: &str| text.parse::<Batches>().map(|all| all.0.iter().map(Batch::to_string).collect());
        let said = |all: &[&str]| Ok(all.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(of("512"), said(&["512"]));
        assert_eq!(of("256..1024"), said(&["256", "512", "1024"]));
        assert_eq!(of("3..8, 6"), said(&["3", "6", "8"]));
        assert_eq!(of("1ktok..3ktok"), said(&["1024tok", "2048tok", "3072tok"]));
        assert_eq!(of("64,1ktok"), said(&["64", "1024tok"]));
        for wrong in ["", "8..4", "8..1ktok", "8,,9", "0..4"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
        for (range, end) in [("8..", "end"), ("..8", "start"), ("..", "start"), ("1ktok..", "end")] {
            let message = of(range).unwrap_err();
            let wanted = format!("`{range}` is a range of batches without its {end}: ");
            assert!(message.starts_with(&wanted), "{message}");
        }
    }
}
