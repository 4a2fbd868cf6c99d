//! Elementwise algebra of a softmax and its gradient.
//!
//! With scores `s`, `e = exp(s - m)` and `l = rowsum(e)`, the probabilities are `p = e / l`. From the gradient `x` of the
//! probabilities, that of the scores is `p (x - rowsum(p x)) = e x / l - e d / l^2` with `d = rowsum(e x)`. However a
//! program writes it, it is a sum of products of powers of `e`, `l`, `x` and `d`, and so it is compared.
//!
//! A sink is one more score that has no value: with `z = exp(sink - m)`, `l` is `rowsum(e) + z`, and the gradient of the sink
//! is that of the scores where `e` is `z` and `x` is zero, `-z d / l^2`.
//!
//! Input: what two values are made of. Output: what is made of both, and whether it is one of these.

use std::collections::BTreeMap;

/// Powers of `e`, `l`, `x`, `d` and `z`.
type Powers = [i8; 5];

const ONE: Powers = [0; 5];
const E: Powers = [1, 0, 0, 0, 0];
const L: Powers = [0, 1, 0, 0, 0];
const X: Powers = [0, 0, 1, 0, 0];
const D: Powers = [0, 0, 0, 1, 0];
const Z: Powers = [0, 0, 0, 0, 1];
const P: Powers = [1, -1, 0, 0, 0];

/// Whether one more score than those of the keys takes its part of a softmax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    Nothing,
    Sink,
}

/// A sum of products of powers, each with its factor.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sum(BTreeMap<Powers, f64>);

impl Sum {
    /// A number.
    pub(super) fn number(value: f64) -> Self {
        Self::term(ONE, value)
    }

    /// The exponentials.
    pub(super) fn exponentials() -> Self {
        Self::term(E, 1.0)
    }

    /// The exponential of the sink.
    pub(super) fn exponential_of_sink() -> Self {
        Self::term(Z, 1.0)
    }

    /// Nothing at all.
    pub(super) fn zero() -> Self {
        Self(BTreeMap::new())
    }

    /// The gradient of the probabilities times a number.
    pub(super) fn gradient(factor: f64) -> Self {
        Self::term(X, factor)
    }

    fn term(powers: Powers, factor: f64) -> Self {
        Self(BTreeMap::from([(powers, factor)]))
    }

    fn only(&self) -> Option<(Powers, f64)> {
        let mut terms = self.0.iter();
        let (powers, factor) = terms.next()?;
        terms.next().is_none().then_some((*powers, *factor))
    }

    /// The number that it is.
    pub(super) fn as_number(&self) -> Option<f64> {
        self.only().filter(|(powers, _)| *powers == ONE).map(|(_, factor)| factor)
    }

    /// How many probabilities it is.
    pub(super) fn as_probabilities(&self) -> Option<f64> {
        self.only().filter(|(powers, _)| *powers == P).map(|(_, factor)| factor)
    }

    /// Whether it is what the exponentials sum up to, so many times.
    pub(super) fn is_total(&self) -> bool {
        self.only().is_some_and(|(powers, _)| powers == L)
    }

    /// Whether it is that and something else.
    pub(super) fn is_total_and_more(&self) -> bool {
        self.0.len() > 1 && self.0.contains_key(&L)
    }

    /// How many gradients of the scores it is, where its two factors may differ by so much for being rounded.
    pub(super) fn as_gradient(&self, tolerance: f64) -> Option<f64> {
        let factor = *self.0.get(&[1, -1, 1, 0, 0])?;
        let other = *self.0.get(&[1, -2, 0, 1, 0])?;
        (self.0.len() == 2 && (factor + other).abs() <= tolerance * factor.abs()).then_some(factor)
    }

    /// How much it is of the sink's probability times the sum of all probabilities times their gradients.
    pub(super) fn as_gradient_of_sink(&self) -> Option<f64> {
        self.only().filter(|(powers, _)| *powers == [0, -2, 0, 1, 1]).map(|(_, factor)| factor)
    }

    /// Whether every term is zero where the exponentials are.
    pub(super) fn vanishes_with_them(&self) -> bool {
        self.0.keys().all(|powers| powers[0] > 0)
    }

    /// The sum of both.
    pub(super) fn plus(&self, other: &Self) -> Self {
        let mut terms = self.0.clone();
        for (powers, factor) in &other.0 {
            let own = terms.entry(*powers).or_insert(0.0);
            let sum = *own + factor;
            *own = if sum.abs() <= 1e-9 * factor.abs() { 0.0 } else { sum };
        }
        terms.retain(|_, factor| *factor != 0.0);
        Self(terms)
    }

    /// Every term times a number.
    pub(super) fn scaled(&self, by: f64) -> Self {
        Self(self.0.iter().map(|(powers, factor)| (*powers, factor * by)).collect())
    }

    /// The product of both.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut product = Self::zero();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                product = product.plus(&Self::term(added(*left, *right, 1)?, a * b));
            }
        }
        Some(product)
    }

    /// Divided by a single term.
    pub(super) fn over(&self, other: &Self) -> Option<Self> {
        let (powers, factor) = other.only()?;
        self.times(&Self::term(added(ONE, powers, -1)?, 1.0 / factor))
    }

    /// A single term to a whole power.
    pub(super) fn to_the(&self, power: f64) -> Option<Self> {
        let (powers, factor) = self.only()?;
        let whole = (power.fract() == 0.0 && power.abs() <= 4.0).then_some(power as i8)?;
        Some(Self::term(added(ONE, powers, whole)?, factor.powf(power)))
    }

    /// Summed along the keys.
    pub(super) fn summed(&self, beside: Beside) -> Option<Self> {
        let mut sum = Self::zero();
        for (powers, factor) in &self.0 {
            let [e, l, x, d, z] = *powers;
            let mut of_keys = |all: Powers, factor: f64| {
                sum = sum.plus(&Self::term(added([0, l, 0, d, z], all, 1)?, factor));
                Some(())
            };
            match (e, x, beside) {
                (1, 0, Beside::Nothing) => of_keys(L, *factor)?,
                (1, 0, Beside::Sink) => {
                    of_keys(L, *factor)?;
                    of_keys(Z, -factor)?;
                }
                (1, 1, _) => of_keys(D, *factor)?,
                _ => return None,
            }
        }
        Some(sum)
    }
}

/// `left + times * right`, as long as powers are small.
fn added(left: Powers, right: Powers, times: i8) -> Option<Powers> {
    let mut sum = left;
    for (own, other) in sum.iter_mut().zip(right) {
        *own = own.checked_add(other.checked_mul(times)?).filter(|power| power.abs() <= 8)?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gradients_of_a_softmax_are_equal_however_they_are_written() {
        let (e, x) = (Sum::exponentials(), Sum::gradient(1.0));
        let l = e.summed(Beside::Nothing).unwrap();
        let p = e.over(&l).unwrap();
        assert_eq!(p.as_probabilities(), Some(1.0));
        let kept = p.times(&x).unwrap().summed(Beside::Nothing).unwrap();
        let short = p.times(&x.plus(&kept.scaled(-1.0))).unwrap();
        assert_eq!(short.as_gradient(1e-6), Some(1.0));
        // As the derivative of a quotient gives it.
        let squared = Sum::number(1.0).over(&l.times(&l).unwrap()).unwrap();
        let of_sum =
            x.times(&squared).unwrap().times(&e).unwrap().summed(Beside::Nothing).unwrap().scaled(-1.0);
        let long = x.over(&l).unwrap().plus(&of_sum).times(&e).unwrap();
        assert_eq!(long, short);
        assert_eq!(long.scaled(0.5).as_gradient(1e-6), Some(0.5));
        // Almost a gradient.
        let nearly = short.plus(&Sum::term([1, -1, 1, 0, 0], 1e-3));
        assert_eq!(nearly.as_gradient(1e-6), None);
        assert_eq!(nearly.as_gradient(1e-2), Some(1.001));
        assert_eq!(long.plus(&p).as_gradient(1e-6), None);
        assert_eq!(p.to_the(2.0).unwrap().as_probabilities(), None);
    }

    #[test]
    fn a_sink_has_its_part_of_the_sums() {
        let (e, x) = (Sum::exponentials(), Sum::gradient(1.0));
        let l = e.summed(Beside::Sink).unwrap().plus(&Sum::exponential_of_sink());
        assert!(l.is_total());
        let p = e.over(&l).unwrap();
        let kept = p.times(&x).unwrap().summed(Beside::Sink).unwrap();
        assert_eq!(p.times(&x.plus(&kept.scaled(-1.0))).unwrap().as_gradient(1e-6), Some(1.0));
        let share = Sum::exponential_of_sink().over(&l).unwrap();
        let of_sink = share.times(&kept).unwrap().scaled(-1.0);
        assert_eq!(of_sink.as_gradient_of_sink(), Some(-1.0));
        // What is left for the keys.
        assert_eq!(p.summed(Beside::Sink).unwrap(), Sum::number(1.0).plus(&share.scaled(-1.0)));
    }
}
