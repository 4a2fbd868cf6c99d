//! The step of a small GPT with each named way to recompute, and at each point of the hull: the same results bit for bit,
//! less memory, names that are recognized, and decisions that survive a plan.

use meshwright_analyze::{Phases, Roles, names};
use meshwright_compile::{CompileError, Compiled, MeshChoice, Options, Search, compile};
use meshwright_cost::{Analysis, Lowering, memory};
use meshwright_execute::{DrawOptions, draw, run_function};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_ir::mesh::{Axis, Mesh};
use meshwright_ir::program::{Function, Program};
use meshwright_ir::verify::verify;
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::{Names, PlanFile, Shardings};
use meshwright_search::recompute::{Named, Recomputation, uses};
use meshwright_tensor::Precision;
use meshwright_transform::recompute::MadeAgain;
use meshwright_transform::{Flat, flatten};

const GPT: &str = include_str!("../../../examples/gpt.mlir");
/// Two loops over four layers, and the same with values that the backward loop makes again itself.
const SCAN: &str = include_str!("../../../tests/suite/recompute/scan_selective.mlir");
const SCAN_REMAT: &str = include_str!("../../../tests/suite/recompute/scan_barriers_dropped.mlir");

fn gpt() -> (Program, Flat) {
    let program = meshwright_ir::text::read(&Source::new("gpt.mlir", GPT)).unwrap();
    let flat = flatten(&program).unwrap();
    (program, flat)
}

fn with<T>(function: &Function, work: impl FnOnce(&Recomputation<'_>) -> T) -> T {
    let machine = Machine::from_spec("h100:1x8").unwrap();
    let (roles, analysis) = (Roles::new(function), Analysis::new(function));
    let phases = Phases::new(function, &roles).unwrap();
    work(&Recomputation::new(&analysis, &roles, &phases, &machine.device))
}

/// What each named way makes again, and each point of the hull.
fn ways(function: &Function) -> (Vec<MadeAgain>, Vec<MadeAgain>) {
    with(function, |of| {
        let hull = of.hull();
        let named = Named::ALL.iter().map(|named| uses(of, &of.named(*named))).collect();
        (named, hull.points.iter().map(|point| uses(of, &of.again(&hull, point))).collect())
    })
}

fn peak(function: &Function) -> Bytes {
    let mesh = Mesh::new("mesh", vec![Axis { name: "x".into(), size: 1 }]).unwrap();
    let (analysis, shardings) = (Analysis::new(function), Shardings::replicated(function, mesh));
    memory(&Lowering::new(&analysis, &shardings)).peak
}

fn results(program: &Program) -> Vec<Vec<u8>> {
    let main = &program.functions[0];
    let types: Vec<_> = main.args().iter().map(|arg| main.body.ty(*arg).clone()).collect();
    let inputs = draw(&types, &DrawOptions { seed: 5, int_range: 0..96 }).unwrap();
    let results = run_function(program, &main.name, inputs, Precision::Declared).unwrap();
    results.iter().map(|result| result.to_le_bytes().unwrap()).collect()
}

#[test]
fn the_results_stay_the_same_and_memory_shrinks() {
    let (program, flat) = gpt();
    let whole = results(&program.with_only(flat.function.clone()));
    let (named, points) = ways(&flat.function);
    let peaks = |ways: &[MadeAgain]| -> Vec<Bytes> {
        let made = |again: &MadeAgain| {
            let function = flat.recomputed(again).function;
            let program = program.with_only(function.clone());
            assert_eq!(verify(&program), Ok(()));
            assert!(results(&program) == whole);
            peak(&function)
        };
        ways.iter().map(made).collect()
    };
    let [none, selective, full] = peaks(&named)[..] else { unreachable!() };
    assert_eq!(none, peak(&flat.function));
    // Of two layers, each is half of all: what is at hand while one of them runs backward tells.
    assert!(selective < none && full < none, "{none} {selective} {full}");
    let of_points = peaks(&points);
    assert!(points.len() > 4 && of_points.first() > of_points.last(), "{of_points:?}");
}

#[test]
fn named_ways_are_recognized() {
    let (_, flat) = gpt();
    with(&flat.function, |of| {
        for named in Named::ALL {
            assert_eq!(of.in_words(&of.named(named)), named.name());
        }
        let hull = of.hull();
        assert_eq!(of.in_words(&of.again(&hull, hull.points.last().unwrap())), "full");
    });
}

#[test]
fn names_stay_when_values_are_made_again() {
    let (program, flat) = gpt();
    let named = |flat: &Flat| {
        Names::of(&program, &flat.function, &flat.origins, &names::of_arguments(&flat.function))
    };
    let (named_ways, _) = ways(&flat.function);
    let before = named(&flat);
    for again in named_ways {
        let made = flat.recomputed(&again);
        let after = named(&made);
        for value in flat.function.body.values.ids() {
            let name = before.of_value(value);
            if before.value(name).is_ok() {
                assert_eq!(after.value(name).map(|_| ()), Ok(()));
            }
        }
        for inst in flat.function.body.insts.ids() {
            let name = before.of_inst(inst);
            if before.inst(name).is_ok() {
                let found = after.inst(name).unwrap();
                let op = |function: &Function, inst| function.body.insts[inst].op.name();
                assert_eq!(op(&made.function, found), op(&flat.function, inst), "{name}");
            }
        }
    }
}

fn compiled(recompute: Option<&str>, plan: Option<PlanFile>) -> Result<Compiled, CompileError> {
    compiled_of(GPT, recompute, plan)
}

fn compiled_of(
    text: &str,
    recompute: Option<&str>,
    plan: Option<PlanFile>,
) -> Result<Compiled, CompileError> {
    let source = Source::new("step.mlir", text);
    let program = meshwright_compile::read(&source).unwrap();
    let machine = Machine::from_spec("cpu8:2").unwrap();
    let options = Options {
        mesh: Some(MeshChoice::Sizes(vec![2])),
        search: Some(Search::None),
        recompute: recompute.map(|asked| asked.parse().unwrap()),
        plan,
        ..Options::default()
    };
    compile(&program, &source, &machine, &options, &Quiet)
}

#[test]
fn a_plan_that_is_given_back_makes_the_same_program() {
    let peak = |made: &Compiled| made.plan.memory.peak_bytes;
    let plain = compiled(None, None).unwrap();
    for way in ["selective", "full"] {
        let made = compiled(Some(way), None).unwrap();
        assert!(peak(&made) < peak(&plain), "{way}: {} {}", peak(&made), peak(&plain));
        assert!(made.plan.policies.iter().any(|entry| entry.policy == "recompute"));
        let again = compiled(None, Some(made.plan.clone())).unwrap();
        assert_eq!(again.files(GPT), made.files(GPT));
    }
}

#[test]
fn plans_of_loops_over_layers_make_the_same_program() {
    for (text, way) in [(SCAN, "selective"), (SCAN, "full"), (SCAN_REMAT, "search")] {
        let made = compiled_of(text, Some(way), None).unwrap();
        let plain = compiled_of(text, None, None).unwrap();
        assert_ne!(made.files(text), plain.files(text), "{way}");
        assert_eq!(made.plan.recomputes_anew, way == "search");
        let again = compiled_of(text, None, Some(made.plan.clone())).unwrap();
        assert_eq!(again.files(text), made.files(text), "{way}");
    }
}

#[test]
fn patterns_name_what_is_made_again() {
    let made = compiled(Some("exponential"), None).unwrap();
    assert!(!made.plan.policies.is_empty());
    assert!(made.plan.policies.iter().all(|entry| entry.value.starts_with("stablehlo.exponential")));
    let Err(CompileError::Options(problem)) = compiled(Some("softmax/*"), None) else {
        panic!("it is refused")
    };
    let message = "no value that the backward pass needs of the forward pass is called `softmax/*`";
    assert_eq!(problem.message, message);
}
