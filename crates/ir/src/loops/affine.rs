//! Integers in the body of a loop that are an affine function of the iteration.
//!
//! Input: a loop with its [`Counter`]. Output: [`Affines`]. Iterations count up from 0, whatever the program's own counter
//! does. What a frontend asks of an index on the way is answered for all iterations at once where it can be: an affine
//! function is largest and smallest in the first and the last one.
//!
//! ```text
//! %p = subtract 3, %i            3 - t           of 4 iterations
//! %b = compare LT, %p, 0         never
//! %w = add %p, 4
//! %k = select %b, %w, %p         3 - t
//! ```

use super::{Counter, constant};
use crate::ids::{RegionId, ValueId};
use crate::op::Op;
use crate::ops::binary::Binary;
use crate::ops::compare::Direction;
use crate::program::InstView;
use meshwright_tensor::types::{ElementKind, ElementType};
use std::collections::BTreeMap;
use std::ops::Range;

/// `factor` times the number of the iteration, plus `offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affine {
    /// What each iteration adds.
    pub factor: i64,
    /// Its value in the first iteration.
    pub offset: i64,
}

/// What is known of the scalars in the body of a loop.
pub(super) struct Affines<'a> {
    view: InstView<'a>,
    body: RegionId,
    counter: Counter,
    numbers: BTreeMap<ValueId, Affine>,
    /// What is so, or is not, in all iterations.
    facts: BTreeMap<ValueId, bool>,
}

impl Affine {
    fn constant(offset: i64) -> Self {
        Self { factor: 0, offset }
    }

    /// Its value in an iteration.
    pub fn at(self, iteration: u64) -> i64 {
        let value = i128::from(self.factor) * i128::from(iteration) + i128::from(self.offset);
        value.clamp(i64::MIN.into(), i64::MAX.into()) as i64
    }

    fn plus(self, other: Self, sign: i64) -> Option<Self> {
        let part = |a: i64, b: i64| a.checked_add(b.checked_mul(sign)?);
        Some(Self { factor: part(self.factor, other.factor)?, offset: part(self.offset, other.offset)? })
    }

    fn times(self, other: Self) -> Option<Self> {
        let (constant, other) = if self.factor == 0 { (self, other) } else { (other, self) };
        let part = |value: i64| value.checked_mul(constant.offset);
        (constant.factor == 0).then_some(Self { factor: part(other.factor)?, offset: part(other.offset)? })
    }
}

impl<'a> Affines<'a> {
    /// Those of a loop whose body runs at least once.
    pub(super) fn of(view: InstView<'a>, counter: Counter) -> Option<Self> {
        let body = *view.inst.regions.last().filter(|_| counter.trip_count > 0)?;
        let (numbers, facts) = (BTreeMap::new(), BTreeMap::new());
        let mut affines = Self { view, body, counter, numbers, facts };
        let count = *view.body.regions[body].args.get(counter.index)?;
        affines.numbers.insert(count, Affine { factor: counter.step, offset: counter.start });
        for inst in &view.body.regions[body].insts {
            affines.inst(&view.body.view(*inst));
        }
        Some(affines)
    }

    /// A scalar of the body as a function of the iteration.
    pub(super) fn of_value(&self, value: ValueId) -> Option<Affine> {
        let around = || constant(&self.view, self.body, value).map(Affine::constant);
        self.numbers.get(&value).copied().or_else(around)
    }

    /// The least and the greatest value in all iterations.
    pub(super) fn ends(&self, affine: Affine) -> (i64, i64) {
        let (first, last) = (affine.at(0), affine.at(self.counter.trip_count - 1));
        (first.min(last), first.max(last))
    }

    fn inst(&mut self, view: &InstView<'_>) {
        let [result] = *view.inst.results.as_slice() else { return };
        if let Some(fact) = self.fact(view) {
            self.facts.insert(result, fact);
        }
        let Some(tensor) = view.body.ty(result).as_tensor().filter(|tensor| tensor.num_elements() == 1)
        else {
            return;
        };
        let Some(affine) = self.number(view) else { return };
        let (least, greatest) = self.ends(affine);
        let holds = |range: Range<i128>| range.contains(&least.into()) && range.contains(&greatest.into());
        if range(tensor.element).is_some_and(holds) {
            self.numbers.insert(result, affine);
        }
    }

    fn number(&self, view: &InstView<'_>) -> Option<Affine> {
        let operand = |index: usize| self.of_value(*view.inst.operands.get(index)?);
        match &view.inst.op {
            Op::Constant(value) => match value.value.to_ints()?.as_slice() {
                [only] => Some(Affine::constant(*only)),
                _ => None,
            },
            Op::Binary(Binary::Add) => operand(0)?.plus(operand(1)?, 1),
            Op::Binary(Binary::Subtract) => operand(0)?.plus(operand(1)?, -1),
            Op::Binary(Binary::Multiply) => operand(0)?.times(operand(1)?),
            Op::Binary(Binary::Maximum) => self.greater(operand(0)?, operand(1)?),
            Op::Binary(Binary::Minimum) => self.less(operand(0)?, operand(1)?),
            Op::Clamp(_) => self.less(self.greater(operand(0)?, operand(1)?)?, operand(2)?),
            Op::Convert(_) | Op::Reshape(_) | Op::BroadcastInDim(_) => operand(0),
            Op::Select(_) => {
                let holds = *self.facts.get(view.inst.operands.first()?)?;
                operand(if holds { 1 } else { 2 })
            }
            _ => None,
        }
    }

    /// A comparison that has one answer in all iterations.
    fn fact(&self, view: &InstView<'_>) -> Option<bool> {
        let Op::Compare(compare) = &view.inst.op else { return None };
        let [left, right] = *view.inst.operands.as_slice() else { return None };
        let (least, greatest) = self.ends(self.of_value(left)?.plus(self.of_value(right)?, -1)?);
        let answer = |always: bool, never: bool| (always || never).then_some(always);
        match compare.direction {
            Direction::Less => answer(greatest < 0, least >= 0),
            Direction::LessEqual => answer(greatest <= 0, least > 0),
            Direction::Greater => answer(least > 0, greatest <= 0),
            Direction::GreaterEqual => answer(least >= 0, greatest < 0),
            Direction::Equal => answer(least == 0 && greatest == 0, least > 0 || greatest < 0),
            Direction::NotEqual => answer(least > 0 || greatest < 0, least == 0 && greatest == 0),
        }
    }

    /// That of two which is the greater one in all iterations.
    fn greater(&self, a: Affine, b: Affine) -> Option<Affine> {
        let (least, greatest) = self.ends(a.plus(b, -1)?);
        if least >= 0 { Some(a) } else { (greatest <= 0).then_some(b) }
    }

    fn less(&self, a: Affine, b: Affine) -> Option<Affine> {
        let (least, greatest) = self.ends(a.plus(b, -1)?);
        if greatest <= 0 { Some(a) } else { (least >= 0).then_some(b) }
    }
}

/// The integers that an element type holds.
pub(super) fn range(element: ElementType) -> Option<Range<i128>> {
    let bits = element.bits() as u32;
    match element.kind() {
        ElementKind::Signed => Some(-(1i128 << (bits - 1))..1i128 << (bits - 1)),
        ElementKind::Unsigned => Some(0..1i128 << bits),
        _ => None,
    }
}
