//! Models by their configurations, degrees of parallelism, and the grid of all ways.

use crate::errors::{self, Stop};
use crate::made::{self, OfGroups};
use crate::{fitting, read_machine, usage, work};
use meshwright_compile::{
    Batches, Constraints, DegreeChoice, DegreeSpace, Kernels, Options, ParallelDegrees, Recompute,
    SaidDegrees, SaidOfPipelines, StepOptions, scan_form,
};
use meshwright_ir::diagnostic::Source;
use meshwright_models::LayerForm;
use meshwright_plan::DegreeName;
use meshwright_plan::plan_file::PlanModel;
use meshwright_present::grid as presented;
use meshwright_present::scaling::Point;
use meshwright_schedule::Named;
use pyo3::prelude::*;

/// The training step of a model by its configuration: the text of its program, what that is called, what it was made of
/// (JSON), and warnings. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (
    text, name, global_batch, *, seq=None, optimizer=None, precision_recipe=None, capacity_factor=None, machine=None,
    machine_file=None, kernels=true
))]
#[allow(clippy::too_many_arguments)] // named in Python
pub(crate) fn step_of_config(
    py: Python<'_>,
    text: String,
    name: String,
    global_batch: String,
    seq: Option<usize>,
    optimizer: Option<String>,
    precision_recipe: Option<String>,
    capacity_factor: Option<f64>,
    machine: Option<String>,
    machine_file: Option<String>,
    kernels: bool,
) -> PyResult<(String, String, String, Vec<String>)> {
    work::run(py, move |_| {
        let mut options = StepOptions::of_batch(global_batch.parse().map_err(usage)?);
        options.model.sequence = seq;
        if let Some(recipe) = precision_recipe {
            options.model.recipe = recipe.parse().map_err(usage)?;
        }
        if let Some(factor) = capacity_factor {
            options.model.capacity_factor = capacity(factor)?;
        }
        if let Some(name) = optimizer {
            options = options.with_optimizer(&name);
        }
        if let Some(machine) = machine {
            let kernels = if kernels { Kernels::On } else { Kernels::Off };
            options.model.scan = scan_form(&read_machine(&machine, machine_file)?, kernels);
        }
        let config = Source::new(name, text);
        let step = meshwright_compile::from_config(&config, &options);
        let step = step.map_err(|error| errors::of_compiler(error, &config))?;
        let warnings =
            step.warnings.iter().map(|warning| errors::text(std::slice::from_ref(warning), Some(&config)));
        let model = serde_json::to_string(&step.model).expect("plain data has a JSON form");
        Ok((step.source.text.to_string(), step.source.name.clone(), model, warnings.collect()))
    })
}

/// The batches that a text means, one by one. See `_native.pyi`.
#[pyfunction]
pub(crate) fn batches(py: Python<'_>, text: String) -> PyResult<Vec<String>> {
    work::run(py, move |_| {
        let batches: Batches = text.parse().map_err(usage)?;
        Ok(batches.all().iter().map(ToString::to_string).collect())
    })
}

/// What rows of grids have in common.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Said {
    degrees: Vec<(String, String)>,
    allow: Option<String>,
    memory_limit: Option<String>,
    microbatches: Option<String>,
    microbatch_size: Option<String>,
    recompute: Vec<String>,
    kernels: bool,
    layers: Option<String>,
    schedule: Option<String>,
}

impl Said {
    fn options(self) -> Result<Options, Stop> {
        let space = space(&self.degrees)?;
        let again: Vec<Recompute> =
            self.recompute.iter().map(|text| text.parse().map_err(usage)).collect::<Result<_, _>>()?;
        let layers = self.layers.as_deref().map(layers).transpose()?.unwrap_or_default();
        let has_microbatches = self.microbatches.is_some() || self.microbatch_size.is_some();
        let numbers = [("microbatches", self.microbatches), ("microbatch_size", self.microbatch_size)];
        let numbers = numbers.into_iter().filter_map(|(name, word)| Some((name.to_owned(), vec![word?])));
        let Options { microbatches, microbatch_size, .. } =
            fitting::in_options(&numbers.collect(), Options::default()).map_err(usage)?;
        // A pipeline runs the microbatches of a step.
        let degrees = if has_microbatches { space.or_search(DegreeName::Pp) } else { space };
        let of_groups = OfGroups::default();
        let of_pipelines = made::said(self.schedule.as_deref(), &of_groups)?;
        let (degrees, schedule) = of_pipelines.of_degrees(degrees).map_err(usage)?;
        Ok(Options {
            degrees,
            schedule,
            layers,
            allowed: allowed(self.allow.as_deref())?,
            memory_limit: self.memory_limit.map(|text| text.parse().map_err(usage)).transpose()?,
            microbatches,
            microbatch_size,
            recompute: Recompute::all(&again).map_err(usage)?,
            kernels: if self.kernels { Kernels::On } else { Kernels::Off },
            ..Options::default()
        })
    }
}

/// Every combination of degrees, priced, as JSON. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (text, name, machine, said, *, machine_file=None, model=None))]
pub(crate) fn grid(
    py: Python<'_>,
    text: String,
    name: String,
    machine: String,
    said: Said,
    machine_file: Option<String>,
    model: Option<String>,
) -> PyResult<String> {
    work::run_so_far(py, move |asked_to_stop| {
        let source = Source::new(name, text);
        let machine = read_machine(&machine, machine_file)?;
        let model = model.as_deref().map(self::model).transpose()?;
        let options = Options { model, ..said.options()? };
        let program = meshwright_compile::read(&source).map_err(|found| Stop::input(found, &source))?;
        let watch = work::Watch::new(asked_to_stop);
        let rows = meshwright_compile::grid_so_far(&program, &source, &machine, &options, &watch);
        rows.map(|rows| presented::json(&rows)).map_err(|error| errors::of_compiler(error, &source))
    })
}

/// The best of all ways of some steps on machines of several sizes, as JSON; the numbers of `wanted` are tokens per second,
/// tokens, seconds and dollars. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (steps, machines, wanted, *, machine_file=None))]
pub(crate) fn scaling(
    py: Python<'_>,
    steps: Vec<(String, String, Option<String>, Said, String)>,
    machines: String,
    wanted: [Option<f64>; 4],
    machine_file: Option<String>,
) -> PyResult<String> {
    let [target_tokens_per_s, tokens, deadline, budget] = wanted;
    work::run_so_far(py, move |asked_to_stop| {
        let names = meshwright_cli::sizes(&machines).map_err(usage)?.unwrap_or_else(|| vec![machines]);
        let mut all = Vec::new();
        for (text, name, model, said, asked) in steps {
            let source = Source::new(name, text);
            let model = model.as_deref().map(self::model).transpose()?;
            let options = Options { model, ..said.options()? };
            let program = meshwright_compile::read(&source).map_err(|found| Stop::input(found, &source))?;
            all.push((source, program, options, asked));
        }
        let watch = work::Watch::new(asked_to_stop);
        let (mut points, mut wrong) = (Vec::new(), Vec::new());
        for name in &names {
            let machine = match read_machine(name, machine_file.clone()) {
                Ok(machine) => machine,
                // A size that there is not is no fault of the others.
                Err(stop) => {
                    points.push(meshwright_cli::no_machine(name, stop.message()));
                    wrong.push(stop);
                    continue;
                }
            };
            if budget.is_some() {
                meshwright_cli::must_have_price(&machine, name, "budget_dollars").map_err(usage)?;
            }
            let mut rows = Vec::new();
            for (source, program, options, asked) in &all {
                let found = meshwright_compile::grid_in_fewest(program, source, &machine, options, &watch);
                let found = found.map_err(|error| errors::of_compiler(error, source))?;
                rows.extend(found.into_iter().map(|row| row.asked_with(asked)));
                if presented::is_unfinished(&rows) {
                    break;
                }
            }
            let point = Point::of(machine.spec(), machine.num_devices(), &rows);
            let unfinished = point.unfinished;
            points.push(point);
            if unfinished {
                break;
            }
        }
        if wrong.len() == names.len() && !wrong.is_empty() {
            return Err(wrong.swap_remove(0));
        }
        points.sort_by_key(|point| point.devices);
        let wanted = meshwright_cli::Wanted { target_tokens_per_s, tokens, deadline, budget };
        let unit = points.iter().find_map(Point::unit);
        let goals = ["target_tokens_per_s", "tokens"];
        meshwright_cli::must_count_tokens(unit, &wanted, goals).map_err(usage)?;
        let smallest = meshwright_cli::smallest(&points, &wanted);
        Ok(meshwright_present::scaling::json(&points, smallest, tokens))
    })
}

/// Degrees by name: the only way, or what is open; and the schedule of ways of several groups. What is said of pipelines is
/// `of_pipelines`, if they are ways.
pub(crate) fn degrees(
    said: &[(String, String)],
    of_pipelines: &SaidOfPipelines<'_>,
) -> Result<(Option<ParallelDegrees>, DegreeSpace, Option<Named>), Stop> {
    let (space, schedule) = of_pipelines.of_degrees(space(said)?).map_err(usage)?;
    Ok(match space.only() {
        Some(way) => (Some(way), DegreeSpace::default(), schedule),
        None => (None, space, schedule),
    })
}

/// A capacity of experts, if it is one.
pub(crate) fn capacity(factor: f64) -> Result<f64, Stop> {
    match factor > 0.0 && factor.is_finite() {
        true => Ok(factor),
        false => Err(usage(format!("`{factor}` is no capacity: give a positive number, such as 1.25"))),
    }
}

/// The form of layers that are alike.
pub(crate) fn layers(said: &str) -> Result<LayerForm, Stop> {
    match said {
        "loop" => Ok(LayerForm::Loop),
        "written-out" => Ok(LayerForm::WrittenOut),
        _ => Err(usage(format!("layers are \"loop\" or \"written-out\", not {said:?}"))),
    }
}

/// Degrees by name, with what is said of each.
pub(crate) fn space(said: &[(String, String)]) -> Result<DegreeSpace, Stop> {
    let one = |(name, text): &(String, String)| {
        let name: DegreeName = name.parse()?;
        Ok((name, DegreeChoice::read(name, text)?))
    };
    let flags: Vec<(DegreeName, DegreeChoice)> =
        said.iter().map(one).collect::<Result<_, _>>().map_err(usage)?;
    DegreeSpace::of(&SaidDegrees::default(), &flags).map_err(usage)
}

/// Constraints on degrees.
pub(crate) fn allowed(text: Option<&str>) -> Result<Constraints, Stop> {
    text.map_or(Ok(Constraints::default()), |text| text.parse().map_err(usage))
}

/// What a program was made of.
pub(crate) fn model(text: &str) -> Result<PlanModel, Stop> {
    serde_json::from_str(text)
        .map_err(|error| usage(format!("this says of no model what it was made of: {error}")))
}
