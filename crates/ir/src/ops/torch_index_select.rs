//! `stablehlo.torch_index_select` (not in the specification; older exporters write it): rows by index.

use crate::attribute::{Attr, Attributes};
use crate::build::Builder as _;
use crate::expand::Expansion;
use crate::ids::ValueId;
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use meshwright_tensor::types::{TensorType, Type};

use super::gather::Gather;
use super::slice_dims::SliceDims;

/// Selects slices along one dim by a tensor of indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TorchIndexSelect {
    /// The dim that is indexed.
    pub dim: i64,
    /// How many dims operand and indices have in common.
    pub batch_dims: i64,
}

impl OpDef for TorchIndexSelect {
    const NAMES: &'static [&'static str] = &["stablehlo.torch_index_select"];

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { dim: attributes.int("dim")?, batch_dims: attributes.int("batch_dims")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        attributes.set("dim", Attr::i64(self.dim));
        attributes.set("batch_dims", Attr::i64(self.batch_dims));
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.shape(view, 2, 1, 0) {
            return;
        }
        let (operand, index) = (view.operand(0), view.operand(1));
        violations
            .require(index.element.is_integer(), || format!("the indices should be integers, not {index}"));
        let Some((_, batch)) = self.places(operand, index) else {
            violations.messages.push(format!(
                "`dim` {} and `batch_dims` {} do not fit {operand} and {index}",
                self.dim, self.batch_dims
            ));
            return;
        };
        violations.require(operand.shape[..batch] == index.shape[..batch], || {
            format!("the first {batch} dims of {operand} and {index} differ")
        });
        violations.inferred(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let (operand, index) = (given.tensor(0)?, given.tensor(1)?);
        let (dim, batch) = self.places(operand, index)?;
        let shape = [&operand.shape[..dim], &index.shape[batch..], &operand.shape[dim + 1..]].concat();
        Some(vec![TensorType::new(shape, operand.element).into()])
    }

    fn traits(&self) -> OpTraits {
        OpTraits::SHORT_FORM
    }

    fn expand(
        &self,
        view: &InstView<'_>,
        operands: &[ValueId],
        e: &mut Expansion<'_, '_>,
    ) -> Option<Vec<ValueId>> {
        let (dim, batch) = self.places(view.operand(0), view.operand(1))?;
        let (operand, index) = (view.operand(0), view.operand(1));
        let behind = dim + index.rank() - batch;
        let mut slice_sizes = operand.shape.clone();
        slice_sizes[..batch].fill(1);
        slice_sizes[dim] = 1;
        let dims = SliceDims {
            window: (batch..dim).chain(behind..view.result(0).rank()).collect(),
            collapsed: vec![dim],
            table_batching: (0..batch).collect(),
            indices_batching: (0..batch).collect(),
            index_map: vec![dim],
            index_vector_dim: index.rank(),
        };
        let gather = Gather { dims, slice_sizes, indices_are_sorted: None };
        Some(vec![e.emit(gather, operands, view.result(0).clone())])
    }
}

impl TorchIndexSelect {
    /// The dim and the number of batch dims, counted from the front; `None` if the operands have no such dims.
    fn places(&self, operand: &TensorType, index: &TensorType) -> Option<(usize, usize)> {
        let from_front = |at: i64, rank: usize| {
            let rank = i64::try_from(rank).ok()?;
            usize::try_from(if at < 0 { at.checked_add(rank)? } else { at }).ok()
        };
        let (rank, index_rank) = (operand.rank(), index.rank());
        let (dim, batch) = (from_front(self.dim, rank)?, from_front(self.batch_dims, index_rank)?);
        (batch <= dim && dim < rank && batch <= index_rank).then_some((dim, batch))
    }
}
