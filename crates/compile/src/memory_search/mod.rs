//! Ways to need less memory, where the search may decide them: microbatches, tiles, what is made again for the backward
//! pass, and what lies on the host meanwhile. What is made again may also take less time than to keep it ([`in_less_time`]).
//!
//! Input: a program that does not fit as it is. Output: the plan that takes least of those that fit in other ways. Each
//! way costs time: more microbatches never take less, nor does what is made again beyond what is fastest. So numbers of
//! microbatches are tried from the fewest on, each with as little made again as makes it fit (`least_again`), until a
//! plan takes longer than the one before. Copies from and to the host may take less than what is made again instead, so
//! that is tried with the best of these; where none fits, with all that may lie on the host (`on_host`).
//!
//! Ways are only looked over ([`Effort::Look`]): the one that takes least is searched again then, on all meshes. Where none
//! fits but some nearly do, as on meshes of more axes they may, all are searched thoroughly.

mod ahead;
mod counts;
mod least_again;
mod less_time;
mod on_host;
mod progress;
mod told;

use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_search::meshes;
use meshwright_search::recompute::Named;
use meshwright_search::tiles::Wanted;
use std::cell::RefCell;

use crate::at_once;
use crate::attended::WithKernels;
use crate::does_not_fit::DoesNotFit;
use crate::driver::{Compiled, compile};
use crate::error::{CompileError, NotFaster};
use crate::offload::Offload;
use crate::options::{Effort, Microbatches, Options, Search, Tiles};
use crate::recompute::{Recompute, is_anew, says_so};
use crate::tiled::{may_be_finer, regions};
use crate::transform::flattened;
use ahead::Ahead;
use counts::{counts, replicas};
use least_again::{MadeAgain, Tiling, Tries, least_again};
pub(crate) use less_time::in_less_time;
use on_host::OnHost;
use progress::{OfWay, in_words};
use told::bound_of;

/// The search behind a look has to find a plan that takes by this share longer than that of the look at most: so it finds
/// that one, and a bound, if nothing else.
const AGAIN: f64 = 1e-3;

/// A search behind a look saves no more than this share of the time, as a rule.
const SAVES: f64 = 0.015;

/// A program that is thought to need so many microbatches does not fit in one, whatever is made again.
const HOPELESS: usize = 8;

/// Ways that need more than so many times the memory there is do not fit on other meshes either.
const NEARLY: f64 = 1.5;

/// What the search may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Open {
    microbatches: bool,
    recompute: bool,
    tiles: bool,
    offload: bool,
}

impl Open {
    fn of(options: &Options, machine: &Machine) -> Self {
        // What is given a mesh or a plan is priced as it is, but for what is asked to be searched.
        let is_free = options.search != Some(Search::None)
            && options.mesh.is_none()
            && options.stop_after.is_none()
            && options.plan.is_none();
        let is_open = |is_said: bool, is_asked: bool| match (is_asked, is_said) {
            (true, _) => options.plan.is_none(),
            (false, true) => false,
            (false, false) => is_free,
        };
        let Options { microbatches, recompute, tiles, offload, .. } = options;
        let offload = is_open(offload.is_some(), *offload == Some(Offload::Search));
        Self {
            microbatches: is_open(microbatches.is_some(), *microbatches == Some(Microbatches::Search)),
            recompute: is_open(recompute.is_some(), *recompute == Some(Recompute::Search)),
            tiles: is_open(tiles.is_some(), *tiles == Some(Tiles::Search)),
            offload: offload && machine.device.host.is_some(),
        }
    }
}

/// Returns whether the search may decide microbatches, what is made again, tiles or what lies on the host.
pub fn is_open(options: &Options, machine: &Machine) -> bool {
    let Open { microbatches, recompute, tiles, offload } = Open::of(options, machine);
    microbatches || recompute || tiles || offload
}

/// The best plan of a program that does not fit as it is, in other ways.
///
/// # Errors
/// That it does not fit, if it does not in any way; [`CompileError::Interrupted`].
pub(crate) fn in_other_ways(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
    does_not_fit: CompileError,
) -> Result<Compiled, CompileError> {
    let (function, is_anew) = recomputed_in(program, machine, options)?;
    let open = Open::of(options, machine);
    let again = match is_hull_open(&function, open, options) {
        true => MadeAgain::of(&function, machine),
        false => MadeAgain::default(),
    };
    let looked_over = Options { effort: Effort::Look, ..options.clone() };
    let regions = |wanted: Wanted| match open.tiles {
        true => regions(&function, wanted, machine.device.platform, &|_| true),
        false => Vec::new(),
    };
    let worthwhile = regions(Wanted::Worthwhile);
    let mut ways = Ways {
        program,
        source,
        machine,
        options: looked_over,
        control,
        counts: counts(&function, open, replicas(options, machine)),
        ends: again.ends(is_anew),
        again,
        tiles: (!worthwhile.is_empty()).then_some(Tiles::Most),
        on_host: if open.offload { OnHost::new(&function, machine) } else { OnHost::default() },
        open,
        tried: RefCell::new(Tried::as_it_is(&does_not_fit)),
        ahead: Ahead::default(),
    };
    // What is asked for anew is not what the program does as it is, nor is what is faster with something made again.
    if ways.ends[0] == Recompute::Named(Named::None) {
        ways.learn_as_it_is(&does_not_fit);
    }
    let mut best = ways.best(&does_not_fit)?;
    // What is not worth its time otherwise is where nothing fits without it; tiles are finer then, too.
    let possible = if best.is_none() { regions(Wanted::Possible) } else { Vec::new() };
    let is_more = possible.iter().any(may_be_finer) || possible != worthwhile;
    if best.is_none() && !control.should_stop() && is_more {
        ways.tiles = Some(Tiles::All);
        best = ways.best(&does_not_fit)?;
    }
    if best.is_none() && ways.has_nearly_fit(&does_not_fit) && !control.should_stop() {
        ways.options.effort = Effort::Thorough;
        best = ways.best(&does_not_fit)?;
    }
    match best {
        Some(found) => Ok(ways.told(ways.again(found.attempt))),
        // Ways that were not tried may fit.
        None if control.should_stop() => Err(CompileError::Interrupted),
        None => Err(ways.closest(does_not_fit)),
    }
}

/// The function in which values are made again, and whether what the program itself makes again is decided anew there.
fn recomputed_in(
    program: &Program,
    machine: &Machine,
    options: &Options,
) -> Result<(Function, bool), CompileError> {
    let WithKernels { flat, .. } = WithKernels::of(program, flattened(program)?, machine, options)?;
    let is_anew = is_anew(&flat.function, options);
    Ok((if is_anew { flat.kept().function } else { flat.function }, is_anew))
}

/// A program that does not fit as it is, and what may be decided of it.
struct Ways<'a> {
    program: &'a Program,
    source: &'a Source,
    machine: &'a Machine,
    options: Options,
    control: &'a dyn Control,
    open: Open,
    /// Numbers of microbatches, the fewest first.
    counts: Vec<usize>,
    /// What may be made again; nothing if that is not to be searched.
    again: MadeAgain,
    /// What is made again at the ends of its hull.
    ends: [Recompute; 2],
    /// What runs in tiles where nothing fits without them, if anything may.
    tiles: Option<Tiles>,
    /// What may lie on the host.
    on_host: OnHost,
    tried: RefCell<Tried>,
    ahead: Ahead<'a>,
}

/// What was tried so far.
#[derive(Default)]
struct Tried {
    /// Numbers of microbatches.
    counts: Vec<usize>,
    /// How many ways were compiled.
    ways: usize,
    /// The least of the bounds of all ways.
    bound: Option<f64>,
    /// The least peak of ways that do not.
    peak: Option<Bytes>,
    /// What fits, but takes too long for whoever asked.
    slower: Option<Box<NotFaster>>,
    /// What lacks least on devices of these, and its way in words.
    closest: Option<(Box<DoesNotFit>, String)>,
    /// What does not fit, and what it lacks: the same way is come to from several sides.
    failed: Vec<(Asked, Box<DoesNotFit>)>,
}

impl Tried {
    /// The program as it is, in one microbatch.
    fn as_it_is(does_not_fit: &CompileError) -> Self {
        let bound = match does_not_fit {
            CompileError::DoesNotFit(problem) => problem.bound,
            _ => None,
        };
        Self { counts: vec![1], ways: 1, bound, ..Self::default() }
    }
}

/// What a way asks the compiler for.
#[derive(PartialEq)]
struct Asked {
    microbatches: Option<Microbatches>,
    recompute: Option<Recompute>,
    tiles: Option<Tiles>,
    offload: Option<Offload>,
    faster_than: Option<Seconds>,
    effort: Effort,
}

impl Asked {
    fn of(options: &Options) -> Self {
        let Options { microbatches, tiles, faster_than, effort, .. } = *options;
        let (recompute, offload) = (options.recompute.clone(), options.offload.clone());
        Self { microbatches, recompute, tiles, offload, faster_than, effort }
    }
}

/// One way, but for tiles.
#[derive(Clone)]
struct Way<'a> {
    count: usize,
    recompute: Option<Recompute>,
    offload: Option<&'a Offload>,
    /// Only plans that take less are of interest.
    faster_than: Option<Seconds>,
}

/// A plan, and the options that it was made with.
struct Attempt {
    compiled: Compiled,
    options: Options,
    /// What it lacks without tiles, if that is why there are any.
    lacks: Option<Box<DoesNotFit>>,
}

/// A plan that fits.
struct Found {
    attempt: Attempt,
    /// Its microbatches.
    count: usize,
    /// What it lacks with as many microbatches and the least made again, if that is not the plan itself.
    lacks: Option<Box<DoesNotFit>>,
}

impl Ways<'_> {
    /// The best plan, if any fits.
    ///
    /// # Errors
    /// [`CompileError::Interrupted`], before one is found.
    fn best(&self, does_not_fit: &CompileError) -> Result<Option<Found>, CompileError> {
        let on_device = self.fitting(self.own_offload(), does_not_fit)?;
        // What is not fast enough without the host is not with it.
        self.must_be_faster(on_device.as_ref())?;
        let mut found = match (on_device, self.on_host.kinds.is_empty()) {
            (found, true) => return Ok(found),
            (found, false) => found.map(|found| self.with_some_on_host(found)),
        };
        // What waits in each turn moves only where nothing fits without.
        for kinds in [&self.on_host.kinds, &self.on_host.waiting] {
            if let (None, Some(all)) = (&found, kinds.last()) {
                let with_all = self.fitting(Some(&Offload::kinds(all)), does_not_fit)?;
                self.must_be_faster(with_all.as_ref())?;
                found = with_all.map(|found| self.with_less_on_host(found, kinds));
            }
        }
        Ok(found.map(|found| self.with_least_on_host(found)))
    }

    /// Nothing that fits was found because nothing is fast enough: other ways take no less.
    fn must_be_faster(&self, found: Option<&Found>) -> Result<(), CompileError> {
        let Tried { slower, bound, .. } = &*self.tried.borrow();
        match slower {
            Some(slower) if found.is_none() => {
                // Where its own search says nothing, those of other ways say nothing of all.
                let all = NotFaster { bound: slower.bound.and(*bound), ..NotFaster::clone(slower) };
                Err(CompileError::NotFaster(Box::new(all)))
            }
            _ => Ok(()),
        }
    }

    /// What lies on the host where the search puts nothing there.
    fn own_offload(&self) -> Option<&Offload> {
        if self.open.offload { Some(&Offload::None) } else { self.options.offload.as_ref() }
    }

    /// Takes down that the program does not fit as it is, which is one of the ways.
    fn learn_as_it_is(&self, does_not_fit: &CompileError) {
        let CompileError::DoesNotFit(problem) = does_not_fit else { return };
        let (recompute, offload) = (self.least_recompute(), self.own_offload());
        let as_it_is = Way { count: 1, recompute, offload, faster_than: None };
        let asked = Asked::of(&self.options_of(&as_it_is, self.no_tiles()));
        let mut tried = self.tried.borrow_mut();
        tried.peak = Some(problem.peak);
        tried.failed.push((asked, problem.clone()));
    }

    /// The best plan with this on the host, if any fits: microbatches, tiles and what is made again are tried.
    ///
    /// # Errors
    /// [`CompileError::Interrupted`], before one is found.
    fn fitting(
        &self,
        offload: Option<&Offload>,
        does_not_fit: &CompileError,
    ) -> Result<Option<Found>, CompileError> {
        let (mut best, mut passed): (Option<Found>, Vec<usize>) = (None, Vec::new());
        // How much of the state stays on the device is not known before one is tried.
        let mut least = match offload {
            Some(Offload::These(_)) => 1,
            _ => counts::least(does_not_fit, 1, self.ways()),
        };
        for count in &self.counts {
            // Of a whole batch that nearly fits more may be made again than is thought.
            let is_hopeless = *count > 1 || least >= HOPELESS;
            // The most there are may fit all the same, with more made again than is thought.
            if *count < least && is_hopeless && self.counts.last() != Some(count) {
                passed.push(*count);
                continue;
            }
            let faster_than = best.as_ref().map(|best| before_passes(&best.attempt.compiled));
            match self.in_count(*count, offload, faster_than) {
                Ok(found)
                    if best.as_ref().is_none_or(|best| found.attempt.seconds() < best.attempt.seconds()) =>
                {
                    best = Some(found);
                }
                Err(error @ CompileError::Interrupted) => return best.ok_or(error).map(Some),
                Err(error @ CompileError::DoesNotFit(_)) if best.is_none() => {
                    least = least.max(counts::least(&error, *count, 1));
                }
                // In so many it cannot be cut, or not be shared as asked.
                Err(CompileError::Options(_) | CompileError::Diagnostics(_)) if best.is_none() => {}
                // In fewer microbatches it was faster.
                Ok(_) | Err(_) => break,
            }
        }
        // What was too few by what one batch lacks may do once it is known what more of them take.
        for count in passed.into_iter().rev() {
            let Some(known) = &best else { break };
            match self.in_count(count, offload, Some(before_passes(&known.attempt.compiled))) {
                Ok(found) if found.attempt.seconds() < known.attempt.seconds() => best = Some(found),
                Ok(_) | Err(_) => break,
            }
        }
        Ok(best)
    }

    /// How often what takes the memory may shrink, beside microbatches.
    fn ways(&self) -> usize {
        let again = if self.again.kept.is_empty() { 1 } else { Named::ALL.len() };
        again + usize::from(self.tiles.is_some())
    }

    /// Whether so many microbatches are far too few, whatever is made again; so is what went wrong otherwise.
    fn is_hopeless(&self, error: &CompileError, count: usize) -> bool {
        let is_lack = matches!(error, CompileError::DoesNotFit(_));
        !is_lack || counts::least(error, count, self.ways()) > if count == 1 { HOPELESS } else { count }
    }

    /// The plan in so many microbatches, with as little made again as it takes.
    fn in_count(
        &self,
        count: usize,
        offload: Option<&Offload>,
        faster_than: Option<Seconds>,
    ) -> Result<Found, CompileError> {
        let way = |recompute: Option<Recompute>| Way { count, recompute, offload, faster_than };
        let (attempt, lacks) = match self.again.kept.is_empty() {
            true => self.in_tiles(&way(self.least_recompute()))?.and_lacks(),
            false => {
                let attempt = |again, tiling| match tiling {
                    Tiling::None => self.whole(&way(Some(again))),
                    Tiling::IfNeeded => self.in_tiles(&way(Some(again))),
                };
                let ahead = |both: [&Recompute; 2]| {
                    self.compiled_ahead(
                        both.map(|again| self.options_of(&way(Some(again.clone())), self.no_tiles())),
                    );
                };
                least_again(&self.again, &self.ends, Tries { attempt: &attempt, ahead: &ahead })?
            }
        };
        Ok(Found { attempt, count, lacks })
    }

    /// The plan in one way, in tiles if it does not fit without.
    fn in_tiles(&self, way: &Way<'_>) -> Result<Attempt, CompileError> {
        match self.whole(way) {
            Err(CompileError::DoesNotFit(problem)) if self.tiles.is_some() => {
                match self.compiled(way, self.tiles) {
                    Ok(attempt) => Ok(Attempt { lacks: Some(problem), ..attempt }),
                    Err(CompileError::NotFaster(found)) => {
                        Err(CompileError::NotFaster(Box::new(NotFaster { lacks: Some(problem), ..*found })))
                    }
                    Err(error) => Err(error),
                }
            }
            found => found,
        }
    }

    /// The plan in one way, in no tiles but those that are asked for.
    fn whole(&self, way: &Way<'_>) -> Result<Attempt, CompileError> {
        self.compiled(way, self.no_tiles())
    }

    fn no_tiles(&self) -> Option<Tiles> {
        if self.open.tiles { Some(Tiles::None) } else { self.options.tiles }
    }

    /// The plan in one way.
    fn compiled(&self, way: &Way<'_>, tiles: Option<Tiles>) -> Result<Attempt, CompileError> {
        let options = self.options_of(way, tiles);
        let asked = Asked::of(&options);
        if let Some(lacks) = self.failed(&asked) {
            return Err(CompileError::DoesNotFit(lacks));
        }
        let compiled = self.ahead.take(&asked).unwrap_or_else(|| {
            let control = OfWay::begin(self.control, &options);
            compile(self.program, self.source, self.machine, &options, &control)
        });
        let mut tried = self.tried.borrow_mut();
        let count = way.count;
        if !tried.counts.contains(&count) {
            tried.counts.push(count);
        }
        tried.ways += 1;
        tried.bound = tried.bound.into_iter().chain(bound_of(&compiled)).reduce(f64::min);
        if let Err(CompileError::NotFaster(found)) = &compiled {
            tried.slower = Some(found.clone());
        }
        if let Err(CompileError::DoesNotFit(problem)) = &compiled {
            tried.peak = tried.peak.into_iter().chain([problem.peak]).min();
            let is_closer = tried.closest.as_ref().is_none_or(|(closest, _)| problem.peak < closest.peak);
            if is_closer && problem.host.is_none() {
                tried.closest = Some((problem.clone(), in_words(&options)));
            }
            tried.failed.push((asked, problem.clone()));
        }
        Ok(Attempt { compiled: compiled?, options, lacks: None })
    }

    /// What a way lacks that does not fit, if it was tried.
    fn failed(&self, asked: &Asked) -> Option<Box<DoesNotFit>> {
        let tried = self.tried.borrow();
        tried.failed.iter().find(|(failed, _)| failed == asked).map(|(_, lacks)| lacks.clone())
    }

    /// Compiles two ways at the same time that are tried one after the other, if both are still to be tried.
    fn compiled_ahead(&self, both: [Options; 2]) {
        let is_known = |options: &Options| self.failed(&Asked::of(options)).is_some();
        if at_once::is_possible(self.control) && !both.iter().any(is_known) && !self.control.should_stop() {
            self.ahead.compile((self.program, self.source, self.machine), both, self.control);
        }
    }

    /// What the compiler is asked for in one way.
    fn options_of(&self, way: &Way<'_>, tiles: Option<Tiles>) -> Options {
        let Way { count, recompute, offload, faster_than } = way.clone();
        let microbatches = match self.open.microbatches {
            true => Some(Microbatches::Number(count)),
            false => self.options.microbatches,
        };
        let faster_than = faster_than.or(self.options.faster_than);
        let offload = offload.cloned();
        Options { microbatches, recompute, tiles, offload, faster_than, ..self.options.clone() }
    }

    /// What lacks least of all that was tried, the program as it is included.
    fn closest(&self, as_it_is: CompileError) -> CompileError {
        let CompileError::DoesNotFit(problem) = as_it_is else { return as_it_is };
        let is_closer =
            |(closest, _): &(Box<DoesNotFit>, String)| problem.host.is_none() && closest.peak < problem.peak;
        let Tried { closest, bound, .. } = self.tried.take();
        let closest = match closest.filter(is_closer) {
            Some((closest, way)) => Box::new(closest.in_way(&way, problem.peak)),
            None => problem,
        };
        CompileError::DoesNotFit(Box::new(DoesNotFit { bound, ..*closest }))
    }

    /// Whether a way that was looked over lacks so little that it may fit on other meshes.
    fn has_nearly_fit(&self, does_not_fit: &CompileError) -> bool {
        let (CompileError::DoesNotFit(problem), Some(peak)) = (does_not_fit, self.tried.borrow().peak) else {
            return false;
        };
        self.has_other_meshes() && peak.0 as f64 <= NEARLY * problem.limit.0 as f64
    }

    /// Whether there are meshes that are not looked at.
    fn has_other_meshes(&self) -> bool {
        let all = meshes(self.machine);
        self.options.mesh.is_none() && Effort::Look.meshes(&all).len() < all.len()
    }

    /// The best plan in the way of one that was looked over.
    fn again(&self, looked_over: Attempt) -> Compiled {
        let Attempt { compiled, options, .. } = looked_over;
        let is_slow = options.known.is_some_and(|known| seconds(&compiled) > known.0 * (1.0 + SAVES));
        if options.effort == Effort::Thorough || is_slow || self.control.should_stop() {
            return compiled.proved();
        }
        let faster_than = Some(before_passes(&compiled) * (1.0 + AGAIN));
        let options = Options { effort: Effort::Again, faster_than, ..options };
        match compile(self.program, self.source, self.machine, &options, self.control) {
            Ok(found) if seconds(&found) <= seconds(&compiled) => found,
            _ => compiled.proved(),
        }
    }

    /// What is made again at least.
    fn least_recompute(&self) -> Option<Recompute> {
        match self.open.recompute {
            true => Some(self.ends[0].clone()),
            false => self.options.recompute.clone(),
        }
    }
}

/// Whether all points of the hull may be tried: not where the program says itself what is made again, unless the search is
/// asked for.
fn is_hull_open(function: &Function, open: Open, options: &Options) -> bool {
    open.recompute && (!says_so(function) || options.recompute.is_some())
}

impl Attempt {
    /// Itself, or another one if that takes less.
    fn or_faster(self, other: Self) -> Self {
        if other.seconds() < self.seconds() { other } else { self }
    }

    /// Itself, and what it lacks without tiles.
    fn and_lacks(mut self) -> (Self, Option<Box<DoesNotFit>>) {
        let lacks = self.lacks.take();
        (self, lacks)
    }

    fn seconds(&self) -> f64 {
        seconds(&self.compiled)
    }

    fn peak_bytes(&self) -> u64 {
        self.compiled.plan.memory.peak_bytes
    }
}

/// The time by which a search compares plans with others.
fn before_passes(compiled: &Compiled) -> Seconds {
    Seconds(compiled.plan.predicted.before_passes_seconds)
}

fn seconds(compiled: &Compiled) -> f64 {
    compiled.plan.predicted.total_seconds
}
