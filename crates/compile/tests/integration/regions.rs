//! Programs with branches, loops and calls through the whole compiler: planned, priced, replayed, and right.

use crate::agreement;
use meshwright_compile::{Compiled, MeshChoice, Options, Search, compile, read};
use meshwright_ir::control::{Quiet, View};
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Machine;

/// A step with a branch on a flag.
const CASE: &str = r#"func.func @main(%w: tensor<8x8xf32>, %x: tensor<16x8xf32>, %on: tensor<i1>) -> tensor<16x8xf32> {
  %0 = stablehlo.convert %on : (tensor<i1>) -> tensor<i32>
  %1 = "stablehlo.case"(%0) ({
    %3 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    stablehlo.return %3 : tensor<16x8xf32>
  }, {
    stablehlo.return %x : tensor<16x8xf32>
  }) : (tensor<i32>) -> tensor<16x8xf32>
  %2 = stablehlo.add %1, %x : tensor<16x8xf32>
  return %2 : tensor<16x8xf32>
}
"#;

/// Four layers in a loop, each a call, with a conditional inside.
const LOOP: &str = r#"func.func @main(%w: tensor<8x8xf32>, %x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %h = %x) : tensor<i32>, tensor<16x8xf32>
   cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = func.call @layer(%w, %h) : (tensor<8x8xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
    %2 = "stablehlo.case"(%i) ({
      stablehlo.return %1 : tensor<16x8xf32>
    }, {
      %4 = stablehlo.add %1, %h : tensor<16x8xf32>
      stablehlo.return %4 : tensor<16x8xf32>
    }) : (tensor<i32>) -> tensor<16x8xf32>
    %3 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<16x8xf32>
  }
  return %0#1 : tensor<16x8xf32>
}
func.func private @layer(%w: tensor<8x8xf32>, %x: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
  %1 = stablehlo.tanh %0 : tensor<16x8xf32>
  return %1 : tensor<16x8xf32>
}
"#;

fn compiled(text: &str, options: &Options) -> Compiled {
    let source = Source::new("test", text);
    let machine = Machine::from_spec("cpu8").unwrap();
    let program = read(&source).unwrap();
    compile(&program, &source, &machine, options, &Quiet).unwrap_or_else(|error| panic!("{error}"))
}

fn must_agree(compiled: &Compiled) {
    agreement::must_agree(&compiled.program, &compiled.programs, &compiled.function);
}

/// Searched, and over every mesh: right, and the plan read back gives the same program.
fn through_all(text: &str) {
    let meshes = [vec![8], vec![2, 4], vec![4, 2], vec![2, 2, 2]];
    let given = meshes
        .into_iter()
        .map(|sizes| Options { mesh: Some(MeshChoice::Sizes(sizes)), ..Options::default() });
    for options in [Options::default()].into_iter().chain(given) {
        let made = compiled(text, &options);
        must_agree(&made);
        assert!(made.plan.predicted.total_seconds > 0.0 && made.plan.memory.peak_bytes > 0);
        let again = compiled(text, &Options { plan: Some(made.plan.clone()), ..Options::default() });
        assert_eq!(again.shardings, made.shardings);
        assert_eq!(
            View::Programs(&|| again.programs.named()).text(),
            View::Programs(&|| made.programs.named()).text()
        );
        assert_eq!(again.plan.collectives, made.plan.collectives);
    }
}

#[test]
fn branches() {
    through_all(CASE);
}

#[test]
fn loops_with_calls_and_branches() {
    through_all(LOOP);
}

#[test]
fn collectives_of_a_loop_count_as_often_as_it_runs() {
    let annotated = LOOP.replacen(
        "%w: tensor<8x8xf32>",
        "%w: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {\"x\"}]>}",
        1,
    );
    let made = compiled(&format!("sdy.mesh @mesh = <[\"x\"=8]>\n{annotated}"), &Options::default());
    must_agree(&made);
    let counts: Vec<u64> = made.plan.collectives.iter().map(|collective| collective.count).collect();
    assert!(!counts.is_empty() && counts.iter().all(|count| count.is_multiple_of(4)), "{counts:?}");
    assert_eq!(made.plan.assumptions.len(), 1, "the branches, not the trips: {:?}", made.plan.assumptions);
}

#[test]
fn without_a_search_nothing_is_sharded() {
    let mesh = Some(MeshChoice::Sizes(vec![2, 4]));
    let made = compiled(CASE, &Options { mesh, search: Some(Search::None), ..Options::default() });
    assert!(made.plan.collectives.is_empty());
    assert!(made.shardings.values.values().all(|sharding| sharding.is_fully_replicated()));
}
