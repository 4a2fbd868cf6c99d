//! Tables that are found beside named ones, over random costs: `cargo run --release -p meshwright-schedule --example
//! synthesis [COUNT]`.
//!
//! Each problem has 2 to 8 groups, 4 to 32 microbatches, two unequal stages for each group, transfers of up to a tenth of
//! a phase, and a limit between what V-Min and twice what 1F1B keeps. Printed are the mean and the largest distances to
//! the lower bound, of the best named schedule that fits and of what was found, and the longest seconds of a search.

// An example talks to the person who runs it.
#![allow(clippy::print_stdout, clippy::disallowed_methods)]

use meshwright_ir::control::Quiet;
use meshwright_schedule::synthesis::{Answer, Objective, Problem, search};
use meshwright_simulate::{Boundary, Costs, StageCosts};
use std::time::Instant;

fn main() {
    let count = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(500);
    let mut draws = Draws(1);
    let mut found = Distances::default();
    let mut named = Distances::default();
    let (mut slowest, mut worse, mut alone, mut better) = (0.0_f64, 0, 0, 0);
    for _ in 0..count {
        let problem = problem(&mut draws);
        let start = Instant::now();
        let Some(answer) = search(&problem, &Quiet) else { continue };
        slowest = slowest.max(start.elapsed().as_secs_f64());
        assert_eq!(
            problem.value(&answer.schedule),
            Some(answer.value),
            "the table that was found is another"
        );
        match &answer.best_named {
            Some(best) => {
                worse += usize::from(answer.value > best.value);
                better += usize::from(answer.value < best.value);
                named.add(&answer, best.value);
                found.add(&answer, answer.value);
            }
            None => alone += 1,
        }
    }
    println!("problems with a named schedule that fits: {}, without: {alone}", found.all.len());
    println!("found is worse: {worse}, better: {better}");
    println!("above the bound, best named: {}", named.text());
    println!("above the bound, found:      {}", found.text());
    println!("longest search: {slowest:.2} s");
}

/// Distances to the bound, as shares of it.
#[derive(Default)]
struct Distances {
    all: Vec<f64>,
}

impl Distances {
    fn add(&mut self, answer: &Answer, value: f64) {
        self.all.push(value / answer.bound - 1.0);
    }

    fn text(&self) -> String {
        let mean = self.all.iter().sum::<f64>() / self.all.len().max(1) as f64;
        let largest = self.all.iter().copied().fold(0.0, f64::max);
        format!("{:.2} % on average, at most {:.2} %", 100.0 * mean, 100.0 * largest)
    }
}

fn problem(draws: &mut Draws) -> Problem {
    let groups = 2 + draws.below(7);
    let microbatches = 4 + draws.below(29);
    let imbalance = 0.4 * draws.unit();
    let phases = [1.0, 0.6 + 0.8 * draws.unit(), 0.5 + 0.7 * draws.unit()];
    let transfer = 0.1 * draws.unit();
    let stage = |draws: &mut Draws| {
        let size = 1.0 + imbalance * (draws.unit() - 0.5);
        StageCosts {
            forward: phases[0] * size,
            input_gradient: phases[1] * size,
            weight_gradient: phases[2] * size,
            kept: 0.5,
            kept_for_weights: 0.5,
            ..StageCosts::default()
        }
    };
    let stages = (0..2 * groups).map(|_| stage(draws)).collect();
    let boundary = Boundary { up: transfer, down: transfer };
    let costs = Costs { stages, boundaries: vec![boundary; 2 * groups - 1], ..Costs::default() };
    let (least, most) = ((groups + 4) / 3, 2 * groups);
    let limit = least as f64 + draws.unit() * (most - least) as f64;
    let virtual_stages = vec![1, 2];
    Problem { groups, virtual_stages, microbatches, costs, limit, objective: Objective::Makespan }
}

/// Numbers that look random (xorshift), the same each time.
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }
}
