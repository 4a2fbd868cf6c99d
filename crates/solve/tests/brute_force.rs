//! Tiny random problems, solved by trying everything.

use meshwright_solve::check::check;
use meshwright_solve::problem::{Edge, IMPOSSIBLE, Node, Problem, Span};
use meshwright_solve::solve::{Options, Reason, Watch, solve};
use proptest::prelude::*;

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

fn cost(largest: u64) -> impl Strategy<Value = u64> {
    prop_oneof![6 => 0..=largest, 2 => Just(0), 1 => Just(IMPOSSIBLE)]
}

fn node(largest: u64) -> impl Strategy<Value = Node> {
    (1..=4_usize).prop_flat_map(move |strategies| {
        let usage = prop_oneof![2 => Just(vec![0_u64; strategies]).boxed(), 5 => prop::collection::vec(0..=9_u64, strategies).boxed()];
        let span = (0..12_u64, 0..=8_u64, usage).prop_map(|(start, length, usage)| Span { start, end: start + length, usage });
        (prop::collection::vec(cost(largest), strategies), prop::collection::vec(span, 0..=3))
            .prop_map(|(costs, spans)| Node { costs, spans })
    })
}

fn problem(largest: u64) -> impl Strategy<Value = Problem> {
    let nodes = prop::collection::vec(node(largest), 1..=7);
    (nodes, prop::option::weighted(0.9, 0..60_u64)).prop_flat_map(move |(nodes, usage_limit)| {
        let sizes: Vec<usize> = nodes.iter().map(|node| node.costs.len()).collect();
        let count = sizes.len();
        let edge = (0..count, 0..count).prop_flat_map(move |(a, b)| {
            prop::collection::vec(cost(largest), sizes[a] * sizes[b])
                .prop_map(move |costs| Edge { nodes: [a, b], costs })
        });
        prop::collection::vec(edge, 0..=12).prop_map(move |edges| Problem {
            name: String::new(),
            nodes: nodes.clone(),
            edges,
            usage_limit,
        })
    })
}

/// Problems that rules alone do not solve: many edges, and everything uses memory.
fn dense() -> impl Strategy<Value = Problem> {
    let node =
        (prop::collection::vec(0..20_u64, 3), 0..6_u64, 1..=6_u64, prop::collection::vec(0..=9_u64, 3))
            .prop_map(|(costs, start, length, usage)| Node {
                costs,
                spans: vec![Span { start, end: start + length, usage }],
            });
    let nodes = prop::collection::vec(node, 9);
    let ends = prop::collection::vec((0..9_usize, 0..9_usize, prop::collection::vec(0..20_u64, 9)), 18);
    (nodes, ends, 8..40_u64).prop_map(|(nodes, edges, limit)| Problem {
        name: String::new(),
        nodes,
        edges: edges.into_iter().map(|(a, b, costs)| Edge { nodes: [a, b], costs }).collect(),
        usage_limit: Some(limit),
    })
}

fn agrees(problem: &Problem) -> Result<(), TestCaseError> {
    let wanted = least(problem);
    let mut answers = Vec::new();
    for (threads, seed) in [(1, 0), (1, 7), (2, 1)] {
        let solution = solve(problem, Options { threads, seed, ..Options::default() }, &Patient);
        let Some(wanted) = wanted else {
            prop_assert!(matches!(solution.reason, Reason::Infeasible(_)), "{:?}", solution.reason);
            continue;
        };
        prop_assert_eq!(solution.reason, Reason::Optimal);
        prop_assert_eq!(solution.bound, wanted);
        let assignment = solution.assignment.unwrap_or_default();
        prop_assert_eq!(check(problem, &assignment).map(|value| value.cost), Ok(wanted));
        answers.push(assignment);
    }
    prop_assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "the answer depends on seed or threads");
    Ok(())
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
fn agrees_if_proven(problem: &Problem) -> Result<(), TestCaseError> {
    let wanted = least(problem);
    let solution = solve(problem, Options::default(), &Patient);
    let found = solution.assignment.map(|found| check(problem, &found).map(|value| value.cost));
    match solution.reason {
        Reason::Infeasible(_) => prop_assert_eq!(wanted, None),
        Reason::Optimal => prop_assert_eq!(found, wanted.map(Ok)),
        Reason::TooLarge => {
            prop_assert!(problem.usage_limit.is_some_and(|limit| limit >> 50 > 0));
            prop_assert!(found.is_none_or(|found| found.is_ok_and(|found| Some(found) >= wanted)));
        }
        reason => prop_assert!(false, "{:?}", reason),
    }
    prop_assert!(wanted.is_none_or(|wanted| solution.bound <= wanted));
    Ok(())
}

/// Answers that cost less than `below` are found, the best of them, or it is said that there are none.
fn agrees_below(problem: &Problem, below: u128) -> Result<(), TestCaseError> {
    let wanted = least(problem).filter(|least| *least < below);
    for (work, more) in [(None, 0), (Some(u64::MAX), 0), (None, 3), (Some(u64::MAX), 100)] {
        let options = Options { below: Some(below + more), work, ..Options::default() };
        let solution = solve(problem, options, &Late(below));
        let found = solution.assignment.map(|found| check(problem, &found).map(|value| value.cost));
        match wanted {
            Some(wanted) => {
                prop_assert_eq!((solution.reason, found), (Reason::Optimal, Some(Ok(wanted))));
                prop_assert_eq!(solution.bound, wanted);
            }
            None => prop_assert_eq!((solution.reason, found), (Reason::NothingBelow, None)),
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_small_costs(problem in problem(9)) {
        agrees(&problem)?;
    }

    #[test]
    fn below_a_cost(problem in problem(9), below in 0..60_u128) {
        agrees_below(&problem, below)?;
    }

    #[test]
    fn of_large_costs(problem in problem(50_000_000_000)) {
        agrees(&problem)?;
    }

    #[test]
    fn of_the_largest_costs_that_can_be_added_up(problem in problem(10_000_000_000_000_000)) {
        agrees(&problem)?;
    }

    #[test]
    fn of_large_usages(problem in problem(9), unit in 1..200_000_000_000_000_u64, beyond in 0..3_u64) {
        let problem = in_units(problem, unit, beyond);
        agrees_if_proven(&problem)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn of_many_edges_below(problem in dense(), below in 0..260_u128) {
        agrees_below(&problem, below)?;
    }

    #[test]
    fn of_many_edges(problem in dense()) {
        agrees(&problem)?;
    }

    #[test]
    fn of_many_edges_and_large_costs(mut problem in dense()) {
        let costs = problem.nodes.iter_mut().flat_map(|node| &mut node.costs);
        // Large, and many sums differ by little.
        costs.chain(problem.edges.iter_mut().flat_map(|edge| &mut edge.costs)).for_each(|cost| {
            *cost = *cost / 2 * 97_000_000_000_007 + *cost % 2;
        });
        agrees(&problem)?;
    }
}
