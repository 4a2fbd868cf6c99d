// test: microbatches count=2
// Branches that leave the batch along different dims have no part in common.
func.func @main(%w: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x8xf32>, %which: tensor<i1>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %f = "stablehlo.if"(%which) ({
    %y = stablehlo.transpose %x, dims = [1, 0] : (tensor<8x8xf32>) -> tensor<8x8xf32>
    stablehlo.return %y : tensor<8x8xf32>
  }, {
    stablehlo.return %x : tensor<8x8xf32>
  }) : (tensor<i1>) -> tensor<8x8xf32>
  %g = stablehlo.reduce(%f init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x8xf32>, tensor<f32>) -> tensor<8xf32>
  %u = stablehlo.subtract %w, %g : tensor<8xf32>
  return %u : tensor<8xf32>
}
// expect: line 5: a branch leaves the batch along one dim or as a sum, and another one otherwise
