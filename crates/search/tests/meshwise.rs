//! The search with problems made by hand: what it takes from the solver, from styles, and how it keeps to memory.

use meshwright_analyze::Roles;
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::mesh::{Axis, Mesh};
use meshwright_ir::program::Function;
use meshwright_ir::sharding::Sharding;
use meshwright_ir::text::read;
use meshwright_ir::verify::verify;
use meshwright_machine::{Bytes, Machine, Seconds};
use meshwright_plan::Decisions;
use meshwright_search::check::check;
use meshwright_search::{
    Aim, Asked, Evaluation, NotMade, Options, Outcome, Pins, Plan, Question, Scale, StopReason, search,
};
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
fn seeds(function: &Function, mesh: &Mesh, choice: usize) -> Decisions {
    let axes = mesh.pieces(0);
    let sharding = match choice {
        0 => Sharding::replicated(2),
        1 => Sharding::of([axes, vec![]]),
        _ => Sharding::of([vec![], axes]),
    };
    let mut seeds = Decisions::none(function);
    seeds.values.insert(function.args()[0], sharding.clone());
    seeds.results[0] = Some(sharding);
    seeds
}

/// One decision.
struct OneNode<'a> {
    problem: Problem,
    /// Bytes of each choice without copies.
    said: [u64; 3],
    plan: &'a dyn Fn(usize) -> Plan,
}

impl Question for OneNode<'_> {
    fn problem(&self) -> &Problem {
        &self.problem
    }

    fn limit(&mut self, memory: Bytes, copies: bool) {
        let copies = if copies { COPIES } else { 0 };
        let usage = self.said.map(|bytes| bytes + copies).to_vec();
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
        (self.plan)(assignment[0])
    }
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

fn find(limit: u64, said: [u64; 3], really: [u64; 3], pins: Pins) -> Result<Outcome, String> {
    find_with(limit, said, really, pins, None)
}

fn find_with(
    limit: u64,
    said: [u64; 3],
    really: [u64; 3],
    pins: Pins,
    asked: Option<Asked>,
) -> Result<Outcome, String> {
    let function = step();
    let roles = Roles::new(&function);
    let machine = Machine::from_spec("cpu8").unwrap();
    let options = Options { memory_limit: Some(Bytes(limit)), pins: pins.clone(), asked, faster_than: None };
    // More axes help nobody.
    let micros = |mesh: &Mesh, choice: usize| MICROS[choice] + mesh.axes().len() as u64 - 1;
    let evaluation = |mesh: &Mesh, choice: usize| {
        let seconds = Seconds(micros(mesh, choice) as f64 * 1e-6);
        let peak = Bytes(really[choice]);
        Evaluation { seconds, compute: seconds, communication: Seconds::ZERO, busiest: None, peak }
    };
    // What no choice makes, as styles do, is slow and large.
    let evaluate = |mesh: &Mesh, given: &Decisions| {
        let choice = (0..3).find(|choice| *given == seeds(&function, mesh, *choice));
        let slow = Evaluation { seconds: Seconds(1.0), peak: Bytes(1000), ..evaluation(mesh, 0) };
        choice.map_or(slow, |choice| evaluation(mesh, choice))
    };
    let ask = |mesh: &Mesh, aim: Aim, answer: &mut dyn FnMut(&mut dyn Question)| {
        if limit == LARGE && mesh.axes().len() == 3 {
            return Err(NotMade {
                bound: Seconds(100e-6),
                needs: Bytes(0),
                decisions: 1,
                choices: 1,
                pairs: 1,
            });
        }
        let costs = (0..3).map(|choice| micros(mesh, choice)).collect();
        let nodes = vec![Node { costs, spans: Vec::new() }];
        let problem = Problem { nodes, ..Problem::default() };
        let plan = |choice: usize| Plan {
            seeds: seeds(&function, mesh, choice),
            evaluation: evaluation(mesh, choice),
            choices: Vec::new(),
        };
        let needs = said.into_iter().min().map_or(Bytes(0), Bytes);
        if needs > aim.memory {
            return Err(NotMade { bound: Seconds::ZERO, needs, decisions: 1, choices: 3, pairs: 1 });
        }
        MADE.with_borrow_mut(|made| *made.entry(mesh.to_string()).or_default() += 1);
        let mut question = OneNode { problem, said, plan: &plan };
        question.limit(aim.memory, false);
        answer(&mut question);
        Ok(())
    };
    let outcome = search(&function, &roles, &machine, &options, (&evaluate, &ask), &Quiet)?;
    assert_eq!(check(&function, &roles, &pins, &outcome, &evaluate), Vec::<String>::new());
    Ok(outcome)
}

#[test]
fn the_fastest_choice_that_fits_is_taken() {
    let outcome = find(100, BYTES, BYTES, Pins::default()).unwrap();
    assert_eq!(outcome.evaluation.seconds, Seconds(200.0 * 1e-6));
    assert_eq!((outcome.mesh.axes().len(), outcome.stop), (1, StopReason::Proven));
    assert!(outcome.gap() < 0.006, "{}", outcome.gap());
    let outcome = find(45, BYTES, BYTES, Pins::default()).unwrap();
    assert_eq!(outcome.evaluation.seconds, Seconds(250.0 * 1e-6));
}

#[test]
fn what_fits_without_copies_need_not_fit_with_them() {
    let outcome = find(BYTES[1] + COPIES / 2, BYTES, BYTES, Pins::default()).unwrap();
    assert_eq!((outcome.evaluation.seconds, outcome.stop), (Seconds(200.0 * 1e-6), StopReason::Proven));
}

#[test]
fn what_the_problem_does_not_see_takes_from_its_limit() {
    // The fastest choice is said to fit, and does not.
    let outcome = find(100, [90, 95, 40], [90, 120, 40], Pins::default()).unwrap();
    assert_eq!(outcome.evaluation.seconds, Seconds(250.0 * 1e-6));
    assert!(outcome.is_feasible());
    // The bound is that of all that is said to fit.
    assert!(outcome.bound <= Seconds(200.0 * 1e-6));
}

#[test]
fn where_nothing_fits_the_plan_needs_little_more() {
    let outcome = find(10, BYTES, BYTES, Pins::default()).unwrap();
    assert_eq!(outcome.stop, StopReason::Infeasible);
    assert_eq!(outcome.evaluation.peak, Bytes(40));
}

#[test]
fn one_problem_does_for_all_limits_of_a_mesh() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().unwrap();
    for (limit, said, really) in [(100, [90, 95, 40], [90, 120, 40]), (10, BYTES, BYTES)] {
        MADE.take();
        let mesh = Mesh::new("mesh", vec![Axis { name: "x".into(), size: 8 }]).unwrap();
        let pins = Pins { mesh: Some(mesh), seeds: None };
        pool.install(|| find(limit, said, really, pins)).unwrap();
        assert_eq!(MADE.take().into_values().collect::<Vec<_>>(), [1], "with {limit} bytes");
    }
}

#[test]
fn a_pinned_mesh_stays_and_must_have_the_machines_devices() {
    let mesh = |sizes: &[usize]| {
        let axis = |(index, size): (usize, &usize)| Axis { name: format!("a{index}"), size: *size };
        Mesh::new("mesh", sizes.iter().enumerate().map(axis).collect()).unwrap()
    };
    let pinned = |mesh: Mesh| find(100, BYTES, BYTES, Pins { mesh: Some(mesh), seeds: None });
    assert_eq!(pinned(mesh(&[2, 4])).unwrap().mesh, mesh(&[2, 4]));
    let error = pinned(mesh(&[4])).unwrap_err();
    assert!(error.contains("has 4 devices, but the machine has 8"), "{error}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| find(45, BYTES, BYTES, Pins::default()).unwrap())
    };
    let (one, four) = (run(1), run(4));
    assert_eq!((one.seeds, one.reasons, one.meshes), (four.seeds, four.reasons, four.meshes));
}

#[test]
fn a_way_of_ones_own_has_to_be_beaten() {
    let asked = |text: &str| text.parse().unwrap();
    let outcome = find_with(100, BYTES, BYTES, Pins::default(), Some(asked("dp=8"))).unwrap();
    let own = outcome.asked.unwrap();
    assert_eq!(own.name, "as asked (dp=8)");
    assert!(own.evaluation.seconds >= outcome.evaluation.seconds);
    let refused = find_with(100, BYTES, BYTES, Pins::default(), Some(asked("dp=4"))).unwrap_err();
    assert_eq!(refused, "`dp=4` is for 4 devices, but the machine has 8");
}

#[test]
fn meshes_with_too_much_to_choose_from_are_named() {
    let outcome = find(LARGE, BYTES, BYTES, Pins::default()).unwrap();
    assert_eq!(outcome.mesh.axes().len(), 1);
    assert!(outcome.gap() < 0.006, "the bound is that of the meshes that were searched");
    let named: Vec<&String> =
        outcome.not_searched.iter().filter(|what| what.starts_with("the mesh ")).collect();
    assert_eq!(named, ["the mesh 2x2x2 (too much to choose from; plans on it take at least 100 us)"]);
}
