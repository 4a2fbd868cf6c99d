//! `stablehlo.reduce` (specification, "reduce").

use crate::attribute::{Attr, Attributes};
use crate::const_eval::ConstEval;
use crate::eval::{Evaluated, Evaluation};
use crate::ids::ValueId;
use crate::kernel_shape::KernelShape;
use crate::local::{LocalBuilder, Localize};
use crate::op::{AttrReader, Fusing, Given, Linearity, OpDef, OpTraits, ParsedInst, Violations};
use crate::program::{InstView, Region};
use crate::rule::{FactorKind, ShardingRule};
use crate::sdy::rule_builder::FactorType;
use crate::sharding::Reduction;
use crate::text::{Ending, OpPrinter, Parsed, Parser, RegionHeader};
use crate::vjp::{Differentiated, Vjp};
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::{ElementKind, TensorType, Type};
use meshwright_tensor::{Precision, Tensor, convert};

use super::binary::Binary;
use super::constant::{splat_of, tensor_of};
use super::reducer::{neutral, promoted, reducer, single_op_region, verify_init, verify_reducer};
use super::vectorize_region::VectorizedRegion;

/// A reduction of n inputs with n initial values over dims, by a region of 2n scalar arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reduce {
    /// The dims that are reduced away.
    pub dims: Vec<usize>,
}

impl OpDef for Reduce {
    const NAMES: &'static [&'static str] = &["stablehlo.reduce"];

    /// `(%a init: %b), (%c init: %d) applies stablehlo.add across dimensions = [0] : (...) -> ...` or
    /// `... across dimensions = [0] : (...) -> ... reducer(%x: t, %y: t) (...) { ... }`.
    fn parse(p: &mut Parser<'_>, _: &'static str) -> Parsed<ParsedInst> {
        let mut inputs = Vec::new();
        let mut inits = Vec::new();
        loop {
            p.expect(b'(')?;
            inputs.push(p.operand()?);
            p.expect_word("init")?;
            p.expect(b':')?;
            inits.push(p.operand()?);
            p.expect(b')')?;
            if !p.eat(b',') {
                break;
            }
        }
        let applied = if p.eat_word("applies") { Some(p.op_name()?) } else { None };
        p.expect_word("across")?;
        p.field("dimensions")?;
        let dims = p.sizes()?;
        let attributes = p.attr_dict_opt()?;
        let (operand_types, result_types) = p.colon_function_type()?;
        let region = match applied {
            Some((name, span)) => {
                let Some(element) =
                    operand_types.first().and_then(Type::as_tensor).map(|tensor| tensor.element)
                else {
                    return p.expected("a tensor operand");
                };
                single_op_region(p, name, TensorType::scalar(element), span)?
            }
            None => {
                p.expect_word("reducer")?;
                let mut args = Vec::new();
                // The arguments come in pairs `(%a: t, %b: t) (%c: t, %d: t)`: all left ones first in the region.
                while p.at(b'(') {
                    args.push(p.list(b'(', b')', |p| p.typed_argument())?);
                }
                if args.iter().any(|pair| pair.len() != 2) {
                    return p.expected("pairs of arguments, one per input");
                }
                let lefts = args.iter().map(|pair| pair[0].clone());
                let ordered: Vec<_> = lefts.chain(args.iter().map(|pair| pair[1].clone())).collect();
                p.region_with(&ordered)?
            }
        };
        inputs.extend(inits);
        let mut parsed =
            ParsedInst::new(Self { dims }, inputs, result_types).typed(operand_types).with(attributes);
        parsed.regions = vec![region];
        Ok(parsed)
    }

    fn from_attributes(_: &'static str, attributes: &mut AttrReader<'_>) -> Result<Self, String> {
        Ok(Self { dims: attributes.dims("dimensions")? })
    }

    fn attributes(&self, _: &InstView<'_>) -> Attributes {
        Attributes::new().with("dimensions", Attr::dims(&self.dims))
    }

    fn print(&self, view: &InstView<'_>, p: &mut OpPrinter<'_>) -> bool {
        let count = view.num_operands() / 2;
        for (index, (input, init)) in
            view.inst.operands[..count].iter().zip(&view.inst.operands[count..]).enumerate()
        {
            p.text(if index == 0 { "(" } else { ", (" });
            p.value(*input);
            p.text(" init: ");
            p.value(*init);
            p.text(")");
        }
        let short = if count == 1 { short_form(view) } else { None };
        if let Some(binary) = short {
            p.text(&format!(" applies {}", Binary::name(&binary)));
        }
        p.text(&format!(" across dimensions = {:?}", self.dims));
        Ending::Signature.print(view, p);
        if short.is_none() {
            p.newline();
            p.text(" reducer");
            let args = &view.region(0).args;
            for index in 0..count {
                p.text("(");
                for (position, arg) in [args[index], args[count + index]].into_iter().enumerate() {
                    p.text(if position == 0 { "" } else { ", " });
                    p.argument(arg);
                }
                p.text(") ");
            }
            p.text(" ");
            p.region(view.inst.regions[0], RegionHeader::None);
        }
        true
    }

    fn verify(&self, view: &InstView<'_>, violations: &mut Violations) {
        let count = view.inst.results.len();
        let has_inputs = violations.require(count > 0, || "C3: takes at least one input".into());
        if !has_inputs || !violations.shape(view, 2 * count, count, 1) {
            return;
        }
        let rank = view.operand(0).rank();
        let mut dims = self.dims.clone();
        dims.sort_unstable();
        dims.dedup();
        let in_range = violations.require(dims.iter().all(|dim| *dim < rank), || {
            format!("C4: dimensions {:?} are not all below the rank {rank}", self.dims)
        });
        violations.require(dims.len() == self.dims.len(), || "C5: a dimension is reduced twice".into());
        if !in_range {
            return;
        }
        let combined = verify_reducer(view, 0, count, violations);
        for (index, element) in combined.into_iter().enumerate() {
            let (input, init) = (view.operand(index), view.operand(count + index));
            violations
                .require(input.shape == view.operand(0).shape, || "C1: inputs have different shapes".into());
            verify_init(&format!("C2: initial value {index}"), init, element, violations);
            let result = TensorType::new(self.result_shape(&input.shape), element);
            violations.require(*view.result(index) == result, || {
                format!("C7, C8: result {index} should be {result}, not {}", view.result(index))
            });
        }
    }

    fn infer(&self, given: &Given<'_>) -> Option<Vec<Type>> {
        let result = |index| {
            let shape = self.result_shape(&given.tensor(index)?.shape);
            Some(TensorType::new(shape, given.returned_element(0, index)?).into())
        };
        (0..given.operands.len() / 2).map(result).collect()
    }

    fn rule(&self, view: &InstView<'_>) -> ShardingRule {
        let mut rule = ShardingRule::replicated(view.operand_types(), view.result_types());
        let count = view.inst.results.len();
        let reduction = if count == 1 { self.reduction(view) } else { None };
        // Of a dim that others than plain reducers reduce, one result of each shard is sent.
        let (kind, reach) = match reduction {
            Some(reduction) => (FactorKind::Reduced(reduction), 0),
            None if Self::may_restart(view) => (FactorKind::Permuted, 1),
            None => (FactorKind::NeedReplication, 0),
        };
        let mut result_dim = 0;
        for (dim, size) in view.operand(0).shape.iter().enumerate() {
            let operands: Vec<_> = (0..count).map(|index| (index, dim)).collect();
            if self.dims.contains(&dim) {
                let factor = rule.add_moving_dim(*size, kind, reach, &operands, &[]);
                // Shardy asks for no particular reducer.
                rule.factors[factor].in_shardy.kind = Some(FactorType::Reduction);
            } else {
                let results: Vec<_> = (0..count).map(|index| (index, result_dim)).collect();
                rule.add_dim(*size, FactorKind::PassThrough, &operands, &results);
                result_dim += 1;
            }
        }
        rule
    }

    /// One application of the reducer per input element.
    fn flops(&self, operands: &[Type], _: &[Type]) -> f64 {
        let inputs = &operands[..operands.len() / 2];
        inputs.iter().filter_map(Type::as_tensor).map(|tensor| tensor.num_elements() as f64).sum()
    }

    /// What it combines; linear is a sum of one input from a zero.
    fn linearity(&self, view: &InstView<'_>, reduction: Reduction) -> Linearity {
        if self.reduction(view) != Some(reduction) {
            return Linearity::default();
        }
        let sums = reduction == Reduction::Sum && view.result(0).element.kind() != ElementKind::Boolean;
        let each: &[usize] = if sums && super::constant::is_splat_of(view, 1, 0.0) { &[0] } else { &[] };
        Linearity { each, ..Linearity::in_all(0..view.num_operands()) }
    }

    fn hint_if_whole(&self, _: &InstView<'_>, _: usize, _: usize) -> &'static str {
        "this reducer may give something else where it begins anew in each shard: reduce by one operation that is \
         associative, or shard a dim that stays"
    }

    fn traits(&self) -> OpTraits {
        OpTraits { fusing: Fusing::Ends, ..OpTraits::NONE }
    }

    fn evaluate(&self, Evaluation { view, inputs, cx }: Evaluation<'_>) -> Evaluated {
        let inputs = promoted(view, 0, view.inst.results.len(), inputs, cx.precision())?;
        super::reduce_eval::evaluate(self, Evaluation { view, inputs, cx })
    }

    fn localize(&self, cx: &Localize<'_>, b: &mut dyn LocalBuilder) -> Vec<ValueId> {
        super::reduce_local::localize(self, cx, b)
    }

    /// Where the results are partial, the partitioner combines them.
    fn exchanges(&self, view: &InstView<'_>) -> bool {
        view.inst.results.len() != 1 || self.reduction(view).is_none()
    }

    fn kernel(&self, _: &[Type], _: &[Type]) -> KernelShape {
        KernelShape::Reduce
    }

    fn vjp(&self, v: &mut Vjp<'_>) -> Differentiated {
        let view = v.view();
        let reduction = (view.inst.results.len() == 1).then(|| self.reduction(&view)).flatten();
        match reduction {
            Some(Reduction::Sum) => self.sum_vjp(v),
            Some(reduction @ (Reduction::Max | Reduction::Min)) => self.extreme_vjp(v, reduction),
            Some(Reduction::Product) => self.product_vjp(v),
            _ => return self.written_vjp(v),
        }
        Ok(())
    }
}

impl Reduce {
    fn result_shape(&self, input: &[usize]) -> Vec<usize> {
        input.iter().enumerate().filter(|(dim, _)| !self.dims.contains(dim)).map(|(_, size)| *size).collect()
    }

    /// Reduction of results of parts of the input, if the region is a plain commutative op with a neutral element.
    pub fn reduction(&self, view: &InstView<'_>) -> Option<Reduction> {
        let region: &Region = view.region(0);
        let reduction = reducer(view.body, region)?.reduction()?;
        neutral(reduction, view.operand(0).element).map(|_| reduction)
    }

    /// Whether parts may be reduced by themselves and their results then together. The specification says so of any
    /// reducer and initial values; left out are plain ops that are not associative, and initial values that are not
    /// known to stay themselves when they are combined with themselves (which is all that is tried: the specification
    /// asks for neutral ones). `view` is of an op whose region 0 is a reducer of
    /// as many operands as there are results, behind which stand the initial values.
    pub(super) fn may_restart(view: &InstView<'_>) -> bool {
        let is_associative = reducer(view.body, view.region(0)).is_none_or(|op| op.reduction().is_some());
        is_associative && Self::is_restart_neutral(view).unwrap_or(false)
    }

    /// Whether the reducer makes the initial values of two of each; `None` if that cannot be worked out.
    fn is_restart_neutral(view: &InstView<'_>) -> Option<bool> {
        let count = view.inst.results.len();
        let inits = (count..2 * count).map(|index| {
            let literal = splat_of(view, index)?;
            let scalar = Literal { ty: TensorType::scalar(literal.ty.element), data: literal.data.clone() };
            let init = tensor_of(&scalar, Precision::Declared).ok()?;
            convert(&init, view.result(index - count).element, Precision::Declared).ok()
        });
        let inits: Vec<Tensor> = inits.collect::<Option<_>>()?;
        let args = [inits.as_slice(), &inits].concat();
        let combined = VectorizedRegion::new(view, 0)?.run(args, &mut ConstEval { device: 0 }).ok()?;
        let is_same =
            |(one, other): (&Tensor, &Tensor)| Some(one.to_scalar().ok()? == other.to_scalar().ok()?);
        combined.iter().zip(&inits).map(is_same).try_fold(true, |all, same| Some(all & same?))
    }
}

/// The op that `applies` may name: it commutes, works on the input's elements and has no attributes.
fn short_form(view: &InstView<'_>) -> Option<Binary> {
    let region = view.region(0);
    let binary = reducer(view.body, region).filter(|binary| binary.is_commutative())?;
    let inst = &view.body.insts[*region.insts.first()?];
    let scalar = Type::Tensor(TensorType::scalar(view.operand(0).element));
    let types = inst.operands.iter().chain(&inst.results).all(|value| *view.body.ty(*value) == scalar);
    (inst.operands == region.args && inst.attributes.is_empty() && types).then_some(binary)
}
