//! Values by the names that people give them.
//!
//! Input: a program, its text, and a name as in the text or as in a plan. Output: the question about that value
//! ([`NamedValue`]), or which names are like it.

use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::{Def, Function, Program, Value};
use meshwright_propagate::explain::Question;

use crate::fate::stable_names;
use crate::recompute::is_named;

/// How many names are shown for one that there is not.
const NEAR: usize = 5;

/// A value that was asked for by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedValue {
    /// The question about it.
    pub question: Question,
    /// The stable name that it was asked by: of what is made through several calls, one.
    pub name: Option<String>,
    /// The stable name of the copy of it that was asked for, which a plan makes.
    pub copy: Option<String>,
}

impl From<Question> for NamedValue {
    fn from(question: Question) -> Self {
        Self { question, name: None, copy: None }
    }
}

/// The value that a name stands for: `%12`, `%12#1` for one of several results, `@f:%12` for one of another function
/// than the entry; or as plans name it, or by the last parts of such a name that no other value has.
///
/// # Errors
/// In words: there is none, with names like it.
pub fn named_value(source: &Source, program: &Program, name: &str) -> Result<NamedValue, String> {
    let prefixed = name.strip_prefix('@').and_then(|rest| rest.split_once(':'));
    let (wanted, rest) = prefixed.map_or((None, name), |(function, rest)| (Some(function), rest));
    let (base, number) = rest.split_once('#').unwrap_or((rest, "0"));
    let base = if base.starts_with('%') { base.to_owned() } else { format!("%{base}") };
    let main = program.main().map(|main| main.name.clone());
    let first = program.functions.iter().filter(|function| Some(&function.name) == main.as_ref());
    let others = program.functions.iter().filter(|function| Some(&function.name) != main.as_ref());
    let number = number.parse::<usize>().ok();
    let is_wanted = |function: &&Function| wanted.is_none_or(|wanted| function.name == wanted);
    let has_name = |value: &Value| {
        value.span.is_some() && source.snippet(value.span).split(':').next() == Some(base.as_str())
    };
    let found = first
        .chain(others)
        .filter(is_wanted)
        .find_map(|function| Some((function, function.body.values.values().find(|value| has_name(value))?)));
    let (Some((function, value)), Some(number)) = (found, number) else {
        // Where calls cannot be inlined, plans name nothing.
        let stable = stable_names(program).unwrap_or_default();
        let called = |name: &str| stable.iter().find(|(own, _)| own == name);
        // What a plan makes again is called as what it is a copy of, with a number behind.
        let own = called(name);
        let copy = own.is_none().then(|| name.to_owned());
        let found = own.or_else(|| called(name.rsplit_once('+')?.0));
        let alike: Vec<&(String, Question)> = match found {
            Some(found) => vec![found],
            None => stable.iter().filter(|(own, _)| is_named(own, name)).collect(),
        };
        return match alike.as_slice() {
            [(own, question)] => Ok(NamedValue { question: *question, name: Some(own.clone()), copy }),
            [] => Err(no_value(source, program, &stable, name, &base)),
            several => {
                let names: Vec<&str> = several.iter().take(NEAR).map(|(own, _)| own.as_str()).collect();
                let more = if several.len() > NEAR { ", ..." } else { "" };
                Err(format!("{} values are called so: {}{more}", several.len(), names.join(", ")))
            }
        };
    };
    let count = match value.def {
        Def::Result(inst, _) => function.body.insts[inst].results.len(),
        Def::Argument(..) => 1,
    };
    match (number < count, count) {
        (true, _) => Ok(Question::Value(value.span, number).into()),
        (false, 1) => Err(format!("{base} is a single value")),
        (false, _) => Err(format!("there are {count} results, {base}#0 to {base}#{}", count - 1)),
    }
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
