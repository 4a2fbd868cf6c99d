//! Tests of the shell (`[ ... ]`, `[[ ... ]]`, `test`), as far as the words in them decide them.
//!
//! Input: the words of a command. Output: whether the test holds, such as `true` for `[ 2 -gt 1 ]`; nothing for `[ -f x ]`.

use super::Word;

/// Piece of a test in double brackets.
#[derive(Clone, Debug)]
pub(super) enum Piece {
    Word(Word),
    /// A sign that joins tests, or compares texts by their order.
    Sign(&'static str),
}

/// Returns how a command ends, where that is known, if it is a test.
pub(super) fn decided_by(words: &[Word]) -> Option<Option<bool>> {
    let (first, rest) = words.split_first()?;
    match first.text.as_str() {
        "[" => match rest.split_last() {
            Some((last, inner)) if last.text == "]" => Some(decided(inner)),
            _ => Some(None),
        },
        "test" => Some(decided(rest)),
        "true" | ":" => Some(Some(true)),
        "false" => Some(Some(false)),
        _ => None,
    }
}

/// Returns whether a test in double brackets holds.
pub(super) fn decided_in_brackets(pieces: &[Piece]) -> Option<bool> {
    let is = |piece: &Piece, sign: &str| matches!(piece, Piece::Sign(own) if *own == sign);
    let and = |found: Option<bool>, own: Option<bool>| not(either(not(found), not(own)));
    let one = |pieces: &[Piece]| -> Option<bool> {
        let word = |piece: &Piece| match piece {
            Piece::Word(word) => Some(word.clone()),
            Piece::Sign(_) => None,
        };
        let words: Vec<Word> = pieces.iter().map(word).collect::<Option<_>>()?;
        // One word alone asks whether it is empty, and is no test of files.
        if words.is_empty() { None } else { decided(&words) }
    };
    let all = |pieces: &[Piece]| pieces.split(|piece| is(piece, "&&")).map(one).fold(Some(true), and);
    pieces.split(|piece| is(piece, "||")).map(all).fold(Some(false), either)
}

fn not(decided: Option<bool>) -> Option<bool> {
    decided.map(|decided| !decided)
}

/// Returns whether one of two holds.
pub(super) fn either(one: Option<bool>, other: Option<bool>) -> Option<bool> {
    match (one, other) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

fn decided(words: &[Word]) -> Option<bool> {
    if words.iter().any(|word| !word.unknowns.is_empty()) {
        return None;
    }
    let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    match &texts[..] {
        ["!", rest @ ..] if !rest.is_empty() => not(decided(&words[1..])),
        ["-z", text] => Some(text.is_empty()),
        ["-n", text] => Some(!text.is_empty()),
        [] => Some(false),
        [text] => Some(!text.is_empty()),
        [one, "=" | "==", other] => fits(one, other, words[2].is_quoted),
        [one, "!=", other] => not(fits(one, other, words[2].is_quoted)),
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

/// Returns whether a text fits a pattern: one without signs of its own, or with a star at one end; in quotes signs are letters.
pub(super) fn fits(text: &str, pattern: &str, is_quoted: bool) -> Option<bool> {
    let has_signs = |text: &str| text.contains(['*', '?', '[', '\\']);
    match (pattern.strip_suffix('*'), pattern.strip_prefix('*')) {
        // Some of it may stand in quotes, and some not.
        _ if is_quoted && has_signs(pattern) => None,
        (Some(start), _) if !has_signs(start) => Some(text.starts_with(start)),
        (_, Some(end)) if !has_signs(end) => Some(text.ends_with(end)),
        _ if has_signs(pattern) => None,
        _ => Some(text == pattern),
    }
}
