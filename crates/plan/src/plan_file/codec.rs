//! Decisions as parts of a plan file: one of their two codecs (the other is [`crate::attributes`]).
//!
//! Input and output: decisions about a function with all calls inlined, the names of what is in it, and a plan file.
//! Shardings in a plan are closed: it is complete, and nothing is to be added to it. Arguments and results are said as
//! tensors of the plan, with what a reader wants to know of them; what is inside the program by its names.

use super::{PlanFile, PlanOpStrategy, PlanPolicy, PlanSharding, PlanStage, PlanTensor, PlanTile};
use crate::attributes::{strategy, strategy_names};
use crate::names::Names;
use crate::{Decisions, Policy, Schedule, Tile, Use, axes};
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Def, Function};
use meshwright_ir::rule::Strategy;
use meshwright_ir::sharding::{Sharding, ShardingError};
use meshwright_tensor::types::Type;
use std::collections::BTreeMap;

/// A plan does not fit the program, or contradicts itself.
pub const PLAN: Check = Check("plan");

/// A function and what its parts are called.
#[derive(Clone, Copy)]
pub struct Named<'a> {
    /// The function, with all calls inlined.
    pub function: &'a Function,
    /// Names of its values and instructions.
    pub names: &'a Names,
    /// Places of the source, for people.
    pub place: &'a dyn Fn(Span) -> Option<String>,
}

/// Writes what is decided inside the program into a plan: shardings of values that are no arguments, strategies, policies,
/// tiles, stages and the schedule.
pub fn write(plan: &mut PlanFile, decisions: &Decisions, mesh: &Mesh, named: Named<'_>) {
    let Named { function, names, place } = named;
    let body = &function.body;
    let inner = decisions.values.iter().filter(|(value, _)| function.argument_index(**value).is_none());
    plan.shardings = inner
        .map(|(value, sharding)| PlanSharding {
            value: names.of_value(*value).to_owned(),
            place: place(span_of(function, *value)),
            shape: shape(body.ty(*value)).to_vec(),
            sharding: axes::names(sharding, mesh),
        })
        .collect();
    let strategies = decisions.strategies.iter();
    plan.op_strategies = strategies
        .map(|(inst, strategy)| PlanOpStrategy {
            instruction: names.of_inst(*inst).to_owned(),
            place: place(body.insts[*inst].span),
            factors: strategy_names(strategy, mesh),
        })
        .collect();
    let policies = decisions.policies.iter();
    plan.policies = policies
        .map(|(group, policy)| PlanPolicy {
            value: names.of_value(group.value).to_owned(),
            reader: names.of_inst(group.reader).to_owned(),
            place: place(body.insts[group.reader].span),
            policy: policy.name().to_owned(),
        })
        .collect();
    plan.tiles = decisions.tiles.iter().map(|tile| self::tile(tile, named)).collect();
    let stages = decisions.stages.iter();
    plan.stages = stages
        .map(|(inst, stage)| PlanStage {
            instruction: names.of_inst(*inst).to_owned(),
            stage: *stage,
            layers_before: None,
        })
        .collect();
    let rows = decisions.schedule.iter().map(Schedule::to_string);
    plan.schedule = rows.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
}

/// A region in tiles as a plan says it.
pub fn tile(tile: &Tile, named: Named<'_>) -> PlanTile {
    let Named { function, names, place } = named;
    let all = |values: &[ValueId]| values.iter().map(|value| names.of_value(*value).to_owned()).collect();
    PlanTile {
        value: names.of_value(tile.value).to_owned(),
        holds: String::new(),
        place: place(span_of(function, tile.value)),
        shape: shape(function.body.ty(tile.value)).to_vec(),
        dim: tile.dim,
        count: tile.count,
        reads: all(&tile.reads),
        makes: all(&tile.makes),
    }
}

/// Adds what a plan decides to `decisions`, and replaces what they say of the same things. A plan of version 1 is left
/// out but for arguments and results.
///
/// # Errors
/// Each with its key's path and place: names that are lost or ambiguous, other shapes, shardings and strategies that do not
/// fit the mesh or the op, and what is said twice.
pub fn read(
    plan: &PlanFile,
    function: &Function,
    mesh: &Mesh,
    names: &Names,
    decisions: &mut Decisions,
) -> Result<(), Diagnostics> {
    let mut reader = Reader { plan, function, mesh, names, problems: Diagnostics::new() };
    decisions.mesh = Some(mesh.clone());
    reader.arguments_and_results(decisions);
    reader.values(decisions);
    reader.op_strategies(decisions);
    reader.policies(decisions);
    reader.tiles(decisions);
    reader.stages(decisions);
    if reader.problems.is_empty() { Ok(()) } else { Err(reader.problems) }
}

/// Values that a plan makes again, in the program before anything is, each with its first reader.
///
/// # Errors
/// Names that are lost or ambiguous; values that are made again twice.
pub fn made_again(plan: &PlanFile, names: &Names) -> Result<BTreeMap<ValueId, InstId>, Diagnostics> {
    let (mut again, mut problems) = (BTreeMap::new(), Diagnostics::new());
    for (at, Use { value, reader }) in uses(plan, names, Policy::Recompute)? {
        if again.insert(value, reader).is_some() {
            let (path, name) = (format!("policies[{at}].value"), names.of_value(value));
            let message = format!("`{path}`: `{name}` is made again twice");
            let hint = "keep the entry of the first reader: those behind it read the same";
            problems.push(Diagnostic::error(PLAN, plan.places.at(&path), message).hint(hint));
        }
    }
    if problems.is_empty() { Ok(again) } else { Err(problems) }
}

/// Regions that a plan has in tiles, in the program before anything is.
///
/// # Errors
/// Names that are lost or ambiguous.
pub fn tiles(plan: &PlanFile, names: &Names) -> Result<Vec<Tile>, Diagnostics> {
    let mut problems = Diagnostics::new();
    let mut value = |path: String, name: &str| {
        let refused = |why| Diagnostic::error(PLAN, plan.places.at(&path), format!("`{path}`: {why}"));
        names.value(name).map_err(|why| problems.push(refused(why))).ok()
    };
    let mut tiles = Vec::new();
    for (entry, planned) in plan.tiles.iter().enumerate() {
        let mut all = |key: &str, found: &[String]| -> Option<Vec<ValueId>> {
            let found = found.iter().enumerate();
            found.map(|(at, name)| value(format!("tiles[{entry}].{key}[{at}]"), name)).collect()
        };
        let (reads, makes) = (all("reads", &planned.reads), all("makes", &planned.makes));
        let large = value(format!("tiles[{entry}].value"), &planned.value);
        if let (Some(value), Some(reads), Some(makes)) = (large, reads, makes) {
            tiles.push(Tile { value, dim: planned.dim, count: planned.count, reads, makes });
        }
    }
    if problems.is_empty() { Ok(tiles) } else { Err(problems) }
}

/// Uses for which a plan has values come from the host, in the program that time has cut.
///
/// # Errors
/// Names that are lost or ambiguous.
pub fn offloaded(plan: &PlanFile, names: &Names) -> Result<Vec<Use>, Diagnostics> {
    uses(plan, names, Policy::Offload).map(|uses| uses.into_iter().map(|(_, group)| group).collect())
}

/// Refuses that a plan has this policy for uses that are none.
pub fn no_uses(plan: &PlanFile, names: &Names, policy: Policy, none: &[Use]) -> Diagnostics {
    let named: Vec<(&str, &str)> =
        none.iter().map(|group| (names.of_value(group.value), names.of_inst(group.reader))).collect();
    let is_none = |entry: &PlanPolicy| {
        let is_named = |(value, reader): &(&str, &str)| entry.value == *value && entry.reader == *reader;
        entry.policy == policy.name() && named.iter().any(is_named)
    };
    let entries = plan.policies.iter().enumerate().filter(|(_, entry)| is_none(entry));
    let refused = |(at, entry): (usize, &PlanPolicy)| {
        let path = format!("policies[{at}].reader");
        let message = format!(
            "`{path}`: `{}` does not read `{}` so that it could be `{}`",
            entry.reader, entry.value, entry.policy
        );
        Diagnostic::error(PLAN, plan.places.at(&path), message)
            .hint("leave this entry out, or make the plan anew")
    };
    entries.map(refused).collect()
}

/// The uses for which a plan has a policy, each with the number of its entry.
fn uses(plan: &PlanFile, names: &Names, policy: Policy) -> Result<Vec<(usize, Use)>, Diagnostics> {
    let (mut uses, mut problems) = (Vec::new(), Diagnostics::new());
    for (at, entry) in plan.policies.iter().enumerate().filter(|(_, entry)| entry.policy == policy.name()) {
        let mut refused = |key: &str, why: String| {
            let path = format!("policies[{at}].{key}");
            problems.push(Diagnostic::error(PLAN, plan.places.at(&path), format!("`{path}`: {why}")));
        };
        let value = names.value(&entry.value).map_err(|why| refused("value", why));
        let reader = names.inst(&entry.reader).map_err(|why| refused("reader", why));
        if let (Ok(value), Ok(reader)) = (value, reader) {
            uses.push((at, Use { value, reader }));
        }
    }
    if problems.is_empty() { Ok(uses) } else { Err(problems) }
}

/// Where a value stands in the source.
fn span_of(function: &Function, value: ValueId) -> Span {
    let content = &function.body.values[value];
    match content.def {
        Def::Result(inst, _) if !content.span.is_some() => function.body.insts[inst].span,
        _ => content.span,
    }
}

fn shape(ty: &Type) -> &[usize] {
    ty.as_tensor().map_or(&[], |tensor| &tensor.shape)
}

struct Reader<'a> {
    plan: &'a PlanFile,
    function: &'a Function,
    mesh: &'a Mesh,
    names: &'a Names,
    problems: Diagnostics,
}

impl Reader<'_> {
    fn refuse(&mut self, path: &str, message: impl std::fmt::Display) {
        self.refuse_with(path, message, None);
    }

    fn refuse_with(&mut self, path: &str, message: impl std::fmt::Display, hint: Option<String>) {
        let mut found = Diagnostic::error(PLAN, self.plan.places.at(path), format!("`{path}`: {message}"));
        found.hints.extend(hint.filter(|hint| !hint.is_empty()));
        self.problems.push(found);
    }

    fn arguments_and_results(&mut self, decisions: &mut Decisions) {
        let (plan, function) = (self.plan, self.function);
        let body = &function.body;
        let arguments: Vec<&Type> = function.args().iter().map(|value| body.ty(*value)).collect();
        let found = self.tensors("argument", &plan.arguments, &arguments);
        for (value, sharding) in function.args().iter().zip(found) {
            decisions.values.extend(sharding.map(|sharding| (*value, sharding)));
        }
        let results: Vec<&Type> = function.result_types.iter().collect();
        let found = self.tensors("result", &plan.results, &results);
        decisions.results.resize(found.len(), None);
        for (decided, sharding) in decisions.results.iter_mut().zip(found) {
            *decided = sharding.or_else(|| decided.take());
        }
    }

    /// The sharding of each argument or result, by position; none where the plan says nothing of it.
    fn tensors(&mut self, kind: &str, planned: &[PlanTensor], types: &[&Type]) -> Vec<Option<Sharding>> {
        let mut shardings = vec![None; types.len()];
        for (entry, tensor) in planned.iter().enumerate() {
            let path = format!("{kind}s[{entry}]");
            let name = tensor.name.as_ref().map_or(String::new(), |name| format!(" ({name})"));
            let label = format!("{kind} {}{name}", tensor.index);
            let Some(ty) = types.get(tensor.index) else {
                let message = format!("the plan has {label}, but the program has {} {kind}s", types.len());
                self.refuse(&format!("{path}.index"), message);
                continue;
            };
            if shardings[tensor.index].is_some() {
                self.refuse(&format!("{path}.index"), format!("the plan has {label} twice"));
                continue;
            }
            let Some(own) = ty.as_tensor() else { continue };
            if own.shape != tensor.shape || own.element.name() != tensor.element {
                let planned = format!("{:?} of {}", tensor.shape, tensor.element);
                self.refuse(&path, format!("{label} is {planned} in the plan, but {own} in the program"));
                continue;
            }
            shardings[tensor.index] =
                self.sharding(&format!("{path}.sharding"), &label, &tensor.sharding, &tensor.shape);
        }
        shardings
    }

    fn sharding(
        &mut self,
        path: &str,
        label: &str,
        names: &[Vec<String>],
        shape: &[usize],
    ) -> Option<Sharding> {
        match axes::resolve(names, self.mesh, shape) {
            Ok(sharding) => Some(sharding),
            Err(ShardingError { message, hint }) => {
                self.refuse_with(path, format!("{label}: {message}"), Some(hint));
                None
            }
        }
    }

    fn values(&mut self, decisions: &mut Decisions) {
        let mut said = std::collections::BTreeSet::new();
        for (entry, planned) in self.plan.shardings.iter().enumerate() {
            let path = format!("shardings[{entry}]");
            let Some(value) = self.value(&format!("{path}.value"), &planned.value) else { continue };
            let label = format!("value `{}`", planned.value);
            let own = self.function.body.ty(value);
            if self.function.argument_index(value).is_some() {
                self.refuse(&path, format!("{label} is an argument: its sharding stands in `arguments`"));
            } else if own.as_tensor().is_none() || shape(own) != planned.shape {
                let message = format!("{label} is {:?} in the plan, but {own} in the program", planned.shape);
                self.refuse(&format!("{path}.shape"), message);
            } else if !said.insert(value) {
                self.refuse(&path, format!("the plan has the sharding of {label} twice"));
            } else {
                let found =
                    self.sharding(&format!("{path}.sharding"), &label, &planned.sharding, &planned.shape);
                decisions.values.extend(found.map(|sharding| (value, sharding)));
            }
        }
    }

    fn value(&mut self, path: &str, name: &str) -> Option<ValueId> {
        self.names.value(name).map_err(|why| self.refuse(path, why)).ok()
    }

    fn inst(&mut self, path: &str, name: &str) -> Option<InstId> {
        self.names.inst(name).map_err(|why| self.refuse(path, why)).ok()
    }

    fn op_strategies(&mut self, decisions: &mut Decisions) {
        let mut said = std::collections::BTreeSet::new();
        for (entry, planned) in self.plan.op_strategies.iter().enumerate() {
            let path = format!("op_strategies[{entry}]");
            let name = &planned.instruction;
            let Some(inst) = self.inst(&format!("{path}.instruction"), name) else { continue };
            if !said.insert(inst) {
                self.refuse(&path, format!("the plan has the strategy of `{name}` twice"));
                continue;
            }
            let found: Result<Strategy, String> = strategy(self.function, inst, &planned.factors, self.mesh);
            match found {
                Ok(strategy) => drop(decisions.strategies.insert(inst, strategy)),
                Err(why) => self.refuse(&format!("{path}.factors"), format!("instruction `{name}`: {why}")),
            }
        }
    }

    fn policies(&mut self, decisions: &mut Decisions) {
        let mut said = std::collections::BTreeSet::new();
        for (entry, planned) in self.plan.policies.iter().enumerate() {
            let path = format!("policies[{entry}]");
            if self.is_without_name(planned) {
                continue;
            }
            let value = self.value(&format!("{path}.value"), &planned.value);
            let reader = self.inst(&format!("{path}.reader"), &planned.reader);
            let policy = Policy::from_name(&planned.policy);
            if policy.is_none() {
                let message =
                    format!("there is no policy `{}`; there are {}", planned.policy, Policy::names());
                self.refuse(&format!("{path}.policy"), message);
            }
            let (Some(value), Some(reader), Some(policy)) = (value, reader, policy) else { continue };
            // What is made again, or comes from the host, is read under another name.
            let is_elsewhere = matches!(policy, Policy::Recompute | Policy::Offload);
            let is_read = self.function.body.insts[reader].operands.contains(&value);
            if !is_elsewhere && !is_read {
                let message = format!("`{}` does not read `{}`", planned.reader, planned.value);
                self.refuse(&format!("{path}.reader"), message);
            } else if !said.insert(Use { reader, value }) {
                self.refuse(&path, "the plan has the policy of this use twice");
            } else {
                decisions.policies.set(Use { reader, value }, policy);
            }
        }
    }

    /// What is made again inside of a region in tiles has no name of its own there, nor has a loop of which less is left.
    /// Names that are lost before are refused by [`made_again`].
    fn is_without_name(&self, planned: &PlanPolicy) -> bool {
        let is_lost = self.names.value(&planned.value).is_err() || self.names.inst(&planned.reader).is_err();
        is_lost && planned.policy == Policy::Recompute.name()
    }

    /// Names that are lost are refused by [`tiles`], which reads the same of the program before it runs in tiles.
    fn tiles(&mut self, decisions: &mut Decisions) {
        decisions.tiles = tiles(self.plan, self.names).unwrap_or_default();
    }

    fn stages(&mut self, decisions: &mut Decisions) {
        let mut said = std::collections::BTreeSet::new();
        for (entry, planned) in self.plan.stages.iter().enumerate() {
            let path = format!("stages[{entry}]");
            let name = &planned.instruction;
            let Some(inst) = self.inst(&format!("{path}.instruction"), name) else { continue };
            if said.insert(inst) {
                decisions.stages.insert(inst, planned.stage);
            } else {
                self.refuse(&path, format!("the plan has the stage of `{name}` twice"));
            }
        }
        if self.plan.schedule.is_empty() {
            return;
        }
        match Schedule::from_rows(&self.plan.schedule) {
            Ok(schedule) => decisions.schedule = Some(schedule),
            Err((row, why)) => self.refuse(&format!("schedule[{row}]"), why),
        }
    }
}
