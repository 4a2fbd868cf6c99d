//! A process that runs inputs, one after another, until one does what it should not.
//!
//! Before each input it writes that into a file, so that whoever watches has it when the process is gone; the file's
//! first bytes count the inputs, so that it also shows that the process is alive. It reports on its output.

use crate::{ALLOCATOR, MEMORY, Request, root};
use meshwright_fuzz::coverage::Seen;
use meshwright_fuzz::damage::damage;
use meshwright_fuzz::rng::Rng;
use meshwright_fuzz::targets::{Reached, Target};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// A main thread's.
const STACK: usize = 8 << 20;

/// Larger inputs are left out: damage rarely meets what matters in them.
const LARGEST: usize = 20_000;

/// Inputs kept in memory.
const MOST_KEPT: usize = 20_000;

/// Where a worker writes the input that it runs.
pub(crate) fn current(findings: &Path) -> PathBuf {
    findings.join(".current")
}

/// Runs one input in a thread with an ordinary stack, and watches its memory.
fn contained<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::spawn(|| {
        while !ALLOCATOR.is_exceeded() {
            std::thread::sleep(Duration::from_millis(100));
        }
        eprintln!("more than {MEMORY} bytes");
        std::process::exit(3);
    });
    let thread = std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread");
    match thread.join() {
        Ok(result) => result,
        Err(_) => std::process::exit(101),
    }
}

/// Runs one file and tells how far it came.
pub(crate) fn once(target: &'static Target, file: &Path) -> ExitCode {
    let bytes = match std::fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{}: {error}", file.display());
            return ExitCode::from(2);
        }
    };
    match contained(move || (target.run)(&bytes)) {
        Ok(reached) => {
            println!("{reached:?}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("contradiction: {why}");
            ExitCode::FAILURE
        }
    }
}

/// Files in a folder and those below it whose names end so, in order of their paths.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, extension, found);
        } else if extension.is_empty() || path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}

fn corpus(request: &Request) -> Vec<Vec<u8>> {
    let mut paths = Vec::new();
    for (folder, extension) in request.target.corpus {
        files(&root().join(folder), extension, &mut paths);
    }
    if let Some(folder) = &request.corpus {
        files(folder, "", &mut paths);
    }
    let read = paths.iter().filter_map(|path| std::fs::read(path).ok());
    let mut corpus: Vec<Vec<u8>> = read.filter(|bytes| bytes.len() <= LARGEST).collect();
    if corpus.is_empty() {
        corpus.push(Vec::new());
    }
    corpus
}

/// What a worker has done so far.
#[derive(Default)]
struct Tally {
    num_runs: u64,
    /// How many came how far.
    reached: [u64; 3],
}

/// Runs inputs until the time or the number is over.
pub(crate) fn work(request: &Request) -> ExitCode {
    let (target, seed, runs) = (request.target, request.seed, request.runs);
    let (current, kept) = (current(&request.findings), request.corpus.clone());
    let (start, limit) = (Instant::now(), Duration::from_secs(request.seconds));
    let mut corpus = corpus(request);
    let mut next = request.from;
    contained(move || {
        let rng = &mut Rng::new(seed);
        let (mut seen, mut tally, mut told) = (Seen::default(), Tally::default(), Instant::now());
        let num_first = corpus.len();
        while tally.num_runs < runs && start.elapsed() < limit {
            // Each input of the corpus once as it is; it shows what is reached anyway.
            let is_first = next < num_first;
            let input = match is_first {
                true => corpus[next].clone(),
                false => {
                    // What was found last has been damaged least.
                    let newest = corpus.len().min(64);
                    let at = match rng.chance(30) {
                        true => corpus.len() - 1 - rng.below(newest),
                        false => rng.below(corpus.len()),
                    };
                    damage(rng, corpus[at].clone(), |rng| &corpus[rng.below(corpus.len())])
                }
            };
            next += 1;
            let mut record = tally.num_runs.to_le_bytes().to_vec();
            record.extend(&input);
            if let Err(error) = std::fs::write(&current, record) {
                eprintln!("{}: {error}", current.display());
                return ExitCode::from(2);
            }
            Seen::start();
            let outcome = (target.run)(&input);
            let is_new = seen.take_in() > 0;
            tally.num_runs += 1;
            match outcome {
                Err(why) => {
                    eprintln!("contradiction: {why}");
                    return ExitCode::FAILURE;
                }
                Ok(reached) => tally.reached[reached as usize] += 1,
            }
            if is_new && !is_first && input.len() <= LARGEST && corpus.len() < MOST_KEPT {
                if let Some(folder) = &kept {
                    // A folder that cannot be written to keeps nothing.
                    let _ = std::fs::write(folder.join(name(&input)), &input);
                }
                corpus.push(input);
            }
            if told.elapsed() > Duration::from_secs(1) {
                told = Instant::now();
                tell(&tally, &seen, corpus.len());
            }
        }
        tell(&tally, &seen, corpus.len());
        ExitCode::SUCCESS
    })
}

fn tell(tally: &Tally, seen: &Seen, num_kept: usize) {
    let [errors, read, run] =
        [Reached::Errors, Reached::Read, Reached::Run].map(|reached| tally.reached[reached as usize]);
    println!("{} {errors} {read} {run} {} {num_kept}", tally.num_runs, seen.num_edges());
}

/// A name that follows from the contents (FNV-1a).
pub(crate) fn name(input: &[u8]) -> String {
    let fold = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    format!("{:016x}", input.iter().fold(0xCBF2_9CE4_8422_2325, fold))
}
