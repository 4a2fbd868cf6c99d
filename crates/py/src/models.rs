//! Models by their configurations, and gradients and training steps of programs.

use crate::errors::{self, Stop};
use crate::{config, read_machine, usage, work};
use meshwright_cli::{
    KERNELS_OF, ModelFigures, Sharded, between_commas, enough_devices, left_written_out, one_way,
};
use meshwright_compile::{
    Indices, Kernels, LossScaling, Settings, Trained, TrainingOptions, scan_form, with_kernels,
};
use meshwright_ir::composites::with_composites;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::text::{Form, print_with_locations};
use meshwright_models::Options;
use pyo3::prelude::*;

/// The program of the forward pass and the loss of a model by its configuration, its figures (JSON, and a table for people),
/// and warnings; with degrees, what a device has of a training step with them. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (
    text, name, global_batch, *, seq=None, precision_recipe=None, layers=None, capacity_factor=None, degrees=Vec::new(),
    machine=None, machine_file=None, kernels=false
))]
#[allow(clippy::too_many_arguments)] // named in Python
pub(crate) fn model(
    py: Python<'_>,
    text: String,
    name: String,
    global_batch: String,
    seq: Option<usize>,
    precision_recipe: Option<String>,
    layers: Option<String>,
    capacity_factor: Option<f64>,
    degrees: Vec<(String, String)>,
    machine: Option<String>,
    machine_file: Option<String>,
    kernels: bool,
) -> PyResult<(String, String, String, Vec<String>)> {
    work::run(py, move |asked_to_stop| {
        let mut options =
            Options { sequence: seq, batch: global_batch.parse().map_err(usage)?, ..Options::default() };
        if let Some(recipe) = precision_recipe {
            options.recipe = recipe.parse().map_err(usage)?;
        }
        if let Some(layers) = layers {
            options.layers = config::layers(&layers)?;
        }
        if let Some(factor) = capacity_factor {
            options.capacity_factor = config::capacity(factor)?;
        }
        let source = Source::new(name, text);
        let model =
            meshwright_models::read(&source, &options).map_err(|fault| Stop::input(vec![fault], &source))?;
        let called = match kernels {
            true => {
                let name = machine.as_deref().unwrap_or(KERNELS_OF);
                let machine = read_machine(name, machine_file.clone())?;
                let unknown = || {
                    let message = format!(
                        "`{name}` has no kernel for attention or scans; write them out: `kernels=False`"
                    );
                    usage(message)
                };
                let options = Options { scan: scan_form(&machine, Kernels::On), ..options.clone() };
                let model = meshwright_models::read(&source, &options)
                    .map_err(|fault| Stop::input(vec![fault], &source))?;
                Some(with_kernels(&model.program, &machine).ok_or_else(unknown)?)
            }
            false => None,
        };
        let sharded = match (degrees.as_slice(), machine) {
            ([], None) => None,
            ([], Some(_)) if kernels => None,
            ([], Some(_)) => {
                let message =
                    "`machine` goes with degrees, such as `degrees={\"tp\": 8}`, or with `kernels=True`";
                return Err(usage(message.to_owned()));
            }
            (degrees, machine) => {
                let way = one_way(&config::space(degrees)?).map_err(usage)?;
                let spec = machine.map_or_else(|| enough_devices(way), Ok).map_err(usage)?;
                let machine = read_machine(&spec, machine_file)?;
                let watch = work::Watch::new(asked_to_stop);
                let sharded = Sharded::of(&source, way, &machine, &options, &watch);
                Some(sharded.map_err(|error| errors::of_compiler(error, &source))?)
            }
        };
        let figures = serde_json::to_string(&ModelFigures::of(&model, sharded.as_ref()))
            .expect("plain data has a JSON form");
        let table = ModelFigures::text(&model, sharded.as_ref());
        let warnings =
            model.warnings.iter().map(|warning| errors::text(std::slice::from_ref(warning), Some(&source)));
        let left = called.as_ref().map_or(&[][..], |called| &called.left);
        let warnings = warnings.chain(left_written_out(left)).collect();
        let program = called.as_ref().map_or(&model.program, |called| &called.program);
        let program = print_with_locations(&with_composites(program), Form::Pretty);
        Ok((program, figures, table, warnings))
    })
}

/// Choices by which a loss is differentiated, or becomes a training step.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct SaidOfGrad {
    wrt: Vec<String>,
    of: usize,
    optimizer: Option<String>,
    lr: Option<f64>,
    weight_decay: Option<f64>,
    no_decay: Vec<String>,
    clip: Option<f64>,
    loss_scale: Option<u32>,
    promise_in_bounds: bool,
}

/// The gradients of a loss, or a training step of it, as text. See `_native.pyi`.
#[pyfunction]
pub(crate) fn grad(py: Python<'_>, text: String, name: String, said: SaidOfGrad) -> PyResult<String> {
    work::run(py, move |_| {
        let source = Source::new(name, text);
        let program = meshwright_compile::read(&source).map_err(|found| Stop::input(found, &source))?;
        let names = |lists: &[String]| -> Vec<String> {
            lists.iter().flat_map(|list| between_commas(list)).map(str::to_owned).collect()
        };
        let wrt = names(&said.wrt);
        let is_all = wrt.iter().any(|name| name == "all-floats");
        let trained = if is_all { Trained::AllFloats } else { Trained::Named(wrt) };
        let indices = if said.promise_in_bounds { Indices::InBounds } else { Indices::Any };
        let made = match said.optimizer {
            None => meshwright_compile::grad(&program, &trained, said.of, indices),
            Some(optimizer) => {
                let options = TrainingOptions {
                    settings: Settings { learning_rate: said.lr, weight_decay: said.weight_decay },
                    undecayed: names(&said.no_decay),
                    clip: said.clip,
                    scaling: said
                        .loss_scale
                        .map_or(LossScaling::None, |interval| LossScaling::Dynamic { interval }),
                    indices,
                    ..TrainingOptions::of(&optimizer)
                };
                meshwright_compile::training_step(&program, &trained, said.of, &options)
            }
        };
        let made = made.map_err(|error| errors::of_compiler(error, &source))?;
        Ok(print_with_locations(&made, Form::Pretty))
    })
}
