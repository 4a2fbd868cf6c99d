//! A table with stages of segments, and what it takes.
//!
//! Input: segments of a combination, a table. Output: [`Found`]: the segments are put into stages, and the table is simulated
//! with their phases, transfers and update.

use meshwright_machine::{Bytes, Seconds};
use meshwright_schedule::Stages;
use meshwright_simulate::{Costs, Shared, least};
use meshwright_stage::rows::Placed;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::chosen::{Chosen, Sharded};
use super::cuts::{self, Chain, Cutting};
use super::scheduled::Tables;
use super::segments::{self, OnceBytes, Segments, ShortCut};
use super::short::Short;
use super::{PipelinePlan, best_of};
use crate::error::CompileError;
use crate::pipeline::ScheduleChoice;
use crate::pipeline::figures::{PipelineFigures, StageFigures, boundary, costs, once_seconds};
use crate::pipeline::simulated::simulated_whole;
use crate::pipeline::transfers::Links;

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

/// The best of several tables so far, and what became of the others.
#[derive(Default)]
pub(super) struct BestTried {
    best: Option<Box<PipelinePlan>>,
    needed: Option<Bytes>,
    is_slower: bool,
    is_short: bool,
}

impl BestTried {
    /// Seconds that the next one has to beat, where nothing that takes no less than `below` is of interest.
    pub(super) fn below(&self, below: Option<f64>) -> Option<f64> {
        best_of(self.best.as_deref(), below)
    }

    /// Takes another one, which is better if it is a pipeline.
    pub(super) fn take(&mut self, tried: Tried) {
        self.is_short |= tried.is_short;
        match tried.found {
            Found::Pipeline(plan) => self.best = Some(plan),
            Found::Needs(bytes) => self.needed = self.needed.into_iter().chain([bytes]).min(),
            Found::Slower => self.is_slower = true,
        }
    }

    /// What became of all of them.
    pub(super) fn of_all(self) -> Tried {
        let found = match (self.best, self.needed) {
            (Some(best), _) => Found::Pipeline(best),
            (None, Some(needed)) if !self.is_slower => Found::Needs(needed),
            _ => Found::Slower,
        };
        Tried { found, is_short: self.is_short }
    }
}

/// A table that is to be filled with stages and timed.
pub(super) struct Timed<'a> {
    pub(super) short: &'a Arc<Short>,
    pub(super) cut: &'a Arc<ShortCut>,
    pub(super) segments: &'a Segments,
    pub(super) chain: &'a Chain<'a>,
    pub(super) numbers: Stages,
    pub(super) limit: Bytes,
    pub(super) cutting: &'a Cutting,
}

impl Timed<'_> {
    /// The pipeline with these tables, if it takes less than `below`.
    pub(super) fn plan(
        &self,
        choice: ScheduleChoice,
        tables: &Tables<'_>,
        below: Option<f64>,
        links: &mut Links<'_>,
    ) -> Result<Tried, CompileError> {
        let Self { chain, numbers, limit, .. } = *self;
        let Tables { table, placed, .. } = tables;
        let mut wants = tables.wants(limit);
        let mut is_fitting = true;
        let mut found = chain.cut(self.cutting, &wants);
        if found.is_none() {
            is_fitting = false;
            wants.memory = Bytes(u64::MAX);
            found = chain.cut(self.cutting, &wants);
        }
        let needs = |bytes| Tried { found: Found::Needs(bytes), is_short: true };
        let Some(mut stages) = found else { return Ok(needs(Bytes(u64::MAX))) };
        if !is_fitting {
            stages.ways.iter_mut().for_each(|way| *way = chain.ways().len() - 1);
        }
        let is_short = !is_fitting || stages.ways.iter().any(|way| *way > 0);
        let slower = Tried { found: Found::Slower, is_short };
        let own = self.figures_of(&stages, placed, wants.is_apart);
        let costs = self.costs(&own, &stages, links);
        if is_fitting && below.is_some_and(|below| least(table, &costs, self.segments.rounds.len()) >= below)
        {
            return Ok(slower);
        }
        let rounds = &self.segments.rounds;
        let timeline = simulated_whole(tables.whole(rounds, self.segments.have_copies()), rounds, &costs);
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
            schedule: choice,
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
                sharded: Sharded { memory: self.segments.memory, seconds: self.segments.seconds },
                ways,
            },
            space: None,
            left_out: None,
        });
        Ok(Tried { found: Found::Pipeline(plan), is_short })
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

    /// What a simulation takes.
    pub(super) fn costs(&self, own: &[StageFigures], stages: &cuts::Stages, links: &mut Links<'_>) -> Costs {
        let pairs = own.iter().zip(own.iter().skip(1));
        Costs {
            boundaries: pairs.map(|(own, next)| boundary(own, next, links)).collect(),
            shared: self.shared(own, stages, links),
            stages: own.iter().map(|stage| costs(stage, self.segments.rounds.len())).collect(),
            slowdowns: BTreeMap::new(),
        }
    }

    /// What goes between stages once in a step. What several segments of a stage read, it gets once.
    fn shared(&self, own: &[StageFigures], stages: &cuts::Stages, links: &mut Links<'_>) -> Vec<Shared> {
        let of_stage = stages.ranges().into_iter().enumerate();
        let of_stage = of_stage.flat_map(|(stage, (from, to))| std::iter::repeat_n(stage, to - from));
        let like = || self.short.like.iter().copied().zip(of_stage.clone());
        let mut bytes: BTreeMap<(usize, usize), (u64, u64)> = BTreeMap::new();
        for OnceBytes { reader, home, gradients, state } in &self.segments.once {
            let updates = like().find(|(segment, _)| segment == home).map(|(_, stage)| stage);
            let mut last = None;
            for (_, stage) in like().filter(|(segment, _)| segment == reader) {
                let is_own = reader == home;
                let to = updates.filter(|_| !is_own).unwrap_or(stage);
                let sum = bytes.entry((stage, to)).or_default();
                sum.0 += gradients.0;
                // Layers have each their own; what another stage updates is the same for all.
                if is_own || to != stage && last != Some(stage) {
                    sum.1 += state.0;
                }
                last = Some(stage);
            }
        }
        let shared = bytes.into_iter().map(|((reader, home), (gradients, state))| {
            let bytes = (Bytes(gradients), Bytes(state));
            let (gradients, state) = once_seconds((&own[reader], &own[home]), bytes, links);
            Shared { reader, home, gradients, state }
        });
        shared.collect()
    }
}
