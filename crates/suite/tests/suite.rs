//! Runs the file tests of `tests/suite`, one line per file, in the manner of `cargo test`.
//!
//!     cargo test -p meshwright-suite --test suite            # all
//!     cargo test -p meshwright-suite --test suite ops/dot    # those whose name contains `ops/dot`
//!     BLESS=1 cargo test -p meshwright-suite --test suite    # rewrites expectations; review the diff
//!
//! Exit code 101 if a file failed, as for any Rust test. The stages are in `stages.rs`.

// A test harness talks to the person who runs it, who talks to it through `BLESS` and wants to know how long it took.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

mod stages;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

use meshwright_suite::{Mode, Test, Verdict, discover};

/// Bytes of the stack of a thread that runs tests, as many as main threads have.
const STACK: usize = 8 << 20;

fn main() -> ExitCode {
    // Flags are for the standard harness; only its filters and `--list` mean something here.
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let filters: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with('-')).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/suite");
    let tests = match discover(&folder) {
        Ok(tests) => tests,
        Err(error) => {
            println!("cannot read {}: {error}", folder.display());
            return ExitCode::from(101);
        }
    };
    let all = tests.len();
    let chosen: Vec<_> = tests
        .into_iter()
        .filter(|test| filters.is_empty() || filters.iter().any(|filter| test.name.contains(filter.as_str())))
        .collect();
    if arguments.iter().any(|argument| argument == "--list") {
        chosen.iter().for_each(|test| println!("{}: test", test.name));
        return ExitCode::SUCCESS;
    }

    let mode =
        if std::env::var_os("BLESS").is_some_and(|value| value == "1") { Mode::Bless } else { Mode::Compare };
    let stages = stages::stages();
    let start = Instant::now();
    println!("\nrunning {} tests", chosen.len());
    let mut failures = Vec::new();
    each(
        &chosen,
        |test| test.run(&stages, mode),
        |test, verdict| match verdict {
            Verdict::Passed => println!("test {} ... ok", test.name),
            Verdict::Blessed => println!("test {} ... ok (rewritten)", test.name),
            Verdict::Failed(problem) => {
                println!("test {} ... FAILED", test.name);
                failures.push((test.name.clone(), problem));
            }
        },
    );
    for (name, problem) in &failures {
        println!("\n---- {name} ----\n{problem}");
    }
    println!(
        "\ntest result: {}. {} passed; {} failed; 0 ignored; 0 measured; {} filtered out; finished in {:.2}s\n",
        if failures.is_empty() { "ok" } else { "FAILED" },
        chosen.len() - failures.len(),
        failures.len(),
        all - chosen.len(),
        start.elapsed().as_secs_f64(),
    );
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

/// Runs the tests on as many threads as there are cores, and reports each in their order as soon as those before it are.
fn each(tests: &[Test], run: impl Fn(&Test) -> Verdict + Sync, mut report: impl FnMut(&Test, Verdict)) {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            let (sender, run, next) = (sender.clone(), &run, &next);
            let work = move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(test) = tests.get(index) else { return };
                    sender.send((index, run(test))).expect("somebody who reports");
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread");
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut reported = 0;
        for (index, verdict) in receiver {
            early.insert(index, verdict);
            while let Some(verdict) = early.remove(&reported) {
                report(&tests[reported], verdict);
                reported += 1;
            }
        }
    });
}
