//! `meshwright explain`: where a value's sharding came from, where shardings are at odds, and what the partitioned
//! program sends.

use crate::args::{ExplainArguments, Output};
use crate::failure::{Failure, Outcome};
use crate::program::Given;
use crate::{input, output, planning, program};
use meshwright_compile::explanation::{Conflict, Question};
use meshwright_compile::{Fate, FateKind, Options, Sent};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::{Def, Function, Program, Value as OfProgram};
use meshwright_machine::Bytes;
use meshwright_plan::PlanFile;
use meshwright_present::explanation;
use serde_json::{Value, json};

/// How many names are shown for one that there is not.
const NEAR: usize = 5;

/// What is asked about.
struct Asked {
    question: Question,
    /// The stable name that it was asked by: of what is made through several calls, one.
    name: Option<String>,
}

impl From<Question> for Asked {
    fn from(question: Question) -> Self {
        Self { question, name: None }
    }
}

pub(crate) fn run(arguments: &ExplainArguments, out: Output) -> Outcome {
    let plan = arguments.plan.as_deref().map(|plan| input::text(plan, "plan")).transpose()?;
    let planned = plan.as_ref().map(planning::read_plan).transpose()?;
    let model = planned.as_ref().and_then(|plan| plan.model.as_ref());
    let Given { source, program, .. } = program::read(&arguments.input, None, &arguments.step, model, out)?;
    let asked = match (&arguments.value, arguments.arg) {
        (Some(name), _) => Some(named(&source, &program, name)?),
        (None, Some(index)) => Some(Question::Argument(index).into()),
        (None, None) => None,
    };
    if let Some(plan) = plan.zip(planned) {
        let what = "`--plan` says what becomes of a value: give it with `--value` or `--arg`";
        return fates(&program, &source, &plan, &asked.ok_or_else(|| Failure::usage(what))?, out);
    }
    let Some(Asked { question, .. }) = asked else {
        let found = meshwright_compile::conflicts(&program, &program);
        let found = found.map_err(|error| planning::failure(error, &source, None))?;
        return conflicts(&source, &found, &sent(&program), arguments.full, out);
    };
    let found = meshwright_compile::explain(&program, &program, question);
    match found.map_err(|error| planning::failure(error, &source, None))? {
        Some(found) if out.json => output::print(&output::json(&explanation::to_json(&source, &found))),
        Some(found) => output::print(&explanation::text(&source, &found)),
        None => Err(Failure::usage(match question {
            Question::Argument(index) => no_argument(&program, index),
            Question::Value(span, _) if !span.is_some() => {
                "the text does not have this value, which a pass makes: give `--plan` to ask what becomes of it".into()
            }
            Question::Value(..) => {
                "propagation does not see this value: constants are copied for each reader".into()
            }
        })),
    }
}

/// What a plan does with a value.
fn fates(
    program: &Program,
    source: &Source,
    (plan, planned): &(Source, PlanFile),
    asked: &Asked,
    out: Output,
) -> Outcome {
    let found = meshwright_compile::fates(program, planned, asked.question);
    let mut found = found.map_err(|error| planning::failure(error, source, Some(plan)))?;
    found.retain(|fate| asked.name.as_ref().is_none_or(|name| *name == fate.name));
    if out.json {
        let rows: Vec<Value> = found.iter().map(fate_json).collect();
        return output::print(&output::json(&json!({ "fates": rows })));
    }
    let lines: Vec<String> = found.iter().map(fate_text).collect();
    output::print(&lines.concat())
}

fn fate_json(fate: &Fate) -> Value {
    let (kind, reader, tile) = match &fate.kind {
        FateKind::Given => ("given", None, None),
        FateKind::Kept => ("kept", None, None),
        FateKind::Passing => ("passing", None, None),
        FateKind::MadeAgain(reader) => ("made_again", Some(reader), None),
        FateKind::OnHost(reader) => ("on_host", Some(reader), None),
        FateKind::InTiles(tile) => ("in_tiles", None, Some(json!({ "count": tile.count, "dim": tile.dim }))),
    };
    json!({ "value": fate.name, "bytes": fate.bytes.0, "fate": kind, "reader": reader, "tile": tile })
}

fn fate_text(fate: &Fate) -> String {
    let Fate { name, bytes, kind } = fate;
    let what = match kind {
        FateKind::Given => format!("an argument, there from the start: {bytes} in all"),
        FateKind::Kept => format!("kept for the backward pass: {bytes} in all"),
        FateKind::Passing => {
            format!("there until its last reader, none of which is in the backward pass: {bytes} in all")
        }
        FateKind::MadeAgain(reader) => {
            format!("made again in the backward pass, first for {reader}: {bytes} less is kept")
        }
        FateKind::OnHost(reader) => format!("on the host until {reader} reads it: {bytes} less on devices"),
        FateKind::InTiles(tile) => format!(
            "never there as a whole: in {} tiles along dim {}, {} each instead of {bytes}",
            tile.count,
            tile.dim,
            Bytes(bytes.0.div_ceil(tile.count as u64))
        ),
    };
    format!("{name}: {what}\n")
}

/// The value that a name stands for: `%12`, `%12#1` for one of several results, `@f:%12` for one of another function
/// than the entry; or as plans name it.
fn named(source: &Source, program: &Program, name: &str) -> Outcome<Asked> {
    let prefixed = name.strip_prefix('@').and_then(|rest| rest.split_once(':'));
    let (wanted, rest) = prefixed.map_or((None, name), |(function, rest)| (Some(function), rest));
    let (base, number) = rest.split_once('#').unwrap_or((rest, "0"));
    let base = if base.starts_with('%') { base.to_owned() } else { format!("%{base}") };
    let main = program.main().map(|main| main.name.clone());
    let first = program.functions.iter().filter(|function| Some(&function.name) == main.as_ref());
    let others = program.functions.iter().filter(|function| Some(&function.name) != main.as_ref());
    let number = number.parse::<usize>().ok();
    let is_wanted = |function: &&Function| wanted.is_none_or(|wanted| function.name == wanted);
    let is_named = |value: &OfProgram| {
        value.span.is_some() && source.snippet(value.span).split(':').next() == Some(base.as_str())
    };
    let found = first
        .chain(others)
        .filter(is_wanted)
        .find_map(|function| Some((function, function.body.values.values().find(|value| is_named(value))?)));
    let refused = |why: String| Err(Failure::usage(format!("`--value {name}`: {why}")));
    let (Some((function, value)), Some(number)) = (found, number) else {
        // Where calls cannot be inlined, plans name nothing.
        let stable = meshwright_compile::stable_names(program).unwrap_or_default();
        return match stable.iter().find(|(own, _)| own == name) {
            Some((own, question)) => Ok(Asked { question: *question, name: Some(own.clone()) }),
            None => refused(no_value(source, program, &stable, name, &base)),
        };
    };
    let count = match value.def {
        Def::Result(inst, _) => function.body.insts[inst].results.len(),
        Def::Argument(..) => 1,
    };
    match (number < count, count) {
        (true, _) => Ok(Question::Value(value.span, number).into()),
        (false, 1) => refused(format!("{base} is a single value")),
        (false, _) => refused(format!("there are {count} results, {base}#0 to {base}#{}", count - 1)),
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

/// The values with the names nearest to one that there is not, as `name` says or as `base`, its form in the text.
fn no_value(
    source: &Source,
    program: &Program,
    stable: &[(String, Question)],
    name: &str,
    base: &str,
) -> String {
    let values = program.functions.iter().flat_map(|function| function.body.values.values());
    let names = values.filter(|value| value.span.is_some()).map(|value| {
        let text = source.snippet(value.span);
        text.split(':').next().unwrap_or(text)
    });
    let own = names.map(|other| (distance(base, other), other));
    let stable = stable.iter().map(|(other, _)| (distance(name, other), other.as_str()));
    let mut near: Vec<(usize, &str)> = own.chain(stable).collect();
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

/// What the partitioned program sends; `None` if it cannot be partitioned as it is (for want of a mesh, say).
fn sent(program: &Program) -> Option<Vec<Sent>> {
    let device = meshwright_compile::partition(program, &Options::default(), &Quiet).ok()?;
    Some(meshwright_compile::sent(&device))
}

fn conflicts(
    source: &Source,
    found: &[Conflict],
    sent: &Option<Vec<Sent>>,
    full: bool,
    out: Output,
) -> Outcome {
    if out.json {
        let list: Vec<Value> =
            found.iter().map(|conflict| explanation::conflict_json(source, conflict)).collect();
        let sent = sent
            .as_ref()
            .map(|sent| sent.iter().map(|sent| explanation::sent_json(source, sent)).collect::<Vec<Value>>());
        return output::print(&output::json(&json!({ "conflicts": list, "communication": sent })));
    }
    let sent = sent.as_ref().map_or(String::new(), |sent| explanation::communication(source, sent));
    output::print(&(explanation::conflicts(source, found, full) + &sent))
}
