//! States of all values over the time axis: the interpretation itself.

use super::{Along, CutFactor, InTime, Places, Seed, State, TimeRefusal, along, can_cut, factor_of};
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::constant::splat_of;
use meshwright_ir::ops::reducer::{is_neutral, neutral};
use meshwright_ir::program::{Body, Def, Function, InstView, Regions};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};
use meshwright_ir::sharding::Reduction;
use std::collections::BTreeSet;

/// What the interpretation finds.
pub(super) struct Found {
    pub(super) states: Table<ValueId, State>,
    pub(super) cut: Table<InstId, Option<CutFactor>>,
    pub(super) rules: Table<InstId, ShardingRule>,
    pub(super) whole: Vec<InstId>,
}

/// The states of all values of a function.
pub(super) fn of(
    function: &Function,
    seeds: &[Seed],
    size: usize,
    count: usize,
    estimates: &BTreeSet<ValueId>,
) -> Result<Found, TimeRefusal> {
    let body = &function.body;
    let mut states = Table::filled(State::OUTSIDE, body.values.len());
    for Seed { argument, dim, together } in seeds.iter().copied() {
        let argument = function.args()[argument];
        // Of a dim that is a multiple of the batch, so many elements belong to an example.
        let together = together * (body.tensor(argument).shape[dim] / size);
        let kind = InTime::Cut(Along { dim, together });
        states[argument] = State { kind, level: 0, is_inside: true };
    }
    let found = Found {
        states,
        cut: Table::filled(None, body.insts.len()),
        rules: Table::filled(ShardingRule::default(), body.insts.len()),
        whole: Vec::new(),
    };
    let mut walk = Walk {
        body,
        count,
        found,
        is_accumulated: Table::filled(false, body.values.len()),
        is_zero: Table::filled(false, body.values.len()),
        reads: Table::filled(Reads::None, body.values.len()),
        estimates,
        depth: 0,
    };
    walk.region(body.entry())?;
    Ok(walk.found)
}

struct Walk<'a> {
    body: &'a Body,
    /// Number of microbatches.
    count: usize,
    found: Found,
    /// Whether a value is read once it has been put together.
    is_accumulated: Table<ValueId, bool>,
    /// Arguments of loops that begin with zeros; those that stay the same in all microbatches are still zero.
    is_zero: Table<ValueId, bool>,
    /// How values that are the same in all microbatches are read.
    reads: Table<ValueId, Reads>,
    /// Values that are estimated from one contribution.
    estimates: &'a BTreeSet<ValueId>,
    /// Number of loops and branches around.
    depth: usize,
}

/// Parts of a value that instructions read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// None so far.
    None,
    /// Only parts along this dim.
    Part(Along),
    /// The whole value, or different parts.
    Whole,
}

impl Reads {
    fn add(&mut self, other: Self) {
        *self = match (*self, other) {
            (Self::None, other) => other,
            (own, other) if own == other => own,
            _ => Self::Whole,
        };
    }
}

impl<'a> Walk<'a> {
    fn region(&mut self, region: RegionId) -> Result<(), TimeRefusal> {
        let body = self.body;
        for inst in &body.regions[region].insts {
            let view = body.view(*inst);
            if let Op::Return(_) = view.inst.op {
                continue;
            }
            match view.regions() {
                Regions::Loop => self.repeat(&view)?,
                Regions::Branches => self.branches(&view)?,
                Regions::OfElements if view.inst.op.traits().data_flow == DataFlow::Identity => {
                    self.identity(&view);
                }
                Regions::OfElements => self.one(&view)?,
            }
        }
        Ok(())
    }

    /// The state in which a value is read here. Outside of loops, sums are there as a whole.
    fn read(&mut self, value: ValueId) -> State {
        let state = self.found.states[value];
        let is_partial = matches!(state.kind, InTime::Partial(_));
        if is_partial && self.depth == 0 {
            self.is_accumulated[value] = true;
        }
        if is_partial && self.is_accumulated[value] {
            return State { kind: InTime::Same, level: state.level + 1, is_inside: false };
        }
        state
    }

    fn reads(&mut self, values: &[ValueId]) -> Vec<State> {
        values.iter().map(|value| self.read(*value)).collect()
    }

    /// What hands on each operand as it is: those that are the same in all microbatches need it not.
    fn identity(&mut self, view: &InstView<'_>) {
        for (operand, result) in view.inst.operands.iter().zip(&view.inst.results) {
            self.found.states[*result] = self.read(*operand);
        }
    }

    fn one(&mut self, view: &InstView<'a>) -> Result<(), TimeRefusal> {
        if view.inst.results.iter().any(|result| self.estimates.contains(result)) {
            let level = self.found.states[view.inst.operands[0]].level;
            self.make(view, |_| InTime::Own, level, true);
            return Ok(());
        }
        let reads = self.reads(&view.inst.operands);
        let level = level_of(&reads);
        self.found.rules[view.id] = view.inst.op.rule(view);
        self.found.cut[view.id] = None;
        let cut = self.one_of(view, &reads, level)?;
        let rule = &self.found.rules[view.id];
        let part = |index: usize| along(rule, cut?, rule.operands.get(index)?);
        for (index, operand) in view.inst.operands.iter().enumerate() {
            self.reads[*operand].add(part(index).map_or(Reads::Whole, Reads::Part));
        }
        Ok(())
    }

    /// The states of the results; the factor that is cut, if one is.
    fn one_of(
        &mut self,
        view: &InstView<'a>,
        reads: &[State],
        level: usize,
    ) -> Result<Option<CutFactor>, TimeRefusal> {
        if reads.iter().any(|state| matches!(state.kind, InTime::Partial(_))) {
            let reduction = partial_result(view, reads, |value| self.starts_at_zero(value));
            let reduction = reduction.ok_or(TimeRefusal::EarlySum(view.id))?;
            self.make(view, |_| InTime::Partial(reduction), level, true);
            return Ok(None);
        }
        let cuts = || {
            let dims = reads.iter().enumerate();
            dims.filter_map(|(operand, state)| match state.kind {
                InTime::Cut(along) => Some((operand, along)),
                _ => None,
            })
        };
        if cuts().next().is_none() {
            if reads.iter().any(|state| state.kind == InTime::Own) {
                if view.inst.op.has_side_effects() {
                    return Err(TimeRefusal::Effect(view.id));
                }
                self.make(view, |_| InTime::Own, level, true);
                return Ok(None);
            }
            // What waits for more than an operand of the loop does stands outside of it.
            let is_inside = reads.iter().any(|state| state.is_inside && state.level == level);
            self.runs_once(view, is_inside)?;
            self.make(view, |_| InTime::Same, level, is_inside);
            return Ok(None);
        }
        if view.inst.op.has_side_effects() {
            return Err(TimeRefusal::Effect(view.id));
        }
        let rule = &self.found.rules[view.id];
        let places = if matches!(view.inst.op, Op::Reshape(_)) { Places::Any } else { Places::First };
        let common = self.common_factor(rule, cuts()).filter(|cut| can_cut(rule, *cut, places));
        let Some(cut) = common.filter(|cut| !slides_along(view, rule, cut.factor)) else {
            return self.needs_whole(view, level).map(|()| None);
        };
        // Nothing is the same in all microbatches: the empty workspace of a kernel.
        let is_empty = |index: usize| view.result(index).num_elements() == 0;
        let kind = |(index, dims): (usize, &Vec<Vec<FactorIndex>>)| match made(rule, cut, dims) {
            Some(InTime::Cut(along)) => Some(InTime::Cut(along)),
            _ if is_empty(index) => Some(InTime::Same),
            made => made,
        };
        let kinds: Option<Vec<InTime>> = rule.results.iter().enumerate().map(kind).collect();
        let Some(kinds) = kinds else { return self.needs_whole(view, level).map(|()| None) };
        self.found.cut[view.id] = Some(cut);
        self.make(view, |result| kinds[result], level, true);
        Ok(Some(cut))
    }

    fn needs_whole(&mut self, view: &InstView<'_>, level: usize) -> Result<(), TimeRefusal> {
        if self.depth > 0 {
            return Err(TimeRefusal::Whole(view.id));
        }
        self.found.whole.push(view.id);
        // Arguments are there as a whole.
        let is_made = |value: &ValueId| matches!(self.body.values[*value].def, Def::Result(..));
        let is_cut = |value: &&ValueId| matches!(self.found.states[**value].kind, InTime::Cut(_));
        let waits = view.inst.operands.iter().filter(is_cut).any(is_made);
        self.make(view, |_| InTime::Same, level + usize::from(waits), false);
        Ok(())
    }

    fn make(&mut self, view: &InstView<'_>, kind: impl Fn(usize) -> InTime, level: usize, is_inside: bool) {
        let is_inside = is_inside || self.depth > 0;
        for (index, result) in view.inst.results.iter().enumerate() {
            self.found.states[*result] = State { kind: kind(index), level, is_inside };
        }
    }

    /// The factor that is cut in all these dims of operands.
    fn common_factor(
        &self,
        rule: &ShardingRule,
        cuts: impl Iterator<Item = (usize, Along)>,
    ) -> Option<CutFactor> {
        let mut common = None;
        for (operand, Along { dim, together }) in cuts {
            let cut = factor_of(rule, rule.operands.get(operand)?.get(dim)?, together, self.count)?;
            if common.is_some_and(|common| common != cut) {
                return None;
            }
            common = Some(cut);
        }
        common
    }

    /// A loop: the states of what it carries change until they stay as they are.
    fn repeat(&mut self, view: &InstView<'a>) -> Result<(), TimeRefusal> {
        let starts = self.reads(&view.inst.operands);
        let captured = self.reads(&view.captured());
        let level = level_of(&starts).max(level_of(&captured));
        let (mut kinds, [condition, step]) =
            (starts.iter().map(|state| state.kind).collect::<Vec<_>>(), regions(view));
        let args = &self.body.regions[step].args;
        for (arg, operand) in args.iter().zip(&view.inst.operands) {
            self.is_zero[*arg] = self.starts_at_zero(*operand);
        }
        loop {
            self.carry(args, &kinds, level);
            self.depth += 1;
            self.region(step)?;
            let returned = self.body.terminator(step).map_or(&[][..], |last| &last.operands);
            let ends = self.reads(returned);
            self.depth -= 1;
            let mut is_settled = true;
            for (index, (kind, end)) in kinds.iter_mut().zip(&ends).enumerate() {
                let carried = self.carried(*kind, end.kind, args[index], returned[index], view.id);
                let mut carried = carried.map_err(|refusal| match refusal {
                    // It is no sum of the loop that is in the way, but that the loop asks for it.
                    TimeRefusal::Start(at) if self.asks_for(condition, index) => TimeRefusal::Control(at),
                    other => other,
                })?;
                // What the loop does not change, and reads in parts only, is rather cut before it.
                if let (InTime::Same, Reads::Part(along)) = (carried, self.reads[args[index]])
                    && returned[index] == args[index]
                {
                    carried = InTime::Cut(along);
                }
                let leaves_zero = carried == InTime::Same && self.is_zero[args[index]];
                if leaves_zero && !self.starts_at_zero(returned[index]) {
                    self.is_zero[args[index]] = false;
                    is_settled = false;
                }
                is_settled &= carried == *kind;
                *kind = carried;
            }
            if is_settled {
                break;
            }
        }
        self.carry(&self.body.regions[condition].args, &kinds, level);
        self.condition(view, condition)?;
        for (operand, kind) in view.inst.operands.iter().zip(&kinds) {
            let is_part = matches!(self.found.states[*operand].kind, InTime::Same);
            self.reads[*operand].add(match kind {
                InTime::Cut(along) if is_part => Reads::Part(*along),
                _ => Reads::Whole,
            });
        }
        let is_inside = kinds.iter().any(|kind| *kind != InTime::Same)
            || starts.iter().chain(&captured).any(|state| is_read_inside(state, level));
        self.runs_once(view, is_inside)?;
        self.make(view, |result| kinds[result], level, is_inside);
        Ok(())
    }

    fn carry(&mut self, args: &[ValueId], kinds: &[InTime], level: usize) {
        for (arg, kind) in args.iter().zip(kinds) {
            self.found.states[*arg] = State { kind: *kind, level, is_inside: true };
        }
    }

    /// Whether the loop goes on has to be the same for all microbatches.
    fn condition(&mut self, view: &InstView<'a>, condition: RegionId) -> Result<(), TimeRefusal> {
        self.depth += 1;
        self.region(condition)?;
        let returned = self.body.terminator(condition).map_or(&[][..], |last| &last.operands);
        let ends = self.reads(returned);
        self.depth -= 1;
        match ends.iter().all(|state| state.kind == InTime::Same) {
            true => Ok(()),
            false => Err(TimeRefusal::Control(view.id)),
        }
    }

    /// Whether the condition of a loop reads what it carries at a place.
    fn asks_for(&self, condition: RegionId, index: usize) -> bool {
        let region = &self.body.regions[condition];
        let mut operands = region.insts.iter().flat_map(|inst| &self.body.insts[*inst].operands);
        operands.any(|operand| *operand == region.args[index])
    }

    /// What a loop carries that has carried one thing so far and is given another.
    fn carried(
        &self,
        before: InTime,
        given: InTime,
        arg: ValueId,
        returned: ValueId,
        at: InstId,
    ) -> Result<InTime, TimeRefusal> {
        match (before, given) {
            (InTime::Same, InTime::Partial(_)) if !self.is_zero[arg] => Err(TimeRefusal::Start(at)),
            (InTime::Same, given) => Ok(given),
            (InTime::Cut(_) | InTime::Own, InTime::Same) => Ok(before),
            (InTime::Partial(_), InTime::Same) if self.starts_at_zero(returned) => Ok(before),
            (before, given) if before == given => Ok(before),
            _ => Err(TimeRefusal::Mixed(at)),
        }
    }

    /// A conditional: it goes the same way in all microbatches, and each branch leaves what another does of each.
    fn branches(&mut self, view: &InstView<'a>) -> Result<(), TimeRefusal> {
        let mut reads = self.reads(&view.inst.operands);
        if reads.iter().any(|state| state.kind != InTime::Same) {
            return Err(TimeRefusal::Control(view.id));
        }
        reads.extend(self.reads(&view.captured()));
        let level = level_of(&reads);
        let mut kinds: Vec<Option<InTime>> = vec![None; view.inst.results.len()];
        for region in &view.inst.regions {
            self.depth += 1;
            self.region(*region)?;
            let returned = self.body.terminator(*region).map_or(&[][..], |last| &last.operands);
            let ends = self.reads(returned);
            self.depth -= 1;
            for (index, (kind, end)) in kinds.iter_mut().zip(&ends).enumerate() {
                let joined = kind.map_or(Some(end.kind), |kind| joined(view, index, kind, end.kind));
                *kind = Some(joined.ok_or(TimeRefusal::Branches(view.id))?);
            }
        }
        let kind = |index: usize| kinds[index].unwrap_or(InTime::Same);
        let is_inside = kinds.iter().flatten().any(|kind| *kind != InTime::Same)
            || reads.iter().any(|state| is_read_inside(state, level));
        self.runs_once(view, is_inside)?;
        self.make(view, kind, level, is_inside);
        Ok(())
    }

    /// What has side effects may not run in every microbatch, which what makes something in their loop does.
    fn runs_once(&self, view: &InstView<'a>, is_inside: bool) -> Result<(), TimeRefusal> {
        if !is_inside || self.depth > 0 || view.inst.results.is_empty() {
            return Ok(());
        }
        self.body.effect_in(view.id).map_or(Ok(()), |inst| Err(TimeRefusal::Effect(inst)))
    }

    /// Whether all elements of a value are zero before anything is added to it.
    fn starts_at_zero(&self, value: ValueId) -> bool {
        let mut value = value;
        loop {
            if self.is_zero[value] {
                return self.found.states[value].kind == InTime::Same;
            }
            let Def::Result(inst, _) = self.body.values[value].def else { return false };
            let view = self.body.view(inst);
            if let Op::Constant(constant) = &view.inst.op {
                return constant.value.splat_bytes().is_some() && is_neutral(Reduction::Sum, &constant.value);
            }
            let only_moves = view.num_operands() == 1
                && view.inst.regions.is_empty()
                && view.inst.op.linearity(&view, Reduction::Sum).each == [0];
            match only_moves {
                true => value = view.inst.operands[0],
                false => return false,
            }
        }
    }
}

fn regions(view: &InstView<'_>) -> [RegionId; 2] {
    [view.inst.regions[0], view.inst.regions[1]]
}

/// Whether what reads a value stands in the loop over microbatches of this level.
fn is_read_inside(state: &State, level: usize) -> bool {
    state.is_inside && (state.kind != InTime::Same || state.level == level)
}

/// What a conditional leaves of which branches leave these; none if these are no two forms of one.
fn joined(view: &InstView<'_>, result: usize, one: InTime, other: InTime) -> Option<InTime> {
    let element = view.result(result).element;
    match (one, other) {
        (one, other) if one == other => Some(one),
        (InTime::Same, InTime::Cut(along)) | (InTime::Cut(along), InTime::Same) => Some(InTime::Cut(along)),
        (InTime::Same, InTime::Own) | (InTime::Own, InTime::Same) => Some(InTime::Own),
        // Only one microbatch contributes what is the same in all.
        (InTime::Same, InTime::Partial(reduction)) | (InTime::Partial(reduction), InTime::Same) => {
            neutral(reduction, element).map(|_| InTime::Partial(reduction))
        }
        _ => None,
    }
}

fn level_of(states: &[State]) -> usize {
    states.iter().map(|state| state.level).max().unwrap_or(0)
}

/// Whether elements along a factor meet others at places of their own, as those of a kernel do.
pub(super) fn slides_along(view: &InstView<'_>, rule: &ShardingRule, factor: FactorIndex) -> bool {
    let is_summed = rule.factors[factor].kind.combines().is_some();
    let holders = rule.operands.iter().enumerate().flat_map(|(operand, dims)| {
        let held = dims.iter().enumerate().filter(|(_, factors)| **factors == [factor]);
        held.map(move |(dim, _)| view.operand(operand).shape[dim])
    });
    let sizes: Vec<usize> = holders.collect();
    let is_matched = sizes.len() > 1 && sizes.iter().all(|size| *size == rule.factors[factor].size);
    is_summed && view.inst.op.exchanges(view) && !is_matched
}

/// What an instruction of which a factor is cut makes of a result with these dims.
fn made(rule: &ShardingRule, cut: CutFactor, dims: &[Vec<FactorIndex>]) -> Option<InTime> {
    match along(rule, cut, dims) {
        Some(along) => Some(InTime::Cut(along)),
        None if rule.factors[cut.factor].kind == FactorKind::SummedElsewhere => {
            Some(InTime::Partial(Reduction::Sum))
        }
        None => rule.factors[cut.factor].kind.combines().map(InTime::Partial),
    }
}

/// The reduction that an instruction passes on from contributions that it reads, if it can.
fn partial_result(
    view: &InstView<'_>,
    reads: &[State],
    starts_at_zero: impl Fn(ValueId) -> bool,
) -> Option<Reduction> {
    let mut partial = reads.iter().enumerate().filter_map(|(index, state)| match state.kind {
        InTime::Partial(reduction) => Some((index, reduction)),
        _ => None,
    });
    let (first, reduction) = partial.next()?;
    if partial.any(|(_, other)| other != reduction) || view.inst.results.len() != 1 {
        return None;
    }
    let linear = view.inst.op.linearity(view, reduction);
    let is_partial = |index: usize| reads[index].kind == InTime::Partial(reduction);
    let is_nothing = |index: usize| {
        let is_zero = reduction == Reduction::Sum && starts_at_zero(view.inst.operands[index]);
        is_zero || splat_of(view, index).is_some_and(|value| is_neutral(reduction, value))
    };
    let rest_is_same = |passed: &dyn Fn(usize) -> bool| {
        (0..reads.len()).all(|at| passed(at) || matches!(reads[at].kind, InTime::Same | InTime::Own))
    };
    let at_once = linear.together.contains(&first)
        && linear.together.iter().all(|index| is_partial(*index) || is_nothing(*index))
        && rest_is_same(&|index| linear.together.contains(&index));
    let in_one = linear.each.contains(&first) && rest_is_same(&|index| index == first);
    (at_once || in_one).then_some(reduction)
}
