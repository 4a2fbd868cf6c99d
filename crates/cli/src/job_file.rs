//! Job files of other frameworks beside a plan: what they say becomes flags that are not given; a job with stages is priced as
//! the pipeline that it is.

use crate::args::{
    JobFile, OneOf, Output, PipelineArguments, PlanArguments, Planning, PrecisionRecipe, SearchScope,
    StepArguments,
};
use crate::failure::{Failure, Outcome};
use crate::pipeline_plan::{must_be_known_of_degrees, of_way};
use crate::plan::{self, Beside};
use crate::planning::{Inputs, NoMachine};
use crate::{arrays, input, program};
use meshwright_compile::{DegreeSpace, Microbatches, Options, ParallelDegrees, PipelinePlan};
use meshwright_export::job::Precision;
use meshwright_export::read::{Around, Found, Problem, read};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Seconds;
use meshwright_models::Batch;
use meshwright_models::families::Architecture;
use meshwright_tensor::types::Type;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;

/// A job that was read.
struct Job {
    /// The planning that its flags come to.
    planning: Planning,
    /// Stages of its pipeline, in groups of devices.
    groups: usize,
    /// Layers of each stage, where the job has unequal ones.
    stages: Option<Vec<usize>>,
    /// The schedule of the job, where it is not the usual one.
    schedule: Option<&'static str>,
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
    let own = PlanArguments {
        job: JobFile { from: None, ..arguments.job.clone() },
        planning: Planning { step: job.planning.step.clone(), ..arguments.planning.clone() },
        ..arguments.clone()
    };
    if own.planning.search == Some(SearchScope::None) {
        // Nothing but the job is planned.
        let schedule = arguments.pipeline.schedule.clone().or(job.schedule.map(str::to_owned));
        let pipeline = PipelineArguments { schedule, ..arguments.pipeline.clone() };
        let own = PlanArguments { planning: job.planning.clone(), pipeline, ..own };
        let Some(answer) = plan::answer(&own, out)? else { return Ok(true) };
        let cut = job.stages.as_deref().map(|layers| {
            let said = format!("`{}`: {}", job.source.name, cut_otherwise(layers));
            Beside { head: format!("{said}\n\n"), key: "job", data: json!({ "stage_layers": layers }), said }
        });
        answer.show(arguments, cut.as_ref(), out)?;
        return Ok(true);
    }
    let degrees: DegreeSpace = job.planning.degrees.space().map_err(Failure::usage)?;
    let mut said = arguments.pipeline.said();
    said.schedule = said.schedule.or(job.schedule);
    let (degrees, schedule) = said.of_degrees(degrees).map_err(Failure::usage)?;
    let Some(way) = degrees.only() else { return Ok(false) };
    let mut inputs = Inputs::of_groups(&job.planning, NoMachine::Refused, 1, None, out)?;
    inputs.options = Options { schedule, ..said.of_groups(inputs.options) };
    let priced = match of_way(&job.planning, &mut inputs, way) {
        Ok(priced) => Ok(priced),
        Err(failure) => Err(failure.no()?),
    };
    let Some(answer) = plan::answer(&own, out)? else { return Ok(true) };
    let beside = beside(&job, way, priced, answer.seconds());
    answer.show(arguments, Some(&beside), out)?;
    Ok(true)
}

/// What a job takes, beside a plan that takes so long.
fn beside(job: &Job, way: ParallelDegrees, priced: Result<PipelinePlan, String>, plan: Seconds) -> Beside {
    let name = &job.source.name;
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
    let schedule = priced.schedule_name();
    let cut = job.stages.as_deref().map_or_else(String::new, |layers| format!("; {}", cut_otherwise(layers)));
    let said =
        format!("what `{name}` says, {way} in {count} microbatches by {schedule}, takes {step}: {than}{cut}");
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

/// Says that stages of a job are priced as they are cut here.
fn cut_otherwise(layers: &[usize]) -> String {
    let layers: Vec<String> = layers.iter().map(usize::to_string).collect();
    format!("its stages of {} layers are priced as cut for this machine", layers.join(", "))
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
        // What comes from stdin can be read only once.
        let text = match planning.model != Path::new("-") {
            true => Some(program::text(&planning.model)?),
            false => None,
        };
        let around = Around { devices, layers: text.as_ref().and_then(layers) };
        let found = read(&name, &source.text, around).map_err(|problem| at_fault(&source, problem))?;
        let other = |message: String| at_fault(&source, Problem::Other(message));
        let said = found.degrees.to_string().parse().map_err(|refusal| other(format!("{refusal}")))?;
        let mut planning = Planning { degrees: planning.degrees.with(said), ..planning.clone() };
        match text.filter(|_| planning.step.given().is_empty()) {
            Some(text) if !program::is_config(&text) => must_be_of_batch(&text, &name, &found)?,
            None if planning.step.given().is_empty() => {}
            _ => fill_in(&mut planning.step, &name, &found)?,
        }
        let Found { degrees, microbatches, recompute, stages, schedule, .. } = found;
        if !planning.fitting.says_microbatches() {
            planning.fitting.microbatches.extend(microbatches.map(Microbatches::Number));
        }
        if planning.fitting.recompute.is_empty() {
            planning
                .fitting
                .recompute
                .extend(recompute.map(|level| level.name().parse::<OneOf>()).transpose().ok().flatten());
        }
        Ok(Self { planning, groups: degrees.pp, stages, schedule, source })
    }
}

/// Layers of the decoder in a configuration.
fn layers(text: &Source) -> Option<usize> {
    let options = meshwright_models::Options { sequence: Some(1), ..meshwright_models::Options::default() };
    let model = program::is_config(text).then(|| meshwright_models::read(text, &options).ok())??;
    match model.architecture {
        Architecture::Decoder(decoder) => Some(decoder.layers.len()),
        _ => None,
    }
}

/// The batch, the sequences, the optimizer and the types of numbers of a job where no flag says them.
///
/// Errors: a flag says something else.
fn fill_in(step: &mut StepArguments, name: &str, found: &Found) -> Outcome {
    let of_job = StepOfJob::of(step.seq, step.batch()?, found).map_err(|Contradiction { said, own }| {
        let flag = match said {
            SaidOfStep::Sequence(given) => format!("--seq {given}"),
            SaidOfStep::Batch => "--global-batch".to_owned(),
        };
        Failure::usage(format!(
            "`{flag}` contradicts `{name}`, which says {own}: leave the flag out, or change the job"
        ))
    })?;
    step.seq = of_job.sequence;
    if let Some(batch) = of_job.batch {
        step.global_batch.get_or_insert(batch.into());
    }
    if step.optimizer.is_none() {
        step.optimizer = found.optimizer.map(str::to_owned);
    }
    if step.precision_recipe.is_none() {
        step.precision_recipe = found.precision.map(|precision| match precision {
            Precision::Bf16 => PrecisionRecipe::Bf16,
            Precision::F32 => PrecisionRecipe::F32,
        });
    }
    Ok(())
}

/// Something that the caller says of a step, and the job otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// What the caller says.
    pub said: SaidOfStep,
    /// What the job says, as the end of a sentence.
    pub own: String,
}

/// Statement about a step beside a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaidOfStep {
    /// Tokens of a sequence.
    Sequence(usize),
    /// The batch.
    Batch,
}

/// Data of a step, as the caller says it, and where he does not as a job does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepOfJob {
    /// Tokens of a sequence.
    pub sequence: Option<usize>,
    /// The batch; as the caller wrote it.
    pub batch: Option<Batch>,
}

impl StepOfJob {
    /// Of what the caller says, and a job.
    ///
    /// # Errors
    /// They say different things.
    pub fn of(sequence: Option<usize>, batch: Option<Batch>, job: &Found) -> Result<Self, Contradiction> {
        let sequence = match (sequence, job.sequence) {
            (Some(given), Some(own)) if given != own => {
                let own = format!("sequences of {own} tokens");
                return Err(Contradiction { said: SaidOfStep::Sequence(given), own });
            }
            (given, own) => given.or(own),
        };
        let sequences = batch.and_then(|batch| match (batch, sequence) {
            (Batch::Sequences(count), _) => Some(count),
            (batch, Some(length)) => batch.sequences(length).ok(),
            (Batch::Tokens(_), None) => None,
        });
        match (sequences, job.global_batch) {
            (Some(given), Some(own)) if given != own => {
                Err(Contradiction { said: SaidOfStep::Batch, own: format!("{own} sequences") })
            }
            (_, own) => Ok(Self { sequence, batch: batch.or(own.map(Batch::Sequences)) }),
        }
    }
}

/// Refuses the job of another batch than a program's, whose tokens are integers, `[batch, tokens]`.
fn must_be_of_batch(source: &Source, name: &str, found: &Found) -> Outcome {
    let Some(batch) = found.global_batch else { return Ok(()) };
    let program = program::of_text(source, None)?;
    let Some(main) = program.main() else { return Ok(()) };
    let types = arrays::argument_types(main);
    let tokens =
        types.iter().filter_map(Type::as_tensor).filter(|ty| ty.element.is_integer() && ty.rank() == 2);
    let batches: BTreeSet<usize> = tokens.map(|ty| ty.shape[0]).collect();
    match batches.is_empty() || batches.contains(&batch) {
        true => Ok(()),
        false => {
            let own: Vec<String> = batches.iter().map(usize::to_string).collect();
            Err(Failure::usage(format!(
                "`{name}` is of {batch} sequences a step, but the program is of {}: plan the program of the job's batch",
                own.join(" or ")
            )))
        }
    }
}

fn at_fault(source: &Source, problem: Problem) -> Failure {
    Failure::input(source, vec![problem.into()])
}
