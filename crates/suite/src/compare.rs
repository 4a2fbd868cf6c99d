//! Compares what a stage made with what the file expects: output line by line, diagnostics one by one and in order.
//!
//! Input: a [`FileTest`] and an [`Outcome`]; output: nothing, or the differences as text for a person.

use crate::file::{ExpectedFinding, FileTest, Finding, Outcome, output_lines};

/// Unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// Difference between an outcome and what the file expects; none if there is none.
pub fn difference(test: &FileTest, outcome: &Outcome) -> Option<String> {
    let mut text = String::new();
    let output: Vec<&str> = output_lines(&outcome.output).collect();
    if output != test.output {
        let expected: Vec<&str> = test.output.iter().map(String::as_str).collect();
        text.push_str("output (-expected +actual):\n");
        text.push_str(&changed_lines(&expected, &output));
    }
    let met = test.findings.len() == outcome.findings.len()
        && test.findings.iter().zip(&outcome.findings).all(|(expected, found)| meets(found, expected));
    if !met {
        text.push_str("diagnostics (-expected +actual):\n");
        for expected in &test.findings {
            text.push_str(&format!("-{}\n", place(&expected.check, expected.line, &expected.message)));
        }
        for found in &outcome.findings {
            text.push_str(&format!("+{}\n", place(&found.check, found.line, &found.message)));
        }
    }
    (!text.is_empty()).then_some(text)
}

/// An expectation without a line or a message is met by any.
fn meets(found: &Finding, expected: &ExpectedFinding) -> bool {
    found.check == expected.check
        && (expected.line.is_none() || expected.line == found.line)
        && found.message.replace('\n', " ").contains(&expected.message)
}

fn place(check: &str, line: Option<usize>, message: &str) -> String {
    let line = line.map_or_else(String::new, |line| format!(" @{line}"));
    format!("{check}{line}: {message}")
}

/// The region between the first and the last changed line, with some context.
fn changed_lines(expected: &[&str], actual: &[&str]) -> String {
    let shorter = expected.len().min(actual.len());
    let before = (0..shorter).take_while(|&i| expected[i] == actual[i]).count();
    let after = (0..shorter - before)
        .take_while(|&i| expected[expected.len() - 1 - i] == actual[actual.len() - 1 - i])
        .count();
    let mut text = String::new();
    let mut push = |sign: char, lines: &[&str]| {
        for line in lines {
            text.push_str(&format!("{sign}{line}\n"));
        }
    };
    push(' ', &expected[before.saturating_sub(CONTEXT)..before]);
    push('-', &expected[before..expected.len() - after]);
    push('+', &actual[before..actual.len() - after]);
    push(' ', &expected[expected.len() - after..(expected.len() - after + CONTEXT).min(expected.len())]);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(expectations: &str) -> FileTest {
        FileTest::parse("x", &format!("// test: a\n{expectations}")).unwrap()
    }

    #[test]
    fn only_changed_lines_are_shown() {
        let expected = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let actual = ["1", "2", "3", "4", "five", "6", "7", "8", "9"];
        assert_eq!(changed_lines(&expected, &actual), " 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
        assert_eq!(changed_lines(&["a", "a"], &["a"]), " a\n-a\n");
        assert_eq!(changed_lines(&[], &["a"]), "+a\n");
    }

    #[test]
    fn missing_and_additional_output_differ() {
        assert_eq!(difference(&test("// expect: x\n"), &Outcome::output("x\n")), None);
        assert!(difference(&test("// expect: x\n"), &Outcome::default()).is_some());
        assert!(difference(&test(""), &Outcome::output("x")).is_some());
    }

    #[test]
    fn diagnostics_are_compared_as_far_as_the_file_says() {
        let found =
            Finding { check: "bad-rank".to_owned(), line: Some(4), message: "rank 2 of 3".to_owned() };
        let outcome = Outcome::findings(vec![found]);
        for met in ["bad-rank", "bad-rank @4", "bad-rank: rank 2", "bad-rank @4: of 3"] {
            assert_eq!(difference(&test(&format!("// error: {met}\n")), &outcome), None, "{met}");
        }
        for unmet in ["bad-type", "bad-rank @5", "bad-rank: rank 4"] {
            assert!(difference(&test(&format!("// error: {unmet}\n")), &outcome).is_some(), "{unmet}");
        }
        assert!(difference(&test("// expect: x\n"), &outcome).is_some(), "no error is expected");
        assert!(
            difference(&test("// error: bad-rank\n"), &Outcome::default()).is_some(),
            "an error is expected"
        );
    }
}
