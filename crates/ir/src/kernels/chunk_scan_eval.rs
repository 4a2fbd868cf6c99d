//! The scan of Mamba-2 and its gradients, step after step, in `f64`.
//!
//! With `e = exp(s a)`, states `H' = e H + s x w^T` and `y = H' r` (letters of [`super::chunk_scan`], and `D` for the gradient of
//! a state): back from the last step `D' = D + g r^T`, of which `dx = s D' w`, `dw = s D'^T x`, `dr = H'^T g`,
//! `ds = x^T D' w + a e <D', H>`, `da = s e <D', H>`, and `D = e D'` for the step before.
//!
//! What goes back makes the states again: those between chunks going forward, and from them those of a chunk.

use super::doubles::{dot, doubles, narrowed};
use crate::kernel_shape::ChunkScan;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::TensorType;
use meshwright_tensor::{Precision, Tensor};
use rayon::prelude::*;

/// Operands as `f64`.
struct Problem<'a> {
    sizes: &'a ChunkScan,
    x: Vec<f64>,
    steps: Vec<f64>,
    rates: Vec<f64>,
    writes: Vec<f64>,
    reads: Vec<f64>,
}

impl<'a> Problem<'a> {
    fn read(sizes: &'a ChunkScan, inputs: &[Tensor]) -> Result<Self, EvalError> {
        let [x, steps, rates, writes, reads, ..] = inputs else {
            return Err(EvalError::new("a scan reads five operands"));
        };
        Ok(Self {
            sizes,
            x: doubles(x)?,
            steps: doubles(steps)?,
            rates: doubles(rates)?,
            writes: doubles(writes)?,
            reads: doubles(reads)?,
        })
    }

    /// Where a step of an example stands among all.
    fn row(&self, batch: usize, step: usize) -> usize {
        batch * self.sizes.length + step
    }

    /// The elements of a head at a step, of what is shaped as inputs are.
    fn features<'v>(&self, of: &'v [f64], row: usize, head: usize) -> &'v [f64] {
        let size = self.sizes.features;
        let start = (row * self.sizes.heads + head) * size;
        &of[start..start + size]
    }

    /// The vector of a head's group at a step, of what writes states or reads them.
    fn vector<'v>(&self, of: &'v [f64], row: usize, head: usize) -> &'v [f64] {
        let size = self.sizes.state;
        let start = (row * self.sizes.groups + self.group(head)) * size;
        &of[start..start + size]
    }

    fn group(&self, head: usize) -> usize {
        head / (self.sizes.heads / self.sizes.groups)
    }

    /// The length of a step.
    fn step(&self, row: usize, head: usize) -> f64 {
        self.steps[row * self.sizes.heads + head]
    }

    /// What a step leaves of the state.
    fn decay(&self, row: usize, head: usize) -> f64 {
        (self.step(row, head) * self.rates[head]).exp()
    }

    /// Takes the state of a head, `[p, n]`, over a step.
    fn advance(&self, state: &mut [f64], row: usize, head: usize) {
        let (decay, step) = (self.decay(row, head), self.step(row, head));
        let writes = self.vector(&self.writes, row, head);
        let x = self.features(&self.x, row, head);
        for (line, x) in state.chunks_exact_mut(self.sizes.state.max(1)).zip(x) {
            let added = step * x;
            line.iter_mut().zip(writes).for_each(|(own, write)| *own = decay * *own + added * write);
        }
    }

    /// Examples and heads, one after the other.
    fn each_head(&self) -> impl IndexedParallelIterator<Item = (usize, usize)> {
        let heads = self.sizes.heads;
        (0..self.sizes.batch * heads).into_par_iter().map(move |index| (index / heads, index % heads))
    }

    fn empty_state(&self) -> Vec<f64> {
        vec![0.0; self.sizes.features * self.sizes.state]
    }
}

/// The result.
pub(super) fn forward(
    sizes: &ChunkScan,
    inputs: &[Tensor],
    results: &[TensorType],
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let problem = Problem::read(sizes, inputs)?;
    let of_head = |(batch, head): (usize, usize)| {
        let mut state = problem.empty_state();
        let mut made = Vec::with_capacity(sizes.length * sizes.features);
        for step in 0..sizes.length {
            let row = problem.row(batch, step);
            problem.advance(&mut state, row, head);
            let reads = problem.vector(&problem.reads, row, head);
            made.extend(lines(&state, sizes).map(|line| dot(line, reads)));
        }
        made
    };
    let heads: Vec<Vec<f64>> = problem.each_head().map(of_head).collect();
    let made = interleaved(sizes, &heads, sizes.heads, sizes.features);
    Ok(vec![narrowed(made, &results[0], precision)?])
}

/// Gradients that one head gives; those with features and of vectors step after step.
struct OfHead {
    x: Vec<f64>,
    steps: Vec<f64>,
    rate: f64,
    writes: Vec<f64>,
    reads: Vec<f64>,
}

/// The gradients of all five operands, that of the rates for each example.
pub(super) fn backward(
    sizes: &ChunkScan,
    inputs: &[Tensor],
    results: &[TensorType],
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let problem = Problem::read(sizes, inputs)?;
    let gradient = inputs.get(5).ok_or_else(|| EvalError::new("a scan goes back from a gradient"))?;
    let gradient = doubles(gradient)?;
    let heads: Vec<OfHead> =
        problem.each_head().map(|(batch, head)| of_head(&problem, &gradient, batch, head)).collect();
    let take = |part: fn(&OfHead) -> &Vec<f64>| heads.iter().map(|of| part(of).clone()).collect::<Vec<_>>();
    let together = |part: fn(&OfHead) -> &Vec<f64>| in_groups(sizes, &heads, part);
    let made = [
        interleaved(sizes, &take(|of| &of.x), sizes.heads, sizes.features),
        interleaved(sizes, &take(|of| &of.steps), sizes.heads, 1),
        heads.iter().map(|of| of.rate).collect(),
        interleaved(sizes, &together(|of| &of.writes), sizes.groups, sizes.state),
        interleaved(sizes, &together(|of| &of.reads), sizes.groups, sizes.state),
    ];
    made.into_iter().zip(results).map(|(made, ty)| narrowed(made, ty, precision)).collect()
}

/// The gradients that a head of an example gives.
fn of_head(problem: &Problem<'_>, gradient: &[f64], batch: usize, head: usize) -> OfHead {
    let sizes = problem.sizes;
    let ChunkScan { length, chunk, features, state: width, .. } = *sizes;
    let mut of = OfHead {
        x: vec![0.0; length * features],
        steps: vec![0.0; length],
        rate: 0.0,
        writes: vec![0.0; length * width],
        reads: vec![0.0; length * width],
    };
    let rate = problem.rates[head];
    // The states at the start of each chunk.
    let mut starts: Vec<Vec<f64>> = Vec::with_capacity(length.div_ceil(chunk));
    let mut state = problem.empty_state();
    for step in 0..length {
        if step % chunk == 0 {
            starts.push(state.clone());
        }
        problem.advance(&mut state, problem.row(batch, step), head);
    }
    let mut back = problem.empty_state();
    for (index, start) in starts.into_iter().enumerate().rev() {
        let first = index * chunk;
        // The state in front of each step of the chunk, and that behind it.
        let mut states = vec![start];
        for step in first..length.min(first + chunk) {
            let mut next = states[step - first].clone();
            problem.advance(&mut next, problem.row(batch, step), head);
            states.push(next);
        }
        for step in (first..length.min(first + chunk)).rev() {
            let row = problem.row(batch, step);
            let g = problem.features(gradient, row, head);
            let x = problem.features(&problem.x, row, head);
            let reads = problem.vector(&problem.reads, row, head);
            let writes = problem.vector(&problem.writes, row, head);
            let (before, after) = (&states[step - first], &states[step - first + 1]);
            let (decay, length_of) = (problem.decay(row, head), problem.step(row, head));
            let dw = &mut of.writes[step * width..(step + 1) * width];
            let dr = &mut of.reads[step * width..(step + 1) * width];
            let (mut along_input, mut along_state) = (0.0, 0.0);
            let all = back.chunks_exact_mut(width.max(1)).zip(lines(before, sizes)).zip(lines(after, sizes));
            for (feature, ((back, before), after)) in all.enumerate() {
                add_scaled(back, g[feature], reads);
                add_scaled(dr, g[feature], after);
                add_scaled(dw, length_of * x[feature], back);
                let written = dot(back, writes);
                of.x[step * features + feature] = length_of * written;
                along_input += x[feature] * written;
                along_state += dot(back, before);
                back.iter_mut().for_each(|own| *own *= decay);
            }
            of.steps[step] = along_input + rate * decay * along_state;
            of.rate += length_of * decay * along_state;
        }
    }
    of
}

/// Sums over the heads of each group.
fn in_groups(sizes: &ChunkScan, heads: &[OfHead], part: fn(&OfHead) -> &Vec<f64>) -> Vec<Vec<f64>> {
    let summed = |group: &[OfHead]| {
        let mut sum = vec![0.0; part(&group[0]).len()];
        group.iter().for_each(|of| add_scaled(&mut sum, 1.0, part(of)));
        sum
    };
    heads.chunks(sizes.heads / sizes.groups).map(summed).collect()
}

/// Values `[b, k][t, each]` as `[b, t, k, each]`.
fn interleaved(sizes: &ChunkScan, parts: &[Vec<f64>], count: usize, each: usize) -> Vec<f64> {
    let mut all = Vec::with_capacity(sizes.batch * sizes.length * count * each);
    for of_batch in parts.chunks(count.max(1)) {
        for step in 0..sizes.length {
            of_batch.iter().for_each(|part| all.extend_from_slice(&part[step * each..(step + 1) * each]));
        }
    }
    all
}

/// The rows of a state, one for each element of the head.
fn lines<'s>(state: &'s [f64], sizes: &ChunkScan) -> impl Iterator<Item = &'s [f64]> {
    state.chunks_exact(sizes.state.max(1))
}

fn add_scaled(to: &mut [f64], scale: f64, from: &[f64]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to += scale * from);
}
