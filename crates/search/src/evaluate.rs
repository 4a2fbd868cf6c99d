//! Evaluating answers: each once, several at a time, never more than the budget allows.
//!
//! Input: answers. Output: what they are predicted to cost, and which of two is better ([`Score`]). Answers that were
//! seen before cost nothing. A batch is evaluated in parallel and its results are used in the batch's order, so that
//! nothing depends on the number of threads.

use std::collections::BTreeMap;

use meshwright_ir::control::Control;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Seconds};
use rayon::prelude::*;

use crate::problem::{Answer, Problem};
use crate::seeds::Seeds;

/// Spreads seeds over the function and predicts what the result costs. Pure: equal input, equal output.
pub type Evaluate<'a> = dyn Fn(&Mesh, &Seeds) -> Evaluation + Sync + 'a;

/// What an answer is predicted to cost on each device.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evaluation {
    /// Time of a whole step.
    pub seconds: Seconds,
    /// Time of it in which the device computes.
    pub compute: Seconds,
    /// Time of it in which it communicates.
    pub communication: Seconds,
    /// Most memory in use at once.
    pub peak: Bytes,
}

/// Less is better: the memory in excess of the limit first, then time, then how much is sharded, then memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    excess: u64,
    time: u32,
    num_sharded: usize,
    peak: u64,
}

impl Score {
    /// Times that differ by less than single precision count as equal, or rounding would choose among equal plans.
    fn new(problem: &Problem, answer: &Answer, evaluation: &Evaluation) -> Self {
        Self {
            excess: evaluation.peak.0.saturating_sub(problem.memory_limit.0),
            // The bits of floats that are not negative are ordered like the floats.
            time: (evaluation.seconds.0.max(0.0) as f32).to_bits(),
            num_sharded: answer.num_sharded(),
            peak: evaluation.peak.0,
        }
    }

    /// Whether the answer fits into the memory.
    pub fn is_feasible(&self) -> bool {
        self.excess == 0
    }
}

/// An answer with what it costs.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The answer.
    pub answer: Answer,
    /// What it costs.
    pub evaluation: Evaluation,
    /// How good it is.
    pub score: Score,
}

/// How many evaluations suit a program of so many instructions: their cost grows with the program, and a person
/// waits for all of them. Never fewer than the common styles need.
pub fn budget(num_insts: usize) -> usize {
    const WORK: usize = 6_000_000;
    (WORK / num_insts.max(1)).clamp(120, 900)
}

/// Evaluates answers to one problem.
pub struct Evaluator<'a> {
    /// The problem.
    pub problem: &'a Problem,
    function: &'a Function,
    evaluate: &'a Evaluate<'a>,
    control: &'a dyn Control,
    budget: usize,
    known: BTreeMap<Answer, Evaluation>,
}

impl<'a> Evaluator<'a> {
    /// With nothing evaluated yet.
    pub fn new(
        problem: &'a Problem,
        function: &'a Function,
        evaluate: &'a Evaluate<'a>,
        control: &'a dyn Control,
        budget: usize,
    ) -> Self {
        Self { problem, function, evaluate, control, budget: budget.max(1), known: BTreeMap::new() }
    }

    /// How many different answers were evaluated.
    pub fn num_evaluated(&self) -> usize {
        self.known.len()
    }

    /// How many more may be.
    pub fn num_left(&self) -> usize {
        if self.control.should_stop() { 0 } else { self.budget.saturating_sub(self.known.len()) }
    }

    /// Costs of all `answers`, in their order, without those for which the budget does not suffice. The very first
    /// answer is always evaluated.
    pub fn all(&mut self, answers: impl IntoIterator<Item = Answer>) -> Vec<Scored> {
        let answers: Vec<Answer> = answers.into_iter().collect();
        let mut new: Vec<&Answer> = Vec::new();
        for answer in &answers {
            if !self.known.contains_key(answer) && !new.contains(&answer) {
                new.push(answer);
            }
        }
        let left = self.num_left().max(usize::from(self.known.is_empty()));
        new.truncate(left);
        let (problem, function, evaluate) = (self.problem, self.function, self.evaluate);
        let found: Vec<Evaluation> = new
            .par_iter()
            .map(|answer| evaluate(&problem.meshes[answer.mesh], &Seeds::of(problem, function, answer)))
            .collect();
        let found: Vec<(Answer, Evaluation)> = new.into_iter().cloned().zip(found).collect();
        self.known.extend(found);
        self.control.progress("search", self.known.len(), self.budget);
        answers
            .into_iter()
            .filter_map(|answer| {
                let evaluation = *self.known.get(&answer)?;
                let score = Score::new(problem, &answer, &evaluation);
                Some(Scored { answer, evaluation, score })
            })
            .collect()
    }

    /// The best of `answers`, the first of equals; `None` if none could be evaluated.
    pub fn best(&mut self, answers: impl IntoIterator<Item = Answer>) -> Option<Scored> {
        self.all(answers).into_iter().min_by_key(|scored| scored.score)
    }
}
