//! Branch and bound: a part of the search space is narrowed, then a node is fixed, or not, to what it would
//! best take.
//!
//! A child begins with the costs as its parent's bound moved them, so its bound begins where the parent's
//! ended.

use crate::narrow::{Best, Choice, Effort, Narrowed, Part};

/// Costs that all parts may hold together. Beyond it the search gives up: 1 GiB.
const MOST_HELD: usize = 1 << 27;

/// Looks for the best assignment in a part. Returns what every assignment costs at least, or what `best`
/// costs.
pub(crate) fn search(part: Part, sweeps: usize, best: &mut Best, effort: &mut Effort) -> i128 {
    let unit = 1_i128 << part.graph.shift;
    let mut stack = vec![part];
    let mut now = sweeps;
    let mut held = 0;
    while let Some(mut part) = stack.pop() {
        held -= part.entries().min(held);
        if part.bound > best.below - unit {
            continue;
        }
        match part.narrow(now, best, effort) {
            Narrowed::Done => {}
            Narrowed::Spent => {
                stack.push(part);
                break;
            }
            Narrowed::Open(choices) => {
                let choice = choices[0];
                let mut only = vec![false; part.graph.size(choice.node)];
                only[choice.strategy] = true;
                let others: Vec<bool> = only.iter().map(|keep| !keep).collect();
                let mut fixed = part.clone();
                fixed.graph.restrict(choice.node, &only);
                part.graph.restrict(choice.node, &others);
                held += part.entries() + fixed.entries();
                stack.push(part);
                stack.push(fixed);
                if held > MOST_HELD {
                    break;
                }
            }
        }
        now = (sweeps / 4).max(8);
    }
    stack.iter().map(|part| part.bound).min().map_or(best.below, |bound| bound.min(best.below))
}

/// Looks for a good assignment in a part: what is clearest is fixed, again and again. Where that leads to nothing, less is
/// fixed instead, so many times; one choice alone that leads to nothing is left out.
pub(crate) fn dive(
    mut part: Part,
    sweeps: usize,
    share: f64,
    mut takes_back: usize,
    best: &mut Best,
    effort: &mut Effort,
) {
    let known = best.below;
    let mut last: Option<(Part, Vec<Choice>)> = None;
    loop {
        let choices = match part.narrow(sweeps, best, effort) {
            Narrowed::Spent => return,
            Narrowed::Open(choices) => {
                let count = ((choices.len() as f64 * share) as usize).max(1);
                choices.into_iter().take(count).collect()
            }
            Narrowed::Done => {
                let Some((before, mut choices)) = last.take() else { return };
                if best.below < known {
                    return;
                }
                takes_back -= 1;
                part = before;
                if let [choice] = choices[..] {
                    let others = (0..part.graph.size(choice.node)).map(|own| own != choice.strategy);
                    part.graph.restrict(choice.node, &others.collect::<Vec<_>>());
                    continue;
                }
                choices.truncate(choices.len() / 4 + 1);
                choices
            }
        };
        if takes_back > 0 {
            last = Some((part.clone(), choices.clone()));
        }
        for choice in &choices {
            let mut only = vec![false; part.graph.size(choice.node)];
            only[choice.strategy] = true;
            part.graph.restrict(choice.node, &only);
        }
    }
}
