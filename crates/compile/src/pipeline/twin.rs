//! The twin of a pipeline: small enough for a host to run, cut and sharded by the same decisions.
//!
//! Input: a pipeline. Output: the programs of all stages and phases with small sizes, and the undistributed program of that
//! size, the step with its layers written out. Stages do without layers that are as others of theirs
//! ([`FewerLayers`]). The step in microbatches is made small as any function is; its instructions keep their numbers, so
//! that stages, phases and shardings are the plan's, and so is the table.

use meshwright_ir::control::Control;
use meshwright_machine::Machine;
use meshwright_plan::{DevicePrograms, ProgramId, Schedule, Table};
use meshwright_stage::rows::Placed;
use meshwright_stage::{Rows, at, optimistic, pieces};
use meshwright_twin::ShrunkAxis;
use std::collections::BTreeSet;

use super::cut::Cut;
use super::fewer_layers::FewerLayers;
use super::forms::Forms;
use super::groups::Groups;
use super::inner::Inner;
use super::layout::Layout;
use super::{PartsOf, PipelineOptions, Pipelined, Site, StageLayers, lower, refused};
use crate::error::CompileError;
use crate::options::{Constraints, DegreeSpace, Options};
use crate::twin::{Twin, kinds, no_twin};

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
    let part = refused::part(machine, wanted.groups)?;
    let mut cut = Cut::of(program, (wanted.microbatches, PartsOf::Batch), &part, &options)?;
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
        (Inner::sharded(inner.whole().clone()), places)
    };
    let found = (inner.whole(), places.as_slice());
    let (inner, places, segments) = match FewerLayers::of(program, &cut, found, &part, &options) {
        Some(fewer) => {
            cut = fewer.cut;
            (Inner::sharded(fewer.shardings), fewer.places, Some(fewer.segments))
        }
        None => (inner, places, None),
    };
    // Layers of stacks are arguments of their own, in the step that is cut as in the one that it is compared with.
    let whole = cut.flat.function.clone();
    let each = (most_devices / wanted.groups).max(1);
    let small = meshwright_twin::twin(&cut.microbatched.made.function, inner.whole(), &whole, each);
    let small = small.map_err(no_twin)?;
    cut.shrink(small.function.clone(), small.whole.clone());
    let forms = Forms::of(&cut, Some(plan))?;
    let step = forms.by(&schedule)?;
    let groups = Groups::of_one(Inner::sharded(small.shardings.clone()), part, wanted.groups);
    let site = Site { cut: &cut, step, groups: &groups, machine };
    if pipelined.staged.delayed.is_some() {
        return Err(no_twin("its microbatches read weights of earlier steps".to_owned()));
    }
    let staged = at(step, places);
    let staged = match pipelined.staged.update.optimistic {
        Some(_) => optimistic::post_validated(step, &staged).unwrap_or(staged),
        None => staged,
    };
    let schedule = forms.runs().table(schedule)?;
    let table = Table::of(&schedule).map_err(refused::table)?;
    let placed = Placed::of(&table).ok_or_else(refused::mixed_copies)?;
    let pieces = pieces::pieces(step, &staged, placed.copies());
    let mut handed = site.handed(&staged, &placed.0);
    handed.drop_stages(|stage| plan.gathers_again.contains(&stage));
    let rows = Rows::new(step, &staged, &pieces, &table, placed);
    let events = rows.schedule(&table);
    let mut programs = lower::programs(&cut, (step, &staged), &rows, (&groups, &handed), events, &options)?;
    lower::number(&mut programs, &options);
    let stages = ShrunkAxis { name: "stages".to_owned(), size: wanted.groups, twin: wanted.groups };
    let mut unproven: Vec<String> = small.lost.iter().map(|cut| format!("a dim of {cut}")).collect();
    unproven.extend(missing(&pipelined.programs, &programs));
    unproven.extend(loops(&pipelined.layers));
    Ok(Twin {
        program: program.with_only(small.whole.clone()),
        function: small.whole,
        programs,
        axes: [stages].into_iter().chain(small.axes).collect(),
        arguments: small.arguments,
        segments,
        unproven,
    })
}

/// The stages whose layers are loops, which the twin has one behind the other.
fn loops(layers: &[StageLayers]) -> Option<String> {
    let is_loop = |(_, layers): &(usize, &StageLayers)| matches!(layers, StageLayers::Loop { .. });
    let stages: Vec<String> =
        layers.iter().enumerate().filter(is_loop).map(|(stage, _)| stage.to_string()).collect();
    match &stages[..] {
        [] => None,
        [one] => Some(format!("the loop over layers of stage {one}")),
        [most @ .., last] => Some(format!("the loops over layers of stages {} and {last}", most.join(", "))),
    }
}

/// Collectives and programs of a pipeline that do not occur in its twin.
fn missing(full: &DevicePrograms, twin: &DevicePrograms) -> Vec<String> {
    let all = |programs: &DevicePrograms| {
        let each = programs.programs.values();
        each.flat_map(|program| kinds(&program.device)).collect::<BTreeSet<_>>()
    };
    let ids = |programs: &DevicePrograms| programs.programs.keys().copied().collect::<BTreeSet<ProgramId>>();
    let kinds = all(full).difference(&all(twin)).cloned().collect::<Vec<_>>();
    let kinds = kinds.into_iter().map(|(kind, axes)| format!("{kind} over {}", axes.join(", ")));
    let phases = ids(full).difference(&ids(twin)).copied().collect::<Vec<_>>();
    kinds.chain(phases.into_iter().map(|id| format!("the program {id}"))).collect()
}
