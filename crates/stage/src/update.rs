//! The update in stages and rounds.
//!
//! Input: a step and the stage of each instruction of its turns. Output: [`Update`]. An accumulator is in the stage that
//! adds to it. What is made of large values goes where most of their bytes are; what nobody has yet, as moments, follows
//! its readers. What is made of small values alone, as a norm of the norms of all gradients, or the spread of a scalar, is
//! made by everyone who reads it. So stages exchange small values, each a round further than the one that made it: squared
//! norms in round 0, the update in round 1. A parameter that two stages read is updated in the first of them, which gets the
//! accumulators of the other.

use crate::{Optimistic, Step, closure};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_plan::Phase;
use std::collections::{BTreeMap, BTreeSet};

/// Values of at most so many bytes are handed to whoever reads them.
const SMALL: usize = 64;

/// Stage and round in which something of the update is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Site {
    /// The stage.
    pub stage: usize,
    /// The round.
    pub round: usize,
}

/// The update of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// The stage of each accumulator.
    pub homes: Vec<usize>,
    /// The stages that read each parameter; empty for other arguments.
    pub readers: Vec<BTreeSet<usize>>,
    /// Where each instruction behind the loop is made; those made wherever they are read are left out.
    pub sites: BTreeMap<InstId, Site>,
    /// Where each result of the step is given.
    pub results: Vec<Site>,
    /// What its second round takes for granted, if it does not wait for other stages.
    pub optimistic: Option<Optimistic>,
}

impl Update {
    /// Number of rounds.
    pub fn rounds(&self) -> usize {
        self.sites.values().chain(&self.results).map(|site| site.round + 1).max().unwrap_or(0)
    }

    /// The phases of the update, in order.
    pub fn phases(&self) -> Vec<Phase> {
        let rounds = self.rounds();
        match &self.optimistic {
            None => (0..rounds).map(Phase::Update).collect(),
            Some(_) => {
                let first = [Phase::Update(0)].into_iter().chain(Phase::OF_POST_VALIDATION);
                first.chain((1..rounds.saturating_sub(1)).map(Phase::Update)).collect()
            }
        }
    }

    /// The round of which a phase is.
    pub(crate) fn round(&self, phase: Phase) -> Option<usize> {
        match phase {
            Phase::Update(round) if round > 0 && self.optimistic.is_some() => Some(round + 1),
            Phase::Update(round) => Some(round),
            Phase::Optimistic | Phase::Validation | Phase::Redo => Some(1),
            _ => None,
        }
    }

    /// The phases that run as a rule: nothing is made again.
    pub fn usual_phases(&self) -> Vec<Phase> {
        self.phases().into_iter().filter(|phase| *phase != Phase::Redo).collect()
    }
}

/// The update of a step whose turns are in `count` stages.
pub fn update(step: &Step<'_>, stage: &[Option<usize>], count: usize) -> Update {
    let home = |next: ValueId| step.core(next).and_then(|at| stage[at]).unwrap_or(count - 1);
    let homes: Vec<usize> = step.points.iter().map(|point| home(point.next)).collect();
    let readers = readers(step, stage, count);
    let mut placing = Placing { step, home: BTreeMap::new(), stage: BTreeMap::new() };
    for (point, home) in step.points.iter().zip(&homes) {
        placing.home.insert(point.whole, *home);
    }
    for (value, readers) in step.function.args().iter().zip(&readers) {
        placing.home.extend(readers.first().map(|first| (*value, *first)));
    }
    placing.place();
    let rounds = Rounds::new(step, &placing.stage, count);
    let sites = placing.stage.iter().map(|(inst, stage)| {
        let round = rounds.of_inst[inst][*stage];
        (*inst, Site { stage: *stage, round })
    });
    let sites: BTreeMap<InstId, Site> = sites.collect();
    let result = |value: &ValueId| rounds.result(*value, &sites, &placing.home);
    let results = step.function.returned().iter().map(result).collect();
    Update { homes, readers, sites, results, optimistic: None }
}

/// The stages that read each argument of the step that is trained.
fn readers(step: &Step<'_>, stage: &[Option<usize>], count: usize) -> Vec<BTreeSet<usize>> {
    let args = step.function.args();
    let mut found = vec![BTreeSet::new(); args.len()];
    for own in 0..count {
        let insts: BTreeSet<usize> = (0..stage.len()).filter(|at| stage[*at] == Some(own)).collect();
        for index in closure::closure(step, &insts, &BTreeSet::new()).arguments {
            if step.is_parameter[index] {
                found[index].insert(own);
            }
        }
    }
    found
}

/// Whether an instruction behind the loop is made by everyone who reads it: it reads small values alone.
pub(crate) fn is_made_anywhere(step: &Step<'_>, inst: InstId) -> bool {
    !step.is_behind(inst) || step.reads(inst).iter().all(|value| is_small(step, *value))
}

/// Returns whether a value is so small that it is handed to whoever reads it.
pub fn is_small(step: &Step<'_>, value: ValueId) -> bool {
    step.body().ty(value).num_bytes() <= SMALL
}

struct Placing<'s, 'a> {
    step: &'s Step<'a>,
    /// The stage that has a value.
    home: BTreeMap<ValueId, usize>,
    stage: BTreeMap<InstId, usize>,
}

impl Placing<'_, '_> {
    fn place(&mut self) {
        let step = self.step;
        let placed: BTreeSet<InstId> =
            step.behind.iter().copied().filter(|inst| !is_made_anywhere(step, *inst)).collect();
        let in_order = || step.behind.iter().filter(|inst| placed.contains(inst));
        loop {
            let before = self.stage.len();
            for inst in in_order() {
                if !self.stage.contains_key(inst)
                    && let Some(stage) = self.where_most_is(*inst)
                {
                    self.put(*inst, stage);
                }
            }
            for inst in in_order().rev() {
                let Some(stage) = self.stage.get(inst).copied() else { continue };
                for maker in step.reads(*inst).into_iter().filter_map(|value| step.maker(value)) {
                    if placed.contains(&maker) && !self.stage.contains_key(&maker) {
                        self.put(maker, stage);
                    }
                }
            }
            if self.stage.len() == before {
                break;
            }
        }
        for inst in placed {
            self.stage.entry(inst).or_insert(0);
        }
    }

    fn put(&mut self, inst: InstId, stage: usize) {
        self.stage.insert(inst, stage);
        for result in &self.step.body().insts[inst].results {
            self.home.insert(*result, stage);
        }
    }

    /// The stage that has most bytes of what an instruction reads, the first of several.
    fn where_most_is(&self, inst: InstId) -> Option<usize> {
        let mut bytes: BTreeMap<usize, usize> = BTreeMap::new();
        for value in self.step.reads(inst) {
            let size = self.step.body().ty(value).num_bytes();
            if let Some(home) = self.home.get(&value).filter(|_| size > SMALL) {
                *bytes.entry(*home).or_default() += size;
            }
        }
        bytes
            .into_iter()
            .max_by_key(|(stage, bytes)| (*bytes, std::cmp::Reverse(*stage)))
            .map(|(stage, _)| stage)
    }
}

/// The first round in which each stage can have what each instruction behind the loop makes.
struct Rounds<'s, 'a> {
    step: &'s Step<'a>,
    count: usize,
    of_inst: BTreeMap<InstId, Vec<usize>>,
}

impl<'s, 'a> Rounds<'s, 'a> {
    fn new(step: &'s Step<'a>, stage: &BTreeMap<InstId, usize>, count: usize) -> Self {
        let mut rounds = Self { step, count, of_inst: BTreeMap::new() };
        for inst in &step.behind {
            let read = step.reads(*inst);
            let made = |stage: usize| read.iter().map(|value| rounds.of(*value, stage)).max().unwrap_or(0);
            let row = match stage.get(inst) {
                Some(home) => {
                    let own = made(*home);
                    (0..count).map(|stage| if stage == *home { own } else { own + 1 }).collect()
                }
                None => (0..count).map(made).collect(),
            };
            rounds.of_inst.insert(*inst, row);
        }
        rounds
    }

    /// Accumulators are handed over before the first round.
    fn of(&self, value: ValueId, stage: usize) -> usize {
        let maker = self.step.maker(value);
        maker.and_then(|maker| self.of_inst.get(&maker)).map_or(0, |row| row[stage])
    }

    /// Where a result of the step is given: where it is made, or as soon as possible.
    fn result(
        &self,
        value: ValueId,
        sites: &BTreeMap<InstId, Site>,
        home: &BTreeMap<ValueId, usize>,
    ) -> Site {
        if let Some(site) = self.step.maker(value).and_then(|maker| sites.get(&maker)) {
            return *site;
        }
        if let Some(stage) = home.get(&value) {
            return Site { stage: *stage, round: 0 };
        }
        // What is made anywhere is given where most of what it is made from is, if that is not later.
        let leaves = self.leaves(value);
        let missing = |stage: usize| leaves.iter().filter(|leaf| home.get(leaf) != Some(&stage)).count();
        let site = |stage: usize| Site { stage, round: self.of(value, stage) };
        let sites = (0..self.count).map(site);
        sites.min_by_key(|site| (site.round, missing(site.stage))).unwrap_or(Site { stage: 0, round: 0 })
    }

    /// The values that stages have, of those that a value made anywhere is made from.
    fn leaves(&self, value: ValueId) -> BTreeSet<ValueId> {
        let (mut open, mut seen) = (vec![value], BTreeSet::new());
        while let Some(value) = open.pop() {
            let maker = self.step.maker(value).filter(|inst| self.step.is_behind(*inst));
            if seen.insert(value)
                && let Some(inst) = maker.filter(|inst| is_made_anywhere(self.step, *inst))
            {
                open.extend(self.step.reads(inst));
            }
        }
        seen
    }
}
