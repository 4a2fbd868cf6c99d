//! Parts of a model that clauses are about: some of its layers, or parameters of some names.
//!
//! Input: constraints and a function. Output: [`Scoped`]: for each clause that is about a part the products with its
//! parameters, forward and back to their inputs, and of a way to shard a product the devices that share the parameter, or its
//! experts.
//!
//! Layers that are one loop are sharded alike, so what is said of one of them is said of all.

use meshwright_analyze::name_patterns::{is_named, layers};
use meshwright_analyze::names;
use meshwright_analyze::roles::{DATA, Role, Roles, contracted, is_lookup};
use meshwright_analyze::rows::row_of;
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::program::{Body, Def, Function};
use meshwright_ir::rule::{FactorIndex, ShardingRule};
use meshwright_plan::{DegreeName, Shardings};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::{Clause, Constraints};

/// A part of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Layers from one to another.
    Layers(usize, usize),
    /// Parameters of these names, as pins write them.
    Named(String),
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Layers(first, last) if first == last => write!(f, "layers {first}"),
            Self::Layers(first, last) => write!(f, "layers {first}-{last}"),
            Self::Named(pattern) => f.write_str(pattern),
        }
    }
}

impl Scope {
    /// Whether an argument, of which a row is read if that is known, belongs to the part.
    fn has(&self, name: &str, argument: usize, row: Option<usize>) -> bool {
        match self {
            Self::Named(pattern) => is_named(name, argument, pattern),
            Self::Layers(first, last) => layers(name).is_some_and(|found| {
                let own = row.and_then(|row| found.numbers.get(row)).filter(|_| found.numbers.len() > 1);
                let numbers = own.map_or(found.numbers.as_slice(), std::slice::from_ref);
                numbers.iter().any(|number| (first..=last).contains(&number))
            }),
        }
    }
}

/// So many parameters are named where a clause is about none.
const MOST_NAMED: usize = 8;

/// The products that each clause is about.
#[derive(Clone, Debug, Default)]
pub struct Scoped {
    /// Of each product that a clause is about: its operand that is a parameter, and the clauses, by position.
    products: BTreeMap<InstId, (usize, Vec<usize>)>,
}

/// Reason for which a clause is about layers that no parameter is of, if the names of these number layers.
fn beyond(clause: &Clause, names: &[String], roles: &Roles) -> Option<String> {
    let Some(Scope::Layers(_, last)) = clause.scope else { return None };
    let parameters = names.iter().zip(&roles.args).filter(|(_, own)| own.role == Role::Parameter);
    let of_names = parameters.filter_map(|(name, _)| layers(name));
    let known: BTreeSet<usize> = of_names.flat_map(|found| found.numbers).collect();
    let (first, end) = (known.first()?, known.last()?);
    let count = known.len();
    (last > *end).then(|| format!("`{clause}`: the program has {count} layers, numbered {first} to {end}"))
}

impl Scoped {
    /// Those of a function.
    ///
    /// # Errors
    /// A clause is about parameters, or layers, that the function does not have.
    pub fn of(constraints: &Constraints, function: &Function, roles: &Roles) -> Result<Self, String> {
        let mut own = Self::default();
        let clauses = || constraints.clauses.iter().enumerate().filter(|(_, clause)| clause.scope.is_some());
        if clauses().next().is_none() {
            return Ok(own);
        }
        let mut met: BTreeSet<usize> = BTreeSet::new();
        let mut multiplied: BTreeSet<usize> = BTreeSet::new();
        let names: Vec<String> = names::of_arguments(function)
            .into_iter()
            .enumerate()
            .map(|(index, name)| name.unwrap_or_else(|| format!("arg{index}")))
            .collect();
        if let Some(problem) = clauses().find_map(|(_, clause)| beyond(clause, &names, roles)) {
            return Err(problem);
        }
        let reading = Reading { body: &function.body, roles, owners: owners(&function.body) };
        for inst in &roles.whole {
            let rule = &roles.rules[*inst];
            if contracted(rule).is_empty() && !is_lookup(rule) {
                continue;
            }
            let operands = &function.body.insts[*inst].operands;
            let Some((operand, parameters)) = reading.parameters(operands) else { continue };
            multiplied.extend(parameters.iter().map(|(argument, _)| *argument));
            let is_about = |clause: &Clause| {
                let scope = clause.scope.as_ref();
                scope.is_some_and(|scope| {
                    parameters.iter().any(|(argument, row)| scope.has(&names[*argument], *argument, *row))
                })
            };
            let about: Vec<usize> =
                clauses().filter(|(_, clause)| is_about(clause)).map(|(at, _)| at).collect();
            if !about.is_empty() {
                met.extend(&about);
                own.products.insert(*inst, (operand, about));
            }
        }
        match clauses().find(|(at, _)| !met.contains(at)) {
            Some((_, clause)) => {
                let known: Vec<String> = multiplied
                    .iter()
                    .take(MOST_NAMED)
                    .map(|argument| format!("`{}`", names[*argument]))
                    .collect();
                let others = multiplied.len() - known.len();
                let others = if others > 0 { format!(" and {others} more") } else { String::new() };
                let known = match known.is_empty() {
                    true => String::new(),
                    false => format!(", but with {}{others}", known.join(", ")),
                };
                Err(format!("`{clause}`: the program multiplies with no such parameters{known}"))
            }
            None => Ok(own),
        }
    }

    /// The operand of a product that is a parameter, and the clauses that it has to keep to, by position.
    pub(crate) fn said_of(&self, inst: InstId) -> (usize, &[usize]) {
        self.products.get(&inst).map_or((0, &[]), |(operand, clauses)| (*operand, clauses))
    }

    /// Whether a product that is sharded so keeps to its clauses; `shards` says of each factor of its rule by how many.
    pub(crate) fn keeps(
        &self,
        constraints: &Constraints,
        inst: InstId,
        rule: &ShardingRule,
        shards: &dyn Fn(FactorIndex) -> usize,
    ) -> bool {
        self.broken_by(constraints, inst, rule, shards).is_none()
    }

    /// The first clause to which a plan does not keep.
    pub(crate) fn broken<'c>(
        &self,
        constraints: &'c Constraints,
        roles: &Roles,
        shardings: &Shardings,
    ) -> Option<&'c Clause> {
        self.products.keys().find_map(|inst| {
            let strategy = &shardings.strategies[*inst];
            let shards = |factor: FactorIndex| {
                let axes = strategy.axes.get(factor).map_or(&[][..], Vec::as_slice);
                axes.iter().map(|axis| shardings.mesh.size(*axis)).product()
            };
            self.broken_by(constraints, *inst, &roles.rules[*inst], &shards)
        })
    }

    fn broken_by<'c>(
        &self,
        constraints: &'c Constraints,
        inst: InstId,
        rule: &ShardingRule,
        shards: &dyn Fn(FactorIndex) -> usize,
    ) -> Option<&'c Clause> {
        let (operand, clauses) = self.products.get(&inst)?;
        let clauses = clauses.iter().filter_map(|at| constraints.clauses.get(*at));
        let mut clauses = clauses.filter(|clause| {
            let number = number(rule, *operand, clause.degree, shards);
            !clause.test.holds(number)
        });
        clauses.next()
    }
}

/// By how many devices a product shares its parameter (`tp`), or the experts that all of its tensors have (`ep`).
fn number(
    rule: &ShardingRule,
    operand: usize,
    degree: DegreeName,
    shards: &dyn Fn(FactorIndex) -> usize,
) -> usize {
    let factors: BTreeSet<FactorIndex> =
        rule.operands.get(operand).into_iter().flatten().flatten().copied().collect();
    let has = |tensor: &Vec<Vec<FactorIndex>>, factor: FactorIndex| {
        tensor.iter().flatten().any(|own| *own == factor)
    };
    let is_everywhere =
        |factor: FactorIndex| rule.operands.iter().chain(&rule.results).all(|tensor| has(tensor, factor));
    let is_wanted = |factor: &FactorIndex| is_everywhere(*factor) == (degree == DegreeName::Ep);
    factors.into_iter().filter(is_wanted).map(shards).product()
}

/// Instructions that are looked through between a parameter and what multiplies with it.
const MOST_BETWEEN: usize = 64;

/// How products read parameters.
struct Reading<'a> {
    body: &'a Body,
    roles: &'a Roles,
    /// The instruction that each region belongs to.
    owners: BTreeMap<RegionId, InstId>,
}

/// An argument, and which of its rows is read if that is one.
type Read = (usize, Option<usize>);

impl Reading<'_> {
    /// The operand that is made of parameters alone, beside one that is not, and these parameters.
    fn parameters(&self, operands: &[ValueId]) -> Option<(usize, Vec<Read>)> {
        let depends_on_data = |value: &ValueId| self.roles.depends[*value] & DATA != 0;
        operands.iter().any(depends_on_data).then_some(())?;
        operands.iter().enumerate().filter(|(_, value)| !depends_on_data(value)).find_map(|(index, value)| {
            let found = self.arguments(*value);
            (!found.is_empty()).then_some((index, found))
        })
    }

    /// The arguments that a value is made of.
    fn arguments(&self, value: ValueId) -> Vec<Read> {
        let mut open = vec![(value, None)];
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        while let Some((value, row)) = open.pop() {
            if !seen.insert(value) || seen.len() > MOST_BETWEEN {
                continue;
            }
            match self.body.values[value].def {
                Def::Argument(region, index) if region == self.body.entry() => found.push((index, row)),
                Def::Argument(region, index) => {
                    let operands = self.owners.get(&region).map(|inst| &self.body.insts[*inst].operands);
                    open.extend(operands.and_then(|operands| operands.get(index)).map(|value| (*value, row)));
                }
                Def::Result(inst, _) => {
                    let row = row_of(self.body, inst).or(row);
                    let operands = self.body.insts[inst].operands.iter();
                    open.extend(
                        operands
                            .filter(|value| self.roles.depends[**value] & DATA == 0)
                            .map(|value| (*value, row)),
                    );
                }
            }
        }
        found
    }
}

/// The instruction that each region belongs to.
fn owners(body: &Body) -> BTreeMap<RegionId, InstId> {
    let all = body.walk(body.entry());
    all.into_iter()
        .flat_map(|inst| body.insts[inst].regions.iter().map(move |region| (*region, inst)))
        .collect()
}
