//! The same steps a second time, on the embedded devices or by the undistributed program, and how far the results of
//! each step are apart.

use super::Compiled;
use super::embedded::{Steps, local_step};
use super::feed::Feed;
use super::log::Log;
use crate::args::{Reference, RunArguments};
use crate::failure::{Failure, Outcome};
use crate::{arrays, input};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::{Check, Source};
use meshwright_ir::program::Program;
use meshwright_ir::tensor::{NonFinite, Precision, Tensor, compare};

/// Results of an engine and of its reference are too far apart.
const COMPARE: Check = Check("compare");

/// A second run.
pub(super) struct Compare<'a> {
    compiled: &'a Compiled,
    steps: Steps<'a>,
    /// The undistributed program, if it is that.
    whole: Option<(Source, Program)>,
    precision: Precision,
    tolerance: f64,
    /// The worst result so far: error, step, result.
    worst: (f64, u64, usize),
}

impl<'a> Compare<'a> {
    pub(super) fn new(
        with: Reference,
        arguments: &RunArguments,
        compiled: &'a Compiled,
        feed: &Feed,
    ) -> Outcome<Self> {
        let whole = match with {
            Reference::Embedded => None,
            Reference::Whole => {
                let source = input::text(&compiled.folder.join(crate::compile::WHOLE_FILE), "whole program")?;
                let program =
                    meshwright_compile::read(&source).map_err(|found| Failure::input(&source, found))?;
                Some((source, program))
            }
        };
        let precision = arrays::precision(arguments.numbers);
        let steps = Steps::new(compiled, feed)?;
        Ok(Self { compiled, steps, whole, precision, tolerance: arguments.tolerance, worst: (0.0, 0, 0) })
    }

    /// Runs a step and compares.
    pub(super) fn step(&mut self, step: u64, found: &[Tensor], log: &Log) -> Outcome {
        let inputs = self.steps.arguments(step)?;
        let expected = match &self.whole {
            None => local_step(self.compiled, &inputs, self.precision)?,
            Some((source, program)) => {
                let main = program.main().ok_or_else(|| input::no_main(program, source))?;
                meshwright_execute::run_alone(program, &main.name, inputs, self.precision, &Quiet)
                    .map_err(|error| arrays::failure(&error.into(), source))?
            }
        };
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
        log.compared(step + 1, errors);
        self.steps.feed_back(&expected);
        Ok(())
    }

    /// The answer.
    pub(super) fn finish(self, log: &Log) -> Outcome {
        let (error, step, result) = self.worst;
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
