//! `meshwright explain`: where a value's sharding came from, and where shardings are at odds.

use crate::args::{ExplainArguments, Output};
use crate::failure::{Failure, Outcome};
use crate::{output, planning};
use meshwright_compile::explanation::{AxisOrigin, Conflict, Explanation, Question, Side, Site};
use meshwright_ir::diagnostic::{Source, Span};
use meshwright_ir::program::{Def, Program};
use serde_json::{Value, json};
use std::fmt::Write;

/// How many conflicts are shown unless all are asked for.
const SHOWN: usize = 10;

/// How many names are shown for one that there is not.
const NEAR: usize = 5;

pub(crate) fn run(arguments: &ExplainArguments, out: Output) -> Outcome {
    let (source, program) = planning::read(&arguments.input, None)?;
    let question = match (&arguments.value, arguments.arg) {
        (Some(name), _) => Some(named(&source, &program, name)?),
        (None, Some(index)) => Some(Question::Argument(index)),
        (None, None) => None,
    };
    let Some(question) = question else {
        let found = meshwright_compile::conflicts(&program);
        let found = found.map_err(|error| planning::failure(error, &source, None))?;
        return conflicts(&source, &found, arguments.full, out);
    };
    let found = meshwright_compile::explain(&program, question);
    match found.map_err(|error| planning::failure(error, &source, None))? {
        Some(found) if out.json => output::print(&output::json(&to_json(&source, &found))),
        Some(found) => output::print(&text(&source, &found)),
        None => Err(Failure::usage(match question {
            Question::Argument(index) => no_argument(&program, index),
            Question::Value(..) => {
                "propagation does not see this value: constants are copied for each reader".into()
            }
        })),
    }
}

/// The value that a name stands for: `%12`, or `%12#1` for one of several results.
fn named(source: &Source, program: &Program, name: &str) -> Outcome<Question> {
    let (base, number) = name.split_once('#').unwrap_or((name, "0"));
    let base = if base.starts_with('%') { base.to_owned() } else { format!("%{base}") };
    let main = program.main().map(|main| main.name.clone());
    let first = program.functions.iter().filter(|function| Some(&function.name) == main.as_ref());
    let others = program.functions.iter().filter(|function| Some(&function.name) != main.as_ref());
    let number = number.parse::<usize>().ok();
    let found = first.chain(others).flat_map(|function| function.body.values.values()).find(|value| {
        let text = source.snippet(value.span);
        value.span.is_some() && text.split(':').next() == Some(base.as_str())
    });
    match (found, number) {
        (Some(value), Some(number)) => {
            let result = if matches!(value.def, Def::Argument(..)) { 0 } else { number };
            Ok(Question::Value(value.span, result))
        }
        _ => Err(Failure::usage(format!("`--value {name}`: {}", no_value(source, program, &base)))),
    }
}

fn no_argument(program: &Program, index: usize) -> String {
    let count = program.main().map_or(0, |main| main.args().len());
    let has = match count {
        0 => "it has none".to_owned(),
        1 => "it has one, `--arg 0`".to_owned(),
        count => format!("it has {count}, `--arg 0` to `--arg {}`", count - 1),
    };
    format!("the program has no argument {index}: {has}")
}

/// The values with the names nearest to one that there is not.
fn no_value(source: &Source, program: &Program, name: &str) -> String {
    let values = program.functions.iter().flat_map(|function| function.body.values.values());
    let names = values.filter(|value| value.span.is_some()).map(|value| {
        let text = source.snippet(value.span);
        text.split(':').next().unwrap_or(text)
    });
    let mut near: Vec<(usize, &str)> = names.map(|other| (distance(name, other), other)).collect();
    near.sort_by_key(|(distance, _)| *distance);
    let mut shown: Vec<&str> = Vec::new();
    for (_, other) in near {
        if shown.len() < NEAR && !shown.contains(&other) {
            shown.push(other);
        }
    }
    match shown.is_empty() {
        true => "the program defines no values".to_owned(),
        false => format!("the program defines no such value; names like it are {}", shown.join(", ")),
    }
}

/// How unlike two names are: of two numbers how far apart, else how many letters they do not begin or end with alike.
fn distance(one: &str, other: &str) -> usize {
    let number = |name: &str| name.trim_start_matches('%').parse::<usize>().ok();
    if let (Some(one), Some(other)) = (number(one), number(other)) {
        return one.abs_diff(other);
    }
    let alike = |one: &mut dyn Iterator<Item = u8>, other: &mut dyn Iterator<Item = u8>| {
        one.zip(other).take_while(|(one, other)| one == other).count()
    };
    let short = one.len().min(other.len());
    let front = alike(&mut one.bytes(), &mut other.bytes());
    let back = alike(&mut one.bytes().rev(), &mut other.bytes().rev()).min(short - front);
    one.len().max(other.len()) - front - back
}

fn name(source: &Source, site: &Site) -> String {
    let text =
        if site.value.is_some() { source.snippet(site.value).split(':').next().unwrap_or("") } else { "" };
    match (text, site.result) {
        ("", _) => format!("the result of {}", site.what),
        (text, Some(result)) => format!("{text}#{result}"),
        (text, None) => text.to_owned(),
    }
}

fn place(source: &Source, span: Span) -> String {
    if span.is_some() { format!(" at {}", source.locate(span)) } else { String::new() }
}

fn text(source: &Source, found: &Explanation) -> String {
    let mut text =
        format!("{} ({}{})", name(source, &found.site), found.site.what, place(source, found.site.place));
    match &found.sharding {
        Some(sharding) => {
            let _ = writeln!(text, " is {sharding}");
        }
        None => text.push_str(" is replicated: no sharding reaches it\n"),
    }
    for origin in &found.origins {
        let _ = writeln!(
            text,
            "  dim {} has {}{}",
            origin.dim,
            origin.axis,
            because(source, &found.site, origin)
        );
    }
    text
}

/// ` because of the dot at ..., which got it from %a`, up to the annotation.
fn because(source: &Source, site: &Site, origin: &AxisOrigin) -> String {
    let mut text = String::new();
    for (index, link) in origin.links.iter().enumerate() {
        let (what, span) = &link.through;
        let got = if index == 0 { " because of" } else { ",\n    which has it because of" };
        let _ = write!(
            text,
            "{got} {what}{}, which got it from {}",
            place(source, *span),
            name(source, &link.from)
        );
    }
    let last = origin.links.last().map_or(site, |link| &link.from);
    let annotated = if origin.links.is_empty() { "; it is annotated" } else { ",\n    which is annotated" };
    let _ = write!(text, "{annotated} ({}{})", last.what, place(source, last.place));
    text
}

fn conflicts(source: &Source, found: &[Conflict], full: bool, out: Output) -> Outcome {
    if out.json {
        let list: Vec<Value> = found.iter().map(|conflict| conflict_json(source, conflict)).collect();
        return output::print(&output::json(&json!({ "conflicts": list })));
    }
    let mut text = match found.len() {
        0 => "No conflicts: every operation finds its tensors sharded alike.\n".to_owned(),
        1 => "1 conflict\n".to_owned(),
        count => format!("{count} conflicts, the most expensive first\n"),
    };
    let shown = if full { found.len() } else { SHOWN };
    for conflict in found.iter().take(shown) {
        let what = format!("{}{}", conflict.what, place(source, conflict.place));
        let _ = writeln!(text, "\n{what}: about {} bytes per device", conflict.bytes.round());
        for side in &conflict.sides {
            let _ = writeln!(text, "  {}", side_text(source, side));
        }
    }
    if found.len() > shown {
        let _ = writeln!(text, "\n{} more: see them with `--full`", found.len() - shown);
    }
    output::print(&text)
}

fn side_text(source: &Source, side: &Side) -> String {
    let axes = if side.axes.is_empty() { "nothing".to_owned() } else { side.axes.join(", ") };
    let origin = side.origin.as_ref().map_or(String::new(), |origin| because(source, &side.site, origin));
    format!("{} dim {} has {axes}{origin}", name(source, &side.site), side.dim)
}

fn site_json(source: &Source, site: &Site) -> Value {
    json!({ "value": name(source, site), "what": site.what, "place": source.locate(site.place) })
}

fn origin_json(source: &Source, origin: &AxisOrigin) -> Value {
    let links = origin.links.iter().map(|link| {
        let (what, span) = &link.through;
        json!({ "through": what, "place": source.locate(*span), "from": site_json(source, &link.from) })
    });
    json!({ "dim": origin.dim, "axis": origin.axis, "links": links.collect::<Vec<_>>() })
}

fn to_json(source: &Source, found: &Explanation) -> Value {
    let origins: Vec<Value> = found.origins.iter().map(|origin| origin_json(source, origin)).collect();
    json!({ "site": site_json(source, &found.site), "sharding": found.sharding, "origins": origins })
}

fn conflict_json(source: &Source, conflict: &Conflict) -> Value {
    let side = |side: &Side| {
        let origin = side.origin.as_ref().map(|origin| origin_json(source, origin));
        json!({ "site": site_json(source, &side.site), "dim": side.dim, "axes": side.axes, "origin": origin })
    };
    let sides: Vec<Value> = conflict.sides.iter().map(side).collect();
    json!({
        "what": conflict.what,
        "place": source.locate(conflict.place),
        "bytes": conflict.bytes,
        "sides": sides,
    })
}
