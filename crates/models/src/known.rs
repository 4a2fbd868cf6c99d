//! What a family knows of its configurations beside the fields that it reads: fields that may have the values alone for
//! which the program stands, and fields without effect on the program. What is in neither list and is read nowhere is a
//! warning, so that nothing that changes a model is passed over in silence.
//!
//! Input: the [`Fields`] of a configuration and its [`Family`]. Output: a refusal by name, or a warning.

use crate::blocks::rotary::{self, ROPE_OBJECTS};
use crate::families::Family;
use crate::fields::{CONFIG, Fields};
use crate::json::{Field, Kind, Value};
use meshwright_ir::diagnostic::Diagnostic;

/// A field that may have one of few values; another one means another model than the program. A field that is missing or
/// null means none of these others.
#[derive(Clone, Copy, Debug)]
pub struct Only {
    /// Its name.
    pub name: &'static str,
    /// The values that the program stands for; none if it may not be given.
    pub values: &'static [Literal],
    /// What another value means, as a sentence.
    pub otherwise: &'static str,
}

/// A value as a family writes it.
#[derive(Clone, Copy, Debug)]
pub enum Literal {
    /// `true` or `false`.
    Flag(bool),
    /// A number.
    Number(f64),
    /// A string.
    Text(&'static str),
    /// A list of which every item is this string.
    Each(&'static str),
    /// An object or a list without anything in it.
    Empty,
}

/// Fields of configurations of all families that may have one value alone.
const ONLY: &[Only] = &[
    Only::unset("tie_encoder_decoder", "encoder and decoder would share their layers"),
    Only::among("pruned_heads", &[Literal::Empty], "heads would be taken out of the attentions"),
    Only::absent("per_layer_config", "layers would differ in what is said here"),
    Only::unset(
        "output_router_logits",
        "a loss that balances experts would be added, which the program is without",
    ),
];

/// Fields without which a configuration says nothing of how large its model is.
const SIZES: &[&str] = &[
    "d_ff",
    "d_kv",
    "d_model",
    "hidden_size",
    "intermediate_size",
    "moe_intermediate_size",
    "n_embd",
    "n_head",
    "n_layer",
    "n_routed_experts",
    "num_attention_heads",
    "num_experts",
    "num_heads",
    "num_hidden_layers",
    "num_layers",
    "num_local_experts",
    "state_size",
    "vocab_size",
];

/// Fields of all configurations without effect on the program: names of things, generation, initial values, dropout, and
/// how modules are run. From `PreTrainedConfig` of transformers, old releases of it and tools that write configurations.
const IDLE: &[&str] = &[
    "architectures",
    "attn_implementation",
    "auto_map",
    "bad_words_ids",
    "begin_suppress_tokens",
    "bos_token_id",
    "cache_implementation",
    "chunk_size_feed_forward",
    "cross_attention_hidden_size",
    "decoder_start_token_id",
    "diversity_penalty",
    "do_sample",
    "dtype",
    "early_stopping",
    "encoder_no_repeat_ngram_size",
    "eos_token_id",
    "exponential_decay_length_penalty",
    "finetuning_task",
    "forced_bos_token_id",
    "forced_decoder_ids",
    "forced_eos_token_id",
    "generation_config",
    "gradient_checkpointing",
    "id2label",
    "initializer_range",
    "is_encoder_decoder",
    "label2id",
    "length_penalty",
    "max_length",
    "min_length",
    "model_type",
    "name_or_path",
    "no_repeat_ngram_size",
    "num_beam_groups",
    "num_beams",
    "num_labels",
    "num_logits_to_keep",
    "num_return_sequences",
    "output_attentions",
    "output_hidden_states",
    "output_past",
    "output_scores",
    "pad_token_id",
    "prefix",
    "pretraining_tp",
    "problem_type",
    "remove_invalid_values",
    "repetition_penalty",
    "return_dict",
    "return_dict_in_generate",
    "router_aux_loss_coef",
    "sep_token_id",
    "suppress_tokens",
    "task_specific_params",
    "temperature",
    "tf_legacy_loss",
    "tie_last_hidden_states",
    "tokenizer_class",
    "top_k",
    "top_p",
    "torch_dtype",
    "torchscript",
    "transformers.js_config",
    "transformers_version",
    "typical_p",
    "unsloth_fixed",
    "unsloth_version",
    "use_bfloat16",
    "use_cache",
];

/// What names of fields without effect have in them: shares that are dropped in training, which the program does without.
const DROPPED: &[&str] = &["dropout", "_pdrop", "layerdrop", "router_jitter_noise"];

/// Refuses fields whose value means another model than the program.
pub(crate) fn refuse_others(fields: &Fields<'_>, family: &Family) -> Result<(), Diagnostic> {
    let own = fields.own().iter();
    let inner = ROPE_OBJECTS.iter().filter_map(|name| fields.own_value(name)).flat_map(inside);
    for field in own.chain(inner).filter(|field| field.value.kind != Kind::Null) {
        let only = family.only.iter().chain(ONLY).find(|only| only.name == field.name);
        if let Some(only) = only.filter(|only| !only.values.iter().any(|value| value.is(&field.value))) {
            return Err(only.refusal(field));
        }
    }
    Ok(())
}

/// A warning that names the fields which nothing here knows.
pub(crate) fn unknown(fields: &Fields<'_>, family: &Family) -> Option<Diagnostic> {
    let is_known = |name: &str| {
        fields.was_read(name)
            || name.starts_with('_')
            || IDLE.contains(&name)
            || family.idle.contains(&name)
            || family.only.iter().chain(ONLY).any(|only| only.name == name)
            || DROPPED.iter().any(|part| name.contains(part))
    };
    let own = fields.own().iter().filter(|field| !is_known(&field.name));
    let rope = ROPE_OBJECTS.iter().filter_map(|name| fields.own_value(name)).flat_map(inside);
    let rope = rope.filter(|field| !rotary::is_field(&field.name));
    let found: Vec<&Field> = own.chain(rope).filter(|field| field.value.kind != Kind::Null).collect();
    let first = found.first()?;
    let names: Vec<String> = found.iter().map(|field| format!("`{}`", field.name)).collect();
    let (are, they, them) = if found.len() == 1 { ("is", "it", "it") } else { ("are", "they", "them") };
    let message = format!(
        "{} {are} not known of `{}`: the model is the one without {them}",
        names.join(", "),
        family.model_types[0]
    );
    let warning = Diagnostic::warning(CONFIG, first.span, message);
    Some(warning.hint(format!("if {they} {are} of no effect on the loss, take {them} out")))
}

/// A warning that names the sizes which the configuration leaves to the defaults of its class: without them, a file of which
/// a line was lost is another model. Configurations inside of another one are written as what differs from their class.
pub(crate) fn unsaid(fields: &Fields<'_>, family: &Family) -> Option<Diagnostic> {
    let is_size = |(name, _): &&(String, String)| !fields.is_nested() && SIZES.contains(&name.as_str());
    let found: Vec<&(String, String)> = fields.defaults.iter().filter(is_size).collect();
    let (them, are) = match found.len() {
        0 => return None,
        1 => ("it", "is"),
        _ => ("them", "are"),
    };
    let names: Vec<String> = found.iter().map(|(name, _)| format!("`{name}`")).collect();
    let values: Vec<String> = found.iter().map(|(name, value)| format!("`{name}` = {value}")).collect();
    let message = format!(
        "{} {are} not given: taken as `{}` documents {them}, {}",
        names.join(", "),
        family.documented,
        values.join(", ")
    );
    Some(Diagnostic::warning(CONFIG, fields.start(), message).hint(format!("give {them} in the file")))
}

fn inside(value: &Value) -> &[Field] {
    if let Kind::Object(fields) = &value.kind { fields } else { &[] }
}

impl Only {
    /// A field that is one of these.
    pub const fn among(name: &'static str, values: &'static [Literal], otherwise: &'static str) -> Self {
        Self { name, values, otherwise }
    }

    /// A field that is `false`.
    pub const fn unset(name: &'static str, otherwise: &'static str) -> Self {
        Self::among(name, &[Literal::Flag(false)], otherwise)
    }

    /// A field that is not given.
    pub const fn absent(name: &'static str, otherwise: &'static str) -> Self {
        Self::among(name, &[], otherwise)
    }

    fn refusal(&self, field: &Field) -> Diagnostic {
        let given = match &field.value.kind {
            Kind::Flag(flag) => format!("is {flag}"),
            Kind::Number(number) => format!("is {number}"),
            Kind::Text(text) => format!("is `{text}`"),
            _ => "is given".to_owned(),
        };
        let message = format!("`{}` {given}, which is another model: {}", self.name, self.otherwise);
        let allowed: Vec<String> = self.values.iter().map(Literal::said).collect();
        let hint = match allowed.is_empty() {
            true => "take it out".to_owned(),
            false => format!("of this family only {} is known here", allowed.join(" or ")),
        };
        Diagnostic::error(CONFIG, field.value.span, message).hint(hint)
    }
}

impl Literal {
    fn is(&self, value: &Value) -> bool {
        match (self, &value.kind) {
            (Self::Flag(own), Kind::Flag(found)) => own == found,
            (Self::Number(own), Kind::Number(found)) => own == found,
            (Self::Text(own), Kind::Text(found)) => own == found,
            (Self::Each(own), Kind::List(items)) => {
                items.iter().all(|item| matches!(&item.kind, Kind::Text(found) if own == found))
            }
            (Self::Empty, Kind::List(items)) => items.is_empty(),
            (Self::Empty, Kind::Object(fields)) => fields.is_empty(),
            _ => false,
        }
    }

    fn said(&self) -> String {
        match self {
            Self::Flag(flag) => format!("`{flag}`"),
            Self::Number(number) => format!("{number}"),
            Self::Text(text) | Self::Each(text) => format!("`{text}`"),
            Self::Empty => "an empty one".to_owned(),
        }
    }
}
