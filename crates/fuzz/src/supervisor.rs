//! Starts workers one after another, watches them, and keeps what they find.
//!
//! An input hangs after 20 seconds of processor time, so that other work on the machine makes no difference.
//! A worker that ends with a panic, a signal, a contradiction or too much memory, and one that shows no progress, leaves
//! the input behind that it was at. That is run once more by itself, made small, and written to the folder of findings
//! with what it does. What does the same as an earlier finding is counted only.

use crate::worker::{current, name};
use crate::{Request, shrink};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Seconds of processor time after which an input hangs. Whatever is measured by itself takes less than one.
const PATIENCE: f64 = 20.0;

/// Seconds on the clock after which it hangs: devices that wait for each other take no processor time.
const LONGEST: u64 = 300;

/// Between two lines on the screen.
const PERIOD: Duration = Duration::from_secs(30);

pub(crate) fn run(request: &Request) -> ExitCode {
    let folders = [Some(&request.findings), request.corpus.as_ref()];
    for folder in folders.into_iter().flatten() {
        if let Err(error) = std::fs::create_dir_all(folder) {
            eprintln!("{}: {error}", folder.display());
            return ExitCode::from(2);
        }
    }
    let start = Instant::now();
    let (mut num_runs, mut found, mut seed, mut from) = (0, BTreeMap::new(), request.seed, 0);
    let mut told = start;
    loop {
        let left = request.seconds.saturating_sub(start.elapsed().as_secs());
        if left == 0 || num_runs >= request.runs {
            break;
        }
        let (seen, end) = one_worker(request, [seed, left, request.runs - num_runs, from], &mut |line| {
            if told.elapsed() > PERIOD {
                told = Instant::now();
                report(request, start, num_runs, line, found.len());
            }
        });
        let line = seen.unwrap_or_default();
        report(request, start, num_runs, &line, found.len());
        let num_begun = number(request).map_or(0, |number| number + 1);
        num_runs += num_begun.max(line[0]);
        // The next one goes on behind the input that this one was at, if that is one of the corpus as it is.
        from += num_begun;
        match end {
            End::Finished => {}
            End::Wrong(why) if why.starts_with("cannot") => {
                eprintln!("{why}");
                return ExitCode::from(2);
            }
            // It came to no input at all.
            End::Wrong(why) if num_begun == 0 => {
                eprintln!("cannot run inputs: {why}");
                return ExitCode::from(2);
            }
            End::Wrong(why) => keep(request, &why, &mut found),
        }
        seed = seed.wrapping_add(0x1000);
    }
    println!(
        "{}: {num_runs} inputs in {} s, {} findings",
        request.target.name,
        start.elapsed().as_secs(),
        found.len()
    );
    for (key, times) in &found {
        println!("  {times} x {key}");
    }
    let _ = std::fs::remove_file(current(&request.findings));
    if found.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs, refused, read, run to the end, edges, kept.
type Line = [u64; 6];

fn report(request: &Request, start: Instant, before: u64, line: &Line, num_found: usize) {
    let [runs, errors, read, run, edges, kept] = line;
    println!(
        "{} {} s: {} inputs; of the last {runs}: {errors} refused, {read} read, {run} run; {edges} edges, {kept} kept; \
         {num_found} findings",
        request.target.name,
        start.elapsed().as_secs(),
        before + runs,
    );
}

/// How a worker ended.
enum End {
    Finished,
    /// What the input does that it was at.
    Wrong(String),
}

/// One worker from start to end.
fn one_worker(
    request: &Request,
    [seed, seconds, runs, from]: [u64; 4],
    watch: &mut dyn FnMut(&Line),
) -> (Option<Line>, End) {
    let mut command = this(request);
    command.args(["--worker", "yes"]).arg("--seed").arg(seed.to_string());
    command.arg("--seconds").arg(seconds.to_string()).arg("--runs").arg(runs.to_string());
    command.arg("--from").arg(from.to_string()).arg("--findings").arg(&request.findings);
    if let Some(corpus) = &request.corpus {
        command.arg("--corpus").arg(corpus);
    }
    // What the last one was at is kept by now.
    let _ = std::fs::remove_file(current(&request.findings));
    let Ok(mut child) = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn() else {
        return (None, End::Wrong("cannot start a process".to_owned()));
    };
    let (lines, errors) = outputs(&mut child);
    let (mut last, mut at, mut since) = (None, None, Spent::of(&child));
    loop {
        while let Ok(line) = lines.try_recv() {
            watch(&line);
            last = Some(line);
        }
        let number = number(request);
        if number != at {
            (at, since) = (number, Spent::of(&child));
        }
        if let Ok(Some(status)) = child.try_wait() {
            last = lines.try_iter().last().or(last);
            if status.success() {
                return (last, End::Finished);
            }
            return (last, End::Wrong(key(&errors.recv().unwrap_or_default(), &status.to_string())));
        }
        if since.is_too_much(&child) {
            let _ = child.kill();
            let _ = child.wait();
            return (last, End::Wrong("a hang".to_owned()));
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// What a process has spent at some moment.
struct Spent {
    clock: Instant,
    processor: f64,
}

impl Spent {
    fn of(child: &Child) -> Self {
        Self { clock: Instant::now(), processor: processor_seconds(child).unwrap_or_default() }
    }

    /// Whether what the process has spent since is what a hang is.
    fn is_too_much(&self, child: &Child) -> bool {
        let processor = processor_seconds(child).map_or(0.0, |seconds| seconds - self.processor);
        processor > PATIENCE || self.clock.elapsed().as_secs() > LONGEST
    }
}

/// Processor time of a process so far (`man 5 proc`: fields 14 and 15 of its `stat`, in hundredths).
fn processor_seconds(child: &Child) -> Option<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(2).map(|field| field.parse::<f64>().ok());
    Some(ticks.collect::<Option<Vec<f64>>>()?.iter().sum::<f64>() / 100.0)
}

/// How many inputs the worker has run before the one that it is at.
fn number(request: &Request) -> Option<u64> {
    let record = std::fs::read(current(&request.findings)).ok()?;
    Some(u64::from_le_bytes(*record.first_chunk()?))
}

fn this(request: &Request) -> Command {
    let own = std::env::current_exe().unwrap_or_else(|_| "meshwright-fuzz".into());
    let mut command = Command::new(own);
    command.arg(request.target.name);
    command
}

/// What a process tells, as it comes, and its errors at the end.
fn outputs(child: &mut Child) -> (Receiver<Line>, Receiver<String>) {
    let ((tell, lines), (tell_errors, errors)) = (channel(), channel());
    if let Some(output) = child.stdout.take() {
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let numbers: Vec<u64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
                if let Ok(line) = Line::try_from(numbers) {
                    let _ = tell.send(line);
                }
            }
        });
    }
    if let Some(mut output) = child.stderr.take() {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = output.read_to_end(&mut bytes);
            let _ = tell_errors.send(String::from_utf8_lossy(&bytes).into_owned());
        });
    }
    (lines, errors)
}

/// What tells one finding from another: where it panicked, or the first line of what it said, without numbers.
fn key(errors: &str, status: &str) -> String {
    let place = errors.lines().find_map(|line| line.split_once(" panicked at ").map(|(_, place)| place));
    let said = errors.lines().find(|line| !line.trim().is_empty());
    match (place, said) {
        (Some(place), _) => format!("panic at {place}"),
        (None, Some(said)) => {
            let plain: String = said.chars().filter(|letter| !letter.is_ascii_digit()).take(100).collect();
            format!("{status}: {plain}")
        }
        (None, None) => status.to_owned(),
    }
}

/// What one input does by itself; `None` if nothing is wrong with it.
fn alone(request: &Request, input: &Path) -> Option<String> {
    let mut child =
        this(request).arg("--once").arg(input).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().ok()?;
    let (_, errors) = outputs(&mut child);
    let start = Spent::of(&child);
    loop {
        if let Ok(Some(status)) = child.try_wait() {
            let errors = errors.recv().unwrap_or_default();
            return (!status.success()).then(|| key(&errors, &status.to_string()));
        }
        if start.is_too_much(&child) {
            let _ = child.kill();
            let _ = child.wait();
            return Some("a hang".to_owned());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Makes the input small that a worker was at, and keeps it.
fn keep(request: &Request, why: &str, found: &mut BTreeMap<String, u64>) {
    let Ok(record) = std::fs::read(current(&request.findings)) else { return };
    let input = record.get(8..).unwrap_or_default();
    let trial = request.findings.join(".trial");
    let does = |bytes: &[u8]| {
        std::fs::write(&trial, bytes).ok()?;
        alone(request, &trial)
    };
    // What the input does by itself is what can be mended.
    let Some(key) = does(input) else {
        println!("not by itself: {why}");
        *found.entry(format!("{why} (not by itself)")).or_default() += 1;
        return write(request, input, why);
    };
    let times = found.entry(key.clone()).or_default();
    *times += 1;
    if *times > 1 {
        return;
    }
    println!("found: {key}");
    // A hang takes all the patience there is each time.
    let small = if key == "a hang" {
        input.to_vec()
    } else {
        shrink::shrink(input, |bytes| does(bytes).as_ref() == Some(&key))
    };
    write(request, &small, &key);
    let _ = std::fs::remove_file(trial);
}

fn write(request: &Request, input: &[u8], why: &str) {
    let path = request.findings.join(format!("{}-{}", request.target.name, name(input)));
    let written = std::fs::write(&path, input).and_then(|()| std::fs::write(path.with_extension("why"), why));
    match written {
        Ok(()) => println!("  {}", path.display()),
        Err(error) => eprintln!("{}: {error}", path.display()),
    }
}
