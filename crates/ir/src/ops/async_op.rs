//! `stablehlo.async_start` and `stablehlo.async_done` (specification, one section each): an op whose result is waited
//! for later. Embedded devices hand in what they give to a collective and go on; other ops are computed at the start.

use crate::eval::{Evaluated, Evaluation};
use crate::op::{Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use meshwright_tensor::types::Type;

use super::family::{family, names_of_family};
use super::reducer::returned_types;

family! {
    /// The two ops of asynchronous execution.
    Async {
        /// Starts the op in region 0.
        Start = "stablehlo.async_start",
        /// Waits for its result.
        Done = "stablehlo.async_done",
    }
}

/// What may be started.
const STARTED: [&str; 10] = [
    "stablehlo.all_gather",
    "stablehlo.all_reduce",
    "stablehlo.all_to_all",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.collective_reduce",
    "stablehlo.dynamic_slice",
    "stablehlo.dynamic_update_slice",
    "stablehlo.reduce_scatter",
    "stablehlo.slice",
];

impl OpDef for Async {
    names_of_family!();

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.num_results(view, 1) {
            return;
        }
        match self {
            Self::Start => verify_start(view, violations),
            Self::Done => {
                if !(violations.num_operands(view, 1) & violations.num_regions(view, 0)) {
                    return;
                }
                match view.body.ty(view.inst.operands[0]) {
                    Type::Future(types) if types.len() == 1 => {
                        violations.inferred(view);
                    }
                    other => {
                        violations.messages.push(format!("C1: waits for a future of one tensor, not {other}"))
                    }
                }
            }
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        match (self, given.operands.as_slice()) {
            (Self::Start, _) => Some(vec![Type::Future(given.returned_types(0)?)]),
            (Self::Done, [Type::Future(types)]) => Some(types.clone()),
            (Self::Done, _) => None,
        }
    }

    fn traits(&self) -> OpTraits {
        OpTraits::COLLECTIVE
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        match self {
            Self::Start => Ok(vec![cx.start(view.inst.regions[0], inputs)?]),
            Self::Done => cx.finish(&inputs[0]),
        }
    }
}

fn verify_start(view: &InstView<'_>, violations: &mut Violations) {
    if !violations.num_regions(view, 1) {
        return;
    }
    let region = view.region(0);
    violations
        .require(region.insts.len() == 2, || "C1: the region should hold one operation and a return".into());
    let started = region.insts.first().map_or("", |inst| view.body.insts[*inst].op.name());
    violations.require(STARTED.contains(&started), || {
        format!("C2: starts a collective or a slice, not `{started}`")
    });
    let takes = region.args.iter().map(|arg| view.body.ty(*arg));
    violations.require(takes.eq(view.operand_types()), || {
        "C3: the region's arguments are not of the operands' types".into()
    });
    match returned_types(view, 0).as_slice() {
        [_] => violations.inferred(view),
        _ => violations.messages.push("C4: the region should return one value".into()),
    }
}
