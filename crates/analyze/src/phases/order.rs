//! Order of the forward pass, what crosses each of its positions, and the segments between places to cut.

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Regions};
use meshwright_tensor::types::Type;
use rustc_hash::FxHashMap;
use std::ops::Range;

use super::ranks::ranks;
use super::{Flow, Phase};

/// Places to cut are where at most this many times the least crosses.
const NEAR_THE_LEAST: f64 = 1.01;

/// Between two valleys at least this many times what crosses in either does.
const RISE: f64 = 1.5;

/// The forward pass in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForwardOrder {
    /// Its instructions: each behind those that depend on fewer parameters, and on what it reads.
    pub insts: Vec<InstId>,
    /// Bytes that cross each position, which is in front of the instruction of that number; the last one is the end.
    pub crossing: Vec<u64>,
    /// Positions at which least crosses: one of each run without products between.
    pub places: Vec<usize>,
    /// These and the positions at which less crosses than around them, as in a net whose values become smaller, or where
    /// connections skip layers: the least of each valley, by bytes and by number of values.
    pub valleys: Vec<usize>,
}

impl ForwardOrder {
    pub(super) fn new(flow: &Flow<'_>, phases: &[Phase], full: &[u64]) -> Self {
        let mut order: Vec<usize> =
            (0..flow.insts.len()).filter(|at| phases[*at] == Phase::Forward).collect();
        let leads = leads(flow, phases, &order);
        let rank = ranks(flow, phases, (&order, &leads), full);
        order.sort_by_key(|at| (rank[*at], *at));
        let values = crossing(flow, phases, (&order, &leads), &|_| 1);
        let crossing = crossing(flow, phases, (&order, &leads), &|value| flow.bytes(value));
        let insts: Vec<InstId> = order.iter().map(|at| flow.insts[*at]).collect();
        let least = crossing.iter().copied().filter(|bytes| *bytes > 0).min();
        let is_least = |at: usize| least.is_some_and(|least| is_near(crossing[at], least));
        let runs = runs(flow.body, &insts);
        let places = runs.iter().filter_map(|run| run.clone().find(|at| is_least(*at))).collect();
        let (by_bytes, by_values) = (lowest(&crossing), lowest(&values));
        let is_valley = |at: usize| by_bytes[at] || by_values[at];
        let valley = |run: &Range<usize>| {
            run.clone().find(|at| is_least(*at)).or_else(|| run.clone().find(|at| is_valley(*at)))
        };
        let valleys = runs.iter().filter_map(valley).collect();
        Self { insts, crossing, places, valleys }
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

/// Whether each instruction leads to the loss. What forward instructions make for the backward pass alone, as what is read out of
/// a stack of all layers, is made where that is.
fn leads(flow: &Flow<'_>, phases: &[Phase], order: &[usize]) -> Vec<bool> {
    let readers = flow.readers();
    let mut leads = vec![false; flow.insts.len()];
    for at in order.iter().rev() {
        leads[*at] = readers[*at].iter().any(|reader| phases[*reader] == Phase::Turning || leads[*reader]);
    }
    leads
}

/// Weight of the values that are made before each position and read behind it by what leads to the loss.
fn crossing(
    flow: &Flow<'_>,
    phases: &[Phase],
    (order, leads): (&[usize], &[bool]),
    weight: &dyn Fn(ValueId) -> u64,
) -> Vec<u64> {
    let mut position = vec![None; flow.insts.len()];
    order.iter().enumerate().for_each(|(position_of, at)| position[*at] = Some(position_of));
    // Where each value is read last; what an instruction leaves for the backward pass alone crosses nothing.
    let mut last: Table<ValueId, Option<usize>> = Table::filled(None, flow.body.values.len());
    for (reader, read) in flow.reads.iter().enumerate() {
        let own = match phases[reader] {
            Phase::Turning => Some(order.len()),
            _ => position[reader].filter(|_| leads[reader]),
        };
        read.iter().for_each(|value| last[*value] = last[*value].max(own));
    }
    let mut change = vec![0_i64; order.len() + 2];
    for (own, at) in order.iter().enumerate() {
        for value in &flow.body.insts[flow.insts[*at]].results {
            if let Some(last) = last[*value].filter(|last| *last > own) {
                change[own + 1] += weight(*value) as i64;
                change[last + 1] -= weight(*value) as i64;
            }
        }
    }
    let mut crossing = 0;
    let add = |change: &i64| {
        crossing += change;
        crossing as u64
    };
    change[..=order.len()].iter().map(add).collect()
}

fn is_near(crosses: u64, least: u64) -> bool {
    crosses > 0 && crosses as f64 <= NEAR_THE_LEAST * least as f64
}

/// Runs of positions without work between.
fn runs(body: &Body, insts: &[InstId]) -> Vec<Range<usize>> {
    let mut runs = Vec::new();
    let mut start = 0;
    for (at, inst) in insts.iter().enumerate() {
        if is_work(body, *inst) {
            runs.push(start..at + 1);
            start = at + 1;
        }
    }
    runs.push(start..insts.len() + 1);
    runs
}

/// Whether about as little crosses at each position as anywhere in its valley. A valley ends where what crosses has risen
/// enough above its least, and the next one begins where it has fallen as much again.
fn lowest(crossing: &[u64]) -> Vec<bool> {
    let mut is_lowest = vec![false; crossing.len()];
    let (mut start, mut least, mut most) = (0, u64::MAX, None);
    let mut close = |range: Range<usize>, least: u64| {
        range.for_each(|at| is_lowest[at] = is_near(crossing[at], least));
    };
    for (at, crosses) in crossing.iter().copied().enumerate() {
        match most {
            // In a valley, nothing before it counts.
            None if crosses == 0 => {}
            None if least < u64::MAX && crosses as f64 >= RISE * least as f64 => {
                close(start..at, least);
                most = Some(crosses);
            }
            None => least = least.min(crosses),
            Some(peak) if crosses as f64 * RISE <= peak as f64 => {
                (start, least, most) = (at, crosses, None);
            }
            Some(peak) => most = Some(peak.max(crosses)),
        }
    }
    if most.is_none() {
        close(start..crossing.len(), least);
    }
    is_lowest
}

/// Whether an instruction takes most of the time of what is around it.
fn is_work(body: &Body, inst: InstId) -> bool {
    let view = body.view(inst);
    let is_heavy = |shape: KernelShape| {
        matches!(
            shape,
            KernelShape::Matmul(_)
                | KernelShape::Attention(_)
                | KernelShape::ChunkScan(_)
                | KernelShape::Convolution(_)
        )
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

#[cfg(test)]
mod tests {
    use super::*;

    fn of(crossing: &[u64]) -> Vec<usize> {
        let is_lowest = lowest(crossing);
        (0..crossing.len()).filter(|at| is_lowest[*at]).collect()
    }

    #[test]
    fn each_valley_has_its_own_least() {
        // Layers between which one value crosses, then layers of half the size.
        assert_eq!(of(&[0, 10, 20, 10, 20, 10, 15, 5, 10, 5]), [1, 3, 5, 7, 9]);
        // A connection that skips the layers in the middle.
        assert_eq!(of(&[0, 10, 30, 20, 40, 20, 30, 10]), [1, 3, 5, 7]);
        // What falls to the least without a rise before is on its way there.
        assert_eq!(of(&[0, 10, 20, 14, 13, 10]), [1, 5]);
        assert_eq!(of(&[]), Vec::<usize>::new());
        assert_eq!(of(&[0, 0]), Vec::<usize>::new());
    }
}
