//! What a plan does with values between the moment they are made and their last reader.
//!
//! Input: the program as it was given, a plan of it, and a value. Output: a [`Fate`] for each time that the value is made,
//! through whatever calls: kept, made again, in tiles, or on the host.

use meshwright_analyze::phases::{Phase, reads};
use meshwright_analyze::{Phases, Roles};
use meshwright_ir::ids::{InstId, ValueId};
use meshwright_ir::program::{Def, Function, Program, Value};
use meshwright_machine::Bytes;
use meshwright_plan::plan_file::{PlanPolicy, PlanTile};
use meshwright_plan::{Names, PlanFile, Policy};
use meshwright_propagate::explain::Question;
use meshwright_transform::Flat;

use crate::error::CompileError;
use crate::from_plan::same_program;
use crate::global::names_in;
use crate::transform::flattened;

/// Fate of a value between its passes.
#[derive(Clone, Debug, PartialEq)]
pub struct Fate {
    /// Its stable name.
    pub name: String,
    /// Bytes of the whole value.
    pub bytes: Bytes,
    /// What becomes of it.
    pub kind: FateKind,
}

/// Kinds of what becomes of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum FateKind {
    /// It is an argument, there from the start.
    Given,
    /// It is there for the backward pass.
    Kept,
    /// Nothing behind its pass reads it.
    Passing,
    /// It is made again for the backward pass, first for this reader.
    MadeAgain(String),
    /// It lies on the host until this reader, or first of them.
    OnHost(String),
    /// It is never there as a whole.
    InTiles(PlanTile),
}

/// Fates of a value of a program under a plan, one for each time that it is made.
///
/// # Errors
/// [`CompileError::Plan`]: a plan of another program. [`CompileError::Diagnostics`]: a program that cannot be inlined.
pub fn fates(program: &Program, plan: &PlanFile, question: Question) -> Result<Vec<Fate>, CompileError> {
    same_program(plan, program)?;
    let Flat { function, origins } = flattened(program)?;
    let names = names_in(program, &function, &origins);
    let roles = Roles::new(&function);
    let phases = Phases::new(&function, &roles);
    let asked = asked(&function, question);
    let fate = |value: ValueId| {
        let name = names.of_value(value).to_owned();
        let bytes = Bytes(function.body.ty(value).num_bytes() as u64);
        let kind = planned(plan, &names, &name, value);
        let kind = kind.unwrap_or_else(|| as_written(&function, phases.as_ref(), value));
        Fate { name, bytes, kind }
    };
    Ok(asked.into_iter().map(fate).collect())
}

/// The stable names of all values of a program, as plans say them, each with the question about its value. One that is made
/// through several calls has a name for each.
///
/// # Errors
/// [`CompileError::Diagnostics`]: a program that cannot be inlined.
pub fn stable_names(program: &Program) -> Result<Vec<(String, Question)>, CompileError> {
    let Flat { function, origins } = flattened(program)?;
    let names = names_in(program, &function, &origins);
    let values = function.body.values.iter();
    Ok(values.map(|(id, value)| (names.of_value(id).to_owned(), question(value))).collect())
}

/// The question about a value.
fn question(value: &Value) -> Question {
    match value.def {
        Def::Result(_, at) => Question::Value(value.span, at),
        Def::Argument(..) => Question::Value(value.span, 0),
    }
}

/// The values of the inlined function that a question is about.
fn asked(function: &Function, asked: Question) -> Vec<ValueId> {
    if let Question::Argument(index) = asked {
        return function.args().get(index).copied().into_iter().collect();
    }
    let values = function.body.values.iter();
    values.filter(|(_, value)| question(value) == asked).map(|(id, _)| id).collect()
}

/// What the plan itself says of a value.
fn planned(plan: &PlanFile, names: &Names, name: &str, value: ValueId) -> Option<FateKind> {
    let policy = |policy: Policy| {
        let of_value = |entry: &&PlanPolicy| entry.value == name && entry.policy == policy.name();
        plan.policies.iter().find(of_value).map(|entry| entry.reader.clone())
    };
    let is_large = |tile: &&PlanTile| names.value(&tile.value) == Ok(value);
    let again = policy(Policy::Recompute).map(FateKind::MadeAgain);
    let on_host = || policy(Policy::Offload).map(FateKind::OnHost);
    let in_tiles = || plan.tiles.iter().find(is_large).cloned().map(FateKind::InTiles);
    again.or_else(on_host).or_else(in_tiles)
}

/// Where a plan says nothing, a value is kept if something behind its pass reads it.
fn as_written(function: &Function, phases: Option<&Phases>, value: ValueId) -> FateKind {
    let body = &function.body;
    let Def::Result(maker, _) = body.values[value].def else { return FateKind::Given };
    let Some(phases) = phases else { return FateKind::Passing };
    let is_behind = |inst: &InstId| {
        matches!(phases.of[*inst], Phase::Backward | Phase::Turning) && reads(body, *inst).contains(&value)
    };
    let is_kept = phases.of[maker] == Phase::Forward && body.walk(body.entry()).iter().any(is_behind);
    if is_kept { FateKind::Kept } else { FateKind::Passing }
}
