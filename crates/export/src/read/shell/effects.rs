//! Commands that change variables otherwise than by `NAME=value`.
//!
//! Input: the words of a command. Output: what it sets is not known from there on, such as `X` behind `read X`, or all
//! variables behind `source env.sh`; `unset X` takes one away.

use super::words::Value;
use super::{Ended, Mode, Problem, Reader, Word, not_known};

impl Reader {
    /// What a command may set is not known any more.
    pub(super) fn changes(&mut self, words: &[Word], mode: &Mode) {
        let command = words[0].text.as_str();
        let why = format!("by `{command}`");
        let rest = &words[1..];
        let names = rest.iter().map(|word| word.text.as_str()).filter(|text| !text.starts_with('-'));
        match command {
            "unset" if *mode == Mode::Run => names.for_each(|name| {
                self.variables.remove(name);
            }),
            "unset" | "read" | "mapfile" | "readarray" | "getopts" | "let" => {
                for name in names.map(leading_name).filter(|name| !name.is_empty()).collect::<Vec<_>>() {
                    self.variables.insert(name.to_owned(), not_known(&format!("${name}"), &why));
                }
            }
            "printf" if rest.first().is_some_and(|word| word.text == "-v") => {
                if let Some(name) = rest.get(1).map(|word| word.text.clone()) {
                    let value = not_known(&format!("${name}"), &why);
                    self.variables.insert(name, value);
                }
            }
            // What begins an environment of Python sets nothing of a job.
            "source" | "." if !rest.first().is_some_and(|word| word.text.ends_with("activate")) => {
                let file = rest.first().map_or_else(String::new, |word| format!(" {}", word.text));
                self.forgets(&format!("by `{command}{file}`"));
            }
            "shift" => self.forgets_arguments(&why),
            "set" if names.count() > 0 || rest.iter().any(|word| word.text == "--") => {
                self.forgets_arguments(&why);
            }
            _ => {}
        }
    }

    /// No value that a variable has is known any more.
    pub(super) fn forgets(&mut self, why: &str) {
        for (name, value) in &mut self.variables {
            *value = not_known(&format!("${name}"), why);
        }
    }

    fn forgets_arguments(&mut self, why: &str) {
        let is_argument =
            |name: &str| name.bytes().all(|letter| letter.is_ascii_digit()) || ["@", "*"].contains(&name);
        for (name, value) in self.variables.iter_mut().filter(|(name, _)| is_argument(name)) {
            *value = not_known(&format!("${name}"), why);
        }
    }

    /// Words behind what declares variables: `"NAME=value"` in quotes, or names alone.
    pub(super) fn declare(&mut self, words: Vec<Word>, mode: &Mode) -> Result<Ended, Problem> {
        for word in words {
            let Some((name, value)) = word.text.split_once('=') else { continue };
            if leading_name(name) != name || name.is_empty() {
                continue;
            }
            let mut own = Value { words: vec![word.part(value)], ..Value::default() };
            if let Mode::Perhaps(why) = mode {
                own = self.perhaps(name, own, why);
            }
            self.script.given.extend(own.words.iter().cloned());
            self.variables.insert(name.to_owned(), own);
        }
        Ok(Ended::Likely)
    }

    /// The value of a variable of whole numbers: the sum that its text is.
    pub(super) fn makes_whole(&mut self, name: &str) {
        let Some(value) = self.variables.get(name) else { return };
        let text = value.words.first().filter(|word| word.unknowns.is_empty()).map(|word| word.text.clone());
        let number = text.and_then(|text| self.sum(&text));
        let own = match number {
            Some(number) => {
                let word = Word { text: number.to_string(), ..Word::default() };
                Value { words: vec![word], ..Value::default() }
            }
            None => not_known(&format!("${name}"), "by a sum that the file does not say"),
        };
        self.variables.insert(name.to_owned(), own);
    }
}

/// The name at the beginning of a text.
fn leading_name(text: &str) -> &str {
    let end = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    &text[..end.unwrap_or(text.len())]
}
