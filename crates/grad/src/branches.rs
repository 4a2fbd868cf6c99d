//! The backward pass of a choice between branches: the same choice between their backward passes.
//!
//! Branches take no arguments, so that each returns cotangents of what it reads from around it: zeros, if it reads less
//! than another one.

use crate::backward::Backward;
use crate::residuals::Frame;
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::ops::return_::Return;
use meshwright_ir::program::Region;
use meshwright_ir::vjp::{Residuals as _, Sofar};
use meshwright_tensor::types::Type;

impl Backward {
    pub(crate) fn through_branches(&mut self, inst: InstId, cotangents: &[Option<ValueId>], to: RegionId) {
        let captured: Vec<ValueId> = self
            .body
            .view(inst)
            .captured()
            .into_iter()
            .filter(|value| self.activity.is_active(*value))
            .collect();
        if captured.is_empty() {
            return;
        }
        let op = self.body.insts[inst].op.clone();
        let selector = self.body.insts[inst].operands[0];
        let selector = self.frames.reach(&mut self.body, selector);
        let aside: Vec<Option<Sofar>> = captured.iter().map(|value| self.sofar.remove(value)).collect();
        let branches = self.body.insts[inst].regions.clone();
        let branches: Vec<RegionId> = branches
            .into_iter()
            .map(|branch| self.backward_branch(inst, branch, cotangents, &captured))
            .collect();
        let types: Vec<Type> = captured.iter().map(|value| self.body.ty(*value).clone()).collect();
        let sums =
            BodyBuilder::standing_for(&mut self.body, inst, to).emit_all(op, &[selector], branches, types);
        for ((value, before), sum) in captured.into_iter().zip(aside).zip(sums) {
            before.map(|before| self.sofar.insert(value, before));
            self.give(value, sum, inst, to);
        }
    }

    /// The backward pass of one branch, which returns cotangents of what any of them reads.
    fn backward_branch(
        &mut self,
        inst: InstId,
        forward: RegionId,
        cotangents: &[Option<ValueId>],
        captured: &[ValueId],
    ) -> RegionId {
        let insts = self.body.regions[forward].insts.clone();
        let returned = self.body.terminator(forward).map_or(Vec::new(), |end| end.operands.clone());
        let backward = self.body.regions.push(Region::default());
        for (value, cotangent) in returned.into_iter().zip(cotangents) {
            cotangent.iter().for_each(|cotangent| self.give(value, *cotangent, inst, backward));
        }
        self.frames.open.push(Frame::new(inst, [forward, backward], None));
        self.through(&insts, backward);
        self.frames.open.pop();
        let mut sums = Vec::new();
        for value in captured {
            let sum = self.sofar.remove(value).map(|sofar| sofar.sum);
            sums.push(sum.unwrap_or_else(|| self.splat_like(backward, *value, 0.0)));
        }
        let mut builder = BodyBuilder::standing_for(&mut self.body, inst, backward);
        builder.emit_all(Return::Stablehlo, &sums, Vec::new(), Vec::new());
        backward
    }
}
