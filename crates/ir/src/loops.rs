//! What a `while` is known to do before it runs: which carried value counts, and how often the body runs.
//!
//! JAX lowers `scan` and `fori_loop` to a counter that starts at a constant, is compared with a constant and changes
//! by a constant. Constants may stand inside the regions, around the loop, or be carried through it unchanged.
//! [`scan`] says which stacks a counted loop goes through, [`added_stacks`] which of them are added to something behind it.

mod added;
mod affine;
mod stacks;

pub use added::{AddedStack, Reads, added_stacks};
pub use affine::Affine;
pub use stacks::{Access, Carried, Scan, Way, scan};

use crate::ids::{RegionId, Table, ValueId};
use crate::op::Op;
use crate::ops::binary::Binary;
use crate::ops::compare::Direction;
use crate::ops::while_::While;
use crate::program::{Body, Def, InstView, Regions};

/// The carried value that counts a loop's iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Its position among the carried values.
    pub index: usize,
    /// Its value in the first iteration.
    pub start: i64,
    /// What each iteration adds.
    pub step: i64,
    /// How often the body runs.
    pub trip_count: u64,
}

/// Assumed number of runs of a loop's body where the program does not say.
pub const ASSUMED_TRIP_COUNT: u64 = 8;

/// Number of runs of each region in a step, loops inside loops multiplied.
pub fn runs(body: &Body) -> Table<RegionId, u64> {
    let mut runs = Table::filled(1_u64, body.regions.len());
    let mut open = vec![body.entry()];
    while let Some(region) = open.pop() {
        for inst in &body.regions[region].insts {
            let view = body.view(*inst);
            let turns = match view.regions() {
                Regions::Loop => trip_count(view).unwrap_or(ASSUMED_TRIP_COUNT),
                Regions::Branches | Regions::OfElements => 1,
            };
            for inner in &view.inst.regions {
                runs[*inner] = runs[region].saturating_mul(turns);
                open.push(*inner);
            }
        }
    }
    runs
}

/// Number of runs of a loop's body, if that is known: see [`counter`].
pub fn trip_count(view: InstView<'_>) -> Option<u64> {
    counter(&view).map(|counter| counter.trip_count)
}

/// The counter of a verified `while` in an inlined function. `None` if the loop has no counter of that simple kind, or
/// one that would run past its type's range.
pub fn counter(view: &InstView<'_>) -> Option<Counter> {
    let Op::While(While) = view.inst.op else {
        return None;
    };
    let body = view.body;
    let [condition, step] = *view.inst.regions.as_slice() else {
        return None;
    };
    let compare = defining(view, *body.terminator(condition)?.operands.first()?)?;
    let Op::Compare(comparison) = &compare.inst.op else {
        return None;
    };
    let [left, right] = *compare.inst.operands.as_slice() else {
        return None;
    };
    let (index, bound, direction) = match (carried(view, condition, left), carried(view, condition, right)) {
        (Some(index), _) if constant(view, condition, right).is_some() => {
            (index, right, comparison.direction)
        }
        (_, Some(index)) => (index, left, mirrored(comparison.direction)),
        _ => return None,
    };
    let bound = constant(view, condition, bound)?;
    let start = constant_around(view, view.inst.operands[index])?;
    let update = defining(view, *body.terminator(step)?.operands.get(index)?)?;
    let [left, right] = *update.inst.operands.as_slice() else {
        return None;
    };
    let is_counter = |value: ValueId| carried(view, step, value) == Some(index);
    let step = match update.inst.op {
        Op::Binary(Binary::Add) if is_counter(left) => constant(view, step, right)?,
        Op::Binary(Binary::Add) if is_counter(right) => constant(view, step, left)?,
        Op::Binary(Binary::Subtract) if is_counter(left) => constant(view, step, right)?.checked_neg()?,
        _ => return None,
    };
    let trip_count = iterations(i128::from(start), i128::from(step), direction, i128::from(bound))?;
    let last = i128::from(start) + i128::from(step) * i128::from(trip_count);
    let range = affine::range(view.operand(index).element)?;
    range.contains(&last).then_some(Counter { index, start, step, trip_count })
}

/// How often `start + k * step` satisfies the comparison with `bound` before it first does not. `None`: forever.
fn iterations(start: i128, step: i128, direction: Direction, bound: i128) -> Option<u64> {
    let up_to = |distance: i128, step: i128| match distance {
        ..=0 => Some(0),
        _ if step <= 0 => None,
        _ => Some((distance + step - 1) / step),
    };
    let count = match direction {
        Direction::Less => up_to(bound - start, step),
        Direction::LessEqual => up_to(bound - start + 1, step),
        Direction::Greater => up_to(start - bound, -step),
        Direction::GreaterEqual => up_to(start - bound + 1, -step),
        Direction::Equal if start != bound => Some(0),
        Direction::Equal => (step != 0).then_some(1),
        Direction::NotEqual if start == bound => Some(0),
        Direction::NotEqual => {
            let reaches = step != 0 && (bound - start) % step == 0 && (bound - start) / step > 0;
            reaches.then(|| (bound - start) / step)
        }
    };
    count.and_then(|count| u64::try_from(count).ok())
}

/// The comparison that says the same with its sides exchanged.
fn mirrored(direction: Direction) -> Direction {
    match direction {
        Direction::Less => Direction::Greater,
        Direction::LessEqual => Direction::GreaterEqual,
        Direction::Greater => Direction::Less,
        Direction::GreaterEqual => Direction::LessEqual,
        Direction::Equal | Direction::NotEqual => direction,
    }
}

fn defining<'a>(view: &InstView<'a>, value: ValueId) -> Option<InstView<'a>> {
    match view.body.values[value].def {
        Def::Result(inst, _) => Some(view.body.view(inst)),
        Def::Argument(..) => None,
    }
}

/// Which carried value `value` is inside `region`.
fn carried(view: &InstView<'_>, region: RegionId, value: ValueId) -> Option<usize> {
    match view.body.values[value].def {
        Def::Argument(owner, index) if owner == region => Some(index),
        _ => None,
    }
}

/// The integer that `value` is in every iteration, seen from inside `region` of the loop.
fn constant(view: &InstView<'_>, region: RegionId, value: ValueId) -> Option<i64> {
    let Some(index) = carried(view, region, value) else {
        return constant_around(view, value);
    };
    let body = view.inst.regions[1];
    let returned = *view.body.terminator(body)?.operands.get(index)?;
    let is_unchanged = carried(view, body, returned) == Some(index);
    if is_unchanged { constant_around(view, view.inst.operands[index]) } else { None }
}

/// The integer that `value` is, if it is a constant.
fn constant_around(view: &InstView<'_>, value: ValueId) -> Option<i64> {
    match &defining(view, value)?.inst.op {
        Op::Constant(constant) => match constant.value.to_ints()?.as_slice() {
            [only] => Some(*only),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;

    fn counter_of(start: &str, condition: &str, update: &str) -> Option<Counter> {
        let text = format!(
            r#"func.func @main(%x: tensor<f32>) -> tensor<f32> {{
  %start = stablehlo.constant dense<{start}> : tensor<i32>
  %bound = stablehlo.constant dense<10> : tensor<i32>
  %0:3 = stablehlo.while(%a = %x, %i = %start, %n = %bound) : tensor<f32>, tensor<i32>, tensor<i32>
  cond {{
    %c = stablehlo.constant dense<10> : tensor<i32>
    %p = stablehlo.compare {condition}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %s = stablehlo.constant dense<3> : tensor<i32>
    %j = stablehlo.{update} : tensor<i32>
    stablehlo.return %a, %j, %n : tensor<f32>, tensor<i32>, tensor<i32>
  }}
  return %0#0 : tensor<f32>
}}
"#
        );
        let program = crate::text::read(&Source::new("loop.mlir", text)).unwrap();
        crate::verify::verify(&program).unwrap();
        let body = &program.functions[0].body;
        let loops = body.insts.ids().map(|inst| body.view(inst));
        loops.filter(|view| matches!(view.inst.op, Op::While(_))).find_map(|view| counter(&view))
    }

    fn trips(start: &str, condition: &str, update: &str) -> Option<u64> {
        counter_of(start, condition, update).map(|counter| counter.trip_count)
    }

    #[test]
    fn loops_count_up_and_down() {
        let up = counter_of("0", "LT, %i, %c", "add %i, %s");
        assert_eq!(up, Some(Counter { index: 1, start: 0, step: 3, trip_count: 4 }));
        assert_eq!(trips("1", "LE, %i, %n", "add %s, %i"), Some(4));
        assert_eq!(trips("20", "GE, %i, %c", "subtract %i, %s"), Some(4));
        assert_eq!(trips("20", "LT, %c, %i", "subtract %i, %s"), Some(4));
        assert_eq!(trips("20", "LT, %i, %c", "add %i, %s"), Some(0));
        assert_eq!(trips("1", "NE, %i, %c", "add %i, %s"), Some(3));
    }

    #[test]
    fn unknown_counts_are_not_guessed() {
        assert_eq!(trips("0", "LT, %i, %c", "subtract %i, %s"), None);
        assert_eq!(trips("0", "LT, %i, %c", "multiply %i, %s"), None);
        assert_eq!(trips("0", "NE, %i, %c", "add %i, %s"), None);
        assert_eq!(trips("0", "LT, %i, %c", "subtract %s, %i"), None);
        assert_eq!(trips("0", "GT, %i, %i", "add %i, %s"), None);
    }
}
