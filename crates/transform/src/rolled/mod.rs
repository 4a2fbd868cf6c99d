//! Layers that stand one behind the other as a loop over their stacks.
//!
//! Input: a function without calls, and of which layer each of its arguments is. Output: [`Rolled`]: stretches of
//! instructions that do the same for one layer after the other, with what each reads of the turn before it, of its own layer,
//! and of all; then the same function with a loop for each stretch, in which arguments and results that are layers of one stack
//! may be one stack.
//!
//! ```text
//! %h = dot %x, %w0                     %h = while (%i = 0, %y = %x) while %i < 2
//! %y = dot %h, %w1                            %w = dynamic_slice %stack, %i
//!                                             dot %y, %w
//! ```
//!
//! Nothing is computed otherwise, or in another order along a chain of values: turns are instructions as they are written.
//! What depends on no layer and several of them read stands in front, and where instructions of layers lie between one another,
//! as in an update that goes from instruction to instruction, they are sorted by layers first. A loop is taken only if each of
//! its turns reads the same as the others: what it made itself, what the turn before left, what is the same for all, or its own
//! layer.

mod alike;
#[cfg(test)]
mod number_tests;
mod order;
mod repeats;
mod stacks;
#[cfg(test)]
mod tests;
mod write;

use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Function;

use order::Flow;
use repeats::{Loop, Repeats};
pub use stacks::Way;
use write::Writer;

/// An argument of a function with loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Taken {
    /// An argument as it is.
    One(usize),
    /// Arguments as layers of a stack.
    Stack {
        /// They, in the order of the stack.
        arguments: Vec<usize>,
        /// How they stand in it.
        way: Way,
    },
}

/// A result of a function with loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// A result as it is.
    One(usize),
    /// Results, or arguments that stay as they are, as layers of a stack.
    Stack {
        /// They, in the order of the stack.
        layers: Vec<Layer>,
        /// How they stand in it.
        way: Way,
    },
}

/// A layer of a stack that a function gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layer {
    /// A result.
    Result(usize),
    /// An argument, as it was taken.
    Argument(usize),
}

impl Layer {
    /// The value that it is in a function.
    fn value(self, function: &Function) -> ValueId {
        match self {
            Self::Result(index) => function.returned()[index],
            Self::Argument(index) => function.args()[index],
        }
    }
}

/// A function, and the loops that are in it.
pub struct Rolled<'a> {
    flow: Flow<'a>,
    repeats: Repeats,
}

impl<'a> Rolled<'a> {
    /// Finds the loops of a function; `ranks` says of each argument that is of a layer which one.
    pub fn of(function: &'a Function, ranks: &[Option<usize>]) -> Self {
        let flow = Flow::new(function, ranks);
        let repeats = Repeats::of(&flow);
        Self { flow, repeats }
    }

    /// Those of its loops that read no arguments as layers but those that will be in stacks, so that nothing large is put together
    /// for them.
    pub fn of_stacks(function: &'a Function, ranks: &[Option<usize>], is_stacked: &[bool]) -> Self {
        let mut flow = Flow::new(function, ranks);
        let args = function.args().iter().zip(is_stacked);
        flow.apart = args.filter(|(_, is_stacked)| !**is_stacked).map(|(arg, _)| *arg).collect();
        let repeats = Repeats::of(&flow);
        Self { flow, repeats }
    }

    /// Number of turns of each loop.
    pub fn turns(&self) -> Vec<usize> {
        self.repeats.loops.iter().map(|own| own.turns).collect()
    }

    /// Arguments, or other values from around a loop, of which each turn reads one: those of the first layer first.
    pub fn layers(&self) -> impl Iterator<Item = Vec<ValueId>> {
        self.repeats.loops.iter().flat_map(|own| {
            let is_down = self.is_down(own);
            own.layers.iter().map(move |values| match is_down {
                true => values.iter().rev().copied().collect(),
                false => values.clone(),
            })
        })
    }

    /// Whether a loop goes from the last layer to the first one.
    fn is_down(&self, own: &Loop) -> bool {
        own.layers.iter().any(|values| {
            let ranks: Vec<usize> =
                values.iter().filter_map(|value| self.flow.ranks.get(value).copied()).collect();
            ranks.len() == values.len() && ranks.windows(2).all(|pair| pair[0] > pair[1])
        })
    }

    /// The function with its loops, and these arguments and results.
    pub fn written(&self, arguments: &[Taken], results: &[Given]) -> Function {
        Writer::new(&self.flow, &self.repeats).function(arguments, results)
    }
}
