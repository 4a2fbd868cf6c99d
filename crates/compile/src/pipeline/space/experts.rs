//! Ways in which people shard models with experts, beside what a look at large groups finds.
//!
//! Input: groups, microbatches, and seconds to beat. Output: the best pipeline whose groups share experts over the devices of
//! a host, or over all of theirs, and the moments of all else over the rest (ZeRO-1). A look at so many choices does not come
//! upon it: what it finds first needs more memory than there is, and what it finds then sends parameters in every microbatch.

use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::DegreeName;
use meshwright_search::{Facts, ParallelDegrees};

use super::combinations::Combination;
use super::scheduled::AllTables;
use super::timed::Found;
use super::{PipelinePlan, Search, best_of, refused};
use crate::error::CompileError;
use crate::options::Options;
use crate::pipeline::PartsOf;
use crate::pipeline::inner::{Inner, InnerWays};
use crate::pipeline::searchable::Searched;
use crate::pipeline::stay_gathered::Copied;

impl Search<'_> {
    /// The best pipeline of these ways that takes less than `below`; none where something says how groups are sharded, or the
    /// model has no experts.
    ///
    /// # Errors
    /// As of a pipeline that is searched.
    pub(super) fn with_experts(
        &self,
        open: &Combination,
        below: Option<f64>,
    ) -> Result<Option<Box<PipelinePlan>>, CompileError> {
        let Options { asked, mesh, plan, degrees, .. } = self.options;
        let allowed = self.options.allowed.apart().1;
        let is_said = asked.is_some() || mesh.is_some() || plan.is_some() || !degrees.is_empty();
        let is_of_slices = self.short.parts_of == PartsOf::Sequence;
        if is_said || is_of_slices || allowed.has_parts() || !self.has_table(open) {
            return Ok(None);
        }
        let part = refused::part(self.machine, open.groups)?;
        let examples = self.short.batch / open.cut.microbatches;
        if !self.effort(open.cut.microbatches, &part).is_look()
            || !examples.is_multiple_of(part.num_devices())
        {
            return Ok(None);
        }
        let Ok(parts) = open.cut.parts(self.short) else { return Ok(None) };
        let function = &parts.cut.microbatched.made.function;
        let global = Inner::unsharded(self.program, function, &parts.cut.origins, &part, self.options);
        let global = match global {
            Ok(global) => global,
            Err(CompileError::Interrupted) => return Err(CompileError::Interrupted),
            Err(_) => return Ok(None),
        };
        let ways = InnerWays::of(&global, function, &part, Copied::of(self.options)).ok();
        let Some(ways) = ways.filter(InnerWays::has_experts) else {
            return Ok(None);
        };
        let analyses = parts.analyses(self.machine);
        let schedules = self.named_schedules(open);
        let tables = AllTables::of(&schedules);
        let mut best = None;
        for way in ways_of_experts(&part) {
            let is_allowed = |facts: &Facts| allowed.broken(facts).is_none();
            if Facts::of_way(&way, &part).ok().is_none_or(|facts| !is_allowed(&facts)) {
                continue;
            }
            let Ok(inner) = ways.sharded(way) else { continue };
            let (bound, seconds, peak) = (Seconds::ZERO, Seconds::ZERO, Bytes(0));
            let memory = self.limit();
            let searched = Searched { inner, bound, seconds, peak, memory, others: Vec::new() };
            let segments = parts.segments(searched, &analyses, self.short, self.machine, &part);
            let below = best_of(best.as_deref(), below);
            if let Found::Pipeline(found) = self.on_schedules(open, &segments, &tables, below)?.found {
                best = Some(found);
            }
        }
        Ok(best)
    }
}

/// Experts over the devices of a host, and over all.
fn ways_of_experts(part: &Machine) -> Vec<ParallelDegrees> {
    let devices = part.num_devices();
    let mut sizes = vec![devices / part.num_hosts(), devices];
    sizes.retain(|size| *size > 1);
    sizes.dedup();
    let way = |ep: usize| {
        let degrees = [(DegreeName::Dp, devices / ep), (DegreeName::Ep, ep), (DegreeName::Zero, 1)];
        ParallelDegrees::of(&degrees).ok()
    };
    sizes.into_iter().filter_map(way).collect()
}
