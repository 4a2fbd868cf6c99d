//! The stage `table`: schedules as tables. With `name=`, the table of that schedule, or why there is none; otherwise the
//! table of the file is read and checked. A table that both are given for has to be the same, event for event.
//!
//! Lines that begin with `//` are no rows. Behind the rows comes what the table costs if every phase takes a second, and
//! a group keeps 1 of a microbatch: its makespan, the bubble by three conventions, the most that a group keeps.

use meshwright_ir::diagnostic::Source;
use meshwright_plan::{Schedule, Table};
use meshwright_schedule::{Stages, named};
use meshwright_simulate::{Bubbles, Costs, simulate};
use meshwright_suite::{Finding, Input, Outcome};

use super::findings;

pub(crate) fn table(input: &Input) -> Outcome {
    match run(input) {
        Ok(output) => Outcome::output(output),
        Err(findings) => Outcome::findings(findings),
    }
}

fn run(input: &Input) -> Result<String, Vec<Finding>> {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let given = Schedule::from_table(&source.text).map_err(|problems| findings(&source, problems))?;
    let Some(name) = input.option("name") else { return described(&given) };
    let number = |name: &str| input.option(name).map(|text| text.parse().expect("a number"));
    let schedule = named(name).expect("a schedule of that name");
    let stages = Stages {
        groups: number("stages").expect("a number of stages"),
        virtual_stages: number("virtual").unwrap_or(schedule.virtual_stages),
        microbatches: number("microbatches").expect("a number of microbatches"),
        layers: number("layers"),
    };
    let made = schedule.table(&stages).map_err(|refusal| vec![finding("refusal", refusal.to_string())])?;
    if given.rows.is_empty() {
        return Ok(format!("{made}{}", described(&made)?));
    }
    assert_eq!(made.to_string(), given.to_string(), "the table that is made is another");
    described(&made)
}

fn described(schedule: &Schedule) -> Result<String, Vec<Finding>> {
    let table = Table::of(schedule).map_err(|faults| {
        faults.into_iter().map(|fault| finding("schedule", fault.message)).collect::<Vec<_>>()
    })?;
    let share = table.rows.len() as f64 / table.num_stages as f64;
    let mut costs = Costs::uniform(table.num_stages, [share; 3], 0.0);
    for stage in &mut costs.stages {
        (stage.kept, stage.kept_for_weights) = (share, share);
    }
    let timeline = simulate(&table, &costs);
    let Bubbles { of_total, of_ideal, of_span } = Bubbles::of(&timeline);
    let peak = (0..timeline.groups.len()).map(|group| timeline.peak(group)).fold(0.0, f64::max);
    Ok(format!(
        "{} stages, {} microbatches: {:.1} s, bubble (a) {of_total:.4} (b) {of_ideal:.4} (c) {of_span:.4}, keeps {peak:.1}\n",
        table.num_stages,
        table.num_microbatches,
        timeline.makespan(),
    ))
}

fn finding(check: &str, message: String) -> Finding {
    Finding { check: check.to_owned(), line: None, message }
}
