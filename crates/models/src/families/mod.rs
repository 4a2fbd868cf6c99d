//! Families of models: each file reads the configurations of one, and says in terms of blocks which model that is.

mod bert;
mod common;
mod deepseek;
mod gemma;
mod gpt2;
mod gpt_neox;
mod gpt_oss;
mod jamba;
mod llama;
mod mamba;
mod mixtral;
mod phi3;
mod qwen;
mod t5;
mod vit;
mod whisper;

use crate::decoder::Decoder;
use crate::encoder::{EncoderDecoder, Image, Masked};
use crate::fields::Fields;
use crate::known::Only;
use crate::net::Net;
use meshwright_ir::diagnostic::Diagnostic;
use meshwright_ir::ids::ValueId;

/// A family of models.
#[derive(Debug)]
pub struct Family {
    /// The values of `model_type` that mean it.
    pub model_types: &'static [&'static str],
    /// The class of the authors' configuration, whose documentation states the defaults.
    pub documented: &'static str,
    /// The field of the tokens of the longest sequences, and what that class states where it is not given; none if the class has no
    /// such field, or no default.
    pub positions: Option<(&'static str, usize)>,
    /// The classes of a layer in `transformers`, with commas between.
    pub layer_classes: &'static str,
    /// Fields that may have the values alone for which the program stands.
    pub only: &'static [Only],
    /// Fields without effect on the program, beside those that no family has an effect of: what is derived from others,
    /// what an unset flag leaves unread.
    pub idle: &'static [&'static str],
    /// Reads a configuration, for sequences of so many tokens.
    pub read: fn(&mut Fields<'_>, usize) -> Result<Architecture, Diagnostic>,
}

/// All families.
pub const FAMILIES: &[&Family] = &[
    &gpt2::FAMILY,
    &gpt_neox::FAMILY,
    &llama::FAMILY,
    &llama::MISTRAL,
    &mixtral::FAMILY,
    &qwen::QWEN2,
    &qwen::QWEN3,
    &qwen::QWEN2_MOE,
    &qwen::QWEN3_MOE,
    &gemma::GEMMA,
    &gemma::GEMMA2,
    &gemma::GEMMA3,
    &phi3::FAMILY,
    &deepseek::V2,
    &deepseek::V3,
    &gpt_oss::FAMILY,
    &mamba::MAMBA,
    &mamba::MAMBA2,
    &mamba::NEMOTRON_H,
    &jamba::FAMILY,
    &t5::FAMILY,
    &bert::FAMILY,
    &vit::FAMILY,
    &whisper::FAMILY,
];

/// A model, as blocks.
#[derive(Clone, Debug, PartialEq)]
pub enum Architecture {
    /// A language model.
    Decoder(Decoder),
    /// An encoder that fills in words.
    Masked(Masked),
    /// An encoder that classifies images.
    Image(Image),
    /// An encoder and a decoder.
    EncoderDecoder(EncoderDecoder),
}

impl Architecture {
    /// Tokens of a sequence, where the model alone says it.
    pub fn length(&self) -> Option<usize> {
        match self {
            Self::Image(encoder) => Some(encoder.length()),
            Self::Decoder(_) | Self::Masked(_) | Self::EncoderDecoder(_) => None,
        }
    }

    /// Writes the model, and gives the loss.
    pub fn write(&self, net: &mut Net, sequences: usize, length: usize) -> ValueId {
        match self {
            Self::Decoder(decoder) => decoder.write(net, sequences, length),
            Self::Masked(encoder) => encoder.write(net, sequences, length),
            Self::Image(encoder) => encoder.write(net, sequences),
            Self::EncoderDecoder(both) => both.write(net, sequences, length),
        }
    }
}

/// The family of a `model_type`.
pub fn family(model_type: &str) -> Option<&'static Family> {
    FAMILIES.iter().copied().find(|family| family.model_types.contains(&model_type))
}

/// All values of `model_type` that are known.
pub fn model_types() -> Vec<&'static str> {
    FAMILIES.iter().flat_map(|family| family.model_types).copied().collect()
}

/// Refuses sequences that are longer than the table of positions.
fn fits_positions(
    fields: &Fields<'_>,
    name: &str,
    positions: usize,
    length: usize,
) -> Result<(), Diagnostic> {
    if length <= positions {
        return Ok(());
    }
    let message = format!(
        "the model has {positions} positions (`{name}`), fewer than the {length} tokens of a sequence"
    );
    Err(fields
        .fault(name, message)
        .hint(format!("give `--seq {positions}` or less: its positions are learned")))
}

/// Refuses that a field is missing of which the class documents no default.
fn must_be_given(fields: &Fields<'_>, family: &Family, name: &str) -> Result<(), Diagnostic> {
    if fields.has(name) {
        return Ok(());
    }
    let message = format!("`{name}` is missing, of which `{}` documents no default", family.documented);
    Err(fields.fault(name, message))
}

/// How many of so many are chosen, which cannot be more than there are.
fn chosen(fields: &mut Fields<'_>, name: &str, default: usize, count: usize) -> Result<usize, Diagnostic> {
    let chosen = fields.size(name, default)?;
    if chosen > count {
        return Err(fields.fault(name, format!("`{name}` is {chosen}, but there are only {count}")));
    }
    Ok(chosen)
}

/// The width that lengths of steps of a state space are made of: a number, or a sixteenth of the width (`auto`).
fn step_rank(fields: &mut Fields<'_>, name: &str, width: usize) -> Result<usize, Diagnostic> {
    let automatic = width.div_ceil(16);
    match fields.text_if_given(name) {
        Ok(Some("auto")) => Ok(automatic),
        Ok(Some(other)) => {
            Err(fields.fault(name, format!("`{name}` is `{other}`; it should be a size or `auto`")))
        }
        Ok(None) | Err(_) => fields.size(name, automatic),
    }
}

/// Elements of a head that rotary positions turn; `share` is the field of their share, and its default.
fn turned(fields: &mut Fields<'_>, dim: usize, share: (&str, f64)) -> Result<usize, Diagnostic> {
    let given = fields.nested("rope_parameters")?;
    let nested = given.map(|given| given.own_number("partial_rotary_factor")).transpose()?.flatten();
    let (name, default) = share;
    let share = match nested {
        Some(share) if fields.own_number(name)?.is_some_and(|own| own != share) => {
            let message =
                format!("`{name}` and `partial_rotary_factor` of `rope_parameters` contradict each other");
            return Err(fields.fault(name, message));
        }
        Some(share) => share,
        None => fields.number(name, default)?,
    };
    let turned = (dim as f64 * share) as usize;
    if !(2..=dim).contains(&turned) || !turned.is_multiple_of(2) {
        let message = format!("of heads {dim} wide the share {share} cannot be turned in pairs");
        return Err(fields.fault(name, message));
    }
    Ok(turned)
}
