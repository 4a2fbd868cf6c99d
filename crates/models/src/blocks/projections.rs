//! Queries, keys and values of an attention, made of its input by weights that checkpoints keep in several forms.

use crate::blocks::linear::{Bias, Order};
use crate::net::{Arithmetic as _, Net};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;

/// Heads of queries and of keys, and their width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Heads {
    /// Heads of queries.
    pub queries: usize,
    /// Heads of keys and values.
    pub keys: usize,
    /// Elements of a head.
    pub dim: usize,
}

impl Heads {
    /// Heads of queries, keys and values.
    fn counts(self) -> [usize; 3] {
        [self.queries, self.keys, self.keys]
    }
}

/// The weights as a checkpoint keeps them.
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// Three: the names of those of queries, keys and values, each with its bias.
    Separate([(String, Bias); 3]),
    /// One: those of queries, keys and values one behind the other.
    Fused(String, Bias, Order),
    /// One: for each head its query, key and value one behind the other.
    ByHead(String, Bias),
}

impl Weights {
    /// Three weights with one choice for the bias.
    pub fn separate(names: [&str; 3], bias: Bias) -> Self {
        Self::Separate(names.map(|name| (name.to_owned(), bias)))
    }

    /// Queries, keys and values of `x` (`[b, t, d]`) and, for the latter two, `memory` (`[b, s, d]`), as
    /// `[b, t, heads, dim]`.
    pub fn write(&self, net: &mut Net, heads: Heads, x: ValueId, memory: ValueId) -> [ValueId; 3] {
        let inputs = [x, memory, memory];
        match self {
            Self::Separate(names) => {
                let of = |net: &mut Net, index: usize| {
                    let (name, bias) = &names[index];
                    let width = net.ty(inputs[index]).shape[2];
                    let count = heads.counts()[index];
                    let weight = net.param(&format!("{name}.weight"), &[count * heads.dim, width]);
                    let weight = net.reshape(weight, &[count, heads.dim, width]);
                    let made = net.linear("btd,hkd->bthk", inputs[index], weight);
                    if *bias == Bias::None {
                        return made;
                    }
                    let bias = net.param(&format!("{name}.bias"), &[count * heads.dim]);
                    let bias = net.reshape(bias, &[count, heads.dim]);
                    net.along(Binary::Add, made, bias, &[2, 3])
                };
                [of(net, 0), of(net, 1), of(net, 2)]
            }
            Self::Fused(name, bias, order) => Self::fused(net, heads, x, name, *bias, *order),
            Self::ByHead(name, bias) => Self::by_head(net, heads, x, name, *bias),
        }
    }

    fn fused(net: &mut Net, heads: Heads, x: ValueId, name: &str, bias: Bias, order: Order) -> [ValueId; 3] {
        let width = net.ty(x).shape[2];
        let counts = heads.counts();
        let sizes = counts.map(|count| count * heads.dim);
        let total: usize = sizes.iter().sum();
        let (shape, dim) = match order {
            Order::OutIn => ([total, width], 0),
            Order::InOut => ([width, total], 1),
        };
        let weights = net.param_parts(&format!("{name}.weight"), &shape, dim, &sizes);
        let biases =
            (bias == Bias::Added).then(|| net.param_parts(&format!("{name}.bias"), &[total], 0, &sizes));
        [0, 1, 2].map(|index| {
            let made = match order {
                Order::OutIn => {
                    let weight = net.reshape(weights[index], &[counts[index], heads.dim, width]);
                    net.linear("btd,hkd->bthk", x, weight)
                }
                Order::InOut => {
                    let weight = net.reshape(weights[index], &[width, counts[index], heads.dim]);
                    net.linear("btd,dhk->bthk", x, weight)
                }
            };
            let Some(biases) = &biases else { return made };
            let bias = net.reshape(biases[index], &[counts[index], heads.dim]);
            net.along(Binary::Add, made, bias, &[2, 3])
        })
    }

    fn by_head(net: &mut Net, heads: Heads, x: ValueId, name: &str, bias: Bias) -> [ValueId; 3] {
        let width = net.ty(x).shape[2];
        let (count, dim) = (heads.queries, heads.dim);
        let weight = net.param(&format!("{name}.weight"), &[3 * count * dim, width]);
        let weight = net.reshape(weight, &[count, 3, dim, width]);
        let bias = (bias == Bias::Added).then(|| {
            let bias = net.param(&format!("{name}.bias"), &[3 * count * dim]);
            net.reshape(bias, &[count, 3, dim])
        });
        [0, 1, 2].map(|index| {
            let part = net.part(weight, 1, index..index + 1);
            let part = net.reshape(part, &[count, dim, width]);
            let made = net.linear("btd,hkd->bthk", x, part);
            let Some(bias) = bias else { return made };
            let part = net.part(bias, 1, index..index + 1);
            let part = net.reshape(part, &[count, dim]);
            net.along(Binary::Add, made, part, &[2, 3])
        })
    }
}
