//! What is brought from the host is brought when it is read, not long before.
//!
//! Input: copies from the memory of the host to that of the device (`annotate_device_placement`). Output: the same copies,
//! each behind a barrier that ties it to something else that is made late and is read later:
//!
//! ```text
//! %d = annotate_device_placement %m {device}     %b:2 = optimization_barrier %m, %g
//! %n = add %d, %g                            ->  %d = annotate_device_placement %b#0 {device}
//!                                                %n = add %d, %b#1
//! ```
//!
//! A copy waits for nothing else, so XLA would begin with all of them, to hide them behind what the device computes, and
//! what lies on the host to save memory would lie on the device from the beginning of the step on.
//! [`mod@meshwright_cost::memory`] counts it from its copy on. Of what was made before the copy in front of this one, and is
//! read behind this one, it is tied to what is there last: while one value is worked on the next is on its way, and no more.
//! What waits within a turn of a loop comes for its reader alone: it is tied to what is there last in front of that.

use super::PassContext;
use meshwright_analyze::phases::reads;
use meshwright_cost::host::on_host;
use meshwright_ir::arguments::Placement;
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::loops::{ASSUMED_TRIP_COUNT, trip_count};
use meshwright_ir::ops::custom_call::{Arrival, CustomCall};
use meshwright_ir::ops::optimization_barrier::OptimizationBarrier;
use meshwright_ir::program::{Body, InstView, Regions};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

/// Bytes of a copy that is worth a barrier.
const LEAST: usize = 1 << 16;

/// How many copies there may be on their way while what the one before brought is worked on.
const AHEAD: usize = 1;

pub(super) fn bring_late(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let main = context.device.program.main()?;
    let order = body.walk(body.entry());
    if !order.iter().any(|inst| is_brought(&body.view(*inst))) {
        return None;
    }
    let on_host = on_host(main);
    let loops = order.iter().filter(|inst| body.view(**inst).regions() == Regions::Loop);
    let turns = loops.filter_map(|inst| body.insts[*inst].regions.last().copied());
    let mut tied = BTreeMap::new();
    for region in std::iter::once(body.entry()).chain(turns) {
        let insts = &body.regions[region].insts;
        let waits = |inst: &InstId| CustomCall::arrival(&body.insts[*inst].attributes) == Arrival::Late;
        let is_one =
            |at: &usize| is_brought(&body.view(insts[*at])) && (region == body.entry() || waits(&insts[*at]));
        let brought: Vec<usize> = (0..insts.len()).filter(is_one).collect();
        if !brought.is_empty() {
            let ahead = if region == body.entry() { AHEAD } else { 0 };
            tied.extend(Order::new(body, region, &on_host).tied(&brought, ahead));
        }
    }
    (!tied.is_empty()).then(|| each(body, Ties { tied }))
}

/// Whether an instruction copies something large to the device.
fn is_brought(view: &InstView<'_>) -> bool {
    view.inst.op.placement(view) == Some(Placement::Device) && bytes(view.result_types()) >= LEAST
}

fn bytes<'a>(types: impl Iterator<Item = &'a Type>) -> usize {
    types.map(Type::num_bytes).sum()
}

/// When the values of a program are there, at the soonest.
struct Order<'a> {
    body: &'a Body,
    insts: &'a [InstId],
    on_host: &'a Table<ValueId, bool>,
    /// Bytes that have to be read and written before a value is there, along the longest way to it.
    there: Table<ValueId, f64>,
    /// Where in the program each value is made, and where it is read last.
    lives: BTreeMap<ValueId, (usize, usize)>,
}

impl<'a> Order<'a> {
    fn new(body: &'a Body, region: RegionId, on_host: &'a Table<ValueId, bool>) -> Self {
        let insts = &body.regions[region].insts;
        let mut lives = BTreeMap::new();
        for (at, inst) in insts.iter().enumerate() {
            for value in reads(body, *inst) {
                lives.entry(value).and_modify(|(_, last)| *last = at);
            }
            lives.extend(body.insts[*inst].results.iter().map(|result| (*result, (at, at))));
        }
        Self { body, insts, on_host, there: Table::filled(0.0, body.values.len()), lives }
    }

    /// What each copy is tied to, so many copies ahead.
    fn tied(mut self, brought: &[usize], ahead: usize) -> BTreeMap<InstId, ValueId> {
        let mut tied = BTreeMap::new();
        for (at, inst) in self.insts.iter().enumerate() {
            let mut begins = self.begins(*inst);
            if let Ok(number) = brought.binary_search(&at) {
                let before = brought[number.saturating_sub(ahead)];
                if let Some(value) = self.latest(before, at).filter(|value| self.there[*value] > begins) {
                    begins = self.there[value];
                    tied.insert(*inst, value);
                }
            }
            let ends = begins + work(self.body, *inst);
            self.body.insts[*inst].results.iter().for_each(|result| self.there[*result] = ends);
        }
        tied
    }

    fn begins(&self, inst: InstId) -> f64 {
        reads(self.body, inst).iter().map(|value| self.there[*value]).fold(0.0, f64::max)
    }

    /// What is on the device in front of one place and is read behind another, and is there last.
    fn latest(&self, before: usize, behind: usize) -> Option<ValueId> {
        let alive = self.lives.iter().filter(|(value, (made, last))| {
            let is_tensor = self.body.ty(**value).as_tensor().is_some();
            *made < before && *last > behind && is_tensor && !self.on_host[**value]
        });
        alive.map(|(value, _)| *value).max_by(|a, b| self.there[*a].total_cmp(&self.there[*b]).then(b.cmp(a)))
    }
}

/// Bytes that an instruction reads and writes, with all turns of a loop.
fn work(body: &Body, inst: InstId) -> f64 {
    let view = body.view(inst);
    if view.inst.regions.is_empty() || view.regions() == Regions::OfElements {
        return (bytes(view.operand_types()) + bytes(view.result_types())) as f64;
    }
    let inside = view.inst.regions.iter().flat_map(|region| &body.regions[*region].insts);
    let turn: f64 = inside.map(|inst| work(body, *inst)).sum();
    turn * trip_count(view).unwrap_or(ASSUMED_TRIP_COUNT) as f64
}

struct Ties {
    tied: BTreeMap<InstId, ValueId>,
}

impl Edit for Ties {
    fn operand(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        to: RegionId,
    ) -> Option<ValueId> {
        let last = *self.tied.get(&view.id)?;
        let held = [view.inst.operands[index], last].map(|value| rewriter.value(value));
        let types = held.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
        let held = rewriter.build(to, view.inst.span).emit_all(OptimizationBarrier, &held, Vec::new(), types);
        rewriter.stand_for(last, held[1]);
        Some(held[0])
    }
}
