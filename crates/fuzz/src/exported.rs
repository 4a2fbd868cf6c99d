//! Targets of what comes from other frameworks and goes to them: checkpoints, job files, exports of plans.

use crate::targets::Reached;
use meshwright_export::read::{Around, read};
use meshwright_export::{Job, Model, Otherwise, TARGETS};
use meshwright_ir::diagnostic::Source;
use meshwright_models::{Batch, Options};
use meshwright_plan::PlanFile;
use meshwright_weights::{File, Wanted, safetensors};
use std::io::Cursor;

/// The configuration of the model whose plans are exported.
const CONFIG: &str = include_str!("../../../tests/data/exports/llama.json");

/// Reads all tensors of a file, as parameters of their own types.
pub(crate) fn weights(bytes: &[u8]) -> Result<Reached, String> {
    let Ok(entries) = safetensors::header(&mut Cursor::new(bytes)) else { return Ok(Reached::Errors) };
    let wanted = entries.into_iter().map(|(name, entry)| Wanted { name, ty: entry.ty });
    let wanted: Vec<Wanted> = wanted.filter(|wanted| !wanted.name.contains('{')).collect();
    let mut files = [File { name: "fuzzed".to_owned(), reader: Cursor::new(bytes) }];
    let read = meshwright_weights::read(&wanted, &mut files);
    Ok(if read.is_ok() { Reached::Run } else { Reached::Read })
}

/// Reads a text as each form of job file.
pub(crate) fn job(bytes: &[u8]) -> Result<Reached, String> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(Reached::Errors) };
    let mut reached = Reached::Errors;
    for name in ["job.toml", "job.json", "job.sh", "job.yaml"] {
        let Ok(found) = read(name, text, Around { devices: 8, layers: Some(6) }) else { continue };
        reached = Reached::Read;
        let devices = found.degrees.num_devices();
        if devices != 8 {
            return Err(format!("the degrees of {name} are of {devices} devices, not 8"));
        }
    }
    Ok(reached)
}

/// Exports a plan, with the sizes of a model, to every target.
pub(crate) fn export(bytes: &[u8]) -> Result<Reached, String> {
    let plan = std::str::from_utf8(bytes).ok().and_then(|text| PlanFile::from_text(text).ok());
    let Some(plan) = plan else { return Ok(Reached::Errors) };
    let options = Options { sequence: Some(16), batch: Batch::Sequences(8), ..Options::default() };
    let model = meshwright_models::read(&Source::new("config.json", CONFIG), &options);
    let model = model.map_err(|fault| format!("the configuration is refused: {}", fault.message))?;
    let Ok(job) = Job::read(&plan, Some(Model::read(&model))) else { return Ok(Reached::Read) };
    for target in TARGETS {
        // A refusal is an answer too.
        let _ = meshwright_export::export(job.clone(), target, Otherwise::Nearest);
    }
    Ok(Reached::Run)
}
