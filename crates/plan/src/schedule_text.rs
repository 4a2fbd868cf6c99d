//! Schedules read from text. Input: text as [`Schedule`] is written; output: the schedule, or all that is wrong with it.
//!
//! Events are separated by spaces or commas, so that tables of PyTorch can be read too: empty cells are times in which a
//! group does nothing, and are passed over; `(0F7;7B3)OVERLAP_F_B` is two events, one after the other. Its older tables have
//! other letters, which [`Schedule::from_table`] reads as what they mean. Empty lines and lines that begin with `//` are none; a row without events is `-`.

use crate::schedule::{Action, Event, Phase, ProgramId, Schedule, Transfer};
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use std::collections::BTreeSet;
use std::str::FromStr;

/// Text is no schedule, or a schedule cannot run.
pub const SCHEDULE: Check = Check("schedule");

/// How an event is written.
const FORM: &str = "an action is stage, phase and microbatch, such as `2F0`, with the phases C, P, F, I, W, B, U (its \
                    round behind it), O, V, R and S; a transfer is value, groups and microbatch, such as `h:0>1:2`";

/// Stages, microbatches, groups and rounds have no numbers above this.
const MOST: usize = 999_999_999;

/// What PyTorch writes besides actions, behind the number of a stage: for parameters that are gathered, let go, or whose gradients
/// are summed up, with the number of a microbatch or without, and for one side of a transfer, with the letter of a phase and the
/// microbatch. A table without transfers hands on each result as soon as it is there, and how a group is sharded is not said by
/// its table.
const OF_PARAMETERS: [&str; 3] = ["UNSHARD", "RESHARD", "REDUCE_GRAD"];
const OF_TRANSFERS: [&str; 2] = ["SEND_", "RECV_"];

/// What it writes behind two actions that may run at the same time.
const OVERLAP: &str = "OVERLAP_F_B";

impl Schedule {
    /// Reads a schedule.
    ///
    /// # Errors
    /// Every event that is not understood, at its place.
    pub fn from_text(text: &str) -> Result<Self, Diagnostics> {
        let mut rows = Vec::new();
        let mut wrong = Diagnostics::new();
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            if let Some(row) = read_row(line, start, &mut wrong) {
                rows.push(row);
            }
            start += line.len();
        }
        if wrong.is_empty() { Ok(Self { rows }) } else { Err(wrong) }
    }

    /// Reads a table that somebody gives, which may have letters of older tables.
    ///
    /// # Errors
    /// As of [`Schedule::from_text`].
    pub fn from_table(text: &str) -> Result<Self, Diagnostics> {
        Self::from_text(text).map(Self::in_letters_of_today)
    }

    /// The same table if it was written when PyTorch said `B` for the gradient of the input alone, and `BW` for both: where
    /// a stage makes the gradients of its parameters apart, what is called both is the other one.
    fn in_letters_of_today(mut self) -> Self {
        let actions = self.rows.iter().flatten().filter_map(|event| match event {
            Event::Action(action) if action.program.phase == Phase::WeightGradient => Some(*action),
            _ => None,
        });
        let apart: BTreeSet<(usize, Option<usize>)> =
            actions.map(|action| (action.program.stage, action.microbatch)).collect();
        for event in self.rows.iter_mut().flatten() {
            let Event::Action(Action { program, microbatch }) = event else { continue };
            if program.phase == Phase::Backward && apart.contains(&(program.stage, *microbatch)) {
                program.phase = Phase::InputGradient;
            }
        }
        self
    }

    /// Reads a schedule of which each row is a text of its own.
    ///
    /// # Errors
    /// The first row that is none, by its position, and why.
    pub fn from_rows(rows: &[impl AsRef<str>]) -> Result<Self, (usize, String)> {
        let row = |(index, text): (usize, &_)| {
            let text: &str = AsRef::as_ref(text);
            let mut read = Self::from_text(text).map_err(|found| (index, found[0].message.clone()))?.rows;
            if read.len() == 1 {
                Ok(read.remove(0))
            } else {
                Err((index, "this is not one row of events".to_owned()))
            }
        };
        Ok(Self { rows: rows.iter().enumerate().map(row).collect::<Result<_, _>>()? })
    }
}

impl FromStr for ProgramId {
    type Err = String;

    /// Reads `1F`, `0U1`. Errors: why it is none.
    fn from_str(text: &str) -> Result<Self, String> {
        // An action without its microbatch.
        let is_round = text.contains(Phase::Update(0).letter());
        let program = if is_round { action(text) } else { action(&format!("{text}0")) };
        let program = program.map(|action| action.program);
        program
            .ok()
            .filter(|program| program.to_string() == text)
            .ok_or_else(|| format!("`{text}` is no program: stage and phase are, such as `1F` or `0U1`"))
    }
}

/// The events of a line that begins at byte `start`, if it is a row.
fn read_row(line: &str, start: usize, wrong: &mut Diagnostics) -> Option<Vec<Event>> {
    let words = words(line, start)?;
    let mut row = Vec::new();
    for (span, word) in words {
        match event(word) {
            Ok(event) => row.push(event),
            Err(message) => wrong.push(Diagnostic::error(SCHEDULE, span, message).hint(FORM)),
        }
    }
    Some(row)
}

/// The places of all events, row by row.
pub fn places(text: &str) -> Vec<Vec<Span>> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').filter_map(|line| {
        let words = words(line, start);
        start += line.len();
        words
    });
    lines.map(|words| words.into_iter().map(|(span, _)| span).collect()).collect()
}

/// The words of a line that begins at byte `start` which are events, if it is a row.
fn words(line: &str, start: usize) -> Option<Vec<(Span, &str)>> {
    if line.trim().is_empty() || line.trim_start().starts_with("//") {
        return None;
    }
    let mut words = Vec::new();
    let mut at = start;
    for word in line.split(|letter: char| ",;()".contains(letter) || letter.is_whitespace()) {
        if !word.is_empty() && !is_passed_over(word) && line.trim() != "-" {
            words.push((Span::new(at, at + word.len()), word));
        }
        // Separators are one byte each, but for spaces that no keyboard has.
        let behind = line[at - start + word.len()..].chars().next();
        at += word.len() + behind.map_or(0, char::len_utf8);
    }
    Some(words)
}

/// Returns whether a whole word is one of those that PyTorch writes besides actions.
fn is_passed_over(word: &str) -> bool {
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let behind = word.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let of_parameters = || OF_PARAMETERS.iter().find_map(|name| behind.strip_prefix(name));
    let of_transfers = || OF_TRANSFERS.iter().find_map(|name| behind.strip_prefix(name));
    let is_side = |rest: &str| {
        let rest = rest.strip_prefix(|letter: char| "FBIW".contains(letter));
        rest.is_some_and(|rest| !rest.is_empty() && is_digits(rest))
    };
    match behind.len() < word.len() {
        true => of_parameters().is_some_and(is_digits) || of_transfers().is_some_and(is_side),
        false => word == OVERLAP,
    }
}

/// Reads one event. Errors: why it is none.
pub fn event(word: &str) -> Result<Event, String> {
    if word.contains(':') { transfer(word).map(Event::Transfer) } else { action(word).map(Event::Action) }
}

/// `2F0`.
fn action(word: &str) -> Result<Action, String> {
    let unknown = || format!("`{word}` is no event");
    let (at, letter) =
        word.char_indices().find(|(_, letter)| !letter.is_ascii_digit()).ok_or_else(unknown)?;
    let stage = number(&word[..at], "stage", word)?;
    let behind = &word[at + letter.len_utf8()..];
    let behind = behind.strip_prefix('W').filter(|_| letter == 'B').unwrap_or(behind);
    let behind = number(behind, "microbatch", word)?;
    let once = Phase::OF_POST_VALIDATION.into_iter().chain([Phase::Copies, Phase::Step]);
    let phases = Phase::OF_MICROBATCH.into_iter().chain([Phase::Update(behind)]).chain(once);
    let phase = phases.clone().find(|phase| phase.letter() == letter);
    let phase = phase.ok_or_else(|| format!("`{word}`: there is no phase `{letter}`"))?;
    if phase == Phase::Step && behind != 0 {
        return Err(format!("`{word}`: a whole step has no microbatches, so that it is written `{stage}S0`"));
    }
    let is_once = phase == Phase::Copies || Phase::OF_POST_VALIDATION.contains(&phase);
    if is_once && behind != 0 {
        return Err(format!(
            "`{word}`: this is done once in a step, so that it is written `{stage}{letter}0`"
        ));
    }
    let microbatch = phase.is_of_microbatch().then_some(behind);
    Ok(Action { program: ProgramId { stage, phase }, microbatch })
}

/// `h:0>1:2`.
fn transfer(word: &str) -> Result<Transfer, String> {
    let mut parts = word.split(':');
    let value = parts.next().unwrap_or_default();
    if !is_name(value) {
        return Err(format!("`{word}`: `{value}` is no name of a value"));
    }
    let groups = parts.next().and_then(|groups| groups.split_once('>'));
    let (source, target) = groups.ok_or_else(|| format!("`{word}` does not say between which groups"))?;
    let microbatch = parts.next().map(|text| number(text, "microbatch", word)).transpose()?;
    if parts.next().is_some() {
        return Err(format!("`{word}` has more parts than a transfer has"));
    }
    let (source, target) = (number(source, "group", word)?, number(target, "group", word)?);
    Ok(Transfer { value: value.to_owned(), microbatch, source, target })
}

fn number(text: &str, what: &str, word: &str) -> Result<usize, String> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    let found = text.parse().ok().filter(|number| digits && *number <= MOST);
    found.ok_or_else(|| match text {
        "" => format!("`{word}` lacks the number of its {what}"),
        _ if digits => format!("`{word}`: numbers of a {what} end at {MOST}"),
        text => format!("`{word}`: `{text}` is no number of a {what}"),
    })
}

/// Returns whether text may be the name of a value: letters, digits and `_.-[]`.
pub fn is_name(text: &str) -> bool {
    let is_inner = |letter: char| letter.is_alphanumeric() || "_.-[]".contains(letter);
    !text.is_empty() && text.chars().all(is_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;

    #[test]
    fn what_is_written_is_read_again() {
        let text = "0C0 0F0 h:0>1:0 0I0 0W0 norm:1>0 0U0 0U1\nh:0>1:0 1F0 1B0 norm:1>0\n-\n12S0\n";
        let schedule = Schedule::from_text(text).unwrap();
        assert_eq!(schedule.to_string(), text);
        assert_eq!(schedule.rows[0].len(), 8);
        assert!(schedule.rows[2].is_empty());
    }

    #[test]
    fn programs_are_stage_and_phase() {
        for text in ["1F", "0U1", "12B", "3C", "0S"] {
            assert_eq!(text.parse::<ProgramId>().unwrap().to_string(), text);
        }
        for text in ["F", "1", "1F0", "0U", "", "1F ", "01F"] {
            let error = text.parse::<ProgramId>().unwrap_err();
            assert!(error.starts_with(&format!("`{text}` is no program")), "{error}");
        }
    }

    #[test]
    fn tables_of_pytorch_are_read() {
        let schedule = Schedule::from_text("0F0,0F1,,,0B0,0B1\r\n,1F0,1F1,1B0,1B1\r\n\n// the end").unwrap();
        assert_eq!(schedule.to_string(), "0F0 0F1 0B0 0B1\n1F0 1F1 1B0 1B1\n");
        let old =
            Schedule::from_table("0F0,0SEND_F0,0F1,0RECV_B0,0BW0,0BW1\n1RECV_F0,1F0,1F1,1B0,1W0,1B1,1W1\n")
                .unwrap();
        let today = old.to_string();
        assert_eq!(today, "0F0 0F1 0B0 0B1\n1F0 1F1 1I0 1W0 1I1 1W1\n");
        let sharded = Schedule::from_text("0UNSHARD,0F0,0RESHARD,0UNSHARD,0B0,0REDUCE_GRAD\n").unwrap();
        assert_eq!(sharded.to_string(), "0F0 0B0\n");
        let pair = Schedule::from_text("0F6,(0F7;7B3)OVERLAP_F_B,7B4\n").unwrap();
        assert_eq!(pair.to_string(), "0F6 0F7 7B3 7B4\n");
    }

    #[test]
    fn each_wrong_event_has_its_place() {
        let text = "0F0 0X0 1F\nF0, 0S1 h:0:1\n ä:0>x h!:0>1 h:0>1:2:3 0F0x";
        let source = Source::new("schedule", text);
        let found = Schedule::from_text(text).unwrap_err();
        let found: Vec<String> = found
            .iter()
            .map(|wrong| {
                let place = source.place(wrong.span);
                format!("{}:{} {}", place.line, place.column, wrong.message)
            })
            .collect();
        assert_eq!(
            found,
            [
                "1:5 `0X0`: there is no phase `X`",
                "1:9 `1F` lacks the number of its microbatch",
                "2:1 `F0` lacks the number of its stage",
                "2:5 `0S1`: a whole step has no microbatches, so that it is written `0S0`",
                "2:9 `h:0:1` does not say between which groups",
                "3:2 `ä:0>x`: `x` is no number of a group",
                "3:8 `h!:0>1`: `h!` is no name of a value",
                "3:15 `h:0>1:2:3` has more parts than a transfer has",
                "3:25 `0F0x`: `0x` is no number of a microbatch",
            ]
        );
        // Words of PyTorch are passed over where they are whole.
        for text in ["0F0RESHARD", "0F0SEND_F0", "UNSHARD", "0SEND_", "0RECV_F", "OVERLAP_F_B0", "0UNSHARDED"]
        {
            assert!(Schedule::from_text(text).is_err(), "{text}");
        }
        for text in
            ["18446744073709551615F0", "0F18446744073709551615", "0U18446744073709551615", "0F1000000000"]
        {
            let found = Schedule::from_text(text).unwrap_err();
            assert!(found[0].message.ends_with(" end at 999999999"), "{}", found[0].message);
        }
    }
}
