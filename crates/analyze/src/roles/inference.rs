//! What the arguments of a function are that replaces no parameter: a forward pass, an evaluation.
//!
//! Input: the function and what each argument would be if it trained. Output: *data* are the integers, and whatever
//! has the dim that passes through the contractions with the most flops, which is the batch (ties go to what stands on
//! the left of products, `x w`, and then to the first argument); the other arguments are parameters. No argument has it
//! where a dim that is none of theirs passes through nearly all contractions, as in data drawn from a random key. A
//! function without contractions is fed all its arguments. The dim is the output.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::Function;
use meshwright_ir::rule::{FactorIndex, ShardingRule};

use super::{Argument, Role, contracted, is_lookup, rank};
use crate::dim_classes::{Class, DimClasses};
use crate::flow::runs_of_insts;
use crate::origins::Origins;

/// The share of all work that a dim passes through if no argument needs to have it to be the batch.
const ALL: f64 = 0.9;

/// Sets the roles of arguments that nothing replaces, or whose memory only is reused. Returns the batch.
pub(super) fn assign(
    function: &Function,
    insts: &[InstId],
    rules: &Table<InstId, ShardingRule>,
    classes: &DimClasses,
    origins: &Origins,
    args: &mut [Argument],
) -> Option<Class> {
    let body = &function.body;
    let runs = runs_of_insts(body);
    let mut total = 0.0;
    // Of all contractions that a class passes through, and of those where it comes from the left.
    let mut flops: BTreeMap<Class, [f64; 2]> = BTreeMap::new();
    for id in insts {
        let (inst, rule) = (&body.insts[*id], &rules[*id]);
        if contracted(rule).is_empty() || is_lookup(rule) {
            continue;
        }
        let types =
            |values: &[ValueId]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<_>>();
        let work = runs[*id] * inst.op.flops(&types(&inst.operands), &types(&inst.results));
        total += work;
        let of = |value: ValueId| (0..rank(body, value)).map(move |dim| classes.of(value, dim));
        // The width that square weights contract comes anew from the right, though the left has it.
        let is_from_left = |factors: &Vec<FactorIndex>| {
            factors.iter().any(|factor| rule.operands[0].iter().flatten().any(|other| other == factor))
        };
        let left: BTreeSet<Class> = of(inst.results[0])
            .zip(&rule.results[0])
            .filter_map(|(class, factors)| is_from_left(factors).then_some(class))
            .collect();
        for class in of(inst.results[0]).collect::<BTreeSet<_>>() {
            let [all, on_left] = flops.entry(class).or_default();
            *all += work;
            *on_left += if left.contains(&class) { work } else { 0.0 };
        }
    }
    add_merged(function, insts, rules, classes, &mut flops);
    let of_args = classes_of_args(function, classes);
    let most = |position: usize, classes: &BTreeSet<Class>| -> BTreeSet<Class> {
        let work = |class: &Class| flops.get(class).map_or(0.0, |work| work[position]);
        let most = classes.iter().map(work).fold(0.0, f64::max);
        classes.iter().filter(|class| flops.contains_key(class) && work(class) >= most).copied().collect()
    };
    let drawn = drawn(function, insts, rules, classes, &flops, total).filter(|_| {
        let keys = function.args().iter().filter(|value| body.ty(**value).as_tensor().is_some());
        keys.into_iter().any(|value| !body.tensor(*value).element.is_float())
    });
    let batch = drawn.or_else(|| most(1, &most(0, &of_args)).first().copied());
    // Also what is merged with the batch, or split off: examples and heads in one dim.
    let fed = super::data_dims::fed(body, insts, rules, classes, &batch.into_iter().collect());
    for (index, value) in function.args().iter().enumerate() {
        let Some(tensor) = body.ty(*value).as_tensor() else { continue };
        let has_batch = (0..tensor.rank()).any(|dim| fed.contains(&classes.of(*value, dim)));
        let is_fed = !tensor.element.is_float() || has_batch || batch.is_none();
        args[index].role = match args[index].role {
            Role::Data if !is_fed => Role::Parameter,
            // What is updated in place stays state; where only the memory is reused, it is fed.
            Role::Parameter | Role::State if has_batch => {
                let result = args[index].result.map(|result| function.returned()[result]);
                let in_place = result.is_some_and(|result| origins.of(result) == origins.of(*value));
                if in_place { Role::State } else { Role::Data }
            }
            role => role,
        };
    }
    batch
}

/// The dim that passes through nearly all of the work and is made of no argument's.
fn drawn(
    function: &Function,
    insts: &[InstId],
    rules: &Table<InstId, ShardingRule>,
    classes: &DimClasses,
    flops: &BTreeMap<Class, [f64; 2]>,
    total: f64,
) -> Option<Class> {
    let body = &function.body;
    let all = |(_, work): &(&Class, &[f64; 2])| work[0] > 0.0 && work[0] >= ALL * total;
    let passing: BTreeSet<Class> = flops.iter().filter(all).map(|(class, _)| *class).collect();
    let made_of = super::data_dims::fed(body, insts, rules, classes, &passing);
    passing.first().copied().filter(|_| made_of.is_disjoint(&classes_of_args(function, classes)))
}

fn classes_of_args(function: &Function, classes: &DimClasses) -> BTreeSet<Class> {
    let dims = |value: &ValueId| {
        let value = *value;
        (0..rank(&function.body, value)).map(move |dim| classes.of(value, dim))
    };
    function.args().iter().flat_map(dims).collect()
}

/// A dim that merges others (`[batch, tokens, width]` as `[batch tokens, width]`) passes where its first part would.
fn add_merged(
    function: &Function,
    insts: &[InstId],
    rules: &Table<InstId, ShardingRule>,
    classes: &DimClasses,
    flops: &mut BTreeMap<Class, [f64; 2]>,
) {
    let mut wholes: BTreeMap<Class, Class> = BTreeMap::new();
    for id in insts {
        for (part, whole) in super::data_dims::merges(&function.body, *id, &rules[*id], classes) {
            wholes.entry(whole).or_insert(part);
        }
    }
    let merged: Vec<(Class, [f64; 2])> =
        wholes.iter().filter_map(|(whole, part)| Some((*part, *flops.get(whole)?))).collect();
    for (part, work) in merged {
        let sum = flops.entry(part).or_default();
        *sum = [sum[0] + work[0], sum[1] + work[1]];
    }
}
