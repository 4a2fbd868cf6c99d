//! Strategies that another one replaces at no more cost, whatever the neighbours take, and at no more use of
//! memory.

use super::Work;
use crate::graph::{Cost, Graph, NEVER, Node};
use std::borrow::Cow;

/// Looked at per node, at most: strategies of a node squared times costs of its edges.
const MOST: usize = 1 << 28;

/// Removes dominated strategies of the nodes that are new. Of two that replace each other the later goes.
pub(super) fn remove(graph: &mut Graph, is_new: &[bool], work: &mut Work, should_stop: &dyn Fn() -> bool) {
    for node in 0..graph.nodes.len() as u32 {
        if (node as usize).is_multiple_of(super::PATIENCE) && should_stop() {
            return;
        }
        if graph.nodes[node as usize].is_gone || !is_new[node as usize] {
            continue;
        }
        let keep = undominated(graph, node);
        if keep.contains(&false) {
            graph.restrict(node, &keep);
            work.add_restricted(graph, node);
        }
    }
}

/// For each strategy of a node whether no other replaces it.
fn undominated(graph: &Graph, number: u32) -> Vec<bool> {
    let node = &graph.nodes[number as usize];
    let size = node.costs.len();
    let mut keep = vec![true; size];
    let entries: usize = node.edges.iter().map(|edge| graph.edges[*edge as usize].costs.len()).sum();
    if size < 2 || entries.saturating_mul(size) > MOST {
        return keep;
    }
    let edges: Vec<Seen<'_>> = node.edges.iter().map(|edge| Seen::new(graph, *edge, number)).collect();
    // A strategy cannot cost less than another in total if the sum of its least costs is more.
    let least: Vec<i128> = (0..size)
        .map(|s| {
            let least = edges.iter().map(|edge| edge.costs[s * edge.width + edge.cheapest[s] as usize]);
            let possible = least.filter(|least| *least < NEVER).map(i128::from);
            i128::from(node.costs[s]) + possible.sum::<i128>()
        })
        .collect();
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by_key(|s| (least[*s], *s));
    for place in (1..size).rev() {
        let s = order[place];
        // Those that cost least replace most.
        keep[s] = !order.iter().take_while(|other| least[**other] <= least[s]).any(|&other| {
            let is_earlier = keep[other] && other != s;
            is_earlier && replaces(node, &edges, other, s) && (other < s || !replaces(node, &edges, s, other))
        });
    }
    keep
}

/// An edge as a node sees it.
struct Seen<'a> {
    /// How many strategies the neighbour has.
    width: usize,
    /// Row-major by the node's strategies.
    costs: Cow<'a, [Cost]>,
    /// With which of the neighbour's each strategy costs least.
    cheapest: Vec<u32>,
}

impl<'a> Seen<'a> {
    fn new(graph: &'a Graph, edge: u32, node: u32) -> Self {
        let (width, costs) = (graph.size(graph.across(edge, node)), graph.seen_from(edge, node));
        let cheapest = |row: &[Cost]| (0..width).min_by_key(|place| row[*place]).unwrap_or(0) as u32;
        let cheapest = costs.chunks_exact(width).map(cheapest).collect();
        Self { width, costs, cheapest }
    }

    fn row(&self, s: usize) -> &[Cost] {
        &self.costs[s * self.width..][..self.width]
    }

    /// By how much `s` costs more than `t` where `t` costs least; `None` where nothing goes with `t`.
    fn where_cheap(&self, s: usize, t: usize) -> Option<i128> {
        let place = self.cheapest[t] as usize;
        let (of_s, of_t) = (self.row(s)[place], self.row(t)[place]);
        (of_t < NEVER).then(|| i128::from(of_s) - i128::from(of_t))
    }

    /// By how much `s` costs more than `t` at most, where anything goes with `t`.
    fn most(&self, s: usize, t: usize) -> Cost {
        let mut most = -NEVER;
        for (s, t) in self.row(s).iter().zip(self.row(t)) {
            if *t < NEVER {
                most = most.max(if *s < NEVER { s - t } else { NEVER });
            }
        }
        most
    }
}

/// Whether `s` costs and uses no more than `t`, whatever the neighbours take. Hardly any pair does, and most show it
/// where `t` is cheap.
fn replaces(node: &Node, edges: &[Seen<'_>], s: usize, t: usize) -> bool {
    if node.spans.iter().any(|span| span.usage[s] > span.usage[t]) {
        return false;
    }
    let mut worst = i128::from(node.costs[s]) - i128::from(node.costs[t]);
    for edge in edges {
        match edge.where_cheap(s, t) {
            Some(more) => worst += more,
            None => return true,
        }
    }
    for edge in edges {
        if worst > 0 {
            return false;
        }
        let most = edge.most(s, t);
        if most >= NEVER {
            return false;
        }
        worst += i128::from(most) - edge.where_cheap(s, t).unwrap_or(0);
    }
    worst <= 0
}
