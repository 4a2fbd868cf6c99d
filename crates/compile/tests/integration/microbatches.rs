//! Steps whose layers are a loop, in microbatches: what is put together from all of them in each turn.

use crate::agreement;
use meshwright_compile::{CompileError, Compiled, MeshChoice, Microbatches, Options, compile, read};
use meshwright_ir::control::Quiet;
use meshwright_ir::diagnostic::Source;
use meshwright_machine::Machine;

/// Layers in a loop; each adds to `%a` the square of a sum over the batch (`BALANCE`), and to `%p` such a sum, which every
/// example reads again behind the loop.
const STEP: &str = r#"
func.func @main(%w: tensor<4x8x8xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<16x8xf32>) -> (tensor<4x8x8xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %nones = stablehlo.constant dense<0.0> : tensor<8xf32>
  %0:4 = stablehlo.while(%i = %zero, %h = %x, %a = %none, %p = %nones) : tensor<i32>, tensor<16x8xf32>, tensor<f32>, tensor<8xf32>
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = stablehlo.compare LT, %i, %four, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %n = stablehlo.constant dense<0> : tensor<i32>
    %wi = stablehlo.dynamic_slice %w, %i, %n, %n, sizes = [1, 8, 8] : (tensor<4x8x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x8xf32>
    %wl = stablehlo.reshape %wi : (tensor<1x8x8xf32>) -> tensor<8x8xf32>
    %d = stablehlo.dot_general %h, %wl, contracting_dims = [1] x [0] : (tensor<16x8xf32>, tensor<8x8xf32>) -> tensor<16x8xf32>
    %y = stablehlo.tanh %d : tensor<16x8xf32>
    %s = stablehlo.reduce(%y init: %none) applies stablehlo.add across dimensions = [0] : (tensor<16x8xf32>, tensor<f32>) -> tensor<8xf32>
    BALANCE
    %b = stablehlo.add %a, %t : tensor<f32>
    %q = stablehlo.add %p, %s : tensor<8xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y, %b, %q : tensor<i32>, tensor<16x8xf32>, tensor<f32>, tensor<8xf32>
  }
  %wide = stablehlo.broadcast_in_dim %0#3, dims = [1] : (tensor<8xf32>) -> tensor<16x8xf32>
  %z = stablehlo.multiply %0#1, %wide : tensor<16x8xf32>
  %g = stablehlo.dot_general %x, %z, contracting_dims = [0] x [0] : (tensor<16x8xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %scale = stablehlo.broadcast_in_dim %0#2, dims = [] : (tensor<f32>) -> tensor<8x8xf32>
  %gs = stablehlo.multiply %g, %scale : tensor<8x8xf32>
  %all = stablehlo.broadcast_in_dim %gs, dims = [1, 2] : (tensor<8x8xf32>) -> tensor<4x8x8xf32>
  %new = stablehlo.subtract %w, %all : tensor<4x8x8xf32>
  return %new, %0#2 : tensor<4x8x8xf32>, tensor<f32>
}
"#;

/// The square of a sum over the batch: it has to be whole first.
const SQUARED: &str = "%u = stablehlo.multiply %s, %s : tensor<8xf32>
    %t = stablehlo.reduce(%u init: %none) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>";

/// The same, from the last turn to the first by a counter of its own: part 3 - t of the weights.
fn backwards(text: &str) -> String {
    text.replace("%zero = stablehlo.constant dense<0>", "%zero = stablehlo.constant dense<3>")
        .replace("%four = stablehlo.constant dense<4>", "%four = stablehlo.constant dense<0>")
        .replace("compare LT", "compare GE")
        .replace("%one = stablehlo.constant dense<1>", "%one = stablehlo.constant dense<-1>")
}

fn in_microbatches(text: &str) -> Compiled {
    let source = Source::new("test", text);
    let machine = Machine::from_spec("cpu8").unwrap();
    let program = read(&source).unwrap();
    let options = Options {
        mesh: Some(MeshChoice::Sizes(vec![2, 4])),
        microbatches: Some(Microbatches::Number(4)),
        ..Options::default()
    };
    compile(&program, &source, &machine, &options, &Quiet).unwrap_or_else(|error| panic!("{error}"))
}

fn must_agree(compiled: &Compiled) {
    agreement::must_agree(&compiled.program, &compiled.programs, &compiled.function);
}

fn loops_written_out(compiled: &Compiled) -> Vec<u64> {
    compiled.plan.microbatches.clone().unwrap().loops_written_out
}

#[test]
fn a_sum_that_a_loop_leaves_is_whole_in_the_pass_that_makes_the_loop_again() {
    let step = STEP.replace("BALANCE", "%t = stablehlo.constant dense<1.0> : tensor<f32>");
    must_agree(&in_microbatches(&step));
}

#[test]
fn a_loop_is_distributed_in_front_of_what_reads_a_sum_over_the_batch() {
    for step in [STEP.to_owned(), backwards(STEP)] {
        let compiled = in_microbatches(&step.replace("BALANCE", SQUARED));
        must_agree(&compiled);
        assert!(loops_written_out(&compiled).is_empty());
    }
}

#[test]
fn a_loop_whose_next_turn_reads_such_a_sum_is_written_out() {
    let normed = "%wides = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<8xf32>) -> tensor<16x8xf32>
    %c = stablehlo.subtract %y, %wides : tensor<16x8xf32>
    %t = stablehlo.constant dense<1.0> : tensor<f32>";
    let step = STEP.replace("BALANCE", normed).replace("return %j, %y, %b", "return %j, %c, %b");
    let source = Source::new("test", step.as_str());
    let program = read(&source).unwrap();
    let machine = Machine::from_spec("cpu8").unwrap();
    let options = Options {
        mesh: Some(MeshChoice::Sizes(vec![8])),
        microbatches: Some(Microbatches::Number(2)),
        microbatch_passes: Some(8),
        ..Options::default()
    };
    let compiled = compile(&program, &source, &machine, &options, &Quiet).unwrap();
    must_agree(&compiled);
    assert_eq!(loops_written_out(&compiled), [4]);
    // Nobody is offered so many passes.
    let options = Options { microbatch_passes: None, ..options };
    let Err(CompileError::Diagnostics(problems)) = compile(&program, &source, &machine, &options, &Quiet)
    else {
        panic!("it needs more than two passes")
    };
    let hints = problems[0].hints.join("\n");
    assert!(hints.contains("at most 3 passes can be allowed"), "{hints}");
    assert!(!hints.contains("--microbatch-passes"), "{hints}");
}
