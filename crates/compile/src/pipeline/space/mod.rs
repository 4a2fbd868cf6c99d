//! Which pipeline is fastest: numbers of groups, microbatches and stages of each group, schedule, mesh inside of groups, and
//! what runs again in the backward pass.
//!
//! Input: a verified program, a machine, the numbers that there are to choose from. Output: [`PipelinePlan`].
//!
//! 1. Equal segments are one: all that follows is asked of a step with each kind of layer once or twice ([`short`]).
//! 2. For each number of groups and of microbatches that step is sharded over the devices of one group, each segment counted
//!    as often as the whole step has it, and its segments are priced ([`segments`]). The dual bound of that problem is one of
//!    all pipelines of these numbers; combinations that cannot beat the best so far are left, most of them before
//!    anything is sharded.
//! 3. For each schedule the segments are put into stages whose longest is shortest within the memory that the microbatches
//!    in flight leave ([`cuts`]), and the table is simulated with its phases, transfers and update.
//! 4. What is claimed is computed again ([`check`]).
//!
//! Combinations with the smallest bounds come first. Each is only looked over; the winner is sharded thoroughly.

mod admitted;
mod at_its_way;
pub(super) mod beside;
mod check;
mod chosen;
mod combinations;
mod cuts;
mod ends_of_layers;
#[cfg(test)]
mod exhaustive;
mod experts;
mod given;
mod kinds;
mod lacking;
mod made_anew;
mod meanwhile;
mod numbers;
mod paths;
#[cfg(test)]
mod placements;
mod scheduled;
mod segments;
mod short;
pub(super) mod slices;
mod spread;
mod tables;
mod thorough;
mod timed;
mod weighed;
mod within;

use meshwright_cost::reshard::Planner;
use meshwright_ir::control::Control;
use meshwright_ir::program::Program;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_schedule::{Named, Stages, named};
use meshwright_search::{Constraints, Facts};
use std::sync::Arc;

use super::stay_gathered::Copied;
use super::transfers::Links;
use super::{PartsOf, ScheduleChoice, refused};
use crate::error::CompileError;
use crate::options::{Effort, Options};
use crate::ways;
use chosen::Sharded;
pub(super) use chosen::Whole;
use combinations::{Combination, Walk};
use cuts::Chain;
pub(crate) use cuts::Cutting;
pub(crate) use given::{GivenPipelines, Row, Segmented};
pub(super) use kinds::{COMMUNICATION, by_kind};
use lacking::Lacking;
pub(crate) use meanwhile::Other;
pub(super) use numbers::of_one_copy;
pub use numbers::{Numbers, PipelineSpace};
use paths::Pathless;
use scheduled::{AllTables, Scheduled, Schedules, Tables};
pub(crate) use segments::GATHERS_AGAIN;
use segments::{Apart, Group, Segments};
use short::Short;
pub(super) use short::at_all_places;
pub(crate) use slices::pipeline_plan_beside;
pub(super) use spread::Spread;
use timed::{BestTried, Found, Timed, Tried};
pub use weighed::{PipelinePlan, Weighed, WeighedFate, Weighing};
use within::Within;

/// A pipeline that takes less than so many times what the next one may is good.
const GOOD: f64 = 1.5;

/// Groups of so few devices have few meshes.
pub(crate) const FEW_DEVICES: usize = 8;

/// Searches for the fastest pipeline; none if none takes less than what the space says.
///
/// # Errors
/// [`CompileError::Options`]: no combination of the numbers is possible; otherwise as of [`super::pipeline`].
/// [`CompileError::NotAllowed`]: none fits. [`CompileError::Interrupted`]: before any was found.
pub fn pipeline_plan(
    program: &Program,
    machine: &Machine,
    options: &Options,
    space: &PipelineSpace,
    control: &dyn Control,
) -> Result<Option<PipelinePlan>, CompileError> {
    pipeline_plan_beside(program, machine, options, space, control, &|_| None)?.plan()
}

/// What a search found among microbatches, among slices, or among both.
pub(crate) struct Among {
    /// The best pipeline, if one takes less than what is known.
    pub(crate) plan: Option<PipelinePlan>,
    /// Every combination of groups and microbatches, or slices.
    pub(crate) weighed: Vec<Weighed>,
    /// What was left out.
    pub(crate) left_out: Option<String>,
    /// Why there is none, where that is for want of memory or for what is allowed.
    pub(crate) refusal: Option<CompileError>,
    /// Examples of a step, or tokens of a sequence.
    examples: usize,
}

impl Among {
    /// What a search of a step found.
    fn of(
        short: &Short,
        plan: Option<PipelinePlan>,
        weighed: Vec<Weighed>,
        refusal: Option<CompileError>,
    ) -> Self {
        Self { plan, weighed, left_out: None, refusal, examples: short.batch }
    }

    /// The plan, if there is one.
    ///
    /// # Errors
    /// Nothing fits, or what is allowed leaves nothing.
    fn plan(self) -> Result<Option<PipelinePlan>, CompileError> {
        match self.refusal {
            Some(refusal) => Err(refusal),
            None => Ok(self.plan),
        }
    }
}

/// Searches among microbatches of the batch, or slices of the sequence, for what takes less than is known; where nothing fits,
/// among pipelines whose stages keep no copies of parameters.
fn among(
    (program, machine, options, space, parts_of): (&Program, &Machine, &Options, &PipelineSpace, PartsOf),
    to_beat: Option<Seconds>,
    control: &dyn Control,
    other: Other<'_>,
) -> Result<Among, CompileError> {
    let found = among_so((program, machine, options, space, parts_of), to_beat, control, other)?;
    let needed = found.weighed.iter().filter_map(|own| match own.fate {
        WeighedFate::DoesNotFit(needed) => needed,
        _ => None,
    });
    let limit = options.memory_limit_on(machine);
    let may_fit = needed.min().is_some_and(|needed| given::may_fit_without_copies(needed, limit));
    let has_copies = Copied::of(options) == Copied::Once;
    if found.plan.is_some() || found.refusal.is_none() || !may_fit || !has_copies {
        return Ok(found);
    }
    let options = &Options { converts_again: true, ..options.clone() };
    // Nothing else does the work: it was asked for before.
    let again = among_so((program, machine, options, space, parts_of), to_beat, control, &|_| None)?;
    Ok(if again.plan.is_some() { again } else { found })
}

/// The same of pipelines whose stages make copies of parameters, or not, as the options say.
fn among_so(
    (program, machine, options, space, parts_of): (&Program, &Machine, &Options, &PipelineSpace, PartsOf),
    to_beat: Option<Seconds>,
    control: &dyn Control,
    other: Other<'_>,
) -> Result<Among, CompileError> {
    ways::suit(&options.allowed, machine, program)?;
    let short = Arc::new(Short::of(program, parts_of, options, machine)?);
    // Who asks for no stages may want the time of one forward pass, not as many as possible in a time.
    if space.is_short && options.allowed.leave_one_group() && !short.trains {
        return Ok(Among::of(&short, None, Vec::new(), Some(refused::nothing_to_cut())));
    }
    let looked_over = Options { effort: Effort::Look, ..options.clone() };
    let mut search = Search {
        program,
        machine,
        options: &looked_over,
        space,
        short: &short,
        reshards: Planner::default(),
        control,
        best: None,
        to_beat,
        whole: Vec::new(),
        pathless: Vec::new(),
        lacking: Lacking::new(options.memory_limit_on(machine), machine.num_devices()),
        closest: None,
        lacks: false,
        allowed: options.allowed.apart().0,
    };
    let open = search.combinations()?;
    if open.is_empty() {
        return Ok(Among::of(&short, None, Vec::new(), None));
    }
    let mut walk = Walk::new(&open, machine.num_devices(), space.is_short);
    search.walked(&mut walk, &open, Search::is_good)?;
    let effort = if options.effort == Effort::Thorough { Effort::Again } else { options.effort };
    let thorough = Options { effort, ..options.clone() };
    search.beside(walk, other, &|search, walk| search.of_the_rest(walk, &open, &thorough))
}

/// The schedules that are asked for: of slices there is one.
fn schedules_of(space: &PipelineSpace, parts_of: PartsOf) -> Vec<Named> {
    match parts_of {
        PartsOf::Batch => space.schedules.clone(),
        PartsOf::Sequence => named(super::SLICES).into_iter().collect(),
    }
}

/// Seconds that further pipelines have to beat.
fn best_of(found: Option<&PipelinePlan>, below: Option<f64>) -> Option<f64> {
    found.map(|found| found.figures.step().0).or(below)
}

#[derive(Clone)]
struct Search<'a> {
    program: &'a Program,
    machine: &'a Machine,
    options: &'a Options,
    space: &'a PipelineSpace,
    short: &'a Arc<Short>,
    /// Remembers reshards from one combination to the next.
    reshards: Planner,
    control: &'a dyn Control,
    best: Option<PipelinePlan>,
    /// What something that is no pipeline takes.
    to_beat: Option<Seconds>,
    /// What groups and microbatches take at least on the devices of one group, however much memory these have.
    whole: Vec<(usize, usize, Seconds)>,
    /// Combinations whose paths were not looked at.
    pathless: Vec<Pathless>,
    /// What does not fit.
    lacking: Lacking,
    /// What the pipeline needs that needs least of those that do not fit, with its groups and microbatches.
    closest: Option<(Bytes, usize, usize)>,
    /// Whether some pipelines would take less if there were more memory.
    lacks: bool,
    /// What is said of stages.
    allowed: Constraints,
}

impl Search<'_> {
    /// Bytes of each device that may be used.
    fn limit(&self) -> Bytes {
        self.options.memory_limit_on(self.machine)
    }

    /// What the best pipeline so far takes.
    fn best_seconds(&self) -> Option<Seconds> {
        self.best.as_ref().map(|best| best.figures.step())
    }

    /// Seconds that a pipeline has to beat.
    fn below(&self) -> Option<f64> {
        let known = self.best_seconds().into_iter().chain(self.to_beat);
        known.map(|seconds| seconds.0).reduce(f64::min)
    }

    /// Whether something that is no pipeline may as well be looked for before so many groups and microbatches are looked at.
    fn is_good(&self, next: &Combination) -> bool {
        next.turn.is_none() && self.best_seconds().is_some_and(|best| best.0 < GOOD * next.bound)
    }

    /// Looks at one combination after the other, as far as one before which it is `enough`.
    fn walked(
        &mut self,
        walk: &mut Walk<'_>,
        open: &[Combination],
        enough: impl Fn(&Self, &Combination) -> bool,
    ) -> Result<(), CompileError> {
        while let Some(number) = walk.next(self.best.as_ref()) {
            if enough(self, &open[number]) {
                break;
            }
            self.control.progress("pipelines", walk.weighed().count(), open.len());
            if self.control.should_stop() {
                break;
            }
            match self.unsharded(&open[number]) {
                Some(weighed) => walk.leave(number, weighed),
                None => walk.note(number, self.weigh(&open[number])?),
            }
        }
        Ok(())
    }

    /// What is known of a combination that was not looked at.
    fn unweighed(&self, open: &Combination, below: Option<f64>) -> Weighed {
        let least = open.bound.max(self.known(open));
        let is_left = below.is_some_and(|below| least >= below);
        let fate = if is_left { WeighedFate::Left } else { WeighedFate::Passed };
        let (groups, microbatches) = (open.groups, open.cut.microbatches);
        Weighed { groups, microbatches, parts_of: self.short.parts_of, bound: Seconds(least), fate }
    }

    /// What is known of a combination without sharding it, if that is enough: it takes too long, or needs too much.
    fn unsharded(&self, open: &Combination) -> Option<Weighed> {
        let known = self.unweighed(open, self.below());
        match known.fate {
            WeighedFate::Left => Some(known),
            _ if self.lacking.is_hopeless(known.groups, known.microbatches) => {
                Some(Weighed { fate: WeighedFate::DoesNotFit(None), ..known })
            }
            _ => None,
        }
    }

    /// Looks at a combination, and keeps what is better than all before.
    fn weigh(&mut self, open: &Combination) -> Result<Weighed, CompileError> {
        let (groups, microbatches) = (open.groups, open.cut.microbatches);
        let parts_of = self.short.parts_of;
        let weighed =
            |bound: f64, fate| Weighed { groups, microbatches, parts_of, bound: Seconds(bound), fate };
        let below = self.below();
        let known = self.with_experts(open, below)?;
        let (found, bound) = match (self.priced(open, best_of(known.as_deref(), below), None)?, known) {
            (Some((Found::Pipeline(found), bound)), _) => (Found::Pipeline(found), bound),
            (other, Some(known)) => {
                let step = known.figures.step().0;
                (Found::Pipeline(known), other.map_or(0.0, |(_, bound)| bound.min(step)))
            }
            (Some(other), None) => other,
            (None, None) => return Ok(weighed(open.bound, WeighedFate::Impossible)),
        };
        let bound = bound.max(open.bound);
        let found = match found {
            Found::Pipeline(found) => *found,
            Found::Slower => return Ok(weighed(bound, WeighedFate::Beaten)),
            Found::Needs(bytes) => {
                self.lacking.note(groups, microbatches, bytes);
                let own = (bytes, groups, microbatches);
                self.closest = self.closest.into_iter().chain([own]).filter(|own| own.0.0 < u64::MAX).min();
                let needed = Some(bytes).filter(|bytes| bytes.0 < u64::MAX);
                return Ok(weighed(bound, WeighedFate::DoesNotFit(needed)));
            }
        };
        let seconds = found.figures.step();
        let fate = WeighedFate::Priced(seconds, Some(found.schedule_name()));
        if below.is_none_or(|below| seconds.0 < below) {
            self.best = Some(found);
        }
        Ok(weighed(bound, fate))
    }

    /// What a combination takes at least because the same groups take no less in fewer microbatches ([`paths`]).
    fn known(&self, open: &Combination) -> f64 {
        let is_below = |(groups, count, _): &&(usize, usize, Seconds)| {
            *groups == open.groups && open.cut.microbatches.is_multiple_of(*count)
        };
        let bounds = self.whole.iter().filter(is_below).map(|(.., whole)| open.bound_of(*whole));
        bounds.fold(0.0, f64::max)
    }

    /// The best pipeline of a combination that takes less than `below`, and its bound; none if it cannot be sharded. Where a way
    /// to shard it is `known`, of those that take less, and the bound is 0 if that was found within less memory.
    fn priced(
        &mut self,
        open: &Combination,
        below: Option<f64>,
        known: Option<Sharded>,
    ) -> Result<Option<(Found, f64)>, CompileError> {
        let Self { program, machine, short, .. } = *self;
        let groups = open.groups;
        if !self.has_table(open) {
            return Ok(None);
        }
        let part = refused::part(machine, groups)?;
        let options = &Options { effort: self.effort(open.cut.microbatches, &part), ..self.options.clone() };
        let group = Group { program, short, machine, part: &part, options, reshards: &self.reshards };
        // What all groups take together, if nobody waits but for its first microbatch.
        let of_groups = below.map(|below| Seconds(below * groups as f64 - open.heads));
        let faster_than = of_groups.into_iter().chain(known.map(|known| known.seconds));
        let faster_than = faster_than.reduce(|one, other| if other < one { other } else { one });
        let is_less = |seconds: Seconds| known.is_none_or(|known| seconds < known.seconds);
        let most = self.memory_of_short(groups);
        let at_first = known.map_or(most, |known| known.memory.min(most));
        let mut within = Within::new(at_first, self.limit(), options.effort);
        let (mut bound, mut needed, mut fits) = (0.0, Bytes(u64::MAX), false);
        let (mut first, mut best) = (None, None);
        // Slices wait longer than they work.
        let is_path_known = short.parts_of == PartsOf::Sequence && below.is_some();
        if is_path_known {
            bound = self.bound_by_path(&group, open, within.memory, below)?;
            if below.is_some_and(|below| bound >= below) {
                return Ok(Some((Found::Slower, bound)));
            }
        }
        let Ok(parts) = open.cut.parts(short) else { return Ok(None) };
        let searchable = match group.searchable(&parts, self.control) {
            Ok(searchable) => searchable,
            Err(CompileError::Interrupted) => return Err(CompileError::Interrupted),
            Err(_) => return Ok(None),
        };
        let analysis = searchable.analysis();
        let searches = &searchable.searches(&analysis, self.control);
        let apart = Apart { parts: &parts, analyses: &parts.analyses(machine), searches };
        let schedules = self.named_schedules(open);
        let tables = &AllTables::of(&schedules);
        if below.is_some() && groups > 1 {
            let any = group.segments(apart, Bytes(u64::MAX), faster_than).ok();
            if let Some(segments) = &any {
                self.whole.push((groups, open.cut.microbatches, segments.bound));
                let bound = open.bound_of(segments.bound);
                if below.is_some_and(|below| bound >= below) {
                    return Ok(Some((Found::Slower, bound)));
                }
            }
            first = any.filter(|segments| segments.peak <= within.memory);
        }
        for round in 0.. {
            let memory = within.memory;
            let found = first.take().map(Ok);
            let found = found.unwrap_or_else(|| group.segments(apart, memory, faster_than));
            let mut segments = match found {
                Ok(segments) => segments,
                Err(CompileError::Interrupted) => return Err(CompileError::Interrupted),
                Err(_) if round > 0 => break,
                Err(_) => return Ok(None),
            };
            if !is_less(segments.seconds) {
                return Ok(Some((best.map_or(Found::Slower, Found::Pipeline), bound)));
            }
            if round == 0 && memory == most {
                bound = open.bound_of(segments.bound).max(bound);
                // Tables are simulated sooner than the path is bounded.
                if groups > 1 && !is_path_known {
                    let (microbatches, effort) = (open.cut.microbatches, options.effort);
                    let most = open.most_by_path(segments.seconds);
                    self.pathless.push(Pathless { groups, microbatches, memory, effort, most });
                }
                if below.is_some_and(|below| bound >= below) {
                    return Ok(Some((Found::Slower, bound)));
                }
            }
            let priced = self.on_schedules(open, &segments, tables, best_of(best.as_deref(), below))?;
            self.lacks |= priced.is_short;
            let mut needs = match priced.found {
                Found::Needs(bytes) => Some(bytes),
                Found::Slower => None,
                Found::Pipeline(found) => {
                    best = Some(found);
                    None
                }
            };
            // The step by itself counts time and memory otherwise than its stages do: what it takes to be slower may suit them
            // better.
            let is_wide = priced.is_short || self.is_wide();
            for own in std::mem::take(&mut segments.others).into_iter().filter(|_| is_wide) {
                let own = group.otherwise(apart, own, (segments.bound, segments.memory));
                let below = best_of(best.as_deref(), below);
                match self.on_schedules(open, &own, tables, below)?.found {
                    Found::Pipeline(found) => best = Some(found),
                    Found::Needs(bytes) => needs = needs.map(|known| known.min(bytes)),
                    Found::Slower => {}
                }
            }
            if is_wide && round == 0 {
                for mesh in self.other_meshes(&part, segments.mesh()) {
                    let below = best_of(best.as_deref(), below);
                    let found = self.on_mesh(&mesh, (&group, open, apart), (tables, memory), below)?;
                    best = found.or(best);
                }
            }
            fits |= needs.is_none();
            needed = needs.map_or(needed, |bytes| bytes.min(needed));
            if !within.moves(segments.peak, needs) {
                break;
            }
        }
        let none = if fits { Found::Slower } else { Found::Needs(needed) };
        Ok(Some((best.map_or(none, Found::Pipeline), bound)))
    }

    /// How thoroughly a combination is sharded over the part of the machine that a group has.
    fn effort(&self, microbatches: usize, part: &Machine) -> Effort {
        match self.options.effort {
            Effort::Look => self.look(microbatches, part),
            effort => effort,
        }
    }

    /// Returns whether all is weighed that few devices may do: what was looked over is sharded again.
    fn is_wide(&self) -> bool {
        !self.options.effort.is_look() && self.machine.num_devices() <= FEW_DEVICES
    }

    /// The schedules of a combination.
    fn named_schedules(&self, open: &Combination) -> Schedules {
        Schedules::of(self.schedules(open.groups, open.cut.microbatches))
    }

    /// The best pipeline of all schedules, of which these are the tables, that takes less than `below`.
    fn on_schedules(
        &self,
        open: &Combination,
        segments: &Segments,
        tables: &AllTables<'_>,
        below: Option<f64>,
    ) -> Result<Tried, CompileError> {
        let chain = Chain::new(segments, &self.short.like);
        let mut all = BestTried::default();
        let devices = open.layout.devices();
        let mut links = Links::new(self.machine, &devices);
        for (position, (named, virtual_stages)) in tables.schedules.names.iter().enumerate() {
            let timed = self.timed(open, segments, &chain, *virtual_stages);
            let tables = tables.at(position, &timed.numbers, segments.runs)?;
            let Some(tables) = tables else { continue };
            all.take(timed.plan(ScheduleChoice::Named(*named), tables, all.below(below), &mut links)?);
        }
        if self.space.makes_tables {
            for (table, virtual_stages) in self.own_tables(open, segments, &chain, &mut links) {
                let timed = self.timed(open, segments, &chain, virtual_stages);
                let scheduled = Scheduled::of(table.clone(), segments.runs)?;
                let (choice, tables) = (ScheduleChoice::Table(table), Tables::of(&scheduled)?);
                all.take(timed.plan(choice, &tables, all.below(below), &mut links)?);
            }
        }
        Ok(all.of_all())
    }

    /// What a table of a combination is timed with, whose groups have so many stages each.
    fn timed<'b>(
        &'b self,
        open: &'b Combination,
        segments: &'b Segments,
        chain: &'b Chain<'b>,
        virtual_stages: usize,
    ) -> Timed<'b> {
        let (groups, microbatches) = (open.groups, open.cut.microbatches);
        Timed {
            short: self.short,
            cut: &open.cut,
            segments,
            chain,
            numbers: Stages { groups, virtual_stages, microbatches, layers: Some(chain.len()) },
            limit: self.limit(),
            cutting: &Cutting::Best,
        }
    }

    /// All schedules of microbatches, or that of slices.
    fn all_schedules(&self) -> Vec<Named> {
        match self.short.parts_of {
            PartsOf::Batch => self.space.all_schedules(),
            PartsOf::Sequence => schedules_of(self.space, PartsOf::Sequence),
        }
    }

    /// Whether so many groups with so many stages each are allowed.
    fn allows(&self, stages: (usize, usize)) -> bool {
        let part = refused::part(self.machine, stages.0).ok();
        let facts = part.map(|part| Facts::of_stages(stages, self.machine, &part));
        facts.is_some_and(|facts| self.allowed.broken(&facts).is_none())
    }
}
