//! Mixtures of experts: each token is sent to some of many feed-forward layers, and to those that are shared.
//!
//! Shapes do not depend on the data: of each sequence an expert takes so many tokens ([`Moe::capacity`]), in the order of
//! the sequence, and tokens that find no place pass by. Tokens are sorted by their expert, gathered into `[b, e, c, d]`,
//! multiplied with the stacks of weights, and gathered back; so nothing is multiplied but what experts compute, all
//! sequences stay apart, and the dim of experts can be cut over devices (an all-to-all moves tokens then).

use crate::blocks::activation::Activation;
use crate::blocks::linear::{Bias, Linear};
use crate::blocks::mlp::{Inner, Mlp};
use crate::blocks::router::Router;
use crate::net::{Arithmetic as _, Net, Share};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::sort::Sort;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::names::braces;
use meshwright_tensor::types::{ElementType, TensorType};

/// A mixture of experts.
#[derive(Clone, Debug, PartialEq)]
pub struct Moe {
    /// Its name below the layer's.
    pub name: String,
    /// The choice of experts.
    pub router: Router,
    /// The experts.
    pub experts: Experts,
    /// A layer that takes all tokens, and the gate of what it makes.
    pub shared: Option<(Mlp, Option<Linear>)>,
}

/// Experts, all of one form.
#[derive(Clone, Debug, PartialEq)]
pub struct Experts {
    /// Width between the products.
    pub inner: usize,
    /// The function between.
    pub activation: Activation,
    /// The weights as a checkpoint keeps them.
    pub weights: ExpertWeights,
}

/// The weights of experts as a checkpoint keeps them.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpertWeights {
    /// Those of each expert by itself: names of gate, up and down.
    Each([&'static str; 3]),
    /// Each expert has two products, without a gate: names of up and down.
    EachUngated([&'static str; 2]),
    /// One stack of gates and ups by turns, inputs first, and one of downs, with biases; gates and ups are held in
    /// bounds (GPT-OSS).
    Stacked {
        /// The bound.
        limit: f64,
        /// By which a gate is multiplied in its own sigmoid.
        alpha: f64,
    },
}

/// Places of tokens among those that experts take.
struct Places {
    /// The token in each place of each expert, `[b, e, c]`.
    sources: ValueId,
    /// The place of each choice of each token, `[b, t k]`, counted over all experts.
    reads: ValueId,
    /// Whether it has one.
    is_placed: ValueId,
}

impl Moe {
    /// Tokens that an expert takes of a sequence.
    pub fn capacity(&self, factor: f64, length: usize) -> usize {
        let even = (self.router.chosen * length) as f64 / self.router.count as f64;
        ((factor * even).ceil() as usize).clamp(1, length)
    }

    /// Writes the block for a value, `[b, t, d]`.
    pub fn write(&self, net: &mut Net, x: ValueId) -> ValueId {
        net.within(&self.name, "moe", |net| {
            let routed = self.routed(net, x);
            let Some((shared, gate)) = &self.shared else { return routed };
            let mut made = shared.write(net, x);
            if let Some(gate) = gate {
                let score = gate.write(net, x);
                let share = net.map(Unary::Logistic, score);
                let shape = net.ty(x).shape;
                let share = net.reshape(share, &shape[..2]);
                made = net.along(Binary::Multiply, made, share, &[0, 1]);
            }
            net.plus(routed, made)
        })
    }

    fn routed(&self, net: &mut Net, x: ValueId) -> ValueId {
        let ty = net.ty(x);
        let [batch, length, width] = [0, 1, 2].map(|dim| ty.shape[dim]);
        let (chosen, count) = (self.router.chosen, self.router.count);
        let capacity = self.capacity(net.options.capacity_factor, length);
        let (weights, experts) = net.scoped("router", |net| self.router.write(net, x));
        let places = net.scoped("dispatch", |net| self.places(net, experts, capacity));
        let taken = net.scoped("dispatch", |net| net.rows_of_each(x, places.sources));
        let made = net.scoped("experts", |net| self.experts.write(net, taken, self.router.active()));
        net.scoped("combine", |net| {
            let made = net.reshape(made, &[batch, count * capacity, width]);
            let read = net.rows_of_each(made, places.reads);
            let read = net.reshape(read, &[batch, length, chosen, width]);
            let is_placed = net.reshape(places.is_placed, &[batch, length, chosen]);
            let weights = net.only_where(is_placed, weights);
            let weights = net.convert(weights, ty.element);
            let weighted = net.along(Binary::Multiply, read, weights, &[0, 1, 2]);
            net.sum(weighted, vec![2])
        })
    }

    /// The places of tokens, by the experts that each has chosen, `[b, t, k]`.
    fn places(&self, net: &mut Net, experts: ValueId, capacity: usize) -> Places {
        let shape = net.ty(experts).shape;
        let (batch, choices, count) = (shape[0], shape[1] * shape[2], self.router.count);
        let experts = net.reshape(experts, &[batch, choices]);
        let numbers = [batch, choices, count];
        let own = net.broadcast(experts, &numbers, vec![0, 1]);
        let each = net.iota(&numbers, ElementType::I32, 2);
        let is_own = net.compare(Direction::Equal, own, each);
        let ones = net.convert(is_own, ElementType::I32);
        let counts = net.sum(ones, vec![1]);
        let ends = net.running_sum(counts, 1);
        let starts = net.minus(ends, counts);
        let order = ordered(net, experts);
        let ranks = ordered(net, order);
        let start = net.rows_of_each(starts, experts);
        let slots = net.minus(ranks, start);
        let limit = net.splat(TensorType::new([batch, choices], ElementType::I32), capacity as f64);
        let is_placed = net.compare(Direction::Less, slots, limit);
        let slots = net.with(Binary::Minimum, slots, capacity as f64 - 1.0);
        let firsts = net.with(Binary::Multiply, experts, capacity as f64);
        let reads = net.plus(firsts, slots);
        let table = [batch, count, capacity];
        let start = net.broadcast(starts, &table, vec![0, 1]);
        let slot = net.iota(&table, ElementType::I32, 2);
        let place = net.plus(start, slot);
        let place = net.with(Binary::Minimum, place, choices as f64 - 1.0);
        let choice = net.rows_of_each(order, place);
        let sources = net.with(Binary::Divide, choice, self.router.chosen as f64);
        Places { sources, reads, is_placed }
    }
}

/// Positions of numbers `[b, n]` in ascending order of these, equal ones in order of position.
fn ordered(net: &mut Net, numbers: ValueId) -> ValueId {
    let ty = net.ty(numbers);
    let positions = net.iota(&ty.shape, ElementType::I32, 1);
    let scalar: Vec<_> = std::iter::repeat_n(TensorType::scalar(ElementType::I32).into(), 4).collect();
    let comparator = net.region(&scalar, |net, args| vec![net.compare(Direction::Less, args[0], args[1])]);
    let sort = Sort { dimension: Some(1), is_stable: Some(true) };
    net.emit_all(sort, &[numbers, positions], vec![comparator], vec![ty.clone().into(), ty.into()])[1]
}

impl Experts {
    /// What experts make of what they take, `[b, e, c, d]`.
    fn write(&self, net: &mut Net, x: ValueId, active: Share) -> ValueId {
        let shape = net.ty(x).shape;
        let (count, width, inner) = (shape[1], shape[3], self.inner);
        let name = |part: &str| format!("experts.{}.{part}.weight", braces(0, 1, count));
        let product = |net: &mut Net, value, part: &str, sizes: [usize; 2]| {
            let weight = net.expert_param(&name(part), &[count, sizes[0], sizes[1]], active);
            net.linear("becd,efd->becf", value, weight)
        };
        match &self.weights {
            ExpertWeights::Each([gate, up, down]) => {
                let gate = product(net, x, gate, [inner, width]);
                let up = product(net, x, up, [inner, width]);
                let gate = self.activation.write(net, gate);
                let inside = net.times(gate, up);
                product(net, inside, down, [width, inner])
            }
            ExpertWeights::EachUngated([up, down]) => {
                let up = product(net, x, up, [inner, width]);
                let inside = self.activation.write(net, up);
                product(net, inside, down, [width, inner])
            }
            ExpertWeights::Stacked { limit, alpha } => {
                self.stacked(net, x, [count, width, inner], [*limit, *alpha], active)
            }
        }
    }

    fn stacked(
        &self,
        net: &mut Net,
        x: ValueId,
        [count, width, inner]: [usize; 3],
        [limit, alpha]: [f64; 2],
        active: Share,
    ) -> ValueId {
        // `at` says which outputs of the tensor in the checkpoint these are.
        let product = |net: &mut Net, value, part: &str, at: &str, sizes: [usize; 2]| {
            let placed = |dims: &str| if at.is_empty() { String::new() } else { format!("({dims}{at})") };
            let (weight, bias) = (placed(":,:,"), placed(":,"));
            let weight = format!("experts.{part}{weight}");
            let weight = net.expert_param(&weight, &[count, sizes[0], sizes[1]], active);
            let bias = net.expert_param(&format!("experts.{part}_bias{bias}"), &[count, sizes[1]], active);
            let made = net.linear("becd,edf->becf", value, weight);
            net.along(Binary::Add, made, bias, &[1, 3])
        };
        // An output of the one is followed by one of the other; as parameters of their own devices share each evenly.
        let [gate, up] = [0, 1].map(|start| {
            product(net, x, "gate_up_proj", &format!("{start}:{}:2", 2 * inner), [width, inner])
        });
        let gate = net.with(Binary::Minimum, gate, limit);
        let up = net.with(Binary::Minimum, up, limit);
        let up = net.with(Binary::Maximum, up, -limit);
        let score = net.scaled(gate, alpha);
        let share = net.map(Unary::Logistic, score);
        let gate = net.times(gate, share);
        let up = net.with(Binary::Add, up, 1.0);
        let inside = net.times(up, gate);
        product(net, inside, "down_proj", "", [inner, width])
    }
}

/// A feed-forward layer that takes all tokens, by the names of most checkpoints.
pub fn shared(name: &str, width: usize, inner: usize, activation: Activation) -> Mlp {
    let linear = |name, outputs| Linear::new(name, outputs, Bias::None);
    Mlp {
        name: name.to_owned(),
        inner: Inner::Gated(linear("gate_proj", inner), linear("up_proj", inner)),
        activation,
        down: linear("down_proj", width),
    }
}
