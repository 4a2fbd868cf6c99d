//! What workers are to do. Written as JSON for them (`python/meshwright_xla/worker.py` reads it).

use super::launches::{Launch, Way};
use meshwright_plan::{Bundle, Manifest};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Work for workers on JAX.
#[derive(Clone, Debug, Serialize)]
pub struct Job {
    /// What the folder says of its programs.
    pub manifest: Described,
    /// Workers in all, on all hosts.
    pub processes: usize,
    /// The workers that this supervisor starts.
    #[serde(skip)]
    pub own: std::ops::Range<usize>,
    /// Whether other supervisors, on other hosts, start the others.
    pub is_across_hosts: bool,
    /// Where workers meet, `host:port`; chosen by the supervisor if it starts all of them.
    pub coordinator: Option<String>,
    /// What JAX is to run on, as in `JAX_PLATFORMS`; `None`: what it finds.
    pub platform: Option<String>,
    /// What they are to do.
    #[serde(flatten)]
    pub work: Work,
    /// The interpreter that runs workers.
    #[serde(skip)]
    pub python: PathBuf,
    /// Where it looks for packages besides its own places (`PYTHONPATH`).
    #[serde(skip)]
    pub python_path: Option<std::ffi::OsString>,
    /// Without a finished step for so long, or for ten median steps if that is more, workers hang.
    #[serde(skip)]
    pub hang_timeout: Duration,
}

/// Contents of a folder's manifest.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Described {
    /// Of one program, or of so many devices without any.
    One(Manifest),
    /// Of programs by stage and phase.
    Several(Box<Bundle>),
}

impl Described {
    /// Devices in all.
    pub fn num_devices(&self) -> usize {
        match self {
            Self::One(manifest) => manifest.num_devices,
            Self::Several(bundle) => bundle.num_devices(),
        }
    }
}

/// Tasks of workers.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Work {
    /// Run steps of a program.
    Steps(Box<Steps>),
    /// Time small programs.
    Measure {
        /// The programs.
        measurements: Vec<Measured>,
        /// A family of measurements ends with the first program that takes so many seconds.
        longest: f64,
    },
}

/// A run of a compiled program.
#[derive(Clone, Debug, Serialize)]
pub struct Steps {
    /// The files of the programs, in the manifest's order.
    pub programs: Vec<ProgramFile>,
    /// What groups of devices run and hand over, in the one order of all of them; nothing if there is one program.
    pub events: Vec<Launch>,
    /// How values go between groups that hold them otherwise.
    pub ways: Vec<Way>,
    /// Fingerprint of the whole program; checkpoints of another one are not resumed.
    pub fingerprint: String,
    /// The step after which to end; the first is 0, or that of the checkpoint that is resumed.
    pub last: u64,
    /// An `.npz` file or a folder of shards with the arguments.
    pub inputs: Option<PathBuf>,
    /// What the `.npz` file calls arguments that are not called `arg0`, `arg1`, ...
    pub input_names: BTreeMap<String, String>,
    /// An `.npz` file with a batch per entry of the first dim.
    pub batches: Option<PathBuf>,
    /// The arguments in it: `arg7`, ...
    pub batch_names: Vec<String>,
    /// What it calls those that it does not call so.
    pub own_batch_names: BTreeMap<String, String>,
    /// The folder of shards that the last step's results go to.
    pub outputs: Option<PathBuf>,
    /// The folder that every step's results go to, to be compared.
    pub each_step: Option<PathBuf>,
    /// A folder that goes with the run, of the supervisor's; workers remove it if the supervisor is gone.
    pub scratch: Option<PathBuf>,
    /// Where checkpoints go.
    pub checkpoints: Option<PathBuf>,
    /// Steps between two.
    pub every: Option<u64>,
    /// How many are kept.
    pub keep: usize,
    /// The checkpoint to begin with.
    pub resume: Option<PathBuf>,
}

/// A local program.
#[derive(Clone, Debug, Serialize)]
pub struct ProgramFile {
    /// Its file.
    pub path: PathBuf,
    /// Whether devices are partitions to it, not replicas.
    pub is_partitioned: bool,
}

/// Two programs that do one thing a different number of times, to be timed on all devices at once.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// If one of a family takes too long, those behind it are left out.
    pub family: String,
    /// How often each program does it.
    pub counts: [usize; 2],
    /// The programs.
    pub programs: [String; 2],
    /// Shape and element type of each argument.
    pub arguments: Vec<(Vec<usize>, &'static str)>,
}
