//! What is asked of a step whatever becomes of it, and the figures of a pipeline that follow.
//!
//! Input: a function with calls inlined and a machine. Output: [`StepModel`]: operations of the model and what a step is
//! fed; with the seconds of a pipeline [`Figures`], whose parts add up to its step.

use meshwright_analyze::Roles;
use meshwright_analyze::model_flops::{ModelFlops, Product, model_flops};
use meshwright_cost::op::alone;
use meshwright_ir::ids::InstId;
use meshwright_ir::program::Function;
use meshwright_machine::{ElementClass, Machine};
use meshwright_plan::Figures;
use meshwright_plan::figures::{Roofline, Share, StepCost, Throughput};
use meshwright_tensor::types::Type;
use std::collections::{BTreeMap, BTreeSet};

use super::figures::PipelineFigures;
use crate::figures::{beyond_the_model, cost, throughput};
use crate::throughput::{Fed, fed};

/// What a group does while it waits for others, or they for it.
pub(crate) const WAITING: &str = "other stages";

/// What the phases take beside the work of the step as it is written.
const BESIDE: &str = "values made again, and copies between phases";

/// A step of a model on a machine.
pub(crate) struct StepModel<'a> {
    machine: &'a Machine,
    flops: ModelFlops,
    /// The arithmetic in which most products run.
    class: ElementClass,
    fed: Option<Fed>,
}

impl<'a> StepModel<'a> {
    /// That of a function.
    pub(crate) fn of(function: &Function, roles: &Roles, machine: &'a Machine) -> Self {
        let flops = model_flops(function, roles);
        let class = main_class(function, &flops, machine);
        let fed = fed(function, roles).filter(|_| flops.once > 0.0);
        Self { machine, flops, class, fed }
    }

    /// Model flops per second, out of the peak of all devices, of a step that takes so long.
    pub(crate) fn mfu(&self, seconds: f64) -> f64 {
        self.used(self.flops.once, seconds)
    }

    /// Tokens or samples, where there are any.
    pub(crate) fn throughput(&self, seconds: f64) -> Option<Throughput> {
        self.fed.as_ref().map(|fed| throughput(fed, seconds, self.devices()))
    }

    /// Device-hours and money.
    pub(crate) fn cost(&self, seconds: f64) -> StepCost {
        cost(seconds, self.devices(), self.throughput(seconds).as_ref(), self.machine.price_per_device_hour)
    }

    /// The figures of a pipeline that makes these instructions of the step again, and whose devices spend so long with each
    /// kind of work, on average.
    pub(super) fn figures(
        &self,
        pipeline: &PipelineFigures,
        by_kind: Vec<Share>,
        again: &BTreeSet<InstId>,
    ) -> Figures {
        let seconds = pipeline.step().0;
        let products = self.flops.products.iter().filter(|product| again.contains(&product.inst));
        let executed = self.flops.written + products.map(|product| product.written).sum::<f64>();
        let by_kind = self.with_the_rest(by_kind, pipeline);
        let [at_peak, executed_at_peak] =
            [self.flops.once, executed].map(|flops| flops / (self.peak() * self.devices()));
        let of_products = |share: &&Share| share.what.ends_with("products");
        let products: f64 = by_kind.iter().filter(of_products).map(|share| share.seconds).sum();
        let mut waterfall = vec![
            share("model flops at the peak", at_peak),
            beyond_the_model(at_peak, executed_at_peak),
            share("products below the peak rate", products - executed_at_peak),
        ];
        waterfall.retain(|part| part.seconds.abs() > 1e-12 * seconds);
        waterfall.extend(by_kind.iter().filter(|share| !of_products(share)).cloned());
        Figures {
            executed_flops: executed,
            hfu: self.used(executed, seconds),
            waterfall,
            by_kind,
            ..self.of_seconds(seconds)
        }
    }

    /// What follows of the seconds of a step alone: throughput, use of the devices, and cost.
    pub(crate) fn of_seconds(&self, seconds: f64) -> Figures {
        Figures {
            model_flops: self.flops.once,
            model_flops_causal: self.flops.causal(),
            arithmetic: self.class.name().to_owned(),
            peak_flops_per_second: self.peak(),
            mfu: self.mfu(seconds),
            mfu_causal: self.used(self.flops.causal(), seconds),
            throughput: self.throughput(seconds),
            cost: self.cost(seconds),
            roofline: Roofline {
                ridge_flops_per_byte: self.peak() / self.machine.device.memory_bandwidth.0,
                step_flops_per_byte: 0.0,
            },
            ..Figures::default()
        }
    }

    /// Kinds of work with what makes them a whole step: what groups wait, and what phases take beside them.
    fn with_the_rest(&self, mut by_kind: Vec<Share>, pipeline: &PipelineFigures) -> Vec<Share> {
        let seconds = pipeline.step().0;
        let waiting = pipeline.bubble() * seconds;
        let busy: f64 = by_kind.iter().map(|share| share.seconds).sum();
        by_kind.push(share(BESIDE, seconds - waiting - busy));
        by_kind.push(share(WAITING, waiting));
        // What rounding left of a difference is no part.
        by_kind.retain(|share| share.seconds.abs() > 1e-12 * seconds);
        by_kind
    }

    fn devices(&self) -> f64 {
        self.machine.num_devices() as f64
    }

    /// Peak rate of a device in the arithmetic of most products.
    fn peak(&self) -> f64 {
        self.machine.device.peak_flops(self.class).0
    }

    fn used(&self, flops: f64, seconds: f64) -> f64 {
        if seconds > 0.0 { flops / (seconds * self.peak() * self.devices()) } else { 0.0 }
    }
}

fn share(what: &str, seconds: f64) -> Share {
    Share { what: what.to_owned(), seconds }
}

/// The class of arithmetic in which most products run.
fn main_class(function: &Function, model: &ModelFlops, machine: &Machine) -> ElementClass {
    let mut all: BTreeMap<&str, (ElementClass, f64)> = BTreeMap::new();
    for Product { inst, flops, .. } in &model.products {
        let view = function.body.view(*inst);
        let operands: Vec<Type> = view.operand_types().cloned().collect();
        let results: Vec<Type> = view.result_types().cloned().collect();
        let class = alone(&view.inst.op, &operands, &results).arithmetic(&machine.device).class;
        all.entry(class.name()).or_insert((class, 0.0)).1 += flops;
    }
    let most = all.into_values().max_by(|one, other| one.1.total_cmp(&other.1));
    most.map_or(ElementClass::F32, |(class, _)| class)
}
