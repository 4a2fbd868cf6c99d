//! A search that is stopped leaves the best plan that it has found, whole and marked, or says that there is none.

use meshwright_compile::{CompileError, Compiled, GridOutcome, Options, compile, grid, grid_so_far, read};
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::{Bytes, Machine};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Asks to stop from the given question on, and keeps the stages that it is told of.
struct Patience {
    questions: AtomicUsize,
    most: usize,
    told: Mutex<Vec<String>>,
}

impl Patience {
    fn of(most: usize) -> Self {
        Self { questions: AtomicUsize::new(0), most, told: Mutex::default() }
    }
}

impl Control for Patience {
    fn should_stop(&self) -> bool {
        self.questions.fetch_add(1, Ordering::Relaxed) >= self.most
    }

    fn progress(&self, stage: &str, _: usize, _: usize) {
        self.told.lock().unwrap().push(stage.to_owned());
    }
}

/// A step of a perceptron whose activations take more than its parameters.
const STEP: &str = "
func.func @main(%u: tensor<8x64xf32> {tf.aliasing_output = 0 : i32}, %w: tensor<64x8xf32> {tf.aliasing_output = 1 : i32}, %x: tensor<512x8xf32>, %y: tensor<512x8xf32>) -> (tensor<8x64xf32>, tensor<64x8xf32>) {
  %one = stablehlo.constant dense<1.0> : tensor<512x64xf32>
  %a = stablehlo.dot_general %x, %u, contracting_dims = [1] x [0] : (tensor<512x8xf32>, tensor<8x64xf32>) -> tensor<512x64xf32>
  %h = stablehlo.tanh %a : tensor<512x64xf32>
  %o = stablehlo.dot_general %h, %w, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x8xf32>) -> tensor<512x8xf32>
  %e = stablehlo.subtract %o, %y : tensor<512x8xf32>
  %gw = stablehlo.dot_general %h, %e, contracting_dims = [0] x [0] : (tensor<512x64xf32>, tensor<512x8xf32>) -> tensor<64x8xf32>
  %gh = stablehlo.dot_general %e, %w, contracting_dims = [1] x [1] : (tensor<512x8xf32>, tensor<64x8xf32>) -> tensor<512x64xf32>
  %hh = stablehlo.multiply %h, %h : tensor<512x64xf32>
  %slope = stablehlo.subtract %one, %hh : tensor<512x64xf32>
  %ga = stablehlo.multiply %gh, %slope : tensor<512x64xf32>
  %gu = stablehlo.dot_general %x, %ga, contracting_dims = [0] x [0] : (tensor<512x8xf32>, tensor<512x64xf32>) -> tensor<8x64xf32>
  %u1 = stablehlo.subtract %u, %gu : tensor<8x64xf32>
  %w1 = stablehlo.subtract %w, %gw : tensor<64x8xf32>
  return %u1, %w1 : tensor<8x64xf32>, tensor<64x8xf32>
}";

fn planned(limit: Option<u64>, control: &dyn Control) -> Result<Compiled, CompileError> {
    let source = Source::new("step.mlir", STEP);
    let program = read(&source).unwrap();
    let machine = Machine::from_spec("cpu8").unwrap();
    let options = Options { memory_limit: limit.map(Bytes), ..Options::default() };
    compile(&program, &source, &machine, &options, control)
}

#[test]
fn the_best_plan_so_far_is_whole_and_marked() {
    let whole = planned(None, &Quiet).unwrap().plan;
    assert!(!whole.unfinished);
    let mut marked = 0;
    for most in [0, 1, 2, 3, 10, 100] {
        match planned(None, &Patience::of(most)) {
            Err(CompileError::Interrupted) => assert!(most < 3, "the common styles were known after {most}"),
            Err(other) => panic!("after {most}: {other}"),
            Ok(found) => {
                marked += usize::from(found.plan.unfinished);
                let seconds = found.plan.predicted.before_passes_seconds;
                assert!(seconds >= 0.99 * whole.predicted.before_passes_seconds, "{seconds}");
                assert!(found.plan.memory.peak_bytes <= found.plan.memory.limit_bytes);
                assert!(!found.plan.passes.is_empty() || whole.passes.is_empty(), "no pass is left out");
            }
        }
    }
    assert!(marked > 0);
}

#[test]
fn ways_to_need_less_memory_are_left_too() {
    let as_it_is = match planned(Some(1), &Quiet) {
        Err(CompileError::DoesNotFit(problem)) => problem.peak_as_it_is.0,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("a step in one byte"),
    };
    let limit = Some(as_it_is / 3);
    let control = Patience::of(usize::MAX);
    let whole = planned(limit, &control).unwrap().plan;
    assert!(!whole.unfinished);
    let told = control.told.into_inner().unwrap();
    assert!(told.iter().any(|stage| stage.contains("microbatch")), "{told:?}");
    let asked = control.questions.into_inner();
    let mut marked = 0;
    for part in 1..6 {
        match planned(limit, &Patience::of(asked * part / 6)) {
            Err(CompileError::Interrupted) => {}
            Err(other) => panic!("after {part} of 6: {other}"),
            Ok(found) => {
                marked += usize::from(found.plan.unfinished);
                assert!(found.plan.memory.peak_bytes <= found.plan.memory.limit_bytes);
            }
        }
    }
    let last = planned(limit, &Patience::of(asked - 1));
    assert!(marked > 0 || last.is_ok(), "nothing is ever left");
}

#[test]
fn a_grid_leaves_the_rows_behind_and_marks_them() {
    let source = Source::new("step.mlir", STEP);
    let program = read(&source).unwrap();
    let machine = Machine::from_spec("cpu8").unwrap();
    let options = Options::default();
    let whole = grid(&program, &source, &machine, &options, &Quiet).unwrap();
    assert!(whole.len() > 8 && whole.iter().all(|row| row.outcome != GridOutcome::Unpriced));
    let rows = grid_so_far(&program, &source, &machine, &options, &Patience::of(5)).unwrap();
    let left = rows.iter().filter(|row| row.outcome == GridOutcome::Unpriced).count();
    assert!(left > 0 && left < rows.len(), "{left} of {}", rows.len());
    // What was priced is what it is in the whole.
    for (own, whole) in rows.iter().zip(&whole) {
        assert_eq!(own.way, whole.way);
        assert!(own.outcome == whole.outcome || own.outcome == GridOutcome::Unpriced);
    }
    let stopped = grid(&program, &source, &machine, &options, &Patience::of(5));
    assert!(matches!(stopped, Err(CompileError::Interrupted)));
    let none = grid_so_far(&program, &source, &machine, &options, &Patience::of(0)).unwrap();
    let is_left =
        |outcome: &GridOutcome| !matches!(outcome, GridOutcome::Plan(_) | GridOutcome::DoesNotFit { .. });
    assert!(none.iter().all(|row| is_left(&row.outcome)));
}
