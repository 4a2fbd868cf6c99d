//! What is known of the kernels that `stablehlo.custom_call` runs: how they partition, what they compute.
//!
//! Each file is a family of kernels. Adding one means a file and an entry in `KERNELS`.

mod attention;
pub mod attention_call;
mod attention_eval;
mod attention_vjp;
mod chunk_scan;
pub mod chunk_scan_call;
mod chunk_scan_eval;
mod doubles;
mod factorize;
mod linear_algebra;
mod linear_algebra_vjp;

use crate::kernel_shape::KernelShape;
use crate::ops::custom_call::CustomCall;
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::types::{TensorType, Type};
use meshwright_tensor::{Precision, Tensor};

/// A family of kernels.
pub trait Kernel: Sync {
    /// Whether calls of `target` run it.
    fn runs(&self, target: &str) -> bool;

    /// The sharding rule of a call; `None` if its operands and results are not those that the kernel has.
    fn rule(&self, call: &CustomCall, view: &InstView<'_>) -> Option<ShardingRule>;

    /// The call on local operands, where its configuration holds sizes. Default: it holds none.
    fn localized(&self, call: &CustomCall, operands: &[Type], results: &[Type]) -> CustomCall {
        let _ = (operands, results);
        call.clone()
    }

    /// Floating-point operations of a call.
    fn flops(&self, call: &CustomCall, operands: &[Type], results: &[Type]) -> f64;

    /// Bytes that a call reads and writes, where that is not each of its operands and results once.
    fn bytes(&self, call: &CustomCall, operands: &[Type], results: &[Type]) -> Option<f64> {
        let _ = (call, operands, results);
        None
    }

    /// What kind of work a call is, and its sizes. Default: work of its own kind.
    fn shape(&self, call: &CustomCall, operands: &[Type], results: &[Type]) -> KernelShape {
        let _ = (call, operands, results);
        KernelShape::Other
    }

    /// Writes down the backward pass of a call, as [`OpDef::vjp`](crate::op::OpDef::vjp) does. Default: it has none.
    fn vjp(&self, call: &CustomCall, v: &mut Vjp<'_>) -> Differentiated {
        let _ = v;
        none_because(format!("calls `@{}`, which has no derivative", call.target))
    }

    /// What a call computes; `None` if there is no reference for it.
    fn reference(&self, call: &CustomCall, view: &InstView<'_>) -> Option<Reference>;
}

/// Computes what a kernel computes from inputs that fit the operand types.
pub type Reference = Box<dyn Fn(&[Tensor], Precision) -> Result<Vec<Tensor>, EvalError>>;

/// All that are known.
const KERNELS: &[&dyn Kernel] =
    &[&attention::Attention, &chunk_scan::ChunkScan, &linear_algebra::LinearAlgebra];

/// The kernel that calls of `target` run, if it is known.
pub fn kernel(target: &str) -> Option<&'static dyn Kernel> {
    KERNELS.iter().copied().find(|kernel| kernel.runs(target))
}

/// Operands and results of a call, if all are tensors.
fn tensors<'v>(view: &'v InstView<'_>) -> Option<(Vec<&'v TensorType>, Vec<&'v TensorType>)> {
    let operands = view.operand_types().map(Type::as_tensor).collect::<Option<Vec<_>>>()?;
    let results = view.result_types().map(Type::as_tensor).collect::<Option<Vec<_>>>()?;
    Some((operands, results))
}
