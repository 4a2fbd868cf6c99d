//! `meshwright export`: a plan as the job files of another framework.

use crate::args::{ExportArguments, Output};
use crate::failure::{Failure, Finding, Outcome, warn};
use crate::nearest::Nearest;
use crate::table::{Lean, render};
use crate::terminal::Terminal;
use crate::{input, output, planning, program};
use meshwright_compile::{CompileError, StepOptions, from_config};
use meshwright_export::{
    EXPORT, Export, Fault, Gap, Job, Otherwise, TARGETS, Target, changes, export, planned, refusal, target,
};
use meshwright_ir::diagnostic::{Diagnostic, Source, Span};
use meshwright_machine::Machine;
use meshwright_plan::{PlanFile, fingerprint};
use meshwright_present::wrap::wrap;
use serde_json::json;
use std::path::Path;

pub(crate) fn run(arguments: &ExportArguments, out: Output) -> Outcome {
    let Some(target) = target(&arguments.to) else { return list(out) };
    let (Some(plan), Some(folder)) = (&arguments.plan, &arguments.output) else {
        return Err(Failure::usage(
            "give the plan and the folder to write: `export plan.json --to TARGET -o FOLDER`",
        ));
    };
    output::is_new(folder, arguments.force)?;
    let source = input::text(plan, "plan")?;
    let plan = planning::read_plan(&source)?;
    let given = arguments.config.as_deref().map(program::config_text).transpose()?;
    if let Some(config) = &given {
        let is_of = Terminal::plain().during("step", || is_plan_of(&plan, config));
        let is_of = is_of.map_err(|error| planning::failure(error, config, None))?;
        if !is_of {
            return Err(Failure::input(config, vec![of_another_model(&source.name, "--config")]));
        }
    }
    let config = given.or_else(|| planned::config(&plan, &source.name));
    let job = planned::job(&plan, &source.name, config.as_ref()).map_err(|fault| match (fault, &config) {
        (Fault::Config(found), Some(config)) => Failure::input(config, vec![found]),
        (Fault::Plan(found) | Fault::Config(found), _) => Failure::input(&source, vec![found]),
    })?;
    let otherwise = if arguments.nearest { Otherwise::Nearest } else { Otherwise::Refused };
    let written = export(job, target, otherwise).map_err(|gaps| refused(target, &gaps, &source))?;
    for change in changes(&written, target) {
        warn(EXPORT, change, None, out);
    }
    let files: Vec<(&str, &[u8])> =
        written.files.iter().map(|file| (file.name, file.text.as_bytes())).collect();
    // A machine that there is not leaves no folder behind.
    let price = price(arguments, &plan, config.as_ref(), &written)?;
    output::write_folder(folder, &files)?;
    output::print(&said(&written, target, folder, price.as_ref(), out))
}

/// Returns whether a plan is of the model of a configuration, where it says how its program was made.
///
/// # Errors
/// The configuration makes no step.
pub fn is_plan_of(plan: &PlanFile, config: &Source) -> Result<bool, CompileError> {
    let Some(options) = plan.model.as_ref().and_then(|model| StepOptions::of_plan(model).ok()) else {
        return Ok(true);
    };
    Ok(fingerprint(&from_config(config, &options)?.program) == plan.program)
}

/// Refusal of the configuration of another model than that of the plan; `said` is what the configuration was given by.
pub fn of_another_model(plan_name: &str, said: &str) -> Diagnostic {
    let message = format!("`{plan_name}` is the plan of another model than this configuration");
    let hint = format!("leave `{said}` out: the plan keeps the configuration that it was made of");
    Diagnostic::error(EXPORT, Span::NONE, message).hint(hint)
}

/// What the job costs beside the plan, if it is another one and the model is known ([`Nearest::is_told`]).
fn price(
    arguments: &ExportArguments,
    plan: &PlanFile,
    config: Option<&Source>,
    written: &Export,
) -> Outcome<Option<Nearest>> {
    let Some(config) = config.filter(|_| !written.job.has_shardings) else { return Ok(None) };
    let machine = match &arguments.machine {
        Some(machine) => input::machine(machine)?,
        // The name of a machine's file says nothing of it.
        None => match Machine::from_spec(&plan.machine) {
            Ok(machine) => machine,
            Err(_) => return Ok(None),
        },
    };
    let terminal = Terminal::plain();
    let price = Nearest::of(plan, config, &machine, written, &terminal);
    terminal.wipe();
    let price = price.map_err(|error| planning::failure(error, config, None))?;
    Ok(price.filter(|price| price.is_told(written)))
}

/// A refusal, with all that the target cannot run.
fn refused(target: &Target, gaps: &[Gap], source: &Source) -> Failure {
    let finding = |gap: &Gap| Finding { diagnostic: refusal(target, gap), source: Some(source.clone()) };
    Failure::Refused(gaps.iter().map(finding).collect())
}

/// What was written.
fn said(written: &Export, target: &Target, folder: &Path, price: Option<&Nearest>, out: Output) -> String {
    let degrees = written.job.degrees.to_string();
    if out.json {
        let change = |gap: &Gap| json!({ "what": gap.what, "instead": gap.instead, "priced": gap.is_priced });
        return output::json(&json!({
            "target": target.name,
            "version": target.version,
            "output": folder.display().to_string(),
            "files": written.files.iter().map(|file| file.name).collect::<Vec<_>>(),
            "degrees": degrees,
            "microbatches": written.job.microbatches,
            "microbatch_size_sequences": written.job.microbatch_size(),
            "notes": written.job.notes,
            "changes": written.changes.iter().map(change).collect::<Vec<_>>(),
            "price": price.map(Nearest::json),
        }));
    }
    let files: Vec<String> =
        written.files.iter().map(|file| folder.join(file.name).display().to_string()).collect();
    let priced = match (written.changes.is_empty(), price) {
        (true, None) => String::new(),
        (true, Some(price)) => {
            let other = format!(
                "{} Not all of the plan is in its degrees; `plan --for {}` searches among what these say.",
                price.text(),
                target.name
            );
            wrap("", &other)
        }
        (false, Some(price)) => wrap("", &price.text()),
        (false, None) => format!(
            "What is written instead is priced by `meshwright plan STEP --machine {} --as {degrees}`.\n",
            written.job.machine
        ),
    };
    let notes: String = written.job.notes.iter().map(|note| wrap("", note)).collect();
    let what = match written.job.has_shardings {
        true => format!("the plan's shardings on {}", mesh(&written.job)),
        false => degrees,
    };
    format!("{} {}: {what}\n  {}\n{notes}{priced}", target.title, target.version, files.join("\n  "))
}

/// `data=2, model=4`.
fn mesh(job: &Job) -> String {
    let axes: Vec<String> = job.axes.iter().map(|axis| format!("{}={}", axis.name, axis.size)).collect();
    if axes.is_empty() { "one device".to_owned() } else { axes.join(", ") }
}

/// The targets.
fn list(out: Output) -> Outcome {
    if out.json {
        let row = |target: &&Target| json!({ "target": target.name, "title": target.title, "version": target.version, "files": target.form });
        return output::print(&output::json(&TARGETS.iter().map(row).collect::<Vec<_>>()));
    }
    let head = [("target", Lean::Left), ("", Lean::Left), ("version", Lean::Left), ("files", Lean::Left)];
    let row = |target: &&Target| {
        [target.name, target.title, target.version, target.form].map(str::to_owned).to_vec()
    };
    output::print(&render(&head, &TARGETS.iter().map(row).collect::<Vec<_>>()))
}
