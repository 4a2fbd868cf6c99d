//! The price of what is nearest: a plan beside the job that was written in its place.
//!
//! Input: a plan that says how its program was made, the model's configuration, and a job. Output: [`Nearest`]: the step that
//! was planned, and what the row of a grid with the job's degrees, microbatches, recomputation, schedule, stages and types of
//! numbers says of it.

use meshwright_compile::{
    CompileError, GridOutcome, GridRow, Kernels, Microbatches, Options, ParallelDegrees, Recompute,
    StepOptions, from_config,
};
use meshwright_export::{Export, Job, Precision};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_models::Recipe;
use meshwright_plan::PlanFile;
use meshwright_schedule::Named;
use serde_json::{Value, json};

/// Share of a step by which what degrees alone say may be off what was planned of them.
const SAME: f64 = 0.01;

/// A plan, and the job in its place.
#[derive(Clone, Debug)]
pub struct Nearest {
    /// Step time and memory of a device, as they were planned.
    pub planned: (Seconds, Bytes),
    /// The degrees of the job.
    pub degrees: String,
    /// What the job costs, or why it is no plan.
    pub written: GridOutcome,
    /// What such a price does not count of what is not as planned.
    pub leaves_out: Vec<String>,
}

impl Nearest {
    /// Prices a job; none where the plan does not say how its program was made, or was made for another machine.
    ///
    /// # Errors
    /// As [`meshwright_compile::grid`].
    pub fn of(
        plan: &PlanFile,
        config: &Source,
        machine: &Machine,
        export: &Export,
        control: &dyn Control,
    ) -> Result<Option<Self>, CompileError> {
        let job = &export.job;
        let made = plan.model.as_ref().and_then(|model| StepOptions::of_plan(model).ok());
        let (Some(mut options), true) = (made, machine.num_devices() == job.num_devices()) else {
            return Ok(None);
        };
        options.model.recipe = match job.precision {
            Precision::F32 => Recipe::F32,
            Precision::Bf16 => Recipe::Bf16,
        };
        let made = from_config(config, &options)?;
        let Some(options) = row_options(plan, job) else { return Ok(None) };
        let options = Options { model: Some(made.model), ..options };
        let rows = meshwright_compile::grid(&made.program, &made.source, machine, &options, control)?;
        let planned = (Seconds(plan.predicted.total_seconds), Bytes(plan.memory.peak_bytes));
        let written = rows.into_iter().next().map(|GridRow { outcome, .. }| outcome);
        let (degrees, leaves_out) = (job.degrees.to_string(), leaves_out(export));
        Ok(written.map(|written| Self { planned, degrees, written, leaves_out }))
    }

    /// Seconds of a step of the job, if it fits.
    pub fn seconds(&self) -> Option<Seconds> {
        match &self.written {
            GridOutcome::Plan(figures) => Some(figures.seconds),
            _ => None,
        }
    }

    /// Returns whether the job, by its degrees alone, takes what was planned.
    pub fn is_as_planned(&self) -> bool {
        self.seconds().is_some_and(|seconds| (seconds.0 / self.planned.0.0 - 1.0).abs() < SAME)
    }

    /// Returns whether there is something to tell: the job has changes, or its degrees alone do not take what was planned, as of
    /// a plan in which some values are sharded otherwise.
    pub fn is_told(&self, export: &Export) -> bool {
        !export.changes.is_empty() || !self.is_as_planned()
    }

    /// In a sentence, and another one of what it leaves out.
    pub fn text(&self) -> String {
        let (seconds, peak) = self.planned;
        let planned = format!("A step was planned to take {seconds} and {peak}");
        let price = match &self.written {
            GridOutcome::Plan(figures) => {
                let longer = 100.0 * (figures.seconds.0 / seconds.0 - 1.0);
                let than = if longer < 0.0 { "less" } else { "more" };
                format!(
                    "{planned}; what is written, {}, takes {}, {:.1} % {than}, and {}.",
                    self.degrees,
                    figures.seconds,
                    longer.abs(),
                    figures.peak
                )
            }
            GridOutcome::DoesNotFit { peak, limit, .. } => {
                format!(
                    "{planned}; what is written, {}, does not fit: it needs {peak} of {limit}.",
                    self.degrees
                )
            }
            GridOutcome::NotAllowed(why) | GridOutcome::Refused(why) => {
                format!("{planned}; what is written, {}, cannot be priced: {why}.", self.degrees)
            }
            GridOutcome::Unpriced => format!("{planned}; what is written, {}, was not priced.", self.degrees),
        };
        match self.leaves_out.as_slice() {
            [] => price,
            beside => format!("{price} That does not count: {}.", beside.join("; ")),
        }
    }

    /// As data.
    pub fn json(&self) -> Value {
        let (seconds, peak) = self.planned;
        let written = match &self.written {
            GridOutcome::Plan(figures) => json!({
                "step_seconds": figures.seconds.0,
                "peak_bytes": figures.peak.0,
                "fits": true,
                "share_longer": figures.seconds.0 / seconds.0 - 1.0,
            }),
            GridOutcome::DoesNotFit { peak, limit, .. } => {
                json!({ "fits": false, "peak_bytes": peak.0, "limit_bytes": limit.0 })
            }
            GridOutcome::NotAllowed(why) | GridOutcome::Refused(why) => {
                json!({ "fits": false, "reason": why })
            }
            GridOutcome::Unpriced => json!({ "fits": false, "reason": "it was not priced" }),
        };
        json!({
            "planned": { "step_seconds": seconds.0, "peak_bytes": peak.0 },
            "written": written,
            "leaves_out": self.leaves_out,
        })
    }
}

/// Options of a grid whose only row is a job, within the memory that the plan had; none where `--as` does not read its degrees.
fn row_options(plan: &PlanFile, job: &Job) -> Option<Options> {
    let way = job.degrees.to_string().parse::<ParallelDegrees>().ok()?;
    let is_cut = job.microbatches > 1 || job.degrees.pp > 1;
    Some(Options {
        asked: Some(way),
        microbatches: is_cut.then_some(Microbatches::Number(job.microbatches)),
        schedule: schedule(job),
        stage_layers: job.stages.clone().map(|layers| (layers.len(), layers)).into_iter().collect(),
        recompute: job.recompute.name().parse::<Recompute>().ok(),
        kernels: if plan.attention.is_some() { Kernels::On } else { Kernels::Off },
        memory_limit: Some(Bytes(plan.memory.limit_bytes)).filter(|limit| limit.0 > 0),
        ..Options::default()
    })
}

/// The schedule of a job's stages; none if it is the usual one, or has no name.
fn schedule(job: &Job) -> Option<Named> {
    let names = &job.schedule_names;
    let is_usual = job.degrees.pp == 1 || names.contains(&meshwright_schedule::usual(job.degrees.vp));
    names.first().filter(|_| !is_usual).and_then(|name| meshwright_schedule::named(name))
}

/// What is not as planned and no row of a grid says.
fn leaves_out(export: &Export) -> Vec<String> {
    let beside = export.changes.iter().filter(|gap| !gap.is_priced);
    let mut leaves_out: Vec<String> = beside.filter_map(|gap| gap.instead.clone()).collect();
    if export.job.degrees.pp > 1 && export.job.schedule_names.is_empty() {
        leaves_out.push("a schedule without a name".to_owned());
    }
    leaves_out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_priced_by_the_schedule_that_is_written() {
        let plan = include_str!("../../../tests/data/exports/plans/data_and_tensor.json");
        let plan = PlanFile::from_text(plan).unwrap();
        let mut job = Job::read(&plan, None).unwrap();
        let mut priced = |[pp, vp]: [usize; 2], names: &[&'static str]| {
            (job.degrees.pp, job.degrees.vp) = (pp, vp);
            job.schedule_names = names.to_vec();
            let schedule = row_options(&plan, &job).unwrap().schedule.map(|named| named.name);
            let export = Export { job: job.clone(), files: Vec::new(), changes: Vec::new() };
            (schedule, leaves_out(&export))
        };
        assert_eq!(priced([2, 1], &["gpipe"]), (Some("gpipe"), Vec::new()));
        assert_eq!(priced([2, 2], &["zb-v"]), (Some("zb-v"), Vec::new()));
        // Rows have the usual one by themselves.
        assert_eq!(priced([2, 1], &["gpipe", "1f1b"]), (None, Vec::new()));
        assert_eq!(priced([2, 2], &["interleaved-1f1b"]), (None, Vec::new()));
        assert_eq!(priced([1, 1], &[]), (None, Vec::new()));
        // What has no name is priced as that, and said.
        assert_eq!(priced([2, 1], &[]), (None, vec!["a schedule without a name".to_owned()]));
    }
}
