//! Pipelines whose degrees are given: the rows of a grid that have several groups.
//!
//! Input: a program, a machine, numbers of groups and microbatches, and ways. Output: a [`Row`] for each way. The step with
//! each kind of layer once or twice ([`short`](super::short)) is sharded over the devices of a group as the way says; its
//! segments are put into stages, and the table is simulated, as for pipelines that are searched.

use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::figures::Share;
use meshwright_schedule::{Named, Stages, named};
use meshwright_search::ParallelDegrees;
use rayon::prelude::*;
use std::sync::Arc;

use super::cuts::{Chain, Cutting};
use super::ends_of_layers::EndsOfLayers;
use super::kinds::by_kind;
use super::scheduled::{Scheduled, Tables};
use super::segments::{Segments, ShortCut};
use super::short::Short;
use super::timed::Found;
use super::{PipelinePlan, Timed};
use crate::error::CompileError;
use crate::microbatch_size::must_share;
use crate::options::{GroupHosts, Options};
use crate::pipeline::inner::{Inner, InnerWays};
use crate::pipeline::layout::{Layout, hosts_of_groups};
use crate::pipeline::searchable::Searched;
use crate::pipeline::stay_gathered::Copied;
use crate::pipeline::transfers::Links;
use crate::pipeline::wanted::Runs;
use crate::pipeline::{PartsOf, ScheduleChoice, refused};

/// Schedules of groups with one stage, and with several.
const SCHEDULES: [&str; 2] = ["1f1b", "interleaved-1f1b"];

/// A program of which pipelines are priced.
pub(crate) struct GivenPipelines<'a> {
    program: &'a Program,
    machine: &'a Machine,
    options: Options,
    short: Arc<Short>,
}

/// A way as a pipeline.
pub(crate) enum Row {
    /// What it takes, and seconds of one device by kind of work, on average over groups.
    Plan(Box<PipelinePlan>, Vec<Share>),
    /// A group needs so much of each device.
    DoesNotFit(Bytes),
    /// Why there is no such pipeline.
    Refused(String),
    /// It was not priced: somebody asked for the end before.
    Unpriced,
}

impl Row {
    /// Those that are better come first: the fastest plan, then what needs least.
    fn rank(&self) -> (u8, f64, u64) {
        match self {
            Self::Plan(plan, _) => (0, plan.figures.step().0, 0),
            Self::DoesNotFit(peak) => (1, 0.0, peak.0),
            Self::Refused(_) => (2, 0.0, 0),
            // What is not known of one place leaves the best of all places open.
            Self::Unpriced => (0, f64::NEG_INFINITY, 0),
        }
    }
}

impl<'a> GivenPipelines<'a> {
    /// Those of a verified program. Of `options` count kernels, memory limit and what is made again.
    ///
    /// # Errors
    /// A step that cannot be cut, a local program.
    pub(crate) fn of(
        program: &'a Program,
        machine: &'a Machine,
        options: &Options,
    ) -> Result<Self, CompileError> {
        let short = Arc::new(Short::of(program, PartsOf::Batch, options, machine)?);
        Ok(Self { program, machine, options: options.clone(), short })
    }

    /// Examples of a step.
    pub(crate) fn batch(&self) -> usize {
        self.short.batch
    }

    /// Refuses a number of microbatches into which the step cannot be cut.
    ///
    /// # Errors
    /// Why it cannot.
    pub(crate) fn must_be_cut(&self, microbatches: usize) -> Result<(), CompileError> {
        ShortCut::of(self.program, &self.short, microbatches, &self.options).map(drop)
    }

    /// Prices pipelines of so many groups and microbatches; `goes_on` is asked in front of every row, and those behind the first
    /// `false` are left.
    ///
    /// # Errors
    /// A table that is wrong; what stands in the way of a single pipeline is in its row.
    pub(crate) fn priced(
        &self,
        groups: usize,
        microbatches: usize,
        ways: &[ParallelDegrees],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Row>, CompileError> {
        let limit = self.options.memory_limit_on(self.machine);
        let on = |hosts: Option<usize>| {
            self.rows(&self.segmented_on((groups, hosts), microbatches, ways, goes_on)?, limit)
        };
        // One group lies on all hosts.
        let mut rows = match self.options.group_hosts {
            Some(GroupHosts::Number(hosts)) if groups > 1 => on(Some(hosts))?,
            Some(GroupHosts::Search) if groups > 1 => self.on_all_hosts(groups, ways.len(), &on)?,
            _ => on(None)?,
        };
        self.without_copies((groups, microbatches), ways, goes_on, &mut rows)?;
        Ok(rows)
    }

    /// Puts pipelines whose stages keep no copies of parameters in the place of those that do not fit, where they do.
    fn without_copies(
        &self,
        (groups, microbatches): (usize, usize),
        ways: &[ParallelDegrees],
        goes_on: &(dyn Fn() -> bool + Sync),
        rows: &mut [Row],
    ) -> Result<(), CompileError> {
        let limit = self.options.memory_limit_on(self.machine);
        let may_fit =
            |row: &Row| matches!(row, Row::DoesNotFit(needed) if may_fit_without_copies(*needed, limit));
        let open: Vec<usize> = (0..rows.len()).filter(|at| may_fit(&rows[*at])).collect();
        if open.is_empty() || Copied::of(&self.options) == Copied::Anew {
            return Ok(());
        }
        let options = Options { converts_again: true, ..self.options.clone() };
        let anew = Self { options, short: self.short.clone(), ..*self };
        let own: Vec<ParallelDegrees> = open.iter().map(|at| ways[*at]).collect();
        for (at, row) in open.into_iter().zip(anew.priced(groups, microbatches, &own, goes_on)?) {
            if matches!(row, Row::Plan(..)) {
                rows[at] = row;
            }
        }
        Ok(())
    }

    /// The rows of ways that have their groups and microbatches in common. Those of as many stages share their tables.
    fn rows(
        &self,
        all: &[Option<Result<Segmented, String>>],
        limit: Bytes,
    ) -> Result<Vec<Row>, CompileError> {
        let mut numbered: Vec<(Named, Stages, Runs)> = Vec::new();
        let mut opened: Vec<Result<(&Segmented, usize), Row>> = Vec::with_capacity(all.len());
        for own in all {
            let found = match own {
                Some(Ok(segmented)) => self.numbers(segmented).map(|numbers| (segmented, numbers)),
                Some(Err(why)) => Err(Row::Refused(why.clone())),
                None => Err(Row::Unpriced),
            };
            opened.push(found.map(|(segmented, (named, numbers))| {
                let stages = |own: &Stages| (own.virtual_stages, own.layers);
                let known = numbered.iter().position(|(_, own, _)| stages(own) == stages(&numbers));
                let number = known.unwrap_or_else(|| {
                    numbered.push((named, numbers, segmented.segments.runs));
                    numbered.len() - 1
                });
                (segmented, number)
            }));
        }
        let scheduled = |(named, numbers, runs): &(Named, Stages, Runs)| match named.table(numbers) {
            Ok(table) => Scheduled::of(table, *runs).map(Ok),
            Err(refusal) => Ok(Err(refusal.rule)),
        };
        let scheduled: Vec<_> = numbered.par_iter().map(scheduled).collect::<Result<_, CompileError>>()?;
        let tables: Vec<Result<Tables<'_>, &String>> = scheduled
            .par_iter()
            .map(|own| own.as_ref().map_or_else(|rule| Ok(Err(rule)), |own| Tables::of(own).map(Ok)))
            .collect::<Result<_, CompileError>>()?;
        let row = |opened: Result<(&Segmented, usize), Row>| match opened {
            Ok((segmented, number)) => match (&tables[number], self.cutting(segmented)) {
                (Ok(tables), Ok(cutting)) => {
                    let (named, numbers, _) = numbered[number];
                    self.timed(segmented, (named, numbers), tables, (&cutting, limit))
                }
                (Err(rule), _) => Ok(Row::Refused((*rule).clone())),
                (_, Err(row)) => Ok(row),
            },
            Err(row) => Ok(row),
        };
        opened.into_par_iter().map(row).collect()
    }

    /// The best row of each way on as many hosts as groups can be on.
    fn on_all_hosts(
        &self,
        groups: usize,
        ways: usize,
        on: &dyn Fn(Option<usize>) -> Result<Vec<Row>, CompileError>,
    ) -> Result<Vec<Row>, CompileError> {
        let mut best: Vec<(Row, Vec<(usize, Seconds)>)> = Vec::new();
        for hosts in hosts_of_groups(self.machine, groups) {
            let step = |row: &Row| match row {
                Row::Plan(plan, _) => Some((hosts, plan.figures.step())),
                _ => None,
            };
            let found = on(Some(hosts))?.into_iter().map(|row| (step(&row), row));
            if best.is_empty() {
                best = found.map(|(step, row)| (row, step.into_iter().collect())).collect();
                continue;
            }
            for ((best, weighed), (step, row)) in best.iter_mut().zip(found) {
                weighed.extend(step);
                if row.rank() < best.rank() {
                    *best = row;
                }
            }
        }
        if best.is_empty() {
            let why = words(&refused::hosts_to_choose(self.machine, groups));
            return Ok((0..ways).map(|_| Row::Refused(why.clone())).collect());
        }
        let with = |(mut row, weighed): (Row, Vec<(usize, Seconds)>)| {
            if let Row::Plan(plan, _) = &mut row {
                plan.weighed_hosts = weighed;
            }
            row
        };
        Ok(best.into_iter().map(with).collect())
    }

    /// The segments of the step in so many microbatches as each way shards them over one of so many groups, or why it does not;
    /// `goes_on` is asked in front of every way.
    ///
    /// # Errors
    /// [`CompileError::Interrupted`]: `goes_on` said `false`.
    pub(crate) fn segmented(
        &self,
        groups: usize,
        microbatches: usize,
        ways: &[ParallelDegrees],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Result<Segmented, String>>, CompileError> {
        let found = self.segmented_on((groups, None), microbatches, ways, goes_on)?;
        found.into_iter().collect::<Option<_>>().ok_or(CompileError::Interrupted)
    }

    /// The same with groups on so many hosts each, or of neighboring devices; none of ways that were left.
    fn segmented_on(
        &self,
        (groups, hosts): (usize, Option<usize>),
        microbatches: usize,
        ways: &[ParallelDegrees],
        goes_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Option<Result<Segmented, String>>>, CompileError> {
        let Self { program, machine, options, short } = self;
        let all = |why: String| Ok(ways.iter().map(|_| Some(Err(why.clone()))).collect());
        let own = Options { group_hosts: hosts.map(GroupHosts::Number), ..options.clone() };
        let layout = match Layout::of(machine, groups, &own) {
            Ok(layout) => Arc::new(layout),
            Err(error) => return all(words(&error)),
        };
        let part = &layout.parts[0];
        let cut = match ShortCut::of(program, short, microbatches, options) {
            Ok(cut) => Arc::new(cut),
            Err(error) => return all(words(&error)),
        };
        let parts = match cut.parts(short) {
            Ok(parts) => parts,
            Err(error) => return all(words(&error)),
        };
        let function = &parts.cut.microbatched.made.function;
        let global = match Inner::unsharded(program, function, &parts.cut.origins, part, options) {
            Ok(global) => global,
            Err(CompileError::Interrupted) => return Err(CompileError::Interrupted),
            Err(error) => return all(words(&error)),
        };
        let inner_ways = match InnerWays::of(&global, function, part, Copied::of(options)) {
            Ok(ways) => ways,
            Err(refusal) => return all(refusal.to_string()),
        };
        let (of_all, analyses) = (parts.of_all(machine), parts.analyses(machine));
        let ends = Arc::new(EndsOfLayers::of(&parts, short));
        let sharded = |inside: ParallelDegrees| -> Result<Sharded, String> {
            let inner = inner_ways.sharded(inside).map_err(|refusal| refusal.to_string())?;
            let by_kind = of_one(&by_kind(&of_all, &inner, part), groups);
            let (bound, seconds) = (Seconds::ZERO, Seconds::ZERO);
            let (peak, memory) = (Bytes(0), Bytes(u64::MAX));
            let searched = Searched { inner, bound, seconds, peak, memory, others: Vec::new() };
            Ok((Arc::new(parts.segments(searched, &analyses, short, machine, part)), by_kind))
        };
        // Ways that differ in the stages of a group alone are sharded alike.
        let of_inside = |alike: &(ParallelDegrees, Vec<usize>)| {
            let (inside, positions) = alike;
            let mut known: Option<Result<Sharded, String>> = None;
            let mut one = |way: ParallelDegrees| {
                if !goes_on() {
                    return None;
                }
                let degrees = way.degrees(machine.num_devices());
                let shared = degrees.map(|degrees| must_share(self.batch(), microbatches, &degrees, groups));
                if let Ok(Err(words)) = shared {
                    return Some(Err(words.join(": ")));
                }
                let (segments, by_kind) = match known.get_or_insert_with(|| sharded(*inside)) {
                    Ok((segments, by_kind)) => (segments.clone(), by_kind.clone()),
                    Err(why) => return Some(Err(why.clone())),
                };
                let (cut, ends, layout) = (cut.clone(), ends.clone(), layout.clone());
                let numbers = (hosts, microbatches);
                Some(Ok(Segmented { way, layout, numbers, cut, segments, by_kind, ends }))
            };
            positions.iter().map(|at| (*at, one(ways[*at]))).collect::<Vec<_>>()
        };
        let mut found: Vec<_> = alike(ways).par_iter().flat_map_iter(of_inside).collect();
        found.sort_unstable_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, found)| found).collect())
    }

    /// Segments of the whole step.
    pub(crate) fn segments(&self) -> usize {
        self.short.like.len()
    }

    /// Units that stages are made of, and ways to keep less that are worth it.
    pub(crate) fn sizes(&self, of: &Segmented) -> (usize, usize) {
        let chain = self.chain(of);
        (chain.len(), chain.ways().len())
    }

    /// Segments whose stages end between layers; at all places that a search has, where these are too few.
    fn chain<'s>(&self, of: &'s Segmented) -> Chain<'s> {
        let are_too_few = of.ends.count() < of.way.groups() * of.way.virtual_stages();
        let is_end = |count: usize| are_too_few || count > 0 && of.ends.is_end[count - 1];
        Chain::new(&of.segments, &self.short.like).ending_at(is_end)
    }

    /// Where the stages of a way end, as far as that is said; or a row that says why they cannot.
    fn cutting(&self, of: &Segmented) -> Result<Cutting, Row> {
        let count = of.way.groups() * of.way.virtual_stages();
        let Some(layers) = self.options.stage_layers.get(&count) else { return Ok(Cutting::Best) };
        let refused = |why: String| Row::Refused(refused::layers_of_stages(layers, of.ends.layers(), &why));
        of.ends.behind(layers).map(Cutting::Behind).map_err(refused)
    }

    /// The schedule of a way, and the numbers that it has; or a row that says why it has none.
    fn numbers(&self, of: &Segmented) -> Result<(Named, Stages), Row> {
        let Segmented { way, numbers: (_, microbatches), .. } = of;
        let (groups, virtual_stages, asked) = (way.groups(), way.virtual_stages(), self.options.schedule);
        if let Some(why) = asked.and_then(|schedule| refused::schedule_of_way(&schedule)) {
            return Err(Row::Refused(why));
        }
        let layers = match of.ends.count() {
            few if few < groups * virtual_stages => of.ends.is_end.len(),
            layers => layers,
        };
        let numbers = Stages { groups, virtual_stages, microbatches: *microbatches, layers: Some(layers) };
        if layers < numbers.count() {
            return Err(Row::Refused(refused::too_many_stages(numbers.count(), layers)));
        }
        let usual = SCHEDULES[usize::from(virtual_stages > 1)];
        Ok((asked.or_else(|| named(usual)).expect("it is one that has a name"), numbers))
    }

    /// The pipeline of segments whose stages are cut so, on devices with so much memory.
    ///
    /// # Errors
    /// A table that is wrong.
    pub(crate) fn pipeline(
        &self,
        of: &Segmented,
        cutting: &Cutting,
        limit: Bytes,
    ) -> Result<Row, CompileError> {
        let (named, numbers) = match self.numbers(of) {
            Ok(found) => found,
            Err(row) => return Ok(row),
        };
        let table = match named.table(&numbers) {
            Ok(table) => table,
            Err(refusal) => return Ok(Row::Refused(refusal.rule)),
        };
        let scheduled = Scheduled::of(table, of.segments.runs)?;
        self.timed(of, (named, numbers), &Tables::of(&scheduled)?, (cutting, limit))
    }

    /// The same with these tables.
    fn timed(
        &self,
        of: &Segmented,
        (named, numbers): (Named, Stages),
        tables: &Tables<'_>,
        (cutting, limit): (&Cutting, Bytes),
    ) -> Result<Row, CompileError> {
        let Self { machine, short, .. } = self;
        let Segmented { layout, numbers: (hosts, _), cut, segments, by_kind, .. } = of;
        let (chain, devices) = (&self.chain(of), layout.devices());
        let mut links = Links::new(machine, &devices);
        let timed = Timed { short, cut, segments, chain, numbers, limit, cutting };
        Ok(match timed.plan(ScheduleChoice::Named(named), tables, None, &mut links)?.found {
            Found::Pipeline(plan) => {
                Row::Plan(Box::new(PipelinePlan { group_hosts: *hosts, ..*plan }), by_kind.clone())
            }
            Found::Needs(Bytes(u64::MAX)) | Found::Slower => {
                Row::Refused(refused::too_many_stages(numbers.count(), chain.len()))
            }
            Found::Needs(peak) => Row::DoesNotFit(peak),
        })
    }
}

/// Whether what needs too much may fit if stages keep no copies of parameters: where both lie alike, these take about half as
/// many bytes as the parameters, and lie beside them.
pub(super) fn may_fit_without_copies(needed: Bytes, limit: Bytes) -> bool {
    needed.0 / 3 <= limit.0 / 2
}

/// Segments of a step that is sharded, and seconds of one device by kind of work, on average over groups.
type Sharded = (Arc<Segments>, Vec<Share>);

/// A step whose segments are priced as a way shards them.
pub(crate) struct Segmented {
    way: ParallelDegrees,
    layout: Arc<Layout>,
    /// Hosts of each group, if that was asked for, and microbatches.
    numbers: (Option<usize>, usize),
    cut: Arc<ShortCut>,
    segments: Arc<Segments>,
    by_kind: Vec<Share>,
    ends: Arc<EndsOfLayers>,
}

/// The positions of ways that are the same inside of a group, by that, in the order in which they come first.
fn alike(ways: &[ParallelDegrees]) -> Vec<(ParallelDegrees, Vec<usize>)> {
    let mut all: Vec<(ParallelDegrees, Vec<usize>)> = Vec::new();
    for (at, way) in ways.iter().enumerate() {
        let inside = way.inside();
        match all.iter_mut().find(|(own, _)| *own == inside) {
            Some((_, positions)) => positions.push(at),
            None => all.push((inside, vec![at])),
        }
    }
    all
}

/// What is in the way, with what to do about it.
fn words(error: &CompileError) -> String {
    match error {
        CompileError::Options(found) | CompileError::NotAllowed(found) => {
            found.hints.iter().fold(found.message.clone(), |message, hint| format!("{message}: {hint}"))
        }
        other => other.to_string(),
    }
}

/// The shares of one of so many groups, on average.
fn of_one(all: &[Share], groups: usize) -> Vec<Share> {
    let share = |share: &Share| Share { seconds: share.seconds / groups as f64, ..share.clone() };
    all.iter().map(share).collect()
}
