//! `meshwright export`: a plan as the job files of another framework.

use crate::args::{ExportArguments, Output};
use crate::failure::{Failure, Finding, Outcome, warn};
use crate::table::{Lean, render};
use crate::{input, output, planning};
use meshwright_export::{
    EXPORT, Export, Fault, Gap, Otherwise, TARGETS, Target, changes, export, planned, refusal, target,
};
use meshwright_ir::diagnostic::Source;
use serde_json::json;
use std::path::Path;

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
    let config = arguments.config.as_deref().map(|path| input::text(path, "config.json")).transpose()?;
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
    output::write_folder(folder, &files)?;
    output::print(&said(&written, target, folder, out))
}

/// A refusal, with all that the target cannot run.
fn refused(target: &Target, gaps: &[Gap], source: &Source) -> Failure {
    let finding = |gap: &Gap| Finding { diagnostic: refusal(target, gap), source: Some(source.clone()) };
    Failure::Refused(gaps.iter().map(finding).collect())
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
