//! A pipeline that was chosen, made; where it takes longer than it was planned to, weighed against others.
//!
//! Input: a plan, and the space that it was chosen from. Output: the pipeline, and the plan that it is of then.

use meshwright_ir::control::Control;
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Seconds};

use super::{NEARLY, SEARCHING_ON};
use crate::error::CompileError;
use crate::held::Held;
use crate::options::Options;
use crate::pipeline::{
    Numbers, PartsOf, PipelinePlan, PipelineSpace, Pipelined, Weighed, WeighedFate, pipeline_plan,
    pipeline_that_fits,
};

/// Pipelines that are made in place of one that takes longer than it was planned to, at most.
const OTHERS: usize = 2;

/// Makes a pipeline that was chosen from a space. Where it takes longer than it was planned to, a few others of those that were
/// weighed and were planned to take less than that are made too, and the fastest that fits is put in its place. The first is made
/// under a control of its own.
pub(super) fn made_at_best(
    (program, machine, options): (&Program, &Machine, &Options),
    space: &PipelineSpace,
    plan: &mut PipelinePlan,
    (of_first, control): (&dyn Control, &dyn Control),
) -> Result<Pipelined, CompileError> {
    let promised = plan.figures.step();
    let mut held = Held::back(of_first);
    let mut best = pipeline_that_fits(program, machine, options, plan, &held)?;
    let limit = options.memory_limit_on(machine);
    // Who has asked to stop does not wait for others.
    let is_as_planned = best.figures.step() <= promised * NEARLY;
    if plan.unfinished || is_as_planned || best.misfit(limit).is_some() {
        return Ok(held.taken(best));
    }
    let own = (plan.groups, plan.microbatches);
    for (groups, microbatches) in others(&plan.weighed, own, best.figures.step()) {
        control.progress(SEARCHING_ON, 0, 0);
        plan.unfinished |= control.should_stop();
        if plan.unfinished {
            break;
        }
        let of_other = Held::back(control);
        let [groups, microbatches] = [groups, microbatches].map(|number| Numbers::These(vec![number]));
        let space = PipelineSpace { groups, microbatches, ..space.clone() };
        let Ok(Some(mut other)) = pipeline_plan(program, machine, options, &space, &of_other) else {
            continue;
        };
        let Ok(made) = pipeline_that_fits(program, machine, options, &mut other, &of_other) else { continue };
        if made.misfit(limit).is_none() && made.figures.step() < best.figures.step() {
            other.is_put_in_place_of(plan);
            *plan = other;
            (best, held) = (made, of_other);
        }
        plan.unfinished |= control.should_stop();
    }
    best.plan.unfinished |= plan.unfinished;
    Ok(held.taken(best))
}

/// Groups and microbatches of the pipelines, other than `own`, that were planned to take less than so long: the fastest.
fn others(weighed: &[Weighed], own: (usize, usize), than: Seconds) -> Vec<(usize, usize)> {
    let planned = |weighed: &Weighed| match weighed.fate {
        WeighedFate::Priced(seconds, _) if weighed.groups > 1 && weighed.parts_of == PartsOf::Batch => {
            Some((seconds.0, weighed.groups, weighed.microbatches))
        }
        _ => None,
    };
    let is_open = |(seconds, groups, microbatches): &(f64, usize, usize)| {
        *seconds < than.0 && (*groups, *microbatches) != own
    };
    let mut open: Vec<(f64, usize, usize)> = weighed.iter().filter_map(planned).filter(is_open).collect();
    open.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)).then(one.2.cmp(&other.2)));
    open.into_iter().take(OTHERS).map(|(_, groups, microbatches)| (groups, microbatches)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_in_place_of_a_slow_pipeline_was_planned_to_be_faster() {
        let row = |groups, microbatches, fate| Weighed {
            groups,
            microbatches,
            parts_of: PartsOf::Batch,
            bound: Seconds(0.0),
            fate,
        };
        let priced = |groups, microbatches, seconds| {
            row(groups, microbatches, WeighedFate::Priced(Seconds(seconds), None))
        };
        let weighed = [
            priced(1, 1, 0.1),
            priced(2, 2, 0.2),
            priced(4, 8, 0.5),
            row(8, 8, WeighedFate::Beaten),
            priced(2, 4, 0.4),
            priced(8, 16, 0.3),
            priced(8, 32, 0.7),
        ];
        assert_eq!(others(&weighed, (2, 2), Seconds(0.6)), [(8, 16), (2, 4)]);
        assert_eq!(others(&weighed, (8, 16), Seconds(0.25)), [(2, 2)]);
        assert_eq!(others(&weighed, (2, 2), Seconds(0.2)), []);
    }
}
