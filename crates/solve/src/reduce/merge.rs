//! Nodes that follow from their neighbours: a node that has but one strategy for each of a neighbour's, and a
//! node without memory that has one or two neighbours.

use super::Work;
use crate::graph::{Cost, Graph, NEVER, Node, Span, plus, transposed};

/// Pairs that an edge between the neighbours of a node that goes may have.
const MOST_PAIRS: usize = 1 << 18;

/// If each strategy of one end allows only one of the other, the other follows from it.
pub(super) fn functional(graph: &mut Graph, edge: u32, work: &mut Work) {
    let [a, b] = graph.edges[edge as usize].ends;
    let columns = graph.size(b);
    let costs = &graph.edges[edge as usize].costs;
    let of_rows = only(costs, columns);
    let of_columns = only(&transposed(costs, graph.size(a)), graph.size(a));
    let degree = |node: u32| graph.nodes[node as usize].edges.len();
    match (of_rows, of_columns) {
        // Either would do: the one with fewer neighbours goes.
        (Some(_), Some(of_columns)) if degree(a) < degree(b) => follow(graph, a, b, edge, &of_columns, work),
        (Some(of_rows), _) if grows_little(graph, b, a) => follow(graph, b, a, edge, &of_rows, work),
        (_, Some(of_columns)) if grows_little(graph, a, b) => follow(graph, a, b, edge, &of_columns, work),
        _ => {}
    }
}

/// The only possible column of each row, if each has but one.
fn only(costs: &[Cost], columns: usize) -> Option<Vec<u32>> {
    costs
        .chunks_exact(columns)
        .map(|row| {
            let mut possible = row.iter().enumerate().filter(|(_, cost)| **cost < NEVER);
            let found = possible.next()?.0 as u32;
            possible.next().is_none().then_some(found)
        })
        .collect()
}

/// Whether the edges of a node do not become much larger if they are those of another.
fn grows_little(graph: &Graph, node: u32, of: u32) -> bool {
    let across: usize =
        graph.nodes[node as usize].edges.iter().map(|edge| graph.size(graph.across(*edge, node))).sum();
    let (before, after) = (across * graph.size(node), across * graph.size(of));
    after <= 2 * before + 4096
}

/// Takes `node` away: its strategy is `choice` of that of `of`, and `edge` lies between them.
fn follow(graph: &mut Graph, node: u32, of: u32, edge: u32, choice: &[u32], work: &mut Work) {
    let columns = graph.size(node);
    let between = graph.seen_from(edge, of).into_owned();
    let own = graph.nodes[node as usize].costs.clone();
    for (strategy, cost) in graph.nodes[of as usize].costs.iter_mut().enumerate() {
        let chosen = choice[strategy] as usize;
        *cost = plus(*cost, plus(own[chosen], between[strategy * columns + chosen]));
    }
    graph.remove_edge(edge);
    for other in graph.nodes[node as usize].edges.clone() {
        let across = graph.across(other, node);
        let width = graph.size(across);
        let costs = graph.seen_from(other, node).into_owned();
        graph.remove_edge(other);
        let rows =
            choice.iter().flat_map(|chosen| &costs[*chosen as usize * width..][..width]).copied().collect();
        if let Some(made) = graph.add_edge([of, across], rows) {
            work.add_edge(made);
        }
        work.add_node(across);
    }
    let Node { spans, has_overlaps, .. } = &mut graph.nodes[node as usize];
    let (spans, overlap) = (std::mem::take(spans), *has_overlaps);
    let spans = spans.into_iter().map(|Span { start, end, usage }| Span {
        start,
        end,
        usage: choice.iter().map(|chosen| usage[*chosen as usize]).collect(),
    });
    graph.add_spans(of, spans.collect(), overlap);
    graph.let_follow(node, &[of], choice);
    work.add_node(of);
}

/// Takes a node away that uses no memory and has at most two neighbours, or one that has but one strategy.
pub(super) fn eliminate(graph: &mut Graph, node: u32, work: &mut Work) {
    let edges = graph.nodes[node as usize].edges.clone();
    if graph.size(node) == 1 {
        for edge in edges {
            let across = graph.across(edge, node);
            let costs = graph.seen_from(edge, node).into_owned();
            graph.remove_edge(edge);
            add_costs(graph, across, &costs);
            work.add_node(across);
        }
        let spans = std::mem::take(&mut graph.nodes[node as usize].spans);
        for span in spans {
            for room in &mut graph.room[span.start as usize..span.end as usize] {
                *room -= span.usage[0];
            }
        }
        graph.constant += i128::from(graph.nodes[node as usize].costs[0]);
        graph.let_follow(node, &[], &[0]);
        return;
    }
    if !graph.nodes[node as usize].spans.is_empty() {
        return only_best(graph, node, &edges, work);
    }
    let own = graph.nodes[node as usize].costs.clone();
    match edges[..] {
        [] => {
            let best = least(own.iter().copied());
            graph.constant += i128::from(best.1);
            graph.let_follow(node, &[], &[best.0]);
        }
        [edge] => {
            let across = graph.across(edge, node);
            let costs = graph.seen_from(edge, across);
            let best: Vec<(u32, Cost)> = costs
                .chunks_exact(own.len())
                .map(|row| least(row.iter().zip(&own).map(|(cost, own)| plus(*cost, *own))))
                .collect();
            graph.remove_edge(edge);
            add_costs(graph, across, &best.iter().map(|(_, cost)| *cost).collect::<Vec<_>>());
            graph.let_follow(
                node,
                &[across],
                &best.iter().map(|(strategy, _)| *strategy).collect::<Vec<_>>(),
            );
            work.add_node(across);
        }
        [first, second] => {
            let (a, b) = (graph.across(first, node), graph.across(second, node));
            if graph.size(a) * graph.size(b) > MOST_PAIRS {
                return;
            }
            let (of_a, of_b) = (graph.seen_from(first, a), graph.seen_from(second, b));
            let (choice, costs) = through(&own, &of_a, &of_b);
            graph.remove_edge(first);
            graph.remove_edge(second);
            if let Some(made) = graph.add_edge([a, b], costs) {
                work.add_edge(made);
            }
            graph.let_follow(node, &[a, b], &choice);
            work.add_node(a);
            work.add_node(b);
        }
        _ => {}
    }
}

/// What is best of a node between two others, for each pair of theirs, and what it costs. `own` are the node's costs,
/// the others those of its edges, row-major by the neighbour's strategies.
fn through(own: &[Cost], of_a: &[Cost], of_b: &[Cost]) -> (Vec<u32>, Vec<Cost>) {
    let (rows, columns) = (of_a.chunks_exact(own.len()), of_b.chunks_exact(own.len()));
    let columns: Vec<(&[Cost], Cost)> =
        columns.map(|column| (column, column.iter().copied().min().unwrap_or(NEVER))).collect();
    let mut choice = Vec::with_capacity(rows.len() * columns.len());
    let mut costs = Vec::with_capacity(choice.capacity());
    let mut with_own: Vec<(Cost, u32)> = Vec::with_capacity(own.len());
    for row in rows {
        let sums = own.iter().zip(row).map(|(own, cost)| plus(*own, *cost));
        with_own.clear();
        with_own.extend(sums.zip(0..).filter(|(sum, _)| *sum < NEVER));
        with_own.sort_unstable();
        for (column, least) in &columns {
            let (mut best, mut at) = (NEVER, 0);
            // In order of cost; what is left in the end costs more, whatever the other side does.
            for &(cost, s) in &with_own {
                if cost + least > best {
                    break;
                }
                let other = column[s as usize];
                let sum = cost + other;
                if other < NEVER && (sum < best || sum == best && s < at) {
                    (best, at) = (sum, s);
                }
            }
            choice.push(at);
            costs.push(best);
        }
    }
    (choice, costs)
}

/// Takes a node with memory and one neighbour away, if for each strategy of the neighbour one is best in cost
/// and in use of memory.
fn only_best(graph: &mut Graph, node: u32, edges: &[u32], work: &mut Work) {
    let own = &graph.nodes[node as usize];
    let is_least = |strategy: usize, others: &[Cost]| {
        let mut spans = own.spans.iter();
        spans.all(|span| {
            (0..others.len()).all(|t| others[t] >= NEVER || span.usage[strategy] <= span.usage[t])
        })
    };
    match *edges {
        [] => {
            let (best, _) = least(own.costs.iter().copied());
            if is_least(best as usize, &own.costs) {
                let mut keep = vec![false; own.costs.len()];
                keep[best as usize] = true;
                graph.restrict(node, &keep);
                work.add_node(node);
            }
        }
        [edge] => {
            let of = graph.across(edge, node);
            let costs = graph.seen_from(edge, of);
            let best_of = |row: &[Cost]| {
                let sums: Vec<Cost> =
                    row.iter().zip(&own.costs).map(|(cost, own)| plus(*cost, *own)).collect();
                let least_cost = sums.iter().copied().min().unwrap_or(NEVER);
                let mut bests = (0..sums.len()).filter(|s| sums[*s] == least_cost);
                bests.find(|s| least_cost >= NEVER || is_least(*s, &sums)).map(|s| s as u32)
            };
            let choice: Option<Vec<u32>> = costs.chunks_exact(own.costs.len()).map(best_of).collect();
            if let Some(choice) = choice {
                follow(graph, node, of, edge, &choice, work);
            }
        }
        _ => {}
    }
}

fn add_costs(graph: &mut Graph, node: u32, more: &[Cost]) {
    for (cost, more) in graph.nodes[node as usize].costs.iter_mut().zip(more) {
        *cost = plus(*cost, *more);
    }
}

/// The least cost and where it is, the first of several.
fn least(costs: impl Iterator<Item = Cost>) -> (u32, Cost) {
    let mut best = (0, Cost::MAX);
    for (strategy, cost) in costs.enumerate() {
        if cost < best.1 {
            best = (strategy as u32, cost);
        }
    }
    best
}
