//! Attention, written out: scores of queries and keys, softmax in f32, the mean of values. Queries may share keys (Ainslie
//! et al., "GQA"), positions may be rotary, scores may be capped, and tokens may see those before them or a window.

use crate::blocks::linear::Linear;
use crate::blocks::norm::Norm;
use crate::blocks::projections::{Heads, Weights};
use crate::blocks::rotary::{Rotary, Turned};
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::types::ElementType;

/// The score of a key that is not seen.
const UNSEEN: f64 = -1e9;

/// Keys that a query sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// All.
    All,
    /// Its own and those before it.
    Causal,
    /// Its own and those before it, so many in all.
    Window(usize),
}

impl Sight {
    /// The window of a configuration, where it is shorter than the sequence.
    pub fn window(size: Option<usize>, length: usize) -> Self {
        size.filter(|size| *size < length).map_or(Self::Causal, Self::Window)
    }
}

/// The softmax of an attention.
#[derive(Clone, Debug, PartialEq)]
pub struct Scoring {
    /// By which scores are multiplied.
    pub scale: f64,
    /// The most that a score can be, if it is capped.
    pub cap: Option<f64>,
    /// Keys that are seen.
    pub sight: Sight,
    /// The name of a score for each head that takes its part of the softmax and has no value (GPT-OSS).
    pub sinks: Option<String>,
}

impl Scoring {
    /// A causal softmax of scores scaled by the root of the width of a head.
    pub fn causal(dim: usize) -> Self {
        Self { scale: 1.0 / (dim as f64).sqrt(), cap: None, sight: Sight::Causal, sinks: None }
    }
}

/// Tokens that are attended to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    /// The layer's own input.
    Input,
    /// What the encoder has made.
    Memory,
}

/// An attention.
#[derive(Clone, Debug, PartialEq)]
pub struct Attention {
    /// Its name below the layer's.
    pub name: String,
    /// Its heads.
    pub heads: Heads,
    /// The weights of queries, keys and values.
    pub weights: Weights,
    /// Norms of the heads of queries and keys.
    pub norms: Option<[Norm; 2]>,
    /// Rotary positions.
    pub rotary: Option<Rotary>,
    /// Its softmax.
    pub scoring: Scoring,
    /// Tokens that are attended to.
    pub reads: Reads,
    /// What makes its result of all heads.
    pub output: Linear,
}

/// Values that attentions of several layers read.
#[derive(Clone, Debug, Default)]
pub struct Shared {
    /// Rotary tables that were made.
    pub tables: Vec<(Rotary, Turned)>,
    /// A bias of the scores, `[heads, queries, keys]`.
    pub bias: Option<ValueId>,
    /// What the encoder has made.
    pub memory: Option<ValueId>,
}

impl Shared {
    /// Makes the tables of rotary positions, if they are not there yet.
    pub fn prepare(&mut self, net: &mut Net, rotary: &Rotary, length: usize) {
        if !self.tables.iter().any(|(known, _)| known == rotary) {
            let tables = net.scoped("rotary", |net| rotary.tables(net, length));
            self.tables.push((rotary.clone(), tables));
        }
    }

    /// Queries or keys, turned.
    pub fn turn(&self, net: &mut Net, rotary: &Rotary, value: ValueId) -> ValueId {
        let tables = self.tables.iter().find(|(known, _)| known == rotary).map(|(_, tables)| *tables);
        let tables = tables.expect("the tables of all layers were prepared");
        net.scoped("rotary", |net| rotary.write(net, value, tables))
    }
}

impl Attention {
    /// The attention of a value, `[b, t, d]`.
    pub fn write(&self, net: &mut Net, x: ValueId, shared: &Shared) -> ValueId {
        net.within(&self.name, "attention", |net| {
            let (memory, bias) = match self.reads {
                Reads::Input => (x, shared.bias),
                Reads::Memory => (shared.memory.unwrap_or(x), None),
            };
            let [mut q, mut k, v] = self.weights.write(net, self.heads, x, memory);
            if let Some([of_queries, of_keys]) = &self.norms {
                (q, k) = (of_queries.write(net, q), of_keys.write(net, k));
            }
            if let Some(rotary) = &self.rotary {
                (q, k) = (shared.turn(net, rotary, q), shared.turn(net, rotary, k));
            }
            let kept = 2 * self.heads.keys * self.heads.dim;
            match self.scoring.sight {
                _ if self.reads == Reads::Memory => {
                    let positions = net.ty(memory).shape[1];
                    net.caches_per_sequence(kept * positions);
                }
                Sight::Causal => net.caches_per_token(kept),
                // What lies before the window is not looked at again.
                Sight::Window(positions) => net.caches_per_sequence(kept * positions),
                Sight::All => {}
            }
            let o = attend(net, [q, k, v], &self.scoring, bias);
            self.output.write_heads(net, o)
        })
    }
}

/// The mean of values by the softmax of scores: queries `[b, t, h, k]`, keys `[b, s, g, k]`, values `[b, s, g, v]`, where
/// `g` divides `h`, become `[b, t, h, v]`.
pub fn attend(net: &mut Net, [q, k, v]: [ValueId; 3], scoring: &Scoring, bias: Option<ValueId>) -> ValueId {
    let (q_ty, v_ty) = (net.ty(q), net.ty(v));
    let (batch, length, heads) = (q_ty.shape[0], q_ty.shape[1], q_ty.shape[2]);
    let (groups, width) = (v_ty.shape[2], v_ty.shape[3]);
    let each = heads / groups;
    // Heads that share no keys need no further dim.
    let is_grouped = each > 1;
    let (scores, mean, value_of_heads) = if is_grouped {
        ("btgik,bsgk->bgits", "bgits,bsgk->btgik", [batch, length, groups, each, width].to_vec())
    } else {
        ("bthk,bshk->bhts", "bhts,bshk->bthk", [batch, length, heads, width].to_vec())
    };
    let q = if is_grouped { net.split_heads(q, groups, each) } else { q };
    let products = net.einsum(scores, q, k);
    let shares = net.scoped("softmax", |net| softmax(net, products, scoring, bias));
    let shares = net.convert(shares, v_ty.element);
    let o = net.einsum(mean, shares, v);
    assert_eq!(net.ty(o).shape, value_of_heads);
    net.reshape(o, &[batch, length, heads, width])
}

/// The shares of keys in what each query gets: of scores `[b, h, t, s]` or `[b, g, i, t, s]`.
fn softmax(net: &mut Net, products: ValueId, scoring: &Scoring, bias: Option<ValueId>) -> ValueId {
    let scores = net.convert(products, ElementType::F32);
    let mut scores = net.scaled(scores, scoring.scale);
    if let Some(cap) = scoring.cap {
        let share = net.with(Binary::Divide, scores, cap);
        let bounded = net.map(Unary::Tanh, share);
        scores = net.scaled(bounded, cap);
    }
    let shape = net.ty(scores).shape;
    let rank = shape.len();
    if let Some(bias) = bias {
        let dims: Vec<usize> = (1..rank).collect();
        let bias = net.reshape(bias, &shape[1..]);
        scores = net.along(Binary::Add, scores, bias, &dims);
    }
    if let Some(seen) = seen(net, scoring.sight, [shape[rank - 2], shape[rank - 1]]) {
        let seen = net.broadcast(seen, &shape, vec![rank - 2, rank - 1]);
        scores = net.masked(seen, scores, UNSEEN);
    }
    let Some(name) = &scoring.sinks else { return net.softmax(scores) };
    let heads: Vec<usize> = shape[1..rank - 2].to_vec();
    let sinks = net.param_f32(name, &[heads.iter().product()]);
    let sinks = net.reshape(sinks, &heads);
    let mut beside = shape.clone();
    beside[rank - 1] = 1;
    let sinks = net.broadcast(sinks, &beside, (1..rank - 2).collect());
    let all = net.joined(&[scores, sinks], rank - 1);
    let shares = net.softmax(all);
    net.part(shares, rank - 1, 0..shape[rank - 1])
}

/// Where a query sees a key, `[t, s]`; none if it sees all.
fn seen(net: &mut Net, sight: Sight, shape: [usize; 2]) -> Option<ValueId> {
    if sight == Sight::All {
        return None;
    }
    let [query, key] = [0, 1].map(|dim| net.iota(&shape, ElementType::I32, dim));
    let is_before = net.compare(Direction::GreaterEqual, query, key);
    let Sight::Window(size) = sight else { return Some(is_before) };
    let end = net.with(Binary::Add, key, size as f64);
    let is_near = net.compare(Direction::Less, query, end);
    Some(net.binary(Binary::And, is_before, is_near))
}

impl Net {
    /// Heads `[b, t, h, k]` in groups, `[b, t, g, h / g, k]`.
    fn split_heads(&mut self, value: ValueId, groups: usize, each: usize) -> ValueId {
        let shape = self.ty(value).shape;
        self.reshape(value, &[shape[0], shape[1], groups, each, shape[3]])
    }
}
