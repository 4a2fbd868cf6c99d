//! Time against memory: plans for several limits, or for those that a sweep finds.

use crate::errors;
use crate::fitting::{self, Said};
use crate::{choice, config, name_arguments, read_machine, usage, work};
use meshwright_cli::{Frontier, PlanInputs};
use meshwright_compile::{CompileError, Kernels, Options, PinPattern, Pinned};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Bytes;
use pyo3::prelude::*;

/// What leaves the limits to a sweep.
const SWEEP: &str = "sweep";

/// The plans for several limits on memory, as JSON. See `_native.pyi`.
#[pyfunction]
#[pyo3(signature = (
    text, name, machine, limits, *, machine_file=None, argument_names=Vec::new(), mesh=None, pins=Vec::new(),
    kernels=true, fitting=Said::default(), model=None
))]
#[allow(clippy::too_many_arguments)] // named in Python
pub(crate) fn frontier(
    py: Python<'_>,
    text: String,
    name: String,
    machine: String,
    limits: Vec<String>,
    machine_file: Option<String>,
    argument_names: Vec<String>,
    mesh: Option<Vec<(Option<String>, usize)>>,
    pins: Vec<(usize, Vec<Vec<String>>)>,
    kernels: bool,
    fitting: Said,
    model: Option<String>,
) -> PyResult<String> {
    work::run_so_far(py, move |asked_to_stop| {
        let source = Source::new(name, text);
        let machine = read_machine(&machine, machine_file)?;
        let mesh = mesh.map(choice).transpose()?;
        let program = match &mesh {
            Some(mesh) => meshwright_compile::read_over(&source, mesh),
            None => meshwright_compile::read(&source).map_err(Into::into),
        };
        let failed = |error: CompileError| errors::of_compiler(error, &source);
        let mut program = program.map_err(failed)?;
        name_arguments(&mut program, argument_names);
        let pin = |(argument, sharding)| PinPattern { arguments: Pinned::At(argument), sharding };
        let options = Options {
            mesh,
            pins: pins.into_iter().map(pin).collect(),
            kernels: if kernels { Kernels::On } else { Kernels::Off },
            model: model.map(|text| config::model(&text)).transpose()?,
            ..Options::default()
        };
        let options = fitting::in_options(&fitting, options).map_err(usage)?;
        let limits: Option<Vec<Bytes>> = match limits.as_slice() {
            [sweep] if sweep == SWEEP => None,
            given => Some(given.iter().map(|text| text.parse().map_err(usage)).collect::<Result<_, _>>()?),
        };
        let watch = work::Watch::new(asked_to_stop);
        let inputs = PlanInputs { program: &program, source: &source, machine: &machine, options: &options };
        let Frontier { points, is_stopped, refused } =
            Frontier::of(inputs, limits.as_deref(), &watch).map_err(failed)?;
        match refused {
            Some(problem) if !is_stopped => Err(failed(CompileError::DoesNotFit(problem))),
            _ => Ok(meshwright_present::frontier::json(&points)),
        }
    })
}
