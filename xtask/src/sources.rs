//! The rules for source files that no other tool checks: at most 600 lines, a module comment first, and no
//! `utils` (a file is named after what it holds). Input: the source folders; output: every violation, or none.

use std::fs;
use std::path::{Path, PathBuf};

/// A longer file is more than one thing.
const MOST_LINES: usize = 600;

/// Folders that hold sources, below the repository's root.
const FOLDERS: [&str; 6] = ["crates", "python", "xtask", "tests", "bench", "examples"];

/// Reports each source file that breaks a rule.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let files = all(root)?;
    let mut violations = Vec::new();
    for file in &files {
        let text =
            fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
        let name = file.strip_prefix(root).unwrap_or(file);
        violations
            .extend(broken_rules(name, &text).into_iter().map(|rule| format!("{}: {rule}", name.display())));
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

/// The rules that one file breaks.
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

    use super::{MOST_LINES, broken_rules, check};

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
}
