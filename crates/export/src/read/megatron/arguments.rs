//! The arguments of a launch, with their values.
//!
//! Input: a launch and the framework whose arguments it has. Output: [`Arguments`] by name, each with a value that is known
//! where it is of the step.

use super::super::Problem;
use super::super::launch::Launch;
use super::super::shell::Word;
use super::names::{FLAGS, NOT_READ, VALUES};
use super::{Dialect, ONLY, SETTINGS, SIZES};
use std::collections::BTreeMap;

/// Arguments by name; those without a value have empty ones.
#[derive(Debug, Default)]
pub(super) struct Arguments {
    values: BTreeMap<String, String>,
}

/// Arguments that are read beside settings and sizes.
const OTHERS: &[&str] = &[
    "bf16",
    "first-last-layers-bf16",
    "fp16",
    "fp8-format",
    "fp8-param-gather",
    "fp8-recipe",
    "group-query-attention",
    "microbatch-group-size-per-virtual-pipeline-stage",
    "moe-token-dispatcher-type",
    "num-query-groups",
    "rampup-batch-size",
    "optimizer",
    "recompute-modules",
    "untie-embeddings-and-output-weights",
];

/// Arguments with several values.
const SEVERAL: &[&str] = &[
    "blend",
    "cp-comm-type",
    "data-path",
    "mrope-section",
    "profile-ranks",
    "rampup-batch-size",
    "recompute-modules",
    "test-data-path",
    "tiktoken-special-tokens",
    "train-data-path",
    "valid-data-path",
];

fn is_among(names: &str, name: &str) -> bool {
    names.split_whitespace().any(|own| own == name)
}

/// Returns whether an argument of this name is one of Megatron-LM that says how a step runs, or of which model.
pub(in super::super) fn is_own_argument(name: &str) -> bool {
    SETTINGS.contains(&name) || SIZES.iter().any(|(_, own)| *own == name)
}

impl Arguments {
    /// Those of a launch.
    ///
    /// # Errors
    /// An argument that is not known or not read; one without its value; one of a step whose value nobody knows, or a word
    /// that may stand for arguments.
    pub(super) fn of(dialect: &Dialect, launch: &Launch) -> Result<Self, Problem> {
        let mut values = BTreeMap::new();
        // What stands in front of the program says how it is started.
        let mut words = launch.behind_program().iter().peekable();
        while let Some(word) = words.next() {
            let Some(name) = word.text.strip_prefix("--").filter(|name| !name.is_empty()) else {
                if launch.program.is_some() && !word.text.starts_with("$@") && !word.text.starts_with("$*") {
                    must_be_known(word, &format!("`{}` may stand for arguments", word.text))?;
                }
                continue;
            };
            let (name, own) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
            let is_read = is_own_argument(name)
                || OTHERS.contains(&name)
                || ONLY.iter().any(|(own, _)| *own == name)
                || is_among(NOT_READ, name);
            if is_read && own.is_none() {
                must_be_known(word, &format!("`--{name}` may be there or not"))?;
            }
            let is_several = SEVERAL.contains(&name);
            if is_among(FLAGS, name) || is_among(dialect.flags, name) {
                values.insert(name.to_owned(), String::new());
            } else if is_among(VALUES, name) || is_among(dialect.values, name) {
                let value = match own {
                    Some(value) => Word { text: value.to_owned(), ..word.clone() },
                    None => words.next_if(|next| !next.text.starts_with("--")).cloned().ok_or_else(|| {
                        Problem::Syntax(format!("`--{name}` has no value"), word.place.clone())
                    })?,
                };
                if is_read {
                    must_be_known(&value, &format!("the value of `--{name}` is `{}`", value.text))?;
                }
                let mut value = value.text;
                while let Some(next) = words.next_if(|next| is_several && !next.text.starts_with("--")) {
                    if next.is_open() {
                        must_be_known(next, &format!("`{}` may stand for arguments", next.text))?;
                    }
                    value = format!("{value} {}", next.text);
                }
                values.insert(name.to_owned(), value);
            } else if is_among(NOT_READ, name) {
                return Err(Problem::UnknownKey(format!("what `--{name}` does to a step is not read")));
            } else {
                let message = format!("`--{name}` is no argument of {} that is read", dialect.title);
                return Err(Problem::UnknownKey(message));
            }
        }
        Ok(Self { values })
    }

    /// The value of one; that of one without values is empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.values.get(name).map(String::as_str)
    }

    /// Returns whether one is there.
    pub(super) fn has(&self, name: &str) -> bool {
        self.values.contains_key(name)
    }

    /// All of them, in the order of their names.
    pub(super) fn into_iter(self) -> impl Iterator<Item = (String, String)> {
        self.values.into_iter()
    }
}

/// Refuses a word with something in it that the script does not say; `what` it is.
fn must_be_known(word: &Word, what: &str) -> Result<(), Problem> {
    match word.unknown() {
        None => Ok(()),
        Some(unknown) => {
            let name = unknown.written.trim_start_matches('$');
            let is_name = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
            let is_unset = unknown.why.starts_with("the file") && is_name && !name.is_empty();
            let instead = match is_unset && !name.starts_with(|first: char| first.is_ascii_digit()) {
                true => format!("write `{name}=...` in front of it, or the value itself"),
                false => "write the value itself".to_owned(),
            };
            let message = format!(
                "{what}, but of `{}` nobody knows what it is: {}; {instead}",
                unknown.written, unknown.why
            );
            Err(Problem::Syntax(message, word.place.clone()))
        }
    }
}
