//! A pipeline that was searched for, made so that its programs fit.
//!
//! Input: a [`PipelinePlan`]. Output: its programs. What a search knows of memory is that of a step with each kind of layer
//! once or twice; where the programs of all stages need more, the same search is begun again for devices with less.

use meshwright_ir::control::Control;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine};

use super::hosts::searched_lies_elsewhere;
use super::{PipelinePlan, Pipelined, pipeline_of, pipeline_plan};
use crate::best::SEARCHING_ON;
use crate::error::CompileError;
use crate::options::Options;

/// Searched again so many times at most.
const ROUNDS: usize = 3;

/// Groups that no search looks at, as plans say it.
pub(super) const UNLIKE: &str = "groups that are not alike (`--stage-mesh`)";

/// Devices are taken to have less than what was too much by this share.
const SLACK: f64 = 0.01;

/// Makes a pipeline that was chosen. Where a search chose it and its programs do not fit, another one that is found for
/// devices with less memory is put in its place; if that does not fit either, the first is made all the same
/// ([`Pipelined::misfit`]). Groups of what a search chose lie on the hosts where a step takes least, unless it
/// was stopped.
///
/// # Errors
/// As of [`super::pipeline`].
pub fn pipeline_that_fits(
    program: &Program,
    machine: &Machine,
    options: &Options,
    plan: &mut PipelinePlan,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    let mut made = on_blocks(program, machine, options, plan, control)?;
    if plan.space.is_none() {
        return Ok(made);
    }
    // Who has asked to stop does not wait for other hosts.
    if !plan.unfinished {
        made = searched_lies_elsewhere(program, machine, options, made, control)?;
        plan.unfinished |= made.plan.unfinished;
    }
    let unlike = (plan.groups > 1).then(|| UNLIKE.to_owned());
    made.plan.not_searched.extend(plan.left_out.clone().into_iter().chain(unlike));
    Ok(made)
}

/// The same with groups of neighboring devices.
pub(super) fn on_blocks(
    program: &Program,
    machine: &Machine,
    options: &Options,
    plan: &mut PipelinePlan,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    let made = pipeline_of(program, machine, options, plan, control)?;
    let limit = options.memory_limit_on(machine);
    let (mut searched_for, mut needed) = (limit, most(&made));
    let Some(space) = plan.space.clone().filter(|_| needed > limit) else { return Ok(made) };
    for _ in 0..ROUNDS {
        searched_for = less(searched_for, limit, needed);
        let own = Options { memory_limit: Some(searched_for), ..options.clone() };
        control.progress(SEARCHING_ON, 0, 0);
        let Ok(Some(again)) = pipeline_plan(program, machine, &own, &space, control) else { break };
        let other = match pipeline_of(program, machine, options, &again, control) {
            // What is there is not lost for that.
            Err(CompileError::Interrupted) => break,
            other => other?,
        };
        needed = most(&other);
        if needed <= limit {
            // With more memory there are no fewer pipelines, so that the first bound is one of all.
            let (bound, weighed) = (plan.bound, std::mem::take(&mut plan.weighed));
            *plan = PipelinePlan { bound, weighed, ..again };
            return Ok(other);
        }
    }
    plan.unfinished |= control.should_stop();
    Ok(made)
}

/// What the devices of the group need that needs most.
fn most(made: &Pipelined) -> Bytes {
    made.memory.iter().max().copied().unwrap_or_default()
}

/// Memory for which a search finds what needs less than `needed`, in the share in which that is too much.
fn less(searched_for: Bytes, limit: Bytes, needed: Bytes) -> Bytes {
    Bytes((searched_for.0 as f64 * limit.0 as f64 / needed.0.max(1) as f64 * (1.0 - SLACK)) as u64)
}
