//! Attention and its gradient, one head after the other, in `f64`.
//!
//! With scores `s = scale q k^T + bias` and `p = softmax(s)` over the keys that the mask leaves: the output is `p v`. For
//! its gradient `g`: `dv = p^T g`, `ds = p * (g v^T - rowsum(g * output))`, `dq = scale ds k`, `dk = scale ds^T q` (Dao et al.,
//! "FlashAttention", appendix B).

use super::attention::{Layout, Shape};
use super::doubles::{dot, doubles, narrowed};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{ElementType, TensorType};
use meshwright_tensor::{Precision, Tensor};

/// A bias this small is a mask.
const MASKING: f64 = -1e6;

/// Which keys a query sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mask {
    /// All.
    None,
    /// Those within the length of its batch.
    Lengths,
    /// Those not behind it.
    Causal,
    /// Both.
    CausalLengths,
}

impl Mask {
    pub(super) fn has_lengths(self) -> bool {
        matches!(self, Self::Lengths | Self::CausalLengths)
    }

    pub(super) fn is_causal(self) -> bool {
        matches!(self, Self::Causal | Self::CausalLengths)
    }
}

/// A mask, and how many of the last keys a query sees; zero: all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Masking {
    pub(super) mask: Mask,
    pub(super) window: usize,
}

impl Masking {
    pub(super) fn is_none(self) -> bool {
        self.mask == Mask::None && self.window == 0
    }

    /// Share of the pairs of queries and keys that are seen, by positions.
    pub(super) fn share(self, queries: usize, keys: usize) -> f64 {
        let causal = if self.mask.is_causal() { 0.5 } else { 1.0 };
        let window = if self.window == 0 { keys } else { self.window.min(keys) };
        match queries.min(keys) {
            0 => causal,
            _ => f64::min(causal, window as f64 / keys as f64),
        }
    }

    fn sees(self, query: usize, key: usize, keys: usize) -> bool {
        key < keys
            && (!self.mask.is_causal() || key <= query)
            && (self.window == 0 || query < key + self.window)
    }
}

/// A tensor of rank 4 as `f64`, read by batch, head, position, feature.
struct Heads {
    values: Vec<f64>,
    shape: [usize; 4],
    layout: Layout,
}

/// How results are kept: `BNTH`.
const UNPACKED: Layout = Layout { sequence: 2, heads: 1 };

impl Heads {
    fn read(x: &Tensor, layout: Layout) -> Result<Self, EvalError> {
        let &[a, b, c, d] = x.shape() else {
            return Err(EvalError::new("attention works on tensors of rank 4"));
        };
        Ok(Self { values: doubles(x)?, shape: [a, b, c, d], layout })
    }

    fn zeros(ty: &TensorType) -> Result<Self, EvalError> {
        Self::read(
            &Tensor::zeros(&TensorType::new(ty.shape.clone(), ElementType::F64), Precision::Wide)?,
            UNPACKED,
        )
    }

    fn start(&self, batch: usize, head: usize, position: usize) -> usize {
        let mut index = [batch, 0, 0];
        index[self.layout.heads] = head;
        index[self.layout.sequence] = position;
        ((index[0] * self.shape[1] + index[1]) * self.shape[2] + index[2]) * self.shape[3]
    }

    fn row(&self, batch: usize, head: usize, position: usize) -> &[f64] {
        let start = self.start(batch, head, position);
        &self.values[start..start + self.shape[3]]
    }

    fn row_mut(&mut self, batch: usize, head: usize, position: usize) -> &mut [f64] {
        let start = self.start(batch, head, position);
        &mut self.values[start..start + self.shape[3]]
    }

    fn tensor(self, ty: &TensorType, precision: Precision) -> Result<Tensor, EvalError> {
        narrowed(self.values, ty, precision)
    }
}

/// A score with its bias. Where a bias masks, as it is the same for all keys of a query, the kernel's sum in f32 holds
/// nothing of the score, and so the keys count alike.
fn biased(score: f64, bias: f64) -> f64 {
    let is_absorbed = bias <= MASKING && score.abs() < -bias * f64::from(f32::EPSILON) / 2.0;
    if is_absorbed { bias } else { score + bias }
}

fn add_scaled(to: &mut [f64], scale: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += scale * from);
}

/// What forward and backward share: the inputs and the scores of one query.
struct Problem<'a> {
    shape: &'a Shape,
    q: Heads,
    k: Heads,
    v: Heads,
    bias: Option<Heads>,
    lengths: Option<[Vec<f64>; 2]>,
    scale: f64,
    masking: Masking,
}

impl<'a> Problem<'a> {
    fn read(shape: &'a Shape, inputs: &[Tensor], scale: f64, masking: Masking) -> Result<Self, EvalError> {
        let lengths = |at: usize| Ok::<_, EvalError>([doubles(&inputs[at])?, doubles(&inputs[at + 1])?]);
        Ok(Self {
            shape,
            q: Heads::read(&inputs[0], shape.layout)?,
            k: Heads::read(&inputs[1], shape.layout)?,
            v: Heads::read(&inputs[2], shape.layout)?,
            bias: shape.bias.map(|at| Heads::read(&inputs[at], UNPACKED)).transpose()?,
            lengths: shape.lengths.map(lengths).transpose()?,
            scale,
            masking,
        })
    }

    /// Every batch, head and query that counts.
    fn each(&self) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
        let Shape { batches, heads, queries, .. } = *self.shape;
        let of_batch =
            move |batch: usize| (0..heads).flat_map(move |head| (0..queries).map(move |t| (batch, head, t)));
        (0..batches).flat_map(of_batch).filter(|(batch, _, query)| match &self.lengths {
            Some([queries, _]) => (*query as f64) < queries[*batch],
            None => true,
        })
    }

    fn key_head(&self, head: usize) -> usize {
        head / (self.shape.heads / self.shape.key_heads)
    }

    /// Where the bias of a batch and head stands.
    fn bias_at(bias: &Heads, batch: usize, head: usize) -> (usize, usize) {
        (if bias.shape[0] == 1 { 0 } else { batch }, if bias.shape[1] == 1 { 0 } else { head })
    }

    /// The scores of one query; minus infinity where it does not see the key.
    fn scores(&self, (batch, head, query): (usize, usize, usize)) -> Vec<f64> {
        let keys = match &self.lengths {
            Some([_, keys]) => keys[batch].max(0.0) as usize,
            None => self.shape.keys,
        };
        let bias = self.bias.as_ref().map(|bias| {
            let (batch, head) = Self::bias_at(bias, batch, head);
            bias.row(batch, head, query)
        });
        let q = self.q.row(batch, head, query);
        let score = |key: usize| match self.masking.sees(query, key, keys) {
            true => {
                let product = self.scale * dot(q, self.k.row(batch, self.key_head(head), key));
                biased(product, bias.map_or(0.0, |bias| bias[key]))
            }
            false => f64::NEG_INFINITY,
        };
        (0..self.shape.keys).map(score).collect()
    }
}

/// The output, the logarithms if they are asked for, and the workspace.
pub(super) fn forward(
    shape: &Shape,
    inputs: &[Tensor],
    scale: f64,
    masking: Masking,
    results: &[TensorType],
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let problem = Problem::read(shape, inputs, scale, masking)?;
    let mut output = Heads::zeros(&results[0])?;
    let mut sums = vec![0.0; shape.batches * shape.heads * shape.queries];
    for (batch, head, query) in problem.each() {
        let scores = problem.scores((batch, head, query));
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if largest == f64::NEG_INFINITY {
            continue;
        }
        let sum: f64 = scores.iter().map(|score| (score - largest).exp()).sum();
        let logarithm = largest + sum.ln();
        sums[(batch * shape.heads + head) * shape.queries + query] = logarithm;
        let row = output.row_mut(batch, head, query);
        for (key, score) in scores.iter().enumerate().filter(|(_, score)| **score > f64::NEG_INFINITY) {
            add_scaled(row, (score - largest).exp() / sum, problem.v.row(batch, problem.key_head(head), key));
        }
    }
    let mut all = vec![output.tensor(&results[0], precision)?];
    if let Some(at) = shape.sums {
        all.push(narrowed(sums, &results[at], precision)?);
    }
    all.push(workspace(results, precision)?);
    Ok(all)
}

/// The gradients of q, k, v, of the bias if it has one, and the workspace.
pub(super) fn backward(
    shape: &Shape,
    inputs: &[Tensor],
    scale: f64,
    masking: Masking,
    results: &[TensorType],
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let problem = Problem::read(shape, inputs, scale, masking)?;
    let sums = doubles(&inputs[3])?;
    let gradient = Heads::read(&inputs[4], shape.layout)?;
    let output = Heads::read(&inputs[5 + usize::from(shape.bias.is_some())], shape.layout)?;
    let [mut dq, mut dk, mut dv] =
        [Heads::zeros(&results[0])?, Heads::zeros(&results[1])?, Heads::zeros(&results[2])?];
    let mut dbias = match shape.has_bias_gradient {
        true => Some(Heads::zeros(&results[3])?),
        false => None,
    };
    for (batch, head, query) in problem.each() {
        let key_head = problem.key_head(head);
        let g = gradient.row(batch, head, query);
        let kept = dot(g, output.row(batch, head, query));
        let logarithm = sums[(batch * shape.heads + head) * shape.queries + query];
        for (key, score) in problem.scores((batch, head, query)).into_iter().enumerate() {
            if score == f64::NEG_INFINITY {
                continue;
            }
            let probability = (score - logarithm).exp();
            let ds = probability * (dot(g, problem.v.row(batch, key_head, key)) - kept);
            add_scaled(dv.row_mut(batch, key_head, key), probability, g);
            add_scaled(dq.row_mut(batch, head, query), scale * ds, problem.k.row(batch, key_head, key));
            add_scaled(dk.row_mut(batch, key_head, key), scale * ds, problem.q.row(batch, head, query));
            if let Some(dbias) = &mut dbias {
                let (batch, head) = Problem::bias_at(dbias, batch, head);
                dbias.row_mut(batch, head, query)[key] += ds;
            }
        }
    }
    let mut all = Vec::new();
    for (heads, ty) in [dq, dk, dv].into_iter().chain(dbias).zip(results) {
        all.push(heads.tensor(ty, precision)?);
    }
    all.push(workspace(results, precision)?);
    Ok(all)
}

fn workspace(results: &[TensorType], precision: Precision) -> Result<Tensor, EvalError> {
    match results.last() {
        Some(ty) => Tensor::zeros(ty, precision),
        None => Err(EvalError::new("attention has a workspace")),
    }
}
