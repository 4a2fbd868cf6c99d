//! `stablehlo.replica_id`, `stablehlo.partition_id` (specification, one section each): which device runs this.

use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::mesh::SubAxisId;
use crate::op::{Given, OpDef, Violations};
use crate::ops::local_code::look_up;
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{Ending, Format};
use meshwright_tensor::Tensor;
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementType, TensorType, Type};

use super::family::{family, names_of_family};

family! {
    /// Numbers by which an op names its device.
    DeviceId {
        /// Its replica.
        Replica = "stablehlo.replica_id",
        /// Its partition within the replica.
        Partition = "stablehlo.partition_id",
    }
}

impl OpDef for DeviceId {
    names_of_family!();

    const FORMAT: Option<Format> = Some(Format::of(0, Ending::Result));

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if violations.shape(view, 0, 1, 0) {
            violations.inferred(view);
        }
    }

    fn infer(&self, _: &Given<'_>) -> Option<Vec<Type>> {
        Some(vec![TensorType::scalar(ElementType::Ui32).into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::replicated(view.operand_types(), view.result_types())
    }

    /// Every device's number in the program of the whole, which is its position in the mesh unless that lists its devices.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let axes: Vec<SubAxisId> = cx.mesh.sub_axis_ids().collect();
        let position = b.index_along(&axes, ElementType::Ui32);
        if cx.mesh.device_ids().is_empty() {
            return vec![position];
        }
        let devices: Vec<i64> = cx.mesh.device_ids().iter().map(|device| *device as i64).collect();
        let table = Literal::ints(vec![devices.len()], &devices);
        vec![look_up(b, table, position)]
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { cx, .. }: Evaluation<'_>) -> Evaluated {
        let partitions = cx.partitions().max(1);
        let id = match self {
            Self::Replica => cx.device() / partitions,
            Self::Partition => cx.device() % partitions,
        };
        let id = u32::try_from(id).map_err(|_| EvalError::new("too many devices"))?;
        Ok(vec![Tensor::scalar_u32(id)])
    }
}
