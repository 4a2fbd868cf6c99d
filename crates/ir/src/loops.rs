//! How often a loop runs, where the program says so.
//!
//! Input: a `while`. Output: its trip count. Recognized is what counting loops are lowered to: a carried integer that
//! starts at a constant, grows or shrinks by a constant in each iteration, and is compared with a constant (or with a
//! carried value that starts as one and never changes). Example: `for i in range(0, 24, 2)` runs 12 times.

use crate::ids::{RegionId, ValueId};
use crate::op::Op;
use crate::ops::binary::Binary;
use crate::ops::compare::Direction;
use crate::program::{Body, Def, InstView};

/// How many times the body of a verified loop runs; `None` if the program does not say, or if it never ends.
pub fn trip_count(view: InstView<'_>) -> Option<u64> {
    let [condition, body_region] = view.inst.regions.as_slice() else { return None };
    let body = view.body;
    let decides = *body.terminator(*condition)?.operands.first()?;
    let Def::Result(compare, 0) = body.values[decides].def else { return None };
    let Op::Compare(op) = &body.insts[compare].op else { return None };
    let [left, right] = body.insts[compare].operands.as_slice() else { return None };
    let carried = |value: ValueId| argument_of(body, value, *condition);
    let limit = |value: ValueId| {
        integer(body, value).or_else(|| {
            let index = carried(value)?;
            is_unchanged(body, *body_region, index).then(|| integer(body, view.inst.operands[index]))?
        })
    };
    // The counter may stand on either side of the comparison.
    let step_of = |value: ValueId| {
        let index = carried(value)?;
        Some((index, step(body, *body_region, index)?))
    };
    let (index, step, limit, direction) = match (step_of(*left), step_of(*right)) {
        (Some((index, step)), None) => (index, step, limit(*right)?, op.direction),
        (None, Some((index, step))) => (index, step, limit(*left)?, mirrored(op.direction)),
        _ => return None,
    };
    count(integer(body, view.inst.operands[index])?, step, limit, direction)
}

/// Iterations of `while counter <direction> limit { counter += step }`, the counter starting at `start`.
fn count(start: i64, step: i64, limit: i64, direction: Direction) -> Option<u64> {
    let (start, step, limit) = (i128::from(start), i128::from(step), i128::from(limit));
    let iterations = match direction {
        Direction::Less | Direction::LessEqual if step > 0 => {
            let end = limit + i128::from(direction == Direction::LessEqual);
            ((end - start).max(0) + step - 1) / step
        }
        Direction::Greater | Direction::GreaterEqual if step < 0 => {
            let end = limit - i128::from(direction == Direction::GreaterEqual);
            ((start - end).max(0) - step - 1) / -step
        }
        Direction::NotEqual if step != 0 && (limit - start) % step == 0 && (limit - start) / step >= 0 => {
            (limit - start) / step
        }
        _ => return None,
    };
    u64::try_from(iterations).ok()
}

/// `a < b` as a statement about `b`.
fn mirrored(direction: Direction) -> Direction {
    match direction {
        Direction::Less => Direction::Greater,
        Direction::LessEqual => Direction::GreaterEqual,
        Direction::Greater => Direction::Less,
        Direction::GreaterEqual => Direction::LessEqual,
        same => same,
    }
}

/// Which argument of `region` a value is.
fn argument_of(body: &Body, value: ValueId, region: RegionId) -> Option<usize> {
    match body.values[value].def {
        Def::Argument(of, index) if of == region => Some(index),
        _ => None,
    }
}

/// What the loop's body returns for carried value `index`.
fn returned(body: &Body, region: RegionId, index: usize) -> Option<ValueId> {
    body.terminator(region)?.operands.get(index).copied()
}

fn is_unchanged(body: &Body, region: RegionId, index: usize) -> bool {
    returned(body, region, index).is_some_and(|value| argument_of(body, value, region) == Some(index))
}

/// By how much the body changes carried value `index`, if always by the same.
fn step(body: &Body, region: RegionId, index: usize) -> Option<i64> {
    let Def::Result(inst, 0) = body.values[returned(body, region, index)?].def else { return None };
    let inst = &body.insts[inst];
    let [left, right] = inst.operands.as_slice() else { return None };
    let is_counter = |value: ValueId| argument_of(body, value, region) == Some(index);
    match &inst.op {
        Op::Binary(Binary::Add) if is_counter(*left) => integer(body, *right),
        Op::Binary(Binary::Add) if is_counter(*right) => integer(body, *left),
        Op::Binary(Binary::Subtract) if is_counter(*left) => integer(body, *right)?.checked_neg(),
        _ => None,
    }
}

/// The integer that a value is known to be.
fn integer(body: &Body, value: ValueId) -> Option<i64> {
    let Def::Result(inst, 0) = body.values[value].def else { return None };
    let Op::Constant(constant) = &body.insts[inst].op else { return None };
    match constant.value.to_ints()?.as_slice() {
        [only] => Some(*only),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;

    fn trips(start: &str, compare: &str, step: &str) -> Option<u64> {
        let text = format!(
            "func.func @main() -> tensor<i32> {{
              %start = stablehlo.constant dense<{start}> : tensor<i32>
              %limit = stablehlo.constant dense<10> : tensor<i32>
              %0:2 = stablehlo.while(%i = %start, %n = %limit) : tensor<i32>, tensor<i32>
              cond {{
                %c = stablehlo.constant dense<10> : tensor<i32>
                %p = stablehlo.compare {compare}, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
                stablehlo.return %p : tensor<i1>
              }} do {{
                %s = stablehlo.constant dense<3> : tensor<i32>
                %j = stablehlo.{step} : tensor<i32>
                stablehlo.return %j, %n : tensor<i32>, tensor<i32>
              }}
              return %0#0 : tensor<i32>
            }}"
        );
        let program = crate::text::read(&Source::new("loop.mlir", text)).unwrap();
        crate::verify::verify(&program).unwrap();
        let body = &program.functions[0].body;
        let found = body.insts.ids().find(|inst| body.view(*inst).inst.op.carries_values()).unwrap();
        trip_count(body.view(found))
    }

    #[test]
    fn counting_loops() {
        assert_eq!(trips("0", "LT, %i, %c", "add %i, %s"), Some(4));
        assert_eq!(trips("1", "LT, %i, %c", "add %s, %i"), Some(3));
        assert_eq!(trips("1", "LE, %i, %c", "add %i, %s"), Some(4));
        assert_eq!(trips("0", "GT, %n, %i", "add %i, %s"), Some(4));
        assert_eq!(trips("20", "GT, %i, %c", "subtract %i, %s"), Some(4));
        assert_eq!(trips("1", "NE, %i, %n", "add %i, %s"), Some(3));
        assert_eq!(trips("30", "LT, %i, %c", "add %i, %s"), Some(0));
    }

    #[test]
    fn what_is_not_known() {
        assert_eq!(trips("0", "LT, %i, %c", "subtract %i, %s"), None);
        assert_eq!(trips("0", "NE, %i, %c", "add %i, %s"), None);
        assert_eq!(trips("0", "LT, %i, %c", "multiply %i, %s"), None);
        assert_eq!(trips("0", "LT, %i, %i", "add %i, %s"), None);
        assert_eq!(trips("0", "LT, %i, %c", "subtract %s, %i"), None);
    }
}
