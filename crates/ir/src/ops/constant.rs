//! `stablehlo.constant` (specification, "constant").

use crate::attribute::{Attr, Attributes};
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::local::{LocalBuilder, Localize};
use crate::op::{Along, AttrReader, Given, Op, OpDef, ParsedInst, Violations};
use crate::program::{Def, InstView};
use crate::rule::{FactorKind, ShardingRule};
use crate::text::{OpPrinter, Parsed, Parser};
use meshwright_tensor::eval_error::EvalError;
use meshwright_tensor::literal::{Literal, LiteralData};
use meshwright_tensor::types::{TensorType, Type};
use meshwright_tensor::{Precision, Tensor};

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Constant {
    /// Its value.
    pub value: Literal,
}

impl OpDef for Constant {
    const NAMES: &'static [&'static str] = &["stablehlo.constant"];

    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let attributes = p.attr_dict_opt()?;
        let value = p.dense_literal()?;
        let ty = Type::Tensor(value.ty.clone());
        Ok(ParsedInst::new(Self { value }, Vec::new(), vec![ty]).with(attributes))
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        match attributes.required("value")? {
            Attr::Dense(value) => Ok(Self { value }),
            other => Err(format!("`value` should be dense<...>, found `{other}`")),
        }
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("value", Attr::Dense(self.value.clone()))
    }

    fn print(&self, _: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        p.attributes();
        p.text(&format!(" {}", self.value));
        p.colon_type(&self.value.ty.clone().into());
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        if violations.shape(view, 0, 1, 0) {
            violations.inferred(view);
        }
    }

    fn infer(&self, _: &Given<'_>) -> Option<Vec<Type>> {
        Some(vec![self.value.ty.clone().into()])
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        for (dim, size) in self.value.ty.shape.iter().enumerate() {
            rule.add_dim(*size, FactorKind::Offset, &[], &[(0, dim)]);
        }
        rule
    }

    fn bytes(&self, _: &[Type], _: &[Type]) -> f64 {
        0.0
    }

    fn along(&self, _: usize) -> Along {
        if self.value.splat_bytes().is_some() { Along::Repeated } else { Along::AsOperands }
    }

    fn evaluate(&self, Evaluation { cx, .. }: Evaluation<'_>) -> Evaluated {
        Ok(vec![tensor_of(&self.value, cx.precision())?])
    }

    /// A splat becomes a smaller splat; other constants are sliced at this device's offset.
    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        let local = cx.result(0).clone();
        if local == self.value.ty {
            return b.emit(self.clone().into(), &[], &[], cx.result_types.to_vec());
        }
        if self.value.splat_bytes().is_some() {
            let value = Literal { ty: local, data: self.value.data.clone() };
            return b.emit(Self { value }.into(), &[], &[], cx.result_types.to_vec());
        }
        let whole = b.emit(self.clone().into(), &[], &[], vec![self.value.ty.clone().into()])[0];
        let axes: Vec<_> = (0..local.rank()).map(|dim| cx.result_axes(0, dim)).collect();
        vec![b.own_shard(whole, &axes)]
    }

    fn result_names(&self) -> &'static [&'static str] {
        if self.value.ty.element.is_inexact() { &["cst"] } else { &["c"] }
    }
}

/// The constant that is operand `index`, if it is one.
pub fn literal_of<'a>(view: &InstView<'a>, index: usize) -> Option<&'a Literal> {
    match view.body.values[view.inst.operands[index]].def {
        Def::Result(definition, _) => match &view.body.insts[definition].op {
            Op::Constant(constant) => Some(&constant.value),
            _ => None,
        },
        Def::Argument(..) => None,
    }
}

/// The tensor that a literal stands for. Errors: elements that are not evaluated.
pub fn tensor_of(literal: &Literal, precision: Precision) -> Result<Tensor, EvalError> {
    let Literal { ty, data } = literal;
    match data {
        LiteralData::Dense(bytes) | LiteralData::Resource { bytes, .. } => {
            Tensor::from_le_bytes(ty, bytes, precision)
        }
        LiteralData::Splat(bytes) => {
            let scalar = TensorType::scalar(ty.element);
            Tensor::from_le_bytes(&scalar, bytes, precision)?.broadcast(&ty.shape, &[])
        }
    }
}

/// Returns whether operand `index` is a constant all of whose elements are `value`, perhaps repeated by a broadcast.
pub fn is_splat_of(view: &InstView<'_>, index: usize, value: f64) -> bool {
    splat_of(view, index).is_some_and(|literal| literal.splat_f64() == Some(value))
}

/// The constant that operand `index` repeats, all of whose elements are equal.
pub fn splat_of<'a>(view: &InstView<'a>, index: usize) -> Option<&'a Literal> {
    let mut operand = view.inst.operands[index];
    loop {
        let Def::Result(definition, _) = view.body.values[operand].def else {
            return None;
        };
        let definition = &view.body.insts[definition];
        match &definition.op {
            Op::Constant(constant) => return constant.value.splat_bytes().map(|_| &constant.value),
            Op::BroadcastInDim(_) => operand = definition.operands[0],
            _ => return None,
        }
    }
}
