//! Finds the file tests of a folder and runs them.
//!
//! Input: files and stages; output: a [`Verdict`] per file. With [`Mode::Bless`] a file that does not hold is
//! rewritten to expect what the stage made, for a person to review as a change.

use std::any::Any;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::compare::difference;
use crate::file::{FileTest, Input, Outcome};

/// One stage of the compiler, as the file tests see it.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// The options that files may give; any other is an error, so that a typing error cannot turn one off.
    pub options: &'static [&'static str],
    /// What the stage makes of a program.
    pub run: fn(&Input) -> Outcome,
}

/// Treatment of a file whose expectations are not met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// It fails.
    Compare,
    /// It is rewritten.
    Bless,
}

/// Outcome of a file test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// As expected.
    Passed,
    /// Rewritten to expect what the stage made.
    Blessed,
    /// Why it failed.
    Failed(String),
}

/// A file test on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Its path below the suite's folder, with `/` between the parts.
    pub name: String,
    /// Where it lies.
    pub path: PathBuf,
}

/// The file tests below a folder, ordered by name: every `.mlir` and `.schedule` file of its subfolders, however deep.
pub fn discover(folder: &Path) -> io::Result<Vec<Test>> {
    let mut tests = Vec::new();
    collect(folder, "", &mut tests)?;
    tests.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(tests)
}

fn collect(folder: &Path, prefix: &str, tests: &mut Vec<Test>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = format!("{prefix}{}", path.file_name().unwrap_or_default().to_string_lossy());
        if path.is_dir() {
            collect(&path, &format!("{name}/"), tests)?;
        } else if path.extension().is_some_and(|ending| ending == "mlir" || ending == "schedule") {
            tests.push(Test { name, path });
        }
    }
    Ok(())
}

impl Test {
    /// Runs one file test.
    pub fn run(&self, stages: &BTreeMap<&str, Stage>, mode: Mode) -> Verdict {
        match self.try_run(stages, mode) {
            Ok(verdict) => verdict,
            Err(problem) => Verdict::Failed(problem),
        }
    }

    fn try_run(&self, stages: &BTreeMap<&str, Stage>, mode: Mode) -> Result<Verdict, String> {
        let text = fs::read_to_string(&self.path).map_err(|error| format!("cannot read it: {error}"))?;
        let test = FileTest::parse(&self.name, &text)?;
        let stage = stages.get(test.stage.as_str()).ok_or_else(|| {
            let known: Vec<&str> = stages.keys().copied().collect();
            format!("there is no stage `{}`; the stages are {}", test.stage, known.join(", "))
        })?;
        if let Some(option) = test.input.options.keys().find(|name| !stage.options.contains(&name.as_str())) {
            let known = stage.options.join(", ");
            return Err(format!("stage `{}` has no option `{option}`; its options: {known}", test.stage));
        }
        // A panic is a failure of this file and must not hide the others.
        let outcome = catch_unwind(AssertUnwindSafe(|| (stage.run)(&test.input)))
            .map_err(|panic| format!("the stage panicked: {}", panic_message(panic.as_ref())))?;
        if outcome == Outcome::default() && mode == Mode::Compare && difference(&test, &outcome).is_none() {
            return Err("it expects nothing, and the stage made nothing: it could not fail".to_owned());
        }
        match (difference(&test, &outcome), mode) {
            (None, _) => Ok(Verdict::Passed),
            (Some(difference), Mode::Compare) => Err(difference),
            (Some(_), Mode::Bless) => {
                fs::write(&self.path, test.bless(&outcome))
                    .map_err(|error| format!("cannot write it: {error}"))?;
                Ok(Verdict::Blessed)
            }
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Finding;

    /// A folder of test files that is removed with the value.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str, files: &[(&str, &str)]) -> Self {
            let path = std::env::temp_dir().join(format!("meshwright-suite-{}-{name}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            for (file, text) in files {
                let file = path.join(file);
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, text).unwrap();
            }
            Self(path)
        }

        fn run(&self, mode: Mode) -> Vec<(String, Verdict)> {
            crate::run(&self.0, &stages(), mode).unwrap()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    /// A compiler of one stage: it writes programs in capitals and knows two faults.
    fn stages() -> BTreeMap<&'static str, Stage> {
        fn capitals(input: &Input) -> Outcome {
            assert!(!input.text.contains("broken"), "an invariant broke");
            let program: Vec<&str> = input.text.lines().filter(|line| !line.starts_with("//")).collect();
            if input.text.contains("bad") {
                let line = input.text.lines().position(|line| line == "bad").map(|index| index + 1);
                return Outcome::findings(vec![Finding {
                    check: "bad".to_owned(),
                    line,
                    message: "it is bad".to_owned(),
                }]);
            }
            let separator = input.option("join").unwrap_or("\n");
            Outcome::output(program.join(separator).to_uppercase())
        }
        BTreeMap::from([("capitals", Stage { options: &["join"], run: capitals })])
    }

    fn failure(verdict: &Verdict) -> &str {
        match verdict {
            Verdict::Failed(problem) => problem,
            other => panic!("it did not fail: {other:?}"),
        }
    }

    #[test]
    fn files_pass_and_fail_in_the_order_of_their_names() {
        let folder = Folder::new(
            "order",
            &[
                ("b/two.mlir", "// test: capitals\na\nb\n// expect:\n// A\n// B\n"),
                ("a/wrong.mlir", "// test: capitals\na\n// expect: B\n"),
                ("a/one.mlir", "// test: capitals join=+\na\nb\n// expect: A+B\n"),
                ("a/bad.mlir", "// test: capitals\nbad\n// error: bad @2\n"),
                ("a/notes.txt", "not a test"),
            ],
        );
        let verdicts = folder.run(Mode::Compare);
        let names: Vec<&str> = verdicts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a/bad.mlir", "a/one.mlir", "a/wrong.mlir", "b/two.mlir"]);
        assert_eq!(failure(&verdicts[2].1), "output (-expected +actual):\n-B\n+A\n");
        for passed in [0, 1, 3] {
            assert_eq!(verdicts[passed].1, Verdict::Passed);
        }
    }

    #[test]
    fn a_file_that_asks_for_what_is_not_there_fails() {
        let folder = Folder::new(
            "unknown",
            &[
                ("a/empty.mlir", "// test: capitals\n"),
                ("a/option.mlir", "// test: capitals jion=+\na\n// expect: A\n"),
                ("a/panic.mlir", "// test: capitals\nbroken\n// expect: A\n"),
                ("a/stage.mlir", "// test: capital\na\n// expect: A\n"),
            ],
        );
        let problems = ["could not fail", "no option `jion`", "an invariant broke", "no stage `capital`"];
        for ((name, verdict), problem) in folder.run(Mode::Compare).iter().zip(problems) {
            assert!(failure(verdict).contains(problem), "{name}: {verdict:?}");
        }
    }

    #[test]
    fn blessing_rewrites_only_what_does_not_hold() {
        let loose = "// test: capitals\nbad\n// error: bad\n";
        let folder = Folder::new(
            "bless",
            &[
                ("a/held.mlir", loose),
                ("a/new.mlir", "// test: capitals\n// Why.\na\nb\n"),
                ("a/old.mlir", "// test: capitals\nbad\n// expect: BAD\n"),
            ],
        );
        let verdicts: Vec<Verdict> =
            folder.run(Mode::Bless).into_iter().map(|(_, verdict)| verdict).collect();
        assert_eq!(verdicts, [Verdict::Passed, Verdict::Blessed, Verdict::Blessed]);
        let read = |name: &str| fs::read_to_string(folder.0.join(name)).unwrap();
        assert_eq!(read("a/held.mlir"), loose);
        assert_eq!(read("a/new.mlir"), "// test: capitals\n// Why.\na\nb\n// expect:\n// A\n// B\n");
        assert_eq!(read("a/old.mlir"), "// test: capitals\nbad\n// error: bad @2: it is bad\n");
        assert!(folder.run(Mode::Compare).iter().all(|(_, verdict)| *verdict == Verdict::Passed));
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        assert!(crate::run(Path::new("/no/such/folder"), &stages(), Mode::Compare).is_err());
    }
}
