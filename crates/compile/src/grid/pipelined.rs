//! Rows of a grid that are pipelines: their figures.
//!
//! Input: a program, and what a pipeline of it takes. Output: [`GridFigures`]. Model flops and what a step is fed are those
//! of the program, once for all rows.

use meshwright_analyze::{ModelFlops, Roles, model_flops};
use meshwright_cost::op::alone;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{Bytes, ElementClass, Machine, Seconds};
use meshwright_plan::figures::Share;
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

use super::GridFigures;
use crate::attended::WithKernels;
use crate::error::CompileError;
use crate::figures::{cost, throughput};
use crate::options::Options;
use crate::pipeline::PipelinePlan;
use crate::throughput::{Fed, fed};
use crate::transform::flattened;

/// What a group does while it waits for others, or they for it.
const WAITING: &str = "other stages";

/// What all pipelines of a program share.
pub(super) struct Model<'a> {
    machine: &'a Machine,
    /// Products of one step.
    flops: f64,
    /// Peak rate of all devices in the arithmetic of most of them.
    peak: f64,
    fed: Option<Fed>,
}

impl<'a> Model<'a> {
    /// That of a program.
    ///
    /// # Errors
    /// A program that is not of the whole.
    pub(super) fn of(
        program: &Program,
        machine: &'a Machine,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let WithKernels { flat, .. } = WithKernels::of(program, flattened(program)?, machine, options)?;
        let function = &flat.function;
        let roles = Roles::new(function);
        let model = model_flops(function, &roles);
        let class = main_class(function, &model, machine);
        let peak = machine.device.peak_flops(class).0 * machine.num_devices() as f64;
        let fed = fed(function, &roles).filter(|_| model.once > 0.0);
        Ok(Self { machine, flops: model.once, peak, fed })
    }

    /// The figures of a pipeline in which a device spends so long with each kind of work.
    pub(super) fn figures(&self, plan: &PipelinePlan, mut by_kind: Vec<Share>) -> GridFigures {
        let Self { machine, flops, peak, fed } = self;
        let (seconds, devices) = (plan.figures.step(), machine.num_devices() as f64);
        let communication = by_kind.iter().find(|share| share.what == "communication");
        let communication = communication.map_or(Seconds::ZERO, |share| Seconds(share.seconds));
        // What neither computes nor waits for a collective waits for other groups.
        let busy: f64 = by_kind.iter().map(|share| share.seconds).sum();
        by_kind.push(Share { what: WAITING.to_owned(), seconds: (seconds.0 - busy).max(0.0) });
        let fed = fed.as_ref().map(|fed| throughput(fed, seconds.0, devices));
        GridFigures {
            seconds,
            exposed_communication: communication,
            peak: plan.figures.memory().into_iter().max().unwrap_or(Bytes(0)),
            mfu: if seconds.0 > 0.0 { flops / (seconds.0 * peak) } else { 0.0 },
            cost: cost(seconds.0, devices, fed.as_ref(), machine.price_per_device_hour),
            throughput: fed,
            microbatches: plan.microbatches,
            recompute: Some(again(plan)),
            schedule: Some(plan.schedule.name),
            by_kind,
            bubble: plan.figures.bubble(),
        }
    }
}

/// `selective`, or `none, full` where stages differ.
fn again(plan: &PipelinePlan) -> String {
    let mut words: Vec<&str> = Vec::new();
    for own in &plan.again {
        if !words.contains(&own.as_str()) {
            words.push(own);
        }
    }
    words.join(", ")
}

/// The class of arithmetic in which most products run.
fn main_class(function: &Function, model: &ModelFlops, machine: &Machine) -> ElementClass {
    let mut all: BTreeMap<&str, (ElementClass, f64)> = BTreeMap::new();
    for (inst, flops) in &model.products {
        let view = function.body.view(*inst);
        let operands: Vec<Type> = view.operand_types().cloned().collect();
        let results: Vec<Type> = view.result_types().cloned().collect();
        let class = alone(&view.inst.op, &operands, &results).arithmetic(&machine.device).class;
        all.entry(class.name()).or_insert((class, 0.0)).1 += flops;
    }
    let most = all.into_values().max_by(|one, other| one.1.total_cmp(&other.1));
    most.map_or(ElementClass::F32, |(class, _)| class)
}
