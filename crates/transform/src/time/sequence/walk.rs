//! The interpretation along the sequence itself, instruction by instruction.
//!
//! Input: a function, where its data have the sequence, and which products have their operands the other way round. Output:
//! the state of every value, what slices read of one another, and the [`TimeAxis`] of both; or what stands in the way, with
//! the product whose query may have been chosen wrongly.

use super::keys::{Read, is_sure, made, own};
use super::masks::Masks;
use super::unseen::{Own, Unseen};
use super::{Carried, Readers, Runs, Sequence, SequenceRefusal};
use crate::attention::Positions;
use crate::time::states::slides_along;
use crate::time::{Along, CutFactor, InTime, Places, State, TimeAxis, along, can_cut, factor_of, passes};
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::program::{Body, Def, Function, InstView, Regions};
use meshwright_ir::rule::{FactorIndex, ShardingRule};
use meshwright_ir::sharding::Reduction;
use std::collections::{BTreeMap, BTreeSet};

/// Queries against keys: elements of a value with both dims.
#[derive(Clone, Copy, Debug)]
struct Scores {
    /// The dim of the keys.
    keys: Along,
    unseen: Unseen,
    own: Own,
    /// The product that they come from.
    origin: InstId,
}

/// Why a walk ends, and the product whose query may have been chosen wrongly.
pub(super) struct Refused {
    pub(super) refusal: SequenceRefusal,
    pub(super) origin: Option<InstId>,
}

impl From<SequenceRefusal> for Refused {
    fn from(refusal: SequenceRefusal) -> Self {
        Self { refusal, origin: None }
    }
}

pub(super) struct Walk<'a> {
    body: &'a Body,
    sequence: &'a Sequence<'a>,
    masks: Masks<'a>,
    /// Products whose second operand is the query, and so that of all that are like them.
    flipped: &'a [InstId],
    /// Those where either may be.
    pub(super) open: BTreeSet<InstId>,
    count: usize,
    /// Number of tokens.
    size: usize,
    pub(super) states: Table<ValueId, State>,
    scores: Table<ValueId, Option<Scores>>,
    cut: Table<InstId, Option<CutFactor>>,
    rules: Table<InstId, ShardingRule>,
    carried: BTreeMap<ValueId, Carried>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        function: &'a Function,
        sequence: &'a Sequence<'a>,
        count: usize,
        positions: &'a Positions<'a>,
        flipped: &'a [InstId],
    ) -> Self {
        let body = &function.body;
        Self {
            body,
            sequence,
            masks: Masks { body, sequence, positions, count },
            flipped,
            open: BTreeSet::new(),
            count,
            size: 0,
            states: Table::filled(State::OUTSIDE, body.values.len()),
            scores: Table::filled(None, body.values.len()),
            cut: Table::filled(None, body.insts.len()),
            rules: Table::filled(ShardingRule::default(), body.insts.len()),
            carried: BTreeMap::new(),
        }
    }

    pub(super) fn run(&mut self) -> Result<(), Refused> {
        for inst in &self.body.regions[self.body.entry()].insts {
            let view = self.body.view(*inst);
            if !matches!(view.inst.op, Op::Return(_)) {
                self.one(&view)?;
            }
        }
        match self.size {
            0 => Err(SequenceRefusal::NoSequence.into()),
            _ => Ok(()),
        }
    }

    pub(super) fn axis(self, function: &Function) -> TimeAxis {
        let Self { count, size, states, cut, rules, carried, .. } = self;
        let (points, passes) = passes::of(function, &states, &[], &BTreeSet::new());
        let mut pass_of = Table::filled(None, states.len());
        points.iter().for_each(|point| pass_of[point.value] = Some(point.pass));
        TimeAxis {
            count,
            size,
            seeds: Vec::new(),
            states,
            cut,
            rules,
            points,
            pass_of,
            passes,
            whole: Vec::new(),
            estimates: BTreeSet::new(),
            carried,
        }
    }

    fn one(&mut self, view: &InstView<'a>) -> Result<(), Refused> {
        let runs = (self.sequence.runs)(view.id);
        if view.regions() == Regions::OfElements {
            self.rules[view.id] = view.inst.op.rule(view);
        }
        let states = |walk: &Self| -> Vec<State> {
            let read = view.inst.operands.iter().copied().chain(view.captured());
            read.map(|value| walk.states[value]).collect()
        };
        let read = states(self);
        let is_of_tokens = read.iter().any(|state| matches!(state.kind, InTime::Cut(_)));
        let is_late = read.iter().any(|state| state.level > 0 || matches!(state.kind, InTime::Partial(_)));
        match runs {
            Runs::Anywhere => return Ok(()),
            Runs::Behind => {
                self.make(view, InTime::Same, usize::from(is_of_tokens || is_late));
                return Ok(());
            }
            Runs::Forward | Runs::Turning | Runs::Backward => {}
        }
        if is_late {
            if is_of_tokens || runs == Runs::Forward {
                return Err(SequenceRefusal::Sum(view.id).into());
            }
            self.make(view, InTime::Same, 1);
            return Ok(());
        }
        if view.regions() != Regions::OfElements {
            return Err(SequenceRefusal::Control(view.id).into());
        }
        if view.inst.op.has_side_effects() {
            return Err(SequenceRefusal::Effect(view.id).into());
        }
        if view.inst.op.traits().data_flow == DataFlow::Identity {
            for (operand, result) in view.inst.operands.iter().zip(&view.inst.results) {
                (self.states[*result], self.scores[*result]) = (self.states[*operand], self.scores[*operand]);
            }
            return Ok(());
        }
        match self.factor(view)? {
            Some(cut) => self.along(view, cut, runs),
            None if runs == Runs::Forward => Err(SequenceRefusal::Apart(view.id).into()),
            None => Ok(()),
        }
    }

    fn make(&mut self, view: &InstView<'_>, kind: InTime, level: usize) {
        for result in &view.inst.results {
            self.states[*result] = State { kind, level, is_inside: false };
        }
    }

    /// The factor that is cut; none if nothing that is read has the sequence.
    fn factor(&mut self, view: &InstView<'a>) -> Result<Option<CutFactor>, Refused> {
        let crosses = || SequenceRefusal::Crosses(view.id);
        let mut found: Vec<(CutFactor, ValueId)> = Vec::new();
        let mut of_scores: Option<(CutFactor, InstId)> = None;
        for (operand, value) in view.inst.operands.iter().enumerate() {
            let InTime::Cut(along) = self.states[*value].kind else { continue };
            let cut = self.factor_along(view, operand, along).ok_or_else(crosses)?;
            if let Some(Scores { origin, .. }) = self.scores[*value] {
                match of_scores {
                    Some((other, _)) if other != cut => {
                        return Err(Refused { refusal: crosses(), origin: Some(origin) });
                    }
                    _ => of_scores = Some((cut, origin)),
                }
            }
            if found.iter().all(|(other, _)| *other != cut) {
                found.push((cut, *value));
            }
        }
        if let Some((cut, _)) = of_scores {
            return Ok(Some(cut));
        }
        match found[..] {
            [] => self.start(view),
            [(cut, _)] => Ok(Some(cut)),
            [(one, first), (other, second)] => match (self.is_backward(first), self.is_backward(second)) {
                (true, false) => Ok(Some(one)),
                (false, true) => Ok(Some(other)),
                (true, true) => Err(SequenceRefusal::Backward(view.id).into()),
                (false, false) => {
                    self.open.insert(view.id);
                    Ok(Some(if self.is_flipped(view.id) { other } else { one }))
                }
            },
            _ => Err(crosses().into()),
        }
    }

    /// Whether the second operand of a product is the query.
    pub(super) fn is_flipped(&self, inst: InstId) -> bool {
        let types = |inst: InstId| self.body.view(inst).operand_types().collect::<Vec<_>>();
        let is_like = |other: &InstId| {
            self.body.insts[*other].op == self.body.insts[inst].op && types(*other) == types(inst)
        };
        self.flipped.iter().any(is_like)
    }

    fn factor_along(&self, view: &InstView<'_>, operand: usize, along: Along) -> Option<CutFactor> {
        let rule = &self.rules[view.id];
        factor_of(rule, rule.operands.get(operand)?.get(along.dim)?, along.together, self.count)
    }

    /// The same of data: what of them stands along the sequence is where slices begin.
    fn start(&mut self, view: &InstView<'a>) -> Result<Option<CutFactor>, Refused> {
        for (operand, value) in view.inst.operands.iter().enumerate() {
            let Some(ty) = self.body.ty(*value).as_tensor() else { continue };
            let is_token = |dim: &usize| {
                ty.shape[*dim] > 1 && (self.sequence.is_data)(*value) && (self.sequence.has)(*value, *dim)
            };
            let Some(dim) = (0..ty.rank()).find(is_token) else { continue };
            let size = ty.shape[dim];
            if !size.is_multiple_of(self.count) {
                return Err(SequenceRefusal::Indivisible { size, count: self.count }.into());
            }
            self.size = size;
            let along = Along { dim, together: size / self.count };
            let cut = self.factor_along(view, operand, along);
            return cut.map(Some).ok_or_else(|| SequenceRefusal::Crosses(view.id).into());
        }
        Ok(None)
    }

    fn is_backward(&self, value: ValueId) -> bool {
        match self.body.values[value].def {
            Def::Result(inst, _) => (self.sequence.runs)(inst) == Runs::Backward,
            Def::Argument(..) => false,
        }
    }

    /// An instruction that is cut along a factor.
    fn along(&mut self, view: &InstView<'a>, cut: CutFactor, runs: Runs) -> Result<(), Refused> {
        let rule = self.rules[view.id].clone();
        let reads = self.reads(view, &rule, cut)?;
        let origin = reads.iter().find_map(|read| read.origin);
        let refused = |refusal: SequenceRefusal| Refused { refusal, origin };
        let places = if matches!(view.inst.op, Op::Reshape(_)) { Places::Any } else { Places::First };
        if !can_cut(&rule, cut, places) || slides_along(view, &rule, cut.factor) {
            return Err(refused(SequenceRefusal::Crosses(view.id)));
        }
        let (keys, own) = (reads.iter().find_map(|read| read.keys), own(view, &reads));
        if let Some(keys) = keys
            && keys == cut.factor
        {
            return Err(refused(SequenceRefusal::Crosses(view.id)));
        }
        for (index, result) in view.inst.results.iter().enumerate() {
            let dims = &rule.results[index];
            let held = keys.and_then(|keys| along(&rule, self.keys_of(&rule, keys), dims));
            let unseen = made(view, &reads, &rule, (keys, held.is_some()));
            let Some(unseen) = unseen else {
                let is_hidden =
                    reads.iter().any(|read| matches!(read.unseen, Unseen::Low { .. } | Unseen::True));
                let refusal = match is_sure(&reads) || !is_hidden {
                    true => SequenceRefusal::Sees(view.id),
                    false => SequenceRefusal::NoKey(view.id),
                };
                return Err(refused(refusal));
            };
            let kind = match (along(&rule, cut, dims), rule.factors[cut.factor].kind.combines()) {
                (Some(along), _) => InTime::Cut(along),
                (None, Some(reduction)) => match held {
                    // What queries of a slice add for keys of later ones is nothing.
                    Some(keys)
                        if unseen.is_zero() && reduction == Reduction::Sum && runs == Runs::Backward =>
                    {
                        self.carried.insert(*result, Carried { along: keys, by: Readers::Earlier });
                        self.states[*result] = inside(InTime::Cut(keys));
                        continue;
                    }
                    Some(_) if !unseen.is_true() => return Err(refused(SequenceRefusal::Sees(view.id))),
                    _ => InTime::Partial(reduction),
                },
                (None, None) if view.result(index).num_elements() == 0 => InTime::Same,
                (None, None) => return Err(refused(SequenceRefusal::Crosses(view.id))),
            };
            self.states[*result] = inside(kind);
            let scores = || Some(Scores { keys: held?, unseen, own, origin: origin? });
            self.scores[*result] = matches!(kind, InTime::Cut(_)).then(scores).flatten();
        }
        self.cut[view.id] = Some(cut);
        Ok(())
    }

    /// The factor of keys, which are cut as queries are.
    fn keys_of(&self, rule: &ShardingRule, keys: FactorIndex) -> CutFactor {
        CutFactor { factor: keys, together: rule.factors[keys].size / self.count }
    }

    /// What each operand is along the keys.
    fn reads(
        &mut self,
        view: &InstView<'a>,
        rule: &ShardingRule,
        cut: CutFactor,
    ) -> Result<Vec<Read>, Refused> {
        let crosses = |origin| Refused { refusal: SequenceRefusal::Crosses(view.id), origin };
        let mut reads = Vec::with_capacity(view.num_operands());
        for (operand, value) in view.inst.operands.iter().enumerate() {
            let InTime::Cut(cut_along) = self.states[*value].kind else {
                reads.push(Read::PLAIN);
                continue;
            };
            let held = along(rule, cut, &rule.operands[operand]);
            let scores = self.scores[*value];
            let (keys, unseen, own, origin) = match scores {
                None if held == Some(cut_along) => {
                    reads.push(Read::PLAIN);
                    continue;
                }
                Some(Scores { keys, unseen, own, origin }) => (keys, unseen, own, origin),
                None if self.is_backward(*value) => {
                    return Err(SequenceRefusal::Backward(view.id).into());
                }
                // All slices so far, as keys.
                None => {
                    let by = Readers::Later;
                    let known = self.carried.insert(*value, Carried { along: cut_along, by });
                    if known.is_some_and(|known| known.by != by) {
                        return Err(SequenceRefusal::Backward(view.id).into());
                    }
                    (cut_along, Unseen::Finite, Own::Ordinary, view.id)
                }
            };
            let found = self.factor_along(view, operand, keys);
            match found {
                Some(found) if found.together == rule.factors[found.factor].size / self.count => {
                    let keys = Some(found.factor);
                    reads.push(Read { unseen, own, keys, origin: Some(origin) });
                }
                _ if unseen.is_true() => reads.push(Read { own, origin: Some(origin), ..Read::PLAIN }),
                _ => return Err(crosses(Some(origin))),
            }
        }
        let Some(keys) = reads.iter().find_map(|read| read.keys) else { return Ok(reads) };
        for (operand, value) in view.inst.operands.iter().enumerate() {
            match reads[operand].keys {
                Some(other) if other == keys => {}
                Some(_) if reads[operand].unseen.is_true() => reads[operand].keys = None,
                Some(_) => return Err(crosses(reads[operand].origin)),
                None if self.states[*value].kind == InTime::Same => {
                    let held = |factor: FactorIndex| {
                        rule.operands[operand].iter().position(|factors| *factors == [factor])
                    };
                    let dims = held(cut.factor).zip(held(keys));
                    (reads[operand].unseen, reads[operand].own) = self.masks.unseen(*value, dims);
                }
                None => {}
            }
        }
        Ok(reads)
    }
}

fn inside(kind: InTime) -> State {
    State { kind, level: 0, is_inside: true }
}
