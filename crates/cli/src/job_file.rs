//! Job files of other frameworks beside a plan: what they say becomes flags that are not given.

use crate::args::Planning;
use crate::failure::{Failure, Outcome};
use crate::input;
use meshwright_compile::{Microbatches, Recompute};
use meshwright_export::read::{Found, read};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use std::path::Path;

/// A job file is not read, or says what cannot be planned.
const JOB: Check = Check("job");

/// The same planning, with the degrees of a job as what is asked for, and its microbatches and recomputation where no
/// flag says them.
pub(crate) fn asked_for(planning: &Planning, path: &Path) -> Outcome<Planning> {
    let source = input::text(path, "job file")?;
    let Some(machine) = &planning.machine else {
        return Err(Failure::usage(
            "`--from`: a job file says nothing of links: give the machine with `--machine`",
        ));
    };
    let devices = input::machine(machine)?.num_devices();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let found = read(&name, &source.text, devices).map_err(|message| at_fault(&source, message))?;
    let Found { degrees, microbatches, recompute, .. } = found;
    if degrees.pp > 1 {
        let message =
            format!("the job has {} stages of a pipeline, of which degrees say nothing", degrees.pp);
        return Err(at_fault(&source, message));
    }
    let said = degrees.to_string().parse().map_err(|refusal| at_fault(&source, format!("{refusal}")))?;
    let mut planning = Planning { degrees: planning.degrees.with(said), ..planning.clone() };
    if planning.fitting.microbatches.is_none() && planning.fitting.microbatch_size.is_none() {
        planning.fitting.microbatches = microbatches.map(Microbatches::Number);
    }
    if planning.fitting.recompute.is_empty() {
        planning
            .fitting
            .recompute
            .extend(recompute.map(|level| level.name().parse::<Recompute>()).transpose().ok().flatten());
    }
    Ok(planning)
}

fn at_fault(source: &Source, message: String) -> Failure {
    let hint = "a key that is not known may change what the job does: take it out to read the rest";
    Failure::input(source, vec![Diagnostic::error(JOB, Span::NONE, message).hint(hint)])
}
