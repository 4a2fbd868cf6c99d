//! The figures of a plan: use of the machine, where the time goes, what takes memory, throughput and cost.
//!
//! Input: the function, what it was recognized as, and the account of the local program that is handed out. Output:
//! [`Figures`]; `docs/plan.md` defines each of them. The parts of the waterfall, added up in order, are the step time.

use meshwright_analyze::{Contents, ModelFlops, Roles};
use meshwright_cost::analysis::Analysis;
use meshwright_cost::collective::Prices;
use meshwright_cost::lowering::Lowering;
use meshwright_cost::memory::held;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{ElementClass, Seconds};
use meshwright_plan::figures::{MemoryPart, ProcessGroups, Roofline, Share, StepCost, Throughput};
use meshwright_plan::{Figures, Placement, Shardings};
use meshwright_spmd::{Account, LocalWork, Spent};
use std::collections::BTreeMap;

use crate::by_block::by_block;
use crate::throughput::{Fed, fed};

/// What waiting for copies between devices and their hosts is called.
const OFFLOAD: &str = "offload: copies from and to the host";

/// What making values again for the backward pass is called, where the plan decided it.
const AGAIN: &str = "recomputation: values made again for the backward pass";

/// What putting together is called what the turns of loops over microbatches and tiles make.
const PUT_TOGETHER: &str = "loops: results of microbatches and tiles put together";

/// What figures are worked out from.
pub(crate) struct Facts<'a> {
    /// The program as it was read.
    pub(crate) original: &'a Program,
    pub(crate) function: &'a Function,
    pub(crate) roles: &'a Roles,
    pub(crate) analysis: &'a Analysis<'a>,
    pub(crate) shardings: &'a Shardings,
    pub(crate) placement: &'a Placement,
    pub(crate) model: &'a ModelFlops,
    pub(crate) account: &'a Account,
    /// Seconds in which arguments and results go from and to other devices.
    pub(crate) border: Seconds,
    /// Seconds in which what lies on drives comes and goes.
    pub(crate) drives: Seconds,
    /// Examples of all microbatches, where the step is cut into some.
    pub(crate) examples: Option<usize>,
}

/// The figures, and the step time that their waterfall adds up to.
pub(crate) fn figures(facts: &Facts<'_>) -> (Figures, Seconds) {
    let (figures, seconds) = of_time(facts);
    let (memory, process_groups) = (memory(facts), process_groups(facts.placement));
    (Figures { by_block: by_block(facts), memory, process_groups, ..figures }, seconds)
}

/// The same without what takes memory, without blocks, and without groups of devices.
pub(crate) fn of_time(facts: &Facts<'_>) -> (Figures, Seconds) {
    let Facts { placement, model, account, .. } = facts;
    let device = &placement.machine.device;
    let num_devices = placement.mesh.num_devices() as f64;
    let class = main_class(account);
    let peak = device.peak_flops(class).0;
    let products: f64 = of_products(account).map(|spent| spent.flops).sum();
    let waterfall = waterfall(facts, peak);
    let seconds: f64 = waterfall.iter().map(|part| part.seconds).sum();
    let used = |flops: f64| if seconds > 0.0 { flops / (seconds * peak * num_devices) } else { 0.0 };
    let fed = fed(facts.function, facts.roles).filter(|_| model.once > 0.0);
    let fed = fed.map(|fed| facts.examples.map_or(fed.clone(), |examples| fed.of_all(examples as u64)));
    let throughput = fed.map(|fed| throughput(&fed, seconds, num_devices));
    let work = || account.work.values();
    let (flops, bytes): (f64, f64) =
        (work().map(|spent| spent.flops).sum(), work().map(|spent| spent.bytes).sum());
    let figures = Figures {
        model_flops: model.once,
        model_flops_causal: model.causal(),
        executed_flops: products * num_devices,
        arithmetic: class.name().to_owned(),
        peak_flops_per_second: peak,
        mfu: used(model.once),
        mfu_causal: used(model.causal()),
        hfu: used(products * num_devices),
        cost: cost(seconds, num_devices, throughput.as_ref(), placement.machine.price_per_device_hour),
        throughput,
        waterfall,
        by_kind: by_kind(facts),
        bound_by: bound_by(facts),
        by_block: Vec::new(),
        roofline: Roofline {
            ridge_flops_per_byte: peak / device.memory_bandwidth.0,
            step_flops_per_byte: if bytes > 0.0 { flops / bytes } else { 0.0 },
        },
        memory: Vec::new(),
        process_groups: Vec::new(),
    };
    (figures, Seconds(seconds))
}

fn of_products(account: &Account) -> impl Iterator<Item = &Spent> {
    account.work.iter().filter(|(kind, _)| kind.product_class().is_some()).map(|(_, spent)| spent)
}

/// The class of arithmetic in which most products run.
fn main_class(account: &Account) -> ElementClass {
    let mut most = (ElementClass::F32, 0.0);
    for kind in account.work.keys() {
        if let Some(class) = kind.product_class() {
            let same = account.work.iter().filter(|(other, _)| other.product_class() == Some(class));
            let flops: f64 = same.map(|(_, spent)| spent.flops).sum();
            if flops > most.1 {
                most = (class, flops);
            }
        }
    }
    most.0
}

/// Products that are no part of the model's.
const BEYOND: &str = "products computed again, by several devices, or padded";

/// The model's that kernels leave out, as what is masked in a causal attention or a scan; less than nothing.
const LEFT_OUT: &str = "masked products that kernels leave out";

/// From what the model takes at the peak of all devices to the step.
fn waterfall(facts: &Facts<'_>, peak: f64) -> Vec<Share> {
    let Facts { placement, model, account, .. } = facts;
    let model_flops = model.once / placement.mesh.num_devices() as f64;
    let asides = [&account.again, &account.put_together];
    let own = |kind: &LocalWork, spent: &Spent| {
        let mut own = *spent;
        asides.iter().filter_map(|aside| aside.get(kind)).for_each(|aside| own.add(aside, -1.0));
        own
    };
    let work: BTreeMap<LocalWork, Spent> =
        account.work.iter().map(|(kind, spent)| (*kind, own(kind, spent))).collect();
    let is_product = |kind: &LocalWork| kind.product_class().is_some();
    let of = |part: fn(&Spent) -> f64| -> f64 {
        work.iter().filter(|(kind, _)| is_product(kind)).map(|(_, spent)| part(spent)).sum()
    };
    let local = |kind: LocalWork| work.get(&kind).map_or(0.0, |spent| spent.arithmetic + spent.waiting);
    let products = of(|spent| spent.flops);
    let aside = |aside: &BTreeMap<LocalWork, Spent>| aside.values().map(Spent::seconds).sum::<f64>();
    let at_peak = of(|spent| spent.at_peak);
    let mut parts = vec![
        share("model flops at the peak", model_flops / peak),
        beyond_the_model(model_flops / peak, products / peak),
        share("products in other arithmetic", at_peak - products / peak),
        share("products below the peak rate", of(|spent| spent.arithmetic) - at_peak),
        share("products waiting for memory", of(|spent| spent.waiting)),
        share("element-wise operations", local(LocalWork::Elementwise)),
        share("data movement", local(LocalWork::Movement)),
        share("launches", work.values().map(|spent| spent.launches).sum()),
        share(AGAIN, aside(&account.again)),
        share(PUT_TOGETHER, aside(&account.put_together)),
    ];
    for ((axes, kind), sent) in &account.sent {
        parts.push(share(&format!("{} over {}", kind.name(), named(*axes, placement)), sent.exposed()));
    }
    parts.push(share(OFFLOAD, account.moved.exposed()));
    parts.push(share("arguments and results to other devices", facts.border.0));
    // Drives are busy all along the step.
    let busy: f64 = parts.iter().map(|part| part.seconds).sum();
    parts.push(share("offload: waiting for drives", (facts.drives.0 - busy).max(0.0)));
    // What rounding left of a difference is no part.
    let step: f64 = parts.iter().map(|part| part.seconds).sum();
    parts.retain(|part| part.seconds.abs() > 1e-12 * step);
    parts
}

/// What takes more, or less, than the model at the peak, by the seconds of both.
pub(crate) fn beyond_the_model(model: f64, products: f64) -> Share {
    share(if products < model { LEFT_OUT } else { BEYOND }, products - model)
}

fn share(what: &str, seconds: f64) -> Share {
    Share { what: what.to_owned(), seconds }
}

/// `data+model`.
fn named(axes: AxisSet, placement: &Placement) -> String {
    let axes: Vec<_> = axes.iter().collect();
    placement.mesh.describe(&axes).join("+")
}

/// Seconds by class of op, and by the axes of collectives.
fn by_kind(facts: &Facts<'_>) -> Vec<Share> {
    let Facts { placement, account, .. } = facts;
    let of = |wanted: fn(LocalWork) -> bool| -> f64 {
        account.work.iter().filter(|(kind, _)| wanted(**kind)).map(|(_, spent)| spent.seconds()).sum()
    };
    let mut parts = vec![
        share("matrix products", of(|kind| matches!(kind, LocalWork::Products(_)))),
        share("attention products", of(|kind| matches!(kind, LocalWork::Attention(_)))),
        share("element-wise operations", of(|kind| kind == LocalWork::Elementwise)),
        share("data movement", of(|kind| kind == LocalWork::Movement)),
    ];
    let mut all: Vec<AxisSet> = account.sent.keys().map(|(axes, _)| *axes).collect();
    all.dedup();
    for axes in all {
        let same = account.sent.iter().filter(|((other, _), _)| *other == axes);
        let exposed = same.map(|(_, sent)| sent.exposed()).sum();
        parts.push(share(&format!("communication over {}", named(axes, placement)), exposed));
    }
    parts.push(share(OFFLOAD, account.moved.exposed()));
    parts.push(share("arguments and results to other devices", facts.border.0));
    parts.retain(|part| part.seconds > 0.0);
    parts
}

/// Seconds by what has to get faster.
fn bound_by(facts: &Facts<'_>) -> Vec<Share> {
    let Facts { placement, account, .. } = facts;
    let work = || account.work.values();
    let memory: f64 = work().map(|spent| spent.memory_bound).sum();
    let busy: f64 = work().map(|spent| spent.arithmetic + spent.waiting).sum();
    let mut parts = vec![
        share("compute", (busy - memory).max(0.0)),
        share("memory", memory),
        share("launches", work().map(|spent| spent.launches).sum()),
    ];
    let prices = Prices::new(placement);
    let levels = placement.machine.levels();
    for (index, level) in levels.iter().enumerate() {
        let crossing =
            account.sent.iter().filter(|((axes, _), _)| prices.outermost_level(*axes).unwrap_or(0) == index);
        let exposed: f64 = crossing.map(|(_, sent)| sent.exposed()).sum();
        let border = if index + 1 == levels.len() { facts.border.0 } else { 0.0 };
        parts.push(share(&format!("{} links", level.name), exposed + border));
    }
    parts.push(share("host links", account.moved.exposed()));
    parts.retain(|part| part.seconds > 0.0);
    parts
}

/// The rates of what a step is fed.
pub(crate) fn throughput(fed: &Fed, seconds: f64, num_devices: f64) -> Throughput {
    let per_second = if seconds > 0.0 { fed.units as f64 / seconds } else { 0.0 };
    Throughput {
        unit: fed.unit.to_owned(),
        samples_per_step: fed.samples,
        per_step: fed.units,
        per_second,
        per_second_and_device: per_second / num_devices,
    }
}

/// The cost of a step on so many devices.
pub(crate) fn cost(seconds: f64, num_devices: f64, fed: Option<&Throughput>, price: Option<f64>) -> StepCost {
    let hours = seconds * num_devices / 3600.0;
    let per_billion = fed.filter(|fed| fed.per_step > 0).map(|fed| hours * (1e9 / fed.per_step as f64));
    StepCost {
        device_hours_per_step: hours,
        device_hours_per_billion: per_billion,
        dollars_per_step: price.map(|price| price * hours),
        dollars_per_billion: price.zip(per_billion).map(|(price, hours)| price * hours),
    }
}

fn memory(facts: &Facts<'_>) -> Vec<MemoryPart> {
    let contents = Contents::new(facts.function, facts.roles);
    let held = held(&Lowering::new(facts.analysis, facts.shardings), facts.placement, &contents);
    let part = |held: &meshwright_cost::memory::Held| MemoryPart {
        what: held.content.name().to_owned(),
        peak_bytes: held.at_peak.0,
        mean_bytes: held.mean.0,
    };
    held.iter().map(part).collect()
}

/// The groups along each axis of more than one device.
fn process_groups(placement: &Placement) -> Vec<ProcessGroups> {
    let mesh = &placement.mesh;
    let axes = mesh.axes().iter().enumerate().filter(|(_, axis)| axis.size > 1);
    axes.map(|(number, axis)| {
        let pieces = mesh.pieces(number);
        let crossings = placement.crossings(&pieces);
        let groups = mesh.groups(&pieces);
        let first: Vec<usize> = groups
            .first()
            .map_or_else(Vec::new, |group| group.iter().map(|place| mesh.device_at(*place)).collect());
        let is_in_order = mesh.device_ids().is_empty();
        ProcessGroups {
            axis: axis.name.clone(),
            size: axis.size,
            count: groups.len(),
            stride: pieces.last().filter(|_| is_in_order).map(|last| mesh.stride(*last)),
            links: crossings.iter().rev().map(|crossing| crossing.level.name.clone()).collect(),
            first,
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_of_a_billion_tokens_is_that_of_its_device_hours() {
        let fed = Throughput { per_step: 1_000_000, ..Throughput::default() };
        let found = cost(36.0, 100.0, Some(&fed), Some(2.0));
        assert!((found.device_hours_per_step - 1.0).abs() < 1e-12);
        assert!((found.device_hours_per_billion.unwrap() - 1000.0).abs() < 1e-9);
        assert!((found.dollars_per_billion.unwrap() - 2000.0).abs() < 1e-9);
        assert_eq!(cost(36.0, 100.0, None, None).dollars_per_step, None);
    }
}
