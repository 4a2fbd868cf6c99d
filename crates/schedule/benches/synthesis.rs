//! Weighs tables that are found against those that have a name, over random costs.
//!
//!     cargo bench -p meshwright-schedule --bench synthesis -- [NUMBER]
//!
//! Input: how many cost sets there are, 500 without it: 2 to 8 groups, 4 to 32 microbatches, phases of each stage and
//! transfers that differ, and memory between what V-Min keeps of equal stages and twice what 1F1B does. Output: a line for each number of
//! groups: how many problems no schedule with a name fits, how often what is found is better than the best of these, the mean
//! distances of both to the bound, and CPU time. The exit status is 1 if a table is worse than one that has a name.

// What a benchmark is for.
#![allow(clippy::disallowed_methods, clippy::print_stdout)]

use meshwright_ir::control::Quiet;
use meshwright_plan::Schedule;
use meshwright_schedule::synthesis::{Objective, Problem, search};
use meshwright_schedule::{SCHEDULES, Stages};
use meshwright_simulate::{Boundary, Costs};
use std::process::ExitCode;
use std::time::Instant;

const PROBLEMS: usize = 500;

/// Times that are summed in another order differ by less.
const ROUNDING: f64 = 1e-9;

fn main() -> ExitCode {
    // `cargo bench` itself passes `--bench`.
    let number = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(PROBLEMS);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut sums: Vec<Sums> = (0..=8).map(|_| Sums::default()).collect();
    for _ in 0..number {
        let problem = random.problem();
        sums[problem.groups].add(&problem);
    }
    println!(
        "{:>6} {:>8} {:>9} {:>6} {:>6} {:>9} {:>9} {:>7} {:>7}",
        "groups", "problems", "none fits", "better", "worse", "found", "named", "mean s", "most s"
    );
    let mut all = Sums::default();
    for (groups, own) in sums.iter().enumerate().filter(|(_, own)| own.problems > 0) {
        println!("{groups:>6} {}", own.line());
        all.merge(own);
    }
    println!("{:>6} {}", "all", all.line());
    ExitCode::from(u8::from(all.worse > 0))
}

/// What became of problems.
#[derive(Clone, Debug, Default)]
struct Sums {
    problems: usize,
    /// Of how many no schedule with a name fits.
    nameless: usize,
    better: usize,
    worse: usize,
    /// Sums of shares above the bound, of problems that a schedule with a name fits.
    found: f64,
    named: f64,
    seconds: f64,
    most_seconds: f64,
}

impl Sums {
    fn add(&mut self, problem: &Problem) {
        let started = Instant::now();
        let answer = search(problem, &Quiet);
        let seconds = started.elapsed().as_secs_f64();
        self.problems += 1;
        self.seconds += seconds;
        self.most_seconds = self.most_seconds.max(seconds);
        let named = named(problem);
        let Some(answer) = answer else {
            self.nameless += 1;
            self.worse += usize::from(named.is_some());
            return;
        };
        let Some(named) = named else {
            self.nameless += 1;
            return;
        };
        self.better += usize::from(answer.value < named * (1.0 - ROUNDING));
        self.worse += usize::from(answer.value > named * (1.0 + ROUNDING));
        self.found += answer.value / answer.bound - 1.0;
        self.named += named / answer.bound - 1.0;
    }

    fn merge(&mut self, other: &Self) {
        self.problems += other.problems;
        self.nameless += other.nameless;
        self.better += other.better;
        self.worse += other.worse;
        self.found += other.found;
        self.named += other.named;
        self.seconds += other.seconds;
        self.most_seconds = self.most_seconds.max(other.most_seconds);
    }

    fn line(&self) -> String {
        let compared = (self.problems - self.nameless).max(1) as f64;
        format!(
            "{:>8} {:>9} {:>6} {:>6} {:>7.2} % {:>7.2} % {:>7.3} {:>7.3}",
            self.problems,
            self.nameless,
            self.better,
            self.worse,
            100.0 * self.found / compared,
            100.0 * self.named / compared,
            self.seconds / self.problems.max(1) as f64,
            self.most_seconds
        )
    }
}

/// What the best schedule with a name takes that fits, looked at without the search.
fn named(problem: &Problem) -> Option<f64> {
    let Problem { groups, microbatches, .. } = *problem;
    let table = |known: &meshwright_schedule::Named| -> Option<Schedule> {
        let virtual_stages = known.virtual_stages;
        known.table(&Stages { groups, virtual_stages, microbatches, layers: None }).ok()
    };
    let tables = SCHEDULES.iter().filter(|known| known.copies == 1).filter_map(table);
    tables.filter_map(|table| problem.value(&table)).reduce(f64::min)
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn between(&mut self, least: usize, most: usize) -> usize {
        least + usize::try_from(self.next() % (most - least + 1) as u64).unwrap_or(0)
    }

    fn real(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Two stages for each group, whose seconds differ by up to half from the mean of their phase.
    fn problem(&mut self) -> Problem {
        let (groups, microbatches) = (self.between(2, 8), self.between(4, 32));
        let means = [1.0, self.real(0.8, 1.5), self.real(0.5, 1.2)];
        let mut costs = Costs::uniform(2 * groups, means, 0.0);
        let transfer = self.real(0.0, 0.3);
        for stage in &mut costs.stages {
            stage.forward *= self.real(0.5, 1.5);
            stage.input_gradient *= self.real(0.5, 1.5);
            stage.weight_gradient *= self.real(0.5, 1.5);
            stage.kept = 0.5 * self.real(0.8, 1.2);
            stage.kept_for_weights = stage.kept * self.real(0.3, 1.0);
        }
        for Boundary { up, down } in &mut costs.boundaries {
            (*up, *down) = (transfer * self.real(0.5, 1.5), transfer * self.real(0.5, 1.5));
        }
        let least = ((groups + 4) / 3) as f64;
        let limit = self.real(least, 2.0 * groups as f64);
        let virtual_stages = vec![1, 2];
        Problem { groups, virtual_stages, microbatches, costs, limit, objective: Objective::Makespan }
    }
}
