//! Why this plan: what the common styles would cost in comparison.
//!
//! Input: the answer and the styles that were evaluated on the way. Output: one sentence each, such as
//! `data parallel over 8: 1.31 ms (compute 0.9 ms, communication 0.41 ms), 1.6 times the plan's time`.

use std::collections::BTreeSet;

use crate::evaluation::{Evaluation, Score};
use crate::problem::Problem;
use crate::{Outcome, StopReason};
use meshwright_ir::mesh::Mesh;
use meshwright_plan::Decisions;

/// A common style and what it costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The field's name for it, such as `data parallel over 2, tensor parallel over 4`.
    pub name: String,
    /// Its decisions: propagated, they are the whole plan.
    pub decisions: Decisions,
    /// Its predicted cost.
    pub evaluation: Evaluation,
    /// Its rank among others.
    pub score: Score,
}

impl Alternative {
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
    if names.is_empty() {
        return "nothing sharded".to_owned();
    }
    names.iter().map(|(name, devices)| format!("{name} over {devices}")).collect::<Vec<_>>().join(", ")
}

/// Best first; of the variants of one combination of styles only the best is kept.
pub(crate) fn sort(alternatives: &mut Vec<Alternative>) {
    alternatives.sort_by(|a, b| a.score.cmp(&b.score).then_with(|| a.name.cmp(&b.name)));
    let mut seen: BTreeSet<Vec<String>> = BTreeSet::new();
    alternatives.retain(|other| seen.insert(other.family().into_iter().map(str::to_owned).collect()));
}

/// What the plan costs, how good it is, what binds, the runner-up among meshes; and a sentence about each style that was
/// not taken.
pub(crate) fn reasons(outcome: &Outcome) -> Vec<String> {
    let Outcome { problem, evaluation, alternatives, requested, .. } = outcome;
    let mut reasons =
        vec![format!("this plan: {}", cost(problem, evaluation)), quality(outcome), binds(outcome)];
    reasons.extend(runner_up(outcome));
    let asked = requested.iter().map(|other| (other, "; `--search none` makes it the plan"));
    for (other, hint) in asked.chain(alternatives.iter().map(|other| (other, ""))) {
        let [own, others] = [evaluation, &other.evaluation].map(|evaluation| evaluation.seconds.0);
        let times = if own == others { 1.0 } else { others / own };
        let ratio = if other.evaluation.peak > problem.memory_limit {
            "does not fit".to_owned()
        } else if !other.evaluation.fits(problem.memory_limit) {
            "does not fit on the host".to_owned()
        } else if (0.995..1.005).contains(&times) {
            "as fast as the plan".to_owned()
        } else {
            format!("{times:.2} times the plan's time")
        };
        reasons.push(format!("{}: {}, {ratio}{hint}", other.name, cost(problem, &other.evaluation)));
    }
    reasons
}

/// How far from the best the plan can be, and among how many.
fn quality(outcome: &Outcome) -> String {
    let searched = || outcome.meshes.iter().filter(|found| !found.is_too_large);
    let num_meshes = searched().count();
    let (nodes, strategies) =
        searched().fold((0, 0), |most, found| if found.size.1 > most.1 { found.size } else { most });
    let meshes = if num_meshes == 1 { "on this mesh".to_owned() } else { format!("on {num_meshes} meshes") };
    let space = format!("{nodes} decisions with {strategies} choices in all on the largest");
    if num_meshes == 0 {
        return "no mesh was searched, as there is too much to choose from on each: the plan is the best common style"
            .to_owned();
    }
    match outcome.stop {
        StopReason::Infeasible => format!("no plan {meshes} was found that fits ({space})"),
        _ if outcome.gap() < 5e-5 => {
            format!("no plan {meshes} is better under this cost model ({space})")
        }
        _ => format!(
            "within {:.1} % of the best possible under this cost model {meshes} ({space})",
            (outcome.gap() * 1000.0).ceil() / 10.0
        ),
    }
}

/// What would have to be faster, or larger, for a faster plan.
fn binds(outcome: &Outcome) -> String {
    let Outcome { evaluation, problem, .. } = outcome;
    let share = |part: f64| (100.0 * part / evaluation.seconds.0.max(f64::MIN_POSITIVE)).round();
    let name_of = |level: usize| problem.levels.get(level).map_or("a link", String::as_str);
    let (name, part) = match evaluation.busiest {
        _ if evaluation.communication <= evaluation.compute => ("compute".to_owned(), evaluation.compute),
        Some((level, seconds)) if seconds >= evaluation.compute => {
            (format!("communication over {}", name_of(level)), seconds)
        }
        _ => ("communication".to_owned(), evaluation.communication),
    };
    let memory = evaluation.peak.0 as f64 / problem.memory_limit.0.max(1) as f64;
    let full = if memory > 0.9 {
        format!(", and memory, which is {:.0} % full", 100.0 * memory)
    } else {
        String::new()
    };
    format!("what binds: {name}, {} % of the time{full}", share(part.0))
}

/// The best plan on another mesh.
fn runner_up(outcome: &Outcome) -> Option<String> {
    let limit = outcome.problem.memory_limit;
    let others = outcome.meshes.iter().filter(|found| found.mesh != *outcome.mesh());
    let plans = others.filter_map(|found| Some((&found.mesh, &found.plan.as_ref()?.evaluation)));
    let plans = plans.filter(|(_, evaluation)| evaluation.fits(limit));
    let (mesh, evaluation) = plans.min_by_key(|(mesh, evaluation)| Score::new(evaluation, mesh, limit))?;
    Some(format!("next best mesh, {}: {}", sizes(mesh), cost(&outcome.problem, evaluation)))
}

/// Meshes on which the solver was not at its end.
pub(crate) fn unfinished(outcome: &Outcome) -> Vec<String> {
    let open =
        outcome.meshes.iter().filter(|found| !found.is_proven && found.bound < outcome.evaluation.seconds);
    let name = |found: &crate::MeshOutcome| {
        let (mesh, bound) = (sizes(&found.mesh), found.bound);
        match found.is_too_large {
            true => format!("the mesh {mesh} (too much to choose from; plans on it take at least {bound})"),
            false => format!("the mesh {mesh} to its end (plans on it take at least {bound})"),
        }
    };
    open.map(name).collect()
}

fn sizes(mesh: &Mesh) -> String {
    mesh.axes().iter().map(|axis| axis.size.to_string()).collect::<Vec<_>>().join("x")
}

/// `1.31 ms (compute 0.9 ms, communication 0.41 ms), 2.1 GiB of 80.0 GiB`.
fn cost(problem: &Problem, evaluation: &Evaluation) -> String {
    let Evaluation { seconds, compute, communication, peak, .. } = evaluation;
    format!(
        "{seconds} (compute {compute}, communication {communication}), {peak} of {}",
        problem.memory_limit
    )
}
