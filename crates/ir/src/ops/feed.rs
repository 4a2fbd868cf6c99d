//! `stablehlo.infeed` and `stablehlo.outfeed` (specification, one section each): values from and to the host.

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, Given, OpDef, OpTraits, Violations};
use crate::program::InstView;
use meshwright_tensor::types::Type;

use super::send_recv::check_received;
use super::token::token;

/// A transfer. Its token operand and result order it among others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Feed {
    /// Whether values come in; otherwise they go out.
    pub is_in: bool,
    /// `infeed_config` or `outfeed_config`.
    pub config: String,
    /// `layout` of an infeed, if given.
    pub layout: Option<Attr>,
}

impl OpDef for Feed {
    const NAMES: &'static [&'static str] = &["stablehlo.infeed", "stablehlo.outfeed"];

    fn name(&self) -> &'static str {
        Self::NAMES[usize::from(!self.is_in)]
    }

    fn from_attributes(name: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        let is_in = name == "stablehlo.infeed";
        let config = attributes.string_opt(if is_in { "infeed_config" } else { "outfeed_config" })?;
        let config = config.unwrap_or_default();
        let layout = if is_in { attributes.take("layout") } else { None };
        let is_table = |layout: &Attr| match layout {
            Attr::Array(rows) => rows.iter().all(
                |row| matches!(row, Attr::Array(dims) if dims.iter().all(|dim| matches!(dim, Attr::Int(..)))),
            ),
            _ => false,
        };
        match layout {
            Some(layout) if !is_table(&layout) => {
                Err(format!("`layout` should be [[0, 1], ...], found `{layout}`"))
            }
            layout => Ok(Self { is_in, config, layout }),
        }
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        let mut attributes = Attributes::new();
        let name = if self.is_in { "infeed_config" } else { "outfeed_config" };
        attributes.set(name, Attr::string(&self.config));
        if let Some(layout) = &self.layout {
            attributes.set("layout", layout.clone());
        }
        attributes
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.num_regions(view, 0);
        let (operands, results): (Vec<&Type>, Vec<&Type>) =
            (view.operand_types().collect(), view.result_types().collect());
        let tensors_and_token = |types: &[&Type]| match types.split_last() {
            Some((last, rest)) => **last == Type::Token && rest.iter().all(|ty| ty.as_tensor().is_some()),
            None => false,
        };
        if !self.is_in {
            violations.require(tensors_and_token(&operands), || {
                "I1-I2: takes tensors and a token behind them".into()
            });
            violations.require(results == [&Type::Token], || "the result should be a token".into());
            return;
        }
        violations.require(operands == [&Type::Token], || "I1: takes one token".into());
        violations.require(tensors_and_token(&results), || {
            "C1-C3: the results should be tensors and a token behind them".into()
        });
        if let Some(Attr::Array(rows)) = &self.layout {
            violations.require(rows.len() + 1 == results.len(), || {
                format!("`layout` has {} entries for {} tensors", rows.len(), results.len().saturating_sub(1))
            });
        }
    }

    fn infer(&self, _: &Given<'_>) -> Option<Vec<Type>> {
        (!self.is_in).then(|| vec![Type::Token])
    }

    fn traits(&self) -> OpTraits {
        OpTraits { has_side_effects: true, ..OpTraits::NONE }
    }

    /// What goes out is for the host, which does not ask for it here.
    fn evaluate(&self, Evaluation { view, cx, .. }: Evaluation<'_>) -> Evaluated {
        let mut results = Vec::new();
        while self.is_in && results.len() + 1 < view.inst.results.len() {
            results.extend(cx.feed()?);
        }
        if self.is_in {
            check_received("the infeed", &results, view)?;
        }
        results.push(token());
        Ok(results)
    }
}
