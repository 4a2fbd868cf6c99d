//! Pins as people write them: `w*=[{"model"}, {}]` says how all arguments of a name are sharded.
//!
//! Input: a text, and the program whose arguments it is about. Output: a [`Pin`] for each argument that it names.

use crate::error::CompileError;
use crate::pin::{PIN, Pin};
use meshwright_analyze::name_patterns::is_named;
use meshwright_analyze::names;
use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_ir::program::Program;
use std::fmt;
use std::str::FromStr;

/// So many of the program's names are listed where none fits.
const LISTED: usize = 8;

/// Shardings of the arguments whose names match a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PinPattern {
    /// The arguments.
    pub arguments: Pinned,
    /// For each dim the axes that shard it, major first.
    pub sharding: Vec<Vec<String>>,
}

/// Arguments that a pin is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pinned {
    /// All of some names, with `*` for any letters and `?` for any one. It stands for the whole name, or for its last
    /// parts: `w1`, `layers.*.w1` and `layers[3]['w1']` name `params['layers'][3]['w1']`. Arguments without a name are
    /// `arg0`, `arg1`, ...
    Named(String),
    /// The one at a position.
    At(usize),
}

impl FromStr for PinPattern {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const FORM: &str =
            "write pins as `w1=[{\"model\"}, {}]`: a name, and for each dim the axes that shard it";
        let at = text.find("=[").ok_or_else(|| format!("`{text}` is no pin; {FORM}"))?;
        let (pattern, dims) = (text[..at].trim(), text[at + 1..].trim());
        let dims = dims.strip_prefix('[').and_then(|dims| dims.strip_suffix(']'));
        let Some(mut rest) = dims.map(str::trim).filter(|_| !pattern.is_empty()) else {
            return Err(format!("`{text}` is no pin; {FORM}"));
        };
        let mut sharding = Vec::new();
        while !rest.is_empty() {
            let dim = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
            let (axes, behind) = dim.ok_or_else(|| format!("`{rest}` is no list of dims; {FORM}"))?;
            let axes =
                axes.split(',').map(|axis| axis.trim().replace('"', "")).filter(|axis| !axis.is_empty());
            let axes: Vec<String> = axes.collect();
            if axes.iter().any(|axis| axis == "?") {
                return Err("pins say how a tensor is sharded, not at least how: leave `?` away".to_owned());
            }
            sharding.push(axes);
            rest = behind.trim();
            rest = match rest.strip_prefix(',') {
                Some(more) if !more.trim().is_empty() => more.trim(),
                None if rest.is_empty() => rest,
                _ => return Err(format!("`{text}` is no pin; {FORM}")),
            };
        }
        Ok(Self { arguments: Pinned::Named(pattern.to_owned()), sharding })
    }
}

impl fmt::Display for Pinned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(pattern) => f.write_str(pattern),
            Self::At(argument) => write!(f, "arg{argument}"),
        }
    }
}

impl Pinned {
    /// Whether an argument of some name and position is one of them.
    pub(crate) fn has(&self, name: &str, argument: usize) -> bool {
        match self {
            Self::Named(pattern) => is_named(name, argument, pattern),
            Self::At(position) => *position == argument,
        }
    }
}

/// The arguments that patterns name. Of several for one argument, the last counts.
///
/// # Errors
/// [`CompileError::Options`]: a pattern names no argument.
pub(crate) fn matching(program: &Program, patterns: &[PinPattern]) -> Result<Vec<Pin>, CompileError> {
    let Some(main) = program.main().filter(|_| !patterns.is_empty()) else { return Ok(Vec::new()) };
    let names: Vec<String> = names::of_arguments(main)
        .into_iter()
        .enumerate()
        .map(|(index, name)| name.unwrap_or_else(|| format!("arg{index}")))
        .collect();
    let mut pins: Vec<Option<Pin>> = vec![None; names.len()];
    for PinPattern { arguments, sharding } in patterns {
        let mut is_any = false;
        for (argument, name) in names.iter().enumerate() {
            if arguments.has(name, argument) {
                is_any = true;
                pins[argument] = Some(Pin { argument, sharding: sharding.clone() });
            }
        }
        if !is_any {
            let more = if names.len() > LISTED { ", ..." } else { "" };
            let listed = names[..names.len().min(LISTED)].join(", ");
            let message = format!("no argument is called `{arguments}`");
            let hint = format!("the arguments are {listed}{more}");
            let problem = Diagnostic::error(PIN, Span::NONE, message).hint(hint);
            return Err(CompileError::Options(Box::new(problem)));
        }
    }
    Ok(pins.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_read() {
        let read = |text: &str| text.parse::<PinPattern>();
        let pin = read("w*=[{\"data\", model}, {}, {\"x\":(1)2}]").unwrap();
        assert_eq!(pin.arguments, Pinned::Named("w*".to_owned()));
        assert_eq!(pin.sharding, [vec!["data", "model"], vec![], vec!["x:(1)2"]]);
        assert_eq!(read("b=[]").unwrap().sharding, Vec::<Vec<String>>::new());
        for wrong in ["w", "w=", "w={}", "w=[{}", "=[{}]", "w=[{},]", "w=[x]", "w=[{?}]", "w=[{} {}]"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
