//! Configurations of released models, with the quirks in which they were published: parameters in all, and those that a
//! token uses. Of Llama, Mixtral and DeepSeek-V3 they are those that are published; the others hold what the programs have.
//! Weights that these publish quantized are counted as they were before.

use meshwright_ir::diagnostic::Source;
use meshwright_models::{Model, Options, read};
use std::path::PathBuf;

/// Parameters of the checkpoint.
const TOTALS: &[(&str, u64)] = &[
    ("bert-base-uncased", 109_514_298),
    ("bert-large-uncased", 335_174_458),
    ("deepseek-v2", 235_741_434_880),
    ("deepseek-v2-lite", 15_706_484_224),
    ("deepseek-v3", 671_026_419_200),
    ("gemma-2-27b", 27_227_128_320),
    ("gemma-2-2b", 2_614_341_888),
    ("gemma-2-9b", 9_241_705_984),
    ("gemma-3-1b", 999_885_952),
    ("gemma-3-4b", 3_880_263_168),
    ("gemma-7b", 8_537_680_896),
    ("gpt-neox-20b", 20_554_567_680),
    ("gpt-oss-120b", 116_829_156_672),
    ("gpt-oss-20b", 20_914_757_184),
    ("gpt2", 124_439_808),
    ("gpt2-xl", 1_557_611_200),
    ("jamba-v0.1", 51_570_323_328),
    ("llama-2-13b", 13_015_864_320),
    ("llama-2-70b", 68_976_648_192),
    ("llama-2-7b", 6_738_415_616),
    ("llama-3-8b", 8_030_261_248),
    ("llama-3.1-405b", 405_853_388_800),
    ("llama-3.1-70b", 70_553_706_496),
    ("llama-3.1-8b", 8_030_261_248),
    ("llama-3.2-1b", 1_235_814_400),
    ("llama-3.2-3b", 3_212_749_824),
    ("llama-7b", 6_738_415_616),
    ("mamba-codestral-7b", 7_285_403_648),
    ("mamba-2.8b", 2_768_345_600),
    ("mamba2-2.7b", 2_702_599_680),
    ("mistral-7b-v0.1", 7_241_732_096),
    ("mistral-7b-v0.3", 7_248_023_552),
    ("mistral-nemo-12b", 12_247_782_400),
    ("mistral-small-24b", 23_572_403_200),
    ("mixtral-8x22b", 140_620_634_112),
    ("mixtral-8x7b", 46_702_792_704),
    ("nemotron-h-8b", 8_100_852_736),
    ("phi-3-mini-4k", 3_821_079_552),
    ("phi-4", 14_659_507_200),
    ("pythia-1.4b", 1_414_647_808),
    ("pythia-6.9b", 6_857_302_016),
    ("qwen1.5-moe-a2.7b", 14_315_784_192),
    ("qwen2-7b", 7_615_616_512),
    ("qwen2.5-0.5b", 494_032_768),
    ("qwen2.5-1.5b", 1_543_714_304),
    ("qwen2.5-32b", 32_763_876_352),
    ("qwen2.5-72b", 72_706_203_648),
    ("qwen3-0.6b", 596_049_920),
    ("qwen3-235b-a22b", 235_093_634_560),
    ("qwen3-30b-a3b", 30_532_122_624),
    ("qwen3-32b", 32_762_123_264),
    ("qwen3-8b", 8_190_735_360),
    ("smollm2-135m", 134_515_008),
    ("t5-11b", 11_307_321_344),
    ("t5-base", 222_903_552),
    ("t5-small", 60_506_624),
    ("tinyllama-1.1b", 1_100_048_384),
    ("vit-base-patch16-224-in21k", 85_800_194),
    ("whisper-large-v3", 1_543_490_560),
    ("whisper-tiny", 37_760_640),
];

/// Billions of parameters that a token uses, as published, and the unit in which they are.
const ACTIVE: &[(&str, f64, f64)] = &[
    ("deepseek-v2", 21.0, 1.0),
    ("deepseek-v3", 37.0, 1.0),
    ("gpt-oss-120b", 5.7, 0.1),
    ("jamba-v0.1", 12.0, 1.0),
    ("mixtral-8x22b", 39.0, 1.0),
    ("mixtral-8x7b", 12.9, 0.1),
    ("qwen1.5-moe-a2.7b", 2.7, 0.1),
    ("qwen3-235b-a22b", 22.0, 1.0),
    ("qwen3-30b-a3b", 3.3, 0.1),
];

/// Those that say no length of sequences, which is warned of. That of images is of the model itself.
const WITHOUT_LENGTH: &[&str] = &["gemma-3-4b", "mamba-2.8b", "mamba-codestral-7b", "mamba2-2.7b"];

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models/released")
}

fn text(name: &str) -> String {
    std::fs::read_to_string(folder().join(format!("{name}.json"))).unwrap()
}

/// The model before its weights were quantized: without the object that says how.
fn unquantized(name: &str) -> Model {
    let mut text = text(name);
    if let Some(start) = text.find("  \"quantization_config\"") {
        let end = start + text[start..].find("\n  }").unwrap() + 5;
        text.replace_range(start..end, "");
    }
    read(&Source::new(name, text), &Options::default()).unwrap_or_else(|fault| panic!("{name}: {fault}"))
}

#[test]
fn parameters_are_those_of_the_checkpoints() {
    for (name, total) in TOTALS {
        let parameters: u64 = unquantized(name).parameters.iter().map(|one| one.num_elements()).sum();
        assert_eq!(parameters, *total, "{name}");
    }
    assert_eq!(TOTALS.len(), std::fs::read_dir(folder()).unwrap().count());
}

#[test]
fn all_fields_of_released_configurations_are_known() {
    for (name, _) in TOTALS {
        let warnings = unquantized(name).warnings;
        let messages: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
        match (WITHOUT_LENGTH.contains(name), &messages[..]) {
            (true, [of_length]) => {
                assert!(of_length.contains("no length of sequences"), "{name}: {of_length}")
            }
            (false, []) => {}
            (_, others) => panic!("{name}: {others:?}"),
        }
    }
}

#[test]
fn parameters_that_a_token_uses_are_those_published() {
    for (name, published, unit) in ACTIVE {
        let active: u64 = unquantized(name).parameters.iter().map(|one| one.num_active()).sum();
        assert!((active as f64 / 1e9 - published).abs() < *unit, "{name}: {active}");
    }
}

#[test]
fn quantized_weights_are_refused_by_name() {
    for name in ["deepseek-v3", "gpt-oss-20b"] {
        let fault = read(&Source::new(name, text(name)), &Options::default()).unwrap_err();
        assert!(fault.message.starts_with("`quantization_config` is given"), "{fault}");
    }
}

#[test]
fn quantized_weights_of_a_language_model_inside_are_refused_at_their_path() {
    let text = text("gemma-3-4b");
    let quantized = text.replace(
        "\"text_config\": {",
        "\"text_config\": {\n    \"quantization_config\": {\"quant_method\": \"fp8\"},",
    );
    assert_ne!(quantized, text);
    let source = Source::new("gemma", quantized);
    let fault = read(&source, &Options::default()).unwrap_err();
    assert!(fault.message.starts_with("`text_config.quantization_config` is given"), "{fault}");
    assert_eq!(source.place(fault.span).line, 16);
}

#[test]
fn fields_that_are_missing_are_named_with_their_defaults() {
    let given = |name: &str, field: &str| {
        let model = unquantized(name);
        model.defaults.into_iter().find(|(known, _)| known == field).map(|(_, value)| value)
    };
    assert_eq!(given("llama-7b", "num_key_value_heads").as_deref(), Some("32"));
    assert_eq!(given("llama-7b", "rope_theta").as_deref(), Some("10000"));
    assert_eq!(given("gemma-3-4b", "vocab_size").as_deref(), Some("262208"));
    assert_eq!(given("llama-3.1-8b", "rope_theta"), None);
}

#[test]
fn sizes_that_are_missing_are_a_warning() {
    let lines = text("llama-3.1-8b");
    let kept =
        lines.lines().filter(|line| !line.contains("\"hidden_size\"") && !line.contains("\"vocab_size\""));
    let source = Source::new("short", kept.collect::<Vec<_>>().join("\n"));
    let warnings = read(&source, &Options::default()).unwrap().warnings;
    let messages: Vec<&str> = warnings.iter().map(|warning| warning.message.as_str()).collect();
    let [message] = &messages[..] else { panic!("{messages:?}") };
    let expected = "`hidden_size`, `vocab_size` are not given: taken as `LlamaConfig` documents them, \
        `hidden_size` = 4096, `vocab_size` = 32000";
    assert_eq!(*message, expected);
}

/// A configuration as transformers 5 writes it: all of rotary positions in one object, and the type without `torch`.
fn in_new_words(name: &str) -> String {
    let mut config: serde_json::Value = serde_json::from_str(&text(name)).unwrap();
    let fields = config.as_object_mut().unwrap();
    let mut rope = match fields.remove("rope_scaling") {
        Some(serde_json::Value::Object(rope)) => rope,
        _ => serde_json::Map::new(),
    };
    let kind = rope.remove("type").or_else(|| rope.remove("rope_type"));
    rope.insert("rope_type".to_owned(), kind.unwrap_or_else(|| "default".into()));
    rope.insert("rope_theta".to_owned(), fields.remove("rope_theta").unwrap());
    fields.insert("rope_parameters".to_owned(), rope.into());
    let dtype = fields.remove("torch_dtype").unwrap();
    fields.insert("dtype".to_owned(), dtype);
    config.to_string()
}

#[test]
fn new_words_of_transformers_mean_what_old_ones_did() {
    for name in ["llama-3.1-8b", "deepseek-v2-lite", "qwen2.5-32b"] {
        let old = unquantized(name);
        let new = read(&Source::new(name, in_new_words(name)), &Options::default()).unwrap();
        assert_eq!(new.architecture, old.architecture, "{name}");
        assert!(new.warnings.is_empty(), "{name}: {:?}", new.warnings);
        assert_eq!(new.defaults, old.defaults, "{name}");
    }
}
