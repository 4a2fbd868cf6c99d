//! A table with stages of segments, and what it takes.
//!
//! Input: segments of a combination, a table. Output: [`Found`]: the segments are put into stages, and the table is simulated
//! with their phases, transfers and update.

use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::{Phase, Schedule, Table};
use meshwright_schedule::{Named, Stages};
use meshwright_simulate::{Boundary, Costs, least};
use meshwright_stage::rows::{self, Placed};
use std::collections::BTreeMap;
use std::sync::Arc;

use super::PipelinePlan;
use super::chosen::Chosen;
use super::cuts::{self, Chain, Cutting, Wants};
use super::segments::{self, Segments, ShortCut};
use super::short::Short;
use crate::error::CompileError;
use crate::pipeline::figures::{PipelineFigures, StageFigures, costs, simulated};
use crate::pipeline::refused;
use crate::pipeline::transfers::transfer;

/// What became of a combination, or of a schedule for it.
pub(super) enum Found {
    Pipeline(Box<PipelinePlan>),
    /// It takes no less than what is known.
    Slower,
    /// It does not fit: it needs so much.
    Needs(Bytes),
}

/// What was found, and whether it would take less if there were more memory.
pub(super) struct Tried {
    pub(super) found: Found,
    pub(super) is_short: bool,
}

/// A table that is to be filled with stages and timed.
pub(super) struct Timed<'a> {
    pub(super) short: &'a Arc<Short>,
    pub(super) cut: &'a Arc<ShortCut>,
    pub(super) segments: &'a Segments,
    pub(super) chain: &'a Chain<'a>,
    pub(super) machine: &'a Machine,
    /// Devices of each group.
    pub(super) devices: &'a [Vec<usize>],
    pub(super) numbers: Stages,
    pub(super) limit: Bytes,
    pub(super) cutting: &'a Cutting,
}

impl Timed<'_> {
    /// The pipeline with this table, if it takes less than `below`.
    pub(super) fn plan(
        &self,
        named: Named,
        schedule: Schedule,
        below: Option<f64>,
        transfers: &mut BTreeMap<u64, f64>,
    ) -> Result<Tried, CompileError> {
        let Self { chain, numbers, limit, .. } = *self;
        let schedule = self.behind_prepass(schedule)?;
        let table = Table::of(&schedule).map_err(refused::table)?;
        let placed = Placed::of(&table).ok_or_else(refused::mixed_copies)?;
        let wants = Wants::of(&table, limit);
        let mut is_fitting = true;
        let mut found = chain.cut(self.cutting, &wants);
        if found.is_none() {
            is_fitting = false;
            found = chain.cut(self.cutting, &Wants { memory: Bytes(u64::MAX), ..Wants::of(&table, limit) });
        }
        let needs = |bytes| Tried { found: Found::Needs(bytes), is_short: true };
        let Some(mut stages) = found else { return Ok(needs(Bytes(u64::MAX))) };
        if !is_fitting {
            stages.ways.iter_mut().for_each(|way| *way = chain.ways().len() - 1);
        }
        let is_short = !is_fitting || stages.ways.iter().any(|way| *way > 0);
        let slower = Tried { found: Found::Slower, is_short };
        let own = self.figures_of(&stages, &placed, wants.is_apart);
        let costs = self.costs(&own, transfers);
        if is_fitting && below.is_some_and(|below| self.least(&table, &costs) >= below) {
            return Ok(slower);
        }
        let timeline = simulated(&table, &schedule, &self.segments.rounds, &costs);
        let figures = PipelineFigures { stages: own, timeline };
        let needed = figures.memory().into_iter().max().unwrap_or_default();
        if needed > limit {
            return Ok(needs(needed));
        }
        if below.is_some_and(|below| figures.step().0 >= below) {
            return Ok(slower);
        }
        let ways: Vec<usize> = stages.ways.iter().map(|way| chain.ways()[*way]).collect();
        let words = |way: &usize| segments::words(&self.short.again, *way);
        let plan = Box::new(PipelinePlan {
            groups: numbers.groups,
            virtual_stages: numbers.virtual_stages,
            microbatches: numbers.microbatches,
            schedule: named,
            mesh: self.segments.mesh().clone(),
            group_hosts: None,
            weighed_hosts: Vec::new(),
            segments: stages.ranges(),
            again: ways.iter().map(words).collect(),
            figures,
            bound: Seconds::ZERO,
            weighed: Vec::new(),
            unfinished: false,
            chosen: Chosen {
                short: self.short.clone(),
                cut: self.cut.clone(),
                inner: self.segments.inner.clone(),
                ways,
            },
            space: None,
            left_out: None,
        });
        Ok(Tried { found: Found::Pipeline(plan), is_short })
    }

    /// Seconds that a step with the table takes at least; nothing is known where groups begin the next step by themselves.
    fn least(&self, table: &Table<'_>, costs: &Costs) -> f64 {
        let rounds = &self.segments.rounds;
        if rounds.contains(&Phase::Optimistic) { 0.0 } else { least(table, costs, rounds.len()) }
    }

    /// The table as it runs: behind the pass before all others, if the step has one.
    pub(super) fn behind_prepass(&self, schedule: Schedule) -> Result<Schedule, CompileError> {
        if !self.segments.has_prepass {
            return Ok(schedule);
        }
        let table = Table::of(&schedule).map_err(refused::table)?;
        let placed = Placed::of(&table).ok_or_else(refused::mixed_copies)?;
        Ok(rows::behind_prepass(&table, &placed, &schedule))
    }

    /// Figures of stages on their groups.
    pub(super) fn figures_of(
        &self,
        stages: &cuts::Stages,
        placed: &Placed,
        is_apart: bool,
    ) -> Vec<StageFigures> {
        let of_stage = |(((from, to), way), groups): (((usize, usize), &usize), &Vec<usize>)| StageFigures {
            groups: groups.clone(),
            ..self.chain.figures(from, to, *way, is_apart)
        };
        stages.ranges().into_iter().zip(&stages.ways).zip(&placed.0).map(of_stage).collect()
    }

    /// What a simulation takes; seconds of transfers are remembered by their bytes.
    pub(super) fn costs(&self, stages: &[StageFigures], transfers: &mut BTreeMap<u64, f64>) -> Costs {
        let groups: Vec<&[usize]> = self.devices.iter().map(Vec::as_slice).collect();
        let mut seconds = |bytes: Bytes| {
            let found = || transfer(self.machine, &groups, bytes).0;
            *transfers.entry(bytes.0).or_insert_with(found)
        };
        let pairs = stages.iter().zip(stages.iter().skip(1));
        let boundaries =
            pairs.map(|(own, next)| Boundary { up: seconds(own.up.0), down: seconds(next.down.0) }).collect();
        Costs {
            boundaries,
            stages: stages.iter().map(|stage| costs(stage, self.segments.rounds.len())).collect(),
            slowdowns: BTreeMap::new(),
        }
    }
}
