//! A step with fewer layers, for what is asked of equal layers once.
//!
//! Input: a flat function, cut into microbatches and at all places. Output: [`Shorter`]: a function in which each kind of
//! segment stands once or twice, and for each segment of the long one the segment that it is like. Between segment `first`
//! and a later one of the same kind, all are left out; what follows reads what `first` hands on, and `first` gets back the
//! gradient of the segment behind.
//!
//! ```text
//! embedding attention mlp attention mlp attention mlp head
//! embedding attention                             mlp head
//! ```
//!
//! Segments are alike if their instructions are, one by one, of forward pass, backward pass and update, and if what they read
//! corresponds. Nothing is known of layers, names or parameters.

use crate::{Staged, Step};
use meshwright_ir::attribute::{Attr, Attributes};
use meshwright_ir::diagnostic::Span;
use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::ops::return_::Return;
use meshwright_ir::program::{Body, Def, Function, InstView};
use meshwright_ir::rewrite::{Edit, Rewriter, Trace};
use meshwright_transform::Made;
use std::collections::{BTreeMap, BTreeSet};

/// Names the result that takes an argument's place, as JAX writes it.
const ALIASED: &str = "tf.aliasing_output";

/// A step with fewer layers.
#[derive(Clone, Debug)]
pub struct Shorter {
    /// The function, and where it comes from.
    pub made: Made,
    /// For each segment of the long step, the position of the one of the short step that it is like.
    pub like: Vec<usize>,
    /// The numbers of its arguments among those of the long function.
    pub arguments: Vec<usize>,
    /// The numbers of its results there.
    pub results: Vec<usize>,
}

/// Segments that are left out: all behind `first` up to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The segment in front of them.
    pub first: usize,
    /// Their last one.
    pub last: usize,
}

impl Run {
    /// Returns whether a segment is one of them.
    pub fn has(&self, segment: usize) -> bool {
        segment > self.first && segment <= self.last
    }

    /// Returns whether what is around it stays alike: its last segment is as the one in front of it, and the next as its first.
    pub fn is_seamless(&self, kinds: &[usize]) -> bool {
        kinds[self.first] == kinds[self.last] && kinds[self.first + 1] == kinds[self.last + 1]
    }
}

/// The short form of `function`, which `trace` says that `step` was made from, and which is staged at all places; none if
/// there is nothing to leave out, or a segment updates what another one reads that stays.
pub fn shorter(function: &Function, trace: &Trace, step: &Step<'_>, staged: &Staged) -> Option<Shorter> {
    let runs = |kinds: &[usize]| left_out(kinds).into_iter().collect();
    Leaving::of(function, trace, step, staged, runs)?.made(function)
}

/// The same without runs that are chosen by the kinds of segments: in order, apart, each without a seam, and none has the
/// last of its kind. What one segment reads and another one updates is one argument behind it. None if there is nothing to
/// leave out.
pub fn without_runs(
    function: &Function,
    trace: &Trace,
    step: &Step<'_>,
    staged: &Staged,
    runs: impl FnOnce(&[usize]) -> Vec<Run>,
) -> Option<Shorter> {
    let mut leaving = Leaving::of(function, trace, step, staged, runs)?;
    leaving.without_circles(function);
    leaving.made(function)
}

/// A number for each segment of a step that is staged at all places, equal for those that are alike.
pub fn kinds(function: &Function, trace: &Trace, step: &Step<'_>, staged: &Staged) -> Vec<usize> {
    Segments::of(function, trace, step, staged).kinds()
}

/// The longest run of segments of which all kinds are there outside of it.
fn left_out(kinds: &[usize]) -> Option<Run> {
    let fits = |run: &Run| {
        let outside: BTreeSet<usize> =
            kinds[..=run.first].iter().chain(&kinds[run.last + 1..]).copied().collect();
        run.is_seamless(kinds) && kinds[run.first + 1..=run.last].iter().all(|kind| outside.contains(kind))
    };
    let runs = (0..kinds.len())
        .flat_map(|first| (first + 2..kinds.len().saturating_sub(1)).map(move |last| Run { first, last }));
    runs.filter(fits).max_by_key(|run| (run.last - run.first, usize::MAX - run.first))
}

/// Instructions of the long function by segment.
struct Segments<'a> {
    body: &'a Body,
    /// Of each instruction that is in one.
    of: Table<InstId, Option<usize>>,
    /// In the order of the program.
    insts: Vec<Vec<InstId>>,
}

impl<'a> Segments<'a> {
    fn of(function: &'a Function, trace: &Trace, step: &Step<'_>, staged: &Staged) -> Self {
        let body = &function.body;
        let mut of = Table::filled(None, body.insts.len());
        let inside =
            step.inside.iter().zip(&staged.stage).filter_map(|(inst, stage)| Some((*inst, (*stage)?)));
        let behind = staged.update.sites.iter().map(|(inst, site)| (*inst, site.stage));
        for (inst, segment) in inside.chain(behind) {
            if let Some((_, origin)) = trace.insts.get(inst).copied().flatten() {
                of[origin] = Some(segment);
            }
        }
        let mut insts = vec![Vec::new(); staged.count];
        for inst in &body.regions[body.entry()].insts {
            if let Some(segment) = of[*inst] {
                insts[segment].push(*inst);
            }
        }
        Self { body, of, insts }
    }

    /// A number for each segment, equal for those that are alike.
    fn kinds(&self) -> Vec<usize> {
        let mut first_of: Vec<usize> = Vec::new();
        let mut kinds = Vec::with_capacity(self.insts.len());
        for segment in 0..self.insts.len() {
            let known = first_of.iter().position(|first| self.alike(segment, *first).is_some());
            kinds.push(known.unwrap_or(first_of.len()));
            if known.is_none() {
                first_of.push(segment);
            }
        }
        kinds
    }

    /// For the values of a segment, and for what only it reads, those of another one; none if they differ.
    fn alike(&self, one: usize, other: usize) -> Option<BTreeMap<ValueId, ValueId>> {
        let mut pairs = Pairs { segments: self, own: one, same: BTreeMap::new() };
        let (insts, others) = (&self.insts[one], &self.insts[other]);
        let are = insts.len() == others.len()
            && insts.iter().zip(others).all(|(one, other)| pairs.inst(*one, *other));
        let is_of_another = |value: &ValueId| match self.body.values[*value].def {
            Def::Result(maker, _) => self.of[maker].is_some_and(|own| own != one),
            Def::Argument(..) => false,
        };
        pairs.same.retain(|value, _| !is_of_another(value));
        are.then_some(pairs.same)
    }
}

struct Pairs<'s, 'a> {
    segments: &'s Segments<'a>,
    own: usize,
    same: BTreeMap<ValueId, ValueId>,
}

impl Pairs<'_, '_> {
    fn inst(&mut self, one: InstId, other: InstId) -> bool {
        let body = self.segments.body;
        let (a, b) = (body.view(one), body.view(other));
        let is_like = a.inst.op == b.inst.op
            && a.inst.operands.len() == b.inst.operands.len()
            && a.inst.regions.len() == b.inst.regions.len()
            && a.result_types().eq(b.result_types())
            && a.operand_types().eq(b.operand_types())
            && have_like_regions(body, one, other);
        if !is_like || !a.inst.operands.iter().zip(&b.inst.operands).all(|(a, b)| self.value(*a, *b)) {
            return false;
        }
        self.same.extend(a.inst.results.iter().copied().zip(b.inst.results.iter().copied()));
        true
    }

    fn value(&mut self, one: ValueId, other: ValueId) -> bool {
        if let Some(known) = self.same.get(&one) {
            return *known == other;
        }
        if one == other {
            return true;
        }
        let body = self.segments.body;
        if body.ty(one) != body.ty(other) {
            return false;
        }
        match (body.values[one].def, body.values[other].def) {
            (Def::Result(maker, index), Def::Result(twin, same)) => {
                let (of, of_twin) = (self.segments.of[maker], self.segments.of[twin]);
                // What it makes itself is known already; what is made anywhere is made of the like.
                if of == Some(self.own) || index != same || of.is_some() != of_twin.is_some() {
                    return false;
                }
                if of.is_none() {
                    return self.inst(maker, twin);
                }
            }
            (Def::Argument(..), Def::Argument(..)) => {}
            _ => return false,
        }
        self.same.insert(one, other);
        true
    }
}

/// Whether what stands in the regions of two instructions is of the same ops.
pub(crate) fn have_like_regions(body: &Body, one: InstId, other: InstId) -> bool {
    let insts = |inst: InstId| body.insts[inst].regions.iter().flat_map(|region| body.walk(*region));
    insts(one).map(|inst| &body.insts[inst].op).eq(insts(other).map(|inst| &body.insts[inst].op))
}

/// What is left out of a function.
struct Leaving {
    fates: Table<InstId, Fate>,
    /// For what is left out, what it is like.
    same: BTreeMap<ValueId, ValueId>,
    /// For each segment of the long step, the position of the one of the short step that it is like.
    like: Vec<usize>,
}

impl Leaving {
    fn of(
        function: &Function,
        trace: &Trace,
        step: &Step<'_>,
        staged: &Staged,
        runs: impl FnOnce(&[usize]) -> Vec<Run>,
    ) -> Option<Self> {
        let segments = Segments::of(function, trace, step, staged);
        let kinds = segments.kinds();
        let runs = runs(&kinds);
        if runs.is_empty() {
            return None;
        }
        let run_of = |segment: usize| runs.iter().find(|run| run.has(segment));
        let is_kept = |segment: usize| run_of(segment).is_none();
        let number = |segment: usize| (0..segment).filter(|before| is_kept(*before)).count();
        let stands_for = |segment: usize| match run_of(segment) {
            None => segment,
            Some(run) if segment == run.last => run.first,
            Some(run) if kinds[segment] == kinds[run.last + 1] => run.last + 1,
            Some(_) => (0..kinds.len())
                .find(|other| is_kept(*other) && kinds[*other] == kinds[segment])
                .expect("each kind is kept"),
        };
        let mut same = BTreeMap::new();
        for segment in (0..kinds.len()).filter(|segment| !is_kept(*segment)) {
            same.extend(segments.alike(segment, stands_for(segment))?);
        }
        let fate = |own: &Option<usize>| match own {
            None => Fate::MadeAnywhere,
            Some(own) if is_kept(*own) => Fate::Kept,
            Some(_) => Fate::LeftOut,
        };
        let fates = segments.of.values().map(fate).collect();
        let like = (0..kinds.len()).map(|segment| number(stands_for(segment))).collect();
        Some(Self { fates, same, like })
    }

    /// Leaves no argument to be like one that is like it, as it is where a layer updates what the layer before reads: of such
    /// a circle the argument stays whose next value is still made, and the others are that one.
    fn without_circles(&mut self, function: &Function) {
        let is_given_back = |arg: &ValueId| {
            let index = function.argument_index(*arg);
            let aliased = index.and_then(|index| function.arg_attributes[index].get(ALIASED)?.as_int());
            let result = aliased.and_then(|result| function.returned().get(usize::try_from(result).ok()?));
            result.is_some_and(|value| match function.body.values[*value].def {
                Def::Result(maker, _) => self.fates[maker] != Fate::LeftOut,
                Def::Argument(..) => false,
            })
        };
        let mut same = self.same.clone();
        for arg in function.args() {
            let mut line = vec![*arg];
            while let Some(next) =
                line.last().and_then(|last| same.get(last)).filter(|next| !line.contains(next))
            {
                line.push(*next);
            }
            let end = line.last().and_then(|last| same.get(last).copied());
            if let Some(from) = end.and_then(|end| line.iter().position(|own| *own == end)) {
                let circle = &line[from..];
                let stays = circle.iter().copied().find(is_given_back).unwrap_or(circle[0]);
                same.extend(circle.iter().map(|own| (*own, stays)));
                same.remove(&stays);
            }
        }
        for arg in function.args() {
            while let Some(next) = same.get(arg).and_then(|other| same.get(other)).copied() {
                same.insert(*arg, next);
            }
        }
        self.same = same;
    }

    fn made(self, function: &Function) -> Option<Shorter> {
        let Without { made, arguments, results } = without(function, &self.fates, &self.same)?;
        Some(Shorter { made, like: self.like, arguments, results })
    }
}

/// Fate of an instruction of the long function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Kept,
    LeftOut,
    /// It is in no segment, and stays if somebody reads it.
    MadeAnywhere,
}

/// A function without some instructions, and the numbers of arguments and results that it has.
struct Without {
    made: Made,
    arguments: Vec<usize>,
    results: Vec<usize>,
}

/// The function without some instructions, and without arguments and results that are theirs alone; others read the values
/// that theirs are like. None if such a value is not there.
fn without(
    function: &Function,
    fates: &Table<InstId, Fate>,
    same: &BTreeMap<ValueId, ValueId>,
) -> Option<Without> {
    let body = &function.body;
    let entry = body.entry();
    let mut rewriter = Rewriter::within(body, Body::new());
    let to = rewriter.to.entry();
    let args = function.args().iter().enumerate();
    let kept_args: Vec<usize> =
        args.filter(|(_, arg)| !same.contains_key(arg)).map(|(index, _)| index).collect();
    for index in &kept_args {
        let arg = function.args()[*index];
        let new = rewriter.to.add_arg(to, body.ty(arg).clone(), body.values[arg].span);
        rewriter.stand_for(arg, new);
    }
    let mut edit = LeftOut { fates, same, is_missing: false };
    let insts = &body.regions[entry].insts;
    rewriter.walk_each(&insts[..insts.len() - 1], to, &mut edit);
    if edit.is_missing {
        return None;
    }
    let is_own = |value: &ValueId| match body.values[*value].def {
        Def::Result(maker, _) => fates[maker] != Fate::LeftOut && rewriter.map[*value].is_some(),
        Def::Argument(..) => !same.contains_key(value),
    };
    let results: Vec<usize> = function
        .returned()
        .iter()
        .enumerate()
        .filter(|(_, value)| is_own(value))
        .map(|(index, _)| index)
        .collect();
    let returned: Vec<ValueId> =
        results.iter().map(|index| rewriter.value(function.returned()[*index])).collect();
    rewriter.to.append(to, Return::Func.into(), returned, Vec::new(), Vec::new(), Span::NONE);
    let rewritten = rewriter.finish();
    let attributes = |index: &usize| renumbered(&function.arg_attributes[*index], &results);
    let mut made = function.with_body(rewritten.body);
    made.arg_attributes = kept_args.iter().map(attributes).collect();
    let located = &body.regions[entry].arg_locations;
    let own = made.body.entry();
    made.body.regions[own].arg_locations =
        kept_args.iter().map(|index| located.get(*index).cloned().flatten()).collect();
    made.result_types = results.iter().map(|index| function.result_types[*index].clone()).collect();
    made.result_attributes = results.iter().map(|index| function.result_attributes[*index].clone()).collect();
    made.result_spans =
        results.iter().filter_map(|index| function.result_spans.get(*index).copied()).collect();
    let made = Made { function: made, trace: rewritten.trace };
    Some(Without { made, arguments: kept_args, results })
}

/// Attributes of an argument where only these results are left.
fn renumbered(attributes: &Attributes, results: &[usize]) -> Attributes {
    let mut own = attributes.clone();
    if let Some(old) = attributes.get(ALIASED).and_then(Attr::as_int) {
        own.remove(ALIASED);
        if let Some(new) = results.iter().position(|result| i128::try_from(*result) == Ok(old.into())) {
            own.set(ALIASED, Attr::i32(i32::try_from(new).unwrap_or(i32::MAX)));
        }
    }
    own
}

struct LeftOut<'a> {
    fates: &'a Table<InstId, Fate>,
    same: &'a BTreeMap<ValueId, ValueId>,
    /// Whether an instruction that stays reads what is not there.
    is_missing: bool,
}

impl Edit for LeftOut<'_> {
    fn before(&mut self, rewriter: &mut Rewriter<'_>, view: &InstView<'_>, to: RegionId) -> bool {
        if to != rewriter.to.entry() {
            return false;
        }
        if self.fates[view.id] == Fate::LeftOut {
            return true;
        }
        for value in meshwright_analyze::phases::reads(view.body, view.id) {
            if rewriter.map[value].is_some() {
                continue;
            }
            match self.same.get(&value).and_then(|other| rewriter.map[*other]) {
                Some(there) => rewriter.stand_for(value, there),
                None => {
                    // What is made of it elsewhere is for those that are left out.
                    self.is_missing |= self.fates[view.id] == Fate::Kept;
                    return true;
                }
            }
        }
        false
    }
}
