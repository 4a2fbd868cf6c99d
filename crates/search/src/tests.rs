//! The search with problems made by hand: what it takes from the solver, from styles, and how it keeps to memory.

use crate::check::check;
use crate::planner::{MeshProblem, Planner};
use crate::sharding_problem::{Budget, Copies, Scale, Skipped};
use crate::{
    Constraints, Effort, Evaluation, Outcome, ParallelDegrees, Plan, Refusal, Request, StopReason,
    find as search,
};
use meshwright_analyze::Roles;
use meshwright_cost::{Analysis, reshard};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::mesh::{Axis, Mesh};
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;
use meshwright_ir::text::read;
use meshwright_ir::verify::verify;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::{Decisions, Shardings};
use meshwright_shard::prepare;
use meshwright_solve::Problem;
use meshwright_solve::problem::{Node, Span};
use std::cell::RefCell;
use std::collections::BTreeMap;

const STEP: &str = r#"
func.func @main(%w: tensor<16x16xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<16x16xf32>) -> (tensor<16x16xf32> {jax.result_info = "result[0]['w']"}) {
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %g = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = stablehlo.subtract %w, %g : tensor<16x16xf32>
  return %p : tensor<16x16xf32>
}
"#;

fn step() -> Function {
    let program = read(&Source::new("step.mlir", STEP)).unwrap();
    verify(&program).unwrap();
    program.main().unwrap().clone()
}

/// How the weight is kept: whole, in a shard of its rows, or in one of its columns, over the first axis of the mesh.
fn shardings(function: &Function, mesh: &Mesh, choice: usize) -> Shardings {
    let axes = mesh.pieces(0);
    let sharding = match choice {
        0 => Sharding::replicated(2),
        1 => Sharding::of([axes, vec![]]),
        _ => Sharding::of([vec![], axes]),
    };
    let mut shardings = Shardings::replicated(function, mesh.clone());
    shardings.values[function.args()[0]] = sharding.clone();
    shardings.results[0] = sharding;
    shardings
}

/// Microseconds of each choice, and bytes: as the problem says, and really.
const MICROS: [u64; 3] = [300, 200, 250];
const BYTES: [u64; 3] = [90, 50, 40];

/// Bytes of copies that no choice really makes.
const COPIES: u64 = 20;

/// With this limit the mesh of three axes is too large.
const LARGE: u64 = 1 << 40;

thread_local! {
    /// How many problems were made in this thread, of each mesh.
    static MADE: RefCell<BTreeMap<String, usize>> = const { RefCell::new(BTreeMap::new()) };
}

/// Plans with one decision.
struct OneDecision {
    function: Function,
    limit: u64,
    /// Bytes of each choice: without copies, as the problem says, and really.
    said: [u64; 3],
    really: [u64; 3],
}

impl OneDecision {
    /// More axes help nobody.
    fn micros(mesh: &Mesh, choice: usize) -> u64 {
        MICROS[choice] + mesh.axes().len() as u64 - 1
    }

    fn cost(&self, mesh: &Mesh, choice: usize) -> Evaluation {
        let seconds = Seconds(Self::micros(mesh, choice) as f64 * 1e-6);
        let peak = Bytes(self.really[choice]);
        Evaluation {
            seconds,
            compute: seconds,
            communication: Seconds::ZERO,
            busiest: None,
            peak,
            beyond_host: Bytes(0),
        }
    }
}

impl Planner for OneDecision {
    fn problem(&self, mesh: &Mesh, budget: Budget) -> Result<Box<dyn MeshProblem + '_>, Skipped> {
        let (decisions, pairs) = (1, 1);
        if self.limit == LARGE && mesh.axes().len() == 3 {
            return Err(Skipped { bound: Seconds(100e-6), needs: Bytes(0), decisions, choices: 1, pairs });
        }
        let needs = self.said.into_iter().min().map_or(Bytes(0), Bytes);
        if needs > budget.memory {
            return Err(Skipped { bound: Seconds::ZERO, needs, decisions, choices: 3, pairs });
        }
        MADE.with_borrow_mut(|made| *made.entry(mesh.to_string()).or_default() += 1);
        let costs = (0..3).map(|choice| Self::micros(mesh, choice)).collect();
        let problem = Problem { nodes: vec![Node { costs, spans: Vec::new() }], ..Problem::default() };
        let mut made = OneNode { plans: self, mesh: mesh.clone(), problem };
        made.limit(budget.memory, Copies::Ignored);
        Ok(Box::new(made))
    }

    /// What no choice makes, as styles do, is slow and large.
    fn predict(&self, given: &Shardings) -> Evaluation {
        let mesh = &given.mesh;
        let choice = (0..3).find(|choice| *given == shardings(&self.function, mesh, *choice));
        let slow = Evaluation { seconds: Seconds(1.0), peak: Bytes(1000), ..self.cost(mesh, 0) };
        choice.map_or(slow, |choice| self.cost(mesh, choice))
    }

    /// The program of one device, which no choice makes.
    fn shardings(&self, decisions: &Decisions) -> Shardings {
        let mut whole = Shardings::replicated(&self.function, decisions.mesh.clone().unwrap());
        let data = self.function.args()[1];
        whole.values[data] = Sharding::of([whole.mesh.pieces(0), vec![]]);
        whole
    }
}

struct OneNode<'a> {
    plans: &'a OneDecision,
    mesh: Mesh,
    problem: Problem,
}

impl MeshProblem for OneNode<'_> {
    fn problem(&self) -> &Problem {
        &self.problem
    }

    fn limit(&mut self, memory: Bytes, copies: Copies) {
        let copies = if copies == Copies::Counted { COPIES } else { 0 };
        let usage = self.plans.said.map(|bytes| bytes + copies).to_vec();
        self.problem.nodes[0].spans = vec![Span { start: 0, end: 1, usage }];
        self.problem.usage_limit = Some(memory.0);
    }

    fn scale(&self) -> Scale {
        Scale { unit: 1e-6, rest: 0.0 }
    }

    fn least(&self) -> Seconds {
        Seconds::ZERO
    }

    fn plan(&self, assignment: &[usize]) -> Plan {
        let choice = assignment[0];
        Plan {
            shardings: shardings(&self.plans.function, &self.mesh, choice),
            evaluation: self.plans.cost(&self.mesh, choice),
            choices: Vec::new(),
        }
    }
}

fn find(limit: u64, said: [u64; 3], really: [u64; 3], fixed: Decisions) -> Result<Outcome, Refusal> {
    find_with(limit, said, really, fixed, None)
}

fn find_with(
    limit: u64,
    said: [u64; 3],
    really: [u64; 3],
    fixed: Decisions,
    parallelism: Option<ParallelDegrees>,
) -> Result<Outcome, Refusal> {
    let function = step();
    let request = Request {
        function: &function,
        prepared: &prepare(&function),
        roles: &Roles::new(&function),
        analysis: &Analysis::new(&function),
        machine: &Machine::from_spec("cpu8").unwrap(),
        fixed: &fixed,
        memory_limit: Bytes(limit),
        parallelism,
        allowed: &Constraints::default(),
        faster_than: None,
        is_for_bound: false,
        effort: Effort::Thorough,
        reshards: &reshard::Planner::default(),
        control: &Quiet,
    };
    let planner = OneDecision { function: function.clone(), limit, said, really };
    let outcome = search(&request, &planner)?;
    assert_eq!(check(&request, &outcome, &planner), Vec::<String>::new());
    Ok(outcome)
}

#[test]
fn the_fastest_choice_that_fits_is_taken() {
    let outcome = find(100, BYTES, BYTES, Decisions::default()).unwrap();
    assert_eq!(outcome.evaluation.seconds, Seconds(200.0 * 1e-6));
    assert_eq!((outcome.mesh().axes().len(), outcome.stop), (1, StopReason::Proven));
    assert!(outcome.gap() < 0.006, "{}", outcome.gap());
    let outcome = find(45, BYTES, BYTES, Decisions::default()).unwrap();
    assert_eq!(outcome.evaluation.seconds, Seconds(250.0 * 1e-6));
}

#[test]
fn what_fits_without_copies_need_not_fit_with_them() {
    let outcome = find(BYTES[1] + COPIES / 2, BYTES, BYTES, Decisions::default()).unwrap();
    assert_eq!((outcome.evaluation.seconds, outcome.stop), (Seconds(200.0 * 1e-6), StopReason::Proven));
}

#[test]
fn what_the_problem_does_not_see_takes_from_its_limit() {
    // The fastest choice is said to fit, and does not.
    let outcome = find(100, [90, 95, 40], [90, 120, 40], Decisions::default()).unwrap();
    assert_eq!(outcome.evaluation.seconds, Seconds(250.0 * 1e-6));
    assert!(outcome.is_feasible());
    // The bound is that of all that is said to fit.
    assert!(outcome.bound <= Seconds(200.0 * 1e-6));
}

#[test]
fn where_nothing_fits_the_plan_needs_little_more() {
    let outcome = find(10, BYTES, BYTES, Decisions::default()).unwrap();
    assert_eq!(outcome.stop, StopReason::Infeasible);
    assert_eq!(outcome.evaluation.peak, Bytes(40));
}

#[test]
fn one_problem_does_for_all_limits_of_a_mesh() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().unwrap();
    for (limit, said, really) in [(100, [90, 95, 40], [90, 120, 40]), (10, BYTES, BYTES)] {
        MADE.take();
        let mesh = Mesh::new("mesh", vec![Axis { name: "x".into(), size: 8 }]).unwrap();
        let fixed = Decisions { mesh: Some(mesh), ..Decisions::default() };
        pool.install(|| find(limit, said, really, fixed)).unwrap();
        assert_eq!(MADE.take().into_values().collect::<Vec<_>>(), [1], "with {limit} bytes");
    }
}

#[test]
fn a_pinned_mesh_stays_and_must_have_the_machines_devices() {
    let mesh = |sizes: &[usize]| {
        let axis = |(index, size): (usize, &usize)| Axis { name: format!("a{index}"), size: *size };
        Mesh::new("mesh", sizes.iter().enumerate().map(axis).collect()).unwrap()
    };
    let pinned = |mesh: Mesh| find(100, BYTES, BYTES, Decisions { mesh: Some(mesh), ..Decisions::default() });
    assert_eq!(*pinned(mesh(&[2, 4])).unwrap().mesh(), mesh(&[2, 4]));
    let error = pinned(mesh(&[4])).unwrap_err().to_string();
    assert!(error.contains("has 4 devices, but the machine has 8"), "{error}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| find(45, BYTES, BYTES, Decisions::default()).unwrap())
    };
    let (one, four) = (run(1), run(4));
    assert_eq!((one.shardings, one.reasons, one.meshes), (four.shardings, four.reasons, four.meshes));
}

#[test]
fn a_way_of_ones_own_has_to_be_beaten() {
    let asked = |text: &str| text.parse().unwrap();
    let outcome = find_with(100, BYTES, BYTES, Decisions::default(), Some(asked("dp=8"))).unwrap();
    let own = outcome.requested.unwrap();
    assert_eq!(own.name, "as asked (dp=8)");
    assert!(own.evaluation.seconds >= outcome.evaluation.seconds);
    let refused = find_with(100, BYTES, BYTES, Decisions::default(), Some(asked("dp=4"))).unwrap_err();
    assert_eq!(refused.to_string(), "`dp=4` is for 4 devices, but the machine has 8");
}

#[test]
fn meshes_with_too_much_to_choose_from_are_named() {
    let outcome = find(LARGE, BYTES, BYTES, Decisions::default()).unwrap();
    assert_eq!(outcome.mesh().axes().len(), 1);
    assert!(outcome.gap() < 0.006, "the bound is that of the meshes that were searched");
    let named: Vec<&String> =
        outcome.not_searched.iter().filter(|what| what.starts_with("the mesh ")).collect();
    assert_eq!(named, ["the mesh 2x2x2 (too much to choose from; plans on it take at least 100 us)"]);
}
