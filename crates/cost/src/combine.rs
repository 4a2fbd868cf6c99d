//! Small collectives that become one: the overhead is paid once per bucket.
//!
//! The pass `combine-collectives` makes one collective of those of one kind over the same groups; predictions count on it,
//! so that three hundred small sums cost what the few that are left of them do. What both go by is here: how large a bucket
//! grows ([`enough`]), and what may wait for it ([`can_wait`]).
//!
//! `Buckets` follows the lowering of a plan. A collective joins the open bucket of its kind if nothing that cannot wait has
//! read a result of it; a gather also if its operand was there before the bucket's first member.

use crate::collective::{Collective, collective_cost};
use crate::curves::moving;
use crate::lowering::BufferId;
use crate::reshard::Step;
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::op::Op;
use meshwright_ir::program::{InstView, Regions};
use meshwright_machine::Seconds;
use meshwright_plan::Placement;
use meshwright_tensor::types::ElementType;
use rustc_hash::FxHashMap;

/// The overhead's share of the time of a bucket that grows no further.
pub const OVERHEAD_SHARE: f64 = 0.2;

/// Bytes of a bucket whose transfer takes so much longer than the overhead that more of them gain nothing; `None` if a
/// member of so many `bytes` gains nothing by itself.
pub fn enough(kind: Collective, axes: AxisSet, bytes: f64, placement: &Placement) -> Option<f64> {
    if is_single(kind) {
        return None;
    }
    let cost = collective_cost(kind, axes, placement);
    let pays = copying(kind, axes, bytes, placement) < cost.fixed;
    let seconds = cost.fixed * ((1.0 - OVERHEAD_SHARE) / OVERHEAD_SHARE);
    cost.bandwidth.bytes_in(seconds).filter(|_| pays)
}

/// Whether collectives of a kind are never combined.
fn is_single(kind: Collective) -> bool {
    matches!(kind, Collective::AllToAll | Collective::CollectivePermute)
}

/// Returns whether the collective of a reshard step may be combined with others: what is gathered lies behind one another, so
/// that only gathers along the outermost dim are; what is scattered is laid so.
pub fn combines(step: &Step) -> bool {
    let is_outer = !matches!(step, Step::AllGather { dim: 1.., .. });
    is_outer && Collective::of(step).is_some_and(|kind| !is_single(kind))
}

/// Seconds to lay a member of a bucket beside the others: what is scattered is read and written, and the own shard cut
/// apart. The other kinds take several operands.
pub fn copying(kind: Collective, axes: AxisSet, bytes: f64, placement: &Placement) -> Seconds {
    if kind != Collective::ReduceScatter {
        return Seconds::ZERO;
    }
    let moved = 2.0 * bytes * (1.0 + 1.0 / placement.mesh.set_size(axes) as f64);
    moving(moved, &placement.machine.device)
}

/// Returns whether a gather is worth laying beside others, each read and written before and behind it: that takes less
/// than the overhead.
pub fn joining_pays(axes: AxisSet, bytes: f64, placement: &Placement) -> bool {
    let moved = 2.0 * bytes * (1.0 + placement.mesh.set_size(axes) as f64);
    moving(moved, &placement.machine.device) < collective_cost(Collective::AllGather, axes, placement).fixed
}

/// Returns whether an instruction may run later than it stands: it computes elements one by one, moves them, or adds
/// them up.
pub fn can_wait(view: &InstView<'_>) -> bool {
    let moves = matches!(
        view.inst.op,
        Op::BroadcastInDim(_)
            | Op::Convert(_)
            | Op::Reduce(_)
            | Op::Reshape(_)
            | Op::Slice(_)
            | Op::Transpose(_)
    );
    view.regions() == Regions::OfElements
        && !view.inst.results.is_empty()
        && !view.inst.op.is_collective()
        && !view.inst.op.has_side_effects()
        && (moves || view.inst.op.is_elementwise())
}

/// A collective of a lowering.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sent {
    pub(crate) kind: Collective,
    pub(crate) axes: AxisSet,
    pub(crate) element: ElementType,
    /// Bytes that a device holds before it.
    pub(crate) bytes: f64,
    /// See [`combines`].
    pub(crate) combines: bool,
}

/// Buckets along a lowering.
#[derive(Default)]
pub(crate) struct Buckets {
    open: FxHashMap<(Collective, AxisSet, ElementType), Bucket>,
    /// Of each bucket by number, whether something has read what it gives.
    is_read: Vec<bool>,
    /// The unread buckets that each buffer is made from, and when it was made.
    made_from: FxHashMap<BufferId, Vec<usize>>,
    made_at: FxHashMap<BufferId, usize>,
    now: usize,
}

struct Bucket {
    number: usize,
    bytes: f64,
    begun: usize,
}

impl Buckets {
    /// An instruction runs.
    pub(crate) fn compute(&mut self, waits: bool, reads: &[BufferId], makes: &[BufferId]) {
        self.now += 1;
        if waits {
            let from = self.from(reads);
            makes.iter().for_each(|made| self.made(*made, from.clone()));
        } else {
            self.read(reads);
            makes.iter().for_each(|made| self.made(*made, Vec::new()));
        }
    }

    /// A region begins or ends: nothing joins what stands outside.
    pub(crate) fn boundary(&mut self) {
        self.now += 1;
        self.is_read.fill(true);
        self.open.clear();
    }

    /// A value is brought to another sharding by some collectives in turn. Returns the seconds that each shares.
    pub(crate) fn send(
        &mut self,
        (source, target): (BufferId, BufferId),
        steps: &[Sent],
        placement: &Placement,
    ) -> Vec<Seconds> {
        self.now += 1;
        if steps.is_empty() {
            let from = self.from(&[source]);
            self.made(target, from);
            return Vec::new();
        }
        self.read(&[source]);
        let there_since = self.made_at.get(&source).copied().unwrap_or(0);
        let mut shared = Vec::with_capacity(steps.len());
        for (index, sent) in steps.iter().enumerate() {
            let is_there = (index == 0).then_some(there_since);
            let (number, seconds) = self.join(sent, is_there, placement);
            // What a further step reads can wait for nothing.
            let is_last = index + 1 == steps.len();
            number.filter(|_| !is_last).into_iter().for_each(|number| self.is_read[number] = true);
            if is_last {
                self.made(target, number.into_iter().collect());
            }
            shared.push(seconds);
        }
        shared
    }

    /// The bucket of a collective and what it saves; `there_since`: when its operand was made.
    fn join(
        &mut self,
        sent: &Sent,
        there_since: Option<usize>,
        placement: &Placement,
    ) -> (Option<usize>, Seconds) {
        let enough = enough(sent.kind, sent.axes, sent.bytes, placement).filter(|_| sent.combines);
        let Some(enough) = enough else { return (None, Seconds::ZERO) };
        let key = (sent.kind, sent.axes, sent.element);
        if let Some(bucket) = self.open.get_mut(&key) {
            let is_early = sent.kind == Collective::AllGather
                && there_since.is_some_and(|there_since| there_since < bucket.begun);
            if bucket.bytes + sent.bytes <= enough && (is_early || !self.is_read[bucket.number]) {
                bucket.bytes += sent.bytes;
                let fixed = collective_cost(sent.kind, sent.axes, placement).fixed;
                let saved = fixed - copying(sent.kind, sent.axes, sent.bytes, placement);
                return (Some(bucket.number), saved);
            }
        }
        let number = self.is_read.len();
        self.is_read.push(false);
        self.open.insert(key, Bucket { number, bytes: sent.bytes, begun: self.now });
        (Some(number), Seconds::ZERO)
    }

    fn from(&self, buffers: &[BufferId]) -> Vec<usize> {
        let known = buffers.iter().filter_map(|buffer| self.made_from.get(buffer)).flatten();
        let mut from: Vec<usize> = known.copied().filter(|number| !self.is_read[*number]).collect();
        from.sort_unstable();
        from.dedup();
        from
    }

    fn made(&mut self, buffer: BufferId, from: Vec<usize>) {
        self.made_at.insert(buffer, self.now);
        if !from.is_empty() {
            self.made_from.insert(buffer, from);
        }
    }

    fn read(&mut self, buffers: &[BufferId]) {
        for number in self.from(buffers) {
            self.is_read[number] = true;
        }
    }
}
