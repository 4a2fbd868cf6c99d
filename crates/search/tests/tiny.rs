//! Descent against brute force on a tiny program, with a cost that is computed from the seeds alone.
//!
//! The cost has what makes the real one hard: sharding one weight pays only together with another, what does not
//! match costs communication, and replicated state does not fit.

use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::mesh::{AxisSet, Mesh};
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;
use meshwright_ir::text::read;
use meshwright_ir::verify::verify;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::Roles;
use meshwright_search::check::check;
use meshwright_search::problem::GroupKind;
use meshwright_search::{Evaluation, Options, Outcome, Pins, Seeds, Solver, StopReason, search};

const STEP: &str = r#"
func.func @main(%w1: tensor<4x16xf32> {tf.aliasing_output = 0 : i32}, %w2: tensor<16x4xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<8x4xf32>) -> (tensor<4x16xf32> {jax.result_info = "result[0]['w1']"}, tensor<16x4xf32> {jax.result_info = "result[0]['w2']"}) {
  %h = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  %y = stablehlo.dot_general %h, %w2, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  %g2 = stablehlo.dot_general %h, %y, contracting_dims = [0] x [0] : (tensor<8x16xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  %dh = stablehlo.dot_general %y, %w2, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<16x4xf32>) -> tensor<8x16xf32>
  %g1 = stablehlo.dot_general %x, %dh, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %p1 = stablehlo.subtract %w1, %g1 : tensor<4x16xf32>
  %p2 = stablehlo.subtract %w2, %g2 : tensor<16x4xf32>
  return %p1, %p2 : tensor<4x16xf32>, tensor<16x4xf32>
}
"#;

fn step() -> Function {
    let program = read(&Source::new("step.mlir", STEP)).unwrap();
    verify(&program).unwrap();
    program.main().unwrap().clone()
}

/// The axes of each dim of the three arguments.
fn axes(function: &Function, seeds: &Seeds) -> [[AxisSet; 2]; 3] {
    let of = |index: usize| -> [AxisSet; 2] {
        let value = function.args()[index];
        let sharding = seeds.values.iter().find(|(other, _)| *other == value).map(|(_, sharding)| sharding);
        let dim = |dim: usize| {
            sharding.map_or(AxisSet::EMPTY, |sharding: &Sharding| sharding.dims[dim].axes.iter().collect())
        };
        [dim(0), dim(1)]
    };
    [of(0), of(1), of(2)]
}

/// Work is divided by what shards the batch and, where the batch does not, the hidden dim of both weights; what only
/// one weight shards is gathered, and so is what shards their outer dims; gradients are summed over the batch.
fn cost(function: &Function, mesh: &Mesh, seeds: &Seeds, gather: f64) -> Evaluation {
    let [w1, w2, x] = axes(function, seeds);
    let hidden = w1[1].intersection(w2[0]).minus(x[0]);
    let compute = 1e-3 / mesh.set_size(hidden.union(x[0])) as f64;
    let gathered = [w1[1].union(w2[0]).minus(hidden), w1[0], w2[1], x[1]];
    let mut communication: f64 =
        gathered.iter().map(|axes| gather * (1.0 - 1.0 / mesh.set_size(*axes) as f64)).sum();
    communication +=
        0.06e-3 * (mesh.set_size(hidden) as f64).log2() + 0.05e-3 * (mesh.set_size(x[0]) as f64).log2();
    let local = |axes: [AxisSet; 2]| 1000 / mesh.set_size(axes[0].union(axes[1]));
    let peak = Bytes((local(w1) + local(w2) + local(x)) as u64);
    let (compute, communication) = (Seconds(compute), Seconds(communication));
    Evaluation { seconds: Seconds(compute.0 + communication.0), compute, communication, peak }
}

fn find(solver: Solver, limit: u64, gather: f64, pins: Pins) -> Outcome {
    let function = step();
    let roles = Roles::new(&function);
    let machine = Machine::from_spec("cpu8").unwrap();
    let options =
        Options { solver, evaluations: Some(100_000), memory_limit: Some(Bytes(limit)), pins: pins.clone() };
    let evaluate = |mesh: &Mesh, seeds: &Seeds| cost(&function, mesh, seeds, gather);
    let outcome = search(&function, &roles, &machine, &options, &evaluate, &Quiet).unwrap();
    assert_eq!(check(&function, &roles, &pins, &outcome, &evaluate), Vec::<String>::new());
    outcome
}

#[test]
fn groups_and_dims_are_those_of_the_step() {
    let outcome = find(Solver::Descent, 10_000, 1e-3, Pins::default());
    let groups: Vec<(&str, GroupKind)> =
        outcome.problem.groups.iter().map(|group| (group.name.as_str(), group.kind)).collect();
    // The step is given 4 numbers an example and makes 4 others; the 16 between belong to both weights.
    let expected = [("w1", GroupKind::Parameter), ("w2", GroupKind::Parameter), ("%arg2", GroupKind::Data)];
    assert_eq!(groups, expected);
    let sets: Vec<_> = outcome.problem.dim_sets.iter().map(|set| set.sites.as_slice()).collect();
    assert_eq!(sets, [&[(0, 0)][..], &[(0, 1), (1, 0)], &[(1, 1)]]);
}

#[test]
fn descent_finds_what_brute_force_finds() {
    // Everything fits; only sharded weights fit; nothing fits.
    for (limit, gather) in [(10_000, 0.2e-3), (1_200, 0.2e-3), (1_200, 0.01e-3), (700, 1e-3), (100, 0.2e-3)] {
        let descent = find(Solver::Descent, limit, gather, Pins::default());
        let all = find(Solver::Exhaustive, limit, gather, Pins::default());
        let seconds = |outcome: &Outcome| outcome.evaluation.seconds;
        assert_eq!(descent.is_feasible(), all.is_feasible(), "limit {limit}");
        if all.is_feasible() {
            assert_eq!(seconds(&descent), seconds(&all), "limit {limit}, gather {gather}");
            assert_eq!((descent.stop, all.stop), (StopReason::LocalOptimum, StopReason::Exhausted));
        } else {
            assert_eq!(descent.evaluation.peak, all.evaluation.peak);
            assert_eq!((descent.stop, all.stop), (StopReason::Infeasible, StopReason::Infeasible));
        }
        assert!(descent.evaluations < all.evaluations);
    }
}

#[test]
fn a_pinned_mesh_and_pinned_shardings_stay() {
    let function = step();
    let free = find(Solver::Descent, 10_000, 0.2e-3, Pins::default());
    let mesh = free.problem.meshes.iter().find(|mesh| mesh.axes().len() == 2).unwrap().clone();
    let mut seeds = Seeds::none(&function);
    seeds.values.push((function.args()[2], Sharding::of([vec![], mesh.pieces(1)])));
    let pins = Pins { mesh: Some(mesh.clone()), seeds: Some(seeds.clone()) };
    let pinned = find(Solver::Descent, 10_000, 0.2e-3, pins);
    assert_eq!(pinned.mesh, mesh);
    assert!(pinned.seeds.values.contains(&seeds.values[0]));
    assert!(pinned.evaluation.seconds > free.evaluation.seconds);
}

#[test]
fn a_pinned_mesh_must_have_the_machines_devices() {
    let function = step();
    let roles = Roles::new(&function);
    let machine = Machine::from_spec("h100:1x4").unwrap();
    let mesh = find(Solver::Descent, 10_000, 0.2e-3, Pins::default()).mesh;
    let options = Options { pins: Pins { mesh: Some(mesh), seeds: None }, ..Options::default() };
    let evaluate = |mesh: &Mesh, seeds: &Seeds| cost(&function, mesh, seeds, 0.2e-3);
    let error = search(&function, &roles, &machine, &options, &evaluate, &Quiet).unwrap_err();
    assert!(error.contains("has 8 devices, but the machine has 4"), "{error}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| find(Solver::Descent, 1_200, 0.2e-3, Pins::default()))
    };
    let (one, four) = (run(1), run(4));
    assert_eq!((one.answer, one.reasons, one.evaluations), (four.answer, four.reasons, four.evaluations));
}

#[test]
fn a_small_budget_is_kept_and_said() {
    let function = step();
    let roles = Roles::new(&function);
    let machine = Machine::from_spec("cpu8").unwrap();
    let options = Options { evaluations: Some(5), ..Options::default() };
    let evaluate = |mesh: &Mesh, seeds: &Seeds| cost(&function, mesh, seeds, 0.2e-3);
    let outcome = search(&function, &roles, &machine, &options, &evaluate, &Quiet).unwrap();
    assert!(outcome.evaluations <= 5);
    assert_eq!(outcome.stop, StopReason::Budget);
}
