//! The time axis along the sequence: a step of a causal model whose tokens are cut into slices that follow one another
//! (TeraPipe, Li 2021).
//!
//! Input: a flat function, where its data have the sequence, what runs forward and what backward ([`Sequence`]), and how
//! many slices there are. Output: a [`TimeAxis`] whose parts are blocks of tokens that follow one another, with what slices
//! read of one another ([`Carried`]). Forward passes run from the first slice to the last, backward passes from the last to
//! the first.
//!
//! Nothing is known of attention; two facts are found of each value, by the sharding rules of ops:
//!
//! - Where a product meets two values that are cut, each along a dim of its own, one of them is cut (the *query*), and the
//!   other is read as a whole (the *key*): all of its slices so far, and zeros in the places of later ones.
//! - What is made of that has two dims, of queries and of keys. Its elements whose key is of a later slice than the query
//!   are not those of the step ([`Unseen`]), until a mask that follows from positions makes them so. Where keys are summed
//!   away or reduced, they have to be: numbers of the step, or products with zeros. Otherwise the step is refused there.
//!
//! Where a backward pass sums up over queries, what it adds for keys of later slices is zero by the same facts: the sum for
//! the keys of a slice is complete once all later slices and its own have added to it.
//!
//! Which of two values is the query is tried: if a refusal follows from the choice, the other one is taken.

mod refusal;
mod unseen;

pub use refusal::SequenceRefusal;

use super::{
    Along, CutFactor, InTime, MOST, Places, Point, State, TimeAxis, along, can_cut, factor_of, passes,
};
use super::states::slides_along;
use crate::attention::Positions;
use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::op::{DataFlow, Op};
use meshwright_ir::ops::binary::Binary;
use meshwright_ir::ops::reducer::reducer;
use meshwright_ir::program::{Body, Def, Function, InstView, Regions};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};
use meshwright_ir::sharding::Reduction;
use std::collections::{BTreeMap, BTreeSet};
use unseen::{Unseen, elementwise, mixed, product};

/// A value of one slice of a sequence that others read too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Carried {
    /// The dim along which slices lie.
    pub along: Along,
    /// Who reads it.
    pub by: Readers,
}

impl Carried {
    /// How it is put together, as a point of the turns of a loop.
    pub fn point(&self, value: ValueId) -> Point {
        let kind = match self.by {
            Readers::Later => InTime::Cut(self.along),
            Readers::Earlier => InTime::Partial(Reduction::Sum),
        };
        Point { value, kind, pass: 0 }
    }
}

/// Slices that read a value of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Later ones, as keys: it is put beside those of earlier slices.
    Later,
    /// Earlier ones, as the gradient of their keys: it is added to that of later slices.
    Earlier,
}

/// When an instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// Wherever it is read: it does not depend on both data and parameters.
    Anywhere,
    /// Before the loss.
    Forward,
    /// Between forward and backward.
    Turning,
    /// It makes gradients.
    Backward,
    /// Behind all slices.
    Behind,
}

/// Facts of a step that is cut along its sequence.
pub struct Sequence<'a> {
    /// Whether a value of data has the sequence along a dim.
    pub has: &'a dyn Fn(ValueId, usize) -> bool,
    /// Whether a value depends on data, and on no parameters.
    pub is_data: &'a dyn Fn(ValueId) -> bool,
    /// When each instruction runs.
    pub runs: &'a dyn Fn(InstId) -> Runs,
}

/// Why a step cannot be cut, and how many of its values could be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped {
    /// The reason.
    pub refusal: SequenceRefusal,
    /// Values that had been cut before.
    pub cut: usize,
}

impl TimeAxis {
    /// Cuts a function with calls inlined into `count` slices of its sequence.
    ///
    /// # Errors
    /// The first place that stands in the way.
    pub fn along_sequence(function: &Function, sequence: &Sequence<'_>, count: usize) -> Result<Self, Stopped> {
        if !(1..=MOST).contains(&count) {
            return Err(Stopped { refusal: SequenceRefusal::Indivisible { size: 0, count }, cut: 0 });
        }
        let positions = Positions::of(&function.body);
        let mut flipped = BTreeSet::new();
        loop {
            let mut walk = Walk::new(function, sequence, count, &positions, &flipped);
            match walk.run() {
                Ok(()) => return Ok(walk.axis(function)),
                Err(Refused { refusal, origin }) => {
                    let is_cut = |state: &&State| matches!(state.kind, InTime::Cut(_));
                    let cut = walk.states.values().filter(is_cut).count();
                    let other = origin.filter(|origin| walk.open.contains(origin));
                    if other.is_none_or(|origin| !flipped.insert(origin)) {
                        return Err(Stopped { refusal, cut });
                    }
                }
            }
        }
    }
}

/// Queries against keys: elements of a value with both dims.
#[derive(Clone, Copy, Debug)]
struct Scores {
    /// The dim of the keys.
    keys: Along,
    unseen: Unseen,
    /// Whether each query sees a key that no mask makes low.
    is_sure: bool,
    /// The product that they come from.
    origin: InstId,
}

/// The same of an operand, or of all that an instruction reads, by the factor of the keys.
#[derive(Clone, Copy, Debug)]
struct Read {
    unseen: Unseen,
    is_sure: bool,
    keys: Option<FactorIndex>,
    origin: Option<InstId>,
}

impl Read {
    /// What has no keys.
    const PLAIN: Self = Self { unseen: Unseen::True, is_sure: true, keys: None, origin: None };
}

struct Refused {
    refusal: SequenceRefusal,
    origin: Option<InstId>,
}

impl From<SequenceRefusal> for Refused {
    fn from(refusal: SequenceRefusal) -> Self {
        Self { refusal, origin: None }
    }
}

struct Walk<'a> {
    body: &'a Body,
    sequence: &'a Sequence<'a>,
    positions: &'a Positions<'a>,
    /// Products whose second operand is the query.
    flipped: &'a BTreeSet<InstId>,
    /// Those where either may be.
    open: BTreeSet<InstId>,
    count: usize,
    /// Number of tokens.
    size: usize,
    states: Table<ValueId, State>,
    scores: Table<ValueId, Option<Scores>>,
    cut: Table<InstId, Option<CutFactor>>,
    rules: Table<InstId, ShardingRule>,
    carried: BTreeMap<ValueId, Carried>,
}

impl<'a> Walk<'a> {
    fn new(
        function: &'a Function,
        sequence: &'a Sequence<'a>,
        count: usize,
        positions: &'a Positions<'a>,
        flipped: &'a BTreeSet<InstId>,
    ) -> Self {
        let body = &function.body;
        Self {
            body,
            sequence,
            positions,
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

    fn run(&mut self) -> Result<(), Refused> {
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

    fn axis(self, function: &Function) -> TimeAxis {
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
            if is_of_tokens {
                return Err(SequenceRefusal::Sum(view.id).into());
            }
            self.make(view, InTime::Same, 1);
            return Ok(());
        }
        if view.regions() != Regions::OfElements {
            return Err(SequenceRefusal::Control(view.id).into());
        }
        if view.inst.op.traits().has_side_effects {
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
                    Ok(Some(if self.flipped.contains(&view.id) { other } else { one }))
                }
            },
            _ => Err(crosses().into()),
        }
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
        let met = met(&reads);
        let keys = met.keys;
        if let Some(keys) = keys
            && keys == cut.factor
        {
            return Err(refused(SequenceRefusal::Crosses(view.id)));
        }
        for (index, result) in view.inst.results.iter().enumerate() {
            let dims = &rule.results[index];
            let held = keys.and_then(|keys| along(&rule, self.keys_of(&rule, keys), dims));
            let unseen = made(view, &reads, &rule, (keys, held.is_some()), met.is_sure);
            let Some(unseen) = unseen else {
                let is_hidden = reads.iter().any(|read| matches!(read.unseen, Unseen::Low { .. } | Unseen::True));
                let refusal = match met.is_sure || !is_hidden {
                    true => SequenceRefusal::Sees(view.id),
                    false => SequenceRefusal::NoKey(view.id),
                };
                return Err(refused(refusal));
            };
            let kind = match (along(&rule, cut, dims), rule.factors[cut.factor].kind.combines()) {
                (Some(along), _) => InTime::Cut(along),
                (None, Some(reduction)) => match held {
                    // What queries of a slice add for keys of later ones is nothing.
                    Some(keys) if unseen.is_zero() && reduction == Reduction::Sum && runs == Runs::Backward => {
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
            let scores = || Some(Scores { keys: held?, unseen, is_sure: met.is_sure, origin: origin? });
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
            let InTime::Cut(own) = self.states[*value].kind else {
                reads.push(Read::PLAIN);
                continue;
            };
            let held = along(rule, cut, &rule.operands[operand]);
            let scores = self.scores[*value];
            let (keys, unseen, is_sure, origin) = match scores {
                None if held == Some(own) => {
                    reads.push(Read::PLAIN);
                    continue;
                }
                Some(Scores { keys, unseen, is_sure, origin }) => (keys, unseen, is_sure, origin),
                None if self.is_backward(*value) => {
                    return Err(SequenceRefusal::Backward(view.id).into());
                }
                // All slices so far, as keys.
                None => {
                    let by = Readers::Later;
                    let known = self.carried.insert(*value, Carried { along: own, by });
                    if known.is_some_and(|known| known.by != by) {
                        return Err(SequenceRefusal::Backward(view.id).into());
                    }
                    (own, Unseen::Finite, true, view.id)
                }
            };
            let found = self.factor_along(view, operand, keys);
            match found {
                Some(found) if found.together == rule.factors[found.factor].size / self.count => {
                    let keys = Some(found.factor);
                    reads.push(Read { unseen, is_sure, keys, origin: Some(origin) });
                }
                _ if unseen.is_true() => reads.push(Read { is_sure, origin: Some(origin), ..Read::PLAIN }),
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
                    (reads[operand].unseen, reads[operand].is_sure) = self.of_same(*value, dims, DEPTH);
                }
                None => {}
            }
        }
        Ok(reads)
    }

    /// What a value that all slices have is where the key, along the second of two dims, is of a later slice than the query
    /// along the first; and whether that leaves each query a key.
    fn of_same(&self, value: ValueId, dims: Option<(usize, usize)>, depth: usize) -> (Unseen, bool) {
        let known = || (Unseen::True, !(self.sequence.is_data)(value));
        let (Some((queries, keys)), true) = (dims, depth > 0) else {
            return self.positions.number(value).map_or_else(known, |number| (Unseen::Number(number), true));
        };
        let shape = &self.body.tensor(value).shape;
        if shape[queries] != shape[keys] || !shape[queries].is_multiple_of(self.count) {
            return known();
        }
        if let Some(found) = self.positions.by_difference(value, queries, keys) {
            // A key of a later slice is at least one token behind its query.
            return match found.between(1 - shape[keys] as i64, -1) {
                Some(unseen) => {
                    let is_sure = found.between(0, 0).is_some_and(|own| own != unseen);
                    let is_everywhere = found.between(1 - shape[keys] as i64, shape[queries] as i64 - 1).is_some();
                    (Unseen::Number(unseen), is_sure || is_everywhere)
                }
                None => (Unseen::True, false),
            };
        }
        let Def::Result(inst, _) = self.body.values[value].def else { return known() };
        let view = self.body.view(inst);
        let operands = &view.inst.operands;
        let of = |operand: usize, dims: Option<(usize, usize)>| self.of_same(operands[operand], dims, depth - 1);
        match &view.inst.op {
            Op::BroadcastInDim(op) => {
                let at = |dim: usize| op.dims.iter().position(|to| *to == dim);
                of(0, at(queries).zip(at(keys)))
            }
            Op::Transpose(op) => of(0, Some((op.permutation[queries], op.permutation[keys]))),
            _ if view.inst.op.traits().is_elementwise && view.inst.results.len() == 1 => {
                let found: Vec<(Unseen, bool)> = (0..operands.len()).map(|operand| of(operand, dims)).collect();
                let unseen: Vec<Unseen> = found.iter().map(|(unseen, _)| *unseen).collect();
                (elementwise(&view, &unseen, false), found.iter().all(|(_, is_sure)| *is_sure))
            }
            _ => known(),
        }
    }
}

/// Deepest chain of masks that is followed.
const DEPTH: usize = 16;

fn inside(kind: InTime) -> State {
    State { kind, level: 0, is_inside: true }
}

/// All that an instruction reads, together.
fn met(reads: &[Read]) -> Read {
    Read {
        unseen: Unseen::True,
        is_sure: reads.iter().all(|read| read.is_sure),
        keys: reads.iter().find_map(|read| read.keys),
        origin: None,
    }
}

/// What a result is along the keys, if it has them; what it is as a whole, if not. None: it would be other than in the step.
fn made(
    view: &InstView<'_>,
    reads: &[Read],
    rule: &ShardingRule,
    (keys, has_keys): (Option<FactorIndex>, bool),
    is_sure: bool,
) -> Option<Unseen> {
    let Some(keys) = keys else { return Some(Unseen::True) };
    let unseen: Vec<Unseen> = reads.iter().map(|read| read.unseen).collect();
    let all_true = unseen.iter().all(|unseen| unseen.is_true());
    let is_apart = matches!(rule.factors[keys].kind, FactorKind::PassThrough);
    match (&view.inst.op, has_keys) {
        (op, true) if op.traits().is_elementwise => Some(elementwise(view, &unseen, is_sure)),
        (Op::Reshape(_) | Op::Transpose(_) | Op::BroadcastInDim(_) | Op::Slice(_), true) => Some(unseen[0]),
        (Op::DotGeneral(_), true) => Some(product(unseen[0], unseen[1])),
        (Op::DotGeneral(_), false) => {
            (all_true || product(unseen[0], unseen[1]).is_zero()).then_some(Unseen::True)
        }
        (Op::Reduce(_), _) => {
            let kept = if has_keys { Some(mixed(&unseen, true)) } else { None };
            let op = reducer(view.body, view.region(0));
            let is_sum_of_zeros = unseen.iter().all(|unseen| unseen.is_zero()) && op == Some(Binary::Add);
            // What is low does not count where there is another.
            let leaves_low_out = op == Some(Binary::Maximum)
                && is_sure
                && unseen.iter().all(|unseen| unseen.is_true() || matches!(unseen, Unseen::Low { .. }));
            match has_keys {
                true if is_sum_of_zeros => Some(Unseen::Number(0.0)),
                true => kept,
                false => (all_true || leaves_low_out).then_some(Unseen::True),
            }
        }
        (_, true) if all_true => Some(Unseen::True),
        (_, true) if is_apart => Some(Unseen::Anything),
        (_, _) => all_true.then_some(Unseen::True),
    }
}
