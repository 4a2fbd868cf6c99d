//! The convex hull of kept bytes against seconds, for one segment of a forward pass.
//!
//! Input: a [`Problem`]: instructions with their seconds, what they read of each other, which of their results the
//! backward pass reads. Output: [`vertices()`], from the fewest seconds to the fewest bytes.
//!
//! For a price of a byte in seconds, what is kept and what is made again is a minimum cut (`meshwright_solve::min_cut`).
//! Each instruction has a node *again*, each result a node *there*; the sink's side is what is made again, or there in the
//! backward pass:
//!
//! | arc | capacity | is cut where |
//! | --- | --- | --- |
//! | source -> again(i) | seconds of `i` | `i` runs again |
//! | again(i) -> there(v), `v` made by `i` | bytes of `v` at the price, and seconds of keeping it | `v` is kept |
//! | there(u) -> again(i), `i` reads `u` | infinite | never: what runs again has what it reads |
//! | there(v) -> sink, the backward pass reads `v` | infinite | never |
//!
//! Where keeping takes time, as what layers of a loop write to a stack and read from it again, the choice with the fewest
//! seconds may make some again.
//!
//! Two vertices give the price at which both cost the same; a cut at that price is a vertex between them, or shows that
//! there is none. So the hull is exact: no price is missed.

use meshwright_solve::min_cut::{Capacity, Network, SINK, SOURCE};

/// An instruction of a segment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Maker {
    /// Picoseconds that it takes more if it runs again.
    pub picoseconds: u64,
    /// The results in the segment that it reads.
    pub reads: Vec<usize>,
    /// Whether it may run twice.
    pub may_repeat: bool,
}

/// A result of an instruction of a segment.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Made {
    /// The instruction.
    pub maker: usize,
    /// Bytes that it takes if it is kept. `None`: it lies in no memory, and whoever reads it makes it from what does.
    pub bytes: Option<u64>,
    /// Picoseconds that it takes to keep it, beside having it.
    pub keeping: u64,
    /// Whether the backward pass reads it.
    pub is_needed: bool,
}

/// A segment of a forward pass: what lies outside of it is there whenever it is needed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Problem {
    /// Instructions, each behind those that it reads results of.
    pub makers: Vec<Maker>,
    /// Their results.
    pub values: Vec<Made>,
}

/// A choice of what is made again, which is best at some price.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vertex {
    /// Bytes that are kept.
    pub bytes: u64,
    /// Picoseconds of what is made again, and of keeping the others.
    pub picoseconds: u64,
    /// Whether each instruction runs again.
    pub again: Vec<bool>,
}

/// Prices of a byte and of a picosecond.
#[derive(Clone, Copy, Debug)]
struct Prices {
    byte: Capacity,
    picosecond: Capacity,
}

/// No capacity of a finite cut is as large.
const INFINITE: Capacity = 1 << 110;

/// All vertices of the hull, the one with the fewest seconds first.
pub fn vertices(problem: &Problem) -> Vec<Vertex> {
    let (first, last) = (fastest(problem), smallest(problem));
    if first.bytes == last.bytes {
        return vec![first];
    }
    let mut vertices = vec![first];
    between(problem, last, &mut vertices);
    vertices
}

/// Takes the least time, and of such choices keeps as little as possible.
pub fn fastest(problem: &Problem) -> Vertex {
    let bytes: Capacity = problem.values.iter().filter_map(|value| value.bytes).map(Capacity::from).sum();
    cut(problem, Prices { byte: 1, picosecond: bytes + 1 })
}

/// Keeps as little as possible, in the least time.
pub fn smallest(problem: &Problem) -> Vertex {
    let again = problem.makers.iter().map(|maker| Capacity::from(maker.picoseconds));
    let keeping = problem.values.iter().map(|value| Capacity::from(value.keeping));
    let time: Capacity = again.chain(keeping).sum();
    cut(problem, Prices { byte: time + 1, picosecond: 1 })
}

/// Appends the vertices behind the last one, up to and with `end`.
fn between(problem: &Problem, end: Vertex, vertices: &mut Vec<Vertex>) {
    let Some(start) = vertices.last() else { return };
    let prices = Prices {
        byte: Capacity::from(end.picoseconds - start.picoseconds),
        picosecond: Capacity::from(start.bytes - end.bytes),
    };
    let cost = |vertex: &Vertex| {
        prices.byte * Capacity::from(vertex.bytes) + prices.picosecond * Capacity::from(vertex.picoseconds)
    };
    let middle = cut(problem, prices);
    if cost(&middle) < cost(start) {
        between(problem, middle, vertices);
        between(problem, end, vertices);
    } else {
        vertices.push(end);
    }
}

/// What is best at these prices; of choices that cost the same, one that makes the least again.
fn cut(problem: &Problem, prices: Prices) -> Vertex {
    let mut network = Network::default();
    let again: Vec<usize> = problem.makers.iter().map(|_| network.node()).collect();
    let there: Vec<usize> = problem.values.iter().map(|_| network.node()).collect();
    for (maker, node) in problem.makers.iter().zip(&again) {
        let seconds = prices.picosecond * Capacity::from(maker.picoseconds);
        network.arc(SOURCE, *node, if maker.may_repeat { seconds } else { INFINITE });
        maker.reads.iter().for_each(|read| network.arc(there[*read], *node, INFINITE));
    }
    for (value, node) in problem.values.iter().zip(&there) {
        let keeping = prices.picosecond * Capacity::from(value.keeping);
        let kept = value.bytes.map_or(INFINITE, |bytes| prices.byte * Capacity::from(bytes) + keeping);
        network.arc(again[value.maker], *node, kept);
        if value.is_needed {
            network.arc(*node, SINK, INFINITE);
        }
    }
    let is_source = network.min_cut();
    vertex(problem, again.into_iter().map(|node| !is_source[node]).collect())
}

/// The choice to run these instructions again, with what it costs.
pub fn vertex(problem: &Problem, again: Vec<bool>) -> Vertex {
    let mut is_read: Vec<bool> = problem.values.iter().map(|value| value.is_needed).collect();
    let repeated = problem.makers.iter().zip(&again).filter(|(_, again)| **again).map(|(maker, _)| maker);
    repeated.clone().flat_map(|maker| &maker.reads).for_each(|read| is_read[*read] = true);
    let kept = problem.values.iter().zip(is_read).filter(|(value, is_read)| *is_read && !again[value.maker]);
    let kept = kept.map(|(value, _)| value);
    let bytes = kept.clone().filter_map(|value| value.bytes).sum();
    let keeping = kept.map(|value| value.keeping);
    let picoseconds = repeated.map(|maker| maker.picoseconds).chain(keeping).sum();
    Vertex { bytes, picoseconds, again }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random numbers from a seed.
    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }
    }

    fn random(random: &mut Random) -> Problem {
        let mut problem = Problem::default();
        for at in 0..1 + random.below(11) as usize {
            let mut reads: Vec<usize> = (0..problem.values.len()).filter(|_| random.below(3) == 0).collect();
            reads.dedup();
            let may_repeat = random.below(8) > 0;
            problem.makers.push(Maker { picoseconds: random.below(20), reads, may_repeat });
            for _ in 0..1 + random.below(5) / 4 {
                let bytes = Some(random.below(20)).filter(|_| !may_repeat || random.below(6) > 0);
                let is_needed = random.below(2) == 0;
                let keeping = if random.below(3) == 0 { random.below(20) } else { 0 };
                problem.values.push(Made { maker: at, bytes, keeping, is_needed });
            }
        }
        problem
    }

    /// Bytes and picoseconds of every choice in which what has no memory is made again where it is read.
    fn all(problem: &Problem) -> Vec<(u64, u64)> {
        let choice = |bits: usize| {
            let again: Vec<bool> = (0..problem.makers.len()).map(|at| bits >> at & 1 == 1).collect();
            let may = problem.makers.iter().zip(&again).all(|(maker, again)| maker.may_repeat || !again);
            let read = |value: usize| {
                let by = problem
                    .makers
                    .iter()
                    .zip(&again)
                    .any(|(maker, again)| *again && maker.reads.contains(&value));
                by || problem.values[value].is_needed
            };
            let is_there = |value: usize| {
                let Made { maker, bytes, .. } = problem.values[value];
                again[maker] || bytes.is_some() || !read(value)
            };
            let is_legal = may && (0..problem.values.len()).all(is_there);
            is_legal.then(|| vertex(problem, again)).map(|vertex| (vertex.bytes, vertex.picoseconds))
        };
        (0..1 << problem.makers.len()).filter_map(choice).collect()
    }

    /// The corners of the lower hull of points, by definition.
    fn corners(points: &[(u64, u64)]) -> Vec<(u64, u64)> {
        let mut sorted = points.to_vec();
        sorted.sort_unstable();
        let mut hull: Vec<(u64, u64)> = Vec::new();
        for point in sorted {
            if hull.last().is_some_and(|last| last.1 <= point.1) {
                continue;
            }
            let turns = |a: (u64, u64), b: (u64, u64)| {
                let [dx, dy] = [i128::from(b.0) - i128::from(a.0), i128::from(b.1) - i128::from(a.1)];
                let [ex, ey] = [i128::from(point.0) - i128::from(b.0), i128::from(point.1) - i128::from(b.1)];
                dx * ey - dy * ex > 0
            };
            while hull.len() >= 2 && !turns(hull[hull.len() - 2], hull[hull.len() - 1]) {
                hull.pop();
            }
            hull.push(point);
        }
        hull.reverse();
        hull
    }

    #[test]
    fn the_hull_is_that_of_all_choices() {
        let mut numbers = Random(7);
        for _ in 0..300 {
            let problem = random(&mut numbers);
            let found: Vec<(u64, u64)> =
                vertices(&problem).iter().map(|vertex| (vertex.bytes, vertex.picoseconds)).collect();
            assert_eq!(found, corners(&all(&problem)), "{problem:?}");
        }
    }

    /// States between the first of a segment, which is kept, and the next segment; the backward pass reads all of them.
    fn chain(length: usize) -> Problem {
        let maker = |at: usize| Maker {
            picoseconds: 1,
            reads: at.checked_sub(1).into_iter().collect(),
            may_repeat: true,
        };
        let made = |maker| Made { maker, bytes: Some(1), keeping: 0, is_needed: true };
        Problem { makers: (0..length).map(maker).collect(), values: (0..length).map(made).collect() }
    }

    /// Fewest forward steps by which a chain of `length` steps can be reversed with `slots` states in memory, the first one
    /// included: `t = r l - C(s + r, r - 1)` for the least `r` with `l <= C(s + r, r)` (Griewank and Walther, 2000).
    fn reversal(length: u64, slots: u64) -> u64 {
        let choose = |n: u64, k: u64| (0..k).fold(1, |product, at| product * (n - at) / (at + 1));
        let rounds = (1..).find(|rounds| length <= choose(slots + rounds, *rounds)).unwrap();
        rounds * length - choose(slots + rounds, rounds - 1)
    }

    /// A chain in equal segments keeps the first state of each, and makes the others again, one segment at a time. That is
    /// one of the schedules of which theirs is the best.
    #[test]
    fn a_chain_in_segments_takes_no_less_than_the_optimal_reversal() {
        for (segments, steps) in
            (2..=8_u64).flat_map(|segments| (2..=8_u64).map(move |steps| (segments, steps)))
        {
            let hull = vertices(&chain(steps as usize - 1));
            let ends: Vec<(u64, u64)> =
                hull.iter().map(|vertex| (vertex.bytes, vertex.picoseconds)).collect();
            assert_eq!(ends, [(steps - 1, 0), (0, steps - 1)]);
            let length = segments * steps;
            let [all, few] = ends[..] else { unreachable!() };
            // Nothing made again: as many slots as states, and the least number of steps.
            assert_eq!(reversal(length, segments * (1 + all.0)), length - 1 + segments * all.1);
            // Each segment made again but the last, which is there when the step turns.
            let slots = segments * (1 + few.0) + (steps - 1);
            assert!(reversal(length, slots) <= length - 1 + (segments - 1) * few.1);
        }
    }

    /// Fewest steps that run again where a chain is cut into segments of these lengths, each a vertex of its hull, and reversed
    /// with so many slots; none if that takes more of them. A slot holds what is kept, and what is made again for the segment
    /// at hand, but the state at hand itself; those of later segments are free again.
    fn one_level(length: u64, slots: u64, lengths: impl Fn(u64) -> bool) -> Option<u64> {
        let hulls: Vec<Vec<Vertex>> = (0..length as usize).map(|states| vertices(&chain(states))).collect();
        // Fewest steps for the last states, by their number and how many slots are taken before.
        let mut fewest = vec![vec![None; slots as usize + 1]; length as usize + 1];
        for (left, taken) in (1..=length).flat_map(|left| (0..=slots).map(move |taken| (left, taken))) {
            let fits = |steps: &u64| lengths(*steps) && taken + *steps <= slots + 1;
            let ways = (1..=left).filter(fits).flat_map(|steps| {
                let behind = left - steps;
                let fewest = &fewest[behind as usize];
                hulls[steps as usize - 1].iter().filter_map(move |Vertex { bytes, picoseconds, .. }| {
                    match behind {
                        // When the step turns, the last segment is there.
                        0 => Some(0),
                        _ => fewest.get((taken + 1 + bytes) as usize)?.map(|more: u64| more + picoseconds),
                    }
                })
            });
            let best = ways.min();
            fewest[left as usize][taken as usize] = best;
        }
        fewest[length as usize][0]
    }

    /// The model is theirs: a state takes a slot, a step takes a second, and what is counted are steps. One level of cuts is
    /// as good as the best of all schedules as long as no step has to run more than twice, which is up to `C(s + 2, 2)` steps
    /// with `s` slots; longer chains it does not reverse, for which a schedule of several levels runs steps three times.
    #[test]
    fn one_level_of_cuts_reverses_a_chain_as_well_as_any_schedule_that_runs_steps_twice() {
        for slots in 1..=7_u64 {
            let most = (slots + 1) * (slots + 2) / 2;
            for length in 2..=most {
                let best = reversal(length, slots) - (length - 1);
                assert_eq!(one_level(length, slots, |_| true), Some(best), "{length} steps, {slots} slots");
            }
            assert_eq!(one_level(most + 1, slots, |_| true), None);
        }
    }

    /// Layers are segments of one length: they reach `(s + 2)^2 / 4` steps, and where they do, no more than one step in nine
    /// runs again beside those of the best schedule.
    #[test]
    fn equal_segments_reverse_a_chain_almost_as_well() {
        for slots in 2..=8_u64 {
            let mut longest = 0;
            for length in slots + 2..=(slots + 1) * (slots + 2) / 2 {
                let lengths = (1..=length).filter(|steps| length.is_multiple_of(*steps));
                let ways = lengths.filter_map(|steps| one_level(length, slots, |own| own == steps));
                let Some(equal) = ways.min() else { continue };
                let best = reversal(length, slots) - (length - 1);
                assert!(best <= equal && 9 * (equal - best) <= length, "{length} steps, {slots} slots");
                longest = length;
            }
            assert_eq!(longest, (slots + 2) * (slots + 2) / 4);
        }
    }
}
