//! The row that DualPipe and DualPipeV share: a group works on two streams of microbatches, of which one enters the
//! groups where the other leaves them, and pairs a forward pass of one with a backward pass of the other, so that the
//! transfers of each hide behind the work of the other.
//!
//! The eight parts of a row are those that DualPipe's authors give: forward passes of the first stream; of both; backward
//! passes of the second with gradients of parameters at once, to fill; pairs; backward passes of the second before
//! pairs; backward passes of both; those of the first between gradients of parameters; what is left of these.

use crate::row::{Cell, event};
use meshwright_plan::{Event, Phase};
use std::collections::VecDeque;

/// Row of a group that is `depth` away from the end of its first stream, of as many as `depths`. Each stream is a list of
/// stages and microbatches.
pub(crate) fn row(streams: [Vec<Cell>; 2], depth: usize, depths: usize) -> Vec<Event> {
    let count = streams[0].len();
    let behind = depths - 1 - depth;
    let mut row = Row { streams, done: [[0; 2]; 2], left: VecDeque::new(), events: Vec::new() };
    for _ in 0..2 * behind {
        row.forward(0);
    }
    for _ in 0..=depth {
        row.forward(0);
        row.forward(1);
    }
    for _ in 0..behind {
        row.input_gradient(1);
        row.weight_gradient();
        row.forward(1);
    }
    for _ in 0..count - 2 * depths + depth + 1 {
        row.forward(0);
        row.backward(1);
        row.forward(1);
        row.backward(0);
    }
    for _ in 0..behind {
        row.backward(1);
        row.forward(1);
        row.backward(0);
    }
    // In the second half of these, gradients of parameters are put off to fill what comes.
    for at in 0..2 * (depth + 1) {
        let stream = 1 - at % 2;
        if at <= depth { row.backward(stream) } else { row.input_gradient(stream) }
    }
    for _ in 0..behind {
        row.weight_gradient();
        row.input_gradient(0);
    }
    while !row.left.is_empty() {
        row.weight_gradient();
    }
    row.events
}

struct Row {
    streams: [Vec<Cell>; 2],
    /// Forward and backward passes so far, of each stream.
    done: [[usize; 2]; 2],
    /// Gradients of parameters that can be made.
    left: VecDeque<Cell>,
    events: Vec<Event>,
}

impl Row {
    fn next(&mut self, direction: usize, stream: usize) -> Cell {
        let at = &mut self.done[direction][stream];
        *at += 1;
        self.streams[stream][*at - 1]
    }

    fn forward(&mut self, stream: usize) {
        let cell = self.next(0, stream);
        self.events.push(event(Phase::Forward, cell));
    }

    fn backward(&mut self, stream: usize) {
        let cell = self.next(1, stream);
        self.events.push(event(Phase::Backward, cell));
    }

    fn input_gradient(&mut self, stream: usize) {
        let cell = self.next(1, stream);
        self.events.push(event(Phase::InputGradient, cell));
        self.left.push_back(cell);
    }

    fn weight_gradient(&mut self) {
        self.events.extend(self.left.pop_front().map(|cell| event(Phase::WeightGradient, cell)));
    }
}
