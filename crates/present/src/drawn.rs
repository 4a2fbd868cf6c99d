//! From where the integers of drawn inputs are drawn, and why: what `check` says of them.

use crate::plural;
use crate::wrap::wrap;
use meshwright_execute::{IntRange, Suiting};
use serde::Serialize;
use std::fmt::Write;

/// So many arguments of one kind are named.
const NAMED: usize = 3;

/// The integers of one argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DrawnRange {
    /// Which argument.
    pub argument: usize,
    /// What the program calls it.
    pub name: Option<String>,
    /// The least that is drawn.
    pub from: i64,
    /// Less than this.
    pub below: i64,
    /// What the program does with them, where that is why.
    pub because: Option<String>,
}

/// All arguments of integers that are drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawn(pub Vec<DrawnRange>);

impl Drawn {
    /// Of what suits all arguments and what these are called.
    pub fn new(suiting: &[Option<Suiting>], names: &[Option<String>]) -> Self {
        let drawn = |(argument, own): (usize, &Option<Suiting>)| {
            let IntRange { range, because } = own.as_ref()?.ints()?;
            Some(DrawnRange {
                argument,
                name: names.get(argument).cloned().flatten(),
                from: range.start,
                below: range.end,
                because: because.map(|purpose| purpose.to_string()),
            })
        };
        Self(suiting.iter().enumerate().filter_map(drawn).collect())
    }

    /// A line for each range: `drawn: %arg1 (labels): integers 0..10, looked up in a table of 10 rows`.
    pub fn text(&self) -> String {
        let mut groups: Vec<Vec<&DrawnRange>> = Vec::new();
        for one in &self.0 {
            let is_like = |group: &&mut Vec<&DrawnRange>| {
                let other = group[0];
                (other.from, other.below, &other.because) == (one.from, one.below, &one.because)
            };
            match groups.iter_mut().find(is_like) {
                Some(group) => group.push(one),
                None => groups.push(vec![one]),
            }
        }
        let mut text = String::new();
        for group in groups {
            let named = group.iter().take(NAMED).map(|one| match &one.name {
                Some(name) => format!("%arg{} ({name})", one.argument),
                None => format!("%arg{}", one.argument),
            });
            let mut who = named.collect::<Vec<_>>().join(", ");
            if group.len() > NAMED {
                let _ = write!(who, " and {}", plural::count(group.len() - NAMED, "other"));
            }
            let first = group[0];
            let because = first.because.as_ref().map_or(String::new(), |because| format!(", {because}"));
            text += &wrap("drawn: ", &format!("{who}: integers {}..{}{because}", first.from, first.below));
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_one_kind_share_a_line() {
        let any = || Some(Suiting::Ints(IntRange { range: 0..100, because: None }));
        let ranges = [any(), None, any(), any(), any(), any()];
        let names = [Some("count".to_owned()), None, None, None, None, None];
        let drawn = Drawn::new(&ranges, &names);
        assert_eq!(drawn.text(), "drawn: %arg0 (count), %arg2, %arg3 and 2 others: integers 0..100\n");
    }
}
