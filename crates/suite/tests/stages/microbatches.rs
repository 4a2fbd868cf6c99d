//! `microbatches`: the program cut into as many microbatches as `count` says, with `statistics=local` those of each.
//!
//! The output is how it is cut, and the new program; or what stands in the way, and where.

use meshwright_analyze::Roles;
use meshwright_analyze::batch::{LocalTimeAxis, local_time_axis, time_axis};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::text::{Form, print};
use meshwright_ir::verify::verify;
use meshwright_suite::{Input, Outcome};
use meshwright_transform::Made;
use meshwright_transform::microbatch::in_microbatches;
use meshwright_transform::time::{Along, InTime, TimeRefusal};

use super::to_cut;

pub(crate) fn microbatches(input: &Input) -> Outcome {
    let source = Source::new(input.name.as_str(), input.text.as_str());
    let (program, count, flat) = match to_cut(input, &source) {
        Ok(cut) => cut,
        Err(outcome) => return outcome,
    };
    let function = flat.function;
    let refused = |refusal: TimeRefusal| {
        let at = refusal.inst().map(|inst| source.place(function.body.insts[inst].span));
        let at = at.map_or(String::new(), |place| format!("line {}: ", place.line));
        Outcome::output(format!("{at}{refusal}\n"))
    };
    let roles = Roles::new(&function);
    let found = match input.option("statistics") {
        Some("local") => local_time_axis(&function, &roles, count),
        _ => time_axis(&function, &roles, count).map(|axis| LocalTimeAxis { axis, local: None }),
    };
    let LocalTimeAxis { axis, local } = match found {
        Ok(found) => found,
        Err(refusal) => return refused(refusal),
    };
    let estimated = local.as_ref().map(|(_, estimated)| format!("estimated: {}\n", estimated.len()));
    let given = local.map_or(function.clone(), |(made, _)| made.function);
    let Made { function: made, .. } = match in_microbatches(&given, &axis) {
        Ok(cut) => cut.made,
        Err(refusal) => return refused(refusal),
    };
    let program = program.with_only(made);
    if let Err(problems) = verify(&program) {
        return Outcome::output(format!("it is broken: {problems:?}"));
    }
    let head = format!("batch of {}, passes: {}\n", axis.size, axis.passes);
    let points = axis.points.iter().map(|point| format!("pass {}: {}\n", point.pass, in_words(point.kind)));
    let head = head + &estimated.unwrap_or_default();
    Outcome::output(head + &points.collect::<String>() + &print(&program, Form::Pretty))
}

/// `Cut(0)`, `Cut(1, 2 together)` or `Partial(Sum)`.
fn in_words(kind: InTime) -> String {
    match kind {
        InTime::Cut(Along { dim, together: 1 }) => format!("Cut({dim})"),
        InTime::Cut(Along { dim, together }) => format!("Cut({dim}, {together} together)"),
        other => format!("{other:?}"),
    }
}
