//! The model that a job file states by its sizes, its kind or its name, beside that of a configuration.
//!
//! Input: what a reader found, and the text of a `config.json`. Output: nothing where they are of one model; else what
//! differs, with both values. What a file does not state is not compared.

use super::{Found, Kind, Problem};
use crate::model::Model;
use meshwright_ir::diagnostic::Source;
use meshwright_models::families::Architecture;
use meshwright_models::{Batch, Options};
use serde_json::Value;

/// Sizes of a model that job files state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelSize {
    /// Layers.
    Layers,
    /// Elements of a token between layers.
    Width,
    /// Elements between the matrices of a dense layer's network.
    Inner,
    /// Heads of queries.
    Heads,
    /// Heads of keys and values.
    KeyHeads,
    /// Elements of a head.
    HeadDim,
    /// Tokens that there are.
    Vocabulary,
    /// Experts of a layer that has some.
    Experts,
    /// Experts that a token goes to.
    Chosen,
    /// Elements between the matrices of an expert.
    ExpertInner,
    /// 1 if the head has the matrix of the embedding, else 0.
    Tied,
}

impl ModelSize {
    /// What messages call it.
    fn words(self) -> &'static str {
        match self {
            Self::Layers => "layers",
            Self::Width => "elements of a token (hidden size)",
            Self::Inner => "elements between the matrices of a dense layer",
            Self::Heads => "heads",
            Self::KeyHeads => "heads of keys",
            Self::HeadDim => "elements of a head",
            Self::Vocabulary => "tokens in its vocabulary",
            Self::Experts => "experts",
            Self::Chosen => "experts for each token",
            Self::ExpertInner => "elements between the matrices of an expert",
            Self::Tied => "tied embeddings",
        }
    }

    /// That of a model; none where it is no size of its kind.
    fn of(self, model: &Model) -> Option<usize> {
        let experts = model.experts.as_ref();
        match self {
            Self::Layers => Some(model.layers),
            Self::Width => Some(model.width),
            // Where all layers have experts, files state whichever width they like.
            Self::Inner => experts.is_none().then_some(model.inner),
            Self::Heads => Some(model.heads),
            Self::KeyHeads => model.latent.is_none().then_some(model.key_heads),
            Self::HeadDim => model.latent.is_none().then_some(model.head_dim),
            Self::Vocabulary => Some(model.vocabulary),
            Self::Experts => Some(experts.map_or(0, |experts| experts.count)),
            Self::Chosen => experts.map(|experts| experts.chosen),
            Self::ExpertInner => experts.map(|experts| experts.inner),
            Self::Tied => Some(usize::from(model.is_tied)),
        }
    }
}

/// A size as a file states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatedSize {
    /// Of what.
    pub size: ModelSize,
    /// How many.
    pub number: usize,
    /// As the file says it, such as `--num-layers 32`.
    pub said: String,
}

/// The sizes that a tree states, each at its path.
pub(super) fn stated(tree: &Value, places: &[(ModelSize, &str)]) -> Vec<StatedSize> {
    let at = |(size, path): &(ModelSize, &str)| {
        let value = path.split('.').try_fold(tree, |value, key| value.get(key))?;
        let number = usize::try_from(value.as_u64()?).ok()?;
        Some(StatedSize { size: *size, number, said: format!("{path}: {number}") })
    };
    places.iter().filter_map(at).collect()
}

/// The kind of an architecture, if programs train it.
fn kind(architecture: &Architecture) -> Option<Kind> {
    match architecture {
        Architecture::Decoder(_) => Some(Kind::Decoder),
        Architecture::EncoderDecoder(_) => Some(Kind::EncoderDecoder),
        Architecture::Masked(_) => Some(Kind::Masked),
        Architecture::Image(_) => None,
    }
}

fn words(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Decoder) => "a language model without an encoder",
        Some(Kind::EncoderDecoder) => "an encoder and a decoder",
        Some(Kind::Masked) => "an encoder that fills in words",
        None => "another model",
    }
}

impl Found {
    /// Compares what the file states of its model, sizes, kind and name, with a configuration.
    ///
    /// # Errors
    /// Something differs. A configuration that cannot be read, or is of no model with such sizes, differs in nothing.
    pub fn same_model(&self, config: &Source) -> Result<(), Problem> {
        if self.sizes.is_empty() && self.kind.is_none() && self.family.is_none() {
            return Ok(());
        }
        let of = |sequence: Option<usize>| {
            let options = Options { sequence, batch: Batch::Sequences(1), ..Options::default() };
            meshwright_models::read(config, &options)
        };
        // A model that does not take the job's sequences has its sizes all the same.
        let Ok(read) = of(self.length()).or_else(|_| of(None)) else { return Ok(()) };
        let own = kind(&read.architecture);
        if let Some(kind) = self.kind.filter(|kind| Some(*kind) != own) {
            return Err(Problem::Other(format!(
                "the job trains {}, but `{}` is {}, `{}`",
                words(Some(kind)),
                config.name,
                words(own),
                read.model_type
            )));
        }
        let model = Model::read(&read).ok();
        if let Some(family) = self.family.filter(|family| !family.trains(&read.model_type, model.as_ref())) {
            return Err(Problem::Other(format!(
                "the job is of another model: its `model.name` is `{}`, but `{}` is `{}`",
                family.name(),
                config.name,
                read.model_type
            )));
        }
        let Some(model) = model else { return Ok(()) };
        let other = self.sizes.iter().find_map(|stated| {
            let own = stated.size.of(&model).filter(|own| *own != stated.number)?;
            Some((stated, own))
        });
        let Some((StatedSize { size, said, .. }, own)) = other else { return Ok(()) };
        let has = match (size, own) {
            (ModelSize::Tied, 0) => "has a head of its own".to_owned(),
            (ModelSize::Tied, _) => "has the embedding's matrix as its head".to_owned(),
            (size, own) => format!("has {own} {}", size.words()),
        };
        Err(Problem::Other(format!(
            "the job is of another model: it says `{said}`, but `{}` {has}",
            config.name
        )))
    }
}
