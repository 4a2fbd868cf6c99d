//! Collectives are started early and waited for late, so that they are in flight while the device works.
//!
//! Input: collectives between other instructions. Output: `stablehlo.async_start` where the operands are there, and
//! `stablehlo.async_done` before the first reader of the result, for those that the work between hides:
//!
//! ```text
//! %1 = all_gather %w         %1 = async_start(%w) { all_gather }
//! %2 = dot %x, %y       ->   %2 = dot %x, %y
//! %3 = dot %2, %1            %3 = async_done %1
//!                            %4 = dot %2, %3
//! ```
//!
//! A collective starts no earlier than it must to be there in time, since its result takes memory from then on; work
//! hides one collective at a time. Where too little stands between, what follows and needs nothing of the result is
//! done first, if the peak stays what it is. What is started may fill the machine's memory and no more.
//!
//! Only for engines that honor the pair: the embedded one does, and XLA reads it.

use super::times::{Slack, Times};
use super::{Collectives, PassContext};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::async_op::Async;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::program::{Body, Def, InstView, Region, Regions};
use meshwright_ir::rewrite::{Rewriter, each};
use meshwright_tensor::types::Type;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Instructions behind the first reader of a collective among which other work is looked for.
const FAR: usize = 256;

pub(super) fn overlap_collectives(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let target = context.target.filter(|target| target.collectives == Collectives::Async)?;
    let main = context.device.program.main()?;
    let function = main.with_body(body.clone());
    // Starting and waiting are two launches in place of one.
    let least = 2.0 * target.placement.machine.device.launch_overhead.0;
    let plan = Plan { body, times: Times::new(&function, target.placement), reads: reads(body), least };
    // The order as it is.
    let (flights, exposed) = plan.all(body);
    let kept = most_that_fit(body, flights, |attempt| context.fitting(attempt));
    // An order that leaves more work between.
    let Some(reordered) = plan.reordered(&exposed) else { return kept.map(|(_, body)| body) };
    let (flights, _) = plan.all(&reordered);
    let hides = |flights: &[Flight]| flights.iter().map(|flight| flight.hidden).sum::<f64>();
    let before = kept.as_ref().map_or(0.0, |(flights, _)| hides(flights));
    let most = context.peak(kept.as_ref().map_or(body, |(_, kept)| kept));
    let other =
        most_that_fit(&reordered, flights, |attempt| (context.peak(&attempt) <= most).then_some(attempt));
    let better = other.filter(|(flights, _)| hides(flights) > before);
    better.or(kept).map(|(_, body)| body)
}

/// A collective that is started.
#[derive(Clone, Copy, Debug)]
struct Flight {
    inst: InstId,
    /// It starts before this instruction,
    start: InstId,
    /// and is waited for before this one.
    wait: InstId,
    /// Seconds that are hidden.
    hidden: f64,
}

/// The flights that hide most, as many as `fitting` lets pass, and the body with them.
fn most_that_fit(
    body: &Body,
    mut flights: Vec<Flight>,
    fitting: impl Fn(Body) -> Option<Body>,
) -> Option<(Vec<Flight>, Body)> {
    flights.sort_by(|left, right| right.hidden.total_cmp(&left.hidden).then(left.inst.cmp(&right.inst)));
    let (mut most, mut best) = (0, None);
    let mut too_many = flights.len() + 1;
    let mut attempt = flights.len();
    while most < attempt && attempt < too_many {
        match fitting(started(body, &flights[..attempt])) {
            Some(made) => (most, best) = (attempt, Some(made)),
            None => too_many = attempt,
        }
        attempt = most.midpoint(too_many);
    }
    flights.truncate(most);
    best.map(|body| (flights, body))
}

struct Plan<'a> {
    body: &'a Body,
    times: Times<'a>,
    /// The values that each instruction reads, itself or in its regions.
    reads: Table<InstId, Vec<ValueId>>,
    /// Fewer seconds are not worth hiding.
    least: f64,
}

/// A collective that is in flight while the device waits for it.
struct Exposed {
    region: RegionId,
    inst: InstId,
    /// Its first reader.
    reader: InstId,
    seconds: f64,
}

impl Plan<'_> {
    /// What is started in the regions that run as they stand; `body` differs from the plan's in their order alone.
    fn all(&self, body: &Body) -> (Vec<Flight>, Vec<Exposed>) {
        let (mut flights, mut exposed) = (Vec::new(), Vec::new());
        for region in regions_that_run(body) {
            self.region(body, region, &mut flights, &mut exposed);
        }
        (flights, exposed)
    }

    fn region(&self, body: &Body, region: RegionId, flights: &mut Vec<Flight>, exposed: &mut Vec<Exposed>) {
        let insts = &body.regions[region].insts;
        let position: BTreeMap<InstId, usize> =
            insts.iter().enumerate().map(|(at, inst)| (*inst, at)).collect();
        let mut readers: BTreeMap<ValueId, Vec<usize>> = BTreeMap::new();
        for (at, inst) in insts.iter().enumerate() {
            self.reads[*inst].iter().for_each(|value| readers.entry(*value).or_default().push(at));
        }
        // What moves ahead reads where it starts, or where it stood, should it not be started after all.
        let mut reads_at: Vec<usize> = (0..insts.len()).collect();
        let first_read = |inst: InstId, reads_at: &[usize]| {
            let result = *body.insts[inst].results.first()?;
            readers.get(&result)?.iter().map(|reader| reads_at[*reader]).min()
        };
        let may_start = |inst: &InstId| self.times.flight[*inst].is_some() && is_startable(&body.view(*inst));
        let mut candidates: Vec<InstId> = insts.iter().copied().filter(may_start).collect();
        candidates.sort_by_key(|inst| (Reverse(first_read(*inst, &reads_at)), Reverse(position[inst])));
        let mut slack = Slack::new(insts.iter().map(|inst| self.times.busy[*inst]).collect());
        for inst in candidates {
            let (Some(to), Some(seconds)) = (first_read(inst, &reads_at), self.times.flight[inst]) else {
                continue;
            };
            let made = |value: &ValueId| match body.values[*value].def {
                Def::Result(inst, _) => position.get(&inst).map(|at| at + 1),
                Def::Argument(..) => None,
            };
            let from = self.reads[inst].iter().filter_map(made).max().unwrap_or(0);
            let taken = slack.take(from, to, seconds, self.least);
            let hidden = taken.map_or(0.0, |taken| taken.hidden);
            if let Some(taken) = taken {
                let at = position[&inst];
                reads_at[at] = at.min(taken.from);
                let (start, wait) = (insts[taken.from], insts[to]);
                flights.push(Flight { inst, start, wait, hidden });
            }
            if seconds - hidden > self.least {
                exposed.push(Exposed { region, inst, reader: insts[to], seconds: seconds - hidden });
            }
        }
    }

    /// The body in an order in which more work stands between exposed collectives and their readers; `None` if there
    /// is no such work.
    fn reordered(&self, exposed: &[Exposed]) -> Option<Body> {
        let mut body = self.body.clone();
        let mut moved: BTreeSet<InstId> = BTreeSet::new();
        for exposed in exposed.iter().rev() {
            let insts = &body.regions[exposed.region].insts;
            let Some(at) = insts.iter().position(|inst| *inst == exposed.reader) else { continue };
            let chosen = self.independent(&insts[at..], exposed, &moved);
            if chosen.is_empty() {
                continue;
            }
            let (mut ahead, behind): (Vec<InstId>, Vec<InstId>) =
                insts[at..].iter().partition(|inst| chosen.contains(inst));
            ahead.extend(behind);
            body.regions[exposed.region].insts.splice(at.., ahead);
            moved.extend(chosen);
        }
        (!moved.is_empty()).then_some(body)
    }

    /// Of `insts`, the first of which reads a collective: work that can be done before it, with all that it needs.
    fn independent(&self, insts: &[InstId], exposed: &Exposed, moved: &BTreeSet<InstId>) -> BTreeSet<InstId> {
        let body = self.body;
        let last = insts.len().saturating_sub(1);
        let mut dependent: BTreeSet<ValueId> = body.insts[exposed.inst].results.iter().copied().collect();
        let mut free: Vec<InstId> = Vec::new();
        let mut wanted = exposed.seconds;
        for inst in insts[..last].iter().take(FAR) {
            let source = &body.insts[*inst];
            let stays = source.op.is_collective()
                || source.op.has_side_effects()
                || !source.regions.is_empty() && body.view(*inst).regions() != Regions::OfElements
                || self.reads[*inst].iter().any(|value| dependent.contains(value));
            if stays {
                dependent.extend(source.results.iter().copied());
                continue;
            }
            free.push(*inst);
            if !moved.contains(inst) {
                wanted -= self.times.busy[*inst];
            }
            if wanted <= 0.0 {
                break;
            }
        }
        // Work that is worth it, and what it reads.
        let mut needed: BTreeSet<ValueId> = BTreeSet::new();
        let mut chosen = BTreeSet::new();
        for inst in free.into_iter().rev() {
            let is_work = self.times.busy[inst] > self.least && !moved.contains(&inst);
            if is_work || body.insts[inst].results.iter().any(|result| needed.contains(result)) {
                needed.extend(self.reads[inst].iter().copied());
                chosen.insert(inst);
            }
        }
        chosen
    }
}

/// The entry, and the regions of loops and branches.
fn regions_that_run(body: &Body) -> Vec<RegionId> {
    let inner = body.walk(body.entry()).into_iter().map(|inst| body.view(inst));
    let inner = inner.filter(|view| view.regions() != Regions::OfElements);
    [body.entry()].into_iter().chain(inner.flat_map(|view| view.inst.regions.iter().copied())).collect()
}

fn reads(body: &Body) -> Table<InstId, Vec<ValueId>> {
    let all = |inst: InstId| {
        let mut values = body.insts[inst].operands.clone();
        for region in &body.insts[inst].regions {
            values.extend(body.walk(*region).iter().flat_map(|inner| &body.insts[*inner].operands));
        }
        values
    };
    body.insts.ids().map(all).collect()
}

/// Whether a collective can stand in an `async_start`: it has one result, since StableHLO's `async_done` gives one value,
/// and its reducer reads nothing from outside.
/// XLA makes several ops of an `all_to_all`, and accepts but one there.
fn is_startable(view: &InstView<'_>) -> bool {
    let ([result], [_]) = (view.inst.results.as_slice(), view.inst.operands.as_slice()) else { return false };
    let insts: Vec<InstId> = view.inst.regions.iter().flat_map(|region| view.body.walk(*region)).collect();
    let is_inside = |value: &ValueId| match view.body.values[*value].def {
        Def::Result(inst, _) => insts.contains(&inst),
        Def::Argument(region, _) => view.inst.regions.contains(&region),
    };
    view.body.ty(*result).as_tensor().is_some()
        && !matches!(view.inst.op, Op::Async(_) | Op::AllToAll(_))
        && insts.iter().flat_map(|inst| &view.body.insts[*inst].operands).all(is_inside)
}

/// The body with these collectives started and waited for.
fn started(body: &Body, flights: &[Flight]) -> Body {
    let mut starts: BTreeMap<InstId, Vec<&Flight>> = BTreeMap::new();
    let mut waits: BTreeMap<InstId, Vec<&Flight>> = BTreeMap::new();
    let mut flying: Vec<&Flight> = flights.iter().collect();
    flying.sort_by_key(|flight| flight.inst);
    for flight in flying {
        starts.entry(flight.start).or_default().push(flight);
        waits.entry(flight.wait).or_default().push(flight);
    }
    let mut futures: BTreeMap<InstId, ValueId> = BTreeMap::new();
    let is_started: BTreeSet<InstId> = flights.iter().map(|flight| flight.inst).collect();
    each(body, |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId| {
        for flight in waits.get(&view.id).into_iter().flatten() {
            let source = &body.insts[flight.inst];
            if let (Some(future), Some(result)) = (futures.get(&flight.inst), source.results.first()) {
                let ty = body.ty(*result).clone();
                let done = rewriter.emit(Async::Done.into(), &[*future], &[], ty, source.span, to);
                rewriter.stand_for(*result, done);
            }
        }
        for flight in starts.get(&view.id).into_iter().flatten() {
            let future = start(rewriter, &body.view(flight.inst), to);
            futures.insert(flight.inst, future);
        }
        is_started.contains(&view.id)
    })
}

/// Emits an `async_start`.
fn start(rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> ValueId {
    let (span, source) = (view.inst.span, view.inst);
    let region = rewriter.to.regions.push(Region::default());
    let types: Vec<Type> = view.operand_types().cloned().collect();
    let args: Vec<ValueId> =
        types.into_iter().map(|ty| rewriter.to.add_arg(region, ty, Span::NONE)).collect();
    let result: Vec<Type> = view.result_types().cloned().collect();
    let regions = source.regions.iter().map(|inner| rewriter.copy_elements(*inner)).collect();
    let inner = rewriter.to.append(region, source.op.clone(), args, regions, result.clone(), span);
    rewriter.to.insts[inner].attributes = source.attributes.clone();
    let returned = rewriter.to.insts[inner].results.clone();
    rewriter.to.append(region, Return::Stablehlo.into(), returned, Vec::new(), Vec::new(), span);
    let operands: Vec<ValueId> = source.operands.iter().map(|operand| rewriter.value(*operand)).collect();
    let future = vec![Type::Future(result)];
    let inst = rewriter.to.append(to, Async::Start.into(), operands, vec![region], future, span);
    rewriter.to.insts[inst].results[0]
}
