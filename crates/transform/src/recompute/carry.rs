//! Loops that carry more than they did: new stacks in the forward loop of a pair, and in the backward loop what its body
//! reads of them and of the forward loop's surroundings.
//!
//! The backward body begins with all that it has of the layer: the forward loop's counter, what follows from it and from
//! what is around the loops, and parts of stacks. From then on old values of the forward body stand for these.

use super::Copying;
use super::layer::{Kept, Layer};
use crate::turns;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{RegionId, ValueId};
use meshwright_ir::program::{Body, Def, InstView};
use meshwright_ir::rewrite::Rewriter;
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

/// The body of a loop that carries more, while it is written.
pub(super) struct Open {
    /// The body.
    region: RegionId,
    /// What it carries more.
    args: Vec<ValueId>,
    /// The layer whose values it stacks there; `None`: it only reads what it carries more.
    stacks: Option<usize>,
}

impl Copying<'_> {
    /// Writes a loop of a pair. False: it is none.
    pub(super) fn carries(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let is_of = |layer: &Layer| [layer.pair.forward, layer.pair.backward].contains(&view.id);
        let Some(index) = self.layers.iter().position(is_of) else { return false };
        if self.layers[index].pair.forward == view.id {
            self.forward(rewriter, view, index, to);
        } else {
            self.backward(rewriter, view, index, to);
        }
        true
    }

    fn forward(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, index: usize, to: RegionId) {
        let count = self.layers[index].pair.turns;
        let new: Vec<ValueId> = self.layers[index].added().map(|kept| kept.value).collect();
        let zeros = |value: &ValueId| {
            let part = rewriter.from.tensor(*value);
            turns::zeros(&mut rewriter.build(to, view.inst.span), part, count)
        };
        let more: Vec<ValueId> = new.iter().map(zeros).collect();
        let results = self.with_more(rewriter, view, &more, Some(index), to, |_, _, _, _| {});
        self.stacks.extend(new.into_iter().zip(results));
    }

    fn backward(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, index: usize, to: RegionId) {
        let layer = &self.layers[index];
        // What the body has already of what it needs from around, and what it has to carry.
        let mut known: BTreeMap<ValueId, ValueId> = BTreeMap::new();
        for (position, operand) in view.inst.operands.iter().enumerate() {
            let arg = view.region(1).args[position];
            if view.returned(1)[position] == arg {
                known.entry(*operand).or_insert(arg);
            }
        }
        let stacks = layer.kept.iter().filter_map(|kept| kept.stack);
        let mut lacking: Vec<ValueId> = layer.around.values().copied().chain(stacks).collect();
        lacking.retain(|value| !known.contains_key(value));
        lacking.sort_unstable();
        lacking.dedup();
        let new = layer.added().map(|kept| self.stacks[&kept.value]);
        let more: Vec<ValueId> = rewriter.values(&lacking).into_iter().chain(new).collect();
        self.with_more(rewriter, view, &more, None, to, |copying, rewriter, body, args| {
            let carried = lacking.iter().copied().zip(args.iter().copied()).collect();
            let news = args[lacking.len()..].to_vec();
            copying.layers[index].begin(rewriter, view, body, &Has { known, carried, news });
        });
    }

    /// Writes a loop that carries more, and returns the results that it has more. `begin` is called where its body begins.
    fn with_more(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        more: &[ValueId],
        stacks: Option<usize>,
        to: RegionId,
        begin: impl FnOnce(&mut Self, &mut Rewriter<'_>, RegionId, &[ValueId]),
    ) -> Vec<ValueId> {
        let operands: Vec<ValueId> =
            rewriter.values(&view.inst.operands).into_iter().chain(more.iter().copied()).collect();
        let types: Vec<Type> = operands.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
        let [condition, body] = [0, 1].map(|index| rewriter.region_like(view.inst.regions[index]));
        let add = |rewriter: &mut Rewriter<'_>, region: RegionId| -> Vec<ValueId> {
            let types = &types[view.inst.operands.len()..];
            types.iter().map(|ty| rewriter.to.add_arg(region, ty.clone(), Span::NONE)).collect()
        };
        add(rewriter, condition);
        let args = add(rewriter, body);
        rewriter.walk(view.inst.regions[0], condition, self);
        begin(self, rewriter, body, &args);
        self.open.push(Open { region: body, args, stacks });
        rewriter.walk(view.inst.regions[1], body, self);
        self.open.pop();
        let made = rewriter.to.append(
            to,
            view.inst.op.clone(),
            operands,
            vec![condition, body],
            types,
            view.inst.span,
        );
        rewriter.to.insts[made].attributes = view.inst.attributes.clone();
        rewriter.to.insts[made].location = view.inst.location.clone();
        let kept: Vec<usize> = (0..view.inst.results.len()).collect();
        turns::leave_shardings(rewriter, made, &kept);
        let results = rewriter.to.insts[made].results.clone();
        view.inst.results.iter().zip(&results).for_each(|(old, new)| rewriter.stand_for_own(*old, *new));
        results[view.inst.results.len()..].to_vec()
    }

    /// Writes the end of a body that carries more. False: it is none.
    pub(super) fn returns(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        let Some(Open { args, stacks, .. }) = self.open.last().filter(|open| open.region == to) else {
            return false;
        };
        let more = match stacks {
            Some(index) => self.layers[*index].stacked(rewriter, view, args, to),
            None => args.clone(),
        };
        let operands = rewriter.values(&view.inst.operands).into_iter().chain(more).collect();
        rewriter.append(view.id, operands, Vec::new(), to);
        true
    }
}

/// What a backward body has.
struct Has {
    /// Values around the loop that the body carries already, each with the argument that it is there.
    known: BTreeMap<ValueId, ValueId>,
    /// The same of those that it carries from now on, in the new body.
    carried: BTreeMap<ValueId, ValueId>,
    /// New stacks.
    news: Vec<ValueId>,
}

impl Layer {
    /// What is kept in new stacks.
    fn added(&self) -> impl Iterator<Item = &Kept> {
        self.kept.iter().filter(|kept| kept.stack.is_none())
    }

    /// Appends to the end of a forward body what writes new stacks; these as they are then.
    fn stacked(
        &self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        stacks: &[ValueId],
        to: RegionId,
    ) -> Vec<ValueId> {
        let region = rewriter.from.insts[self.pair.forward].regions[1];
        let counter = rewriter.value(rewriter.from.regions[region].args[self.pair.counters[0]]);
        let values: Vec<ValueId> = self.added().map(|kept| rewriter.value(kept.value)).collect();
        let builder = &mut rewriter.build(to, view.inst.span);
        let turn = turns::number(builder, counter, self.pair.turn);
        let write = |(stack, value): (&ValueId, ValueId)| turns::put(builder, *stack, value, turn);
        stacks.iter().zip(values).map(write).collect()
    }

    /// Begins a backward body.
    fn begin(&self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId, has: &Has) {
        let (pair, from) = (&self.pair, rewriter.from);
        let inside = |rewriter: &Rewriter<'_>, value: &ValueId| match has.known.get(value) {
            Some(arg) => rewriter.value(*arg),
            None => has.carried[value],
        };
        let args = [pair.forward, pair.backward].map(|inst| &from.regions[from.insts[inst].regions[1]].args);
        let own = rewriter.value(args[1][pair.counters[1]]);
        let counter = turns::number(&mut rewriter.build(to, view.inst.span), own, pair.counter);
        rewriter.stand_for(args[0][pair.counters[0]], counter);
        for (value, around) in &self.around {
            let inside = inside(rewriter, around);
            rewriter.stand_for(*value, inside);
        }
        for inst in &self.there {
            let operands = rewriter.values(&from.insts[*inst].operands);
            rewriter.append_again(*inst, operands, to);
        }
        let turn = turns::number(&mut rewriter.build(to, view.inst.span), counter, pair.turn);
        let mut news = has.news.iter().copied();
        for kept in &self.kept {
            let stack = kept.stack.map(|stack| inside(rewriter, &stack)).or_else(|| news.next());
            let stack = stack.expect("there is a stack for each value");
            let ty = from.tensor(kept.value).clone();
            let builder = &mut rewriter.build(to, view.inst.span);
            let at = turns::number(builder, turn, kept.at);
            let part = turns::take(builder, stack, kept.dim, at, ty);
            rewriter.stand_for(kept.value, part);
        }
        for (same, value) in self.same.iter().filter(|(_, value)| self.has(from, *value)) {
            let value = rewriter.value(*value);
            rewriter.stand_for(*same, value);
        }
    }

    /// Whether the backward body has a value of the forward body from its beginning on.
    fn has(&self, body: &Body, value: ValueId) -> bool {
        let is_there = match body.values[value].def {
            Def::Result(inst, _) => self.there.contains(&inst),
            Def::Argument(..) => self.around.contains_key(&value),
        };
        is_there || self.kept.iter().any(|kept| kept.value == value)
    }
}
