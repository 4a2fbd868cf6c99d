//! Strategies that another one replaces at no more cost, whatever the neighbours take, and at no more use of
//! memory.

use super::Work;
use crate::graph::{Cost, Graph, NEVER};

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
    let edges: Vec<(usize, Vec<Cost>)> = node
        .edges
        .iter()
        .map(|edge| (graph.size(graph.across(*edge, number)), graph.seen_from(*edge, number)))
        .collect();
    // A strategy cannot cost less than another in total if the sum of its least costs is more.
    let least: Vec<i128> = (0..size)
        .map(|s| {
            let rows = edges.iter().map(|(width, costs)| {
                let least = costs[s * width..][..*width].iter().copied().min().unwrap_or(0);
                if least >= NEVER { 0 } else { i128::from(least) }
            });
            i128::from(node.costs[s]) + rows.sum::<i128>()
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

/// Whether `s` costs and uses no more than `t`, whatever the neighbours take.
fn replaces(node: &crate::graph::Node, edges: &[(usize, Vec<Cost>)], s: usize, t: usize) -> bool {
    if node.spans.iter().any(|span| span.usage[s] > span.usage[t]) {
        return false;
    }
    let mut worst = i128::from(node.costs[s]) - i128::from(node.costs[t]);
    for (width, costs) in edges {
        let (of_s, of_t) = (&costs[s * width..][..*width], &costs[t * width..][..*width]);
        let mut most = -NEVER;
        for (s, t) in of_s.iter().zip(of_t) {
            if *t < NEVER {
                if *s >= NEVER {
                    return false;
                }
                most = most.max(s - t);
            }
        }
        // Nothing goes with `t` there.
        if most == -NEVER {
            return true;
        }
        worst += i128::from(most);
    }
    worst <= 0
}
