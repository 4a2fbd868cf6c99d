//! Points and their prices, which all procedures share.
//!
//! Input: a program, a machine, options. Output: for a [`Point`] its [`Price`]. The step is taken apart once, its segments are
//! sharded once for each way and number of microbatches, and a point of them is a table with stages that is simulated: as
//! rows of a grid, which run their layers one behind the other.

use meshwright_ir::control::Control;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::DegreeName;
use meshwright_plan::figures::Share;
use meshwright_search::{Facts, ParallelDegrees};
use meshwright_transform::time::divisors;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::error::CompileError;
use crate::options::{Microbatches, Options};
use crate::pipeline::{Cutting, GivenPipelines, PipelinePlan, Row, Segmented};
use crate::recompute::Recompute;

/// Kinds of recomputation that have a name, for the size of the space.
const KINDS: usize = 3;

/// Stages of ZeRO, none included.
const STATES: usize = 4;

/// Degrees of one combination, as procedures vary them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ranks {
    /// Groups of devices.
    pub(super) pp: usize,
    pub(super) tp: usize,
    /// Stage of ZeRO over the replicas.
    pub(super) zero: usize,
}

/// A point: how groups are sharded, in how many microbatches the step runs, and where it is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Point {
    pub(super) ranks: Ranks,
    pub(super) microbatches: usize,
    pub(super) cutting: Cutting,
}

/// What is known of a point.
pub(super) enum Price {
    /// A pipeline, with seconds of a device by kind of work.
    Plan(Box<PipelinePlan>, Vec<Share>),
    /// It needs more memory than there is.
    DoesNotFit,
    /// It is no plan.
    Refused,
}

/// What came nearest to a plan.
pub(super) enum Least {
    /// A point that needs so much, where there is less.
    Needs(String, Bytes, Bytes),
    /// The first that is none, with the reason.
    Refused(String, String),
    /// No point was priced.
    Nothing,
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ranks { pp, tp, zero } = self.ranks;
        write!(f, "pp={pp},tp={tp},zero={zero} in {} microbatches", self.microbatches)
    }
}

/// Prices of one program on one machine.
pub(super) struct Prices<'a> {
    pub(super) program: &'a Program,
    pub(super) machine: &'a Machine,
    pub(super) options: &'a Options,
    pub(super) control: &'a dyn Control,
    /// Memory of a device.
    pub(super) limit: Bytes,
    batch: usize,
    pipelines: BTreeMap<String, GivenPipelines<'a>>,
    /// By what is made again, way and microbatches.
    segmented: BTreeMap<(String, String, usize), Result<Segmented, String>>,
    priced: BTreeSet<String>,
    /// Points that a search of its own priced, of so many.
    elsewhere: Option<(usize, usize)>,
    best: Option<(PipelinePlan, Option<ParallelDegrees>)>,
    least: Least,
    /// What may be made again in the points that follow.
    again: Option<Recompute>,
}

impl<'a> Prices<'a> {
    /// Prices of a program, of which nothing is priced yet.
    ///
    /// # Errors
    /// A step that cannot be cut.
    pub(super) fn of(
        program: &'a Program,
        machine: &'a Machine,
        options: &'a Options,
        control: &'a dyn Control,
    ) -> Result<Self, CompileError> {
        let limit = options.memory_limit_on(machine);
        let mut prices = Self {
            program,
            machine,
            options,
            control,
            limit,
            batch: 1,
            pipelines: BTreeMap::new(),
            segmented: BTreeMap::new(),
            priced: BTreeSet::new(),
            elsewhere: None,
            best: None,
            least: Least::Nothing,
            again: None,
        };
        prices.makes_again(Recompute::Search)?;
        prices.batch = prices.pipelines().batch();
        if let Some(Microbatches::Number(number)) = options.microbatches {
            prices.pipelines().must_be_cut(number)?;
        }
        Ok(prices)
    }

    /// Lets stages of all points from here on make this again; what the caller said goes before.
    ///
    /// # Errors
    /// A step that cannot be cut.
    pub(super) fn makes_again(&mut self, what: Recompute) -> Result<(), CompileError> {
        let what = self.options.recompute.clone().unwrap_or(what);
        let key = what.to_string();
        if !self.pipelines.contains_key(&key) {
            let options = Options { recompute: Some(what.clone()), ..self.options.clone() };
            self.pipelines.insert(key, GivenPipelines::of(self.program, self.machine, &options)?);
        }
        self.again = Some(what);
        Ok(())
    }

    fn again(&self) -> String {
        self.again.as_ref().map(ToString::to_string).unwrap_or_default()
    }

    fn pipelines(&self) -> &GivenPipelines<'a> {
        &self.pipelines[&self.again()]
    }

    /// Points that were priced.
    pub(super) fn priced(&self) -> usize {
        self.elsewhere.map_or(self.priced.len(), |(priced, _)| priced)
    }

    /// Points that there are.
    pub(super) fn space(&self) -> usize {
        if let Some((_, all)) = self.elsewhere {
            return all;
        }
        let counts = self.microbatches().len();
        let again = if self.options.recompute.is_some() { 1 } else { KINDS };
        let ways = |pp: usize| -> usize {
            let devices = self.devices_of(pp);
            divisors(devices).iter().map(|tp| if devices / tp > 1 { STATES } else { 1 }).sum()
        };
        self.groups().into_iter().map(ways).sum::<usize>() * counts * again
    }

    /// Numbers of groups that the devices divide into, none of which has more stages than there are segments.
    pub(super) fn groups(&self) -> Vec<usize> {
        let devices = self.machine.num_devices();
        let most = self.pipelines().segments();
        let is_possible = |groups: &usize| *groups <= most && self.machine.part(devices / groups).is_some();
        divisors(devices).into_iter().filter(is_possible).collect()
    }

    /// Devices of one of so many groups.
    pub(super) fn devices_of(&self, groups: usize) -> usize {
        self.machine.num_devices() / groups
    }

    /// Devices of a host that are in one group.
    pub(super) fn neighbors(&self, groups: usize) -> usize {
        let inner = self.machine.levels().first().map_or(1, |level| level.size);
        inner.min(self.devices_of(groups))
    }

    /// Numbers of microbatches to choose from.
    pub(super) fn microbatches(&self) -> Vec<usize> {
        match self.options.microbatches {
            Some(Microbatches::Number(number)) => vec![number],
            Some(Microbatches::Search) | None => divisors(self.batch),
        }
    }

    /// Numbers of microbatches whose examples so many replicas share evenly.
    pub(super) fn shared_by(&self, replicas: usize) -> Vec<usize> {
        let is_even = |count: &usize| (self.batch / count.max(&1)).is_multiple_of(replicas);
        match self.options.microbatches {
            Some(Microbatches::Number(number)) => vec![number],
            _ => self.microbatches().into_iter().filter(is_even).collect(),
        }
    }

    /// Replicas of a group.
    pub(super) fn replicas(&self, ranks: Ranks) -> usize {
        self.devices_of(ranks.pp) / ranks.tp
    }

    /// The degrees of a point, if the options allow them.
    fn way(&self, ranks: Ranks) -> Option<ParallelDegrees> {
        let Ranks { pp, tp, zero } = ranks;
        let said = [(DegreeName::Tp, tp), (DegreeName::Pp, pp), (DegreeName::Zero, zero)];
        let said: Vec<(DegreeName, usize)> = [(DegreeName::Dp, self.replicas(ranks))]
            .into_iter()
            .chain(said.into_iter().filter(|(name, number)| *number > usize::from(*name != DegreeName::Zero)))
            .collect();
        let way = ParallelDegrees::of(&said).ok()?;
        let facts = Facts::of_way(&way, self.machine).ok()?;
        self.options.allowed.broken(&facts).is_none().then_some(way)
    }

    /// Prices points, in which stages make as little again as fits.
    ///
    /// # Errors
    /// [`CompileError::Interrupted`].
    pub(super) fn price(&mut self, points: &[Point]) -> Result<Vec<Price>, CompileError> {
        self.segment(points)?;
        points.iter().map(|point| self.one(point, self.limit)).collect()
    }

    /// Prices a point whose stages make again what it says, whether that fits or not: [`Price::Plan`] is kept only if it does.
    ///
    /// # Errors
    /// [`CompileError::Interrupted`].
    pub(super) fn price_as_it_is(&mut self, point: &Point) -> Result<Price, CompileError> {
        self.segment(std::slice::from_ref(point))?;
        self.one(point, Bytes(u64::MAX))
    }

    /// Units that stages of a point are made of, and ways to keep less; none if its degrees are no way to shard the step.
    ///
    /// # Errors
    /// [`CompileError::Interrupted`].
    pub(super) fn sizes(&mut self, point: &Point) -> Result<Option<(usize, usize)>, CompileError> {
        self.segment(std::slice::from_ref(point))?;
        let Some(way) = self.way(point.ranks) else { return Ok(None) };
        let found = self.segmented.get(&(self.again(), way.to_string(), point.microbatches));
        if let (Some(Err(why)), Least::Nothing) = (found, &self.least) {
            self.least = Least::Refused(point.to_string(), why.clone());
        }
        let found = self.segmented.get(&(self.again(), way.to_string(), point.microbatches));
        Ok(found.and_then(|own| own.as_ref().ok()).map(|own| self.pipelines().sizes(own)))
    }

    /// Shards the segments that points are made of, all of one number of groups and microbatches at once.
    fn segment(&mut self, points: &[Point]) -> Result<(), CompileError> {
        let again = self.again();
        let mut open: BTreeMap<(usize, usize), Vec<ParallelDegrees>> = BTreeMap::new();
        for point in points {
            let Some(way) = self.way(point.ranks) else { continue };
            let own = open.entry((point.ranks.pp, point.microbatches)).or_default();
            let key = (again.clone(), way.to_string(), point.microbatches);
            if !self.segmented.contains_key(&key) && !own.contains(&way) {
                own.push(way);
            }
        }
        for ((groups, microbatches), ways) in open {
            if ways.is_empty() {
                continue;
            }
            let control = self.control;
            let goes_on = || !control.should_stop();
            let found = self.pipelines().segmented(groups, microbatches, &ways, &goes_on)?;
            for (way, found) in ways.iter().zip(found) {
                self.segmented.insert((again.clone(), way.to_string(), microbatches), found);
            }
        }
        Ok(())
    }

    fn one(&mut self, point: &Point, limit: Bytes) -> Result<Price, CompileError> {
        if self.control.should_stop() {
            return Err(CompileError::Interrupted);
        }
        let again = self.again();
        let Some(way) = self.way(point.ranks) else { return Ok(Price::Refused) };
        self.priced.insert(format!("{point} {again} {:?}", point.cutting));
        self.control.progress("points", self.priced.len(), 0);
        let key = (again, way.to_string(), point.microbatches);
        let row = match &self.segmented[&key] {
            Ok(segmented) => self.pipelines().pipeline(segmented, &point.cutting, limit)?,
            Err(why) => Row::Refused(why.clone()),
        };
        Ok(match row {
            Row::Plan(plan, shares) => {
                match peak(&plan) {
                    needed if needed > self.limit => self.needs(point, needed),
                    _ => self.keep(&plan, Some(way)),
                }
                Price::Plan(plan, shares)
            }
            Row::DoesNotFit(peak) => {
                self.needs(point, peak);
                Price::DoesNotFit
            }
            Row::Refused(why) => {
                if matches!(self.least, Least::Nothing) {
                    self.least = Least::Refused(point.to_string(), why);
                }
                Price::Refused
            }
            Row::Unpriced => return Err(CompileError::Interrupted),
        })
    }

    /// Notes that a point needs more than there is.
    fn needs(&mut self, point: &Point, needed: Bytes) {
        if !matches!(self.least, Least::Needs(_, least, _) if least <= needed) {
            self.least = Least::Needs(point.to_string(), needed, self.limit);
        }
    }

    /// Keeps a plan that fits, if it is the best so far.
    fn keep(&mut self, plan: &PipelinePlan, way: Option<ParallelDegrees>) {
        let key = |plan: &PipelinePlan| (plan.figures.step(), peak(plan));
        let is_better = |best: &PipelinePlan| {
            let (own, other) = (key(plan), key(best));
            own.0.0 < other.0.0 || own.0.0 <= other.0.0 && own.1 < other.1
        };
        if self.best.as_ref().is_none_or(|(best, _)| is_better(best)) {
            self.best = Some((plan.clone(), way));
        }
    }

    /// Takes a plan of a search of its own, which priced so many points of so many.
    pub(super) fn take(&mut self, plan: Option<&PipelinePlan>, priced: usize, all: usize) {
        let (before, of) = self.elsewhere.unwrap_or((0, 0));
        self.elsewhere = Some((before + priced, of + all));
        if let Some(plan) = plan {
            self.keep(plan, None);
        }
    }

    /// Whether there is a plan that fits.
    pub(super) fn has_plan(&self) -> bool {
        self.best.is_some()
    }

    /// The best plan that fits.
    ///
    /// # Errors
    /// What came nearest.
    pub(super) fn into_best(self) -> Result<(PipelinePlan, Option<ParallelDegrees>), Least> {
        self.best.ok_or(self.least)
    }
}

/// Most memory of a device.
pub(super) fn peak(plan: &PipelinePlan) -> Bytes {
    plan.figures.memory().into_iter().max().unwrap_or_default()
}

/// Seconds of a step.
pub(super) fn seconds(plan: &PipelinePlan) -> Seconds {
    plan.figures.step()
}
