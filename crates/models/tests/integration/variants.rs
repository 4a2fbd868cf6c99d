//! Fields that change a model a little: what is written with them.

use meshwright_ir::diagnostic::Source;
use meshwright_models::blocks::attention::{Attention, Sight};
use meshwright_models::blocks::router::{Router, Weighting};
use meshwright_models::decoder::{Block, Decoder};
use meshwright_models::families::Architecture;
use meshwright_models::{Model, Options, read};

/// The model of a tiny configuration with other fields.
fn with(name: &str, fields: &[(&str, serde_json::Value)]) -> Model {
    of_length(16, name, fields)
}

/// The same for sequences of so many tokens.
fn of_length(length: usize, name: &str, fields: &[(&str, serde_json::Value)]) -> Model {
    let path = format!("{}/../../tests/data/models/tiny/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let mut config: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for (field, value) in fields {
        config[*field] = value.clone();
    }
    let options = Options { sequence: Some(length), ..Options::default() };
    read(&Source::new("config.json", config.to_string()), &options).unwrap_or_else(|fault| panic!("{fault}"))
}

fn decoder(model: &Model) -> &Decoder {
    match &model.architecture {
        Architecture::Decoder(decoder) => decoder,
        other => panic!("{other:?}"),
    }
}

fn blocks(model: &Model) -> Vec<&Block> {
    decoder(model).layers.iter().flat_map(|layer| &layer.parts).map(|part| &part.block).collect()
}

fn attentions<T>(model: &Model, of: impl Fn(&Attention) -> T) -> Vec<T> {
    let attention = |block: &&Block| if let Block::Attention(own) = block { Some(of(own)) } else { None };
    blocks(model).iter().filter_map(attention).collect()
}

fn routers<'a>(model: &'a Model) -> Vec<&'a Router> {
    let router = |block: &'a Block| if let Block::Moe(moe) = block { Some(&moe.router) } else { None };
    blocks(model).into_iter().filter_map(router).collect()
}

#[test]
fn scores_of_gpt2_are_scaled_by_the_number_of_the_layer() {
    let plain = attentions(&with("gpt2", &[]), |own| own.scoring.scale);
    let model = with("gpt2", &[("scale_attn_by_inverse_layer_idx", true.into())]);
    let scaled = attentions(&model, |own| own.scoring.scale);
    let expected: Vec<f64> =
        plain.iter().enumerate().map(|(layer, scale)| scale / (layer + 1) as f64).collect();
    assert_eq!(scaled, expected);
}

#[test]
fn scores_of_deepseek_v2_are_scaled() {
    let model = with("deepseek_v2", &[("norm_topk_prob", false.into())]);
    assert!(routers(&model).iter().all(|router| (router.weights, router.scale) == (Weighting::Scores, 1.5)));
}

#[test]
fn rotary_positions_are_stretched_from_as_many_as_the_class_documents() {
    for (name, documented) in [("llama", 2048), ("mistral", 131_072), ("qwen2", 32_768)] {
        for kind in ["dynamic", "yarn"] {
            let scaling = serde_json::json!({"rope_type": kind, "factor": 4.0});
            let rotary = |positions: Option<usize>| {
                let fields =
                    [("rope_scaling", scaling.clone()), ("max_position_embeddings", positions.into())];
                attentions(&of_length(8192, name, &fields), |own| own.rotary.clone())
            };
            assert_eq!(rotary(None), rotary(Some(documented)), "{name}, {kind}");
        }
    }
}

#[test]
fn defaults_of_rotary_positions_are_named() {
    let named = |name: &str, fields: &[(&str, serde_json::Value)]| {
        let model = with(name, fields);
        let text = |(name, value): &(String, String)| format!("{name} = {value}");
        model.defaults.iter().map(text).collect::<Vec<_>>()
    };
    let scaling = serde_json::json!({"type": "yarn", "factor": 4.0, "beta_slow": 2.0});
    let found = named("llama", &[("rope_scaling", scaling)]);
    let wanted = ["original_max_position_embeddings = 64", "beta_fast = 32", "truncate = true"];
    assert!(found.ends_with(&wanted.map(str::to_owned)), "{found:?}");
    let by_kind = serde_json::json!({"full_attention": {"rope_theta": 5000.0}});
    let found = named("gemma3", &[("rope_parameters", by_kind)]);
    for default in ["full_attention.rope_type = default", "sliding_attention.rope_theta = 10000"] {
        assert!(found.iter().any(|named| named == default), "{found:?}");
    }
}

#[test]
fn rotary_positions_of_gpt_oss_are_stretched_where_nothing_is_said_of_them() {
    let documented = serde_json::json!({
        "rope_type": "yarn", "factor": 32.0, "beta_fast": 32.0, "beta_slow": 1.0, "truncate": false,
        "original_max_position_embeddings": 4096
    });
    let silent = with("gpt_oss", &[("rope_scaling", serde_json::Value::Null)]);
    assert_eq!(silent.architecture, with("gpt_oss", &[("rope_scaling", documented)]).architecture);
    for (name, value) in [("rope_type", "yarn"), ("factor", "32"), ("truncate", "false")] {
        let default = (name.to_owned(), value.to_owned());
        assert!(silent.defaults.contains(&default), "{:?}", silent.defaults);
    }
    let plain = with("gpt_oss", &[("rope_scaling", serde_json::json!({"rope_type": "default"}))]);
    assert_ne!(silent.architecture, plain.architecture);
}

#[test]
fn embeddings_of_whisper_are_scaled_by_nothing() {
    let scaled = with("whisper", &[("scale_embedding", true.into())]);
    assert_eq!(scaled.architecture, with("whisper", &[]).architecture);
    assert!(scaled.warnings.is_empty(), "{:?}", scaled.warnings);
}

#[test]
fn layers_of_deepseek_have_experts_by_turns() {
    let count = |every: usize| routers(&with("deepseek_v3", &[("moe_layer_freq", every.into())])).len();
    let [all, some] = [count(1), count(2)];
    assert_eq!([all, some], [2, 1]);
}

#[test]
fn kinds_of_layers_say_which_see_a_window() {
    let kinds = serde_json::json!(["sliding_attention", "full_attention"]);
    let sights = attentions(&with("mistral", &[("layer_types", kinds)]), |own| own.scoring.sight);
    assert_eq!(sights, [Sight::Window(7), Sight::Causal]);
    assert_eq!(attentions(&with("mistral", &[]), |own| own.scoring.sight), [Sight::Window(7); 2]);
    let windows = |name: &str, count: usize| {
        let fields = [
            ("use_sliding_window", true.into()),
            ("sliding_window", 5.into()),
            ("max_window_layers", count.into()),
        ];
        attentions(&with(name, &fields), |own| own.scoring.sight == Sight::Window(5))
    };
    assert_eq!(windows("qwen2", 1), [false, true, true]);
    assert_eq!(windows("qwen2_moe", 2), [true, false, false]);
    assert_eq!(windows("qwen3_moe", 2), [true, true, true]);
}

#[test]
fn windows_of_qwen_that_are_null_are_none_and_that_are_missing_are_those_of_the_class() {
    for name in ["qwen2", "qwen2_moe", "qwen3", "qwen3_moe"] {
        let fields = [
            ("use_sliding_window", true.into()),
            ("sliding_window", serde_json::Value::Null),
            ("max_window_layers", 0.into()),
        ];
        let sights = attentions(&with(name, &fields), |own| own.scoring.sight);
        assert!(sights.iter().all(|sight| *sight == Sight::Causal), "{name}: {sights:?}");
    }
    let path = format!("{}/../../tests/data/models/tiny/qwen2.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap().replace(" \"sliding_window\": 5,\n", "");
    let options = Options { sequence: Some(8192), ..Options::default() };
    let model = read(&Source::new("config.json", text), &options).unwrap();
    assert!(attentions(&model, |own| own.scoring.sight).contains(&Sight::Window(4096)));
}

#[test]
fn what_balances_experts_is_told_from_weights() {
    let model = with("deepseek_v3", &[]);
    let balance: Vec<&str> =
        model.parameters.iter().filter(|own| own.is_balance).map(|own| own.name.as_str()).collect();
    assert_eq!(balance, ["model.layers.{1..2}.mlp.gate.e_score_correction_bias"]);
}
