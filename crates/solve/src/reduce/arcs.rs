//! What single nodes and edges say: impossible strategies go, and what an edge says of one end alone goes to
//! that end.

use super::Work;
use crate::graph::{Dead, Graph, NEVER, plus};

/// Removes the impossible strategies of a node, and the least of its costs. Errors: all are impossible.
pub(super) fn possible(graph: &mut Graph, node: u32, work: &mut Work) -> Result<(), Dead> {
    let costs = &graph.nodes[node as usize].costs;
    let keep: Vec<bool> = costs.iter().map(|cost| *cost < NEVER).collect();
    if !keep.contains(&true) {
        return Err(Dead::Node(node as usize));
    }
    if keep.contains(&false) {
        graph.restrict(node, &keep);
        work.add_restricted(graph, node);
    }
    let costs = &mut graph.nodes[node as usize].costs;
    let least = costs.iter().copied().min().unwrap_or(0);
    for cost in costs {
        *cost -= least;
    }
    graph.constant += i128::from(least);
    Ok(())
}

/// Moves the least cost of each row and column of an edge to its ends. An edge that says nothing then goes.
pub(super) fn settle(graph: &mut Graph, edge: u32, work: &mut Work) {
    let [a, b] = graph.edges[edge as usize].ends;
    let (rows, columns) = (graph.size(a), graph.size(b));
    let costs = &mut graph.edges[edge as usize].costs;
    let mut to_rows = vec![NEVER; rows];
    let mut to_columns = vec![NEVER; columns];
    for (row, costs) in to_rows.iter_mut().zip(costs.chunks_exact_mut(columns)) {
        *row = costs.iter().copied().min().unwrap_or(NEVER);
        if *row < NEVER {
            for cost in costs.iter_mut().filter(|cost| **cost < NEVER) {
                *cost -= *row;
            }
        }
        for (column, cost) in to_columns.iter_mut().zip(costs) {
            *column = (*column).min(*cost);
        }
    }
    let mut says_nothing = true;
    for (row, costs) in to_rows.iter().zip(costs.chunks_exact_mut(columns)) {
        for (column, cost) in to_columns.iter().zip(costs) {
            if *cost < NEVER && *column < NEVER {
                *cost -= *column;
            }
            // What the ends forbid, the edge need not.
            says_nothing &= *cost == 0 || *row >= NEVER || *column >= NEVER;
        }
    }
    for (end, more) in [(a, to_rows), (b, to_columns)] {
        if more.iter().any(|cost| *cost != 0) {
            for (cost, more) in graph.nodes[end as usize].costs.iter_mut().zip(more) {
                *cost = plus(*cost, more);
            }
            work.add_node(end);
        }
    }
    if says_nothing {
        graph.remove_edge(edge);
        work.add_node(a);
        work.add_node(b);
    }
}
