//! Job files of other frameworks beside a plan: what they say becomes flags that are not given; a job with stages is priced as
//! the pipeline that it is.

use crate::args::{JobFile, OneOf, Output, PlanArguments, Planning};
use crate::failure::{Failure, Outcome};
use crate::input;
use crate::pipeline_plan::{must_be_known_of_degrees, of_way};
use crate::plan::{self, Beside};
use crate::planning::{Inputs, NoMachine};
use meshwright_compile::{DegreeSpace, Microbatches, Options, ParallelDegrees, PipelinePlan};
use meshwright_export::read::{Found, read};
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_machine::Seconds;
use serde_json::json;
use std::path::Path;

/// A job file is not read, or says what cannot be planned.
const JOB: Check = Check("job");

/// A job that was read.
struct Job {
    /// The planning that its flags come to.
    planning: Planning,
    /// Stages of its pipeline, in groups of devices.
    groups: usize,
    source: Source,
}

/// The same planning, with the degrees of a job as what is asked for, and its microbatches and recomputation where no
/// flag says them.
pub(crate) fn asked_for(planning: &Planning, path: &Path) -> Outcome<Planning> {
    let job = Job::read(planning, path)?;
    match job.groups {
        1 => Ok(job.planning),
        _ => Err(Failure::usage(
            "`--from` of a job with stages goes with one value of each flag, `--global-batch` too",
        )),
    }
}

/// Plans, and prices beside it the pipeline of a job. Returns whether the job is one.
pub(crate) fn run_stages(arguments: &PlanArguments, path: &Path, out: Output) -> Outcome<bool> {
    let job = Job::read(&arguments.planning, path)?;
    if job.groups == 1 {
        return Ok(false);
    }
    must_be_known_of_degrees(&job.planning, &arguments.pipeline)?;
    let degrees: DegreeSpace = job.planning.degrees.space().map_err(Failure::usage)?;
    let said = arguments.pipeline.said();
    let (degrees, schedule) = said.of_degrees(degrees).map_err(Failure::usage)?;
    let Some(way) = degrees.only() else { return Ok(false) };
    let mut inputs = Inputs::of_groups(&job.planning, NoMachine::Refused, 1, None, out)?;
    inputs.options = Options { schedule, ..said.of_groups(inputs.options) };
    let priced = match of_way(&job.planning, &mut inputs, way) {
        Ok(priced) => Ok(priced),
        Err(failure) => Err(failure.no()?),
    };
    let own = PlanArguments { job: JobFile { from: None, ..arguments.job.clone() }, ..arguments.clone() };
    let Some(answer) = plan::answer(&own, out)? else { return Ok(true) };
    let beside = beside(&job.source.name, way, priced, answer.seconds());
    answer.show(arguments, Some(&beside), out)?;
    Ok(true)
}

/// What a job takes, beside a plan that takes so long.
fn beside(name: &str, way: ParallelDegrees, priced: Result<PipelinePlan, String>, plan: Seconds) -> Beside {
    let priced = match priced {
        Ok(priced) => priced,
        Err(why) => {
            let said = format!("what `{name}` says, {way}, is no plan: {why}");
            let data = json!({ "degrees": way.to_string(), "refusal": why });
            return Beside { head: format!("{said}\n\n"), key: "job", data, said };
        }
    };
    let (step, count) = (priced.figures.step(), priced.microbatches);
    let share = step.0 / plan.0;
    let than = match 100.0 * (share - 1.0) {
        more if more >= 0.05 => format!("{more:.1} % more than the plan"),
        less if less <= -0.05 => format!("{:.1} % less than the plan", -less),
        _ => "as long as the plan".to_owned(),
    };
    let schedule = priced.schedule.name;
    let said =
        format!("what `{name}` says, {way} in {count} microbatches by {schedule}, takes {step}: {than}");
    let data = json!({
        "degrees": way.to_string(),
        "microbatches": count,
        "schedule": schedule,
        "step_seconds": step.0,
        "bubble_share": priced.figures.bubble(),
        "peak_bytes": priced.figures.memory().into_iter().max().unwrap_or_default().0,
    });
    Beside { head: format!("{said}\n\n"), key: "job", data, said }
}

impl Job {
    /// Errors: what is no job file, or says what it cannot mean.
    fn read(planning: &Planning, path: &Path) -> Outcome<Self> {
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
        let said = degrees.to_string().parse().map_err(|refusal| at_fault(&source, format!("{refusal}")))?;
        let mut planning = Planning { degrees: planning.degrees.with(said), ..planning.clone() };
        if !planning.fitting.says_microbatches() {
            planning.fitting.microbatches.extend(microbatches.map(Microbatches::Number));
        }
        if planning.fitting.recompute.is_empty() {
            planning
                .fitting
                .recompute
                .extend(recompute.map(|level| level.name().parse::<OneOf>()).transpose().ok().flatten());
        }
        Ok(Self { planning, groups: degrees.pp, source })
    }
}

fn at_fault(source: &Source, message: String) -> Failure {
    let hint = "a key that is not known may change what the job does: take it out to read the rest";
    Failure::input(source, vec![Diagnostic::error(JOB, Span::NONE, message).hint(hint)])
}
