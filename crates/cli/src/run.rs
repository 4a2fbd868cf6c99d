//! `meshwright run`: runs a compiled folder on the embedded devices.

use crate::args::{Engine, Output, RunArguments};
use crate::door::Door;
use crate::failure::{Failure, Finding, Outcome};
use crate::report::ValueRecord;
use crate::{arrays, input, memory, output};
use meshwright_execute::footprint;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::types::Type;
use meshwright_plan::{DeviceProgram, Manifest};
use std::path::Path;

/// Devices that should hold the same do not.
const COPIES: Check = Check("copies-differ");

pub(crate) fn run(arguments: &RunArguments, out: Output) -> Outcome {
    let Engine::Embedded = arguments.engine;
    let folder = &arguments.folder;
    if !folder.is_dir() {
        return Err(Failure::file(folder, "there is no such folder", "`meshwright compile` writes one"));
    }
    complete(folder)?;
    let text = input::text(&folder.join(crate::compile::MANIFEST_FILE), "manifest")?;
    let manifest = Manifest::from_text(&text.text)
        .and_then(|manifest| manifest.resolve())
        .map_err(|found| Failure::input(&text, vec![*found]))?;
    let source = input::text(&folder.join(crate::compile::PROGRAM_FILE), "local program")?;
    let program = meshwright_compile::read(&source).map_err(|found| Failure::input(&source, found))?;
    let device = DeviceProgram {
        program,
        mesh: manifest.mesh,
        arguments: manifest.arguments,
        results: manifest.results,
        manual: AxisSet::EMPTY,
    };
    meshwright_compile::verify_local(&device).map_err(|found| {
        let hint = "the program does not go with `manifest.json`: compile it again";
        Failure::input(&source, found.into_iter().map(|diagnostic| diagnostic.hint(hint)).collect())
    })?;

    let types: Vec<Type> = device.arguments.iter().map(|(ty, _)| ty.clone()).collect();
    let precision = arrays::precision(arguments.numbers);
    arrays::needed(arguments.inputs.as_deref(), &types)?;
    memory::require(footprint::of_run(&device, precision), "running the program on every device", &source)?;
    let inputs = arrays::read_all(arguments.inputs.as_deref(), &types)?;
    let door = Door::plain();
    let results = meshwright_execute::run(&device, &inputs, precision, &door)
        .map_err(|error| arrays::failure(&error, &source));
    door.wipe();
    let results = results?;
    let apart = results.iter().enumerate().find_map(|(index, result)| Some((index, result.copies.devices?)));
    if let Some((index, (first, second))) = apart {
        let copies = &results[index].copies;
        let message = format!(
            "devices {first} and {second} hold different copies of result {index} (largest difference {:.1e})",
            copies.max_abs
        );
        let diagnostic = Diagnostic::error(COPIES, Span::NONE, message)
            .hint("the local program is wrong: compile it again, and `meshwright check` the model");
        return Err(Failure::Check(Box::new(Finding { diagnostic, source: Some(source) })));
    }
    let results: Vec<_> = results.into_iter().map(|result| result.tensor).collect();
    let records: Vec<ValueRecord> = results.iter().enumerate().map(ValueRecord::of).collect();
    arrays::write(&arguments.outputs, results)?;
    output::print(&if out.json { output::json(&records) } else { ValueRecord::table(&records) })
}

/// Refuses a folder that lacks what a run needs. The plan is for people, and for `--plan`: it may be missing.
fn complete(folder: &Path) -> Outcome {
    let needed = [crate::compile::MANIFEST_FILE, crate::compile::PROGRAM_FILE];
    let missing: Vec<String> =
        needed.iter().filter(|name| !folder.join(name).exists()).map(|name| format!("`{name}`")).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let message = format!("the folder lacks {}", missing.join(" and "));
    Err(Failure::file(folder, message, "give a folder that `meshwright compile` wrote, as it wrote it"))
}
