//! `sdy.constant` (Shardy dialect): `stablehlo.constant`, which Shardy does not merge with equal ones, so that each use
//! has a sharding of its own.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Given, Op, OpDef, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::types::Type;

use super::constant::Constant;

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SdyConstant {
    /// The same constant in StableHLO.
    pub constant: Constant,
}

impl OpDef for SdyConstant {
    const NAMES: &'static [&'static str] = &["sdy.constant"];

    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let attributes = p.attr_dict_opt()?;
        let value = p.dense_literal()?;
        let ty = Type::Tensor(value.ty.clone());
        let op = Self { constant: Constant { value } };
        Ok(ParsedInst::new(op, Vec::new(), vec![ty]).with(attributes))
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        match attributes.required("value")? {
            Attr::Dense(value) => Ok(Self { constant: Constant { value } }),
            other => Err(format!("`value` should be dense<...>, found `{other}`")),
        }
    }

    fn attributes(&self, view: &InstView<'_>) -> Attributes {
        self.constant.attributes(view)
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        self.constant.print(view, p)
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        self.constant.verify(view, violations);
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        self.constant.infer(given)
    }

    fn without_sharding(&self) -> Option<Op> {
        Some(self.constant.clone().into())
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        self.constant.rule(view)
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        self.constant.evaluate(Evaluation { view, inputs, cx })
    }

    /// A local program is not propagated through any more, so an ordinary constant does.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        self.constant.localize(cx, b)
    }
}
