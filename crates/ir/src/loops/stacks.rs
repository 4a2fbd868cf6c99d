//! Loops over stacks: bodies that read their part of a tensor in each iteration, or write it.
//!
//! Input: a loop of a flat function. Output: [`Scan`]. JAX's `scan` over the layers of a model reads stacked parameters
//! at its counter, and stacks what the backward pass reads again from the end: part t of a stack is at `factor * t +
//! offset` along one dim.
//!
//! ```text
//! while(%i = 0, %x = %h, %s = %zeros) of 4          counter, chain, stack
//!   %w = dynamic_slice %ws, %i, 0                   reads %ws, from around the loop, at t
//!   %y = tanh (%x * %w)
//!   %t = dynamic_update_slice %s, %y, 3 - %i, 0     writes %s at 3 - t
//!   return %i + 1, %y, %t
//! ```

use super::affine::{Affine, Affines};
use super::{Counter, counter};
use crate::ids::{InstId, RegionId, ValueId};
use crate::op::Op;
use crate::program::{Def, InstView};
use std::collections::{BTreeMap, BTreeSet};

/// A loop whose iterations are counted, and the stacks that it goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scan {
    /// Its counter, and how often the body runs.
    pub counter: Counter,
    /// What it carries.
    pub carried: Vec<Carried>,
    /// How it reads and writes stacks, in the order of the body.
    pub accesses: Vec<Access>,
}

/// Kinds of values that a loop carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carried {
    /// It counts the iterations.
    Counter,
    /// It is only read or written part by part.
    Stack,
    /// It stays what it began with.
    Unchanged,
    /// Each iteration makes it from what the one before has made.
    Chain,
}

/// Ways in which a body deals with its part of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// By `dynamic_slice`.
    Read,
    /// By `dynamic_update_slice`, the result of which is carried on.
    Write,
}

/// A part of a stack that is read or written in each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The instruction.
    pub inst: InstId,
    /// What it does.
    pub way: Way,
    /// The stack as the instruction reads it: an argument of the body, or a value from around the loop.
    pub stack: ValueId,
    /// The stack's position among what the loop carries, if it is carried.
    pub carried: Option<usize>,
    /// The dim along which iterations have parts.
    pub dim: usize,
    /// Size of a part along it.
    pub size: usize,
    /// Where the part begins.
    pub at: Affine,
}

/// The scan that a verified `while` in an inlined function is; `None` if its iterations are not counted.
pub fn scan(view: InstView<'_>) -> Option<Scan> {
    let counter = counter(&view)?;
    let affines = Affines::of(view, counter)?;
    let region = *view.inst.regions.last()?;
    let returned = view.returned(view.inst.regions.len() - 1);
    let finder = Finder { view, region, returned, affines };
    let found = finder.accesses();
    let whole = finder.read_otherwise(&found);
    let accesses: Vec<Access> = found.into_iter().filter(|access| !whole.contains(&access.stack)).collect();
    let args = &view.body.regions[region].args;
    let stacks: BTreeSet<ValueId> = accesses.iter().map(|access| access.stack).collect();
    let kind = |(index, arg): (usize, &ValueId)| {
        if index == counter.index {
            Carried::Counter
        } else if stacks.contains(arg) {
            Carried::Stack
        } else if returned.get(index) == Some(arg) {
            Carried::Unchanged
        } else {
            Carried::Chain
        }
    };
    let carried = args.iter().enumerate().map(kind).collect();
    Some(Scan { counter, carried, accesses })
}

impl Scan {
    /// Value of a stack outside of the loop, before it runs.
    pub fn before(&self, view: &InstView<'_>, access: &Access) -> ValueId {
        access.carried.map_or(access.stack, |index| view.inst.operands[index])
    }
}

struct Finder<'a> {
    view: InstView<'a>,
    /// The loop's body.
    region: RegionId,
    returned: &'a [ValueId],
    affines: Affines<'a>,
}

impl Finder<'_> {
    /// All reads and writes of parts, also of values that are not read by parts alone.
    fn accesses(&self) -> Vec<Access> {
        let body = self.view.body;
        let insts = &body.regions[self.region].insts;
        let inside: BTreeSet<ValueId> =
            insts.iter().flat_map(|inst| body.insts[*inst].results.iter().copied()).collect();
        let of_inst = |inst: &InstId| {
            let stack = *body.insts[*inst].operands.first()?;
            if inside.contains(&stack) { None } else { self.access(&body.view(*inst), stack) }
        };
        insts.iter().filter_map(of_inst).collect()
    }

    fn access(&self, view: &InstView<'_>, stack: ValueId) -> Option<Access> {
        let carried = match view.body.values[stack].def {
            Def::Argument(region, index) if region == self.region => Some(index),
            _ => None,
        };
        let operands = &view.inst.operands;
        let (way, part, starts) = match &view.inst.op {
            Op::DynamicSlice(_) => (Way::Read, view.result(0), &operands[1..]),
            Op::DynamicUpdateSlice(_) => {
                // The new stack takes the place of the old one.
                let is_carried_on = self.returned.get(carried?) == view.inst.results.first();
                (Way::Write, is_carried_on.then(|| view.operand(1))?, &operands[2..])
            }
            _ => return None,
        };
        let whole = &view.operand(0).shape;
        let mut found = None;
        for (dim, start) in starts.iter().enumerate() {
            let at = self.affines.of_value(*start)?;
            let (least, greatest) = self.affines.ends(at);
            let room = i64::try_from(whole[dim] - part.shape[dim]).ok()?;
            if least < 0 || greatest > room {
                return None;
            }
            if at.factor != 0 && found.replace((dim, at)).is_some() {
                return None;
            }
            if at.factor == 0 && room > 0 {
                return None;
            }
        }
        let (dim, at) = found?;
        Some(Access { inst: view.id, way, stack, carried, dim, size: part.shape[dim], at })
    }

    /// Stacks that the loop also reads in other ways, or that it goes on with as something else.
    fn read_otherwise(&self, accesses: &[Access]) -> BTreeSet<ValueId> {
        let body = self.view.body;
        // What a stack is in the condition, and after a write.
        let mut forms: BTreeMap<ValueId, &Access> = BTreeMap::new();
        let mut whole = BTreeSet::new();
        for access in accesses {
            forms.insert(access.stack, access);
            for region in access.carried.map_or(&[][..], |_| &self.view.inst.regions) {
                forms.extend(access.carried.map(|index| (body.regions[*region].args[index], access)));
            }
            if access.way == Way::Write {
                forms.extend(body.insts[access.inst].results.first().map(|result| (*result, access)));
            }
        }
        let parts: BTreeSet<InstId> = accesses.iter().map(|access| access.inst).collect();
        let end = body.regions[self.region].insts.last().copied();
        for inst in self.view.inst.regions.iter().flat_map(|region| body.walk(*region)) {
            for (position, value) in body.insts[inst].operands.iter().enumerate() {
                let Some(access) = forms.get(value) else { continue };
                let is_part = position == 0 && parts.contains(&inst) && *value == access.stack;
                let goes_on = Some(inst) == end && access.carried == Some(position);
                if !is_part && !goes_on {
                    whole.insert(access.stack);
                }
            }
        }
        let goes_on_as = |index: usize| forms.get(self.returned.get(index)?).map(|access| access.stack);
        let replaced = accesses
            .iter()
            .filter(|access| access.carried.is_some_and(|index| goes_on_as(index) != Some(access.stack)));
        whole.extend(replaced.map(|access| access.stack));
        whole
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;

    /// How a loop of four iterations reads and writes `%s` and `%t`, both of eight parts, and what it carries.
    fn of_body(body: &str, returned: &str) -> (Vec<Carried>, Vec<(Way, usize, usize, Affine)>) {
        let text = format!(
            "func.func @main(%s0: tensor<8x2xf32>, %x: tensor<1x2xf32>) -> tensor<8x2xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %s = %s0, %t = %s0) : tensor<i32>, tensor<8x2xf32>, tensor<8x2xf32>
  cond {{
    %n = stablehlo.constant dense<4> : tensor<i32>
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %j = stablehlo.add %i, %one : tensor<i32>
    {body}
    stablehlo.return %j, {returned} : tensor<i32>, tensor<8x2xf32>, tensor<8x2xf32>
  }}
  return %0#1 : tensor<8x2xf32>
}}"
        );
        let program = crate::text::read(&Source::new("loop.mlir", text)).unwrap();
        crate::verify::verify(&program).unwrap();
        let body = &program.functions[0].body;
        let found = body.insts.ids().find_map(|inst| scan(body.view(inst))).unwrap();
        let access = |access: &Access| (access.way, access.carried.unwrap(), access.size, access.at);
        (found.carried, found.accesses.iter().map(access).collect())
    }

    fn read(stack: &str, at: &str, size: usize) -> String {
        format!(
            "%r{size} = stablehlo.dynamic_slice %{stack}, %{at}, %zero, sizes = [{size}, 2] : (tensor<8x2xf32>, tensor<i32>, tensor<i32>) -> tensor<{size}x2xf32>\n"
        )
    }

    fn write(stack: &str, at: &str) -> String {
        format!(
            "%w = stablehlo.dynamic_update_slice %{stack}, %x, %{at}, %zero : (tensor<8x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>\n"
        )
    }

    const KEPT: [Carried; 3] = [Carried::Counter, Carried::Stack, Carried::Unchanged];

    fn affine(factor: i64, offset: i64) -> Affine {
        Affine { factor, offset }
    }

    #[test]
    fn parts_are_one_behind_the_other_whatever_is_asked_on_the_way() {
        let pairs = "%k = stablehlo.multiply %i, %two : tensor<i32>\n".to_owned() + &read("s", "k", 2);
        let expected = (KEPT.to_vec(), vec![(Way::Read, 1, 2, affine(2, 0))]);
        assert_eq!(of_body(&pairs, "%s, %t"), expected);
        let clamped = "%u = stablehlo.convert %j : (tensor<i32>) -> tensor<ui8>
    %v = stablehlo.convert %u : (tensor<ui8>) -> tensor<i32>
    %m = stablehlo.maximum %v, %zero : tensor<i32>
    %k = stablehlo.clamp %zero, %m, %eight : tensor<i32>\n"
            .to_owned()
            + &read("s", "k", 1);
        assert_eq!(of_body(&clamped, "%s, %t").1, vec![(Way::Read, 1, 1, affine(1, 1))]);
    }

    #[test]
    fn a_stack_may_be_read_before_it_is_written() {
        let both = read("s", "i", 1) + &write("s", "i");
        let parts = vec![(Way::Read, 1, 1, affine(1, 0)), (Way::Write, 1, 1, affine(1, 0))];
        assert_eq!(of_body(&both, "%w, %t"), (KEPT.to_vec(), parts));
    }

    #[test]
    fn what_is_not_only_read_and_written_in_parts_is_no_stack() {
        let whole = read("s", "i", 1) + "%y = stablehlo.tanh %s : tensor<8x2xf32>\n";
        let none = |carried: [Carried; 2]| (vec![Carried::Counter, carried[0], carried[1]], Vec::new());
        assert_eq!(of_body(&whole, "%s, %t"), none([Carried::Unchanged; 2]));
        // Past the end a slice would be moved back; a slice may stand still; and stacks may change places.
        let late = "%k = stablehlo.subtract %eight, %i : tensor<i32>\n".to_owned() + &read("s", "k", 1);
        assert_eq!(of_body(&late, "%s, %t"), none([Carried::Unchanged; 2]));
        assert_eq!(of_body(&read("s", "two", 1), "%s, %t"), none([Carried::Unchanged; 2]));
        assert_eq!(of_body(&read("s", "i", 1), "%t, %s"), none([Carried::Chain; 2]));
        assert_eq!(of_body(&write("s", "i"), "%w, %w"), none([Carried::Chain; 2]));
    }
}
