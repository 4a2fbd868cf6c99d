//! What the training step of a model takes with degrees of parallelism, block by block, for `meshwright model`: the plan that
//! `plan --as` makes of these degrees with `--search none`, and nothing else.
//!
//! Input: a configuration, and flags. Output: [`Sharded`], as text and as JSON.

use crate::args::ModelArguments;
use crate::failure::{Failure, Outcome};
use crate::terminal::Terminal;
use crate::{input, plan_table, planning};
use meshwright_compile::{
    CompileError, DegreeSpace, Kernels, Options, ParallelDegrees, Search, StepOptions, compile, from_config,
    scan_form,
};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_machine::{Bytes, Machine};
use meshwright_models::Options as ModelOptions;
use meshwright_plan::PlanFile;
use serde_json::{Value, json};

/// More memory than any device has.
const MORE_THAN_ANY: Bytes = Bytes(1 << 60);

/// A step whose devices share it.
pub struct Sharded {
    /// The degrees.
    way: ParallelDegrees,
    /// Its plan.
    plan: PlanFile,
}

/// Plans the step with the degrees that are asked for; none where nothing is said of them.
pub(crate) fn sharded(
    config: &Source,
    arguments: &ModelArguments,
    options: &ModelOptions,
) -> Outcome<Option<Sharded>> {
    if arguments.degrees.is_empty() {
        return match &arguments.machine {
            Some(_) if arguments.kernels == Kernels::Off => Err(Failure::usage(
                "`--machine` goes with degrees, such as `--tp 8 --cp 2`, or with `--kernels on`",
            )),
            _ => Ok(None),
        };
    }
    let space = arguments.degrees.space().map_err(Failure::usage)?;
    let way = one_way(&space).map_err(Failure::usage)?;
    let spec = match &arguments.machine {
        Some(spec) => spec.clone(),
        None => enough_devices(way).map_err(Failure::usage)?,
    };
    let machine = input::machine(&spec)?;
    let terminal = Terminal::plain();
    let sharded = Sharded::of(config, way, &machine, options, &terminal);
    terminal.wipe();
    sharded.map(Some).map_err(|error| planning::failure(error, config, None))
}

/// The degrees, each with one number. Errors: there are several, or stages.
pub fn one_way(space: &DegreeSpace) -> Result<ParallelDegrees, String> {
    let Some(way) = space.only() else {
        return Err("give each degree one number: `plan --grid` compares several".to_owned());
    };
    match way.groups() * way.virtual_stages() {
        1 => Ok(way),
        _ => {
            Err("stages need microbatches and a schedule: `plan --pp` has them, block by block too"
                .to_owned())
        }
    }
}

/// As many H100 as degrees are for, eight on a host. Errors: they are for no number of devices.
pub fn enough_devices(way: ParallelDegrees) -> Result<String, String> {
    let said = way.as_said();
    let product = |degrees: &[usize]| degrees.iter().try_fold(1_usize, |all, own| all.checked_mul(*own));
    let own = [said.dp, said.cp, said.ep, said.tp];
    let counts = [product(&own), product(&[&own[..], &[said.fsdp]].concat())];
    match counts.into_iter().flatten().find(|count| way.degrees(*count).is_ok()) {
        Some(count) if count > 8 && count.is_multiple_of(8) => Ok(format!("h100:{}x8", count / 8)),
        Some(count) => Ok(format!("h100:1x{count}")),
        None => {
            Err("these degrees are for no number of devices: give the machine with `--machine`".to_owned())
        }
    }
}

impl Sharded {
    /// Plans the step of a configuration with these degrees. Errors: as of compiling it.
    pub fn of(
        config: &Source,
        way: ParallelDegrees,
        machine: &Machine,
        options: &ModelOptions,
        control: &dyn Control,
    ) -> Result<Self, CompileError> {
        let model = ModelOptions { scan: scan_form(machine, Kernels::On), ..options.clone() };
        let step = StepOptions { model, ..StepOptions::of_batch(options.batch) };
        let made = from_config(config, &step)?;
        let options = Options {
            search: Some(Search::None),
            asked: Some(way),
            model: Some(made.model),
            ..Options::default()
        };
        let with = |memory_limit: Option<Bytes>| {
            let options = Options { memory_limit, ..options.clone() };
            compile(&made.program, &made.source, machine, &options, control)
        };
        // What it takes is asked for, also where there is not as much.
        let compiled = match with(None) {
            Err(CompileError::DoesNotFit(_)) => with(Some(MORE_THAN_ANY)),
            compiled => compiled,
        };
        Ok(Self { way, plan: compiled?.plan })
    }

    /// For people: which step, and its blocks.
    pub fn text(&self) -> String {
        let Self { way, plan } = self;
        let model = plan.model.as_ref();
        let optimizer = model.map_or("", |model| &model.optimizer);
        let recipe = model.map_or("", |model| &model.precision_recipe);
        format!(
            "\nA training step with {way} on {} ({optimizer}, {recipe}), on one device, at most {} at once:\n{}",
            plan.machine,
            Bytes(plan.memory.peak_bytes),
            plan_table::blocks(plan)
        )
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let Self { way, plan } = self;
        let model = plan.model.as_ref();
        json!({
            "degrees": way.to_string(),
            "machine": plan.machine,
            "optimizer": model.map(|model| &model.optimizer),
            "precision_recipe": model.map(|model| &model.precision_recipe),
            "step_seconds": plan.predicted.total_seconds,
            "peak_bytes": plan.memory.peak_bytes,
            "by_block": plan.figures.as_ref().map_or(&[][..], |figures| &figures.by_block),
        })
    }
}
