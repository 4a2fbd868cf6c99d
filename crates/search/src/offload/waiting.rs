//! What waits in the turns of loops over layers while something else takes the memory.
//!
//! Input: an analyzed function. Output: values that a turn makes and reads only behind its peak, such as the queries of an
//! attention while the rest of the layer runs backward, with the readers in front of which they have to be back: chunks of a
//! sequence lie on the host until they are worked on (FPDT, arXiv 2408.16978). What a loop over tiles reads part by part
//! comes part by part.
//!
//! The moment at which loops take most is looked at first. What waits there is taken, and the next such moment is looked at,
//! until one is found at which nothing waits: less is not taken by any turn then.

use meshwright_analyze::phases::reads;
use meshwright_cost::Analysis;
use meshwright_cost::memory::{Life, lives};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::loops::{Access, scan};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Regions};
use meshwright_transform::offload::parts::taken;
use std::collections::{BTreeMap, BTreeSet};

use super::{Candidate, Kind};

/// The share of the most that loops take at once that is too small to be moved.
const SMALL: f64 = 0.01;

/// Moments that are looked at.
const MOST_MOMENTS: usize = 32;

/// All that waits in the loops of a function's own region.
pub(super) fn waiting(analysis: &Analysis<'_>) -> Vec<Candidate> {
    let body = &analysis.function.body;
    let entry = &body.regions[body.entry()].insts;
    let loops: Vec<InstId> = entry.iter().copied().filter(|inst| is_over_layers(body, *inst)).collect();
    if loops.is_empty() {
        return Vec::new();
    }
    let all = lives(analysis);
    let moments: BTreeMap<InstId, u64> = all.moments.iter().copied().collect();
    let turns: Vec<Turn<'_>> = loops.iter().filter_map(|inst| Turn::of(body, *inst, &moments)).collect();
    let mut parts: Vec<Life> = all.lives;
    let mut found: BTreeMap<ValueId, BTreeSet<InstId>> = BTreeMap::new();
    let mut small = None;
    for _ in 0..MOST_MOMENTS {
        let Some((bytes, moment)) = peak(body, &parts, &turns) else { break };
        let small = *small.get_or_insert((SMALL * bytes as f64) as usize);
        let turn = turns.iter().find(|turn| turn.holds(moment)).expect("the peak of a turn");
        let chosen = turn.waiting(analysis, moment, &parts, small);
        if chosen.is_empty() {
            break;
        }
        for Waits { life, readers, gone } in chosen {
            let before = Life { moments: (life.moments.0, gone.0), ..life };
            let behind = Life { moments: (gone.1, life.moments.1), ..life };
            parts.retain(|part| *part != life);
            parts.extend([before, behind].into_iter().filter(|part| part.moments.0 < part.moments.1));
            found.entry(life.value).or_default().extend(readers);
        }
    }
    let candidate = |(value, readers)| Candidate { value, kind: Kind::Waiting, readers };
    found.into_iter().map(candidate).collect()
}

/// Returns whether a loop has a layer in each turn: of stacks it takes one after the other, where tiles take each n-th element.
fn is_over_layers(body: &Body, inst: InstId) -> bool {
    let view = body.view(inst);
    let is_layer = |access: &Access| access.dim == 0 && access.size == 1;
    view.regions() == Regions::Loop && scan(view).is_some_and(|scan| scan.accesses.iter().any(is_layer))
}

/// Returns whether a value waits, if it lies on the host: a turn of a loop makes it, inside of that over microbatches where a
/// step has some.
pub fn waits(body: &Body, value: ValueId, in_microbatches: bool) -> bool {
    let Def::Result(maker, _) = body.values[value].def else { return false };
    let (mut depth, mut region) = (0, body.region_of()[maker]);
    while region != body.entry() {
        depth += 1;
        let around = body.insts.iter().find(|(_, inst)| inst.regions.contains(&region));
        region = around.map_or(body.entry(), |(inst, _)| body.region_of()[inst]);
    }
    depth > usize::from(in_microbatches)
}

/// The most bytes at one moment of the turns, and the first such moment.
fn peak(body: &Body, lives: &[Life], turns: &[Turn<'_>]) -> Option<(usize, u64)> {
    let mut changes: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for Life { value, moments } in lives {
        let bytes = body.ty(*value).num_bytes();
        changes.entry(moments.0).or_default().0 += bytes;
        changes.entry(moments.1).or_default().1 += bytes;
    }
    let (mut bytes, mut most) = (0_usize, None);
    for (moment, (more, less)) in changes {
        bytes = bytes + more - less;
        let is_more = most.is_none_or(|(before, _)| bytes > before);
        if is_more && turns.iter().any(|turn| turn.holds(moment)) {
            most = Some((bytes, moment));
        }
    }
    most
}

/// The turns of a loop.
struct Turn<'a> {
    insts: &'a [InstId],
    /// While each of its instructions runs, with all inside: the first moment, and one past the last.
    spans: Vec<(u64, u64)>,
}

/// A value that waits.
struct Waits {
    life: Life,
    /// In front of which it is brought.
    readers: BTreeSet<InstId>,
    /// The moments at which it is not on the device.
    gone: (u64, u64),
}

impl<'a> Turn<'a> {
    fn of(body: &'a Body, inst: InstId, moments: &BTreeMap<InstId, u64>) -> Option<Self> {
        let region = *body.insts[inst].regions.last()?;
        let insts = body.regions[region].insts.as_slice();
        let mut before = 0;
        let mut spans = Vec::with_capacity(insts.len());
        for inst in insts {
            let inside = body.insts[*inst].regions.iter().flat_map(|region| body.walk(*region));
            let own: Vec<u64> =
                std::iter::once(*inst).chain(inside).filter_map(|inst| moments.get(&inst).copied()).collect();
            let first = own.iter().min().copied().unwrap_or(before);
            let last = own.iter().max().map_or(first, |last| last + 1);
            before = before.max(last);
            spans.push((first, last));
        }
        (before > 0).then_some(Self { insts, spans })
    }

    fn holds(&self, moment: u64) -> bool {
        let first = self.spans.iter().find(|(first, last)| first < last).map_or(0, |(first, _)| *first);
        let last = self.spans.iter().map(|(_, last)| *last).max().unwrap_or(0);
        (first..last).contains(&moment)
    }

    /// What waits at a moment.
    fn waiting(&self, analysis: &Analysis<'_>, moment: u64, lives: &[Life], small: usize) -> Vec<Waits> {
        let body = &analysis.function.body;
        let now = self.spans.iter().position(|(first, last)| (*first..*last).contains(&moment));
        let Some(now) = now else { return Vec::new() };
        let readers = self.readers(analysis);
        let waits = |life: &Life| {
            let Def::Result(maker, _) = body.values[life.value].def else { return None };
            // Barriers of what is made again are in no text, so that nothing can be said of them.
            if matches!(body.insts[maker].op, Op::OptimizationBarrier(_)) {
                return None;
            }
            let made = self.insts.iter().position(|inst| *inst == maker)?;
            let is_there = (life.moments.0..life.moments.1).contains(&moment);
            if made >= now || !is_there || body.ty(life.value).num_bytes() <= small {
                return None;
            }
            let own = readers.get(&life.value)?;
            let comes_in_parts = own.contains(&now) && taken(body, self.insts[now], life.value).is_some();
            if own.contains(&now) && !comes_in_parts {
                return None;
            }
            let last = own.iter().copied().filter(|at| *at < now).max().unwrap_or(made);
            let next = own.iter().copied().find(|at| *at > now);
            // What the turn ends with is never brought for that.
            if next.is_some_and(|at| matches!(body.insts[self.insts[at]].op, Op::Return(_))) {
                return None;
            }
            let brought = comes_in_parts.then_some(now).into_iter().chain(next);
            let readers: BTreeSet<InstId> = brought.map(|at| self.insts[at]).collect();
            let until = next.map_or(life.moments.1, |at| self.spans[at].0).min(life.moments.1);
            let gone = (self.spans[last].1.max(life.moments.0), until);
            (!readers.is_empty() && gone.0 < gone.1).then_some(Waits { life: *life, readers, gone })
        };
        lives.iter().filter_map(waits).collect()
    }

    /// Where in the turn each value is read, also through what is made of it and not kept.
    fn readers(&self, analysis: &Analysis<'_>) -> BTreeMap<ValueId, BTreeSet<usize>> {
        let body = &analysis.function.body;
        let mut readers: BTreeMap<ValueId, BTreeSet<usize>> = BTreeMap::new();
        for (at, inst) in self.insts.iter().enumerate() {
            reads(body, *inst).into_iter().for_each(|value| _ = readers.entry(value).or_default().insert(at));
        }
        for inst in self.insts.iter().rev().filter(|inst| is_passing(analysis, **inst)) {
            for (operand, result) in passes(body, *inst) {
                let behind = readers.get(&result).cloned().unwrap_or_default();
                readers.entry(operand).or_default().extend(behind);
            }
        }
        readers
    }
}

/// Instructions that make something of each value that waits which is not kept, so that readers behind a copy of the value make it again.
#[must_use]
pub fn again(analysis: &Analysis<'_>, values: &BTreeSet<ValueId>) -> BTreeMap<ValueId, BTreeSet<InstId>> {
    let body = &analysis.function.body;
    let region_of = body.region_of();
    let mut all = BTreeMap::new();
    for value in values {
        let Def::Result(maker, _) = body.values[*value].def else { continue };
        let mut made: BTreeSet<ValueId> = [*value].into();
        let mut own = BTreeSet::new();
        for inst in &body.regions[region_of[maker]].insts {
            if is_passing(analysis, *inst) {
                let of_it: Vec<ValueId> = passes(body, *inst)
                    .into_iter()
                    .filter(|(from, _)| made.contains(from))
                    .map(|(_, to)| to)
                    .collect();
                if !of_it.is_empty() {
                    own.insert(*inst);
                    made.extend(of_it);
                }
            }
        }
        all.insert(*value, own);
    }
    all
}

/// Whether an instruction makes nothing that is kept: it is made inside of what reads it, or gives other names.
fn is_passing(analysis: &Analysis<'_>, inst: InstId) -> bool {
    let body = &analysis.function.body;
    let content = &body.insts[inst];
    let is_shape = matches!(content.op, Op::Reshape(_) | Op::OptimizationBarrier(_));
    let is_kept = content.results.iter().any(|result| analysis.fusion.is_stored[*result]);
    !content.results.is_empty()
        && content.regions.is_empty()
        && !content.op.has_side_effects()
        && (is_shape || !is_kept)
}

/// Which results an instruction makes of which operands.
fn passes(body: &Body, inst: InstId) -> Vec<(ValueId, ValueId)> {
    let content = &body.insts[inst];
    match content.op {
        Op::OptimizationBarrier(_) => {
            content.operands.iter().copied().zip(content.results.iter().copied()).collect()
        }
        _ => content
            .operands
            .iter()
            .flat_map(|operand| content.results.iter().map(|result| (*operand, *result)))
            .collect(),
    }
}
