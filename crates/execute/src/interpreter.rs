//! The interpreter: runs a function of a verified program on host tensors.
//!
//! Input: a [`Prepared`] program, the name of a function, one tensor per argument. Output: one tensor per result.
//! Every instruction evaluates itself (`OpDef::evaluate`); this file keeps the values, runs regions and calls, and
//! frees each value after its last read, so that peak memory follows the program and ops may write in place.
//! What lies outside of the program (other devices, whoever watches) is behind [`World`].

use std::collections::BTreeMap;

use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::eval::{Channel, Context, DeviceRun, Evaluation};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Body, Function, InstView, Program};
use meshwright_ir::sharding::MeshRef;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::Type;
use meshwright_tensor::{Precision, Tensor, convert};

use crate::async_ops::{Exchange, Futures};
use crate::devices::Devices;
use crate::liveness::{Liveness, liveness};
use crate::rendezvous::Ticket;
use crate::run_error::RunErrorKind;
use crate::tuples::Tuples;

/// Devices inside a program are not run if there are more at once, each being a thread.
const MOST_DEVICES: usize = 1024;

/// A program with what the interpreter knows of it before running it; shared by all devices.
#[derive(Debug)]
pub struct Prepared<'p> {
    program: &'p Program,
    functions: Vec<(&'p Function, Liveness)>,
    by_name: BTreeMap<&'p str, usize>,
}

impl<'p> Prepared<'p> {
    /// Prepares a verified program.
    pub fn new(program: &'p Program) -> Self {
        let functions = program.functions.iter().map(|function| (function, liveness(&function.body)));
        let by_name = program.functions.iter().enumerate().map(|(index, function)| (&*function.name, index));
        Self { program, functions: functions.collect(), by_name: by_name.collect() }
    }

    /// The function called `name`.
    pub fn function(&self, name: &str) -> Option<&'p Function> {
        self.by_name.get(name).map(|index| self.functions[*index].0)
    }
}

/// Position of a device: the instruction of each function on the stack, innermost last, by the function's position
/// in the program.
pub type Site = Vec<(usize, InstId)>;

/// Surroundings of a run.
pub trait World {
    /// The number of the device that runs.
    fn device(&self) -> usize;

    /// Number of partitions of each replica; see [`Context::device`].
    fn partitions(&self) -> usize {
        1
    }

    /// Hands in the contributions to an exchange ([`Context::exchange`]), which [`World::wait`] waits for. `site` says
    /// which instruction asks.
    fn arrive(
        &mut self,
        op: &str,
        groups: &[Vec<usize>],
        contributions: Vec<Tensor>,
        site: Site,
    ) -> Result<Ticket, EvalError>;

    /// Waits for an exchange; see [`Context::exchange`] for what it returns.
    fn wait(&mut self, ticket: Ticket) -> Result<Vec<Vec<Tensor>>, EvalError>;

    /// Number of devices.
    fn num_devices(&self) -> usize {
        1
    }

    /// How many devices run at once, those of the runs around this one included.
    fn num_running(&self) -> usize {
        1
    }

    /// Sends values and goes on; see [`Context::send`].
    fn send(&mut self, channel: Channel, values: Vec<Tensor>) -> Result<(), EvalError> {
        let _ = values;
        Err(EvalError::new(format!("nobody receives what is sent on channel {}", channel.handle)))
    }

    /// Waits for values; see [`Context::receive`].
    fn receive(&mut self, channel: Channel) -> Result<Vec<Tensor>, EvalError> {
        Err(EvalError::new(format!("nobody sends what is received on channel {}", channel.handle)))
    }

    /// The function that gives the next values that the device is fed, if there are more.
    fn feed(&mut self) -> Option<String> {
        None
    }

    /// Whether to stop, as a device asks that waits for devices of its own.
    fn should_stop(&mut self) -> bool {
        false
    }

    /// Called before every instruction; an error ends the run.
    fn before(&mut self, view: &InstView<'_>) -> Result<(), EvalError> {
        let _ = view;
        Ok(())
    }
}

/// One device and nothing else: for programs that are not distributed.
pub struct SingleDevice<'c> {
    /// Asked before every instruction whether to stop.
    pub control: &'c dyn Control,
}

impl World for SingleDevice<'_> {
    fn device(&self) -> usize {
        0
    }

    fn arrive(&mut self, op: &str, _: &[Vec<usize>], _: Vec<Tensor>, _: Site) -> Result<Ticket, EvalError> {
        Err(EvalError::new(format!(
            "`{op}` needs other devices, but this program runs alone; run it on the embedded devices instead"
        )))
    }

    fn wait(&mut self, _: Ticket) -> Result<Vec<Vec<Tensor>>, EvalError> {
        Err(EvalError::new("a device that is alone waits for others"))
    }

    fn should_stop(&mut self) -> bool {
        self.control.should_stop()
    }

    fn before(&mut self, _: &InstView<'_>) -> Result<(), EvalError> {
        if self.should_stop() { Err(EvalError::new("the run was stopped")) } else { Ok(()) }
    }
}

/// Runs a function of a verified program on one device. `inputs` may be kept in any precision; they are converted.
///
/// Errors: no such function, inputs that do not fit its arguments, and whatever an instruction cannot compute (with
/// the instruction's span).
pub fn run_function(
    program: &Program,
    name: &str,
    inputs: Vec<Tensor>,
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    run_single_device(program, name, inputs, precision, &Quiet)
}

/// As [`run_function`], for work long enough to be stopped.
pub fn run_single_device(
    program: &Program,
    name: &str,
    inputs: Vec<Tensor>,
    precision: Precision,
    control: &dyn Control,
) -> Result<Vec<Tensor>, EvalError> {
    Interpreter::new(&Prepared::new(program), precision, SingleDevice { control }).run(name, inputs)
}

/// One device at work.
pub struct Interpreter<'a, 'p, W> {
    prepared: &'a Prepared<'p>,
    precision: Precision,
    world: W,
    frames: Vec<Frame<'a>>,
    /// Empty value tables of functions that were called before, by position of the function.
    spare: Vec<Vec<Values>>,
    /// Values kept by `interpreter.probe`.
    probes: BTreeMap<String, Vec<Tensor>>,
    /// What was started and not waited for; see [`crate::async_ops`].
    pub(crate) started: Futures,
    /// What the next exchange does.
    pub(crate) exchange: Exchange,
    tuples: Tuples,
    /// How often random numbers were drawn without a seed.
    num_draws: u64,
}

/// The values of one call; empty once the call is over.
type Values = Table<ValueId, Option<Tensor>>;

/// A function being run.
struct Frame<'a> {
    function: usize,
    body: &'a Body,
    liveness: &'a Liveness,
    values: Values,
    /// The instruction being run.
    current: Option<InstId>,
}

impl<'a, 'p, W: World> Interpreter<'a, 'p, W> {
    /// A device that has run nothing yet.
    pub fn new(prepared: &'a Prepared<'p>, precision: Precision, world: W) -> Self {
        let spare = prepared.functions.iter().map(|_| Vec::new()).collect();
        Self {
            prepared,
            precision,
            world,
            frames: Vec::new(),
            spare,
            probes: BTreeMap::new(),
            started: Futures::default(),
            exchange: Exchange::default(),
            tuples: Tuples::default(),
            num_draws: 0,
        }
    }

    /// The surroundings, for another program.
    pub(crate) fn into_world(self) -> W {
        self.world
    }

    /// Runs the function called `name`; see [`run_function`]. Of a result that is a tuple, each member is a result.
    pub fn run(&mut self, name: &str, inputs: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError> {
        let Some(function) = self.prepared.function(name) else {
            return Err(EvalError::new(format!("the program has no function `@{name}`")));
        };
        let inputs = check_inputs(function, inputs, self.precision)?;
        let results = self.call_function(name, inputs)?;
        let flat = results.into_iter().zip(&function.result_types);
        Ok(flat.map(|(result, ty)| self.tuples.flat(result, ty)).collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// Runs a region that reads nothing from outside, of the function at a position in the program.
    pub(crate) fn run_isolated(
        &mut self,
        function: usize,
        region: RegionId,
        args: Vec<Tensor>,
    ) -> Result<Vec<Tensor>, EvalError> {
        let (callee, liveness) = &self.prepared.functions[function];
        let values = Table::filled(None, callee.body.values.len());
        self.frames.push(Frame { function, body: &callee.body, liveness, values, current: None });
        let results = self.run_region(region, args);
        self.frames.pop();
        results
    }

    /// The function that runs, as its position in the program, and its body.
    pub(crate) fn place(&mut self) -> (usize, &'a Body) {
        let frame = self.frame();
        (frame.function, frame.body)
    }

    fn frame(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("an instruction runs in a function")
    }

    /// Runs a region of the innermost function and returns what its terminator returns.
    fn run_region(&mut self, region: RegionId, args: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError> {
        let Frame { body, liveness, values, .. } = self.frame();
        let (body, liveness) = (*body, *liveness);
        let region = &body.regions[region];
        assert_eq!(region.args.len(), args.len(), "arguments of a region");
        for (value, tensor) in region.args.iter().zip(args) {
            if liveness.is_read[*value] {
                values[*value] = Some(tensor);
            }
        }
        let (terminator, insts) = region.insts.split_last().expect("a region has a terminator");
        if insts.is_empty() {
            // A loop that does nothing could not be stopped otherwise.
            self.world.before(&body.view(*terminator))?;
        }
        for inst in insts {
            self.run_inst(body, liveness, *inst).map_err(|error| error.at(body.insts[*inst].span))?;
        }
        Ok(self.frame().read_operands(*terminator))
    }

    fn run_inst(&mut self, body: &'a Body, liveness: &'a Liveness, id: InstId) -> Result<(), EvalError> {
        let view = body.view(id);
        self.world.before(&view)?;
        let frame = self.frame();
        frame.current = Some(id);
        let inputs = frame.read_operands(id);
        let results = view.inst.op.evaluate(Evaluation { view: &view, inputs, cx: self })?;
        check_results(&view, &results, self.precision)?;
        let frame = self.frame();
        for (value, tensor) in view.inst.results.iter().zip(results) {
            if liveness.is_read[*value] {
                frame.values[*value] = Some(tensor);
            }
        }
        for value in &liveness.drops[id] {
            frame.values[*value] = None;
        }
        Ok(())
    }
}

impl Frame<'_> {
    /// The operands of an instruction, taken away where it reads them last.
    fn read_operands(&mut self, inst: InstId) -> Vec<Tensor> {
        let operands = self.body.insts[inst].operands.iter().zip(&self.liveness.takes[inst]);
        operands
            .map(|(value, take)| {
                let slot = &mut self.values[*value];
                let tensor = if *take { slot.take() } else { slot.clone() };
                tensor.unwrap_or_else(|| panic!("{value:?} is read after its last use by {inst:?}"))
            })
            .collect()
    }
}

impl<W: World> Context for Interpreter<'_, '_, W> {
    fn precision(&self) -> Precision {
        self.precision
    }

    fn call_region(&mut self, region: RegionId, args: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError> {
        let current = self.frame().current;
        let results = self.run_region(region, args)?;
        self.frame().current = current;
        Ok(results)
    }

    fn call_function(&mut self, name: &str, args: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError> {
        let Some(&function) = self.prepared.by_name.get(name) else {
            return Err(EvalError::new(format!("the program has no function `@{name}`")));
        };
        let (callee, liveness) = &self.prepared.functions[function];
        if callee.is_declaration {
            return Err(EvalError::new(format!("the function `@{name}` has no body")));
        }
        let empty = || Table::filled(None, callee.body.values.len());
        let values = self.spare[function].pop().unwrap_or_else(empty);
        self.frames.push(Frame { function, body: &callee.body, liveness, values, current: None });
        let results = self.run_region(callee.body.entry(), args);
        let frame = self.frames.pop().expect("pushed above");
        if results.is_ok() {
            self.spare[function].push(frame.values);
        }
        results
    }

    fn num_arguments(&self, name: &str) -> Option<usize> {
        self.prepared.function(name).map(|function| function.args().len())
    }

    fn mesh(&self, mesh: &MeshRef) -> Option<Mesh> {
        self.prepared.program.resolve_mesh(mesh).cloned()
    }

    fn device(&self) -> usize {
        self.world.device()
    }

    fn partitions(&self) -> usize {
        self.world.partitions()
    }

    fn num_devices(&self) -> usize {
        self.world.num_devices()
    }

    fn run_devices(
        &mut self,
        runs: Vec<DeviceRun>,
        partitions: usize,
        infeed: &[String],
    ) -> Result<Vec<Vec<Tensor>>, EvalError> {
        let (prepared, precision, function) = (self.prepared, self.precision, self.frame().function);
        let num_around = self.world.num_running();
        let num_running = runs.len().saturating_mul(num_around);
        if num_running > MOST_DEVICES {
            let message =
                format!("{num_running} devices at once are more than the {MOST_DEVICES} that are run here");
            return Err(EvalError::new(message));
        }
        let devices = Devices { prepared, precision, function, partitions, infeed, num_around };
        devices.run(runs, &mut |_| self.world.should_stop()).map_err(|error| {
            let told = match error.kind {
                RunErrorKind::CheckFailed => EvalError::check_failed(error.to_string()),
                _ => EvalError::new(error.to_string()),
            };
            told.at(error.span)
        })
    }

    fn feed(&mut self) -> Result<Vec<Tensor>, EvalError> {
        match self.world.feed() {
            Some(function) => self.call_function(&function, Vec::new()),
            None => Err(EvalError::new("there is nothing (more) that the device is fed")),
        }
    }

    fn send(&mut self, channel: Channel, values: Vec<Tensor>) -> Result<(), EvalError> {
        self.world.send(channel, values)
    }

    fn receive(&mut self, channel: Channel) -> Result<Vec<Tensor>, EvalError> {
        self.world.receive(channel)
    }

    fn pack(&mut self, members: Vec<Tensor>) -> Tensor {
        self.tuples.pack(members)
    }

    fn unpack(&self, tuple: &Tensor) -> Result<Vec<Tensor>, EvalError> {
        self.tuples.unpack(tuple)
    }

    fn next_draw(&mut self) -> u64 {
        self.num_draws += 1;
        self.num_draws - 1
    }

    fn probe(&mut self, name: &str, value: Tensor) {
        self.probes.entry(name.to_owned()).or_default().push(value);
    }

    fn probed(&self, name: &str, iteration: usize) -> Option<Tensor> {
        self.probes.get(name)?.get(iteration).cloned()
    }

    fn exchange(
        &mut self,
        op: &str,
        groups: &[Vec<usize>],
        contributions: Vec<Tensor>,
    ) -> Result<Vec<Vec<Tensor>>, EvalError> {
        if let Exchange::Await(ticket) = self.exchange {
            self.exchange = Exchange::Block;
            return self.world.wait(ticket);
        }
        let site = self.frames.iter().filter_map(|frame| Some((frame.function, frame.current?))).collect();
        let ticket = self.world.arrive(op, groups, contributions, site)?;
        if matches!(self.exchange, Exchange::HandIn) {
            self.exchange = Exchange::HandedIn(ticket);
            return Err(EvalError::new("goes on when all have arrived"));
        }
        self.world.wait(ticket)
    }

    fn start(&mut self, region: RegionId, args: Vec<Tensor>) -> Result<Tensor, EvalError> {
        self.start_region(region, args)
    }

    fn finish(&mut self, future: &Tensor) -> Result<Vec<Tensor>, EvalError> {
        self.finish_future(future)
    }
}

/// Inputs as the arguments of `function` want them, kept as `precision` keeps them.
fn check_inputs(
    function: &Function,
    inputs: Vec<Tensor>,
    precision: Precision,
) -> Result<Vec<Tensor>, EvalError> {
    let args = function.args();
    if inputs.len() != args.len() {
        let message =
            format!("`@{}` takes {} arguments, but {} are given", function.name, args.len(), inputs.len());
        return Err(EvalError::new(message));
    }
    let check = |(index, (value, input)): (usize, (&ValueId, Tensor))| {
        let expected = function.body.ty(*value);
        // A token holds nothing: what is given for it is passed on.
        if *expected != Type::Token && *expected != Type::Tensor(input.ty()) {
            let message = format!(
                "argument {index} of `@{}` is a {expected}, but a {} is given",
                function.name,
                input.ty()
            );
            return Err(EvalError::new(message).at(function.body.values[*value].span));
        }
        convert(&input, input.element(), precision)
    };
    args.iter().zip(inputs).enumerate().map(check).collect()
}

/// Checks that an op computed what its instruction declares, so that a mistake in an op shows where it is made.
fn check_results(view: &InstView<'_>, results: &[Tensor], precision: Precision) -> Result<(), EvalError> {
    let name = view.inst.op.name();
    if results.len() != view.inst.results.len() {
        let message =
            format!("`{name}` computed {} results instead of {}", results.len(), view.inst.results.len());
        return Err(EvalError::new(message));
    }
    for (index, (result, ty)) in results.iter().zip(view.result_types()).enumerate() {
        // Tokens and futures have stand-ins.
        let Type::Tensor(declared) = ty else { continue };
        let fits = result.shape() == declared.shape && result.element() == declared.element;
        if !fits {
            let message = format!("`{name}` computed a {} as result {index}, a {declared}", result.ty());
            return Err(EvalError::new(message));
        }
        if result.storage() != precision.storage(declared.element) {
            let message = format!(
                "`{name}` keeps result {index}, a {declared}, as {:?}, which is not of the run's precision",
                result.storage()
            );
            return Err(EvalError::new(message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_tensor::StorageKind;
    use meshwright_tensor::types::ElementType;

    fn program(text: &str) -> Program {
        let program = meshwright_ir::text::read(&Source::new("test", text)).unwrap();
        meshwright_ir::verify::verify(&program).unwrap();
        program
    }

    #[test]
    fn calls_and_wide_storage() {
        let program = program(
            "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @twice(%a) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = call @twice(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
func.func private @twice(%a: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %a, %a : tensor<2xf32>
  return %0 : tensor<2xf32>
}",
        );
        let input = Tensor::from_vec(ElementType::F32, [2], vec![1f32, 0.1]);
        let results = run_function(&program, "main", vec![input.clone()], Precision::Declared).unwrap();
        assert_eq!(results[0].dense::<f32>().unwrap()[..], [4.0, 0.4]);
        let results = run_function(&program, "main", vec![input], Precision::Wide).unwrap();
        assert_eq!(results[0].storage(), StorageKind::F64);
        assert_eq!(results[0].to_f64_vec(), [4.0, 4.0 * f64::from(0.1f32)]);
    }

    #[test]
    fn mistakes_are_errors() {
        let program = program(
            "func.func @main(%a: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}",
        );
        let message =
            |name, inputs| run_function(&program, name, inputs, Precision::Declared).unwrap_err().message;
        assert_eq!(message("f", vec![]), "the program has no function `@f`");
        assert_eq!(message("main", vec![]), "`@main` takes 1 arguments, but 0 are given");
        assert_eq!(
            message("main", vec![Tensor::scalar_f32(1.0)]),
            "argument 0 of `@main` is a tensor<2xf32>, but a tensor<f32> is given"
        );
    }
}
