//! The scan of Mamba-2 in steps of configurations: a call of a platform's kernel, where the machine has one, or written out.
//!
//! Input: the machine, and what is said of kernels. Output: the form in which models write it ([`ScanForm`]), and its name in
//! plans.

use meshwright_ir::kernels::chunk_scan_call::{BACKWARD, FORWARD};
use meshwright_ir::op::Op;
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Platform};
use meshwright_models::ScanForm;

use crate::attended::Kernels;

/// The kernel that GPUs have, by its name in plans: that of the package `mamba_ssm`, written in Triton.
const OF_GPUS: &str = "mamba-ssm";

/// The form in which a step for a machine has its scans.
pub fn scan_form(machine: &Machine, kernels: Kernels) -> ScanForm {
    match (kernels, machine.device.platform) {
        (Kernels::On, Some(Platform::Cuda | Platform::Rocm)) => ScanForm::Kernel,
        _ => ScanForm::WrittenOut,
    }
}

/// Returns whether a program calls the kernel of a scan, or that of its gradients.
pub fn calls_scan(program: &Program) -> bool {
    let is_call =
        |op: &Op| matches!(op, Op::CustomCall(call) if matches!(call.target.as_str(), FORWARD | BACKWARD));
    program.functions.iter().any(|function| function.body.insts.values().any(|inst| is_call(&inst.op)))
}

/// The kernel that a program calls, as plans name it.
pub(crate) fn scan_kernel(program: &Program) -> Option<String> {
    calls_scan(program).then(|| OF_GPUS.to_owned())
}

/// The form of a plan's program.
///
/// # Errors
/// The kernel that the plan names is none that is known.
pub(crate) fn planned_form(kernel: Option<&str>) -> Result<ScanForm, String> {
    match kernel {
        None => Ok(ScanForm::WrittenOut),
        Some(OF_GPUS) => Ok(ScanForm::Kernel),
        Some(other) => Err(format!(
            "the plan runs scans by the kernel `{other}`, which is not known; there is `{OF_GPUS}`"
        )),
    }
}
