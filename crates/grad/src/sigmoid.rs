//! Sigmoids that are written out: `1 / (1 + exp x)`.
//!
//! Where the exponential overflows, the quotient is zero, and so is its slope; but differentiated instruction by
//! instruction it is zero times infinity. So its cotangent is handed to `x` at once, of the quotient alone, as that of
//! `stablehlo.logistic` is.
//!
//! ```text
//! %e = exp %x     %s = 1 + %e     %q = 1 / %s       given %dq:  %dx = -%dq * %q * (1 - %q)
//! ```

use crate::backward::Backward;
use meshwright_ir::build::{BodyBuilder, Builder as _};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::constant::is_splat_of;
use meshwright_ir::ops::unary::Unary;
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::vjp::Residuals as _;

/// The number `x` of an instruction that computes `1 / (1 + exp x)`, and the exponential.
fn argument(view: &InstView<'_>) -> Option<[ValueId; 2]> {
    let (Op::Binary(Binary::Divide), [_, sum]) = (&view.inst.op, view.inst.operands.as_slice()) else {
        return None;
    };
    if !view.result(0).element.is_float() || !is_splat_of(view, 0, 1.0) {
        return None;
    }
    let sum = made(view.body, *sum)?;
    let Op::Binary(Binary::Add) = &sum.inst.op else { return None };
    let other = (0..2).find(|index| is_splat_of(&sum, *index, 1.0))?;
    let power = sum.inst.operands[1 - other];
    let made = made(view.body, power)?;
    let Op::Unary(Unary::Exponential) = &made.inst.op else { return None };
    Some([*made.inst.operands.first()?, power])
}

fn made(body: &Body, value: ValueId) -> Option<InstView<'_>> {
    match body.values[value].def {
        Def::Result(inst, _) => Some(body.view(inst)),
        Def::Argument(..) => None,
    }
}

impl Backward {
    /// Writes the backward pass of an instruction that ends a sigmoid, and returns whether it is one.
    pub(crate) fn through_sigmoid(
        &mut self,
        inst: InstId,
        cotangents: &[Option<ValueId>],
        to: RegionId,
    ) -> bool {
        let view = self.body.view(inst);
        let (Some([x, power]), [Some(cotangent)]) = (argument(&view), cotangents) else { return false };
        let quotient = view.inst.results[0];
        // A value of another region takes its cotangent from the region as a whole.
        let is_in_one =
            self.frames.region_of(&self.body, power) == self.frames.region_of(&self.body, quotient);
        if !is_in_one || !self.activity.is_varied(x) {
            return false;
        }
        let quotient = self.frames.reach(&mut self.body, quotient);
        let mut b = BodyBuilder::standing_for(&mut self.body, inst, to);
        let one = b.number_like(quotient, 1.0);
        let rest = b.minus(one, quotient);
        let slope = b.times(quotient, rest);
        let product = b.times(*cotangent, slope);
        let product = b.negated(product);
        self.give(x, product, inst, to);
        true
    }
}
