//! `func.call`: a call of a function of the same module. Most stages see the program with calls inlined.

use crate::attribute::{Attr, Attributes, write_symbol};
use crate::eval::{Evaluated, Evaluation};
use crate::op::{AttrReader, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::InstView;
use crate::rule::ShardingRule;
use crate::scope::Scope;
use crate::text::{Ending, OpPrinter, Parsed, Parser};

/// A call.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// Symbol of the function, without `@`.
    pub callee: String,
}

impl OpDef for Call {
    const NAMES: &'static [&'static str] = &["func.call"];

    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let callee = p.symbol()?;
        let operands = p.operand_list()?;
        Ending::Signature.parse(p, Self { callee }, operands)
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        match attributes.required("callee")? {
            Attr::Symbol(callee) => Ok(Self { callee: callee.to_string() }),
            other => Err(format!("`callee` should be a symbol, found `{other}`")),
        }
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("callee", Attr::Symbol(self.callee.as_str().into()))
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let mut callee = String::from(" ");
        let _ = write_symbol(&mut callee, &self.callee);
        p.text(&callee);
        p.text("(");
        p.values(&view.inst.operands);
        p.text(")");
        Ending::Signature.print(view, p);
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        violations.num_regions(view, 0);
    }

    /// The callee exists, and takes and returns what the call says.
    fn verify_in(&self, view: &InstView<'_>, scope: &Scope<'_>, violations: &mut Violations) {
        let Some(callee) = scope.program.function(&self.callee) else {
            violations.messages.push(format!("there is no function `@{}`", self.callee));
            return;
        };
        let takes = callee.args().iter().map(|arg| callee.body.ty(*arg));
        violations.require(takes.eq(view.operand_types()), || {
            format!("the arguments are not of the types that `@{}` takes", self.callee)
        });
        violations.require(callee.result_types.iter().eq(view.result_types()), || {
            format!("the results are not of the types that `@{}` returns", self.callee)
        });
    }

    fn callees(&self) -> Vec<&str> {
        vec![&self.callee]
    }

    fn traits(&self) -> OpTraits {
        OpTraits::CALL
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        ShardingRule::replicated(view.operand_types(), view.result_types())
    }

    fn evaluate(&self, Evaluation { inputs, cx, .. }: Evaluation<'_>) -> Evaluated {
        cx.call_function(&self.callee, inputs)
    }
}
