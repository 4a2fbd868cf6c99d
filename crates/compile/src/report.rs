//! The plan file of a compiled program: its arguments, results and predictions.
//!
//! Input: the function, its shardings and its estimate. Output: a [`PlanFile`]. What is decided inside the program is added
//! by `plan_file::codec`.

use meshwright_analyze::{Role, Roles, names};
use meshwright_cost::analysis::Assumption;
use meshwright_cost::estimate::Estimate;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::ids::ValueId;
use meshwright_ir::mesh::Mesh;
use meshwright_ir::program::{Def, Function, Program};
use meshwright_ir::sharding::Sharding;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::plan_file::{Memory, PlanTensor, Predicted};
use meshwright_plan::{PlanFile, Shardings, axes, fingerprint};
use meshwright_search::Evaluation;
use meshwright_tensor::types::Type;

use crate::figures;

/// The part of a plan that says what was decided.
pub(crate) fn decisions(
    original: &Program,
    function: &Function,
    roles: &Roles,
    machine: &Machine,
    shardings: &Shardings,
) -> PlanFile {
    let mut plan = PlanFile::new(fingerprint(original), machine.spec());
    let mesh = &shardings.mesh;
    plan.mesh = axes::of_mesh(mesh);
    let argument_names = names::of_arguments(function);
    plan.arguments = function
        .args()
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let role = Some(role_name(roles.args[index].role).to_owned());
            let ty = function.body.ty(*value);
            tensor(index, argument_names[index].clone(), role, ty, &shardings.values[*value], mesh)
        })
        .collect();
    let result_names = names::of_results(function);
    plan.results = function
        .result_types
        .iter()
        .zip(&shardings.results)
        .enumerate()
        .map(|(index, (ty, sharding))| tensor(index, result_names[index].clone(), None, ty, sharding, mesh))
        .collect();
    plan
}

/// Adds what the plan is predicted to cost: time and figures of the local program that is handed out, memory of the
/// program that was decided on.
pub(crate) fn predict(
    plan: &mut PlanFile,
    estimate: &Estimate,
    facts: &figures::Facts<'_>,
    limit: Bytes,
    source: &Source,
) {
    let (figures, total) = figures::figures(facts);
    plan.figures = Some(figures);
    plan.predicted = Predicted {
        compute_seconds: facts.account.compute().0,
        communication_seconds: (facts.account.communication() + facts.border).0,
        overlapped_seconds: facts.account.overlapped().0,
        total_seconds: total.0,
        before_passes_seconds: (estimate.total() + facts.border).0,
        calibrated: estimate.is_calibrated,
        calibration: estimate.calibration.clone(),
    };
    plan.memory = Memory {
        peak_bytes: estimate.memory.peak.0,
        limit_bytes: limit.0,
        host_bytes: estimate.memory.host.0,
        ..Memory::default()
    };
    plan.assumptions = estimate
        .assumptions
        .iter()
        .map(|assumption| {
            let (Assumption::TripCount { span, .. } | Assumption::Branches { span, .. }) = assumption;
            format!("{}: {assumption}", source.locate(*span))
        })
        .collect();
}

/// A share in per cent, to two decimals.
pub(crate) fn percent(share: f64) -> f64 {
    (share * 1e4).round() / 1e2
}

/// What the times and memory by which a plan is compared with others leave out, as a sentence, if it matters: `searched` is
/// the plan before the passes, in the order of instructions that was searched.
pub(crate) fn compared_by(predicted: &Predicted, memory: &Memory, searched: &Evaluation) -> Option<String> {
    let (before, after) = (searched.seconds.0, predicted.total_seconds);
    let time = ((before - after).abs() > 5e-3 * after).then(|| {
        let [before, after] = [before, after].map(Seconds);
        ("before the passes over the local program", format!("takes {before} then, and {after} with them"))
    });
    let (searched, taken) = (searched.peak, Bytes(memory.peak_bytes));
    let order = (searched.to_string() != taken.to_string()).then(|| {
        let needs = format!("needs {searched} so, and {taken} in the order that was taken");
        ("with the instructions in the order that was searched", needs)
    });
    let (when, what): (Vec<_>, Vec<_>) = time.into_iter().chain(order).unzip();
    let sentence = || format!("plans are compared {}: this one {}", when.join(" and "), what.join("; it "));
    (!when.is_empty()).then(sentence)
}

/// What a value is called: an argument's name, or the op that makes it.
/// `names` are those of the arguments ([`names::of_arguments`]).
pub(crate) fn first_name(function: &Function, names: &[Option<String>], value: ValueId) -> String {
    match function.body.values[value].def {
        Def::Argument(region, index) if region == function.body.entry() => {
            names[index].clone().unwrap_or_else(|| format!("argument {index}"))
        }
        Def::Argument(..) => "a value carried by a loop".to_owned(),
        Def::Result(inst, _) => function.body.insts[inst].op.name().to_owned(),
    }
}

fn tensor(
    index: usize,
    name: Option<String>,
    role: Option<String>,
    ty: &Type,
    sharding: &Sharding,
    mesh: &Mesh,
) -> PlanTensor {
    match ty.as_tensor() {
        Some(global) => PlanTensor {
            index,
            name,
            role,
            shape: global.shape.clone(),
            element: global.element.to_string(),
            sharding: axes::names(sharding, mesh),
            bytes_per_device: sharding.local_type(global, mesh).num_bytes() as u64,
        },
        // Tokens have no shards.
        None => PlanTensor {
            index,
            name,
            role,
            shape: Vec::new(),
            element: ty.to_string(),
            sharding: Vec::new(),
            bytes_per_device: 0,
        },
    }
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Parameter => "parameter",
        Role::Moment { .. } => "moment",
        Role::Counter => "counter",
        Role::State => "state",
        Role::Data => "data",
    }
}
