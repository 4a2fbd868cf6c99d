//! What is known of elements of keys that come later than their query.
//!
//! A slice of queries meets all keys, of which those of later slices are not there yet: zeros stand in their places. What is
//! computed from these is not what the step computes, until a mask puts a number there. Scores become so low that they have
//! no part in a softmax, exponentials and their gradients become zero.
//!
//! Input: an elementwise op or a product, and what is known of its operands. Output: what is known of its result. Ops that are
//! not named here lose what was known, which refuses a step, and never lets one pass.

use crate::attention::MASKED;
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::InstView;

/// Elements whose key is of a later slice than their query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Unseen {
    /// Those of the whole step.
    True,
    /// This number, as in the whole step.
    Number(f64),
    /// So low that exponentials are zero, relative to some other key of each query.
    Low {
        /// Whether they are those of the whole step.
        is_true: bool,
    },
    /// Others than in the whole step, but finite.
    Finite,
    /// Whatever they are.
    Anything,
}

impl Unseen {
    /// Whether they are what they are in the whole step.
    pub(super) fn is_true(self) -> bool {
        matches!(self, Self::True | Self::Number(_) | Self::Low { is_true: true })
    }

    pub(super) fn is_zero(self) -> bool {
        self == Self::Number(0.0)
    }

    /// Whether they are finite, where the numbers of the whole step are.
    pub(super) fn is_finite(self) -> bool {
        match self {
            Self::Number(number) => number.is_finite(),
            Self::Anything => false,
            Self::True | Self::Low { .. } | Self::Finite => true,
        }
    }

    fn is_low(self) -> bool {
        matches!(self, Self::Low { .. }) || matches!(self, Self::Number(number) if number <= MASKED)
    }
}

/// Elements whose key is of the same token as their query; they are those of the step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Own {
    /// Not so large or low that a softmax would have no part for them.
    Ordinary,
    /// This number.
    Number(f64),
    /// They may be as low as what a mask hides.
    Hidden,
}

impl Own {
    /// Whether they may be low.
    pub(super) fn may_be_hidden(self) -> bool {
        match self {
            Self::Ordinary => false,
            Self::Number(number) => number <= MASKED,
            Self::Hidden => true,
        }
    }

    /// Whether what is computed from them may be low.
    fn may_hide(self) -> bool {
        self.may_be_hidden() || matches!(self, Self::Number(number) if number >= -MASKED)
    }

    /// The same of what is made of all these in any way.
    pub(super) fn any(all: &[Self]) -> Self {
        if all.iter().any(|own| own.may_hide()) { Self::Hidden } else { Self::Ordinary }
    }

    /// The same of the result of an elementwise op.
    pub(super) fn elementwise(view: &InstView<'_>, operands: &[Self]) -> Self {
        let is_predicate = view.result(0).element.bits() == 1;
        match (&view.inst.op, operands) {
            (Op::Binary(op), [Self::Number(x), Self::Number(y)]) => {
                number(*op, *x, *y).map_or(Self::any(operands), Self::Number)
            }
            (Op::Binary(Binary::Multiply), [Self::Number(0.0), _] | [_, Self::Number(0.0)]) => {
                Self::Number(0.0)
            }
            (Op::Unary(Unary::Negate), [Self::Number(number)]) => Self::Number(-number),
            (Op::Unary(Unary::Not), [Self::Number(number)]) if is_predicate => {
                Self::Number(f64::from(*number == 0.0))
            }
            (Op::Convert(_), [operand]) => *operand,
            (Op::Select(_), [Self::Number(0.0), _, no]) => *no,
            (Op::Select(_), [Self::Number(_), yes, _]) => *yes,
            (Op::Select(_), [_, yes, no]) if yes == no => *yes,
            (Op::Select(_), [_, yes, no]) => Self::any(&[*yes, *no]),
            // A predicate is no number to be added.
            _ if is_predicate => Self::Ordinary,
            (_, operands) => Self::any(operands),
        }
    }
}

/// Elements of the result of an elementwise op. `is_sure`: each query sees a key that is not low.
pub(super) fn elementwise(view: &InstView<'_>, operands: &[Unseen], is_sure: bool) -> Unseen {
    let is_predicate = view.result(0).element.bits() == 1;
    match (&view.inst.op, operands) {
        (Op::Binary(op), [left, right]) => binary(*op, *left, *right, is_predicate),
        (Op::Unary(op), [operand]) => unary(*op, *operand, is_predicate, is_sure),
        (Op::Convert(_), [Unseen::Number(number)]) if is_predicate => {
            Unseen::Number(f64::from(*number != 0.0))
        }
        (Op::Convert(_), [operand]) => *operand,
        (Op::Select(_), [condition, yes, no]) => select(*condition, *yes, *no),
        (Op::Compare(_) | Op::Clamp(_), operands) => mixed(operands, true),
        (_, operands) => mixed(operands, false),
    }
}

/// Elements of a product that is not summed up along keys.
pub(super) fn product(left: Unseen, right: Unseen) -> Unseen {
    binary(Binary::Multiply, left, right, false)
}

/// Elements of what is made of these in some way that keeps finite numbers finite, or not.
pub(super) fn mixed(operands: &[Unseen], keeps_finite: bool) -> Unseen {
    if operands.iter().all(|operand| operand.is_true()) {
        Unseen::True
    } else if keeps_finite && operands.iter().all(|operand| operand.is_finite()) {
        Unseen::Finite
    } else {
        Unseen::Anything
    }
}

fn binary(op: Binary, left: Unseen, right: Unseen, is_predicate: bool) -> Unseen {
    if let (Unseen::Number(x), Unseen::Number(y)) = (left, right) {
        return number(op, x, y).map_or(Unseen::True, Unseen::Number);
    }
    let is_any = |test: &dyn Fn(Unseen) -> bool| test(left) || test(right);
    match op {
        Binary::Multiply | Binary::And
            if is_any(&Unseen::is_zero) && left.is_finite() && right.is_finite() =>
        {
            Unseen::Number(0.0)
        }
        Binary::Divide if left.is_zero() && right == Unseen::True => Unseen::Number(0.0),
        Binary::Or if is_predicate && is_any(&|operand| operand == Unseen::Number(1.0)) => {
            Unseen::Number(1.0)
        }
        Binary::Add if left.is_low() || right.is_low() => lowered(left, right),
        Binary::Subtract if left.is_low() && !right.is_low() => lowered(left, right),
        // Divisors are taken to be no zeros, such as sums of exponentials.
        Binary::Divide
            if matches!(right, Unseen::True) || matches!(right, Unseen::Number(number) if number != 0.0) =>
        {
            mixed(&[left, right], true)
        }
        Binary::Add
        | Binary::Subtract
        | Binary::Multiply
        | Binary::Maximum
        | Binary::Minimum
        | Binary::And
        | Binary::Or
        | Binary::Xor => mixed(&[left, right], true),
        _ => mixed(&[left, right], false),
    }
}

/// A low number, and another one added to it or subtracted from it.
fn lowered(left: Unseen, right: Unseen) -> Unseen {
    let is_nothing = |operand: Unseen| operand == Unseen::Number(f64::NEG_INFINITY);
    let is_ordinary = |operand: Unseen| is_nothing(operand) || operand.is_finite();
    match is_ordinary(left) && is_ordinary(right) {
        true if is_nothing(left) || is_nothing(right) => Unseen::Number(f64::NEG_INFINITY),
        true => Unseen::Low { is_true: left.is_true() && right.is_true() },
        false => Unseen::Anything,
    }
}

fn number(op: Binary, x: f64, y: f64) -> Option<f64> {
    Some(match op {
        Binary::Add => x + y,
        Binary::Subtract => x - y,
        Binary::Multiply => x * y,
        Binary::Divide => x / y,
        Binary::Minimum => x.min(y),
        Binary::Maximum => x.max(y),
        Binary::And if x == 0.0 || y == 0.0 => 0.0,
        Binary::And if x == 1.0 && y == 1.0 => 1.0,
        Binary::Or if x == 0.0 => y,
        Binary::Or if y == 0.0 || x == y => x,
        _ => return None,
    })
}

fn unary(op: Unary, operand: Unseen, is_predicate: bool, is_sure: bool) -> Unseen {
    match (op, operand) {
        (Unary::Exponential, Unseen::Number(number)) => Unseen::Number(number.exp()),
        (Unary::Exponential, Unseen::Low { .. }) if is_sure => Unseen::Number(0.0),
        (Unary::Negate, Unseen::Number(number)) => Unseen::Number(-number),
        (Unary::Not, Unseen::Number(number)) if is_predicate => Unseen::Number(f64::from(number == 0.0)),
        (Unary::Negate | Unary::Not | Unary::Abs | Unary::Sign | Unary::Tanh | Unary::Logistic, operand) => {
            mixed(&[operand], true)
        }
        (_, operand) => mixed(&[operand], false),
    }
}

fn select(condition: Unseen, yes: Unseen, no: Unseen) -> Unseen {
    match condition {
        Unseen::Number(number) if number != 0.0 => yes,
        Unseen::Number(_) => no,
        _ if yes == no && matches!(yes, Unseen::Number(_)) => yes,
        condition => mixed(&[condition, yes, no], true),
    }
}
