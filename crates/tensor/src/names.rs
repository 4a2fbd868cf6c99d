//! Names of stacks of tensors: `model.layers.{0..31}.mlp.up_proj.weight` stands for 32 tensors, stacked along a first dim; with
//! several braces there is a dim for each. `{1..25..2}` counts in steps, as a shell does.
//!
//! And of parts: `mixer.in_proj.weight(0:64)` stands for the first 64 rows of a tensor, `attn.c_attn.weight(:,0:64)` for columns
//! of one, and `gate_up_proj(:,0:64:2)` for every second of these.

use std::ops::Range;

/// A place of a part in a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The dim along which it is cut, of the tensor's own.
    pub dim: usize,
    /// What it has of it.
    pub range: Range<usize>,
    /// How far what it has is apart.
    pub step: usize,
}

impl Place {
    /// The positions that it has, in order.
    pub fn positions(&self) -> impl ExactSizeIterator<Item = usize> + use<> {
        self.range.clone().step_by(self.step)
    }
}

/// The tensor that a name is of, and the place of the part that it stands for; of most names all.
pub fn place(name: &str) -> (&str, Option<Place>) {
    let found = || {
        let (tensor, mut at) = name.strip_suffix(')')?.rsplit_once('(')?;
        let mut dim = 0;
        while let Some(rest) = at.strip_prefix(":,") {
            (dim, at) = (dim + 1, rest);
        }
        let numbers: Vec<usize> = at.split(':').map(|number| number.parse().ok()).collect::<Option<_>>()?;
        let (range, step) = match numbers.as_slice() {
            [start, end] => (*start..*end, 1),
            [start, end, step] if *step > 0 => (*start..*end, *step),
            _ => return None,
        };
        (range.start < range.end).then_some((tensor, Some(Place { dim, range, step })))
    };
    found().unwrap_or((name, None))
}

/// Numbers `start, start + step, ...`, as a shell would expand them: `{0..31}`, `{1..25..2}`; a single one as itself.
pub fn braces(start: usize, step: usize, count: usize) -> String {
    let last = start + step * (count - 1);
    match (count, step) {
        (1, _) => start.to_string(),
        (_, 1) => format!("{{{start}..{last}}}"),
        _ => format!("{{{start}..{last}..{step}}}"),
    }
}

/// All names that one stands for, in order; a name without braces stands for itself.
pub fn expanded(pattern: &str) -> Vec<String> {
    let Some((before, numbers, behind)) = split(pattern) else { return vec![pattern.to_owned()] };
    let behind = expanded(behind);
    numbers.flat_map(|number| behind.iter().map(move |rest| format!("{before}{number}{rest}"))).collect()
}

/// Sizes of the dims of stacked tensors, which come before a tensor's own.
pub fn stacked(pattern: &str) -> Vec<usize> {
    let Some((_, numbers, behind)) = split(pattern) else { return Vec::new() };
    [vec![numbers.size_hint().0], stacked(behind)].concat()
}

/// The name with stars for the numbers of stacked tensors: `model.layers.*.mlp.up_proj`.
pub fn starred(pattern: &str) -> String {
    match split(pattern) {
        Some((before, _, behind)) => format!("{before}*{}", starred(behind)),
        None => pattern.to_owned(),
    }
}

/// Numbers in braces, from one to another in steps.
type Numbers = std::iter::StepBy<std::ops::RangeInclusive<usize>>;

/// What stands before the first braces, the numbers in them, and the rest; none if there are no numbers.
fn split(pattern: &str) -> Option<(&str, Numbers, &str)> {
    let (before, rest) = pattern.split_once('{')?;
    let (range, behind) = rest.split_once('}')?;
    let numbers: Vec<usize> = range.split("..").map(|number| number.parse().ok()).collect::<Option<_>>()?;
    let (first, last, step) = match numbers.as_slice() {
        [first, last] => (*first, *last, 1),
        [first, last, step] if *step > 0 => (*first, *last, *step),
        _ => return None,
    };
    Some((before, (first..=last).step_by(step), behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_expanded_as_a_shell_does() {
        assert_eq!(expanded("norm.weight"), ["norm.weight"]);
        assert_eq!(expanded("l.{0..2}.w"), ["l.0.w", "l.1.w", "l.2.w"]);
        assert_eq!(expanded("l.{1..5..2}.w"), ["l.1.w", "l.3.w", "l.5.w"]);
        assert_eq!(expanded("l.{1..2}.e.{0..1}"), ["l.1.e.0", "l.1.e.1", "l.2.e.0", "l.2.e.1"]);
        assert_eq!(expanded("{a}.w"), ["{a}.w"]);
        assert_eq!(starred("l.{1..2}.e.{0..4..2}.w"), "l.*.e.*.w");
        assert_eq!((stacked("w"), stacked("l.{1..2}.e.{0..4..2}.w")), (vec![], vec![2, 3]));
    }

    #[test]
    fn braces_are_written_as_they_are_read() {
        assert_eq!(
            [braces(0, 1, 32), braces(1, 2, 13), braces(7, 6, 1)],
            ["{0..31}", "{1..25..2}", "7"].map(str::to_owned)
        );
        assert_eq!(expanded(&format!("l.{}.w", braces(2, 3, 2))), ["l.2.w", "l.5.w"]);
    }

    #[test]
    fn parts_say_where_they_lie() {
        let at = |dim, range| Some(Place { dim, range, step: 1 });
        assert_eq!(place("l.{0..2}.w(0:64)"), ("l.{0..2}.w", at(0, 0..64)));
        assert_eq!(place("w(:,:,8:9)"), ("w", at(2, 8..9)));
        let (name, found) = place("w(:,1:8:3)");
        assert_eq!((name, found.unwrap().positions().collect::<Vec<_>>()), ("w", vec![1, 4, 7]));
        for whole in ["w", "w(3)", "w(8:8)", "w(0:8:0)", "w(0:8:2:2)", "w(a:b)", "f(x)"] {
            assert_eq!(place(whole), (whole, None));
        }
    }
}
