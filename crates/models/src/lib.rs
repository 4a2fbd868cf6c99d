//! Models by their `config.json`: a configuration as Hugging Face writes it becomes the program of a forward pass and its
//! loss, `main(parameters, tokens, labels) -> loss`, and the figures of the field are counted in that program.
//!
//! Input: the text of a configuration, and [`Options`]. Output: a [`Model`]. `families` reads configurations, one file for
//! each family; `blocks` are what models are made of, one file for each; `net` is the builder that knows parameters by
//! name and writes layers that are alike as one loop.
//!
//! ```
//! use meshwright_ir::diagnostic::Source;
//! use meshwright_models::{Batch, Options, read};
//!
//! let config = r#"{"model_type": "gpt2", "n_layer": 2, "n_embd": 64, "n_head": 4, "vocab_size": 128}"#;
//! let options = Options { sequence: Some(32), batch: Batch::Sequences(8), ..Options::default() };
//! let model = read(&Source::new("config.json", config), &options).unwrap();
//! assert_eq!(model.parameters[0].name, "transformer.wte.weight");
//! assert_eq!(model.program.main().unwrap().returned().len(), 1);
//! ```

pub mod blocks;
pub mod decoder;
pub mod encoder;
pub mod families;
mod fields;
mod figures;
pub mod json;
pub mod known;
pub mod net;
mod options;

pub use fields::{CONFIG, Fields};
pub use figures::{BlockFlops, Figures};
pub use json::JSON;
pub use net::{Cached, Data, Net, Parameter, Share};
pub use options::{Batch, Batches, LONGEST_BY_DEFAULT, LayerForm, Options, Recipe, ScanForm};

use families::{Architecture, Family, family, model_types};
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use std::mem::take;

/// Tokens that a sequence can have.
const LONGEST: usize = 1 << 24;

/// Elements of a value; more are no model, but a slip of the keyboard.
const MOST_ELEMENTS: usize = 1 << 56;

/// A model as a program.
#[derive(Clone, Debug)]
pub struct Model {
    /// The `model_type`.
    pub model_type: String,
    /// The model as blocks.
    pub architecture: Architecture,
    /// The forward pass and its loss.
    pub program: Program,
    /// Its parameters: the program's arguments, in order, before those of data.
    pub parameters: Vec<Parameter>,
    /// Arguments of data, in order.
    pub data: Vec<Data>,
    /// What decoding keeps.
    pub cached: Cached,
    /// Number of layers.
    pub depth: usize,
    /// Sequences of the batch, and tokens of each.
    pub shape: [usize; 2],
    /// Tokens of the longest sequences that the configuration says it is made for, or its class documents.
    pub positions: Option<usize>,
    /// The types of numbers.
    pub recipe: Recipe,
    /// Fields that the configuration does not give, with the defaults that were taken.
    pub defaults: Vec<(String, String)>,
    /// The class whose documentation states these defaults.
    pub documented: &'static str,
    /// What the user should know.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a configuration and writes its model.
pub fn read(source: &Source, options: &Options) -> Result<Model, Diagnostic> {
    let value = json::read(&source.text)?;
    let (mut fields, family, model_type) = kind(Fields::of(&value)?)?;
    let model = model_of(&mut fields, family, model_type, options);
    model.map_err(|fault| fields.with_defaults(fault))
}

/// The model of a family by its fields.
fn model_of(
    fields: &mut Fields<'_>,
    family: &Family,
    model_type: String,
    options: &Options,
) -> Result<Model, Diagnostic> {
    known::refuse_others(fields, family)?;
    let (positions, length, unsaid) = sequence(fields, family, options)?;
    fields.positions = positions;
    let architecture = (family.read)(fields, length)?;
    // Nobody has to say a length that the model has of itself.
    if let Some(warning) = unsaid.filter(|_| architecture.length().is_none()) {
        fields.warnings.insert(0, warning);
    }
    let warnings = [known::unknown(fields, family), known::unsaid(fields, family)];
    fields.warnings.extend(warnings.into_iter().flatten());
    let length = match (architecture.length(), options.sequence) {
        (Some(own), Some(asked)) if own != asked => {
            let message = format!("the sequences of this model are {own} tokens long, not {asked}");
            return Err(Diagnostic::error(CONFIG, Span::NONE, message).hint("leave `--seq` out"));
        }
        (own, _) => own.unwrap_or(length),
    };
    let sequences = options.batch.sequences(length);
    let sequences = sequences.map_err(|message| Diagnostic::error(CONFIG, Span::NONE, message))?;
    let mut net = Net::new(options.clone());
    let loss = architecture.write(&mut net, sequences, length);
    let model = Model {
        parameters: net.params.clone(),
        data: net.data.clone(),
        cached: net.cached.clone(),
        depth: net.depth,
        program: net.finish(&model_type, &[loss]),
        shape: [sequences, length],
        positions,
        recipe: options.recipe,
        defaults: take(&mut fields.defaults),
        documented: family.documented,
        warnings: take(&mut fields.warnings),
        architecture,
        model_type,
    };
    match too_large(&model.program) {
        Some(message) => Err(Diagnostic::error(CONFIG, Span::NONE, message)),
        None => Ok(model),
    }
}

/// The first value of a program that is larger than anything that can be, as a message.
fn too_large(program: &Program) -> Option<String> {
    let values = &program.main()?.body.values;
    let tensors = values.ids().filter_map(|value| values[value].ty.as_tensor());
    let is_too_large = |shape: &[usize]| {
        let elements = shape.iter().try_fold(1_usize, |product, size| product.checked_mul(*size));
        elements.is_none_or(|elements| elements > MOST_ELEMENTS)
    };
    let found = tensors.into_iter().find(|tensor| is_too_large(&tensor.shape))?;
    Some(format!("with these sizes a value of the model would be {found}, more than can be counted"))
}

/// The configuration of the language model in a configuration, with its family.
fn kind(fields: Fields<'_>) -> Result<(Fields<'_>, &'static Family, String), Diagnostic> {
    must_not_be_quantized(&fields, "quantization_config")?;
    if let Ok(Some(text)) = fields.nested("text_config") {
        must_not_be_quantized(&text, "text_config.quantization_config")?;
    }
    let known = || model_types().join(", ");
    let Some(model_type) = fields.text_if_given("model_type")? else {
        if let Some(text) = fields.nested("text_config")? {
            return of_text(text, None);
        }
        let message =
            format!("`model_type` is missing, which says what the other fields mean; known are: {}", known());
        return Err(fields.fault("model_type", message).hint("is this the config.json of a model?"));
    };
    if let Some(family) = family(model_type) {
        let model_type = model_type.to_owned();
        return Ok((fields, family, model_type));
    }
    let model_type = model_type.to_owned();
    if let Some(text) = fields.nested("text_config")? {
        return of_text(text, Some(&model_type));
    }
    let message = format!("`{model_type}` is no `model_type` that is known; these are: {}", known());
    Err(fields.fault("model_type", message))
}

/// Refuses a configuration of quantized weights, which says so at a path.
fn must_not_be_quantized(fields: &Fields<'_>, path: &str) -> Result<(), Diagnostic> {
    if !fields.has("quantization_config") {
        return Ok(());
    }
    let message = format!("`{path}` is given: the weights are quantized, which is not supported");
    let hint = "take it out to get the model that was quantized";
    Err(fields.fault("quantization_config", message).hint(hint))
}

/// The language model of a `text_config`, where the configuration around it is of another type, or says none.
fn of_text<'a>(
    text: Fields<'a>,
    around: Option<&str>,
) -> Result<(Fields<'a>, &'static Family, String), Diagnostic> {
    let known = model_types().join(", ");
    let outer = match around {
        Some(model_type) => format!("`{model_type}` is no `model_type` that is known"),
        None => "`model_type` is missing".to_owned(),
    };
    // What it does not say itself it has from around it.
    let inner = text.text_if_given("model_type")?.filter(|inner| Some(*inner) != around).map(str::to_owned);
    let Some(inner) = inner else {
        let message = format!("{outer}, and `text_config` says none of its own");
        let hint =
            format!("write the `model_type` of the language model into `text_config`; known are: {known}");
        return Err(text.fault("text_config", message).hint(hint));
    };
    match family(&inner) {
        Some(family) => Ok((text, family, inner)),
        None => {
            let message =
                format!("{outer}, and neither is `{inner}` of its `text_config`; these are: {known}");
            Err(text.fault("model_type", message))
        }
    }
}

/// Tokens of a sequence where neither a configuration nor anybody else says how many.
const UNSAID: usize = 1024;

/// Tokens of the longest sequences that the model is made for, and those of a sequence: as asked for, or as many. What the
/// configuration does not say is what its class documents, with a warning of that where nobody asks for a length.
fn sequence(
    fields: &mut Fields<'_>,
    family: &Family,
    options: &Options,
) -> Result<(Option<usize>, usize, Option<Diagnostic>), Diagnostic> {
    let names = ["max_position_embeddings", "n_positions", "max_target_positions"];
    let mut given = None;
    for name in names {
        given = given.or(fields.size_if_given(name)?.map(|count| (name, count)));
    }
    let documented = family.positions.filter(|_| given.is_none());
    if let Some((name, count)) = documented {
        fields.size(name, count)?;
    }
    let positions = given.or(documented);
    let longest = positions.map(|(_, count)| count);
    let class = family.documented;
    if let Some(length) = options.sequence.filter(|length| *length > LONGEST) {
        let message =
            format!("sequences of {length} tokens are longer than {LONGEST}, which are the longest");
        return Err(Diagnostic::error(CONFIG, Span::NONE, message));
    }
    let Some(length) = options.sequence else {
        let length = longest.unwrap_or(UNSAID).min(LONGEST_BY_DEFAULT);
        let why = match (given, documented) {
            (Some(_), _) => return Ok((longest, length, None)),
            (None, Some((name, count))) => {
                format!("`{class}` documents `{name}` = {count} where it is not given")
            }
            (None, None) => format!("nor does `{class}` document any"),
        };
        let message =
            format!("the configuration says no length of sequences, which have {length} tokens: {why}");
        let warning = Diagnostic::warning(CONFIG, Span::NONE, message);
        return Ok((longest, length, Some(warning.hint("`--seq` says another length"))));
    };
    if let Some((name, count)) = positions.filter(|(_, count)| *count < length) {
        let whose = match documented {
            Some(_) => format!(", as `{class}` documents where it is not given"),
            None => String::new(),
        };
        let message =
            format!("sequences of {length} tokens are longer than the {count} positions of `{name}`{whose}");
        let warning = Diagnostic::warning(CONFIG, fields.span(name), message);
        fields.warnings.push(warning.hint("the model was not made for positions behind these"));
    }
    Ok((longest, length, None))
}
