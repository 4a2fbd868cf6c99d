//! The factors of a reshape for propagation.
//!
//! Input: both shapes, without zeros. The sizes are walked from the major end: what both sides have in common at a
//! place is a factor of both; where they differ, each side has factors of its own until the products meet again.
//! `[6, 4] -> [3, 8]`: 3 of both, 2 of both (the rest of 6, part of 8), 4 of both.

/// The greatest common divisor.
fn gcd(mut a: usize, mut b: usize) -> usize {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Where a walk through one shape stands.
struct Walk<'a> {
    shape: &'a [usize],
    dim: usize,
    /// Product of the sizes of the dims that were entered.
    dims: usize,
    /// Product of the factors that were given.
    factors: usize,
}

impl Walk<'_> {
    fn new(shape: &[usize]) -> Walk<'_> {
        Walk { shape, dim: 0, dims: 1, factors: 1 }
    }

    /// Enters the current dim, if the ones before are used up. Returns what is left of it.
    fn rest(&mut self) -> usize {
        if let Some(size) = self.shape.get(self.dim)
            && self.dims == self.factors
        {
            self.dims = self.dims.saturating_mul(*size);
        }
        self.dims / self.factors.max(1)
    }

    fn give(&mut self, factor: usize) {
        self.factors = self.factors.saturating_mul(factor);
    }

    fn leave(&mut self) {
        if self.dim < self.shape.len() && self.dims == self.factors {
            self.dim += 1;
        }
    }

    /// A factor of this side alone, when it is behind the other: one that meets the other, or one that keeps what
    /// both have in common for later.
    fn own_factor(&self, rest: usize, shared: usize, ahead: usize) -> usize {
        let missing = ahead / self.factors.max(1);
        if ahead.is_multiple_of(self.factors) && missing != 0 && rest.is_multiple_of(missing) {
            missing
        } else if rest > shared {
            rest / shared.max(1)
        } else {
            rest
        }
    }
}

/// Calls `add` for each factor with the dims of operand and result that it belongs to, and its size.
pub(super) fn factors(
    operand: &[usize],
    result: &[usize],
    mut add: impl FnMut(Option<usize>, Option<usize>, usize),
) {
    let (mut from, mut to) = (Walk::new(operand), Walk::new(result));
    while from.dim < operand.len() || to.dim < result.len() {
        if operand.get(from.dim) == Some(&1) {
            add(Some(from.dim), None, 1);
            from.dim += 1;
            continue;
        }
        if result.get(to.dim) == Some(&1) {
            add(None, Some(to.dim), 1);
            to.dim += 1;
            continue;
        }
        let (rest_from, rest_to) = (from.rest(), to.rest());
        let shared = gcd(rest_from, rest_to);
        let before = (from.factors, to.factors);
        match from.factors.cmp(&to.factors) {
            std::cmp::Ordering::Equal if shared > 1 => {
                add(Some(from.dim), Some(to.dim), shared);
                from.give(shared);
                to.give(shared);
            }
            std::cmp::Ordering::Equal => {
                add(Some(from.dim), None, rest_from);
                from.give(rest_from);
                add(None, Some(to.dim), rest_to);
                to.give(rest_to);
            }
            std::cmp::Ordering::Less => {
                let factor = from.own_factor(rest_from, shared, to.factors);
                add(Some(from.dim), None, factor);
                from.give(factor);
            }
            std::cmp::Ordering::Greater => {
                let factor = to.own_factor(rest_to, shared, from.factors);
                add(None, Some(to.dim), factor);
                to.give(factor);
            }
        }
        let place = (from.dim, to.dim);
        from.leave();
        to.leave();
        if before == (from.factors, to.factors) && place == (from.dim, to.dim) {
            // Only sizes that are not the same number of elements come here.
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_share_factors_where_their_products_meet() {
        let factors_of = |from: &[usize], to: &[usize]| {
            let mut found = Vec::new();
            factors(from, to, |from, to, size| found.push((from, to, size)));
            found
        };
        assert_eq!(
            factors_of(&[6, 4], &[3, 8]),
            [(Some(0), Some(0), 3), (Some(0), Some(1), 2), (Some(1), Some(1), 4)]
        );
        assert_eq!(factors_of(&[2, 1], &[2]), [(Some(0), Some(0), 2), (Some(1), None, 1)]);
        assert_eq!(
            factors_of(&[2, 3], &[3, 2]),
            [(Some(0), None, 2), (None, Some(0), 3), (Some(1), None, 3), (None, Some(1), 2)]
        );
        assert_eq!(factors_of(&[8], &[7]).len(), 2, "it ends even on what no reshape has");
    }
}
