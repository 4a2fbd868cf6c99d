//! The plan as a file: versioned JSON, one line per tensor, to be read, compared and edited by people.
//!
//! Input and output: a [`PlanFile`] and its text; [`codec`] makes [`crate::Decisions`] of it and back. Only `mesh`, the
//! `sharding` of each argument and result, `shardings`, `op_strategies`, `policies`, `attention.kernel`, `model.scan_kernel`, `tiles`,
//! `recomputes_anew`, `microbatches.count`, `stages`, `schedule`, `gathers_again`, `converts_again`, `groups`, `group_hosts`,
//! `post_validation`, `gathers_forward`, `delayed_weights` and `stage_loops` decide anything when a plan is loaded again; `program`, `shape` and `element` are checked against the program, and everything
//! else is what was predicted when the plan was made. What is decided inside the program is said by stable names
//! ([`crate::names`]). Plans of version 1 are read too ([`version_1`]).
//!
//! ```
//! use meshwright_plan::plan_file::{PlanFile, PlanTensor};
//!
//! let mut plan = PlanFile::new("3f1d0c5be2a97c04".into(), "cpu8:8".into());
//! plan.arguments.push(PlanTensor {
//!     index: 0,
//!     name: Some("w".into()),
//!     role: None,
//!     shape: vec![8, 4],
//!     element: "f32".into(),
//!     sharding: vec![vec!["model".into()], vec![]],
//!     bytes_per_device: 32,
//! });
//! let text = plan.to_text();
//! assert!(text.contains(r#"{"index": 0, "name": "w", "shape": [8, 4], "#));
//! assert_eq!(PlanFile::from_text(&text).unwrap(), plan);
//! ```

mod attention;
pub mod codec;
mod group;
mod microbatches;
mod model;
mod not_a_plan;
mod times;
pub mod version_1;

pub use attention::{AttentionForm, PlanAttention, PlanAttentions};
pub use group::PlanGroup;
pub use microbatches::PlanMicrobatches;
pub use model::PlanModel;
pub use times::{PlanShared, PlanStageTimes, PlanTimes, PlanTransfer};

use crate::json::{self, Places};
use crate::{Degrees, Figures};
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use serde::{Deserialize, Serialize};
pub use version_1::Numbered;

/// A plan file does not follow the format, or is of another version.
pub const PLAN_FILE: Check = Check("plan-file");

/// The version of the format that this program writes and reads.
pub const VERSION: u32 = 2;

/// Everything that was decided about one program on one machine, and what it was predicted to cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanFile {
    /// Version of the format.
    pub version: u32,
    /// Fingerprint of the program, see [`crate::fingerprint()`].
    pub program: String,
    /// What the program was made of, where that was a model's configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<PlanModel>,
    /// Spec of the machine, such as `h100:1x8`.
    pub machine: String,
    /// Axes of the mesh, major first.
    pub mesh: Vec<MeshAxis>,
    /// Where the axes lie on the machine, and the number of a device from its coordinates, for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub ranks: String,
    /// Kinds of parallelism that the plan amounts to, in the field's words.
    #[serde(default)]
    pub parallelism: Vec<String>,
    /// The same as degrees of parallelism.
    #[serde(default)]
    pub degrees: Degrees,
    /// Where the plan is not what was asked for: what, what it amounts to, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Why this plan, one sentence each.
    #[serde(default)]
    pub reasons: Vec<String>,
    /// What other ways were predicted to cost, cheapest first; empty if nothing was searched.
    #[serde(default)]
    pub alternatives: Vec<PlanAlternative>,
    /// What was not considered.
    #[serde(default)]
    pub not_searched: Vec<String>,
    /// Whether the search was stopped before its end: this is the best plan that it had found.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unfinished: bool,
    /// Seconds that no plan on the meshes that were searched takes less than, in the ways to fit that were tried, before the passes
    /// over the local program as `before_passes_seconds`; only after a search that found one that fits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound_seconds: Option<f64>,
    /// What predictions rest on that the program does not say.
    #[serde(default)]
    pub assumptions: Vec<String>,
    /// Instructions that need a sharded operand whole on every device, with their places and bytes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replicated: Vec<String>,
    /// Parameters whose dims do not divide among the devices: padded, or held by several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub uneven: Vec<String>,
    /// Predicted time of one step.
    #[serde(default)]
    pub predicted: Predicted,
    /// Predicted memory of one device.
    #[serde(default)]
    pub memory: Memory,
    /// What people compare: use of the machine, where time and memory go, what a step costs. Of plans of earlier releases
    /// there is nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub figures: Option<Figures>,
    /// Collectives of one step, by kind.
    #[serde(default)]
    pub collectives: Vec<PlanCollective>,
    /// What of them the passes over the local program changed, in order: without these changes, collectives are those
    /// that the predicted time is made of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passes: Vec<PlanPass>,
    /// Attentions that are calls of a kernel, or might be, where the machine has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attention: Option<PlanAttention>,
    /// How the batch is cut into microbatches, if it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub microbatches: Option<PlanMicrobatches>,
    /// What is made again for the backward pass beside what the program makes again itself: `selective`, `full`, or numbers
    /// of instructions by kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recompute: Option<String>,
    /// Whether the policies say all that is made again for the backward pass, whatever the program makes again itself.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub recomputes_anew: bool,
    /// How each argument is sharded.
    pub arguments: Vec<PlanTensor>,
    /// How each result is sharded.
    pub results: Vec<PlanTensor>,
    /// Shardings of values inside the program that do not follow from the above.
    #[serde(default)]
    pub shardings: Vec<PlanSharding>,
    /// Strategies of instructions that do not follow from the shardings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub op_strategies: Vec<PlanOpStrategy>,
    /// Memory policies of uses that are not the default.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub policies: Vec<PlanPolicy>,
    /// Regions that run in tiles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tiles: Vec<PlanTile>,
    /// Stages of a pipeline but the first, each with the instruction of the forward pass behind which it begins. The mesh, and
    /// all shardings, are those of one group then, of the step in microbatches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<PlanStage>,
    /// Schedule of the stages, a row of actions for each group of devices; see [`crate::schedule`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schedule: Vec<String>,
    /// Stages whose backward passes gather again what their forward passes have gathered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gathers_again: Vec<usize>,
    /// Stages that make what they compute with of parameters in every microbatch, instead of keeping copies of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub converts_again: Vec<usize>,
    /// Groups of a pipeline whose mesh is not that of the plan, which is then that of all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<PlanGroup>,
    /// Hosts that each group of a pipeline is spread over, if they are not blocks of neighboring devices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group_hosts: Option<usize>,
    /// Whether the stages of a pipeline update their state without waiting for each other, and validate that afterwards.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub post_validation: bool,
    /// Whether the forward passes of a pipeline gather what all examples have to be seen for, all before the first backward
    /// pass, so that no pass comes before them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gathers_forward: bool,
    /// Weights of earlier steps that microbatches of a pipeline read, if they do not read those of the step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delayed_weights: Option<String>,
    /// Whether stages of a pipeline `always` or `never` have loops over layers that the step has in stacks; where nothing is said,
    /// those have some for which they take little more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage_loops: Option<String>,
    /// What the stages of a pipeline are predicted to take, which decides nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<PlanTimes>,
    /// Decisions of a plan of version 1, which names what is inside the program by numbers.
    #[serde(skip)]
    pub numbered: Option<Box<Numbered>>,
    /// Where its values stood in the file that it was read from.
    #[serde(skip)]
    pub places: Places,
}

/// An axis of the mesh.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshAxis {
    /// Its name.
    pub name: String,
    /// Devices along it.
    pub size: usize,
}

/// Time of one step. A prediction is never a measurement; until the machine is calibrated it says so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Predicted {
    /// Seconds in which a device computes.
    pub compute_seconds: f64,
    /// Seconds in which it communicates.
    pub communication_seconds: f64,
    /// Seconds of those in which it computes meanwhile.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[serde(rename = "hidden_seconds")]
    pub overlapped_seconds: f64,
    /// Seconds of the whole step, of the program that is handed out.
    pub total_seconds: f64,
    /// Seconds of the step before the passes over the local program: what the search compares plans by, its bound and the
    /// alternatives included.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub before_passes_seconds: f64,
    /// Whether the machine's figures were measured on that very machine.
    pub calibrated: bool,
    /// How far measured figures were from measurements, as the machine's file says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibration: Option<String>,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// Memory of one device.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// Most bytes alive at once.
    pub peak_bytes: u64,
    /// Bytes that may be used.
    pub limit_bytes: u64,
    /// Bytes of the device's memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_bytes: Option<u64>,
    /// The fraction of them that the limit leaves to allocators; `None`: the limit was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub headroom: Option<f64>,
    /// Most bytes that lie at once in the memory of the host, for one device.
    #[serde(default, skip_serializing_if = "is_no_byte")]
    pub host_bytes: u64,
    /// The memory of a host, where the machine says it and something lies there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<HostMemory>,
}

/// Memory of one host, and what the plan puts there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostMemory {
    /// Devices that share it.
    pub devices: usize,
    /// Most bytes that lie there at once, of all its devices.
    pub peak_bytes: u64,
    /// Bytes that it has.
    pub limit_bytes: u64,
    /// Bytes of the peak that its memory has no room for, and that lie on its drives.
    #[serde(default, skip_serializing_if = "is_no_byte")]
    pub drive_bytes: u64,
    /// What lies there.
    pub parts: Vec<HostPart>,
}

/// Values of one kind on the host.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostPart {
    /// `moments`, `parameters` or `activations`.
    pub what: String,
    /// Bytes of one device, all values together.
    pub bytes_per_device: u64,
}

fn is_no_byte(bytes: &u64) -> bool {
    *bytes == 0
}

/// A way of sharding the program that was not chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanAlternative {
    /// What it is called in the field.
    pub name: String,
    /// Predicted seconds of one step.
    pub total_seconds: f64,
    /// Most bytes alive at once on one device.
    pub peak_bytes: u64,
    /// Whether that is within the limit.
    pub fits: bool,
}

/// All collectives of one kind in one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanCollective {
    /// `all_reduce`, `all_gather`, ...
    pub kind: String,
    /// How often one runs, loops counted by their trips.
    pub count: u64,
    /// Bytes of their results on one device.
    pub bytes: u64,
    /// Bytes that one device sends when each runs as a ring.
    pub ring_bytes: u64,
}

/// Change by one pass of the collectives of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanPass {
    /// Its name.
    pub pass: String,
    /// `all_reduce`, `all_gather`, ...
    pub kind: String,
    /// How many more (or, less than 0, fewer) run.
    pub count: i64,
    /// Bytes more of their results.
    pub bytes: i64,
    /// Bytes more that one device sends.
    pub ring_bytes: i64,
}

/// One argument or result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanTensor {
    /// Position among the arguments or results.
    pub index: usize,
    /// What the program calls it, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What it is for: `parameter`, `moment`, `counter`, `state` or `data`; for arguments only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Global shape.
    pub shape: Vec<usize>,
    /// Element type, such as `bf16`.
    pub element: String,
    /// For each dim the axes that shard it, major first; part of an axis is written `model:(1)2`.
    pub sharding: Vec<Vec<String>>,
    /// Bytes that each device holds of it.
    pub bytes_per_device: u64,
}

/// The sharding of a value inside the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanSharding {
    /// Stable name of the value.
    pub value: String,
    /// Where it stands in the source, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Global shape.
    pub shape: Vec<usize>,
    /// For each dim the axes that shard it, major first.
    pub sharding: Vec<Vec<String>>,
}

/// The strategy of one instruction, where the shardings of its tensors do not suggest it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanOpStrategy {
    /// Stable name of the instruction.
    pub instruction: String,
    /// Where it stands in the source, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// For each factor of its sharding rule the axes that shard it, major first.
    pub factors: Vec<Vec<String>>,
}

/// The memory policy of a use, where it is not the default; see [`crate::policy`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanPolicy {
    /// Stable name of the value.
    pub value: String,
    /// Stable name of the first instruction of the group that reads it.
    pub reader: String,
    /// Where that stands in the source, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Name of the policy ([`crate::Policy::name`]).
    pub policy: String,
}

/// A region of the program that runs in tiles; see [`crate::tile`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanTile {
    /// Stable name of a value in it that is large.
    pub value: String,
    /// What that is, for people: `attention scores`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub holds: String,
    /// Where that stands in the source, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// Its global shape.
    #[serde(default)]
    pub shape: Vec<usize>,
    /// The dim of it along which tiles follow one another.
    pub dim: usize,
    /// Number of tiles.
    pub count: usize,
    /// Stable names of what is there before the region.
    pub reads: Vec<String>,
    /// Stable names of what it leaves.
    pub makes: Vec<String>,
}

/// The stage of one instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanStage {
    /// Stable name of the instruction.
    pub instruction: String,
    /// Number of the stage that begins behind it.
    pub stage: usize,
    /// Layers of the model in front of it, if it begins between two of them, for people and for other frameworks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub layers_before: Option<usize>,
}

impl PlanFile {
    /// A plan of this version for the program with this fingerprint and the machine of this spec, all else empty.
    pub fn new(program: String, machine: String) -> Self {
        Self {
            version: VERSION,
            program,
            model: None,
            machine,
            mesh: Vec::new(),
            ranks: String::new(),
            parallelism: Vec::new(),
            degrees: Degrees::default(),
            asked: None,
            reasons: Vec::new(),
            alternatives: Vec::new(),
            not_searched: Vec::new(),
            unfinished: false,
            bound_seconds: None,
            assumptions: Vec::new(),
            replicated: Vec::new(),
            uneven: Vec::new(),
            predicted: Predicted::default(),
            memory: Memory::default(),
            figures: None,
            collectives: Vec::new(),
            passes: Vec::new(),
            attention: None,
            microbatches: None,
            recompute: None,
            recomputes_anew: false,
            arguments: Vec::new(),
            results: Vec::new(),
            shardings: Vec::new(),
            op_strategies: Vec::new(),
            policies: Vec::new(),
            tiles: Vec::new(),
            stages: Vec::new(),
            groups: Vec::new(),
            group_hosts: None,
            post_validation: false,
            gathers_forward: false,
            delayed_weights: None,
            stage_loops: None,
            schedule: Vec::new(),
            gathers_again: Vec::new(),
            converts_again: Vec::new(),
            times: None,
            numbered: None,
            places: Places::default(),
        }
    }

    /// Reads a plan of this version, or of version 1.
    ///
    /// # Errors
    /// Text that is no JSON, an unknown or missing field, a value of the wrong type (each with its place), or a plan
    /// of another version.
    pub fn from_text(text: &str) -> Result<Self, Box<Diagnostic>> {
        if has_keys(text, &["model_type"]) && !Self::is_plan(text) {
            let message = "this is the config.json of a model, not a plan";
            let diagnostic = Diagnostic::error(PLAN_FILE, Span::NONE, message);
            return Err(Box::new(
                diagnostic.hint("`meshwright plan config.json ... -o plan.json` makes a plan of it"),
            ));
        }
        let found = match json::version(text).unwrap_or(VERSION) {
            VERSION => json::read(PLAN_FILE, text),
            version_1::VERSION => json::read::<version_1::PlanFile>(PLAN_FILE, text).map(Into::into),
            other => return Err(Box::new(of_another_version(other, text))),
        };
        let found = found.map(|plan| Self { places: Places::of(text), ..plan });
        found.map_err(|diagnostic| {
            let hint = "`meshwright plan MODEL --machine M -o plan.json` writes a plan to compare with";
            Box::new(not_a_plan::named(text).unwrap_or_else(|| diagnostic.hint(hint)))
        })
    }

    /// Returns whether a text is that of a plan, by its keys, whether or not it can be read.
    pub fn is_plan(text: &str) -> bool {
        has_keys(text, &["version", "program", "mesh"])
    }

    /// The text of the file: one line per axis, tensor and collective.
    pub fn to_text(&self) -> String {
        json::lines(self)
    }
}

/// Whether a text is an object that has all of these keys.
fn has_keys(text: &str, keys: &[&str]) -> bool {
    let found = serde_json::from_str::<serde_json::Value>(text).ok();
    found.is_some_and(|found| keys.iter().all(|key| found.get(key).is_some()))
}

fn of_another_version(version: u32, text: &str) -> Diagnostic {
    let message = format!("the plan has version {version}, but this program reads versions 1 to {VERSION}");
    let hint = if version > VERSION {
        "it was made by a newer release: use that one, or make the plan again with `meshwright plan`"
    } else {
        "make the plan again with `meshwright plan`"
    };
    Diagnostic::error(PLAN_FILE, json::find(text, "\"version\""), message).hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> PlanFile {
        let mut plan = PlanFile::new("00ff".into(), "cpu8:8".into());
        plan.mesh.push(MeshAxis { name: "data".into(), size: 8 });
        plan.parallelism.push("data parallel over 8".into());
        plan.results.push(PlanTensor {
            index: 0,
            name: None,
            role: None,
            shape: vec![],
            element: "f32".into(),
            sharding: vec![],
            bytes_per_device: 4,
        });
        plan.predicted.total_seconds = 0.1 + 0.2;
        plan
    }

    #[test]
    fn text_comes_back_as_the_same_plan_and_the_same_text() {
        let text = plan().to_text();
        let again = PlanFile::from_text(&text).unwrap();
        assert_eq!(again, plan());
        assert_eq!(again.to_text(), text);
        assert!(text.contains("\n    {\"name\": \"data\", \"size\": 8}\n"), "{text}");
    }

    #[test]
    fn an_unknown_field_is_refused_at_its_place() {
        let text = plan().to_text().replace("\"size\": 8", "\"siez\": 8");
        let diagnostic = PlanFile::from_text(&text).unwrap_err();
        assert!(
            diagnostic.message.starts_with("`mesh[0].siez`: unknown field `siez`"),
            "{}",
            diagnostic.message
        );
        let before = &text[..diagnostic.span.start as usize];
        assert_eq!(before.lines().last().unwrap().trim_start().get(..7), Some("{\"name\""));
    }

    #[test]
    fn another_version_is_told_from_a_broken_file() {
        let newer = plan().to_text().replace("\"version\": 2", "\"version\": 7, \"surprise\": 1");
        assert!(PlanFile::from_text(&newer).unwrap_err().message.contains("version 7"));
        let broken = PlanFile::from_text("{\"version\": 2").unwrap_err();
        assert!(!broken.message.contains("version"), "{}", broken.message);
        assert!(PlanFile::from_text("").is_err());
        let list = PlanFile::from_text("[7, \"00ff\"]").unwrap_err();
        assert_eq!((list.message.as_str(), list.span.start), ("an object is expected here, not a list", 0));
    }
}
