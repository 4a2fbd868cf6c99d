//! The matrices of each family that are not between hidden values: embeddings, heads, tables of positions and what only
//! multiplies element by element, which Muon leaves to AdamW.

use crate::losses::model;
use meshwright_analyze::hidden_matrices;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::expand::expand;
use meshwright_ir::text::read;
use meshwright_models::{LayerForm, Recipe};
use meshwright_tensor::names::stacked;
use meshwright_transform::inline::inline_entry;

/// Names of parameters with two dims or more that are not hidden, by family.
const ENDS: &[(&str, &[&str])] = &[
    (
        "bert",
        &[
            "bert.embeddings.word_embeddings.weight",
            "bert.embeddings.position_embeddings.weight",
            "bert.embeddings.token_type_embeddings.weight",
        ],
    ),
    ("deepseek_v2", &["model.embed_tokens.weight", "lm_head.weight"]),
    ("deepseek_v3", &["model.embed_tokens.weight", "lm_head.weight"]),
    ("gemma", &["model.embed_tokens.weight"]),
    ("gemma2", &["model.embed_tokens.weight"]),
    ("gemma3", &["model.embed_tokens.weight"]),
    ("gpt2", &["transformer.wte.weight", "transformer.wpe.weight"]),
    ("gpt_neox", &["gpt_neox.embed_in.weight", "embed_out.weight"]),
    (
        "gpt_oss",
        &[
            "model.embed_tokens.weight",
            "model.layers.{0..2..2}.mlp.experts.gate_up_proj_bias(:,0:96:2)",
            "model.layers.{0..2..2}.mlp.experts.gate_up_proj_bias(:,1:96:2)",
            "model.layers.{0..2..2}.mlp.experts.down_proj_bias",
            "model.layers.{1..3..2}.mlp.experts.gate_up_proj_bias(:,0:96:2)",
            "model.layers.{1..3..2}.mlp.experts.gate_up_proj_bias(:,1:96:2)",
            "model.layers.{1..3..2}.mlp.experts.down_proj_bias",
            "lm_head.weight",
        ],
    ),
    (
        "jamba",
        &[
            "model.embed_tokens.weight",
            "model.layers.{0..4..4}.mamba.conv1d.weight",
            "model.layers.{0..4..4}.mamba.A_log",
            "model.layers.{1..5..4}.mamba.conv1d.weight",
            "model.layers.{1..5..4}.mamba.A_log",
            "model.layers.{3..7..4}.mamba.conv1d.weight",
            "model.layers.{3..7..4}.mamba.A_log",
            "lm_head.weight",
        ],
    ),
    ("llama", &["model.embed_tokens.weight", "lm_head.weight"]),
    (
        "mamba",
        &[
            "backbone.embeddings.weight",
            "backbone.layers.{0..2}.mixer.conv1d.weight",
            "backbone.layers.{0..2}.mixer.A_log",
        ],
    ),
    (
        "mamba2",
        &[
            "backbone.embeddings.weight",
            "backbone.layers.{0..1}.mixer.conv1d.weight(0:64)",
            "backbone.layers.{0..1}.mixer.conv1d.weight(64:88)",
            "backbone.layers.{0..1}.mixer.conv1d.weight(88:112)",
        ],
    ),
    ("mistral", &["model.embed_tokens.weight"]),
    ("mixtral", &["model.embed_tokens.weight", "lm_head.weight"]),
    (
        "nemotron_h",
        &[
            "backbone.embeddings.weight",
            "backbone.layers.{0..2..2}.mixer.conv1d.weight(0:64)",
            "backbone.layers.{0..2..2}.mixer.conv1d.weight(64:88)",
            "backbone.layers.{0..2..2}.mixer.conv1d.weight(88:112)",
            "backbone.layers.4.mixer.conv1d.weight(0:64)",
            "backbone.layers.4.mixer.conv1d.weight(64:88)",
            "backbone.layers.4.mixer.conv1d.weight(88:112)",
            "lm_head.weight",
        ],
    ),
    ("phi3", &["model.embed_tokens.weight", "lm_head.weight"]),
    ("phi4", &["model.embed_tokens.weight"]),
    ("pythia_serial", &["gpt_neox.embed_in.weight", "embed_out.weight"]),
    ("qwen2", &["model.embed_tokens.weight"]),
    ("qwen2_moe", &["model.embed_tokens.weight", "lm_head.weight"]),
    ("qwen3", &["model.embed_tokens.weight", "lm_head.weight"]),
    ("qwen3_moe", &["model.embed_tokens.weight", "lm_head.weight"]),
    (
        "t5",
        &[
            "shared.weight",
            "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
            "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
        ],
    ),
    (
        "t5_gated",
        &[
            "shared.weight",
            "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
            "decoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight",
        ],
    ),
    (
        "vit",
        &[
            "vit.embeddings.patch_embeddings.projection.weight",
            "vit.embeddings.cls_token",
            "vit.embeddings.position_embeddings",
            "classifier.weight",
        ],
    ),
    (
        "whisper",
        &[
            "model.encoder.conv1.weight",
            "model.encoder.embed_positions.weight",
            "model.decoder.embed_tokens.weight",
            "model.decoder.embed_positions.weight",
        ],
    ),
];

#[test]
fn embeddings_and_heads_are_at_the_ends_of_each_family() {
    for (name, wanted) in ENDS {
        // Images have as many tokens as parts.
        let tokens = if *name == "vit" { 17 } else { 8 };
        let model = model(name, tokens, LayerForm::Loop, Recipe::F32);
        let main = inline_entry(&model.program).unwrap();
        let all: Vec<usize> = (0..model.parameters.len()).collect();
        let hidden = hidden_matrices(&main, &all);
        let is_end = |index: &usize| {
            let parameter = &model.parameters[*index];
            parameter.shape.len() - stacked(&parameter.name).len() > 1 && !hidden.contains(index)
        };
        let ends: Vec<&str> = all
            .iter()
            .filter(|index| is_end(index))
            .map(|index| model.parameters[*index].name.as_str())
            .collect();
        assert_eq!(ends, *wanted, "{name}");
    }
}

/// An embedding by one-hot vectors, a table that is added, two layers, one of them scaled, and a head.
const PERCEPTRON: &str = "
func.func @main(%table: tensor<8x4xf32>, %places: tensor<2x4xf32>, %first: tensor<4x4xf32>, %gain: tensor<4x4xf32>,
    %second: tensor<4x4xf32>, %head: tensor<4x8xf32>, %tokens: tensor<2x8xf32>) -> tensor<f32> {
  %0 = stablehlo.dot %tokens, %table : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.add %0, %places : tensor<2x4xf32>
  %2 = stablehlo.multiply %first, %gain : tensor<4x4xf32>
  %3 = stablehlo.dot %1, %2 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %4 = stablehlo.tanh %3 : tensor<2x4xf32>
  %5 = stablehlo.transpose %second, dims = [1, 0] : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = stablehlo.dot %4, %5 : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %7 = stablehlo.tanh %6 : tensor<2x4xf32>
  %8 = stablehlo.dot %7, %head : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %9 = stablehlo.reduce(%8 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
  return %9 : tensor<f32>
}";

#[test]
fn layers_of_any_program_are_hidden_by_what_they_multiply() {
    let program = read(&Source::new("perceptron.mlir", PERCEPTRON)).unwrap();
    let main = expand(inline_entry(&program).unwrap());
    // A matrix that is multiplied into another before is a factor of its products.
    assert_eq!(hidden_matrices(&main, &[0, 1, 2, 3, 4, 5]), [2, 3, 4]);
    // What is not trained is data, so that the layer behind it is the first.
    assert_eq!(hidden_matrices(&main, &[4, 2, 5]), [4]);
}
