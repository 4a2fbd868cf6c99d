//! Mamba-2 (Dao and Gu, "Transformers are SSMs"). Its scan is a call of a kernel, or written out by chunks
//! ([`ScanForm`]): inside a chunk it is a masked product like an attention, and so is what chunks carry to those behind them.
//!
//! With `a_t` the decay of a step, `x_t` its input times the step's length, and `B_t`, `C_t` the vectors by which the
//! state is written and read:
//!
//! ```text
//! y_t = sum over s <= t in the chunk of (C_t B_s) exp(a_{s+1} + ... + a_t) x_s  +  C_t exp(a_1 + ... + a_t) H
//! H   = state at the start of the chunk
//! ```
//!
//! Letters of dims: `b` sequence, `c` and `z` chunk, `l` and `s` places in a chunk, `g` group of heads, `r` head of a group,
//! `p` element of a head, `n` element of the state.

use crate::blocks::activation::Activation;
use crate::blocks::causal_convolution::CausalConvolution;
use crate::blocks::linear::{Bias, Linear};
use crate::net::{Arithmetic as _, Net};
use crate::options::ScanForm;
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::kernels::chunk_scan_call::{FORWARD, call};
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::unary::Unary;
use meshwright_tensor::types::ElementType;

/// A Mamba-2 layer.
#[derive(Clone, Debug, PartialEq)]
pub struct Mamba2 {
    /// Its name below the layer's.
    pub name: String,
    /// Number of heads.
    pub heads: usize,
    /// Elements of a head.
    pub head_dim: usize,
    /// Groups of heads that share the vectors of the state.
    pub groups: usize,
    /// Elements of the state, for each element of a head.
    pub state: usize,
    /// Steps that the convolution sees.
    pub kernel: usize,
    /// Steps of a chunk.
    pub chunk: usize,
    /// The function behind the convolution.
    pub activation: Activation,
    /// Bias of the first and the last product.
    pub bias: Bias,
    /// Bias of the convolution.
    pub conv_bias: Bias,
    /// Bounds of the length of a step.
    pub step_limits: [f64; 2],
    /// Added to variances in its norm.
    pub epsilon: f64,
    /// Width of what it makes.
    pub width: usize,
}

/// What the scan reads, in chunks.
struct Chunks {
    /// Inputs times the lengths of steps, `[b, c, l, g, r, p]`.
    inputs: ValueId,
    /// Sums of decays up to each step, `[b, c, g, r, l]`.
    decays: ValueId,
    /// Vectors by which the state is written, `[b, c, l, g, n]`.
    writes: ValueId,
    /// Vectors by which it is read.
    reads: ValueId,
}

impl Mamba2 {
    fn inner(&self) -> usize {
        self.heads * self.head_dim
    }

    fn conv_width(&self) -> usize {
        self.inner() + 2 * self.groups * self.state
    }

    /// Writes the block for a value, `[b, t, d]`.
    pub fn write(&self, net: &mut Net, x: ValueId) -> ValueId {
        net.within(&self.name, "mamba", |net| {
            net.caches_per_sequence(self.kernel * self.conv_width() + self.inner() * self.state);
            let states = self.groups * self.state;
            // A gate, what is mixed (inputs and the vectors by which states are written and read), and lengths of steps.
            let sizes = [self.inner(), self.inner(), states, states, self.heads];
            let parts = Linear::new("in_proj", sizes.iter().sum(), self.bias).write_parts(net, x, &sizes);
            let convolution = CausalConvolution {
                width: self.conv_width(),
                kernel: self.kernel,
                bias: self.conv_bias,
                activation: self.activation,
            };
            let mixed = net.scoped("convolution", |net| convolution.write_parts(net, &parts[1..4]));
            let y = net.scoped("scan", |net| self.scan(net, &mixed, parts[4]));
            let y = self.gated_norm(net, y, parts[0]);
            Linear::new("out_proj", self.width, self.bias).write(net, y)
        })
    }

    /// The scan of inputs, `[b, t, inner]`, with the vectors by which the state is written and read, each `[b, t, g n]`, and
    /// lengths of steps made of `steps`, `[b, t, heads]`.
    fn scan(&self, net: &mut Net, parts: &[ValueId], steps: ValueId) -> ValueId {
        let shape = net.ty(parts[0]).shape;
        let (batch, length) = (shape[0], shape[1]);
        let steps = self.lengths_of_steps(net, steps);
        let y = match net.options.scan {
            ScanForm::Kernel => self.called(net, parts, steps),
            ScanForm::WrittenOut => self.written_out(net, parts, steps),
        };
        let skip = net.param_f32("D", &[self.heads]);
        let input = net.reshape(parts[0], &[batch, length, self.heads, self.head_dim]);
        let input = net.convert(input, ElementType::F32);
        let skipped = net.along(Binary::Multiply, input, skip, &[2]);
        let y = net.plus(y, skipped);
        net.reshape(y, &[batch, length, self.inner()])
    }

    /// The scan as a call of the kernel, `[b, t, heads, p]` in f32.
    fn called(&self, net: &mut Net, parts: &[ValueId], steps: ValueId) -> ValueId {
        let (batch, length) = (net.ty(steps).shape[0], net.ty(steps).shape[1]);
        // Heads of groups are a dim of their own for a moment, so that it is seen what may be cut.
        let each = self.heads / self.groups;
        let inputs = net.reshape(parts[0], &[batch, length, self.groups, each, self.head_dim]);
        let inputs = net.reshape(inputs, &[batch, length, self.heads, self.head_dim]);
        let [writes, reads] =
            [1, 2].map(|part| net.reshape(parts[part], &[batch, length, self.groups, self.state]));
        let rates = self.rates(net);
        let made = net.ty(inputs);
        let y = net.emit(call(FORWARD, self.chunk), &[inputs, steps, rates, writes, reads], made);
        net.convert(y, ElementType::F32)
    }

    /// The scan by chunks, `[b, t, heads, p]` in f32.
    fn written_out(&self, net: &mut Net, parts: &[ValueId], steps: ValueId) -> ValueId {
        let (batch, length) = (net.ty(steps).shape[0], net.ty(steps).shape[1]);
        let chunks = self.chunks(net, parts, steps);
        let inside = self.inside(net, &chunks);
        let carried = self.carried(net, &chunks);
        let y = net.plus(inside, carried);
        let padded = net.ty(y).shape[1] * net.ty(y).shape[2];
        let y = net.reshape(y, &[batch, padded, self.heads, self.head_dim]);
        net.part(y, 1, 0..length)
    }

    /// Rates at which states decay, `[heads]` in f32.
    fn rates(&self, net: &mut Net) -> ValueId {
        let rates = net.param_f32("A_log", &[self.heads]);
        let rates = net.map(Unary::Exponential, rates);
        net.map(Unary::Negate, rates)
    }

    /// Lengths of steps, in f32: `softplus` of what the input says, in bounds.
    fn lengths_of_steps(&self, net: &mut Net, steps: ValueId) -> ValueId {
        let steps = net.convert(steps, ElementType::F32);
        let bias = net.param_f32("dt_bias", &[self.heads]);
        let x = net.along(Binary::Add, steps, bias, &[2]);
        let mut steps = net.softplus(x);
        let [least, most] = self.step_limits;
        if least > 0.0 {
            steps = net.with(Binary::Maximum, steps, least);
        }
        if most.is_finite() {
            steps = net.with(Binary::Minimum, steps, most);
        }
        steps
    }

    fn chunks(&self, net: &mut Net, parts: &[ValueId], steps: ValueId) -> Chunks {
        let shape = net.ty(steps).shape;
        let (batch, length) = (shape[0], shape[1]);
        let chunk = self.chunk.min(length);
        let count = length.div_ceil(chunk);
        let (groups, each) = (self.groups, self.heads / self.groups);
        let mut cut = |value: ValueId, inner: &[usize]| {
            let padded = net.padded(value, 1, 0, count * chunk - length);
            net.reshape(padded, &[&[batch, count, chunk], inner].concat())
        };
        let inputs = cut(parts[0], &[groups, each, self.head_dim]);
        let writes = cut(parts[1], &[groups, self.state]);
        let reads = cut(parts[2], &[groups, self.state]);
        let steps = cut(steps, &[groups, each]);
        let element = net.compute();
        let rates = self.rates(net);
        let rates = net.reshape(rates, &[groups, each]);
        let decays = net.along(Binary::Multiply, steps, rates, &[3, 4]);
        let decays = net.running_sum(decays, 2);
        let decays = net.transpose(decays, vec![0, 1, 3, 4, 2]);
        let steps = net.convert(steps, element);
        let inputs = net.along(Binary::Multiply, inputs, steps, &[0, 1, 2, 3, 4]);
        Chunks { inputs, decays, writes, reads }
    }

    /// What steps of the same chunk leave, `[b, c, l, g, r, p]` in f32.
    fn inside(&self, net: &mut Net, chunks: &Chunks) -> ValueId {
        let scores = net.einsum("bclgn,bcsgn->bcgls", chunks.reads, chunks.writes);
        let scores = net.convert(scores, ElementType::F32);
        let shape = net.ty(chunks.decays).shape;
        let pairs = [shape.as_slice(), &[shape[4]]].concat();
        let up_to = net.broadcast(chunks.decays, &pairs, vec![0, 1, 2, 3, 4]);
        let from = net.broadcast(chunks.decays, &pairs, vec![0, 1, 2, 3, 5]);
        let between = net.minus(up_to, from);
        let [own, other] = [4, 5].map(|dim| net.iota(&pairs, ElementType::I32, dim));
        let is_before = net.compare(Direction::GreaterEqual, own, other);
        let between = net.masked(is_before, between, f64::NEG_INFINITY);
        let decay = net.map(Unary::Exponential, between);
        let weights = net.along(Binary::Multiply, decay, scores, &[0, 1, 2, 4, 5]);
        let element = net.compute();
        let weights = net.convert(weights, element);
        let y = net.einsum("bcgrls,bcsgrp->bclgrp", weights, chunks.inputs);
        net.convert(y, ElementType::F32)
    }

    /// What the state at the start of the chunk leaves, `[b, c, l, g, r, p]` in f32.
    fn carried(&self, net: &mut Net, chunks: &Chunks) -> ValueId {
        let shape = net.ty(chunks.decays).shape;
        let (last, element) = (shape[4] - 1, net.compute());
        let total = net.part(chunks.decays, 4, last..last + 1);
        let total = net.reshape(total, &shape[..4]);
        let left = net.broadcast(total, &shape, vec![0, 1, 2, 3]);
        let left = net.minus(left, chunks.decays);
        let left = net.map(Unary::Exponential, left);
        let left = net.transpose(left, vec![0, 1, 4, 2, 3]);
        let left = net.convert(left, element);
        let inputs = net.along(Binary::Multiply, chunks.inputs, left, &[0, 1, 2, 3, 4]);
        let states = net.einsum("bclgn,bclgrp->bcgrpn", chunks.writes, inputs);
        let states = net.convert(states, ElementType::F32);
        let starts = starts(net, states, total);
        let starts = net.convert(starts, element);
        let y = net.einsum("bclgn,bcgrpn->bclgrp", chunks.reads, starts);
        let y = net.convert(y, ElementType::F32);
        let decay = net.map(Unary::Exponential, chunks.decays);
        let decay = net.transpose(decay, vec![0, 1, 4, 2, 3]);
        net.along(Binary::Multiply, y, decay, &[0, 1, 2, 3, 4])
    }

    /// A norm over the elements of each group, behind a gate.
    fn gated_norm(&self, net: &mut Net, y: ValueId, gate: ValueId) -> ValueId {
        net.scoped("norm", |net| {
            let shape = net.ty(y).shape;
            let gate = net.convert(gate, ElementType::F32);
            let gate = Activation::Silu.write(net, gate);
            let y = net.times(y, gate);
            let y = net.split_last(y, &[self.groups, self.inner() / self.groups]);
            let square = net.times(y, y);
            let variance = net.mean(square);
            let variance = net.with(Binary::Add, variance, self.epsilon);
            let inverse = net.map(Unary::Rsqrt, variance);
            let y = net.along(Binary::Multiply, y, inverse, &[0, 1, 2]);
            let y = net.reshape(y, &shape);
            let weight = net.param_f32("norm.weight", &[self.inner()]);
            let y = net.along(Binary::Multiply, y, weight, &[2]);
            let element = net.compute();
            net.convert(y, element)
        })
    }
}

/// The state at the start of each chunk, of what chunks add to it, `[b, c, g, r, p, n]`, and the logarithms of what each
/// leaves of all before, `[b, c, g, r]`: a product with what is left between any two chunks.
fn starts(net: &mut Net, states: ValueId, totals: ValueId) -> ValueId {
    let shape = net.ty(totals).shape;
    let count = shape[1];
    let ends = net.running_sum(totals, 1);
    let begins = net.minus(ends, totals);
    let pairs = [shape[0], shape[2], shape[3], count, count];
    let up_to = net.transpose(begins, vec![0, 2, 3, 1]);
    let up_to = net.broadcast(up_to, &pairs, vec![0, 1, 2, 3]);
    let from = net.transpose(ends, vec![0, 2, 3, 1]);
    let from = net.broadcast(from, &pairs, vec![0, 1, 2, 4]);
    let between = net.minus(up_to, from);
    let [own, other] = [3, 4].map(|dim| net.iota(&pairs, ElementType::I32, dim));
    let is_before = net.compare(Direction::Greater, own, other);
    let between = net.masked(is_before, between, f64::NEG_INFINITY);
    let left = net.map(Unary::Exponential, between);
    net.einsum("bgrzc,bcgrpn->bzgrpn", left, states)
}
