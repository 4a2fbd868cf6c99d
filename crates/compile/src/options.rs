//! What the caller may decide.

use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_models::LayerForm;
pub use meshwright_spmd::Ids;
pub use meshwright_spmd::optimize::Collectives;

use meshwright_plan::PlanFile;
use meshwright_plan::plan_file::{MeshAxis, PlanModel};
use meshwright_schedule::Named;
pub use meshwright_search::{Constraints, DegreeSpace, Effort, ParallelDegrees};
pub use meshwright_stage::Weights;

use std::collections::BTreeMap;
use std::str::FromStr;

pub use crate::attended::Kernels;
use crate::offload::Offload;
use crate::pin_pattern::PinPattern;
use crate::recompute::Recompute;

/// Passes over the batch that users may allow: of what needs more, as batch normalization does, exact microbatches would take
/// the step several times.
pub const MOST_PASSES: usize = 3;

/// Options of a compilation; the default searches for everything that the program does not say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// The mesh. `None`: that of the plan or the program, otherwise searched.
    pub mesh: Option<MeshChoice>,
    /// Meshes of the groups of a pipeline, where they are not all the same; empty if they are.
    pub group_meshes: Vec<MeshChoice>,
    /// Hosts that each group of a pipeline is spread over. `None`: that of the plan; without one, groups are blocks of
    /// neighboring devices.
    pub group_hosts: Option<GroupHosts>,
    /// Whether a pipeline updates its state before or after it knows what all stages say of that.
    pub validation: Validation,
    /// Weights that microbatches of a pipeline read, if not those of the step: this changes what the step computes.
    pub weights: Option<Weights>,
    /// Whether stages make what they read of parameters in every microbatch, instead of keeping copies: for want of memory.
    pub converts_again: bool,
    /// Whether stages keep layers that a step has in stacks as loops. `None`: where these take little more.
    pub stage_loops: Option<StageLoops>,
    /// Shardings of arguments. Where no mesh is given and the program has none, all that their axes can mean are tried.
    pub pins: Vec<PinPattern>,
    /// What to search for. `None`: nothing if `main` carries an annotation and nothing is pinned, everything
    /// otherwise.
    pub search: Option<Search>,
    /// Bytes of each device that may be used. `None`: all that it has.
    pub memory_limit: Option<Bytes>,
    /// Of interest are only plans that take less, before the passes over the local program: a search that finds none may
    /// give one that is not its best, or say that none fits.
    pub faster_than: Option<Seconds>,
    /// What is known already takes so long: among ways to need less memory, what a look finds to take longer than that by more than
    /// a search saves is not searched again.
    pub known: Option<Seconds>,
    /// Thoroughness of a search.
    pub effort: Effort,
    /// The caller's own way to shard the program, to be priced beside the others that a search compares; without a
    /// search, and where nothing else says how, it is the plan.
    pub asked: Option<ParallelDegrees>,
    /// Degrees of which some are open: each combination is priced, and the best is what is asked for.
    pub degrees: DegreeSpace,
    /// Schedule of pipelines whose degrees are given. `None`: 1F1B, interleaved where groups have several stages.
    pub schedule: Option<Named>,
    /// Layers of each stage of pipelines whose degrees are given, by the number of their stages. Others are cut where a step takes
    /// least.
    pub stage_layers: BTreeMap<usize, Vec<usize>>,
    /// What the degrees of a plan have to keep to.
    pub allowed: Constraints,
    /// The simplest plan that takes at most this share longer than the best is taken instead of it: 0.03 for 3 %.
    pub simplest_within: Option<f64>,
    /// Kernels of the platform in place of what the program writes out. A plan says it itself.
    pub kernels: Kernels,
    /// Microbatches that a step's batch is cut into. `None`: that of the plan; without one, as many as are needed for the
    /// step to fit where the search may decide, otherwise one.
    pub microbatches: Option<Microbatches>,
    /// Examples of a microbatch on one replica. `None`: what the number of microbatches leaves.
    pub microbatch_size: Option<usize>,
    /// The most passes over the batch that microbatches may need, without those over data alone. `None`: two. The doors allow no
    /// more than [`MOST_PASSES`].
    pub microbatch_passes: Option<usize>,
    /// Statistics of the batch that examples are computed from. `None`: those of the plan; without one, exact.
    pub microbatch_statistics: Option<Statistics>,
    /// Activations that are made again for the backward pass. `None`: those of the plan, or none beside what the program
    /// makes again itself.
    pub recompute: Option<Recompute>,
    /// Parts of the program that run in tiles. `None`: those of the plan; without one, as many as are needed for the step to
    /// fit where the search may decide, otherwise none.
    pub tiles: Option<Tiles>,
    /// Values that lie in the memory of the host while nothing reads them. `None`: those of the plan, or none beside what
    /// the program puts there itself.
    pub offload: Option<Offload>,
    /// Layers of ways of one group in a grid: as the program has them, or one behind the other, as stages of pipelines have
    /// them.
    pub layers: LayerForm,
    /// What the program was made of, for the plan to say.
    pub model: Option<PlanModel>,
    /// A plan made earlier, to be used instead of annotations and search.
    pub plan: Option<PlanFile>,
    /// Stop after this stage (one of [`crate::stages()`]) with [`crate::CompileError::Stopped`].
    pub stop_after: Option<String>,
    /// Names of passes over the local program that are left out.
    pub without_passes: Vec<String>,
    /// What a device is to the local program.
    pub ids: Ids,
    /// What the engine that the program is for makes of collectives.
    pub collectives: Collectives,
}

impl Options {
    /// Bytes of each device of a machine that may be used.
    pub(crate) fn memory_limit_on(&self, machine: &Machine) -> Bytes {
        self.given_memory_limit().unwrap_or(machine.device.usable_memory())
    }

    /// The limit that is said, here or when the plan was made.
    pub(crate) fn given_memory_limit(&self) -> Option<Bytes> {
        let memory = self.plan.as_ref().map(|plan| &plan.memory);
        let planned = memory.filter(|memory| memory.headroom.is_none() && memory.limit_bytes > 0);
        self.memory_limit.or(planned.map(|memory| Bytes(memory.limit_bytes)))
    }

    /// The tiles that are asked for; none where a plan says what runs in them, and where a search begins, with the program as
    /// it is.
    pub(crate) fn asked_tiles(&self) -> Option<Tiles> {
        let is_some = |tiles: &Tiles| !matches!(tiles, Tiles::None | Tiles::Search | Tiles::Number(1));
        self.tiles.filter(|tiles| self.plan.is_none() && is_some(tiles))
    }

    /// Returns whether anything is said of the groups of a pipeline, or of how its steps follow one another.
    pub(crate) fn says_groups(&self) -> bool {
        !self.group_meshes.is_empty()
            || self.group_hosts.is_some()
            || self.validation == Validation::After
            || self.weights.is_some()
    }

    /// The same, with which each group of a pipeline is sharded as a way says.
    pub fn sharded_by(self, way: ParallelDegrees) -> Self {
        Self {
            asked: Some(way.inside()),
            search: Some(Search::None),
            degrees: DegreeSpace::default(),
            allowed: Constraints::default(),
            ..self
        }
    }
}

/// A mesh as the caller gives it, major first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshChoice {
    /// Axes with their names.
    Axes(Vec<MeshAxis>),
    /// Sizes for the axes of the program's own mesh; if it has none or another number of axes, they are called `x`,
    /// `y`, ...
    Sizes(Vec<usize>),
}

impl MeshChoice {
    /// Number of devices that it is for.
    pub fn num_devices(&self) -> usize {
        match self {
            Self::Axes(axes) => axes.iter().fold(1, |all, axis| all.saturating_mul(axis.size)),
            Self::Sizes(sizes) => sizes.iter().fold(1, |all, size| all.saturating_mul(*size)),
        }
    }
}

/// Hosts that each group of a pipeline is spread over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupHosts {
    /// So many.
    Number(usize),
    /// The number with which a step takes least.
    Search,
}

/// Time at which stages of a pipeline check what the update of all of them needs, as whether the norm of all gradients has to
/// be clipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Validation {
    /// Before they update their state: each waits for all others.
    #[default]
    Before,
    /// Afterwards: each updates as if nothing had to be corrected, and makes the update again where something had.
    After,
}

/// Stages whose layers, which a step has in stacks, are loops, whatever these take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StageLoops {
    /// All that can be.
    Always,
    /// None.
    Never,
}

impl FromStr for StageLoops {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|loops| loops.name() == text);
        let names = Self::ALL.map(Self::name).join(" or ");
        known.ok_or_else(|| format!("stages have loops {names}, not `{text}`"))
    }
}

impl StageLoops {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Always, Self::Never];

    /// Its name in flags and plan files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
        }
    }
}

/// Choice of microbatches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Microbatches {
    /// So many in a step.
    Number(usize),
    /// One if the step fits so, else of those that make it fit the one with which it takes least.
    Search,
}

impl FromStr for Microbatches {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "search" => Ok(Self::Search),
            number => match number.parse() {
                Ok(0) => Err("a step has at least 1 microbatch".to_owned()),
                Ok(count) => Ok(Self::Number(count)),
                Err(_) => Err(format!("`{text}` is no number of microbatches; write 4, or `search`")),
            },
        }
    }
}

/// Choice of statistics: what is put together from the batch and read again for each example, as by batch normalization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistics {
    /// Of the whole batch, in passes over it.
    Exact,
    /// Of one microbatch where they depend on parameters, which changes what the step computes.
    Local,
}

impl FromStr for Statistics {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "exact" => Ok(Self::Exact),
            "local" => Ok(Self::Local),
            other => Err(format!("`{other}` is no kind of statistics; write `exact` or `local`")),
        }
    }
}

/// Choice of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tiles {
    /// Nothing runs in tiles.
    None,
    /// All that can runs in so many.
    Number(usize),
    /// What is worth its time runs in so many that what is large becomes about as small as what stays whole.
    Most,
    /// All that can runs in so many that what is large becomes as small as what stays whole, whatever time that takes.
    All,
    /// Some, if that makes the step fit.
    Search,
}

impl FromStr for Tiles {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "none" => Ok(Self::None),
            "search" => Ok(Self::Search),
            number => match number.parse() {
                Ok(0) => Err("there is at least 1 tile".to_owned()),
                Ok(count) => Ok(Self::Number(count)),
                Err(_) => Err(format!("`{text}` is no number of tiles; write 8, `search` or `none`")),
            },
        }
    }
}

/// Scope of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    /// Nothing: what propagation leaves open is replicated.
    None,
    /// Whatever annotations leave open.
    Rest,
}
