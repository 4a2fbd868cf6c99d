//! All that is asked of a model beside its configuration.

use meshwright_tensor::types::ElementType;
use std::str::FromStr;

/// A batch of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// So many sequences.
    Sequences(usize),
    /// So many tokens.
    Tokens(usize),
}

impl Batch {
    /// Sequences of `length` tokens in the batch, or why there is no whole number of them.
    pub fn sequences(self, length: usize) -> Result<usize, String> {
        match self {
            Self::Sequences(count) => Ok(count),
            Self::Tokens(tokens) if tokens % length == 0 => Ok(tokens / length),
            Self::Tokens(tokens) => {
                Err(format!("a batch of {tokens} tokens holds no whole number of sequences of {length}"))
            }
        }
    }
}

impl FromStr for Batch {
    type Err = String;

    /// `512` sequences, `4Mtok`, `64ktok` or `4194304tok`; a million of tokens is 1,048,576, as the field counts them.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no batch; `512` is one of sequences, `4Mtok` one of tokens");
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

/// The types that numbers have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recipe {
    /// All in f32.
    #[default]
    F32,
    /// Computed in bf16 from parameters in f32; norms, softmax and loss in f32.
    Bf16,
}

impl FromStr for Recipe {
    type Err = String;

    /// `f32` or `bf16`.
    fn from_str(text: &str) -> Result<Self, String> {
        let known = [Self::F32, Self::Bf16].into_iter().find(|recipe| recipe.name() == text);
        known.ok_or_else(|| format!("`{text}` is no recipe of types; there are `f32` and `bf16`"))
    }
}

impl Recipe {
    /// Name on the command line and in plans.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::Bf16 => "bf16",
        }
    }

    /// The type that parameters are kept in.
    pub fn masters(self) -> ElementType {
        ElementType::F32
    }

    /// The type that products are computed in.
    pub fn compute(self) -> ElementType {
        match self {
            Self::F32 => ElementType::F32,
            Self::Bf16 => ElementType::Bf16,
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
}
