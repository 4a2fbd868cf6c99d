//! Plans as the job files of other frameworks.

use crate::config;
use crate::errors::{self, Stop};
use crate::{read_machine, read_plan, usage, work};
use meshwright_cli::{Contradiction, Nearest, SaidOfStep, StepOfJob};
use meshwright_export::read::{Around, Problem, Unsaid};
use meshwright_export::{Fault, Otherwise, Recompute, TARGETS, Target, planned};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Machine;
use meshwright_models::Batch;
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// Files by name, the degrees that they say, what is not as planned, what that costs (JSON), and what the target does a little
/// otherwise.
type Written = (Vec<(String, String)>, String, Vec<String>, Option<String>, Vec<String>);

/// The files of a plan for a target (name and text), the degrees that they say, what is not as planned, what that costs
/// (JSON), and what the target does a little otherwise. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (plan, plan_name, target, *, config=None, config_name="config.json".to_owned(), nearest=false, machine=None, machine_file=None))]
#[allow(clippy::too_many_arguments)] // named in Python
pub(crate) fn export(
    py: Python<'_>,
    plan: String,
    plan_name: String,
    target: String,
    config: Option<String>,
    config_name: String,
    nearest: bool,
    machine: Option<String>,
    machine_file: Option<String>,
) -> PyResult<Written> {
    work::run(py, move |asked_to_stop| {
        let target = self::target(&target)?;
        let (source, config) =
            (Source::new(plan_name, plan), config.map(|text| Source::new(config_name, text)));
        let plan = read_plan(&source)?;
        if let Some(config) = &config {
            let is_of = meshwright_cli::is_plan_of(&plan, config);
            if !is_of.map_err(|error| errors::of_compiler(error, config))? {
                return Err(Stop::input(
                    vec![meshwright_cli::of_another_model(&source.name, "config")],
                    config,
                ));
            }
        }
        let config = config.or_else(|| planned::config(&plan, &source.name));
        let job =
            planned::job(&plan, &source.name, config.as_ref()).map_err(|fault| match (fault, &config) {
                (Fault::Config(found), Some(config)) => Stop::input(vec![found], config),
                (Fault::Plan(found) | Fault::Config(found), _) => Stop::input(vec![found], &source),
            })?;
        let otherwise = if nearest { Otherwise::Nearest } else { Otherwise::Refused };
        let written = meshwright_export::export(job, target, otherwise).map_err(|gaps| {
            let found: Vec<_> = gaps.iter().map(|gap| meshwright_export::refusal(target, gap)).collect();
            Stop::Usage(errors::text(&found, Some(&source)))
        })?;
        let changes = meshwright_export::changes(&written, target).collect();
        let degrees = written.job.degrees.to_string();
        let machine = match machine {
            Some(machine) => Some(read_machine(&machine, machine_file)?),
            // The name of a machine's file says nothing of it.
            None => Machine::from_spec(&plan.machine).ok(),
        };
        let machine = machine.filter(|_| !written.job.has_shardings);
        let watch = work::Watch::new(asked_to_stop);
        let price = match (&config, machine) {
            (Some(config), Some(machine)) => Nearest::of(&plan, config, &machine, &written, &watch)
                .map_err(|error| errors::of_compiler(error, config))?,
            _ => None,
        };
        let price = price.filter(|price| price.is_told(&written)).map(|price| price.json().to_string());
        let files = written.files.into_iter().map(|file| (file.name.to_owned(), file.text)).collect();
        Ok((files, degrees, changes, price, written.job.notes))
    })
}

/// A job file of another framework, on so many devices, as the keywords that say it (JSON), with the caller's own degrees,
/// sequences and batch where there are some. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (name, text, devices, *, config=None, degrees=Vec::new(), seq=None, global_batch=None))]
pub(crate) fn job(
    py: Python<'_>,
    name: String,
    text: String,
    devices: usize,
    config: Option<(String, String)>,
    degrees: Vec<(String, String)>,
    seq: Option<usize>,
    global_batch: Option<String>,
) -> PyResult<String> {
    work::run(py, move |_| {
        let source = Source::new(name, text);
        let at_fault = |problem: Problem| Stop::input(vec![problem.diagnostic(&source.text)], &source);
        let config = config.map(|(name, text)| Source::new(name, text));
        let layers = config.as_ref().and_then(meshwright_cli::layers_of_config);
        let found = meshwright_export::read::read(&source.name, &source.text, Around { devices, layers })
            .map_err(at_fault)?;
        let found = match &config {
            Some(config) => {
                found.same_model(config).map_err(at_fault)?;
                found
            }
            None => found.beside_program(),
        };
        let contradicts = |said: String, own: String| {
            let message = format!("`{said}` contradicts `{}`, which says {own}", source.name);
            usage(format!("{message}: leave the keyword out, or change the job"))
        };
        let given = global_batch.as_deref().map(|text| text.parse::<Batch>().map_err(usage)).transpose()?;
        let step = StepOfJob::of(seq, given, &found).map_err(|Contradiction { said, own }| match said {
            SaidOfStep::Sequence(given) => contradicts(format!("seq={given}"), own),
            SaidOfStep::Batch => contradicts("global_batch".to_owned(), own),
        })?;
        let own = found.degrees.said();
        if !degrees.is_empty() {
            let said: Vec<(&str, String)> =
                own.iter().map(|(name, degree)| (*name, degree.to_string())).collect();
            let (space, of_job) = (config::space(&degrees)?, config::space(&owned(&said))?);
            if space != of_job {
                return Err(contradicts("degrees".to_owned(), found.degrees.to_string()));
            }
        }
        let degrees: serde_json::Map<String, serde_json::Value> =
            own.into_iter().map(|(name, degree)| (name.to_owned(), degree.into())).collect();
        let has_open_length = config.as_ref().is_some_and(meshwright_cli::has_open_length);
        let unsaid: BTreeMap<&str, String> = found
            .unsaid()
            .into_iter()
            .filter_map(|what| {
                let keyword = match what {
                    Unsaid::Sequence if step.sequence.is_some() || !has_open_length => return None,
                    Unsaid::Sequence => "seq",
                    Unsaid::Microbatches => "microbatches",
                    Unsaid::Recompute => "recompute",
                };
                Some((keyword, what.note(&format!("{keyword}="))))
            })
            .collect();
        let said = serde_json::json!({
            "degrees": degrees,
            "seq": step.sequence,
            "global_batch": step.batch.map(|batch| batch.to_string()),
            "precision_recipe": found.recipe(),
            "optimizer": found.optimizer,
            "microbatches": found.microbatches,
            "recompute": found.recompute.map(Recompute::name),
            "notes": found.notes,
            "unsaid": unsaid,
        });
        Ok(said.to_string())
    })
}

/// The name of the job file that a script starts, beside it, which is to be read in its place; none where the text is a job
/// itself. See `_native.pyi`.
#[pyfunction]
pub(crate) fn job_beside(
    py: Python<'_>,
    name: String,
    text: String,
    devices: usize,
) -> PyResult<Option<String>> {
    work::run(py, move |_| {
        let source = Source::new(name, text);
        let beside = meshwright_export::read::beside(&source.name, &source.text, devices);
        beside.map_err(|problem: Problem| Stop::input(vec![problem.diagnostic(&source.text)], &source))
    })
}

fn owned(said: &[(&str, String)]) -> Vec<(String, String)> {
    said.iter().map(|(name, degree)| ((*name).to_owned(), degree.clone())).collect()
}

/// The target of a name.
pub(crate) fn target(name: &str) -> Result<&'static Target, Stop> {
    let unknown = || usage(format!("there is no target `{name}`; there are {}", names().join(", ")));
    meshwright_export::target(name).ok_or_else(unknown)
}

/// The names of all targets.
#[pyfunction]
pub(crate) fn export_targets() -> Vec<String> {
    names().into_iter().map(str::to_owned).collect()
}

fn names() -> Vec<&'static str> {
    TARGETS.iter().map(|target| target.name).collect()
}
