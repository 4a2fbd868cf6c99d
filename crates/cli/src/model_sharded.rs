//! What the training step of a model takes with degrees of parallelism, block by block, for `meshwright model`: the plan that
//! `plan --as` makes of these degrees with `--search none`, and nothing else.
//!
//! Input: a configuration, and flags. Output: [`Sharded`], as text and as JSON.

use crate::args::ModelArguments;
use crate::failure::{Failure, Outcome};
use crate::terminal::Terminal;
use crate::{input, plan_table, planning};
use meshwright_compile::{CompileError, Options, ParallelDegrees, Search, StepOptions, compile, from_config};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::{Bytes, Machine};
use meshwright_models::Options as ModelOptions;
use meshwright_plan::PlanFile;
use serde_json::{Value, json};

/// More memory than any device has.
const MORE_THAN_ANY: Bytes = Bytes(1 << 60);

/// A step whose devices share it.
pub(crate) struct Sharded {
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
            None => Ok(None),
            Some(_) => Err(Failure::usage("`--machine` goes with degrees, such as `--tp 8 --cp 2`")),
        };
    }
    let way = way(arguments)?;
    let machine = machine(arguments, way)?;
    let step = StepOptions { model: options.clone(), ..StepOptions::of_batch(options.batch) };
    let fault = |error| planning::failure(error, config, None);
    let made = from_config(config, &step).map_err(fault)?;
    let options = Options {
        search: Some(Search::None),
        asked: Some(way),
        model: Some(made.model),
        ..Options::default()
    };
    let terminal = Terminal::plain();
    let with = |memory_limit: Option<Bytes>| {
        let options = Options { memory_limit, ..options.clone() };
        compile(&made.program, &made.source, &machine, &options, &terminal)
    };
    // What it takes is asked for, also where there is not as much.
    let compiled = match with(None) {
        Err(CompileError::DoesNotFit(_)) => with(Some(MORE_THAN_ANY)),
        compiled => compiled,
    };
    terminal.wipe();
    Ok(Some(Sharded { way, plan: compiled.map_err(fault)?.plan }))
}

/// The degrees, each with one number.
fn way(arguments: &ModelArguments) -> Outcome<ParallelDegrees> {
    let space = arguments.degrees.space().map_err(Failure::usage)?;
    let Some(way) = space.only() else {
        return Err(Failure::usage("give each degree one number: `plan --grid` compares several"));
    };
    match way.groups() * way.virtual_stages() {
        1 => Ok(way),
        _ => Err(Failure::usage(
            "stages need microbatches and a schedule: `plan --pp` has them, block by block too",
        )),
    }
}

/// The machine that is given, or else as many H100 as the degrees are for, eight on a host.
fn machine(arguments: &ModelArguments, way: ParallelDegrees) -> Outcome<Machine> {
    if let Some(spec) = &arguments.machine {
        return input::machine(spec);
    }
    let said = way.as_said();
    let product = |degrees: &[usize]| degrees.iter().try_fold(1_usize, |all, own| all.checked_mul(*own));
    let own = [said.dp, said.cp, said.ep, said.tp];
    let counts = [product(&own), product(&[&own[..], &[said.fsdp]].concat())];
    let count = counts.into_iter().flatten().find(|count| way.degrees(*count).is_ok());
    let spec = match count {
        Some(count) if count > 8 && count.is_multiple_of(8) => format!("h100:{}x8", count / 8),
        Some(count) => format!("h100:1x{count}"),
        None => {
            return Err(Failure::usage(
                "these degrees are for no number of devices: give the machine with `--machine`",
            ));
        }
    };
    input::machine(&spec)
}

impl Sharded {
    /// For people: which step, and its blocks.
    pub(crate) fn text(&self) -> String {
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
    pub(crate) fn json(&self) -> Value {
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
