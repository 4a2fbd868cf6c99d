//! The same steps a second time, on the embedded devices or by the undistributed program, and how far the results of
//! each step are apart; beside a run of worker processes in a thread of its own, so that they are looked after meanwhile.

use super::Compiled;
use super::embedded::{Steps, local_step};
use super::feed::Feed;
use super::log::Log;
use crate::args::{Reference, RunArguments};
use crate::failure::{Failure, Outcome};
use crate::meaning::LocalStatistics;
use crate::{arrays, input, interrupt};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Check, Source};
use meshwright_ir::program::Program;
use meshwright_plan::bundle::WHOLE_FILE;
use meshwright_tensor::{NonFinite, Precision, Tensor, compare};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Scope, ScopedJoinHandle};
use std::time::Duration;

/// Results of an engine and of its reference are too far apart.
const COMPARE: Check = Check("compare");

/// How often Ctrl-C is looked for.
const TICK: Duration = Duration::from_millis(50);

/// A second run.
pub(super) struct Compare<'a> {
    compiled: &'a Compiled,
    steps: Steps<'a>,
    /// The undistributed program, if it is that.
    whole: Option<Whole>,
    precision: Precision,
    tolerance: f64,
    /// How many results were compared.
    num_compared: usize,
    /// The worst result so far: error, step, result.
    worst: (f64, u64, usize),
}

/// The program before it was partitioned.
struct Whole {
    source: Source,
    program: Program,
    /// What devices compute in its place, where the plan takes statistics of each microbatch by itself.
    local: Option<LocalStatistics>,
}

impl Whole {
    fn read(compiled: &Compiled) -> Outcome<Self> {
        let source = input::text(&compiled.folder.join(WHOLE_FILE), "whole program")?;
        let program = meshwright_compile::read(&source).map_err(|found| Failure::input(&source, found))?;
        let plan = compiled.plan();
        let local = plan.map(|plan| LocalStatistics::of_plan(&program, &source, &plan));
        Ok(Self { local: local.transpose()?.flatten(), source, program })
    }

    /// What devices compute together.
    fn computed(&self) -> &Program {
        self.local.as_ref().map_or(&self.program, |local| &local.whole)
    }
}

impl<'a> Compare<'a> {
    pub(super) fn new(
        with: Reference,
        arguments: &RunArguments,
        compiled: &'a Compiled,
        feed: &Feed,
        log: &Log,
    ) -> Outcome<Self> {
        let whole = match with {
            Reference::Embedded => None,
            Reference::Whole => Some(Whole::read(compiled)?),
        };
        if let Some(local) = whole.as_ref().and_then(|whole| whole.local.as_ref()) {
            log.note(local.head().trim_end());
        }
        let precision = arrays::precision(arguments.numbers);
        let steps = Steps::new(compiled, feed)?;
        let (tolerance, num_compared, worst) = (arguments.tolerance, 0, (0.0, 0, 0));
        Ok(Self { compiled, steps, whole, precision, tolerance, num_compared, worst })
    }

    /// Runs a step and compares: the largest relative error of each result.
    pub(super) fn step(&mut self, step: u64, found: &[Tensor], control: &dyn Control) -> Outcome<Vec<f64>> {
        let inputs = self.steps.arguments(step)?;
        let expected = match &self.whole {
            None => local_step(self.compiled, &inputs, self.precision, control)?,
            Some(whole) => {
                let (program, source) = (whole.computed(), &whole.source);
                let main = program.main().ok_or_else(|| input::no_main(program, source))?;
                let given = inputs.clone();
                meshwright_execute::run_single_device(program, &main.name, given, self.precision, control)
                    .map_err(|error| arrays::failure(&error.into(), source))?
            }
        };
        if let Some(Whole { source, program, local: Some(local) }) = &mut self.whole {
            local
                .compare(program, &inputs, self.precision, control)
                .map_err(|error| arrays::failure(&error, source))?;
        }
        let mut errors = Vec::new();
        for (index, (found, expected)) in found.iter().zip(&expected).enumerate() {
            let apart = compare(found, expected, NonFinite::ByPosition);
            let apart = apart.map_err(|error| Failure::usage(format!("result {index}: {error}")))?;
            let error = if apart.num_nonfinite_mismatches > 0 { f64::INFINITY } else { apart.max_rel };
            if error > self.worst.0 || error.is_nan() {
                self.worst = (error, step + 1, index);
            }
            errors.push(error);
        }
        self.num_compared += errors.len();
        self.steps.feed_back(&expected);
        Ok(errors)
    }

    /// The answer.
    pub(super) fn finish(self, log: &Log) -> Outcome {
        if let Some(local) = self.whole.as_ref().and_then(|whole| whole.local.as_ref()) {
            let names = self.compiled.bundle.results.iter().map(|result| result.name.clone());
            log.note(local.text(&names.collect::<Vec<_>>()).trim_end());
        }
        let (error, step, result) = self.worst;
        if self.num_compared == 0 {
            log.note("nothing was compared: the program has no results");
            return Ok(());
        }
        if error <= self.tolerance {
            log.note(&format!(
                "all results of all steps agree within {:.0e} (largest {error:.1e})",
                self.tolerance
            ));
            return Ok(());
        }
        let message = format!(
            "result {result} of step {step} is off by {error:.1e}, where {:.0e} is allowed",
            self.tolerance
        );
        let hint =
            "errors grow over steps; `--tolerance` says what is allowed, `meshwright check` checks one step";
        Err(Failure::Check(Box::new(self.compiled.failure(COMPARE, message, hint))))
    }
}

/// A comparison that goes on beside the run, step by step as results come.
pub(super) struct Beside<'scope, 'a> {
    steps: Sender<u64>,
    compared: Receiver<(u64, Vec<f64>)>,
    thread: ScopedJoinHandle<'scope, Outcome<Compare<'a>>>,
    // Last, so that the thread ends as soon as nobody waits for it.
    _until: Until,
}

/// Set when the comparison is to end.
struct Until(Arc<AtomicBool>);

impl Control for Until {
    fn should_stop(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

impl Drop for Until {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl<'scope, 'a: 'scope> Beside<'scope, 'a> {
    /// Starts it; `read` gives the results of a step.
    pub(super) fn start<'env>(
        scope: &'scope Scope<'scope, 'env>,
        mut compare: Compare<'a>,
        read: impl Fn(u64) -> Outcome<Vec<Tensor>> + Send + 'scope,
    ) -> Self {
        let until = Arc::new(AtomicBool::new(false));
        let control = Until(Arc::clone(&until));
        let (steps, asked) = channel();
        let (tell, compared) = channel();
        let thread = scope.spawn(move || {
            for step in asked {
                let errors = compare.step(step - 1, &read(step)?, &control)?;
                // Nobody listens if nobody waits for it any more.
                let _ = tell.send((step, errors));
            }
            Ok(compare)
        });
        Self { steps, compared, thread, _until: Until(until) }
    }

    /// The results of a step are there.
    pub(super) fn add(&self, step: u64) {
        // It has ended early if nobody listens, which `has_failed` says.
        let _ = self.steps.send(step);
    }

    /// Says what was compared since.
    pub(super) fn tell(&self, log: &Log) {
        self.compared.try_iter().for_each(|(step, errors)| log.compared(step, errors));
    }

    /// Whether it has ended, though more steps may come.
    pub(super) fn has_failed(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits for the steps that are still to be compared. `None`: Ctrl-C came first.
    pub(super) fn finish(self, log: &Log) -> Outcome<Option<Compare<'a>>> {
        let Self { steps, compared, thread, _until } = self;
        drop(steps);
        while !thread.is_finished() {
            if interrupt::asked() {
                return Ok(None);
            }
            if let Ok((step, errors)) = compared.recv_timeout(TICK) {
                log.compared(step, errors);
            }
        }
        compared.try_iter().for_each(|(step, errors)| log.compared(step, errors));
        match thread.join() {
            Ok(compare) => compare.map(Some),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}
