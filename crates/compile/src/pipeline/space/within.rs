//! Memory within which the short step is sharded, until the stages that are made of it fit.
//!
//! Input: the memory to begin with, and what became of each that was tried. Output: what is tried next ([`Within`]). The step by
//! itself counts memory otherwise than its stages do: where these need too much, it gets as much less as they have to need. What
//! just does lies between that and what was too much, and takes less time: all but a look closes in on it.

use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::Function;
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::axes;
use meshwright_search::meshes;

use super::combinations::Combination;
use super::scheduled::AllTables;
use super::segments::{Apart, Group};
use super::timed::Found;
use super::{FEW_DEVICES, PipelinePlan, Search, best_of};
use crate::error::CompileError;
use crate::options::{Effort, MeshChoice, Options};

/// Sharded within less memory at most so many times until the stages fit; and so many times between what does and what does
/// not.
const ROUNDS: usize = 3;
const ROUNDS_BETWEEN: usize = 2;

/// A limit is lower than what would just do by this share.
const SLACK: f64 = 0.03;

/// Limits that differ by a smaller share are not told apart.
const CLOSE: f64 = 1.0 / 64.0;

/// Memory within which the short step is sharded.
pub(super) struct Within {
    /// The one that is tried.
    pub(super) memory: Bytes,
    /// That of a device.
    limit: Bytes,
    /// The largest that leads to stages that fit, or to no sharding.
    does: Option<Bytes>,
    /// The smallest that leads to stages that do not fit.
    exceeds: Option<Bytes>,
    left: usize,
    left_between: usize,
}

impl Within {
    /// The memory to begin with, for devices of so much memory.
    pub(super) fn new(memory: Bytes, limit: Bytes, effort: Effort) -> Self {
        let left_between = if effort.is_look() { 0 } else { ROUNDS_BETWEEN };
        Self { memory, limit, does: None, exceeds: None, left: ROUNDS - 1, left_between }
    }

    /// Takes down the peak of the step as it was sharded, and what its stages need where they do not fit. Returns whether other
    /// memory should be tried.
    pub(super) fn moves(&mut self, peak: Bytes, needs: Option<Bytes>) -> bool {
        match needs.filter(|_| peak <= self.memory) {
            Some(needed) => {
                self.exceeds = self.exceeds.into_iter().chain([peak]).min();
                if self.does.is_none() {
                    self.memory = self.less(peak, needed);
                    return take_one(&mut self.left);
                }
            }
            // Nothing needs less than what exceeds a limit.
            None => self.does = self.does.max(Some(self.memory)),
        }
        let (Some(does), Some(exceeds)) = (self.does, self.exceeds) else { return false };
        let between = exceeds.0.saturating_sub(does.0);
        self.memory = Bytes(does.0 + between / 2);
        between as f64 > CLOSE * exceeds.0 as f64 && take_one(&mut self.left_between)
    }

    /// Memory in which the step is sharded next where its stages need so much with this memory.
    fn less(&self, memory: Bytes, needed: Bytes) -> Bytes {
        let share = self.limit.0 as f64 / needed.0.max(1) as f64;
        Bytes((memory.0 as f64 * share.min(1.0) * (1.0 - SLACK)) as u64)
    }
}

/// Takes one of so many, if there is one.
fn take_one(left: &mut usize) -> bool {
    let is_one = *left > 0;
    *left = left.saturating_sub(1);
    is_one
}

impl Search<'_> {
    /// Meshes of few devices that are searched by themselves where memory is short or all is weighed, beside one.
    pub(super) fn other_meshes(&self, part: &Machine, known: &Mesh) -> Vec<Mesh> {
        let is_open = self.options.mesh.is_none() && self.options.asked.is_none() && !self.space.is_short;
        let all = if is_open && part.num_devices() <= FEW_DEVICES { meshes(part) } else { Vec::new() };
        all.into_iter().filter(|mesh| mesh != known).collect()
    }

    /// The best pipeline with groups of one mesh that takes less than `below`, sharded within less memory until its stages fit.
    pub(super) fn on_mesh(
        &self,
        mesh: &Mesh,
        (group, open, apart): (&Group<'_>, &Combination, Apart<'_>),
        (tables, memory): (&AllTables<'_>, Bytes),
        below: Option<f64>,
    ) -> Result<Option<Box<PipelinePlan>>, CompileError> {
        let mesh = Some(MeshChoice::Axes(axes::of_mesh(mesh)));
        let options = Options { mesh, ..group.options.clone() };
        let group = Group { options: &options, ..*group };
        let mut within = Within::new(memory, self.limit(), options.effort);
        let mut best = None;
        let Ok(searchable) = group.searchable(apart.parts, self.control) else { return Ok(None) };
        let analysis = searchable.analysis();
        let apart = Apart { searches: &searchable.searches(&analysis, self.control), ..apart };
        while let Ok(segments) = group.segments(apart, within.memory, None) {
            let below = best_of(best.as_deref(), below);
            let needs = match self.on_schedules(open, &segments, tables, below)?.found {
                Found::Pipeline(found) => {
                    best = Some(found);
                    None
                }
                Found::Slower => None,
                Found::Needs(bytes) => Some(bytes),
            };
            if !within.moves(segments.peak, needs) {
                break;
            }
        }
        Ok(best)
    }

    /// Memory in which the short step is sharded at first: its share of what all groups have for state, and as much again
    /// for what is made.
    pub(super) fn memory_of_short(&self, groups: usize) -> Bytes {
        let state = |function: &Function| -> f64 {
            function.args().iter().map(|arg| function.body.ty(*arg).num_bytes() as f64).sum()
        };
        let written = &self.short.written;
        let share = state(&written.flat.function) / state(&written.given).max(1.0);
        let limit = self.limit().0 as f64;
        Bytes((limit * (groups as f64 * share + 1.0)) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_closes_in_on_what_just_does() {
        // Stages need ten bytes more than the step; what is sharded takes all that there is, but no less than 80.
        let needs = |within: &Within| {
            let peak = Bytes(within.memory.0.max(80));
            (peak, Some(Bytes(peak.0 + 10)).filter(|needed| needed.0 > 100))
        };
        let tried = |effort: Effort| {
            let mut within = Within::new(Bytes(1000), Bytes(100), effort);
            let mut tried = vec![within.memory.0];
            loop {
                let (peak, needed) = needs(&within);
                if !within.moves(peak, needed) {
                    return tried;
                }
                tried.push(within.memory.0);
            }
        };
        assert_eq!(tried(Effort::Look), [1000, 96, 87]);
        assert_eq!(tried(Effort::Again), [1000, 96, 87, 91, 89]);
    }
}
