//! The step with each kind of layer once or twice: what all combinations of numbers are priced with.
//!
//! Input: a program. Output: [`Short`], with the segments of the whole step as positions among those of the short one, and
//! the ways to keep less of a microbatch, as sets of instructions that run again.

use meshwright_cost::Analysis;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::Program;
use meshwright_machine::{Device, Machine};
use meshwright_search::recompute::{Named, Recomputation};
use meshwright_stage::closure::closure;
use meshwright_stage::{Part, Staged, Step, at, places, shorter, sound};
use meshwright_transform::Flat;
use std::collections::{BTreeMap, BTreeSet};

use crate::error::CompileError;
use crate::options::Options;
use crate::pipeline::cut::{Cut, Layers, Parts, Written};
use crate::pipeline::searchable::StandsFor;
use crate::pipeline::{PartsOf, refused};
use crate::recompute::Recompute;

/// Points of the hull of what is made again that are tried, beside the ways that have a name.
const POINTS: usize = 5;

/// A step with few layers.
#[derive(Clone)]
pub(in crate::pipeline) struct Short {
    pub(in crate::pipeline) written: Written,
    /// For each segment of the whole step, the one that it is like.
    pub(in crate::pipeline) like: Vec<usize>,
    /// What its microbatches are parts of.
    pub(super) parts_of: PartsOf,
    /// Examples of a step, or tokens of a sequence.
    pub(super) batch: usize,
    /// Whether it trains.
    pub(super) trains: bool,
    /// What may run again in the backward pass, the least first; the first is nothing.
    pub(in crate::pipeline) again: Vec<Again>,
}

/// A way to keep less.
#[derive(Clone)]
pub(in crate::pipeline) struct Again {
    /// Its name in the field, or numbers of instructions by kind.
    pub(in crate::pipeline) words: String,
    /// Instructions of the flat function.
    pub(in crate::pipeline) insts: BTreeSet<InstId>,
}

/// A step that is cut at all places.
pub(in crate::pipeline) fn at_all_places(step: &Step<'_>) -> Staged {
    at(step, places::open(step))
}

impl Short {
    /// Errors: as of [`Cut::of`].
    pub(in crate::pipeline) fn of(
        program: &Program,
        parts_of: PartsOf,
        options: &Options,
        machine: &Machine,
    ) -> Result<Self, CompileError> {
        let options = &parts_of.suit(options);
        if let Some((written, layers)) = Written::with_few_layers(program, machine, options)?
            && let Some(short) =
                Self::of_written(program, (written, Some(layers)), parts_of, options, machine)?
        {
            return Ok(short);
        }
        let written = Written::of(program, machine, options)?;
        let short = Self::of_written(program, (written, None), parts_of, options, machine)?;
        Ok(short.expect("it has all layers"))
    }

    /// The same of a step that is written out; none if it has few of the layers, and others do not follow from them.
    fn of_written(
        program: &Program,
        (mut written, layers): (Written, Option<Layers>),
        parts_of: PartsOf,
        options: &Options,
        machine: &Machine,
    ) -> Result<Option<Self>, CompileError> {
        let batch = written.batch().ok_or_else(refused::nothing_to_cut)?;
        let cut = Cut::of_written(program, written.clone(), (1, parts_of), options)?;
        let batch = if parts_of == PartsOf::Sequence { cut.axis().size } else { batch };
        let step = cut.step().map_err(|refusal| cut.refused(&refusal))?;
        // Steps with fewer and with more layers are cut at the same places.
        let between = places::between(&step);
        written.between = Some(between);
        let step = step.cut_at(Some(between));
        let staged = sound(&step, at_all_places(&step)).map_err(|refusal| cut.refused(&refusal))?;
        let trace = &cut.microbatched.made.trace;
        let kinds = shorter::kinds(&cut.flat.function, trace, &step, &staged);
        let stacks = layers.map(|layers| (layers, repeated(&kinds, layers.few)));
        if let Some((_, runs)) = &stacks
            && !are_stacks(&cut.parts, &step, &staged, runs)
        {
            return Ok(None);
        }
        let made = shorter::shorter(&cut.flat.function, trace, &step, &staged).and_then(|short| {
            let written = written.with(Flat::of_made(&cut.flat, short.made));
            let cut = Cut::of_written(program, written.clone(), (1, parts_of), options).ok()?;
            let count = at_all_places(&cut.step().ok()?).count;
            let is_whole = count == short.like.iter().max().map_or(0, |last| last + 1);
            is_whole.then_some((written, short.like, cut))
        });
        let (written, mut like, cut) = match made {
            Some(made) => made,
            None => {
                let like = (0..staged.count).collect();
                (written, like, cut)
            }
        };
        if let Some((Layers { few, all }, runs)) = stacks {
            like = with_layers(runs, &like, (few, all - few));
        }
        let (again, trains) = (again(&cut, options, &machine.device), written.trains());
        Ok(Some(Self { written, like, parts_of, batch, trains, again }))
    }

    /// How many segments of the whole step each of the short one stands for.
    pub(super) fn counts(&self) -> Vec<u64> {
        let mut counts = vec![0; self.like.iter().max().map_or(0, |last| last + 1)];
        self.like.iter().for_each(|own| counts[*own] += 1);
        counts
    }

    /// How many instructions each instruction of a short step stands for.
    pub(super) fn stands_for(&self, homes: &Homes) -> StandsFor {
        let counts = self.counts();
        let count = |segment: &Option<usize>| segment.map_or(1, |segment| counts[segment]);
        StandsFor {
            insts: homes.insts.values().map(count).collect(),
            carried: homes.carried.values().map(count).collect(),
        }
    }
}

/// The segment of each instruction of a short step, free ones with those that read them, and of what its loop takes and
/// leaves; of several, the one that stands for most.
pub(super) struct Homes {
    pub(super) insts: Table<InstId, Option<usize>>,
    pub(super) carried: Table<ValueId, Option<usize>>,
}

impl Homes {
    pub(super) fn of(step: &Step<'_>, staged: &Staged, counts: &[u64]) -> Self {
        let body = step.body();
        let mut insts: Table<InstId, Option<usize>> = Table::filled(None, body.insts.len());
        let own = step.inside.iter().zip(&staged.stage).map(|(inst, own)| (*inst, *own));
        let behind = staged.update.sites.iter().map(|(inst, site)| (*inst, Some(site.stage)));
        own.chain(behind).for_each(|(inst, segment)| insts[inst] = segment);
        let is_turning = |inst: InstId| step.loops.iter().any(|(_, turns)| *turns == inst);
        // What is inside of an instruction is where that is.
        let inside = |insts: &mut Table<InstId, Option<usize>>| {
            for inst in body.walk(body.entry()) {
                if let (Some(own), false) = (insts[inst], is_turning(inst)) {
                    for inner in body.insts[inst].regions.iter().flat_map(|region| body.walk(*region)) {
                        insts[inner] = Some(own);
                    }
                }
            }
        };
        inside(&mut insts);
        let most = |one: Option<usize>, other: Option<usize>| match (one, other) {
            (Some(one), Some(other)) if counts[one] >= counts[other] => Some(one),
            (one, None) => one,
            (_, other) => other,
        };
        let mut carried: Table<ValueId, Option<usize>> = Table::filled(None, body.values.len());
        for inst in body.walk(body.entry()).into_iter().rev() {
            if is_turning(inst) {
                continue;
            }
            let own = insts[inst];
            for result in &body.insts[inst].results {
                carried[*result] = most(carried[*result], own);
            }
            for value in meshwright_analyze::phases::reads(body, inst) {
                let outside = step.same(value);
                for value in [value, outside] {
                    carried[value] = most(carried[value], own);
                }
                let Some(maker) = step.maker(outside) else { continue };
                let is_free = !staged.update.sites.contains_key(&maker)
                    && body.insts[maker].results.iter().all(|value| step.core(*value).is_none());
                if is_free && !is_turning(maker) {
                    insts[maker] = most(insts[maker], own);
                }
            }
        }
        inside(&mut insts);
        for (point, home) in step.points.iter().zip(&staged.update.homes) {
            [point.before, point.next, point.whole]
                .into_iter()
                .for_each(|value| carried[value] = Some(*home));
        }
        Self { insts, carried }
    }
}

/// The runs of layers of a step that has a `few` of each stack.
fn repeated(kinds: &[usize], few: usize) -> Vec<Repeated> {
    // The first and the last layer may be others than those between.
    let found = [few - 1, 2].into_iter().map(|least| runs(kinds, least)).find(|runs| !runs.is_empty());
    found.unwrap_or_default()
}

/// Whether all layers of which some are left out are those of runs: of each stack that forward passes read, whole layers of
/// a run are between those in front of and behind what is left out. Layers that lie within one segment would make it longer.
fn are_stacks(parts: &Parts, step: &Step<'_>, staged: &Staged, runs: &[Repeated]) -> bool {
    let mut first_read: BTreeMap<usize, usize> = BTreeMap::new();
    for segment in (0..staged.count).rev() {
        let is_own =
            |at: &usize| staged.stage[*at] == Some(segment) && staged.part[*at] == Some(Part::Forward);
        let own: BTreeSet<usize> = (0..step.inside.len()).filter(is_own).collect();
        let read = closure(step, &own, &BTreeSet::new()).arguments;
        first_read.extend(read.into_iter().map(|argument| (argument, segment)));
    }
    let mut stacks: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (argument, segment) in first_read {
        if let Some(part) = parts.arguments.get(argument)
            && let Some(layer) = part.as_layer()
        {
            stacks.entry(part.index).or_default().push((layer, segment));
        }
    }
    let is_of_run = |from: usize, to: usize| {
        let has_both = |run: &&Repeated| run.first <= from && from < to && to < run.end();
        runs.iter().find(has_both).is_some_and(|run| (to - from).is_multiple_of(run.period))
    };
    stacks.into_values().all(|mut layers| {
        layers.sort_unstable();
        let mut next = layers.windows(2);
        next.all(|pair| pair[1].0 == pair[0].0 + 1 || is_of_run(pair[0].1, pair[1].1))
    })
}

/// Segments of a step with so many more layers of each stack, of which a `few` are there: each run of segments that repeats has
/// as many more for each `few` layers, behind its first one.
fn with_layers(runs: Vec<Repeated>, like: &[usize], (few, more): (usize, usize)) -> Vec<usize> {
    let (mut all, mut done) = (Vec::new(), 0);
    for Repeated { first, period, layers } in runs {
        let [second, third] = [1, 2].map(|count| (first + count * period).min(like.len()));
        let stacks = ((layers + few / 2) / few).max(1);
        all.extend_from_slice(&like[done..second]);
        all.extend(std::iter::repeat_n(&like[second..third], stacks * more).flatten());
        done = second;
    }
    all.extend_from_slice(&like[done..]);
    all
}

/// Segments that repeat.
struct Repeated {
    first: usize,
    /// Segments of a layer.
    period: usize,
    layers: usize,
}

impl Repeated {
    /// The segment behind it.
    fn end(&self) -> usize {
        self.first + self.period * self.layers
    }
}

/// The runs of at least so many layers, in order; of several that begin with a segment the one that has most, in the shortest
/// layers.
fn runs(kinds: &[usize], least: usize) -> Vec<Repeated> {
    let (mut runs, mut first) = (Vec::new(), 0);
    while first < kinds.len() {
        let layers = |period: usize| {
            let pairs = kinds[first..].iter().zip(kinds.iter().skip(first + period));
            pairs.take_while(|(one, other)| one == other).count() / period + 1
        };
        let all =
            (1..=kinds.len() / 2).rev().map(|period| Repeated { first, period, layers: layers(period) });
        let found = all.filter(|run| run.layers >= least.max(2)).max_by_key(|run| run.layers * run.period);
        first += found.as_ref().map_or(1, |run| run.layers * run.period);
        runs.extend(found);
    }
    runs
}

/// The ways to keep less; only what is asked for, if anything is.
fn again(cut: &Cut, options: &Options, device: &Device) -> Vec<Again> {
    let (roles, phases) = cut.analyzed();
    let analysis = Analysis::on(&cut.flat.function, device.platform);
    let of = Recomputation::new(&analysis, roles, phases, device);
    let named = |named: Named| Again { words: named.name().to_owned(), insts: of.named(named) };
    match &options.recompute {
        Some(Recompute::Named(asked)) => return vec![named(*asked)],
        Some(Recompute::Search) | None => {}
        Some(_) => return vec![named(Named::None)],
    }
    let hull = of.hull();
    let stride = hull.points.len().div_ceil(POINTS).max(1);
    let points = hull.points.iter().skip(1).step_by(stride);
    let point = |point| {
        let insts = of.again(&hull, point);
        Again { words: of.in_words(&insts), insts }
    };
    let mut all: Vec<Again> = [named(Named::None)].into_iter().chain(points.map(point)).collect();
    all.extend([named(Named::Selective), named(Named::Full)]);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stack_has_its_layers() {
        let same = |kinds: &[usize]| (0..kinds.len()).collect::<Vec<_>>();
        // An embedding, layers of two segments, a norm, layers of one, a head.
        let kinds = [0, 1, 2, 1, 2, 1, 2, 1, 2, 3, 4, 4, 4, 4, 5];
        let all = with_layers(repeated(&kinds, 4), &same(&kinds), (4, 2));
        assert_eq!(all, [0, 1, 2, 3, 4, 3, 4, 3, 4, 5, 6, 7, 8, 9, 10, 11, 11, 11, 12, 13, 14]);
        // Two stacks of which nothing is between, whose layers are alike.
        let kinds = [0, 1, 1, 1, 1, 1, 1, 1, 1, 2];
        assert_eq!(with_layers(repeated(&kinds, 4), &same(&kinds), (4, 3)).len(), 10 + 2 * 3);
        // The first layer and the last are others.
        let kinds = [0, 1, 1, 2];
        assert_eq!(with_layers(repeated(&kinds, 4), &same(&kinds), (4, 1)), [0, 1, 2, 2, 3]);
        assert_eq!(with_layers(repeated(&[0, 1, 2], 4), &[0, 1, 2], (4, 5)), [0, 1, 2]);
    }
}
