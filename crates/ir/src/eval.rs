//! What an op needs from its surroundings to evaluate itself.

use crate::ids::RegionId;
use crate::mesh::Mesh;
use crate::program::InstView;
use crate::sharding::MeshRef;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::{Precision, Tensor};

/// Run of one of several devices: its code and arguments.
#[derive(Clone, Debug)]
pub struct DeviceRun {
    /// The code.
    pub code: DeviceCode,
    /// Its arguments.
    pub args: Vec<Tensor>,
}

/// Code that a device runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceCode {
    /// A function of the program.
    Function(String),
    /// A region of the instruction's own body that reads nothing from outside.
    Region(RegionId),
}

/// Channel on which values are sent: what goes in at one end comes out at the other, in order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Channel {
    /// The handle that the program gives it.
    pub handle: i64,
    /// From which device to which; `None`: through the host, from whoever sends to whoever receives.
    pub ends: Option<[usize; 2]>,
}

/// Evaluation of one instruction, once.
pub struct Evaluation<'a> {
    /// The instruction.
    pub view: &'a InstView<'a>,
    /// Its operands, of the types that it says.
    pub inputs: Vec<Tensor>,
    /// Its surroundings.
    pub cx: &'a mut dyn Context,
}

/// The results of an instruction, or why there are none.
pub type Evaluated = Result<Vec<Tensor>, EvalError>;

/// Implemented by whoever runs a program; one per device.
pub trait Context {
    /// How floats are stored.
    fn precision(&self) -> Precision;

    /// Runs a region of the instruction's own body and returns what its terminator returns.
    fn call_region(&mut self, region: RegionId, args: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError>;

    /// Runs a function of the program.
    fn call_function(&mut self, name: &str, args: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError>;

    /// How many arguments a function of the program takes.
    fn num_arguments(&self, name: &str) -> Option<usize>;

    /// The mesh that a sharding is written against.
    fn mesh(&self, mesh: &MeshRef) -> Option<Mesh>;

    /// The number of this device: it is partition `device % partitions` of replica `device / partitions`.
    fn device(&self) -> usize;

    /// Number of partitions of each replica.
    fn partitions(&self) -> usize;

    /// Number of devices, which is that of all partitions of all replicas.
    fn num_devices(&self) -> usize;

    /// Runs devices beside each other, device `d` being `runs[d]`, which may exchange tensors with one another.
    /// `infeed` are the functions that give each device what it is fed, in order. Returns what each of them returns.
    fn run_devices(
        &mut self,
        runs: Vec<DeviceRun>,
        partitions: usize,
        infeed: &[String],
    ) -> Result<Vec<Vec<Tensor>>, EvalError>;

    /// The next values that this device is fed.
    fn feed(&mut self) -> Result<Vec<Tensor>, EvalError>;

    /// Sends values and goes on.
    fn send(&mut self, channel: Channel, values: Vec<Tensor>) -> Result<(), EvalError>;

    /// Waits for values that are sent. Errors: a deadlock, or several receivers of which nobody knows who gets what.
    fn receive(&mut self, channel: Channel) -> Result<Vec<Tensor>, EvalError>;

    /// Values as one, which [`Context::unpack`] gives back.
    fn pack(&mut self, members: Vec<Tensor>) -> Tensor;

    /// The values of a tuple.
    fn unpack(&self, tuple: &Tensor) -> Result<Vec<Tensor>, EvalError>;

    /// How often this device has drawn random numbers without a seed before.
    fn next_draw(&mut self) -> u64;

    /// Keeps a value under a name (`interpreter.probe`); each name holds all values that it was given, in order.
    fn probe(&mut self, name: &str, value: Tensor);

    /// The value that was kept under `name` as number `iteration`.
    fn probed(&self, name: &str, iteration: usize) -> Option<Tensor>;

    /// Gives `contributions` to the group (one of `groups`) that this device is in and returns what all its members gave, in
    /// the group's order. Blocks until all have arrived. `op` names the collective for diagnostics.
    /// Errors: a mismatch in the order of collectives, a deadlock, or a device that is in no group.
    fn exchange(
        &mut self,
        op: &str,
        groups: &[Vec<usize>],
        contributions: Vec<Tensor>,
    ) -> Result<Vec<Vec<Tensor>>, EvalError>;

    /// Starts a region of one op, and gives back what [`Context::finish`] waits with. An op that exchanges hands in
    /// its contributions, and the device goes on; any other is computed at once.
    fn start(&mut self, region: RegionId, args: Vec<Tensor>) -> Result<Tensor, EvalError>;

    /// Waits for what was started and returns its results. Errors: it has been waited for before.
    fn finish(&mut self, future: &Tensor) -> Result<Vec<Tensor>, EvalError>;
}
