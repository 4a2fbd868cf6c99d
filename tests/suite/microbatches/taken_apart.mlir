// test: microbatches count=2
// Slices of the batch are no parts of microbatches.
func.func @main(%w: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %a = stablehlo.slice %x [0:4, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %b = stablehlo.slice %x [4:8, 0:4] : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %y = stablehlo.multiply %a, %b : tensor<4x4xf32>
  %g = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %u = stablehlo.subtract %w, %g : tensor<4xf32>
  return %u : tensor<4xf32>
}
// expect: line 5: this takes the batch apart otherwise than microbatches would, and nothing else reads it
