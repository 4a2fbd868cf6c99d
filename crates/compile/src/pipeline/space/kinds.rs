//! Seconds of a step by kind of work.

use meshwright_cost::estimate::{Took, each_event};
use meshwright_cost::lowering::Event;
use meshwright_cost::{Analysis, Lowering};
use meshwright_ir::kernel_shape::KernelShape;
use meshwright_machine::{Machine, Seconds};
use meshwright_plan::figures::Share;
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

use crate::mesh::placed;
use crate::pipeline::inner::Inner;

/// What figures call collectives and reshards.
pub(in crate::pipeline) const COMMUNICATION: &str = "communication";

/// Kinds of local work, in the order in which they are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Products,
    Attention,
    Elementwise,
    Movement,
}

impl Kind {
    /// What figures call it.
    fn name(self) -> &'static str {
        match self {
            Self::Products => "matrix products",
            Self::Attention => "attention products",
            Self::Elementwise => "element-wise operations",
            Self::Movement => "data movement",
        }
    }

    fn of(kernel: &KernelShape) -> Self {
        match kernel {
            KernelShape::Matmul(_) | KernelShape::Convolution(_) => Self::Products,
            KernelShape::Attention(_) | KernelShape::ChunkScan(_) => Self::Attention,
            KernelShape::Move | KernelShape::HostCopy | KernelShape::Nothing => Self::Movement,
            KernelShape::Elementwise
            | KernelShape::Reduce
            | KernelShape::Sort(_)
            | KernelShape::Collective
            | KernelShape::Other => Self::Elementwise,
        }
    }
}

/// Seconds of a step, whose instructions may stand for others too, on one device, by kind of work.
pub(in crate::pipeline) fn by_kind(step: &Analysis<'_>, inner: &Inner, part: &Machine) -> Vec<Share> {
    let body = &step.function.body;
    let lowering = Lowering::new(step, inner.whole());
    let mut work: BTreeMap<Kind, f64> = BTreeMap::new();
    let mut communication = Seconds::ZERO;
    each_event(&lowering, &placed(part, inner.mesh()), &mut |event, Took { seconds, sent }| {
        communication += sent;
        let kind = match event {
            Event::Reshard(_) => Kind::Movement,
            _ => {
                let view = body.view(event.inst());
                let operands: Vec<Type> = view.operand_types().cloned().collect();
                let results: Vec<Type> = view.result_types().cloned().collect();
                Kind::of(&view.inst.op.kernel(&operands, &results))
            }
        };
        *work.entry(kind).or_default() += seconds.0 - sent.0;
    });
    let share = |what: &str, seconds: f64| Share { what: what.to_owned(), seconds };
    let mut shares: Vec<Share> = work.iter().map(|(kind, seconds)| share(kind.name(), *seconds)).collect();
    shares.push(share(COMMUNICATION, communication.0));
    shares.retain(|share| share.seconds > 0.0);
    shares
}
