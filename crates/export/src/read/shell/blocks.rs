//! Blocks of a script: choices, loops, groups and functions.
//!
//! Input: the tokens behind the word that begins a block. Output: the commands in it, as it is known whether they run:
//!
//! ```text
//! if [ 1 = 1 ]; then a; else b; fi    -> a
//! if [ -f x ]; then a; fi             -> a, perhaps
//! f() { run $1; }; f x                -> run x
//! ```

use super::lex::{Given, Part, Raw, Token};
use super::tests_of::{self, Piece, fits};
use super::words::Value;
use super::{Cursor, Ended, Mode, Problem, Reader, Word, not_known};

impl Reader {
    /// `if ...; then ...; elif ...; then ...; else ...; fi`.
    pub(super) fn branches(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<(), Problem> {
        let mut is_taken = Some(false);
        cursor.at += 1;
        loop {
            let decided = self.list(cursor, &["then"], mode)?.decided();
            let place = cursor.place();
            cursor.at += 1;
            let own = chosen(mode, &mut is_taken, decided, Mode::undecided);
            self.list(cursor, &["elif", "else", "fi"], &own)?;
            match cursor.word() {
                Some("elif") => cursor.at += 1,
                Some("else") => {
                    cursor.at += 1;
                    let own = chosen(mode, &mut is_taken, Some(true), Mode::undecided);
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

    /// `for`, `while` and their like, up to `done`.
    pub(super) fn turns(&mut self, cursor: &mut Cursor, word: &str, mode: &Mode) -> Result<(), Problem> {
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
        // What a loop asks may change variables, too; what it goes through is no command.
        match word {
            "while" | "until" => {
                self.list(cursor, &["do"], &own)?;
            }
            _ => {
                while cursor.word() != Some("do") && cursor.at < cursor.tokens.len() {
                    cursor.at += 1;
                }
            }
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

    /// `case WORD in PATTERN) ...;; esac`.
    pub(super) fn cases(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<(), Problem> {
        cursor.at += 1;
        let subject = match cursor.tokens.get(cursor.at).cloned() {
            Some(Token::Word(raw)) if *mode != Mode::Skip => self.one(&raw, cursor)?,
            _ => Word::default(),
        };
        let subject = subject.unknowns.is_empty().then_some(subject.text);
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
            let mut found = Some(false);
            loop {
                match cursor.tokens.get(cursor.at).cloned() {
                    None => return Err(cursor.not_closed("case")),
                    Some(Token::End(")")) => break,
                    Some(Token::Word(raw)) => {
                        let pattern = self.one(&raw, cursor)?;
                        let is_any = pattern.text == "*" && !raw.is_quoted;
                        let own = subject.as_deref().and_then(|subject| {
                            let pattern = pattern.unknowns.is_empty().then_some(pattern.text.as_str())?;
                            fits(subject, pattern, raw.is_quoted)
                        });
                        found = tests_of::either(found, if is_any { Some(true) } else { own });
                    }
                    Some(_) => {}
                }
                cursor.at += 1;
            }
            let undecided =
                || Mode::Perhaps("under a `case` that only running the script decides".to_owned());
            let own = chosen(mode, &mut is_taken, found, undecided);
            cursor.at += 1;
            self.list(cursor, &[";;", "esac"], &own)?;
            // What goes on with the next one.
            if own != Mode::Skip && (cursor.is_end(cursor.at, ";&") || cursor.is_end(cursor.at, ";;&")) {
                is_taken = None;
            }
        }
    }

    /// `{ ...; }`.
    pub(super) fn group(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<Ended, Problem> {
        cursor.at += 1;
        let ended = self.list(cursor, &["}"], mode)?;
        match cursor.word() {
            None => Err(cursor.not_closed("{")),
            Some(_) => {
                cursor.at += 1;
                Ok(ended)
            }
        }
    }

    /// `( ... )`, whose variables are its own.
    pub(super) fn subshell(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<Ended, Problem> {
        self.counts(self.variables.len())?;
        let (outside, first) = (self.variables.clone(), self.script.commands.len());
        cursor.at += 1;
        let ended = self.list(cursor, &[")"], mode)?;
        self.variables = outside;
        self.goes_back(first);
        match cursor.is_end(cursor.at, ")") {
            false => Err(cursor.not_closed("(")),
            true => {
                cursor.at += 1;
                Ok(ended)
            }
        }
    }

    /// Where commands from this one on go to another folder, those behind them go back to the one before.
    pub(super) fn goes_back(&mut self, first: usize) {
        let is_left = |words: &&Vec<Word>| ["cd", "pushd"].contains(&words[0].text.as_str());
        if let Some(words) = self.script.commands[first..].iter().find(is_left) {
            let word = |text: &str| Word { text: text.to_owned(), ..words[0].clone() };
            let back = vec![word("cd"), word("-")];
            self.script.commands.push(back);
        }
    }

    /// `(( ... ))`: what it changes is not known.
    pub(super) fn arithmetic(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<Ended, Problem> {
        let start = cursor.at;
        let mut open = 0;
        loop {
            match cursor.tokens.get(cursor.at) {
                None => return Err(cursor.not_closed("((")),
                Some(Token::End("(")) => open += 1,
                Some(Token::End(")")) => open -= 1,
                Some(_) => {}
            }
            cursor.at += 1;
            if open == 0 {
                break;
            }
        }
        let text: String = cursor.tokens[start..cursor.at].iter().map(letters).collect();
        if *mode != Mode::Skip && does_assign(&text) {
            for name in text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')) {
                if name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') {
                    self.variables.insert(name.to_owned(), not_known(&format!("${name}"), "by `(( ))`"));
                }
            }
        }
        Ok(Ended::Open)
    }

    /// `[[ ... ]]`.
    pub(super) fn brackets(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<Ended, Problem> {
        let mut pieces = Vec::new();
        loop {
            cursor.at += 1;
            match cursor.tokens.get(cursor.at).cloned() {
                None => return Err(cursor.not_closed("[[")),
                Some(Token::Word(raw)) if raw.plain() == Some("]]") => break,
                _ if *mode == Mode::Skip => {}
                Some(Token::End("\n")) => {}
                Some(Token::End(sign)) => pieces.push(Piece::Sign(sign)),
                Some(Token::Word(raw)) => pieces.push(Piece::Word(self.one(&raw, cursor)?)),
                Some(Token::Assignment { name, value: Given::Word(raw), is_more, start }) => {
                    let sign = if is_more { "+=" } else { "=" };
                    let mut parts = vec![Part::Text(format!("{name}{sign}"))];
                    parts.extend(raw.parts);
                    let raw = Raw { parts, start, is_quoted: raw.is_quoted };
                    pieces.push(Piece::Word(self.one(&raw, cursor)?));
                }
                Some(Token::Assignment { .. }) => pieces.push(Piece::Sign("(")),
            }
        }
        cursor.at += 1;
        Ok(Ended::of(tests_of::decided_in_brackets(&pieces)))
    }

    /// `NAME() { ... }`, from its name on: it runs where it is called.
    pub(super) fn function(&mut self, cursor: &mut Cursor, mode: &Mode) -> Result<Ended, Problem> {
        let name = cursor.word().unwrap_or_default().to_owned();
        cursor.at += 1;
        if cursor.is_end(cursor.at, "(") && cursor.is_end(cursor.at + 1, ")") {
            cursor.at += 2;
        }
        while cursor.is_end(cursor.at, "\n") {
            cursor.at += 1;
        }
        let start = cursor.at;
        self.command(cursor, &Mode::Skip)?;
        let body = cursor.tokens[start..cursor.at.min(cursor.tokens.len())].to_vec();
        match mode {
            Mode::Skip => {}
            Mode::Run => {
                self.functions.insert(name, Some(body));
            }
            Mode::Perhaps(_) => {
                self.functions.insert(name, None);
            }
        }
        Ok(Ended::Likely)
    }

    /// A function with the arguments behind its name.
    pub(super) fn call(
        &mut self,
        cursor: &Cursor,
        words: &[Word],
        body: Option<Vec<Token>>,
        mode: &Mode,
    ) -> Result<Ended, Problem> {
        let Some(tokens) = body else {
            self.forgets(&format!("by `{}`, of which nobody knows what it is", words[0].text));
            return Ok(Ended::Open);
        };
        self.counts(tokens.len())?;
        let mut own: Vec<(String, Value)> = (1..)
            .zip(&words[1..])
            .map(|(at, word)| (at.to_string(), Value { words: vec![word.clone()], ..Value::default() }))
            .collect();
        let all = Value { words: words[1..].to_vec(), is_list: true, is_text: true };
        own.extend([("@".to_owned(), all.clone()), ("*".to_owned(), all)]);
        let before = own.into_iter().map(|(name, value)| {
            let outside = self.variables.insert(name.clone(), value);
            (name, outside)
        });
        let before = before.collect();
        self.locals.push(before);
        let mut inner = Cursor { tokens, at: 0, depth: cursor.depth + 1, within: cursor.within.clone() };
        let ended = self.command(&mut inner, mode);
        let locals = self.locals.pop().unwrap_or_default();
        self.restore(locals);
        ended
    }
}

/// The way to take a branch, of which it is known so far whether one before was taken, and whether it fits itself.
fn chosen(
    mode: &Mode,
    is_taken: &mut Option<bool>,
    fits: Option<bool>,
    undecided: impl Fn() -> Mode,
) -> Mode {
    match (mode, *is_taken, fits) {
        (Mode::Run, Some(true), _) | (Mode::Run, _, Some(false)) => Mode::Skip,
        (Mode::Run, Some(false), Some(true)) => {
            *is_taken = Some(true);
            Mode::Run
        }
        (Mode::Run, ..) => {
            *is_taken = None;
            undecided()
        }
        _ => mode.clone(),
    }
}

/// Letters of a token, as far as it says them.
fn letters(token: &Token) -> String {
    let of_raw = |raw: &Raw| -> String {
        let text = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            _ => " ".to_owned(),
        };
        raw.parts.iter().map(text).collect()
    };
    match token {
        Token::End(sign) => (*sign).to_owned(),
        Token::Word(raw) => format!("{} ", of_raw(raw)),
        Token::Assignment { name, is_more, value, .. } => {
            let value = if let Given::Word(raw) = value { of_raw(raw) } else { String::new() };
            format!("{name}{}={value} ", if *is_more { "+" } else { "" })
        }
    }
}

/// Returns whether a sum gives variables values.
fn does_assign(text: &str) -> bool {
    let compared =
        ["==", "<=", ">=", "!="].iter().fold(text.to_owned(), |text, sign| text.replace(sign, " "));
    compared.contains('=') || text.contains("++") || text.contains("--")
}
