//! Large-neighbourhood search: regions of the incumbent are solved again exactly, with all else as it is.
//!
//! Regions grow around nodes whose strategy costs more than the bound says it need, together with nodes that
//! use memory at the same full moment, so that one may give what the other takes. They become larger while
//! they are solved quickly.

use crate::exact;
use crate::graph::Graph;
use crate::incumbent::Incumbent;
use crate::narrow::{Best, Effort, Part};
use crate::random::Random;

/// Where to look.
pub(crate) struct Search<'a> {
    pub(crate) graph: &'a Graph,
    /// The problem without what cannot be in a better answer; costs lie where the bound moved them.
    pub(crate) root: &'a Part,
    pub(crate) should_stop: &'a dyn Fn(u64) -> bool,
}

/// Work on one region.
const WORK: u64 = 5_000_000;

/// Sweeps over a region.
const SWEEPS: usize = 20;

impl Search<'_> {
    /// Improves an assignment in so many rounds.
    pub(crate) fn run(&self, mut own: Incumbent, random: &mut Random, rounds: u64) -> Incumbent {
        let nodes: Vec<u32> = self.graph.left().collect();
        let mut place = vec![u32::MAX; self.graph.nodes.len()];
        let mut size = 40.0_f64;
        let mut weights = Weights::new(&nodes, |node| self.excess(&own, node));
        for _ in 0..rounds {
            if (self.should_stop)(nodes.len() as u64) {
                break;
            }
            let seed = if random.below(10) < 7 { weights.draw(random) } else { None };
            let seed = seed.unwrap_or_else(|| nodes[random.below(nodes.len())]);
            let region = self.region(&own, seed, size as usize, &nodes, random, &mut place);
            let inside = |node: u32| (place[node as usize] != u32::MAX).then(|| place[node as usize]);
            let before = own.cost_of(self.graph, &region, |node| inside(node).is_some());
            let mut part = own.part(self.graph, &region, inside);
            for (place, node) in region.iter().enumerate() {
                let keep = self.allowed(&own, *node);
                if keep.contains(&false) {
                    part.restrict(place as u32, &keep);
                }
            }
            let mut effort = Effort::up_to(WORK, self.should_stop);
            let mut best = Best::below(before);
            let bound = exact::search(Part::new(part), SWEEPS, &mut best, &mut effort);
            let is_complete = bound >= best.below;
            size = if is_complete { (size * 1.03).min(nodes.len() as f64) } else { (size * 0.93).max(6.0) };
            if let Some((_, strategies)) = best.found
                && own.take(self.graph, &region, &strategies, |node| inside(node).is_some())
            {
                weights = Weights::new(&nodes, |node| self.excess(&own, node));
            }
            for node in region {
                place[node as usize] = u32::MAX;
            }
        }
        own
    }

    /// The strategies of a node that may be in a better answer, and its own.
    fn allowed(&self, own: &Incumbent, node: u32) -> Vec<bool> {
        let (base, root) = (&self.graph.nodes[node as usize], &self.root.graph.nodes[node as usize]);
        let is_left = |label: &u32| root.is_gone || root.labels.binary_search(label).is_ok();
        let mut keep: Vec<bool> = base.labels.iter().map(is_left).collect();
        keep[own.chosen[node as usize] as usize] = true;
        keep
    }

    /// How much more than the bound says the strategy of a node costs.
    fn excess(&self, own: &Incumbent, node: u32) -> f64 {
        let (base, root) = (&self.graph.nodes[node as usize], &self.root.graph.nodes[node as usize]);
        let label = base.labels[own.chosen[node as usize] as usize];
        match root.labels.binary_search(&label) {
            Ok(strategy) => root.costs[strategy] as f64,
            Err(_) => 0.0,
        }
    }

    /// Nodes around a seed, marked with their places.
    fn region(
        &self,
        own: &Incumbent,
        seed: u32,
        size: usize,
        nodes: &[u32],
        random: &mut Random,
        place: &mut [u32],
    ) -> Vec<u32> {
        let mut region = Vec::new();
        let mut frontier = vec![seed];
        let seeds_elsewhere = if random.below(2) == 0 { 0 } else { 1 + random.below(3) };
        let mut next_seed = size / (seeds_elsewhere + 1) + 1;
        while region.len() < size {
            if frontier.is_empty() || region.len() >= next_seed {
                next_seed += size / (seeds_elsewhere + 1) + 1;
                frontier.clear();
                match self.companion(own, seed, nodes, random) {
                    Some(node) => frontier.push(node),
                    None => break,
                }
            }
            let node = frontier.swap_remove(random.below(frontier.len()));
            if place[node as usize] != u32::MAX {
                if frontier.is_empty() && random.below(20) == 0 {
                    break;
                }
                continue;
            }
            place[node as usize] = region.len() as u32;
            region.push(node);
            let edges = &self.graph.nodes[node as usize].edges;
            // Of hubs, only some neighbours.
            for _ in 0..edges.len().min(12) {
                let edge = if edges.len() <= 12 { continue } else { edges[random.below(edges.len())] };
                frontier.push(self.graph.across(edge, node));
            }
            if edges.len() <= 12 {
                frontier.extend(edges.iter().map(|edge| self.graph.across(*edge, node)));
            }
        }
        region
    }

    /// A node that uses memory at the fullest moment of another.
    fn companion(&self, own: &Incumbent, seed: u32, nodes: &[u32], random: &mut Random) -> Option<u32> {
        let spans = &self.graph.nodes[seed as usize].spans;
        let slack = |row: &u32| self.graph.room[*row as usize] - own.usage[*row as usize];
        let row = spans.iter().flat_map(|span| span.start..span.end).min_by_key(slack)?;
        for _ in 0..200 {
            let node = nodes[random.below(nodes.len())];
            let uses =
                self.graph.nodes[node as usize].spans.iter().any(|span| span.start <= row && row < span.end);
            if uses && node != seed {
                return Some(node);
            }
        }
        Some(nodes[random.below(nodes.len())])
    }
}

/// Nodes to draw from, by how much they may gain.
#[derive(Default)]
struct Weights {
    sums: Vec<(f64, u32)>,
}

impl Weights {
    fn new(nodes: &[u32], weight: impl Fn(u32) -> f64) -> Self {
        let mut sum = 0.0;
        let mut sums = Vec::new();
        for node in nodes {
            let own = weight(*node);
            if own > 0.0 && own.is_finite() {
                sum += own.sqrt();
                sums.push((sum, *node));
            }
        }
        Self { sums }
    }

    fn draw(&self, random: &mut Random) -> Option<u32> {
        let (sum, _) = self.sums.last()?;
        let target = random.unit() * sum;
        let place = self.sums.partition_point(|(sum, _)| *sum <= target);
        self.sums.get(place).map(|(_, node)| *node)
    }
}
