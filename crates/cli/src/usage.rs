//! The command line as given: parsed, shown as help, or refused. A refusal is a diagnostic like any other, so that
//! `--json` and `--diagnostics` hold for it too.

use crate::args::{Arguments, Style};
use crate::failure::USAGE;
use clap::{Command, CommandFactory, FromArgMatches, ValueEnum};
use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_present::diagnostics::render;
use std::ffi::OsString;
use std::io::Write;

/// The arguments of a command line; or, help and refusals having been written, the exit code.
pub(crate) fn parse(given: &[OsString]) -> Result<Arguments, u8> {
    let parsed = command().try_get_matches_from(given).and_then(|found| Arguments::from_arg_matches(&found));
    parsed.map_err(|error| {
        let style = style(given);
        // There is nobody left to tell if writing fails.
        if !error.use_stderr() {
            let _ = error.print();
            return 0;
        }
        if style == Style::Human {
            let _ = error.print();
        } else {
            let text = render(&diagnostic(&error.render().to_string()), None, style.into(), false);
            let _ = std::io::stderr().write_all(text.as_bytes());
        }
        2
    })
}

/// What is wrong with a command line that another program will give.
pub(crate) fn refusal<'a>(words: impl Iterator<Item = &'a str>) -> Option<Diagnostic> {
    let error = command().try_get_matches_from(words).err().filter(|error| error.use_stderr())?;
    Some(diagnostic(&error.render().to_string()))
}

/// The commands, with the stages of each in its help.
fn command() -> Command {
    let stages: [(&str, Vec<&str>); 5] = [
        ("check", meshwright_compile::stages()),
        ("plan", meshwright_compile::stages()),
        ("compile", meshwright_compile::stages()),
        ("propagate", meshwright_compile::stages_of_propagate()),
        ("partition", meshwright_compile::stages_of_partition()),
    ];
    stages.into_iter().fold(Arguments::command(), |command, (name, stages)| {
        command.mut_subcommand(name, |command| {
            command.mut_arg("stop_after", |argument| {
                argument.help(format!("Stop after a stage [stages: {}]", stages.join(", ")))
            })
        })
    })
}

/// How the command line wants diagnostics written, even if the rest of it cannot be parsed.
fn style(given: &[OsString]) -> Style {
    let words: Vec<&str> =
        given.iter().filter_map(|word| word.to_str()).take_while(|word| *word != "--").collect();
    let named = words.iter().enumerate().find_map(|(position, word)| {
        let value = match word.strip_prefix("--diagnostics")? {
            "" => words.get(position + 1)?,
            rest => rest.strip_prefix('=')?,
        };
        Style::from_str(value, false).ok()
    });
    let default = if words.contains(&"--json") { Style::Json } else { Style::Human };
    named.unwrap_or(default)
}

/// The parser's words as a diagnostic: its first paragraph is what is wrong, its tips and usage are hints.
fn diagnostic(text: &str) -> Diagnostic {
    let mut paragraphs = text.split("\n\n").map(|paragraph| {
        let lines: Vec<&str> = paragraph.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        lines.join(" ")
    });
    let first = paragraphs.next().unwrap_or_default();
    let message = first.strip_prefix("error: ").unwrap_or(&first).trim_end_matches('.');
    let mut diagnostic = Diagnostic::error(USAGE, Span::NONE, message);
    diagnostic.hints = paragraphs
        .filter(|paragraph| !paragraph.is_empty())
        .map(|paragraph| paragraph.strip_prefix("tip: ").unwrap_or(&paragraph).to_owned())
        .collect();
    diagnostic
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_is_well_defined() {
        command().debug_assert();
    }

    #[test]
    fn the_style_is_found_in_what_does_not_parse() {
        let style_of = |line: &str| style(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(style_of("meshwright plan --nonsense"), Style::Human);
        assert_eq!(style_of("meshwright plan --nonsense --json"), Style::Json);
        assert_eq!(style_of("meshwright plan --json --diagnostics short"), Style::Short);
        assert_eq!(style_of("meshwright --diagnostics=json plan"), Style::Json);
        assert_eq!(style_of("meshwright plan -- --json"), Style::Human);
    }

    #[test]
    fn the_parsers_words_become_message_and_hints() {
        let text = "error: the following required arguments were not provided:\n  <MODEL>\n\n  tip: give it\n\n\
                    Usage: meshwright plan <MODEL>\n\nFor more information, try '--help'.\n";
        let found = diagnostic(text);
        assert_eq!(found.message, "the following required arguments were not provided: <MODEL>");
        assert_eq!(
            found.hints,
            ["give it", "Usage: meshwright plan <MODEL>", "For more information, try '--help'."]
        );
    }
}
