//! Names of stacks: `model.layers.{0..31}.mlp.up_proj.weight` stands for 32 tensors, stacked along a first dim; with
//! several braces there is a dim for each. `{1..25..2}` counts in steps, as a shell does.

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
        assert_eq!((stacked("w"), stacked("l.{1..2}.e.{0..4..2}.w")), (vec![], vec![2, 3]));
    }
}
