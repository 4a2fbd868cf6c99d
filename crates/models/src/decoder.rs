//! A language model: an embedding, layers that add to what goes through them, a norm, scores of the vocabulary.
//!
//! Input: [`Decoder`], which is plain data that a family makes of a configuration. Output: its program,
//! `main(parameters, tokens, labels) -> loss`.

use crate::blocks::attention::{Attention, Shared};
use crate::blocks::loss::{Head, cross_entropy};
use crate::blocks::mamba::Mamba;
use crate::blocks::mamba2::Mamba2;
use crate::blocks::mla::Mla;
use crate::blocks::mlp::Mlp;
use crate::blocks::moe::Moe;
use crate::blocks::norm::Norm;
use crate::blocks::rotary::Rotary;
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;

/// A language model.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoder {
    /// Its first layer.
    pub embedding: Embedding,
    /// The name of its layers, in front of their number.
    pub prefix: String,
    /// Its layers.
    pub layers: Vec<Layer>,
    /// The norm behind all layers, by its full name.
    pub norm: Option<Norm>,
    /// Scores of the vocabulary.
    pub head: Head,
}

/// The first layer of a language model.
#[derive(Clone, Debug, PartialEq)]
pub struct Embedding {
    /// The full name of its table.
    pub name: String,
    /// Rows of the table.
    pub vocabulary: usize,
    /// Width of a row.
    pub width: usize,
    /// By which rows are multiplied.
    pub scale: f64,
    /// The full name of a table of positions, with its number of rows and the row of the first position.
    pub positions: Option<(String, usize, usize)>,
}

/// A layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    /// Its parts.
    pub parts: Vec<Part>,
    /// How they follow one another.
    pub form: LayerShape,
}

/// Ways in which the parts of a layer follow one another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayerShape {
    /// Each takes what the one before has made.
    Serial,
    /// All take what the layer takes.
    Parallel,
}

/// A part of a layer: its result is added to what it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The norm of what it takes.
    pub before: Option<Norm>,
    /// Its work.
    pub block: Block,
    /// The norm of what it makes.
    pub behind: Option<Norm>,
    /// The norm of what the layer goes on with, the sum.
    pub sum: Option<Norm>,
}

/// The work of a part.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// Attention.
    Attention(Attention),
    /// Latent attention.
    Mla(Mla),
    /// A feed-forward layer.
    Mlp(Mlp),
    /// A mixture of experts.
    Moe(Moe),
    /// A state space of which each channel has rates of its own.
    Mamba(Mamba),
    /// A state space of heads.
    Mamba2(Mamba2),
}

impl Part {
    /// A block whose input is normalized.
    pub fn new(before: Norm, block: Block) -> Self {
        Self { before: Some(before), block, behind: None, sum: None }
    }

    fn write(&self, net: &mut Net, x: ValueId, shared: &Shared) -> ValueId {
        let input = self.before.as_ref().map_or(x, |norm| norm.write(net, x));
        let made = match &self.block {
            Block::Attention(attention) => attention.write(net, input, shared),
            Block::Mla(attention) => attention.write(net, input, shared),
            Block::Mlp(mlp) => mlp.write(net, input),
            Block::Moe(moe) => moe.write(net, input),
            Block::Mamba(mamba) => mamba.write(net, input),
            Block::Mamba2(mamba) => mamba.write(net, input),
        };
        self.behind.as_ref().map_or(made, |norm| norm.write(net, made))
    }

    fn rotary(&self) -> Option<&Rotary> {
        match &self.block {
            Block::Attention(attention) => attention.rotary.as_ref(),
            Block::Mla(attention) => Some(&attention.rotary),
            Block::Mlp(_) | Block::Moe(_) | Block::Mamba(_) | Block::Mamba2(_) => None,
        }
    }
}

impl Layer {
    /// A layer of parts that follow one another.
    pub fn serial(parts: Vec<Part>) -> Self {
        Self { parts, form: LayerShape::Serial }
    }

    /// Writes the block for a value.
    pub fn write(&self, net: &mut Net, x: ValueId, shared: &Shared) -> ValueId {
        self.parts.iter().fold(x, |sum, part| {
            let input = if self.form == LayerShape::Serial { sum } else { x };
            let made = part.write(net, input, shared);
            let sum = net.plus(sum, made);
            part.sum.as_ref().map_or(sum, |norm| norm.write(net, sum))
        })
    }
}

impl Embedding {
    /// A table of this name and size.
    pub fn plain(name: &str, vocabulary: usize, width: usize) -> Self {
        Self { name: name.to_owned(), vocabulary, width, scale: 1.0, positions: None }
    }

    /// Rows of tokens `[b, t]`, with those of their positions.
    pub fn write(&self, net: &mut Net, tokens: ValueId) -> ValueId {
        net.scoped("embedding", |net| {
            let table = net.param(&self.name, &[self.vocabulary, self.width]);
            let rows = net.rows(table, tokens);
            let rows = net.scaled(rows, self.scale);
            let Some((name, count, first)) = &self.positions else { return rows };
            let length = net.ty(tokens).shape[1];
            let positions = net.param(name, &[*count, self.width]);
            let positions = net.part(positions, 0, *first..first + length);
            net.along(Binary::Add, rows, positions, &[1, 2])
        })
    }
}

impl Decoder {
    /// Writes the model for sequences of `length` tokens, and gives the loss.
    pub fn write(&self, net: &mut Net, sequences: usize, length: usize) -> ValueId {
        let tokens = net.indices("tokens", &[sequences, length], self.embedding.vocabulary);
        let labels = net.indices("labels", &[sequences, length], self.head.classes);
        let mut shared = Shared::default();
        for rotary in self.layers.iter().flat_map(|layer| &layer.parts).filter_map(Part::rotary) {
            shared.prepare(net, rotary, length);
        }
        let x = self.embedding.write(net, tokens);
        let x = net.layers(&self.prefix, &self.layers, x, &mut |net, layer, x| layer.write(net, x, &shared));
        let x = self.norm.as_ref().map_or(x, |norm| norm.write(net, x));
        let scores = self.head.write(net, x);
        cross_entropy(net, scores, labels)
    }
}
