//! The layer of a loop over layers as a segment.
//!
//! Input: a pair of loops, and its line: the forward body followed by the backward body. Output: a [`Segment`] that runs
//! as often as the loops do. Its values are those that are stacked, or that could be.
//!
//! - What the loop carries from layer to layer is there in the forward pass, and kept if anything that runs again reads it:
//!   it counts as made by the loop itself, which never runs twice.
//! - What is read from stacks of parameters or follows from the counter is there in both bodies.
//! - What is in a stack that others read too is kept in any case, and counted where they are.
//! - To keep a value takes the time to write it to its stack and to read it from there.
//! - A loop within the layer may run again: what it makes is as much as before, but only of one layer at a time.

use super::hull::{Made, Maker};
use super::segment::{Facts, Segment, picoseconds};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_machine::Seconds;
use meshwright_transform::recompute::{Line, Link, Pair};
use std::collections::{BTreeMap, BTreeSet};

impl Facts<'_> {
    /// The segment of a layer.
    pub(super) fn layer(&self, pair: &Pair, line: &Line<'_>) -> Segment {
        let mut segment = Segment { times: pair.trip_count, ..Segment::default() };
        let mut number: BTreeMap<ValueId, usize> = BTreeMap::new();
        let body = line.body;
        let begin = &body.regions[body.insts[pair.forward].regions[1]].args;
        let stacked: BTreeMap<ValueId, Seconds> =
            pair.links.iter().map(|link| (link.value, self.seconds_of_stack(link))).collect();
        let in_stack = |value| stacked.get(&value).copied().unwrap_or_else(|| self.seconds_of_copies(value));
        for value in begin.iter().filter(|arg| line.made(**arg).is_some() && !pair.is_stack(**arg)) {
            let never = Maker { picoseconds: 0, reads: Vec::new(), may_repeat: false };
            let maker = segment.push_maker(pair.forward, never);
            self.value(&mut segment, &mut number, *value, maker, Some(in_stack(*value)));
        }
        let needed = needed(line);
        let shared: BTreeSet<ValueId> =
            pair.links.iter().filter(|link| link.is_shared).map(|link| link.value).collect();
        for (at, inst) in line.forward() {
            let results = &body.insts[inst].results;
            if results.is_empty() || results.iter().any(|result| shared.contains(result)) {
                continue;
            }
            let may_repeat = line.may_repeat(inst);
            let reads = line.reads[at].iter().filter_map(|value| number.get(value).copied()).collect();
            let seconds = if needed.contains(&inst) { self.seconds(inst) } else { Seconds::ZERO };
            let maker = Maker { picoseconds: picoseconds(seconds), reads, may_repeat };
            let maker = segment.push_maker(inst, maker);
            for (index, result) in results.iter().enumerate() {
                let is_kept = !may_repeat || stacked.contains_key(result) || self.is_stored(inst, index);
                let keeping = is_kept.then(|| in_stack(*result));
                self.value(&mut segment, &mut number, *result, maker, keeping);
            }
        }
        segment
    }

    /// Seconds of writing a value of one layer to its stack, and of reading it from there.
    fn seconds_of_stack(&self, link: &Link) -> Seconds {
        link.writes.iter().chain(&link.reads).map(|inst| self.seconds(*inst)).sum()
    }

    /// The same of a stack that there is not yet: a copy to it and one from it, as nobody knows what they are fused with.
    fn seconds_of_copies(&self, value: ValueId) -> Seconds {
        let bytes = self.analysis.function.body.ty(value).num_bytes() as f64;
        let copy = Seconds(2.0 * bytes / self.device.achievable_memory_bandwidth().0);
        (copy + self.device.launch_overhead) * 2.0
    }

    /// Adds a value that takes so long to be kept; none: it lies in no memory.
    fn value(
        &self,
        segment: &mut Segment,
        number: &mut BTreeMap<ValueId, usize>,
        value: ValueId,
        maker: usize,
        keeping: Option<Seconds>,
    ) {
        let bytes = self.analysis.function.body.ty(value).num_bytes() as u64;
        number.insert(value, segment.values.len());
        segment.values.push(value);
        let is_needed = self.is_needed(value);
        segment.problem.values.push(Made {
            maker,
            bytes: keeping.map(|_| bytes),
            keeping: picoseconds(keeping.unwrap_or(Seconds::ZERO)),
            is_needed,
        });
    }
}

/// The instructions of a forward body that it needs for what it carries on: without the others it may run.
fn needed(line: &Line<'_>) -> BTreeSet<InstId> {
    let mut needed = BTreeSet::new();
    let mut read: BTreeSet<ValueId> = BTreeSet::new();
    let insts: Vec<(usize, InstId)> = line.forward().collect();
    for (at, inst) in insts.into_iter().rev() {
        let results = &line.body.insts[inst].results;
        if results.is_empty() || results.iter().any(|result| read.contains(result)) {
            needed.insert(inst);
            read.extend(&line.reads[at]);
        }
    }
    needed
}
