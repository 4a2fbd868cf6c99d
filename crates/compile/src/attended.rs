//! Attention as calls of a platform's kernel, where the machine has one.
//!
//! Input: the flat program, the machine and what the options say of kernels. Output: the program with the calls, and what
//! became of each attention that it writes out, for the plan.

use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Platform};
use meshwright_plan::Names;
use meshwright_plan::plan_file::{AttentionForm, PlanAttention, PlanAttentions, PlanFile};
use meshwright_transform::Flat;
use meshwright_transform::attention::{Attended, Found, Recognized, Takes, attention};
use std::str::FromStr;

use crate::error::CompileError;
use crate::from_plan::{kernel_of_others, no_such_kernel};
use crate::global::names_in;
use crate::options::Options;
use crate::scanned::calls_scan;

/// Kernels of the platform in place of what the program writes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Kernels {
    /// Those that the machine has.
    #[default]
    On,
    /// None: the program as it is written.
    Off,
}

impl FromStr for Kernels {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim() {
            "on" => Ok(Self::On),
            "off" => Ok(Self::Off),
            other => Err(format!("`{other}` says nothing of kernels; write `on` or `off`")),
        }
    }
}

/// A flat program with its attentions as calls.
pub(crate) struct WithKernels {
    /// The program that is worked on.
    pub(crate) flat: Flat,
    /// What became of each attention; none if the machine has no kernel for it, or nothing attends.
    pub(crate) attention: Option<PlanAttention>,
}

impl WithKernels {
    /// Makes attentions calls as the options or their plan say.
    ///
    /// # Errors
    /// [`CompileError::Plan`]: a kernel that is not known.
    pub(crate) fn of(
        original: &Program,
        flat: Flat,
        machine: &Machine,
        options: &Options,
    ) -> Result<Self, CompileError> {
        Ok(Self::with(takes(machine, options)?, original, flat))
    }

    /// Makes attentions calls as a plan says.
    ///
    /// # Errors
    /// [`CompileError::Plan`]: a kernel that is not known.
    pub(crate) fn of_plan(original: &Program, flat: Flat, plan: &PlanFile) -> Result<Self, CompileError> {
        Ok(Self::with(planned(plan)?, original, flat))
    }

    fn with(takes: Option<&'static Takes>, original: &Program, flat: Flat) -> Self {
        let Some(takes) = takes else { return Self { flat, attention: None } };
        let Attended { made, found } = attention(&flat.function, takes);
        let names = || names_in(original, &flat.function, &flat.origins);
        let attention = (!found.is_empty()).then(|| described(takes, &found, &flat, &names()));
        let flat = match made {
            Some(made) => Flat::of_made(&flat, made),
            None => flat,
        };
        Self { flat, attention }
    }
}

/// A program that calls a kernel of a machine.
#[derive(Clone, Debug)]
pub struct CallingKernels {
    /// The program.
    pub program: Program,
    /// Why attentions stay written out: a reason for each of them.
    pub left: Vec<String>,
}

/// A program of one function with its attentions as calls of the machine's kernel; `None` if the machine has none, and
/// nothing else is a call of one.
pub fn with_kernels(program: &Program, machine: &Machine) -> Option<CallingKernels> {
    let Some(takes) = takes_of(machine) else {
        return calls_scan(program).then(|| CallingKernels { program: program.clone(), left: Vec::new() });
    };
    let Attended { made, found } = attention(program.main()?, takes);
    let left = found.iter().filter_map(|found| found.outcome.as_ref().err()).map(ToString::to_string);
    Some(CallingKernels {
        program: made.map_or_else(|| program.clone(), |made| program.with_only(made.function)),
        left: left.collect(),
    })
}

/// The kernel that a plan names, or else that of the machine.
fn takes(machine: &Machine, options: &Options) -> Result<Option<&'static Takes>, CompileError> {
    if let Some(plan) = &options.plan {
        let wanted = planned(plan)?;
        let runs_calls = !matches!(machine.device.platform, None | Some(Platform::Cpu));
        return match (wanted, takes_of(machine)) {
            (Some(wanted), Some(own)) if own.is_called_as(wanted) => Ok(Some(wanted)),
            (Some(wanted), own) if runs_calls => {
                let own = own.map_or("no kernel of attention".to_owned(), |own| format!("`{}`", own.id));
                Err(kernel_of_others(plan, (wanted.id, &own), &machine.name))
            }
            // The reference runs.
            _ => Ok(wanted),
        };
    }
    if options.kernels == Kernels::Off {
        return Ok(None);
    }
    Ok(takes_of(machine))
}

fn takes_of(machine: &Machine) -> Option<&'static Takes> {
    let of_cuda = machine.device.compute_capability.and_then(|found| Takes::of_cuda(found.major));
    let is_npu = machine.device.platform == Some(Platform::Npu);
    of_cuda.or(is_npu.then_some(&Takes::NPU))
}

fn planned(plan: &PlanFile) -> Result<Option<&'static Takes>, CompileError> {
    let Some(PlanAttention { kernel, .. }) = &plan.attention else { return Ok(None) };
    match Takes::by_id(kernel) {
        Some(takes) => Ok(Some(takes)),
        None => Err(no_such_kernel(plan, kernel, &Takes::ALL.map(|takes| takes.id))),
    }
}

/// What became of attentions, those alike together.
fn described(takes: &Takes, found: &[Found], flat: &Flat, names: &Names) -> PlanAttention {
    let mut groups: Vec<PlanAttentions> = Vec::new();
    for Found { exponential, outcome } in found {
        let (form, reason) = match outcome {
            Ok(Recognized::Forward) => (AttentionForm::Forward, String::new()),
            Ok(Recognized::WithGradient) => (AttentionForm::WithGradient, String::new()),
            Ok(Recognized::Again) => (AttentionForm::Again, String::new()),
            Err(reason) => (AttentionForm::WrittenOut, reason.to_string()),
        };
        match groups.iter_mut().find(|group| group.form == form && group.reason == reason) {
            Some(group) => group.count += 1,
            None => {
                let result = flat.function.body.insts[*exponential].results[0];
                let first = names.of_value(result).to_owned();
                groups.push(PlanAttentions { count: 1, form, reason, first });
            }
        }
    }
    PlanAttention { kernel: takes.id.to_owned(), found: groups }
}
