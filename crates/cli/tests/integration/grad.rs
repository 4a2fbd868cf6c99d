//! `meshwright grad`: the examples of `docs/grad.md`, and what it refuses.

use crate::common::Scratch;
use std::path::Path;

/// The program of the page.
fn loss() -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/grad.md");
    let page = std::fs::read_to_string(page).expect("the page");
    let (_, program) = page.split_once("```mlir\n").expect("a program");
    program.split_once("```").expect("its end").0.to_owned()
}

#[test]
fn the_program_of_the_page_is_differentiated_trained_and_checked() {
    let scratch = Scratch::new("grad");
    scratch.file("loss.mlir", loss());
    let gradient = "-> (tensor<f32>, tensor<4x4xf32>)";
    scratch.line("grad loss.mlir --wrt arg0 -o -").succeeds().says(&[gradient]);
    scratch
        .line("grad loss.mlir -o -")
        .succeeds()
        .says(&["-> (tensor<f32>, tensor<4x4xf32>, tensor<2x4xf32>)"]);
    scratch.line("grad loss.mlir --wrt arg0 --optimizer adamw --lr 3e-4 --clip 1.0 -o step.mlir").succeeds();
    scratch.line("fmt step.mlir").succeeds().says(&["tf.aliasing_output = 3 : i32", "%arg3: tensor<i32>"]);
    scratch.line("check step.mlir --machine cpu8:2").succeeds();
}

#[test]
fn what_has_no_derivative_is_named_with_its_place() {
    let scratch = Scratch::new("no-derivative");
    scratch.file(
        "loop.mlir",
        "func.func @main(%x: tensor<f32>, %n: tensor<i32>) -> tensor<f32> {
  %0:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<f32>
  cond {
    %end = stablehlo.constant dense<9> : tensor<i32>
    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.add %i, %one : tensor<i32>
    %z = stablehlo.sine %y : tensor<f32>
    stablehlo.return %j, %z : tensor<i32>, tensor<f32>
  }
  return %0#1 : tensor<f32>
}
",
    );
    let said = ["error[derivative]", "runs an unknown number of turns", "loop.mlir:2"];
    scratch.line("grad loop.mlir -o -").fails(1, &said);
    scratch.line("grad loop.mlir --wrt arg1 -o -").fails(1, &["argument 1 is a tensor<i32>"]);
    scratch.line("grad loop.mlir --wrt w -o -").fails(2, &["no argument is called `w`"]);
    scratch.line("grad loop.mlir --of 3 -o -").fails(1, &["has no result 3"]);
    scratch.line("grad loop.mlir --lr 1 -o -").fails(2, &["--optimizer"]);
    scratch.line("grad loop.mlir --optimizer best -o -").fails(2, &["adamw"]);
}
