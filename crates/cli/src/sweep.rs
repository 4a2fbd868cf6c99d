//! `meshwright plan --memory-limit A,B,...` and `--memory-limit sweep`: time against memory.
//!
//! Input: what decides a plan, and the limits. Output: a table with the plan for each limit. A sweep finds its limits
//! itself: from the least memory in which a plan was found to that of the plan that is fastest with all memory.

use crate::args::{MemoryLimits, Output};
use crate::failure::Outcome;
use crate::output;
use crate::planning::{Inputs, failure};
use crate::terminal::Terminal;
use meshwright_compile::{CompileError, Compiled, DoesNotFit};
use meshwright_machine::{Bytes, Seconds};
use meshwright_present::frontier::{Point, json, text};

/// So many limits are tried between the least and the most, and at most below the least that is met.
const STEPS: u32 = 7;

/// Below the least, each limit is smaller by this part.
const LESS: u64 = 64;

/// Plans for every limit and prints the table.
pub(crate) fn run(inputs: &Inputs, limits: &MemoryLimits, out: Output) -> Outcome {
    let terminal = Terminal::plain();
    let planned = |limit: Bytes, faster_than| inputs.compile_if_faster(Some(limit), faster_than, &terminal);
    let mut points = Vec::new();
    let mut refused: Option<Box<DoesNotFit>> = None;
    match limits {
        MemoryLimits::Each(limits) => {
            for limit in limits {
                let planned = planned(*limit, None);
                if let Err(CompileError::DoesNotFit(problem)) = &planned
                    && refused.as_ref().is_none_or(|known| known.limit < problem.limit)
                {
                    refused = Some(problem.clone());
                }
                points.push(point(*limit, planned, inputs)?);
            }
            points = points.iter().map(|point| point.best_of(&points)).collect();
        }
        MemoryLimits::Sweep => {
            // The fastest of all first: if not even that fits, the reason is the same as without a sweep.
            let most =
                inputs.compile(None, &terminal).map_err(|error| failure(error, &inputs.source, None))?;
            let fastest = Point::of(Bytes(most.plan.memory.limit_bytes), &most.plan);
            let least = match planned(Bytes(1), None) {
                Err(CompileError::DoesNotFit(problem)) => problem.peak,
                other => other.map(|_| Bytes(1)).map_err(|error| failure(error, &inputs.source, None))?,
            };
            // What fits in less fits in more: only faster plans are of interest.
            let mut best: Option<Seconds> = None;
            for limit in between(least, Bytes(fastest.peak_bytes())) {
                let found = planned(limit, best);
                if let Ok(compiled) = &found {
                    // Plans are compared before the passes, and may take more or less behind them.
                    let predicted = &compiled.plan.predicted;
                    let own = Seconds(predicted.before_passes_seconds.max(predicted.total_seconds));
                    best = Some(best.map_or(own, |best| if own < best { own } else { best }));
                }
                points.push(point(limit, found, inputs)?);
            }
            // With more room the search may have met a plan that needs less than the least that it found by itself.
            let mut needed = least;
            for _ in 0..STEPS {
                let peaks = points.iter().filter(|point| point.seconds().is_some()).map(Point::peak_bytes);
                let Some(least) = peaks.min().filter(|least| *least < needed.0) else { break };
                needed = Bytes(least);
                let limit = Bytes(least - least.div_ceil(LESS));
                let below = point(limit, planned(limit, None), inputs)?;
                let is_found = below.seconds().is_some();
                points.push(below);
                if !is_found {
                    break;
                }
            }
            points.push(fastest);
            points = frontier(points);
        }
    }
    terminal.finish(out)?;
    if out.json {
        output::print(&json(&points))?;
    } else {
        output::print(&text(&points, &inputs.name(), *limits != MemoryLimits::Sweep))?;
    }
    // Where no limit leaves room for any plan, the reason is that of the largest.
    match refused.filter(|_| points.iter().all(|point| point.seconds().is_none())) {
        Some(problem) => Err(failure(CompileError::DoesNotFit(problem), &inputs.source, None)),
        None => Ok(()),
    }
}

fn point(limit: Bytes, planned: Result<Compiled, CompileError>, inputs: &Inputs) -> Outcome<Point> {
    match planned {
        Ok(compiled) => Ok(Point::of(limit, &compiled.plan)),
        Err(CompileError::DoesNotFit(problem)) => Ok(Point::too_little(limit, problem.peak)),
        Err(error) => Err(failure(error, &inputs.source, None)),
    }
}

/// Limits from `least` up to less than `most`, each larger than the one before by the same factor.
fn between(least: Bytes, most: Bytes) -> Vec<Bytes> {
    let (first, last) = (least.0.max(1) as f64, most.0.max(1) as f64);
    let step = |number: u32| first * (last / first).powf(f64::from(number) / f64::from(STEPS));
    let mut limits: Vec<Bytes> = (0..STEPS).map(|number| Bytes(step(number).ceil() as u64)).collect();
    limits.dedup();
    limits.retain(|limit| limit.0 < most.0);
    limits
}

/// The plans that no other beats in both time and memory, least memory first.
fn frontier(mut points: Vec<Point>) -> Vec<Point> {
    points.retain(|point| point.seconds().is_some());
    points.sort_by(|a, b| {
        a.peak_bytes()
            .cmp(&b.peak_bytes())
            .then(a.seconds().partial_cmp(&b.seconds()).expect("times are numbers"))
    });
    let mut best = f64::INFINITY;
    points.retain(|point| {
        let is_faster = point.seconds().is_some_and(|seconds| seconds < best);
        best = point.seconds().filter(|_| is_faster).unwrap_or(best);
        is_faster
    });
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_plan::PlanFile;

    #[test]
    fn what_was_found_for_one_limit_does_for_others() {
        let plan = |peak: u64, seconds: f64| {
            let mut plan = PlanFile::new(String::new(), String::new());
            (plan.memory.peak_bytes, plan.predicted.total_seconds) = (peak, seconds);
            plan
        };
        let found = [
            Point::too_little(Bytes(100), Bytes(110)),
            Point::of(Bytes(120), &plan(90, 2.0)),
            Point::of(Bytes(200), &plan(115, 1.0)),
        ];
        let best: Vec<Option<f64>> = found.iter().map(|point| point.best_of(&found).seconds()).collect();
        assert_eq!(best, [Some(2.0), Some(1.0), Some(1.0)]);
    }

    #[test]
    fn limits_grow_from_the_least() {
        let limits: Vec<u64> = between(Bytes(100), Bytes(200)).iter().map(|bytes| bytes.0).collect();
        assert_eq!(limits, [100, 111, 122, 135, 149, 165, 182]);
        assert_eq!(between(Bytes(100), Bytes(100)), []);
    }
}
