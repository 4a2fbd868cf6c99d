//! Values of variables, and words that are made of them.
//!
//! Input: the pieces of a word, one after the other. Output: the words that it becomes: one, unless a value without quotes has
//! blanks, or a list is meant.

use super::{Unknown, Word};

/// A value of a variable: its elements, one if it is no list.
#[derive(Clone, Debug, Default)]
pub(super) struct Value {
    pub(super) words: Vec<Word>,
    pub(super) is_list: bool,
    /// Whether it is a text that was taken apart, so that its name alone stands for all of it.
    pub(super) is_text: bool,
}

/// Words in the making.
#[derive(Default)]
pub(super) struct Made {
    pub(super) words: Vec<Word>,
    pub(super) open: Option<Word>,
}

impl Made {
    pub(super) fn add(&mut self, text: &str) {
        self.open.get_or_insert_default().text += text;
    }

    pub(super) fn add_unknown(&mut self, written: &str, why: &str) {
        let open = self.open.get_or_insert_default();
        open.text += written;
        open.unknowns.push(Unknown { written: written.to_owned(), why: why.to_owned() });
    }

    fn add_word(&mut self, word: Word) {
        let open = self.open.get_or_insert_with(|| Word { place: word.place.clone(), ..Word::default() });
        open.text += &word.text;
        open.unknowns.extend(word.unknowns);
    }

    fn ends(&mut self) {
        self.words.extend(self.open.take());
    }

    pub(super) fn add_value(&mut self, value: Value, all: Option<char>, is_quoted: bool) {
        let words = match (value.is_list, all) {
            (true, None) if !value.is_text => value.words.into_iter().take(1).collect(),
            (true, Some('*')) if is_quoted => vec![joined(value.words, " ")],
            _ => value.words,
        };
        if is_quoted && words.is_empty() {
            return;
        }
        for (at, word) in words.into_iter().enumerate() {
            if at > 0 {
                self.ends();
            }
            if is_quoted {
                self.add_word(word);
                continue;
            }
            if word.text.starts_with(char::is_whitespace) {
                self.ends();
            }
            let ends_blank = word.text.ends_with(char::is_whitespace);
            for (at, piece) in word.text.split_whitespace().enumerate() {
                if at > 0 {
                    self.ends();
                }
                self.add_word(Word { is_quoted: false, ..word.part(piece) });
            }
            if ends_blank {
                self.ends();
            }
        }
    }
}

/// Words as one.
pub(super) fn joined(words: impl IntoIterator<Item = Word>, between: &str) -> Word {
    let mut whole = Word::default();
    for (at, word) in words.into_iter().enumerate() {
        if at > 0 {
            whole.text += between;
        } else {
            whole.place = word.place.clone();
        }
        whole.text += &word.text;
        whole.unknowns.extend(word.unknowns);
    }
    whole
}
