//! Programs of stages and phases: one function for each, of whole values.
//!
//! Input: a step and how it is staged. Output: a [`Piece`] for each stage and phase that has something to do, with a
//! [`Port`] for each argument and result of its function. What is free is copied into every function that reads it, but for
//! copies of parameters, which are the results of a function of their own, and what is made again into the first one of the
//! stage's backward pass, which hands it to the second.

mod order;

use crate::closure::{Closure, closure, closure_of_copies};
use crate::{Delayed, Optimistic, Part, Pass, Staged, Step, update};
use meshwright_ir::attribute::Attributes;
use meshwright_ir::build::Builder as _;
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::compare::Direction;
use meshwright_ir::ops::return_::Return;
use meshwright_ir::program::{Body, Function, InstView};
use meshwright_ir::rewrite::{Rewriter, Rewritten, Trace, Unchanged};
use meshwright_plan::{Phase, ProgramId};
use meshwright_tensor::types::{ElementType, TensorType};
use std::collections::{BTreeMap, BTreeSet};

/// Source of an argument of a piece, or target of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Port {
    /// An argument of the step.
    Argument(usize),
    /// A result of the step.
    Result(usize),
    /// The number of the microbatch.
    Microbatch,
    /// A value that another piece makes: of the same microbatch, or of the update.
    Value(ValueId),
    /// What a stage makes of parameters alone once in a step, as turns call it.
    Copy(ValueId),
    /// An accumulator of the step.
    Accumulator(usize),
    /// The same accumulator of the other copy of its stage.
    Twin(usize),
    /// Whether an optimistic update stands.
    Valid,
    /// An argument as it was so many steps before.
    Earlier(usize, usize),
    /// What takes the place of that in the next step.
    EarlierResult(usize, usize),
}

/// The function of one stage and phase.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The stage and the phase.
    pub id: ProgramId,
    /// The function, of values that are whole on all devices of the stage.
    pub function: Function,
    /// Source of each argument.
    pub takes: Vec<Port>,
    /// Target of each result.
    pub gives: Vec<Port>,
    /// The value of the step that each of its values is.
    pub values: Table<ValueId, Option<ValueId>>,
    /// The instruction of the step that each of its instructions is.
    pub insts: Table<InstId, Option<InstId>>,
}

/// Number of copies of the weights that a pipeline has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copies {
    /// Each stage is on one group.
    One,
    /// Each stage is on two groups, and the update sums up what both gather.
    Two,
}

/// All pieces of a step.
pub fn pieces(step: &Step<'_>, staged: &Staged, copies: Copies) -> Vec<Piece> {
    let mut drafts = Vec::new();
    for stage in 0..staged.count {
        drafts.extend(copies_of(step, staged, stage));
        for phase in
            [Phase::Prepass, Phase::Forward, Phase::InputGradient, Phase::WeightGradient, Phase::Backward]
        {
            drafts.extend(turn(step, staged, ProgramId { stage, phase }));
        }
        for phase in staged.update.phases() {
            drafts.extend(round_of(step, staged, ProgramId { stage, phase }));
        }
    }
    let taken: BTreeMap<ProgramId, &BTreeSet<ValueId>> =
        drafts.iter().map(|draft| (draft.id, &draft.needs.values)).collect();
    drafts.iter().filter_map(|draft| draft.piece(step, staged, &taken, copies)).collect()
}

/// The parts that a phase of a microbatch makes.
fn parts_of(phase: Phase) -> &'static [Part] {
    match phase {
        Phase::Forward => &[Part::Forward],
        Phase::InputGradient => &[Part::InputGradient],
        Phase::WeightGradient => &[Part::WeightGradient],
        Phase::Backward => &[Part::InputGradient, Part::WeightGradient],
        Phase::Prepass => &[Part::Prepass],
        Phase::Step
        | Phase::Copies
        | Phase::Update(_)
        | Phase::Optimistic
        | Phase::Validation
        | Phase::Redo => &[],
    }
}

/// A piece before it is known who reads what it makes.
struct Draft {
    id: ProgramId,
    needs: Closure,
    /// Values that it makes and that are not free.
    makes: BTreeSet<ValueId>,
    /// Instructions of the stage's forward pass that run again in its backward pass.
    again: BTreeSet<usize>,
    /// Accumulators that it adds to.
    adds: Vec<usize>,
    /// Results of the step that it gives.
    results: Vec<usize>,
    /// What it takes for granted, or validates.
    optimistic: Option<Optimistic>,
}

/// The copies of parameters that a stage makes.
fn copies_of(step: &Step<'_>, staged: &Staged, stage: usize) -> Option<Draft> {
    let mut open: Vec<ValueId> = staged.copies[stage].iter().copied().collect();
    if open.is_empty() {
        return None;
    }
    let mut needs = Closure::default();
    needs.follow(step, &mut open, &|_| false, (&BTreeSet::new(), &BTreeSet::new()), None);
    Some(Draft {
        id: ProgramId { stage, phase: Phase::Copies },
        needs,
        makes: BTreeSet::new(),
        again: BTreeSet::new(),
        adds: Vec::new(),
        results: Vec::new(),
        optimistic: None,
    })
}

fn turn(step: &Step<'_>, staged: &Staged, id: ProgramId) -> Option<Draft> {
    let own = own(step, staged, id);
    // What is added up of free values is so in the last stage.
    let pass = if id.phase == Phase::Prepass { Pass::Before } else { Pass::Main };
    let is_last = id.stage + 1 == staged.count && [Phase::Prepass, Phase::Forward].contains(&id.phase);
    let adds = |index: &usize| match step.core(step.points[*index].next) {
        Some(at) => own.contains(&at),
        None => is_last && step.pass_of(&step.points[*index]) == pass,
    };
    let adds: Vec<usize> = (0..step.points.len()).filter(adds).collect();
    if own.is_empty() && adds.is_empty() {
        return None;
    }
    let again = again(step, staged, id.stage);
    let here = made_again_by(step, staged, id, &own, &again);
    let copies = &staged.copies[id.stage];
    let mut needs = closure_of_copies(step, &own, &here, copies);
    let mut open: Vec<ValueId> = adds.iter().map(|index| step.points[*index].next).collect();
    // The second function of the backward pass reads some of it that the first one does not.
    open.extend(here.iter().flat_map(|at| &step.body().insts[step.inside[*at]].results));
    needs.follow(step, &mut open, &|_| false, (&here, copies), None);
    needs.accumulators.extend(&adds);
    needs.read_gathered(step, staged, id.stage);
    let made = own.iter().chain(&here);
    let makes = made.flat_map(|at| step.body().insts[step.inside[*at]].results.iter().copied()).collect();
    Some(Draft { id, needs, makes, again, adds, results: Vec::new(), optimistic: None })
}

/// The instructions of a turn that are a phase's of a stage.
fn own(step: &Step<'_>, staged: &Staged, id: ProgramId) -> BTreeSet<usize> {
    let parts = parts_of(id.phase);
    let is_own = |at: &usize| {
        staged.stage[*at] == Some(id.stage) && staged.part[*at].is_some_and(|part| parts.contains(&part))
    };
    (0..step.inside.len()).filter(is_own).collect()
}

/// The instructions of a stage's forward pass that run again in its backward pass; what other stages read is there anyway.
fn again(step: &Step<'_>, staged: &Staged, stage: usize) -> BTreeSet<usize> {
    let is_own = |at: usize| staged.stage[at] == Some(stage);
    let is_inside = |at: usize| {
        let results = &step.body().insts[step.inside[at]].results;
        let mut readers = results.iter().flat_map(|value| step.readers(*value));
        readers.all(|reader| staged.stage[*reader].is_none() || is_own(*reader))
    };
    let is_again = |at: &usize| is_own(*at) && staged.part[*at] == Some(Part::Forward) && is_inside(*at);
    step.again.iter().copied().filter(is_again).collect()
}

/// Those of them that a phase makes: all that the stage's backward pass reads, in the first phase of it that there is.
fn made_again_by(
    step: &Step<'_>,
    staged: &Staged,
    id: ProgramId,
    own: &BTreeSet<usize>,
    again: &BTreeSet<usize>,
) -> BTreeSet<usize> {
    let of = |phase: Phase| self::own(step, staged, ProgramId { phase, ..id });
    let readers = match id.phase {
        Phase::InputGradient => of(Phase::Backward),
        Phase::WeightGradient if of(Phase::InputGradient).is_empty() => own.clone(),
        Phase::Backward => own.clone(),
        _ => return BTreeSet::new(),
    };
    closure(step, &readers, again).inside.intersection(again).copied().collect()
}

/// The parameters of a stage that the first round of its update hands to the next step as they were.
fn hands_down(staged: &Staged, id: ProgramId) -> Vec<usize> {
    let own = staged.delayed.iter().flat_map(|delayed| delayed.parameters.keys().copied());
    let is_own = |index: &usize| staged.update.readers[*index].first() == Some(&id.stage);
    own.filter(|index| id.phase == Phase::Update(0) && is_own(index)).collect()
}

fn round_of(step: &Step<'_>, staged: &Staged, id: ProgramId) -> Option<Draft> {
    let round = staged.update.round(id.phase)?;
    let optimistic = staged.update.optimistic.as_ref();
    let taken = optimistic.filter(|_| id.phase == Phase::Optimistic);
    let site = update::Site { stage: id.stage, round };
    let is_own = |inst: InstId| staged.update.sites.get(&inst) == Some(&site);
    let results = &staged.update.results;
    let is_placed = |index: usize| step.maker(step.function.returned()[index]).is_some_and(is_own);
    // What everyone makes of what is exchanged is given when that is known.
    let is_given = |index: &usize| match id.phase {
        Phase::Optimistic | Phase::Redo => is_placed(*index),
        Phase::Validation => !is_placed(*index),
        _ => true,
    };
    let results: Vec<usize> =
        (0..results.len()).filter(|index| results[*index] == site).filter(is_given).collect();
    let is_validation = id.phase == Phase::Validation;
    let own: Vec<InstId> =
        step.behind.iter().copied().filter(|inst| is_own(*inst) && !is_validation).collect();
    let hands_down = hands_down(staged, id);
    if own.is_empty() && results.is_empty() && !is_validation && hands_down.is_empty() {
        return None;
    }
    let made = own.iter().flat_map(|inst| step.body().insts[*inst].results.iter().copied());
    let makes: BTreeSet<ValueId> = made.collect();
    let returned = results.iter().map(|index| step.function.returned()[*index]);
    let checked =
        optimistic.filter(|_| is_validation).into_iter().flat_map(|own| own.checked.iter().copied());
    let mut open: Vec<ValueId> = makes.iter().copied().chain(returned).chain(checked).collect();
    let mut needs = Closure::default();
    let (again, copies) = (BTreeSet::new(), BTreeSet::new());
    needs.follow(step, &mut open, &|inst| !is_validation && is_own(inst), (&again, &copies), taken);
    needs.arguments.extend(hands_down);
    let optimistic = optimistic.filter(|_| taken.is_some() || is_validation).cloned();
    Some(Draft { id, needs, makes, again: BTreeSet::new(), adds: Vec::new(), results, optimistic })
}

impl Draft {
    /// Whether another piece needs this one to hand it a value that it makes.
    fn serves(&self, step: &Step<'_>, other: ProgramId, value: ValueId) -> bool {
        let is_of_backward =
            matches!(other.phase, Phase::InputGradient | Phase::WeightGradient | Phase::Backward);
        let is_own = other.stage == self.id.stage && is_of_backward;
        let is_within = self.id.phase == Phase::Backward && is_own;
        let is_made_again = self.id.phase == Phase::Forward
            && is_own
            && step.core(value).is_some_and(|at| self.again.contains(&at));
        other != self.id && !is_within && !is_made_again
    }

    /// The delayed weights that it reads.
    fn delayed<'d>(&self, staged: &'d Staged) -> Option<&'d Delayed> {
        staged.delayed.as_ref().filter(|_| self.id.phase.is_of_microbatch())
    }

    /// The parameters of earlier steps that it takes, and that it gives to the next step: the first round of the update gives
    /// those of its stage.
    fn earlier(&self, staged: &Staged) -> (Vec<Port>, Vec<Port>) {
        let Some(delayed) = &staged.delayed else { return (Vec::new(), Vec::new()) };
        let is_read = |(index, _): &(usize, usize)| self.needs.arguments.contains(index);
        let is_home = |(index, _): &(usize, usize)| {
            let first = staged.update.readers[*index].first();
            self.id.phase == Phase::Update(0) && first == Some(&self.id.stage)
        };
        let all = || delayed.earlier();
        let given = all().filter(is_home).map(|(index, depth)| Port::EarlierResult(index, depth));
        let taken: Vec<Port> = match self.delayed(staged) {
            Some(_) => all().filter(is_read).map(|(index, depth)| Port::Earlier(index, depth)).collect(),
            None => {
                let before = all().filter(is_home).filter(|(_, depth)| *depth > 1);
                before.map(|(index, depth)| Port::Earlier(index, depth - 1)).collect()
            }
        };
        (taken, given.collect())
    }

    fn piece(
        &self,
        step: &Step<'_>,
        staged: &Staged,
        taken: &BTreeMap<ProgramId, &BTreeSet<ValueId>>,
        copies: Copies,
    ) -> Option<Piece> {
        let is_wanted = |value: &ValueId| {
            taken.iter().any(|(other, values)| values.contains(value) && self.serves(step, *other, *value))
        };
        let given = self.makes.iter().copied().filter(is_wanted).map(Port::Value);
        let sums = self.adds.iter().copied().map(Port::Accumulator);
        let valid = (self.id.phase == Phase::Validation).then_some(Port::Valid);
        let results = self.results.iter().copied().map(Port::Result);
        let (earlier, handed_down) = self.earlier(staged);
        let copy = |value: &ValueId| Port::Copy(step.in_turns(*value));
        let copied = staged.copies[self.id.stage].iter().filter(|_| self.id.phase == Phase::Copies).map(copy);
        let gives = copied.chain(results).chain(given).chain(sums).chain(valid).chain(handed_down);
        let gives: Vec<Port> = gives.collect();
        if gives.is_empty() {
            return None;
        }
        let needs = &self.needs;
        let read = |index: usize| self.delayed(staged).and_then(|delayed| delayed.read(index));
        let is_read_as_it_is = |index: &usize| read(*index).is_none_or(|ahead| ahead.is_some());
        let counts = needs.counts || needs.arguments.iter().any(|index| read(*index).flatten().is_some());
        let takes = needs.arguments.iter().copied().filter(is_read_as_it_is).map(Port::Argument);
        let takes = takes.chain(earlier).chain(needs.copies.iter().map(copy));
        let takes = takes.chain(counts.then_some(Port::Microbatch));
        let takes = takes.chain(needs.values.iter().copied().map(Port::Value));
        let takes = takes.chain(needs.accumulators.iter().copied().map(Port::Accumulator));
        let has_twins = copies == Copies::Two && self.id.phase.is_of_update();
        let twins = needs.accumulators.iter().copied().filter(|_| has_twins).map(Port::Twin);
        let takes: Vec<Port> = takes.chain(twins).collect();
        Some(self.written(step, self.delayed(staged), takes, gives))
    }

    /// Those of `around`, in their order, that make values or what these are made of.
    fn around_for(&self, step: &Step<'_>, around: &[InstId], values: &[ValueId]) -> Vec<InstId> {
        let mut needed = BTreeSet::new();
        let mut open = values.to_vec();
        while let Some(value) = open.pop() {
            let maker = step.maker(value).filter(|maker| self.needs.around.contains(maker));
            if let Some(maker) = maker.filter(|maker| needed.insert(*maker)) {
                open.extend(step.reads(maker));
            }
        }
        match needed.is_empty() {
            true => Vec::new(),
            false => around.iter().copied().filter(|inst| needed.contains(inst)).collect(),
        }
    }

    /// Has all that is taken for granted stand for itself in what is written behind.
    fn take_for_granted(&self, step: &Step<'_>, optimistic: &Optimistic, rewriter: &mut Rewriter<'_>) {
        let entry = rewriter.to.entry();
        for value in optimistic.exchanged.keys().chain(optimistic.assumed.keys()) {
            if let Some(literal) = optimistic.taken(step, *value) {
                let constant = rewriter.constant(literal, entry);
                rewriter.stand_for(*value, constant);
            }
        }
    }

    /// The values to validate as they were taken, before what they are in truth is written.
    fn as_taken(
        &self,
        step: &Step<'_>,
        optimistic: &Optimistic,
        around: &[InstId],
        rewriter: &mut Rewriter<'_>,
    ) -> Vec<(ValueId, ValueId)> {
        let entry = rewriter.to.entry();
        let known = rewriter.map.clone();
        self.take_for_granted(step, optimistic, rewriter);
        let checked: Vec<ValueId> = optimistic.checked.iter().copied().collect();
        let open: Vec<ValueId> =
            checked.iter().copied().filter(|value| !optimistic.is_taken(*value)).collect();
        let needed = self.around_for(step, around, &open);
        let is_made = |inst: &InstId| {
            let mut results = step.body().insts[*inst].results.iter();
            !results.any(|value| optimistic.is_taken(*value))
        };
        let needed: Vec<InstId> = needed.into_iter().filter(is_made).collect();
        rewriter.walk_each(&needed, entry, &mut Unchanged);
        let taken = checked.iter().map(|value| (*value, rewriter.value(*value))).collect();
        rewriter.map = known;
        taken
    }

    fn written(
        &self,
        step: &Step<'_>,
        delayed: Option<&Delayed>,
        takes: Vec<Port>,
        gives: Vec<Port>,
    ) -> Piece {
        let body = step.body();
        let pass = if self.id.phase == Phase::Prepass { Pass::Before } else { Pass::Main };
        let old = |port: &Port, is_given: bool| match *port {
            Port::Argument(index) | Port::Earlier(index, _) => step.function.args()[index],
            Port::EarlierResult(index, _) => step.function.args()[index],
            Port::Result(index) => step.function.returned()[index],
            Port::Microbatch => step.counter(pass).expect("a pass counts its microbatches"),
            Port::Value(value) | Port::Copy(value) => value,
            Port::Valid => unreachable!("it is no value of the step"),
            Port::Accumulator(index) if self.adds.contains(&index) || step.points[index].by.is_some() => {
                match is_given {
                    true => step.points[index].next,
                    false => step.points[index].before,
                }
            }
            Port::Accumulator(index) | Port::Twin(index) => step.points[index].whole,
        };
        let mut rewriter = Rewriter::within(body, Body::new());
        let entry = rewriter.to.entry();
        let mut earlier: BTreeMap<usize, Vec<ValueId>> = BTreeMap::new();
        for port in &takes {
            let value = old(port, false);
            let arg = rewriter.to.add_arg(entry, body.ty(value).clone(), body.values[value].span);
            match *port {
                Port::Twin(index) => {
                    let own = rewriter.value(value);
                    let op = Binary::of_reduction(step.points[index].reduction);
                    let both = rewriter.build(entry, Span::NONE).binary(op, own, arg);
                    rewriter.stand_for(value, both);
                }
                Port::Earlier(index, _) => {
                    earlier.entry(index).or_default().push(arg);
                }
                Port::Copy(_) => {
                    rewriter.stand_for(value, arg);
                    rewriter.stand_for(step.same(value), arg);
                }
                _ => rewriter.stand_for(value, arg),
            }
            if let Port::Accumulator(index) = *port
                && !self.adds.contains(&index)
                && step.points[index].by.is_some()
            {
                rewriter.stand_for(step.points[index].next, arg);
            }
        }
        let counter = step.counter(pass).and_then(|counter| rewriter.map[counter]);
        let mut as_parameters = Vec::new();
        for (index, before) in earlier.iter().filter(|_| delayed.is_some()) {
            let value = step.function.args()[*index];
            let own = (*index, rewriter.map[value].unwrap_or(before[0]));
            let read = delayed.map(|delayed| delayed.written(&mut rewriter, entry, own, before, counter));
            let read = read.unwrap_or_default();
            rewriter.stand_for(value, read[0]);
            as_parameters.extend(read.into_iter().map(|own| (own, value)));
        }
        let mut around: Vec<InstId> = step.around().filter(|inst| self.needs.around.contains(inst)).collect();
        let mut taken = Vec::new();
        match &self.optimistic {
            Some(optimistic) if self.id.phase == Phase::Validation => {
                taken = self.as_taken(step, optimistic, &around, &mut rewriter);
            }
            Some(optimistic) => self.take_for_granted(step, optimistic, &mut rewriter),
            None => {}
        }
        for inst in self.in_order(step) {
            // What stands around the loop comes in front of its first reader, so that it is not there before.
            let read = step.reads(inst);
            let needed = self.around_for(step, &around, &read);
            around.retain(|own| !needed.contains(own));
            rewriter.walk_each(&needed, entry, &mut Unchanged);
            for inside in meshwright_analyze::phases::reads(body, inst) {
                if let (None, Some(there)) = (rewriter.map[inside], rewriter.map[step.same(inside)]) {
                    rewriter.stand_for(inside, there);
                }
            }
            rewriter.walk_each(&[inst], entry, &mut Unchanged);
        }
        let optimistic = self.optimistic.as_ref().filter(|_| self.id.phase == Phase::Optimistic);
        let mut choose = |rewriter: &mut Rewriter<'_>, view: &InstView<'_>, _: RegionId| {
            let chosen = optimistic.and_then(|optimistic| optimistic.chosen(step, view.id));
            if let Some((_, operand)) = chosen {
                let operand = rewriter.value(operand);
                rewriter.stand_for(view.inst.results[0], operand);
            }
            chosen.is_some()
        };
        rewriter.walk_each(&around, entry, &mut choose);
        for (inside, outside) in step.unchanged() {
            if let (None, Some(there)) = (rewriter.map[inside], rewriter.map[outside]) {
                rewriter.stand_for(inside, there);
            }
        }
        let returned = gives.iter().map(|port| match port {
            Port::Valid => are_all(&taken, &mut rewriter),
            Port::EarlierResult(index, depth @ 2..) => earlier[index][depth - 2],
            port => rewriter.value(old(port, true)),
        });
        let returned: Vec<ValueId> = returned.collect();
        let result_types = returned.iter().map(|value| rewriter.to.ty(*value).clone()).collect();
        rewriter.to.append(entry, Return::Func.into(), returned, Vec::new(), Vec::new(), Span::NONE);
        let map = rewriter.map.clone();
        let Rewritten { body, trace, .. } = rewriter.finish();
        let mut values = Table::filled(None, body.values.len());
        map.iter().for_each(|(old, new)| new.iter().for_each(|new| values[*new] = Some(old)));
        as_parameters.into_iter().for_each(|(own, old)| values[own] = Some(old));
        let args = body.regions[body.entry()].args.iter().zip(&takes);
        args.for_each(|(arg, port)| values[*arg] = Some(old(port, false)));
        let insts = of_trace(&trace, &body);
        // What a loop makes is held as in its regions, also where the loop over microbatches carries it under another name.
        for (inst, old) in insts.iter() {
            let Some(old) = old.filter(|_| body.insts[inst].op.carries_values()) else { continue };
            let results = body.insts[inst].results.iter().zip(&step.body().insts[old].results);
            results.for_each(|(value, old)| values[*value] = Some(*old));
        }
        let function = Function {
            name: "main".to_owned(),
            visibility: step.function.visibility.clone(),
            arg_attributes: vec![Attributes::new(); takes.len()],
            result_attributes: vec![Attributes::new(); gives.len()],
            result_types,
            result_spans: Vec::new(),
            attributes: Attributes::new(),
            body,
            is_declaration: false,
            span: step.function.span,
            location: None,
        };
        Piece { id: self.id, function, takes, gives, values, insts }
    }
}

/// Whether values are what they were taken for, element by element.
fn are_all(taken: &[(ValueId, ValueId)], rewriter: &mut Rewriter<'_>) -> ValueId {
    let entry = rewriter.to.entry();
    let pairs: Vec<(ValueId, ValueId)> =
        taken.iter().map(|(value, taken)| (rewriter.value(*value), *taken)).collect();
    let mut build = rewriter.build(entry, Span::NONE);
    let mut all = build.splat(TensorType::scalar(ElementType::I1), 1.0);
    for (value, taken) in pairs {
        let is_same = build.compare(Direction::Equal, value, taken);
        let is_same = match build.ty(is_same).rank() {
            0 => is_same,
            rank => build.reduced(Binary::And, is_same, (0..rank).collect(), 1.0),
        };
        all = build.binary(Binary::And, all, is_same);
    }
    all
}

/// The instruction of the step that each one of a new body was made for.
fn of_trace(trace: &Trace, body: &Body) -> Table<InstId, Option<InstId>> {
    let found = |inst| trace.insts.get(inst).copied().flatten().map(|(_, old)| old);
    body.insts.ids().map(found).collect()
}
