//! One file test as text: reads its comments, and writes new expectations into it.
//!
//! - The first line is `// test: <stage>`, followed by options `name=value` or `name`.
//! - Then comes the program, up to the first line that is an expectation. Comments in it are the program's own.
//! - `// expect: <line>` is one line of the expected output; a bare `// expect:` starts a block, in which every
//!   following comment line is one line of output, without its `// `.
//! - `// error: <check>`, or `// error: <check> @<line>`, is one expected diagnostic; text after a second colon,
//!   as in `// error: unknown-op @4: text`, must be part of its message.
//!
//! The stage gets the file up to the first expectation as it stands, so that lines in diagnostics are lines of the
//! file.

use std::collections::BTreeMap;

/// Input of a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// The file's name below the suite's folder, such as `ops/dot.mlir`.
    pub name: String,
    /// The file's text up to the first expectation.
    pub text: String,
    /// The options of the `// test:` line; an option without a value is empty.
    pub options: BTreeMap<String, String>,
}

impl Input {
    /// The value of an option, if the file gives it.
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.get(name).map(String::as_str)
    }
}

/// A diagnostic, reduced to what a file test can expect of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The stable name of the check that raised it.
    pub check: String,
    /// Its 1-based line in the file; none if it concerns the whole program.
    pub line: Option<usize>,
    /// Its message.
    pub message: String,
}

/// Outcome of a stage: text, diagnostics, or both.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Outcome {
    /// The output as lines; empty if there is none.
    pub output: String,
    /// The diagnostics, in the order the stage reported them.
    pub findings: Vec<Finding>,
}

impl Outcome {
    /// Output and no diagnostics.
    pub fn output(output: impl Into<String>) -> Self {
        Self { output: output.into(), findings: Vec::new() }
    }

    /// Diagnostics and no output.
    pub fn findings(findings: Vec<Finding>) -> Self {
        Self { output: String::new(), findings }
    }
}

/// A diagnostic that a file expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedFinding {
    /// The check's name.
    pub check: String,
    /// The line it must be at, if the file says so.
    pub line: Option<usize>,
    /// What its message must hold; empty if the file does not say.
    pub message: String,
}

/// A file test, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTest {
    /// The stage that the file names.
    pub stage: String,
    /// What the stage is given.
    pub input: Input,
    /// The expected output's lines.
    pub output: Vec<String>,
    /// The expected diagnostics.
    pub findings: Vec<ExpectedFinding>,
}

impl FileTest {
    /// Takes a file apart; the error says which line is not understood.
    pub fn parse(name: &str, text: &str) -> Result<Self, String> {
        let lines: Vec<&str> = text.lines().collect();
        let header = lines.first().copied().unwrap_or_default();
        let header = header
            .strip_prefix("// test:")
            .ok_or_else(|| "the first line must be `// test: <stage>`".to_owned())?;
        let mut words = header.split_whitespace();
        let stage = words.next().ok_or_else(|| "`// test:` names no stage".to_owned())?.to_owned();
        let mut options = BTreeMap::new();
        for word in words {
            let (option, value) = word.split_once('=').unwrap_or((word, ""));
            if options.insert(option.to_owned(), value.to_owned()).is_some() {
                return Err(format!("option `{option}` is given twice"));
            }
        }

        let end = lines.iter().position(|line| is_expectation(line)).unwrap_or(lines.len());
        let program: String = lines[..end].iter().flat_map(|line| [line, "\n"]).collect();
        let mut test = Self {
            stage,
            input: Input { name: name.to_owned(), text: program, options },
            output: Vec::new(),
            findings: Vec::new(),
        };
        let mut in_block = false;
        for (index, line) in lines.iter().enumerate().skip(end) {
            if let Some(rest) = line.strip_prefix("// expect:") {
                in_block = rest.trim().is_empty();
                if !in_block {
                    test.output.push(rest.trim().to_owned());
                }
            } else if let Some(rest) = line.strip_prefix("// error:") {
                in_block = false;
                test.findings.push(
                    ExpectedFinding::parse(rest)
                        .map_err(|problem| format!("line {}: {problem}", index + 1))?,
                );
            } else if let Some(rest) = line.strip_prefix("//").filter(|_| in_block) {
                test.output.push(rest.strip_prefix(' ').unwrap_or(rest).trim_end().to_owned());
            } else if !line.trim().is_empty() {
                return Err(format!("line {}: expectations must be the end of the file", index + 1));
            }
        }
        Ok(test)
    }

    /// The file's text with expectations that an outcome meets.
    pub fn bless(&self, outcome: &Outcome) -> String {
        let mut text = self.input.text.clone();
        let output: Vec<&str> = output_lines(&outcome.output).collect();
        match output.as_slice() {
            [] => {}
            // A single line fits behind the word, unless reading it back would strip it or take it for a block.
            [line] if !line.is_empty() && line.trim() == *line => {
                text.push_str(&format!("// expect: {line}\n"))
            }
            lines => {
                text.push_str("// expect:\n");
                for line in lines {
                    text.push_str(format!("// {line}").trim_end());
                    text.push('\n');
                }
            }
        }
        for finding in &outcome.findings {
            let line = finding.line.map_or_else(String::new, |line| format!(" @{line}"));
            text.push_str(&format!(
                "// error: {}{line}: {}\n",
                finding.check,
                finding.message.replace('\n', " ")
            ));
        }
        text
    }
}

impl ExpectedFinding {
    /// Reads what follows `// error:`.
    fn parse(text: &str) -> Result<Self, String> {
        let (place, message) = text.split_once(": ").unwrap_or((text, ""));
        let mut words = place.split_whitespace();
        let check = words.next().ok_or_else(|| "`// error:` names no check".to_owned())?.to_owned();
        let line = match words.next() {
            None => None,
            Some(word) => Some(
                word.strip_prefix('@')
                    .and_then(|number| number.parse().ok())
                    .ok_or_else(|| format!("expected `@<line>`, found `{word}`"))?,
            ),
        };
        match words.next() {
            Some(word) => Err(format!("unexpected `{word}`; a message follows a colon")),
            None => Ok(Self { check, line, message: message.trim().to_owned() }),
        }
    }
}

/// The lines of an output, without the white space at their ends, which a comment cannot hold.
pub fn output_lines(output: &str) -> impl Iterator<Item = &str> {
    output.trim_end().lines().map(str::trim_end)
}

fn is_expectation(line: &str) -> bool {
    line.starts_with("// expect:") || line.starts_with("// error:")
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "// test: propagate mesh=2x4 fast\n// Why.\nop\n\n// expect: a\n// expect:\n// b\n//   c\n//\n// d\n// error: bad-rank @3: rank 2\n";

    #[test]
    fn takes_a_file_apart() {
        let test = FileTest::parse("x/y.mlir", FILE).unwrap();
        assert_eq!(test.stage, "propagate");
        assert_eq!(test.input.option("mesh"), Some("2x4"));
        assert_eq!(test.input.option("fast"), Some(""));
        assert_eq!(test.input.option("slow"), None);
        assert_eq!(test.input.text, "// test: propagate mesh=2x4 fast\n// Why.\nop\n\n");
        assert_eq!(test.output, ["a", "b", "  c", "", "d"]);
        let finding =
            ExpectedFinding { check: "bad-rank".to_owned(), line: Some(3), message: "rank 2".to_owned() };
        assert_eq!(test.findings, [finding]);
    }

    #[test]
    fn says_what_is_wrong_with_a_file() {
        let problem = |text: &str| FileTest::parse("x", text).unwrap_err();
        assert!(problem("").contains("first line"));
        assert!(problem("op\n").contains("first line"));
        assert!(problem("// test:\n").contains("names no stage"));
        assert!(problem("// test: a b=1 b=2\n").contains("twice"));
        assert!(problem("// test: a\n// expect: x\nop\n").contains("line 3"));
        assert!(problem("// test: a\n// error:\n").contains("names no check"));
        assert!(problem("// test: a\n// error: x 4\n").contains("@<line>"));
        assert!(problem("// test: a\n// error: x @4 text\n").contains("colon"));
    }

    #[test]
    fn a_blessed_file_expects_what_it_was_blessed_with() {
        let test = FileTest::parse("x", FILE).unwrap();
        for output in ["", "one", " indented", "one\n\n  two\n", "\nafter an empty line"] {
            let outcome = Outcome {
                output: output.to_owned(),
                findings: vec![
                    Finding { check: "a".to_owned(), line: Some(7), message: "b: c\nd".to_owned() },
                    Finding { check: "e".to_owned(), line: None, message: "f".to_owned() },
                ],
            };
            let blessed = FileTest::parse("x", &test.bless(&outcome)).unwrap();
            assert_eq!(blessed.input, test.input);
            assert_eq!(blessed.output, output_lines(output).collect::<Vec<_>>());
            assert_eq!(crate::compare::difference(&blessed, &outcome), None, "{output:?}");
        }
    }
}
