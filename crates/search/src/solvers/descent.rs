//! Multi-start descent: from the common styles downhill.
//!
//! 1. All starts are evaluated: nothing sharded, and every combination of strategies over the axes of every mesh.
//! 2. The best of them go downhill, each by the steepest *coarse* step (a strategy along an axis, a set of dims along
//!    an axis, all moments or all state along an axis) until none improves.
//! 3. The best then takes *fine* steps: one group along one axis. All are evaluated; the best one, and the best few
//!    of different groups together, are tried, and the best of those is taken, until none improves.
//!
//! The budget is split so that each phase gets its turn; whatever one leaves goes to the next.

use std::collections::BTreeSet;

use super::{Solved, StopReason, solved};
use crate::evaluate::{Evaluator, Scored};
use crate::explain::Alternative;
use crate::problem::{Answer, GroupKind, Problem};
use crate::strategies::{STRATEGIES, is_moment, is_parameter, shard_largest, starts, tensor, zero};

/// How many starts go downhill.
const NUM_DESCENTS: usize = 4;

/// Starts, descends, refines.
pub(super) fn solve(evaluator: &mut Evaluator<'_>) -> Solved {
    let problem = evaluator.problem;
    let starts = starts(problem);
    let first = evaluator.best([problem.replicated(0)]).expect("the first answer is always evaluated");
    // Starts may not eat up what descending needs.
    let most = evaluator.num_left() * 2 / 3;
    let answers: Vec<Answer> = starts.iter().take(most).map(|start| start.answer.clone()).collect();
    let scored = evaluator.all(answers);
    let mut alternatives = vec![Alternative::new("nothing sharded".into(), &first)];
    for (start, scored) in starts.iter().zip(&scored) {
        alternatives.push(Alternative::new(crate::explain::style_name(&start.styles), scored));
    }
    let mut order: Vec<Scored> = scored.into_iter().chain([first]).collect();
    order.sort_by_key(|scored| scored.score);
    let mut best: Option<Scored> = None;
    let mut stop = StopReason::LocalOptimum;
    for (number, start) in order.into_iter().take(NUM_DESCENTS).enumerate() {
        let share = evaluator.num_left() / (NUM_DESCENTS - number + 1);
        let (end, reason) = coarse(evaluator, start, share);
        if reason == StopReason::Budget {
            stop = reason;
        }
        if best.as_ref().is_none_or(|best| end.score < best.score) {
            best = Some(end);
        }
    }
    let (best, reason) = fine(evaluator, best.expect("there is at least one start"));
    if reason == StopReason::Budget {
        stop = reason;
    }
    solved(best, stop, alternatives)
}

/// Steepest descent by coarse steps.
fn coarse(evaluator: &mut Evaluator<'_>, start: Scored, budget: usize) -> (Scored, StopReason) {
    let floor = evaluator.num_left().saturating_sub(budget);
    let mut current = start;
    loop {
        let steps = coarse_steps(evaluator.problem, &current.answer);
        let room = evaluator.num_left().saturating_sub(floor);
        let is_cut = steps.len() > room;
        let next = evaluator.best(steps.into_iter().take(room));
        match next {
            Some(next) if next.score < current.score => current = next,
            _ if is_cut => return (current, StopReason::Budget),
            _ => return (current, StopReason::LocalOptimum),
        }
    }
}

/// The neighbors of an answer by coarse steps, without repetition, in a fixed order.
fn coarse_steps(problem: &Problem, answer: &Answer) -> Vec<Answer> {
    let mut steps = Steps::new(answer);
    let axes = problem.meshes[answer.mesh].axes().len();
    for axis in 0..axes {
        let without = |wanted: &dyn Fn(GroupKind) -> bool| {
            let mut answer = answer.clone();
            problem.groups_of(wanted).for_each(|group| answer.choices[group][axis] = None);
            answer
        };
        let empty = without(&|_| true);
        steps.add(empty.clone());
        for strategy in STRATEGIES {
            let mut step = empty.clone();
            if (strategy.apply)(problem, &mut step, axis) {
                steps.add(step);
            }
        }
        steps.add(without(&is_moment));
        steps.add(without(&|kind| is_moment(kind) || is_parameter(kind)));
        steps.add(without(&|kind| kind == GroupKind::Data));
        steps.add(without(&|kind| kind == GroupKind::Activation));
        for change in [zero::shard_moments, zero::shard_state] {
            let mut step = answer.clone();
            if change(problem, &mut step, axis) {
                steps.add(step);
            }
        }
        for set in &problem.dim_sets {
            let mut step = answer.clone();
            if tensor::shard_set(problem, &mut step, set, axis) {
                steps.add(step);
            }
            // The opposite: whatever of the set the axis shards, it leaves.
            let mut step = answer.clone();
            for (group, dim) in &set.sites {
                for group in [Some(*group), problem.moments_of(*group)].into_iter().flatten() {
                    if step.choices[group][axis] == Some(*dim) {
                        step.choices[group][axis] = None;
                    }
                }
            }
            steps.add(step);
        }
    }
    steps.list
}

struct Steps {
    list: Vec<Answer>,
    seen: BTreeSet<Answer>,
}

impl Steps {
    fn new(answer: &Answer) -> Self {
        Self { list: Vec::new(), seen: BTreeSet::from([answer.clone()]) }
    }

    fn add(&mut self, step: Answer) {
        if self.seen.insert(step.clone()) {
            self.list.push(step);
        }
    }
}

/// Descent by fine steps, several at once where they concern different groups.
fn fine(evaluator: &mut Evaluator<'_>, start: Scored) -> (Scored, StopReason) {
    let mut current = start;
    loop {
        let steps = fine_steps(evaluator.problem, &current.answer);
        let is_cut = steps.len() > evaluator.num_left();
        let mut better: Vec<Scored> =
            evaluator.all(steps).into_iter().filter(|step| step.score < current.score).collect();
        better.sort_by_key(|step| step.score);
        let Some(best) = better.first().cloned() else {
            return (current, if is_cut { StopReason::Budget } else { StopReason::LocalOptimum });
        };
        let together = combinations(evaluator.problem, &current.answer, &better);
        current = evaluator.best(together).filter(|found| found.score < best.score).unwrap_or(best);
    }
}

/// One group along one axis: every dim that divides, and none. The largest groups come first, since they matter most
/// if the budget does not reach all.
fn fine_steps(problem: &Problem, answer: &Answer) -> Vec<Answer> {
    let mut steps = Steps::new(answer);
    let mut groups: Vec<usize> = (0..problem.groups.len()).collect();
    groups.sort_by_key(|group| std::cmp::Reverse(problem.groups[*group].bytes));
    for group in groups {
        for axis in 0..problem.meshes[answer.mesh].axes().len() {
            for dim in 0..problem.groups[group].shape.len() {
                let mut step = answer.clone();
                if problem.shard(&mut step, group, axis, dim) {
                    steps.add(step);
                }
            }
            let mut step = answer.clone();
            step.choices[group][axis] = None;
            steps.add(step.clone());
            // The moments of a group of parameters move with it.
            if let Some(moments) = problem.moments_of(group) {
                step.choices[moments][axis] = None;
                steps.add(step.clone());
                if shard_largest(problem, &mut step, group, axis) {
                    step.choices[moments][axis] = step.choices[group][axis];
                    if problem.divides(&step, moments) {
                        steps.add(step);
                    }
                }
            }
        }
    }
    steps.list
}

/// The best 2, 4, 8, ... improving steps together, each group changed by its best step only; and all of them.
fn combinations(problem: &Problem, answer: &Answer, better: &[Scored]) -> Vec<Answer> {
    let mut combined = answer.clone();
    let mut changed: BTreeSet<usize> = BTreeSet::new();
    let mut all = Vec::new();
    let mut count = 0;
    for step in better {
        let groups: Vec<usize> = (0..problem.groups.len())
            .filter(|group| step.answer.choices[*group] != answer.choices[*group])
            .collect();
        if groups.iter().any(|group| changed.contains(group)) {
            continue;
        }
        for group in &groups {
            combined.choices[*group] = step.answer.choices[*group].clone();
        }
        changed.extend(groups);
        count += 1;
        if count >= 2 && usize::is_power_of_two(count) {
            all.push(combined.clone());
        }
    }
    all.push(combined);
    all
}
