//! Renders diagnostics for people, for editors and for programs.
//!
//! ```text
//! error[sharding]: axis "model" is used twice in one sharding
//!   --> step.mlir:3:24
//!    |
//!  3 |   func.func @main(%a: tensor<8x4xf32> {sdy.sharding = ...
//!    |                   ^^
//!    = hint: a mesh axis can shard only one dim of a tensor
//! ```

use meshwright_ir::diagnostic::{Check, Diagnostic, Severity, Source, Span};
use meshwright_machine::MachineError;
use serde::Serialize;
use std::fmt::Write;

/// Styles in which diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// With the source line and a caret.
    Human,
    /// One line each.
    Short,
    /// One JSON object per line.
    Json,
}

/// How many diagnostics people are shown; those behind are often due to the first.
const MOST_SHOWN: usize = 20;

/// Most characters of a source line that are shown: the lines of a training step can have thousands.
const SHOWN: usize = 100;

/// Most characters shown before the place that a diagnostic is about.
const SHOWN_BEFORE: usize = 40;

/// Diagnostic of an error in a machine; its place is in the machine's file.
pub fn of_machine(error: MachineError, check: Check) -> Diagnostic {
    let place = error.position.map(|at| Span::new(at.span.start, at.span.end.max(at.span.start + 1)));
    let diagnostic = Diagnostic::error(check, place.unwrap_or(Span::NONE), error.message);
    Diagnostic { hints: error.hints, ..diagnostic }
}

/// The text of several diagnostics, each with what its span refers to. People are shown the first of many, and how
/// many there are; `all` is how to see the others.
pub fn render_all(
    findings: &[(&Diagnostic, Option<&Source>)],
    style: Style,
    colored: bool,
    all: &str,
) -> String {
    let mut text = String::new();
    let shown = if style == Style::Human { findings.len().min(MOST_SHOWN) } else { findings.len() };
    for (diagnostic, source) in &findings[..shown] {
        text.push_str(&render(diagnostic, *source, style, colored));
    }
    if style == Style::Human && findings.len() > 1 {
        let is_warning = |(diagnostic, _): &(&Diagnostic, _)| diagnostic.severity == Severity::Warning;
        let what = if findings.iter().all(is_warning) { "warnings" } else { "problems" };
        let rest = match findings.len() - shown {
            0 => String::new(),
            more => format!(", {more} of them not shown here; {all}"),
        };
        let _ = writeln!(text, "{} {what}{rest}", findings.len());
    }
    text
}

/// The text of one diagnostic with its final newline. `source` is what its span refers to.
pub fn render(diagnostic: &Diagnostic, source: Option<&Source>, style: Style, colored: bool) -> String {
    match style {
        Style::Human => human(diagnostic, source, colored),
        Style::Short => short(diagnostic, source),
        Style::Json => json(diagnostic, source),
    }
}

fn human(diagnostic: &Diagnostic, source: Option<&Source>, colored: bool) -> String {
    let color = match diagnostic.severity {
        Severity::Error => "\x1b[1;31m",
        Severity::Warning => "\x1b[1;33m",
    };
    let (start, end) = if colored { (color, "\x1b[0m") } else { ("", "") };
    let Diagnostic { check, severity, span, message, hints } = diagnostic;
    let mut out = format!("{start}{severity}[{}]{end}: {message}\n", check.0);
    let mut gutter = String::new();
    match source {
        Some(source) if span.is_some() => {
            let place = source.place(*span);
            gutter = " ".repeat(place.line.to_string().len());
            let length = source.snippet(*span).split('\n').next().map_or(1, |text| text.chars().count());
            let (text, before) = window(place.text, place.at);
            let carets = length.clamp(1, text.chars().count().saturating_sub(before).max(1));
            let _ = writeln!(out, "{gutter}--> {}:{}:{}", source.name, place.line, place.column);
            let _ = writeln!(out, "{gutter} |");
            let _ = writeln!(out, "{} | {text}", place.line);
            let _ = writeln!(out, "{gutter} | {}{start}{}{end}", " ".repeat(before), "^".repeat(carets));
        }
        Some(source) => {
            let _ = writeln!(out, "--> {}", source.name);
        }
        None => {}
    }
    for hint in hints {
        let _ = writeln!(out, "{gutter} = hint: {hint}");
    }
    out
}

/// The part of a line around a byte, and its column there. Tabs become spaces, so that the caret stands right. Of a
/// long line no more is read than is shown.
fn window(line: &str, at: usize) -> (String, usize) {
    let (before, behind) = line.split_at_checked(at).unwrap_or((line, ""));
    let mut head: Vec<char> = before.chars().rev().take(SHOWN + 1).collect();
    head.reverse();
    let mut tail: Vec<char> = behind.chars().take(SHOWN + 1).collect();
    let (mut left, mut right) = ("", "");
    if head.len() + tail.len() > SHOWN {
        if head.len() > SHOWN_BEFORE + 3 {
            head.drain(..head.len() - SHOWN_BEFORE);
            left = "...";
        }
        if tail.len() > SHOWN - head.len() {
            tail.truncate(SHOWN - head.len());
            right = "...";
        }
    }
    let column = left.len() + head.len();
    let shown = head.into_iter().chain(tail).map(|c| if c.is_control() { ' ' } else { c });
    (format!("{left}{}{right}", shown.collect::<String>()), column)
}

fn short(diagnostic: &Diagnostic, source: Option<&Source>) -> String {
    let Diagnostic { check, severity, span, message, .. } = diagnostic;
    let place = match source {
        Some(source) if span.is_some() => format!("{}: ", source.locate(*span)),
        Some(source) => format!("{}: ", source.name),
        None => String::new(),
    };
    format!("{place}{severity}[{}]: {message}\n", check.0)
}

/// A diagnostic as programs read it.
#[derive(Serialize)]
struct Record<'a> {
    severity: String,
    check: &'a str,
    message: &'a str,
    hints: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

fn json(diagnostic: &Diagnostic, source: Option<&Source>) -> String {
    let place = source.filter(|_| diagnostic.span.is_some()).map(|source| source.place(diagnostic.span));
    let record = Record {
        severity: diagnostic.severity.to_string(),
        check: diagnostic.check.0,
        message: &diagnostic.message,
        hints: &diagnostic.hints,
        file: source.map(|source| source.name.as_str()),
        line: place.as_ref().map(|place| place.line),
        column: place.as_ref().map(|place| place.column),
    };
    let mut text = serde_json::to_string(&record).expect("plain data has a JSON form");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(start: usize, end: usize) -> Diagnostic {
        Diagnostic::error(Check("check"), Span::new(start, end), "it is wrong").hint("make it right")
    }

    #[test]
    fn people_see_the_line_and_a_caret() {
        let source = Source::new("a.mlir", "one\ntwo wrong\nthree");
        let text = render(&diagnostic(8, 13), Some(&source), Style::Human, false);
        assert_eq!(
            text,
            "error[check]: it is wrong\n --> a.mlir:2:5\n  |\n2 | two wrong\n  |     ^^^^^\n  = hint: make it right\n"
        );
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let line = format!("{}wrong{}", "a".repeat(500), "b".repeat(500));
        let source = Source::new("a.mlir", line);
        let text = render(&diagnostic(500, 505), Some(&source), Style::Human, false);
        let lines: Vec<&str> = text.lines().collect();
        let (shown, carets) = (lines[3], lines[4]);
        assert!(shown.len() < 120 && shown.ends_with("..."), "{shown}");
        assert_eq!(&shown[carets.find('^').unwrap()..][..5], "wrong");
        assert_eq!(carets.matches('^').count(), 5);
    }

    #[test]
    fn editors_and_programs_get_one_line() {
        let source = Source::new("a.mlir", "one\ntwo");
        let short = render(&diagnostic(4, 7), Some(&source), Style::Short, false);
        assert_eq!(short, "a.mlir:2:1: error[check]: it is wrong\n");
        let json = render(&diagnostic(4, 7), Some(&source), Style::Json, false);
        assert_eq!(
            json,
            "{\"severity\":\"error\",\"check\":\"check\",\"message\":\"it is wrong\",\"hints\":[\"make it right\"],\
             \"file\":\"a.mlir\",\"line\":2,\"column\":1}\n"
        );
    }

    #[test]
    fn a_place_past_the_end_is_the_end() {
        let source = Source::new("a.mlir", "one");
        for style in [Style::Human, Style::Short, Style::Json] {
            assert!(render(&diagnostic(3, 4), Some(&source), style, false).contains("it is wrong"));
            assert!(render(&diagnostic(70, 90), Some(&source), style, true).contains("it is wrong"));
        }
    }
}
