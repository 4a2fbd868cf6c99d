//! Least cut of a network between a source and a sink.
//!
//! Input: nodes and arcs with capacities. Output: the nodes on the source's side of a cut whose arcs, from the source's
//! side to the sink's, have the least capacity in all; of several such cuts the one with the fewest nodes on the sink's
//! side. By the largest flow (Dinic: shortest ways first, all of one length at a time). Capacities are whole numbers, wide
//! enough for products of bytes and picoseconds, so that the answer is exact.
//!
//! Example: whether to keep `h` (8 bytes at 2 each) or to make it again (for 5): arcs source -> `h` of 5 and `h` -> sink
//! of 16 are cut at 5.

use std::collections::VecDeque;

/// Capacity of an arc; the sum of all must fit.
pub type Capacity = u128;

/// A network: the source is node 0, the sink node 1.
#[derive(Clone, Debug)]
pub struct Network {
    /// For each node the arcs that leave it, those back included.
    leaving: Vec<Vec<usize>>,
    /// Arcs by pairs: one, and the one back.
    arcs: Vec<Arc>,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    to: usize,
    left: Capacity,
}

/// Node at which flow begins.
pub const SOURCE: usize = 0;
/// Node at which it ends.
pub const SINK: usize = 1;

impl Default for Network {
    fn default() -> Self {
        Self { leaving: vec![Vec::new(); 2], arcs: Vec::new() }
    }
}

impl Network {
    /// Adds a node.
    pub fn node(&mut self) -> usize {
        self.leaving.push(Vec::new());
        self.leaving.len() - 1
    }

    /// Adds an arc.
    pub fn arc(&mut self, from: usize, to: usize, capacity: Capacity) {
        for (from, to, left) in [(from, to, capacity), (to, from, 0)] {
            self.leaving[from].push(self.arcs.len());
            self.arcs.push(Arc { to, left });
        }
    }

    /// Side of each node of the least cut: true for the source's.
    pub fn min_cut(mut self) -> Vec<bool> {
        loop {
            let levels = self.levels();
            if levels[SINK].is_none() {
                return self.reaches_sink().into_iter().map(|reaches| !reaches).collect();
            }
            let mut next = vec![0; self.leaving.len()];
            while self.augment(&levels, &mut next) {}
        }
    }

    /// The fewest arcs that lead to each node.
    fn levels(&self) -> Vec<Option<usize>> {
        let mut levels = vec![None; self.leaving.len()];
        levels[SOURCE] = Some(0);
        let mut open = VecDeque::from([(SOURCE, 0)]);
        while let Some((node, level)) = open.pop_front() {
            for arc in &self.leaving[node] {
                let Arc { to, left } = self.arcs[*arc];
                if left > 0 && levels[to].is_none() {
                    levels[to] = Some(level + 1);
                    open.push_back((to, level + 1));
                }
            }
        }
        levels
    }

    /// Whether more could flow from each node to the sink.
    fn reaches_sink(&self) -> Vec<bool> {
        let mut reaches = vec![false; self.leaving.len()];
        reaches[SINK] = true;
        let mut open = vec![SINK];
        while let Some(node) = open.pop() {
            for arc in &self.leaving[node] {
                let from = self.arcs[*arc].to;
                if self.arcs[arc ^ 1].left > 0 && !std::mem::replace(&mut reaches[from], true) {
                    open.push(from);
                }
            }
        }
        reaches
    }

    /// Sends what one more shortest way can take; `next` are the arcs of each node that are still to be tried.
    fn augment(&mut self, levels: &[Option<usize>], next: &mut [usize]) -> bool {
        let mut way: Vec<usize> = Vec::new();
        let mut at = SOURCE;
        while at != SINK {
            match self.leaving[at].get(next[at]) {
                Some(arc) if self.leads_on(*arc, at, levels) => {
                    way.push(*arc);
                    at = self.arcs[*arc].to;
                }
                Some(_) => next[at] += 1,
                // A dead end: back, and not here again.
                None => {
                    let Some(arc) = way.pop() else { return false };
                    at = self.arcs[arc ^ 1].to;
                    next[at] += 1;
                }
            }
        }
        let flow = way.iter().map(|arc| self.arcs[*arc].left).min().unwrap_or(0);
        for arc in way {
            self.arcs[arc].left -= flow;
            self.arcs[arc ^ 1].left += flow;
        }
        true
    }

    fn leads_on(&self, arc: usize, from: usize, levels: &[Option<usize>]) -> bool {
        let Arc { to, left } = self.arcs[arc];
        left > 0 && levels[from].is_some_and(|level| levels[to] == Some(level + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// The least capacity of all cuts, by trying all.
    fn by_brute_force(nodes: usize, arcs: &[(usize, usize, Capacity)]) -> Capacity {
        let cut = |sides: usize| {
            let is_source = |node: usize| node == SOURCE || (node != SINK && sides >> (node - 2) & 1 == 1);
            arcs.iter().filter(|(from, to, _)| is_source(*from) && !is_source(*to)).map(|arc| arc.2).sum()
        };
        (0..1 << (nodes - 2)).map(cut).min().unwrap()
    }

    #[test]
    fn cuts_are_least() {
        let mut random = Random(1);
        for _ in 0..300 {
            let nodes = 3 + random.below(6);
            let mut network = Network::default();
            (2..nodes).for_each(|_| _ = network.node());
            let mut arcs = Vec::new();
            for _ in 0..random.below(3 * nodes) {
                arcs.push((random.below(nodes), random.below(nodes), random.below(9) as Capacity));
            }
            arcs.iter().for_each(|(from, to, capacity)| network.arc(*from, *to, *capacity));
            let is_source = network.min_cut();
            let found: Capacity =
                arcs.iter().filter(|arc| is_source[arc.0] && !is_source[arc.1]).map(|arc| arc.2).sum();
            assert_eq!(found, by_brute_force(nodes, &arcs), "{arcs:?}");
        }
    }
}
