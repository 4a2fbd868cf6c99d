//! The backward pass of reductions over windows.

use super::binary::Binary;
use super::compare::Direction;
use super::constant::splat_of;
use super::reduce_vjp::to_init;
use super::reduce_window::ReduceWindow;
use super::reducer::is_neutral;
use super::select_and_scatter::SelectAndScatter;
use crate::build::Builder as _;
use crate::sharding::Reduction;
use crate::vjp::Vjp;
use meshwright_tensor::types::{TensorType, Type};

impl ReduceWindow {
    /// Each element gets the sum over the windows that it is in: a sum over windows again, in which steps and dilations
    /// have changed places.
    pub(super) fn sum_vjp(&self, v: &mut Vjp<'_>) {
        v.give_with(0, |v, cotangent| {
            let (operand, result) = (v.operand_type(0), v.result_type(0));
            let windows = self.window();
            let edges = windows.iter().enumerate();
            let edges =
                edges.flat_map(|(dim, window)| window.edges_back(operand.shape[dim], result.shape[dim]));
            let back = Self {
                sizes: self.sizes.clone(),
                strides: Some(windows.iter().map(|window| window.base_dilation).collect()),
                base_dilations: Some(windows.iter().map(|window| window.stride).collect()),
                window_dilations: self.window_dilations.clone(),
                padding: Some(edges.collect()),
            };
            let scalar = TensorType::scalar(operand.element);
            let zero = v.splat(scalar.clone(), 0.0);
            let reducer = v.pairwise(Binary::Add, scalar);
            v.emit_all(back, &[cotangent, zero], vec![reducer], vec![operand.into()])[0]
        });
        v.give_with(1, to_init);
    }

    /// The extreme of each window gets it; of several the first, which is the number that the windows begin with if it is
    /// that.
    pub(super) fn extreme_vjp(&self, v: &mut Vjp<'_>, op: Binary) {
        let reduction = if op == Binary::Maximum { Reduction::Max } else { Reduction::Min };
        let begins_neutral = splat_of(&v.view(), 1).is_some_and(|init| is_neutral(reduction, init));
        let begin = (!begins_neutral && (v.wants(0) || v.wants(1))).then(|| {
            let (init, extreme) = (v.operand(1), v.result(0));
            let shape = v.ty(extreme).shape;
            let init = v.broadcast(init, &shape, Vec::new());
            v.compare(Direction::Equal, extreme, init)
        });
        if let Some(begin) = begin {
            v.give_with(1, |v, cotangent| {
                let own = v.only_where(begin, cotangent);
                to_init(v, own)
            });
        }
        v.give_with(0, |v, cotangent| {
            let cotangent = match begin {
                Some(begin) => {
                    let zero = v.number_like(cotangent, 0.0);
                    v.choose(begin, zero, cotangent)
                }
                None => cotangent,
            };
            let (x, operand) = (v.operand(0), v.operand_type(0));
            let scalar = TensorType::scalar(operand.element);
            let zero = v.splat(scalar.clone(), 0.0);
            let wins = if op == Binary::Maximum { Direction::GreaterEqual } else { Direction::LessEqual };
            let pair = [Type::from(scalar.clone()), scalar.clone().into()];
            let select = v.region(&pair, |v, args| vec![v.compare(wins, args[0], args[1])]);
            let scatter = v.pairwise(Binary::Add, scalar);
            let back = SelectAndScatter {
                sizes: Some(self.sizes.clone()),
                strides: self.strides.clone(),
                padding: self.padding.clone(),
            };
            let operands = [x, cotangent, zero];
            v.emit_all(back, &operands, vec![select, scatter], vec![operand.into()])[0]
        });
    }
}
