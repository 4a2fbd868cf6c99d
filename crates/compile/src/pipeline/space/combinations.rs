//! Numbers of groups and microbatches: which there are, and in which order they are looked at.
//!
//! Input: the short step and the numbers to choose from. Output: a [`Combination`] for each pair of them that is possible, with
//! what it takes at least, and a [`Walk`] over all.
//!
//! First each number of groups with about as many microbatches as is usual, the most promising number of groups first, then what
//! is next to the best so far, until nothing next to it is better; then others, those with the smallest bounds first, as many as
//! are worth the time.

use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_transform::time::divisors;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::segments::{LeastOfStep, ShortCut};
use super::short::Short;
use super::{PipelinePlan, Search, Weighed, slices};
use crate::error::CompileError;
use crate::pipeline::layout::Layout;
use crate::pipeline::{PartsOf, refused};

/// Microbatches for each group with which a number of groups is looked at first.
pub(super) const USUAL: f64 = 6.0;

/// Combinations that are sharded on so many devices, beside what is next to the best; on more devices, which have more
/// meshes, fewer.
const MOST: usize = 24;
const ON_DEVICES: usize = 1024;

/// Those of a short walk.
const FEW: usize = 12;

/// A short walk goes on while the best takes so many times what is left may.
const POOR: f64 = 2.0;

/// Numbers that go together, before anything is sharded.
pub(super) struct Combination {
    pub(super) groups: usize,
    /// Where they lie.
    pub(super) layout: Arc<Layout>,
    /// The short step in its microbatches.
    pub(super) cut: Arc<ShortCut>,
    /// Seconds that the groups wait at least until they can begin, together.
    pub(super) heads: f64,
    /// What it takes at least, as a multiple of what a microbatch takes through all stages and back.
    pub(super) by_path: f64,
    /// No pipeline of these numbers takes less.
    pub(super) bound: f64,
    /// Its turn before all others, if its groups have about as many microbatches as usual: others have to beat it.
    pub(super) turn: Option<usize>,
}

impl Combination {
    /// What it takes at least if the devices of one group would take so long.
    pub(super) fn bound_of(&self, whole: Seconds) -> f64 {
        // What is sharded has a pass before it, which forward passes that come first may do without.
        if self.cut.can_gather { 0.0 } else { (whole.0 + self.heads) / self.groups as f64 }
    }

    /// What it takes at least if a microbatch would take so long through all stages and back.
    pub(super) fn bound_of_path(&self, path: f64) -> f64 {
        path * self.by_path
    }

    /// The most that its bound by the path may be if the devices of one group may take so long: the path of a microbatch is
    /// a part of that.
    pub(super) fn most_by_path(&self, whole: Seconds) -> f64 {
        self.bound_of_path(whole.0 / self.cut.microbatches as f64)
    }
}

/// What a step takes at least, as a multiple of what a microbatch takes through so many stages and back.
///
/// A stage that takes `f` forward and `b` back has run all `m` microbatches forward before the last of them goes on through
/// the stages behind and comes back, and has run none back before the first of them has come back from there: a step takes
/// `(m - 1) max(f, b)` more than one microbatch, so at least half of `(m - 1) (f + b)`. In the last stage a microbatch goes
/// nowhere in between, so that it takes all of that more. What all stages take adds up to the path: of `n` of them one other than
/// the last takes `2 / (2n - 1)` of it, or the last takes `1 / (2n - 1)`.
///
/// Of slices all run forward before any runs back, from the last to the first: the stage that takes longest forward takes
/// `(m - 1) f` more than one slice, with `f` at least a share of `1 / n` of all, and so does the one that takes longest back.
fn by_path(stages: usize, microbatches: usize, parts_of: PartsOf) -> f64 {
    let share = match parts_of {
        PartsOf::Batch => (2 * stages).saturating_sub(1).max(1),
        PartsOf::Sequence => stages.max(1),
    };
    1.0 + microbatches.saturating_sub(1) as f64 / share as f64
}

/// What numbers are usual.
struct Usual {
    /// Examples, or tokens, for each replica of as many devices as the innermost level has, over which tensors are sharded; where
    /// experts are, each device has its own.
    examples: f64,
    /// Groups of which one device holds no more of all state than it may use, if tensors are sharded over the innermost level.
    roomy: f64,
}

impl Usual {
    fn of(short: &Short, machine: &Machine, limit: Bytes) -> Self {
        let innermost = machine.levels().first().map_or(1, |level| level.size);
        let given = &short.written.given;
        let state: f64 = given.args().iter().map(|arg| given.body.ty(*arg).num_bytes() as f64).sum();
        let replicas = machine.num_devices() as f64 / innermost as f64;
        Self {
            examples: short.batch as f64 / replicas,
            roomy: state / (limit.0 as f64 * innermost as f64).max(1.0),
        }
    }

    /// The same where experts are sharded over the innermost level.
    fn with_experts(&self, short: &Short, machine: &Machine) -> Self {
        Self { examples: short.batch as f64 / machine.num_devices() as f64, ..*self }
    }

    /// Microbatches of so many groups: as many as fill them well, but so few that a replica of a microbatch has an example, and at
    /// least one for each group.
    fn microbatches(&self, groups: usize) -> f64 {
        match groups {
            1 => 1.0,
            _ => USUAL.min(self.examples).max(1.0) * groups as f64,
        }
    }

    /// Of combinations of so many groups, the one with about as many microbatches as usual: others have to beat it.
    fn of_groups<'a>(&self, open: &'a [Combination], groups: usize) -> Option<&'a Combination> {
        let usual = self.microbatches(groups);
        let distance = |own: &&Combination| (own.cut.microbatches as f64 / usual).ln().abs();
        let own = open.iter().filter(|own| own.groups == groups);
        own.min_by(|one, other| distance(one).total_cmp(&distance(other)))
    }

    /// Numbers of groups in the order in which they are promising: parameters need not be gathered for each microbatch where there
    /// is room for them, and fewer groups wait less.
    fn in_turn(&self, groups: &[usize]) -> Vec<usize> {
        let is_roomy = |groups: &usize| *groups as f64 >= self.roomy;
        let (roomy, others): (Vec<usize>, Vec<usize>) = groups.iter().partition(|own| is_roomy(own));
        roomy.into_iter().chain(others.into_iter().rev()).collect()
    }
}

/// A walk over combinations.
#[derive(Clone)]
pub(super) struct Walk<'a> {
    open: &'a [Combination],
    /// How many are sharded, beside what is next to the best.
    most: usize,
    /// How many if all before are poor.
    most_of_poor: usize,
    weighed: Vec<Option<Weighed>>,
    sharded: usize,
}

impl<'a> Walk<'a> {
    /// A walk for so many devices, over a few combinations if that is wanted; nothing is looked at yet.
    pub(super) fn new(open: &'a [Combination], devices: usize, is_short: bool) -> Self {
        let most_of_poor = MOST * ON_DEVICES / devices.max(1);
        let most = if is_short { FEW.min(most_of_poor) } else { most_of_poor };
        Self { open, most, most_of_poor, weighed: vec![None; open.len()], sharded: 0 }
    }

    /// What was looked at.
    pub(super) fn weighed(&self) -> impl Iterator<Item = &Weighed> {
        self.weighed.iter().flatten()
    }

    /// Notes what became of a combination that was sharded.
    pub(super) fn note(&mut self, number: usize, weighed: Weighed) {
        self.leave(number, weighed);
        self.sharded += 1;
    }

    /// Notes what became of one that was not.
    pub(super) fn leave(&mut self, number: usize, weighed: Weighed) {
        self.weighed[number] = Some(weighed);
    }

    /// The next one to look at.
    pub(super) fn next(&self, best: Option<&PipelinePlan>) -> Option<usize> {
        let is_open = |number: &usize| self.weighed[*number].is_none();
        let usual =
            (0..self.open.len()).filter(is_open).filter_map(|number| Some((self.open[number].turn?, number)));
        if let Some((_, number)) = usual.min() {
            return Some(number);
        }
        let Some(best) = best else { return (0..self.open.len()).find(is_open) };
        let next = self.next_to(best.groups, best.microbatches).into_iter().find(is_open);
        let is_worth_it = |number: &usize| {
            let is_poor = best.figures.step().0 > POOR * self.open[*number].bound;
            self.sharded < if is_poor { self.most_of_poor } else { self.most }
        };
        next.or_else(|| (0..self.open.len()).find(|number| is_open(number) && is_worth_it(number)))
    }

    /// Those with the next fewer or more microbatches or groups.
    fn next_to(&self, groups: usize, microbatches: usize) -> Vec<usize> {
        let nearest = |is_more: bool, of: &dyn Fn(&Combination) -> usize, than: usize| -> Option<usize> {
            let others = self.open.iter().map(of).filter(|own| (*own > than) == is_more && *own != than);
            if is_more { others.min() } else { others.max() }
        };
        let around = |of: &dyn Fn(&Combination) -> usize, own: usize| -> Vec<usize> {
            [Some(own), nearest(false, of, own), nearest(true, of, own)].into_iter().flatten().collect()
        };
        let near_groups = around(&|open| open.groups, groups);
        let near_counts = around(&|open| open.cut.microbatches, microbatches);
        let is_next = |number: &usize| {
            let open = (self.open[*number].groups, self.open[*number].cut.microbatches);
            (open.0 == groups || open.1 == microbatches)
                && near_groups.contains(&open.0)
                && near_counts.contains(&open.1)
        };
        (0..self.open.len()).filter(is_next).collect()
    }

    /// All of them, with what is known of those that were not looked at.
    pub(super) fn all(self, known: impl Fn(&Combination) -> Weighed) -> Vec<Weighed> {
        let all = self.weighed.into_iter().zip(self.open);
        all.map(|(weighed, open)| weighed.unwrap_or_else(|| known(open))).collect()
    }
}

impl Search<'_> {
    /// All combinations that are possible, those with the smallest bounds first.
    pub(super) fn combinations(&self) -> Result<Vec<Combination>, CompileError> {
        let Self { program, machine, short, options, space, .. } = *self;
        let devices = machine.num_devices();
        let most = short.like.len();
        let groups: Vec<usize> = divisors(devices)
            .into_iter()
            .filter(|groups| *groups <= most && machine.part(devices / groups).is_some())
            .collect();
        let mut groups = space.groups.of(&groups);
        for count in &groups {
            refused::part(machine, *count)?;
        }
        let possible = groups.clone();
        groups.retain(|groups| {
            let counts = self.all_schedules().into_iter().flat_map(|named| space.stages_of(&named));
            counts.collect::<BTreeSet<usize>>().into_iter().any(|count| self.allows((*groups, count)))
        });
        if groups.is_empty() && !possible.is_empty() {
            return Err(refused::stages_not_allowed(&self.allowed, &possible));
        }
        let blocks = |groups: &usize| Ok((*groups, Arc::new(Layout::blocks(machine, *groups)?)));
        let layouts: BTreeMap<usize, Arc<Layout>> =
            groups.iter().map(blocks).collect::<Result<_, CompileError>>()?;
        let most_stages = |groups: usize| -> usize {
            let counts = self.all_schedules().into_iter().flat_map(|named| space.stages_of(&named));
            (groups * counts.max().unwrap_or(1)).min(most)
        };
        // Microbatches are shared by the copies.
        let copies = self.all_schedules().iter().map(|named| named.copies).max().unwrap_or(1);
        let mut microbatches = divisors(short.batch);
        let is_sequence = short.parts_of == PartsOf::Sequence;
        if is_sequence {
            microbatches.retain(|count| *count <= slices::MOST);
        }
        let (mut open, mut refusal) = (Vec::new(), None);
        let in_microbatches = |count: usize| {
            let cut = ShortCut::of(program, short, count, options)?;
            let least = cut.least(short, machine);
            Ok((Arc::new(cut), least))
        };
        let counts = space.microbatches.of(&microbatches);
        let cuts: Vec<Result<_, CompileError>> =
            counts.par_iter().map(|count| in_microbatches(*count)).collect();
        for (count, cut) in counts.into_iter().zip(cuts) {
            let (cut, least) = match cut {
                Ok(cut) => cut,
                Err(error) => {
                    refusal = refusal.or(Some(error));
                    continue;
                }
            };
            let LeastOfStep { whole, forward, path } = least?;
            let is_open =
                |groups: &usize| count > 1 && (*groups > 1 || !is_sequence) || *groups == 1 && !is_sequence;
            for groups in groups.iter().copied().filter(is_open) {
                // The stages of a group that is not the first one begin behind a segment of each group before it; of two
                // copies of all stages one begins at either end.
                let ahead = |group: usize| if copies == 1 { group } else { group.min(groups - 1 - group) };
                let ahead_of = |group: usize| short.like[..ahead(group)].iter();
                let head = |group| ahead_of(group).map(|own| forward[*own].of_group(groups)).sum::<f64>();
                let heads = (0..groups.min(most)).map(head).sum::<f64>();
                // A microbatch passes through all groups, one after the other.
                let by_path = by_path(most_stages(groups), count.div_ceil(copies), short.parts_of);
                let bound = (whole.of_group(groups) + heads) / groups as f64;
                let bound = bound.max(path.of_group(groups) * by_path);
                let (layout, cut) = (layouts[&groups].clone(), cut.clone());
                open.push(Combination { groups, layout, cut, heads, by_path, bound, turn: None });
            }
        }
        let usual = Usual::of(short, machine, self.limit());
        let has_experts = open.first().is_some_and(|own| !own.cut.cut.analyzed().0.experts.is_empty());
        let each = [has_experts.then(|| usual.with_experts(short, machine)), Some(usual)];
        let each: Vec<Usual> = each.into_iter().flatten().collect();
        let in_turn = each[0].in_turn(&groups).into_iter();
        let in_turn = in_turn.flat_map(|groups| each.iter().map(move |usual| (groups, usual)));
        for (turn, (groups, usual)) in in_turn.enumerate() {
            let microbatches = usual.of_groups(&open, groups).map(|own| own.cut.microbatches);
            let is_own =
                |own: &&mut Combination| (own.groups, Some(own.cut.microbatches)) == (groups, microbatches);
            open.iter_mut().filter(is_own).for_each(|own| own.turn = own.turn.or(Some(turn)));
        }
        open.sort_by(|one, other| one.bound.total_cmp(&other.bound).then(one.groups.cmp(&other.groups)));
        match refusal {
            Some(error) if open.is_empty() => Err(error),
            _ => Ok(open),
        }
    }
}
