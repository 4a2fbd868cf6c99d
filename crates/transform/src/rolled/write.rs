//! Writes a function down with loops for what is repeated.
//!
//! Input: the repeats of a function, and which of its arguments and results are layers of one stack. Output: the function with
//! a `while` for each repeat, which reads layers of stacks and leaves them there; stacks that are donated are written over.

use meshwright_ir::arguments::Donation;
use meshwright_ir::attribute::Attributes;
use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::ops::while_::While;
use meshwright_ir::program::{Body, Def, Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter};
use meshwright_tensor::literal::LiteralData;
use meshwright_tensor::types::{ElementType, TensorType, Type};
use std::collections::{BTreeMap, BTreeSet};

use super::order::Flow;
use super::repeats::{Loop, Made, Read, Repeats};
use super::stacks::{Filling, Positions, Source, Stack, Way};
use super::{Given, Layer, Taken};
use crate::turns::{self, region_like};

/// Writes a function.
pub(super) struct Writer<'a> {
    flow: &'a Flow<'a>,
    repeats: &'a Repeats,
    rewriter: Rewriter<'a>,
    stacks: Vec<Stack>,
    /// For each loop the stack of each of its layers, and where its turns read there.
    read: Vec<Vec<(usize, Positions)>>,
    /// Results of the last turn of each loop that are read behind it, beside what it carries.
    ends: Vec<Vec<Made>>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(flow: &'a Flow<'a>, repeats: &'a Repeats) -> Self {
        let rewriter = Rewriter::within(flow.body, Body::new());
        let ends = vec![Vec::new(); repeats.loops.len()];
        Self { flow, repeats, rewriter, stacks: Vec::new(), read: Vec::new(), ends }
    }

    /// The function with these arguments and results.
    pub(super) fn function(mut self, arguments: &[Taken], results: &[Given]) -> Function {
        let function = self.flow.function;
        self.take(arguments);
        let of_results: Vec<Option<usize>> = results.iter().map(|given| self.given(given)).collect();
        let donations = self.donations(arguments, results, &of_results);
        self.read_layers();
        self.read_alone(results);
        let mut at = 0;
        while at < self.repeats.order.len() {
            match self.repeats.loops.iter().position(|own| own.start == at) {
                Some(number) => {
                    self.write_loop(number);
                    at = self.repeats.loops[number].end();
                }
                None => {
                    let position = self.repeats.order[at];
                    self.write_inst(position);
                    at += 1;
                }
            }
        }
        let returned: Vec<ValueId> = results
            .iter()
            .zip(&of_results)
            .map(|(given, stack)| match (given, stack) {
                (Given::One(index), _) => self.place(function.returned()[*index]),
                (Given::Stack { .. }, stack) => self.finish(stack.expect("it is a stack")),
            })
            .collect();
        self.finished(arguments, results, returned, &donations)
    }

    fn entry(&self) -> RegionId {
        self.rewriter.to.entry()
    }

    /// The old value that a result of a turn is.
    fn made(&self, of: &Loop, turn: usize, (at, result): Made) -> ValueId {
        let inst = self.flow.insts[self.repeats.order[of.start + turn * of.length + at]];
        self.flow.body.insts[inst].results[result]
    }

    fn layer_type(&self, stack: &Stack) -> TensorType {
        self.flow.body.tensor(stack.values[0]).clone()
    }

    fn stack_type(&self, stack: &Stack) -> TensorType {
        stack.way.stack(&self.layer_type(stack), stack.values.len())
    }

    fn take(&mut self, arguments: &[Taken]) {
        let args = self.flow.function.args();
        for taken in arguments {
            let entry = self.entry();
            match taken {
                Taken::One(index) => {
                    let old = args[*index];
                    let (ty, span) = (self.flow.body.ty(old).clone(), self.flow.body.values[old].span);
                    let new = self.rewriter.to.add_arg(entry, ty, span);
                    self.rewriter.stand_for(old, new);
                }
                Taken::Stack { arguments, way } => {
                    let values = arguments.iter().map(|index| args[*index]).collect();
                    let mut stack = Stack::of(values, *way, None);
                    let ty = self.stack_type(&stack);
                    let span = self.flow.body.values[stack.values[0]].span;
                    stack.now = Some(self.rewriter.to.add_arg(entry, ty.into(), span));
                    stack.is_whole = true;
                    self.stacks.push(stack);
                }
            }
        }
    }

    /// The stack of a result that is one.
    fn given(&mut self, given: &Given) -> Option<usize> {
        let Given::Stack { layers, way } = given else { return None };
        let values: Vec<ValueId> = layers.iter().map(|layer| layer.value(self.flow.function)).collect();
        let filling = self.filling(&values, self.repeats.loops.len());
        self.stacks.push(Stack::of(values, *way, filling));
        Some(self.stacks.len() - 1)
    }

    /// For each argument the result whose place it takes.
    fn donations(
        &mut self,
        arguments: &[Taken],
        results: &[Given],
        of_results: &[Option<usize>],
    ) -> Vec<Option<usize>> {
        let function = self.flow.function;
        let old = |argument: usize| match function.donation(argument) {
            Donation::ToResult(result) => Some(result),
            _ => None,
        };
        let mut found = Vec::new();
        let mut number = 0;
        for taken in arguments {
            match taken {
                Taken::One(index) => {
                    let result = old(*index);
                    found.push(result.and_then(|result| {
                        results.iter().position(|given| matches!(given, Given::One(own) if *own == result))
                    }));
                }
                Taken::Stack { arguments, way } => {
                    let places: Option<Vec<Layer>> =
                        arguments.iter().map(|index| old(*index).map(Layer::Result)).collect();
                    let is_it = |given: &Given| matches!(given, Given::Stack { layers, way: own } if Some(layers) == places.as_ref() && own == way);
                    let place = results.iter().position(is_it);
                    if let Some(stack) = place.and_then(|place| of_results[place]) {
                        self.stacks[stack].over = Some(number);
                    }
                    found.push(place);
                    number += 1;
                }
            }
        }
        found
    }

    /// The loop in front of a number that leaves one of these values in each of its turns.
    fn filling(&self, values: &[ValueId], before: usize) -> Option<Filling> {
        let loops = self.repeats.loops.iter().enumerate().take(before);
        let mut all = loops.flat_map(|(by, own)| {
            let first = (0..own.length).flat_map(move |at| {
                let inst = self.flow.insts[self.repeats.order[own.start + at]];
                let results = self.flow.body.insts[inst].results.iter().enumerate();
                results.map(move |(result, value)| (*value, Source::Made((at, result))))
            });
            let carried = own.carried.iter().enumerate();
            let carried = carried.map(|(number, carried)| (carried.init, Source::Carried(number)));
            let sources = first.chain(carried).filter(|(value, _)| values.contains(value));
            sources.filter_map(move |(_, source)| {
                let positions = Positions::of(&self.left(own, source), values)?;
                Some(Filling { by, source, positions })
            })
        });
        all.next()
    }

    /// What the turns of a loop have of a source.
    fn left(&self, of: &Loop, source: Source) -> Vec<ValueId> {
        let of_turn = |turn: usize| match source {
            Source::Made(made) => self.made(of, turn, made),
            Source::Carried(number) if turn == 0 => of.carried[number].init,
            Source::Carried(number) => self.made(of, turn - 1, of.carried[number].made),
        };
        (0..of.turns).map(of_turn).collect()
    }

    /// Finds the stack of each loop's layers; where there is none, there will be one.
    fn read_layers(&mut self) {
        for (number, own) in self.repeats.loops.iter().enumerate() {
            let mut read = Vec::new();
            for values in &own.layers {
                let known = self.stacks.iter().enumerate().find_map(|(at, stack)| {
                    let is_there = match (stack.now, stack.filling) {
                        (Some(_), _) => true,
                        (None, Some(filling)) => {
                            let turns = self.repeats.loops[filling.by].turns;
                            filling.by < number && [turns, values.len()].contains(&stack.values.len())
                        }
                        (None, None) => stack.over.is_none() && stack.values.len() == values.len(),
                    };
                    Some((at, Positions::of(values, &stack.values).filter(|_| is_there)?))
                });
                read.push(known.unwrap_or_else(|| {
                    let filling = self.filling(values, number);
                    self.stacks.push(Stack::of(values.clone(), Way::InFront, filling));
                    (self.stacks.len() - 1, Positions { first: 0, is_down: false })
                }));
            }
            self.read.push(read);
        }
    }

    /// The loop, the turn and the place in it that make a value.
    fn in_loop(&self, value: ValueId) -> Option<(usize, usize, Made)> {
        let (maker, result) = self.flow.made[value]?;
        let at = self.repeats.order.iter().position(|own| *own == maker)?;
        let number = self.repeats.loops.iter().position(|own| (own.start..own.end()).contains(&at))?;
        let own = &self.repeats.loops[number];
        let at = at - own.start;
        Some((number, at / own.length, (at % own.length, result)))
    }

    /// Finds what is read of loops by itself, and has them leave it.
    fn read_alone(&mut self, results: &[Given]) {
        let mut alone: BTreeSet<ValueId> = BTreeSet::new();
        let is_in_loop =
            |at: usize| self.repeats.loops.iter().any(|own| (own.start..own.end()).contains(&at));
        for (at, position) in self.repeats.order.iter().enumerate() {
            if !is_in_loop(at) {
                alone.extend(self.flow.sites[*position].iter().map(|site| site.value));
            }
        }
        for own in &self.repeats.loops {
            alone.extend(own.carried.iter().map(|carried| carried.init));
            alone.extend(own.reads.iter().flatten().filter_map(|read| match read {
                Read::Around(value) => Some(*value),
                _ => None,
            }));
        }
        alone.extend(results.iter().filter_map(|given| match given {
            Given::One(index) => Some(self.flow.function.returned()[*index]),
            Given::Stack { .. } => None,
        }));
        for stack in self.stacks.iter().filter(|stack| stack.now.is_none()) {
            let filled =
                stack.filling.map(|filling| self.left(&self.repeats.loops[filling.by], filling.source));
            let filled = filled.unwrap_or_default();
            alone.extend(stack.values.iter().copied().filter(|value| !filled.contains(value)));
        }
        for value in alone {
            let Some((number, turn, made)) = self.in_loop(value) else { continue };
            let own = &self.repeats.loops[number];
            let is_end = turn + 1 == own.turns;
            if is_end && own.carried.iter().any(|carried| carried.made == made)
                || self.is_stacked(number, value)
            {
                continue;
            }
            if is_end {
                if !self.ends[number].contains(&made) {
                    self.ends[number].push(made);
                }
                continue;
            }
            let values: Vec<ValueId> = (0..own.turns).map(|turn| self.made(own, turn, made)).collect();
            let positions = Positions { first: 0, is_down: false };
            let filling = Some(Filling { by: number, source: Source::Made(made), positions });
            self.stacks.push(Stack::of(values, Way::InFront, filling));
        }
    }

    /// Whether the loop that makes a value leaves it in a stack.
    fn is_stacked(&self, number: usize, value: ValueId) -> bool {
        let mut own =
            self.stacks.iter().filter_map(|stack| stack.filling).filter(|filling| filling.by == number);
        own.any(|filling| self.left(&self.repeats.loops[number], filling.source).contains(&value))
    }

    /// An old value in the new function, outside of loops.
    fn place(&mut self, value: ValueId) -> ValueId {
        if let Some(known) = self.rewriter.map[value] {
            return known;
        }
        let found = self.stacks.iter().find_map(|stack| {
            let at = stack.values.iter().position(|own| *own == value)?;
            let filled =
                stack.filling.map(|filling| self.left(&self.repeats.loops[filling.by], filling.source));
            let is_there = filled.is_none_or(|filled| filled.contains(&value));
            Some((stack.way, stack.now?, at)).filter(|_| is_there)
        });
        let (way, stack, at) = found.unwrap_or_else(|| panic!("{value:?} is there before it is read"));
        let entry = self.entry();
        let layer = way.layer(stack, at, &mut self.rewriter.build(entry, Span::NONE));
        self.rewriter.stand_for(value, layer);
        layer
    }

    fn write_inst(&mut self, position: usize) {
        for site in &self.flow.sites[position] {
            self.place(site.value);
        }
        let entry = self.entry();
        self.rewriter.walk_each(&[self.flow.insts[position]], entry, &mut meshwright_ir::rewrite::Unchanged);
    }

    /// A stack of zeros, or the one whose place it takes.
    fn empty(&mut self, stack: usize) -> ValueId {
        if let Some(over) = self.stacks[stack].over {
            return self.stacks[over].now.expect("an argument is there");
        }
        let (ty, entry) = (self.stack_type(&self.stacks[stack]), self.entry());
        self.rewriter.build(entry, Span::NONE).splat(ty, 0.0)
    }

    /// A stack with all its layers, outside of loops.
    fn finish(&mut self, stack: usize) -> ValueId {
        let Stack { values, way, filling, over, now, is_whole } = self.stacks[stack].clone();
        if let Some(now) = now.filter(|_| is_whole) {
            return now;
        }
        let filled = filling.map(|filling| self.left(&self.repeats.loops[filling.by], filling.source));
        let entry = self.entry();
        let whole = if filled.is_none() && over.is_none() {
            let layers: Vec<ValueId> = values.iter().map(|value| self.place(*value)).collect();
            way.put_together(&layers, &mut self.rewriter.build(entry, Span::NONE))
        } else {
            let filled = filled.unwrap_or_default();
            let mut whole = now.unwrap_or_else(|| self.empty(stack));
            for (at, value) in values.iter().enumerate().filter(|(_, value)| !filled.contains(value)) {
                let layer = self.place(*value);
                let mut builder = self.rewriter.build(entry, Span::NONE);
                let number =
                    [at, 0].map(|number| builder.splat(TensorType::scalar(ElementType::I32), number as f64));
                whole = way.with_layer(whole, layer, number.into(), &mut builder);
            }
            whole
        };
        self.stacks[stack].now = Some(whole);
        self.stacks[stack].is_whole = true;
        whole
    }

    fn write_loop(&mut self, number: usize) {
        let own = &self.repeats.loops[number];
        let entry = self.entry();
        let counter = TensorType::scalar(ElementType::I32);
        let mut init = vec![self.rewriter.build(entry, Span::NONE).splat(counter.clone(), 0.0)];
        for carried in &own.carried {
            init.push(self.place(carried.init));
        }
        for made in self.ends[number].clone() {
            let ty = self.flow.body.tensor(self.made(own, 0, made)).clone();
            init.push(self.rewriter.build(entry, Span::NONE).splat(ty, 0.0));
        }
        let is_filled =
            |stack: &usize| self.stacks[*stack].filling.is_some_and(|filling| filling.by == number);
        let buffers: Vec<usize> = (0..self.stacks.len()).filter(is_filled).collect();
        for buffer in &buffers {
            init.push(self.empty(*buffer));
        }
        for read in own.reads.iter().flatten() {
            if let Read::Around(value) = read {
                self.place(*value);
            }
        }
        for (stack, _) in self.read[number].clone() {
            self.finish(stack);
        }
        let condition = turns::condition(&mut self.rewriter, &init, own.turns);
        let step = region_like(&mut self.rewriter.to, &init);
        self.write_turn(number, step, &buffers);
        let types: Vec<Type> = init.iter().map(|value| self.rewriter.to.ty(*value).clone()).collect();
        let made =
            self.rewriter.to.append(entry, While.into(), init, vec![condition, step], types, Span::NONE);
        let left = self.rewriter.to.insts[made].results[1..].to_vec();
        // What is in the loop is nowhere else.
        for at in own.start..own.start + own.length {
            for result in &self.flow.body.insts[self.flow.insts[self.repeats.order[at]]].results {
                self.rewriter.map[*result] = None;
            }
        }
        let ends = own.carried.iter().map(|carried| carried.made).chain(self.ends[number].iter().copied());
        let ends: Vec<ValueId> = ends.map(|made| self.made(own, own.turns - 1, made)).collect();
        for (old, new) in ends.iter().zip(&left) {
            self.rewriter.stand_for(*old, *new);
        }
        for (buffer, new) in buffers.iter().zip(&left[ends.len()..]) {
            self.stacks[*buffer].now = Some(*new);
        }
    }

    /// Appends what a turn does to the region of a loop, which has the arguments of what goes through it: the number of the
    /// turn, what is carried, what only the last turn leaves, stacks.
    fn write_turn(&mut self, number: usize, step: RegionId, buffers: &[usize]) {
        let own = &self.repeats.loops[number];
        let args = self.rewriter.to.regions[step].args.clone();
        let carried = args[1..=own.carried.len()].to_vec();
        let stacks = args[args.len() - buffers.len()..].to_vec();
        let zero = self.rewriter.build(step, Span::NONE).splat(TensorType::scalar(ElementType::I32), 0.0);
        let mut turn =
            Turn { step, counter: args[0], zero, positions: BTreeMap::new(), sites: BTreeMap::new() };
        let mut layers: Vec<Option<ValueId>> = vec![None; own.layers.len()];
        let mut constants: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        let written_behind = self.written_behind(number, buffers);
        let mut written = vec![None; buffers.len()];
        for (at, reads) in own.reads.iter().enumerate() {
            let position = self.repeats.order[own.start + at];
            for (site, read) in self.flow.sites[position].iter().zip(reads) {
                let new = match *read {
                    Read::Own => continue,
                    Read::Carried(at) => carried[at],
                    Read::Layer(at) => match layers[at] {
                        Some(known) => known,
                        None => {
                            let (stack, positions) = self.read[number][at];
                            let from = match self.written_over(buffers, stack, positions) {
                                Some(over) => stacks[over],
                                None => self.stacks[stack].now.expect("a stack is there before it is read"),
                            };
                            let index = turn.position(&mut self.rewriter, positions);
                            let mut builder = self.rewriter.build(step, Span::NONE);
                            let layer = self.stacks[stack].way.layer_at(from, index, &mut builder);
                            *layers[at].insert(layer)
                        }
                    },
                    Read::Around(value) => match self.splat(value) {
                        None => continue,
                        Some(inst) => match constants.get(&value) {
                            Some(known) => *known,
                            None => {
                                let known = self.rewriter.map[value];
                                let mut copy = meshwright_ir::rewrite::Unchanged;
                                self.rewriter.walk_each(&[inst], step, &mut copy);
                                let new = self.rewriter.value(value);
                                self.rewriter.map[value] = known;
                                *constants.entry(value).or_insert(new)
                            }
                        },
                    },
                };
                turn.sites.insert((site.inst, site.operand), new);
            }
            self.rewriter.walk_each(&[self.flow.insts[position]], step, &mut turn);
            let ready = (0..buffers.len()).filter(|number| written_behind[*number] == at);
            for buffer in ready {
                let Stack { way, filling, .. } = self.stacks[buffers[buffer]];
                let Filling { source, positions, .. } = filling.expect("the loop fills it");
                let layer = match source {
                    Source::Made(made) => self.rewriter.value(self.made(own, 0, made)),
                    Source::Carried(at) => carried[at],
                };
                let index = turn.position(&mut self.rewriter, positions);
                let mut builder = self.rewriter.build(step, Span::NONE);
                written[buffer] = Some(way.with_layer(stacks[buffer], layer, index, &mut builder));
            }
        }
        let left = |writer: &Self, made: Made| writer.rewriter.value(writer.made(own, 0, made));
        let one = self.rewriter.build(step, Span::NONE).with_number(
            meshwright_ir::ops::binary::Binary::Add,
            args[0],
            1,
        );
        let mut next = vec![one];
        next.extend(own.carried.iter().map(|carried| left(self, carried.made)));
        next.extend(self.ends[number].iter().map(|made| left(self, *made)));
        next.extend(written.into_iter().map(|stack| stack.expect("each is written behind an instruction")));
        self.rewriter.build(step, Span::NONE).emit_all(Return::Stablehlo, &next, Vec::new(), Vec::new());
    }

    /// The stack that a loop writes in the place of one that it reads at these positions: what is written over is read there.
    fn written_over(&self, buffers: &[usize], stack: usize, positions: Positions) -> Option<usize> {
        buffers.iter().position(|buffer| {
            let Stack { over, filling, .. } = self.stacks[*buffer];
            over == Some(stack) && filling.is_some_and(|filling| filling.positions == positions)
        })
    }

    /// The instruction of a turn behind which each stack is written: as soon as its layer is there and the old one has been read,
    /// so that not all layers of a turn are kept to its end.
    fn written_behind(&self, number: usize, buffers: &[usize]) -> Vec<usize> {
        let own = &self.repeats.loops[number];
        let mut behind: Vec<usize> = buffers
            .iter()
            .map(|buffer| match self.stacks[*buffer].filling.map(|filling| filling.source) {
                Some(Source::Made((at, _))) => at,
                Some(Source::Carried(_)) | None => 0,
            })
            .collect();
        for (at, reads) in own.reads.iter().enumerate() {
            for read in reads {
                let Read::Layer(layer) = read else { continue };
                let (stack, positions) = self.read[number][*layer];
                if let Some(buffer) = self.written_over(buffers, stack, positions) {
                    behind[buffer] = behind[buffer].max(at);
                }
            }
        }
        behind
    }

    /// The constant that a value is, if all its elements are alike.
    fn splat(&self, value: ValueId) -> Option<InstId> {
        let Def::Result(inst, _) = self.flow.body.values[value].def else { return None };
        match &self.flow.body.insts[inst].op {
            Op::Constant(of) if matches!(of.value.data, LiteralData::Splat(_)) => Some(inst),
            _ => None,
        }
    }

    fn finished(
        mut self,
        arguments: &[Taken],
        results: &[Given],
        returned: Vec<ValueId>,
        donations: &[Option<usize>],
    ) -> Function {
        let function = self.flow.function;
        let result_types = returned.iter().map(|value| self.rewriter.to.ty(*value).clone()).collect();
        let entry = self.entry();
        self.rewriter.to.append(entry, Return::Func.into(), returned, Vec::new(), Vec::new(), Span::NONE);
        let mut made = function.with_body(self.rewriter.finish().body);
        let of_argument = |taken: &Taken| match taken {
            Taken::One(index) => function.arg_attributes[*index].clone(),
            Taken::Stack { arguments, .. } => function.arg_attributes[arguments[0]].clone(),
        };
        made.arg_attributes = arguments.iter().map(of_argument).collect();
        made.result_types = result_types;
        let first = function.result_attributes.first().cloned().unwrap_or_else(Attributes::new);
        let of_result = |given: &Given| match given {
            Given::One(index) => function.result_attributes.get(*index).cloned().unwrap_or_default(),
            Given::Stack { layers, .. } => {
                let old = layers.iter().find_map(|layer| match layer {
                    Layer::Result(index) => Some(*index),
                    Layer::Argument(_) => None,
                });
                old.and_then(|old| function.result_attributes.get(old).cloned()).unwrap_or(first.clone())
            }
        };
        made.result_attributes = results.iter().map(of_result).collect();
        made.result_spans = Vec::new();
        for (argument, result) in donations.iter().enumerate() {
            made.donate(argument, *result);
        }
        made
    }
}

/// A turn that is being written.
struct Turn {
    step: RegionId,
    counter: ValueId,
    zero: ValueId,
    /// Positions of stacks that were worked out.
    positions: BTreeMap<Positions, ValueId>,
    /// What places of the first turn read that is not what it makes itself.
    sites: BTreeMap<(InstId, usize), ValueId>,
}

impl Turn {
    /// The position of a stack in a turn, and the zero for its other dims.
    fn position(&mut self, rewriter: &mut Rewriter<'_>, positions: Positions) -> (ValueId, ValueId) {
        let (step, counter) = (self.step, self.counter);
        let new = || positions.at(counter, &mut rewriter.build(step, Span::NONE));
        (*self.positions.entry(positions).or_insert_with(new), self.zero)
    }
}

impl Edit for Turn {
    fn operand(
        &mut self,
        _: &mut Rewriter<'_>,
        view: &InstView<'_>,
        index: usize,
        _: RegionId,
    ) -> Option<ValueId> {
        self.sites.get(&(view.id, index)).copied()
    }
}
