//! What a compiled folder says of its programs, as the compiler's own types. Input: a [`Bundle`] and the programs of its
//! files. Output: [`DevicePrograms`], or the first key that does not fit.

use super::{Bundle, SlotTensor, StepTensor};
use crate::device_program::DeviceProgram;
use crate::device_programs::{DeviceGroup, DevicePrograms, PhaseProgram, Slot};
use crate::manifest::{MANIFEST, Manifest};
use crate::schedule::{ProgramId, Schedule};
use meshwright_ir::diagnostic::{Diagnostic, Span};
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::Program;
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::BTreeMap;

impl Bundle {
    /// The programs of all devices; `codes` are those of the files, in the order of [`Bundle::programs`].
    ///
    /// # Errors
    /// What does not fit together, at its key; see [`DevicePrograms::verify`] for what is left to check.
    pub fn resolve(&self, mut codes: Vec<Program>) -> Result<DevicePrograms, Box<Diagnostic>> {
        if let (Some(manifest), 1) = (self.one_program(), codes.len()) {
            return Ok(DevicePrograms::whole(device_program(&manifest, codes.remove(0))?));
        }
        let types = |key: &str, tensors: &[StepTensor]| -> Result<Vec<Type>, Box<Diagnostic>> {
            let ty = |(index, tensor): (usize, &StepTensor)| {
                let element = ElementType::from_name(&tensor.element).ok_or_else(|| {
                    fail(format!("`{key}[{index}].element`: `{}` is no element type", tensor.element))
                })?;
                Ok(Type::Tensor(TensorType::new(tensor.shape.clone(), element)))
            };
            tensors.iter().enumerate().map(ty).collect()
        };
        let groups = (0..self.groups.len()).map(|group| self.resolve_group(group));
        let groups = groups.collect::<Result<_, _>>()?;
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
            let reduction = Reduction::from_name(sum)
                .ok_or_else(|| fail(format!("`accumulators.{value}`: nothing is gathered by `{sum}`")))?;
            Ok::<_, Box<Diagnostic>>((value.clone(), reduction))
        };
        Ok(DevicePrograms {
            arguments: types("arguments", &self.arguments)?,
            results: types("results", &self.results)?,
            groups,
            stages: self.stages.clone(),
            copies: self.copies,
            num_microbatches: self.microbatches,
            accumulators: self.accumulators.iter().map(accumulator).collect::<Result<_, _>>()?,
            programs,
            schedule: self.resolve_schedule()?,
        })
    }

    fn resolve_group(&self, index: usize) -> Result<DeviceGroup, Box<Diagnostic>> {
        let group = &self.groups[index];
        let mesh = group.manifest().resolve().map_err(|error| at_group(index, *error))?.mesh;
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
        let manifest = self.manifest_of(group, &program.takes, &program.gives);
        let device = device_program(&manifest, code).map_err(|error| {
            let message = format!("`programs[{index}]`: {}", error.message);
            Box::new(Diagnostic { message, ..*error })
        })?;
        let (takes, gives) = (slots("takes", &program.takes)?, slots("gives", &program.gives)?);
        Ok(PhaseProgram { device, takes, gives })
    }

    fn resolve_schedule(&self) -> Result<Schedule, Box<Diagnostic>> {
        Schedule::from_rows(&self.schedule).map_err(|(row, why)| fail(format!("`schedule[{row}]`: {why}")))
    }

    /// A group's mesh, and tensors over it, as version 1 has them.
    fn manifest_of(&self, group: usize, takes: &[SlotTensor], gives: &[SlotTensor]) -> Manifest {
        let tensors = |slots: &[SlotTensor]| {
            let tensor = |slot: &SlotTensor| {
                let (shape, element) = (slot.shape.clone(), slot.element.clone());
                slot.as_whole(&StepTensor { name: None, shape, element, next: None, begins_as: None })
            };
            slots.iter().map(tensor).collect()
        };
        Manifest { arguments: tensors(takes), results: tensors(gives), ..self.groups[group].manifest() }
    }
}

/// A program with what a manifest says of it.
fn device_program(manifest: &Manifest, program: Program) -> Result<DeviceProgram, Box<Diagnostic>> {
    let resolved = manifest.resolve()?;
    Ok(DeviceProgram {
        program,
        mesh: resolved.mesh,
        arguments: resolved.arguments,
        results: resolved.results,
        manual: AxisSet::EMPTY,
        orders: resolved.orders,
    })
}

pub(super) fn fail(message: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(MANIFEST, Span::NONE, message))
}

fn at_group(index: usize, error: Diagnostic) -> Box<Diagnostic> {
    let message = format!("`groups[{index}]`: {}", error.message);
    Box::new(Diagnostic { message, ..error })
}
