//! Rows of memory: the moments at which it can run out.
//!
//! A row goes at which everything fits, whatever is chosen; and one whose users are all users of another row
//! with no more room. What a node uses at least is taken off the room, and a strategy goes that does not fit
//! though all others use least.

use super::Work;
use crate::graph::{Dead, Graph, NEVER, Span, apart};

/// Brings rows and spans up to date. Errors: there is not room for the least.
pub(super) fn trim(graph: &mut Graph, work: &mut Work) -> Result<(), Dead> {
    take_least(graph)?;
    forbid_what_does_not_fit(graph, work);
    let kept = binding(graph);
    if kept.len() < graph.room.len() || kept.is_empty() {
        keep_rows(graph, &kept, work);
    }
    Ok(())
}

/// Takes what is used in any case off the room.
fn take_least(graph: &mut Graph) -> Result<(), Dead> {
    let mut taken = vec![0_i64; graph.room.len() + 1];
    for node in &mut graph.nodes {
        if std::mem::take(&mut node.has_overlaps) {
            node.spans = apart(std::mem::take(&mut node.spans));
        }
        for span in &mut node.spans {
            let possible = span.usage.iter().zip(&node.costs).filter(|(_, cost)| **cost < NEVER);
            let least = possible.map(|(usage, _)| *usage).min().unwrap_or(0);
            if least != 0 {
                for usage in &mut span.usage {
                    *usage -= least;
                }
                taken[span.start as usize] += least;
                taken[span.end as usize] -= least;
            }
        }
        node.spans.retain(|span| span.usage.iter().any(|usage| *usage != 0));
    }
    let mut sum = 0;
    for (room, change) in graph.room.iter_mut().zip(taken) {
        sum += change;
        *room -= sum;
    }
    let short = (0..graph.room.len()).filter(|row| graph.room[*row] < 0).min_by_key(|row| graph.room[*row]);
    short.map_or(Ok(()), |row| Err(Dead::Moment(graph.moments[row])))
}

fn forbid_what_does_not_fit(graph: &mut Graph, work: &mut Work) {
    for (number, node) in graph.nodes.iter_mut().enumerate() {
        for Span { start, end, usage } in &node.spans {
            let rows = *start as usize..*end as usize;
            let Some(fullest) = rows.min_by_key(|row| graph.room[*row]) else { continue };
            for (cost, usage) in node.costs.iter_mut().zip(usage) {
                if *usage > graph.room[fullest] && *cost < NEVER {
                    *cost = NEVER;
                    graph.forbids = Some(graph.moments[fullest]);
                    work.add_node(number as u32);
                }
            }
        }
    }
}

/// The rows that no other makes needless.
fn binding(graph: &Graph) -> Vec<usize> {
    let rows = graph.room.len();
    let (mut begun, mut ended, mut most) =
        (vec![0_u32; rows + 1], vec![0_u32; rows + 1], vec![0_i128; rows + 1]);
    for span in graph.nodes.iter().flat_map(|node| &node.spans) {
        let usage = i128::from(span.usage.iter().copied().max().unwrap_or(0));
        let (start, end) = (span.start as usize, span.end as usize);
        begun[start] += 1;
        ended[end] += 1;
        most[start] += usage;
        most[end] -= usage;
    }
    for row in 1..=rows {
        begun[row] += begun[row - 1];
        ended[row] += ended[row - 1];
        most[row] += most[row - 1];
    }
    let mut kept: Vec<usize> = Vec::new();
    for row in (0..rows).filter(|row| most[*row] > i128::from(graph.room[*row])) {
        let room = graph.room[row];
        while kept.last().is_some_and(|&last| ended[last] == ended[row] && room <= graph.room[last]) {
            kept.pop();
        }
        if !kept.last().is_some_and(|&last| begun[last] == begun[row] && room >= graph.room[last]) {
            kept.push(row);
        }
    }
    kept
}

fn keep_rows(graph: &mut Graph, kept: &[usize], work: &mut Work) {
    let renumbered = |row: u32| kept.partition_point(|other| *other < row as usize) as u32;
    for (number, node) in graph.nodes.iter_mut().enumerate() {
        if node.spans.is_empty() {
            continue;
        }
        let before = node.spans.len();
        let mut spans: Vec<Span> = Vec::new();
        for span in node.spans.drain(..) {
            let (start, end) = (renumbered(span.start), renumbered(span.end));
            match spans.last_mut() {
                _ if start == end => {}
                Some(last) if last.end == start && last.usage == span.usage => last.end = end,
                _ => spans.push(Span { start, end, usage: span.usage }),
            }
        }
        node.spans = spans;
        if node.spans.len() != before {
            work.add_node(number as u32);
        }
    }
    graph.room = kept.iter().map(|row| graph.room[*row]).collect();
    graph.moments = kept.iter().map(|row| graph.moments[*row]).collect();
}
