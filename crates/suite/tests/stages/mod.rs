//! The stages that file tests can name, one small function each: from a program's text to an [`Outcome`].
//!
//! Only these functions touch the compiler's API, so it can change without any file test changing.

use std::collections::BTreeMap;

use meshwright_suite::{Input, Outcome, Stage};

/// Every stage by the name that `// test:` gives it.
pub(crate) fn stages() -> BTreeMap<&'static str, Stage> {
    BTreeMap::from([("split", Stage { options: &[], run: split })])
}

/// The runner itself: the program's lines that are no comments, each with its number.
fn split(input: &Input) -> Outcome {
    let lines = input.text.lines().enumerate().filter(|(_, line)| !line.starts_with("//"));
    Outcome::output(lines.map(|(index, line)| format!("{}: {line}\n", index + 1)).collect::<String>())
}
