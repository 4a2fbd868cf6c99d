//! Flags of `meshwright model`.

use super::DegreeArguments;
use crate::parse;
use clap::{Args, ValueEnum};
use meshwright_compile::Kernels;
use meshwright_models::{Batch, LayerForm, Recipe};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ModelArguments {
    /// The model: a `config.json`, as Hugging Face writes it; `-` is stdin
    pub(crate) config: PathBuf,
    /// Tokens of a sequence [default: as many as the model has positions, at most 4096]
    #[arg(long, value_name = "N", value_parser = parse::count, allow_negative_numbers = true)]
    pub(crate) seq: Option<usize>,
    /// The batch of a step: `512` is sequences, `4Mtok` is tokens (4 x 1,048,576), which `--seq` has to divide
    #[arg(long, value_name = "N|NMtok", default_value = "1", allow_hyphen_values = true)]
    pub(crate) global_batch: Batch,
    /// The types of numbers
    #[arg(long, value_enum, value_name = "RECIPE", default_value = "f32")]
    pub(crate) precision_recipe: PrecisionRecipe,
    /// The form of layers that are alike
    #[arg(long, value_enum, value_name = "FORM", default_value = "loop")]
    pub(crate) layers: LayersAs,
    /// Tokens that an expert takes of a sequence, as a multiple of what it takes if all experts take the same; those that find no place pass by
    #[arg(long, value_name = "FACTOR", default_value = "1", value_parser = parse::capacity, allow_negative_numbers = true)]
    pub(crate) capacity_factor: f64,
    #[command(flatten)]
    pub(crate) degrees: DegreeArguments,
    /// Whether attentions and scans of the program that is written are calls of the machine's kernels for them, such as cuDNN's, or written out, as every machine runs them and `plan` recognizes attentions
    #[arg(long, value_name = "on|off", default_value = "off")]
    pub(crate) kernels: Kernels,
    /// With degrees, which shard a training step by AdamW, or with `--kernels on`: the machine, as `plan` takes it [default: H100, as many as the degrees are for, eight on a host]
    #[arg(long, short, value_name = "MACHINE")]
    pub(crate) machine: Option<String>,
    /// Write the program of the forward pass and the loss
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

/// Types of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PrecisionRecipe {
    /// All in f32
    F32,
    /// Parameters in f32, computed in bf16; norms, softmax and loss in f32
    Bf16,
    /// The same with products of linear layers in 8-bit floats, scaled row by row; gradients of weights in bf16
    Fp8,
}

impl From<PrecisionRecipe> for Recipe {
    fn from(recipe: PrecisionRecipe) -> Self {
        match recipe {
            PrecisionRecipe::F32 => Self::F32,
            PrecisionRecipe::Bf16 => Self::Bf16,
            PrecisionRecipe::Fp8 => Self::Fp8,
        }
    }
}

/// Forms of layers that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum LayersAs {
    /// One loop over stacks of their parameters
    Loop,
    /// One after the other
    WrittenOut,
}

impl From<LayersAs> for LayerForm {
    fn from(layers: LayersAs) -> Self {
        match layers {
            LayersAs::Loop => Self::Loop,
            LayersAs::WrittenOut => Self::WrittenOut,
        }
    }
}
