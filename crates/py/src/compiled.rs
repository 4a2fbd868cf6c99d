//! A compiled program as a Python object: texts that other tools read, tables that people read, and `check`.

use crate::errors::{self, Stop};
use crate::made::Made;
use crate::work::{self, Asked, Watch};
use meshwright_analyze::names;
use meshwright_compile::explanation::Question;
use meshwright_compile::{NamedValue, Options, Statistics, TWIN_TOLERANCE, Twin, pipeline_twin, twin};
use meshwright_execute::{
    CheckOptions, OutputCheck, RunError, Suiting, check, compare_whole, draw_each, footprint, npz, replaced,
    run_programs, suiting,
};
use meshwright_ir::arguments::Donation;
use meshwright_ir::attribute::Attributes;
use meshwright_ir::control::View;
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_ir::program::{Def, Program};
use meshwright_ir::text::{Form, print};
use meshwright_machine::Machine;
use meshwright_plan::DevicePrograms;
use meshwright_present::drawn::Drawn;
use meshwright_present::plan_table::{self, Rows};
use meshwright_present::{diagnostics, explanation, fates};
use meshwright_tensor::types::Type;
use meshwright_tensor::{Difference, Precision, Tensor};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A step is cut into programs that are not called as one.
const PROGRAMS: Check = Check("device-programs");

/// The text of all programs: of one as it is, of several each under its name.
fn text(programs: &DevicePrograms) -> String {
    match programs.as_whole() {
        Some(device) => View::Program(&|| device.program.clone()).text(),
        None => View::Programs(&|| programs.named()).text(),
    }
}

/// JAX calls one program on all devices.
fn several() -> Stop {
    let message = "the plan has several programs by stage and phase, but JAX calls one on all devices so far";
    Stop::usage(
        Diagnostic::error(PROGRAMS, Span::NONE, message)
            .hint("save it, and run the folder; `search=\"rest\"` plans one program"),
    )
}

/// A plan changes what the step computes, and nobody asked for it.
const STATISTICS: Check = Check("microbatch-statistics");

/// No value is called so.
const NAME: Check = Check("name");

/// The host has no room for a run.
pub(crate) const MEMORY: Check = Check("memory");

/// A run did not give results.
const RUN: Check = Check("run");

/// See `_native.pyi`.
#[pyclass(frozen, module = "meshwright._native")]
pub(crate) struct Compiled(Arc<Held>);

/// What work reads that may outlive the call.
#[derive(Clone)]
struct Held {
    made: Made,
    source: Source,
    machine: Machine,
    warnings: Vec<Diagnostic>,
    /// The program with what was chosen as annotations.
    annotated: Program,
    /// What the caller asked for.
    options: Options,
}

/// How a plan is checked: on which inputs, and within how much memory, if that is known.
struct How {
    inputs: Option<Vec<u8>>,
    /// A folder with a checkpoint, which gives parameters.
    weights: Option<PathBuf>,
    /// Whether a small twin is checked in the plan's place.
    shrinks: bool,
    seed: u64,
    int_range: Option<(i64, i64)>,
    memory: Option<u64>,
}

/// Steps that are run.
struct Steps {
    /// An `.npz` of the arguments, or of those that the checkpoint does not give.
    inputs: Vec<u8>,
    /// A folder with a checkpoint, which gives parameters.
    weights: Option<PathBuf>,
    /// The folder that the trained parameters are written to.
    save_weights: Option<PathBuf>,
    steps: u64,
    memory: Option<u64>,
}

impl Compiled {
    pub(crate) fn new(
        made: Made,
        source: Source,
        machine: Machine,
        options: Options,
        watch: Watch<'_>,
    ) -> Self {
        let (mut warnings, searched) = watch.finish();
        warnings.extend(meshwright_compile::no_bf16(made.program(), &machine));
        // What was searched for a pipeline, or beside it, is another program.
        let searched = searched.filter(|_| matches!(made, Made::Step(_)));
        let annotated = searched.unwrap_or_else(|| made.program().clone());
        Self(Arc::new(Held { made, source, machine, warnings, annotated, options }))
    }

    /// Makes something of it beside the interpreter.
    fn make<T: Send + 'static>(
        &self,
        py: Python<'_>,
        make: impl FnOnce(&Held, &Asked) -> Result<T, Stop> + Send + 'static,
    ) -> PyResult<T> {
        let held = Arc::clone(&self.0);
        work::run(py, move |asked| make(&held, asked))
    }
}

impl Held {
    /// Where a sharding came from, and what the plan does with the value.
    fn explanation(&self, question: Question) -> Result<String, Stop> {
        Ok(self.sharding(question)? + &self.fates(&question.into())?)
    }

    fn fates(&self, asked: &NamedValue) -> Result<String, Stop> {
        let found = meshwright_compile::fates(self.made.program(), self.made.plan(), asked);
        let found = found.map_err(|error| errors::of_compiler(error, &self.source))?;
        Ok(fates::text(&found))
    }

    fn sharding(&self, question: Question) -> Result<String, Stop> {
        let found = meshwright_compile::explain(&self.annotated, self.made.program(), question);
        let found = found.map_err(|error| errors::of_compiler(error, &self.source))?;
        Ok(found.map_or_else(
            || "propagation does not see this value: constants are copied for each reader\n".to_owned(),
            |found| explanation::text(&self.source, &found),
        ))
    }

    /// What a result is in the program. `None`: there is no such result.
    fn result(&self, index: usize) -> Option<Question> {
        let body = &self.annotated.main()?.body;
        let value = body.terminator(body.entry())?.operands.get(index)?;
        Some(match body.values[*value].def {
            Def::Argument(_, index) => Question::Argument(index),
            Def::Result(_, number) => Question::Value(body.values[*value].span, number),
        })
    }

    /// The small twin of what was made.
    fn twin(&self, watch: &Watch<'_>) -> Result<Twin, Stop> {
        let most = meshwright_cli::MOST_DEVICES;
        let made = match &self.made {
            Made::Step(compiled) if compiled.local.is_some() => {
                let message =
                    "statistics of each microbatch by itself depend on its size, and a twin has another one";
                return Err(Stop::usage(Diagnostic::error(STATISTICS, Span::NONE, message)));
            }
            Made::Step(compiled) => twin(compiled, &self.machine, &self.options, most, watch),
            Made::Pipeline(pipelined) => pipeline_twin(pipelined, &self.machine, &self.options, most, watch),
        };
        made.map_err(|error| errors::of_compiler(error, &self.source))
    }

    /// Runs steps of the devices' programs, and gives the results of the last as an `.npz`.
    fn run(&self, how: Steps, watch: &Watch<'_>) -> Result<Vec<u8>, Stop> {
        let run = |message: String| Stop::Run(message);
        let (function, programs) = (self.made.function(), self.made.programs());
        let needed = footprint::of_run(programs, Precision::Declared);
        if let Some(free) = how.memory.filter(|free| *free < needed) {
            let message =
                format!("running the program on every device takes {needed} bytes, and this host has {free}");
            let problem = Diagnostic::error(MEMORY, Span::NONE, message);
            return Err(run(errors::text(&[problem], None)));
        }
        let mut inputs = match &how.weights {
            Some(folder) => meshwright_cli::checkpoint_arguments(folder, function)
                .map_err(|found| Stop::Input(errors::text(&found, None)))?,
            None => vec![None; function.args().len()],
        };
        // What no checkpoint gives is numbered by itself.
        let all = function.args().iter().zip(names::of_arguments(function)).zip(&inputs);
        let rest = all.filter(|(_, given)| given.is_none()).enumerate();
        let wanted = rest.map(|(number, ((value, name), _))| npz::Wanted {
            number,
            name,
            ty: function.body.ty(*value).clone(),
        });
        let wanted: Vec<npz::Wanted> = wanted.collect();
        let given = npz::read(Cursor::new(how.inputs), &wanted).map_err(|error| run(error.0))?;
        for (slot, tensor) in inputs.iter_mut().filter(|slot| slot.is_none()).zip(given) {
            *slot = Some(tensor);
        }
        let mut inputs: Vec<Tensor> = inputs.into_iter().flatten().collect();
        self.must_be_of_the_model(&inputs, how.weights.as_deref())?;
        let mut results = Vec::new();
        for _ in 0..how.steps {
            let found =
                run_programs(programs, &inputs, Precision::Declared, watch).map_err(|error: RunError| {
                    let diagnostic = Diagnostic::error(RUN, error.span, error.to_string());
                    run(errors::text(&[diagnostic], Some(&self.source)))
                })?;
            results = found.into_iter().map(|found| found.tensor).collect();
            for (index, input) in inputs.iter_mut().enumerate() {
                if let Donation::ToResult(result) = function.donation(index) {
                    input.clone_from(&results[result]);
                }
            }
        }
        if let Some(folder) = &how.save_weights {
            meshwright_cli::save_checkpoint(folder, function, &results, how.weights.as_deref())
                .map_err(|found| Stop::Usage(errors::text(&found, None)))?;
        }
        let name = |(index, tensor)| (format!("out{index}"), tensor);
        let arrays: BTreeMap<String, Tensor> = results.into_iter().enumerate().map(name).collect();
        let mut bytes = Cursor::new(Vec::new());
        npz::write_to(&mut bytes, &arrays).map_err(|error| run(error.0))?;
        Ok(bytes.into_inner())
    }

    /// Errors: there are tokens that the model does not have.
    fn must_be_of_the_model(&self, inputs: &[Tensor], weights: Option<&Path>) -> Result<(), Stop> {
        let made = self.made.plan().model.as_ref();
        meshwright_cli::must_be_of_the_model(made, weights, self.made.function(), inputs)
            .map_err(|found| Stop::Run(errors::text(&[*found], None)))
    }

    fn compare(&self, how: How, watch: &Watch<'_>) -> Result<String, Stop> {
        let made = &self.made;
        let run = |message: String| Stop::Run(message);
        if made.local().is_some() && self.options.microbatch_statistics != Some(Statistics::Local) {
            let message = "the plan takes statistics of each microbatch by itself, which changes what the step computes";
            let hint = "with `microbatch_statistics=\"local\"` the step with such statistics is what devices are compared with";
            return Err(Stop::usage(Diagnostic::error(STATISTICS, Span::NONE, message).hint(hint)));
        }
        let twin = if how.shrinks { Some(self.twin(watch)?) } else { None };
        let (function, program, whole, programs) = match &twin {
            Some(twin) => (&twin.function, &twin.program, &twin.program, &twin.programs),
            None => (made.function(), made.program(), made.whole(), made.programs()),
        };
        let precision = if how.shrinks { Precision::Wide } else { Precision::Declared };
        let needed = footprint::of_check(whole, programs, precision);
        if let Some(free) = how.memory.filter(|free| *free < needed) {
            let message = format!(
                "running the program whole and on every device takes {needed} bytes, and this host has {free}"
            );
            let problem =
                Diagnostic::error(MEMORY, Span::NONE, message).hint("`shrink=True` checks a small twin");
            return Err(run(errors::text(&[problem], None)));
        }
        let types: Vec<Type> = function.args().iter().map(|value| function.body.ty(*value).clone()).collect();
        let mut numbers = Vec::new();
        let mut inputs = match how.inputs {
            Some(bytes) => {
                let named = types.iter().cloned().zip(names::of_arguments(function)).enumerate();
                let wanted = named.map(|(number, (ty, name))| npz::Wanted { number, name, ty });
                let wanted: Vec<npz::Wanted> = wanted.collect();
                let given = npz::read(Cursor::new(bytes), &wanted).map_err(|error| run(error.0))?;
                self.must_be_of_the_model(&given, how.weights.as_deref())?;
                given
            }
            None => {
                numbers = suiting(program);
                if let Some((from, below)) = how.int_range {
                    Suiting::ask(&mut numbers, &(from..below));
                }
                draw_each(&types, how.seed, &numbers).map_err(|error| run(error.message))?
            }
        };
        if let Some(folder) = &how.weights {
            let given = meshwright_cli::checkpoint_arguments(folder, function);
            let given = given.map_err(|found| Stop::Input(errors::text(&found, None)))?;
            for (input, given) in inputs.iter_mut().zip(given) {
                given.into_iter().for_each(|given| *input = given);
            }
        }
        let mut options = CheckOptions::new(precision, program);
        options.replaced = replaced(function);
        if how.shrinks {
            options.tolerance = TWIN_TOLERANCE;
        }
        // To tell rounding, both may have to run in f64.
        let wide = footprint::of_check(whole, programs, Precision::Wide);
        options.tells_rounding = how.memory.is_none_or(|memory| wide <= memory);
        let failed = |error: RunError| {
            let diagnostic = Diagnostic::error(RUN, error.span, error.to_string());
            run(errors::text(&[diagnostic], Some(&self.source)))
        };
        let outputs = check(whole, programs, &inputs, &options, watch).map_err(failed)?;
        let local_statistics = match made.local() {
            Some(local) => {
                let found = compare_whole(local, made.program(), &inputs, Precision::Declared, watch);
                let from = |found: &Difference| json!({ "max_abs": found.max_abs, "max_rel": found.max_rel });
                let from: Vec<_> = found.map_err(failed)?.iter().map(from).collect();
                let values = made.plan().microbatches.as_ref().map(|found| &found.local_statistics);
                json!({ "values": values, "from_original": from })
            }
            None => json!(null),
        };
        let names = names::of_results(function);
        let record = |(output, name): (&OutputCheck, Option<String>)| {
            json!({
                "name": name,
                "shape": output.ty.shape,
                "element": output.ty.element.to_string(),
                "max_abs_error": output.difference.max_abs,
                "max_rel_error": output.difference.max_rel,
                "replaces": output.change.map(|change| change.argument),
                "max_change": output.change.map(|change| change.largest),
                "max_error_of_change": output.change.map(|change| change.max_rel),
                "change_hidden_by_rounding": output.change.map(|change| change.is_hidden),
                "verdict": output.verdict.words(),
                "passes": output.verdict.passes(),
            })
        };
        let records: Vec<_> = outputs.iter().zip(names).map(record).collect();
        let unknown = meshwright_execute::unknown_kernels(program);
        let not_checked: Vec<String> = unknown.iter().map(|kernel| kernel.name.clone()).collect();
        let drawn = Drawn::new(&numbers, &names::of_arguments(function));
        let report = json!({
            "tolerance": options.tolerance,
            "outputs": records,
            "not_checked": not_checked,
            "drawn": drawn.0,
            "drawn_text": drawn.text(),
            "local_statistics": local_statistics,
            "twin": twin.as_ref().map(meshwright_cli::twin_json),
            "twin_text": twin.as_ref().map(|twin| meshwright_cli::twin_text(twin, Rows::Grouped)),
        });
        Ok(report.to_string())
    }
}

#[pymethods]
impl Compiled {
    /// The plan as JSON.
    #[getter]
    fn plan(&self, py: Python<'_>) -> PyResult<String> {
        self.make(py, |held, _| Ok(held.made.plan().to_text()))
    }

    /// The program of one device; devices are partitions.
    #[getter]
    fn program(&self, py: Python<'_>) -> PyResult<String> {
        self.make(py, |held, _| Ok(text(held.made.programs())))
    }

    /// The program of one device to be called by another program that is manual along all axes: arguments and results
    /// say nothing of how they are sharded or passed, which is the caller's.
    #[getter]
    fn callee(&self, py: Python<'_>) -> PyResult<String> {
        self.make(py, |held, _| {
            let device = held.made.programs().as_whole().ok_or_else(several)?;
            let mut program = device.program.clone();
            for function in &mut program.functions {
                let attributes = function.arg_attributes.iter_mut().chain(&mut function.result_attributes);
                attributes.for_each(|attributes| *attributes = Attributes::new());
            }
            Ok(print(&program, Form::Pretty))
        })
    }

    /// The program as it was given.
    #[getter]
    fn whole(&self) -> String {
        self.0.source.text.to_string()
    }

    /// The files of a compiled folder, by name.
    #[getter]
    fn files(&self, py: Python<'_>) -> PyResult<BTreeMap<String, String>> {
        self.make(py, |held, _| Ok(held.made.files(&held.source.text).into_iter().collect()))
    }

    /// The manifest as JSON.
    #[getter]
    fn manifest(&self, py: Python<'_>) -> PyResult<String> {
        self.make(py, |held, _| Ok(held.made.bundle().to_text()))
    }

    /// What the compiler warned of, one text each.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        let render = |warning| {
            let text = diagnostics::render(warning, Some(&self.0.source), diagnostics::Style::Human, false);
            text.trim_end().to_owned()
        };
        self.0.warnings.iter().map(render).collect()
    }

    /// The plan for people.
    #[pyo3(signature = (full=false))]
    fn table(&self, py: Python<'_>, full: bool) -> PyResult<String> {
        let rows = if full { Rows::All } else { Rows::Grouped };
        self.make(py, move |held, _| {
            Ok(plan_table::text(held.made.plan(), &held.source.name, &held.machine.spec(), rows))
        })
    }

    /// The same as the best of several plans, of which not all were found.
    fn marked_unfinished(&self, py: Python<'_>) -> PyResult<Self> {
        self.make(py, |held, _| {
            let mut marked = held.clone();
            marked.made.mark_unfinished();
            Ok(Self(Arc::new(marked)))
        })
    }

    /// Where the sharding of an argument came from.
    fn explain_argument(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        self.make(py, move |held, _| held.explanation(Question::Argument(index)))
    }

    /// Where the sharding of a result came from.
    fn explain_result(&self, py: Python<'_>, index: usize) -> PyResult<String> {
        self.make(py, move |held, _| {
            held.result(index).map_or(Ok(String::new()), |question| held.explanation(question))
        })
    }

    /// What the plan does with a value inside the program, by its name in the text or in the plan.
    fn explain_value(&self, py: Python<'_>, name: String) -> PyResult<String> {
        self.make(py, move |held, _| {
            let found = meshwright_compile::named_value(&held.source, held.made.program(), &name);
            let why = |why| Stop::usage(Diagnostic::error(NAME, Span::NONE, format!("`{name}`: {why}")));
            held.fates(&found.map_err(why)?)
        })
    }

    /// Where shardings are at odds, the most expensive first.
    fn conflicts(&self, py: Python<'_>) -> PyResult<String> {
        self.make(py, |held, _| {
            let found = meshwright_compile::conflicts(&held.annotated, held.made.program());
            let found = found.map_err(|error| errors::of_compiler(error, &held.source))?;
            Ok(explanation::conflicts(&held.source, &found, true))
        })
    }

    /// Runs the local program on embedded devices beside the whole program; what came of it as JSON. `inputs` is an
    /// `.npz` of `arg0`, `arg1`, ...; without it, they are drawn, integers from `int_range` if it is given. `memory` is
    /// what this host has, in bytes, `weights` the folder of a checkpoint; `shrinks` has a small twin checked.
    #[pyo3(signature = (inputs=None, seed=0, int_range=None, memory=None, weights=None, shrinks=false))]
    #[allow(clippy::too_many_arguments)] // named in Python
    fn check(
        &self,
        py: Python<'_>,
        inputs: Option<Vec<u8>>,
        seed: u64,
        int_range: Option<(i64, i64)>,
        memory: Option<u64>,
        weights: Option<PathBuf>,
        shrinks: bool,
    ) -> PyResult<String> {
        let how = How { inputs, weights, shrinks, seed, int_range, memory };
        self.make(py, move |held, asked| held.compare(how, &Watch::new(asked)))
    }

    /// Runs so many steps on embedded devices, each with the state that the one before returned; the results of the last as an
    /// `.npz` of `out0`, `out1`, ... `inputs` is an `.npz` of the arguments, or of those that the checkpoint in the folder
    /// `weights` does not give; `save_weights` is the folder for what was trained.
    #[pyo3(signature = (inputs, steps=1, memory=None, weights=None, save_weights=None))]
    fn run(
        &self,
        py: Python<'_>,
        inputs: Vec<u8>,
        steps: u64,
        memory: Option<u64>,
        weights: Option<PathBuf>,
        save_weights: Option<PathBuf>,
    ) -> PyResult<Py<PyBytes>> {
        let how = Steps { inputs, weights, save_weights, steps, memory };
        let bytes = self.make(py, move |held, asked| held.run(how, &Watch::new(asked)))?;
        Ok(PyBytes::new(py, &bytes).unbind())
    }
}
