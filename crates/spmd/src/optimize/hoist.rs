//! Gathers of what a loop does not change are made once, before the loop, where memory allows.
//!
//! Without a machine the gathered values may not raise the peak at all; with one they may fill its memory. So the
//! layers of a model whose parameters are sharded to save memory stay gathered one at a time.

use super::Setting;
use super::rewrite::{Edit, Rewriter, each};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::trip_count;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, InstView};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Most candidates that are weighed one by one.
const MOST: usize = 32;

/// Most loops around one another out of which a gather is moved.
const ROUNDS: usize = 4;

pub(super) fn hoist_gathers(body: &Body, setting: &Setting<'_>) -> Option<Body> {
    let mut hoisted = one_level(body, setting)?;
    for _ in 1..ROUNDS {
        match one_level(&hoisted, setting) {
            Some(next) => hoisted = next,
            None => break,
        }
    }
    Some(hoisted)
}

fn one_level(body: &Body, setting: &Setting<'_>) -> Option<Body> {
    let loops = body.insts.ids().filter(|inst| matches!(body.insts[*inst].op, Op::While(_)));
    let mut candidates: Vec<Candidate> = loops.flat_map(|inst| candidates_of(&body.view(inst))).collect();
    candidates.sort_by_key(|candidate| (Reverse(candidate.saved), candidate.gather));
    candidates.truncate(MOST);
    if candidates.is_empty() {
        return None;
    }
    let most = setting.allowed_peak();
    let mut hoisted: Vec<Candidate> = Vec::new();
    let mut best = None;
    for candidate in candidates {
        hoisted.push(candidate);
        let attempt = each(body, Hoist { hoisted: &hoisted });
        if setting.peak(&attempt) <= most {
            best = Some(attempt);
        } else {
            hoisted.pop();
        }
    }
    best
}

/// A gather in a loop's body, of a value that is the same in all iterations.
struct Candidate {
    while_: InstId,
    gather: InstId,
    /// What it gathers, as the loop is given it.
    operand: ValueId,
    /// Bytes of results that need not be gathered again.
    saved: u64,
}

fn candidates_of(view: &InstView<'_>) -> Vec<Candidate> {
    let body = view.body;
    let [_, step] = *view.inst.regions.as_slice() else { return Vec::new() };
    let trips = trip_count(*view).unwrap_or(meshwright_cost::analysis::ASSUMED_TRIP_COUNT);
    let returned = body.terminator(step).map_or(&[][..], |inst| inst.operands.as_slice());
    let inside: BTreeSet<InstId> = body.regions[step].insts.iter().copied().collect();
    let unchanged = |value: ValueId| match body.values[value].def {
        Def::Argument(region, index) if region == step => {
            (returned.get(index) == Some(&value)).then(|| view.inst.operands[index])
        }
        Def::Result(inst, _) if inside.contains(&inst) => None,
        // What the loop reads from outside.
        _ => Some(value),
    };
    let gathers = body.regions[step].insts.iter().filter_map(|inst| {
        let gather = &body.insts[*inst];
        let ([operand], Op::AllGather(_)) = (gather.operands.as_slice(), &gather.op) else { return None };
        let bytes = body.ty(gather.results[0]).num_bytes() as u64;
        let saved = bytes.saturating_mul(trips.saturating_sub(1));
        Some(Candidate { while_: view.id, gather: *inst, operand: unchanged(*operand)?, saved })
    });
    gathers.filter(|candidate| candidate.saved > 0).collect()
}

struct Hoist<'a> {
    hoisted: &'a [Candidate],
}

impl Edit for Hoist<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        for candidate in self.hoisted.iter().filter(|candidate| candidate.while_ == view.id) {
            let gather = view.body.view(candidate.gather);
            let operand = rewriter.value(candidate.operand);
            let ty = gather.result(0).clone().into();
            let new = rewriter.emit(gather.inst.op.clone(), &[operand], &[], ty, gather.inst.span, to);
            rewriter.stand_for(gather.inst.results[0], new);
        }
        // In the body there is nothing left of it.
        self.hoisted.iter().any(|candidate| candidate.gather == view.id)
    }
}
