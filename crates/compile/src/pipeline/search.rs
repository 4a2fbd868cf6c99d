//! The best table for a step on the groups that there are.
//!
//! Input: a step and where it runs. Output: a table and the stages that it is for: two on each group, or one, whose
//! boundaries are every second one of those. Phases take what their functions are predicted to take, and groups keep no
//! more of microbatches than their memory leaves.

use meshwright_machine::Bytes;
use meshwright_plan::{Phase, ProgramId, Schedule, Table};
use meshwright_schedule::synthesis::{self, Objective, Problem};
use meshwright_stage::pieces::Copies;
use meshwright_stage::{Staged, at};

use super::donation::donating_pieces;
use super::figures::{StageFigures, analyses};
use super::{PipelineOptions, Site, refused};
use crate::error::CompileError;

/// Searches for a table, for devices with so much memory.
///
/// # Errors
/// The step has too few places for two stages on each group; a group cannot keep even one microbatch.
pub(super) fn table(
    site: &Site<'_>,
    wanted: &PipelineOptions,
    limit: Bytes,
) -> Result<(Schedule, Staged), CompileError> {
    let groups = wanted.groups;
    let staged = site.balanced(&vec![1.0; 2 * groups])?;
    let pieces = donating_pieces(site.cut, site.step, &staged, Copies::One);
    let apart = [Phase::InputGradient, Phase::WeightGradient];
    let used = (0..staged.count).flat_map(|stage| apart.map(|phase| ProgramId { stage, phase })).collect();
    // All groups are alike, whichever stages they have.
    let placed = vec![vec![0]; staged.count];
    let handed = site.handed(&staged, &placed);
    let analyses = analyses(&pieces, site.machine);
    let priced = site.priced(&staged, (&pieces, &analyses), &handed, &placed);
    let stages = priced.stages(&used);
    let problem = Problem {
        groups,
        microbatches: wanted.microbatches,
        costs: priced.costs(&stages, &site.groups.all_devices()),
        limit: left(&stages, limit).0 as f64,
        objective: Objective::Makespan,
    };
    let answer = synthesis::search(&problem).ok_or_else(|| refused::keeps_nothing(limit))?;
    let count = Table::of(&answer.schedule).map_err(refused::table)?.num_stages;
    let staged = match count == groups {
        true => at(site.step, staged.cuts.iter().copied().skip(1).step_by(2).collect()),
        false => staged,
    };
    Ok((answer.schedule, staged))
}

/// Bytes that are left for microbatches on any group, whichever two stages it has.
fn left(stages: &[StageFigures], limit: Bytes) -> Bytes {
    let held = stages.iter().map(|stage| 2 * (stage.state.0 + stage.gathered.0)).max().unwrap_or(0);
    let working = stages.iter().map(|stage| stage.working.0).max().unwrap_or(0);
    Bytes(limit.0.saturating_sub(held + working))
}
