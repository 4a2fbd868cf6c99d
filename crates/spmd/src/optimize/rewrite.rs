//! What the passes share besides [`Rewriter`]: groups along other axes, this device's position.

use crate::emit::runs;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::mesh::{Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::collective::ReplicaGroups;
use meshwright_ir::ops::convert::Convert;
use meshwright_ir::ops::device_id::DeviceId;
use meshwright_ir::program::InstView;
use meshwright_ir::rewrite::Rewriter;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType};

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
        let ty = self.to.tensor(value).clone();
        let number = self.constant(Literal::splat(ty.clone(), number as f64), to);
        self.emit(op.into(), &[value, number], &[], ty.into(), span, to)
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
        let op = asked.map_or(DeviceId::Replica.into(), |inst| inst.op.clone());
        let number = TensorType::scalar(ElementType::Ui32);
        let id = self.emit(op, &[], &[], number.clone().into(), span, to);
        let mut index: Option<ValueId> = None;
        for (stride, devices) in runs(mesh, axes) {
            let mut position = id;
            if stride > 1 {
                position = self.arithmetic(Binary::Divide, position, stride, span, to);
            }
            if stride * devices < mesh.num_devices() {
                position = self.arithmetic(Binary::Remainder, position, devices, span, to);
            }
            index = Some(match index {
                None => position,
                Some(major) => {
                    let major = self.arithmetic(Binary::Multiply, major, devices, span, to);
                    self.emit(Binary::Add.into(), &[major, position], &[], number.clone().into(), span, to)
                }
            });
        }
        let index = index.unwrap_or_else(|| self.constant(Literal::splat(number, 0.0), to));
        self.emit(Convert.into(), &[index], &[], TensorType::scalar(element).into(), span, to)
    }
}
