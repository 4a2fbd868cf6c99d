//! The third phase: the program of one device.
//!
//! Input: [`Chosen`]. Output: [`Lowered`]: the local program behind all passes, what they changed, and what its time is
//! made of. What does not fit is not lowered.

use meshwright_analyze::{ModelFlops, Recognized, recognize};
use meshwright_cost::Memory;
use meshwright_ir::control::ToTheEnd;
use meshwright_ir::diagnostic::Span;
use meshwright_plan::{DeviceProgram, Placement};
use meshwright_spmd::optimize::{Target, as_run};
use meshwright_spmd::{Account, Places};

use crate::collective_stats;
use crate::decided::Chosen;
use crate::does_not_fit::{DoesNotFit, HostShortage};
use crate::driver::Request;
use crate::error::CompileError;
use crate::global::Global;
use crate::transform::{Proof, lower, numbered};

/// What XLA combines is said as if a pass had done it.
pub(crate) const BY_XLA: &str = "XLA itself";

/// The local program and what was found out about it.
pub(crate) struct Lowered {
    pub(crate) device: DeviceProgram,
    pub(crate) placement: Placement,
    pub(crate) recognized: Recognized,
    pub(crate) model: ModelFlops,
    pub(crate) account: Account,
    pub(crate) passes: collective_stats::Passes,
    /// The local program as it is to be checked, where that is left for later.
    pub(crate) unproved: Option<Box<DeviceProgram>>,
}

impl Lowered {
    /// Partitions what was chosen, which is so much work.
    ///
    /// # Errors
    /// [`CompileError::DoesNotFit`]; a stage after which to stop.
    pub(crate) fn of(
        request: &Request<'_>,
        global: &Global,
        chosen: &Chosen,
        model: ModelFlops,
        proof: Proof,
    ) -> Result<Self, CompileError> {
        let Request { options, stages, .. } = request;
        let control = &ToTheEnd(request.control);
        let Chosen { function, shardings, .. } = chosen;
        let recognized = recognize(function, &global.roles, shardings);
        must_fit(request, global, chosen, &recognized)?;
        let placement = chosen.placement(request);
        let target = Some(Target {
            placement: &placement,
            memory_limit: request.memory_limit(),
            collectives: options.collectives,
            ids: options.ids,
        });
        let mut passes = collective_stats::Passes::default();
        let mut watch = |stage: &'static str, device: &DeviceProgram| passes.see(stage, device);
        let program = &global.program;
        let watch = &mut watch;
        let device = lower(program, function, shardings, target, options, stages, control, watch, proof)?;
        let unproved = (proof == Proof::Later).then(|| Box::new(device.clone()));
        let is_attention = |span: Span| model.attention_spans.contains(&span);
        let run = as_run(&device, target);
        passes.see(BY_XLA, &run);
        let again = |span: Span, name: &str| global.again_parts.at(span, name);
        let places = Places { is_attention: &is_attention, again: &again };
        let account = Account::new(&run, &placement, &places);
        let device = numbered(device, function, global.orders.clone(), options, stages, control)?;
        Ok(Self { device, placement, recognized, model, account, passes, unproved })
    }
}

/// Returns whether devices and hosts have the memory.
pub(crate) fn fits(request: &Request<'_>, memory: &Memory) -> bool {
    memory.peak <= request.memory_limit() && HostShortage::of(memory, request.machine).is_none()
}

fn must_fit(
    request: &Request<'_>,
    global: &Global,
    chosen: &Chosen,
    recognized: &Recognized,
) -> Result<(), CompileError> {
    let (memory, limit) = (&chosen.estimate.memory, request.memory_limit());
    let shortage = HostShortage::of(memory, request.machine);
    if memory.peak <= limit && shortage.is_none() {
        return Ok(());
    }
    let (is_searched, mesh) = (chosen.searched.is_some(), chosen.mesh().to_string());
    let parts = recognized.parts.clone();
    let mut problem =
        DoesNotFit::new(&chosen.function, &global.roles, memory, limit, is_searched, mesh, parts);
    problem.bound = chosen.searched.as_ref().and_then(|searched| searched.bound_of_fitting);
    if let Some(shortage) = shortage.filter(|_| memory.peak <= limit) {
        problem = problem.on_host(shortage);
    } else if request.options.given_memory_limit().is_none() {
        problem.tell_of_headroom(&request.machine.device);
    }
    Err(CompileError::DoesNotFit(Box::new(problem)))
}
