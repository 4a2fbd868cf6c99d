//! Multi-head latent attention (DeepSeek-V2): keys and values of all heads are made of one short vector for each token,
//! which is all that decoding keeps, beside one key with rotary positions that all heads share.

use crate::blocks::attention::{Scoring, Shared, attend};
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::norm::Norm;
use crate::blocks::rotary::Rotary;
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;

/// A latent attention.
#[derive(Clone, Debug, PartialEq)]
pub struct Mla {
    /// Its name below the layer's.
    pub name: String,
    /// Number of heads.
    pub heads: usize,
    /// Width of the vector of which queries are made; none if they are made of the input.
    pub query_rank: Option<usize>,
    /// Width of the vector of which keys and values are made.
    pub rank: usize,
    /// Elements of a key without positions.
    pub plain_dim: usize,
    /// Elements of a key with rotary positions.
    pub rotary_dim: usize,
    /// Elements of a value.
    pub value_dim: usize,
    /// Biases of the products that make the short vectors.
    pub bias: Bias,
    /// Added to variances in its norms.
    pub epsilon: f64,
    /// Rotary positions.
    pub rotary: Rotary,
    /// Its softmax.
    pub scoring: Scoring,
    /// What makes its result of all heads.
    pub output: Linear,
}

impl Mla {
    /// The attention of a value, `[b, t, d]`.
    pub fn write(&self, net: &mut Net, x: ValueId, shared: &Shared) -> ValueId {
        net.within(&self.name, "attention", |net| {
            let q = self.queries(net, x, shared);
            let [k, v] = self.keys_and_values(net, x, shared);
            let o = attend(net, [q, k, v], &self.scoring, None);
            self.output.write_heads(net, o)
        })
    }

    fn key_dim(&self) -> usize {
        self.plain_dim + self.rotary_dim
    }

    /// A product that makes heads, `[b, t, h, dim]`, of short vectors.
    fn made(&self, net: &mut Net, name: &str, x: ValueId, dim: usize) -> ValueId {
        let width = net.ty(x).shape[2];
        let weight = net.param(&format!("{name}.weight"), &[self.heads * dim, width]);
        let weight = net.reshape(weight, &[self.heads, dim, width]);
        net.linear("btd,hkd->bthk", x, weight)
    }

    fn queries(&self, net: &mut Net, x: ValueId, shared: &Shared) -> ValueId {
        let q = match self.query_rank {
            Some(rank) => {
                let short = Linear::new("q_a_proj", rank, self.bias).write(net, x);
                let short = Norm::rms("q_a_layernorm", self.epsilon).write(net, short);
                self.made(net, "q_b_proj", short, self.key_dim())
            }
            None => self.made(net, "q_proj", x, self.key_dim()),
        };
        let parts = net.parts(q, 3, &[self.plain_dim, self.rotary_dim]);
        let turned = shared.turn(net, &self.rotary, parts[1]);
        net.joined(&[parts[0], turned], 3)
    }

    fn keys_and_values(&self, net: &mut Net, x: ValueId, shared: &Shared) -> [ValueId; 2] {
        let shape = net.ty(x).shape;
        let (batch, length) = (shape[0], shape[1]);
        let both = Linear::new("kv_a_proj_with_mqa", self.rank + self.rotary_dim, self.bias).write(net, x);
        net.caches_per_token(self.rank + self.rotary_dim);
        let parts = net.parts(both, 2, &[self.rank, self.rotary_dim]);
        let short = Norm::rms("kv_a_layernorm", self.epsilon).write(net, parts[0]);
        let made = self.made(net, "kv_b_proj", short, self.plain_dim + self.value_dim);
        let made = net.parts(made, 3, &[self.plain_dim, self.value_dim]);
        let key = net.reshape(parts[1], &[batch, length, 1, self.rotary_dim]);
        let key = shared.turn(net, &self.rotary, key);
        let key = net.reshape(key, &[batch, length, self.rotary_dim]);
        let key = net.broadcast(key, &[batch, length, self.heads, self.rotary_dim], vec![0, 1, 3]);
        [net.joined(&[made[0], key], 3), made[1]]
    }
}
