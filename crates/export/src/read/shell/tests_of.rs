//! Tests of the shell (`[ ... ]`, `[[ ... ]]`, `test`), as far as the words in them decide them.
//!
//! Input: the words of a command. Output: how it ends, where it is a test.

use super::Word;

/// How a test ends.
pub(super) struct Outcome {
    /// None where only running it says so.
    pub(super) decided: Option<bool>,
}

/// How a command ends, if it is a test.
pub(super) fn outcome(words: &[Word]) -> Option<Outcome> {
    let (first, rest) = words.split_first()?;
    let inner = match first.text.as_str() {
        "[" | "[[" => rest.strip_suffix(&rest[rest.len().saturating_sub(1)..]).unwrap_or_default(),
        "test" => rest,
        "true" | ":" => return Some(Outcome { decided: Some(true) }),
        "false" => return Some(Outcome { decided: Some(false) }),
        _ => return None,
    };
    Some(Outcome { decided: decided(inner) })
}

fn decided(words: &[Word]) -> Option<bool> {
    if words.iter().any(|word| word.unknown.is_some()) {
        return None;
    }
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match &texts[..] {
        ["!", rest @ ..] if !rest.is_empty() => decided(&words[1..]).map(|decided| !decided),
        ["-z", text] => Some(text.is_empty()),
        ["-n", text] => Some(!text.is_empty()),
        ["-n"] | [] => Some(false),
        ["-z"] => Some(true),
        [text] => Some(!text.is_empty()),
        [one, "=" | "==", other] => fits(one, other),
        [one, "!=", other] => fits(one, other).map(|fits| !fits),
        [one, operator, other] => {
            let (one, other): (i64, i64) = (one.parse().ok()?, other.parse().ok()?);
            match *operator {
                "-eq" => Some(one == other),
                "-ne" => Some(one != other),
                "-gt" => Some(one > other),
                "-ge" => Some(one >= other),
                "-lt" => Some(one < other),
                "-le" => Some(one <= other),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a text fits a pattern: one without signs of its own, or with a star at one end.
pub(super) fn fits(text: &str, pattern: &str) -> Option<bool> {
    let has_signs = |text: &str| text.contains(['*', '?', '[']);
    match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
        (Some(start), _) if !has_signs(start) => Some(text.starts_with(start)),
        (_, Some(end)) if !has_signs(end) => Some(text.ends_with(end)),
        _ if has_signs(pattern) => None,
        _ => Some(text == pattern),
    }
}
