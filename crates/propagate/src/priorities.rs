//! User priorities: dims with `p0` (or none) are propagated to the end before those with `p1` take part, and so on.
//!
//! Input: an [`Engine`]. A dim that has to wait is closed and without axes, and its axes stay free on that tensor (they
//! count as replicated). After Shardy's `user_priority_propagation.cc`.

use super::axis::AxisPart;
use super::engine::Engine;
use super::sharding::{Dim, TensorSharding};
use super::state::Value;
use std::collections::BTreeMap;

/// A value, or a result of a function.
#[derive(Clone, Copy, Debug)]
enum Holder {
    Value(Value),
    Result(usize, usize),
}

/// Propagates priority by priority.
pub(super) fn by_user_priority(engine: &mut Engine<'_>, entries: &[usize]) {
    let waiting = take_waiting(engine);
    engine.by_op_priority(entries);
    for (priority, holders) in waiting {
        for (holder, original) in holders {
            let current = slot(engine, holder);
            if let Some(current) = current {
                join(current, &original, priority);
            }
        }
        engine.forget_visits();
        engine.by_op_priority(entries);
    }
}

fn slot<'e>(engine: &'e mut Engine<'_>, holder: Holder) -> Option<&'e mut TensorSharding> {
    match holder {
        Holder::Value(value) => engine.state.shardings.get_mut(value)?.as_mut(),
        Holder::Result(function, index) => engine.state.results.get_mut(function)?.get_mut(index)?.as_mut(),
    }
}

/// Leaves only dims of priority 0. Returns, for each other priority, who has dims of it, with the whole shardings.
fn take_waiting(engine: &mut Engine<'_>) -> BTreeMap<u64, Vec<(Holder, TensorSharding)>> {
    let mut waiting: BTreeMap<u64, Vec<(Holder, TensorSharding)>> = BTreeMap::new();
    let values = (0..engine.state.shardings.len()).map(Holder::Value);
    let results =
        engine.state.results.iter().enumerate().flat_map(|(function, results)| {
            (0..results.len()).map(move |index| Holder::Result(function, index))
        });
    for holder in values.chain(results).collect::<Vec<_>>() {
        let Some(sharding) = slot(engine, holder) else { continue };
        let original = sharding.clone();
        let mut priorities: Vec<u64> =
            original.dims.iter().filter_map(|dim| dim.priority).filter(|p| *p > 0).collect();
        priorities.sort_unstable();
        priorities.dedup();
        for priority in &priorities {
            waiting.entry(*priority).or_default().push((holder, original.clone()));
        }
        hold_back(sharding);
    }
    waiting
}

/// Dims that have to wait become closed and empty; their axes stay free.
fn hold_back(sharding: &mut TensorSharding) {
    let mut freed: Vec<AxisPart> = Vec::new();
    for dim in &mut sharding.dims {
        if dim.priority.unwrap_or(0) == 0 {
            dim.priority = None;
        } else {
            freed.append(&mut dim.axes);
            *dim = Dim { is_closed: true, ..Dim::default() };
        }
    }
    sharding.replicated.extend(freed);
    sharding.replicated.sort();
}

/// Gives the dims of a priority back.
fn join(current: &mut TensorSharding, original: &TensorSharding, priority: u64) {
    let mut taken: Vec<AxisPart> = Vec::new();
    for (dim, original) in current.dims.iter_mut().zip(&original.dims) {
        if original.priority.unwrap_or(0) == priority {
            *dim = Dim { priority: None, ..original.clone() };
            taken.extend(&original.axes);
        }
    }
    current.replicated.retain(|part| !taken.contains(part));
}
