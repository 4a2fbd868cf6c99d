//! Planners of the field under their own names, to compare with: each walks over points in the order and with the pruning of
//! its paper, and pays our prices for them.
//!
//! Input: a training step, a machine, options and one of [`BASELINES`]. Output: [`Baselined`]: the best pipeline that the
//! procedure comes to, as any other that was chosen, and how much it priced.
//!
//! A point is degrees, microbatches and where stages are cut ([`prices`]). One file has one procedure; what its paper has
//! and points cannot say is in that file. Groups of devices are all of one size, and layers of a stage sharded alike.

mod aceso;
mod alpa;
mod galvatron;
mod greedy;
mod metis;
mod prices;

use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Check, Diagnostic, Span};
use meshwright_ir::program::Program;
use meshwright_machine::Machine;
use meshwright_search::ParallelDegrees;

use crate::error::CompileError;
use crate::options::Options;
use crate::pipeline::PipelinePlan;
use crate::recompute::Recompute;
use prices::{Least, Prices};

/// A procedure comes to no plan.
const BASELINE: Check = Check("baseline");

/// A planner of the field.
#[derive(Clone, Copy, Debug)]
pub struct Baseline {
    /// Its name as a flag has it.
    pub name: &'static str,
    /// Its name in a sentence.
    pub title: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// Where it was published.
    pub paper: &'static str,
    walk: fn(&mut Prices<'_>) -> Result<(), CompileError>,
}

/// All of them.
pub static BASELINES: [Baseline; 5] =
    [aceso::BASELINE, alpa::BASELINE, galvatron::BASELINE, greedy::BASELINE, metis::BASELINE];

/// Outcome of a procedure.
#[derive(Clone, Debug)]
pub struct Baselined {
    /// The procedure.
    pub baseline: Baseline,
    /// Its best pipeline; of one group, what all devices do together.
    pub plan: PipelinePlan,
    /// How groups are sharded, where degrees say it.
    pub way: Option<ParallelDegrees>,
    /// Points that it priced.
    pub priced: usize,
    /// Points that there are: degrees, microbatches and kinds of recomputation; where a solver shards groups, numbers of groups
    /// instead of degrees.
    pub space: usize,
}

impl Baselined {
    /// The options with which the programs of its plan are made.
    pub fn options(&self, options: &Options) -> Options {
        match self.way {
            Some(way) => options.clone().sharded_by(way),
            None => options.clone(),
        }
    }

    /// By whose procedure it was chosen, in a sentence.
    pub fn sentence(&self) -> String {
        let Self { baseline: Baseline { title, paper, .. }, priced, space, .. } = self;
        format!(
            "It was chosen by the procedure of {title} ({paper}) at the prices of this plan: {priced} of {space} points were \
             priced."
        )
    }
}

/// Plans by one of the procedures. Of `options` count kernels, the memory limit, constraints, microbatches and what is made
/// again; what is not said of the last two, the procedure chooses.
///
/// # Errors
/// [`CompileError::Options`]: a step that cannot be cut. [`CompileError::NotAllowed`]: the procedure comes to no plan that fits.
/// [`CompileError::Interrupted`]: before it had any.
pub fn baseline_plan(
    baseline: &Baseline,
    program: &Program,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Baselined, CompileError> {
    crate::ways::suit(&options.allowed, machine, program)?;
    must_be_of_all(options)?;
    let mut prices = Prices::of(program, machine, options, control)?;
    let unfinished = match (baseline.walk)(&mut prices) {
        Ok(()) => false,
        Err(CompileError::Interrupted) => true,
        Err(error) => return Err(error),
    };
    let (priced, space) = (prices.priced(), prices.space());
    let found = prices.into_best().map_err(|least| none(baseline, least, priced, unfinished))?;
    let (mut plan, way) = found;
    plan.unfinished |= unfinished;
    Ok(Baselined { baseline: *baseline, plan, way, priced, space })
}

/// Refuses what is said of a part of the model: points say one thing of all layers.
fn must_be_of_all(options: &Options) -> Result<(), CompileError> {
    let problem = match &options.recompute {
        Some(Recompute::Keeping(_) | Recompute::Values(_)) => {
            "planners make nothing, or everything of a kind, again: `--recompute none`, `selective`, `full` or `search`"
        }
        _ if options.allowed.has_parts() => {
            "planners shard all layers alike: `--allow` without a part of the model"
        }
        _ => return Ok(()),
    };
    Err(CompileError::Options(Box::new(Diagnostic::error(BASELINE, Span::NONE, problem))))
}

/// Why a procedure comes to no plan.
fn none(baseline: &Baseline, least: Least, priced: usize, unfinished: bool) -> CompileError {
    if unfinished {
        return CompileError::Interrupted;
    }
    let of = format!("of {priced} points that the procedure of {} prices", baseline.title);
    let problem = |message: String| Diagnostic::error(BASELINE, Span::NONE, message);
    CompileError::NotAllowed(Box::new(match least {
        Least::Needs(point, peak, limit) => problem(format!("{of} none fits: a device has {limit}")).hint(
            format!("`{point}` needs least, {peak}; the whole search may find more: leave `--search` out"),
        ),
        Least::Refused(point, why) => problem(format!("{of} none is a plan: `{point}`: {why}")),
        Least::Nothing => problem(format!("{of} there is none that is allowed"))
            .hint("allow more with `--allow`, or other `--microbatches`"),
    }))
}
