//! `meshwright plan`: chooses, shows, and writes the plan if asked to.

use crate::args::{Output, PlanArguments};
use crate::failure::Outcome;
use crate::plan_table::{Rows, text};
use crate::{output, planning};
use std::path::Path;

pub(crate) fn run(arguments: &PlanArguments, out: Output) -> Outcome {
    let Some(planned) = planning::compile(
        &arguments.planning,
        planning::NoMachine::Refused,
        None,
        arguments.output.as_deref(),
        out,
    )?
    else {
        return Ok(());
    };
    let plan = &planned.compiled.plan;
    if let Some(path) = &arguments.output {
        output::write(path, plan.to_text().as_bytes())?;
        if path == Path::new("-") {
            return Ok(());
        }
    }
    if out.json {
        return output::print(&plan.to_text());
    }
    let rows = if arguments.full { Rows::All } else { Rows::Grouped };
    output::print(&text(plan, &planned.source.name, &planned.machine.spec(), rows))
}
