//! The time axis: what becomes of each value of a step whose batch is cut into microbatches that follow one another.
//!
//! Input: a function with calls inlined, the dims of its arguments that hold the batch ([`Seed`]), and how many
//! microbatches there are. Output: [`TimeAxis`]: the state of every value ([`InTime`]), the values that have to be put
//! together from all microbatches ([`Point`]), and in how many passes over the batch that can be done.
//!
//! It is one interpretation of the program, forwards, by the sharding rules of its ops: a factor that a device axis
//! could shard is one that time can cut. What is partial over time is accumulated. A value that is made from
//! accumulated ones waits for them: its *level* is the number of accumulations, one behind the other, that it waits for.
//! What is cut or partial at a level is computed in the pass of that level, and once more in every later pass that reads
//! it. A point is put together in the last pass, or in the pass of its level if a later pass needs it.
//!
//! Microbatch `m` of `n` holds the examples `m`, `m + n`, `m + 2n`, ...: wherever devices cut the batch into blocks, each
//! has its own part of every microbatch, and nothing moves. Where the step takes its batch apart, examples that follow one
//! another may stay together (`factors`).

mod factors;
mod passes;
mod refusal;
pub mod sequence;
mod states;

pub(crate) use factors::{CutFactor, Places, along, can_cut, factor_of};
pub use refusal::TimeRefusal;
use sequence::Carried;

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Def, Function};
use meshwright_ir::rule::ShardingRule;
use meshwright_ir::sharding::Reduction;
use std::collections::{BTreeMap, BTreeSet};

/// The most microbatches of a step: an axis of a mesh has no more parts.
pub const MOST: usize = 1 << 24;

/// A dim of an argument that holds the batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seed {
    /// Argument number.
    pub argument: usize,
    /// Its dim.
    pub dim: usize,
    /// How many examples, one behind the other, stay together.
    pub together: usize,
}

/// A dim that is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    /// The dim.
    pub dim: usize,
    /// How many of its elements, one behind the other, stay together.
    pub together: usize,
}

/// State of a value over the time axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InTime {
    /// The same in all microbatches.
    Same,
    /// Each microbatch has its examples, along this dim.
    Cut(Along),
    /// Each microbatch has a contribution.
    Partial(Reduction),
    /// Each microbatch has its own whole: what is computed from estimates ([`crate::statistics`]).
    Own,
}

/// State of a value, and what it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The state.
    pub kind: InTime,
    /// How many accumulations over all microbatches, one behind the other, it waits for.
    pub level: usize,
    /// Whether it is made within the loop over microbatches; only what is the same in all may not be.
    pub is_inside: bool,
}

impl State {
    /// The same in all microbatches, made outside of their loop.
    const OUTSIDE: Self = Self { kind: InTime::Same, level: 0, is_inside: false };
}

/// A value of the loop over microbatches that is needed outside of it, put together from all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    /// The value.
    pub value: ValueId,
    /// How its parts combine: by its state, those of what is cut side by side.
    pub kind: InTime,
    /// The pass in which that is done.
    pub pass: usize,
}

/// A function cut into microbatches.
#[derive(Clone, Debug)]
pub struct TimeAxis {
    /// Number of microbatches.
    pub count: usize,
    /// Number of examples of the whole batch.
    pub size: usize,
    /// Where arguments hold it.
    pub seeds: Vec<Seed>,
    /// State of each value.
    pub states: Table<ValueId, State>,
    /// The factor along which time cuts each instruction.
    pub(crate) cut: Table<InstId, Option<CutFactor>>,
    /// The sharding rule of each instruction that works on whole tensors.
    pub rules: Table<InstId, ShardingRule>,
    /// What is put together, in the order in which it is made.
    pub points: Vec<Point>,
    /// The pass in which each value is put together.
    pub pass_of: Table<ValueId, Option<usize>>,
    /// Number of passes over the batch, the last included.
    pub passes: usize,
    /// Instructions that need the batch whole.
    pub whole: Vec<InstId>,
    /// Values that stand for a sum over the batch, and are estimated from the contribution of one microbatch.
    pub estimates: BTreeSet<ValueId>,
    /// Values of one slice of a sequence that others read too.
    pub carried: BTreeMap<ValueId, Carried>,
}

impl TimeAxis {
    /// Cuts a function into `count` microbatches.
    ///
    /// # Errors
    /// The batch does not divide, or into too many; a loop needs all of it at once; nothing is cut.
    pub fn new(function: &Function, seeds: &[Seed], count: usize) -> Result<Self, TimeRefusal> {
        Self::with_estimates(function, seeds, count, BTreeSet::new())
    }

    /// The same of a function with estimates.
    ///
    /// # Errors
    /// As [`TimeAxis::new`]; what is computed from estimates is needed outside of the loop.
    pub fn with_estimates(
        function: &Function,
        seeds: &[Seed],
        count: usize,
        estimates: BTreeSet<ValueId>,
    ) -> Result<Self, TimeRefusal> {
        let size = batch_size(function, seeds, count)?;
        if count > MOST {
            return Err(TimeRefusal::TooMany { count });
        }
        let states::Found { states, cut, rules, whole } =
            states::of(function, seeds, size, count, &estimates)?;
        let (points, passes) = passes::of(function, &states, &whole, &estimates);
        if points.is_empty() {
            return Err(whole.first().map_or(TimeRefusal::NoBatch, |inst| TimeRefusal::Apart(*inst)));
        }
        for point in points.iter().filter(|point| point.kind == InTime::Own) {
            if let Def::Result(inst, _) = function.body.values[point.value].def {
                return Err(TimeRefusal::Whole(inst));
            }
        }
        let mut pass_of = Table::filled(None, function.body.values.len());
        points.iter().for_each(|point| pass_of[point.value] = Some(point.pass));
        Ok(Self {
            count,
            size,
            seeds: seeds.to_vec(),
            states,
            cut,
            rules,
            points,
            pass_of,
            passes,
            whole,
            estimates,
            carried: BTreeMap::new(),
        })
    }
}

/// Numbers of equal parts that a dim of this size can be cut into, the fewest first.
pub fn divisors(size: usize) -> Vec<usize> {
    let low: Vec<usize> =
        (1..).take_while(|part| *part <= size / part).filter(|part| size.is_multiple_of(*part)).collect();
    let high = low.iter().rev().map(|part| size / part).filter(|part| !low.contains(part));
    low.iter().copied().chain(high).collect()
}

/// The number of examples: that of the smallest dim, which all others are multiples of.
fn batch_size(function: &Function, seeds: &[Seed], count: usize) -> Result<usize, TimeRefusal> {
    let size = |seed: &Seed| function.body.tensor(function.args()[seed.argument]).shape[seed.dim];
    let smallest = seeds.iter().map(size).min().ok_or(TimeRefusal::NoBatch)?;
    let together = seeds.iter().map(|seed| seed.together).max().unwrap_or(1);
    let whole = count.checked_mul(together).filter(|whole| *whole > 0 && smallest.is_multiple_of(*whole));
    if smallest == 0 || whole.is_none() {
        let seed = seeds.iter().find(|seed| size(seed) == smallest).copied();
        let seed = seed.ok_or(TimeRefusal::NoBatch)?;
        return Err(TimeRefusal::Indivisible { seed, size: smallest, count });
    }
    match seeds.iter().find(|seed| !size(seed).is_multiple_of(smallest)) {
        Some(seed) => Err(TimeRefusal::Indivisible { seed: *seed, size: size(seed), count }),
        None => Ok(smallest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::read;

    #[test]
    fn each_divisor_is_there_once() {
        for size in 0..50_usize {
            let all: Vec<usize> = (1..=size).filter(|part| size.is_multiple_of(*part)).collect();
            assert_eq!(divisors(size), all);
        }
        assert_eq!(divisors(1 << 40).len(), 41);
    }

    /// `%c` begins with zeros, and holds examples from the second turn on: they are no contribution.
    #[test]
    fn what_began_with_zeros_may_hold_examples_later() {
        let text = "
func.func @main(%x: tensor<8x8xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %0:3 = stablehlo.while(%i = %zero, %c = %zeros, %t = %zeros) : tensor<i32>, tensor<8x4xf32>, tensor<8x4xf32>
  cond {
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %d = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %q = stablehlo.add %d, %c : tensor<8x4xf32>
    %e = stablehlo.add %t, %q : tensor<8x4xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y, %e : tensor<i32>, tensor<8x4xf32>, tensor<8x4xf32>
  }
  return %0#2 : tensor<8x4xf32>
}";
        let program = read(&Source::new("test", text)).unwrap();
        let seeds = [0, 1].map(|argument| Seed { argument, dim: 0, together: 1 });
        let found = TimeAxis::new(&program.functions[0], &seeds, 2);
        assert!(matches!(found, Err(TimeRefusal::EarlySum(_))), "{found:?}");
    }

    #[test]
    fn there_are_not_more_microbatches_than_an_axis_has_parts() {
        let text = "
func.func @main(%x: tensor<33554432xf32>) -> tensor<33554432xf32> {
  %y = stablehlo.tanh %x : tensor<33554432xf32>
  return %y : tensor<33554432xf32>
}";
        let program = read(&Source::new("test", text)).unwrap();
        let cut = |count: usize| {
            TimeAxis::new(&program.functions[0], &[Seed { argument: 0, dim: 0, together: 1 }], count)
                .map(|axis| axis.count)
        };
        assert_eq!(cut(MOST), Ok(MOST));
        assert_eq!(cut(2 * MOST), Err(TimeRefusal::TooMany { count: 2 * MOST }));
    }
}
