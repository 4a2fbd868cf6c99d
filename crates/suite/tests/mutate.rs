//! Damaged files: reading, verifying, printing and evaluating end in a program, in results or in errors, never in a
//! panic, a hang or a flood of memory. What is still a program reads back from its own text.
//!
//!     cargo test -p meshwright-suite --test mutate                               # some hundreds
//!     MUTATE=100000..200000 cargo test --release -p meshwright-suite --test mutate   # these seeds
//!
//! `MUTATE_FILES` names a folder of other files to damage. Each seed takes a file of `examples/` or `tests/suite/` and
//! changes bytes, tokens and lines of it. Every case runs on a thread of its own, with a stack as small as a program's
//! main thread has, for at most [`PATIENCE`] and within [`MEMORY`]. A failing case is left in the folder of temporary
//! files, under a name that the failure tells. So that the test cannot pass by refusing everything, [`LEAST_READ`] of
//! the cases must still be programs and [`LEAST_RUN`] must be evaluated.

// The range of seeds comes from the person who runs the test, and a case may hang.
#![allow(clippy::disallowed_methods, clippy::print_stderr)]

use meshwright_fuzz::damage;
use meshwright_fuzz::memory::LimitedAllocator;
use meshwright_fuzz::targets::{Reached, all_but_devices};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::text::read_all;
use std::ops::Range;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// No file of the corpus takes a tenth of it.
const PATIENCE: Duration = Duration::from_secs(20);

/// Bytes that all threads together may hold.
const MEMORY: usize = 1 << 28;

/// The share of damaged files that are still programs.
const LEAST_READ: (u64, u64) = (1, 10);

/// The share of damaged files that are evaluated.
const LEAST_RUN: (u64, u64) = (1, 200);

/// A main thread's.
const STACK: usize = 8 << 20;

#[global_allocator]
static ALLOCATOR: LimitedAllocator<MEMORY> = LimitedAllocator::new();

/// Every program in `folder`, in order of their paths.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "mlir") {
            found.push(path);
        }
    }
}

fn corpus() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut paths = Vec::new();
    match std::env::var("MUTATE_FILES") {
        Ok(folder) => files(Path::new(&folder), &mut paths),
        Err(_) => {
            files(&root.join("examples"), &mut paths);
            files(&root.join("tests/suite"), &mut paths);
        }
    }
    paths
        .iter()
        .map(|path| String::from_utf8_lossy(&std::fs::read(path).expect("a file")).into_owned())
        .collect()
}

/// Runs a case where it can do no harm.
fn contained(text: String) -> Result<Reached, String> {
    let (sender, receiver) = channel();
    let case = move || {
        let outcome = catch_unwind(|| all_but_devices(&text));
        // The receiver may have lost patience.
        let _ = sender.send(outcome.unwrap_or_else(|_| Err("a panic".to_owned())));
    };
    std::thread::Builder::new().stack_size(STACK).spawn(case).expect("a thread");
    let started = Instant::now();
    loop {
        match receiver.recv_timeout(Duration::from_millis(100)) {
            Ok(outcome) => return outcome,
            Err(RecvTimeoutError::Disconnected) => return Err("the thread is gone".to_owned()),
            Err(RecvTimeoutError::Timeout) if ALLOCATOR.is_exceeded() => {
                return Err(format!("more than {MEMORY} bytes"));
            }
            Err(RecvTimeoutError::Timeout) if started.elapsed() > PATIENCE => return Err("a hang".to_owned()),
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn seeds() -> Range<u64> {
    let chosen = std::env::var("MUTATE").ok();
    let parsed = chosen.as_deref().and_then(|text| {
        let (start, end) = text.split_once("..")?;
        Some(start.parse().ok()?..end.parse().ok()?)
    });
    parsed.unwrap_or(0..2000)
}

#[test]
fn damaged_files_are_programs_or_errors() {
    let corpus = corpus();
    let (mut failures, mut read, mut run) = (0, 0, 0);
    for seed in seeds() {
        let text = damage::damaged(&corpus, seed);
        let reached = contained(text.clone());
        read += u64::from(reached != Ok(Reached::Errors));
        run += u64::from(reached == Ok(Reached::Run));
        if let Err(problem) = reached {
            let path = std::env::temp_dir().join(format!("meshwright-damaged-{seed}.mlir"));
            std::fs::write(&path, text).expect("a temporary file");
            eprintln!("---- seed {seed} ({}) ----\n{problem}", path.display());
            failures += 1;
            // A thread that hangs or holds too much memory is still there.
            assert!(
                failures < 5 && !problem.starts_with("a hang") && !ALLOCATOR.is_exceeded(),
                "stopping at {seed}"
            );
        }
    }
    assert_eq!(failures, 0, "{failures} damaged files do what they should not");
    let count = seeds().count() as u64;
    eprintln!("of {count} damaged files {read} are read, {run} evaluated");
    // Of a folder of other files, nobody knows.
    if std::env::var_os("MUTATE_FILES").is_none() && count >= 300 {
        assert!(read * LEAST_READ.1 >= count * LEAST_READ.0, "only {read} of {count} are read");
        assert!(run * LEAST_RUN.1 >= count * LEAST_RUN.0, "only {run} of {count} are evaluated");
    }
}

/// Sizes that no memory holds are errors, or are never spread out.
#[test]
fn absurd_sizes_and_depths_end_in_errors() {
    let deep = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    let in_attribute =
        |text: &str| format!("func.func @main() attributes {{test.a = {text}}} {{\n  return\n}}\n");
    let constant =
        |ty: &str| format!("func.func @main() {{\n  %0 = stablehlo.constant dense<1> : {ty}\n  return\n}}\n");
    // Aliases that double what they stand for, or nest it one deeper.
    let aliases = |sigil: char, first: &str, next: &dyn Fn(&str) -> String, count: usize, end: &str| {
        let mut text = format!("{sigil}a0 = {first}\n");
        for index in 1..count {
            text += &format!("{sigil}a{index} = {}\n", next(&format!("{sigil}a{}", index - 1)));
        }
        text + end
    };
    let doubled = |alias: &str| format!("[{alias}, {alias}]");
    let pair = |alias: &str| format!("tuple<{alias}, {alias}>");
    let inside = |alias: &str| format!("[{alias}]");
    let caller = |alias: &str| format!("loc(\"f\"({alias}))");
    let main = "func.func @main() {\n  return\n}\n";
    let cases = [
        (aliases('#', "1", &doubled, 15, main), true),
        (aliases('#', "1", &doubled, 60, main), false),
        (aliases('#', "1", &inside, 100, main), true),
        (aliases('#', "1", &inside, 100_000, main), false),
        (aliases('!', "tensor<f32>", &pair, 60, main), false),
        (aliases('#', "loc(\"f\")", &caller, 1000, main), true),
        (aliases('#', "loc(\"f\")", &caller, 100_000, main), false),
        (
            format!(
                "func.func @main() {{\n  %0 = stablehlo.constant dense<{}> : tensor<f32>\n",
                "(".repeat(100_000)
            ),
            false,
        ),
        (constant("tensor<1152921504606846976xi8>"), false),
        (constant("tensor<4294967296x4294967296x4294967296xi8>"), false),
        (constant("tensor<1099511627776xi64>"), true),
        (constant("tensor<0x18446744073709551615xi8>"), false),
        (in_attribute(&deep("[", "]")), false),
        (in_attribute(&deep("{a = ", "}")), false),
        (in_attribute(&deep("tuple<", ">")), false),
        (in_attribute(&format!("dense<{}> : tensor<1xi8>", deep("[", "]"))), false),
        (in_attribute(&format!("#test.a{}", deep("<", ">"))), true),
        (in_attribute(&format!("@a{}", "::@a".repeat(100_000))), true),
        (in_attribute("#sdy.mesh<[\"x\"=9223372036854775807, \"y\"=9223372036854775807]>"), false),
        (in_attribute("#sdy.mesh<[\"x\"=16777213]>"), true),
        (in_attribute("#sdy<sub_axis_info(99999999999999999999)2>"), false),
        (format!("func.func @main() {{\n{}\n", "\"stablehlo.if\"() ({".repeat(100_000)), false),
        ("module {".repeat(100_000), false),
        ("%0:99999999999999 = stablehlo.iota dim = 0 : tensor<2xi32>".to_owned(), false),
        (format!("func.func @main() {{ return loc({} }}", deep("fused[", "]")), false),
    ];
    for (text, is_program) in cases {
        let start: String = text.chars().take(120).collect();
        let found = contained(text.clone());
        assert!(found.is_ok(), "{found:?}: {start}");
        let read = read_all(&Source::new("absurd.mlir", text)).is_ok();
        assert_eq!(read, is_program, "{start}");
    }
}
