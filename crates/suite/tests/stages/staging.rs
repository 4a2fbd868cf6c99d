//! `stages`: the step in `count` microbatches, cut into as many stages as `stages` says.
//!
//! The output is the stage and part of each instruction of a turn, where the update is, and the schedule with all transfers
//! for one row of 1F1B; or why it cannot be cut.

use std::fmt::Write as _;

use meshwright_analyze::batch::time_axis;
use meshwright_analyze::{Phases, Roles};
use meshwright_plan::{Schedule, Table};
use meshwright_stage::rows::Placed;
use meshwright_stage::{Rows, Step, pieces, stages, verify};
use meshwright_suite::{Input, Outcome};
use meshwright_transform::microbatch::in_microbatches;
use meshwright_transform::{Barriers, normal};

use super::recompute::flat;

pub(crate) fn staged(input: &Input) -> Outcome {
    let flat = match flat(input) {
        Ok((_, flat)) => flat,
        Err(found) => return Outcome::findings(found),
    };
    let number = |option: &str| input.option(option).and_then(|text| text.parse().ok());
    let (microbatches, count) = (number("count").unwrap_or(2), number("stages").unwrap_or(2));
    let function = normal(&flat.function, Barriers::Dropped).function;
    let roles = Roles::new(&function);
    let axis = time_axis(&function, &roles, microbatches).expect("a batch that divides");
    let cut = in_microbatches(&function, &axis).expect("nothing needs the whole batch");
    let phases = Phases::new(&function, &roles).expect("a training step");
    let step = match Step::new(&cut, &axis, &roles, &phases) {
        Ok(step) => step,
        Err(refusal) => return Outcome::output(format!("{refusal}\n")),
    };
    let staged = match stages(&step, &vec![1.0; count], &|_| 1.0) {
        Ok(staged) => staged,
        Err(refusal) => return Outcome::output(format!("{refusal}\n")),
    };
    if let Err(problems) = verify::verify(&step, &staged) {
        return Outcome::output(format!("it is broken: {problems:?}\n"));
    }
    let mut text = format!("cut at {:?}\n", staged.cuts);
    let body = step.body();
    for (at, inst) in step.inside.iter().enumerate() {
        let name = body.insts[*inst].op.name();
        let _ = match staged.stage[at].zip(staged.part[at]) {
            Some((stage, part)) => writeln!(text, "{stage} {part:?} {name}"),
            None => writeln!(text, "- {name}"),
        };
    }
    for inst in &step.behind {
        let name = body.insts[*inst].op.name();
        let _ = match staged.update.sites.get(inst) {
            Some(site) => writeln!(text, "update of stage {} in round {}: {name}", site.stage, site.round),
            None => writeln!(text, "update of whoever reads it: {name}"),
        };
    }
    let schedule = one_after_the_other(staged.count, microbatches, step.has_prepass());
    let table = Table::of(&schedule).expect("it can happen");
    let placed = Placed::of(&table).expect("each stage has one row");
    let pieces = pieces::pieces(&step, &staged, placed.copies());
    let rows = Rows::new(&step, &staged, &pieces, &table, placed);
    Outcome::output(text + &rows.schedule(&table).to_string())
}

/// GPipe with the gradients apart.
fn one_after_the_other(stages: usize, microbatches: usize, has_prepass: bool) -> Schedule {
    let row = |stage: usize| {
        let each =
            |letter: &str| (0..microbatches).map(|at| format!("{stage}{letter}{at} ")).collect::<String>();
        let before = if has_prepass { each("P") } else { String::new() };
        before + &each("F") + &each("I") + &each("W")
    };
    let text: Vec<String> = (0..stages).map(row).collect();
    Schedule::from_text(&text.join("\n")).expect("it is a table")
}
