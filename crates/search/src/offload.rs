//! Offload: which values may lie in the memory of the host while nothing reads them.
//!
//! Input: a function, its roles and its phases. Output: a [`Candidate`] for each such value: arguments that are state, and
//! activations that are kept for the backward pass, with the readers in front of which they have to be back. What is chosen
//! of them is up to the caller; the program in which they lie there is made by `meshwright_transform::offload`.
//!
//! - A moment is read by the update alone.
//! - A parameter is read in the forward pass, in the backward pass, and where it is updated; it is brought for each.
//! - What waits within a turn of a loop over layers (`waiting`) is brought for its readers behind the peak of the turn.
//! - An activation is brought for its first reader in the backward pass; of one that a loop stacks for another, the parts
//!   are. What comes out of a loop and is read at once, as from a loop over tiles, goes to the host as a whole; what lies in
//!   tiles never does. Small ones stay: copies of a few bytes take as long as launches, and free nothing.

mod waiting;

pub use waiting::{again, waits};

use meshwright_analyze::{Phase, Phases, Role, Roles};
use meshwright_cost::Analysis;
use meshwright_ir::ids::{Id, InstId, Table, ValueId};
use meshwright_ir::program::{Body, Regions};
use meshwright_transform::offload::parts::{is_of_loop, put, taken};
use std::collections::BTreeSet;

/// The share of what is kept that is too small to be moved, the smallest first.
const SMALL: f64 = 0.01;

/// Kinds of values that may lie on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The optimizer's state of parameters.
    Moments,
    /// Parameters.
    Parameters,
    /// What the forward pass keeps for the backward pass.
    Activations,
    /// What a turn of a loop over layers makes, and reads only when others do not take the memory any more.
    Waiting,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Moments, Self::Parameters, Self::Activations, Self::Waiting];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Moments => "moments",
            Self::Parameters => "parameters",
            Self::Activations => "activations",
            Self::Waiting => "waiting",
        }
    }
}

/// A value that may lie on the host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The value.
    pub value: ValueId,
    /// What it is.
    pub kind: Kind,
    /// The readers in front of which it has to be on the device again.
    pub readers: BTreeSet<InstId>,
}

/// All values that may lie on the host, arguments first.
pub fn candidates(analysis: &Analysis<'_>, roles: &Roles, phases: Option<&Phases>) -> Vec<Candidate> {
    let function = analysis.function;
    let readers = readers(&function.body);
    let mut found = Vec::new();
    for (value, argument) in function.args().iter().zip(&roles.args) {
        let kind = match argument.role {
            Role::Moment { .. } => Kind::Moments,
            Role::Parameter => Kind::Parameters,
            Role::Counter | Role::State | Role::Data => continue,
        };
        let is_large = function.body.ty(*value).as_tensor().is_some_and(|ty| ty.rank() > 0);
        let readers = firsts(&readers[*value], phases);
        if is_large && !readers.is_empty() {
            found.push(Candidate { value: *value, kind, readers });
        }
    }
    found.extend(phases.map(|phases| kept(analysis, phases, &readers)).unwrap_or_default());
    found.extend(phases.map(|_| waiting::waiting(analysis)).unwrap_or_default());
    found
}

/// Candidates of a kind that have at least so many thousandths of its bytes together, as few more as a choice by size finds:
/// the largest as long as none has as much as is left, then the smallest that has. By position.
pub fn enough(body: &Body, all: &[Candidate], kind: Kind, thousandths: usize) -> Vec<usize> {
    let meant = all.iter().enumerate().filter(|(_, candidate)| candidate.kind == kind);
    let mut order: Vec<(usize, usize)> =
        meant.map(|(at, candidate)| (body.ty(candidate.value).num_bytes(), at)).collect();
    order.sort_by_key(|(bytes, at)| (*bytes, std::cmp::Reverse(*at)));
    let bytes: usize = order.iter().map(|(bytes, _)| bytes).sum();
    let (mut left, mut chosen) = ((bytes as f64 * thousandths as f64 / 1e3).ceil() as usize, Vec::new());
    while left > 0 && !order.is_empty() {
        let first = order.partition_point(|(bytes, _)| *bytes < left);
        let (bytes, at) = order.remove(first.min(order.len() - 1));
        chosen.push(at);
        left = left.saturating_sub(bytes);
    }
    chosen
}

/// The instructions of the function's own region that read each value, themselves or inside, in order.
fn readers(body: &Body) -> Table<ValueId, Vec<InstId>> {
    let mut readers = Table::filled(Vec::new(), body.values.len());
    for inst in &body.regions[body.entry()].insts {
        let read: BTreeSet<ValueId> = meshwright_analyze::phases::reads(body, *inst).into_iter().collect();
        read.into_iter().for_each(|value| readers[value].push(*inst));
    }
    readers
}

/// The first reader of each pass.
fn firsts(readers: &[InstId], phases: Option<&Phases>) -> BTreeSet<InstId> {
    let pass = |inst: &InstId| match phases.map(|phases| phases.of[*inst]) {
        None | Some(Phase::Free | Phase::Forward | Phase::Turning) => 0,
        Some(Phase::Backward) => 1,
        Some(Phase::Update) => 2,
    };
    (0..3).filter_map(|wanted| readers.iter().find(|inst| pass(inst) == wanted).copied()).collect()
}

/// Whether a loop makes a value part by part, and others read it so.
fn moves_by_parts(body: &Body, value: ValueId, readers: &[InstId]) -> bool {
    put(body, value).is_some() && readers.iter().all(|inst| taken(body, *inst, value).is_some())
}

/// What the forward pass makes and the backward pass reads, without what is small.
fn kept(analysis: &Analysis<'_>, phases: &Phases, readers: &Table<ValueId, Vec<InstId>>) -> Vec<Candidate> {
    let body = &analysis.function.body;
    let is_late = |inst: &&InstId| matches!(phases.of[**inst], Phase::Backward | Phase::Update);
    // Where parameters are tied, a loop over all layers may depend on all of them, so that the step turns in it.
    let is_early = |inst: &&InstId| {
        let is_loop = body.view(**inst).regions() == Regions::Loop;
        phases.of[**inst] == Phase::Forward || (is_loop && phases.of[**inst] == Phase::Turning)
    };
    let made = body.regions[body.entry()].insts.iter().filter(is_early);
    let results = made.flat_map(|inst| body.insts[*inst].results.iter().copied());
    let mut kept: Vec<(usize, ValueId, InstId)> = results
        .filter(|value| analysis.fusion.is_stored[*value])
        .filter(|value| {
            let is_read_early = readers[*value].iter().any(|inst| is_early(&inst));
            !is_of_loop(body, *value) || is_read_early || moves_by_parts(body, *value, &readers[*value])
        })
        .filter_map(|value| {
            let reader = readers[value].iter().find(is_late)?;
            Some((body.ty(value).num_bytes(), value, *reader))
        })
        .collect();
    kept.sort_by_key(|(bytes, value, _)| (*bytes, *value));
    let all: usize = kept.iter().map(|(bytes, ..)| bytes).sum();
    let mut small = (SMALL * all as f64) as usize;
    kept.retain(|(bytes, ..)| match small.checked_sub(*bytes) {
        Some(left) => {
            small = left;
            false
        }
        None => true,
    });
    kept.sort_by_key(|(_, value, _)| value.index());
    let candidate =
        |(_, value, reader)| Candidate { value, kind: Kind::Activations, readers: [reader].into() };
    kept.into_iter().map(candidate).collect()
}
