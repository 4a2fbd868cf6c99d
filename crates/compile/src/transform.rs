//! Propagation and partitioning alone: no machine, no search, no predictions.
//!
//! Input: a verified program with annotations, or a function with all that was decided. Output: the program with a sharding
//! on every value ([`propagate`]), and the local program with its passes ([`partition`], [`lower`]).

use meshwright_cost::{Analysis, Lowering};
use meshwright_ir::control::Control;
use meshwright_ir::diagnostic::{Check, Diagnostic, Diagnostics, Span};
use meshwright_ir::ids::InstId;
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::op::{Op, Propagation};
use meshwright_ir::program::{Function, Program};
use meshwright_ir::sharding::Sharding;
use meshwright_machine::Bytes;
use meshwright_plan::shardings::sharded_insts;
use meshwright_plan::{Decisions, DeviceProgram, Orders, Shardings};
use meshwright_propagate::explain::{Conflict, Explanation, Question};
use meshwright_propagate::{PropagateOptions, annotate_rules, joined, propagate_module, synced};
use meshwright_shard::{
    REPLICATED, Reason, Replication, Sharder, ValueShardings, annotate, prepare, replications,
};
use meshwright_spmd::MOST_DEVICES;
use meshwright_spmd::optimize::{Target, run_watched};
use meshwright_tensor::types::Type;
use meshwright_transform::inline::inline_entry;
use meshwright_transform::{Flat, flatten};
use std::collections::{BTreeMap, BTreeSet};

use crate::error::CompileError;
use crate::from_plan::annotated;
use crate::manual::groups_must_fit;
use crate::mesh::{self, OnMesh};
use crate::must_be_global::{must_be_global, must_be_whole};
use crate::options::Options;
use crate::stages::{self, Stages};

/// An argument or result stands on the devices in another order than the mesh has them.
const ORDER: Check = Check("device-order");

/// A mesh on which less is known.
const MANY: Check = Check("many-devices");

/// Kernels whose configuration may not fit shards.
const CONFIGURED: Check = Check("kernel-configuration");

/// Completes the sharding annotations of a verified program by propagation alone, function by function and through
/// calls and regions. Of `options` only the mesh and `stop_after` are used.
///
/// # Errors
/// A local program; a mesh that the annotations do not fit; sharding groups that do not fit their values.
pub fn propagate(
    program: &Program,
    options: &Options,
    how: &PropagateOptions,
    control: &dyn Control,
) -> Result<Program, CompileError> {
    let stages = Stages::new(&stages::stages_of_propagate(), options, control)?;
    if let Some(main) = program.main() {
        must_be_whole(program, main)?;
    }
    let program = match options.mesh {
        Some(_) => mesh::given(program, &inline_entry(program)?, options)?,
        None => program.clone(),
    };
    stages.done(stages::READ, &|| program.clone())?;
    let annotated = propagate_module(&program, how)?;
    stages.done(stages::PROPAGATE, &|| annotated.clone())?;
    Ok(annotated)
}

/// Explains the sharding of a value of a verified program; `None` if propagation does not see the value.
/// `own` is the program before a search wrote what it chose into it; where there was none, the program itself.
///
/// # Errors
/// As [`propagate`].
pub fn explain(
    program: &Program,
    own: &Program,
    question: Question,
) -> Result<Option<Explanation>, CompileError> {
    let options = PropagateOptions::default();
    Ok(meshwright_propagate::explain::explain(program, own, &options, question)?)
}

/// Places where the shardings of a verified program are at odds behind propagation, the most expensive first.
/// `own` is as for
/// [`explain`].
///
/// # Errors
/// As [`propagate`].
pub fn conflicts(program: &Program, own: &Program) -> Result<Vec<Conflict>, CompileError> {
    Ok(meshwright_propagate::explain::conflicts(program, own, &PropagateOptions::default())?)
}

/// A verified program with the sharding rule of every instruction as `sdy.sharding_rule`.
pub fn rules(program: &Program, mode: Propagation) -> Program {
    annotate_rules(program, mode)
}

/// Partitions a verified, annotated program; what propagation leaves open is replicated. Of `options` the mesh,
/// `stop_after` and `without_passes` are used.
///
/// # Errors
/// As [`propagate`].
pub fn partition(
    program: &Program,
    options: &Options,
    control: &dyn Control,
) -> Result<DeviceProgram, CompileError> {
    let stages = Stages::new(&stages::stages_of_partition(), options, control)?;
    let ProgramOnMesh { program, function, mesh, orders } = with_mesh(program, options)?;
    stages.done(stages::READ, &|| program.clone())?;
    stages.done(stages::INLINE, &|| single_function(&program, &function))?;
    let seeds = annotated(&program, &function, &mesh)?;
    let (values, shardings) = shard(&function, &mesh, &seeds, control);
    stages.done(stages::PROPAGATE, &|| annotate(&program, &function, &mesh, &values))?;
    warnings(&function, &values, &shardings).iter().for_each(|warning| control.warn(warning));
    let watch = &mut |_: &'static str, _: &DeviceProgram| {};
    let device =
        lower(&program, &function, &shardings, None, options, &stages, control, watch, Proof::Always)?;
    numbered(device, &function, orders, options, &stages, control)
}

/// The entry function with all calls inlined, and the regions that are parts of it; its sharding groups read.
pub(crate) fn flattened(program: &Program) -> Result<Flat, Diagnostics> {
    let Flat { function, origins } = flatten(&*joined(program)?)?;
    let function = synced(function);
    let origins = origins.grown(&function.body);
    Ok(Flat { function, origins })
}

/// `program` with `function` alone in it.
pub(crate) fn single_function(program: &Program, function: &Function) -> Program {
    program.with_only(function.clone())
}

/// Propagates seeds over a function: what propagation found, and the whole of it with strategies.
fn shard(
    function: &Function,
    mesh: &Mesh,
    seeds: &Decisions,
    control: &dyn Control,
) -> (ValueShardings, Shardings) {
    let options = meshwright_shard::Options::default();
    let prepared = prepare(function);
    Sharder { function, prepared: &prepared, mesh, options: &options, control }.cheapest(seeds)
}

/// A warning for every instruction that needs a sharded operand whole, one for all calls of a kernel that do, and one for every
/// unknown kernel that runs on shards with the configuration of the whole.
pub(crate) fn warnings(
    function: &Function,
    values: &ValueShardings,
    shardings: &Shardings,
) -> Vec<Diagnostic> {
    let found = replications(function, values, shardings);
    let warning =
        |found: &Replication| found.warning(&function.body, &shardings.mesh, &Bytes(found.bytes).to_string());
    let body = &function.body;
    let mut of_kernels: BTreeMap<(&str, AxisSet), Vec<&Replication>> = BTreeMap::new();
    let kernel_of = |own: &Replication| {
        let is_its_own = matches!(own.reason, Reason::Needed | Reason::Made);
        known_kernel(function, own.inst).filter(|_| is_its_own)
    };
    // Devices that share other dims of a call do not all compute the same.
    let is_shared = |own: &Replication| {
        let shared: AxisSet = shardings.strategies[own.inst].axes.iter().flatten().collect();
        own.axes.minus(shared).is_empty()
    };
    for own in found.iter().filter(|own| !is_shared(own)) {
        if let Some(target) = kernel_of(own) {
            of_kernels.entry((target, own.axes)).or_default().push(own);
        }
    }
    let in_kernel = |((target, axes), all): (&(&str, AxisSet), &Vec<&Replication>)| {
        whole_in_kernel(function, &shardings.mesh, (target, axes), all)
    };
    let in_kernels: Vec<Diagnostic> = of_kernels.iter().map(in_kernel).collect();
    let configured = sharded_insts(body, body.entry()).into_iter().filter_map(|inst| {
        let view = body.view(inst);
        let (Op::CustomCall(call), Some(target)) = (&view.inst.op, view.inst.op.unknown_kernel(&view)) else {
            return None;
        };
        let is_sharded = !shardings.strategies[inst].is_replicated();
        (is_sharded && call.is_configured()).then(|| {
            let message =
                format!("`@{target}` runs on shards with the configuration that it has for the whole");
            Diagnostic::warning(CONFIGURED, view.inst.span, message)
                .hint("if that names sizes, leave the call whole: give it no `sdy.sharding_rule`")
        })
    });
    let others = found.iter().filter(|own| kernel_of(own).is_none()).map(warning);
    others.chain(in_kernels).chain(configured).collect()
}

/// The name by which an instruction calls a kernel whose rule is known.
fn known_kernel(function: &Function, inst: InstId) -> Option<&str> {
    let view = function.body.view(inst);
    match &view.inst.op {
        Op::CustomCall(call) if view.inst.op.unknown_kernel(&view).is_none() => Some(&call.target),
        _ => None,
    }
}

/// A warning that calls of a kernel whose rule is known take these operands, and make these results, whole.
fn whole_in_kernel(
    function: &Function,
    mesh: &Mesh,
    (target, axes): (&str, &AxisSet),
    all: &[&Replication],
) -> Diagnostic {
    let calls: BTreeSet<InstId> = all.iter().map(|own| own.inst).collect();
    let span = calls.first().map_or(Span::NONE, |inst| function.body.insts[*inst].span);
    let bytes = Bytes(all.iter().map(|own| own.bytes).sum());
    let axes = mesh.describe(&axes.iter().collect::<Vec<_>>()).join(", ");
    let calls = if calls.len() == 1 { "a call".to_owned() } else { format!("{} calls", calls.len()) };
    let message = format!(
        "the kernel @{target} ({calls}) needs whole what is sharded over {axes}, whose devices then all compute the same: each \
         gets {bytes}"
    );
    let hint = "shard what the kernel leaves alone, such as batch and heads (`dp`, `tp`); what stays written out \
                (`--kernels off`) is sharded along tokens too";
    Diagnostic::warning(REPLICATED, span, message).hint(hint)
}

/// The local program of a function with complete shardings, optimized and checked; `watch` sees it as the partitioner
/// left it, and behind every pass that changed it.
pub(crate) fn lower(
    program: &Program,
    function: &Function,
    shardings: &Shardings,
    target: Option<Target<'_>>,
    options: &Options,
    stages: &Stages<'_>,
    control: &dyn Control,
    watch: &mut dyn FnMut(&'static str, &DeviceProgram),
    proof: Proof,
) -> Result<DeviceProgram, CompileError> {
    let is_proved = proof.is_due();
    if is_proved {
        let problems = shardings.verify(function);
        assert!(problems.is_empty(), "incomplete shardings: {}", problems.join("; "));
    }
    if shardings.mesh.num_devices() > MOST_DEVICES {
        let message = format!(
            "on more than {MOST_DEVICES} devices it is not worked out what each one's number makes of a value: passes \
             find less to remove, and what values mean is not checked along it"
        );
        control.warn(&Diagnostic::warning(MANY, Span::NONE, message));
    }
    let analysis = Analysis::new(function);
    let mut device = meshwright_spmd::partition(program, &Lowering::new(&analysis, shardings));
    if is_proved {
        must_verify(&device, stages::PARTITION);
    }
    // Written before its meaning is checked, so that a defect can be looked at.
    stages.done(stages::PARTITION, &|| device.program.clone())?;
    if is_proved && cfg!(debug_assertions) {
        must_mean(&device, stages::PARTITION);
    }
    watch(stages::PARTITION, &device);
    match &options.stop_after {
        // A stop inside the passes: run those up to it.
        Some(stage) if meshwright_spmd::optimize::PASSES.iter().any(|pass| pass.name == *stage) => {
            let after = meshwright_spmd::optimize::PASSES
                .iter()
                .map(|pass| pass.name)
                .skip_while(|name| name != stage);
            let without: Vec<String> =
                options.without_passes.iter().cloned().chain(after.skip(1).map(str::to_owned)).collect();
            run_watched(&mut device, &without, target, control, watch);
            stages.stop(stage)?;
        }
        _ => run_watched(&mut device, &options.without_passes, target, control, watch),
    }
    if is_proved {
        proved(&device);
    }
    Ok(device)
}

/// Checks a local program behind its passes.
pub(crate) fn proved(device: &DeviceProgram) {
    must_verify(device, stages::FINAL);
    must_mean(device, stages::FINAL);
}

/// Whether a local program is checked before it is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// It is: somebody gets it.
    Always,
    /// Only with debug assertions: its figures are all that is wanted, and the plan of the same is checked when it is made.
    WithAssertions,
    /// Not yet: it is one of many that are compared, and checked if it is taken.
    Later,
}

impl Proof {
    fn is_due(self) -> bool {
        match self {
            Self::Always => true,
            Self::WithAssertions => cfg!(debug_assertions),
            Self::Later => false,
        }
    }
}

/// A lowered program with its arguments and results where they are to stand, and the numbers of devices.
pub(crate) fn numbered(
    mut device: DeviceProgram,
    function: &Function,
    orders: Orders,
    options: &Options,
    stages: &Stages<'_>,
    control: &dyn Control,
) -> Result<DeviceProgram, CompileError> {
    meshwright_spmd::arrange(&mut device, orders);
    in_other_orders(function, &device).iter().for_each(|warning| control.warn(warning));
    meshwright_spmd::number_devices(&mut device, options.ids);
    stages.done(stages::FINAL, &|| device.program.clone())?;
    Ok(device)
}

/// A warning for every argument and result that is sent to or from where the program has it.
fn in_other_orders(function: &Function, device: &DeviceProgram) -> Vec<Diagnostic> {
    let mesh = &device.mesh;
    let warning = |what: String, (ty, sharding): &(Type, Sharding), span: Span| {
        let bytes = ty.as_tensor().map_or(0, |tensor| sharding.local_type(tensor, mesh).num_bytes());
        let bytes = Bytes(bytes as u64);
        let message = format!(
            "{what} stands on the devices in another order than on the mesh {}: each shard of {bytes} is sent",
            mesh.attr()
        );
        Diagnostic::warning(ORDER, span, message).hint(
            "write it against the same mesh as the other annotations, or one whose axes are made of its axes",
        )
    };
    let (orders, body) = (&device.orders, &function.body);
    let arguments = orders.arguments.keys().filter_map(|index| {
        let span = body.values[*function.args().get(*index)?].span;
        Some(warning(format!("argument {index}"), device.arguments.get(*index)?, span))
    });
    let results = orders.results.keys().filter_map(|index| {
        Some(warning(format!("result {index}"), device.results.get(*index)?, function.result_span(*index)))
    });
    arguments.chain(results).collect()
}

/// A local program that breaks a rule is a defect of the compiler, not of its input.
fn must_verify(device: &DeviceProgram, stage: &str) {
    if let Err(found) = meshwright_spmd::verify(device) {
        broken(&found, stage);
    }
}

/// So is one in which a value is used as what it is not: it would compute wrong numbers.
fn must_mean(device: &DeviceProgram, stage: &str) {
    if let Err(found) = meshwright_spmd::verify_meaning(device) {
        broken(&found, stage);
    }
}

fn broken(found: &Diagnostics, stage: &str) -> ! {
    let messages: Vec<String> = found.iter().map(ToString::to_string).collect();
    panic!("the local program is broken after `{stage}`: {}", messages.join("; "));
}

/// A program that is sharded over a mesh.
struct ProgramOnMesh {
    program: Program,
    /// Its entry function with all calls inlined.
    function: Function,
    mesh: Mesh,
    orders: Orders,
}

fn with_mesh(program: &Program, options: &Options) -> Result<ProgramOnMesh, CompileError> {
    let Flat { function, .. } = flattened(program)?;
    must_be_global(program, &function)?;
    let OnMesh { program, function, decided, orders } = mesh::decide(program, function, options)?;
    let mesh = decided.ok_or_else(|| mesh::missing(&program))?.mesh;
    groups_must_fit(&function, &mesh)?;
    Ok(ProgramOnMesh { program, function, mesh, orders })
}
