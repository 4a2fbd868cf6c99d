//! The nearest numbers for which there is a table.
//!
//! Input: numbers, the rule that they break, and all rules that there are. Output: the [`Refusal`], with numbers that break
//! none of them: where that is enough, one other number, that of the rule first; otherwise several.

use crate::stages::{Broken, Number, Refusal, Stages};

/// Values that are tried in each direction.
const TRIES: usize = 4096;

/// Groups that are tried in each direction where microbatches change with them.
const NEAR: usize = 64;

/// Rules about microbatches that are followed one after the other: those that exclude each other have no end.
const CHANGES: usize = 4;

/// Rules, and what is broken of them.
pub(crate) type Rules<'a> = &'a dyn Fn(&Stages) -> Result<(), Broken>;

/// The refusal of numbers that break a rule.
pub(crate) fn refusal(stages: &Stages, broken: Broken, rules: Rules<'_>) -> Refusal {
    let Broken { rule, number, nearest } = broken;
    let holds = |number: Number, value: usize| rules(&stages.with(number, value)).is_ok();
    let own: Vec<usize> = nearest.iter().copied().filter(|value| holds(number, *value)).collect();
    let others = Number::ALL.into_iter().filter(|other| *other != number);
    // A value that other rules forbid stands near to one that they do not, if there is one.
    let starts = nearest.first().map(|value| (number, *value)).into_iter();
    let mut starts = starts.chain(others.map(|other| (other, stages.of(other))));
    let around = |(number, start): (Number, usize)| {
        let below = (1..start).rev().take(TRIES).find(|value| holds(number, *value));
        let mut above = (1..=TRIES).filter_map(|more| start.checked_add(more));
        let above = above.find(|value| holds(number, *value));
        let found: Vec<_> = below.into_iter().chain(above).map(|value| vec![(number, value)]).collect();
        (!found.is_empty()).then_some(found)
    };
    let nearest = match own.is_empty() {
        false => own.into_iter().map(|value| vec![(number, value)]).collect(),
        true => starts.find_map(around).unwrap_or_else(|| several(stages, rules).into_iter().collect()),
    };
    Refusal { rule, nearest }
}

/// Several other numbers: the nearest groups, with stages of each that schedules have, and microbatches as their rules want them.
fn several(stages: &Stages, rules: Rules<'_>) -> Option<Vec<(Number, usize)>> {
    let groups = (0..=NEAR).flat_map(|distance| {
        let own = stages.groups;
        own.checked_sub(distance).into_iter().chain(own.checked_add(distance))
    });
    let mut starts = groups.flat_map(|groups| {
        [stages.virtual_stages, 1, 2].map(|virtual_stages| Stages { groups, virtual_stages, ..*stages })
    });
    let found = starts.find_map(|start| with_microbatches(start, rules))?;
    let changed = Number::ALL.into_iter().filter(|number| found.of(*number) != stages.of(*number));
    Some(changed.map(|number| (number, found.of(number))).collect())
}

/// The same with as many microbatches as their rules want; none if another rule is broken.
fn with_microbatches(mut stages: Stages, rules: Rules<'_>) -> Option<Stages> {
    for _ in 0..CHANGES {
        match rules(&stages) {
            Ok(()) => return Some(stages),
            Err(Broken { number: Number::Microbatches, nearest, .. }) => {
                stages.microbatches = *nearest.first()?;
            }
            Err(_) => return None,
        }
    }
    None
}
