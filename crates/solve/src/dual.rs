//! Lower bounds: costs move between nodes and edges until the sum of the least costs is large, and memory has
//! prices.
//!
//! Moving costs: sequential tree-reweighted message passing (Kolmogorov, "Convergent tree-reweighted message
//! passing for energy minimization", 2006), written as moves of cost, so that at any moment the costs are
//! those of the problem and the constant is a lower bound. Prices: Lagrange multipliers of the rows of memory
//! that were found to bind, moved along the subgradient. All of it in floating point: what is rounded stays within what
//! `Graph::limit` and `Graph::surely` leave for it, as sums of costs and prices are limited.

use crate::graph::{Cost, Edge, Graph, NEVER};

/// How much the newest subgradient weighs in their average.
const NEWEST: f64 = 0.3;

/// How warm strategies are, as a part of what the bound is thought to rise by.
const WARMTH: f64 = 1e-3;

/// How much of a price is left at least after a move; less than `NEGLIGIBLE` of the largest may go at once.
const FALL: f64 = 0.9;
const NEGLIGIBLE: f64 = 1e-3;

/// What all prices together add to the cost of a strategy at most, in parts.
const MOST_PRICED: f64 = (1_u64 << 54) as f64;

/// By how much of the largest price a price rises at most, once some row had room and a price.
const RISE: f64 = 0.2;

/// How costs of edges are kept: they are most of what a sweep reads, and memory is slower than sums. Those in single
/// precision are rounded down, and bounds with them.
pub(crate) trait Entry: Copy {
    fn of(cost: Cost) -> Self;
    fn value(self) -> f64;
}

impl Entry for f64 {
    fn of(cost: Cost) -> Self {
        float(cost)
    }

    fn value(self) -> f64 {
        self
    }
}

impl Entry for f32 {
    fn of(cost: Cost) -> Self {
        let (exact, near) = (float(cost), float(cost) as f32);
        if f64::from(near) > exact { near.next_down() } else { near }
    }

    fn value(self) -> f64 {
        f64::from(self)
    }
}

/// A lower bound in the making.
pub(crate) struct Dual<C> {
    /// The nodes of the graph that are left, in order.
    pub(crate) nodes: Vec<u32>,
    /// Where the strategies of each node begin; one more at the end.
    pub(crate) starts: Vec<u32>,
    /// What each strategy costs by itself now.
    pub(crate) unary: Vec<f64>,
    /// What an assignment with it cost at least, beyond `levels`, when its node was last looked at.
    pub(crate) marginals: Vec<f64>,
    /// What every assignment cost at least when the node was last looked at.
    pub(crate) levels: Vec<f64>,
    edges: Vec<DualEdge<C>>,
    /// Edges of each node to earlier and to later nodes.
    earlier: Vec<Vec<u32>>,
    later: Vec<Vec<u32>>,
    /// What every assignment costs at least.
    constant: Sum,
    /// Of each row.
    pub(crate) prices: Vec<f64>,
    /// The rows that were ever the fullest, and by how much they were too full of late.
    active: Vec<(u32, f64)>,
    /// Of any strategy at any row; at least a quarter of the most that may be used.
    largest_usage: f64,
    /// Whether a row with a price ever had room.
    has_fallen: bool,
    scratch: Vec<f64>,
}

struct DualEdge<C> {
    /// Places in `Dual::nodes`, ascending.
    ends: [u32; 2],
    number: u32,
    /// Row-major, as they are in the graph.
    costs: Vec<C>,
    /// What was moved to the edge from the strategies of either end.
    moved: [Vec<f64>; 2],
}

/// Which way costs move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Forward,
    Back,
}

/// A sum of many numbers that keeps what rounding loses (Neumaier).
#[derive(Clone, Copy, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        if !sum.is_finite() {
            // Nothing is possible: from then on there is nothing to lose.
            (self.sum, self.lost) = (sum, 0.0);
            return;
        }
        self.lost +=
            if self.sum.abs() >= value.abs() { self.sum - sum + value } else { value - sum + self.sum };
        self.sum = sum;
    }

    fn value(self) -> f64 {
        self.sum + self.lost
    }
}

impl<C: Entry> Dual<C> {
    /// The bound of a reduced graph, with prices to begin with.
    pub(crate) fn new(graph: &Graph, prices: Vec<f64>) -> Self {
        let nodes: Vec<u32> = graph.left().collect();
        let mut place = vec![u32::MAX; graph.nodes.len()];
        for (own, node) in nodes.iter().enumerate() {
            place[*node as usize] = own as u32;
        }
        let mut starts = vec![0];
        let mut unary = Vec::new();
        for node in &nodes {
            unary.extend(graph.nodes[*node as usize].costs.iter().map(|cost| float(*cost)));
            starts.push(unary.len() as u32);
        }
        let mut edges = Vec::new();
        let (mut earlier, mut later) = (vec![Vec::new(); nodes.len()], vec![Vec::new(); nodes.len()]);
        for (own, node) in nodes.iter().enumerate() {
            let mut numbers = graph.nodes[*node as usize].edges.clone();
            numbers.sort_unstable_by_key(|edge| place[graph.across(*edge, *node) as usize]);
            for number in numbers {
                let other = graph.across(number, *node);
                if other < *node {
                    continue;
                }
                let ends = [own as u32, place[other as usize]];
                let costs = graph.seen_from(number, *node).iter().map(|cost| C::of(*cost)).collect();
                let moved = [vec![0.0; graph.size(*node)], vec![0.0; graph.size(other)]];
                later[own].push(edges.len() as u32);
                earlier[ends[1] as usize].push(edges.len() as u32);
                edges.push(DualEdge { ends, number, costs, moved });
            }
        }
        let marginals = unary.clone();
        let levels = vec![f64::NEG_INFINITY; nodes.len()];
        let active = (0..prices.len() as u32)
            .filter(|row| prices[*row as usize] > 0.0)
            .map(|row| (row, 0.0))
            .collect();
        let spans = nodes.iter().flat_map(|node| &graph.nodes[*node as usize].spans);
        let largest_usage = spans.flat_map(|span| &span.usage).map(|usage| usage.abs()).max();
        let largest_room = graph.room.iter().copied().max().unwrap_or(0);
        let mut constant = Sum::default();
        constant.add(graph.constant as f64);
        let mut dual = Self {
            nodes,
            starts,
            unary,
            marginals,
            levels,
            edges,
            earlier,
            later,
            constant,
            prices: vec![0.0; graph.room.len()],
            active,
            largest_usage: largest_usage.unwrap_or(1).max(largest_room / 4).max(1) as f64,
            has_fallen: false,
            scratch: Vec::new(),
        };
        dual.reprice(graph, prices);
        dual
    }

    /// What every assignment costs at least, if the last thing done was a pass.
    pub(crate) fn bound(&self) -> f64 {
        self.constant.value()
    }

    /// The sum of what the dearest possible strategies cost by themselves.
    pub(crate) fn spread(&self) -> f64 {
        let most = |node: usize| {
            let possible = self.unary[self.range(node)].iter().filter(|cost| cost.is_finite());
            possible.fold(0.0, |most: f64, cost| most.max(*cost))
        };
        (0..self.nodes.len()).map(most).sum()
    }

    /// Number of costs of edges.
    pub(crate) fn entries(&self) -> usize {
        self.edges.iter().map(|edge| edge.costs.len()).sum::<usize>() + self.unary.len()
    }

    /// Unmarks the strategies with which everything costs more than `limit`.
    pub(crate) fn discard(&self, limit: f64, keep: &mut [bool]) {
        for node in 0..self.nodes.len() {
            let most = limit - self.levels[node];
            for strategy in self.range(node) {
                if self.marginals[strategy] > most {
                    keep[strategy] = false;
                }
            }
        }
    }

    /// How much more the second best strategy of a node costs than the best, and the best.
    pub(crate) fn lead(&self, node: usize) -> (f64, usize) {
        let own = &self.marginals[self.range(node)];
        let (mut least, mut second, mut best) = (f64::INFINITY, f64::INFINITY, 0);
        for (strategy, cost) in own.iter().enumerate() {
            if *cost < least {
                (second, least, best) = (least, *cost, strategy);
            } else if *cost < second {
                second = *cost;
            }
        }
        (second - least, best)
    }

    /// The strategies of a node.
    pub(crate) fn range(&self, node: usize) -> std::ops::Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    /// Moves costs along all edges, from the first node to the last and back.
    pub(crate) fn sweep(&mut self) {
        for node in 0..self.nodes.len() {
            self.visit(node, Way::Forward);
        }
        for node in (0..self.nodes.len()).rev() {
            self.visit(node, Way::Back);
        }
    }

    fn visit(&mut self, node: usize, way: Way) {
        let range = self.range(node);
        let Self { edges, earlier, later, unary, scratch, .. } = self;
        let (from, to) = match way {
            Way::Forward => (&earlier[node], &later[node]),
            Way::Back => (&later[node], &earlier[node]),
        };
        let own = &mut unary[range.clone()];
        let side = usize::from(way == Way::Forward);
        for edge in from {
            let DualEdge { costs, moved, .. } = &mut edges[*edge as usize];
            scratch.clear();
            scratch.resize(own.len(), f64::INFINITY);
            let [first, second] = moved;
            if side == 1 {
                least_of_columns(costs, first, scratch);
            } else {
                for (row, least) in costs.chunks_exact(second.len()).zip(scratch.iter_mut()) {
                    *least = least_of(row, second);
                }
            }
            for ((own, least), moved) in own.iter_mut().zip(scratch.iter()).zip(&mut moved[side]) {
                // What nothing goes with is impossible, and moves no more.
                if least.is_finite() {
                    *own += least + *moved;
                    *moved = -*least;
                } else {
                    *own = f64::INFINITY;
                }
            }
        }
        let least = own.iter().copied().fold(f64::INFINITY, |least, cost| lesser(cost, least));
        for own in own.iter_mut().filter(|own| own.is_finite()) {
            *own -= least;
        }
        self.constant.add(least);
        self.marginals[range].copy_from_slice(own);
        self.levels[node] = self.constant.value();
        if to.is_empty() {
            return;
        }
        let share = 1.0 / from.len().max(to.len()) as f64;
        for edge in to {
            let moved = edges[*edge as usize].moved[1 - side].iter_mut().zip(own.iter());
            for (moved, own) in moved.filter(|(_, own)| own.is_finite()) {
                *moved += share * own;
            }
        }
        let left = 1.0 - share * to.len() as f64;
        let left = if left < 1e-9 { 0.0 } else { left };
        for own in own.iter_mut().filter(|own| own.is_finite()) {
            *own *= left;
        }
    }

    /// Gives the rows these prices.
    pub(crate) fn reprice(&mut self, graph: &Graph, prices: Vec<f64>) {
        let mut sums = Vec::with_capacity(prices.len() + 1);
        let mut sum = 0.0;
        sums.push(sum);
        for row in 0..prices.len() {
            let change = prices[row] - self.prices[row];
            sum += change;
            sums.push(sum);
            self.constant.add(-change * graph.room[row] as f64);
        }
        for (own, node) in self.nodes.iter().enumerate() {
            let range = self.starts[own] as usize..self.starts[own + 1] as usize;
            for span in &graph.nodes[*node as usize].spans {
                let change = sums[span.end as usize] - sums[span.start as usize];
                if change != 0.0 {
                    for (own, usage) in self.unary[range.clone()].iter_mut().zip(&span.usage) {
                        *own += change * *usage as f64;
                    }
                }
            }
        }
        self.prices = prices;
    }

    /// An assignment of the nodes, made from the first to the last: each takes what costs least beside what
    /// the earlier ones took, and fits. `None`: nothing does.
    pub(crate) fn decode(&self, graph: &Graph) -> Option<Vec<usize>> {
        let mut chosen: Vec<usize> = Vec::with_capacity(self.nodes.len());
        let mut room = graph.room.clone();
        let mut own = Vec::new();
        for node in 0..self.nodes.len() {
            own.clear();
            own.extend_from_slice(&self.unary[self.range(node)]);
            for edge in &self.earlier[node] {
                let DualEdge { ends, costs, moved, .. } = &self.edges[*edge as usize];
                let taken = chosen[ends[0] as usize];
                let row = &costs[taken * own.len()..][..own.len()];
                for ((own, cost), moved) in own.iter_mut().zip(row).zip(&moved[1]) {
                    *own += cost.value() + moved;
                }
            }
            let spans = &graph.nodes[self.nodes[node] as usize].spans;
            for span in spans {
                let least =
                    room[span.start as usize..span.end as usize].iter().copied().min().unwrap_or(i64::MAX);
                for (own, usage) in own.iter_mut().zip(&span.usage) {
                    if *usage > least {
                        *own = f64::INFINITY;
                    }
                }
            }
            let best = (0..own.len()).min_by(|a, b| own[*a].total_cmp(&own[*b]))?;
            if own[best].is_infinite() {
                return None;
            }
            for span in spans {
                for room in &mut room[span.start as usize..span.end as usize] {
                    *room -= span.usage[best];
                }
            }
            chosen.push(best);
        }
        Some(chosen)
    }

    /// Moves the prices along an average of the subgradients: what is used too much becomes dearer. `rise`:
    /// how much the bound is thought to rise.
    pub(crate) fn move_prices(&mut self, graph: &Graph, rise: f64) {
        let over: Vec<f64> = self
            .usage(graph, WARMTH * rise)
            .iter()
            .zip(&graph.room)
            .map(|(usage, room)| usage - *room as f64)
            .collect();
        let worst =
            (0..over.len()).filter(|row| over[*row] > 0.0).max_by(|a, b| over[*a].total_cmp(&over[*b]));
        if let Some(row) = worst
            && !self.active.iter().any(|(known, _)| *known == row as u32)
        {
            self.active.push((row as u32, 0.0));
        }
        let mut square = 0.0;
        for (row, lean) in &mut self.active {
            let newest = over[*row as usize];
            *lean += NEWEST * (newest - *lean);
            self.has_fallen |= self.prices[*row as usize] > 0.0 && newest < 0.0;
            if *lean > 0.0 || self.prices[*row as usize] > 0.0 {
                square += lean.powi(2);
            }
        }
        if square > 0.0 {
            let mut prices = self.prices.clone();
            let most_rise = if self.has_fallen { RISE } else { 1.0 };
            let largest = prices.iter().copied().fold(0.0, f64::max);
            for (row, lean) in &self.active {
                let price = &mut prices[*row as usize];
                let least = if *price > NEGLIGIBLE * largest { FALL * *price } else { 0.0 };
                let most = if largest > 0.0 { *price + most_rise * largest } else { f64::INFINITY };
                *price = (*price + rise / square * lean).clamp(least, most.max(least));
            }
            // Where hardly anything is too much, prices rise far; what they add to a cost must still be exact.
            let dearest = prices.iter().sum::<f64>() * self.largest_usage;
            if dearest > MOST_PRICED {
                prices.iter_mut().for_each(|price| *price *= MOST_PRICED / dearest);
            }
            self.reprice(graph, prices);
        }
    }

    /// What is used at each row if strategies are taken the more often the less they cost: at `warmth` more,
    /// a strategy is taken `e` times less often than the best. Near the best prices many nodes hesitate
    /// between strategies that use more or less, and this says how the balance tips before it does.
    fn usage(&self, graph: &Graph, warmth: f64) -> Vec<f64> {
        let warmth = warmth.max(f64::MIN_POSITIVE);
        let mut usage = vec![0.0; graph.room.len() + 1];
        let mut shares = Vec::new();
        for (own, node) in self.nodes.iter().enumerate() {
            let spans = &graph.nodes[*node as usize].spans;
            if spans.is_empty() {
                continue;
            }
            shares.clear();
            shares.extend(self.marginals[self.range(own)].iter().map(|cost| (-cost / warmth).exp()));
            let sum: f64 = shares.iter().sum();
            for span in spans {
                let own: f64 =
                    shares.iter().zip(&span.usage).map(|(share, usage)| share * *usage as f64).sum();
                usage[span.start as usize] += own / sum;
                usage[span.end as usize] -= own / sum;
            }
        }
        usage.pop();
        let mut sum = 0.0;
        for usage in &mut usage {
            sum += *usage;
            *usage = sum;
        }
        usage
    }

    /// Writes the costs as they were moved, but for the prices, into the graph. The constant of the graph is
    /// then a lower bound for the problem without limit on memory.
    pub(crate) fn commit(&self, graph: &mut Graph) {
        for edge in &self.edges {
            let numbers = edge.ends.map(|end| self.nodes[end as usize]);
            let moved: Vec<Vec<Cost>> = edge
                .moved
                .iter()
                .map(|moved| moved.iter().map(|cost| cost.round() as Cost).collect())
                .collect();
            let Edge { ends, costs, .. } = &mut graph.edges[edge.number as usize];
            let (by_row, by_column) =
                if ends[0] == numbers[0] { (&moved[0], &moved[1]) } else { (&moved[1], &moved[0]) };
            for (row, more) in costs.chunks_exact_mut(by_column.len()).zip(by_row) {
                for (cost, besides) in row.iter_mut().zip(by_column).filter(|(cost, _)| **cost < NEVER) {
                    *cost += more + besides;
                }
            }
            for (number, moved) in numbers.into_iter().zip(&moved) {
                for (cost, moved) in graph.nodes[number as usize].costs.iter_mut().zip(moved) {
                    if *cost < NEVER {
                        *cost -= moved;
                    }
                }
            }
        }
    }
}

fn float(cost: Cost) -> f64 {
    if cost >= NEVER { f64::INFINITY } else { cost as f64 }
}

/// The lesser of two numbers, the second if one is none. Unlike [`f64::min`] one instruction, for several at a time.
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Lowers each number to the least of its column, with what is more of each row: several rows at a time, since what is read and
/// written most is the numbers.
fn least_of_columns<C: Entry>(costs: &[C], more: &[f64], least: &mut [f64]) {
    const ROWS: usize = 4;
    let columns = least.len();
    let (rows, mores) = (costs.chunks_exact(ROWS * columns), more.chunks_exact(ROWS));
    let rest = rows.remainder().chunks_exact(columns).zip(mores.remainder());
    for (rows, more) in rows.zip(mores) {
        let (first, second) = rows.split_at(2 * columns);
        let ((one, two), (three, four)) = (first.split_at(columns), second.split_at(columns));
        for ((((least, one), two), three), four) in least.iter_mut().zip(one).zip(two).zip(three).zip(four) {
            let first = lesser(one.value() + more[0], two.value() + more[1]);
            let second = lesser(three.value() + more[2], four.value() + more[3]);
            *least = lesser(lesser(first, second), *least);
        }
    }
    for (row, more) in rest {
        for (least, cost) in least.iter_mut().zip(row) {
            *least = lesser(cost.value() + more, *least);
        }
    }
}

/// The least of a row, with what is more of each column.
fn least_of<C: Entry>(row: &[C], more: &[f64]) -> f64 {
    /// So many at a time, which do not wait for one another.
    const LANES: usize = 8;
    let (Some(last), Some(last_more)) = (row.last_chunk::<LANES>(), more.last_chunk::<LANES>()) else {
        let all = row.iter().zip(more);
        return all.fold(f64::INFINITY, |least, (cost, more)| lesser(cost.value() + more, least));
    };
    // Those behind the last eight at a time are looked at with some in front of them, which changes nothing.
    let mut lanes: [f64; LANES] = std::array::from_fn(|lane| last[lane].value() + last_more[lane]);
    for (row, more) in row.chunks_exact(LANES).zip(more.chunks_exact(LANES)) {
        for ((least, cost), more) in lanes.iter_mut().zip(row).zip(more) {
            *least = lesser(cost.value() + more, *least);
        }
    }
    let half: [f64; LANES / 2] = std::array::from_fn(|lane| lesser(lanes[lane], lanes[lane + LANES / 2]));
    lesser(lesser(half[0], half[2]), lesser(half[1], half[3]))
}
