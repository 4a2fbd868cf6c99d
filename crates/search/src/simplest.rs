//! Plans that are simpler than the best and nearly as fast: common styles, and the plans of other meshes.
//!
//! Input: an [`Outcome`]. Output: the plans besides its own that fit, fastest first, as [`Other`]s with what is needed to
//! take one instead. How simple a plan is shows when it is spread out, so the caller chooses.

use crate::{Outcome, ShardingPlanner};
use meshwright_plan::Shardings;

use crate::evaluation::Evaluation;

/// A plan besides the best.
#[derive(Clone, Debug)]
pub struct Other {
    /// The style in the field's words; `None`: the solver's plan of another mesh.
    pub style: Option<String>,
    /// The whole of it.
    pub shardings: Shardings,
    /// What it costs.
    pub evaluation: Evaluation,
}

impl Outcome {
    /// The plans that take at most `factor` times as long as the best and fit, fastest first.
    pub fn others(&self, planner: &ShardingPlanner<'_>, factor: f64) -> Vec<Other> {
        let most = self.evaluation.seconds * factor;
        let is_near = |evaluation: &Evaluation| {
            evaluation.peak <= self.problem.memory_limit && evaluation.seconds <= most
        };
        let styles = self.alternatives.iter().filter(|style| is_near(&style.evaluation)).map(|style| Other {
            style: Some(style.name.clone()),
            shardings: planner.shardings(&style.decisions),
            evaluation: style.evaluation,
        });
        let solved = self.meshes.iter().filter_map(|found| {
            let plan = found.plan.as_ref().filter(|plan| is_near(&plan.evaluation))?;
            let shardings = plan.shardings.clone();
            Some(Other { style: None, shardings, evaluation: plan.evaluation })
        });
        let mut others: Vec<Other> = styles.chain(solved).collect();
        others.sort_by(|left, right| left.evaluation.seconds.0.total_cmp(&right.evaluation.seconds.0));
        others
    }
}
