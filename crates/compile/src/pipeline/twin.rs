//! The twin of a pipeline: small enough for a host to run, cut and sharded by the same decisions.
//!
//! Input: a pipeline. Output: the programs of all stages and phases with small sizes, and the undistributed program of that
//! size, the step with its layers written out. Stages do without layers that are as others of theirs
//! ([`FewerLayers`]), but for a few turns of loops that they have over layers. The step in microbatches is made small as any
//! function is; its instructions keep their numbers, so that stages, phases and shardings are the plan's, and so is the table.

use meshwright_ir::control::Control;
use meshwright_ir::program::Function;
use meshwright_machine::Machine;
use meshwright_plan::{DevicePrograms, Policies, ProgramId, Schedule, Shardings, Table};
use meshwright_stage::rows::Placed;
use meshwright_stage::{Rows, at, optimistic, pieces};
use meshwright_twin::ShrunkAxis;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

use super::cut::{Cut, Parts};
use super::fewer_layers::FewerLayers;
use super::forms::Forms;
use super::groups::Groups;
use super::in_stages::leave_copies;
use super::inner::Inner;
use super::layout::Layout;
use super::lower::must_verify;
use super::rolled::{Candidates, WithLoops};
use super::stacked::stacked;
use super::{PartsOf, PipelineOptions, Pipelined, Site, looped, lower, refused};
use crate::error::CompileError;
use crate::options::{Constraints, DegreeSpace, Options};
use crate::transform::proved;
use crate::twin::compared::{kinds, missing_policies};
use crate::twin::{Twin, no_twin};

/// Layers that a stage keeps of those of a loop: for a first turn, a last one, and one that is neither.
const LEAST_TURNS: usize = 3;

/// As many at most, where some stand in front of the loop or behind it.
const MOST_TURNS: usize = 5;

/// Makes the twin of a pipeline that was made for a machine with these options, on about as many devices as are given.
///
/// # Errors
/// [`CompileError::Options`]: what of the program has no twin.
pub fn pipeline_twin(
    pipelined: &Pipelined,
    machine: &Machine,
    options: &Options,
    most_devices: usize,
    control: &dyn Control,
) -> Result<Twin, CompileError> {
    let Pipelined { program, plan, .. } = pipelined;
    // The plan leads to the same pipeline.
    let options = Options {
        plan: Some(plan.clone()),
        asked: None,
        recompute: None,
        mesh: None,
        search: None,
        stop_after: None,
        degrees: DegreeSpace::default(),
        allowed: Constraints::default(),
        ..options.clone()
    };
    let wanted =
        PipelineOptions::of_plan(plan)?.ok_or_else(|| no_twin("its plan has no stages".to_owned()))?;
    if wanted.parts_of() == PartsOf::Sequence {
        return Err(no_twin("slices of a sequence meet others at positions of the whole one".to_owned()));
    }
    if pipelined.staged.delayed.is_some() {
        return Err(no_twin("its microbatches read weights of earlier steps".to_owned()));
    }
    let part = refused::part(machine, wanted.groups)?;
    let cut = Cut::of(program, (wanted.microbatches, PartsOf::Batch), &part, &options)?;
    let schedule = Schedule::from_rows(&plan.schedule).map_err(|(_, why)| no_twin(why))?;
    let count = Table::of(&schedule).map_err(refused::table)?.num_stages;
    let (inner, places) = {
        let step = cut.step().map_err(|refusal| cut.refused(&refusal))?;
        let function = &cut.microbatched.made.function;
        let sharded = |options: &Options, part: &Machine| {
            Inner::of(program, function, &cut.origins, part, (options, false), control)
        };
        let groups = Groups::of(Layout::of(machine, wanted.groups, &options)?, &options, &sharded)?;
        let site = Site { cut: &cut, step: &step, groups: &groups, machine };
        let places = site.planned(plan, count)?.cuts;
        let (inner, _) = groups.alike().ok_or_else(|| no_twin("its groups are not alike".to_owned()))?;
        (inner.whole().clone(), places)
    };
    let policies = &inner.policies;
    let planned =
        Planned { pipelined, machine, part: &part, options: &options, wanted: &wanted, schedule, policies };
    let each = (most_devices / wanted.groups).max(1);
    let mut turns = LEAST_TURNS;
    loop {
        let least = |stage: usize| if pipelined.is_loop(stage) { turns } else { 1 };
        let found = (&inner, places.as_slice());
        let Some(fewer) = FewerLayers::of(program, &cut, found, &least, &part, &options) else {
            return Ok(planned.twin(cut, (&inner, places), None, each)?.twin);
        };
        let found = (&fewer.shardings, fewer.places);
        let made = planned.twin(fewer.cut, found, Some(fewer.segments), each)?;
        // Loops begin behind layers that do something else, and end in front of such.
        if made.lacks_loops && turns < MOST_TURNS {
            turns += 1;
            continue;
        }
        return Ok(made.twin);
    }
}

/// A pipeline that is to have a twin.
struct Planned<'a> {
    pipelined: &'a Pipelined,
    machine: &'a Machine,
    /// The part of the machine that a group is.
    part: &'a Machine,
    /// Those that lead to the pipeline.
    options: &'a Options,
    wanted: &'a PipelineOptions,
    schedule: Schedule,
    /// Those of the step in microbatches, with all of its layers.
    policies: &'a Policies,
}

/// A twin.
struct Small {
    twin: Twin,
    /// Whether a program has fewer loops than in the pipeline.
    lacks_loops: bool,
}

impl Planned<'_> {
    /// The twin of a step that is cut, sharded so, and in stages that begin there, on about so many devices for each group.
    fn twin(
        &self,
        mut cut: Cut,
        (inner, places): (&Shardings, Vec<usize>),
        segments: Option<[usize; 2]>,
        each: usize,
    ) -> Result<Small, CompileError> {
        let Self { pipelined, machine, part, options, wanted, .. } = *self;
        let plan = &pipelined.plan;
        let small = meshwright_twin::twin(&cut.microbatched.made.function, inner, &cut.flat.function, each);
        let small = small.map_err(no_twin)?;
        // Layers of stacks are arguments of their own in the step that is cut, and stacks in the one that it is compared with.
        let before = (cut.given.clone(), cut.parts.clone());
        let (whole, parts) = stacked(&small.whole, &cut.parts, &cut.given)
            .unwrap_or_else(|| (small.whole.clone(), Parts::whole(&small.whole)));
        let arguments = match parts.has_layers() {
            true => shapes(&before, &(whole.clone(), parts.clone())),
            false => small.arguments,
        };
        let missing_policies = missing_policies(self.policies, &small.shardings.policies, &small.function);
        cut.shrink(small.function.clone(), whole.clone(), parts);
        let forms = Forms::of(&cut, Some(plan))?;
        let step = forms.by(&self.schedule)?;
        let groups = Groups::of_one(Inner::sharded(small.shardings), part.clone(), wanted.groups);
        let site = Site { cut: &cut, step, groups: &groups, machine };
        let mut staged = at(step, places);
        leave_copies(&mut staged, |stage| plan.converts_again.contains(&stage));
        let staged = match pipelined.staged.update.optimistic {
            Some(_) => optimistic::post_validated(step, &staged).unwrap_or(staged),
            None => staged,
        };
        let schedule = forms.runs().table(self.schedule.clone())?;
        let table = Table::of(&schedule).map_err(refused::table)?;
        let placed = Placed::of(&table).ok_or_else(refused::mixed_copies)?;
        let pieces = pieces::pieces(step, &staged, placed.copies());
        let mut handed = site.handed(&staged, &placed.0);
        handed.drop_stages(|stage| plan.gathers_again.contains(&stage));
        let rows = Rows::new(step, &staged, &pieces, &table, placed);
        let events = rows.schedule(&table);
        let written_out = lower::programs(&cut, (step, &staged), &rows, (&groups, &handed), events, options)?;
        let next = looped::next(&cut);
        let next = |index: usize| next.get(&index).copied();
        let is_loop = |stage: usize| pipelined.is_loop(stage);
        let candidates = Candidates::of(&written_out, &next, &is_loop);
        let WithLoops { mut programs, loops, .. } = candidates.taken(&is_loop);
        programs.programs.par_iter().for_each(|(_, program)| proved(&program.device));
        must_verify(&programs);
        lower::number(&mut programs, options);
        let stages = ShrunkAxis { name: "stages".to_owned(), size: wanted.groups, twin: wanted.groups };
        let mut unproven: Vec<String> = small.lost.iter().map(|cut| format!("a dim of {cut}")).collect();
        unproven.extend(missing(&pipelined.programs, &programs));
        unproven.extend(missing_policies);
        let missing_loops = missing_loops(&pipelined.loops, &loops);
        let lacks_loops = missing_loops.is_some();
        unproven.extend(missing_loops);
        let twin = Twin {
            program: pipelined.program.with_only(whole.clone()),
            function: whole,
            programs,
            axes: [stages].into_iter().chain(small.axes).collect(),
            arguments,
            segments,
            unproven,
        };
        Ok(Small { twin, lacks_loops })
    }
}

/// Shapes of the arguments of a step before and in the twin, of each of which parts are known.
fn shapes(before: &(Function, Parts), after: &(Function, Parts)) -> Vec<[Vec<usize>; 2]> {
    let shape = |(function, parts): &(Function, Parts), part: usize| {
        let index = parts.arguments[part].index;
        let ty = function.body.ty(function.args()[index]).as_tensor();
        (index, ty.map_or_else(Vec::new, |tensor| tensor.shape.clone()))
    };
    let all = (0..after.1.arguments.len()).map(|part| {
        let ((_, old), (index, new)) = (shape(before, part), shape(after, part));
        (index, [old, new])
    });
    all.collect::<BTreeMap<_, _>>().into_values().collect()
}

/// The programs that have more loops over layers in the pipeline than in its twin.
fn missing_loops(full: &BTreeMap<ProgramId, usize>, twin: &BTreeMap<ProgramId, usize>) -> Option<String> {
    let fewer = full.iter().filter(|(id, count)| twin.get(id).is_none_or(|own| own < *count));
    let programs: Vec<String> = fewer.map(|(id, _)| id.to_string()).collect();
    match &programs[..] {
        [] => None,
        [one] => Some(format!("a loop over layers of the program {one}")),
        [most @ .., last] => {
            Some(format!("loops over layers of the programs {} and {last}", most.join(", ")))
        }
    }
}

/// Collectives and programs of a pipeline that do not occur in its twin.
fn missing(full: &DevicePrograms, twin: &DevicePrograms) -> Vec<String> {
    let all = |programs: &DevicePrograms| {
        let each = programs.programs.values();
        each.flat_map(|program| kinds(&program.device)).collect::<BTreeSet<_>>()
    };
    let ids = |programs: &DevicePrograms| programs.programs.keys().copied().collect::<BTreeSet<ProgramId>>();
    let mut missing: Vec<String> = all(full).difference(&all(twin)).cloned().collect();
    missing.extend(ids(full).difference(&ids(twin)).map(|id| format!("the program {id}")));
    missing
}
