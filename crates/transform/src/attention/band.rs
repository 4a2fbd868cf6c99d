//! Masks that follow from positions alone.
//!
//! Input: a value that programs compute from iotas, comparisons and numbers. Output: the band of keys, relative to the
//! query, in which it has one value, and the value that it has elsewhere. Numbers are computed as real ones, so only elements
//! are followed that hold them.
//!
//! Example: `select(iota 0 >= iota 1, 0, -1e9)` is 0 where `query - key` is at least 0, and -1e9 elsewhere.

use super::dims::{Atom, Atoms, Dim};
use super::reader::{Known, MAX_DEPTH};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::reduce_window::ReduceWindow;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::Inst;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementKind, ElementType};
use std::collections::BTreeMap;

/// Positions for which `low <= plus - minus <= high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Band {
    /// The atom that counts up.
    pub(super) plus: Atom,
    /// The atom that counts down.
    pub(super) minus: Atom,
    /// The least difference.
    pub(super) low: i64,
    /// The largest.
    pub(super) high: i64,
}

impl Band {
    /// The same band by the difference of other atoms.
    pub(super) fn seen_from(self, plus: Atom, minus: Atom) -> Option<Self> {
        if (self.plus, self.minus) == (plus, minus) {
            return Some(self);
        }
        let turned = Self { plus, minus, low: negated(self.high), high: negated(self.low) };
        ((self.plus, self.minus) == (minus, plus)).then_some(turned)
    }

    /// Positions in both.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        let other = other.seen_from(self.plus, self.minus)?;
        Some(Self { low: self.low.max(other.low), high: self.high.min(other.high), ..self })
    }

    /// Positions outside, if that is one band.
    fn outside(self) -> Option<Self> {
        match (self.low, self.high) {
            (i64::MIN, high) => Some(Self { low: high.checked_add(1)?, high: i64::MAX, ..self }),
            (low, i64::MAX) => Some(Self { low: i64::MIN, high: low.checked_sub(1)?, ..self }),
            _ => None,
        }
    }
}

fn negated(bound: i64) -> i64 {
    match bound {
        i64::MIN => i64::MAX,
        i64::MAX => i64::MIN,
        bound => -bound,
    }
}

/// A value that follows from positions.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Positional {
    /// The same everywhere.
    Number(f64),
    /// A sum of positions, each so often, and a number.
    Affine(BTreeMap<Atom, i64>, f64),
    /// One number within a band and one outside.
    Two { band: Band, inside: f64, outside: f64 },
}

impl Positional {
    /// The same with every number changed.
    fn map(self, change: impl Fn(f64) -> f64) -> Option<Self> {
        match self {
            Self::Number(x) => Some(Self::Number(change(x))),
            Self::Two { band, inside, outside } => {
                Some(Self::Two { band, inside: change(inside), outside: change(outside) })
            }
            Self::Affine(..) => None,
        }
    }

    /// The whole part of it.
    fn truncated(self) -> Option<Self> {
        match self {
            Self::Affine(_, offset) => (offset.fract() == 0.0).then_some(self),
            other => other.map(f64::trunc),
        }
    }

    /// The band in which it is true, of a predicate.
    pub(super) fn holds(&self) -> Option<Band> {
        match self {
            Self::Two { band, inside, outside } if *inside != 0.0 && *outside == 0.0 => Some(*band),
            Self::Two { band, inside, outside } if *inside == 0.0 && *outside != 0.0 => band.outside(),
            _ => None,
        }
    }

    fn affine(&self) -> Option<(BTreeMap<Atom, i64>, f64)> {
        match self {
            Self::Number(x) => Some((BTreeMap::new(), *x)),
            Self::Affine(terms, offset) => Some((terms.clone(), *offset)),
            Self::Two { .. } => None,
        }
    }
}

impl Known<'_> {
    /// What a value with these dims is, if it follows from positions.
    pub(super) fn positional(&self, atoms: &mut Atoms, value: ValueId, dims: &[Dim]) -> Option<Positional> {
        self.positional_within(atoms, value, dims, MAX_DEPTH)
    }

    fn positional_within(
        &self,
        atoms: &mut Atoms,
        value: ValueId,
        dims: &[Dim],
        depth: usize,
    ) -> Option<Positional> {
        let (id, inst) = self.made(value)?;
        let depth = depth.checked_sub(1)?;
        let element = self.ty(inst.results[0])?.element;
        let found = self.positional_as_real(atoms, (id, inst), dims, depth)?;
        holds_exactly(element, &found).then_some(found)
    }

    /// What an instruction computes of positions, if its elements hold all numbers that come up.
    fn positional_as_real(
        &self,
        atoms: &mut Atoms,
        (id, inst): (InstId, &Inst),
        dims: &[Dim],
        depth: usize,
    ) -> Option<Positional> {
        let element = self.ty(inst.results[0])?.element;
        let is_predicate = element == ElementType::I1;
        if let Some(before) = atoms.backward(self.body, id, dims) {
            let of = self.positional_within(atoms, inst.operands[0], &before, depth)?;
            return match &inst.op {
                Op::Convert(_) if is_predicate => of.map(|x| f64::from(x != 0.0)),
                Op::Convert(_) if element.is_integer() => of.truncated(),
                _ => Some(of),
            };
        }
        let mut operand = |at: usize| self.positional_within(atoms, *inst.operands.get(at)?, dims, depth);
        match &inst.op {
            Op::Constant(op) => match op.value.splat_f64() {
                Some(number) => Some(Positional::Number(number)),
                None => listed(atoms, &op.value, dims),
            },
            Op::Iota(op) => iota(atoms, &dims[op.dim], 0.0),
            Op::Unary(Unary::Not) if is_predicate => operand(0)?.map(|x| 1.0 - x),
            Op::Unary(Unary::Negate) => scaled(&operand(0)?, -1.0),
            Op::Binary(Binary::And | Binary::Or) if !is_predicate => None,
            Op::Binary(Binary::Divide) if !element.is_float() => None,
            Op::Binary(op) => binary(*op, operand(0)?, operand(1)?),
            Op::Compare(op) => compare(op.direction, &operand(0)?, &operand(1)?),
            Op::Select(_) => select(&operand(0)?, operand(1)?, operand(2)?),
            Op::ReduceWindow(op) => {
                let step = self.number(inst.operands[0])?;
                let dim = counted(op, inst, self)?;
                (step == 1.0).then(|| iota(atoms, &dims[dim], 1.0)).flatten()
            }
            _ => None,
        }
    }
}

/// Whether elements of this type are the numbers that a computation with real ones gives: unsigned ones wrap around below
/// zero, and narrow ones hold few positions.
fn holds_exactly(element: ElementType, found: &Positional) -> bool {
    match (element.kind(), found) {
        (ElementKind::Boolean, found) => !matches!(found, Positional::Affine(..)),
        (ElementKind::Signed, _) => element.bits() >= 32,
        (ElementKind::Float, Positional::Affine(..)) => element.bits() >= 32,
        (ElementKind::Float, _) => true,
        (ElementKind::Unsigned | ElementKind::Complex, _) => false,
    }
}

fn iota(atoms: &Atoms, dim: &Dim, offset: f64) -> Option<Positional> {
    match atoms.leaves(dim.as_ref()?)[..] {
        [] => Some(Positional::Number(offset)),
        [atom] => Some(Positional::Affine(BTreeMap::from([(atom, 1)]), offset)),
        _ => None,
    }
}

/// A list of positions, or a predicate of two dims that holds within a band.
fn listed(atoms: &Atoms, literal: &Literal, dims: &[Dim]) -> Option<Positional> {
    let values = literal.to_ints()?;
    let shape = &literal.ty.shape;
    let long: Vec<usize> = (0..shape.len()).filter(|dim| shape[*dim] > 1).collect();
    match long[..] {
        [dim] => {
            let counts = values.windows(2).all(|pair| pair[1].checked_sub(pair[0]) == Some(1));
            counts.then(|| iota(atoms, &dims[dim], values[0] as f64)).flatten()
        }
        [row, column] if literal.ty.element == ElementType::I1 => {
            let width = shape[column];
            let difference = |at: usize| (at / width) as i64 - (at % width) as i64;
            let held = || (0..values.len()).filter(|at| values[*at] != 0).map(difference);
            let (low, high) = (held().min()?, held().max()?);
            let is_band = |at: usize| (values[at] != 0) == (low..=high).contains(&difference(at));
            let [plus, minus] =
                [row, column].map(|dim| atoms.leaves(dims[dim].as_deref().unwrap_or_default()));
            let ([plus], [minus]) = (&plus[..], &minus[..]) else { return None };
            let band = Band { plus: *plus, minus: *minus, low, high };
            (0..values.len()).all(is_band).then_some(Positional::Two { band, inside: 1.0, outside: 0.0 })
        }
        _ => None,
    }
}

/// The dim along which a window sums up all that came before, and nothing else.
fn counted(op: &ReduceWindow, inst: &Inst, known: &Known<'_>) -> Option<usize> {
    let view = known.body.view(known.made(inst.results[0])?.0);
    let adds = meshwright_ir::ops::reducer::reducer(known.body, view.region(0)) == Some(Binary::Add);
    let padding = op.padding.as_ref()?;
    let shape = &known.ty(inst.results[0])?.shape;
    let steps = [&op.strides, &op.base_dilations, &op.window_dilations];
    let is_plain =
        steps.iter().all(|steps| steps.as_ref().is_none_or(|all| all.iter().all(|step| *step == 1)));
    let mut dims = (0..shape.len()).filter(|dim| op.sizes[*dim] > 1);
    let dim = dims.next().filter(|dim| {
        op.sizes[*dim] == shape[*dim] && padding[2 * dim..2 * dim + 2] == [shape[*dim] as i64 - 1, 0]
    })?;
    (adds && is_plain && inst.operands.len() == 2 && dims.next().is_none()).then_some(dim)
}

fn scaled(of: &Positional, by: f64) -> Option<Positional> {
    match of {
        Positional::Affine(terms, offset) if by.fract() == 0.0 => {
            let times = |(atom, often): (&Atom, &i64)| (*atom, often * by as i64);
            Some(Positional::Affine(terms.iter().map(times).collect(), offset * by))
        }
        Positional::Affine(..) => None,
        other => other.clone().map(|x| x * by),
    }
}

fn binary(op: Binary, left: Positional, right: Positional) -> Option<Positional> {
    let number: fn(f64, f64) -> f64 = match op {
        Binary::Add => |x, y| x + y,
        Binary::Subtract => |x, y| x - y,
        Binary::Multiply => |x, y| x * y,
        Binary::Divide => |x, y| x / y,
        Binary::And => |x, y| f64::from(x != 0.0 && y != 0.0),
        Binary::Or => |x, y| f64::from(x != 0.0 || y != 0.0),
        Binary::Minimum => f64::min,
        Binary::Maximum => f64::max,
        _ => return None,
    };
    match (&left, &right, op) {
        (Positional::Number(x), _, _) if !matches!(right, Positional::Affine(..)) => {
            right.map(|y| number(*x, y))
        }
        (_, Positional::Number(y), _) if !matches!(left, Positional::Affine(..)) => {
            left.map(|x| number(x, *y))
        }
        (Positional::Two { .. }, Positional::Two { .. }, Binary::And | Binary::Multiply) => {
            let band = left.holds()?.and(right.holds()?)?;
            let is_one = |of: &Positional| matches!(of, Positional::Two { inside, outside, .. } if inside + outside == 1.0);
            (is_one(&left) && is_one(&right)).then_some(Positional::Two { band, inside: 1.0, outside: 0.0 })
        }
        (_, Positional::Number(y), Binary::Multiply) => scaled(&left, *y),
        (Positional::Number(x), _, Binary::Multiply) => scaled(&right, *x),
        (_, _, Binary::Add) => sum(&left, &right),
        (_, _, Binary::Subtract) => sum(&left, &scaled(&right, -1.0)?),
        _ => None,
    }
}

fn sum(left: &Positional, right: &Positional) -> Option<Positional> {
    let ((mut terms, offset), (others, other)) = (left.affine()?, right.affine()?);
    for (atom, often) in others {
        *terms.entry(atom).or_insert(0) += often;
    }
    terms.retain(|_, often| *often != 0);
    Some(Positional::Affine(terms, offset + other))
}

fn compare(direction: Direction, left: &Positional, right: &Positional) -> Option<Positional> {
    let test = |x: f64, y: f64| {
        f64::from(match direction {
            Direction::Equal => x == y,
            Direction::NotEqual => x != y,
            Direction::GreaterEqual => x >= y,
            Direction::Greater => x > y,
            Direction::LessEqual => x <= y,
            Direction::Less => x < y,
        })
    };
    match (left, right) {
        (Positional::Number(x), Positional::Number(_) | Positional::Two { .. }) => {
            right.clone().map(|y| test(*x, y))
        }
        (Positional::Two { .. }, Positional::Number(y)) => left.clone().map(|x| test(x, *y)),
        _ => {
            let Positional::Affine(terms, offset) = sum(left, &scaled(right, -1.0)?)? else { return None };
            let mut terms = terms.into_iter();
            let [(a, one), (b, minus_one)] = [terms.next()?, terms.next()?];
            let (plus, minus) = match (one, minus_one) {
                (1, -1) => (a, b),
                (-1, 1) => (b, a),
                _ => return None,
            };
            // `plus - minus + offset` is compared with zero.
            let bound = -(offset as i64);
            let (low, high) = match direction {
                _ if offset.fract() != 0.0 || terms.next().is_some() => return None,
                Direction::GreaterEqual => (bound, i64::MAX),
                Direction::Greater => (bound + 1, i64::MAX),
                Direction::LessEqual => (i64::MIN, bound),
                Direction::Less => (i64::MIN, bound - 1),
                Direction::Equal => (bound, bound),
                Direction::NotEqual => return None,
            };
            Some(Positional::Two { band: Band { plus, minus, low, high }, inside: 1.0, outside: 0.0 })
        }
    }
}

fn select(condition: &Positional, yes: Positional, no: Positional) -> Option<Positional> {
    if let Positional::Number(x) = condition {
        return Some(if *x != 0.0 { yes } else { no });
    }
    let band = condition.holds()?;
    match (&yes, &no) {
        (Positional::Number(inside), Positional::Number(outside)) => {
            Some(Positional::Two { band, inside: *inside, outside: *outside })
        }
        (Positional::Two { inside, outside, band: own }, Positional::Number(no)) if outside == no => {
            Some(Positional::Two { band: band.and(*own)?, inside: *inside, outside: *outside })
        }
        _ => None,
    }
}
