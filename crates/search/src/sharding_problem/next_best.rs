//! What the arguments could be kept in instead, and what that would cost.
//!
//! Input: [`ShardingProblem`] and an answer. Output: for each class of arguments the layout that it has and the next best one,
//! with the seconds that it adds. The instructions around the tensor choose anew for it; everything farther away stays
//! as it is, so what is said is at most what the change would cost if all were decided anew.

use super::{NONE, ShardingProblem, SlotClass};
use meshwright_ir::ids::ValueId;
use meshwright_ir::sharding::Sharding;
use meshwright_plan::{Choice, Next};
use meshwright_solve::Problem;

impl ShardingProblem<'_> {
    /// See the module's comment. In the order of the first arguments.
    pub(crate) fn choices(&self, assignment: &[usize]) -> Vec<Choice> {
        let (space, prepared) = (self.space, self.space.prepared);
        let mut of_class: Vec<Vec<ValueId>> = vec![Vec::new(); self.slots.len()];
        let mut order = Vec::new();
        for arg in space.function.args() {
            let class = space.alike.of_slot[prepared.slot_of[*arg]];
            if class != NONE && !prepared.shape(prepared.slot_of[*arg]).is_empty() {
                if of_class[class as usize].is_empty() {
                    order.push(class as usize);
                }
                of_class[class as usize].push(*arg);
            }
        }
        let around = Around::new(&self.problem, assignment);
        let choice = |class: usize| {
            let SlotClass { node, forms: layouts, .. } = &self.slots[class];
            let (values, own) = (std::mem::take(&mut of_class[class]), assignment[*node]);
            let base = around.cost(*node, own);
            let others = (0..layouts.len()).filter(|other| *other != own);
            let next = others.map(|other| (around.cost(*node, other) - base, other)).min();
            let whole: f64 = values.iter().map(|value| prepared.bytes[prepared.slot_of[*value]]).sum();
            let bytes = |layout: usize| whole / self.layouts.num_shards(layouts[layout].layout) as f64;
            let next = next.map(|(cost, other)| Next {
                sharding: self.sharding(layouts[other].layout),
                seconds: cost as f64 * self.scale.unit,
                bytes: (bytes(other) - bytes(own)) as i64,
            });
            Choice { values, kept: self.sharding(layouts[own].layout), next }
        };
        order.into_iter().map(choice).collect()
    }

    fn sharding(&self, layout: super::layouts::LayoutId) -> Sharding {
        Sharding::of(self.layouts.dims(layout).iter().map(|axes| axes.to_vec()))
    }
}

/// A problem with an assignment, seen from single nodes.
struct Around<'a> {
    problem: &'a Problem,
    assignment: &'a [usize],
    /// The edges of each node.
    edges: Vec<Vec<usize>>,
}

impl<'a> Around<'a> {
    fn new(problem: &'a Problem, assignment: &'a [usize]) -> Self {
        let mut edges = vec![Vec::new(); problem.nodes.len()];
        for (number, edge) in problem.edges.iter().enumerate() {
            edge.nodes.iter().for_each(|node| edges[*node].push(number));
        }
        Self { problem, assignment, edges }
    }

    /// What an edge costs if `node` takes a strategy, and which node is at its other end.
    fn at(&self, edge: usize, node: usize) -> (usize, impl Fn(usize, usize) -> i128) {
        let edge = &self.problem.edges[edge];
        let is_first = edge.nodes[0] == node;
        let width = self.problem.nodes[edge.nodes[1]].costs.len();
        let cost = move |own: usize, other: usize| {
            let (row, column) = if is_first { (own, other) } else { (other, own) };
            i128::from(edge.costs[row * width + column])
        };
        (edge.nodes[usize::from(is_first)], cost)
    }

    /// The cost of a node that takes a strategy and of its neighbors, each of which chooses its best for it.
    fn cost(&self, node: usize, strategy: usize) -> i128 {
        let taken = |other: usize| if other == node { strategy } else { self.assignment[other] };
        let mut neighbors: Vec<usize> = self.edges[node].iter().map(|edge| self.at(*edge, node).0).collect();
        neighbors.sort_unstable();
        neighbors.dedup();
        neighbors.retain(|neighbor| *neighbor != node);
        let own = |node: usize, choice: usize| i128::from(self.problem.nodes[node].costs[choice]);
        let best = |neighbor: usize| {
            let cost = |choice: usize| -> i128 {
                let around = self.edges[neighbor].iter().map(|edge| {
                    let (far, between) = self.at(*edge, neighbor);
                    between(choice, taken(far))
                });
                own(neighbor, choice) + around.sum::<i128>()
            };
            (0..self.problem.nodes[neighbor].costs.len()).map(cost).min().unwrap_or(0)
        };
        own(node, strategy) + neighbors.into_iter().map(best).sum::<i128>()
    }
}
