//! What the passes share besides [`Rewriter`]: groups along other axes, this device's position.

use crate::position;
use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::collective::ReplicaGroups;
use meshwright_ir::ops::device_id::DeviceId;
use meshwright_ir::program::InstView;
use meshwright_ir::rewrite::Rewriter;
use meshwright_tensor::types::ElementType;

/// Whether a collective leaves elements in the type in which it is given them. One whose reducer promotes them combines
/// what no value of the operand's type is, so it cannot change places with other ops.
pub(super) fn keeps_elements(view: &InstView<'_>) -> bool {
    let element = |value: &ValueId| view.body.ty(*value).as_tensor().map(|tensor| tensor.element);
    view.inst.operands.len() == view.inst.results.len()
        && view.inst.operands.iter().map(element).eq(view.inst.results.iter().map(element))
}

/// The same collective over groups along other axes.
pub(super) fn over(op: &Op, axes: &[SubAxisId], mesh: &Mesh) -> Op {
    let mut op = op.clone();
    if let Some(participants) = op.participants_mut() {
        participants.groups = ReplicaGroups::new(&mesh.groups(axes));
        participants.mesh_axes = None;
    }
    op
}

/// Scalars of a device's number.
pub(super) trait Positions {
    /// `value op number`, for a scalar.
    fn arithmetic(&mut self, op: Binary, value: ValueId, number: usize, span: Span, to: RegionId) -> ValueId;

    /// Row-major position of this device along `axes`, as a scalar.
    fn own_index(
        &mut self,
        axes: &[SubAxisId],
        mesh: &Mesh,
        element: ElementType,
        span: Span,
        to: RegionId,
    ) -> ValueId;
}

impl Positions for Rewriter<'_> {
    fn arithmetic(&mut self, op: Binary, value: ValueId, number: usize, span: Span, to: RegionId) -> ValueId {
        self.build(to, span).with_number(op, value, number)
    }

    fn own_index(
        &mut self,
        axes: &[SubAxisId],
        mesh: &Mesh,
        element: ElementType,
        span: Span,
        to: RegionId,
    ) -> ValueId {
        // As the rest of the program asks for it.
        let asked = self.from.insts.values().find(|inst| matches!(inst.op, Op::DeviceId(_)));
        let number = asked.map_or(DeviceId::Replica.into(), |inst| inst.op.clone());
        position::along(&mut self.build(to, span), number, axes, mesh, element)
    }
}
