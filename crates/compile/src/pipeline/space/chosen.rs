//! What a pipeline that was chosen is made of: shardings of the short step, brought to the whole one.
//!
//! Input: a [`PipelinePlan`] and the whole step in its microbatches. Output: [`Whole`]: where its stages begin, how a group
//! shards it, what runs again and which stages gather again.

use meshwright_analyze::{Roles, recognize};
use meshwright_ir::ids::InstId;
use meshwright_machine::{Bytes, Seconds};
use meshwright_plan::{Degrees, Shardings};
use meshwright_stage::places::Between;
use meshwright_stage::{Part, Staged, Step, places};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use super::PipelinePlan;
use super::segments::ShortCut;
use super::short::{Short, at_all_places};
use super::spread::Spread;
use crate::pipeline::cut::Cut;
use crate::pipeline::inner::Inner;
use crate::pipeline::levels::is_of_segment;
use crate::pipeline::stay_gathered::Copied;

/// The short step of a pipeline, how its groups shard it, and how each stage keeps less.
#[derive(Clone)]
pub(in crate::pipeline) struct Chosen {
    pub(super) short: Arc<Short>,
    pub(super) cut: Arc<ShortCut>,
    pub(super) inner: Arc<Inner>,
    /// How the short step was sharded.
    pub(super) sharded: Sharded,
    /// For each stage, one of the ways of [`segments`](super::segments) to keep less.
    pub(super) ways: Vec<usize>,
}

/// How a short step was sharded.
#[derive(Clone, Copy)]
pub(super) struct Sharded {
    /// Memory within which it was.
    pub(super) memory: Bytes,
    /// What all groups take together, as they were sharded.
    pub(super) seconds: Seconds,
}

impl fmt::Debug for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chosen").field("mesh", self.inner.mesh()).field("ways", &self.ways).finish()
    }
}

/// The whole step as a pipeline was chosen for the short one.
pub(in crate::pipeline) struct Whole {
    /// Positions of the forward pass at which stages begin, but for the first.
    pub(in crate::pipeline) cuts: Vec<usize>,
    pub(in crate::pipeline) shardings: Shardings,
    /// What runs again, of the function that was cut.
    pub(in crate::pipeline) again: BTreeSet<InstId>,
    /// Stages whose backward passes make copies anew.
    pub(in crate::pipeline) gathers_again: BTreeSet<usize>,
}

impl PipelinePlan {
    /// The degrees of a group, as its shardings are recognized.
    pub fn degrees(&self) -> Degrees {
        let Chosen { cut, inner, .. } = &self.chosen;
        let shardings = inner.whole();
        cut.step().map_or_else(
            |_| Degrees::default(),
            |step| {
                let roles = Roles::new(step.function);
                recognize(step.function, &roles, shardings).degrees(&shardings.mesh)
            },
        )
    }

    /// Who makes copies of parameters.
    pub(in crate::pipeline) fn copied(&self) -> Copied {
        self.chosen.cut.cut.copied()
    }

    /// Which places are between segments of the short step, and of the whole one.
    pub(in crate::pipeline) fn between(&self) -> Option<Between> {
        self.chosen.short.written.between
    }

    /// The whole step in its microbatches, as it was chosen; none if its segments are not those of the short one.
    pub(in crate::pipeline) fn whole(&self, cut: &Cut) -> Option<Whole> {
        let Chosen { short, cut: short_cut, inner, ways, .. } = &self.chosen;
        let (step, short_step) = (cut.step().ok()?, short_cut.step().ok()?);
        let (staged, short_staged) = (at_all_places(&step), at_all_places(&short_step));
        let spread = Spread::of((&step, &staged), (&short_step, &short_staged), &short.like)?;
        let shardings = spread.shardings(step.function, short_step.function, inner.whole())?;
        let open = places::open(&step);
        let ends = self.segments.iter().map(|(_, end)| *end);
        let cuts: Vec<usize> = ends
            .take(self.segments.len() - 1)
            .map(|end| open.get(end - 1).copied())
            .collect::<Option<_>>()?;
        let number = short.again.len();
        let own = Segmented { plan: self, step: &step, staged: &staged };
        let again =
            own.again(|stage| &short.again[ways[stage] % number].insts, (cut, &short_cut.cut), &spread);
        let gathers_again = (0..ways.len()).filter(|stage| ways[*stage] >= number).collect();
        Some(Whole { cuts, shardings, again, gathers_again })
    }
}

/// A step at all places, and the stages that its segments are put into.
struct Segmented<'a> {
    plan: &'a PipelinePlan,
    step: &'a Step<'a>,
    staged: &'a Staged,
}

impl Segmented<'_> {
    /// What runs again: the like of what does in the short step, `way` of each stage.
    fn again<'w>(
        &self,
        way: impl Fn(usize) -> &'w BTreeSet<InstId>,
        (cut, short): (&Cut, &Cut),
        spread: &Spread,
    ) -> BTreeSet<InstId> {
        let stage_of = |segment: usize| {
            self.plan.segments.iter().position(|(from, end)| (*from..*end).contains(&segment))
        };
        let stages: Vec<Option<usize>> = (0..self.staged.count).map(stage_of).collect();
        let mut again = BTreeSet::new();
        for (position, inst) in self.step.inside.iter().enumerate() {
            let is_again = self.staged.part[position] == Some(Part::Forward)
                && is_of_segment(self.step, self.staged, position);
            let stage = self.staged.stage[position].filter(|_| is_again).and_then(|own| stages[own]);
            let twin = spread.insts[*inst].and_then(|twin| short.origin(twin));
            if let (Some(stage), Some(twin), Some(own)) = (stage, twin, cut.origin(*inst))
                && way(stage).contains(&twin)
            {
                again.insert(own);
            }
        }
        again
    }
}
