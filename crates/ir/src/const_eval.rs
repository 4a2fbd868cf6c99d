//! Evaluation before the program runs: what an op makes of operands that are known when the program is compiled.
//!
//! Input: an op's evaluation and the number of the device. Output: whatever it computes by itself; what it would have
//! to ask of other devices, functions or regions is an error.

use crate::eval::{Channel, Context, DeviceRun};
use crate::ids::RegionId;
use crate::mesh::Mesh;
use crate::sharding::MeshRef;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::{Precision, Tensor};

/// A device that nothing is around.
#[derive(Clone, Copy, Debug)]
pub struct ConstEval {
    /// Its number.
    pub device: usize,
}

fn not_constant<T>() -> Result<T, EvalError> {
    Err(EvalError::new("not known before the program runs"))
}

impl Context for ConstEval {
    fn precision(&self) -> Precision {
        Precision::Declared
    }

    fn call_region(&mut self, _: RegionId, _: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError> {
        not_constant()
    }

    fn call_function(&mut self, _: &str, _: Vec<Tensor>) -> Result<Vec<Tensor>, EvalError> {
        not_constant()
    }

    fn num_arguments(&self, _: &str) -> Option<usize> {
        None
    }

    fn mesh(&self, _: &MeshRef) -> Option<Mesh> {
        None
    }

    fn device(&self) -> usize {
        self.device
    }

    fn partitions(&self) -> usize {
        1
    }

    fn num_devices(&self) -> usize {
        1
    }

    fn run_devices(
        &mut self,
        _: Vec<DeviceRun>,
        _: usize,
        _: &[String],
    ) -> Result<Vec<Vec<Tensor>>, EvalError> {
        not_constant()
    }

    fn feed(&mut self) -> Result<Vec<Tensor>, EvalError> {
        not_constant()
    }

    fn send(&mut self, _: Channel, _: Vec<Tensor>) -> Result<(), EvalError> {
        not_constant()
    }

    fn receive(&mut self, _: Channel) -> Result<Vec<Tensor>, EvalError> {
        not_constant()
    }

    fn pack(&mut self, _: Vec<Tensor>) -> Tensor {
        Tensor::scalar_i1(false)
    }

    fn unpack(&self, _: &Tensor) -> Result<Vec<Tensor>, EvalError> {
        not_constant()
    }

    fn next_draw(&mut self) -> u64 {
        0
    }

    fn probe(&mut self, _: &str, _: Tensor) {}

    fn probed(&self, _: &str, _: usize) -> Option<Tensor> {
        None
    }

    fn start(&mut self, _: RegionId, _: Vec<Tensor>) -> Result<Tensor, EvalError> {
        not_constant()
    }

    fn finish(&mut self, _: &Tensor) -> Result<Vec<Tensor>, EvalError> {
        not_constant()
    }

    fn exchange(&mut self, _: &str, _: &[Vec<usize>], _: Vec<Tensor>) -> Result<Vec<Vec<Tensor>>, EvalError> {
        not_constant()
    }
}
