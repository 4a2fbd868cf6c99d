//! `sdy.data_flow_edge` and `sdy.func_data_flow_edge` (Shardy dialect): a value unchanged, marked as what passes through
//! a loop's carried value, a region's argument, or a function's argument or result. Shardy's import writes them.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{
    AttrReader, Given, HoldsShardings, Linearity, Op, OpDef, OpPriority, ParsedInst, Propagation, Violations,
};
use crate::program::{Def, InstView};
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::sdy::OpShardingRule;
use crate::sharding::{Reduction, ShardingAttr};
use crate::text::{Ending, OpPrinter, Parsed, Parser};
use meshwright_tensor::types::Type;

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DataFlowEdge {
    /// Through an instruction; the sharding of everything that it connects, if there is one.
    Inst(Option<ShardingAttr>),
    /// Through a function's argument or a call's result.
    Func,
}

impl OpDef for DataFlowEdge {
    const NAMES: &'static [&'static str] = &["sdy.data_flow_edge", "sdy.func_data_flow_edge"];

    fn name(&self) -> &'static str {
        match self {
            Self::Inst(_) => Self::NAMES[0],
            Self::Func => Self::NAMES[1],
        }
    }

    /// `%x sharding=<@mesh, [{"x"}]> : type`, the sharding being optional.
    fn parse(p: &mut Parser<'_>, name: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        let op = match name {
            "sdy.func_data_flow_edge" => Self::Func,
            _ if p.at_word("sharding") => {
                p.field("sharding")?;
                Self::Inst(Some(p.angled_sharding()?))
            }
            _ => Self::Inst(None),
        };
        Ending::Result.parse(p, op, vec![operand])
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        match name {
            "sdy.func_data_flow_edge" => Ok(Self::Func),
            _ => Ok(Self::Inst(attributes.sharding_opt("sharding")?)),
        }
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        match self {
            Self::Inst(Some(sharding)) => {
                Attributes::new().with("sharding", Attr::Sharding(sharding.clone()))
            }
            _ => Attributes::new(),
        }
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        if let Self::Inst(Some(sharding)) = self {
            p.text(&format!(" sharding=<{sharding}>"));
        }
        Ending::Result.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.identity(view);
        violations.all_tensors(view);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        given.same_as(0)
    }

    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        let [operand] = view.inst.operands[..] else {
            return;
        };
        violations.require(scope.num_uses(operand) == 1, || {
            "the operand should have no other use: what reads it reads the edge's result".into()
        });
        let body = view.body;
        match (self, body.values[operand].def) {
            (Self::Func, Def::Argument(region, _)) => {
                violations.require(region == body.entry(), || {
                    "the operand should be an argument of the function, not of a region in it".into()
                });
            }
            (Self::Func, Def::Result(inst, _)) => {
                violations.require(matches!(body.insts[inst].op, Op::Call(_)), || {
                    "the operand should be an argument of the function or the result of a call".into()
                });
            }
            (Self::Inst(_), Def::Result(inst, _)) => {
                let op = &body.insts[inst].op;
                let is_region = matches!(op, Op::NamedComputation(_) | Op::ManualComputation(_));
                violations.require(is_region || !op.name().starts_with("sdy."), || {
                    format!("the operand should not be the result of `{}`", op.name())
                });
            }
            (Self::Inst(_), Def::Argument(..)) => {}
        }
        if let Self::Inst(Some(sharding)) = self {
            violations.sharding(scope.check_sharding(sharding, Some(body.ty(operand))), "");
        }
    }

    fn shardings(&self) -> Option<&dyn HoldsShardings> {
        Some(self)
    }

    fn shardings_mut(&mut self) -> Option<&mut dyn HoldsShardings> {
        Some(self)
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn op_priority(&self, _: &InstView<'_>) -> OpPriority {
        OpPriority::PassThrough
    }

    /// Shardy passes shardings through edges by what they tie together, not by a rule.
    fn propagation_rule(&self, _: &InstView<'_>, _: Propagation) -> Option<OpShardingRule> {
        None
    }

    fn linearity(&self, _: &InstView<'_>, _: Reduction) -> Linearity {
        Linearity::in_all([0])
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { inputs, .. }: Evaluation<'_>) -> Evaluated {
        Ok(inputs)
    }

    /// The value itself.
    fn localize(&self, cx: &Localize<'_>, _: &mut dyn LocalBuilder) -> Vec<ValueId> {
        cx.operands.to_vec()
    }
}

impl HoldsShardings for DataFlowEdge {
    fn result(&self, _: usize) -> Option<&ShardingAttr> {
        match self {
            Self::Inst(sharding) => sharding.as_ref(),
            Self::Func => None,
        }
    }

    fn all_mut(&mut self) -> Vec<&mut ShardingAttr> {
        match self {
            Self::Inst(sharding) => sharding.iter_mut().collect(),
            Self::Func => Vec::new(),
        }
    }

    fn set_result(&mut self, _: usize, _: &[usize], sharding: ShardingAttr) -> bool {
        match self {
            Self::Inst(own) => {
                *own = Some(sharding);
                true
            }
            Self::Func => false,
        }
    }
}
