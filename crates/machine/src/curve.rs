//! Curves: the share of a rate that is reached, by how much there is to do.
//!
//! Input: points of a machine file, `[[1e6, 0.1], [1e9, 1.0]]`, each an amount of work and the share that is reached
//! there. Output: a [`Curve`]. Between two points the logarithm of the share is a straight line over that of the work, so
//! that time is a power of the work; before the first point and behind the last the share stays as it is there.
//!
//! [`Curves`] holds them by the name of what they are of, such as `matmul` or `all_reduce`. This crate knows no such
//! name: who prices with curves says which there are ([`CurveKinds`]), and a new one needs no line here.

use std::collections::BTreeMap;

use crate::machine::ElementClass;

/// Shares of a rate by work.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Work and share, both above 0 and the share at most 1; by ascending work; not empty.
    points: Vec<[f64; 2]>,
}

/// The curves of a device, or of the links of a level, by the name of their kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curves {
    by_kind: BTreeMap<String, KindCurves>,
}

/// The curves of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct KindCurves {
    /// Where the class of elements has none of its own.
    pub(crate) points: Option<Curve>,
    /// By the class of the arithmetic.
    pub(crate) by_class: BTreeMap<ElementClass, Curve>,
}

/// The kinds of which a reader of machine files knows curves.
#[derive(Clone, Copy, Debug)]
pub struct CurveKinds<'a> {
    /// Those below `[device.curves]`.
    pub device: &'a [&'a str],
    /// Those below `[levels.curves]`.
    pub links: &'a [&'a str],
}

impl Curve {
    /// A curve through points that obey what [`Curve`] says of them.
    pub(crate) fn new(points: Vec<[f64; 2]>) -> Self {
        assert!(!points.is_empty() && points.is_sorted_by(|a, b| a[0] < b[0]), "{points:?} is no curve");
        Self { points }
    }

    /// The points that it goes through: work and share.
    pub fn points(&self) -> &[[f64; 2]] {
        &self.points
    }

    /// The share of the rate that so much work reaches.
    pub fn share(&self, work: f64) -> f64 {
        let above = self.points.partition_point(|[at, _]| *at < work);
        let Some(&[at, share]) = self.points.get(above) else {
            return self.points.last().map_or(1.0, |[_, share]| *share);
        };
        match above.checked_sub(1).map(|below| self.points[below]) {
            Some([from, least]) if at > work => {
                let part = (work / from).ln() / (at / from).ln();
                least * (share / least).powf(part)
            }
            _ => share,
        }
    }
}

impl Curves {
    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.by_kind.is_empty()
    }

    /// The curve of a kind for a class of arithmetic: its own, or else that of the kind.
    pub fn of(&self, kind: &str, class: ElementClass) -> Option<&Curve> {
        let curves = self.by_kind.get(kind)?;
        curves.by_class.get(&class).or(curves.points.as_ref())
    }

    /// The curve of a kind where no elements matter.
    pub fn of_kind(&self, kind: &str) -> Option<&Curve> {
        self.by_kind.get(kind)?.points.as_ref()
    }

    /// The kinds, by their names.
    pub fn kinds(&self) -> impl Iterator<Item = &str> {
        self.by_kind.keys().map(String::as_str)
    }

    pub(crate) fn set(&mut self, kind: &str, curves: KindCurves) {
        self.by_kind.insert(kind.to_owned(), curves);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &KindCurves)> {
        self.by_kind.iter().map(|(kind, curves)| (kind.as_str(), curves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_lie_on_straight_lines_between_logarithms() {
        let curve = Curve::new(vec![[1e6, 0.01], [1e8, 0.1], [1e9, 1.0]]);
        let share = |work: f64| curve.share(work);
        assert_eq!([share(1e6), share(1e8), share(1e9)], [0.01, 0.1, 1.0]);
        // Outside of the points it stays what it is there.
        assert_eq!([share(0.0), share(1.0), share(1e20)], [0.01, 0.01, 1.0]);
        assert!((share(1e7) - 0.001f64.sqrt()).abs() < 1e-12);
        assert!((share(10f64.powf(8.5)) - 0.1f64.sqrt()).abs() < 1e-12);
        assert_eq!(Curve::new(vec![[5.0, 0.5]]).share(7.0), 0.5);
    }

    #[test]
    fn a_class_has_its_own_curve_or_that_of_the_kind() {
        let mut curves = Curves::default();
        let curve = |share: f64| Curve::new(vec![[1.0, share]]);
        let by_class = BTreeMap::from([(ElementClass::Fp8, curve(0.25))]);
        curves.set("matmul", KindCurves { points: Some(curve(0.5)), by_class });
        let share = |class| curves.of("matmul", class).map(|curve| curve.share(1.0));
        assert_eq!([share(ElementClass::Fp8), share(ElementClass::F32)], [Some(0.25), Some(0.5)]);
        assert_eq!(curves.of("sort", ElementClass::F32), None);
    }
}
