//! What each argument of a step is: parameter, moment, counter, other state, or data.
//!
//! Input: a function with calls inlined. Output: [`Roles`]. Only structure decides; names (`jax.result_info`) label.
//!
//! - *State* is an argument that a result replaces: `tf.aliasing_output = k`, or `jax.buffer_donor` and the first
//!   result of its type that nothing else replaces.
//! - A *parameter* is state that reaches a contraction or a gather, and whose replacement is computed element by
//!   element from state: itself, or its master copy. A contraction is an op that reduces a factor which two operands share; a gather reads one along a
//!   factor that is indexed. Where nothing is state (inference), an argument that is not data is a parameter.
//! - A *moment* is other state from which a parameter's replacement is computed element by element.
//! - A *counter* is other state without dims; what remains is plain state, such as a cache.
//! - *Data* is the rest: what the step is fed anew. A step without state is fed its integers, and whatever has the
//!   dim that passes through the contractions with the most flops.
//! - The *gradient* of a parameter is what meets its moments (or itself) in the update, before any scaling.
//!
//! Dims of data are told apart as well: a *feature* dim is contracted with parameters, a *sequence* dim is contracted
//! between activations while the batch passes through (attention), or read in windows; the others are *batch* dims.

use std::collections::{BTreeMap, BTreeSet};

use meshwright_ir::ids::{InstId, Table, ValueId};
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::{FactorIndex, FactorKind, ShardingRule};

use crate::dim_classes::{Class, DimClasses};
use crate::flow::{Marks, downstream, upstream};
use crate::shardings::sharded_insts;

/// The value depends on data.
pub const DATA: Marks = 1;
/// The value depends on parameters.
pub const PARAMETERS: Marks = 2;

/// What an argument is.
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

/// What everything in a step is for.
#[derive(Clone, Debug)]
pub struct Roles {
    /// Every argument.
    pub args: Vec<Argument>,
    /// The gradient of each parameter that has one, by argument number.
    pub gradients: BTreeMap<usize, ValueId>,
    /// All instructions that work on whole tensors, in execution order.
    pub insts: Vec<InstId>,
    /// The sharding rule of each of them; without factors for the others.
    pub rules: Table<InstId, ShardingRule>,
    /// Which dims are the same dim of the model.
    pub classes: DimClasses,
    /// Classes of batch dims.
    pub batch: BTreeSet<Class>,
    /// Classes of the dims of data along which tokens (or pixels) follow one another.
    pub sequence: BTreeSet<Class>,
    /// For every value, whether it depends on data ([`DATA`]) and on parameters ([`PARAMETERS`]).
    pub depends: Table<ValueId, Marks>,
}

impl Roles {
    /// Finds out what everything in `function` (with calls inlined, verified) is.
    pub fn new(function: &Function) -> Self {
        let body = &function.body;
        let insts = sharded_insts(body, body.entry());
        let mut rules = Table::filled(ShardingRule::default(), body.insts.len());
        for id in &insts {
            let view = body.view(*id);
            rules[*id] = view.inst.op.rule(&view);
        }
        let classes = DimClasses::new(function, &insts, &rules);
        let mut args = arguments(function);
        let mut uses_weights = Table::filled(0, body.insts.len());
        for id in &insts {
            if is_gather(&rules[*id]) || !contracted(&rules[*id]).is_empty() {
                uses_weights[*id] = 1;
            }
        }
        let reaches = upstream(body, &uses_weights);
        let updates = update_cones(function, &rules, &args);
        let state: Vec<ValueId> = (0..args.len())
            .filter(|index| args[*index].result.is_some())
            .map(|index| function.args()[index])
            .collect();
        for (index, value) in function.args().iter().enumerate() {
            // A parameter may also be replaced by its master copy, converted.
            let is_own_update =
                updates[index].as_ref().is_some_and(|cone| state.iter().any(|value| cone.contains(value)));
            if args[index].result.is_some() {
                args[index].role = match (reaches[*value] != 0, is_own_update) {
                    (true, true) => Role::Parameter,
                    _ if rank(body, *value) == 0 => Role::Counter,
                    _ => Role::State,
                };
            }
        }
        assign_moments(function, &updates, &mut args);
        if !args.iter().any(|arg| arg.role == Role::Parameter) {
            parameters_of_inference(function, &insts, &rules, &classes, &mut args);
        }
        let depends = dependences(function, &args);
        let mut roles = Self {
            args,
            gradients: BTreeMap::new(),
            insts,
            rules,
            classes,
            batch: BTreeSet::new(),
            sequence: BTreeSet::new(),
            depends,
        };
        (roles.batch, roles.sequence) = data_dims(function, &roles);
        roles.gradients = gradients(function, &roles, &updates);
        roles
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

/// Whether an op reads its first operand at positions chosen at run time.
fn is_gather(rule: &ShardingRule) -> bool {
    let first = rule.operands.first().into_iter().flatten().flatten();
    let mut indexed = first.filter(|factor| rule.factors[**factor].kind == FactorKind::Indexed);
    indexed.any(|factor| !rule.is_in_results(*factor))
}

fn rank(body: &Body, value: ValueId) -> usize {
    body.ty(value).as_tensor().map_or(0, |tensor| tensor.rank())
}

/// Every argument with the result that replaces it; the others count as data for now.
fn arguments(function: &Function) -> Vec<Argument> {
    let int = |index: usize, name: &str| {
        function.arg_attributes[index]
            .get(name)
            .and_then(|attr| attr.as_int())
            .and_then(|k| usize::try_from(k).ok())
    };
    let mut results: Vec<Option<usize>> =
        (0..function.args().len()).map(|index| int(index, "tf.aliasing_output")).collect();
    let mut taken: BTreeSet<usize> = results.iter().flatten().copied().collect();
    for (index, value) in function.args().iter().enumerate() {
        if results[index].is_none() && function.arg_attributes[index].get("jax.buffer_donor").is_some() {
            let fits =
                |k: &usize| !taken.contains(k) && function.result_types[*k] == *function.body.ty(*value);
            results[index] = (0..function.result_types.len()).find(fits);
            taken.extend(results[index]);
        }
    }
    let path = |result: usize| {
        function.result_attributes.get(result)?.get("jax.result_info")?.as_str().and_then(tree_path)
    };
    results
        .into_iter()
        .map(|result| {
            let result = result.filter(|k| *k < function.result_types.len());
            Argument { role: Role::Data, result, path: result.and_then(path) }
        })
        .collect()
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

/// For each argument that is replaced, the values from which its replacement is computed element by element: a walk
/// from the result backwards through elementwise ops over values of its shape.
fn update_cones(
    function: &Function,
    rules: &Table<InstId, ShardingRule>,
    args: &[Argument],
) -> Vec<Option<BTreeSet<ValueId>>> {
    let body = &function.body;
    let returned = function.returned();
    args.iter()
        .map(|arg| {
            let mut cone = BTreeSet::new();
            let mut open = vec![returned[arg.result?]];
            while let Some(value) = open.pop() {
                if cone.insert(value) {
                    open.extend(elementwise_operands(body, rules, value));
                }
            }
            Some(cone)
        })
        .collect()
}

/// The operands of the op that defines `value` which are read element by element: same dims, same shape, and not
/// broadcast from less. Empty if the op is not elementwise.
fn elementwise_operands(body: &Body, rules: &Table<InstId, ShardingRule>, value: ValueId) -> Vec<ValueId> {
    let Def::Result(id, result) = body.values[value].def else { return Vec::new() };
    let (inst, rule) = (&body.insts[id], &rules[id]);
    let is_elementwise = inst.results.len() == 1
        && inst.regions.is_empty()
        && rule.factors.iter().all(|factor| factor.kind == FactorKind::PassThrough);
    if !is_elementwise {
        return Vec::new();
    }
    let shape = |value: ValueId| body.ty(value).as_tensor().map(|tensor| &tensor.shape);
    let same = |(operand, factors): &(&ValueId, &Vec<Vec<FactorIndex>>)| {
        **factors == rule.results[result] && shape(**operand) == shape(value)
    };
    let mut operands: Vec<ValueId> =
        inst.operands.iter().zip(&rule.operands).filter(same).map(|(operand, _)| *operand).collect();
    operands.dedup();
    operands
}

/// State that is not a parameter, but has its shape and goes into its update, is a moment of it.
fn assign_moments(function: &Function, updates: &[Option<BTreeSet<ValueId>>], args: &mut [Argument]) {
    let number: BTreeMap<ValueId, usize> =
        function.args().iter().enumerate().map(|(index, value)| (*value, index)).collect();
    for parameter in 0..args.len() {
        if args[parameter].role != Role::Parameter || rank(&function.body, function.args()[parameter]) == 0 {
            continue;
        }
        for value in updates[parameter].iter().flatten() {
            if let Some(&index) = number.get(value)
                && args[index].role == Role::State
            {
                args[index].role = Role::Moment { of: parameter };
            }
        }
    }
}

/// Where no state tells: data are the integers, and what has the dim that passes through the most flops.
fn parameters_of_inference(
    function: &Function,
    insts: &[InstId],
    rules: &Table<InstId, ShardingRule>,
    classes: &DimClasses,
    args: &mut [Argument],
) {
    let body = &function.body;
    let mut flops: BTreeMap<Class, f64> = BTreeMap::new();
    for id in insts {
        let (inst, rule) = (&body.insts[*id], &rules[*id]);
        if contracted(rule).is_empty() {
            continue;
        }
        let types =
            |values: &[ValueId]| values.iter().map(|value| body.ty(*value).clone()).collect::<Vec<_>>();
        let work = inst.op.flops(&types(&inst.operands), &types(&inst.results));
        let passing: BTreeSet<Class> =
            (0..rank(body, inst.results[0])).map(|dim| classes.of(inst.results[0], dim)).collect();
        for class in passing {
            *flops.entry(class).or_default() += work;
        }
    }
    let most = flops.values().copied().fold(0.0, f64::max);
    // Ties go to the class that comes first in the arguments: batch dims are written before the others.
    let batch = flops.iter().filter(|(_, work)| **work >= most).map(|(class, _)| *class).min();
    for (index, value) in function.args().iter().enumerate() {
        let Some(tensor) = body.ty(*value).as_tensor() else { continue };
        let has_batch = (0..tensor.rank()).any(|dim| Some(classes.of(*value, dim)) == batch);
        let is_data = !tensor.element.is_float() || has_batch;
        if args[index].role == Role::Data && !is_data {
            args[index].role = Role::Parameter;
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

/// Which classes of the data's dims are batch and which are sequence.
fn data_dims(function: &Function, roles: &Roles) -> (BTreeSet<Class>, BTreeSet<Class>) {
    let body = &function.body;
    let dims = |index: usize| {
        let value = function.args()[index];
        let shape = body.ty(value).as_tensor().map_or(&[][..], |tensor| &tensor.shape);
        shape
            .iter()
            .enumerate()
            .filter(|(_, size)| **size > 1)
            .map(move |(dim, _)| roles.classes.of(value, dim))
    };
    let of_data: BTreeSet<Class> = roles.data().flat_map(dims).collect();
    let mut feature = BTreeSet::new();
    let mut windowed = BTreeSet::new();
    // For each contraction of activations: the classes reduced and the classes passed through.
    let mut contractions: Vec<(BTreeSet<Class>, BTreeSet<Class>)> = Vec::new();
    for id in &roles.insts {
        let (inst, rule) = (&body.insts[*id], &roles.rules[*id]);
        for (factor, class) in factor_classes(roles, body, *id) {
            if matches!(rule.factors[factor].kind, FactorKind::Halo) {
                windowed.insert(class);
            }
        }
        let reduced = contracted(rule);
        if reduced.is_empty() || inst.operands.iter().all(|operand| roles.depends[*operand] & DATA == 0) {
            continue;
        }
        let weights = inst.operands.iter().any(|operand| roles.depends[*operand] == PARAMETERS);
        let mut sides = (BTreeSet::new(), BTreeSet::new());
        for (factor, class) in factor_classes(roles, body, *id) {
            if reduced.contains(&factor) {
                sides.0.insert(class);
            } else {
                sides.1.insert(class);
            }
        }
        if weights {
            feature.extend(sides.0);
        } else {
            contractions.push(sides);
        }
    }
    let open: BTreeSet<Class> = of_data.difference(&feature).copied().collect();
    let is_sequence = |class: &Class| {
        windowed.contains(class)
            || contractions.iter().any(|(reduced, passed)| {
                reduced.contains(class) && passed.iter().any(|other| other != class && open.contains(other))
            })
    };
    let (mut sequence, mut batch): (BTreeSet<Class>, BTreeSet<Class>) =
        open.iter().copied().partition(is_sequence);
    if batch.is_empty() {
        // Every dim looks like a sequence: the first dim of the data is the batch, by convention.
        batch = roles
            .data()
            .filter_map(|index| dims(index).next())
            .filter(|class| !feature.contains(class))
            .collect();
        sequence = sequence.difference(&batch).copied().collect();
    }
    (batch, sequence)
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

/// The gradient of each parameter: where the update meets a value that comes from neither the parameter's own
/// replacement path nor its moments, that value without the elementwise scaling in front of it; the earliest of all.
fn gradients(
    function: &Function,
    roles: &Roles,
    updates: &[Option<BTreeSet<ValueId>>],
) -> BTreeMap<usize, ValueId> {
    let body = &function.body;
    let order = execution_order(body, &roles.insts);
    let mut own: BTreeMap<usize, BTreeSet<ValueId>> = BTreeMap::new();
    for (index, arg) in roles.args.iter().enumerate() {
        let parameter = match arg.role {
            Role::Parameter => index,
            Role::Moment { of } => of,
            _ => continue,
        };
        own.entry(parameter).or_default().insert(function.args()[index]);
    }
    let mut gradients = BTreeMap::new();
    for (parameter, own) in own {
        let Some(cone) = &updates[parameter] else { continue };
        let mut values: Vec<ValueId> = cone.iter().copied().collect();
        values.sort_by_key(|value| order[*value]);
        // Within the update, what is computed from the parameter or its moments.
        let mut tainted = own.clone();
        let mut meeting: Vec<ValueId> = Vec::new();
        for value in values {
            let operands = elementwise_operands(body, &roles.rules, value);
            if operands.iter().any(|operand| tainted.contains(operand)) {
                tainted.insert(value);
                meeting.extend(operands);
            }
        }
        let gradient = meeting
            .into_iter()
            .filter(|value| !tainted.contains(value) && roles.depends[*value] & DATA != 0)
            .map(|value| unscaled(body, roles, value))
            .min_by_key(|value| order[*value]);
        gradients.extend(gradient.map(|value| (parameter, value)));
    }
    gradients
}

/// The value before elementwise ops of which it is the only operand that depends on data.
fn unscaled(body: &Body, roles: &Roles, mut value: ValueId) -> ValueId {
    loop {
        let Def::Result(id, _) = body.values[value].def else { return value };
        let mut sources: Vec<ValueId> = body.insts[id]
            .operands
            .iter()
            .copied()
            .filter(|operand| roles.depends[*operand] & DATA != 0)
            .collect();
        sources.dedup();
        let [source] = sources.as_slice() else { return value };
        if elementwise_operands(body, &roles.rules, value).contains(source) {
            value = *source;
        } else {
            return value;
        }
    }
}

/// For every value, its place in the order of execution; arguments first.
fn execution_order(body: &Body, insts: &[InstId]) -> Table<ValueId, usize> {
    let mut order = Table::filled(0, body.values.len());
    for (position, id) in insts.iter().enumerate() {
        for result in &body.insts[*id].results {
            order[*result] = position + 1;
        }
    }
    order
}
