//! Scripts of the shell that start jobs.
//!
//! Input: the text of a script. Output: a [`Script`]: the commands that it comes to, with variables, lists and sums in place of
//! their names, as far as the script itself says them. Tests (`[ ... ]`, `case`) choose where they can be decided; what is
//! given a value where they cannot, in a loop too, is not known, and its word says why. So is what other commands set
//! (`read`, `source`). Nothing is run.
//!
//! ```text
//! TP=4; ARGS="--tp $TP"          run --tp 4
//! [ $TP -gt 1 ] && ARGS+=" --sp"
//! run $ARGS --gpus $(nproc)      -> run --tp 4 --sp --gpus $(nproc), of which the last word is not known
//! ```

mod blocks;
mod effects;
mod lex;
mod sums;
mod tests_of;
mod values;
mod words;

use super::Problem;
use lex::{Given, Part, Raw, Token, tokens};
use std::collections::BTreeMap;
use std::ops::Range;
use values::not_known;
use words::Value;

/// More letters than any script comes to.
const MOST: usize = 1 << 20;

/// Letters that a command counts as, so that functions which call each other come to an end.
const COMMAND: usize = 64;

/// Reason for which commands are not known to run.
const UNDECIDED: &str = "under a test that only running the script decides";

/// Depth in which commands may lie in each other.
const DEPTH: usize = 48;

/// A word of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    /// Its letters; a variable that has no value is written as it is in the script.
    pub(super) text: String,
    /// The things in it that are not known, such as `$TP`, and why not.
    pub(super) unknowns: Vec<Unknown>,
    /// The place at which it is written.
    pub(super) place: Range<usize>,
    /// Whether some of it stands in quotes.
    pub(super) is_quoted: bool,
}

impl Word {
    /// The first thing in it that is not known.
    pub(super) fn unknown(&self) -> Option<&Unknown> {
        self.unknowns.first()
    }

    /// A part of it, with what is not known in that part.
    pub(super) fn part(&self, text: &str) -> Self {
        let unknowns = self.unknowns.iter().filter(|unknown| text.contains(&unknown.written)).cloned();
        Self { text: text.to_owned(), unknowns: unknowns.collect(), ..self.clone() }
    }

    /// Returns whether it is nothing but what is not known, so that it may stand for several words, or none.
    pub(super) fn is_open(&self) -> bool {
        !self.is_quoted && self.unknowns.iter().any(|unknown| unknown.written == self.text)
    }
}

/// Something that a script does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unknown {
    /// As it is written.
    pub(super) written: String,
    /// The reason, as the end of a sentence.
    pub(super) why: String,
}

/// Commands that a script comes to.
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
    reader.read(text, 0..text.len(), 0, &Mode::Run)?;
    Ok(reader.script)
}

/// A way to take commands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mode {
    /// They run.
    Run,
    /// They do not.
    Skip,
    /// Nobody knows, as they stand there.
    Perhaps(String),
}

impl Mode {
    fn undecided() -> Self {
        Self::Perhaps(UNDECIDED.to_owned())
    }
}

/// The end of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    Well,
    Badly,
    /// It is no test, so that what is to run behind it is taken to run.
    Likely,
    /// Only running it says so.
    Open,
}

impl Ended {
    fn of(decided: Option<bool>) -> Self {
        match decided {
            Some(true) => Self::Well,
            Some(false) => Self::Badly,
            None => Self::Open,
        }
    }

    /// Whether a test ended well; a command that is none says nothing.
    fn decided(self) -> Option<bool> {
        match self {
            Self::Well => Some(true),
            Self::Badly => Some(false),
            Self::Likely | Self::Open => None,
        }
    }

    /// The end of two commands with `&&` or `||` between them, of which the second runs perhaps.
    fn perhaps(self, joint: &str) -> Self {
        match (joint, self) {
            ("&&", Self::Badly) => Self::Badly,
            ("||", Self::Well) => Self::Well,
            ("||", Self::Likely) => Self::Likely,
            _ => Self::Open,
        }
    }
}

#[derive(Default)]
struct Reader {
    variables: BTreeMap<String, Value>,
    /// Bodies of functions, with the tokens of a block each; none of one that has several.
    functions: BTreeMap<String, Option<Vec<Token>>>,
    /// Variables of the functions that run, with the values outside.
    locals: Vec<Vec<(String, Option<Value>)>>,
    script: Script,
    /// Letters so far of all words that were made.
    letters: usize,
}

/// The tokens of a text, and how far they are read.
struct Cursor {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    /// The place of all of it, if it is the value of a word.
    within: Option<Range<usize>>,
}

impl Cursor {
    fn word(&self) -> Option<&str> {
        match self.tokens.get(self.at)? {
            Token::Word(raw) => raw.plain(),
            _ => None,
        }
    }

    fn is_end(&self, at: usize, sign: &str) -> bool {
        matches!(self.tokens.get(at), Some(Token::End(end)) if *end == sign)
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

    fn must_not_be_deep(&self) -> Result<(), Problem> {
        let place = self.place();
        match self.depth > DEPTH {
            true => Err(Problem::Syntax("commands lie too deep in each other".to_owned(), place..place)),
            false => Ok(()),
        }
    }
}

impl Reader {
    fn read(&mut self, text: &str, place: Range<usize>, depth: usize, mode: &Mode) -> Result<(), Problem> {
        let tokens = tokens(text).map_err(|problem| match problem {
            // Places in the value of a word are no places of the file.
            Problem::Syntax(message, _) if depth > 0 => Problem::Syntax(message, place.clone()),
            problem => problem,
        })?;
        let mut cursor = Cursor { tokens, at: 0, depth, within: (depth > 0).then_some(place) };
        while cursor.at < cursor.tokens.len() {
            self.list(&mut cursor, &[], mode)?;
            // A word that ends a block which nothing began.
            cursor.at += 1;
        }
        Ok(())
    }

    /// Commands up to one that begins with one of these words, or to one of these signs, which is left.
    fn list(&mut self, cursor: &mut Cursor, ends: &[&str], mode: &Mode) -> Result<Ended, Problem> {
        cursor.must_not_be_deep()?;
        // The end of the last command, what stands behind it, and what both mean for the next one.
        let mut ended = Ended::Well;
        let mut joint = None;
        let mut own = mode.clone();
        while let Some(token) = cursor.tokens.get(cursor.at) {
            if let Token::End(end) = *token
                && end != "("
            {
                match end {
                    "&&" | "||" => {
                        own = behind(mode, ended, end);
                        joint = Some(end);
                    }
                    ";;" | ";&" | ";;&" if ends.contains(&";;") => return Ok(ended),
                    ")" if ends.contains(&")") => return Ok(ended),
                    // A pipe is one command, and a line may end behind an operator.
                    "|" => {}
                    "\n" if matches!(
                        cursor.tokens.get(cursor.at.wrapping_sub(1)),
                        Some(Token::End("&&" | "||" | "|"))
                    ) => {}
                    _ => (own, joint) = (mode.clone(), None),
                }
                cursor.at += 1;
                continue;
            }
            if cursor.word().is_some_and(|word| ends.contains(&word)) {
                return Ok(ended);
            }
            let outcome = self.command(cursor, &own)?;
            ended = match (&own, joint) {
                (Mode::Skip, _) => ended,
                (Mode::Perhaps(_), Some(joint)) if *mode == Mode::Run => outcome.perhaps(joint),
                _ => outcome,
            };
        }
        Ok(ended)
    }

    /// A command or a block.
    fn command(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<Ended, Problem> {
        cursor.depth += 1;
        cursor.must_not_be_deep()?;
        self.counts(COMMAND)?;
        let outcome = match cursor.word() {
            Some("if") => self.branches(cursor, mode).map(|()| Ended::Likely),
            Some("case") => self.cases(cursor, mode).map(|()| Ended::Likely),
            Some(word @ ("for" | "while" | "until" | "select")) => {
                let word = word.to_owned();
                self.turns(cursor, &word, mode).map(|()| Ended::Likely)
            }
            Some("{") => self.group(cursor, mode),
            Some("[[") => self.brackets(cursor, mode),
            Some("!") => {
                cursor.at += 1;
                let ended = self.command(cursor, mode);
                ended.map(|ended| Ended::of(ended.decided().map(|decided| !decided)))
            }
            Some("time") => {
                cursor.at += 1;
                self.command(cursor, mode)
            }
            Some("}" | "do" | "then") => {
                cursor.at += 1;
                Ok(Ended::Likely)
            }
            Some("function") => {
                cursor.at += 1;
                self.function(cursor, mode)
            }
            Some(_) if cursor.is_end(cursor.at + 1, "(") && cursor.is_end(cursor.at + 2, ")") => {
                self.function(cursor, mode)
            }
            _ if cursor.is_end(cursor.at, "(") => match cursor.is_end(cursor.at + 1, "(") {
                true => self.arithmetic(cursor, mode),
                false => self.subshell(cursor, mode),
            },
            _ => self.simple(cursor, mode),
        };
        cursor.depth -= 1;
        outcome
    }

    /// A command of words; or the assignments of one.
    fn simple(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<Ended, Problem> {
        let mut words: Vec<Word> = Vec::new();
        let mut declared = Declared::default();
        // What is assigned in front of a command is of that command alone.
        let mut before: Vec<(String, Option<Value>)> = Vec::new();
        let is_skipped = *mode == Mode::Skip;
        while let Some(token) = cursor.tokens.get(cursor.at).cloned() {
            match token {
                Token::End(_) => break,
                _ if is_skipped => {}
                Token::Word(raw) if words.is_empty() && declared.takes(&raw) => {}
                Token::Assignment { name, is_more, value, .. } if words.is_empty() => {
                    let outside = self.variables.get(&name).cloned();
                    match (declared.is_local, self.locals.last_mut()) {
                        (true, Some(locals)) => locals.push((name.clone(), outside)),
                        _ => before.push((name.clone(), outside)),
                    }
                    self.assign(cursor, &name, is_more, &value, mode)?;
                    if declared.is_whole {
                        self.makes_whole(&name);
                    }
                }
                Token::Word(raw) => {
                    if words.is_empty() {
                        self.restore(std::mem::take(&mut before));
                    }
                    words.extend(self.words(&raw, cursor)?);
                }
                // Behind the command's name it is a word like others.
                Token::Assignment { name, value, start, .. } => {
                    if let Given::Word(raw) = value {
                        let mut parts = vec![Part::Text(format!("{name}="))];
                        parts.extend(raw.parts);
                        words.extend(self.words(&Raw { parts, start, is_quoted: true }, cursor)?);
                    }
                }
            }
            cursor.at += 1;
        }
        match is_skipped || words.is_empty() {
            true => Ok(Ended::Likely),
            false if declared.is_there => self.declare(words, mode),
            false => self.ran(cursor, words, mode),
        }
    }

    /// A command of these words.
    fn ran(&mut self, cursor: &Cursor, mut words: Vec<Word>, mode: &Mode) -> Result<Ended, Problem> {
        if let Some(body) = self.functions.get(&words[0].text).cloned() {
            return self.call(cursor, &words, body, mode);
        }
        if let Some(decided) = tests_of::decided_by(&words) {
            return Ok(Ended::of(decided));
        }
        if let Some(inner) = script_within(&words) {
            cursor.must_not_be_deep()?;
            let is_own = words[0].text == "eval";
            if is_own || *mode == Mode::Run {
                let (outside, first) = (self.variables.clone(), self.script.commands.len());
                self.read(&inner.text, inner.place.clone(), cursor.depth + 1, mode)?;
                if !is_own {
                    self.variables = outside;
                    self.goes_back(first);
                }
                return Ok(Ended::Likely);
            }
        }
        self.changes(&words, mode);
        if let Mode::Perhaps(why) = mode {
            let unknown = Unknown { written: words[0].text.clone(), why: format!("it runs {why}") };
            words[0].unknowns.push(unknown);
        }
        self.script.commands.push(words);
        Ok(Ended::Likely)
    }

    fn restore(&mut self, outside: Vec<(String, Option<Value>)>) {
        for (name, value) in outside.into_iter().rev() {
            match value {
                Some(value) => self.variables.insert(name, value),
                None => self.variables.remove(&name),
            };
        }
    }

    fn counts(&mut self, letters: usize) -> Result<(), Problem> {
        self.letters = self.letters.saturating_add(letters);
        match self.letters > MOST {
            true => Err(Problem::Other("the script comes to more words than that of any job".to_owned())),
            false => Ok(()),
        }
    }
}

/// Commands behind one that ended so, and an operator.
fn behind(mode: &Mode, ended: Ended, joint: &str) -> Mode {
    if *mode != Mode::Run {
        return mode.clone();
    }
    match (joint, ended) {
        ("&&", Ended::Well | Ended::Likely) | ("||", Ended::Badly) => Mode::Run,
        ("&&", Ended::Badly) | ("||", Ended::Well) => Mode::Skip,
        _ => Mode::undecided(),
    }
}

/// A word that declares variables behind it, with its options.
#[derive(Default)]
struct Declared {
    is_there: bool,
    /// Whether they are of the function alone.
    is_local: bool,
    /// Whether their values are whole numbers, so that texts are sums.
    is_whole: bool,
}

impl Declared {
    /// Returns whether a word is of it.
    fn takes(&mut self, raw: &Raw) -> bool {
        match raw.plain() {
            Some(word @ ("export" | "local" | "declare" | "readonly" | "typeset")) if !self.is_there => {
                self.is_there = true;
                self.is_local = ["local", "declare", "typeset"].contains(&word);
                true
            }
            Some(word) if self.is_there && word.starts_with(['-', '+']) => {
                self.is_whole |= word.starts_with('-') && word.contains('i');
                self.is_local &= !word.contains('g');
                true
            }
            _ => false,
        }
    }
}

/// The script that a command hands to a shell: `bash -c "..."`, `eval "..."`.
fn script_within(words: &[Word]) -> Option<Word> {
    let is_shell =
        |word: &Word| ["bash", "sh", "zsh"].contains(&word.text.rsplit('/').next().unwrap_or_default());
    if words[0].text == "eval" {
        return Some(words::joined(words[1..].iter().cloned(), " "));
    }
    let shell = words.iter().position(is_shell)?;
    let flag =
        words[shell + 1..].iter().position(|word| ["-c", "-lc", "-xc"].contains(&word.text.as_str()))?;
    words.get(shell + flag + 2).cloned()
}

#[cfg(test)]
mod tests;
