//! `meshwright export`: a plan as the job files of another framework.

use crate::args::{ExportArguments, Output};
use crate::failure::{Failure, Finding, Outcome, warn};
use crate::table::{Lean, render};
use crate::{input, output, planning};
use meshwright_export::{Export, Gap, Job, Otherwise, TARGETS, Target, export, job, target};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_models::{Batch, LayerForm, Options};
use meshwright_plan::PlanFile;
use serde_json::json;
use std::path::Path;

/// A target cannot run a plan, or not as it is.
const EXPORT: Check = Check("export");

pub(crate) fn run(arguments: &ExportArguments, out: Output) -> Outcome {
    let Some(target) = target(&arguments.to) else { return list(out) };
    let (Some(plan), Some(folder)) = (&arguments.plan, &arguments.output) else {
        return Err(Failure::usage(
            "give the plan and the folder to write: `export plan.json --to TARGET -o FOLDER`",
        ));
    };
    if folder.exists() && !arguments.force {
        let hint = "give another folder, or `--force` to replace this one";
        return Err(Failure::file(folder, "there is a folder or file of this name", hint));
    }
    output::has_place(folder)?;
    let source = input::text(plan, "plan")?;
    let plan = planning::read_plan(&source)?;
    let at_fault = |message: String| {
        let diagnostic = Diagnostic::error(EXPORT, Span::NONE, message);
        Failure::input(
            &source,
            vec![diagnostic.hint("plan a training step of a language model, `[batch, tokens]`")],
        )
    };
    let sizes = arguments.config.as_deref().map(|path| model(path, &plan, &source)).transpose()?;
    let job = Job::read(&plan, sizes).map_err(at_fault)?;
    let otherwise = if arguments.nearest { Otherwise::Nearest } else { Otherwise::Refused };
    let written = export(job, target, otherwise).map_err(|gaps| refused(target, &gaps, &source))?;
    for change in &written.changes {
        warn(EXPORT, format!("{} cannot run this as planned: {change}", target.title), None, out);
    }
    let files: Vec<(&str, &[u8])> =
        written.files.iter().map(|file| (file.name, file.text.as_bytes())).collect();
    output::write_folder(folder, &files)?;
    output::print(&said(&written, target, folder, out))
}

/// The sizes of the model in a configuration, which has to be the plan's.
fn model(
    path: &Path,
    plan: &PlanFile,
    of_plan: &Source,
) -> Outcome<Result<meshwright_export::Model, String>> {
    let config = input::text(path, "config.json")?;
    let [batch, sequence] = job::batch(plan).unwrap_or([1, 1]);
    let has_stacks =
        plan.arguments.iter().any(|argument| argument.name.as_deref().is_some_and(|name| name.contains('{')));
    let options = Options {
        sequence: Some(sequence),
        batch: Batch::Sequences(batch),
        layers: if has_stacks { LayerForm::Loop } else { LayerForm::WrittenOut },
        ..Options::default()
    };
    let model =
        meshwright_models::read(&config, &options).map_err(|fault| Failure::input(&config, vec![fault]))?;
    job::same_model(plan, &model).map_err(|message| {
        let diagnostic = Diagnostic::error(EXPORT, Span::NONE, message)
            .hint(format!("give the configuration of the model that `{}` is a plan of", of_plan.name));
        Failure::input(&config, vec![diagnostic])
    })?;
    Ok(meshwright_export::Model::read(&model, &config.text))
}

/// A refusal, with all that the target cannot run.
fn refused(target: &Target, gaps: &[Gap], source: &Source) -> Failure {
    let finding = |gap: &Gap| {
        let message = format!("{} {} cannot run the plan: {gap}", target.title, target.version);
        let diagnostic = Diagnostic::error(EXPORT, Span::NONE, message);
        let hint = match gap.instead {
            Some(_) => "`--nearest` writes what is nearest".to_owned(),
            None => "plan again with what it can run, or export to another target (`--to list`)".to_owned(),
        };
        Finding { diagnostic: diagnostic.hint(hint), source: Some(source.clone()) }
    };
    Failure::Input(gaps.iter().map(finding).collect())
}

/// What was written.
fn said(written: &Export, target: &Target, folder: &Path, out: Output) -> String {
    let degrees = written.job.degrees.to_string();
    if out.json {
        let change = |gap: &Gap| json!({ "what": gap.what, "instead": gap.instead });
        return output::json(&json!({
            "target": target.name,
            "version": target.version,
            "output": folder.display().to_string(),
            "files": written.files.iter().map(|file| file.name).collect::<Vec<_>>(),
            "degrees": degrees,
            "microbatches": written.job.microbatches,
            "microbatch_size_sequences": written.job.microbatch_size(),
            "changes": written.changes.iter().map(change).collect::<Vec<_>>(),
        }));
    }
    let files: Vec<String> =
        written.files.iter().map(|file| folder.join(file.name).display().to_string()).collect();
    let priced = match written.changes.is_empty() {
        true => String::new(),
        false => format!(
            "What is written instead is priced by `meshwright plan STEP --machine {} --as {degrees}`.\n",
            written.job.machine
        ),
    };
    format!("{} {}: {degrees}\n  {}\n{priced}", target.title, target.version, files.join("\n  "))
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
