// test: microbatches count=2
// A gradient is a sum over the batch: each microbatch adds its contribution to an accumulator. The weights are the same
// for all of them, and the update waits for the sum.
func.func @main(%w: tensor<4x2xf32> {tf.aliasing_output = 0 : i32}, %x: tensor<8x4xf32>, %t: tensor<8x2xf32>) -> (tensor<4x2xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %rate = stablehlo.constant dense<0.1> : tensor<4x2xf32>
  %y = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x2xf32>) -> tensor<8x2xf32>
  %e = stablehlo.subtract %y, %t : tensor<8x2xf32>
  %s = stablehlo.multiply %e, %e : tensor<8x2xf32>
  %loss = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x2xf32>, tensor<f32>) -> tensor<f32>
  %g = stablehlo.dot_general %x, %e, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x2xf32>) -> tensor<4x2xf32>
  %d = stablehlo.multiply %g, %rate : tensor<4x2xf32>
  %n = stablehlo.subtract %w, %d : tensor<4x2xf32>
  return %n, %loss : tensor<4x2xf32>, tensor<f32>
}
