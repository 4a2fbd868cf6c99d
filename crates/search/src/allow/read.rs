//! Constraints from their text.

use super::{Clause, Constraints, Order, Scope, Test};
use meshwright_plan::DegreeName;
use std::str::FromStr;

/// What a clause is like.
const FORM: &str = "write clauses such as `tp<=8`, `cp=1`, `pp in 1,2,4` or `tp@nvlink`";

impl FromStr for Constraints {
    type Err = String;

    /// See the module's grammar.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut clauses: Vec<Clause> = Vec::new();
        for part in text.split(',').map(str::trim) {
            match (clauses.last_mut(), part.starts_with(|letter: char| letter.is_ascii_digit())) {
                // What begins with a digit goes on with the list before it.
                (Some(Clause { test: Test::In(numbers), level: level @ None, .. }), true) => {
                    let (number, own) = number(part)?;
                    numbers.push(number);
                    *level = own;
                }
                _ => clauses.push(clause(part)?),
            }
        }
        Ok(Self { clauses })
    }
}

fn clause(text: &str) -> Result<Clause, String> {
    match text.split_once(':') {
        None => whole(text),
        Some((part, test)) => {
            let clause = Clause { scope: Some(scope(part.trim())?), ..whole(test.trim())? };
            match (clause.degree, &clause.level) {
                (DegreeName::Tp | DegreeName::Ep, None) => Ok(clause),
                (_, Some(level)) => {
                    Err(format!("`{clause}`: `@{level}` goes with a degree of the whole model"))
                }
                (degree, None) => Err(format!(
                    "`{clause}`: `{degree}` is of the whole model; of its parts there are `tp` and `ep`"
                )),
            }
        }
    }
}

/// `layers 3`, `layers 0-3`, or a name.
fn scope(text: &str) -> Result<Scope, String> {
    let numbers = text.strip_prefix("layers ").or_else(|| text.strip_prefix("layer "));
    let Some(numbers) = numbers.map(str::trim) else {
        return match text.is_empty() || text.contains(char::is_whitespace) {
            true => Err(format!(
                "`{text}` is no part of a model: write `layers 0-3`, or a name of parameters such as `lm_head`"
            )),
            false => Ok(Scope::Named(text.to_owned())),
        };
    };
    let (first, last) = numbers.split_once('-').unwrap_or((numbers, numbers));
    let [first, last] = [first, last].map(|number| number.trim().parse::<usize>().ok());
    match first.zip(last).filter(|(first, last)| first <= last) {
        Some((first, last)) => Ok(Scope::Layers(first, last)),
        None => Err(format!("`{text}` is no range of layers: write `layers 0-3`, from 0")),
    }
}

/// A clause about the whole model.
fn whole(text: &str) -> Result<Clause, String> {
    let end = text.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let degree: DegreeName = match name {
        "" => return Err(format!("`{text}` is no constraint; {FORM}")),
        name => name.parse().map_err(|problem| format!("{problem}; {FORM}"))?,
    };
    let rest = rest.trim_start();
    if let Some(level) = rest.strip_prefix('@') {
        return of_links(Clause { scope: None, degree, test: Test::Any, level: Some(level_name(level)?) });
    }
    if let Some(list) = rest.strip_prefix("in ") {
        let (number, level) = number(list)?;
        return of_links(Clause { scope: None, degree, test: Test::In(vec![number]), level });
    }
    let order = Order::ALL.into_iter().find_map(|order| Some((order, rest.strip_prefix(order.sign())?)));
    let (order, rest) = order.ok_or_else(|| format!("`{text}` is no constraint; {FORM}"))?;
    let (number, level) = number(rest)?;
    of_links(Clause { scope: None, degree, test: Test::Compared(order, number), level })
}

/// Refuses links of what is no set of devices.
fn of_links(clause: Clause) -> Result<Clause, String> {
    match (clause.degree, &clause.level) {
        (DegreeName::Zero | DegreeName::Vp, Some(_)) => {
            Err(format!("`{clause}`: `{}` is no number of devices, so it crosses no links", clause.degree))
        }
        _ => Ok(clause),
    }
}

/// `8`, or `8@nvlink`.
fn number(text: &str) -> Result<(usize, Option<String>), String> {
    let (number, level) = match text.split_once('@') {
        Some((number, level)) => (number, Some(level_name(level)?)),
        None => (text, None),
    };
    let number = number.trim();
    let found = number.parse().map_err(|_| format!("`{number}` is not a number; {FORM}"))?;
    Ok((found, level))
}

fn level_name(text: &str) -> Result<String, String> {
    let name = text.trim();
    let is_name = |letter: char| letter.is_alphanumeric() || "_-.".contains(letter);
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(format!("`@{text}` names no links; {FORM}"));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_read_as_they_are_written() {
        for (text, written) in [
            ("tp<=8@nvlink, cp=1, pp in 1,2,4,8", "tp<=8@nvlink, cp=1, pp in 1,2,4,8"),
            ("dp != 3,zero>0", "dp!=3, zero>0"),
            ("tp in 1, 2 @ nvlink ,ep>=2", "tp in 1,2@nvlink, ep>=2"),
            ("fsdp@infiniband", "fsdp@infiniband"),
            ("layers 0 - 3:tp<=4, cp=1", "layers 0-3: tp<=4, cp=1"),
            ("layer 7: tp in 1,2, lm_head:tp=1", "layers 7: tp in 1,2, lm_head: tp=1"),
            ("*.experts.*: ep>=8", "*.experts.*: ep>=8"),
        ] {
            let read: Constraints = text.parse().unwrap();
            assert_eq!(read.to_string(), written);
            assert_eq!(read.to_string().parse(), Ok(read));
        }
    }

    #[test]
    fn what_is_no_clause_is_refused() {
        for (text, wanted) in [
            ("", "is no constraint"),
            ("tp", "`tp` is no constraint"),
            ("tp<=", "`` is not a number"),
            ("mp=2", "`mp` is no kind of parallelism"),
            ("tp<=8, 16", "`16` is no constraint"),
            ("pp in 1,2@nvlink,4", "`4` is no constraint"),
            ("tp@", "names no links"),
            ("zero=1@nvlink", "`zero` is no number of devices"),
            ("tp=many", "`many` is not a number"),
            ("layers 3-1: tp=2", "is no range of layers"),
            (": tp=2", "is no part of a model"),
            ("some layers: tp=2", "is no part of a model"),
            ("lm_head: cp=2", "`cp` is of the whole model"),
            ("lm_head: tp<=2@nvlink", "goes with a degree of the whole model"),
        ] {
            let problem = text.parse::<Constraints>().unwrap_err();
            assert!(problem.contains(wanted), "{text}: {problem}");
        }
    }
}
