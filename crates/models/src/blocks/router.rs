//! The choice of experts for each token: scores by a product, the largest of them, and the weights of those chosen.
//! Experts may be in groups, of which first the best are chosen (DeepSeek: a group is on a device).

use crate::net::{Arithmetic as _, Net, Share};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::top_k::TopK;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::types::ElementType;

/// A choice of experts.
#[derive(Clone, Debug, PartialEq)]
pub struct Router {
    /// Its name below the mixture's.
    pub name: String,
    /// Number of experts.
    pub count: usize,
    /// How many a token is sent to.
    pub chosen: usize,
    /// The form of scores.
    pub scores: Scores,
    /// The name of a bias of the product.
    pub bias: Option<String>,
    /// The name of what is added to scores for the choice alone.
    pub correction: Option<String>,
    /// Groups of experts.
    pub groups: Option<Groups>,
    /// The weights of the chosen.
    pub weights: Weighting,
    /// By which weights are multiplied.
    pub scale: f64,
}

/// Forms of scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// Softmax over all experts.
    Softmax,
    /// Softmax over the chosen alone.
    SoftmaxOfChosen,
    /// A sigmoid of each.
    Sigmoid,
}

/// Weights of the chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// Their scores.
    Scores,
    /// Their shares of the scores of all chosen.
    Shares,
}

/// Groups of experts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Groups {
    /// Number of groups.
    pub count: usize,
    /// How many of them a token may be sent to.
    pub kept: usize,
    /// How many of a group's scores make that of the group.
    pub best: usize,
}

impl Router {
    /// The share of experts that a token is sent to.
    pub fn active(&self) -> Share {
        Share { parts: self.chosen, of: self.count }
    }

    /// The weights of experts for a value `[b, t, d]`, and which they are: `[b, t, k]`.
    pub fn write(&self, net: &mut Net, x: ValueId) -> (ValueId, ValueId) {
        let shape = net.ty(x).shape;
        let x = net.convert(x, ElementType::F32);
        let weight = net.param_f32(&format!("{}.weight", self.name), &[self.count, shape[2]]);
        let mut scores = net.product(x, weight);
        if let Some(name) = &self.bias {
            let bias = net.param_f32(name, &[self.count]);
            scores = net.along(Binary::Add, scores, bias, &[2]);
        }
        match self.scores {
            Scores::Softmax => scores = net.softmax(scores),
            Scores::Sigmoid => scores = net.map(Unary::Logistic, scores),
            Scores::SoftmaxOfChosen => {}
        }
        let experts = self.choice(net, scores);
        let mut weights = picked(net, scores, experts);
        if self.scores == Scores::SoftmaxOfChosen {
            weights = net.softmax(weights);
        }
        if self.weights == Weighting::Shares {
            let total = net.sum(weights, vec![2]);
            let total = net.with(Binary::Add, total, 1e-20);
            weights = net.along(Binary::Divide, weights, total, &[0, 1]);
        }
        (net.scaled(weights, self.scale), experts)
    }

    fn choice(&self, net: &mut Net, scores: ValueId) -> ValueId {
        let shape = net.ty(scores).shape;
        let mut scores = scores;
        if let Some(name) = &self.correction {
            let correction = net.balance_param(name, &[self.count]);
            scores = net.along(Binary::Add, scores, correction, &[2]);
        }
        if let Some(groups) = self.groups.filter(|groups| groups.kept < groups.count) {
            let parts = [shape[0], shape[1], groups.count, self.count / groups.count];
            let grouped = net.reshape(scores, &parts);
            let best = top(net, grouped, groups.best)[0];
            let totals = net.sum(best, vec![3]);
            let kept = top(net, totals, groups.kept)[1];
            let all = [shape[0], shape[1], groups.kept, groups.count];
            let kept = net.broadcast(kept, &all, vec![0, 1, 2]);
            let each = net.iota(&all, ElementType::I32, 3);
            let is_kept = net.compare(Direction::Equal, kept, each);
            let is_kept = net.convert(is_kept, ElementType::I32);
            let is_kept = net.sum(is_kept, vec![2]);
            let is_kept = net.convert(is_kept, ElementType::I1);
            let is_kept = net.broadcast(is_kept, &parts, vec![0, 1, 2]);
            let grouped = net.masked(is_kept, grouped, f64::NEG_INFINITY);
            scores = net.reshape(grouped, &shape);
        }
        top(net, scores, self.chosen)[1]
    }
}

/// The `k` largest elements along the last dim, and their positions.
fn top(net: &mut Net, value: ValueId, k: usize) -> [ValueId; 2] {
    let results = net.add_all(TopK { k, is_stable: None }, &[value], Vec::new());
    [results[0], results[1]]
}

/// The elements of `[b, t, e]` at positions `[b, t, k]`, as sums of which all but one part are zero: so each has its
/// gradient by a product.
fn picked(net: &mut Net, scores: ValueId, positions: ValueId) -> ValueId {
    let (scores_shape, shape) = (net.ty(scores).shape, net.ty(positions).shape);
    let all = [shape[0], shape[1], shape[2], scores_shape[2]];
    let own = net.broadcast(positions, &all, vec![0, 1, 2]);
    let each = net.iota(&all, ElementType::I32, 3);
    let is_own = net.compare(Direction::Equal, own, each);
    let scores = net.broadcast(scores, &all, vec![0, 1, 3]);
    let picked = net.only_where(is_own, scores);
    net.sum(picked, vec![3])
}
