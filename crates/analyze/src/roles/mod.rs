//! What each argument of a step is: parameter, moment, counter, other state, or data.
//!
//! Input: a function with calls inlined. Output: [`Roles`]. Structure decides; names (`jax.result_info`, locations of
//! arguments) label, and break ties.
//!
//! - *State* is an argument that a result replaces: aliased, donated, or updated from itself and gradients (`state`).
//!   A function trains if some result is made from the gradient of an argument (`training`).
//! - A *parameter* is an argument that has a gradient, or state that reaches a contraction or a gather and whose
//!   replacement is computed element by element from state: itself, or its master copy (`updates`). A contraction is
//!   an op that reduces a factor which two operands share (a convolution too); a gather reads one along a factor that
//!   is indexed. An argument of a function that trains which reaches a contraction and has none of the dims that
//!   gradients are summed over is a parameter too: a frozen one. Where nothing trains, `inference` decides.
//! - A *moment* is other state from which a parameter's replacement is computed element by element.
//! - A *counter* is other state without dims; what remains is plain state, such as a cache.
//! - *Data* is the rest: what the step is fed anew.
//! - The *gradient* of a parameter is what meets its moments (or itself) in the update, before any scaling.
//!
//! Dims of data are told apart as well (`data_dims`): along *batch* dims examples do not know of one another, along
//! *sequence* dims tokens and pixels do.

mod data_dims;
mod experts;
mod gradients;
mod inference;
mod spread;
mod state;
mod training;
mod updates;

pub use data_dims::split;
pub(crate) use updates::elementwise_operands;

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Function};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};

use crate::dim_classes::{Class, DimClasses};
use crate::flow::{Marks, downstream, upstream, whole_insts};
use crate::model_flops::is_product;
use crate::names;
use crate::origins::Origins;
use data_dims::DataDims;
use meshwright_plan::shardings::sharded_insts;

/// The value depends on data.
pub const DATA: Marks = 1;
/// The value depends on parameters.
pub const PARAMETERS: Marks = 2;

/// Roles of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// Trained (or, in inference, given) weights.
    Parameter,
    /// The optimizer's memory of one parameter.
    Moment {
        /// Argument number of the parameter.
        of: usize,
    },
    /// A scalar that the step replaces.
    Counter,
    /// Anything else that the step replaces, such as a cache.
    State,
    /// What the step is fed.
    Data,
}

/// One argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// What it is.
    pub role: Role,
    /// Which result replaces it.
    pub result: Option<usize>,
    /// What the program calls it, such as `layers.0.w1`: the place in its tree, without the tree's own number.
    pub path: Option<String>,
}

/// Roles of the arguments, values and instructions of a step.
#[derive(Clone, Debug)]
pub struct Roles {
    /// Every argument.
    pub args: Vec<Argument>,
    /// The gradient of each parameter that has one, by argument number.
    pub gradients: BTreeMap<usize, ValueId>,
    /// All instructions that work on whole tensors, in execution order.
    pub insts: Vec<InstId>,
    /// Those and the instructions inside branches, which are planned whole.
    pub whole: Vec<InstId>,
    /// The sharding rule of each of `whole`; without factors for the others.
    pub rules: Table<InstId, ShardingRule>,
    /// Which dims are the same dim of the model.
    pub classes: DimClasses,
    /// Which values hold the same numbers.
    pub origins: Origins,
    /// Classes of batch dims.
    pub batch: BTreeSet<Class>,
    /// Classes of the dims of data along which tokens (or pixels) follow one another.
    pub sequence: BTreeSet<Class>,
    /// Those of them along which a loop steps and carries what it made of the step before.
    pub recurrent: BTreeSet<Class>,
    /// Classes of the dims that number experts.
    pub experts: BTreeSet<Class>,
    /// For every value, whether it depends on data ([`DATA`]) and on parameters ([`PARAMETERS`]).
    pub depends: Table<ValueId, Marks>,
}

impl Roles {
    /// Returns whether an instruction is a product with what depends on parameters alone.
    pub fn multiplies_weights(&self, function: &Function, inst: InstId) -> bool {
        let content = &function.body.insts[inst];
        let is_weight = |value: &ValueId| self.depends[*value] == PARAMETERS;
        is_product(&content.op, &self.rules[inst]) && content.operands.iter().any(is_weight)
    }

    /// Number of tokens in a step: integers along batch and sequence. None where there are no such data.
    pub fn tokens(&self, function: &Function) -> Option<u64> {
        let tokens = function.args().iter().zip(&self.args).filter_map(|(value, argument)| {
            let ty = function.body.ty(*value).as_tensor()?;
            let is_along = |classes: &BTreeSet<Class>| {
                (0..ty.rank()).any(|dim| classes.contains(&self.classes.of(*value, dim)))
            };
            let are_tokens = argument.role == Role::Data && ty.element.is_integer();
            (are_tokens && is_along(&self.batch) && is_along(&self.sequence))
                .then(|| ty.num_elements() as u64)
        });
        tokens.max()
    }

    /// Finds out what everything in `function` (with calls inlined, verified) is.
    pub fn new(function: &Function) -> Self {
        let body = &function.body;
        let whole = whole_insts(body, body.entry());
        let mut rules = Table::filled(ShardingRule::default(), body.insts.len());
        for id in &whole {
            let view = body.view(*id);
            rules[*id] = view.inst.op.rule(&view);
        }
        let mut varies = Table::filled(0, body.values.len());
        function.args().iter().for_each(|arg| varies[*arg] = 1);
        let varies = downstream(body, varies);
        let of_scalars = made_of_scalars(body, &whole);
        let classes = DimClasses::new(function, &whole, &rules, &|id, operand| {
            let operand = body.insts[id].operands[operand];
            varies[operand] != 0 && !of_scalars[operand]
        });
        let origins = Origins::new(function, &whole, &rules, &varies);
        let cones = updates::cones(function, &rules);
        let mut training = training::training(function, &whole, &rules, &classes, &origins, &varies);
        let pairs = &training.pairs;
        training.summed.extend(spread::summed(function, &whole, &rules, &classes, &cones, &varies, pairs));
        let written = |result: usize| updates::written(function, &rules, result);
        let facts = state::Facts {
            function,
            cones: &cones,
            written: &written,
            training: &training,
            origins: &origins,
        };
        let state::Matched { results, gradients } = state::matched(&facts);
        let mut args = arguments(function, &results);
        let reaches = reaches_weights(body, &whole, &rules);
        let state: BTreeSet<ValueId> = (0..args.len())
            .filter(|index| results[*index].is_some())
            .map(|index| function.args()[index])
            .collect();
        for (index, value) in function.args().iter().enumerate() {
            let has_gradient = training.pairs.range((index, 0)..(index + 1, 0)).next().is_some();
            // A parameter may also be replaced by its master copy, converted.
            let is_updated = results[index].is_some_and(|result| !cones[result].is_disjoint(&state));
            args[index].role = match results[index] {
                _ if has_gradient || (is_updated && reaches[*value] != 0) => Role::Parameter,
                None => Role::Data,
                Some(_) if rank(body, *value) == 0 => Role::Counter,
                Some(_) => Role::State,
            };
        }
        let mut passing = None;
        if training.pairs.is_empty() {
            passing = inference::assign(function, &whole, &rules, &classes, &origins, &mut args);
        } else {
            let fed = data_dims::fed(body, &whole, &rules, &classes, &training.summed);
            assign_frozen(function, &classes, &fed, &reaches, &mut args);
        }
        assign_moments(function, &results, &cones, &mut args);
        let depends = dependences(function, &args);
        let mut roles = Self {
            args,
            gradients: BTreeMap::new(),
            insts: sharded_insts(body, body.entry()),
            whole,
            rules,
            classes,
            origins,
            batch: BTreeSet::new(),
            sequence: BTreeSet::new(),
            recurrent: BTreeSet::new(),
            experts: BTreeSet::new(),
            depends,
        };
        let DataDims { batch, sequence, recurrent } =
            data_dims::data_dims(function, &roles, &training, passing);
        (roles.batch, roles.sequence, roles.recurrent) = (batch, sequence, recurrent);
        roles.experts = experts::experts(function, &roles);
        roles.gradients = gradients::gradients(function, &roles, &cones);
        for (index, result) in
            gradients.iter().enumerate().filter_map(|(index, result)| Some((index, (*result)?)))
        {
            roles.gradients.insert(index, function.returned()[result]);
        }
        roles
    }

    /// For every value of a function with the same arguments, what it depends on.
    pub fn depends_in(&self, function: &Function) -> Table<ValueId, Marks> {
        dependences(function, &self.args)
    }

    /// Argument numbers of all parameters.
    pub fn parameters(&self) -> impl Iterator<Item = usize> {
        (0..self.args.len()).filter(|index| self.args[*index].role == Role::Parameter)
    }

    /// Argument numbers of all moments.
    pub fn moments(&self) -> impl Iterator<Item = usize> {
        (0..self.args.len()).filter(|index| matches!(self.args[*index].role, Role::Moment { .. }))
    }

    /// Argument numbers of the data.
    pub fn data(&self) -> impl Iterator<Item = usize> {
        (0..self.args.len()).filter(|index| self.args[*index].role == Role::Data)
    }
}

/// The factors that an op reduces and that two of its operands share: empty unless it is a contraction.
pub fn contracted(rule: &ShardingRule) -> Vec<FactorIndex> {
    let is_in =
        |operand: &Vec<Vec<FactorIndex>>, factor| operand.iter().flatten().any(|other| *other == factor);
    (0..rule.factors.len())
        .filter(|factor| matches!(rule.factors[*factor].kind, FactorKind::Reduced(_)))
        .filter(|factor| rule.operands.iter().filter(|operand| is_in(operand, *factor)).count() >= 2)
        .collect()
}

/// Returns whether an op reads (gather) or writes (scatter) its first operand at positions chosen at run time.
pub fn is_lookup(rule: &ShardingRule) -> bool {
    rule.factors.iter().any(|factor| factor.kind == FactorKind::Indexed)
}

/// For each value, whether it reaches a contraction or a gather.
fn reaches_weights(
    body: &Body,
    insts: &[InstId],
    rules: &Table<InstId, ShardingRule>,
) -> Table<ValueId, Marks> {
    let mut read = Table::filled(0, body.values.len());
    for id in insts {
        let is_gather = is_lookup(&rules[*id]) && !writes(&rules[*id]);
        if is_gather || !contracted(&rules[*id]).is_empty() {
            body.insts[*id].operands.iter().for_each(|operand| read[*operand] = 1);
        }
    }
    upstream(body, read)
}

/// Whether a lookup writes: what is indexed is in the result.
fn writes(rule: &ShardingRule) -> bool {
    (0..rule.factors.len())
        .any(|factor| rule.factors[factor].kind == FactorKind::Indexed && rule.is_in_results(factor))
}

/// Every argument with the result that replaces it; all count as data for now.
fn arguments(function: &Function, results: &[Option<usize>]) -> Vec<Argument> {
    let of_results = names::of_results(function);
    let of_locations = names::of_locations(function);
    let argument = |(index, result): (usize, &Option<usize>)| {
        let name = result.and_then(|result| of_results.get(result)?.as_deref());
        let path = name.or(of_locations[index].as_deref()).and_then(tree_path);
        Argument { role: Role::Data, result: *result, path }
    };
    results.iter().enumerate().map(argument).collect()
}

/// Whether each value is made of scalars alone, as a bias correction that is broadcast to the shape of a moment: it has no
/// dims of its own, and two ops that share it need not work on the same.
fn made_of_scalars(body: &Body, whole: &[InstId]) -> Table<ValueId, bool> {
    let is_scalar = |value: ValueId| body.ty(value).as_tensor().is_some_and(|tensor| tensor.rank() == 0);
    let mut found: Table<ValueId, bool> = body.values.ids().map(is_scalar).collect();
    for id in whole {
        let inst = &body.insts[*id];
        let is_plain = inst.regions.is_empty() && !inst.operands.is_empty();
        if is_plain && inst.operands.iter().all(|operand| found[*operand]) {
            inst.results.iter().for_each(|result| found[*result] = true);
        }
    }
    found
}

/// What nothing replaces, reaches a contraction and has none of the dims that gradients are summed over is a frozen
/// parameter.
fn assign_frozen(
    function: &Function,
    classes: &DimClasses,
    fed: &BTreeSet<Class>,
    reaches: &Table<ValueId, Marks>,
    args: &mut [Argument],
) {
    for (value, arg) in function.args().iter().zip(args.iter_mut()) {
        let Some(tensor) = function.body.ty(*value).as_tensor() else { continue };
        let is_fed =
            (0..tensor.rank()).any(|dim| tensor.shape[dim] > 1 && fed.contains(&classes.of(*value, dim)));
        let is_weight = tensor.element.is_float() && tensor.rank() > 0 && reaches[*value] != 0;
        if arg.role == Role::Data && is_weight && !is_fed {
            arg.role = Role::Parameter;
        }
    }
}

fn rank(body: &Body, value: ValueId) -> usize {
    body.ty(value).as_tensor().map_or(0, |tensor| tensor.rank())
}

/// `result[0]['layers'][3]['w1']` as `layers.3.w1`: `result` and the first index name the tree, not the leaf.
fn tree_path(info: &str) -> Option<String> {
    let mut keys: Vec<String> = Vec::new();
    for part in info.split(['[', '.']).skip(1) {
        keys.push(part.trim_end_matches(']').trim_matches(['\'', '"']).to_owned());
    }
    if keys.first().is_some_and(|key| key.parse::<usize>().is_ok()) {
        keys.remove(0);
    }
    let path = keys.join(".");
    (!path.is_empty()).then_some(path)
}

/// State that is not a parameter, but has its shape and goes into its update, is a moment of it.
fn assign_moments(
    function: &Function,
    results: &[Option<usize>],
    cones: &[BTreeSet<ValueId>],
    args: &mut [Argument],
) {
    let number: BTreeMap<ValueId, usize> =
        function.args().iter().enumerate().map(|(index, value)| (*value, index)).collect();
    for parameter in 0..args.len() {
        if args[parameter].role != Role::Parameter || rank(&function.body, function.args()[parameter]) == 0 {
            continue;
        }
        for value in results[parameter].iter().flat_map(|result| &cones[*result]) {
            if let Some(&index) = number.get(value)
                && args[index].role == Role::State
            {
                args[index].role = Role::Moment { of: parameter };
            }
        }
    }
}

/// What every value depends on.
fn dependences(function: &Function, args: &[Argument]) -> Table<ValueId, Marks> {
    let mut marks = Table::filled(0, function.body.values.len());
    for (value, arg) in function.args().iter().zip(args) {
        marks[*value] = match arg.role {
            Role::Data => DATA,
            Role::Parameter => PARAMETERS,
            Role::Moment { .. } | Role::Counter | Role::State => 0,
        };
    }
    downstream(&function.body, marks)
}

/// The factors of an instruction that are a whole dim of some operand or result, each with that dim's class.
pub fn factor_classes(roles: &Roles, body: &Body, id: InstId) -> Vec<(FactorIndex, Class)> {
    let (inst, rule) = (&body.insts[id], &roles.rules[id]);
    let mut classes: Vec<Option<Class>> = vec![None; rule.factors.len()];
    let values = inst.operands.iter().chain(&inst.results);
    for (value, factors) in values.zip(rule.operands.iter().chain(&rule.results)) {
        for (dim, factors) in factors.iter().enumerate() {
            if let [factor] = factors.as_slice() {
                classes[*factor] = Some(roles.classes.of(*value, dim));
            }
        }
    }
    classes.into_iter().enumerate().filter_map(|(factor, class)| Some((factor, class?))).collect()
}

/// Returns whether a contraction of activations makes the gradient of weights: it contracts the batch.
pub fn makes_weights(roles: &Roles, id: InstId, function: &Function) -> bool {
    let reduced = contracted(&roles.rules[id]);
    factor_classes(roles, &function.body, id)
        .iter()
        .any(|(factor, class)| reduced.contains(factor) && roles.batch.contains(class))
}
