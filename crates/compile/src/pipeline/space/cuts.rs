//! Where a step is cut into stages, and what each of them keeps of its microbatches.
//!
//! Input: what segments take and keep, a schedule, and the memory of a device. Output: stages whose longest is as short as
//! possible, where each keeps no more microbatches than its schedule has in flight there, and makes as little again as fits.

use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Phase, Table};

use super::segments::{Kept, Segment, Segments};
use crate::pipeline::figures::StageFigures;

mod thrift;

/// Segments of the whole step, with sums from the first on.
pub(super) struct Chain<'a> {
    /// Whether a stage may end behind so many segments.
    ends: Vec<bool>,
    segments: Vec<&'a Segment>,
    /// Ways to keep less that are worth it, the least first.
    ways: Vec<usize>,
    forward: Vec<f64>,
    apart: Vec<f64>,
    backward: Vec<f64>,
    held: Vec<u64>,
    for_weights: Vec<u64>,
    /// Of each way.
    kept: Vec<Vec<u64>>,
    again: Vec<Vec<f64>>,
    /// Largest of the working memory of segments `from..=to`, and of what is made again in each way.
    working: Vec<Vec<u64>>,
    made_again: Vec<Vec<Vec<u64>>>,
}

/// How the places of stages are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cutting {
    /// So that the longest stage is as short as possible.
    Best,
    /// From the first layer on, each stage as many layers as its share of all.
    ByLayers,
    /// From the first layer on, each stage until it has its share of the work.
    ByWork,
    /// Each stage behind so many units that may be the last of a stage, with a way to keep less, by its position among those
    /// that are worth it.
    At(Vec<(usize, usize)>),
    /// Each stage behind so many segments.
    Behind(Vec<usize>),
}

/// Stages of a chain.
pub(super) struct Stages {
    /// Segments of each stage: where it ends.
    pub(super) ends: Vec<usize>,
    /// Its way to keep less.
    pub(super) ways: Vec<usize>,
}

impl Stages {
    /// The first segment of each, and the one behind its last.
    pub(super) fn ranges(&self) -> Vec<(usize, usize)> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied()).collect()
    }
}

/// What a table wants of its stages.
#[derive(Clone)]
pub(super) struct Wants {
    /// Microbatches that each stage keeps at once: how many between their forward pass and their gradients of inputs, and
    /// between these and their gradients of parameters; only where no other moment has as many of both.
    pub(super) in_flight: Vec<Vec<(usize, usize)>>,
    /// Whether each gradient has a phase.
    pub(super) is_apart: bool,
    /// Memory for a stage.
    pub(super) memory: Bytes,
}

impl Wants {
    /// Those of a table whose groups have so much memory, shared evenly by their stages.
    pub(super) fn of(table: &Table<'_>, memory: Bytes) -> Self {
        let mut in_flight = vec![Vec::new(); table.num_stages];
        let mut is_apart = false;
        for row in &table.rows {
            let mut now = vec![(0_usize, 0_usize); table.num_stages];
            for action in row.iter().filter_map(|at| table.action(*at)) {
                let stage = action.program.stage;
                let (forward, weights) = &mut now[stage];
                match action.program.phase {
                    Phase::Forward => *forward += 1,
                    Phase::Backward => *forward = forward.saturating_sub(1),
                    Phase::InputGradient => (*forward, *weights) = (forward.saturating_sub(1), *weights + 1),
                    Phase::WeightGradient => *weights = weights.saturating_sub(1),
                    _ => {}
                }
                is_apart |= action.program.phase == Phase::WeightGradient;
                most(&mut in_flight[stage], now[stage]);
            }
        }
        Self { in_flight, is_apart, memory: Self::of_each(table, memory) }
    }

    /// The same of a table whose groups have so much memory.
    pub(super) fn within(&self, table: &Table<'_>, memory: Bytes) -> Self {
        Self { memory: Self::of_each(table, memory), ..self.clone() }
    }

    /// Memory of a stage where stages share that of their group evenly.
    fn of_each(table: &Table<'_>, memory: Bytes) -> Bytes {
        let each = (table.num_stages / table.rows.len().max(1)).max(1) as u64;
        Bytes(memory.0 / each)
    }
}

/// Adds a moment, unless another one has as many of both.
fn most(moments: &mut Vec<(usize, usize)>, (forward, weights): (usize, usize)) {
    if !moments.iter().any(|own| own.0 >= forward && own.1 >= weights) {
        moments.retain(|own| own.0 > forward || own.1 > weights);
        moments.push((forward, weights));
    }
}

fn sums<T: Copy + std::ops::Add<Output = T> + Default>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut sums = vec![T::default()];
    for value in values {
        sums.push(*sums.last().expect("it has one") + value);
    }
    sums
}

/// The largest of each run of values, by its first and last.
fn largest(values: &[u64]) -> Vec<Vec<u64>> {
    let from = |from: usize| {
        let mut most = 0;
        values[from..]
            .iter()
            .map(|value| {
                most = most.max(*value);
                most
            })
            .collect()
    };
    (0..values.len()).map(from).collect()
}

impl<'a> Chain<'a> {
    pub(super) fn new(segments: &'a Segments, like: &[usize]) -> Self {
        Self::of(like.iter().map(|own| &segments.each[*own]).collect())
    }

    /// The same of all segments of the step, in their order.
    pub(super) fn of(all: Vec<&'a Segment>) -> Self {
        let count = all.first().map_or(0, |segment| segment.ways.len());
        let of_way = |way: usize| all.iter().map(move |segment| segment.ways[way]).collect::<Vec<Kept>>();
        let all_ways: Vec<Vec<Kept>> = (0..count).map(of_way).collect();
        let made_again = |way: &usize| -> Vec<u64> {
            let made = all.iter().zip(&all_ways[*way]);
            made.map(|(segment, left)| segment.figures.kept.0.saturating_sub(left.bytes.0)).collect()
        };
        let ways = worth_it(&all_ways);
        let working: Vec<u64> = all.iter().map(|segment| segment.figures.working.0).collect();
        let figures = || all.iter().map(|segment| &segment.figures);
        Self {
            ends: vec![true; all.len() + 1],
            forward: sums(figures().map(|own| own.forward.0)),
            apart: sums(figures().map(|own| own.input_gradient.0 + own.weight_gradient.0)),
            backward: sums(all.iter().map(|segment| segment.backward.0)),
            held: sums(figures().map(|own| own.held().0)),
            for_weights: sums(figures().map(|own| own.kept_for_weights.0)),
            kept: ways.iter().map(|way| sums(all_ways[*way].iter().map(|kept| kept.bytes.0))).collect(),
            again: ways.iter().map(|way| sums(all_ways[*way].iter().map(|kept| kept.seconds.0))).collect(),
            made_again: ways.iter().map(|way| largest(&made_again(way))).collect(),
            working: largest(&working),
            segments: all,
            ways,
        }
    }

    /// The same with stages that end only where `is_end` says so, of numbers of segments in front.
    pub(super) fn ending_at(self, is_end: impl Fn(usize) -> bool) -> Self {
        let all = self.segments.len();
        let ends = (0..=all).map(|count| count == all || is_end(count)).collect();
        Self { ends, ..self }
    }

    /// The most stages that it can be cut into.
    pub(super) fn len(&self) -> usize {
        self.ends.iter().skip(1).filter(|is_end| **is_end).count()
    }

    /// Ways to keep less, as they are numbered here, by their numbers among all.
    pub(super) fn ways(&self) -> &[usize] {
        &self.ways
    }

    /// Memory of a stage beside what it keeps of microbatches, that of a forward pass which is running among them: one segment
    /// after the other works, or makes again what its backward pass reads.
    fn working(&self, from: usize, to: usize, way: usize) -> u64 {
        self.working[from][to - 1 - from] + self.made_again[way][from][to - 1 - from]
    }

    fn seconds(&self, from: usize, to: usize, way: usize, is_apart: bool) -> f64 {
        self.least(from, to, is_apart) + (self.again[way][to] - self.again[way][from])
    }

    /// The same if nothing is made again.
    fn least(&self, from: usize, to: usize, is_apart: bool) -> f64 {
        let of = |sums: &[f64]| sums[to] - sums[from];
        let backward = if is_apart { &self.apart } else { &self.backward };
        of(&self.forward) + of(backward)
    }

    /// The way of a stage that takes least of those that fit.
    fn way(&self, from: usize, to: usize, stage: usize, wants: &Wants) -> Option<usize> {
        let weights = self.for_weights[to] - self.for_weights[from];
        let fits = |way: &usize| {
            let kept = self.kept[*way][to] - self.kept[*way][from];
            let held = self.held[to] - self.held[from] + self.working(from, to, *way);
            let at = |(forward, behind): &(usize, usize)| {
                kept.saturating_mul(*forward as u64).saturating_add(weights.saturating_mul(*behind as u64))
            };
            let most = wants.in_flight[stage].iter().map(at).max().unwrap_or(0);
            held.saturating_add(most) <= wants.memory.0
        };
        let again = |way: usize| self.again[way][to] - self.again[way][from];
        let mut best: Option<usize> = None;
        for way in (0..self.ways.len()).filter(fits) {
            if best.is_none_or(|best| again(way) < again(best)) {
                best = Some(way);
            }
            if again(way) <= 0.0 {
                break;
            }
        }
        best
    }

    /// Stages that are cut so; none if there are too few segments, or no way fits.
    pub(super) fn cut(&self, cutting: &Cutting, wants: &Wants) -> Option<Stages> {
        let ends = match cutting {
            Cutting::Best => return self.stages(wants),
            Cutting::ByLayers => self.dealt(wants.in_flight.len(), |_, _| 1.0)?,
            Cutting::ByWork => {
                self.dealt(wants.in_flight.len(), |from, to| self.seconds(from, to, 0, wants.is_apart))?
            }
            Cutting::At(stages) => {
                let ends = stages.iter().map(|(units, _)| self.unit_ends().nth(units.checked_sub(1)?));
                let ways = stages.iter().map(|(_, way)| (*way).min(self.ways.len() - 1)).collect();
                return Some(Stages { ends: ends.collect::<Option<_>>()?, ways });
            }
            Cutting::Behind(ends) => ends.clone(),
        };
        let starts = [0].into_iter().chain(ends.iter().copied()).zip(&ends);
        let ways = starts.enumerate().map(|(stage, (from, to))| self.way(from, *to, stage, wants));
        let ways = ways.collect::<Option<_>>()?;
        Some(Stages { ends, ways })
    }

    /// Ends of the units that stages are made of.
    fn unit_ends(&self) -> impl Iterator<Item = usize> {
        (1..self.ends.len()).filter(|end| self.ends[*end])
    }

    /// Ends of so many stages, each of which takes units until all so far have their share of the weight: the last one that
    /// would be more is taken where more of it is within the share than behind.
    fn dealt(&self, count: usize, weight: impl Fn(usize, usize) -> f64) -> Option<Vec<usize>> {
        let ends: Vec<usize> = self.unit_ends().collect();
        let starts = [0].into_iter().chain(ends.iter().copied());
        let sums = sums(starts.zip(&ends).map(|(from, to)| weight(from, *to)));
        let all = *sums.last()?;
        let (mut taken, mut dealt) = (0, Vec::with_capacity(count));
        for stage in 1..=count {
            let share = all * stage as f64 / count as f64;
            let most = ends.len().checked_sub(count - stage)?;
            taken += 1;
            while taken < most && (stage == count || 0.5 * (sums[taken] + sums[taken + 1]) <= share) {
                taken += 1;
            }
            dealt.push(*ends.get(taken - 1).filter(|_| taken <= most)?);
        }
        Some(dealt)
    }

    /// The stages whose longest is shortest and, of these, ones for which little is made again and handed on; none if there are
    /// too few segments, or no way fits.
    pub(super) fn stages(&self, wants: &Wants) -> Option<Stages> {
        self.shortest(wants).map(|first| self.thriftier(first, wants))
    }

    /// The stages whose longest is shortest; none if there are too few segments, or no way fits.
    ///
    /// By dynamic programming over how many segments so many stages have. A stage that begins earlier takes no less, so the
    /// begins before one that takes longer than the best are left, and so are those behind which the stages in front take
    /// longer than is known to be enough.
    fn shortest(&self, wants: &Wants) -> Option<Stages> {
        let (count, all) = (wants.in_flight.len(), self.segments.len());
        if self.len() < count {
            return None;
        }
        // For each number of stages and of segments: the longest stage, and the begin and the way of the last one.
        let mut best: Vec<Vec<(f64, usize, usize)>> = Vec::with_capacity(count);
        for stage in 0..count {
            let mut row = vec![(f64::INFINITY, 0, 0); all + 1];
            for (to, own) in row.iter_mut().enumerate().skip(stage + 1).filter(|(to, _)| self.ends[*to]) {
                let starts = if stage == 0 { 0..1 } else { stage..to };
                let before = |from: usize| if stage == 0 { 0.0 } else { best[stage - 1][from].0 };
                let taken = |from: usize| {
                    let way = self.way(from, to, stage, wants)?;
                    Some(before(from).max(self.seconds(from, to, way, wants.is_apart)))
                };
                // Where the stage takes as long as the longest before it, others behind take no less than these.
                let about = |from: &usize| before(*from) <= self.least(*from, to, wants.is_apart);
                let enough = starts.clone().rev().find(about).and_then(taken).unwrap_or(f64::INFINITY);
                for from in starts.rev().filter(|from| before(*from) <= enough) {
                    let Some(way) = self.way(from, to, stage, wants) else { break };
                    let seconds = self.seconds(from, to, way, wants.is_apart);
                    if seconds >= own.0 {
                        break;
                    }
                    if before(from).max(seconds) < own.0 {
                        *own = (before(from).max(seconds), from, way);
                    }
                }
            }
            best.push(row);
        }
        let mut stages = Stages { ends: Vec::with_capacity(count), ways: Vec::with_capacity(count) };
        let mut to = all;
        for row in best.iter().rev() {
            let (seconds, from, way) = row[to];
            if !seconds.is_finite() {
                return None;
            }
            stages.ends.push(to);
            stages.ways.push(way);
            to = from;
        }
        stages.ends.reverse();
        stages.ways.reverse();
        Some(stages)
    }

    /// Figures of a stage that has these segments.
    pub(super) fn figures(&self, from: usize, to: usize, way: usize, is_apart: bool) -> StageFigures {
        let own = || self.segments[from..to].iter().map(|segment| &segment.figures);
        let sum = |of: fn(&StageFigures) -> Seconds| own().map(of).sum::<Seconds>();
        let bytes = |of: fn(&StageFigures) -> Bytes| Bytes(own().map(|figures| of(figures).0).sum());
        let again = Seconds(self.again[way][to] - self.again[way][from]);
        let (input_gradient, weight_gradient) = match is_apart {
            true => (sum(|own| own.input_gradient), sum(|own| own.weight_gradient)),
            false => (Seconds(self.backward[to] - self.backward[from]), Seconds::ZERO),
        };
        let (first, last) = (&self.segments[from].figures, &self.segments[to - 1].figures);
        StageFigures {
            groups: Vec::new(),
            source: None,
            parameters: Vec::new(),
            copies: sum(|own| own.copies),
            prepass: sum(|own| own.prepass),
            forward: sum(|own| own.forward),
            input_gradient: input_gradient + again,
            weight_gradient,
            update: sum(|own| own.update),
            state: bytes(|own| own.state),
            copied: bytes(|own| own.copied),
            gathered: bytes(|own| own.gathered),
            working: Bytes(self.working(from, to, way)),
            kept: Bytes(self.kept[way][to] - self.kept[way][from]),
            kept_for_weights: Bytes(self.for_weights[to] - self.for_weights[from]),
            up: last.up,
            down: first.down,
        }
    }
}

/// The ways of which none keeps as little in as few seconds as another, the one that takes least first.
fn worth_it(ways: &[Vec<Kept>]) -> Vec<usize> {
    let total = |way: &usize| {
        let seconds: f64 = ways[*way].iter().map(|kept| kept.seconds.0).sum();
        (seconds, ways[*way].iter().map(|kept| kept.bytes.0).sum::<u64>())
    };
    let mut order: Vec<usize> = (0..ways.len()).collect();
    order.sort_by(|one, other| {
        let (a, b) = (total(one), total(other));
        a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))
    });
    let mut kept: Vec<usize> = Vec::new();
    for way in order {
        if kept.last().is_none_or(|last| total(&way).1 < total(last).1) {
            kept.push(way);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn segment(seconds: f64, state: u64, kept: u64) -> Segment {
        let figures = StageFigures {
            forward: Seconds(seconds),
            state: Bytes(state),
            kept: Bytes(kept),
            ..StageFigures::default()
        };
        // Which of the last two takes less is another one for each segment.
        let ways = vec![
            Kept { bytes: Bytes(kept), seconds: Seconds::ZERO },
            Kept { bytes: Bytes(kept / 4), seconds: Seconds(0.5 * seconds) },
            Kept { bytes: Bytes(kept / 4 + 1), seconds: Seconds(0.1 * state as f64) },
        ];
        Segment { figures, backward: Seconds(2.0 * seconds), ways }
    }

    /// The longest stage of the best cut, by trying all cuts and ways.
    fn exhaustive(chain: &Chain<'_>, wants: &Wants, from: usize, stage: usize) -> f64 {
        let (count, all) = (wants.in_flight.len(), chain.len());
        let cost = |to: usize| {
            let own = &chain.segments[from..to];
            let held: u64 = own.iter().map(|segment| segment.figures.state.0).sum();
            let ways = chain.ways().iter().copied().filter(|way| {
                let kept: u64 = own.iter().map(|segment| segment.ways[*way].bytes.0).sum();
                let made_again =
                    own.iter().map(|segment| segment.figures.kept.0 - segment.ways[*way].bytes.0);
                let working = made_again.max().unwrap_or(0);
                held + working + kept * wants.in_flight[stage][0].0 as u64 <= wants.memory.0
            });
            let seconds = |way: usize| -> f64 {
                own.iter().map(|own| 3.0 * own.figures.forward.0 + own.ways[way].seconds.0).sum()
            };
            ways.map(seconds).fold(f64::INFINITY, f64::min)
        };
        if stage == count - 1 {
            return if from < all { cost(all) } else { f64::INFINITY };
        }
        let ends = from + 1..all;
        ends.map(|to| cost(to).max(exhaustive(chain, wants, to, stage + 1))).fold(f64::INFINITY, f64::min)
    }

    /// Numbers from 1 to what is asked for, the same in every run.
    fn numbers() -> impl FnMut(u64) -> u64 {
        let mut state = 7_u64;
        move |most: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) % most + 1
        }
    }

    #[test]
    fn the_longest_stage_is_as_short_as_possible() {
        let mut next = numbers();
        let mut found = 0;
        for _ in 0..200 {
            let count = 3 + next(5) as usize;
            let all: Vec<Segment> =
                (0..count).map(|_| segment(next(20) as f64, next(10), 4 * next(10))).collect();
            let segments: Vec<&Segment> = all.iter().collect();
            let chain = Chain::of(segments);
            let stages = 1 + next(count as u64 - 1) as usize;
            let in_flight = (0..stages).map(|stage| vec![(stages - stage, 0)]).collect();
            let wants = Wants { in_flight, is_apart: false, memory: Bytes(20 + next(200)) };
            let best = exhaustive(&chain, &wants, 0, 0);
            let own = chain.stages(&wants).map(|own| {
                let starts = [0].into_iter().chain(own.ends.iter().copied());
                let times = starts.zip(&own.ends).zip(&own.ways);
                times.map(|((from, to), way)| chain.seconds(from, *to, *way, false)).fold(0.0, f64::max)
            });
            match own {
                Some(own) => assert!((own - best).abs() < 1e-6 * best, "{own} {best}"),
                None => assert_eq!(best, f64::INFINITY),
            }
            found += usize::from(own.is_some());
        }
        assert!(found > 50, "{found}");
    }

    #[test]
    fn layers_are_dealt_out_by_number_or_by_work() {
        let all = [1.0, 1.0, 1.0, 1.0, 4.0, 4.0].map(|seconds| segment(seconds, 1, 1));
        let chain = Chain::of(all.iter().collect());
        let dealt = |cutting: &Cutting, stages: usize| {
            let in_flight = vec![vec![(1, 0)]; stages];
            let wants = Wants { in_flight, is_apart: false, memory: Bytes(u64::MAX) };
            chain.cut(cutting, &wants).map(|stages| stages.ends)
        };
        assert_eq!(dealt(&Cutting::ByLayers, 3).unwrap(), [2, 4, 6]);
        assert_eq!(dealt(&Cutting::ByWork, 3).unwrap(), [4, 5, 6]);
        assert_eq!(dealt(&Cutting::ByLayers, 4).unwrap().len(), 4);
        assert_eq!(dealt(&Cutting::ByWork, 6).unwrap(), [1, 2, 3, 4, 5, 6]);
        assert_eq!(dealt(&Cutting::ByLayers, 7), None);
        assert_eq!(dealt(&Cutting::At(vec![(1, 1), (6, 0)]), 2).unwrap(), [1, 6]);
        // Only between layers.
        let between = Chain::of(all.iter().collect()).ending_at(|count| count.is_multiple_of(2));
        let wants = Wants { in_flight: vec![vec![(1, 0)]; 2], is_apart: false, memory: Bytes(u64::MAX) };
        assert_eq!(between.cut(&Cutting::ByLayers, &wants).unwrap().ends, [4, 6]);
        assert_eq!(between.cut(&Cutting::At(vec![(1, 0), (3, 0)]), &wants).unwrap().ends, [2, 6]);
    }
}
