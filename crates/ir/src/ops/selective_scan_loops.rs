//! What `meshwright.selective_scan` stands for, and what it passes back, as loops.
//!
//! A sequence is cut into about as many chunks as a chunk has tokens, whole ones where it divides so. A first loop goes over the places in a chunk, for all
//! chunks at once, as if each began without states; a second one goes over the chunks, and says with which states each
//! begins. What these leave at each place follows from the sum of all steps up to there:
//!
//! ```text
//! h = h from zero + exp(a (s of the first place + ... + s of this one)) h at the start of the chunk
//! ```
//!
//! Passed back, the same goes from the end to the start. All is computed in f32 at least.
//!
//! Letters of dims: `b` sequence, `c` chunk, `l` place in a chunk, `d` channel, `n` state.

use crate::build::Builder;
use crate::ids::ValueId;
use crate::ops::binary::Binary;
use crate::ops::compare::Direction;
use crate::ops::dynamic_slice::DynamicSlice;
use crate::ops::dynamic_update_slice::DynamicUpdateSlice;
use crate::ops::pad::Pad;
use crate::ops::slice::Slice;
use crate::ops::unary::Unary;
use meshwright_tensor::types::{ElementType, TensorType};

/// The operands of a scan.
pub(crate) struct Scan {
    inputs: ValueId,
    steps: ValueId,
    rates: ValueId,
    writes: ValueId,
    reads: ValueId,
}

impl Scan {
    /// The operands in their order.
    pub(crate) fn of(operands: &[ValueId]) -> Self {
        let [inputs, steps, rates, writes, reads] = [0, 1, 2, 3, 4].map(|index| operands[index]);
        Self { inputs, steps, rates, writes, reads }
    }
}

/// The result of a scan.
pub(crate) fn forward<B: Builder>(b: &mut B, scan: &Scan) -> ValueId {
    let element = b.ty(scan.inputs).element;
    let chunks = Chunks::of(b, scan);
    let ty = b.ty(chunks.steps);
    let local = chunks.local(b, ty, |b, state, reads| {
        let rank = b.ty(state).rank();
        let reads = over_channels(b, reads, state);
        let read = b.times(state, reads);
        b.sum(read, vec![rank - 1])
    });
    let starts = chunks.starts(b, &local);
    let left = chunks.decays(b, local.sums);
    let left = times_of_chunks(b, left, starts);
    let reads = over_channels(b, chunks.reads, left);
    let read = b.times(left, reads);
    let read = b.sum(read, vec![4]);
    let result = b.plus(local.made, read);
    chunks.joined(b, result, element)
}

/// The cotangents of the operands, in their order, made of that of the result.
pub(crate) fn backward<B: Builder>(b: &mut B, scan: &Scan, cotangent: ValueId) -> [ValueId; 5] {
    let elements =
        [scan.inputs, scan.steps, scan.rates, scan.writes, scan.reads].map(|value| b.ty(value).element);
    let chunks = Chunks::of(b, scan);
    let cotangent = chunks.cut(b, cotangent);
    let ty = chunks.of_states(b);
    let local = chunks.local(b, ty, |_, state, _| state);
    let starts = chunks.starts(b, &local);
    let left = chunks.decays(b, local.sums);
    let left = times_of_chunks(b, left, starts);
    let states = b.plus(local.made, left);
    let adjoints = chunks.adjoints(b, &local, cotangent);

    let over_states = |b: &mut B, value: ValueId| {
        let shape = b.ty(states).shape;
        b.broadcast(value, &shape, vec![0, 1, 2, 3])
    };
    let cotangents = over_states(b, cotangent);
    let read = b.times(states, cotangents);
    let to_reads = b.sum(read, vec![3]);
    let written = b.times(chunks.inputs, chunks.steps);
    let writing = over_states(b, written);
    let to_writes = b.times(adjoints, writing);
    let to_writes = b.sum(to_writes, vec![3]);
    let writes = over_channels(b, chunks.writes, states);
    let to_written = b.times(adjoints, writes);
    let to_written = b.sum(to_written, vec![4]);
    // What is left of the state before, which is what a decay multiplies: the state without what was added to it.
    let added = b.times(writing, writes);
    let kept = b.minus(states, added);
    let to_decays = b.times(adjoints, kept);
    let rates = spread(b, chunks.rates, to_decays, vec![3, 4]);
    let by_rates = b.times(to_decays, rates);
    let by_rates = b.sum(by_rates, vec![4]);
    let by_inputs = b.times(to_written, chunks.inputs);
    let to_steps = b.plus(by_rates, by_inputs);
    let to_inputs = b.times(to_written, chunks.steps);
    let steps = over_states(b, chunks.steps);
    let to_rates = b.times(to_decays, steps);
    let to_rates = b.sum(to_rates, vec![0, 1, 2]);
    let [inputs, steps, rates, writes, reads] = elements;
    [
        chunks.joined(b, to_inputs, inputs),
        chunks.joined(b, to_steps, steps),
        b.convert(to_rates, rates),
        chunks.joined(b, to_writes, writes),
        chunks.joined(b, to_reads, reads),
    ]
}

/// The operands in chunks, `[b, c, l, ...]`, but for rates, `[d, n]`.
struct Chunks {
    inputs: ValueId,
    steps: ValueId,
    rates: ValueId,
    writes: ValueId,
    reads: ValueId,
    /// Tokens of a sequence.
    length: usize,
    /// Chunks of a sequence, and tokens of a chunk.
    counts: [usize; 2],
    /// The type that all is computed in.
    element: ElementType,
}

/// Tokens of a chunk of a sequence: the fewest that are no fewer than its chunks. Up to twice as many are better than a last
/// chunk that has to be filled.
fn tokens_of_chunk(length: usize) -> usize {
    let least = (1..).find(|size| size * size >= length).unwrap_or(length).max(1);
    (least..=2 * least).find(|size| length.is_multiple_of(*size)).unwrap_or(least)
}

/// What chunks make that begin without states.
struct Local {
    /// States at the ends of chunks, `[b, c, d, n]`.
    ends: ValueId,
    /// Sums of the steps of each place and all before, `[b, c, l, d]`.
    sums: ValueId,
    /// Sums of the steps of each chunk, `[b, c, d]`.
    totals: ValueId,
    /// What was asked for at each place.
    made: ValueId,
}

impl Chunks {
    fn of<B: Builder>(b: &mut B, scan: &Scan) -> Self {
        let length = b.ty(scan.inputs).shape[1];
        let chunk = tokens_of_chunk(length);
        let all = [scan.inputs, scan.steps, scan.rates, scan.writes, scan.reads];
        let is_wide = all.into_iter().any(|value| b.ty(value).element == ElementType::F64);
        let element = if is_wide { ElementType::F64 } else { ElementType::F32 };
        let rates = b.convert(scan.rates, element);
        let counts = [length.div_ceil(chunk), chunk];
        let mut chunks =
            Self { inputs: rates, steps: rates, rates, writes: rates, reads: rates, length, counts, element };
        let [inputs, steps] = [scan.inputs, scan.steps].map(|value| chunks.cut(b, value));
        let [writes, reads] = [scan.writes, scan.reads].map(|value| chunks.cut(b, value));
        chunks = Self { inputs, steps, writes, reads, ..chunks };
        chunks
    }

    /// `[b, t, w]` as `[b, c, l, w]`, with zeros behind the last token.
    fn cut<B: Builder>(&self, b: &mut B, value: ValueId) -> ValueId {
        let ty = b.ty(value);
        let [count, chunk] = self.counts;
        let missing = count * chunk - self.length;
        let mut padded = value;
        if missing > 0 {
            let zero = b.splat(TensorType::scalar(ty.element), 0.0);
            let pad = Pad { low: vec![0; 3], high: vec![0, missing as i64, 0], interior: vec![0; 3] };
            padded = b.add(pad, &[value, zero]);
        }
        let cut = b.reshaped(padded, &[ty.shape[0], count, chunk, ty.shape[2]]);
        b.convert(cut, self.element)
    }

    /// `[b, c, l, w]` as `[b, t, w]`.
    fn joined<B: Builder>(&self, b: &mut B, value: ValueId, element: ElementType) -> ValueId {
        let shape = b.ty(value).shape;
        let value = b.convert(value, element);
        let padded = shape[1] * shape[2];
        let value = b.reshaped(value, &[shape[0], padded, shape[3]]);
        if padded == self.length {
            return value;
        }
        let limit = vec![shape[0], self.length, shape[3]];
        b.add(Slice { start: vec![0; 3], limit, stride: vec![1; 3] }, &[value])
    }

    /// What is left of states, `[..., d, n]`, behind steps that add up to `sums`, `[..., d]`.
    fn decays<B: Builder>(&self, b: &mut B, sums: ValueId) -> ValueId {
        let rates = b.ty(self.rates).shape;
        let shape = [&b.ty(sums).shape[..], &rates[1..]].concat();
        let rank = shape.len();
        let sums = b.broadcast(sums, &shape, (0..rank - 1).collect());
        let rates = b.broadcast(self.rates, &shape, vec![rank - 2, rank - 1]);
        let exponents = b.times(sums, rates);
        b.unary(Unary::Exponential, exponents)
    }

    /// All chunks from states of zero; `make` takes the states behind each place and the vector that reads them, and makes
    /// a part of a value of type `made`.
    fn local<B: Builder>(
        &self,
        b: &mut B,
        made: TensorType,
        make: impl FnOnce(&mut B, ValueId, ValueId) -> ValueId,
    ) -> Local {
        let [sums, state] = self.nothing(b);
        let read = [self.inputs, self.steps, self.writes, self.reads];
        let along = Along { dim: 2, backwards: false };
        let made = vec![made, b.ty(self.steps)];
        let (carried, made) = along.each(b, &read, &[state, sums], made, |b, parts, carried| {
            let decay = self.decays(b, parts[1]);
            let left = b.times(carried[0], decay);
            let written = b.times(parts[0], parts[1]);
            let written = spread(b, written, left, vec![0, 1, 2]);
            let writes = over_channels(b, parts[2], left);
            let added = b.times(written, writes);
            let state = b.plus(left, added);
            let sums = b.plus(carried[1], parts[1]);
            let made = make(b, state, parts[3]);
            Turn { next: vec![state, sums], made: vec![made, sums] }
        });
        Local { ends: carried[0], totals: carried[1], made: made[0], sums: made[1] }
    }

    /// The type of the states behind each place, `[b, c, l, d, n]`.
    fn of_states<B: Builder>(&self, b: &mut B) -> TensorType {
        let (steps, rates) = (b.ty(self.steps).shape, b.ty(self.rates).shape);
        TensorType::new([&steps[..], &rates[1..]].concat(), self.element)
    }

    /// Zeros of the shapes of a place's steps, `[b, c, d]`, and of states, `[b, c, d, n]`.
    fn nothing<B: Builder>(&self, b: &mut B) -> [ValueId; 2] {
        let (shape, rates) = (b.ty(self.steps).shape, b.ty(self.rates).shape);
        let steps = [shape[0], shape[1], shape[3]];
        let states = [&steps[..], &rates[1..]].concat();
        let [steps, states] = [steps.to_vec(), states].map(|shape| TensorType::new(shape, self.element));
        [b.splat(steps, 0.0), b.splat(states, 0.0)]
    }

    /// States at the starts of chunks, `[b, c, d, n]`.
    fn starts<B: Builder>(&self, b: &mut B, local: &Local) -> ValueId {
        self.carried(b, local.ends, local.totals, false)
    }

    /// What each chunk is handed by the one before (or behind, backwards), of what each adds and what it leaves.
    fn carried<B: Builder>(&self, b: &mut B, adds: ValueId, totals: ValueId, backwards: bool) -> ValueId {
        let decays = self.decays(b, totals);
        let shape = b.ty(adds).shape;
        let nothing = TensorType::new([&shape[..1], &shape[2..]].concat(), self.element);
        let nothing = b.splat(nothing, 0.0);
        let along = Along { dim: 1, backwards };
        let made = vec![b.ty(adds)];
        let (_, made) = along.each(b, &[adds, decays], &[nothing], made, |b, parts, carried| {
            let left = b.times(carried[0], parts[1]);
            let next = b.plus(left, parts[0]);
            Turn { next: vec![next], made: vec![carried[0]] }
        });
        made[0]
    }

    /// Cotangents of the states behind each place, `[b, c, l, d, n]`.
    fn adjoints<B: Builder>(&self, b: &mut B, local: &Local, cotangent: ValueId) -> ValueId {
        let [_, nothing] = self.nothing(b);
        let read = [cotangent, self.reads, self.steps];
        let along = Along { dim: 2, backwards: true };
        let made = vec![self.of_states(b)];
        let (carried, made) = along.each(b, &read, &[nothing], made, |b, parts, carried| {
            let cotangents = spread(b, parts[0], carried[0], vec![0, 1, 2]);
            let reads = over_channels(b, parts[1], carried[0]);
            let own = b.times(cotangents, reads);
            let adjoint = b.plus(own, carried[0]);
            let decay = self.decays(b, parts[2]);
            let next = b.times(adjoint, decay);
            Turn { next: vec![next], made: vec![adjoint] }
        });
        let ends = self.carried(b, carried[0], local.totals, true);
        let shape = b.ty(local.sums).shape;
        let totals = b.broadcast(local.totals, &shape, vec![0, 1, 3]);
        let rest = b.minus(totals, local.sums);
        let left = self.decays(b, rest);
        let left = times_of_chunks(b, left, ends);
        b.plus(made[0], left)
    }
}

/// A loop along a dim.
#[derive(Clone, Copy)]
struct Along {
    dim: usize,
    backwards: bool,
}

/// What a turn of a loop makes.
struct Turn {
    /// What it hands to the next.
    next: Vec<ValueId>,
    /// Parts of the results, at its position.
    made: Vec<ValueId>,
}

impl Along {
    /// Goes over all positions: `turn` takes the parts of `read` there and what is carried. Gives what is carried in the
    /// end, and what turns made, put together along the dim to values of the types `made`.
    fn each<B: Builder>(
        self,
        b: &mut B,
        read: &[ValueId],
        start: &[ValueId],
        made: Vec<TensorType>,
        turn: impl FnOnce(&mut B, &[ValueId], &[ValueId]) -> Turn,
    ) -> (Vec<ValueId>, Vec<ValueId>) {
        let count = b.ty(read[0]).shape[self.dim];
        let number = TensorType::scalar(ElementType::I32);
        let first = b.splat(number.clone(), 0.0);
        let empty: Vec<ValueId> = made.into_iter().map(|ty| b.splat(ty, 0.0)).collect();
        let init = [&[first][..], start, &empty].concat();
        let held = 1 + start.len();
        let carried = b.repeat(
            &init,
            |b, args| {
                let end = b.splat(number.clone(), count as f64);
                b.compare(Direction::Less, args[0], end)
            },
            |b, args| {
                let last = b.splat(number.clone(), count as f64 - 1.0);
                let at = if self.backwards { b.minus(last, args[0]) } else { args[0] };
                let parts: Vec<ValueId> = read.iter().map(|value| self.part(b, *value, at)).collect();
                let made = turn(b, &parts, &args[1..held]);
                let filled =
                    args[held..].iter().zip(&made.made).map(|(all, part)| self.with(b, *all, *part, at));
                let filled: Vec<ValueId> = filled.collect();
                let next = b.with_number(Binary::Add, args[0], 1);
                [&[next][..], &made.next, &filled].concat()
            },
        );
        (carried[1..held].to_vec(), carried[held..].to_vec())
    }

    /// The part of a value at a position, without the dim.
    fn part<B: Builder>(self, b: &mut B, value: ValueId, at: ValueId) -> ValueId {
        let shape = b.ty(value).shape;
        let operands = [&[value][..], &self.place(b, shape.len(), at)].concat();
        let part = b.add(DynamicSlice { sizes: self.with_size(&shape, 1) }, &operands);
        let kept: Vec<usize> =
            (0..shape.len()).filter(|dim| *dim != self.dim).map(|dim| shape[dim]).collect();
        b.reshaped(part, &kept)
    }

    /// A value with another part at a position.
    fn with<B: Builder>(self, b: &mut B, value: ValueId, part: ValueId, at: ValueId) -> ValueId {
        let shape = b.ty(value).shape;
        let part = b.reshaped(part, &self.with_size(&shape, 1));
        let operands = [&[value, part][..], &self.place(b, shape.len(), at)].concat();
        b.add(DynamicUpdateSlice, &operands)
    }

    fn with_size(self, shape: &[usize], size: usize) -> Vec<usize> {
        shape.iter().enumerate().map(|(dim, own)| if dim == self.dim { size } else { *own }).collect()
    }

    fn place<B: Builder>(self, b: &mut B, rank: usize, at: ValueId) -> Vec<ValueId> {
        let zero = b.splat(TensorType::scalar(ElementType::I32), 0.0);
        (0..rank).map(|dim| if dim == self.dim { at } else { zero }).collect()
    }
}

/// What is left at each place, `[b, c, l, d, n]`, times what chunks are handed, `[b, c, d, n]`.
fn times_of_chunks<B: Builder>(b: &mut B, left: ValueId, handed: ValueId) -> ValueId {
    let handed = spread(b, handed, left, vec![0, 1, 3, 4]);
    b.times(left, handed)
}

/// A value in the shape of another, of which it has the dims `dims`.
fn spread<B: Builder>(b: &mut B, value: ValueId, like: ValueId, dims: Vec<usize>) -> ValueId {
    let shape = b.ty(like).shape;
    b.broadcast(value, &shape, dims)
}

/// Vectors of states, `[..., n]`, for each channel: `[..., d, n]`.
fn over_channels<B: Builder>(b: &mut B, vectors: ValueId, like: ValueId) -> ValueId {
    let rank = b.ty(like).rank();
    let dims = (0..rank - 2).chain([rank - 1]).collect();
    spread(b, vectors, like, dims)
}

#[cfg(test)]
mod tests {
    use super::tokens_of_chunk;

    #[test]
    fn chunks_are_whole_where_sequences_divide_into_about_as_many() {
        let lengths = [1, 2, 12, 97, 4096, 8192, 262_144];
        assert_eq!(lengths.map(tokens_of_chunk), [1, 2, 4, 10, 64, 128, 512]);
    }
}
