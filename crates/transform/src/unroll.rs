//! Loops written out, turn by turn.
//!
//! Input: a function and loops of its entry region that run a known number of times. Output: the function without them.
//! What stands in the way inside of a loop, such as a sum over the batch that its next instruction reads, is then like
//! anything else.

use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::trip_count;
use meshwright_ir::program::{Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Unchanged, rewritten};
use std::collections::BTreeSet;

use crate::made::Made;

/// Loops of more turns than this are not written out.
pub const MOST_TURNS: u64 = 256;

/// The loop of the entry region that an instruction stands in, if it can be written out.
pub fn loop_around(function: &Function, inst: InstId) -> Option<InstId> {
    let body = &function.body;
    let is_around = |outer: &&InstId| {
        let regions = &body.insts[**outer].regions;
        **outer == inst || regions.iter().any(|region| body.walk(*region).contains(&inst))
    };
    let outer = body.regions[body.entry()].insts.iter().find(is_around)?;
    trip_count(body.view(*outer)).filter(|turns| *turns <= MOST_TURNS).map(|_| *outer)
}

/// Writes out a loop.
pub fn unrolled(function: &Function, unroll: InstId) -> Made {
    turns_written_out(function, unroll, &|_| true)
}

/// Writes out several loops.
pub fn all_unrolled(function: &Function, unroll: &BTreeSet<InstId>) -> Made {
    Made::of(function, rewritten(&function.body, &mut Unroll { unroll, is_kept: &|_| true }))
}

/// Writes out the turns of a loop for which `is_kept` holds, as if nothing but its counters went through the others: a step
/// with fewer layers.
pub fn turns_written_out(function: &Function, unroll: InstId, is_kept: &dyn Fn(u64) -> bool) -> Made {
    Made::of(function, rewritten(&function.body, &mut Unroll { unroll: &BTreeSet::from([unroll]), is_kept }))
}

struct Unroll<'a> {
    unroll: &'a BTreeSet<InstId>,
    is_kept: &'a dyn Fn(u64) -> bool,
}

impl Edit for Unroll<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let turns = if self.unroll.contains(&view.id) { trip_count(*view) } else { None };
        let Some(turns) = turns else { return false };
        let mut carried: Vec<ValueId> = rewriter.values(&view.inst.operands);
        let mut is_first = true;
        for turn in 0..turns {
            let is_kept = (self.is_kept)(turn);
            carried = if is_kept {
                one_turn(rewriter, view, carried, to, is_first)
            } else {
                counted(rewriter, view, carried, to)
            };
            is_first &= !is_kept;
        }
        for (result, value) in view.inst.results.iter().zip(carried) {
            rewriter.stand_for(*result, value);
        }
        true
    }
}

/// Appends a turn that starts from `carried`, and returns what it leaves. The first has the names of what is in the loop.
fn one_turn(
    rewriter: &mut Rewriter<'_>,
    view: &InstView<'_>,
    carried: Vec<ValueId>,
    to: RegionId,
    is_first: bool,
) -> Vec<ValueId> {
    let step = view.inst.regions[1];
    for (arg, value) in view.region(1).args.iter().zip(carried) {
        rewriter.stand_for(*arg, value);
    }
    let made_before = rewriter.to.values.len();
    let insts = &view.body.regions[step].insts;
    rewriter.walk_each(&insts[..insts.len().saturating_sub(1)], to, &mut Unchanged);
    if !is_first {
        rewriter.forget_names(made_before);
    }
    rewriter.values(view.returned(1))
}

/// Appends what scalar integers become in a turn, and returns what is carried then: everything else stays what it was.
fn counted(
    rewriter: &mut Rewriter<'_>,
    view: &InstView<'_>,
    carried: Vec<ValueId>,
    to: RegionId,
) -> Vec<ValueId> {
    for (arg, value) in view.region(1).args.iter().zip(&carried) {
        rewriter.stand_for(*arg, *value);
    }
    let is_counter = |value: &ValueId| {
        view.body.ty(*value).as_tensor().is_some_and(|ty| ty.rank() == 0 && ty.element.is_integer())
    };
    let returned = view.returned(1);
    let mut needed: BTreeSet<ValueId> = returned.iter().copied().filter(is_counter).collect();
    let insts = &view.body.regions[view.inst.regions[1]].insts;
    let mut counting = Vec::new();
    for inst in insts.iter().rev() {
        let content = &view.body.insts[*inst];
        if content.results.iter().any(|result| needed.contains(result)) {
            needed.extend(&content.operands);
            counting.push(*inst);
        }
    }
    counting.reverse();
    let made_before = rewriter.to.values.len();
    rewriter.walk_each(&counting, to, &mut Unchanged);
    rewriter.forget_names(made_before);
    let next = |(value, before): (&ValueId, ValueId)| match is_counter(value) {
        true => rewriter.value(*value),
        false => before,
    };
    returned.iter().zip(carried).map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::{Form, print, read};

    #[test]
    fn turns_follow_one_another() {
        let text = "
func.func @main(%x: tensor<8xf32>, %n: tensor<i32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<8xf32>
  cond {
    %two = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.tanh %y : tensor<8xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<8xf32>
  }
  return %0#1 : tensor<8xf32>
}";
        let program = read(&Source::new("test", text)).unwrap();
        let function = &program.functions[0];
        let inside =
            function.body.insts.iter().find(|(_, inst)| inst.op.name() == "stablehlo.tanh").unwrap().0;
        let unroll = loop_around(function, inside).unwrap();
        let Made { function, .. } = unrolled(function, unroll);
        let program = program.with_only(function);
        meshwright_ir::verify::verify(&program).unwrap();
        let text = print(&program, Form::Pretty);
        assert_eq!(text.matches("stablehlo.tanh").count(), 2);
        assert!(!text.contains("while"), "{text}");
    }
}
