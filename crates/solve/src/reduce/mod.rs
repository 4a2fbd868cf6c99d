//! Makes a problem smaller without losing its best answers.
//!
//! - [`arcs`] removes what is impossible and moves costs from edges to nodes, so that edges that say nothing vanish.
//! - [`merge`] takes nodes away that follow from a neighbour.
//! - [`dominance`] removes strategies that another replaces at no more cost and no more use of memory.
//! - [`rows`] removes moments at which memory cannot run out, or runs out only if it does at another.
//!
//! Every rule keeps at least one best assignment; what was known of the removed follows from what is left
//! (`Graph::assignment`).

mod arcs;
mod dominance;
mod merge;
mod rows;

use crate::graph::{Dead, Graph};

/// Rounds of the rules that look at everything at once, at most.
const ROUNDS: usize = 40;

/// Looks at so many nodes and edges before asking whether to stop.
const PATIENCE: usize = 256;

/// Applies all rules until none applies, or until it is to stop: the problem is the same at any time. Errors:
/// there is no assignment.
pub(crate) fn reduce(graph: &mut Graph, should_stop: &dyn Fn() -> bool) -> Result<(), Dead> {
    let mut work = Work::all(graph);
    rows::trim(graph, &mut work)?;
    work.run(graph, should_stop)?;
    let mut is_new = vec![true; graph.nodes.len()];
    for _ in 0..ROUNDS {
        work.has_changed.fill(false);
        dominance::remove(graph, &is_new, &mut work, should_stop);
        rows::trim(graph, &mut work)?;
        work.run(graph, should_stop)?;
        std::mem::swap(&mut is_new, &mut work.has_changed);
        if !is_new.contains(&true) {
            return Ok(());
        }
    }
    // Rounds are over: rows and spans are brought up to date once more.
    rows::trim(graph, &mut work)
}

/// What is to be looked at again.
struct Work {
    edges: Vec<u32>,
    nodes: Vec<u32>,
    is_edge_due: Vec<bool>,
    is_node_due: Vec<bool>,
    /// Nodes whose strategies, costs or edges are not what they were when dominance was looked for.
    has_changed: Vec<bool>,
}

impl Work {
    fn all(graph: &Graph) -> Self {
        let (nodes, edges) = (graph.nodes.len(), graph.edges.len());
        let mut work = Self {
            edges: Vec::new(),
            nodes: Vec::new(),
            is_edge_due: vec![false; edges],
            is_node_due: vec![false; nodes],
            has_changed: vec![true; nodes],
        };
        for edge in (0..edges as u32).rev().filter(|edge| !graph.edges[*edge as usize].is_gone) {
            work.add_edge(edge);
        }
        for node in (0..nodes as u32).rev().filter(|node| !graph.nodes[*node as usize].is_gone) {
            work.add_node(node);
        }
        work
    }

    fn add_edge(&mut self, edge: u32) {
        let place = edge as usize;
        if self.is_edge_due.len() <= place {
            self.is_edge_due.resize(place + 1, false);
        }
        if !std::mem::replace(&mut self.is_edge_due[place], true) {
            self.edges.push(edge);
        }
    }

    fn add_node(&mut self, node: u32) {
        self.has_changed[node as usize] = true;
        if !std::mem::replace(&mut self.is_node_due[node as usize], true) {
            self.nodes.push(node);
        }
    }

    /// Marks a node whose strategies became fewer, and what sees them.
    fn add_restricted(&mut self, graph: &Graph, node: u32) {
        self.add_node(node);
        for &edge in &graph.nodes[node as usize].edges {
            self.add_edge(edge);
            self.has_changed[graph.across(edge, node) as usize] = true;
        }
    }

    /// Looks at everything that is due, until nothing is.
    fn run(&mut self, graph: &mut Graph, should_stop: &dyn Fn() -> bool) -> Result<(), Dead> {
        for count in 1_usize.. {
            if count.is_multiple_of(PATIENCE) && should_stop() {
                break;
            }
            if let Some(edge) = self.edges.pop() {
                self.is_edge_due[edge as usize] = false;
                if !graph.edges[edge as usize].is_gone {
                    arcs::settle(graph, edge, self);
                    if !graph.edges[edge as usize].is_gone {
                        merge::functional(graph, edge, self);
                    }
                }
            } else if let Some(node) = self.nodes.pop() {
                self.is_node_due[node as usize] = false;
                if !graph.nodes[node as usize].is_gone {
                    arcs::possible(graph, node, self)?;
                    merge::eliminate(graph, node, self);
                }
            } else {
                break;
            }
        }
        Ok(())
    }
}
