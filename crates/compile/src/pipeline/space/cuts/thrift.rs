//! Of cuts with the same longest stage, the one whose microbatches pass through all stages soonest.
//!
//! Input: stages whose longest is as short as possible. Output: the same, or others. `M` microbatches take about `sum of stages +
//! (M - 1) x longest`, and all cuts come to the same sum but for what their stages make again, and what they hand on.

use super::{Chain, Stages, Wants};

/// Seconds in which stages make something again, and bytes of a microbatch that they hand on.
type Spent = (f64, u64);

/// Times that are summed in another order differ by less.
const ROUNDING: f64 = 1e-12;

/// Other places are not looked for where fewer bytes cross if even the fewest are at least this share of what does.
const WORTH_IT: f64 = 0.95;

impl Chain<'_> {
    /// The same stages, or others whose longest takes no longer, if they make less again, or as little and hand on less.
    pub(super) fn thriftier(&self, first: Stages, wants: &Wants) -> Stages {
        let spent = self.spent(&first);
        let ends = (1..self.segments.len()).filter(|end| self.ends[*end]);
        let mut crossings: Vec<u64> = ends.map(|end| self.crossing(end)).collect();
        crossings.sort_unstable();
        let fewest: u64 = crossings.iter().take(first.ends.len().saturating_sub(1)).sum();
        if spent.0 <= 0.0 && fewest as f64 >= WORTH_IT * spent.1 as f64 {
            return first;
        }
        let of_stages = first.ranges().into_iter().zip(&first.ways);
        let seconds = of_stages.map(|((from, to), way)| self.seconds(from, to, *way, wants.is_apart));
        let longest = seconds.fold(0.0, f64::max);
        let other = self.thriftiest(wants, longest * (1.0 + ROUNDING));
        let is_better = |other: &Stages| {
            let (again, crossing) = self.spent(other);
            again < spent.0 * (1.0 - ROUNDING) || again <= spent.0 * (1.0 + ROUNDING) && crossing < spent.1
        };
        other.filter(is_better).unwrap_or(first)
    }

    /// Seconds in which stages make something again, and bytes that they hand on.
    fn spent(&self, stages: &Stages) -> Spent {
        let of_stages = stages.ranges().into_iter().zip(&stages.ways);
        let again = of_stages.map(|((from, to), way)| self.again[*way][to] - self.again[*way][from]).sum();
        let inner = stages.ends.split_last().map_or(&[][..], |(_, inner)| inner);
        (again, inner.iter().map(|end| self.crossing(*end)).sum())
    }

    /// Bytes of a microbatch that cross up and down behind so many segments.
    fn crossing(&self, end: usize) -> u64 {
        let (own, next) = (&self.segments[end - 1].figures, &self.segments[end].figures);
        own.up.0.0 + next.down.0.0
    }

    /// Stages of which none takes longer than `longest`, for which least is made again and, of these, fewest bytes handed on.
    fn thriftiest(&self, wants: &Wants, longest: f64) -> Option<Stages> {
        let (count, all) = (wants.in_flight.len(), self.segments.len());
        // For each number of stages and of segments: what is spent, and the begin and the way of the last stage.
        let mut best: Vec<Vec<Option<(Spent, usize, usize)>>> = Vec::with_capacity(count);
        for stage in 0..count {
            let mut row: Vec<Option<(Spent, usize, usize)>> = vec![None; all + 1];
            for (to, own) in row.iter_mut().enumerate().skip(stage + 1).filter(|(to, _)| self.ends[*to]) {
                let starts = if stage == 0 { 0..1 } else { stage..to };
                let within = |from: &usize| self.least(*from, to, wants.is_apart) <= longest;
                for from in starts.rev().take_while(within) {
                    let before = match stage.checked_sub(1) {
                        Some(last) => best[last][from].map(|known| known.0),
                        None => Some((0.0, 0)),
                    };
                    let Some((again, crossing)) = before else { continue };
                    let Some(way) = self.way(from, to, stage, wants) else { break };
                    if self.seconds(from, to, way, wants.is_apart) > longest {
                        break;
                    }
                    let again = again + self.again[way][to] - self.again[way][from];
                    let crossing = crossing + if stage == 0 { 0 } else { self.crossing(from) };
                    if own.is_none_or(|(spent, ..)| (again, crossing) < spent) {
                        *own = Some(((again, crossing), from, way));
                    }
                }
            }
            best.push(row);
        }
        let mut stages = Stages { ends: Vec::with_capacity(count), ways: Vec::with_capacity(count) };
        let mut to = all;
        for row in best.iter().rev() {
            let (_, from, way) = row[to]?;
            stages.ends.push(to);
            stages.ways.push(way);
            to = from;
        }
        stages.ends.reverse();
        stages.ways.reverse();
        Some(stages)
    }
}

#[cfg(test)]
mod tests {
    use meshwright_machine::Bytes;

    use super::super::tests::segment;
    use super::*;
    use crate::pipeline::space::segments::Segment;

    #[test]
    fn of_stages_that_are_as_long_those_are_taken_that_make_least_again_and_hand_on_least() {
        let wants = |memory: u64| {
            let in_flight = vec![vec![(2, 0)], vec![(2, 0)], vec![(1, 0)]];
            Wants { in_flight, is_apart: false, memory: Bytes(memory) }
        };
        let like = |all: &[Segment], ends: &[usize], wants: &Wants| {
            let chain = Chain::of(all.iter().collect());
            let stages = chain.stages(wants).unwrap();
            assert_eq!(stages.ends, ends);
            chain.spent(&stages)
        };
        // The last stage is longest; of the others any may have one segment alone. Fewest bytes cross behind the second.
        let mut all = [1.0, 1.0, 1.0, 12.0].map(|seconds| segment(seconds, 1, 4)).to_vec();
        for (segment, bytes) in all.iter_mut().zip([8, 2, 4, 0]) {
            segment.figures.up = (Bytes(bytes), 1);
        }
        assert_eq!(like(&all, &[2, 3, 4], &wants(u64::MAX)), (0.0, 6));
        all[1].figures.up = (Bytes(9), 1);
        assert_eq!(like(&all, &[1, 3, 4], &wants(u64::MAX)), (0.0, 12));
        // Two large segments fit into a stage only if they are made again; a large one and the small ones fit as they are.
        let large = [8, 8, 1, 1].map(|kept| segment(1.0, 10, 4 * kept)).into_iter();
        let all: Vec<Segment> = large.chain([segment(12.0, 10, 4)]).collect();
        assert_eq!(like(&all, &[1, 4, 5], &wants(113)), (0.0, 0));
    }
}
