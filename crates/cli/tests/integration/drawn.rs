//! `check` on inputs that it draws: from where integers are drawn, and what is said of outputs that only rounding parts.

use crate::common::Scratch;

/// A lookup as JAX writes it: negative indices count from the end, rows that are not there are NaN.
const LOOKUP: &str = r#"
func.func @main(%table: tensor<10x8xf32>, %labels: tensor<16xi32>) -> tensor<16x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<16xi32>
  %ten = stablehlo.constant dense<10> : tensor<16xi32>
  %0 = stablehlo.compare LT, %labels, %zero, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
  %1 = stablehlo.add %labels, %ten : tensor<16xi32>
  %2 = stablehlo.select %0, %1, %labels : tensor<16xi1>, tensor<16xi32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<16xi32>) -> tensor<16x1xi32>
  %4 = "stablehlo.gather"(%table, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<10x8xf32>, tensor<16x1xi32>) -> tensor<16x8xf32>
  %5 = stablehlo.compare LT, %2, %ten, SIGNED : (tensor<16xi32>, tensor<16xi32>) -> tensor<16xi1>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<16xi1>) -> tensor<16x8xi1>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<16x8xf32>
  %7 = stablehlo.select %6, %4, %nan : tensor<16x8xi1>, tensor<16x8xf32>
  return %7 : tensor<16x8xf32>
}
"#;

#[test]
fn integers_are_drawn_as_they_are_used() {
    let scratch = Scratch::new("drawn");
    scratch.file("lookup.mlir", LOOKUP);
    let told = "drawn: %arg1: integers 0..10, looked up in a table of 10 rows\n";
    scratch.line("check lookup.mlir --machine cpu8").succeeds().says(&[told, "The output agrees"]);
    let json = scratch.line("check lookup.mlir --machine cpu8 --json").succeeds().json();
    assert_eq!(json["drawn"][0]["argument"], 1);
    assert_eq!((&json["drawn"][0]["from"], &json["drawn"][0]["below"]), (&0.into(), &10.into()));
    // What is asked for counts.
    let ran = scratch.line("check lookup.mlir --machine cpu8 --int-range 20..30");
    ran.fails(3, &[]).says(&["drawn: %arg1: integers 20..30\n", "computes NaN or infinity"]);
}

/// Row by row the sum is exact; the devices' halves lose the ones.
const CANCELING: &str = r#"
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<f32> {
  %large = stablehlo.constant dense<[[1.0e8, 0.0, -1.0e8, 0.0], [1.0, 1.0, 1.0, 1.0]]> : tensor<2x4xf32>
  %none = stablehlo.constant dense<0.0> : tensor<2x4xf32>
  %0 = stablehlo.multiply %x, %none : tensor<2x4xf32>
  %1 = stablehlo.add %0, %large : tensor<2x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  return %2 : tensor<f32>
}
"#;

#[test]
fn what_differs_is_repeated_in_f64() {
    let scratch = Scratch::new("wide");
    scratch.file("canceling.mlir", CANCELING);
    let told = ["agrees in f64: the difference is rounding", "so that the difference is rounding"];
    scratch.line("check canceling.mlir").succeeds().says(&told);
    // Whoever gives a tolerance wants that one.
    scratch.line("check canceling.mlir --tolerance 1e-4").fails(3, &[]).says(&["`--precision f64` tells"]);
}
