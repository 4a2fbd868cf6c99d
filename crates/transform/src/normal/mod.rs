//! Normal form: a function in which every value is made once, for those who ask what depends on what.
//!
//! Input: a flat function ([`crate::flatten`]). Output: [`Normal`], a function that computes the same, where all of the
//! old one is in it, and what its barriers guarded. What is made again, where that is chosen anew, and the
//! stages of pipelines are decided on it, since what a program says twice, or carries through a loop for nobody, ties
//! together what has nothing to do with one another.
//!
//! Each file finds one kind of what need not be there, in the function as it is: [`barriers`], [`numbering`] (equal
//! instructions, and in loops what never changes or is carried twice), `live`. What a value is read as instead is kept
//! in one table ([`same`]), and the new function is written at the end, once ([`mod@write`]).
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
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Function, Inst};
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
    Normal { function: function.with_body(written), trace, values, guards }
}

/// A body without what nobody needs, and without what its loops carry for nobody.
pub(crate) fn needed(body: &Body) -> Rewritten {
    let same = Same::none(body);
    write::written(body, &same, &Live::of(body, &same))
}

/// Where old values are in the new function, those that nobody needs left out.
fn found(values: &ValueMap, old: &[ValueId]) -> Vec<ValueId> {
    old.iter().filter_map(|value| values[*value]).collect()
}

/// Whether an instruction stays where it is even if nobody reads what it makes.
fn is_needed_by_itself(inst: &Inst) -> bool {
    let only_reads = inst.results.is_empty() && !inst.operands.is_empty();
    inst.op.has_side_effects() || (only_reads && !matches!(inst.op, Op::Return(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flatten;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::origin::ValueOrigin;

    const TEXT: &str = "
func.func @main(%a: tensor<8xf32>, %c: tensor<f32>, %n: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = chlo.broadcast_add %a, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = chlo.broadcast_multiply %a, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2:3 = stablehlo.while(%dead = %0, %i = %n, %x = %1) : tensor<8xf32>, tensor<i32>, tensor<8xf32>
  cond {
    %4 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %4 = stablehlo.tanh %dead : tensor<8xf32>
    %5 = stablehlo.add %i, %i : tensor<i32>
    %6 = stablehlo.sine %x : tensor<8xf32>
    stablehlo.return %4, %5, %6 : tensor<8xf32>, tensor<i32>, tensor<8xf32>
  }
  return %0, %2#2 : tensor<8xf32>, tensor<8xf32>
}";

    #[test]
    fn what_is_left_keeps_its_name() {
        let program = meshwright_ir::text::read(&Source::new("test", TEXT)).unwrap();
        let flat = flatten(&program).unwrap();
        let Normal { function, trace, values, .. } = normal(&flat.function, Barriers::Dropped);
        let origins = flat.origins.behind(&trace, &function.body);
        for (old, new) in values.iter().filter_map(|(old, new)| Some((old, (*new)?))) {
            let (before, now) = (flat.origins.values[old], origins.values[new]);
            assert!(before == now || matches!(before, ValueOrigin::Made(..)), "{before:?} is {now:?}");
        }
        // The second broadcast is gone, and the product is what it was: the second of what is made of the text's.
        let body = &function.body;
        let names: Vec<&str> = body.insts.values().map(|inst| inst.op.name()).collect();
        assert_eq!(names.iter().filter(|name| **name == "stablehlo.broadcast_in_dim").count(), 1);
        let products = body.insts.iter().filter(|(_, inst)| inst.op.name() == "stablehlo.multiply");
        assert_eq!(products.map(|(id, _)| origins.insts[id].made).collect::<Vec<_>>(), [1]);
        // What is carried for nobody is gone as well, and what is behind it is called as before.
        let inside = origins.values.values().filter_map(|origin| match origin {
            ValueOrigin::Inside(_, region, index) => Some((*region, *index)),
            _ => None,
        });
        assert_eq!(inside.collect::<Vec<_>>(), [(0, 1), (0, 2), (1, 1), (1, 2)]);
    }
}
