//! Problems at the edges of numbers: bounds of zero, costs and usages near the largest.

use meshwright_solve::check::check;
use meshwright_solve::problem::{Edge, IMPOSSIBLE, Node, Problem, Span};
use meshwright_solve::solve::{Options, Reason, Watch, solve};
use std::sync::atomic::{AtomicU64, Ordering};

/// Stops after so many looks.
struct Looks(AtomicU64);

impl Watch for Looks {
    fn should_stop(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_err()
    }
}

const ALONE: Options =
    Options { threads: 1, seed: 0, below: None, work: None, close: 0.0, tries: None, patience: None };

fn solved(problem: &Problem) -> (Reason, u128) {
    let solution = solve(problem, ALONE, &Looks(AtomicU64::new(200_000)));
    let cost = solution.assignment.map(|found| check(problem, &found).expect("an answer").cost);
    (solution.reason, cost.unwrap_or(0))
}

/// Keep something in memory for nothing, or drop it and pay: without a limit, nothing is paid.
fn keep_or_drop(count: u64, more: u64) -> Problem {
    let node = |number: u64| Node {
        costs: vec![more, more + 100 + number * number % 97],
        spans: vec![Span { start: 0, end: 1, usage: vec![50 + number * 31 % 43, 0] }],
    };
    let nodes: Vec<Node> = (0..count).map(node).collect();
    let used: u64 = nodes.iter().map(|node| node.spans[0].usage[0]).sum();
    Problem { nodes, usage_limit: Some(used / 2), ..Problem::default() }
}

#[test]
fn a_bound_of_zero_rises() {
    let (reason, cost) = solved(&keep_or_drop(60, 0));
    let (_, dearer) = solved(&keep_or_drop(60, 1000));
    assert_eq!((reason, cost + 60 * 1000), (Reason::Optimal, dearer));
}

#[test]
fn sums_do_not_overflow() {
    let large = 800_000_000_000_000_000;
    let nodes = vec![Node { costs: vec![1, 0], spans: Vec::new() }; 13];
    let edge = |leaf: usize| Edge { nodes: [0, leaf], costs: vec![0, large, large, large] };
    let problem = Problem { nodes, edges: (1..13).map(edge).collect(), ..Problem::default() };
    assert_eq!(solved(&problem), (Reason::Optimal, 13));
}

#[test]
fn usages_may_be_as_large_as_numbers_are() {
    let nodes = |usage: u64| {
        let span = Span { start: 0, end: u64::MAX, usage: vec![usage, 0] };
        vec![Node { costs: vec![0, 1], spans: vec![span] }; 2]
    };
    let problem =
        |usage: u64| Problem { nodes: nodes(usage), usage_limit: Some(u64::MAX), ..Problem::default() };
    assert_eq!(solved(&problem(2_000_000_000_000_000_000)), (Reason::Optimal, 0));
    assert_eq!(solved(&problem(10_000_000_000_000_000_000)), (Reason::Optimal, 1));
}

#[test]
fn what_follows_twice_still_adds_up() {
    let span = |start, end, usage: [u64; 2]| vec![Span { start, end, usage: usage.to_vec() }];
    let node = |spans| Node { costs: vec![0, 0], spans };
    let edge = |nodes, costs: [u64; 4]| Edge { nodes, costs: costs.to_vec() };
    // The second follows from the first, and both from the third, which uses nothing itself: 3 and 8 do not fit together.
    let problem = Problem {
        nodes: vec![node(span(4, 9, [3, 0])), node(span(5, 10, [8, 0])), node(vec![])],
        edges: vec![edge([1, 0], [0, 0, IMPOSSIBLE, 0]), edge([2, 0], [0, IMPOSSIBLE, 0, 0])],
        usage_limit: Some(10),
        ..Problem::default()
    };
    assert_eq!(solved(&problem), (Reason::Optimal, 0));
}

#[test]
fn patience_ends_what_memory_makes_long() {
    let hard = keep_or_drop(60, 0);
    let patient = |problem: &Problem, patience| {
        let options = Options { patience, work: Some(20_000_000), ..ALONE };
        let spent = Looks(AtomicU64::new(u64::MAX));
        let solution = solve(problem, options, &spent);
        (solution.reason, u64::MAX - spent.0.load(Ordering::Relaxed), solution.assignment)
    };
    let (_, all, _) = patient(&hard, None);
    let (reason, few, found) = patient(&hard, Some(1));
    assert_eq!(reason, Reason::Stopped);
    assert!(found.is_some() && few < all, "{few} of {all} looks");
    // Where there is memory enough, nothing ends early.
    let easy = Problem { usage_limit: None, ..hard };
    assert_eq!(patient(&easy, Some(1)), patient(&easy, None));
}
