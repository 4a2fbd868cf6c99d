//! Time of copies between a device and its host, beside the work of the device.
//!
//! Input: what a device does, in order. Output: how long the link is busy, and how long the device waits for it.
//!
//! - The link carries one copy in each direction at a time, whatever the device does meanwhile.
//! - A copy to the host begins when the value is there; the device goes on, unless the copy before is still on its way: what
//!   is copied has to stay until then.
//! - A copy to the device is there when its first reader runs, or the device waits. It begins ahead of that reader, at the
//!   place that [`begun_at`] says: so much of the device's memory is taken by what is there early.
//! - The step ends when all copies are done.
//!
//! Example: work of 3 s, and then the use of a value whose copy takes 5 s and may begin with the work: the device waits 2 s.

use crate::analysis::Analysis;
use meshwright_ir::arguments::Placement;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::custom_call::{Arrival, CustomCall};
use meshwright_ir::program::{Body, Def};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// What is there early takes so many times the memory of the largest value that is brought: parameters with their moments
/// come together.
const AHEAD: u64 = 4;

/// Directions of copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the device.
    ToHost,
    /// To the device.
    ToDevice,
}

/// The direction in which an instruction copies between the device and its host, if it does.
pub fn direction(analysis: &Analysis<'_>, inst: InstId) -> Option<Direction> {
    let body = &analysis.function.body;
    body.insts[inst].op.placement(&body.view(inst))?;
    let content = &body.insts[inst];
    match (analysis.on_host[content.operands[0]], analysis.on_host[content.results[0]]) {
        (false, true) => Some(Direction::ToHost),
        (true, false) => Some(Direction::ToDevice),
        (true, true) | (false, false) => None,
    }
}

/// A copy to the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coming {
    /// What it moves.
    pub bytes: u64,
    /// Copies in front of it that stand before what it brings has left for the host: it does not begin at their places.
    pub before: usize,
}

/// For each copy to the device, in the order in which they stand, the one at whose place it begins, or itself: as early as
/// what is there early leaves room for it.
pub fn begun_at(copies: &[Coming]) -> Vec<usize> {
    let room = AHEAD * copies.iter().map(|copy| copy.bytes).max().unwrap_or(0);
    let (mut first, mut there) = (0, 0);
    let mut begun = Vec::with_capacity(copies.len());
    for (at, Coming { bytes, before }) in copies.iter().enumerate() {
        there += bytes;
        while there > room {
            there -= copies[first].bytes;
            first += 1;
        }
        begun.push(first.saturating_sub(1).max(*before).min(at));
    }
    begun
}

/// The instruction that sends to the host what a copy to the device brings; none of what lies there from the start.
pub fn sent_by(body: &Body, copy: InstId) -> Option<InstId> {
    let mut value = body.insts[copy].operands[0];
    while let Def::Result(inst, _) = body.values[value].def {
        let view = body.view(inst);
        match view.inst.op.placement(&view) {
            Some(Placement::Host) => return Some(inst),
            None if matches!(view.inst.op, Op::Reshape(_) | Op::OptimizationBarrier(_)) => {
                let at = view.inst.results.iter().position(|result| *result == value)?;
                value = *view.inst.operands.get(at)?;
            }
            _ => return None,
        }
    }
    None
}

/// The copies to the device that begin in front of each instruction of a region; `bytes` says how much each moves.
pub fn beginning(
    analysis: &Analysis<'_>,
    region: RegionId,
    bytes: &dyn Fn(InstId) -> u64,
) -> BTreeMap<InstId, Vec<InstId>> {
    let insts = &analysis.function.body.regions[region].insts;
    let is_brought = |inst: &InstId| direction(analysis, *inst) == Some(Direction::ToDevice);
    let body = &analysis.function.body;
    let mut brought: Vec<InstId> = Vec::new();
    let mut copies: Vec<Coming> = Vec::new();
    // Copies in front of each that is sent.
    let mut sent: BTreeMap<InstId, usize> = BTreeMap::new();
    for inst in insts {
        if body.view(*inst).inst.op.placement(&body.view(*inst)) == Some(Placement::Host) {
            sent.insert(*inst, brought.len());
        }
        if is_brought(inst) {
            let before = match sent_by(body, *inst).and_then(|by| sent.get(&by).copied()) {
                _ if CustomCall::arrival(&body.insts[*inst].attributes) == Arrival::Late => brought.len(),
                Some(before) => before,
                None => 0,
            };
            brought.push(*inst);
            copies.push(Coming { bytes: bytes(*inst), before });
        }
    }
    let begun = begun_at(&copies);
    let mut beginning: BTreeMap<InstId, Vec<InstId>> = BTreeMap::new();
    for (inst, at) in brought.iter().zip(begun) {
        beginning.entry(brought[at]).or_default().push(*inst);
    }
    beginning
}

/// The link between a device and its host during a step.
#[derive(Clone, Debug, Default)]
pub struct HostLink {
    /// Seconds since the step began.
    clock: f64,
    /// When the loops around began, and how often they turn.
    loops: Vec<(f64, f64)>,
    /// When the copies to the host and those to the device that have begun are done.
    free: [f64; 2],
    /// When each value is there that is on its way to the device.
    arrives: FxHashMap<ValueId, f64>,
    /// Seconds in which the link is busy, all copies one after the other.
    busy: f64,
    /// Seconds in which the device waits for it.
    waited: f64,
}

impl HostLink {
    /// The device works.
    pub fn work(&mut self, seconds: f64) {
        self.clock += seconds;
    }

    /// A copy to the host begins. In a loop the next turn goes on meanwhile.
    pub fn send(&mut self, seconds: f64) {
        let begin = match self.loops.last() {
            None => {
                self.wait_until(self.free[0]);
                self.clock
            }
            Some((since, turns)) => since + (self.clock - since) / turns,
        };
        self.free[0] = self.free[0].max(begin) + seconds;
        self.busy += seconds;
    }

    /// A copy of a value to the device begins as soon as the link is free.
    pub fn bring(&mut self, value: ValueId, seconds: f64) {
        self.free[1] = self.free[1].max(self.clock) + seconds;
        self.arrives.insert(value, self.free[1]);
        self.busy += seconds;
    }

    /// The device reads values: those that are on their way have to be there.
    pub fn read(&mut self, values: &[ValueId]) {
        for value in values {
            if let Some(there) = self.arrives.remove(value) {
                self.wait_until(there);
            }
        }
    }

    /// A loop begins. What is said of its body is said of all its turns together.
    pub fn enter_loop(&mut self, turns: u64) {
        self.loops.push((self.clock, turns.max(1) as f64));
    }

    /// A loop ends: all copies but those of its last turn are done.
    pub fn leave_loop(&mut self) {
        let Some((since, turns)) = self.loops.pop() else { return };
        for free in self.free {
            self.wait_until(since + (free - since) * (1.0 - 1.0 / turns));
        }
    }

    /// The step ends: seconds in which the link was busy, and those of them in which the device waited for it.
    pub fn finish(mut self) -> (f64, f64) {
        self.wait_until(self.free[0].max(self.free[1]));
        (self.busy, self.waited.min(self.busy))
    }

    fn wait_until(&mut self, time: f64) {
        if time > self.clock {
            self.waited += time - self.clock;
            self.clock = time;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::ids::Id;

    #[test]
    fn work_hides_a_copy_until_it_is_read() {
        let value = ValueId::from_index(0);
        let mut link = HostLink::default();
        link.bring(value, 5.0);
        link.work(3.0);
        link.read(&[value]);
        link.read(&[value]);
        assert_eq!(link.finish(), (5.0, 2.0));
    }

    #[test]
    fn one_copy_to_the_host_waits_for_the_other() {
        let mut link = HostLink::default();
        link.send(4.0);
        link.work(1.0);
        link.send(4.0);
        link.work(5.0);
        assert_eq!(link.finish(), (8.0, 3.0));
    }

    #[test]
    fn what_is_there_early_has_its_room() {
        let of =
            |bytes: &[u64]| bytes.iter().map(|bytes| Coming { bytes: *bytes, before: 0 }).collect::<Vec<_>>();
        assert_eq!(begun_at(&of(&[1, 1, 1, 1, 1, 1])), [0, 0, 0, 0, 0, 1]);
        assert_eq!(begun_at(&of(&[4, 8, 8, 8, 8, 8])), [0, 0, 0, 0, 0, 1]);
        assert_eq!(begun_at(&[]), [0; 0]);
        // The last two leave behind the first copy.
        let later = [0, 1, 1].map(|before| Coming { bytes: 1, before });
        assert_eq!(begun_at(&later), [0, 1, 1]);
    }

    #[test]
    fn the_turns_of_a_loop_share_the_link() {
        let mut link = HostLink::default();
        // Ten turns, in each 1 s of work, then 2 s to the host.
        link.enter_loop(10);
        link.work(10.0);
        link.send(20.0);
        link.leave_loop();
        // The link is idle for the work of the first turn alone.
        assert!((link.finish().1 - 11.0).abs() < 1e-9);
    }
}
