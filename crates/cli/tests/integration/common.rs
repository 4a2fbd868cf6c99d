//! What the tests of the command share: a scratch folder, small programs, and running the binary.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A matrix product over a sharded dim: one all_reduce on eight devices.
pub(crate) const DOT: &str = r#"sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"#;

/// The same without annotations.
pub(crate) const PLAIN_DOT: &str = r#"func.func @main(%a: tensor<8x16xf32>, %b: tensor<16x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
"#;

/// Folders that were made so far: tests of two modules may call theirs by one name.
static MADE: AtomicUsize = AtomicUsize::new(0);

/// A folder of this test alone, removed with the value.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("meshwright-cli-{}-{number}-{name}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// A path in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A file in the folder.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    /// The names in the folder, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Runs the command in the folder.
    pub(crate) fn run<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> Ran {
        let output = Command::new(env!("CARGO_BIN_EXE_meshwright"))
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .unwrap();
        Ran::of(&output)
    }

    /// Runs the command line `line`, split at spaces.
    pub(crate) fn line(&self, line: &str) -> Ran {
        self.run(line.split_whitespace())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// What a run of the command gave.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout.clone()).unwrap(),
            err: String::from_utf8(output.stderr.clone()).unwrap(),
        }
    }

    /// It did what it was asked.
    #[track_caller]
    pub(crate) fn succeeds(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        assert_eq!(self.err, "", "{self:?}");
        self
    }

    /// It ended with `code`, and stderr says each of `parts`.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, parts: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        for part in parts {
            assert!(self.err.contains(part), "`{part}` is not said: {}", self.err);
        }
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// stdout says each of `parts`.
    #[track_caller]
    pub(crate) fn says(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(self.out.contains(part), "`{part}` is not said: {}", self.out);
        }
        self
    }

    /// stdout as JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// A file of `examples/`.
pub(crate) fn example(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).display().to_string()
}

/// Runs the commands of a page of the documentation one after the other, and compares text behind them with what the last
/// of them prints. Returns how many texts there are.
pub(crate) fn checked_page(name: &str, scratch: &Scratch) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    let page = std::fs::read_to_string(path).unwrap();
    let mut printed = None;
    let mut checked = 0;
    let mut parts = page.split("```");
    while let (Some(prose), Some(block)) = (parts.next(), parts.next()) {
        if !prose.trim().is_empty() {
            printed = None;
        }
        match block.split_once('\n').unwrap() {
            ("sh", commands) => {
                for command in commands.lines() {
                    let ran = scratch.line(command.strip_prefix("meshwright ").unwrap()).succeeds();
                    printed = Some(ran.out);
                }
            }
            (_, shown) => {
                if let Some(printed) = printed.take() {
                    assert_eq!(shown, printed);
                    checked += 1;
                }
            }
        }
    }
    checked
}
