//! Values that variables get, and words with these in them.
//!
//! Input: what is written. Output: what it comes to: `TP=4` and then `--tp=$TP` are the word `--tp=4`.

use super::words::{Made, Value, joined};
use super::{Cursor, Given, Mode, Part, Problem, Raw, Reader, Unknown, Word, sums};

impl Reader {
    /// `NAME=value` and `NAME+=value`.
    pub(super) fn assign(
        &mut self,
        cursor: &Cursor,
        name: &str,
        is_more: bool,
        value: &Given,
        mode: &Mode,
    ) -> Result<(), Problem> {
        let mut own = match value {
            Given::Word(raw) => Value { words: vec![self.one(raw, cursor)?], ..Value::default() },
            Given::List(raws) => {
                let mut words = Vec::new();
                for raw in raws {
                    words.extend(self.words(raw, cursor)?);
                }
                Value { words, is_list: true, ..Value::default() }
            }
        };
        self.script.given.extend(own.words.iter().cloned());
        if is_more {
            let before = self.variables.get(name).cloned().unwrap_or_default();
            own = match (before.is_list, own.is_list) {
                (false, false) => {
                    let both = before.words.into_iter().chain(own.words);
                    Value { words: vec![joined(both, "")], ..Value::default() }
                }
                _ => Value {
                    words: before.words.into_iter().chain(own.words).collect(),
                    is_list: true,
                    ..Value::default()
                },
            };
        }
        if let Mode::Perhaps(why) = mode {
            own = self.perhaps(name, own, why);
        }
        self.counts(own.words.iter().map(|word| word.text.len() + 1).sum())?;
        self.variables.insert(name.to_owned(), own);
        Ok(())
    }

    /// A value that a variable may have got, beside the one that it has: the same where both are alike; all arguments of
    /// both, each of which says that it may not be there; or else nothing that is known.
    pub(super) fn perhaps(&self, name: &str, own: Value, why: &str) -> Value {
        let before = self.variables.get(name).cloned().unwrap_or_default();
        let texts = |value: &Value| value.words.iter().map(|word| word.text.clone()).collect::<Vec<_>>();
        if texts(&before) == texts(&own) {
            return own;
        }
        let pieces = |value: &Value| -> Vec<Word> {
            let split = |word: &Word| -> Vec<Word> {
                match value.is_list {
                    true => vec![word.clone()],
                    false => word.text.split_whitespace().map(|text| word.part(text)).collect(),
                }
            };
            value.words.iter().flat_map(split).collect()
        };
        let is_list = own.is_list;
        let (mut words, own) = (pieces(&before), pieces(&own));
        let are_arguments = |words: &[Word]| words.first().is_none_or(|word| word.text.starts_with("--"));
        if !are_arguments(&words) || !are_arguments(&own) {
            return not_known(&format!("${name}"), why);
        }
        let perhaps = |word: &mut Word| {
            let unknown = Unknown { written: word.text.clone(), why: format!("it is set {why}") };
            word.unknowns.push(unknown);
        };
        // Arguments that are in both are there in any case.
        let shared = words.iter().zip(&own).take_while(|(one, other)| one.text == other.text).count();
        words[shared..].iter_mut().for_each(perhaps);
        let mut more = own[shared..].to_vec();
        more.iter_mut().for_each(perhaps);
        words.extend(more);
        Value { words, is_list: true, is_text: !is_list }
    }

    /// A word as a value: it is not split.
    pub(super) fn one(&mut self, raw: &Raw, cursor: &Cursor) -> Result<Word, Problem> {
        let parts = raw.parts.iter().cloned().map(|part| match part {
            Part::Variable { name, all, default, sets, .. } => {
                Part::Variable { name, all: all.map(|_| '*'), default, sets, is_quoted: true }
            }
            other => other,
        });
        let quoted = Raw { parts: parts.collect(), is_quoted: true, ..raw.clone() };
        let whole = joined(self.words(&quoted, cursor)?, " ");
        Ok(Word { is_quoted: raw.is_quoted, ..whole })
    }

    /// The words that one becomes: none, if it is an empty variable without quotes.
    pub(super) fn words(&mut self, raw: &Raw, cursor: &Cursor) -> Result<Vec<Word>, Problem> {
        let place = cursor.within.clone().unwrap_or(raw.start..raw.start + 1);
        let mut made = Made { words: Vec::new(), open: raw.is_quoted.then(Word::default) };
        for part in &raw.parts {
            self.piece(part, &mut made)?;
        }
        let mut words = made.words;
        words.extend(made.open);
        for word in &mut words {
            word.is_quoted |= raw.is_quoted;
            // Words of a list stay where they are written.
            if word.place.is_empty() {
                word.place = place.clone();
            }
        }
        self.counts(words.iter().map(|word| word.text.len() + 1).sum())?;
        Ok(words)
    }

    fn piece(&mut self, part: &Part, made: &mut Made) -> Result<(), Problem> {
        match part {
            Part::Text(text) => made.add(text),
            Part::Open(written) => {
                let why = "only running the script says it";
                made.add_unknown(written, why);
            }
            Part::Sum(parts) => {
                let mut inner = Made::default();
                for part in parts {
                    self.piece(part, &mut inner)?;
                }
                let inner = joined(inner.words.into_iter().chain(inner.open), " ");
                match (self.sum(&inner.text), inner.unknown()) {
                    (Some(number), _) => made.add(&number.to_string()),
                    (None, Some(unknown)) => made.add_unknown(&unknown.written, &unknown.why),
                    (None, None) => {
                        made.add_unknown(
                            &format!("$(({}))", inner.text),
                            "it is no sum of numbers that the file says",
                        );
                    }
                }
            }
            Part::Variable { name, all, default, sets, is_quoted } => {
                let written = format!("${name}");
                let value = self.variables.get(name).cloned();
                let is_empty = |value: &Value| value.words.iter().all(|word| word.text.is_empty());
                match (value, default) {
                    (Some(value), _) if !is_empty(&value) || default.is_none() => {
                        self.counts(value.words.iter().map(|word| word.text.len() + 1).sum())?;
                        made.add_value(value, *all, *is_quoted);
                    }
                    (_, Some(default)) => {
                        let mut inner = Made::default();
                        for part in default {
                            self.piece(part, if *sets { &mut inner } else { made })?;
                        }
                        if *sets {
                            let own = joined(inner.words.into_iter().chain(inner.open), " ");
                            let value = Value { words: vec![own], ..Value::default() };
                            self.variables.insert(name.clone(), value.clone());
                            made.add_value(value, *all, *is_quoted);
                        }
                    }
                    (_, None) => made.add_unknown(&written, "the file does not set it"),
                }
            }
        }
        Ok(())
    }

    /// The number that a sum comes to.
    pub(super) fn sum(&self, text: &str) -> Option<i64> {
        sums::sum(text, &|name| {
            let value = self.variables.get(name)?;
            value.words.first().filter(|word| word.unknowns.is_empty())?.text.trim().parse().ok()
        })
    }
}

/// The value of a variable of which nobody knows what it is.
pub(super) fn not_known(written: &str, why: &str) -> Value {
    let unknown = Unknown { written: written.to_owned(), why: format!("it is set {why}") };
    let word = Word { text: written.to_owned(), unknowns: vec![unknown], ..Word::default() };
    Value { words: vec![word], ..Value::default() }
}
