//! Scripts of the shell that start jobs.
//!
//! Input: the text of a script. Output: a [`Script`]: the commands that it comes to, with variables, lists and sums in place of
//! their names, as far as the script itself says them. Tests (`[ ... ]`, `case`) choose where they can be decided; what is
//! given a value where they cannot, in a loop too, is not known, and its word says why. Nothing is run.

mod lex;
mod sums;
mod tests_of;
mod words;

use super::Problem;
use lex::{Given, Part, Raw, Token, tokens};
use std::collections::BTreeMap;
use std::ops::Range;
use words::{Made, Value, joined};

/// More letters than any script comes to.
const MOST: usize = 1 << 20;

/// Where commands stand of which nobody knows whether they run.
const UNDECIDED: &str = "under a test that only running the script decides";

/// How deep commands may lie in each other.
const DEPTH: usize = 48;

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// Its letters; a variable that has no value is written as it is in the script.
    pub(super) text: String,
    /// The first thing in it that is not known, such as `$TP`, and why not.
    pub(super) unknown: Option<Unknown>,
    /// Where it is written.
    pub(super) place: Range<usize>,
}

/// Something that a script does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unknown {
    /// As it is written.
    pub(super) written: String,
    /// Why nobody knows it, as the end of a sentence.
    pub(super) why: String,
}

/// What a script comes to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Script {
    /// Its commands, in order, none of which is empty.
    pub(super) commands: Vec<Vec<Word>>,
    /// Words of its variables, in the order in which they got their values.
    pub(super) given: Vec<Word>,
}

/// Reads a script.
///
/// # Errors
/// Quotes, lists or blocks that are not closed; more than a script of a job comes to.
pub(super) fn script(text: &str) -> Result<Script, Problem> {
    let mut reader = Reader::default();
    reader.read(text, 0..text.len(), 0)?;
    Ok(reader.script)
}

/// How commands are taken.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mode {
    /// They run.
    Run,
    /// They do not.
    Skip,
    /// Nobody knows, as they stand there.
    Perhaps(String),
}

#[derive(Default)]
struct Reader {
    variables: BTreeMap<String, Value>,
    script: Script,
    /// Letters so far of all words that were made.
    letters: usize,
}

/// The tokens of a text, and how far they are read.
struct Cursor {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// Where all of it is, if it is the value of a word.
    within: Option<Range<usize>>,
}

impl Cursor {
    fn word(&self) -> Option<&str> {
        match self.tokens.get(self.at)? {
            Token::Word(raw) => raw.plain(),
            _ => None,
        }
    }

    fn skip_ends(&mut self) {
        while matches!(self.tokens.get(self.at), Some(Token::End(_))) {
            self.at += 1;
        }
    }

    fn place(&self) -> usize {
        let start =
            self.tokens[..self.at.min(self.tokens.len())].iter().rev().find_map(|token| match token {
                Token::Word(raw) => Some(raw.start),
                Token::Assignment { start, .. } => Some(*start),
                Token::End(_) => None,
            });
        self.within.as_ref().map_or(start.unwrap_or_default(), |within| within.start)
    }

    fn not_closed(&self, what: &str) -> Problem {
        Problem::Syntax(format!("`{what}` is not closed"), self.place()..self.place())
    }
}

impl Reader {
    fn read(&mut self, text: &str, place: Range<usize>, depth: usize) -> Result<(), Problem> {
        let tokens = tokens(text).map_err(|problem| match problem {
            // Places in the value of a word are no places of the file.
            Problem::Syntax(message, _) if depth > 0 => Problem::Syntax(message, place.clone()),
            problem => problem,
        })?;
        let mut cursor = Cursor { tokens, at: 0, depth, within: (depth > 0).then_some(place) };
        while cursor.at < cursor.tokens.len() {
            self.list(&mut cursor, &[], &Mode::Run)?;
            // A word that ends a block which nothing began.
            cursor.at += 1;
        }
        Ok(())
    }

    /// Commands up to one that begins with one of these words, which is left.
    fn list(&mut self, cursor: &mut Cursor, ends: &[&str], mode: &Mode) -> Result<Option<bool>, Problem> {
        if cursor.depth > DEPTH {
            let place = cursor.place();
            return Err(Problem::Syntax("commands lie too deep in each other".to_owned(), place..place));
        }
        // How the last command ended, and what that means for the next one.
        let mut ended = Some(true);
        let mut own = mode.clone();
        while let Some(token) = cursor.tokens.get(cursor.at) {
            if let Token::End(end) = token {
                let if_ended = |wanted: bool| match (mode, ended) {
                    (Mode::Run, Some(ended)) if ended == wanted => Mode::Run,
                    (Mode::Run, Some(_)) => Mode::Skip,
                    (Mode::Run, None) => Mode::Perhaps(UNDECIDED.to_owned()),
                    _ => mode.clone(),
                };
                match *end {
                    "&&" => own = if_ended(true),
                    "||" => own = if_ended(false),
                    ";;" if ends.contains(&";;") => return Ok(ended),
                    // A line may end behind an operator.
                    "\n" if matches!(
                        cursor.tokens.get(cursor.at.wrapping_sub(1)),
                        Some(Token::End("&&" | "||"))
                    ) => {}
                    _ => own = mode.clone(),
                }
                cursor.at += 1;
                continue;
            }
            if cursor.word().is_some_and(|word| ends.contains(&word)) {
                return Ok(ended);
            }
            let outcome = self.command(cursor, &own)?;
            if own != Mode::Skip {
                ended = outcome;
            }
        }
        Ok(ended)
    }

    /// A command or a block, and how it ends, where that is known.
    fn command(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<Option<bool>, Problem> {
        cursor.depth += 1;
        let outcome = match cursor.word() {
            Some("if") => self.branches(cursor, mode).map(|()| Some(true)),
            Some("case") => self.cases(cursor, mode).map(|()| Some(true)),
            Some(word @ ("for" | "while" | "until" | "select")) => {
                let word = word.to_owned();
                self.turns(cursor, &word, mode).map(|()| Some(true))
            }
            Some("{" | "}" | "do" | "then" | "time" | "!") => {
                cursor.at += 1;
                Ok(None)
            }
            Some("function") => {
                cursor.at += 2;
                Ok(None)
            }
            _ => self.simple(cursor, mode),
        };
        cursor.depth -= 1;
        outcome
    }

    fn branches(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<(), Problem> {
        let mut is_taken = Some(false);
        cursor.at += 1;
        loop {
            let decided = self.list(cursor, &["then"], mode)?;
            let place = cursor.place();
            cursor.at += 1;
            let own = match (mode, is_taken, decided) {
                (Mode::Run, Some(true), _) | (Mode::Run, _, Some(false)) => Mode::Skip,
                (Mode::Run, Some(false), Some(true)) => {
                    is_taken = Some(true);
                    Mode::Run
                }
                (Mode::Run, ..) => {
                    is_taken = None;
                    Mode::Perhaps(UNDECIDED.to_owned())
                }
                _ => mode.clone(),
            };
            self.list(cursor, &["elif", "else", "fi"], &own)?;
            match cursor.word() {
                Some("elif") => cursor.at += 1,
                Some("else") => {
                    cursor.at += 1;
                    let own = match (mode, is_taken) {
                        (Mode::Run, Some(true)) => Mode::Skip,
                        (Mode::Run, None) => Mode::Perhaps(UNDECIDED.to_owned()),
                        _ => mode.clone(),
                    };
                    self.list(cursor, &["fi"], &own)?;
                    cursor.at += 1;
                    return Ok(());
                }
                Some(_) => {
                    cursor.at += 1;
                    return Ok(());
                }
                None => return Err(Problem::Syntax("`if` is not closed".to_owned(), place..place)),
            }
        }
    }

    fn turns(&mut self, cursor: &mut Cursor, word: &str, mode: &Mode) -> Result<(), Problem> {
        let own = match mode {
            Mode::Run => Mode::Perhaps(format!("in a loop (`{word}`)")),
            _ => mode.clone(),
        };
        cursor.at += 1;
        if word == "for"
            && let Some(name) = cursor.word().map(str::to_owned)
            && let Mode::Perhaps(why) = &own
        {
            self.variables.insert(name.clone(), not_known(&format!("${name}"), why));
        }
        // What is gone through is no command.
        while cursor.word() != Some("do") && cursor.at < cursor.tokens.len() {
            cursor.at += 1;
        }
        cursor.at += 1;
        self.list(cursor, &["done"], &own)?;
        match cursor.word() {
            None => Err(cursor.not_closed(word)),
            Some(_) => {
                cursor.at += 1;
                Ok(())
            }
        }
    }

    fn cases(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<(), Problem> {
        cursor.at += 1;
        let subject = match cursor.tokens.get(cursor.at) {
            Some(Token::Word(raw)) => self.words(&raw.clone(), cursor)?,
            _ => Vec::new(),
        };
        let subject = match &subject[..] {
            [] => Some(String::new()),
            [word] if word.unknown.is_none() => Some(word.text.clone()),
            _ => None,
        };
        cursor.at += 1;
        cursor.skip_ends();
        cursor.at += 1;
        let mut is_taken = Some(false);
        loop {
            cursor.skip_ends();
            if cursor.word() == Some("esac") {
                cursor.at += 1;
                return Ok(());
            }
            // Patterns up to a parenthesis.
            let mut fits = Some(false);
            loop {
                match cursor.tokens.get(cursor.at).cloned() {
                    None => return Err(cursor.not_closed("case")),
                    Some(Token::End(")")) => break,
                    Some(Token::Word(raw)) => {
                        let pattern =
                            self.words(&raw, cursor)?.into_iter().map(|word| word.text).collect::<String>();
                        let own = subject.as_deref().and_then(|subject| tests_of::fits(subject, &pattern));
                        fits = if pattern == "*" || fits == Some(true) {
                            Some(true)
                        } else {
                            own.and(fits).and(own)
                        };
                    }
                    Some(_) => {}
                }
                cursor.at += 1;
            }
            let own = match (mode, is_taken, fits) {
                (Mode::Run, Some(true), _) | (Mode::Run, _, Some(false)) => Mode::Skip,
                (Mode::Run, Some(false), Some(true)) => {
                    is_taken = Some(true);
                    Mode::Run
                }
                (Mode::Run, ..) => {
                    is_taken = None;
                    Mode::Perhaps("under a `case` that only running the script decides".to_owned())
                }
                _ => mode.clone(),
            };
            cursor.at += 1;
            self.list(cursor, &[";;", "esac"], &own)?;
        }
    }

    /// A command of words; or the assignments of one.
    fn simple(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<Option<bool>, Problem> {
        let mut words: Vec<Word> = Vec::new();
        let mut is_first = true;
        while let Some(token) = cursor.tokens.get(cursor.at).cloned() {
            match token {
                Token::End(_) => break,
                Token::Word(raw) if is_first && raw.plain().is_some_and(declares) => {}
                // Options of what declares variables.
                Token::Word(raw)
                    if is_first
                        && cursor.at > 0
                        && raw
                            .plain()
                            .is_some_and(|word| word.starts_with('-') && !word.starts_with("--")) => {}
                Token::Assignment { name, is_more, value, .. } if is_first => {
                    self.assign(cursor, &name, is_more, &value, mode)?;
                }
                Token::Word(raw) => {
                    is_first = false;
                    words.extend(self.words(&raw, cursor)?);
                }
                // Behind the command's name it is a word like others.
                Token::Assignment { name, value, start, .. } => {
                    let Given::Word(raw) = value else {
                        cursor.at += 1;
                        continue;
                    };
                    let mut parts = vec![Part::Text(format!("{name}="))];
                    parts.extend(raw.parts);
                    words.extend(self.words(&Raw { parts, start, is_quoted: true }, cursor)?);
                }
            }
            cursor.at += 1;
        }
        if words.is_empty() || *mode == Mode::Skip {
            return Ok(Some(true));
        }
        if let Some(outcome) = tests_of::outcome(&words) {
            return Ok(outcome.decided);
        }
        if let Some(inner) = script_within(&words) {
            let depth = cursor.depth;
            if depth > DEPTH {
                let message = "commands lie too deep in each other".to_owned();
                return Err(Problem::Syntax(message, words[0].place.clone()));
            }
            let inner = inner.clone();
            if *mode == Mode::Run {
                self.read(&inner.text, inner.place.clone(), depth + 1)?;
                return Ok(Some(true));
            }
        }
        if let Mode::Perhaps(why) = mode {
            let unknown = Unknown { written: words[0].text.clone(), why: format!("it runs {why}") };
            words[0].unknown.get_or_insert(unknown);
        }
        self.script.commands.push(words);
        Ok(Some(true))
    }

    fn assign(
        &mut self,
        cursor: &Cursor,
        name: &str,
        is_more: bool,
        value: &Given,
        mode: &Mode,
    ) -> Result<(), Problem> {
        if *mode == Mode::Skip {
            return Ok(());
        }
        let mut own = match value {
            Given::Word(raw) => {
                Value { words: vec![self.one(raw, cursor)?], is_list: false, ..Value::default() }
            }
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
                    Value { words: vec![joined(both, "")], is_list: false, ..Value::default() }
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
    fn perhaps(&self, name: &str, own: Value, why: &str) -> Value {
        let before = self.variables.get(name).cloned().unwrap_or_default();
        let texts = |value: &Value| value.words.iter().map(|word| word.text.clone()).collect::<Vec<_>>();
        if texts(&before) == texts(&own) {
            return own;
        }
        let pieces = |value: &Value| -> Vec<Word> {
            let is_list = value.is_list;
            let split = |word: &Word| -> Vec<Word> {
                let texts: Vec<&str> =
                    if is_list { vec![&word.text] } else { word.text.split_whitespace().collect() };
                texts.into_iter().map(|text| Word { text: text.to_owned(), ..word.clone() }).collect()
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
            word.unknown.get_or_insert(unknown);
        };
        // Arguments that are in both are there in any case.
        let shared = words.iter().zip(&own).take_while(|(one, other)| one.text == other.text).count();
        words[shared..].iter_mut().for_each(perhaps);
        let mut more = own[shared..].to_vec();
        more.iter_mut().for_each(perhaps);
        words.extend(more);
        Value { words, is_list: true, is_text: !is_list }
    }

    fn counts(&mut self, letters: usize) -> Result<(), Problem> {
        self.letters = self.letters.saturating_add(letters);
        match self.letters > MOST {
            true => Err(Problem::Other("the script comes to more words than that of any job".to_owned())),
            false => Ok(()),
        }
    }

    /// A word as a value: it is not split.
    fn one(&mut self, raw: &Raw, cursor: &Cursor) -> Result<Word, Problem> {
        let parts = raw.parts.iter().cloned().map(|part| match part {
            Part::Variable { name, all, default, .. } => {
                Part::Variable { name, all: all.map(|_| '*'), default, is_quoted: true }
            }
            other => other,
        });
        let quoted = Raw { parts: parts.collect(), is_quoted: true, ..raw.clone() };
        Ok(joined(self.words(&quoted, cursor)?, " "))
    }

    /// The words that one becomes: none, if it is an empty variable without quotes.
    fn words(&mut self, raw: &Raw, cursor: &Cursor) -> Result<Vec<Word>, Problem> {
        let place = cursor.within.clone().unwrap_or(raw.start..raw.start + 1);
        let mut made = Made { words: Vec::new(), open: raw.is_quoted.then(Word::default) };
        for part in &raw.parts {
            self.piece(part, &mut made)?;
        }
        let mut words = made.words;
        words.extend(made.open);
        for word in &mut words {
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
                match (self.sum(&inner.text), inner.unknown) {
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
            Part::Variable { name, all, default, is_quoted } => {
                let written = format!("${name}");
                match (self.variables.get(name).cloned(), default) {
                    (Some(value), _) if !value.words.is_empty() || default.is_none() => {
                        self.counts(value.words.iter().map(|word| word.text.len() + 1).sum())?;
                        made.add_value(value, *all, *is_quoted);
                    }
                    (_, Some(default)) => {
                        for part in default {
                            self.piece(part, made)?;
                        }
                    }
                    (_, None) => made.add_unknown(&written, "the file does not set it"),
                }
            }
        }
        Ok(())
    }

    fn sum(&self, text: &str) -> Option<i64> {
        sums::sum(text, &|name| {
            let value = self.variables.get(name)?;
            value.words.first().filter(|word| word.unknown.is_none())?.text.trim().parse().ok()
        })
    }
}

fn not_known(written: &str, why: &str) -> Value {
    let unknown = Unknown { written: written.to_owned(), why: format!("it is set {why}") };
    let word = Word { text: written.to_owned(), unknown: Some(unknown), place: 0..0 };
    Value { words: vec![word], is_list: false, ..Value::default() }
}

/// Returns whether a word declares variables behind it.
fn declares(word: &str) -> bool {
    ["export", "local", "declare", "readonly", "typeset"].contains(&word)
}

/// The script that a command hands to a shell: `bash -c "..."`, `eval "..."`.
fn script_within(words: &[Word]) -> Option<&Word> {
    let is_shell =
        |word: &Word| ["bash", "sh", "zsh"].contains(&word.text.rsplit('/').next().unwrap_or_default());
    if words[0].text == "eval" {
        return words.get(1);
    }
    let shell = words.iter().position(is_shell)?;
    let flag =
        words[shell + 1..].iter().position(|word| ["-c", "-lc", "-xc"].contains(&word.text.as_str()))?;
    words.get(shell + flag + 2)
}

#[cfg(test)]
mod tests;
