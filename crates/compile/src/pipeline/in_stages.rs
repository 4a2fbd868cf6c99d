//! A pipeline whose stages are known, made of them.
//!
//! Input: a step on its groups, its stages, and a table. Output: [`Pipelined`]: programs, figures and the plan. Stages make copies
//! of parameters once in a step, unless there is no memory for them: then each of their programs makes what it reads.

use meshwright_ir::program::Program;
use meshwright_machine::Bytes;
use meshwright_plan::{Figures, PlanFile, Schedule, Table};
use meshwright_stage::{Rows, Staged, Step, possible_copies};
use std::collections::{BTreeMap, BTreeSet};

use super::donation::donating_pieces;
use super::figures::{self, Priced, analyses};
use super::hosts::elsewhere;
use super::looped::{self, Looped};
use super::plan::Written;
use super::stay_gathered::Copied;
use super::{
    FORWARD, How, PipelineFigures, PipelineOptions, PipelinePlan, Pipelined, Site, Whole, delayed, layout,
    lower, refused,
};
use crate::error::CompileError;
use crate::options::Options;

/// A step on its groups, with a table.
pub(super) struct InStages<'a> {
    pub(super) program: &'a Program,
    pub(super) options: &'a Options,
    pub(super) how: How<'a>,
    pub(super) wanted: &'a PipelineOptions,
    /// Memory of a device.
    pub(super) limit: Bytes,
    /// The step as it was chosen.
    pub(super) whole: Option<&'a Whole>,
    pub(super) site: Site<'a>,
    /// The table of actions.
    pub(super) schedule: Schedule,
}

impl InStages<'_> {
    /// Makes the pipeline of these stages, or, where it does not fit, the same without copies of parameters in stages that need
    /// too much, if that needs less; none that is not fast enough.
    pub(super) fn pipelined_that_fits(&self, mut staged: Staged) -> Result<Option<Pipelined>, CompileError> {
        if let Some(plan) = &self.options.plan {
            leave_copies(&mut staged, |stage| plan.converts_again.contains(&stage));
            return self.pipelined(staged);
        }
        let Some(made) = self.pipelined(staged.clone())? else { return Ok(None) };
        let placed = self.site.placed(&Table::of(&self.schedule).map_err(refused::table)?)?;
        let is_full = |stage: usize| placed.0[stage].iter().any(|group| made.memory[*group] > self.limit);
        if !leave_copies(&mut staged, is_full) {
            return Ok(Some(made));
        }
        let other = self.pipelined(staged)?;
        Ok(match other {
            Some(other) if other.memory.iter().max() < made.memory.iter().max() => Some(other),
            _ => Some(made),
        })
    }

    /// The pipeline of these stages; none that is not fast enough.
    fn pipelined(&self, staged: Staged) -> Result<Option<Pipelined>, CompileError> {
        let Self { program, options, how, wanted, limit, whole, ref site, .. } = *self;
        let Site { cut, step, groups, machine } = *site;
        let table = Table::of(&self.schedule).map_err(refused::table)?;
        let placed = site.placed(&table)?;
        let pieces = donating_pieces(cut, step, &staged, placed.copies());
        let of_stages = placed.0.clone();
        let mut handed = site.handed(&staged, &of_stages);
        let chosen = whole.map(|whole| whole.gathers_again.clone());
        let planned = || options.plan.as_ref().map(|plan| plan.gathers_again.iter().copied().collect());
        let mut gathers_again: BTreeSet<usize> = chosen.or_else(planned).unwrap_or_default();
        handed.drop_stages(|stage| gathers_again.contains(&stage));
        let rows = Rows::new(step, &staged, &pieces, &table, placed);
        let events = rows.schedule(&table);
        let analyses = analyses(&pieces, machine);
        let on = |priced: &Priced<'_>, devices: &[&[usize]]| {
            priced.figures(&table, &self.schedule, &of_stages, devices)
        };
        let of_table = |priced: &Priced<'_>| on(priced, &groups.all_devices());
        let is_slow = |figures: &PipelineFigures| matches!(how, How::Open { faster_than: Some(below), .. } if figures.step() >= below);
        let (written_out, memory, beyond) = loop {
            let priced = site.priced(&staged, (&pieces, &analyses), &handed, &of_stages);
            if is_slow(&of_table(&priced)) {
                return Ok(None);
            }
            let programs =
                lower::programs(cut, (step, &staged), &rows, (groups, &handed), events.clone(), options)?;
            let beyond = priced.beyond(&programs);
            let memory = figures::memory(&programs, &beyond);
            let is_full = |stage: usize| of_stages[stage].iter().any(|group| memory[*group] > limit);
            gathers_again.extend((0..staged.count).filter(|stage| is_full(*stage)));
            if !handed.drop_stages(is_full) {
                break (programs, memory, beyond);
            }
        };
        let priced = site.priced(&staged, (&pieces, &analyses), &handed, &of_stages);
        let by_block = priced.by_block(program, &written_out, &beyond);
        let before = memory.clone();
        let costs = (memory, &beyond, limit);
        let Looped { mut programs, memory, beside, stages: layers, loops } =
            priced.looped(written_out, costs, looped::wanted(options)?);
        lower::number(&mut programs, options);
        let by_block = looped::with_loops(by_block, &programs, (&beside, staged.count), (&before, &memory));
        let priced = Priced { loops: Some(&beside), ..priced };
        let figures = of_table(&priced);
        if is_slow(&figures) {
            return Ok(None);
        }
        let elsewhere = match how {
            How::Chosen(chosen) if chosen.space.is_some() => {
                elsewhere(&priced, groups, options, &figures, &on)
            }
            How::Chosen(_) | How::Open { .. } => BTreeMap::new(),
        };
        let times = priced.times(&figures.stages, &groups.all_devices(), &memory);
        // What degrees say takes what its row of a grid does, here and wherever the plan is shown; but programs that convert in
        // every microbatch after all take what they do.
        let converts_again = converts_again(step, &staged);
        let is_as_said = |chosen: &PipelinePlan| {
            let converts_so = converts_again.is_empty() || chosen.copied() == Copied::Anew;
            chosen.space.is_none() && beside.is_empty() && converts_so
        };
        let predicted = match how {
            How::Chosen(chosen) if is_as_said(chosen) => &chosen.figures,
            How::Chosen(_) | How::Open { .. } => &figures,
        };
        let (spent, figures_of_step) = site.spent(&priced, &table, predicted);
        let written = Written {
            cut,
            step,
            staged: &staged,
            table: &self.schedule,
            step_seconds: predicted.step(),
            spent,
            memory: &memory,
            machine,
            limit,
            model: &options.model,
            figures_of_step: figures_of_step.map(|of_step| Figures { by_block, ..of_step }),
            times,
        };
        let mut plan = written.file(PlanFile { group_hosts: layout::hosts_asked(options), ..groups.file() });
        plan.gathers_again = gathers_again.into_iter().collect();
        plan.converts_again = converts_again;
        plan.post_validation = staged.update.optimistic.is_some();
        plan.gathers_forward = step.gathers_forward();
        plan.stage_loops = looped::wanted(options)?.map(|loops| loops.name().to_owned());
        plan.delayed_weights = staged.delayed.as_ref().map(|delayed| delayed.weights.name().to_owned());
        if let Some(planned) = &options.plan {
            plan.not_searched.clone_from(&planned.not_searched);
            // Phases that take what they took then make the step that was predicted then.
            if planned.times == plan.times {
                plan.predicted.clone_from(&planned.predicted);
                plan.figures.clone_from(&planned.figures);
            }
        }
        let whole = delayed::whole(cut, step, &staged);
        Ok(Some(Pipelined {
            program: whole.as_ref().map_or_else(|| program.clone(), |whole| program.with_only(whole.clone())),
            function: whole.unwrap_or_else(|| cut.given.clone()),
            programs,
            staged,
            arguments: cut.parts.arguments.clone(),
            figures,
            layers,
            loops,
            parts_of: wanted.parts_of(),
            memory,
            schedule: if cut.trains() { wanted.schedule.name() } else { Some(FORWARD) },
            table: self.schedule.clone(),
            recompute: cut.recompute.clone(),
            group_hosts: Vec::new(),
            elsewhere,
            plan,
        }))
    }
}

/// Leaves out the copies of parameters of stages. Returns whether there were any.
pub(super) fn leave_copies(staged: &mut Staged, is_left: impl Fn(usize) -> bool) -> bool {
    let left = staged.copies.iter_mut().enumerate().filter(|(stage, own)| is_left(*stage) && !own.is_empty());
    left.map(|(_, own)| own.clear()).count() > 0
}

/// Stages that could make copies of parameters once in a step, and do not.
fn converts_again(step: &Step<'_>, staged: &Staged) -> Vec<usize> {
    if staged.delayed.is_some() {
        return Vec::new();
    }
    let all = possible_copies(step, staged);
    (0..staged.count).filter(|stage| staged.copies[*stage].is_empty() && !all[*stage].is_empty()).collect()
}
