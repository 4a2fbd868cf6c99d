//! Steps on XLA: worker processes on JAX, watched from here.

use super::compare::{Beside, Compare};
use super::feed::{Batches, Feed, damaged};
use super::log::Log;
use super::{Compiled, Finished, UNSAVED, is_folder, note_stop};
use crate::args::RunArguments;
use crate::failure::{Failure, Outcome};
use crate::interrupt;
use crate::workers::{self, WORKER};
use meshwright_execute::checkpoints::{self, Folder};
use meshwright_execute::workers::{
    Described, Job, Phase, Placed, ProgramFile, Step, Steps, Watch, Work, launches, supervise,
};
use meshwright_ir::attribute::Attr;
use meshwright_plan::{Slot, StepPart};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::Type;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Runs all steps; the last one's results are returned if they are to become one file.
pub(super) fn run(
    arguments: &RunArguments,
    compiled: &Compiled,
    feed: &Feed,
    log: &Log,
) -> Outcome<Finished> {
    let scratch = Scratch::new(arguments, compiled)?;
    let steps = steps(arguments, compiled, feed, &scratch)?;
    let outputs = steps.outputs.clone();
    let each_step = steps.each_step.clone().filter(|_| is_first(arguments));
    let compare = arguments.compare.filter(|_| is_first(arguments));
    let compare = compare.map(|with| Compare::new(with, arguments, compiled, feed, log)).transpose()?;
    let job = job(arguments, compiled, feed, steps)?;
    let stopped = |step, saved| {
        note_stop(step, saved, arguments, log);
        Ok(Finished { results: None, stopped: Some(step), verdict: Ok(()) })
    };
    std::thread::scope(|scope| {
        let beside = compare.zip(each_step).map(|(compare, folder)| {
            Beside::start(scope, compare, move |step| {
                let folder = checkpoints::checkpoint_folder(&folder, step);
                let found = read_results(&folder, compiled);
                let _ = std::fs::remove_dir_all(&folder);
                found
            })
        });
        let processes = processes(arguments);
        let watch = Watcher { log, processes, compiled, beside, phase: RefCell::new(None) };
        let ended = supervise(&job, &std::env::temp_dir(), &watch);
        log.wipe();
        let ended = ended.map_err(|error| workers::unstarted(&job, &error))?;
        let has_failed = watch.beside.as_ref().is_some_and(Beside::has_failed);
        if let Some(lost) = ended.lost.filter(|_| !has_failed) {
            if !job.is_across_hosts {
                remove_partial(arguments, feed);
            }
            return Err(workers::failure(&lost, Some(what_is_saved(ended.saved.as_ref(), arguments, feed))));
        }
        let unsaved = ended.saved.is_none().then(|| what_is_saved(None, arguments, feed));
        if ended.is_stopped && !has_failed {
            return stopped(ended.step, unsaved);
        }
        let mut verdict = Ok(());
        if let Some(beside) = watch.beside {
            let Some(compare) = beside.finish(log)? else { return stopped(ended.step, unsaved) };
            verdict = compare.finish(log);
        }
        let results = match (&arguments.outputs, outputs) {
            (Some(path), Some(folder)) if !is_folder(path) && is_first(arguments) => {
                Some(read_results(&folder, compiled)?)
            }
            _ => None,
        };
        Ok(Finished { results, stopped: None, verdict })
    })
}

/// Removes what lost workers have not completed, so that it takes no room. On other hosts some may still write.
fn remove_partial(arguments: &RunArguments, feed: &Feed) {
    if let Some(path) = arguments.outputs.as_deref().filter(|path| is_folder(path)) {
        checkpoints::remove_partial(path);
    }
    if let Some(checkpoints) = &feed.checkpoints {
        checkpoints::remove_partial_checkpoints(&checkpoints.folder);
    }
}

/// Whether this is the host that results are gathered on.
fn is_first(arguments: &RunArguments) -> bool {
    arguments.workers.host_index.unwrap_or(0) == 0
}

/// What a run that ended early has saved, and how to go on. Checkpoints are reported by the first worker, which another
/// host may have: what is in the folder counts too, in which nothing was of a later step when the run began.
fn what_is_saved(saved: Option<&(u64, String)>, arguments: &RunArguments, feed: &Feed) -> String {
    let Some(checkpoints) = &feed.checkpoints else { return UNSAVED.to_owned() };
    let first = feed.steps.start;
    let last = checkpoints::checkpoints(&checkpoints.folder).pop();
    let found = last.and_then(|path| Some((checkpoints::step_of(&path)?, path.display().to_string())));
    match (saved.cloned().max(found.filter(|(step, _)| *step > first)), &arguments.resume) {
        (Some((step, path)), _) => {
            let folder = checkpoints.folder.display();
            format!("nothing behind step {step} is saved ({path}): go on with `--resume {folder}`")
        }
        (None, Some(folder)) => {
            format!("nothing was saved in this run: `--resume {}` starts it again", folder.display())
        }
        (None, None) => "no checkpoint was complete yet: the same command starts the run again".to_owned(),
    }
}

fn job(arguments: &RunArguments, compiled: &Compiled, feed: &Feed, steps: Steps) -> Outcome<Job> {
    let flags = &arguments.workers;
    let processes = processes(arguments);
    let devices = compiled.bundle.num_devices();
    let what = if flags.hosts.is_some() { "--hosts" } else { "--processes" };
    if !devices.is_multiple_of(processes) {
        return Err(Failure::usage(format!(
            "`{what} {processes}` does not divide the program's {devices} devices"
        )));
    }
    let groups = compiled.programs.groups.iter().map(|group| group.devices.as_slice());
    launches::split(&groups.collect::<Vec<_>>(), processes)
        .map_err(|straddles| workers::straddling(what, processes, &straddles))?;
    if arguments.numbers.precision != crate::args::FloatPrecision::Declared {
        return Err(Failure::usage(
            "`--precision` is for the embedded engine: XLA computes in the declared types",
        ));
    }
    if feed.steps.end - feed.steps.start > 1 || feed.checkpoints.is_some() {
        state_stays(compiled)?;
    }
    let own = workers::own(flags, processes)?;
    let manifest = match compiled.bundle.one_program() {
        Some(manifest) => Described::One(manifest),
        None => Described::Several(Box::new(compiled.bundle.clone())),
    };
    Ok(Job {
        manifest,
        processes,
        own,
        is_across_hosts: flags.hosts.is_some(),
        coordinator: flags.coordinator.clone(),
        platform: flags.platform.clone(),
        work: Work::Steps(Box::new(steps)),
        python: workers::python(flags.python.as_deref()),
        python_path: workers::environment("PYTHONPATH"),
        hang_timeout: workers::hang_timeout(flags)?,
    })
}

/// Refuses calls of the kernel of a scan, which is none of XLA's.
pub(super) fn scans_are_written_out(compiled: &Compiled) -> Outcome {
    let mut programs = compiled.programs.programs.values();
    if programs.any(|program| meshwright_compile::calls_scan(&program.device.program)) {
        let message = "the program runs scans as calls of the kernel of `mamba_ssm`, which XLA does not have"
            .to_owned();
        let hint = "write them out: `meshwright compile --kernels off`; the embedded engine runs the calls";
        return Err(Failure::Input(vec![compiled.failure(WORKER, message, hint)]));
    }
    Ok(())
}

/// Refuses state that comes back sharded otherwise than it goes in on the same devices, or that programs of one group take in
/// several shardings.
fn state_stays(compiled: &Compiled) -> Outcome {
    let programs = &compiled.programs;
    for (id, program) in &programs.programs {
        let group = programs.stages[id.stage];
        for (slot, held) in program.taken() {
            let Slot::Argument(part) = slot else { continue };
            let next = compiled.bundle.arguments.get(part.index).and_then(|argument| argument.next);
            let back = next.and_then(|next| programs.source_of(StepPart { index: next, ..*part }));
            let Some((maker, at)) = back else { continue };
            let expected = match programs.stages[maker.stage] == group {
                true => programs.programs[&maker].given().nth(at).map(|(_, held)| held),
                false => programs.takes(group, *part).next(),
            };
            let Some(expected) = expected else { continue };
            if held.sharding == expected.sharding && held.mesh.is_like(expected.mesh) {
                continue;
            }
            let message =
                format!("argument {part} is state, but comes back in another sharding than it goes in");
            let hint = "donate it (`donate_argnums`), or annotate the argument and its result alike; or run one step without checkpoints";
            return Err(Failure::Input(vec![compiled.failure(WORKER, message, hint)]));
        }
    }
    Ok(())
}

/// Workers in all: one per host, or those of this machine.
fn processes(arguments: &RunArguments) -> usize {
    let flags = &arguments.workers;
    usize::try_from(flags.hosts.unwrap_or(flags.processes)).unwrap_or(usize::MAX)
}

fn steps(arguments: &RunArguments, compiled: &Compiled, feed: &Feed, scratch: &Scratch) -> Outcome<Steps> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let programs = compiled.bundle.programs.iter().map(|described| {
        let id = described.program.parse();
        let program = id.ok().and_then(|id| compiled.programs.programs.get(&id));
        let count = program.and_then(|program| program.device.program.attributes.get("mhlo.num_partitions"));
        let is_partitioned = matches!(count, Some(Attr::Int(count, _)) if *count > 1);
        ProgramFile { path: absolute(&compiled.folder.join(&described.file)), is_partitioned }
    });
    let is_one = compiled.bundle.one_program().is_some();
    let next: Vec<Option<usize>> = compiled.bundle.arguments.iter().map(|argument| argument.next).collect();
    Ok(Steps {
        programs: programs.collect(),
        events: if is_one { Vec::new() } else { launches::launches(&compiled.programs) },
        ways: launches::ways(&compiled.programs, &next),
        fingerprint: compiled.bundle.program.clone(),
        last: feed.steps.end,
        inputs: feed.inputs().map(absolute),
        input_names: feed.input_names()?,
        batches: feed.batches().map(|batches| absolute(&batches.path)),
        batch_names: feed.batches().map_or_else(Vec::new, Batches::numbered_names),
        own_batch_names: feed.batches().map_or_else(BTreeMap::new, Batches::own_names),
        outputs: arguments.outputs.as_deref().map(|path| match is_folder(path) {
            true => absolute(path),
            false => scratch.path.join("outputs"),
        }),
        each_step: arguments.compare.map(|_| scratch.path.join("steps")),
        scratch: scratch.is_made.then(|| scratch.path.clone()),
        checkpoints: feed.checkpoints.as_ref().map(|checkpoints| absolute(&checkpoints.folder)),
        every: feed.checkpoints.as_ref().map(|checkpoints| checkpoints.every),
        keep: feed.checkpoints.as_ref().map_or(1, |checkpoints| checkpoints.keep),
        resume: feed.resumed.as_ref().map(|(path, _)| absolute(path)),
    })
}

/// Folders of lost runs that a run passes over when it makes its own.
const LEFTOVERS: usize = 1000;

/// Where results go before they are one file, or are compared: beside the file, so that there is room.
struct Scratch {
    path: PathBuf,
    is_made: bool,
}

impl Scratch {
    fn new(arguments: &RunArguments, compiled: &Compiled) -> Outcome<Self> {
        let file = arguments.outputs.as_deref().filter(|path| !is_folder(path));
        let parent = match file.and_then(Path::parent) {
            Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
            Some(parent) => parent.to_owned(),
            None if arguments.workers.hosts.is_some() => compiled.folder.clone(),
            None => std::env::temp_dir(),
        };
        let parent = std::path::absolute(&parent).unwrap_or(parent);
        let own = format!(".meshwright-{}", std::process::id());
        if file.is_none() && arguments.compare.is_none() {
            return Ok(Self { path: parent.join(own), is_made: false });
        }
        if let Some(place) = &arguments.workers.coordinator {
            // One folder for all hosts, on a file system that all see: the first worker makes it.
            let name: String = place
                .chars()
                .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' })
                .collect();
            return Ok(Self {
                path: parent.join(format!(".meshwright-{name}")),
                is_made: is_first(arguments),
            });
        }
        // A process of the same number, which was killed or is of another host, may have left one.
        for number in 0..=LEFTOVERS {
            let path = parent.join(if number == 0 { own.clone() } else { format!("{own}-{number}") });
            match std::fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path, is_made: true }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < LEFTOVERS => {}
                Err(error) => {
                    let hint = "give `--outputs` elsewhere";
                    return Err(Failure::file(&path, format!("cannot be made: {error}"), hint));
                }
            }
        }
        Err(Failure::usage("no name for a folder is free"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if self.is_made {
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}

/// What happens in a run, as it happens.
struct Watcher<'scope, 'a> {
    log: &'a Log,
    processes: usize,
    compiled: &'a Compiled,
    beside: Option<Beside<'scope, 'a>>,
    phase: RefCell<Option<Phase>>,
}

impl Watch for Watcher<'_, '_> {
    fn phase(&self, _: usize, phase: Phase) {
        let is_new = self.phase.replace(Some(phase)) != Some(phase);
        if is_new && phase == Phase::Compiling {
            let devices = crate::plural::count(self.compiled.bundle.num_devices(), "device");
            let processes =
                if self.processes == 1 { "one process" } else { &format!("{} processes", self.processes) };
            self.log.note(&format!("compiling for {devices} in {processes}"));
        }
    }

    fn log(&self, rank: usize, line: &str) {
        self.log.worker(rank, line);
    }

    fn step(&self, step: &Step) {
        let values = step.values.iter().filter_map(|(index, value)| Some((index.parse().ok()?, *value)));
        self.log.step(step.step, step.seconds, values.collect());
    }

    fn saved(&self, step: u64, path: &str, seconds: f64) {
        self.log.note(&format!("step {step} saved in {path} ({})", meshwright_machine::Seconds(seconds)));
    }

    fn memory(&self, group: usize, bytes: u64) {
        self.log.memory(group, bytes);
    }

    fn note(&self, text: &str) {
        self.log.note(text);
    }

    fn placed(&self, placed: &Placed) {
        self.log.placed(*placed);
    }

    fn results(&self, step: u64) {
        if let Some(beside) = &self.beside {
            beside.add(step);
        }
    }

    fn should_stop(&self) -> bool {
        let Some(beside) = &self.beside else { return interrupt::asked() };
        beside.tell(self.log);
        interrupt::asked() || beside.has_failed()
    }
}

/// All results of a folder of shards.
fn read_results(folder: &Path, compiled: &Compiled) -> Outcome<Vec<Tensor>> {
    let folder = Folder::open(folder).map_err(damaged)?;
    let read = compiled.programs.results.iter().enumerate().map(|(index, ty)| match ty {
        Type::Tensor(ty) => folder.read(&format!("out{index}"), ty).map_err(damaged),
        other => Err(Failure::usage(format!("result {index} is a {other}, which has no file"))),
    });
    read.collect()
}
