//! What the time of a local program is made of, instruction by instruction.
//!
//! Input: a local program (after its passes, before devices are numbered) and where its mesh lies. Output: an
//! [`Account`]: for each kind of local work what it takes at the device's peak, at the rate that is reached, waiting for
//! memory and being launched; for each kind of collective and its axes how long it is in flight and how much of that the
//! device computes meanwhile. The step takes the sum: [`Account::seconds`]. The prices are those that the passes weigh
//! ([`crate::optimize`]), and what stands in a loop counts as often as it runs.

use crate::facts::LocalFacts;
use crate::optimize::{Times, collective_of};
use meshwright_analyze::model_flops::is_product;
use meshwright_cost::collective::Collective;
use meshwright_cost::groups::axes_of;
use meshwright_cost::host_link::{Direction, HostLink, beginning, direction};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId};
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::op::Op;
use meshwright_ir::ops::async_op::Async;
use meshwright_ir::program::{Body, InstView, Regions};
use meshwright_machine::{ElementClass, Seconds};
use meshwright_plan::{DeviceProgram, Placement};
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

/// A kind of local work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LocalWork {
    /// Matrix products and convolutions, in arithmetic of one class.
    Products(ElementClass),
    /// Products between tokens, in arithmetic of one class.
    Attention(ElementClass),
    /// What computes element by element, and what sums elements up.
    Elementwise,
    /// What only moves data: gathers, slices, copies.
    Movement,
}

impl LocalWork {
    /// The class of arithmetic of products.
    pub fn product_class(self) -> Option<ElementClass> {
        match self {
            Self::Products(class) | Self::Attention(class) => Some(class),
            Self::Elementwise | Self::Movement => None,
        }
    }
}

/// Time, arithmetic and traffic of one kind of local work on one device in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Its arithmetic.
    pub flops: f64,
    /// Bytes read from and written to memory.
    pub bytes: f64,
    /// Seconds of its arithmetic at the device's peak rate.
    pub at_peak: f64,
    /// Seconds of its arithmetic at the rate that is reached.
    pub arithmetic: f64,
    /// Seconds more that reads and writes take.
    pub waiting: f64,
    /// Seconds of launches.
    pub launches: f64,
    /// Seconds, without launches, of those instructions that memory keeps busier than arithmetic.
    pub memory_bound: f64,
}

impl Spent {
    /// Seconds that it takes.
    pub fn seconds(&self) -> f64 {
        self.arithmetic + self.waiting + self.launches
    }

    /// Adds a part of other work of the kind; a negative part takes it away.
    pub fn add(&mut self, other: &Self, part: f64) {
        self.flops += part * other.flops;
        self.bytes += part * other.bytes;
        self.at_peak += part * other.at_peak;
        self.arithmetic += part * other.arithmetic;
        self.waiting += part * other.waiting;
        self.launches += part * other.launches;
        self.memory_bound += part * other.memory_bound;
    }
}

/// Facts about places in the source of a program.
pub struct Places<'a> {
    /// Whether what stands there is attention.
    pub is_attention: &'a dyn Fn(Span) -> bool,
    /// The part of the instructions of a name there that a plan makes again for the backward pass.
    pub again: &'a dyn Fn(Span, &str) -> f64,
}

impl Places<'_> {
    /// Nothing is known of any place.
    pub const UNKNOWN: Places<'static> = Places { is_attention: &|_| false, again: &|_, _| 0.0 };
}

/// Time of collectives of one kind along the same axes in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InFlight {
    /// Seconds in which they are in flight.
    pub seconds: f64,
    /// Seconds of those in which the device computes.
    pub overlapped: f64,
}

impl InFlight {
    /// Seconds in which the device waits for them.
    pub fn exposed(&self) -> f64 {
        self.seconds - self.overlapped
    }
}

/// Costs of the instructions that were made for one place of the source on one device in one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OfPlace {
    /// Operations of products.
    pub product_flops: f64,
    /// Seconds of local work.
    pub work: f64,
    /// Seconds in which the device waits for collectives.
    pub exposed: f64,
    /// Bytes that collectives send.
    pub sent_bytes: f64,
}

/// Time of one step on one device, by kind of work.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Account {
    /// Local work, by kind.
    pub work: BTreeMap<LocalWork, Spent>,
    /// The part of it that makes values again for the backward pass, as a plan decided.
    pub again: BTreeMap<LocalWork, Spent>,
    /// The part of it by which loops over microbatches and tiles put together what their turns make.
    pub put_together: BTreeMap<LocalWork, Spent>,
    /// Collectives, by the axes along which their groups extend, and by kind.
    pub sent: BTreeMap<(AxisSet, Collective), InFlight>,
    /// Copies between the device and its host.
    pub moved: InFlight,
    /// All but these copies, by start and end of the place in the source.
    pub places: BTreeMap<[u32; 2], OfPlace>,
}

impl Account {
    /// Of a local program, with what is known of places in its source.
    pub fn new(device: &DeviceProgram, placement: &Placement, places: &Places<'_>) -> Self {
        let Some(main) = device.program.main() else { return Self::default() };
        let times = Times::new(main, placement);
        let facts = LocalFacts::new(&main.body, &placement.mesh);
        let (account, link) = (Self::default(), HostLink::default());
        let mut walk = Walk { times: &times, facts, placement, places, is_in_loop: false, account, link };
        walk.region(&main.body, main.body.entry(), 1);
        let (seconds, waited) = walk.link.finish();
        Self { moved: InFlight { seconds, overlapped: seconds - waited }, ..walk.account }
    }

    /// Seconds in which the device works.
    pub fn compute(&self) -> Seconds {
        Seconds(self.work.values().map(Spent::seconds).sum())
    }

    /// Seconds in which collectives and copies between device and host are in flight, one after the other.
    pub fn communication(&self) -> Seconds {
        Seconds(self.sent.values().map(|sent| sent.seconds).sum::<f64>() + self.moved.seconds)
    }

    /// Seconds of those in which the device works.
    pub fn overlapped(&self) -> Seconds {
        Seconds(self.sent.values().map(|sent| sent.overlapped).sum::<f64>() + self.moved.overlapped)
    }

    fn place(&mut self, span: Span) -> &mut OfPlace {
        self.places.entry([span.start, span.end]).or_default()
    }

    /// Time of the step.
    pub fn seconds(&self) -> Seconds {
        self.compute() + self.communication() - self.overlapped()
    }
}

struct Walk<'a> {
    times: &'a Times<'a>,
    facts: LocalFacts<'a>,
    placement: &'a Placement,
    places: &'a Places<'a>,
    /// Whether what is looked at stands in a loop.
    is_in_loop: bool,
    account: Account,
    link: HostLink,
}

impl Walk<'_> {
    fn region(&mut self, body: &Body, region: RegionId, runs: u64) {
        let overlapped = self.times.hidden_in(region);
        let beginning = self.beginning(body, region);
        for id in &body.regions[region].insts {
            let view = body.view(*id);
            for copy in beginning.get(id).into_iter().flatten() {
                self.link.bring(body.insts[*copy].results[0], self.copy_seconds(*copy, runs));
            }
            self.link.read(&view.inst.operands);
            let in_flight = collective_of(&view, &self.facts, self.placement);
            match (&view.inst.op, in_flight) {
                (Op::Async(Async::Done), _) => {}
                (op, Some((kind, axes))) => {
                    let axes = axes.unwrap_or_else(|| axes_of(op, &self.placement.mesh));
                    let seconds = self.times.in_flight(*id, kind, axes);
                    let hidden = overlapped.get(id).copied().unwrap_or(0.0);
                    let sent = self.account.sent.entry((axes, kind)).or_default();
                    sent.seconds += seconds * runs as f64;
                    sent.overlapped += hidden * runs as f64;
                    let held: usize = view.operand_types().map(Type::num_bytes).sum();
                    let members = self.placement.mesh.set_size(axes);
                    let place = self.account.place(view.inst.span);
                    place.exposed += (seconds - hidden) * runs as f64;
                    place.sent_bytes += kind.ring_factor(members as f64) * held as f64 * runs as f64;
                    self.link.work((seconds - hidden) * runs as f64);
                }
                (op, None) if op.is_collective() => {}
                _ if view.regions() != Regions::OfElements => {
                    let turns = self.times.turns(*id);
                    self.link.enter_loop(turns);
                    let is_around = std::mem::replace(&mut self.is_in_loop, true);
                    for inner in &view.inst.regions {
                        self.region(body, *inner, runs.saturating_mul(turns));
                    }
                    self.is_in_loop = is_around;
                    self.link.leave_loop();
                }
                _ if self.is_copy(*id) => match direction(self.times.analysis(), *id) {
                    Some(Direction::ToHost) => self.link.send(self.copy_seconds(*id, runs)),
                    Some(Direction::ToDevice) | None => {}
                },
                _ => self.work(*id, &view, runs),
            }
        }
    }

    /// The copies from the host that begin in front of each instruction of a region, where the link is known.
    fn beginning(&self, body: &Body, region: RegionId) -> BTreeMap<InstId, Vec<InstId>> {
        if self.placement.machine.device.host.is_none() {
            return BTreeMap::new();
        }
        let bytes = |inst: InstId| body.ty(body.insts[inst].results[0]).num_bytes() as u64;
        beginning(self.times.analysis(), region, &bytes)
    }

    /// Whether an instruction keeps the link to the host busy.
    fn is_copy(&self, id: InstId) -> bool {
        self.times.work(id).on_host_link(&self.placement.machine.device).is_some()
    }

    /// Seconds of a copy between device and host, all its runs together.
    fn copy_seconds(&self, id: InstId, runs: u64) -> f64 {
        self.times.work(id).seconds(&self.placement.machine.device).0 * runs as f64
    }

    fn work(&mut self, id: InstId, view: &InstView<'_>, runs: u64) {
        let device = &self.placement.machine.device;
        let work = self.times.work(id);
        let (parts, arithmetic) = (work.parts(device), work.arithmetic(device));
        let kind = if is_product(&view.inst.op, self.times.rule(id)) && work.flops.0 > 0.0 {
            let is_kernel = matches!(work.kernel, KernelShape::Attention(_) | KernelShape::ChunkScan(_));
            let is_attention = is_kernel || (self.places.is_attention)(view.inst.span);
            if is_attention {
                LocalWork::Attention(arithmetic.class)
            } else {
                LocalWork::Products(arithmetic.class)
            }
        } else if work.flops.0 > 0.0 {
            LocalWork::Elementwise
        } else {
            LocalWork::Movement
        };
        let runs = runs as f64;
        self.link.work((parts.arithmetic.max(parts.memory) + parts.launch).0 * runs);
        let is_memory_bound = parts.memory > parts.arithmetic;
        let own = Spent {
            flops: work.flops.0 * runs,
            bytes: work.bytes * runs,
            at_peak: (work.flops / arithmetic.peak(device)).0 * runs,
            arithmetic: parts.arithmetic.0 * runs,
            waiting: (parts.memory.0 - parts.arithmetic.0).max(0.0) * runs,
            launches: parts.launch.0 * runs,
            memory_bound: if is_memory_bound { parts.memory.0 * runs } else { 0.0 },
        };
        self.account.work.entry(kind).or_default().add(&own, 1.0);
        let place = self.account.place(view.inst.span);
        place.work += own.seconds();
        place.product_flops += if kind.product_class().is_some() { own.flops } else { 0.0 };
        let again = (self.places.again)(view.inst.span, view.inst.op.name());
        if again > 0.0 {
            self.account.again.entry(kind).or_default().add(&own, again);
        }
        // What stands for nothing in the source is what `transform::microbatch` added.
        if self.is_in_loop && view.inst.span == Span::NONE {
            self.account.put_together.entry(kind).or_default().add(&own, 1.0);
        }
    }
}
