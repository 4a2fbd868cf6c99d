//! Checks a staged step by what the rules of its parts mean, without how it was found. What it checks:
//!
//! - S1: each instruction of a turn that is not free is in one stage and part, and no free one is;
//! - S2: what it reads of its own stage is made in its part, or in one that runs before it;
//! - S3: what it reads of an earlier stage is made forward there, or by the pass before all others for that pass; what it reads of a later one is a gradient of that
//!   stage's input; and nobody forward reads anything of a later stage;
//! - S4: what the update reads is there: made in its stage in the same round or before, elsewhere a round before;
//! - S5: each result of the step is given where it is made;
//! - S6: what a stage makes once in a step follows from parameters alone, takes fewer bytes than these, and is read by its
//!   instructions.

use crate::closure::{Closure, closure};
use crate::copies::of_parameters;
use crate::update::is_made_anywhere;
use crate::{Class, Part, Refusal, Staged, Step};
use meshwright_ir::ids::{InstId, ValueId};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Checks a staged step.
///
/// # Errors
/// All that is wrong, in words.
pub fn verify(step: &Step<'_>, staged: &Staged) -> Result<(), Vec<String>> {
    let mut found = Vec::new();
    turn(step, staged, &mut found);
    update(step, staged, &mut found);
    copies(step, staged, &mut found);
    if found.is_empty() { Ok(()) } else { Err(found) }
}

/// S1 to S3.
fn turn(step: &Step<'_>, staged: &Staged, found: &mut Vec<String>) {
    for (at, inst) in step.inside.iter().enumerate() {
        let (is_free, placed) = (step.class[at] == Class::Free, staged.stage[at].zip(staged.part[at]));
        let Some((stage, part)) = placed else {
            if !is_free {
                found.push(format!("{inst:?} is in no stage"));
            }
            continue;
        };
        if is_free || stage >= staged.count {
            found.push(format!("{inst:?} is in stage {stage}"));
            continue;
        }
        for value in step.reads(*inst) {
            let Some(from) = step.core(value) else { continue };
            let Some((other, made)) = staged.stage[from].zip(staged.part[from]) else { continue };
            if !is_there((stage, part), (other, made)) {
                found.push(format!(
                    "{inst:?} in stage {stage} ({part:?}) reads {value:?}, which stage {other} makes ({made:?})"
                ));
            }
        }
    }
}

/// Whether what a part of a stage makes is there for a part of this one.
fn is_there((stage, part): (usize, Part), (other, made): (usize, Part)) -> bool {
    match other.cmp(&stage) {
        Ordering::Equal => made <= part && (made == Part::Prepass) == (part == Part::Prepass),
        Ordering::Less => made == Part::Forward || (made, part) == (Part::Prepass, Part::Prepass),
        Ordering::Greater => made == Part::InputGradient && part > Part::Forward,
    }
}

/// Refusal of a staged step that was found wrong: it names the first instruction of a turn that reads what is not there.
pub fn refusal(step: &Step<'_>, staged: &Staged) -> Refusal {
    let count = staged.count;
    let placed = |at: usize| staged.stage[at].zip(staged.part[at]);
    let crossed = (0..step.inside.len()).find_map(|at| {
        let own = placed(at)?;
        let mut read = step.reads(step.inside[at]).into_iter().filter_map(|value| step.core(value));
        let from = read.find(|from| placed(*from).is_some_and(|other| !is_there(own, other)))?;
        let [reader, made] = [at, from].map(|at| (step.inside[at], staged.stage[at].unwrap_or(0)));
        Some(Refusal::Crossed { count, reader, made })
    });
    crossed.unwrap_or(Refusal::NotThere { count })
}

/// S4 and S5.
fn update(step: &Step<'_>, staged: &Staged, found: &mut Vec<String>) {
    let mut there = There { step, first: BTreeMap::new() };
    for inst in &step.behind {
        let sites = &staged.update.sites;
        let row: Vec<usize> = match sites.get(inst) {
            Some(site) => {
                if there.first_of(*inst, site.stage) > site.round {
                    found.push(format!("{inst:?} in {site:?} reads something before it is there"));
                }
                let elsewhere = |stage| site.round + usize::from(stage != site.stage);
                (0..staged.count).map(elsewhere).collect()
            }
            None if is_made_anywhere(step, *inst) => {
                (0..staged.count).map(|stage| there.first_of(*inst, stage)).collect()
            }
            None => {
                found.push(format!("{inst:?} is in no stage"));
                continue;
            }
        };
        there.first.insert(*inst, row);
    }
    for (value, site) in step.function.returned().iter().zip(&staged.update.results) {
        if step.core(*value).is_some() || there.first_with(*value, site.stage) > site.round {
            found.push(format!("result {value:?} is given in {site:?}, before it is there"));
        }
    }
}

/// S6.
fn copies(step: &Step<'_>, staged: &Staged, found: &mut Vec<String>) {
    let bytes = |value: ValueId| step.body().ty(value).num_bytes();
    let bytes_behind = |value: ValueId| {
        let (mut behind, none) = (Closure::default(), (BTreeSet::new(), BTreeSet::new()));
        behind.follow(step, &mut vec![value], &|_| false, (&none.0, &none.1), None);
        let parameters = behind.arguments.iter().filter(|index| step.is_parameter[**index]);
        parameters.map(|index| bytes(step.function.args()[*index])).sum::<usize>()
    };
    let of_parameters = of_parameters(step);
    for (stage, copies) in staged.copies.iter().enumerate() {
        let own: BTreeSet<usize> =
            (0..step.inside.len()).filter(|at| staged.stage[*at] == Some(stage)).collect();
        let needs = closure(step, &own, &BTreeSet::new());
        for value in copies {
            let is_read = step.maker(*value).is_some_and(|maker| {
                needs.around.contains(&maker)
                    || step.position_of(*value).is_some_and(|at| needs.inside.contains(&at))
            });
            let is_copy = of_parameters[*value] && bytes(*value) < bytes_behind(*value);
            if !is_read || !is_copy {
                found.push(format!("{value:?} is no copy of parameters that stage {stage} reads"));
            }
        }
    }
}

/// What the update has where.
struct There<'s, 'a> {
    step: &'s Step<'a>,
    /// For each instruction behind the loop, the first round in which each stage has what it makes.
    first: BTreeMap<InstId, Vec<usize>>,
}

impl There<'_, '_> {
    /// The first round in which a stage has a value.
    fn first_with(&self, value: ValueId, stage: usize) -> usize {
        let maker = self.step.maker(value);
        maker.and_then(|maker| self.first.get(&maker)).map_or(0, |row| row[stage])
    }

    /// The first round in which a stage has all that an instruction reads.
    fn first_of(&self, inst: InstId, stage: usize) -> usize {
        let read = self.step.reads(inst);
        read.into_iter().map(|value| self.first_with(value, stage)).max().unwrap_or(0)
    }
}
