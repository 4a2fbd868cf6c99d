//! The rules for source files that no other tool checks: at most 600 lines, a module comment first, no `utils` (a file
//! is named after what it holds), and the words. A public item's summary begins with a noun or a verb, not with a
//! clause ("Kinds of content.", not "What memory is taken by."), and the identifiers that `docs/glossary.md` says not to
//! use are not used. No test is left out: a file of tests beside a `main.rs` is one of its modules, and a crate of which
//! `Cargo.toml` says `test = false` or `doctest = false` has no unit tests, or no examples that run. Input: the source
//! folders and the glossary; output: every violation, or none.

use std::fs;
use std::path::{Path, PathBuf};

/// A longer file is more than one thing.
const MOST_LINES: usize = 600;

/// Folders that hold sources, below the repository's root.
const FOLDERS: [&str; 6] = ["crates", "python", "xtask", "tests", "bench", "examples"];

/// The folder to whose Rust files the rules for words apply.
const WORDED: &str = "crates";

/// The page of terms, below the repository's root. Its last table is the list of words not to use.
const GLOSSARY: &str = "docs/glossary.md";

/// The head of that table.
const BANNED_HEAD: &str = "| say | not |";

/// Words with which a clause begins.
const CLAUSES: [&str; 8] = ["What", "Who", "How", "Where", "Which", "Why", "When", "Whether"];

/// Words that an item may have before its kind.
const QUALIFIERS: [&str; 3] = ["const", "unsafe", "async"];

/// Kinds of items whose summaries are checked; `const` is also one.
const ITEMS: [&str; 7] = ["fn", "struct", "enum", "trait", "type", "static", "mod"];

/// The line of a manifest by which unit tests are not built.
const NO_TESTS: &str = "test = false";

/// The line of a manifest by which examples in comments are not run.
const NO_EXAMPLES: &str = "doctest = false";

/// What may stand behind the backticks of an example that runs.
const RUNS: [&str; 4] = ["", "rust", "should_panic", "no_run"];

/// An identifier not to use, and what to say instead.
#[derive(Debug, PartialEq, Eq)]
struct Banned {
    word: String,
    instead: String,
}

/// Reports each source file that breaks a rule.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let banned = banned(&read(&root.join(GLOSSARY))?);
    if banned.is_empty() {
        return Err(format!("{GLOSSARY} has no table `{BANNED_HEAD}` with identifiers in backticks"));
    }
    let mut violations = Vec::new();
    let files = all(root)?;
    for file in &files {
        let text = read(file)?;
        let name = file.strip_prefix(root).unwrap_or(file);
        let mut rules = broken_rules(name, &text);
        if name.starts_with(WORDED) && name.extension().is_some_and(|extension| extension == "rs") {
            rules.extend(clauses(&text));
            rules.extend(banned_words(&text, &banned));
        }
        let kinds = [("tests", has_tests(&text), NO_TESTS), ("examples", has_examples(&text), NO_EXAMPLES)];
        for (kind, _, setting) in kinds.into_iter().filter(|(_, has, _)| *has && in_library(name)) {
            let manifest = name.iter().take(2).collect::<PathBuf>().join("Cargo.toml");
            if read(&root.join(&manifest))?.lines().any(|line| line == setting) {
                rules.push(format!("has {kind}, and `{setting}` in {} leaves them out", manifest.display()));
            }
        }
        if let Some(folder) = folder_of_tests(name) {
            let modules = files.iter().filter_map(|other| {
                let other = other.strip_prefix(root).unwrap_or(other);
                (other != name && other.parent() == Some(folder))
                    .then(|| other.file_stem()?.to_str())
                    .flatten()
            });
            rules.extend(left_out(modules, &text));
        }
        violations.extend(rules.into_iter().map(|rule| format!("{}: {rule}", name.display())));
    }
    if violations.is_empty() { Ok(()) } else { Err(violations.join("\nxtask: ")) }
}

/// All source files, in order.
pub(crate) fn all(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        collect(&root.join(folder), &mut files)?;
    }
    files.sort();
    Ok(files)
}

fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
}

/// The rules for any source that one file breaks.
fn broken_rules(name: &Path, text: &str) -> Vec<String> {
    let mut broken = Vec::new();
    let lines = text.lines().count();
    if lines > MOST_LINES {
        broken.push(format!("{lines} lines, more than {MOST_LINES}; split it by what it does"));
    }
    let stem = name.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    if ["util", "utils"].contains(&stem) {
        broken.push("name the file after what it holds".to_owned());
    }
    let first = text.lines().find(|line| !line.starts_with("#!")).unwrap_or_default();
    let comment = if name.extension().is_some_and(|extension| extension == "py") { "\"\"\"" } else { "//!" };
    if !first.starts_with(comment) {
        broken.push(format!("does not start with a `{comment}` comment that says what it does"));
    }
    broken
}

/// Whether a file is of a crate's library or program: `crates/NAME/src/...`.
fn in_library(name: &Path) -> bool {
    name.starts_with(WORDED) && name.iter().nth(2).is_some_and(|folder| folder == "src")
}

/// Whether the comments of a file have examples that `cargo test` runs.
fn has_examples(text: &str) -> bool {
    let comments = text.lines().filter_map(|line| {
        let line = line.trim_start();
        line.strip_prefix("///").or_else(|| line.strip_prefix("//!"))
    });
    // Every other fence closes a block.
    let mut fences = comments.filter_map(|comment| comment.trim_start().strip_prefix("```")).step_by(2);
    fences.any(|kind| RUNS.contains(&kind.trim()))
}

/// Whether a file has unit tests.
fn has_tests(text: &str) -> bool {
    text.lines().any(|line| line.trim_start() == "#[test]")
}

/// The folder of a `main.rs` that is one program of tests.
fn folder_of_tests(name: &Path) -> Option<&Path> {
    let folder = name.parent()?;
    (name.ends_with("main.rs") && folder.parent()?.ends_with("tests")).then_some(folder)
}

/// The files beside a `main.rs` that it does not name.
fn left_out<'a>(modules: impl Iterator<Item = &'a str>, main: &str) -> Vec<String> {
    let left_out = modules.filter(|module| !main.lines().any(|line| line == format!("mod {module};")));
    left_out
        .map(|module| format!("`mod {module};` is missing; the tests of {module}.rs would not run"))
        .collect()
}

/// The summaries of public items that begin with a clause.
fn clauses(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    // The first line of the comment that is open, with its number.
    let mut summary: Option<(usize, &str)> = None;
    // Square brackets that are open in an attribute between a comment and its item.
    let mut open = 0_isize;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start();
        if open > 0 || line.starts_with("#[") {
            open += brackets(line);
        } else if let Some(comment) = line.strip_prefix("///") {
            summary = summary.or(Some((index + 1, comment.trim_start())));
        } else {
            if let Some((number, first)) = summary.take()
                && is_public_item(line)
                && let Some(word) = CLAUSES.into_iter().find(|word| begins_with(first, word))
            {
                found.push(format!(
                    "line {number}: the summary begins with \"{word}\"; begin with the noun or the verb of what the \
                     item is or does"
                ));
            }
        }
    }
    found
}

/// Square brackets that a line opens, less those that it closes.
fn brackets(line: &str) -> isize {
    line.chars().map(|letter| isize::from(letter == '[') - isize::from(letter == ']')).sum()
}

/// Returns whether a line begins an item that other crates see.
fn is_public_item(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("pub ") else { return false };
    let mut words = rest.split_whitespace().skip_while(|word| QUALIFIERS.contains(word));
    // `pub const X` is an item, though `const` may also stand before `fn`.
    words.next().is_some_and(|word| ITEMS.contains(&word)) || rest.starts_with("const ")
}

fn begins_with(text: &str, word: &str) -> bool {
    text.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_of_word))
}

/// The identifiers of a text that the glossary says not to use, each at its first line.
fn banned_words(text: &str, banned: &[Banned]) -> Vec<String> {
    let mut found = Vec::new();
    for Banned { word, instead } in banned {
        let uses_it = |line: &str| line.split(|letter| !is_of_word(letter)).any(|other| other == word);
        if let Some(line) = text.lines().position(uses_it) {
            found.push(format!("line {}: `{word}` is not a word of the field; say {instead}", line + 1));
        }
    }
    found
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The table of words not to use. In a row `| sharder | `Spreader`, spread |`, identifiers are those in backticks; the
/// other words are for people.
fn banned(glossary: &str) -> Vec<Banned> {
    let table = glossary.lines().skip_while(|line| !line.starts_with(BANNED_HEAD)).skip(2);
    let mut banned = Vec::new();
    for row in table.take_while(|line| line.starts_with('|')) {
        let mut cells = row.trim_matches('|').split('|').map(str::trim);
        let (Some(instead), Some(not)) = (cells.next(), cells.next()) else { continue };
        let words = not.split('`').skip(1).step_by(2);
        banned.extend(words.map(|word| Banned { word: word.to_owned(), instead: instead.to_owned() }));
    }
    banned
}

/// Adds the Rust and Python files below a folder; build outputs and environments are not sources.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    if !folder.exists() {
        return Ok(());
    }
    let failed = |error| format!("cannot list {}: {error}", folder.display());
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            let name = path.file_name().unwrap_or_default();
            if name != "target" && name != "__pycache__" && name != ".venv" {
                collect(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs" || extension == "py") {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{
        Banned, MOST_LINES, banned, banned_words, broken_rules, check, clauses, folder_of_tests,
        has_examples, has_tests, left_out,
    };

    #[test]
    fn the_repository_keeps_the_rules() {
        if let Err(violations) = check(&crate::repository_root()) {
            panic!("{violations}");
        }
    }

    #[test]
    fn each_rule_is_noticed() {
        let long = format!("//! Long.\n{}", "fn a() {}\n".repeat(MOST_LINES));
        assert_eq!(broken_rules(Path::new("src/a.rs"), &long).len(), 1);
        assert_eq!(broken_rules(Path::new("src/utils.rs"), "//! Anything.\n").len(), 1);
        assert_eq!(broken_rules(Path::new("src/a.rs"), "use std::fs;\n").len(), 1);
        assert_eq!(broken_rules(Path::new("a.py"), "#!/usr/bin/env python3\n\"\"\"Good.\"\"\"\n").len(), 0);
    }

    #[test]
    fn files_of_tests_are_modules() {
        let main = Path::new("crates/a/tests/integration/main.rs");
        assert_eq!(folder_of_tests(main), main.parent());
        assert_eq!(folder_of_tests(Path::new("crates/a/tests/integration/part.rs")), None);
        assert_eq!(folder_of_tests(Path::new("crates/a/src/main.rs")), None);
        let found = left_out(["one", "two"].into_iter(), "//! Tests.\n\nmod one;\n");
        assert!(has_tests("mod tests {\n    #[test]\n    fn a() {}\n}\n") && !has_tests("//! `#[test]`\n"));
        assert_eq!(found, ["`mod two;` is missing; the tests of two.rs would not run"]);
    }

    #[test]
    fn examples_that_run_are_told_from_others() {
        assert!(has_examples("//! A:\n//! ```\n//! a();\n//! ```\n"));
        assert!(has_examples("/// ```text\n/// a\n/// ```\n/// ```no_run\n/// a();\n/// ```\nfn a() {}\n"));
        assert!(!has_examples("    /// ```text\n    /// a\n    /// ```\n    fn a() {}\n// ```\n"));
    }

    #[test]
    fn summaries_of_public_items_begin_with_a_noun_or_a_verb() {
        for item in ["struct A;", "const A: u8 = 0;", "const fn a() {}", "unsafe fn a() {}", "mod a {"] {
            assert_eq!(
                clauses(&format!("/// What it is.\n/// More.\n#[derive(\n    Debug\n)]\npub {item}\n")).len(),
                1
            );
        }
        assert!(clauses("/// Whether it is so.\n    pub fn a() -> bool {}\n")[0].starts_with("line 1: "));
        // Fields, variants and private items may say it as they like; so may later lines, and longer words.
        for text in [
            "/// Whether it is.\npub is_open: bool,\n",
            "/// Whether it is.\nfn a() {}\n",
            "/// Which.\npub(crate) fn a() {}\n",
            "/// Returns whether it is.\n/// What else.\npub fn a() -> bool {}\n",
            "/// Whatever it is.\npub fn a() {}\n",
            "/// What a field is.\na: u8,\npub fn a() {}\n",
        ] {
            assert_eq!(clauses(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn identifiers_of_the_last_table_are_not_used() {
        let glossary = "| term | is |\n| --- | --- |\n| a | `b` |\n\n| say | not |\n| --- | --- |\n\
                        | shard, `Sharder` | `Spreader`, `spreads`; to spread |\n\nAfter it: | `c` |\n";
        let words = banned(glossary);
        let entry = |word: &str| Banned { word: word.to_owned(), instead: "shard, `Sharder`".to_owned() };
        assert_eq!(words, [entry("Spreader"), entry("spreads")]);
        let found = banned_words("//! A.\nuse a::{Spreader, b};\nlet x = Spreader;\n", &words);
        assert_eq!(found, ["line 2: `Spreader` is not a word of the field; say shard, `Sharder`"]);
        assert!(banned_words("let spreads_out = MySpreader::new(spread);\n", &words).is_empty());
    }
}
