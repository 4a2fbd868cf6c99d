//! Plans that are simpler than the best and nearly as fast: common styles, and the plans of other meshes.
//!
//! Input: an [`Outcome`]. Output: the plans besides its own that fit, fastest first, as [`Other`]s with what is needed to
//! take one instead. How simple a plan is shows when it is spread out, so the caller chooses.

use crate::{Outcome, ShardingPlanner};
use meshwright_plan::{Decisions, Shardings};

use crate::evaluation::Evaluation;

/// A plan besides the best.
#[derive(Clone, Debug)]
pub struct Other {
    /// The style in the field's words; `None`: the solver's plan of another mesh.
    pub style: Option<String>,
    /// What it costs.
    pub evaluation: Evaluation,
    plan: Source,
}

/// A plan as the search keeps it.
#[derive(Clone, Debug)]
enum Source {
    /// Whole.
    Solved(Shardings),
    /// The decisions of a style, which are propagated when the whole of it is wanted.
    Style(Decisions),
}

impl Other {
    /// The whole plan.
    pub fn shardings(&self, planner: &ShardingPlanner<'_>) -> Shardings {
        match &self.plan {
            Source::Solved(shardings) => shardings.clone(),
            Source::Style(decisions) => planner.shardings(decisions),
        }
    }
}

impl Outcome {
    /// The plans that take at most `factor` times as long as the best and fit, fastest first.
    pub fn others(&self, factor: f64) -> Vec<Other> {
        let most = self.evaluation.seconds * factor;
        let is_near = |evaluation: &Evaluation| {
            evaluation.fits(self.problem.memory_limit) && evaluation.seconds <= most
        };
        let styles = self.alternatives.iter().filter(|style| is_near(&style.evaluation)).map(|style| Other {
            style: Some(style.name.clone()),
            plan: Source::Style(style.decisions.clone()),
            evaluation: style.evaluation,
        });
        let solved = self.meshes.iter().filter_map(|found| {
            let plan = found.plan.as_ref().filter(|plan| is_near(&plan.evaluation))?;
            let source = Source::Solved(plan.shardings.clone());
            Some(Other { style: None, evaluation: plan.evaluation, plan: source })
        });
        let mut others: Vec<Other> = styles.chain(solved).collect();
        others.sort_by(|left, right| left.evaluation.seconds.0.total_cmp(&right.evaluation.seconds.0));
        others
    }
}
