//! The first phase: the program as it will be worked on, and what is fixed of its plan.
//!
//! Input: a verified program and options. Output: [`Global`]: one function with all calls inlined, on one mesh if that is
//! given, what is made again for its backward pass, runs in tiles or lies on the host, what its arguments are, and what
//! annotations or a plan say.

use meshwright_analyze::{Roles, names};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::origin::Origins;
use meshwright_ir::program::{Function, Program};
use meshwright_plan::plan_file::{PlanAttention, PlanTile};
use meshwright_plan::{Decisions, Names, Orders, Policy};
use meshwright_transform::Flat;
use meshwright_transform::time::TimeAxis;

use crate::again::{AgainParts, Counts};
use crate::attended::WithKernels;
use crate::driver::Request;
use crate::error::CompileError;
use crate::flags_in_the_way::with_flags;
use crate::from_plan::{annotated, from_plan, same_program};
use crate::in_time::{Timed, Weights};
use crate::mesh::{self, OnMesh};
use crate::must_be_global::must_be_global;
use crate::offload::Offloaded;
use crate::options::{Options, Search};
use crate::recompute::{Recomputed, record};
use crate::stages;
use crate::tiled::Tiled;
use crate::transform::{flattened, single_function};

/// The program of the whole, and what is decided before any search.
pub(crate) struct Global {
    /// With the mesh declared.
    pub(crate) program: Program,
    /// The entry function with all calls inlined, in the order in which it is written.
    pub(crate) function: Function,
    /// Where all that is in the function comes from in the program as it was given; the same in any order.
    pub(crate) origins: Origins,
    pub(crate) roles: Roles,
    /// Arguments and results for which the devices stand in another order.
    pub(crate) orders: Orders,
    /// What became of attentions that the program writes out, where the machine has a kernel for them.
    pub(crate) attention: Option<PlanAttention>,
    /// How time cuts the function into microbatches, if it does.
    pub(crate) time: Option<TimeAxis>,
    /// Names of the values that are those of one microbatch where examples are computed from them.
    pub(crate) local_statistics: Vec<String>,
    /// Turns of each loop that is written out for microbatches.
    pub(crate) written_out: Vec<u64>,
    /// What is made again, each value with its first reader.
    pub(crate) again: Vec<(String, String)>,
    /// The same in words.
    pub(crate) again_in_words: Option<String>,
    /// The parts of the work that run again for it, in tiles too.
    pub(crate) again_parts: AgainParts,
    /// What runs in tiles.
    pub(crate) tiles: Vec<PlanTile>,
    /// Whether what the program itself makes again for its backward pass is decided anew.
    pub(crate) recomputes_anew: bool,
    /// What annotations or a plan say, and the mesh if it is given.
    pub(crate) fixed: Decisions,
    /// Whether what is open is searched.
    pub(crate) search: Search,
}

impl Global {
    /// Microbatches of a step.
    pub(crate) fn num_microbatches(&self) -> usize {
        self.time.as_ref().map_or(1, |axis| axis.count)
    }

    /// Reads the program as the options want it.
    ///
    /// # Errors
    /// No entry function; a local program; a mesh, a plan or annotations that do not fit.
    pub(crate) fn read(request: &Request<'_>) -> Result<Self, CompileError> {
        let Request { original, source, machine, options, stages, .. } = request;
        let flat = flattened(original)?;
        must_be_global(original, &flat.function)?;
        if let Some(plan) = &options.plan {
            same_program(plan, original)?;
        }
        let WithKernels { flat, attention } = WithKernels::of(original, flat, machine, options)?;
        let written = Counts::of(&flat.function);
        let Recomputed { flat, uses, words, is_anew } = Recomputed::of(original, flat, machine, options)?;
        let Tiled { flat, tiles } = Tiled::of(original, source, flat, machine, options)?;
        let offloaded = Offloaded::of(original, &flat, machine, options)?;
        let again_parts = AgainParts::between(&written, &flat.function);
        let arguments = flat.function.args().to_vec();
        let weights = match offloaded.has_parameters(original, &flat) {
            true => Weights::InLayers,
            false => Weights::Ahead,
        };
        let timed = Timed::of(original, flat, options, weights).map_err(|error| with_flags(error, request));
        let Timed { flat, axis: time, local, copies } = timed?;
        let in_microbatches = time.as_ref().is_some_and(|axis| axis.count > 1);
        let now = (flat, &copies, in_microbatches);
        let (Flat { function, origins }, on_host) = offloaded.applied(original, &arguments, now, machine)?;
        let OnMesh { program, function, decided, orders } = mesh::decide(original, function, options)?;
        stages.done(stages::READ, &|| program.clone())?;
        stages.done(stages::INLINE, &|| single_function(&program, &function))?;
        if let Some(decided) = &decided {
            mesh::fits(decided, machine, &program)?;
        }
        let mesh = decided.map(|decided| decided.mesh);
        let mut fixed =
            fixed(options, &program, &function, mesh, &|| names_in(original, &function, &origins))?;
        let search = search_for(options, &fixed);
        if !uses.is_empty() || !on_host.is_empty() {
            let names = names_in(original, &function, &origins);
            record(&uses, Policy::Recompute, &names, &mut fixed.policies);
            record(&on_host, Policy::Offload, &names, &mut fixed.policies);
        }
        let roles = Roles::new(&function);
        Ok(Self {
            program,
            function,
            origins,
            roles,
            orders,
            attention,
            time,
            local_statistics: local,
            written_out: copies.written_out,
            again: uses,
            again_in_words: words,
            again_parts,
            tiles,
            recomputes_anew: is_anew,
            fixed,
            search,
        })
    }

    /// A function as it is, in the place of the request's program: nothing of it is made otherwise.
    ///
    /// # Errors
    /// A mesh or annotations that do not fit.
    pub(crate) fn as_it_is(
        request: &Request<'_>,
        function: Function,
        origins: Origins,
    ) -> Result<Self, CompileError> {
        let Request { original, machine, options, .. } = request;
        let OnMesh { program, function, decided, orders } = mesh::decide(original, function, options)?;
        if let Some(decided) = &decided {
            mesh::fits(decided, machine, &program)?;
        }
        let mesh = decided.map(|decided| decided.mesh);
        let fixed = fixed(options, &program, &function, mesh, &|| names_in(original, &function, &origins))?;
        let search = search_for(options, &fixed);
        let roles = Roles::new(&function);
        Ok(Self {
            program,
            function,
            origins,
            roles,
            orders,
            attention: None,
            time: None,
            local_statistics: Vec::new(),
            written_out: Vec::new(),
            again: Vec::new(),
            again_in_words: None,
            again_parts: AgainParts::default(),
            tiles: Vec::new(),
            recomputes_anew: false,
            fixed,
            search,
        })
    }

    /// Stable names of what is in the function. `original` is the program as it was given.
    pub(crate) fn names(&self, original: &Program) -> Names {
        names_in(original, &self.function, &self.origins)
    }
}

/// Stable names of what is in a function that was made of the program as it was given.
pub(crate) fn names_in(original: &Program, function: &Function, origins: &Origins) -> Names {
    Names::of(original, function, origins, &names::of_arguments(function))
}

/// What a plan or annotations say of a function on a mesh; `names` are those of what is in it.
fn fixed(
    options: &Options,
    program: &Program,
    function: &Function,
    mesh: Option<Mesh>,
    names: &dyn Fn() -> Names,
) -> Result<Decisions, CompileError> {
    match (&options.plan, mesh) {
        (Some(plan), Some(mesh)) => Ok(from_plan(plan, program, function, &mesh, &names())?),
        (None, Some(mesh)) => Ok(annotated(program, function, &mesh)?),
        (_, None) => Ok(Decisions::none(function)),
    }
}

/// The part of the decisions that is searched, if some are fixed: without a word of it, all or nothing.
fn search_for(options: &Options, fixed: &Decisions) -> Search {
    match (&options.plan, options.search) {
        (Some(_), _) => Search::None,
        (None, Some(search)) => search,
        (None, None) if fixed.is_empty() => Search::Rest,
        (None, None) => Search::None,
    }
}
