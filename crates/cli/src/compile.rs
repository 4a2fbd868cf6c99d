//! `meshwright compile`: writes the program of one device, the plan, the manifest and the whole program into a
//! folder.

use crate::args::{CompileArguments, Output};
use crate::failure::Outcome;
use crate::{output, planning, plural};
use meshwright_ir::text::{Form, print};
use serde::Serialize;

/// The local program in a compiled folder.
pub(crate) const PROGRAM_FILE: &str = "program.mlir";
/// The plan in it.
pub(crate) const PLAN_FILE: &str = "plan.json";
/// The manifest in it.
pub(crate) const MANIFEST_FILE: &str = "manifest.json";

/// The program before it was partitioned, as it was given: what a run is compared with.
pub(crate) const WHOLE_FILE: &str = "whole.mlir";

/// What was written.
#[derive(Serialize)]
struct Record {
    folder: String,
    files: [&'static str; 4],
    num_devices: usize,
}

pub(crate) fn run(arguments: &CompileArguments, out: Output) -> Outcome {
    let (plan, output) = (arguments.plan.as_deref(), Some(arguments.output.as_path()));
    let Some(planned) =
        planning::compile(&arguments.planning, planning::NoMachine::Refused, plan, output, out)?
    else {
        return Ok(());
    };
    let compiled = &planned.compiled;
    let manifest = compiled.manifest();
    let files = [
        (PROGRAM_FILE, print(&compiled.device.program, Form::Pretty)),
        (PLAN_FILE, compiled.plan.to_text()),
        (MANIFEST_FILE, manifest.to_text()),
        (WHOLE_FILE, planned.source.text.to_string()),
    ];
    let bytes: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    output::write_folder(&arguments.output, &bytes)?;
    let folder = arguments.output.display().to_string();
    let record =
        Record { folder, files: files.each_ref().map(|(name, _)| *name), num_devices: manifest.num_devices };
    if out.json {
        return output::print(&output::json(&record));
    }
    output::print(&format!(
        "{}: the program of one of {}, its plan and its manifest\n",
        record.folder,
        plural::count(record.num_devices, "device")
    ))
}
