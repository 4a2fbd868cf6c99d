//! The order of things: mesh, shardings, local program, predictions, plan.

use meshwright_analyze::{Roles, model_flops, names, recognize};
use meshwright_cost::analysis::Analysis;
use meshwright_cost::estimate::estimate;
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Source, Span};
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Function, Program};
use meshwright_machine::{Machine, Seconds};
use meshwright_plan::{DeviceProgram, Manifest, PlanFile, Shardings};
use meshwright_shard::{REPLICATED, Seeds, annotate, annotate_seeds, seeds_from_annotations};
use meshwright_spmd::Account;
use meshwright_spmd::optimize::Target;
use meshwright_transform::order::Order;

use crate::choose::{Searched, Wanted};
use crate::error::CompileError;
use crate::fit::DoesNotFit;
use crate::global::must_be_global;
use crate::manual::groups_must_fit;
use crate::mesh::OnMesh;
use crate::options::{Options, Search};
use crate::orders::{self, Ordered, best};
use crate::ranks::ranks;
use crate::stages::{self, Stages};
use crate::transform::{alone, flattened, lower, numbered, spread, warnings};
use crate::{asked, choose, figures, mesh, pins, replay, report, tally};

/// A compiled program: the plan and everything that it was made from.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The program as read, with the mesh that was given.
    pub program: Program,
    /// Its entry function with all calls inlined; `shardings` refers to it.
    pub function: Function,
    /// How every value is spread.
    pub shardings: Shardings,
    /// The program of one device.
    pub device: DeviceProgram,
    /// The plan, with predictions.
    pub plan: PlanFile,
}

impl Compiled {
    /// What a compiled folder says of its program: arguments and results by name, and how one step follows another.
    pub fn manifest(&self) -> Manifest {
        let function = &self.function;
        let roles = Roles::new(function);
        let next: Vec<Option<usize>> = roles.args.iter().map(|argument| argument.result).collect();
        let (arguments, results) = (names::of_arguments(function), names::of_results(function));
        let manifest =
            Manifest::of(&self.device, &arguments, &results).with_steps(&next, roles.tokens(function));
        Manifest { program: self.plan.program.clone(), ..manifest }
    }
}

/// Compiles a verified program (see [`crate::read`]) for a machine. `source` is what it was read from.
///
/// Same input, same output, whatever the number of threads. `control` is told of every stage ([`crate::stages()`]).
///
/// # Errors
/// [`CompileError::Diagnostics`]: no entry function, a local program, annotations that do not fit their mesh.
/// [`CompileError::Options`], [`CompileError::Plan`]: a mesh or a plan that does not fit the program or the machine.
/// [`CompileError::DoesNotFit`]: the program needs more memory than the devices have.
/// [`CompileError::Stopped`]: after `options.stop_after`; [`CompileError::Interrupted`]: `control` said so.
pub fn compile(
    program: &Program,
    source: &Source,
    machine: &Machine,
    options: &Options,
    control: &dyn Control,
) -> Result<Compiled, CompileError> {
    let stages = Stages::new(&stages::stages(), options, control)?;
    let original = program;
    let function = flattened(program)?;
    must_be_global(program, &function)?;
    if let Some(plan) = &options.plan {
        pins::same_program(plan, original)?;
    }
    let OnMesh { program, function, decided: fixed, orders } = mesh::decide(program, function, options)?;
    stages.done(stages::READ, &|| program.clone())?;
    stages.done(stages::INLINE, &|| alone(&program, &function))?;
    if let Some(decided) = &fixed {
        mesh::fits(decided, machine, &program)?;
    }
    let fixed = fixed.map(|decided| decided.mesh);
    let roles = Roles::new(&function);
    let decided = match (&options.plan, &fixed) {
        (Some(plan), Some(mesh)) => pins::from_plan(plan, &program, &function, mesh)?,
        (None, Some(mesh)) => seeds_from_annotations(&program, &function, mesh)?,
        (_, None) => Seeds::none(&function),
    };
    let search = match (&options.plan, options.search) {
        (Some(_), _) => Search::None,
        (None, Some(search)) => search,
        (None, None) if decided.is_empty() => Search::Rest,
        (None, None) => Search::None,
    };
    let limit = options.memory_limit.unwrap_or(machine.device.usable_memory());
    let decided_on = |function: &Function, faster_than: Option<Seconds>| {
        let wanted = Wanted {
            function,
            roles: &roles,
            machine,
            mesh: fixed.as_ref(),
            decided: &decided,
            limit,
            faster_than,
            asked: options.asked,
            simplest_within: options.simplest_within,
            analysis: &Analysis::new(function),
            control,
        };
        decide(wanted, search, &program)
    };
    let written = function;
    // The order follows from what is decided, so that a plan that is given back leads to the same program.
    let ordered = |decision: Decision| {
        let in_order = |order: Order| {
            let function = order.of(&written);
            let (values, shardings) = spread(&function, &decision.mesh, &decision.seeds, control);
            let score = orders::score(&function, &shardings, machine, limit);
            (score, Ordered { function, values, shardings })
        };
        let (score, ordered) = best(Order::ALL.map(in_order));
        (score, (decision, ordered))
    };
    let mut found = ordered(decided_on(&written, options.faster_than)?);
    // Where a plan needs most of the memory, others may only fit in the order that needs least. What is found then has to be
    // faster; where not even the first is as fast as asked, there is no use in it.
    let (_, seconds, peak) = found.0;
    let (fits, is_of_use) = (peak <= limit, options.faster_than.is_none_or(|asked| seconds < asked));
    if search == Search::Rest && peak.0 > limit.0 / 2 && (is_of_use || !fits) {
        let faster_than = if fits { Some(seconds) } else { options.faster_than };
        found = best([found, ordered(decided_on(&Order::Early.of(&written), faster_than)?)]);
    }
    let (_, (decision, Ordered { function, values, shardings })) = found;
    let Decision { searched, mesh, seeds } = decision;
    stages.done(stages::ORDER, &|| alone(&program, &function))?;
    if searched.is_some() {
        stages.done(stages::SEARCH, &|| annotate_seeds(&program, &function, &mesh, &seeds))?;
    }
    stages.done(stages::PROPAGATE, &|| annotate(&program, &function, &mesh, &values))?;

    groups_must_fit(&function, &mesh)?;

    let placement = mesh::placed(machine, &mesh);
    let estimate = estimate(&Analysis::new(&function), &shardings, &placement);
    let recognized = recognize(&function, &roles, &shardings);
    if estimate.memory.peak > limit {
        let (is_searched, mesh) = (searched.is_some(), mesh.to_string());
        let memory = &estimate.memory;
        let mut problem =
            DoesNotFit::new(&function, &roles, memory, limit, is_searched, mesh, recognized.parts);
        if options.memory_limit.is_none() {
            problem.tell_of_headroom(&machine.device);
        }
        return Err(CompileError::DoesNotFit(Box::new(problem)));
    }
    let target = Target {
        placement: &placement,
        memory_limit: limit,
        collectives: options.collectives,
        ids: options.ids,
    };
    let mut passes = tally::Passes::default();
    let mut watch = |stage: &'static str, device: &DeviceProgram| passes.see(stage, device);
    let target = Some(target);
    let device = lower(&program, &function, &shardings, target, options, &stages, control, &mut watch)?;
    let analysis = Analysis::new(&function);
    let model = model_flops(&function, &roles);
    let is_attention = |span: Span| model.attention_spans.contains(&span);
    let as_run = meshwright_spmd::optimize::as_run(&device, target);
    let account = Account::new(&as_run, &placement, &is_attention);
    let device = numbered(device, &function, orders, options, &stages, control)?;
    let mut plan = report::decisions(original, &function, &roles, machine, &shardings);
    replay::add_constraints(&mut plan, &program, &function, &seeds, &shardings, source)?;
    let facts = figures::Facts {
        function: &function,
        roles: &roles,
        analysis: &analysis,
        shardings: &shardings,
        placement: &placement,
        model: &model,
        account: &account,
        border: meshwright_spmd::border_seconds(&device, &placement),
    };
    report::predict(&mut plan, &estimate, &facts, limit, source);
    plan.memory.device_bytes = Some(machine.device.memory.0);
    plan.memory.headroom = options.memory_limit.is_none().then_some(machine.device.memory_headroom);
    for warning in warnings(&function, &values, &shardings) {
        control.warn(&warning);
        if warning.check != REPLICATED {
            continue;
        }
        plan.replicated.push(format!("{}: {}", source.locate(warning.span), warning.message));
    }
    plan.degrees = recognized.degrees(&mesh);
    if let (None, Some(asked)) = (&searched, options.asked) {
        let asked = asked.degrees(machine.num_devices()).expect("it was laid over the machine");
        plan.asked = asked::difference(&asked, &plan.degrees, &roles);
    }
    plan.strategies = recognized.parts;
    plan.collectives = tally::collectives(&device);
    plan.passes = passes.changes;
    plan.ranks = ranks(&placement);
    match searched {
        Some(searched) => {
            plan.reasons = report::compared_by(&plan.predicted, &plan.memory, searched.peak)
                .into_iter()
                .chain(searched.reasons)
                .collect();
            plan.bound_seconds = searched.bound;
            plan.alternatives = searched.alternatives;
            plan.not_searched = searched.not_searched;
        }
        None => {
            plan.not_searched = vec!["what the given shardings leave open (it is replicated)".to_owned()];
            plan.not_searched.extend(meshwright_search::NOT_SEARCHED.map(str::to_owned));
        }
    }
    Ok(Compiled { program, function, shardings, device, plan })
}

/// What is to be propagated, and on which mesh.
struct Decision {
    /// What a search adds.
    searched: Option<Searched>,
    mesh: Mesh,
    seeds: Seeds,
}

/// Decides what is open: by the search, if there is to be one.
fn decide(wanted: Wanted<'_>, search: Search, program: &Program) -> Result<Decision, CompileError> {
    if search == Search::None && wanted.simplest_within.is_some() {
        return Err(choose::nothing_to_choose_from());
    }
    let (searched, mesh, seeds) = match (search, wanted.mesh, wanted.asked) {
        (Search::None, None, Some(asked)) => {
            let (mesh, seeds) = choose::as_asked(wanted.function, wanted.roles, wanted.machine, asked)?;
            (None, mesh, seeds)
        }
        (Search::None, None, None) => return Err(mesh::missing(program).into()),
        (Search::None, Some(_), Some(asked)) => return Err(choose::meshes_twice(asked)),
        (Search::None, Some(mesh), _) => (None, mesh.clone(), wanted.decided.clone()),
        (Search::Rest, ..) => {
            let found = choose::searched(wanted)?;
            let (mesh, seeds) = (found.mesh.clone(), found.seeds.clone());
            (Some(found), mesh, seeds)
        }
    };
    Ok(Decision { searched, mesh, seeds })
}
