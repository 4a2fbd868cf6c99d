//! How long the instructions of a local program take by the cost model, on a device and on its links, and how much of
//! what is in flight lies beside other work. Passes weigh these times, and [`crate::Account`] sums them up.

use crate::facts::LocalFacts;
use meshwright_cost::analysis::Analysis;
use meshwright_cost::collective::{Collective, collective_cost};
use meshwright_cost::groups::{axes_of, kind_of};
use meshwright_cost::op::{Work, work};
use meshwright_ir::ids::{InstId, RegionId, Table};
use meshwright_ir::mesh::AxisSet;
use meshwright_ir::op::Op;
use meshwright_ir::ops::async_op::Async;
use meshwright_ir::program::{Body, Def, Function, InstView, Regions};
use meshwright_ir::rule::ShardingRule;
use meshwright_plan::Placement;
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;

/// Seconds of every instruction.
pub(crate) struct Times<'a> {
    /// In which the device itself is busy; all turns of a loop together.
    pub(super) busy: Table<InstId, f64>,
    /// In which a collective is in flight; `None` for what is none or cannot be priced.
    pub(super) flight: Table<InstId, Option<f64>>,
    analysis: Analysis<'a>,
    placement: &'a Placement,
}

impl<'a> Times<'a> {
    /// Of `function`, a local program, on a machine.
    pub(crate) fn new(function: &'a Function, placement: &'a Placement) -> Self {
        let (body, device) = (&function.body, &placement.machine.device);
        let facts = LocalFacts::new(body, &placement.mesh);
        let mut times = Self {
            busy: Table::filled(0.0, body.insts.len()),
            flight: body.insts.ids().map(|inst| flight(&body.view(inst), &facts, placement)).collect(),
            analysis: Analysis::on(function, device.platform),
            placement,
        };
        // Instructions in regions are numbered in any order, so regions are summed up from the inside.
        for inst in body.walk(body.entry()).into_iter().rev() {
            let view = body.view(inst);
            times.busy[inst] = match view.regions() {
                _ if view.inst.op.is_collective() => 0.0,
                // What is copied from and to the host is on its way while the device works.
                Regions::OfElements if times.work(inst).on_host_link(device).is_some() => 0.0,
                Regions::OfElements => times.work(inst).seconds(device).0,
                Regions::Loop | Regions::Branches => {
                    let inside: f64 = view.inst.regions.iter().map(|region| times.free(body, *region)).sum();
                    inside * times.turns(inst) as f64
                }
            };
        }
        times
    }

    /// The local work of an instruction.
    pub(crate) fn work(&self, inst: InstId) -> Work {
        let view = self.analysis.function.body.view(inst);
        let operands: Vec<Type> = view.operand_types().cloned().collect();
        let results: Vec<Type> = view.result_types().cloned().collect();
        work(&self.analysis, inst, &operands, &results)
    }

    /// What is known of the program.
    pub(crate) fn analysis(&self) -> &Analysis<'a> {
        &self.analysis
    }

    /// The sharding rule of an instruction.
    pub(crate) fn rule(&self, inst: InstId) -> &ShardingRule {
        self.analysis.rule(inst)
    }

    /// How often a loop turns; 1 for what is no loop.
    pub(crate) fn turns(&self, inst: InstId) -> u64 {
        self.analysis.trip_counts[inst]
    }

    /// Seconds in which a collective, or what is started, is in flight.
    pub(crate) fn in_flight(&self, inst: InstId, kind: Collective, axes: AxisSet) -> f64 {
        let bytes = sent_bytes(&self.analysis.function.body.view(inst));
        collective_cost(kind, axes, self.placement).seconds(bytes).0
    }

    /// Seconds of one run of a region in which what was started there is in flight while the device is busy, by what
    /// starts it.
    pub(crate) fn hidden_in(&self, region: RegionId) -> FxHashMap<InstId, f64> {
        let body = &self.analysis.function.body;
        let insts = &body.regions[region].insts;
        let mut hidden = FxHashMap::default();
        if !insts.iter().any(|inst| matches!(body.insts[*inst].op, Op::Async(_))) {
            return hidden;
        }
        let mut slack = Slack::new(insts.iter().map(|inst| self.busy[*inst]).collect());
        for (to, inst) in insts.iter().enumerate().rev() {
            let inst = &body.insts[*inst];
            if let Op::Async(Async::Done) = inst.op
                && let Def::Result(start, _) = body.values[inst.operands[0]].def
                && let Some(from) = insts[..to].iter().rposition(|inst| *inst == start)
                && let Some(seconds) = self.flight[start]
            {
                let taken = slack.take(from, to, seconds, 0.0).map_or(0.0, |taken| taken.hidden);
                hidden.insert(start, taken);
            }
        }
        hidden
    }

    /// Seconds of a region in which the device is busy and its links are not.
    fn free(&self, body: &Body, region: RegionId) -> f64 {
        let insts = &body.regions[region].insts;
        let busy: f64 = insts.iter().map(|inst| self.busy[*inst]).sum();
        let sent: f64 = insts.iter().filter_map(|inst| self.flight[*inst]).sum();
        (busy - sent).max(0.0)
    }
}

fn flight(view: &InstView<'_>, facts: &LocalFacts<'_>, placement: &Placement) -> Option<f64> {
    let (kind, axes) = collective_of(view, facts, placement)?;
    Some(collective_cost(kind, axes?, placement).seconds(sent_bytes(view)).0)
}

/// Bytes that a device holds before a collective, or before what is started.
fn sent_bytes(view: &InstView<'_>) -> f64 {
    view.operand_types().map(|ty| ty.num_bytes() as f64).sum()
}

/// Which collective an instruction is, or starts, and the axes along which its groups extend; no axes if they do not
/// follow any.
pub(crate) fn collective_of(
    view: &InstView<'_>,
    facts: &LocalFacts<'_>,
    placement: &Placement,
) -> Option<(Collective, Option<AxisSet>)> {
    // What is started is in flight from there.
    if let Op::Async(Async::Start) = view.inst.op {
        let inner = view.region(0).insts.first()?;
        return collective_of(&view.body.view(*inner), facts, placement);
    }
    let kind = kind_of(&view.inst.op)?;
    let axes = match &view.inst.op {
        op @ Op::CollectivePermute(_) => Some(axes_of(op, &placement.mesh)),
        op => facts.along(op).map(|axes| axes.iter().collect()),
    };
    Some((kind, axes))
}

/// Time of instructions, one after the other, that collectives in flight have not taken yet: two of them share a link.
pub(super) struct Slack {
    left: Vec<f64>,
}

/// What a collective took of the time before an instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Taken {
    /// The first instruction that runs meanwhile.
    pub(super) from: usize,
    /// Seconds that are hidden.
    pub(super) hidden: f64,
}

impl Slack {
    pub(super) fn new(left: Vec<f64>) -> Self {
        Self { left }
    }

    /// Takes up to `seconds` of instructions `from..to`, the last ones first. Nothing is taken unless more than
    /// `least` can be hidden.
    pub(super) fn take(&mut self, from: usize, to: usize, seconds: f64, least: f64) -> Option<Taken> {
        let mut wanted = seconds;
        let mut first = to;
        for at in (from..to).rev() {
            if wanted <= 0.0 {
                break;
            }
            if self.left[at] > 0.0 {
                wanted -= self.left[at].min(wanted);
                first = at;
            }
        }
        let hidden = seconds - wanted;
        if hidden <= least {
            return None;
        }
        let mut rest = hidden;
        for left in self.left[first..to].iter_mut().rev() {
            let part = left.min(rest);
            *left -= part;
            rest -= part;
        }
        Some(Taken { from: first, hidden })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_in_flight_share_the_work_between() {
        let mut slack = Slack::new(vec![1.0, 5.0, 0.0, 2.0]);
        // As late as it can start and be there in time.
        assert_eq!(slack.take(0, 4, 3.0, 0.0), Some(Taken { from: 1, hidden: 3.0 }));
        assert_eq!(slack.take(1, 4, 6.0, 4.0), None);
        assert_eq!(slack.take(0, 4, 6.0, 4.0), Some(Taken { from: 0, hidden: 5.0 }));
        assert_eq!(slack.take(0, 4, 6.0, 0.0), None);
    }
}
