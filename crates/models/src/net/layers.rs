//! Layers one after the other: those that repeat are one loop over stacks of their parameters.
//!
//! [`runs`] finds what repeats in a list of layers: a run is a pattern of one or more layers, and how often it comes one
//! after the other. A model of equal layers is one run; one that alternates has a pattern of two.

use super::{Net, Turn};
use crate::options::LayerForm;
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::ValueId;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_tensor::names::braces;
use meshwright_tensor::types::{ElementType, TensorType};

/// Longest pattern that is looked for.
const LONGEST: usize = 16;

/// A pattern of layers that repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// First layer.
    pub start: usize,
    /// Layers of the pattern.
    pub period: usize,
    /// How often it comes.
    pub count: usize,
}

/// The runs of a list of layers, in order: at each place the one that reaches furthest, and of those the shortest pattern.
pub fn runs<T: PartialEq>(layers: &[T]) -> Vec<Run> {
    let mut found = Vec::new();
    let mut start = 0;
    while start < layers.len() {
        let rest = &layers[start..];
        let repeats = |period: usize| {
            let pattern = &rest[..period];
            rest.chunks_exact(period).take_while(|chunk| *chunk == pattern).count()
        };
        let candidates =
            (1..=LONGEST.min(rest.len())).map(|period| Run { start, period, count: repeats(period) });
        let best =
            candidates.filter(|run| run.count > 1).fold(Run { start, period: 1, count: 1 }, |best, run| {
                if run.period * run.count > best.period * best.count { run } else { best }
            });
        start += best.period * best.count;
        found.push(best);
    }
    found
}

impl Net {
    /// Writes layers one after the other, each making of `value` what the next one takes. `prefix` is what parameters of
    /// layers are called, in front of the layer's number.
    pub fn layers<L: PartialEq>(
        &mut self,
        prefix: &str,
        layers: &[L],
        value: ValueId,
        write: &mut dyn FnMut(&mut Self, &L, ValueId) -> ValueId,
    ) -> ValueId {
        self.depth += layers.len();
        let found = match self.options.layers {
            LayerForm::Loop => runs(layers),
            LayerForm::WrittenOut => {
                (0..layers.len()).map(|start| Run { start, period: 1, count: 1 }).collect()
            }
        };
        found.into_iter().fold(value, |value, run| {
            let pattern = &layers[run.start..run.start + run.period];
            if run.count == 1 {
                self.pattern(prefix, run, pattern, value, write)
            } else {
                self.run(prefix, run, pattern, value, write)
            }
        })
    }

    fn run<L>(
        &mut self,
        prefix: &str,
        run: Run,
        pattern: &[L],
        value: ValueId,
        write: &mut dyn FnMut(&mut Self, &L, ValueId) -> ValueId,
    ) -> ValueId {
        let number = TensorType::scalar(ElementType::I32);
        let begin = self.splat(number.clone(), 0.0);
        let carried = self.repeat(
            &[begin, value],
            |net, args| {
                let end = net.splat(number.clone(), run.count as f64);
                net.compare(Direction::Less, args[0], end)
            },
            |net, args| {
                let around = net.turn.replace(Turn { counter: args[0], count: run.count });
                let value = net.pattern(prefix, run, pattern, args[1], write);
                net.turn = around;
                vec![net.with_number(Binary::Add, args[0], 1), value]
            },
        );
        carried[1]
    }

    fn pattern<L>(
        &mut self,
        prefix: &str,
        run: Run,
        pattern: &[L],
        value: ValueId,
        write: &mut dyn FnMut(&mut Self, &L, ValueId) -> ValueId,
    ) -> ValueId {
        pattern.iter().enumerate().fold(value, |value, (place, layer)| {
            let name = format!("{prefix}.{}", braces(run.start + place, run.period, run.count));
            self.within(&name, "layers", |net| write(net, layer, value))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(layers: &str) -> Vec<(usize, usize, usize)> {
        let layers: Vec<char> = layers.chars().collect();
        runs(&layers).into_iter().map(|run| (run.start, run.period, run.count)).collect()
    }

    #[test]
    fn what_repeats_is_found() {
        assert_eq!(found("aaaa"), [(0, 1, 4)]);
        assert_eq!(found("abab"), [(0, 2, 2)]);
        assert_eq!(found("dmmmm"), [(0, 1, 1), (1, 1, 4)]);
        assert_eq!(found("lllllglllllgll"), [(0, 6, 2), (12, 1, 2)]);
        assert_eq!(found("ab"), [(0, 1, 1), (1, 1, 1)]);
        assert_eq!(found(""), []);
    }
}
