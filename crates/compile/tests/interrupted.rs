//! A search that is stopped leaves the best plan that it has found, whole and marked, or says that there is none.

use meshwright_compile::{CompileError, Compiled, Options, compile, read};
use meshwright_ir::control::{Control, Quiet};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::{Bytes, Machine};
use std::path::Path;
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

fn planned(limit: Option<u64>, control: &dyn Control) -> Result<Compiled, CompileError> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gpt.mlir");
    let source = Source::new("gpt.mlir", std::fs::read_to_string(path).unwrap());
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
    for most in [0, 2, 3, 10, 100, 1000] {
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
    let least = match planned(Some(1), &Quiet) {
        Err(CompileError::DoesNotFit(problem)) => problem.peak.0,
        other => panic!("{other:?} in one byte"),
    };
    let limit = Some(least - least / 8);
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
