//! Plans beside the best one, for readers that count memory otherwise than the search does.
//!
//! Input: an [`Outcome`]. Output: for each mesh those of its plans that nothing on it beats in both time and memory.

use meshwright_machine::Bytes;
use meshwright_plan::Shardings;

use crate::evaluation::Evaluation;
use crate::planner::ShardingPlanner;
use crate::{Alternative, MeshOutcome, Outcome};

impl Outcome {
    /// Plans within a limit that are not the best: of those that were solved and of common styles, for each mesh those of
    /// which no other takes less and needs less; so many of those that take least, in this order.
    pub fn beside(
        &self,
        planner: &ShardingPlanner<'_>,
        limit: Bytes,
        most: usize,
    ) -> Vec<(Shardings, Evaluation)> {
        let mut others: Vec<(Known<'_>, Evaluation)> = Vec::new();
        for own in &self.meshes {
            let mut front: Vec<(Known<'_>, Evaluation)> = Vec::new();
            for (known, evaluation) in self.on(own) {
                let is_less = front.iter().all(|(_, other)| evaluation.peak < other.peak);
                if is_less && evaluation.fits(limit) {
                    front.push((known, evaluation));
                }
            }
            others.extend(front);
        }
        others.retain(|(_, evaluation)| *evaluation != self.evaluation);
        others.sort_by(|(_, one), (_, other)| one.seconds.0.total_cmp(&other.seconds.0));
        let whole = |(known, evaluation): (Known<'_>, Evaluation)| match known {
            Known::Whole(shardings) => (shardings.clone(), evaluation),
            Known::Style(style) => (planner.shardings(&style.decisions), evaluation),
        };
        others.into_iter().take(most).map(whole).collect()
    }

    /// All plans on a mesh, those that take least first.
    fn on<'a>(&'a self, own: &'a MeshOutcome) -> Vec<(Known<'a>, Evaluation)> {
        let solved = own.plan.iter().map(|plan| (Known::Whole(&plan.shardings), plan.evaluation));
        let styles = self.alternatives.iter();
        let styles = styles.filter(|style| style.decisions.mesh.as_ref() == Some(&own.mesh));
        let styles = styles.map(|style| (Known::Style(style), style.evaluation));
        let mut all: Vec<_> = solved.chain(styles).collect();
        all.sort_by(|(_, one), (_, other)| one.seconds.0.total_cmp(&other.seconds.0));
        all
    }
}

/// A plan that is known.
enum Known<'a> {
    Whole(&'a Shardings),
    /// What it leads to is not written down.
    Style(&'a Alternative),
}
