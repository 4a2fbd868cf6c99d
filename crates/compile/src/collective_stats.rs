//! What a local program sends: its collectives by kind, loops counted by their trips and all branches of a conditional
//! counted, as costs do.
//!
//! Input: a device program. Output: number, bytes and ring bytes per kind, and where the largest of each stands.
//! Ring bytes are those of [`Collective::ring_factor`](meshwright_cost::Collective::ring_factor); as XLA's programs are
//! counted in `bench/`.

use crate::stages::PARTITION;
use meshwright_cost::groups::{group_size, kind_of};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::RegionId;
use meshwright_ir::loops::trip_count;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, InstView};
use meshwright_plan::DeviceProgram;
use meshwright_plan::plan_file::{PlanCollective, PlanPass};
use std::collections::{BTreeMap, BTreeSet};

/// How often a loop is counted whose trip count the program does not say; costs assume the same.
const ASSUMED_TRIPS: u64 = meshwright_cost::analysis::ASSUMED_TRIP_COUNT;

/// All collectives of one kind in one run of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// The kind, as StableHLO calls it without the dialect.
    pub kind: &'static str,
    /// How many run.
    pub count: u64,
    /// Bytes of their results on one device.
    pub bytes: u64,
    /// Bytes that a device sends.
    pub ring_bytes: f64,
    /// Those of the one that sends the most, all its turns in loops together.
    pub largest: f64,
    /// What that one was made for.
    pub place: Span,
}

/// Counts the collectives of one run of the program.
pub fn collectives(device: &DeviceProgram) -> Vec<PlanCollective> {
    let entry = |sent: Sent| PlanCollective {
        kind: sent.kind.to_owned(),
        count: sent.count,
        bytes: sent.bytes,
        ring_bytes: sent.ring_bytes.round() as u64,
    };
    sent(device).into_iter().map(entry).collect()
}

/// The same, with the largest of each kind.
pub fn sent(device: &DeviceProgram) -> Vec<Sent> {
    let mut tallies: BTreeMap<&'static str, Sent> = BTreeMap::new();
    if let Some(main) = device.program.main() {
        region(&main.body, main.body.entry(), 1, &mut tallies);
    }
    tallies.into_values().collect()
}

/// What passes change of the collectives of a program.
#[derive(Debug, Default)]
pub(crate) struct Passes {
    before: Vec<PlanCollective>,
    /// The changes, in the order of the passes.
    pub(crate) changes: Vec<PlanPass>,
}

impl Passes {
    /// Looks at the program behind a pass. The first one that is seen is the program that the passes change.
    pub(crate) fn see(&mut self, pass: &str, device: &DeviceProgram) {
        let now = collectives(device);
        if pass != PARTITION {
            self.changes.extend(changes(pass, &self.before, &now));
        }
        self.before = now;
    }
}

fn changes(pass: &str, before: &[PlanCollective], now: &[PlanCollective]) -> Vec<PlanPass> {
    let kinds: BTreeSet<&str> = before.iter().chain(now).map(|entry| entry.kind.as_str()).collect();
    let of = |list: &[PlanCollective], kind: &str| -> [i64; 3] {
        let entry = list.iter().find(|entry| entry.kind == kind);
        let signed = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        entry.map_or([0; 3], |entry| [entry.count, entry.bytes, entry.ring_bytes].map(signed))
    };
    let change = |kind: &str| {
        let (before, now) = (of(before, kind), of(now, kind));
        let [count, bytes, ring_bytes] =
            std::array::from_fn(|index| now[index].saturating_sub(before[index]));
        PlanPass { pass: pass.to_owned(), kind: kind.to_owned(), count, bytes, ring_bytes }
    };
    let is_one = |change: &PlanPass| [change.count, change.bytes, change.ring_bytes] != [0; 3];
    kinds.into_iter().map(change).filter(is_one).collect()
}

fn region(body: &Body, id: RegionId, trips: u64, tallies: &mut BTreeMap<&'static str, Sent>) {
    for inst in &body.regions[id].insts {
        let view = body.view(*inst);
        // What is started stands in the region of its start.
        if view.inst.op.is_collective() && !matches!(view.inst.op, Op::Async(_)) {
            add(view, trips, tallies);
            continue;
        }
        let inner = match view.inst.op.carries_values() {
            true => trips.saturating_mul(trip_count(view).unwrap_or(ASSUMED_TRIPS)),
            false => trips,
        };
        // The regions of other ops are branches, or reduce single elements, where no collective stands.
        view.inst.regions.iter().for_each(|region_id| region(body, *region_id, inner, tallies));
    }
}

fn add(view: InstView<'_>, trips: u64, tallies: &mut BTreeMap<&'static str, Sent>) {
    let bytes: u64 = view.result_types().map(|ty| ty.num_bytes() as u64).sum();
    let (op, held) = (&view.inst.op, view.operand_types().map(|ty| ty.num_bytes() as f64).sum::<f64>());
    let ring_bytes = match kind_of(op) {
        Some(kind) => kind.ring_factor(group_size(op) as f64) * held,
        None => bytes as f64,
    };
    let kind = view.inst.op.name().trim_start_matches("stablehlo.");
    let none = Sent { kind, count: 0, bytes: 0, ring_bytes: 0.0, largest: 0.0, place: view.inst.span };
    let sent = tallies.entry(kind).or_insert(none);
    sent.count = sent.count.saturating_add(trips);
    sent.bytes = sent.bytes.saturating_add(trips.saturating_mul(bytes));
    let own = trips as f64 * ring_bytes;
    sent.ring_bytes += own;
    if own > sent.largest {
        (sent.largest, sent.place) = (own, view.inst.span);
    }
}
