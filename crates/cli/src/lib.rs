//! The `meshwright` command, for the binary and for the Python package, which installs it too.
//!
//! Input: the words of the command line. Output: the exit code; the rest went to stdout, stderr and files. Here it only
//! dispatches: flags are in `args`, each subcommand is a file of its own.

mod args;
mod arrays;
mod baseline;
mod best;
mod between_groups;
mod calibrate;
mod check;
mod compile;
mod does_not_fit;
mod eval;
mod explain;
mod export;
mod failure;
mod fmt;
mod for_target;
mod grad;
mod grid;
mod input;
mod interrupt;
mod job_file;
mod launch;
mod listed;
mod machines;
mod meaning;
mod memory;
mod model;
mod model_sharded;
mod nearest;
mod output;
mod parse;
mod pipeline;
mod pipeline_flags;
mod pipeline_plan;
mod plan;
mod planning;
mod program;
mod progress;
mod report;
mod run;
mod scaling;
mod schedule;
mod simulate;
mod solve;
mod stage_copies;
mod stage_layers;
mod sweep;
mod terminal;
mod transform;
mod twin;
mod usage;
mod vocabularies;
mod weights;
mod workers;

pub use args::{PhaseCosts, Wanted};
pub use export::{is_plan_of, of_another_model};
pub use for_target::{ForTarget, Runs};
pub use job_file::{Contradiction, SaidOfStep, StepOfJob, has_open_length, layers_of_config};
pub use model::{KERNELS_OF, ModelFigures, left_written_out};
pub use model_sharded::{Sharded, enough_devices, one_way};
pub use nearest::Nearest;
pub use parse::between_commas;
pub use progress::ProgressLine;
pub use scaling::{must_count_tokens, must_have_price, no_machine, sizes, smallest};
pub use schedule::{CheckedTable, MadeTable, WantedTable, checked as checked_schedule};
pub use simulate::SimulatedPlan;
pub use sweep::{Frontier, PlanInputs};
pub use twin::{MOST_DEVICES, json as twin_json, text as twin_text};
pub use vocabularies::must_be_of_the_model;
pub use weights::{checkpoint_arguments, save_checkpoint};

use args::{Arguments, Command};
use failure::{Failure, Outcome};
use meshwright_present::{plan_table, plural, table};
use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

/// Runs a command line, of which the first word is the command's own name, and gives the process's exit code.
pub fn run(words: &[OsString]) -> u8 {
    let arguments = match usage::parse(words) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let out = arguments.output;
    // A broken invariant of ours is reported like any failure; the trace is for those who ask for it.
    if !wants_backtrace() {
        set_hook(Box::new(|_| {}));
    }
    let outcome = catch_unwind(AssertUnwindSafe(|| dispatch(&arguments)))
        .unwrap_or_else(|panic| Err(Failure::defect(panic.as_ref())));
    match outcome {
        Ok(()) => 0,
        Err(failure) => {
            failure.report(out, arguments.command.name());
            failure.exit_code()
        }
    }
}

fn dispatch(arguments: &Arguments) -> Outcome {
    let out = arguments.output;
    match &arguments.command {
        Command::Check(arguments) => check::run(arguments, out),
        Command::Plan(arguments) => plan::run(arguments, out),
        Command::Compile(arguments) => compile::run(arguments, out),
        Command::Run(arguments) => run::run(arguments, out),
        Command::Calibrate(arguments) => calibrate::run(arguments, out),
        Command::Launch(arguments) => launch::run(arguments, out),
        Command::Solve(arguments) => solve::run(arguments, out),
        Command::Schedule(arguments) => schedule::run(arguments, out),
        Command::Simulate(arguments) => simulate::run(arguments, out),
        Command::Model(arguments) => model::run(arguments, out),
        Command::Export(arguments) => export::run(arguments, out),
        Command::Eval(arguments) => eval::run(arguments, out),
        Command::Fmt(arguments) => fmt::run(arguments, out),
        Command::Grad(arguments) => grad::run(arguments, out),
        Command::Propagate(arguments) => transform::propagate(arguments, out),
        Command::Explain(arguments) => explain::run(arguments, out),
        Command::Rules(arguments) => transform::rules(arguments, out),
        Command::Partition(arguments) => transform::partition(arguments, out),
        Command::Machines(arguments) => machines::run(arguments, out),
    }
}

/// Whether panics are shown as Rust shows them.
#[allow(clippy::disallowed_methods)] // the doors read the environment
fn wants_backtrace() -> bool {
    std::env::var_os("RUST_BACKTRACE").is_some()
}
