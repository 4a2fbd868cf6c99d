//! Order of the forward pass, what crosses each of its positions, and the segments between places to cut.

use meshwright_ir::ids::InstId;
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Regions};
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;
use std::ops::Range;

use super::{Flow, Phase, sets};

/// Places to cut are where at most this many times the least crosses.
const NEAR_THE_LEAST: f64 = 1.01;

/// The forward pass in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForwardOrder {
    /// Its instructions: each behind those that depend on fewer parameters, and on what it reads.
    pub insts: Vec<InstId>,
    /// Bytes that cross each position, which is in front of the instruction of that number; the last one is the end.
    pub crossing: Vec<u64>,
    /// Positions at which least crosses: one of each run without products between.
    pub places: Vec<usize>,
}

impl ForwardOrder {
    pub(super) fn new(flow: &Flow<'_>, phases: &[Phase], full: &[u64]) -> Self {
        let mut order: Vec<usize> =
            (0..flow.insts.len()).filter(|at| phases[*at] == Phase::Forward).collect();
        order.sort_by_key(|at| (sets::count_common(flow.depends.of(*at), full), *at));
        let crossing = crossing(flow, phases, &order);
        let insts: Vec<InstId> = order.iter().map(|at| flow.insts[*at]).collect();
        let places = places(flow.body, &insts, &crossing);
        Self { insts, crossing, places }
    }

    /// Parts between places to cut, as ranges of positions.
    pub fn segments(&self) -> Vec<Range<usize>> {
        let ends = self.places.iter().copied().chain([self.insts.len()]);
        let starts = [0].into_iter().chain(self.places.iter().copied());
        starts.zip(ends).map(|(start, end)| start..end).filter(|range| !range.is_empty()).collect()
    }

    /// The same where segments that repeat one after the other are one, such as attention and MLP: layers.
    pub fn layers(&self, body: &Body) -> Vec<Range<usize>> {
        let segments = self.segments();
        let kinds = kinds(body, &segments.iter().map(|range| &self.insts[range.clone()]).collect::<Vec<_>>());
        let repeats = |at: usize, period: usize| kinds.get(at + period) == Some(&kinds[at]);
        let num_repeated = |period: &usize| (0..kinds.len()).filter(|at| repeats(*at, *period)).count();
        // Of periods that repeat equally much, the shortest.
        let period =
            (1..=kinds.len() / 2).rev().max_by_key(num_repeated).filter(|period| num_repeated(period) > 0);
        let mut layers = Vec::new();
        let mut at = 0;
        while at < segments.len() {
            let is_layer = |period: usize| {
                let is_whole = at + period <= segments.len();
                is_whole && (repeats(at, period) || (at >= period && repeats(at - period, period)))
            };
            let length = period.filter(|period| is_layer(*period)).unwrap_or(1);
            layers.push(segments[at].start..segments[at + length - 1].end);
            at += length;
        }
        layers
    }
}

/// Bytes that are made before each position and read behind it by what leads to the loss.
fn crossing(flow: &Flow<'_>, phases: &[Phase], order: &[usize]) -> Vec<u64> {
    let mut position = vec![None; flow.insts.len()];
    order.iter().enumerate().for_each(|(position_of, at)| position[*at] = Some(position_of));
    let readers = flow.readers();
    let mut change = vec![0_i64; order.len() + 2];
    for (own, at) in order.iter().enumerate() {
        let last = readers[*at].iter().filter_map(|reader| match phases[*reader] {
            Phase::Turning => Some(order.len()),
            _ => position[*reader],
        });
        if let Some(last) = last.max().filter(|last| *last > own) {
            change[own + 1] += flow.bytes(*at) as i64;
            change[last + 1] -= flow.bytes(*at) as i64;
        }
    }
    let mut crossing = 0;
    let add = |change: &i64| {
        crossing += change;
        crossing as u64
    };
    change[..=order.len()].iter().map(add).collect()
}

fn places(body: &Body, insts: &[InstId], crossing: &[u64]) -> Vec<usize> {
    let Some(least) = crossing.iter().copied().filter(|bytes| *bytes > 0).min() else { return Vec::new() };
    let is_good = |at: usize| crossing[at] > 0 && crossing[at] as f64 <= NEAR_THE_LEAST * least as f64;
    let mut places: Vec<usize> = Vec::new();
    let mut has_work = true;
    for at in 0..=insts.len() {
        if has_work && is_good(at) {
            places.push(at);
            has_work = false;
        }
        has_work |= insts.get(at).is_some_and(|inst| is_work(body, *inst));
    }
    places
}

/// Whether an instruction takes most of the time of what is around it.
fn is_work(body: &Body, inst: InstId) -> bool {
    let view = body.view(inst);
    let is_heavy = |shape: KernelShape| {
        matches!(shape, KernelShape::Matmul(_) | KernelShape::Attention(_) | KernelShape::Convolution(_))
    };
    view.regions() == Regions::Loop || is_heavy(view.kernel())
}

/// A number for each segment, equal for those of equal instructions.
fn kinds(body: &Body, segments: &[&[InstId]]) -> Vec<usize> {
    let mut known: FxHashMap<Vec<(&Op, Vec<&Type>)>, usize> = FxHashMap::default();
    let kind = |segment: &&[InstId]| {
        let ops =
            segment.iter().map(|inst| (&body.insts[*inst].op, body.view(*inst).result_types().collect()));
        let next = known.len();
        *known.entry(ops.collect()).or_insert(next)
    };
    segments.iter().map(kind).collect()
}
