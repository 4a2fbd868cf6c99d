//! Every flag of the command line, with the text that `--help` shows.

mod check;
mod degrees;
mod explain;
mod export;
mod fitting;
mod model;
mod pipeline;
mod run;
mod scaling;
mod schedule;
mod solve;
mod step;
mod transform;
mod weights;

use crate::parse;
use clap::{Args, Parser, Subcommand, ValueEnum};
use meshwright_compile::{Kernels, MeshChoice, PinPattern};
use meshwright_machine::Bytes;
use std::path::PathBuf;

pub(crate) use check::CheckArguments;
pub(crate) use degrees::{DegreeArguments, PlanDegreeArguments};
pub(crate) use explain::ExplainArguments;
pub(crate) use export::{ExportArguments, JobFile};
pub(crate) use fitting::{Fitting, OneOf};
pub(crate) use model::{LayersAs, ModelArguments, PrecisionRecipe};
pub(crate) use pipeline::{GroupMeshes, LayersOfStages, PipelineArguments};
pub(crate) use run::{CalibrateArguments, Engine, LaunchArguments, Reference, RunArguments, WorkerArguments};
pub use scaling::Wanted;
pub use schedule::PhaseCosts;
pub(crate) use schedule::{ScheduleArguments, ScheduleCommand, SimulateArguments, VerifyArguments};
pub(crate) use solve::SolveArguments;
pub(crate) use step::StepArguments;
pub(crate) use transform::{
    PartitionArguments, PropagateArguments, PropagationStrategy, RulesArguments, ShardingForm,
    TransformArguments,
};
pub(crate) use weights::Weights;

/// What stands behind every `--help`.
const EXIT_CODES: &str = "\
Exit codes:
  0  it was done
  1  the input is at fault; the diagnostics on stderr say where and what to do
  2  wrong usage
  3  the answer is no: results differ, a check fails, or the program does not fit
  4  a device or worker failed
  130  it was asked to stop (Ctrl-C, SIGTERM) before it was done";

/// Shards a training step over many devices, and checks that it still computes the same.
#[derive(Parser, Debug)]
#[command(name = "meshwright", version, after_help = EXIT_CODES, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) output: Output,
}

/// How results and diagnostics are written.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Output {
    /// Write the result as JSON to stdout, and diagnostics as JSON, one per line, to stderr
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// How diagnostics are written
    #[arg(long, global = true, value_enum, value_name = "STYLE")]
    diagnostics: Option<Style>,
}

impl Output {
    /// The style of diagnostics: as asked for, otherwise what suits the result's form.
    pub(crate) fn style(self) -> Style {
        self.diagnostics.unwrap_or(if self.json { Style::Json } else { Style::Human })
    }
}

/// How diagnostics are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Style {
    /// With the source line and a caret
    Human,
    /// One line each
    Short,
    /// One JSON object per line
    Json,
}

impl From<Style> for meshwright_present::diagnostics::Style {
    fn from(style: Style) -> Self {
        match style {
            Style::Human => Self::Human,
            Style::Short => Self::Short,
            Style::Json => Self::Json,
        }
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// Plan, partition, run on embedded devices, and compare with the undistributed program
    #[command(after_help = "\
Examples:
  meshwright check examples/gpt.mlir --machine cpu8
  meshwright check examples/mlp_annotated.mlir
  meshwright check step.mlir --machine h100:2x8 --mesh data=2,model=8 --inputs step.in.npz
  meshwright check step.mlir --machine cpu8 --precision f64 --tolerance 1e-9")]
    Check(CheckArguments),
    /// Choose a mesh and a sharding for every tensor, and say what they cost
    #[command(after_help = "\
Examples:
  meshwright plan step.mlir --machine h100:1x8
  meshwright plan step.mlir --machine h100:32x8 -o plan.json
  meshwright plan config.json --machine h100:8x8 --seq 8192 --global-batch 512 -o plan.json
  meshwright plan step.mlir --machine cluster.toml --memory-limit 64GiB
  meshwright plan step.mlir --machine h100:4x8 --as dp=4,tp=8,zero=1
  meshwright plan step.mlir --machine h100:1x8 --mesh data=2,model=4 --pin 'w*=[{model}, {}]'
  meshwright plan step.mlir --machine h100:1x8 --memory-limit sweep
  meshwright plan config.json --machine h100:8x8 --global-batch 512 --grid --allow 'tp<=8@nvlink, cp=1' -o grid.csv")]
    Plan(PlanArguments),
    /// Write the program of one device, its plan and its manifest into a folder
    #[command(after_help = "\
Examples:
  meshwright compile step.mlir --machine cpu8 -o compiled
  meshwright compile step.mlir --plan plan.json -o compiled
  meshwright compile step.mlir --machine cpu8 -o compiled --without-pass combine-collectives")]
    Compile(CompileArguments),
    /// Run a compiled folder
    #[command(after_help = "\
Examples:
  meshwright run compiled --inputs step.in.npz --outputs step.out.npz
  meshwright run compiled --engine xla --processes 4 --inputs step.in.npz --steps 100 --checkpoint-every 20 saved
  meshwright run compiled --engine xla --inputs step.in.npz --steps 200 --resume saved --batches tokens.npz

Exit code 4: a worker failed; the message says which, why and what was saved. Exit code 130: it was
asked to stop (Ctrl-C, SIGTERM): the state was saved if `--checkpoint-every` is given, results were not written.")]
    Run(RunArguments),
    /// Measure this machine through JAX, and write the machine file that explains it best
    #[command(after_help = "\
Examples:
  meshwright calibrate -o here.toml
  meshwright calibrate --devices 8 --platform cpu -o cpu8.toml
  meshwright plan step.mlir --machine here.toml")]
    Calibrate(CalibrateArguments),
    /// Write a batch script or a manifest that runs a compiled folder on many hosts
    #[command(after_help = "\
Examples:
  meshwright launch compiled --slurm -o job.sh -- --inputs state.npz --steps 1000 --checkpoint-every 100 saved
  meshwright launch /data/compiled --k8s --image registry/meshwright:1 --claim training -o job.yaml")]
    Launch(LaunchArguments),
    /// Solve a sharding problem: one strategy per node, least cost, memory under a limit at every moment
    #[command(after_help = solve::EXAMPLES)]
    Solve(SolveArguments),
    /// Write the table of a pipeline schedule, search for a better one, or check one
    #[command(after_help = schedule::EXAMPLES)]
    Schedule(ScheduleArguments),
    /// Say what each group of a schedule does when, and how long it waits
    #[command(after_help = "\
Examples:
  meshwright simulate zb-v.schedule --costs 3,3,2,0.5 --svg zb-v.svg --trace zb-v.json
  meshwright simulate zb-v.schedule --costs 3,3,2,0.5 --link-bandwidth 0.5x --slow 3=1.5x
  meshwright simulate plan.json --svg plan.svg
  meshwright simulate plan.json --schedule zb-h1 --microbatches 32")]
    Simulate(SimulateArguments),
    /// Make a program of a model's config.json: its forward pass and loss, with the figures of the field
    #[command(after_help = "\
Examples:
  meshwright model config.json
  meshwright model config.json --seq 8192 --global-batch 4Mtok --precision-recipe bf16 -o step.mlir
  meshwright model config.json --seq 8192 --global-batch 16 --precision-recipe bf16 --tp 8 --cp 2
  meshwright model config.json --layers written-out -o - | less")]
    Model(ModelArguments),
    /// Write a plan as the job files of another framework
    #[command(after_help = export::EXAMPLES)]
    Export(ExportArguments),
    /// Evaluate a program on one device
    #[command(after_help = "\
Examples:
  meshwright eval step.mlir --inputs step.in.npz --outputs step.out.npz
  meshwright eval step.mlir --inputs step.in.npz --outputs wide.out.npz --precision f64

Ops of the `check` dialect in the program are obeyed: exit code 3 if one does not hold.")]
    Eval(EvalArguments),
    /// Read a program, check it, and print it as MLIR prints it
    #[command(after_help = "\
Examples:
  meshwright fmt step.mlir
  meshwright fmt step.mlir --generic -o generic.mlir")]
    Fmt(FmtArguments),
    /// Differentiate a loss, or make a training step of it
    #[command(after_help = "\
Examples:
  meshwright grad loss.mlir -o gradients.mlir
  meshwright grad loss.mlir --wrt \"params*\" -o gradients.mlir
  meshwright grad loss.mlir --wrt \"params*\" --optimizer adamw --lr 3e-4 --clip 1.0 -o step.mlir

The program returns the loss, then the gradients in the order of the arguments. With an optimizer it takes and returns
parameters, what the optimizer keeps of each, and the number of steps, and returns the loss last.")]
    Grad(GradArguments),
    /// Complete the sharding annotations of a program by propagation alone
    #[command(after_help = "\
Example:
  meshwright propagate annotated.mlir -o completed.mlir
  meshwright propagate annotated.mlir -o - --strategy basic

This is Shardy's propagation. `compile` and `partition` spread annotations by rules of their own, for one mesh and with
costs in mind, and may decide otherwise; crates/suite/tests/drift.txt lists where they do in the project's own tests.")]
    Propagate(PropagateArguments),
    /// Say where a sharding came from, or where shardings are at odds
    #[command(after_help = "\
Examples:
  meshwright explain annotated.mlir --value %12
  meshwright explain annotated.mlir
  meshwright explain step.mlir --plan plan.json --value %12

Without a value, operations whose tensors are sharded differently are listed, with what that costs.")]
    Explain(ExplainArguments),
    /// Write the sharding rule of every operation into the program
    #[command(after_help = "\
Example:
  meshwright rules step.mlir -o -

A rule names the factors that an operation's dims are made of, as Shardy's `sdy.op_sharding_rule` does.")]
    Rules(RulesArguments),
    /// Partition an annotated program; what propagation leaves open is replicated
    #[command(after_help = "\
Examples:
  meshwright partition annotated.mlir -o local.mlir
  meshwright partition annotated.mlir -o local.mlir --without-pass hoist-gathers --without-pass defer-reductions
  meshwright partition annotated.mlir -o local.mlir --dump-after reduce-scatters=scattered.mlir")]
    Partition(PartitionArguments),
    /// List the built-in machines, or show one
    #[command(after_help = "\
Examples:
  meshwright machines
  meshwright machines h100:32x8 > cluster.toml")]
    Machines(MachinesArguments),
}

impl Command {
    /// What it is called on the command line.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Check(_) => "check",
            Self::Plan(_) => "plan",
            Self::Compile(_) => "compile",
            Self::Run(_) => "run",
            Self::Launch(_) => "launch",
            Self::Calibrate(_) => "calibrate",
            Self::Solve(_) => "solve",
            Self::Schedule(_) => "schedule",
            Self::Simulate(_) => "simulate",
            Self::Model(_) => "model",
            Self::Export(_) => "export",
            Self::Eval(_) => "eval",
            Self::Fmt(_) => "fmt",
            Self::Grad(_) => "grad",
            Self::Propagate(_) => "propagate",
            Self::Explain(_) => "explain",
            Self::Rules(_) => "rules",
            Self::Partition(_) => "partition",
            Self::Machines(_) => "machines",
        }
    }
}

/// Writing the program after a stage. [`crate::usage`] adds the stages to the help.
#[derive(Args, Clone, Debug)]
pub(crate) struct Stages {
    /// Write the program after a stage as text, to FILE or to stderr; may be given more than once
    #[arg(long, value_name = "STAGE[=FILE]", value_parser = parse::dump)]
    pub(crate) dump_after: Vec<Dump>,
    /// Stop after a stage
    #[arg(long, value_name = "STAGE")]
    pub(crate) stop_after: Option<String>,
}

/// Which passes run over the local program.
#[derive(Args, Clone, Debug)]
pub(crate) struct Passes {
    /// Leave out a pass over the local program; may be given more than once
    #[arg(long, value_name = "PASS", value_parser = parse::passes())]
    pub(crate) without_pass: Vec<String>,
}

/// One `--dump-after`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dump {
    /// Name of the stage.
    pub(crate) stage: String,
    /// Where to; stderr if not given.
    pub(crate) file: Option<PathBuf>,
}

/// What decides a plan.
#[derive(Args, Clone, Debug)]
pub(crate) struct Planning {
    /// The program: StableHLO text, as `jax.jit(step).lower(...).as_text()` gives it, or a model's `config.json`; `-` is stdin
    pub(crate) model: PathBuf,
    #[command(flatten)]
    pub(crate) step: StepArguments,
    /// The machine: a name, a name with sizes such as `h100:32x8`, or a TOML file
    #[arg(long, short, value_name = "MACHINE")]
    pub(crate) machine: Option<String>,
    /// The mesh, such as `data=2,model=4`, or sizes for the program's own axes, such as `2x4`; otherwise the program's own, or searched
    #[arg(long, value_name = "AXES", value_parser = parse::mesh)]
    pub(crate) mesh: Option<MeshChoice>,
    /// Whether to search for what annotations leave open [default: none for an annotated program without `--pin` and `--as`, otherwise rest], or by whose procedure to plan a whole step
    #[arg(long, value_name = "WHAT", value_parser = parse::searches())]
    pub(crate) search: Option<SearchScope>,
    /// How arguments of a name are sharded, such as `w*=[{"model"}, {}]` or, of the third argument without a name, `arg2=[{"data"}]`; what is left open is searched, and of two pins for one argument the last counts
    #[arg(long = "pin", value_name = "NAME=DIMS")]
    pub(crate) pins: Vec<PinPattern>,
    #[command(flatten)]
    pub(crate) degrees: PlanDegreeArguments,
    /// Take the simplest plan that is at most so much slower than the best, such as `3%`
    #[arg(long, value_name = "PERCENT", value_parser = parse::percent, allow_hyphen_values = true)]
    pub(crate) simplest_within: Option<f64>,
    /// Whether attentions that the program writes out, and scans of a configuration, become calls of the machine's kernels for them, such as cuDNN's [default: on; a plan says it itself]
    #[arg(long, value_name = "on|off", default_value = "on", hide_default_value = true)]
    pub(crate) kernels: Kernels,
    #[command(flatten)]
    pub(crate) fitting: Fitting,
    /// Memory of one device that may be used, such as `16GiB` [default: the machine's]; `plan` takes several, such as `16GiB,32GiB`, or `sweep`
    #[arg(long, value_name = "BYTES", value_parser = parse::memory_limits, allow_hyphen_values = true)]
    pub(crate) memory_limit: Option<MemoryLimits>,
    /// What a device is to the local program
    #[arg(long, value_enum, value_name = "WHAT", default_value = "replica")]
    pub(crate) ids: DeviceIds,
    /// Start collectives before they are needed and work meanwhile (`stablehlo.async_start`), for engines that honor it
    #[arg(long = "async")]
    pub(crate) asynchronous: bool,
    #[command(flatten)]
    pub(crate) stages: Stages,
    #[command(flatten)]
    pub(crate) passes: Passes,
}

/// One limit on memory, or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum MemoryLimits {
    /// These.
    Each(Vec<Bytes>),
    /// From the least in which a plan fits to the most that is of use.
    Sweep,
}

impl MemoryLimits {
    /// The least that is given.
    pub(crate) fn least(&self) -> Option<Bytes> {
        match self {
            Self::Each(limits) => limits.iter().copied().min(),
            Self::Sweep => None,
        }
    }
}

/// What is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchScope {
    /// Nothing: what propagation leaves open is replicated.
    None,
    /// Everything that annotations leave open.
    Rest,
    /// Degrees, microbatches and stages, by the procedure of the planner of this name.
    Baseline(&'static str),
}

/// How numbers are kept.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Numbers {
    /// How floats are computed: as declared, or all as f64 so that rounding hides nothing
    #[arg(long, value_enum, value_name = "PRECISION", default_value = "declared")]
    pub(crate) precision: FloatPrecision,
}

/// How floats are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FloatPrecision {
    /// In their declared types
    Declared,
    /// All in f64
    F64,
}

#[derive(Args, Clone, Debug)]
pub(crate) struct PlanArguments {
    #[command(flatten)]
    pub(crate) planning: Planning,
    #[command(flatten)]
    pub(crate) pipeline: PipelineArguments,
    #[command(flatten)]
    pub(crate) job: JobFile,
    /// Price and show this plan, on the machine that is given or else its own, instead of making one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mesh", "search", "grid", "layers", "from", "target", "target_tokens_per_s", "tokens", "deadline", "budget"])]
    pub(crate) plan: Option<PathBuf>,
    /// Price every combination of degrees that is open and allowed, as a table; what is not said of `--tp` and its like is open, `--pp` too where there are microbatches
    #[arg(long, conflicts_with_all = ["mesh", "search", "pins", "simplest_within", "stop_after", "dump_after", "stages"])]
    pub(crate) grid: bool,
    /// Price ways of one group, too, with their layers one behind the other, as stages of pipelines are and frameworks without loops over layers run them [default: as the program has them]
    #[arg(long)]
    pub(crate) layers: Option<LayersAs>,
    #[command(flatten)]
    pub(crate) wanted: Wanted,
    /// Write the plan to a file; the grid, as CSV if its name ends so
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Show everything: every argument, reason and process group, and what passes changed; every row of a grid
    #[arg(long)]
    pub(crate) full: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CompileArguments {
    #[command(flatten)]
    pub(crate) planning: Planning,
    #[command(flatten)]
    pub(crate) pipeline: PipelineArguments,
    /// Use a plan instead of making one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mesh", "search"])]
    pub(crate) plan: Option<PathBuf>,
    /// The folder to write
    #[arg(long, short, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Replace a folder that is there, if it holds nothing but such files
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Args, Debug)]
pub(crate) struct EvalArguments {
    /// The program, or a model's `config.json`; `-` is stdin
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) step: StepArguments,
    /// The arguments as arrays of an npz file, called `arg0`, `arg1`, ... or as the program calls them; not needed without arguments
    #[arg(long, value_name = "FILE")]
    pub(crate) inputs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) checkpoint: Weights,
    /// Where to write the results `out0`, `out1`, ...
    #[arg(long, value_name = "FILE")]
    pub(crate) outputs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) numbers: Numbers,
}

#[derive(Args, Debug)]
pub(crate) struct FmtArguments {
    /// The program, or several split by lines of `// -----`; `-` is stdin
    pub(crate) file: PathBuf,
    /// Print every op in its generic form
    #[arg(long)]
    pub(crate) generic: bool,
    /// Print where everything comes from, as `loc(...)`
    #[arg(long)]
    pub(crate) debug_info: bool,
    /// Where to write the text [default: stdout]
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct GradArguments {
    /// The program of the loss; `-` is stdin
    pub(crate) input: PathBuf,
    /// Arguments to differentiate by: names with `*` and `?`, `arg0`, or `all-floats`
    #[arg(long, value_name = "NAMES", default_value = "all-floats")]
    pub(crate) wrt: Vec<String>,
    /// The result that is the loss, counted from 0
    #[arg(long, value_name = "RESULT", default_value_t = 0)]
    pub(crate) of: usize,
    /// Write the whole training step, with this optimizer
    #[arg(long, value_name = "NAME", value_parser = parse::optimizers())]
    pub(crate) optimizer: Option<String>,
    /// The learning rate [default: the optimizer's]
    #[arg(long, value_name = "RATE", requires = "optimizer", value_parser = parse::positive, allow_negative_numbers = true)]
    pub(crate) lr: Option<f64>,
    /// The weight decay [default: the optimizer's]
    #[arg(long, value_name = "DECAY", requires = "optimizer", value_parser = parse::decay, allow_negative_numbers = true)]
    pub(crate) weight_decay: Option<f64>,
    /// Parameters whose weights do not decay, by names with `*` and `?`
    #[arg(long, value_name = "NAMES", requires = "optimizer")]
    pub(crate) no_decay: Vec<String>,
    /// Shorten all gradients together to a norm of at most NORM
    #[arg(long, value_name = "NORM", requires = "optimizer", value_parser = parse::positive, allow_negative_numbers = true)]
    pub(crate) clip: Option<f64>,
    /// Scale the loss, and double the scale after so many steps without overflow
    #[arg(long, value_name = "STEPS", requires = "optimizer", num_args = 0..=1, default_missing_value = "2000", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) loss_scale: Option<u32>,
    /// All indices by which the loss looks something up lie inside, as tokens do in their vocabulary: gradients are not bounded to it
    #[arg(long)]
    pub(crate) promise_in_bounds: bool,
    /// Where to write the program; `-` is stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
}

/// What a device is to the local program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DeviceIds {
    /// A replica, numbered by `replica_id`
    Replica,
    /// A partition, numbered by `partition_id`; arguments and results are marked as manual
    Partition,
}

#[derive(Args, Debug)]
pub(crate) struct MachinesArguments {
    /// The machine to show, such as `h100` or `h100:32x8`: as a TOML file to start your own from
    pub(crate) name: Option<String>,
}
