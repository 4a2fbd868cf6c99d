//! What devices of a pipeline spend of a step: seconds in which they compute and in which they communicate, as plan files say
//! them of any plan.
//!
//! Input: the pieces of a step as they are priced, the table, and what the step is predicted to take. Output: [`Spent`], on
//! average of all devices; what is left of the step they wait for one another.

use meshwright_cost::estimate::each_event;
use meshwright_cost::{Analysis, Lowering};
use meshwright_machine::Seconds;
use meshwright_plan::figures::Share;
use meshwright_plan::{Figures, Phase, Table};
use std::collections::BTreeSet;

use super::figures::{PipelineFigures, Priced};
use super::space::{COMMUNICATION, by_kind};
use super::{Site, StepModel};
use crate::mesh::placed;

/// What devices spend of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spent {
    /// Seconds in which they compute.
    pub(super) compute: Seconds,
    /// Seconds of collectives and reshards inside of groups.
    pub(super) communication: Seconds,
}

impl Spent {
    /// Of devices that work so long on each kind: who neither waits nor communicates computes, what is made again and copied
    /// between phases included.
    fn of(by_kind: &[Share], figures: &PipelineFigures) -> Self {
        let communication = by_kind.iter().find(|share| share.what == COMMUNICATION);
        let communication = communication.map_or(0.0, |share| share.seconds);
        let works = figures.step().0 * (1.0 - figures.bubble());
        Self { compute: Seconds((works - communication).max(0.0)), communication: Seconds(communication) }
    }
}

impl Site<'_> {
    /// What devices spend of a step that takes so long, and its figures, if it trains and groups are alike.
    pub(super) fn spent(
        &self,
        priced: &Priced<'_>,
        table: &Table<'_>,
        predicted: &PipelineFigures,
    ) -> (Spent, Option<Figures>) {
        match self.shares(table.rows.len()) {
            Some(by_kind) => (Spent::of(&by_kind, predicted), self.figures_of_step(predicted, by_kind)),
            None => (priced.spent(table), None),
        }
    }

    /// Seconds of a step by kind of work, on average of the devices of so many groups, if these are alike.
    fn shares(&self, groups: usize) -> Option<Vec<Share>> {
        let function = self.step.function;
        let (inner, part) = self.groups.alike()?;
        let by_kind = by_kind(&Analysis::on(function, self.machine.device.platform), inner, part);
        let of_one = |share: Share| Share { seconds: share.seconds / groups as f64, ..share };
        Some(by_kind.into_iter().map(of_one).collect())
    }

    /// The figures of the whole step whose devices spend so long with each kind of work, if it trains.
    fn figures_of_step(&self, figures: &PipelineFigures, by_kind: Vec<Share>) -> Option<Figures> {
        let model = StepModel::of(&self.cut.flat.function, self.cut.analyzed().0, self.machine);
        self.cut.trains().then(|| model.figures(figures, by_kind, self.cut.made_again_insts()))
    }
}

impl Priced<'_> {
    /// What devices spend of a step by this table, on average of its groups.
    fn spent(&self, table: &Table<'_>) -> Spent {
        let mut spent = Spent::default();
        let actions = (0..table.events.len()).filter_map(|at| table.action(at));
        let of_microbatches = actions.filter_map(|action| self.piece_of(action.program));
        // Each group of a stage makes copies of its parameters, once in a step.
        let place = |at: usize| Some((table.action(at)?.program.stage, table.events[at].group));
        let places: BTreeSet<(usize, usize)> = (0..table.events.len()).filter_map(place).collect();
        let copies = places.iter().filter_map(|(stage, _)| self.piece(*stage, Phase::Copies));
        for piece in of_microbatches.chain(copies) {
            let shardings = self.of_piece(piece);
            let placement = placed(self.on.of(piece.id.stage).1, &shardings.mesh);
            each_event(&Lowering::new(self.analysis(piece), &shardings), &placement, &mut |_, took| {
                spent.compute += took.seconds - took.sent;
                spent.communication += took.sent;
            });
        }
        let groups = table.rows.len().max(1) as f64;
        Spent {
            compute: Seconds(spent.compute.0 / groups),
            communication: Seconds(spent.communication.0 / groups),
        }
    }
}
