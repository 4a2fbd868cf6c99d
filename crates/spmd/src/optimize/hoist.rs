//! Gathers, exchanges and sums over devices of what a loop does not change are made once, before the loop, where memory
//! allows; so is what they are made of, if the loop computes it from nothing else.
//!
//! Without a machine what is made before may not raise the peak at all; with one it may fill its memory. So the
//! layers of a model whose parameters are sharded to save memory stay gathered one at a time.

use super::PassContext;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::trip_count;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, each};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Most candidates that are weighed.
const MOST: usize = 32;

/// Most loops around one another out of which a collective is moved.
const ROUNDS: usize = 4;

pub(super) fn hoist_gathers(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let mut hoisted = one_level(body, context)?;
    for _ in 1..ROUNDS {
        match one_level(&hoisted, context) {
            Some(next) => hoisted = next,
            None => break,
        }
    }
    Some(hoisted)
}

fn one_level(body: &Body, context: &PassContext<'_>) -> Option<Body> {
    let loops = body.insts.ids().filter(|inst| matches!(body.insts[*inst].op, Op::While(_)));
    let mut candidates: Vec<Candidate> = loops.flat_map(|inst| candidates_of(&body.view(inst))).collect();
    candidates.sort_by_key(|candidate| (Reverse(candidate.saved), candidate.collective));
    candidates.truncate(MOST);
    if candidates.is_empty() {
        return None;
    }
    // Mostly there is memory for all of them.
    let all: Vec<&Candidate> = candidates.iter().collect();
    if let Some(body) = context.fitting(each(body, Hoist { hoisted: &all })) {
        return Some(body);
    }
    let mut hoisted: Vec<&Candidate> = Vec::new();
    let mut best = None;
    // Layers are alike: of what saves as much all are tried, then by halving how many fit.
    for alike in candidates.chunk_by(|a, b| a.saved == b.saved) {
        let (mut fits, mut exceeds) = (0, alike.len() + 1);
        while exceeds - fits > 1 {
            let count = if exceeds > alike.len() { alike.len() } else { fits + (exceeds - fits) / 2 };
            let tried: Vec<&Candidate> = hoisted.iter().copied().chain(&alike[..count]).collect();
            let attempt = each(body, Hoist { hoisted: &tried });
            match context.fitting(attempt) {
                Some(attempt) => (fits, best) = (count, Some(attempt)),
                None => exceeds = count,
            }
        }
        hoisted.extend(&alike[..fits]);
    }
    best
}

/// A collective in a loop's body, of a value that is the same in all iterations.
struct Candidate {
    while_: InstId,
    collective: InstId,
    /// What the loop computes for it, in order.
    before: Vec<InstId>,
    /// Bytes of results that need not be made again.
    saved: u64,
}

/// The value that the loop `view` is given for one that no iteration changes; `None` for what its body computes, and for
/// what changes.
fn given(view: &InstView<'_>, inside: &BTreeSet<InstId>, value: ValueId) -> Option<ValueId> {
    let [_, step] = *view.inst.regions.as_slice() else { return None };
    let body = view.body;
    match body.values[value].def {
        Def::Argument(region, index) if region == step => {
            let returned = body.terminator(step)?.operands.get(index);
            if returned == Some(&value) { view.inst.operands.get(index).copied() } else { None }
        }
        Def::Result(inst, _) if inside.contains(&inst) => None,
        // What the loop reads from outside.
        _ => Some(value),
    }
}

fn insts_inside(view: &InstView<'_>) -> BTreeSet<InstId> {
    let step = view.inst.regions.get(1);
    step.map(|step| view.body.regions[*step].insts.iter().copied().collect()).unwrap_or_default()
}

fn candidates_of(view: &InstView<'_>) -> Vec<Candidate> {
    let body = view.body;
    let [_, step] = *view.inst.regions.as_slice() else { return Vec::new() };
    let trips = trip_count(*view).unwrap_or(meshwright_cost::analysis::ASSUMED_TRIP_COUNT);
    let inside = insts_inside(view);
    let mut same: BTreeSet<InstId> = BTreeSet::new();
    let mut candidates = Vec::new();
    for inst in &body.regions[step].insts {
        let source = &body.insts[*inst];
        let is_same = |value: &ValueId| match body.values[*value].def {
            Def::Result(made, _) if inside.contains(&made) => same.contains(&made),
            _ => given(view, &inside, *value).is_some(),
        };
        if !source.operands.iter().all(is_same) {
            continue;
        }
        match (source.operands.as_slice(), source.results.as_slice()) {
            ([operand], [_]) if is_movable(&source.op) => {
                let bytes = body.ty(source.results[0]).num_bytes() as u64;
                let saved = bytes.saturating_mul(trips.saturating_sub(1));
                let before = needed(view, &inside, *operand);
                candidates.push(Candidate { while_: view.id, collective: *inst, before, saved });
            }
            _ if is_plain(&body.view(*inst)) => {
                same.insert(*inst);
            }
            _ => {}
        }
    }
    candidates.retain(|candidate| candidate.saved > 0);
    candidates
}

/// Whether a collective gives the same whenever it runs.
fn is_movable(op: &Op) -> bool {
    matches!(
        op,
        Op::AllGather(_)
            | Op::AllReduce(_)
            | Op::ReduceScatter(_)
            | Op::AllToAll(_)
            | Op::CollectivePermute(_)
    )
}

/// Whether an instruction may stand elsewhere: it sends nothing, has no effects, and gives the same whenever it runs.
fn is_plain(view: &InstView<'_>) -> bool {
    let op = &view.inst.op;
    view.inst.regions.is_empty()
        && view.inst.results.len() == 1
        && view.result_types().all(|ty| ty.as_tensor().is_some())
        && !op.is_collective()
        && !op.has_side_effects()
        && !matches!(op, Op::Rng(_) | Op::Async(_) | Op::CustomCall(_))
}

/// The instructions of a loop's body that a value is computed by, in order.
fn needed(view: &InstView<'_>, inside: &BTreeSet<InstId>, value: ValueId) -> Vec<InstId> {
    let body = view.body;
    let mut wanted: BTreeSet<InstId> = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        if let Def::Result(inst, _) = body.values[value].def
            && inside.contains(&inst)
            && wanted.insert(inst)
        {
            open.extend(&body.insts[inst].operands);
        }
    }
    let order = view.inst.regions.get(1).map_or(&[][..], |step| &body.regions[*step].insts);
    order.iter().copied().filter(|inst| wanted.contains(inst)).collect()
}

struct Hoist<'a> {
    hoisted: &'a [&'a Candidate],
}

impl Edit for Hoist<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let mut moved: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        let inside = match self.hoisted.iter().any(|candidate| candidate.while_ == view.id) {
            true => insts_inside(view),
            false => BTreeSet::new(),
        };
        for candidate in self.hoisted.iter().filter(|candidate| candidate.while_ == view.id) {
            for inst in candidate.before.iter().chain([&candidate.collective]) {
                let source = view.body.view(*inst);
                let result = source.inst.results[0];
                if moved.contains_key(&result) {
                    continue;
                }
                let operand = |value: &ValueId| match moved.get(value) {
                    Some(new) => Some(*new),
                    None => given(view, &inside, *value).map(|outside| rewriter.value(outside)),
                };
                let Some(operands) = source.inst.operands.iter().map(operand).collect::<Option<Vec<_>>>()
                else {
                    continue;
                };
                let ty = source.result(0).clone().into();
                let (op, regions, span) = (source.inst.op.clone(), &source.inst.regions, source.inst.span);
                let new = rewriter.emit(op, &operands, regions, ty, span, to);
                moved.insert(result, new);
                if *inst == candidate.collective {
                    rewriter.stand_for(result, new);
                }
            }
        }
        // In the body there is nothing left of it.
        self.hoisted.iter().any(|candidate| candidate.collective == view.id)
    }
}
