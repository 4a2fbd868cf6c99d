//! The problem and its answers, as plain data.
//!
//! Every node takes one of its strategies. A strategy costs something, and uses memory over spans of moments;
//! an edge costs something for each pair of strategies of its two nodes. Wanted: the assignment of least
//! total cost whose usage is at most the limit at every moment. This is the problem of the ASPLOS 2025 /
//! EuroSys 2025 contest on intra-operator parallelism, but for nodes that may use memory over several spans.

/// A cost from which on a strategy or a pair of strategies is impossible.
pub const IMPOSSIBLE: u64 = 1_000_000_000_000_000_000;

/// Strategies to be chosen: one per node, under the limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// For people.
    pub name: String,
    /// What takes one strategy each.
    pub nodes: Vec<Node>,
    /// What pairs of strategies cost.
    pub edges: Vec<Edge>,
    /// The most that may be used at any moment; `None`: anything.
    pub usage_limit: Option<u64>,
}

/// One decision.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Cost of each strategy.
    pub costs: Vec<u64>,
    /// What the strategies use, and when.
    pub spans: Vec<Span>,
}

/// Usage by the strategies of a node over the moments `start..end`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// First moment.
    pub start: u64,
    /// One past the last moment.
    pub end: u64,
    /// Usage of each strategy.
    pub usage: Vec<u64>,
}

/// Costs of pairs of strategies of two nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The nodes, by number.
    pub nodes: [usize; 2],
    /// Cost of each pair, row-major: those of the first strategy of the first node first.
    pub costs: Vec<u64>,
}

/// The strategy of each node, by number.
pub type Assignment = Vec<usize>;

impl Problem {
    /// Most that is used at some moment, whatever is chosen: no assignment fits a smaller limit.
    pub fn least_used(&self) -> u64 {
        let spans = self.nodes.iter().flat_map(|node| &node.spans).filter(|span| span.start < span.end);
        let ends = spans.flat_map(|span| {
            let least = i128::from(span.usage.iter().copied().min().unwrap_or(0));
            [(span.start, least), (span.end, -least)]
        });
        // What ends at a moment is no longer used then.
        let mut changes: Vec<(u64, i128)> = ends.collect();
        changes.sort_unstable();
        let (mut sum, mut most) = (0, 0);
        for (_, change) in changes {
            sum += change;
            most = most.max(sum);
        }
        u64::try_from(most).unwrap_or(u64::MAX)
    }

    /// Checks that nodes, edges and lists of costs fit together. Errors: what does not, in words.
    pub fn validate(&self) -> Result<(), String> {
        for (number, node) in self.nodes.iter().enumerate() {
            let strategies = node.costs.len();
            if strategies == 0 {
                return Err(format!("node {number} has no strategies"));
            }
            for span in &node.spans {
                if span.usage.len() != strategies {
                    let found = span.usage.len();
                    return Err(format!("node {number} has {strategies} costs but {found} usages"));
                }
                if span.start > span.end {
                    return Err(format!(
                        "node {number} ends at {} before it starts at {}",
                        span.end, span.start
                    ));
                }
            }
        }
        for (number, edge) in self.edges.iter().enumerate() {
            let mut pairs = 1;
            for node in edge.nodes {
                let Some(node) = self.nodes.get(node) else {
                    let count = self.nodes.len();
                    return Err(format!("edge {number} has node {node}, but there are {count} nodes"));
                };
                pairs *= node.costs.len();
            }
            if edge.costs.len() != pairs {
                let ([a, b], found) = (edge.nodes, edge.costs.len());
                return Err(format!(
                    "edge {number} between nodes {a} and {b} needs {pairs} costs, one for each pair of strategies, \
                     but has {found}"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_at_least_is_that_of_the_fullest_moment() {
        let node = |start, end, usage: [u64; 2]| {
            let span = Span { start, end, usage: usage.to_vec() };
            Node { costs: vec![0, 0], spans: vec![span] }
        };
        let problem = Problem {
            nodes: vec![node(0, 4, [5, 9]), node(4, 6, [8, 7]), node(5, 6, [2, 3]), node(2, 2, [90, 90])],
            ..Problem::default()
        };
        assert_eq!(problem.least_used(), 9);
        assert_eq!(Problem::default().least_used(), 0);
    }
}
