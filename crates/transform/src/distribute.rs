//! Loops distributed: one loop becomes two, one behind the other.
//!
//! Input: a function, a loop of its entry region that runs a known number of times, and an instruction of its body. Output:
//! the same function, where that instruction and all that follows from it, in its turn and in later ones, is in a second
//! loop behind the first. What the second reads of the first is stacked there, a part for each turn; what follows from
//! their number and from what is around the loops alone is made in both.
//!
//! So what each turn adds up of a batch, and reads as a whole only for numbers of its own (a load balancing loss in each
//! layer), is put together behind the first loop, and layers stay a loop.
//!
//! ```text
//! while(%i, %h, %a = 0)                      while(%i, %h, %s = 0)
//!   %y = layer %h                              %y = layer %h
//!   %f = mean %y          examples             %f = mean %y
//!   %b = tanh %f          not of a part        return %i + 1, %y, update %s[%i] = %f
//!   return %i + 1, %y, %a + %b               while(%i, %a = 0)
//!                                              return %i + 1, %a + tanh %s[%i]
//! ```

use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::{Affine, Counter, counter};
use meshwright_ir::program::{Body, Def, Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Unchanged, rewritten};
use meshwright_tensor::types::Type;
use std::collections::BTreeSet;

use crate::made::Made;
use crate::turns;

/// Distributes a loop in front of an instruction in it; none if its turns are not counted, or what the instruction reads of
/// its turn waits for what the turn before it made of it.
pub fn distributed(function: &Function, outer: InstId, before: InstId) -> Option<Made> {
    let view = function.body.view(outer);
    let parts = Parts::of(&view, before)?;
    Some(Made::of(function, rewritten(&function.body, &mut Distribute { outer, parts })))
}

/// The two parts of a loop's body.
struct Parts {
    counter: Counter,
    /// Instructions of the second loop.
    second: BTreeSet<InstId>,
    /// Positions of what it carries.
    carried: Vec<usize>,
    /// Those of the first, without what never changes.
    first: Vec<usize>,
    /// Instructions that the second makes too, in order.
    again: Vec<InstId>,
    /// Values of the first that are stacked for it.
    stacked: Vec<ValueId>,
}

impl Parts {
    fn of(view: &InstView<'_>, before: InstId) -> Option<Self> {
        let counter = counter(view).filter(|counter| counter.step.abs() == 1)?;
        let body = view.body;
        let insts = &view.region(1).insts;
        let is_around = |inst: &&InstId| {
            **inst == before
                || body.insts[**inst].regions.iter().any(|region| body.walk(*region).contains(&before))
        };
        let seed = *insts.iter().find(is_around)?;
        let reads = |inst: InstId| {
            let view = body.view(inst);
            view.inst.operands.iter().copied().chain(view.captured()).collect::<Vec<_>>()
        };
        let (args, returned) = (&view.region(1).args, view.returned(1));
        let is_same = |index: usize| returned[index] == args[index];
        let mut found = Found { second: BTreeSet::from([seed]), values: BTreeSet::new() };
        found.values.extend(&body.insts[seed].results);
        loop {
            let before = found.values.len();
            for inst in &insts[..insts.len() - 1] {
                if reads(*inst).iter().any(|value| found.values.contains(value)) {
                    found.second.insert(*inst);
                    found.values.extend(&body.insts[*inst].results);
                }
            }
            let next = (0..args.len()).filter(|index| found.values.contains(&returned[*index]));
            found.values.extend(next.map(|index| args[index]).collect::<Vec<_>>());
            if found.values.len() == before {
                break;
            }
        }
        let Found { second, values } = found;
        let (carried, others): (Vec<usize>, Vec<usize>) =
            (0..args.len()).partition(|index| values.contains(&args[*index]));
        let first: Vec<usize> = others.into_iter().filter(|index| !is_same(*index)).collect();
        let has_effect = || insts[..insts.len() - 1].iter().any(|inst| body.effect_in(*inst).is_some());
        if carried.contains(&counter.index) || has_effect() || !counts_alone(view, counter.index) {
            return None;
        }
        let mut needs = Needs {
            body,
            region: view.inst.regions[1],
            counter,
            returned,
            again: BTreeSet::new(),
            stacked: BTreeSet::new(),
        };
        let own = second.iter().flat_map(|inst| reads(*inst));
        let ends = carried.iter().map(|index| returned[*index]);
        let read: BTreeSet<ValueId> = own.chain(ends).filter(|value| !values.contains(value)).collect();
        read.iter().for_each(|value| needs.value(*value));
        let Needs { again, stacked, .. } = needs;
        // What stands in the way is made in the first, or nothing is won.
        let is_won = reads(seed).iter().any(|value| stacked.contains(value));
        let again = insts.iter().copied().filter(|inst| again.contains(inst)).collect();
        is_won.then(|| Self {
            counter,
            second,
            carried,
            first,
            again,
            stacked: stacked.into_iter().collect(),
        })
    }
}

/// What follows from an instruction.
struct Found {
    second: BTreeSet<InstId>,
    values: BTreeSet<ValueId>,
}

/// Whether a loop's condition asks its counter alone, and what never changes.
fn counts_alone(view: &InstView<'_>, counter: usize) -> bool {
    let body = view.body;
    let (args, returned) = (&view.region(0).args, view.returned(1));
    let changes = |index: usize| index != counter && returned[index] != view.region(1).args[index];
    let changing: BTreeSet<ValueId> =
        (0..args.len()).filter(|index| changes(*index)).map(|index| args[index]).collect();
    let insts = body.walk(view.inst.regions[0]);
    insts.iter().all(|inst| body.insts[*inst].operands.iter().all(|value| !changing.contains(value)))
}

/// What the second loop needs of the first.
struct Needs<'a> {
    body: &'a Body,
    region: RegionId,
    counter: Counter,
    returned: &'a [ValueId],
    again: BTreeSet<InstId>,
    stacked: BTreeSet<ValueId>,
}

impl Needs<'_> {
    fn value(&mut self, value: ValueId) {
        if self.is_around(value) {
            return;
        }
        match self.body.values[value].def {
            Def::Result(inst, _) if self.is_cheap(inst) => {
                if self.again.insert(inst) {
                    self.body.insts[inst].operands.iter().for_each(|operand| self.value(*operand));
                }
            }
            _ => {
                self.stacked.insert(value);
            }
        }
    }

    /// Whether both loops have a value: their counters, and what is around them.
    fn is_around(&self, value: ValueId) -> bool {
        let region = &self.body.regions[self.region];
        match self.body.values[value].def {
            Def::Argument(owner, index) if owner == self.region => {
                index == self.counter.index || self.returned[index] == value
            }
            Def::Argument(..) => true,
            Def::Result(inst, _) => !region.insts.contains(&inst),
        }
    }

    /// Whether an instruction can be made anew without work: what it reads follows from the number of the turn, or is a
    /// part of what is around the loop.
    fn is_cheap(&self, inst: InstId) -> bool {
        let view = self.body.view(inst);
        let types =
            |values: &[ValueId]| values.iter().map(|value| self.body.ty(*value).clone()).collect::<Vec<_>>();
        let moves = view.inst.op.flops(&types(&view.inst.operands), &types(&view.inst.results)) == 0.0;
        let is_there = |value: &ValueId| {
            self.is_around(*value)
                || matches!(self.body.values[*value].def, Def::Result(maker, _) if self.is_cheap(maker))
        };
        (moves || is_number(self.body, inst))
            && view.inst.regions.is_empty()
            && view.inst.operands.iter().all(is_there)
    }
}

/// Whether all that an instruction makes are single integers or constants.
fn is_number(body: &Body, inst: InstId) -> bool {
    let content = &body.insts[inst];
    let is_small = |value: &ValueId| {
        body.ty(*value).as_tensor().is_some_and(|ty| ty.rank() == 0 && !ty.element.is_inexact())
    };
    content.operands.is_empty() || content.results.iter().all(is_small)
}

struct Distribute {
    outer: InstId,
    parts: Parts,
}

impl Edit for Distribute {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if view.id != self.outer {
            return false;
        }
        let same = (0..view.inst.operands.len())
            .filter(|index| view.returned(1)[*index] == view.region(1).args[*index]);
        for index in same {
            let operand = rewriter.value(view.inst.operands[index]);
            rewriter.stand_for(view.inst.results[index], operand);
            for region in 0..2 {
                rewriter.stand_for(view.region(region).args[index], operand);
            }
        }
        let stacks = self.first(rewriter, view, to);
        self.second(rewriter, view, to, &stacks);
        true
    }
}

impl Distribute {
    /// Appends the first loop, and returns the stacks that it leaves.
    fn first(&self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> Vec<ValueId> {
        let Parts { counter, first, stacked, .. } = &self.parts;
        let turns = usize::try_from(counter.trip_count).unwrap_or(usize::MAX);
        let zeros = |value: &ValueId| {
            let part = rewriter.from.tensor(*value);
            turns::zeros(&mut rewriter.build(to, view.inst.span), part, turns)
        };
        let more: Vec<ValueId> = stacked.iter().map(zeros).collect();
        let insts = self.insts(view, false);
        let own = Loop { kept: first, more: &more, insts: &insts, to };
        write(rewriter, view, &own, &|_, _| {}, &|_, _, _| {}, &|rewriter, body, args| {
            let own = rewriter.value(view.region(1).args[counter.index]);
            let values = rewriter.values(stacked);
            let builder = &mut rewriter.build(body, view.inst.span);
            let at = turns::number(builder, own, self.turn());
            args.iter().zip(values).map(|(stack, value)| turns::put(builder, *stack, value, at)).collect()
        })
    }

    /// Appends the second loop.
    fn second(&self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId, stacks: &[ValueId]) {
        let Parts { counter, carried, again, stacked, .. } = &self.parts;
        let start = rewriter.value(view.inst.operands[counter.index]);
        let insts = self.insts(view, true);
        let own = Loop { kept: carried, more: &[start], insts: &insts, to };
        let asks = |rewriter: &mut Rewriter<'_>, args: &[ValueId]| {
            rewriter.stand_for(view.region(0).args[counter.index], args[0]);
        };
        let begin = |rewriter: &mut Rewriter<'_>, body: RegionId, args: &[ValueId]| {
            rewriter.stand_for(view.region(1).args[counter.index], args[0]);
            for inst in again {
                let operands = rewriter.values(&view.body.insts[*inst].operands);
                rewriter.append_again(*inst, operands, body);
            }
            let at = turns::number(&mut rewriter.build(body, view.inst.span), args[0], self.turn());
            for (value, stack) in stacked.iter().zip(stacks) {
                let ty = view.body.tensor(*value).clone();
                let part = turns::take(&mut rewriter.build(body, view.inst.span), *stack, 0, at, ty);
                rewriter.stand_for(*value, part);
            }
        };
        write(rewriter, view, &own, &asks, &begin, &|rewriter, body, args| {
            let next = Affine { factor: 1, offset: counter.step };
            vec![turns::number(&mut rewriter.build(body, view.inst.span), args[0], next)]
        });
    }

    /// Instructions of the body that are of the second loop, or of the first, without its end.
    fn insts(&self, view: &InstView<'_>, is_second: bool) -> Vec<InstId> {
        let insts = view.region(1).insts.split_last().map_or(&[][..], |(_, insts)| insts);
        insts.iter().copied().filter(|inst| self.parts.second.contains(inst) == is_second).collect()
    }

    /// The number of a turn by the loop's counter.
    fn turn(&self) -> Affine {
        let Counter { start, step, .. } = self.parts.counter;
        Affine { factor: step, offset: -step * start }
    }
}

/// A loop that is written.
struct Loop<'a> {
    /// Positions of what it carries as the old one does.
    kept: &'a [usize],
    /// What it carries more.
    more: &'a [ValueId],
    /// Instructions of its body, without its end.
    insts: &'a [InstId],
    to: RegionId,
}

/// Appends a loop of some instructions of another one's body, and returns what it carries more, behind all turns. `begin` is
/// called where its body begins, `end` where it ends, both with what it carries more; that returns what of it goes on.
fn write(
    rewriter: &mut Rewriter<'_>,
    view: &InstView<'_>,
    own: &Loop<'_>,
    asks: &dyn Fn(&mut Rewriter<'_>, &[ValueId]),
    begin: &dyn Fn(&mut Rewriter<'_>, RegionId, &[ValueId]),
    end: &dyn Fn(&mut Rewriter<'_>, RegionId, &[ValueId]) -> Vec<ValueId>,
) -> Vec<ValueId> {
    let Loop { kept, more, insts, to } = *own;
    let of = |values: &[ValueId]| kept.iter().map(|index| values[*index]).collect::<Vec<_>>();
    let mut operands = rewriter.values(&of(&view.inst.operands));
    operands.extend(more);
    let types: Vec<Type> = operands.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
    let open = |rewriter: &mut Rewriter<'_>, index: usize| {
        let region = rewriter.region_with(view.inst.regions[index], kept);
        let add = |ty: &Type| rewriter.to.add_arg(region, ty.clone(), Span::NONE);
        (region, types[kept.len()..].iter().map(add).collect::<Vec<ValueId>>())
    };
    let (condition, args) = open(rewriter, 0);
    asks(rewriter, &args);
    rewriter.walk(view.inst.regions[0], condition, &mut Unchanged);
    let (body, args) = open(rewriter, 1);
    begin(rewriter, body, &args);
    rewriter.walk_each(insts, body, &mut Unchanged);
    let returned = end(rewriter, body, &args);
    let returned = rewriter.values(&of(view.returned(1))).into_iter().chain(returned).collect();
    let last = view.region(1).insts.last().copied();
    rewriter
        .on_behalf_of(last, |rewriter| last.map(|last| rewriter.append(last, returned, Vec::new(), body)));
    let made =
        rewriter.to.append(to, view.inst.op.clone(), operands, vec![condition, body], types, view.inst.span);
    rewriter.to.insts[made].attributes = view.inst.attributes.clone();
    rewriter.to.insts[made].location = view.inst.location.clone();
    turns::leave_shardings(rewriter, made, kept);
    let results = rewriter.to.insts[made].results.clone();
    of(&view.inst.results).iter().zip(&results).for_each(|(old, new)| rewriter.stand_for_own(*old, *new));
    results[kept.len()..].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::{Form, print, read};

    fn step(body: &str) -> Function {
        let text = format!(
            "
func.func @main(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<f32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %a = %none) : tensor<i32>, tensor<8x4xf32>, tensor<f32>
  cond {{
    %two = stablehlo.constant dense<2> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %two, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %y = stablehlo.tanh %h : tensor<8x4xf32>
    %s = stablehlo.reduce(%y init: %none) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
    {body}
  }}
  return %0#1, %0#2 : tensor<8x4xf32>, tensor<f32>
}}"
        );
        read(&Source::new("test", text)).unwrap().functions.remove(0)
    }

    fn in_front_of_square(function: &Function) -> Option<Made> {
        let of = |name: &str| function.body.insts.iter().find(|(_, inst)| inst.op.name() == name).unwrap().0;
        distributed(function, of("stablehlo.while"), of("stablehlo.multiply"))
    }

    #[test]
    fn what_follows_from_a_sum_is_a_loop_of_its_own() {
        let function = step(
            "%q = stablehlo.multiply %s, %s : tensor<f32>
    %b = stablehlo.add %a, %q : tensor<f32>
    stablehlo.return %j, %y, %b : tensor<i32>, tensor<8x4xf32>, tensor<f32>",
        );
        let made = in_front_of_square(&function).unwrap();
        let program = meshwright_ir::program::Program::default().with_only(made.function);
        meshwright_ir::verify::verify(&program).unwrap();
        let text = print(&program, Form::Pretty);
        let (first, second) = text.rsplit_once("stablehlo.while").unwrap();
        assert!(first.contains("tanh") && first.contains("dynamic_update_slice"), "{text}");
        assert!(!second.contains("tanh") && second.contains("dynamic_slice"), "{text}");
    }

    #[test]
    fn a_turn_that_waits_for_the_one_before_stays() {
        let function = step(
            "%q = stablehlo.multiply %s, %s : tensor<f32>
    %w = stablehlo.broadcast_in_dim %q, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
    %z = stablehlo.add %y, %w : tensor<8x4xf32>
    stablehlo.return %j, %z, %a : tensor<i32>, tensor<8x4xf32>, tensor<f32>",
        );
        assert!(in_front_of_square(&function).is_none());
    }
}
