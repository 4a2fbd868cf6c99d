//! Small twins of what was planned, for hosts that cannot run the program itself.
//!
//! Input: what was planned. Output: its twin, and what of the plan that is: axes and dims before and in it, and what it
//! leaves unproven.

use crate::failure::{Failure, Outcome};
use crate::pipeline;
use crate::plan_table::Rows;
use crate::planning::{self, Planned};
use crate::table::{Lean, narrowed, render};
use crate::terminal::Terminal;
use meshwright_analyze::names;
use meshwright_compile::{ShrunkAxis, Twin, pipeline_twin, twin};
use meshwright_present::shape;
use meshwright_present::wrap::wrap;
use serde_json::{Value, json};

/// Devices of a twin, if its axes leave as few: as many threads as a host runs without trouble.
pub const MOST_DEVICES: usize = 16;

/// More shapes than this are not shown, unless all are asked for.
const MOST_SHAPES: usize = 12;

/// The twin of what was planned.
pub(crate) fn of(planned: &Planned) -> Outcome<Twin> {
    let Planned { source, machine, options, compiled, .. } = planned;
    if compiled.local.is_some() {
        return Err(Failure::usage(
            "`--shrink`: statistics of each microbatch by itself depend on its size, and a twin has another one",
        ));
    }
    let terminal = Terminal::plain().listening();
    let made = twin(compiled, machine, options, MOST_DEVICES, &terminal);
    terminal.wipe();
    made.map_err(|error| planning::failure(error, source, None))
}

/// The twin of a pipeline.
pub(crate) fn of_pipeline(planned: &pipeline::Planned) -> Outcome<Twin> {
    let pipeline::Planned { source, machine, options, pipelined, .. } = planned;
    let terminal = Terminal::plain().listening();
    let made = pipeline_twin(pipelined, machine, options, MOST_DEVICES, &terminal);
    terminal.wipe();
    made.map_err(|error| planning::failure(error, source, None))
}

/// Text that says what the twin is.
pub fn text(twin: &Twin, rows: Rows) -> String {
    let devices = |size: fn(&ShrunkAxis) -> usize| twin.axes.iter().map(size).product::<usize>();
    let axis = |axis: &ShrunkAxis| match axis.size == axis.twin {
        true => format!("{} {}", axis.name, axis.size),
        false => format!("{} {} -> {}", axis.name, axis.size, axis.twin),
    };
    let axes: Vec<String> = twin.axes.iter().map(axis).collect();
    let (all, few) = (devices(|axis| axis.size), devices(|axis| axis.twin));
    let of_all = if all == few { String::new() } else { format!(" of {all}") };
    let head = wrap(
        "",
        "Checked is a small twin: the same instructions, shardings, strategies and policies with small sizes. What follows \
         proves the twin, and of the program what does not depend on sizes.",
    );
    let axes = wrap("  axes        ", &format!("{}: {few} devices{of_all}", axes.join(", ")));
    let segments = twin.segments.map_or_else(String::new, |[all, few]| {
        wrap(
            "  segments    ",
            &format!("{few} of {all}: stages do without layers that are as others of theirs"),
        )
    });
    let unproven = match twin.unproven.as_slice() {
        [] if twin.programs.as_whole().is_some() => {
            "nothing: every kind of collective, pass and policy of the plan is in the twin".to_owned()
        }
        [] => "nothing that is compared: every kind of collective and policy of the plan, and every program, is in the twin; \
               passes over programs are not compared"
            .to_owned(),
        unproven => unproven.join("; "),
    };
    format!("\n{head}\n{axes}{segments}{}\n{}", wrap("  unproven    ", &unproven), shapes(twin, rows))
}

/// The shapes of arguments, those that are alike in one row.
fn shapes(twin: &Twin, rows: Rows) -> String {
    let mut groups: Vec<(&[Vec<usize>; 2], Vec<String>)> = Vec::new();
    let argument_names = names::of_arguments(&twin.function);
    for (index, (shapes, name)) in twin.arguments.iter().zip(argument_names).enumerate() {
        let name = name.unwrap_or_else(|| format!("arg{index}"));
        match groups.iter_mut().find(|(known, _)| *known == shapes) {
            Some((_, names)) => names.push(name),
            None => groups.push((shapes, vec![name])),
        }
    }
    let shown = if rows == Rows::All { groups.len() } else { groups.len().min(MOST_SHAPES) };
    let row = |([before, after], names): &(&[Vec<usize>; 2], Vec<String>)| {
        let others = match names.len() {
            1 => String::new(),
            count => format!(" and {} more", count - 1),
        };
        vec![shape(before), shape(after), format!("{}{others}", names[0])]
    };
    let head = [("shape", Lean::Right), ("in the twin", Lean::Right), ("arguments", Lean::Left)];
    let cells: Vec<Vec<String>> = groups.iter().take(shown).map(row).collect();
    let left = match groups.len() - shown {
        0 => String::new(),
        left => format!("  ... and {left} other shapes (`--full` shows them)\n"),
    };
    format!("{}{left}", render(&head, &narrowed(&head, cells, &[(2, 16)])))
}

/// The same as JSON.
pub fn json(twin: &Twin) -> Value {
    let axis = |axis: &ShrunkAxis| json!({ "name": axis.name, "size": axis.size, "twin_size": axis.twin });
    let argument = |(index, [before, after]): (usize, &[Vec<usize>; 2])| json!({ "index": index, "shape": before, "twin_shape": after });
    let segments = twin.segments.map(|[all, few]| json!({ "number": all, "twin_number": few }));
    json!({
        "axes": twin.axes.iter().map(axis).collect::<Vec<_>>(),
        "arguments": twin.arguments.iter().enumerate().map(argument).collect::<Vec<_>>(),
        "segments": segments,
        "unproven": twin.unproven,
    })
}
