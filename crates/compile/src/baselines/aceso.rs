//! Aceso: from an even start, relief of the bottleneck, step by step.
//!
//! For each number of stages, layers and devices are shared evenly at first and microbatches are the smallest. The stage that
//! takes longest, or of those that do not fit the one that needs most memory, is the bottleneck, and the scarcest of its
//! resources says which primitives are tried on it: to run more or less again, to hand a layer on towards the stage that has
//! least to do, to take larger or smaller microbatches, and to trade devices of tensor parallelism for replicas. What is better
//! than before is taken; where no single primitive is, up to [`HOPS`] are tried in a row, and then the best that was
//! priced and not yet gone on from. In the paper stages may have unlike numbers of devices and primitives change ops one by
//! one; here groups are of one size, degrees those of all stages, and layers (as a stage may end behind them) what moves.

use meshwright_machine::Bytes;
use meshwright_plan::figures::Share;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::Baseline;
use super::prices::{Point, Price, Prices, Ranks, peak, seconds};
use crate::error::CompileError;
use crate::pipeline::{Cutting, PipelinePlan};
use crate::recompute::Recompute;

pub(super) const BASELINE: Baseline = Baseline {
    name: "aceso",
    title: "Aceso",
    summary: "bottlenecks relieved step by step: recomputation, layers, microbatches, tensor and data parallelism",
    paper: "Liu et al., Aceso: Efficient Parallel DNN Training through Iterative Bottleneck Alleviation, EuroSys 2024",
    walk,
};

/// Primitives in a row, of which only the last has to be better than what was.
const HOPS: usize = 3;

/// Bottlenecks that are tried: the first one, and the next if nothing relieves it.
const BOTTLENECKS: usize = 2;

/// Of those that are no better, so many are gone on from.
const BEAM: usize = 2;

/// Points that are priced for each number of stages.
const MOST: usize = 64;

fn walk(prices: &mut Prices<'_>) -> Result<(), CompileError> {
    prices.makes_again(Recompute::Search)?;
    for pp in prices.groups() {
        let Some(start) = start(prices, pp)? else { continue };
        let mut relief = Relief { prices, seen: BTreeSet::new(), left: Vec::new() };
        relief.from(start)?;
    }
    Ok(())
}

/// A configuration: degrees of all stages, microbatches, and where each stage ends and what it makes again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Configuration {
    tp: usize,
    pp: usize,
    microbatches: usize,
    stages: Vec<(usize, usize)>,
}

impl Configuration {
    fn point(&self) -> Point {
        let ranks = Ranks { pp: self.pp, tp: self.tp, zero: 0 };
        Point { ranks, microbatches: self.microbatches, cutting: Cutting::At(self.stages.clone()) }
    }
}

/// How good a configuration is: those that fit by their time, before those that do not by what they need.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
struct Score(u8, f64);

/// A configuration with its price.
#[derive(Clone)]
struct Priced {
    configuration: Configuration,
    plan: PipelinePlan,
    shares: Vec<Share>,
    score: Score,
}

/// What a bottleneck is short of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Resource {
    Computation,
    Communication,
    Memory,
}

/// Layers and devices shared evenly, in the smallest microbatches; none if the step cannot be cut so.
fn start(prices: &mut Prices<'_>, pp: usize) -> Result<Option<Configuration>, CompileError> {
    let most = prices.neighbors(pp);
    let mut powers: Vec<usize> = std::iter::successors(Some(1), |tp| Some(tp * 2))
        .take_while(|tp| *tp <= most)
        .filter(|tp| prices.devices_of(pp).is_multiple_of(*tp))
        .collect();
    powers.reverse();
    for tp in powers {
        let ranks = Ranks { pp, tp, zero: 0 };
        let Some(microbatches) = prices.shared_by(prices.replicas(ranks)).pop() else { continue };
        let point = Point { ranks, microbatches, cutting: Cutting::Best };
        let Some((units, _)) = prices.sizes(&point)? else { continue };
        if units < pp {
            return Ok(None);
        }
        let stages = (1..=pp).map(|stage| (units * stage / pp, 0)).collect();
        return Ok(Some(Configuration { tp, pp, microbatches, stages }));
    }
    Ok(None)
}

/// The relief of bottlenecks for one number of stages.
struct Relief<'p, 'a> {
    prices: &'p mut Prices<'a>,
    seen: BTreeSet<Configuration>,
    /// What was priced and not gone on from.
    left: Vec<Priced>,
}

impl Relief<'_, '_> {
    /// Goes on from a start for as long as there is something to try.
    fn from(&mut self, start: Configuration) -> Result<(), CompileError> {
        let mut current = self.priced(start)?;
        while let Some(own) = current {
            let score = own.score;
            let better = self.better(&own, score, HOPS)?;
            current = match better {
                Some(better) => Some(better),
                None => self.pop(),
            };
            if self.seen.len() >= MOST {
                break;
            }
        }
        Ok(())
    }

    /// The best that is left.
    fn pop(&mut self) -> Option<Priced> {
        let by_score = |one: &(usize, &Priced), other: &(usize, &Priced)| {
            one.1.score.partial_cmp(&other.1.score).unwrap_or(Ordering::Equal)
        };
        let (at, _) = self.left.iter().enumerate().min_by(by_score)?;
        Some(self.left.swap_remove(at))
    }

    /// A configuration that is new, with its price.
    fn priced(&mut self, configuration: Configuration) -> Result<Option<Priced>, CompileError> {
        if !self.seen.insert(configuration.clone()) {
            return Ok(None);
        }
        let Price::Plan(plan, shares) = self.prices.price_as_it_is(&configuration.point())? else {
            return Ok(None);
        };
        let score = match peak(&plan) {
            needed if needed > self.prices.limit => Score(1, needed.0 as f64),
            _ => Score(0, seconds(&plan).0),
        };
        Ok(Some(Priced { configuration, plan: *plan, shares, score }))
    }

    /// What is better than `score`, at most so many primitives away.
    fn better(&mut self, from: &Priced, score: Score, hops: usize) -> Result<Option<Priced>, CompileError> {
        for (stage, resource) in self.bottlenecks(from).into_iter().take(BOTTLENECKS) {
            let mut tried = Vec::new();
            for configuration in self.primitives(from, stage, resource)? {
                if self.seen.len() >= MOST {
                    break;
                }
                tried.extend(self.priced(configuration)?);
            }
            tried.sort_by(|one, other| one.score.partial_cmp(&other.score).unwrap_or(Ordering::Equal));
            let mut rest = tried.into_iter();
            let Some(first) = rest.next() else { continue };
            if first.score < score {
                self.left.extend(rest);
                return Ok(Some(first));
            }
            let next: Vec<Priced> = [first].into_iter().chain(rest).collect();
            if hops > 1 {
                for own in next.iter().take(BEAM) {
                    if let Some(found) = self.better(own, score, hops - 1)? {
                        return Ok(Some(found));
                    }
                }
            }
            self.left.extend(next.into_iter().skip(if hops > 1 { BEAM } else { 0 }));
        }
        Ok(None)
    }

    /// Stages in the order in which they hold the step up, each with what it is short of.
    fn bottlenecks(&self, of: &Priced) -> Vec<(usize, Resource)> {
        let is_full = of.score.0 > 0;
        let load = loads(&of.plan, of.configuration.microbatches, is_full);
        let mut order: Vec<usize> = (0..load.len()).collect();
        order.sort_by(|one, other| load[*other].total_cmp(&load[*one]).then(one.cmp(other)));
        let communication: f64 =
            of.shares.iter().filter(|share| share.what == "communication").map(|share| share.seconds).sum();
        let all: f64 = of.shares.iter().map(|share| share.seconds).sum();
        let resource = match is_full {
            true => Resource::Memory,
            false if 2.0 * communication > all => Resource::Communication,
            false => Resource::Computation,
        };
        order.into_iter().map(|stage| (stage, resource)).collect()
    }

    /// What each primitive that is good for a resource makes of a configuration.
    fn primitives(
        &mut self,
        of: &Priced,
        stage: usize,
        resource: Resource,
    ) -> Result<Vec<Configuration>, CompileError> {
        let own = &of.configuration;
        let Some((_, ways)) = self.prices.sizes(&own.point())? else { return Ok(Vec::new()) };
        let load = loads(&of.plan, own.microbatches, resource == Resource::Memory);
        let again = |own: &Configuration, more: bool| {
            let mut new = own.clone();
            let way = &mut new.stages[stage].1;
            *way = if more { (*way + 1).min(ways - 1) } else { way.saturating_sub(1) };
            new
        };
        let more_again = || again(own, true);
        let less_again = || again(own, false);
        let moved: Vec<Configuration> = moves(&own.stages, stage, &load)
            .into_iter()
            .map(|stages| Configuration { stages, ..own.clone() })
            .collect();
        let (fewer, more) = (self.counts(own, false), self.counts(own, true));
        let tensors = self.tensors(own, own.tp * 2);
        let replicas = if own.tp > 1 { self.tensors(own, own.tp / 2) } else { None };
        let (larger, smaller) = (fewer.into_iter(), more.into_iter());
        let all: Vec<Configuration> = match resource {
            Resource::Memory => [more_again()]
                .into_iter()
                .chain(moved)
                .chain(smaller)
                .chain(tensors)
                .chain(replicas)
                .collect(),
            Resource::Computation => {
                [less_again()].into_iter().chain(moved).chain(larger).chain(replicas).chain(tensors).collect()
            }
            Resource::Communication => {
                replicas.into_iter().chain(larger).chain(tensors).chain(moved).chain([less_again()]).collect()
            }
        };
        Ok(all)
    }

    /// The same in the next larger or smaller number of microbatches.
    fn counts(&self, own: &Configuration, is_more: bool) -> Option<Configuration> {
        let all = self.prices.shared_by(self.replicas(own.pp, own.tp));
        let others = all.into_iter().filter(|count| (*count > own.microbatches) == is_more);
        let others = others.filter(|count| *count != own.microbatches);
        let microbatches = if is_more { others.min() } else { others.max() }?;
        Some(Configuration { microbatches, ..own.clone() })
    }

    /// The same with so many devices for tensors, and as many microbatches as replicas can share.
    fn tensors(&self, own: &Configuration, tp: usize) -> Option<Configuration> {
        let is_possible =
            tp <= self.prices.neighbors(own.pp) && self.prices.devices_of(own.pp).is_multiple_of(tp);
        let all = self.prices.shared_by(self.replicas(own.pp, if is_possible { tp } else { own.tp }));
        let most = all.iter().copied().filter(|count| *count <= own.microbatches).max();
        let microbatches = most.or(all.first().copied())?;
        is_possible.then(|| Configuration { tp, microbatches, ..own.clone() })
    }

    fn replicas(&self, pp: usize, tp: usize) -> usize {
        self.prices.replicas(Ranks { pp, tp, zero: 0 })
    }
}

/// What each stage has of what is scarce: bytes, or seconds of a step.
fn loads(plan: &PipelinePlan, microbatches: usize, is_of_memory: bool) -> Vec<f64> {
    match is_of_memory {
        true => plan.figures.memory().into_iter().map(|Bytes(bytes)| bytes as f64).collect(),
        false => {
            let stages = plan.figures.stages.iter();
            stages.map(|stage| microbatches as f64 * stage.work().0 + stage.update.0).collect()
        }
    }
}

/// Stages of which one hands a unit to a neighbor, or on towards the stage with the least load.
fn moves(stages: &[(usize, usize)], from: usize, load: &[f64]) -> Vec<Vec<(usize, usize)>> {
    let least = (0..load.len()).min_by(|one, other| load[*one].total_cmp(&load[*other]));
    let mut targets: Vec<usize> = least.into_iter().collect();
    targets.extend([from.checked_sub(1), Some(from + 1)].into_iter().flatten());
    targets.retain(|to| *to != from && *to < stages.len());
    targets.dedup();
    let moved = |to: usize| {
        let mut own = stages.to_vec();
        if to > from {
            own[from..to].iter_mut().for_each(|(end, _)| *end -= 1);
        } else {
            own[to..from].iter_mut().for_each(|(end, _)| *end += 1);
        }
        let starts = [0].into_iter().chain(own.iter().map(|(end, _)| *end));
        let has_all = starts.zip(&own).all(|(start, (end, _))| start < *end);
        has_all.then_some(own)
    };
    targets.into_iter().filter_map(moved).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_moves_to_a_neighbor_or_on_to_the_least_busy_stage() {
        let stages = [(2, 0), (4, 1), (6, 0)];
        let moved = moves(&stages, 0, &[3.0, 2.0, 1.0]);
        assert_eq!(moved, [vec![(1, 0), (3, 1), (6, 0)], vec![(1, 0), (4, 1), (6, 0)]]);
        let moved = moves(&stages, 2, &[2.0, 1.0, 3.0]);
        assert_eq!(moved, [vec![(2, 0), (5, 1), (6, 0)]]);
        // The last unit of a stage stays.
        assert!(moves(&[(1, 0), (2, 0)], 0, &[2.0, 1.0]).is_empty());
    }
}
