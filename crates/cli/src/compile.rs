//! `meshwright compile`: writes the program of one device (of each stage and phase, if the step is cut), the plan, the
//! manifest and the whole program into a folder.

use crate::args::{CompileArguments, Output};
use crate::best::{self, Best};
use crate::failure::Outcome;
use crate::planning::{NoMachine, must_be_finished};
use crate::{output, plural};
use serde::Serialize;

/// What was written.
#[derive(Serialize)]
struct Record {
    folder: String,
    files: Vec<String>,
    num_devices: usize,
}

pub(crate) fn run(arguments: &CompileArguments, out: Output) -> Outcome {
    let CompileArguments { planning, pipeline, .. } = arguments;
    output::is_new(&arguments.output, arguments.force)?;
    let paths = (arguments.plan.as_deref(), Some(arguments.output.as_path()));
    let best = best::compile(planning, pipeline, NoMachine::Refused, paths, out)?;
    best.warn_of_numbers(out);
    match best {
        Best::Stopped => Ok(()),
        Best::Stages(planned) => {
            must_be_finished(&planned.pipelined.plan)?;
            let files = planned.pipelined.files(&planned.source.text);
            written(arguments, files, planned.pipelined.programs.num_devices(), out)
        }
        Best::Whole(planned) => {
            planned.must_be_finished()?;
            let compiled = &planned.compiled;
            let files = compiled.files(&planned.source.text);
            written(arguments, files, compiled.programs.num_devices(), out)
        }
    }
}

/// Writes the folder, and says so.
fn written(
    arguments: &CompileArguments,
    files: Vec<(String, String)>,
    num_devices: usize,
    out: Output,
) -> Outcome {
    let bytes: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (name.as_str(), text.as_bytes())).collect();
    output::write_folder(&arguments.output, &bytes)?;
    let folder = arguments.output.display().to_string();
    let files = files.into_iter().map(|(name, _)| name).collect();
    let record = Record { folder, files, num_devices };
    if out.json {
        return output::print(&output::json(&record));
    }
    output::print(&format!(
        "{}: the program of one of {}, its plan and its manifest\n",
        record.folder,
        plural::count(record.num_devices, "device")
    ))
}
