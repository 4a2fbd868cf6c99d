//! What an op needs from its surroundings to evaluate itself.

use crate::eval_error::EvalError;
use crate::ids::RegionId;
use crate::tensor::{Precision, Tensor};

/// Implemented by whoever runs a program; one per device.
pub trait Context {
    /// How floats are stored.
    fn precision(&self) -> Precision;

    /// Runs a region of the instruction's own body and returns what its terminator returns.
    fn call_region(&mut self, region: RegionId, args: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError>;

    /// Runs a function of the program.
    fn call_function(&mut self, name: &str, args: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError>;

    /// The number of this device (`stablehlo.replica_id`).
    fn device(&self) -> usize;

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
}
