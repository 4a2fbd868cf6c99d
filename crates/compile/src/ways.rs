//! Degrees of which some are open, and constraints: which way is asked for.
//!
//! Input: a program, a machine and options. Output: options in which one way is asked for, the best of all that are allowed,
//! as they cost before the passes over the local program; nothing where no degrees are open. What keeps to no constraint is
//! an error that names the clause.

use meshwright_analyze::{ModelFlops, Roles, model_flops};
use meshwright_cost::analysis::Analysis;
use meshwright_cost::reshard::Planner;
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::{Check, Diagnostic, Source, Span};
use meshwright_ir::program::{Function, Program};
use meshwright_machine::Machine;
use meshwright_plan::Decisions;
use meshwright_search::{
    Clause, Constraints, Facts, ParallelDegrees, Refusal, RequestedWays, Scoped, Unsaid,
};
use meshwright_shard::Propagated;
use meshwright_transform::time::divisors;
use rayon::prelude::*;

use crate::choose;
use crate::decided::{Chosen, Score, WrittenFunction, score, variants};
use crate::driver::Request;
use crate::error::CompileError;
use crate::global::Global;
use crate::mesh::MESH;
use crate::options::{DegreeSpace, Options, Search};
use crate::stages::{self, Stages};
use crate::transform::flattened;

/// No plan keeps to a constraint.
pub(crate) const ALLOWED: Check = Check("allow");

/// The options with the best of all ways asked for; `None` where they leave nothing open.
///
/// # Errors
/// [`CompileError::NotAllowed`]: a clause leaves no way. [`CompileError::Options`]: degrees that do not fit the machine or the
/// program, levels of links that the machine does not have.
pub(crate) fn chosen(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
) -> Result<Option<Options>, CompileError> {
    let Options { asked, degrees, allowed, .. } = options;
    suit(allowed, machine, program)?;
    if let Some(asked) = asked.filter(|_| !allowed.is_empty()) {
        must_be_allowed(&[asked], allowed, machine)?;
    }
    if options.plan.is_some() || asked.is_some() || (degrees.is_empty() && allowed.is_empty()) {
        return Ok(None);
    }
    let quiet = Options { stop_after: None, ..options.clone() };
    let stages = Stages::new(&stages::stages(), &quiet, &Quiet)?;
    let request = Request {
        original: program,
        source,
        machine,
        options: &quiet,
        control: &Quiet,
        stages,
        reshards: Planner::default(),
    };
    let global = Global::read(&request)?;
    let variants = variants(&global);
    let ways = Ways::of(&request, &global, &variants)?;
    Scoped::of(allowed, &global.function, &global.roles).map_err(|problem| usage(&problem))?;
    let open = ways.open(degrees, degrees_unsaid(degrees, &ways))?;
    let is_searched = degrees.is_empty() && options.search != Some(Search::None);
    let open = match must_be_allowed(&open, allowed, machine) {
        // What no way says a search may find: parts of the model that are sharded otherwise than the rest, and devices that
        // compute the same.
        Err(CompileError::NotAllowed(_))
            if is_searched
                && (leave_copies(&allowed.of_whole(), machine, ways.requested.has_experts())
                    || allowed.has_parts()
                        && must_be_allowed(&open, &allowed.of_whole(), machine).is_ok()) =>
        {
            return Ok(None);
        }
        open => open?,
    };
    let priced: Vec<Result<(Score, ParallelDegrees), Refusal>> =
        open.par_iter().map(|way| Ok((score(&ways.priced(*way)?.estimate, &request), *way))).collect();
    let mut best: Option<(Score, ParallelDegrees)> = None;
    let mut refusal = None;
    for priced in priced {
        match priced {
            Ok(found) if best.as_ref().is_none_or(|best| found.0 < best.0) => best = Some(found),
            Ok(_) => {}
            Err(problem) => refusal = refusal.or(Some(problem)),
        }
    }
    match (best, refusal) {
        (Some((_, way)), _) => {
            Ok(Some(Options { asked: Some(way), degrees: DegreeSpace::default(), ..options.clone() }))
        }
        (None, Some(refusal)) if allowed.is_empty() => Err(choose::refused(refusal)),
        (None, refusal) => {
            let why = refusal.map(|refusal| format!(": {refusal}")).unwrap_or_default();
            let message = format!("the program has nothing for the ways that `{allowed}` leaves{why}");
            Err(not_allowed(message))
        }
    }
}

/// Refuses constraints on links that the machine does not have, and on parts that the program does not have.
pub(crate) fn suit(allowed: &Constraints, machine: &Machine, program: &Program) -> Result<(), CompileError> {
    allowed.suit(machine).map_err(|problem| usage(&problem))?;
    if allowed.clauses.iter().all(|clause| clause.scope.is_none()) {
        return Ok(());
    }
    let function = flattened(program)?.function;
    let scoped = Scoped::of(allowed, &function, &Roles::new(&function));
    scoped.map(|_| ()).map_err(|problem| usage(&problem))
}

/// Without any degree that is said, those that the field varies are open.
fn degrees_unsaid(degrees: &DegreeSpace, ways: &Ways<'_>) -> Unsaid {
    match degrees.is_empty() {
        true => Unsaid::Searched { experts: ways.requested.has_experts() },
        false => Unsaid::Least,
    }
}

/// All that ways of one program share.
pub(crate) struct Ways<'a> {
    request: &'a Request<'a>,
    global: &'a Global,
    written: WrittenFunction<'a>,
    /// Its variants, analyzed.
    pub(crate) variants: Vec<Analysis<'a>>,
    /// The work of each.
    pub(crate) models: Vec<ModelFlops>,
    /// What there is to decide of it.
    pub(crate) requested: RequestedWays<'a>,
}

impl<'a> Ways<'a> {
    /// Those of a program, of which these are all variants.
    ///
    /// # Errors
    /// The machine has no mesh.
    pub(crate) fn of(
        request: &'a Request<'a>,
        global: &'a Global,
        variants: &'a [Function],
    ) -> Result<Self, CompileError> {
        let requested = RequestedWays::new(&global.function, &global.roles, request.machine);
        let requested = requested.map_err(choose::refused)?;
        let models = variants.iter().map(|variant| model_flops(variant, &global.roles)).collect();
        let variants =
            variants.iter().map(|variant| Analysis::on(variant, request.machine.device.platform)).collect();
        Ok(Self { request, global, written: WrittenFunction::of(global), variants, models, requested })
    }

    /// The combinations of degrees.
    ///
    /// # Errors
    /// There are too many.
    pub(crate) fn open(
        &self,
        degrees: &DegreeSpace,
        unsaid: Unsaid,
    ) -> Result<Vec<ParallelDegrees>, CompileError> {
        degrees.ways(self.request.machine.num_devices(), unsaid).map_err(|problem| usage(&problem))
    }

    /// A way as a whole plan, with its cost before the passes over the local program.
    ///
    /// # Errors
    /// It does not fit the machine or the program.
    pub(crate) fn priced(&self, way: ParallelDegrees) -> Result<Chosen, Refusal> {
        let complete = |decisions: &Decisions, known: &mut Option<Propagated>| {
            self.written.complete(decisions, known, &Quiet)
        };
        let shardings = choose::with_named_axes(self.global, self.requested.shardings(way, &complete)?);
        Ok(Chosen::on(self.request, &self.variants, (None, shardings)))
    }
}

/// The ways that keep to all constraints, and those of which it is not known since they do not fit the machine.
///
/// # Errors
/// There is none; the clause that leaves none is named, or the first that leaves none of those that others leave.
fn must_be_allowed(
    ways: &[ParallelDegrees],
    allowed: &Constraints,
    machine: &Machine,
) -> Result<Vec<ParallelDegrees>, CompileError> {
    let known: Vec<(ParallelDegrees, Result<Facts, Refusal>)> =
        ways.iter().map(|way| (*way, Facts::of_way(way, machine))).collect();
    let keeps = |clauses: &[Clause], facts: &Result<Facts, Refusal>| match facts {
        Ok(facts) => clauses.iter().all(|clause| clause.holds(facts)),
        Err(_) => true,
    };
    let left: Vec<ParallelDegrees> =
        known.iter().filter(|(_, facts)| keeps(&allowed.clauses, facts)).map(|(way, _)| *way).collect();
    if !left.is_empty() || ways.is_empty() {
        return Ok(left);
    }
    let leaves = |clauses: &[Clause]| known.iter().any(|(_, facts)| keeps(clauses, facts));
    let alone = allowed.clauses.iter().find(|clause| !leaves(std::slice::from_ref(*clause)));
    let with_others = || {
        let last = (1..=allowed.clauses.len()).find(|count| !leaves(&allowed.clauses[..*count]));
        let (clause, others) = allowed.clauses[..last?].split_last()?;
        let others = Constraints { clauses: others.to_vec() };
        Some(format!("`{clause}` leaves no plan beside `{others}`"))
    };
    let count = match ways {
        [way] => format!("`{way}`"),
        _ => format!("all {} ways to use {} devices", ways.len(), machine.num_devices()),
    };
    let why = match alone {
        Some(clause) => format!("`{clause}` leaves no plan"),
        None => with_others().unwrap_or_else(|| format!("`{allowed}` leaves no plan")),
    };
    Err(not_allowed(format!("{why}: it rules out {count}")))
}

/// Returns whether some way on fewer devices keeps to all constraints: several such parts of the machine may compute the same.
fn leave_copies(allowed: &Constraints, machine: &Machine, experts: bool) -> bool {
    let parts = divisors(machine.num_devices()).into_iter().filter(|count| *count < machine.num_devices());
    parts.filter_map(|count| machine.part(count)).any(|part| {
        let ways = DegreeSpace::default().ways(part.num_devices(), Unsaid::Searched { experts });
        let keeps = |way: &ParallelDegrees| {
            Facts::of_way(way, &part).is_ok_and(|facts| allowed.broken(&facts).is_none())
        };
        ways.is_ok_and(|ways| ways.iter().any(keeps))
    })
}

fn not_allowed(message: String) -> CompileError {
    let hint = "allow more with `--allow`; `--grid` shows which ways there are";
    CompileError::NotAllowed(Box::new(Diagnostic::error(ALLOWED, Span::NONE, message).hint(hint)))
}

fn usage(problem: &str) -> CompileError {
    CompileError::Options(Box::new(Diagnostic::error(MESH, Span::NONE, problem)))
}
