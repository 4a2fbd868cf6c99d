//! `sdy.sharding_group` (Shardy dialect): all values of a group are sharded alike.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::{InstId, ValueId};
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Given, Op, OpDef, ParsedInst, Violations};
use crate::program::{Body, InstView};
use crate::rule::ShardingRule;
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::types::Type;

/// Puts a value into a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShardingGroup {
    /// The group's number.
    pub id: i64,
}

/// The group operations of a body, regions included: number, instruction, value.
pub fn members(body: &Body) -> Vec<(i64, InstId, ValueId)> {
    let inst_of = |inst: InstId| match (&body.insts[inst].op, &body.insts[inst].operands[..]) {
        (Op::ShardingGroup(group), [value]) => Some((group.id, inst, *value)),
        _ => None,
    };
    body.walk(body.entry()).into_iter().filter_map(inst_of).collect()
}

impl OpDef for ShardingGroup {
    const NAMES: &'static [&'static str] = &["sdy.sharding_group"];

    /// `%x group_id=0 : type`
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let operand = p.operand()?;
        p.field("group_id")?;
        let id = p.int()?;
        let attributes = p.attr_dict_opt()?;
        let ty = p.colon_type()?;
        Ok(ParsedInst::new(Self { id }, vec![operand], Vec::new()).typed(vec![ty]).with(attributes))
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { id: attributes.int("group_id")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("group_id", Attr::i64(self.id))
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.operands();
        p.text(&format!(" group_id={}", self.id));
        p.attributes();
        p.text(" : ");
        p.types(view.operand_types());
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.shape(view, 1, 0, 0);
    }

    fn infer(&self, _: &Given<'_>) -> Option<Vec<Type>> {
        Some(Vec::new())
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::elementwise(view.operand_types(), view.result_types())
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, _: Evaluation<'_>) -> Evaluated {
        Ok(Vec::new())
    }

    /// It ties shardings together and computes nothing.
    fn localize(&self, _: &Localize<'_>, _: &mut dyn LocalBuilder) -> Vec<ValueId> {
        Vec::new()
    }
}
