//! The least seconds that any table of a placement takes.
//!
//! - A group cannot begin before the first microbatch has come to it, and behind its last gradient of an input this one
//!   has to go on to the first stage; between the two it has all its work to do.
//! - What a group keeps of a microbatch it keeps at least for the way up to the last stage and back. All of that has to
//!   fit below the limit, side by side and one after the other, so that `sum of kept x seconds <= limit x makespan`.

use super::instance::{FORWARD, INPUT, Instance, WEIGHT};
use crate::synthesis::Objective;

/// Seconds that no table of this instance is below.
pub(super) fn bound(instance: &Instance) -> f64 {
    (0..instance.groups).map(|group| of_group(instance, group)).fold(0.0, f64::max)
}

fn of_group(instance: &Instance, group: usize) -> f64 {
    let own: Vec<usize> =
        (0..instance.num_stages()).filter(|stage| instance.homes[*stage] == group).collect();
    let of = |phase: usize| own.iter().map(|stage| instance.seconds[*stage][phase]).sum::<f64>();
    let count = instance.microbatches as f64;
    let work = count * (of(FORWARD) + of(INPUT) + of(WEIGHT));
    let kept: f64 = own.iter().map(|stage| instance.kept[*stage][0] * residence(instance, *stage)).sum();
    let by_memory = count * kept / instance.limit;
    match instance.objective {
        Objective::Span => work.max(by_memory),
        Objective::Makespan => {
            let first = own.first().copied().unwrap_or(0);
            let head: f64 =
                (0..first).map(|stage| instance.seconds[stage][FORWARD] + instance.up[stage]).sum();
            let passes = head + count * (of(FORWARD) + of(INPUT)) + tail(instance, first);
            (head + work).max(passes).max(head + by_memory)
        }
    }
}

/// Seconds from the gradient of a stage's input until the first stage has made all of its own.
fn tail(instance: &Instance, stage: usize) -> f64 {
    let down: f64 = (0..stage).map(|below| instance.seconds[below][INPUT] + instance.down[below]).sum();
    down + instance.seconds[0][WEIGHT]
}

/// Seconds from the begin of a stage's forward pass to the end of its gradient, on the way over the last stage.
fn residence(instance: &Instance, stage: usize) -> f64 {
    let phases = |stage: usize| instance.seconds[stage][FORWARD] + instance.seconds[stage][INPUT];
    let links: f64 = (stage..instance.num_stages() - 1).map(|at| instance.up[at] + instance.down[at]).sum();
    (stage..instance.num_stages()).map(phases).sum::<f64>() + links
}
