//! What lies on the host meanwhile, as one more way to need less memory of devices.
//!
//! Input: the ways, and a plan that fits. Output: a plan with as much on the host as is worth it.

use meshwright_analyze::{Phases, Roles};
use meshwright_cost::Analysis;
use meshwright_ir::program::{Function, Regions};
use meshwright_machine::Machine;
use meshwright_plan::plan_file::PlanFile;
use meshwright_search::offload::{Kind, candidates};

use super::{AGAIN, Found, Way, Ways, before_passes};
use crate::error::CompileError;
use crate::offload::{Offload, Part};
use crate::options::Options;

/// How many shares of what there is on the host are tried at most.
const TRIES: usize = 4;

/// The share of it that is worth a try.
const WORTH: f64 = 0.05;

/// What takes at least so many times as long as what is known, however it is sharded, is slower in fewer microbatches and with more
/// on the host too, as a rule: copies take as long there.
const FAR: f64 = 1.5;

/// What of a function may lie on the host.
#[derive(Default)]
pub(super) struct OnHost {
    /// Kinds of which all may, the least first: moments, activations, both; parameters too, which come for each pass, last.
    pub(super) kinds: Vec<Vec<Kind>>,
    /// The same with what waits in turns of loops over layers, which moves in each turn; none where nothing can.
    pub(super) waiting: Vec<Vec<Kind>>,
    /// The kinds of which there is something, those first that move once in a step.
    of_all: Vec<Kind>,
}

impl OnHost {
    pub(super) fn new(function: &Function, machine: &Machine) -> Self {
        let roles = Roles::new(function);
        let phases = Phases::new(function, &roles);
        let found = candidates(&Analysis::on(function, machine.device.platform), &roles, phases.as_ref());
        let is_there = |kind: &Kind| found.iter().any(|candidate| candidate.kind == *kind);
        let of_all = [Kind::Moments, Kind::Activations, Kind::Parameters];
        let mut of_all: Vec<Kind> = of_all.into_iter().filter(is_there).collect();
        let once: Vec<Kind> = of_all.iter().copied().filter(|kind| *kind != Kind::Parameters).collect();
        let mut kinds: Vec<Vec<Kind>> = once.iter().map(|kind| vec![*kind]).collect();
        kinds.extend((once.len() > 1).then(|| once.clone()));
        kinds.extend((once.len() < of_all.len()).then(|| of_all.clone()));
        // What waits is known of the program with all that is made again, and in its tiles.
        let mut waiting = Vec::new();
        if has_loops(function) && is_there(&Kind::Activations) {
            let with = |kinds: &Vec<Kind>| kinds.iter().copied().chain([Kind::Waiting]).collect::<Vec<_>>();
            waiting = kinds.iter().filter(|kinds| kinds.contains(&Kind::Activations)).map(with).collect();
            of_all.push(Kind::Waiting);
        }
        Self { kinds, waiting, of_all }
    }

    /// The part of these kinds that takes so many bytes on the host for a device, where a plan has all of them there: what is
    /// moved once in a step first.
    fn enough(&self, plan: &PlanFile, kinds: &[Kind], mut left: f64) -> Offload {
        let mut parts = Vec::new();
        for kind in self.of_all.iter().filter(|kind| kinds.contains(kind)) {
            let there = on_host(plan, *kind).max(1.0);
            let share = (left / there).clamp(0.0, 1.0);
            parts.extend((share > 0.0).then(|| Part::Enough(*kind, (1e3 * share).ceil() as usize)));
            left -= there;
        }
        Offload::These(parts)
    }
}

/// Returns whether a function has loops of its own, as those over layers are.
fn has_loops(function: &Function) -> bool {
    let body = &function.body;
    body.regions[body.entry()].insts.iter().any(|inst| body.view(*inst).regions() == Regions::Loop)
}

/// Bytes of a kind that a plan has on the host for a device.
fn on_host(plan: &PlanFile, kind: Kind) -> f64 {
    let parts = plan.memory.host.iter().flat_map(|host| &host.parts);
    parts.filter(|part| part.what == kind.name()).map(|part| part.bytes_per_device as f64).sum()
}

/// What comes of something on the host.
enum OnHostAs {
    Faster(Box<Found>),
    /// Whether it takes far too long, so that more on the host is not worth a try.
    Slower {
        is_far: bool,
    },
}

impl Ways<'_> {
    /// The plan, or what is fastest with something on the host instead of what is made again, and in fewer microbatches.
    pub(super) fn with_some_on_host(&self, mut found: Found) -> Found {
        let lacks = found.lacks.take();
        if found.count == 1 && lacks.is_none() {
            return found;
        }
        let mut best = found;
        let mut far: Vec<&Vec<Kind>> = Vec::new();
        // Parameters lie there only where nothing fits on the devices alone.
        for kinds in self.on_host.kinds.iter().filter(|kinds| !kinds.contains(&Kind::Parameters)) {
            // What stays on the device has to fit by itself.
            let is_too_large = lacks.as_ref().is_some_and(|lacks| match kinds.as_slice() {
                [Kind::Moments] => lacks.temporaries > lacks.limit,
                [Kind::Activations] => lacks.arguments > lacks.limit,
                _ => false,
            });
            let are_far = |others: &&Vec<Kind>| others.iter().all(|kind| kinds.contains(kind));
            if is_too_large || far.iter().any(are_far) {
                continue;
            }
            match self.faster_on_host(&best, &Offload::kinds(kinds)) {
                OnHostAs::Faster(found) => best = *found,
                OnHostAs::Slower { is_far } => far.extend(is_far.then_some(kinds)),
            }
        }
        best
    }

    /// What is faster than a plan with this on the host, in as many microbatches or the fewest before that fit: with the least
    /// made again, or where that does not fit, with what it takes.
    fn faster_on_host(&self, found: &Found, offload: &Offload) -> OnHostAs {
        let (mut best, mut is_far): (Option<Found>, bool) = (None, false);
        for count in self.counts.iter().copied().filter(|count| *count <= found.count).rev() {
            let slower = best.as_ref().unwrap_or(found);
            let faster_than = Some(before_passes(&slower.attempt.compiled));
            let way = Way { count, recompute: self.least_recompute(), offload: Some(offload), faster_than };
            let tried = match self.in_tiles(&way) {
                Err(CompileError::NotFaster(slow)) => {
                    // In tiles it may be for their sake.
                    let bound = slow.bound.filter(|_| slow.lacks.is_none());
                    is_far = bound.zip(faster_than).is_some_and(|(bound, than)| bound >= FAR * than.0);
                    if is_far {
                        break;
                    }
                    continue;
                }
                // Fewer need more: what is far from fitting stays so.
                Err(error) if self.is_hopeless(&error, count) => break,
                Err(_) if !self.again.kept.is_empty() => self.in_count(count, Some(offload), faster_than),
                tried => tried.map(|attempt| Found { attempt, count, lacks: None }),
            };
            match tried {
                Ok(tried) if tried.attempt.seconds() < slower.attempt.seconds() => {
                    best = Some(Found { lacks: None, ..tried });
                }
                Err(CompileError::Interrupted) => break,
                Ok(_) | Err(_) => {}
            }
        }
        best.map_or(OnHostAs::Slower { is_far }, |best| OnHostAs::Faster(Box::new(best)))
    }

    /// The plan with no more on the host than has to be there, if it takes no longer then: what there is room for stays on
    /// the device.
    pub(super) fn with_least_on_host(&self, mut found: Found) -> Found {
        let Some(Offload::These(parts)) = &found.attempt.options.offload else { return found };
        let kind = |part: &Part| if let Part::Kind(kind) = part { Some(*kind) } else { None };
        let kinds: Vec<Kind> = parts.iter().filter_map(kind).collect();
        let all = found.attempt.compiled.plan.clone();
        let room = all.memory.limit_bytes.saturating_sub(all.memory.peak_bytes) as f64;
        let mut enough: f64 = kinds.iter().map(|kind| on_host(&all, *kind)).sum();
        let (mut too_few, mut tried) = (0.0, enough - room);
        for _ in 0..TRIES {
            if tried <= too_few || tried >= enough * (1.0 - WORTH) {
                break;
            }
            let offload = self.on_host.enough(&all, &kinds, tried);
            let Options { recompute, tiles, .. } = found.attempt.options.clone();
            // What copies take may be hidden: then it is no slower, and has less there.
            let faster_than = Some(before_passes(&found.attempt.compiled) * (1.0 + AGAIN));
            let way = Way { count: found.count, recompute, offload: Some(&offload), faster_than };
            match self.compiled(&way, tiles) {
                Ok(attempt) if attempt.seconds() <= found.attempt.seconds() => {
                    found.attempt = attempt;
                    enough = tried;
                }
                Err(CompileError::Interrupted) => break,
                Ok(_) | Err(_) => too_few = tried,
            }
            tried = f64::midpoint(too_few, enough);
        }
        found
    }

    /// The plan, which has all of the last of these on the host, or what does with less in as many microbatches.
    pub(super) fn with_less_on_host(&self, found: Found, all: &[Vec<Kind>]) -> Found {
        let fewer = all.split_last().map_or(&[][..], |(_, fewer)| fewer);
        for kinds in fewer {
            let less = self.in_count(found.count, Some(&Offload::kinds(kinds)), None);
            if let Ok(less) = less
                && less.attempt.seconds() <= found.attempt.seconds()
            {
                return less;
            }
        }
        found
    }
}
