//! What `check` and `run --compare whole` say of a plan under which a step computes something else than it says: statistics
//! of each microbatch by itself.
//!
//! Input: a compiled program, or a plan. Output: whether it may be checked, the line that comes first, and how far the step with these
//! statistics is from the step as it is written, which is no part of the answer.

use crate::args::Fitting;
use crate::failure::{Failure, Outcome};
use crate::{planning, plural};
use meshwright_compile::{Compiled, Statistics};
use meshwright_execute::{RunError, compare_whole};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_plan::PlanFile;
use meshwright_present::wrap::wrap;
use meshwright_tensor::{Difference, Precision, Tensor};
use serde::Serialize;

/// Names that are shown.
const MOST_NAMES: usize = 4;

/// The step that devices are compared with, where it is not the step as it is written.
#[derive(Debug, Serialize)]
pub(crate) struct LocalStatistics {
    /// Values that are those of one microbatch.
    values: Vec<String>,
    /// The step with these.
    #[serde(skip)]
    pub(crate) whole: Program,
    /// How far each output is from that of the step as it is written; not compared where that has NaN or infinity.
    pub(crate) from_original: Vec<FromOriginal>,
}

/// How far an output is from that of the step as it is written.
#[derive(Debug, Serialize)]
pub(crate) struct FromOriginal {
    max_abs: f64,
    max_rel: f64,
}

impl LocalStatistics {
    /// Those of a plan, if it has any.
    ///
    /// Errors: the caller does not allow them.
    pub(crate) fn of(compiled: &Compiled, flags: &Fitting) -> Outcome<Option<Self>> {
        let (Some(planned), Some(whole)) = (&compiled.plan.microbatches, &compiled.local) else {
            return Ok(None);
        };
        let values = planned.local_statistics.clone();
        if flags.microbatch_statistics != Some(Statistics::Local) {
            return Err(Failure::usage(format!(
                "the plan takes {} of each microbatch by itself, which changes what the step computes: with \
                 `--microbatch-statistics local` the step with such statistics is what devices are compared with",
                plural::count(values.len(), "statistic")
            )));
        }
        Ok(Some(Self { values, whole: (**whole).clone(), from_original: Vec::new() }))
    }

    /// Those of a folder's plan, if it has any.
    ///
    /// Errors: the plan is of another program.
    pub(crate) fn of_plan(
        original: &Program,
        source: &Source,
        (plan_source, plan): &(Source, PlanFile),
    ) -> Outcome<Option<Self>> {
        let whole = meshwright_compile::with_local_statistics(original, plan)
            .map_err(|error| planning::failure(error, source, Some(plan_source)))?;
        let values = plan.microbatches.as_ref().map_or_else(Vec::new, |found| found.local_statistics.clone());
        Ok(whole.map(|whole| Self { values, whole, from_original: Vec::new() }))
    }

    /// The line that comes first.
    pub(crate) fn head(&self) -> String {
        let shown: Vec<&str> = self.values.iter().take(MOST_NAMES).map(String::as_str).collect();
        let more = if self.values.len() > MOST_NAMES { ", ..." } else { "" };
        let text = format!(
            "Compared with the step with statistics of each microbatch, run undistributed, not with the step as it is \
             written: {} changed meaning ({}{more}).",
            plural::count(self.values.len(), "value"),
            shown.join(", ")
        );
        format!("{}\n", wrap("", &text))
    }

    /// Runs both steps on the same inputs.
    ///
    /// Errors: one of them cannot be run.
    pub(crate) fn compare(
        &mut self,
        original: &Program,
        inputs: &[Tensor],
        precision: Precision,
        control: &dyn Control,
    ) -> Result<(), RunError> {
        let found = compare_whole(&self.whole, original, inputs, precision, control)?;
        let from = |Difference { max_abs, max_rel, .. }: Difference| FromOriginal { max_abs, max_rel };
        self.from_original = found.into_iter().map(from).collect();
        Ok(())
    }

    /// What that gave.
    pub(crate) fn text(&self, names: &[Option<String>]) -> String {
        let Some((index, worst)) =
            self.from_original.iter().enumerate().max_by(|(_, a), (_, b)| a.max_rel.total_cmp(&b.max_rel))
        else {
            return String::new();
        };
        let name = names.get(index).and_then(Option::as_deref).map(|name| format!(" ({name})"));
        let text = format!(
            "For information: statistics of each microbatch put outputs up to {:.1e} of their largest magnitude from the \
             step as it is written, at output {index}{}.",
            worst.max_rel,
            name.unwrap_or_default()
        );
        wrap("", &text)
    }
}
