//! `meshwright plan --memory-limit A,B,...` and `--memory-limit sweep`: time against memory.
//!
//! Input: what decides a plan, and the limits. Output: a table with the plan for each limit. A sweep finds its limits
//! itself: from the least memory in which the program runs as it is to that of the plan that is fastest with all memory, and
//! below it where microbatches, recomputation, tiles and offload may be searched. Stopped by Ctrl-C, it shows the plans so
//! far.

use crate::args::{MemoryLimits, Output};
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::planning::{Inputs, failure};
use crate::terminal::Terminal;
use meshwright_compile::{CompileError, Compiled, DoesNotFit, Options, compile_if_faster, has_other_ways};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_present::frontier::{Point, json, text};
use std::ops::ControlFlow;

/// So many limits are tried between the least and the most, and at most below the least that is met.
const STEPS: u32 = 7;

/// Below the least, each limit is smaller by this part.
const LESS: u64 = 64;

/// Between two limits with a plan and without one, nothing more is tried if they differ by less than this part.
const NEAR: f64 = 0.125;

/// Plans for every limit and prints the table.
pub(crate) fn run(inputs: &Inputs, limits: &MemoryLimits, out: Output) -> Outcome {
    let terminal = Terminal::plain().listening();
    let Inputs { program, source, machine, options, .. } = inputs;
    let of = PlanInputs { program, source, machine, options };
    let given = match limits {
        MemoryLimits::Each(limits) => Some(limits.as_slice()),
        MemoryLimits::Sweep => None,
    };
    let found = Frontier::of(of, given, &terminal).map_err(|error| failure(error, source, None));
    let Frontier { points, is_stopped, refused } = found?;
    let are_given = given.is_some();
    terminal.finish(out)?;
    if out.json {
        output::print(&json(&points))?;
    } else {
        output::print(&text(&points, &inputs.name(), are_given))?;
    }
    if is_stopped {
        return Err(Failure::stopped("these are the plans that were found before"));
    }
    match refused {
        Some(problem) => Err(failure(CompileError::DoesNotFit(problem), &inputs.source, None)),
        None => Ok(()),
    }
}

/// Inputs of the plans for all limits.
#[derive(Clone, Copy)]
pub struct PlanInputs<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its text.
    pub source: &'a Source,
    /// The machine.
    pub machine: &'a Machine,
    /// What is said of plans; limits on memory and times take the place of those here.
    pub options: &'a Options,
}

impl PlanInputs<'_> {
    fn compile(
        self,
        limit: Option<Bytes>,
        faster_than: Option<Seconds>,
        control: &dyn Control,
    ) -> Result<Compiled, CompileError> {
        let options = Options { memory_limit: limit, ..self.options.clone() };
        compile_if_faster(self.program, self.source, self.machine, &options, faster_than, control)
    }
}

/// Plans for several limits.
pub struct Frontier {
    /// A plan for each limit that is given; of a sweep those that no other beats in both time and memory.
    pub points: Vec<Point>,
    /// Whether it was stopped before the end.
    pub is_stopped: bool,
    /// Why there is no plan for the largest of the limits, if none leaves room for any.
    pub refused: Option<Box<DoesNotFit>>,
}

impl Frontier {
    /// Plans for these limits, or for those that a sweep finds.
    ///
    /// # Errors
    /// Those of [`compile_if_faster`] but that plans for some limits do not fit.
    pub fn of(
        inputs: PlanInputs<'_>,
        limits: Option<&[Bytes]>,
        control: &dyn Control,
    ) -> Result<Self, CompileError> {
        let mut sweep = Sweep { inputs, control, points: Vec::new(), refused: None };
        let goes = match limits {
            Some(limits) => sweep.each(limits)?,
            None => sweep.all()?,
        };
        let Sweep { points, refused, .. } = sweep;
        let points = match limits {
            Some(_) => points.iter().map(|point| point.best_of(&points)).collect(),
            None => frontier(points),
        };
        let has_plans = points.iter().any(|point| point.seconds().is_some());
        Ok(Self { points, is_stopped: goes.is_break(), refused: refused.filter(|_| !has_plans) })
    }
}

/// Plans for limits, one after the other.
struct Sweep<'a> {
    inputs: PlanInputs<'a>,
    control: &'a dyn Control,
    points: Vec<Point>,
    /// Why there is no plan for the largest of the limits without one.
    refused: Option<Box<DoesNotFit>>,
}

/// Whether there is more to do; not after the command was asked to stop.
type Goes<T = ()> = ControlFlow<(), T>;

impl Sweep<'_> {
    /// A point for each limit.
    fn each(&mut self, limits: &[Bytes]) -> Result<Goes, CompileError> {
        for limit in limits {
            if self.add(*limit, None)?.is_break() {
                return Ok(Goes::Break(()));
            }
        }
        Ok(Goes::Continue(()))
    }

    /// Points from the plan that is fastest with all memory to that which needs least.
    fn all(&mut self) -> Result<Goes, CompileError> {
        // The fastest of all first: if not even that fits, the reason is the same as without a sweep.
        let Goes::Continue(most) = self.add_most()? else { return Ok(Goes::Break(())) };
        let Goes::Continue(least) = self.least()? else { return Ok(Goes::Break(())) };
        // What fits in less fits in more: only faster plans are of interest.
        let mut best: Option<Seconds> = None;
        for limit in between(least, most) {
            let Goes::Continue(found) = self.add(limit, best)? else { return Ok(Goes::Break(())) };
            best = match (best, found) {
                (Some(best), Some(own)) => Some(if own < best { own } else { best }),
                (best, own) => best.or(own),
            };
        }
        let needed = self.needed().map_or(least, |needed| needed.min(least));
        if has_other_ways(self.inputs.options, self.inputs.machine) {
            self.in_other_ways(needed)
        } else {
            self.a_little_less(least)
        }
    }

    /// Down from a limit that is met: by half as long as there is a plan, then between the last two limits.
    fn in_other_ways(&mut self, mut fits: Bytes) -> Result<Goes, CompileError> {
        let mut exceeds = Bytes(0);
        for _ in 0..STEPS {
            let limit = match exceeds.0 {
                0 => fits.0 / 2,
                // Geometrically in the middle.
                exceeds => ((exceeds as f64) * (fits.0 as f64)).sqrt() as u64,
            };
            if limit as f64 > (1.0 - NEAR) * fits.0 as f64 || limit == 0 {
                break;
            }
            match self.add(Bytes(limit), None)? {
                Goes::Break(()) => return Ok(Goes::Break(())),
                Goes::Continue(Some(_)) => fits = self.needed().map_or(fits, |needed| needed.min(fits)),
                Goes::Continue(None) => exceeds = Bytes(limit),
            }
        }
        Ok(Goes::Continue(()))
    }

    /// With more room the search may have met a plan that needs less than the least that it found by itself.
    fn a_little_less(&mut self, mut needed: Bytes) -> Result<Goes, CompileError> {
        for _ in 0..STEPS {
            let Some(least) = self.needed().filter(|least| *least < needed) else { break };
            needed = least;
            match self.add(Bytes(least.0 - least.0.div_ceil(LESS)), None)? {
                Goes::Break(()) => return Ok(Goes::Break(())),
                Goes::Continue(None) => break,
                Goes::Continue(Some(_)) => {}
            }
        }
        Ok(Goes::Continue(()))
    }

    /// The least memory of the plans so far, but for that of the fastest with all memory, which comes first.
    fn needed(&self) -> Option<Bytes> {
        let found = self.points.iter().skip(1).filter(|point| point.seconds().is_some());
        found.map(Point::peak_bytes).min().map(Bytes)
    }

    /// Adds the plan that is fastest with all memory. Returns what it needs.
    fn add_most(&mut self) -> Result<Goes<Bytes>, CompileError> {
        match self.inputs.compile(None, None, self.control) {
            Ok(compiled) => {
                let plan = &compiled.plan;
                self.points.push(Point::of(Bytes(plan.memory.limit_bytes), plan));
                Ok(goes(plan.unfinished, Bytes(plan.memory.peak_bytes)))
            }
            Err(error) => Err(error),
        }
    }

    /// The least memory in which the program runs as it is.
    fn least(&self) -> Result<Goes<Bytes>, CompileError> {
        match self.inputs.compile(Some(Bytes(1)), None, self.control) {
            Err(CompileError::DoesNotFit(problem)) => Ok(Goes::Continue(problem.peak_as_it_is)),
            Err(CompileError::Interrupted) => Ok(Goes::Break(())),
            Err(error) => Err(error),
            Ok(compiled) => Ok(goes(compiled.plan.unfinished, Bytes(1))),
        }
    }

    /// Adds the plan for a limit, of interest only if it is faster. Returns what it takes: plans are compared before the
    /// passes, and may take more or less behind them.
    fn add(
        &mut self,
        limit: Bytes,
        faster_than: Option<Seconds>,
    ) -> Result<Goes<Option<Seconds>>, CompileError> {
        match self.inputs.compile(Some(limit), faster_than, self.control) {
            Ok(compiled) => {
                let plan = &compiled.plan;
                self.points.push(Point::of(limit, plan));
                let seconds = plan.predicted.before_passes_seconds.max(plan.predicted.total_seconds);
                Ok(goes(plan.unfinished, Some(Seconds(seconds))))
            }
            Err(CompileError::DoesNotFit(problem)) => {
                self.points.push(Point::too_little(limit, problem.peak));
                if self.refused.as_ref().is_none_or(|known| known.limit < problem.limit) {
                    self.refused = Some(problem);
                }
                Ok(Goes::Continue(None))
            }
            // Nobody wants more memory for as much time.
            Err(CompileError::NotFaster(_)) => Ok(Goes::Continue(faster_than)),
            Err(CompileError::Interrupted) => Ok(Goes::Break(())),
            Err(error) => Err(error),
        }
    }
}

fn goes<T>(is_stopped: bool, found: T) -> Goes<T> {
    if is_stopped { Goes::Break(()) } else { Goes::Continue(found) }
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
