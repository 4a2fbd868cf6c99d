//! The embedded engine for programs by stage and phase: groups of devices run rows of a schedule.
//!
//! Input: verified [`DevicePrograms`] and the step's global inputs. Output: the step's results, put together. Each device
//! is a thread that goes through its group's row: an action runs a program on what its slots name, a transfer is where the
//! devices of two groups meet, and each device of the target takes its own shard. What a device keeps is freed by the
//! last event that reads it. What goes wrong on one device ends the run on all; see [`crate::rendezvous`].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use meshwright_ir::control::Control;
use meshwright_plan::device_programs::Held;
use meshwright_plan::kept::Key;
use meshwright_plan::{
    Action, CrossMesh, DevicePrograms, Event, Phase, PhaseProgram, ProgramId, Slot, StepPart, Transfer,
};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::{Precision, Tensor};

use crate::across_meshes::across_meshes;
use crate::devices::{Member, Seat, run_beside};
use crate::embedded::{self, num_partitions};
use crate::interpreter::{Interpreter, Prepared};
use crate::run_error::RunError;
use crate::shards::{Assembled, Copies, assemble, nothing, shard, split};

/// Splits global inputs, runs all programs as their schedule says, and puts the results together.
///
/// Errors: inputs or results that do not fit; see [`crate::RunErrorKind`] for the others. All devices have ended when it
/// returns.
pub fn run_programs(
    programs: &DevicePrograms,
    inputs: &[Tensor],
    precision: Precision,
    control: &dyn Control,
) -> Result<Vec<Assembled>, RunError> {
    run_recorded(programs, inputs, precision, control).map(|(results, _)| results)
}

/// The same, with every event of each group in the order in which they ended, but for updates that need not be made again; of
/// a step that is not cut there are none.
///
/// Errors: as of [`run_programs`].
pub fn run_recorded(
    programs: &DevicePrograms,
    inputs: &[Tensor],
    precision: Precision,
    control: &dyn Control,
) -> Result<(Vec<Assembled>, Vec<(usize, Event)>), RunError> {
    if let Some(device) = programs.as_whole() {
        return embedded::run(device, inputs, precision, control).map(|results| (results, Vec::new()));
    }
    let step = Step::new(programs, inputs, precision)?;
    let places = programs.groups.iter().enumerate();
    let places =
        places.flat_map(|(group, devices)| (0..devices.devices.len()).map(move |device| (group, device)));
    let mut places: Vec<(usize, usize)> = places.collect();
    // Devices are numbered as on the machine.
    places.sort_by_key(|(group, device)| programs.groups[*group].devices[*device]);
    let teams: Vec<Arc<[usize]>> = (0..programs.groups.len()).map(|group| team(&places, group)).collect();
    let seat = |(group, device): &(usize, usize)| {
        let (group, device) = (*group, *device);
        let (step, teams) = (&step, &teams);
        let work = move |member: Member<'_>| {
            Desk { step, teams, group, device, held: BTreeMap::new(), valid: BTreeSet::new() }.run(member)
        };
        Seat { device, team: teams[group].clone(), partitions: 1, infeed: Vec::new(), work: Box::new(work) }
    };
    let num_devices = places.len();
    let mut num_before = 0;
    let results = run_beside(places.iter().map(seat).collect(), 1, &mut |num_ended| {
        if num_ended > num_before {
            control.progress("run", num_ended, num_devices);
        }
        num_before = num_ended;
        control.should_stop()
    })?;
    let results = step.assembled(&teams, results)?;
    Ok((results, step.ended.into_inner().unwrap_or_else(PoisonError::into_inner)))
}

/// The numbers of a group's devices among all.
fn team(places: &[(usize, usize)], group: usize) -> Arc<[usize]> {
    let own = places.iter().enumerate().filter(|(_, (own, _))| *own == group);
    let mut own: Vec<(usize, usize)> = own.map(|(number, (_, device))| (*device, number)).collect();
    own.sort_unstable();
    own.into_iter().map(|(_, number)| number).collect()
}

/// A run of all programs, as all devices see it.
struct Step<'a> {
    programs: &'a DevicePrograms,
    precision: Precision,
    prepared: BTreeMap<ProgramId, Runnable<'a>>,
    /// What each event of each row reads for the last time.
    last: Vec<Vec<Vec<Key<'a>>>>,
    /// The results of the step that each group gives, ascending.
    results: Vec<Vec<StepPart>>,
    /// What the first device of each group has done, over all groups.
    ended: Mutex<Vec<(usize, Event)>>,
}

/// A program and the shards of the step's arguments that it takes.
struct Runnable<'a> {
    program: &'a PhaseProgram,
    prepared: Prepared<'a>,
    /// The name of its entry function.
    main: &'a str,
    partitions: usize,
    /// By position of the argument, for each device.
    inputs: BTreeMap<usize, Vec<Tensor>>,
}

impl<'a> Step<'a> {
    /// Errors: inputs that do not fit.
    fn new(programs: &'a DevicePrograms, inputs: &[Tensor], precision: Precision) -> Result<Self, RunError> {
        if inputs.len() != programs.arguments.len() {
            let (expected, found) = (programs.arguments.len(), inputs.len());
            return Err(RunError::inputs(format!("the step takes {expected} inputs, but {found} are given")));
        }
        let prepare = |(id, program): (&ProgramId, &'a PhaseProgram)| {
            Ok((*id, Runnable::new(program, inputs).map_err(|error| about(*id, error))?))
        };
        let prepared = programs.programs.iter().map(prepare).collect::<Result<_, RunError>>()?;
        let groups = 0..programs.groups.len();
        let results = groups.clone().map(|group| results_of(programs, group).collect()).collect();
        let last = groups.map(|group| programs.last_reads(group)).collect();
        Ok(Self { programs, precision, prepared, last, results, ended: Mutex::new(Vec::new()) })
    }

    /// The results of the step, from what each device returns.
    fn assembled(
        &self,
        teams: &[Arc<[usize]>],
        mut returned: Vec<Vec<Tensor>>,
    ) -> Result<Vec<Assembled>, RunError> {
        let mut all: BTreeMap<StepPart, Assembled> = BTreeMap::new();
        for (team, own) in teams.iter().zip(&self.results) {
            // From the back, so that each device's copy can be given away as it is used.
            for part in own.iter().rev() {
                let shards = team.iter().filter_map(|number| returned[*number].pop()).collect();
                let held = self.result(*part)?;
                all.insert(*part, assemble(shards, held.ty, held.sharding, held.mesh)?);
            }
        }
        let mut whole: Vec<Vec<Assembled>> = self.programs.results.iter().map(|_| Vec::new()).collect();
        all.into_iter().for_each(|(part, assembled)| whole[part.index].push(assembled));
        whole.into_iter().map(|layers| Ok(stacked(layers)?)).collect()
    }

    /// How a result of the step is sharded.
    fn result(&self, part: StepPart) -> Result<Held<'a>, RunError> {
        let source = self.programs.source_of(part);
        let held = source.and_then(|(id, at)| self.programs.programs[&id].given().nth(at));
        held.map(|(_, held)| held).ok_or_else(|| RunError::inputs(format!("no program gives result {part}")))
    }
}

impl<'a> Runnable<'a> {
    fn new(program: &'a PhaseProgram, inputs: &[Tensor]) -> Result<Self, RunError> {
        let code = &program.device.program;
        let main = code.main().ok_or_else(|| RunError::inputs("it has no function `@main`"))?;
        let partitions = num_partitions(code, program.device.mesh.num_devices())?;
        let mut shards = BTreeMap::new();
        for (position, (slot, held)) in program.taken().enumerate() {
            if let Slot::Argument(part) = slot {
                let input = inputs.get(part.index);
                let input = input.ok_or_else(|| RunError::inputs(format!("there is no argument {part}")))?;
                let input = layer_of(input, *part).map_err(|error| RunError::inputs(error.message))?;
                let split = split(&input, held.ty, held.sharding, held.mesh);
                shards.insert(position, split.map_err(|error| RunError::inputs(error.message))?);
            }
        }
        Ok(Self { program, prepared: Prepared::new(code), main: &main.name, partitions, inputs: shards })
    }
}

fn about(id: ProgramId, error: RunError) -> RunError {
    RunError { message: format!("program `{id}`: {}", error.message), ..error }
}

/// The results of the step that a group gives, ascending.
fn results_of(programs: &DevicePrograms, group: usize) -> impl Iterator<Item = StepPart> {
    let slots = programs.of_group(group).flat_map(|(_, program)| &program.gives);
    let results = slots.filter_map(|slot| match slot {
        Slot::Result(part) => Some(*part),
        _ => None,
    });
    results.collect::<BTreeSet<StepPart>>().into_iter()
}

/// The part of an argument of the step that a program takes.
fn layer_of(input: &Tensor, part: StepPart) -> Result<Tensor, EvalError> {
    let Some(own) = part.layers else { return Ok(input.clone()) };
    let shape = input.shape();
    let missing =
        || EvalError::new(format!("argument {part}: a tensor of shape {shape:?} has no such layers"));
    let (mut start, mut limit) = (vec![0; shape.len()], shape.to_vec());
    shape.first().filter(|all| own.end() <= **all).ok_or_else(missing)?;
    (start[0], limit[0]) = (own.first, own.end());
    input.slice(&start, &limit, &vec![1; shape.len()])
}

/// The layers of a result, which is one part if there are no others.
fn stacked(layers: Vec<Assembled>) -> Result<Assembled, EvalError> {
    let copies = layers.iter().map(|own| own.copies).fold(Copies::default(), Copies::worst);
    let tensors: Vec<Tensor> = layers.into_iter().map(|own| own.tensor).collect();
    let tensor = match tensors.as_slice() {
        [only] => only.clone(),
        all => Tensor::concatenate(all, 0)?,
    };
    Ok(Assembled { tensor, copies })
}

/// One device on its way through its group's row.
struct Desk<'a> {
    step: &'a Step<'a>,
    teams: &'a [Arc<[usize]>],
    group: usize,
    /// Its number in the group.
    device: usize,
    /// What it keeps.
    held: BTreeMap<Key<'a>, Tensor>,
    /// Stages whose optimistic update stands.
    valid: BTreeSet<usize>,
}

impl<'a> Desk<'a> {
    /// Goes through the row and returns the results of the step that the group gives.
    fn run(mut self, mut member: Member<'_>) -> Result<Vec<Tensor>, EvalError> {
        let mut results = BTreeMap::new();
        let row = &self.step.programs.schedule.rows[self.group];
        for (at, event) in row.iter().enumerate() {
            let last = &self.step.last[self.group][at];
            match event {
                Event::Action(action) if self.stands(action) => {
                    last.iter().for_each(|key| drop(self.held.remove(key)));
                    continue;
                }
                Event::Action(action) => {
                    member = self.act(action, last, member, &mut results)?;
                }
                Event::Transfer(transfer) => self.hand(transfer, last, &mut member)?,
            }
            if self.device == 0 {
                let mut ended = self.step.ended.lock().unwrap_or_else(PoisonError::into_inner);
                ended.push((self.group, event.clone()));
            }
        }
        Ok(results.into_values().collect())
    }

    /// Whether an action would make again what stands.
    fn stands(&self, action: &Action) -> bool {
        let ProgramId { stage, phase } = action.program;
        phase == Phase::Redo && self.valid.contains(&stage)
    }

    /// Runs a program.
    fn act<'r>(
        &mut self,
        action: &Action,
        last: &[Key<'a>],
        mut member: Member<'r>,
        results: &mut BTreeMap<StepPart, Tensor>,
    ) -> Result<Member<'r>, EvalError> {
        let step = self.step;
        let runnable = step.prepared.get(&action.program);
        let runnable =
            runnable.ok_or_else(|| EvalError::new(format!("`{action}`: there is no such program")))?;
        let program = runnable.program;
        let args = program.taken().enumerate().map(|(position, (slot, held))| match slot {
            Slot::Argument(_) => Ok(runnable.inputs[&position][self.device].clone()),
            Slot::Microbatch => Ok(Tensor::scalar_i32(action.microbatch.unwrap_or(0) as i32)),
            Slot::Accumulator(value) => self.gathered(value, held),
            slot => slot
                .value()
                .and_then(|value| self.value(value, action.microbatch))
                .ok_or_else(|| EvalError::new(format!("`{action}` reads `{slot}`, which is not there"))),
        });
        let args = args.collect::<Result<Vec<_>, _>>()?;
        // What nobody reads any more may be written over.
        last.iter().for_each(|key| drop(self.held.remove(key)));
        for slot in program.takes.iter().filter(|slot| program.gives.contains(slot)) {
            slot.value().and_then(|value| self.held.remove(&(value, None)));
        }
        member.set_partitions(runnable.partitions);
        let mut interpreter = Interpreter::new(&runnable.prepared, step.precision, member);
        let given = interpreter.run(runnable.main, args).map_err(|error| {
            let message = format!("in `{action}`: {}", error.message);
            EvalError { message, ..error }
        })?;
        for (slot, tensor) in program.gives.iter().zip(given) {
            match slot {
                Slot::Result(part) => drop(results.insert(*part, tensor)),
                Slot::Valid => {
                    if tensor.scalar_as_f64()? != 0.0 {
                        self.valid.insert(action.program.stage);
                    }
                }
                Slot::Accumulator(value) => drop(self.held.insert((value, None), tensor)),
                slot => {
                    let value = slot.value().unwrap_or_default();
                    self.held.insert((value, action.microbatch), tensor);
                }
            }
        }
        Ok(interpreter.into_world())
    }

    /// Meets the other group, and takes the device's shard if it is of the target.
    fn hand(
        &mut self,
        transfer: &'a Transfer,
        last: &[Key<'a>],
        member: &mut Member<'_>,
    ) -> Result<(), EvalError> {
        let Transfer { value, microbatch, source, target } = transfer;
        let key = (value.as_str(), *microbatch);
        let missing = || EvalError::new(format!("`{transfer}`: group {source} does not have `{value}`"));
        let is_source = *source == self.group;
        let given = match is_source {
            true => vec![self.held.get(&key).cloned().ok_or_else(missing)?],
            false => Vec::new(),
        };
        let (from, to) = (&self.teams[*source], &self.teams[*target]);
        let meeting = from.iter().chain(to.iter()).copied().collect();
        let handed = member.hand(transfer.to_string(), meeting, given)?;
        last.iter().for_each(|key| drop(self.held.remove(key)));
        if is_source {
            return Ok(());
        }
        let programs = self.step.programs;
        let held = |group| programs.held(group, value).ok_or_else(missing);
        let (from, to) = (held(*source)?, held(*target)?);
        let handed: Vec<Tensor> = handed.into_iter().flatten().collect();
        let whole = assemble(handed.clone(), from.ty, from.sharding, from.mesh)?;
        if !whole.copies.agree(0.0) {
            return Err(EvalError::new(format!(
                "`{transfer}`: devices of group {source} hold different copies"
            )));
        }
        let own = match CrossMesh::between(from, to) {
            Some(way) => across_meshes(&way, &handed, self.device)?,
            None => shard(&whole.tensor, to.ty, to.sharding, to.mesh, self.device)?,
        };
        self.held.insert(key, own);
        Ok(())
    }

    /// A value of a microbatch, or of the step.
    fn value(&self, value: &str, microbatch: Option<usize>) -> Option<Tensor> {
        self.held.get(&(value, microbatch)).or_else(|| self.held.get(&(value, None))).cloned()
    }

    /// What an accumulator has gathered; at first what changes nothing.
    fn gathered(&self, value: &str, held: Held<'_>) -> Result<Tensor, EvalError> {
        if let Some(sum) = self.held.get(&(value, None)) {
            return Ok(sum.clone());
        }
        let (programs, ty) = (self.step.programs, held.ty.as_tensor());
        let unknown = || EvalError::new(format!("`{value}` cannot be gathered"));
        let (reduction, ty) = programs.accumulators.get(value).zip(ty).ok_or_else(unknown)?;
        nothing(*reduction, &held.sharding.local_type(ty, held.mesh), self.step.precision)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::run_error::RunErrorKind;
    use meshwright_ir::control::Quiet;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::mesh::{AxisSet, Mesh};
    use meshwright_ir::sharding::Sharding;
    use meshwright_plan::{DeviceGroup, DeviceProgram, Orders, Schedule};
    use meshwright_tensor::types::{ElementType, TensorType, Type};

    /// What gives back what it takes.
    fn same(takes: &str, gives: &str) -> PhaseProgram {
        let text = "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n  return %a : tensor<f32>\n}";
        let scalar = (Type::Tensor(TensorType::new([], ElementType::F32)), Sharding::replicated(0));
        let device = DeviceProgram {
            program: meshwright_ir::text::read(&Source::new("test", text)).unwrap(),
            mesh: Mesh::new("mesh", Vec::new()).unwrap(),
            arguments: vec![scalar.clone()],
            results: vec![scalar],
            manual: AxisSet::EMPTY,
            orders: Orders::default(),
        };
        PhaseProgram { device, takes: vec![takes.parse().unwrap()], gives: vec![gives.parse().unwrap()] }
    }

    /// Each of two devices hands the other one its argument; the machine numbers them the other way round.
    pub(crate) fn exchange(schedule: &str) -> DevicePrograms {
        let programs = [
            ("0F", same("argument 0", "stash a")),
            ("1F", same("argument 1", "stash b")),
            ("0B", same("received b", "result 0")),
            ("1B", same("received a", "result 1")),
        ];
        let scalar = || Type::Tensor(TensorType::new([], ElementType::F32));
        let group =
            |device| DeviceGroup { devices: vec![device], mesh: Mesh::new("mesh", Vec::new()).unwrap() };
        DevicePrograms {
            arguments: vec![scalar(), scalar()],
            results: vec![scalar(), scalar()],
            groups: vec![group(5), group(3)],
            stages: vec![0, 1],
            copies: 1,
            num_microbatches: 1,
            accumulators: BTreeMap::new(),
            programs: programs.into_iter().map(|(id, program)| (id.parse().unwrap(), program)).collect(),
            schedule: Schedule::from_text(schedule).unwrap(),
        }
    }

    fn run(schedule: &str) -> Result<Vec<f64>, RunError> {
        let inputs = [1.0, 2.0].map(|value| Tensor::from_vec(ElementType::F32, [], vec![value as f32]));
        let results = run_programs(&exchange(schedule), &inputs, Precision::Declared, &Quiet)?;
        Ok(results.iter().map(|result| result.tensor.scalar_as_f64().unwrap()).collect())
    }

    #[test]
    fn groups_hand_values_to_each_other() {
        let schedule = "0F0 a:0>1:0 b:1>0:0 0B0\n1F0 a:0>1:0 b:1>0:0 1B0";
        exchange(schedule).verify().unwrap();
        assert_eq!(run(schedule), Ok(vec![2.0, 1.0]));
    }

    #[test]
    fn schedules_that_were_not_verified_end_with_a_reason() {
        let crossed = run("0F0 a:0>1:0 b:1>0:0 0B0\n1F0 b:1>0:0 a:0>1:0 1B0").unwrap_err();
        assert_eq!(crossed.kind, RunErrorKind::Mismatch);
        assert!(crossed.message.contains("`a:0>1:0`") && crossed.message.contains("`b:1>0:0`"), "{crossed}");
        let alone = run("0F0 a:0>1:0\n1F0").unwrap_err();
        assert_eq!(alone.kind, RunErrorKind::Deadlock);
        // Devices are counted in the machine's order.
        assert!(
            alone.message.ends_with("device 1 waits at `a:0>1:0` for device 0, which has finished"),
            "{alone}"
        );
        let early = run("0F0\n1B0").unwrap_err();
        assert_eq!(early.kind, RunErrorKind::Evaluation);
        assert!(early.message.contains("`1B0` reads `received a`, which is not there"), "{early}");
    }

    #[test]
    fn inputs_are_those_of_the_step() {
        let error = run_programs(&exchange("-\n-"), &[], Precision::Declared, &Quiet).unwrap_err();
        assert_eq!(error.to_string(), "the step takes 2 inputs, but 0 are given");
    }
}
