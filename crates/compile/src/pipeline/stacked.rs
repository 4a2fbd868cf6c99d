//! Layers that are arguments of their own as stacks again.
//!
//! Input: a function of layers, of which some may be missing and which may have other sizes, and what its arguments and results
//! are of those of the step as it was given ([`Parts`]). Output: the function of stacks of these layers, numbered anew from the
//! first one, and what its arguments and results are of these. It is the way back of [`super::unstacked`].
//!
//! ```text
//! %w0, %w3: 1x4                       %w: 2x4
//! %n0 = subtract %w0, %x              %w0 = slice %w [0:1], %w3 = slice %w [1:2], ..
//! return %n0, %n3                     return (concatenate %n0, %n3)
//! ```

use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::ops::concatenate::Concatenate;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::slice::Slice;
use meshwright_ir::program::{Body, Function};
use meshwright_ir::rewrite::{Rewriter, Unchanged};
use meshwright_plan::StepPart;
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

use super::cut::Parts;
use super::unstacked::renumbered;

/// The function of stacks, with the attributes of `given`, and its parts. None if a stack would have layers of several types.
pub(super) fn stacked(function: &Function, parts: &Parts, given: &Function) -> Option<(Function, Parts)> {
    let body = &function.body;
    let (arguments, results) = (Numbered::of(&parts.arguments), Numbered::of(&parts.results));
    let mut rewriter = Rewriter::within(body, Body::new());
    let to = rewriter.to.entry();
    let mut stacks = Vec::new();
    for members in &arguments.members {
        let all = members.of(function.args());
        let (ty, span) = (members.ty(body, &all)?, body.values[all[0]].span);
        stacks.push((rewriter.to.add_arg(to, ty, span), members, all));
    }
    for (stack, members, all) in stacks {
        for (layer, arg) in all.into_iter().enumerate() {
            let own = if members.are_layers { slice(&mut rewriter, to, stack, layer) } else { stack };
            rewriter.stand_for(arg, own);
        }
    }
    let insts = &body.regions[body.entry()].insts;
    rewriter.walk_each(&insts[..insts.len() - 1], to, &mut Unchanged);
    let mut returned = Vec::new();
    for members in &results.members {
        let all = members.of(function.returned());
        members.ty(body, &all)?;
        let all: Vec<ValueId> = all.into_iter().map(|value| rewriter.value(value)).collect();
        returned.push(match members.are_layers {
            true => rewriter.build(to, Span::NONE).add(Concatenate { dim: 0 }, &all),
            false => all[0],
        });
    }
    let types = returned.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
    rewriter.to.append(to, Return::Func.into(), returned, Vec::new(), Vec::new(), Span::NONE);
    let mut made = given.with_body(rewriter.finish().body);
    let old: Vec<StepPart> = results.indices.iter().map(|index| StepPart::whole(*index)).collect();
    let attributes = |index: &usize| renumbered(&given.arg_attributes[*index], StepPart::whole(*index), &old);
    made.arg_attributes = arguments.indices.iter().map(attributes).collect();
    let located = &given.body.regions[given.body.entry()].arg_locations;
    let entry = made.body.entry();
    made.body.regions[entry].arg_locations =
        arguments.indices.iter().map(|index| located.get(*index).cloned().flatten()).collect();
    made.result_types = types;
    made.result_attributes =
        results.indices.iter().map(|index| given.result_attributes[*index].clone()).collect();
    made.result_spans =
        results.indices.iter().filter_map(|index| given.result_spans.get(*index).copied()).collect();
    Some((made, Parts { arguments: arguments.parts, results: results.parts }))
}

/// A layer of a stack.
fn slice(rewriter: &mut Rewriter<'_>, to: RegionId, stack: ValueId, layer: usize) -> ValueId {
    let shape = rewriter.to.tensor(stack).shape.clone();
    let (mut start, mut limit) = (vec![0; shape.len()], shape);
    (start[0], limit[0]) = (layer, layer + 1);
    let stride = vec![1; start.len()];
    rewriter.build(to, Span::NONE).add(Slice { start, limit, stride }, &[stack])
}

/// Parts of arguments or results, numbered without gaps.
struct Numbered {
    /// Each part with the numbers that it has now.
    parts: Vec<StepPart>,
    /// The number that each argument or result had.
    indices: Vec<usize>,
    /// What each of them consists of.
    members: Vec<Members>,
}

/// What an argument or result consists of.
struct Members {
    are_layers: bool,
    /// Positions of its parts, those of the first layer first.
    positions: Vec<usize>,
}

impl Numbered {
    fn of(parts: &[StepPart]) -> Self {
        let mut known: BTreeMap<usize, BTreeMap<Option<usize>, usize>> = BTreeMap::new();
        for (position, part) in parts.iter().enumerate() {
            known.entry(part.index).or_default().insert(part.as_layer(), position);
        }
        let mut of_parts = parts.to_vec();
        let (mut indices, mut members) = (Vec::new(), Vec::new());
        for (index, (old, layers)) in known.into_iter().enumerate() {
            let are_layers = !layers.contains_key(&None);
            let positions: Vec<usize> = layers.into_values().collect();
            for (layer, position) in positions.iter().enumerate() {
                of_parts[*position] =
                    if are_layers { StepPart::layer(index, layer) } else { StepPart::whole(index) };
            }
            indices.push(old);
            members.push(Members { are_layers, positions });
        }
        Self { parts: of_parts, indices, members }
    }
}

impl Members {
    /// Those of all values.
    fn of(&self, all: &[ValueId]) -> Vec<ValueId> {
        self.positions.iter().map(|position| all[*position]).collect()
    }

    /// The type of all together; none if they have several.
    fn ty(&self, body: &Body, all: &[ValueId]) -> Option<Type> {
        let first = body.ty(all[0]);
        if !self.are_layers {
            return Some(first.clone());
        }
        let mut stack = first.as_tensor()?.clone();
        *stack.shape.first_mut()? = all.len();
        all.iter().all(|value| body.ty(*value) == first).then(|| stack.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use meshwright_ir::diagnostic::Source;
    use meshwright_ir::text::{Form, print, read};

    #[test]
    fn layers_that_are_left_are_stacks_from_the_first_on() {
        let given = "
            func.func @main(%w: tensor<4x2xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<2xf32>) -> (tensor<2xf32>, tensor<4x2xf32>) {
              return %x, %w : tensor<2xf32>, tensor<4x2xf32>
            }";
        let layers = "
            func.func @main(%a: tensor<1x2xf32>, %x: tensor<2xf32>, %b: tensor<1x2xf32>) -> (tensor<2xf32>, tensor<1x2xf32>, tensor<1x2xf32>) {
              %0 = stablehlo.add %a, %b : tensor<1x2xf32>
              return %x, %0, %a : tensor<2xf32>, tensor<1x2xf32>, tensor<1x2xf32>
            }";
        let program = |text: &str| read(&Source::new("test", text)).expect("a program");
        let (given, layers) = (program(given), program(layers));
        let parts = Parts {
            arguments: vec![StepPart::layer(0, 1), StepPart::whole(1), StepPart::layer(0, 3)],
            results: vec![StepPart::whole(0), StepPart::layer(1, 3), StepPart::layer(1, 1)],
        };
        let (made, parts) =
            stacked(layers.main().unwrap(), &parts, given.main().unwrap()).expect("layers of one type");
        assert_eq!(parts.arguments, [StepPart::layer(0, 0), StepPart::whole(1), StepPart::layer(0, 1)]);
        assert_eq!(parts.results, [StepPart::whole(0), StepPart::layer(1, 1), StepPart::layer(1, 0)]);
        let text = print(&given.with_only(made), Form::Pretty);
        for part in [
            "%arg0: tensor<2x2xf32> {tf.aliasing_output = 1 : i32}, %arg1: tensor<2xf32>",
            "stablehlo.slice %arg0 [0:1, 0:2]",
            "stablehlo.slice %arg0 [1:2, 0:2]",
            "stablehlo.concatenate %0, %2, dim = 0",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
