//! Updates that do not wait for other stages: post-validation of the optimizer step.
//!
//! Input: a step in stages, whose update waits for what stages exchange in front of its second round, as a norm of all
//! gradients or whether all are finite. Output: [`Optimistic`]: what that round takes for granted instead. The squares that
//! other stages sum up are taken for zero and their checks for true, so that a norm clips nothing and nothing is skipped. What
//! follows from it for predicates is known when the program is compiled, and of what a predicate chooses only the one
//! operand is made: `select(norm < limit, g, g / norm * limit)` is `g`, which needs no norm. Behind the exchange each stage
//! compares what all stages have read with what it is, and makes the round again from the old state where that differs.
//!
//! Qi and others, *Zero Bubble Pipeline Parallelism* (2024), section 4. They roll the optimizer back by arithmetic; here the
//! old state is kept, for any optimizer and to the bit.

use crate::update::{Site, is_made_anywhere, is_small};
use crate::{Staged, Step};
use meshwright_ir::const_eval::ConstEval;
use meshwright_ir::eval::Evaluation;
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::constant::tensor_of;
use meshwright_tensor::literal::Literal;
use meshwright_tensor::types::ElementType;
use meshwright_tensor::{Precision, Tensor};
use std::collections::{BTreeMap, BTreeSet};

/// The round of the update that does not wait.
const ROUND: usize = 1;

/// A step in stages whose update does not wait; nothing if no stage waits for another one to update its state.
pub fn post_validated(step: &Step<'_>, staged: &Staged) -> Option<Staged> {
    let optimistic = Optimistic::of(step, staged)?;
    let mut own = staged.clone();
    for (value, site) in step.function.returned().iter().zip(&mut own.update.results) {
        // What is made of the round, but by everyone, is given behind the validation.
        let is_placed = step.maker(*value).is_none_or(|maker| own.update.sites.contains_key(&maker));
        if site.round == ROUND && !is_placed && reads_round(step, &own.update.sites, *value) {
            site.round += 1;
        }
    }
    own.update.optimistic = Some(optimistic);
    Some(own)
}

/// Whether a value that everyone makes is made of what some stage makes in the round.
fn reads_round(step: &Step<'_>, sites: &BTreeMap<InstId, Site>, value: ValueId) -> bool {
    let (mut open, mut seen) = (vec![value], BTreeSet::new());
    while let Some(value) = open.pop() {
        let maker = step.maker(value).filter(|maker| step.is_behind(*maker));
        match maker.map(|maker| (maker, sites.get(&maker))) {
            Some((_, Some(site))) if site.round == ROUND => return true,
            Some((maker, None)) if seen.insert(value) => open.extend(step.reads(maker)),
            _ => {}
        }
    }
    false
}

/// Values that an update that does not wait takes for granted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Optimistic {
    /// What stages exchange before the round: each value is taken for zero, or for true.
    pub exchanged: BTreeMap<ValueId, bool>,
    /// Predicates that follow from that.
    pub assumed: BTreeMap<ValueId, bool>,
    /// What the round reads, in any stage, that follows from what is exchanged.
    pub checked: BTreeSet<ValueId>,
}

impl Optimistic {
    /// What the second round of an update takes for granted; nothing if no stage waits there for something small of another one.
    fn of(step: &Step<'_>, staged: &Staged) -> Option<Self> {
        let sites = &staged.update.sites;
        let is_of_round = |inst: &InstId| sites.get(inst).is_some_and(|site| site.round == ROUND);
        let placed: Vec<InstId> = step.behind.iter().copied().filter(is_of_round).collect();
        if placed.is_empty() {
            return None;
        }
        let mut own = Self::default();
        for (inst, site) in placed.iter().map(|inst| (*inst, sites[inst])) {
            own.exchange(step, staged, step.reads(inst), site.stage);
        }
        for (value, site) in step.function.returned().iter().zip(&staged.update.results) {
            if site.round == ROUND {
                own.exchange(step, staged, vec![*value], site.stage);
            }
        }
        // Nothing is known of large values: what waits for these alone goes on to do so.
        if own.exchanged.is_empty() {
            return None;
        }
        let follows = own.follow(step);
        own.assume(step, &follows);
        own.check(step, &follows, &placed);
        Some(own)
    }

    /// What a stage gets from others to read these values.
    fn exchange(&mut self, step: &Step<'_>, staged: &Staged, values: Vec<ValueId>, stage: usize) {
        let (mut open, mut seen) = (values, BTreeSet::new());
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            let Some(maker) = step.maker(value).filter(|maker| step.is_behind(*maker)) else { continue };
            match staged.update.sites.get(&maker) {
                None => open.extend(step.reads(maker)),
                Some(Site { stage: other, round: 0 }) if *other != stage && is_small(step, value) => {
                    self.exchanged.insert(value, is_true_at_best(step, value));
                }
                Some(_) => {}
            }
        }
    }

    /// Small values that everyone makes of what is exchanged and of what is known.
    fn follow(&self, step: &Step<'_>) -> BTreeSet<ValueId> {
        let mut follows: BTreeSet<ValueId> = BTreeSet::new();
        for inst in step.behind.iter().filter(|inst| is_made_anywhere(step, **inst)) {
            let read = step.reads(*inst);
            let is_exchanged =
                |value: &ValueId| self.exchanged.contains_key(value) || follows.contains(value);
            let is_known = |value: &ValueId| step.maker(*value).is_none_or(|maker| !step.is_behind(maker));
            let results = &step.body().insts[*inst].results;
            if read.iter().any(is_exchanged)
                && read.iter().all(|value| is_exchanged(value) || is_known(value))
                && results.iter().all(|result| is_small(step, *result))
            {
                follows.extend(results);
            }
        }
        follows
    }

    /// Finds the predicates that are known if all is as it is taken for; what the step is given counts as one.
    fn assume(&mut self, step: &Step<'_>, follows: &BTreeSet<ValueId>) {
        let mut known = Known { step, exchanged: &self.exchanged, found: BTreeMap::new() };
        let is_predicate = |value: &&ValueId| {
            let ty = step.body().ty(**value).as_tensor();
            ty.is_some_and(|ty| ty.element == ElementType::I1 && ty.rank() == 0)
        };
        let holds = |value: &ValueId| Some((*value, known.tensor(*value)?.scalar_as_f64().ok()? != 0.0));
        self.assumed = follows.iter().filter(is_predicate).filter_map(holds).collect();
    }

    /// Follows what the round reads back to what has to be validated.
    fn check(&mut self, step: &Step<'_>, follows: &BTreeSet<ValueId>, placed: &[InstId]) {
        let mut checked = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open: Vec<ValueId> = Vec::new();
        let read = |inst: InstId, checked: &mut BTreeSet<ValueId>| match self.chosen(step, inst) {
            Some((predicate, operand)) => {
                checked.insert(predicate);
                vec![operand]
            }
            None => step.reads(inst),
        };
        placed.iter().for_each(|inst| open.extend(read(*inst, &mut checked)));
        while let Some(value) = open.pop() {
            if !seen.insert(value) {
                continue;
            }
            if follows.contains(&value) || self.exchanged.contains_key(&value) {
                checked.insert(value);
                continue;
            }
            let maker = step.maker(value).filter(|maker| step.is_behind(*maker));
            if let Some(maker) = maker.filter(|maker| is_made_anywhere(step, *maker)) {
                open.extend(read(maker, &mut checked));
            }
        }
        self.checked = checked;
    }

    /// Returns whether a value is taken for granted.
    pub(crate) fn is_taken(&self, value: ValueId) -> bool {
        self.exchanged.contains_key(&value) || self.assumed.contains_key(&value)
    }

    /// What a value is taken for, if it is.
    pub(crate) fn taken(&self, step: &Step<'_>, value: ValueId) -> Option<Literal> {
        let holds = self.assumed.get(&value).or(self.exchanged.get(&value))?;
        Some(literal(step, value, *holds))
    }

    /// What an instruction reads when what is taken for granted is so.
    pub(crate) fn reads(&self, step: &Step<'_>, inst: InstId) -> Vec<ValueId> {
        self.chosen(step, inst).map_or_else(|| step.reads(inst), |(_, operand)| vec![operand])
    }

    /// The predicate of a choice that is known, and the operand that is chosen.
    pub(crate) fn chosen(&self, step: &Step<'_>, inst: InstId) -> Option<(ValueId, ValueId)> {
        let operands = match &step.body().insts[inst].op {
            Op::Select(_) => &step.body().insts[inst].operands,
            _ => return None,
        };
        let mut predicate = step.same(operands[0]);
        loop {
            if let Some(holds) = self.assumed.get(&predicate) {
                return Some((predicate, step.same(operands[if *holds { 1 } else { 2 }])));
            }
            let maker = step.maker(predicate).map(|maker| &step.body().insts[maker])?;
            match &maker.op {
                Op::BroadcastInDim(_) | Op::Reshape(_) => predicate = step.same(maker.operands[0]),
                _ => return None,
            }
        }
    }
}

/// Whether a predicate says that all is well if it is true, not if it is false: checks of several stages that are put together
/// by `or` say that something is wrong.
fn is_true_at_best(step: &Step<'_>, value: ValueId) -> bool {
    let body = step.body();
    let is_any = |inst: &InstId| {
        let inst = &body.insts[*inst];
        matches!(inst.op, Op::Binary(Binary::Or)) && inst.operands.contains(&value)
    };
    body.tensor(value).element == ElementType::I1 && !step.behind.iter().any(is_any)
}

/// Zeros, or for predicates what they are.
fn literal(step: &Step<'_>, value: ValueId, holds: bool) -> Literal {
    let ty = step.body().tensor(value).clone();
    let number = if ty.element == ElementType::I1 && holds { 1.0 } else { 0.0 };
    Literal::splat(ty, number)
}

/// Values as they are if all is as it is taken for.
struct Known<'s, 'a> {
    step: &'s Step<'a>,
    exchanged: &'s BTreeMap<ValueId, bool>,
    found: BTreeMap<ValueId, Option<Tensor>>,
}

impl Known<'_, '_> {
    fn tensor(&mut self, value: ValueId) -> Option<Tensor> {
        if let Some(found) = self.found.get(&value) {
            return found.clone();
        }
        let found = self.evaluated(value);
        self.found.insert(value, found.clone());
        found
    }

    fn evaluated(&mut self, value: ValueId) -> Option<Tensor> {
        let step = self.step;
        let splat = |literal: &Literal| tensor_of(literal, Precision::Declared).ok();
        if let Some(holds) = self.exchanged.get(&value) {
            return splat(&literal(step, value, *holds));
        }
        if !is_small(step, value) {
            return None;
        }
        let is_given = step.function.argument_index(value).is_some() || step.accumulator(value).is_some();
        let ty = step.body().ty(value).as_tensor()?;
        if is_given {
            return splat(&Literal::splat(ty.clone(), 1.0));
        }
        let inst = step.maker(value)?;
        let view = step.body().view(inst);
        if !view.inst.regions.is_empty() || step.position_of(value).is_some() {
            return None;
        }
        let inputs = view.inst.operands.iter().map(|operand| self.tensor(step.same(*operand)));
        let inputs = inputs.collect::<Option<Vec<Tensor>>>()?;
        let cx = &mut ConstEval { device: 0 };
        let found = view.inst.op.evaluate(Evaluation { view: &view, inputs, cx }).ok()?;
        let place = view.inst.results.iter().position(|result| *result == value)?;
        found.into_iter().nth(place)
    }
}
