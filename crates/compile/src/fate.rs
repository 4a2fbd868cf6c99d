//! What a plan does with values between the moment they are made and their last reader.
//!
//! Input: the program as it was given, a plan of it, and a value. Output: a [`Fate`] for each time that the value is made,
//! through whatever calls: kept, made again, on the host, and in which tiles.

use meshwright_analyze::phases::{Phase, reads};
use meshwright_analyze::{Phases, Roles};
use meshwright_ir::ids::{InstId, RegionId, ValueId};
use meshwright_ir::loops::runs;
use meshwright_ir::origin::ValueOrigin;
use meshwright_ir::program::{Body, Def, Function, Program, Value};
use meshwright_machine::Bytes;
use meshwright_plan::plan_file::{PlanPolicy, PlanTile};
use meshwright_plan::{Names, PlanFile, Policy};
use meshwright_propagate::explain::Question;
use meshwright_transform::Flat;
use meshwright_transform::recompute::pairs;
use meshwright_transform::tiles::Places;
use std::collections::{BTreeMap, BTreeSet};

use crate::attended::WithKernels;
use crate::error::CompileError;
use crate::from_plan::same_program;
use crate::global::names_in;
use crate::named_value::NamedValue;
use crate::recompute::Recomputed;
use crate::tiled::places_of_plan;
use crate::transform::flattened;

/// Fate of a value between its passes.
#[derive(Clone, Debug, PartialEq)]
pub struct Fate {
    /// Its stable name.
    pub name: String,
    /// Bytes of the whole value, before devices and microbatches share it; of what a loop makes, those of one turn.
    pub bytes: Bytes,
    /// How often a step makes it: in each turn of the loops around it.
    pub turns: u64,
    /// What becomes of it.
    pub kind: FateKind,
    /// The loops over tiles in which it is made.
    pub tiles: Vec<InTiles>,
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
    /// It is only there in loops over tiles, [`Fate::tiles`].
    InTiles,
    /// It is not made: nothing needs it, or something that is equal, or a kernel in which it is, stands for it.
    Gone,
}

/// A loop over tiles in which a value is made.
#[derive(Clone, Debug, PartialEq)]
pub struct InTiles {
    /// The region that runs in them.
    pub region: PlanTile,
    /// The dim of the value that they cut; none if every tile makes all of it.
    pub dim: Option<usize>,
    /// Bytes of it that are there at a time.
    pub bytes: Bytes,
    /// Whether the region is one of the backward pass, which makes again what the forward pass has made.
    pub is_again: bool,
}

/// Fates of a value of a program under a plan, one for each time that it is made; of a copy that the plan makes, its own.
///
/// # Errors
/// [`CompileError::Plan`]: a plan of another program, or of regions in tiles that it does not have.
/// [`CompileError::Diagnostics`]: a program that cannot be inlined.
pub fn fates(program: &Program, plan: &PlanFile, asked: &NamedValue) -> Result<Vec<Fate>, CompileError> {
    same_program(plan, program)?;
    let flat = flattened(program)?;
    let names = names_in(program, &flat.function, &flat.origins);
    let values = self::asked(&flat.function, asked.question);
    let planned = Planned::new(program, flat.clone(), plan)?;
    if let Some(copy) = asked.copy.as_ref().and_then(|copy| planned.fate_of_copy(program, copy)) {
        return Ok(vec![copy]);
    }
    let mut fates: Vec<Fate> = values.into_iter().map(|value| planned.fate(&flat, &names, value)).collect();
    fates.retain(|fate| asked.name.as_ref().is_none_or(|name| *name == fate.name));
    Ok(fates)
}

/// The program of which a plan says what runs in tiles.
struct Planned<'a> {
    plan: &'a PlanFile,
    flat: Flat,
    phases: Option<Phases>,
    places: Places,
    /// The values that loops over layers stack for those of the backward pass.
    stacked: BTreeSet<ValueId>,
    /// Whether each region makes nothing but what the backward pass computes.
    is_backward: Vec<bool>,
}

impl<'a> Planned<'a> {
    fn new(program: &Program, flat: Flat, plan: &'a PlanFile) -> Result<Self, CompileError> {
        let WithKernels { flat, .. } = WithKernels::of_plan(program, flat, plan)?;
        let Recomputed { flat, .. } = Recomputed::of_plan(program, flat, plan)?;
        let body = &flat.function.body;
        let phases = Phases::new(&flat.function, &Roles::new(&flat.function));
        let names = names_in(program, &flat.function, &flat.origins);
        let (regions, places) = places_of_plan(&flat.function, plan, &names)?;
        let is_behind = |value: &ValueId| match (&phases, body.values[*value].def) {
            (Some(phases), Def::Result(inst, _)) => {
                matches!(phases.of[inst], Phase::Backward | Phase::Turning)
            }
            _ => false,
        };
        let is_backward = regions.iter().map(|region| region.makes.iter().all(is_behind)).collect();
        let links = pairs(body).into_iter().flat_map(|pair| pair.links);
        let stacked = links.map(|link| link.value).collect();
        Ok(Self { plan, phases, places, stacked, is_backward, flat })
    }

    /// The fate of a value of the program as it is written, all of which `written` is.
    fn fate(&self, written: &Flat, names: &Names, value: ValueId) -> Fate {
        let name = names.of_value(value).to_owned();
        let bytes = Bytes(written.function.body.ty(value).num_bytes() as u64);
        let copies = self.copies(written, value);
        let own = written.origins.values[value];
        let is_own = |copy: ValueId| self.flat.origins.values[copy] == own;
        let each = copies.iter().flat_map(|copy| self.in_tiles(*copy, bytes, is_own(*copy)));
        let mut tiles: Vec<InTiles> = each.collect();
        let is_whole = copies.iter().any(|copy| self.places.whole.contains(copy));
        let is_made_before = is_whole || tiles.iter().any(|tiles| !tiles.is_again);
        if let (false, Some(first)) = (is_made_before, tiles.first_mut()) {
            first.is_again = false;
        }
        // What a loop makes inside is made again with it.
        let around = || {
            let loops = around(&written.function.body, value);
            let results = loops.iter().flat_map(|inst| &written.function.body.insts[*inst].results);
            let mut planned = results.filter_map(|result| planned(self.plan, names.of_value(*result)));
            planned.find(|kind| matches!(kind, FateKind::MadeAgain(_)))
        };
        let kind = match (planned(self.plan, &name).or_else(around), copies.first()) {
            (Some(kind), _) => kind,
            (None, None) => FateKind::Gone,
            (None, Some(_)) if !tiles.is_empty() && !is_whole => FateKind::InTiles,
            (None, Some(copy)) => self.as_written(*copy),
        };
        Fate { name, bytes, turns: turns(&written.function.body, value), kind, tiles }
    }

    /// The fate of a value that the plan makes, by its name, if it is there before tiles.
    fn fate_of_copy(&self, program: &Program, name: &str) -> Option<Fate> {
        let function = &self.flat.function;
        let value = names_in(program, function, &self.flat.origins).value(name).ok()?;
        let bytes = Bytes(function.body.ty(value).num_bytes() as u64);
        let tiles = self.in_tiles(value, bytes, false);
        let is_whole = tiles.is_empty() || self.places.whole.contains(&value);
        let kind = match planned(self.plan, name) {
            Some(kind) => kind,
            None if is_whole => self.as_written(value),
            None => FateKind::InTiles,
        };
        Some(Fate { name: name.to_owned(), bytes, turns: turns(&function.body, value), kind, tiles })
    }

    /// The values that a value of the program as it is written has become, the one that is called as it is first.
    fn copies(&self, written: &Flat, value: ValueId) -> Vec<ValueId> {
        let own = written.origins.values[value];
        let kind = |flat: &Flat, value: ValueId| match flat.function.body.values[value].def {
            Def::Result(inst, _) => Some(flat.function.body.insts[inst].op.name()),
            Def::Argument(..) => None,
        };
        let others: BTreeSet<ValueOrigin> = written.origins.values.values().copied().collect();
        let is_copy = |other: &ValueId| {
            let origin = self.flat.origins.values[*other];
            let (body, of) = (&self.flat.function.body, &written.function.body);
            origin == own
                || (is_alike(origin, own)
                    && !others.contains(&origin)
                    && kind(&self.flat, *other) == kind(written, value)
                    && body.ty(*other) == of.ty(value))
        };
        let mut copies: Vec<ValueId> = self.flat.function.body.values.ids().filter(is_copy).collect();
        copies.sort_by_key(|copy| self.flat.origins.values[*copy] != own);
        copies
    }

    /// The pass in which a value is made.
    fn phase(&self, value: ValueId) -> Option<Phase> {
        match self.flat.function.body.values[value].def {
            Def::Result(inst, _) => self.phases.as_ref().map(|phases| phases.of[inst]),
            Def::Argument(..) => None,
        }
    }

    /// The loops over tiles in which a value is made. What the forward pass makes first is made again in those of the
    /// backward pass, and so is what is not the program's own.
    fn in_tiles(&self, value: ValueId, bytes: Bytes, is_own: bool) -> Vec<InTiles> {
        let regions = self.plan.tiles.iter().zip(&self.places.inside).zip(&self.is_backward);
        let found = regions.filter_map(|((region, inside), is_backward)| {
            let dim = *inside.get(&value)?;
            let parts = if dim.is_some() { region.count as u64 } else { 1 };
            let bytes = Bytes(bytes.0.div_ceil(parts.max(1)));
            let is_again = !is_own || (*is_backward && self.phase(value) == Some(Phase::Forward));
            Some(InTiles { region: region.clone(), dim, bytes, is_again })
        });
        found.collect()
    }

    /// Where a plan says nothing, a value is kept if something behind its pass reads it.
    fn as_written(&self, value: ValueId) -> FateKind {
        let body = &self.flat.function.body;
        let maker = match body.values[value].def {
            Def::Result(maker, _) => maker,
            Def::Argument(region, _) if region == body.entry() => return FateKind::Given,
            Def::Argument(..) => return FateKind::Passing,
        };
        let Some(phases) = &self.phases else { return FateKind::Passing };
        let is_behind = |inst: &InstId| {
            matches!(phases.of[*inst], Phase::Backward | Phase::Turning)
                && reads(body, *inst).contains(&value)
        };
        let is_read = || body.walk(body.entry()).iter().any(is_behind);
        let is_kept = phases.of[maker] == Phase::Forward && (self.stacked.contains(&value) || is_read());
        if is_kept { FateKind::Kept } else { FateKind::Passing }
    }
}

/// The loops and branches in which a value is made.
fn around(body: &Body, value: ValueId) -> Vec<InstId> {
    let regions = body.region_of();
    let mut owners: BTreeMap<RegionId, InstId> = BTreeMap::new();
    for (id, inst) in body.insts.iter() {
        owners.extend(inst.regions.iter().map(|region| (*region, id)));
    }
    let mut region = match body.values[value].def {
        Def::Result(inst, _) => regions[inst],
        Def::Argument(region, _) => region,
    };
    let mut around = Vec::new();
    while let Some(owner) = owners.get(&region) {
        around.push(*owner);
        region = regions[*owner];
    }
    around
}

/// How often a step makes a value.
fn turns(body: &Body, value: ValueId) -> u64 {
    let region = match body.values[value].def {
        Def::Result(inst, _) => body.region_of()[inst],
        Def::Argument(region, _) => region,
    };
    runs(body)[region]
}

/// Whether two values come from the same result of the text.
fn is_alike(one: ValueOrigin, other: ValueOrigin) -> bool {
    let place = |origin| match origin {
        ValueOrigin::Result(place, index) => Some((place, index)),
        ValueOrigin::Made(origin, index) => Some((origin.place, index)),
        ValueOrigin::Argument(_) | ValueOrigin::Inside(..) => None,
    };
    place(one).is_some() && place(one) == place(other)
}

/// The stable names of all values of a program, as plans say them, each with the question about its value. One that is made
/// through several calls has a name for each.
///
/// # Errors
/// [`CompileError::Diagnostics`]: a program that cannot be inlined.
pub(crate) fn stable_names(program: &Program) -> Result<Vec<(String, Question)>, CompileError> {
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

/// The reader of a policy by its name, or its place where the program does not name it.
fn reader(entry: &PlanPolicy) -> String {
    let place = entry.place.as_ref().filter(|_| entry.reader.starts_with("@+"));
    place.map_or_else(|| entry.reader.clone(), |place| format!("what stands at {place}"))
}

/// What the plan itself says of the value of a name.
fn planned(plan: &PlanFile, name: &str) -> Option<FateKind> {
    let policy = |policy: Policy| {
        let of_value = |entry: &&PlanPolicy| entry.value == name && entry.policy == policy.name();
        plan.policies.iter().find(of_value).map(reader)
    };
    let again = policy(Policy::Recompute).map(FateKind::MadeAgain);
    again.or_else(|| policy(Policy::Offload).map(FateKind::OnHost))
}
