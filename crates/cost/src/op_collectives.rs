//! What the local form of an instruction sends by itself: edges of shards to neighbors, shifted shards, totals.
//!
//! Input: an instruction and its strategy. Output: the collectives that its local form is made of. The op's own
//! `localize` is run with a builder that emits nothing and only notes what would be sent, so price and program cannot
//! differ. A collective that the program has itself, inside a manual computation, is one.

use crate::collective::Collective;
use crate::groups::{axes_of, group_size, kind_of};
use meshwright_ir::ids::{Id, RegionId, ValueId};
use meshwright_ir::local::{LocalBuilder, Localize};
use meshwright_ir::mesh::{AxisSet, Mesh, SubAxisId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::constant::Constant;
use meshwright_ir::program::InstView;
use meshwright_ir::rule::{ShardingRule, Strategy};
use meshwright_ir::sharding::Reduction;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// One collective of a local form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpCollective {
    /// Its kind.
    pub kind: Collective,
    /// The axes along which its groups extend.
    pub axes: AxisSet,
    /// Bytes that a device holds before.
    pub bytes: f64,
    /// Bytes of its result on one device.
    pub result_bytes: f64,
    /// Bytes that one device sends.
    pub ring_bytes: f64,
}

/// Returns whether the local form of an instruction may send anything by itself.
pub fn may_send(view: &InstView<'_>) -> bool {
    kind_of(&view.inst.op).is_some() || view.inst.op.exchanges(view)
}

/// The collectives of the local form of an instruction, in order. `strategy` is legal. Which axes shard a factor that passes
/// through does not matter, only how many shards that makes.
pub fn op_collectives(
    view: InstView<'_>,
    rule: &ShardingRule,
    strategy: &Strategy,
    mesh: &Mesh,
) -> Vec<OpCollective> {
    let kind = kind_of(&view.inst.op);
    if kind.is_none() && (!view.inst.op.exchanges(&view) || strategy.is_replicated()) {
        return Vec::new();
    }
    let local = |ty: &Type, sharding: meshwright_ir::sharding::Sharding| match ty {
        Type::Tensor(tensor) => Type::Tensor(sharding.local_type(tensor, mesh)),
        other => other.clone(),
    };
    let operand_types: Vec<Type> = view
        .operand_types()
        .enumerate()
        .map(|(index, ty)| local(ty, strategy.operand_sharding(rule, index, mesh)))
        .collect();
    let result_types: Vec<Type> = view
        .result_types()
        .enumerate()
        .map(|(index, ty)| local(ty, strategy.result_sharding(rule, index, mesh)))
        .collect();
    if let Some(kind) = kind {
        let bytes = |types: &[Type]| types.iter().map(|ty| ty.num_bytes() as f64).sum();
        return vec![own_collective(kind, &view.inst.op, bytes(&operand_types), bytes(&result_types), mesh)];
    }
    let mut recorder = Recorder { mesh, values: Vec::new(), sent: Vec::new() };
    let operands: Vec<ValueId> = operand_types.iter().map(|ty| recorder.value(ty.clone())).collect();
    let cx = Localize {
        view,
        rule,
        strategy,
        mesh,
        operands: &operands,
        operand_types: &operand_types,
        result_types: &result_types,
    };
    view.inst.op.localize(&cx, &mut recorder);
    recorder.sent
}

/// A collective of `kind` over the devices that it names by their positions in the mesh.
fn own_collective(kind: Collective, op: &Op, bytes: f64, result_bytes: f64, mesh: &Mesh) -> OpCollective {
    let ring_bytes = kind.ring_factor(group_size(op) as f64) * bytes;
    OpCollective { kind, axes: axes_of(op, mesh), bytes, result_bytes, ring_bytes }
}

struct Recorder<'a> {
    mesh: &'a Mesh,
    /// Type of each value so far, and what it is a splat of.
    values: Vec<(Type, Option<Literal>)>,
    sent: Vec<OpCollective>,
}

impl Recorder<'_> {
    fn value(&mut self, ty: Type) -> ValueId {
        self.values.push((ty, None));
        ValueId::from_index(self.values.len() - 1)
    }

    /// Notes a collective; `growth` is what a device holds afterwards per byte that it holds before.
    fn send(&mut self, kind: Collective, value: ValueId, axes: &[SubAxisId], growth: f64) {
        let bytes = self.values[value.index()].0.num_bytes() as f64;
        let ring_bytes = kind.ring_factor(self.mesh.product(axes) as f64) * bytes;
        let axes = axes.iter().collect();
        self.sent.push(OpCollective { kind, axes, bytes, result_bytes: bytes * growth, ring_bytes });
    }

    fn tensor(&self, value: ValueId) -> TensorType {
        self.values[value.index()].0.as_tensor().expect("a tensor").clone()
    }
}

impl LocalBuilder for Recorder<'_> {
    fn emit(&mut self, op: Op, operands: &[ValueId], _: &[RegionId], types: Vec<Type>) -> Vec<ValueId> {
        let splat = match &op {
            Op::Constant(constant) => constant.value.splat_bytes().map(|_| constant.value.clone()),
            Op::BroadcastInDim(_) => self.values[operands[0].index()].1.clone(),
            _ => None,
        };
        let results: Vec<ValueId> = types.into_iter().map(|ty| self.value(ty)).collect();
        if let Some(first) = results.first() {
            self.values[first.index()].1 = splat;
        }
        results
    }

    fn copy_region(&mut self, _: &InstView<'_>, _: usize) -> RegionId {
        RegionId::from_index(0)
    }

    fn partition_region(&mut self, _: &InstView<'_>, _: usize) -> RegionId {
        RegionId::from_index(0)
    }

    fn ty(&self, value: ValueId) -> Type {
        self.values[value.index()].0.clone()
    }

    fn constant(&mut self, value: Literal) -> ValueId {
        let ty = Type::Tensor(value.ty.clone());
        self.emit(Constant { value }.into(), &[], &[], vec![ty])[0]
    }

    fn as_splat(&self, value: ValueId) -> Option<&Literal> {
        self.values[value.index()].1.as_ref()
    }

    fn index_along(&mut self, _: &[SubAxisId], element: ElementType) -> ValueId {
        self.value(TensorType::scalar(element).into())
    }

    fn own_shard(&mut self, value: ValueId, axes: &[Vec<SubAxisId>]) -> ValueId {
        let mut ty = self.tensor(value);
        for (size, axes) in ty.shape.iter_mut().zip(axes) {
            *size = size.div_ceil(self.mesh.product(axes));
        }
        self.value(ty.into())
    }

    fn once(&mut self, value: ValueId, _: &[SubAxisId], _: Reduction) -> ValueId {
        let ty = self.ty(value);
        self.value(ty)
    }

    fn all_reduce(&mut self, value: ValueId, axes: &[SubAxisId], _: Reduction) -> ValueId {
        self.send(Collective::AllReduce, value, axes, 1.0);
        let ty = self.ty(value);
        self.value(ty)
    }

    fn all_gather(&mut self, value: ValueId, dim: usize, axes: &[SubAxisId]) -> ValueId {
        let group = self.mesh.product(axes);
        self.send(Collective::AllGather, value, axes, group as f64);
        let mut ty = self.tensor(value);
        ty.shape[dim] *= group;
        self.value(ty.into())
    }

    fn all_to_all(&mut self, value: ValueId, _: usize, axes: &[SubAxisId]) -> ValueId {
        self.send(Collective::AllToAll, value, axes, 1.0);
        let ty = self.ty(value);
        self.value(ty)
    }

    fn permute(&mut self, value: ValueId, axes: &[SubAxisId], _: &[(usize, usize)]) -> ValueId {
        self.send(Collective::CollectivePermute, value, axes, 1.0);
        let ty = self.ty(value);
        self.value(ty)
    }
}
