//! Models with an encoder: alone, to fill in words (BERT) or to classify images (ViT), or with a decoder that attends to
//! what it makes, of words (T5) or of sound (Whisper).
//!
//! Input: plain data that families make of configurations. Output: programs, `main(parameters, ..., labels) -> loss`.

use crate::blocks::activation::Activation;
use crate::blocks::attention::Shared;
use crate::blocks::causal_convolution::along_tokens;
use crate::blocks::linear::Linear;
use crate::blocks::loss::{Head, cross_entropy};
use crate::blocks::norm::Norm;
use crate::blocks::relative::RelativeBias;
use crate::decoder::{Embedding, Layer};
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::convolution::Convolution;

/// Layers one after the other, and a norm.
#[derive(Clone, Debug, PartialEq)]
pub struct Stack {
    /// The name of the layers, in front of their number.
    pub prefix: String,
    /// The layers.
    pub layers: Vec<Layer>,
    /// The norm behind all layers, by its full name.
    pub norm: Option<Norm>,
}

impl Stack {
    fn write(&self, net: &mut Net, scope: &'static str, x: ValueId, shared: &Shared) -> ValueId {
        net.scoped(scope, |net| {
            let mut layer = |net: &mut Net, layer: &Layer, x| layer.write(net, x, shared);
            let x = net.layers(&self.prefix, &self.layers, x, &mut layer);
            self.norm.as_ref().map_or(x, |norm| norm.write(net, x))
        })
    }
}

/// An encoder that fills in words.
#[derive(Clone, Debug, PartialEq)]
pub struct Masked {
    /// Its first layer.
    pub embedding: Embedding,
    /// The full name of a table of kinds of tokens, of which all are of the first, and its rows.
    pub kinds: (String, usize),
    /// The norm behind the first layer.
    pub norm: Norm,
    /// Its layers.
    pub stack: Stack,
    /// A last product, a function and a norm before scores are made.
    pub transform: (Linear, Activation, Norm),
    /// Scores of the vocabulary.
    pub head: Head,
}

impl Masked {
    /// Writes the model, and gives the loss.
    pub fn write(&self, net: &mut Net, sequences: usize, length: usize) -> ValueId {
        let tokens = net.indices("tokens", &[sequences, length], self.embedding.vocabulary);
        let labels = net.indices("labels", &[sequences, length], self.head.classes);
        let rows = self.embedding.write(net, tokens);
        let x = net.scoped("embedding", |net| {
            let kinds = net.param(&self.kinds.0, &[self.kinds.1, self.embedding.width]);
            let kind = net.part(kinds, 0, 0..1);
            let kind = net.reshape(kind, &[self.embedding.width]);
            let sum = net.along(Binary::Add, rows, kind, &[2]);
            self.norm.write(net, sum)
        });
        let x = self.stack.write(net, "", x, &Shared::default());
        let (dense, activation, norm) = &self.transform;
        let x = net.scoped("head", |net| {
            let x = dense.write(net, x);
            let x = activation.write(net, x);
            norm.write(net, x)
        });
        let scores = self.head.write(net, x);
        cross_entropy(net, scores, labels)
    }
}

/// An encoder of parts of an image, which classifies it.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Colors.
    pub channels: usize,
    /// Pixels along each side.
    pub size: usize,
    /// Pixels along each side of a part.
    pub patch: usize,
    /// Width of layers.
    pub width: usize,
    /// What the names of its first tensors begin with.
    pub prefix: String,
    /// Its layers.
    pub stack: Stack,
    /// Scores of the classes.
    pub head: Head,
}

impl Image {
    /// Parts of an image, and the token of the class.
    pub fn length(&self) -> usize {
        (self.size / self.patch).pow(2) + 1
    }

    /// Writes the model, and gives the loss.
    pub fn write(&self, net: &mut Net, images: usize) -> ValueId {
        let pixels = net.signal("pixels", &[images, self.channels, self.size, self.size]);
        let labels = net.indices("labels", &[images], self.head.classes);
        let x = net.within(&self.prefix, "embedding", |net| self.parts(net, pixels));
        let x = self.stack.write(net, "", x, &Shared::default());
        let class = net.part(x, 1, 0..1);
        let class = net.reshape(class, &[images, self.width]);
        let scores = self.head.write(net, class);
        cross_entropy(net, scores, labels)
    }

    fn parts(&self, net: &mut Net, pixels: ValueId) -> ValueId {
        let (images, side) = (net.ty(pixels).shape[0], self.size / self.patch);
        let parts = net.reshape(pixels, &[images, self.channels, side, self.patch, side, self.patch]);
        let weight = [self.width, self.channels, self.patch, self.patch];
        let weight = net.param("patch_embeddings.projection.weight", &weight);
        let bias = net.param("patch_embeddings.projection.bias", &[self.width]);
        let x = net.einsum("bchpwq,dcpq->bhwd", parts, weight);
        let x = net.reshape(x, &[images, side * side, self.width]);
        let x = net.along(Binary::Add, x, bias, &[2]);
        let class = net.param("cls_token", &[1, 1, self.width]);
        let class = net.reshape(class, &[self.width]);
        let class = net.broadcast(class, &[images, 1, self.width], vec![2]);
        let x = net.joined(&[class, x], 1);
        let positions = net.param("position_embeddings", &[1, self.length(), self.width]);
        let positions = net.reshape(positions, &[self.length(), self.width]);
        net.along(Binary::Add, x, positions, &[1, 2])
    }
}

/// An encoder, and a decoder that attends to what it makes.
#[derive(Clone, Debug, PartialEq)]
pub struct EncoderDecoder {
    /// What the encoder takes.
    pub source: Source,
    /// The encoder.
    pub encoder: Stack,
    /// The first layer of the decoder.
    pub embedding: Embedding,
    /// The decoder.
    pub decoder: Stack,
    /// Biases of the scores of encoder and decoder by distances.
    pub biases: Option<[RelativeBias; 2]>,
    /// Scores of the vocabulary.
    pub head: Head,
}

/// Input of an encoder.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Words, by the embedding of the decoder.
    Words,
    /// Sound: bands of frequencies at twice as many moments as there are positions.
    Sound {
        /// Number of bands.
        bands: usize,
        /// Number of positions.
        positions: usize,
        /// What the names of its tensors begin with.
        prefix: String,
    },
}

impl EncoderDecoder {
    /// Writes the model, and gives the loss.
    pub fn write(&self, net: &mut Net, sequences: usize, length: usize) -> ValueId {
        let source = self.source(net, sequences, length);
        let tokens = net.indices("decoder_tokens", &[sequences, length], self.embedding.vocabulary);
        let labels = net.indices("labels", &[sequences, length], self.head.classes);
        let positions = net.ty(source).shape[1];
        let mut bias = |index: usize, length| {
            let bias = self.biases.as_ref().map(|biases| &biases[index]);
            bias.map(|bias| net.scoped("bias", |net| bias.write(net, length)))
        };
        let of_encoder = Shared { bias: bias(0, positions), ..Shared::default() };
        let of_decoder = Shared { bias: bias(1, length), ..Shared::default() };
        let memory = self.encoder.write(net, "encoder", source, &of_encoder);
        let x = self.embedding.write(net, tokens);
        let shared = Shared { memory: Some(memory), ..of_decoder };
        let x = self.decoder.write(net, "decoder", x, &shared);
        let scores = self.head.write(net, x);
        cross_entropy(net, scores, labels)
    }

    fn source(&self, net: &mut Net, sequences: usize, length: usize) -> ValueId {
        match &self.source {
            Source::Words => {
                let tokens = net.indices("tokens", &[sequences, length], self.embedding.vocabulary);
                self.embedding.write(net, tokens)
            }
            Source::Sound { bands, positions, prefix } => {
                let features = net.signal("features", &[sequences, *bands, 2 * positions]);
                net.within(prefix, "encoder/embedding", |net| {
                    let width = self.embedding.width;
                    let x = net.transpose(features, vec![0, 2, 1]);
                    let x = convolved(net, "conv1", x, width, 1);
                    let x = convolved(net, "conv2", x, width, 2);
                    let table = net.param("embed_positions.weight", &[*positions, width]);
                    net.along(Binary::Add, x, table, &[1, 2])
                })
            }
        }
    }
}

/// Signals `[b, t, channels]` mixed with those of the moments before and behind, and a function.
fn convolved(net: &mut Net, name: &str, x: ValueId, width: usize, stride: usize) -> ValueId {
    let channels = net.ty(x).shape[2];
    let weight = net.param(&format!("{name}.weight"), &[width, channels, 3]);
    let bias = net.param(&format!("{name}.bias"), &[width]);
    let convolution = Convolution { strides: Some(vec![stride]), ..along_tokens([1, 1]) };
    let x = net.add(convolution, &[x, weight]);
    let x = net.along(Binary::Add, x, bias, &[2]);
    Activation::Gelu.write(net, x)
}
