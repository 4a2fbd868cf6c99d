//! Normal form: a function in which every value is made once, for those who ask what depends on what.
//!
//! Input: a flat function ([`crate::flatten`]). Output: [`Normal`], a function that computes the same, where all of the
//! old one is in it, and what its barriers guarded. Microbatches, recomputation, tiles and stages are decided on it, since
//! what a program says twice, or carries through a loop for nobody, ties together what has nothing to do with one
//! another.
//!
//! Each file finds one kind of what need not be there, in the function as it is: [`barriers`], [`numbering`] (equal
//! instructions, and in loops what never changes or is carried twice), `live`. What a value is read as instead is kept
//! in one table ([`same`]), and the new function is written at the end, once ([`write`]).
//!
//! ```text
//! %a = tanh %x                             %a = tanh %x
//! %g = optimization_barrier %x             %r = while(%i = %0) { ... multiply %i, %a ... }
//! %b = tanh %g
//! %r:2 = while(%i = %0, %c = %b) { ... multiply %i, %c ... return %j, %c }
//! ```

mod barriers;
mod live;
mod numbering;
mod same;
mod write;

pub use barriers::Guard;

use barriers::guards;
use live::Live;
use meshwright_ir::ids::ValueId;
use meshwright_ir::program::Function;
use meshwright_ir::rewrite::{Rewritten, Trace, ValueMap};
use numbering::Numbered;
use same::Same;

/// Fate of the `optimization_barrier`s of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Barriers {
    /// They stay, and what they keep apart is not merged: what a user recomputes is recomputed.
    Kept,
    /// They go, and what was recomputed behind them is made once.
    Dropped,
}

/// A function in normal form.
#[derive(Clone, Debug)]
pub struct Normal {
    /// The function.
    pub function: Function,
    /// Where all that is in it comes from in the old one.
    pub trace: Trace,
    /// Where each value of the old one is in it; `None` where nobody needs it.
    pub values: ValueMap,
    /// What each dropped barrier guarded, in their order; of none that was kept.
    pub guards: Vec<Guard>,
}

/// Brings a verified function with calls inlined into its normal form.
pub fn normal(function: &Function, barriers: Barriers) -> Normal {
    let body = &function.body;
    let numbered = Numbered::new(body, barriers);
    let same = Same::of(body, &numbered, barriers);
    let live = Live::of(body, &same);
    let Rewritten { body: written, mut values, trace } = write::written(body, &same, &live);
    for value in body.values.ids() {
        values[value] = values[same.of_value(value)];
    }
    let guards = match barriers {
        Barriers::Kept => Vec::new(),
        Barriers::Dropped => guards(body, &numbered, &values),
    };
    Normal { function: Function { body: written, ..function.clone() }, trace, values, guards }
}

/// Where old values are in the new function, those that nobody needs left out.
fn found(values: &ValueMap, old: &[ValueId]) -> Vec<ValueId> {
    old.iter().filter_map(|value| values[*value]).collect()
}
