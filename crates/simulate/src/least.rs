//! What a table takes at least, without an event loop.

use crate::Costs;
use meshwright_plan::Table;

/// Seconds that a table takes at least whose stages then update themselves in so many rounds: what it takes if links carry
/// any number of things at a time. One pass over the events; mostly as much as what [`simulate`](crate::simulate) finds.
pub fn least(table: &Table<'_>, costs: &Costs, rounds: usize) -> f64 {
    let mut ends = vec![0.0_f64; table.events.len()];
    let mut free = vec![0.0_f64; table.rows.len()];
    for at in &table.order {
        let group = table.events[*at].group;
        // What a table writes down as a transfer is counted where its result is needed.
        let Some(action) = table.action(*at) else { continue };
        let stage = action.program.stage;
        let arrival = |need: &usize| match table.action(*need) {
            Some(made) if table.events[*need].group != group => {
                ends[*need] + costs.transfer_seconds(made.program.stage, stage)
            }
            _ => ends[*need],
        };
        let start = table.needs[*at].iter().map(arrival).fold(free[group], f64::max);
        ends[*at] = start + costs.seconds(stage, action.program.phase, group);
        free[group] = ends[*at];
    }
    for (home, stage) in table.homes().into_iter().zip(&costs.stages) {
        free[home] += rounds as f64 * stage.update;
    }
    free.into_iter().fold(0.0, f64::max)
}
