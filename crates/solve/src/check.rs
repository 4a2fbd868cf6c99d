//! The checker: recomputes what an assignment costs and uses from the problem alone.

use crate::problem::{IMPOSSIBLE, Problem};

/// Cost and peak of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Sum of the costs of nodes and edges.
    pub cost: u128,
    /// The most that is used at any moment.
    pub peak: u128,
    /// The first moment at which so much is used; 0 if nothing is ever used.
    pub moment: u64,
}

/// Recomputes the cost and peak of an assignment. Errors: it is no answer, and why.
pub fn check(problem: &Problem, assignment: &[usize]) -> Result<Value, String> {
    let count = problem.nodes.len();
    if assignment.len() != count {
        return Err(format!("the solution has {} strategies, but there are {count} nodes", assignment.len()));
    }
    let mut cost = 0;
    let mut changes = Vec::new();
    for (number, (node, &strategy)) in problem.nodes.iter().zip(assignment).enumerate() {
        let Some(&own) = node.costs.get(strategy) else {
            let strategies = node.costs.len();
            return Err(format!("node {number} has {strategies} strategies, of which {strategy} is none"));
        };
        if own >= IMPOSSIBLE {
            return Err(format!("strategy {strategy} of node {number} is impossible"));
        }
        cost += u128::from(own);
        for span in node.spans.iter().filter(|span| span.start < span.end) {
            changes.push((span.start, i128::from(span.usage[strategy])));
            changes.push((span.end, -i128::from(span.usage[strategy])));
        }
    }
    for (number, edge) in problem.edges.iter().enumerate() {
        let [a, b] = edge.nodes;
        let own = edge.costs[assignment[a] * problem.nodes[b].costs.len() + assignment[b]];
        if own >= IMPOSSIBLE {
            let (s, t) = (assignment[a], assignment[b]);
            return Err(format!(
                "strategies {s} and {t} of nodes {a} and {b} are impossible together (edge {number})"
            ));
        }
        cost += u128::from(own);
    }
    // At one moment, what ends makes room for what starts.
    changes.sort_unstable();
    let (mut used, mut peak, mut moment) = (0_i128, 0_i128, 0);
    let mut rest = changes.as_slice();
    while let Some(&(time, _)) = rest.first() {
        let here = rest.iter().take_while(|(other, _)| *other == time).count();
        used += rest[..here].iter().map(|(_, change)| change).sum::<i128>();
        if used > peak {
            (peak, moment) = (used, time);
        }
        rest = &rest[here..];
    }
    let value = Value { cost, peak: peak.unsigned_abs(), moment };
    match problem.usage_limit {
        Some(limit) if value.peak > u128::from(limit) => {
            Err(format!("{} is used at moment {moment}, where {limit} is the limit", value.peak))
        }
        _ => Ok(value),
    }
}
