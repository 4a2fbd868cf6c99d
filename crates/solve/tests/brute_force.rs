//! Tiny random problems, the same ones each time, solved by trying everything.
//!
//!     PROBLEMS=3000..100000 cargo test --release -p meshwright-solve --test brute_force   # these seeds

// The range of seeds comes from the person who runs the test.
#![allow(clippy::disallowed_methods)]

use meshwright_solve::check::check;
use meshwright_solve::problem::{Edge, IMPOSSIBLE, Node, Problem, Span};
use meshwright_solve::solve::{Options, Reason, Watch, solve};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Random numbers that are the same everywhere: SplitMix64 (Steele, Lea, Flood 2014).
struct Draws(u64);

impl Draws {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number of a range.
    fn of(&mut self, range: Range<u64>) -> u64 {
        range.start + self.next() % (range.end - range.start)
    }

    /// So many of what is drawn.
    fn many<T>(&mut self, count: u64, mut draw: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..count).map(|_| draw(self)).collect()
    }
}

struct Patient;

impl Watch for Patient {
    fn should_stop(&self) -> bool {
        false
    }
}

/// Says late what answers have to cost less than.
struct Late(u128);

impl Watch for Late {
    fn should_stop(&self) -> bool {
        false
    }

    fn below(&self) -> Option<u128> {
        Some(self.0)
    }
}

/// The least cost of an assignment that fits, found by trying all.
fn least(problem: &Problem) -> Option<u128> {
    let mut assignment = vec![0; problem.nodes.len()];
    let mut best: Option<u128> = None;
    loop {
        if let Ok(value) = check(problem, &assignment) {
            best = Some(best.map_or(value.cost, |best| best.min(value.cost)));
        }
        let mut node = 0;
        while node < assignment.len() {
            assignment[node] += 1;
            if assignment[node] < problem.nodes[node].costs.len() {
                break;
            }
            assignment[node] = 0;
            node += 1;
        }
        if node == assignment.len() {
            return best;
        }
    }
}

fn cost(draws: &mut Draws, largest: u64) -> u64 {
    match draws.of(0..9) {
        0..6 => draws.of(0..largest + 1),
        6..8 => 0,
        _ => IMPOSSIBLE,
    }
}

fn node(draws: &mut Draws, largest: u64) -> Node {
    let strategies = draws.of(1..5);
    let costs = draws.many(strategies, |draws| cost(draws, largest));
    let num_spans = draws.of(0..4);
    let spans = draws.many(num_spans, |draws| {
        let (start, length) = (draws.of(0..12), draws.of(0..9));
        let most = if draws.of(0..7) < 2 { 0 } else { 9 };
        let usage = draws.many(strategies, |draws| draws.of(0..most + 1));
        Span { start, end: start + length, usage }
    });
    Node { costs, spans }
}

fn problem(draws: &mut Draws, largest: u64) -> Problem {
    let num_nodes = draws.of(1..8);
    let nodes = draws.many(num_nodes, |draws| node(draws, largest));
    let usage_limit = (draws.of(0..10) < 9).then(|| draws.of(0..60));
    let num_edges = draws.of(0..13);
    let edges = draws.many(num_edges, |draws| {
        let ends = [0; 2].map(|_| draws.of(0..num_nodes) as usize);
        let count = ends.iter().map(|node| nodes[*node].costs.len() as u64).product();
        Edge { nodes: ends, costs: draws.many(count, |draws| cost(draws, largest)) }
    });
    Problem { name: String::new(), nodes, edges, usage_limit }
}

/// Problems that rules alone do not solve: many edges, and everything uses memory.
fn dense(draws: &mut Draws) -> Problem {
    let nodes = draws.many(9, |draws| {
        let costs = draws.many(3, |draws| draws.of(0..20));
        let (start, length) = (draws.of(0..6), draws.of(1..7));
        let usage = draws.many(3, |draws| draws.of(0..10));
        Node { costs, spans: vec![Span { start, end: start + length, usage }] }
    });
    let edges = draws.many(18, |draws| {
        let nodes = [0; 2].map(|_| draws.of(0..9) as usize);
        Edge { nodes, costs: draws.many(9, |draws| draws.of(0..20)) }
    });
    Problem { name: String::new(), nodes, edges, usage_limit: Some(draws.of(8..40)) }
}

/// Draws of so many seeds, or of those that are asked for; of what fails is said what it was.
fn of_all(count: u64, draw: impl Fn(&mut Draws) -> Problem, holds: impl Fn(&mut Draws, &Problem)) {
    let chosen = std::env::var("PROBLEMS").ok();
    let range = chosen.as_deref().and_then(|text| {
        let (start, end) = text.split_once("..")?;
        Some(start.parse().ok()?..end.parse().ok()?)
    });
    for seed in range.unwrap_or(0..count) {
        let draws = &mut Draws(seed);
        // Of neighboring seeds the first numbers are alike.
        let draws = &mut Draws(draws.next());
        let problem = draw(draws);
        let held = catch_unwind(AssertUnwindSafe(|| holds(draws, &problem)));
        assert!(held.is_ok(), "seed {seed}: {problem:?}");
    }
}

fn agrees(problem: &Problem) {
    let wanted = least(problem);
    let mut answers = Vec::new();
    for (threads, seed) in [(1, 0), (1, 7), (2, 1)] {
        let solution = solve(problem, Options { threads, seed, ..Options::default() }, &Patient);
        let Some(wanted) = wanted else {
            assert!(matches!(solution.reason, Reason::Infeasible(_)), "{:?}", solution.reason);
            continue;
        };
        assert_eq!(solution.reason, Reason::Optimal);
        assert_eq!(solution.bound, wanted);
        let assignment = solution.assignment.unwrap_or_default();
        assert_eq!(check(problem, &assignment).map(|value| value.cost), Ok(wanted));
        answers.push(assignment);
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "the answer depends on seed or threads");
}

/// The same with larger usages, and a limit that lies a little beyond what whole units use.
fn in_units(mut problem: Problem, unit: u64, beyond: u64) -> Problem {
    for usage in problem.nodes.iter_mut().flat_map(|node| &mut node.spans).flat_map(|span| &mut span.usage) {
        *usage *= unit;
    }
    problem.usage_limit = problem.usage_limit.map(|limit| limit * unit + beyond);
    problem
}

/// What is said to be proven is so, and answers are answers.
fn agrees_if_proven(problem: &Problem) {
    let wanted = least(problem);
    let solution = solve(problem, Options::default(), &Patient);
    let found = solution.assignment.map(|found| check(problem, &found).map(|value| value.cost));
    match solution.reason {
        Reason::Infeasible(_) => assert_eq!(wanted, None),
        Reason::Optimal => assert_eq!(found, wanted.map(Ok)),
        Reason::TooLarge => {
            assert!(problem.usage_limit.is_some_and(|limit| limit >> 50 > 0));
            assert!(found.is_none_or(|found| found.is_ok_and(|found| Some(found) >= wanted)));
        }
        reason => panic!("{reason:?}"),
    }
    assert!(wanted.is_none_or(|wanted| solution.bound <= wanted));
}

/// Answers that cost less than `below` are found, the best of them, or it is said that there are none.
fn agrees_below(problem: &Problem, below: u128) {
    let wanted = least(problem).filter(|least| *least < below);
    for (work, more) in [(None, 0), (Some(u64::MAX), 0), (None, 3), (Some(u64::MAX), 100)] {
        let options = Options { below: Some(below + more), work, ..Options::default() };
        let solution = solve(problem, options, &Late(below));
        let found = solution.assignment.map(|found| check(problem, &found).map(|value| value.cost));
        match wanted {
            Some(wanted) => {
                assert_eq!((solution.reason, found), (Reason::Optimal, Some(Ok(wanted))));
                assert_eq!(solution.bound, wanted);
            }
            None => assert_eq!((solution.reason, found), (Reason::NothingBelow, None)),
        }
    }
}

/// How many problems of a kind there are.
const MANY: u64 = 3000;
const FEW: u64 = 100;

#[test]
fn of_small_costs() {
    of_all(MANY, |draws| problem(draws, 9), |_, problem| agrees(problem));
}

#[test]
fn below_a_cost() {
    of_all(MANY, |draws| problem(draws, 9), |draws, problem| agrees_below(problem, draws.of(0..60).into()));
}

#[test]
fn of_large_costs() {
    of_all(MANY, |draws| problem(draws, 50_000_000_000), |_, problem| agrees(problem));
}

#[test]
fn of_the_largest_costs_that_can_be_added_up() {
    of_all(MANY, |draws| problem(draws, 10_000_000_000_000_000), |_, problem| agrees(problem));
}

#[test]
fn of_large_usages() {
    let draw = |draws: &mut Draws| {
        let (unit, beyond) = (draws.of(1..200_000_000_000_000), draws.of(0..3));
        in_units(problem(draws, 9), unit, beyond)
    };
    of_all(MANY, draw, |_, problem| agrees_if_proven(problem));
}

#[test]
fn of_many_edges_below() {
    of_all(FEW, dense, |draws, problem| agrees_below(problem, draws.of(0..260).into()));
}

#[test]
fn of_many_edges() {
    of_all(FEW, dense, |_, problem| agrees(problem));
}

#[test]
fn of_many_edges_and_large_costs() {
    let draw = |draws: &mut Draws| {
        let mut problem = dense(draws);
        let costs = problem.nodes.iter_mut().flat_map(|node| &mut node.costs);
        // Large, and many sums differ by little.
        costs.chain(problem.edges.iter_mut().flat_map(|edge| &mut edge.costs)).for_each(|cost| {
            *cost = *cost / 2 * 97_000_000_000_007 + *cost % 2;
        });
        problem
    };
    of_all(FEW, draw, |_, problem| agrees(problem));
}
