//! `meshwright simulate`: what each group does when, by a table and the seconds of its phases.

use crate::args::{Output, SimulateArguments};
use crate::failure::{Failure, Outcome};
use crate::schedule::{at_fault, costs, read};
use crate::{input, output};
use meshwright_plan::Table;
use meshwright_present::timeline;
use meshwright_simulate::simulate;

pub(crate) fn run(arguments: &SimulateArguments, out: Output) -> Outcome {
    let source = input::text(&arguments.schedule, "table")?;
    let schedule = read(&source)?;
    let table = Table::of(&schedule).map_err(|faults| at_fault(&source, faults))?;
    let mut costs = costs(&arguments.costs, &table);
    if let Some(bandwidth) = arguments.link_bandwidth {
        costs = costs.with_transfers(1.0 / bandwidth);
    }
    for (group, factor) in &arguments.slow {
        let count = table.rows.len();
        if *group >= count {
            return Err(Failure::usage(format!("there is no group {group}: the table has {count}, from 0")));
        }
        costs.slowdowns.insert(*group, *factor);
    }
    let found = simulate(&table, &costs);
    if let Some(path) = &arguments.trace {
        let text = format!("{}\n", timeline::trace(&found));
        output::write(path, text.as_bytes())?;
    }
    if let Some(path) = &arguments.svg {
        output::write(path, timeline::picture(&found).as_bytes())?;
    }
    match out.json {
        true => output::print(&output::json(&timeline::json(&table, &found))),
        false => output::print(&timeline::text(&table, &found)),
    }
}
