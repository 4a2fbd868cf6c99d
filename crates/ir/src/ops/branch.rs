//! `stablehlo.case` and `stablehlo.if` (specification, "case" and "if"): one of several branches is run.

use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{DataFlow, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use meshwright_tensor::types::{ElementType, TensorType, Type};

use super::family::{family, names_of_family};

family! {
    /// A choice between branches, which take no arguments and use values from around them.
    Branch {
        /// By an integer; the last branch if it is out of range.
        Case = "stablehlo.case",
        /// By a boolean: region 0 if true, region 1 if false.
        If = "stablehlo.if",
    }
}

impl OpDef for Branch {
    names_of_family!();

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if !violations.num_operands(view, 1) {
            return;
        }
        let selector = match self {
            Self::Case => ElementType::I32,
            Self::If => ElementType::I1,
        };
        let expected = Type::Tensor(TensorType::scalar(selector));
        let found = view.body.ty(view.inst.operands[0]);
        violations.require(*found == expected, || format!("chooses by a {expected}, not a {found}"));
        match self {
            Self::Case => violations.require(!view.inst.regions.is_empty(), || "C1: has no branches".into()),
            Self::If => violations.num_regions(view, 2),
        };
        for (index, region) in view.inst.regions.iter().enumerate() {
            violations
                .require(view.region(index).args.is_empty(), || format!("branch {index} takes arguments"));
            let returned = view.body.terminator(*region).map_or(&[][..], |inst| &inst.operands);
            let returned = returned.iter().map(|value| view.body.ty(*value));
            violations.require(returned.eq(view.result_types()), || {
                format!("branch {index} does not return values of the results' types")
            });
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.returned_types(0)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::replicated(view.operand_types(), view.result_types())
    }

    fn traits(&self) -> OpTraits {
        OpTraits { data_flow: DataFlow::Branches, ..OpTraits::NONE }
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let last = view.inst.regions.len() - 1;
        let branch = match self {
            Self::Case => usize::try_from(inputs[0].scalar_as_i64()?).unwrap_or(last).min(last),
            Self::If => usize::from(!inputs[0].scalar_bool()?),
        };
        cx.call_region(view.inst.regions[branch], Vec::new())
    }

    /// A branch is a program of its own, so it is partitioned like one.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let branches: Vec<_> =
            (0..cx.view.inst.regions.len()).map(|index| b.partition_region(&cx.view, index)).collect();
        b.emit((*self).into(), cx.operands, &branches, cx.result_types.to_vec())
    }
}
