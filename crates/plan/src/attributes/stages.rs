//! Stages of instructions and the schedule of a function as attributes: `meshwright.stage = 1 : i64`,
//! `meshwright.schedule = ["0F0 h:0>1:0", "h:0>1:0 1F0"]`, a row for each group of devices.

use super::{ANNOTATION, SCHEDULE, STAGE};
use crate::{Decisions, Schedule};
use meshwright_ir::attribute::Attr;
use meshwright_ir::diagnostic::{Diagnostic, Diagnostics};
use meshwright_ir::program::Function;

/// Reads what a function says of stages and of their schedule.
pub(super) fn read(function: &Function, decisions: &mut Decisions, problems: &mut Diagnostics) {
    for (id, inst) in function.body.insts.iter() {
        let Some(attr) = inst.attributes.get(STAGE) else { continue };
        match attr.as_int().and_then(|stage| usize::try_from(stage).ok()) {
            Some(stage) => drop(decisions.stages.insert(id, stage)),
            None => problems.push(
                Diagnostic::error(ANNOTATION, inst.span, format!("`{STAGE}` does not fit"))
                    .hint("it is the number of a stage, from 0: `1 : i64`"),
            ),
        }
    }
    let Some(attr) = function.attributes.get(SCHEDULE) else { return };
    let wrong = |why: &str| {
        Diagnostic::error(ANNOTATION, function.span, format!("`{SCHEDULE}` does not fit: {why}"))
            .hint("it is a list of rows, each a text such as `\"0F0 0F1 0B0 0B1\"`")
    };
    match rows(attr).map(|rows| Schedule::from_rows(&rows)) {
        Some(Ok(schedule)) => decisions.schedule = Some(schedule),
        Some(Err((row, why))) => problems.push(wrong(&format!("row {row}: {why}"))),
        None => problems.push(wrong("it is no list of texts")),
    }
}

fn rows(attr: &Attr) -> Option<Vec<&str>> {
    let Attr::Array(rows) = attr else { return None };
    rows.iter().map(Attr::as_str).collect()
}

/// Writes stages on instructions, and the schedule on the function.
pub(super) fn write(function: &mut Function, decisions: &Decisions) {
    for (id, stage) in &decisions.stages {
        function.body.insts[*id].attributes.set(STAGE, Attr::i64(*stage as i64));
    }
    if let Some(schedule) = &decisions.schedule {
        let rows = schedule.to_string().lines().map(Attr::string).collect();
        function.attributes.set(SCHEDULE, Attr::Array(rows));
    }
}
