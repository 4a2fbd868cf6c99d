//! Stacks of loops that were written out, taken apart into their layers.
//!
//! Input: a function in which loops over layers were written out ([`crate::unroll`]). Output: the same where integers that
//! follow from constants are constants, a slice of a stack at a layer is what was put there, and a stack that something
//! needs as a whole is a concatenation of its layers. So what one layer makes for another no longer passes through all.
//!
//! ```text
//! %i = add 0, 1                            %s = concatenate %x, %y
//! %s0 = dynamic_update_slice %z, %x, 0
//! %s = dynamic_update_slice %s0, %y, %i
//! %a = dynamic_slice %s, %i                %a is %y
//! ```

use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::concatenate::Concatenate;
use meshwright_ir::ops::dynamic_update_slice::DynamicUpdateSlice;
use meshwright_ir::ops::integer_ranges::known;
use meshwright_ir::program::{Def, Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, rewritten};
use meshwright_tensor::literal::{Literal, LiteralData, int_bytes};
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::BTreeMap;

use crate::made::Made;

/// Takes the stacks of a function's own region apart.
pub fn apart(function: &Function) -> Made {
    Made::of(function, rewritten(&function.body, &mut Stacks::default()))
}

/// A value of which layers along a dim are known.
#[derive(Clone, Debug)]
struct Stack {
    /// What it was before.
    base: ValueId,
    dim: usize,
    layers: BTreeMap<usize, ValueId>,
}

/// All by their values in the old function.
#[derive(Default)]
struct Stacks {
    known: BTreeMap<ValueId, Stack>,
    /// Those that were needed as a whole, in the new function.
    whole: BTreeMap<ValueId, ValueId>,
}

impl Edit for Stacks {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if to != rewriter.to.entry() {
            return false;
        }
        match &view.inst.op {
            Op::DynamicUpdateSlice(_) => self.update(rewriter, view),
            Op::DynamicSlice(_) => self.slice(rewriter, view, to),
            Op::Reshape(_) => undone(rewriter, view) || fold(rewriter, view, to),
            _ => fold(rewriter, view, to),
        }
    }

    fn operand(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        to: RegionId,
    ) -> Option<ValueId> {
        let value = view.inst.operands[index];
        self.known.contains_key(&value).then(|| self.place(rewriter, value, to))
    }
}

/// A layer that was given a dim to be put into a stack, and loses it again where it is taken out, is the layer itself.
fn undone(rewriter: &mut Rewriter<'_>, view: &InstView<'_>) -> bool {
    let Some(given) = rewriter.map[view.inst.operands[0]] else { return false };
    let Def::Result(inst, _) = rewriter.to.values[given].def else { return false };
    let (Op::Reshape(_), [layer]) = (&rewriter.to.insts[inst].op, &rewriter.to.insts[inst].operands[..])
    else {
        return false;
    };
    let (layer, result) = (*layer, view.inst.results[0]);
    let is_same = rewriter.to.ty(layer) == view.body.ty(result);
    if is_same {
        rewriter.stand_for(result, layer);
    }
    is_same
}

impl Stacks {
    /// Notes a layer that is put into a stack.
    fn update(&mut self, rewriter: &Rewriter<'_>, view: &InstView<'_>) -> bool {
        let (stack, layer) = (view.inst.operands[0], view.inst.operands[1]);
        let Some((dim, at)) = layer_at(rewriter, view, &view.operand(1).shape, 2) else { return false };
        let before = match self.known.get(&stack) {
            Some(known) if known.dim == dim => known.clone(),
            Some(_) => return false,
            None => Stack { base: stack, dim, layers: BTreeMap::new() },
        };
        let mut layers = before.layers;
        layers.insert(at, layer);
        self.known.insert(view.inst.results[0], Stack { layers, ..before });
        true
    }

    /// Reads a layer of a stack.
    fn slice(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let Some(stack) = self.known.get(&view.inst.operands[0]).cloned() else { return false };
        let found = layer_at(rewriter, view, &view.result(0).shape, 1);
        let Some((_, at)) = found.filter(|(dim, _)| *dim == stack.dim) else { return false };
        match stack.layers.get(&at) {
            Some(layer) => {
                let layer = self.place(rewriter, *layer, to);
                rewriter.stand_for(view.inst.results[0], layer);
            }
            None => {
                let mut operands = vec![self.place(rewriter, stack.base, to)];
                operands.extend(rewriter.values(&view.inst.operands[1..]));
                rewriter.append(view.id, operands, Vec::new(), to);
            }
        }
        true
    }

    /// A value in the new function, a stack as a whole.
    fn place(&mut self, rewriter: &mut Rewriter<'_>, value: ValueId, to: RegionId) -> ValueId {
        let Some(stack) = self.known.get(&value).cloned() else { return rewriter.value(value) };
        if let Some(whole) = self.whole.get(&value) {
            return *whole;
        }
        let ty = rewriter.from.tensor(value).clone();
        let layers: Vec<(usize, ValueId)> =
            stack.layers.iter().map(|(at, layer)| (*at, self.place(rewriter, *layer, to))).collect();
        let whole = if layers.len() == ty.shape[stack.dim] {
            let layers: Vec<ValueId> = layers.into_iter().map(|(_, layer)| layer).collect();
            rewriter.build(to, Span::NONE).emit(Concatenate { dim: stack.dim }, &layers, ty)
        } else {
            let base = self.place(rewriter, stack.base, to);
            layers.into_iter().fold(base, |before, (at, layer)| {
                let mut builder = rewriter.build(to, Span::NONE);
                let start = |dim: usize| if dim == stack.dim { at as f64 } else { 0.0 };
                let scalar = TensorType::scalar(ElementType::I32);
                let starts: Vec<ValueId> =
                    (0..ty.rank()).map(|dim| builder.splat(scalar.clone(), start(dim))).collect();
                let operands: Vec<ValueId> = [before, layer].into_iter().chain(starts).collect();
                builder.emit(DynamicUpdateSlice, &operands, ty.clone())
            })
        };
        if to == rewriter.to.entry() {
            self.whole.insert(value, whole);
        }
        whole
    }
}

/// The dim along which a part of this shape is one layer of the first operand, and its position; nothing if that is not
/// known. The operands from `starts` on say where it begins.
fn layer_at(
    rewriter: &Rewriter<'_>,
    view: &InstView<'_>,
    part: &[usize],
    starts: usize,
) -> Option<(usize, usize)> {
    let whole = &view.operand(0).shape;
    let mut cut = (0..whole.len()).filter(|dim| part[*dim] != whole[*dim]);
    let dim = cut.next().filter(|dim| part[*dim] == 1)?;
    if cut.next().is_some() {
        return None;
    }
    let start = constant(rewriter, rewriter.map[view.inst.operands[starts + dim]]?)?;
    Some((dim, start.clamp(0, whole[dim] as i128 - 1) as usize))
}

/// The number that a scalar always is.
fn constant(rewriter: &Rewriter<'_>, value: ValueId) -> Option<i128> {
    let range = known(&rewriter.to, value, None);
    (range.low == range.high).then_some(range.low)
}

/// Makes an integer that follows from constants a constant itself.
fn fold(rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
    let [result] = view.inst.results[..] else { return false };
    let Type::Tensor(ty) = view.body.ty(result) else { return false };
    let is_number = ty.rank() == 0 && !ty.element.is_inexact();
    let is_plain = view.inst.regions.is_empty() && !view.inst.operands.is_empty();
    if !is_number || !is_plain || view.inst.op.has_side_effects() {
        return false;
    }
    let operands: Option<Vec<ValueId>> =
        view.inst.operands.iter().map(|operand| rewriter.map[*operand]).collect();
    let Some(operands) = operands else { return false };
    if operands.iter().any(|operand| constant(rewriter, *operand).is_none()) {
        return false;
    }
    let made = rewriter.append(view.id, operands, Vec::new(), to)[0];
    if let Some(number) = constant(rewriter, made) {
        let data = LiteralData::Splat(int_bytes(number, ty.element).into());
        let folded = rewriter.build(to, Span::NONE).constant(Literal { ty: ty.clone(), data });
        rewriter.stand_for(result, folded);
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::{Form, print, read};

    #[test]
    fn layers_are_read_where_they_were_made() {
        let text = "
func.func @main(%x: tensor<1x4xf32>, %y: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<2x4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %s0 = stablehlo.dynamic_update_slice %z, %x, %0, %0 : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  %i = stablehlo.add %0, %1 : tensor<i32>
  %s = stablehlo.dynamic_update_slice %s0, %y, %i, %0 : (tensor<2x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<2x4xf32>
  %a = stablehlo.dynamic_slice %s, %i, %0, sizes = [1, 4] : (tensor<2x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  return %a, %s : tensor<1x4xf32>, tensor<2x4xf32>
}";
        let program = read(&Source::new("stacks", text)).unwrap();
        let made = apart(program.main().unwrap());
        let text = print(&program.with_only(made.function), Form::Pretty);
        assert!(!text.contains("dynamic"), "{text}");
        assert!(text.contains("stablehlo.concatenate %arg0, %arg1, dim = 0"), "{text}");
        assert!(text.contains("return %arg1, "), "{text}");
    }

    #[test]
    fn large_integers_stay_exact() {
        let text = "
func.func @main() -> tensor<i64> {
  %0 = stablehlo.constant dense<9007199254740992> : tensor<i64>
  %1 = stablehlo.constant dense<1> : tensor<i64>
  %2 = stablehlo.add %0, %1 : tensor<i64>
  return %2 : tensor<i64>
}";
        let program = read(&Source::new("stacks", text)).unwrap();
        let made = apart(program.main().unwrap());
        let text = print(&program.with_only(made.function), Form::Pretty);
        assert!(text.contains("dense<9007199254740993> : tensor<i64>"), "{text}");
    }

    #[test]
    fn a_stack_with_a_layer_missing_is_what_it_was_before() {
        let text = "
func.func @main(%z: tensor<3x4xf32>, %x: tensor<1x4xf32>) -> (tensor<1x4xf32>, tensor<3x4xf32>) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %2 = stablehlo.constant dense<2> : tensor<i32>
  %s = stablehlo.dynamic_update_slice %z, %x, %2, %0 : (tensor<3x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  %a = stablehlo.dynamic_slice %s, %0, %0, sizes = [1, 4] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x4xf32>
  return %a, %s : tensor<1x4xf32>, tensor<3x4xf32>
}";
        let program = read(&Source::new("stacks", text)).unwrap();
        let made = apart(program.main().unwrap());
        let text = print(&program.with_only(made.function), Form::Pretty);
        assert!(text.contains("stablehlo.dynamic_slice %arg0"), "{text}");
        assert!(text.contains("stablehlo.dynamic_update_slice %arg0, %arg1"), "{text}");
    }
}
