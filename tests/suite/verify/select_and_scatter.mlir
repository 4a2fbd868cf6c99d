// test: verify
// Constraints of select_and_scatter.
func.func @main(%a: tensor<4x4xf32>, %b: tensor<2x3xf32>, %c: tensor<f64>) -> tensor<4x4xf32> {
  %0 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }, {
  ^bb0(%x: tensor<f32>):
    stablehlo.return %x : tensor<f32>
  }) : (tensor<4x4xf32>, tensor<2x3xf32>, tensor<f64>) -> tensor<4x5xf32>
  %1 = "stablehlo.select_and_scatter"(%a, %b, %c) <{window_dimensions = array<i64: 2, 2, 1>}> ({
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<4x4xf32>, tensor<2x3xf32>, tensor<f64>) -> tensor<4x4xf32>
  return %a : tensor<4x4xf32>
}
// error: op @4: `stablehlo.select_and_scatter`: C3: the initial value should be a tensor<f32>, not tensor<f64>
// error: op @4: `stablehlo.select_and_scatter`: C2: the source should have one element per window, [2, 2], not [2, 3]
// error: op @4: `stablehlo.select_and_scatter`: C9: `select` should return a tensor<i1>
// error: op @4: `stablehlo.select_and_scatter`: the region should take two scalars per input, 2 in all
// error: op @4: `stablehlo.select_and_scatter`: result 0 should be tensor<4x4xf32>, not tensor<4x5xf32>
// error: op @11: `stablehlo.select_and_scatter`: C3: the initial value should be a tensor<f32>, not tensor<f64>
// error: op @11: `stablehlo.select_and_scatter`: C4: `window_dimensions` should have 2 entries
