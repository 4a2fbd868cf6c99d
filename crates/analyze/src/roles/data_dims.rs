//! What the dims of data are for: the batch, or a sequence (tokens, pixels) along which elements know of one another.
//!
//! Input: a function and its roles so far. Output: the classes of batch dims and of sequence dims.
//!
//! *Open* dims are those that data has, or over which gradients are summed, or that are made from such (a slice of
//! tokens, patches of an image, batch and tokens in one dim), and that weights do not contract. Where nothing trains,
//! the dim that passes through most of the work is open too, as data may be drawn inside. An open dim is a *sequence* if
//!
//! - windows slide along it (convolution, pooling, sums so far, sorting), or a recurrence steps along it: a loop takes
//!   it apart and carries something else that has an open dim; or
//! - activations are contracted over it in the forward pass while it passes through itself, as in attention, where tokens
//!   are weighted sums of tokens; or while another open dim passes through that is not contracted so itself, as the batch,
//!   which may have one element only. The backward pass does not count: there a batch is contracted whose examples are
//!   only compared with one another at the end; or
//! - it is made from a sequence or a sequence from it, by taking a part or by merging or splitting (the first part
//!   decides).
//!
//! The others are *batch* dims if they take part in contractions or lookups (a random key's do not), but for those that a
//! loop takes apart (microbatches) where data has others. If data has none of them, the first dim of each piece of data
//! is the batch, as the convention is, unless weights contract it, or tokens along it attend to one another.

use std::collections::BTreeSet;

use meshwright_ir::ids::{InstId, RegionId, Table, ValueId};
use meshwright_ir::op::Op;
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};

use super::training::Training;
use super::{DATA, PARAMETERS, Roles, contracted, factor_classes, is_lookup, rank};
use crate::dim_classes::{Class, DimClasses};
use crate::flow::{Marks, upstream};
use crate::origins::Origin;

/// The classes of dims of data.
pub(super) struct DataDims {
    pub(super) batch: BTreeSet<Class>,
    pub(super) sequence: BTreeSet<Class>,
    /// Sequences that loops step along.
    pub(super) recurrent: BTreeSet<Class>,
}

/// Tells them apart. `passing` is what passes through most of the work where nothing trains.
pub(super) fn data_dims(
    function: &Function,
    roles: &Roles,
    training: &Training,
    passing: Option<Class>,
) -> DataDims {
    let body = &function.body;
    let dims = |index: usize| {
        let value = function.args()[index];
        (0..rank(body, value)).map(move |dim| (roles.classes.of(value, dim), body.tensor(value).shape[dim]))
    };
    let seen = Seen::new(function, roles, training);
    let mut open: BTreeSet<Class> = roles.data().flat_map(dims).map(|(class, _)| class).collect();
    open.extend(training.summed.iter().copied().chain(passing));
    open.retain(|class| !seen.feature.contains(class));
    let is_derived = |made: &&Made| !made.is_feature(&seen);
    grow(&mut open, seen.made.iter().filter(is_derived).map(|made| (made.from, made.to)));
    let stepped = stepped(function, roles, &open);
    let meets = |a: &Class, b: &Class| seen.met.contains(&(*a, *b));
    let is_sequence = |class: &Class| {
        seen.windowed.contains(class)
            || stepped.contains(class)
            || meets(class, class)
            || open
                .iter()
                .any(|other| !seen.windowed.contains(other) && meets(class, other) && !meets(other, class))
    };
    let worked = seen.worked(&training.summed);
    let is_worked = |class: &Class| worked.is_empty() || worked.contains(class);
    let mut sequence: BTreeSet<Class> = open.iter().copied().filter(is_sequence).collect();
    let both_ways = seen
        .made
        .iter()
        .filter(|made| made.is_first && open.contains(&made.from) && open.contains(&made.to))
        .flat_map(|made| [(made.from, made.to), (made.to, made.from)]);
    let both_ways: Vec<(Class, Class)> = both_ways.collect();
    let grown = |mut set: BTreeSet<Class>| {
        grow(&mut set, both_ways.iter().copied());
        set
    };
    sequence = grown(sequence);
    let (mut recurrent, attended) = (grown(stepped), grown(seen.attended.clone()));
    let mut batch: BTreeSet<Class> = open.difference(&sequence).copied().filter(is_worked).collect();
    let has_any = |batch: &BTreeSet<Class>| {
        roles.data().flat_map(dims).any(|(class, size)| size > 1 && batch.contains(&class))
    };
    // Microbatches that a loop takes one by one are no batch beside what they have themselves.
    let whole: BTreeSet<Class> = batch.difference(&looped(body, roles)).copied().collect();
    if has_any(&whole) {
        batch = whole;
    }
    if !has_any(&batch) {
        let first = roles.data().filter_map(|index| dims(index).next()).map(|(class, _)| class);
        batch.extend(
            first.filter(|class| {
                is_worked(class) && !seen.feature.contains(class) && !attended.contains(class)
            }),
        );
        sequence = sequence.difference(&batch).copied().collect();
    }
    recurrent = recurrent.intersection(&sequence).copied().collect();
    DataDims { batch, sequence, recurrent }
}

/// The dims that `summed` are made of or into, so that an argument which has one of them is fed: batch and
/// microbatches, batch and tokens in one dim, a sequence and its slice.
pub(super) fn fed(
    body: &Body,
    insts: &[InstId],
    rules: &Table<InstId, ShardingRule>,
    classes: &DimClasses,
    summed: &BTreeSet<Class>,
) -> BTreeSet<Class> {
    let mut edges = Vec::new();
    for id in insts {
        let rule = &rules[*id];
        edges.extend(parts(body, *id, rule, classes).into_iter().flat_map(|(a, b)| [(a, b), (b, a)]));
        edges.extend(merges(body, *id, rule, classes).into_iter().flat_map(|(a, b)| [(a, b), (b, a)]));
        edges.extend(minor_parts(body, *id, rule, classes).into_iter().map(|(whole, part)| (part, whole)));
    }
    let mut fed = summed.clone();
    grow(&mut fed, edges.into_iter());
    fed
}

/// A dim that is made from another.
struct Made {
    from: Class,
    to: Class,
    /// Whether it begins with it, or is a part of it that begins with it.
    is_first: bool,
}

impl Made {
    fn is_feature(&self, seen: &Seen) -> bool {
        seen.feature.contains(&self.from) || seen.feature.contains(&self.to)
    }
}

/// What the instructions show of classes.
#[derive(Default)]
struct Seen {
    /// Contracted with weights.
    feature: BTreeSet<Class>,
    /// Windows slide along it.
    windowed: BTreeSet<Class>,
    /// In the forward pass, the first is contracted between activations while the second passes through.
    met: BTreeSet<(Class, Class)>,
    /// Those that are contracted between values that parameters went into, while they pass through themselves.
    attended: BTreeSet<Class>,
    made: Vec<Made>,
    /// Takes part in contractions and lookups.
    in_work: BTreeSet<Class>,
}

impl Seen {
    fn new(function: &Function, roles: &Roles, training: &Training) -> Self {
        let body = &function.body;
        let forward = forward(body, roles, training);
        let mut seen = Self::default();
        for id in &roles.whole {
            let (inst, rule) = (&body.insts[*id], &roles.rules[*id]);
            let makes_gradient = training.contractions.contains(id);
            if !makes_gradient {
                seen.add_made(body, *id, rule, &roles.classes);
            }
            if inst.operands.iter().all(|operand| roles.depends[*operand] & DATA == 0) {
                continue;
            }
            if !makes_gradient && computes(body, *id) && !is_lookup(rule) {
                seen.windowed.extend(windowed(roles, body, *id));
            }
            let reduced = contracted(rule);
            let classes = factor_classes(roles, body, *id);
            if !reduced.is_empty() || is_lookup(rule) {
                seen.in_work.extend(classes.iter().map(|(_, class)| *class));
            }
            if reduced.is_empty() || makes_gradient {
                continue;
            }
            let (mut summed, mut passed) = (Vec::new(), Vec::new());
            for (factor, class) in classes {
                if reduced.contains(&factor) { &mut summed } else { &mut passed }.push(class);
            }
            if inst.operands.iter().any(|operand| roles.depends[*operand] == PARAMETERS) {
                seen.feature.extend(summed);
            } else if inst.results.iter().any(|result| forward[*result] != 0) {
                if inst.operands.iter().all(|operand| roles.depends[*operand] & PARAMETERS != 0) {
                    seen.attended.extend(summed.iter().filter(|class| passed.contains(class)));
                }
                seen.met.extend(summed.iter().flat_map(|a| passed.iter().map(|b| (*a, *b))));
            }
        }
        seen
    }

    /// The classes that take part in the work, over which gradients are `summed`, and that are made of or into such.
    fn worked(&self, summed: &BTreeSet<Class>) -> BTreeSet<Class> {
        let mut worked: BTreeSet<Class> = self.in_work.union(summed).copied().collect();
        grow(&mut worked, self.made.iter().flat_map(|made| [(made.from, made.to), (made.to, made.from)]));
        worked
    }

    fn add_made(&mut self, body: &Body, id: InstId, rule: &ShardingRule, classes: &DimClasses) {
        for (from, to) in parts(body, id, rule, classes) {
            self.made.push(Made { from, to, is_first: true });
        }
        for (part, whole) in merges(body, id, rule, classes) {
            self.made.push(Made { from: part, to: whole, is_first: true });
            self.made.push(Made { from: whole, to: part, is_first: true });
        }
        for (whole, part) in minor_parts(body, id, rule, classes) {
            self.made.push(Made { from: whole, to: part, is_first: false });
        }
    }
}

/// The values that the forward pass computes: all where nothing trains. A weight is read in the forward pass before it is
/// in the backward pass, so what meets a weight for the first time belongs to it, and what that is computed from.
fn forward(body: &Body, roles: &Roles, training: &Training) -> Table<ValueId, Marks> {
    if training.pairs.is_empty() {
        return Table::filled(1, body.values.len());
    }
    let mut marks = Table::filled(0, body.values.len());
    let mut met: BTreeSet<Origin> = BTreeSet::new();
    for id in &roles.whole {
        if contracted(&roles.rules[*id]).is_empty() {
            continue;
        }
        let operands = &body.insts[*id].operands;
        for weight in operands.iter().filter(|operand| roles.depends[**operand] == PARAMETERS) {
            if met.insert(roles.origins.of(*weight)) {
                operands.iter().for_each(|operand| marks[*operand] = 1);
            }
        }
    }
    upstream(body, marks)
}

fn computes(body: &Body, id: InstId) -> bool {
    let inst = &body.insts[id];
    let types = |values: &[ValueId]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<_>>();
    inst.op.flops(&types(&inst.operands), &types(&inst.results)) > 0.0
}

fn is_passed(kind: FactorKind) -> bool {
    matches!(
        kind,
        FactorKind::PassThrough
            | FactorKind::SummedElsewhere
            | FactorKind::Offset
            | FactorKind::Reduced(_)
            | FactorKind::Indexed
    )
}

/// The classes along which an op mixes elements and keeps the dim, perhaps in another size.
fn windowed(roles: &Roles, body: &Body, id: InstId) -> Vec<Class> {
    let rule = &roles.rules[id];
    let mixed =
        |factor: &FactorIndex| !is_passed(rule.factors[*factor].kind) && rule.factors[*factor].size > 1;
    let mut found = of_no_factor(roles, body, id);
    if rule.results.iter().flatten().flatten().any(mixed) {
        let classes = factor_classes(roles, body, id);
        found.extend(classes.into_iter().filter(|(factor, _)| mixed(factor)).map(|(_, class)| class));
    }
    found
}

/// The classes of dims of a kernel's results of which its rule says nothing, as of the tokens of a masked attention: it
/// may mix all elements along them.
fn of_no_factor(roles: &Roles, body: &Body, id: InstId) -> Vec<Class> {
    let inst = &body.insts[id];
    if !matches!(inst.op, Op::CustomCall(_)) {
        return Vec::new();
    }
    let of_result = |(result, dims): (&ValueId, &Vec<Vec<FactorIndex>>)| {
        let shape = body.ty(*result).as_tensor().map(|ty| ty.shape.clone()).unwrap_or_default();
        let unsaid =
            (0..shape.len()).filter(|dim| shape[*dim] > 1 && dims.get(*dim).is_none_or(Vec::is_empty));
        unsaid.map(|dim| roles.classes.of(*result, dim)).collect::<Vec<Class>>()
    };
    inst.results.iter().zip(&roles.rules[id].results).flat_map(of_result).collect()
}

/// Dims of the result that are taken from the dim of the first operand at the same position: slices, padding,
/// concatenation, windows.
fn parts(body: &Body, id: InstId, rule: &ShardingRule, classes: &DimClasses) -> Vec<(Class, Class)> {
    let inst = &body.insts[id];
    let ([operand, ..], [result]) = (inst.operands.as_slice(), inst.results.as_slice()) else {
        return Vec::new();
    };
    if rank(body, *operand) != rank(body, *result)
        || is_lookup(rule)
        || !inst.op.carries_values() && inst.regions.len() > 1
    {
        return Vec::new();
    }
    let (Some(from), Some(to)) = (rule.operands.first(), rule.results.first()) else { return Vec::new() };
    let mixed = |factors: &Vec<FactorIndex>| match factors.as_slice() {
        [factor] => !is_passed(rule.factors[*factor].kind) && rule.factors[*factor].size > 1,
        _ => false,
    };
    (0..from.len().min(to.len()))
        .filter(|dim| mixed(&from[*dim]) && mixed(&to[*dim]))
        .map(|dim| (classes.of(*operand, dim), classes.of(*result, dim)))
        .filter(|(from, to)| from != to)
        .collect()
}

/// Dims that begin with another: the first part of more than one element, and the whole.
pub(super) fn merges(
    body: &Body,
    id: InstId,
    rule: &ShardingRule,
    classes: &DimClasses,
) -> Vec<(Class, Class)> {
    split(body, id, rule, classes)
        .into_iter()
        .filter_map(|(whole, parts)| Some((*parts.first()?.as_ref()?, whole)))
        .collect()
}

/// Dims that are a further part of another: the whole, and the part.
pub(super) fn minor_parts(
    body: &Body,
    id: InstId,
    rule: &ShardingRule,
    classes: &DimClasses,
) -> Vec<(Class, Class)> {
    let of_dim = |(whole, parts): (Class, Vec<Option<Class>>)| {
        parts.into_iter().skip(1).flatten().map(move |part| (whole, part)).collect::<Vec<_>>()
    };
    split(body, id, rule, classes).into_iter().flat_map(of_dim).collect()
}

/// The dims that are made of several factors, with the classes of those factors that are a dim elsewhere in the
/// instruction, major first.
pub fn split(
    body: &Body,
    id: InstId,
    rule: &ShardingRule,
    classes: &DimClasses,
) -> Vec<(Class, Vec<Option<Class>>)> {
    let inst = &body.insts[id];
    let values: Vec<ValueId> = inst.operands.iter().chain(&inst.results).copied().collect();
    let tensors: Vec<&Vec<Vec<FactorIndex>>> = rule.operands.iter().chain(&rule.results).collect();
    if tensors.iter().all(|dims| dims.iter().all(|factors| factors.len() < 2)) {
        return Vec::new();
    }
    let mut alone: Vec<Option<Class>> = vec![None; rule.factors.len()];
    let mut compound = Vec::new();
    for (value, dims) in values.iter().zip(tensors) {
        for (dim, factors) in dims.iter().enumerate() {
            match factors.as_slice() {
                [factor] => alone[*factor] = Some(classes.of(*value, dim)),
                [] => {}
                _ => compound.push((classes.of(*value, dim), factors)),
            }
        }
    }
    let is_sized = |factor: &&FactorIndex| rule.factors[**factor].size > 1;
    compound
        .into_iter()
        .map(|(whole, factors)| {
            (whole, factors.iter().filter(is_sized).map(|factor| alone[*factor]).collect())
        })
        .collect()
}

/// Adds what is reached from `set` along edges.
pub(super) fn grow(set: &mut BTreeSet<Class>, edges: impl Iterator<Item = (Class, Class)>) {
    let edges: BTreeSet<(Class, Class)> = edges.collect();
    let mut open: Vec<Class> = set.iter().copied().collect();
    while let Some(class) = open.pop() {
        for (_, to) in edges.range((class, 0)..=(class, Class::MAX)) {
            if set.insert(*to) {
                open.push(*to);
            }
        }
    }
}

/// The classes of dims that loops take apart.
fn looped(body: &Body, roles: &Roles) -> BTreeSet<Class> {
    let loops = roles.whole.iter().filter(|id| body.insts[**id].op.carries_values());
    let regions = loops.flat_map(|id| &body.insts[*id].regions);
    regions.flat_map(|region| taken_apart(body, roles, *region)).collect()
}

/// The open classes that a recurrence steps along: a loop reads one position of the dim at a time, and carries a value
/// that has another open dim and not this one.
fn stepped(function: &Function, roles: &Roles, open: &BTreeSet<Class>) -> BTreeSet<Class> {
    let body = &function.body;
    let mut found = BTreeSet::new();
    for id in roles.whole.iter().filter(|id| body.insts[**id].op.carries_values()) {
        let inst = &body.insts[*id];
        let carried: Vec<BTreeSet<Class>> = (0..inst.results.len())
            .filter(|index| is_recomputed(body, roles, *id, *index))
            .map(|index| inst.results[index])
            .map(|result| (0..rank(body, result)).map(|dim| roles.classes.of(result, dim)).collect())
            .collect();
        for class in inst.regions.iter().flat_map(|region| taken_apart(body, roles, *region)) {
            let is_recurrent = carried.iter().any(|dims| !dims.contains(&class) && !dims.is_disjoint(open));
            if open.contains(&class) && is_recurrent {
                found.insert(class);
            }
        }
    }
    found
}

/// Whether a loop computes what it carries anew: it neither hands it through nor writes into a part of it, as into an
/// array that collects a value of each round.
fn is_recomputed(body: &Body, roles: &Roles, id: InstId, index: usize) -> bool {
    let Some(region) = body.insts[id].regions.last() else { return false };
    let Some(returned) = body.terminator(*region).and_then(|last| last.operands.get(index)) else {
        return false;
    };
    let arg = body.regions[*region].args[index];
    let is_written_into = match body.values[*returned].def {
        Def::Result(id, 0) => {
            let rule = &roles.rules[id];
            let mixed = |factor: &FactorIndex| !is_passed(rule.factors[*factor].kind);
            body.insts[id].operands.first() == Some(&arg)
                && !computes(body, id)
                && rule.results.first() == rule.operands.first()
                && rule.results.iter().flatten().flatten().any(mixed)
        }
        _ => false,
    };
    *returned != arg && !is_written_into
}

/// The classes of dims of which instructions directly in a region take single positions.
fn taken_apart(body: &Body, roles: &Roles, region: RegionId) -> Vec<Class> {
    let mut found = Vec::new();
    for id in &body.regions[region].insts {
        let (inst, rule) = (&body.insts[*id], &roles.rules[*id]);
        let ([operand, ..], [result]) = (inst.operands.as_slice(), inst.results.as_slice()) else { continue };
        if !inst.regions.is_empty() || rank(body, *operand) != rank(body, *result) {
            continue;
        }
        let (Some(from), Some(to)) = (body.ty(*operand).as_tensor(), body.ty(*result).as_tensor()) else {
            continue;
        };
        for (dim, factors) in rule.operands.first().into_iter().flatten().enumerate() {
            let is_mixed = factors.iter().any(|factor| !is_passed(rule.factors[*factor].kind));
            if is_mixed && from.shape[dim] > 1 && to.shape[dim] == 1 {
                found.push(roles.classes.of(*operand, dim));
            }
        }
    }
    found
}
