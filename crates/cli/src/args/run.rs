//! Flags of `run`, `launch` and `calibrate`.

use super::{Numbers, Weights};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct RunArguments {
    /// A folder that `compile` wrote
    pub(crate) folder: PathBuf,
    /// What runs it
    #[arg(long, value_enum, value_name = "ENGINE", default_value = "embedded")]
    pub(crate) engine: Engine,
    /// The arguments: an npz file, of arrays called `arg0`, `arg1`, ... or as the program calls them, or a folder of shards; not needed without arguments
    #[arg(long, value_name = "FILE|FOLDER")]
    pub(crate) inputs: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) checkpoint: Weights,
    /// Write the trained parameters as a checkpoint that `from_pretrained` loads
    #[arg(long, value_name = "FOLDER")]
    pub(crate) save_weights: Option<PathBuf>,
    /// Replace a folder of such a checkpoint that is there
    #[arg(long, requires = "save_weights")]
    pub(crate) force: bool,
    /// Arguments that are new in every step, such as the tokens: an npz file with `arg88`, ..., which have a dim more in
    /// front, an entry per step; behind the last entry the first is used again
    #[arg(long, value_name = "FILE")]
    pub(crate) batches: Option<PathBuf>,
    /// Where to write the results of the last step, `out0`, `out1`, ...: an npz file, or, if the name ends with `/`, a
    /// folder of shards
    #[arg(long, value_name = "FILE|FOLDER/")]
    pub(crate) outputs: Option<PathBuf>,
    /// How many steps to run; the state that a step returns is what the next one is given
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) steps: u64,
    /// Write the state every N steps, and at the end, into a folder in DIR; the newest ones are kept (`--keep`)
    #[arg(long, num_args = 2, value_names = ["N", "DIR"])]
    pub(crate) checkpoint_every: Vec<String>,
    /// How many checkpoints are kept
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) keep: u64,
    /// Begin with the newest checkpoint in DIR, or with the one that DIR is; it may be of another mesh, number of
    /// processes or engine
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,
    /// Run the same steps on something else too, and print the largest error of every result in every step
    #[arg(long, value_enum, value_name = "WITH")]
    pub(crate) compare: Option<Reference>,
    /// Largest relative error that `--compare` lets pass
    #[arg(long, value_name = "ERROR", default_value_t = 1e-4, requires = "compare")]
    pub(crate) tolerance: f64,
    #[command(flatten)]
    pub(crate) numbers: Numbers,
    #[command(flatten)]
    pub(crate) workers: WorkerArguments,
}

/// Of the engine `xla`.
#[derive(Args, Debug)]
#[command(next_help_heading = "Engine xla")]
pub(crate) struct WorkerArguments {
    /// Worker processes on this machine; the devices are split evenly among them
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) processes: u64,
    /// The Python that has JAX [default: that of the active virtual environment, else `python3`]
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) python: Option<PathBuf>,
    /// What JAX runs on, such as `cpu` or `cuda` [default: what JAX finds]
    #[arg(long, value_name = "PLATFORM")]
    pub(crate) platform: Option<String>,
    /// Give up when no step has ended for so many seconds, or for ten median steps if that is longer; compiling has no
    /// limit, and the first step has ten times as long [default: 30]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true)]
    pub(crate) hang_timeout: Option<f64>,
    /// Of a run over several hosts: where all workers meet; on every host, with the same value
    #[arg(long, value_name = "HOST:PORT", requires = "hosts", requires = "host_index")]
    pub(crate) coordinator: Option<String>,
    /// How many hosts there are, with a worker each
    #[arg(long, value_name = "N", requires = "coordinator", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) hosts: Option<u64>,
    /// Which of them this is, from 0
    #[arg(long, value_name = "I", requires = "coordinator")]
    pub(crate) host_index: Option<u64>,
}

/// What a run is compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Reference {
    /// The same local program on the embedded devices
    Embedded,
    /// The program before it was partitioned, on one device
    Whole,
}

/// What runs compiled programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// Devices as threads of this process
    Embedded,
    /// Devices of JAX, in processes of their own
    Xla,
}

#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("manager").required(true))]
pub(crate) struct LaunchArguments {
    /// A folder that `compile` wrote, on a file system that all hosts see
    pub(crate) folder: PathBuf,
    /// A batch script for Slurm
    #[arg(long, group = "manager")]
    pub(crate) slurm: bool,
    /// A JobSet manifest for Kubernetes
    #[arg(long, group = "manager")]
    pub(crate) k8s: bool,
    /// How many hosts, with a worker each [default: those of the machine that the plan is for]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) hosts: Option<u64>,
    /// What the scheduler calls a device: of Slurm a generic resource (`gpu`, `gpu:h100`), of Kubernetes an extended one
    /// (`nvidia.com/gpu`); `none` asks for no devices [default: as the machine that the plan is for says]
    #[arg(long, value_name = "NAME")]
    pub(crate) resource: Option<String>,
    /// The name of the job
    #[arg(long, value_name = "NAME", default_value = "meshwright")]
    pub(crate) name: String,
    /// The port where workers meet, on the first host
    #[arg(long, value_name = "PORT", default_value_t = 8476)]
    pub(crate) port: u16,
    /// Kubernetes: the container image, which has `meshwright` and a Python with JAX
    #[arg(long, value_name = "IMAGE", default_value = "meshwright:latest")]
    pub(crate) image: String,
    /// Kubernetes: the volume claim with the folder and the data, mounted where the folder's path begins
    #[arg(long, value_name = "CLAIM", default_value = "meshwright")]
    pub(crate) claim: String,
    /// Where to write it; `-` is stdout
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    /// What else `meshwright run` is given, such as `--inputs FILE --steps 1000`
    #[arg(last = true, value_name = "ARGUMENTS")]
    pub(crate) rest: Vec<String>,
}

#[derive(Args, Debug)]
pub(crate) struct CalibrateArguments {
    /// How many devices; on CPU any number, which share the cores [default: all that JAX finds; on CPU 8]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) devices: Option<u64>,
    /// Leave out what is larger than the first thing of its kind that takes so many seconds; everything within the
    /// default takes one to four minutes on a CPU
    #[arg(long, value_name = "SECONDS", default_value_t = 0.5)]
    pub(crate) longest: f64,
    /// What specs and plans call the machine
    #[arg(long, value_name = "NAME", default_value = "here")]
    pub(crate) name: String,
    /// Where to write the machine file; `-` is stdout
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) workers: WorkerArguments,
}
