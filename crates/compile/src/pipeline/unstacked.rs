//! Layers of a scanned step as arguments of their own.
//!
//! Input: a flat function whose loops over layers were written out, with its stacks apart. Output: the same where each stack
//! of parameters or moments is one argument, and one result, for each layer that the function reads or makes, so that what
//! updates a stack element by element falls into parts too: `[layers, ...]` becomes `[1, ...]` for each. Layers that
//! nothing reads or makes are left out, as of a loop of which only some turns were written out.
//!
//! ```text
//! %w: 3x4                                   %w0, %w1, %w2: 1x4
//! %a = dynamic_slice %w, 1                  %a is %w1
//! %g = concatenate %x, %y, %z               %n0 = subtract %w0, %x, and so on
//! %n = subtract %w, %g
//! ```

use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::location::{Location, LocationRef};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::integer_ranges::known;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::program::{Body, Def, Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Unchanged};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};
use meshwright_ir::sharding::Reduction;
use meshwright_plan::StepPart;
use meshwright_tensor::literal::{Literal, LiteralData};
use meshwright_tensor::types::{TensorType, Type};
use meshwright_transform::Made;
use std::collections::{BTreeMap, BTreeSet};

/// Names the result that takes an argument's place, as JAX writes it.
const ALIASED: &str = "tf.aliasing_output";

/// What a result is called, as JAX writes it.
const NAME: &str = "jax.result_info";

/// A function without stacks.
pub(super) struct Unstacked {
    pub(super) made: Made,
    /// What each argument and each result is of those that there were.
    pub(super) arguments: Vec<StepPart>,
    pub(super) results: Vec<StepPart>,
    /// Whether it has all layers of each stack.
    pub(super) is_whole: bool,
}

/// The function with a value for each layer; none if it has no stacks of arguments, or does something else with one.
pub(super) fn unstacked(function: &Function) -> Option<Unstacked> {
    let found = Stacks::of(function)?;
    let body = &function.body;
    let mut rewriter = Rewriter::within(body, Body::new());
    let to = rewriter.to.entry();
    let mut edit = Apart { found: &found, parts: BTreeMap::new(), is_stuck: false };
    let mut arguments = Vec::new();
    for (index, arg) in function.args().iter().enumerate() {
        let (ty, span) = (body.ty(*arg).clone(), body.values[*arg].span);
        if !found.stacks.contains(arg) {
            let new = rewriter.to.add_arg(to, ty, span);
            rewriter.stand_for(*arg, new);
            arguments.push(StepPart::whole(index));
            continue;
        }
        let ty = part_of(body.tensor(*arg));
        for layer in found.layers_of(body, *arg) {
            let new = rewriter.to.add_arg(to, ty.clone().into(), span);
            edit.parts.entry(*arg).or_default().insert(layer, new);
            arguments.push(StepPart::layer(index, layer));
        }
    }
    let insts = &body.regions[body.entry()].insts;
    rewriter.walk_each(&insts[..insts.len() - 1], to, &mut edit);
    if edit.is_stuck {
        return None;
    }
    let mut returned = Vec::new();
    let mut results: Vec<StepPart> = Vec::new();
    for (index, value) in function.returned().iter().enumerate() {
        match edit.parts.get(value) {
            None => {
                returned.push(rewriter.map[*value]?);
                results.push(StepPart::whole(index));
            }
            Some(parts) => {
                for layer in found.layers_of(body, *value) {
                    returned.push(*parts.get(&layer)?);
                    results.push(StepPart::layer(index, layer));
                }
            }
        }
    }
    let types = returned.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
    rewriter.to.append(to, Return::Func.into(), returned, Vec::new(), Vec::new(), Span::NONE);
    let rewritten = rewriter.finish();
    let mut made = function.with_body(rewritten.body);
    let of_arg = |part: &StepPart| renumbered(&function.arg_attributes[part.index], *part, &results);
    made.arg_attributes = arguments.iter().map(of_arg).collect();
    let located = &body.regions[body.entry()].arg_locations;
    let location = |part: &StepPart| located_at(located.get(part.index)?.as_ref()?, *part);
    let entry = made.body.entry();
    made.body.regions[entry].arg_locations = arguments.iter().map(location).collect();
    made.result_types = types;
    let of_result = |part: &StepPart| named(&function.result_attributes[part.index], *part);
    made.result_attributes = results.iter().map(of_result).collect();
    made.result_spans =
        results.iter().filter_map(|part| function.result_spans.get(part.index).copied()).collect();
    let is_whole = found.are_whole(body);
    Some(Unstacked { made: Made { function: made, trace: rewritten.trace }, arguments, results, is_whole })
}

/// The location of an argument, or of a layer of it: what its name is.
fn located_at(location: &LocationRef, part: StepPart) -> Option<LocationRef> {
    match (&**location, part.as_layer()) {
        (Location::Name { name, child }, Some(layer)) if !name.is_empty() => {
            let name = format!("{name}[{layer}]").into();
            Some(LocationRef::from(Location::Name { name, child: child.clone() }))
        }
        _ => Some(location.clone()),
    }
}

/// Attributes of a result, or of a layer of it: what its name is.
fn named(attributes: &Attributes, part: StepPart) -> Attributes {
    let mut own = attributes.clone();
    if let Some((layer, name)) = part.as_layer().zip(attributes.get(NAME).and_then(Attr::as_str)) {
        let name = format!("{name}[{layer}]");
        own.set(NAME, Attr::string(&name));
    }
    own
}

/// Attributes of an argument, or of a layer of it, among these results.
pub(super) fn renumbered(attributes: &Attributes, part: StepPart, results: &[StepPart]) -> Attributes {
    let mut own = attributes.clone();
    let old = own.remove(ALIASED).and_then(|old| usize::try_from(old.as_int()?).ok());
    let new = old.and_then(|index| results.iter().position(|result| *result == StepPart { index, ..part }));
    if let Some(new) = new.and_then(|new| i32::try_from(new).ok()) {
        own.set(ALIASED, Attr::i32(new));
    }
    own
}

/// The type of one layer of a stack.
fn part_of(stack: &TensorType) -> TensorType {
    let mut part = stack.clone();
    part.shape[0] = 1;
    part
}

/// Values that are stacks along their first dim, and the layers that are read or made of any.
struct Stacks {
    stacks: BTreeSet<ValueId>,
    layers: BTreeSet<usize>,
}

impl Stacks {
    /// The layers that a stack has.
    fn layers_of(&self, body: &Body, stack: ValueId) -> Vec<usize> {
        let most = body.tensor(stack).shape[0];
        self.layers.range(..most).copied().collect()
    }

    /// Whether no stack has layers that nothing reads or makes.
    fn are_whole(&self, body: &Body) -> bool {
        let is_whole = |stack: &ValueId| self.layers_of(body, *stack).len() == body.tensor(*stack).shape[0];
        self.stacks.iter().all(is_whole)
    }

    fn of(function: &Function) -> Option<Self> {
        let body = &function.body;
        let insts = &body.regions[body.entry()].insts;
        let mut layers = BTreeSet::new();
        let mut open = Vec::new();
        for inst in insts {
            let view = body.view(*inst);
            let Some(layer) = layer_of(&view) else { continue };
            let stack = view.inst.operands[0];
            let is_argument = matches!(body.values[stack].def, Def::Argument(..));
            layers.insert(layer);
            if is_argument {
                open.push(stack);
            }
        }
        let mut readers: BTreeMap<ValueId, Vec<InstId>> = BTreeMap::new();
        for inst in insts {
            for operand in &body.insts[*inst].operands {
                readers.entry(*operand).or_default().push(*inst);
            }
        }
        let mut stacks = BTreeSet::new();
        while let Some(value) = open.pop() {
            if !stacks.insert(value) {
                continue;
            }
            let maker = match body.values[value].def {
                Def::Result(inst, _) => Some(inst),
                Def::Argument(..) => None,
            };
            for inst in readers.get(&value).into_iter().flatten().copied().chain(maker) {
                open.extend(along(&body.view(inst), value)?);
            }
        }
        (!stacks.is_empty()).then_some(Self { stacks, layers })
    }
}

/// The layer of its first operand that an instruction reads or replaces, if that is a stack along the first dim.
fn layer_of(view: &InstView<'_>) -> Option<usize> {
    let (part, start) = match &view.inst.op {
        Op::DynamicSlice(_) => (&view.result(0).shape, 1),
        Op::DynamicUpdateSlice(_) => (&view.operand(1).shape, 2),
        _ => return None,
    };
    let whole = &view.operand(0).shape;
    let is_one = part.first() == Some(&1) && whole.first().is_some_and(|size| *size > 1);
    if !is_one || part[1..] != whole[1..] {
        return None;
    }
    let range = known(view.body, view.inst.operands[start], None);
    let layer = (range.low == range.high).then_some(range.low)?;
    usize::try_from(layer.clamp(0, whole[0] as i128 - 1)).ok()
}

/// The other values of an instruction that are stacks if one is; none if it does something else with layers.
fn along(view: &InstView<'_>, stack: ValueId) -> Option<Vec<ValueId>> {
    match &view.inst.op {
        Op::DynamicSlice(_) if layer_of(view).is_some() => return Some(Vec::new()),
        Op::DynamicUpdateSlice(_) if layer_of(view).is_some() => {
            return (view.inst.operands[1] != stack)
                .then(|| vec![view.inst.operands[0], view.inst.results[0]]);
        }
        Op::Concatenate(of) if of.dim == 0 => {
            let are_layers = (0..view.num_operands()).all(|operand| view.operand(operand).shape[0] == 1);
            return (are_layers && view.inst.results[0] == stack).then(Vec::new);
        }
        Op::Return(_) => return Some(Vec::new()),
        Op::Constant(of) => return matches!(of.value.data, LiteralData::Splat(_)).then(Vec::new),
        _ => {}
    }
    let rule = view.inst.op.rule(view);
    let factor = factor(view, &rule, stack)?;
    if !matches!(rule.factors[factor].kind, FactorKind::PassThrough | FactorKind::Reduced(_)) {
        return None;
    }
    let mut found = Vec::new();
    let tensors =
        view.inst.operands.iter().zip(&rule.operands).chain(view.inst.results.iter().zip(&rule.results));
    for (value, dims) in tensors {
        match dims.iter().position(|factors| factors.contains(&factor)) {
            Some(0) if dims[0] == [factor] => found.push(*value),
            Some(_) => return None,
            None => {}
        }
    }
    Some(found)
}

/// The factor that alone makes the first dim of a value.
fn factor(view: &InstView<'_>, rule: &ShardingRule, value: ValueId) -> Option<FactorIndex> {
    let tensors =
        view.inst.operands.iter().zip(&rule.operands).chain(view.inst.results.iter().zip(&rule.results));
    let mut own = tensors.filter(|(other, _)| **other == value);
    match own.next()?.1.first()?[..] {
        [factor] => Some(factor),
        _ => None,
    }
}

/// What a sum is the same as where the other operand is zero: loops add the gradient of one layer to those of all.
fn without_zeros(body: &Body, op: &Op, operands: &[ValueId]) -> Option<ValueId> {
    match (op, operands) {
        (Op::Binary(Binary::Add), [value, zeros]) if is_zero(body, *zeros) => Some(*value),
        (Op::Binary(Binary::Add), [zeros, value]) if is_zero(body, *zeros) => Some(*value),
        _ => None,
    }
}

fn is_zero(body: &Body, value: ValueId) -> bool {
    let Def::Result(inst, _) = body.values[value].def else { return false };
    match &body.insts[inst].op {
        Op::Constant(of) => of.value.splat_bytes().is_some_and(|bytes| bytes.iter().all(|byte| *byte == 0)),
        Op::BroadcastInDim(_) => is_zero(body, body.insts[inst].operands[0]),
        _ => false,
    }
}

struct Apart<'a> {
    found: &'a Stacks,
    /// The layers of each stack, in the new function.
    parts: BTreeMap<ValueId, BTreeMap<usize, ValueId>>,
    is_stuck: bool,
}

impl Edit for Apart<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if to != rewriter.to.entry() || self.is_stuck {
            return self.is_stuck;
        }
        let is_stack = |value: &ValueId| self.found.stacks.contains(value);
        if !view.inst.operands.iter().chain(&view.inst.results).any(is_stack) {
            return false;
        }
        if self.apart(rewriter, view, to).is_none() {
            self.is_stuck = true;
        }
        true
    }
}

impl Apart<'_> {
    fn apart(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> Option<()> {
        let inst = view.inst;
        match &inst.op {
            Op::DynamicSlice(_) => {
                let part = *self.parts.get(&inst.operands[0])?.get(&layer_of(view)?)?;
                rewriter.stand_for(inst.results[0], part);
                return Some(());
            }
            Op::DynamicUpdateSlice(_) => {
                let mut parts = self.parts.get(&inst.operands[0]).cloned().unwrap_or_default();
                parts.insert(layer_of(view)?, rewriter.map[inst.operands[1]]?);
                self.parts.insert(inst.results[0], parts);
                return Some(());
            }
            Op::Concatenate(_) => {
                let parts: Option<BTreeMap<usize, ValueId>> = inst
                    .operands
                    .iter()
                    .enumerate()
                    .map(|(layer, part)| Some((layer, rewriter.map[*part]?)))
                    .collect();
                self.parts.insert(inst.results[0], parts?);
                return Some(());
            }
            Op::Constant(of) => {
                let value = Literal { ty: part_of(&of.value.ty), data: of.value.data.clone() };
                let part = rewriter.build(to, Span::NONE).constant(value);
                let layers = self.found.layers_of(view.body, inst.results[0]);
                let parts = layers.into_iter().map(|layer| (layer, part)).collect();
                self.parts.insert(inst.results[0], parts);
                return Some(());
            }
            _ => {}
        }
        self.each_layer(rewriter, view, to)
    }

    /// The instruction for each layer; what it sums up of all layers is added up.
    fn each_layer(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> Option<()> {
        let inst = view.inst;
        let reduction = self.reduction(view)?;
        let mut sums: Vec<Option<ValueId>> = vec![None; inst.results.len()];
        let is_stack = |value: &&ValueId| self.found.stacks.contains(value);
        let stack = inst.operands.iter().chain(&inst.results).find(is_stack)?;
        for (number, layer) in self.found.layers_of(view.body, *stack).iter().enumerate() {
            let before = rewriter.to.values.len();
            let operand = |value: &ValueId| match self.found.stacks.contains(value) {
                true => self.parts.get(value)?.get(layer).copied(),
                false => rewriter.map[*value],
            };
            let operands: Vec<ValueId> = inst.operands.iter().map(operand).collect::<Option<_>>()?;
            if let Some(same) = without_zeros(&rewriter.to, &inst.op, &operands) {
                self.parts.entry(inst.results[0]).or_default().insert(*layer, same);
                continue;
            }
            let regions = inst.regions.iter().map(|region| {
                let copy = rewriter.region_like(*region);
                rewriter.walk(*region, copy, &mut Unchanged);
                copy
            });
            let regions = regions.collect();
            let made = rewriter.append(view.id, operands, regions, to);
            if number > 0 {
                // What is made for the first layer has the names of all.
                rewriter.forget_names(before);
            }
            for (index, (old, new)) in inst.results.iter().zip(made).enumerate() {
                if self.found.stacks.contains(old) {
                    let ty: Type = part_of(view.body.tensor(*old)).into();
                    rewriter.to.values[new].ty = ty;
                    self.parts.entry(*old).or_default().insert(*layer, new);
                } else {
                    let sum = match sums[index] {
                        None => new,
                        Some(before) => {
                            let op = Binary::of_reduction(reduction?);
                            rewriter.build(to, Span::NONE).binary(op, before, new)
                        }
                    };
                    sums[index] = Some(sum);
                }
            }
        }
        for (old, sum) in inst.results.iter().zip(sums) {
            if let Some(sum) = sum {
                rewriter.stand_for(*old, sum);
            }
        }
        Some(())
    }

    /// How what all layers contribute is put together, if the instruction does that; none if it does neither.
    fn reduction(&self, view: &InstView<'_>) -> Option<Option<Reduction>> {
        let is_stack = |value: &ValueId| self.found.stacks.contains(value);
        if view.inst.results.iter().all(is_stack) {
            return Some(None);
        }
        let stack = view.inst.operands.iter().copied().find(is_stack)?;
        let rule = view.inst.op.rule(view);
        let factor = factor(view, &rule, stack)?;
        rule.factors[factor].kind.combines().map(Some)
    }
}
