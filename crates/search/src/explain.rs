//! Why this plan: what the common styles would cost in comparison.
//!
//! Input: the answer and the styles that were evaluated on the way. Output: one sentence each, such as
//! `data parallel over 8: 1.31 ms (compute 0.9 ms, communication 0.41 ms), 1.6 times the plan's time`.

use std::collections::BTreeSet;

use crate::evaluate::{Evaluation, Score, Scored};
use crate::problem::{Answer, Problem};

/// A common style and what it costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The field's name for it, such as `data parallel over 2, tensor parallel over 4`.
    pub name: String,
    /// How it shards.
    pub answer: Answer,
    /// What it costs.
    pub evaluation: Evaluation,
    /// How good it is.
    pub score: Score,
}

impl Alternative {
    pub(crate) fn new(name: String, scored: &Scored) -> Self {
        Self { name, answer: scored.answer.clone(), evaluation: scored.evaluation, score: scored.score }
    }

    /// The styles in it, without the number of devices.
    fn family(&self) -> Vec<&str> {
        let mut styles: Vec<&str> = self
            .name
            .split(", ")
            .map(|part| part.rsplit_once(" over ").map_or(part, |(style, _)| style))
            .collect();
        styles.sort_unstable();
        styles.dedup();
        styles
    }
}

/// `data parallel over 2, tensor parallel over 4`; axes with one style count together.
pub(crate) fn style_name(styles: &[(&'static str, usize)]) -> String {
    let mut names: Vec<(&str, usize)> = Vec::new();
    for (style, size) in styles {
        match names.iter_mut().find(|(name, _)| name == style) {
            Some((_, devices)) => *devices *= size,
            None => names.push((style, *size)),
        }
    }
    names.iter().map(|(name, devices)| format!("{name} over {devices}")).collect::<Vec<_>>().join(", ")
}

/// Best first; of the variants of one combination of styles only the best is kept.
pub(crate) fn sort(alternatives: &mut Vec<Alternative>, problem: &Problem) {
    debug_assert!(alternatives.iter().all(|other| other.answer.mesh < problem.meshes.len()));
    alternatives.sort_by(|a, b| a.score.cmp(&b.score).then_with(|| a.name.cmp(&b.name)));
    let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
    alternatives.retain(|other| seen.insert(other.family().into_iter().map(str::to_owned).collect()));
}

/// One sentence about the plan, and one about each style that was not taken: the single ones, and data parallel or
/// ZeRO-3 with tensor parallel.
pub(crate) fn reasons(
    problem: &Problem,
    answer: &Answer,
    evaluation: &Evaluation,
    alternatives: &[Alternative],
) -> Vec<String> {
    let mut reasons = vec![format!("this plan: {}", cost(problem, evaluation))];
    for other in alternatives {
        let family = other.family();
        let is_well_known =
            family.len() == 1 || matches!(family.as_slice(), ["ZeRO-3" | "data parallel", "tensor parallel"]);
        if !is_well_known {
            continue;
        }
        if other.answer == *answer {
            reasons.push(format!("{}: this is the plan", other.name));
            continue;
        }
        let times = other.evaluation.seconds.0 / evaluation.seconds.0;
        let ratio = if other.evaluation.peak > problem.memory_limit {
            "does not fit".to_owned()
        } else if (0.995..1.005).contains(&times) {
            "as fast as the plan".to_owned()
        } else {
            format!("{times:.2} times the plan's time")
        };
        reasons.push(format!("{}: {}, {ratio}", other.name, cost(problem, &other.evaluation)));
    }
    reasons
}

/// `1.31 ms (compute 0.9 ms, communication 0.41 ms), 2.1 GiB of 80.0 GiB`.
fn cost(problem: &Problem, evaluation: &Evaluation) -> String {
    let Evaluation { seconds, compute, communication, peak } = evaluation;
    format!(
        "{seconds} (compute {compute}, communication {communication}), {peak} of {}",
        problem.memory_limit
    )
}
