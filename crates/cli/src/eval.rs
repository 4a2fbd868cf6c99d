//! `meshwright eval`: runs a program as it stands on one device. Of a file with several modules, each in turn.

use crate::args::{EvalArguments, Output};
use crate::failure::{Failure, Outcome};
use crate::report::ValueRecord;
use crate::terminal::Terminal;
use crate::vocabularies::Vocabularies;
use crate::{arrays, input, memory, output, plural, program, weights};
use meshwright_execute::{Footprint, run_single_device};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_models::ScanForm;
use meshwright_plan::plan_file::PlanModel;
use meshwright_tensor::Tensor;

pub(crate) fn run(arguments: &EvalArguments, out: Output) -> Outcome {
    let source = program::text(&arguments.file)?;
    let (source, programs, model) = if program::is_config(&source) {
        let made = program::configured(&source, &arguments.step, None, ScanForm::WrittenOut, out)?;
        (made.source, vec![made.program], made.model)
    } else {
        program::refuse_flags(&source, &arguments.step)?;
        let programs = meshwright_compile::read_all(&source);
        let programs = programs.map_err(|found| Failure::input(&source, found))?;
        (source, programs, None)
    };
    let [program] = programs.as_slice() else {
        return all(&programs, &source, arguments, out);
    };
    let results = results(program, &source, model.as_ref(), arguments)?;
    let records = records(&results);
    if let Some(path) = &arguments.outputs {
        arrays::write(path, results)?;
    }
    output::print(&if out.json { output::json(&records) } else { table(&records) })
}

/// Several modules: one table, or one list of JSON, per module.
fn all(programs: &[Program], source: &Source, arguments: &EvalArguments, out: Output) -> Outcome {
    let has_weights = arguments.checkpoint.weights.is_some();
    if arguments.inputs.is_some() || arguments.outputs.is_some() || has_weights {
        let modules = plural::count(programs.len(), "module");
        let message = format!("the file holds {modules}; arrays go with a single one");
        return Err(Failure::usage(message));
    }
    let mut all = Vec::new();
    for program in programs {
        let records = records(&results(program, source, None, arguments)?);
        if !out.json {
            output::print(&table(&records))?;
        }
        all.push(records);
    }
    if out.json { output::print(&output::json(&all)) } else { Ok(()) }
}

/// The results of a program; `model` is what it was made of, where that was a configuration.
fn results(
    program: &Program,
    source: &Source,
    model: Option<&PlanModel>,
    arguments: &EvalArguments,
) -> Outcome<Vec<Tensor>> {
    let main = program.main().ok_or_else(|| input::no_main(program, source))?;
    let precision = arrays::precision(arguments.numbers);
    let types = arrays::argument_types(main);
    let weights = arguments.checkpoint.weights.as_deref();
    if weights.is_none() {
        arrays::needed(arguments.inputs.as_deref(), &types)?;
    }
    let footprint = Footprint::of(program, precision);
    let file = if arguments.outputs.is_some() { footprint.results } else { 0 };
    let needed = footprint.inputs.saturating_add(footprint.beyond).saturating_add(file);
    memory::require(needed, "evaluating the program", source)?;
    let inputs = match weights {
        Some(folder) => {
            weights::all_arguments(folder, &arrays::arguments(main), arguments.inputs.as_deref())?
        }
        None => arrays::read_all(arguments.inputs.as_deref(), main)?,
    };
    if let Some(path) = &arguments.inputs {
        Vocabularies::of(model, weights, &arrays::arguments(main)).must_have_all(&inputs, path)?;
    }
    let terminal = Terminal::plain();
    let results = run_single_device(program, &main.name, inputs, precision, &terminal)
        .map_err(|error| arrays::failure(&error.into(), source));
    terminal.wipe();
    results
}

fn records(results: &[Tensor]) -> Vec<ValueRecord> {
    results.iter().enumerate().map(ValueRecord::of).collect()
}

/// Nothing for a program without results, as those that only check.
fn table(records: &[ValueRecord]) -> String {
    if records.is_empty() { String::new() } else { ValueRecord::table(records) }
}
