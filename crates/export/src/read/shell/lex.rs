//! Words of a script, as the shell takes a line apart before it knows what anything means.
//!
//! Input: the text of a script. Output: its [`Token`]s. Comments, redirections and texts that go to a command's input
//! (`<<EOF`) say nothing of a job and are left out.

use super::super::Problem;

/// How deep values may lie in each other.
const DEPTH: usize = 32;

/// Piece of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Letters as they are.
    Text(String),
    /// A variable, `$NAME` or `${NAME...}`.
    Variable {
        name: String,
        /// All elements of a list are meant: each by itself (`@`), or in one word (`*`).
        all: Option<char>,
        /// Pieces that stand for it where it is not set; none, if that is the script's business (`${NAME:?...}`).
        default: Option<Vec<Part>>,
        /// Whether it is given these as its value, too (`${NAME:=...}`).
        sets: bool,
        /// Whether it stands in quotes, so that its value is one word.
        is_quoted: bool,
    },
    /// A sum, `$((...))`.
    Sum(Vec<Part>),
    /// Something that only running it says, as it is written.
    Open(String),
}

/// A word and where it begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Raw {
    pub(super) parts: Vec<Part>,
    pub(super) start: usize,
    /// Whether some of it stands in quotes, so that it is a word even where it is empty.
    pub(super) is_quoted: bool,
}

impl Raw {
    /// Its text, where it is no more than letters without quotes.
    pub(super) fn plain(&self) -> Option<&str> {
        match &self.parts[..] {
            [Part::Text(text)] if !self.is_quoted => Some(text),
            _ => None,
        }
    }
}

/// Value that a variable is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Given {
    /// `NAME=word`.
    Word(Raw),
    /// `NAME=(word word)`.
    List(Vec<Raw>),
}

/// Piece of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(Raw),
    /// `NAME=value`, or `NAME+=value`, which is more of it.
    Assignment {
        name: String,
        is_more: bool,
        value: Given,
        start: usize,
    },
    /// The end of a command: a new line, `;`, `&&`, `||`, `|`, `;;`, a parenthesis; in double brackets, `<` and `>`, too.
    End(&'static str),
}

/// Takes a script apart.
///
/// # Errors
/// Quotes or brackets that are not closed.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, Problem> {
    let mut lexer = Lexer::of(text);
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next()? {
        tokens.push(token);
    }
    Ok(tokens)
}

/// Operators that end a command, the longest first.
const ENDS: &[&str] = &["&&", "||", ";;&", ";;", ";&", ";", "|", "&", "(", ")", "\n"];

/// Redirections, the longest first.
const REDIRECTIONS: &[&str] = &["<<<", "<<-", "<<", "&>>", "&>", ">>", ">&", "<&", ">|", "<>", ">", "<"];

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Ends of texts that begin on the next line.
    inputs: Vec<String>,
    /// Whether it stands in double brackets, which redirect nothing.
    is_in_brackets: bool,
}

impl<'a> Lexer<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, at: 0, inputs: Vec::new(), is_in_brackets: false }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn take(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    fn takes(&mut self, text: &str) -> bool {
        let is_there = self.rest().starts_with(text);
        if is_there {
            self.at += text.len();
        }
        is_there
    }

    fn wrong(&self, start: usize, message: &str) -> Problem {
        Problem::Syntax(message.to_owned(), start..self.at.min(self.text.len()).max(start))
    }

    /// Goes over blanks, lines that go on, and comments.
    fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.rest().starts_with("\\\n") => self.at += 2,
                Some('\\') if self.rest().starts_with("\\\r\n") => self.at += 3,
                Some('#') => self.at += self.rest().find('\n').unwrap_or(self.rest().len()),
                _ => return,
            }
        }
    }

    fn next(&mut self) -> Result<Option<Token>, Problem> {
        loop {
            self.skip_blanks();
            if self.at == self.text.len() {
                return Ok(None);
            }
            if self.is_in_brackets
                && let Some(sign) = ["<", ">"].into_iter().find(|sign| self.takes(sign))
            {
                return Ok(Some(Token::End(sign)));
            }
            if self.redirects()? {
                continue;
            }
            if let Some(end) = ENDS.iter().find(|end| self.rest().starts_with(**end)) {
                self.at += end.len();
                if *end == "\n" {
                    self.skip_inputs();
                }
                return Ok(Some(Token::End(end)));
            }
            if let Some(assignment) = self.assignment()? {
                return Ok(Some(assignment));
            }
            let raw = self.word()?;
            if self.at == raw.start {
                // Nothing that begins a word: it is gone over, so that reading goes on.
                self.take();
                continue;
            }
            match raw.plain() {
                Some("[[") => self.is_in_brackets = true,
                Some("]]") => self.is_in_brackets = false,
                _ => {}
            }
            return Ok(Some(Token::Word(raw)));
        }
    }

    /// Goes over a redirection, with the number before it and the file behind it.
    fn redirects(&mut self) -> Result<bool, Problem> {
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let behind = &self.rest()[digits..];
        let Some(operator) = REDIRECTIONS.iter().find(|operator| behind.starts_with(**operator)) else {
            return Ok(false);
        };
        // A process that is read as a file is a word.
        if behind.starts_with("<(") || behind.starts_with(">(") {
            return Ok(false);
        }
        self.at += digits + operator.len();
        self.skip_blanks();
        let start = self.at;
        self.word()?;
        if ["<<", "<<-"].contains(operator) {
            let end = self.text[start..self.at].trim_matches(['"', '\'', '\\']).to_owned();
            self.inputs.push(end);
        }
        Ok(true)
    }

    /// Goes over the texts that were announced on the line before.
    fn skip_inputs(&mut self) {
        for end in std::mem::take(&mut self.inputs) {
            while self.at < self.text.len() {
                let line = self.rest().split_inclusive('\n').next().unwrap_or_default();
                self.at += line.len();
                if line.trim() == end {
                    break;
                }
            }
        }
    }

    fn assignment(&mut self) -> Result<Option<Token>, Problem> {
        let start = self.at;
        let name: String = self.rest().chars().take_while(|letter| is_of_name(*letter)).collect();
        let behind = &self.rest()[name.len()..];
        let is_more = behind.starts_with("+=");
        if name.is_empty()
            || name.starts_with(|first: char| first.is_ascii_digit())
            || !(is_more || behind.starts_with('='))
        {
            return Ok(None);
        }
        self.at += name.len() + if is_more { 2 } else { 1 };
        let value = match self.takes("(") {
            true => Given::List(self.list(start)?),
            false => Given::Word(self.word()?),
        };
        Ok(Some(Token::Assignment { name, is_more, value, start }))
    }

    /// The words of a list, behind its parenthesis.
    fn list(&mut self, start: usize) -> Result<Vec<Raw>, Problem> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            match self.peek() {
                None => return Err(self.wrong(start, "a list is not closed")),
                Some('\n') => self.at += 1,
                Some(')') => {
                    self.at += 1;
                    return Ok(words);
                }
                Some(';' | '&' | '|' | '<' | '>' | '(') => {
                    return Err(self.wrong(self.at, "a list has no such sign outside of quotes"));
                }
                Some(_) => words.push(self.word()?),
            }
        }
    }

    /// A word, which may be empty.
    fn word(&mut self) -> Result<Raw, Problem> {
        let start = self.at;
        let mut raw = Raw { start, ..Raw::default() };
        while let Some(letter) = self.peek() {
            match letter {
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | ')' | '<' | '>' => break,
                '(' if raw.parts.is_empty() || self.rest().starts_with("()") => break,
                '\'' => {
                    self.at += 1;
                    let end = self.rest().find('\'');
                    let end = end.ok_or_else(|| self.wrong(start, "a quote is not closed"))?;
                    push(&mut raw.parts, &self.rest()[..end]);
                    self.at += end + 1;
                    raw.is_quoted = true;
                }
                '"' => {
                    self.at += 1;
                    self.quoted(&mut raw.parts, start)?;
                    raw.is_quoted = true;
                }
                '\\' => {
                    self.at += 1;
                    match self.take() {
                        Some('\n') | None => {}
                        Some('\r') if self.takes("\n") => {}
                        Some(own) => push(&mut raw.parts, own.encode_utf8(&mut [0; 4])),
                    }
                }
                '$' | '`' => {
                    let part = self.value(false, 0)?;
                    raw.parts.push(part);
                }
                _ => {
                    self.at += letter.len_utf8();
                    push(&mut raw.parts, letter.encode_utf8(&mut [0; 4]));
                }
            }
        }
        Ok(raw)
    }

    /// Takes what stands in double quotes, behind the first.
    fn quoted(&mut self, parts: &mut Vec<Part>, start: usize) -> Result<(), Problem> {
        loop {
            match self.peek() {
                None => return Err(self.wrong(start, "a quote is not closed")),
                Some('"') => {
                    self.at += 1;
                    return Ok(());
                }
                Some('\\') => {
                    self.at += 1;
                    match self.take() {
                        Some('\n') | None => {}
                        Some('\r') if self.takes("\n") => {}
                        Some(own @ ('"' | '\\' | '$' | '`')) => push(parts, own.encode_utf8(&mut [0; 4])),
                        Some(own) => {
                            push(parts, "\\");
                            push(parts, own.encode_utf8(&mut [0; 4]));
                        }
                    }
                }
                Some('$' | '`') => {
                    let part = self.value(true, 0)?;
                    parts.push(part);
                }
                Some(letter) => {
                    self.at += letter.len_utf8();
                    push(parts, letter.encode_utf8(&mut [0; 4]));
                }
            }
        }
    }

    /// Takes what a dollar or a backtick stands for.
    fn value(&mut self, is_quoted: bool, depth: usize) -> Result<Part, Problem> {
        let start = self.at;
        if depth > DEPTH {
            return Err(self.wrong(start, "values lie too deep in each other"));
        }
        let open = |from: usize, to: usize| Part::Open(self.text[from..to].to_owned());
        if self.peek() == Some('`') {
            let end = self.rest()[1..].find('`').map(|end| self.at + end + 2);
            let end = end.ok_or_else(|| self.wrong(start, "a backtick is not closed"))?;
            self.at = end;
            return Ok(Part::Open(self.text[start..end].to_owned()));
        }
        if self.takes("$((") {
            let end = closed(self.rest(), 2).ok_or_else(|| self.wrong(start, "a sum is not closed"))?;
            let whole = &self.rest()[..end];
            self.at += end;
            return match whole.strip_suffix("))") {
                Some(inner) => Ok(Part::Sum(within(inner, depth + 1)?)),
                None => Ok(open(start, self.at)),
            };
        }
        if self.takes("$(") {
            let end = closed(self.rest(), 1).ok_or_else(|| self.wrong(start, "a command is not closed"))?;
            self.at += end;
            return Ok(open(start, self.at));
        }
        if self.rest().starts_with("${") {
            return self.braced(start, is_quoted, depth);
        }
        self.at += 1;
        let name: String = match self.peek() {
            Some(letter) if is_of_name(letter) && !letter.is_ascii_digit() => {
                self.rest().chars().take_while(|letter| is_of_name(*letter)).collect()
            }
            Some(letter) if letter.is_ascii_digit() || "@*#?$!-".contains(letter) => letter.to_string(),
            _ => return Ok(Part::Text("$".to_owned())),
        };
        self.at += name.len();
        Ok(Part::Variable { name, all: None, default: None, sets: false, is_quoted })
    }

    /// `${NAME}`, `${NAME[@]}`, `${NAME:-default}` and the like.
    fn braced(&mut self, start: usize, is_quoted: bool, depth: usize) -> Result<Part, Problem> {
        self.at += 2;
        let end = braces(self.rest()).ok_or_else(|| self.wrong(start, "`${` is not closed"))?;
        let inner = &self.rest()[..end];
        self.at += end + 1;
        let whole = &self.text[start..self.at];
        let is_letter = |letter: &char| is_of_name(*letter);
        let mut name: String = inner.chars().take_while(is_letter).collect();
        if name.is_empty() {
            name = inner.chars().take_while(|letter| "@*".contains(*letter)).collect();
        }
        let behind = &inner[name.len()..];
        let (all, behind) = match (behind.strip_prefix("[@]"), behind.strip_prefix("[*]")) {
            (Some(behind), _) => (Some('@'), behind),
            (_, Some(behind)) => (Some('*'), behind),
            _ => (None, behind),
        };
        let variable = |default, sets| Part::Variable { name: name.clone(), all, default, sets, is_quoted };
        let default = |text: &str| within(text, depth + 1);
        let behind = behind.strip_prefix(':').unwrap_or(behind);
        match behind.chars().next() {
            _ if name.is_empty() => Ok(Part::Open(whole.to_owned())),
            None => Ok(variable(None, false)),
            Some(sign @ ('-' | '=')) => Ok(variable(Some(default(&behind[1..])?), sign == '=')),
            Some('?') => Ok(variable(None, false)),
            Some(_) => Ok(Part::Open(whole.to_owned())),
        }
    }
}

/// The pieces of a text that stands in quotes or for them.
fn within(text: &str, depth: usize) -> Result<Vec<Part>, Problem> {
    let mut lexer = Lexer::of(text);
    let mut parts = Vec::new();
    while let Some(letter) = lexer.peek() {
        match letter {
            '$' | '`' => parts.push(lexer.value(true, depth)?),
            // Quotes within a default are no part of it.
            '"' | '\'' => lexer.at += 1,
            _ => {
                lexer.at += letter.len_utf8();
                push(&mut parts, letter.encode_utf8(&mut [0; 4]));
            }
        }
    }
    Ok(parts)
}

fn push(parts: &mut Vec<Part>, text: &str) {
    match parts.last_mut() {
        Some(Part::Text(own)) => own.push_str(text),
        _ => parts.push(Part::Text(text.to_owned())),
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Bytes up to behind the parenthesis that closes so many that are open; those in quotes are letters.
fn closed(text: &str, open: usize) -> Option<usize> {
    let mut open = open;
    let mut quote = None;
    let mut is_letter = false;
    for (at, letter) in text.char_indices() {
        if std::mem::take(&mut is_letter) {
            continue;
        }
        match (letter, quote) {
            ('\\', None | Some('"')) => is_letter = true,
            (_, Some(own)) if letter == own => quote = None,
            (_, Some(_)) => {}
            ('"' | '\'', None) => quote = Some(letter),
            ('(', None) => open += 1,
            (')', None) => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Bytes up to the brace that closes one that is open.
fn braces(text: &str) -> Option<usize> {
    let mut open = 1;
    for (at, letter) in text.char_indices() {
        match letter {
            '{' => open += 1,
            '}' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(at);
        }
    }
    None
}
