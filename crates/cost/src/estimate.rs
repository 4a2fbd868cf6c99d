//! What one run of a function is predicted to cost on one device.
//!
//! Input: a lowered function ([`crate::lowering`]), and where the mesh lies. Output: an [`Estimate`]: seconds of compute
//! and of communication (one after the other: nothing is taken to overlap), the collectives by kind, the peak memory,
//! and what the prediction rests on. It prices the events that the partitioner emits, before communication passes make
//! it cheaper, but for overheads that small collectives share (module `combine`); what stands in a loop counts as often as
//! the loop runs.

use crate::analysis::{Analysis, Assumption};
use crate::collective::{Collective, Prices, changed_axes};
use crate::combine::{Buckets, Sent, can_wait, combines};
use crate::lowering::{Event, Lowering, Reshard};
use crate::memory::{Memory, memory_on};
use crate::op::{LocalTypes, work};
use crate::op_collectives::op_collectives;
use crate::reshard::{self, Layout, Step};
use meshwright_ir::ids::InstId;
use meshwright_ir::op::Op;
use meshwright_ir::program::Regions;
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::Sharding;
use meshwright_machine::{Machine, Seconds};
use meshwright_plan::Placement;
use meshwright_tensor::types::{ElementType, TensorType};
use rustc_hash::FxHashMap;

/// A prediction.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Seconds of local ops, slices of reshards included.
    pub compute: Seconds,
    /// Seconds of collectives.
    pub communication: Seconds,
    /// One entry per kind that occurs, in the order of [`Collective::ALL`].
    pub collectives: Vec<CollectiveTotal>,
    /// Seconds of the collectives that cross each level of the machine and none outside it.
    pub levels: Vec<Seconds>,
    /// The memory that a device needs.
    pub memory: Memory,
    /// Whether the machine's figures were measured on the machine itself.
    pub is_calibrated: bool,
    /// What the machine's file says of how far these figures were from what was measured.
    pub calibration: Option<String>,
    /// What had to be assumed of the program.
    pub assumptions: Vec<Assumption>,
}

impl Estimate {
    /// Compute and communication, one after the other.
    pub fn total(&self) -> Seconds {
        self.compute + self.communication
    }
}

/// All collectives of one kind in one run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CollectiveTotal {
    /// The kind.
    pub kind: Collective,
    /// How many run.
    pub count: u64,
    /// Bytes of their results on one device.
    pub result_bytes: f64,
    /// Bytes that one device sends; see [`Layout::ring_bytes`].
    pub ring_bytes: f64,
    /// How long they take.
    pub seconds: Seconds,
}

/// Predicts one run of a lowered function; `placement` is of the same mesh.
pub fn estimate(lowering: &Lowering<'_>, placement: &Placement) -> Estimate {
    let (compute, totals) = priced(lowering, placement, &mut |_, _| {});
    Estimate {
        compute: compute + totals.slices,
        communication: totals.by_kind.iter().map(|total| total.seconds).sum(),
        levels: totals.by_level,
        collectives: totals.by_kind.into_iter().filter(|total| total.count > 0).collect(),
        memory: memory_on(lowering, placement.machine.device.platform),
        is_calibrated: placement.machine.calibrated,
        calibration: said_of_calibration(&placement.machine),
        assumptions: lowering.analysis.assumptions.clone(),
    }
}

/// Tells of each event of a lowering what it takes, in all turns of the loops around it.
pub fn each_event(lowering: &Lowering<'_>, placement: &Placement, tell: &mut dyn FnMut(&Event, Took)) {
    priced(lowering, placement, &mut |at, took| tell(&lowering.events[at], took));
}

/// Price of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Took {
    /// Seconds in all.
    pub seconds: Seconds,
    /// Those of them in collectives.
    pub sent: Seconds,
}

impl Took {
    const NOTHING: Self = Self { seconds: Seconds::ZERO, sent: Seconds::ZERO };

    fn times(self, turns: u64) -> Self {
        Self { seconds: self.seconds * turns as f64, sent: self.sent * turns as f64 }
    }
}

/// Seconds of a lowering that is one of so many alike in one program, of which each joins the others' collectives where one
/// could be made of them.
pub fn seconds_among(lowering: &Lowering<'_>, placement: &Placement, count: u64) -> Seconds {
    let mut pricing = Pricing::new(lowering, placement);
    let (last, body) = lowering.events.split_last().expect("a function returns");
    let mut of_next = || body.iter().map(|event| pricing.event(event).seconds).sum::<Seconds>();
    let first = of_next();
    let more = if count > 1 { of_next() * (count - 1) as f64 } else { Seconds::ZERO };
    Seconds((first + more).0 / count as f64) + pricing.event(last).seconds
}

/// The seconds of a lowering: of local ops, and of all reshards. `each` is told those of every event, all turns of the
/// loops around it together.
pub(crate) fn priced<'p>(
    lowering: &Lowering<'_>,
    placement: &'p Placement,
    each: &mut dyn FnMut(usize, Took),
) -> (Seconds, Totals<'p>) {
    let mut pricing = Pricing::new(lowering, placement);
    for (at, event) in lowering.events.iter().enumerate() {
        let took = pricing.event(event);
        each(at, took);
    }
    (pricing.compute, pricing.totals)
}

/// What the events so far take.
struct Pricing<'l, 'p> {
    lowering: &'l Lowering<'l>,
    placement: &'p Placement,
    prices: Prices<'p>,
    /// Of local ops, slices of reshards left out.
    compute: Seconds,
    totals: Totals<'p>,
    /// How often the regions around the next event run in all, the innermost last; the function's own once.
    turns: Vec<u64>,
    /// How many each buffer stands for, where instructions stand for others.
    copies: Option<Vec<u64>>,
    buckets: Buckets,
    /// One turn of an instruction of a class with a strategy: its own seconds, and its exchanges.
    ops: FxHashMap<(usize, &'l Strategy), (Seconds, Totals<'p>)>,
    reshards: FxHashMap<ReshardKey<'l>, Moved<'p>>,
    types: LocalTypes,
}

impl<'l, 'p> Pricing<'l, 'p> {
    fn new(lowering: &'l Lowering<'l>, placement: &'p Placement) -> Self {
        Self {
            lowering,
            placement,
            prices: Prices::new(placement),
            compute: Seconds::ZERO,
            totals: Totals::new(placement),
            turns: vec![1],
            copies: copies(lowering),
            buckets: Buckets::default(),
            ops: FxHashMap::default(),
            reshards: FxHashMap::default(),
            types: LocalTypes::default(),
        }
    }

    /// What the next event takes, all turns together.
    fn event(&mut self, event: &'l Event) -> Took {
        let around = self.turns.last().copied().unwrap_or(1);
        let turns = around.saturating_mul(self.stands_for(event));
        let took = match event {
            Event::Enter { inst, .. } => {
                self.buckets.boundary();
                self.turns.push(around.saturating_mul(self.lowering.analysis.trip_counts[*inst]));
                Took::NOTHING
            }
            Event::Leave { .. } => {
                self.buckets.boundary();
                self.turns.pop();
                Took::NOTHING
            }
            Event::Compute { inst, .. } => {
                let waits = can_wait(&self.lowering.analysis.function.body.view(*inst));
                let (reads, makes) = self.lowering.accesses(event);
                self.buckets.compute(waits, reads, makes);
                self.op(*inst, turns)
            }
            Event::Reshard(reshard) => self.reshard(reshard, turns),
        };
        took.times(turns)
    }

    /// How many an event stands for; a copy of a value for as many as the reader that stands for most.
    fn stands_for(&self, event: &Event) -> u64 {
        match event {
            Event::Reshard(reshard) if !self.lowering.is_kept(reshard.target) => match &self.copies {
                Some(copies) => copies[reshard.target],
                None => 1,
            },
            _ => self.lowering.analysis.stands_for[event.inst()],
        }
    }

    /// One turn of an instruction; a loop costs what its regions do.
    fn op(&mut self, inst: InstId, turns: u64) -> Took {
        let Lowering { analysis, shardings, .. } = *self.lowering;
        if analysis.regions[inst] != Regions::OfElements {
            return Took::NOTHING;
        }
        let strategy = &shardings.strategies[inst];
        let (prices, types, placement) = (&mut self.prices, &mut self.types, self.placement);
        let (seconds, sent) = self.ops.entry((analysis.class_number(inst), strategy)).or_insert_with(|| {
            types.fill(analysis, inst, strategy, &shardings.mesh);
            let work = work(analysis, inst, &types.operands, &types.results);
            let mut sent = Totals::new(placement);
            let view = analysis.function.body.view(inst);
            for exchange in op_collectives(view, analysis.rule(inst), strategy, &shardings.mesh) {
                let seconds = prices.collective(exchange.kind, exchange.axes).seconds(exchange.bytes);
                let level = prices.outermost_level(exchange.axes);
                sent.add_one(exchange.kind, (exchange.result_bytes, exchange.ring_bytes), seconds, level);
            }
            (work.seconds(&placement.machine.device), sent)
        });
        self.compute += *seconds * turns as f64;
        self.totals.add(sent, turns);
        let sent = sent.seconds();
        Took { seconds: *seconds + sent, sent }
    }

    /// One turn of a change of sharding, without what its collectives share with others.
    fn reshard(&mut self, reshard: &'l Reshard, turns: u64) -> Took {
        let Reshard { from, to, source, target, .. } = reshard;
        let value = self.lowering.buffers[*source].value;
        let Some(tensor) = self.lowering.analysis.function.body.ty(value).as_tensor() else {
            return Took::NOTHING;
        };
        let (prices, placement) = (&mut self.prices, self.placement);
        let key = (from, to, tensor.shape.as_slice(), tensor.element);
        let moved = self.reshards.entry(key).or_insert_with(|| {
            let mut totals = Totals::new(placement);
            let sent = totals.reshard(from, to, tensor, prices);
            Moved { totals, sent }
        });
        self.totals.add(&moved.totals, turns);
        let shared = self.buckets.send((*source, *target), &moved.sent, placement);
        let mut seconds = moved.totals.seconds();
        for (sent, shared) in moved.sent.iter().zip(shared) {
            self.totals.share(sent, prices.outermost_level(sent.axes), shared * turns as f64);
            seconds = seconds - shared;
        }
        Took { seconds, sent: seconds - moved.totals.slices }
    }
}

/// How many each buffer stands for: as many as the reader that stands for most; none where each instruction stands for itself.
fn copies(lowering: &Lowering<'_>) -> Option<Vec<u64>> {
    let Lowering { analysis, buffers, .. } = lowering;
    let stands_for_others = |count: &u64| *count != 1;
    let mut all = analysis.stands_for.values().chain(analysis.carried_for.values());
    if !all.any(stands_for_others) {
        return None;
    }
    let mut copies = vec![0; buffers.len()];
    for event in &lowering.events {
        if matches!(event, Event::Reshard(_)) {
            continue;
        }
        let inst = event.inst();
        let hands_on = hands_on(analysis, inst);
        for buffer in lowering.accesses(event).0 {
            let value = buffers[*buffer].value;
            let own = if hands_on { analysis.carried_for[value] } else { analysis.stands_for[inst] };
            copies[*buffer] = own.max(copies[*buffer]);
        }
    }
    Some(copies)
}

/// Whether an instruction takes values for others to read: a loop, or a return.
fn hands_on(analysis: &Analysis<'_>, inst: InstId) -> bool {
    let is_last = || matches!(analysis.function.body.insts[inst].op, Op::Return(_));
    analysis.regions[inst] == Regions::Loop || is_last()
}

/// The first line of a calibrated machine's note.
fn said_of_calibration(machine: &Machine) -> Option<String> {
    let line = machine.note.lines().next().filter(|_| machine.calibrated)?;
    (!line.trim().is_empty()).then(|| line.trim().to_owned())
}

/// From, to, global shape, element.
type ReshardKey<'t> = (&'t Sharding, &'t Sharding, &'t [usize], ElementType);

/// What a reshard costs, and its collectives in turn.
struct Moved<'a> {
    totals: Totals<'a>,
    sent: Vec<Sent>,
}

/// What reshards and exchanges take.
pub(crate) struct Totals<'a> {
    placement: &'a Placement,
    by_kind: [CollectiveTotal; Collective::ALL.len()],
    by_level: Vec<Seconds>,
    slices: Seconds,
}

impl<'a> Totals<'a> {
    fn new(placement: &'a Placement) -> Self {
        let by_kind = Collective::ALL.map(|kind| CollectiveTotal {
            kind,
            count: 0,
            result_bytes: 0.0,
            ring_bytes: 0.0,
            seconds: Seconds::ZERO,
        });
        let by_level = vec![Seconds::ZERO; placement.machine.levels().len()];
        Self { placement, by_kind, by_level, slices: Seconds::ZERO }
    }

    /// Of all kinds together, slices included.
    fn seconds(&self) -> Seconds {
        self.slices + self.by_kind.iter().map(|total| total.seconds).sum()
    }

    /// Adds the steps of one reshard of a value of the global type `tensor`; returns its collectives.
    fn reshard(
        &mut self,
        from: &Sharding,
        to: &Sharding,
        tensor: &TensorType,
        prices: &mut Prices<'_>,
    ) -> Vec<Sent> {
        let mesh = &self.placement.mesh;
        let (shape, element) = (tensor.shape.as_slice(), tensor.element);
        let mut state = Layout::new(from, shape, mesh);
        let mut all = Vec::new();
        for step in reshard::steps(from, to, shape, mesh) {
            let seconds = prices.step(&step, &state, element);
            let bytes = state.local_bytes(element, mesh);
            let ring = state.ring_bytes(&step, element, mesh);
            let axes = match &step {
                Step::Permute { dims } => changed_axes(&state.sharding, dims),
                _ => step.axes().iter().collect(),
            };
            state.apply(&step);
            match Collective::of(&step) {
                None => self.slices += seconds,
                Some(kind) => {
                    let level = prices.outermost_level(axes);
                    self.add_one(kind, (state.local_bytes(element, mesh), ring), seconds, level);
                    all.push(Sent { kind, axes, element, bytes, combines: combines(&step) });
                }
            }
        }
        all
    }

    /// Takes off what a collective need not take since it shares it.
    fn share(&mut self, sent: &Sent, level: Option<usize>, seconds: Seconds) {
        let off = |total: &mut Seconds| *total = *total - seconds;
        level.and_then(|level| self.by_level.get_mut(level)).into_iter().for_each(off);
        off(&mut self.by_kind[sent.kind as usize].seconds);
    }

    fn add_one(
        &mut self,
        kind: Collective,
        (result_bytes, ring_bytes): (f64, f64),
        seconds: Seconds,
        level: Option<usize>,
    ) {
        if let Some(of_level) = level.and_then(|level| self.by_level.get_mut(level)) {
            *of_level += seconds;
        }
        let total = &mut self.by_kind[kind as usize];
        total.count += 1;
        total.result_bytes += result_bytes;
        total.ring_bytes += ring_bytes;
        total.seconds += seconds;
    }

    /// Adds `other`, `times` times.
    fn add(&mut self, other: &Totals<'_>, times: u64) {
        let factor = times as f64;
        self.slices += other.slices * factor;
        for (own, more) in self.by_level.iter_mut().zip(&other.by_level) {
            *own += *more * factor;
        }
        for (total, more) in self.by_kind.iter_mut().zip(&other.by_kind) {
            total.count = total.count.saturating_add(more.count.saturating_mul(times));
            total.result_bytes += more.result_bytes * factor;
            total.ring_bytes += more.ring_bytes * factor;
            total.seconds += more.seconds * factor;
        }
    }
}
