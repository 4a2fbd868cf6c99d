//! What a compiled folder holds: programs by stage and phase, what they read and write, and when they run. Input and
//! output: a [`Bundle`] and its text (`manifest.json`).
//!
//! Text of version 1 ([`Manifest`]) has one program that all devices run once; that of version 2 has several. Both are
//! read into the same type. A step that is one program is written in version 1, which every release reads:
//!
//! ```text
//! {
//!   "version": 2,
//!   "arguments": [{"name": "w", "shape": [4, 2], "element": "f32", "next": 0}],
//!   "results": [{"shape": [4, 2], "element": "f32"}],
//!   "groups": [{"devices": [0, 1], "mesh": [{"name": "data", "size": 2}]}],
//!   "stages": [0],
//!   "microbatches": 4,
//!   "accumulators": {"g": "sum"},
//!   "programs": [{"program": "0F", "file": "stage-0-forward.mlir", "takes": [{"slot": "argument 0", ...}], ...}],
//!   "schedule": ["0F0 0B0 0F1 0B1 0U0"]
//! }
//! ```

mod resolve;

use crate::axes;
use crate::device_program::DeviceProgram;
use crate::device_programs::{DeviceGroup, DevicePrograms, PhaseProgram, Slot, StepPart};
use crate::json;
use crate::manifest::{MANIFEST, Manifest, ManifestTensor, shape_and_element};
use crate::plan_file::MeshAxis;
use crate::schedule::{ProgramId, Schedule, row_text};
use meshwright_ir::arguments::Placement;
use meshwright_ir::diagnostic::Diagnostic;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::sharding::Sharding;
use meshwright_tensor::types::Type;
use resolve::fail;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of text with several programs.
pub const VERSION: u32 = 2;

/// The file of the program of a step that is one.
pub const PROGRAM_FILE: &str = "program.mlir";

/// The plan in a compiled folder.
pub const PLAN_FILE: &str = "plan.json";

/// The manifest in it.
pub const MANIFEST_FILE: &str = "manifest.json";

/// The program before it was partitioned, as it was given: what a run is compared with.
pub const WHOLE_FILE: &str = "whole.mlir";

/// As many devices as the largest mesh has.
const MOST_DEVICES: usize = 1 << 24;

/// Contents of a compiled folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// Version of the format.
    pub version: u32,
    /// Fingerprint of the program before it was partitioned, see [`crate::fingerprint()`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub program: String,
    /// How many tokens one step takes, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The step's arguments.
    pub arguments: Vec<StepTensor>,
    /// The step's results.
    pub results: Vec<StepTensor>,
    /// The groups of devices.
    pub groups: Vec<BundleGroup>,
    /// The group of each stage.
    pub stages: Vec<usize>,
    /// How many copies of the stages there are, if each stage has several: the first ones come first.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub copies: usize,
    /// How many microbatches a step has.
    pub microbatches: usize,
    /// What accumulators gather: `sum`, `product`, `max`, `min`, `and`, `or`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub accumulators: BTreeMap<String, String>,
    /// The programs.
    pub programs: Vec<BundleProgram>,
    /// What each group does, as [`Schedule`] is written.
    pub schedule: Vec<String>,
}

fn one() -> usize {
    1
}

fn is_one(count: &usize) -> bool {
    *count == 1
}

/// An argument or result of the step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepTensor {
    /// What the program calls it, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Global shape.
    pub shape: Vec<usize>,
    /// Element type, such as `bf16`.
    pub element: String,
    /// Of an argument: the result that takes its place in the next step, if it is state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<usize>,
    /// Of an argument that nobody gives: the argument whose value it has in the first step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub begins_as: Option<usize>,
}

/// Devices that run the same programs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleGroup {
    /// The machine's number of each device.
    pub devices: Vec<usize>,
    /// Axes of the mesh, major first.
    pub mesh: Vec<MeshAxis>,
    /// The group's devices in mesh order, if they are not numbered so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub device_ids: Vec<usize>,
    /// Bytes that each of its devices is predicted to need, if that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
}

/// The program of a stage and phase.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleProgram {
    /// Stage and phase, such as `1F` or `0U0`; `0S` is a whole step.
    pub program: String,
    /// The file of the folder that has its text.
    pub file: String,
    /// What each argument is.
    pub takes: Vec<SlotTensor>,
    /// What each result is.
    pub gives: Vec<SlotTensor>,
}

/// An argument or result of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotTensor {
    /// What it is bound to, as [`Slot`] is written.
    pub slot: String,
    /// Global shape.
    pub shape: Vec<usize>,
    /// Element type.
    pub element: String,
    /// For each dim the axes that shard it, major first.
    pub sharding: Vec<Vec<String>>,
    /// Axes over which each device has a contribution to a sum.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreduced: Vec<String>,
    /// The devices in the order in which its shards stand on them, if that is not the mesh's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub device_ids: Vec<usize>,
    /// Of an argument: the memory in which the program has it, if that is not the device's: `pinned_host`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
}

impl Bundle {
    /// Describes programs, with names of the step's arguments and results; `next` is the result that each argument
    /// becomes, where it is state.
    pub fn of(
        programs: &DevicePrograms,
        argument_names: &[Option<String>],
        result_names: &[Option<String>],
        next: &[Option<usize>],
    ) -> Self {
        let tensors = |types: &[Type], names: &[Option<String>], next: &[Option<usize>]| {
            let tensor = |(index, ty): (usize, &Type)| {
                let name = names.get(index).cloned().flatten();
                let (shape, element) = shape_and_element(ty);
                StepTensor { name, shape, element, next: next.get(index).copied().flatten(), begins_as: None }
            };
            types.iter().enumerate().map(tensor).collect()
        };
        // What comes back in another type cannot be fed back as it is.
        let fits = |(index, ty): (usize, &Type)| {
            let result = next.get(index).copied().flatten();
            result.filter(|result| programs.results.get(*result) == Some(ty))
        };
        let next: Vec<Option<usize>> = programs.arguments.iter().enumerate().map(fits).collect();
        let group = |group: &DeviceGroup| BundleGroup {
            devices: group.devices.clone(),
            mesh: axes::of_mesh(&group.mesh),
            device_ids: group.mesh.device_ids().to_vec(),
            memory_bytes: None,
        };
        let sums = programs.accumulators.iter();
        Self {
            version: VERSION,
            program: String::new(),
            tokens: None,
            arguments: tensors(&programs.arguments, argument_names, &next),
            results: tensors(&programs.results, result_names, &[]),
            groups: programs.groups.iter().map(group).collect(),
            stages: programs.stages.clone(),
            copies: programs.copies,
            microbatches: programs.num_microbatches,
            accumulators: sums.map(|(value, sum)| (value.clone(), sum.name().to_owned())).collect(),
            programs: programs.programs.iter().map(|(id, program)| BundleProgram::of(*id, program)).collect(),
            schedule: programs.schedule.rows.iter().map(|row| row_text(row)).collect(),
        }
    }

    /// Reads text of any version.
    ///
    /// # Errors
    /// Text that is no JSON, an unknown or missing field, a value of the wrong type (each with its place), or a newer
    /// version.
    pub fn from_text(text: &str) -> Result<Self, Box<Diagnostic>> {
        match json::version(text) {
            Some(VERSION) => json::read(MANIFEST, text).map_err(Box::new),
            // What is wrong with it is said by the oldest format.
            Some(..VERSION) | None => {
                let manifest = Manifest::from_text(text)?;
                match manifest.num_devices {
                    ..=MOST_DEVICES => Ok(Self::of_one(manifest)),
                    devices => Err(fail(format!("`num_devices` is {devices}, more than a mesh can have"))),
                }
            }
            Some(version) => {
                let message =
                    format!("`version` is {version}, but this program reads versions up to {VERSION}");
                let hint = "it is of a newer release: use that, or compile again with `meshwright compile`";
                Err(Box::new(
                    Diagnostic::error(MANIFEST, json::find(text, "\"version\""), message).hint(hint),
                ))
            }
        }
    }

    /// The text of the file: of version 1 if that says all.
    pub fn to_text(&self) -> String {
        self.one_program().map_or_else(|| json::lines(self), |manifest| manifest.to_text())
    }

    /// The description of the only program, which all devices run once, if there is no other.
    pub fn one_program(&self) -> Option<Manifest> {
        let ([program], [group]) = (self.programs.as_slice(), self.groups.as_slice()) else { return None };
        let whole = |slots: &[SlotTensor], tensors: &[StepTensor]| -> Vec<ManifestTensor> {
            slots.iter().zip(tensors).map(|(slot, tensor)| slot.as_whole(tensor)).collect()
        };
        let manifest = Manifest {
            program: self.program.clone(),
            tokens: self.tokens,
            arguments: whole(&program.takes, &self.arguments),
            results: whole(&program.gives, &self.results),
            ..group.manifest()
        };
        // What version 1 cannot say is lost on the way back.
        (Self::of_one(manifest.clone()) == Self { version: VERSION, ..self.clone() }).then_some(manifest)
    }

    /// Number of devices in all groups.
    pub fn num_devices(&self) -> usize {
        self.groups.iter().map(|group| group.devices.len()).sum()
    }
}

impl Bundle {
    /// A folder with one program, which all devices run once.
    fn of_one(manifest: Manifest) -> Self {
        let tensors = |tensors: &[ManifestTensor]| -> Vec<StepTensor> {
            let tensor = |tensor: &ManifestTensor| StepTensor {
                name: tensor.name.clone(),
                shape: tensor.shape.clone(),
                element: tensor.element.clone(),
                next: tensor.next,
                begins_as: None,
            };
            tensors.iter().map(tensor).collect()
        };
        let slots = |tensors: &[ManifestTensor], slot: fn(StepPart) -> Slot| {
            let tensors = tensors.iter().enumerate();
            tensors.map(|(index, tensor)| SlotTensor::of(slot(StepPart::whole(index)), tensor)).collect()
        };
        Self {
            version: VERSION,
            program: manifest.program,
            tokens: manifest.tokens,
            arguments: tensors(&manifest.arguments),
            results: tensors(&manifest.results),
            groups: vec![BundleGroup {
                devices: (0..manifest.num_devices).collect(),
                mesh: manifest.mesh,
                device_ids: manifest.device_ids,
                memory_bytes: None,
            }],
            stages: vec![0],
            copies: 1,
            microbatches: 1,
            accumulators: BTreeMap::new(),
            programs: vec![BundleProgram {
                program: ProgramId::WHOLE.to_string(),
                file: PROGRAM_FILE.to_owned(),
                takes: slots(&manifest.arguments, Slot::Argument),
                gives: slots(&manifest.results, Slot::Result),
            }],
            schedule: Schedule::whole().rows.iter().map(|row| row_text(row)).collect(),
        }
    }
}

impl BundleProgram {
    fn of(id: ProgramId, program: &PhaseProgram) -> Self {
        let PhaseProgram { device, takes, gives } = program;
        let DeviceProgram { mesh, orders, arguments, results, .. } = device;
        let slots = |slots: &[Slot], tensors: &[(Type, Sharding)], orders: &BTreeMap<usize, Mesh>| {
            let each = slots.iter().zip(tensors).enumerate();
            let tensor = |(index, (slot, tensor)): (usize, (&Slot, &(Type, Sharding)))| {
                SlotTensor::of(slot.clone(), &ManifestTensor::of(tensor, mesh, orders.get(&index)))
            };
            each.map(tensor).collect()
        };
        let file =
            if id == ProgramId::WHOLE { PROGRAM_FILE.to_owned() } else { format!("{}.mlir", id.name()) };
        Self {
            program: id.to_string(),
            file,
            takes: on_host(device, slots(takes, arguments, &orders.arguments)),
            gives: slots(gives, results, &orders.results),
        }
    }
}

/// The arguments of a program, with the memory of those that it has on the host.
fn on_host(device: &DeviceProgram, mut takes: Vec<SlotTensor>) -> Vec<SlotTensor> {
    let main = device.program.main();
    for (index, slot) in takes.iter_mut().enumerate() {
        let placement = main.map_or(Placement::Device, |main| main.argument_placement(index));
        slot.memory = (placement == Placement::Host).then(|| placement.name().to_owned());
    }
    takes
}

impl BundleGroup {
    /// Its devices and mesh, as version 1 has them.
    fn manifest(&self) -> Manifest {
        Manifest {
            mesh: self.mesh.clone(),
            device_ids: self.device_ids.clone(),
            ..Manifest::of_devices(self.devices.len())
        }
    }
}

impl SlotTensor {
    fn of(slot: Slot, tensor: &ManifestTensor) -> Self {
        Self {
            slot: slot.to_string(),
            shape: tensor.shape.clone(),
            element: tensor.element.clone(),
            sharding: tensor.sharding.clone(),
            unreduced: tensor.unreduced.clone(),
            device_ids: tensor.device_ids.clone(),
            memory: tensor.memory.clone(),
        }
    }

    /// An argument or result of the step that is sharded like this.
    fn as_whole(&self, step: &StepTensor) -> ManifestTensor {
        ManifestTensor {
            name: step.name.clone(),
            shape: step.shape.clone(),
            element: step.element.clone(),
            sharding: self.sharding.clone(),
            unreduced: self.unreduced.clone(),
            device_ids: self.device_ids.clone(),
            memory: self.memory.clone(),
            next: step.next,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::program::Program;

    /// Two groups, a value between them, and a sum.
    const TEXT: &str = r#"{
  "version": 2,
  "arguments": [
    {"name": "w", "shape": [4, 2], "element": "f32", "next": 0}
  ],
  "results": [
    {"shape": [4, 2], "element": "f32"}
  ],
  "groups": [
    {"devices": [2, 3], "mesh": [{"name": "data", "size": 2}]},
    {"devices": [0], "mesh": []}
  ],
  "stages": [
    0,
    1
  ],
  "microbatches": 2,
  "accumulators": {"g": "sum"},
  "programs": [
    {"program": "0F", "file": "stage-0-forward.mlir", "takes": [{"slot": "argument 0", "shape": [4, 2], "element": "f32", "sharding": [["data"], []]}], "gives": [{"slot": "stash h", "shape": [4, 2], "element": "f32", "sharding": [["data"], []]}]},
    {"program": "1B", "file": "stage-1-backward.mlir", "takes": [{"slot": "received h", "shape": [4, 2], "element": "f32", "sharding": [[], []]}, {"slot": "accumulator g", "shape": [4, 2], "element": "f32", "sharding": [[], []]}], "gives": [{"slot": "accumulator g", "shape": [4, 2], "element": "f32", "sharding": [[], []]}]},
    {"program": "1U0", "file": "stage-1-update-0.mlir", "takes": [{"slot": "accumulator g", "shape": [4, 2], "element": "f32", "sharding": [[], []]}], "gives": [{"slot": "result 0", "shape": [4, 2], "element": "f32", "sharding": [[], []]}]}
  ],
  "schedule": [
    "0F0 h:0>1:0 0F1 h:0>1:1",
    "h:0>1:0 1B0 h:0>1:1 1B1 1U0"
  ]
}
"#;

    fn resolved(text: &str) -> Result<DevicePrograms, String> {
        let bundle = Bundle::from_text(text).map_err(|error| error.message)?;
        let codes = vec![Program::default(); bundle.programs.len()];
        bundle.resolve(codes).map_err(|error| error.message)
    }

    #[test]
    fn what_is_read_is_written_again() {
        let bundle = Bundle::from_text(TEXT).unwrap();
        assert_eq!(bundle.to_text(), TEXT);
        let programs = resolved(TEXT).unwrap();
        programs.verify().unwrap();
        assert_eq!((programs.num_devices(), programs.groups[0].devices.as_slice()), (3, &[2, 3][..]));
        let again = Bundle::of(&programs, &[Some("w".to_owned())], &[None], &[Some(0)]);
        assert_eq!(again, bundle);
        assert!(bundle.one_program().is_none());
    }

    #[test]
    fn version_1_is_one_program_and_stays_version_1() {
        let text = r#"{
  "version": 1,
  "num_devices": 4,
  "mesh": [
    {"name": "x", "size": 4}
  ],
  "device_ids": [
    0,
    2,
    1,
    3
  ],
  "program": "debafa99bf0bbf3d",
  "tokens": 12,
  "arguments": [
    {"name": "w", "shape": [4, 2], "element": "f32", "sharding": [["x:(1)2"], []], "next": 0}
  ],
  "results": [
    {"shape": [4, 2], "element": "f32", "sharding": [[], []], "unreduced": ["x"], "device_ids": [3, 2, 1, 0]}
  ]
}
"#;
        let bundle = Bundle::from_text(text).unwrap();
        assert_eq!((bundle.to_text().as_str(), bundle.num_devices()), (text, 4));
        let programs = resolved(text).unwrap();
        programs.verify().unwrap();
        assert_eq!(programs.as_whole().unwrap().orders.results.len(), 1);
        let again = Bundle::of(&programs, &[Some("w".to_owned())], &[None], &[Some(0)]);
        assert_eq!(Bundle { program: bundle.program.clone(), tokens: Some(12), ..again }, bundle);
    }

    #[test]
    fn what_does_not_fit_together_is_refused_at_its_key() {
        let refused = |from: &str, to: &str| {
            assert!(TEXT.contains(from), "{from}");
            resolved(&TEXT.replacen(from, to, 1)).unwrap_err()
        };
        assert_eq!(
            refused("\"version\": 2", "\"version\": 3"),
            "`version` is 3, but this program reads versions up to 2"
        );
        assert!(refused("\"microbatches\"", "\"micro\"").starts_with("`micro`: unknown field `micro`"));
        assert!(
            refused("\"file\"", "\"path\"")
                .starts_with("`programs[0].path`: unknown field `path`; the fields here")
        );
        assert!(refused("[4, 2]", "[4, -2]").starts_with("`arguments[0].shape[1]`: a whole number"));
        assert!(
            refused("stash h", "stack h").starts_with("`programs[0].gives[0].slot`: `stack h` is no slot")
        );
        assert!(refused("\"0F\"", "\"0X\"").starts_with("`programs[0]`: `0X` is no program"));
        assert!(refused("\"0F\"", "\"2F\"").starts_with("`programs[0]`: stage 2 has no group"));
        assert!(refused("[\"data\"]", "[\"model\"]").starts_with("`programs[0]`: argument 0"));
        assert!(
            refused("\"sum\"", "\"mean\"").starts_with("`accumulators.g`: nothing is gathered by `mean`")
        );
        assert!(refused("1U0\"\n", "1U\"\n").starts_with("`schedule[1]`: `1U` lacks"));
        assert!(refused("\"devices\": [2, 3]", "\"devices\": [2]").starts_with("`groups[0]`: the mesh"));
    }
}
