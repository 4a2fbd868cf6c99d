//! What takes the memory of one device: at the peak, and on average over the step.
//!
//! Input: a lowered function, where the mesh lies, and what the values are ([`Contents`]). Output: bytes
//! for each [`Content`]; those at the peak add up to [`super::Memory::peak`]. The average weighs every moment with the
//! time that is predicted for it.

use super::{NEVER, Sweep};
use crate::estimate::priced;
use crate::lowering::{Event, Lowering};
use meshwright_analyze::{Content, Contents};
use meshwright_ir::ids::ValueId;
use meshwright_machine::Bytes;
use meshwright_plan::Placement;
use std::collections::BTreeMap;

/// Memory that one kind of content takes on one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The kind.
    pub content: Content,
    /// Bytes at the peak.
    pub at_peak: Bytes,
    /// Bytes on average over the step.
    pub mean: Bytes,
}

/// Memory by kind of content; kinds that take none are left out.
pub fn held(lowering: &Lowering<'_>, placement: &Placement, contents: &Contents) -> Vec<Held> {
    let mut sweep = Sweep { platform: placement.machine.device.platform, ..Sweep::new(lowering) };
    let (_, at) = sweep.peak();
    let after = until(lowering, placement);
    let (num_events, step) = (lowering.events.len(), after.last().copied().unwrap_or(0.0));
    let begins = |end: usize| if end == 0 { 0.0 } else { after[end - 1] };
    let turn = contents.turn.and_then(|turn| {
        lowering.events.iter().position(|event| matches!(event, Event::Compute { inst, .. } if *inst == turn))
    });
    let mut found = Content::ALL.map(|content| (content, 0_u64, 0.0_f64));
    let num_values = contents.of.len();
    for (buffer, info) in lowering.buffers.iter().enumerate() {
        let (bytes, start) = (sweep.bytes[buffer], sweep.start[buffer]);
        if bytes == 0 || start == NEVER {
            continue;
        }
        let (last, replaced) = (sweep.last[buffer], sweep.replaced[buffer]);
        let is_kept = turn.is_some_and(|turn| start < turn && turn < last);
        let content = match contents.of[info.value] {
            _ if buffer >= num_values => Content::Copies,
            Some(content) => content,
            None if is_kept => Content::Activations,
            None => Content::Temporaries,
        };
        let is_at_peak = sweep.is_at_peak(buffer, at);
        let end = last.saturating_add(1).min(replaced).min(num_events);
        let lives = (begins(end) - begins(start.min(end))).max(0.0);
        let share = if step > 0.0 { lives / step } else { f64::from(u8::from(is_at_peak)) };
        let of_kind = &mut found[number(content)];
        of_kind.1 += if is_at_peak { bytes } else { 0 };
        of_kind.2 += bytes as f64 * share;
    }
    found[number(Content::Temporaries)].1 += at.map_or(0, |at| sweep.scratch(&lowering.events[at]));
    let held = |(content, at_peak, mean): (Content, u64, f64)| Held {
        content,
        at_peak: Bytes(at_peak),
        mean: Bytes(mean.round() as u64),
    };
    found.into_iter().map(held).filter(|held| held.at_peak.0 > 0 || held.mean.0 > 0).collect()
}

/// Bytes at the peak by what `of` says of values; they add up to [`super::Memory::peak`].
pub fn at_peak<K: Ord>(
    lowering: &Lowering<'_>,
    placement: &Placement,
    of: impl Fn(ValueId) -> K,
) -> BTreeMap<K, Bytes> {
    let mut sweep = Sweep { platform: placement.machine.device.platform, ..Sweep::new(lowering) };
    let (_, at) = sweep.peak();
    let mut found: BTreeMap<K, Bytes> = BTreeMap::new();
    let mut add = |value: ValueId, bytes: u64| found.entry(of(value)).or_insert(Bytes(0)).0 += bytes;
    for (buffer, info) in lowering.buffers.iter().enumerate() {
        if sweep.bytes[buffer] > 0 && sweep.start[buffer] != NEVER && sweep.is_at_peak(buffer, at) {
            add(info.value, sweep.bytes[buffer]);
        }
    }
    if let Some(event) = at.map(|at| &lowering.events[at])
        && let Some(result) = lowering.analysis.function.body.insts[event.inst()].results.first()
    {
        add(*result, sweep.scratch(event));
    }
    found
}

impl Sweep<'_> {
    /// Returns whether a buffer is there at event `at`; of a function without any, whether it is an argument.
    fn is_at_peak(&self, buffer: usize, at: Option<usize>) -> bool {
        let start = self.start[buffer];
        match at {
            Some(at) => start <= at && at <= self.last[buffer] && self.replaced[buffer] > at,
            None => {
                let value = self.lowering.buffers[buffer].value;
                start == 0 && self.lowering.analysis.function.argument_index(value).is_some()
            }
        }
    }
}

fn number(content: Content) -> usize {
    Content::ALL.iter().position(|kind| *kind == content).unwrap_or(0)
}

/// Seconds that have passed when each event is over.
fn until(lowering: &Lowering<'_>, placement: &Placement) -> Vec<f64> {
    let mut seconds = vec![0.0; lowering.events.len()];
    priced(lowering, placement, &mut |at, took| seconds[at] = took.seconds.0);
    let mut passed = 0.0;
    for second in &mut seconds {
        passed += *second;
        *second = passed;
    }
    seconds
}
