//! The programs of all devices: groups of devices, a program for each stage and phase, and a schedule.
//!
//! Devices of one group run the same programs, and collectives stay inside of a group. Between groups values move by the
//! transfers of the schedule alone: a program neither sends nor receives, it says by its [`Slot`]s where its arguments
//! come from and where its results go. A step that is not cut is one group with one program.

use crate::device_program::DeviceProgram;
use crate::schedule::{ProgramId, Schedule};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Program;
use meshwright_ir::sharding::{Reduction, Sharding};
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// All programs of a step, who runs them, and when.
#[derive(Clone, Debug)]
pub struct DevicePrograms {
    /// Global types of the step's arguments.
    pub arguments: Vec<Type>,
    /// Global types of the step's results.
    pub results: Vec<Type>,
    /// The groups of devices.
    pub groups: Vec<DeviceGroup>,
    /// The group of each stage.
    pub stages: Vec<usize>,
    /// How many copies of the stages there are: with two, the second half of them are copies of the first, and each
    /// microbatch passes through one of the two.
    pub copies: usize,
    /// How many microbatches a step has.
    pub num_microbatches: usize,
    /// What accumulators gather; each begins as what changes nothing.
    pub accumulators: BTreeMap<String, Reduction>,
    /// The programs.
    pub programs: BTreeMap<ProgramId, PhaseProgram>,
    /// What runs when.
    pub schedule: Schedule,
}

/// Devices that run the same programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceGroup {
    /// The machine's number of each device, by its number in the group.
    pub devices: Vec<usize>,
    /// The mesh that its programs are partitioned over.
    pub mesh: Mesh,
}

/// The program of a stage and phase, and what it reads and writes.
#[derive(Clone, Debug)]
pub struct PhaseProgram {
    /// What each device of the group runs.
    pub device: DeviceProgram,
    /// Where each argument comes from.
    pub takes: Vec<Slot>,
    /// Where each result goes.
    pub gives: Vec<Slot>,
}

/// An argument or a result of the step, as a whole or layers of it: a stack of layers has parts along its first dim, and stages
/// take those that are theirs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StepPart {
    /// Its number among the step's arguments or results.
    pub index: usize,
    /// The layers, if they are some of a stack.
    pub layers: Option<Layers>,
}

/// Layers of a stack, one behind the other; there is at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Layers {
    /// The first one.
    pub first: usize,
    /// How many they are.
    pub count: usize,
}

impl Layers {
    /// One layer.
    pub fn one(layer: usize) -> Self {
        Self { first: layer, count: 1 }
    }

    /// The layer behind them.
    pub fn end(self) -> usize {
        self.first + self.count
    }
}

impl StepPart {
    /// All of it.
    pub fn whole(index: usize) -> Self {
        Self { index, layers: None }
    }

    /// One layer of it.
    pub fn layer(index: usize, layer: usize) -> Self {
        Self { index, layers: Some(Layers::one(layer)) }
    }

    /// The layer that it is, if it is one.
    pub fn as_layer(self) -> Option<usize> {
        self.layers.filter(|layers| layers.count == 1).map(|layers| layers.first)
    }

    /// The type of this part of a value; none if there are no such layers.
    pub fn of_type(self, ty: &Type) -> Option<Type> {
        let Some(own) = self.layers else { return Some(ty.clone()) };
        let mut part = ty.as_tensor()?.clone();
        let all = part.shape.first_mut().filter(|all| own.end() <= **all)?;
        *all = own.count;
        Some(part.into())
    }
}

/// `3`, `3[5]` for its sixth layer, and `3[4..8]` for those from the fifth to the eighth.
impl fmt::Display for StepPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.layers {
            None => write!(f, "{}", self.index),
            Some(Layers { first, count: 1 }) => write!(f, "{}[{first}]", self.index),
            Some(layers) => write!(f, "{}[{}..{}]", self.index, layers.first, layers.end()),
        }
    }
}

impl FromStr for StepPart {
    type Err = ();

    /// Reads it as it is written. Errors: it is none.
    fn from_str(text: &str) -> Result<Self, ()> {
        let number = |text: &str| text.parse::<usize>().map_err(|_| ());
        match text.strip_suffix(']').map(|text| text.split_once('[').ok_or(())).transpose()? {
            None => number(text).map(Self::whole),
            Some((index, layers)) => {
                let layers = match layers.split_once("..") {
                    None => Layers::one(number(layers)?),
                    Some((first, end)) => {
                        let first = number(first)?;
                        let count = number(end)?.checked_sub(first).filter(|count| *count > 1);
                        Layers { first, count: count.ok_or(())? }
                    }
                };
                // There is a number behind the last one.
                layers.first.checked_add(layers.count).ok_or(())?;
                Ok(Self { index: number(index)?, layers: Some(layers) })
            }
        }
    }
}

/// Slots to which arguments and results of a program are bound.
///
/// A value of the name `v` belongs to a microbatch if it is made by a phase of microbatches; else there is one in a step.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// An argument of the step.
    Argument(StepPart),
    /// A result of the step.
    Result(StepPart),
    /// The number of the microbatch, as `tensor<i32>`.
    Microbatch,
    /// A value that a transfer brings from another group.
    Received(String),
    /// A value that the group keeps from the program that makes it to its last reader.
    Stash(String),
    /// A value that programs of many microbatches add to: who gives it takes what is gathered so far.
    Accumulator(String),
    /// Answer of a validation, as `tensor<i1>`: whether the optimistic update of its stage stands.
    Valid,
}

impl Slot {
    /// The name of the value, if it has one.
    pub fn value(&self) -> Option<&str> {
        match self {
            Self::Received(value) | Self::Stash(value) | Self::Accumulator(value) => Some(value),
            Self::Argument(_) | Self::Result(_) | Self::Microbatch | Self::Valid => None,
        }
    }
}

/// `argument 3`, `stash h`.
impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument(part) => write!(f, "argument {part}"),
            Self::Result(part) => write!(f, "result {part}"),
            Self::Microbatch => f.write_str("microbatch"),
            Self::Received(value) => write!(f, "received {value}"),
            Self::Stash(value) => write!(f, "stash {value}"),
            Self::Accumulator(value) => write!(f, "accumulator {value}"),
            Self::Valid => f.write_str("valid"),
        }
    }
}

impl FromStr for Slot {
    type Err = String;

    /// Reads a slot as it is written. Errors: why it is none.
    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || {
            format!(
                "`{text}` is no slot: `argument N`, `result N`, with `N[L]` for a layer of a stack and `N[L..M]` for several, `microbatch`, \
                 `valid`, `received VALUE`, `stash VALUE` and `accumulator VALUE` are"
            )
        };
        if text == "microbatch" {
            return Ok(Self::Microbatch);
        }
        if text == "valid" {
            return Ok(Self::Valid);
        }
        let (kind, which) = text.split_once(' ').ok_or_else(unknown)?;
        let part = || which.parse().map_err(|()| unknown());
        let value = || match crate::schedule_text::is_name(which) {
            true => Ok(which.to_owned()),
            false => Err(format!("`{text}`: `{which}` is no name of a value")),
        };
        match kind {
            "argument" => part().map(Self::Argument),
            "result" => part().map(Self::Result),
            "received" => value().map(Self::Received),
            "stash" => value().map(Self::Stash),
            "accumulator" => value().map(Self::Accumulator),
            _ => Err(unknown()),
        }
    }
}

/// A value as a group holds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held<'a> {
    /// Its global type.
    pub ty: &'a Type,
    /// How it is sharded over the group.
    pub sharding: &'a Sharding,
    /// The mesh that says which device has which shard.
    pub mesh: &'a Mesh,
}

impl DevicePrograms {
    /// A step that is not cut: all devices run one program once.
    pub fn whole(device: DeviceProgram) -> Self {
        let types = |values: &[(Type, Sharding)]| values.iter().map(|(ty, _)| ty.clone()).collect();
        let group =
            DeviceGroup { devices: (0..device.mesh.num_devices()).collect(), mesh: device.mesh.clone() };
        let takes = (0..device.arguments.len()).map(StepPart::whole).map(Slot::Argument).collect();
        let gives = (0..device.results.len()).map(StepPart::whole).map(Slot::Result).collect();
        Self {
            arguments: types(&device.arguments),
            results: types(&device.results),
            groups: vec![group],
            stages: vec![0],
            copies: 1,
            num_microbatches: 1,
            accumulators: BTreeMap::new(),
            programs: BTreeMap::from([(ProgramId::WHOLE, PhaseProgram { device, takes, gives })]),
            schedule: Schedule::whole(),
        }
    }

    /// The program of a step that is not cut, if it takes the arguments and gives the results of the step in their order.
    pub fn as_whole(&self) -> Option<&DeviceProgram> {
        let is_alone = self.programs.len() == 1 && self.groups.len() == 1;
        let program = self.programs.get(&ProgramId::WHOLE).filter(|_| is_alone)?;
        let takes = (0..self.arguments.len()).map(StepPart::whole).map(Slot::Argument);
        let gives = (0..self.results.len()).map(StepPart::whole).map(Slot::Result);
        let is_in_order = takes.eq(program.takes.iter().cloned()) && gives.eq(program.gives.iter().cloned());
        is_in_order.then_some(&program.device)
    }

    /// All programs with their names.
    pub fn named(&self) -> Vec<(String, Program)> {
        let program =
            |(id, program): (&ProgramId, &PhaseProgram)| (id.name(), program.device.program.clone());
        self.programs.iter().map(program).collect()
    }

    /// Number of devices in all groups.
    pub fn num_devices(&self) -> usize {
        self.groups.iter().map(|group| group.devices.len()).sum()
    }

    /// The programs that a group runs.
    pub fn of_group(&self, group: usize) -> impl Iterator<Item = (ProgramId, &PhaseProgram)> {
        let runs = move |id: &ProgramId| self.stages.get(id.stage) == Some(&group);
        self.programs.iter().filter(move |(id, _)| runs(id)).map(|(id, program)| (*id, program))
    }

    /// A value as the programs of a group make or read it; nothing if none of them does.
    pub fn held(&self, group: usize, value: &str) -> Option<Held<'_>> {
        let mut programs = self.of_group(group);
        programs.find_map(|(_, program)| {
            let mut slots = program.slots();
            slots.find(|(slot, _)| slot.value() == Some(value)).map(|(_, held)| held)
        })
    }

    /// All values that the programs of a group make or read, by name; see [`Self::held`].
    pub fn known_in(&self, group: usize) -> BTreeMap<&str, Held<'_>> {
        let mut known = BTreeMap::new();
        for (slot, held) in self.of_group(group).flat_map(|(_, program)| program.slots()) {
            if let Some(value) = slot.value() {
                known.entry(value).or_insert(held);
            }
        }
        known
    }

    /// Forms in which the programs of a group take an argument of the step, or a layer of it.
    pub fn takes(&self, group: usize, part: StepPart) -> impl Iterator<Item = Held<'_>> {
        let slots = self.of_group(group).flat_map(|(_, program)| program.taken());
        slots.filter(move |(slot, _)| **slot == Slot::Argument(part)).map(|(_, held)| held)
    }

    /// Source of a result of the step, or of a layer of one: the program, and which of its results it is.
    pub fn source_of(&self, result: StepPart) -> Option<(ProgramId, usize)> {
        let gives = |(id, program): (&ProgramId, &PhaseProgram)| {
            let position = program.gives.iter().position(|slot| *slot == Slot::Result(result))?;
            Some((*id, position))
        };
        self.programs.iter().find_map(gives)
    }
}

impl PhaseProgram {
    /// Slots that it takes and gives, each as the group holds it.
    pub fn slots(&self) -> impl Iterator<Item = (&Slot, Held<'_>)> {
        self.taken().chain(self.given())
    }

    /// Slots that it takes.
    pub fn taken(&self) -> impl Iterator<Item = (&Slot, Held<'_>)> {
        let device = &self.device;
        self.takes.iter().zip(&device.arguments).enumerate().map(|(index, (slot, (ty, sharding)))| {
            (slot, Held { ty, sharding, mesh: device.argument_mesh(index) })
        })
    }

    /// Slots that it gives.
    pub fn given(&self) -> impl Iterator<Item = (&Slot, Held<'_>)> {
        let device = &self.device;
        self.gives.iter().zip(&device.results).enumerate().map(|(index, (slot, (ty, sharding)))| {
            (slot, Held { ty, sharding, mesh: device.result_mesh(index) })
        })
    }
}
