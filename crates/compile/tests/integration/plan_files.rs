//! Plans that are given back: what was decided comes out again, byte for byte; plans of version 1 are read; plans that do
//! not fit are refused with the path of the key.

use meshwright_compile::{CompileError, Compiled, MeshChoice, Options, Search, compile, read};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::{Source, Span};
use meshwright_ir::ids::{Id, InstId, ValueId};
use meshwright_ir::text::{Form, print};
use meshwright_machine::{Bytes, Machine};
use meshwright_plan::{PlanFile, Policy, Use};

/// Four layers and their gradients.
const LAYERS: &str = include_str!("version_1/layers.mlir");

/// Its plan as release 0.1 wrote it: with shardings, strategies and a policy inside.
const VERSION_1: &str = include_str!("version_1/plan.json");

/// Layers as calls of one function, in a loop, with a result that is a short form.
const CALLS: &str = r#"
func.func private @layer(%x: tensor<64x32xf32>, %w: tensor<32x32xf32>) -> tensor<64x32xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %1 = chlo.square %0 : tensor<64x32xf32> -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}
func.func @main(%x: tensor<64x32xf32>, %v: tensor<32x32xf32>, %w: tensor<32x32xf32>, %n: tensor<i32>) -> tensor<64x32xf32> {
  %0 = call @layer(%x, %v) : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %1 = call @layer(%0, %w) : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
  %2:2 = stablehlo.while(%i = %n, %y = %1) : tensor<i32>, tensor<64x32xf32>
    cond {
      %c = stablehlo.constant dense<4> : tensor<i32>
      %q = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %q : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %z = func.call @layer(%y, %w) : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<64x32xf32>
      stablehlo.return %j, %z : tensor<i32>, tensor<64x32xf32>
    }
  return %2#1 : tensor<64x32xf32>
}
"#;

/// A loop over microbatches that adds up gradients.
const ACCUMULATED: &str = r#"
func.func @main(%w: tensor<64x64xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<4x4096x64xf32>) -> tensor<64x64xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %zeros) : tensor<i32>, tensor<64x64xf32>
    cond {
      %c = stablehlo.constant dense<4> : tensor<i32>
      %q = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %q : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %s = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 4096, 64] : (tensor<4x4096x64xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x4096x64xf32>
      %b = stablehlo.reshape %s : (tensor<1x4096x64xf32>) -> tensor<4096x64xf32>
      %y = stablehlo.dot_general %b, %w, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64x64xf32>) -> tensor<4096x64xf32>
      %g = stablehlo.dot_general %b, %y, contracting_dims = [0] x [0] : (tensor<4096x64xf32>, tensor<4096x64xf32>) -> tensor<64x64xf32>
      %next = stablehlo.add %sum, %g : tensor<64x64xf32>
      stablehlo.return %j, %next : tensor<i32>, tensor<64x64xf32>
    }
  %1 = stablehlo.subtract %w, %0#1 : tensor<64x64xf32>
  return %1 : tensor<64x64xf32>
}
"#;

fn source(text: &str) -> Source {
    Source::new("program.mlir", text)
}

fn compiled(text: &str, machine: &str, options: &Options) -> Result<Compiled, CompileError> {
    let source = source(text);
    let program = read(&source).unwrap();
    let machine = Machine::from_spec(machine).unwrap();
    compile(&program, &source, &machine, options, &Quiet)
}

/// Compiles and gives the plan back as a file: the plan and the local program have to be the same.
fn comes_back(text: &str, machine: &str, options: &Options) -> PlanFile {
    let first = compiled(text, machine, options).unwrap_or_else(|error| panic!("{error}"));
    let plan = PlanFile::from_text(&first.plan.to_text()).unwrap();
    let memory_limit = options.memory_limit;
    let again = Options { plan: Some(plan), memory_limit, ..Options::default() };
    let again = compiled(text, machine, &again).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.shardings, first.shardings);
    assert_eq!(
        print(&again.programs.as_whole().unwrap().program, Form::Pretty),
        print(&first.programs.as_whole().unwrap().program, Form::Pretty)
    );
    let inside =
        |plan: &PlanFile| (plan.shardings.clone(), plan.op_strategies.clone(), plan.policies.clone());
    assert_eq!(inside(&again.plan), inside(&first.plan));
    first.plan
}

fn on(sizes: &[usize], memory_limit: Option<u64>) -> Options {
    Options {
        mesh: Some(MeshChoice::Sizes(sizes.to_vec())),
        search: Some(Search::Rest),
        memory_limit: memory_limit.map(Bytes),
        ..Options::default()
    }
}

#[test]
fn a_plan_read_back_gives_the_same_program() {
    comes_back(LAYERS, "cpu8", &Options::default());
    comes_back(LAYERS, "h100:1x8", &on(&[2, 4], None));
    let scarce = comes_back(LAYERS, "h100:1x8", &on(&[8], Some(1 << 20)));
    assert!(!scarce.policies.is_empty(), "{:?}", scarce.parallelism);
    comes_back(CALLS, "cpu8", &Options::default());
    comes_back(CALLS, "h100:1x8", &on(&[2, 4], None));
    comes_back(ACCUMULATED, "cpu8", &on(&[8], None));
    comes_back(ACCUMULATED, "h100:1x8", &on(&[2, 4], None));
    // What is said of a function is said of each of its calls.
    let kept = "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n".to_owned()
        + &CALLS.replace(
            "contracting_dims = [1] x [0] :",
            "contracting_dims = [1] x [0] \
             {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {\"y\"}]>]>} :",
        );
    let plan = comes_back(&kept, "h100:1x8", &on(&[2, 4], None));
    let names: Vec<&str> = plan.shardings.iter().map(|entry| entry.value.as_str()).collect();
    for name in ["@layer > stablehlo.dot_general", "@layer#1 > stablehlo.dot_general"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn a_plan_of_version_1_decides_what_it_says() {
    let plan = PlanFile::from_text(VERSION_1).unwrap();
    let numbered = plan.numbered.clone().unwrap();
    assert!(numbered.constraints.len() > 10 && !numbered.spreads.is_empty() && numbered.anew.len() == 1);
    let options = Options { plan: Some(plan), memory_limit: Some(Bytes(1_153_433)), ..Options::default() };
    let Compiled { function, shardings, plan, .. } =
        compiled(LAYERS, "h100:1x8", &options).unwrap_or_else(|error| panic!("{error}"));
    let mesh = &shardings.mesh;
    let names = |axes: Vec<Vec<meshwright_ir::mesh::SubAxisId>>| -> Vec<Vec<String>> {
        axes.iter().map(|axes| mesh.describe(axes)).collect()
    };
    for constraint in &numbered.constraints {
        let found = &shardings.values[ValueId::from_index(constraint.value)];
        assert_eq!(names(found.dim_axes().map(<[_]>::to_vec).collect()), constraint.sharding);
    }
    for spread in &numbered.spreads {
        let found = &shardings.strategies[InstId::from_index(spread.instruction)];
        assert_eq!(names(found.axes.clone()), spread.factors);
    }
    let anew = &numbered.anew[0];
    let reader = InstId::from_index(anew.instruction);
    let value = function.body.insts[reader].operands[anew.operand];
    assert_eq!(shardings.policies.of(Use { reader, value }), Policy::GatherAgain);
    assert_eq!((plan.version, plan.policies.len()), (2, 1));
    // Written again, it is of this version and gives the same.
    let again = PlanFile::from_text(&plan.to_text()).unwrap();
    let options = Options { plan: Some(again), ..options };
    assert_eq!(compiled(LAYERS, "h100:1x8", &options).unwrap().shardings, shardings);
}

#[test]
fn strategies_and_policies_of_annotations_hold_in_a_search() {
    let annotated = LAYERS.replace(
        "%z1 = stablehlo.dot_general %h0, %w1, contracting_dims = [1] x [0] :",
        "%z1 = stablehlo.dot_general %h0, %w1, contracting_dims = [1] x [0] {meshwright.strategy = [[], [\"x\"], []], \
         meshwright.policies = {gather_again = array<i64: 0>}} :",
    );
    assert_ne!(annotated, LAYERS);
    let Compiled { function, shardings, .. } =
        compiled(&annotated, "h100:1x8", &on(&[8], None)).unwrap_or_else(|error| panic!("{error}"));
    let (inst, content) = function
        .body
        .insts
        .iter()
        .find(|(_, inst)| inst.attributes.get("meshwright.strategy").is_some())
        .expect("it is annotated");
    let mesh = &shardings.mesh;
    assert_eq!(shardings.strategies[inst].axes, [vec![], mesh.pieces(0), vec![]]);
    let group = Use { reader: inst, value: content.operands[0] };
    assert_eq!(shardings.policies.of(group), Policy::GatherAgain);
    comes_back(&annotated, "h100:1x8", &on(&[8], None));
}

#[test]
fn strategies_of_annotations_are_part_of_the_bound() {
    let whole = LAYERS.replace(
        "contracting_dims = [1] x [0] :",
        "contracting_dims = [1] x [0] {meshwright.strategy = [[], [], []]} :",
    );
    assert_ne!(whole, LAYERS);
    let Compiled { plan, .. } = compiled(&whole, "cpu8", &on(&[8], None)).unwrap();
    let (bound, seconds) = (plan.bound_seconds.unwrap(), plan.predicted.before_passes_seconds);
    assert!(1.0 - bound / seconds < 0.01, "{bound} of {seconds}");
}

#[test]
fn stages_are_refused_where_they_are_said() {
    let annotated = LAYERS
        .replace("%h1 = stablehlo.tanh %z1 :", "%h1 = stablehlo.tanh %z1 {meshwright.stage = 1 : i64} :");
    assert_ne!(annotated, LAYERS);
    let error = compiled(&annotated, "h100:1x8", &on(&[8], None)).unwrap_err().to_string();
    assert!(error.contains("annotated with stages, which this release does not compile"), "{error}");
    let error = refused(&|plan| plan.schedule = vec!["0S0".to_owned()]);
    assert!(error.contains("`schedule`: the plan cuts the program into stages"), "{error}");
}

/// What is wrong with a plan of the calls after a change.
fn refused(change: &dyn Fn(&mut PlanFile)) -> String {
    let mut plan = compiled(CALLS, "h100:1x8", &on(&[2, 4], None)).unwrap().plan;
    change(&mut plan);
    let plan = PlanFile::from_text(&plan.to_text()).unwrap();
    let options = Options { plan: Some(plan), ..Options::default() };
    match compiled(CALLS, "h100:1x8", &options) {
        Err(CompileError::Plan(problems)) => {
            assert!(problems.iter().all(|problem| problem.span != Span::NONE), "{problems:?}");
            problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        }
        other => panic!("it was not refused: {:?}", other.map(|compiled| compiled.plan)),
    }
}

#[test]
fn plans_that_do_not_fit_are_refused_with_the_path_of_the_key() {
    use meshwright_plan::plan_file::PlanSharding;
    let whole = |value: &str, axes: &[&str]| PlanSharding {
        value: value.to_owned(),
        place: None,
        shape: vec![64, 32],
        sharding: vec![axes.iter().map(|axis| (*axis).to_owned()).collect(), vec![]],
    };
    let lost = refused(&|plan| plan.shardings = vec![whole("@layer#7 > stablehlo.dot_general", &[])]);
    assert!(
        lost.contains("`shardings[0].value`: the program has no value `@layer#7 > stablehlo.dot_general`"),
        "{lost}"
    );
    // A loop has one sharding for what it carries.
    let contradicts = refused(&|plan| {
        plan.shardings = vec![whole("stablehlo.while:1", &["x"]), whole("stablehlo.while^1.1", &["y"])];
    });
    assert!(contradicts.contains("the plan contradicts itself"), "{contradicts}");
    let other = refused(&|plan| plan.program = "0123".to_owned());
    assert!(other.contains("the plan was made for another program"), "{other}");
}

#[test]
fn plans_of_version_1_that_do_not_fit_are_refused_with_the_path_of_the_key() {
    let refused = |from: &str, to: &str| {
        assert!(VERSION_1.contains(from), "{from}");
        let text = VERSION_1.replacen(from, to, 1);
        let plan = PlanFile::from_text(&text).unwrap_or_else(|error| panic!("{error}"));
        let options = Options { plan: Some(plan), ..Options::default() };
        let Err(CompileError::Plan(problems)) = compiled(LAYERS, "h100:1x8", &options) else {
            panic!("it was not refused: {from} -> {to}")
        };
        let Span { start, .. } = problems[0].span;
        (problems[0].message.clone(), text[start as usize..].split(',').next().unwrap_or("").to_owned())
    };
    let (message, at) = refused("{\"value\": 7,", "{\"value\": 7000,");
    assert!(message.starts_with("`constraints[1].value`: the program has "), "{message}");
    assert_eq!(at, "\"value\": 7000");
    let (message, at) = refused("{\"instruction\": 6,", "{\"instruction\": 5,");
    let wanted = "`spreads[0].instruction`: the program has no `stablehlo.dot_general` as instruction 5";
    assert_eq!((message.as_str(), at.as_str()), (wanted, "\"instruction\": 5"));
    let (message, _) = refused("\"operand\": 0}", "\"operand\": 2}");
    assert!(message.starts_with("`anew[0].operand`: instruction 30"), "{message}");
}
