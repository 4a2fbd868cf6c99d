//! The backward pass of a sort: sorted the same way, positions say where each element came from, and sorting by them
//! brings all back.

use super::compare::{Compare, CompareType, Direction};
use super::sort::Sort;
use crate::build::Builder as _;
use crate::diagnostic::Span;
use crate::ids::{InstId, RegionId, ValueId};
use crate::program::Region;
use crate::vjp::Vjp;
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::BTreeMap;

impl Sort {
    pub(super) fn sorted_back(&self, v: &mut Vjp<'_>) {
        let shape = v.operand_type(0).shape;
        let Some(dim) = self.dim(shape.len()) else { return };
        let count = v.wanted.len();
        let mut operands: Vec<ValueId> = (0..count).map(|index| v.operand(index)).collect();
        operands.push(v.iota(&shape, ElementType::I32, dim));
        let comparator = self.comparator_with_positions(v);
        let types: Vec<Type> = operands.iter().map(|operand| v.ty(*operand).into()).collect();
        let sorted = v.emit_all(*self, &operands, vec![comparator], types);
        let wanted: Vec<(usize, ValueId)> = (0..count)
            .filter(|index| v.wants(*index))
            .filter_map(|index| Some((index, v.cotangent_of(index)?)))
            .collect();
        let back: Vec<ValueId> =
            [sorted[count]].into_iter().chain(wanted.iter().map(|(_, cotangent)| *cotangent)).collect();
        let types: Vec<Type> = back.iter().map(|value| v.ty(*value).into()).collect();
        let scalars = types.iter().flat_map(|ty| {
            let element = ty.as_tensor().map_or(ElementType::I32, |ty| ty.element);
            [Type::from(TensorType::scalar(element)), TensorType::scalar(element).into()]
        });
        let comparator = v.region(&scalars.collect::<Vec<_>>(), |v, args| {
            let op = Compare { direction: Direction::Less, compare_type: Some(CompareType::Signed) };
            vec![v.emit(op, &args[..2], TensorType::scalar(ElementType::I1))]
        });
        let back = v.emit_all(*self, &back, vec![comparator], types);
        for ((index, _), cotangent) in wanted.iter().zip(&back[1..]) {
            v.give(*index, *cotangent);
        }
    }

    /// A copy of the comparator that takes two positions more, which it does not look at.
    fn comparator_with_positions(&self, v: &mut Vjp<'_>) -> RegionId {
        let old = v.view().region(0).clone();
        let new = v.body.regions.push(Region::default());
        let mut map = BTreeMap::new();
        for arg in &old.args {
            let ty = v.body.ty(*arg).clone();
            map.insert(*arg, v.body.add_arg(new, ty, Span::NONE));
        }
        for _ in 0..2 {
            v.body.add_arg(new, TensorType::scalar(ElementType::I32).into(), Span::NONE);
        }
        copy(v, &old.insts, new, &mut map);
        new
    }
}

/// Copies instructions of the forward pass, with their regions, to the end of a region; `map` is where values are there.
fn copy(v: &mut Vjp<'_>, insts: &[InstId], to: RegionId, map: &mut BTreeMap<ValueId, ValueId>) {
    for id in insts {
        let inst = v.body.insts[*id].clone();
        // What stands around the sort is a value of the forward pass.
        let operands = inst.operands.iter().map(|operand| match map.get(operand) {
            Some(known) => *known,
            None => v.residuals.reach(v.body, *operand),
        });
        let operands = operands.collect();
        let mut regions = Vec::with_capacity(inst.regions.len());
        for region in &inst.regions {
            let (old, new) = (v.body.regions[*region].clone(), v.body.regions.push(Region::default()));
            for arg in &old.args {
                let ty = v.body.ty(*arg).clone();
                map.insert(*arg, v.body.add_arg(new, ty, Span::NONE));
            }
            copy(v, &old.insts, new, map);
            regions.push(new);
        }
        let types = inst.results.iter().map(|result| v.body.ty(*result).clone()).collect();
        let made = v.body.append(to, inst.op, operands, regions, types, inst.span);
        map.extend(inst.results.iter().copied().zip(v.body.insts[made].results.clone()));
    }
}
