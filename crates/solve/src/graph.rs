//! A problem while it shrinks: nodes and edges that come and go, and how the strategies of those that are
//! gone follow from those that are left.
//!
//! What is used at least at a moment, whatever is chosen, is taken off its room; spans say what is used
//! beyond that.

use crate::problem::{Assignment, IMPOSSIBLE, Problem};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Costs of strategies and pairs. Parts of a cost move between nodes and edges, so single ones may be
/// negative.
pub(crate) type Cost = i64;

/// What is impossible. All possible costs are less.
pub(crate) const NEVER: Cost = 1 << 60;

/// Sum of two costs.
pub(crate) fn plus(a: Cost, b: Cost) -> Cost {
    if a >= NEVER || b >= NEVER { NEVER } else { (a + b).min(NEVER) }
}

/// The parts that a unit of cost has, if the costs are small enough: costs that move come out rounded.
const FINEST: u32 = 20;

/// Bits of the sum of all costs, in parts.
const MOST_BITS: u32 = 58;

/// By so many parts a bound may be off: what moving costs of so many bits rounds, a few hundred times.
const ROUNDING: i64 = 1 << 10;

/// Bits of all that is used, and at most of a limit on memory.
const MOST_USED: u32 = 61;
const LARGEST_LIMIT: u32 = 50;

/// What is left of the problem.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
    /// What every assignment costs.
    pub(crate) constant: i128,
    /// Costs are in parts of which a unit of the problem's has two to the power of this.
    pub(crate) shift: u32,
    /// For each row what may be used beyond the least. Rows are moments that differ in who may use memory.
    pub(crate) room: Vec<i64>,
    /// The moment of each row.
    pub(crate) moments: Vec<u64>,
    /// The moment at which a strategy was last found not to fit.
    pub(crate) forbids: Option<u64>,
    /// How the strategies of nodes that are gone follow, the last first.
    steps: Vec<Step>,
    between: FxHashMap<(u32, u32), u32>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Node {
    pub(crate) is_gone: bool,
    /// The number in the problem of each strategy that is left, ascending.
    pub(crate) labels: Vec<u32>,
    pub(crate) costs: Vec<Cost>,
    /// In order of rows and apart from each other, unless `has_overlaps`.
    pub(crate) spans: Vec<Span>,
    pub(crate) has_overlaps: bool,
    pub(crate) edges: Vec<u32>,
}

/// Use of memory over the rows `start..end`.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) end: u32,
    pub(crate) usage: Vec<i64>,
}

#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) is_gone: bool,
    pub(crate) ends: [u32; 2],
    /// Row-major by the strategies of the first end.
    pub(crate) costs: Vec<Cost>,
}

/// Why there is no assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dead {
    /// A node has no possible strategy.
    Node(usize),
    /// More is used at a moment than may be, whatever is chosen.
    Moment(u64),
}

/// The strategy of a node that is gone, for each combination of strategies of others.
#[derive(Clone, Debug)]
struct Step {
    node: u32,
    of: Vec<u32>,
    /// Labels of the others' strategies when the node went.
    labels: Vec<Vec<u32>>,
    choice: Vec<u32>,
}

impl Graph {
    /// The graph of a problem, with costs in its units or finer. `dropped` bits of every cost are left out before; bounds
    /// stay bounds.
    pub(crate) fn new(problem: &Problem, dropped: u32) -> Self {
        let (cap, shift) = scale(problem, dropped);
        let cost = |cost: u64| {
            if cost >= IMPOSSIBLE { NEVER } else { ((cost >> dropped).min(cap) as Cost) << shift }
        };
        // Usages beyond what can be added up exactly are counted in larger units, rounded up; none counts for more than
        // what is too much.
        let coarse = coarse(problem);
        let limit = problem.usage_limit.map(|limit| (limit >> coarse) as i64);
        let usage = |usage: u64| {
            let units = (usage >> coarse) + u64::from(usage & ((1 << coarse) - 1) != 0);
            units.min(limit.unwrap_or(0) as u64 + 1) as i64
        };
        let is_limited = |span: &&crate::problem::Span| limit.is_some() && span.start < span.end;
        let spans = || problem.nodes.iter().flat_map(|node| &node.spans).filter(is_limited);
        let mut moments: Vec<u64> = spans().map(|span| span.start).collect();
        moments.sort_unstable();
        moments.dedup();
        let row = |moment: u64| moments.partition_point(|other| *other < moment) as u32;
        let nodes = problem.nodes.iter().map(|node| {
            let span = |span: &crate::problem::Span| Span {
                start: row(span.start),
                end: row(span.end),
                usage: span.usage.iter().map(|own| usage(*own)).collect(),
            };
            Node {
                is_gone: false,
                labels: (0..node.costs.len() as u32).collect(),
                costs: node.costs.iter().map(|own| cost(*own)).collect(),
                spans: apart(node.spans.iter().filter(is_limited).map(span).collect()),
                edges: Vec::new(),
                has_overlaps: false,
            }
        });
        let mut graph = Self {
            nodes: nodes.collect(),
            edges: Vec::with_capacity(problem.edges.len()),
            constant: 0,
            shift,
            room: vec![limit.unwrap_or(0); moments.len()],
            moments,
            forbids: None,
            steps: Vec::new(),
            between: FxHashMap::default(),
        };
        for edge in &problem.edges {
            let costs = edge.costs.iter().map(|own| cost(*own)).collect();
            graph.add_edge(edge.nodes.map(|node| node as u32), costs);
        }
        graph
    }

    /// What an assignment must cost more than by the bound, less than `below`, to be left out: nothing is lost, as costs are
    /// whole units.
    pub(crate) fn limit(&self, below: i128) -> f64 {
        let unit = 1_i64 << self.shift;
        below as f64 + ((unit / 4).max(ROUNDING) - unit) as f64
    }

    /// What every assignment costs at least, by a bound that may be rounded.
    pub(crate) fn surely(&self, bound: f64) -> i128 {
        let unit = 1_i64 << self.shift;
        bound.floor() as i128 - i128::from((ROUNDING - unit / 4).max(0))
    }

    /// A graph of nodes with their edges yet to be added, and rows numbered from 0.
    pub(crate) fn of_nodes(nodes: Vec<Node>, room: Vec<i64>, shift: u32) -> Self {
        let moments = (0..room.len() as u64).collect();
        let (edges, steps) = (Vec::new(), Vec::new());
        let between = FxHashMap::default();
        Self { nodes, edges, constant: 0, shift, room, moments, forbids: None, steps, between }
    }

    /// Number of strategies that a node has left.
    pub(crate) fn size(&self, node: u32) -> usize {
        self.nodes[node as usize].costs.len()
    }

    /// The nodes that are left, by number.
    pub(crate) fn left(&self) -> impl Iterator<Item = u32> + '_ {
        (0..self.nodes.len() as u32).filter(|node| !self.nodes[*node as usize].is_gone)
    }

    /// What an assignment costs, given for each node that is left.
    pub(crate) fn cost(&self, chosen: impl Fn(u32) -> usize) -> Option<i128> {
        let mut sum = self.constant;
        for node in self.left() {
            let cost = self.nodes[node as usize].costs[chosen(node)];
            if cost >= NEVER {
                return None;
            }
            sum += i128::from(cost);
        }
        for edge in self.edges.iter().filter(|edge| !edge.is_gone) {
            let [a, b] = edge.ends;
            let cost = edge.costs[chosen(a) * self.size(b) + chosen(b)];
            if cost >= NEVER {
                return None;
            }
            sum += i128::from(cost);
        }
        Some(sum)
    }

    /// The other end of an edge.
    pub(crate) fn across(&self, edge: u32, node: u32) -> u32 {
        let [a, b] = self.edges[edge as usize].ends;
        if a == node { b } else { a }
    }

    /// Row-major costs of an edge, by the strategies of `node` first.
    pub(crate) fn seen_from(&self, edge: u32, node: u32) -> Cow<'_, [Cost]> {
        let Edge { ends, costs, .. } = &self.edges[edge as usize];
        if ends[0] == node {
            return Cow::Borrowed(costs);
        }
        Cow::Owned(transposed(costs, self.size(ends[0])))
    }

    /// Adds costs of pairs to the edge between two nodes, made if there is none. Returns the edge, if the
    /// ends differ.
    pub(crate) fn add_edge(&mut self, ends: [u32; 2], costs: Vec<Cost>) -> Option<u32> {
        let [a, b] = ends;
        if a == b {
            let size = self.size(a);
            for (s, cost) in self.nodes[a as usize].costs.iter_mut().enumerate() {
                *cost = plus(*cost, costs[s * size + s]);
            }
            return None;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&edge) = self.between.get(&key) {
            let known = &self.edges[edge as usize];
            let more = if known.ends[0] == a { costs } else { transposed(&costs, self.size(a)) };
            for (cost, more) in self.edges[edge as usize].costs.iter_mut().zip(more) {
                *cost = plus(*cost, more);
            }
            return Some(edge);
        }
        let edge = self.edges.len() as u32;
        self.edges.push(Edge { is_gone: false, ends, costs });
        self.between.insert(key, edge);
        for end in ends {
            self.nodes[end as usize].edges.push(edge);
        }
        Some(edge)
    }

    pub(crate) fn remove_edge(&mut self, edge: u32) {
        let [a, b] = self.edges[edge as usize].ends;
        for end in [a, b] {
            let edges = &mut self.nodes[end as usize].edges;
            if let Some(place) = edges.iter().position(|other| *other == edge) {
                edges.swap_remove(place);
            }
        }
        self.between.remove(&(a.min(b), a.max(b)));
        let edge = &mut self.edges[edge as usize];
        edge.is_gone = true;
        edge.costs = Vec::new();
    }

    /// Leaves a node only the strategies that `keep` names.
    pub(crate) fn restrict(&mut self, node: u32, keep: &[bool]) {
        let left: Vec<usize> = (0..keep.len()).filter(|strategy| keep[*strategy]).collect();
        for edge in self.nodes[node as usize].edges.clone() {
            // None, if the other node has nothing left.
            let columns = self.size(self.edges[edge as usize].ends[1]);
            let Edge { ends, costs, .. } = &mut self.edges[edge as usize];
            let mut len = 0;
            if ends[0] == node {
                for row in &left {
                    costs.copy_within(row * columns..(row + 1) * columns, len);
                    len += columns;
                }
            } else {
                for start in (0..costs.len()).step_by(columns.max(1)) {
                    for column in &left {
                        costs[len] = costs[start + column];
                        len += 1;
                    }
                }
            }
            costs.truncate(len);
        }
        let node = &mut self.nodes[node as usize];
        kept(&mut node.labels, keep);
        kept(&mut node.costs, keep);
        for span in &mut node.spans {
            kept(&mut span.usage, keep);
        }
    }

    /// Takes a node away whose strategy follows from those of `of`; row-major `choice` names its strategies.
    /// Its edges and spans must have been dealt with.
    pub(crate) fn let_follow(&mut self, node: u32, of: &[u32], choice: &[u32]) {
        let label = |strategy: &u32| self.nodes[node as usize].labels[*strategy as usize];
        let step = Step {
            node,
            of: of.to_vec(),
            labels: of.iter().map(|other| self.nodes[*other as usize].labels.clone()).collect(),
            choice: choice.iter().map(label).collect(),
        };
        self.steps.push(step);
        for edge in std::mem::take(&mut self.nodes[node as usize].edges) {
            self.remove_edge(edge);
        }
        self.nodes[node as usize] = Node { is_gone: true, ..Node::default() };
    }

    /// Adds what another uses, given for each own strategy, to a node. `overlap`: whether these spans do.
    pub(crate) fn add_spans(&mut self, node: u32, more: Vec<Span>, overlap: bool) {
        let own = &mut self.nodes[node as usize];
        own.has_overlaps |= overlap || !own.spans.is_empty() && !more.is_empty();
        own.spans.extend(more);
    }

    /// The strategies of the nodes that are left, from an assignment of the whole problem; 0 where it takes
    /// one that is not left, and for nodes that are gone.
    pub(crate) fn strategies(&self, assignment: &[usize]) -> Vec<u32> {
        let strategy = |(node, label): (&Node, &usize)| {
            node.labels.iter().position(|other| *other as usize == *label).unwrap_or(0) as u32
        };
        self.nodes.iter().zip(assignment).map(strategy).collect()
    }

    /// The assignment of the whole problem. `chosen`: the strategy of each node that is left, by its number
    /// among those that the node has left.
    pub(crate) fn assignment(&self, chosen: impl Fn(u32) -> usize) -> Assignment {
        let mut labels = vec![0_u32; self.nodes.len()];
        for node in self.left() {
            labels[node as usize] = self.nodes[node as usize].labels[chosen(node)];
        }
        for step in self.steps.iter().rev() {
            let mut place = 0;
            for (other, known) in step.of.iter().zip(&step.labels) {
                let strategy = known.partition_point(|label| *label < labels[*other as usize]);
                place = place * known.len() + strategy;
            }
            labels[step.node as usize] = step.choice[place];
        }
        labels.into_iter().map(|label| label as usize).collect()
    }
}

/// Whether what fits into memory is known exactly: an answer that uses hardly less than the limit may be missed otherwise.
pub(crate) fn counts_usage_exactly(problem: &Problem) -> bool {
    let lost = (1 << coarse(problem)) - 1;
    let mut usages = problem.nodes.iter().flat_map(|node| &node.spans).flat_map(|span| &span.usage);
    lost == 0 || usages.all(|usage| usage & lost == 0)
}

/// Bits of usages that are too fine to be added up.
fn coarse(problem: &Problem) -> u32 {
    let spans = problem.nodes.iter().map(|node| node.spans.len()).sum::<usize>();
    let bits = LARGEST_LIMIT.min(MOST_USED.saturating_sub(usize::BITS - spans.leading_zeros()));
    (u64::BITS - problem.usage_limit.unwrap_or(0).leading_zeros()).saturating_sub(bits)
}

/// So many bits of costs are more than can be added up exactly.
pub(crate) fn too_fine(problem: &Problem) -> u32 {
    let sum: u128 = largest(problem).map(u128::from).sum();
    (u128::BITS - sum.leading_zeros()).saturating_sub(MOST_BITS)
}

/// The largest possible cost of each node and edge.
fn largest(problem: &Problem) -> impl Iterator<Item = u64> {
    let most = |costs: &Vec<u64>| costs.iter().copied().filter(|cost| *cost < IMPOSSIBLE).max().unwrap_or(0);
    let of_edges = problem.edges.iter().map(move |edge| most(&edge.costs));
    problem.nodes.iter().map(move |node| most(&node.costs)).chain(of_edges)
}

/// Costs above the first number are taken for that, so that all can be added up exactly: an answer that takes none of
/// them is not touched by it, and bounds stay bounds. The second number says how much finer parts of a cost may be.
fn scale(problem: &Problem, dropped: u32) -> (u64, u32) {
    let largest: Vec<u64> = largest(problem).map(|cost| cost >> dropped).collect();
    let used = |cap: u64| {
        let sum: u128 = largest.iter().map(|cost| u128::from(*cost.min(&cap))).sum();
        u128::BITS - sum.leading_zeros()
    };
    let mut cap = IMPOSSIBLE;
    while used(cap) > MOST_BITS && cap > 1 {
        cap /= 2;
    }
    (cap, (MOST_BITS - used(cap).min(MOST_BITS)).min(FINEST))
}

fn kept<T>(values: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    values.retain(|_| *keep.next().unwrap_or(&true));
}

/// Row-major costs of `rows` rows with rows and columns exchanged.
pub(crate) fn transposed(costs: &[Cost], rows: usize) -> Vec<Cost> {
    let columns = costs.len() / rows.max(1);
    let mut made = Vec::with_capacity(costs.len());
    for column in 0..columns {
        made.extend((0..rows).map(|row| costs[row * columns + column]));
    }
    made
}

/// The same use of memory in spans that do not overlap, in order.
pub(crate) fn apart(spans: Vec<Span>) -> Vec<Span> {
    let Some(size) = spans.first().map(|span| span.usage.len()) else { return spans };
    // What begins and ends at each row.
    let mut changes: Vec<(u32, i64, u32)> = Vec::with_capacity(2 * spans.len());
    for (number, span) in spans.iter().enumerate() {
        changes.push((span.start, 1, number as u32));
        changes.push((span.end, -1, number as u32));
    }
    changes.sort_unstable();
    let mut now = vec![0_i64; size];
    let mut found: Vec<Span> = Vec::new();
    let mut start = 0;
    for (row, sign, number) in changes {
        if row > start && now.iter().any(|usage| *usage != 0) {
            match found.last_mut() {
                Some(last) if last.end == start && last.usage == now => last.end = row,
                _ => found.push(Span { start, end: row, usage: now.clone() }),
            }
        }
        for (usage, change) in now.iter_mut().zip(&spans[number as usize].usage) {
            *usage += sign * change;
        }
        start = row;
    }
    found
}
