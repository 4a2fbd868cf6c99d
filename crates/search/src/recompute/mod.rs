//! Recomputation: which activations are kept for the backward pass, and which are made again there.
//!
//! Input: a function that trains, its phases and costs, and a device. Output: a [`Recomputation`], which knows for each
//! segment of the forward pass (a layer) what keeping and making again cost ([`hull`]); from it a [`Hull`] of the whole,
//! and the [`Named`] ways of the field. What is chosen is a set of instructions, and as decisions the uses of their
//! results ([`uses()`]): the program in which they run again is made by `meshwright_transform::recompute`.
//!
//! Equal segments share one answer. Seconds and bytes are those of the whole, before anything is sharded.

pub mod hull;
pub mod named;
mod scanned;
pub mod segment;
mod uses;

pub use named::Named;
pub use uses::uses;

use hull::{Problem, Vertex, vertices};
use meshwright_analyze::{Phases, Roles};
use meshwright_cost::Analysis;
use meshwright_ir::ids::InstId;
use meshwright_machine::{Bytes, Device, Seconds};
use segment::{Facts, Segment};
use std::collections::{BTreeMap, BTreeSet};

/// A function that trains, cut into segments.
pub struct Recomputation<'a> {
    facts: Facts<'a>,
    roles: &'a Roles,
    /// The segments of the forward pass, in order.
    pub segments: Vec<Segment>,
    /// The kind of each segment, a position in `kinds`.
    kind_of: Vec<usize>,
    /// One of each kind of segment, with how often those run that are equal to it.
    kinds: Vec<(Problem, u64)>,
}

/// Kept bytes against seconds of the whole forward pass.
#[derive(Clone, Debug, PartialEq)]
pub struct Hull {
    /// Vertices of each kind of segment.
    of_kinds: Vec<Vec<Vertex>>,
    /// From the fewest seconds to the fewest bytes.
    pub points: Vec<Point>,
}

/// A choice of what is kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// Bytes that are kept for the backward pass.
    pub kept: Bytes,
    /// Seconds of what is made again, and of keeping the rest.
    pub seconds: Seconds,
    /// The vertex of each kind of segment.
    vertices: Vec<usize>,
}

impl<'a> Recomputation<'a> {
    /// Cuts a function into segments.
    pub fn new(analysis: &'a Analysis<'a>, roles: &'a Roles, phases: &'a Phases, device: &'a Device) -> Self {
        let facts = Facts::new(analysis, phases, device);
        let segments = facts.segments();
        let mut known: BTreeMap<&Problem, usize> = BTreeMap::new();
        let mut kinds: Vec<(Problem, u64)> = Vec::new();
        let mut kind_of = Vec::new();
        for Segment { problem, times, .. } in &segments {
            let kind = *known.entry(problem).or_insert_with(|| {
                kinds.push((problem.clone(), 0));
                kinds.len() - 1
            });
            kinds[kind].1 += times;
            kind_of.push(kind);
        }
        Self { facts, roles, segments, kind_of, kinds }
    }

    /// Bytes that every choice keeps: what segments leave to one another.
    pub fn pinned(&self) -> Bytes {
        let body = &self.facts.analysis.function.body;
        let values = self.segments.iter().flat_map(|segment| &segment.pinned);
        Bytes(values.map(|value| body.ty(*value).num_bytes() as u64).sum())
    }

    /// The instructions that may run again.
    pub fn candidates(&self) -> impl Iterator<Item = InstId> {
        let with_makers =
            self.segments.iter().flat_map(|segment| segment.insts.iter().zip(&segment.problem.makers));
        with_makers.filter(|(_, maker)| maker.may_repeat).map(|(inst, _)| *inst)
    }

    /// The hull of the whole: at every price, what is best for each segment.
    pub fn hull(&self) -> Hull {
        let of_kinds: Vec<Vec<Vertex>> = self.kinds.iter().map(|(problem, _)| vertices(problem)).collect();
        // Steps from vertex to vertex: kind, bytes that it saves and picoseconds that it takes.
        let mut steps: Vec<(usize, u64, u64)> = Vec::new();
        for (kind, vertices) in of_kinds.iter().enumerate() {
            let step =
                |pair: &[Vertex]| (pair[0].bytes - pair[1].bytes, pair[1].picoseconds - pair[0].picoseconds);
            steps.extend(vertices.windows(2).map(step).map(|(saved, taken)| (kind, saved, taken)));
        }
        // The cheapest first; those of a kind are in this order already.
        steps.sort_by(|one, other| {
            let product = |taken: u64, saved: u64| u128::from(taken) * u128::from(saved);
            product(one.2, other.1).cmp(&product(other.2, one.1))
        });
        let mut vertices = vec![0; of_kinds.len()];
        let mut points = vec![self.point(&of_kinds, vertices.clone())];
        for (kind, ..) in steps {
            vertices[kind] += 1;
            points.push(self.point(&of_kinds, vertices.clone()));
        }
        Hull { of_kinds, points }
    }

    /// Seconds that the fastest choice takes less than to make nothing again.
    pub fn spared(&self, hull: &Hull) -> Seconds {
        let nothing = |(problem, count): &(Problem, u64)| {
            count * hull::vertex(problem, vec![false; problem.makers.len()]).picoseconds
        };
        let nothing = Seconds(self.kinds.iter().map(nothing).sum::<u64>() as f64 * 1e-12);
        Seconds((nothing - hull.points[0].seconds).0.max(0.0))
    }

    fn point(&self, of_kinds: &[Vec<Vertex>], vertices: Vec<usize>) -> Point {
        let (mut bytes, mut picoseconds) = (self.pinned().0, 0);
        for (kind, (_, count)) in self.kinds.iter().enumerate() {
            let vertex = &of_kinds[kind][vertices[kind]];
            bytes += count * vertex.bytes;
            picoseconds += count * vertex.picoseconds;
        }
        Point { kept: Bytes(bytes), seconds: Seconds(picoseconds as f64 * 1e-12), vertices }
    }

    /// The instructions that run again.
    pub fn again(&self, hull: &Hull, point: &Point) -> BTreeSet<InstId> {
        let vertex = |kind: usize| &hull.of_kinds[kind][point.vertices[kind]];
        self.insts(self.kind_of.iter().map(|kind| &vertex(*kind).again[..]))
    }

    /// The instructions that run again, by what runs again in each segment. What lies in no memory is made by its readers,
    /// so it runs again for those that do, and for the backward pass only if what it is made of is not there.
    fn insts<'b>(&self, again: impl Iterator<Item = &'b [bool]>) -> BTreeSet<InstId> {
        let mut insts = BTreeSet::new();
        for (segment, again) in self.segments.iter().zip(again) {
            let needed = needed(&segment.problem, again);
            insts.extend(
                segment.insts.iter().zip(needed).filter(|(_, needed)| *needed).map(|(inst, _)| *inst),
            );
        }
        let mut open: Vec<InstId> = insts.iter().copied().collect();
        while let Some(inst) = open.pop() {
            let shared = self.facts.fused_reads(inst).filter(|maker| insts.insert(*maker));
            open.extend(shared.collect::<Vec<_>>());
        }
        insts
    }
}

/// Of the instructions of a segment that may run again as the others do, those that have to.
fn needed(problem: &Problem, again: &[bool]) -> Vec<bool> {
    let Problem { makers, values } = problem;
    let mut needed = vec![false; makers.len()];
    for value in values.iter().filter(|value| value.bytes.is_some()) {
        needed[value.maker] = again[value.maker];
    }
    for (at, maker) in makers.iter().enumerate() {
        needed[at] |= again[at] && maker.reads.iter().any(|read| needed[values[*read].maker]);
    }
    for at in (0..makers.len()).rev().filter(|at| needed[*at]).collect::<Vec<_>>() {
        needs(problem, again, at, &mut needed);
    }
    needed
}

/// Adds what an instruction that runs again reads and that lies in no memory.
fn needs(problem: &Problem, again: &[bool], at: usize, needed: &mut [bool]) {
    for read in &problem.makers[at].reads {
        let maker = problem.values[*read].maker;
        if again[maker] && !std::mem::replace(&mut needed[maker], true) {
            needs(problem, again, maker, needed);
        }
    }
}
