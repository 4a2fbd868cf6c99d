//! The program that a command works on: StableHLO text, or a training step of a model's `config.json`.
//!
//! Input: a path, flags, and the plan that was made of the same program, if there is one. Output: the program, its text
//! and, for a configuration, what the step was made of. A configuration is told from a program by how it begins: JSON by a
//! brace, which no program does.

use crate::args::{Output, StepArguments};
use crate::failure::{FILE, Failure, Outcome, USAGE, warn_all};
use crate::terminal::Terminal;
use crate::{input, planning};
use meshwright_compile::{CompileError, MeshChoice, NO_OPTIMIZER, StepOptions};
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_ir::program::Program;
use meshwright_models::{Batch, Options as ModelOptions, ScanForm};
use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::PlanModel;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A program as it was given.
pub(crate) struct Given {
    /// Its text.
    pub(crate) source: Source,
    /// The program, verified.
    pub(crate) program: Program,
    /// What it was made of, if it was made of a configuration.
    pub(crate) model: Option<PlanModel>,
}

/// Reads a program; `mesh` is that of one whose annotations name a mesh that it does not declare, `planned` what the
/// program of a plan was made of, `scan` the form of scans of a configuration of which no plan says it.
pub(crate) fn read(
    path: &Path,
    mesh: Option<&MeshChoice>,
    step: &StepArguments,
    planned: Option<&PlanModel>,
    scan: ScanForm,
    out: Output,
) -> Outcome<Given> {
    let text = text(path)?;
    if is_config(&text) {
        return configured(&text, step, planned, scan, out);
    }
    refuse_flags(&text, step)?;
    let program = of_text(&text, mesh)?;
    Ok(Given { source: text, program, model: None })
}

/// The program of a StableHLO text.
pub(crate) fn of_text(source: &Source, mesh: Option<&MeshChoice>) -> Outcome<Program> {
    if is_json(&source.text) {
        let message = format!("`{}` is a JSON file, and no StableHLO program", source.name);
        let hint =
            "the step of a model's config.json is written by `meshwright model config.json -o step.mlir`";
        return Err(Failure::input(source, vec![Diagnostic::error(FILE, Span::NONE, message).hint(hint)]));
    }
    let program = match mesh {
        Some(mesh) => meshwright_compile::read_over(source, mesh),
        None => meshwright_compile::read(source).map_err(CompileError::from),
    };
    program.map_err(|error| planning::failure(error, source, None))
}

/// Refuses flags that say what a program says itself.
pub(crate) fn refuse_flags(program: &Source, step: &StepArguments) -> Outcome {
    let Some(flag) = step.given().first().copied() else { return Ok(()) };
    let message = format!("`{flag}` goes with a model's config.json, and `{}` is a program", program.name);
    let hint = "a program says its own batch, sequences, types and optimizer: leave the flag out";
    Err(usage(message, hint))
}

fn usage(message: String, hint: &str) -> Failure {
    Failure::Usage(Box::new(Diagnostic::error(USAGE, Span::NONE, message).hint(hint)))
}

/// Bytes of the largest file that may be a configuration.
const LARGEST: u64 = 16 << 20;

/// Bytes by which a configuration is told from a program.
const BEGINNING: u64 = 4096;

/// A StableHLO program or a configuration.
pub(crate) fn text(path: &Path) -> Outcome<Source> {
    bounded_text(path, "StableHLO program or config.json")
}

/// A configuration.
pub(crate) fn config_text(path: &Path) -> Outcome<Source> {
    bounded_text(path, "config.json")
}

/// A text that is no configuration larger than any.
fn bounded_text(path: &Path, what: &str) -> Outcome<Source> {
    if path == Path::new("-") {
        let bytes = bounded(std::io::stdin().lock()).map_err(|error| input::no_stdin(&error))?;
        return match bytes {
            Some(bytes) => input::text_of(path, bytes, what),
            None => Err(too_large(path, format!("more than {LARGEST}"))),
        };
    }
    must_be_no_huge_config(path)?;
    input::text(path, what)
}

/// All of a stream; nothing of what would be a configuration by its beginning, but is larger than any.
fn bounded(mut stream: impl Read) -> std::io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    stream.by_ref().take(BEGINNING).read_to_end(&mut bytes)?;
    if !is_json(&String::from_utf8_lossy(&bytes)) {
        stream.read_to_end(&mut bytes)?;
        return Ok(Some(bytes));
    }
    stream.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(Some(bytes).filter(|bytes| bytes.len() as u64 <= LARGEST))
}

/// Refuses what would be a configuration by its beginning or name, but is larger than any, before it is read.
fn must_be_no_huge_config(path: &Path) -> Outcome {
    let Some(size) = path.metadata().ok().filter(|found| found.is_file()).map(|found| found.len()) else {
        return Ok(());
    };
    if size <= LARGEST {
        return Ok(());
    }
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    if read.is_ok() && looks_like_config(path, &String::from_utf8_lossy(&beginning)) {
        return Err(too_large(path, size.to_string()));
    }
    Ok(())
}

fn too_large(path: &Path, size: String) -> Failure {
    let message = format!("the file has {size} bytes, and no config.json has more than {LARGEST}");
    Failure::file(path, message, "give the `config.json` of a model")
}

/// True for JSON, and for what is called so.
pub(crate) fn is_config(text: &Source) -> bool {
    looks_like_config(Path::new(&text.name), &text.text)
}

fn looks_like_config(path: &Path, text: &str) -> bool {
    is_json(text) || path.extension().is_some_and(|kind| kind == "json")
}

/// Whether a text begins as JSON does, and no program.
fn is_json(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('{')
}

/// The step of a configuration.
pub(crate) fn configured(
    config: &Source,
    step: &StepArguments,
    planned: Option<&PlanModel>,
    scan: ScanForm,
    out: Output,
) -> Outcome<Given> {
    if PlanFile::is_plan(&config.text) {
        let message = "this is a plan, not a program or the config.json of a model";
        let hint = "give the model, and the plan as `--plan FILE` where the command takes it";
        let diagnostic = Diagnostic::error(FILE, Span::NONE, message).hint(hint);
        return Err(Failure::input(config, vec![diagnostic]));
    }
    let options = options(step, planned, scan)?;
    let made = Terminal::plain().during("step", || meshwright_compile::from_config(config, &options));
    let made = made.map_err(|error| planning::failure(error, config, None))?;
    warn_all(config, made.warnings, out);
    Ok(Given { source: made.source, program: made.program, model: Some(made.model) })
}

/// What flags say, and then what the plan says.
fn options(step: &StepArguments, planned: Option<&PlanModel>, scan: ScanForm) -> Outcome<StepOptions> {
    let default = match planned {
        Some(planned) => StepOptions::of_plan(planned).map_err(Failure::usage)?,
        None => {
            let StepOptions { model, optimizer } = StepOptions::of_batch(step.batch()?.ok_or_else(no_batch)?);
            StepOptions { model: ModelOptions { scan, ..model }, optimizer }
        }
    };
    let model = ModelOptions {
        sequence: step.seq.or(default.model.sequence),
        batch: step.batch()?.unwrap_or(default.model.batch),
        recipe: step.precision_recipe.map_or(default.model.recipe, Into::into),
        capacity_factor: step.capacity_factor.unwrap_or(default.model.capacity_factor),
        layers: default.model.layers,
        scan: default.model.scan,
    };
    let options = StepOptions { model, optimizer: default.optimizer };
    let options = match &step.optimizer {
        Some(name) => options.with_optimizer(name),
        None => options,
    };
    match planned {
        Some(planned) => as_planned(options, planned),
        None => Ok(options),
    }
}

/// A step of another kind than the plan was made for is refused by the flag that says so.
fn as_planned(options: StepOptions, planned: &PlanModel) -> Outcome<StepOptions> {
    let ModelOptions { sequence, batch, recipe, capacity_factor, .. } = options.model;
    let sequences = batch.sequences(sequence.unwrap_or(planned.tokens_per_sequence));
    let optimizer = options.optimizer.as_deref().unwrap_or(NO_OPTIMIZER);
    let (batch, own) = match batch {
        Batch::Sequences(_) => (sequences.unwrap_or_default(), planned.sequences),
        Batch::Tokens(count) => (count, planned.sequences * planned.tokens_per_sequence),
    };
    let differing = [
        ("--seq", sequence != Some(planned.tokens_per_sequence), planned.tokens_per_sequence.to_string()),
        ("--global-batch", batch != own, format!("{} sequences", planned.sequences)),
        ("--optimizer", optimizer != planned.optimizer, planned.optimizer.clone()),
        ("--precision-recipe", recipe.name() != planned.precision_recipe, planned.precision_recipe.clone()),
        (
            "--capacity-factor",
            capacity_factor != planned.capacity_factor,
            planned.capacity_factor.to_string(),
        ),
    ];
    match differing.into_iter().find(|(_, is_other, _)| *is_other) {
        None => Ok(options),
        Some((flag, _, own)) => {
            let message = format!("`{flag}` is not what the plan was made for, which is {own}");
            Err(usage(message, "leave the flag out, or make another plan"))
        }
    }
}

fn no_batch() -> Failure {
    usage(
        "no batch: a config.json does not say how much data a step takes".to_owned(),
        "give it with `--global-batch`, such as `--global-batch 512` (sequences) or `--global-batch 4Mtok`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_that_begin_as_json_are_read_no_further_than_a_configuration_goes() {
        let stream = |beginning: &'static str| beginning.as_bytes().chain(std::io::repeat(b' '));
        assert_eq!(bounded(stream(" {")).unwrap(), None);
        let config = bounded(stream("{}").take(LARGEST)).unwrap().unwrap();
        assert_eq!(config.len() as u64, LARGEST);
        let program = bounded(stream("module").take(LARGEST + 1)).unwrap().unwrap();
        assert_eq!(program.len() as u64, LARGEST + 1);
    }
}
