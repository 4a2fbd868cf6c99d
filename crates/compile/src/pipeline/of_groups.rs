//! The best pipeline on groups that lie or are sharded as somebody says: with meshes of their own, or spread over hosts.
//!
//! Input: a program, options that say so of groups, and the numbers to choose from. Output: [`Pipelined`]. The short step of
//! [`space`](super::space) is of groups that are alike and are blocks of neighbors, so here each pipeline is priced as it
//! would be made: first all numbers of groups and microbatches with one schedule, then all schedules with the best of these.

use meshwright_ir::control::Control;
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_schedule::{Named, named};
use meshwright_transform::time::divisors;

use super::cut::Written;
use super::fitting::UNLIKE;
use super::hosts::on_all_hosts;
use super::space::{Numbers, PipelineSpace};
use super::wanted::{PipelineOptions, ScheduleChoice};
use super::{Pipelined, refused};
use crate::error::CompileError;
use crate::held::Held;
use crate::options::Options;

/// The schedule with which numbers are compared first, where any may be taken.
const USUAL: &str = "1f1b";

/// Makes the fastest pipeline of these numbers that fits.
///
/// # Errors
/// [`CompileError::Options`]: another number of groups than there are meshes; otherwise as of [`super::pipeline`] of the first
/// that is refused, if all are. [`CompileError::NotAllowed`]: none fits.
pub fn pipeline_on_groups(
    program: &Program,
    machine: &Machine,
    options: &Options,
    space: &PipelineSpace,
    control: &dyn Control,
) -> Result<Pipelined, CompileError> {
    if space.makes_tables && !options.group_meshes.is_empty() {
        return Err(refused::search_of_unlike());
    }
    let written = Written::of(program, machine, options)?;
    let batch = written.batch().ok_or_else(refused::nothing_to_cut)?;
    let groups = match (options.group_meshes.len(), &space.groups) {
        (0, groups) => groups.of(&divisors(machine.num_devices())),
        (meshes, Numbers::These(groups)) if !groups.contains(&meshes) => {
            return Err(refused::other_number_of_meshes(meshes, groups[0]));
        }
        (meshes, _) => vec![meshes],
    };
    let numbers = groups.into_iter().flat_map(|groups| {
        let microbatches = space.microbatches.of(&divisors(batch));
        microbatches.into_iter().map(move |microbatches| (groups, microbatches))
    });
    // Alone, or in one microbatch, groups are no pipeline.
    let numbers: Vec<(usize, usize)> = numbers.filter(|(groups, count)| *groups > 1 && *count > 1).collect();
    if numbers.is_empty() {
        return Err(refused::no_pipeline());
    }
    let schedules = space.all_schedules();
    let usual = named(USUAL).filter(|usual| schedules.iter().any(|own| own.name == usual.name));
    let first = usual.map_or_else(|| schedules.clone(), |usual| vec![usual]);
    let rest = schedules.into_iter().filter(|own| first.iter().all(|first| first.name != own.name));
    let rest: Vec<Named> = rest.collect();
    let mut tried = Tried { program, machine, options, control, best: None, refusal: None, count: 0 };
    for (groups, microbatches) in numbers {
        tried.all(space, &first, groups, microbatches)?;
    }
    if let Some((groups, microbatches)) = tried.best.as_ref().map(|best| best.numbers) {
        tried.all(space, &rest, groups, microbatches)?;
        for virtual_stages in space.stages_of_tables().into_iter().filter(|_| space.makes_tables) {
            let schedule = ScheduleChoice::Search;
            tried.one(&PipelineOptions { groups, virtual_stages, microbatches, schedule })?;
        }
    }
    tried.answer()
}

/// What was made so far.
struct Tried<'a> {
    program: &'a Program,
    machine: &'a Machine,
    options: &'a Options,
    control: &'a dyn Control,
    /// The fastest that fits.
    best: Option<Best<'a>>,
    /// Why the first one that was refused was.
    refusal: Option<CompileError>,
    /// Pipelines that were looked at.
    count: usize,
}

struct Best<'a> {
    made: Pipelined,
    /// Groups and microbatches.
    numbers: (usize, usize),
    /// What it warns of.
    held: Held<'a>,
}

impl Tried<'_> {
    /// Pipelines of these numbers with all stages of groups that schedules have.
    fn all(
        &mut self,
        space: &PipelineSpace,
        schedules: &[Named],
        groups: usize,
        microbatches: usize,
    ) -> Result<(), CompileError> {
        for named in schedules {
            for virtual_stages in space.stages_of(named) {
                if self.control.should_stop() {
                    return Ok(());
                }
                let schedule = ScheduleChoice::Named(*named);
                let virtual_stages = Some(virtual_stages);
                self.one(&PipelineOptions { groups, virtual_stages, microbatches, schedule })?;
            }
        }
        Ok(())
    }

    fn one(&mut self, wanted: &PipelineOptions) -> Result<(), CompileError> {
        let Self { program, machine, options, control, .. } = *self;
        let faster_than = self.best.as_ref().map(|best| best.made.figures.step());
        control.progress("pipelines", self.count, 0);
        let held = Held::quietly(control);
        match on_all_hosts(program, machine, options, wanted, faster_than, &held) {
            Ok(Some(made)) if made.misfit(options.memory_limit_on(machine)).is_none() => {
                self.best = Some(Best { made, numbers: (wanted.groups, wanted.microbatches), held });
                self.count += 1;
            }
            Ok(_) => self.count += 1,
            Err(CompileError::Interrupted) => return Err(CompileError::Interrupted),
            Err(error) => self.refusal = self.refusal.take().or(Some(error)),
        }
        Ok(())
    }

    fn answer(self) -> Result<Pipelined, CompileError> {
        let is_stopped = self.control.should_stop();
        match (self.best, self.refusal) {
            (Some(Best { made, held, .. }), _) => {
                let mut made = held.taken(made);
                made.plan.unfinished = is_stopped;
                made.plan.reasons.push(format!(
                    "it is the fastest that fits of {} pipelines on these groups: of all numbers with one schedule, and of the \
                     best of these with all",
                    self.count
                ));
                if self.options.group_meshes.is_empty() {
                    made.plan.not_searched.push(UNLIKE.to_owned());
                }
                Ok(made)
            }
            (None, _) if is_stopped => Err(CompileError::Interrupted),
            (None, Some(refusal)) if self.count == 0 => Err(refusal),
            (None, _) => Err(refused::no_stages_fit(self.options.memory_limit_on(self.machine), None)),
        }
    }
}
