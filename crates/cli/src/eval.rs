//! `meshwright eval`: runs a program as it stands on one device.

use crate::args::{EvalArguments, Output};
use crate::door::Door;
use crate::failure::{Failure, Outcome};
use crate::report::ValueRecord;
use crate::{arrays, input, output};
use meshwright_execute::run_alone;

pub(crate) fn run(arguments: &EvalArguments, out: Output) -> Outcome {
    let source = input::text(&arguments.file, "StableHLO program")?;
    let program = meshwright_compile::read(&source).map_err(|found| Failure::input(&source, found))?;
    let main = program.main().ok_or_else(|| input::no_main(&source))?;
    let types = arrays::argument_types(main);
    let inputs = match &arguments.inputs {
        Some(path) => arrays::read(path, &types)?,
        None if types.is_empty() => Vec::new(),
        None => {
            let message =
                format!("the program takes {} arguments: give them with `--inputs FILE`", types.len());
            return Err(Failure::Usage(message));
        }
    };
    let door = Door::plain();
    let results = run_alone(&program, &main.name, inputs, arrays::precision(arguments.numbers), &door)
        .map_err(|error| arrays::failure(&error.into(), &source));
    door.wipe();
    let results = results?;
    let records: Vec<ValueRecord> = results.iter().enumerate().map(ValueRecord::of).collect();
    if let Some(path) = &arguments.outputs {
        arrays::write(path, results)?;
    }
    output::print(&if out.json { output::json(&records) } else { ValueRecord::table(&records) })
}
