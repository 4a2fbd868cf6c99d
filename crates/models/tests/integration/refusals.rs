//! Configurations that describe no model: one clear message each, at the place that is at fault.

use meshwright_ir::diagnostic::{Severity, Source};
use meshwright_models::{Batch, Options, read};

const LLAMA: &str = r#"{
  "model_type": "llama",
  "hidden_size": 64,
  "intermediate_size": 128,
  "num_hidden_layers": 2,
  "num_attention_heads": 4,
  "num_key_value_heads": 2,
  "vocab_size": 100,
  "max_position_embeddings": 32
}"#;

fn options() -> Options {
    Options { sequence: Some(16), ..Options::default() }
}

/// Line, column and message of what is refused.
#[track_caller]
fn refused(text: &str) -> (usize, usize, String) {
    let source = Source::new("config.json", text);
    let fault = read(&source, &options()).unwrap_err();
    let place = source.place(fault.span);
    (place.line, place.column, fault.message)
}

#[track_caller]
fn refused_with(from: &str, to: &str, line: usize, column: usize, part: &str) {
    assert!(LLAMA.contains(from), "{from}");
    let found = refused(&LLAMA.replace(from, to));
    assert_eq!((found.0, found.1), (line, column), "{}", found.2);
    assert!(found.2.contains(part), "{}", found.2);
}

#[test]
fn sizes_that_are_none_are_refused_where_they_stand() {
    refused_with("\"num_attention_heads\": 4", "\"num_attention_heads\": 5", 7, 26, "does not divide");
    refused_with("\"num_key_value_heads\": 2", "\"num_key_value_heads\": 3", 7, 26, "does not divide");
    refused_with("\"hidden_size\": 64", "\"hidden_size\": 66", 6, 26, "does not divide");
    refused_with("\"hidden_size\": 64", "\"hidden_size\": -64", 3, 18, "which is no size");
    refused_with("\"hidden_size\": 64", "\"hidden_size\": 6.5", 3, 18, "which is no size");
    refused_with("\"hidden_size\": 64", "\"hidden_size\": \"64\"", 3, 18, "should be a number, not a string");
    refused_with("\"vocab_size\": 100", "\"vocab_size\": 0", 8, 17, "at least 1");
    refused_with("\"vocab_size\": 100", "\"vocab_size\": 1e30", 8, 17, "which is no size");
    refused_with("\"num_attention_heads\": 4", "\"head_dim\": 7", 6, 15, "which is odd");
}

/// What was not given is not at fault where it stands: its default is named.
#[test]
fn defaults_that_lead_to_a_fault_are_named() {
    let hints = |from: &str, to: &str| {
        assert!(LLAMA.contains(from), "{from}");
        let text = LLAMA.replace(from, to).replace("\"hidden_size\": 64", "\"hidden_size\": 32");
        read(&Source::new("config.json", text), &options()).unwrap_err().hints
    };
    let said = "not given, so as documented: num_attention_heads = 32";
    assert_eq!(hints("\"num_attention_heads\": 4", "\"num_attention_heads\": null"), [said]);
    assert_eq!(
        hints("\"num_attention_heads\": 4,\n  \"num_key_value_heads\": 2", "\"num_key_value_heads\": 3"),
        [said]
    );
    assert_eq!(hints("\"num_attention_heads\": 4", "\"head_dim\": 7"), [""; 0]);
}

/// Latent attention says the parts of its heads, which need not divide the width of the model.
#[test]
fn heads_of_latent_attention_divide_nothing() {
    for name in ["deepseek_v2", "deepseek_v3"] {
        let path = format!("{}/../../tests/data/models/tiny/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let width = text.split("\"hidden_size\": ").nth(1).unwrap().split([',', '\n']).next().unwrap();
        let other = text.replace(&format!("\"hidden_size\": {width}"), "\"hidden_size\": 66");
        let model = read(&Source::new("config.json", other.as_str()), &options());
        assert!(model.is_ok(), "{name}: {:?}", model.map(|model| model.parameters.len()));
    }
}

#[test]
fn sizes_of_no_model_are_refused_before_they_take_memory() {
    refused_with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 10001", 5, 24, "at most 10000 layers");
    refused_with("\"num_hidden_layers\": 2", "\"num_hidden_layers\": 99999999999", 5, 24, "which is no size");
    let large = |sequence: usize, batch: usize| {
        let options = Options { sequence: Some(sequence), batch: Batch::Sequences(batch), ..options() };
        read(&Source::new("config.json", LLAMA), &options).unwrap_err().message
    };
    assert!(large(1 << 30, 1).contains("which are the longest"));
    assert!(large(1 << 20, 1 << 40).contains("tokens are the most"));
    assert!(large(16, usize::MAX).contains("tokens are the most"));
}

#[test]
fn rotary_positions_that_are_not_told_are_refused() {
    let with = |more: &str| refused(&LLAMA.replace("\"max_position_embeddings\": 32", more)).2;
    let message = with(r#""rope_scaling": {"rope_type": "llama3", "factor": 8.0}"#);
    assert!(message.contains("`low_freq_factor` is missing"), "{message}");
    let message = with(r#""rope_scaling": {"type": "turns", "factor": 8.0}"#);
    assert!(message.contains("default, mrope, linear"), "{message}");
    let kinds = r#""rope_scaling": {"type": "linear", "factor": 2.0}, "rope_parameters": {"rope_type": "yarn", "factor": 2.0}"#;
    assert!(with(kinds).contains("contradict each other in `rope_type`"), "{}", with(kinds));
    let factors = kinds.replace("yarn", "linear").replacen("2.0", "4.0", 1);
    assert!(with(&factors).contains("contradict each other in `factor`"), "{}", with(&factors));
}

#[test]
fn numbers_that_contradict_others_are_refused() {
    refused_with("\"vocab_size\": 100", "\"rms_norm_eps\": -1.0", 8, 19, "small positive number");
    let tiny = |name: &str, from: &str, to: &str| {
        let path = format!("{}/../../tests/data/models/tiny/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text.contains(from), "{name}");
        refused(&text.replace(from, to)).2
    };
    let message = tiny("deepseek_v3", "\"num_experts_per_tok\": 3", "\"num_experts_per_tok\": 5");
    assert_eq!(message, "`num_experts_per_tok` is 5, but `topk_group` groups have 4 experts");
    let missing = tiny("deepseek_v2", "\"topk_group\": 2", "\"topk_group\": null");
    assert_eq!(missing, "`topk_group` is missing, of which `DeepseekV2Config` documents no default");
    let odd = tiny("deepseek_v3", "\"qk_rope_head_dim\": 8", "\"qk_rope_head_dim\": 1");
    assert_eq!(odd, "heads are 1 wide, which is odd; rotary positions turn pairs");
    let yarn = tiny("gpt_oss", "\"beta_fast\": 32.0", "\"beta_fast\": 0.0");
    assert!(yarn.contains("what is no finite number"), "{yarn}");
    let channels = tiny("mamba", "\"expand\": 2", "\"expand\": 1e300");
    assert!(channels.contains("more than 16777216 channels"), "{channels}");
    let message = tiny("nemotron_h", "\"num_hidden_layers\": 8", "\"num_hidden_layers\": 6");
    assert_eq!(message, "`num_hidden_layers` is 6, but 8 kinds of layers are given");
}

#[test]
fn other_kinds_are_refused_with_the_list() {
    let (line, column, message) = refused(&LLAMA.replace("\"llama\"", "\"clip\""));
    assert_eq!((line, column), (2, 17));
    assert!(
        message.starts_with("`clip` is no `model_type` that is known") && message.contains("deepseek_v3")
    );
    assert!(refused("{\"a\": 1}").2.starts_with("`model_type` is missing"));
    assert!(refused("[1, 2]").2.contains("is an object, not a list"));
}

#[test]
fn files_that_are_cut_off_are_refused_at_the_end() {
    for len in [1, 20, 60, LLAMA.len() - 1] {
        let (_, _, message) = refused(&LLAMA[..len]);
        assert!(
            message.contains("found the end of the file") || message.contains("end of a string"),
            "{message}"
        );
    }
}

#[test]
fn kinds_of_rotary_positions_that_are_unknown_are_refused() {
    let scaling = |text: &str| format!("\"rope_scaling\": {text}, \"vocab_size\": 100");
    refused_with("\"vocab_size\": 100", &scaling(r#"{"type": "magic"}"#), 8, 19, "is no kind of rotary");
    refused_with("\"vocab_size\": 100", &scaling(r#"{"type": "linear"}"#), 8, 19, "`factor` is missing");
    refused_with("\"vocab_size\": 100", &scaling("3"), 8, 19, "should be an object");
}

#[test]
fn sequences_beyond_the_positions_are_a_warning_where_the_model_can_take_them() {
    let long = Options { sequence: Some(64), ..Options::default() };
    let model = read(&Source::new("config.json", LLAMA), &long).unwrap();
    assert_eq!(model.warnings.len(), 1);
    assert_eq!(model.warnings[0].severity, Severity::Warning);
    let silent = LLAMA.replace(",\n  \"max_position_embeddings\": 32", "");
    let long = Options { sequence: Some(8192), ..Options::default() };
    let model = read(&Source::new("config.json", silent.as_str()), &long).unwrap();
    let [warning] = &model.warnings[..] else { panic!("{:?}", model.warnings) };
    assert!(warning.message.contains("the 2048 positions of `max_position_embeddings`, as `LlamaConfig`"));
    assert_eq!(model.positions, Some(2048));
    assert!(model.defaults.contains(&("max_position_embeddings".to_owned(), "2048".to_owned())));
    let gpt2 = r#"{"model_type": "gpt2", "n_positions": 32, "n_embd": 64, "n_head": 4, "n_layer": 1}"#;
    let fault = read(&Source::new("config.json", gpt2), &long).unwrap_err();
    assert!(fault.message.contains("32 positions"), "{fault}");
}

#[test]
fn sequences_of_which_nothing_is_said_are_as_the_class_documents() {
    let length = |text: &str| {
        let model = read(&Source::new("config.json", text), &Options::default()).unwrap();
        let said = model.warnings.iter().find(|warning| warning.message.contains("no length of sequences"));
        (model.shape[1], model.positions, said.map(|warning| warning.message.clone()).unwrap_or_default())
    };
    let small =
        "\"hidden_size\": 32, \"num_attention_heads\": 4, \"num_hidden_layers\": 1, \"vocab_size\": 64";
    let (tokens, positions, said) = length(&format!("{{\"model_type\": \"llama\", {small}}}"));
    assert_eq!((tokens, positions), (2048, Some(2048)));
    assert!(said.contains("`LlamaConfig` documents `max_position_embeddings` = 2048"), "{said}");
    let (tokens, positions, _) = length(&format!("{{\"model_type\": \"bert\", {small}}}"));
    assert_eq!((tokens, positions), (512, Some(512)));
    // More than is taken by itself.
    let (tokens, positions, _) =
        length(&format!("{{\"model_type\": \"qwen3\", \"num_key_value_heads\": 4, {small}}}"));
    assert_eq!((tokens, positions), (4096, Some(32_768)));
    let (tokens, positions, said) = length(&format!("{{\"model_type\": \"mamba\", {small}}}"));
    assert_eq!((tokens, positions), (1024, None));
    assert!(said.contains("nor does `MambaConfig` document any"), "{said}");
}

#[test]
fn batches_of_tokens_hold_whole_sequences() {
    let tokens = Options { batch: Batch::Tokens(100), ..options() };
    let fault = read(&Source::new("config.json", LLAMA), &tokens).unwrap_err();
    assert!(fault.message.contains("no whole number of sequences of 16"), "{fault}");
}

#[test]
fn hybrids_say_where_their_kinds_of_layers_stand() {
    let jamba = |fields: &str| refused(&format!("{{\n\"model_type\": \"jamba\",\n{fields}\n}}"));
    let (line, _, message) = jamba("\"attn_layer_period\": 4, \"attn_layer_offset\": 4");
    assert_eq!(line, 3);
    assert!(message.contains("`attn_layer_offset` is 4, which is no place in a period of 4"), "{message}");
    let (_, _, message) = jamba("\"expert_layer_period\": 0");
    assert!(message.contains("at least 1"), "{message}");
    let (_, _, message) = jamba("\"mamba_dt_rank\": \"most\"");
    assert!(message.contains("it should be a size or `auto`"), "{message}");
    let (_, _, message) = jamba("\"mamba_dt_rank\": true");
    assert!(message.contains("should be a number"), "{message}");
    let (_, _, message) = jamba("\"num_experts\": 2, \"num_experts_per_tok\": 3");
    assert!(message.contains("but there are only 2"), "{message}");
    let (_, _, message) = refused("{\"model_type\": \"mamba\", \"expand\": 0}");
    assert!(message.contains("which leaves no channels"), "{message}");
}

/// A tiny configuration with more fields.
fn tiny_with(name: &str, more: &str) -> Source {
    let path = format!("{}/../../tests/data/models/tiny/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let (before, _) = text.rsplit_once('}').unwrap();
    Source::new("config.json", format!("{before},{more}}}"))
}

#[test]
fn fields_that_mean_another_model_are_refused_by_name() {
    let cases = [
        ("bert", "is_decoder", "true"),
        ("bert", "tie_encoder_decoder", "true"),
        ("gpt2", "add_cross_attention", "true"),
        ("gpt2", "pruned_heads", "{\"0\": [1]}"),
        ("deepseek_v2", "scoring_func", "\"sigmoid\""),
        ("deepseek_v2", "norm_topk_prob", "true"),
        ("deepseek_v3", "topk_method", "\"greedy\""),
        ("gemma3", "use_bidirectional_attention", "true"),
        ("mamba2", "rms_norm", "false"),
        ("llama", "layer_types", "[\"full_attention\", \"sliding_attention\", \"full_attention\"]"),
        ("llama", "partial_rotary_factor", "0.5"),
        ("llama", "rope_parameters", "{\"partial_rotary_factor\": 0.5}"),
        ("mixtral", "output_router_logits", "true"),
        ("nemotron_h", "mamba_d_conv", "3"),
    ];
    for (name, field, value) in cases {
        let source = tiny_with(name, &format!("\"{field}\": {value}"));
        let text = source.text.replacen(&format!("\"{field}\": \"softmax\","), "", 1);
        let text = text.replacen("\"topk_method\": \"noaux_tc\",", "", 1);
        let text =
            text.replacen("\"output_router_logits\": false,", "", 1).replacen("\"rms_norm\": true,", "", 1);
        let source = Source::new("config.json", text);
        let fault = read(&source, &options()).expect_err(name);
        let field = if field == "rope_parameters" { "partial_rotary_factor" } else { field };
        assert!(fault.message.starts_with(&format!("`{field}` is ")), "{name}: {fault}");
        assert!(fault.message.contains("which is another model"), "{name}: {fault}");
        assert!(
            source.text[fault.span.start as usize..].starts_with(value) || value.contains("0.5"),
            "{name}"
        );
    }
}

#[test]
fn fields_that_nothing_knows_are_one_warning() {
    let more =
        r#""attn_temperature": 2, "hidden_dropout": 0.5, "_private": 1, "use_magic": null, "qk_clip": true"#;
    let model = read(&tiny_with("llama", more), &options()).unwrap();
    let [warning] = &model.warnings[..] else { panic!("{:?}", model.warnings) };
    let message = "`attn_temperature`, `qk_clip` are not known of `llama`: the model is the one without them";
    assert_eq!(warning.message, message);
    let rope = r#""rope_scaling": {"rope_type": "linear", "factor": 2.0, "power": 3}"#;
    let text = tiny_with("gemma", rope).text.replacen("\"rope_scaling\": null,", "", 1);
    let model = read(&Source::new("config.json", text), &options()).unwrap();
    assert!(model.warnings[0].message.starts_with("`power` is not known of `gemma`"), "{:?}", model.warnings);
}

#[test]
fn numbers_that_would_divide_by_zero_or_cross_are_refused() {
    let replaced = |name: &str, from: &str, to: &str| {
        let text = tiny_with(name, "\"prefix\": null").text;
        assert!(text.contains(from), "{name}");
        refused(&text.replace(from, to)).2
    };
    let caps = replaced("gemma2", "\"attn_logit_softcapping\": 5.0", "\"attn_logit_softcapping\": 0");
    assert!(caps.contains("it should be positive, or null"), "{caps}");
    let limits = replaced("mamba2", "Infinity", "-1.0");
    assert!(limits.contains("the least length of a step and the most"), "{limits}");
    let layers = replaced("qwen2_moe", "\"mlp_only_layers\": [", "\"mlp_only_layers\": [9, ");
    assert!(layers.contains("`mlp_only_layers` has 9, but the 3 layers"), "{layers}");
}

#[test]
fn numbers_that_are_not_finite_are_refused_by_name() {
    for (name, field, own, other) in [
        ("deepseek_v3", "routed_scaling_factor", "2.5", "NaN"),
        ("deepseek_v3", "routed_scaling_factor", "2.5", "Infinity"),
        ("gpt_oss", "swiglu_limit", "0.5", "-Infinity"),
        ("qwen2", "rms_norm_eps", "1e-05", "NaN"),
    ] {
        let text = tiny_with(name, "\"prefix\": null").text;
        let from = format!("\"{field}\": {own}");
        assert!(text.contains(&from), "{name}");
        let message = refused(&text.replace(&from, &format!("\"{field}\": {other}"))).2;
        let begins = format!("`{field}` is ");
        assert!(message.starts_with(&begins) && message.contains("a finite number"), "{message}");
    }
}
