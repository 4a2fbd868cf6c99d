//! Peak bytes per device of a function under its shardings.
//!
//! Input: a lowered function ([`crate::lowering`]). Output: a [`Memory`]: the peak, where it is reached, and the largest
//! tensors that are alive there.
//!
//! Liveness over the order of the program (as XLA and other compilers schedule it, or better): a tensor lives from the
//! instruction that makes it to its last reader, in the form (sharding) that is read. Arguments live throughout,
//! unless they are donated (`jax.buffer_donor`, or `tf.aliasing_output` with a result of the same size): those die
//! with their last reader, and the result takes their place. An instruction may write over an operand that it reads
//! for the last time if it makes element from element (elementwise ops, updates in place, a sum over devices). What a
//! loop carries takes over the tensors it starts from, or is one of them if it passes it on; its body's tensors come on top. Fused values
//! ([`crate::fusion`]) take no memory, but keep alive what they are made from. What is started asynchronously has its
//! result's memory from the start, and needs its operands until it is waited for. What lies on the host
//! ([`crate::host`]) is counted apart.

use crate::analysis::Analysis;
use crate::fusion::Role;
use crate::host::in_passing;
use crate::host_link::{Coming, Direction, begun_at, direction, sent_by};
use crate::lowering::{BufferId, Event, Lowering};
use crate::op::LocalTypes;
use meshwright_ir::arguments::Donation;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{Id, InstId, ValueId};
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_ir::op::{Op, OpDef as _};
use meshwright_ir::ops::async_op::Async;
use meshwright_ir::ops::custom_call::{Arrival, CustomCall};
use meshwright_ir::program::{Body, Def, Function, Regions};
use meshwright_ir::rule::FactorKind;
use meshwright_machine::{Bytes, Platform};
use meshwright_plan::Use;
use std::collections::{BTreeMap, BTreeSet, HashMap};

mod added;
mod held;
mod whole;

pub use held::{Held, at_peak, held};
pub use whole::{Life, Lives, lives, peak_of_whole};

/// How many of the largest live tensors are listed.
const NUM_LISTED: usize = 16;

/// The memory that one device needs, and what it needs on its host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    /// The most bytes alive at one time.
    pub peak: Bytes,
    /// The instruction that runs then; `None` if nothing runs.
    pub inst: Option<InstId>,
    /// Where it stands in the source.
    pub span: Span,
    /// The part of the peak that the function's arguments take.
    pub arguments: Bytes,
    /// The rest of it: what the function makes.
    pub temporaries: Bytes,
    /// The most bytes that lie in the memory of the host at one time, which are no part of the peak.
    pub host: Bytes,
    /// The largest tensors of the peak, largest first.
    pub largest: Vec<LiveTensor>,
}

/// A copy of a value in another sharding that is only kept at the peak, for a later reader in the same region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptCopy {
    /// Bytes of one device's shard.
    pub bytes: Bytes,
    /// The group of readers that it is kept for.
    pub group: Use,
}

/// A tensor that is alive at the peak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LiveTensor {
    /// The value; it may be alive in several shardings at once.
    pub value: ValueId,
    /// Bytes of one device's shard.
    pub bytes: Bytes,
    /// Whether it is an argument of the function.
    pub is_argument: bool,
    /// Where its name or the instruction that makes it stands in the source.
    pub span: Span,
}

/// The peak memory of a lowered function.
pub fn memory(lowering: &Lowering<'_>) -> Memory {
    memory_on(lowering, None)
}

/// The same on devices of a platform, if that is known.
pub fn memory_on(lowering: &Lowering<'_>, platform: Option<Platform>) -> Memory {
    let mut sweep = Sweep { platform, ..Sweep::new(lowering) };
    let (peak, at) = sweep.peak();
    sweep.report(peak, at)
}

/// The copies that are only kept at the peak, the largest first.
pub fn kept_copies(lowering: &Lowering<'_>) -> Vec<KeptCopy> {
    let mut sweep = Sweep::new(lowering);
    let (_, at) = sweep.peak();
    at.map_or_else(Vec::new, |at| sweep.kept_copies(at))
}

/// An event after all others.
const NEVER: usize = usize::MAX;

struct Sweep<'a> {
    analysis: &'a Analysis<'a>,
    lowering: &'a Lowering<'a>,
    /// Bytes that each tensor really takes on the device: none for what is fused or shares another's memory.
    bytes: Vec<u64>,
    /// Bytes that each takes on the host.
    on_host: Vec<u64>,
    /// The events that make each tensor and that need it last. What no event makes (values inside reducers) starts
    /// never; arguments are there before the first event.
    start: Vec<usize>,
    last: Vec<usize>,
    /// The event in which another tensor takes its place.
    replaced: Vec<usize>,
    /// What is on its way to the device from an event on, before the one that makes it.
    early: BTreeMap<usize, Vec<BufferId>>,
    platform: Option<Platform>,
}

impl<'a> Sweep<'a> {
    fn new(lowering: &'a Lowering<'a>) -> Self {
        let analysis = lowering.analysis;
        let num_buffers = lowering.buffers.len();
        let is_stored = &analysis.fusion.is_stored;
        let mut bytes: Vec<u64> = lowering.buffers.iter().map(|buffer| buffer.bytes).collect();
        for (value, is_stored) in is_stored.iter() {
            if !is_stored {
                bytes[value.index()] = 0;
            }
        }
        let mut sweep = Self {
            analysis,
            lowering,
            bytes,
            on_host: vec![0; num_buffers],
            start: vec![NEVER; num_buffers],
            last: vec![0; num_buffers],
            replaced: vec![NEVER; num_buffers],
            early: BTreeMap::new(),
            platform: None,
        };
        // What is another name for something that is there, or for such a name.
        let mut named: BTreeSet<BufferId> = BTreeSet::new();
        for event in &lowering.events {
            match event {
                // A collective's result lies in memory even if its readers are fused.
                Event::Reshard(reshard) => {
                    sweep.bytes[reshard.target] = lowering.buffers[reshard.target].bytes;
                }
                Event::Compute { inst, reads, makes } if analysis.fusion.roles[*inst] == Role::Relabels => {
                    let pairs = lowering.buffers_in(reads).iter().zip(lowering.buffers_in(makes));
                    for (source, made) in pairs {
                        let is_there = sweep.bytes[*source] > 0 || named.contains(source);
                        if is_there && *made < is_stored.len() {
                            sweep.bytes[*made] = 0;
                            named.insert(*made);
                        }
                    }
                }
                _ => {}
            }
        }
        sweep.share_what_loops_pass_on();
        sweep.share_what_is_added_in_loops();
        sweep.find_lives();
        sweep.extend_while_in_flight();
        sweep.extend_through_fused();
        sweep.begin_copies_early();
        let passing = in_passing(&analysis.function.body, &analysis.on_host);
        for (value, _) in analysis.on_host.iter().filter(|(_, is_on_host)| **is_on_host) {
            let bytes = std::mem::take(&mut sweep.bytes[value.index()]);
            sweep.on_host[value.index()] = if passing[value] { 0 } else { bytes };
        }
        sweep
    }

    /// The most bytes that lie on the host at one time.
    fn peak_on_host(&mut self) -> u64 {
        if self.on_host.iter().all(|bytes| *bytes == 0) {
            return 0;
        }
        std::mem::swap(&mut self.bytes, &mut self.on_host);
        let replaced = std::mem::replace(&mut self.replaced, vec![NEVER; self.bytes.len()]);
        // What an event takes beside its operands and results lies on the device.
        let platform = self.platform.take();
        let (peak, _) = self.peak();
        (self.replaced, self.platform) = (replaced, platform);
        std::mem::swap(&mut self.bytes, &mut self.on_host);
        peak
    }

    /// What a loop takes and passes on as it is, from turn to turn and to its result, stays where it lies: neither is a tensor
    /// of its own.
    fn share_what_loops_pass_on(&mut self) {
        let body = &self.analysis.function.body;
        for event in &self.lowering.events {
            let Event::Enter { inst, reads, .. } = event else { continue };
            let own = &body.insts[*inst];
            for (index, _) in self.lowering.buffers_in(reads).iter().enumerate() {
                let args = own.regions.iter().filter_map(|region| body.regions[*region].args.get(index));
                let all = args.chain(own.results.get(index)).filter(|_| passes_on(body, *inst, index));
                all.for_each(|value| self.bytes[value.index()] = 0);
            }
        }
    }

    /// First and last events of every tensor, as far as it is read directly.
    fn find_lives(&mut self) {
        // Regions around the event: where they begin, and which tensors from outside they read.
        let mut regions: Vec<(usize, Vec<BufferId>)> = Vec::new();
        self.analysis.function.args().iter().for_each(|arg| self.start[arg.index()] = 0);
        for (at, event) in self.lowering.events.iter().enumerate() {
            let (reads, makes) = self.lowering.accesses(event);
            for made in makes {
                self.start[*made] = at;
                self.last[*made] = at;
            }
            for read in reads {
                self.last[*read] = at;
            }
            // What a loop or a conditional reads it reads in the region around it.
            reads.iter().for_each(|read| note_outside(&mut regions, *read, &self.start));
            match event {
                Event::Enter { .. } => regions.push((at, Vec::new())),
                Event::Leave { .. } => {
                    let Some((_, outside)) = regions.pop() else { continue };
                    for buffer in outside {
                        self.last[buffer] = at;
                        note_outside(&mut regions, buffer, &self.start);
                    }
                }
                Event::Compute { .. } | Event::Reshard(_) => {}
            }
        }
        let function = self.analysis.function;
        for (index, arg) in function.args().iter().enumerate() {
            if !is_donated(function, index, self.lowering) {
                self.last[arg.index()] = NEVER;
            }
        }
    }

    /// What is started is read until it is waited for.
    fn extend_while_in_flight(&mut self) {
        let body = &self.analysis.function.body;
        for event in &self.lowering.events {
            let Event::Compute { inst, reads, makes } = event else { continue };
            if !matches!(body.insts[*inst].op, Op::Async(Async::Start)) {
                continue;
            }
            let waited = self.lowering.buffers_in(makes).iter().map(|made| self.last[*made]).max();
            for source in self.lowering.buffers_in(reads) {
                self.last[*source] = self.last[*source].max(waited.unwrap_or(0));
            }
        }
    }

    /// Copies from the host begin ahead of their readers, and take memory from there on.
    fn begin_copies_early(&mut self) {
        let regions = regions(&self.lowering.events);
        let body = &self.analysis.function.body;
        let mut copies: BTreeMap<usize, Vec<(usize, BufferId, usize)>> = BTreeMap::new();
        // In which region each value is sent to the host, behind how many copies to the device.
        let mut sent: BTreeMap<InstId, (usize, usize)> = BTreeMap::new();
        for (at, event) in self.lowering.events.iter().enumerate() {
            let Event::Compute { inst, makes, .. } = event else { continue };
            let own = copies.entry(regions[at]).or_default();
            match direction(self.analysis, *inst) {
                Some(Direction::ToHost) => _ = sent.insert(*inst, (regions[at], own.len())),
                Some(Direction::ToDevice) => {
                    let by = sent_by(body, *inst).and_then(|by| sent.get(&by));
                    let before = by.filter(|(region, _)| *region == regions[at]).map(|(_, before)| *before);
                    let before = match CustomCall::arrival(&body.insts[*inst].attributes) {
                        Arrival::Late => own.len(),
                        Arrival::Ahead => before.unwrap_or(0),
                    };
                    own.extend(self.lowering.buffers_in(makes).iter().map(|made| (at, *made, before)));
                }
                None => {}
            }
        }
        for copies in copies.values() {
            let coming = |(_, made, before): &(usize, BufferId, usize)| Coming {
                bytes: self.bytes[*made],
                before: *before,
            };
            let coming: Vec<Coming> = copies.iter().map(coming).collect();
            for ((at, made, _), begun) in copies.iter().zip(begun_at(&coming)) {
                let begun = copies[begun].0;
                if begun < *at {
                    self.start[*made] = begun;
                    self.early.entry(begun).or_default().push(*made);
                }
            }
        }
    }

    /// What is fused into a reader is read there, not where it stands; what a loop passes on, until its result is.
    fn extend_through_fused(&mut self) {
        let body = &self.analysis.function.body;
        // Where loops end.
        let mut ends: BTreeMap<InstId, usize> = BTreeMap::new();
        for (at, event) in self.lowering.events.iter().enumerate().rev() {
            match event {
                Event::Leave { inst } => _ = ends.entry(*inst).or_insert(at),
                Event::Enter { inst, reads, .. } => {
                    for (index, source) in self.lowering.buffers_in(reads).iter().enumerate() {
                        if passes_on(body, *inst, index) {
                            let result = self.last[body.insts[*inst].results[index].index()];
                            self.last[*source] = self.last[*source].max(result).max(ends[inst]);
                        }
                    }
                }
                Event::Compute { .. } | Event::Reshard(_) => {}
            }
            let Event::Compute { inst, reads, makes } = event else { continue };
            let (reads, makes) = (self.lowering.buffers_in(reads), self.lowering.buffers_in(makes));
            for (index, made) in makes.iter().enumerate() {
                if self.bytes[*made] > 0 {
                    continue;
                }
                let sources = match self.analysis.fusion.roles[*inst] {
                    Role::Relabels => &reads[index..=index],
                    Role::Fusible | Role::Moves | Role::Ends => reads,
                    Role::Unfused => &[],
                };
                for source in sources {
                    self.last[*source] = self.last[*source].max(self.last[*made]);
                }
            }
        }
    }

    /// The largest sum of live bytes, and the event in which it is reached.
    fn peak(&mut self) -> (u64, Option<usize>) {
        let mut dying: Vec<(usize, BufferId)> = (0..self.bytes.len())
            .filter(|buffer| self.bytes[*buffer] > 0 && self.start[*buffer] != NEVER)
            .filter(|buffer| self.last[*buffer] != NEVER)
            .map(|buffer| (self.last[buffer], buffer))
            .collect();
        dying.sort_unstable();
        let args = self.analysis.function.args();
        let mut live: u64 = args.iter().map(|arg| self.bytes[arg.index()]).sum();
        let (mut peak, mut peak_at) = (live, None);
        let mut next = 0;
        for (at, event) in self.lowering.events.iter().enumerate() {
            let end = next + dying[next..].iter().take_while(|(last, _)| *last == at).count();
            let (reads, makes) = self.lowering.accesses(event);
            live += self.early.get(&at).into_iter().flatten().map(|copy| self.bytes[*copy]).sum::<u64>();
            for (index, made) in makes.iter().enumerate() {
                let bytes = self.bytes[*made];
                if self.start[*made] < at && bytes > 0 {
                    continue;
                }
                let is_free = |old: &BufferId| {
                    bytes > 0
                        && self.bytes[*old] == bytes
                        && self.start[*old] < at.max(1)
                        && self.last[*old] == at
                        && self.replaced[*old] != at
                };
                let place = match event {
                    // What a loop carries takes over what it starts from.
                    Event::Enter { .. } => reads.get(index).copied().filter(is_free),
                    _ => dying[next..end]
                        .iter()
                        .map(|(_, buffer)| *buffer)
                        .filter(is_free)
                        .find(|old| !makes.contains(old) && self.may_replace(event, *old, *made)),
                };
                match place {
                    Some(old) => self.replaced[old] = at,
                    None => live += bytes,
                }
            }
            let there = live + self.scratch(event);
            if there > peak {
                (peak, peak_at) = (there, Some(at));
            }
            for (_, buffer) in &dying[next..end] {
                if self.replaced[*buffer] != at {
                    live -= self.bytes[*buffer];
                }
            }
            next = end;
        }
        (peak, peak_at)
    }

    /// Bytes that an event takes beside operands and results. XLA on CPUs has no convolutions with batch groups, as gradients
    /// of depthwise kernels are: it makes one of all groups with all others, and masks it. Scans keep states while they run.
    fn scratch(&self, event: &Event) -> u64 {
        let Event::Compute { inst, makes, .. } = event else { return 0 };
        let body = &self.analysis.function.body;
        let convolution = match &body.insts[*inst].op {
            Op::Convolution(convolution) => convolution,
            Op::CustomCall(call) => {
                let Lowering { shardings, .. } = self.lowering;
                let mut types = LocalTypes::default();
                types.fill(self.analysis, *inst, &shardings.strategies[*inst], &shardings.mesh);
                return match call.kernel(&types.operands, &types.results) {
                    KernelShape::ChunkScan(scan) => scan.held_bytes(),
                    _ => 0,
                };
            }
            _ => return 0,
        };
        if self.platform != Some(Platform::Cpu) || convolution.batch_groups < 2 {
            return 0;
        }
        let made = self.lowering.buffers_in(makes).first();
        let local = made.map_or(0, |made| self.lowering.buffers[*made].bytes);
        let whole =
            body.insts[*inst].results.iter().map(|value| body.ty(*value).num_bytes() as u64).sum::<u64>();
        let shards = (whole / local.max(1)).max(1);
        // The whole, and what is left of it under the mask.
        2 * local.saturating_mul((convolution.batch_groups as u64).div_ceil(shards))
    }

    /// Whether `made` may be written where `old`, of the same size and read for the last time, lies.
    fn may_replace(&self, event: &Event, old: BufferId, made: BufferId) -> bool {
        match event {
            Event::Leave { .. } | Event::Enter { .. } => false,
            // Only a sum over devices leaves every element where it is.
            Event::Reshard(reshard) => {
                reshard.source == old && reshard.from.dim_axes().eq(reshard.to.dim_axes())
            }
            Event::Compute { inst, reads, makes } => {
                let rule = self.analysis.rule(*inst);
                let moves = |kind| matches!(kind, FactorKind::Permuted | FactorKind::Halo);
                match self.analysis.fusion.roles[*inst] {
                    Role::Fusible | Role::Relabels => true,
                    _ if rule.factors.iter().any(|factor| moves(factor.kind)) => false,
                    Role::Moves | Role::Ends | Role::Unfused => {
                        let result =
                            self.lowering.buffers_in(makes).iter().position(|buffer| *buffer == made);
                        let body = &self.analysis.function.body;
                        let ty = |buffer: BufferId| body.ty(self.lowering.buffers[buffer].value);
                        let reads = self.lowering.buffers_in(reads);
                        reads.iter().zip(&rule.operands).any(|(read, factors)| {
                            *read == old
                                && ty(old) == ty(made)
                                && result.is_some_and(|result| rule.results[result] == *factors)
                        })
                    }
                }
            }
        }
    }

    /// The copies that no event reads at `now`, or in the loop of their region in which it is, and the next one that does.
    fn kept_copies(&self, now: usize) -> Vec<KeptCopy> {
        let (events, body) = (&self.lowering.events, &self.analysis.function.body);
        let regions = regions(events);
        let is_kept = |buffer: &BufferId| {
            self.bytes[*buffer] > 0 && self.start[*buffer] < now && now < self.last[*buffer]
        };
        let mut by_region: BTreeMap<usize, Vec<BufferId>> = BTreeMap::new();
        for buffer in (body.values.len()..self.lowering.buffers.len()).filter(is_kept) {
            by_region.entry(regions[self.start[buffer]]).or_default().push(buffer);
        }
        let mut found = Vec::new();
        for (region, buffers) in by_region {
            let is_there = |at: &usize| regions[*at] == region;
            let Some(begin) = (0..=now).rev().find(is_there) else { continue };
            let Some(end) = (now..events.len()).find(is_there) else { continue };
            // The first event from there on that reads each buffer.
            let mut next: HashMap<BufferId, usize> = HashMap::new();
            for at in begin..events.len() {
                for read in self.lowering.accesses(&events[at]).0 {
                    next.entry(*read).or_insert(at);
                }
            }
            for buffer in buffers {
                let Some(at) = next.get(&buffer).copied() else { continue };
                let (Event::Compute { inst, .. } | Event::Enter { inst, .. }) = &events[at] else { continue };
                if at > end && regions[at] == region {
                    let group = Use { reader: *inst, value: self.lowering.buffers[buffer].value };
                    // What a reducer reads from around it is no use of its own.
                    if !body.insts[*inst].operands.contains(&group.value) {
                        continue;
                    }
                    found.push(KeptCopy { bytes: Bytes(self.bytes[buffer]), group });
                }
            }
        }
        found.sort_by_key(|copy| (std::cmp::Reverse(copy.bytes), copy.group));
        found
    }

    fn report(&mut self, peak: u64, at: Option<usize>) -> Memory {
        let function = self.analysis.function;
        let body = &function.body;
        let now = at.unwrap_or(0);
        let mut live: Vec<LiveTensor> = Vec::new();
        for (buffer, info) in self.lowering.buffers.iter().enumerate() {
            let is_argument = buffer < body.values.len() && function.argument_index(info.value).is_some();
            let is_alive = if at.is_none() {
                is_argument
            } else {
                self.start[buffer] <= now && now <= self.last[buffer] && self.replaced[buffer] > now
            };
            if is_alive && self.bytes[buffer] > 0 {
                let bytes = Bytes(self.bytes[buffer]);
                live.push(LiveTensor {
                    value: info.value,
                    bytes,
                    is_argument,
                    span: span_of(body, info.value),
                });
            }
        }
        let scratch = at.map_or(0, |at| self.scratch(&self.lowering.events[at]));
        debug_assert_eq!(live.iter().map(|tensor| tensor.bytes.0).sum::<u64>() + scratch, peak);
        let of_arguments = live.iter().filter(|tensor| tensor.is_argument);
        let arguments: Bytes = of_arguments.map(|tensor| tensor.bytes).sum();
        live.sort_by_key(|tensor| (std::cmp::Reverse(tensor.bytes), tensor.value));
        live.truncate(NUM_LISTED);
        let inst = at.map(|at| self.lowering.events[at].inst());
        Memory {
            peak: Bytes(peak),
            inst,
            span: inst.map_or(Span::NONE, |inst| body.insts[inst].span),
            arguments,
            temporaries: Bytes(peak - arguments.0),
            host: Bytes(self.peak_on_host()),
            largest: live,
        }
    }
}

/// A number of the region in which each event is; where a region begins and ends is outside it.
fn regions(events: &[Event]) -> Vec<usize> {
    let (mut around, mut found) = (vec![0], Vec::with_capacity(events.len()));
    for (at, event) in events.iter().enumerate() {
        if matches!(event, Event::Leave { .. }) {
            around.pop();
        }
        found.push(around.last().copied().unwrap_or(0));
        if matches!(event, Event::Enter { .. }) {
            around.push(at + 1);
        }
    }
    found
}

/// A tensor from outside a region is needed until the region has run for the last time.
fn note_outside(regions: &mut [(usize, Vec<BufferId>)], buffer: BufferId, start: &[usize]) {
    if let Some((begin, outside)) = regions.last_mut()
        && start[buffer] < *begin
    {
        outside.push(buffer);
    }
}

/// Whether a loop gives back what it takes at this place, in every turn.
fn passes_on(body: &Body, inst: InstId, index: usize) -> bool {
    let view = body.view(inst);
    let Some(turn) = view.inst.regions.last().filter(|_| view.regions() == Regions::Loop) else {
        return false;
    };
    let returned = view.returned(view.inst.regions.len() - 1).get(index);
    returned.is_some_and(|value| body.regions[*turn].args.get(index) == Some(value))
}

/// Whether the function may write over argument `index`: it is donated, and a result it is tied to has its size.
fn is_donated(function: &Function, index: usize, lowering: &Lowering<'_>) -> bool {
    let result = match function.donation(index) {
        Donation::Kept => return false,
        Donation::ToAny => return true,
        Donation::ToResult(result) => result,
    };
    let Some(Event::Compute { reads, .. }) = lowering.events.last() else {
        return false;
    };
    let bytes = |buffer: BufferId| lowering.buffers[buffer].bytes;
    let argument = function.args()[index].index();
    lowering.buffers_in(reads).get(result).is_some_and(|result| bytes(*result) == bytes(argument))
}

fn span_of(body: &Body, value: ValueId) -> Span {
    let info = &body.values[value];
    match info.def {
        Def::Result(inst, _) if !info.span.is_some() => body.insts[inst].span,
        _ => info.span,
    }
}
