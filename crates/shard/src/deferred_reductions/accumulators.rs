//! Values that loops carry and that may hold contributions in all turns.
//!
//! Input: a prepared function. Output: carried values of which everything but the loop's body allows that: the condition
//! does not read them; who reads them in the body is one, and who reads the loop's result stands in the same region as the
//! loop. That the body passes them on is module `open`'s.
//!
//! ```text
//! %r = while(%sum = 0) { %g = dot_general ...; %next = add %sum, %g; return %next }
//! ```

use crate::prepared::{Prepared, Slot};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::loops::{ASSUMED_TRIP_COUNT, trip_count};
use meshwright_ir::program::{Function, InstView, Regions};

/// What a loop starts from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    /// Zero, mostly: every device computes it for itself.
    Constant,
    /// It could be contributions too.
    Contributions(ValueId),
    /// It is complete. The first device alone counts it.
    Complete(ValueId),
}

/// A value that a loop carries.
#[derive(Clone, PartialEq)]
pub(super) struct Accumulator {
    /// Of the loop's result and of the arguments of its regions.
    pub(super) slot: Slot,
    pub(super) start: Start,
    /// The argument of the condition.
    pub(super) seen: ValueId,
    /// The argument of the body.
    pub(super) carried: ValueId,
    /// What the body returns for it.
    pub(super) returned: ValueId,
    /// The loop's result.
    pub(super) result: ValueId,
    /// The region of the loop, and its body.
    pub(super) regions: (RegionId, RegionId),
    /// How often the loop runs.
    pub(super) turns: u64,
    /// The readers of the result.
    pub(super) num_readers: usize,
    /// Whether sums are saved in the loop itself.
    pub(super) pays: bool,
}

impl Accumulator {
    /// Values that hold contributions where the loop carries them.
    pub(super) fn entering(&self) -> impl Iterator<Item = ValueId> {
        let start = match self.start {
            Start::Contributions(start) => Some(start),
            Start::Constant | Start::Complete(_) => None,
        };
        start.into_iter().chain([self.returned])
    }

    /// Its values that share a slot.
    pub(super) fn values(&self) -> [ValueId; 3] {
        [self.seen, self.carried, self.result]
    }
}

/// Who reads each value, as which operand.
pub(super) type Uses = Table<ValueId, Vec<(InstId, usize)>>;

/// Finds the candidates; `owners` counts the values of each slot.
pub(super) fn candidates(
    function: &Function,
    prepared: &Prepared,
    uses: &Uses,
    owners: &[u32],
) -> Vec<Accumulator> {
    let region_of = function.body.region_of();
    let loops = prepared.order.iter().map(|inst| function.body.view(*inst));
    let loops = loops.filter(|view| view.regions() == Regions::Loop);
    let of_loop = |view: InstView<'_>| {
        let around = region_of[view.id];
        let found =
            (0..view.num_operands()).filter_map(|index| candidate(&view, index, around, prepared, uses));
        found.collect::<Vec<_>>()
    };
    let is_apart = |found: &Accumulator| {
        let mut readers = uses[found.result].iter();
        owners[found.slot] as usize == found.values().len()
            && !prepared.kept[found.slot]
            && uses[found.seen].is_empty()
            && uses[found.carried].len() <= 1
            && uses[found.returned].len() == 1
            && readers.all(|(reader, _)| region_of[*reader] == found.regions.0)
    };
    loops.flat_map(of_loop).filter(is_apart).collect()
}

fn candidate(
    view: &InstView<'_>,
    index: usize,
    around: RegionId,
    prepared: &Prepared,
    uses: &Uses,
) -> Option<Accumulator> {
    let [condition, step] = *view.inst.regions.as_slice() else { return None };
    let arg = |region: RegionId| view.body.regions[region].args.get(index).copied();
    let (seen, carried) = (arg(condition)?, arg(step)?);
    let returned = *view.body.terminator(step)?.operands.get(index)?;
    let (start, result) = (view.inst.operands[index], view.inst.results[index]);
    let is_summed = super::open::is_summed(view.body.ty(result));
    (is_summed && returned != carried).then(|| Accumulator {
        slot: prepared.slot_of[result],
        start: match prepared.constant[prepared.slot_of[start]] {
            true => Start::Constant,
            false => Start::Contributions(start),
        },
        seen,
        carried,
        returned,
        result,
        regions: (around, step),
        turns: trip_count(*view).unwrap_or(ASSUMED_TRIP_COUNT),
        num_readers: uses[result].len().max(1),
        pays: false,
    })
}
