//! Problems and solutions as files: the JSON of the contest, which may be packed with gzip.
//!
//! A problem is `{"problem": {"name", "nodes": {"intervals", "costs", "usages"}, "edges": {"nodes", "costs"},
//! "usage_limit"}}`. An interval is half-open. A solution is a list of strategies, or an object that holds it
//! as `"solution"`.

use crate::problem::{Assignment, Edge, Node, Problem, Span};
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use std::io::Read;

#[derive(Deserialize)]
struct File {
    problem: Written,
}

#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    name: String,
    nodes: Nodes,
    #[serde(default)]
    edges: Edges,
    #[serde(default)]
    usage_limit: Option<u64>,
}

#[derive(Deserialize)]
struct Nodes {
    #[serde(default)]
    intervals: Vec<[u64; 2]>,
    costs: Vec<Vec<u64>>,
    #[serde(default)]
    usages: Vec<Vec<u64>>,
}

#[derive(Deserialize, Default)]
struct Edges {
    nodes: Vec<[usize; 2]>,
    costs: Vec<Vec<u64>>,
}

/// Reads a problem, packed or not. Errors: what is wrong with the text, with line and column where there is
/// one.
pub fn read_problem(bytes: &[u8]) -> Result<Problem, String> {
    let unpacked = unpacked(bytes)?;
    let text = unpacked.as_deref().unwrap_or(bytes);
    let File { problem } = serde_json::from_slice(text).map_err(|error| error.to_string())?;
    let Nodes { intervals, costs, usages } = problem.nodes;
    let counts = [("intervals", intervals.len()), ("usages", usages.len())];
    for (what, count) in counts {
        if count != costs.len() && count != 0 {
            return Err(format!("there are costs of {} nodes, but {what} of {count}", costs.len()));
        }
    }
    if intervals.is_empty() != usages.is_empty() {
        return Err("nodes need both `intervals` and `usages`, or neither".to_owned());
    }
    let mut spans = intervals
        .into_iter()
        .zip(usages)
        .map(|([start, end], usage)| vec![Span { start, end, usage }])
        .collect::<Vec<_>>();
    spans.resize(costs.len(), Vec::new());
    let nodes = costs.into_iter().zip(spans).map(|(costs, spans)| Node { costs, spans }).collect();
    let Edges { nodes: ends, costs } = problem.edges;
    if ends.len() != costs.len() {
        return Err(format!("there are {} edges, but costs of {}", ends.len(), costs.len()));
    }
    let edges = ends.into_iter().zip(costs).map(|(nodes, costs)| Edge { nodes, costs }).collect();
    let problem = Problem { name: problem.name, nodes, edges, usage_limit: problem.usage_limit };
    problem.validate()?;
    Ok(problem)
}

/// Reads the strategies of a solution. Errors: as for problems.
pub fn read_solution(bytes: &[u8]) -> Result<Assignment, String> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        List(Assignment),
        Object { solution: Assignment },
    }
    let unpacked = unpacked(bytes)?;
    let text = unpacked.as_deref().unwrap_or(bytes);
    // Once more for its position, which what is untagged does not tell.
    serde_json::from_slice::<serde_json::Value>(text).map_err(|error| error.to_string())?;
    match serde_json::from_slice(text) {
        Ok(Written::List(solution) | Written::Object { solution }) => Ok(solution),
        Err(_) => {
            Err("a solution is a list of strategies, one number per node, or `{\"solution\": [...]}`".into())
        }
    }
}

fn unpacked(bytes: &[u8]) -> Result<Option<Vec<u8>>, String> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(None);
    }
    let mut text = Vec::new();
    MultiGzDecoder::new(bytes)
        .read_to_end(&mut text)
        .map_err(|error| format!("the file cannot be unpacked: {error}"))?;
    Ok(Some(text))
}
