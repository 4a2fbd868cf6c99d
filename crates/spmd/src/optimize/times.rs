//! How long the instructions of a local program take by the cost model, on a device and on its links, and how much of
//! what is in flight lies beside other work.

use crate::facts::Facts;
use meshwright_cost::analysis::Analysis;
use meshwright_cost::collective::{Collective, collective_cost};
use meshwright_cost::op::work;
use meshwright_ir::ids::{InstId, RegionId, Table};
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::Op;
use meshwright_ir::ops::async_op::Async;
use meshwright_ir::program::{Body, Def, Function, InstView, Regions};
use meshwright_ir::types::Type;
use meshwright_machine::Seconds;
use meshwright_plan::{DeviceProgram, Placement};

/// Seconds of every instruction.
pub(super) struct Times {
    /// In which the device itself is busy; all turns of a loop together.
    pub(super) busy: Table<InstId, f64>,
    /// In which a collective is in flight; `None` for what is none or cannot be priced.
    pub(super) flight: Table<InstId, Option<f64>>,
    /// How often each loop turns; 1 for what is no loop.
    turns: Table<InstId, u64>,
}

impl Times {
    /// Of `function`, a local program, on a machine.
    pub(super) fn new(function: &Function, placement: &Placement) -> Self {
        let (body, device) = (&function.body, &placement.machine.device);
        let analysis = Analysis::new(function);
        let facts = Facts::new(body, &placement.mesh);
        let mut times = Self {
            busy: Table::filled(0.0, body.insts.len()),
            flight: body.insts.ids().map(|inst| flight(&body.view(inst), &facts, placement)).collect(),
            turns: analysis.trip_counts.clone(),
        };
        let seconds = |inst: InstId| {
            let view = body.view(inst);
            let operands: Vec<Type> = view.operand_types().cloned().collect();
            let results: Vec<Type> = view.result_types().cloned().collect();
            work(&analysis, inst, &operands, &results).seconds(device).0
        };
        // Instructions in regions are numbered in any order, so regions are summed up from the inside.
        for inst in body.walk(body.entry()).into_iter().rev() {
            let view = body.view(inst);
            times.busy[inst] = match view.regions() {
                _ if view.inst.op.is_collective() => 0.0,
                Regions::OfElements => seconds(inst),
                Regions::Loop | Regions::Branches => {
                    let inside: f64 = view.inst.regions.iter().map(|region| times.free(body, *region)).sum();
                    inside * times.turns[inst] as f64
                }
            };
        }
        times
    }

    /// Seconds of a region in which the device is busy and its links are not.
    fn free(&self, body: &Body, region: RegionId) -> f64 {
        let insts = &body.regions[region].insts;
        let busy: f64 = insts.iter().map(|inst| self.busy[*inst]).sum();
        let sent: f64 = insts.iter().filter_map(|inst| self.flight[*inst]).sum();
        (busy - sent).max(0.0)
    }
}

fn flight(view: &InstView<'_>, facts: &Facts<'_>, placement: &Placement) -> Option<f64> {
    let kind = match &view.inst.op {
        Op::AllReduce(_) => Collective::AllReduce,
        Op::AllGather(_) => Collective::AllGather,
        Op::ReduceScatter(_) => Collective::ReduceScatter,
        Op::AllToAll(_) => Collective::AllToAll,
        Op::CollectivePermute(_) => Collective::CollectivePermute,
        // What is started is in flight from there.
        Op::Async(Async::Start) => {
            return view
                .region(0)
                .insts
                .first()
                .and_then(|inst| flight(&view.body.view(*inst), facts, placement));
        }
        _ => return None,
    };
    let axes: AxisSet = match &view.inst.op {
        Op::CollectivePermute(permute) => moved(&permute.pairs, &placement.mesh),
        op => facts.along(op)?.iter().collect(),
    };
    let bytes: f64 = view.operand_types().map(|ty| ty.num_bytes() as f64).sum();
    Some(collective_cost(kind, axes, placement).seconds(bytes).0)
}

/// The axes along which a permute between positions of a mesh moves data.
pub(crate) fn moved(pairs: &[[i64; 2]], mesh: &Mesh) -> AxisSet {
    let device = |id: i64| usize::try_from(id).ok().filter(|id| *id < mesh.num_devices());
    let ends = || pairs.iter().filter_map(|[from, to]| Some((device(*from)?, device(*to)?)));
    let differs = |axis| ends().any(|(from, to)| mesh.coordinate(from, axis) != mesh.coordinate(to, axis));
    mesh.sub_axis_ids().filter(|axis| differs(*axis)).collect()
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

/// Seconds of one run in which collectives that were started are in flight while the device is busy.
pub fn hidden_seconds(device: &DeviceProgram, placement: &Placement) -> Seconds {
    let Some(main) = device.program.main() else { return Seconds::ZERO };
    if !main.body.insts.values().any(|inst| matches!(inst.op, Op::Async(_))) {
        return Seconds::ZERO;
    }
    let times = Times::new(main, placement);
    Seconds(hidden_in(&main.body, main.body.entry(), 1, &times))
}

fn hidden_in(body: &Body, region: RegionId, runs: u64, times: &Times) -> f64 {
    let insts = &body.regions[region].insts;
    let mut slack = Slack::new(insts.iter().map(|inst| times.busy[*inst]).collect());
    let mut hidden = 0.0;
    for (to, inst) in insts.iter().enumerate().rev() {
        let view = body.view(*inst);
        if let Op::Async(Async::Done) = view.inst.op
            && let Def::Result(start, _) = body.values[view.inst.operands[0]].def
            && let Some(from) = insts[..to].iter().rposition(|inst| *inst == start)
            && let Some(seconds) = times.flight[start]
        {
            hidden += slack.take(from, to, seconds, 0.0).map_or(0.0, |taken| taken.hidden) * runs as f64;
        }
        if view.regions() != Regions::OfElements {
            let runs = runs.saturating_mul(times.turns[*inst]);
            hidden += view.inst.regions.iter().map(|inner| hidden_in(body, *inner, runs, times)).sum::<f64>();
        }
    }
    hidden
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
