//! The best plan of a program of which nothing says whether it has stages.
//!
//! Input: as of [`crate::compile()`]. Output: [`Best`], a pipeline where that takes less than one program for all devices.
//! Pipelines of usual numbers are looked at first; of one program only what is faster is of interest then, and of other
//! pipelines only what is faster still.

use meshwright_ir::control::{Control, ToTheEnd};
use meshwright_ir::diagnostic::Source;
use meshwright_ir::program::Program;
use meshwright_machine::{Machine, Seconds};

use crate::driver::{Compiled, compile};
use crate::error::CompileError;
use crate::held::Held;
use crate::mesh::own_mesh;
use crate::options::{Effort, Microbatches, Options, Statistics};
use crate::pipeline::{
    Numbers, PipelinePlan, PipelineSpace, Pipelined, pipeline_plan_beside, pipeline_that_fits,
};
use crate::recompute::Recompute;

/// What plans say that they have not searched where nobody has looked at stages.
const STAGES: &str = "pipeline stages";

/// What takes more than so many times as long as what is known is not searched further.
const NEARLY: f64 = 1.05;

/// The best plan of a program, compiled.
#[derive(Clone, Debug)]
pub enum Best {
    /// One program for all devices.
    Whole(Box<Compiled>),
    /// Programs of stages, and the search that chose them.
    Stages(Box<Pipelined>, Box<PipelinePlan>),
}

/// Compiles a verified program with stages where these are faster, for training steps on machines of several levels of which
/// nothing says how they are sharded, or what only one program for all devices has; as [`compile`] otherwise.
///
/// # Errors
/// As of [`compile`]; where constraints ask for stages, as of [`crate::pipeline_plan`].
pub fn best(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Best, CompileError> {
    let any = || compile(program, source, machine, options, control);
    // What nobody takes may not warn anybody.
    let held = Held::back(control);
    let faster = |than: Option<Seconds>| compile_if_faster(program, source, machine, options, than, &held);
    let mut whole = None;
    let mut beside = |than: Option<Seconds>| {
        let made = whole.insert(faster(than));
        made.as_ref().ok().map(seconds_of)
    };
    let Some(stages) = stages(program, machine, options, control, &mut beside)? else {
        // Where there is no pipeline, it was held against none.
        if let Some(Err(error @ CompileError::DoesNotFit(_))) = whole {
            return Err(error);
        }
        return any().map(|compiled| Best::Whole(Box::new(compiled)));
    };
    let Some(mut stages) = stages else {
        let whole = whole.unwrap_or_else(|| faster(None));
        return whole.map(|compiled| held.taken(Best::beside(compiled)));
    };
    let promised = stages.figures.step();
    let held = Held::back(control);
    // It is short beside what led to it.
    let made = pipeline_that_fits(program, machine, options, &mut stages, &ToTheEnd(&held));
    let limit = options.memory_limit.unwrap_or(machine.device.usable_memory());
    match made {
        Err(CompileError::Interrupted) => Err(CompileError::Interrupted),
        Ok(made) if made.misfit(limit).is_none() => {
            // Where its programs did not fit, another one has taken its place, which may take longer than the whole program.
            let taken = made.figures.step();
            if stages.figures.step() > promised {
                let own = Held::back(control);
                let whole = compile_if_faster(program, source, machine, options, Some(taken), &own);
                if let Some(whole) = whole.ok().filter(|whole| seconds_of(whole) <= taken) {
                    return Ok(own.taken(Best::beside(whole)));
                }
            }
            Ok(held.taken(Best::Stages(Box::new(made), Box::new(stages))))
        }
        // Its programs may need more than was predicted of them: nobody asked for stages.
        Ok(_) | Err(_) => any().map(|compiled| Best::Whole(Box::new(compiled))),
    }
}

impl Best {
    /// One program for all devices, beside which stages were looked at.
    fn beside(mut compiled: Compiled) -> Self {
        compiled.plan.not_searched.retain(|what| what != STAGES);
        Self::Whole(Box::new(compiled))
    }
}

/// Compiles where only plans are of interest that take less, if a time is given: these are looked over first, and searched
/// where one is nearly as fast.
///
/// # Errors
/// As of [`compile`].
pub fn compile_if_faster(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    faster_than: Option<Seconds>,
    control: &dyn Control,
) -> Result<Compiled, CompileError> {
    let compile = |effort: Effort, faster_than: Option<Seconds>, control: &dyn Control| {
        let options = Options { faster_than, effort, ..options.clone() };
        compile(program, source, machine, &options, control)
    };
    if let Some(seconds) = faster_than {
        let held = Held::back(control);
        let looked_over = compile(Effort::Look, Some(seconds * NEARLY), &held)?;
        let is_slower = looked_over.plan.predicted.total_seconds > seconds.0 * NEARLY;
        if is_slower || looked_over.is_in_other_ways {
            return Ok(held.taken(looked_over));
        }
        if options.effort == Effort::Thorough {
            return compile(Effort::Again, faster_than, control);
        }
    }
    compile(options.effort, faster_than, control)
}

/// What a step takes.
fn seconds_of(compiled: &Compiled) -> Seconds {
    Seconds(compiled.plan.predicted.total_seconds)
}

/// The best pipeline, if one is faster than the `whole` program; none where these are not looked at.
fn stages(
    program: &Program,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
    whole: &mut dyn FnMut(Option<Seconds>) -> Option<Seconds>,
) -> Result<Option<Option<PipelinePlan>>, CompileError> {
    // Constraints that leave nothing without stages ask for them.
    let is_asked = !options.allowed.leave_one_group();
    let is_open = machine.levels().len() >= 2 && own_mesh(program).is_none();
    if says_more(options) || (!is_open && !is_asked) {
        return Ok(None);
    }
    let microbatches = match options.microbatches {
        Some(Microbatches::Number(number)) => Numbers::These(vec![number]),
        Some(Microbatches::Search) | None => Numbers::Search,
    };
    let space = PipelineSpace {
        groups: Numbers::Several,
        virtual_stages: Numbers::Search,
        microbatches,
        schedules: Vec::new(),
        is_short: true,
    };
    match pipeline_plan_beside(program, machine, options, &space, &Held::back(control), whole) {
        Ok(found) => Ok(Some(found)),
        Err(error) if is_asked => Err(error),
        // Why it cannot be cut is nobody's concern who did not ask for stages.
        Err(_) => Ok(None),
    }
}

/// Whether options say what only one program for all devices is or has, or what is decided already.
fn says_more(options: &Options) -> bool {
    let is_named = |asked: &Recompute| matches!(asked, Recompute::Keeping(_) | Recompute::Values(_));
    options.plan.is_some()
        || options.mesh.is_some()
        || !options.pins.is_empty()
        || options.asked.is_some()
        || !options.degrees.is_empty()
        || options.allowed.has_parts()
        || options.simplest_within.is_some()
        || options.microbatch_size.is_some()
        || options.microbatch_statistics == Some(Statistics::Local)
        || options.tiles.is_some()
        || options.offload.is_some()
        || options.recompute.as_ref().is_some_and(is_named)
        || options.stop_after.is_some()
}
