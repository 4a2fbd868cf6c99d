//! The backward pass of a scatter to the elements that a comparison selects: each value that is scattered gets what is passed
//! back to the element of its window that was selected.
//!
//! That is a reduction of each window again, which carries what is passed back along with the elements. Padding is never
//! selected, so it is told apart by a third tensor.

use super::binary::Binary;
use super::reduce_window::ReduceWindow;
use super::reducer::reducer;
use super::select_and_scatter::SelectAndScatter;
use super::unary::Unary;
use super::vectorize_region::VectorizedRegion;
use crate::build::Builder as _;
use crate::vjp::{Differentiated, Vjp, none_because};
use meshwright_tensor::types::{ElementType, TensorType, Type};

impl SelectAndScatter {
    pub(super) fn sum_vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let view = v.view();
        if reducer(view.body, view.region(1)) != Some(Binary::Add) {
            return none_because("has a derivative only if it adds what it scatters");
        }
        if view.operand(0).element != view.result(0).element {
            return none_because("has no derivative if it widens what it adds");
        }
        let Some(select) = VectorizedRegion::new(&view, 0).map(|region| region.elementwise()) else {
            return none_because("has a derivative only if it selects by elementwise ops");
        };
        v.give_with(1, |v, cotangent| {
            let (operand, source) = (v.operand_type(0), v.operand_type(1));
            let x = v.operand(0);
            let flags = TensorType::new(operand.shape.clone(), ElementType::I1);
            let is_element = v.splat(flags, 1.0);
            let [number, flag] = [operand.element, ElementType::I1].map(TensorType::scalar);
            let (zero, no) = (v.splat(number.clone(), 0.0), v.splat(flag.clone(), 0.0));
            let of_one = [number.clone(), number, flag].map(Type::from);
            let region = v.region(&[of_one.clone(), of_one].concat(), |v, args| {
                let &[a, of_a, has_a, b, of_b, has_b] = args else { return Vec::new() };
                let is_selected = select.write(&[a, b], v).expect("it takes two elements")[0];
                let is_alone = v.unary(Unary::Not, has_b);
                let stays = v.binary(Binary::Or, is_selected, is_alone);
                let stays = v.binary(Binary::And, has_a, stays);
                let (one, of_one) = (v.choose(stays, a, b), v.choose(stays, of_a, of_b));
                vec![one, of_one, v.binary(Binary::Or, has_a, has_b)]
            });
            let rank = operand.rank();
            let window = ReduceWindow {
                sizes: self.sizes.clone().unwrap_or_else(|| vec![1; rank]),
                strides: self.strides.clone(),
                base_dilations: None,
                window_dilations: None,
                padding: self.padding.clone(),
            };
            let types = [operand.element, operand.element, ElementType::I1]
                .map(|element| TensorType::new(source.shape.clone(), element).into());
            let operands = [x, cotangent, is_element, zero, zero, no];
            v.emit_all(window, &operands, vec![region], types.to_vec())[1]
        });
        v.give_with(2, |v, cotangent| {
            let rank = v.ty(cotangent).rank();
            v.sum(cotangent, (0..rank).collect())
        });
        Ok(())
    }
}
