//! A step on groups of a machine, before and while it is put into stages.
//!
//! Input: the cut of a step, and groups. Output: its stages, in about equal times or as a plan has them, where those of a table
//! lie, and what they are priced with.

use meshwright_cost::Analysis;
use meshwright_machine::Machine;
use meshwright_plan::{PlanFile, Table};
use meshwright_stage::pieces::Copies;
use meshwright_stage::rows::Placed;
use meshwright_stage::{Piece, Staged, Step};

use super::cut::Cut;
use super::donation::donating_pieces;
use super::figures::{Priced, analyses};
use super::groups::Groups;
use super::handed::Handed;
use super::{plan, refused};
use crate::error::CompileError;

/// A step on groups of a machine.
pub(super) struct Site<'a> {
    pub(super) cut: &'a Cut,
    pub(super) step: &'a Step<'a>,
    pub(super) groups: &'a Groups,
    pub(super) machine: &'a Machine,
}

impl<'a> Site<'a> {
    /// Places of a table's stages. Errors: copies that do not belong together, or that are on groups that are not alike.
    pub(super) fn placed(&self, table: &Table<'_>) -> Result<Placed, CompileError> {
        let placed = Placed::of(table).ok_or_else(refused::mixed_copies)?;
        let unlike = placed.0.iter().find_map(|groups| match groups[..] {
            [one, other] if !self.groups.is_like(one, other) => Some((one, other)),
            _ => None,
        });
        unlike.map_or(Ok(placed), |(one, other)| Err(refused::unlike_copies(one, other)))
    }

    /// The step in stages that take about equally long on these groups.
    pub(super) fn stages(&self, placed: &Placed) -> Result<Staged, CompileError> {
        let devices =
            |groups: &Vec<usize>| groups.first().map_or(1, |group| self.groups.devices(*group).len());
        let devices: Vec<usize> = placed.0.iter().map(devices).collect();
        let most = devices.iter().copied().max().unwrap_or(1) as f64;
        let speeds: Vec<f64> = devices.iter().map(|count| *count as f64 / most).collect();
        self.balanced(&speeds)
    }

    /// The step in stages that take about equally long on devices of these speeds.
    pub(super) fn balanced(&self, speeds: &[f64]) -> Result<Staged, CompileError> {
        let seconds = self.cut.seconds(self.groups.part(0));
        let staged = meshwright_stage::stages(self.step, speeds, &|inst| seconds[inst]);
        let each = speeds.len() / self.groups.all_devices().len().max(1);
        staged.map_err(|refusal| refused::stages_of_groups(self.cut.refused(&refusal), &refusal, each))
    }

    /// The step in the stages of a plan.
    pub(super) fn planned(&self, plan: &PlanFile, count: usize) -> Result<Staged, CompileError> {
        let cuts = plan::cuts(plan, self.cut, self.step)?;
        if cuts.len() + 1 != count {
            return Err(plan::other_stages(plan, count));
        }
        Ok(meshwright_stage::at(self.step, cuts))
    }

    /// The copies that its stages, on these groups, hand from their forward to their backward passes.
    pub(super) fn handed(&self, staged: &Staged, placed: &[Vec<usize>]) -> Handed {
        let on = self.groups.of_stages(placed);
        Handed::of(self.step, staged, &|stage| on.of(stage).0.whole())
    }

    /// Prices stages on groups that are alike, whichever of them have the stages.
    pub(super) fn on_any_group(
        &self,
        staged: &Staged,
        of: &mut dyn FnMut(&Priced<'_>) -> Result<(), CompileError>,
    ) -> Result<(), CompileError> {
        let pieces = donating_pieces(self.cut, self.step, staged, Copies::One);
        let placed = vec![vec![0]; staged.count];
        let handed = self.handed(staged, &placed);
        let analyses = analyses(&pieces, self.machine);
        of(&self.priced(staged, (&pieces, &analyses), &handed, &placed))
    }

    pub(super) fn priced<'p>(
        &'p self,
        staged: &'p Staged,
        (pieces, analyses): (&'p [Piece], &'p [Analysis<'p>]),
        handed: &'p Handed,
        placed: &[Vec<usize>],
    ) -> Priced<'p> {
        let Self { cut, step, groups, machine } = *self;
        let on = groups.of_stages(placed);
        Priced { cut, step, staged, pieces, analyses, on, handed, alike: None, loops: None, machine }
    }
}
