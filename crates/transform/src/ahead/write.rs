//! A function written anew with stacks in front of its loops over layers.

use super::find::{Layers, MadeAhead};
use meshwright_ir::build::Builder as _;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::convert::Convert;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::while_::While;
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter};
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::{BTreeMap, BTreeSet};

use crate::turns::{self, region_like};

/// Type of the number of a layer.
const COUNTER: ElementType = ElementType::I32;

/// Writes stacks in front of loops, and has these read them.
pub(super) struct Ahead<'a> {
    loops: &'a BTreeMap<InstId, Layers<'a>>,
    /// Stacks that were converted, by what they are in the old function.
    converted: BTreeMap<(ValueId, ElementType), ValueId>,
    /// Stacks that loops made, by how.
    stacked: BTreeMap<String, ValueId>,
    /// For each value of a body that is made ahead: the stack of it, in the new function.
    stacks: BTreeMap<ValueId, ValueId>,
}

impl<'a> Ahead<'a> {
    pub(super) fn new(loops: &'a BTreeMap<InstId, Layers<'a>>) -> Self {
        Self { loops, converted: BTreeMap::new(), stacked: BTreeMap::new(), stacks: BTreeMap::new() }
    }
}

impl Edit for Ahead<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if let Some(layers) = self.loops.get(&view.id) {
            self.stacks(rewriter, layers, to);
            return false;
        }
        if self.past_barrier(rewriter, view, to) {
            return true;
        }
        let [result] = *view.inst.results.as_slice() else { return false };
        if to == rewriter.to.entry() && is_plain_convert(view) {
            // A tied weight is converted for each of its readers.
            return match self.converted.get(&(view.inst.operands[0], view.result(0).element)) {
                Some(there) => {
                    rewriter.stand_for(result, *there);
                    true
                }
                None => false,
            };
        }
        let Some(stack) = self.stacks.get(&result).copied() else { return false };
        let made = self.loops.values().find_map(|layers| layers.found.get(&result));
        match made {
            Some(MadeAhead::Converted { chain }) => read_converted(rewriter, stack, chain, to),
            Some(MadeAhead::Stacked { at, .. }) => {
                let at = rewriter.value(*at);
                let ty = view.result(0).clone();
                let part = turns::take(&mut rewriter.build(to, view.inst.span), stack, 0, at, ty);
                rewriter.stand_for_own(result, part);
            }
            None => return false,
        }
        true
    }

    fn after(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) {
        if to == rewriter.to.entry() && is_plain_convert(view) {
            let there = rewriter.value(view.inst.results[0]);
            self.converted.insert((view.inst.operands[0], view.result(0).element), there);
        }
    }
}

/// Whether an instruction converts, and says no sharding of its own.
fn is_plain_convert(view: &InstView<'_>) -> bool {
    matches!(view.inst.op, Op::Convert(_)) && view.inst.attributes.get("sdy.sharding").is_none()
}

/// Appends what takes a layer of a converted stack, in the shape that it is read in.
fn read_converted(rewriter: &mut Rewriter<'_>, stack: ValueId, chain: &[InstId], to: RegionId) {
    let body = rewriter.from;
    let Some((last, moves)) = chain.split_last() else { return };
    let (result, mut part) = (body.insts[*last].results[0], stack);
    for inst in moves {
        let content = &body.insts[*inst];
        let operands: Vec<ValueId> =
            [part].into_iter().chain(rewriter.values(&content.operands[1..])).collect();
        let shape = body.tensor(content.results[0]).shape.clone();
        let ty: Type = TensorType::new(shape, body.tensor(result).element).into();
        part = rewriter.append_for(*inst, content.op.clone(), operands, vec![ty], to)[0];
    }
    rewriter.stand_for_own(result, part);
}

impl Ahead<'_> {
    /// Has what a loop makes of parameters alone go past a barrier in it, so that the barrier does not read masters; the rest goes
    /// through it.
    fn past_barrier(&self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if to == rewriter.to.entry() || view.inst.op.traits().data_flow != DataFlow::Identity {
            return false;
        }
        let results = &view.inst.results;
        let is_alone = |result: &ValueId| self.loops.values().any(|layers| layers.alone.contains(result));
        let (past, kept): (Vec<usize>, Vec<usize>) =
            (0..results.len()).partition(|index| is_alone(&results[*index]));
        if past.is_empty() {
            return false;
        }
        if !kept.is_empty() {
            let operands = kept.iter().map(|index| rewriter.value(view.inst.operands[*index])).collect();
            rewriter.append_some(view.id, operands, Vec::new(), &kept, to);
        }
        for index in past {
            let there = rewriter.value(view.inst.operands[index]);
            rewriter.stand_for(results[index], there);
        }
        true
    }

    /// Appends the stacks that a loop reads and that are not there yet.
    fn stacks(&mut self, rewriter: &mut Rewriter<'_>, layers: &Layers<'_>, to: RegionId) {
        let body = rewriter.from;
        let mut open = Vec::new();
        for (value, made) in &layers.found {
            match made {
                MadeAhead::Converted { chain } => {
                    let (Some(slice), Some(convert)) = (chain.first(), chain.last()) else { continue };
                    let (old, element) = (layers.slices[slice], body.tensor(*value).element);
                    let stack = *self.converted.entry((old, element)).or_insert_with(|| {
                        let ty: Type = TensorType::new(body.tensor(old).shape.clone(), element).into();
                        let operands = vec![rewriter.value(old)];
                        rewriter.on_behalf_of(Some(*convert), |rewriter| {
                            rewriter.append_for(*convert, Convert.into(), operands, vec![ty], to)[0]
                        })
                    });
                    self.stacks.insert(*value, stack);
                }
                MadeAhead::Stacked { insts, .. } => {
                    let way = Words { body, layers }.of(*value);
                    match self.stacked.get(&way) {
                        Some(stack) => drop(self.stacks.insert(*value, *stack)),
                        None => open.push((*value, way, insts)),
                    }
                }
            }
        }
        if open.is_empty() {
            return;
        }
        let insts: BTreeSet<InstId> = open.iter().flat_map(|(.., insts)| insts.iter().copied()).collect();
        let values: Vec<ValueId> = open.iter().map(|(value, ..)| *value).collect();
        let made = rewriter.on_behalf_of(None, |rewriter| make(rewriter, layers, &insts, &values, to));
        for ((value, way, _), stack) in open.into_iter().zip(made) {
            self.stacked.insert(way, stack);
            self.stacks.insert(value, stack);
        }
    }
}

/// Appends a loop over layers of these instructions of a body, in order, and returns the stacks of these values.
fn make(
    rewriter: &mut Rewriter<'_>,
    layers: &Layers<'_>,
    insts: &BTreeSet<InstId>,
    values: &[ValueId],
    to: RegionId,
) -> Vec<ValueId> {
    let body = rewriter.from;
    let (view, span) = (&layers.view, layers.view.inst.span);
    let named = rewriter.to.values.len();
    let mut init = vec![rewriter.build(to, span).splat(TensorType::scalar(COUNTER), 0.0)];
    for value in values {
        init.push(turns::zeros(&mut rewriter.build(to, span), body.tensor(*value), layers.count));
    }
    let step = region_like(&mut rewriter.to, &init);
    let args = rewriter.to.regions[step].args.clone();
    for (index, operand) in view.inst.operands.iter().enumerate() {
        let outside = rewriter.value(*operand);
        rewriter.stand_for(view.region(1).args[index], outside);
    }
    for inst in &view.region(1).insts {
        let content = &body.insts[*inst];
        if let Some(stack) = layers.slices.get(inst) {
            let (stack, ty) = (rewriter.value(*stack), body.tensor(content.results[0]).clone());
            let part = turns::take(&mut rewriter.build(step, content.span), stack, 0, args[0], ty);
            rewriter.stand_for(content.results[0], part);
        } else if content.op.traits().data_flow == DataFlow::Identity {
            for (operand, result) in content.operands.iter().zip(&content.results) {
                if let Some(there) = rewriter.map[*operand] {
                    rewriter.stand_for(*result, there);
                }
            }
        } else if insts.contains(inst) {
            let operands = rewriter.values(&content.operands);
            rewriter.append_again(*inst, operands, step);
        }
    }
    let own = rewriter.values(values);
    let mut next = vec![rewriter.build(step, span).with_number(Binary::Add, args[0], 1)];
    for (stack, part) in args[1..].iter().zip(own) {
        next.push(turns::put(&mut rewriter.build(step, span), *stack, part, args[0]));
    }
    rewriter.build(step, span).emit_all(Return::Stablehlo, &next, Vec::new(), Vec::new());
    let condition = turns::condition(rewriter, &init, layers.count);
    let types: Vec<Type> = init.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
    let made = rewriter.to.append(to, While.into(), init, vec![condition, step], types, span);
    rewriter.forget_names(named);
    rewriter.to.insts[made].results[1..].to_vec()
}

/// How values are made, in words that are the same for the same in other loops.
struct Words<'a> {
    body: &'a Body,
    layers: &'a Layers<'a>,
}

impl Words<'_> {
    fn of(&self, value: ValueId) -> String {
        let mut numbers = BTreeMap::new();
        let mut words = Vec::new();
        self.value(value, &mut numbers, &mut words);
        words.join(";")
    }

    /// The number of a value among those that have words, which come before it.
    fn value(
        &self,
        value: ValueId,
        numbers: &mut BTreeMap<ValueId, String>,
        words: &mut Vec<String>,
    ) -> String {
        if let Some(number) = numbers.get(&value) {
            return number.clone();
        }
        let around = self.layers.view.region(1);
        let word = match self.body.values[value].def {
            Def::Argument(_, index) if around.args.contains(&value) => {
                format!("{:?}", self.layers.view.inst.operands[index])
            }
            Def::Result(inst, index) if around.insts.contains(&inst) => {
                let content = &self.body.insts[inst];
                if let Some(stack) = self.layers.slices.get(&inst) {
                    format!("layer of {stack:?}")
                } else if content.op.traits().data_flow == DataFlow::Identity {
                    return self.value(content.operands[index], numbers, words);
                } else {
                    let operands: Vec<String> =
                        content.operands.iter().map(|operand| self.value(*operand, numbers, words)).collect();
                    let regions: Vec<String> =
                        content.regions.iter().map(|region| self.region(*region, numbers, words)).collect();
                    let ty = self.body.ty(value);
                    format!("result {index} of {:?} {operands:?} {regions:?} {ty:?}", content.op)
                }
            }
            _ => format!("{value:?}"),
        };
        words.push(word);
        let number = format!("#{}", words.len() - 1);
        numbers.insert(value, number.clone());
        number
    }

    /// A region of single elements: its values are numbered in it, others have words of their own.
    fn region(
        &self,
        region: RegionId,
        numbers: &mut BTreeMap<ValueId, String>,
        words: &mut Vec<String>,
    ) -> String {
        let region = &self.body.regions[region];
        let mut inside: BTreeMap<ValueId, String> = BTreeMap::new();
        for arg in &region.args {
            inside.insert(*arg, format!("%{}", inside.len()));
        }
        let mut text = format!("{:?}", region.args.iter().map(|arg| self.body.ty(*arg)).collect::<Vec<_>>());
        for inst in &region.insts {
            let content = &self.body.insts[*inst];
            let operand = |value: &ValueId| match inside.get(value) {
                Some(name) => name.clone(),
                None => self.value(*value, numbers, words),
            };
            let operands: Vec<String> = content.operands.iter().map(operand).collect();
            let regions: Vec<String> =
                content.regions.iter().map(|region| self.region(*region, numbers, words)).collect();
            text += &format!(" {:?} {operands:?} {regions:?};", content.op);
            for result in &content.results {
                inside.insert(*result, format!("%{}", inside.len()));
            }
        }
        text
    }
}
