//! `meshwright run`: runs a compiled folder, on embedded devices or on XLA, for as many steps as are asked for.
//!
//! [`feed`] is what goes in, [`log`] what is said on the way; `embedded` and `xla` are the engines, [`compare`]
//! runs the same steps a second time.

mod compare;
mod embedded;
mod feed;
mod log;
mod xla;

use crate::args::{Engine, Output, RunArguments};
use crate::failure::{Failure, Outcome};
use crate::report::ValueRecord;
use crate::weights::Argument;
use crate::{arrays, input, interrupt, output, weights};
use feed::Feed;
use log::Log;
use meshwright_execute::checkpoints;
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_plan::bundle::{MANIFEST_FILE, PLAN_FILE, PROGRAM_FILE, StepTensor};
use meshwright_plan::plan_file::Memory;
use meshwright_plan::{Bundle, DeviceProgram, DevicePrograms, PlanFile};
use meshwright_tensor::Tensor;
use meshwright_tensor::types::Type;
use serde_json::json;
use std::path::{Path, PathBuf};

/// A compiled folder, read and checked.
struct Compiled {
    folder: PathBuf,
    bundle: Bundle,
    /// The only program, or the manifest if there are several.
    source: Source,
    programs: DevicePrograms,
}

pub(crate) fn run(arguments: &RunArguments, out: Output) -> Outcome {
    let compiled = Compiled::read(&arguments.folder)?;
    if let Some(path) = &arguments.outputs {
        output::has_place(path)?;
        if is_folder(path) {
            let hint = "give another folder, or empty this one: what is in it would be replaced";
            checkpoints::may_replace(path)
                .map_err(|error| Failure::file(&error.path, error.message, hint))?;
        }
    }
    match arguments.engine {
        Engine::Embedded => crate::workers::refuse(&arguments.workers)?,
        Engine::Xla if arguments.checkpoint.weights.is_some() || arguments.save_weights.is_some() => {
            return Err(Failure::usage("`--weights` and `--save-weights` are for the embedded engine"));
        }
        Engine::Xla => xla::scans_are_written_out(&compiled)?,
    }
    if let Some(path) = &arguments.save_weights {
        output::is_new(path, arguments.force)?;
    }
    let feed = Feed::new(arguments, &compiled)?;
    let tells_steps = arguments.steps > 1 || arguments.engine == Engine::Xla;
    let log = Log::new(&compiled.bundle, compiled.planned_memory(), tells_steps, out);
    interrupt::listen();
    let Finished { results, stopped, verdict } = match arguments.engine {
        Engine::Embedded => embedded::run(arguments, &compiled, &feed, &log)?,
        Engine::Xla => xla::run(arguments, &compiled, &feed, &log)?,
    };
    if let (Some(results), Some(folder)) = (&results, &arguments.save_weights) {
        let next: Vec<Option<usize>> =
            compiled.bundle.arguments.iter().map(|argument| argument.next).collect();
        let from = arguments.checkpoint.weights.as_deref();
        weights::write(folder, &compiled.arguments(), &next, results, from)?;
    }
    let records: Vec<ValueRecord> = results.iter().flatten().enumerate().map(ValueRecord::of).collect();
    let is_to_file = arguments.outputs.as_deref().is_some_and(|path| !is_folder(path));
    if let (Some(results), Some(path), true) = (results, &arguments.outputs, is_to_file) {
        arrays::write(path, results)?;
    }
    if out.json {
        verdict?;
        let mut record = log.record();
        record["results"] = json!(records);
        output::print(&output::json(&record))?;
        return if stopped.is_some() { Err(Failure::Stopped(None)) } else { Ok(()) };
    }
    let table = if records.is_empty() { String::new() } else { ValueRecord::table(&records) };
    output::print(&format!("{}{table}", log.summary()))?;
    verdict?;
    if stopped.is_some() { Err(Failure::Stopped(None)) } else { Ok(()) }
}

/// How a run came to its end.
struct Finished {
    /// The last step's results, if they are here and not in a folder.
    results: Option<Vec<Tensor>>,
    /// The step after which it stopped, if it was asked to before the last one.
    stopped: Option<u64>,
    /// What the comparison came to, if there was one.
    verdict: Outcome,
}

/// What is said if no checkpoints were asked for.
const UNSAVED: &str = "nothing was saved: `--checkpoint-every N DIR` writes checkpoints";

/// Says that a run stopped as asked, and what there is of it.
fn note_stop(step: u64, saved: Option<String>, arguments: &RunArguments, log: &Log) {
    log.note(&format!("stopped after step {step}, as asked"));
    if let Some(saved) = saved {
        log.note(&saved);
    }
    if let Some(path) = &arguments.outputs {
        log.note(&format!("{} was not written: it is for the results of the last step", path.display()));
    }
}

/// Whether outputs are to become a folder of shards.
fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with('/') || path.is_dir()
}

/// Results by what the folder calls them.
fn named(
    results: &[Tensor],
    bundle: &Bundle,
) -> std::collections::BTreeMap<String, (Option<String>, Tensor)> {
    let name = |index: usize| bundle.results.get(index).and_then(|result| result.name.clone());
    let each = results.iter().enumerate();
    each.map(|(index, tensor)| (format!("out{index}"), (name(index), tensor.clone()))).collect()
}

impl Compiled {
    fn read(folder: &Path) -> Outcome<Self> {
        if !folder.is_dir() {
            return Err(Failure::file(folder, "there is no such folder", "`meshwright compile` writes one"));
        }
        let manifest = folder.join(MANIFEST_FILE);
        if !manifest.exists() {
            complete(folder, &[MANIFEST_FILE, PROGRAM_FILE])?;
        }
        let text = input::text(&manifest, "manifest")?;
        let bundle = Bundle::from_text(&text.text).map_err(|found| Failure::input(&text, vec![*found]))?;
        let files: Vec<&str> = bundle.programs.iter().map(|program| program.file.as_str()).collect();
        complete(folder, &files)?;
        let sources = files.iter().map(|file| input::text(&folder.join(file), "local program"));
        let sources = sources.collect::<Outcome<Vec<Source>>>()?;
        let codes = sources
            .iter()
            .map(|source| meshwright_compile::read(source).map_err(|found| Failure::input(source, found)));
        let codes = codes.collect::<Outcome<Vec<Program>>>()?;
        let programs = bundle.resolve(codes).map_err(|found| Failure::input(&text, vec![*found]))?;
        for (described, source) in bundle.programs.iter().zip(&sources) {
            let id = described.program.parse();
            let program = id.ok().and_then(|id| programs.programs.get(&id));
            program.map_or(Ok(()), |program| verify(&program.device, source))?;
        }
        programs.verify().map_err(|found| Failure::input(&text, found))?;
        let source = match (programs.as_whole(), sources.into_iter().next()) {
            (Some(_), Some(source)) => source,
            _ => text,
        };
        Ok(Self { folder: folder.to_owned(), bundle, source, programs })
    }

    /// What the folder's plan says of memory; a run needs no plan, so that one which is missing or of another version is none.
    fn planned_memory(&self) -> Option<Memory> {
        Some(self.plan()?.1.memory)
    }

    /// The folder's plan, likewise.
    fn plan(&self) -> Option<(Source, PlanFile)> {
        let source = input::text(&self.folder.join(PLAN_FILE), "plan").ok()?;
        let plan = PlanFile::from_text(&source.text).ok()?;
        Some((source, plan))
    }

    /// The step's arguments, as checkpoints of weights are asked for them.
    fn arguments(&self) -> Vec<Argument> {
        let all = self.argument_types().into_iter().zip(&self.bundle.arguments);
        let argument = |(ty, described): (Type, &StepTensor)| Argument {
            name: described.name.clone(),
            ty,
            is_state: described.next.is_some(),
        };
        all.map(argument).collect()
    }

    fn argument_types(&self) -> Vec<Type> {
        self.programs.arguments.clone()
    }

    /// A failure that is about the local program.
    fn failure(
        &self,
        check: meshwright_ir::diagnostic::Check,
        message: String,
        hint: &str,
    ) -> crate::failure::Finding {
        let diagnostic = Diagnostic::error(check, Span::NONE, message).hint(hint);
        crate::failure::Finding { diagnostic, source: Some(self.source.clone()) }
    }
}

/// Refuses a local program that does not go with what the manifest says of it.
fn verify(device: &DeviceProgram, source: &Source) -> Outcome {
    meshwright_compile::verify_local(device).map_err(|found| {
        let hint = "the program does not go with `manifest.json`: compile it again";
        Failure::input(source, found.into_iter().map(|diagnostic| diagnostic.hint(hint)).collect())
    })
}

/// Refuses a folder that lacks files which a run needs. The plan is for people, and for `--plan`: it may be missing.
fn complete(folder: &Path, needed: &[&str]) -> Outcome {
    let missing: Vec<String> =
        needed.iter().filter(|name| !folder.join(name).exists()).map(|name| format!("`{name}`")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("the folder lacks {}", missing.join(" and "));
    Err(Failure::file(folder, message, "give a folder that `meshwright compile` wrote, as it wrote it"))
}
