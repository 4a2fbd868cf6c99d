//! The pipeline: read ([`Global`]), decide ([`Decided`]), lower ([`Lowered`]), describe ([`describe()`]).
//!
//! Input: a verified program, a machine and options. Output: [`Compiled`]. Each phase takes what those before it made and
//! is a module of its own.

use meshwright_analyze::{Roles, model_flops, names};
use meshwright_cost::reshard::Planner;
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::origin::Origins;
use meshwright_ir::program::{Function, Program};
use meshwright_ir::text::{Form, print};
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::bundle::{MANIFEST_FILE, PLAN_FILE, WHOLE_FILE};
use meshwright_plan::{Bundle, DeviceProgram, DevicePrograms, PlanFile, Shardings};

use crate::decided::{Chosen, Decided};
use crate::describe::describe;
use crate::error::{CompileError, NotFaster};
use crate::from_plan;
use crate::global::Global;
use crate::in_time::undistributed;
use crate::lowered::Lowered;
use crate::memory_search;
use crate::microbatch_size;
use crate::options::{Effort, Options};
use crate::pinned::pinned;
use crate::stages::{self, Stages};
use crate::transform::{Proof, proved};
use crate::ways;

/// A compiled program: the plan and everything that it was made from.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program as read, with the mesh that was given.
    pub program: Program,
    /// Its entry function with all calls inlined; `shardings` refers to it.
    pub function: Function,
    /// Where all that is in `function` comes from in the program as it was given.
    pub origins: Origins,
    /// The step with statistics of its microbatches, undistributed, where the plan takes them; otherwise devices compute what
    /// `program` does.
    pub local: Option<Box<Program>>,
    /// How every value is sharded.
    pub shardings: Shardings,
    /// The programs of all devices; one so far, which all of them run.
    pub programs: DevicePrograms,
    /// The plan, with predictions.
    pub plan: PlanFile,
    /// Whether it does not fit as it is, but in microbatches, tiles, or whatever else was searched for. These are searched
    /// alike with any effort.
    pub is_in_other_ways: bool,
    /// The local program, where it was only looked over, and is still to be checked.
    unproved: Option<Box<DeviceProgram>>,
}

impl Compiled {
    /// The same, checked.
    pub(crate) fn proved(mut self) -> Self {
        if let Some(device) = self.unproved.take() {
            proved(&device);
        }
        self
    }

    /// The undistributed program that devices compute together.
    pub fn whole(&self) -> &Program {
        self.local.as_deref().unwrap_or(&self.program)
    }

    /// Manifest of the compiled folder: arguments and results by name, and how one step follows another.
    pub fn bundle(&self) -> Bundle {
        bundle(&self.function, &self.programs, self.plan.program.clone())
    }
}

/// The manifest of programs that were made of a function; `program` is the fingerprint of the whole program.
pub(crate) fn bundle(function: &Function, programs: &DevicePrograms, program: String) -> Bundle {
    let roles = Roles::new(function);
    let next: Vec<Option<usize>> = roles.args.iter().map(|argument| argument.result).collect();
    let (arguments, results) = (names::of_arguments(function), names::of_results(function));
    let tokens = roles.tokens(function);
    Bundle { program, tokens, ..Bundle::of(programs, &arguments, &results, &next) }
}

/// The files of a compiled folder, by name; `plan` and `whole` are the texts of the plan and of the program as it was given.
pub(crate) fn files(
    bundle: &Bundle,
    programs: &DevicePrograms,
    plan: String,
    whole: &str,
) -> Vec<(String, String)> {
    let codes = programs.programs.values().map(|program| &program.device.program);
    let programs = bundle.programs.iter().zip(codes);
    let mut files: Vec<(String, String)> =
        programs.map(|(described, code)| (described.file.clone(), print(code, Form::Pretty))).collect();
    files.push((PLAN_FILE.to_owned(), plan));
    files.push((MANIFEST_FILE.to_owned(), bundle.to_text()));
    files.push((WHOLE_FILE.to_owned(), whole.to_owned()));
    files
}

impl Compiled {
    /// The files of a compiled folder, by name; `whole` is the text of the program as it was given.
    pub fn files(&self, whole: &str) -> Vec<(String, String)> {
        files(&self.bundle(), &self.programs, self.plan.to_text(), whole)
    }
}

/// What is to be compiled, for what, and how.
pub(crate) struct Request<'a> {
    /// The program as it was given.
    pub(crate) original: &'a Program,
    pub(crate) source: &'a Source,
    pub(crate) machine: &'a Machine,
    pub(crate) options: &'a Options,
    pub(crate) control: &'a dyn Control,
    pub(crate) stages: Stages<'a>,
    /// What is known of reshards.
    pub(crate) reshards: Planner,
}

impl Request<'_> {
    /// Bytes of each device that may be used.
    pub(crate) fn memory_limit(&self) -> Bytes {
        self.options.memory_limit_on(self.machine)
    }
}

/// Compiles a verified program (see [`crate::read`]) for a machine. `source` is what it was read from.
///
/// Same input, same output, whatever the number of threads. `control` is told of every stage ([`crate::stages()`]).
///
/// # Errors
/// [`CompileError::Diagnostics`]: no entry function, a local program, annotations that do not fit their mesh.
/// [`CompileError::Options`], [`CompileError::Plan`]: a mesh or a plan that does not fit the program or the machine.
/// [`CompileError::NotAllowed`]: no plan keeps to the constraints.
/// [`CompileError::DoesNotFit`]: the program needs more memory than the devices have.
/// [`CompileError::NotFaster`]: of a look at a program, no plan takes less than `options.faster_than`.
/// [`CompileError::Stopped`]: after `options.stop_after`; [`CompileError::Interrupted`]: `control` said so before a plan was
/// found that fits. With one that is, the best so far, it is [`PlanFile::unfinished`].
pub fn compile(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Compiled, CompileError> {
    let stages = Stages::new(&stages::stages(), options, control)?;
    from_plan::options::agree(options)?;
    if let Some(pinned) = pinned(program, source, machine, options, control)? {
        return compile(&pinned.program, source, machine, &pinned.options, control);
    }
    if let Some(size) = options.microbatch_size {
        return microbatch_size::with_size(size, program, source, machine, options, control);
    }
    if let Some(chosen) = ways::chosen(program, source, machine, options)? {
        return compile(program, source, machine, &chosen, control);
    }
    microbatch_size::must_share_as_asked(program, machine, options)?;
    let request = Request {
        original: program,
        source,
        machine,
        options,
        control,
        stages,
        reshards: Planner::default(),
    };
    match compiled(&request) {
        // What was not searched to its end may fit all the same.
        Err(CompileError::DoesNotFit(_)) if control.should_stop() => Err(CompileError::Interrupted),
        Err(error @ CompileError::DoesNotFit(_)) if memory_search::is_open(options, machine) => {
            memory_search::in_other_ways(program, source, machine, options, control, error)
        }
        found => memory_search::in_less_time(program, source, machine, options, control, found),
    }
}

/// What is looked over and is not as fast as asked is of no further interest if it fits, or if nothing is with more memory.
fn must_be_faster(request: &Request<'_>, decided: &Decided<'_>) -> Result<(), CompileError> {
    let Chosen { estimate, searched, .. } = &decided.chosen;
    let Some(asked) = request.options.faster_than else { return Ok(()) };
    let peak = estimate.memory.peak;
    let least = searched.as_ref().map(|searched| searched.least).filter(|least| *least >= asked.0);
    if estimate.total() < asked || (peak > request.memory_limit() && least.is_none()) {
        return Ok(());
    }
    let bound = searched.as_ref().and_then(|searched| searched.bound).or(least);
    Err(CompileError::NotFaster(Box::new(NotFaster { peak, bound, lacks: None })))
}

/// The phases, one after the other.
fn compiled(request: &Request<'_>) -> Result<Compiled, CompileError> {
    let global = Global::read(request)?;
    let decided = Decided::of(request, &global)?;
    let proof = match request.options.effort {
        Effort::Look | Effort::FineLook(_) => Proof::Later,
        Effort::Thorough | Effort::Again => Proof::Always,
    };
    if proof == Proof::Later {
        must_be_faster(request, &decided)?;
    }
    let model = model_flops(&decided.chosen.function, &global.roles);
    let lowered = Lowered::of(request, &global, &decided.chosen, model, proof)?;
    let plan = describe(request, &global, &decided, &lowered);
    let Decided { chosen, .. } = decided;
    let local = match global.local_statistics.is_empty() {
        true => None,
        false => Some(Box::new(undistributed(request.original, request.options)?)),
    };
    Ok(Compiled {
        program: global.program,
        function: chosen.function,
        origins: global.origins,
        local,
        shardings: chosen.shardings,
        programs: DevicePrograms::whole(lowered.device),
        plan,
        is_in_other_ways: false,
        unproved: lowered.unproved,
    })
}
