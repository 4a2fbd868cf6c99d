//! A body with attentions as calls, and without all that is computed for nothing then.
//!
//! Input: a body and attentions with their places. Output: the new body. What the calls give stands for what the program
//! computed; carried values of loops that nothing needs any more are carried no more.

use std::collections::BTreeMap;

use super::emit::{Forward, Gradients, Kept};
use super::live::Needed;
use super::places::{Groups, Placed};
use super::way::{Side, Way, empty, part, put};
use meshwright_ir::attribute::Attr;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::program::{Body, Def, InstView, Region, Regions};
use meshwright_ir::rewrite::{Edit, Rewriter, Rewritten, rewritten};
use meshwright_tensor::types::{ElementType, TensorType, Type};

/// A result of a call that a value is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Output,
    OfQ,
    OfK,
    OfV,
    OfBias,
    OfSink,
}

/// A call that stands before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Forward,
    Backward,
}

/// Calls being put into a body.
pub(super) struct Calls<'p> {
    placed: &'p [Placed],
    needed: &'p Needed,
    at: BTreeMap<InstId, Vec<(usize, Call)>>,
    given: BTreeMap<ValueId, (usize, Part, usize)>,
    forward: Vec<Option<Forward>>,
    gradients: Vec<Option<Gradients>>,
    /// Stacks of what the forward call keeps, behind the loop that makes them.
    stacks: BTreeMap<usize, Vec<ValueId>>,
    /// The same in the loop at hand.
    carried: BTreeMap<usize, Vec<ValueId>>,
}

/// The body with these attentions as calls; `needed` is what it needs then.
pub(super) fn with_calls(body: &Body, placed: &[Placed], needed: &Needed) -> Rewritten {
    rewritten(body, &mut Calls::of(placed, needed))
}

impl<'p> Calls<'p> {
    fn of(placed: &'p [Placed], needed: &'p Needed) -> Self {
        let mut calls = Self {
            placed,
            needed,
            at: BTreeMap::new(),
            given: BTreeMap::new(),
            forward: vec![None; placed.len()],
            gradients: vec![None; placed.len()],
            stacks: BTreeMap::new(),
            carried: BTreeMap::new(),
        };
        for (index, placed) in placed.iter().enumerate() {
            let attention = &placed.attention;
            let mut add = |part: Part, all: &[super::matched::Given]| {
                for (at, given) in all.iter().enumerate() {
                    calls.given.insert(given.value, (index, part, at));
                }
            };
            add(Part::Output, &attention.outputs);
            if let Some(gradient) = &attention.gradient {
                add(Part::OfQ, &gradient.of_q);
                add(Part::OfK, &gradient.of_k);
                add(Part::OfV, &gradient.of_v);
                add(Part::OfBias, &gradient.of_bias);
                add(Part::OfSink, &gradient.of_sink);
            }
            calls.at.entry(placed.forward_at).or_default().push((index, Call::Forward));
            if let Some(backward) = &placed.backward {
                calls.at.entry(backward.at).or_default().push((index, Call::Backward));
            }
        }
        calls
    }

    /// Emits a call before an instruction.
    fn call(&mut self, rewriter: &mut Rewriter<'_>, id: InstId, to: RegionId, index: usize, call: Call) {
        let placed = &self.placed[index];
        let attention = &placed.attention;
        let span = rewriter.from.insts[id].span;
        match (call, &placed.backward) {
            (Call::Forward, _) => {
                let inputs = placed.forward.moved(|value| rewriter.value(value));
                let for_gradient = placed.keeps_sums();
                self.forward[index] =
                    Some(attention.emit_forward(&mut rewriter.build(to, span), &inputs, for_gradient));
            }
            (Call::Backward, Some(backward)) => {
                let backward = backward.moved(|value| rewriter.value(value));
                let forward = self.forward[index].filter(|_| matches!(placed.way, Way::Direct));
                let kept = match (forward, &placed.way, self.carried.get(&index)) {
                    (None, Way::Stacked(stacked), Some(args)) => {
                        let at = rewriter.value(stacked.read_index);
                        let mut parts =
                            args.iter().map(|stack| part(&mut rewriter.build(to, span), *stack, at));
                        let (Some(sums), Some(output)) = (parts.next(), parts.next()) else { return };
                        Kept { sums, output, share: parts.next() }
                    }
                    (forward, ..) => {
                        let b = &mut rewriter.build(to, span);
                        let forward =
                            forward.unwrap_or_else(|| attention.emit_forward(b, &backward.inputs, true));
                        let Some(kept) = attention.kept(b, &forward) else { return };
                        kept
                    }
                };
                let b = &mut rewriter.build(to, span);
                self.gradients[index] = Some(attention.emit_backward(b, &backward, &kept));
            }
            (Call::Backward, None) => {}
        }
    }

    /// The value that stands for a given one.
    fn given(
        &self,
        rewriter: &mut Rewriter<'_>,
        id: InstId,
        value: ValueId,
        to: RegionId,
    ) -> Option<ValueId> {
        let (index, part, at) = *self.given.get(&value)?;
        let attention = &self.placed[index].attention;
        let element: ElementType = rewriter.from.ty(value).as_tensor()?.element;
        let span = rewriter.from.insts[id].span;
        let b = &mut rewriter.build(to, span);
        let mut emit = |of: &[super::matched::Given], result: ValueId, groups: &Groups| {
            attention.emit_given(b, &of[at], result, groups, element)
        };
        if part == Part::Output {
            return Some(emit(&attention.outputs, self.forward[index]?.output, &attention.output_dims()));
        }
        let (gradient, made) = (attention.gradient.as_ref()?, self.gradients[index]?);
        if part == Part::OfSink {
            return Some(attention.emit_given_of_sink(b, &gradient.of_sink[at], made.of_sink?, element));
        }
        let [of_q, of_k, of_v] = attention.gradient_groups();
        Some(match part {
            Part::OfQ => emit(&gradient.of_q, made.of_q, &of_q),
            Part::OfK => emit(&gradient.of_k, made.of_k, &of_k),
            Part::OfV => emit(&gradient.of_v, made.of_v, &of_v),
            _ => emit(&gradient.of_bias, made.of_bias?, &attention.bias_groups()?),
        })
    }

    /// The attentions that a loop makes stacks for, or reads stacks of.
    fn stacked(&self, id: InstId) -> Vec<(usize, Side)> {
        let of = |(index, placed): (usize, &Placed)| match &placed.way {
            Way::Stacked(stacked) if stacked.made_by == id => Some((index, Side::Makes)),
            Way::Stacked(stacked) if stacked.read_by == id => Some((index, Side::Reads)),
            _ => None,
        };
        self.placed.iter().enumerate().filter_map(of).collect()
    }

    /// A loop with the carried values that something needs, and with stacks.
    fn rebuilt(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        kept: &[usize],
        stacked: &[(usize, Side)],
        to: RegionId,
    ) {
        let inst = view.inst;
        let mut operands: Vec<ValueId> =
            kept.iter().map(|index| rewriter.value(inst.operands[*index])).collect();
        for (index, side) in stacked {
            let stacks = match (side, &self.placed[*index].way) {
                (Side::Makes, Way::Stacked(stacked)) => {
                    let attention = &self.placed[*index].attention;
                    let types = attention.kept_types();
                    let empty =
                        |ty: &TensorType| empty(&mut rewriter.build(to, inst.span), stacked.count, ty);
                    types.iter().map(empty).collect()
                }
                _ => self.stacks[index].clone(),
            };
            operands.extend(stacks);
        }
        let types: Vec<Type> = operands.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
        let regions = (0..inst.regions.len())
            .map(|region| self.region(rewriter, view, region, kept, stacked, &types))
            .collect();
        let made = rewriter.to.append(to, inst.op.clone(), operands, regions, types, inst.span);
        rewriter.to.insts[made].attributes = inst.attributes.clone();
        if let Some(Attr::ShardingPerValue(all)) = inst.attributes.get("sdy.sharding") {
            let shardings = kept.iter().filter_map(|index| all.get(*index).cloned()).collect();
            rewriter.to.insts[made].attributes.set("sdy.sharding", Attr::ShardingPerValue(shardings));
        }
        rewriter.to.insts[made].location = inst.location.clone();
        let results = rewriter.to.insts[made].results.clone();
        let (own, mut stacks) = results.split_at(kept.len());
        for (index, new) in kept.iter().zip(own) {
            rewriter.stand_for_own(inst.results[*index], *new);
        }
        for (index, _) in stacked {
            self.stacks.insert(*index, self.take_kept(*index, &mut stacks));
        }
    }

    /// A region of such a loop; the second is its step.
    fn region(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        view: &InstView<'_>,
        which: usize,
        kept: &[usize],
        stacked: &[(usize, Side)],
        types: &[Type],
    ) -> RegionId {
        let body = rewriter.from;
        let content = &body.regions[view.inst.regions[which]];
        let region = rewriter.to.regions.push(Region::default());
        for (at, ty) in types.iter().enumerate() {
            let old = kept.get(at).map(|index| content.args[*index]);
            let span = old.map_or(Span::NONE, |old| body.values[old].span);
            let new = rewriter.to.add_arg(region, ty.clone(), span);
            if let Some(old) = old {
                rewriter.stand_for(old, new);
            }
        }
        let args: Vec<ValueId> = rewriter.to.regions[region].args[kept.len()..].to_vec();
        let mut rest = &args[..];
        for (index, _) in stacked {
            self.carried.insert(*index, self.take_kept(*index, &mut rest));
        }
        let Some((last, insts)) = content.insts.split_last() else { return region };
        rewriter.walk_each(insts, region, self);
        let last = &body.insts[*last];
        let mut returned = match which {
            0 => rewriter.values(&last.operands),
            _ => kept.iter().map(|index| rewriter.value(last.operands[*index])).collect(),
        };
        if which > 0 {
            for (index, side) in stacked {
                returned.extend(self.stacks_behind(rewriter, region, *index, *side));
            }
        }
        rewriter.to.append(region, last.op.clone(), returned, Vec::new(), Vec::new(), last.span);
        region
    }

    /// The stacks of an attention, from the beginning of what is left.
    fn take_kept(&self, index: usize, rest: &mut &[ValueId]) -> Vec<ValueId> {
        let (own, others) = rest.split_at(self.placed[index].attention.kept_types().len());
        *rest = others;
        own.to_vec()
    }

    /// The stacks of what the forward call keeps at the end of a turn.
    fn stacks_behind(
        &mut self,
        rewriter: &mut Rewriter<'_>,
        region: RegionId,
        index: usize,
        side: Side,
    ) -> Vec<ValueId> {
        let stacks = self.carried[&index].clone();
        let placed = &self.placed[index];
        let (Side::Makes, Way::Stacked(stacked)) = (side, &placed.way) else { return stacks };
        let Some(forward) = self.forward[index] else { return stacks };
        let at = rewriter.value(stacked.write_index);
        let b = &mut rewriter.build(region, Span::NONE);
        let Some(Kept { sums, output, share }) = placed.attention.kept(b, &forward) else { return stacks };
        let kept = [sums, output].into_iter().chain(share);
        stacks.into_iter().zip(kept).map(|(stack, part)| put(b, stack, part, at)).collect()
    }
}

/// Whether what makes a value makes nothing else, so that what is said of it is said of the value.
fn is_alone(body: &Body, value: ValueId) -> bool {
    matches!(body.values[value].def, Def::Result(id, _) if body.insts[id].results.len() == 1)
}

impl Edit for Calls<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        for (index, call) in self.at.get(&view.id).cloned().unwrap_or_default() {
            self.call(rewriter, view.id, to, index, call);
        }
        if !self.needed.has_inst(view.body, view.id) {
            return true;
        }
        if let [result] = view.inst.results[..]
            && let Some(value) = self.given(rewriter, view.id, result, to)
        {
            if !view.inst.attributes.is_empty() && is_alone(&rewriter.to, value) {
                rewriter.annotate_like(value, view.id);
            }
            rewriter.stand_for_own(result, value);
            return true;
        }
        if view.regions() == Regions::Loop && view.inst.regions.len() == 2 {
            let is_kept = |index: &usize| self.needed.has_carried(view.body, view.id, *index);
            let kept: Vec<usize> = (0..view.inst.results.len()).filter(is_kept).collect();
            let stacked = self.stacked(view.id);
            if kept.len() < view.inst.results.len() || !stacked.is_empty() {
                self.rebuilt(rewriter, view, &kept, &stacked, to);
                return true;
            }
        }
        false
    }
}
