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

use crate::device_program::DeviceProgram;
use crate::device_programs::{DeviceGroup, DevicePrograms, PhaseProgram, Slot};
use crate::json;
use crate::manifest::{MANIFEST, Manifest, ManifestTensor};
use crate::plan_file::MeshAxis;
use crate::schedule::{ProgramId, Schedule, row_text};
use crate::{axes, manifest};
use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::Program;
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::types::{ElementType, TensorType, Type};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of text with several programs.
pub const VERSION: u32 = 2;

/// The file of the program of a step that is one.
pub const PROGRAM_FILE: &str = "program.mlir";

/// What a compiled folder holds.
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
}

/// Only the version, whatever else there is.
#[derive(Deserialize)]
struct Versioned {
    version: u32,
}

impl Bundle {
    /// Describes programs; names of the step's arguments and results, and `next` as in [`Manifest::with_steps`].
    pub fn of(
        programs: &DevicePrograms,
        argument_names: &[Option<String>],
        result_names: &[Option<String>],
        next: &[Option<usize>],
    ) -> Self {
        let tensors = |types: &[Type], names: &[Option<String>], next: &[Option<usize>]| {
            let tensor = |(index, ty): (usize, &Type)| StepTensor {
                name: names.get(index).cloned().flatten(),
                shape: ty.as_tensor().map_or_else(Vec::new, |tensor| tensor.shape.clone()),
                element: ty.as_tensor().map_or_else(|| ty.to_string(), |tensor| tensor.element.to_string()),
                next: next.get(index).copied().flatten(),
            };
            types.iter().enumerate().map(tensor).collect()
        };
        let group = |group: &DeviceGroup| BundleGroup {
            devices: group.devices.clone(),
            mesh: axes::of_mesh(&group.mesh),
            device_ids: group.mesh.device_ids().to_vec(),
        };
        let sums = programs.accumulators.iter();
        Self {
            version: VERSION,
            program: String::new(),
            tokens: None,
            arguments: tensors(&programs.arguments, argument_names, next),
            results: tensors(&programs.results, result_names, &[]),
            groups: programs.groups.iter().map(group).collect(),
            stages: programs.stages.clone(),
            microbatches: programs.num_microbatches,
            accumulators: sums.map(|(value, sum)| (value.clone(), reduction_name(*sum).to_owned())).collect(),
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
        match serde_json::from_str::<Versioned>(text) {
            Ok(Versioned { version: VERSION }) => json::read(MANIFEST, text).map_err(Box::new),
            // What is wrong with it is said by the oldest format.
            Ok(Versioned { version: ..VERSION }) | Err(_) => Manifest::from_text(text).map(Self::from),
            Ok(Versioned { version }) => {
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
        let (takes, gives) = (program.takes.iter(), program.gives.iter());
        let takes: Vec<ManifestTensor> =
            takes.zip(&self.arguments).map(|(slot, tensor)| slot.as_whole(tensor)).collect();
        let gives: Vec<ManifestTensor> =
            gives.zip(&self.results).map(|(slot, tensor)| slot.as_whole(tensor)).collect();
        let manifest = Manifest {
            version: manifest::VERSION,
            num_devices: group.devices.len(),
            mesh: group.mesh.clone(),
            device_ids: group.device_ids.clone(),
            program: self.program.clone(),
            tokens: self.tokens,
            arguments: takes,
            results: gives,
        };
        // What version 1 cannot say is lost on the way back.
        (Self::from(manifest.clone()) == Self { version: VERSION, ..self.clone() }).then_some(manifest)
    }

    /// How many devices there are in all groups.
    pub fn num_devices(&self) -> usize {
        self.groups.iter().map(|group| group.devices.len()).sum()
    }

    /// The programs of all devices; `codes` are those of the files, in the order of [`Bundle::programs`].
    ///
    /// # Errors
    /// What does not fit together, at its key; see [`DevicePrograms::verify`] for what is left to check.
    pub fn resolve(&self, codes: Vec<Program>) -> Result<DevicePrograms, Box<Diagnostic>> {
        let types = |key: &str, tensors: &[StepTensor]| -> Result<Vec<Type>, Box<Diagnostic>> {
            let ty = |(index, tensor): (usize, &StepTensor)| {
                let element = ElementType::from_name(&tensor.element).ok_or_else(|| {
                    fail(format!("`{key}[{index}].element`: `{}` is no element type", tensor.element))
                })?;
                Ok(Type::Tensor(TensorType::new(tensor.shape.clone(), element)))
            };
            tensors.iter().enumerate().map(ty).collect()
        };
        let mut programs = BTreeMap::new();
        for (index, (program, code)) in self.programs.iter().zip(codes).enumerate() {
            let at = |message: String| fail(format!("`programs[{index}]`: {message}"));
            let id: ProgramId = program.program.parse().map_err(at)?;
            let resolved = self.resolve_program(index, id, code)?;
            if programs.insert(id, resolved).is_some() {
                return Err(at(format!("there are two programs `{id}`")));
            }
        }
        let accumulator = |(value, sum): (&String, &String)| {
            let reduction = reduction(sum)
                .ok_or_else(|| fail(format!("`accumulators.{value}`: nothing is gathered by `{sum}`")))?;
            Ok::<_, Box<Diagnostic>>((value.clone(), reduction))
        };
        Ok(DevicePrograms {
            arguments: types("arguments", &self.arguments)?,
            results: types("results", &self.results)?,
            groups: (0..self.groups.len())
                .map(|group| self.resolve_group(group))
                .collect::<Result<_, _>>()?,
            stages: self.stages.clone(),
            num_microbatches: self.microbatches,
            accumulators: self.accumulators.iter().map(accumulator).collect::<Result<_, _>>()?,
            programs,
            schedule: self.resolve_schedule()?,
        })
    }

    fn resolve_group(&self, index: usize) -> Result<DeviceGroup, Box<Diagnostic>> {
        let group = &self.groups[index];
        let mesh = self.manifest_of(index, &[], &[]).resolve().map_err(|error| at_group(index, *error))?.mesh;
        Ok(DeviceGroup { devices: group.devices.clone(), mesh })
    }

    fn resolve_program(
        &self,
        index: usize,
        id: ProgramId,
        code: Program,
    ) -> Result<PhaseProgram, Box<Diagnostic>> {
        let program = &self.programs[index];
        let group = self.stages.get(id.stage).copied().filter(|group| *group < self.groups.len());
        let group =
            group.ok_or_else(|| fail(format!("`programs[{index}]`: stage {} has no group", id.stage)))?;
        let slots = |key: &str, tensors: &[SlotTensor]| -> Result<Vec<Slot>, Box<Diagnostic>> {
            let slot = |(at, tensor): (usize, &SlotTensor)| {
                let place = format!("programs[{index}].{key}[{at}].slot");
                tensor.slot.parse().map_err(|error| fail(format!("`{place}`: {error}")))
            };
            tensors.iter().enumerate().map(slot).collect()
        };
        let resolved =
            self.manifest_of(group, &program.takes, &program.gives).resolve().map_err(|error| {
                let message = format!("`programs[{index}]`: {}", error.message);
                Box::new(Diagnostic { message, ..*error })
            })?;
        let device = DeviceProgram {
            program: code,
            mesh: resolved.mesh,
            arguments: resolved.arguments,
            results: resolved.results,
            manual: AxisSet::EMPTY,
            orders: resolved.orders,
        };
        let (takes, gives) = (slots("takes", &program.takes)?, slots("gives", &program.gives)?);
        Ok(PhaseProgram { device, takes, gives })
    }

    fn resolve_schedule(&self) -> Result<Schedule, Box<Diagnostic>> {
        let rows = self.schedule.iter().enumerate().map(|(index, row)| {
            let at = |message: &str| fail(format!("`schedule[{index}]`: {message}"));
            let mut read = Schedule::from_text(row).map_err(|found| at(&found[0].message))?.rows;
            if read.len() == 1 { Ok(read.remove(0)) } else { Err(at("this is not one row of events")) }
        });
        Ok(Schedule { rows: rows.collect::<Result<_, _>>()? })
    }

    /// A group's mesh, and tensors over it, as version 1 has them.
    fn manifest_of(&self, group: usize, takes: &[SlotTensor], gives: &[SlotTensor]) -> Manifest {
        let group = &self.groups[group];
        let tensors = |slots: &[SlotTensor]| {
            let tensor = |slot: &SlotTensor| {
                let (shape, element) = (slot.shape.clone(), slot.element.clone());
                slot.as_whole(&StepTensor { name: None, shape, element, next: None })
            };
            slots.iter().map(tensor).collect()
        };
        Manifest {
            version: manifest::VERSION,
            num_devices: group.devices.len(),
            mesh: group.mesh.clone(),
            device_ids: group.device_ids.clone(),
            program: String::new(),
            tokens: None,
            arguments: tensors(takes),
            results: tensors(gives),
        }
    }
}

impl From<Manifest> for Bundle {
    fn from(manifest: Manifest) -> Self {
        let tensors = |tensors: &[ManifestTensor]| -> Vec<StepTensor> {
            let tensor = |tensor: &ManifestTensor| StepTensor {
                name: tensor.name.clone(),
                shape: tensor.shape.clone(),
                element: tensor.element.clone(),
                next: tensor.next,
            };
            tensors.iter().map(tensor).collect()
        };
        let slots = |tensors: &[ManifestTensor], slot: fn(usize) -> Slot| {
            let tensors = tensors.iter().enumerate();
            tensors.map(|(index, tensor)| SlotTensor::of(slot(index), tensor)).collect()
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
            }],
            stages: vec![0],
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
        // The local types and shardings are those that version 1 would have.
        let described =
            Manifest::of(&program.device, &vec![None; program.takes.len()], &vec![None; program.gives.len()]);
        let slots = |slots: &[Slot], tensors: &[ManifestTensor]| {
            let each = slots.iter().zip(tensors);
            each.map(|(slot, tensor)| SlotTensor::of(slot.clone(), tensor)).collect()
        };
        let file =
            if id == ProgramId::WHOLE { PROGRAM_FILE.to_owned() } else { format!("{}.mlir", id.name()) };
        Self {
            program: id.to_string(),
            file,
            takes: slots(&program.takes, &described.arguments),
            gives: slots(&program.gives, &described.results),
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
        }
    }

    /// An argument or result of the step that is spread like this.
    fn as_whole(&self, step: &StepTensor) -> ManifestTensor {
        ManifestTensor {
            name: step.name.clone(),
            shape: step.shape.clone(),
            element: step.element.clone(),
            sharding: self.sharding.clone(),
            unreduced: self.unreduced.clone(),
            device_ids: self.device_ids.clone(),
            next: step.next,
        }
    }
}

fn fail(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(MANIFEST, Span::NONE, message))
}

fn at_group(index: usize, error: Diagnostic) -> Box<Diagnostic> {
    let message = format!("`groups[{index}]`: {}", error.message);
    Box::new(Diagnostic { message, ..error })
}

/// Reductions by name.
const REDUCTIONS: [(&str, Reduction); 6] = [
    ("sum", Reduction::Sum),
    ("product", Reduction::Product),
    ("max", Reduction::Max),
    ("min", Reduction::Min),
    ("and", Reduction::And),
    ("or", Reduction::Or),
];

fn reduction(name: &str) -> Option<Reduction> {
    REDUCTIONS.iter().find(|(own, _)| *own == name).map(|(_, reduction)| *reduction)
}

fn reduction_name(reduction: Reduction) -> &'static str {
    REDUCTIONS.iter().find(|(_, own)| *own == reduction).map_or("sum", |(name, _)| name)
}
