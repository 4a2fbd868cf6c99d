//! The best assignment so far: what it costs, what it uses, and parts of it as problems of their own.

use crate::graph::{Cost, Edge, Graph, NEVER, Node, Span, plus};

/// An assignment of the nodes of a graph that are left.
#[derive(Clone)]
pub(crate) struct Incumbent {
    /// The strategy of each node of the graph; 0 for those that are gone.
    pub(crate) chosen: Vec<u32>,
    /// What is used at each row.
    pub(crate) usage: Vec<i64>,
    pub(crate) cost: i128,
}

impl Incumbent {
    /// An assignment that is possible. `None`: it is not.
    pub(crate) fn new(graph: &Graph, chosen: Vec<u32>) -> Option<Self> {
        let cost = graph.cost(|node| chosen[node as usize] as usize)?;
        let mut usage = vec![0; graph.room.len()];
        for node in graph.left() {
            for span in &graph.nodes[node as usize].spans {
                let own = span.usage[chosen[node as usize] as usize];
                for usage in &mut usage[span.start as usize..span.end as usize] {
                    *usage += own;
                }
            }
        }
        let fits = usage.iter().zip(&graph.room).all(|(usage, room)| usage <= room);
        fits.then_some(Self { chosen, usage, cost })
    }

    /// What the nodes of a region cost, with all their edges.
    pub(crate) fn cost_of(&self, graph: &Graph, region: &[u32], is_inside: impl Fn(u32) -> bool) -> i128 {
        let mut sum = 0;
        for &node in region {
            let own = self.chosen[node as usize] as usize;
            sum += i128::from(graph.nodes[node as usize].costs[own]);
            for &edge in &graph.nodes[node as usize].edges {
                let other = graph.across(edge, node);
                if !is_inside(other) || node < other {
                    sum += i128::from(self.pair(graph, edge));
                }
            }
        }
        sum
    }

    fn pair(&self, graph: &Graph, edge: u32) -> Cost {
        let edge = &graph.edges[edge as usize];
        let [s, t] = edge.ends.map(|end| self.chosen[end as usize] as usize);
        edge.costs[s * graph.size(edge.ends[1]) + t]
    }

    /// The problem of a region with everything else as it is. `place`: for each node its place in the region.
    pub(crate) fn part(&self, graph: &Graph, region: &[u32], place: impl Fn(u32) -> Option<u32>) -> Graph {
        let spans = || region.iter().flat_map(|node| &graph.nodes[*node as usize].spans);
        let mut cuts: Vec<u32> = spans().flat_map(|span| [span.start, span.end]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let row = |cut: u32| cuts.partition_point(|other| *other < cut) as u32;
        let mut own = vec![0_i64; cuts.len()];
        for &node in region {
            for span in &graph.nodes[node as usize].spans {
                let usage = span.usage[self.chosen[node as usize] as usize];
                own[row(span.start) as usize] += usage;
                own[row(span.end) as usize] -= usage;
            }
        }
        let mut sum = 0;
        let room = cuts.windows(2).zip(&own).map(|(cut, change)| {
            sum += change;
            let rows = cut[0] as usize..cut[1] as usize;
            let slack =
                graph.room[rows.clone()].iter().zip(&self.usage[rows]).map(|(room, usage)| room - usage);
            slack.min().unwrap_or(0) + sum
        });
        let room: Vec<i64> = room.collect();
        let mut nodes = Vec::with_capacity(region.len());
        for &number in region {
            let node = &graph.nodes[number as usize];
            let mut costs = node.costs.clone();
            for &edge in &node.edges {
                let other = graph.across(edge, number);
                if place(other).is_some() {
                    continue;
                }
                let edge = &graph.edges[edge as usize];
                let taken = self.chosen[other as usize] as usize;
                let width = graph.size(edge.ends[1]);
                for (s, cost) in costs.iter_mut().enumerate() {
                    let at = if edge.ends[0] == number { s * width + taken } else { taken * width + s };
                    *cost = plus(*cost, edge.costs[at]);
                }
            }
            let span =
                |span: &Span| Span { start: row(span.start), end: row(span.end), usage: span.usage.clone() };
            nodes.push(Node {
                is_gone: false,
                labels: (0..costs.len() as u32).collect(),
                costs,
                spans: node.spans.iter().map(span).collect(),
                edges: Vec::new(),
                has_overlaps: node.has_overlaps,
            });
        }
        let mut part = Graph::of_nodes(nodes, room, graph.shift);
        for &node in region {
            for &edge in &graph.nodes[node as usize].edges {
                let Edge { ends, costs, .. } = &graph.edges[edge as usize];
                if ends[0] == node
                    && let (Some(a), Some(b)) = (place(ends[0]), place(ends[1]))
                {
                    part.add_edge([a, b], costs.clone());
                }
            }
        }
        part
    }

    /// Takes other strategies for the nodes of a region. False, and nothing has changed, if they do not fit
    /// or do not cost less than `below` in all.
    pub(crate) fn take(
        &mut self,
        graph: &Graph,
        region: &[u32],
        strategies: &[usize],
        is_inside: impl Fn(u32) -> bool,
    ) -> bool {
        let before = self.cost_of(graph, region, &is_inside);
        let old: Vec<u32> = region.iter().map(|node| self.chosen[*node as usize]).collect();
        self.set(graph, region, |place| strategies[place] as u32);
        let mut rows = region
            .iter()
            .flat_map(|node| &graph.nodes[*node as usize].spans)
            .flat_map(|span| span.start as usize..span.end as usize);
        let fits = rows.all(|row| self.usage[row] <= graph.room[row]);
        let after = self.cost_of(graph, region, &is_inside);
        if fits && after <= before && after < i128::from(NEVER) {
            self.cost += after - before;
            return true;
        }
        self.set(graph, region, |place| old[place]);
        false
    }

    fn set(&mut self, graph: &Graph, region: &[u32], strategy: impl Fn(usize) -> u32) {
        for (place, &node) in region.iter().enumerate() {
            let (old, new) = (self.chosen[node as usize] as usize, strategy(place) as usize);
            if old == new {
                continue;
            }
            for span in &graph.nodes[node as usize].spans {
                let change = span.usage[new] - span.usage[old];
                if change != 0 {
                    for usage in &mut self.usage[span.start as usize..span.end as usize] {
                        *usage += change;
                    }
                }
            }
            self.chosen[node as usize] = new as u32;
        }
    }
}
